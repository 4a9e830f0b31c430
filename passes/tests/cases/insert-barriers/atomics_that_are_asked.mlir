// passes: allocate-shared-memory,insert-barriers
// What was there before decides whether the program ends, or is stored, or compared: such operations acquire, and so does what stands before them. Only the
// last one is looked at by nobody.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @asked(%p: tensor<128x!tt.ptr<i32>, #one>, %m: tensor<128xi1, #one>, %s: !tt.ptr<i32>, %n: i32, %x: tensor<128xi32, #one>) {
    %c1 = arith.constant 1 : i32
    %true = arith.constant true
    %a = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
    %before = tt.atomic_rmw add, acq_rel, gpu, %s, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %is_last = arith.cmpi eq, %before, %n : i32
    scf.if %is_last {
      %b = tt.atomic_rmw add, acq_rel, gpu, %p, %x, %m : (tensor<128x!tt.ptr<i32>, #one>, tensor<128xi32, #one>, tensor<128xi1, #one>) -> tensor<128xi32, #one>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 16 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @asked(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: tensor<128xi1, #blocked>, %arg2: !tt.ptr<i32>, %arg3: i32, %arg4: tensor<128xi32, #blocked>) {
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %0 = tt.atomic_rmw add, acq_rel, gpu, %arg0, %arg4, %arg1 {tk.meets_later, tk.met_before} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    %1 = tt.atomic_rmw add, acq_rel, gpu, %arg2, %c1_i32, %true {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32, tk.meets_later} : (!tt.ptr<i32>, i32, i1) -> i32
    %2 = arith.cmpi eq, %1, %arg3 : i32
    scf.if %2 {
      %3 = tt.atomic_rmw add, acq_rel, gpu, %arg0, %arg4, %arg1 {tk.meets_later, tk.met_before, tk.unobserved} : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    }
    tt.return
  }
}

