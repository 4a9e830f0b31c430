// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions
module {
  // Neighboring pixels mostly are neighbors in memory, whatever the channels are: rows of the tile are dealt out first.
  tt.func public @side_by_side(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %width: i32, %row_stride: i32, %channel_stride: i32) {
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %c = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %w = tt.splat %width : i32 -> tensor<128xi32>
    %row = arith.divsi %r, %w : tensor<128xi32>
    %column = arith.remsi %r, %w : tensor<128xi32>
    %rs = tt.splat %row_stride : i32 -> tensor<128xi32>
    %from_row = arith.muli %row, %rs : tensor<128xi32>
    %step = arith.constant dense<1> : tensor<128xi32>
    %from_column = arith.muli %column, %step : tensor<128xi32>
    %pixel = arith.addi %from_row, %from_column : tensor<128xi32>
    %pixel1 = tt.expand_dims %pixel {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %cs = tt.splat %channel_stride : i32 -> tensor<16xi32>
    %channel = arith.muli %c, %cs : tensor<16xi32>
    %channel0 = tt.expand_dims %channel {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %pixels = tt.broadcast %pixel1 : tensor<128x1xi32> -> tensor<128x16xi32>
    %channels = tt.broadcast %channel0 : tensor<1x16xi32> -> tensor<128x16xi32>
    %at = arith.addi %pixels, %channels : tensor<128x16xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
    %v = tt.load %px : tensor<128x16x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
    tt.store %po, %v : tensor<128x16x!tt.ptr<f16>>
    tt.return
  }
  // So it is where every other pixel is read.
  tt.func public @every_other(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %width: i32, %row_stride: i32, %channel_stride: i32) {
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %c = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %w = tt.splat %width : i32 -> tensor<128xi32>
    %row = arith.divsi %r, %w : tensor<128xi32>
    %column = arith.remsi %r, %w : tensor<128xi32>
    %rs = tt.splat %row_stride : i32 -> tensor<128xi32>
    %from_row = arith.muli %row, %rs : tensor<128xi32>
    %step = arith.constant dense<2> : tensor<128xi32>
    %from_column = arith.muli %column, %step : tensor<128xi32>
    %pixel = arith.addi %from_row, %from_column : tensor<128xi32>
    %pixel1 = tt.expand_dims %pixel {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %cs = tt.splat %channel_stride : i32 -> tensor<16xi32>
    %channel = arith.muli %c, %cs : tensor<16xi32>
    %channel0 = tt.expand_dims %channel {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %pixels = tt.broadcast %pixel1 : tensor<128x1xi32> -> tensor<128x16xi32>
    %channels = tt.broadcast %channel0 : tensor<1x16xi32> -> tensor<128x16xi32>
    %at = arith.addi %pixels, %channels : tensor<128x16xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
    %v = tt.load %px : tensor<128x16x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
    tt.store %po, %v : tensor<128x16x!tt.ptr<f16>>
    tt.return
  }
  // Pixels are as far apart as channels may be: the last axis first.
  tt.func public @far_apart(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %width: i32, %row_stride: i32, %channel_stride: i32) {
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %c = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
    %w = tt.splat %width : i32 -> tensor<128xi32>
    %row = arith.divsi %r, %w : tensor<128xi32>
    %column = arith.remsi %r, %w : tensor<128xi32>
    %rs = tt.splat %row_stride : i32 -> tensor<128xi32>
    %from_row = arith.muli %row, %rs : tensor<128xi32>
    %step = arith.constant dense<4096> : tensor<128xi32>
    %from_column = arith.muli %column, %step : tensor<128xi32>
    %pixel = arith.addi %from_row, %from_column : tensor<128xi32>
    %pixel1 = tt.expand_dims %pixel {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %cs = tt.splat %channel_stride : i32 -> tensor<16xi32>
    %channel = arith.muli %c, %cs : tensor<16xi32>
    %channel0 = tt.expand_dims %channel {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %pixels = tt.broadcast %pixel1 : tensor<128x1xi32> -> tensor<128x16xi32>
    %channels = tt.broadcast %channel0 : tensor<1x16xi32> -> tensor<128x16xi32>
    %at = arith.addi %pixels, %channels : tensor<128x16xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
    %v = tt.load %px : tensor<128x16x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
    tt.store %po, %v : tensor<128x16x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @side_by_side(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.splat %arg2 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = arith.divsi %0, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = arith.remsi %0, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = arith.muli %3, %5 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.addi %6, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
    %10 = tt.splat %arg4 : i32 -> tensor<1x16xi32, #blocked>
    %11 = arith.muli %9, %10 : tensor<1x16xi32, #blocked>
    %12 = tt.broadcast %8 : tensor<128x1xi32, #blocked> -> tensor<128x16xi32, #blocked>
    %13 = tt.broadcast %11 : tensor<1x16xi32, #blocked> -> tensor<128x16xi32, #blocked>
    %14 = arith.addi %12, %13 : tensor<128x16xi32, #blocked>
    %15 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>, #blocked>
    %16 = tt.addptr %15, %14 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
    %17 = tt.load %16 : tensor<128x16x!tt.ptr<f16>, #blocked>
    %18 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>, #blocked>
    %19 = tt.addptr %18, %14 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
    tt.store %19, %17 : tensor<128x16x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @every_other(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32) {
    %cst = arith.constant dense<2> : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.splat %arg2 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = arith.divsi %0, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = arith.remsi %0, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = arith.muli %3, %5 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = arith.muli %4, %cst : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %7 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %10 = tt.expand_dims %1 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
    %11 = tt.splat %arg4 : i32 -> tensor<1x16xi32, #blocked>
    %12 = arith.muli %10, %11 : tensor<1x16xi32, #blocked>
    %13 = tt.broadcast %9 : tensor<128x1xi32, #blocked> -> tensor<128x16xi32, #blocked>
    %14 = tt.broadcast %12 : tensor<1x16xi32, #blocked> -> tensor<128x16xi32, #blocked>
    %15 = arith.addi %13, %14 : tensor<128x16xi32, #blocked>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>, #blocked>
    %17 = tt.addptr %16, %15 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
    %18 = tt.load %17 : tensor<128x16x!tt.ptr<f16>, #blocked>
    %19 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>, #blocked>
    %20 = tt.addptr %19, %15 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
    tt.store %20, %18 : tensor<128x16x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @far_apart(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32) {
    %cst = arith.constant dense<4096> : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.splat %arg2 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = arith.divsi %0, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = arith.remsi %0, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = arith.muli %3, %5 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = arith.muli %4, %cst : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %8 = arith.addi %6, %7 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %10 = tt.expand_dims %1 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x16xi32, #blocked1>
    %11 = tt.splat %arg4 : i32 -> tensor<1x16xi32, #blocked1>
    %12 = arith.muli %10, %11 : tensor<1x16xi32, #blocked1>
    %13 = tt.broadcast %9 : tensor<128x1xi32, #blocked1> -> tensor<128x16xi32, #blocked1>
    %14 = tt.broadcast %12 : tensor<1x16xi32, #blocked1> -> tensor<128x16xi32, #blocked1>
    %15 = arith.addi %13, %14 : tensor<128x16xi32, #blocked1>
    %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>, #blocked1>
    %17 = tt.addptr %16, %15 : tensor<128x16x!tt.ptr<f16>, #blocked1>, tensor<128x16xi32, #blocked1>
    %18 = tt.load %17 : tensor<128x16x!tt.ptr<f16>, #blocked1>
    %19 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<128x16x!tt.ptr<f16>, #blocked1>
    %20 = tt.addptr %19, %15 : tensor<128x16x!tt.ptr<f16>, #blocked1>, tensor<128x16xi32, #blocked1>
    tt.store %20, %18 : tensor<128x16x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

