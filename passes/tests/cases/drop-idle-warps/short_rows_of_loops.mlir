// passes: drop-idle-warps
// warps: 8
// grid: many
// Rows that a loop loads have all warps.
module {
  tt.func public @rows(%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: tensor<4x!tt.ptr<f32>>, %n: i32) {
    %rows = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %columns = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %size = arith.constant dense<128> : tensor<4x1xi32>
    %rs = arith.muli %r, %size : tensor<4x1xi32>
    %first = arith.constant dense<0> : tensor<1x128xi32>
    %cs = arith.addi %c, %first : tensor<1x128xi32>
    %rb = tt.broadcast %rs : tensor<4x1xi32> -> tensor<4x128xi32>
    %cb = tt.broadcast %cs : tensor<1x128xi32> -> tensor<4x128xi32>
    %at = arith.addi %rb, %cb : tensor<4x128xi32>
    %start = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %p = tt.addptr %start, %at : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %step = arith.constant dense<128> : tensor<4x128xi32>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%here = %p, %acc = %zero) -> (tensor<4x128x!tt.ptr<f32>>, tensor<4xf32>) : i32 {
      %x = tt.load %here : tensor<4x128x!tt.ptr<f32>>
      %most = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %m = arith.maxnumf %a, %b : f32
        tt.reduce.return %m : f32
      }) : (tensor<4x128xf32>) -> tensor<4xf32>
      %next = arith.addf %acc, %most : tensor<4xf32>
      %behind = tt.addptr %here, %step : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
      scf.yield %behind, %next : tensor<4x128x!tt.ptr<f32>>, tensor<4xf32>
    }
    tt.store %out, %sum#1 : tensor<4x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module attributes {tk.warps_with_work = 2 : i32} {
  tt.func public @rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<4x!tt.ptr<f32>>, %arg2: i32) {
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %3 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %cst = arith.constant dense<128> : tensor<4x1xi32>
    %4 = arith.muli %2, %cst : tensor<4x1xi32>
    %cst_0 = arith.constant dense<0> : tensor<1x128xi32>
    %5 = arith.addi %3, %cst_0 : tensor<1x128xi32>
    %6 = tt.broadcast %4 : tensor<4x1xi32> -> tensor<4x128xi32>
    %7 = tt.broadcast %5 : tensor<1x128xi32> -> tensor<4x128xi32>
    %8 = arith.addi %6, %7 : tensor<4x128xi32>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x128x!tt.ptr<f32>>
    %10 = tt.addptr %9, %8 : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_1 = arith.constant dense<128> : tensor<4x128xi32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<4xf32>
    %11:2 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %10, %arg5 = %cst_2) -> (tensor<4x128x!tt.ptr<f32>>, tensor<4xf32>)  : i32 {
      %12 = tt.load %arg4 : tensor<4x128x!tt.ptr<f32>>
      %13 = "tt.reduce"(%12) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %16 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %16 : f32
      }) : (tensor<4x128xf32>) -> tensor<4xf32>
      %14 = arith.addf %arg5, %13 : tensor<4xf32>
      %15 = tt.addptr %arg4, %cst_1 : tensor<4x128x!tt.ptr<f32>>, tensor<4x128xi32>
      scf.yield %15, %14 : tensor<4x128x!tt.ptr<f32>>, tensor<4xf32>
    }
    tt.store %arg1, %11#1 : tensor<4x!tt.ptr<f32>>
    tt.return
  }
}

