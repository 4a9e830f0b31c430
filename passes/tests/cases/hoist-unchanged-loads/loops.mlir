// passes: hoist-unchanged-loads
// Large operands of products move, under a mask that says whether the loop runs where that is not known; what is computed on stays, and so does everything where the loop stores.
module {
  tt.func public @moves(%a: tensor<128x128x!tt.ptr<f16>>, %b: tensor<128x128x!tt.ptr<f16>>, %mask: tensor<128x128xi1>, %scale: !tt.ptr<f32>, %n: i32, %out: tensor<128x128x!tt.ptr<f32>>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %other = arith.constant dense<0.0> : tensor<128x128xf16>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>)  : i32 {
      %left = tt.load %a, %mask, %other : tensor<128x128x!tt.ptr<f16>>
      %steps = tt.splat %i : i32 -> tensor<128x128xi32>
      %moved = tt.addptr %b, %steps : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
      %right = tt.load %moved : tensor<128x128x!tt.ptr<f16>>
      %by = tt.load %scale : !tt.ptr<f32>
      %all = tt.splat %by : f32 -> tensor<128x128xf32>
      %product = tt.dot %left, %right, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      %added = tt.load %b : tensor<128x128x!tt.ptr<f16>>
      %wide = arith.extf %added : tensor<128x128xf16> to tensor<128x128xf32>
      %scaled = arith.mulf %product, %all : tensor<128x128xf32>
      %more = arith.addf %scaled, %wide : tensor<128x128xf32>
      scf.yield %more : tensor<128x128xf32>
    }
    tt.store %out, %sum : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @runs(%a: tensor<128x128x!tt.ptr<f16>>, %b: tensor<128x128x!tt.ptr<f16>>, %c: tensor<64x64x!tt.ptr<f16>>, %few: tensor<64x64x!tt.ptr<f32>>, %out: tensor<128x128x!tt.ptr<f32>>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32>)  : i32 {
      %left = tt.load %a : tensor<128x128x!tt.ptr<f16>>
      %right = tt.load %b : tensor<128x128x!tt.ptr<f16>>
      %turned = tt.trans %right {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
      %product = tt.dot %left, %turned, %acc : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      scf.yield %product : tensor<128x128xf32>
    }
    %small = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %none) -> (tensor<64x64xf32>)  : i32 {
      %left = tt.load %c : tensor<64x64x!tt.ptr<f16>>
      %product = tt.dot %left, %left, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %product : tensor<64x64xf32>
    }
    tt.store %few, %small : tensor<64x64x!tt.ptr<f32>>
    scf.for %i = %c0 to %c8 step %c1  : i32 {
      %left = tt.load %a : tensor<128x128x!tt.ptr<f16>>
      %right = tt.load %b : tensor<128x128x!tt.ptr<f16>>
      %product = tt.dot %left, %right, %sum : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      tt.store %out, %product : tensor<128x128x!tt.ptr<f32>>
    }
    tt.return
  }
}
// ----- expect
module {
  tt.func public @moves(%arg0: tensor<128x128x!tt.ptr<f16>>, %arg1: tensor<128x128x!tt.ptr<f16>>, %arg2: tensor<128x128xi1>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: tensor<128x128x!tt.ptr<f32>>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %0 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %1 = tt.splat %0 : i1 -> tensor<128x128xi1>
    %2 = arith.andi %arg2, %1 : tensor<128x128xi1>
    %3 = tt.load %arg0, %2, %cst : tensor<128x128x!tt.ptr<f16>>
    %4 = scf.for %arg6 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg7 = %cst_0) -> (tensor<128x128xf32>)  : i32 {
      %5 = tt.splat %arg6 : i32 -> tensor<128x128xi32>
      %6 = tt.addptr %arg1, %5 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
      %7 = tt.load %6 : tensor<128x128x!tt.ptr<f16>>
      %8 = tt.load %arg3 : !tt.ptr<f32>
      %9 = tt.splat %8 : f32 -> tensor<128x128xf32>
      %10 = tt.dot %3, %7, %arg7 : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      %11 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>>
      %12 = arith.extf %11 : tensor<128x128xf16> to tensor<128x128xf32>
      %13 = arith.mulf %10, %9 : tensor<128x128xf32>
      %14 = arith.addf %13, %12 : tensor<128x128xf32>
      scf.yield %14 : tensor<128x128xf32>
    }
    tt.store %arg5, %4 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @runs(%arg0: tensor<128x128x!tt.ptr<f16>>, %arg1: tensor<128x128x!tt.ptr<f16>>, %arg2: tensor<64x64x!tt.ptr<f16>>, %arg3: tensor<64x64x!tt.ptr<f32>>, %arg4: tensor<128x128x!tt.ptr<f32>>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c8_i32 = arith.constant 8 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %0 = tt.load %arg0 : tensor<128x128x!tt.ptr<f16>>
    %1 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>>
    %2 = scf.for %arg5 = %c0_i32 to %c8_i32 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<128x128xf32>)  : i32 {
      %4 = tt.trans %1 {order = array<i32: 1, 0>} : tensor<128x128xf16> -> tensor<128x128xf16>
      %5 = tt.dot %0, %4, %arg6 : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      scf.yield %5 : tensor<128x128xf32>
    }
    %3 = scf.for %arg5 = %c0_i32 to %c8_i32 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %4 = tt.load %arg2 : tensor<64x64x!tt.ptr<f16>>
      %5 = tt.dot %4, %4, %arg6 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %5 : tensor<64x64xf32>
    }
    tt.store %arg3, %3 : tensor<64x64x!tt.ptr<f32>>
    scf.for %arg5 = %c0_i32 to %c8_i32 step %c1_i32  : i32 {
      %4 = tt.load %arg0 : tensor<128x128x!tt.ptr<f16>>
      %5 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>>
      %6 = tt.dot %4, %5, %2 : tensor<128x128xf16> * tensor<128x128xf16> -> tensor<128x128xf32>
      tt.store %arg4, %6 : tensor<128x128x!tt.ptr<f32>>
    }
    tt.return
  }
}

