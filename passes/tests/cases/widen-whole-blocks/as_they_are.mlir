// passes: widen-whole-blocks
// counts: scf.if 0
// Accesses that keep their masks.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Nobody knows when all of these hold: truth values from memory, alternatives, comparisons of numbers that were loaded, or without sign, or for equality.
  tt.func public @other_masks(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %m: tensor<512xi1, #four>, %index: tensor<512xi32, #four>, %n: i32) -> (tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>) {
    %c9 = arith.constant dense<9> : tensor<512xi32, #four>
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %ns = tt.splat %n : i32 -> tensor<512xi32, #four>
    %less = arith.cmpi slt, %i, %ns : tensor<512xi32, #four>
    %some = arith.andi %less, %m : tensor<512xi1, #four>
    %nine = arith.cmpi slt, %i, %c9 : tensor<512xi32, #four>
    %either = arith.ori %less, %nine : tensor<512xi1, #four>
    %looked_up = arith.cmpi slt, %index, %ns : tensor<512xi32, #four>
    %unsigned = arith.cmpi ult, %i, %ns : tensor<512xi32, #four>
    %equal = arith.cmpi ne, %i, %ns : tensor<512xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %p = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %a = tt.load %p, %some : tensor<512x!tt.ptr<f32>, #four>
    %b = tt.load %p, %either : tensor<512x!tt.ptr<f32>, #four>
    %c = tt.load %p, %looked_up : tensor<512x!tt.ptr<f32>, #four>
    %d = tt.load %p, %unsigned : tensor<512x!tt.ptr<f32>, #four>
    %e = tt.load %p, %equal : tensor<512x!tt.ptr<f32>, #four>
    tt.return %a, %b, %c, %d, %e : tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>
  }
  // They would be no wider: a number divides the size, a thread has one element, the pointer is aligned to an element, places are apart, there is no mask.
  tt.func public @as_wide(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}, %m: i32) -> (tensor<512xf32, #four>, tensor<512xf32, #one>, tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>) {
    %c2 = arith.constant dense<2> : tensor<512xi32, #four>
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %j = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<512xi32, #four>
    %ms = tt.splat %m : i32 -> tensor<512xi32, #four>
    %ks = tt.splat %m : i32 -> tensor<512xi32, #one>
    %divided = arith.cmpi slt, %i, %ns : tensor<512xi32, #four>
    %inside = arith.cmpi slt, %i, %ms : tensor<512xi32, #four>
    %of_one = arith.cmpi slt, %j, %ks : tensor<512xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %zs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #one>
    %p = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %q = tt.addptr %ys, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %r = tt.addptr %zs, %j : tensor<512x!tt.ptr<f32>, #one>, tensor<512xi32, #one>
    %twice = arith.muli %i, %c2 : tensor<512xi32, #four>
    %s = tt.addptr %xs, %twice : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %a = tt.load %p, %divided : tensor<512x!tt.ptr<f32>, #four>
    %b = tt.load %r, %of_one : tensor<512x!tt.ptr<f32>, #one>
    %c = tt.load %q, %inside : tensor<512x!tt.ptr<f32>, #four>
    %d = tt.load %s, %inside : tensor<512x!tt.ptr<f32>, #four>
    %e = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    tt.return %a, %b, %c, %d, %e : tensor<512xf32, #four>, tensor<512xf32, #one>, tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>
  }
  // A multiple so large that sums could wrap around twice, a load that has to be made as it stands, and more comparisons than are looked at.
  tt.func public @too_much(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) -> (tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>) {
    %large = arith.constant dense<4194304> : tensor<512xi32, #four>
    %c1 = arith.constant dense<1> : tensor<512xi32, #four>
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %ns = tt.splat %n : i32 -> tensor<512xi32, #four>
    %far = arith.muli %i, %large : tensor<512xi32, #four>
    %of_far = arith.cmpi slt, %far, %ns : tensor<512xi32, #four>
    %inside = arith.cmpi slt, %i, %ns : tensor<512xi32, #four>
    %j = arith.addi %i, %c1 : tensor<512xi32, #four>
    %k = arith.addi %j, %c1 : tensor<512xi32, #four>
    %two = arith.cmpi slt, %j, %ns : tensor<512xi32, #four>
    %three = arith.cmpi sge, %i, %ns : tensor<512xi32, #four>
    %four = arith.cmpi sgt, %j, %ns : tensor<512xi32, #four>
    %five = arith.cmpi sle, %k, %ns : tensor<512xi32, #four>
    %m2 = arith.andi %inside, %two : tensor<512xi1, #four>
    %m3 = arith.andi %m2, %three : tensor<512xi1, #four>
    %m4 = arith.andi %m3, %four : tensor<512xi1, #four>
    %m5 = arith.andi %m4, %five : tensor<512xi1, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %p = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %a = tt.load %p, %of_far : tensor<512x!tt.ptr<f32>, #four>
    %b = tt.load %p, %inside {isVolatile = true} : tensor<512x!tt.ptr<f32>, #four>
    %c = tt.load %p, %m5 : tensor<512x!tt.ptr<f32>, #four>
    tt.return %a, %b, %c : tensor<512xf32, #four>, tensor<512xf32, #four>, tensor<512xf32, #four>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @other_masks(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<512xi1, #blocked>, %arg2: tensor<512xi32, #blocked>, %arg3: i32) -> (tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>) {
    %cst = arith.constant dense<9> : tensor<512xi32, #blocked>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<512xi32, #blocked>
    %3 = arith.andi %2, %arg1 : tensor<512xi1, #blocked>
    %4 = arith.cmpi slt, %0, %cst : tensor<512xi32, #blocked>
    %5 = arith.ori %2, %4 : tensor<512xi1, #blocked>
    %6 = arith.cmpi slt, %arg2, %1 : tensor<512xi32, #blocked>
    %7 = arith.cmpi ult, %0, %1 : tensor<512xi32, #blocked>
    %8 = arith.cmpi ne, %0, %1 : tensor<512xi32, #blocked>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %11 = tt.load %10, %3 : tensor<512x!tt.ptr<f32>, #blocked>
    %12 = tt.load %10, %5 : tensor<512x!tt.ptr<f32>, #blocked>
    %13 = tt.load %10, %6 : tensor<512x!tt.ptr<f32>, #blocked>
    %14 = tt.load %10, %7 : tensor<512x!tt.ptr<f32>, #blocked>
    %15 = tt.load %10, %8 : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return %11, %12, %13, %14, %15 : tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>
  }
  tt.func public @as_wide(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32) -> (tensor<512xf32, #blocked>, tensor<512xf32, #blocked1>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>) {
    %cst = arith.constant dense<2> : tensor<512xi32, #blocked>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %2 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
    %3 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked>
    %4 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked1>
    %5 = arith.cmpi slt, %0, %2 : tensor<512xi32, #blocked>
    %6 = arith.cmpi slt, %0, %3 : tensor<512xi32, #blocked>
    %7 = arith.cmpi slt, %1, %4 : tensor<512xi32, #blocked1>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %9 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %10 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked1>
    %11 = tt.addptr %8, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %12 = tt.addptr %9, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %13 = tt.addptr %10, %1 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xi32, #blocked1>
    %14 = arith.muli %0, %cst : tensor<512xi32, #blocked>
    %15 = tt.addptr %8, %14 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %16 = tt.load %11, %5 : tensor<512x!tt.ptr<f32>, #blocked>
    %17 = tt.load %13, %7 : tensor<512x!tt.ptr<f32>, #blocked1>
    %18 = tt.load %12, %6 : tensor<512x!tt.ptr<f32>, #blocked>
    %19 = tt.load %15, %6 : tensor<512x!tt.ptr<f32>, #blocked>
    %20 = tt.load %11 : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return %16, %17, %18, %19, %20 : tensor<512xf32, #blocked>, tensor<512xf32, #blocked1>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>
  }
  tt.func public @too_much(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) -> (tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>) {
    %cst = arith.constant dense<4194304> : tensor<512xi32, #blocked>
    %cst_0 = arith.constant dense<1> : tensor<512xi32, #blocked>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<512xi32, #blocked>
    %2 = arith.muli %0, %cst : tensor<512xi32, #blocked>
    %3 = arith.cmpi slt, %2, %1 : tensor<512xi32, #blocked>
    %4 = arith.cmpi slt, %0, %1 : tensor<512xi32, #blocked>
    %5 = arith.addi %0, %cst_0 : tensor<512xi32, #blocked>
    %6 = arith.addi %5, %cst_0 : tensor<512xi32, #blocked>
    %7 = arith.cmpi slt, %5, %1 : tensor<512xi32, #blocked>
    %8 = arith.cmpi sge, %0, %1 : tensor<512xi32, #blocked>
    %9 = arith.cmpi sgt, %5, %1 : tensor<512xi32, #blocked>
    %10 = arith.cmpi sle, %6, %1 : tensor<512xi32, #blocked>
    %11 = arith.andi %4, %7 : tensor<512xi1, #blocked>
    %12 = arith.andi %11, %8 : tensor<512xi1, #blocked>
    %13 = arith.andi %12, %9 : tensor<512xi1, #blocked>
    %14 = arith.andi %13, %10 : tensor<512xi1, #blocked>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %17 = tt.load %16, %3 : tensor<512x!tt.ptr<f32>, #blocked>
    %18 = tt.load %16, %4 {isVolatile = true} : tensor<512x!tt.ptr<f32>, #blocked>
    %19 = tt.load %16, %14 : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return %17, %18, %19 : tensor<512xf32, #blocked>, tensor<512xf32, #blocked>, tensor<512xf32, #blocked>
  }
}

