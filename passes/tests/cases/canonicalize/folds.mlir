// passes: canonicalize
module {
  tt.func public @folds(%p: !tt.ptr<f32>, %s: f32, %out: !tt.ptr<f32>, %mask: tensor<8x16xi1>) {
    %zero = arith.constant 0 : i32
    %false = arith.constant false
    %true = arith.constant true
    %offsets = tt.splat %zero : i32 -> tensor<16xi32>
    %row = tt.expand_dims %offsets {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %all = tt.broadcast %row : tensor<1x16xi32> -> tensor<8x16xi32>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %same = tt.addptr %base, %all : tensor<8x16x!tt.ptr<f32>>, tensor<8x16xi32>
    %yes = tt.splat %true : i1 -> tensor<8x16xi1>
    %no = tt.splat %false : i1 -> tensor<8x16xi1>
    %value = tt.splat %s : f32 -> tensor<16xf32>
    %value2 = tt.expand_dims %value {axis = 0 : i32} : tensor<16xf32> -> tensor<1x16xf32>
    %value3 = tt.broadcast %value2 : tensor<1x16xf32> -> tensor<8x16xf32>
    %value4 = tt.trans %value3 {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>
    %value5 = tt.reshape %value4 : tensor<16x8xf32> -> tensor<8x16xf32>
    %loaded = tt.load %same, %yes, %value5 : tensor<8x16x!tt.ptr<f32>>
    %skipped = tt.load %same, %no, %value5 : tensor<8x16x!tt.ptr<f32>>
    %masked = tt.load %same, %mask, %value5 : tensor<8x16x!tt.ptr<f32>>
    %sum = arith.addf %loaded, %skipped : tensor<8x16xf32>
    %chosen = arith.select %yes, %sum, %value5 : tensor<8x16xi1>, tensor<8x16xf32>
    %back = tt.trans %chosen {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>
    %forth = tt.trans %back {order = array<i32: 1, 0>} : tensor<16x8xf32> -> tensor<8x16xf32>
    %total = arith.addf %forth, %masked : tensor<8x16xf32>
    %o = tt.splat %out : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    tt.store %o, %total, %yes : tensor<8x16x!tt.ptr<f32>>
    tt.store %o, %sum, %no : tensor<8x16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @folds(%arg0: !tt.ptr<f32>, %arg1: f32, %arg2: !tt.ptr<f32>, %arg3: tensor<8x16xi1>) {
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    %1 = tt.splat %arg1 : f32 -> tensor<8x16xf32>
    %2 = tt.load %0 : tensor<8x16x!tt.ptr<f32>>
    %3 = tt.load %0, %arg3, %1 : tensor<8x16x!tt.ptr<f32>>
    %4 = arith.addf %2, %1 : tensor<8x16xf32>
    %5 = arith.addf %4, %3 : tensor<8x16xf32>
    %6 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>>
    tt.store %6, %5 : tensor<8x16x!tt.ptr<f32>>
    tt.return
  }
}

