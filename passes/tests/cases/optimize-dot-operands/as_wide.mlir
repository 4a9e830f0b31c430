// passes: optimize-dot-operands,canonicalize
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #blocked}>
#column = #ttg.slice<{dim = 0, parent = #blocked}>
#tall = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#square = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #tall, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #tall, kWidth = 2}>
#sa = #ttg.dot_op<{opIdx = 0, parent = #square, kWidth = 2}>
#sb = #ttg.dot_op<{opIdx = 1, parent = #square, kWidth = 2}>
#fa = #ttg.dot_op<{opIdx = 0, parent = #square, kWidth = 1}>
#fb = #ttg.dot_op<{opIdx = 1, parent = #square, kWidth = 1}>
#thin = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#thin_row = #ttg.slice<{dim = 1, parent = #thin}>
#thin_column = #ttg.slice<{dim = 0, parent = #thin}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Keys times a gate for each row are as wide as keys: they are read from their copy as the operand, and the gates are converted before the loop.
  tt.func public @gated(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: tensor<64x!tt.ptr<f32>, #row>, %b: tensor<64x64xbf16, #b>, %c0: tensor<64x64xf32, #tall>, %n: i32) -> tensor<64x64xf32, #tall> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 4096 : i32
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #blocked>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %row3, %column2 : tensor<64x64xi32, #blocked>
    %gate = tt.load %q : tensor<64x!tt.ptr<f32>, #row>
    %gate1 = tt.expand_dims %gate {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #blocked>
    %gate2 = tt.broadcast %gate1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<64x64xf32, #tall>) : i32 {
      %first = arith.muli %i, %step : i32
      %kp = tt.addptr %p, %first : !tt.ptr<bf16>, i32
      %ks = tt.splat %kp : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %kq = tt.addptr %ks, %offset : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %f = arith.extf %k : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %x = arith.mulf %f, %gate2 : tensor<64x64xf32, #blocked>
      %t = arith.truncf %x : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
      %a = ttg.convert_layout %t : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #a>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<64x64xf32, #tall>
      scf.yield %d : tensor<64x64xf32, #tall>
    }
    tt.return %result : tensor<64x64xf32, #tall>
  }
  // Two warps share each half of the keys, and each would multiply it: they are multiplied once and converted.
  tt.func public @shared(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %q: tensor<64x!tt.ptr<f32>, #row>, %b: tensor<64x64xbf16, #sb>, %c0: tensor<64x64xf32, #square>, %n: i32) -> tensor<64x64xf32, #square> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 4096 : i32
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #column>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #row> -> tensor<64x1xi32, #blocked>
    %row2 = arith.muli %row1, %stride : tensor<64x1xi32, #blocked>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #column> -> tensor<1x64xi32, #blocked>
    %column2 = tt.broadcast %column1 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offset = arith.addi %row3, %column2 : tensor<64x64xi32, #blocked>
    %gate = tt.load %q : tensor<64x!tt.ptr<f32>, #row>
    %gate1 = tt.expand_dims %gate {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #blocked>
    %gate2 = tt.broadcast %gate1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<64x64xf32, #square>) : i32 {
      %first = arith.muli %i, %step : i32
      %kp = tt.addptr %p, %first : !tt.ptr<bf16>, i32
      %ks = tt.splat %kp : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %kq = tt.addptr %ks, %offset : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %f = arith.extf %k : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %x = arith.mulf %f, %gate2 : tensor<64x64xf32, #blocked>
      %t = arith.truncf %x : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
      %a = ttg.convert_layout %t : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #sa>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x64xbf16, #sa> * tensor<64x64xbf16, #sb> -> tensor<64x64xf32, #square>
      scf.yield %d : tensor<64x64xf32, #square>
    }
    tt.return %result : tensor<64x64xf32, #square>
  }
  // Each multiplies eight numbers more: that takes less time than the way through shared memory.
  tt.func public @shared_few(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: tensor<32x!tt.ptr<f32>, #thin_row>, %b: tensor<32x32xf32, #fb>, %c0: tensor<32x32xf32, #square>, %n: i32) -> tensor<32x32xf32, #square> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %step = arith.constant 1024 : i32
    %stride = arith.constant dense<32> : tensor<32x1xi32, #thin>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #thin_row>
    %column = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #thin_column>
    %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #thin_row> -> tensor<32x1xi32, #thin>
    %row2 = arith.muli %row1, %stride : tensor<32x1xi32, #thin>
    %row3 = tt.broadcast %row2 : tensor<32x1xi32, #thin> -> tensor<32x32xi32, #thin>
    %column1 = tt.expand_dims %column {axis = 0 : i32} : tensor<32xi32, #thin_column> -> tensor<1x32xi32, #thin>
    %column2 = tt.broadcast %column1 : tensor<1x32xi32, #thin> -> tensor<32x32xi32, #thin>
    %offset = arith.addi %row3, %column2 : tensor<32x32xi32, #thin>
    %gate = tt.load %q : tensor<32x!tt.ptr<f32>, #thin_row>
    %gate1 = tt.expand_dims %gate {axis = 1 : i32} : tensor<32xf32, #thin_row> -> tensor<32x1xf32, #thin>
    %gate2 = tt.broadcast %gate1 : tensor<32x1xf32, #thin> -> tensor<32x32xf32, #thin>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<32x32xf32, #square>) : i32 {
      %first = arith.muli %i, %step : i32
      %kp = tt.addptr %p, %first : !tt.ptr<f32>, i32
      %ks = tt.splat %kp : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #thin>
      %kq = tt.addptr %ks, %offset : tensor<32x32x!tt.ptr<f32>, #thin>, tensor<32x32xi32, #thin>
      %k = tt.load %kq : tensor<32x32x!tt.ptr<f32>, #thin>
      %x = arith.mulf %k, %gate2 : tensor<32x32xf32, #thin>
      %a = ttg.convert_layout %x : tensor<32x32xf32, #thin> -> tensor<32x32xf32, #fa>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<32x32xf32, #fa> * tensor<32x32xf32, #fb> -> tensor<32x32xf32, #square>
      scf.yield %d : tensor<32x32xf32, #square>
    }
    tt.return %result : tensor<32x32xf32, #square>
  }
  // Keys that lie anywhere are loaded to registers: the block would be converted all the same.
  tt.func public @gathered(%p: tensor<64x64x!tt.ptr<bf16>, #blocked>, %q: tensor<64x!tt.ptr<f32>, #row>, %b: tensor<64x64xbf16, #b>, %c0: tensor<64x64xf32, #tall>, %n: i32) -> tensor<64x64xf32, #tall> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %gate = tt.load %q : tensor<64x!tt.ptr<f32>, #row>
    %gate1 = tt.expand_dims %gate {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #blocked>
    %gate2 = tt.broadcast %gate1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %result = scf.for %i = %zero to %n step %one iter_args(%acc = %c0) -> (tensor<64x64xf32, #tall>) : i32 {
      %at = tt.splat %i : i32 -> tensor<64x64xi32, #blocked>
      %kq = tt.addptr %p, %at : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %f = arith.extf %k : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %x = arith.mulf %f, %gate2 : tensor<64x64xf32, #blocked>
      %t = arith.truncf %x : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
      %a = ttg.convert_layout %t : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #a>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x64xbf16, #a> * tensor<64x64xbf16, #b> -> tensor<64x64xf32, #tall>
      scf.yield %d : tensor<64x64xf32, #tall>
    }
    tt.return %result : tensor<64x64xf32, #tall>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gated(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg3: tensor<64x64xf32, #mma>, %arg4: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<64x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked>
    %8 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = ttg.convert_layout %8 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>> -> tensor<64x1xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %11 = tt.broadcast %10 : tensor<64x1xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %12 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64x64xf32, #mma>)  : i32 {
      %13 = arith.muli %arg5, %c4096_i32 : i32
      %14 = tt.addptr %arg0, %13 : !tt.ptr<bf16>, i32
      %15 = tt.splat %14 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %16 = tt.addptr %15, %7 : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %17 = tt.load %16 : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %18 = ttg.convert_layout %17 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %19 = arith.extf %18 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %20 = arith.mulf %19, %11 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %21 = arith.truncf %20 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> to tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %22 = tt.dot %21, %arg2, %arg6, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %22 : tensor<64x64xf32, #mma>
    }
    tt.return %12 : tensor<64x64xf32, #mma>
  }
  tt.func public @shared(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>, %arg3: tensor<64x64xf32, #mma1>, %arg4: i32) -> tensor<64x64xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<64x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<64x64xi32, #blocked>
    %8 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %10 = tt.broadcast %9 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %11 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64x64xf32, #mma1>)  : i32 {
      %12 = arith.muli %arg5, %c4096_i32 : i32
      %13 = tt.addptr %arg0, %12 : !tt.ptr<bf16>, i32
      %14 = tt.splat %13 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %15 = tt.addptr %14, %7 : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %16 = tt.load %15 : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %17 = arith.extf %16 : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %18 = arith.mulf %17, %10 : tensor<64x64xf32, #blocked>
      %19 = arith.truncf %18 : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
      %20 = ttg.convert_layout %19 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %21 = tt.dot %20, %arg2, %arg6, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<64x64xf32, #mma1>
      scf.yield %21 : tensor<64x64xf32, #mma1>
    }
    tt.return %11 : tensor<64x64xf32, #mma1>
  }
  tt.func public @shared_few(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>, %arg2: tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>>, %arg3: tensor<32x32xf32, #mma1>, %arg4: i32) -> tensor<32x32xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant dense<32> : tensor<32x1xi32, #blocked1>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %3 = arith.muli %2, %cst : tensor<32x1xi32, #blocked1>
    %4 = tt.broadcast %3 : tensor<32x1xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %6 = tt.broadcast %5 : tensor<1x32xi32, #blocked1> -> tensor<32x32xi32, #blocked1>
    %7 = arith.addi %4, %6 : tensor<32x32xi32, #blocked1>
    %8 = tt.load %arg1 : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = ttg.convert_layout %8 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>}>> -> tensor<32x1xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %11 = tt.broadcast %10 : tensor<32x1xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
    %12 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<32x32xf32, #mma1>)  : i32 {
      %13 = arith.muli %arg5, %c1024_i32 : i32
      %14 = tt.addptr %arg0, %13 : !tt.ptr<f32>, i32
      %15 = tt.splat %14 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked1>
      %16 = tt.addptr %15, %7 : tensor<32x32x!tt.ptr<f32>, #blocked1>, tensor<32x32xi32, #blocked1>
      %17 = tt.load %16 : tensor<32x32x!tt.ptr<f32>, #blocked1>
      %18 = ttg.convert_layout %17 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
      %19 = arith.mulf %18, %11 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>>
      %20 = tt.dot %19, %arg2, %arg6, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 1}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>> -> tensor<32x32xf32, #mma1>
      scf.yield %20 : tensor<32x32xf32, #mma1>
    }
    tt.return %12 : tensor<32x32xf32, #mma1>
  }
  tt.func public @gathered(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg3: tensor<64x64xf32, #mma>, %arg4: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %2 = tt.broadcast %1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %3 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64x64xf32, #mma>)  : i32 {
      %4 = tt.splat %arg5 : i32 -> tensor<64x64xi32, #blocked>
      %5 = tt.addptr %arg0, %4 : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %6 = tt.load %5 : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %7 = arith.extf %6 : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %8 = arith.mulf %7, %2 : tensor<64x64xf32, #blocked>
      %9 = arith.truncf %8 : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
      %10 = ttg.convert_layout %9 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %11 = tt.dot %10, %arg2, %arg6, inputPrecision = tf32 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %11 : tensor<64x64xf32, #mma>
    }
    tt.return %3 : tensor<64x64xf32, #mma>
  }
}

