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
    %c480_i32 = arith.constant 480 : i32
    %c448_i32 = arith.constant 448 : i32
    %c416_i32 = arith.constant 416 : i32
    %c384_i32 = arith.constant 384 : i32
    %c352_i32 = arith.constant 352 : i32
    %c320_i32 = arith.constant 320 : i32
    %c288_i32 = arith.constant 288 : i32
    %c256_i32 = arith.constant 256 : i32
    %c224_i32 = arith.constant 224 : i32
    %c192_i32 = arith.constant 192 : i32
    %c160_i32 = arith.constant 160 : i32
    %c128_i32 = arith.constant 128 : i32
    %c96_i32 = arith.constant 96 : i32
    %c64_i32 = arith.constant 64 : i32
    %c512_i32 = arith.constant 512 : i32
    %c31_i32 = arith.constant 31 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = arith.maxsi %arg1, %c0_i32 : i32
    %2 = arith.addi %1, %c31_i32 : i32
    %3 = arith.divui %2, %c32_i32 : i32
    %4 = arith.remui %3, %c16_i32 : i32
    %5 = arith.subi %3, %4 : i32
    %6 = arith.muli %5, %c32_i32 : i32
    %7 = scf.for %arg2 = %c0_i32 to %6 step %c512_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %26 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %28 = tt.addptr %27, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %29 = tt.load %28 : tensor<32x!tt.ptr<f32>, #blocked>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %31 = arith.addf %arg3, %30 : f32
      %32 = arith.addi %arg2, %c32_i32 : i32
      %33 = tt.addptr %arg0, %32 : !tt.ptr<f32>, i32
      %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %35 = tt.addptr %34, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %36 = tt.load %35 : tensor<32x!tt.ptr<f32>, #blocked>
      %37 = "tt.reduce"(%36) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %38 = arith.addf %31, %37 : f32
      %39 = arith.addi %arg2, %c64_i32 : i32
      %40 = tt.addptr %arg0, %39 : !tt.ptr<f32>, i32
      %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %42 = tt.addptr %41, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %43 = tt.load %42 : tensor<32x!tt.ptr<f32>, #blocked>
      %44 = "tt.reduce"(%43) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %45 = arith.addf %38, %44 : f32
      %46 = arith.addi %arg2, %c96_i32 : i32
      %47 = tt.addptr %arg0, %46 : !tt.ptr<f32>, i32
      %48 = tt.splat %47 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %49 = tt.addptr %48, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %50 = tt.load %49 : tensor<32x!tt.ptr<f32>, #blocked>
      %51 = "tt.reduce"(%50) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %52 = arith.addf %45, %51 : f32
      %53 = arith.addi %arg2, %c128_i32 : i32
      %54 = tt.addptr %arg0, %53 : !tt.ptr<f32>, i32
      %55 = tt.splat %54 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %56 = tt.addptr %55, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %57 = tt.load %56 : tensor<32x!tt.ptr<f32>, #blocked>
      %58 = "tt.reduce"(%57) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %59 = arith.addf %52, %58 : f32
      %60 = arith.addi %arg2, %c160_i32 : i32
      %61 = tt.addptr %arg0, %60 : !tt.ptr<f32>, i32
      %62 = tt.splat %61 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %63 = tt.addptr %62, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %64 = tt.load %63 : tensor<32x!tt.ptr<f32>, #blocked>
      %65 = "tt.reduce"(%64) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %66 = arith.addf %59, %65 : f32
      %67 = arith.addi %arg2, %c192_i32 : i32
      %68 = tt.addptr %arg0, %67 : !tt.ptr<f32>, i32
      %69 = tt.splat %68 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %70 = tt.addptr %69, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %71 = tt.load %70 : tensor<32x!tt.ptr<f32>, #blocked>
      %72 = "tt.reduce"(%71) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %73 = arith.addf %66, %72 : f32
      %74 = arith.addi %arg2, %c224_i32 : i32
      %75 = tt.addptr %arg0, %74 : !tt.ptr<f32>, i32
      %76 = tt.splat %75 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %77 = tt.addptr %76, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %78 = tt.load %77 : tensor<32x!tt.ptr<f32>, #blocked>
      %79 = "tt.reduce"(%78) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %80 = arith.addf %73, %79 : f32
      %81 = arith.addi %arg2, %c256_i32 : i32
      %82 = tt.addptr %arg0, %81 : !tt.ptr<f32>, i32
      %83 = tt.splat %82 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %84 = tt.addptr %83, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %85 = tt.load %84 : tensor<32x!tt.ptr<f32>, #blocked>
      %86 = "tt.reduce"(%85) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %87 = arith.addf %80, %86 : f32
      %88 = arith.addi %arg2, %c288_i32 : i32
      %89 = tt.addptr %arg0, %88 : !tt.ptr<f32>, i32
      %90 = tt.splat %89 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %91 = tt.addptr %90, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %92 = tt.load %91 : tensor<32x!tt.ptr<f32>, #blocked>
      %93 = "tt.reduce"(%92) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %94 = arith.addf %87, %93 : f32
      %95 = arith.addi %arg2, %c320_i32 : i32
      %96 = tt.addptr %arg0, %95 : !tt.ptr<f32>, i32
      %97 = tt.splat %96 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %98 = tt.addptr %97, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %99 = tt.load %98 : tensor<32x!tt.ptr<f32>, #blocked>
      %100 = "tt.reduce"(%99) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %101 = arith.addf %94, %100 : f32
      %102 = arith.addi %arg2, %c352_i32 : i32
      %103 = tt.addptr %arg0, %102 : !tt.ptr<f32>, i32
      %104 = tt.splat %103 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %105 = tt.addptr %104, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %106 = tt.load %105 : tensor<32x!tt.ptr<f32>, #blocked>
      %107 = "tt.reduce"(%106) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %108 = arith.addf %101, %107 : f32
      %109 = arith.addi %arg2, %c384_i32 : i32
      %110 = tt.addptr %arg0, %109 : !tt.ptr<f32>, i32
      %111 = tt.splat %110 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %112 = tt.addptr %111, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %113 = tt.load %112 : tensor<32x!tt.ptr<f32>, #blocked>
      %114 = "tt.reduce"(%113) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %115 = arith.addf %108, %114 : f32
      %116 = arith.addi %arg2, %c416_i32 : i32
      %117 = tt.addptr %arg0, %116 : !tt.ptr<f32>, i32
      %118 = tt.splat %117 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %119 = tt.addptr %118, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %120 = tt.load %119 : tensor<32x!tt.ptr<f32>, #blocked>
      %121 = "tt.reduce"(%120) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %122 = arith.addf %115, %121 : f32
      %123 = arith.addi %arg2, %c448_i32 : i32
      %124 = tt.addptr %arg0, %123 : !tt.ptr<f32>, i32
      %125 = tt.splat %124 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %126 = tt.addptr %125, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %127 = tt.load %126 : tensor<32x!tt.ptr<f32>, #blocked>
      %128 = "tt.reduce"(%127) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %129 = arith.addf %122, %128 : f32
      %130 = arith.addi %arg2, %c480_i32 : i32
      %131 = tt.addptr %arg0, %130 : !tt.ptr<f32>, i32
      %132 = tt.splat %131 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %133 = tt.addptr %132, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %134 = tt.load %133 : tensor<32x!tt.ptr<f32>, #blocked>
      %135 = "tt.reduce"(%134) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %137 = arith.addf %arg4, %arg5 : f32
        tt.reduce.return %137 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %136 = arith.addf %129, %135 : f32
      scf.yield %136 : f32
    } {tk.written_once}
    %8 = arith.andi %4, %c8_i32 : i32
    %9 = arith.cmpi ne, %8, %c0_i32 : i32
    %10 = scf.if %9 -> (f32) {
      %26 = tt.addptr %arg0, %6 : !tt.ptr<f32>, i32
      %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %28 = tt.addptr %27, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %29 = tt.load %28 : tensor<32x!tt.ptr<f32>, #blocked>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %31 = arith.addf %7, %30 : f32
      %32 = arith.addi %6, %c32_i32 : i32
      %33 = tt.addptr %arg0, %32 : !tt.ptr<f32>, i32
      %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %35 = tt.addptr %34, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %36 = tt.load %35 : tensor<32x!tt.ptr<f32>, #blocked>
      %37 = "tt.reduce"(%36) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %38 = arith.addf %31, %37 : f32
      %39 = arith.addi %6, %c64_i32 : i32
      %40 = tt.addptr %arg0, %39 : !tt.ptr<f32>, i32
      %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %42 = tt.addptr %41, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %43 = tt.load %42 : tensor<32x!tt.ptr<f32>, #blocked>
      %44 = "tt.reduce"(%43) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %45 = arith.addf %38, %44 : f32
      %46 = arith.addi %6, %c96_i32 : i32
      %47 = tt.addptr %arg0, %46 : !tt.ptr<f32>, i32
      %48 = tt.splat %47 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %49 = tt.addptr %48, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %50 = tt.load %49 : tensor<32x!tt.ptr<f32>, #blocked>
      %51 = "tt.reduce"(%50) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %52 = arith.addf %45, %51 : f32
      %53 = arith.addi %6, %c128_i32 : i32
      %54 = tt.addptr %arg0, %53 : !tt.ptr<f32>, i32
      %55 = tt.splat %54 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %56 = tt.addptr %55, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %57 = tt.load %56 : tensor<32x!tt.ptr<f32>, #blocked>
      %58 = "tt.reduce"(%57) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %59 = arith.addf %52, %58 : f32
      %60 = arith.addi %6, %c160_i32 : i32
      %61 = tt.addptr %arg0, %60 : !tt.ptr<f32>, i32
      %62 = tt.splat %61 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %63 = tt.addptr %62, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %64 = tt.load %63 : tensor<32x!tt.ptr<f32>, #blocked>
      %65 = "tt.reduce"(%64) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %66 = arith.addf %59, %65 : f32
      %67 = arith.addi %6, %c192_i32 : i32
      %68 = tt.addptr %arg0, %67 : !tt.ptr<f32>, i32
      %69 = tt.splat %68 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %70 = tt.addptr %69, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %71 = tt.load %70 : tensor<32x!tt.ptr<f32>, #blocked>
      %72 = "tt.reduce"(%71) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %73 = arith.addf %66, %72 : f32
      %74 = arith.addi %6, %c224_i32 : i32
      %75 = tt.addptr %arg0, %74 : !tt.ptr<f32>, i32
      %76 = tt.splat %75 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %77 = tt.addptr %76, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %78 = tt.load %77 : tensor<32x!tt.ptr<f32>, #blocked>
      %79 = "tt.reduce"(%78) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %81 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %81 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %80 = arith.addf %73, %79 : f32
      scf.yield %80 : f32
    } else {
      scf.yield %7 : f32
    }
    %11 = arith.muli %8, %c32_i32 : i32
    %12 = arith.addi %6, %11 : i32
    %13 = arith.andi %4, %c4_i32 : i32
    %14 = arith.cmpi ne, %13, %c0_i32 : i32
    %15 = scf.if %14 -> (f32) {
      %26 = tt.addptr %arg0, %12 : !tt.ptr<f32>, i32
      %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %28 = tt.addptr %27, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %29 = tt.load %28 : tensor<32x!tt.ptr<f32>, #blocked>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %53 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %53 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %31 = arith.addf %10, %30 : f32
      %32 = arith.addi %12, %c32_i32 : i32
      %33 = tt.addptr %arg0, %32 : !tt.ptr<f32>, i32
      %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %35 = tt.addptr %34, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %36 = tt.load %35 : tensor<32x!tt.ptr<f32>, #blocked>
      %37 = "tt.reduce"(%36) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %53 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %53 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %38 = arith.addf %31, %37 : f32
      %39 = arith.addi %12, %c64_i32 : i32
      %40 = tt.addptr %arg0, %39 : !tt.ptr<f32>, i32
      %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %42 = tt.addptr %41, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %43 = tt.load %42 : tensor<32x!tt.ptr<f32>, #blocked>
      %44 = "tt.reduce"(%43) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %53 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %53 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %45 = arith.addf %38, %44 : f32
      %46 = arith.addi %12, %c96_i32 : i32
      %47 = tt.addptr %arg0, %46 : !tt.ptr<f32>, i32
      %48 = tt.splat %47 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %49 = tt.addptr %48, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %50 = tt.load %49 : tensor<32x!tt.ptr<f32>, #blocked>
      %51 = "tt.reduce"(%50) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %53 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %53 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %52 = arith.addf %45, %51 : f32
      scf.yield %52 : f32
    } else {
      scf.yield %10 : f32
    }
    %16 = arith.muli %13, %c32_i32 : i32
    %17 = arith.addi %12, %16 : i32
    %18 = arith.andi %4, %c2_i32 : i32
    %19 = arith.cmpi ne, %18, %c0_i32 : i32
    %20 = scf.if %19 -> (f32) {
      %26 = tt.addptr %arg0, %17 : !tt.ptr<f32>, i32
      %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %28 = tt.addptr %27, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %29 = tt.load %28 : tensor<32x!tt.ptr<f32>, #blocked>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %39 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %39 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %31 = arith.addf %15, %30 : f32
      %32 = arith.addi %17, %c32_i32 : i32
      %33 = tt.addptr %arg0, %32 : !tt.ptr<f32>, i32
      %34 = tt.splat %33 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %35 = tt.addptr %34, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %36 = tt.load %35 : tensor<32x!tt.ptr<f32>, #blocked>
      %37 = "tt.reduce"(%36) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %39 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %39 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %38 = arith.addf %31, %37 : f32
      scf.yield %38 : f32
    } else {
      scf.yield %15 : f32
    }
    %21 = arith.muli %18, %c32_i32 : i32
    %22 = arith.addi %17, %21 : i32
    %23 = arith.andi %4, %c1_i32 : i32
    %24 = arith.cmpi ne, %23, %c0_i32 : i32
    %25 = scf.if %24 -> (f32) {
      %26 = tt.addptr %arg0, %22 : !tt.ptr<f32>, i32
      %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %28 = tt.addptr %27, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %29 = tt.load %28 : tensor<32x!tt.ptr<f32>, #blocked>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %32 = arith.addf %arg2, %arg3 : f32
        tt.reduce.return %32 : f32
      }) : (tensor<32xf32, #blocked>) -> f32
      %31 = arith.addf %20, %30 : f32
      scf.yield %31 : f32
    } else {
      scf.yield %20 : f32
    }
    tt.return %25 : f32
  }
}

