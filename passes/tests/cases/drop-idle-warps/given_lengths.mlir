// passes: drop-idle-warps
// warps: 8
// grid: many
// How often the loop runs is an argument: it keeps its warps.
module {
  tt.func public @sums(%length: i32, %x: tensor<16x32x!tt.ptr<f32>>, %out: tensor<32x!tt.ptr<f32>>) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant dense<0.0> : tensor<16x32xf32>
    %step = arith.constant dense<512> : tensor<16x32xi32>
    %end = arith.maxsi %length, %c0 : i32
    %r:2 = scf.for %i = %c0 to %end step %c16 iter_args(%p = %x, %a = %zero) -> (tensor<16x32x!tt.ptr<f32>>, tensor<16x32xf32>) : i32 {
      %row = tt.load %p : tensor<16x32x!tt.ptr<f32>>
      %sum = arith.addf %a, %row : tensor<16x32xf32>
      %next = tt.addptr %p, %step : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
      scf.yield %next, %sum : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xf32>
    }
    %total = "tt.reduce"(%r#1) <{axis = 0 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x32xf32>) -> tensor<32xf32>
    tt.store %out, %total : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @sums(%arg0: i32, %arg1: tensor<16x32x!tt.ptr<f32>>, %arg2: tensor<32x!tt.ptr<f32>>) {
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
    %cst_0 = arith.constant dense<512> : tensor<16x32xi32>
    %0 = arith.maxsi %arg0, %c0_i32 : i32
    %1:2 = scf.for %arg3 = %c0_i32 to %0 step %c16_i32 iter_args(%arg4 = %arg1, %arg5 = %cst) -> (tensor<16x32x!tt.ptr<f32>>, tensor<16x32xf32>)  : i32 {
      %3 = tt.load %arg4 : tensor<16x32x!tt.ptr<f32>>
      %4 = arith.addf %arg5, %3 : tensor<16x32xf32>
      %5 = tt.addptr %arg4, %cst_0 : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
      scf.yield %5, %4 : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xf32>
    }
    %2 = "tt.reduce"(%1#1) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %3 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %3 : f32
    }) : (tensor<16x32xf32>) -> tensor<32xf32>
    tt.store %arg2, %2 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}

