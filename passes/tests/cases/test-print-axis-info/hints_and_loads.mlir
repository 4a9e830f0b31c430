// passes: test-print-axis-info
module {
  tt.func public @hints(%p: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32, %c: i32 {tt.constancy = 1 : i32, tt.divisibility = 4 : i32}) {
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %four = arith.constant dense<4> : tensor<64xi32>
    %group = arith.divsi %range, %four : tensor<64xi32>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %pointers = tt.addptr %base, %group : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %index = tt.load %pointers : tensor<64x!tt.ptr<i32>>
    %limit = arith.cmpi slt, %range, %four : tensor<64xi32>
    %masked = tt.load %pointers, %limit, %range : tensor<64x!tt.ptr<i32>>
    %hinted = arith.addi %index, %four {tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>} : tensor<64xi32>
    %pid = tt.get_program_id x : i32
    %c_again = arith.muli %c, %pid : i32
    %poison = ub.poison : tensor<64xi32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @hints(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32 {tt.constancy = 1 : i32, tt.divisibility = 4 : i32}) {
    %0 = tt.make_range {axis_info = "contiguity = [64], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [4], constancy = [64], constant_value = 4"} dense<4> : tensor<64xi32>
    %1 = arith.divsi %0, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [4], constant_value = <none>"} : tensor<64xi32>
    %2 = tt.splat %arg0 {axis_info = "contiguity = [1], divisibility = [16], constancy = [64], constant_value = <none>"} : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %3 = tt.addptr %2, %1 {axis_info = "contiguity = [1], divisibility = [4], constancy = [4], constant_value = <none>"} : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %4 = tt.load %3 {axis_info = "contiguity = [1], divisibility = [1], constancy = [4], constant_value = <none>"} : tensor<64x!tt.ptr<i32>>
    %5 = arith.cmpi slt, %0, %cst {axis_info = "contiguity = [1], divisibility = [1], constancy = [4], constant_value = <none>"} : tensor<64xi32>
    %6 = tt.load %3, %5, %0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<64x!tt.ptr<i32>>
    %7 = arith.addi %4, %cst {axis_info = "contiguity = [8], divisibility = [16], constancy = [4], constant_value = <none>", tt.contiguity = dense<8> : tensor<1xi32>, tt.divisibility = dense<16> : tensor<1xi32>} : tensor<64xi32>
    %8 = tt.get_program_id x {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    %9 = arith.muli %arg2, %8 {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>"} : i32
    %10 = ub.poison {axis_info = "contiguity = [4611686018427387904], divisibility = [4611686018427387904], constancy = [4611686018427387904], constant_value = <none>"} : tensor<64xi32>
    tt.return
  }
}

