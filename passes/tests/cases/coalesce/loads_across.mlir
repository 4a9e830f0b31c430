// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 1
module {
  // A convolution: the loads of the loop begin anywhere, and have one element of each thread; the store behind it, too.
  tt.func public @taps(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %taps: i32) {
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %first = tt.addptr %base, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %sum = scf.for %k = %c0 to %taps step %c1 iter_args(%acc = %zero) -> (tensor<128xf32>) : i32 {
      %ks = tt.splat %k : i32 -> tensor<128xi32>
      %p = tt.addptr %first, %ks : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %v = tt.load %p : tensor<128x!tt.ptr<f32>>
      %q = tt.addptr %w, %k : !tt.ptr<f32>, i32
      %f = tt.load %q : !tt.ptr<f32>
      %fs = tt.splat %f : f32 -> tensor<128xf32>
      %m = arith.mulf %v, %fs : tensor<128xf32>
      %n = arith.addf %acc, %m : tensor<128xf32>
      scf.yield %n : tensor<128xf32>
    }
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %o = tt.addptr %outs, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %o, %sum : tensor<128x!tt.ptr<f32>>
    tt.return
  }

  // A window of three places: the loop is written out, and one place is aligned. The loads have what the store has.
  tt.func public @window(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %first = tt.addptr %base, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (tensor<128xf32>) : i32 {
      %ks = tt.splat %k : i32 -> tensor<128xi32>
      %p = tt.addptr %first, %ks : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %v = tt.load %p : tensor<128x!tt.ptr<f32>>
      %n = arith.addf %acc, %v : tensor<128xf32>
      scf.yield %n : tensor<128xf32>
    }
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %o = tt.addptr %outs, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %o, %sum : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @taps(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128xf32, #blocked>)  : i32 {
      %6 = tt.splat %arg4 : i32 -> tensor<128xi32, #blocked>
      %7 = tt.addptr %2, %6 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %8 = tt.load %7 : tensor<128x!tt.ptr<f32>, #blocked>
      %9 = tt.addptr %arg1, %arg4 : !tt.ptr<f32>, i32
      %10 = tt.load %9 : !tt.ptr<f32>
      %11 = tt.splat %10 : f32 -> tensor<128xf32, #blocked>
      %12 = arith.mulf %8, %11 : tensor<128xf32, #blocked>
      %13 = arith.addf %arg5, %12 : tensor<128xf32, #blocked>
      scf.yield %13 : tensor<128xf32, #blocked>
    }
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %4, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %5, %3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @window(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %3 = scf.for %arg2 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<128xf32, #blocked1>)  : i32 {
      %6 = tt.splat %arg2 : i32 -> tensor<128xi32, #blocked1>
      %7 = tt.addptr %2, %6 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %8 = tt.load %7 : tensor<128x!tt.ptr<f32>, #blocked1>
      %9 = arith.addf %arg3, %8 : tensor<128xf32, #blocked1>
      scf.yield %9 : tensor<128xf32, #blocked1>
    }
    %4 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %5 = tt.addptr %4, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    tt.store %5, %3 : tensor<128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

