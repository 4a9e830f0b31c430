// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A thread of 1024 can have 64 registers. The first block takes 32 of them until the end, so the second stays behind the reduction.
  tt.func public @full(%pa: tensor<32768x!tt.ptr<f32>, #blocked>, %pb: tensor<32768x!tt.ptr<f32>, #blocked>) {
    %a = tt.load %pa : tensor<32768x!tt.ptr<f32>, #blocked>
    %sum = "tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      tt.reduce.return %0 : f32
    }) : (tensor<32768xf32, #blocked>) -> f32
    %b = tt.load %pb : tensor<32768x!tt.ptr<f32>, #blocked>
    %all = tt.splat %sum : f32 -> tensor<32768xf32, #blocked>
    %c = arith.subf %b, %all : tensor<32768xf32, #blocked>
    tt.store %pa, %c : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.store %pb, %a : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // Blocks of eight registers leave room.
  tt.func public @room(%pa: tensor<8192x!tt.ptr<f32>, #blocked>, %pb: tensor<8192x!tt.ptr<f32>, #blocked>) {
    %a = tt.load %pa : tensor<8192x!tt.ptr<f32>, #blocked>
    %sum = "tt.reduce"(%a) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %y : f32
      tt.reduce.return %0 : f32
    }) : (tensor<8192xf32, #blocked>) -> f32
    %b = tt.load %pb : tensor<8192x!tt.ptr<f32>, #blocked>
    %all = tt.splat %sum : f32 -> tensor<8192xf32, #blocked>
    %c = arith.subf %b, %all : tensor<8192xf32, #blocked>
    tt.store %pa, %c : tensor<8192x!tt.ptr<f32>, #blocked>
    tt.store %pb, %a : tensor<8192x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [32], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @full(%arg0: tensor<32768x!tt.ptr<f32>, #blocked>, %arg1: tensor<32768x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %arg0 : tensor<32768x!tt.ptr<f32>, #blocked>
    %1 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %5 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %5 : f32
    }) : (tensor<32768xf32, #blocked>) -> f32
    %2 = tt.load %arg1 : tensor<32768x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %1 : f32 -> tensor<32768xf32, #blocked>
    %4 = arith.subf %2, %3 : tensor<32768xf32, #blocked>
    tt.store %arg0, %4 : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.store %arg1, %0 : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @room(%arg0: tensor<8192x!tt.ptr<f32>, #blocked>, %arg1: tensor<8192x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %arg0 : tensor<8192x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg1 : tensor<8192x!tt.ptr<f32>, #blocked>
    %2 = "tt.reduce"(%0) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %5 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %5 : f32
    }) : (tensor<8192xf32, #blocked>) -> f32
    %3 = tt.splat %2 : f32 -> tensor<8192xf32, #blocked>
    %4 = arith.subf %1, %3 : tensor<8192xf32, #blocked>
    tt.store %arg0, %4 : tensor<8192x!tt.ptr<f32>, #blocked>
    tt.store %arg1, %0 : tensor<8192x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

