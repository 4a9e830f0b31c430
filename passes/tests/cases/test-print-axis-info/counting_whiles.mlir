// passes: test-print-axis-info
// A quotient of (16 * n + range) by 16 is constant over 16 neighbors where n is not negative.
module {
  // The number does not fall below zero, whatever the step is, and the bound is above zero where the body runs.
  tt.func public @counts_up(%end: i32, %step: i32) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %sixteen = arith.constant dense<16> : tensor<128xi32>
    %r = scf.while (%i = %c0) : (i32) -> i32 {
      %goes_on = arith.cmpi slt, %i, %end : i32
      scf.condition(%goes_on) %i : i32
    } do {
    ^bb0(%n: i32):
      %number_16 = arith.muli %n, %c16 : i32
      %number_all = tt.splat %number_16 : i32 -> tensor<128xi32>
      %number_sum = arith.addi %range, %number_all : tensor<128xi32>
      %number = arith.divsi %number_sum, %sixteen : tensor<128xi32>
      %end_16 = arith.muli %end, %c16 : i32
      %end_all = tt.splat %end_16 : i32 -> tensor<128xi32>
      %end_sum = arith.addi %range, %end_all : tensor<128xi32>
      %of_end = arith.divsi %end_sum, %sixteen : tensor<128xi32>
      %next = arith.addi %n, %step : i32
      scf.yield %next : i32
    }
    %behind_16 = arith.muli %r, %c16 : i32
    %behind_all = tt.splat %behind_16 : i32 -> tensor<128xi32>
    %behind_sum = arith.addi %range, %behind_all : tensor<128xi32>
    %behind = arith.divsi %behind_sum, %sixteen : tensor<128xi32>
    tt.return
  }
  // The second of two numbers is compared, on the right, and the bound may be reached: it may be zero.
  tt.func public @reaches(%end: i32, %step: i32, %other: i32) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %sixteen = arith.constant dense<16> : tensor<128xi32>
    %r:2 = scf.while (%j = %c0, %i = %c0) : (i32, i32) -> (i32, i32) {
      %goes_on = arith.cmpi sge, %end, %i : i32
      scf.condition(%goes_on) %i, %j : i32, i32
    } do {
    ^bb0(%n: i32, %m: i32):
      %number_16 = arith.muli %n, %c16 : i32
      %number_all = tt.splat %number_16 : i32 -> tensor<128xi32>
      %number_sum = arith.addi %range, %number_all : tensor<128xi32>
      %number = arith.divsi %number_sum, %sixteen : tensor<128xi32>
      %other_16 = arith.muli %m, %c16 : i32
      %other_all = tt.splat %other_16 : i32 -> tensor<128xi32>
      %other_sum = arith.addi %range, %other_all : tensor<128xi32>
      %of_other = arith.divsi %other_sum, %sixteen : tensor<128xi32>
      %next = arith.addi %step, %n : i32
      %next_other = arith.addi %m, %other : i32
      scf.yield %next_other, %next : i32, i32
    }
    tt.return
  }
  // The loop may end while the number falls.
  tt.func public @asks_more(%end: i32, %last: i32, %step: i32) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %sixteen = arith.constant dense<16> : tensor<128xi32>
    %r = scf.while (%i = %c0) : (i32) -> i32 {
      %below = arith.cmpi slt, %i, %end : i32
      %above = arith.cmpi sgt, %i, %last : i32
      %goes_on = arith.andi %below, %above : i1
      scf.condition(%goes_on) %i : i32
    } do {
    ^bb0(%n: i32):
      %number_16 = arith.muli %n, %c16 : i32
      %number_all = tt.splat %number_16 : i32 -> tensor<128xi32>
      %number_sum = arith.addi %range, %number_all : tensor<128xi32>
      %number = arith.divsi %number_sum, %sixteen : tensor<128xi32>
      %next = arith.addi %n, %step : i32
      scf.yield %next : i32
    }
    tt.return
  }
  // The number starts anywhere; the bound is one of the loop; the step is; it is a constant below zero.
  tt.func public @others(%from: i32, %end: i32, %step: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %below_zero = arith.constant -1 : i32
    %c16 = arith.constant 16 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %sixteen = arith.constant dense<16> : tensor<128xi32>
    %r0 = scf.while (%i = %from) : (i32) -> i32 {
      %goes_on = arith.cmpi slt, %i, %end : i32
      scf.condition(%goes_on) %i : i32
    } do {
    ^bb0(%n: i32):
      %start_16 = arith.muli %n, %c16 : i32
      %start_all = tt.splat %start_16 : i32 -> tensor<128xi32>
      %start_sum = arith.addi %range, %start_all : tensor<128xi32>
      %start = arith.divsi %start_sum, %sixteen : tensor<128xi32>
      %next = arith.addi %n, %step : i32
      scf.yield %next : i32
    }
    %r1:2 = scf.while (%i = %c0, %e = %end) : (i32, i32) -> (i32, i32) {
      %goes_on = arith.cmpi slt, %i, %e : i32
      scf.condition(%goes_on) %i, %e : i32, i32
    } do {
    ^bb0(%n: i32, %e: i32):
      %bound_16 = arith.muli %n, %c16 : i32
      %bound_all = tt.splat %bound_16 : i32 -> tensor<128xi32>
      %bound_sum = arith.addi %range, %bound_all : tensor<128xi32>
      %bound = arith.divsi %bound_sum, %sixteen : tensor<128xi32>
      %next = arith.addi %n, %step : i32
      %nearer = arith.subi %e, %c1 : i32
      scf.yield %next, %nearer : i32, i32
    }
    %r2:2 = scf.while (%i = %c0, %s = %step) : (i32, i32) -> (i32, i32) {
      %goes_on = arith.cmpi slt, %i, %end : i32
      scf.condition(%goes_on) %i, %s : i32, i32
    } do {
    ^bb0(%n: i32, %s: i32):
      %changed_16 = arith.muli %n, %c16 : i32
      %changed_all = tt.splat %changed_16 : i32 -> tensor<128xi32>
      %changed_sum = arith.addi %range, %changed_all : tensor<128xi32>
      %changed = arith.divsi %changed_sum, %sixteen : tensor<128xi32>
      %next = arith.addi %n, %s : i32
      %more = arith.addi %s, %c1 : i32
      scf.yield %next, %more : i32, i32
    }
    %r3 = scf.while (%i = %c0) : (i32) -> i32 {
      %goes_on = arith.cmpi slt, %i, %end : i32
      scf.condition(%goes_on) %i : i32
    } do {
    ^bb0(%n: i32):
      %falling_16 = arith.muli %n, %c16 : i32
      %falling_all = tt.splat %falling_16 : i32 -> tensor<128xi32>
      %falling_sum = arith.addi %range, %falling_all : tensor<128xi32>
      %falling = arith.divsi %falling_sum, %sixteen : tensor<128xi32>
      %next = arith.addi %n, %below_zero : i32
      scf.yield %next : i32
    }
    tt.return
  }
}
// ----- expect
module {
  tt.func public @counts_up(%arg0: i32, %arg1: i32) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c16_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = 16"} 16 : i32
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = 16"} dense<16> : tensor<128xi32>
    %1 = scf.while (%arg2 = %c0_i32) : (i32) -> i32 {
      %6 = arith.cmpi slt, %arg2, %arg0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.condition(%6) %arg2 : i32
    } do {
    ^bb0(%arg2: i32):
      %6 = arith.muli %arg2, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %7 = tt.splat %6 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %8 = arith.addi %0, %7 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %9 = arith.divsi %8, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
      %10 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %11 = tt.splat %10 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %12 = arith.addi %0, %11 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %13 = arith.divsi %12, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
      %14 = arith.addi %arg2, %arg1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %14 : i32
    } attributes {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    %2 = arith.muli %1, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
    %3 = tt.splat %2 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %4 = arith.addi %0, %3 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %5 = arith.divsi %4, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    tt.return
  }
  tt.func public @reaches(%arg0: i32, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c16_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = 16"} 16 : i32
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = 16"} dense<16> : tensor<128xi32>
    %1:2 = scf.while (%arg3 = %c0_i32, %arg4 = %c0_i32) : (i32, i32) -> (i32, i32) {
      %2 = arith.cmpi sge, %arg0, %arg4 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.condition(%2) %arg4, %arg3 : i32, i32
    } do {
    ^bb0(%arg3: i32, %arg4: i32):
      %2 = arith.muli %arg3, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %3 = tt.splat %2 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %4 = arith.addi %0, %3 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %5 = arith.divsi %4, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
      %6 = arith.muli %arg4, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %7 = tt.splat %6 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %8 = arith.addi %0, %7 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %9 = arith.divsi %8, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %10 = arith.addi %arg1, %arg3 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      %11 = arith.addi %arg4, %arg2 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %11, %10 : i32, i32
    } attributes {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none> ; contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    tt.return
  }
  tt.func public @asks_more(%arg0: i32, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c16_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = 16"} 16 : i32
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = 16"} dense<16> : tensor<128xi32>
    %1 = scf.while (%arg3 = %c0_i32) : (i32) -> i32 {
      %2 = arith.cmpi slt, %arg3, %arg0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      %3 = arith.cmpi sgt, %arg3, %arg1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      %4 = arith.andi %2, %3 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i1
      scf.condition(%4) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %2 = arith.muli %arg3, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %3 = tt.splat %2 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %4 = arith.addi %0, %3 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %5 = arith.divsi %4, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %6 = arith.addi %arg3, %arg2 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %6 : i32
    } attributes {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    tt.return
  }
  tt.func public @others(%arg0: i32, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c1_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 1"} 1 : i32
    %c-1_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = -1"} -1 : i32
    %c16_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = 16"} 16 : i32
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = 16"} dense<16> : tensor<128xi32>
    %1 = scf.while (%arg3 = %arg0) : (i32) -> i32 {
      %5 = arith.cmpi slt, %arg3, %arg1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.condition(%5) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %5 = arith.muli %arg3, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %6 = tt.splat %5 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %7 = arith.addi %0, %6 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %8 = arith.divsi %7, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %9 = arith.addi %arg3, %arg2 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %9 : i32
    } attributes {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    %2:2 = scf.while (%arg3 = %c0_i32, %arg4 = %arg1) : (i32, i32) -> (i32, i32) {
      %5 = arith.cmpi slt, %arg3, %arg4 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.condition(%5) %arg3, %arg4 : i32, i32
    } do {
    ^bb0(%arg3: i32, %arg4: i32):
      %5 = arith.muli %arg3, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %6 = tt.splat %5 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %7 = arith.addi %0, %6 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %8 = arith.divsi %7, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %9 = arith.addi %arg3, %arg2 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      %10 = arith.subi %arg4, %c1_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %9, %10 : i32, i32
    } attributes {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none> ; contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    %3:2 = scf.while (%arg3 = %c0_i32, %arg4 = %arg2) : (i32, i32) -> (i32, i32) {
      %5 = arith.cmpi slt, %arg3, %arg1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.condition(%5) %arg3, %arg4 : i32, i32
    } do {
    ^bb0(%arg3: i32, %arg4: i32):
      %5 = arith.muli %arg3, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %6 = tt.splat %5 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %7 = arith.addi %0, %6 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %8 = arith.divsi %7, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %9 = arith.addi %arg3, %arg4 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      %10 = arith.addi %arg4, %c1_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %9, %10 : i32, i32
    } attributes {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none> ; contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    %4 = scf.while (%arg3 = %c0_i32) : (i32) -> i32 {
      %5 = arith.cmpi slt, %arg3, %arg1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.condition(%5) %arg3 : i32
    } do {
    ^bb0(%arg3: i32):
      %5 = arith.muli %arg3, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %6 = tt.splat %5 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %7 = arith.addi %0, %6 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %8 = arith.divsi %7, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %9 = arith.addi %arg3, %c-1_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %9 : i32
    } attributes {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    tt.return
  }
}

