// passes: tile-flat-blocks,cse
// grid: many
// counts: scf.if 0, tt.store 2, tt.expand_dims 0
// A program may read what another one has written through the same parameter: nothing changes.
module {
  tt.func public @in_place(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %length = arith.constant dense<1536> : tensor<1024xi32>
    %count = arith.constant dense<4096> : tensor<1024xi32>
    %size = arith.constant 1024 : i32
    %id = tt.get_program_id x : i32
    %start = arith.muli %id, %size : i32
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %starts = tt.splat %start : i32 -> tensor<1024xi32>
    %i = arith.addi %starts, %range : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %xp : tensor<1024x!tt.ptr<f32>>
    %y = arith.mulf %v, %v : tensor<1024xf32>
    tt.store %xp, %y : tensor<1024x!tt.ptr<f32>>
    %row = arith.divsi %i, %length : tensor<1024xi32>
    %column = arith.remsi %i, %length : tensor<1024xi32>
    %far = arith.muli %column, %count : tensor<1024xi32>
    %at = arith.addi %far, %row : tensor<1024xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %op = tt.addptr %os, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    tt.store %op, %y : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @in_place(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<1536> : tensor<1024xi32>
    %cst_0 = arith.constant dense<4096> : tensor<1024xi32>
    %c1024_i32 = arith.constant 1024 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c1024_i32 : i32
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %3 = tt.splat %1 : i32 -> tensor<1024xi32>
    %4 = arith.addi %3, %2 : tensor<1024xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %7 = tt.load %6 : tensor<1024x!tt.ptr<f32>>
    %8 = arith.mulf %7, %7 : tensor<1024xf32>
    tt.store %6, %8 : tensor<1024x!tt.ptr<f32>>
    %9 = arith.divsi %4, %cst : tensor<1024xi32>
    %10 = arith.remsi %4, %cst : tensor<1024xi32>
    %11 = arith.muli %10, %cst_0 : tensor<1024xi32>
    %12 = arith.addi %11, %9 : tensor<1024xi32>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %14 = tt.addptr %13, %12 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    tt.store %14, %8 : tensor<1024x!tt.ptr<f32>>
    tt.return
  }
}

