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
    %c7_i32 = arith.constant 7 : i32
    %c6_i32 = arith.constant 6 : i32
    %c5_i32 = arith.constant 5 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = arith.maxsi %arg1, %c0_i32 : i32
    %2 = arith.remui %1, %c8_i32 : i32
    %3 = arith.subi %1, %2 : i32
    %4 = scf.for %arg2 = %c0_i32 to %3 step %c8_i32 iter_args(%arg3 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %16 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %19 = tt.load %18 : tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %arg3, %19 : tensor<1024xf32, #blocked>
      %21 = arith.addi %arg2, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<f32>, i32
      %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %24 = tt.addptr %23, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %25 = tt.load %24 : tensor<1024x!tt.ptr<f32>, #blocked>
      %26 = arith.addf %20, %25 : tensor<1024xf32, #blocked>
      %27 = arith.addi %arg2, %c2_i32 : i32
      %28 = tt.addptr %arg0, %27 : !tt.ptr<f32>, i32
      %29 = tt.splat %28 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %30 = tt.addptr %29, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %31 = tt.load %30 : tensor<1024x!tt.ptr<f32>, #blocked>
      %32 = arith.addf %26, %31 : tensor<1024xf32, #blocked>
      %33 = arith.addi %arg2, %c3_i32 : i32
      %34 = tt.addptr %arg0, %33 : !tt.ptr<f32>, i32
      %35 = tt.splat %34 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %36 = tt.addptr %35, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %37 = tt.load %36 : tensor<1024x!tt.ptr<f32>, #blocked>
      %38 = arith.addf %32, %37 : tensor<1024xf32, #blocked>
      %39 = arith.addi %arg2, %c4_i32 : i32
      %40 = tt.addptr %arg0, %39 : !tt.ptr<f32>, i32
      %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %42 = tt.addptr %41, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %43 = tt.load %42 : tensor<1024x!tt.ptr<f32>, #blocked>
      %44 = arith.addf %38, %43 : tensor<1024xf32, #blocked>
      %45 = arith.addi %arg2, %c5_i32 : i32
      %46 = tt.addptr %arg0, %45 : !tt.ptr<f32>, i32
      %47 = tt.splat %46 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %48 = tt.addptr %47, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %49 = tt.load %48 : tensor<1024x!tt.ptr<f32>, #blocked>
      %50 = arith.addf %44, %49 : tensor<1024xf32, #blocked>
      %51 = arith.addi %arg2, %c6_i32 : i32
      %52 = tt.addptr %arg0, %51 : !tt.ptr<f32>, i32
      %53 = tt.splat %52 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %54 = tt.addptr %53, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %55 = tt.load %54 : tensor<1024x!tt.ptr<f32>, #blocked>
      %56 = arith.addf %50, %55 : tensor<1024xf32, #blocked>
      %57 = arith.addi %arg2, %c7_i32 : i32
      %58 = tt.addptr %arg0, %57 : !tt.ptr<f32>, i32
      %59 = tt.splat %58 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %60 = tt.addptr %59, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %61 = tt.load %60 : tensor<1024x!tt.ptr<f32>, #blocked>
      %62 = arith.addf %56, %61 : tensor<1024xf32, #blocked>
      scf.yield %62 : tensor<1024xf32, #blocked>
    } {tk.written_once}
    %5 = arith.andi %2, %c4_i32 : i32
    %6 = arith.cmpi ne, %5, %c0_i32 : i32
    %7 = scf.if %6 -> (tensor<1024xf32, #blocked>) {
      %16 = tt.addptr %arg0, %3 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %19 = tt.load %18 : tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %4, %19 : tensor<1024xf32, #blocked>
      %21 = arith.addi %3, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<f32>, i32
      %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %24 = tt.addptr %23, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %25 = tt.load %24 : tensor<1024x!tt.ptr<f32>, #blocked>
      %26 = arith.addf %20, %25 : tensor<1024xf32, #blocked>
      %27 = arith.addi %3, %c2_i32 : i32
      %28 = tt.addptr %arg0, %27 : !tt.ptr<f32>, i32
      %29 = tt.splat %28 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %30 = tt.addptr %29, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %31 = tt.load %30 : tensor<1024x!tt.ptr<f32>, #blocked>
      %32 = arith.addf %26, %31 : tensor<1024xf32, #blocked>
      %33 = arith.addi %3, %c3_i32 : i32
      %34 = tt.addptr %arg0, %33 : !tt.ptr<f32>, i32
      %35 = tt.splat %34 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %36 = tt.addptr %35, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %37 = tt.load %36 : tensor<1024x!tt.ptr<f32>, #blocked>
      %38 = arith.addf %32, %37 : tensor<1024xf32, #blocked>
      scf.yield %38 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %4 : tensor<1024xf32, #blocked>
    }
    %8 = arith.addi %3, %5 : i32
    %9 = arith.andi %2, %c2_i32 : i32
    %10 = arith.cmpi ne, %9, %c0_i32 : i32
    %11 = scf.if %10 -> (tensor<1024xf32, #blocked>) {
      %16 = tt.addptr %arg0, %8 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %19 = tt.load %18 : tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %7, %19 : tensor<1024xf32, #blocked>
      %21 = arith.addi %8, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<f32>, i32
      %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %24 = tt.addptr %23, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %25 = tt.load %24 : tensor<1024x!tt.ptr<f32>, #blocked>
      %26 = arith.addf %20, %25 : tensor<1024xf32, #blocked>
      scf.yield %26 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %7 : tensor<1024xf32, #blocked>
    }
    %12 = arith.addi %8, %9 : i32
    %13 = arith.andi %2, %c1_i32 : i32
    %14 = arith.cmpi ne, %13, %c0_i32 : i32
    %15 = scf.if %14 -> (tensor<1024xf32, #blocked>) {
      %16 = tt.addptr %arg0, %12 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %19 = tt.load %18 : tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %11, %19 : tensor<1024xf32, #blocked>
      scf.yield %20 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %11 : tensor<1024xf32, #blocked>
    }
    tt.return %15 : tensor<1024xf32, #blocked>
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
      %8 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %11 = tt.load %10 : tensor<4096x!tt.ptr<f32>, #blocked>
      %12 = tt.load %arg1 : tensor<4096x!tt.ptr<f32>, #blocked>
      %13 = arith.mulf %11, %12 : tensor<4096xf32, #blocked>
      %14 = arith.addf %arg4, %13 : tensor<4096xf32, #blocked>
      %15 = arith.addi %arg3, %c1_i32 : i32
      %16 = tt.addptr %arg0, %15 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %19 = tt.load %18 : tensor<4096x!tt.ptr<f32>, #blocked>
      %20 = tt.load %arg1 : tensor<4096x!tt.ptr<f32>, #blocked>
      %21 = arith.mulf %19, %20 : tensor<4096xf32, #blocked>
      %22 = arith.addf %14, %21 : tensor<4096xf32, #blocked>
      scf.yield %22 : tensor<4096xf32, #blocked>
    }
    %5 = arith.andi %2, %c1_i32 : i32
    %6 = arith.cmpi ne, %5, %c0_i32 : i32
    %7 = scf.if %6 -> (tensor<4096xf32, #blocked>) {
      %8 = tt.addptr %arg0, %3 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %11 = tt.load %10 : tensor<4096x!tt.ptr<f32>, #blocked>
      %12 = tt.load %arg1 : tensor<4096x!tt.ptr<f32>, #blocked>
      %13 = arith.mulf %11, %12 : tensor<4096xf32, #blocked>
      %14 = arith.addf %4, %13 : tensor<4096xf32, #blocked>
      scf.yield %14 : tensor<4096xf32, #blocked>
    } else {
      scf.yield %4 : tensor<4096xf32, #blocked>
    }
    tt.return %7 : tensor<4096xf32, #blocked>
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

