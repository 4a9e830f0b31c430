// passes: tt,ttg,llvm
module {
  tt.func public @flash(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %cst_3 = arith.constant dense<64> : tensor<64x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = tt.splat %1 : i32 -> tensor<64xi32>
    %4 = arith.addi %3, %2 : tensor<64xi32>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %6 = arith.muli %5, %cst_3 : tensor<64x1xi32>
    %7 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %8 = tt.addptr %7, %6 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %9 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %10 = tt.broadcast %8 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %11 = tt.broadcast %9 : tensor<1x64xi32> -> tensor<64x64xi32>
    %12 = tt.addptr %10, %11 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %13 = tt.load %12 : tensor<64x64x!tt.ptr<f16>>
    %14:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst, %arg9 = %cst_0) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)  : i32 {
      %23 = tt.splat %arg6 : i32 -> tensor<64xi32>
      %24 = arith.addi %23, %2 : tensor<64xi32>
      %25 = tt.expand_dims %24 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %26 = arith.muli %25, %cst_1 : tensor<1x64xi32>
      %27 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>>
      %28 = tt.addptr %27, %26 : tensor<1x64x!tt.ptr<f16>>, tensor<1x64xi32>
      %29 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %30 = tt.broadcast %28 : tensor<1x64x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %31 = tt.broadcast %29 : tensor<64x1xi32> -> tensor<64x64xi32>
      %32 = tt.addptr %30, %31 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %33 = tt.load %32 : tensor<64x64x!tt.ptr<f16>>
      %34 = tt.dot %13, %33, %cst_0, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %35 = tt.splat %arg5 : f32 -> tensor<64x64xf32>
      %36 = arith.mulf %34, %35 : tensor<64x64xf32>
      %37 = "tt.reduce"(%36) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %60 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %60 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %38 = arith.maxnumf %arg7, %37 : tensor<64xf32>
      %39 = tt.expand_dims %38 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %40 = tt.broadcast %39 : tensor<64x1xf32> -> tensor<64x64xf32>
      %41 = arith.subf %36, %40 : tensor<64x64xf32>
      %42 = math.exp2 %41 : tensor<64x64xf32>
      %43 = arith.subf %arg7, %38 : tensor<64xf32>
      %44 = math.exp2 %43 : tensor<64xf32>
      %45 = arith.mulf %arg8, %44 : tensor<64xf32>
      %46 = "tt.reduce"(%42) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %60 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %60 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %47 = arith.addf %45, %46 : tensor<64xf32>
      %48 = tt.expand_dims %44 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %49 = tt.broadcast %48 : tensor<64x1xf32> -> tensor<64x64xf32>
      %50 = arith.mulf %arg9, %49 : tensor<64x64xf32>
      %51 = tt.expand_dims %24 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %52 = arith.muli %51, %cst_3 : tensor<64x1xi32>
      %53 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %54 = tt.addptr %53, %52 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %55 = tt.broadcast %54 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
      %56 = tt.addptr %55, %11 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %57 = tt.load %56 : tensor<64x64x!tt.ptr<f16>>
      %58 = arith.truncf %42 : tensor<64x64xf32> to tensor<64x64xf16>
      %59 = tt.dot %58, %57, %50, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %38, %47, %59 : tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>
    }
    %15 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %16 = tt.addptr %15, %6 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %17 = tt.broadcast %16 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %18 = tt.addptr %17, %11 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %19 = tt.expand_dims %14#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %20 = tt.broadcast %19 : tensor<64x1xf32> -> tensor<64x64xf32>
    %21 = arith.divf %14#2, %20 : tensor<64x64xf32>
    %22 = arith.truncf %21 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.store %18, %22 : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 8192 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @flash(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32, #blocked1>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %6, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %9 = arith.muli %8, %cst : tensor<64x1xi32, #blocked>
    %10 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %11 = tt.addptr %10, %9 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %12 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %13 = tt.broadcast %11 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %14 = tt.broadcast %12 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %15 = tt.addptr %13, %14 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %16 = tt.load %15 {tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
    %17 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #blocked1>
    %18 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %19 = tt.broadcast %18 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %20 = tt.splat %arg5 : f32 -> tensor<64x64xf32, #mma>
    %21 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %22 = ttg.convert_layout %16 {allocation.offset = 0 : i32, allocation.size = 8192 : i32} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %23:3 = scf.for %arg6 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg7 = %cst_0, %arg8 = %cst_3, %arg9 = %cst_2) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>)  : i32 {
      %33 = tt.splat %arg6 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %34 = tt.splat %arg6 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %35 = arith.addi %33, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %36 = arith.addi %34, %2 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %37 = tt.expand_dims %36 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
      %38 = arith.muli %37, %cst_1 : tensor<1x64xi32, #blocked1>
      %39 = tt.addptr %17, %38 : tensor<1x64x!tt.ptr<f16>, #blocked1>, tensor<1x64xi32, #blocked1>
      %40 = tt.broadcast %39 : tensor<1x64x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
      %41 = tt.addptr %40, %19 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %42 = tt.load %41 {tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1>
      gpu.barrier
      %43 = ttg.convert_layout %42 {allocation.offset = 0 : i32, allocation.size = 8192 : i32} : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %44 = tt.dot %22, %43, %cst_2, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %45 = arith.mulf %44, %20 : tensor<64x64xf32, #mma>
      %46 = "tt.reduce"(%45) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %70 = arith.maxnumf %arg10, %arg11 : f32
        tt.reduce.return %70 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %47 = arith.maxnumf %arg7, %46 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %49 = tt.broadcast %48 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %50 = arith.subf %45, %49 : tensor<64x64xf32, #mma>
      %51 = math.exp2 %50 : tensor<64x64xf32, #mma>
      %52 = arith.subf %arg7, %47 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %53 = math.exp2 %52 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %54 = arith.mulf %arg8, %53 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %55 = "tt.reduce"(%51) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %70 = arith.addf %arg10, %arg11 : f32
        tt.reduce.return %70 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %56 = arith.addf %54, %55 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %57 = tt.expand_dims %53 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %58 = tt.broadcast %57 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %59 = arith.mulf %arg9, %58 : tensor<64x64xf32, #mma>
      %60 = tt.expand_dims %35 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
      %61 = arith.muli %60, %cst : tensor<64x1xi32, #blocked>
      %62 = tt.addptr %21, %61 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
      %63 = tt.broadcast %62 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
      %64 = tt.addptr %63, %14 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %65 = tt.load %64 {tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
      %66 = arith.truncf %51 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %67 = ttg.convert_layout %66 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      gpu.barrier
      %68 = ttg.convert_layout %65 {allocation.offset = 0 : i32, allocation.size = 8192 : i32} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %69 = tt.dot %67, %68, %59, inputPrecision = tf32 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %47, %56, %69 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>
    }
    %24 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %25 = tt.addptr %24, %9 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %26 = tt.broadcast %25 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %27 = tt.addptr %26, %14 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %28 = tt.expand_dims %23#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %29 = tt.broadcast %28 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %30 = arith.divf %23#2, %29 : tensor<64x64xf32, #mma>
    %31 = arith.truncf %30 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    gpu.barrier
    %32 = ttg.convert_layout %31 {allocation.offset = 0 : i32, allocation.size = 8192 : i32} : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %27, %32 {tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

