// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,accelerate-matmul,remove-layout-conversions,optimize-dot-operands,cse,licm,canonicalize,assign-latencies
// grid: few
// counts: {tt.latency 8, tt.latency 1, 5 2
module {
  // An iteration copies 8 KiB: blocks are there in time with copies five iterations ahead.
  tt.func public @product(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2048 = arith.constant 2048 : i32
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
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
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
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %po, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
  // Copies of all three iterations are under way before the first is computed.
  tt.func public @short(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2048 = arith.constant 2048 : i32
    %c3 = arith.constant 3 : i32
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
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
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
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %po, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
  // The loop says its stages.
  tt.func public @own(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2048 = arith.constant 2048 : i32
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
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
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
    } {tt.num_stages = 3 : i32}
    %or = arith.muli %m1, %wide : tensor<64x1xi32>
    %orb = tt.broadcast %or : tensor<64x1xi32> -> tensor<64x64xi32>
    %ocb = tt.broadcast %m0 : tensor<1x64xi32> -> tensor<64x64xi32>
    %oo = arith.addi %orb, %ocb : tensor<64x64xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %po, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
  // Each iteration copies a number, too.
  tt.func public @waiting(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2048 = arith.constant 2048 : i32
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
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
      %base = arith.muli %i, %c2048 : i32
      %bx = tt.splat %base : i32 -> tensor<64x32xi32>
      %by = tt.splat %base : i32 -> tensor<32x64xi32>
      %ax = arith.addi %xoff, %bx : tensor<64x32xi32>
      %ay = arith.addi %yoff, %by : tensor<32x64xi32>
      %px = tt.addptr %xs, %ax : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %py = tt.addptr %ys, %ay : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %a = tt.load %px : tensor<64x32x!tt.ptr<f16>>
      %b = tt.load %py : tensor<32x64x!tt.ptr<f16>>
      %ps = tt.addptr %scales, %i : !tt.ptr<f32>, i32
      %s = tt.load %ps : !tt.ptr<f32>
      %sb = tt.splat %s : f32 -> tensor<64x64xf32>
      %scaled = arith.mulf %acc, %sb : tensor<64x64xf32>
      %d = tt.dot %a, %b, %scaled : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %or = arith.muli %m1, %wide : tensor<64x1xi32>
    %orb = tt.broadcast %or : tensor<64x1xi32> -> tensor<64x64xi32>
    %ocb = tt.broadcast %m0 : tensor<1x64xi32> -> tensor<64x64xi32>
    %oo = arith.addi %orb, %ocb : tensor<64x64xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %po, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_1 = arith.constant dense<32> : tensor<64x1xi32, #blocked1>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %7 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %8 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %12 = arith.muli %7, %cst_1 : tensor<64x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<64x1xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<64x32xi32, #blocked1>
    %16 = arith.muli %10, %cst_2 : tensor<32x1xi32, #blocked2>
    %17 = tt.broadcast %16 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %18 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = arith.addi %17, %18 : tensor<32x64xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %22 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %30 = arith.muli %arg4, %c2048_i32 : i32
      %31 = tt.splat %30 : i32 -> tensor<64x32xi32, #blocked1>
      %32 = tt.splat %30 : i32 -> tensor<32x64xi32, #blocked2>
      %33 = arith.addi %15, %31 : tensor<64x32xi32, #blocked1>
      %34 = arith.addi %19, %32 : tensor<32x64xi32, #blocked2>
      %35 = tt.addptr %20, %33 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %36 = tt.addptr %21, %34 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
      %37 = tt.load %35 {tt.latency = 5 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked1>
      %38 = ttg.local_alloc %37 : (tensor<64x32xf16, #blocked1>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %39 = tt.load %36 {tt.latency = 5 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2>
      %40 = ttg.local_alloc %39 : (tensor<32x64xf16, #blocked2>) -> !ttg.memdesc<32x64xf16, #shared1, #smem>
      %41 = ttng.warp_group_dot %38, %40, %arg5 : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %41 : tensor<64x64xf32, #mma>
    }
    %23 = arith.muli %6, %cst_0 : tensor<64x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %25 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %26 = arith.addi %24, %25 : tensor<64x64xi32, #blocked>
    %27 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %26 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %29 = ttg.convert_layout %22 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %28, %29 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @short(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_1 = arith.constant dense<32> : tensor<64x1xi32, #blocked1>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %7 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %8 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %12 = arith.muli %7, %cst_1 : tensor<64x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<64x1xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<64x32xi32, #blocked1>
    %16 = arith.muli %10, %cst_2 : tensor<32x1xi32, #blocked2>
    %17 = tt.broadcast %16 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %18 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = arith.addi %17, %18 : tensor<32x64xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %22 = scf.for %arg3 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %30 = arith.muli %arg3, %c2048_i32 : i32
      %31 = tt.splat %30 : i32 -> tensor<64x32xi32, #blocked1>
      %32 = tt.splat %30 : i32 -> tensor<32x64xi32, #blocked2>
      %33 = arith.addi %15, %31 : tensor<64x32xi32, #blocked1>
      %34 = arith.addi %19, %32 : tensor<32x64xi32, #blocked2>
      %35 = tt.addptr %20, %33 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %36 = tt.addptr %21, %34 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
      %37 = tt.load %35 {tt.latency = 2 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked1>
      %38 = ttg.local_alloc %37 : (tensor<64x32xf16, #blocked1>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %39 = tt.load %36 {tt.latency = 2 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2>
      %40 = ttg.local_alloc %39 : (tensor<32x64xf16, #blocked2>) -> !ttg.memdesc<32x64xf16, #shared1, #smem>
      %41 = ttng.warp_group_dot %38, %40, %arg4 : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %41 : tensor<64x64xf32, #mma>
    }
    %23 = arith.muli %6, %cst_0 : tensor<64x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %25 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %26 = arith.addi %24, %25 : tensor<64x64xi32, #blocked>
    %27 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %26 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %29 = ttg.convert_layout %22 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %28, %29 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @own(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_1 = arith.constant dense<32> : tensor<64x1xi32, #blocked1>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %7 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %8 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %12 = arith.muli %7, %cst_1 : tensor<64x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<64x1xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<64x32xi32, #blocked1>
    %16 = arith.muli %10, %cst_2 : tensor<32x1xi32, #blocked2>
    %17 = tt.broadcast %16 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %18 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = arith.addi %17, %18 : tensor<32x64xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %22 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %30 = arith.muli %arg4, %c2048_i32 : i32
      %31 = tt.splat %30 : i32 -> tensor<64x32xi32, #blocked1>
      %32 = tt.splat %30 : i32 -> tensor<32x64xi32, #blocked2>
      %33 = arith.addi %15, %31 : tensor<64x32xi32, #blocked1>
      %34 = arith.addi %19, %32 : tensor<32x64xi32, #blocked2>
      %35 = tt.addptr %20, %33 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %36 = tt.addptr %21, %34 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
      %37 = tt.load %35 {tt.latency = 2 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked1>
      %38 = ttg.local_alloc %37 : (tensor<64x32xf16, #blocked1>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %39 = tt.load %36 {tt.latency = 2 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2>
      %40 = ttg.local_alloc %39 : (tensor<32x64xf16, #blocked2>) -> !ttg.memdesc<32x64xf16, #shared1, #smem>
      %41 = ttng.warp_group_dot %38, %40, %arg5 : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %41 : tensor<64x64xf32, #mma>
    } {tt.num_stages = 3 : i32}
    %23 = arith.muli %6, %cst_0 : tensor<64x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %25 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %26 = arith.addi %24, %25 : tensor<64x64xi32, #blocked>
    %27 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %26 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %29 = ttg.convert_layout %22 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %28, %29 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @waiting(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_1 = arith.constant dense<32> : tensor<64x1xi32, #blocked1>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %7 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %8 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %12 = arith.muli %7, %cst_1 : tensor<64x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<64x1xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<64x32xi32, #blocked1>
    %16 = arith.muli %10, %cst_2 : tensor<32x1xi32, #blocked2>
    %17 = tt.broadcast %16 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %18 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = arith.addi %17, %18 : tensor<32x64xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %22 = scf.for %arg5 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %30 = arith.muli %arg5, %c2048_i32 : i32
      %31 = tt.splat %30 : i32 -> tensor<64x32xi32, #blocked1>
      %32 = tt.splat %30 : i32 -> tensor<32x64xi32, #blocked2>
      %33 = arith.addi %15, %31 : tensor<64x32xi32, #blocked1>
      %34 = arith.addi %19, %32 : tensor<32x64xi32, #blocked2>
      %35 = tt.addptr %20, %33 : tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %36 = tt.addptr %21, %34 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
      %37 = tt.load %35 {tt.latency = 2 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked1>
      %38 = ttg.local_alloc %37 : (tensor<64x32xf16, #blocked1>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %39 = tt.load %36 {tt.latency = 2 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2>
      %40 = ttg.local_alloc %39 : (tensor<32x64xf16, #blocked2>) -> !ttg.memdesc<32x64xf16, #shared1, #smem>
      %41 = tt.addptr %arg4, %arg5 : !tt.ptr<f32>, i32
      %42 = tt.splat %41 : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>, #blocked3>
      %43 = tt.load %42 {tk.small_copy, tt.latency = 2 : i32} : tensor<1x!tt.ptr<f32>, #blocked3>
      %44 = tt.unsplat %43 : tensor<1xf32, #blocked3>
      %45 = tt.splat %44 : f32 -> tensor<64x64xf32, #mma>
      %46 = arith.mulf %arg6, %45 : tensor<64x64xf32, #mma>
      %47 = ttng.warp_group_dot %38, %40, %46 : !ttg.memdesc<64x32xf16, #shared, #smem> * !ttg.memdesc<32x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %47 : tensor<64x64xf32, #mma>
    }
    %23 = arith.muli %6, %cst_0 : tensor<64x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %25 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %26 = arith.addi %24, %25 : tensor<64x64xi32, #blocked>
    %27 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %26 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %29 = ttg.convert_layout %22 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %28, %29 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

