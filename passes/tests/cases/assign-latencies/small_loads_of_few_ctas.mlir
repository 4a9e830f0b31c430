// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,accelerate-matmul,remove-layout-conversions,optimize-dot-operands,cse,licm,canonicalize,assign-latencies
// stages: 4
// grid: few
// counts: {tt.latency 3
module {
  // The grid has one CTA for a multiprocessor: the scale of a row is as far ahead as the blocks.
  tt.func public @scaled(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %acc0 = arith.constant dense<0.0> : tensor<64x64xf32>
    %width = arith.constant dense<64> : tensor<64x1xi32>
    %m = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %m0 = tt.expand_dims %m {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rows = arith.muli %m1, %width : tensor<64x1xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %cb = tt.broadcast %m0 : tensor<1x64xi32> -> tensor<64x64xi32>
    %off = arith.addi %rb, %cb : tensor<64x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ys = tt.splat %y : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %ss = tt.splat %scales : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %acc0) -> (tensor<64x64xf32>) : i32 {
      %base = arith.muli %i, %c64 : i32
      %bs = tt.splat %base : i32 -> tensor<64x64xi32>
      %at = arith.addi %off, %bs : tensor<64x64xi32>
      %px = tt.addptr %xs, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %py = tt.addptr %ys, %at : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %b1 = tt.splat %base : i32 -> tensor<64xi32>
      %sat = arith.addi %m, %b1 : tensor<64xi32>
      %ps = tt.addptr %ss, %sat : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %a = tt.load %px : tensor<64x64x!tt.ptr<f16>>
      %b = tt.load %py : tensor<64x64x!tt.ptr<f16>>
      %s = tt.load %ps : tensor<64x!tt.ptr<f32>>
      %s1 = tt.expand_dims %s {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %sb = tt.broadcast %s1 : tensor<64x1xf32> -> tensor<64x64xf32>
      %scaled = arith.mulf %acc, %sb : tensor<64x64xf32>
      %d = tt.dot %a, %b, %scaled : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %po = tt.addptr %os, %off : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %po, %r : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %6 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %7 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %8 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %9 = arith.muli %5, %cst_0 : tensor<64x1xi32, #blocked>
    %10 = arith.muli %6, %cst_1 : tensor<64x1xi32, #blocked1>
    %11 = tt.broadcast %9 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %12 = tt.broadcast %10 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %13 = tt.broadcast %7 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %14 = tt.broadcast %8 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %15 = arith.addi %11, %13 : tensor<64x64xi32, #blocked>
    %16 = arith.addi %12, %14 : tensor<64x64xi32, #blocked1>
    %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %18 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %19 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    %20 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %24 = arith.muli %arg5, %c64_i32 : i32
      %25 = tt.splat %24 : i32 -> tensor<64x64xi32, #blocked1>
      %26 = arith.addi %16, %25 : tensor<64x64xi32, #blocked1>
      %27 = tt.addptr %17, %26 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %28 = tt.addptr %18, %26 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %29 = tt.splat %24 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %30 = arith.addi %0, %29 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %31 = tt.addptr %19, %30 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %32 = tt.load %27 {tt.latency = 3 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1>
      %33 = ttg.local_alloc %32 : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %34 = tt.load %28 {tt.latency = 3 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1>
      %35 = ttg.local_alloc %34 : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %36 = tt.load %31 {tt.latency = 3 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %37 = tt.expand_dims %36 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %38 = tt.broadcast %37 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %39 = arith.mulf %arg6, %38 : tensor<64x64xf32, #mma>
      %40 = ttng.warp_group_dot %33, %35, %39 : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %40 : tensor<64x64xf32, #mma>
    }
    %21 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %22 = tt.addptr %21, %15 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %23 = ttg.convert_layout %20 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %22, %23 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

