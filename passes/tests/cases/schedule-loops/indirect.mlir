// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,accelerate-matmul,remove-layout-conversions,optimize-dot-operands,cse,licm,canonicalize,assign-latencies,schedule-loops
// stages: 3
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
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gathered(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %cst = arith.constant dense<128> : tensor<64x1xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %cst_2 = arith.constant dense<64> : tensor<128x1xi32, #blocked2>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked3>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %7 = tt.expand_dims %5 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %8 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %9 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %11 = arith.muli %7, %cst : tensor<64x1xi32, #blocked>
    %12 = tt.broadcast %11 : tensor<64x1xi32, #blocked> -> tensor<64x128xi32, #blocked>
    %13 = tt.broadcast %10 : tensor<1x128xi32, #blocked> -> tensor<64x128xi32, #blocked>
    %14 = arith.addi %12, %13 : tensor<64x128xi32, #blocked>
    %15 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #blocked>
    %16 = tt.addptr %15, %14 : tensor<64x128x!tt.ptr<f16>, #blocked>, tensor<64x128xi32, #blocked>
    %17 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked3>
    %18 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked2>
    %19 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<128x64xi32, #blocked2>
    %20 = arith.cmpi sgt, %arg4, %c0_i32 : i32
    %21 = tt.splat %20 : i1 -> tensor<64x128xi1, #blocked>
    %22 = tt.load %16, %21 : tensor<64x128x!tt.ptr<f16>, #blocked>
    %23 = ttg.local_alloc %22 : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
    %24 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x64xf32, #mma>)  : i32 {
      %32 = arith.muli %arg5, %c128_i32 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32
      %33 = tt.splat %32 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : i32 -> tensor<128xi32, #blocked3>
      %34 = arith.addi %33, %0 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128xi32, #blocked3>
      %35 = tt.addptr %17, %34 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>, tensor<128xi32, #blocked3>
      %36 = tt.load %35 {loop.cluster = 3 : i32, loop.stage = 0 : i32} : tensor<128x!tt.ptr<i32>, #blocked3>
      %37 = ttg.convert_layout %36 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128xi32, #blocked3> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %38 = tt.expand_dims %37 {axis = 1 : i32, loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi32, #blocked2>
      %39 = arith.muli %38, %cst_2 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128x1xi32, #blocked2>
      %40 = tt.broadcast %39 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128x1xi32, #blocked2> -> tensor<128x64xi32, #blocked2>
      %41 = arith.addi %40, %19 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128x64xi32, #blocked2>
      %42 = tt.addptr %18, %41 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked2>, tensor<128x64xi32, #blocked2>
      %43 = tt.load %42 {loop.cluster = 2 : i32, loop.stage = 1 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked2>
      %44 = ttg.local_alloc %43 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : (tensor<128x64xf16, #blocked2>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %45 = ttng.warp_group_dot %23, %44, %arg6 {loop.cluster = 0 : i32, loop.stage = 3 : i32} : !ttg.memdesc<64x128xf16, #shared, #smem> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %45 : tensor<64x64xf32, #mma>
    } {tt.scheduled_max_stage = 3 : i32}
    %25 = arith.muli %6, %cst_1 : tensor<64x1xi32, #blocked1>
    %26 = tt.broadcast %25 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %27 = tt.broadcast %8 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %28 = arith.addi %26, %27 : tensor<64x64xi32, #blocked1>
    %29 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %30 = tt.addptr %29, %28 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    %31 = ttg.convert_layout %24 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked1>
    tt.store %30, %31 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

