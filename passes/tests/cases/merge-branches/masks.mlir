// passes: merge-branches
module {
  // A mask that a branch narrows: the comparison takes the condition along. The same on the other side.
  tt.func public @window(%c: i1, %mask: tensor<64x64xi1>, %at: tensor<64x64xi32>, %row: tensor<64x1xi32>, %n: i32) -> (tensor<64x64xi1>, tensor<64x64xi1>) {
    %r = scf.if %c -> (tensor<64x64xi1>) {
      %ns = tt.splat %n : i32 -> tensor<64x1xi32>
      %first = arith.subi %row, %ns : tensor<64x1xi32>
      %firsts = tt.broadcast %first : tensor<64x1xi32> -> tensor<64x64xi32>
      %in = arith.cmpi sgt, %at, %firsts : tensor<64x64xi32>
      %both = arith.andi %mask, %in : tensor<64x64xi1>
      scf.yield %both : tensor<64x64xi1>
    } else {
      scf.yield %mask : tensor<64x64xi1>
    }
    %s = scf.if %c -> (tensor<64x64xi1>) {
      scf.yield %mask : tensor<64x64xi1>
    } else {
      %rows = tt.broadcast %row : tensor<64x1xi32> -> tensor<64x64xi32>
      %in = arith.cmpi sle, %at, %rows : tensor<64x64xi32>
      %both = arith.andi %in, %mask : tensor<64x64xi1>
      scf.yield %both : tensor<64x64xi1>
    }
    tt.return %r, %s : tensor<64x64xi1>, tensor<64x64xi1>
  }
  // A division is met only where its side is taken, and three comparisons cost more than the branch: these stay.
  tt.func public @stay(%c: i1, %mask: tensor<64xi1>, %at: tensor<64xi32>, %n: tensor<64xi32>) -> (tensor<64xi1>, tensor<64xi1>) {
    %r = scf.if %c -> (tensor<64xi1>) {
      %q = arith.divsi %at, %n : tensor<64xi32>
      %in = arith.cmpi sgt, %q, %n : tensor<64xi32>
      scf.yield %in : tensor<64xi1>
    } else {
      scf.yield %mask : tensor<64xi1>
    }
    %s = scf.if %c -> (tensor<64xi1>) {
      %twice = arith.addi %at, %at : tensor<64xi32>
      %in = arith.cmpi sgt, %twice, %n : tensor<64xi32>
      %both = arith.andi %mask, %in : tensor<64xi1>
      scf.yield %both : tensor<64xi1>
    } else {
      scf.yield %mask : tensor<64xi1>
    }
    tt.return %r, %s : tensor<64xi1>, tensor<64xi1>
  }
}
// ----- expect
module {
  tt.func public @window(%arg0: i1, %arg1: tensor<64x64xi1>, %arg2: tensor<64x64xi32>, %arg3: tensor<64x1xi32>, %arg4: i32) -> (tensor<64x64xi1>, tensor<64x64xi1>) {
    %0 = tt.splat %arg4 : i32 -> tensor<64x1xi32>
    %1 = arith.subi %arg3, %0 : tensor<64x1xi32>
    %2 = tt.broadcast %1 : tensor<64x1xi32> -> tensor<64x64xi32>
    %3 = arith.cmpi sgt, %arg2, %2 : tensor<64x64xi32>
    %4 = arith.andi %arg1, %3 : tensor<64x64xi1>
    %true = arith.constant true
    %5 = arith.xori %arg0, %true : i1
    %6 = tt.splat %5 : i1 -> tensor<64x64xi1>
    %7 = arith.ori %3, %6 : tensor<64x64xi1>
    %8 = arith.andi %arg1, %7 : tensor<64x64xi1>
    %9 = tt.broadcast %arg3 : tensor<64x1xi32> -> tensor<64x64xi32>
    %10 = arith.cmpi sle, %arg2, %9 : tensor<64x64xi32>
    %11 = arith.andi %10, %arg1 : tensor<64x64xi1>
    %12 = tt.splat %arg0 : i1 -> tensor<64x64xi1>
    %13 = arith.ori %10, %12 : tensor<64x64xi1>
    %14 = arith.andi %arg1, %13 : tensor<64x64xi1>
    tt.return %8, %14 : tensor<64x64xi1>, tensor<64x64xi1>
  }
  tt.func public @stay(%arg0: i1, %arg1: tensor<64xi1>, %arg2: tensor<64xi32>, %arg3: tensor<64xi32>) -> (tensor<64xi1>, tensor<64xi1>) {
    %0 = scf.if %arg0 -> (tensor<64xi1>) {
      %2 = arith.divsi %arg2, %arg3 : tensor<64xi32>
      %3 = arith.cmpi sgt, %2, %arg3 : tensor<64xi32>
      scf.yield %3 : tensor<64xi1>
    } else {
      scf.yield %arg1 : tensor<64xi1>
    }
    %1 = scf.if %arg0 -> (tensor<64xi1>) {
      %2 = arith.addi %arg2, %arg2 : tensor<64xi32>
      %3 = arith.cmpi sgt, %2, %arg3 : tensor<64xi32>
      %4 = arith.andi %arg1, %3 : tensor<64xi1>
      scf.yield %4 : tensor<64xi1>
    } else {
      scf.yield %arg1 : tensor<64xi1>
    }
    tt.return %0, %1 : tensor<64xi1>, tensor<64xi1>
  }
}

