// passes: test-print-axis-info
// A quotient of (16 * n + range) by 16 is constant over 16 neighbors where n is not negative.
module {
  // A body that runs says that its end is above zero, and so that what the end is computed from is; only the body may use it.
  tt.func public @running(%n: i32, %m: i32, %from: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c64 = arith.constant 64 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %sixteen = arith.constant dense<16> : tensor<128xi32>
    %c63 = arith.constant 63 : i32
    %raised = arith.addi %n, %c63 : i32
    %blocks = arith.divsi %raised, %c64 : i32
    %before_16 = arith.muli %n, %c16 : i32
    %before_all = tt.splat %before_16 : i32 -> tensor<128xi32>
    %before_sum = arith.addi %range, %before_all : tensor<128xi32>
    %before = arith.divsi %before_sum, %sixteen : tensor<128xi32>
    scf.for %i = %c0 to %blocks step %c1  : i32 {
      %inside_16 = arith.muli %n, %c16 : i32
      %inside_all = tt.splat %inside_16 : i32 -> tensor<128xi32>
      %inside_sum = arith.addi %range, %inside_all : tensor<128xi32>
      %inside = arith.divsi %inside_sum, %sixteen : tensor<128xi32>
      %earlier_quotient = arith.divsi %before_sum, %sixteen : tensor<128xi32>
    }
    scf.for %i = %from to %blocks step %c1  : i32 {
      %unknown_start_16 = arith.muli %n, %c16 : i32
      %unknown_start_all = tt.splat %unknown_start_16 : i32 -> tensor<128xi32>
      %unknown_start_sum = arith.addi %range, %unknown_start_all : tensor<128xi32>
      %unknown_start = arith.divsi %unknown_start_sum, %sixteen : tensor<128xi32>
    }
    %after_16 = arith.muli %n, %c16 : i32
    %after_all = tt.splat %after_16 : i32 -> tensor<128xi32>
    %after_sum = arith.addi %range, %after_all : tensor<128xi32>
    %after = arith.divsi %after_sum, %sixteen : tensor<128xi32>
    %least = arith.minsi %m, %n : i32
    scf.for %i = %c0 to %least step %c1  : i32 {
      %of_min_16 = arith.muli %m, %c16 : i32
      %of_min_all = tt.splat %of_min_16 : i32 -> tensor<128xi32>
      %of_min_sum = arith.addi %range, %of_min_all : tensor<128xi32>
      %of_min = arith.divsi %of_min_sum, %sixteen : tensor<128xi32>
    }
    %most = arith.maxsi %m, %n : i32
    scf.for %i = %c0 to %most step %c1  : i32 {
      %of_max_16 = arith.muli %m, %c16 : i32
      %of_max_all = tt.splat %of_max_16 : i32 -> tensor<128xi32>
      %of_max_sum = arith.addi %range, %of_max_all : tensor<128xi32>
      %of_max = arith.divsi %of_max_sum, %sixteen : tensor<128xi32>
    }
    // -1 and 65 more is 64: the quotient is one, and n is negative.
    %c65 = arith.constant 65 : i32
    %raised_further = arith.addi %n, %c65 : i32
    %one_more = arith.divsi %raised_further, %c64 : i32
    scf.for %i = %c0 to %one_more step %c1  : i32 {
      %raised_too_far_16 = arith.muli %n, %c16 : i32
      %raised_too_far_all = tt.splat %raised_too_far_16 : i32 -> tensor<128xi32>
      %raised_too_far_sum = arith.addi %range, %raised_too_far_all : tensor<128xi32>
      %raised_too_far = arith.divsi %raised_too_far_sum, %sixteen : tensor<128xi32>
    }
    tt.return
  }
  // What a branch is taken for holds on its own side, and not for what both give.
  tt.func public @guarded(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c64 = arith.constant 64 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %sixteen = arith.constant dense<16> : tensor<128xi32>
    %positive = arith.cmpi sgt, %n, %c0 : i32
    %r = scf.if %positive -> (i32) {
      %then_16 = arith.muli %n, %c16 : i32
      %then_all = tt.splat %then_16 : i32 -> tensor<128xi32>
      %then_sum = arith.addi %range, %then_all : tensor<128xi32>
      %then = arith.divsi %then_sum, %sixteen : tensor<128xi32>
      scf.yield %n : i32
    } else {
      %otherwise_16 = arith.muli %n, %c16 : i32
      %otherwise_all = tt.splat %otherwise_16 : i32 -> tensor<128xi32>
      %otherwise_sum = arith.addi %range, %otherwise_all : tensor<128xi32>
      %otherwise = arith.divsi %otherwise_sum, %sixteen : tensor<128xi32>
      scf.yield %n : i32
    }
    %joined_16 = arith.muli %r, %c16 : i32
    %joined_all = tt.splat %joined_16 : i32 -> tensor<128xi32>
    %joined_sum = arith.addi %range, %joined_all : tensor<128xi32>
    %joined = arith.divsi %joined_sum, %sixteen : tensor<128xi32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @running(%arg0: i32, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c1_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 1"} 1 : i32
    %c16_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = 16"} 16 : i32
    %c64_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [64], constancy = [1], constant_value = 64"} 64 : i32
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = 16"} dense<16> : tensor<128xi32>
    %c63_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 63"} 63 : i32
    %1 = arith.addi %arg0, %c63_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %2 = arith.divsi %1, %c64_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %3 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
    %4 = tt.splat %3 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %5 = arith.addi %0, %4 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %6 = arith.divsi %5, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    scf.for %arg3 = %c0_i32 to %2 step %c1_i32  : i32 {
      %15 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %16 = tt.splat %15 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %17 = arith.addi %0, %16 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %18 = arith.divsi %17, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
      %19 = arith.divsi %5, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    }
    scf.for %arg3 = %arg2 to %2 step %c1_i32  : i32 {
      %15 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %16 = tt.splat %15 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %17 = arith.addi %0, %16 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %18 = arith.divsi %17, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    }
    %7 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
    %8 = tt.splat %7 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %9 = arith.addi %0, %8 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %10 = arith.divsi %9, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %11 = arith.minsi %arg1, %arg0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    scf.for %arg3 = %c0_i32 to %11 step %c1_i32  : i32 {
      %15 = arith.muli %arg1, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %16 = tt.splat %15 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %17 = arith.addi %0, %16 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %18 = arith.divsi %17, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    }
    %12 = arith.maxsi %arg1, %arg0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    scf.for %arg3 = %c0_i32 to %12 step %c1_i32  : i32 {
      %15 = arith.muli %arg1, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %16 = tt.splat %15 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %17 = arith.addi %0, %16 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %18 = arith.divsi %17, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    }
    %c65_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 65"} 65 : i32
    %13 = arith.addi %arg0, %c65_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %14 = arith.divsi %13, %c64_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    scf.for %arg3 = %c0_i32 to %14 step %c1_i32  : i32 {
      %15 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %16 = tt.splat %15 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %17 = arith.addi %0, %16 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %18 = arith.divsi %17, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    }
    tt.return
  }
  tt.func public @guarded(%arg0: i32) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c1_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 1"} 1 : i32
    %c16_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = 16"} 16 : i32
    %c64_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [64], constancy = [1], constant_value = 64"} 64 : i32
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = 16"} dense<16> : tensor<128xi32>
    %1 = arith.cmpi sgt, %arg0, %c0_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %2 = scf.if %1 -> (i32) {
      %7 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %8 = tt.splat %7 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %9 = arith.addi %0, %8 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %10 = arith.divsi %9, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
      scf.yield %arg0 : i32
    } else {
      %7 = arith.muli %arg0, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %8 = tt.splat %7 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
      %9 = arith.addi %0, %8 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      %10 = arith.divsi %9, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
      scf.yield %arg0 : i32
    } {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    %3 = arith.muli %2, %c16_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
    %4 = tt.splat %3 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %5 = arith.addi %0, %4 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %6 = arith.divsi %5, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    tt.return
  }
}

