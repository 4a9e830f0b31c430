// passes: allocate-shared-memory,insert-barriers
// Sums that a kernel ends with: nothing is accessed behind them but by others like them, in whichever branch or order, so they acquire nothing. A
// loop of them alone is no other thing.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%p: tensor<128x!tt.ptr<f32>, #one>, %q: tensor<128x!tt.ptr<i32>, #one>, %s: !tt.ptr<i32>, %m: tensor<128xi1, #one>, %flag: i1, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %x = tt.load %p : tensor<128x!tt.ptr<f32>, #one>
    %y = tt.load %q : tensor<128x!tt.ptr<i32>, #one>
    %a = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x, %m : (tensor<128x!tt.ptr<f32>, #one>, tensor<128xf32, #one>, tensor<128xi1, #one>) -> tensor<128xf32, #one>
    scf.if %flag {
      %b = tt.atomic_rmw max, acquire, gpu, %q, %y, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
    } else {
      scf.for %k = %c0 to %n step %c1 : i32 {
        %c = tt.atomic_rmw xor, acq_rel, sys, %q, %y, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
      }
    }
    %d = tt.atomic_rmw add, acq_rel, gpu, %s, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<i32>, #blocked>, %arg2: !tt.ptr<i32>, %arg3: tensor<128xi1, #blocked>, %arg4: i1, %arg5: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %0 = tt.load %arg0 : tensor<128x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg1 : tensor<128x!tt.ptr<i32>, #blocked>
    %2 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %0, %arg3 {tk.meets_later} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
    scf.if %arg4 {
      gpu.barrier
      %4 = tt.atomic_rmw max, acquire, gpu, %arg1, %1, %arg3 {tk.meets_later, tk.met_before, tk.unobserved} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    } else {
      scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32  : i32 {
        %4 = tt.atomic_rmw xor, acq_rel, sys, %arg1, %1, %arg3 {tk.meets_later, tk.unobserved} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
      }
    }
    %3 = tt.atomic_rmw add, acq_rel, gpu, %arg2, %c1_i32, %true {tk.meets_later, tk.unobserved} : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
}

