// passes: combine,canonicalize
// fp_fusion: off
module {
  // Where products and sums are rounded apart, they stay apart.
  tt.func public @square(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %left = tt.expand_dims %x {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %right = tt.expand_dims %x {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
    %xs = tt.broadcast %left : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
    %ys = tt.broadcast %right : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
    %xy = arith.mulf %xs, %ys : tensor<32x32x32xf32>
    %sum = "tt.reduce"(%xy) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %sum : tensor<32x32xf32>
  }
}
// ----- expect
module {
  tt.func public @square(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = tt.expand_dims %arg0 {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %1 = tt.expand_dims %arg0 {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
    %2 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
    %3 = tt.broadcast %1 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
    %4 = arith.mulf %2, %3 : tensor<32x32x32xf32>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %6 = arith.addf %arg1, %arg2 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %5 : tensor<32x32xf32>
  }
}

