// passes: tt,ttg,llvm
// stages: 3
// trips: arg7 64
module {
  tt.func public @attn(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: f32, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<128xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %1, %arg5 : i32
    %3 = arith.muli %0, %c128_i32 : i32
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %5 = tt.splat %3 : i32 -> tensor<128xi32>
    %6 = arith.addi %5, %4 : tensor<128xi32>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %8 = tt.addptr %arg0, %2 : !tt.ptr<f16>, i32
    %9 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %10 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %11 = arith.muli %9, %10 : tensor<128x1xi32>
    %12 = tt.splat %8 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %13 = tt.addptr %12, %11 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %14 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %15 = tt.broadcast %13 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %16 = tt.broadcast %14 : tensor<1x64xi32> -> tensor<128x64xi32>
    %17 = tt.addptr %15, %16 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %18 = tt.load %17 : tensor<128x64x!tt.ptr<f16>>
    %19 = tt.addptr %arg1, %2 : !tt.ptr<f16>, i32
    %20 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %21 = tt.splat %arg6 : i32 -> tensor<64x1xi32>
    %22 = arith.muli %20, %21 : tensor<64x1xi32>
    %23 = tt.splat %19 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %24 = tt.addptr %23, %22 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %25 = tt.broadcast %24 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %26 = tt.broadcast %14 : tensor<1x64xi32> -> tensor<64x64xi32>
    %27 = tt.addptr %25, %26 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %28 = tt.addptr %arg2, %2 : !tt.ptr<f16>, i32
    %29 = tt.splat %28 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %30 = tt.addptr %29, %22 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %31 = tt.broadcast %30 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %32 = tt.addptr %31, %26 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %33:5 = scf.for %arg8 = %c0_i32 to %arg7 step %c64_i32 iter_args(%arg9 = %27, %arg10 = %32, %arg11 = %cst_0, %arg12 = %cst, %arg13 = %cst_1) -> (tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>)  : i32 {
      %43 = tt.load %arg9 : tensor<64x64x!tt.ptr<f16>>
      %44 = tt.trans %43 {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %45 = tt.dot %18, %44, %cst_1, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %46 = "tt.reduce"(%45) <{axis = 1 : i32}> ({
      ^bb0(%arg14: f32, %arg15: f32):
        %71 = arith.maxnumf %arg14, %arg15 : f32
        tt.reduce.return %71 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %47 = tt.splat %arg4 : f32 -> tensor<128xf32>
      %48 = arith.mulf %46, %47 : tensor<128xf32>
      %49 = arith.maxnumf %arg11, %48 : tensor<128xf32>
      %50 = tt.splat %arg4 : f32 -> tensor<128x64xf32>
      %51 = arith.mulf %45, %50 : tensor<128x64xf32>
      %52 = tt.expand_dims %49 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %53 = tt.broadcast %52 : tensor<128x1xf32> -> tensor<128x64xf32>
      %54 = arith.subf %51, %53 : tensor<128x64xf32>
      %55 = math.exp2 %54 : tensor<128x64xf32>
      %56 = "tt.reduce"(%55) <{axis = 1 : i32}> ({
      ^bb0(%arg14: f32, %arg15: f32):
        %71 = arith.addf %arg14, %arg15 : f32
        tt.reduce.return %71 : f32
      }) : (tensor<128x64xf32>) -> tensor<128xf32>
      %57 = arith.subf %arg11, %49 : tensor<128xf32>
      %58 = math.exp2 %57 : tensor<128xf32>
      %59 = arith.mulf %arg12, %58 : tensor<128xf32>
      %60 = arith.addf %59, %56 : tensor<128xf32>
      %61 = tt.expand_dims %58 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %62 = tt.broadcast %61 : tensor<128x1xf32> -> tensor<128x64xf32>
      %63 = arith.mulf %arg13, %62 : tensor<128x64xf32>
      %64 = tt.load %arg10 : tensor<64x64x!tt.ptr<f16>>
      %65 = arith.truncf %55 : tensor<128x64xf32> to tensor<128x64xf16>
      %66 = tt.dot %65, %64, %63, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
      %67 = arith.muli %arg6, %c64_i32 : i32
      %68 = tt.splat %67 : i32 -> tensor<64x64xi32>
      %69 = tt.addptr %arg9, %68 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %70 = tt.addptr %arg10, %68 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      scf.yield %69, %70, %49, %60, %66 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<128xf32>, tensor<128xf32>, tensor<128x64xf32>
    }
    %34 = tt.expand_dims %33#3 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %35 = tt.broadcast %34 : tensor<128x1xf32> -> tensor<128x64xf32>
    %36 = arith.divf %33#4, %35 : tensor<128x64xf32>
    %37 = tt.addptr %arg3, %2 : !tt.ptr<f16>, i32
    %38 = tt.splat %37 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %39 = tt.addptr %38, %11 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %40 = tt.broadcast %39 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
    %41 = tt.addptr %40, %16 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %42 = arith.truncf %36 : tensor<128x64xf32> to tensor<128x64xf16>
    tt.store %41, %42 : tensor<128x64x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4], [0, 0, 8], [64, 0, 0]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0], [64, 0, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0], [64, 0, 0, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 65536 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @attn(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: f32, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_3 = arith.constant dense<0> : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %1, %arg5 : i32
    %3 = arith.muli %0, %c128_i32 : i32
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = arith.addi %5, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %9 = tt.addptr %arg0, %2 : !tt.ptr<f16>, i32
    %10 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %11 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %12 = arith.muli %10, %11 : tensor<128x1xi32, #blocked>
    %13 = tt.splat %9 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %14 = tt.addptr %13, %12 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %15 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %16 = tt.broadcast %14 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %17 = tt.broadcast %15 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %18 = tt.addptr %16, %17 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %19 = tt.load %18 {tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked>
    %20 = tt.addptr %arg1, %2 : !tt.ptr<f16>, i32
    %21 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %22 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked>
    %23 = arith.muli %21, %22 : tensor<64x1xi32, #blocked>
    %24 = tt.splat %20 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %25 = tt.addptr %24, %23 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %26 = tt.broadcast %25 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %27 = tt.broadcast %15 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %28 = tt.addptr %26, %27 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %29 = tt.addptr %arg2, %2 : !tt.ptr<f16>, i32
    %30 = tt.splat %29 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %31 = tt.addptr %30, %23 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %32 = tt.broadcast %31 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %33 = tt.addptr %32, %27 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %34 = tt.splat %arg4 : f32 -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %35 = tt.splat %arg4 : f32 -> tensor<128x64xf32, #mma>
    %36 = arith.muli %arg6, %c64_i32 : i32
    %37 = tt.splat %36 : i32 -> tensor<64x64xi32, #blocked>
    %38 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %39 = tt.expand_dims %38 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %40 = arith.cmpi eq, %39, %cst_3 : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %41 = tt.broadcast %40 : tensor<1x4xi1, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>
    %42 = arith.select %41, %cst_2, %cst_1 : tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %43 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %44 = ttg.local_alloc {allocation.offset = 24576 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %45 = ttg.memdesc_index %43[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %46 = arith.cmpi sgt, %arg7, %c0_i32 : i32
    %47 = tt.splat %46 : i1 -> tensor<64x64xi1, #blocked>
    %48 = ttg.async_copy_global_to_local %28, %45 mask %47 {contiguity = 8 : i32, tk.behind_loads, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %49 = ttg.async_commit_group tokens %48
    %50 = ttg.memdesc_index %44[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %51 = ttg.async_copy_global_to_local %33, %50 mask %47 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %52 = ttg.async_commit_group tokens %51
    %53 = tt.addptr %28, %37 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %54 = tt.addptr %33, %37 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %55 = ttg.memdesc_index %43[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %56 = arith.cmpi sgt, %arg7, %c64_i32 : i32
    %57 = tt.splat %56 : i1 -> tensor<64x64xi1, #blocked>
    %58 = ttg.async_copy_global_to_local %53, %55 mask %57 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %59 = ttg.async_commit_group tokens %58
    %60 = ttg.memdesc_index %44[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %61 = ttg.async_copy_global_to_local %54, %60 mask %57 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %62 = ttg.async_commit_group tokens %61
    %63 = tt.addptr %53, %37 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %64 = tt.addptr %54, %37 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %65 = arith.subi %arg7, %c128_i32 : i32
    %66 = ttg.async_wait %49, %52 {num = 2 : i32}
    gpu.barrier
    %67 = ttg.local_alloc %19 {allocation.offset = 49152 : i32, tk.allocation_size = 16384 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    gpu.barrier
    ttng.fence_async_shared {bCluster = false}
    %68:9 = scf.for %arg8 = %c0_i32 to %arg7 step %c64_i32 iter_args(%arg9 = %cst, %arg10 = %42, %arg11 = %c-1_i32, %arg12 = %59, %arg13 = %62, %arg14 = %cst_0, %arg15 = %c1_i32, %arg16 = %63, %arg17 = %64) -> (tensor<128x64xf32, #mma>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, !ttg.async.token, !ttg.async.token, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64x!tt.ptr<f16>, #blocked>)  : i32 {
      %83 = arith.addi %arg11, %c1_i32 : i32
      %84 = arith.cmpi sge, %83, %c3_i32 : i32
      %85 = arith.select %84, %c0_i32, %83 : i32
      %86 = ttg.memdesc_index %43[%85] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %87 = ttg.memdesc_trans %86 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %88 = ttng.warp_group_dot %67, %87, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> tensor<128x64xf32, #mma>
      %89:4 = ttng.warp_group_dot_wait %88, %67, %87, %arg9 {pendings = 0 : i32} : tensor<128x64xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, tensor<128x64xf32, #mma>
      %90 = "tt.reduce"(%89#0) <{axis = 1 : i32}> ({
      ^bb0(%arg18: f32, %arg19: f32):
        %129 = arith.maxnumf %arg18, %arg19 : f32
        tt.reduce.return %129 : f32
      }) : (tensor<128x64xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %91 = arith.mulf %90, %34 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %92 = arith.maxnumf %arg14, %91 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %93 = arith.mulf %89#0, %35 : tensor<128x64xf32, #mma>
      %94 = tt.expand_dims %92 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %95 = tt.broadcast %94 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %96 = arith.subf %93, %95 : tensor<128x64xf32, #mma>
      %97 = math.exp2 %96 : tensor<128x64xf32, #mma>
      %98 = arith.subf %arg14, %92 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %99 = math.exp2 %98 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %100 = tt.reshape %97 : tensor<128x64xf32, #mma> -> tensor<128x8x4x2xf32, #linear1>
      %101 = tt.trans %100 {order = array<i32: 0, 2, 1, 3>} : tensor<128x8x4x2xf32, #linear1> -> tensor<128x4x8x2xf32, #linear2>
      %102 = tt.reshape %101 : tensor<128x4x8x2xf32, #linear2> -> tensor<128x4x16xf32, #linear>
      %103 = "tt.reduce"(%102) <{axis = 2 : i32}> ({
      ^bb0(%arg18: f32, %arg19: f32):
        %129 = arith.addf %arg18, %arg19 : f32
        tt.reduce.return %129 : f32
      }) : (tensor<128x4x16xf32, #linear>) -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %104 = tt.reshape %99 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %105 = tt.broadcast %104 : tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %106 = arith.mulf %arg10, %105 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %107 = arith.addf %106, %103 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %108 = tt.expand_dims %99 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %109 = tt.broadcast %108 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %110 = arith.mulf %89#3, %109 : tensor<128x64xf32, #mma>
      %111 = ttg.memdesc_index %44[%85] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %112 = arith.truncf %97 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %113 = ttg.convert_layout %112 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %114 = ttng.warp_group_dot %113, %111, %110 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %115 = arith.addi %arg15, %c1_i32 : i32
      %116 = arith.cmpi sge, %115, %c3_i32 : i32
      %117 = arith.select %116, %c0_i32, %115 : i32
      %118 = ttg.memdesc_index %43[%117] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %119 = arith.cmpi slt, %arg8, %65 : i32
      %120 = tt.splat %119 : i1 -> tensor<64x64xi1, #blocked>
      %121 = ttg.async_wait %arg12, %arg13 {num = 0 : i32}
      gpu.barrier
      %122 = ttg.async_copy_global_to_local %arg16, %118 mask %120 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %123 = ttg.async_commit_group tokens %122
      %124 = ttg.memdesc_index %44[%117] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %125 = ttg.async_copy_global_to_local %arg17, %124 mask %120 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %126 = ttg.async_commit_group tokens %125
      %127 = tt.addptr %arg16, %37 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %128 = tt.addptr %arg17, %37 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      scf.yield %114, %107, %85, %123, %126, %92, %117, %127, %128 : tensor<128x64xf32, #mma>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, !ttg.async.token, !ttg.async.token, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64x!tt.ptr<f16>, #blocked>
    }
    %69 = ttng.warp_group_dot_wait %68#0 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
    %70 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %44 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %43 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %71 = "tt.reduce"(%68#1) <{axis = 1 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %83 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %83 : f32
    }) : (tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %72 = tt.reshape %71 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %73 = tt.expand_dims %72 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %74 = tt.broadcast %73 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
    %75 = arith.divf %69, %74 : tensor<128x64xf32, #mma>
    %76 = tt.addptr %arg3, %2 : !tt.ptr<f16>, i32
    %77 = tt.splat %76 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %78 = tt.addptr %77, %12 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %79 = tt.broadcast %78 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %80 = tt.addptr %79, %17 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %81 = arith.truncf %75 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
    gpu.barrier
    %82 = ttg.convert_layout %81 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #blocked>
    tt.store %80, %82 {tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

