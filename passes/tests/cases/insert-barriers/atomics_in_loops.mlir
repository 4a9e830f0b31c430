// passes: allocate-shared-memory,insert-barriers
// A sum in a loop that loads is followed by the loads of the next iteration, wherever it stands; those of a loop behind are followed by nothing.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loops(%p: tensor<128x!tt.ptr<f32>, #one>, %q: tensor<128x!tt.ptr<f32>, #one>, %m: tensor<128xi1, #one>, %flag: i1, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128xf32, #one>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%old = %zero) -> (tensor<128xf32, #one>) : i32 {
      %x = tt.load %q : tensor<128x!tt.ptr<f32>, #one>
      %new = arith.addf %old, %x : tensor<128xf32, #one>
      scf.if %flag {
        %a = tt.atomic_rmw fadd, acq_rel, gpu, %p, %new, %m : (tensor<128x!tt.ptr<f32>, #one>, tensor<128xf32, #one>, tensor<128xi1, #one>) -> tensor<128xf32, #one>
      }
      scf.yield %new : tensor<128xf32, #one>
    }
    scf.for %k = %c0 to %n step %c1 : i32 {
      %b = tt.atomic_rmw fadd, acq_rel, gpu, %p, %sum, %m : (tensor<128x!tt.ptr<f32>, #one>, tensor<128xf32, #one>, tensor<128xi1, #one>) -> tensor<128xf32, #one>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loops(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: tensor<128xi1, #blocked>, %arg3: i1, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %0 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<128xf32, #blocked>)  : i32 {
      gpu.barrier
      %1 = tt.load %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
      %2 = arith.addf %arg6, %1 : tensor<128xf32, #blocked>
      scf.if %arg3 {
        %3 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %2, %arg2 {tk.meets_later} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
      }
      scf.yield %2 : tensor<128xf32, #blocked>
    }
    scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32  : i32 {
      %1 = tt.atomic_rmw fadd, acq_rel, gpu, %arg0, %0, %arg2 {tk.meets_later, tk.unobserved} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
    }
    tt.return
  }
}

