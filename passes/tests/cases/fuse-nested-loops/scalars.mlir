// passes: fuse-nested-loops
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both loops count to the same number, so the inner one runs wherever the outer one does.
  tt.func public @same_count(%n: i32, %out: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c1) -> (i32) : i32 {
      %row = arith.muli %i, %c32 : i32
      %start = tt.addptr %out, %row : !tt.ptr<i32>, i32
      %next = scf.for %j = %c0 to %n step %c1 iter_args(%l = %k) -> (i32) : i32 {
        %at = tt.addptr %start, %j : !tt.ptr<i32>, i32
        tt.store %at, %l : !tt.ptr<i32>
        %more = arith.addi %l, %c1 : i32
        scf.yield %more : i32
      }
      scf.yield %next : i32
    } {tt.flatten}
    tt.return
  }
  // The inner loop may have no iterations. The inner loop and what is behind it use what the outer one carries.
  tt.func public @perhaps_none(%n: i32, %m: i32, %out: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (f32) : i32 {
      %sum = scf.for %j = %c0 to %m step %c1 iter_args(%y = %zero) -> (f32) : i32 {
        %more = arith.addf %y, %x : f32
        scf.yield %more : f32
      }
      %at = tt.addptr %out, %i : !tt.ptr<f32>, i32
      tt.store %at, %sum : !tt.ptr<f32>
      %next = arith.addf %x, %sum : f32
      scf.yield %next : f32
    } {tt.flatten}
    tt.return
  }
  // A value that the outer loop carries is used before the inner loop: as it is.
  tt.func public @used_before(%n: i32, %m: i32, %out: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c1) -> (i32) : i32 {
      %twice = arith.addi %x, %x : i32
      %sum = scf.for %j = %c0 to %m step %c1 iter_args(%y = %twice) -> (i32) : i32 {
        %more = arith.addi %y, %j : i32
        scf.yield %more : i32
      }
      %at = tt.addptr %out, %i : !tt.ptr<i32>, i32
      tt.store %at, %sum : !tt.ptr<i32>
      scf.yield %sum : i32
    } {tt.flatten}
    tt.return
  }
  // Blocks that pointers load: as it is.
  tt.func public @blocks(%n: i32, %m: i32, %out: tensor<128x!tt.ptr<f32>, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128xf32, #blocked>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %sum = scf.for %j = %c0 to %m step %c1 iter_args(%y = %zero) -> (tensor<128xf32, #blocked>) : i32 {
        %x = tt.load %out : tensor<128x!tt.ptr<f32>, #blocked>
        %more = arith.addf %y, %x : tensor<128xf32, #blocked>
        scf.yield %more : tensor<128xf32, #blocked>
      }
      tt.store %out, %sum : tensor<128x!tt.ptr<f32>, #blocked>
    } {tt.flatten}
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @same_count(%arg0: i32, %arg1: !tt.ptr<i32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %0 = arith.maxsi %arg0, %c0_i32_0 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %1 = arith.maxsi %arg0, %c0_i32_1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32_3 = arith.constant 1 : i32
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.extsi %0 : i32 to i64
    %4 = arith.muli %2, %3 : i64
    %5 = arith.subi %0, %c1_i32_3 : i32
    %6 = arith.subi %c0_i32, %c1_i32 : i32
    %7 = ub.poison : !tt.ptr<i32>
    %c0_i32_4 = arith.constant 0 : i32
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %8:5 = scf.for %arg2 = %c0_i64 to %4 step %c1_i64 iter_args(%arg3 = %c0_i32_2, %arg4 = %6, %arg5 = %7, %arg6 = %c0_i32_4, %arg7 = %c1_i32) -> (i32, i32, !tt.ptr<i32>, i32, i32)  : i64 {
      %c0_i32_5 = arith.constant 0 : i32
      %c1_i32_6 = arith.constant 1 : i32
      %9 = arith.cmpi eq, %arg3, %c0_i32_5 : i32
      %10:2 = scf.if %9 -> (i32, !tt.ptr<i32>) {
        %18 = arith.addi %arg4, %c1_i32 : i32
        %19 = arith.muli %18, %c32_i32 : i32
        %20 = tt.addptr %arg1, %19 : !tt.ptr<i32>, i32
        scf.yield %18, %20 : i32, !tt.ptr<i32>
      } else {
        scf.yield %arg4, %arg5 : i32, !tt.ptr<i32>
      }
      %11 = arith.select %9, %arg7, %arg6 : i32
      %12 = tt.addptr %10#1, %arg3 : !tt.ptr<i32>, i32
      tt.store %12, %11 : !tt.ptr<i32>
      %13 = arith.addi %11, %c1_i32 : i32
      %14 = arith.cmpi eq, %arg3, %5 : i32
      %15 = scf.if %14 -> (i32) {
        scf.yield %13 : i32
      } else {
        scf.yield %arg7 : i32
      }
      %16 = arith.addi %arg3, %c1_i32_6 : i32
      %17 = arith.select %14, %c0_i32_5, %16 : i32
      scf.yield %17, %10#0, %10#1, %13, %15 : i32, i32, !tt.ptr<i32>, i32, i32
    }
    tt.return
  }
  tt.func public @perhaps_none(%arg0: i32, %arg1: i32, %arg2: !tt.ptr<f32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %c0_i32_1 = arith.constant 0 : i32
    %0 = arith.maxsi %arg1, %c0_i32_1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %0, %c0_i32_2 : i32
    %2 = scf.if %1 -> (f32) {
      %c0_i32_3 = arith.constant 0 : i32
      %3 = arith.maxsi %arg0, %c0_i32_3 : i32
      %c0_i32_4 = arith.constant 0 : i32
      %c1_i32_5 = arith.constant 1 : i32
      %4 = arith.extsi %3 : i32 to i64
      %5 = arith.extsi %0 : i32 to i64
      %6 = arith.muli %4, %5 : i64
      %7 = arith.subi %0, %c1_i32_5 : i32
      %8 = arith.subi %c0_i32, %c1_i32 : i32
      %c0_i64 = arith.constant 0 : i64
      %c1_i64 = arith.constant 1 : i64
      %9:4 = scf.for %arg3 = %c0_i64 to %6 step %c1_i64 iter_args(%arg4 = %c0_i32_4, %arg5 = %8, %arg6 = %cst, %arg7 = %cst_0) -> (i32, i32, f32, f32)  : i64 {
        %c0_i32_6 = arith.constant 0 : i32
        %c1_i32_7 = arith.constant 1 : i32
        %10 = arith.cmpi eq, %arg4, %c0_i32_6 : i32
        %11 = scf.if %10 -> (i32) {
          %18 = arith.addi %arg5, %c1_i32 : i32
          scf.yield %18 : i32
        } else {
          scf.yield %arg5 : i32
        }
        %12 = arith.select %10, %cst, %arg6 : f32
        %13 = arith.addf %12, %arg7 : f32
        %14 = arith.cmpi eq, %arg4, %7 : i32
        %15 = scf.if %14 -> (f32) {
          %18 = tt.addptr %arg2, %11 : !tt.ptr<f32>, i32
          tt.store %18, %13 : !tt.ptr<f32>
          %19 = arith.addf %arg7, %13 : f32
          scf.yield %19 : f32
        } else {
          scf.yield %arg7 : f32
        }
        %16 = arith.addi %arg4, %c1_i32_7 : i32
        %17 = arith.select %14, %c0_i32_6, %16 : i32
        scf.yield %17, %11, %13, %15 : i32, i32, f32, f32
      }
      scf.yield %9#3 : f32
    } else {
      %3 = scf.for %arg3 = %c0_i32 to %arg0 step %c1_i32 iter_args(%arg4 = %cst_0) -> (f32)  : i32 {
        %4 = tt.addptr %arg2, %arg3 : !tt.ptr<f32>, i32
        tt.store %4, %cst : !tt.ptr<f32>
        %5 = arith.addf %arg4, %cst : f32
        scf.yield %5 : f32
      }
      scf.yield %3 : f32
    }
    tt.return
  }
  tt.func public @used_before(%arg0: i32, %arg1: i32, %arg2: !tt.ptr<i32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg3 = %c0_i32 to %arg0 step %c1_i32 iter_args(%arg4 = %c1_i32) -> (i32)  : i32 {
      %1 = arith.addi %arg4, %arg4 : i32
      %2 = scf.for %arg5 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg6 = %1) -> (i32)  : i32 {
        %4 = arith.addi %arg6, %arg5 : i32
        scf.yield %4 : i32
      }
      %3 = tt.addptr %arg2, %arg3 : !tt.ptr<i32>, i32
      tt.store %3, %2 : !tt.ptr<i32>
      scf.yield %2 : i32
    } {tt.flatten}
    tt.return
  }
  tt.func public @blocks(%arg0: i32, %arg1: i32, %arg2: tensor<128x!tt.ptr<f32>, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    scf.for %arg3 = %c0_i32 to %arg0 step %c1_i32  : i32 {
      %0 = scf.for %arg4 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128xf32, #blocked>)  : i32 {
        %1 = tt.load %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
        %2 = arith.addf %arg5, %1 : tensor<128xf32, #blocked>
        scf.yield %2 : tensor<128xf32, #blocked>
      }
      tt.store %arg2, %0 : tensor<128x!tt.ptr<f32>, #blocked>
    } {tt.flatten}
    tt.return
  }
}

