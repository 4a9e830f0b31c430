// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two rows of weights fill the registers for loads over a conversion. The row of the program goes before them.
  tt.func public @rows(%x: tensor<2048xf32, #blocked>, %w: tensor<2048x!tt.ptr<f32>, #blocked>, %s: tensor<2048x!tt.ptr<f32>, #blocked>, %h: !tt.ptr<f32>) -> (tensor<2048xf32, #other>, tensor<2048xf32, #blocked>) {
    %y = ttg.convert_layout %x : tensor<2048xf32, #blocked> -> tensor<2048xf32, #other>
    %a = tt.load %w : tensor<2048x!tt.ptr<f32>, #blocked>
    %b = tt.load %s : tensor<2048x!tt.ptr<f32>, #blocked>
    %n = tt.get_program_id x : i32
    %p = tt.addptr %h, %n : !tt.ptr<f32>, i32
    %q = tt.splat %p : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %c = tt.load %q : tensor<2048x!tt.ptr<f32>, #blocked>
    %d = arith.addf %a, %b : tensor<2048xf32, #blocked>
    %e = arith.addf %d, %c : tensor<2048xf32, #blocked>
    tt.return %y, %e : tensor<2048xf32, #other>, tensor<2048xf32, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: tensor<2048xf32, #blocked>, %arg1: tensor<2048x!tt.ptr<f32>, #blocked>, %arg2: tensor<2048x!tt.ptr<f32>, #blocked>, %arg3: !tt.ptr<f32>) -> (tensor<2048xf32, #blocked1>, tensor<2048xf32, #blocked>) {
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %arg3, %0 : !tt.ptr<f32>, i32
    %2 = tt.splat %1 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %3 = tt.load %2 : tensor<2048x!tt.ptr<f32>, #blocked>
    %4 = tt.load %arg1 : tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = ttg.convert_layout %arg0 : tensor<2048xf32, #blocked> -> tensor<2048xf32, #blocked1>
    %6 = tt.load %arg2 : tensor<2048x!tt.ptr<f32>, #blocked>
    %7 = arith.addf %4, %6 : tensor<2048xf32, #blocked>
    %8 = arith.addf %7, %3 : tensor<2048xf32, #blocked>
    tt.return %5, %8 : tensor<2048xf32, #blocked1>, tensor<2048xf32, #blocked>
  }
}

