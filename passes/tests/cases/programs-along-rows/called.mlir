// passes: programs-along-rows,drop-idle-warps,cse
// grid: many
// counts: tt.get_num_programs 0, arith.remui 0
// Another function asks for the number of its program, too, and has to get the same one.
module {
  tt.func public @columns(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %step = arith.constant 32768 : i32
    %width = arith.constant 4 : i32
    %pitch = arith.constant dense<1024> : tensor<32x1xi32>
    %far = tt.get_program_id x : i32
    %beside = tt.get_program_id y : i32
    %first_row = arith.muli %far, %step : i32
    %first = arith.muli %beside, %width : i32
    %place = arith.addi %first_row, %first : i32
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %r3 = arith.muli %r2, %pitch : tensor<32x1xi32>
    %c = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %rb = tt.broadcast %r3 : tensor<32x1xi32> -> tensor<32x4xi32>
    %cb = tt.broadcast %c2 : tensor<1x4xi32> -> tensor<32x4xi32>
    %o = arith.addi %rb, %cb : tensor<32x4xi32>
    %ps = tt.splat %place : i32 -> tensor<32x4xi32>
    %all = arith.addi %o, %ps : tensor<32x4xi32>
    %from = tt.splat %p : !tt.ptr<f32> -> tensor<32x4x!tt.ptr<f32>>
    %from2 = tt.addptr %from, %all : tensor<32x4x!tt.ptr<f32>>, tensor<32x4xi32>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<32x4x!tt.ptr<f32>>
    %to2 = tt.addptr %to, %all : tensor<32x4x!tt.ptr<f32>>, tensor<32x4xi32>
    %x = tt.load %from2 : tensor<32x4x!tt.ptr<f32>>
    %y = arith.addf %x, %x : tensor<32x4xf32>
    tt.store %to2, %y : tensor<32x4x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @called() -> i32 attributes {noinline = true} {
    %id = tt.get_program_id y : i32
    tt.return %id : i32
  }
}
// ----- expect
module {
  tt.func public @columns(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %c32768_i32 = arith.constant 32768 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<1024> : tensor<32x1xi32>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %0, %c32768_i32 : i32
    %3 = arith.muli %1, %c4_i32 : i32
    %4 = arith.addi %2, %3 : i32
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %7 = arith.muli %6, %cst : tensor<32x1xi32>
    %8 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %9 = tt.expand_dims %8 {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %10 = tt.broadcast %7 : tensor<32x1xi32> -> tensor<32x4xi32>
    %11 = tt.broadcast %9 : tensor<1x4xi32> -> tensor<32x4xi32>
    %12 = arith.addi %10, %11 : tensor<32x4xi32>
    %13 = tt.splat %4 : i32 -> tensor<32x4xi32>
    %14 = arith.addi %12, %13 : tensor<32x4xi32>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x4x!tt.ptr<f32>>
    %16 = tt.addptr %15, %14 : tensor<32x4x!tt.ptr<f32>>, tensor<32x4xi32>
    %17 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x4x!tt.ptr<f32>>
    %18 = tt.addptr %17, %14 : tensor<32x4x!tt.ptr<f32>>, tensor<32x4xi32>
    %19 = tt.load %16 : tensor<32x4x!tt.ptr<f32>>
    %20 = arith.addf %19, %19 : tensor<32x4xf32>
    tt.store %18, %20 : tensor<32x4x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @called() -> i32 attributes {noinline = true} {
    %0 = tt.get_program_id y : i32
    tt.return %0 : i32
  }
}

