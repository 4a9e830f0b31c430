// passes: optimize-dot-operands,canonicalize
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#tall = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Weights have a scale for each row, which is a column of the operand: it is converted once, before the loop.
  tt.func public @scaled(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %q: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %a: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %c: tensor<16x64xf32, #mma>, %n: i32) -> tensor<16x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %scale = tt.load %q : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %e = tt.expand_dims %scale {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %k = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<16x64xf32, #mma>) : i32 {
      %w = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
      %f = arith.sitofp %w : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
      %s = arith.mulf %f, %k : tensor<64x64xf32, #blocked>
      %t = tt.trans %s {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %d : tensor<16x64xf32, #mma>
    }
    tt.return %r : tensor<16x64xf32, #mma>
  }
  // Behind the transposition the axis stays. The row is converted in the loop and stored, too: it stays as it is there.
  tt.func public @scaled_behind(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %q: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %o: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %a: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %c: tensor<16x64xf32, #mma>, %n: i32) -> tensor<16x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %scale = tt.load %q : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<16x64xf32, #mma>) : i32 {
      %e = tt.expand_dims %scale {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %g = ttg.convert_layout %e : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #turned>
      %k = tt.broadcast %g : tensor<64x1xf32, #turned> -> tensor<64x64xf32, #turned>
      tt.store %o, %scale : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %w = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
      %f = arith.sitofp %w : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
      %t = tt.trans %f {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %s = arith.mulf %t, %k : tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %s : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %d : tensor<16x64xf32, #mma>
    }
    tt.return %r : tensor<16x64xf32, #mma>
  }
  // A scalar from outside of the loop, which something else takes in the layout of the load.
  tt.func public @scaled_by_scalar(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %q: f32, %a: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %c: tensor<16x64xf32, #mma>, %n: i32) -> (tensor<16x64xf32, #mma>, tensor<64x64xf32, #blocked>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %k = tt.splat %q : f32 -> tensor<64x64xf32, #blocked>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<16x64xf32, #mma>) : i32 {
      %w = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
      %f = arith.sitofp %w : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
      %s = arith.mulf %f, %k : tensor<64x64xf32, #blocked>
      %t = tt.trans %s {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %d : tensor<16x64xf32, #mma>
    }
    tt.return %r, %k : tensor<16x64xf32, #mma>, tensor<64x64xf32, #blocked>
  }
  // Each iteration has scales of its own, and its block, of whose addresses nothing is known, is no copy: it would be converted beside them. Nothing changes.
  tt.func public @scaled_in_loop(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %q: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %a: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %c: tensor<16x64xf32, #mma>, %n: i32) -> tensor<16x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<16x64xf32, #mma>) : i32 {
      %scale = tt.load %q : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %e = tt.expand_dims %scale {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %k = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
      %w = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
      %f = arith.sitofp %w : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
      %s = arith.mulf %f, %k : tensor<64x64xf32, #blocked>
      %t = tt.trans %s {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %d : tensor<16x64xf32, #mma>
    }
    tt.return %r : tensor<16x64xf32, #mma>
  }
  // Each warp has all of the operand, so a thread has four times the elements: 192 instructions more for two steps. Nothing changes.
  tt.func public @repeated(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %q: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %a: tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #tall, kWidth = 4}>>, %c: tensor<64x64xf32, #tall>, %n: i32) -> tensor<64x64xf32, #tall> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %scale = tt.load %q : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %e = tt.expand_dims %scale {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %k = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %c) -> (tensor<64x64xf32, #tall>) : i32 {
      %w = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
      %f = arith.sitofp %w : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
      %s = arith.mulf %f, %k : tensor<64x64xf32, #blocked>
      %t = tt.trans %s {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
      %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #tall, kWidth = 4}>>
      %d = tt.dot %a, %b, %acc, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #tall, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #tall, kWidth = 4}>> -> tensor<64x64xf32, #tall>
      scf.yield %d : tensor<64x64xf32, #tall>
    }
    tt.return %r : tensor<64x64xf32, #tall>
  }
  // There is no loop: the row would be converted as often as the block. Nothing changes.
  tt.func public @once(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %q: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> {
    %scale = tt.load %q : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %e = tt.expand_dims %scale {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %k = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %w = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
    %f = arith.sitofp %w : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
    %s = arith.mulf %f, %k : tensor<64x64xf32, #blocked>
    %t = tt.trans %s {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #turned>
    %b = ttg.convert_layout %t : tensor<64x64xf32, #turned> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    tt.return %b : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %arg3: tensor<16x64xf32, #mma>, %arg4: i32) -> tensor<16x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = ttg.convert_layout %0 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>}>>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>}>> -> tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    %3 = tt.broadcast %2 : tensor<1x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    %4 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<16x64xf32, #mma>)  : i32 {
      %5 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
      %6 = tt.trans %5 {order = array<i32: 1, 0>} : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #blocked1>
      %7 = ttg.convert_layout %6 : tensor<64x64xi8, #blocked1> -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %8 = arith.sitofp %7 : tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %9 = arith.mulf %8, %3 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %10 = tt.dot %arg2, %9, %arg6, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %10 : tensor<16x64xf32, #mma>
    }
    tt.return %4 : tensor<16x64xf32, #mma>
  }
  tt.func public @scaled_behind(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg3: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %arg4: tensor<16x64xf32, #mma>, %arg5: i32) -> tensor<16x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = ttg.convert_layout %0 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>}>> -> tensor<64x1xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    %3 = tt.broadcast %2 : tensor<64x1xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    %4 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %arg4) -> (tensor<16x64xf32, #mma>)  : i32 {
      tt.store %arg2, %0 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %5 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
      %6 = tt.trans %5 {order = array<i32: 1, 0>} : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #blocked1>
      %7 = ttg.convert_layout %6 : tensor<64x64xi8, #blocked1> -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %8 = arith.sitofp %7 : tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %9 = arith.mulf %8, %3 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %10 = tt.dot %arg3, %9, %arg7, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %10 : tensor<16x64xf32, #mma>
    }
    tt.return %4 : tensor<16x64xf32, #mma>
  }
  tt.func public @scaled_by_scalar(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: f32, %arg2: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %arg3: tensor<16x64xf32, #mma>, %arg4: i32) -> (tensor<16x64xf32, #mma>, tensor<64x64xf32, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.splat %arg1 : f32 -> tensor<64x64xf32, #blocked>
    %1 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<16x64xf32, #mma>)  : i32 {
      %2 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
      %3 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #blocked1>
      %4 = ttg.convert_layout %3 : tensor<64x64xi8, #blocked1> -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %5 = tt.splat %arg1 : f32 -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %6 = arith.sitofp %4 : tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %7 = arith.mulf %6, %5 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %8 = tt.dot %arg2, %7, %arg6, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %8 : tensor<16x64xf32, #mma>
    }
    tt.return %1, %0 : tensor<16x64xf32, #mma>, tensor<64x64xf32, #blocked>
  }
  tt.func public @scaled_in_loop(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, %arg3: tensor<16x64xf32, #mma>, %arg4: i32) -> tensor<16x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<16x64xf32, #mma>)  : i32 {
      %1 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %3 = tt.broadcast %2 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
      %4 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
      %5 = arith.sitofp %4 : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
      %6 = arith.mulf %5, %3 : tensor<64x64xf32, #blocked>
      %7 = tt.trans %6 {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
      %8 = ttg.convert_layout %7 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %9 = tt.dot %arg2, %8, %arg6, inputPrecision = tf32 : tensor<16x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> -> tensor<16x64xf32, #mma>
      scf.yield %9 : tensor<16x64xf32, #mma>
    }
    tt.return %0 : tensor<16x64xf32, #mma>
  }
  tt.func public @repeated(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg2: tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>>, %arg3: tensor<64x64xf32, #mma1>, %arg4: i32) -> tensor<64x64xf32, #mma1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %2 = tt.broadcast %1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %3 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64x64xf32, #mma1>)  : i32 {
      %4 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
      %5 = arith.sitofp %4 : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
      %6 = arith.mulf %5, %2 : tensor<64x64xf32, #blocked>
      %7 = tt.trans %6 {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
      %8 = ttg.convert_layout %7 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>>
      %9 = tt.dot %arg2, %8, %arg6, inputPrecision = tf32 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>> -> tensor<64x64xf32, #mma1>
      scf.yield %9 : tensor<64x64xf32, #mma1>
    }
    tt.return %3 : tensor<64x64xf32, #mma1>
  }
  tt.func public @once(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>> {
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %2 = tt.broadcast %1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %3 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
    %4 = arith.sitofp %3 : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
    %5 = arith.mulf %4, %2 : tensor<64x64xf32, #blocked>
    %6 = tt.trans %5 {order = array<i32: 1, 0>} : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
    %7 = ttg.convert_layout %6 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    tt.return %7 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
  }
}

