// passes: load-steps-ahead,canonicalize
// grid: eight
// counts: tt.latency 1
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One warp has whole rows: nothing meets, and a scan is not copied.
  tt.func public @scan(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %zeros = arith.constant dense<0.0> : tensor<4x1xf32, #blocked>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %block = tt.broadcast %columns : tensor<1x32xi32, #blocked> -> tensor<4x32xi32, #blocked>
    %end = scf.for %t = %c0 to %n step %c32 iter_args(%carried = %zeros) -> (tensor<4x1xf32, #blocked>) : i32 {
      %x_at = tt.addptr %x, %t : !tt.ptr<f32>, i32
      %x_all = tt.splat %x_at : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %xs = tt.addptr %x_all, %block : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      %v = tt.load %xs : tensor<4x32x!tt.ptr<f32>, #blocked>
      %sums = "tt.scan"(%v) <{axis = 1 : i32, reverse = false}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.scan.return %s : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4x32xf32, #blocked>
      %before = tt.broadcast %carried : tensor<4x1xf32, #blocked> -> tensor<4x32xf32, #blocked>
      %out = arith.addf %sums, %before : tensor<4x32xf32, #blocked>
      %total = "tt.reduce"(%v) <{axis = 1 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %column = tt.expand_dims %total {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
      %next = arith.addf %carried, %column : tensor<4x1xf32, #blocked>
      %y_at = tt.addptr %y, %t : !tt.ptr<f32>, i32
      %y_all = tt.splat %y_at : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %ys = tt.addptr %y_all, %block : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      tt.store %ys, %out : tensor<4x32x!tt.ptr<f32>, #blocked>
      scf.yield %next : tensor<4x1xf32, #blocked>
    }
    tt.return
  }

  // Lanes give each other sums, which `loop-unroll` copies.
  tt.func public @sums(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %zeros = arith.constant dense<0.0> : tensor<4x1xf32, #blocked>
    %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %columns = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %block = tt.broadcast %columns : tensor<1x32xi32, #blocked> -> tensor<4x32xi32, #blocked>
    %end = scf.for %t = %c0 to %n step %c32 iter_args(%carried = %zeros) -> (tensor<4x1xf32, #blocked>) : i32 {
      %x_at = tt.addptr %x, %t : !tt.ptr<f32>, i32
      %x_all = tt.splat %x_at : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %xs = tt.addptr %x_all, %block : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      %v = tt.load %xs : tensor<4x32x!tt.ptr<f32>, #blocked>
      %before = tt.broadcast %carried : tensor<4x1xf32, #blocked> -> tensor<4x32xf32, #blocked>
      %out = arith.addf %v, %before : tensor<4x32xf32, #blocked>
      %total = "tt.reduce"(%v) <{axis = 1 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %column = tt.expand_dims %total {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
      %next = arith.addf %carried, %column : tensor<4x1xf32, #blocked>
      %y_at = tt.addptr %y, %t : !tt.ptr<f32>, i32
      %y_all = tt.splat %y_at : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %ys = tt.addptr %y_all, %block : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      tt.store %ys, %out : tensor<4x32x!tt.ptr<f32>, #blocked>
      scf.yield %next : tensor<4x1xf32, #blocked>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scan(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c31_i32 = arith.constant 31 : i32
    %c128_i64 = arith.constant 128 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<4x1xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %2 = tt.broadcast %1 : tensor<1x32xi32, #blocked> -> tensor<4x32xi32, #blocked>
    %3 = arith.maxsi %arg2, %c0_i32 : i32
    %4 = arith.addi %3, %c31_i32 : i32
    %5 = arith.divui %4, %c32_i32 : i32
    %6 = arith.extui %5 : i32 to i64
    %7 = arith.subi %6, %c1_i64 : i64
    %8 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %9 = arith.muli %7, %c128_i64 : i64
    %10 = arith.addi %8, %9 : i64
    %11 = arith.minsi %8, %10 : i64
    %12 = arith.maxsi %8, %10 : i64
    %13 = arith.addi %12, %c128_i64 : i64
    %14 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %15 = arith.muli %7, %c128_i64 : i64
    %16 = arith.addi %14, %15 : i64
    %17 = arith.minsi %14, %16 : i64
    %18 = arith.maxsi %14, %16 : i64
    %19 = arith.addi %18, %c128_i64 : i64
    %20 = arith.cmpi sle, %13, %17 : i64
    %21 = arith.cmpi sle, %19, %11 : i64
    %22 = arith.ori %20, %21 : i1
    %23 = arith.subi %11, %17 : i64
    %24 = arith.addi %23, %c128_i64 : i64
    %25 = arith.cmpi sge, %24, %c128_i64 : i64
    %26 = arith.ori %22, %25 : i1
    %27 = arith.select %26, %arg2, %c0_i32 : i32
    %28 = scf.for %arg3 = %c0_i32 to %27 step %c32_i32 iter_args(%arg4 = %cst) -> (tensor<4x1xf32, #blocked>)  : i32 {
      %30 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %31 = tt.splat %30 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %32 = tt.addptr %31, %2 : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      %33 = tt.load %32 {tk.issued_ahead, tt.latency = 4 : i32} : tensor<4x32x!tt.ptr<f32>, #blocked>
      %34 = "tt.scan"(%33) <{axis = 1 : i32, reverse = false}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %43 = arith.addf %arg5, %arg6 : f32
        tt.scan.return %43 : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4x32xf32, #blocked>
      %35 = tt.broadcast %arg4 : tensor<4x1xf32, #blocked> -> tensor<4x32xf32, #blocked>
      %36 = arith.addf %34, %35 : tensor<4x32xf32, #blocked>
      %37 = "tt.reduce"(%33) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %43 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %43 : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %38 = tt.expand_dims %37 {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
      %39 = arith.addf %arg4, %38 : tensor<4x1xf32, #blocked>
      %40 = tt.addptr %arg1, %arg3 : !tt.ptr<f32>, i32
      %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %42 = tt.addptr %41, %2 : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      tt.store %42, %36 : tensor<4x32x!tt.ptr<f32>, #blocked>
      scf.yield %39 : tensor<4x1xf32, #blocked>
    }
    %29 = scf.for %arg3 = %27 to %arg2 step %c32_i32 iter_args(%arg4 = %28) -> (tensor<4x1xf32, #blocked>)  : i32 {
      %30 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %31 = tt.splat %30 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %32 = tt.addptr %31, %2 : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      %33 = tt.load %32 : tensor<4x32x!tt.ptr<f32>, #blocked>
      %34 = "tt.scan"(%33) <{axis = 1 : i32, reverse = false}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %43 = arith.addf %arg5, %arg6 : f32
        tt.scan.return %43 : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4x32xf32, #blocked>
      %35 = tt.broadcast %arg4 : tensor<4x1xf32, #blocked> -> tensor<4x32xf32, #blocked>
      %36 = arith.addf %34, %35 : tensor<4x32xf32, #blocked>
      %37 = "tt.reduce"(%33) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %43 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %43 : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %38 = tt.expand_dims %37 {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
      %39 = arith.addf %arg4, %38 : tensor<4x1xf32, #blocked>
      %40 = tt.addptr %arg1, %arg3 : !tt.ptr<f32>, i32
      %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %42 = tt.addptr %41, %2 : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      tt.store %42, %36 : tensor<4x32x!tt.ptr<f32>, #blocked>
      scf.yield %39 : tensor<4x1xf32, #blocked>
    } {tk.written_once}
    tt.return
  }
  tt.func public @sums(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<4x1xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %2 = tt.broadcast %1 : tensor<1x32xi32, #blocked> -> tensor<4x32xi32, #blocked>
    %3 = scf.for %arg3 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg4 = %cst) -> (tensor<4x1xf32, #blocked>)  : i32 {
      %4 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %5 = tt.splat %4 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %6 = tt.addptr %5, %2 : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      %7 = tt.load %6 : tensor<4x32x!tt.ptr<f32>, #blocked>
      %8 = tt.broadcast %arg4 : tensor<4x1xf32, #blocked> -> tensor<4x32xf32, #blocked>
      %9 = arith.addf %7, %8 : tensor<4x32xf32, #blocked>
      %10 = "tt.reduce"(%7) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %16 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %16 : f32
      }) : (tensor<4x32xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %11 = tt.expand_dims %10 {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
      %12 = arith.addf %arg4, %11 : tensor<4x1xf32, #blocked>
      %13 = tt.addptr %arg1, %arg3 : !tt.ptr<f32>, i32
      %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked>
      %15 = tt.addptr %14, %2 : tensor<4x32x!tt.ptr<f32>, #blocked>, tensor<4x32xi32, #blocked>
      tt.store %15, %9 : tensor<4x32x!tt.ptr<f32>, #blocked>
      scf.yield %12 : tensor<4x1xf32, #blocked>
    }
    tt.return
  }
}

