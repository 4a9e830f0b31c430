// passes: tt,ttg,llvm
// stages: 4
// counts: tk.by_step} 1, gpu.barrier 3
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
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 73728 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
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
    %c4_i32 = arith.constant 4 : i32
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
    %25 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %26 = ttg.local_alloc {allocation.offset = 32768 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<4x64x64xf16, #shared1, #smem, mutable>
    %27 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %28 = arith.muli %27, %cst_1 : tensor<1x64xi32, #blocked1>
    %29 = tt.broadcast %28 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %30 = tt.addptr %20, %29 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %31 = ttg.memdesc_index %25[%c0_i32] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %32 = arith.cmpi sgt, %arg4, %c0_i32 : i32
    %33 = tt.splat %32 : i1 -> tensor<64x64xi1, #blocked1>
    %34 = ttg.async_copy_global_to_local %30, %31 mask %33 {contiguity = 8 : i32, tk.behind_loads, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
    %35 = ttg.async_commit_group tokens %34
    %36 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %37 = arith.muli %36, %cst : tensor<64x1xi32, #blocked>
    %38 = tt.broadcast %37 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %39 = tt.addptr %24, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %40 = ttg.memdesc_index %26[%c0_i32] : !ttg.memdesc<4x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %41 = tt.splat %32 : i1 -> tensor<64x64xi1, #blocked>
    %42 = ttg.async_copy_global_to_local %39, %40 mask %41 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared1, #smem, mutable>
    %43 = ttg.async_commit_group tokens %42
    %44 = arith.addi %3, %cst_4 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %45 = arith.addi %2, %cst_5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %46 = tt.expand_dims %45 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %47 = arith.muli %46, %cst_1 : tensor<1x64xi32, #blocked1>
    %48 = tt.broadcast %47 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %49 = tt.addptr %20, %48 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %50 = ttg.memdesc_index %25[%c1_i32] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %51 = arith.cmpi sgt, %arg4, %c64_i32 : i32
    %52 = tt.splat %51 : i1 -> tensor<64x64xi1, #blocked1>
    %53 = ttg.async_copy_global_to_local %49, %50 mask %52 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
    %54 = ttg.async_commit_group tokens %53
    %55 = tt.expand_dims %44 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %56 = arith.muli %55, %cst : tensor<64x1xi32, #blocked>
    %57 = tt.broadcast %56 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %58 = tt.addptr %24, %57 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %59 = ttg.memdesc_index %26[%c1_i32] : !ttg.memdesc<4x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %60 = tt.splat %51 : i1 -> tensor<64x64xi1, #blocked>
    %61 = ttg.async_copy_global_to_local %58, %59 mask %60 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared1, #smem, mutable>
    %62 = ttg.async_commit_group tokens %61
    %63 = arith.subi %arg4, %c128_i32 : i32
    %64 = ttg.local_alloc %16 {allocation.offset = 65536 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
    gpu.barrier
    ttng.fence_async_shared {bCluster = false}
    %65:9 = scf.for %arg6 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg7 = %cst_2, %arg8 = %cst_3, %arg9 = %c-1_i32, %arg10 = %54, %arg11 = %35, %arg12 = %62, %arg13 = %43, %arg14 = %cst_0, %arg15 = %c1_i32) -> (tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32)  : i32 {
      %79 = arith.addi %arg9, %c1_i32 : i32
      %80 = arith.cmpi sge, %79, %c4_i32 : i32
      %81 = arith.select %80, %c0_i32, %79 : i32
      %82 = ttg.memdesc_index %25[%81] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %83 = ttg.async_wait %arg11, %arg13 {num = 2 : i32}
      gpu.barrier
      %84 = ttng.warp_group_dot %64, %82, %cst_2 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared1, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %85 = arith.addi %arg15, %c1_i32 : i32
      %86 = arith.cmpi sge, %85, %c4_i32 : i32
      %87 = arith.select %86, %c0_i32, %85 : i32
      %88 = arith.addi %arg6, %c128_i32 : i32
      %89 = tt.splat %88 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %90 = tt.splat %88 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %91 = arith.addi %89, %3 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %92 = arith.addi %90, %2 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %93 = tt.expand_dims %92 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
      %94 = arith.muli %93, %cst_1 : tensor<1x64xi32, #blocked1>
      %95 = tt.broadcast %94 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
      %96 = tt.addptr %20, %95 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %97 = ttg.memdesc_index %25[%87] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %98 = arith.cmpi slt, %arg6, %63 : i32
      %99 = tt.splat %98 : i1 -> tensor<64x64xi1, #blocked1>
      %100 = ttg.async_copy_global_to_local %96, %97 mask %99 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %101 = ttg.async_commit_group tokens %100
      %102 = tt.expand_dims %91 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
      %103 = arith.muli %102, %cst : tensor<64x1xi32, #blocked>
      %104 = tt.broadcast %103 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
      %105 = tt.addptr %24, %104 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %106 = ttg.memdesc_index %26[%87] : !ttg.memdesc<4x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %107 = tt.splat %98 : i1 -> tensor<64x64xi1, #blocked>
      %108 = ttg.async_copy_global_to_local %105, %106 mask %107 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared1, #smem, mutable>
      %109 = ttg.async_commit_group tokens %108
      %110:4 = ttng.warp_group_dot_wait %84, %64, %82, %arg7 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared1, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, tensor<64x64xf32, #mma>
      %111 = arith.mulf %110#0, %21 : tensor<64x64xf32, #mma>
      %112 = "tt.reduce"(%111) <{axis = 1 : i32}> ({
      ^bb0(%arg16: f32, %arg17: f32):
        %135 = arith.maxnumf %arg16, %arg17 : f32
        tt.reduce.return %135 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %113 = arith.maxnumf %arg14, %112 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %114 = tt.expand_dims %113 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %115 = tt.broadcast %114 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %116 = arith.subf %111, %115 : tensor<64x64xf32, #mma>
      %117 = math.exp2 %116 : tensor<64x64xf32, #mma>
      %118 = arith.subf %arg14, %113 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %119 = math.exp2 %118 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %120 = tt.reshape %117 : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
      %121 = tt.trans %120 {order = array<i32: 0, 2, 1, 3>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x4x8x2xf32, #linear2>
      %122 = tt.reshape %121 : tensor<64x4x8x2xf32, #linear2> -> tensor<64x4x16xf32, #linear>
      %123 = "tt.reduce"(%122) <{axis = 2 : i32}> ({
      ^bb0(%arg16: f32, %arg17: f32):
        %135 = arith.addf %arg16, %arg17 : f32
        tt.reduce.return %135 : f32
      }) : (tensor<64x4x16xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %124 = tt.reshape %119 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %125 = tt.broadcast %124 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %126 = arith.mulf %arg8, %125 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %127 = arith.addf %126, %123 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %128 = tt.expand_dims %119 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %129 = tt.broadcast %128 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %130 = arith.mulf %110#3, %129 : tensor<64x64xf32, #mma>
      %131 = ttg.memdesc_index %26[%81] : !ttg.memdesc<4x64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %132 = arith.truncf %117 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %133 = ttg.convert_layout %132 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %134 = ttng.warp_group_dot %133, %131, %130 {inputPrecision = 0 : i32, isAsync = true, tk.by_step} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      scf.yield %134, %127, %81, %101, %arg10, %109, %arg12, %113, %87 : tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32
    }
    %66 = ttng.warp_group_dot_wait %65#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    %67 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %26 : !ttg.memdesc<4x64x64xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %25 : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>
    %68 = "tt.reduce"(%65#1) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %79 = arith.addf %arg6, %arg7 : f32
      tt.reduce.return %79 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %69 = tt.reshape %68 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %70 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %71 = tt.addptr %70, %9 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %72 = tt.broadcast %71 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %73 = tt.addptr %72, %14 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %74 = tt.expand_dims %69 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %75 = tt.broadcast %74 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %76 = arith.divf %66, %75 : tensor<64x64xf32, #mma>
    %77 = arith.truncf %76 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    gpu.barrier
    %78 = ttg.convert_layout %77 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %73, %78 {tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

