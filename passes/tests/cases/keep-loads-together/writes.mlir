// passes: allocate-shared-memory,insert-barriers,keep-loads-together
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Eight loads of a thread, and no barrier between them and the first write. The second write has no loads of its own.
  tt.func public @blocks(%pa: tensor<64x64x!tt.ptr<f32>, #blocked>) -> tensor<64x64xf32, #blocked> {
    %a = tt.load %pa : tensor<64x64x!tt.ptr<f32>, #blocked>
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    ttg.local_store %a, %m : tensor<64x64xf32, #blocked> -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %n = ttg.local_alloc %a : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %v = ttg.local_load %m : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
    %w = ttg.local_load %n : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
    %s = arith.addf %v, %w : tensor<64x64xf32, #blocked>
    tt.return %s : tensor<64x64xf32, #blocked>
  }
  // A conversion writes and waits: what is loaded before it is not under way at the next one.
  tt.func public @conversions(%pa: tensor<64x64x!tt.ptr<f32>, #blocked>) -> tensor<64x64xf32, #blocked> {
    %a = tt.load %pa : tensor<64x64x!tt.ptr<f32>, #blocked>
    %t = ttg.convert_layout %a : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #columns>
    %u = math.exp2 %t : tensor<64x64xf32, #columns>
    %v = ttg.convert_layout %u : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #blocked>
    tt.return %v : tensor<64x64xf32, #blocked>
  }
  // One load of four bytes, and a barrier of the CTA, are no reason.
  tt.func public @none(%pa: tensor<2x64x!tt.ptr<f32>, #blocked>, %pb: tensor<64x64x!tt.ptr<f32>, #blocked>) -> tensor<64x64xf32, #blocked> {
    %a = tt.load %pa : tensor<2x64x!tt.ptr<f32>, #blocked>
    %m = ttg.local_alloc %a : (tensor<2x64xf32, #blocked>) -> !ttg.memdesc<2x64xf32, #shared, #smem, mutable>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %n = ttg.local_alloc %b : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %w = ttg.local_load %n : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
    tt.return %w : tensor<64x64xf32, #blocked>
  }
  // 256 registers of what is loaded are more than a thread has.
  tt.func public @full(%pa: tensor<512x64x!tt.ptr<f32>, #blocked>) -> tensor<512x64xf32, #columns> {
    %a = tt.load %pa : tensor<512x64x!tt.ptr<f32>, #blocked>
    %t = ttg.convert_layout %a : tensor<512x64xf32, #blocked> -> tensor<512x64xf32, #columns>
    tt.return %t : tensor<512x64xf32, #columns>
  }
  // The sum of four blocks is written: 64 registers, but 256 are loaded.
  tt.func public @sum(%pa: tensor<128x64x!tt.ptr<f32>, #blocked>, %pb: tensor<128x64x!tt.ptr<f32>, #blocked>, %pc: tensor<128x64x!tt.ptr<f32>, #blocked>, %pd: tensor<128x64x!tt.ptr<f32>, #blocked>) -> tensor<128x64xf32, #columns> {
    %a = tt.load %pa : tensor<128x64x!tt.ptr<f32>, #blocked>
    %b = tt.load %pb : tensor<128x64x!tt.ptr<f32>, #blocked>
    %ab = arith.addf %a, %b : tensor<128x64xf32, #blocked>
    %c = tt.load %pc : tensor<128x64x!tt.ptr<f32>, #blocked>
    %abc = arith.addf %ab, %c : tensor<128x64xf32, #blocked>
    %d = tt.load %pd : tensor<128x64x!tt.ptr<f32>, #blocked>
    %all = arith.addf %abc, %d : tensor<128x64xf32, #blocked>
    %t = ttg.convert_layout %all : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #columns>
    tt.return %t : tensor<128x64xf32, #columns>
  }
  // A copy that runs ahead starts behind the loads, too.
  tt.func public @copies(%pa: tensor<64x64x!tt.ptr<f32>, #blocked>, %pb: tensor<64x64x!tt.ptr<f32>, #blocked>, %m: !ttg.memdesc<64x64xf32, #shared, #smem, mutable>) -> tensor<64x64xf32, #blocked> {
    %a = tt.load %pa : tensor<64x64x!tt.ptr<f32>, #blocked>
    %copy = ttg.async_copy_global_to_local %pb, %m : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %next = ttg.async_copy_global_to_local %pb, %m : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    tt.return %a : tensor<64x64xf32, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 65536 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @blocks(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>) -> tensor<64x64xf32, #blocked> {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    ttg.local_store %0, %1 {tk.behind_loads} : tensor<64x64xf32, #blocked> -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %2 = ttg.local_alloc %0 {allocation.offset = 16384 : i32, tk.allocation_size = 16384 : i32} : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    gpu.barrier
    %3 = ttg.local_load %1 : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
    %4 = ttg.local_load %2 : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
    %5 = arith.addf %3, %4 : tensor<64x64xf32, #blocked>
    tt.return %5 : tensor<64x64xf32, #blocked>
  }
  tt.func public @conversions(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>) -> tensor<64x64xf32, #blocked> {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32, tk.behind_loads} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
    %2 = math.exp2 %1 : tensor<64x64xf32, #blocked1>
    gpu.barrier
    %3 = ttg.convert_layout %2 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked>
    tt.return %3 : tensor<64x64xf32, #blocked>
  }
  tt.func public @none(%arg0: tensor<2x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>) -> tensor<64x64xf32, #blocked> {
    %0 = tt.load %arg0 : tensor<2x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.local_alloc %0 {allocation.offset = 16384 : i32, tk.allocation_size = 512 : i32} : (tensor<2x64xf32, #blocked>) -> !ttg.memdesc<2x64xf32, #shared, #smem, mutable>
    %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %3 = ttg.local_alloc %2 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    gpu.barrier
    %4 = ttg.local_load %3 : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #blocked>
    tt.return %4 : tensor<64x64xf32, #blocked>
  }
  tt.func public @full(%arg0: tensor<512x64x!tt.ptr<f32>, #blocked>) -> tensor<512x64xf32, #blocked1> {
    %0 = tt.load %arg0 : tensor<512x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : tensor<512x64xf32, #blocked> -> tensor<512x64xf32, #blocked1>
    tt.return %1 : tensor<512x64xf32, #blocked1>
  }
  tt.func public @sum(%arg0: tensor<128x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<128x64x!tt.ptr<f32>, #blocked>, %arg3: tensor<128x64x!tt.ptr<f32>, #blocked>) -> tensor<128x64xf32, #blocked1> {
    %0 = tt.load %arg0 : tensor<128x64x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg1 : tensor<128x64x!tt.ptr<f32>, #blocked>
    %2 = arith.addf %0, %1 : tensor<128x64xf32, #blocked>
    %3 = tt.load %arg2 : tensor<128x64x!tt.ptr<f32>, #blocked>
    %4 = arith.addf %2, %3 : tensor<128x64xf32, #blocked>
    %5 = tt.load %arg3 : tensor<128x64x!tt.ptr<f32>, #blocked>
    %6 = arith.addf %4, %5 : tensor<128x64xf32, #blocked>
    %7 = ttg.convert_layout %6 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x64xf32, #blocked> -> tensor<128x64xf32, #blocked1>
    tt.return %7 : tensor<128x64xf32, #blocked1>
  }
  tt.func public @copies(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: !ttg.memdesc<64x64xf32, #shared, #smem, mutable>) -> tensor<64x64xf32, #blocked> {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.async_copy_global_to_local %arg1, %arg2 {tk.behind_loads} : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg1, %arg2 : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    tt.return %0 : tensor<64x64xf32, #blocked>
  }
}

