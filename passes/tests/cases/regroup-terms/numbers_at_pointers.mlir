// passes: regroup-terms,reorder-broadcast,cse,licm
// counts: arith.addi 4, tt.addptr 7
// One number that offsets of 64 bits add to rows of a loop goes to the pointers. It stays where the sum is compared, too, where a hint says
// something of the sum, and where the number changes with the rows.
module {
  tt.func public @moved(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %at: !tt.ptr<i32>, %batch: i64, %columns: tensor<1x8xi64>, %n: i32) -> tensor<16x8xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %ats = tt.splat %at : !tt.ptr<i32> -> tensor<16x1x!tt.ptr<i32>>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x8xf32>) : i32 {
      %rows = tt.load %ats {isVolatile = true} : tensor<16x1x!tt.ptr<i32>>
      %wide = arith.extsi %rows : tensor<16x1xi32> to tensor<16x1xi64>
      %batches = tt.splat %batch : i64 -> tensor<16x1xi64>
      %offset = arith.addi %batches, %wide : tensor<16x1xi64>
      %rb = tt.broadcast %offset : tensor<16x1xi64> -> tensor<16x8xi64>
      %cb = tt.broadcast %columns : tensor<1x8xi64> -> tensor<16x8xi64>
      %offsets = arith.addi %rb, %cb : tensor<16x8xi64>
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
      %p1 = tt.addptr %ps, %offsets : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %x = tt.load %p1 : tensor<16x8x!tt.ptr<f32>>
      %qs = tt.splat %q : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
      %q1 = tt.addptr %qs, %offsets : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %y = tt.load %q1 : tensor<16x8x!tt.ptr<f32>>
      %product = arith.mulf %x, %y : tensor<16x8xf32>
      %next = arith.addf %acc, %product : tensor<16x8xf32>
      scf.yield %next : tensor<16x8xf32>
    }
    tt.return %sum : tensor<16x8xf32>
  }
  tt.func public @stays(%p: !tt.ptr<f32>, %at: !tt.ptr<i32>, %batch: i64, %size: i64, %n: i32) -> tensor<16xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %ats = tt.splat %at : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %batches = tt.splat %batch : i64 -> tensor<16xi64>
    %sizes = tt.splat %size : i64 -> tensor<16xi64>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16xf32>) : i32 {
      %rows = tt.load %ats {isVolatile = true} : tensor<16x!tt.ptr<i32>>
      %wide = arith.extsi %rows : tensor<16xi32> to tensor<16xi64>
      %compared = arith.addi %wide, %batches : tensor<16xi64>
      %inside = arith.cmpi slt, %compared, %sizes : tensor<16xi64>
      %p1 = tt.addptr %ps, %compared : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
      %x = tt.load %p1, %inside : tensor<16x!tt.ptr<f32>>
      %square = arith.muli %wide, %wide : tensor<16xi64>
      %hinted = arith.addi %square, %batches {tt.divisibility = dense<8> : tensor<1xi32>} : tensor<16xi64>
      %p2 = tt.addptr %ps, %hinted : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
      %y = tt.load %p2 : tensor<16x!tt.ptr<f32>>
      %count = arith.extsi %k : i32 to i64
      %counts = tt.splat %count : i64 -> tensor<16xi64>
      %changing = arith.addi %counts, %wide : tensor<16xi64>
      %p3 = tt.addptr %ps, %changing : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
      %z = tt.load %p3 : tensor<16x!tt.ptr<f32>>
      %xy = arith.addf %x, %y : tensor<16xf32>
      %xyz = arith.addf %xy, %z : tensor<16xf32>
      %next = arith.addf %acc, %xyz : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    }
    tt.return %sum : tensor<16xf32>
  }
}
// ----- expect
module {
  tt.func public @moved(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>, %arg3: i64, %arg4: tensor<1x8xi64>, %arg5: i32) -> tensor<16x8xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %0 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<16x1x!tt.ptr<i32>>
    %1 = tt.broadcast %arg4 : tensor<1x8xi64> -> tensor<16x8xi64>
    %2 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i64
    %3 = tt.splat %2 : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
    %4 = tt.addptr %arg1, %arg3 : !tt.ptr<f32>, i64
    %5 = tt.splat %4 : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
    %6 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<16x8xf32>)  : i32 {
      %7 = tt.load %0 {isVolatile = true} : tensor<16x1x!tt.ptr<i32>>
      %8 = arith.extsi %7 : tensor<16x1xi32> to tensor<16x1xi64>
      %9 = tt.broadcast %8 : tensor<16x1xi64> -> tensor<16x8xi64>
      %10 = arith.addi %9, %1 : tensor<16x8xi64>
      %11 = tt.addptr %3, %10 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %12 = tt.load %11 : tensor<16x8x!tt.ptr<f32>>
      %13 = tt.addptr %5, %10 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %14 = tt.load %13 : tensor<16x8x!tt.ptr<f32>>
      %15 = arith.mulf %12, %14 : tensor<16x8xf32>
      %16 = arith.addf %arg7, %15 : tensor<16x8xf32>
      scf.yield %16 : tensor<16x8xf32>
    }
    tt.return %6 : tensor<16x8xf32>
  }
  tt.func public @stays(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: i64, %arg3: i64, %arg4: i32) -> tensor<16xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16xf32>
    %0 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %2 = tt.splat %arg2 : i64 -> tensor<16xi64>
    %3 = tt.splat %arg3 : i64 -> tensor<16xi64>
    %4 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16xf32>)  : i32 {
      %5 = tt.load %0 {isVolatile = true} : tensor<16x!tt.ptr<i32>>
      %6 = arith.extsi %5 : tensor<16xi32> to tensor<16xi64>
      %7 = arith.addi %6, %2 : tensor<16xi64>
      %8 = arith.cmpi slt, %7, %3 : tensor<16xi64>
      %9 = tt.addptr %1, %7 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
      %10 = tt.load %9, %8 : tensor<16x!tt.ptr<f32>>
      %11 = arith.muli %6, %6 : tensor<16xi64>
      %12 = arith.addi %11, %2 {tt.divisibility = dense<8> : tensor<1xi32>} : tensor<16xi64>
      %13 = tt.addptr %1, %12 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
      %14 = tt.load %13 : tensor<16x!tt.ptr<f32>>
      %15 = arith.extsi %arg5 : i32 to i64
      %16 = tt.splat %15 : i64 -> tensor<16xi64>
      %17 = arith.addi %16, %6 : tensor<16xi64>
      %18 = tt.addptr %1, %17 : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
      %19 = tt.load %18 : tensor<16x!tt.ptr<f32>>
      %20 = arith.addf %10, %14 : tensor<16xf32>
      %21 = arith.addf %20, %19 : tensor<16xf32>
      %22 = arith.addf %arg6, %21 : tensor<16xf32>
      scf.yield %22 : tensor<16xf32>
    }
    tt.return %4 : tensor<16xf32>
  }
}

