// passes: join-programs,cse
// grid: many
// counts: scf.if 0
// The divisor could be zero where a program does not exist.
module {
  tt.func public @column(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xbf16>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %id = tt.get_program_id x : i32
    %batch = tt.get_program_id z : i32
    %left = arith.subi %n, %id : i32
    %part = arith.divsi %n, %left : i32
    %at = arith.muli %batch, %n : i32
    %stride = tt.splat %n : i32 -> tensor<64xi32>
    %rows = arith.muli %range, %stride : tensor<64xi32>
    %before = arith.subi %id, %c1 : i32
    %inside = arith.cmpi slt, %part, %n : i32
    %mask = tt.splat %inside : i1 -> tensor<64xi1>
    %xb = tt.addptr %x, %at : !tt.ptr<bf16>, i32
    %xi = tt.addptr %xb, %before : !tt.ptr<bf16>, i32
    %xs = tt.splat %xi : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %xp = tt.addptr %xs, %rows : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %xv = tt.load %xp, %mask, %zero : tensor<64x!tt.ptr<bf16>>
    %xf = arith.extf %xv : tensor<64xbf16> to tensor<64xf32>
    %ws = tt.splat %w : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %wp = tt.addptr %ws, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %wv = tt.load %wp : tensor<64x!tt.ptr<f32>>
    %y = arith.mulf %xf, %wv : tensor<64xf32>
    %chosen = arith.select %inside, %y, %wv : tensor<64xf32>
    %ob = tt.addptr %out, %id : !tt.ptr<f32>, i32
    %os = tt.splat %ob : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %op = tt.addptr %os, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
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
    %3 = arith.subi %arg3, %1 : i32
    %4 = arith.divsi %arg3, %3 : i32
    %5 = arith.muli %2, %arg3 : i32
    %6 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %7 = arith.muli %0, %6 : tensor<64xi32>
    %8 = arith.subi %1, %c1_i32 : i32
    %9 = arith.cmpi slt, %4, %arg3 : i32
    %10 = tt.splat %9 : i1 -> tensor<64xi1>
    %11 = tt.addptr %arg0, %5 : !tt.ptr<bf16>, i32
    %12 = tt.addptr %11, %8 : !tt.ptr<bf16>, i32
    %13 = tt.splat %12 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %14 = tt.addptr %13, %7 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %15 = tt.load %14, %10, %cst : tensor<64x!tt.ptr<bf16>>
    %16 = arith.extf %15 : tensor<64xbf16> to tensor<64xf32>
    %17 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %18 = tt.addptr %17, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %19 = tt.load %18 : tensor<64x!tt.ptr<f32>>
    %20 = arith.mulf %16, %19 : tensor<64xf32>
    %21 = arith.select %9, %20, %19 : tensor<64xf32>
    %22 = tt.addptr %arg2, %1 : !tt.ptr<f32>, i32
    %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %24 = tt.addptr %23, %7 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %24, %21, %10 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}

