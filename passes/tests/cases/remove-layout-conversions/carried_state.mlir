// passes: remove-layout-conversions
// counts: ttg.convert_layout 1, arith.mulf 1, tt.load 1
// A state that a loop scales and adds to is stored behind the loop in another layout. It is converted there once, and not carried in both.
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [32, 1], order = [1, 0]}>
#stored = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @recurrence(%p: tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #rows}>>, %decay: f32, %final: tensor<64x32x!tt.ptr<f32>, #stored>, %sums: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x32xf32, #rows>
    %decays = tt.splat %decay : f32 -> tensor<64x32xf32, #rows>
    %state = scf.for %i = %c0 to %n step %c1 iter_args(%carried = %zero) -> (tensor<64x32xf32, #rows>) : i32 {
      %v = tt.load %p : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #rows}>>
      %row = tt.expand_dims %v {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xf32, #rows>
      %added = tt.broadcast %row : tensor<1x32xf32, #rows> -> tensor<64x32xf32, #rows>
      %scaled = arith.mulf %carried, %decays : tensor<64x32xf32, #rows>
      %next = arith.addf %scaled, %added : tensor<64x32xf32, #rows>
      %sum = "tt.reduce"(%next) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %ab = arith.addf %a, %b : f32
        tt.reduce.return %ab : f32
      }) : (tensor<64x32xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>
      tt.store %sums, %sum : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
      scf.yield %next : tensor<64x32xf32, #rows>
    }
    %last = ttg.convert_layout %state : tensor<64x32xf32, #rows> -> tensor<64x32xf32, #stored>
    tt.store %final, %last : tensor<64x32x!tt.ptr<f32>, #stored>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [32, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 16], warpsPerCTA = [32, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @recurrence(%arg0: tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>, %arg1: f32, %arg2: tensor<64x32x!tt.ptr<f32>, #blocked1>, %arg3: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #blocked>
    %0 = tt.splat %arg1 : f32 -> tensor<64x32xf32, #blocked>
    %1 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<64x32xf32, #blocked>)  : i32 {
      %3 = tt.load %arg0 : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
      %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xf32, #blocked>
      %5 = tt.broadcast %4 : tensor<1x32xf32, #blocked> -> tensor<64x32xf32, #blocked>
      %6 = arith.mulf %arg6, %0 : tensor<64x32xf32, #blocked>
      %7 = arith.addf %6, %5 : tensor<64x32xf32, #blocked>
      %8 = "tt.reduce"(%7) <{axis = 1 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %9 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %9 : f32
      }) : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      tt.store %arg3, %8 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      scf.yield %7 : tensor<64x32xf32, #blocked>
    }
    %2 = ttg.convert_layout %1 : tensor<64x32xf32, #blocked> -> tensor<64x32xf32, #blocked1>
    tt.store %arg2, %2 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

