// passes: split-ragged-loops,canonicalize,cse
// counts: scf.if 3, scf.for 3
// Loops whose last iteration alone may be ragged.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The blocks are the steps of the loop.
  tt.func public @steps(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
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
    }
    tt.return %sum : tensor<1024xf32, #one>
  }
  // From anywhere, and compared the other way around.
  tt.func public @turned(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<1024xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %before = arith.constant 1023 : i32
    %strides = tt.splat %stride : i32 -> tensor<1024xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<1024xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #one>
    %sum = scf.for %i = %a to %n step %size iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<1024xi32, #one>
      %places = arith.addi %starts, %range : tensor<1024xi32, #one>
      %inside = arith.cmpi sgt, %ns, %places : tensor<1024xi32, #one>
      %at = arith.muli %places, %strides : tensor<1024xi32, #one>
      %p = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>, #one>, tensor<1024xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<1024x!tt.ptr<f32>, #one>
      %kept = arith.select %inside, %v, %none : tensor<1024xi1, #one>, tensor<1024xf32, #one>
      %next = arith.addf %acc, %kept : tensor<1024xf32, #one>
      scf.yield %next : tensor<1024xf32, #one>
    }
    tt.return %sum : tensor<1024xf32, #one>
  }
  // The loop counts blocks.
  tt.func public @blocks(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %a: i32, %n: i32) -> tensor<1024xf32, #one> {
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
    %sum = scf.for %i = %zero to %blocks step %one iter_args(%acc = %none) -> (tensor<1024xf32, #one>) : i32 {
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
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @steps(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = arith.maxsi %arg3, %c0_i32 : i32
    %5 = arith.remui %4, %c1024_i32 : i32
    %6 = arith.subi %4, %5 : i32
    %7 = scf.for %arg4 = %c0_i32 to %6 step %c1024_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %10 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %11 = arith.addi %10, %1 : tensor<1024xi32, #blocked>
      %12 = arith.muli %11, %0 : tensor<1024xi32, #blocked>
      %13 = tt.addptr %3, %12 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %14 = tt.load %13 : tensor<1024x!tt.ptr<f32>, #blocked>
      %15 = arith.addf %arg5, %14 : tensor<1024xf32, #blocked>
      scf.yield %15 : tensor<1024xf32, #blocked>
    }
    %8 = arith.cmpi slt, %6, %arg3 : i32
    %9 = scf.if %8 -> (tensor<1024xf32, #blocked>) {
      %10 = tt.splat %6 : i32 -> tensor<1024xi32, #blocked>
      %11 = arith.addi %10, %1 : tensor<1024xi32, #blocked>
      %12 = arith.cmpi slt, %11, %2 : tensor<1024xi32, #blocked>
      %13 = arith.muli %11, %0 : tensor<1024xi32, #blocked>
      %14 = tt.addptr %3, %13 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %15 = tt.load %14, %12, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %16 = arith.select %12, %15, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %17 = arith.addf %7, %16 : tensor<1024xf32, #blocked>
      scf.yield %17 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %7 : tensor<1024xf32, #blocked>
    }
    tt.return %9 : tensor<1024xf32, #blocked>
  }
  tt.func public @turned(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %c1024_i32 = arith.constant 1024 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %4 = arith.maxsi %arg3, %arg2 : i32
    %5 = arith.subi %4, %arg2 : i32
    %6 = arith.remui %5, %c1024_i32 : i32
    %7 = arith.subi %4, %6 : i32
    %8 = scf.for %arg4 = %arg2 to %7 step %c1024_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %11 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<1024xi32, #blocked>
      %13 = arith.muli %12, %0 : tensor<1024xi32, #blocked>
      %14 = tt.addptr %3, %13 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %15 = tt.load %14 : tensor<1024x!tt.ptr<f32>, #blocked>
      %16 = arith.addf %arg5, %15 : tensor<1024xf32, #blocked>
      scf.yield %16 : tensor<1024xf32, #blocked>
    }
    %9 = arith.cmpi slt, %7, %arg3 : i32
    %10 = scf.if %9 -> (tensor<1024xf32, #blocked>) {
      %11 = tt.splat %7 : i32 -> tensor<1024xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<1024xi32, #blocked>
      %13 = arith.cmpi sgt, %2, %12 : tensor<1024xi32, #blocked>
      %14 = arith.muli %12, %0 : tensor<1024xi32, #blocked>
      %15 = tt.addptr %3, %14 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %16 = tt.load %15, %13, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %17 = arith.select %13, %16, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %18 = arith.addf %8, %17 : tensor<1024xf32, #blocked>
      scf.yield %18 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %8 : tensor<1024xf32, #blocked>
    }
    tt.return %10 : tensor<1024xf32, #blocked>
  }
  tt.func public @blocks(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<1024xf32, #blocked> {
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
    %6 = arith.divsi %arg3, %c1024_i32 : i32
    %7 = arith.minsi %6, %5 : i32
    %8 = arith.maxsi %7, %c0_i32 : i32
    %9 = scf.for %arg4 = %c0_i32 to %8 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %12 = arith.muli %arg4, %c1024_i32 : i32
      %13 = tt.splat %12 : i32 -> tensor<1024xi32, #blocked>
      %14 = arith.addi %13, %1 : tensor<1024xi32, #blocked>
      %15 = arith.muli %14, %0 : tensor<1024xi32, #blocked>
      %16 = tt.addptr %3, %15 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %17 = tt.load %16 : tensor<1024x!tt.ptr<f32>, #blocked>
      %18 = arith.addf %arg5, %17 : tensor<1024xf32, #blocked>
      scf.yield %18 : tensor<1024xf32, #blocked>
    }
    %10 = arith.cmpi slt, %8, %5 : i32
    %11 = scf.if %10 -> (tensor<1024xf32, #blocked>) {
      %12 = arith.muli %8, %c1024_i32 : i32
      %13 = tt.splat %12 : i32 -> tensor<1024xi32, #blocked>
      %14 = arith.addi %13, %1 : tensor<1024xi32, #blocked>
      %15 = arith.cmpi slt, %14, %2 : tensor<1024xi32, #blocked>
      %16 = arith.muli %14, %0 : tensor<1024xi32, #blocked>
      %17 = tt.addptr %3, %16 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %18 = tt.load %17, %15, %cst : tensor<1024x!tt.ptr<f32>, #blocked>
      %19 = arith.select %15, %18, %cst : tensor<1024xi1, #blocked>, tensor<1024xf32, #blocked>
      %20 = arith.addf %9, %19 : tensor<1024xf32, #blocked>
      scf.yield %20 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %9 : tensor<1024xf32, #blocked>
    }
    tt.return %11 : tensor<1024xf32, #blocked>
  }
}

