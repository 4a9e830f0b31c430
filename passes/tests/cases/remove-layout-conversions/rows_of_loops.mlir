// passes: remove-layout-conversions
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The loop gives a number for each row, which is stored and repeated along the row: the numbers are converted, neither the block nor the loop.
  tt.func public @numbers(%p: tensor<16x64x!tt.ptr<f32>, #wide>, %out: tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #rows}>>, %x: tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %best = scf.for %i = %zero to %n step %one iter_args(%c = %x) -> (tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>) : i32 {
      %s = tt.splat %i : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
      %m = arith.muli %c, %s : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
      %k = arith.maxsi %m, %c : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
      scf.yield %k : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    }
    tt.store %out, %best : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #rows}>>
    %e = tt.expand_dims %best {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<16x1xi32, #rows>
    %b = tt.broadcast %e : tensor<16x1xi32, #rows> -> tensor<16x64xi32, #rows>
    %w = ttg.convert_layout %b : tensor<16x64xi32, #rows> -> tensor<16x64xi32, #wide>
    %f = arith.sitofp %w : tensor<16x64xi32, #wide> to tensor<16x64xf32, #wide>
    tt.store %p, %f : tensor<16x64x!tt.ptr<f32>, #wide>
    tt.return
  }
  // What the loop gives is the block: it stays converted behind the loop.
  tt.func public @block(%p: tensor<16x64x!tt.ptr<f32>, #wide>, %out: tensor<16x64x!tt.ptr<f32>, #rows>, %x: tensor<16x64xf32, #rows>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%c = %x) -> (tensor<16x64xf32, #rows>) : i32 {
      %k = arith.mulf %c, %c : tensor<16x64xf32, #rows>
      scf.yield %k : tensor<16x64xf32, #rows>
    }
    tt.store %out, %sum : tensor<16x64x!tt.ptr<f32>, #rows>
    %w = ttg.convert_layout %sum : tensor<16x64xf32, #rows> -> tensor<16x64xf32, #wide>
    tt.store %p, %w : tensor<16x64x!tt.ptr<f32>, #wide>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @numbers(%arg0: tensor<16x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>, %arg2: tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>)  : i32 {
      %5 = tt.splat %arg4 : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %6 = arith.muli %arg5, %5 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %7 = arith.maxsi %6, %arg5 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      scf.yield %7 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    }
    %1 = ttg.convert_layout %0 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg1, %0 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %3 = tt.broadcast %2 : tensor<16x1xi32, #blocked> -> tensor<16x64xi32, #blocked>
    %4 = arith.sitofp %3 : tensor<16x64xi32, #blocked> to tensor<16x64xf32, #blocked>
    tt.store %arg0, %4 : tensor<16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @block(%arg0: tensor<16x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<16x64x!tt.ptr<f32>, #blocked1>, %arg2: tensor<16x64xf32, #blocked1>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<16x64xf32, #blocked1>)  : i32 {
      %2 = arith.mulf %arg5, %arg5 : tensor<16x64xf32, #blocked1>
      scf.yield %2 : tensor<16x64xf32, #blocked1>
    }
    tt.store %arg1, %0 : tensor<16x64x!tt.ptr<f32>, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<16x64xf32, #blocked1> -> tensor<16x64xf32, #blocked>
    tt.store %arg0, %1 : tensor<16x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

