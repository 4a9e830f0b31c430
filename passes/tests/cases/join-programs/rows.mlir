// passes: join-programs,cse
// grid: many
// counts: scf.if 0
// A program has neighbours of its own.
module {
  tt.func public @column(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xbf16>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %id = tt.get_program_id x : i32
    %batch = tt.get_program_id z : i32
    %at = arith.muli %batch, %n : i32
    %rows = arith.extsi %range : tensor<64xi32> to tensor<64xi64>
    %before = arith.subi %id, %c1 : i32
    %inside = arith.cmpi slt, %id, %n : i32
    %mask = tt.splat %inside : i1 -> tensor<64xi1>
    %xb = tt.addptr %x, %at : !tt.ptr<bf16>, i32
    %xi = tt.addptr %xb, %before : !tt.ptr<bf16>, i32
    %xs = tt.splat %xi : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %xp = tt.addptr %xs, %rows : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %xv = tt.load %xp, %mask, %zero : tensor<64x!tt.ptr<bf16>>
    %xf = arith.extf %xv : tensor<64xbf16> to tensor<64xf32>
    %ws = tt.splat %w : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %wp = tt.addptr %ws, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %wv = tt.load %wp : tensor<64x!tt.ptr<f32>>
    %y = arith.mulf %xf, %wv : tensor<64xf32>
    %chosen = arith.select %inside, %y, %wv : tensor<64xf32>
    %ob = tt.addptr %out, %id : !tt.ptr<f32>, i32
    %os = tt.splat %ob : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %op = tt.addptr %os, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    tt.store %op, %chosen, %mask : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @column(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) {
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xbf16>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.get_program_id x : i32
    %2 = tt.get_program_id z : i32
    %3 = arith.muli %2, %arg3 : i32
    %4 = arith.extsi %0 : tensor<64xi32> to tensor<64xi64>
    %5 = arith.subi %1, %c1_i32 : i32
    %6 = arith.cmpi slt, %1, %arg3 : i32
    %7 = tt.splat %6 : i1 -> tensor<64xi1>
    %8 = tt.addptr %arg0, %3 : !tt.ptr<bf16>, i32
    %9 = tt.addptr %8, %5 : !tt.ptr<bf16>, i32
    %10 = tt.splat %9 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %11 = tt.addptr %10, %4 : tensor<64x!tt.ptr<bf16>>, tensor<64xi64>
    %12 = tt.load %11, %7, %cst : tensor<64x!tt.ptr<bf16>>
    %13 = arith.extf %12 : tensor<64xbf16> to tensor<64xf32>
    %14 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %15 = tt.addptr %14, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %16 = tt.load %15 : tensor<64x!tt.ptr<f32>>
    %17 = arith.mulf %13, %16 : tensor<64xf32>
    %18 = arith.select %6, %17, %16 : tensor<64xf32>
    %19 = tt.addptr %arg2, %1 : !tt.ptr<f32>, i32
    %20 = tt.splat %19 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %21 = tt.addptr %20, %4 : tensor<64x!tt.ptr<f32>>, tensor<64xi64>
    tt.store %21, %18, %7 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}

