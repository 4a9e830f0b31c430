// passes: tile-flat-blocks,cse
// grid: many
// counts: scf.if 1, tt.load 2, tt.expand_dims 3
// A load reads columns as rows, and rows are longer than a block: the programs of some rows exchange their elements.
module {
  tt.func public @loaded(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
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
    %row = arith.divsi %i, %length : tensor<1024xi32>
    %column = arith.remsi %i, %length : tensor<1024xi32>
    %far = arith.muli %column, %count : tensor<1024xi32>
    %at = arith.addi %far, %row : tensor<1024xi32>
    %xp = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %xp, %mask, %zero : tensor<1024x!tt.ptr<f32>>
    %y = arith.truncf %v : tensor<1024xf32> to tensor<1024xf16>
    %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %op = tt.addptr %os, %i : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    tt.store %op, %y, %mask : tensor<1024x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @loaded(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %0 = tt.get_program_id x : i32
    %1 = tt.get_num_programs x : i32
    %c48_i32 = arith.constant 48 : i32
    %2 = arith.divui %1, %c48_i32 : i32
    %3 = arith.muli %2, %c48_i32 : i32
    %4 = arith.cmpi ult, %0, %3 : i32
    scf.if %4 {
      %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
      %cst_0 = arith.constant dense<4096> : tensor<32x32xi32>
      %cst_1 = arith.constant dense<262144> : tensor<32x32xi32>
      %5 = arith.divui %0, %c48_i32 : i32
      %6 = arith.remui %0, %c48_i32 : i32
      %c32_i32 = arith.constant 32 : i32
      %7 = arith.muli %5, %c32_i32 : i32
      %8 = arith.muli %6, %c32_i32 : i32
      %9 = tt.splat %7 : i32 -> tensor<32xi32>
      %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %11 = arith.addi %9, %10 : tensor<32xi32>
      %12 = tt.splat %8 : i32 -> tensor<32xi32>
      %13 = arith.addi %12, %10 : tensor<32xi32>
      %cst_2 = arith.constant dense<1536> : tensor<32xi32>
      %14 = arith.muli %11, %cst_2 : tensor<32xi32>
      %15 = tt.expand_dims %13 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %16 = tt.broadcast %15 : tensor<1x32xi32> -> tensor<32x32xi32>
      %17 = tt.expand_dims %11 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %18 = tt.broadcast %17 : tensor<32x1xi32> -> tensor<32x32xi32>
      %19 = tt.expand_dims %14 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %20 = tt.broadcast %19 : tensor<32x1xi32> -> tensor<32x32xi32>
      %21 = arith.addi %20, %16 : tensor<32x32xi32>
      %22 = arith.cmpi slt, %21, %cst_1 : tensor<32x32xi32>
      %23 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
      %24 = arith.muli %16, %cst_0 : tensor<32x32xi32>
      %25 = arith.addi %24, %18 : tensor<32x32xi32>
      %26 = tt.addptr %23, %25 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
      %27 = tt.load %26, %22, %cst : tensor<32x32x!tt.ptr<f32>>
      %28 = arith.truncf %27 : tensor<32x32xf32> to tensor<32x32xf16>
      %29 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
      %30 = tt.addptr %29, %21 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      tt.store %30, %28, %22 : tensor<32x32x!tt.ptr<f16>>
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
      %11 = arith.divsi %8, %cst_0 : tensor<1024xi32>
      %12 = arith.remsi %8, %cst_0 : tensor<1024xi32>
      %13 = arith.muli %12, %cst_1 : tensor<1024xi32>
      %14 = arith.addi %13, %11 : tensor<1024xi32>
      %15 = tt.addptr %10, %14 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %16 = tt.load %15, %9, %cst : tensor<1024x!tt.ptr<f32>>
      %17 = arith.truncf %16 : tensor<1024xf32> to tensor<1024xf16>
      %18 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %19 = tt.addptr %18, %8 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      tt.store %19, %17, %9 : tensor<1024x!tt.ptr<f16>>
    } {tk.likely}
    tt.return
  }
}

