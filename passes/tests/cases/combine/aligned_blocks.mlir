// passes: combine,cse,canonicalize
// counts: arith.divsi 3, arith.remsi 2, arith.divui 1, arith.shrui 1, arith.shrsi 5, arith.andi 1
module {
  // A block that begins at a multiple of its size: pages begin with it, and the number in a page does not depend on the program.
  tt.func public @pages(%p: tensor<512x!tt.ptr<i32>>, %q: tensor<512x!tt.ptr<i32>>) {
    %size = arith.constant 512 : i32
    %page = arith.constant dense<16> : tensor<512xi32>
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %size : i32
    %starts = tt.splat %start : i32 -> tensor<512xi32>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    %at = arith.addi %starts, %range : tensor<512xi32>
    %quotient = arith.divsi %at, %page : tensor<512xi32>
    %rest = arith.remsi %at, %page : tensor<512xi32>
    tt.store %p, %quotient : tensor<512x!tt.ptr<i32>>
    tt.store %q, %rest : tensor<512x!tt.ptr<i32>>
    tt.return
  }
  // The block is shorter than the divisor: one quotient, and the remainder is the number in the block. A second axis comes between sum and division.
  tt.func public @groups(%p: tensor<64x1x!tt.ptr<i32>>, %q: tensor<64x1x!tt.ptr<i32>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 128 : i32
    %group = arith.constant dense<128> : tensor<64x1xi32>
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    scf.for %k = %zero to %n step %step : i32 {
      %starts = tt.splat %k : i32 -> tensor<64xi32>
      %at = arith.addi %range, %starts : tensor<64xi32>
      %rows = tt.expand_dims %at {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %quotient = arith.divsi %rows, %group : tensor<64x1xi32>
      %rest = arith.remsi %rows, %group : tensor<64x1xi32>
      tt.store %p, %quotient : tensor<64x1x!tt.ptr<i32>>
      tt.store %q, %rest : tensor<64x1x!tt.ptr<i32>>
    }
    tt.return
  }
  // Blocks of 32 within groups of 128: one quotient, and the remainder begins somewhere in the group.
  tt.func public @parts(%p: tensor<32x!tt.ptr<i32>>, %q: tensor<32x!tt.ptr<i32>>) {
    %size = arith.constant 32 : i32
    %group = arith.constant dense<128> : tensor<32xi32>
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %size : i32
    %starts = tt.splat %start : i32 -> tensor<32xi32>
    %range = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %at = arith.addi %starts, %range : tensor<32xi32>
    %quotient = arith.divsi %at, %group : tensor<32xi32>
    %rest = arith.remsi %at, %group : tensor<32xi32>
    tt.store %p, %quotient : tensor<32x!tt.ptr<i32>>
    tt.store %q, %rest : tensor<32x!tt.ptr<i32>>
    tt.return
  }
  // Unsigned numbers and shifts round down: the sign of the start does not matter, but what divides it does.
  tt.func public @downwards(%p: tensor<64x!tt.ptr<i32>>, %q: tensor<64x!tt.ptr<i32>>, %n: i32 {tt.divisibility = 64 : i32}) {
    %four = arith.constant dense<4> : tensor<64xi32>
    %starts = tt.splat %n : i32 -> tensor<64xi32>
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %at = arith.addi %starts, %range : tensor<64xi32>
    %quotient = arith.divui %at, %four : tensor<64xi32>
    %shifted = arith.shrsi %at, %four : tensor<64xi32>
    tt.store %p, %quotient : tensor<64x!tt.ptr<i32>>
    tt.store %q, %shifted : tensor<64x!tt.ptr<i32>>
    tt.return
  }
  // A start that may be negative, one that the divisor does not divide, and a block that may reach beyond what divides its start.
  tt.func public @kept(%p: tensor<64x!tt.ptr<i32>>, %q: tensor<64x!tt.ptr<i32>>, %r: tensor<64x!tt.ptr<i32>>, %n: i32 {tt.divisibility = 64 : i32}) {
    %page = arith.constant dense<16> : tensor<64xi32>
    %half = arith.constant 8 : i32
    %size = arith.constant 32 : i32
    %pid = tt.get_program_id x : i32
    %starts = tt.splat %n : i32 -> tensor<64xi32>
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %at = arith.addi %starts, %range : tensor<64xi32>
    %signed = arith.divsi %at, %page : tensor<64xi32>
    tt.store %p, %signed : tensor<64x!tt.ptr<i32>>
    %eighth = arith.muli %pid, %half : i32
    %eighths = tt.splat %eighth : i32 -> tensor<64xi32>
    %between = arith.addi %eighths, %range : tensor<64xi32>
    %beside = arith.remsi %between, %page : tensor<64xi32>
    tt.store %q, %beside : tensor<64x!tt.ptr<i32>>
    %first = arith.muli %pid, %size : i32
    %firsts = tt.splat %first : i32 -> tensor<64xi32>
    %over = arith.addi %firsts, %range : tensor<64xi32>
    %long = arith.divsi %over, %page : tensor<64xi32>
    tt.store %r, %long : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @pages(%arg0: tensor<512x!tt.ptr<i32>>, %arg1: tensor<512x!tt.ptr<i32>>) {
    %c4_i32 = arith.constant 4 : i32
    %c512_i32 = arith.constant 512 : i32
    %cst = arith.constant dense<16> : tensor<512xi32>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %3 = arith.shrsi %1, %c4_i32 : i32
    %4 = tt.splat %3 : i32 -> tensor<512xi32>
    %5 = arith.divsi %2, %cst : tensor<512xi32>
    %6 = arith.addi %4, %5 : tensor<512xi32>
    %7 = arith.remsi %2, %cst : tensor<512xi32>
    tt.store %arg0, %6 : tensor<512x!tt.ptr<i32>>
    tt.store %arg1, %7 : tensor<512x!tt.ptr<i32>>
    tt.return
  }
  tt.func public @groups(%arg0: tensor<64x1x!tt.ptr<i32>>, %arg1: tensor<64x1x!tt.ptr<i32>>, %arg2: i32) {
    %c7_i32 = arith.constant 7 : i32
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    scf.for %arg3 = %c0_i32 to %arg2 step %c128_i32  : i32 {
      %1 = arith.shrsi %arg3, %c7_i32 : i32
      %2 = tt.splat %1 : i32 -> tensor<64x1xi32>
      %3 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      tt.store %arg0, %2 : tensor<64x1x!tt.ptr<i32>>
      tt.store %arg1, %3 : tensor<64x1x!tt.ptr<i32>>
    }
    tt.return
  }
  tt.func public @parts(%arg0: tensor<32x!tt.ptr<i32>>, %arg1: tensor<32x!tt.ptr<i32>>) {
    %c127_i32 = arith.constant 127 : i32
    %c7_i32 = arith.constant 7 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c32_i32 : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %3 = arith.shrsi %1, %c7_i32 : i32
    %4 = tt.splat %3 : i32 -> tensor<32xi32>
    %5 = arith.andi %1, %c127_i32 : i32
    %6 = tt.splat %5 : i32 -> tensor<32xi32>
    %7 = arith.addi %6, %2 : tensor<32xi32>
    tt.store %arg0, %4 : tensor<32x!tt.ptr<i32>>
    tt.store %arg1, %7 : tensor<32x!tt.ptr<i32>>
    tt.return
  }
  tt.func public @downwards(%arg0: tensor<64x!tt.ptr<i32>>, %arg1: tensor<64x!tt.ptr<i32>>, %arg2: i32 {tt.divisibility = 64 : i32}) {
    %c4_i32 = arith.constant 4 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<4> : tensor<64xi32>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = arith.shrui %arg2, %c2_i32 : i32
    %2 = tt.splat %1 : i32 -> tensor<64xi32>
    %3 = arith.divui %0, %cst : tensor<64xi32>
    %4 = arith.addi %2, %3 : tensor<64xi32>
    %5 = arith.shrsi %arg2, %c4_i32 : i32
    %6 = tt.splat %5 : i32 -> tensor<64xi32>
    %7 = arith.shrsi %0, %cst : tensor<64xi32>
    %8 = arith.addi %6, %7 : tensor<64xi32>
    tt.store %arg0, %4 : tensor<64x!tt.ptr<i32>>
    tt.store %arg1, %8 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
  tt.func public @kept(%arg0: tensor<64x!tt.ptr<i32>>, %arg1: tensor<64x!tt.ptr<i32>>, %arg2: tensor<64x!tt.ptr<i32>>, %arg3: i32 {tt.divisibility = 64 : i32}) {
    %cst = arith.constant dense<16> : tensor<64xi32>
    %c8_i32 = arith.constant 8 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %3 = arith.addi %1, %2 : tensor<64xi32>
    %4 = arith.divsi %3, %cst : tensor<64xi32>
    tt.store %arg0, %4 : tensor<64x!tt.ptr<i32>>
    %5 = arith.muli %0, %c8_i32 : i32
    %6 = tt.splat %5 : i32 -> tensor<64xi32>
    %7 = arith.addi %6, %2 : tensor<64xi32>
    %8 = arith.remsi %7, %cst : tensor<64xi32>
    tt.store %arg1, %8 : tensor<64x!tt.ptr<i32>>
    %9 = arith.muli %0, %c32_i32 : i32
    %10 = tt.splat %9 : i32 -> tensor<64xi32>
    %11 = arith.addi %10, %2 : tensor<64xi32>
    %12 = arith.divsi %11, %cst : tensor<64xi32>
    tt.store %arg2, %12 : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}

