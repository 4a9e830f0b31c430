// passes: test-print-axis-info
module {
  tt.func public @arithmetic(%n: i32 {tt.divisibility = 16 : i32}, %m: i32, %p: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %late = tt.make_range {end = 160 : i32, start = 32 : i32} : tensor<128xi32>
    %c2 = arith.constant dense<2> : tensor<128xi32>
    %c4 = arith.constant dense<4> : tensor<128xi32>
    %c1 = arith.constant dense<1> : tensor<128xi32>
    %n_all = tt.splat %n : i32 -> tensor<128xi32>
    %m_all = tt.splat %m : i32 -> tensor<128xi32>
    %add_aligned = arith.addi %range, %n_all : tensor<128xi32>
    %add_any = arith.addi %range, %m_all : tensor<128xi32>
    %add_ranges = arith.addi %range, %late : tensor<128xi32>
    %sub_parallel = arith.subi %late, %range : tensor<128xi32>
    %sub_aligned = arith.subi %range, %n_all : tensor<128xi32>
    %descending = arith.subi %n_all, %range : tensor<128xi32>
    %mul = arith.muli %range, %c4 : tensor<128xi32>
    %mul_one = arith.muli %range, %c1 : tensor<128xi32>
    %div = arith.divsi %range, %c4 : tensor<128xi32>
    %div_even = arith.divsi %n_all, %c4 : tensor<128xi32>
    %rem = arith.remsi %range, %c4 : tensor<128xi32>
    %rem_aligned = arith.remsi %range, %n_all : tensor<128xi32>
    %rem_any = arith.remsi %range, %m_all : tensor<128xi32>
    %shl = arith.shli %n_all, %c2 : tensor<128xi32>
    %shl_unknown = arith.shli %n_all, %m_all : tensor<128xi32>
    %shr = arith.shrsi %range, %c2 : tensor<128xi32>
    %min = arith.minsi %range, %late : tensor<128xi32>
    %less = arith.cmpi slt, %range, %n_all : tensor<128xi32>
    %less_any = arith.cmpi slt, %range, %m_all : tensor<128xi32>
    %greater = arith.cmpi sgt, %n_all, %range : tensor<128xi32>
    %equal = arith.cmpi eq, %range, %n_all : tensor<128xi32>
    %wide = arith.extsi %range : tensor<128xi32> to tensor<128xi64>
    %pointers = tt.splat %p : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>>
    %moved = tt.addptr %pointers, %rem_aligned : tensor<128x!tt.ptr<f16>>, tensor<128xi32>
    %constant = arith.addi %c2, %c4 : tensor<128xi32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @arithmetic(%arg0: i32 {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.make_range {axis_info = "contiguity = [128], divisibility = [32], constancy = [1], constant_value = <none>", end = 160 : i32, start = 32 : i32} : tensor<128xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [2], constancy = [128], constant_value = 2"} dense<2> : tensor<128xi32>
    %cst_0 = arith.constant {axis_info = "contiguity = [1], divisibility = [4], constancy = [128], constant_value = 4"} dense<4> : tensor<128xi32>
    %cst_1 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [128], constant_value = 1"} dense<1> : tensor<128xi32>
    %2 = tt.splat %arg0 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %3 = tt.splat %arg1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %4 = arith.addi %0, %2 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %5 = arith.addi %0, %3 {axis_info = "contiguity = [128], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %6 = arith.addi %0, %1 {axis_info = "contiguity = [1], divisibility = [2], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %7 = arith.subi %1, %0 {axis_info = "contiguity = [1], divisibility = [32], constancy = [128], constant_value = <none>"} : tensor<128xi32>
    %8 = arith.subi %0, %2 {axis_info = "contiguity = [128], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %9 = arith.subi %2, %0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %10 = arith.muli %0, %cst_0 {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %11 = arith.muli %0, %cst_1 {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %12 = arith.divsi %0, %cst_0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [4], constant_value = <none>"} : tensor<128xi32>
    %13 = arith.divsi %2, %cst_0 {axis_info = "contiguity = [1], divisibility = [4], constancy = [128], constant_value = <none>"} : tensor<128xi32>
    %14 = arith.remsi %0, %cst_0 {axis_info = "contiguity = [4], divisibility = [4], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %15 = arith.remsi %0, %2 {axis_info = "contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %16 = arith.remsi %0, %3 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %17 = arith.shli %2, %cst {axis_info = "contiguity = [1], divisibility = [64], constancy = [128], constant_value = <none>"} : tensor<128xi32>
    %18 = arith.shli %2, %3 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : tensor<128xi32>
    %19 = arith.shrsi %0, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [4], constant_value = <none>"} : tensor<128xi32>
    %20 = arith.minsi %0, %1 {axis_info = "contiguity = [128], divisibility = [32], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %21 = arith.cmpi slt, %0, %2 {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    %22 = arith.cmpi slt, %0, %3 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %23 = arith.cmpi sgt, %2, %0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [16], constant_value = <none>"} : tensor<128xi32>
    %24 = arith.cmpi eq, %0, %2 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %25 = arith.extsi %0 {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>"} : tensor<128xi32> to tensor<128xi64>
    %26 = tt.splat %arg2 {axis_info = "contiguity = [1], divisibility = [16], constancy = [128], constant_value = <none>"} : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>>
    %27 = tt.addptr %26, %15 {axis_info = "contiguity = [16], divisibility = [16], constancy = [1], constant_value = <none>"} : tensor<128x!tt.ptr<f16>>, tensor<128xi32>
    %28 = arith.addi %cst, %cst_0 {axis_info = "contiguity = [1], divisibility = [2], constancy = [128], constant_value = 6"} : tensor<128xi32>
    tt.return
  }
}

