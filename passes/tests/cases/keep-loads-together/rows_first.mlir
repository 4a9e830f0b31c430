// passes: keep-loads-together
// grid: few
// counts: gpu.barrier 1
// Rows are loaded before the numbers whose chain of exponentials scales them.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Five parts.
  tt.func public @merge(%m: !tt.ptr<f32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %length = arith.constant 64 : i32
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %m0 = tt.load %m : !tt.ptr<f32>
    %p0 = tt.addptr %xs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %sum0 = tt.load %p0 : tensor<64x!tt.ptr<f32>, #one>
    %i1 = arith.constant 1 : i32
    %a1 = tt.addptr %m, %i1 : !tt.ptr<f32>, i32
    %w1 = tt.load %a1 : !tt.ptr<f32>
    %row1 = arith.muli %n, %i1 : i32
    %o1 = arith.muli %row1, %length : i32
    %os1 = tt.splat %o1 : i32 -> tensor<64xi32, #one>
    %at1 = arith.addi %os1, %range : tensor<64xi32, #one>
    %p1 = tt.addptr %xs, %at1 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x1 = tt.load %p1 : tensor<64x!tt.ptr<f32>, #one>
    %d1 = arith.subf %m0, %w1 : f32
    %m1 = math.exp2 %d1 : f32
    %s1 = tt.splat %m1 : f32 -> tensor<64xf32, #one>
    %y1 = arith.mulf %x1, %s1 : tensor<64xf32, #one>
    %sum1 = arith.addf %sum0, %y1 : tensor<64xf32, #one>
    %i2 = arith.constant 2 : i32
    %a2 = tt.addptr %m, %i2 : !tt.ptr<f32>, i32
    %w2 = tt.load %a2 : !tt.ptr<f32>
    %row2 = arith.muli %n, %i2 : i32
    %o2 = arith.muli %row2, %length : i32
    %os2 = tt.splat %o2 : i32 -> tensor<64xi32, #one>
    %at2 = arith.addi %os2, %range : tensor<64xi32, #one>
    %p2 = tt.addptr %xs, %at2 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x2 = tt.load %p2 : tensor<64x!tt.ptr<f32>, #one>
    %d2 = arith.subf %m1, %w2 : f32
    %m2 = math.exp2 %d2 : f32
    %s2 = tt.splat %m2 : f32 -> tensor<64xf32, #one>
    %y2 = arith.mulf %x2, %s2 : tensor<64xf32, #one>
    %sum2 = arith.addf %sum1, %y2 : tensor<64xf32, #one>
    %i3 = arith.constant 3 : i32
    %a3 = tt.addptr %m, %i3 : !tt.ptr<f32>, i32
    %w3 = tt.load %a3 : !tt.ptr<f32>
    %row3 = arith.muli %n, %i3 : i32
    %o3 = arith.muli %row3, %length : i32
    %os3 = tt.splat %o3 : i32 -> tensor<64xi32, #one>
    %at3 = arith.addi %os3, %range : tensor<64xi32, #one>
    %p3 = tt.addptr %xs, %at3 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x3 = tt.load %p3 : tensor<64x!tt.ptr<f32>, #one>
    %d3 = arith.subf %m2, %w3 : f32
    %m3 = math.exp2 %d3 : f32
    %s3 = tt.splat %m3 : f32 -> tensor<64xf32, #one>
    %y3 = arith.mulf %x3, %s3 : tensor<64xf32, #one>
    %sum3 = arith.addf %sum2, %y3 : tensor<64xf32, #one>
    %i4 = arith.constant 4 : i32
    %a4 = tt.addptr %m, %i4 : !tt.ptr<f32>, i32
    %w4 = tt.load %a4 : !tt.ptr<f32>
    %row4 = arith.muli %n, %i4 : i32
    %o4 = arith.muli %row4, %length : i32
    %os4 = tt.splat %o4 : i32 -> tensor<64xi32, #one>
    %at4 = arith.addi %os4, %range : tensor<64xi32, #one>
    %p4 = tt.addptr %xs, %at4 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x4 = tt.load %p4 : tensor<64x!tt.ptr<f32>, #one>
    %d4 = arith.subf %m3, %w4 : f32
    %m4 = math.exp2 %d4 : f32
    %s4 = tt.splat %m4 : f32 -> tensor<64xf32, #one>
    %y4 = arith.mulf %x4, %s4 : tensor<64xf32, #one>
    %sum4 = arith.addf %sum3, %y4 : tensor<64xf32, #one>
    tt.store %q, %sum4 : tensor<64x!tt.ptr<f32>, #one>
    tt.return
  }
  // Three parts: most loads are there before the first wait.
  tt.func public @few(%m: !tt.ptr<f32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %length = arith.constant 64 : i32
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %m0 = tt.load %m : !tt.ptr<f32>
    %p0 = tt.addptr %xs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %sum0 = tt.load %p0 : tensor<64x!tt.ptr<f32>, #one>
    %i1 = arith.constant 1 : i32
    %a1 = tt.addptr %m, %i1 : !tt.ptr<f32>, i32
    %w1 = tt.load %a1 : !tt.ptr<f32>
    %row1 = arith.muli %n, %i1 : i32
    %o1 = arith.muli %row1, %length : i32
    %os1 = tt.splat %o1 : i32 -> tensor<64xi32, #one>
    %at1 = arith.addi %os1, %range : tensor<64xi32, #one>
    %p1 = tt.addptr %xs, %at1 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x1 = tt.load %p1 : tensor<64x!tt.ptr<f32>, #one>
    %d1 = arith.subf %m0, %w1 : f32
    %m1 = math.exp2 %d1 : f32
    %s1 = tt.splat %m1 : f32 -> tensor<64xf32, #one>
    %y1 = arith.mulf %x1, %s1 : tensor<64xf32, #one>
    %sum1 = arith.addf %sum0, %y1 : tensor<64xf32, #one>
    %i2 = arith.constant 2 : i32
    %a2 = tt.addptr %m, %i2 : !tt.ptr<f32>, i32
    %w2 = tt.load %a2 : !tt.ptr<f32>
    %row2 = arith.muli %n, %i2 : i32
    %o2 = arith.muli %row2, %length : i32
    %os2 = tt.splat %o2 : i32 -> tensor<64xi32, #one>
    %at2 = arith.addi %os2, %range : tensor<64xi32, #one>
    %p2 = tt.addptr %xs, %at2 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x2 = tt.load %p2 : tensor<64x!tt.ptr<f32>, #one>
    %d2 = arith.subf %m1, %w2 : f32
    %m2 = math.exp2 %d2 : f32
    %s2 = tt.splat %m2 : f32 -> tensor<64xf32, #one>
    %y2 = arith.mulf %x2, %s2 : tensor<64xf32, #one>
    %sum2 = arith.addf %sum1, %y2 : tensor<64xf32, #one>
    tt.store %q, %sum2 : tensor<64x!tt.ptr<f32>, #one>
    tt.return
  }
  // What is stored may be what is loaded behind it.
  tt.func public @written(%m: !tt.ptr<f32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %length = arith.constant 64 : i32
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %m0 = tt.load %m : !tt.ptr<f32>
    %p0 = tt.addptr %xs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %sum0 = tt.load %p0 : tensor<64x!tt.ptr<f32>, #one>
    %i1 = arith.constant 1 : i32
    %a1 = tt.addptr %m, %i1 : !tt.ptr<f32>, i32
    %w1 = tt.load %a1 : !tt.ptr<f32>
    %row1 = arith.muli %n, %i1 : i32
    %o1 = arith.muli %row1, %length : i32
    %os1 = tt.splat %o1 : i32 -> tensor<64xi32, #one>
    %at1 = arith.addi %os1, %range : tensor<64xi32, #one>
    %p1 = tt.addptr %xs, %at1 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x1 = tt.load %p1 : tensor<64x!tt.ptr<f32>, #one>
    %d1 = arith.subf %m0, %w1 : f32
    %m1 = math.exp2 %d1 : f32
    %s1 = tt.splat %m1 : f32 -> tensor<64xf32, #one>
    %y1 = arith.mulf %x1, %s1 : tensor<64xf32, #one>
    %sum1 = arith.addf %sum0, %y1 : tensor<64xf32, #one>
    tt.store %q, %sum1 : tensor<64x!tt.ptr<f32>, #one>
    %i2 = arith.constant 2 : i32
    %a2 = tt.addptr %m, %i2 : !tt.ptr<f32>, i32
    %w2 = tt.load %a2 : !tt.ptr<f32>
    %row2 = arith.muli %n, %i2 : i32
    %o2 = arith.muli %row2, %length : i32
    %os2 = tt.splat %o2 : i32 -> tensor<64xi32, #one>
    %at2 = arith.addi %os2, %range : tensor<64xi32, #one>
    %p2 = tt.addptr %xs, %at2 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x2 = tt.load %p2 : tensor<64x!tt.ptr<f32>, #one>
    %d2 = arith.subf %m1, %w2 : f32
    %m2 = math.exp2 %d2 : f32
    %s2 = tt.splat %m2 : f32 -> tensor<64xf32, #one>
    %y2 = arith.mulf %x2, %s2 : tensor<64xf32, #one>
    %sum2 = arith.addf %sum1, %y2 : tensor<64xf32, #one>
    %i3 = arith.constant 3 : i32
    %a3 = tt.addptr %m, %i3 : !tt.ptr<f32>, i32
    %w3 = tt.load %a3 : !tt.ptr<f32>
    %row3 = arith.muli %n, %i3 : i32
    %o3 = arith.muli %row3, %length : i32
    %os3 = tt.splat %o3 : i32 -> tensor<64xi32, #one>
    %at3 = arith.addi %os3, %range : tensor<64xi32, #one>
    %p3 = tt.addptr %xs, %at3 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x3 = tt.load %p3 : tensor<64x!tt.ptr<f32>, #one>
    %d3 = arith.subf %m2, %w3 : f32
    %m3 = math.exp2 %d3 : f32
    %s3 = tt.splat %m3 : f32 -> tensor<64xf32, #one>
    %y3 = arith.mulf %x3, %s3 : tensor<64xf32, #one>
    %sum3 = arith.addf %sum2, %y3 : tensor<64xf32, #one>
    %i4 = arith.constant 4 : i32
    %a4 = tt.addptr %m, %i4 : !tt.ptr<f32>, i32
    %w4 = tt.load %a4 : !tt.ptr<f32>
    %row4 = arith.muli %n, %i4 : i32
    %o4 = arith.muli %row4, %length : i32
    %os4 = tt.splat %o4 : i32 -> tensor<64xi32, #one>
    %at4 = arith.addi %os4, %range : tensor<64xi32, #one>
    %p4 = tt.addptr %xs, %at4 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x4 = tt.load %p4 : tensor<64x!tt.ptr<f32>, #one>
    %d4 = arith.subf %m3, %w4 : f32
    %m4 = math.exp2 %d4 : f32
    %s4 = tt.splat %m4 : f32 -> tensor<64xf32, #one>
    %y4 = arith.mulf %x4, %s4 : tensor<64xf32, #one>
    %sum4 = arith.addf %sum3, %y4 : tensor<64xf32, #one>
    tt.store %q, %sum4 : tensor<64x!tt.ptr<f32>, #one>
    tt.return
  }
  // The second row is found by a number that is loaded.
  tt.func public @gathered(%m: !tt.ptr<f32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %length = arith.constant 64 : i32
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %m0 = tt.load %m : !tt.ptr<f32>
    %p0 = tt.addptr %xs, %range : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %sum0 = tt.load %p0 : tensor<64x!tt.ptr<f32>, #one>
    %i1 = arith.constant 1 : i32
    %a1 = tt.addptr %m, %i1 : !tt.ptr<f32>, i32
    %w1 = tt.load %a1 : !tt.ptr<f32>
    %row1 = arith.fptosi %w1 : f32 to i32
    %o1 = arith.muli %row1, %length : i32
    %os1 = tt.splat %o1 : i32 -> tensor<64xi32, #one>
    %at1 = arith.addi %os1, %range : tensor<64xi32, #one>
    %p1 = tt.addptr %xs, %at1 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x1 = tt.load %p1 : tensor<64x!tt.ptr<f32>, #one>
    %d1 = arith.subf %m0, %w1 : f32
    %m1 = math.exp2 %d1 : f32
    %s1 = tt.splat %m1 : f32 -> tensor<64xf32, #one>
    %y1 = arith.mulf %x1, %s1 : tensor<64xf32, #one>
    %sum1 = arith.addf %sum0, %y1 : tensor<64xf32, #one>
    %i2 = arith.constant 2 : i32
    %a2 = tt.addptr %m, %i2 : !tt.ptr<f32>, i32
    %w2 = tt.load %a2 : !tt.ptr<f32>
    %row2 = arith.muli %n, %i2 : i32
    %o2 = arith.muli %row2, %length : i32
    %os2 = tt.splat %o2 : i32 -> tensor<64xi32, #one>
    %at2 = arith.addi %os2, %range : tensor<64xi32, #one>
    %p2 = tt.addptr %xs, %at2 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x2 = tt.load %p2 : tensor<64x!tt.ptr<f32>, #one>
    %d2 = arith.subf %m1, %w2 : f32
    %m2 = math.exp2 %d2 : f32
    %s2 = tt.splat %m2 : f32 -> tensor<64xf32, #one>
    %y2 = arith.mulf %x2, %s2 : tensor<64xf32, #one>
    %sum2 = arith.addf %sum1, %y2 : tensor<64xf32, #one>
    %i3 = arith.constant 3 : i32
    %a3 = tt.addptr %m, %i3 : !tt.ptr<f32>, i32
    %w3 = tt.load %a3 : !tt.ptr<f32>
    %row3 = arith.muli %n, %i3 : i32
    %o3 = arith.muli %row3, %length : i32
    %os3 = tt.splat %o3 : i32 -> tensor<64xi32, #one>
    %at3 = arith.addi %os3, %range : tensor<64xi32, #one>
    %p3 = tt.addptr %xs, %at3 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x3 = tt.load %p3 : tensor<64x!tt.ptr<f32>, #one>
    %d3 = arith.subf %m2, %w3 : f32
    %m3 = math.exp2 %d3 : f32
    %s3 = tt.splat %m3 : f32 -> tensor<64xf32, #one>
    %y3 = arith.mulf %x3, %s3 : tensor<64xf32, #one>
    %sum3 = arith.addf %sum2, %y3 : tensor<64xf32, #one>
    %i4 = arith.constant 4 : i32
    %a4 = tt.addptr %m, %i4 : !tt.ptr<f32>, i32
    %w4 = tt.load %a4 : !tt.ptr<f32>
    %row4 = arith.muli %n, %i4 : i32
    %o4 = arith.muli %row4, %length : i32
    %os4 = tt.splat %o4 : i32 -> tensor<64xi32, #one>
    %at4 = arith.addi %os4, %range : tensor<64xi32, #one>
    %p4 = tt.addptr %xs, %at4 : tensor<64x!tt.ptr<f32>, #one>, tensor<64xi32, #one>
    %x4 = tt.load %p4 : tensor<64x!tt.ptr<f32>, #one>
    %d4 = arith.subf %m3, %w4 : f32
    %m4 = math.exp2 %d4 : f32
    %s4 = tt.splat %m4 : f32 -> tensor<64xf32, #one>
    %y4 = arith.mulf %x4, %s4 : tensor<64xf32, #one>
    %sum4 = arith.addf %sum3, %y4 : tensor<64xf32, #one>
    tt.store %q, %sum4 : tensor<64x!tt.ptr<f32>, #one>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @merge(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %4 = tt.load %arg0 : !tt.ptr<f32>
    %5 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %6 = tt.load %5 : tensor<64x!tt.ptr<f32>, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %7 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %8 = arith.muli %arg3, %c1_i32 : i32
    %9 = arith.muli %8, %c64_i32 : i32
    %10 = tt.splat %9 : i32 -> tensor<64xi32, #blocked>
    %11 = arith.addi %10, %0 : tensor<64xi32, #blocked>
    %12 = tt.addptr %1, %11 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %c2_i32 = arith.constant 2 : i32
    %13 = arith.muli %arg3, %c2_i32 : i32
    %14 = arith.muli %13, %c64_i32 : i32
    %15 = tt.splat %14 : i32 -> tensor<64xi32, #blocked>
    %16 = arith.addi %15, %0 : tensor<64xi32, #blocked>
    %17 = tt.addptr %1, %16 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %18 = arith.muli %arg3, %c3_i32 : i32
    %19 = arith.muli %18, %c64_i32 : i32
    %20 = tt.splat %19 : i32 -> tensor<64xi32, #blocked>
    %21 = arith.addi %20, %0 : tensor<64xi32, #blocked>
    %22 = tt.addptr %1, %21 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %c4_i32 = arith.constant 4 : i32
    %23 = arith.muli %arg3, %c4_i32 : i32
    %24 = arith.muli %23, %c64_i32 : i32
    %25 = tt.splat %24 : i32 -> tensor<64xi32, #blocked>
    %26 = arith.addi %25, %0 : tensor<64xi32, #blocked>
    %27 = tt.addptr %1, %26 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %28 = tt.load %12 : tensor<64x!tt.ptr<f32>, #blocked>
    %29 = tt.load %17 : tensor<64x!tt.ptr<f32>, #blocked>
    %30 = tt.load %22 : tensor<64x!tt.ptr<f32>, #blocked>
    %31 = tt.load %27 : tensor<64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %32 = tt.load %7 : !tt.ptr<f32>
    %33 = arith.subf %4, %32 : f32
    %34 = math.exp2 %33 : f32
    %35 = tt.splat %34 : f32 -> tensor<64xf32, #blocked>
    %36 = arith.mulf %28, %35 : tensor<64xf32, #blocked>
    %37 = arith.addf %6, %36 : tensor<64xf32, #blocked>
    %38 = tt.addptr %arg0, %c2_i32 : !tt.ptr<f32>, i32
    %39 = tt.load %38 : !tt.ptr<f32>
    %40 = arith.subf %34, %39 : f32
    %41 = math.exp2 %40 : f32
    %42 = tt.splat %41 : f32 -> tensor<64xf32, #blocked>
    %43 = arith.mulf %29, %42 : tensor<64xf32, #blocked>
    %44 = arith.addf %37, %43 : tensor<64xf32, #blocked>
    %45 = tt.addptr %arg0, %c3_i32 : !tt.ptr<f32>, i32
    %46 = tt.load %45 : !tt.ptr<f32>
    %47 = arith.subf %41, %46 : f32
    %48 = math.exp2 %47 : f32
    %49 = tt.splat %48 : f32 -> tensor<64xf32, #blocked>
    %50 = arith.mulf %30, %49 : tensor<64xf32, #blocked>
    %51 = arith.addf %44, %50 : tensor<64xf32, #blocked>
    %52 = tt.addptr %arg0, %c4_i32 : !tt.ptr<f32>, i32
    %53 = tt.load %52 : !tt.ptr<f32>
    %54 = arith.subf %48, %53 : f32
    %55 = math.exp2 %54 : f32
    %56 = tt.splat %55 : f32 -> tensor<64xf32, #blocked>
    %57 = arith.mulf %31, %56 : tensor<64xf32, #blocked>
    %58 = arith.addf %51, %57 : tensor<64xf32, #blocked>
    tt.store %3, %58 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @few(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %4 = tt.load %arg0 : !tt.ptr<f32>
    %5 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %6 = tt.load %5 : tensor<64x!tt.ptr<f32>, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %7 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %8 = tt.load %7 : !tt.ptr<f32>
    %9 = arith.muli %arg3, %c1_i32 : i32
    %10 = arith.muli %9, %c64_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<64xi32, #blocked>
    %12 = arith.addi %11, %0 : tensor<64xi32, #blocked>
    %13 = tt.addptr %1, %12 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %14 = tt.load %13 : tensor<64x!tt.ptr<f32>, #blocked>
    %15 = arith.subf %4, %8 : f32
    %16 = math.exp2 %15 : f32
    %17 = tt.splat %16 : f32 -> tensor<64xf32, #blocked>
    %18 = arith.mulf %14, %17 : tensor<64xf32, #blocked>
    %19 = arith.addf %6, %18 : tensor<64xf32, #blocked>
    %c2_i32 = arith.constant 2 : i32
    %20 = tt.addptr %arg0, %c2_i32 : !tt.ptr<f32>, i32
    %21 = tt.load %20 : !tt.ptr<f32>
    %22 = arith.muli %arg3, %c2_i32 : i32
    %23 = arith.muli %22, %c64_i32 : i32
    %24 = tt.splat %23 : i32 -> tensor<64xi32, #blocked>
    %25 = arith.addi %24, %0 : tensor<64xi32, #blocked>
    %26 = tt.addptr %1, %25 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %27 = tt.load %26 : tensor<64x!tt.ptr<f32>, #blocked>
    %28 = arith.subf %16, %21 : f32
    %29 = math.exp2 %28 : f32
    %30 = tt.splat %29 : f32 -> tensor<64xf32, #blocked>
    %31 = arith.mulf %27, %30 : tensor<64xf32, #blocked>
    %32 = arith.addf %19, %31 : tensor<64xf32, #blocked>
    tt.store %3, %32 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @written(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %4 = tt.load %arg0 : !tt.ptr<f32>
    %5 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %6 = tt.load %5 : tensor<64x!tt.ptr<f32>, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %7 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %8 = tt.load %7 : !tt.ptr<f32>
    %9 = arith.muli %arg3, %c1_i32 : i32
    %10 = arith.muli %9, %c64_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<64xi32, #blocked>
    %12 = arith.addi %11, %0 : tensor<64xi32, #blocked>
    %13 = tt.addptr %1, %12 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %14 = tt.load %13 : tensor<64x!tt.ptr<f32>, #blocked>
    %15 = arith.subf %4, %8 : f32
    %16 = math.exp2 %15 : f32
    %17 = tt.splat %16 : f32 -> tensor<64xf32, #blocked>
    %18 = arith.mulf %14, %17 : tensor<64xf32, #blocked>
    %19 = arith.addf %6, %18 : tensor<64xf32, #blocked>
    tt.store %3, %19 : tensor<64x!tt.ptr<f32>, #blocked>
    %c2_i32 = arith.constant 2 : i32
    %20 = tt.addptr %arg0, %c2_i32 : !tt.ptr<f32>, i32
    %21 = tt.load %20 : !tt.ptr<f32>
    %22 = arith.muli %arg3, %c2_i32 : i32
    %23 = arith.muli %22, %c64_i32 : i32
    %24 = tt.splat %23 : i32 -> tensor<64xi32, #blocked>
    %25 = arith.addi %24, %0 : tensor<64xi32, #blocked>
    %26 = tt.addptr %1, %25 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %27 = tt.load %26 : tensor<64x!tt.ptr<f32>, #blocked>
    %28 = arith.subf %16, %21 : f32
    %29 = math.exp2 %28 : f32
    %30 = tt.splat %29 : f32 -> tensor<64xf32, #blocked>
    %31 = arith.mulf %27, %30 : tensor<64xf32, #blocked>
    %32 = arith.addf %19, %31 : tensor<64xf32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %33 = tt.addptr %arg0, %c3_i32 : !tt.ptr<f32>, i32
    %34 = tt.load %33 : !tt.ptr<f32>
    %35 = arith.muli %arg3, %c3_i32 : i32
    %36 = arith.muli %35, %c64_i32 : i32
    %37 = tt.splat %36 : i32 -> tensor<64xi32, #blocked>
    %38 = arith.addi %37, %0 : tensor<64xi32, #blocked>
    %39 = tt.addptr %1, %38 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %40 = tt.load %39 : tensor<64x!tt.ptr<f32>, #blocked>
    %41 = arith.subf %29, %34 : f32
    %42 = math.exp2 %41 : f32
    %43 = tt.splat %42 : f32 -> tensor<64xf32, #blocked>
    %44 = arith.mulf %40, %43 : tensor<64xf32, #blocked>
    %45 = arith.addf %32, %44 : tensor<64xf32, #blocked>
    %c4_i32 = arith.constant 4 : i32
    %46 = tt.addptr %arg0, %c4_i32 : !tt.ptr<f32>, i32
    %47 = tt.load %46 : !tt.ptr<f32>
    %48 = arith.muli %arg3, %c4_i32 : i32
    %49 = arith.muli %48, %c64_i32 : i32
    %50 = tt.splat %49 : i32 -> tensor<64xi32, #blocked>
    %51 = arith.addi %50, %0 : tensor<64xi32, #blocked>
    %52 = tt.addptr %1, %51 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %53 = tt.load %52 : tensor<64x!tt.ptr<f32>, #blocked>
    %54 = arith.subf %42, %47 : f32
    %55 = math.exp2 %54 : f32
    %56 = tt.splat %55 : f32 -> tensor<64xf32, #blocked>
    %57 = arith.mulf %53, %56 : tensor<64xf32, #blocked>
    %58 = arith.addf %45, %57 : tensor<64xf32, #blocked>
    tt.store %3, %58 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @gathered(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %4 = tt.load %arg0 : !tt.ptr<f32>
    %5 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %6 = tt.load %5 : tensor<64x!tt.ptr<f32>, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %7 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %8 = tt.load %7 : !tt.ptr<f32>
    %9 = arith.fptosi %8 : f32 to i32
    %10 = arith.muli %9, %c64_i32 : i32
    %11 = tt.splat %10 : i32 -> tensor<64xi32, #blocked>
    %12 = arith.addi %11, %0 : tensor<64xi32, #blocked>
    %13 = tt.addptr %1, %12 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %14 = tt.load %13 : tensor<64x!tt.ptr<f32>, #blocked>
    %15 = arith.subf %4, %8 : f32
    %16 = math.exp2 %15 : f32
    %17 = tt.splat %16 : f32 -> tensor<64xf32, #blocked>
    %18 = arith.mulf %14, %17 : tensor<64xf32, #blocked>
    %19 = arith.addf %6, %18 : tensor<64xf32, #blocked>
    %c2_i32 = arith.constant 2 : i32
    %20 = tt.addptr %arg0, %c2_i32 : !tt.ptr<f32>, i32
    %21 = tt.load %20 : !tt.ptr<f32>
    %22 = arith.muli %arg3, %c2_i32 : i32
    %23 = arith.muli %22, %c64_i32 : i32
    %24 = tt.splat %23 : i32 -> tensor<64xi32, #blocked>
    %25 = arith.addi %24, %0 : tensor<64xi32, #blocked>
    %26 = tt.addptr %1, %25 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %27 = tt.load %26 : tensor<64x!tt.ptr<f32>, #blocked>
    %28 = arith.subf %16, %21 : f32
    %29 = math.exp2 %28 : f32
    %30 = tt.splat %29 : f32 -> tensor<64xf32, #blocked>
    %31 = arith.mulf %27, %30 : tensor<64xf32, #blocked>
    %32 = arith.addf %19, %31 : tensor<64xf32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %33 = tt.addptr %arg0, %c3_i32 : !tt.ptr<f32>, i32
    %34 = tt.load %33 : !tt.ptr<f32>
    %35 = arith.muli %arg3, %c3_i32 : i32
    %36 = arith.muli %35, %c64_i32 : i32
    %37 = tt.splat %36 : i32 -> tensor<64xi32, #blocked>
    %38 = arith.addi %37, %0 : tensor<64xi32, #blocked>
    %39 = tt.addptr %1, %38 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %40 = tt.load %39 : tensor<64x!tt.ptr<f32>, #blocked>
    %41 = arith.subf %29, %34 : f32
    %42 = math.exp2 %41 : f32
    %43 = tt.splat %42 : f32 -> tensor<64xf32, #blocked>
    %44 = arith.mulf %40, %43 : tensor<64xf32, #blocked>
    %45 = arith.addf %32, %44 : tensor<64xf32, #blocked>
    %c4_i32 = arith.constant 4 : i32
    %46 = tt.addptr %arg0, %c4_i32 : !tt.ptr<f32>, i32
    %47 = tt.load %46 : !tt.ptr<f32>
    %48 = arith.muli %arg3, %c4_i32 : i32
    %49 = arith.muli %48, %c64_i32 : i32
    %50 = tt.splat %49 : i32 -> tensor<64xi32, #blocked>
    %51 = arith.addi %50, %0 : tensor<64xi32, #blocked>
    %52 = tt.addptr %1, %51 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %53 = tt.load %52 : tensor<64x!tt.ptr<f32>, #blocked>
    %54 = arith.subf %42, %47 : f32
    %55 = math.exp2 %54 : f32
    %56 = tt.splat %55 : f32 -> tensor<64xf32, #blocked>
    %57 = arith.mulf %53, %56 : tensor<64xf32, #blocked>
    %58 = arith.addf %45, %57 : tensor<64xf32, #blocked>
    tt.store %3, %58 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

