// passes: copy-blocks-by-tma,canonicalize,cse
// warps: 8
module {
  // Masks that are computed anew: the maps end where they say. The loop counts to `k`, so that it is positive where anything is copied.
  tt.func public @recomputed(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c0_i32 = arith.constant 0 : i32
    %total = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %7 = tt.splat %5 : i32 -> tensor<64xi32>
    %columns = arith.addi %7, %6 : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %12 = tt.addptr %11, %10 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %13 = tt.broadcast %12 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %14 = tt.splat %m : i32 -> tensor<128xi32>
    %15 = arith.cmpi slt, %rows, %14 : tensor<128xi32>
    %16 = tt.expand_dims %15 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
    %17 = tt.splat %k : i32 -> tensor<64xi32>
    %18 = tt.broadcast %16 : tensor<128x1xi1> -> tensor<128x64xi1>
    %19 = tt.expand_dims %columns {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %20 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %21 = arith.muli %19, %20 : tensor<64x1xi32>
    %22 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %23 = tt.addptr %22, %21 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %24 = tt.broadcast %23 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %25 = tt.splat %n : i32 -> tensor<64x1xi32>
    %26 = arith.cmpi slt, %19, %25 : tensor<64x1xi32>
    %27 = tt.splat %k : i32 -> tensor<1x64xi32>
    %28 = tt.broadcast %26 : tensor<64x1xi1> -> tensor<64x64xi1>
    %total_1 = scf.for %total_2 = %c0_i32 to %k step %c64_i32 iter_args(%total_3 = %total) -> (tensor<128x64xf32>)  : i32 {
      %38 = tt.splat %total_2 : i32 -> tensor<64xi32>
      %depth = arith.addi %38, %6 : tensor<64xi32>
      %39 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %40 = tt.broadcast %39 : tensor<1x64xi32> -> tensor<128x64xi32>
      %41 = tt.addptr %13, %40 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %42 = arith.cmpi slt, %depth, %17 : tensor<64xi32>
      %43 = tt.expand_dims %42 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %44 = tt.broadcast %43 : tensor<1x64xi1> -> tensor<128x64xi1>
      %45 = arith.andi %18, %44 : tensor<128x64xi1>
      %a = tt.load %41, %45, %cst_0 : tensor<128x64x!tt.ptr<f16>>
      %46 = tt.broadcast %39 : tensor<1x64xi32> -> tensor<64x64xi32>
      %47 = tt.addptr %24, %46 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %48 = arith.cmpi sgt, %27, %39 : tensor<1x64xi32>
      %49 = tt.broadcast %48 : tensor<1x64xi1> -> tensor<64x64xi1>
      %50 = arith.andi %28, %49 : tensor<64x64xi1>
      %51 = tt.load %47, %50, %cst : tensor<64x64x!tt.ptr<f16>>
      %b = tt.trans %51 {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %total_4 = tt.dot %a, %b, %total_3, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %total_4 : tensor<128x64xf32>
    }
    %29 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %30 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %31 = arith.muli %29, %30 : tensor<128x1xi32>
    %32 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %33 = tt.addptr %32, %31 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %34 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %35 = tt.broadcast %33 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %36 = tt.broadcast %34 : tensor<1x64xi32> -> tensor<128x64xi32>
    %37 = tt.addptr %35, %36 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %37, %total_1 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  // Offsets that the loop carries, compared with the end of K.
  tt.func public @carried(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64xi32>
    %cst_0 = arith.constant dense<64> : tensor<128x64xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %7 = tt.splat %5 : i32 -> tensor<64xi32>
    %columns = arith.addi %7, %6 : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %12 = tt.addptr %11, %10 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %13 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %14 = tt.broadcast %12 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %15 = tt.broadcast %13 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_ptrs = tt.addptr %14, %15 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %16 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %17 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %18 = arith.muli %16, %17 : tensor<64x1xi32>
    %19 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %20 = tt.broadcast %18 : tensor<64x1xi32> -> tensor<64x64xi32>
    %21 = tt.broadcast %19 : tensor<1x64xi32> -> tensor<64x64xi32>
    %22 = arith.addi %20, %21 : tensor<64x64xi32>
    %23 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %b_ptrs = tt.addptr %23, %22 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %24 = arith.addi %k, %c63_i32 : i32
    %25 = arith.divsi %24, %c64_i32 : i32
    %26 = tt.splat %m : i32 -> tensor<128x1xi32>
    %27 = arith.cmpi slt, %8, %26 : tensor<128x1xi32>
    %28 = tt.splat %k : i32 -> tensor<1x64xi32>
    %29 = tt.broadcast %27 : tensor<128x1xi1> -> tensor<128x64xi1>
    %30 = tt.splat %k : i32 -> tensor<64x1xi32>
    %31 = tt.splat %n : i32 -> tensor<1x64xi32>
    %32 = arith.cmpi slt, %19, %31 : tensor<1x64xi32>
    %33 = tt.broadcast %32 : tensor<1x64xi1> -> tensor<64x64xi1>
    %34 = arith.muli %b_stride, %c64_i32 : i32
    %35 = tt.splat %34 : i32 -> tensor<64x64xi32>
    %total:4 = scf.for %total_4 = %c0_i32 to %25 step %c1_i32 iter_args(%total_5 = %cst_3, %total_6 = %a_ptrs, %total_7 = %b_ptrs, %total_8 = %6) -> (tensor<128x64xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64xi32>)  : i32 {
      %43 = tt.expand_dims %total_8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %44 = arith.cmpi slt, %43, %28 : tensor<1x64xi32>
      %45 = tt.broadcast %44 : tensor<1x64xi1> -> tensor<128x64xi1>
      %46 = arith.andi %29, %45 : tensor<128x64xi1>
      %a = tt.load %total_6, %46, %cst_2 : tensor<128x64x!tt.ptr<f16>>
      %47 = tt.expand_dims %total_8 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %48 = arith.cmpi slt, %47, %30 : tensor<64x1xi32>
      %49 = tt.broadcast %48 : tensor<64x1xi1> -> tensor<64x64xi1>
      %50 = arith.andi %49, %33 : tensor<64x64xi1>
      %b = tt.load %total_7, %50, %cst_1 : tensor<64x64x!tt.ptr<f16>>
      %51 = tt.dot %a, %b, %total_5, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %a_ptrs_9 = tt.addptr %total_6, %cst_0 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %b_ptrs_10 = tt.addptr %total_7, %35 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %depth = arith.addi %total_8, %cst : tensor<64xi32>
      scf.yield %51, %a_ptrs_9, %b_ptrs_10, %depth : tensor<128x64xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64xi32>
    }
    %36 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %37 = arith.muli %8, %36 : tensor<128x1xi32>
    %38 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %39 = tt.addptr %38, %37 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %40 = tt.broadcast %39 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %41 = tt.broadcast %19 : tensor<1x64xi32> -> tensor<128x64xi32>
    %42 = tt.addptr %40, %41 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %42, %total#0 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  // Columns are no whole blocks, and TMA would take long for those that do not exist: both loads stay.
  tt.func public @remaining(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %7 = tt.splat %5 : i32 -> tensor<64xi32>
    %columns = arith.addi %7, %6 : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %12 = tt.addptr %11, %10 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %13 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %14 = tt.broadcast %12 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %15 = tt.broadcast %13 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_ptrs = tt.addptr %14, %15 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %16 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %17 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %18 = arith.muli %16, %17 : tensor<64x1xi32>
    %19 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %20 = tt.broadcast %18 : tensor<64x1xi32> -> tensor<64x64xi32>
    %21 = tt.broadcast %19 : tensor<1x64xi32> -> tensor<64x64xi32>
    %22 = arith.addi %20, %21 : tensor<64x64xi32>
    %23 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %b_ptrs = tt.addptr %23, %22 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %24 = arith.addi %k, %c63_i32 : i32
    %25 = arith.divsi %24, %c64_i32 : i32
    %26 = tt.splat %m : i32 -> tensor<128x1xi32>
    %27 = arith.cmpi slt, %8, %26 : tensor<128x1xi32>
    %28 = tt.broadcast %27 : tensor<128x1xi1> -> tensor<128x64xi1>
    %29 = tt.splat %n : i32 -> tensor<1x64xi32>
    %30 = arith.cmpi slt, %19, %29 : tensor<1x64xi32>
    %31 = tt.broadcast %30 : tensor<1x64xi1> -> tensor<64x64xi1>
    %32 = arith.muli %b_stride, %c64_i32 : i32
    %33 = tt.splat %32 : i32 -> tensor<64x64xi32>
    %total:4 = scf.for %total_3 = %c0_i32 to %25 step %c1_i32 iter_args(%total_4 = %cst_2, %total_5 = %a_ptrs, %total_6 = %b_ptrs, %total_7 = %k) -> (tensor<128x64xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, i32)  : i32 {
      %41 = tt.splat %total_7 : i32 -> tensor<1x64xi32>
      %42 = arith.cmpi slt, %13, %41 : tensor<1x64xi32>
      %43 = tt.broadcast %42 : tensor<1x64xi1> -> tensor<128x64xi1>
      %44 = arith.andi %28, %43 : tensor<128x64xi1>
      %a = tt.load %total_5, %44, %cst_1 : tensor<128x64x!tt.ptr<f16>>
      %45 = tt.splat %total_7 : i32 -> tensor<64x1xi32>
      %46 = arith.cmpi slt, %16, %45 : tensor<64x1xi32>
      %47 = tt.broadcast %46 : tensor<64x1xi1> -> tensor<64x64xi1>
      %48 = arith.andi %47, %31 : tensor<64x64xi1>
      %b = tt.load %total_6, %48, %cst_0 : tensor<64x64x!tt.ptr<f16>>
      %49 = tt.dot %a, %b, %total_4, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %a_ptrs_8 = tt.addptr %total_5, %cst : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %b_ptrs_9 = tt.addptr %total_6, %33 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %left = arith.subi %total_7, %c64_i32 : i32
      scf.yield %49, %a_ptrs_8, %b_ptrs_9, %left : tensor<128x64xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, i32
    }
    %34 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %35 = arith.muli %8, %34 : tensor<128x1xi32>
    %36 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %37 = tt.addptr %36, %35 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %38 = tt.broadcast %37 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %39 = tt.broadcast %19 : tensor<1x64xi32> -> tensor<128x64xi32>
    %40 = tt.addptr %38, %39 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %40, %total#0 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  // Numbers that are added to the pointers: rows and columns of the blocks. Two transposes in a row are none.
  tt.func public @moved(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32, %n: i32, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %0 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %1 = tt.splat %a_stride : i32 -> tensor<128x1xi32>
    %2 = arith.muli %0, %1 : tensor<128x1xi32>
    %3 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %4 = tt.broadcast %2 : tensor<128x1xi32> -> tensor<128x64xi32>
    %5 = tt.broadcast %3 : tensor<1x64xi32> -> tensor<128x64xi32>
    %a_offsets = arith.addi %4, %5 : tensor<128x64xi32>
    %6 = tt.expand_dims %columns {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %7 = tt.splat %b_stride : i32 -> tensor<1x64xi32>
    %8 = arith.muli %3, %7 : tensor<1x64xi32>
    %9 = tt.broadcast %6 : tensor<64x1xi32> -> tensor<64x64xi32>
    %10 = tt.broadcast %8 : tensor<1x64xi32> -> tensor<64x64xi32>
    %b_offsets = arith.addi %9, %10 : tensor<64x64xi32>
    %11 = arith.addi %k, %c63_i32 : i32
    %12 = arith.divsi %11, %c64_i32 : i32
    %13 = tt.get_program_id x : i32
    %14 = arith.muli %13, %c128_i32 : i32
    %15 = arith.muli %14, %a_stride : i32
    %16 = tt.addptr %a_ptr, %15 : !tt.ptr<f16>, i32
    %17 = tt.get_program_id y : i32
    %18 = arith.muli %17, %c64_i32 : i32
    %19 = arith.muli %18, %b_stride : i32
    %20 = tt.addptr %b_ptr, %19 : !tt.ptr<f16>, i32
    %total = scf.for %total_2 = %c0_i32 to %12 step %c1_i32 iter_args(%total_3 = %cst) -> (tensor<128x64xf32>)  : i32 {
      %36 = arith.muli %total_2, %c64_i32 : i32
      %37 = tt.addptr %16, %36 : !tt.ptr<f16>, i32
      %38 = tt.splat %37 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
      %39 = tt.addptr %38, %a_offsets : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %a = tt.load %39 : tensor<128x64x!tt.ptr<f16>>
      %40 = tt.addptr %20, %36 : !tt.ptr<f16>, i32
      %41 = tt.splat %40 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %42 = tt.addptr %41, %b_offsets : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %b = tt.load %42 : tensor<64x64x!tt.ptr<f16>>
      %43 = tt.dot %a, %b, %total_3, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %43 : tensor<128x64xf32>
    }
    %21 = tt.get_program_id x : i32
    %22 = arith.muli %21, %c128_i32 : i32
    %23 = tt.splat %22 : i32 -> tensor<128xi32>
    %rows_0 = arith.addi %23, %rows : tensor<128xi32>
    %24 = tt.get_program_id y : i32
    %25 = arith.muli %24, %c64_i32 : i32
    %26 = tt.splat %25 : i32 -> tensor<64xi32>
    %columns_1 = arith.addi %26, %columns : tensor<64xi32>
    %27 = tt.expand_dims %rows_0 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %28 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %29 = arith.muli %27, %28 : tensor<128x1xi32>
    %30 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %31 = tt.addptr %30, %29 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %32 = tt.expand_dims %columns_1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %33 = tt.broadcast %31 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %34 = tt.broadcast %32 : tensor<1x64xi32> -> tensor<128x64xi32>
    %35 = tt.addptr %33, %34 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %35, %total : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @recomputed(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<64x64xf16>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 4 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = scf.for %arg11 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg12 = %cst) -> (tensor<128x64xf32>)  : i32 {
      %20 = tt.descriptor_load %arg9[%1, %arg11] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %21 = tt.descriptor_load %arg10[%6, %arg11] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %22 = tt.trans %21 {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %23 = tt.dot %20, %22, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %23 : tensor<128x64xf32>
    }
    %11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %12 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %13 = arith.muli %11, %12 : tensor<128x1xi32>
    %14 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %15 = tt.addptr %14, %13 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %16 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %17 = tt.broadcast %15 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %18 = tt.broadcast %16 : tensor<1x64xi32> -> tensor<128x64xi32>
    %19 = tt.addptr %17, %18 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %19, %10 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @carried(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<64x64xf16>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 4 : i32, tk.map_rows_parameter = 5 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %11 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %12 = arith.addi %arg5, %c63_i32 : i32
    %13 = arith.divsi %12, %c64_i32 : i32
    %14 = scf.for %arg11 = %c0_i32 to %13 step %c1_i32 iter_args(%arg12 = %cst) -> (tensor<128x64xf32>)  : i32 {
      %22 = arith.muli %arg11, %c64_i32 : i32
      %23 = tt.descriptor_load %arg9[%1, %22] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %24 = tt.descriptor_load %arg10[%22, %6] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %25 = tt.dot %23, %24, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %25 : tensor<128x64xf32>
    }
    %15 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %16 = arith.muli %10, %15 : tensor<128x1xi32>
    %17 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %18 = tt.addptr %17, %16 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %19 = tt.broadcast %18 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %20 = tt.broadcast %11 : tensor<1x64xi32> -> tensor<128x64xi32>
    %21 = tt.addptr %19, %20 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %21, %14 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @remaining(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<128x64xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %11 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %12 = arith.muli %10, %11 : tensor<128x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %14 = tt.addptr %13, %12 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %15 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %16 = tt.broadcast %14 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %17 = tt.broadcast %15 : tensor<1x64xi32> -> tensor<128x64xi32>
    %18 = tt.addptr %16, %17 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %19 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %20 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
    %21 = arith.muli %19, %20 : tensor<64x1xi32>
    %22 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %23 = tt.broadcast %21 : tensor<64x1xi32> -> tensor<64x64xi32>
    %24 = tt.broadcast %22 : tensor<1x64xi32> -> tensor<64x64xi32>
    %25 = arith.addi %23, %24 : tensor<64x64xi32>
    %26 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %27 = tt.addptr %26, %25 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %28 = arith.addi %arg5, %c63_i32 : i32
    %29 = arith.divsi %28, %c64_i32 : i32
    %30 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %31 = arith.cmpi slt, %10, %30 : tensor<128x1xi32>
    %32 = tt.broadcast %31 : tensor<128x1xi1> -> tensor<128x64xi1>
    %33 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %34 = arith.cmpi slt, %22, %33 : tensor<1x64xi32>
    %35 = tt.broadcast %34 : tensor<1x64xi1> -> tensor<64x64xi1>
    %36 = arith.muli %arg7, %c64_i32 : i32
    %37 = tt.splat %36 : i32 -> tensor<64x64xi32>
    %38:4 = scf.for %arg9 = %c0_i32 to %29 step %c1_i32 iter_args(%arg10 = %cst_2, %arg11 = %18, %arg12 = %27, %arg13 = %arg5) -> (tensor<128x64xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, i32)  : i32 {
      %46 = tt.splat %arg13 : i32 -> tensor<1x64xi32>
      %47 = arith.cmpi slt, %15, %46 : tensor<1x64xi32>
      %48 = tt.broadcast %47 : tensor<1x64xi1> -> tensor<128x64xi1>
      %49 = arith.andi %32, %48 : tensor<128x64xi1>
      %50 = tt.load %arg11, %49, %cst_1 : tensor<128x64x!tt.ptr<f16>>
      %51 = tt.splat %arg13 : i32 -> tensor<64x1xi32>
      %52 = arith.cmpi slt, %19, %51 : tensor<64x1xi32>
      %53 = tt.broadcast %52 : tensor<64x1xi1> -> tensor<64x64xi1>
      %54 = arith.andi %53, %35 : tensor<64x64xi1>
      %55 = tt.load %arg12, %54, %cst_0 : tensor<64x64x!tt.ptr<f16>>
      %56 = tt.dot %50, %55, %arg10, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %57 = tt.addptr %arg11, %cst : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %58 = tt.addptr %arg12, %37 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %59 = arith.subi %arg13, %c64_i32 : i32
      scf.yield %56, %57, %58, %59 : tensor<128x64xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, i32
    }
    %39 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %40 = arith.muli %10, %39 : tensor<128x1xi32>
    %41 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %42 = tt.addptr %41, %40 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %43 = tt.broadcast %42 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %44 = tt.broadcast %22 : tensor<1x64xi32> -> tensor<128x64xi32>
    %45 = tt.addptr %43, %44 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %45, %38#0 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @moved(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<64x64xf16>> {tk.map_base = 1 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2 = arith.addi %arg5, %c63_i32 : i32
    %3 = arith.divsi %2, %c64_i32 : i32
    %4 = tt.get_program_id x : i32
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %4, %c128_i32 : i32
    %7 = arith.muli %5, %c64_i32 : i32
    %8 = scf.for %arg11 = %c0_i32 to %3 step %c1_i32 iter_args(%arg12 = %cst) -> (tensor<128x64xf32>)  : i32 {
      %22 = arith.muli %arg11, %c64_i32 : i32
      %23 = tt.descriptor_load %arg9[%6, %22] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %24 = tt.descriptor_load %arg10[%7, %22] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %25 = tt.trans %24 {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %26 = tt.dot %23, %25, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      scf.yield %26 : tensor<128x64xf32>
    }
    %9 = tt.splat %6 : i32 -> tensor<128xi32>
    %10 = arith.addi %9, %0 : tensor<128xi32>
    %11 = tt.splat %7 : i32 -> tensor<64xi32>
    %12 = arith.addi %11, %1 : tensor<64xi32>
    %13 = tt.expand_dims %10 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %14 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %15 = arith.muli %13, %14 : tensor<128x1xi32>
    %16 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %17 = tt.addptr %16, %15 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %18 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %19 = tt.broadcast %17 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %20 = tt.broadcast %18 : tensor<1x64xi32> -> tensor<128x64xi32>
    %21 = tt.addptr %19, %20 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %21, %8 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
}

