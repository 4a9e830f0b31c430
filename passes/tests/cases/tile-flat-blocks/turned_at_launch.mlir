// passes: tile-flat-blocks,cse
// counts: scf.if 0, tt.expand_dims 3, tt.make_range 2
// Blocks have whole rows, and columns are as far apart as the launch says: two axes.
module {
  tt.func public @turned_at_launch(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %distance: i32) {
    %zero = arith.constant dense<0.000000e+00> : tensor<1024xf32>
    %length = arith.constant dense<64> : tensor<1024xi32>
    %total = arith.constant dense<262144> : tensor<1024xi32>
    %size = arith.constant 1024 : i32
    %id = tt.get_program_id x : i32
    %start = arith.muli %id, %size : i32
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %starts = tt.splat %start : i32 -> tensor<1024xi32>
    %i = arith.addi %starts, %range : tensor<1024xi32>
    %mask = arith.cmpi slt, %i, %total : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %xp, %mask, %zero : tensor<1024x!tt.ptr<f32>>
    %y = arith.truncf %v : tensor<1024xf32> to tensor<1024xf16>
    %row = arith.divsi %i, %length : tensor<1024xi32>
    %column = arith.remsi %i, %length : tensor<1024xi32>
    %count = tt.splat %distance : i32 -> tensor<1024xi32>
    %far = arith.muli %column, %count : tensor<1024xi32>
    %at = arith.addi %far, %row : tensor<1024xi32>
    %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %op = tt.addptr %os, %at : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    tt.store %op, %y, %mask : tensor<1024x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @turned_at_launch(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32>
    %cst_0 = arith.constant dense<262144> : tensor<16x64xi32>
    %c1024_i32 = arith.constant 1024 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c1024_i32 : i32
    %c64_i32 = arith.constant 64 : i32
    %2 = arith.divsi %1, %c64_i32 : i32
    %3 = tt.splat %2 : i32 -> tensor<16xi32>
    %4 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %5 = arith.addi %3, %4 : tensor<16xi32>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %cst_1 = arith.constant dense<64> : tensor<16xi32>
    %7 = arith.muli %5, %cst_1 : tensor<16xi32>
    %8 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %9 = tt.broadcast %8 : tensor<1x64xi32> -> tensor<16x64xi32>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %11 = tt.broadcast %10 : tensor<16x1xi32> -> tensor<16x64xi32>
    %12 = tt.expand_dims %7 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %13 = tt.broadcast %12 : tensor<16x1xi32> -> tensor<16x64xi32>
    %14 = arith.addi %13, %9 : tensor<16x64xi32>
    %15 = arith.cmpi slt, %14, %cst_0 : tensor<16x64xi32>
    %16 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %17 = tt.addptr %16, %14 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %18 = tt.load %17, %15, %cst : tensor<16x64x!tt.ptr<f32>>
    %19 = arith.truncf %18 : tensor<16x64xf32> to tensor<16x64xf16>
    %20 = tt.splat %arg2 : i32 -> tensor<16x64xi32>
    %21 = arith.muli %9, %20 : tensor<16x64xi32>
    %22 = arith.addi %21, %11 : tensor<16x64xi32>
    %23 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
    %24 = tt.addptr %23, %22 : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
    tt.store %24, %19, %15 : tensor<16x64x!tt.ptr<f16>>
    tt.return
  }
}

