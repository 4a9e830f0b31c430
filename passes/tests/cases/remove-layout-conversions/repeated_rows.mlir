// passes: remove-layout-conversions
// counts: ttg.convert_layout 1
// A block is multiplied by a number for each row that comes first and has the layout of a reduction: the number is converted before it is repeated,
// and the block stays as it is loaded and stored.
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#other = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scale(%first: tensor<64x32x!tt.ptr<f32>, #other>, %in: tensor<64x64x!tt.ptr<f32>, #rows>, %out: tensor<64x64x!tt.ptr<f32>, #rows>) {
    %a = tt.load %first : tensor<64x32x!tt.ptr<f32>, #other>
    %sums = "tt.reduce"(%a) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      tt.reduce.return %sum : f32
    }) : (tensor<64x32xf32, #other>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #other}>>
    %column = tt.expand_dims %sums {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #other}>> -> tensor<64x1xf32, #other>
    %block = tt.broadcast %column : tensor<64x1xf32, #other> -> tensor<64x64xf32, #other>
    %b = tt.load %in : tensor<64x64x!tt.ptr<f32>, #rows>
    %same = ttg.convert_layout %b : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #other>
    %scaled = arith.mulf %same, %block : tensor<64x64xf32, #other>
    %moved = arith.addf %scaled, %block : tensor<64x64xf32, #other>
    %back = ttg.convert_layout %moved : tensor<64x64xf32, #other> -> tensor<64x64xf32, #rows>
    tt.store %out, %back : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scale(%arg0: tensor<64x32x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked1>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<64x32x!tt.ptr<f32>, #blocked>
    %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %8 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = ttg.convert_layout %1 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xf32, #blocked1>
    %4 = tt.broadcast %3 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
    %5 = tt.load %arg1 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    %6 = arith.mulf %5, %4 : tensor<64x64xf32, #blocked1>
    %7 = arith.addf %6, %4 : tensor<64x64xf32, #blocked1>
    tt.store %arg2, %7 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

