// passes: combine
module {
  tt.func public @masks(%p: tensor<8x!tt.ptr<i8>>, %m: tensor<8xi1>, %n: tensor<8xi1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xi64>) {
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    %one = arith.constant dense<1.0> : tensor<8xf32>
    %bytes = arith.constant dense<0> : tensor<8xi8>
    %none = arith.constant dense<0> : tensor<8xi64>
    %both = arith.andi %m, %n : tensor<8xi1>
    %x = tt.load %p, %both, %bytes : tensor<8x!tt.ptr<i8>>
    %truth = arith.cmpi ne, %x, %bytes : tensor<8xi8>
    %f = arith.uitofp %truth : tensor<8xi1> to tensor<8xf32>
    %same = arith.select %n, %f, %zero : tensor<8xi1>, tensor<8xf32>
    %other = arith.select %n, %f, %one : tensor<8xi1>, tensor<8xf32>
    %i = arith.extui %truth : tensor<8xi1> to tensor<8xi64>
    %inner = arith.select %m, %i, %none : tensor<8xi1>, tensor<8xi64>
    %outer = arith.select %both, %inner, %none : tensor<8xi1>, tensor<8xi64>
    tt.return %same, %other, %outer : tensor<8xf32>, tensor<8xf32>, tensor<8xi64>
  }
}
// ----- expect
module {
  tt.func public @masks(%arg0: tensor<8x!tt.ptr<i8>>, %arg1: tensor<8xi1>, %arg2: tensor<8xi1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xi64>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<8xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<8xf32>
    %cst_1 = arith.constant dense<0> : tensor<8xi8>
    %cst_2 = arith.constant dense<0> : tensor<8xi64>
    %0 = arith.andi %arg1, %arg2 : tensor<8xi1>
    %1 = tt.load %arg0, %0, %cst_1 : tensor<8x!tt.ptr<i8>>
    %2 = arith.cmpi ne, %1, %cst_1 : tensor<8xi8>
    %3 = arith.uitofp %2 : tensor<8xi1> to tensor<8xf32>
    %4 = arith.select %arg2, %3, %cst_0 : tensor<8xi1>, tensor<8xf32>
    %5 = arith.extui %2 : tensor<8xi1> to tensor<8xi64>
    tt.return %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xi64>
  }
}

