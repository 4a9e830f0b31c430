// passes: regroup-terms,reorder-broadcast,cse,licm
// counts: tt.addptr 3, arith.andi 2
module {
  tt.func public @sum(%p: !tt.ptr<f32>, %rows: tensor<16x1xi32>, %heads: tensor<16x1xi32>, %columns: tensor<1x8xi32>, %a: tensor<16x1xi1>, %b: tensor<16x1xi1>, %n: i32) -> tensor<16x8xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x8xf32>) : i32 {
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
      %ks = tt.splat %k : i32 -> tensor<1x8xi32>
      %column = arith.addi %columns, %ks : tensor<1x8xi32>
      %limit = tt.splat %n : i32 -> tensor<1x8xi32>
      %inside = arith.cmpi slt, %column, %limit : tensor<1x8xi32>
      %cb = tt.broadcast %column : tensor<1x8xi32> -> tensor<16x8xi32>
      %p1 = tt.addptr %ps, %cb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x8xi32>
      %p2 = tt.addptr %p1, %rb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %hb = tt.broadcast %heads : tensor<16x1xi32> -> tensor<16x8xi32>
      %p3 = tt.addptr %p2, %hb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %ab = tt.broadcast %a : tensor<16x1xi1> -> tensor<16x8xi1>
      %bb = tt.broadcast %b : tensor<16x1xi1> -> tensor<16x8xi1>
      %ib = tt.broadcast %inside : tensor<1x8xi1> -> tensor<16x8xi1>
      %m1 = arith.andi %ab, %ib : tensor<16x8xi1>
      %m2 = arith.andi %m1, %bb : tensor<16x8xi1>
      %x = tt.load %p3, %m2 : tensor<16x8x!tt.ptr<f32>>
      %next = arith.addf %acc, %x : tensor<16x8xf32>
      scf.yield %next : tensor<16x8xf32>
    }
    tt.return %sum : tensor<16x8xf32>
  }
}
// ----- expect
module {
  tt.func public @sum(%arg0: !tt.ptr<f32>, %arg1: tensor<16x1xi32>, %arg2: tensor<16x1xi32>, %arg3: tensor<1x8xi32>, %arg4: tensor<16x1xi1>, %arg5: tensor<16x1xi1>, %arg6: i32) -> tensor<16x8xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %0 = tt.splat %arg6 : i32 -> tensor<1x8xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %2 = tt.addptr %1, %arg1 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %3 = tt.addptr %2, %arg2 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %4 = tt.broadcast %3 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
    %5 = arith.andi %arg4, %arg5 : tensor<16x1xi1>
    %6 = tt.broadcast %5 : tensor<16x1xi1> -> tensor<16x8xi1>
    %7 = scf.for %arg7 = %c0_i32 to %arg6 step %c1_i32 iter_args(%arg8 = %cst) -> (tensor<16x8xf32>)  : i32 {
      %8 = tt.splat %arg7 : i32 -> tensor<1x8xi32>
      %9 = arith.addi %arg3, %8 : tensor<1x8xi32>
      %10 = arith.cmpi slt, %9, %0 : tensor<1x8xi32>
      %11 = tt.broadcast %9 : tensor<1x8xi32> -> tensor<16x8xi32>
      %12 = tt.addptr %4, %11 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %13 = tt.broadcast %10 : tensor<1x8xi1> -> tensor<16x8xi1>
      %14 = arith.andi %6, %13 : tensor<16x8xi1>
      %15 = tt.load %12, %14 : tensor<16x8x!tt.ptr<f32>>
      %16 = arith.addf %arg8, %15 : tensor<16x8xf32>
      scf.yield %16 : tensor<16x8xf32>
    }
    tt.return %7 : tensor<16x8xf32>
  }
}

