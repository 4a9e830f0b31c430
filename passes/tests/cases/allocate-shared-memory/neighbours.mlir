// passes: allocate-shared-memory,insert-barriers
// counts: gpu.barrier 0
// Conversions in a row take turns with two places, also from the end of the loop to its start, so none waits for the one before it.
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row(%x: tensor<128xf32, #line>, %n: i32) -> tensor<128xf32, #line> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (tensor<128xf32, #line>) : i32 {
      %b = ttg.convert_layout %a : tensor<128xf32, #line> -> tensor<128xf32, #wide>
      %c = arith.addf %b, %b : tensor<128xf32, #wide>
      %d = ttg.convert_layout %c : tensor<128xf32, #wide> -> tensor<128xf32, #line>
      %e = arith.addf %d, %a : tensor<128xf32, #line>
      %f = ttg.convert_layout %e : tensor<128xf32, #line> -> tensor<128xf32, #wide>
      %g = arith.mulf %f, %f : tensor<128xf32, #wide>
      %h = ttg.convert_layout %g : tensor<128xf32, #wide> -> tensor<128xf32, #line>
      scf.yield %h : tensor<128xf32, #line>
    }
    tt.return %r : tensor<128xf32, #line>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 1024 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row(%arg0: tensor<128xf32, #blocked>, %arg1: i32) -> tensor<128xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %arg0) -> (tensor<128xf32, #blocked>)  : i32 {
      %1 = ttg.convert_layout %arg3 {allocation.offset = 0 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
      %2 = arith.addf %1, %1 : tensor<128xf32, #blocked1>
      %3 = ttg.convert_layout %2 {allocation.offset = 512 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #blocked1> -> tensor<128xf32, #blocked>
      %4 = arith.addf %3, %arg3 : tensor<128xf32, #blocked>
      %5 = ttg.convert_layout %4 {allocation.offset = 0 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #blocked> -> tensor<128xf32, #blocked1>
      %6 = arith.mulf %5, %5 : tensor<128xf32, #blocked1>
      %7 = ttg.convert_layout %6 {allocation.offset = 512 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #blocked1> -> tensor<128xf32, #blocked>
      scf.yield %7 : tensor<128xf32, #blocked>
    }
    tt.return %0 : tensor<128xf32, #blocked>
  }
}

