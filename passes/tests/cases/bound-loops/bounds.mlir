// passes: bound-loops,canonicalize,cse
module {
  // Up to an end, which is computed in the loop: nothing is left of the branch.
  tt.func public @up(%x: !tt.ptr<i32>, %size: i32, %block: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 64 : i32
    scf.for %k = %zero to %size step %step : i32 {
      %next = arith.addi %block, %one : i32
      %end = arith.muli %next, %step : i32
      %holds = arith.cmpi slt, %k, %end : i32
      scf.if %holds {
        %p = tt.addptr %x, %k : !tt.ptr<i32>, i32
        tt.store %p, %k : !tt.ptr<i32>
      }
    }
    tt.return
  }
  // A window: both bounds, from multiples and sums. What else is asked stays.
  tt.func public @window(%x: !tt.ptr<i32>, %size: i32, %low: i32, %high: i32, %flag: i1) -> i32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %seven = arith.constant 7 : i32
    %eight = arith.constant 8 : i32
    %sum = scf.for %k = %zero to %size step %one iter_args(%sum = %zero) -> (i32) : i32 {
      %first = arith.muli %k, %eight : i32
      %last = arith.addi %first, %seven : i32
      %above = arith.cmpi sge, %last, %low : i32
      %below = arith.cmpi sgt, %high, %first : i32
      %both = arith.andi %above, %below : i1
      %all = arith.andi %both, %flag : i1
      %next = scf.if %all -> (i32) {
        %p = tt.addptr %x, %k : !tt.ptr<i32>, i32
        %v = tt.load %p : !tt.ptr<i32>
        %more = arith.addi %sum, %v : i32
        scf.yield %more : i32
      } else {
        scf.yield %sum : i32
      }
      scf.yield %next : i32
    }
    tt.return %sum : i32
  }
  // Pointers move on in iterations at the end that do nothing; at the start they must.
  tt.func public @moves(%x: !tt.ptr<i32>, %size: i32, %end: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %a = scf.for %k = %zero to %size step %one iter_args(%p = %x) -> (!tt.ptr<i32>) : i32 {
      %holds = arith.cmpi sle, %k, %end : i32
      scf.if %holds {
        tt.store %p, %k : !tt.ptr<i32>
      }
      %q = tt.addptr %p, %one : !tt.ptr<i32>, i32
      scf.yield %q : !tt.ptr<i32>
    }
    %b = scf.for %k = %zero to %size step %one iter_args(%p = %x) -> (!tt.ptr<i32>) : i32 {
      %holds = arith.cmpi sgt, %k, %end : i32
      scf.if %holds {
        tt.store %p, %k : !tt.ptr<i32>
      }
      %q = tt.addptr %p, %one : !tt.ptr<i32>, i32
      scf.yield %q : !tt.ptr<i32>
    }
    tt.return
  }
  // Few iterations, another effect, something else instead, and an end that changes: they stay.
  tt.func public @others(%x: !tt.ptr<i32>, %size: i32, %end: i32) -> i32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    scf.for %k = %zero to %four step %one : i32 {
      %holds = arith.cmpi slt, %k, %end : i32
      scf.if %holds {
        tt.store %x, %k : !tt.ptr<i32>
      }
    }
    scf.for %k = %zero to %size step %one : i32 {
      %holds = arith.cmpi slt, %k, %end : i32
      scf.if %holds {
        tt.store %x, %k : !tt.ptr<i32>
      }
      tt.store %x, %end : !tt.ptr<i32>
    }
    %sum = scf.for %k = %zero to %size step %one iter_args(%sum = %end) -> (i32) : i32 {
      %holds = arith.cmpi slt, %k, %end : i32
      %next = scf.if %holds -> (i32) {
        tt.store %x, %k : !tt.ptr<i32>
        scf.yield %k : i32
      } else {
        scf.yield %zero : i32
      }
      scf.yield %next : i32
    }
    %last = scf.for %k = %zero to %size step %one iter_args(%last = %sum) -> (i32) : i32 {
      %holds = arith.cmpi slt, %k, %last : i32
      %next = scf.if %holds -> (i32) {
        tt.store %x, %k : !tt.ptr<i32>
        scf.yield %k : i32
      } else {
        scf.yield %last : i32
      }
      scf.yield %next : i32
    }
    tt.return %last : i32
  }
}
// ----- expect
module {
  tt.func public @up(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = arith.addi %arg2, %c1_i32 : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = arith.minsi %arg1, %1 : i32
    scf.for %arg3 = %c0_i32 to %2 step %c64_i32  : i32 {
      %3 = tt.addptr %arg0, %arg3 : !tt.ptr<i32>, i32
      tt.store %3, %arg3 : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func public @window(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i1) -> i32 {
    %c-7_i32 = arith.constant -7 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c8_i32 = arith.constant 8 : i32
    %c-2147483640_i32 = arith.constant -2147483640 : i32
    %0 = arith.maxsi %arg2, %c-2147483640_i32 : i32
    %1 = arith.addi %0, %c-7_i32 : i32
    %2 = arith.divsi %1, %c8_i32 : i32
    %3 = arith.remsi %1, %c8_i32 : i32
    %4 = arith.cmpi sgt, %3, %c0_i32 : i32
    %5 = arith.extui %4 : i1 to i32
    %6 = arith.addi %2, %5 : i32
    %7 = arith.minsi %arg1, %6 : i32
    %8 = arith.maxsi %7, %c0_i32 : i32
    %9 = arith.divsi %arg3, %c8_i32 : i32
    %10 = arith.remsi %arg3, %c8_i32 : i32
    %11 = arith.cmpi sgt, %10, %c0_i32 : i32
    %12 = arith.extui %11 : i1 to i32
    %13 = arith.addi %9, %12 : i32
    %14 = arith.minsi %arg1, %13 : i32
    %15 = scf.for %arg5 = %8 to %14 step %c1_i32 iter_args(%arg6 = %c0_i32) -> (i32)  : i32 {
      %16 = scf.if %arg4 -> (i32) {
        %17 = tt.addptr %arg0, %arg5 : !tt.ptr<i32>, i32
        %18 = tt.load %17 : !tt.ptr<i32>
        %19 = arith.addi %arg6, %18 : i32
        scf.yield %19 : i32
      } else {
        scf.yield %arg6 : i32
      }
      scf.yield %16 : i32
    }
    tt.return %15 : i32
  }
  tt.func public @moves(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2147483646_i32 = arith.constant 2147483646 : i32
    %0 = arith.minsi %arg2, %c2147483646_i32 : i32
    %1 = arith.addi %0, %c1_i32 : i32
    %2 = arith.minsi %arg1, %1 : i32
    %3 = scf.for %arg3 = %c0_i32 to %2 step %c1_i32 iter_args(%arg4 = %arg0) -> (!tt.ptr<i32>)  : i32 {
      tt.store %arg4, %arg3 : !tt.ptr<i32>
      %5 = tt.addptr %arg4, %c1_i32 : !tt.ptr<i32>, i32
      scf.yield %5 : !tt.ptr<i32>
    }
    %4 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %arg0) -> (!tt.ptr<i32>)  : i32 {
      %5 = arith.cmpi sgt, %arg3, %arg2 : i32
      scf.if %5 {
        tt.store %arg4, %arg3 : !tt.ptr<i32>
      }
      %6 = tt.addptr %arg4, %c1_i32 : !tt.ptr<i32>, i32
      scf.yield %6 : !tt.ptr<i32>
    }
    tt.return
  }
  tt.func public @others(%arg0: !tt.ptr<i32>, %arg1: i32, %arg2: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    scf.for %arg3 = %c0_i32 to %c4_i32 step %c1_i32  : i32 {
      %2 = arith.cmpi slt, %arg3, %arg2 : i32
      scf.if %2 {
        tt.store %arg0, %arg3 : !tt.ptr<i32>
      }
    }
    scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %2 = arith.cmpi slt, %arg3, %arg2 : i32
      scf.if %2 {
        tt.store %arg0, %arg3 : !tt.ptr<i32>
      }
      tt.store %arg0, %arg2 : !tt.ptr<i32>
    }
    %0 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %arg2) -> (i32)  : i32 {
      %2 = arith.cmpi slt, %arg3, %arg2 : i32
      %3 = arith.select %2, %arg3, %c0_i32 : i32
      scf.if %2 {
        tt.store %arg0, %arg3 : !tt.ptr<i32>
      }
      scf.yield %3 : i32
    }
    %1 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %0) -> (i32)  : i32 {
      %2 = arith.cmpi slt, %arg3, %arg4 : i32
      %3 = arith.select %2, %arg3, %arg4 : i32
      scf.if %2 {
        tt.store %arg0, %arg3 : !tt.ptr<i32>
      }
      scf.yield %3 : i32
    }
    tt.return %1 : i32
  }
}

