// passes: tt,ttg,llvm
// stages: 3
// trips: arg3 32
module {
  // One block is repeated for all products of a batch, the other one has rows for columns: both are read from the rings of their copies.
  tt.func public @batch(%one: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %each: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %acc0 = arith.constant dense<0.0> : tensor<4x64x64xf32>
    %of_out = arith.constant dense<64> : tensor<1x64x1xi32>
    %of_batch = arith.constant dense<4096> : tensor<4x1x1xi32>
    %c64 = arith.constant dense<64> : tensor<4x1x1xi32>
    %z = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
    %z1 = tt.expand_dims %z {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %z2 = tt.expand_dims %z1 {axis = 2 : i32} : tensor<4x1xi32> -> tensor<4x1x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %m0 = tt.expand_dims %m {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rows = tt.expand_dims %m0 {axis = 2 : i32} : tensor<1x64xi32> -> tensor<1x64x1xi32>
    %columns = tt.expand_dims %m0 {axis = 1 : i32} : tensor<1x64xi32> -> tensor<1x1x64xi32>
    %ks = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %k1 = tt.splat %k : i32 -> tensor<64x1xi32>
    %offa = arith.muli %m1, %k1 : tensor<64x1xi32>
    %ap = tt.splat %one : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %aptr = tt.addptr %ap, %offa : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %aptrs = tt.broadcast %aptr : tensor<64x1x!tt.ptr<f32>> -> tensor<64x32x!tt.ptr<f32>>
    %zrow = arith.muli %z2, %c64 : tensor<4x1x1xi32>
    %zrows = tt.broadcast %zrow : tensor<4x1x1xi32> -> tensor<4x64x1xi32>
    %nrows = tt.broadcast %rows : tensor<1x64x1xi32> -> tensor<4x64x1xi32>
    %row = arith.addi %zrows, %nrows : tensor<4x64x1xi32>
    %k2 = tt.splat %k : i32 -> tensor<4x64x1xi32>
    %offb = arith.muli %row, %k2 : tensor<4x64x1xi32>
    %bp = tt.splat %each : !tt.ptr<f32> -> tensor<4x64x1x!tt.ptr<f32>>
    %bptr = tt.addptr %bp, %offb : tensor<4x64x1x!tt.ptr<f32>>, tensor<4x64x1xi32>
    %bptrs = tt.broadcast %bptr : tensor<4x64x1x!tt.ptr<f32>> -> tensor<4x64x32x!tt.ptr<f32>>
    %r = scf.for %i = %c0 to %k step %c32 iter_args(%acc = %acc0) -> (tensor<4x64x64xf32>) : i32 {
      %is = tt.splat %i : i32 -> tensor<32xi32>
      %ko = arith.addi %is, %ks : tensor<32xi32>
      %ko0 = tt.expand_dims %ko {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %ka = tt.broadcast %ko0 : tensor<1x32xi32> -> tensor<64x32xi32>
      %aat = tt.addptr %aptrs, %ka : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
      %a = tt.load %aat : tensor<64x32x!tt.ptr<f32>>
      %a1 = tt.expand_dims %a {axis = 0 : i32} : tensor<64x32xf32> -> tensor<1x64x32xf32>
      %as = tt.broadcast %a1 : tensor<1x64x32xf32> -> tensor<4x64x32xf32>
      %ko1 = tt.expand_dims %ko0 {axis = 1 : i32} : tensor<1x32xi32> -> tensor<1x1x32xi32>
      %kb = tt.broadcast %ko1 : tensor<1x1x32xi32> -> tensor<4x64x32xi32>
      %bat = tt.addptr %bptrs, %kb : tensor<4x64x32x!tt.ptr<f32>>, tensor<4x64x32xi32>
      %b = tt.load %bat : tensor<4x64x32x!tt.ptr<f32>>
      %bt = tt.trans %b {order = array<i32: 0, 2, 1>} : tensor<4x64x32xf32> -> tensor<4x32x64xf32>
      %d = tt.dot %as, %bt, %acc, inputPrecision = tf32 : tensor<4x64x32xf32> * tensor<4x32x64xf32> -> tensor<4x64x64xf32>
      scf.yield %d : tensor<4x64x64xf32>
    }
    %zo = arith.muli %z2, %of_batch : tensor<4x1x1xi32>
    %mo = arith.muli %rows, %of_out : tensor<1x64x1xi32>
    %zob = tt.broadcast %zo : tensor<4x1x1xi32> -> tensor<4x64x64xi32>
    %mob = tt.broadcast %mo : tensor<1x64x1xi32> -> tensor<4x64x64xi32>
    %nob = tt.broadcast %columns : tensor<1x1x64xi32> -> tensor<4x64x64xi32>
    %o1 = arith.addi %zob, %mob : tensor<4x64x64xi32>
    %o2 = arith.addi %o1, %nob : tensor<4x64x64xi32>
    %op = tt.splat %out : !tt.ptr<f32> -> tensor<4x64x64x!tt.ptr<f32>>
    %optr = tt.addptr %op, %o2 : tensor<4x64x64x!tt.ptr<f32>>, tensor<4x64x64xi32>
    tt.store %optr, %r : tensor<4x64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 4, 8], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1, 4], threadsPerWarp = [1, 2, 16], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1, 1], instrShape = [1, 16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [2, 1, 0]}>
#shared2 = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 2, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 81920 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @batch(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<64> : tensor<4x1x1xi32, #blocked>
    %cst_0 = arith.constant dense<4096> : tensor<4x1x1xi32, #blocked1>
    %cst_1 = arith.constant dense<64> : tensor<1x64x1xi32, #blocked1>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<4x64x64xf32, #mma>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_3 = arith.constant dense<32> : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
    %cst_4 = arith.constant dense<32> : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>>
    %1 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>> -> tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked1}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %4 = tt.expand_dims %2 {axis = 2 : i32} : tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked1}>> -> tensor<4x1x1xi32, #blocked1>
    %5 = tt.expand_dims %3 {axis = 2 : i32} : tensor<4x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<4x1x1xi32, #blocked>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked1}>}>>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>>
    %8 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %9 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %11 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked1}>}>> -> tensor<1x64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %12 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>> -> tensor<1x64xi32, #ttg.slice<{dim = 2, parent = #blocked1}>>
    %13 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<1x64xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %14 = tt.expand_dims %12 {axis = 2 : i32} : tensor<1x64xi32, #ttg.slice<{dim = 2, parent = #blocked1}>> -> tensor<1x64x1xi32, #blocked1>
    %15 = tt.expand_dims %13 {axis = 2 : i32} : tensor<1x64xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<1x64x1xi32, #blocked>
    %16 = tt.expand_dims %11 {axis = 1 : i32} : tensor<1x64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<1x1x64xi32, #blocked1>
    %17 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
    %18 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %19 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked2>
    %20 = arith.muli %10, %19 : tensor<64x1xi32, #blocked2>
    %21 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked2>
    %22 = tt.addptr %21, %20 : tensor<64x1x!tt.ptr<f32>, #blocked2>, tensor<64x1xi32, #blocked2>
    %23 = tt.broadcast %22 : tensor<64x1x!tt.ptr<f32>, #blocked2> -> tensor<64x32x!tt.ptr<f32>, #blocked2>
    %24 = arith.muli %5, %cst : tensor<4x1x1xi32, #blocked>
    %25 = tt.broadcast %24 : tensor<4x1x1xi32, #blocked> -> tensor<4x64x1xi32, #blocked>
    %26 = tt.broadcast %15 : tensor<1x64x1xi32, #blocked> -> tensor<4x64x1xi32, #blocked>
    %27 = arith.addi %25, %26 : tensor<4x64x1xi32, #blocked>
    %28 = tt.splat %arg3 : i32 -> tensor<4x64x1xi32, #blocked>
    %29 = arith.muli %27, %28 : tensor<4x64x1xi32, #blocked>
    %30 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<4x64x1x!tt.ptr<f32>, #blocked>
    %31 = tt.addptr %30, %29 : tensor<4x64x1x!tt.ptr<f32>, #blocked>, tensor<4x64x1xi32, #blocked>
    %32 = tt.broadcast %31 : tensor<4x64x1x!tt.ptr<f32>, #blocked> -> tensor<4x64x32x!tt.ptr<f32>, #blocked>
    %33 = ttg.local_alloc {allocation.offset = 65536 : i32, tk.allocation_size = 16384 : i32} : () -> !ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>
    %34 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<2x4x64x32xf32, #shared1, #smem, mutable>
    %35 = tt.expand_dims %17 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>> -> tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %36 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x32xi32, #blocked2>
    %37 = tt.broadcast %36 : tensor<1x32xi32, #blocked2> -> tensor<64x32xi32, #blocked2>
    %38 = tt.addptr %23, %37 : tensor<64x32x!tt.ptr<f32>, #blocked2>, tensor<64x32xi32, #blocked2>
    %39 = ttg.memdesc_index %33[%c0_i32] : !ttg.memdesc<2x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
    %40 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %41 = tt.splat %40 : i1 -> tensor<64x32xi1, #blocked2>
    %42 = ttg.async_copy_global_to_local %38, %39 mask %41 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<64x32x!tt.ptr<f32>, #blocked2> -> <64x32xf32, #shared, #smem, mutable>
    %43 = ttg.async_commit_group tokens %42
    %44 = tt.expand_dims %35 {axis = 1 : i32} : tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x1x32xi32, #blocked>
    %45 = tt.broadcast %44 : tensor<1x1x32xi32, #blocked> -> tensor<4x64x32xi32, #blocked>
    %46 = tt.addptr %32, %45 : tensor<4x64x32x!tt.ptr<f32>, #blocked>, tensor<4x64x32xi32, #blocked>
    %47 = ttg.memdesc_index %34[%c0_i32] : !ttg.memdesc<2x4x64x32xf32, #shared1, #smem, mutable> -> !ttg.memdesc<4x64x32xf32, #shared1, #smem, mutable>
    %48 = tt.splat %40 : i1 -> tensor<4x64x32xi1, #blocked>
    %49 = ttg.async_copy_global_to_local %46, %47 mask %48 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<4x64x32x!tt.ptr<f32>, #blocked> -> <4x64x32xf32, #shared1, #smem, mutable>
    %50 = ttg.async_commit_group tokens %49
    %51 = arith.addi %17, %cst_3 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
    %52 = arith.addi %18, %cst_4 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %53 = tt.expand_dims %51 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>> -> tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %54 = tt.expand_dims %52 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x32xi32, #blocked2>
    %55 = tt.broadcast %54 : tensor<1x32xi32, #blocked2> -> tensor<64x32xi32, #blocked2>
    %56 = tt.addptr %23, %55 : tensor<64x32x!tt.ptr<f32>, #blocked2>, tensor<64x32xi32, #blocked2>
    %57 = ttg.memdesc_index %33[%c1_i32] : !ttg.memdesc<2x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
    %58 = arith.cmpi sgt, %arg3, %c32_i32 : i32
    %59 = tt.splat %58 : i1 -> tensor<64x32xi1, #blocked2>
    %60 = ttg.async_copy_global_to_local %56, %57 mask %59 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<64x32x!tt.ptr<f32>, #blocked2> -> <64x32xf32, #shared, #smem, mutable>
    %61 = ttg.async_commit_group tokens %60
    %62 = tt.expand_dims %53 {axis = 1 : i32} : tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x1x32xi32, #blocked>
    %63 = tt.broadcast %62 : tensor<1x1x32xi32, #blocked> -> tensor<4x64x32xi32, #blocked>
    %64 = tt.addptr %32, %63 : tensor<4x64x32x!tt.ptr<f32>, #blocked>, tensor<4x64x32xi32, #blocked>
    %65 = ttg.memdesc_index %34[%c1_i32] : !ttg.memdesc<2x4x64x32xf32, #shared1, #smem, mutable> -> !ttg.memdesc<4x64x32xf32, #shared1, #smem, mutable>
    %66 = tt.splat %58 : i1 -> tensor<4x64x32xi1, #blocked>
    %67 = ttg.async_copy_global_to_local %64, %65 mask %66 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<4x64x32x!tt.ptr<f32>, #blocked> -> <4x64x32xf32, #shared1, #smem, mutable>
    %68 = ttg.async_commit_group tokens %67
    %69 = arith.subi %arg3, %c64_i32 : i32
    %70:7 = scf.for %arg4 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg5 = %cst_2, %arg6 = %c-1_i32, %arg7 = %61, %arg8 = %43, %arg9 = %68, %arg10 = %50, %arg11 = %c1_i32) -> (tensor<4x64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32)  : i32 {
      %82 = arith.addi %arg6, %c1_i32 : i32
      %83 = arith.cmpi sge, %82, %c2_i32 : i32
      %84 = arith.select %83, %c0_i32, %82 : i32
      %85 = ttg.async_wait %arg8, %arg10 {num = 2 : i32}
      %86 = ttg.memdesc_index %33[%84] : !ttg.memdesc<2x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      gpu.barrier
      %87 = ttg.local_load %86 : !ttg.memdesc<64x32xf32, #shared, #smem, mutable> -> tensor<64x32xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>}>>
      %88 = tt.expand_dims %87 {axis = 0 : i32} : tensor<64x32xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>}>> -> tensor<1x64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %89 = tt.broadcast %88 : tensor<1x64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> -> tensor<4x64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %90 = ttg.memdesc_index %34[%84] : !ttg.memdesc<2x4x64x32xf32, #shared1, #smem, mutable> -> !ttg.memdesc<4x64x32xf32, #shared1, #smem, mutable>
      %91 = ttg.memdesc_trans %90 {order = array<i32: 0, 2, 1>} : !ttg.memdesc<4x64x32xf32, #shared1, #smem, mutable> -> !ttg.memdesc<4x32x64xf32, #shared2, #smem, mutable>
      %92 = ttg.local_load %91 : !ttg.memdesc<4x32x64xf32, #shared2, #smem, mutable> -> tensor<4x32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      %93 = tt.dot %89, %92, %arg5, inputPrecision = tf32 : tensor<4x64x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<4x32x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> -> tensor<4x64x64xf32, #mma>
      %94 = arith.addi %arg11, %c1_i32 : i32
      %95 = arith.cmpi sge, %94, %c2_i32 : i32
      %96 = arith.select %95, %c0_i32, %94 : i32
      %97 = arith.addi %arg4, %c64_i32 : i32
      %98 = tt.splat %97 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
      %99 = tt.splat %97 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
      %100 = arith.addi %98, %17 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
      %101 = arith.addi %99, %18 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
      %102 = tt.expand_dims %100 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>> -> tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %103 = tt.expand_dims %101 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x32xi32, #blocked2>
      %104 = tt.broadcast %103 : tensor<1x32xi32, #blocked2> -> tensor<64x32xi32, #blocked2>
      %105 = tt.addptr %23, %104 : tensor<64x32x!tt.ptr<f32>, #blocked2>, tensor<64x32xi32, #blocked2>
      %106 = ttg.memdesc_index %33[%96] : !ttg.memdesc<2x64x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      %107 = arith.cmpi slt, %arg4, %69 : i32
      %108 = tt.splat %107 : i1 -> tensor<64x32xi1, #blocked2>
      gpu.barrier
      %109 = ttg.async_copy_global_to_local %105, %106 mask %108 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<64x32x!tt.ptr<f32>, #blocked2> -> <64x32xf32, #shared, #smem, mutable>
      %110 = ttg.async_commit_group tokens %109
      %111 = tt.expand_dims %102 {axis = 1 : i32} : tensor<1x32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x1x32xi32, #blocked>
      %112 = tt.broadcast %111 : tensor<1x1x32xi32, #blocked> -> tensor<4x64x32xi32, #blocked>
      %113 = tt.addptr %32, %112 : tensor<4x64x32x!tt.ptr<f32>, #blocked>, tensor<4x64x32xi32, #blocked>
      %114 = ttg.memdesc_index %34[%96] : !ttg.memdesc<2x4x64x32xf32, #shared1, #smem, mutable> -> !ttg.memdesc<4x64x32xf32, #shared1, #smem, mutable>
      %115 = tt.splat %107 : i1 -> tensor<4x64x32xi1, #blocked>
      %116 = ttg.async_copy_global_to_local %113, %114 mask %115 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<4x64x32x!tt.ptr<f32>, #blocked> -> <4x64x32xf32, #shared1, #smem, mutable>
      %117 = ttg.async_commit_group tokens %116
      scf.yield %93, %84, %110, %arg7, %117, %arg9, %96 : tensor<4x64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32
    }
    %71 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %34 : !ttg.memdesc<2x4x64x32xf32, #shared1, #smem, mutable>
    ttg.local_dealloc %33 : !ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>
    %72 = arith.muli %4, %cst_0 : tensor<4x1x1xi32, #blocked1>
    %73 = arith.muli %14, %cst_1 : tensor<1x64x1xi32, #blocked1>
    %74 = tt.broadcast %72 : tensor<4x1x1xi32, #blocked1> -> tensor<4x64x64xi32, #blocked1>
    %75 = tt.broadcast %73 : tensor<1x64x1xi32, #blocked1> -> tensor<4x64x64xi32, #blocked1>
    %76 = tt.broadcast %16 : tensor<1x1x64xi32, #blocked1> -> tensor<4x64x64xi32, #blocked1>
    %77 = arith.addi %74, %75 : tensor<4x64x64xi32, #blocked1>
    %78 = arith.addi %77, %76 : tensor<4x64x64xi32, #blocked1>
    %79 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<4x64x64x!tt.ptr<f32>, #blocked1>
    %80 = tt.addptr %79, %78 : tensor<4x64x64x!tt.ptr<f32>, #blocked1>, tensor<4x64x64xi32, #blocked1>
    gpu.barrier
    %81 = ttg.convert_layout %70#0 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<4x64x64xf32, #mma> -> tensor<4x64x64xf32, #blocked1>
    tt.store %80, %81 {tk.vector = 4 : i32} : tensor<4x64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

