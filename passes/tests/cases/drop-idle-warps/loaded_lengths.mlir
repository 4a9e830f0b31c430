// passes: drop-idle-warps
// warps: 8
// grid: many
// Sums of as many rows as were loaded: 512 numbers, eight of a thread, in two warps.
module {
  tt.func public @sums(%length_ptr: !tt.ptr<i32>, %x: tensor<16x32x!tt.ptr<f32>>, %out: tensor<32x!tt.ptr<f32>>) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %zero = arith.constant dense<0.0> : tensor<16x32xf32>
    %step = arith.constant dense<512> : tensor<16x32xi32>
    %program = tt.get_program_id x : i32
    %at = tt.addptr %length_ptr, %program : !tt.ptr<i32>, i32
    %length = tt.load %at : !tt.ptr<i32>
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
module attributes {tk.warps_with_work = 2 : i32} {
  tt.func public @sums(%arg0: !tt.ptr<i32>, %arg1: tensor<16x32x!tt.ptr<f32>>, %arg2: tensor<32x!tt.ptr<f32>>) {
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x32xf32>
    %cst_0 = arith.constant dense<512> : tensor<16x32xi32>
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %arg0, %0 : !tt.ptr<i32>, i32
    %2 = tt.load %1 : !tt.ptr<i32>
    %3 = arith.maxsi %2, %c0_i32 : i32
    %4:2 = scf.for %arg3 = %c0_i32 to %3 step %c16_i32 iter_args(%arg4 = %arg1, %arg5 = %cst) -> (tensor<16x32x!tt.ptr<f32>>, tensor<16x32xf32>)  : i32 {
      %6 = tt.load %arg4 : tensor<16x32x!tt.ptr<f32>>
      %7 = arith.addf %arg5, %6 : tensor<16x32xf32>
      %8 = tt.addptr %arg4, %cst_0 : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
      scf.yield %8, %7 : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xf32>
    }
    %5 = "tt.reduce"(%4#1) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %6 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<16x32xf32>) -> tensor<32xf32>
    tt.store %arg2, %5 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}

