// passes: loop-aware-cse
// The running maximum is carried twice with the same start and the same step: one of them goes, with what is computed from it. The sums
// start equal but go on differently, and the last two values start differently: they stay.
tt.func public @kernel(%out: !tt.ptr<f32>, %step: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %r:6 = scf.for %i = %c0 to %n step %c1 iter_args(%m0 = %zero, %m1 = %zero, %s0 = %zero, %s1 = %zero, %p = %zero, %q = %one) -> (f32, f32, f32, f32, f32, f32) : i32 {
    %n0 = arith.maxnumf %m0, %step : f32
    %n1 = arith.maxnumf %m1, %step : f32
    %t0 = arith.addf %s0, %n0 : f32
    %t1 = arith.addf %s1, %n1 : f32
    %u1 = arith.addf %t1, %one : f32
    %p1 = arith.mulf %p, %step : f32
    %q1 = arith.mulf %q, %step : f32
    scf.yield %n0, %n1, %t0, %u1, %p1, %q1 : f32, f32, f32, f32, f32, f32
  }
  %a = arith.addf %r#0, %r#1 : f32
  %b = arith.addf %r#2, %r#3 : f32
  %c = arith.addf %r#4, %r#5 : f32
  %ab = arith.addf %a, %b : f32
  %abc = arith.addf %ab, %c : f32
  tt.store %out, %abc : !tt.ptr<f32>
  tt.return
}
// -----
// Two values that each become the other are equal when they start equal, and what a second loop makes of them is as well.
tt.func public @swapped(%out: !tt.ptr<f32>, %step: f32, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (f32, f32) : i32 {
    %a1 = arith.addf %a, %step : f32
    %b1 = arith.addf %b, %step : f32
    scf.yield %b1, %a1 : f32, f32
  }
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r#0, %b = %r#1) -> (f32, f32) : i32 {
    %a1 = arith.mulf %a, %step : f32
    %b1 = arith.mulf %b, %step : f32
    scf.yield %a1, %b1 : f32, f32
  }
  %sum = arith.addf %s#0, %s#1 : f32
  tt.store %out, %sum : !tt.ptr<f32>
  tt.return
}
// ----- expect
module {
  tt.func public @kernel(%arg0: !tt.ptr<f32>, %arg1: f32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0:5 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst, %arg5 = %cst, %arg6 = %cst, %arg7 = %cst, %arg8 = %cst_0) -> (f32, f32, f32, f32, f32)  : i32 {
      %6 = arith.maxnumf %arg4, %arg1 : f32
      %7 = arith.addf %arg5, %6 : f32
      %8 = arith.addf %arg6, %6 : f32
      %9 = arith.addf %8, %cst_0 : f32
      %10 = arith.mulf %arg7, %arg1 : f32
      %11 = arith.mulf %arg8, %arg1 : f32
      scf.yield %6, %7, %9, %10, %11 : f32, f32, f32, f32, f32
    }
    %1 = arith.addf %0#0, %0#0 : f32
    %2 = arith.addf %0#1, %0#2 : f32
    %3 = arith.addf %0#3, %0#4 : f32
    %4 = arith.addf %1, %2 : f32
    %5 = arith.addf %4, %3 : f32
    tt.store %arg0, %5 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @swapped(%arg0: !tt.ptr<f32>, %arg1: f32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
      %3 = arith.addf %arg4, %arg1 : f32
      scf.yield %3 : f32
    }
    %1 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %0) -> (f32)  : i32 {
      %3 = arith.mulf %arg4, %arg1 : f32
      scf.yield %3 : f32
    }
    %2 = arith.addf %1, %1 : f32
    tt.store %arg0, %2 : !tt.ptr<f32>
    tt.return
  }
}

