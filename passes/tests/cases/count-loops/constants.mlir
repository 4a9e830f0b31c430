// passes: count-loops,canonicalize,cse
module {
  // 1, 2, 4 and 8: four iterations, and 16 behind them.
  tt.func public @doubles(%x: !tt.ptr<i32>) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %end = arith.constant 16 : i32
    %last = scf.while (%i = %one) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
      tt.store %p, %i : !tt.ptr<i32>
      %after = arith.muli %i, %two : i32
      scf.yield %after : i32
    }
    tt.store %x, %last : !tt.ptr<i32>
    tt.return
  }
  // Down by halves beside what is not known: 8, 4, 2 and 1.
  tt.func public @halves(%x: !tt.ptr<f32>, %start: f32) -> f32 {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %eight = arith.constant 8 : i32
    %all:2 = scf.while (%acc = %start, %half = %eight) : (f32, i32) -> (f32, i32) {
      %more = arith.cmpi sgt, %half, %zero : i32
      scf.condition(%more) %acc, %half : f32, i32
    } do {
    ^bb0(%acc: f32, %half: i32):
      %p = tt.addptr %x, %half : !tt.ptr<f32>, i32
      %v = tt.load %p : !tt.ptr<f32>
      %sum = arith.addf %acc, %v : f32
      %after = arith.shrsi %half, %one : i32
      scf.yield %sum, %after : f32, i32
    }
    tt.return %all#0 : f32
  }
  // A sum is odd, and the end is compared by not being reached: 1, 3 and 7.
  tt.func public @ones(%x: !tt.ptr<i32>) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %end = arith.constant 15 : i32
    %last = scf.while (%i = %one) : (i32) -> i32 {
      %more = arith.cmpi ne, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
      tt.store %p, %i : !tt.ptr<i32>
      %even = arith.muli %i, %two : i32
      %after = arith.addi %even, %one : i32
      scf.yield %after : i32
    }
    tt.return
  }
  // A number of eight bits wraps around: 1 to 64 are seven, and -128 ends it. Compared without a sign, 200 is more than 100.
  tt.func public @narrow(%x: !tt.ptr<i8>) {
    %one = arith.constant 1 : i8
    %zero = arith.constant 0 : i8
    %start = arith.constant 200 : i8
    %hundred = arith.constant 100 : i8
    %half = arith.constant 2 : i8
    %a = scf.while (%i = %one) : (i8) -> i8 {
      %more = arith.cmpi sgt, %i, %zero : i8
      scf.condition(%more) %i : i8
    } do {
    ^bb0(%i: i8):
      tt.store %x, %i : !tt.ptr<i8>
      %after = arith.addi %i, %i : i8
      scf.yield %after : i8
    }
    %b = scf.while (%i = %start) : (i8) -> i8 {
      %more = arith.cmpi ugt, %i, %hundred : i8
      scf.condition(%more) %i : i8
    } do {
    ^bb0(%i: i8):
      tt.store %x, %i : !tt.ptr<i8>
      %after = arith.divui %i, %half : i8
      scf.yield %after : i8
    }
    tt.store %x, %b : !tt.ptr<i8>
    tt.return
  }
  // Two comparisons of numbers of other widths: 0 and 100, 1 and 50, 3 and 25, then 7 is not below 12 / 2.
  tt.func public @both(%x: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i64
    %ten = arith.constant 10 : i32
    %hundred = arith.constant 100 : i64
    %all:2 = scf.while (%low = %zero, %high = %hundred) : (i32, i64) -> (i32, i64) {
      %half = arith.divsi %high, %two : i64
      %wide = arith.extsi %low : i32 to i64
      %below = arith.cmpi slt, %wide, %half : i64
      %small = arith.cmpi ult, %low, %ten : i32
      %more = arith.andi %below, %small : i1
      scf.condition(%more) %low, %high : i32, i64
    } do {
    ^bb0(%low: i32, %high: i64):
      %narrow = arith.trunci %high : i64 to i32
      %p = tt.addptr %x, %low : !tt.ptr<i32>, i32
      tt.store %p, %narrow : !tt.ptr<i32>
      %twice = arith.addi %low, %low : i32
      %next = arith.addi %twice, %one : i32
      %after = arith.divsi %high, %two : i64
      scf.yield %next, %after : i32, i64
    }
    tt.store %x, %all#0 : !tt.ptr<i32>
    tt.return
  }
  // No iteration: the loop is what it starts with.
  tt.func public @none(%x: !tt.ptr<i32>, %value: i32) {
    %two = arith.constant 2 : i32
    %end = arith.constant 16 : i32
    %all:2 = scf.while (%i = %end, %v = %value) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i, %v : i32, i32
    } do {
    ^bb0(%i: i32, %v: i32):
      tt.store %x, %i : !tt.ptr<i32>
      %after = arith.muli %i, %two : i32
      scf.yield %after, %i : i32, i32
    }
    %p = tt.addptr %x, %all#0 : !tt.ptr<i32>, i32
    tt.store %p, %all#1 : !tt.ptr<i32>
    tt.return
  }
  // More than 16 iterations, and no end at all: they stay.
  tt.func public @long(%x: !tt.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %end = arith.constant 131072 : i32
    %a = scf.while (%i = %one) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      tt.store %x, %i : !tt.ptr<i32>
      %after = arith.muli %i, %two : i32
      scf.yield %after : i32
    }
    %b = scf.while (%i = %zero) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      tt.store %x, %i : !tt.ptr<i32>
      %after = arith.muli %i, %two : i32
      scf.yield %after : i32
    }
    tt.store %x, %b : !tt.ptr<i32>
    tt.return
  }
  // What is loaded goes into the number, nothing says what a division by zero gives, and the condition loads: they stay.
  tt.func public @unknown(%x: !tt.ptr<i32>) {
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %end = arith.constant 16 : i32
    %a = scf.while (%i = %one) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %v = tt.load %x : !tt.ptr<i32>
      %after = arith.muli %i, %v : i32
      scf.yield %after : i32
    }
    %b = scf.while (%i = %one) : (i32) -> i32 {
      %divided = arith.divsi %end, %zero : i32
      %more = arith.cmpi slt, %i, %divided : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      tt.store %x, %i : !tt.ptr<i32>
      %after = arith.addi %i, %i : i32
      scf.yield %after : i32
    }
    %c = scf.while (%i = %one) : (i32) -> i32 {
      %v = tt.load %x {isVolatile = true} : !tt.ptr<i32>
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      tt.store %x, %i : !tt.ptr<i32>
      %after = arith.addi %i, %i : i32
      scf.yield %after : i32
    }
    %sum = arith.addi %a, %b : i32
    %all = arith.addi %sum, %c : i32
    tt.store %x, %all : !tt.ptr<i32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @doubles(%arg0: !tt.ptr<i32>) {
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %0 = scf.for %arg1 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg2 = %c1_i32) -> (i32)  : i32 {
      %1 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      tt.store %1, %arg2 : !tt.ptr<i32>
      %2 = arith.muli %arg2, %c2_i32 : i32
      scf.yield %2 : i32
    }
    tt.store %arg0, %0 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @halves(%arg0: !tt.ptr<f32>, %arg1: f32) -> f32 {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %c4_i32 = arith.constant 4 : i32
    %0:2 = scf.for %arg2 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg3 = %arg1, %arg4 = %c8_i32) -> (f32, i32)  : i32 {
      %1 = tt.addptr %arg0, %arg4 : !tt.ptr<f32>, i32
      %2 = tt.load %1 : !tt.ptr<f32>
      %3 = arith.addf %arg3, %2 : f32
      %4 = arith.shrsi %arg4, %c1_i32 : i32
      scf.yield %3, %4 : f32, i32
    }
    tt.return %0#0 : f32
  }
  tt.func public @ones(%arg0: !tt.ptr<i32>) {
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = scf.for %arg1 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg2 = %c1_i32) -> (i32)  : i32 {
      %1 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      tt.store %1, %arg2 : !tt.ptr<i32>
      %2 = arith.muli %arg2, %c2_i32 : i32
      %3 = arith.addi %2, %c1_i32 : i32
      scf.yield %3 : i32
    }
    tt.return
  }
  tt.func public @narrow(%arg0: !tt.ptr<i8>) {
    %c100_i8 = arith.constant 100 : i8
    %c1_i8 = arith.constant 1 : i8
    %c-56_i8 = arith.constant -56 : i8
    %c0_i32 = arith.constant 0 : i32
    %c7_i32 = arith.constant 7 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg1 = %c0_i32 to %c7_i32 step %c1_i32 iter_args(%arg2 = %c1_i8) -> (i8)  : i32 {
      tt.store %arg0, %arg2 : !tt.ptr<i8>
      %1 = arith.addi %arg2, %arg2 : i8
      scf.yield %1 : i8
    }
    tt.store %arg0, %c-56_i8 : !tt.ptr<i8>
    tt.store %arg0, %c100_i8 : !tt.ptr<i8>
    tt.return
  }
  tt.func public @both(%arg0: !tt.ptr<i32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i64 = arith.constant 2 : i64
    %c100_i64 = arith.constant 100 : i64
    %c3_i32 = arith.constant 3 : i32
    %0:2 = scf.for %arg1 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg2 = %c0_i32, %arg3 = %c100_i64) -> (i32, i64)  : i32 {
      %1 = arith.trunci %arg3 : i64 to i32
      %2 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      tt.store %2, %1 : !tt.ptr<i32>
      %3 = arith.addi %arg2, %arg2 : i32
      %4 = arith.addi %3, %c1_i32 : i32
      %5 = arith.divsi %arg3, %c2_i64 : i64
      scf.yield %4, %5 : i32, i64
    }
    tt.store %arg0, %0#0 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @none(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c16_i32 = arith.constant 16 : i32
    %0 = tt.addptr %arg0, %c16_i32 : !tt.ptr<i32>, i32
    tt.store %0, %arg1 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @long(%arg0: !tt.ptr<i32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c131072_i32 = arith.constant 131072 : i32
    %0 = scf.while (%arg1 = %c1_i32) : (i32) -> i32 {
      %2 = arith.cmpi slt, %arg1, %c131072_i32 : i32
      scf.condition(%2) %arg1 : i32
    } do {
    ^bb0(%arg1: i32):
      tt.store %arg0, %arg1 : !tt.ptr<i32>
      %2 = arith.muli %arg1, %c2_i32 : i32
      scf.yield %2 : i32
    }
    %1 = scf.while (%arg1 = %c0_i32) : (i32) -> i32 {
      %2 = arith.cmpi slt, %arg1, %c131072_i32 : i32
      scf.condition(%2) %arg1 : i32
    } do {
    ^bb0(%arg1: i32):
      tt.store %arg0, %arg1 : !tt.ptr<i32>
      %2 = arith.muli %arg1, %c2_i32 : i32
      scf.yield %2 : i32
    }
    tt.store %arg0, %1 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @unknown(%arg0: !tt.ptr<i32>) {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %0 = scf.while (%arg1 = %c1_i32) : (i32) -> i32 {
      %5 = arith.cmpi slt, %arg1, %c16_i32 : i32
      scf.condition(%5) %arg1 : i32
    } do {
    ^bb0(%arg1: i32):
      %5 = tt.load %arg0 : !tt.ptr<i32>
      %6 = arith.muli %arg1, %5 : i32
      scf.yield %6 : i32
    }
    %1 = scf.while (%arg1 = %c1_i32) : (i32) -> i32 {
      %5 = arith.divsi %c16_i32, %c0_i32 : i32
      %6 = arith.cmpi slt, %arg1, %5 : i32
      scf.condition(%6) %arg1 : i32
    } do {
    ^bb0(%arg1: i32):
      tt.store %arg0, %arg1 : !tt.ptr<i32>
      %5 = arith.addi %arg1, %arg1 : i32
      scf.yield %5 : i32
    }
    %2 = scf.while (%arg1 = %c1_i32) : (i32) -> i32 {
      %5 = tt.load %arg0 {isVolatile = true} : !tt.ptr<i32>
      %6 = arith.cmpi slt, %arg1, %c16_i32 : i32
      scf.condition(%6) %arg1 : i32
    } do {
    ^bb0(%arg1: i32):
      tt.store %arg0, %arg1 : !tt.ptr<i32>
      %5 = arith.addi %arg1, %arg1 : i32
      scf.yield %5 : i32
    }
    %3 = arith.addi %0, %1 : i32
    %4 = arith.addi %3, %2 : i32
    tt.store %arg0, %4 : !tt.ptr<i32>
    tt.return
  }
}

