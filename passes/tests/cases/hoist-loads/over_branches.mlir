// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The branch waits for what it loads, and the scalar behind it does not depend on that.
  tt.func public @loads(%p: tensor<64x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %last: i1, %mask: tensor<64xi1, #blocked>, %out: tensor<64x!tt.ptr<f32>, #blocked>) {
    %x = scf.if %last -> (tensor<64xf32, #blocked>) {
      %some = tt.load %p, %mask : tensor<64x!tt.ptr<f32>, #blocked>
      scf.yield %some : tensor<64xf32, #blocked>
    } else {
      %all = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked>
      scf.yield %all : tensor<64xf32, #blocked>
    }
    %scale = tt.load %q : !tt.ptr<f32>
    %scales = tt.splat %scale : f32 -> tensor<64xf32, #blocked>
    %y = arith.mulf %x, %scales : tensor<64xf32, #blocked>
    tt.store %out, %y : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // A branch that writes is not passed.
  tt.func public @writes(%p: tensor<64x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %last: i1, %out: tensor<64x!tt.ptr<f32>, #blocked>) {
    scf.if %last {
      %all = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked>
      tt.store %out, %all : tensor<64x!tt.ptr<f32>, #blocked>
    }
    %scale = tt.load %q : !tt.ptr<f32>
    %scales = tt.splat %scale : f32 -> tensor<64xf32, #blocked>
    tt.store %p, %scales : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // What the branch decides is needed.
  tt.func public @depends(%q: !tt.ptr<f32>, %last: i1, %n: !tt.ptr<i32>, %out: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %at = scf.if %last -> (i32) {
      %end = tt.load %n : !tt.ptr<i32>
      scf.yield %end : i32
    } else {
      scf.yield %c0 : i32
    }
    %r = tt.addptr %q, %at : !tt.ptr<f32>, i32
    %scale = tt.load %r : !tt.ptr<f32>
    tt.store %out, %scale : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loads(%arg0: tensor<64x!tt.ptr<f32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i1, %arg3: tensor<64xi1, #blocked>, %arg4: tensor<64x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %arg1 : !tt.ptr<f32>
    %1 = scf.if %arg2 -> (tensor<64xf32, #blocked>) {
      %4 = tt.load %arg0, %arg3 : tensor<64x!tt.ptr<f32>, #blocked>
      scf.yield %4 : tensor<64xf32, #blocked>
    } else {
      %4 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked>
      scf.yield %4 : tensor<64xf32, #blocked>
    }
    %2 = tt.splat %0 : f32 -> tensor<64xf32, #blocked>
    %3 = arith.mulf %1, %2 : tensor<64xf32, #blocked>
    tt.store %arg4, %3 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @writes(%arg0: tensor<64x!tt.ptr<f32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i1, %arg3: tensor<64x!tt.ptr<f32>, #blocked>) {
    scf.if %arg2 {
      %2 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked>
      tt.store %arg3, %2 : tensor<64x!tt.ptr<f32>, #blocked>
    }
    %0 = tt.load %arg1 : !tt.ptr<f32>
    %1 = tt.splat %0 : f32 -> tensor<64xf32, #blocked>
    tt.store %arg0, %1 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @depends(%arg0: !tt.ptr<f32>, %arg1: i1, %arg2: !tt.ptr<i32>, %arg3: !tt.ptr<f32>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.if %arg1 -> (i32) {
      %3 = tt.load %arg2 : !tt.ptr<i32>
      scf.yield %3 : i32
    } else {
      scf.yield %c0_i32 : i32
    }
    %1 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    %2 = tt.load %1 : !tt.ptr<f32>
    tt.store %arg3, %2 : !tt.ptr<f32>
    tt.return
  }
}

