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
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 0, 16]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0], [64, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0], [0, 8, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0], [64, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0], [0, 0, 8, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0], [64, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
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
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_3 = arith.constant dense<1.000000e+00> : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_4 = arith.constant dense<0> : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
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
    %28 = tt.addptr %arg1, %2 : !tt.ptr<f16>, i32
    %29 = tt.splat %arg6 : i32 -> tensor<1x128xi32, #blocked1>
    %30 = arith.muli %22, %29 : tensor<1x128xi32, #blocked1>
    %31 = tt.splat %28 : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>, #blocked1>
    %32 = tt.addptr %31, %30 : tensor<1x128x!tt.ptr<f16>, #blocked1>, tensor<1x128xi32, #blocked1>
    %33 = tt.expand_dims %5 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %34 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %35 = tt.broadcast %32 : tensor<1x128x!tt.ptr<f16>, #blocked1> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
    %36 = tt.broadcast %34 : tensor<128x1xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %37 = tt.addptr %35, %36 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %38 = tt.addptr %arg2, %2 : !tt.ptr<f16>, i32
    %39 = arith.muli %33, %17 : tensor<128x1xi32, #blocked>
    %40 = tt.splat %38 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %41 = tt.addptr %40, %39 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %42 = tt.broadcast %41 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %43 = tt.addptr %42, %25 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %44 = arith.addi %0, %c1_i32 : i32
    %45 = arith.muli %44, %c128_i32 : i32
    %46 = tt.broadcast %15 : tensor<128x1xi32, #mma> -> tensor<128x128xi32, #mma>
    %47 = tt.splat %arg4 : f32 -> tensor<128x128xf32, #mma>
    %48 = arith.muli %arg6, %c128_i32 : i32
    %49 = tt.splat %48 : i32 -> tensor<128x128xi32, #blocked>
    %50 = tt.splat %48 : i32 -> tensor<128x128xi32, #blocked1>
    %51 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %52 = tt.expand_dims %51 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %53 = arith.cmpi eq, %52, %cst_4 : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %54 = tt.broadcast %53 : tensor<1x4xi1, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>
    %55 = arith.select %54, %cst_3, %cst_2 : tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %56 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 98304 : i32} : () -> !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %57 = ttg.local_alloc {allocation.offset = 98304 : i32, tk.allocation_size = 98304 : i32} : () -> !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable>
    %58 = ttg.memdesc_index %56[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %59 = arith.cmpi sgt, %45, %c0_i32 : i32
    %60 = tt.splat %59 : i1 -> tensor<128x128xi1, #blocked1>
    %61 = ttg.local_alloc {allocation.offset = 229376 : i32, tk.allocation_size = 24 : i32} : () -> !ttg.memdesc<3x1xi64, #shared2, #smem, mutable>
    %62 = ttg.local_alloc {allocation.offset = 229408 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %63 = ttg.memdesc_index %61[%c0_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %64 = ttg.memdesc_index %61[%c1_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %65 = ttg.memdesc_index %61[%c2_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %63, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %64, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %65, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %62, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    gpu.barrier
    %66 = ttg.async_copy_global_to_local %37, %58 mask %60 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared, #smem, mutable>
    %67 = ttg.async_commit_group tokens %66
    %68 = ttg.memdesc_index %57[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
    %69 = tt.splat %59 : i1 -> tensor<128x128xi1, #blocked>
    %70 = ttg.async_copy_global_to_local %43, %68 mask %69 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared1, #smem, mutable>
    %71 = ttg.async_commit_group tokens %70
    ttng.async_copy_mbarrier_arrive %63 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %72 = tt.addptr %37, %50 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %73 = tt.addptr %43, %49 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %74 = ttg.memdesc_index %56[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %75 = arith.cmpi sgt, %45, %c128_i32 : i32
    %76 = tt.splat %75 : i1 -> tensor<128x128xi1, #blocked1>
    %77 = ttg.async_copy_global_to_local %72, %74 mask %76 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared, #smem, mutable>
    %78 = ttg.async_commit_group tokens %77
    %79 = ttg.memdesc_index %57[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
    %80 = tt.splat %75 : i1 -> tensor<128x128xi1, #blocked>
    %81 = ttg.async_copy_global_to_local %73, %79 mask %80 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared1, #smem, mutable>
    %82 = ttg.async_commit_group tokens %81
    ttng.async_copy_mbarrier_arrive %64 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %83 = tt.addptr %72, %50 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %84 = tt.addptr %73, %49 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %85 = arith.subi %45, %c256_i32 : i32
    %86 = ttg.local_alloc %27 {allocation.offset = 196608 : i32, tk.allocation_size = 32768 : i32} : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared1, #smem>
    gpu.barrier
    tk.hand_over {group = 1 : i32}
    tk.wait_hand_over
    ttng.fence_async_shared {bCluster = false}
    %87:10 = scf.for %arg8 = %c0_i32 to %45 step %c128_i32 iter_args(%arg9 = %cst, %arg10 = %55, %arg11 = %c-1_i32, %arg12 = %cst_1, %arg13 = %c1_i32, %arg14 = %83, %arg15 = %84, %arg16 = %c-1_i32, %arg17 = %c0_i32, %arg18 = %c0_i32) -> (tensor<128x128xf32, #mma>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>, i32, i32, i32)  : i32 {
      %114 = arith.addi %arg11, %c1_i32 : i32
      %115 = arith.cmpi sge, %114, %c3_i32 : i32
      %116 = arith.select %115, %c0_i32, %114 : i32
      %117 = arith.addi %arg16, %c1_i32 : i32
      %118 = arith.cmpi sge, %117, %c3_i32 : i32
      %119 = arith.xori %arg17, %c1_i32 : i32
      %120 = arith.select %118, %c0_i32, %117 : i32
      %121 = arith.select %118, %119, %arg17 : i32
      %122 = ttg.memdesc_index %61[%120] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %122, %121 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %123 = ttg.memdesc_index %56[%116] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %124 = ttng.warp_group_dot %86, %123, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared1, #smem> * !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      tk.hand_over
      %125:4 = ttng.warp_group_dot_wait %124, %86, %123, %arg9 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf16, #shared, #smem, mutable>, tensor<128x128xf32, #mma>
      ttng.arrive_barrier %62, 1 {tk.every_thread} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %126 = tt.splat %arg8 : i32 -> tensor<1x128xi32, #mma>
      %127 = arith.addi %126, %21 : tensor<1x128xi32, #mma>
      %128 = tt.broadcast %127 : tensor<1x128xi32, #mma> -> tensor<128x128xi32, #mma>
      %129 = arith.cmpi sge, %46, %128 : tensor<128x128xi32, #mma>
      %130 = arith.mulf %125#0, %47 : tensor<128x128xf32, #mma>
      %131 = arith.select %129, %130, %cst_0 : tensor<128x128xi1, #mma>, tensor<128x128xf32, #mma>
      %132 = "tt.reduce"(%131) <{axis = 1 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %175 = arith.maxnumf %arg19, %arg20 : f32
        tt.reduce.return %175 : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %133 = arith.maxnumf %arg12, %132 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %134 = tt.expand_dims %133 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %135 = tt.broadcast %134 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %136 = arith.subf %131, %135 : tensor<128x128xf32, #mma>
      %137 = math.exp2 %136 : tensor<128x128xf32, #mma>
      %138 = arith.subf %arg12, %133 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %139 = math.exp2 %138 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %140 = tt.reshape %137 : tensor<128x128xf32, #mma> -> tensor<128x16x4x2xf32, #linear1>
      %141 = tt.trans %140 {order = array<i32: 0, 2, 1, 3>} : tensor<128x16x4x2xf32, #linear1> -> tensor<128x4x16x2xf32, #linear2>
      %142 = tt.reshape %141 : tensor<128x4x16x2xf32, #linear2> -> tensor<128x4x32xf32, #linear>
      %143 = "tt.reduce"(%142) <{axis = 2 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %175 = arith.addf %arg19, %arg20 : f32
        tt.reduce.return %175 : f32
      }) : (tensor<128x4x32xf32, #linear>) -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %144 = tt.reshape %139 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %145 = tt.broadcast %144 : tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %146 = arith.mulf %arg10, %145 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %147 = arith.addf %146, %143 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %148 = tt.expand_dims %139 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %149 = tt.broadcast %148 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %150 = arith.mulf %125#3, %149 : tensor<128x128xf32, #mma>
      %151 = ttg.memdesc_index %57[%116] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %152 = arith.truncf %137 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      %153 = ttg.convert_layout %152 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %154:2 = ttng.warp_group_dot_wait %153, %150 {pendings = 0 : i32} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, tensor<128x128xf32, #mma>
      tk.wait_hand_over
      %155 = ttng.warp_group_dot %154#0, %151, %154#1 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %156 = arith.addi %arg13, %c1_i32 : i32
      %157 = arith.cmpi sge, %156, %c3_i32 : i32
      %158 = arith.select %157, %c0_i32, %156 : i32
      %159 = ttg.memdesc_index %56[%158] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %160 = arith.cmpi slt, %arg8, %85 : i32
      %161 = tt.splat %160 : i1 -> tensor<128x128xi1, #blocked1>
      ttng.wait_barrier %62, %arg18 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %162 = ttg.async_copy_global_to_local %arg14, %159 mask %161 {contiguity = 8 : i32, tk.ordered, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared, #smem, mutable>
      %163 = ttg.async_commit_group tokens %162
      %164 = ttg.memdesc_index %57[%158] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %165 = tt.splat %160 : i1 -> tensor<128x128xi1, #blocked>
      %166 = ttg.async_copy_global_to_local %arg15, %164 mask %165 {contiguity = 8 : i32, tk.ordered, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared1, #smem, mutable>
      %167 = ttg.async_commit_group tokens %166
      %168 = arith.cmpi eq, %120, %c0_i32 : i32
      %169 = arith.subi %120, %c1_i32 : i32
      %170 = arith.select %168, %c2_i32, %169 : i32
      %171 = ttg.memdesc_index %61[%170] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.async_copy_mbarrier_arrive %171 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %172 = arith.xori %arg18, %c1_i32 : i32
      %173 = tt.addptr %arg14, %50 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
      %174 = tt.addptr %arg15, %49 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
      scf.yield %155, %147, %116, %133, %158, %173, %174, %120, %121, %172 : tensor<128x128xf32, #mma>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>, i32, i32, i32
    }
    tk.hand_over {group = 0 : i32}
    %88 = ttng.warp_group_dot_wait %87#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    %89 = ttg.async_wait {num = 0 : i32}
    %90 = arith.addi %87#7, %c1_i32 : i32
    %91 = arith.cmpi sge, %90, %c3_i32 : i32
    %92 = arith.xori %87#8, %c1_i32 : i32
    %93 = arith.select %91, %c0_i32, %90 : i32
    %94 = arith.select %91, %92, %87#8 : i32
    %95 = ttg.memdesc_index %61[%93] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %95, %94 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %96 = arith.addi %93, %c1_i32 : i32
    %97 = arith.cmpi sge, %96, %c3_i32 : i32
    %98 = arith.xori %94, %c1_i32 : i32
    %99 = arith.select %97, %c0_i32, %96 : i32
    %100 = arith.select %97, %98, %94 : i32
    %101 = ttg.memdesc_index %61[%99] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %101, %100 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttg.local_dealloc %57 : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %56 : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %102 = "tt.reduce"(%87#1) <{axis = 1 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %114 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %114 : f32
    }) : (tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %103 = tt.reshape %102 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %104 = tt.expand_dims %103 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %105 = tt.broadcast %104 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
    %106 = arith.divf %88, %105 : tensor<128x128xf32, #mma>
    %107 = tt.addptr %arg3, %2 : !tt.ptr<f16>, i32
    %108 = tt.splat %107 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %109 = tt.addptr %108, %18 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %110 = tt.broadcast %109 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %111 = tt.addptr %110, %25 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %112 = arith.truncf %106 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    gpu.barrier
    %113 = ttg.convert_layout %112 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked>
    tt.store %111, %113 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked>
    ttng.inval_barrier %63 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %64 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %65 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %62 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    tt.return
  }
}

