// passes: narrow-comparisons
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
#line = #ttg.slice<{dim = 1, parent = #rows}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @masks(%start: i32, %size: i32, %any: i64, %out: tensor<64x1x!tt.ptr<i1>, #rows>) {
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #line>
    %wide = arith.extsi %range : tensor<64xi32, #line> to tensor<64xi64, #line>
    %start_wide = arith.extsi %start : i32 to i64
    %first = tt.splat %start_wide : i64 -> tensor<64xi64, #line>
    %at = arith.addi %first, %wide : tensor<64xi64, #line>
    %column = tt.expand_dims %at {axis = 1 : i32} : tensor<64xi64, #line> -> tensor<64x1xi64, #rows>
    %size_wide = arith.extsi %size : i32 to i64
    %end = tt.splat %size_wide : i64 -> tensor<64x1xi64, #rows>
    %below = arith.cmpi slt, %column, %end : tensor<64x1xi64, #rows>
    tt.store %out, %below : tensor<64x1x!tt.ptr<i1>, #rows>
    // From the other side.
    %above = arith.cmpi sle, %end, %column : tensor<64x1xi64, #rows>
    tt.store %out, %above : tensor<64x1x!tt.ptr<i1>, #rows>
    // Labels of any size.
    %unknown = tt.splat %any : i64 -> tensor<64x1xi64, #rows>
    %other = arith.cmpi ne, %unknown, %column : tensor<64x1xi64, #rows>
    tt.store %out, %other : tensor<64x1x!tt.ptr<i1>, #rows>
    %equal = arith.cmpi eq, %column, %end : tensor<64x1xi64, #rows>
    tt.store %out, %equal : tensor<64x1x!tt.ptr<i1>, #rows>
    // What may be too large for a difference, and constants, stay.
    %stays = arith.cmpi slt, %column, %unknown : tensor<64x1xi64, #rows>
    tt.store %out, %stays : tensor<64x1x!tt.ptr<i1>, #rows>
    %zero = arith.constant dense<0> : tensor<64x1xi64, #rows>
    %sign = arith.cmpi sge, %column, %zero : tensor<64x1xi64, #rows>
    tt.store %out, %sign : tensor<64x1x!tt.ptr<i1>, #rows>
    // What is known to be equal for neighbors is compared once already.
    %shared = arith.cmpi slt, %column, %end {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi64, #rows>
    tt.store %out, %shared : tensor<64x1x!tt.ptr<i1>, #rows>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @masks(%arg0: i32, %arg1: i32, %arg2: i64, %arg3: tensor<64x1x!tt.ptr<i1>, #blocked>) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = arith.extsi %0 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> to tensor<64xi64, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = arith.extsi %arg0 : i32 to i64
    %3 = tt.splat %2 : i64 -> tensor<64xi64, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = arith.addi %3, %1 : tensor<64xi64, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi64, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi64, #blocked>
    %6 = arith.extsi %arg1 : i32 to i64
    %7 = tt.splat %6 : i64 -> tensor<64x1xi64, #blocked>
    %8 = arith.subi %6, %2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c64_i64 = arith.constant 64 : i64
    %9 = arith.maxsi %8, %c0_i64 : i64
    %10 = arith.minsi %9, %c64_i64 : i64
    %11 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %12 = arith.trunci %10 : i64 to i32
    %13 = tt.splat %12 : i32 -> tensor<64x1xi32, #blocked>
    %14 = arith.cmpi slt, %11, %13 : tensor<64x1xi32, #blocked>
    tt.store %arg3, %14 : tensor<64x1x!tt.ptr<i1>, #blocked>
    %15 = arith.subi %6, %2 : i64
    %c0_i64_0 = arith.constant 0 : i64
    %c64_i64_1 = arith.constant 64 : i64
    %16 = arith.maxsi %15, %c0_i64_0 : i64
    %17 = arith.minsi %16, %c64_i64_1 : i64
    %18 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %19 = arith.trunci %17 : i64 to i32
    %20 = tt.splat %19 : i32 -> tensor<64x1xi32, #blocked>
    %21 = arith.cmpi sge, %18, %20 : tensor<64x1xi32, #blocked>
    tt.store %arg3, %21 : tensor<64x1x!tt.ptr<i1>, #blocked>
    %22 = tt.splat %arg2 : i64 -> tensor<64x1xi64, #blocked>
    %23 = arith.subi %arg2, %2 : i64
    %24 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %25 = arith.trunci %23 : i64 to i32
    %26 = tt.splat %25 : i32 -> tensor<64x1xi32, #blocked>
    %27 = arith.cmpi ne, %24, %26 : tensor<64x1xi32, #blocked>
    %28 = arith.extsi %25 : i32 to i64
    %29 = arith.cmpi ne, %28, %23 : i64
    %30 = tt.splat %29 : i1 -> tensor<64x1xi1, #blocked>
    %31 = arith.ori %27, %30 : tensor<64x1xi1, #blocked>
    tt.store %arg3, %31 : tensor<64x1x!tt.ptr<i1>, #blocked>
    %32 = arith.subi %6, %2 : i64
    %33 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %34 = arith.trunci %32 : i64 to i32
    %35 = tt.splat %34 : i32 -> tensor<64x1xi32, #blocked>
    %36 = arith.cmpi eq, %33, %35 : tensor<64x1xi32, #blocked>
    %37 = arith.extsi %34 : i32 to i64
    %38 = arith.cmpi eq, %37, %32 : i64
    %39 = tt.splat %38 : i1 -> tensor<64x1xi1, #blocked>
    %40 = arith.andi %36, %39 : tensor<64x1xi1, #blocked>
    tt.store %arg3, %40 : tensor<64x1x!tt.ptr<i1>, #blocked>
    %41 = arith.cmpi slt, %5, %22 : tensor<64x1xi64, #blocked>
    tt.store %arg3, %41 : tensor<64x1x!tt.ptr<i1>, #blocked>
    %cst = arith.constant dense<0> : tensor<64x1xi64, #blocked>
    %42 = arith.cmpi sge, %5, %cst : tensor<64x1xi64, #blocked>
    tt.store %arg3, %42 : tensor<64x1x!tt.ptr<i1>, #blocked>
    %43 = arith.cmpi slt, %5, %7 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi64, #blocked>
    tt.store %arg3, %43 : tensor<64x1x!tt.ptr<i1>, #blocked>
    tt.return
  }
}

