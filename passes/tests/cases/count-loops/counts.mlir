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
  // A multiple of the number is compared, and a sum with the end itself.
  tt.func public @multiples(%x: !tt.ptr<i32>, %size: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %block = arith.constant 128 : i32
    %k = scf.while (%k = %zero) : (i32) -> i32 {
      %first = arith.muli %k, %block : i32
      %last = arith.addi %first, %block : i32
      %more = arith.cmpi sge, %size, %last : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %p = tt.addptr %x, %k : !tt.ptr<i32>, i32
      tt.store %p, %k : !tt.ptr<i32>
      %after = arith.addi %k, %one : i32
      scf.yield %after : i32
    }
    tt.return
  }
  // Down to a constant, by three.
  tt.func public @down(%x: !tt.ptr<i32>, %size: i32) {
    %zero = arith.constant 0 : i32
    %three = arith.constant 3 : i32
    %k = scf.while (%k = %size) : (i32) -> i32 {
      %more = arith.cmpi sgt, %k, %zero : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %p = tt.addptr %x, %k : !tt.ptr<i32>, i32
      tt.store %p, %k : !tt.ptr<i32>
      %after = arith.subi %k, %three : i32
      scf.yield %after : i32
    }
    tt.return
  }
  // Down to what is not known, and compared without signs: they stay.
  tt.func public @unknown(%x: !tt.ptr<i32>, %size: i32, %last: i32) {
    %one = arith.constant 1 : i32
    %k = scf.while (%k = %size) : (i32) -> i32 {
      %more = arith.cmpi sgt, %k, %last : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %after = arith.subi %k, %one : i32
      scf.yield %after : i32
    }
    %m = scf.while (%m = %one) : (i32) -> i32 {
      %more = arith.cmpi ult, %m, %last : i32
      scf.condition(%more) %m : i32
    } do {
    ^bb0(%m: i32):
      %after = arith.addi %m, %one : i32
      scf.yield %after : i32
    }
    %p = tt.addptr %x, %k : !tt.ptr<i32>, i32
    tt.store %p, %m : !tt.ptr<i32>
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
  tt.func public @multiples(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c-127_i32 = arith.constant -127 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c128_i32 = arith.constant 128 : i32
    %c-2147483520_i32 = arith.constant -2147483520 : i32
    %0 = arith.maxsi %arg1, %c-2147483520_i32 : i32
    %1 = arith.addi %0, %c-127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.remsi %1, %c128_i32 : i32
    %4 = arith.cmpi sgt, %3, %c0_i32 : i32
    %5 = arith.extui %4 : i1 to i32
    %6 = arith.addi %2, %5 : i32
    scf.for %arg2 = %c0_i32 to %6 step %c1_i32  : i32 {
      %7 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      tt.store %7, %arg2 : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func public @down(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.divsi %arg1, %c3_i32 : i32
    %1 = arith.remsi %arg1, %c3_i32 : i32
    %2 = arith.cmpi sgt, %1, %c0_i32 : i32
    %3 = arith.extui %2 : i1 to i32
    %4 = arith.addi %0, %3 : i32
    scf.for %arg2 = %c0_i32 to %4 step %c1_i32  : i32 {
      %5 = arith.muli %arg2, %c3_i32 : i32
      %6 = arith.subi %arg1, %5 : i32
      %7 = tt.addptr %arg0, %6 : !tt.ptr<i32>, i32
      tt.store %7, %6 : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func public @unknown(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32) {
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.while (%arg3 = %arg1) : (i32) -> i32 {
      %3 = arith.cmpi sgt, %arg3, %arg2 : i32
      scf.condition(%3) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %3 = arith.subi %arg3, %c1_i32 : i32
      scf.yield %3 : i32
    }
    %1 = scf.while (%arg3 = %c1_i32) : (i32) -> i32 {
      %3 = arith.cmpi ult, %arg3, %arg2 : i32
      scf.condition(%3) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %3 = arith.addi %arg3, %c1_i32 : i32
      scf.yield %3 : i32
    }
    %2 = tt.addptr %arg0, %0 : !tt.ptr<i32>, i32
    tt.store %2, %1 : !tt.ptr<i32>
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

