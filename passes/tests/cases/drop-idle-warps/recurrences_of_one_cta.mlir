// passes: drop-idle-warps
// grid: few
// A CTA that has the multiprocessor alone keeps its four warps.
module {
  tt.func public @alone(%x: tensor<16x16x!tt.ptr<f32>>, %c: tensor<16x!tt.ptr<f32>>, %y: tensor<16x!tt.ptr<f32>>, %steps: i32) {
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %last = scf.for %t = %first to %steps step %one iter_args(%state = %zero) -> (tensor<16x16xf32>) : i32 {
      %offsets = tt.splat %t : i32 -> tensor<16x16xi32>
      %here = tt.addptr %x, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %block = tt.load %here : tensor<16x16x!tt.ptr<f32>>
      %next = arith.addf %state, %block : tensor<16x16xf32>
      %row = tt.load %c : tensor<16x!tt.ptr<f32>>
      %line = tt.expand_dims %row {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
      %lines = tt.broadcast %line : tensor<1x16xf32> -> tensor<16x16xf32>
      %products = arith.mulf %next, %lines : tensor<16x16xf32>
      %sums = "tt.reduce"(%products) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %sum = arith.addf %a, %b : f32
        tt.reduce.return %sum : f32
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %gate = math.exp %sums : tensor<16xf32>
      tt.store %y, %gate : tensor<16x!tt.ptr<f32>>
      scf.yield %next : tensor<16x16xf32>
    }
    tt.return
  }
}
// ----- expect
module {
  tt.func public @alone(%arg0: tensor<16x16x!tt.ptr<f32>>, %arg1: tensor<16x!tt.ptr<f32>>, %arg2: tensor<16x!tt.ptr<f32>>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %1 = tt.splat %arg4 : i32 -> tensor<16x16xi32>
      %2 = tt.addptr %arg0, %1 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
      %3 = tt.load %2 : tensor<16x16x!tt.ptr<f32>>
      %4 = arith.addf %arg5, %3 : tensor<16x16xf32>
      %5 = tt.load %arg1 : tensor<16x!tt.ptr<f32>>
      %6 = tt.expand_dims %5 {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
      %7 = tt.broadcast %6 : tensor<1x16xf32> -> tensor<16x16xf32>
      %8 = arith.mulf %4, %7 : tensor<16x16xf32>
      %9 = "tt.reduce"(%8) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %11 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %11 : f32
      }) : (tensor<16x16xf32>) -> tensor<16xf32>
      %10 = math.exp %9 : tensor<16xf32>
      tt.store %arg2, %10 : tensor<16x!tt.ptr<f32>>
      scf.yield %4 : tensor<16x16xf32>
    }
    tt.return
  }
}

