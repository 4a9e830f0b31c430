// passes: join-programs,cse
// grid: many
// counts: scf.if 0
// The grid is known to run along y, where programs beside each other do not start together.
module {
  tt.func public @column(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xbf16>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %id = tt.get_program_id y : i32
    %batch = tt.get_program_id z : i32
    %at = arith.muli %batch, %n : i32
    %stride = tt.splat %n : i32 -> tensor<64xi32>
    %rows = arith.muli %range, %stride : tensor<64xi32>
    %before = arith.subi %id, %c1 : i32
    %inside = arith.cmpi slt, %id, %n : i32
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
    %1 = tt.get_program_id y : i32
    %2 = tt.get_program_id z : i32
    %3 = arith.muli %2, %arg3 : i32
    %4 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %5 = arith.muli %0, %4 : tensor<64xi32>
    %6 = arith.subi %1, %c1_i32 : i32
    %7 = arith.cmpi slt, %1, %arg3 : i32
    %8 = tt.splat %7 : i1 -> tensor<64xi1>
    %9 = tt.addptr %arg0, %3 : !tt.ptr<bf16>, i32
    %10 = tt.addptr %9, %6 : !tt.ptr<bf16>, i32
    %11 = tt.splat %10 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %12 = tt.addptr %11, %5 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %13 = tt.load %12, %8, %cst : tensor<64x!tt.ptr<bf16>>
    %14 = arith.extf %13 : tensor<64xbf16> to tensor<64xf32>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %16 = tt.addptr %15, %0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %17 = tt.load %16 : tensor<64x!tt.ptr<f32>>
    %18 = arith.mulf %14, %17 : tensor<64xf32>
    %19 = arith.select %7, %18, %17 : tensor<64xf32>
    %20 = tt.addptr %arg2, %1 : !tt.ptr<f32>, i32
    %21 = tt.splat %20 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %22 = tt.addptr %21, %5 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %22, %19, %8 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}

