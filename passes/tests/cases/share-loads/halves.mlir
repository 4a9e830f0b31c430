// passes: share-loads,cse
module {
  // Two halves of the columns have the sines of one block: the wider load gives them, one sine is left, and each half selects once, at the end.
  tt.func public @rotation(%p: tensor<8x64x!tt.ptr<f32>>, %out: tensor<8x64x!tt.ptr<f32>>, %rows: tensor<8x1xi1>, %left: tensor<1x64xi1>, %right: tensor<1x64xi1>, %x: tensor<8x64xf32>) {
    %zero = arith.constant dense<0.0> : tensor<8x64xf32>
    %mask = tt.broadcast %rows : tensor<8x1xi1> -> tensor<8x64xi1>
    %angle = tt.load %p, %mask : tensor<8x64x!tt.ptr<f32>>
    %cos = math.cos %angle : tensor<8x64xf32>
    %in_left = tt.broadcast %left : tensor<1x64xi1> -> tensor<8x64xi1>
    %mask_left = arith.andi %in_left, %mask : tensor<8x64xi1>
    %angle_left = tt.load %p, %mask_left, %zero : tensor<8x64x!tt.ptr<f32>>
    %sin_left = math.sin %angle_left : tensor<8x64xf32>
    %product_left = arith.mulf %x, %sin_left : tensor<8x64xf32>
    %selected_left = arith.select %in_left, %product_left, %zero : tensor<8x64xi1>, tensor<8x64xf32>
    %in_right = tt.broadcast %right : tensor<1x64xi1> -> tensor<8x64xi1>
    %mask_right = arith.andi %in_right, %mask : tensor<8x64xi1>
    %angle_right = tt.load %p, %mask_right, %zero : tensor<8x64x!tt.ptr<f32>>
    %sin_right = math.sin %angle_right : tensor<8x64xf32>
    %selected_right = arith.select %in_right, %sin_right, %zero : tensor<8x64xi1>, tensor<8x64xf32>
    %sum = arith.addf %selected_left, %selected_right : tensor<8x64xf32>
    %all = arith.addf %sum, %cos : tensor<8x64xf32>
    tt.store %out, %all, %mask : tensor<8x64x!tt.ptr<f32>>
    tt.return
  }
  // Another number stands for what is not loaded; a sum sees it; so does a store without a mask.
  tt.func public @seen(%p: tensor<64x!tt.ptr<f32>>, %out: tensor<64x!tt.ptr<f32>>, %a: tensor<64xi1>, %b: tensor<64xi1>) -> f32 {
    %zero = arith.constant dense<0.0> : tensor<64xf32>
    %one = arith.constant dense<1.0> : tensor<64xf32>
    %x = tt.load %p, %a, %zero : tensor<64x!tt.ptr<f32>>
    %both = arith.andi %a, %b : tensor<64xi1>
    %y = tt.load %p, %both, %one : tensor<64x!tt.ptr<f32>>
    %z = arith.addf %x, %y : tensor<64xf32>
    tt.store %out, %z : tensor<64x!tt.ptr<f32>>
    %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32>) -> f32
    tt.return %sum : f32
  }
  // A store stands between the loads; the mask of the second is not narrower; a divisor is not let out of its selection.
  tt.func public @apart(%p: tensor<64x!tt.ptr<i32>>, %out: tensor<64x!tt.ptr<i32>>, %a: tensor<64xi1>, %b: tensor<64xi1>) {
    %zero = arith.constant dense<0> : tensor<64xi32>
    %one = arith.constant dense<1> : tensor<64xi32>
    %x = tt.load %p, %a, %zero : tensor<64x!tt.ptr<i32>>
    %y = tt.load %p, %b, %zero : tensor<64x!tt.ptr<i32>>
    %both = arith.andi %a, %b : tensor<64xi1>
    %divisor = arith.select %b, %x, %one : tensor<64xi1>, tensor<64xi32>
    %quotient = arith.divsi %y, %divisor : tensor<64xi32>
    %selected = arith.select %b, %quotient, %zero : tensor<64xi1>, tensor<64xi32>
    tt.store %out, %selected, %a : tensor<64x!tt.ptr<i32>>
    %z = tt.load %p, %both, %zero : tensor<64x!tt.ptr<i32>>
    tt.store %out, %z, %a : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @rotation(%arg0: tensor<8x64x!tt.ptr<f32>>, %arg1: tensor<8x64x!tt.ptr<f32>>, %arg2: tensor<8x1xi1>, %arg3: tensor<1x64xi1>, %arg4: tensor<1x64xi1>, %arg5: tensor<8x64xf32>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<8x64xf32>
    %0 = tt.broadcast %arg2 : tensor<8x1xi1> -> tensor<8x64xi1>
    %1 = tt.load %arg0, %0, %cst : tensor<8x64x!tt.ptr<f32>>
    %2 = math.cos %1 : tensor<8x64xf32>
    %3 = tt.broadcast %arg3 : tensor<1x64xi1> -> tensor<8x64xi1>
    %4 = math.sin %1 : tensor<8x64xf32>
    %5 = arith.mulf %arg5, %4 : tensor<8x64xf32>
    %6 = arith.select %3, %5, %cst : tensor<8x64xi1>, tensor<8x64xf32>
    %7 = tt.broadcast %arg4 : tensor<1x64xi1> -> tensor<8x64xi1>
    %8 = arith.select %7, %4, %cst : tensor<8x64xi1>, tensor<8x64xf32>
    %9 = arith.addf %6, %8 : tensor<8x64xf32>
    %10 = arith.addf %9, %2 : tensor<8x64xf32>
    tt.store %arg1, %10, %0 : tensor<8x64x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @seen(%arg0: tensor<64x!tt.ptr<f32>>, %arg1: tensor<64x!tt.ptr<f32>>, %arg2: tensor<64xi1>, %arg3: tensor<64xi1>) -> f32 {
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %0 = tt.load %arg0, %arg2, %cst : tensor<64x!tt.ptr<f32>>
    %1 = arith.andi %arg2, %arg3 : tensor<64xi1>
    %2 = arith.select %1, %0, %cst_0 : tensor<64xi1>, tensor<64xf32>
    %3 = arith.addf %0, %2 : tensor<64xf32>
    tt.store %arg1, %3 : tensor<64x!tt.ptr<f32>>
    %4 = "tt.reduce"(%2) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %5 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %5 : f32
    }) : (tensor<64xf32>) -> f32
    tt.return %4 : f32
  }
  tt.func public @apart(%arg0: tensor<64x!tt.ptr<i32>>, %arg1: tensor<64x!tt.ptr<i32>>, %arg2: tensor<64xi1>, %arg3: tensor<64xi1>) {
    %cst = arith.constant dense<0> : tensor<64xi32>
    %cst_0 = arith.constant dense<1> : tensor<64xi32>
    %0 = tt.load %arg0, %arg2, %cst : tensor<64x!tt.ptr<i32>>
    %1 = tt.load %arg0, %arg3, %cst : tensor<64x!tt.ptr<i32>>
    %2 = arith.andi %arg2, %arg3 : tensor<64xi1>
    %3 = arith.select %arg3, %0, %cst_0 : tensor<64xi1>, tensor<64xi32>
    %4 = arith.divsi %1, %3 : tensor<64xi32>
    %5 = arith.select %arg3, %4, %cst : tensor<64xi1>, tensor<64xi32>
    tt.store %arg1, %5, %arg2 : tensor<64x!tt.ptr<i32>>
    %6 = tt.load %arg0, %2, %cst : tensor<64x!tt.ptr<i32>>
    tt.store %arg1, %6, %arg2 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}

