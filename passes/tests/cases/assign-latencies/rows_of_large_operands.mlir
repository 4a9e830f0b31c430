// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,accelerate-matmul,remove-layout-conversions,optimize-dot-operands,cse,licm,canonicalize,assign-latencies
// stages: 3
// counts: tt.latency 1, {tt.latency 2
module {
  // Buffers of 32768 bytes leave room for few warps: the number that scales each row of an operand is copied with the blocks.
  tt.func public @rows(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c16384 = arith.constant 16384 : i32
    %zero = arith.constant dense<0.0> : tensor<16x256xf32>
    %wide = arith.constant dense<256> : tensor<16x1xi32>
    %narrow = arith.constant dense<64> : tensor<16x1xi32>
    %of_row = arith.constant dense<256> : tensor<64x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %c = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %k = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %n0 = tt.expand_dims %c {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %k1 = tt.expand_dims %k {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %k0 = tt.expand_dims %k {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %xr = arith.muli %m1, %narrow : tensor<16x1xi32>
    %xrb = tt.broadcast %xr : tensor<16x1xi32> -> tensor<16x64xi32>
    %xcb = tt.broadcast %k0 : tensor<1x64xi32> -> tensor<16x64xi32>
    %xoff = arith.addi %xrb, %xcb : tensor<16x64xi32>
    %yr = arith.muli %k1, %of_row : tensor<64x1xi32>
    %yrb = tt.broadcast %yr : tensor<64x1xi32> -> tensor<64x256xi32>
    %ycb = tt.broadcast %n0 : tensor<1x256xi32> -> tensor<64x256xi32>
    %yoff = arith.addi %yrb, %ycb : tensor<64x256xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %ss = tt.splat %s : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x256xf32>) : i32 {
      %base = arith.muli %i, %c16384 : i32
      %bx = tt.splat %base : i32 -> tensor<16x64xi32>
      %by = tt.splat %base : i32 -> tensor<64x256xi32>
      %ax = arith.addi %xoff, %bx : tensor<16x64xi32>
      %ay = arith.addi %yoff, %by : tensor<64x256xi32>
      %px = tt.addptr %xs, %ax : tensor<16x64x!tt.ptr<f16>>, tensor<16x64xi32>
      %py = tt.addptr %ys, %ay : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      %a = tt.load %px : tensor<16x64x!tt.ptr<f16>>
      %b = tt.load %py : tensor<64x256x!tt.ptr<f16>>
      %of = arith.muli %i, %c16 : i32
      %ofs = tt.splat %of : i32 -> tensor<16xi32>
      %so = arith.addi %ofs, %m : tensor<16xi32>
      %ps = tt.addptr %ss, %so : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %scale = tt.load %ps : tensor<16x!tt.ptr<f32>>
      %half = arith.truncf %scale : tensor<16xf32> to tensor<16xf16>
      %column = tt.expand_dims %half {axis = 1 : i32} : tensor<16xf16> -> tensor<16x1xf16>
      %scales = tt.broadcast %column : tensor<16x1xf16> -> tensor<16x64xf16>
      %scaled = arith.mulf %a, %scales : tensor<16x64xf16>
      %next = tt.dot %scaled, %b, %acc : tensor<16x64xf16> * tensor<64x256xf16> -> tensor<16x256xf32>
      scf.yield %next : tensor<16x256xf32>
    }
    %or = arith.muli %m1, %wide : tensor<16x1xi32>
    %orb = tt.broadcast %or : tensor<16x1xi32> -> tensor<16x256xi32>
    %ocb = tt.broadcast %n0 : tensor<1x256xi32> -> tensor<16x256xi32>
    %oo = arith.addi %orb, %ocb : tensor<16x256xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<16x256x!tt.ptr<f32>>
    %po = tt.addptr %os, %oo : tensor<16x256x!tt.ptr<f32>>, tensor<16x256xi32>
    tt.store %po, %r : tensor<16x256x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c16384_i32 = arith.constant 16384 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x256xf32, #mma>
    %cst_0 = arith.constant dense<256> : tensor<16x1xi32, #blocked>
    %cst_1 = arith.constant dense<64> : tensor<16x1xi32, #blocked1>
    %cst_2 = arith.constant dense<256> : tensor<64x1xi32, #blocked2>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %7 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %8 = tt.expand_dims %2 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<16x1xi32, #blocked1>
    %9 = tt.expand_dims %3 {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x256xi32, #blocked>
    %10 = tt.expand_dims %4 {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x256xi32, #blocked2>
    %11 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %12 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %13 = arith.muli %8, %cst_1 : tensor<16x1xi32, #blocked1>
    %14 = tt.broadcast %13 : tensor<16x1xi32, #blocked1> -> tensor<16x64xi32, #blocked1>
    %15 = tt.broadcast %12 : tensor<1x64xi32, #blocked1> -> tensor<16x64xi32, #blocked1>
    %16 = arith.addi %14, %15 : tensor<16x64xi32, #blocked1>
    %17 = arith.muli %11, %cst_2 : tensor<64x1xi32, #blocked2>
    %18 = tt.broadcast %17 : tensor<64x1xi32, #blocked2> -> tensor<64x256xi32, #blocked2>
    %19 = tt.broadcast %10 : tensor<1x256xi32, #blocked2> -> tensor<64x256xi32, #blocked2>
    %20 = arith.addi %18, %19 : tensor<64x256xi32, #blocked2>
    %21 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x64x!tt.ptr<f16>, #blocked1>
    %22 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>, #blocked2>
    %23 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %24 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16x256xf32, #mma>)  : i32 {
      %32 = arith.muli %arg5, %c16384_i32 : i32
      %33 = tt.splat %32 : i32 -> tensor<16x64xi32, #blocked1>
      %34 = tt.splat %32 : i32 -> tensor<64x256xi32, #blocked2>
      %35 = arith.addi %16, %33 : tensor<16x64xi32, #blocked1>
      %36 = arith.addi %20, %34 : tensor<64x256xi32, #blocked2>
      %37 = tt.addptr %21, %35 : tensor<16x64x!tt.ptr<f16>, #blocked1>, tensor<16x64xi32, #blocked1>
      %38 = tt.addptr %22, %36 : tensor<64x256x!tt.ptr<f16>, #blocked2>, tensor<64x256xi32, #blocked2>
      %39 = tt.load %37 {tt.latency = 2 : i32} : tensor<16x64x!tt.ptr<f16>, #blocked1>
      %40 = ttg.convert_layout %39 : tensor<16x64xf16, #blocked1> -> tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %41 = tt.load %38 {tt.latency = 2 : i32} : tensor<64x256x!tt.ptr<f16>, #blocked2>
      %42 = arith.muli %arg5, %c16_i32 : i32
      %43 = tt.splat %42 : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
      %44 = arith.addi %43, %0 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
      %45 = tt.addptr %23, %44 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
      %46 = tt.load %45 {tk.small_copy, tt.latency = 2 : i32} : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
      %47 = arith.truncf %46 : tensor<16xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>> to tensor<16xf16, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
      %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<16xf16, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>> -> tensor<16x1xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %49 = tt.broadcast %48 : tensor<16x1xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> -> tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %50 = arith.mulf %40, %49 : tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %51 = ttg.convert_layout %41 : tensor<64x256xf16, #blocked2> -> tensor<64x256xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %52 = tt.dot %50, %51, %arg6 : tensor<16x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x256xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x256xf32, #mma>
      scf.yield %52 : tensor<16x256xf32, #mma>
    }
    %25 = arith.muli %7, %cst_0 : tensor<16x1xi32, #blocked>
    %26 = tt.broadcast %25 : tensor<16x1xi32, #blocked> -> tensor<16x256xi32, #blocked>
    %27 = tt.broadcast %9 : tensor<1x256xi32, #blocked> -> tensor<16x256xi32, #blocked>
    %28 = arith.addi %26, %27 : tensor<16x256xi32, #blocked>
    %29 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<16x256x!tt.ptr<f32>, #blocked>
    %30 = tt.addptr %29, %28 : tensor<16x256x!tt.ptr<f32>, #blocked>, tensor<16x256xi32, #blocked>
    %31 = ttg.convert_layout %24 : tensor<16x256xf32, #mma> -> tensor<16x256xf32, #blocked>
    tt.store %30, %31 : tensor<16x256x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

