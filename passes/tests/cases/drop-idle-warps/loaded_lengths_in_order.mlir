// passes: drop-idle-warps
// warps: 8
// grid: many
// As many rows as were loaded, in their order: no warp waits for another one.
module {
  tt.func public @doubled(%length_ptr: !tt.ptr<i32>, %x: tensor<16x32x!tt.ptr<f32>>, %y: tensor<16x32x!tt.ptr<f32>>) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %step = arith.constant dense<512> : tensor<16x32xi32>
    %program = tt.get_program_id x : i32
    %at = tt.addptr %length_ptr, %program : !tt.ptr<i32>, i32
    %length = tt.load %at : !tt.ptr<i32>
    %end = arith.maxsi %length, %c0 : i32
    %r:2 = scf.for %i = %c0 to %end step %c16 iter_args(%p = %x, %q = %y) -> (tensor<16x32x!tt.ptr<f32>>, tensor<16x32x!tt.ptr<f32>>) : i32 {
      %row = tt.load %p : tensor<16x32x!tt.ptr<f32>>
      %sum = arith.addf %row, %row : tensor<16x32xf32>
      tt.store %q, %sum : tensor<16x32x!tt.ptr<f32>>
      %next = tt.addptr %p, %step : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
      %behind = tt.addptr %q, %step : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
      scf.yield %next, %behind : tensor<16x32x!tt.ptr<f32>>, tensor<16x32x!tt.ptr<f32>>
    }
    tt.return
  }
}
// ----- expect
module {
  tt.func public @doubled(%arg0: !tt.ptr<i32>, %arg1: tensor<16x32x!tt.ptr<f32>>, %arg2: tensor<16x32x!tt.ptr<f32>>) {
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<512> : tensor<16x32xi32>
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %arg0, %0 : !tt.ptr<i32>, i32
    %2 = tt.load %1 : !tt.ptr<i32>
    %3 = arith.maxsi %2, %c0_i32 : i32
    %4:2 = scf.for %arg3 = %c0_i32 to %3 step %c16_i32 iter_args(%arg4 = %arg1, %arg5 = %arg2) -> (tensor<16x32x!tt.ptr<f32>>, tensor<16x32x!tt.ptr<f32>>)  : i32 {
      %5 = tt.load %arg4 : tensor<16x32x!tt.ptr<f32>>
      %6 = arith.addf %5, %5 : tensor<16x32xf32>
      tt.store %arg5, %6 : tensor<16x32x!tt.ptr<f32>>
      %7 = tt.addptr %arg4, %cst : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
      %8 = tt.addptr %arg5, %cst : tensor<16x32x!tt.ptr<f32>>, tensor<16x32xi32>
      scf.yield %7, %8 : tensor<16x32x!tt.ptr<f32>>, tensor<16x32x!tt.ptr<f32>>
    }
    tt.return
  }
}

