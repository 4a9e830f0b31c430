// passes: remove-layout-conversions
// counts: ttg.convert_layout 6
#bytes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#square = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#wide = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#sa = #ttg.dot_op<{opIdx = 0, parent = #square, kWidth = 2}>
#sb = #ttg.dot_op<{opIdx = 1, parent = #square, kWidth = 2}>
#wa = #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>
#wb = #ttg.dot_op<{opIdx = 1, parent = #wide, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Two rows of warps need each weight, and bytes of which no address is known wait in registers: 56 instructions for 24 bytes. Numbers are converted.
  tt.func public @nibbles(%p: tensor<32x32x!tt.ptr<i8>, #bytes>, %a: tensor<32x32xf16, #sa>, %c: tensor<32x32xf32, #square>, %n: i32) -> tensor<32x32xf32, #square> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant dense<4> : tensor<32x32xi32, #bytes>
    %low = arith.constant dense<15> : tensor<32x32xi32, #bytes>
    %eight = arith.constant dense<8.0> : tensor<32x32xf32, #bytes>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #bytes>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<32x32xf32, #square>) : i32 {
      %w = tt.load %p : tensor<32x32x!tt.ptr<i8>, #bytes>
      %e = arith.extui %w : tensor<32x32xi8, #bytes> to tensor<32x32xi32, #bytes>
      %s = arith.shrui %e, %four : tensor<32x32xi32, #bytes>
      %q = arith.andi %s, %low : tensor<32x32xi32, #bytes>
      %f = arith.sitofp %q : tensor<32x32xi32, #bytes> to tensor<32x32xf32, #bytes>
      %g = arith.subf %f, %eight : tensor<32x32xf32, #bytes>
      %m = arith.mulf %g, %half : tensor<32x32xf32, #bytes>
      %h = arith.truncf %m : tensor<32x32xf32, #bytes> to tensor<32x32xf16, #bytes>
      %b = ttg.convert_layout %h : tensor<32x32xf16, #bytes> -> tensor<32x32xf16, #sb>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #sa> * tensor<32x32xf16, #sb> -> tensor<32x32xf32, #square>
      scf.yield %d : tensor<32x32xf32, #square>
    }
    tt.return %r : tensor<32x32xf32, #square>
  }
  // Each warp has columns of its own: bytes are converted.
  tt.func public @columns(%p: tensor<32x32x!tt.ptr<i8>, #bytes>, %a: tensor<32x32xf16, #wa>, %c: tensor<32x32xf32, #wide>, %n: i32) -> tensor<32x32xf32, #wide> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant dense<4> : tensor<32x32xi32, #bytes>
    %low = arith.constant dense<15> : tensor<32x32xi32, #bytes>
    %eight = arith.constant dense<8.0> : tensor<32x32xf32, #bytes>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #bytes>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<32x32xf32, #wide>) : i32 {
      %w = tt.load %p : tensor<32x32x!tt.ptr<i8>, #bytes>
      %e = arith.extui %w : tensor<32x32xi8, #bytes> to tensor<32x32xi32, #bytes>
      %s = arith.shrui %e, %four : tensor<32x32xi32, #bytes>
      %q = arith.andi %s, %low : tensor<32x32xi32, #bytes>
      %f = arith.sitofp %q : tensor<32x32xi32, #bytes> to tensor<32x32xf32, #bytes>
      %g = arith.subf %f, %eight : tensor<32x32xf32, #bytes>
      %m = arith.mulf %g, %half : tensor<32x32xf32, #bytes>
      %h = arith.truncf %m : tensor<32x32xf32, #bytes> to tensor<32x32xf16, #bytes>
      %b = ttg.convert_layout %h : tensor<32x32xf16, #bytes> -> tensor<32x32xf16, #wb>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #wa> * tensor<32x32xf16, #wb> -> tensor<32x32xf32, #wide>
      scf.yield %d : tensor<32x32xf32, #wide>
    }
    tt.return %r : tensor<32x32xf32, #wide>
  }
  // A cast is one instruction: bytes are converted.
  tt.func public @casts(%p: tensor<32x32x!tt.ptr<i8>, #bytes>, %a: tensor<32x32xf16, #sa>, %c: tensor<32x32xf32, #square>, %n: i32) -> tensor<32x32xf32, #square> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<32x32xf32, #square>) : i32 {
      %w = tt.load %p : tensor<32x32x!tt.ptr<i8>, #bytes>
      %h = arith.sitofp %w : tensor<32x32xi8, #bytes> to tensor<32x32xf16, #bytes>
      %b = ttg.convert_layout %h : tensor<32x32xf16, #bytes> -> tensor<32x32xf16, #sb>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #sa> * tensor<32x32xf16, #sb> -> tensor<32x32xf32, #square>
      scf.yield %d : tensor<32x32xf32, #square>
    }
    tt.return %r : tensor<32x32xf32, #square>
  }
  // What is converted in the loop was loaded before it: the conversion leaves the loop, to where it was loaded.
  tt.func public @before(%p: tensor<32x32x!tt.ptr<f16>, #bytes>, %a: tensor<32x32xf16, #sa>, %c: tensor<32x32xf32, #square>, %n: i32) -> tensor<32x32xf32, #square> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %eight = arith.constant dense<8.0> : tensor<32x32xf32, #bytes>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #bytes>
    %w = tt.load %p : tensor<32x32x!tt.ptr<f16>, #bytes>
    %f = arith.extf %w : tensor<32x32xf16, #bytes> to tensor<32x32xf32, #bytes>
    %g = arith.subf %f, %eight : tensor<32x32xf32, #bytes>
    %m = arith.mulf %g, %half : tensor<32x32xf32, #bytes>
    %h = arith.truncf %m : tensor<32x32xf32, #bytes> to tensor<32x32xf16, #bytes>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<32x32xf32, #square>) : i32 {
      %b = ttg.convert_layout %h : tensor<32x32xf16, #bytes> -> tensor<32x32xf16, #sb>
      %d = tt.dot %a, %b, %acc : tensor<32x32xf16, #sa> * tensor<32x32xf16, #sb> -> tensor<32x32xf32, #square>
      scf.yield %d : tensor<32x32xf32, #square>
    }
    tt.return %r : tensor<32x32xf32, #square>
  }
  // The block is a copy in shared memory. Four columns of warps need each row: 408 instructions for 80 bytes and the waiting. Levels are converted.
  tt.func public @levels(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %step: f32, %b: tensor<32x32xf32, #wb>, %c: tensor<32x32xf32, #wide>, %n: i32) -> tensor<32x32xf32, #wide> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %stride = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #rows>
    %five = arith.constant dense<5.0> : tensor<32x32xf32, #rows>
    %by = tt.splat %step : f32 -> tensor<32x32xf32, #rows>
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
      %base = tt.addptr %p, %first : !tt.ptr<f16>, i32
      %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #rows>
      %at = tt.addptr %bases, %offset : tensor<32x32x!tt.ptr<f16>, #rows>, tensor<32x32xi32, #rows>
      %w = tt.load %at : tensor<32x32x!tt.ptr<f16>, #rows>
      %f = arith.extf %w : tensor<32x32xf16, #rows> to tensor<32x32xf32, #rows>
      %q = arith.divf %f, %by : tensor<32x32xf32, #rows>
      %g = arith.addf %q, %half : tensor<32x32xf32, #rows>
      %l = math.floor %g : tensor<32x32xf32, #rows>
      %o = arith.cmpf ogt, %l, %five : tensor<32x32xf32, #rows>
      %s = arith.select %o, %five, %l : tensor<32x32xi1, #rows>, tensor<32x32xf32, #rows>
      %m = arith.mulf %s, %by : tensor<32x32xf32, #rows>
      %z = arith.subf %m, %half : tensor<32x32xf32, #rows>
      %y = arith.maxnumf %z, %half : tensor<32x32xf32, #rows>
      %x = arith.minnumf %y, %by : tensor<32x32xf32, #rows>
      %a = ttg.convert_layout %x : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #wa>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<32x32xf32, #wa> * tensor<32x32xf32, #wb> -> tensor<32x32xf32, #wide>
      scf.yield %d : tensor<32x32xf32, #wide>
    }
    tt.return %r : tensor<32x32xf32, #wide>
  }
  // 72 instructions: the copy is read where the product reads.
  tt.func public @scaled(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %step: f32, %b: tensor<32x32xf32, #wb>, %c: tensor<32x32xf32, #wide>, %n: i32) -> tensor<32x32xf32, #wide> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %size = arith.constant 1024 : i32
    %stride = arith.constant dense<32> : tensor<32x1xi32, #rows>
    %half = arith.constant dense<0.5> : tensor<32x32xf32, #rows>
    %by = tt.splat %step : f32 -> tensor<32x32xf32, #rows>
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
      %base = tt.addptr %p, %first : !tt.ptr<f16>, i32
      %bases = tt.splat %base : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #rows>
      %at = tt.addptr %bases, %offset : tensor<32x32x!tt.ptr<f16>, #rows>, tensor<32x32xi32, #rows>
      %w = tt.load %at : tensor<32x32x!tt.ptr<f16>, #rows>
      %f = arith.extf %w : tensor<32x32xf16, #rows> to tensor<32x32xf32, #rows>
      %q = arith.mulf %f, %by : tensor<32x32xf32, #rows>
      %g = arith.addf %q, %half : tensor<32x32xf32, #rows>
      %a = ttg.convert_layout %g : tensor<32x32xf32, #rows> -> tensor<32x32xf32, #wa>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<32x32xf32, #wa> * tensor<32x32xf32, #wb> -> tensor<32x32xf32, #wide>
      scf.yield %d : tensor<32x32xf32, #wide>
    }
    tt.return %r : tensor<32x32xf32, #wide>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @nibbles(%arg0: tensor<32x32x!tt.ptr<i8>, #blocked>, %arg1: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<32x32xf32, #mma>, %arg3: i32) -> tensor<32x32xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<4> : tensor<32x32xi32, #blocked>
    %cst_0 = arith.constant dense<15> : tensor<32x32xi32, #blocked>
    %cst_1 = arith.constant dense<8.000000e+00> : tensor<32x32xf32, #blocked>
    %cst_2 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #blocked>
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<32x32xf32, #mma>)  : i32 {
      %1 = tt.load %arg0 : tensor<32x32x!tt.ptr<i8>, #blocked>
      %2 = arith.extui %1 : tensor<32x32xi8, #blocked> to tensor<32x32xi32, #blocked>
      %3 = arith.shrui %2, %cst : tensor<32x32xi32, #blocked>
      %4 = arith.andi %3, %cst_0 : tensor<32x32xi32, #blocked>
      %5 = arith.sitofp %4 : tensor<32x32xi32, #blocked> to tensor<32x32xf32, #blocked>
      %6 = arith.subf %5, %cst_1 : tensor<32x32xf32, #blocked>
      %7 = arith.mulf %6, %cst_2 : tensor<32x32xf32, #blocked>
      %8 = arith.truncf %7 : tensor<32x32xf32, #blocked> to tensor<32x32xf16, #blocked>
      %9 = ttg.convert_layout %8 : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %10 = tt.dot %arg1, %9, %arg5 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
      scf.yield %10 : tensor<32x32xf32, #mma>
    }
    tt.return %0 : tensor<32x32xf32, #mma>
  }
  tt.func public @columns(%arg0: tensor<32x32x!tt.ptr<i8>, #blocked>, %arg1: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>, %arg2: tensor<32x32xf32, #mma1>, %arg3: i32) -> tensor<32x32xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<4> : tensor<32x32xi32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    %cst_0 = arith.constant dense<15> : tensor<32x32xi32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    %cst_1 = arith.constant dense<8.000000e+00> : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    %cst_2 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<32x32xf32, #mma1>)  : i32 {
      %1 = tt.load %arg0 : tensor<32x32x!tt.ptr<i8>, #blocked>
      %2 = ttg.convert_layout %1 : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %3 = arith.extui %2 : tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> to tensor<32x32xi32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %4 = arith.shrui %3, %cst : tensor<32x32xi32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %5 = arith.andi %4, %cst_0 : tensor<32x32xi32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %6 = arith.sitofp %5 : tensor<32x32xi32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> to tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %7 = arith.subf %6, %cst_1 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %8 = arith.mulf %7, %cst_2 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %9 = arith.truncf %8 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> to tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %10 = tt.dot %arg1, %9, %arg5 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<32x32xf32, #mma1>
      scf.yield %10 : tensor<32x32xf32, #mma1>
    }
    tt.return %0 : tensor<32x32xf32, #mma1>
  }
  tt.func public @casts(%arg0: tensor<32x32x!tt.ptr<i8>, #blocked>, %arg1: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<32x32xf32, #mma>, %arg3: i32) -> tensor<32x32xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<32x32xf32, #mma>)  : i32 {
      %1 = tt.load %arg0 : tensor<32x32x!tt.ptr<i8>, #blocked>
      %2 = ttg.convert_layout %1 : tensor<32x32xi8, #blocked> -> tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %3 = arith.sitofp %2 : tensor<32x32xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %4 = tt.dot %arg1, %3, %arg5 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
      scf.yield %4 : tensor<32x32xf32, #mma>
    }
    tt.return %0 : tensor<32x32xf32, #mma>
  }
  tt.func public @before(%arg0: tensor<32x32x!tt.ptr<f16>, #blocked>, %arg1: tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: tensor<32x32xf32, #mma>, %arg3: i32) -> tensor<32x32xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<8.000000e+00> : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %0 = tt.load %arg0 : tensor<32x32x!tt.ptr<f16>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %2 = arith.extf %1 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %3 = arith.subf %2, %cst : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %4 = arith.mulf %3, %cst_0 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %5 = arith.truncf %4 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %6 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (tensor<32x32xf32, #mma>)  : i32 {
      %7 = tt.dot %arg1, %5, %arg5 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x32xf32, #mma>
      scf.yield %7 : tensor<32x32xf32, #mma>
    }
    tt.return %6 : tensor<32x32xf32, #mma>
  }
  tt.func public @levels(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: f32, %arg2: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>, %arg3: tensor<32x32xf32, #mma1>, %arg4: i32) -> tensor<32x32xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant dense<32> : tensor<32x1xi32, #blocked1>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #blocked1>
    %cst_1 = arith.constant dense<5.000000e+00> : tensor<32x32xf32, #blocked1>
    %0 = tt.splat %arg1 : f32 -> tensor<32x32xf32, #blocked1>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %4 = arith.muli %3, %cst : tensor<32x1xi32, #blocked1>
    %5 = tt.broadcast %4 : tensor<32x1xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %6 = tt.expand_dims %2 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %7 = tt.broadcast %6 : tensor<1x32xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %8 = arith.addi %5, %7 : tensor<32x32xi32, #blocked1>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<32x32xf32, #mma1>)  : i32 {
      %10 = arith.muli %arg5, %c1024_i32 : i32
      %11 = tt.addptr %arg0, %10 : !tt.ptr<f16>, i32
      %12 = tt.splat %11 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
      %13 = tt.addptr %12, %8 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
      %14 = tt.load %13 : tensor<32x32x!tt.ptr<f16>, #blocked1>
      %15 = arith.extf %14 : tensor<32x32xf16, #blocked1> to tensor<32x32xf32, #blocked1>
      %16 = arith.divf %15, %0 : tensor<32x32xf32, #blocked1>
      %17 = arith.addf %16, %cst_0 : tensor<32x32xf32, #blocked1>
      %18 = math.floor %17 : tensor<32x32xf32, #blocked1>
      %19 = arith.cmpf ogt, %18, %cst_1 : tensor<32x32xf32, #blocked1>
      %20 = arith.select %19, %cst_1, %18 : tensor<32x32xi1, #blocked1>, tensor<32x32xf32, #blocked1>
      %21 = arith.mulf %20, %0 : tensor<32x32xf32, #blocked1>
      %22 = arith.subf %21, %cst_0 : tensor<32x32xf32, #blocked1>
      %23 = arith.maxnumf %22, %cst_0 : tensor<32x32xf32, #blocked1>
      %24 = arith.minnumf %23, %0 : tensor<32x32xf32, #blocked1>
      %25 = ttg.convert_layout %24 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %26 = tt.dot %25, %arg2, %arg6, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<32x32xf32, #mma1>
      scf.yield %26 : tensor<32x32xf32, #mma1>
    }
    tt.return %9 : tensor<32x32xf32, #mma1>
  }
  tt.func public @scaled(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: f32, %arg2: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>, %arg3: tensor<32x32xf32, #mma1>, %arg4: i32) -> tensor<32x32xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant dense<32> : tensor<32x1xi32, #blocked1>
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %0 = tt.splat %arg1 : f32 -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %4 = arith.muli %3, %cst : tensor<32x1xi32, #blocked1>
    %5 = tt.broadcast %4 : tensor<32x1xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %6 = tt.expand_dims %2 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %7 = tt.broadcast %6 : tensor<1x32xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %8 = arith.addi %5, %7 : tensor<32x32xi32, #blocked1>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<32x32xf32, #mma1>)  : i32 {
      %10 = arith.muli %arg5, %c1024_i32 : i32
      %11 = tt.addptr %arg0, %10 : !tt.ptr<f16>, i32
      %12 = tt.splat %11 : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>, #blocked1>
      %13 = tt.addptr %12, %8 : tensor<32x32x!tt.ptr<f16>, #blocked1>, tensor<32x32xi32, #blocked1>
      %14 = tt.load %13 : tensor<32x32x!tt.ptr<f16>, #blocked1>
      %15 = ttg.convert_layout %14 : tensor<32x32xf16, #blocked1> -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %16 = arith.extf %15 : tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> to tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %17 = arith.mulf %16, %0 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %18 = arith.addf %17, %cst_0 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %19 = tt.dot %18, %arg2, %arg6, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<32x32xf32, #mma1>
      scf.yield %19 : tensor<32x32xf32, #mma1>
    }
    tt.return %9 : tensor<32x32xf32, #mma1>
  }
}

