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
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4], [0, 0, 8]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 57344 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @flash(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: f32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_1 = arith.constant dense<64> : tensor<1x64xi32, #blocked1>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_4 = arith.constant dense<64> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_5 = arith.constant dense<64> : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
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
    %17 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %18 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %19 = tt.addptr %18, %17 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %20 = tt.broadcast %19 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg5 : f32 -> tensor<64x64xf32, #mma>
    %22 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #blocked>
    %23 = tt.addptr %22, %12 : tensor<1x64x!tt.ptr<f16>, #blocked>, tensor<1x64xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<1x64x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %25 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %26 = ttg.local_alloc {allocation.offset = 24576 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared1, #smem, mutable>
    %27 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %28 = arith.muli %27, %cst_1 : tensor<1x64xi32, #blocked1>
    %29 = tt.broadcast %28 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %30 = tt.addptr %20, %29 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %31 = ttg.memdesc_index %25[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %32 = arith.cmpi sgt, %arg4, %c0_i32 : i32
    %33 = tt.splat %32 : i1 -> tensor<64x64xi1, #blocked1>
    %34 = ttg.async_copy_global_to_local %30, %31 mask %33 {contiguity = 8 : i32, tk.behind_loads, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
    %35 = ttg.async_commit_group tokens %34
    %36 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %37 = arith.muli %36, %cst : tensor<64x1xi32, #blocked>
    %38 = tt.broadcast %37 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %39 = tt.addptr %24, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %40 = ttg.memdesc_index %26[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %41 = tt.splat %32 : i1 -> tensor<64x64xi1, #blocked>
    %42 = ttg.async_copy_global_to_local %39, %40 mask %41 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared1, #smem, mutable>
    %43 = ttg.async_commit_group tokens %42
    %44 = arith.addi %3, %cst_4 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %45 = arith.addi %2, %cst_5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %46 = tt.expand_dims %45 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %47 = arith.muli %46, %cst_1 : tensor<1x64xi32, #blocked1>
    %48 = tt.broadcast %47 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %49 = tt.addptr %20, %48 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %50 = ttg.memdesc_index %25[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %51 = arith.cmpi sgt, %arg4, %c64_i32 : i32
    %52 = tt.splat %51 : i1 -> tensor<64x64xi1, #blocked1>
    %53 = ttg.async_copy_global_to_local %49, %50 mask %52 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
    %54 = ttg.async_commit_group tokens %53
    %55 = tt.expand_dims %44 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %56 = arith.muli %55, %cst : tensor<64x1xi32, #blocked>
    %57 = tt.broadcast %56 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %58 = tt.addptr %24, %57 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %59 = ttg.memdesc_index %26[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %60 = tt.splat %51 : i1 -> tensor<64x64xi1, #blocked>
    %61 = ttg.async_copy_global_to_local %58, %59 mask %60 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared1, #smem, mutable>
    %62 = ttg.async_commit_group tokens %61
    %63 = arith.subi %arg4, %c128_i32 : i32
    %64 = ttg.async_wait %35, %43 {num = 2 : i32}
    gpu.barrier
    %65 = ttg.local_alloc %16 {allocation.offset = 49152 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
    gpu.barrier
    ttng.fence_async_shared {bCluster = false}
    %66:7 = scf.for %arg6 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_3, %arg9 = %c-1_i32, %arg10 = %54, %arg11 = %62, %arg12 = %cst_0, %arg13 = %c1_i32) -> (tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, !ttg.async.token, !ttg.async.token, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32)  : i32 {
      %80 = arith.addi %arg9, %c1_i32 : i32
      %81 = arith.cmpi sge, %80, %c3_i32 : i32
      %82 = arith.select %81, %c0_i32, %80 : i32
      %83 = ttg.memdesc_index %25[%82] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %84 = ttng.warp_group_dot %65, %83, %cst_2 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared1, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %85:4 = ttng.warp_group_dot_wait %84, %65, %83, %arg7 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared1, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, tensor<64x64xf32, #mma>
      %86 = arith.mulf %85#0, %21 : tensor<64x64xf32, #mma>
      %87 = "tt.reduce"(%86) <{axis = 1 : i32}> ({
      ^bb0(%arg14: f32, %arg15: f32):
        %136 = arith.maxnumf %arg14, %arg15 : f32
        tt.reduce.return %136 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %88 = arith.maxnumf %arg12, %87 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %89 = tt.expand_dims %88 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %90 = tt.broadcast %89 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %91 = arith.subf %86, %90 : tensor<64x64xf32, #mma>
      %92 = math.exp2 %91 : tensor<64x64xf32, #mma>
      %93 = arith.subf %arg12, %88 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %94 = math.exp2 %93 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %95 = tt.reshape %92 : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
      %96 = tt.trans %95 {order = array<i32: 0, 2, 1, 3>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x4x8x2xf32, #linear2>
      %97 = tt.reshape %96 : tensor<64x4x8x2xf32, #linear2> -> tensor<64x4x16xf32, #linear>
      %98 = "tt.reduce"(%97) <{axis = 2 : i32}> ({
      ^bb0(%arg14: f32, %arg15: f32):
        %136 = arith.addf %arg14, %arg15 : f32
        tt.reduce.return %136 : f32
      }) : (tensor<64x4x16xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %99 = tt.reshape %94 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %100 = tt.broadcast %99 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %101 = arith.mulf %arg8, %100 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %102 = arith.addf %101, %98 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %103 = tt.expand_dims %94 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %104 = tt.broadcast %103 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %105 = arith.mulf %85#3, %104 : tensor<64x64xf32, #mma>
      %106 = ttg.memdesc_index %26[%82] : !ttg.memdesc<3x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %107 = arith.truncf %92 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %108 = ttg.convert_layout %107 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %109 = ttng.warp_group_dot %108, %106, %105 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      %110 = arith.addi %arg13, %c1_i32 : i32
      %111 = arith.cmpi sge, %110, %c3_i32 : i32
      %112 = arith.select %111, %c0_i32, %110 : i32
      %113 = arith.addi %arg6, %c128_i32 : i32
      %114 = tt.splat %113 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %115 = tt.splat %113 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %116 = arith.addi %114, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %117 = arith.addi %115, %2 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %118 = tt.expand_dims %117 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
      %119 = arith.muli %118, %cst_1 : tensor<1x64xi32, #blocked1>
      %120 = tt.broadcast %119 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
      %121 = tt.addptr %20, %120 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %122 = ttg.memdesc_index %25[%112] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %123 = arith.cmpi slt, %arg6, %63 : i32
      %124 = tt.splat %123 : i1 -> tensor<64x64xi1, #blocked1>
      %125 = ttg.async_wait %arg10, %arg11 {num = 0 : i32}
      gpu.barrier
      %126 = ttg.async_copy_global_to_local %121, %122 mask %124 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %127 = ttg.async_commit_group tokens %126
      %128 = tt.expand_dims %116 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
      %129 = arith.muli %128, %cst : tensor<64x1xi32, #blocked>
      %130 = tt.broadcast %129 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
      %131 = tt.addptr %24, %130 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %132 = ttg.memdesc_index %26[%112] : !ttg.memdesc<3x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %133 = tt.splat %123 : i1 -> tensor<64x64xi1, #blocked>
      %134 = ttg.async_copy_global_to_local %131, %132 mask %133 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared1, #smem, mutable>
      %135 = ttg.async_commit_group tokens %134
      scf.yield %109, %102, %82, %127, %135, %88, %112 : tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, !ttg.async.token, !ttg.async.token, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32
    }
    %67 = ttng.warp_group_dot_wait %66#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    %68 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %26 : !ttg.memdesc<3x64x64xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %25 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %69 = "tt.reduce"(%66#1) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %80 = arith.addf %arg6, %arg7 : f32
      tt.reduce.return %80 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %70 = tt.reshape %69 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %71 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %72 = tt.addptr %71, %9 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %73 = tt.broadcast %72 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %74 = tt.addptr %73, %14 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %75 = tt.expand_dims %70 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %76 = tt.broadcast %75 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %77 = arith.divf %67, %76 : tensor<64x64xf32, #mma>
    %78 = arith.truncf %77 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    gpu.barrier
    %79 = ttg.convert_layout %78 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %74, %79 {tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

