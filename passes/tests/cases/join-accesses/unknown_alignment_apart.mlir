// passes: join-accesses
// counts: scf.if 0
// Neighbours of unknown alignment that have no branch.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Three fields, and four of which no two fill aligned bytes.
  tt.func public @three(%x: !tt.ptr<f32>, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %c5 = arith.constant dense<5> : tensor<128xi32, #one>
    %c6 = arith.constant dense<6> : tensor<128xi32, #one>
    %c7 = arith.constant dense<7> : tensor<128xi32, #one>
    %c8 = arith.constant dense<8> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %at = arith.muli %i, %c8 : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p4 = tt.addptr %p0, %c4 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p5 = tt.addptr %p0, %c5 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p6 = tt.addptr %p0, %c6 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %p0 : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p4, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p6, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // Addresses that differ from thread to thread by an element, by three, and by numbers that were loaded.
  tt.func public @contiguous(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %start: i32, %index: tensor<128xi32, #one>, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %row = tt.addptr %x, %start : !tt.ptr<f32>, i32
    %xs = tt.splat %row : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    %three = arith.muli %i, %c3 : tensor<128xi32, #one>
    %q0 = tt.addptr %xs, %three : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %q1 = tt.addptr %q0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %q2 = tt.addptr %q0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %q3 = tt.addptr %q0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %q0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %q1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %q2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %q3, %a : tensor<128x!tt.ptr<f32>, #one>
    %r0 = tt.addptr %xs, %index : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %r1 = tt.addptr %r0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %r2 = tt.addptr %r0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %r3 = tt.addptr %r0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %r0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %r1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %r2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %r3, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // A loop is around them.
  tt.func public @in_a_loop(%x: !tt.ptr<f32>, %n: i32, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    scf.for %k = %zero to %n step %one : i32 {
      tt.store %p0, %a : tensor<128x!tt.ptr<f32>, #one>
      tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
      tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
      tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    }
    tt.return
  }
  // Each half has a mask of its own.
  tt.func public @masks(%x: !tt.ptr<f32>, %a: tensor<128xf32, #one>, %m: tensor<128xi1, #one>, %k: tensor<128xi1, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a, %m : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a, %m : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a, %k : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a, %k : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // A sum of 32 bits may wrap around before it is widened.
  tt.func public @narrow(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %start: i32, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %own = arith.muli %i, %c4 : tensor<128xi32, #one>
    %starts = tt.splat %start : i32 -> tensor<128xi32, #one>
    %at = arith.addi %starts, %own : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %at1 = arith.addi %at, %c1 : tensor<128xi32, #one>
    %p1 = tt.addptr %xs, %at1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %at2 = arith.addi %at, %c2 : tensor<128xi32, #one>
    %p2 = tt.addptr %xs, %at2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %at3 = arith.addi %at, %c3 : tensor<128xi32, #one>
    %p3 = tt.addptr %xs, %at3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // Records may overlap, and the sixth field is stored before the second: they would change places.
  tt.func public @order(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %c5 = arith.constant dense<5> : tensor<128xi32, #one>
    %c6 = arith.constant dense<6> : tensor<128xi32, #one>
    %c7 = arith.constant dense<7> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %strides = tt.splat %stride : i32 -> tensor<128xi32, #one>
    %at = arith.muli %i, %strides : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p4 = tt.addptr %p0, %c4 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p5 = tt.addptr %p0, %c5 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p6 = tt.addptr %p0, %c6 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p7 = tt.addptr %p0, %c7 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p5, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p4, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p6, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p7, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // Another tensor is stored between them.
  tt.func public @between(%x: !tt.ptr<f32>, %y: tensor<128x!tt.ptr<f32>, #one>, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %y, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @three(%arg0: !tt.ptr<f32>, %arg1: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %cst_3 = arith.constant dense<5> : tensor<128xi32, #blocked>
    %cst_4 = arith.constant dense<6> : tensor<128xi32, #blocked>
    %cst_5 = arith.constant dense<7> : tensor<128xi32, #blocked>
    %cst_6 = arith.constant dense<8> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_6 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %3, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.addptr %3, %cst_2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.addptr %3, %cst_3 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %9 = tt.addptr %3, %cst_4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %4, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %5, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %6, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    %10 = tt.load %3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %6, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %7, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %9, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @contiguous(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: tensor<128xi32, #blocked>, %arg3: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
    %2 = tt.splat %1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %3, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %3, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %5, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %6, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    %7 = arith.muli %0, %cst_1 : tensor<128xi32, #blocked>
    %8 = tt.addptr %2, %7 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %9 = tt.addptr %8, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %10 = tt.addptr %8, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %11 = tt.addptr %8, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %8, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %9, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %10, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %11, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    %12 = tt.addptr %2, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %13 = tt.addptr %12, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %14 = tt.addptr %12, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %15 = tt.addptr %12, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %12, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %13, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %14, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %15, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @in_a_loop(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %3, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      tt.store %3, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %4, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %5, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %6, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @masks(%arg0: !tt.ptr<f32>, %arg1: tensor<128xf32, #blocked>, %arg2: tensor<128xi1, #blocked>, %arg3: tensor<128xi1, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %3, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %3, %arg1, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg1, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %5, %arg1, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %6, %arg1, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @narrow(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %3 = arith.addi %2, %1 : tensor<128xi32, #blocked>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %4, %3 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = arith.addi %3, %cst : tensor<128xi32, #blocked>
    %7 = tt.addptr %4, %6 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = arith.addi %3, %cst_0 : tensor<128xi32, #blocked>
    %9 = tt.addptr %4, %8 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %10 = arith.addi %3, %cst_1 : tensor<128xi32, #blocked>
    %11 = tt.addptr %4, %10 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %5, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %7, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %9, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %11, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @order(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %cst_3 = arith.constant dense<5> : tensor<128xi32, #blocked>
    %cst_4 = arith.constant dense<6> : tensor<128xi32, #blocked>
    %cst_5 = arith.constant dense<7> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.muli %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %4, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %4, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.addptr %4, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.addptr %4, %cst_2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %9 = tt.addptr %4, %cst_3 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %10 = tt.addptr %4, %cst_4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %11 = tt.addptr %4, %cst_5 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %4, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %9, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %5, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %6, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %7, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %8, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %10, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %11, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @between(%arg0: !tt.ptr<f32>, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %3, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %3, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %arg1, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %5, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %6, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

