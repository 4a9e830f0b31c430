// passes: insert-barriers
#each = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, ttg.shared = 0 : i32} {
  // A thread that loads what it stored needs no barrier, nor does a load through another parameter.
  tt.func public @own(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: tensor<64xf32, #each>) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #wide>
    tt.store %ps, %x : tensor<64x!tt.ptr<f32>, #each>
    %a = tt.load %ps : tensor<64x!tt.ptr<f32>, #each>
    %b = tt.load %qs : tensor<64x!tt.ptr<f32>, #wide>
    tt.store %ps, %a : tensor<64x!tt.ptr<f32>, #each>
    tt.return
  }
  // Other threads have the elements.
  tt.func public @other(%p: !tt.ptr<f32>, %x: tensor<64xf32, #each>) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    %pw = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #wide>
    tt.store %ps, %x : tensor<64x!tt.ptr<f32>, #each>
    %a = tt.load %pw : tensor<64x!tt.ptr<f32>, #wide>
    tt.store %pw, %a : tensor<64x!tt.ptr<f32>, #wide>
    tt.return
  }
  // Two threads have each element, and one of them stores it: the same pointers wait, others do not.
  tt.func public @several(%p: !tt.ptr<f32>, %o: tensor<32xi32, #each>, %x: tensor<32xf32, #each>) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #each>
    %pa = tt.addptr %ps, %o : tensor<32x!tt.ptr<f32>, #each>, tensor<32xi32, #each>
    tt.store %ps, %x : tensor<32x!tt.ptr<f32>, #each>
    %a = tt.load %pa : tensor<32x!tt.ptr<f32>, #each>
    %b = tt.load %ps : tensor<32x!tt.ptr<f32>, #each>
    tt.store %pa, %b : tensor<32x!tt.ptr<f32>, #each>
    tt.return
  }
  // Single elements wait. What was stored before a loop waits before the loop, and in the loop only for other pointers of one iteration.
  tt.func public @loops(%p: !tt.ptr<f32>, %n: i32, %x: tensor<64xf32, #each>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    tt.store %ps, %x : tensor<64x!tt.ptr<f32>, #each>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %is = tt.splat %i : i32 -> tensor<32xi32, #each>
      %pw = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #each>
      %pi = tt.addptr %pw, %is : tensor<32x!tt.ptr<f32>, #each>, tensor<32xi32, #each>
      %a = tt.load %pi : tensor<32x!tt.ptr<f32>, #each>
      tt.store %pi, %a : tensor<32x!tt.ptr<f32>, #each>
    }
    %s = tt.load %p : !tt.ptr<f32>
    tt.store %p, %s : !tt.ptr<f32>
    tt.return
  }
  // All threads load one element, and one thread stores over it; tensors in one layout need nothing.
  tt.func public @before(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #each>
    %s = tt.load %p : !tt.ptr<f32>
    %x = tt.load %qs : tensor<64x!tt.ptr<f32>, #each>
    tt.store %qs, %x : tensor<64x!tt.ptr<f32>, #each>
    %y = tt.splat %s : f32 -> tensor<64xf32, #each>
    tt.store %ps, %y : tensor<64x!tt.ptr<f32>, #each>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @own(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: tensor<64xf32, #blocked>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %0, %arg2 : tensor<64x!tt.ptr<f32>, #blocked>
    %2 = tt.load %0 : tensor<64x!tt.ptr<f32>, #blocked>
    %3 = tt.load %1 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %0, %2 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @other(%arg0: !tt.ptr<f32>, %arg1: tensor<64xf32, #blocked>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %0, %arg1 : tensor<64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %2 = tt.load %1 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %1, %2 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @several(%arg0: !tt.ptr<f32>, %arg1: tensor<32xi32, #blocked>, %arg2: tensor<32xf32, #blocked>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %1 = tt.addptr %0, %arg1 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    tt.store %0, %arg2 : tensor<32x!tt.ptr<f32>, #blocked>
    %2 = tt.load %1 : tensor<32x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %3 = tt.load %0 : tensor<32x!tt.ptr<f32>, #blocked>
    tt.store %1, %3 : tensor<32x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @loops(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: tensor<64xf32, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %0, %arg2 : tensor<64x!tt.ptr<f32>, #blocked>
    gpu.barrier
    scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %2 = tt.splat %arg3 : i32 -> tensor<32xi32, #blocked>
      %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %2 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %5 = tt.load %4 : tensor<32x!tt.ptr<f32>, #blocked>
      tt.store %4, %5 : tensor<32x!tt.ptr<f32>, #blocked>
    }
    gpu.barrier
    %1 = tt.load %arg0 {tk.first_thread} : !tt.ptr<f32>
    tt.store %arg0, %1 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @before(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %2 = tt.load %arg0 : !tt.ptr<f32>
    %3 = tt.load %1 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %1, %3 : tensor<64x!tt.ptr<f32>, #blocked>
    %4 = tt.splat %2 : f32 -> tensor<64xf32, #blocked>
    gpu.barrier
    tt.store %0, %4 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

