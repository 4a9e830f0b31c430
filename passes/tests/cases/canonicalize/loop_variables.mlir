// passes: canonicalize
// counts: arith.cmpi 3
// Rows one by one: a block of one row is inside in every iteration, so that its load has no mask. What is compared with other numbers stays.
module {
  tt.func public @rows(%p: !tt.ptr<f32>, %length: i64, %other: i64, %flags: !tt.ptr<i1>) -> f32 {
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %start = arith.constant 0.0 : f32
    %range = tt.make_range {start = 0 : i32, end = 1 : i32} : tensor<1xi32>
    %wide = arith.extsi %range : tensor<1xi32> to tensor<1xi64>
    %ends = tt.splat %length : i64 -> tensor<1xi64>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>>
    %none = arith.constant dense<0.0> : tensor<1xf32>
    %sum = scf.for %i = %zero to %length step %one iter_args(%acc = %start) -> (f32) : i64 {
      %row = tt.splat %i : i64 -> tensor<1xi64>
      %at = arith.addi %row, %wide : tensor<1xi64>
      %inside = arith.cmpi slt, %at, %ends : tensor<1xi64>
      %q = tt.addptr %base, %at : tensor<1x!tt.ptr<f32>>, tensor<1xi64>
      %x = tt.load %q, %inside, %none : tensor<1x!tt.ptr<f32>>
      %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %both = arith.addf %a, %b : f32
        tt.reduce.return %both : f32
      }) : (tensor<1xf32>) -> f32
      %behind = arith.cmpi sge, %i, %length : i64
      tt.store %flags, %behind : !tt.ptr<i1>
      %above = arith.cmpi sgt, %length, %i : i64
      tt.store %flags, %above : !tt.ptr<i1>
      // Known of none of these.
      %last = arith.subi %length, %one : i64
      %before = arith.cmpi slt, %i, %last : i64
      tt.store %flags, %before : !tt.ptr<i1>
      %elsewhere = arith.cmpi slt, %i, %other : i64
      tt.store %flags, %elsewhere : !tt.ptr<i1>
      %without_sign = arith.cmpi ult, %i, %length : i64
      tt.store %flags, %without_sign : !tt.ptr<i1>
      %next = arith.addf %acc, %s : f32
      scf.yield %next : f32
    }
    tt.return %sum : f32
  }
}
// ----- expect
module {
  tt.func public @rows(%arg0: !tt.ptr<f32>, %arg1: i64, %arg2: i64, %arg3: !tt.ptr<i1>) -> f32 {
    %true = arith.constant true
    %false = arith.constant false
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1x!tt.ptr<f32>>
    %1 = scf.for %arg4 = %c0_i64 to %arg1 step %c1_i64 iter_args(%arg5 = %cst) -> (f32)  : i64 {
      %2 = tt.splat %arg4 : i64 -> tensor<1xi64>
      %3 = tt.addptr %0, %2 : tensor<1x!tt.ptr<f32>>, tensor<1xi64>
      %4 = tt.load %3 : tensor<1x!tt.ptr<f32>>
      %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %11 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %11 : f32
      }) : (tensor<1xf32>) -> f32
      tt.store %arg3, %false : !tt.ptr<i1>
      tt.store %arg3, %true : !tt.ptr<i1>
      %6 = arith.subi %arg1, %c1_i64 : i64
      %7 = arith.cmpi slt, %arg4, %6 : i64
      tt.store %arg3, %7 : !tt.ptr<i1>
      %8 = arith.cmpi slt, %arg4, %arg2 : i64
      tt.store %arg3, %8 : !tt.ptr<i1>
      %9 = arith.cmpi ult, %arg4, %arg1 : i64
      tt.store %arg3, %9 : !tt.ptr<i1>
      %10 = arith.addf %arg5, %5 : f32
      scf.yield %10 : f32
    }
    tt.return %1 : f32
  }
}

