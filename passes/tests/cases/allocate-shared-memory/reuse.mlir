// passes: allocate-shared-memory,insert-barriers
// %a and %c never live together and share bytes; %kept lives through the loop.
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#column = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @reuse(%x: tensor<64x64xf32, #blocked>, %n: i32) -> tensor<64x64xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %kept = ttg.local_alloc %x : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %a = ttg.local_alloc %x : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %la = ttg.local_load %a : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #blocked>
    %c = ttg.local_alloc %la : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %lc = ttg.local_load %c : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %lc) -> (tensor<64x64xf32, #blocked>) : i32 {
      %old = ttg.local_load %kept : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
      %turned = ttg.convert_layout %old : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #column>
      %double = arith.addf %turned, %turned : tensor<64x64xf32, #column>
      %again = ttg.convert_layout %double : tensor<64x64xf32, #column> -> tensor<64x64xf32, #blocked>
      ttg.local_store %again, %kept : tensor<64x64xf32, #blocked> -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
      %next = arith.addf %acc, %again : tensor<64x64xf32, #blocked>
      scf.yield %next : tensor<64x64xf32, #blocked>
    }
    tt.return %sum : tensor<64x64xf32, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32768 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @reuse(%arg0: tensor<64x64xf32, #blocked>, %arg1: i32) -> tensor<64x64xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc %arg0 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %1 = ttg.local_alloc %arg0 {allocation.offset = 16384 : i32, tk.allocation_size = 16384 : i32} : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    gpu.barrier
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #blocked>
    gpu.barrier
    %3 = ttg.local_alloc %2 {allocation.offset = 16384 : i32, tk.allocation_size = 16384 : i32} : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    gpu.barrier
    %4 = ttg.local_load %3 : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #blocked>
    %5 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %4) -> (tensor<64x64xf32, #blocked>)  : i32 {
      gpu.barrier
      %6 = ttg.local_load %0 : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
      %7 = ttg.convert_layout %6 {allocation.offset = 16384 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
      %8 = arith.addf %7, %7 : tensor<64x64xf32, #blocked1>
      gpu.barrier
      %9 = ttg.convert_layout %8 {allocation.offset = 16384 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked>
      ttg.local_store %9, %0 : tensor<64x64xf32, #blocked> -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
      %10 = arith.addf %arg3, %9 : tensor<64x64xf32, #blocked>
      scf.yield %10 : tensor<64x64xf32, #blocked>
    }
    tt.return %5 : tensor<64x64xf32, #blocked>
  }
}

