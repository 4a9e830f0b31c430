// passes: copy-blocks-by-tma,canonicalize,cse
// warps: 4
// stages: 3
module {
  // Of few rows, which threads compute: B goes alone, for `mma.sync`.
  tt.func public @alone(%x_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %k: i32, %x_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %total = arith.constant dense<0.000000e+00> : tensor<32x128xf32>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<32xf32>
    %cst_2 = arith.constant dense<9.99999974E-6> : tensor<32xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %squares = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %c128_i32 = arith.constant 128 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %rows = arith.addi %3, %2 : tensor<32xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c128_i32 : i32
    %6 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %7 = tt.splat %5 : i32 -> tensor<128xi32>
    %columns = arith.addi %7, %6 : tensor<128xi32>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %9 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %10 = tt.splat %x_stride : i32 -> tensor<32x1xi32>
    %11 = arith.muli %9, %10 : tensor<32x1xi32>
    %12 = tt.splat %x_ptr : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %13 = tt.addptr %12, %11 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %14 = tt.broadcast %13 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %15 = tt.splat %m : i32 -> tensor<32xi32>
    %16 = arith.cmpi slt, %rows, %15 : tensor<32xi32>
    %17 = tt.expand_dims %16 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %18 = tt.splat %k : i32 -> tensor<64xi32>
    %19 = tt.broadcast %17 : tensor<32x1xi1> -> tensor<32x64xi1>
    %squares_4 = scf.for %squares_6 = %c0_i32 to %k step %c64_i32 iter_args(%squares_7 = %squares) -> (tensor<32xf32>)  : i32 {
      %57 = tt.splat %squares_6 : i32 -> tensor<64xi32>
      %depth = arith.addi %57, %8 : tensor<64xi32>
      %58 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %59 = tt.broadcast %58 : tensor<1x64xi32> -> tensor<32x64xi32>
      %60 = tt.addptr %14, %59 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %61 = arith.cmpi slt, %depth, %18 : tensor<64xi32>
      %62 = tt.expand_dims %61 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %63 = tt.broadcast %62 : tensor<1x64xi1> -> tensor<32x64xi1>
      %64 = arith.andi %19, %63 : tensor<32x64xi1>
      %x = tt.load %60, %64, %cst_3 : tensor<32x64x!tt.ptr<f16>>
      %x_8 = arith.extf %x : tensor<32x64xf16> to tensor<32x64xf32>
      %65 = arith.mulf %x_8, %x_8 : tensor<32x64xf32>
      %66 = "tt.reduce"(%65) <{axis = 1 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %67 = arith.addf %arg12, %arg13 : f32
        tt.reduce.return %67 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %squares_9 = arith.addf %squares_7, %66 : tensor<32xf32>
      scf.yield %squares_9 : tensor<32xf32>
    }
    %20 = arith.sitofp %k : i32 to f32
    %21 = tt.splat %20 : f32 -> tensor<32xf32>
    %22 = arith.divf %squares_4, %21 : tensor<32xf32>
    %23 = arith.addf %22, %cst_2 : tensor<32xf32>
    %24 = math.sqrt %23 : tensor<32xf32>
    %factors = arith.divf %cst_1, %24 : tensor<32xf32>
    %25 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %26 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %27 = tt.splat %x_stride : i32 -> tensor<32x1xi32>
    %28 = arith.muli %26, %27 : tensor<32x1xi32>
    %29 = tt.splat %x_ptr : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %30 = tt.addptr %29, %28 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %31 = tt.broadcast %30 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %32 = tt.splat %m : i32 -> tensor<32xi32>
    %33 = arith.cmpi slt, %rows, %32 : tensor<32xi32>
    %34 = tt.expand_dims %33 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %35 = tt.splat %k : i32 -> tensor<64xi32>
    %36 = tt.broadcast %34 : tensor<32x1xi1> -> tensor<32x64xi1>
    %37 = tt.splat %w_ptr : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %38 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %39 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %40 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %41 = tt.broadcast %40 : tensor<1x128xi32> -> tensor<64x128xi32>
    %42 = tt.splat %k : i32 -> tensor<64x1xi32>
    %43 = tt.splat %n : i32 -> tensor<1x128xi32>
    %44 = arith.cmpi slt, %40, %43 : tensor<1x128xi32>
    %45 = tt.broadcast %44 : tensor<1x128xi1> -> tensor<64x128xi1>
    %46 = tt.expand_dims %factors {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %47 = tt.broadcast %46 : tensor<32x1xf32> -> tensor<32x64xf32>
    %total_5 = scf.for %total_6 = %c0_i32 to %k step %c64_i32 iter_args(%total_7 = %total) -> (tensor<32x128xf32>)  : i32 {
      %57 = tt.splat %total_6 : i32 -> tensor<64xi32>
      %depth = arith.addi %57, %25 : tensor<64xi32>
      %58 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %59 = tt.broadcast %58 : tensor<1x64xi32> -> tensor<32x64xi32>
      %60 = tt.addptr %31, %59 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %61 = arith.cmpi slt, %depth, %35 : tensor<64xi32>
      %62 = tt.expand_dims %61 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %63 = tt.broadcast %62 : tensor<1x64xi1> -> tensor<32x64xi1>
      %64 = arith.andi %36, %63 : tensor<32x64xi1>
      %x = tt.load %60, %64, %cst_3 : tensor<32x64x!tt.ptr<f16>>
      %65 = tt.addptr %37, %depth : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %w = tt.load %65, %61, %cst_0 : tensor<64x!tt.ptr<f16>>
      %66 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %67 = arith.muli %66, %38 : tensor<64x1xi32>
      %68 = tt.addptr %39, %67 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %69 = tt.broadcast %68 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x128x!tt.ptr<f16>>
      %70 = tt.addptr %69, %41 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
      %71 = arith.cmpi slt, %66, %42 : tensor<64x1xi32>
      %72 = tt.broadcast %71 : tensor<64x1xi1> -> tensor<64x128xi1>
      %73 = arith.andi %72, %45 : tensor<64x128xi1>
      %b = tt.load %70, %73, %cst : tensor<64x128x!tt.ptr<f16>>
      %74 = arith.extf %x : tensor<32x64xf16> to tensor<32x64xf32>
      %75 = arith.mulf %74, %47 : tensor<32x64xf32>
      %76 = arith.extf %w : tensor<64xf16> to tensor<64xf32>
      %77 = tt.expand_dims %76 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %78 = tt.broadcast %77 : tensor<1x64xf32> -> tensor<32x64xf32>
      %a = arith.mulf %75, %78 : tensor<32x64xf32>
      %79 = arith.truncf %a : tensor<32x64xf32> to tensor<32x64xf16>
      %total_8 = tt.dot %79, %b, %total_7, inputPrecision = tf32 : tensor<32x64xf16> * tensor<64x128xf16> -> tensor<32x128xf32>
      scf.yield %total_8 : tensor<32x128xf32>
    }
    %48 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %49 = tt.splat %c_stride : i32 -> tensor<32x1xi32>
    %50 = arith.muli %48, %49 : tensor<32x1xi32>
    %51 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %52 = tt.addptr %51, %50 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %53 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %54 = tt.broadcast %52 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x128x!tt.ptr<f32>>
    %55 = tt.broadcast %53 : tensor<1x128xi32> -> tensor<32x128xi32>
    %56 = tt.addptr %54, %55 : tensor<32x128x!tt.ptr<f32>>, tensor<32x128xi32>
    tt.store %56, %total_5 : tensor<32x128x!tt.ptr<f32>>
    tt.return
  }
  // B is small: threads copy it.
  tt.func public @small(%x_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %w_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %k: i32, %x_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %total = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<32xf32>
    %cst_2 = arith.constant dense<9.99999974E-6> : tensor<32xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %c0_i32 = arith.constant 0 : i32
    %squares = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %rows = arith.addi %3, %2 : tensor<32xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %7 = tt.splat %5 : i32 -> tensor<64xi32>
    %columns = arith.addi %7, %6 : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %9 = tt.splat %x_stride : i32 -> tensor<32x1xi32>
    %10 = arith.muli %8, %9 : tensor<32x1xi32>
    %11 = tt.splat %x_ptr : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %12 = tt.addptr %11, %10 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %13 = tt.broadcast %12 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %14 = tt.splat %m : i32 -> tensor<32xi32>
    %15 = arith.cmpi slt, %rows, %14 : tensor<32xi32>
    %16 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %17 = tt.splat %k : i32 -> tensor<64xi32>
    %18 = tt.broadcast %16 : tensor<32x1xi1> -> tensor<32x64xi1>
    %squares_4 = scf.for %squares_6 = %c0_i32 to %k step %c64_i32 iter_args(%squares_7 = %squares) -> (tensor<32xf32>)  : i32 {
      %55 = tt.splat %squares_6 : i32 -> tensor<64xi32>
      %depth = arith.addi %55, %6 : tensor<64xi32>
      %56 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %57 = tt.broadcast %56 : tensor<1x64xi32> -> tensor<32x64xi32>
      %58 = tt.addptr %13, %57 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %59 = arith.cmpi slt, %depth, %17 : tensor<64xi32>
      %60 = tt.expand_dims %59 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %61 = tt.broadcast %60 : tensor<1x64xi1> -> tensor<32x64xi1>
      %62 = arith.andi %18, %61 : tensor<32x64xi1>
      %x = tt.load %58, %62, %cst_3 : tensor<32x64x!tt.ptr<f16>>
      %x_8 = arith.extf %x : tensor<32x64xf16> to tensor<32x64xf32>
      %63 = arith.mulf %x_8, %x_8 : tensor<32x64xf32>
      %64 = "tt.reduce"(%63) <{axis = 1 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %65 = arith.addf %arg12, %arg13 : f32
        tt.reduce.return %65 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %squares_9 = arith.addf %squares_7, %64 : tensor<32xf32>
      scf.yield %squares_9 : tensor<32xf32>
    }
    %19 = arith.sitofp %k : i32 to f32
    %20 = tt.splat %19 : f32 -> tensor<32xf32>
    %21 = arith.divf %squares_4, %20 : tensor<32xf32>
    %22 = arith.addf %21, %cst_2 : tensor<32xf32>
    %23 = math.sqrt %22 : tensor<32xf32>
    %factors = arith.divf %cst_1, %23 : tensor<32xf32>
    %24 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %25 = tt.splat %x_stride : i32 -> tensor<32x1xi32>
    %26 = arith.muli %24, %25 : tensor<32x1xi32>
    %27 = tt.splat %x_ptr : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %28 = tt.addptr %27, %26 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %29 = tt.broadcast %28 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %30 = tt.splat %m : i32 -> tensor<32xi32>
    %31 = arith.cmpi slt, %rows, %30 : tensor<32xi32>
    %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %33 = tt.splat %k : i32 -> tensor<64xi32>
    %34 = tt.broadcast %32 : tensor<32x1xi1> -> tensor<32x64xi1>
    %35 = tt.splat %w_ptr : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %36 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %37 = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %38 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %39 = tt.broadcast %38 : tensor<1x64xi32> -> tensor<64x64xi32>
    %40 = tt.splat %k : i32 -> tensor<64x1xi32>
    %41 = tt.splat %n : i32 -> tensor<1x64xi32>
    %42 = arith.cmpi slt, %38, %41 : tensor<1x64xi32>
    %43 = tt.broadcast %42 : tensor<1x64xi1> -> tensor<64x64xi1>
    %44 = tt.expand_dims %factors {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %45 = tt.broadcast %44 : tensor<32x1xf32> -> tensor<32x64xf32>
    %total_5 = scf.for %total_6 = %c0_i32 to %k step %c64_i32 iter_args(%total_7 = %total) -> (tensor<32x64xf32>)  : i32 {
      %55 = tt.splat %total_6 : i32 -> tensor<64xi32>
      %depth = arith.addi %55, %6 : tensor<64xi32>
      %56 = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %57 = tt.broadcast %56 : tensor<1x64xi32> -> tensor<32x64xi32>
      %58 = tt.addptr %29, %57 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %59 = arith.cmpi slt, %depth, %33 : tensor<64xi32>
      %60 = tt.expand_dims %59 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %61 = tt.broadcast %60 : tensor<1x64xi1> -> tensor<32x64xi1>
      %62 = arith.andi %34, %61 : tensor<32x64xi1>
      %x = tt.load %58, %62, %cst_3 : tensor<32x64x!tt.ptr<f16>>
      %63 = tt.addptr %35, %depth : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %w = tt.load %63, %59, %cst_0 : tensor<64x!tt.ptr<f16>>
      %64 = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %65 = arith.muli %64, %36 : tensor<64x1xi32>
      %66 = tt.addptr %37, %65 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %67 = tt.broadcast %66 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %68 = tt.addptr %67, %39 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %69 = arith.cmpi slt, %64, %40 : tensor<64x1xi32>
      %70 = tt.broadcast %69 : tensor<64x1xi1> -> tensor<64x64xi1>
      %71 = arith.andi %70, %43 : tensor<64x64xi1>
      %b = tt.load %68, %71, %cst : tensor<64x64x!tt.ptr<f16>>
      %72 = arith.extf %x : tensor<32x64xf16> to tensor<32x64xf32>
      %73 = arith.mulf %72, %45 : tensor<32x64xf32>
      %74 = arith.extf %w : tensor<64xf16> to tensor<64xf32>
      %75 = tt.expand_dims %74 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %76 = tt.broadcast %75 : tensor<1x64xf32> -> tensor<32x64xf32>
      %a = arith.mulf %73, %76 : tensor<32x64xf32>
      %77 = arith.truncf %a : tensor<32x64xf32> to tensor<32x64xf16>
      %total_8 = tt.dot %77, %b, %total_7, inputPrecision = tf32 : tensor<32x64xf16> * tensor<64x64xf16> -> tensor<32x64xf32>
      scf.yield %total_8 : tensor<32x64xf32>
    }
    %46 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %47 = tt.splat %c_stride : i32 -> tensor<32x1xi32>
    %48 = arith.muli %46, %47 : tensor<32x1xi32>
    %49 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %50 = tt.addptr %49, %48 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %51 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %52 = tt.broadcast %50 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
    %53 = tt.broadcast %51 : tensor<1x64xi32> -> tensor<32x64xi32>
    %54 = tt.addptr %52, %53 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    tt.store %54, %total_5 : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
  // Operands become narrower on the way: they are copied as they are in memory.
  tt.func public @narrowed(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %total = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %rows = arith.addi %3, %2 : tensor<64xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.splat %5 : i32 -> tensor<64xi32>
    %columns = arith.addi %6, %2 : tensor<64xi32>
    %7 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<64x1xi32>
    %10 = arith.muli %8, %9 : tensor<64x1xi32>
    %11 = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %13 = tt.broadcast %12 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x32x!tt.ptr<f32>>
    %14 = tt.splat %m : i32 -> tensor<64xi32>
    %15 = arith.cmpi slt, %rows, %14 : tensor<64xi32>
    %16 = tt.expand_dims %15 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %17 = tt.splat %k : i32 -> tensor<32xi32>
    %18 = tt.broadcast %16 : tensor<64x1xi1> -> tensor<64x32xi1>
    %19 = tt.splat %b_stride : i32 -> tensor<32x1xi32>
    %20 = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %21 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %22 = tt.broadcast %21 : tensor<1x64xi32> -> tensor<32x64xi32>
    %23 = tt.splat %k : i32 -> tensor<32x1xi32>
    %24 = tt.splat %n : i32 -> tensor<1x64xi32>
    %25 = arith.cmpi slt, %21, %24 : tensor<1x64xi32>
    %26 = tt.broadcast %25 : tensor<1x64xi1> -> tensor<32x64xi1>
    %total_1 = scf.for %total_2 = %c0_i32 to %k step %c32_i32 iter_args(%total_3 = %total) -> (tensor<64x64xf32>)  : i32 {
      %36 = tt.splat %total_2 : i32 -> tensor<32xi32>
      %depth = arith.addi %36, %7 : tensor<32xi32>
      %37 = tt.expand_dims %depth {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %38 = tt.broadcast %37 : tensor<1x32xi32> -> tensor<64x32xi32>
      %39 = tt.addptr %13, %38 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
      %40 = arith.cmpi slt, %depth, %17 : tensor<32xi32>
      %41 = tt.expand_dims %40 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %42 = tt.broadcast %41 : tensor<1x32xi1> -> tensor<64x32xi1>
      %43 = arith.andi %18, %42 : tensor<64x32xi1>
      %a = tt.load %39, %43, %cst_0 : tensor<64x32x!tt.ptr<f32>>
      %44 = tt.expand_dims %depth {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %45 = arith.muli %44, %19 : tensor<32x1xi32>
      %46 = tt.addptr %20, %45 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
      %47 = tt.broadcast %46 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
      %48 = tt.addptr %47, %22 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
      %49 = arith.cmpi slt, %44, %23 : tensor<32x1xi32>
      %50 = tt.broadcast %49 : tensor<32x1xi1> -> tensor<32x64xi1>
      %51 = arith.andi %50, %26 : tensor<32x64xi1>
      %b = tt.load %48, %51, %cst : tensor<32x64x!tt.ptr<f32>>
      %b_4 = arith.truncf %b : tensor<32x64xf32> to tensor<32x64xf16>
      %52 = arith.truncf %a : tensor<64x32xf32> to tensor<64x32xf16>
      %total_5 = tt.dot %52, %b_4, %total_3, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %total_5 : tensor<64x64xf32>
    }
    %27 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %28 = tt.splat %c_stride : i32 -> tensor<64x1xi32>
    %29 = arith.muli %27, %28 : tensor<64x1xi32>
    %30 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %31 = tt.addptr %30, %29 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %32 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %33 = tt.broadcast %31 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %34 = tt.broadcast %32 : tensor<1x64xi32> -> tensor<64x64xi32>
    %35 = tt.addptr %33, %34 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %35, %total_1 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
  // Columns of B in memory, which become narrower before they are turned.
  tt.func public @turned(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %total = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %rows = arith.addi %3, %2 : tensor<64xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.splat %5 : i32 -> tensor<64xi32>
    %columns = arith.addi %6, %2 : tensor<64xi32>
    %7 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<64x1xi32>
    %10 = arith.muli %8, %9 : tensor<64x1xi32>
    %11 = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %13 = tt.broadcast %12 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x32x!tt.ptr<f32>>
    %14 = tt.splat %m : i32 -> tensor<64xi32>
    %15 = arith.cmpi slt, %rows, %14 : tensor<64xi32>
    %16 = tt.expand_dims %15 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %17 = tt.splat %k : i32 -> tensor<32xi32>
    %18 = tt.broadcast %16 : tensor<64x1xi1> -> tensor<64x32xi1>
    %19 = tt.expand_dims %columns {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %20 = tt.splat %b_stride : i32 -> tensor<64x1xi32>
    %21 = arith.muli %19, %20 : tensor<64x1xi32>
    %22 = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %23 = tt.addptr %22, %21 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %24 = tt.broadcast %23 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x32x!tt.ptr<f32>>
    %25 = tt.splat %n : i32 -> tensor<64x1xi32>
    %26 = arith.cmpi slt, %19, %25 : tensor<64x1xi32>
    %27 = tt.splat %k : i32 -> tensor<1x32xi32>
    %28 = tt.broadcast %26 : tensor<64x1xi1> -> tensor<64x32xi1>
    %total_0 = scf.for %total_1 = %c0_i32 to %k step %c32_i32 iter_args(%total_2 = %total) -> (tensor<64x64xf32>)  : i32 {
      %38 = tt.splat %total_1 : i32 -> tensor<32xi32>
      %depth = arith.addi %38, %7 : tensor<32xi32>
      %39 = tt.expand_dims %depth {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %40 = tt.broadcast %39 : tensor<1x32xi32> -> tensor<64x32xi32>
      %41 = tt.addptr %13, %40 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
      %42 = arith.cmpi slt, %depth, %17 : tensor<32xi32>
      %43 = tt.expand_dims %42 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %44 = tt.broadcast %43 : tensor<1x32xi1> -> tensor<64x32xi1>
      %45 = arith.andi %18, %44 : tensor<64x32xi1>
      %a = tt.load %41, %45, %cst : tensor<64x32x!tt.ptr<f32>>
      %46 = tt.addptr %24, %40 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
      %47 = arith.cmpi slt, %39, %27 : tensor<1x32xi32>
      %48 = tt.broadcast %47 : tensor<1x32xi1> -> tensor<64x32xi1>
      %49 = arith.andi %28, %48 : tensor<64x32xi1>
      %b = tt.load %46, %49, %cst : tensor<64x32x!tt.ptr<f32>>
      %50 = arith.truncf %b : tensor<64x32xf32> to tensor<64x32xf16>
      %b_3 = tt.trans %50 {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
      %51 = arith.truncf %a : tensor<64x32xf32> to tensor<64x32xf16>
      %total_4 = tt.dot %51, %b_3, %total_2, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %total_4 : tensor<64x64xf32>
    }
    %29 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %30 = tt.splat %c_stride : i32 -> tensor<64x1xi32>
    %31 = arith.muli %29, %30 : tensor<64x1xi32>
    %32 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %33 = tt.addptr %32, %31 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %34 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %35 = tt.broadcast %33 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %36 = tt.broadcast %34 : tensor<1x64xi32> -> tensor<64x64xi32>
    %37 = tt.addptr %35, %36 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %37, %total_0 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
  // The way of A to the product has no room in shared memory.
  tt.func public @crowded(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
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
    %11 = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %13 = tt.broadcast %12 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>
    %14 = tt.splat %m : i32 -> tensor<128xi32>
    %15 = arith.cmpi slt, %rows, %14 : tensor<128xi32>
    %16 = tt.expand_dims %15 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
    %17 = tt.splat %k : i32 -> tensor<128xi32>
    %18 = tt.broadcast %16 : tensor<128x1xi1> -> tensor<128x128xi1>
    %19 = tt.splat %b_stride : i32 -> tensor<128x1xi32>
    %20 = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %21 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %22 = tt.broadcast %21 : tensor<1x64xi32> -> tensor<128x64xi32>
    %23 = tt.splat %k : i32 -> tensor<128x1xi32>
    %24 = tt.splat %n : i32 -> tensor<1x64xi32>
    %25 = arith.cmpi slt, %21, %24 : tensor<1x64xi32>
    %26 = tt.broadcast %25 : tensor<1x64xi1> -> tensor<128x64xi1>
    %total = scf.for %total_1 = %c0_i32 to %k step %c128_i32 iter_args(%total_2 = %cst_0) -> (tensor<128x64xf32>)  : i32 {
      %36 = tt.splat %total_1 : i32 -> tensor<128xi32>
      %depth = arith.addi %36, %2 : tensor<128xi32>
      %37 = tt.expand_dims %depth {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %38 = tt.broadcast %37 : tensor<1x128xi32> -> tensor<128x128xi32>
      %39 = tt.addptr %13, %38 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
      %40 = arith.cmpi slt, %depth, %17 : tensor<128xi32>
      %41 = tt.expand_dims %40 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %42 = tt.broadcast %41 : tensor<1x128xi1> -> tensor<128x128xi1>
      %43 = arith.andi %18, %42 : tensor<128x128xi1>
      %a = tt.load %39, %43, %cst : tensor<128x128x!tt.ptr<f32>>
      %44 = tt.expand_dims %depth {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %45 = arith.muli %44, %19 : tensor<128x1xi32>
      %46 = tt.addptr %20, %45 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
      %47 = tt.broadcast %46 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
      %48 = tt.addptr %47, %22 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
      %49 = arith.cmpi slt, %44, %23 : tensor<128x1xi32>
      %50 = tt.broadcast %49 : tensor<128x1xi1> -> tensor<128x64xi1>
      %51 = arith.andi %50, %26 : tensor<128x64xi1>
      %b = tt.load %48, %51, %cst_0 : tensor<128x64x!tt.ptr<f32>>
      %b_3 = arith.truncf %b : tensor<128x64xf32> to tensor<128x64xf16>
      %52 = arith.truncf %a : tensor<128x128xf32> to tensor<128x128xf16>
      %total_4 = tt.dot %52, %b_3, %total_2, inputPrecision = tf32 : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
      scf.yield %total_4 : tensor<128x64xf32>
    }
    %27 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %28 = tt.splat %c_stride : i32 -> tensor<128x1xi32>
    %29 = arith.muli %27, %28 : tensor<128x1xi32>
    %30 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %31 = tt.addptr %30, %29 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %32 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %33 = tt.broadcast %31 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %34 = tt.broadcast %32 : tensor<1x64xi32> -> tensor<128x64xi32>
    %35 = tt.addptr %33, %34 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %35, %total : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  // Too few rows for a warp group.
  tt.func public @few_rows(%a_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %k: i32, %a_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %b_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %c_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %rows = arith.addi %3, %2 : tensor<32xi32>
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %c64_i32 : i32
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %7 = tt.splat %5 : i32 -> tensor<64xi32>
    %columns = arith.addi %7, %6 : tensor<64xi32>
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %9 = tt.splat %a_stride : i32 -> tensor<32x1xi32>
    %10 = arith.muli %8, %9 : tensor<32x1xi32>
    %11 = tt.splat %a_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %13 = tt.broadcast %12 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %14 = tt.splat %m : i32 -> tensor<32xi32>
    %15 = arith.cmpi slt, %rows, %14 : tensor<32xi32>
    %16 = tt.expand_dims %15 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %17 = tt.splat %k : i32 -> tensor<32xi32>
    %18 = tt.broadcast %16 : tensor<32x1xi1> -> tensor<32x32xi1>
    %19 = tt.splat %b_stride : i32 -> tensor<32x1xi32>
    %20 = tt.splat %b_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %21 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %22 = tt.broadcast %21 : tensor<1x64xi32> -> tensor<32x64xi32>
    %23 = tt.splat %k : i32 -> tensor<32x1xi32>
    %24 = tt.splat %n : i32 -> tensor<1x64xi32>
    %25 = arith.cmpi slt, %21, %24 : tensor<1x64xi32>
    %26 = tt.broadcast %25 : tensor<1x64xi1> -> tensor<32x64xi1>
    %total = scf.for %total_1 = %c0_i32 to %k step %c32_i32 iter_args(%total_2 = %cst_0) -> (tensor<32x64xf32>)  : i32 {
      %36 = tt.splat %total_1 : i32 -> tensor<32xi32>
      %depth = arith.addi %36, %2 : tensor<32xi32>
      %37 = tt.expand_dims %depth {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %38 = tt.broadcast %37 : tensor<1x32xi32> -> tensor<32x32xi32>
      %39 = tt.addptr %13, %38 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
      %40 = arith.cmpi slt, %depth, %17 : tensor<32xi32>
      %41 = tt.expand_dims %40 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %42 = tt.broadcast %41 : tensor<1x32xi1> -> tensor<32x32xi1>
      %43 = arith.andi %18, %42 : tensor<32x32xi1>
      %a = tt.load %39, %43, %cst : tensor<32x32x!tt.ptr<f32>>
      %44 = tt.expand_dims %depth {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %45 = arith.muli %44, %19 : tensor<32x1xi32>
      %46 = tt.addptr %20, %45 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
      %47 = tt.broadcast %46 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
      %48 = tt.addptr %47, %22 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
      %49 = arith.cmpi slt, %44, %23 : tensor<32x1xi32>
      %50 = tt.broadcast %49 : tensor<32x1xi1> -> tensor<32x64xi1>
      %51 = arith.andi %50, %26 : tensor<32x64xi1>
      %b = tt.load %48, %51, %cst_0 : tensor<32x64x!tt.ptr<f32>>
      %b_3 = arith.truncf %b : tensor<32x64xf32> to tensor<32x64xf16>
      %52 = arith.truncf %a : tensor<32x32xf32> to tensor<32x32xf16>
      %total_4 = tt.dot %52, %b_3, %total_2, inputPrecision = tf32 : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
      scf.yield %total_4 : tensor<32x64xf32>
    }
    %27 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %28 = tt.splat %c_stride : i32 -> tensor<32x1xi32>
    %29 = arith.muli %27, %28 : tensor<32x1xi32>
    %30 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %31 = tt.addptr %30, %29 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %32 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %33 = tt.broadcast %31 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
    %34 = tt.broadcast %32 : tensor<1x64xi32> -> tensor<32x64xi32>
    %35 = tt.addptr %33, %34 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    tt.store %35, %total : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @alone(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg6: i32, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg10: !tt.tensordesc<tensor<64x128xf16>> {tk.map_base = 2 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 6 : i32, tk.map_stride = 8 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x128xf32>
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<32xf32>
    %cst_2 = arith.constant dense<9.99999974E-6> : tensor<32xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %c128_i32 = arith.constant 128 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %4 = arith.addi %3, %2 : tensor<32xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c128_i32 : i32
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %8 = tt.splat %6 : i32 -> tensor<128xi32>
    %9 = arith.addi %8, %7 : tensor<128xi32>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %11 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %12 = tt.splat %arg7 : i32 -> tensor<32x1xi32>
    %13 = arith.muli %11, %12 : tensor<32x1xi32>
    %14 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %15 = tt.addptr %14, %13 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %16 = tt.broadcast %15 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %17 = tt.splat %arg4 : i32 -> tensor<32xi32>
    %18 = arith.cmpi slt, %4, %17 : tensor<32xi32>
    %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %20 = tt.splat %arg6 : i32 -> tensor<64xi32>
    %21 = tt.broadcast %19 : tensor<32x1xi1> -> tensor<32x64xi1>
    %22 = scf.for %arg11 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg12 = %cst_4) -> (tensor<32xf32>)  : i32 {
      %41 = tt.splat %arg11 : i32 -> tensor<64xi32>
      %42 = arith.addi %41, %10 : tensor<64xi32>
      %43 = tt.expand_dims %42 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %44 = tt.broadcast %43 : tensor<1x64xi32> -> tensor<32x64xi32>
      %45 = tt.addptr %16, %44 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %46 = arith.cmpi slt, %42, %20 : tensor<64xi32>
      %47 = tt.expand_dims %46 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %48 = tt.broadcast %47 : tensor<1x64xi1> -> tensor<32x64xi1>
      %49 = arith.andi %21, %48 : tensor<32x64xi1>
      %50 = tt.load %45, %49, %cst_3 : tensor<32x64x!tt.ptr<f16>>
      %51 = arith.extf %50 : tensor<32x64xf16> to tensor<32x64xf32>
      %52 = arith.mulf %51, %51 : tensor<32x64xf32>
      %53 = "tt.reduce"(%52) <{axis = 1 : i32}> ({
      ^bb0(%arg13: f32, %arg14: f32):
        %55 = arith.addf %arg13, %arg14 : f32
        tt.reduce.return %55 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %54 = arith.addf %arg12, %53 : tensor<32xf32>
      scf.yield %54 : tensor<32xf32>
    }
    %23 = arith.sitofp %arg6 : i32 to f32
    %24 = tt.splat %23 : f32 -> tensor<32xf32>
    %25 = arith.divf %22, %24 : tensor<32xf32>
    %26 = arith.addf %25, %cst_2 : tensor<32xf32>
    %27 = math.sqrt %26 : tensor<32xf32>
    %28 = arith.divf %cst_1, %27 : tensor<32xf32>
    %29 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %30 = tt.expand_dims %28 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %31 = tt.broadcast %30 : tensor<32x1xf32> -> tensor<32x64xf32>
    %32 = scf.for %arg11 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg12 = %cst_0) -> (tensor<32x128xf32>)  : i32 {
      %41 = tt.splat %arg11 : i32 -> tensor<64xi32>
      %42 = arith.addi %41, %10 : tensor<64xi32>
      %43 = tt.expand_dims %42 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %44 = tt.broadcast %43 : tensor<1x64xi32> -> tensor<32x64xi32>
      %45 = tt.addptr %16, %44 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %46 = arith.cmpi slt, %42, %20 : tensor<64xi32>
      %47 = tt.expand_dims %46 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %48 = tt.broadcast %47 : tensor<1x64xi1> -> tensor<32x64xi1>
      %49 = arith.andi %21, %48 : tensor<32x64xi1>
      %50 = tt.load %45, %49, %cst_3 : tensor<32x64x!tt.ptr<f16>>
      %51 = tt.addptr %29, %42 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %52 = tt.load %51, %46, %cst : tensor<64x!tt.ptr<f16>>
      %53 = tt.descriptor_load %arg10[%arg11, %6] : !tt.tensordesc<tensor<64x128xf16>> -> tensor<64x128xf16>
      %54 = arith.extf %50 : tensor<32x64xf16> to tensor<32x64xf32>
      %55 = arith.mulf %54, %31 : tensor<32x64xf32>
      %56 = arith.extf %52 : tensor<64xf16> to tensor<64xf32>
      %57 = tt.expand_dims %56 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %58 = tt.broadcast %57 : tensor<1x64xf32> -> tensor<32x64xf32>
      %59 = arith.mulf %55, %58 : tensor<32x64xf32>
      %60 = arith.truncf %59 : tensor<32x64xf32> to tensor<32x64xf16>
      %61 = tt.dot %60, %53, %arg12, inputPrecision = tf32 : tensor<32x64xf16> * tensor<64x128xf16> -> tensor<32x128xf32>
      scf.yield %61 : tensor<32x128xf32>
    }
    %33 = tt.splat %arg9 : i32 -> tensor<32x1xi32>
    %34 = arith.muli %11, %33 : tensor<32x1xi32>
    %35 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %36 = tt.addptr %35, %34 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %37 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %38 = tt.broadcast %36 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x128x!tt.ptr<f32>>
    %39 = tt.broadcast %37 : tensor<1x128xi32> -> tensor<32x128xi32>
    %40 = tt.addptr %38, %39 : tensor<32x128x!tt.ptr<f32>>, tensor<32x128xi32>
    tt.store %40, %32 : tensor<32x128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @small(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg6: i32, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<32xf32>
    %cst_3 = arith.constant dense<9.99999974E-6> : tensor<32xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %c0_i32 = arith.constant 0 : i32
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<32xf32>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %4 = arith.addi %3, %2 : tensor<32xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %11 = tt.splat %arg7 : i32 -> tensor<32x1xi32>
    %12 = arith.muli %10, %11 : tensor<32x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %14 = tt.addptr %13, %12 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %15 = tt.broadcast %14 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %16 = tt.splat %arg4 : i32 -> tensor<32xi32>
    %17 = arith.cmpi slt, %4, %16 : tensor<32xi32>
    %18 = tt.expand_dims %17 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %19 = tt.splat %arg6 : i32 -> tensor<64xi32>
    %20 = tt.broadcast %18 : tensor<32x1xi1> -> tensor<32x64xi1>
    %21 = scf.for %arg10 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg11 = %cst_5) -> (tensor<32xf32>)  : i32 {
      %47 = tt.splat %arg10 : i32 -> tensor<64xi32>
      %48 = arith.addi %47, %7 : tensor<64xi32>
      %49 = tt.expand_dims %48 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %50 = tt.broadcast %49 : tensor<1x64xi32> -> tensor<32x64xi32>
      %51 = tt.addptr %15, %50 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %52 = arith.cmpi slt, %48, %19 : tensor<64xi32>
      %53 = tt.expand_dims %52 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %54 = tt.broadcast %53 : tensor<1x64xi1> -> tensor<32x64xi1>
      %55 = arith.andi %20, %54 : tensor<32x64xi1>
      %56 = tt.load %51, %55, %cst_4 : tensor<32x64x!tt.ptr<f16>>
      %57 = arith.extf %56 : tensor<32x64xf16> to tensor<32x64xf32>
      %58 = arith.mulf %57, %57 : tensor<32x64xf32>
      %59 = "tt.reduce"(%58) <{axis = 1 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %61 = arith.addf %arg12, %arg13 : f32
        tt.reduce.return %61 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %60 = arith.addf %arg11, %59 : tensor<32xf32>
      scf.yield %60 : tensor<32xf32>
    }
    %22 = arith.sitofp %arg6 : i32 to f32
    %23 = tt.splat %22 : f32 -> tensor<32xf32>
    %24 = arith.divf %21, %23 : tensor<32xf32>
    %25 = arith.addf %24, %cst_3 : tensor<32xf32>
    %26 = math.sqrt %25 : tensor<32xf32>
    %27 = arith.divf %cst_2, %26 : tensor<32xf32>
    %28 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %29 = tt.splat %arg8 : i32 -> tensor<64x1xi32>
    %30 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %31 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %32 = tt.broadcast %31 : tensor<1x64xi32> -> tensor<64x64xi32>
    %33 = tt.splat %arg6 : i32 -> tensor<64x1xi32>
    %34 = tt.splat %arg5 : i32 -> tensor<1x64xi32>
    %35 = arith.cmpi slt, %31, %34 : tensor<1x64xi32>
    %36 = tt.broadcast %35 : tensor<1x64xi1> -> tensor<64x64xi1>
    %37 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %38 = tt.broadcast %37 : tensor<32x1xf32> -> tensor<32x64xf32>
    %39 = scf.for %arg10 = %c0_i32 to %arg6 step %c64_i32 iter_args(%arg11 = %cst_1) -> (tensor<32x64xf32>)  : i32 {
      %47 = tt.splat %arg10 : i32 -> tensor<64xi32>
      %48 = arith.addi %47, %7 : tensor<64xi32>
      %49 = tt.expand_dims %48 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %50 = tt.broadcast %49 : tensor<1x64xi32> -> tensor<32x64xi32>
      %51 = tt.addptr %15, %50 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %52 = arith.cmpi slt, %48, %19 : tensor<64xi32>
      %53 = tt.expand_dims %52 {axis = 0 : i32} : tensor<64xi1> -> tensor<1x64xi1>
      %54 = tt.broadcast %53 : tensor<1x64xi1> -> tensor<32x64xi1>
      %55 = arith.andi %20, %54 : tensor<32x64xi1>
      %56 = tt.load %51, %55, %cst_4 : tensor<32x64x!tt.ptr<f16>>
      %57 = tt.addptr %28, %48 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %58 = tt.load %57, %52, %cst_0 : tensor<64x!tt.ptr<f16>>
      %59 = tt.expand_dims %48 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %60 = arith.muli %59, %29 : tensor<64x1xi32>
      %61 = tt.addptr %30, %60 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %62 = tt.broadcast %61 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %63 = tt.addptr %62, %32 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %64 = arith.cmpi slt, %59, %33 : tensor<64x1xi32>
      %65 = tt.broadcast %64 : tensor<64x1xi1> -> tensor<64x64xi1>
      %66 = arith.andi %65, %36 : tensor<64x64xi1>
      %67 = tt.load %63, %66, %cst : tensor<64x64x!tt.ptr<f16>>
      %68 = arith.extf %56 : tensor<32x64xf16> to tensor<32x64xf32>
      %69 = arith.mulf %68, %38 : tensor<32x64xf32>
      %70 = arith.extf %58 : tensor<64xf16> to tensor<64xf32>
      %71 = tt.expand_dims %70 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %72 = tt.broadcast %71 : tensor<1x64xf32> -> tensor<32x64xf32>
      %73 = arith.mulf %69, %72 : tensor<32x64xf32>
      %74 = arith.truncf %73 : tensor<32x64xf32> to tensor<32x64xf16>
      %75 = tt.dot %74, %67, %arg11, inputPrecision = tf32 : tensor<32x64xf16> * tensor<64x64xf16> -> tensor<32x64xf32>
      scf.yield %75 : tensor<32x64xf32>
    }
    %40 = tt.splat %arg9 : i32 -> tensor<32x1xi32>
    %41 = arith.muli %10, %40 : tensor<32x1xi32>
    %42 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %43 = tt.addptr %42, %41 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %44 = tt.broadcast %43 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
    %45 = tt.broadcast %31 : tensor<1x64xi32> -> tensor<32x64xi32>
    %46 = tt.addptr %44, %45 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    tt.store %46, %39 : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @narrowed(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<64x32xf32>> {tk.map_base = 0 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<32x64xf32>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 4 : i32, tk.map_rows_parameter = 5 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %2 : tensor<64xi32>
    %9 = scf.for %arg11 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg12 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %19 = tt.descriptor_load %arg9[%1, %arg11] : !tt.tensordesc<tensor<64x32xf32>> -> tensor<64x32xf32>
      %20 = tt.descriptor_load %arg10[%arg11, %6] : !tt.tensordesc<tensor<32x64xf32>> -> tensor<32x64xf32>
      %21 = arith.truncf %20 : tensor<32x64xf32> to tensor<32x64xf16>
      %22 = arith.truncf %19 : tensor<64x32xf32> to tensor<64x32xf16>
      %23 = tt.dot %22, %21, %arg12, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %23 : tensor<64x64xf32>
    }
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %11 = tt.splat %arg8 : i32 -> tensor<64x1xi32>
    %12 = arith.muli %10, %11 : tensor<64x1xi32>
    %13 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %15 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %16 = tt.broadcast %14 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %17 = tt.broadcast %15 : tensor<1x64xi32> -> tensor<64x64xi32>
    %18 = tt.addptr %16, %17 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %18, %9 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @turned(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg9: !tt.tensordesc<tensor<64x32xf32>> {tk.map_base = 0 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<64x32xf32>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 5 : i32, tk.map_rows_parameter = 4 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %2 : tensor<64xi32>
    %9 = scf.for %arg11 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg12 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %19 = tt.descriptor_load %arg9[%1, %arg11] : !tt.tensordesc<tensor<64x32xf32>> -> tensor<64x32xf32>
      %20 = tt.descriptor_load %arg10[%6, %arg11] : !tt.tensordesc<tensor<64x32xf32>> -> tensor<64x32xf32>
      %21 = arith.truncf %20 : tensor<64x32xf32> to tensor<64x32xf16>
      %22 = tt.trans %21 {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
      %23 = arith.truncf %19 : tensor<64x32xf32> to tensor<64x32xf16>
      %24 = tt.dot %23, %22, %arg12, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %24 : tensor<64x64xf32>
    }
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %11 = tt.splat %arg8 : i32 -> tensor<64x1xi32>
    %12 = arith.muli %10, %11 : tensor<64x1xi32>
    %13 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %15 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %16 = tt.broadcast %14 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %17 = tt.broadcast %15 : tensor<1x64xi32> -> tensor<64x64xi32>
    %18 = tt.addptr %16, %17 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %18, %9 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @crowded(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
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
    %13 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %15 = tt.broadcast %14 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>
    %16 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %17 = arith.cmpi slt, %4, %16 : tensor<128xi32>
    %18 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
    %19 = tt.splat %arg5 : i32 -> tensor<128xi32>
    %20 = tt.broadcast %18 : tensor<128x1xi1> -> tensor<128x128xi1>
    %21 = tt.splat %arg7 : i32 -> tensor<128x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %23 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %24 = tt.broadcast %23 : tensor<1x64xi32> -> tensor<128x64xi32>
    %25 = tt.splat %arg5 : i32 -> tensor<128x1xi32>
    %26 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %27 = arith.cmpi slt, %23, %26 : tensor<1x64xi32>
    %28 = tt.broadcast %27 : tensor<1x64xi1> -> tensor<128x64xi1>
    %29 = scf.for %arg9 = %c0_i32 to %arg5 step %c128_i32 iter_args(%arg10 = %cst_0) -> (tensor<128x64xf32>)  : i32 {
      %36 = tt.splat %arg9 : i32 -> tensor<128xi32>
      %37 = arith.addi %36, %2 : tensor<128xi32>
      %38 = tt.expand_dims %37 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %39 = tt.broadcast %38 : tensor<1x128xi32> -> tensor<128x128xi32>
      %40 = tt.addptr %15, %39 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
      %41 = arith.cmpi slt, %37, %19 : tensor<128xi32>
      %42 = tt.expand_dims %41 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %43 = tt.broadcast %42 : tensor<1x128xi1> -> tensor<128x128xi1>
      %44 = arith.andi %20, %43 : tensor<128x128xi1>
      %45 = tt.load %40, %44, %cst : tensor<128x128x!tt.ptr<f32>>
      %46 = tt.expand_dims %37 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %47 = arith.muli %46, %21 : tensor<128x1xi32>
      %48 = tt.addptr %22, %47 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
      %49 = tt.broadcast %48 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
      %50 = tt.addptr %49, %24 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
      %51 = arith.cmpi slt, %46, %25 : tensor<128x1xi32>
      %52 = tt.broadcast %51 : tensor<128x1xi1> -> tensor<128x64xi1>
      %53 = arith.andi %52, %28 : tensor<128x64xi1>
      %54 = tt.load %50, %53, %cst_0 : tensor<128x64x!tt.ptr<f32>>
      %55 = arith.truncf %54 : tensor<128x64xf32> to tensor<128x64xf16>
      %56 = arith.truncf %45 : tensor<128x128xf32> to tensor<128x128xf16>
      %57 = tt.dot %56, %55, %arg10, inputPrecision = tf32 : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
      scf.yield %57 : tensor<128x64xf32>
    }
    %30 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %31 = arith.muli %10, %30 : tensor<128x1xi32>
    %32 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %33 = tt.addptr %32, %31 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %34 = tt.broadcast %33 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x64x!tt.ptr<f32>>
    %35 = tt.addptr %34, %24 : tensor<128x64x!tt.ptr<f32>>, tensor<128x64xi32>
    tt.store %35, %29 : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @few_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = tt.splat %1 : i32 -> tensor<32xi32>
    %4 = arith.addi %3, %2 : tensor<32xi32>
    %5 = tt.get_program_id y : i32
    %6 = arith.muli %5, %c64_i32 : i32
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.splat %6 : i32 -> tensor<64xi32>
    %9 = arith.addi %8, %7 : tensor<64xi32>
    %10 = tt.expand_dims %4 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %11 = tt.splat %arg6 : i32 -> tensor<32x1xi32>
    %12 = arith.muli %10, %11 : tensor<32x1xi32>
    %13 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %15 = tt.broadcast %14 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x32x!tt.ptr<f32>>
    %16 = tt.splat %arg3 : i32 -> tensor<32xi32>
    %17 = arith.cmpi slt, %4, %16 : tensor<32xi32>
    %18 = tt.expand_dims %17 {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
    %19 = tt.splat %arg5 : i32 -> tensor<32xi32>
    %20 = tt.broadcast %18 : tensor<32x1xi1> -> tensor<32x32xi1>
    %21 = tt.splat %arg7 : i32 -> tensor<32x1xi32>
    %22 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %23 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %24 = tt.broadcast %23 : tensor<1x64xi32> -> tensor<32x64xi32>
    %25 = tt.splat %arg5 : i32 -> tensor<32x1xi32>
    %26 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %27 = arith.cmpi slt, %23, %26 : tensor<1x64xi32>
    %28 = tt.broadcast %27 : tensor<1x64xi1> -> tensor<32x64xi1>
    %29 = scf.for %arg9 = %c0_i32 to %arg5 step %c32_i32 iter_args(%arg10 = %cst_0) -> (tensor<32x64xf32>)  : i32 {
      %36 = tt.splat %arg9 : i32 -> tensor<32xi32>
      %37 = arith.addi %36, %2 : tensor<32xi32>
      %38 = tt.expand_dims %37 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %39 = tt.broadcast %38 : tensor<1x32xi32> -> tensor<32x32xi32>
      %40 = tt.addptr %15, %39 : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
      %41 = arith.cmpi slt, %37, %19 : tensor<32xi32>
      %42 = tt.expand_dims %41 {axis = 0 : i32} : tensor<32xi1> -> tensor<1x32xi1>
      %43 = tt.broadcast %42 : tensor<1x32xi1> -> tensor<32x32xi1>
      %44 = arith.andi %20, %43 : tensor<32x32xi1>
      %45 = tt.load %40, %44, %cst : tensor<32x32x!tt.ptr<f32>>
      %46 = tt.expand_dims %37 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %47 = arith.muli %46, %21 : tensor<32x1xi32>
      %48 = tt.addptr %22, %47 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
      %49 = tt.broadcast %48 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
      %50 = tt.addptr %49, %24 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
      %51 = arith.cmpi slt, %46, %25 : tensor<32x1xi32>
      %52 = tt.broadcast %51 : tensor<32x1xi1> -> tensor<32x64xi1>
      %53 = arith.andi %52, %28 : tensor<32x64xi1>
      %54 = tt.load %50, %53, %cst_0 : tensor<32x64x!tt.ptr<f32>>
      %55 = arith.truncf %54 : tensor<32x64xf32> to tensor<32x64xf16>
      %56 = arith.truncf %45 : tensor<32x32xf32> to tensor<32x32xf16>
      %57 = tt.dot %56, %55, %arg10, inputPrecision = tf32 : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
      scf.yield %57 : tensor<32x64xf32>
    }
    %30 = tt.splat %arg8 : i32 -> tensor<32x1xi32>
    %31 = arith.muli %10, %30 : tensor<32x1xi32>
    %32 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %33 = tt.addptr %32, %31 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %34 = tt.broadcast %33 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
    %35 = tt.addptr %34, %24 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    tt.store %35, %29 : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
}

