// passes: convert-to-ttg,loop-unroll,canonicalize
// grid: few
// counts: math.exp 15, scf.for 2, scf.if 2
module {
  // Eight copies of a long body have as much under way as the memory brings in time. What they leave has the four copies that it would have without them.
  tt.func public @columns(%p: !tt.ptr<f32>, %n: i32) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<1024xf32>
    %lane = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1024xf32>) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %all = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %x = tt.load %at : tensor<1024x!tt.ptr<f32>>
      %e = math.exp %x : tensor<1024xf32>
      %s = arith.addf %acc, %e : tensor<1024xf32>
      scf.yield %s : tensor<1024xf32>
    }
    tt.return %sum : tensor<1024xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @columns(%arg0: !tt.ptr<f32>, %arg1: i32) -> tensor<1024xf32, #blocked> {
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
      %18 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %21 = tt.load %20 : tensor<1024x!tt.ptr<f32>, #blocked>
      %22 = math.exp %21 : tensor<1024xf32, #blocked>
      %23 = arith.addf %arg3, %22 : tensor<1024xf32, #blocked>
      %24 = arith.addi %arg2, %c1_i32 : i32
      %25 = tt.addptr %arg0, %24 : !tt.ptr<f32>, i32
      %26 = tt.splat %25 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %27 = tt.addptr %26, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %28 = tt.load %27 : tensor<1024x!tt.ptr<f32>, #blocked>
      %29 = math.exp %28 : tensor<1024xf32, #blocked>
      %30 = arith.addf %23, %29 : tensor<1024xf32, #blocked>
      %31 = arith.addi %arg2, %c2_i32 : i32
      %32 = tt.addptr %arg0, %31 : !tt.ptr<f32>, i32
      %33 = tt.splat %32 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %34 = tt.addptr %33, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %35 = tt.load %34 : tensor<1024x!tt.ptr<f32>, #blocked>
      %36 = math.exp %35 : tensor<1024xf32, #blocked>
      %37 = arith.addf %30, %36 : tensor<1024xf32, #blocked>
      %38 = arith.addi %arg2, %c3_i32 : i32
      %39 = tt.addptr %arg0, %38 : !tt.ptr<f32>, i32
      %40 = tt.splat %39 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %41 = tt.addptr %40, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %42 = tt.load %41 : tensor<1024x!tt.ptr<f32>, #blocked>
      %43 = math.exp %42 : tensor<1024xf32, #blocked>
      %44 = arith.addf %37, %43 : tensor<1024xf32, #blocked>
      %45 = arith.addi %arg2, %c4_i32 : i32
      %46 = tt.addptr %arg0, %45 : !tt.ptr<f32>, i32
      %47 = tt.splat %46 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %48 = tt.addptr %47, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %49 = tt.load %48 : tensor<1024x!tt.ptr<f32>, #blocked>
      %50 = math.exp %49 : tensor<1024xf32, #blocked>
      %51 = arith.addf %44, %50 : tensor<1024xf32, #blocked>
      %52 = arith.addi %arg2, %c5_i32 : i32
      %53 = tt.addptr %arg0, %52 : !tt.ptr<f32>, i32
      %54 = tt.splat %53 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %55 = tt.addptr %54, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %56 = tt.load %55 : tensor<1024x!tt.ptr<f32>, #blocked>
      %57 = math.exp %56 : tensor<1024xf32, #blocked>
      %58 = arith.addf %51, %57 : tensor<1024xf32, #blocked>
      %59 = arith.addi %arg2, %c6_i32 : i32
      %60 = tt.addptr %arg0, %59 : !tt.ptr<f32>, i32
      %61 = tt.splat %60 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %62 = tt.addptr %61, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %63 = tt.load %62 : tensor<1024x!tt.ptr<f32>, #blocked>
      %64 = math.exp %63 : tensor<1024xf32, #blocked>
      %65 = arith.addf %58, %64 : tensor<1024xf32, #blocked>
      %66 = arith.addi %arg2, %c7_i32 : i32
      %67 = tt.addptr %arg0, %66 : !tt.ptr<f32>, i32
      %68 = tt.splat %67 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %69 = tt.addptr %68, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %70 = tt.load %69 : tensor<1024x!tt.ptr<f32>, #blocked>
      %71 = math.exp %70 : tensor<1024xf32, #blocked>
      %72 = arith.addf %65, %71 : tensor<1024xf32, #blocked>
      scf.yield %72 : tensor<1024xf32, #blocked>
    } {tk.written_once}
    %5 = arith.maxsi %arg1, %3 : i32
    %6 = arith.subi %5, %3 : i32
    %7 = arith.remui %6, %c4_i32 : i32
    %8 = arith.subi %6, %7 : i32
    %9 = arith.addi %3, %8 : i32
    %10 = scf.for %arg2 = %3 to %9 step %c4_i32 iter_args(%arg3 = %4) -> (tensor<1024xf32, #blocked>)  : i32 {
      %18 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %21 = tt.load %20 : tensor<1024x!tt.ptr<f32>, #blocked>
      %22 = math.exp %21 : tensor<1024xf32, #blocked>
      %23 = arith.addf %arg3, %22 : tensor<1024xf32, #blocked>
      %24 = arith.addi %arg2, %c1_i32 : i32
      %25 = tt.addptr %arg0, %24 : !tt.ptr<f32>, i32
      %26 = tt.splat %25 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %27 = tt.addptr %26, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %28 = tt.load %27 : tensor<1024x!tt.ptr<f32>, #blocked>
      %29 = math.exp %28 : tensor<1024xf32, #blocked>
      %30 = arith.addf %23, %29 : tensor<1024xf32, #blocked>
      %31 = arith.addi %arg2, %c2_i32 : i32
      %32 = tt.addptr %arg0, %31 : !tt.ptr<f32>, i32
      %33 = tt.splat %32 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %34 = tt.addptr %33, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %35 = tt.load %34 : tensor<1024x!tt.ptr<f32>, #blocked>
      %36 = math.exp %35 : tensor<1024xf32, #blocked>
      %37 = arith.addf %30, %36 : tensor<1024xf32, #blocked>
      %38 = arith.addi %arg2, %c3_i32 : i32
      %39 = tt.addptr %arg0, %38 : !tt.ptr<f32>, i32
      %40 = tt.splat %39 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %41 = tt.addptr %40, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %42 = tt.load %41 : tensor<1024x!tt.ptr<f32>, #blocked>
      %43 = math.exp %42 : tensor<1024xf32, #blocked>
      %44 = arith.addf %37, %43 : tensor<1024xf32, #blocked>
      scf.yield %44 : tensor<1024xf32, #blocked>
    } {tk.written_once}
    %11 = arith.andi %7, %c2_i32 : i32
    %12 = arith.cmpi ne, %11, %c0_i32 : i32
    %13 = scf.if %12 -> (tensor<1024xf32, #blocked>) {
      %18 = tt.addptr %arg0, %9 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %21 = tt.load %20 : tensor<1024x!tt.ptr<f32>, #blocked>
      %22 = math.exp %21 : tensor<1024xf32, #blocked>
      %23 = arith.addf %10, %22 : tensor<1024xf32, #blocked>
      %24 = arith.addi %9, %c1_i32 : i32
      %25 = tt.addptr %arg0, %24 : !tt.ptr<f32>, i32
      %26 = tt.splat %25 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %27 = tt.addptr %26, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %28 = tt.load %27 : tensor<1024x!tt.ptr<f32>, #blocked>
      %29 = math.exp %28 : tensor<1024xf32, #blocked>
      %30 = arith.addf %23, %29 : tensor<1024xf32, #blocked>
      scf.yield %30 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %10 : tensor<1024xf32, #blocked>
    }
    %14 = arith.addi %9, %11 : i32
    %15 = arith.andi %7, %c1_i32 : i32
    %16 = arith.cmpi ne, %15, %c0_i32 : i32
    %17 = scf.if %16 -> (tensor<1024xf32, #blocked>) {
      %18 = tt.addptr %arg0, %14 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %21 = tt.load %20 : tensor<1024x!tt.ptr<f32>, #blocked>
      %22 = math.exp %21 : tensor<1024xf32, #blocked>
      %23 = arith.addf %13, %22 : tensor<1024xf32, #blocked>
      scf.yield %23 : tensor<1024xf32, #blocked>
    } else {
      scf.yield %13 : tensor<1024xf32, #blocked>
    }
    tt.return %17 : tensor<1024xf32, #blocked>
  }
}

