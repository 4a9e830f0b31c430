// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,accelerate-matmul,remove-layout-conversions,optimize-dot-operands,cse,licm,canonicalize,assign-latencies
// stages: 3
// counts: tt.latency 1, {tt.latency 8
module {
  // Beyond the end the number is zero, as what is not copied is.
  tt.func public @masked(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %c2048 = arith.constant 2048 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %wide = arith.constant dense<64> : tensor<16x1xi32>
    %narrow = arith.constant dense<32> : tensor<16x1xi32>
    %of_row = arith.constant dense<64> : tensor<32x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %k = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %n0 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %xr = arith.muli %m1, %narrow : tensor<16x1xi32>
    %xrb = tt.broadcast %xr : tensor<16x1xi32> -> tensor<16x32xi32>
    %xcb = tt.broadcast %k0 : tensor<1x32xi32> -> tensor<16x32xi32>
    %xoff = arith.addi %xrb, %xcb : tensor<16x32xi32>
    %yr = arith.muli %k1, %of_row : tensor<32x1xi32>
    %yrb = tt.broadcast %yr : tensor<32x1xi32> -> tensor<32x64xi32>
    %ycb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<32x64xi32>
    %yoff = arith.addi %yrb, %ycb : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
      %base = arith.muli %i, %c2048 : i32
      %bx = tt.splat %base : i32 -> tensor<16x32xi32>
      %by = tt.splat %base : i32 -> tensor<32x64xi32>
      %ax = arith.addi %xoff, %bx : tensor<16x32xi32>
      %ay = arith.addi %yoff, %by : tensor<32x64xi32>
      %px = tt.addptr %xs, %ax : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
      %py = tt.addptr %ys, %ay : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %a = tt.load %px : tensor<16x32x!tt.ptr<f16>>
      %b = tt.load %py : tensor<32x64x!tt.ptr<f16>>
      %ps = tt.addptr %s, %i : !tt.ptr<f32>, i32
      %is = arith.cmpi slt, %i, %c7 : i32
      %none = arith.constant 0.0 : f32
      %scale = tt.load %ps, %is, %none : !tt.ptr<f32>
      %half = arith.truncf %scale : f32 to f16
      %scales = tt.splat %half : f16 -> tensor<16x32xf16>
      %scaled = arith.mulf %a, %scales : tensor<16x32xf16>
      %next = tt.dot %scaled, %b, %acc : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %next : tensor<16x64xf32>
    }
    %or = arith.muli %m1, %wide : tensor<16x1xi32>
    %orb = tt.broadcast %or : tensor<16x1xi32> -> tensor<16x64xi32>
    %ocb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<16x64xi32>
    %oo = arith.addi %orb, %ocb : tensor<16x64xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    tt.store %po, %r : tensor<16x64x!tt.ptr<f32>>
    tt.return
  }
  // Beyond the end the number is one: it waits in a register.
  tt.func public @other_number(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %c2048 = arith.constant 2048 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %wide = arith.constant dense<64> : tensor<16x1xi32>
    %narrow = arith.constant dense<32> : tensor<16x1xi32>
    %of_row = arith.constant dense<64> : tensor<32x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %k = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %n0 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %xr = arith.muli %m1, %narrow : tensor<16x1xi32>
    %xrb = tt.broadcast %xr : tensor<16x1xi32> -> tensor<16x32xi32>
    %xcb = tt.broadcast %k0 : tensor<1x32xi32> -> tensor<16x32xi32>
    %xoff = arith.addi %xrb, %xcb : tensor<16x32xi32>
    %yr = arith.muli %k1, %of_row : tensor<32x1xi32>
    %yrb = tt.broadcast %yr : tensor<32x1xi32> -> tensor<32x64xi32>
    %ycb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<32x64xi32>
    %yoff = arith.addi %yrb, %ycb : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
      %base = arith.muli %i, %c2048 : i32
      %bx = tt.splat %base : i32 -> tensor<16x32xi32>
      %by = tt.splat %base : i32 -> tensor<32x64xi32>
      %ax = arith.addi %xoff, %bx : tensor<16x32xi32>
      %ay = arith.addi %yoff, %by : tensor<32x64xi32>
      %px = tt.addptr %xs, %ax : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
      %py = tt.addptr %ys, %ay : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %a = tt.load %px : tensor<16x32x!tt.ptr<f16>>
      %b = tt.load %py : tensor<32x64x!tt.ptr<f16>>
      %ps = tt.addptr %s, %i : !tt.ptr<f32>, i32
      %is = arith.cmpi slt, %i, %c7 : i32
      %none = arith.constant 1.0 : f32
      %scale = tt.load %ps, %is, %none : !tt.ptr<f32>
      %half = arith.truncf %scale : f32 to f16
      %scales = tt.splat %half : f16 -> tensor<16x32xf16>
      %scaled = arith.mulf %a, %scales : tensor<16x32xf16>
      %next = tt.dot %scaled, %b, %acc : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %next : tensor<16x64xf32>
    }
    %or = arith.muli %m1, %wide : tensor<16x1xi32>
    %orb = tt.broadcast %or : tensor<16x1xi32> -> tensor<16x64xi32>
    %ocb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<16x64xi32>
    %oo = arith.addi %orb, %ocb : tensor<16x64xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    tt.store %po, %r : tensor<16x64x!tt.ptr<f32>>
    tt.return
  }
  // No thread copies two bytes.
  tt.func public @half(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %c2048 = arith.constant 2048 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32>
    %wide = arith.constant dense<64> : tensor<16x1xi32>
    %narrow = arith.constant dense<32> : tensor<16x1xi32>
    %of_row = arith.constant dense<64> : tensor<32x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %k = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %n0 = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %xr = arith.muli %m1, %narrow : tensor<16x1xi32>
    %xrb = tt.broadcast %xr : tensor<16x1xi32> -> tensor<16x32xi32>
    %xcb = tt.broadcast %k0 : tensor<1x32xi32> -> tensor<16x32xi32>
    %xoff = arith.addi %xrb, %xcb : tensor<16x32xi32>
    %yr = arith.muli %k1, %of_row : tensor<32x1xi32>
    %yrb = tt.broadcast %yr : tensor<32x1xi32> -> tensor<32x64xi32>
    %ycb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<32x64xi32>
    %yoff = arith.addi %yrb, %ycb : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32>) : i32 {
      %base = arith.muli %i, %c2048 : i32
      %bx = tt.splat %base : i32 -> tensor<16x32xi32>
      %by = tt.splat %base : i32 -> tensor<32x64xi32>
      %ax = arith.addi %xoff, %bx : tensor<16x32xi32>
      %ay = arith.addi %yoff, %by : tensor<32x64xi32>
      %px = tt.addptr %xs, %ax : tensor<16x32x!tt.ptr<f16>>, tensor<16x32xi32>
      %py = tt.addptr %ys, %ay : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      %a = tt.load %px : tensor<16x32x!tt.ptr<f16>>
      %b = tt.load %py : tensor<32x64x!tt.ptr<f16>>
      %ps = tt.addptr %s, %i : !tt.ptr<f16>, i32
      %short = tt.load %ps : !tt.ptr<f16>
      %scale = arith.extf %short : f16 to f32
      %half = arith.truncf %scale : f32 to f16
      %scales = tt.splat %half : f16 -> tensor<16x32xf16>
      %scaled = arith.mulf %a, %scales : tensor<16x32xf16>
      %next = tt.dot %scaled, %b, %acc : tensor<16x32xf16> * tensor<32x64xf16> -> tensor<16x64xf32>
      scf.yield %next : tensor<16x64xf32>
    }
    %or = arith.muli %m1, %wide : tensor<16x1xi32>
    %orb = tt.broadcast %or : tensor<16x1xi32> -> tensor<16x64xi32>
    %ocb = tt.broadcast %n0 : tensor<1x64xi32> -> tensor<16x64xi32>
    %oo = arith.addi %orb, %ocb : tensor<16x64xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    tt.store %po, %r : tensor<16x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @masked(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c7_i32 = arith.constant 7 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #mma>
    %cst_1 = arith.constant dense<64> : tensor<16x1xi32, #blocked>
    %cst_2 = arith.constant dense<32> : tensor<16x1xi32, #blocked1>
    %cst_3 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %7 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<16x1xi32, #blocked1>
    %8 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %12 = arith.muli %7, %cst_2 : tensor<16x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<16x1xi32, #blocked1> -> tensor<16x32xi32, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x32xi32, #blocked1> -> tensor<16x32xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<16x32xi32, #blocked1>
    %16 = arith.muli %10, %cst_3 : tensor<32x1xi32, #blocked2>
    %17 = tt.broadcast %16 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %18 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = arith.addi %17, %18 : tensor<32x64xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %22 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<16x64xf32, #mma>)  : i32 {
      %30 = arith.muli %arg5, %c2048_i32 : i32
      %31 = tt.splat %30 : i32 -> tensor<16x32xi32, #blocked1>
      %32 = tt.splat %30 : i32 -> tensor<32x64xi32, #blocked2>
      %33 = arith.addi %15, %31 : tensor<16x32xi32, #blocked1>
      %34 = arith.addi %19, %32 : tensor<32x64xi32, #blocked2>
      %35 = tt.addptr %20, %33 : tensor<16x32x!tt.ptr<f16>, #blocked1>, tensor<16x32xi32, #blocked1>
      %36 = tt.addptr %21, %34 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
      %37 = tt.load %35 {tt.latency = 2 : i32} : tensor<16x32x!tt.ptr<f16>, #blocked1>
      %38 = ttg.convert_layout %37 : tensor<16x32xf16, #blocked1> -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %39 = tt.load %36 {tt.latency = 2 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2>
      %40 = tt.addptr %arg2, %arg5 : !tt.ptr<f32>, i32
      %41 = arith.cmpi slt, %arg5, %c7_i32 : i32
      %42 = tt.splat %40 : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>, #blocked3>
      %43 = tt.splat %41 : i1 -> tensor<1xi1, #blocked3>
      %cst_4 = arith.constant dense<0.000000e+00> : tensor<1xf32, #blocked3>
      %44 = tt.load %42, %43, %cst_4 {tk.small_copy, tt.latency = 2 : i32} : tensor<1x!tt.ptr<f32>, #blocked3>
      %45 = tt.unsplat %44 : tensor<1xf32, #blocked3>
      %46 = arith.truncf %45 : f32 to f16
      %47 = tt.splat %46 : f16 -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %48 = arith.mulf %38, %47 : tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %49 = ttg.convert_layout %39 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %50 = tt.dot %48, %49, %arg6 : tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
      scf.yield %50 : tensor<16x64xf32, #mma>
    }
    %23 = arith.muli %6, %cst_1 : tensor<16x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %25 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %26 = arith.addi %24, %25 : tensor<16x64xi32, #blocked>
    %27 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %26 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %29 = ttg.convert_layout %22 : tensor<16x64xf32, #mma> -> tensor<16x64xf32, #blocked>
    tt.store %28, %29 : tensor<16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @other_number(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %cst = arith.constant 1.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c7_i32 = arith.constant 7 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #mma>
    %cst_1 = arith.constant dense<64> : tensor<16x1xi32, #blocked>
    %cst_2 = arith.constant dense<32> : tensor<16x1xi32, #blocked1>
    %cst_3 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %7 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<16x1xi32, #blocked1>
    %8 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %12 = arith.muli %7, %cst_2 : tensor<16x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<16x1xi32, #blocked1> -> tensor<16x32xi32, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x32xi32, #blocked1> -> tensor<16x32xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<16x32xi32, #blocked1>
    %16 = arith.muli %10, %cst_3 : tensor<32x1xi32, #blocked2>
    %17 = tt.broadcast %16 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %18 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = arith.addi %17, %18 : tensor<32x64xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %22 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<16x64xf32, #mma>)  : i32 {
      %30 = arith.muli %arg5, %c2048_i32 : i32
      %31 = tt.splat %30 : i32 -> tensor<16x32xi32, #blocked1>
      %32 = tt.splat %30 : i32 -> tensor<32x64xi32, #blocked2>
      %33 = arith.addi %15, %31 : tensor<16x32xi32, #blocked1>
      %34 = arith.addi %19, %32 : tensor<32x64xi32, #blocked2>
      %35 = tt.addptr %20, %33 : tensor<16x32x!tt.ptr<f16>, #blocked1>, tensor<16x32xi32, #blocked1>
      %36 = tt.addptr %21, %34 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
      %37 = tt.load %35 {tt.latency = 2 : i32} : tensor<16x32x!tt.ptr<f16>, #blocked1>
      %38 = ttg.convert_layout %37 : tensor<16x32xf16, #blocked1> -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %39 = tt.load %36 {tt.latency = 2 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2>
      %40 = tt.addptr %arg2, %arg5 : !tt.ptr<f32>, i32
      %41 = arith.cmpi slt, %arg5, %c7_i32 : i32
      %42 = tt.load %40, %41, %cst {tt.latency = 2 : i32} : !tt.ptr<f32>
      %43 = arith.truncf %42 : f32 to f16
      %44 = tt.splat %43 : f16 -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %45 = arith.mulf %38, %44 : tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %46 = ttg.convert_layout %39 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %47 = tt.dot %45, %46, %arg6 : tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
      scf.yield %47 : tensor<16x64xf32, #mma>
    }
    %23 = arith.muli %6, %cst_1 : tensor<16x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %25 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %26 = arith.addi %24, %25 : tensor<16x64xi32, #blocked>
    %27 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %26 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %29 = ttg.convert_layout %22 : tensor<16x64xf32, #mma> -> tensor<16x64xf32, #blocked>
    tt.store %28, %29 : tensor<16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @half(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<16x1xi32, #blocked>
    %cst_1 = arith.constant dense<32> : tensor<16x1xi32, #blocked1>
    %cst_2 = arith.constant dense<64> : tensor<32x1xi32, #blocked2>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %6 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %7 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<16x1xi32, #blocked1>
    %8 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %10 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %11 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %12 = arith.muli %7, %cst_1 : tensor<16x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<16x1xi32, #blocked1> -> tensor<16x32xi32, #blocked1>
    %14 = tt.broadcast %11 : tensor<1x32xi32, #blocked1> -> tensor<16x32xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<16x32xi32, #blocked1>
    %16 = arith.muli %10, %cst_2 : tensor<32x1xi32, #blocked2>
    %17 = tt.broadcast %16 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %18 = tt.broadcast %9 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %19 = arith.addi %17, %18 : tensor<32x64xi32, #blocked2>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x32x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %22 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16x64xf32, #mma>)  : i32 {
      %30 = arith.muli %arg5, %c2048_i32 : i32
      %31 = tt.splat %30 : i32 -> tensor<16x32xi32, #blocked1>
      %32 = tt.splat %30 : i32 -> tensor<32x64xi32, #blocked2>
      %33 = arith.addi %15, %31 : tensor<16x32xi32, #blocked1>
      %34 = arith.addi %19, %32 : tensor<32x64xi32, #blocked2>
      %35 = tt.addptr %20, %33 : tensor<16x32x!tt.ptr<f16>, #blocked1>, tensor<16x32xi32, #blocked1>
      %36 = tt.addptr %21, %34 : tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>
      %37 = tt.load %35 {tt.latency = 2 : i32} : tensor<16x32x!tt.ptr<f16>, #blocked1>
      %38 = ttg.convert_layout %37 : tensor<16x32xf16, #blocked1> -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %39 = tt.load %36 {tt.latency = 2 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked2>
      %40 = tt.addptr %arg2, %arg5 : !tt.ptr<f16>, i32
      %41 = tt.load %40 {tt.latency = 2 : i32} : !tt.ptr<f16>
      %42 = tt.splat %41 : f16 -> tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %43 = arith.mulf %38, %42 : tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %44 = ttg.convert_layout %39 : tensor<32x64xf16, #blocked2> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %45 = tt.dot %43, %44, %arg6 : tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
      scf.yield %45 : tensor<16x64xf32, #mma>
    }
    %23 = arith.muli %6, %cst_0 : tensor<16x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %25 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %26 = arith.addi %24, %25 : tensor<16x64xi32, #blocked>
    %27 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %26 : tensor<16x64x!tt.ptr<f32>, #blocked>, tensor<16x64xi32, #blocked>
    %29 = ttg.convert_layout %22 : tensor<16x64xf32, #mma> -> tensor<16x64xf32, #blocked>
    tt.store %28, %29 : tensor<16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

