// passes: test-print-axis-info
// C division rounds toward zero: (-64 + i) / 16 is not constant over 16 neighbors, and its remainder does not count up.
module {
  tt.func public @negative(%n: i32 {tt.divisibility = 16 : i32}) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %c64 = arith.constant dense<64> : tensor<128xi32>
    %c16 = arith.constant dense<16> : tensor<128xi32>
    %below = arith.subi %range, %c64 : tensor<128xi32>
    %quotient = arith.divsi %below, %c16 : tensor<128xi32>
    %remainder = arith.remsi %below, %c16 : tensor<128xi32>
    %good_quotient = arith.divsi %range, %c16 : tensor<128xi32>
    %good_remainder = arith.remsi %range, %c16 : tensor<128xi32>
    %unsigned = arith.divui %below, %c16 : tensor<128xi32>
    %shifted = arith.shrsi %below, %c16 : tensor<128xi32>
    %n_all = tt.splat %n : i32 -> tensor<128xi32>
    %argument = arith.addi %range, %n_all : tensor<128xi32>
    %unknown_sign = arith.remsi %argument, %c16 : tensor<128xi32>
    %zero = arith.constant 0 : i32
    %positive = arith.cmpi sge, %n, %zero : i32
    llvm.intr.assume %positive : i1
    %n_again = tt.splat %n : i32 -> tensor<128xi32>
    %assumed = arith.addi %range, %n_again : tensor<128xi32>
    %known_sign = arith.remsi %assumed, %c16 : tensor<128xi32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @negative(%arg0: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [64], constancy = [128], constant_value = 64"} dense<64> : tensor<128xi32>
    %cst_0 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = 16"} dense<16> : tensor<128xi32>
    %1 = arith.subi %0, %cst {axis_info = "contiguity = [128], divisibility = [64], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %2 = arith.divsi %1, %cst_0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %3 = arith.remsi %1, %cst_0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %4 = arith.divsi %0, %cst_0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    %5 = arith.remsi %0, %cst_0 {axis_info = "contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %6 = arith.divui %1, %cst_0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    %7 = arith.shrsi %1, %cst_0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [64], constant_value = <none>"} : tensor<128xi32>
    %8 = tt.splat %arg0 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %9 = arith.addi %0, %8 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %10 = arith.remsi %9, %cst_0 {axis_info = "contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %11 = arith.cmpi sge, %arg0, %c0_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    llvm.intr.assume %11 : i1
    %12 = tt.splat %arg0 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %13 = arith.addi %0, %12 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %14 = arith.remsi %13, %cst_0 {axis_info = "contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    tt.return
  }
}

