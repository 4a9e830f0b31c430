// passes: loop-unroll,canonicalize,cse
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both halves of a row are stored where they were loaded, and each iteration has another row: all loads are first.
  tt.func public @halves(%p: !tt.ptr<f16>, %first: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %width = arith.constant 256 : i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %half = arith.constant dense<128> : tensor<128xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #b>
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %row = arith.muli %i, %width : i32
      %from = arith.addi %row, %first : i32
      %froms = tt.splat %from : i32 -> tensor<128xi32, #b>
      %left = arith.addi %froms, %lane : tensor<128xi32, #b>
      %right = arith.addi %left, %half : tensor<128xi32, #b>
      %pl = tt.addptr %ps, %left : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
      %pr = tt.addptr %ps, %right : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
      %l = tt.load %pl : tensor<128x!tt.ptr<f16>, #b>
      %r = tt.load %pr : tensor<128x!tt.ptr<f16>, #b>
      tt.store %pl, %r : tensor<128x!tt.ptr<f16>, #b>
      tt.store %pr, %l : tensor<128x!tt.ptr<f16>, #b>
    }
    tt.return
  }
  // The mask lets half of the lanes through: rows of 128 are apart, too.
  tt.func public @masked(%p: !tt.ptr<f16>, %first: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %width = arith.constant 128 : i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %half = arith.constant dense<64> : tensor<128xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #b>
    %cols = arith.constant dense<64> : tensor<128xi32, #b>
    %mask = arith.cmpi slt, %lane, %cols : tensor<128xi32, #b>
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %row = arith.muli %i, %width : i32
      %from = arith.addi %row, %first : i32
      %froms = tt.splat %from : i32 -> tensor<128xi32, #b>
      %left = arith.addi %froms, %lane : tensor<128xi32, #b>
      %right = arith.addi %left, %half : tensor<128xi32, #b>
      %pl = tt.addptr %ps, %left : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
      %pr = tt.addptr %ps, %right : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
      %l = tt.load %pl, %mask : tensor<128x!tt.ptr<f16>, #b>
      %r = tt.load %pr, %mask : tensor<128x!tt.ptr<f16>, #b>
      tt.store %pl, %r, %mask : tensor<128x!tt.ptr<f16>, #b>
      tt.store %pr, %l, %mask : tensor<128x!tt.ptr<f16>, #b>
    }
    tt.return
  }
  // The next iteration loads what this one stored: its loads stay behind the stores.
  tt.func public @overlapping(%p: !tt.ptr<f16>, %first: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %width = arith.constant 128 : i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %half = arith.constant dense<64> : tensor<128xi32, #b>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #b>
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %row = arith.muli %i, %width : i32
      %from = arith.addi %row, %first : i32
      %froms = tt.splat %from : i32 -> tensor<128xi32, #b>
      %left = arith.addi %froms, %lane : tensor<128xi32, #b>
      %right = arith.addi %left, %half : tensor<128xi32, #b>
      %pl = tt.addptr %ps, %left : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
      %pr = tt.addptr %ps, %right : tensor<128x!tt.ptr<f16>, #b>, tensor<128xi32, #b>
      %l = tt.load %pl : tensor<128x!tt.ptr<f16>, #b>
      %r = tt.load %pr : tensor<128x!tt.ptr<f16>, #b>
      tt.store %pl, %r : tensor<128x!tt.ptr<f16>, #b>
      tt.store %pr, %l : tensor<128x!tt.ptr<f16>, #b>
    }
    tt.return
  }
  // Warps keep the reduction to themselves.
  tt.func public @rows(%p: !tt.ptr<f32>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f32
    %lane = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #b>
    %sum = scf.for %i = %c0 to %n step %c32 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %all = tt.splat %q : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #b>
      %each = tt.addptr %all, %lane : tensor<32x!tt.ptr<f32>, #b>, tensor<32xi32, #b>
      %v = tt.load %each : tensor<32x!tt.ptr<f32>, #b>
      %row = "tt.reduce"(%v) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        tt.reduce.return %t : f32
      }) : (tensor<32xf32, #b>) -> f32
      %next = arith.addf %acc, %row : f32
      scf.yield %next : f32
    }
    tt.return %sum : f32
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @halves(%arg0: !tt.ptr<f16>, %arg1: i32) {
    %c768_i32 = arith.constant 768 : i32
    %c512_i32 = arith.constant 512 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<128> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %2 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %3 = arith.addi %2, %0 : tensor<128xi32, #blocked>
    %4 = arith.addi %3, %cst : tensor<128xi32, #blocked>
    %5 = tt.addptr %1, %3 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %1, %4 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.load %5 : tensor<128x!tt.ptr<f16>, #blocked>
    %8 = tt.load %6 : tensor<128x!tt.ptr<f16>, #blocked>
    %9 = arith.addi %arg1, %c256_i32 : i32
    %10 = tt.splat %9 : i32 -> tensor<128xi32, #blocked>
    %11 = arith.addi %10, %0 : tensor<128xi32, #blocked>
    %12 = arith.addi %11, %cst : tensor<128xi32, #blocked>
    %13 = tt.addptr %1, %11 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %14 = tt.addptr %1, %12 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %15 = tt.load %13 : tensor<128x!tt.ptr<f16>, #blocked>
    %16 = tt.load %14 : tensor<128x!tt.ptr<f16>, #blocked>
    %17 = arith.addi %arg1, %c512_i32 : i32
    %18 = tt.splat %17 : i32 -> tensor<128xi32, #blocked>
    %19 = arith.addi %18, %0 : tensor<128xi32, #blocked>
    %20 = arith.addi %19, %cst : tensor<128xi32, #blocked>
    %21 = tt.addptr %1, %19 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %22 = tt.addptr %1, %20 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %23 = tt.load %21 : tensor<128x!tt.ptr<f16>, #blocked>
    %24 = tt.load %22 : tensor<128x!tt.ptr<f16>, #blocked>
    %25 = arith.addi %arg1, %c768_i32 : i32
    %26 = tt.splat %25 : i32 -> tensor<128xi32, #blocked>
    %27 = arith.addi %26, %0 : tensor<128xi32, #blocked>
    %28 = arith.addi %27, %cst : tensor<128xi32, #blocked>
    %29 = tt.addptr %1, %27 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %30 = tt.addptr %1, %28 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %31 = tt.load %29 : tensor<128x!tt.ptr<f16>, #blocked>
    %32 = tt.load %30 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %5, %8 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %6, %7 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %13, %16 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %14, %15 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %21, %24 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %22, %23 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %29, %32 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %30, %31 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @masked(%arg0: !tt.ptr<f16>, %arg1: i32) {
    %c384_i32 = arith.constant 384 : i32
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<64> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %2 = arith.cmpi slt, %0, %cst : tensor<128xi32, #blocked>
    %3 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %4 = arith.addi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.addi %4, %cst : tensor<128xi32, #blocked>
    %6 = tt.addptr %1, %4 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.addptr %1, %5 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.load %6, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    %9 = tt.load %7, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    %10 = arith.addi %arg1, %c128_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<128xi32, #blocked>
    %12 = arith.addi %11, %0 : tensor<128xi32, #blocked>
    %13 = arith.addi %12, %cst : tensor<128xi32, #blocked>
    %14 = tt.addptr %1, %12 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %15 = tt.addptr %1, %13 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %16 = tt.load %14, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    %17 = tt.load %15, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    %18 = arith.addi %arg1, %c256_i32 : i32
    %19 = tt.splat %18 : i32 -> tensor<128xi32, #blocked>
    %20 = arith.addi %19, %0 : tensor<128xi32, #blocked>
    %21 = arith.addi %20, %cst : tensor<128xi32, #blocked>
    %22 = tt.addptr %1, %20 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %23 = tt.addptr %1, %21 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %24 = tt.load %22, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    %25 = tt.load %23, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    %26 = arith.addi %arg1, %c384_i32 : i32
    %27 = tt.splat %26 : i32 -> tensor<128xi32, #blocked>
    %28 = arith.addi %27, %0 : tensor<128xi32, #blocked>
    %29 = arith.addi %28, %cst : tensor<128xi32, #blocked>
    %30 = tt.addptr %1, %28 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %31 = tt.addptr %1, %29 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %32 = tt.load %30, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    %33 = tt.load %31, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %6, %9, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %7, %8, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %14, %17, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %15, %16, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %22, %25, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %23, %24, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %30, %33, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %31, %32, %2 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @overlapping(%arg0: !tt.ptr<f16>, %arg1: i32) {
    %c384_i32 = arith.constant 384 : i32
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<64> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %2 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %3 = arith.addi %2, %0 : tensor<128xi32, #blocked>
    %4 = arith.addi %3, %cst : tensor<128xi32, #blocked>
    %5 = tt.addptr %1, %3 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %1, %4 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.load %5 : tensor<128x!tt.ptr<f16>, #blocked>
    %8 = tt.load %6 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %5, %8 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %6, %7 : tensor<128x!tt.ptr<f16>, #blocked>
    %9 = arith.addi %arg1, %c128_i32 : i32
    %10 = tt.splat %9 : i32 -> tensor<128xi32, #blocked>
    %11 = arith.addi %10, %0 : tensor<128xi32, #blocked>
    %12 = arith.addi %11, %cst : tensor<128xi32, #blocked>
    %13 = tt.addptr %1, %11 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %14 = tt.addptr %1, %12 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %15 = tt.load %13 : tensor<128x!tt.ptr<f16>, #blocked>
    %16 = tt.load %14 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %13, %16 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %14, %15 : tensor<128x!tt.ptr<f16>, #blocked>
    %17 = arith.addi %arg1, %c256_i32 : i32
    %18 = tt.splat %17 : i32 -> tensor<128xi32, #blocked>
    %19 = arith.addi %18, %0 : tensor<128xi32, #blocked>
    %20 = arith.addi %19, %cst : tensor<128xi32, #blocked>
    %21 = tt.addptr %1, %19 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %22 = tt.addptr %1, %20 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %23 = tt.load %21 : tensor<128x!tt.ptr<f16>, #blocked>
    %24 = tt.load %22 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %21, %24 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %22, %23 : tensor<128x!tt.ptr<f16>, #blocked>
    %25 = arith.addi %arg1, %c384_i32 : i32
    %26 = tt.splat %25 : i32 -> tensor<128xi32, #blocked>
    %27 = arith.addi %26, %0 : tensor<128xi32, #blocked>
    %28 = arith.addi %27, %cst : tensor<128xi32, #blocked>
    %29 = tt.addptr %1, %27 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %30 = tt.addptr %1, %28 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %31 = tt.load %29 : tensor<128x!tt.ptr<f16>, #blocked>
    %32 = tt.load %30 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %29, %32 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %30, %31 : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @rows(%arg0: !tt.ptr<f32>, %arg1: i32) -> f32 {
    %c96_i32 = arith.constant 96 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c31_i32 = arith.constant 31 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = arith.maxsi %arg1, %c0_i32 : i32
    %2 = arith.addi %1, %c31_i32 : i32
    %3 = arith.divui %2, %c32_i32 : i32
    %4 = arith.remui %3, %c4_i32 : i32
    %5 = arith.subi %3, %4 : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = scf.for %arg2 = %c0_i32 to %6 step %c128_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %9 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %10 = tt.splat %9 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %11 = tt.addptr %10, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %12 = tt.load %11 : tensor<32x!tt.ptr<f32>, #blocked>
      %13 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %36 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %36 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %14 = arith.addf %arg3, %13 : f32
      %15 = arith.addi %arg2, %c32_i32 : i32
      %16 = tt.addptr %arg0, %15 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %19 = tt.load %18 : tensor<32x!tt.ptr<f32>, #blocked>
      %20 = "tt.reduce"(%19) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %36 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %36 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %21 = arith.addf %14, %20 : f32
      %22 = arith.addi %arg2, %c64_i32 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f32>, i32
      %24 = tt.splat %23 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %25 = tt.addptr %24, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %26 = tt.load %25 : tensor<32x!tt.ptr<f32>, #blocked>
      %27 = "tt.reduce"(%26) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %36 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %36 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %28 = arith.addf %21, %27 : f32
      %29 = arith.addi %arg2, %c96_i32 : i32
      %30 = tt.addptr %arg0, %29 : !tt.ptr<f32>, i32
      %31 = tt.splat %30 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %32 = tt.addptr %31, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %33 = tt.load %32 : tensor<32x!tt.ptr<f32>, #blocked>
      %34 = "tt.reduce"(%33) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %36 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %36 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %35 = arith.addf %28, %34 : f32
      scf.yield %35 : f32
    }
    %8 = scf.for %arg2 = %6 to %arg1 step %c32_i32 iter_args(%arg3 = %7) -> (f32)  : i32 {
      %9 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %10 = tt.splat %9 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %11 = tt.addptr %10, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %12 = tt.load %11 : tensor<32x!tt.ptr<f32>, #blocked>
      %13 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %15 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %15 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %14 = arith.addf %arg3, %13 : f32
      scf.yield %14 : f32
    }
    tt.return %8 : f32
  }
}

