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
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 66048 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
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
    %20 = arith.cmpi sgt, %arg4, %c0_i32 : i32
    %21 = tt.splat %20 : i1 -> tensor<64x128xi1, #blocked2>
    %22 = tt.load %16, %21 {tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked2>
    %23 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %24 = tt.addptr %17, %0 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %25 = tt.splat %20 : i1 -> tensor<128xi1, #blocked3>
    %26 = tt.load %24, %25 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
    %27 = arith.addi %0, %cst_3 : tensor<128xi32, #blocked3>
    %28 = tt.addptr %17, %27 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %29 = arith.cmpi sgt, %arg4, %c1_i32 : i32
    %30 = tt.splat %29 : i1 -> tensor<128xi1, #blocked3>
    %31 = tt.load %28, %30 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
    %32 = arith.addi %0, %cst_4 : tensor<128xi32, #blocked3>
    %33 = tt.addptr %17, %32 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
    %34 = arith.cmpi sgt, %arg4, %c2_i32 : i32
    %35 = tt.splat %34 : i1 -> tensor<128xi1, #blocked3>
    %36 = tt.load %33, %35 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
    %37 = ttg.convert_layout %26 {allocation.offset = 49152 : i32, tk.allocation_size = 512 : i32, tk.behind_loads} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %38 = tt.expand_dims %37 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %39 = arith.muli %38, %cst : tensor<128x1xi32, #blocked>
    %40 = tt.broadcast %39 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %41 = arith.addi %40, %19 : tensor<128x64xi32, #blocked>
    %42 = tt.addptr %18, %41 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %43 = ttg.memdesc_index %23[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %44 = tt.splat %20 : i1 -> tensor<128x64xi1, #blocked>
    %45 = ttg.async_copy_global_to_local %42, %43 mask %44 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %46 = ttg.async_commit_group tokens %45
    %47 = ttg.convert_layout %31 {allocation.offset = 65536 : i32, tk.allocation_size = 512 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %49 = arith.muli %48, %cst : tensor<128x1xi32, #blocked>
    %50 = tt.broadcast %49 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %51 = arith.addi %50, %19 : tensor<128x64xi32, #blocked>
    %52 = tt.addptr %18, %51 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %53 = ttg.memdesc_index %23[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %54 = tt.splat %29 : i1 -> tensor<128x64xi1, #blocked>
    %55 = ttg.async_copy_global_to_local %52, %53 mask %54 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %56 = ttg.async_commit_group tokens %55
    %57 = arith.subi %arg4, %c2_i32 : i32
    %58 = arith.subi %arg4, %c3_i32 : i32
    %59 = ttg.local_alloc %22 {allocation.offset = 49152 : i32, tk.allocation_size = 16384 : i32} : (tensor<64x128xf16, #blocked2>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
    gpu.barrier
    ttng.fence_async_shared {bCluster = false}
    %60:6 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_1, %arg7 = %c0_i32, %arg8 = %56, %arg9 = %46, %arg10 = %c1_i32, %arg11 = %36) -> (tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, i32, tensor<128xi32, #blocked3>)  : i32 {
      %70 = arith.addi %arg5, %c3_i32 : i32
      %71 = arith.muli %70, %c128_i32 : i32
      %72 = tt.splat %71 : i32 -> tensor<128xi32, #blocked3>
      %73 = arith.addi %72, %0 : tensor<128xi32, #blocked3>
      %74 = tt.addptr %17, %73 : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
      %75 = arith.cmpi slt, %arg5, %58 : i32
      %76 = tt.splat %75 : i1 -> tensor<128xi1, #blocked3>
      %77 = tt.load %74, %76 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
      %78 = ttg.async_wait %arg9 {num = 1 : i32}
      %79 = ttg.memdesc_index %23[%arg7] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %80 = ttg.memdesc_subslice %59[0, 0] : !ttg.memdesc<64x128xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 64x128>
      %81 = ttg.memdesc_subslice %79[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64>
      %82 = ttg.memdesc_subslice %59[0, 64] : !ttg.memdesc<64x128xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared, #smem, 64x128>
      %83 = ttg.memdesc_subslice %79[64, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64>
      gpu.barrier
      %84 = ttng.warp_group_dot %80, %81, %arg6 {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, 64x128> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64> -> tensor<64x64xf32, #mma>
      %85:3 = ttng.warp_group_dot_wait %84, %59, %79 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x128xf16, #shared, #smem>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %86 = arith.addi %arg10, %c1_i32 : i32
      %87 = arith.cmpi sge, %86, %c3_i32 : i32
      %88 = arith.select %87, %c0_i32, %86 : i32
      %89 = ttg.convert_layout %arg11 {allocation.offset = 65536 : i32, tk.allocation_size = 512 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %90 = tt.expand_dims %89 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %91 = arith.muli %90, %cst : tensor<128x1xi32, #blocked>
      %92 = tt.broadcast %91 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
      %93 = arith.addi %92, %19 : tensor<128x64xi32, #blocked>
      %94 = tt.addptr %18, %93 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %95 = ttg.memdesc_index %23[%88] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %96 = arith.cmpi slt, %arg5, %57 : i32
      %97 = tt.splat %96 : i1 -> tensor<128x64xi1, #blocked>
      %98 = ttg.async_copy_global_to_local %94, %95 mask %97 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %99 = ttg.async_commit_group tokens %98
      %100 = ttng.warp_group_dot %82, %83, %85#0 {isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, 64x128> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable, 128x64> -> tensor<64x64xf32, #mma>
      %101 = arith.addi %arg7, %c1_i32 : i32
      %102 = arith.cmpi sge, %101, %c3_i32 : i32
      %103 = arith.select %102, %c0_i32, %101 : i32
      scf.yield %100, %103, %99, %arg8, %88, %77 : tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, i32, tensor<128xi32, #blocked3>
    }
    %61 = ttng.warp_group_dot_wait %60#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    %62 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %23 : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %63 = arith.muli %6, %cst_0 : tensor<64x1xi32, #blocked1>
    %64 = tt.broadcast %63 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %65 = tt.broadcast %8 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %66 = arith.addi %64, %65 : tensor<64x64xi32, #blocked1>
    %67 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %68 = tt.addptr %67, %66 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    gpu.barrier
    %69 = ttg.convert_layout %61 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked1>
    tt.store %68, %69 {tk.vector = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

