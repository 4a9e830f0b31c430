// passes: programs-along-rows,cse
// grid: many
// counts: tt.get_num_programs 3, arith.remui 2, arith.divui 2
// The third axis of the grid becomes the fastest one, and the first one the slowest.
module {
  tt.func public @third_axis(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %step = arith.constant 8192 : i32
    %width = arith.constant 4 : i32
    %pitch = arith.constant dense<1024> : tensor<8x1xi32>
    %far = tt.get_program_id y : i32
    %beside = tt.get_program_id z : i32
    %deep = arith.constant 1048576 : i32
    %head = tt.get_program_id x : i32
    %head_place = arith.muli %head, %deep : i32
    %row_place = arith.muli %far, %step : i32
    %first_row = arith.addi %head_place, %row_place : i32
    %first = arith.muli %beside, %width : i32
    %place = arith.addi %first_row, %first : i32
    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %r3 = arith.muli %r2, %pitch : tensor<8x1xi32>
    %c = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %rb = tt.broadcast %r3 : tensor<8x1xi32> -> tensor<8x4xi32>
    %cb = tt.broadcast %c2 : tensor<1x4xi32> -> tensor<8x4xi32>
    %o = arith.addi %rb, %cb : tensor<8x4xi32>
    %ps = tt.splat %place : i32 -> tensor<8x4xi32>
    %all = arith.addi %o, %ps : tensor<8x4xi32>
    %from = tt.splat %p : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
    %from2 = tt.addptr %from, %all : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
    %to2 = tt.addptr %to, %all : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %x = tt.load %from2 : tensor<8x4x!tt.ptr<f32>>
    %y = arith.addf %x, %x : tensor<8x4xf32>
    tt.store %to2, %y : tensor<8x4x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module attributes {tk.programs_along_rows} {
  tt.func public @third_axis(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = tt.get_program_id z : i32
    %3 = tt.get_num_programs x : i32
    %4 = tt.get_num_programs y : i32
    %5 = tt.get_num_programs z : i32
    %c1_i64 = arith.constant 1 : i64
    %6 = arith.extui %3 : i32 to i64
    %7 = arith.muli %c1_i64, %6 : i64
    %8 = arith.extui %4 : i32 to i64
    %9 = arith.muli %7, %8 : i64
    %10 = arith.extui %5 : i32 to i64
    %11 = arith.muli %9, %10 : i64
    %c2147483648_i64 = arith.constant 2147483648 : i64
    %12 = arith.cmpi ult, %11, %c2147483648_i64 : i64
    %13 = arith.muli %2, %4 : i32
    %14 = arith.addi %13, %1 : i32
    %15 = arith.muli %14, %3 : i32
    %16 = arith.addi %15, %0 : i32
    %17 = arith.remui %16, %5 : i32
    %18 = arith.divui %16, %5 : i32
    %19 = arith.remui %18, %4 : i32
    %20 = arith.divui %18, %4 : i32
    %21 = arith.select %12, %20, %0 : i32
    %22 = arith.select %12, %19, %1 : i32
    %23 = arith.select %12, %17, %2 : i32
    %c8192_i32 = arith.constant 8192 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<1024> : tensor<8x1xi32>
    %c1048576_i32 = arith.constant 1048576 : i32
    %24 = arith.muli %21, %c1048576_i32 : i32
    %25 = arith.muli %22, %c8192_i32 : i32
    %26 = arith.addi %24, %25 : i32
    %27 = arith.muli %23, %c4_i32 : i32
    %28 = arith.addi %26, %27 : i32
    %29 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %30 = tt.expand_dims %29 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %31 = arith.muli %30, %cst : tensor<8x1xi32>
    %32 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %33 = tt.expand_dims %32 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %34 = tt.broadcast %31 : tensor<8x1xi32> -> tensor<8x4xi32>
    %35 = tt.broadcast %33 : tensor<1x4xi32> -> tensor<8x4xi32>
    %36 = arith.addi %34, %35 : tensor<8x4xi32>
    %37 = tt.splat %28 : i32 -> tensor<8x4xi32>
    %38 = arith.addi %36, %37 : tensor<8x4xi32>
    %39 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
    %40 = tt.addptr %39, %38 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %41 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
    %42 = tt.addptr %41, %38 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %43 = tt.load %40 : tensor<8x4x!tt.ptr<f32>>
    %44 = arith.addf %43, %43 : tensor<8x4xf32>
    tt.store %42, %44 : tensor<8x4x!tt.ptr<f32>>
    tt.return
  }
}

