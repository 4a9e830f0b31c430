// passes: tt,ttg,llvm
// warps: 8
// stages: 3
// trips: pid 128
module {
  tt.func public @attn(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: f32, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<128xf32>
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<-1.000000e+06> : tensor<128x128xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c1_i32 = arith.constant 1 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %1, %arg5 : i32
    %3 = arith.muli %0, %c128_i32 : i32
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %5 = tt.splat %3 : i32 -> tensor<128xi32>
    %6 = arith.addi %5, %4 : tensor<128xi32>
    %7 = tt.addptr %arg0, %2 : !tt.ptr<f16>, i32
    %8 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %9 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %10 = arith.muli %8, %9 : tensor<128x1xi32>
    %11 = tt.splat %7 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %12 = tt.addptr %11, %10 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %13 = tt.expand_dims %4 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %14 = tt.broadcast %12 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %15 = tt.broadcast %13 : tensor<1x128xi32> -> tensor<128x128xi32>
    %16 = tt.addptr %14, %15 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %17 = tt.load %16 : tensor<128x128x!tt.ptr<f16>>
    %18 = tt.addptr %arg1, %2 : !tt.ptr<f16>, i32
    %19 = tt.splat %arg6 : i32 -> tensor<1x128xi32>
    %20 = arith.muli %13, %19 : tensor<1x128xi32>
    %21 = tt.splat %18 : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>>
    %22 = tt.addptr %21, %20 : tensor<1x128x!tt.ptr<f16>>, tensor<1x128xi32>
    %23 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %24 = tt.broadcast %22 : tensor<1x128x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %25 = tt.broadcast %23 : tensor<128x1xi32> -> tensor<128x128xi32>
    %26 = tt.addptr %24, %25 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %27 = tt.addptr %arg2, %2 : !tt.ptr<f16>, i32
    %28 = arith.muli %23, %9 : tensor<128x1xi32>
    %29 = tt.splat %27 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %30 = tt.addptr %29, %28 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %31 = tt.broadcast %30 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %32 = tt.addptr %31, %15 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %33 = arith.addi %0, %c1_i32 : i32
    %34 = arith.muli %33, %c128_i32 : i32
    %35:5 = scf.for %arg8 = %c0_i32 to %34 step %c128_i32 iter_args(%arg9 = %26, %arg10 = %32, %arg11 = %cst_0, %arg12 = %cst, %arg13 = %cst_2) -> (tensor<128x128x!tt.ptr<f16>>, tensor<128x128x!tt.ptr<f16>>, tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>)  : i32 {
      %45 = tt.load %arg9 : tensor<128x128x!tt.ptr<f16>>
      %46 = tt.dot %17, %45, %cst_2, inputPrecision = tf32 : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      %47 = tt.splat %arg8 : i32 -> tensor<1x128xi32>
      %48 = arith.addi %47, %13 : tensor<1x128xi32>
      %49 = tt.broadcast %8 : tensor<128x1xi32> -> tensor<128x128xi32>
      %50 = tt.broadcast %48 : tensor<1x128xi32> -> tensor<128x128xi32>
      %51 = arith.cmpi sge, %49, %50 : tensor<128x128xi32>
      %52 = tt.splat %arg4 : f32 -> tensor<128x128xf32>
      %53 = arith.mulf %46, %52 : tensor<128x128xf32>
      %54 = arith.select %51, %53, %cst_1 : tensor<128x128xi1>, tensor<128x128xf32>
      %55 = "tt.reduce"(%54) <{axis = 1 : i32}> ({
      ^bb0(%arg14: f32, %arg15: f32):
        %76 = arith.maxnumf %arg14, %arg15 : f32
        tt.reduce.return %76 : f32
      }) : (tensor<128x128xf32>) -> tensor<128xf32>
      %56 = arith.maxnumf %arg11, %55 : tensor<128xf32>
      %57 = tt.expand_dims %56 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %58 = tt.broadcast %57 : tensor<128x1xf32> -> tensor<128x128xf32>
      %59 = arith.subf %54, %58 : tensor<128x128xf32>
      %60 = math.exp2 %59 : tensor<128x128xf32>
      %61 = "tt.reduce"(%60) <{axis = 1 : i32}> ({
      ^bb0(%arg14: f32, %arg15: f32):
        %76 = arith.addf %arg14, %arg15 : f32
        tt.reduce.return %76 : f32
      }) : (tensor<128x128xf32>) -> tensor<128xf32>
      %62 = arith.subf %arg11, %56 : tensor<128xf32>
      %63 = math.exp2 %62 : tensor<128xf32>
      %64 = arith.mulf %arg12, %63 : tensor<128xf32>
      %65 = arith.addf %64, %61 : tensor<128xf32>
      %66 = tt.expand_dims %63 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %67 = tt.broadcast %66 : tensor<128x1xf32> -> tensor<128x128xf32>
      %68 = arith.mulf %arg13, %67 : tensor<128x128xf32>
      %69 = tt.load %arg10 : tensor<128x128x!tt.ptr<f16>>
      %70 = arith.truncf %60 : tensor<128x128xf32> to tensor<128x128xf16>
      %71 = tt.dot %70, %69, %68, inputPrecision = tf32 : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      %72 = arith.muli %arg6, %c128_i32 : i32
      %73 = tt.splat %72 : i32 -> tensor<128x128xi32>
      %74 = tt.addptr %arg9, %73 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
      %75 = tt.addptr %arg10, %73 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
      scf.yield %74, %75, %56, %65, %71 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128x!tt.ptr<f16>>, tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
    }
    %36 = tt.expand_dims %35#3 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %37 = tt.broadcast %36 : tensor<128x1xf32> -> tensor<128x128xf32>
    %38 = arith.divf %35#4, %37 : tensor<128x128xf32>
    %39 = tt.addptr %arg3, %2 : !tt.ptr<f16>, i32
    %40 = tt.splat %39 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %41 = tt.addptr %40, %10 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %42 = tt.broadcast %41 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %43 = tt.addptr %42, %15 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %44 = arith.truncf %38 : tensor<128x128xf32> to tensor<128x128xf16>
    tt.store %43, %44 : tensor<128x128x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 8], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 229416 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @attn(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: f32, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+06> : tensor<128x128xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %c-1_i32 = arith.constant -1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %1, %arg5 : i32
    %3 = arith.muli %0, %c128_i32 : i32
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %9 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %10 = tt.splat %3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %11 = tt.splat %3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %12 = arith.addi %10, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %13 = arith.addi %11, %5 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %14 = tt.addptr %arg0, %2 : !tt.ptr<f16>, i32
    %15 = tt.expand_dims %12 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xi32, #mma>
    %16 = tt.expand_dims %13 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %17 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %18 = arith.muli %16, %17 : tensor<128x1xi32, #blocked>
    %19 = tt.splat %14 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %20 = tt.addptr %19, %18 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %21 = tt.expand_dims %7 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x128xi32, #mma>
    %22 = tt.expand_dims %8 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %23 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %24 = tt.broadcast %20 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %25 = tt.broadcast %23 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %26 = tt.addptr %24, %25 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %27 = tt.load %26 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked>
    %28 = ttg.local_alloc %27 {allocation.offset = 196608 : i32, allocation.size = 32768 : i32} : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %29 = tt.addptr %arg1, %2 : !tt.ptr<f16>, i32
    %30 = tt.splat %arg6 : i32 -> tensor<1x128xi32, #blocked1>
    %31 = arith.muli %22, %30 : tensor<1x128xi32, #blocked1>
    %32 = tt.splat %29 : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>, #blocked1>
    %33 = tt.addptr %32, %31 : tensor<1x128x!tt.ptr<f16>, #blocked1>, tensor<1x128xi32, #blocked1>
    %34 = tt.expand_dims %5 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %35 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %36 = tt.broadcast %33 : tensor<1x128x!tt.ptr<f16>, #blocked1> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
    %37 = tt.broadcast %35 : tensor<128x1xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %38 = tt.addptr %36, %37 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %39 = tt.addptr %arg2, %2 : !tt.ptr<f16>, i32
    %40 = arith.muli %34, %17 : tensor<128x1xi32, #blocked>
    %41 = tt.splat %39 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %42 = tt.addptr %41, %40 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %43 = tt.broadcast %42 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %44 = tt.addptr %43, %25 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %45 = arith.addi %0, %c1_i32 : i32
    %46 = arith.muli %45, %c128_i32 : i32
    %47 = tt.broadcast %15 : tensor<128x1xi32, #mma> -> tensor<128x128xi32, #mma>
    %48 = tt.splat %arg4 : f32 -> tensor<128x128xf32, #mma>
    %49 = arith.muli %arg6, %c128_i32 : i32
    %50 = tt.splat %49 : i32 -> tensor<128x128xi32, #blocked>
    %51 = tt.splat %49 : i32 -> tensor<128x128xi32, #blocked1>
    %52 = ttg.local_alloc {allocation.offset = 0 : i32, allocation.size = 98304 : i32} : () -> !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable>
    %53 = ttg.local_alloc {allocation.offset = 98304 : i32, allocation.size = 98304 : i32} : () -> !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %54 = ttg.memdesc_index %52[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
    %55 = arith.cmpi sgt, %46, %c0_i32 : i32
    %56 = tt.splat %55 : i1 -> tensor<128x128xi1, #blocked1>
    %57 = ttg.local_alloc {allocation.offset = 229376 : i32, allocation.size = 24 : i32} : () -> !ttg.memdesc<3x1xi64, #shared2, #smem, mutable>
    %58 = ttg.local_alloc {allocation.offset = 229408 : i32, allocation.size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %59 = ttg.memdesc_index %57[%c0_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %60 = ttg.memdesc_index %57[%c1_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %61 = ttg.memdesc_index %57[%c2_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %59, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %60, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %61, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %58, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    gpu.barrier
    %62 = ttg.async_copy_global_to_local %38, %54 mask %56 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared1, #smem, mutable>
    %63 = ttg.async_commit_group tokens %62
    %64 = ttg.memdesc_index %53[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %65 = tt.splat %55 : i1 -> tensor<128x128xi1, #blocked>
    %66 = ttg.async_copy_global_to_local %44, %64 mask %65 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %67 = ttg.async_commit_group tokens %66
    ttng.async_copy_mbarrier_arrive %59 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %68 = tt.addptr %38, %51 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %69 = tt.addptr %44, %50 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %70 = ttg.memdesc_index %52[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
    %71 = arith.cmpi sgt, %46, %c128_i32 : i32
    %72 = tt.splat %71 : i1 -> tensor<128x128xi1, #blocked1>
    %73 = ttg.async_copy_global_to_local %68, %70 mask %72 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared1, #smem, mutable>
    %74 = ttg.async_commit_group tokens %73
    %75 = ttg.memdesc_index %53[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %76 = tt.splat %71 : i1 -> tensor<128x128xi1, #blocked>
    %77 = ttg.async_copy_global_to_local %69, %75 mask %76 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %78 = ttg.async_commit_group tokens %77
    ttng.async_copy_mbarrier_arrive %60 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %79 = tt.addptr %68, %51 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %80 = tt.addptr %69, %50 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %81 = arith.subi %46, %c256_i32 : i32
    ttng.fence_async_shared {bCluster = false}
    %82:10 = scf.for %arg8 = %c0_i32 to %46 step %c128_i32 iter_args(%arg9 = %cst_2, %arg10 = %cst, %arg11 = %c-1_i32, %arg12 = %cst_1, %arg13 = %c1_i32, %arg14 = %79, %arg15 = %80, %arg16 = %c-1_i32, %arg17 = %c0_i32, %arg18 = %c0_i32) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x128xf32, #mma>, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>, i32, i32, i32)  : i32 {
      %107 = arith.addi %arg11, %c1_i32 : i32
      %108 = arith.cmpi sge, %107, %c3_i32 : i32
      %109 = arith.select %108, %c0_i32, %107 : i32
      %110 = arith.addi %arg16, %c1_i32 : i32
      %111 = arith.cmpi sge, %110, %c3_i32 : i32
      %112 = arith.xori %arg17, %c1_i32 : i32
      %113 = arith.select %111, %c0_i32, %110 : i32
      %114 = arith.select %111, %112, %arg17 : i32
      %115 = ttg.memdesc_index %57[%113] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %115, %114 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %116 = ttg.memdesc_index %52[%109] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %117 = ttng.warp_group_dot %28, %116, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem> * !ttg.memdesc<128x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %118:4 = ttng.warp_group_dot_wait %117, %28, %116, %arg10 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x128xf16, #shared, #smem>, !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>, tensor<128x128xf32, #mma>
      ttng.arrive_barrier %58, 1 {tk.every_thread} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %119 = tt.splat %arg8 : i32 -> tensor<1x128xi32, #mma>
      %120 = arith.addi %119, %21 : tensor<1x128xi32, #mma>
      %121 = tt.broadcast %120 : tensor<1x128xi32, #mma> -> tensor<128x128xi32, #mma>
      %122 = arith.cmpi sge, %47, %121 : tensor<128x128xi32, #mma>
      %123 = arith.mulf %118#0, %48 : tensor<128x128xf32, #mma>
      %124 = arith.select %122, %123, %cst_0 : tensor<128x128xi1, #mma>, tensor<128x128xf32, #mma>
      %125 = "tt.reduce"(%124) <{axis = 1 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %162 = arith.maxnumf %arg19, %arg20 : f32
        tt.reduce.return %162 : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %126 = arith.maxnumf %arg12, %125 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %127 = tt.expand_dims %126 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %128 = tt.broadcast %127 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %129 = arith.subf %124, %128 : tensor<128x128xf32, #mma>
      %130 = math.exp2 %129 : tensor<128x128xf32, #mma>
      %131 = "tt.reduce"(%130) <{axis = 1 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %162 = arith.addf %arg19, %arg20 : f32
        tt.reduce.return %162 : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %132 = arith.subf %arg12, %126 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %133 = math.exp2 %132 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %134 = arith.mulf %arg9, %133 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %135 = arith.addf %134, %131 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %136 = tt.expand_dims %133 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %137 = tt.broadcast %136 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %138 = arith.mulf %118#3, %137 : tensor<128x128xf32, #mma>
      %139 = ttg.memdesc_index %53[%109] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %140 = arith.truncf %130 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      %141 = ttg.convert_layout %140 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %142 = ttng.warp_group_dot %141, %139, %138 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      %143 = arith.addi %arg13, %c1_i32 : i32
      %144 = arith.cmpi sge, %143, %c3_i32 : i32
      %145 = arith.select %144, %c0_i32, %143 : i32
      %146 = ttg.memdesc_index %52[%145] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %147 = arith.cmpi slt, %arg8, %81 : i32
      %148 = tt.splat %147 : i1 -> tensor<128x128xi1, #blocked1>
      ttng.wait_barrier %58, %arg18 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %149 = ttg.async_copy_global_to_local %arg14, %146 mask %148 {contiguity = 8 : i32, tk.ordered, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared1, #smem, mutable>
      %150 = ttg.async_commit_group tokens %149
      %151 = ttg.memdesc_index %53[%145] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %152 = tt.splat %147 : i1 -> tensor<128x128xi1, #blocked>
      %153 = ttg.async_copy_global_to_local %arg15, %151 mask %152 {contiguity = 8 : i32, tk.ordered, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %154 = ttg.async_commit_group tokens %153
      %155 = arith.cmpi eq, %113, %c0_i32 : i32
      %156 = arith.subi %113, %c1_i32 : i32
      %157 = arith.select %155, %c2_i32, %156 : i32
      %158 = ttg.memdesc_index %57[%157] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.async_copy_mbarrier_arrive %158 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %159 = arith.xori %arg18, %c1_i32 : i32
      %160 = tt.addptr %arg14, %51 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
      %161 = tt.addptr %arg15, %50 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
      scf.yield %135, %142, %109, %126, %145, %160, %161, %113, %114, %159 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x128xf32, #mma>, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>, i32, i32, i32
    }
    %83 = ttng.warp_group_dot_wait %82#1 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    %84 = ttg.async_wait {num = 0 : i32}
    %85 = arith.addi %82#7, %c1_i32 : i32
    %86 = arith.cmpi sge, %85, %c3_i32 : i32
    %87 = arith.xori %82#8, %c1_i32 : i32
    %88 = arith.select %86, %c0_i32, %85 : i32
    %89 = arith.select %86, %87, %82#8 : i32
    %90 = ttg.memdesc_index %57[%88] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %90, %89 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %91 = arith.addi %88, %c1_i32 : i32
    %92 = arith.cmpi sge, %91, %c3_i32 : i32
    %93 = arith.xori %89, %c1_i32 : i32
    %94 = arith.select %92, %c0_i32, %91 : i32
    %95 = arith.select %92, %93, %89 : i32
    %96 = ttg.memdesc_index %57[%94] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %96, %95 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    gpu.barrier
    ttng.inval_barrier %59 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %60 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %61 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %58 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttg.local_dealloc %53 : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    ttg.local_dealloc %52 : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable>
    %97 = tt.expand_dims %82#0 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %98 = tt.broadcast %97 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
    %99 = arith.divf %83, %98 : tensor<128x128xf32, #mma>
    %100 = tt.addptr %arg3, %2 : !tt.ptr<f16>, i32
    %101 = tt.splat %100 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %102 = tt.addptr %101, %18 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %103 = tt.broadcast %102 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %104 = tt.addptr %103, %25 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %105 = arith.truncf %99 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %106 = ttg.convert_layout %105 {allocation.offset = 0 : i32, allocation.size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked>
    tt.store %104, %106 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

