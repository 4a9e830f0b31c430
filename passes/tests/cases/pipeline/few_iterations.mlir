// passes: tt,ttg,llvm
// stages: 4
// trips: arg3 1
// counts: ttg.async_copy_global_to_local 4, ttg.async_commit_group 6
// There are two iterations at most, both of whose copies stand before the loop: it copies nothing, and no ring has more than two buffers. Groups stay.
module {
  tt.func public @product(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2048 = arith.constant 2048 : i32
    %c2 = arith.constant 2 : i32
    %count = arith.minsi %n, %c2 : i32
    %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
    %wide = arith.constant dense<64> : tensor<64x1xi32>
    %narrow = arith.constant dense<32> : tensor<64x1xi32>
    %of_row = arith.constant dense<64> : tensor<32x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %k = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %m0 = tt.expand_dims %m {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %xr = arith.muli %m1, %narrow : tensor<64x1xi32>
    %xrb = tt.broadcast %xr : tensor<64x1xi32> -> tensor<64x32xi32>
    %xcb = tt.broadcast %k0 : tensor<1x32xi32> -> tensor<64x32xi32>
    %xoff = arith.addi %xrb, %xcb : tensor<64x32xi32>
    %yr = arith.muli %k1, %of_row : tensor<32x1xi32>
    %yrb = tt.broadcast %yr : tensor<32x1xi32> -> tensor<32x64xi32>
    %ycb = tt.broadcast %m0 : tensor<1x64xi32> -> tensor<32x64xi32>
    %yoff = arith.addi %yrb, %ycb : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %r = scf.for %i = %c0 to %count step %c1 iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
      %base = arith.muli %i, %c2048 : i32
      %bx = tt.splat %base : i32 -> tensor<64x32xi32>
      %by = tt.splat %base : i32 -> tensor<32x64xi32>
      %ax = arith.addi %xoff, %bx : tensor<64x32xi32>
      %ay = arith.addi %yoff, %by : tensor<32x64xi32>
      %px = tt.addptr %xs, %ax : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %py = tt.addptr %ys, %ay : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %a = tt.load %px : tensor<64x32x!tt.ptr<f16>>
      %b = tt.load %py : tensor<32x64x!tt.ptr<f16>>
      %d = tt.dot %a, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %or = arith.muli %m1, %wide : tensor<64x1xi32>
    %orb = tt.broadcast %or : tensor<64x1xi32> -> tensor<64x64xi32>
    %ocb = tt.broadcast %m0 : tensor<1x64xi32> -> tensor<64x64xi32>
    %oo = arith.addi %orb, %ocb : tensor<64x64xi32>
    // The result lies elsewhere for each number, so that they differ.
    %of_n = tt.splat %n : i32 -> tensor<64x64xi32>
    %on = arith.addi %oo, %of_n : tensor<64x64xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %on : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %po, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 16384 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_1 = arith.constant dense<32> : tensor<64x1xi32, #blocked1>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %c-1_i32 = arith.constant -1 : i32
    %cst_3 = arith.constant dense<2048> : tensor<64x32xi32, #blocked1>
    %cst_4 = arith.constant dense<2048> : tensor<32x64xi32, #blocked2>
    %0 = arith.minsi %arg3, %c2_i32 : i32
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %7 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %8 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %10 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %11 = tt.expand_dims %6 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %12 = tt.expand_dims %5 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %13 = arith.muli %8, %cst_1 : tensor<64x1xi32, #blocked1>
    %14 = tt.broadcast %13 : tensor<64x1xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %15 = tt.broadcast %12 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %16 = arith.addi %14, %15 : tensor<64x32xi32, #blocked1>
    %17 = arith.muli %11, %cst_2 : tensor<32x1xi32, #blocked2>
    %18 = tt.broadcast %17 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = tt.broadcast %10 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %20 = arith.addi %18, %19 : tensor<32x64xi32, #blocked2>
    %21 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %22 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %23 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
    %24 = ttg.local_alloc {allocation.offset = 8192 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>
    %25 = tt.addptr %21, %16 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
    %26 = tt.addptr %22, %20 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
    %27 = ttg.memdesc_index %23[%c0_i32] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %28 = arith.cmpi sgt, %0, %c0_i32 : i32
    %29 = tt.splat %28 : i1 -> tensor<64x32xi1, #blocked1>
    %30 = ttg.async_copy_global_to_local %25, %27 mask %29 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked1> -> <64x32xf16, #shared, #smem, mutable>
    %31 = ttg.async_commit_group tokens %30
    %32 = ttg.memdesc_index %24[%c0_i32] : !ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %33 = tt.splat %28 : i1 -> tensor<32x64xi1, #blocked2>
    %34 = ttg.async_copy_global_to_local %26, %32 mask %33 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2> -> <32x64xf16, #shared1, #smem, mutable>
    %35 = ttg.async_commit_group tokens %34
    %36 = arith.addi %16, %cst_3 : tensor<64x32xi32, #blocked1>
    %37 = arith.addi %20, %cst_4 : tensor<32x64xi32, #blocked2>
    %38 = tt.addptr %21, %36 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
    %39 = tt.addptr %22, %37 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
    %40 = ttg.memdesc_index %23[%c1_i32] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %41 = arith.cmpi sgt, %0, %c1_i32 : i32
    %42 = tt.splat %41 : i1 -> tensor<64x32xi1, #blocked1>
    %43 = ttg.async_copy_global_to_local %38, %40 mask %42 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked1> -> <64x32xf16, #shared, #smem, mutable>
    %44 = ttg.async_commit_group tokens %43
    %45 = ttg.memdesc_index %24[%c1_i32] : !ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %46 = tt.splat %41 : i1 -> tensor<32x64xi1, #blocked2>
    %47 = ttg.async_copy_global_to_local %39, %45 mask %46 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2> -> <32x64xf16, #shared1, #smem, mutable>
    %48 = ttg.async_commit_group tokens %47
    %49:7 = scf.for %arg4 = %c0_i32 to %0 step %c1_i32 iter_args(%arg5 = %cst, %arg6 = %c-1_i32, %arg7 = %44, %arg8 = %31, %arg9 = %48, %arg10 = %35, %arg11 = %c1_i32) -> (tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32)  : i32 {
      %61 = arith.addi %arg6, %c1_i32 : i32
      %62 = arith.cmpi sge, %61, %c2_i32 : i32
      %63 = arith.select %62, %c0_i32, %61 : i32
      %64 = ttg.async_wait %arg8, %arg10 {num = 2 : i32}
      %65 = ttg.memdesc_index %23[%63] : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
      %66 = ttg.memdesc_index %24[%63] : !ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      gpu.barrier
      %67 = ttng.warp_group_dot %65, %66, %arg5 {isAsync = true} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable> * !ttg.memdesc<32x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf32, #mma>
      %68:3 = ttng.warp_group_dot_wait %67, %65, %66 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      %69 = arith.addi %arg11, %c1_i32 : i32
      %70 = arith.cmpi sge, %69, %c2_i32 : i32
      %71 = arith.select %70, %c0_i32, %69 : i32
      %72 = ttg.async_commit_group
      %73 = ttg.async_commit_group
      scf.yield %68#0, %63, %72, %arg7, %73, %arg9, %71 : tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32
    }
    %50 = ttng.warp_group_dot_wait %49#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    %51 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %24 : !ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %23 : !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
    gpu.barrier
    %52 = ttg.convert_layout %50 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    %53 = arith.muli %7, %cst_0 : tensor<64x1xi32, #blocked>
    %54 = tt.broadcast %9 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %55 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked>
    %56 = arith.addi %53, %55 : tensor<64x1xi32, #blocked>
    %57 = tt.broadcast %56 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %58 = arith.addi %57, %54 : tensor<64x64xi32, #blocked>
    %59 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %60 = tt.addptr %59, %58 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    tt.store %60, %52 {tk.vector = 1 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

