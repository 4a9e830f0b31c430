// passes: insert-barriers
// The store after the branch must wait for the load on one side of it; a barrier that is there already counts.
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @branches(%x: tensor<128xf32, #blocked>, %flag: i1, %out: tensor<128x!tt.ptr<f32>, #blocked>) {
    %a = ttg.local_alloc %x {allocation.offset = 0 : i32, tk.allocation_size = 512 : i32} : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    %b = ttg.local_alloc %x {allocation.offset = 512 : i32, tk.allocation_size = 512 : i32} : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    gpu.barrier
    %y = ttg.local_load %a : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
    scf.if %flag {
      %z = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
      tt.store %out, %z : tensor<128x!tt.ptr<f32>, #blocked>
    }
    ttg.local_store %y, %b : tensor<128xf32, #blocked> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    %w = ttg.local_load %a : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
    %v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @branches(%arg0: tensor<128xf32, #blocked>, %arg1: i1, %arg2: tensor<128x!tt.ptr<f32>, #blocked>) {
    %0 = ttg.local_alloc %arg0 {allocation.offset = 0 : i32, tk.allocation_size = 512 : i32} : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    %1 = ttg.local_alloc %arg0 {allocation.offset = 512 : i32, tk.allocation_size = 512 : i32} : (tensor<128xf32, #blocked>) -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    gpu.barrier
    %2 = ttg.local_load %0 : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
    scf.if %arg1 {
      %5 = ttg.local_load %1 : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
      tt.store %arg2, %5 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    gpu.barrier
    ttg.local_store %2, %1 : tensor<128xf32, #blocked> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    %3 = ttg.local_load %0 : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
    gpu.barrier
    %4 = ttg.local_load %1 : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #blocked>
    tt.return
  }
}

