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
  tt.func public @two_products(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %first = tt.dot %a, %b, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %second = tt.dot %b, %c, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %sum = arith.addf %first, %second : tensor<16x16xf32>
    %third = tt.dot %c, %a, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %fourth = tt.dot %a, %c, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %other = arith.addf %fourth, %third : tensor<16x16xf32>
    tt.return %sum, %other : tensor<16x16xf32>, tensor<16x16xf32>
  }
  tt.func public @divided_again(%x: i32, %y: i32, %z: i32) -> (i32, i32, i32) {
    %quotient = arith.divsi %x, %y : i32
    %rest = arith.remsi %x, %y : i32
    %whole = arith.muli %y, %quotient : i32
    %again = arith.addi %rest, %whole : i32
    %unsigned = arith.remui %x, %y : i32
    %mixed = arith.addi %whole, %unsigned : i32
    %others = arith.muli %quotient, %z : i32
    %other = arith.addi %others, %rest : i32
    tt.return %again, %mixed, %other : i32, i32, i32
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
  tt.func public @two_products(%arg0: tensor<16x16xf16>, %arg1: tensor<16x16xf16>, %arg2: tensor<16x16xf16>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %0 = tt.dot %arg0, %arg1, %cst : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %1 = tt.dot %arg1, %arg2, %0 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %2 = tt.dot %arg2, %arg0, %cst : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %3 = tt.dot %arg0, %arg2, %2 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.return %1, %3 : tensor<16x16xf32>, tensor<16x16xf32>
  }
  tt.func public @divided_again(%arg0: i32, %arg1: i32, %arg2: i32) -> (i32, i32, i32) {
    %0 = arith.divsi %arg0, %arg1 : i32
    %1 = arith.remsi %arg0, %arg1 : i32
    %2 = arith.muli %arg1, %0 : i32
    %3 = arith.remui %arg0, %arg1 : i32
    %4 = arith.addi %2, %3 : i32
    %5 = arith.muli %0, %arg2 : i32
    %6 = arith.addi %5, %1 : i32
    tt.return %arg0, %4, %6 : i32, i32, i32
  }
}

