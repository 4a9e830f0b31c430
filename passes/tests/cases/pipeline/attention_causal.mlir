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
    %1 = tt.get_num_programs x : i32
    %2 = arith.subi %1, %c1_i32 : i32
    %3 = arith.subi %2, %0 : i32
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %4, %arg5 : i32
    %6 = arith.muli %3, %c128_i32 : i32
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %8 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %10 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %11 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.splat %6 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %14 = tt.splat %6 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = arith.addi %13, %7 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %16 = arith.addi %14, %8 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = tt.addptr %arg0, %5 : !tt.ptr<f16>, i32
    %18 = tt.expand_dims %15 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xi32, #mma>
    %19 = tt.expand_dims %16 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %20 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %21 = arith.muli %19, %20 : tensor<128x1xi32, #blocked>
    %22 = tt.splat %17 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %23 = tt.addptr %22, %21 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %24 = tt.expand_dims %10 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x128xi32, #mma>
    %25 = tt.expand_dims %11 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %26 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %27 = tt.broadcast %23 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %28 = tt.broadcast %26 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %29 = tt.addptr %27, %28 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %30 = tt.load %29 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked>
    %31 = tt.addptr %arg1, %5 : !tt.ptr<f16>, i32
    %32 = tt.splat %arg6 : i32 -> tensor<1x128xi32, #blocked1>
    %33 = arith.muli %25, %32 : tensor<1x128xi32, #blocked1>
    %34 = tt.splat %31 : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>, #blocked1>
    %35 = tt.addptr %34, %33 : tensor<1x128x!tt.ptr<f16>, #blocked1>, tensor<1x128xi32, #blocked1>
    %36 = tt.expand_dims %8 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %37 = tt.expand_dims %9 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %38 = tt.broadcast %35 : tensor<1x128x!tt.ptr<f16>, #blocked1> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
    %39 = tt.broadcast %37 : tensor<128x1xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %40 = tt.addptr %38, %39 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %41 = tt.addptr %arg2, %5 : !tt.ptr<f16>, i32
    %42 = arith.muli %36, %20 : tensor<128x1xi32, #blocked>
    %43 = tt.splat %41 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %44 = tt.addptr %43, %42 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %45 = tt.broadcast %44 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %46 = tt.addptr %45, %28 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %47 = arith.addi %3, %c1_i32 : i32
    %48 = arith.muli %47, %c128_i32 : i32
    %49 = tt.broadcast %18 : tensor<128x1xi32, #mma> -> tensor<128x128xi32, #mma>
    %50 = tt.splat %arg4 : f32 -> tensor<128x128xf32, #mma>
    %51 = arith.muli %arg6, %c128_i32 : i32
    %52 = tt.splat %51 : i32 -> tensor<128x128xi32, #blocked>
    %53 = tt.splat %51 : i32 -> tensor<128x128xi32, #blocked1>
    %54 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %55 = tt.expand_dims %54 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %56 = arith.cmpi eq, %55, %cst_4 : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %57 = tt.broadcast %56 : tensor<1x4xi1, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>
    %58 = arith.select %57, %cst_3, %cst_2 : tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %59 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 98304 : i32} : () -> !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %60 = ttg.local_alloc {allocation.offset = 98304 : i32, tk.allocation_size = 98304 : i32} : () -> !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable>
    %61 = ttg.memdesc_index %59[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %62 = arith.cmpi sgt, %48, %c0_i32 : i32
    %63 = tt.splat %62 : i1 -> tensor<128x128xi1, #blocked1>
    %64 = ttg.local_alloc {allocation.offset = 229376 : i32, tk.allocation_size = 24 : i32} : () -> !ttg.memdesc<3x1xi64, #shared2, #smem, mutable>
    %65 = ttg.local_alloc {allocation.offset = 229408 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %66 = ttg.memdesc_index %64[%c0_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %67 = ttg.memdesc_index %64[%c1_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %68 = ttg.memdesc_index %64[%c2_i32] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %66, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %67, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %68, 256 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %65, 8 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    gpu.barrier
    %69 = ttg.async_copy_global_to_local %40, %61 mask %63 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared, #smem, mutable>
    %70 = ttg.async_commit_group tokens %69
    %71 = ttg.memdesc_index %60[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
    %72 = tt.splat %62 : i1 -> tensor<128x128xi1, #blocked>
    %73 = ttg.async_copy_global_to_local %46, %71 mask %72 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared1, #smem, mutable>
    %74 = ttg.async_commit_group tokens %73
    ttng.async_copy_mbarrier_arrive %66 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %75 = tt.addptr %40, %53 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %76 = tt.addptr %46, %52 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %77 = ttg.memdesc_index %59[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %78 = arith.cmpi sgt, %48, %c128_i32 : i32
    %79 = tt.splat %78 : i1 -> tensor<128x128xi1, #blocked1>
    %80 = ttg.async_copy_global_to_local %75, %77 mask %79 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared, #smem, mutable>
    %81 = ttg.async_commit_group tokens %80
    %82 = ttg.memdesc_index %60[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
    %83 = tt.splat %78 : i1 -> tensor<128x128xi1, #blocked>
    %84 = ttg.async_copy_global_to_local %76, %82 mask %83 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared1, #smem, mutable>
    %85 = ttg.async_commit_group tokens %84
    ttng.async_copy_mbarrier_arrive %67 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %86 = tt.addptr %75, %53 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %87 = tt.addptr %76, %52 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %88 = arith.subi %48, %c256_i32 : i32
    %89 = ttg.local_alloc %30 {allocation.offset = 196608 : i32, tk.allocation_size = 32768 : i32} : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared1, #smem>
    gpu.barrier
    tk.hand_over {group = 1 : i32}
    tk.wait_hand_over
    ttng.fence_async_shared {bCluster = false}
    %90:10 = scf.for %arg8 = %c0_i32 to %48 step %c128_i32 iter_args(%arg9 = %cst, %arg10 = %58, %arg11 = %c-1_i32, %arg12 = %cst_1, %arg13 = %c1_i32, %arg14 = %86, %arg15 = %87, %arg16 = %c-1_i32, %arg17 = %c0_i32, %arg18 = %c0_i32) -> (tensor<128x128xf32, #mma>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>, i32, i32, i32)  : i32 {
      %117 = arith.addi %arg11, %c1_i32 : i32
      %118 = arith.cmpi sge, %117, %c3_i32 : i32
      %119 = arith.select %118, %c0_i32, %117 : i32
      %120 = arith.addi %arg16, %c1_i32 : i32
      %121 = arith.cmpi sge, %120, %c3_i32 : i32
      %122 = arith.xori %arg17, %c1_i32 : i32
      %123 = arith.select %121, %c0_i32, %120 : i32
      %124 = arith.select %121, %122, %arg17 : i32
      %125 = ttg.memdesc_index %64[%123] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %125, %124 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %126 = ttg.memdesc_index %59[%119] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %127 = ttng.warp_group_dot %89, %126, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared1, #smem> * !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      tk.hand_over
      %128:4 = ttng.warp_group_dot_wait %127, %89, %126, %arg9 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x128xf16, #shared1, #smem>, !ttg.memdesc<128x128xf16, #shared, #smem, mutable>, tensor<128x128xf32, #mma>
      ttng.arrive_barrier %65, 1 {tk.each_warp} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %129 = arith.mulf %128#0, %50 : tensor<128x128xf32, #mma>
      %c127_i32 = arith.constant 127 : i32
      %130 = arith.addi %arg8, %c127_i32 : i32
      %c0_i32_5 = arith.constant 0 : i32
      %131 = arith.addi %6, %c0_i32_5 : i32
      %132 = arith.cmpi sle, %130, %131 : i32
      %c0_i32_6 = arith.constant 0 : i32
      %133 = arith.addi %arg8, %c0_i32_6 : i32
      %134 = arith.cmpi sle, %133, %130 : i32
      %c127_i32_7 = arith.constant 127 : i32
      %135 = arith.addi %6, %c127_i32_7 : i32
      %136 = arith.cmpi sle, %131, %135 : i32
      %137 = arith.andi %132, %134 : i1
      %138 = arith.andi %137, %136 : i1
      %139 = scf.if %138 -> (tensor<128x128xf32, #mma>) {
        scf.yield %129 : tensor<128x128xf32, #mma>
      } else {
        %183 = tt.splat %arg8 : i32 -> tensor<1x128xi32, #mma>
        %184 = arith.addi %183, %24 : tensor<1x128xi32, #mma>
        %185 = tt.broadcast %184 : tensor<1x128xi32, #mma> -> tensor<128x128xi32, #mma>
        %186 = arith.cmpi sge, %49, %185 : tensor<128x128xi32, #mma>
        %187 = arith.select %186, %129, %cst_0 : tensor<128x128xi1, #mma>, tensor<128x128xf32, #mma>
        scf.yield %187 : tensor<128x128xf32, #mma>
      }
      %140 = "tt.reduce"(%139) <{axis = 1 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %183 = arith.maxnumf %arg19, %arg20 : f32
        tt.reduce.return %183 : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %141 = arith.maxnumf %arg12, %140 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %142 = tt.expand_dims %141 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %143 = tt.broadcast %142 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %144 = arith.subf %139, %143 : tensor<128x128xf32, #mma>
      %145 = math.exp2 %144 : tensor<128x128xf32, #mma>
      %146 = arith.subf %arg12, %141 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %147 = math.exp2 %146 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %148 = tt.reshape %145 : tensor<128x128xf32, #mma> -> tensor<128x16x4x2xf32, #linear1>
      %149 = tt.trans %148 {order = array<i32: 0, 2, 1, 3>} : tensor<128x16x4x2xf32, #linear1> -> tensor<128x4x16x2xf32, #linear2>
      %150 = tt.reshape %149 : tensor<128x4x16x2xf32, #linear2> -> tensor<128x4x32xf32, #linear>
      %151 = "tt.reduce"(%150) <{axis = 2 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %183 = arith.addf %arg19, %arg20 : f32
        tt.reduce.return %183 : f32
      }) : (tensor<128x4x32xf32, #linear>) -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %152 = tt.reshape %147 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %153 = tt.broadcast %152 : tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %154 = arith.mulf %arg10, %153 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %155 = arith.addf %154, %151 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %156 = tt.expand_dims %147 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %157 = tt.broadcast %156 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %158 = arith.mulf %128#3, %157 : tensor<128x128xf32, #mma>
      %159 = ttg.memdesc_index %60[%119] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %160 = arith.truncf %145 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      %161 = ttg.convert_layout %160 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %162:2 = ttng.warp_group_dot_wait %161, %158 {pendings = 0 : i32} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, tensor<128x128xf32, #mma>
      tk.wait_hand_over {tk.behind_words}
      %163 = ttng.warp_group_dot %162#0, %159, %162#1 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %164 = arith.addi %arg13, %c1_i32 : i32
      %165 = arith.cmpi sge, %164, %c3_i32 : i32
      %166 = arith.select %165, %c0_i32, %164 : i32
      %167 = ttg.memdesc_index %59[%166] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %168 = arith.cmpi slt, %arg8, %88 : i32
      %169 = tt.splat %168 : i1 -> tensor<128x128xi1, #blocked1>
      ttng.wait_barrier %65, %arg18 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %170 = ttg.async_copy_global_to_local %arg14, %167 mask %169 {contiguity = 8 : i32, tk.ordered, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared, #smem, mutable>
      %171 = ttg.async_commit_group tokens %170
      %172 = ttg.memdesc_index %60[%166] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %173 = tt.splat %168 : i1 -> tensor<128x128xi1, #blocked>
      %174 = ttg.async_copy_global_to_local %arg15, %172 mask %173 {contiguity = 8 : i32, tk.ordered, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared1, #smem, mutable>
      %175 = ttg.async_commit_group tokens %174
      %176 = arith.cmpi eq, %123, %c0_i32 : i32
      %177 = arith.subi %123, %c1_i32 : i32
      %178 = arith.select %176, %c2_i32, %177 : i32
      %179 = ttg.memdesc_index %64[%178] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.async_copy_mbarrier_arrive %179 {noIncrement} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %180 = arith.xori %arg18, %c1_i32 : i32
      %181 = tt.addptr %arg14, %53 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
      %182 = tt.addptr %arg15, %52 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
      scf.yield %163, %155, %119, %141, %166, %181, %182, %123, %124, %180 : tensor<128x128xf32, #mma>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>, i32, i32, i32
    }
    tk.hand_over {group = 0 : i32}
    %91 = ttng.warp_group_dot_wait %90#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    %92 = ttg.async_wait {num = 0 : i32}
    %93 = arith.addi %90#7, %c1_i32 : i32
    %94 = arith.cmpi sge, %93, %c3_i32 : i32
    %95 = arith.xori %90#8, %c1_i32 : i32
    %96 = arith.select %94, %c0_i32, %93 : i32
    %97 = arith.select %94, %95, %90#8 : i32
    %98 = ttg.memdesc_index %64[%96] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %98, %97 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %99 = arith.addi %96, %c1_i32 : i32
    %100 = arith.cmpi sge, %99, %c3_i32 : i32
    %101 = arith.xori %97, %c1_i32 : i32
    %102 = arith.select %100, %c0_i32, %99 : i32
    %103 = arith.select %100, %101, %97 : i32
    %104 = ttg.memdesc_index %64[%102] : !ttg.memdesc<3x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %104, %103 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttg.local_dealloc %60 : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %59 : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    %105 = "tt.reduce"(%90#1) <{axis = 1 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %117 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %117 : f32
    }) : (tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %106 = tt.reshape %105 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %107 = tt.expand_dims %106 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %108 = tt.broadcast %107 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
    %109 = arith.divf %91, %108 : tensor<128x128xf32, #mma>
    %110 = tt.addptr %arg3, %5 : !tt.ptr<f16>, i32
    %111 = tt.splat %110 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %112 = tt.addptr %111, %21 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %113 = tt.broadcast %112 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %114 = tt.addptr %113, %28 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %115 = arith.truncf %109 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    gpu.barrier
    %116 = ttg.convert_layout %115 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked>
    tt.store %114, %116 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked>
    ttng.inval_barrier %66 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %67 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %68 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %65 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    tt.return
  }
}

