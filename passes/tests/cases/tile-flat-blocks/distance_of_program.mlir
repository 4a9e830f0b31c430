// passes: tile-flat-blocks,cse
// grid: many
// counts: scf.if 0, tt.store 1, tt.expand_dims 0
// How far columns are apart is another number in other programs, which would not agree on who has which elements: nothing changes.
module {
  tt.func public @distance_of_program(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.000000e+00> : tensor<1024xf32>
    %length = arith.constant dense<1536> : tensor<1024xi32>
    %total = arith.constant dense<262144> : tensor<1024xi32>
    %size = arith.constant 1024 : i32
    %id = tt.get_program_id x : i32
    %start = arith.muli %id, %size : i32
    %range = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %starts = tt.splat %start : i32 -> tensor<1024xi32>
    %i = arith.addi %starts, %range : tensor<1024xi32>
    %mask = arith.cmpi slt, %i, %total : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %v = tt.load %xp, %mask, %zero : tensor<1024x!tt.ptr<f32>>
    %y = arith.truncf %v : tensor<1024xf32> to tensor<1024xf16>
    %row = arith.divsi %i, %length : tensor<1024xi32>
    %column = arith.remsi %i, %length : tensor<1024xi32>
    %axis = tt.get_program_id y : i32
    %count = tt.splat %axis : i32 -> tensor<1024xi32>
    %far = arith.muli %column, %count : tensor<1024xi32>
    %at = arith.addi %far, %row : tensor<1024xi32>
    %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %op = tt.addptr %os, %at : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    tt.store %op, %y, %mask : tensor<1024x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @distance_of_program(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32>
    %cst_0 = arith.constant dense<1536> : tensor<1024xi32>
    %cst_1 = arith.constant dense<262144> : tensor<1024xi32>
    %c1024_i32 = arith.constant 1024 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c1024_i32 : i32
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %3 = tt.splat %1 : i32 -> tensor<1024xi32>
    %4 = arith.addi %3, %2 : tensor<1024xi32>
    %5 = arith.cmpi slt, %4, %cst_1 : tensor<1024xi32>
    %6 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %7 = tt.addptr %6, %4 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %8 = tt.load %7, %5, %cst : tensor<1024x!tt.ptr<f32>>
    %9 = arith.truncf %8 : tensor<1024xf32> to tensor<1024xf16>
    %10 = arith.divsi %4, %cst_0 : tensor<1024xi32>
    %11 = arith.remsi %4, %cst_0 : tensor<1024xi32>
    %12 = tt.get_program_id y : i32
    %13 = tt.splat %12 : i32 -> tensor<1024xi32>
    %14 = arith.muli %11, %13 : tensor<1024xi32>
    %15 = arith.addi %14, %10 : tensor<1024xi32>
    %16 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %17 = tt.addptr %16, %15 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    tt.store %17, %9, %5 : tensor<1024x!tt.ptr<f16>>
    tt.return
  }
}

