// passes: split-ragged-loops
// counts: scf.if 0, scf.for 6
// Loops that keep their masks.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Blocks are twice as long as steps: the last two may be ragged.
  tt.func public @overlapping(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<1024xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %before = arith.constant 1023 : i32
    %strides = tt.splat %stride : i32 -> tensor<1024xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %half = arith.constant 512 : i32
    %sum = scf.for %i = %zero to %n step %half iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<1024xi32, #one>
      %places = arith.addi %starts, %range : tensor<1024xi32, #one>
      %inside = arith.cmpi slt, %places, %ns : tensor<1024xi32, #one>
      %at = arith.muli %places, %strides : tensor<1024xi32, #one>
      %p = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<1024x!tt.ptr<f32>, #one>
      %kept = arith.select %inside, %v, %none : tensor<1024xi1, #one>, tensor<1024xf32, #one>
      %next = arith.addf %acc, %kept : tensor<1024xf32, #one>
      scf.yield %next : tensor<1024xf32, #one>
    }
    tt.return %sum : tensor<1024xf32, #one>
  }
  // The loop ends elsewhere.
  tt.func public @another_end(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32, %m: i32) -> tensor<1024xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<1024xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %before = arith.constant 1023 : i32
    %strides = tt.splat %stride : i32 -> tensor<1024xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %sum = scf.for %i = %zero to %m step %size iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<1024xi32, #one>
      %places = arith.addi %starts, %range : tensor<1024xi32, #one>
      %inside = arith.cmpi slt, %places, %ns : tensor<1024xi32, #one>
      %at = arith.muli %places, %strides : tensor<1024xi32, #one>
      %p = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<1024x!tt.ptr<f32>, #one>
      %kept = arith.select %inside, %v, %none : tensor<1024xi1, #one>, tensor<1024xf32, #one>
      %next = arith.addf %acc, %kept : tensor<1024xf32, #one>
      scf.yield %next : tensor<1024xf32, #one>
    }
    tt.return %sum : tensor<1024xf32, #one>
  }
  // The range begins behind the first place.
  tt.func public @later(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<1024xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %before = arith.constant 1023 : i32
    %strides = tt.splat %stride : i32 -> tensor<1024xi32, #one>
    %range = tt.make_range {start = 1024 : i32, end = 2048 : i32} : tensor<1024xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %sum = scf.for %i = %zero to %n step %size iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<1024xi32, #one>
      %places = arith.addi %starts, %range : tensor<1024xi32, #one>
      %inside = arith.cmpi slt, %places, %ns : tensor<1024xi32, #one>
      %at = arith.muli %places, %strides : tensor<1024xi32, #one>
      %p = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<1024x!tt.ptr<f32>, #one>
      %kept = arith.select %inside, %v, %none : tensor<1024xi1, #one>, tensor<1024xf32, #one>
      %next = arith.addf %acc, %kept : tensor<1024xf32, #one>
      scf.yield %next : tensor<1024xf32, #one>
    }
    tt.return %sum : tensor<1024xf32, #one>
  }
  // Blocks are counted from anywhere, perhaps from below zero, where they are not rounded up.
  tt.func public @counted_from_below(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<1024xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %before = arith.constant 1023 : i32
    %strides = tt.splat %stride : i32 -> tensor<1024xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %padded = arith.addi %n, %before : i32
    %blocks = arith.divsi %padded, %size : i32
    %sum = scf.for %i = %a to %blocks step %one iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
      %start = arith.muli %i, %size : i32
      %starts = tt.splat %start : i32 -> tensor<1024xi32, #one>
      %places = arith.addi %starts, %range : tensor<1024xi32, #one>
      %inside = arith.cmpi slt, %places, %ns : tensor<1024xi32, #one>
      %at = arith.muli %places, %strides : tensor<1024xi32, #one>
      %p = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<1024x!tt.ptr<f32>, #one>
      %kept = arith.select %inside, %v, %none : tensor<1024xi1, #one>, tensor<1024xf32, #one>
      %next = arith.addf %acc, %kept : tensor<1024xf32, #one>
      scf.yield %next : tensor<1024xf32, #one>
    }
    tt.return %sum : tensor<1024xf32, #one>
  }
  // Another comparison.
  tt.func public @equal(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<1024xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %before = arith.constant 1023 : i32
    %strides = tt.splat %stride : i32 -> tensor<1024xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %sum = scf.for %i = %zero to %n step %size iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<1024xi32, #one>
      %places = arith.addi %starts, %range : tensor<1024xi32, #one>
      %inside = arith.cmpi ne, %places, %ns : tensor<1024xi32, #one>
      %at = arith.muli %places, %strides : tensor<1024xi32, #one>
      %p = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<1024x!tt.ptr<f32>, #one>
      %kept = arith.select %inside, %v, %none : tensor<1024xi1, #one>, tensor<1024xf32, #one>
      %next = arith.addf %acc, %kept : tensor<1024xf32, #one>
      scf.yield %next : tensor<1024xf32, #one>
    }
    tt.return %sum : tensor<1024xf32, #one>
  }
  // The author has asked for stages.
  tt.func public @asked(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<1024xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %before = arith.constant 1023 : i32
    %strides = tt.splat %stride : i32 -> tensor<1024xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %sum = scf.for %i = %zero to %n step %size iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<1024xi32, #one>
      %places = arith.addi %starts, %range : tensor<1024xi32, #one>
      %inside = arith.cmpi slt, %places, %ns : tensor<1024xi32, #one>
      %at = arith.muli %places, %strides : tensor<1024xi32, #one>
      %p = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<1024x!tt.ptr<f32>, #one>
      %kept = arith.select %inside, %v, %none : tensor<1024xi1, #one>, tensor<1024xf32, #one>
      %next = arith.addf %acc, %kept : tensor<1024xf32, #one>
      scf.yield %next : tensor<1024xf32, #one>
    } {tt.num_stages = 3 : i32}
    tt.return %sum : tensor<1024xf32, #one>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @overlapping(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %c512_i32 = arith.constant 512 : i32
    %4 = scf.for %arg4 = %c0_i32 to %arg3 step %c512_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %5 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %6 = arith.addi %5, %1 : tensor<1024xi32, #blocked>
      %7 = arith.cmpi slt, %6, %2 : tensor<1024xi32, #blocked>
      %8 = arith.muli %6, %0 : tensor<1024xi32, #blocked>
      %9 = tt.addptr %3, %8 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %10 = tt.load %9, %7, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %11 = arith.select %7, %10, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %12 = arith.addf %arg5, %11 : tensor<1024xf32, #blocked>
      scf.yield %12 : tensor<1024xf32, #blocked>
    }
    tt.return %4 : tensor<1024xf32, #blocked>
  }
  tt.func public @another_end(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = scf.for %arg5 = %c0_i32 to %arg4 step %c1024_i32 iter_args(%arg6 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %5 = tt.splat %arg5 : i32 -> tensor<1024xi32, #blocked>
      %6 = arith.addi %5, %1 : tensor<1024xi32, #blocked>
      %7 = arith.cmpi slt, %6, %2 : tensor<1024xi32, #blocked>
      %8 = arith.muli %6, %0 : tensor<1024xi32, #blocked>
      %9 = tt.addptr %3, %8 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %10 = tt.load %9, %7, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %11 = arith.select %7, %10, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %12 = arith.addf %arg6, %11 : tensor<1024xf32, #blocked>
      scf.yield %12 : tensor<1024xf32, #blocked>
    }
    tt.return %4 : tensor<1024xf32, #blocked>
  }
  tt.func public @later(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 2048 : i32, start = 1024 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1024_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %5 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %6 = arith.addi %5, %1 : tensor<1024xi32, #blocked>
      %7 = arith.cmpi slt, %6, %2 : tensor<1024xi32, #blocked>
      %8 = arith.muli %6, %0 : tensor<1024xi32, #blocked>
      %9 = tt.addptr %3, %8 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %10 = tt.load %9, %7, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %11 = arith.select %7, %10, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %12 = arith.addf %arg5, %11 : tensor<1024xf32, #blocked>
      scf.yield %12 : tensor<1024xf32, #blocked>
    }
    tt.return %4 : tensor<1024xf32, #blocked>
  }
  tt.func public @counted_from_below(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = arith.addi %arg3, %c1023_i32 : i32
    %5 = arith.divsi %4, %c1024_i32 : i32
    %6 = scf.for %arg4 = %arg2 to %5 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %7 = arith.muli %arg4, %c1024_i32 : i32
      %8 = tt.splat %7 : i32 -> tensor<1024xi32, #blocked>
      %9 = arith.addi %8, %1 : tensor<1024xi32, #blocked>
      %10 = arith.cmpi slt, %9, %2 : tensor<1024xi32, #blocked>
      %11 = arith.muli %9, %0 : tensor<1024xi32, #blocked>
      %12 = tt.addptr %3, %11 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %13 = tt.load %12, %10, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %14 = arith.select %10, %13, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %15 = arith.addf %arg5, %14 : tensor<1024xf32, #blocked>
      scf.yield %15 : tensor<1024xf32, #blocked>
    }
    tt.return %6 : tensor<1024xf32, #blocked>
  }
  tt.func public @equal(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1024_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %5 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %6 = arith.addi %5, %1 : tensor<1024xi32, #blocked>
      %7 = arith.cmpi ne, %6, %2 : tensor<1024xi32, #blocked>
      %8 = arith.muli %6, %0 : tensor<1024xi32, #blocked>
      %9 = tt.addptr %3, %8 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %10 = tt.load %9, %7, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %11 = arith.select %7, %10, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %12 = arith.addf %arg5, %11 : tensor<1024xf32, #blocked>
      scf.yield %12 : tensor<1024xf32, #blocked>
    }
    tt.return %4 : tensor<1024xf32, #blocked>
  }
  tt.func public @asked(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = scf.for %arg4 = %c0_i32 to %arg3 step %c1024_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %5 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %6 = arith.addi %5, %1 : tensor<1024xi32, #blocked>
      %7 = arith.cmpi slt, %6, %2 : tensor<1024xi32, #blocked>
      %8 = arith.muli %6, %0 : tensor<1024xi32, #blocked>
      %9 = tt.addptr %3, %8 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %10 = tt.load %9, %7, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %11 = arith.select %7, %10, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %12 = arith.addf %arg5, %11 : tensor<1024xf32, #blocked>
      scf.yield %12 : tensor<1024xf32, #blocked>
    } {tt.num_stages = 3 : i32}
    tt.return %4 : tensor<1024xf32, #blocked>
  }
}

