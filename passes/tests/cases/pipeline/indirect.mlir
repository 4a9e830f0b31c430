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
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 99328 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gathered(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %cst = arith.constant dense<64> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c128_i32 = arith.constant 128 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<128> : tensor<64x1xi32, #blocked2>
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst_3 = arith.constant dense<128> : tensor<128xi32, #blocked3>
    %cst_4 = arith.constant dense<256> : tensor<128xi32, #blocked3>
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
    %20 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %21 = ttg.local_alloc {allocation.offset = 49152 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
    %22 = tt.addptr %17, %0 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %23 = arith.cmpi sgt, %arg4, %c0_i32 : i32
    %24 = tt.splat %23 : i1 -> tensor<128xi1, #blocked3>
    %25 = tt.load %22, %24 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
    %26 = arith.addi %0, %cst_3 : tensor<128xi32, #blocked3>
    %27 = tt.addptr %17, %26 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %28 = arith.cmpi sgt, %arg4, %c1_i32 : i32
    %29 = tt.splat %28 : i1 -> tensor<128xi1, #blocked3>
    %30 = tt.load %27, %29 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
    %31 = arith.addi %0, %cst_4 : tensor<128xi32, #blocked3>
    %32 = tt.addptr %17, %31 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %33 = arith.cmpi sgt, %arg4, %c2_i32 : i32
    %34 = tt.splat %33 : i1 -> tensor<128xi1, #blocked3>
    %35 = tt.load %32, %34 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
    %36 = ttg.convert_layout %25 {allocation.offset = 98304 : i32, tk.allocation_size = 512 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %37 = tt.expand_dims %36 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %38 = arith.muli %37, %cst : tensor<128x1xi32, #blocked>
    %39 = tt.broadcast %38 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %40 = arith.addi %39, %19 : tensor<128x64xi32, #blocked>
    %41 = tt.addptr %18, %40 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %42 = ttg.memdesc_index %20[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %43 = tt.splat %23 : i1 -> tensor<128x64xi1, #blocked>
    %44 = ttg.async_copy_global_to_local %41, %42 mask %43 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %45 = ttg.async_commit_group tokens %44
    %46 = ttg.memdesc_index %21[%c0_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %47 = tt.splat %23 : i1 -> tensor<64x128xi1, #blocked2>
    %48 = ttg.async_copy_global_to_local %16, %46 mask %47 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked2> -> <64x128xf16, #shared, #smem, mutable>
    %49 = ttg.async_commit_group tokens %48
    %50 = ttg.convert_layout %30 {allocation.offset = 98816 : i32, tk.allocation_size = 512 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %51 = tt.expand_dims %50 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %52 = arith.muli %51, %cst : tensor<128x1xi32, #blocked>
    %53 = tt.broadcast %52 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %54 = arith.addi %53, %19 : tensor<128x64xi32, #blocked>
    %55 = tt.addptr %18, %54 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %56 = ttg.memdesc_index %20[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %57 = tt.splat %28 : i1 -> tensor<128x64xi1, #blocked>
    %58 = ttg.async_copy_global_to_local %55, %56 mask %57 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %59 = ttg.async_commit_group tokens %58
    %60 = ttg.memdesc_index %21[%c1_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %61 = tt.splat %28 : i1 -> tensor<64x128xi1, #blocked2>
    %62 = ttg.async_copy_global_to_local %16, %60 mask %61 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked2> -> <64x128xf16, #shared, #smem, mutable>
    %63 = ttg.async_commit_group tokens %62
    %64 = arith.subi %arg4, %c2_i32 : i32
    %65 = arith.subi %arg4, %c3_i32 : i32
    %66:8 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_1, %arg7 = %c0_i32, %arg8 = %59, %arg9 = %45, %arg10 = %63, %arg11 = %49, %arg12 = %c1_i32, %arg13 = %35) -> (tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128xi32, #blocked3>)  : i32 {
      %76 = arith.addi %arg5, %c3_i32 : i32
      %77 = arith.muli %76, %c128_i32 : i32
      %78 = tt.splat %77 : i32 -> tensor<128xi32, #blocked3>
      %79 = arith.addi %78, %0 : tensor<128xi32, #blocked3>
      %80 = tt.addptr %17, %79 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
      %81 = arith.cmpi slt, %arg5, %65 : i32
      %82 = tt.splat %81 : i1 -> tensor<128xi1, #blocked3>
      %83 = tt.load %80, %82 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
      %84 = ttg.async_wait %arg9, %arg11 {num = 2 : i32}
      %85 = ttg.memdesc_index %20[%arg7] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %86 = ttg.memdesc_index %21[%arg7] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %87 = ttg.memdesc_subslice %86[0, 0] : !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 64x128>
      %88 = ttg.memdesc_subslice %85[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64>
      %89 = ttg.memdesc_subslice %86[0, 64] : !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 64x128>
      %90 = ttg.memdesc_subslice %85[64, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64>
      gpu.barrier
      %91 = ttng.warp_group_dot %87, %88, %arg6 {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 64x128> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64> -> tensor<64x64xf32, #mma>
      %92:3 = ttng.warp_group_dot_wait %91, %86, %85 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %93 = arith.addi %arg12, %c1_i32 : i32
      %94 = arith.cmpi sge, %93, %c3_i32 : i32
      %95 = arith.select %94, %c0_i32, %93 : i32
      %96 = ttg.convert_layout %arg13 {allocation.offset = 98304 : i32, tk.allocation_size = 512 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %97 = tt.expand_dims %96 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %98 = arith.muli %97, %cst : tensor<128x1xi32, #blocked>
      %99 = tt.broadcast %98 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
      %100 = arith.addi %99, %19 : tensor<128x64xi32, #blocked>
      %101 = tt.addptr %18, %100 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %102 = ttg.memdesc_index %20[%95] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %103 = arith.cmpi slt, %arg5, %64 : i32
      %104 = tt.splat %103 : i1 -> tensor<128x64xi1, #blocked>
      %105 = ttg.memdesc_index %21[%95] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %106 = tt.splat %103 : i1 -> tensor<64x128xi1, #blocked2>
      %107 = ttg.async_copy_global_to_local %101, %102 mask %104 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %108 = ttg.async_copy_global_to_local %16, %105 mask %106 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked2> -> <64x128xf16, #shared, #smem, mutable>
      %109 = ttg.async_commit_group tokens %107
      %110 = ttg.async_commit_group tokens %108
      %111 = ttng.warp_group_dot %89, %90, %92#0 {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 64x128> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64> -> tensor<64x64xf32, #mma>
      %112 = arith.addi %arg7, %c1_i32 : i32
      %113 = arith.cmpi sge, %112, %c3_i32 : i32
      %114 = arith.select %113, %c0_i32, %112 : i32
      scf.yield %111, %114, %109, %arg8, %110, %arg10, %95, %83 : tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128xi32, #blocked3>
    }
    %67 = ttng.warp_group_dot_wait %66#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    %68 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %21 : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
    ttg.local_dealloc %20 : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %69 = arith.muli %6, %cst_0 : tensor<64x1xi32, #blocked1>
    %70 = tt.broadcast %69 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %71 = tt.broadcast %8 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %72 = arith.addi %70, %71 : tensor<64x64xi32, #blocked1>
    %73 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %74 = tt.addptr %73, %72 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    gpu.barrier
    %75 = ttg.convert_layout %67 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked1>
    tt.store %74, %75 {tk.vector = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

