// passes: convert-to-ttg,loop-unroll,canonicalize
// grid: few
module {
  // More than one access of a thread, but the grid brings nothing that loads meanwhile.
  tt.func public @wide(%p: !tt.ptr<f32>, %n: i32) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<1024xf32>
    %lane = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1024xf32>) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %all = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %x = tt.load %at : tensor<1024x!tt.ptr<f32>>
      %s = arith.addf %acc, %x : tensor<1024xf32>
      scf.yield %s : tensor<1024xf32>
    }
    tt.return %sum : tensor<1024xf32>
  }
  // Eight accesses of a thread: two copies have what few warps may have under way. What is the same in each iteration is loaded once.
  tt.func public @wider(%p: !tt.ptr<f32>, %same: tensor<4096x!tt.ptr<f32>>, %n: i32) -> tensor<4096xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<4096xf32>
    %lane = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<4096xf32>) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %all = tt.splat %q : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %x = tt.load %at : tensor<4096x!tt.ptr<f32>>
      %y = tt.load %same : tensor<4096x!tt.ptr<f32>>
      %xy = arith.mulf %x, %y : tensor<4096xf32>
      %s = arith.addf %acc, %xy : tensor<4096xf32>
      scf.yield %s : tensor<4096xf32>
    }
    tt.return %sum : tensor<4096xf32>
  }
  // The code of long functions would not come as fast as it runs.
  tt.func public @long(%p: !tt.ptr<f32>, %n: i32) -> tensor<4096xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<4096xf32>
    %lane = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<4096xf32>) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %all = tt.splat %q : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %x = tt.load %at : tensor<4096x!tt.ptr<f32>>
      %y = math.sin %x : tensor<4096xf32>
      %s = arith.addf %acc, %y : tensor<4096xf32>
      scf.yield %s : tensor<4096xf32>
    }
    tt.return %sum : tensor<4096xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @wide(%arg0: !tt.ptr<f32>, %arg1: i32) -> tensor<1024xf32, #blocked> {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = arith.maxsi %arg1, %c0_i32 : i32
    %2 = arith.remui %1, %c4_i32 : i32
    %3 = arith.subi %1, %2 : i32
    %4 = scf.for %arg2 = %c0_i32 to %3 step %c4_i32 iter_args(%arg3 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %6 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %8 = tt.addptr %7, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %9 = tt.load %8 : tensor<1024x!tt.ptr<f32>, #blocked>
      %10 = arith.addf %arg3, %9 : tensor<1024xf32, #blocked>
      %11 = arith.addi %arg2, %c1_i32 : i32
      %12 = tt.addptr %arg0, %11 : !tt.ptr<f32>, i32
      %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %14 = tt.addptr %13, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %15 = tt.load %14 : tensor<1024x!tt.ptr<f32>, #blocked>
      %16 = arith.addf %10, %15 : tensor<1024xf32, #blocked>
      %17 = arith.addi %arg2, %c2_i32 : i32
      %18 = tt.addptr %arg0, %17 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %21 = tt.load %20 : tensor<1024x!tt.ptr<f32>, #blocked>
      %22 = arith.addf %16, %21 : tensor<1024xf32, #blocked>
      %23 = arith.addi %arg2, %c3_i32 : i32
      %24 = tt.addptr %arg0, %23 : !tt.ptr<f32>, i32
      %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %26 = tt.addptr %25, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %27 = tt.load %26 : tensor<1024x!tt.ptr<f32>, #blocked>
      %28 = arith.addf %22, %27 : tensor<1024xf32, #blocked>
      scf.yield %28 : tensor<1024xf32, #blocked>
    }
    %5 = scf.for %arg2 = %3 to %arg1 step %c1_i32 iter_args(%arg3 = %4) -> (tensor<1024xf32, #blocked>)  : i32 {
      %6 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %8 = tt.addptr %7, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %9 = tt.load %8 : tensor<1024x!tt.ptr<f32>, #blocked>
      %10 = arith.addf %arg3, %9 : tensor<1024xf32, #blocked>
      scf.yield %10 : tensor<1024xf32, #blocked>
    } {tk.rest}
    tt.return %5 : tensor<1024xf32, #blocked>
  }
  tt.func public @wider(%arg0: !tt.ptr<f32>, %arg1: tensor<4096x!tt.ptr<f32>, #blocked>, %arg2: i32) -> tensor<4096xf32, #blocked> {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<4096xf32, #blocked>
    %0 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %1 = arith.maxsi %arg2, %c0_i32 : i32
    %2 = arith.remui %1, %c2_i32 : i32
    %3 = arith.subi %1, %2 : i32
    %4 = scf.for %arg3 = %c0_i32 to %3 step %c2_i32 iter_args(%arg4 = %cst) -> (tensor<4096xf32, #blocked>)  : i32 {
      %6 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %8 = tt.addptr %7, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %9 = tt.load %8 : tensor<4096x!tt.ptr<f32>, #blocked>
      %10 = tt.load %arg1 : tensor<4096x!tt.ptr<f32>, #blocked>
      %11 = arith.mulf %9, %10 : tensor<4096xf32, #blocked>
      %12 = arith.addf %arg4, %11 : tensor<4096xf32, #blocked>
      %13 = arith.addi %arg3, %c1_i32 : i32
      %14 = tt.addptr %arg0, %13 : !tt.ptr<f32>, i32
      %15 = tt.splat %14 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %16 = tt.addptr %15, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %17 = tt.load %16 : tensor<4096x!tt.ptr<f32>, #blocked>
      %18 = tt.load %arg1 : tensor<4096x!tt.ptr<f32>, #blocked>
      %19 = arith.mulf %17, %18 : tensor<4096xf32, #blocked>
      %20 = arith.addf %12, %19 : tensor<4096xf32, #blocked>
      scf.yield %20 : tensor<4096xf32, #blocked>
    }
    %5 = scf.for %arg3 = %3 to %arg2 step %c1_i32 iter_args(%arg4 = %4) -> (tensor<4096xf32, #blocked>)  : i32 {
      %6 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %8 = tt.addptr %7, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %9 = tt.load %8 : tensor<4096x!tt.ptr<f32>, #blocked>
      %10 = tt.load %arg1 : tensor<4096x!tt.ptr<f32>, #blocked>
      %11 = arith.mulf %9, %10 : tensor<4096xf32, #blocked>
      %12 = arith.addf %arg4, %11 : tensor<4096xf32, #blocked>
      scf.yield %12 : tensor<4096xf32, #blocked>
    } {tk.rest}
    tt.return %5 : tensor<4096xf32, #blocked>
  }
  tt.func public @long(%arg0: !tt.ptr<f32>, %arg1: i32) -> tensor<4096xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<4096xf32, #blocked>
    %0 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %1 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<4096xf32, #blocked>)  : i32 {
      %2 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %3 = tt.splat %2 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %5 = tt.load %4 : tensor<4096x!tt.ptr<f32>, #blocked>
      %6 = math.sin %5 : tensor<4096xf32, #blocked>
      %7 = arith.addf %arg3, %6 : tensor<4096xf32, #blocked>
      scf.yield %7 : tensor<4096xf32, #blocked>
    }
    tt.return %1 : tensor<4096xf32, #blocked>
  }
}

