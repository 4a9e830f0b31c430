// passes: split-ragged-loops,canonicalize,cse
// counts: scf.if 2, scf.for 7
// Loops whose masks are those of the first iteration, and three that keep them.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both sides are one more in each iteration.
  tt.func public @once(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %n: i32, %k: i32) -> tensor<2048xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<2048xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %size = arith.constant 2048 : i32
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %size : i32
    %strides = tt.splat %stride : i32 -> tensor<2048xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %left = arith.subi %n, %k : i32
    %sum = scf.for %i = %zero to %k step %one iter_args(%acc = %none) -> (tensor<2048xf32, #one>) : i32 {
      %first = arith.addi %start, %i : i32
      %firsts = tt.splat %first : i32 -> tensor<2048xi32, #one>
      %places = arith.addi %firsts, %range : tensor<2048xi32, #one>
      %end = arith.addi %left, %i : i32
      %ends = tt.splat %end : i32 -> tensor<2048xi32, #one>
      %inside = arith.cmpi slt, %places, %ends : tensor<2048xi32, #one>
      %at = arith.muli %places, %strides : tensor<2048xi32, #one>
      %p = tt.addptr %xs, %at : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<2048x!tt.ptr<f32>, #one>
      %next = arith.addf %acc, %v : tensor<2048xf32, #one>
      scf.yield %next : tensor<2048xf32, #one>
    }
    tt.return %sum : tensor<2048xf32, #one>
  }
  // Both are two more, and compared the other way around.
  tt.func public @twice(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %n: i32, %k: i32) -> tensor<2048xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<2048xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %size = arith.constant 2048 : i32
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %size : i32
    %strides = tt.splat %stride : i32 -> tensor<2048xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %left = arith.subi %n, %k : i32
    %sum = scf.for %i = %zero to %k step %one iter_args(%acc = %none) -> (tensor<2048xf32, #one>) : i32 {
      %moved = arith.muli %i, %two : i32
      %first = arith.addi %start, %moved : i32
      %firsts = tt.splat %first : i32 -> tensor<2048xi32, #one>
      %places = arith.addi %firsts, %range : tensor<2048xi32, #one>
      %end = arith.addi %left, %moved : i32
      %ends = tt.splat %end : i32 -> tensor<2048xi32, #one>
      %inside = arith.cmpi sge, %ends, %places : tensor<2048xi32, #one>
      %at = arith.muli %places, %strides : tensor<2048xi32, #one>
      %p = tt.addptr %xs, %at : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<2048x!tt.ptr<f32>, #one>
      %next = arith.addf %acc, %v : tensor<2048xf32, #one>
      scf.yield %next : tensor<2048xf32, #one>
    }
    tt.return %sum : tensor<2048xf32, #one>
  }
  // The left side moves faster: blocks are whole in the first iterations alone.
  tt.func public @apart(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %n: i32, %k: i32) -> tensor<2048xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<2048xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %size = arith.constant 2048 : i32
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %size : i32
    %strides = tt.splat %stride : i32 -> tensor<2048xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %left = arith.subi %n, %k : i32
    %sum = scf.for %i = %zero to %k step %one iter_args(%acc = %none) -> (tensor<2048xf32, #one>) : i32 {
      %moved = arith.muli %i, %two : i32
      %first = arith.addi %start, %moved : i32
      %firsts = tt.splat %first : i32 -> tensor<2048xi32, #one>
      %places = arith.addi %firsts, %range : tensor<2048xi32, #one>
      %end = arith.addi %left, %i : i32
      %ends = tt.splat %end : i32 -> tensor<2048xi32, #one>
      %inside = arith.cmpi slt, %places, %ends : tensor<2048xi32, #one>
      %at = arith.muli %places, %strides : tensor<2048xi32, #one>
      %p = tt.addptr %xs, %at : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<2048x!tt.ptr<f32>, #one>
      %next = arith.addf %acc, %v : tensor<2048xf32, #one>
      scf.yield %next : tensor<2048xf32, #one>
    }
    tt.return %sum : tensor<2048xf32, #one>
  }
  // Numbers without a sign are in another order.
  tt.func public @unsigned(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %n: i32, %k: i32) -> tensor<2048xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<2048xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %size = arith.constant 2048 : i32
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %size : i32
    %strides = tt.splat %stride : i32 -> tensor<2048xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %left = arith.subi %n, %k : i32
    %sum = scf.for %i = %zero to %k step %one iter_args(%acc = %none) -> (tensor<2048xf32, #one>) : i32 {
      %first = arith.addi %start, %i : i32
      %firsts = tt.splat %first : i32 -> tensor<2048xi32, #one>
      %places = arith.addi %firsts, %range : tensor<2048xi32, #one>
      %end = arith.addi %left, %i : i32
      %ends = tt.splat %end : i32 -> tensor<2048xi32, #one>
      %inside = arith.cmpi ult, %places, %ends : tensor<2048xi32, #one>
      %at = arith.muli %places, %strides : tensor<2048xi32, #one>
      %p = tt.addptr %xs, %at : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<2048x!tt.ptr<f32>, #one>
      %next = arith.addf %acc, %v : tensor<2048xf32, #one>
      scf.yield %next : tensor<2048xf32, #one>
    }
    tt.return %sum : tensor<2048xf32, #one>
  }
  // Masks that never change are packed before the loop.
  tt.func public @still(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32, %n: i32, %k: i32) -> tensor<2048xf32, #one> {
    %none = arith.constant dense<0.0> : tensor<2048xf32, #one>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %size = arith.constant 2048 : i32
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %size : i32
    %strides = tt.splat %stride : i32 -> tensor<2048xi32, #one>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %left = arith.subi %n, %k : i32
    %sum = scf.for %i = %zero to %k step %one iter_args(%acc = %none) -> (tensor<2048xf32, #one>) : i32 {
      %first = arith.addi %start, %two : i32
      %firsts = tt.splat %first : i32 -> tensor<2048xi32, #one>
      %places = arith.addi %firsts, %range : tensor<2048xi32, #one>
      %end = arith.addi %left, %two : i32
      %ends = tt.splat %end : i32 -> tensor<2048xi32, #one>
      %inside = arith.cmpi slt, %places, %ends : tensor<2048xi32, #one>
      %at = arith.muli %places, %strides : tensor<2048xi32, #one>
      %p = tt.addptr %xs, %at : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
      %v = tt.load %p, %inside, %none : tensor<2048x!tt.ptr<f32>, #one>
      %next = arith.addf %acc, %v : tensor<2048xf32, #one>
      scf.yield %next : tensor<2048xf32, #one>
    }
    tt.return %sum : tensor<2048xf32, #one>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @once(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<2048xf32, #blocked> {
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c2047_i32 = arith.constant 2047 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c2048_i32 : i32
    %2 = tt.splat %arg1 : i32 -> tensor<2048xi32, #blocked>
    %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = arith.subi %arg2, %arg3 : i32
    %6 = arith.extsi %arg3 : i32 to i64
    %7 = arith.addi %1, %c2047_i32 : i32
    %8 = arith.cmpi slt, %7, %5 : i32
    %9 = arith.cmpi sle, %1, %7 : i32
    %10 = arith.extsi %7 : i32 to i64
    %11 = arith.addi %10, %6 : i64
    %12 = arith.cmpi sle, %11, %c2147483647_i64 : i64
    %13 = arith.extsi %5 : i32 to i64
    %14 = arith.addi %13, %6 : i64
    %15 = arith.cmpi sle, %14, %c2147483647_i64 : i64
    %16 = arith.andi %8, %9 : i1
    %17 = arith.andi %16, %12 : i1
    %18 = arith.andi %17, %15 : i1
    %19 = scf.if %18 -> (tensor<2048xf32, #blocked>) {
      %20 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<2048xf32, #blocked>)  : i32 {
        %21 = arith.addi %1, %arg4 : i32
        %22 = tt.splat %21 : i32 -> tensor<2048xi32, #blocked>
        %23 = arith.addi %22, %3 : tensor<2048xi32, #blocked>
        %24 = arith.muli %23, %2 : tensor<2048xi32, #blocked>
        %25 = tt.addptr %4, %24 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
        %26 = tt.load %25 : tensor<2048x!tt.ptr<f32>, #blocked>
        %27 = arith.addf %arg5, %26 : tensor<2048xf32, #blocked>
        scf.yield %27 : tensor<2048xf32, #blocked>
      }
      scf.yield %20 : tensor<2048xf32, #blocked>
    } else {
      %20 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<2048xf32, #blocked>)  : i32 {
        %21 = arith.addi %1, %arg4 : i32
        %22 = tt.splat %21 : i32 -> tensor<2048xi32, #blocked>
        %23 = arith.addi %22, %3 : tensor<2048xi32, #blocked>
        %24 = arith.addi %5, %arg4 : i32
        %25 = tt.splat %24 : i32 -> tensor<2048xi32, #blocked>
        %26 = arith.cmpi slt, %23, %25 : tensor<2048xi32, #blocked>
        %27 = arith.muli %23, %2 : tensor<2048xi32, #blocked>
        %28 = tt.addptr %4, %27 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
        %29 = tt.load %28, %26, %cst : tensor<2048x!tt.ptr<f32>, #blocked>
        %30 = arith.addf %arg5, %29 : tensor<2048xf32, #blocked>
        scf.yield %30 : tensor<2048xf32, #blocked>
      }
      scf.yield %20 : tensor<2048xf32, #blocked>
    }
    tt.return %19 : tensor<2048xf32, #blocked>
  }
  tt.func public @twice(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<2048xf32, #blocked> {
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c2_i64 = arith.constant 2 : i64
    %c2047_i32 = arith.constant 2047 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c2048_i32 : i32
    %2 = tt.splat %arg1 : i32 -> tensor<2048xi32, #blocked>
    %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = arith.subi %arg2, %arg3 : i32
    %6 = arith.extsi %arg3 : i32 to i64
    %7 = arith.addi %1, %c2047_i32 : i32
    %8 = arith.cmpi sle, %7, %5 : i32
    %9 = arith.cmpi sle, %1, %7 : i32
    %10 = arith.muli %6, %c2_i64 : i64
    %11 = arith.extsi %7 : i32 to i64
    %12 = arith.addi %11, %10 : i64
    %13 = arith.cmpi sle, %12, %c2147483647_i64 : i64
    %14 = arith.extsi %5 : i32 to i64
    %15 = arith.addi %14, %10 : i64
    %16 = arith.cmpi sle, %15, %c2147483647_i64 : i64
    %17 = arith.andi %8, %9 : i1
    %18 = arith.andi %17, %13 : i1
    %19 = arith.andi %18, %16 : i1
    %20 = scf.if %19 -> (tensor<2048xf32, #blocked>) {
      %21 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<2048xf32, #blocked>)  : i32 {
        %22 = arith.muli %arg4, %c2_i32 : i32
        %23 = arith.addi %1, %22 : i32
        %24 = tt.splat %23 : i32 -> tensor<2048xi32, #blocked>
        %25 = arith.addi %24, %3 : tensor<2048xi32, #blocked>
        %26 = arith.muli %25, %2 : tensor<2048xi32, #blocked>
        %27 = tt.addptr %4, %26 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
        %28 = tt.load %27 : tensor<2048x!tt.ptr<f32>, #blocked>
        %29 = arith.addf %arg5, %28 : tensor<2048xf32, #blocked>
        scf.yield %29 : tensor<2048xf32, #blocked>
      }
      scf.yield %21 : tensor<2048xf32, #blocked>
    } else {
      %21 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<2048xf32, #blocked>)  : i32 {
        %22 = arith.muli %arg4, %c2_i32 : i32
        %23 = arith.addi %1, %22 : i32
        %24 = tt.splat %23 : i32 -> tensor<2048xi32, #blocked>
        %25 = arith.addi %24, %3 : tensor<2048xi32, #blocked>
        %26 = arith.addi %5, %22 : i32
        %27 = tt.splat %26 : i32 -> tensor<2048xi32, #blocked>
        %28 = arith.cmpi sge, %27, %25 : tensor<2048xi32, #blocked>
        %29 = arith.muli %25, %2 : tensor<2048xi32, #blocked>
        %30 = tt.addptr %4, %29 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
        %31 = tt.load %30, %28, %cst : tensor<2048x!tt.ptr<f32>, #blocked>
        %32 = arith.addf %arg5, %31 : tensor<2048xf32, #blocked>
        scf.yield %32 : tensor<2048xf32, #blocked>
      }
      scf.yield %21 : tensor<2048xf32, #blocked>
    }
    tt.return %20 : tensor<2048xf32, #blocked>
  }
  tt.func public @apart(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<2048xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c2048_i32 : i32
    %2 = tt.splat %arg1 : i32 -> tensor<2048xi32, #blocked>
    %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = arith.subi %arg2, %arg3 : i32
    %6 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<2048xf32, #blocked>)  : i32 {
      %7 = arith.muli %arg4, %c2_i32 : i32
      %8 = arith.addi %1, %7 : i32
      %9 = tt.splat %8 : i32 -> tensor<2048xi32, #blocked>
      %10 = arith.addi %9, %3 : tensor<2048xi32, #blocked>
      %11 = arith.addi %5, %arg4 : i32
      %12 = tt.splat %11 : i32 -> tensor<2048xi32, #blocked>
      %13 = arith.cmpi slt, %10, %12 : tensor<2048xi32, #blocked>
      %14 = arith.muli %10, %2 : tensor<2048xi32, #blocked>
      %15 = tt.addptr %4, %14 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
      %16 = tt.load %15, %13, %cst : tensor<2048x!tt.ptr<f32>, #blocked>
      %17 = arith.addf %arg5, %16 : tensor<2048xf32, #blocked>
      scf.yield %17 : tensor<2048xf32, #blocked>
    }
    tt.return %6 : tensor<2048xf32, #blocked>
  }
  tt.func public @unsigned(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<2048xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c2048_i32 : i32
    %2 = tt.splat %arg1 : i32 -> tensor<2048xi32, #blocked>
    %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = arith.subi %arg2, %arg3 : i32
    %6 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<2048xf32, #blocked>)  : i32 {
      %7 = arith.addi %1, %arg4 : i32
      %8 = tt.splat %7 : i32 -> tensor<2048xi32, #blocked>
      %9 = arith.addi %8, %3 : tensor<2048xi32, #blocked>
      %10 = arith.addi %5, %arg4 : i32
      %11 = tt.splat %10 : i32 -> tensor<2048xi32, #blocked>
      %12 = arith.cmpi ult, %9, %11 : tensor<2048xi32, #blocked>
      %13 = arith.muli %9, %2 : tensor<2048xi32, #blocked>
      %14 = tt.addptr %4, %13 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
      %15 = tt.load %14, %12, %cst : tensor<2048x!tt.ptr<f32>, #blocked>
      %16 = arith.addf %arg5, %15 : tensor<2048xf32, #blocked>
      scf.yield %16 : tensor<2048xf32, #blocked>
    }
    tt.return %6 : tensor<2048xf32, #blocked>
  }
  tt.func public @still(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: i32) -> tensor<2048xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c2048_i32 : i32
    %2 = tt.splat %arg1 : i32 -> tensor<2048xi32, #blocked>
    %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %4 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = arith.subi %arg2, %arg3 : i32
    %6 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<2048xf32, #blocked>)  : i32 {
      %7 = arith.addi %1, %c2_i32 : i32
      %8 = tt.splat %7 : i32 -> tensor<2048xi32, #blocked>
      %9 = arith.addi %8, %3 : tensor<2048xi32, #blocked>
      %10 = arith.addi %5, %c2_i32 : i32
      %11 = tt.splat %10 : i32 -> tensor<2048xi32, #blocked>
      %12 = arith.cmpi slt, %9, %11 : tensor<2048xi32, #blocked>
      %13 = arith.muli %9, %2 : tensor<2048xi32, #blocked>
      %14 = tt.addptr %4, %13 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
      %15 = tt.load %14, %12, %cst : tensor<2048x!tt.ptr<f32>, #blocked>
      %16 = arith.addf %arg5, %15 : tensor<2048xf32, #blocked>
      scf.yield %16 : tensor<2048xf32, #blocked>
    }
    tt.return %6 : tensor<2048xf32, #blocked>
  }
}

