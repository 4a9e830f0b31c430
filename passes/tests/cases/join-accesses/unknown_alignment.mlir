// passes: join-accesses
// counts: scf.if 5
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #two}>
#columns = #ttg.slice<{dim = 0, parent = #two}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Eight fields of records whose strides nobody knows are two accesses behind one test, of the start of the row and of the stride.
  tt.func public @strides(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %row_stride: i32, %stride: i32, %a: tensor<128xf32, #one>, %m: tensor<128xi1, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %c5 = arith.constant dense<5> : tensor<128xi32, #one>
    %c6 = arith.constant dense<6> : tensor<128xi32, #one>
    %c7 = arith.constant dense<7> : tensor<128xi32, #one>
    %row = tt.get_program_id x : i32
    %start = arith.muli %row, %row_stride : i32
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %strides = tt.splat %stride : i32 -> tensor<128xi32, #one>
    %own = arith.muli %i, %strides : tensor<128xi32, #one>
    %starts = tt.splat %start : i32 -> tensor<128xi32, #one>
    %at = arith.addi %starts, %own : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a, %m : tensor<128x!tt.ptr<f32>, #one>
    %v1 = arith.addf %a, %a : tensor<128xf32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p1, %v1, %m : tensor<128x!tt.ptr<f32>, #one>
    %v2 = arith.addf %v1, %a : tensor<128xf32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p2, %v2, %m : tensor<128x!tt.ptr<f32>, #one>
    %v3 = arith.addf %v2, %a : tensor<128xf32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p3, %v3, %m : tensor<128x!tt.ptr<f32>, #one>
    %v4 = arith.addf %v3, %a : tensor<128xf32, #one>
    %p4 = tt.addptr %p0, %c4 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p4, %v4, %m : tensor<128x!tt.ptr<f32>, #one>
    %v5 = arith.addf %v4, %a : tensor<128xf32, #one>
    %p5 = tt.addptr %p0, %c5 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p5, %v5, %m : tensor<128x!tt.ptr<f32>, #one>
    %v6 = arith.addf %v5, %a : tensor<128xf32, #one>
    %p6 = tt.addptr %p0, %c6 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p6, %v6, %m : tensor<128x!tt.ptr<f32>, #one>
    %v7 = arith.addf %v6, %a : tensor<128xf32, #one>
    %p7 = tt.addptr %p0, %c7 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p7, %v7, %m : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // Loads of records of four stay as they are.
  tt.func public @pointer(%x: !tt.ptr<f32>) -> (tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %a = tt.load %p0 : tensor<128x!tt.ptr<f32>, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %d = tt.load %p3 : tensor<128x!tt.ptr<f32>, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %b = tt.load %p1 : tensor<128x!tt.ptr<f32>, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %c = tt.load %p2 : tensor<128x!tt.ptr<f32>, #one>
    tt.return %a, %b, %c, %d : tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>
  }
  // Four halves fill eight bytes, and their records are no longer. The start is a number that was loaded, of 64 bits.
  tt.func public @halves(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %starts: !tt.ptr<i64>, %v: tensor<128xf16, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %start = tt.load %starts : !tt.ptr<i64>
    %row = tt.addptr %x, %start : !tt.ptr<f16>, i64
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %xs = tt.splat %row : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f16>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f16>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f16>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f16>, #one>, tensor<128xi32, #one>
    tt.store %p1, %v : tensor<128x!tt.ptr<f16>, #one>
    tt.store %p0, %v : tensor<128x!tt.ptr<f16>, #one>
    tt.store %p3, %v : tensor<128x!tt.ptr<f16>, #one>
    tt.store %p2, %v : tensor<128x!tt.ptr<f16>, #one>
    tt.return
  }
  // The first field lies where the tested number says, since the constants of both sides add up to nothing: four fields are one access, and two another one.
  tt.func public @behind(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %start: i32, %stride: i32, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %c5 = arith.constant dense<5> : tensor<128xi32, #one>
    %c6 = arith.constant dense<6> : tensor<128xi32, #one>
    %c8 = arith.constant dense<8> : tensor<128xi32, #one>
    %one = arith.constant 1 : i32
    %from = arith.addi %start, %one : i32
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %half = arith.muli %i, %c8 : tensor<128xi32, #one>
    %froms = tt.splat %from : i32 -> tensor<128xi32, #one>
    %at = arith.subi %half, %froms : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    %p4 = tt.addptr %p0, %c4 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p4, %a : tensor<128x!tt.ptr<f32>, #one>
    %p5 = tt.addptr %p0, %c5 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p5, %a : tensor<128x!tt.ptr<f32>, #one>
    %p6 = tt.addptr %p0, %c6 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p6, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // Rows and columns of records, with offsets of 64 bits. The columns are even, so twos have to divide their stride, and fours that of the rows.
  tt.func public @blocks(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %row_stride: i64, %stride: i32) -> (tensor<4x32xf32, #two>, tensor<4x32xf32, #two>, tensor<4x32xf32, #two>, tensor<4x32xf32, #two>) {
    %c1 = arith.constant dense<1> : tensor<4x32xi64, #two>
    %c2 = arith.constant dense<2> : tensor<4x32xi64, #two>
    %c3 = arith.constant dense<3> : tensor<4x32xi64, #two>
    %twos = arith.constant dense<2> : tensor<32xi32, #columns>
    %row = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32, #rows>
    %wide_row = arith.extsi %row : tensor<4xi32, #rows> to tensor<4xi64, #rows>
    %row_strides = tt.splat %row_stride : i64 -> tensor<4xi64, #rows>
    %row_at = arith.muli %row_strides, %wide_row : tensor<4xi64, #rows>
    %row_2d = tt.expand_dims %row_at {axis = 1 : i32} : tensor<4xi64, #rows> -> tensor<4x1xi64, #two>
    %rows = tt.broadcast %row_2d : tensor<4x1xi64, #two> -> tensor<4x32xi64, #two>
    %column = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #columns>
    %even = arith.muli %column, %twos : tensor<32xi32, #columns>
    %strides = tt.splat %stride : i32 -> tensor<32xi32, #columns>
    %column_at = arith.muli %even, %strides : tensor<32xi32, #columns>
    %wide = arith.extsi %column_at : tensor<32xi32, #columns> to tensor<32xi64, #columns>
    %column_2d = tt.expand_dims %wide {axis = 0 : i32} : tensor<32xi64, #columns> -> tensor<1x32xi64, #two>
    %columns = tt.broadcast %column_2d : tensor<1x32xi64, #two> -> tensor<4x32xi64, #two>
    %at = arith.addi %rows, %columns : tensor<4x32xi64, #two>
    %at1 = arith.addi %at, %c1 : tensor<4x32xi64, #two>
    %at2 = arith.addi %at, %c2 : tensor<4x32xi64, #two>
    %at3 = arith.addi %at, %c3 : tensor<4x32xi64, #two>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #two>
    %p0 = tt.addptr %xs, %at : tensor<4x32x!tt.ptr<f32>, #two>, tensor<4x32xi64, #two>
    %p1 = tt.addptr %xs, %at1 : tensor<4x32x!tt.ptr<f32>, #two>, tensor<4x32xi64, #two>
    %p2 = tt.addptr %xs, %at2 : tensor<4x32x!tt.ptr<f32>, #two>, tensor<4x32xi64, #two>
    %p3 = tt.addptr %xs, %at3 : tensor<4x32x!tt.ptr<f32>, #two>, tensor<4x32xi64, #two>
    %a = tt.load %p0 : tensor<4x32x!tt.ptr<f32>, #two>
    %b = tt.load %p1 : tensor<4x32x!tt.ptr<f32>, #two>
    %c = tt.load %p2 : tensor<4x32x!tt.ptr<f32>, #two>
    %d = tt.load %p3 : tensor<4x32x!tt.ptr<f32>, #two>
    tt.return %a, %b, %c, %d : tensor<4x32xf32, #two>, tensor<4x32xf32, #two>, tensor<4x32xf32, #two>, tensor<4x32xf32, #two>
  }
  // Two tensors that are stored one after the other have a branch each.
  tt.func public @two_runs(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %a: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %q0 = tt.addptr %ys, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %q1 = tt.addptr %q0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %q2 = tt.addptr %q0, %c2 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %q3 = tt.addptr %q0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %q0, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %q1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %q2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %q3, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @strides(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: tensor<128xf32, #blocked>, %arg4: tensor<128xi1, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %cst_3 = arith.constant dense<5> : tensor<128xi32, #blocked>
    %cst_4 = arith.constant dense<6> : tensor<128xi32, #blocked>
    %cst_5 = arith.constant dense<7> : tensor<128xi32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %arg1 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %3 = tt.splat %arg2 : i32 -> tensor<128xi32, #blocked>
    %4 = arith.muli %2, %3 : tensor<128xi32, #blocked>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #blocked>
    %6 = arith.addi %5, %4 : tensor<128xi32, #blocked>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %8 = tt.addptr %7, %6 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %9 = arith.addf %arg3, %arg3 : tensor<128xf32, #blocked>
    %10 = tt.addptr %8, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %11 = arith.addf %9, %arg3 : tensor<128xf32, #blocked>
    %12 = tt.addptr %8, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %13 = arith.addf %11, %arg3 : tensor<128xf32, #blocked>
    %14 = tt.addptr %8, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %15 = arith.addf %13, %arg3 : tensor<128xf32, #blocked>
    %16 = tt.addptr %8, %cst_2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %17 = arith.addf %15, %arg3 : tensor<128xf32, #blocked>
    %18 = tt.addptr %8, %cst_3 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %19 = arith.addf %17, %arg3 : tensor<128xf32, #blocked>
    %20 = tt.addptr %8, %cst_4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %21 = arith.addf %19, %arg3 : tensor<128xf32, #blocked>
    %22 = tt.addptr %8, %cst_5 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %23 = arith.andi %arg2, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %24 = arith.cmpi eq, %23, %c0_i32 : i32
    %c3_i32_6 = arith.constant 3 : i32
    %25 = arith.andi %1, %c3_i32_6 : i32
    %c0_i32_7 = arith.constant 0 : i32
    %26 = arith.cmpi eq, %25, %c0_i32_7 : i32
    %27 = arith.andi %24, %26 : i1
    scf.if %27 {
      tt.store %8, %arg3, %arg4 {tk.joined = array<i32: 0, 1, 16>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %10, %9, %arg4 {tk.joined = array<i32: 0, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %12, %11, %arg4 {tk.joined = array<i32: 0, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %14, %13, %arg4 {tk.joined = array<i32: 0, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %16, %15, %arg4 {tk.joined = array<i32: 1, 1, 16>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %18, %17, %arg4 {tk.joined = array<i32: 1, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %20, %19, %arg4 {tk.joined = array<i32: 1, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %22, %21, %arg4 {tk.joined = array<i32: 1, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    } else {
      tt.store %8, %arg3, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %10, %9, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %12, %11, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %14, %13, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %16, %15, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %18, %17, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %20, %19, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %22, %21, %arg4 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @pointer(%arg0: !tt.ptr<f32>) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.load %3 : tensor<128x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %3, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.load %5 : tensor<128x!tt.ptr<f32>, #blocked>
    %7 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.load %7 : tensor<128x!tt.ptr<f32>, #blocked>
    %9 = tt.addptr %3, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %10 = tt.load %9 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %4, %8, %10, %6 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
  tt.func public @halves(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i64>, %arg2: tensor<128xf16, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.load %arg1 : !tt.ptr<i64>
    %1 = tt.addptr %arg0, %0 : !tt.ptr<f16>, i64
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %3 = arith.muli %2, %cst_2 : tensor<128xi32, #blocked>
    %4 = tt.splat %1 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %5 = tt.addptr %4, %3 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %5, %cst : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.addptr %5, %cst_0 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.addptr %5, %cst_1 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %c3_i64 = arith.constant 3 : i64
    %9 = arith.andi %0, %c3_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %10 = arith.cmpi eq, %9, %c0_i64 : i64
    scf.if %10 {
      tt.store %6, %arg2 {tk.joined = array<i32: 2, 1, 2>} : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %5, %arg2 {tk.joined = array<i32: 2, 1, 8>} : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %8, %arg2 {tk.joined = array<i32: 2, 1, 2>} : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %7, %arg2 {tk.joined = array<i32: 2, 1, 4>} : tensor<128x!tt.ptr<f16>, #blocked>
    } else {
      tt.store %6, %arg2 : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %5, %arg2 : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %8, %arg2 : tensor<128x!tt.ptr<f16>, #blocked>
      tt.store %7, %arg2 : tensor<128x!tt.ptr<f16>, #blocked>
    }
    tt.return
  }
  tt.func public @behind(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32, %arg3: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %cst_3 = arith.constant dense<5> : tensor<128xi32, #blocked>
    %cst_4 = arith.constant dense<6> : tensor<128xi32, #blocked>
    %cst_5 = arith.constant dense<8> : tensor<128xi32, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.addi %arg1, %c1_i32 : i32
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %2 = arith.muli %1, %cst_5 : tensor<128xi32, #blocked>
    %3 = tt.splat %0 : i32 -> tensor<128xi32, #blocked>
    %4 = arith.subi %2, %3 : tensor<128xi32, #blocked>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %6 = tt.addptr %5, %4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.addptr %6, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.addptr %6, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %9 = tt.addptr %6, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %10 = tt.addptr %6, %cst_2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %11 = tt.addptr %6, %cst_3 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %12 = tt.addptr %6, %cst_4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %c3_i32 = arith.constant 3 : i32
    %13 = arith.andi %arg1, %c3_i32 : i32
    %c0_i32 = arith.constant 0 : i32
    %14 = arith.cmpi eq, %13, %c0_i32 : i32
    scf.if %14 {
      tt.store %7, %arg3 {tk.joined = array<i32: 3, 1, 16>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %8, %arg3 {tk.joined = array<i32: 3, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %9, %arg3 {tk.joined = array<i32: 3, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %10, %arg3 {tk.joined = array<i32: 3, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %11, %arg3 {tk.joined = array<i32: 4, 1, 16>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %12, %arg3 {tk.joined = array<i32: 4, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    } else {
      tt.store %7, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %8, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %9, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %10, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %11, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %12, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @blocks(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i64, %arg2: i32) -> (tensor<4x32xf32, #blocked1>, tensor<4x32xf32, #blocked1>, tensor<4x32xf32, #blocked1>, tensor<4x32xf32, #blocked1>) {
    %cst = arith.constant dense<1> : tensor<4x32xi64, #blocked1>
    %cst_0 = arith.constant dense<2> : tensor<4x32xi64, #blocked1>
    %cst_1 = arith.constant dense<3> : tensor<4x32xi64, #blocked1>
    %cst_2 = arith.constant dense<2> : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %0 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = arith.extsi %0 : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> to tensor<4xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.splat %arg1 : i64 -> tensor<4xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = arith.muli %2, %1 : tensor<4xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<4xi64, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<4x1xi64, #blocked1>
    %5 = tt.broadcast %4 : tensor<4x1xi64, #blocked1> -> tensor<4x32xi64, #blocked1>
    %6 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %7 = arith.muli %6, %cst_2 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %8 = tt.splat %arg2 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %9 = arith.muli %7, %8 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %10 = arith.extsi %9 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> to tensor<32xi64, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %11 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xi64, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi64, #blocked1>
    %12 = tt.broadcast %11 : tensor<1x32xi64, #blocked1> -> tensor<4x32xi64, #blocked1>
    %13 = arith.addi %5, %12 : tensor<4x32xi64, #blocked1>
    %14 = arith.addi %13, %cst : tensor<4x32xi64, #blocked1>
    %15 = arith.addi %13, %cst_0 : tensor<4x32xi64, #blocked1>
    %16 = arith.addi %13, %cst_1 : tensor<4x32xi64, #blocked1>
    %17 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x32x!tt.ptr<f32>, #blocked1>
    %18 = tt.addptr %17, %13 : tensor<4x32x!tt.ptr<f32>, #blocked1>, tensor<4x32xi64, #blocked1>
    %19 = tt.addptr %17, %14 : tensor<4x32x!tt.ptr<f32>, #blocked1>, tensor<4x32xi64, #blocked1>
    %20 = tt.addptr %17, %15 : tensor<4x32x!tt.ptr<f32>, #blocked1>, tensor<4x32xi64, #blocked1>
    %21 = tt.addptr %17, %16 : tensor<4x32x!tt.ptr<f32>, #blocked1>, tensor<4x32xi64, #blocked1>
    %22 = tt.load %18 : tensor<4x32x!tt.ptr<f32>, #blocked1>
    %23 = tt.load %19 : tensor<4x32x!tt.ptr<f32>, #blocked1>
    %24 = tt.load %20 : tensor<4x32x!tt.ptr<f32>, #blocked1>
    %25 = tt.load %21 : tensor<4x32x!tt.ptr<f32>, #blocked1>
    tt.return %22, %23, %24, %25 : tensor<4x32xf32, #blocked1>, tensor<4x32xf32, #blocked1>, tensor<4x32xf32, #blocked1>, tensor<4x32xf32, #blocked1>
  }
  tt.func public @two_runs(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %4, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %7 = tt.addptr %5, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = tt.addptr %4, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %9 = tt.addptr %5, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %10 = tt.addptr %4, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %11 = tt.addptr %5, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %12 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %c15_i64 = arith.constant 15 : i64
    %13 = arith.andi %12, %c15_i64 : i64
    %c0_i64 = arith.constant 0 : i64
    %14 = arith.cmpi eq, %13, %c0_i64 : i64
    scf.if %14 {
      tt.store %4, %arg2 {tk.joined = array<i32: 5, 1, 16>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %6, %arg2 {tk.joined = array<i32: 5, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %8, %arg2 {tk.joined = array<i32: 5, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %10, %arg2 {tk.joined = array<i32: 5, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    } else {
      tt.store %4, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %6, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %8, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %10, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    %15 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %c15_i64_3 = arith.constant 15 : i64
    %16 = arith.andi %15, %c15_i64_3 : i64
    %c0_i64_4 = arith.constant 0 : i64
    %17 = arith.cmpi eq, %16, %c0_i64_4 : i64
    scf.if %17 {
      tt.store %5, %arg2 {tk.joined = array<i32: 6, 1, 16>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %7, %arg2 {tk.joined = array<i32: 6, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %9, %arg2 {tk.joined = array<i32: 6, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %11, %arg2 {tk.joined = array<i32: 6, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    } else {
      tt.store %5, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %7, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %9, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %11, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}

