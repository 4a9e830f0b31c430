// passes: join-programs
// grid: many
// counts: scf.for 1, scf.if 0
// What an iteration stores the next one may load.
module {
  tt.func public @stores_in_loop(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %length: i32, %stride: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %id = tt.get_program_id x : i32
    %strides = tt.splat %stride : i32 -> tensor<64xi32>
    %rows = arith.muli %range, %strides : tensor<64xi32>
    %xi = tt.addptr %x, %id : !tt.ptr<f32>, i32
    %xs = tt.splat %xi : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %yi = tt.addptr %y, %id : !tt.ptr<f32>, i32
    %ys = tt.splat %yi : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    scf.for %i = %c0 to %length step %c1 : i32 {
      %v = tt.load %xp : tensor<64x!tt.ptr<f32>>
      tt.store %yp, %v : tensor<64x!tt.ptr<f32>>
    }
    tt.return
  }
}
// ----- expect
module {
  tt.func public @stores_in_loop(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.get_program_id x : i32
    %2 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %3 = arith.muli %0, %2 : tensor<64xi32>
    %4 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
    %5 = tt.splat %4 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %6 = tt.addptr %5, %3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %7 = tt.addptr %arg1, %1 : !tt.ptr<f32>, i32
    %8 = tt.splat %7 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %9 = tt.addptr %8, %3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %10 = tt.load %6 : tensor<64x!tt.ptr<f32>>
      tt.store %9, %10 : tensor<64x!tt.ptr<f32>>
    }
    tt.return
  }
}

