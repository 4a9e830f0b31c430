// passes: allocate-shared-memory,insert-barriers
// warps: 8
// counts: tk.wait_hand_over 0, tk.hand_over 0
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%p: tensor<256x!tt.ptr<f32>, #blocked>, %n: i32, %out: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.000000e+00 : f32
    %x = tt.load %p : tensor<256x!tt.ptr<f32>, #blocked>
    tk.hand_over {group = 1 : i32}
    tk.wait_hand_over
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      tk.hand_over
      tk.wait_hand_over
      %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<256xf32, #blocked>) -> f32
      %next = arith.addf %acc, %s : f32
      scf.yield %next : f32
    }
    tk.hand_over {group = 0 : i32}
    %any = arith.cmpi slt, %c0, %n : i32
    tk.hand_over if %any {group = 1 : i32}
    %before_last = arith.subi %n, %c1 : i32
    %r2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (f32) : i32 {
      tk.wait_hand_over
      %more = arith.cmpi slt, %i, %before_last : i32
      %next = scf.if %more -> (f32) {
        %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %c = arith.addf %a, %b : f32
          tt.reduce.return %c : f32
        }) : (tensor<256xf32, #blocked>) -> f32
        scf.yield %s : f32
      } else {
        scf.yield %acc : f32
      }
      tk.hand_over if %more
      scf.yield %next : f32
    }
    tt.store %out, %r2 : !tt.ptr<f32>
    tt.return
  }
  // A meeting before the loop, behind the first take: the group that waits for its turn there never comes to it.
  tt.func public @around(%n: i32, %out: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1.000000e+00 : f32
    tk.hand_over {group = 1 : i32}
    tk.wait_hand_over
    gpu.barrier
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> (f32) : i32 {
      tk.hand_over
      tk.wait_hand_over
      %next = arith.addf %acc, %one : f32
      scf.yield %next : f32
    }
    tk.hand_over {group = 0 : i32}
    tt.store %out, %r : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 64 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: tensor<256x!tt.ptr<f32>, #blocked>, %arg1: i32, %arg2: !tt.ptr<f32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.load %arg0 : tensor<256x!tt.ptr<f32>, #blocked>
    %1 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
      gpu.barrier
      %5 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %7 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %7 : f32
      }) {allocation.offset = 0 : i32, tk.allocation_size = 32 : i32} : (tensor<256xf32, #blocked>) -> f32
      %6 = arith.addf %arg4, %5 : f32
      scf.yield %6 : f32
    }
    %2 = arith.cmpi slt, %c0_i32, %arg1 : i32
    %3 = arith.subi %arg1, %c1_i32 : i32
    %4 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %1) -> (f32)  : i32 {
      %5 = arith.cmpi slt, %arg3, %3 : i32
      %6 = scf.if %5 -> (f32) {
        gpu.barrier
        %7 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
        ^bb0(%arg5: f32, %arg6: f32):
          %8 = arith.addf %arg5, %arg6 : f32
          tt.reduce.return %8 : f32
        }) {allocation.offset = 32 : i32, tk.allocation_size = 32 : i32} : (tensor<256xf32, #blocked>) -> f32
        scf.yield %7 : f32
      } else {
        scf.yield %arg4 : f32
      }
      scf.yield %6 : f32
    }
    tt.store %arg2, %4 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @around(%arg0: i32, %arg1: !tt.ptr<f32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 1.000000e+00 : f32
    gpu.barrier
    %0 = scf.for %arg2 = %c0_i32 to %arg0 step %c1_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %1 = arith.addf %arg3, %cst : f32
      scf.yield %1 : f32
    }
    tt.store %arg1, %0 : !tt.ptr<f32>
    tt.return
  }
}

