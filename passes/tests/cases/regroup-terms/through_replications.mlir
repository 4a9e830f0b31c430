// passes: regroup-terms,reorder-broadcast,cse,licm
// counts: tt.addptr 20, arith.addi 0
// A chain of pointers goes on through replication: what does not change in a loop is added first, each offset with its own width. It does not where something
// else needs the inner sum, where a hint says something of it, where two terms change in it, and where a pointer for each pair would leave the loop.
module {
  tt.func public @moved(%p: !tt.ptr<f32>, %rows: tensor<16x1xi32>, %heads: tensor<16x1xi64>, %columns: tensor<1x8xi32>, %n: i32) -> tensor<16x8xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x8xf32>) : i32 {
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1x8x!tt.ptr<f32>>
      %ks = tt.splat %k : i32 -> tensor<1x8xi32>
      %column = arith.muli %columns, %ks : tensor<1x8xi32>
      %p1 = tt.addptr %ps, %column : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %pb = tt.broadcast %p1 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x8xi32>
      %p2 = tt.addptr %pb, %rb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %hb = tt.broadcast %heads : tensor<16x1xi64> -> tensor<16x8xi64>
      %p3 = tt.addptr %p2, %hb {tt.divisibility = dense<4> : tensor<2xi32>} : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %x = tt.load %p3 : tensor<16x8x!tt.ptr<f32>>
      %next = arith.addf %acc, %x : tensor<16x8xf32>
      scf.yield %next : tensor<16x8xf32>
    }
    tt.return %sum : tensor<16x8xf32>
  }
  tt.func public @expanded(%p: !tt.ptr<f32>, %rows: tensor<16xi64>, %columns: tensor<1x8xi32>, %start: i32, %n: i64) -> tensor<16x8xf32> {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant dense<4> : tensor<16xi32>
    %zero = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x8xf32>) : i64 {
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
      %ks = tt.splat %k : i64 -> tensor<16xi64>
      %row = arith.muli %rows, %ks : tensor<16xi64>
      %p1 = tt.addptr %ps, %row : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
      %starts = tt.splat %start : i32 -> tensor<16xi32>
      %p2 = tt.addptr %p1, %starts : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %p3 = tt.addptr %p2, %c4 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %pe = tt.expand_dims %p3 {axis = 1 : i32} : tensor<16x!tt.ptr<f32>> -> tensor<16x1x!tt.ptr<f32>>
      %pb = tt.broadcast %pe : tensor<16x1x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %cb = tt.broadcast %columns : tensor<1x8xi32> -> tensor<16x8xi32>
      %p4 = tt.addptr %pb, %cb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %x = tt.load %p4 : tensor<16x8x!tt.ptr<f32>>
      %next = arith.addf %acc, %x : tensor<16x8xf32>
      scf.yield %next : tensor<16x8xf32>
    }
    tt.return %sum : tensor<16x8xf32>
  }
  tt.func public @number_goes_on(%p: !tt.ptr<f32>, %at: !tt.ptr<i32>, %batch: i64, %columns: tensor<1x8xi64>, %n: i32) -> tensor<16x8xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %ats = tt.splat %at : !tt.ptr<i32> -> tensor<16x1x!tt.ptr<i32>>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x8xf32>) : i32 {
      %rows = tt.load %ats {isVolatile = true} : tensor<16x1x!tt.ptr<i32>>
      %wide = arith.extsi %rows : tensor<16x1xi32> to tensor<16x1xi64>
      %batches = tt.splat %batch : i64 -> tensor<16x1xi64>
      %offset = arith.addi %batches, %wide : tensor<16x1xi64>
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
      %p1 = tt.addptr %ps, %offset : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi64>
      %pb = tt.broadcast %p1 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %cb = tt.broadcast %columns : tensor<1x8xi64> -> tensor<16x8xi64>
      %p2 = tt.addptr %pb, %cb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %x = tt.load %p2 : tensor<16x8x!tt.ptr<f32>>
      %next = arith.addf %acc, %x : tensor<16x8xf32>
      scf.yield %next : tensor<16x8xf32>
    }
    tt.return %sum : tensor<16x8xf32>
  }
  tt.func public @stays(%p: !tt.ptr<f32>, %q: tensor<16x1x!tt.ptr<f32>>, %rows: tensor<16x1xi32>, %columns: tensor<1x8xi32>, %others: tensor<1x8xi32>, %n: i32) -> tensor<16x8xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x8xf32>) : i32 {
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<1x8x!tt.ptr<f32>>
      %ks = tt.splat %k : i32 -> tensor<1x8xi32>
      %column = arith.muli %columns, %ks : tensor<1x8xi32>
      %other = arith.muli %others, %ks : tensor<1x8xi32>
      %rb = tt.broadcast %rows : tensor<16x1xi32> -> tensor<16x8xi32>
      %ob = tt.broadcast %others : tensor<1x8xi32> -> tensor<16x8xi32>
      %two_uses = tt.addptr %ps, %column : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %u1 = tt.broadcast %two_uses : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %u2 = tt.addptr %u1, %rb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %first = tt.load %two_uses : tensor<1x8x!tt.ptr<f32>>
      %firsts = tt.broadcast %first : tensor<1x8xf32> -> tensor<16x8xf32>
      %a = tt.load %u2 : tensor<16x8x!tt.ptr<f32>>
      %hinted = tt.addptr %ps, %other {tt.divisibility = dense<4> : tensor<2xi32>} : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %h1 = tt.broadcast %hinted : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %h2 = tt.addptr %h1, %rb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %b = tt.load %h2 : tensor<16x8x!tt.ptr<f32>>
      %t1 = tt.addptr %ps, %column : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %t2 = tt.addptr %t1, %other : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %t3 = tt.broadcast %t2 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %t4 = tt.addptr %t3, %rb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %c = tt.load %t4 : tensor<16x8x!tt.ptr<f32>>
      %krows = tt.splat %k : i32 -> tensor<16x1xi32>
      %q1 = tt.addptr %q, %krows : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
      %q2 = tt.broadcast %q1 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %q3 = tt.addptr %q2, %ob : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %d = tt.load %q3 : tensor<16x8x!tt.ptr<f32>>
      %o1 = tt.addptr %ps, %column : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %o2 = tt.broadcast %o1 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %o3 = tt.addptr %o2, %ob : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %o4 = tt.addptr %o3, %rb : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %e = tt.load %o4 : tensor<16x8x!tt.ptr<f32>>
      %s1 = arith.addf %acc, %firsts : tensor<16x8xf32>
      %s2 = arith.addf %s1, %a : tensor<16x8xf32>
      %s3 = arith.addf %s2, %b : tensor<16x8xf32>
      %s4 = arith.addf %s3, %c : tensor<16x8xf32>
      %s5 = arith.addf %s4, %d : tensor<16x8xf32>
      %s6 = arith.addf %s5, %e : tensor<16x8xf32>
      scf.yield %s6 : tensor<16x8xf32>
    }
    tt.return %sum : tensor<16x8xf32>
  }
}
// ----- expect
module {
  tt.func public @moved(%arg0: !tt.ptr<f32>, %arg1: tensor<16x1xi32>, %arg2: tensor<16x1xi64>, %arg3: tensor<1x8xi32>, %arg4: i32) -> tensor<16x8xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %1 = tt.addptr %0, %arg1 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %2 = tt.addptr %1, %arg2 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi64>
    %3 = tt.broadcast %2 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
    %4 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16x8xf32>)  : i32 {
      %5 = tt.splat %arg5 : i32 -> tensor<1x8xi32>
      %6 = arith.muli %arg3, %5 : tensor<1x8xi32>
      %7 = tt.broadcast %6 : tensor<1x8xi32> -> tensor<16x8xi32>
      %8 = tt.addptr %3, %7 {tt.divisibility = dense<4> : tensor<2xi32>} : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %9 = tt.load %8 : tensor<16x8x!tt.ptr<f32>>
      %10 = arith.addf %arg6, %9 : tensor<16x8xf32>
      scf.yield %10 : tensor<16x8xf32>
    }
    tt.return %4 : tensor<16x8xf32>
  }
  tt.func public @expanded(%arg0: !tt.ptr<f32>, %arg1: tensor<16xi64>, %arg2: tensor<1x8xi32>, %arg3: i32, %arg4: i64) -> tensor<16x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %0 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
    %c4_i32 = arith.constant 4 : i32
    %1 = tt.addptr %0, %c4_i32 : !tt.ptr<f32>, i32
    %2 = tt.splat %1 : !tt.ptr<f32> -> tensor<1x8x!tt.ptr<f32>>
    %3 = tt.addptr %2, %arg2 : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
    %4 = tt.broadcast %3 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
    %5 = tt.expand_dims %arg1 {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
    %6 = scf.for %arg5 = %c0_i64 to %arg4 step %c1_i64 iter_args(%arg6 = %cst) -> (tensor<16x8xf32>)  : i64 {
      %7 = tt.splat %arg5 : i64 -> tensor<16xi64>
      %8 = tt.splat %arg5 : i64 -> tensor<16x1xi64>
      %9 = arith.muli %5, %8 : tensor<16x1xi64>
      %10 = tt.broadcast %9 : tensor<16x1xi64> -> tensor<16x8xi64>
      %11 = tt.addptr %4, %10 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %12 = tt.load %11 : tensor<16x8x!tt.ptr<f32>>
      %13 = arith.addf %arg6, %12 : tensor<16x8xf32>
      scf.yield %13 : tensor<16x8xf32>
    }
    tt.return %6 : tensor<16x8xf32>
  }
  tt.func public @number_goes_on(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: i64, %arg3: tensor<1x8xi64>, %arg4: i32) -> tensor<16x8xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %0 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x1x!tt.ptr<i32>>
    %1 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i64
    %2 = tt.splat %1 : !tt.ptr<f32> -> tensor<1x8x!tt.ptr<f32>>
    %3 = tt.addptr %2, %arg3 : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi64>
    %4 = tt.broadcast %3 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
    %5 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16x8xf32>)  : i32 {
      %6 = tt.load %0 {isVolatile = true} : tensor<16x1x!tt.ptr<i32>>
      %7 = arith.extsi %6 : tensor<16x1xi32> to tensor<16x1xi64>
      %8 = tt.broadcast %7 : tensor<16x1xi64> -> tensor<16x8xi64>
      %9 = tt.addptr %4, %8 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi64>
      %10 = tt.load %9 : tensor<16x8x!tt.ptr<f32>>
      %11 = arith.addf %arg6, %10 : tensor<16x8xf32>
      scf.yield %11 : tensor<16x8xf32>
    }
    tt.return %5 : tensor<16x8xf32>
  }
  tt.func public @stays(%arg0: !tt.ptr<f32>, %arg1: tensor<16x1x!tt.ptr<f32>>, %arg2: tensor<16x1xi32>, %arg3: tensor<1x8xi32>, %arg4: tensor<1x8xi32>, %arg5: i32) -> tensor<16x8xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1x8x!tt.ptr<f32>>
    %1 = tt.broadcast %arg2 : tensor<16x1xi32> -> tensor<16x8xi32>
    %2 = tt.broadcast %arg4 : tensor<1x8xi32> -> tensor<16x8xi32>
    %3 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<16x8xf32>)  : i32 {
      %4 = tt.splat %arg6 : i32 -> tensor<1x8xi32>
      %5 = arith.muli %arg3, %4 : tensor<1x8xi32>
      %6 = arith.muli %arg4, %4 : tensor<1x8xi32>
      %7 = tt.addptr %0, %5 : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %8 = tt.broadcast %7 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %9 = tt.addptr %8, %1 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %10 = tt.load %7 : tensor<1x8x!tt.ptr<f32>>
      %11 = tt.broadcast %10 : tensor<1x8xf32> -> tensor<16x8xf32>
      %12 = tt.load %9 : tensor<16x8x!tt.ptr<f32>>
      %13 = tt.addptr %0, %6 {tt.divisibility = dense<4> : tensor<2xi32>} : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %14 = tt.broadcast %13 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %15 = tt.addptr %14, %1 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %16 = tt.load %15 : tensor<16x8x!tt.ptr<f32>>
      %17 = tt.addptr %7, %6 : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %18 = tt.broadcast %17 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %19 = tt.addptr %18, %1 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %20 = tt.load %19 : tensor<16x8x!tt.ptr<f32>>
      %21 = tt.splat %arg6 : i32 -> tensor<16x1xi32>
      %22 = tt.addptr %arg1, %21 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
      %23 = tt.broadcast %22 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %24 = tt.addptr %23, %2 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %25 = tt.load %24 : tensor<16x8x!tt.ptr<f32>>
      %26 = tt.addptr %7, %arg4 : tensor<1x8x!tt.ptr<f32>>, tensor<1x8xi32>
      %27 = tt.broadcast %26 : tensor<1x8x!tt.ptr<f32>> -> tensor<16x8x!tt.ptr<f32>>
      %28 = tt.addptr %27, %1 : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
      %29 = tt.load %28 : tensor<16x8x!tt.ptr<f32>>
      %30 = arith.addf %arg7, %11 : tensor<16x8xf32>
      %31 = arith.addf %30, %12 : tensor<16x8xf32>
      %32 = arith.addf %31, %16 : tensor<16x8xf32>
      %33 = arith.addf %32, %20 : tensor<16x8xf32>
      %34 = arith.addf %33, %25 : tensor<16x8xf32>
      %35 = arith.addf %34, %29 : tensor<16x8xf32>
      scf.yield %35 : tensor<16x8xf32>
    }
    tt.return %3 : tensor<16x8xf32>
  }
}

