// passes: insert-barriers
// counts: gpu.barrier 3, tk.first_thread 3
#each = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // What is only stored again is loaded by the thread that stores: no barrier.
  tt.func public @again(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: f32) {
    tt.store %p, %x : !tt.ptr<f32>
    %a = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %a, %x : f32
    tt.store %p, %b : !tt.ptr<f32>
    %c = tt.load %p : !tt.ptr<f32>
    tt.store %q, %c : !tt.ptr<f32>
    tt.return
  }
  // All threads use it: one barrier between the store and the load, and one before it is overwritten.
  tt.func public @by_all(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: f32) {
    tt.store %p, %x : !tt.ptr<f32>
    %a = tt.load %p : !tt.ptr<f32>
    %as = tt.splat %a : f32 -> tensor<64xf32, #each>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    tt.store %qs, %as : tensor<64x!tt.ptr<f32>, #each>
    tt.store %p, %x : !tt.ptr<f32>
    tt.return
  }
  // Other threads stored it.
  tt.func public @of_block(%p: !tt.ptr<f32>, %x: tensor<64xf32, #each>) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    tt.store %ps, %x : tensor<64x!tt.ptr<f32>, #each>
    %a = tt.load %p : !tt.ptr<f32>
    tt.store %p, %a : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @again(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: f32) {
    tt.store %arg0, %arg2 : !tt.ptr<f32>
    %0 = tt.load %arg0 {tk.first_thread} : !tt.ptr<f32>
    %1 = arith.addf %0, %arg2 : f32
    tt.store %arg0, %1 : !tt.ptr<f32>
    %2 = tt.load %arg0 {tk.first_thread} : !tt.ptr<f32>
    tt.store %arg1, %2 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @by_all(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: f32) {
    tt.store %arg0, %arg2 : !tt.ptr<f32>
    gpu.barrier
    %0 = tt.load %arg0 : !tt.ptr<f32>
    %1 = tt.splat %0 : f32 -> tensor<64xf32, #blocked>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %2, %1 : tensor<64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    tt.store %arg0, %arg2 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @of_block(%arg0: !tt.ptr<f32>, %arg1: tensor<64xf32, #blocked>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %0, %arg1 : tensor<64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %1 = tt.load %arg0 {tk.first_thread} : !tt.ptr<f32>
    tt.store %arg0, %1 : !tt.ptr<f32>
    tt.return
  }
}

