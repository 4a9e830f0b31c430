// passes: allocate-shared-memory,insert-barriers
// Sums at the end of an iteration acquire for the next one. Those of a loop behind which something is loaded acquire where they are.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loops(%p: tensor<128x!tt.ptr<f32>, #one>, %q: tensor<128x!tt.ptr<f32>, #one>, %m: tensor<128xi1, #one>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %k = %c0 to %n step %c1 : i32 {
      %x = tt.load %q : tensor<128x!tt.ptr<f32>, #one>
      %a = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x, %m : (tensor<128x!tt.ptr<f32>, #one>, tensor<128xf32, #one>, tensor<128xi1, #one>) -> tensor<128xf32, #one>
    }
    scf.for %k = %c0 to %n step %c1 : i32 {
      %x = tt.load %q : tensor<128x!tt.ptr<f32>, #one>
      %a = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x, %m : (tensor<128x!tt.ptr<f32>, #one>, tensor<128xf32, #one>, tensor<128xi1, #one>) -> tensor<128xf32, #one>
      %y = arith.addf %x, %x : tensor<128xf32, #one>
      %b = tt.atomic_rmw fadd, acq_rel, gpu, %p, %y, %m : (tensor<128x!tt.ptr<f32>, #one>, tensor<128xf32, #one>, tensor<128xi1, #one>) -> tensor<128xf32, #one>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loops(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: tensor<128xi1, #blocked>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      gpu.barrier
      %0 = tt.load %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
      %1 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %0, %arg2 {tk.meets_later} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
    }
    gpu.barrier
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      gpu.barrier
      %0 = tt.load %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
      %1 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %0, %arg2 {tk.ends_iteration, tk.meets_later} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
      %2 = arith.addf %0, %0 : tensor<128xf32, #blocked>
      %3 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %2, %arg2 {tk.ends_iteration, tk.meets_later} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
    }
    tt.return
  }
}

