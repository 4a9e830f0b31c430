// passes: optimize-thread-locality,canonicalize
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%p: tensor<16x128x!tt.ptr<f32>, #blocked>, %n: i32, %out: tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    %zero = tt.load %out : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) : i32 {
      %x = tt.load %p : tensor<16x128x!tt.ptr<f32>, #blocked>
      %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<16x128xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %next = arith.addf %acc, %s : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      scf.yield %next : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    tt.store %out, %r : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1, 8], threadsPerWarp = [2, 16, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2, 1, 4], threadsPerWarp = [2, 1, 16, 1], warpsPerCTA = [4, 1, 1, 1], order = [3, 2, 1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1, 2, 4], threadsPerWarp = [2, 16, 1, 1], warpsPerCTA = [4, 1, 1, 1], order = [3, 1, 2, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%arg0: tensor<16x128x!tt.ptr<f32>, #blocked>, %arg1: i32, %arg2: tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    %cst = arith.constant dense<-0.000000e+00> : tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.load %arg2 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>)  : i32 {
      %5 = tt.load %arg0 : tensor<16x128x!tt.ptr<f32>, #blocked>
      %6 = tt.reshape %5 : tensor<16x128xf32, #blocked> -> tensor<16x2x16x4xf32, #blocked2>
      %7 = tt.trans %6 {order = array<i32: 0, 2, 1, 3>} : tensor<16x2x16x4xf32, #blocked2> -> tensor<16x16x2x4xf32, #blocked3>
      %8 = tt.reshape %7 : tensor<16x16x2x4xf32, #blocked3> -> tensor<16x16x8xf32, #blocked1>
      %9 = "tt.reduce"(%8) <{axis = 2 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %11 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %11 : f32
      }) : (tensor<16x16x8xf32, #blocked1>) -> tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
      %10 = arith.addf %arg4, %9 : tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
      scf.yield %10 : tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>
    }
    %2 = "tt.reduce"(%1) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %5 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %5 : f32
    }) : (tensor<16x16xf32, #ttg.slice<{dim = 2, parent = #blocked1}>>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>>
    %3 = ttg.convert_layout %2 : tensor<16xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked1}>}>> -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = arith.addf %0, %3 : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg2, %4 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}

