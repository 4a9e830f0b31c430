// passes: optimize-thread-locality,canonicalize
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%p: tensor<16x16x!tt.ptr<f32>, #blocked>, %n: i32, %out: tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    %zero = arith.constant dense<0.000000e+00> : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) : i32 {
      %x = tt.load %p : tensor<16x16x!tt.ptr<f32>, #blocked>
      %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %next = arith.addf %acc, %s : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      scf.yield %next : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    tt.store %out, %r : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [2, 16, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1, 1, 1], threadsPerWarp = [2, 1, 16, 1], warpsPerCTA = [4, 1, 1, 1], order = [3, 2, 1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1, 1, 1], threadsPerWarp = [2, 16, 1, 1], warpsPerCTA = [4, 1, 1, 1], order = [3, 1, 2, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%arg0: tensor<16x16x!tt.ptr<f32>, #blocked>, %arg1: i32, %arg2: tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<-0.000000e+00> : tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
    %0 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>)  : i32 {
      %4 = tt.load %arg0 : tensor<16x16x!tt.ptr<f32>, #blocked>
      %5 = tt.reshape %4 : tensor<16x16xf32, #blocked> -> tensor<16x1x16x1xf32, #blocked2>
      %6 = tt.trans %5 {order = array<i32: 0, 2, 1, 3>} : tensor<16x1x16x1xf32, #blocked2> -> tensor<16x16x1x1xf32, #blocked3>
      %7 = tt.reshape %6 : tensor<16x16x1x1xf32, #blocked3> -> tensor<16x16x1xf32, #blocked1>
      %8 = "tt.reduce"(%7) <{axis = 2 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %10 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %10 : f32
      }) : (tensor<16x16x1xf32, #blocked1>) -> tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
      %9 = arith.addf %arg4, %8 : tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
      scf.yield %9 : tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
    }
    %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %4 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %4 : f32
    }) : (tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>>
    %2 = ttg.convert_layout %1 : tensor<16xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>> -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = arith.addf %2, %cst : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg2, %3 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}

