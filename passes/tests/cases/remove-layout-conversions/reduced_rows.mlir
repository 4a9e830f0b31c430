// passes: remove-layout-conversions
// counts: ttg.convert_layout 2
// The sums of rows are converted, a number for each row: neither what they were reduced from, as large as the conversion that goes away, nor what the loop
// carries of them, which would be converted in each iteration.
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#line = #ttg.slice<{dim = 1, parent = #rows}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @of_a_block(%p: tensor<128x64x!tt.ptr<bf16>, #rows>, %o: tensor<128x32xf32, #mma>) -> tensor<128x32xf32, #mma> {
    %q = tt.load %p : tensor<128x64x!tt.ptr<bf16>, #rows>
    %wide = arith.extf %q : tensor<128x64xbf16, #rows> to tensor<128x64xf32, #rows>
    %sums = "tt.reduce"(%wide) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      tt.reduce.return %sum : f32
    }) : (tensor<128x64xf32, #rows>) -> tensor<128xf32, #line>
    %column = tt.expand_dims %sums {axis = 1 : i32} : tensor<128xf32, #line> -> tensor<128x1xf32, #rows>
    %block = tt.broadcast %column : tensor<128x1xf32, #rows> -> tensor<128x32xf32, #rows>
    %z = ttg.convert_layout %block : tensor<128x32xf32, #rows> -> tensor<128x32xf32, #mma>
    %scaled = arith.divf %o, %z : tensor<128x32xf32, #mma>
    tt.return %scaled : tensor<128x32xf32, #mma>
  }
  tt.func public @of_a_loop(%p: tensor<32x8x!tt.ptr<f32>, #rows>, %n: i32, %o: tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<32x8xf32, #rows>
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %parts = scf.for %i = %first to %n step %step iter_args(%carried = %zero) -> (tensor<32x8xf32, #rows>) : i32 {
      %offset = tt.splat %i : i32 -> tensor<32x8xi32, #rows>
      %here = tt.addptr %p, %offset : tensor<32x8x!tt.ptr<f32>, #rows>, tensor<32x8xi32, #rows>
      %part = tt.load %here : tensor<32x8x!tt.ptr<f32>, #rows>
      %next = arith.addf %carried, %part : tensor<32x8xf32, #rows>
      scf.yield %next : tensor<32x8xf32, #rows>
    }
    %sums = "tt.reduce"(%parts) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      tt.reduce.return %sum : f32
    }) : (tensor<32x8xf32, #rows>) -> tensor<32xf32, #line>
    %column = tt.expand_dims %sums {axis = 1 : i32} : tensor<32xf32, #line> -> tensor<32x1xf32, #rows>
    %block = tt.broadcast %column : tensor<32x1xf32, #rows> -> tensor<32x64xf32, #rows>
    %z = ttg.convert_layout %block : tensor<32x64xf32, #rows> -> tensor<32x64xf32, #mma>
    %scaled = arith.mulf %o, %z : tensor<32x64xf32, #mma>
    tt.return %scaled : tensor<32x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @of_a_block(%arg0: tensor<128x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<128x32xf32, #mma>) -> tensor<128x32xf32, #mma> {
    %0 = tt.load %arg0 : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %1 = arith.extf %0 : tensor<128x64xbf16, #blocked> to tensor<128x64xf32, #blocked>
    %2 = "tt.reduce"(%1) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %7 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %7 : f32
    }) : (tensor<128x64xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = ttg.convert_layout %2 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
    %5 = tt.broadcast %4 : tensor<128x1xf32, #mma> -> tensor<128x32xf32, #mma>
    %6 = arith.divf %arg1, %5 : tensor<128x32xf32, #mma>
    tt.return %6 : tensor<128x32xf32, #mma>
  }
  tt.func public @of_a_loop(%arg0: tensor<32x8x!tt.ptr<f32>, #blocked>, %arg1: i32, %arg2: tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma> {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x8xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<32x8xf32, #blocked>)  : i32 {
      %6 = tt.splat %arg3 : i32 -> tensor<32x8xi32, #blocked>
      %7 = tt.addptr %arg0, %6 : tensor<32x8x!tt.ptr<f32>, #blocked>, tensor<32x8xi32, #blocked>
      %8 = tt.load %7 : tensor<32x8x!tt.ptr<f32>, #blocked>
      %9 = arith.addf %arg4, %8 : tensor<32x8xf32, #blocked>
      scf.yield %9 : tensor<32x8xf32, #blocked>
    }
    %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %6 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<32x8xf32, #blocked>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = ttg.convert_layout %1 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<32x1xf32, #mma>
    %4 = tt.broadcast %3 : tensor<32x1xf32, #mma> -> tensor<32x64xf32, #mma>
    %5 = arith.mulf %arg2, %4 : tensor<32x64xf32, #mma>
    tt.return %5 : tensor<32x64xf32, #mma>
  }
}

