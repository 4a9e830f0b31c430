// passes: drop-idle-warps
// grid: eight
// A state of 256 numbers that a row and a column change in each step is in two warps, four numbers to a thread.
module {
  tt.func public @rows(%x: tensor<16x!tt.ptr<f32>>, %b: tensor<16x!tt.ptr<f32>>, %y: tensor<16x!tt.ptr<f32>>, %steps: i32) {
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
    %end = scf.for %t = %first to %steps step %one iter_args(%h = %zeros) -> (tensor<16x16xf32>) : i32 {
      %xs = tt.load %x : tensor<16x!tt.ptr<f32>>
      %bs = tt.load %b : tensor<16x!tt.ptr<f32>>
      %column = tt.expand_dims %xs {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %row = tt.expand_dims %bs {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
      %columns = tt.broadcast %column : tensor<16x1xf32> -> tensor<16x16xf32>
      %rows = tt.broadcast %row : tensor<1x16xf32> -> tensor<16x16xf32>
      %product = arith.mulf %columns, %rows : tensor<16x16xf32>
      %next = arith.addf %h, %product : tensor<16x16xf32>
      %sum = "tt.reduce"(%next) <{axis = 1 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      tt.store %y, %sum : tensor<16x!tt.ptr<f32>>
      scf.yield %next : tensor<16x16xf32>
    }
    tt.return
  }
}
// ----- expect
module attributes {tk.warps_with_work = 2 : i32} {
  tt.func public @rows(%arg0: tensor<16x!tt.ptr<f32>>, %arg1: tensor<16x!tt.ptr<f32>>, %arg2: tensor<16x!tt.ptr<f32>>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %1 = tt.load %arg0 : tensor<16x!tt.ptr<f32>>
      %2 = tt.load %arg1 : tensor<16x!tt.ptr<f32>>
      %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xf32> -> tensor<16x1xf32>
      %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
      %5 = tt.broadcast %3 : tensor<16x1xf32> -> tensor<16x16xf32>
      %6 = tt.broadcast %4 : tensor<1x16xf32> -> tensor<16x16xf32>
      %7 = arith.mulf %5, %6 : tensor<16x16xf32>
      %8 = arith.addf %arg5, %7 : tensor<16x16xf32>
      %9 = "tt.reduce"(%8) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %10 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %10 : f32
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      tt.store %arg2, %9 : tensor<16x!tt.ptr<f32>>
      scf.yield %8 : tensor<16x16xf32>
    }
    tt.return
  }
}

