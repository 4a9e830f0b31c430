// passes: combine,canonicalize
// warps: 16
module {
  // The product, whichever factor stands first.
  tt.func public @products(%x: tensor<32x64xf32>, %y: tensor<64x16xf32>) -> (tensor<32x16xf32>, tensor<32x16xf32>) {
    %x3 = tt.expand_dims %x {axis = 2 : i32} : tensor<32x64xf32> -> tensor<32x64x1xf32>
    %y3 = tt.expand_dims %y {axis = 0 : i32} : tensor<64x16xf32> -> tensor<1x64x16xf32>
    %xs = tt.broadcast %x3 : tensor<32x64x1xf32> -> tensor<32x64x16xf32>
    %ys = tt.broadcast %y3 : tensor<1x64x16xf32> -> tensor<32x64x16xf32>
    %xy = arith.mulf %xs, %ys : tensor<32x64x16xf32>
    %yx = arith.mulf %ys, %xs : tensor<32x64x16xf32>
    %sum = "tt.reduce"(%xy) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x64x16xf32>) -> tensor<32x16xf32>
    %swapped = "tt.reduce"(%yx) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x64x16xf32>) -> tensor<32x16xf32>
    tt.return %sum, %swapped : tensor<32x16xf32>, tensor<32x16xf32>
  }
  // A square: one block is both factors.
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
  // Eight columns: few enough to sum up in registers.
  tt.func public @small(%x: tensor<32x32xf32>, %y: tensor<32x8xf32>) -> tensor<32x8xf32> {
    %x3 = tt.expand_dims %x {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %y3 = tt.expand_dims %y {axis = 0 : i32} : tensor<32x8xf32> -> tensor<1x32x8xf32>
    %xs = tt.broadcast %x3 : tensor<32x32x1xf32> -> tensor<32x32x8xf32>
    %ys = tt.broadcast %y3 : tensor<1x32x8xf32> -> tensor<32x32x8xf32>
    %xy = arith.mulf %xs, %ys : tensor<32x32x8xf32>
    %sum = "tt.reduce"(%xy) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32x8xf32>) -> tensor<32x8xf32>
    tt.return %sum : tensor<32x8xf32>
  }
  // Products of f16 are rounded before they are added, and a dot would not round them.
  tt.func public @of_f16(%x: tensor<32x32xf16>, %y: tensor<32x32xf16>) -> (tensor<32x32xf16>, tensor<32x32xf32>) {
    %x3 = tt.expand_dims %x {axis = 2 : i32} : tensor<32x32xf16> -> tensor<32x32x1xf16>
    %y3 = tt.expand_dims %y {axis = 0 : i32} : tensor<32x32xf16> -> tensor<1x32x32xf16>
    %xs = tt.broadcast %x3 : tensor<32x32x1xf16> -> tensor<32x32x32xf16>
    %ys = tt.broadcast %y3 : tensor<1x32x32xf16> -> tensor<32x32x32xf16>
    %xy = arith.mulf %xs, %ys : tensor<32x32x32xf16>
    %sum = "tt.reduce"(%xy) <{axis = 1 : i32}> ({
    ^bb0(%a: f16, %b: f16):
      %s = arith.addf %a, %b : f16
      tt.reduce.return %s : f16
    }) : (tensor<32x32x32xf16>) -> tensor<32x32xf16>
    %wide = arith.extf %xy : tensor<32x32x32xf16> to tensor<32x32x32xf32>
    %wide_sum = "tt.reduce"(%wide) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %sum, %wide_sum : tensor<32x32xf16>, tensor<32x32xf32>
  }
  // The products themselves are used, too.
  tt.func public @used(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32x32xf32>) {
    %x3 = tt.expand_dims %x {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %y3 = tt.expand_dims %y {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
    %xs = tt.broadcast %x3 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
    %ys = tt.broadcast %y3 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
    %xy = arith.mulf %xs, %ys : tensor<32x32x32xf32>
    %sum = "tt.reduce"(%xy) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %sum, %xy : tensor<32x32xf32>, tensor<32x32x32xf32>
  }
  // Other axes, and the greatest of the products.
  tt.func public @others(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
    %x3 = tt.expand_dims %x {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %y3 = tt.expand_dims %y {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
    %xs = tt.broadcast %x3 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
    %ys = tt.broadcast %y3 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
    %first = arith.mulf %xs, %ys : tensor<32x32x32xf32>
    %along = "tt.reduce"(%first) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    %second = arith.mulf %xs, %ys : tensor<32x32x32xf32>
    %greatest = "tt.reduce"(%second) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.maxnumf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    %third = arith.mulf %xs, %xs : tensor<32x32x32xf32>
    %squares = "tt.reduce"(%third) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %along, %greatest, %squares : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
  // Fewer elements than threads.
  tt.func public @few(%x: tensor<16x64xf32>, %y: tensor<64x16xf32>) -> tensor<16x16xf32> {
    %x3 = tt.expand_dims %x {axis = 2 : i32} : tensor<16x64xf32> -> tensor<16x64x1xf32>
    %y3 = tt.expand_dims %y {axis = 0 : i32} : tensor<64x16xf32> -> tensor<1x64x16xf32>
    %xs = tt.broadcast %x3 : tensor<16x64x1xf32> -> tensor<16x64x16xf32>
    %ys = tt.broadcast %y3 : tensor<1x64x16xf32> -> tensor<16x64x16xf32>
    %xy = arith.mulf %xs, %ys : tensor<16x64x16xf32>
    %sum = "tt.reduce"(%xy) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x64x16xf32>) -> tensor<16x16xf32>
    tt.return %sum : tensor<16x16xf32>
  }
  // Factors that take 64 KiB of shared memory.
  tt.func public @deep(%x: tensor<32x256xf32>, %y: tensor<256x32xf32>) -> tensor<32x32xf32> {
    %x3 = tt.expand_dims %x {axis = 2 : i32} : tensor<32x256xf32> -> tensor<32x256x1xf32>
    %y3 = tt.expand_dims %y {axis = 0 : i32} : tensor<256x32xf32> -> tensor<1x256x32xf32>
    %xs = tt.broadcast %x3 : tensor<32x256x1xf32> -> tensor<32x256x32xf32>
    %ys = tt.broadcast %y3 : tensor<1x256x32xf32> -> tensor<32x256x32xf32>
    %xy = arith.mulf %xs, %ys : tensor<32x256x32xf32>
    %sum = "tt.reduce"(%xy) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<32x256x32xf32>) -> tensor<32x32xf32>
    tt.return %sum : tensor<32x32xf32>
  }
}
// ----- expect
module {
  tt.func public @products(%arg0: tensor<32x64xf32>, %arg1: tensor<64x16xf32>) -> (tensor<32x16xf32>, tensor<32x16xf32>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x16xf32>
    %0 = tt.dot %arg0, %arg1, %cst : tensor<32x64xf32> * tensor<64x16xf32> -> tensor<32x16xf32>
    %1 = tt.dot %arg0, %arg1, %cst : tensor<32x64xf32> * tensor<64x16xf32> -> tensor<32x16xf32>
    tt.return %0, %1 : tensor<32x16xf32>, tensor<32x16xf32>
  }
  tt.func public @square(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32>
    %0 = tt.dot %arg0, %arg0, %cst : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
    tt.return %0 : tensor<32x32xf32>
  }
  tt.func public @small(%arg0: tensor<32x32xf32>, %arg1: tensor<32x8xf32>) -> tensor<32x8xf32> {
    %0 = tt.expand_dims %arg0 {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %1 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<32x8xf32> -> tensor<1x32x8xf32>
    %2 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x8xf32>
    %3 = tt.broadcast %1 : tensor<1x32x8xf32> -> tensor<32x32x8xf32>
    %4 = arith.mulf %2, %3 : tensor<32x32x8xf32>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %6 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<32x32x8xf32>) -> tensor<32x8xf32>
    tt.return %5 : tensor<32x8xf32>
  }
  tt.func public @of_f16(%arg0: tensor<32x32xf16>, %arg1: tensor<32x32xf16>) -> (tensor<32x32xf16>, tensor<32x32xf32>) {
    %0 = tt.expand_dims %arg0 {axis = 2 : i32} : tensor<32x32xf16> -> tensor<32x32x1xf16>
    %1 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<32x32xf16> -> tensor<1x32x32xf16>
    %2 = tt.broadcast %0 : tensor<32x32x1xf16> -> tensor<32x32x32xf16>
    %3 = tt.broadcast %1 : tensor<1x32x32xf16> -> tensor<32x32x32xf16>
    %4 = arith.mulf %2, %3 : tensor<32x32x32xf16>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f16, %arg3: f16):
      %8 = arith.addf %arg2, %arg3 : f16
      tt.reduce.return %8 : f16
    }) : (tensor<32x32x32xf16>) -> tensor<32x32xf16>
    %6 = arith.extf %4 : tensor<32x32x32xf16> to tensor<32x32x32xf32>
    %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %8 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %5, %7 : tensor<32x32xf16>, tensor<32x32xf32>
  }
  tt.func public @used(%arg0: tensor<32x32xf32>, %arg1: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32x32xf32>) {
    %0 = tt.expand_dims %arg0 {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %1 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
    %2 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
    %3 = tt.broadcast %1 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
    %4 = arith.mulf %2, %3 : tensor<32x32x32xf32>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %6 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %5, %4 : tensor<32x32xf32>, tensor<32x32x32xf32>
  }
  tt.func public @others(%arg0: tensor<32x32xf32>, %arg1: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
    %0 = tt.expand_dims %arg0 {axis = 2 : i32} : tensor<32x32xf32> -> tensor<32x32x1xf32>
    %1 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<32x32xf32> -> tensor<1x32x32xf32>
    %2 = tt.broadcast %0 : tensor<32x32x1xf32> -> tensor<32x32x32xf32>
    %3 = tt.broadcast %1 : tensor<1x32x32xf32> -> tensor<32x32x32xf32>
    %4 = arith.mulf %2, %3 : tensor<32x32x32xf32>
    %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %10 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %10 : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    %6 = arith.mulf %2, %3 : tensor<32x32x32xf32>
    %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %10 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %10 : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    %8 = arith.mulf %2, %2 : tensor<32x32x32xf32>
    %9 = "tt.reduce"(%8) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %10 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %10 : f32
    }) : (tensor<32x32x32xf32>) -> tensor<32x32xf32>
    tt.return %5, %7, %9 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
  tt.func public @few(%arg0: tensor<16x64xf32>, %arg1: tensor<64x16xf32>) -> tensor<16x16xf32> {
    %0 = tt.expand_dims %arg0 {axis = 2 : i32} : tensor<16x64xf32> -> tensor<16x64x1xf32>
    %1 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<64x16xf32> -> tensor<1x64x16xf32>
    %2 = tt.broadcast %0 : tensor<16x64x1xf32> -> tensor<16x64x16xf32>
    %3 = tt.broadcast %1 : tensor<1x64x16xf32> -> tensor<16x64x16xf32>
    %4 = arith.mulf %2, %3 : tensor<16x64x16xf32>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %6 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<16x64x16xf32>) -> tensor<16x16xf32>
    tt.return %5 : tensor<16x16xf32>
  }
  tt.func public @deep(%arg0: tensor<32x256xf32>, %arg1: tensor<256x32xf32>) -> tensor<32x32xf32> {
    %0 = tt.expand_dims %arg0 {axis = 2 : i32} : tensor<32x256xf32> -> tensor<32x256x1xf32>
    %1 = tt.expand_dims %arg1 {axis = 0 : i32} : tensor<256x32xf32> -> tensor<1x256x32xf32>
    %2 = tt.broadcast %0 : tensor<32x256x1xf32> -> tensor<32x256x32xf32>
    %3 = tt.broadcast %1 : tensor<1x256x32xf32> -> tensor<32x256x32xf32>
    %4 = arith.mulf %2, %3 : tensor<32x256x32xf32>
    %5 = "tt.reduce"(%4) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %6 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<32x256x32xf32>) -> tensor<32x32xf32>
    tt.return %5 : tensor<32x32xf32>
  }
}

