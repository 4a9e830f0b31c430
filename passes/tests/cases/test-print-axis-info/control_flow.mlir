// passes: test-print-axis-info
module {
  tt.func public @control_flow(%n: i32 {tt.divisibility = 16 : i32}, %m: i32, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %flag: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %step = arith.constant dense<2> : tensor<32xi32>
    %carried:2 = scf.for %i = %c0 to %n step %c32 iter_args(%pointers = %base, %same = %range) -> (tensor<32x!tt.ptr<f32>>, tensor<32xi32>) : i32 {
      %block = tt.splat %i : i32 -> tensor<32xi32>
      %offsets = arith.addi %block, %same : tensor<32xi32>
      %here = tt.addptr %pointers, %offsets : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      %next = tt.addptr %pointers, %step : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      scf.yield %next, %same : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    }
    %after = tt.addptr %carried#0, %carried#1 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %chosen = scf.if %flag -> (i32) {
      scf.yield %n : i32
    } else {
      scf.yield %c32 : i32
    }
    %counted = scf.while (%x = %c32) : (i32) -> i32 {
      %go = arith.cmpi slt, %x, %n : i32
      scf.condition(%go) %x : i32
    } do {
    ^bb0(%y: i32):
      %double = arith.addi %y, %c32 : i32
      scf.yield %double : i32
    }
    %from_any = scf.for %j = %m to %n step %c1 iter_args(%last = %c0) -> (i32) : i32 {
      %any = arith.addi %j, %c0 : i32
      scf.yield %any : i32
    }
    tt.return
  }
}
// ----- expect
module {
  tt.func public @control_flow(%arg0: i32 {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i1) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c1_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 1"} 1 : i32
    %c32_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [32], constancy = [1], constant_value = 32"} 32 : i32
    %0 = tt.make_range {axis_info = "contiguity = [32], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.splat %arg2 {axis_info = "contiguity = [1], divisibility = [16], constancy = [32], constant_value = <none>"} : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %cst = arith.constant {axis_info = "contiguity = [1], divisibility = [2], constancy = [32], constant_value = 2"} dense<2> : tensor<32xi32>
    %2:2 = scf.for %arg4 = %c0_i32 to %arg0 step %c32_i32 iter_args(%arg5 = %1, %arg6 = %0) -> (tensor<32x!tt.ptr<f32>>, tensor<32xi32>)  : i32 {
      %7 = tt.splat %arg4 {axis_info = "contiguity = [1], divisibility = [32], constancy = [32], constant_value = <none>"} : i32 -> tensor<32xi32>
      %8 = arith.addi %7, %arg6 {axis_info = "contiguity = [32], divisibility = [32], constancy = [1], constant_value = <none>"} : tensor<32xi32>
      %9 = tt.addptr %arg5, %8 {axis_info = "contiguity = [32], divisibility = [8], constancy = [1], constant_value = <none>"} : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      %10 = tt.addptr %arg5, %cst {axis_info = "contiguity = [1], divisibility = [8], constancy = [32], constant_value = <none>"} : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      scf.yield %10, %arg6 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    } {axis_info = "contiguity = [1], divisibility = [8], constancy = [32], constant_value = <none> ; contiguity = [32], divisibility = [1073741824], constancy = [1], constant_value = <none>"}
    %3 = tt.addptr %2#0, %2#1 {axis_info = "contiguity = [32], divisibility = [8], constancy = [1], constant_value = <none>"} : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %4 = scf.if %arg3 -> (i32) {
      scf.yield %arg0 : i32
    } else {
      scf.yield %c32_i32 : i32
    } {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"}
    %5 = scf.while (%arg4 = %c32_i32) : (i32) -> i32 {
      %7 = arith.cmpi slt, %arg4, %arg0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.condition(%7) %arg4 : i32
    } do {
    ^bb0(%arg4: i32):
      %7 = arith.addi %arg4, %c32_i32 {axis_info = "contiguity = [1], divisibility = [32], constancy = [1], constant_value = <none>"} : i32
      scf.yield %7 : i32
    } attributes {axis_info = "contiguity = [1], divisibility = [32], constancy = [1], constant_value = <none>"}
    %6 = scf.for %arg4 = %arg1 to %arg0 step %c1_i32 iter_args(%arg5 = %c0_i32) -> (i32)  : i32 {
      %7 = arith.addi %arg4, %c0_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %7 : i32
    } {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    tt.return
  }
}

