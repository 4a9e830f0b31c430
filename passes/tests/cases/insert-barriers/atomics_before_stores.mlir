// passes: allocate-shared-memory,insert-barriers
// A store, and a load in one of two branches, stand behind: what is acquired is the order of these. Behind the last two nothing is accessed: a barrier is
// no access.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @stores(%p: tensor<128x!tt.ptr<i32>, #one>, %q: tensor<128x!tt.ptr<i32>, #one>, %m: tensor<128xi1, #one>, %flag: i1, %x: tensor<128xi32, #one>) {
    %a = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
    tt.store %q, %x : tensor<128x!tt.ptr<i32>, #one>
    %b = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
    %y = scf.if %flag -> (tensor<128xi32, #one>) {
      %z = tt.load %q : tensor<128x!tt.ptr<i32>, #one>
      scf.yield %z : tensor<128xi32, #one>
    } else {
      scf.yield %x : tensor<128xi32, #one>
    }
    %c = tt.atomic_rmw add, acq_rel, gpu, %p, %y, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
    gpu.barrier
    %d = tt.atomic_rmw add, release, gpu, %p, %y, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @stores(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: tensor<128x!tt.ptr<i32>, #blocked>, %arg2: tensor<128xi1, #blocked>, %arg3: i1, %arg4: tensor<128xi32, #blocked>) {
    %0 = tt.atomic_rmw add, acq_rel, gpu, %arg0, %arg4, %arg2 {tk.meets_later, tk.met_before} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    gpu.barrier
    tt.store %arg1, %arg4 : tensor<128x!tt.ptr<i32>, #blocked>
    %1 = tt.atomic_rmw add, acq_rel, gpu, %arg0, %arg4, %arg2 {tk.meets_later} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    %2 = scf.if %arg3 -> (tensor<128xi32, #blocked>) {
      gpu.barrier
      %5 = tt.load %arg1 : tensor<128x!tt.ptr<i32>, #blocked>
      scf.yield %5 : tensor<128xi32, #blocked>
    } else {
      scf.yield %arg4 : tensor<128xi32, #blocked>
    }
    %3 = tt.atomic_rmw add, acq_rel, gpu, %arg0, %2, %arg2 {tk.meets_later, tk.unobserved} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    gpu.barrier
    %4 = tt.atomic_rmw add, release, gpu, %arg0, %2, %arg2 {tk.meets_later, tk.met_before, tk.unobserved} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    tt.return
  }
}

