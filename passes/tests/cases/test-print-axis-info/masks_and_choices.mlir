// passes: test-print-axis-info
// `x & -16` rounds down, `x & 15` is a remainder; a choice keeps the alignment of both sides.
module {
  tt.func public @masks(%n: i32 {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 8 : i32}, %flag: i1) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %down = arith.constant dense<-16> : tensor<128xi32>
    %low = arith.constant dense<15> : tensor<128xi32>
    %rounded = arith.andi %range, %down : tensor<128xi32>
    %rest = arith.andi %range, %low : tensor<128xi32>
    %n_all = tt.splat %n : i32 -> tensor<128xi32>
    %m_all = tt.splat %m : i32 -> tensor<128xi32>
    %either = arith.ori %n_all, %m_all : tensor<128xi32>
    %limit = arith.cmpi slt, %range, %n_all : tensor<128xi32>
    %chosen = arith.select %limit, %n_all, %m_all : tensor<128xi1>, tensor<128xi32>
    %chosen_range = arith.select %limit, %range, %n_all : tensor<128xi1>, tensor<128xi32>
    %whole = arith.select %flag, %range, %rounded : tensor<128xi32>
    %scalar = arith.select %flag, %n, %m : i32
    tt.return
  }
}
// ----- expect
module {
  tt.func public @masks(%arg0: i32 {tt.divisibility = 16 : i32}, %arg1: i32 {tt.divisibility = 8 : i32}, %arg2: i1) {
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = -16"} dense<-16> : tensor<128xi32>
    %cst_0 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [128], constant_value = 15"} dense<15> : tensor<128xi32>
    %1 = arith.andi %0, %cst {axis_info = "contiguity = [1], divisibility = [16], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    %2 = arith.andi %0, %cst_0 {axis_info = "contiguity = [16], divisibility = [4611686018427387904], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %3 = tt.splat %arg0 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %4 = tt.splat %arg1 {axis_info = "contiguity = [1], divisibility = [8], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %5 = arith.ori %3, %4 {axis_info = "contiguity = [1], divisibility = [8], constancy = [128], constant_value = <none>"} : tensor<128xi32>
    %6 = arith.cmpi slt, %0, %3 {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    %7 = arith.select %6, %3, %4 {axis_info = "contiguity = [1], divisibility = [8], constancy = [16], constant_value = <none>"} : tensor<128xi1>, tensor<128xi32>
    %8 = arith.select %6, %0, %3 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi1>, tensor<128xi32>
    %9 = arith.select %arg2, %0, %1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %10 = arith.select %arg2, %arg0, %arg1 {axis_info = "contiguity = [1], divisibility = [8], constancy = [1], constant_value = <none>"} : i32
    tt.return
  }
}

