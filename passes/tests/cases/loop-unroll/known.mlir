// passes: convert-to-ttg,loop-unroll,canonicalize
module {
  // 20 steps: no loop is left.
  tt.func public @all(%p: !tt.ptr<f32>) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c20 = arith.constant 20 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %c20 step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      %s = arith.addf %acc, %x : f32
      scf.yield %s : f32
    }
    tt.return %sum : f32
  }
  // Each step loads eight bytes of a thread, and 64 may wait: eight steps at a time, and no loop for the rest.
  tt.func public @some(%p: !tt.ptr<f32>) -> tensor<256xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c40 = arith.constant 40 : i32
    %zero = arith.constant dense<0.0> : tensor<256xf32>
    %lane = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %sum = scf.for %i = %c0 to %c40 step %c1 iter_args(%acc = %zero) -> (tensor<256xf32>) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %all = tt.splat %q : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %at : tensor<256x!tt.ptr<f32>>
      %s = arith.addf %acc, %x : tensor<256xf32>
      scf.yield %s : tensor<256xf32>
    }
    tt.return %sum : tensor<256xf32>
  }
}

// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @all(%arg0: !tt.ptr<f32>) -> f32 {
    %c19_i32 = arith.constant 19 : i32
    %c18_i32 = arith.constant 18 : i32
    %c17_i32 = arith.constant 17 : i32
    %c16_i32 = arith.constant 16 : i32
    %c15_i32 = arith.constant 15 : i32
    %c14_i32 = arith.constant 14 : i32
    %c13_i32 = arith.constant 13 : i32
    %c12_i32 = arith.constant 12 : i32
    %c11_i32 = arith.constant 11 : i32
    %c10_i32 = arith.constant 10 : i32
    %c9_i32 = arith.constant 9 : i32
    %c8_i32 = arith.constant 8 : i32
    %c7_i32 = arith.constant 7 : i32
    %c6_i32 = arith.constant 6 : i32
    %c5_i32 = arith.constant 5 : i32
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.load %arg0 : !tt.ptr<f32>
    %1 = arith.addf %0, %cst : f32
    %2 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %3 = tt.load %2 : !tt.ptr<f32>
    %4 = arith.addf %1, %3 : f32
    %5 = tt.addptr %arg0, %c2_i32 : !tt.ptr<f32>, i32
    %6 = tt.load %5 : !tt.ptr<f32>
    %7 = arith.addf %4, %6 : f32
    %8 = tt.addptr %arg0, %c3_i32 : !tt.ptr<f32>, i32
    %9 = tt.load %8 : !tt.ptr<f32>
    %10 = arith.addf %7, %9 : f32
    %11 = tt.addptr %arg0, %c4_i32 : !tt.ptr<f32>, i32
    %12 = tt.load %11 : !tt.ptr<f32>
    %13 = arith.addf %10, %12 : f32
    %14 = tt.addptr %arg0, %c5_i32 : !tt.ptr<f32>, i32
    %15 = tt.load %14 : !tt.ptr<f32>
    %16 = arith.addf %13, %15 : f32
    %17 = tt.addptr %arg0, %c6_i32 : !tt.ptr<f32>, i32
    %18 = tt.load %17 : !tt.ptr<f32>
    %19 = arith.addf %16, %18 : f32
    %20 = tt.addptr %arg0, %c7_i32 : !tt.ptr<f32>, i32
    %21 = tt.load %20 : !tt.ptr<f32>
    %22 = arith.addf %19, %21 : f32
    %23 = tt.addptr %arg0, %c8_i32 : !tt.ptr<f32>, i32
    %24 = tt.load %23 : !tt.ptr<f32>
    %25 = arith.addf %22, %24 : f32
    %26 = tt.addptr %arg0, %c9_i32 : !tt.ptr<f32>, i32
    %27 = tt.load %26 : !tt.ptr<f32>
    %28 = arith.addf %25, %27 : f32
    %29 = tt.addptr %arg0, %c10_i32 : !tt.ptr<f32>, i32
    %30 = tt.load %29 : !tt.ptr<f32>
    %31 = arith.addf %28, %30 : f32
    %32 = tt.addptr %arg0, %c11_i32 : !tt.ptr<f32>, i32
    %33 = tt.load %32 : !tt.ptr<f32>
    %34 = arith.addf %31, %33 : f32
    %35 = tt.addptr %arg0, %c12_i32 : !tt.ptr<f32>, i32
    %36 = tt.load %35 : !tt.ptr<f32>
    %37 = arith.addf %34, %36 : f32
    %38 = tt.addptr %arg0, %c13_i32 : !tt.ptr<f32>, i32
    %39 = tt.load %38 : !tt.ptr<f32>
    %40 = arith.addf %37, %39 : f32
    %41 = tt.addptr %arg0, %c14_i32 : !tt.ptr<f32>, i32
    %42 = tt.load %41 : !tt.ptr<f32>
    %43 = arith.addf %40, %42 : f32
    %44 = tt.addptr %arg0, %c15_i32 : !tt.ptr<f32>, i32
    %45 = tt.load %44 : !tt.ptr<f32>
    %46 = arith.addf %43, %45 : f32
    %47 = tt.addptr %arg0, %c16_i32 : !tt.ptr<f32>, i32
    %48 = tt.load %47 : !tt.ptr<f32>
    %49 = arith.addf %46, %48 : f32
    %50 = tt.addptr %arg0, %c17_i32 : !tt.ptr<f32>, i32
    %51 = tt.load %50 : !tt.ptr<f32>
    %52 = arith.addf %49, %51 : f32
    %53 = tt.addptr %arg0, %c18_i32 : !tt.ptr<f32>, i32
    %54 = tt.load %53 : !tt.ptr<f32>
    %55 = arith.addf %52, %54 : f32
    %56 = tt.addptr %arg0, %c19_i32 : !tt.ptr<f32>, i32
    %57 = tt.load %56 : !tt.ptr<f32>
    %58 = arith.addf %55, %57 : f32
    tt.return %58 : f32
  }
  tt.func public @some(%arg0: !tt.ptr<f32>) -> tensor<256xf32, #blocked> {
    %c7_i32 = arith.constant 7 : i32
    %c6_i32 = arith.constant 6 : i32
    %c5_i32 = arith.constant 5 : i32
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c8_i32 = arith.constant 8 : i32
    %c40_i32 = arith.constant 40 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = scf.for %arg1 = %c0_i32 to %c40_i32 step %c8_i32 iter_args(%arg2 = %cst) -> (tensor<256xf32, #blocked>)  : i32 {
      %2 = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
      %3 = tt.splat %2 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %5 = tt.load %4 : tensor<256x!tt.ptr<f32>, #blocked>
      %6 = arith.addf %arg2, %5 : tensor<256xf32, #blocked>
      %7 = arith.addi %arg1, %c1_i32 : i32
      %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %11 = tt.load %10 : tensor<256x!tt.ptr<f32>, #blocked>
      %12 = arith.addf %6, %11 : tensor<256xf32, #blocked>
      %13 = arith.addi %arg1, %c2_i32 : i32
      %14 = tt.addptr %arg0, %13 : !tt.ptr<f32>, i32
      %15 = tt.splat %14 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %16 = tt.addptr %15, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %17 = tt.load %16 : tensor<256x!tt.ptr<f32>, #blocked>
      %18 = arith.addf %12, %17 : tensor<256xf32, #blocked>
      %19 = arith.addi %arg1, %c3_i32 : i32
      %20 = tt.addptr %arg0, %19 : !tt.ptr<f32>, i32
      %21 = tt.splat %20 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %22 = tt.addptr %21, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %23 = tt.load %22 : tensor<256x!tt.ptr<f32>, #blocked>
      %24 = arith.addf %18, %23 : tensor<256xf32, #blocked>
      %25 = arith.addi %arg1, %c4_i32 : i32
      %26 = tt.addptr %arg0, %25 : !tt.ptr<f32>, i32
      %27 = tt.splat %26 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %28 = tt.addptr %27, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %29 = tt.load %28 : tensor<256x!tt.ptr<f32>, #blocked>
      %30 = arith.addf %24, %29 : tensor<256xf32, #blocked>
      %31 = arith.addi %arg1, %c5_i32 : i32
      %32 = tt.addptr %arg0, %31 : !tt.ptr<f32>, i32
      %33 = tt.splat %32 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %34 = tt.addptr %33, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %35 = tt.load %34 : tensor<256x!tt.ptr<f32>, #blocked>
      %36 = arith.addf %30, %35 : tensor<256xf32, #blocked>
      %37 = arith.addi %arg1, %c6_i32 : i32
      %38 = tt.addptr %arg0, %37 : !tt.ptr<f32>, i32
      %39 = tt.splat %38 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %40 = tt.addptr %39, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %41 = tt.load %40 : tensor<256x!tt.ptr<f32>, #blocked>
      %42 = arith.addf %36, %41 : tensor<256xf32, #blocked>
      %43 = arith.addi %arg1, %c7_i32 : i32
      %44 = tt.addptr %arg0, %43 : !tt.ptr<f32>, i32
      %45 = tt.splat %44 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %46 = tt.addptr %45, %0 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %47 = tt.load %46 : tensor<256x!tt.ptr<f32>, #blocked>
      %48 = arith.addf %42, %47 : tensor<256xf32, #blocked>
      scf.yield %48 : tensor<256xf32, #blocked>
    }
    tt.return %1 : tensor<256xf32, #blocked>
  }
}

