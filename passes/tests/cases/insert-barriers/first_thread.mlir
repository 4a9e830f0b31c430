// passes: insert-barriers
// counts: gpu.barrier 3
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A running sum: only the first thread loads, since it stores all that comes from it.
  tt.func public @sum(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c0) -> (i32) : i32 {
      %pi = tt.addptr %p, %i : !tt.ptr<i32>, i32
      %x = tt.load %pi : !tt.ptr<i32>
      %next = arith.addi %sum, %x : i32
      tt.store %pi, %next : !tt.ptr<i32>
      scf.yield %next : i32
    }
    tt.return
  }
  // What is loaded says where others load, or whether a branch runs: all threads need it before it is stored over.
  tt.func public @addresses(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : !tt.ptr<i32>
    %pq = tt.addptr %q, %x : !tt.ptr<i32>, i32
    %y = tt.load %pq : !tt.ptr<i32>
    tt.store %p, %y : !tt.ptr<i32>
    tt.return
  }
  tt.func public @branches(%p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %x = tt.load %p : !tt.ptr<i32>
    %some = arith.cmpi sgt, %x, %c0 : i32
    scf.if %some {
      tt.store %p, %c0 : !tt.ptr<i32>
    }
    tt.return
  }
  // A tensor has the number.
  tt.func public @tensors(%p: !tt.ptr<i32>) {
    %x = tt.load %p : !tt.ptr<i32>
    %xs = tt.splat %x : i32 -> tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    %c0 = arith.constant 0 : i32
    tt.store %p, %c0 : !tt.ptr<i32>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.store %ps, %xs : tensor<128x!tt.ptr<i32>, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %c0_i32) -> (i32)  : i32 {
      %1 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      %2 = tt.load %1 {tk.first_thread} : !tt.ptr<i32>
      %3 = arith.addi %arg3, %2 : i32
      tt.store %1, %3 : !tt.ptr<i32>
      scf.yield %3 : i32
    }
    tt.return
  }
  tt.func public @addresses(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>) {
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : !tt.ptr<i32>
    %1 = tt.addptr %arg1, %0 : !tt.ptr<i32>, i32
    %2 = tt.load %1 : !tt.ptr<i32>
    gpu.barrier
    tt.store %arg0, %2 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @branches(%arg0: !tt.ptr<i32>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.load %arg0 : !tt.ptr<i32>
    %1 = arith.cmpi sgt, %0, %c0_i32 : i32
    scf.if %1 {
      gpu.barrier
      tt.store %arg0, %c0_i32 : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func public @tensors(%arg0: !tt.ptr<i32>) {
    %0 = tt.load %arg0 : !tt.ptr<i32>
    %1 = tt.splat %0 : i32 -> tensor<128xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    gpu.barrier
    tt.store %arg0, %c0_i32 : !tt.ptr<i32>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked>
    tt.store %2, %1 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

