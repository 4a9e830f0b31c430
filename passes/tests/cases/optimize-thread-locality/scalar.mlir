// passes: optimize-thread-locality,canonicalize
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32, %out: !tt.ptr<f32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %acc, %s : f32
      scf.yield %next : f32
    }
    tt.store %out, %r : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 1, 4], threadsPerWarp = [1, 32, 1], warpsPerCTA = [1, 4, 1], order = [2, 1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 2, 4], threadsPerWarp = [32, 1, 1], warpsPerCTA = [4, 1, 1], order = [2, 0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%arg0: tensor<1024x!tt.ptr<f32>, #blocked>, %arg1: i32, %arg2: !tt.ptr<f32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<-0.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %0 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>)  : i32 {
      %3 = tt.load %arg0 : tensor<1024x!tt.ptr<f32>, #blocked>
      %4 = tt.reshape %3 : tensor<1024xf32, #blocked> -> tensor<2x128x4xf32, #blocked2>
      %5 = tt.trans %4 {order = array<i32: 1, 0, 2>} : tensor<2x128x4xf32, #blocked2> -> tensor<128x2x4xf32, #blocked3>
      %6 = tt.reshape %5 : tensor<128x2x4xf32, #blocked3> -> tensor<128x8xf32, #blocked1>
      %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %9 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %9 : f32
      }) : (tensor<128x8xf32, #blocked1>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %8 = arith.addf %arg4, %7 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      scf.yield %8 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    }
    %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %3 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %3 : f32
    }) : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> f32
    %2 = arith.addf %1, %cst : f32
    tt.store %arg2, %2 : !tt.ptr<f32>
    tt.return
  }
}

