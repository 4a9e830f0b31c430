// passes: remove-layout-conversions
// counts: ttg.convert_layout 2
// As in exp(g[:, None] - g[None, :]): the difference is computed in the wanted layout, and %g is converted to both of its slices.
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 2], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @decay(%p: tensor<64x!tt.ptr<f32>, #line>, %x: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %g = tt.load %p : tensor<64x!tt.ptr<f32>, #line>
    %r = ttg.convert_layout %g : tensor<64xf32, #line> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c = ttg.convert_layout %g : tensor<64xf32, #line> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %rows = tt.expand_dims %r {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xf32, #blocked>
    %a = tt.broadcast %rows : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %b = tt.broadcast %columns : tensor<1x64xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %d = arith.subf %a, %b : tensor<64x64xf32, #blocked>
    %e = math.exp2 %d : tensor<64x64xf32, #blocked>
    %m = ttg.convert_layout %e : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %y = arith.mulf %x, %m : tensor<64x64xf32, #mma>
    tt.return %y : tensor<64x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @decay(%arg0: tensor<64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %0 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64xf32, #blocked> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %2 = ttg.convert_layout %0 : tensor<64xf32, #blocked> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
    %5 = tt.broadcast %3 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %6 = tt.broadcast %4 : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
    %7 = arith.subf %5, %6 : tensor<64x64xf32, #mma>
    %8 = math.exp2 %7 : tensor<64x64xf32, #mma>
    %9 = arith.mulf %arg1, %8 : tensor<64x64xf32, #mma>
    tt.return %9 : tensor<64x64xf32, #mma>
  }
}

