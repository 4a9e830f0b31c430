// passes: copy-blocks-by-tma,canonicalize,cse
// warps: 8
module {
  // Blocks of offsets that the loop carries, without masks.
  tt.func public @blocks(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %k: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c256_i32 : i32
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %7 = tt.splat %5 : i32 -> tensor<256xi32>
    %columns = arith.addi %7, %6 : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.broadcast %10 : tensor<128x1xi32> -> tensor<128x64xi32>
    %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %12, %13 : tensor<128x64xi32>
    %14 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %16 = arith.muli %14, %15 : tensor<64x1xi32>
    %17 = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %18 = tt.broadcast %16 : tensor<64x1xi32> -> tensor<64x256xi32>
    %19 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<64x256xi32>
    %b_offsets = arith.addi %18, %19 : tensor<64x256xi32>
    %20 = arith.addi %k, %c63_i32 : i32
    %21 = arith.divsi %20, %c64_i32 : i32
    %22 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %23 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %24 = arith.muli %b_stride, %c64_i32 : i32
    %25 = tt.splat %24 : i32 -> tensor<64x256xi32>
    %total:3 = scf.for %arg9 = %c0_i32 to %21 step %c1_i32 iter_args(%arg10 = %cst_0, %arg11 = %a_offsets, %arg12 = %b_offsets) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>)  : i32 {
      %40 = tt.addptr %22, %arg11 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %a = tt.load %40 : tensor<128x64x!tt.ptr<f16>>
      %41 = tt.addptr %23, %arg12 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %b = tt.load %41 : tensor<64x256x!tt.ptr<f16>>
      %42 = tt.dot %a, %b, %arg10, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %a_offsets_1 = arith.addi %arg11, %cst : tensor<128x64xi32>
      %b_offsets_2 = arith.addi %arg12, %25 : tensor<64x256xi32>
      scf.yield %42, %a_offsets_1, %b_offsets_2 : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>
    }
    %26 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %27 = arith.muli %8, %26 : tensor<128x1xi32>
    %28 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %30 = tt.broadcast %29 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %31 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<128x256xi32>
    %32 = tt.addptr %30, %31 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %33 = tt.splat %m : i32 -> tensor<128x1xi32>
    %34 = arith.cmpi slt, %8, %33 : tensor<128x1xi32>
    %35 = tt.splat %n : i32 -> tensor<1x256xi32>
    %36 = arith.cmpi slt, %17, %35 : tensor<1x256xi32>
    %37 = tt.broadcast %34 : tensor<128x1xi1> -> tensor<128x256xi1>
    %38 = tt.broadcast %36 : tensor<1x256xi1> -> tensor<128x256xi1>
    %39 = arith.andi %37, %38 : tensor<128x256xi1>
    tt.store %32, %total#0, %39 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  // Masks of what remains of K, and a B whose columns are consecutive: the maps end at `k`.
  tt.func public @masked(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64x256xi32>
    %cst_0 = arith.constant dense<64> : tensor<128x64xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x256xf16>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c256_i32 : i32
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %7 = tt.splat %5 : i32 -> tensor<256xi32>
    %columns = arith.addi %7, %6 : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.broadcast %10 : tensor<128x1xi32> -> tensor<128x64xi32>
    %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %12, %13 : tensor<128x64xi32>
    %14 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %16 = tt.splat %b_stride : i32 -> tensor<1x256xi32>
    %17 = arith.muli %15, %16 : tensor<1x256xi32>
    %18 = tt.broadcast %14 : tensor<64x1xi32> -> tensor<64x256xi32>
    %19 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<64x256xi32>
    %b_offsets = arith.addi %18, %19 : tensor<64x256xi32>
    %20 = arith.addi %k, %c63_i32 : i32
    %21 = arith.divsi %20, %c64_i32 : i32
    %22 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %23 = tt.splat %m : i32 -> tensor<128x1xi32>
    %24 = arith.cmpi slt, %8, %23 : tensor<128x1xi32>
    %25 = tt.broadcast %24 : tensor<128x1xi1> -> tensor<128x64xi1>
    %26 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %27 = tt.splat %n : i32 -> tensor<1x256xi32>
    %28 = arith.cmpi slt, %15, %27 : tensor<1x256xi32>
    %29 = tt.broadcast %28 : tensor<1x256xi1> -> tensor<64x256xi1>
    %total:3 = scf.for %arg9 = %c0_i32 to %21 step %c1_i32 iter_args(%arg10 = %cst_3, %arg11 = %a_offsets, %arg12 = %b_offsets) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>)  : i32 {
      %44 = arith.muli %arg9, %c64_i32 : i32
      %left = arith.subi %k, %44 : i32
      %45 = tt.addptr %22, %arg11 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %46 = tt.splat %left : i32 -> tensor<1x64xi32>
      %47 = arith.cmpi slt, %11, %46 : tensor<1x64xi32>
      %48 = tt.broadcast %47 : tensor<1x64xi1> -> tensor<128x64xi1>
      %49 = arith.andi %25, %48 : tensor<128x64xi1>
      %a = tt.load %45, %49, %cst_2 : tensor<128x64x!tt.ptr<f16>>
      %50 = tt.addptr %26, %arg12 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %51 = tt.splat %left : i32 -> tensor<64x1xi32>
      %52 = arith.cmpi slt, %14, %51 : tensor<64x1xi32>
      %53 = tt.broadcast %52 : tensor<64x1xi1> -> tensor<64x256xi1>
      %54 = arith.andi %53, %29 : tensor<64x256xi1>
      %b = tt.load %50, %54, %cst_1 : tensor<64x256x!tt.ptr<f16>>
      %55 = tt.dot %a, %b, %arg10, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %a_offsets_4 = arith.addi %arg11, %cst_0 : tensor<128x64xi32>
      %b_offsets_5 = arith.addi %arg12, %cst : tensor<64x256xi32>
      scf.yield %55, %a_offsets_4, %b_offsets_5 : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>
    }
    %30 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %31 = arith.muli %8, %30 : tensor<128x1xi32>
    %32 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %33 = tt.addptr %32, %31 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %34 = tt.broadcast %33 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %35 = tt.broadcast %15 : tensor<1x256xi32> -> tensor<128x256xi32>
    %36 = tt.addptr %34, %35 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %37 = tt.splat %m : i32 -> tensor<128x1xi32>
    %38 = arith.cmpi slt, %8, %37 : tensor<128x1xi32>
    %39 = tt.splat %n : i32 -> tensor<1x256xi32>
    %40 = arith.cmpi slt, %15, %39 : tensor<1x256xi32>
    %41 = tt.broadcast %38 : tensor<128x1xi1> -> tensor<128x256xi1>
    %42 = tt.broadcast %40 : tensor<1x256xi1> -> tensor<128x256xi1>
    %43 = arith.andi %41, %42 : tensor<128x256xi1>
    tt.store %36, %total#0, %43 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  // Offsets that are extended to 64 bits, and a sum of rows that the loop carries and columns that it does not. The masks compare numbers that it carries, too.
  tt.func public @sums(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64xi32>
    %cst_0 = arith.constant dense<64> : tensor<128x64xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x256xf16>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c256_i32 : i32
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %7 = tt.splat %5 : i32 -> tensor<256xi32>
    %columns = arith.addi %7, %6 : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.broadcast %10 : tensor<128x1xi32> -> tensor<128x64xi32>
    %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %12, %13 : tensor<128x64xi32>
    %14 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %b_rows = arith.muli %14, %15 : tensor<64x1xi32>
    %b_columns = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %16 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %17 = tt.splat %m : i32 -> tensor<128x1xi32>
    %18 = arith.cmpi slt, %8, %17 : tensor<128x1xi32>
    %19 = tt.splat %k : i32 -> tensor<1x64xi32>
    %20 = tt.broadcast %18 : tensor<128x1xi1> -> tensor<128x64xi1>
    %21 = tt.broadcast %b_columns : tensor<1x256xi32> -> tensor<64x256xi32>
    %22 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %23 = tt.splat %k : i32 -> tensor<64x1xi32>
    %24 = tt.splat %n : i32 -> tensor<1x256xi32>
    %25 = arith.cmpi slt, %b_columns, %24 : tensor<1x256xi32>
    %26 = tt.broadcast %25 : tensor<1x256xi1> -> tensor<64x256xi1>
    %27 = arith.muli %b_stride, %c64_i32 : i32
    %28 = tt.splat %27 : i32 -> tensor<64x1xi32>
    %total:4 = scf.for %arg9 = %c0_i32 to %k step %c64_i32 iter_args(%arg10 = %cst_3, %arg11 = %a_offsets, %arg12 = %b_rows, %arg13 = %depth) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x1xi32>, tensor<64xi32>)  : i32 {
      %43 = arith.extsi %arg11 : tensor<128x64xi32> to tensor<128x64xi64>
      %44 = tt.addptr %16, %43 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi64>
      %45 = tt.expand_dims %arg13 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %46 = arith.cmpi slt, %45, %19 : tensor<1x64xi32>
      %47 = tt.broadcast %46 : tensor<1x64xi1> -> tensor<128x64xi1>
      %48 = arith.andi %20, %47 : tensor<128x64xi1>
      %a = tt.load %44, %48, %cst_2 : tensor<128x64x!tt.ptr<f16>>
      %49 = tt.broadcast %arg12 : tensor<64x1xi32> -> tensor<64x256xi32>
      %50 = arith.addi %49, %21 : tensor<64x256xi32>
      %51 = tt.addptr %22, %50 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %52 = tt.expand_dims %arg13 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %53 = arith.cmpi slt, %52, %23 : tensor<64x1xi32>
      %54 = tt.broadcast %53 : tensor<64x1xi1> -> tensor<64x256xi1>
      %55 = arith.andi %54, %26 : tensor<64x256xi1>
      %b = tt.load %51, %55, %cst_1 : tensor<64x256x!tt.ptr<f16>>
      %56 = tt.dot %a, %b, %arg10, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %a_offsets_4 = arith.addi %arg11, %cst_0 : tensor<128x64xi32>
      %b_rows_5 = arith.addi %28, %arg12 : tensor<64x1xi32>
      %depth_6 = arith.addi %arg13, %cst : tensor<64xi32>
      scf.yield %56, %a_offsets_4, %b_rows_5, %depth_6 : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x1xi32>, tensor<64xi32>
    }
    %29 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %30 = arith.muli %8, %29 : tensor<128x1xi32>
    %31 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %32 = tt.addptr %31, %30 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %33 = tt.broadcast %32 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %34 = tt.broadcast %b_columns : tensor<1x256xi32> -> tensor<128x256xi32>
    %35 = tt.addptr %33, %34 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %36 = tt.splat %m : i32 -> tensor<128x1xi32>
    %37 = arith.cmpi slt, %8, %36 : tensor<128x1xi32>
    %38 = tt.splat %n : i32 -> tensor<1x256xi32>
    %39 = arith.cmpi slt, %b_columns, %38 : tensor<1x256xi32>
    %40 = tt.broadcast %37 : tensor<128x1xi1> -> tensor<128x256xi1>
    %41 = tt.broadcast %39 : tensor<1x256xi1> -> tensor<128x256xi1>
    %42 = arith.andi %40, %41 : tensor<128x256xi1>
    tt.store %35, %total#0, %42 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  // Offsets that are used behind the loop stay.
  tt.func public @kept(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ends_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %k: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c256_i32 : i32
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %7 = tt.splat %5 : i32 -> tensor<256xi32>
    %columns = arith.addi %7, %6 : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.broadcast %10 : tensor<128x1xi32> -> tensor<128x64xi32>
    %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %12, %13 : tensor<128x64xi32>
    %14 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %16 = arith.muli %14, %15 : tensor<64x1xi32>
    %17 = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %18 = tt.broadcast %16 : tensor<64x1xi32> -> tensor<64x256xi32>
    %19 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<64x256xi32>
    %b_offsets = arith.addi %18, %19 : tensor<64x256xi32>
    %20 = arith.addi %k, %c63_i32 : i32
    %21 = arith.divsi %20, %c64_i32 : i32
    %22 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %23 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %24 = arith.muli %b_stride, %c64_i32 : i32
    %25 = tt.splat %24 : i32 -> tensor<64x256xi32>
    %total:3 = scf.for %arg10 = %c0_i32 to %21 step %c1_i32 iter_args(%arg11 = %cst_0, %arg12 = %a_offsets, %arg13 = %b_offsets) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>)  : i32 {
      %34 = tt.addptr %22, %arg12 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %a = tt.load %34 : tensor<128x64x!tt.ptr<f16>>
      %35 = tt.addptr %23, %arg13 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %b = tt.load %35 : tensor<64x256x!tt.ptr<f16>>
      %36 = tt.dot %a, %b, %arg11, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %a_offsets_1 = arith.addi %arg12, %cst : tensor<128x64xi32>
      %b_offsets_2 = arith.addi %arg13, %25 : tensor<64x256xi32>
      scf.yield %36, %a_offsets_1, %b_offsets_2 : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>
    }
    %26 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %27 = arith.muli %8, %26 : tensor<128x1xi32>
    %28 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %30 = tt.broadcast %29 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %31 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<128x256xi32>
    %32 = tt.addptr %30, %31 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    tt.store %32, %total#0 : tensor<128x256x!tt.ptr<f32>>
    %33 = arith.cmpi eq, %4, %c0_i32 : i32
    scf.if %33 {
      %34 = tt.splat %ends_ptr : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
      %35 = tt.addptr %34, %rows : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
      %36 = "tt.reduce"(%total#1) <{axis = 1 : i32}> ({
      ^bb0(%arg10: i32, %arg11: i32):
        %37 = arith.maxsi %arg10, %arg11 : i32
        tt.reduce.return %37 : i32
      }) : (tensor<128x64xi32>) -> tensor<128xi32>
      tt.store %35, %36 : tensor<128x!tt.ptr<i32>>
    }
    tt.return
  }
  // Pointers and their offsets both move: the loads stay.
  tt.func public @apart(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %ends_ptr: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %k: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c256_i32 : i32
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %7 = tt.splat %5 : i32 -> tensor<256xi32>
    %columns = arith.addi %7, %6 : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.broadcast %10 : tensor<128x1xi32> -> tensor<128x64xi32>
    %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %12, %13 : tensor<128x64xi32>
    %14 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %16 = arith.muli %14, %15 : tensor<64x1xi32>
    %17 = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %18 = tt.broadcast %16 : tensor<64x1xi32> -> tensor<64x256xi32>
    %19 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<64x256xi32>
    %b_offsets = arith.addi %18, %19 : tensor<64x256xi32>
    %20 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %21 = arith.addi %k, %c63_i32 : i32
    %22 = arith.divsi %21, %c64_i32 : i32
    %23 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %24 = arith.muli %b_stride, %c63_i32 : i32
    %25 = tt.splat %24 : i32 -> tensor<64x256xi32>
    %26 = tt.splat %b_stride : i32 -> tensor<64x256xi32>
    %total:4 = scf.for %arg10 = %c0_i32 to %22 step %c1_i32 iter_args(%arg11 = %cst_0, %arg12 = %a_offsets, %arg13 = %b_offsets, %arg14 = %20) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>, tensor<64x256x!tt.ptr<f16>>)  : i32 {
      %35 = tt.addptr %23, %arg12 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %a = tt.load %35 : tensor<128x64x!tt.ptr<f16>>
      %36 = tt.addptr %arg14, %arg13 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %b = tt.load %36 : tensor<64x256x!tt.ptr<f16>>
      %37 = tt.dot %a, %b, %arg11, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %a_offsets_1 = arith.addi %arg12, %cst : tensor<128x64xi32>
      %b_offsets_2 = arith.addi %arg13, %25 : tensor<64x256xi32>
      %b_ptrs = tt.addptr %arg14, %26 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      scf.yield %37, %a_offsets_1, %b_offsets_2, %b_ptrs : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>, tensor<64x256x!tt.ptr<f16>>
    }
    %27 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %28 = arith.muli %8, %27 : tensor<128x1xi32>
    %29 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %30 = tt.addptr %29, %28 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %31 = tt.broadcast %30 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %32 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<128x256xi32>
    %33 = tt.addptr %31, %32 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    tt.store %33, %total#0 : tensor<128x256x!tt.ptr<f32>>
    %34 = arith.cmpi eq, %4, %c0_i32 : i32
    scf.if %34 {
      %35 = tt.splat %ends_ptr : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
      %36 = tt.addptr %35, %rows : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
      %37 = "tt.reduce"(%total#1) <{axis = 1 : i32}> ({
      ^bb0(%arg10: i32, %arg11: i32):
        %38 = arith.maxsi %arg10, %arg11 : i32
        tt.reduce.return %38 : i32
      }) : (tensor<128x64xi32>) -> tensor<128xi32>
      tt.store %36, %37 : tensor<128x!tt.ptr<i32>>
    }
    tt.return
  }
  // Offsets that move by what is not a number of rows: the loads stay.
  tt.func public @uneven(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %k: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c256_i32 : i32
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %7 = tt.splat %5 : i32 -> tensor<256xi32>
    %columns = arith.addi %7, %6 : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.broadcast %10 : tensor<128x1xi32> -> tensor<128x64xi32>
    %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %12, %13 : tensor<128x64xi32>
    %14 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %16 = arith.muli %14, %15 : tensor<64x1xi32>
    %17 = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %18 = tt.broadcast %16 : tensor<64x1xi32> -> tensor<64x256xi32>
    %19 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<64x256xi32>
    %b_offsets = arith.addi %18, %19 : tensor<64x256xi32>
    %20 = arith.addi %k, %c63_i32 : i32
    %21 = arith.divsi %20, %c64_i32 : i32
    %22 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %23 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %24 = arith.muli %n, %c64_i32 : i32
    %25 = tt.splat %24 : i32 -> tensor<64x256xi32>
    %total:3 = scf.for %arg9 = %c0_i32 to %21 step %c1_i32 iter_args(%arg10 = %cst_0, %arg11 = %a_offsets, %arg12 = %b_offsets) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>)  : i32 {
      %40 = tt.addptr %22, %arg11 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %a = tt.load %40 : tensor<128x64x!tt.ptr<f16>>
      %41 = tt.addptr %23, %arg12 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %b = tt.load %41 : tensor<64x256x!tt.ptr<f16>>
      %42 = tt.dot %a, %b, %arg10, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %a_offsets_1 = arith.addi %arg11, %cst : tensor<128x64xi32>
      %b_offsets_2 = arith.addi %arg12, %25 : tensor<64x256xi32>
      scf.yield %42, %a_offsets_1, %b_offsets_2 : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>
    }
    %26 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %27 = arith.muli %8, %26 : tensor<128x1xi32>
    %28 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %30 = tt.broadcast %29 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %31 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<128x256xi32>
    %32 = tt.addptr %30, %31 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %33 = tt.splat %m : i32 -> tensor<128x1xi32>
    %34 = arith.cmpi slt, %8, %33 : tensor<128x1xi32>
    %35 = tt.splat %n : i32 -> tensor<1x256xi32>
    %36 = arith.cmpi slt, %17, %35 : tensor<1x256xi32>
    %37 = tt.broadcast %34 : tensor<128x1xi1> -> tensor<128x256xi1>
    %38 = tt.broadcast %36 : tensor<1x256xi1> -> tensor<128x256xi1>
    %39 = arith.andi %37, %38 : tensor<128x256xi1>
    tt.store %32, %total#0, %39 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  // Numbers of rows beside the blocks, whose offsets move by a row of their matrix.
  tt.func public @factors(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %factors_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %factors_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64x256xi32>
    %cst_0 = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c256_i32 : i32
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %7 = tt.splat %5 : i32 -> tensor<256xi32>
    %columns = arith.addi %7, %6 : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = tt.broadcast %10 : tensor<128x1xi32> -> tensor<128x64xi32>
    %13 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %12, %13 : tensor<128x64xi32>
    %14 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %16 = tt.splat %b_stride : i32 -> tensor<1x256xi32>
    %17 = arith.muli %15, %16 : tensor<1x256xi32>
    %18 = tt.broadcast %14 : tensor<64x1xi32> -> tensor<64x256xi32>
    %19 = tt.broadcast %17 : tensor<1x256xi32> -> tensor<64x256xi32>
    %b_offsets = arith.addi %18, %19 : tensor<64x256xi32>
    %20 = arith.addi %k, %c63_i32 : i32
    %21 = arith.divsi %20, %c64_i32 : i32
    %22 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %23 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %24 = tt.splat %factors_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %25 = tt.splat %factors_stride : i32 -> tensor<128xi32>
    %total:4 = scf.for %arg9 = %c0_i32 to %21 step %c1_i32 iter_args(%arg10 = %cst_1, %arg11 = %a_offsets, %arg12 = %b_offsets, %arg13 = %rows) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>, tensor<128xi32>)  : i32 {
      %33 = tt.addptr %22, %arg11 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %34 = tt.load %33 : tensor<128x64x!tt.ptr<f16>>
      %35 = tt.addptr %23, %arg12 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %36 = tt.load %35 : tensor<64x256x!tt.ptr<f16>>
      %product = tt.dot %34, %36, %cst_1, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %37 = tt.addptr %24, %arg13 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %38 = tt.load %37 : tensor<128x!tt.ptr<f32>>
      %39 = tt.expand_dims %38 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %40 = tt.broadcast %39 : tensor<128x1xf32> -> tensor<128x256xf32>
      %41 = arith.mulf %product, %40 : tensor<128x256xf32>
      %total_2 = arith.addf %arg10, %41 : tensor<128x256xf32>
      %a_offsets_3 = arith.addi %arg11, %cst_0 : tensor<128x64xi32>
      %b_offsets_4 = arith.addi %arg12, %cst : tensor<64x256xi32>
      %factors_offsets = arith.addi %arg13, %25 : tensor<128xi32>
      scf.yield %total_2, %a_offsets_3, %b_offsets_4, %factors_offsets : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>, tensor<128xi32>
    }
    %26 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %27 = arith.muli %8, %26 : tensor<128x1xi32>
    %28 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %30 = tt.broadcast %29 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %31 = tt.broadcast %15 : tensor<1x256xi32> -> tensor<128x256xi32>
    %32 = tt.addptr %30, %31 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    tt.store %32, %total#0 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @blocks(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<64x256xf16>> {tk.map_base = 1 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %8 = tt.splat %6 : i32 -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %11 = tt.expand_dims %9 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %12 = arith.addi %arg5, %c63_i32 : i32
    %13 = arith.divsi %12, %c64_i32 : i32
    %14 = scf.for %arg11 = %c0_i32 to %13 step %c1_i32 iter_args(%arg12 = %cst) -> (tensor<128x256xf32>)  : i32 {
      %29 = arith.muli %arg11, %c64_i32 : i32
      %30 = tt.descriptor_load %arg9[%1, %29] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %31 = tt.descriptor_load %arg10[%29, %6] : !tt.tensordesc<tensor<64x256xf16>> -> tensor<64x256xf16>
      %32 = tt.dot %30, %31, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %32 : tensor<128x256xf32>
    }
    %15 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %16 = arith.muli %10, %15 : tensor<128x1xi32>
    %17 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %18 = tt.addptr %17, %16 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %19 = tt.broadcast %18 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %20 = tt.broadcast %11 : tensor<1x256xi32> -> tensor<128x256xi32>
    %21 = tt.addptr %19, %20 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %22 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %23 = arith.cmpi slt, %10, %22 : tensor<128x1xi32>
    %24 = tt.splat %arg4 : i32 -> tensor<1x256xi32>
    %25 = arith.cmpi slt, %11, %24 : tensor<1x256xi32>
    %26 = tt.broadcast %23 : tensor<128x1xi1> -> tensor<128x256xi1>
    %27 = tt.broadcast %25 : tensor<1x256xi1> -> tensor<128x256xi1>
    %28 = arith.andi %26, %27 : tensor<128x256xi1>
    tt.store %21, %14, %28 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @masked(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<256x64xf16>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 4 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %8 = tt.splat %6 : i32 -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %11 = tt.expand_dims %9 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %12 = arith.addi %arg5, %c63_i32 : i32
    %13 = arith.divsi %12, %c64_i32 : i32
    %14 = scf.for %arg11 = %c0_i32 to %13 step %c1_i32 iter_args(%arg12 = %cst) -> (tensor<128x256xf32>)  : i32 {
      %29 = arith.muli %arg11, %c64_i32 : i32
      %30 = tt.descriptor_load %arg9[%1, %29] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %31 = tt.descriptor_load %arg10[%6, %29] : !tt.tensordesc<tensor<256x64xf16>> -> tensor<256x64xf16>
      %32 = tt.trans %31 {order = array<i32: 1, 0>} : tensor<256x64xf16> -> tensor<64x256xf16>
      %33 = tt.dot %30, %32, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %33 : tensor<128x256xf32>
    }
    %15 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %16 = arith.muli %10, %15 : tensor<128x1xi32>
    %17 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %18 = tt.addptr %17, %16 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %19 = tt.broadcast %18 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %20 = tt.broadcast %11 : tensor<1x256xi32> -> tensor<128x256xi32>
    %21 = tt.addptr %19, %20 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %22 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %23 = arith.cmpi slt, %10, %22 : tensor<128x1xi32>
    %24 = tt.splat %arg4 : i32 -> tensor<1x256xi32>
    %25 = arith.cmpi slt, %11, %24 : tensor<1x256xi32>
    %26 = tt.broadcast %23 : tensor<128x1xi1> -> tensor<128x256xi1>
    %27 = tt.broadcast %25 : tensor<1x256xi1> -> tensor<128x256xi1>
    %28 = arith.andi %26, %27 : tensor<128x256xi1>
    tt.store %21, %14, %28 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @sums(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<64x256xf16>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 4 : i32, tk.map_rows_parameter = 5 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %8 = tt.splat %6 : i32 -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %11 = tt.expand_dims %9 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %12 = scf.for %arg11 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg12 = %cst) -> (tensor<128x256xf32>)  : i32 {
      %27 = tt.descriptor_load %arg9[%1, %arg11] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %28 = tt.descriptor_load %arg10[%arg11, %6] : !tt.tensordesc<tensor<64x256xf16>> -> tensor<64x256xf16>
      %29 = tt.dot %27, %28, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %29 : tensor<128x256xf32>
    }
    %13 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %14 = arith.muli %10, %13 : tensor<128x1xi32>
    %15 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %16 = tt.addptr %15, %14 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %17 = tt.broadcast %16 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %18 = tt.broadcast %11 : tensor<1x256xi32> -> tensor<128x256xi32>
    %19 = tt.addptr %17, %18 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %20 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %21 = arith.cmpi slt, %10, %20 : tensor<128x1xi32>
    %22 = tt.splat %arg4 : i32 -> tensor<1x256xi32>
    %23 = arith.cmpi slt, %11, %22 : tensor<1x256xi32>
    %24 = tt.broadcast %21 : tensor<128x1xi1> -> tensor<128x256xi1>
    %25 = tt.broadcast %23 : tensor<1x256xi1> -> tensor<128x256xi1>
    %26 = arith.andi %24, %25 : tensor<128x256xi1>
    tt.store %19, %12, %26 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @kept(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg10: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_stride = 7 : i32}, %arg11: !tt.tensordesc<tensor<64x256xf16>> {tk.map_base = 1 : i32, tk.map_stride = 8 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %8 = tt.splat %6 : i32 -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %12 = tt.splat %arg7 : i32 -> tensor<128x1xi32>
    %13 = arith.muli %11, %12 : tensor<128x1xi32>
    %14 = tt.expand_dims %10 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %15 = tt.broadcast %13 : tensor<128x1xi32> -> tensor<128x64xi32>
    %16 = tt.broadcast %14 : tensor<1x64xi32> -> tensor<128x64xi32>
    %17 = arith.addi %15, %16 : tensor<128x64xi32>
    %18 = tt.expand_dims %9 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %19 = arith.addi %arg6, %c63_i32 : i32
    %20 = arith.divsi %19, %c64_i32 : i32
    %21:2 = scf.for %arg12 = %c0_i32 to %20 step %c1_i32 iter_args(%arg13 = %cst_0, %arg14 = %17) -> (tensor<128x256xf32>, tensor<128x64xi32>)  : i32 {
      %30 = arith.muli %arg12, %c64_i32 : i32
      %31 = tt.descriptor_load %arg10[%1, %30] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %32 = tt.descriptor_load %arg11[%30, %6] : !tt.tensordesc<tensor<64x256xf16>> -> tensor<64x256xf16>
      %33 = tt.dot %31, %32, %arg13, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %34 = arith.addi %arg14, %cst : tensor<128x64xi32>
      scf.yield %33, %34 : tensor<128x256xf32>, tensor<128x64xi32>
    }
    %22 = tt.splat %arg9 : i32 -> tensor<128x1xi32>
    %23 = arith.muli %11, %22 : tensor<128x1xi32>
    %24 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %25 = tt.addptr %24, %23 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %26 = tt.broadcast %25 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %27 = tt.broadcast %18 : tensor<1x256xi32> -> tensor<128x256xi32>
    %28 = tt.addptr %26, %27 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    tt.store %28, %21#0 : tensor<128x256x!tt.ptr<f32>>
    %29 = arith.cmpi eq, %5, %c0_i32 : i32
    scf.if %29 {
      %30 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
      %31 = tt.addptr %30, %4 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
      %32 = "tt.reduce"(%21#1) <{axis = 1 : i32}> ({
      ^bb0(%arg12: i32, %arg13: i32):
        %33 = arith.maxsi %arg12, %arg13 : i32
        tt.reduce.return %33 : i32
      }) : (tensor<128x64xi32>) -> tensor<128xi32>
      tt.store %31, %32 : tensor<128x!tt.ptr<i32>>
    }
    tt.return
  }
  tt.func public @apart(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %8 = tt.splat %6 : i32 -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %12 = tt.splat %arg7 : i32 -> tensor<128x1xi32>
    %13 = arith.muli %11, %12 : tensor<128x1xi32>
    %14 = tt.expand_dims %10 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %15 = tt.broadcast %13 : tensor<128x1xi32> -> tensor<128x64xi32>
    %16 = tt.broadcast %14 : tensor<1x64xi32> -> tensor<128x64xi32>
    %17 = arith.addi %15, %16 : tensor<128x64xi32>
    %18 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %19 = tt.splat %arg8 : i32 -> tensor<64x1xi32>
    %20 = arith.muli %18, %19 : tensor<64x1xi32>
    %21 = tt.expand_dims %9 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %22 = tt.broadcast %20 : tensor<64x1xi32> -> tensor<64x256xi32>
    %23 = tt.broadcast %21 : tensor<1x256xi32> -> tensor<64x256xi32>
    %24 = arith.addi %22, %23 : tensor<64x256xi32>
    %25 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %26 = arith.addi %arg6, %c63_i32 : i32
    %27 = arith.divsi %26, %c64_i32 : i32
    %28 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %29 = arith.muli %arg8, %c63_i32 : i32
    %30 = tt.splat %29 : i32 -> tensor<64x256xi32>
    %31 = tt.splat %arg8 : i32 -> tensor<64x256xi32>
    %32:4 = scf.for %arg10 = %c0_i32 to %27 step %c1_i32 iter_args(%arg11 = %cst_0, %arg12 = %17, %arg13 = %24, %arg14 = %25) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>, tensor<64x256x!tt.ptr<f16>>)  : i32 {
      %41 = tt.addptr %28, %arg12 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %42 = tt.load %41 : tensor<128x64x!tt.ptr<f16>>
      %43 = tt.addptr %arg14, %arg13 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %44 = tt.load %43 : tensor<64x256x!tt.ptr<f16>>
      %45 = tt.dot %42, %44, %arg11, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %46 = arith.addi %arg12, %cst : tensor<128x64xi32>
      %47 = arith.addi %arg13, %30 : tensor<64x256xi32>
      %48 = tt.addptr %arg14, %31 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      scf.yield %45, %46, %47, %48 : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>, tensor<64x256x!tt.ptr<f16>>
    }
    %33 = tt.splat %arg9 : i32 -> tensor<128x1xi32>
    %34 = arith.muli %11, %33 : tensor<128x1xi32>
    %35 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %36 = tt.addptr %35, %34 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %37 = tt.broadcast %36 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %38 = tt.broadcast %21 : tensor<1x256xi32> -> tensor<128x256xi32>
    %39 = tt.addptr %37, %38 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    tt.store %39, %32#0 : tensor<128x256x!tt.ptr<f32>>
    %40 = arith.cmpi eq, %5, %c0_i32 : i32
    scf.if %40 {
      %41 = tt.splat %arg3 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
      %42 = tt.addptr %41, %4 : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
      %43 = "tt.reduce"(%32#1) <{axis = 1 : i32}> ({
      ^bb0(%arg10: i32, %arg11: i32):
        %44 = arith.maxsi %arg10, %arg11 : i32
        tt.reduce.return %44 : i32
      }) : (tensor<128x64xi32>) -> tensor<128xi32>
      tt.store %42, %43 : tensor<128x!tt.ptr<i32>>
    }
    tt.return
  }
  tt.func public @uneven(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %8 = tt.splat %6 : i32 -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %12 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %13 = arith.muli %11, %12 : tensor<128x1xi32>
    %14 = tt.expand_dims %10 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %15 = tt.broadcast %13 : tensor<128x1xi32> -> tensor<128x64xi32>
    %16 = tt.broadcast %14 : tensor<1x64xi32> -> tensor<128x64xi32>
    %17 = arith.addi %15, %16 : tensor<128x64xi32>
    %18 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %19 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
    %20 = arith.muli %18, %19 : tensor<64x1xi32>
    %21 = tt.expand_dims %9 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %22 = tt.broadcast %20 : tensor<64x1xi32> -> tensor<64x256xi32>
    %23 = tt.broadcast %21 : tensor<1x256xi32> -> tensor<64x256xi32>
    %24 = arith.addi %22, %23 : tensor<64x256xi32>
    %25 = arith.addi %arg5, %c63_i32 : i32
    %26 = arith.divsi %25, %c64_i32 : i32
    %27 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %28 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %29 = arith.muli %arg4, %c64_i32 : i32
    %30 = tt.splat %29 : i32 -> tensor<64x256xi32>
    %31:3 = scf.for %arg9 = %c0_i32 to %26 step %c1_i32 iter_args(%arg10 = %cst_0, %arg11 = %17, %arg12 = %24) -> (tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>)  : i32 {
      %46 = tt.addptr %27, %arg11 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %47 = tt.load %46 : tensor<128x64x!tt.ptr<f16>>
      %48 = tt.addptr %28, %arg12 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %49 = tt.load %48 : tensor<64x256x!tt.ptr<f16>>
      %50 = tt.dot %47, %49, %arg10, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %51 = arith.addi %arg11, %cst : tensor<128x64xi32>
      %52 = arith.addi %arg12, %30 : tensor<64x256xi32>
      scf.yield %50, %51, %52 : tensor<128x256xf32>, tensor<128x64xi32>, tensor<64x256xi32>
    }
    %32 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %33 = arith.muli %11, %32 : tensor<128x1xi32>
    %34 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %35 = tt.addptr %34, %33 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %36 = tt.broadcast %35 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %37 = tt.broadcast %21 : tensor<1x256xi32> -> tensor<128x256xi32>
    %38 = tt.addptr %36, %37 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    %39 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %40 = arith.cmpi slt, %11, %39 : tensor<128x1xi32>
    %41 = tt.splat %arg4 : i32 -> tensor<1x256xi32>
    %42 = arith.cmpi slt, %21, %41 : tensor<1x256xi32>
    %43 = tt.broadcast %40 : tensor<128x1xi1> -> tensor<128x256xi1>
    %44 = tt.broadcast %42 : tensor<1x256xi1> -> tensor<128x256xi1>
    %45 = arith.andi %43, %44 : tensor<128x256xi1>
    tt.store %38, %31#0, %45 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @factors(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_stride = 5 : i32}, %arg10: !tt.tensordesc<tensor<256x64xf16>> {tk.map_base = 1 : i32, tk.map_stride = 6 : i32}, %arg11: !tt.tensordesc<tensor<1x128xf32>> {tk.map_base = 3 : i32, tk.map_stride = 8 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c256_i32 : i32
    %7 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %8 = tt.splat %6 : i32 -> tensor<256xi32>
    %9 = arith.addi %8, %7 : tensor<256xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %11 = tt.expand_dims %9 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %12 = arith.addi %arg4, %c63_i32 : i32
    %13 = arith.divsi %12, %c64_i32 : i32
    %14 = scf.for %arg12 = %c0_i32 to %13 step %c1_i32 iter_args(%arg13 = %cst) -> (tensor<128x256xf32>)  : i32 {
      %22 = arith.muli %arg12, %c64_i32 : i32
      %23 = tt.descriptor_load %arg9[%1, %22] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %24 = tt.descriptor_load %arg10[%6, %22] : !tt.tensordesc<tensor<256x64xf16>> -> tensor<256x64xf16>
      %25 = tt.trans %24 {order = array<i32: 1, 0>} : tensor<256x64xf16> -> tensor<64x256xf16>
      %26 = tt.dot %23, %25, %cst, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %27 = tt.descriptor_load %arg11[%arg12, %1] : !tt.tensordesc<tensor<1x128xf32>> -> tensor<128xf32>
      %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %29 = tt.broadcast %28 : tensor<128x1xf32> -> tensor<128x256xf32>
      %30 = arith.mulf %26, %29 : tensor<128x256xf32>
      %31 = arith.addf %arg13, %30 : tensor<128x256xf32>
      scf.yield %31 : tensor<128x256xf32>
    }
    %15 = tt.splat %arg7 : i32 -> tensor<128x1xi32>
    %16 = arith.muli %10, %15 : tensor<128x1xi32>
    %17 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %18 = tt.addptr %17, %16 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %19 = tt.broadcast %18 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x256x!tt.ptr<f32>>
    %20 = tt.broadcast %11 : tensor<1x256xi32> -> tensor<128x256xi32>
    %21 = tt.addptr %19, %20 : tensor<128x256x!tt.ptr<f32>>, tensor<128x256xi32>
    tt.store %21, %14 : tensor<128x256x!tt.ptr<f32>>
    tt.return
  }
}

