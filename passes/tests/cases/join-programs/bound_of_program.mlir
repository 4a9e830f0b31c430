// passes: join-programs
// grid: many
// counts: scf.for 1, scf.if 0
// Each program has its own number of iterations.
module {
  tt.func public @bound_of_program(%w: !tt.ptr<f32>, %y: !tt.ptr<f32>, %stride: i32) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %id = tt.get_program_id x : i32
    %strides = tt.splat %stride : i32 -> tensor<64xi32>
    %wi = tt.addptr %w, %id : !tt.ptr<f32>, i32
    %ws = tt.splat %wi : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %yi = tt.addptr %y, %id : !tt.ptr<f32>, i32
    %ys = tt.splat %yi : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %sum = scf.for %i = %c0 to %id step %c64 iter_args(%a = %zero) -> (tensor<64xf32>) : i32 {
      %at = tt.splat %i : i32 -> tensor<64xi32>
      %k = arith.addi %at, %range : tensor<64xi32>
      %rows = arith.muli %k, %strides : tensor<64xi32>
      %wp = tt.addptr %ws, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %v = tt.load %wp : tensor<64x!tt.ptr<f32>>
      %next = arith.addf %a, %v : tensor<64xf32>
      scf.yield %next : tensor<64xf32>
    }
    %rows0 = arith.muli %range, %strides : tensor<64xi32>
    %yp = tt.addptr %ys, %rows0 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %yp, %sum : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @bound_of_program(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.get_program_id x : i32
    %2 = tt.splat %arg2 : i32 -> tensor<64xi32>
    %3 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
    %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %5 = tt.addptr %arg1, %1 : !tt.ptr<f32>, i32
    %6 = tt.splat %5 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %7 = scf.for %arg3 = %c0_i32 to %1 step %c64_i32 iter_args(%arg4 = %cst) -> (tensor<64xf32>)  : i32 {
      %10 = tt.splat %arg3 : i32 -> tensor<64xi32>
      %11 = arith.addi %10, %0 : tensor<64xi32>
      %12 = arith.muli %11, %2 : tensor<64xi32>
      %13 = tt.addptr %4, %12 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %14 = tt.load %13 : tensor<64x!tt.ptr<f32>>
      %15 = arith.addf %arg4, %14 : tensor<64xf32>
      scf.yield %15 : tensor<64xf32>
    }
    %8 = arith.muli %0, %2 : tensor<64xi32>
    %9 = tt.addptr %6, %8 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %9, %7 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}

