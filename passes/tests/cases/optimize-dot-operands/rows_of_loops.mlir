// passes: optimize-dot-operands,canonicalize
// counts: ttg.convert_layout 10, tt.precise_sqrt 3
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned_wide = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#row = #ttg.slice<{dim = 1, parent = #blocked}>
#row_wide = #ttg.slice<{dim = 1, parent = #wide}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#square = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#sa = #ttg.dot_op<{opIdx = 0, parent = #square, kWidth = 2}>
#sb = #ttg.dot_op<{opIdx = 1, parent = #square, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each iteration loads a row, and a thread computes one root of it and not four: it is converted behind them, and the block is read turned.
  tt.func public @roots(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: tensor<64x!tt.ptr<bf16>, #one>, %a: tensor<16x64xf32, #a>, %c0: tensor<16x64xf32, #mma>, %n: i32) -> tensor<16x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 4096 : i32
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %row3, %column2 : tensor<64x64xi32, #blocked>
    %tiny = arith.constant dense<1.000000e-12> : tensor<64xf32, #row>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<16x64xf32, #mma>) : i32 {
      %r = tt.load %q : tensor<64x!tt.ptr<bf16>, #one>
      %c = ttg.convert_layout %r : tensor<64xbf16, #one> -> tensor<64xbf16, #row>
      %w = arith.extf %c : tensor<64xbf16, #row> to tensor<64xf32, #row>
      %g = arith.addf %w, %tiny : tensor<64xf32, #row>
      %h = tt.precise_sqrt %g : tensor<64xf32, #row>
      %first = arith.muli %i, %step : i32
      %kp = tt.addptr %p, %first : !tt.ptr<bf16>, i32
      %ks = tt.splat %kp : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %kq = tt.addptr %ks, %offset : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %e = tt.expand_dims %h {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #blocked>
      %s = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
      %f = arith.extf %k : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %x = arith.mulf %f, %s : tensor<64x64xf32, #blocked>
      %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #b>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<16x64xf32, #mma>
      scf.yield %d : tensor<16x64xf32, #mma>
    }
    tt.return %result : tensor<16x64xf32, #mma>
  }
  // The roots are stored in the layout of the block, too: they are computed there once, and converted.
  tt.func public @roots_stored(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: tensor<64x!tt.ptr<bf16>, #one>, %o: tensor<64x!tt.ptr<f32>, #row>, %a: tensor<16x64xf32, #a>, %c0: tensor<16x64xf32, #mma>, %n: i32) -> tensor<16x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 4096 : i32
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %row3, %column2 : tensor<64x64xi32, #blocked>
    %tiny = arith.constant dense<1.000000e-12> : tensor<64xf32, #row>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<16x64xf32, #mma>) : i32 {
      %r = tt.load %q : tensor<64x!tt.ptr<bf16>, #one>
      %c = ttg.convert_layout %r : tensor<64xbf16, #one> -> tensor<64xbf16, #row>
      %w = arith.extf %c : tensor<64xbf16, #row> to tensor<64xf32, #row>
      %g = arith.addf %w, %tiny : tensor<64xf32, #row>
      %h = tt.precise_sqrt %g : tensor<64xf32, #row>
      tt.store %o, %h : tensor<64x!tt.ptr<f32>, #row>
      %first = arith.muli %i, %step : i32
      %kp = tt.addptr %p, %first : !tt.ptr<bf16>, i32
      %ks = tt.splat %kp : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %kq = tt.addptr %ks, %offset : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %e = tt.expand_dims %h {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #blocked>
      %s = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
      %f = arith.extf %k : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %x = arith.mulf %f, %s : tensor<64x64xf32, #blocked>
      %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #b>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<16x64xf32, #mma>
      scf.yield %d : tensor<16x64xf32, #mma>
    }
    tt.return %result : tensor<16x64xf32, #mma>
  }
  // A row without arithmetic, made in an outer loop: it is converted there.
  tt.func public @outer(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: tensor<64x!tt.ptr<f32>, #row>, %a: tensor<16x64xf32, #a>, %c0: tensor<16x64xf32, #mma>, %n: i32) -> tensor<16x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 4096 : i32
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %row3, %column2 : tensor<64x64xi32, #blocked>
    %result = scf.for %j = %zero to %n step %one iter_args(%outer = %c0) -> (tensor<16x64xf32, #mma>) : i32 {
      %h = tt.load %q : tensor<64x!tt.ptr<f32>, #row>
      %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %outer) -> (tensor<16x64xf32, #mma>) : i32 {
        %first = arith.muli %i, %step : i32
        %kp = tt.addptr %p, %first : !tt.ptr<bf16>, i32
        %ks = tt.splat %kp : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
        %kq = tt.addptr %ks, %offset : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
        %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked>
        %e = tt.expand_dims %h {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #blocked>
        %s = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
        %f = arith.extf %k : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
        %x = arith.mulf %f, %s : tensor<64x64xf32, #blocked>
        %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
        %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #b>
        %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<16x64xf32, #mma>
        scf.yield %d : tensor<16x64xf32, #mma>
      }
      scf.yield %sum : tensor<16x64xf32, #mma>
    }
    tt.return %result : tensor<16x64xf32, #mma>
  }
  // One stage, so the block is no copy: it would be converted beside the row. Nothing changes.
  tt.func public @one_stage(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: tensor<64x!tt.ptr<bf16>, #one>, %a: tensor<16x64xf32, #a>, %c0: tensor<16x64xf32, #mma>, %n: i32) -> tensor<16x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 4096 : i32
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %row3, %column2 : tensor<64x64xi32, #blocked>
    %tiny = arith.constant dense<1.000000e-12> : tensor<64xf32, #row>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<16x64xf32, #mma>) : i32 {
      %r = tt.load %q : tensor<64x!tt.ptr<bf16>, #one>
      %c = ttg.convert_layout %r : tensor<64xbf16, #one> -> tensor<64xbf16, #row>
      %w = arith.extf %c : tensor<64xbf16, #row> to tensor<64xf32, #row>
      %g = arith.addf %w, %tiny : tensor<64xf32, #row>
      %h = tt.precise_sqrt %g : tensor<64xf32, #row>
      %first = arith.muli %i, %step : i32
      %kp = tt.addptr %p, %first : !tt.ptr<bf16>, i32
      %ks = tt.splat %kp : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %kq = tt.addptr %ks, %offset : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %e = tt.expand_dims %h {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #blocked>
      %s = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
      %f = arith.extf %k : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %x = arith.mulf %f, %s : tensor<64x64xf32, #blocked>
      %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #b>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<16x64xf32, #mma>
      scf.yield %d : tensor<16x64xf32, #mma>
    } {tt.num_stages = 1 : i32}
    tt.return %result : tensor<16x64xf32, #mma>
  }
  // A thread would have four elements of the row, and has two. Nothing changes.
  tt.func public @more_elements(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: tensor<64x!tt.ptr<f32>, #row_wide>, %a: tensor<64x64xf32, #sa>, %c0: tensor<64x64xf32, #square>, %n: i32) -> tensor<64x64xf32, #square> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 4096 : i32
    %stride = arith.constant dense<64> : tensor<64x1xi32, #wide>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row_wide>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row_wide> -> tensor<64x1xi32, #wide>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #wide>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #wide> -> tensor<64x64xi32, #wide>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #wide}>> -> tensor<1x64xi32, #wide>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #wide> -> tensor<64x64xi32, #wide>
    %offset = arith.addi %row3, %column2 : tensor<64x64xi32, #wide>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<64x64xf32, #square>) : i32 {
      %h = tt.load %q : tensor<64x!tt.ptr<f32>, #row_wide>
      %first = arith.muli %i, %step : i32
      %kp = tt.addptr %p, %first : !tt.ptr<bf16>, i32
      %ks = tt.splat %kp : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #wide>
      %kq = tt.addptr %ks, %offset : tensor<64x64x!tt.ptr<bf16>, #wide>, tensor<64x64xi32, #wide>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #wide>
      %e = tt.expand_dims %h {axis = 1 : i32} : tensor<64xf32, #row_wide> -> tensor<64x1xf32, #wide>
      %s = tt.broadcast %e : tensor<64x1xf32, #wide> -> tensor<64x64xf32, #wide>
      %f = arith.extf %k : tensor<64x64xbf16, #wide> to tensor<64x64xf32, #wide>
      %x = arith.mulf %f, %s : tensor<64x64xf32, #wide>
      %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<64x64xf32, #wide> -> tensor<64x64xf32, #turned_wide>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned_wide> -> tensor<64x64xf32, #sb>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x64xf32, #sa> * tensor<64x64xf32, #sb> -> tensor<64x64xf32, #square>
      scf.yield %d : tensor<64x64xf32, #square>
    }
    tt.return %result : tensor<64x64xf32, #square>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @roots(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<16x64xf32, #mma>, %arg4: i32) -> tensor<16x64xf32, #mma> {
    %cst = arith.constant dense<9.99999996E-13> : tensor<64xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %3 = arith.muli %2, %cst_0 : tensor<64x1xi32, #blocked1>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked1>
    %8 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<16x64xf32, #mma>)  : i32 {
      %9 = tt.load %arg1 : tensor<64x!tt.ptr<bf16>, #blocked>
      %10 = arith.extf %9 : tensor<64xbf16, #blocked> to tensor<64xf32, #blocked>
      %11 = arith.addf %10, %cst : tensor<64xf32, #blocked>
      %12 = tt.precise_sqrt %11 : tensor<64xf32, #blocked>
      %13 = ttg.convert_layout %12 : tensor<64xf32, #blocked> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}>>
      %14 = tt.expand_dims %13 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}>> -> tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %15 = tt.broadcast %14 : tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %16 = arith.muli %arg5, %c4096_i32 : i32
      %17 = tt.addptr %arg0, %16 : !tt.ptr<bf16>, i32
      %18 = tt.splat %17 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %19 = tt.addptr %18, %7 : tensor<64x64x!tt.ptr<bf16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %20 = tt.load %19 : tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %21 = tt.trans %20 {order = array<i32: 1, 0>} : tensor<64x64xbf16, #blocked1> -> tensor<64x64xbf16, #blocked2>
      %22 = ttg.convert_layout %21 : tensor<64x64xbf16, #blocked2> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %23 = arith.extf %22 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %24 = arith.mulf %23, %15 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %25 = tt.dot %arg2, %24, %arg6, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
      scf.yield %25 : tensor<16x64xf32, #mma>
    }
    tt.return %8 : tensor<16x64xf32, #mma>
  }
  tt.func public @roots_stored(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>, %arg3: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg4: tensor<16x64xf32, #mma>, %arg5: i32) -> tensor<16x64xf32, #mma> {
    %cst = arith.constant dense<9.99999996E-13> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %3 = arith.muli %2, %cst_0 : tensor<64x1xi32, #blocked1>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked1>
    %8 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %arg4) -> (tensor<16x64xf32, #mma>)  : i32 {
      %9 = tt.load %arg1 : tensor<64x!tt.ptr<bf16>, #blocked>
      %10 = ttg.convert_layout %9 : tensor<64xbf16, #blocked> -> tensor<64xbf16, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %11 = arith.extf %10 : tensor<64xbf16, #ttg.slice<{dim = 1, parent = #blocked1}>> to tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %12 = arith.addf %11, %cst : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %13 = tt.precise_sqrt %12 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %14 = ttg.convert_layout %13 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}>>
      %15 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}>> -> tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %16 = tt.broadcast %15 : tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      tt.store %arg2, %13 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %17 = arith.muli %arg6, %c4096_i32 : i32
      %18 = tt.addptr %arg0, %17 : !tt.ptr<bf16>, i32
      %19 = tt.splat %18 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %20 = tt.addptr %19, %7 : tensor<64x64x!tt.ptr<bf16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %21 = tt.load %20 : tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %22 = tt.trans %21 {order = array<i32: 1, 0>} : tensor<64x64xbf16, #blocked1> -> tensor<64x64xbf16, #blocked2>
      %23 = ttg.convert_layout %22 : tensor<64x64xbf16, #blocked2> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %24 = arith.extf %23 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %25 = arith.mulf %24, %16 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %26 = tt.dot %arg3, %25, %arg7, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
      scf.yield %26 : tensor<16x64xf32, #mma>
    }
    tt.return %8 : tensor<16x64xf32, #mma>
  }
  tt.func public @outer(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>, %arg2: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<16x64xf32, #mma>, %arg4: i32) -> tensor<16x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %3 = arith.muli %2, %cst : tensor<64x1xi32, #blocked1>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked1>
    %8 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<16x64xf32, #mma>)  : i32 {
      %9 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %10 = ttg.convert_layout %9 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}>>
      %11 = tt.expand_dims %10 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>}>> -> tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %12 = tt.broadcast %11 : tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %13 = scf.for %arg7 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg8 = %arg6) -> (tensor<16x64xf32, #mma>)  : i32 {
        %14 = arith.muli %arg7, %c4096_i32 : i32
        %15 = tt.addptr %arg0, %14 : !tt.ptr<bf16>, i32
        %16 = tt.splat %15 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked1>
        %17 = tt.addptr %16, %7 : tensor<64x64x!tt.ptr<bf16>, #blocked1>, tensor<64x64xi32, #blocked1>
        %18 = tt.load %17 : tensor<64x64x!tt.ptr<bf16>, #blocked1>
        %19 = tt.trans %18 {order = array<i32: 1, 0>} : tensor<64x64xbf16, #blocked1> -> tensor<64x64xbf16, #blocked2>
        %20 = ttg.convert_layout %19 : tensor<64x64xbf16, #blocked2> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
        %21 = arith.extf %20 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
        %22 = arith.mulf %21, %12 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
        %23 = tt.dot %arg2, %22, %arg8, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
        scf.yield %23 : tensor<16x64xf32, #mma>
      }
      scf.yield %13 : tensor<16x64xf32, #mma>
    }
    tt.return %8 : tensor<16x64xf32, #mma>
  }
  tt.func public @one_stage(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<16x64xf32, #mma>, %arg4: i32) -> tensor<16x64xf32, #mma> {
    %cst = arith.constant dense<9.99999996E-13> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %3 = arith.muli %2, %cst_0 : tensor<64x1xi32, #blocked1>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked1>
    %8 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<16x64xf32, #mma>)  : i32 {
      %9 = tt.load %arg1 : tensor<64x!tt.ptr<bf16>, #blocked>
      %10 = ttg.convert_layout %9 : tensor<64xbf16, #blocked> -> tensor<64xbf16, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %11 = arith.extf %10 : tensor<64xbf16, #ttg.slice<{dim = 1, parent = #blocked1}>> to tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %12 = arith.addf %11, %cst : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %13 = tt.precise_sqrt %12 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %14 = arith.muli %arg5, %c4096_i32 : i32
      %15 = tt.addptr %arg0, %14 : !tt.ptr<bf16>, i32
      %16 = tt.splat %15 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %17 = tt.addptr %16, %7 : tensor<64x64x!tt.ptr<bf16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %18 = tt.load %17 : tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %19 = tt.expand_dims %13 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xf32, #blocked1>
      %20 = tt.broadcast %19 : tensor<64x1xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
      %21 = arith.extf %18 : tensor<64x64xbf16, #blocked1> to tensor<64x64xf32, #blocked1>
      %22 = arith.mulf %21, %20 : tensor<64x64xf32, #blocked1>
      %23 = tt.trans %22 {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked2>
      %24 = ttg.convert_layout %23 : tensor<64x64xf32, #blocked2> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %25 = tt.dot %arg2, %24, %arg6, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
      scf.yield %25 : tensor<16x64xf32, #mma>
    } {tt.num_stages = 1 : i32}
    tt.return %8 : tensor<16x64xf32, #mma>
  }
  tt.func public @more_elements(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked3}>>, %arg2: tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>, %arg3: tensor<64x64xf32, #mma1>, %arg4: i32) -> tensor<64x64xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked3>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xi32, #blocked3>
    %3 = arith.muli %2, %cst : tensor<64x1xi32, #blocked3>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x64xi32, #blocked3>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked3>
    %8 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64x64xf32, #mma1>)  : i32 {
      %9 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked3}>>
      %10 = arith.muli %arg5, %c4096_i32 : i32
      %11 = tt.addptr %arg0, %10 : !tt.ptr<bf16>, i32
      %12 = tt.splat %11 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked3>
      %13 = tt.addptr %12, %7 : tensor<64x64x!tt.ptr<bf16>, #blocked3>, tensor<64x64xi32, #blocked3>
      %14 = tt.load %13 : tensor<64x64x!tt.ptr<bf16>, #blocked3>
      %15 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<64x1xf32, #blocked3>
      %16 = tt.broadcast %15 : tensor<64x1xf32, #blocked3> -> tensor<64x64xf32, #blocked3>
      %17 = arith.extf %14 : tensor<64x64xbf16, #blocked3> to tensor<64x64xf32, #blocked3>
      %18 = arith.mulf %17, %16 : tensor<64x64xf32, #blocked3>
      %19 = tt.trans %18 {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked3> -> tensor<64x64xf32, #blocked4>
      %20 = ttg.convert_layout %19 : tensor<64x64xf32, #blocked4> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %21 = tt.dot %arg2, %20, %arg6, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<64x64xf32, #mma1>
      scf.yield %21 : tensor<64x64xf32, #mma1>
    }
    tt.return %8 : tensor<64x64xf32, #mma1>
  }
}

