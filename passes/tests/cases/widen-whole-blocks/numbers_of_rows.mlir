// passes: widen-whole-blocks
// counts: scf.if 3
// Ranges that are less than a number, and what makes that another number in each program and iteration.
#sixteen = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // How many rows a group has is loaded at the program's number: bytes have a branch, and floats, which become four times as wide, have none.
  tt.func public @loaded(%x: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %counts: !tt.ptr<i32>, %v: tensor<2048xi8, #sixteen>, %w: tensor<512xf32, #four>) {
    %program = tt.get_program_id x : i32
    %place = tt.addptr %counts, %program : !tt.ptr<i32>, i32
    %n = tt.load %place : !tt.ptr<i32>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #sixteen>
    %ns = tt.splat %n : i32 -> tensor<2048xi32, #sixteen>
    %inside = arith.cmpi slt, %range, %ns : tensor<2048xi32, #sixteen>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #sixteen>
    %px = tt.addptr %xs, %range : tensor<2048x!tt.ptr<i8>, #sixteen>, tensor<2048xi32, #sixteen>
    tt.store %px, %v, %inside : tensor<2048x!tt.ptr<i8>, #sixteen>
    %few = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %ms = tt.splat %n : i32 -> tensor<512xi32, #four>
    %within = arith.cmpi sgt, %ms, %few : tensor<512xi32, #four>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %py = tt.addptr %ys, %few : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    tt.store %py, %w, %within : tensor<512x!tt.ptr<f32>, #four>
    tt.return
  }
  // It is what is left behind the block of a program, or of an iteration.
  tt.func public @counted(%y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %w: tensor<512xf32, #four>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 512 : i32
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %size : i32
    %left = arith.subi %n, %start : i32
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %lefts = tt.splat %left : i32 -> tensor<512xi32, #four>
    %inside = arith.cmpi slt, %range, %lefts : tensor<512xi32, #four>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %py = tt.addptr %ys, %range : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    tt.store %py, %w, %inside : tensor<512x!tt.ptr<f32>, #four>
    scf.for %i = %zero to %n step %one : i32 {
      %at = arith.muli %i, %size : i32
      %rest = arith.subi %n, %at : i32
      %rests = tt.splat %rest : i32 -> tensor<512xi32, #four>
      %within = arith.cmpi slt, %range, %rests : tensor<512xi32, #four>
      tt.store %py, %w, %within : tensor<512x!tt.ptr<f32>, #four>
    }
    tt.return
  }
  // It is one more in each program, so that blocks of 512 programs are partial.
  tt.func public @moved_by_one(%y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %w: tensor<512xf32, #four>) {
    %program = tt.get_program_id x : i32
    %programs = tt.splat %program : i32 -> tensor<512xi32, #four>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %inside = arith.cmpi slt, %range, %programs : tensor<512xi32, #four>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %py = tt.addptr %ys, %range : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    tt.store %py, %w, %inside : tensor<512x!tt.ptr<f32>, #four>
    tt.return
  }
  // It is loaded at the same place by every program, or counted by a loop that every program runs through: the same for all.
  tt.func public @same(%x: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %counts: !tt.ptr<i32>, %k: i32, %v: tensor<2048xi8, #sixteen>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %n = tt.load %counts : !tt.ptr<i32>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #sixteen>
    %ns = tt.splat %n : i32 -> tensor<2048xi32, #sixteen>
    %inside = arith.cmpi slt, %range, %ns : tensor<2048xi32, #sixteen>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #sixteen>
    %px = tt.addptr %xs, %range : tensor<2048x!tt.ptr<i8>, #sixteen>, tensor<2048xi32, #sixteen>
    tt.store %px, %v, %inside : tensor<2048x!tt.ptr<i8>, #sixteen>
    %sum = scf.for %i = %zero to %k step %one iter_args(%s = %zero) -> (i32) : i32 {
      %more = arith.addi %s, %i : i32
      scf.yield %more : i32
    }
    %sums = tt.splat %sum : i32 -> tensor<2048xi32, #sixteen>
    %counted = arith.cmpi slt, %range, %sums : tensor<2048xi32, #sixteen>
    tt.store %px, %v, %counted : tensor<2048x!tt.ptr<i8>, #sixteen>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loaded(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32>, %arg3: tensor<2048xi8, #blocked>, %arg4: tensor<512xf32, #blocked1>) {
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %arg2, %0 : !tt.ptr<i32>, i32
    %2 = tt.load %1 : !tt.ptr<i32>
    %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %4 = tt.splat %2 : i32 -> tensor<2048xi32, #blocked>
    %5 = arith.cmpi slt, %3, %4 : tensor<2048xi32, #blocked>
    %6 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #blocked>
    %7 = tt.addptr %6, %3 : tensor<2048x!tt.ptr<i8>, #blocked>, tensor<2048xi32, #blocked>
    %c2047_i32 = arith.constant 2047 : i32
    %8 = arith.cmpi slt, %c2047_i32, %2 : i32
    %c0_i32 = arith.constant 0 : i32
    %9 = arith.cmpi sle, %c0_i32, %c2047_i32 : i32
    %10 = arith.andi %8, %9 : i1
    scf.if %10 {
      tt.store %7, %arg3 : tensor<2048x!tt.ptr<i8>, #blocked>
    } else {
      tt.store %7, %arg3, %5 : tensor<2048x!tt.ptr<i8>, #blocked>
    }
    %11 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %12 = tt.splat %2 : i32 -> tensor<512xi32, #blocked1>
    %13 = arith.cmpi sgt, %12, %11 : tensor<512xi32, #blocked1>
    %14 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked1>
    %15 = tt.addptr %14, %11 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xi32, #blocked1>
    tt.store %15, %arg4, %13 : tensor<512x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @counted(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: tensor<512xf32, #blocked1>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = arith.subi %arg1, %1 : i32
    %3 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %4 = tt.splat %2 : i32 -> tensor<512xi32, #blocked1>
    %5 = arith.cmpi slt, %3, %4 : tensor<512xi32, #blocked1>
    %6 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked1>
    %7 = tt.addptr %6, %3 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xi32, #blocked1>
    %c511_i32 = arith.constant 511 : i32
    %8 = arith.cmpi slt, %c511_i32, %2 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %9 = arith.cmpi sle, %c0_i32_0, %c511_i32 : i32
    %10 = arith.andi %8, %9 : i1
    scf.if %10 {
      tt.store %7, %arg2 : tensor<512x!tt.ptr<f32>, #blocked1>
    } else {
      tt.store %7, %arg2, %5 : tensor<512x!tt.ptr<f32>, #blocked1>
    }
    scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %11 = arith.muli %arg3, %c512_i32 : i32
      %12 = arith.subi %arg1, %11 : i32
      %13 = tt.splat %12 : i32 -> tensor<512xi32, #blocked1>
      %14 = arith.cmpi slt, %3, %13 : tensor<512xi32, #blocked1>
      %c511_i32_1 = arith.constant 511 : i32
      %15 = arith.cmpi slt, %c511_i32_1, %12 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %16 = arith.cmpi sle, %c0_i32_2, %c511_i32_1 : i32
      %17 = arith.andi %15, %16 : i1
      scf.if %17 {
        tt.store %7, %arg2 : tensor<512x!tt.ptr<f32>, #blocked1>
      } else {
        tt.store %7, %arg2, %14 : tensor<512x!tt.ptr<f32>, #blocked1>
      }
    }
    tt.return
  }
  tt.func public @moved_by_one(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<512xf32, #blocked1>) {
    %0 = tt.get_program_id x : i32
    %1 = tt.splat %0 : i32 -> tensor<512xi32, #blocked1>
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %3 = arith.cmpi slt, %2, %1 : tensor<512xi32, #blocked1>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked1>
    %5 = tt.addptr %4, %2 : tensor<512x!tt.ptr<f32>, #blocked1>, tensor<512xi32, #blocked1>
    tt.store %5, %arg1, %3 : tensor<512x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @same(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32>, %arg2: i32, %arg3: tensor<2048xi8, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg1 : !tt.ptr<i32>
    %1 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %2 = tt.splat %0 : i32 -> tensor<2048xi32, #blocked>
    %3 = arith.cmpi slt, %1, %2 : tensor<2048xi32, #blocked>
    %4 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #blocked>
    %5 = tt.addptr %4, %1 : tensor<2048x!tt.ptr<i8>, #blocked>, tensor<2048xi32, #blocked>
    tt.store %5, %arg3, %3 : tensor<2048x!tt.ptr<i8>, #blocked>
    %6 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %c0_i32) -> (i32)  : i32 {
      %9 = arith.addi %arg5, %arg4 : i32
      scf.yield %9 : i32
    }
    %7 = tt.splat %6 : i32 -> tensor<2048xi32, #blocked>
    %8 = arith.cmpi slt, %1, %7 : tensor<2048xi32, #blocked>
    tt.store %5, %arg3, %8 : tensor<2048x!tt.ptr<i8>, #blocked>
    tt.return
  }
}

