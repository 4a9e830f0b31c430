// passes: remove-layout-conversions
// target: sm_90a
// counts: ttg.convert_layout 1
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#vector = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both layouts of the sums have every element in the same place. The conversion still stands behind the loop, so that what is carried is
  // seen to be the sum of what is reduced.
  tt.func public @column_sums(%x: tensor<16x32x!tt.ptr<f32>, #blocked>, %out: tensor<32x!tt.ptr<f32>, #vector>, %steps: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<32xf32, #vector>
    %offsets = arith.constant dense<512> : tensor<16x32xi32, #blocked>
    %sums:2 = scf.for %i = %zero to %steps step %one iter_args(%total = %none, %at = %x) -> (tensor<32xf32, #vector>, tensor<16x32x!tt.ptr<f32>, #blocked>) : i32 {
      %block = tt.load %at : tensor<16x32x!tt.ptr<f32>, #blocked>
      %sum = "tt.reduce"(%block) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<16x32xf32, #blocked>) -> tensor<32xf32, #columns>
      %part = ttg.convert_layout %sum : tensor<32xf32, #columns> -> tensor<32xf32, #vector>
      %more = arith.addf %total, %part : tensor<32xf32, #vector>
      %next = tt.addptr %at, %offsets : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
      scf.yield %more, %next : tensor<32xf32, #vector>, tensor<16x32x!tt.ptr<f32>, #blocked>
    }
    tt.store %out, %sums#0 : tensor<32x!tt.ptr<f32>, #vector>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @column_sums(%arg0: tensor<16x32x!tt.ptr<f32>, #blocked>, %arg1: tensor<32x!tt.ptr<f32>, #blocked1>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %cst_0 = arith.constant dense<512> : tensor<16x32xi32, #blocked>
    %0:2 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst, %arg5 = %arg0) -> (tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<16x32x!tt.ptr<f32>, #blocked>)  : i32 {
      %2 = tt.load %arg5 : tensor<16x32x!tt.ptr<f32>, #blocked>
      %3 = "tt.reduce"(%2) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %6 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %6 : f32
      }) : (tensor<16x32xf32, #blocked>) -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %4 = arith.addf %arg4, %3 : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %5 = tt.addptr %arg5, %cst_0 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
      scf.yield %4, %5 : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<16x32x!tt.ptr<f32>, #blocked>
    }
    %1 = ttg.convert_layout %0#0 : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<32xf32, #blocked1>
    tt.store %arg1, %1 : tensor<32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

