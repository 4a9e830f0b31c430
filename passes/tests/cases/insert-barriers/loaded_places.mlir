// passes: insert-barriers
#each = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // What is scattered by loaded numbers is loaded by other threads, although the layout is the same.
  tt.func public @scattered(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %x: tensor<64xf32, #each>) -> tensor<64xf32, #each> {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #each>
    %o = tt.load %qs : tensor<64x!tt.ptr<i32>, #each>
    %pa = tt.addptr %ps, %o : tensor<64x!tt.ptr<f32>, #each>, tensor<64xi32, #each>
    tt.store %pa, %x : tensor<64x!tt.ptr<f32>, #each>
    %a = tt.load %ps : tensor<64x!tt.ptr<f32>, #each>
    tt.return %a : tensor<64xf32, #each>
  }
  // A thread that goes back to where it was needs no barrier, nor does a block that one loaded number moves.
  tt.func public @own(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %x: tensor<64xf32, #each>) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #each>
    %o = tt.load %qs : tensor<64x!tt.ptr<i32>, #each>
    %pa = tt.addptr %ps, %o : tensor<64x!tt.ptr<f32>, #each>, tensor<64xi32, #each>
    %a = tt.load %pa : tensor<64x!tt.ptr<f32>, #each>
    tt.store %pa, %a : tensor<64x!tt.ptr<f32>, #each>
    tt.return
  }
  tt.func public @moved(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %x: tensor<64xf32, #each>) {
    %n = tt.load %q : !tt.ptr<i32>
    %b = tt.addptr %p, %n : !tt.ptr<f32>, i32
    %bs = tt.splat %b : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    tt.store %bs, %x : tensor<64x!tt.ptr<f32>, #each>
    %a = tt.load %bs : tensor<64x!tt.ptr<f32>, #each>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scattered(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: tensor<64xf32, #blocked>) -> tensor<64xf32, #blocked> {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #blocked>
    %2 = tt.load %1 : tensor<64x!tt.ptr<i32>, #blocked>
    %3 = tt.addptr %0, %2 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %3, %arg2 : tensor<64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %4 = tt.load %0 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return %4 : tensor<64xf32, #blocked>
  }
  tt.func public @own(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: tensor<64xf32, #blocked>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #blocked>
    %2 = tt.load %1 : tensor<64x!tt.ptr<i32>, #blocked>
    %3 = tt.addptr %0, %2 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %4 = tt.load %3 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %3, %4 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @moved(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: tensor<64xf32, #blocked>) {
    %0 = tt.load %arg1 : !tt.ptr<i32>
    %1 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    %2 = tt.splat %1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %2, %arg2 : tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

