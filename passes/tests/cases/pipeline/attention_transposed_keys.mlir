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
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
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
    %20 = ttg.local_alloc %19 {allocation.offset = 49152 : i32, allocation.size = 16384 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %21 = tt.addptr %arg1, %2 : !tt.ptr<f16>, i32
    %22 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %23 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked>
    %24 = arith.muli %22, %23 : tensor<64x1xi32, #blocked>
    %25 = tt.splat %21 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %26 = tt.addptr %25, %24 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %27 = tt.broadcast %26 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %28 = tt.broadcast %15 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %29 = tt.addptr %27, %28 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %30 = tt.addptr %arg2, %2 : !tt.ptr<f16>, i32
    %31 = tt.splat %30 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %32 = tt.addptr %31, %24 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %33 = tt.broadcast %32 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %34 = tt.addptr %33, %28 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %35 = tt.splat %arg4 : f32 -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %36 = tt.splat %arg4 : f32 -> tensor<128x64xf32, #mma>
    %37 = arith.muli %arg6, %c64_i32 : i32
    %38 = tt.splat %37 : i32 -> tensor<64x64xi32, #blocked>
    %39 = ttg.local_alloc {allocation.offset = 0 : i32, allocation.size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %40 = ttg.local_alloc {allocation.offset = 24576 : i32, allocation.size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %41 = ttg.memdesc_index %39[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %42 = arith.cmpi sgt, %arg7, %c0_i32 : i32
    %43 = tt.splat %42 : i1 -> tensor<64x64xi1, #blocked>
    %44 = ttg.async_copy_global_to_local %29, %41 mask %43 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %45 = ttg.async_commit_group tokens %44
    %46 = ttg.memdesc_index %40[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %47 = ttg.async_copy_global_to_local %34, %46 mask %43 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %48 = ttg.async_commit_group tokens %47
    %49 = tt.addptr %29, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %50 = tt.addptr %34, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %51 = ttg.memdesc_index %39[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %52 = arith.cmpi sgt, %arg7, %c64_i32 : i32
    %53 = tt.splat %52 : i1 -> tensor<64x64xi1, #blocked>
    %54 = ttg.async_copy_global_to_local %49, %51 mask %53 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %55 = ttg.async_commit_group tokens %54
    %56 = ttg.memdesc_index %40[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %57 = ttg.async_copy_global_to_local %50, %56 mask %53 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %58 = ttg.async_commit_group tokens %57
    %59 = tt.addptr %49, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %60 = tt.addptr %50, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %61 = arith.subi %arg7, %c128_i32 : i32
    %62 = ttg.async_wait %45, %48 {num = 2 : i32}
    gpu.barrier
    ttng.fence_async_shared {bCluster = false}
    %63:9 = scf.for %arg8 = %c0_i32 to %arg7 step %c64_i32 iter_args(%arg9 = %cst_1, %arg10 = %cst, %arg11 = %c-1_i32, %arg12 = %55, %arg13 = %58, %arg14 = %cst_0, %arg15 = %c1_i32, %arg16 = %59, %arg17 = %60) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64x!tt.ptr<f16>, #blocked>)  : i32 {
      %76 = arith.addi %arg11, %c1_i32 : i32
      %77 = arith.cmpi sge, %76, %c3_i32 : i32
      %78 = arith.select %77, %c0_i32, %76 : i32
      %79 = ttg.memdesc_index %39[%78] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %80 = ttg.memdesc_trans %79 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %81 = ttng.warp_group_dot %20, %80, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> tensor<128x64xf32, #mma>
      %82:4 = ttng.warp_group_dot_wait %81, %20, %80, %arg10 {pendings = 0 : i32} : tensor<128x64xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, tensor<128x64xf32, #mma>
      %83 = "tt.reduce"(%82#0) <{axis = 1 : i32}> ({
      ^bb0(%arg18: f32, %arg19: f32):
        %117 = arith.maxnumf %arg18, %arg19 : f32
        tt.reduce.return %117 : f32
      }) : (tensor<128x64xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %84 = arith.mulf %83, %35 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %85 = arith.maxnumf %arg14, %84 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %86 = arith.mulf %82#0, %36 : tensor<128x64xf32, #mma>
      %87 = tt.expand_dims %85 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %88 = tt.broadcast %87 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %89 = arith.subf %86, %88 : tensor<128x64xf32, #mma>
      %90 = math.exp2 %89 : tensor<128x64xf32, #mma>
      %91 = "tt.reduce"(%90) <{axis = 1 : i32}> ({
      ^bb0(%arg18: f32, %arg19: f32):
        %117 = arith.addf %arg18, %arg19 : f32
        tt.reduce.return %117 : f32
      }) : (tensor<128x64xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %92 = arith.subf %arg14, %85 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %93 = math.exp2 %92 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %94 = arith.mulf %arg9, %93 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %95 = arith.addf %94, %91 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %96 = tt.expand_dims %93 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %97 = tt.broadcast %96 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %98 = arith.mulf %82#3, %97 : tensor<128x64xf32, #mma>
      %99 = ttg.memdesc_index %40[%78] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %100 = arith.truncf %90 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %101 = ttg.convert_layout %100 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %102 = ttng.warp_group_dot %101, %99, %98 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %103 = arith.addi %arg15, %c1_i32 : i32
      %104 = arith.cmpi sge, %103, %c3_i32 : i32
      %105 = arith.select %104, %c0_i32, %103 : i32
      %106 = ttg.memdesc_index %39[%105] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %107 = arith.cmpi slt, %arg8, %61 : i32
      %108 = tt.splat %107 : i1 -> tensor<64x64xi1, #blocked>
      %109 = ttg.async_wait %arg12, %arg13 {num = 0 : i32}
      gpu.barrier
      %110 = ttg.async_copy_global_to_local %arg16, %106 mask %108 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %111 = ttg.async_commit_group tokens %110
      %112 = ttg.memdesc_index %40[%105] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %113 = ttg.async_copy_global_to_local %arg17, %112 mask %108 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %114 = ttg.async_commit_group tokens %113
      %115 = tt.addptr %arg16, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %116 = tt.addptr %arg17, %38 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      scf.yield %95, %102, %78, %111, %114, %85, %105, %115, %116 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64x!tt.ptr<f16>, #blocked>
    }
    %64 = ttng.warp_group_dot_wait %63#1 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
    %65 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %40 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %39 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %66 = tt.expand_dims %63#0 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %67 = tt.broadcast %66 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
    %68 = arith.divf %64, %67 : tensor<128x64xf32, #mma>
    %69 = tt.addptr %arg3, %2 : !tt.ptr<f16>, i32
    %70 = tt.splat %69 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %71 = tt.addptr %70, %12 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %72 = tt.broadcast %71 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %73 = tt.addptr %72, %17 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %74 = arith.truncf %68 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
    gpu.barrier
    %75 = ttg.convert_layout %74 {allocation.offset = 0 : i32, allocation.size = 16384 : i32} : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #blocked>
    tt.store %73, %75 {tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

