// passes: tile-flat-blocks,cse
// grid: many
// counts: scf.if 1, tt.store 2, tt.expand_dims 3, arith.andi 1
// The launch says how far columns are apart: where that is a sector, programs exchange their elements.
module {
  tt.func public @exchanged_at_launch(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %distance: i32) {
    %zero = arith.constant dense<0.000000e+00> : tensor<1024xf32>
    %length = arith.constant dense<1536> : tensor<1024xi32>
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
  tt.func public @exchanged_at_launch(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32) {
    %0 = tt.get_program_id x : i32
    %1 = tt.get_num_programs x : i32
    %c96_i32 = arith.constant 96 : i32
    %2 = arith.divui %1, %c96_i32 : i32
    %3 = arith.muli %2, %c96_i32 : i32
    %4 = arith.cmpi ult, %0, %3 : i32
    %c16_i32 = arith.constant 16 : i32
    %5 = arith.cmpi uge, %arg2, %c16_i32 : i32
    %6 = arith.andi %4, %5 : i1
    scf.if %6 {
      %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
      %cst_0 = arith.constant dense<262144> : tensor<64x16xi32>
      %7 = arith.divui %0, %c96_i32 : i32
      %8 = arith.remui %0, %c96_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %9 = arith.muli %7, %c64_i32 : i32
      %10 = arith.muli %8, %c16_i32 : i32
      %11 = tt.splat %9 : i32 -> tensor<64xi32>
      %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %13 = arith.addi %11, %12 : tensor<64xi32>
      %14 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %15 = tt.splat %10 : i32 -> tensor<16xi32>
      %16 = arith.addi %15, %14 : tensor<16xi32>
      %cst_1 = arith.constant dense<1536> : tensor<64xi32>
      %17 = arith.muli %13, %cst_1 : tensor<64xi32>
      %18 = tt.expand_dims %16 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %19 = tt.broadcast %18 : tensor<1x16xi32> -> tensor<64x16xi32>
      %20 = tt.expand_dims %13 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %21 = tt.broadcast %20 : tensor<64x1xi32> -> tensor<64x16xi32>
      %22 = tt.expand_dims %17 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %23 = tt.broadcast %22 : tensor<64x1xi32> -> tensor<64x16xi32>
      %24 = arith.addi %23, %19 : tensor<64x16xi32>
      %25 = arith.cmpi slt, %24, %cst_0 : tensor<64x16xi32>
      %26 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
      %27 = tt.addptr %26, %24 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi32>
      %28 = tt.load %27, %25, %cst : tensor<64x16x!tt.ptr<f32>>
      %29 = arith.truncf %28 : tensor<64x16xf32> to tensor<64x16xf16>
      %30 = tt.splat %arg2 : i32 -> tensor<64x16xi32>
      %31 = arith.muli %19, %30 : tensor<64x16xi32>
      %32 = arith.addi %31, %21 : tensor<64x16xi32>
      %33 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x16x!tt.ptr<f16>>
      %34 = tt.addptr %33, %32 : tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>
      tt.store %34, %29, %25 : tensor<64x16x!tt.ptr<f16>>
    } else {
      %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32>
      %cst_0 = arith.constant dense<1536> : tensor<1024xi32>
      %cst_1 = arith.constant dense<262144> : tensor<1024xi32>
      %c1024_i32 = arith.constant 1024 : i32
      %7 = arith.muli %0, %c1024_i32 : i32
      %8 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
      %9 = tt.splat %7 : i32 -> tensor<1024xi32>
      %10 = arith.addi %9, %8 : tensor<1024xi32>
      %11 = arith.cmpi slt, %10, %cst_1 : tensor<1024xi32>
      %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
      %13 = tt.addptr %12, %10 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %14 = tt.load %13, %11, %cst : tensor<1024x!tt.ptr<f32>>
      %15 = arith.truncf %14 : tensor<1024xf32> to tensor<1024xf16>
      %16 = arith.divsi %10, %cst_0 : tensor<1024xi32>
      %17 = arith.remsi %10, %cst_0 : tensor<1024xi32>
      %18 = tt.splat %arg2 : i32 -> tensor<1024xi32>
      %19 = arith.muli %17, %18 : tensor<1024xi32>
      %20 = arith.addi %19, %16 : tensor<1024xi32>
      %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %22 = tt.addptr %21, %20 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      tt.store %22, %15, %11 : tensor<1024x!tt.ptr<f16>>
    } {tk.likely}
    tt.return
  }
}

