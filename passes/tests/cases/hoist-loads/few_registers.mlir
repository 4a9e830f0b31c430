// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A thread of 1024 can have 64 registers. Two blocks take 48 of them until the end: a load of four registers stays behind the reduction, and one of a
  // single register goes before it.
  tt.func public @nearly_full(%pa: tensor<32768x!tt.ptr<f32>, #blocked>, %pb: tensor<16384x!tt.ptr<f32>, #blocked>, %pc: tensor<4096x!tt.ptr<f32>, #blocked>, %pd: !tt.ptr<f32>) {
    %a = tt.load %pa : tensor<32768x!tt.ptr<f32>, #blocked>
    %b = tt.load %pb : tensor<16384x!tt.ptr<f32>, #blocked>
    %sum = "tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      tt.reduce.return %0 : f32
    }) : (tensor<32768xf32, #blocked>) -> f32
    %c = tt.load %pc : tensor<4096x!tt.ptr<f32>, #blocked>
    %d = tt.load %pd : !tt.ptr<f32>
    %both = arith.addf %sum, %d : f32
    %sums = tt.splat %both : f32 -> tensor<32768xf32, #blocked>
    %ra = arith.addf %a, %sums : tensor<32768xf32, #blocked>
    tt.store %pa, %ra : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.store %pb, %b : tensor<16384x!tt.ptr<f32>, #blocked>
    tt.store %pc, %c : tensor<4096x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @nearly_full(%arg0: tensor<32768x!tt.ptr<f32>, #blocked>, %arg1: tensor<16384x!tt.ptr<f32>, #blocked>, %arg2: tensor<4096x!tt.ptr<f32>, #blocked>, %arg3: !tt.ptr<f32>) {
    %0 = tt.load %arg0 : tensor<32768x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg1 : tensor<16384x!tt.ptr<f32>, #blocked>
    %2 = tt.load %arg3 : !tt.ptr<f32>
    %3 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %8 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<32768xf32, #blocked>) -> f32
    %4 = tt.load %arg2 : tensor<4096x!tt.ptr<f32>, #blocked>
    %5 = arith.addf %3, %2 : f32
    %6 = tt.splat %5 : f32 -> tensor<32768xf32, #blocked>
    %7 = arith.addf %0, %6 : tensor<32768xf32, #blocked>
    tt.store %arg0, %7 : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.store %arg1, %1 : tensor<16384x!tt.ptr<f32>, #blocked>
    tt.store %arg2, %4 : tensor<4096x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

