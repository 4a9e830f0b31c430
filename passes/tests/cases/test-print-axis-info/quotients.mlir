// passes: test-print-axis-info
// What is left of a program's number when the tiles of the groups before it are taken away is not negative: its remainders follow each other.
module {
  tt.func public @groups(%columns: i32, %rows: i32) {
    %pid = tt.get_program_id x : i32
    %c4 = arith.constant 4 : i32
    %c128 = arith.constant 128 : i32
    %c512 = arith.constant dense<512> : tensor<128xi32>
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %in_group = arith.muli %columns, %c4 : i32
    %group = arith.divsi %pid, %in_group : i32
    %first = arith.muli %group, %c4 : i32
    %before = arith.muli %first, %columns : i32
    %left = arith.subi %pid, %before : i32
    %column = arith.divsi %left, %rows : i32
    %start = arith.muli %column, %c128 : i32
    %all = tt.splat %start : i32 -> tensor<128xi32>
    %offsets = arith.addi %all, %range : tensor<128xi32>
    %follow = arith.remsi %offsets, %c512 : tensor<128xi32>
    %other = arith.muli %first, %rows : i32
    %unknown = arith.subi %pid, %other : i32
    %again = arith.muli %unknown, %c128 : i32
    %these = tt.splat %again : i32 -> tensor<128xi32>
    %places = arith.addi %these, %range : tensor<128xi32>
    %scattered = arith.remsi %places, %c512 : tensor<128xi32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @groups(%arg0: i32, %arg1: i32) {
    %0 = tt.get_program_id x {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %c4_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = 4"} 4 : i32
    %c128_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [128], constancy = [1], constant_value = 128"} 128 : i32
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [512], constancy = [128], constant_value = 512"} dense<512> : tensor<128xi32>
    %1 = tt.make_range {axis_info = "contiguity = [128], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %2 = arith.muli %arg0, %c4_i32 {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>"} : i32
    %3 = arith.divsi %0, %2 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %4 = arith.muli %3, %c4_i32 {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>"} : i32
    %5 = arith.muli %4, %arg0 {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>"} : i32
    %6 = arith.subi %0, %5 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %7 = arith.divsi %6, %arg1 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %8 = arith.muli %7, %c128_i32 {axis_info = "contiguity = [1], divisibility = [128], constancy = [1], constant_value = <none>"} : i32
    %9 = tt.splat %8 {axis_info = "contiguity = [1], divisibility = [128], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %10 = arith.addi %9, %1 {axis_info = "contiguity = [128], divisibility = [128], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %11 = arith.remsi %10, %cst {axis_info = "contiguity = [128], divisibility = [128], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %12 = arith.muli %4, %arg1 {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>"} : i32
    %13 = arith.subi %0, %12 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %14 = arith.muli %13, %c128_i32 {axis_info = "contiguity = [1], divisibility = [128], constancy = [1], constant_value = <none>"} : i32
    %15 = tt.splat %14 {axis_info = "contiguity = [1], divisibility = [128], constancy = [128], constant_value = <none>"} : i32 -> tensor<128xi32>
    %16 = arith.addi %15, %1 {axis_info = "contiguity = [128], divisibility = [128], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    %17 = arith.remsi %16, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<128xi32>
    tt.return
  }
}

