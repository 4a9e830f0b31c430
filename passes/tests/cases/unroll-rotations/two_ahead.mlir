// passes: unroll-rotations,canonicalize
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What is loaded is used two iterations later.
  tt.func public @two_ahead(%p: tensor<128x!tt.ptr<f32>, #blocked>, %q: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %all = arith.constant dense<128> : tensor<128xi32, #blocked>
    %first = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    %p1 = tt.addptr %p, %all : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %second = tt.load %p1 : tensor<128x!tt.ptr<f32>, #blocked>
    %sum:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first, %now = %first, %next = %second, %at = %p1) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>) : i32 {
      %then = tt.addptr %at, %all : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %x = tt.load %then : tensor<128x!tt.ptr<f32>, #blocked>
      %more = arith.addf %s, %now : tensor<128xf32, #blocked>
      scf.yield %more, %next, %x, %then : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.store %q, %sum#0 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // One iteration ahead: nothing is moved.
  tt.func public @one_ahead(%p: tensor<128x!tt.ptr<f32>, #blocked>, %q: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %all = arith.constant dense<128> : tensor<128xi32, #blocked>
    %first = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
    %sum:3 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first, %now = %first, %at = %p) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>) : i32 {
      %then = tt.addptr %at, %all : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %x = tt.load %then : tensor<128x!tt.ptr<f32>, #blocked>
      %more = arith.addf %s, %now : tensor<128xf32, #blocked>
      scf.yield %more, %x, %then : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.store %q, %sum#0 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @two_ahead(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: i32) {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<128> : tensor<128xi32, #blocked>
    %0 = tt.load %arg0 : tensor<128x!tt.ptr<f32>, #blocked>
    %1 = tt.addptr %arg0, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %2 = tt.load %1 : tensor<128x!tt.ptr<f32>, #blocked>
    %3 = arith.maxsi %arg2, %c0_i32 : i32
    %4 = arith.remui %3, %c2_i32 : i32
    %5 = arith.subi %3, %4 : i32
    %6:4 = scf.for %arg3 = %c0_i32 to %5 step %c2_i32 iter_args(%arg4 = %0, %arg5 = %0, %arg6 = %2, %arg7 = %1) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>)  : i32 {
      %8 = tt.addptr %arg7, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %9 = tt.load %8 : tensor<128x!tt.ptr<f32>, #blocked>
      %10 = arith.addf %arg4, %arg5 : tensor<128xf32, #blocked>
      %11 = tt.addptr %8, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %12 = tt.load %11 : tensor<128x!tt.ptr<f32>, #blocked>
      %13 = arith.addf %10, %arg6 : tensor<128xf32, #blocked>
      scf.yield %13, %9, %12, %11 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>
    }
    %7:4 = scf.for %arg3 = %5 to %arg2 step %c1_i32 iter_args(%arg4 = %6#0, %arg5 = %6#1, %arg6 = %6#2, %arg7 = %6#3) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>)  : i32 {
      %8 = tt.addptr %arg7, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %9 = tt.load %8 : tensor<128x!tt.ptr<f32>, #blocked>
      %10 = arith.addf %arg4, %arg5 : tensor<128xf32, #blocked>
      scf.yield %10, %arg6, %9, %8 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>
    } {tk.written_once}
    tt.store %arg1, %7#0 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @one_ahead(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<128> : tensor<128xi32, #blocked>
    %0 = tt.load %arg0 : tensor<128x!tt.ptr<f32>, #blocked>
    %1:3 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %0, %arg5 = %0, %arg6 = %arg0) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>)  : i32 {
      %2 = tt.addptr %arg6, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %3 = tt.load %2 : tensor<128x!tt.ptr<f32>, #blocked>
      %4 = arith.addf %arg4, %arg5 : tensor<128xf32, #blocked>
      scf.yield %4, %3, %2 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.store %arg1, %1#0 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

