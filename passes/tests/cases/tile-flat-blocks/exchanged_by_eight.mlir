// passes: tile-flat-blocks,cse
// grid: eight
// counts: scf.if 1, tt.store 2, tt.expand_dims 3
// The grid brings five programs to each multiprocessor at least: those of 64 rows are few enough to exchange their elements.
module {
  tt.func public @exchanged_by_eight(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.000000e+00> : tensor<1024xf32>
    %length = arith.constant dense<1536> : tensor<1024xi32>
    %count = arith.constant dense<4096> : tensor<1024xi32>
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
  tt.func public @exchanged_by_eight(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %0 = tt.get_program_id x : i32
    %1 = tt.get_num_programs x : i32
    %c96_i32 = arith.constant 96 : i32
    %2 = arith.divui %1, %c96_i32 : i32
    %3 = arith.muli %2, %c96_i32 : i32
    %4 = arith.cmpi ult, %0, %3 : i32
    scf.if %4 {
      %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
      %cst_0 = arith.constant dense<4096> : tensor<64x16xi32>
      %cst_1 = arith.constant dense<262144> : tensor<64x16xi32>
      %5 = arith.divui %0, %c96_i32 : i32
      %6 = arith.remui %0, %c96_i32 : i32
      %c64_i32 = arith.constant 64 : i32
      %c16_i32 = arith.constant 16 : i32
      %7 = arith.muli %5, %c64_i32 : i32
      %8 = arith.muli %6, %c16_i32 : i32
      %9 = tt.splat %7 : i32 -> tensor<64xi32>
      %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %11 = arith.addi %9, %10 : tensor<64xi32>
      %12 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %13 = tt.splat %8 : i32 -> tensor<16xi32>
      %14 = arith.addi %13, %12 : tensor<16xi32>
      %cst_2 = arith.constant dense<1536> : tensor<64xi32>
      %15 = arith.muli %11, %cst_2 : tensor<64xi32>
      %16 = tt.expand_dims %14 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %17 = tt.broadcast %16 : tensor<1x16xi32> -> tensor<64x16xi32>
      %18 = tt.expand_dims %11 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %19 = tt.broadcast %18 : tensor<64x1xi32> -> tensor<64x16xi32>
      %20 = tt.expand_dims %15 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %21 = tt.broadcast %20 : tensor<64x1xi32> -> tensor<64x16xi32>
      %22 = arith.addi %21, %17 : tensor<64x16xi32>
      %23 = arith.cmpi slt, %22, %cst_1 : tensor<64x16xi32>
      %24 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x16x!tt.ptr<f32>>
      %25 = tt.addptr %24, %22 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi32>
      %26 = tt.load %25, %23, %cst : tensor<64x16x!tt.ptr<f32>>
      %27 = arith.truncf %26 : tensor<64x16xf32> to tensor<64x16xf16>
      %28 = arith.muli %17, %cst_0 : tensor<64x16xi32>
      %29 = arith.addi %28, %19 : tensor<64x16xi32>
      %30 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x16x!tt.ptr<f16>>
      %31 = tt.addptr %30, %29 : tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>
      tt.store %31, %27, %23 : tensor<64x16x!tt.ptr<f16>>
    } else {
      %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32>
      %cst_0 = arith.constant dense<1536> : tensor<1024xi32>
      %cst_1 = arith.constant dense<4096> : tensor<1024xi32>
      %cst_2 = arith.constant dense<262144> : tensor<1024xi32>
      %c1024_i32 = arith.constant 1024 : i32
      %5 = arith.muli %0, %c1024_i32 : i32
      %6 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
      %7 = tt.splat %5 : i32 -> tensor<1024xi32>
      %8 = arith.addi %7, %6 : tensor<1024xi32>
      %9 = arith.cmpi slt, %8, %cst_2 : tensor<1024xi32>
      %10 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
      %11 = tt.addptr %10, %8 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %12 = tt.load %11, %9, %cst : tensor<1024x!tt.ptr<f32>>
      %13 = arith.truncf %12 : tensor<1024xf32> to tensor<1024xf16>
      %14 = arith.divsi %8, %cst_0 : tensor<1024xi32>
      %15 = arith.remsi %8, %cst_0 : tensor<1024xi32>
      %16 = arith.muli %15, %cst_1 : tensor<1024xi32>
      %17 = arith.addi %16, %14 : tensor<1024xi32>
      %18 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %19 = tt.addptr %18, %17 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      tt.store %19, %13, %9 : tensor<1024x!tt.ptr<f16>>
    } {tk.likely}
    tt.return
  }
}

