// passes: count-loops,canonicalize,cse
module {
  // The number is carried on, since it is used behind the loop.
  tt.func public @counts(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %size: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 4 : i32
    %start = arith.constant 0.0 : f32
    %sum:2 = scf.while (%acc = %start, %i = %zero) : (f32, i32) -> (f32, i32) {
      %more = arith.cmpi slt, %i, %size : i32
      scf.condition(%more) %acc, %i : f32, i32
    } do {
    ^bb0(%acc: f32, %i: i32):
      %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
      %v = tt.load %p : !tt.ptr<f32>
      %next = arith.addf %acc, %v : f32
      %after = arith.addi %i, %step : i32
      scf.yield %next, %after : f32, i32
    }
    %po = tt.addptr %out, %sum#1 : !tt.ptr<f32>, i32
    tt.store %po, %sum#0 : !tt.ptr<f32>
    tt.return
  }
  // Compared the other way round, and not used behind the loop.
  tt.func public @turned(%x: !tt.ptr<i32>, %size: i32, %first: i32) {
    %one = arith.constant 1 : i32
    %i = scf.while (%i = %first) : (i32) -> i32 {
      %more = arith.cmpi sgt, %size, %i : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
      tt.store %p, %i : !tt.ptr<i32>
      %after = arith.addi %one, %i : i32
      scf.yield %after : i32
    }
    tt.return
  }
  // What is loaded ends the first loop, and what is computed the second one: they stay.
  tt.func public @others(%x: !tt.ptr<i32>, %size: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = scf.while (%i = %zero) : (i32) -> i32 {
      %v = tt.load %x {isVolatile = true} : !tt.ptr<i32>
      %more = arith.cmpi slt, %i, %v : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %after = arith.addi %i, %one : i32
      scf.yield %after : i32
    }
    %b = scf.while (%i = %size) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %size : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %after = arith.addi %i, %i : i32
      scf.yield %after : i32
    }
    %p = tt.addptr %x, %b : !tt.ptr<i32>, i32
    tt.store %p, %a : !tt.ptr<i32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @counts(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0:2 = scf.for %arg3 = %c0_i32 to %arg2 step %c4_i32 iter_args(%arg4 = %cst, %arg5 = %c0_i32) -> (f32, i32)  : i32 {
      %2 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %3 = tt.load %2 : !tt.ptr<f32>
      %4 = arith.addf %arg4, %3 : f32
      %5 = arith.addi %arg3, %c4_i32 : i32
      scf.yield %4, %5 : f32, i32
    }
    %1 = tt.addptr %arg1, %0#1 : !tt.ptr<f32>, i32
    tt.store %1, %0#0 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @turned(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32) {
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg3 = %arg2 to %arg1 step %c1_i32  : i32 {
      %0 = tt.addptr %arg0, %arg3 : !tt.ptr<i32>, i32
      tt.store %0, %arg3 : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func public @others(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.while (%arg2 = %c0_i32) : (i32) -> i32 {
      %3 = tt.load %arg0 {isVolatile = true} : !tt.ptr<i32>
      %4 = arith.cmpi slt, %arg2, %3 : i32
      scf.condition(%4) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %3 = arith.addi %arg2, %c1_i32 : i32
      scf.yield %3 : i32
    }
    %1 = scf.while (%arg2 = %arg1) : (i32) -> i32 {
      %3 = arith.cmpi slt, %arg2, %arg1 : i32
      scf.condition(%3) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %3 = arith.addi %arg2, %arg2 : i32
      scf.yield %3 : i32
    }
    %2 = tt.addptr %arg0, %1 : !tt.ptr<i32>, i32
    tt.store %2, %0 : !tt.ptr<i32>
    tt.return
  }
}

