// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two divisions without a branch stand between the load and one with a branch: it goes before all of them.
  tt.func public @first(%p: tensor<64x!tt.ptr<f32>, #blocked>, %offsets: tensor<64xi32, #blocked>, %n: i32, %rows: i32, %columns: i32, %out: tensor<64x!tt.ptr<f32>, #blocked>) {
    %c3 = arith.constant 3 : i32
    %c4 = arith.constant 4 : i32
    %least = arith.minsi %rows, %c4 : i32
    %group = arith.divsi %n, %least : i32
    %rest = arith.minsi %group, %c3 : i32
    %row = arith.remsi %columns, %rest : i32
    %column = arith.divui %columns, %rest : i32
    %ps = tt.addptr %p, %offsets : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %x = tt.load %ps : tensor<64x!tt.ptr<f32>, #blocked>
    %at = arith.addi %row, %column : i32
    %ats = tt.splat %at : i32 -> tensor<64xi32, #blocked>
    %to = tt.addptr %out, %ats : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %to, %x : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // The one with a branch gives the address: behind it nothing is a reason to move.
  tt.func public @needed(%p: !tt.ptr<f32>, %n: i32, %rows: i32, %columns: i32, %out: !tt.ptr<f32>) {
    %c4 = arith.constant 4 : i32
    %least = arith.minsi %rows, %c4 : i32
    %group = arith.divsi %n, %least : i32
    %row = arith.divsi %n, %columns : i32
    %from = tt.addptr %p, %group : !tt.ptr<f32>, i32
    %x = tt.load %from : !tt.ptr<f32>
    %to = tt.addptr %out, %row : !tt.ptr<f32>, i32
    tt.store %to, %x : !tt.ptr<f32>
    tt.return
  }
  // A division without a branch is passed for one with a branch alone, not for a reduction.
  tt.func public @reduction(%p: !tt.ptr<f32>, %y: tensor<64xf32, #blocked>, %n: i32, %columns: i32, %out: !tt.ptr<f32>) {
    %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    %row = arith.divsi %n, %columns : i32
    %x = tt.load %p : !tt.ptr<f32>
    %both = arith.addf %x, %sum : f32
    %to = tt.addptr %out, %row : !tt.ptr<f32>, i32
    tt.store %to, %both : !tt.ptr<f32>
    tt.return
  }
  // A remainder is in nobody's way.
  tt.func public @remainder(%p: !tt.ptr<f32>, %y: tensor<64xf32, #blocked>, %n: i32, %columns: i32, %out: !tt.ptr<f32>) {
    %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %ab = arith.addf %a, %b : f32
      tt.reduce.return %ab : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    %row = arith.remsi %n, %columns : i32
    %x = tt.load %p : !tt.ptr<f32>
    %both = arith.addf %x, %sum : f32
    %to = tt.addptr %out, %row : !tt.ptr<f32>, i32
    tt.store %to, %both : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @first(%arg0: tensor<64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64xi32, #blocked>, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: tensor<64x!tt.ptr<f32>, #blocked>) {
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.minsi %arg3, %c4_i32 : i32
    %1 = tt.addptr %arg0, %arg1 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %2 = tt.load %1 : tensor<64x!tt.ptr<f32>, #blocked>
    %3 = arith.divsi %arg2, %0 : i32
    %4 = arith.minsi %3, %c3_i32 : i32
    %5 = arith.remsi %arg4, %4 : i32
    %6 = arith.divui %arg4, %4 : i32
    %7 = arith.addi %5, %6 : i32
    %8 = tt.splat %7 : i32 -> tensor<64xi32, #blocked>
    %9 = tt.addptr %arg5, %8 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %9, %2 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @needed(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: !tt.ptr<f32>) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.minsi %arg2, %c4_i32 : i32
    %1 = arith.divsi %arg1, %0 : i32
    %2 = arith.divsi %arg1, %arg3 : i32
    %3 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
    %4 = tt.load %3 : !tt.ptr<f32>
    %5 = tt.addptr %arg4, %2 : !tt.ptr<f32>, i32
    tt.store %5, %4 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @reduction(%arg0: !tt.ptr<f32>, %arg1: tensor<64xf32, #blocked>, %arg2: i32, %arg3: i32, %arg4: !tt.ptr<f32>) {
    %0 = "tt.reduce"(%arg1) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %5 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %5 : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    %1 = arith.divsi %arg2, %arg3 : i32
    %2 = tt.load %arg0 : !tt.ptr<f32>
    %3 = arith.addf %2, %0 : f32
    %4 = tt.addptr %arg4, %1 : !tt.ptr<f32>, i32
    tt.store %4, %3 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @remainder(%arg0: !tt.ptr<f32>, %arg1: tensor<64xf32, #blocked>, %arg2: i32, %arg3: i32, %arg4: !tt.ptr<f32>) {
    %0 = tt.load %arg0 : !tt.ptr<f32>
    %1 = "tt.reduce"(%arg1) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %5 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %5 : f32
    }) : (tensor<64xf32, #blocked>) -> f32
    %2 = arith.remsi %arg2, %arg3 : i32
    %3 = arith.addf %0, %1 : f32
    %4 = tt.addptr %arg4, %2 : !tt.ptr<f32>, i32
    tt.store %4, %3 : !tt.ptr<f32>
    tt.return
  }
}

