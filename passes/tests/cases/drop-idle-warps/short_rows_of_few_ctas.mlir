// passes: drop-idle-warps
// warps: 8
// grid: few
// Nobody computes while the only CTA waits.
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
    %x = tt.load %p : tensor<4x128x!tt.ptr<f32>>
    %most = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<4x128xf32>) -> tensor<4xf32>
    tt.store %out, %most : tensor<4x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
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
    %11 = tt.load %10 : tensor<4x128x!tt.ptr<f32>>
    %12 = "tt.reduce"(%11) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %13 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %13 : f32
    }) : (tensor<4x128xf32>) -> tensor<4xf32>
    tt.store %arg1, %12 : tensor<4x!tt.ptr<f32>>
    tt.return
  }
}

