// passes: split-ragged-loops,canonicalize,cse
// counts: scf.if 1, scf.for 2
// A body is there twice where it is not long.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Powers of two have an instruction.
  tt.func public @singles(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %n: i32) -> tensor<8192xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<8192xf32, #one>
    %zero = arith.constant 0 : i32
    %size = arith.constant 8192 : i32
    %strides = tt.splat %stride : i32 -> tensor<8192xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 8192 : i32} : tensor<8192xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<8192xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8192x!tt.ptr<f32>, #one>
    %sum = scf.for %i = %zero to %n step %size iter_args(%acc = %none) -> (tensor<8192xf32, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<8192xi32, #one>
      %places = arith.addi %starts, %range : tensor<8192xi32, #one>
      %inside = arith.cmpi slt, %places, %ns : tensor<8192xi32, #one>
      %at = arith.muli %places, %strides : tensor<8192xi32, #one>
      %p = tt.addptr %xs, %at : tensor<8192x!tt.ptr<f32>, #one>, tensor<8192xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<8192x!tt.ptr<f32>, #one>
      %power = math.exp2 %v : tensor<8192xf32, #one>
      %kept = arith.select %inside, %power, %none : tensor<8192xi1, #one>, tensor<8192xf32, #one>
      %next = arith.addf %acc, %kept : tensor<8192xf32, #one>
      scf.yield %next : tensor<8192xf32, #one>
    }
    tt.return %sum : tensor<8192xf32, #one>
  }
  // Those of doubles are a polynomial: 64 for each thread are longer than what is written twice.
  tt.func public @doubles(%x: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %stride: i32, %n: i32) -> tensor<8192xf64, #one> {
    %none = arith.constant dense<0.0> : tensor<8192xf64, #one>
    %zero = arith.constant 0 : i32
    %size = arith.constant 8192 : i32
    %strides = tt.splat %stride : i32 -> tensor<8192xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 8192 : i32} : tensor<8192xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<8192xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f64> -> tensor<8192x!tt.ptr<f64>, #one>
    %sum = scf.for %i = %zero to %n step %size iter_args(%acc = %none) -> (tensor<8192xf64, #one>) : i32 {
      %starts = tt.splat %i : i32 -> tensor<8192xi32, #one>
      %places = arith.addi %starts, %range : tensor<8192xi32, #one>
      %inside = arith.cmpi slt, %places, %ns : tensor<8192xi32, #one>
      %at = arith.muli %places, %strides : tensor<8192xi32, #one>
      %p = tt.addptr %xs, %at : tensor<8192x!tt.ptr<f64>, #one>, tensor<8192xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<8192x!tt.ptr<f64>, #one>
      %power = math.exp2 %v : tensor<8192xf64, #one>
      %kept = arith.select %inside, %power, %none : tensor<8192xi1, #one>, tensor<8192xf64, #one>
      %next = arith.addf %acc, %kept : tensor<8192xf64, #one>
      scf.yield %next : tensor<8192xf64, #one>
    }
    tt.return %sum : tensor<8192xf64, #one>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @singles(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32) -> tensor<8192xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<8192xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c8192_i32 = arith.constant 8192 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<8192xi32, #blocked>
    %1 = tt.make_range {end = 8192 : i32, start = 0 : i32} : tensor<8192xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<8192xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8192x!tt.ptr<f32>, #blocked>
    %4 = arith.maxsi %arg2, %c0_i32 : i32
    %5 = arith.remui %4, %c8192_i32 : i32
    %6 = arith.subi %4, %5 : i32
    %7 = scf.for %arg3 = %c0_i32 to %6 step %c8192_i32 iter_args(%arg4 = %cst) -> (tensor<8192xf32, #blocked>)  : i32 {
      %10 = tt.splat %arg3 : i32 -> tensor<8192xi32, #blocked>
      %11 = arith.addi %10, %1 : tensor<8192xi32, #blocked>
      %12 = arith.muli %11, %0 : tensor<8192xi32, #blocked>
      %13 = tt.addptr %3, %12 : tensor<8192x!tt.ptr<f32>, #blocked>, tensor<8192xi32, #blocked>
      %14 = tt.load %13 : tensor<8192x!tt.ptr<f32>, #blocked>
      %15 = math.exp2 %14 : tensor<8192xf32, #blocked>
      %16 = arith.addf %arg4, %15 : tensor<8192xf32, #blocked>
      scf.yield %16 : tensor<8192xf32, #blocked>
    }
    %8 = arith.cmpi slt, %6, %arg2 : i32
    %9 = scf.if %8 -> (tensor<8192xf32, #blocked>) {
      %10 = tt.splat %6 : i32 -> tensor<8192xi32, #blocked>
      %11 = arith.addi %10, %1 : tensor<8192xi32, #blocked>
      %12 = arith.cmpi slt, %11, %2 : tensor<8192xi32, #blocked>
      %13 = arith.muli %11, %0 : tensor<8192xi32, #blocked>
      %14 = tt.addptr %3, %13 : tensor<8192x!tt.ptr<f32>, #blocked>, tensor<8192xi32, #blocked>
      %15 = tt.load %14, %12, %cst : tensor<8192x!tt.ptr<f32>, #blocked>
      %16 = math.exp2 %15 : tensor<8192xf32, #blocked>
      %17 = arith.select %12, %16, %cst : tensor<8192xi1, #blocked>, tensor<8192xf32, #blocked>
      %18 = arith.addf %7, %17 : tensor<8192xf32, #blocked>
      scf.yield %18 : tensor<8192xf32, #blocked>
    } else {
      scf.yield %7 : tensor<8192xf32, #blocked>
    }
    tt.return %9 : tensor<8192xf32, #blocked>
  }
  tt.func public @doubles(%arg0: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32) -> tensor<8192xf64, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<8192xf64, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c8192_i32 = arith.constant 8192 : i32
    %0 = tt.splat %arg1 : i32 -> tensor<8192xi32, #blocked>
    %1 = tt.make_range {end = 8192 : i32, start = 0 : i32} : tensor<8192xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<8192xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f64> -> tensor<8192x!tt.ptr<f64>, #blocked>
    %4 = scf.for %arg3 = %c0_i32 to %arg2 step %c8192_i32 iter_args(%arg4 = %cst) -> (tensor<8192xf64, #blocked>)  : i32 {
      %5 = tt.splat %arg3 : i32 -> tensor<8192xi32, #blocked>
      %6 = arith.addi %5, %1 : tensor<8192xi32, #blocked>
      %7 = arith.cmpi slt, %6, %2 : tensor<8192xi32, #blocked>
      %8 = arith.muli %6, %0 : tensor<8192xi32, #blocked>
      %9 = tt.addptr %3, %8 : tensor<8192x!tt.ptr<f64>, #blocked>, tensor<8192xi32, #blocked>
      %10 = tt.load %9, %7, %cst : tensor<8192x!tt.ptr<f64>, #blocked>
      %11 = math.exp2 %10 : tensor<8192xf64, #blocked>
      %12 = arith.select %7, %11, %cst : tensor<8192xi1, #blocked>, tensor<8192xf64, #blocked>
      %13 = arith.addf %arg4, %12 : tensor<8192xf64, #blocked>
      scf.yield %13 : tensor<8192xf64, #blocked>
    }
    tt.return %4 : tensor<8192xf64, #blocked>
  }
}

