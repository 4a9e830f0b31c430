// passes: load-steps-ahead,canonicalize
// grid: eight
// counts: tt.latency 2
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The places of the next rows are loaded while these arrive.
  tt.func public @sums(%place: !tt.ptr<i32>, %x: !tt.ptr<f32>, %out: tensor<16x32x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %zeros = arith.constant dense<0.0> : tensor<16x32xf32, #blocked>
    %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %places = tt.splat %place : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked>
    %end = scf.for %i = %c0 to %n step %c16 iter_args(%sum = %zeros) -> (tensor<16x32xf32, #blocked>) : i32 {
      %first = tt.splat %i : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %rows = arith.addi %first, %r : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %at = tt.addptr %places, %rows : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %own = tt.load %at : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %column = tt.expand_dims %own {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
      %all = tt.broadcast %column : tensor<16x1xi32, #blocked> -> tensor<16x32xi32, #blocked>
      %x_at = tt.addptr %xs, %all : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
      %v = tt.load %x_at : tensor<16x32x!tt.ptr<f32>, #blocked>
      %next = arith.addf %sum, %v : tensor<16x32xf32, #blocked>
      scf.yield %next : tensor<16x32xf32, #blocked>
    }
    tt.store %out, %end : tensor<16x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // What is stored is compared with the places of all iterations, and the loop stays where it may be one.
  tt.func public @rows(%place: !tt.ptr<i32>, %x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c16 = arith.constant 16 : i32
    %r = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %places = tt.splat %place : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    scf.for %i = %c0 to %n step %c16 : i32 {
      %first = tt.splat %i : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %rows = arith.addi %first, %r : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %at = tt.addptr %places, %rows : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %own = tt.load %at : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %x_at = tt.addptr %xs, %own : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %v = tt.load %x_at : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %out_at = tt.addptr %outs, %rows : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      tt.store %out_at, %v : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: tensor<16x32x!tt.ptr<f32>, #blocked>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x32xf32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked>
    %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c16_i32 iter_args(%arg5 = %cst) -> (tensor<16x32xf32, #blocked>)  : i32 {
      %4 = tt.splat %arg4 : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %5 = arith.addi %4, %0 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %6 = tt.addptr %1, %5 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %7 = tt.load %6 {tk.issued_ahead, tt.latency = 1 : i32} : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
      %9 = tt.broadcast %8 : tensor<16x1xi32, #blocked> -> tensor<16x32xi32, #blocked>
      %10 = tt.addptr %2, %9 : tensor<16x32x!tt.ptr<f32>, #blocked>, tensor<16x32xi32, #blocked>
      %11 = tt.load %10 : tensor<16x32x!tt.ptr<f32>, #blocked>
      %12 = arith.addf %arg5, %11 : tensor<16x32xf32, #blocked>
      scf.yield %12 : tensor<16x32xf32, #blocked>
    }
    tt.store %arg2, %3 : tensor<16x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @rows(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c15_i32 = arith.constant 15 : i32
    %c64_i64 = arith.constant 64 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = arith.maxsi %arg3, %c0_i32 : i32
    %5 = arith.addi %4, %c15_i32 : i32
    %6 = arith.divui %5, %c16_i32 : i32
    %7 = arith.extui %6 : i32 to i64
    %8 = arith.subi %7, %c1_i64 : i64
    %9 = tt.ptr_to_int %arg0 : !tt.ptr<i32> -> i64
    %10 = arith.muli %8, %c64_i64 : i64
    %11 = arith.addi %9, %10 : i64
    %12 = arith.minsi %9, %11 : i64
    %13 = arith.maxsi %9, %11 : i64
    %14 = arith.addi %13, %c64_i64 : i64
    %15 = tt.ptr_to_int %arg2 : !tt.ptr<f32> -> i64
    %16 = arith.muli %8, %c64_i64 : i64
    %17 = arith.addi %15, %16 : i64
    %18 = arith.minsi %15, %17 : i64
    %19 = arith.maxsi %15, %17 : i64
    %20 = arith.addi %19, %c64_i64 : i64
    %21 = arith.cmpi sle, %14, %18 : i64
    %22 = arith.cmpi sle, %20, %12 : i64
    %23 = arith.ori %21, %22 : i1
    %24 = arith.subi %12, %18 : i64
    %25 = arith.addi %24, %c64_i64 : i64
    %26 = arith.cmpi sge, %25, %c64_i64 : i64
    %27 = arith.ori %23, %26 : i1
    %28 = arith.select %27, %arg3, %c0_i32 : i32
    scf.for %arg4 = %c0_i32 to %28 step %c16_i32  : i32 {
      %29 = tt.splat %arg4 : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %30 = arith.addi %29, %0 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %31 = tt.addptr %1, %30 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = tt.load %31 {tk.issued_ahead, tt.latency = 1 : i32} : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %33 = tt.addptr %2, %32 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %34 = tt.load %33 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %35 = tt.addptr %3, %30 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      tt.store %35, %34 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    scf.for %arg4 = %28 to %arg3 step %c16_i32  : i32 {
      %29 = tt.splat %arg4 : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %30 = arith.addi %29, %0 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %31 = tt.addptr %1, %30 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = tt.load %31 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %33 = tt.addptr %2, %32 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %34 = tt.load %33 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %35 = tt.addptr %3, %30 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      tt.store %35, %34 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    } {tk.written_once}
    tt.return
  }
}

