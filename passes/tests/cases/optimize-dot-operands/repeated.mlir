// passes: optimize-dot-operands,canonicalize
// counts: ttg.convert_layout 3
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#tall = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#wa = #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 4}>
#wb = #ttg.dot_op<{opIdx = 1, parent = #wide, kWidth = 4}>
#ta = #ttg.dot_op<{opIdx = 0, parent = #tall, kWidth = 4}>
#tb = #ttg.dot_op<{opIdx = 1, parent = #tall, kWidth = 4}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Four columns of warps need each element: 624 instructions of a thread for 120 bytes and the waiting. Nothing changes.
  tt.func public @much(%p: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf32, #wb>, %c: tensor<32x32xf32, #wide>, %n: i32) -> tensor<32x32xf32, #wide> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %stride = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #rows>
    %three = arith.constant dense<3.0> : tensor<32x32xf32, #rows>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %column = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<32x1xi32, #rows>
    %row2 = arith.muli %row1, %stride : tensor<32x1xi32, #rows>
    %row3 = tt.broadcast %row2 : tensor<32x1xi32, #rows> -> tensor<32x32xi32, #rows>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
    %column2 = tt.broadcast %column1 : tensor<1x32xi32, #rows> -> tensor<32x32xi32, #rows>
    %offset = arith.addi %row3, %column2 : tensor<32x32xi32, #rows>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<32x32xf32, #wide>) : i32 {
      %first = arith.muli %i, %size : i32
      %base = tt.addptr %p, %first : !tt.ptr<i8>, i32
      %bases = tt.splat %base : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>, #rows>
      %at = tt.addptr %bases, %offset : tensor<32x32x!tt.ptr<i8>, #rows>, tensor<32x32xi32, #rows>
      %w = tt.load %at : tensor<32x32x!tt.ptr<i8>, #rows>
      %f = arith.sitofp %w : tensor<32x32xi8, #rows> to tensor<32x32xf32, #rows>
      %q = arith.divf %f, %three : tensor<32x32xf32, #rows>
      %g = arith.addf %q, %half : tensor<32x32xf32, #rows>
      %l = math.floor %g : tensor<32x32xf32, #rows>
      %x = arith.divf %l, %three : tensor<32x32xf32, #rows>
      %a = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #wa>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<32x32xf32, #wa> * tensor<32x32xf32, #wb> -> tensor<32x32xf32, #wide>
      scf.yield %d : tensor<32x32xf32, #wide>
    }
    tt.return %r : tensor<32x32xf32, #wide>
  }
  // 120 instructions: the copy is read where the product reads.
  tt.func public @little(%p: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf32, #wb>, %c: tensor<32x32xf32, #wide>, %n: i32) -> tensor<32x32xf32, #wide> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %stride = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #rows>
    %three = arith.constant dense<3.0> : tensor<32x32xf32, #rows>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %column = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<32x1xi32, #rows>
    %row2 = arith.muli %row1, %stride : tensor<32x1xi32, #rows>
    %row3 = tt.broadcast %row2 : tensor<32x1xi32, #rows> -> tensor<32x32xi32, #rows>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
    %column2 = tt.broadcast %column1 : tensor<1x32xi32, #rows> -> tensor<32x32xi32, #rows>
    %offset = arith.addi %row3, %column2 : tensor<32x32xi32, #rows>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<32x32xf32, #wide>) : i32 {
      %first = arith.muli %i, %size : i32
      %base = tt.addptr %p, %first : !tt.ptr<i8>, i32
      %bases = tt.splat %base : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>, #rows>
      %at = tt.addptr %bases, %offset : tensor<32x32x!tt.ptr<i8>, #rows>, tensor<32x32xi32, #rows>
      %w = tt.load %at : tensor<32x32x!tt.ptr<i8>, #rows>
      %f = arith.sitofp %w : tensor<32x32xi8, #rows> to tensor<32x32xf32, #rows>
      %g = arith.mulf %f, %half : tensor<32x32xf32, #rows>
      %l = arith.addf %g, %half : tensor<32x32xf32, #rows>
      %k = arith.maxnumf %l, %half : tensor<32x32xf32, #rows>
      %x = arith.minnumf %k, %three : tensor<32x32xf32, #rows>
      %a = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #wa>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<32x32xf32, #wa> * tensor<32x32xf32, #wb> -> tensor<32x32xf32, #wide>
      scf.yield %d : tensor<32x32xf32, #wide>
    }
    tt.return %r : tensor<32x32xf32, #wide>
  }
  // One stage, so that the block is no copy, and is converted either way: 104 instructions for 72 bytes. Nothing changes.
  tt.func public @no_copy(%p: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: tensor<32x32xf32, #tb>, %c: tensor<32x32xf32, #tall>, %n: i32) -> tensor<32x32xf32, #tall> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %stride = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #rows>
    %three = arith.constant dense<3.0> : tensor<32x32xf32, #rows>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %column = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<32x1xi32, #rows>
    %row2 = arith.muli %row1, %stride : tensor<32x1xi32, #rows>
    %row3 = tt.broadcast %row2 : tensor<32x1xi32, #rows> -> tensor<32x32xi32, #rows>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
    %column2 = tt.broadcast %column1 : tensor<1x32xi32, #rows> -> tensor<32x32xi32, #rows>
    %offset = arith.addi %row3, %column2 : tensor<32x32xi32, #rows>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<32x32xf32, #tall>) : i32 {
      %first = arith.muli %i, %size : i32
      %base = tt.addptr %p, %first : !tt.ptr<i8>, i32
      %bases = tt.splat %base : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>, #rows>
      %at = tt.addptr %bases, %offset : tensor<32x32x!tt.ptr<i8>, #rows>, tensor<32x32xi32, #rows>
      %w = tt.load %at : tensor<32x32x!tt.ptr<i8>, #rows>
      %f = arith.sitofp %w : tensor<32x32xi8, #rows> to tensor<32x32xf32, #rows>
      %g = arith.mulf %f, %half : tensor<32x32xf32, #rows>
      %l = arith.addf %g, %half : tensor<32x32xf32, #rows>
      %k = arith.maxnumf %l, %half : tensor<32x32xf32, #rows>
      %m = arith.divf %k, %three : tensor<32x32xf32, #rows>
      %x = arith.minnumf %m, %three : tensor<32x32xf32, #rows>
      %a = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #ta>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<32x32xf32, #ta> * tensor<32x32xf32, #tb> -> tensor<32x32xf32, #tall>
      scf.yield %d : tensor<32x32xf32, #tall>
    } {tt.num_stages = 1 : i32}
    tt.return %r : tensor<32x32xf32, #tall>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @much(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>, %arg2: tensor<32x32xf32, #mma>, %arg3: i32) -> tensor<32x32xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant dense<32> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #blocked>
    %cst_1 = arith.constant dense<3.000000e+00> : tensor<32x32xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<32x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<32x1xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<32x32xi32, #blocked>
    %8 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<32x32xf32, #mma>)  : i32 {
      %9 = arith.muli %arg4, %c1024_i32 : i32
      %10 = tt.addptr %arg0, %9 : !tt.ptr<i8>, i32
      %11 = tt.splat %10 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>, #blocked>
      %12 = tt.addptr %11, %7 : tensor<32x32x!tt.ptr<i8>, #blocked>, tensor<32x32xi32, #blocked>
      %13 = tt.load %12 : tensor<32x32x!tt.ptr<i8>, #blocked>
      %14 = arith.sitofp %13 : tensor<32x32xi8, #blocked> to tensor<32x32xf32, #blocked>
      %15 = arith.divf %14, %cst_1 : tensor<32x32xf32, #blocked>
      %16 = arith.addf %15, %cst_0 : tensor<32x32xf32, #blocked>
      %17 = math.floor %16 : tensor<32x32xf32, #blocked>
      %18 = arith.divf %17, %cst_1 : tensor<32x32xf32, #blocked>
      %19 = ttg.convert_layout %18 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %20 = tt.dot %19, %arg1, %arg5, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<32x32xf32, #mma>
      scf.yield %20 : tensor<32x32xf32, #mma>
    }
    tt.return %8 : tensor<32x32xf32, #mma>
  }
  tt.func public @little(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>, %arg2: tensor<32x32xf32, #mma>, %arg3: i32) -> tensor<32x32xf32, #mma> {
    %cst = arith.constant dense<3.000000e+00> : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst_1 = arith.constant dense<32> : tensor<32x1xi32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %3 = arith.muli %2, %cst_1 : tensor<32x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<32x1xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<32x32xi32, #blocked>
    %8 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<32x32xf32, #mma>)  : i32 {
      %9 = arith.muli %arg4, %c1024_i32 : i32
      %10 = tt.addptr %arg0, %9 : !tt.ptr<i8>, i32
      %11 = tt.splat %10 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>, #blocked>
      %12 = tt.addptr %11, %7 : tensor<32x32x!tt.ptr<i8>, #blocked>, tensor<32x32xi32, #blocked>
      %13 = tt.load %12 : tensor<32x32x!tt.ptr<i8>, #blocked>
      %14 = ttg.convert_layout %13 : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %15 = arith.sitofp %14 : tensor<32x32xi8, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> to tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %16 = arith.mulf %15, %cst_0 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %17 = arith.addf %16, %cst_0 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %18 = arith.maxnumf %17, %cst_0 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %19 = arith.minnumf %18, %cst : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %20 = tt.dot %19, %arg1, %arg5, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<32x32xf32, #mma>
      scf.yield %20 : tensor<32x32xf32, #mma>
    }
    tt.return %8 : tensor<32x32xf32, #mma>
  }
  tt.func public @no_copy(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>>, %arg2: tensor<32x32xf32, #mma1>, %arg3: i32) -> tensor<32x32xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant dense<32> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #blocked>
    %cst_1 = arith.constant dense<3.000000e+00> : tensor<32x32xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<32x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<32x1xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<32x32xi32, #blocked>
    %8 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<32x32xf32, #mma1>)  : i32 {
      %9 = arith.muli %arg4, %c1024_i32 : i32
      %10 = tt.addptr %arg0, %9 : !tt.ptr<i8>, i32
      %11 = tt.splat %10 : !tt.ptr<i8> -> tensor<32x32x!tt.ptr<i8>, #blocked>
      %12 = tt.addptr %11, %7 : tensor<32x32x!tt.ptr<i8>, #blocked>, tensor<32x32xi32, #blocked>
      %13 = tt.load %12 : tensor<32x32x!tt.ptr<i8>, #blocked>
      %14 = arith.sitofp %13 : tensor<32x32xi8, #blocked> to tensor<32x32xf32, #blocked>
      %15 = arith.mulf %14, %cst_0 : tensor<32x32xf32, #blocked>
      %16 = arith.addf %15, %cst_0 : tensor<32x32xf32, #blocked>
      %17 = arith.maxnumf %16, %cst_0 : tensor<32x32xf32, #blocked>
      %18 = arith.divf %17, %cst_1 : tensor<32x32xf32, #blocked>
      %19 = arith.minnumf %18, %cst_1 : tensor<32x32xf32, #blocked>
      %20 = ttg.convert_layout %19 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>>
      %21 = tt.dot %20, %arg1, %arg5, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>> -> tensor<32x32xf32, #mma1>
      scf.yield %21 : tensor<32x32xf32, #mma1>
    } {tt.num_stages = 1 : i32}
    tt.return %8 : tensor<32x32xf32, #mma1>
  }
}

