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
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 229376 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
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
    %57 = ttg.async_copy_global_to_local %38, %54 mask %56 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared1, #smem, mutable>
    %58 = ttg.async_commit_group tokens %57
    %59 = ttg.memdesc_index %53[%c0_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %60 = tt.splat %55 : i1 -> tensor<128x128xi1, #blocked>
    %61 = ttg.async_copy_global_to_local %44, %59 mask %60 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %62 = ttg.async_commit_group tokens %61
    %63 = tt.addptr %38, %51 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %64 = tt.addptr %44, %50 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %65 = ttg.memdesc_index %52[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
    %66 = arith.cmpi sgt, %46, %c128_i32 : i32
    %67 = tt.splat %66 : i1 -> tensor<128x128xi1, #blocked1>
    %68 = ttg.async_copy_global_to_local %63, %65 mask %67 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared1, #smem, mutable>
    %69 = ttg.async_commit_group tokens %68
    %70 = ttg.memdesc_index %53[%c1_i32] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %71 = tt.splat %66 : i1 -> tensor<128x128xi1, #blocked>
    %72 = ttg.async_copy_global_to_local %64, %70 mask %71 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
    %73 = ttg.async_commit_group tokens %72
    %74 = tt.addptr %63, %51 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %75 = tt.addptr %64, %50 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %76 = arith.subi %46, %c256_i32 : i32
    %77 = ttg.async_wait %58, %62 {num = 2 : i32}
    gpu.barrier
    ttng.fence_async_shared {bCluster = false}
    %78:9 = scf.for %arg8 = %c0_i32 to %46 step %c128_i32 iter_args(%arg9 = %cst_2, %arg10 = %cst, %arg11 = %c-1_i32, %arg12 = %69, %arg13 = %73, %arg14 = %cst_1, %arg15 = %c1_i32, %arg16 = %74, %arg17 = %75) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>)  : i32 {
      %91 = arith.addi %arg11, %c1_i32 : i32
      %92 = arith.cmpi sge, %91, %c3_i32 : i32
      %93 = arith.select %92, %c0_i32, %91 : i32
      %94 = ttg.memdesc_index %52[%93] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %95 = ttng.warp_group_dot %28, %94, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem> * !ttg.memdesc<128x128xf16, #shared1, #smem, mutable> -> tensor<128x128xf32, #mma>
      %96:4 = ttng.warp_group_dot_wait %95, %28, %94, %arg10 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x128xf16, #shared, #smem>, !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>, tensor<128x128xf32, #mma>
      %97 = tt.splat %arg8 : i32 -> tensor<1x128xi32, #mma>
      %98 = arith.addi %97, %21 : tensor<1x128xi32, #mma>
      %99 = tt.broadcast %98 : tensor<1x128xi32, #mma> -> tensor<128x128xi32, #mma>
      %100 = arith.cmpi sge, %47, %99 : tensor<128x128xi32, #mma>
      %101 = arith.mulf %96#0, %48 : tensor<128x128xf32, #mma>
      %102 = arith.select %100, %101, %cst_0 : tensor<128x128xi1, #mma>, tensor<128x128xf32, #mma>
      %103 = "tt.reduce"(%102) <{axis = 1 : i32}> ({
      ^bb0(%arg18: f32, %arg19: f32):
        %136 = arith.maxnumf %arg18, %arg19 : f32
        tt.reduce.return %136 : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %104 = arith.maxnumf %arg14, %103 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %105 = tt.expand_dims %104 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %106 = tt.broadcast %105 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %107 = arith.subf %102, %106 : tensor<128x128xf32, #mma>
      %108 = math.exp2 %107 : tensor<128x128xf32, #mma>
      %109 = "tt.reduce"(%108) <{axis = 1 : i32}> ({
      ^bb0(%arg18: f32, %arg19: f32):
        %136 = arith.addf %arg18, %arg19 : f32
        tt.reduce.return %136 : f32
      }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %110 = arith.subf %arg14, %104 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %111 = math.exp2 %110 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %112 = arith.mulf %arg9, %111 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %113 = arith.addf %112, %109 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %114 = tt.expand_dims %111 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %115 = tt.broadcast %114 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %116 = arith.mulf %96#3, %115 : tensor<128x128xf32, #mma>
      %117 = ttg.memdesc_index %53[%93] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %118 = arith.truncf %108 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      %119 = ttg.convert_layout %118 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %120 = ttng.warp_group_dot %119, %117, %116 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      %121 = arith.addi %arg15, %c1_i32 : i32
      %122 = arith.cmpi sge, %121, %c3_i32 : i32
      %123 = arith.select %122, %c0_i32, %121 : i32
      %124 = ttg.memdesc_index %52[%123] : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared1, #smem, mutable>
      %125 = arith.cmpi slt, %arg8, %76 : i32
      %126 = tt.splat %125 : i1 -> tensor<128x128xi1, #blocked1>
      %127 = ttg.async_wait %arg12, %arg13 {num = 0 : i32}
      gpu.barrier
      %128 = ttg.async_copy_global_to_local %arg16, %124 mask %126 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1> -> <128x128xf16, #shared1, #smem, mutable>
      %129 = ttg.async_commit_group tokens %128
      %130 = ttg.memdesc_index %53[%123] : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %131 = tt.splat %125 : i1 -> tensor<128x128xi1, #blocked>
      %132 = ttg.async_copy_global_to_local %arg17, %130 mask %131 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked> -> <128x128xf16, #shared, #smem, mutable>
      %133 = ttg.async_commit_group tokens %132
      %134 = tt.addptr %arg16, %51 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
      %135 = tt.addptr %arg17, %50 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
      scf.yield %113, %120, %93, %129, %133, %104, %123, %134, %135 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, i32, tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128x!tt.ptr<f16>, #blocked>
    }
    %79 = ttng.warp_group_dot_wait %78#1 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    %80 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %53 : !ttg.memdesc<3x128x128xf16, #shared, #smem, mutable>
    ttg.local_dealloc %52 : !ttg.memdesc<3x128x128xf16, #shared1, #smem, mutable>
    %81 = tt.expand_dims %78#0 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %82 = tt.broadcast %81 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
    %83 = arith.divf %79, %82 : tensor<128x128xf32, #mma>
    %84 = tt.addptr %arg3, %2 : !tt.ptr<f16>, i32
    %85 = tt.splat %84 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %86 = tt.addptr %85, %18 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %87 = tt.broadcast %86 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x128x!tt.ptr<f16>, #blocked>
    %88 = tt.addptr %87, %25 : tensor<128x128x!tt.ptr<f16>, #blocked>, tensor<128x128xi32, #blocked>
    %89 = arith.truncf %83 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    gpu.barrier
    %90 = ttg.convert_layout %89 {allocation.offset = 0 : i32, allocation.size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked>
    tt.store %88, %90 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

