// passes: programs-along-rows,cse
// grid: many
// counts: tt.get_num_programs 0, arith.remui 0
// Programs that share lines run one after the other as it is.
module {
  tt.func public @along_x(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %step = arith.constant 8192 : i32
    %width = arith.constant 4 : i32
    %pitch = arith.constant dense<1024> : tensor<8x1xi32>
    %far = tt.get_program_id y : i32
    %beside = tt.get_program_id x : i32
    %first_row = arith.muli %far, %step : i32
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
module {
  tt.func public @along_x(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %c8192_i32 = arith.constant 8192 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<1024> : tensor<8x1xi32>
    %0 = tt.get_program_id y : i32
    %1 = tt.get_program_id x : i32
    %2 = arith.muli %0, %c8192_i32 : i32
    %3 = arith.muli %1, %c4_i32 : i32
    %4 = arith.addi %2, %3 : i32
    %5 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %7 = arith.muli %6, %cst : tensor<8x1xi32>
    %8 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %9 = tt.expand_dims %8 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %10 = tt.broadcast %7 : tensor<8x1xi32> -> tensor<8x4xi32>
    %11 = tt.broadcast %9 : tensor<1x4xi32> -> tensor<8x4xi32>
    %12 = arith.addi %10, %11 : tensor<8x4xi32>
    %13 = tt.splat %4 : i32 -> tensor<8x4xi32>
    %14 = arith.addi %12, %13 : tensor<8x4xi32>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
    %16 = tt.addptr %15, %14 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %17 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
    %18 = tt.addptr %17, %14 : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
    %19 = tt.load %16 : tensor<8x4x!tt.ptr<f32>>
    %20 = arith.addf %19, %19 : tensor<8x4xf32>
    tt.store %18, %20 : tensor<8x4x!tt.ptr<f32>>
    tt.return
  }
}

