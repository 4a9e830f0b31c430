// passes: inline,allocate-shared-memory,insert-barriers
#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Functions keep their memory behind that of their callers; between two calls that use the same bytes stands a barrier, and none
  // before a function that uses no memory.
  tt.func public @kernel(%x: tensor<32x32xf32, #row>) -> tensor<32x32xf32, #column> {
    %a = ttg.convert_layout %x : tensor<32x32xf32, #row> -> tensor<32x32xf32, #column>
    %b = tt.call @turn(%a) : (tensor<32x32xf32, #column>) -> tensor<32x32xf32, #column>
    %c = tt.call @plain(%b) : (tensor<32x32xf32, #column>) -> tensor<32x32xf32, #column>
    %d = tt.call @turn(%c) : (tensor<32x32xf32, #column>) -> tensor<32x32xf32, #column>
    tt.return %d : tensor<32x32xf32, #column>
  }
  tt.func private @turn(%x: tensor<32x32xf32, #column>) -> tensor<32x32xf32, #column> attributes {noinline = true} {
    %a = ttg.convert_layout %x : tensor<32x32xf32, #column> -> tensor<32x32xf32, #row>
    %b = arith.addf %a, %a : tensor<32x32xf32, #row>
    %c = ttg.convert_layout %b : tensor<32x32xf32, #row> -> tensor<32x32xf32, #column>
    tt.return %c : tensor<32x32xf32, #column>
  }
  tt.func private @plain(%x: tensor<32x32xf32, #column>) -> tensor<32x32xf32, #column> attributes {noinline = true} {
    %a = arith.addf %x, %x : tensor<32x32xf32, #column>
    tt.return %a : tensor<32x32xf32, #column>
  }
}
