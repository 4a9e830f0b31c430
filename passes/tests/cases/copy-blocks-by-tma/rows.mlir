// passes: copy-blocks-by-tma,canonicalize,cse
// warps: 8
// stages: 4
module {
  // Numbers of rows are a row of a matrix in each iteration, which ends where the mask says.
  tt.func public @ends(%a_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %row_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %column_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %N: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %K: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_am: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_bn: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_cm: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_rk: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_ck: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf8E4M3FN>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<256x128xf8E4M3FN>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %first_row = arith.muli %0, %c256_i32 : i32
    %1 = tt.get_program_id y : i32
    %first_column = arith.muli %1, %c128_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %first_row : i32 -> tensor<256xi32>
    %rows = arith.addi %3, %2 : tensor<256xi32>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %5 = tt.splat %first_column : i32 -> tensor<128xi32>
    %columns = arith.addi %5, %4 : tensor<128xi32>
    %6 = arith.addi %K, %c127_i32 : i32
    %7 = arith.divsi %6, %c128_i32 : i32
    %8 = tt.splat %M : i32 -> tensor<256xi32>
    %9 = arith.remsi %rows, %8 : tensor<256xi32>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %11 = tt.splat %stride_am : i32 -> tensor<256x1xi32>
    %12 = arith.muli %10, %11 : tensor<256x1xi32>
    %13 = tt.splat %a_ptr : !tt.ptr<f8E4M3FN> -> tensor<256x1x!tt.ptr<f8E4M3FN>>
    %14 = tt.addptr %13, %12 : tensor<256x1x!tt.ptr<f8E4M3FN>>, tensor<256x1xi32>
    %15 = tt.broadcast %14 : tensor<256x1x!tt.ptr<f8E4M3FN>> -> tensor<256x128x!tt.ptr<f8E4M3FN>>
    %16 = tt.splat %K : i32 -> tensor<1x128xi32>
    %17 = tt.splat %N : i32 -> tensor<128xi32>
    %18 = arith.remsi %columns, %17 : tensor<128xi32>
    %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %20 = tt.splat %stride_bn : i32 -> tensor<128x1xi32>
    %21 = arith.muli %19, %20 : tensor<128x1xi32>
    %22 = tt.splat %b_ptr : !tt.ptr<f8E4M3FN> -> tensor<128x1x!tt.ptr<f8E4M3FN>>
    %23 = tt.addptr %22, %21 : tensor<128x1x!tt.ptr<f8E4M3FN>>, tensor<128x1xi32>
    %24 = tt.broadcast %23 : tensor<128x1x!tt.ptr<f8E4M3FN>> -> tensor<128x128x!tt.ptr<f8E4M3FN>>
    %25 = tt.splat %row_scales_ptr : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %26 = tt.addptr %25, %rows : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %27 = arith.cmpi slt, %rows, %8 : tensor<256xi32>
    %total = scf.for %total_3 = %c0_i32 to %7 step %c1_i32 iter_args(%total_4 = %cst_2) -> (tensor<256x128xf32>)  : i32 {
      %43 = arith.muli %total_3, %c128_i32 : i32
      %44 = tt.splat %43 : i32 -> tensor<128xi32>
      %along = arith.addi %44, %4 : tensor<128xi32>
      %45 = tt.expand_dims %along {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %46 = tt.broadcast %45 : tensor<1x128xi32> -> tensor<256x128xi32>
      %47 = tt.addptr %15, %46 : tensor<256x128x!tt.ptr<f8E4M3FN>>, tensor<256x128xi32>
      %48 = arith.cmpi slt, %45, %16 : tensor<1x128xi32>
      %49 = tt.broadcast %48 : tensor<1x128xi1> -> tensor<256x128xi1>
      %a = tt.load %47, %49, %cst_1 : tensor<256x128x!tt.ptr<f8E4M3FN>>
      %50 = tt.broadcast %45 : tensor<1x128xi32> -> tensor<128x128xi32>
      %51 = tt.addptr %24, %50 : tensor<128x128x!tt.ptr<f8E4M3FN>>, tensor<128x128xi32>
      %52 = tt.broadcast %48 : tensor<1x128xi1> -> tensor<128x128xi1>
      %b = tt.load %51, %52, %cst_0 : tensor<128x128x!tt.ptr<f8E4M3FN>>
      %53 = arith.muli %total_3, %stride_rk : i32
      %54 = tt.splat %53 : i32 -> tensor<256xi32>
      %55 = tt.addptr %26, %54 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %row_scales = tt.load %55, %27, %cst : tensor<256x!tt.ptr<f32>>
      %56 = tt.trans %b {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %57 = tt.dot %a, %56, %cst_2, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<256x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<256x128xf32>
      %58 = tt.expand_dims %row_scales {axis = 1 : i32} : tensor<256xf32> -> tensor<256x1xf32>
      %59 = tt.broadcast %58 : tensor<256x1xf32> -> tensor<256x128xf32>
      %product = arith.mulf %57, %59 : tensor<256x128xf32>
      %total_5 = arith.addf %total_4, %product : tensor<256x128xf32>
      scf.yield %total_5 : tensor<256x128xf32>
    }
    %28 = tt.expand_dims %rows {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %29 = tt.splat %stride_cm : i32 -> tensor<256x1xi32>
    %30 = arith.muli %28, %29 : tensor<256x1xi32>
    %31 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<256x1x!tt.ptr<f32>>
    %32 = tt.addptr %31, %30 : tensor<256x1x!tt.ptr<f32>>, tensor<256x1xi32>
    %33 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %34 = tt.broadcast %32 : tensor<256x1x!tt.ptr<f32>> -> tensor<256x128x!tt.ptr<f32>>
    %35 = tt.broadcast %33 : tensor<1x128xi32> -> tensor<256x128xi32>
    %c = tt.addptr %34, %35 : tensor<256x128x!tt.ptr<f32>>, tensor<256x128xi32>
    %36 = tt.splat %M : i32 -> tensor<256x1xi32>
    %37 = arith.cmpi slt, %28, %36 : tensor<256x1xi32>
    %38 = tt.splat %N : i32 -> tensor<1x128xi32>
    %39 = arith.cmpi slt, %33, %38 : tensor<1x128xi32>
    %40 = tt.broadcast %37 : tensor<256x1xi1> -> tensor<256x128xi1>
    %41 = tt.broadcast %39 : tensor<1x128xi1> -> tensor<256x128xi1>
    %42 = arith.andi %40, %41 : tensor<256x128xi1>
    tt.store %c, %total, %42 : tensor<256x128x!tt.ptr<f32>>
    tt.return
  }
  // Without a mask the program asks for nothing outside.
  tt.func public @without_end(%a_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %row_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %column_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %N: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %K: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_am: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_bn: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_cm: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_rk: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_ck: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf8E4M3FN>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<256x128xf8E4M3FN>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %first_row = arith.muli %0, %c256_i32 : i32
    %1 = tt.get_program_id y : i32
    %first_column = arith.muli %1, %c128_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %first_row : i32 -> tensor<256xi32>
    %rows = arith.addi %3, %2 : tensor<256xi32>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %5 = tt.splat %first_column : i32 -> tensor<128xi32>
    %columns = arith.addi %5, %4 : tensor<128xi32>
    %6 = arith.addi %K, %c127_i32 : i32
    %7 = arith.divsi %6, %c128_i32 : i32
    %8 = tt.splat %M : i32 -> tensor<256xi32>
    %9 = arith.remsi %rows, %8 : tensor<256xi32>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %11 = tt.splat %stride_am : i32 -> tensor<256x1xi32>
    %12 = arith.muli %10, %11 : tensor<256x1xi32>
    %13 = tt.splat %a_ptr : !tt.ptr<f8E4M3FN> -> tensor<256x1x!tt.ptr<f8E4M3FN>>
    %14 = tt.addptr %13, %12 : tensor<256x1x!tt.ptr<f8E4M3FN>>, tensor<256x1xi32>
    %15 = tt.broadcast %14 : tensor<256x1x!tt.ptr<f8E4M3FN>> -> tensor<256x128x!tt.ptr<f8E4M3FN>>
    %16 = tt.splat %K : i32 -> tensor<1x128xi32>
    %17 = tt.splat %N : i32 -> tensor<128xi32>
    %18 = arith.remsi %columns, %17 : tensor<128xi32>
    %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %20 = tt.splat %stride_bn : i32 -> tensor<128x1xi32>
    %21 = arith.muli %19, %20 : tensor<128x1xi32>
    %22 = tt.splat %b_ptr : !tt.ptr<f8E4M3FN> -> tensor<128x1x!tt.ptr<f8E4M3FN>>
    %23 = tt.addptr %22, %21 : tensor<128x1x!tt.ptr<f8E4M3FN>>, tensor<128x1xi32>
    %24 = tt.broadcast %23 : tensor<128x1x!tt.ptr<f8E4M3FN>> -> tensor<128x128x!tt.ptr<f8E4M3FN>>
    %total = scf.for %total_2 = %c0_i32 to %7 step %c1_i32 iter_args(%total_3 = %cst_1) -> (tensor<256x128xf32>)  : i32 {
      %40 = arith.muli %total_2, %c128_i32 : i32
      %41 = tt.splat %40 : i32 -> tensor<128xi32>
      %along = arith.addi %41, %4 : tensor<128xi32>
      %42 = tt.expand_dims %along {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %43 = tt.broadcast %42 : tensor<1x128xi32> -> tensor<256x128xi32>
      %44 = tt.addptr %15, %43 : tensor<256x128x!tt.ptr<f8E4M3FN>>, tensor<256x128xi32>
      %45 = arith.cmpi slt, %42, %16 : tensor<1x128xi32>
      %46 = tt.broadcast %45 : tensor<1x128xi1> -> tensor<256x128xi1>
      %a = tt.load %44, %46, %cst_0 : tensor<256x128x!tt.ptr<f8E4M3FN>>
      %47 = tt.broadcast %42 : tensor<1x128xi32> -> tensor<128x128xi32>
      %48 = tt.addptr %24, %47 : tensor<128x128x!tt.ptr<f8E4M3FN>>, tensor<128x128xi32>
      %49 = tt.broadcast %45 : tensor<1x128xi1> -> tensor<128x128xi1>
      %b = tt.load %48, %49, %cst : tensor<128x128x!tt.ptr<f8E4M3FN>>
      %50 = arith.muli %total_2, %stride_rk : i32
      %51 = tt.addptr %row_scales_ptr, %50 : !tt.ptr<f32>, i32
      %52 = tt.splat %51 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %53 = tt.addptr %52, %rows : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %row_scales = tt.load %53 : tensor<256x!tt.ptr<f32>>
      %54 = tt.trans %b {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %55 = tt.dot %a, %54, %cst_1, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<256x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<256x128xf32>
      %56 = tt.expand_dims %row_scales {axis = 1 : i32} : tensor<256xf32> -> tensor<256x1xf32>
      %57 = tt.broadcast %56 : tensor<256x1xf32> -> tensor<256x128xf32>
      %product = arith.mulf %55, %57 : tensor<256x128xf32>
      %total_4 = arith.addf %total_3, %product : tensor<256x128xf32>
      scf.yield %total_4 : tensor<256x128xf32>
    }
    %25 = tt.expand_dims %rows {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %26 = tt.splat %stride_cm : i32 -> tensor<256x1xi32>
    %27 = arith.muli %25, %26 : tensor<256x1xi32>
    %28 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<256x1x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<256x1x!tt.ptr<f32>>, tensor<256x1xi32>
    %30 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %31 = tt.broadcast %29 : tensor<256x1x!tt.ptr<f32>> -> tensor<256x128x!tt.ptr<f32>>
    %32 = tt.broadcast %30 : tensor<1x128xi32> -> tensor<256x128xi32>
    %c = tt.addptr %31, %32 : tensor<256x128x!tt.ptr<f32>>, tensor<256x128xi32>
    %33 = tt.splat %M : i32 -> tensor<256x1xi32>
    %34 = arith.cmpi slt, %25, %33 : tensor<256x1xi32>
    %35 = tt.splat %N : i32 -> tensor<1x128xi32>
    %36 = arith.cmpi slt, %30, %35 : tensor<1x128xi32>
    %37 = tt.broadcast %34 : tensor<256x1xi1> -> tensor<256x128xi1>
    %38 = tt.broadcast %36 : tensor<1x128xi1> -> tensor<256x128xi1>
    %39 = arith.andi %37, %38 : tensor<256x128xi1>
    tt.store %c, %total, %39 : tensor<256x128x!tt.ptr<f32>>
    tt.return
  }
  // A thread has registers for the next product, which is issued ahead: the numbers wait in registers, too.
  tt.func public @products_ahead(%a_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %row_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %column_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %N: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %K: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_am: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_bn: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_cm: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_rk: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_ck: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf8E4M3FN>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %first_row = arith.muli %0, %c128_i32 : i32
    %1 = tt.get_program_id y : i32
    %first_column = arith.muli %1, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %first_row : i32 -> tensor<128xi32>
    %rows = arith.addi %3, %2 : tensor<128xi32>
    %4 = tt.splat %first_column : i32 -> tensor<128xi32>
    %columns = arith.addi %4, %2 : tensor<128xi32>
    %5 = arith.addi %K, %c127_i32 : i32
    %6 = arith.divsi %5, %c128_i32 : i32
    %7 = tt.splat %M : i32 -> tensor<128xi32>
    %8 = arith.remsi %rows, %7 : tensor<128xi32>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %10 = tt.splat %stride_am : i32 -> tensor<128x1xi32>
    %11 = arith.muli %9, %10 : tensor<128x1xi32>
    %12 = tt.splat %a_ptr : !tt.ptr<f8E4M3FN> -> tensor<128x1x!tt.ptr<f8E4M3FN>>
    %13 = tt.addptr %12, %11 : tensor<128x1x!tt.ptr<f8E4M3FN>>, tensor<128x1xi32>
    %14 = tt.broadcast %13 : tensor<128x1x!tt.ptr<f8E4M3FN>> -> tensor<128x128x!tt.ptr<f8E4M3FN>>
    %15 = tt.splat %K : i32 -> tensor<1x128xi32>
    %16 = tt.splat %N : i32 -> tensor<128xi32>
    %17 = arith.remsi %columns, %16 : tensor<128xi32>
    %18 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %19 = tt.splat %stride_bn : i32 -> tensor<128x1xi32>
    %20 = arith.muli %18, %19 : tensor<128x1xi32>
    %21 = tt.splat %b_ptr : !tt.ptr<f8E4M3FN> -> tensor<128x1x!tt.ptr<f8E4M3FN>>
    %22 = tt.addptr %21, %20 : tensor<128x1x!tt.ptr<f8E4M3FN>>, tensor<128x1xi32>
    %23 = tt.broadcast %22 : tensor<128x1x!tt.ptr<f8E4M3FN>> -> tensor<128x128x!tt.ptr<f8E4M3FN>>
    %24 = tt.splat %row_scales_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %25 = tt.addptr %24, %rows : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %26 = arith.cmpi slt, %rows, %7 : tensor<128xi32>
    %total = scf.for %total_2 = %c0_i32 to %6 step %c1_i32 iter_args(%total_3 = %cst_1) -> (tensor<128x128xf32>)  : i32 {
      %42 = arith.muli %total_2, %c128_i32 : i32
      %43 = tt.splat %42 : i32 -> tensor<128xi32>
      %along = arith.addi %43, %2 : tensor<128xi32>
      %44 = tt.expand_dims %along {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %45 = tt.broadcast %44 : tensor<1x128xi32> -> tensor<128x128xi32>
      %46 = tt.addptr %14, %45 : tensor<128x128x!tt.ptr<f8E4M3FN>>, tensor<128x128xi32>
      %47 = arith.cmpi slt, %44, %15 : tensor<1x128xi32>
      %48 = tt.broadcast %47 : tensor<1x128xi1> -> tensor<128x128xi1>
      %a = tt.load %46, %48, %cst_0 : tensor<128x128x!tt.ptr<f8E4M3FN>>
      %49 = tt.addptr %23, %45 : tensor<128x128x!tt.ptr<f8E4M3FN>>, tensor<128x128xi32>
      %b = tt.load %49, %48, %cst_0 : tensor<128x128x!tt.ptr<f8E4M3FN>>
      %50 = arith.muli %total_2, %stride_rk : i32
      %51 = tt.splat %50 : i32 -> tensor<128xi32>
      %52 = tt.addptr %25, %51 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %row_scales = tt.load %52, %26, %cst : tensor<128x!tt.ptr<f32>>
      %53 = tt.trans %b {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %54 = tt.dot %a, %53, %cst_1, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<128x128xf32>
      %55 = tt.expand_dims %row_scales {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %56 = tt.broadcast %55 : tensor<128x1xf32> -> tensor<128x128xf32>
      %product = arith.mulf %54, %56 : tensor<128x128xf32>
      %total_4 = arith.addf %total_3, %product : tensor<128x128xf32>
      scf.yield %total_4 : tensor<128x128xf32>
    }
    %27 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %28 = tt.splat %stride_cm : i32 -> tensor<128x1xi32>
    %29 = arith.muli %27, %28 : tensor<128x1xi32>
    %30 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %31 = tt.addptr %30, %29 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %32 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %33 = tt.broadcast %31 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>
    %34 = tt.broadcast %32 : tensor<1x128xi32> -> tensor<128x128xi32>
    %c = tt.addptr %33, %34 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
    %35 = tt.splat %M : i32 -> tensor<128x1xi32>
    %36 = arith.cmpi slt, %27, %35 : tensor<128x1xi32>
    %37 = tt.splat %N : i32 -> tensor<1x128xi32>
    %38 = arith.cmpi slt, %32, %37 : tensor<1x128xi32>
    %39 = tt.broadcast %36 : tensor<128x1xi1> -> tensor<128x128xi1>
    %40 = tt.broadcast %38 : tensor<1x128xi1> -> tensor<128x128xi1>
    %41 = arith.andi %39, %40 : tensor<128x128xi1>
    tt.store %c, %total, %41 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @ends(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg10: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg11: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg12: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg13: !tt.tensordesc<tensor<256x128xf8E4M3FN>> {tk.map_base = 0 : i32, tk.map_stride = 8 : i32}, %arg14: !tt.tensordesc<tensor<128x128xf8E4M3FN>> {tk.map_base = 1 : i32, tk.map_stride = 9 : i32}, %arg15: !tt.tensordesc<tensor<1x256xf32>> {tk.map_base = 3 : i32, tk.map_columns_parameter = 5 : i32, tk.map_stride = 11 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.muli %2, %c128_i32 : i32
    %4 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %5 = tt.splat %1 : i32 -> tensor<256xi32>
    %6 = arith.addi %5, %4 : tensor<256xi32>
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %8 = tt.splat %3 : i32 -> tensor<128xi32>
    %9 = arith.addi %8, %7 : tensor<128xi32>
    %10 = arith.addi %arg7, %c127_i32 : i32
    %11 = arith.divsi %10, %c128_i32 : i32
    %12 = arith.remsi %1, %arg5 : i32
    %13 = arith.remsi %3, %arg6 : i32
    %14 = scf.for %arg16 = %c0_i32 to %11 step %c1_i32 iter_args(%arg17 = %cst) -> (tensor<256x128xf32>)  : i32 {
      %31 = arith.muli %arg16, %c128_i32 : i32
      %32 = tt.descriptor_load %arg13[%12, %31] : !tt.tensordesc<tensor<256x128xf8E4M3FN>> -> tensor<256x128xf8E4M3FN>
      %33 = tt.descriptor_load %arg14[%13, %31] : !tt.tensordesc<tensor<128x128xf8E4M3FN>> -> tensor<128x128xf8E4M3FN>
      %34 = tt.descriptor_load %arg15[%arg16, %1] : !tt.tensordesc<tensor<1x256xf32>> -> tensor<256xf32>
      %35 = tt.trans %33 {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %36 = tt.dot %32, %35, %cst, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<256x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<256x128xf32>
      %37 = tt.expand_dims %34 {axis = 1 : i32} : tensor<256xf32> -> tensor<256x1xf32>
      %38 = tt.broadcast %37 : tensor<256x1xf32> -> tensor<256x128xf32>
      %39 = arith.mulf %36, %38 : tensor<256x128xf32>
      %40 = arith.addf %arg17, %39 : tensor<256x128xf32>
      scf.yield %40 : tensor<256x128xf32>
    }
    %15 = tt.expand_dims %6 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %16 = tt.splat %arg10 : i32 -> tensor<256x1xi32>
    %17 = arith.muli %15, %16 : tensor<256x1xi32>
    %18 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x1x!tt.ptr<f32>>
    %19 = tt.addptr %18, %17 : tensor<256x1x!tt.ptr<f32>>, tensor<256x1xi32>
    %20 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %21 = tt.broadcast %19 : tensor<256x1x!tt.ptr<f32>> -> tensor<256x128x!tt.ptr<f32>>
    %22 = tt.broadcast %20 : tensor<1x128xi32> -> tensor<256x128xi32>
    %23 = tt.addptr %21, %22 : tensor<256x128x!tt.ptr<f32>>, tensor<256x128xi32>
    %24 = tt.splat %arg5 : i32 -> tensor<256x1xi32>
    %25 = arith.cmpi slt, %15, %24 : tensor<256x1xi32>
    %26 = tt.splat %arg6 : i32 -> tensor<1x128xi32>
    %27 = arith.cmpi slt, %20, %26 : tensor<1x128xi32>
    %28 = tt.broadcast %25 : tensor<256x1xi1> -> tensor<256x128xi1>
    %29 = tt.broadcast %27 : tensor<1x128xi1> -> tensor<256x128xi1>
    %30 = arith.andi %28, %29 : tensor<256x128xi1>
    tt.store %23, %14, %30 : tensor<256x128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @without_end(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg10: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg11: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg12: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg13: !tt.tensordesc<tensor<256x128xf8E4M3FN>> {tk.map_base = 0 : i32, tk.map_stride = 8 : i32}, %arg14: !tt.tensordesc<tensor<128x128xf8E4M3FN>> {tk.map_base = 1 : i32, tk.map_stride = 9 : i32}, %arg15: !tt.tensordesc<tensor<1x256xf32>> {tk.map_base = 3 : i32, tk.map_stride = 11 : i32}) attributes {noinline = false} {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.muli %2, %c128_i32 : i32
    %4 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %5 = tt.splat %1 : i32 -> tensor<256xi32>
    %6 = arith.addi %5, %4 : tensor<256xi32>
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %8 = tt.splat %3 : i32 -> tensor<128xi32>
    %9 = arith.addi %8, %7 : tensor<128xi32>
    %10 = arith.addi %arg7, %c127_i32 : i32
    %11 = arith.divsi %10, %c128_i32 : i32
    %12 = arith.remsi %1, %arg5 : i32
    %13 = arith.remsi %3, %arg6 : i32
    %14 = scf.for %arg16 = %c0_i32 to %11 step %c1_i32 iter_args(%arg17 = %cst) -> (tensor<256x128xf32>)  : i32 {
      %31 = arith.muli %arg16, %c128_i32 : i32
      %32 = tt.descriptor_load %arg13[%12, %31] : !tt.tensordesc<tensor<256x128xf8E4M3FN>> -> tensor<256x128xf8E4M3FN>
      %33 = tt.descriptor_load %arg14[%13, %31] : !tt.tensordesc<tensor<128x128xf8E4M3FN>> -> tensor<128x128xf8E4M3FN>
      %34 = tt.descriptor_load %arg15[%arg16, %1] : !tt.tensordesc<tensor<1x256xf32>> -> tensor<256xf32>
      %35 = tt.trans %33 {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %36 = tt.dot %32, %35, %cst, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<256x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<256x128xf32>
      %37 = tt.expand_dims %34 {axis = 1 : i32} : tensor<256xf32> -> tensor<256x1xf32>
      %38 = tt.broadcast %37 : tensor<256x1xf32> -> tensor<256x128xf32>
      %39 = arith.mulf %36, %38 : tensor<256x128xf32>
      %40 = arith.addf %arg17, %39 : tensor<256x128xf32>
      scf.yield %40 : tensor<256x128xf32>
    }
    %15 = tt.expand_dims %6 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %16 = tt.splat %arg10 : i32 -> tensor<256x1xi32>
    %17 = arith.muli %15, %16 : tensor<256x1xi32>
    %18 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x1x!tt.ptr<f32>>
    %19 = tt.addptr %18, %17 : tensor<256x1x!tt.ptr<f32>>, tensor<256x1xi32>
    %20 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %21 = tt.broadcast %19 : tensor<256x1x!tt.ptr<f32>> -> tensor<256x128x!tt.ptr<f32>>
    %22 = tt.broadcast %20 : tensor<1x128xi32> -> tensor<256x128xi32>
    %23 = tt.addptr %21, %22 : tensor<256x128x!tt.ptr<f32>>, tensor<256x128xi32>
    %24 = tt.splat %arg5 : i32 -> tensor<256x1xi32>
    %25 = arith.cmpi slt, %15, %24 : tensor<256x1xi32>
    %26 = tt.splat %arg6 : i32 -> tensor<1x128xi32>
    %27 = arith.cmpi slt, %20, %26 : tensor<1x128xi32>
    %28 = tt.broadcast %25 : tensor<256x1xi1> -> tensor<256x128xi1>
    %29 = tt.broadcast %27 : tensor<1x128xi1> -> tensor<256x128xi1>
    %30 = arith.andi %28, %29 : tensor<256x128xi1>
    tt.store %23, %14, %30 : tensor<256x128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @products_ahead(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg10: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg11: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg12: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg13: !tt.tensordesc<tensor<128x128xf8E4M3FN>> {tk.map_base = 0 : i32, tk.map_stride = 8 : i32}, %arg14: !tt.tensordesc<tensor<128x128xf8E4M3FN>> {tk.map_base = 1 : i32, tk.map_stride = 9 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.muli %2, %c128_i32 : i32
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %5 = tt.splat %1 : i32 -> tensor<128xi32>
    %6 = arith.addi %5, %4 : tensor<128xi32>
    %7 = tt.splat %3 : i32 -> tensor<128xi32>
    %8 = arith.addi %7, %4 : tensor<128xi32>
    %9 = arith.addi %arg7, %c127_i32 : i32
    %10 = arith.divsi %9, %c128_i32 : i32
    %11 = tt.splat %arg5 : i32 -> tensor<128xi32>
    %12 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %13 = tt.addptr %12, %6 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %14 = arith.cmpi slt, %6, %11 : tensor<128xi32>
    %15 = arith.remsi %1, %arg5 : i32
    %16 = arith.remsi %3, %arg6 : i32
    %17 = scf.for %arg15 = %c0_i32 to %10 step %c1_i32 iter_args(%arg16 = %cst_0) -> (tensor<128x128xf32>)  : i32 {
      %34 = arith.muli %arg15, %c128_i32 : i32
      %35 = tt.descriptor_load %arg13[%15, %34] : !tt.tensordesc<tensor<128x128xf8E4M3FN>> -> tensor<128x128xf8E4M3FN>
      %36 = tt.descriptor_load %arg14[%16, %34] : !tt.tensordesc<tensor<128x128xf8E4M3FN>> -> tensor<128x128xf8E4M3FN>
      %37 = arith.muli %arg15, %arg11 : i32
      %38 = tt.splat %37 : i32 -> tensor<128xi32>
      %39 = tt.addptr %13, %38 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %40 = tt.load %39, %14, %cst : tensor<128x!tt.ptr<f32>>
      %41 = tt.trans %36 {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %42 = tt.dot %35, %41, %cst_0, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<128x128xf32>
      %43 = tt.expand_dims %40 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %44 = tt.broadcast %43 : tensor<128x1xf32> -> tensor<128x128xf32>
      %45 = arith.mulf %42, %44 : tensor<128x128xf32>
      %46 = arith.addf %arg16, %45 : tensor<128x128xf32>
      scf.yield %46 : tensor<128x128xf32>
    }
    %18 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %19 = tt.splat %arg10 : i32 -> tensor<128x1xi32>
    %20 = arith.muli %18, %19 : tensor<128x1xi32>
    %21 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %22 = tt.addptr %21, %20 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %23 = tt.expand_dims %8 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %24 = tt.broadcast %22 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>
    %25 = tt.broadcast %23 : tensor<1x128xi32> -> tensor<128x128xi32>
    %26 = tt.addptr %24, %25 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
    %27 = tt.splat %arg5 : i32 -> tensor<128x1xi32>
    %28 = arith.cmpi slt, %18, %27 : tensor<128x1xi32>
    %29 = tt.splat %arg6 : i32 -> tensor<1x128xi32>
    %30 = arith.cmpi slt, %23, %29 : tensor<1x128xi32>
    %31 = tt.broadcast %28 : tensor<128x1xi1> -> tensor<128x128xi1>
    %32 = tt.broadcast %30 : tensor<1x128xi1> -> tensor<128x128xi1>
    %33 = arith.andi %31, %32 : tensor<128x128xi1>
    tt.store %26, %17, %33 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
}

