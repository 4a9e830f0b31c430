// passes: tt,ttg,llvm
// stages: 3
// trips: arg4 1
module {
  // The rows to multiply are themselves loaded, so the two loads share the stages.
  tt.func public @gathered(%rows: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %table: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %other: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
    %c64s = arith.constant dense<64> : tensor<64x1xi32>
    %c64 = arith.constant dense<64> : tensor<128x1xi32>
    %k = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %m0 = tt.expand_dims %m {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %s128 = arith.constant dense<128> : tensor<64x1xi32>
    %mrow = arith.muli %m1, %s128 : tensor<64x1xi32>
    %mb = tt.broadcast %mrow : tensor<64x1xi32> -> tensor<64x128xi32>
    %kb = tt.broadcast %k0 : tensor<1x128xi32> -> tensor<64x128xi32>
    %offa = arith.addi %mb, %kb : tensor<64x128xi32>
    %ap = tt.splat %other : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>>
    %aptr = tt.addptr %ap, %offa : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
    %rp = tt.splat %rows : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
    %tp = tt.splat %table : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %nb = tt.broadcast %m0 : tensor<1x64xi32> -> tensor<128x64xi32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
      %base = arith.muli %i, %c128 : i32
      %bs = tt.splat %base : i32 -> tensor<128xi32>
      %ko = arith.addi %bs, %k : tensor<128xi32>
      %rptr = tt.addptr %rp, %ko : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
      %row = tt.load %rptr : tensor<128x!tt.ptr<i32>>
      %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %rowo = arith.muli %row1, %c64 : tensor<128x1xi32>
      %rb = tt.broadcast %rowo : tensor<128x1xi32> -> tensor<128x64xi32>
      %off = arith.addi %rb, %nb : tensor<128x64xi32>
      %tptr = tt.addptr %tp, %off : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %b = tt.load %tptr : tensor<128x64x!tt.ptr<f16>>
      %a = tt.load %aptr : tensor<64x128x!tt.ptr<f16>>
      %d = tt.dot %a, %b, %acc : tensor<64x128xf16> * tensor<128x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %mo = arith.muli %m1, %c64s : tensor<64x1xi32>
    %mob = tt.broadcast %mo : tensor<64x1xi32> -> tensor<64x64xi32>
    %nob = tt.broadcast %m0 : tensor<1x64xi32> -> tensor<64x64xi32>
    %oo = arith.addi %mob, %nob : tensor<64x64xi32>
    %op = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %optr = tt.addptr %op, %oo : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %optr, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 66560 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gathered(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %cst = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c128_i32 = arith.constant 128 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<128> : tensor<64x1xi32, #blocked2>
    %c-1_i32 = arith.constant -1 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst_3 = arith.constant dense<128> : tensor<128xi32, #blocked3>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked3>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %7 = tt.expand_dims %5 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %8 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %9 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %10 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi32, #blocked2>
    %11 = arith.muli %7, %cst_2 : tensor<64x1xi32, #blocked2>
    %12 = tt.broadcast %11 : tensor<64x1xi32, #blocked2> -> tensor<64x128xi32, #blocked2>
    %13 = tt.broadcast %10 : tensor<1x128xi32, #blocked2> -> tensor<64x128xi32, #blocked2>
    %14 = arith.addi %12, %13 : tensor<64x128xi32, #blocked2>
    %15 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #blocked2>
    %16 = tt.addptr %15, %14 : tensor<64x128x!tt.ptr<f16>, #blocked2>, tensor<64x128xi32, #blocked2>
    %17 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked3>
    %18 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %19 = tt.broadcast %9 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %20 = ttg.local_alloc {allocation.offset = 65536 : i32, tk.allocation_size = 512 : i32} : () -> !ttg.memdesc<1x128xi32, #shared, #smem, mutable>
    %21 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable>
    %22 = ttg.local_alloc {allocation.offset = 32768 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<2x64x128xf16, #shared1, #smem, mutable>
    %23 = tt.addptr %17, %0 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %24 = ttg.memdesc_index %20[%c0_i32] : !ttg.memdesc<1x128xi32, #shared, #smem, mutable> -> !ttg.memdesc<128xi32, #shared, #smem, mutable>
    %25 = arith.cmpi sgt, %arg4, %c0_i32 : i32
    %26 = tt.splat %25 : i1 -> tensor<128xi1, #blocked3>
    %27 = ttg.async_copy_global_to_local %23, %24 mask %26 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3> -> <128xi32, #shared, #smem, mutable>
    %28 = ttg.async_commit_group tokens %27
    %29 = ttg.async_wait %28 {num = 0 : i32}
    gpu.barrier
    %30 = ttg.local_load %24 : !ttg.memdesc<128xi32, #shared, #smem, mutable> -> tensor<128xi32, #blocked3>
    %31 = ttg.convert_layout %30 {allocation.offset = 66048 : i32, tk.allocation_size = 512 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %33 = arith.muli %32, %cst : tensor<128x1xi32, #blocked>
    %34 = tt.broadcast %33 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %35 = arith.addi %34, %19 : tensor<128x64xi32, #blocked>
    %36 = tt.addptr %18, %35 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %37 = ttg.memdesc_index %21[%c0_i32] : !ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    %38 = tt.splat %25 : i1 -> tensor<128x64xi1, #blocked>
    %39 = ttg.async_copy_global_to_local %36, %37 mask %38 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared1, #smem, mutable>
    %40 = ttg.async_commit_group tokens %39
    %41 = ttg.memdesc_index %22[%c0_i32] : !ttg.memdesc<2x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
    %42 = tt.splat %25 : i1 -> tensor<64x128xi1, #blocked2>
    %43 = ttg.async_copy_global_to_local %16, %41 mask %42 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked2> -> <64x128xf16, #shared1, #smem, mutable>
    %44 = ttg.async_commit_group tokens %43
    %45 = arith.addi %0, %cst_3 : tensor<128xi32, #blocked3>
    %46 = tt.addptr %17, %45 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %47 = arith.cmpi sgt, %arg4, %c1_i32 : i32
    %48 = tt.splat %47 : i1 -> tensor<128xi1, #blocked3>
    %49 = ttg.async_copy_global_to_local %46, %24 mask %48 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3> -> <128xi32, #shared, #smem, mutable>
    %50 = ttg.async_commit_group tokens %49
    %51 = arith.subi %arg4, %c1_i32 : i32
    %52 = arith.subi %arg4, %c2_i32 : i32
    %53:6 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_1, %arg7 = %c-1_i32, %arg8 = %40, %arg9 = %44, %arg10 = %c0_i32, %arg11 = %50) -> (tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, i32, !ttg.async.token)  : i32 {
      %63 = arith.addi %arg7, %c1_i32 : i32
      %64 = arith.cmpi sge, %63, %c2_i32 : i32
      %65 = arith.select %64, %c0_i32, %63 : i32
      %66 = ttg.async_wait %arg8, %arg9 {num = 1 : i32}
      %67 = ttg.memdesc_index %21[%65] : !ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
      %68 = ttg.memdesc_index %22[%65] : !ttg.memdesc<2x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
      gpu.barrier
      %69 = ttng.warp_group_dot %68, %67, %arg6 {isAsync = true} : !ttg.memdesc<64x128xf16, #shared1, #smem, mutable> * !ttg.memdesc<128x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      %70:3 = ttng.warp_group_dot_wait %69, %68, %67 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
      %71 = arith.addi %arg10, %c1_i32 : i32
      %72 = arith.cmpi sge, %71, %c2_i32 : i32
      %73 = arith.select %72, %c0_i32, %71 : i32
      %74 = ttg.async_wait %arg11 {num = 0 : i32}
      gpu.barrier
      %75 = ttg.local_load %24 : !ttg.memdesc<128xi32, #shared, #smem, mutable> -> tensor<128xi32, #blocked3>
      %76 = ttg.convert_layout %75 {allocation.offset = 66048 : i32, tk.allocation_size = 512 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %77 = tt.expand_dims %76 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %78 = arith.muli %77, %cst : tensor<128x1xi32, #blocked>
      %79 = tt.broadcast %78 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
      %80 = arith.addi %79, %19 : tensor<128x64xi32, #blocked>
      %81 = tt.addptr %18, %80 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %82 = ttg.memdesc_index %21[%73] : !ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
      %83 = arith.cmpi slt, %arg5, %51 : i32
      %84 = tt.splat %83 : i1 -> tensor<128x64xi1, #blocked>
      %85 = ttg.memdesc_index %22[%73] : !ttg.memdesc<2x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
      %86 = tt.splat %83 : i1 -> tensor<64x128xi1, #blocked2>
      %87 = arith.addi %arg5, %c2_i32 : i32
      %88 = arith.muli %87, %c128_i32 : i32
      %89 = tt.splat %88 : i32 -> tensor<128xi32, #blocked3>
      %90 = arith.addi %89, %0 : tensor<128xi32, #blocked3>
      %91 = tt.addptr %17, %90 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
      %92 = arith.cmpi slt, %arg5, %52 : i32
      %93 = tt.splat %92 : i1 -> tensor<128xi1, #blocked3>
      %94 = ttg.async_copy_global_to_local %81, %82 mask %84 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared1, #smem, mutable>
      %95 = ttg.async_copy_global_to_local %16, %85 mask %86 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked2> -> <64x128xf16, #shared1, #smem, mutable>
      %96 = ttg.async_copy_global_to_local %91, %24 mask %93 {tk.skippable, tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3> -> <128xi32, #shared, #smem, mutable>
      %97 = ttg.async_commit_group tokens %94
      %98 = ttg.async_commit_group tokens %95
      %99 = ttg.async_commit_group tokens %96
      scf.yield %70#0, %65, %97, %98, %73, %99 : tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, i32, !ttg.async.token
    }
    %54 = ttng.warp_group_dot_wait %53#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    %55 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %22 : !ttg.memdesc<2x64x128xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %21 : !ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %20 : !ttg.memdesc<1x128xi32, #shared, #smem, mutable>
    %56 = arith.muli %6, %cst_0 : tensor<64x1xi32, #blocked1>
    %57 = tt.broadcast %56 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %58 = tt.broadcast %8 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %59 = arith.addi %57, %58 : tensor<64x64xi32, #blocked1>
    %60 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %61 = tt.addptr %60, %59 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    gpu.barrier
    %62 = ttg.convert_layout %54 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked1>
    tt.store %61, %62 {tk.vector = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

