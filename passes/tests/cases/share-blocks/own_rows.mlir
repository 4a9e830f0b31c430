// passes: share-blocks,cse
// grid: many
// counts: tt.get_num_programs 0, arith.remui 0
// Each program has rows of its own: the order stays.
module {
  tt.func public @vectors(%x: !tt.ptr<f32>, %w: !tt.ptr<f32>, %out: !tt.ptr<f32>, %inputs: i32, %outputs: i32) {
    %from = arith.constant 0 : i32
    %step = arith.constant 16 : i32
    %two = arith.constant 2 : i32
    %none = arith.constant dense<0.000000e+00> : tensor<2x16xf32>
    %n = tt.get_program_id x : i32
    %vector = tt.get_program_id y : i32
    %first = arith.muli %n, %two : i32
    %range = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %firsts = tt.splat %first : i32 -> tensor<2xi32>
    %rows = arith.addi %firsts, %range : tensor<2xi32>
    %rows2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %pitch = tt.splat %inputs : i32 -> tensor<2x1xi32>
    %places = arith.muli %rows2, %pitch : tensor<2x1xi32>
    %own = arith.muli %vector, %outputs : i32
    %of_program = tt.addptr %w, %own : !tt.ptr<f32>, i32
    %ws = tt.splat %of_program : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
    %w_rows = tt.addptr %ws, %places : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
    %w_all = tt.broadcast %w_rows : tensor<2x1x!tt.ptr<f32>> -> tensor<2x16x!tt.ptr<f32>>
    %place = arith.muli %vector, %inputs : i32
    %x_row = tt.addptr %x, %place : !tt.ptr<f32>, i32
    %xs = tt.splat %x_row : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
    %k = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %k2 = tt.expand_dims %k {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %sums = scf.for %begin = %from to %inputs step %step iter_args(%sum = %none) -> (tensor<2x16xf32>) : i32 {
      %begins = tt.splat %begin : i32 -> tensor<1x16xi32>
      %columns = arith.addi %begins, %k2 : tensor<1x16xi32>
      %x_at = tt.addptr %xs, %columns : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
      %x_here = tt.load %x_at : tensor<1x16x!tt.ptr<f32>>
      %x_all = tt.broadcast %x_here : tensor<1x16xf32> -> tensor<2x16xf32>
      %all = tt.broadcast %columns : tensor<1x16xi32> -> tensor<2x16xi32>
      %w_at = tt.addptr %w_all, %all : tensor<2x16x!tt.ptr<f32>>, tensor<2x16xi32>
      %w_here = tt.load %w_at : tensor<2x16x!tt.ptr<f32>>
      %product = arith.mulf %w_here, %x_all : tensor<2x16xf32>
      %next = arith.addf %sum, %product : tensor<2x16xf32>
      scf.yield %next : tensor<2x16xf32>
    }
    %result = "tt.reduce"(%sums) <{axis = 1 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %added = arith.addf %left, %right : f32
      tt.reduce.return %added : f32
    }) : (tensor<2x16xf32>) -> tensor<2xf32>
    %row = arith.muli %vector, %outputs : i32
    %out_row = tt.addptr %out, %row : !tt.ptr<f32>, i32
    %outs = tt.splat %out_row : !tt.ptr<f32> -> tensor<2x!tt.ptr<f32>>
    %out_at = tt.addptr %outs, %rows : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
    tt.store %out_at, %result : tensor<2x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @vectors(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<2x16xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %0, %c2_i32 : i32
    %3 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %4 = tt.splat %2 : i32 -> tensor<2xi32>
    %5 = arith.addi %4, %3 : tensor<2xi32>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %7 = tt.splat %arg3 : i32 -> tensor<2x1xi32>
    %8 = arith.muli %6, %7 : tensor<2x1xi32>
    %9 = arith.muli %1, %arg4 : i32
    %10 = tt.addptr %arg1, %9 : !tt.ptr<f32>, i32
    %11 = tt.splat %10 : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
    %12 = tt.addptr %11, %8 : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
    %13 = tt.broadcast %12 : tensor<2x1x!tt.ptr<f32>> -> tensor<2x16x!tt.ptr<f32>>
    %14 = arith.muli %1, %arg3 : i32
    %15 = tt.addptr %arg0, %14 : !tt.ptr<f32>, i32
    %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
    %17 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %19 = scf.for %arg5 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg6 = %cst) -> (tensor<2x16xf32>)  : i32 {
      %24 = tt.splat %arg5 : i32 -> tensor<1x16xi32>
      %25 = arith.addi %24, %18 : tensor<1x16xi32>
      %26 = tt.addptr %16, %25 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
      %27 = tt.load %26 : tensor<1x16x!tt.ptr<f32>>
      %28 = tt.broadcast %27 : tensor<1x16xf32> -> tensor<2x16xf32>
      %29 = tt.broadcast %25 : tensor<1x16xi32> -> tensor<2x16xi32>
      %30 = tt.addptr %13, %29 : tensor<2x16x!tt.ptr<f32>>, tensor<2x16xi32>
      %31 = tt.load %30 : tensor<2x16x!tt.ptr<f32>>
      %32 = arith.mulf %31, %28 : tensor<2x16xf32>
      %33 = arith.addf %arg6, %32 : tensor<2x16xf32>
      scf.yield %33 : tensor<2x16xf32>
    }
    %20 = "tt.reduce"(%19) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %24 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %24 : f32
    }) : (tensor<2x16xf32>) -> tensor<2xf32>
    %21 = tt.addptr %arg2, %9 : !tt.ptr<f32>, i32
    %22 = tt.splat %21 : !tt.ptr<f32> -> tensor<2x!tt.ptr<f32>>
    %23 = tt.addptr %22, %5 : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
    tt.store %23, %20 : tensor<2x!tt.ptr<f32>>
    tt.return
  }
}

