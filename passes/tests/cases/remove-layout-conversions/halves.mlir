// passes: convert-to-ttg,coalesce,remove-layout-conversions
// Sums and differences of neighboring halves: what is joined goes to the layout in which the next halves are split by one conversion.
module {
  tt.func public @halves(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %at = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %all = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %from = tt.addptr %all, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %loaded = tt.load %from : tensor<128x!tt.ptr<f32>>
    %pairs = tt.reshape %loaded : tensor<128xf32> -> tensor<32x2x2xf32>
    %turned = tt.trans %pairs {order = array<i32: 0, 2, 1>} : tensor<32x2x2xf32> -> tensor<32x2x2xf32>
    %a, %b = tt.split %turned : tensor<32x2x2xf32> -> tensor<32x2xf32>
    %sum = arith.addf %a, %b : tensor<32x2xf32>
    %difference = arith.subf %a, %b : tensor<32x2xf32>
    %joined = tt.join %sum, %difference : tensor<32x2xf32> -> tensor<32x2x2xf32>
    %back = tt.trans %joined {order = array<i32: 0, 2, 1>} : tensor<32x2x2xf32> -> tensor<32x2x2xf32>
    %wider = tt.reshape %back : tensor<32x2x2xf32> -> tensor<16x2x4xf32>
    %turned2 = tt.trans %wider {order = array<i32: 0, 2, 1>} : tensor<16x2x4xf32> -> tensor<16x4x2xf32>
    %c, %d = tt.split %turned2 : tensor<16x4x2xf32> -> tensor<16x4xf32>
    %product = arith.mulf %c, %d : tensor<16x4xf32>
    %flat = tt.reshape %product : tensor<16x4xf32> -> tensor<64xf32>
    %to = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %out = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %place = tt.addptr %out, %to : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %place, %flat : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [8, 2, 2], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1, 1], threadsPerWarp = [8, 2, 2], warpsPerCTA = [4, 1, 1], order = [1, 2, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [16, 2, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 2, 1], threadsPerWarp = [8, 1, 4], warpsPerCTA = [4, 1, 1], order = [1, 2, 0]}>
#blocked6 = #ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [8, 4, 1], warpsPerCTA = [4, 1, 1], order = [2, 1, 0]}>
#blocked7 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0, 0]], lane = [[0, 1, 0], [0, 0, 1], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [0, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[1, 0, 0]], lane = [[0, 0, 1], [0, 1, 0], [2, 0, 0], [4, 0, 0], [8, 0, 0]], warp = [[16, 0, 0], [0, 0, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @halves(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %3 = tt.load %2 : tensor<128x!tt.ptr<f32>, #blocked>
    %4 = tt.reshape %3 : tensor<128xf32, #blocked> -> tensor<32x2x2xf32, #blocked1>
    %5 = tt.trans %4 {order = array<i32: 0, 2, 1>} : tensor<32x2x2xf32, #blocked1> -> tensor<32x2x2xf32, #blocked2>
    %6 = ttg.convert_layout %5 : tensor<32x2x2xf32, #blocked2> -> tensor<32x2x2xf32, #blocked3>
    %outLHS, %outRHS = tt.split %6 : tensor<32x2x2xf32, #blocked3> -> tensor<32x2xf32, #blocked4>
    %7 = arith.addf %outLHS, %outRHS : tensor<32x2xf32, #blocked4>
    %8 = arith.subf %outLHS, %outRHS : tensor<32x2xf32, #blocked4>
    %9 = tt.join %7, %8 : tensor<32x2xf32, #blocked4> -> tensor<32x2x2xf32, #blocked3>
    %10 = ttg.convert_layout %9 : tensor<32x2x2xf32, #blocked3> -> tensor<32x2x2xf32, #linear>
    %11 = tt.trans %10 {order = array<i32: 0, 2, 1>} : tensor<32x2x2xf32, #linear> -> tensor<32x2x2xf32, #linear1>
    %12 = tt.reshape %11 : tensor<32x2x2xf32, #linear1> -> tensor<16x2x4xf32, #blocked5>
    %13 = tt.trans %12 {order = array<i32: 0, 2, 1>} : tensor<16x2x4xf32, #blocked5> -> tensor<16x4x2xf32, #blocked6>
    %outLHS_0, %outRHS_1 = tt.split %13 : tensor<16x4x2xf32, #blocked6> -> tensor<16x4xf32, #blocked7>
    %14 = arith.mulf %outLHS_0, %outRHS_1 : tensor<16x4xf32, #blocked7>
    %15 = tt.reshape %14 : tensor<16x4xf32, #blocked7> -> tensor<64xf32, #blocked>
    %16 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %17 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %18, %15 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

