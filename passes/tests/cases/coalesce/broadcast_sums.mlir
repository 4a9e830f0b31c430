// passes: coalesce,remove-layout-conversions
#rows = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#square = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each thread has a row of the block that two broadcasts make.
  tt.func public @products(%x: tensor<256xf32, #ttg.slice<{dim = 1, parent = #square}>>, %w: tensor<8xf32, #ttg.slice<{dim = 0, parent = #square}>>, %out: tensor<256x!tt.ptr<f32>, #rows>) {
    %a = tt.expand_dims %x {axis = 1 : i32} : tensor<256xf32, #ttg.slice<{dim = 1, parent = #square}>> -> tensor<256x1xf32, #square>
    %b = tt.expand_dims %w {axis = 0 : i32} : tensor<8xf32, #ttg.slice<{dim = 0, parent = #square}>> -> tensor<1x8xf32, #square>
    %as = tt.broadcast %a : tensor<256x1xf32, #square> -> tensor<256x8xf32, #square>
    %bs = tt.broadcast %b : tensor<1x8xf32, #square> -> tensor<256x8xf32, #square>
    %p = arith.mulf %as, %bs : tensor<256x8xf32, #square>
    %s = "tt.reduce"(%p) <{axis = 1 : i32}> ({
    ^bb0(%y: f32, %z: f32):
      %0 = arith.addf %y, %z : f32
      tt.reduce.return %0 : f32
    }) : (tensor<256x8xf32, #square>) -> tensor<256xf32, #ttg.slice<{dim = 1, parent = #square}>>
    %c = ttg.convert_layout %s : tensor<256xf32, #ttg.slice<{dim = 1, parent = #square}>> -> tensor<256xf32, #rows>
    tt.store %out, %c : tensor<256x!tt.ptr<f32>, #rows>
    tt.return
  }
  // With fewer rows than threads, lanes share a row.
  tt.func public @few_rows(%x: tensor<64xf32, #ttg.slice<{dim = 1, parent = #square}>>, %w: tensor<8xf32, #ttg.slice<{dim = 0, parent = #square}>>, %out: tensor<64x!tt.ptr<f32>, #rows>) {
    %a = tt.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #square}>> -> tensor<64x1xf32, #square>
    %b = tt.expand_dims %w {axis = 0 : i32} : tensor<8xf32, #ttg.slice<{dim = 0, parent = #square}>> -> tensor<1x8xf32, #square>
    %as = tt.broadcast %a : tensor<64x1xf32, #square> -> tensor<64x8xf32, #square>
    %bs = tt.broadcast %b : tensor<1x8xf32, #square> -> tensor<64x8xf32, #square>
    %p = arith.mulf %as, %bs : tensor<64x8xf32, #square>
    %s = "tt.reduce"(%p) <{axis = 1 : i32}> ({
    ^bb0(%y: f32, %z: f32):
      %0 = arith.addf %y, %z : f32
      tt.reduce.return %0 : f32
    }) : (tensor<64x8xf32, #square>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #square}>>
    %c = ttg.convert_layout %s : tensor<64xf32, #ttg.slice<{dim = 1, parent = #square}>> -> tensor<64xf32, #rows>
    tt.store %out, %c : tensor<64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @products(%arg0: tensor<256xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg1: tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked}>>, %arg2: tensor<256x!tt.ptr<f32>, #blocked1>) {
    %0 = ttg.convert_layout %arg0 : tensor<256xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<256xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg1 : tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<256xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<256x1xf32, #blocked2>
    %3 = tt.expand_dims %1 {axis = 0 : i32} : tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x8xf32, #blocked2>
    %4 = tt.broadcast %2 : tensor<256x1xf32, #blocked2> -> tensor<256x8xf32, #blocked2>
    %5 = tt.broadcast %3 : tensor<1x8xf32, #blocked2> -> tensor<256x8xf32, #blocked2>
    %6 = arith.mulf %4, %5 : tensor<256x8xf32, #blocked2>
    %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %9 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %9 : f32
    }) : (tensor<256x8xf32, #blocked2>) -> tensor<256xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %8 = ttg.convert_layout %7 : tensor<256xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<256xf32, #blocked1>
    tt.store %arg2, %8 : tensor<256x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @few_rows(%arg0: tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg1: tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked}>>, %arg2: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.expand_dims %arg0 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %1 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<8xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x8xf32, #blocked>
    %2 = tt.broadcast %0 : tensor<64x1xf32, #blocked> -> tensor<64x8xf32, #blocked>
    %3 = tt.broadcast %1 : tensor<1x8xf32, #blocked> -> tensor<64x8xf32, #blocked>
    %4 = arith.mulf %2, %3 : tensor<64x8xf32, #blocked>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %7 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %7 : f32
    }) : (tensor<64x8xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = ttg.convert_layout %5 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64xf32, #blocked1>
    tt.store %arg2, %6 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

