// passes: allocate-shared-memory,insert-barriers
// counts: tk.met_before} 0
// All threads store, then one counts for the program, and all of them get its answer through shared memory. They meet behind the operation for that; before
// it they have to meet, too, so code generation may not leave out the barrier that stands before what releases.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @last(%p: tensor<128x!tt.ptr<f32>, #one>, %out: tensor<128x!tt.ptr<f32>, #one>, %s: !tt.ptr<i32>, %n: i32, %x: tensor<128xf32, #one>) {
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    tt.store %p, %x : tensor<128x!tt.ptr<f32>, #one>
    %before = tt.atomic_rmw add, acq_rel, gpu, %s, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %is_last = arith.cmpi eq, %before, %n : i32
    scf.if %is_last {
      %y = tt.load %p : tensor<128x!tt.ptr<f32>, #one>
      tt.store %out, %y : tensor<128x!tt.ptr<f32>, #one>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 16 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @last(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: !tt.ptr<i32>, %arg3: i32, %arg4: tensor<128xf32, #blocked>) {
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    tt.store %arg0, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
    %0 = tt.atomic_rmw add, acq_rel, gpu, %arg2, %c1_i32, %true {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32, tk.meets_later} : (!tt.ptr<i32>, i32, i1) -> i32
    %1 = arith.cmpi eq, %0, %arg3 : i32
    scf.if %1 {
      %2 = tt.load %arg0 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %arg1, %2 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}

