// passes: hoist-loads
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Copies of the body of a loop: the loads of all of them go first.
  tt.func public @copies(%p: tensor<256x!tt.ptr<f32>, #four>, %n: i32, %out: tensor<256x!tt.ptr<f32>, #four>) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %c256 = arith.constant dense<256> : tensor<256xi32, #four>
    %zero = arith.constant dense<0.0> : tensor<256xf32, #four>
    %sum = scf.for %i = %c0 to %n step %c512 iter_args(%acc = %zero) -> (tensor<256xf32, #four>) : i32 {
      %at = tt.splat %i : i32 -> tensor<256xi32, #four>
      %first = tt.addptr %p, %at : tensor<256x!tt.ptr<f32>, #four>, tensor<256xi32, #four>
      %x = tt.load %first : tensor<256x!tt.ptr<f32>, #four>
      %sine = math.sin %x : tensor<256xf32, #four>
      %a = arith.addf %acc, %sine : tensor<256xf32, #four>
      %next = arith.addi %at, %c256 : tensor<256xi32, #four>
      %second = tt.addptr %p, %next : tensor<256x!tt.ptr<f32>, #four>, tensor<256xi32, #four>
      %y = tt.load %second : tensor<256x!tt.ptr<f32>, #four>
      %cosine = math.cos %y : tensor<256xf32, #four>
      %b = arith.addf %a, %cosine : tensor<256xf32, #four>
      scf.yield %b : tensor<256xf32, #four>
    }
    tt.store %out, %sum : tensor<256x!tt.ptr<f32>, #four>
    tt.return
  }
  // One angle of a thread.
  tt.func public @one(%p: tensor<64x!tt.ptr<f32>, #one>, %q: tensor<64x!tt.ptr<f32>, #one>, %out: tensor<64x!tt.ptr<f32>, #one>) {
    %x = tt.load %p : tensor<64x!tt.ptr<f32>, #one>
    %sine = math.sin %x : tensor<64xf32, #one>
    %y = tt.load %q : tensor<64x!tt.ptr<f32>, #one>
    %z = arith.mulf %sine, %y : tensor<64xf32, #one>
    tt.store %out, %z : tensor<64x!tt.ptr<f32>, #one>
    tt.return
  }
  // The mask is computed from the sines, or what is loaded has been written behind them.
  tt.func public @stays(%p: tensor<256x!tt.ptr<f32>, #four>, %q: tensor<256x!tt.ptr<f32>, #four>, %out: tensor<256x!tt.ptr<f32>, #four>) {
    %zero = arith.constant dense<0.0> : tensor<256xf32, #four>
    %x = tt.load %p : tensor<256x!tt.ptr<f32>, #four>
    %sine = math.sin %x : tensor<256xf32, #four>
    %mask = arith.cmpf ogt, %sine, %zero : tensor<256xf32, #four>
    %y = tt.load %q, %mask, %zero : tensor<256x!tt.ptr<f32>, #four>
    tt.store %out, %y : tensor<256x!tt.ptr<f32>, #four>
    %z = tt.load %q : tensor<256x!tt.ptr<f32>, #four>
    %all = arith.mulf %z, %sine : tensor<256xf32, #four>
    tt.store %out, %all : tensor<256x!tt.ptr<f32>, #four>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copies(%arg0: tensor<256x!tt.ptr<f32>, #blocked>, %arg1: i32, %arg2: tensor<256x!tt.ptr<f32>, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %cst = arith.constant dense<256> : tensor<256xi32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = scf.for %arg3 = %c0_i32 to %arg1 step %c512_i32 iter_args(%arg4 = %cst_0) -> (tensor<256xf32, #blocked>)  : i32 {
      %1 = tt.splat %arg3 : i32 -> tensor<256xi32, #blocked>
      %2 = tt.addptr %arg0, %1 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %3 = tt.load %2 : tensor<256x!tt.ptr<f32>, #blocked>
      %4 = arith.addi %1, %cst : tensor<256xi32, #blocked>
      %5 = tt.addptr %arg0, %4 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %6 = tt.load %5 : tensor<256x!tt.ptr<f32>, #blocked>
      %7 = math.sin %3 : tensor<256xf32, #blocked>
      %8 = arith.addf %arg4, %7 : tensor<256xf32, #blocked>
      %9 = math.cos %6 : tensor<256xf32, #blocked>
      %10 = arith.addf %8, %9 : tensor<256xf32, #blocked>
      scf.yield %10 : tensor<256xf32, #blocked>
    }
    tt.store %arg2, %0 : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @one(%arg0: tensor<64x!tt.ptr<f32>, #blocked1>, %arg1: tensor<64x!tt.ptr<f32>, #blocked1>, %arg2: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked1>
    %1 = math.sin %0 : tensor<64xf32, #blocked1>
    %2 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #blocked1>
    %3 = arith.mulf %1, %2 : tensor<64xf32, #blocked1>
    tt.store %arg2, %3 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @stays(%arg0: tensor<256x!tt.ptr<f32>, #blocked>, %arg1: tensor<256x!tt.ptr<f32>, #blocked>, %arg2: tensor<256x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.load %arg0 : tensor<256x!tt.ptr<f32>, #blocked>
    %1 = math.sin %0 : tensor<256xf32, #blocked>
    %2 = arith.cmpf ogt, %1, %cst : tensor<256xf32, #blocked>
    %3 = tt.load %arg1, %2, %cst : tensor<256x!tt.ptr<f32>, #blocked>
    tt.store %arg2, %3 : tensor<256x!tt.ptr<f32>, #blocked>
    %4 = tt.load %arg1 : tensor<256x!tt.ptr<f32>, #blocked>
    %5 = arith.mulf %4, %1 : tensor<256xf32, #blocked>
    tt.store %arg2, %5 : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

