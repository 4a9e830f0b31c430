// passes: join-accesses
// counts: tk.joined 0
// Loads that stay apart: no operation is marked or moved.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each has a mask of its own.
  tt.func public @other_masks(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: tensor<128xi1, #one>, %k: tensor<128xi1, #one>) -> (tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c2 : tensor<128xi32, #one>
    %even = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %odd = tt.addptr %even, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %a = tt.load %even, %m : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %odd, %k : tensor<128x!tt.ptr<f32>, #one>
    tt.return %a, %b : tensor<128xf32, #one>, tensor<128xf32, #one>
  }
  // What is stored, or a barrier, stands between them; so does a loop that stores.
  tt.func public @written_between(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v: tensor<128xf32, #one>, %n: i32) -> (tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ones = arith.constant dense<1> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %ones : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p1, %ones : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p2, %ones : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %a = tt.load %p0 : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %v : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %p1 : tensor<128x!tt.ptr<f32>, #one>
    gpu.barrier
    %c = tt.load %p2 : tensor<128x!tt.ptr<f32>, #one>
    scf.for %k = %c0 to %n step %c1 : i32 {
      tt.store %p3, %v : tensor<128x!tt.ptr<f32>, #one>
    }
    %d = tt.load %p3 : tensor<128x!tt.ptr<f32>, #one>
    tt.return %a, %b, %c, %d : tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>
  }
  // Nothing says that the pointers are aligned to more than an element: the argument, records of three, numbers that are looked up.
  tt.func public @unaligned(%x: !tt.ptr<f32>, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %index: tensor<128xi32, #one>) -> (tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c2 : tensor<128xi32, #one>
    %even = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %odd = tt.addptr %even, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %a = tt.load %even : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %odd : tensor<128x!tt.ptr<f32>, #one>
    %triple = arith.muli %i, %c3 : tensor<128xi32, #one>
    %first = tt.addptr %ys, %triple : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %second = tt.addptr %first, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %c = tt.load %first : tensor<128x!tt.ptr<f32>, #one>
    %d = tt.load %second : tensor<128x!tt.ptr<f32>, #one>
    %here = tt.addptr %ys, %index : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %there = tt.addptr %here, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %e = tt.load %here : tensor<128x!tt.ptr<f32>, #one>
    %f = tt.load %there : tensor<128x!tt.ptr<f32>, #one>
    tt.return %a, %b, %c, %d, %e, %f : tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>
  }
  // Pointers that are given as they are, loads that go through the caches in different ways, and one that has to be read as it stands.
  tt.func public @otherwise(%p: tensor<128x!tt.ptr<f32>, #one>, %q: tensor<128x!tt.ptr<f32>, #one>, %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %a = tt.load %p : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %q : tensor<128x!tt.ptr<f32>, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %c = tt.load %p0 evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>, #one>
    %d = tt.load %p1 : tensor<128x!tt.ptr<f32>, #one>
    %e = tt.load %p2 {isVolatile = true} : tensor<128x!tt.ptr<f32>, #one>
    tt.return %a, %b, %c, %d, %e : tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>
  }
  // The second address is computed from what the first load brings; the same elements are no neighbours; sixteen bytes are too far.
  tt.func public @far(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}) -> (tensor<128xi32, #one>, tensor<128xi32, #one>, tensor<128xi32, #four>, tensor<128xi32, #four>, tensor<128xi32, #four>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #four>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %j = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #four>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #one>
    %ys = tt.splat %x : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #four>
    %p = tt.addptr %xs, %i : tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>
    %a = tt.load %p : tensor<128x!tt.ptr<i32>, #one>
    %q = tt.addptr %p, %a : tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>
    %b = tt.load %q : tensor<128x!tt.ptr<i32>, #one>
    %here = tt.addptr %ys, %j : tensor<128x!tt.ptr<i32>, #four>, tensor<128xi32, #four>
    %there = tt.addptr %here, %c4 : tensor<128x!tt.ptr<i32>, #four>, tensor<128xi32, #four>
    %c = tt.load %here : tensor<128x!tt.ptr<i32>, #four>
    %d = tt.load %here : tensor<128x!tt.ptr<i32>, #four>
    %e = tt.load %there : tensor<128x!tt.ptr<i32>, #four>
    tt.return %a, %b, %c, %d, %e : tensor<128xi32, #one>, tensor<128xi32, #one>, tensor<128xi32, #four>, tensor<128xi32, #four>, tensor<128xi32, #four>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @other_masks(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<128xi1, #blocked>, %arg2: tensor<128xi1, #blocked>) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = arith.muli %0, %cst_0 : tensor<128xi32, #blocked>
    %3 = tt.addptr %1, %2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.load %3, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    %6 = tt.load %4, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %5, %6 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
  tt.func public @written_between(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<128xf32, #blocked>, %arg2: i32) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = arith.muli %0, %cst_0 : tensor<128xi32, #blocked>
    %3 = tt.addptr %1, %2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %4, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %5, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.load %3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    %8 = tt.load %4 : tensor<128x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %9 = tt.load %5 : tensor<128x!tt.ptr<f32>, #blocked>
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      tt.store %6, %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    %10 = tt.load %6 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %7, %8, %9, %10 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
  tt.func public @unaligned(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: tensor<128xi32, #blocked>) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = arith.muli %0, %cst_0 : tensor<128xi32, #blocked>
    %4 = tt.addptr %1, %3 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %4, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.load %4 : tensor<128x!tt.ptr<f32>, #blocked>
    %7 = tt.load %5 : tensor<128x!tt.ptr<f32>, #blocked>
    %8 = arith.muli %0, %cst_1 : tensor<128xi32, #blocked>
    %9 = tt.addptr %2, %8 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %10 = tt.addptr %9, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %11 = tt.load %9 : tensor<128x!tt.ptr<f32>, #blocked>
    %12 = tt.load %10 : tensor<128x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %2, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %14 = tt.addptr %13, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %15 = tt.load %13 : tensor<128x!tt.ptr<f32>, #blocked>
    %16 = tt.load %14 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %6, %7, %11, %12, %15, %16 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
  tt.func public @otherwise(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.load %arg0 : tensor<128x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %3 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = arith.muli %2, %cst_1 : tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %5, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.addptr %5, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.load %5 evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>, #blocked>
    %9 = tt.load %6 : tensor<128x!tt.ptr<f32>, #blocked>
    %10 = tt.load %7 {isVolatile = true} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %0, %1, %8, %9, %10 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
  tt.func public @far(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}) -> (tensor<128xi32, #blocked>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked1>, tensor<128xi32, #blocked1>, tensor<128xi32, #blocked1>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<4> : tensor<128xi32, #blocked1>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked1>
    %4 = tt.addptr %2, %0 : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.load %4 : tensor<128x!tt.ptr<i32>, #blocked>
    %6 = tt.addptr %4, %5 : tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.load %6 : tensor<128x!tt.ptr<i32>, #blocked>
    %8 = tt.addptr %3, %1 : tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>
    %9 = tt.addptr %8, %cst_0 : tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>
    %10 = tt.load %8 : tensor<128x!tt.ptr<i32>, #blocked1>
    %11 = tt.load %8 : tensor<128x!tt.ptr<i32>, #blocked1>
    %12 = tt.load %9 : tensor<128x!tt.ptr<i32>, #blocked1>
    tt.return %5, %7, %10, %11, %12 : tensor<128xi32, #blocked>, tensor<128xi32, #blocked>, tensor<128xi32, #blocked1>, tensor<128xi32, #blocked1>, tensor<128xi32, #blocked1>
  }
}

