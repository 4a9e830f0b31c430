// passes: masked-divisions
module {
  tt.func public @starts(%p: tensor<8x!tt.ptr<i32>>, %s: i32) {
    %size = arith.constant 8 : i32
    %row = arith.constant dense<24> : tensor<8xi32>
    %page = arith.constant dense<16> : tensor<8xi32>
    %odd = arith.constant dense<7> : tensor<8xi32>
    %pid = tt.get_program_id x : i32
    %begin = arith.muli %pid, %size : i32
    %begins = tt.splat %begin : i32 -> tensor<8xi32>
    %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %x = arith.addi %begins, %range : tensor<8xi32>
    %y = arith.divsi %x, %row : tensor<8xi32>
    %z = arith.remsi %x, %row : tensor<8xi32>
    // Powers of two are shifts, and neighbours have no quotient by an odd number in common.
    %a = arith.divsi %x, %page : tensor<8xi32>
    %b = arith.divsi %x, %odd : tensor<8xi32>
    // A number of which no sign is known.
    %any = tt.splat %s : i32 -> tensor<8xi32>
    %c = arith.divsi %any, %row : tensor<8xi32>
    tt.store %p, %y : tensor<8x!tt.ptr<i32>>
    tt.store %p, %z : tensor<8x!tt.ptr<i32>>
    tt.store %p, %a : tensor<8x!tt.ptr<i32>>
    tt.store %p, %b : tensor<8x!tt.ptr<i32>>
    tt.store %p, %c : tensor<8x!tt.ptr<i32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @starts(%arg0: tensor<8x!tt.ptr<i32>>, %arg1: i32) {
    %c8_i32 = arith.constant 8 : i32
    %cst = arith.constant dense<24> : tensor<8xi32>
    %cst_0 = arith.constant dense<16> : tensor<8xi32>
    %cst_1 = arith.constant dense<7> : tensor<8xi32>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c8_i32 : i32
    %2 = tt.splat %1 : i32 -> tensor<8xi32>
    %3 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
    %4 = arith.addi %2, %3 : tensor<8xi32>
    %5 = arith.divui %4, %cst : tensor<8xi32>
    %6 = arith.remui %4, %cst : tensor<8xi32>
    %7 = arith.divsi %4, %cst_0 : tensor<8xi32>
    %8 = arith.divsi %4, %cst_1 : tensor<8xi32>
    %9 = tt.splat %arg1 : i32 -> tensor<8xi32>
    %10 = arith.divsi %9, %cst : tensor<8xi32>
    tt.store %arg0, %5 : tensor<8x!tt.ptr<i32>>
    tt.store %arg0, %6 : tensor<8x!tt.ptr<i32>>
    tt.store %arg0, %7 : tensor<8x!tt.ptr<i32>>
    tt.store %arg0, %8 : tensor<8x!tt.ptr<i32>>
    tt.store %arg0, %10 : tensor<8x!tt.ptr<i32>>
    tt.return
  }
}

