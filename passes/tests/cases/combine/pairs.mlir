// passes: combine
module {
  tt.func public @pairs(%p: tensor<16x!tt.ptr<f32>>, %i: tensor<16xi32>, %j: tensor<16xi32>, %l: tensor<16xi64>, %m: tensor<16xi1>, %x: tensor<16xf32>) -> (tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>, tensor<16xf32>) {
    %narrow = tt.addptr %p, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %narrow2 = tt.addptr %narrow, %j : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %wide = tt.addptr %p, %l : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %wide2 = tt.addptr %wide, %l : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %loaded = tt.load %p, %m : tensor<16x!tt.ptr<f32>>
    %chosen = arith.select %m, %loaded, %x : tensor<16xi1>, tensor<16xf32>
    tt.return %narrow2, %wide2, %chosen : tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>, tensor<16xf32>
  }
  tt.func public @accumulate(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %x: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %dot = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %late = arith.mulf %x, %x : tensor<16x16xf32>
    %sum = arith.addf %dot, %late : tensor<16x16xf32>
    tt.return %sum : tensor<16x16xf32>
  }
}
// ----- expect
module {
  tt.func public @pairs(%arg0: tensor<16x!tt.ptr<f32>>, %arg1: tensor<16xi32>, %arg2: tensor<16xi32>, %arg3: tensor<16xi64>, %arg4: tensor<16xi1>, %arg5: tensor<16xf32>) -> (tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>, tensor<16xf32>) {
    %0 = tt.addptr %arg0, %arg1 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %1 = tt.addptr %0, %arg2 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %2 = tt.addptr %arg0, %arg3 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %3 = arith.addi %arg3, %arg3 : tensor<16xi64>
    %4 = tt.addptr %arg0, %3 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
    %5 = tt.load %arg0, %arg4, %arg5 : tensor<16x!tt.ptr<f32>>
    tt.return %1, %4, %5 : tensor<16x!tt.ptr<f32>>, tensor<16x!tt.ptr<f32>>, tensor<16xf32>
  }
  tt.func public @accumulate(%arg0: tensor<16x16xf16>, %arg1: tensor<16x16xf16>, %arg2: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %0 = arith.mulf %arg2, %arg2 : tensor<16x16xf32>
    %1 = tt.dot %arg0, %arg1, %0 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.return %1 : tensor<16x16xf32>
  }
}

