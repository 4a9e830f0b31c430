// passes: share-blocks,cse
// grid: many
// counts: tt.get_num_programs 2, arith.remui 1, arith.divui 1
// Programs with the same rows of a matrix run one after the other, if all rows are more than all vectors.
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
    %of_program = tt.addptr %w, %from : !tt.ptr<f32>, i32
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
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = tt.get_num_programs x : i32
    %3 = tt.get_num_programs y : i32
    %c128_i64 = arith.constant 128 : i64
    %4 = arith.extui %2 : i32 to i64
    %5 = arith.muli %4, %c128_i64 : i64
    %c64_i64 = arith.constant 64 : i64
    %6 = arith.extui %3 : i32 to i64
    %7 = arith.muli %6, %c64_i64 : i64
    %8 = arith.cmpi ugt, %5, %7 : i64
    %c1_i32 = arith.constant 1 : i32
    %9 = arith.cmpi ugt, %3, %c1_i32 : i32
    %10 = arith.andi %8, %9 : i1
    %c1_i64 = arith.constant 1 : i64
    %11 = arith.muli %c1_i64, %4 : i64
    %12 = arith.muli %11, %6 : i64
    %c2147483648_i64 = arith.constant 2147483648 : i64
    %13 = arith.cmpi ult, %12, %c2147483648_i64 : i64
    %14 = arith.andi %13, %10 : i1
    %15:2 = scf.if %14 -> (i32, i32) {
      %38 = arith.muli %1, %2 : i32
      %39 = arith.addi %38, %0 : i32
      %40 = arith.remui %39, %3 : i32
      %41 = arith.divui %39, %3 : i32
      scf.yield %41, %40 : i32, i32
    } else {
      scf.yield %0, %1 : i32, i32
    }
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<2x16xf32>
    %16 = arith.muli %15#0, %c2_i32 : i32
    %17 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %18 = tt.splat %16 : i32 -> tensor<2xi32>
    %19 = arith.addi %18, %17 : tensor<2xi32>
    %20 = tt.expand_dims %19 {axis = 1 : i32} : tensor<2xi32> -> tensor<2x1xi32>
    %21 = tt.splat %arg3 : i32 -> tensor<2x1xi32>
    %22 = arith.muli %20, %21 : tensor<2x1xi32>
    %23 = tt.addptr %arg1, %c0_i32 : !tt.ptr<f32>, i32
    %24 = tt.splat %23 : !tt.ptr<f32> -> tensor<2x1x!tt.ptr<f32>>
    %25 = tt.addptr %24, %22 : tensor<2x1x!tt.ptr<f32>>, tensor<2x1xi32>
    %26 = tt.broadcast %25 : tensor<2x1x!tt.ptr<f32>> -> tensor<2x16x!tt.ptr<f32>>
    %27 = arith.muli %15#1, %arg3 : i32
    %28 = tt.addptr %arg0, %27 : !tt.ptr<f32>, i32
    %29 = tt.splat %28 : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>>
    %30 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %32 = scf.for %arg5 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg6 = %cst) -> (tensor<2x16xf32>)  : i32 {
      %38 = tt.splat %arg5 : i32 -> tensor<1x16xi32>
      %39 = arith.addi %38, %31 : tensor<1x16xi32>
      %40 = tt.addptr %29, %39 : tensor<1x16x!tt.ptr<f32>>, tensor<1x16xi32>
      %41 = tt.load %40 : tensor<1x16x!tt.ptr<f32>>
      %42 = tt.broadcast %41 : tensor<1x16xf32> -> tensor<2x16xf32>
      %43 = tt.broadcast %39 : tensor<1x16xi32> -> tensor<2x16xi32>
      %44 = tt.addptr %26, %43 : tensor<2x16x!tt.ptr<f32>>, tensor<2x16xi32>
      %45 = tt.load %44 : tensor<2x16x!tt.ptr<f32>>
      %46 = arith.mulf %45, %42 : tensor<2x16xf32>
      %47 = arith.addf %arg6, %46 : tensor<2x16xf32>
      scf.yield %47 : tensor<2x16xf32>
    }
    %33 = "tt.reduce"(%32) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %38 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %38 : f32
    }) : (tensor<2x16xf32>) -> tensor<2xf32>
    %34 = arith.muli %15#1, %arg4 : i32
    %35 = tt.addptr %arg2, %34 : !tt.ptr<f32>, i32
    %36 = tt.splat %35 : !tt.ptr<f32> -> tensor<2x!tt.ptr<f32>>
    %37 = tt.addptr %36, %19 : tensor<2x!tt.ptr<f32>>, tensor<2xi32>
    tt.store %37, %33 : tensor<2x!tt.ptr<f32>>
    tt.return
  }
}

