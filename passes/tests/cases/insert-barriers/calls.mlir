// passes: inline,allocate-shared-memory,insert-barriers
#row = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Functions keep their memory behind that of their callers; between two calls that use the same bytes stands a barrier, and none
  // before a function that uses no memory.
  tt.func public @kernel(%x: tensor<128x128xf32, #row>) -> tensor<128x128xf32, #column> {
    %a = ttg.convert_layout %x : tensor<128x128xf32, #row> -> tensor<128x128xf32, #column>
    %b = tt.call @turn(%a) : (tensor<128x128xf32, #column>) -> tensor<128x128xf32, #column>
    %c = tt.call @plain(%b) : (tensor<128x128xf32, #column>) -> tensor<128x128xf32, #column>
    %d = tt.call @turn(%c) : (tensor<128x128xf32, #column>) -> tensor<128x128xf32, #column>
    tt.return %d : tensor<128x128xf32, #column>
  }
  tt.func private @turn(%x: tensor<128x128xf32, #column>) -> tensor<128x128xf32, #column> attributes {noinline = true} {
    %a = ttg.convert_layout %x : tensor<128x128xf32, #column> -> tensor<128x128xf32, #row>
    %b = arith.addf %a, %a : tensor<128x128xf32, #row>
    %c = ttg.convert_layout %b : tensor<128x128xf32, #row> -> tensor<128x128xf32, #column>
    tt.return %c : tensor<128x128xf32, #column>
  }
  tt.func private @plain(%x: tensor<128x128xf32, #column>) -> tensor<128x128xf32, #column> attributes {noinline = true} {
    %a = arith.addf %x, %x : tensor<128x128xf32, #column>
    tt.return %a : tensor<128x128xf32, #column>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 131072 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%arg0: tensor<128x128xf32, #blocked>) -> tensor<128x128xf32, #blocked1> {
    %0 = ttg.convert_layout %arg0 {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : tensor<128x128xf32, #blocked> -> tensor<128x128xf32, #blocked1>
    %1 = tt.call @turn(%0) {allocation.offset = 65536 : i32, tk.allocation_size = 65536 : i32} : (tensor<128x128xf32, #blocked1>) -> tensor<128x128xf32, #blocked1>
    %2 = tt.call @plain(%1) : (tensor<128x128xf32, #blocked1>) -> tensor<128x128xf32, #blocked1>
    gpu.barrier
    %3 = tt.call @turn(%2) {allocation.offset = 65536 : i32, tk.allocation_size = 65536 : i32} : (tensor<128x128xf32, #blocked1>) -> tensor<128x128xf32, #blocked1>
    tt.return %3 : tensor<128x128xf32, #blocked1>
  }
  tt.func private @turn(%arg0: tensor<128x128xf32, #blocked1>) -> tensor<128x128xf32, #blocked1> attributes {noinline = true} {
    %0 = ttg.convert_layout %arg0 {allocation.offset = 65536 : i32, tk.allocation_size = 65536 : i32} : tensor<128x128xf32, #blocked1> -> tensor<128x128xf32, #blocked>
    %1 = arith.addf %0, %0 : tensor<128x128xf32, #blocked>
    gpu.barrier
    %2 = ttg.convert_layout %1 {allocation.offset = 65536 : i32, tk.allocation_size = 65536 : i32} : tensor<128x128xf32, #blocked> -> tensor<128x128xf32, #blocked1>
    tt.return %2 : tensor<128x128xf32, #blocked1>
  }
  tt.func private @plain(%arg0: tensor<128x128xf32, #blocked1>) -> tensor<128x128xf32, #blocked1> attributes {noinline = true} {
    %0 = arith.addf %arg0, %arg0 : tensor<128x128xf32, #blocked1>
    tt.return %0 : tensor<128x128xf32, #blocked1>
  }
}

