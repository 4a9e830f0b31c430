// passes: reorder-broadcast
module {
  tt.func public @arithmetic(%s: i32, %t: i32, %x: tensor<16x1xf32>, %y: tensor<16x1xf32>, %z: tensor<16x8xf32>) -> (tensor<64xi32>, tensor<16x8xf32>, tensor<16x8xf32>) {
    %c = arith.constant dense<3> : tensor<64xi32>
    %half = arith.constant dense<5.000000e-01> : tensor<16x8xf32>
    %ss = tt.splat %s : i32 -> tensor<64xi32>
    %ts = tt.splat %t : i32 -> tensor<64xi32>
    %sum = arith.addi %ss, %ts : tensor<64xi32>
    %scaled = arith.muli %sum, %c : tensor<64xi32>
    %xb = tt.broadcast %x : tensor<16x1xf32> -> tensor<16x8xf32>
    %yb = tt.broadcast %y : tensor<16x1xf32> -> tensor<16x8xf32>
    %xy = arith.mulf %xb, %yb : tensor<16x8xf32>
    %halved = arith.mulf %xy, %half : tensor<16x8xf32>
    %e = math.exp %halved : tensor<16x8xf32>
    %mixed = arith.addf %xb, %z : tensor<16x8xf32>
    tt.return %scaled, %e, %mixed : tensor<64xi32>, tensor<16x8xf32>, tensor<16x8xf32>
  }
}
// ----- expect
module {
  tt.func public @arithmetic(%arg0: i32, %arg1: i32, %arg2: tensor<16x1xf32>, %arg3: tensor<16x1xf32>, %arg4: tensor<16x8xf32>) -> (tensor<64xi32>, tensor<16x8xf32>, tensor<16x8xf32>) {
    %cst = arith.constant dense<3> : tensor<64xi32>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<16x8xf32>
    %0 = tt.splat %arg0 : i32 -> tensor<64xi32>
    %1 = tt.splat %arg1 : i32 -> tensor<64xi32>
    %2 = arith.addi %arg0, %arg1 : i32
    %3 = tt.splat %2 : i32 -> tensor<64xi32>
    %c3_i32 = arith.constant 3 : i32
    %4 = arith.muli %2, %c3_i32 : i32
    %5 = tt.splat %4 : i32 -> tensor<64xi32>
    %6 = tt.broadcast %arg2 : tensor<16x1xf32> -> tensor<16x8xf32>
    %7 = tt.broadcast %arg3 : tensor<16x1xf32> -> tensor<16x8xf32>
    %8 = arith.mulf %arg2, %arg3 : tensor<16x1xf32>
    %9 = tt.broadcast %8 : tensor<16x1xf32> -> tensor<16x8xf32>
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<16x1xf32>
    %10 = arith.mulf %8, %cst_1 : tensor<16x1xf32>
    %11 = tt.broadcast %10 : tensor<16x1xf32> -> tensor<16x8xf32>
    %12 = math.exp %10 : tensor<16x1xf32>
    %13 = tt.broadcast %12 : tensor<16x1xf32> -> tensor<16x8xf32>
    %14 = arith.addf %6, %arg4 : tensor<16x8xf32>
    tt.return %5, %13, %14 : tensor<64xi32>, tensor<16x8xf32>, tensor<16x8xf32>
  }
}

