// passes: loop-unroll,canonicalize
// grid: eight
// counts: tt.load 2
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Places can be loaded an iteration ahead, if they are compared with the stores: copies would have to be compared with all of theirs.
  tt.func public @rows(%place: !tt.ptr<i32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %c = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #blocked>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %at = tt.addptr %place, %i : !tt.ptr<i32>, i32
      %own = tt.load %at : !tt.ptr<i32>
      %row = arith.muli %own, %c32 : i32
      %x_row = tt.addptr %x, %row : !tt.ptr<f32>, i32
      %x_all = tt.splat %x_row : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %xs = tt.addptr %x_all, %c : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %v = tt.load %xs : tensor<32x!tt.ptr<f32>, #blocked>
      %to = arith.muli %i, %c32 : i32
      %out_row = tt.addptr %out, %to : !tt.ptr<f32>, i32
      %out_all = tt.splat %out_row : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %outs = tt.addptr %out_all, %c : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %outs, %v : tensor<32x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %1 = tt.addptr %arg0, %arg4 : !tt.ptr<i32>, i32
      %2 = tt.load %1 : !tt.ptr<i32>
      %3 = arith.muli %2, %c32_i32 : i32
      %4 = tt.addptr %arg1, %3 : !tt.ptr<f32>, i32
      %5 = tt.splat %4 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %6 = tt.addptr %5, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %7 = tt.load %6 : tensor<32x!tt.ptr<f32>, #blocked>
      %8 = arith.muli %arg4, %c32_i32 : i32
      %9 = tt.addptr %arg2, %8 : !tt.ptr<f32>, i32
      %10 = tt.splat %9 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %11 = tt.addptr %10, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %11, %7 : tensor<32x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}

