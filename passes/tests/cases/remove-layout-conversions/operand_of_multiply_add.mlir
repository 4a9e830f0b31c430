// passes: remove-layout-conversions
// counts: math.exp 1, ttg.convert_layout 1
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @decays(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %x: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>, %b: tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>) {
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %v = tt.load %x : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %s = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%l: f32, %r: f32):
      %t = arith.addf %l, %r : f32
      tt.scan.return %t : f32
    }) : (tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %row = tt.expand_dims %s {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xf32, #blocked1>
    %rows = tt.broadcast %row : tensor<1x64xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
    %e = math.exp %rows : tensor<64x64xf32, #blocked1>
    %a = ttg.convert_layout %e : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %d = tt.dot %a, %b, %zero : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x64xf32, #blocked>
    tt.store %p, %d : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @decays(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>, %arg2: tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %1 = "tt.scan"(%0) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %7 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %7 : f32
    }) : (tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xf32, #blocked1>
    %3 = tt.broadcast %2 : tensor<1x64xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
    %4 = math.exp %3 : tensor<64x64xf32, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %6 = tt.dot %5, %arg2, %cst : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x64xf32, #blocked>
    tt.store %arg0, %6 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

