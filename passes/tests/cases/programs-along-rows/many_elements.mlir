// passes: programs-along-rows,drop-idle-warps,cse
// grid: many
// counts: tt.get_num_programs 2, arith.remui 1, arith.divui 1
// A block of 256 elements keeps its warps.
module {
  tt.func public @many_elements(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %step = arith.constant 65536 : i32
    %width = arith.constant 4 : i32
    %pitch = arith.constant dense<1024> : tensor<64x1xi32>
    %far = tt.get_program_id x : i32
    %beside = tt.get_program_id y : i32
    %first_row = arith.muli %far, %step : i32
    %first = arith.muli %beside, %width : i32
    %place = arith.addi %first_row, %first : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %r3 = arith.muli %r2, %pitch : tensor<64x1xi32>
    %c = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %rb = tt.broadcast %r3 : tensor<64x1xi32> -> tensor<64x4xi32>
    %cb = tt.broadcast %c2 : tensor<1x4xi32> -> tensor<64x4xi32>
    %o = arith.addi %rb, %cb : tensor<64x4xi32>
    %ps = tt.splat %place : i32 -> tensor<64x4xi32>
    %all = arith.addi %o, %ps : tensor<64x4xi32>
    %from = tt.splat %p : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %from2 = tt.addptr %from, %all : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %to2 = tt.addptr %to, %all : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    %x = tt.load %from2 : tensor<64x4x!tt.ptr<f32>>
    %y = arith.addf %x, %x : tensor<64x4xf32>
    tt.store %to2, %y : tensor<64x4x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @many_elements(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = tt.get_num_programs x : i32
    %3 = tt.get_num_programs y : i32
    %c1_i64 = arith.constant 1 : i64
    %4 = arith.extui %2 : i32 to i64
    %5 = arith.muli %c1_i64, %4 : i64
    %6 = arith.extui %3 : i32 to i64
    %7 = arith.muli %5, %6 : i64
    %c2147483648_i64 = arith.constant 2147483648 : i64
    %8 = arith.cmpi ult, %7, %c2147483648_i64 : i64
    %9 = arith.muli %1, %2 : i32
    %10 = arith.addi %9, %0 : i32
    %11 = arith.remui %10, %3 : i32
    %12 = arith.divui %10, %3 : i32
    %13 = arith.select %8, %12, %0 : i32
    %14 = arith.select %8, %11, %1 : i32
    %c65536_i32 = arith.constant 65536 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<1024> : tensor<64x1xi32>
    %15 = arith.muli %13, %c65536_i32 : i32
    %16 = arith.muli %14, %c4_i32 : i32
    %17 = arith.addi %15, %16 : i32
    %18 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %19 = tt.expand_dims %18 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %20 = arith.muli %19, %cst : tensor<64x1xi32>
    %21 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %22 = tt.expand_dims %21 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %23 = tt.broadcast %20 : tensor<64x1xi32> -> tensor<64x4xi32>
    %24 = tt.broadcast %22 : tensor<1x4xi32> -> tensor<64x4xi32>
    %25 = arith.addi %23, %24 : tensor<64x4xi32>
    %26 = tt.splat %17 : i32 -> tensor<64x4xi32>
    %27 = arith.addi %25, %26 : tensor<64x4xi32>
    %28 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %29 = tt.addptr %28, %27 : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    %30 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %31 = tt.addptr %30, %27 : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    %32 = tt.load %29 : tensor<64x4x!tt.ptr<f32>>
    %33 = arith.addf %32, %32 : tensor<64x4xf32>
    tt.store %31, %33 : tensor<64x4x!tt.ptr<f32>>
    tt.return
  }
}

