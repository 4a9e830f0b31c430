// passes: widen-whole-blocks
// counts: scf.if 8
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#tile = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #tile}>
#columns = #ttg.slice<{dim = 0, parent = #tile}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two loads share a branch, and the address of the second is computed before it; two stores share another one behind the second.
  tt.func public @lines(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %size = arith.constant 512 : i32
    %zero = arith.constant dense<0.0> : tensor<512xf32, #four>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %size : i32
    %starts = tt.splat %start : i32 -> tensor<512xi32, #four>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %i = arith.addi %starts, %range : tensor<512xi32, #four>
    %ns = tt.splat %n : i32 -> tensor<512xi32, #four>
    %inside = arith.cmpi slt, %i, %ns : tensor<512xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %px = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %a = tt.load %px, %inside, %zero : tensor<512x!tt.ptr<f32>, #four>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %py = tt.addptr %ys, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
    %b = tt.load %py, %inside : tensor<512x!tt.ptr<f32>, #four>
    %sum = arith.addf %a, %b : tensor<512xf32, #four>
    tt.store %px, %sum, %inside : tensor<512x!tt.ptr<f32>, #four>
    %difference = arith.subf %a, %b : tensor<512xf32, #four>
    tt.store %py, %difference, %inside : tensor<512x!tt.ptr<f32>, #four>
    tt.return
  }
  // Rows and columns of a tile, each with a size of its own, and a number as a condition.
  tt.func public @tiles(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: tensor<64x64xf16, #tile>, %height: i32, %width: i32, %stride: i32 {tt.divisibility = 16 : i32}, %start: i32 {tt.divisibility = 16 : i32}, %flag: i1) {
    %row_range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
    %row_starts = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %row_range, %row_starts : tensor<64xi32, #rows>
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
    %starts = tt.splat %start : i32 -> tensor<64xi32, #columns>
    %column = arith.addi %starts, %range : tensor<64xi32, #columns>
    %heights = tt.splat %height : i32 -> tensor<64xi32, #rows>
    %widths = tt.splat %width : i32 -> tensor<64xi32, #columns>
    %of_rows = arith.cmpi slt, %row, %heights : tensor<64xi32, #rows>
    %of_columns = arith.cmpi sgt, %widths, %column : tensor<64xi32, #columns>
    %rows2 = tt.expand_dims %of_rows {axis = 1 : i32} : tensor<64xi1, #rows> -> tensor<64x1xi1, #tile>
    %columns2 = tt.expand_dims %of_columns {axis = 0 : i32} : tensor<64xi1, #columns> -> tensor<1x64xi1, #tile>
    %all_rows = tt.broadcast %rows2 : tensor<64x1xi1, #tile> -> tensor<64x64xi1, #tile>
    %all_columns = tt.broadcast %columns2 : tensor<1x64xi1, #tile> -> tensor<64x64xi1, #tile>
    %both = arith.andi %all_rows, %all_columns : tensor<64x64xi1, #tile>
    %flags = tt.splat %flag : i1 -> tensor<64x64xi1, #tile>
    %inside = arith.andi %both, %flags : tensor<64x64xi1, #tile>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #tile>
    %column2 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #tile>
    %strides = tt.splat %stride : i32 -> tensor<64x1xi32, #tile>
    %lines = arith.muli %row2, %strides : tensor<64x1xi32, #tile>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #tile>
    %line = tt.addptr %xs, %lines : tensor<64x1x!tt.ptr<f16>, #tile>, tensor<64x1xi32, #tile>
    %all_lines = tt.broadcast %line : tensor<64x1x!tt.ptr<f16>, #tile> -> tensor<64x64x!tt.ptr<f16>, #tile>
    %all_places = tt.broadcast %column2 : tensor<1x64xi32, #tile> -> tensor<64x64xi32, #tile>
    %p = tt.addptr %all_lines, %all_places : tensor<64x64x!tt.ptr<f16>, #tile>, tensor<64x64xi32, #tile>
    %old = tt.load %p, %inside : tensor<64x64x!tt.ptr<f16>, #tile>
    %new = arith.mulf %old, %v : tensor<64x64xf16, #tile>
    tt.store %p, %new, %inside : tensor<64x64x!tt.ptr<f16>, #tile>
    tt.return
  }
  // A triangle: both sides have many elements, so both may wrap around.
  tt.func public @triangles(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v: tensor<64x64xf32, #tile>, %first: i32, %start: i32 {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}) {
    %row_range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #rows>
    %firsts = tt.splat %first : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %firsts, %row_range : tensor<64xi32, #rows>
    %column_range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #columns>
    %starts = tt.splat %start : i32 -> tensor<64xi32, #columns>
    %column = arith.addi %starts, %column_range : tensor<64xi32, #columns>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #tile>
    %column2 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #columns> -> tensor<1x64xi32, #tile>
    %all_rows = tt.broadcast %row2 : tensor<64x1xi32, #tile> -> tensor<64x64xi32, #tile>
    %all_columns = tt.broadcast %column2 : tensor<1x64xi32, #tile> -> tensor<64x64xi32, #tile>
    %inside = arith.cmpi sge, %all_rows, %all_columns : tensor<64x64xi32, #tile>
    %strides = tt.splat %stride : i32 -> tensor<64x1xi32, #tile>
    %lines = arith.muli %row2, %strides : tensor<64x1xi32, #tile>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #tile>
    %line = tt.addptr %xs, %lines : tensor<64x1x!tt.ptr<f32>, #tile>, tensor<64x1xi32, #tile>
    %all_lines = tt.broadcast %line : tensor<64x1x!tt.ptr<f32>, #tile> -> tensor<64x64x!tt.ptr<f32>, #tile>
    %p = tt.addptr %all_lines, %all_columns : tensor<64x64x!tt.ptr<f32>, #tile>, tensor<64x64xi32, #tile>
    tt.store %p, %v, %inside : tensor<64x64x!tt.ptr<f32>, #tile>
    tt.return
  }
  // Differences and multiples, in 64 bits, in a loop. What is loaded is another tensor than what is stored, but nothing says so: three branches.
  tt.func public @sums(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i64, %turns: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c512 = arith.constant 512 : i32
    %c3 = arith.constant dense<3> : tensor<512xi64, #four>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #four>
    %ns = tt.splat %n : i64 -> tensor<512xi64, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #four>
    scf.for %k = %c0 to %turns step %c1 : i32 {
      %start = arith.muli %k, %c512 : i32
      %starts = tt.splat %start : i32 -> tensor<512xi32, #four>
      %i = arith.addi %starts, %range : tensor<512xi32, #four>
      %wide = arith.extsi %i : tensor<512xi32, #four> to tensor<512xi64, #four>
      %left = arith.subi %ns, %wide : tensor<512xi64, #four>
      %triple = arith.muli %left, %c3 : tensor<512xi64, #four>
      %inside = arith.cmpi sge, %triple, %wide : tensor<512xi64, #four>
      %p = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
      %q = tt.addptr %ys, %i : tensor<512x!tt.ptr<f32>, #four>, tensor<512xi32, #four>
      %a = tt.load %p, %inside : tensor<512x!tt.ptr<f32>, #four>
      tt.store %q, %a, %inside : tensor<512x!tt.ptr<f32>, #four>
      %b = tt.load %q, %inside : tensor<512x!tt.ptr<f32>, #four>
      tt.store %p, %b : tensor<512x!tt.ptr<f32>, #four>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @lines(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32) {
    %c512_i32 = arith.constant 512 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<512xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c512_i32 : i32
    %2 = tt.splat %1 : i32 -> tensor<512xi32, #blocked>
    %3 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %4 = arith.addi %2, %3 : tensor<512xi32, #blocked>
    %5 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
    %6 = arith.cmpi slt, %4, %5 : tensor<512xi32, #blocked>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %8 = tt.addptr %7, %4 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %9 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %4 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %c511_i32 = arith.constant 511 : i32
    %11 = arith.addi %1, %c511_i32 : i32
    %12 = arith.cmpi slt, %11, %arg2 : i32
    %c0_i32 = arith.constant 0 : i32
    %13 = arith.addi %1, %c0_i32 : i32
    %14 = arith.cmpi sle, %13, %11 : i32
    %15 = arith.andi %12, %14 : i1
    %16:2 = scf.if %15 -> (tensor<512xf32, #blocked>, tensor<512xf32, #blocked>) {
      %24 = tt.load %8 : tensor<512x!tt.ptr<f32>, #blocked>
      %25 = tt.load %10 : tensor<512x!tt.ptr<f32>, #blocked>
      scf.yield %24, %25 : tensor<512xf32, #blocked>, tensor<512xf32, #blocked>
    } else {
      %24 = tt.load %8, %6, %cst : tensor<512x!tt.ptr<f32>, #blocked>
      %25 = tt.load %10, %6 : tensor<512x!tt.ptr<f32>, #blocked>
      scf.yield %24, %25 : tensor<512xf32, #blocked>, tensor<512xf32, #blocked>
    }
    %17 = arith.addf %16#0, %16#1 : tensor<512xf32, #blocked>
    %18 = arith.subf %16#0, %16#1 : tensor<512xf32, #blocked>
    %c511_i32_0 = arith.constant 511 : i32
    %19 = arith.addi %1, %c511_i32_0 : i32
    %20 = arith.cmpi slt, %19, %arg2 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %21 = arith.addi %1, %c0_i32_1 : i32
    %22 = arith.cmpi sle, %21, %19 : i32
    %23 = arith.andi %20, %22 : i1
    scf.if %23 {
      tt.store %8, %17 : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %10, %18 : tensor<512x!tt.ptr<f32>, #blocked>
    } else {
      tt.store %8, %17, %6 : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %10, %18, %6 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @tiles(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x64xf16, #blocked1>, %arg2: i32, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i1) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = arith.addi %0, %1 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %4 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = arith.addi %4, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.splat %arg2 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.splat %arg3 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %8 = arith.cmpi slt, %2, %6 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = arith.cmpi sgt, %7, %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %10 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xi1, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi1, #blocked1>
    %11 = tt.expand_dims %9 {axis = 0 : i32} : tensor<64xi1, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi1, #blocked1>
    %12 = tt.broadcast %10 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %13 = tt.broadcast %11 : tensor<1x64xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %14 = arith.andi %12, %13 : tensor<64x64xi1, #blocked1>
    %15 = tt.splat %arg6 : i1 -> tensor<64x64xi1, #blocked1>
    %16 = arith.andi %14, %15 : tensor<64x64xi1, #blocked1>
    %17 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %18 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %19 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked1>
    %20 = arith.muli %17, %19 : tensor<64x1xi32, #blocked1>
    %21 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %22 = tt.addptr %21, %20 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %23 = tt.broadcast %22 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %24 = tt.broadcast %18 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %25 = tt.addptr %23, %24 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %c63_i32 = arith.constant 63 : i32
    %26 = arith.addi %arg5, %c63_i32 : i32
    %27 = arith.cmpi slt, %26, %arg3 : i32
    %c0_i32 = arith.constant 0 : i32
    %28 = arith.addi %arg5, %c0_i32 : i32
    %29 = arith.cmpi sle, %28, %26 : i32
    %c63_i32_0 = arith.constant 63 : i32
    %30 = arith.addi %c63_i32_0, %arg5 : i32
    %31 = arith.cmpi slt, %30, %arg2 : i32
    %c0_i32_1 = arith.constant 0 : i32
    %32 = arith.addi %c0_i32_1, %arg5 : i32
    %33 = arith.cmpi sle, %32, %30 : i32
    %34 = arith.andi %arg6, %27 : i1
    %35 = arith.andi %34, %29 : i1
    %36 = arith.andi %35, %31 : i1
    %37 = arith.andi %36, %33 : i1
    %38 = scf.if %37 -> (tensor<64x64xf16, #blocked1>) {
      %52 = tt.load %25 : tensor<64x64x!tt.ptr<f16>, #blocked1>
      scf.yield %52 : tensor<64x64xf16, #blocked1>
    } else {
      %52 = tt.load %25, %16 : tensor<64x64x!tt.ptr<f16>, #blocked1>
      scf.yield %52 : tensor<64x64xf16, #blocked1>
    }
    %39 = arith.mulf %38, %arg1 : tensor<64x64xf16, #blocked1>
    %c63_i32_2 = arith.constant 63 : i32
    %40 = arith.addi %arg5, %c63_i32_2 : i32
    %41 = arith.cmpi slt, %40, %arg3 : i32
    %c0_i32_3 = arith.constant 0 : i32
    %42 = arith.addi %arg5, %c0_i32_3 : i32
    %43 = arith.cmpi sle, %42, %40 : i32
    %c63_i32_4 = arith.constant 63 : i32
    %44 = arith.addi %c63_i32_4, %arg5 : i32
    %45 = arith.cmpi slt, %44, %arg2 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %46 = arith.addi %c0_i32_5, %arg5 : i32
    %47 = arith.cmpi sle, %46, %44 : i32
    %48 = arith.andi %arg6, %41 : i1
    %49 = arith.andi %48, %43 : i1
    %50 = arith.andi %49, %45 : i1
    %51 = arith.andi %50, %47 : i1
    scf.if %51 {
      tt.store %25, %39 : tensor<64x64x!tt.ptr<f16>, #blocked1>
    } else {
      tt.store %25, %39, %16 : tensor<64x64x!tt.ptr<f16>, #blocked1>
    }
    tt.return
  }
  tt.func public @triangles(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<64x64xf32, #blocked1>, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.splat %arg2 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = arith.addi %1, %0 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %4 = tt.splat %arg3 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = arith.addi %4, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %7 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %8 = tt.broadcast %6 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %9 = tt.broadcast %7 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %10 = arith.cmpi sge, %8, %9 : tensor<64x64xi32, #blocked1>
    %11 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked1>
    %12 = arith.muli %6, %11 : tensor<64x1xi32, #blocked1>
    %13 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %14 = tt.addptr %13, %12 : tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>
    %15 = tt.broadcast %14 : tensor<64x1x!tt.ptr<f32>, #blocked1> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %16 = tt.addptr %15, %9 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    %c63_i32 = arith.constant 63 : i32
    %17 = arith.addi %arg3, %c63_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %18 = arith.addi %arg2, %c0_i32 : i32
    %19 = arith.cmpi sle, %17, %18 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %20 = arith.addi %arg3, %c0_i32_0 : i32
    %21 = arith.cmpi sle, %20, %17 : i32
    %c63_i32_1 = arith.constant 63 : i32
    %22 = arith.addi %arg2, %c63_i32_1 : i32
    %23 = arith.cmpi sle, %18, %22 : i32
    %24 = arith.andi %19, %21 : i1
    %25 = arith.andi %24, %23 : i1
    scf.if %25 {
      tt.store %16, %arg1 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    } else {
      tt.store %16, %arg1, %10 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    }
    tt.return
  }
  tt.func public @sums(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i64, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c512_i32 = arith.constant 512 : i32
    %cst = arith.constant dense<3> : tensor<512xi64, #blocked>
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg2 : i64 -> tensor<512xi64, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %4 = arith.muli %arg4, %c512_i32 : i32
      %5 = tt.splat %4 : i32 -> tensor<512xi32, #blocked>
      %6 = arith.addi %5, %0 : tensor<512xi32, #blocked>
      %7 = arith.extsi %6 : tensor<512xi32, #blocked> to tensor<512xi64, #blocked>
      %8 = arith.subi %1, %7 : tensor<512xi64, #blocked>
      %9 = arith.muli %8, %cst : tensor<512xi64, #blocked>
      %10 = arith.cmpi sge, %9, %7 : tensor<512xi64, #blocked>
      %11 = tt.addptr %2, %6 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %12 = tt.addptr %3, %6 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %c511_i32 = arith.constant 511 : i32
      %13 = arith.addi %4, %c511_i32 : i32
      %14 = arith.extsi %13 : i32 to i64
      %c511_i32_0 = arith.constant 511 : i32
      %15 = arith.addi %4, %c511_i32_0 : i32
      %16 = arith.extsi %15 : i32 to i64
      %17 = arith.subi %arg2, %16 : i64
      %c3_i64 = arith.constant 3 : i64
      %18 = arith.muli %17, %c3_i64 : i64
      %19 = arith.cmpi sle, %14, %18 : i64
      %c0_i32_1 = arith.constant 0 : i32
      %20 = arith.addi %4, %c0_i32_1 : i32
      %21 = arith.extsi %20 : i32 to i64
      %22 = arith.cmpi sle, %21, %14 : i64
      %c0_i32_2 = arith.constant 0 : i32
      %23 = arith.addi %4, %c0_i32_2 : i32
      %24 = arith.extsi %23 : i32 to i64
      %25 = arith.subi %arg2, %24 : i64
      %c3_i64_3 = arith.constant 3 : i64
      %26 = arith.muli %25, %c3_i64_3 : i64
      %27 = arith.cmpi sle, %18, %26 : i64
      %28 = arith.andi %19, %22 : i1
      %29 = arith.andi %28, %27 : i1
      %30 = scf.if %29 -> (tensor<512xf32, #blocked>) {
        %66 = tt.load %11 : tensor<512x!tt.ptr<f32>, #blocked>
        scf.yield %66 : tensor<512xf32, #blocked>
      } else {
        %66 = tt.load %11, %10 : tensor<512x!tt.ptr<f32>, #blocked>
        scf.yield %66 : tensor<512xf32, #blocked>
      }
      %c511_i32_4 = arith.constant 511 : i32
      %31 = arith.addi %4, %c511_i32_4 : i32
      %32 = arith.extsi %31 : i32 to i64
      %c511_i32_5 = arith.constant 511 : i32
      %33 = arith.addi %4, %c511_i32_5 : i32
      %34 = arith.extsi %33 : i32 to i64
      %35 = arith.subi %arg2, %34 : i64
      %c3_i64_6 = arith.constant 3 : i64
      %36 = arith.muli %35, %c3_i64_6 : i64
      %37 = arith.cmpi sle, %32, %36 : i64
      %c0_i32_7 = arith.constant 0 : i32
      %38 = arith.addi %4, %c0_i32_7 : i32
      %39 = arith.extsi %38 : i32 to i64
      %40 = arith.cmpi sle, %39, %32 : i64
      %c0_i32_8 = arith.constant 0 : i32
      %41 = arith.addi %4, %c0_i32_8 : i32
      %42 = arith.extsi %41 : i32 to i64
      %43 = arith.subi %arg2, %42 : i64
      %c3_i64_9 = arith.constant 3 : i64
      %44 = arith.muli %43, %c3_i64_9 : i64
      %45 = arith.cmpi sle, %36, %44 : i64
      %46 = arith.andi %37, %40 : i1
      %47 = arith.andi %46, %45 : i1
      scf.if %47 {
        tt.store %12, %30 : tensor<512x!tt.ptr<f32>, #blocked>
      } else {
        tt.store %12, %30, %10 : tensor<512x!tt.ptr<f32>, #blocked>
      }
      %c511_i32_10 = arith.constant 511 : i32
      %48 = arith.addi %4, %c511_i32_10 : i32
      %49 = arith.extsi %48 : i32 to i64
      %c511_i32_11 = arith.constant 511 : i32
      %50 = arith.addi %4, %c511_i32_11 : i32
      %51 = arith.extsi %50 : i32 to i64
      %52 = arith.subi %arg2, %51 : i64
      %c3_i64_12 = arith.constant 3 : i64
      %53 = arith.muli %52, %c3_i64_12 : i64
      %54 = arith.cmpi sle, %49, %53 : i64
      %c0_i32_13 = arith.constant 0 : i32
      %55 = arith.addi %4, %c0_i32_13 : i32
      %56 = arith.extsi %55 : i32 to i64
      %57 = arith.cmpi sle, %56, %49 : i64
      %c0_i32_14 = arith.constant 0 : i32
      %58 = arith.addi %4, %c0_i32_14 : i32
      %59 = arith.extsi %58 : i32 to i64
      %60 = arith.subi %arg2, %59 : i64
      %c3_i64_15 = arith.constant 3 : i64
      %61 = arith.muli %60, %c3_i64_15 : i64
      %62 = arith.cmpi sle, %53, %61 : i64
      %63 = arith.andi %54, %57 : i1
      %64 = arith.andi %63, %62 : i1
      %65 = scf.if %64 -> (tensor<512xf32, #blocked>) {
        %66 = tt.load %12 : tensor<512x!tt.ptr<f32>, #blocked>
        scf.yield %66 : tensor<512xf32, #blocked>
      } else {
        %66 = tt.load %12, %10 : tensor<512x!tt.ptr<f32>, #blocked>
        scf.yield %66 : tensor<512xf32, #blocked>
      }
      tt.store %11, %65 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}

