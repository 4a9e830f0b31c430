// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions
module {
  // A stride that 16 divides is not 1, and the other one may be: the first axis first.
  tt.func public @columns(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %any: i32, %other: i32, %by_16: i32 {tt.divisibility = 16 : i32}) {
    %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %r1 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %s0 = tt.splat %any : i32 -> tensor<32xi32>
    %i0 = arith.muli %r0, %s0 : tensor<32xi32>
    %s1 = tt.splat %by_16 : i32 -> tensor<64xi32>
    %i1 = arith.muli %r1, %s1 : tensor<64xi32>
    %e0 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %e1 = tt.expand_dims %i1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %b0 = tt.broadcast %e0 : tensor<32x1xi32> -> tensor<32x64xi32>
    %b1 = tt.broadcast %e1 : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %b0, %b1 : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %v = tt.load %px : tensor<32x64x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %po, %v : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
  // So it is where pixels are so far apart, whatever their columns are.
  tt.func public @pixels(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %any: i32, %other: i32, %by_16: i32 {tt.divisibility = 16 : i32}) {
    %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %r1 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %s0 = tt.splat %any : i32 -> tensor<32xi32>
    %i0 = arith.muli %r0, %s0 : tensor<32xi32>
    %w = tt.splat %other : i32 -> tensor<64xi32>
    %q = arith.remsi %r1, %w : tensor<64xi32>
    %s1 = tt.splat %by_16 : i32 -> tensor<64xi32>
    %i1 = arith.muli %q, %s1 : tensor<64xi32>
    %e0 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %e1 = tt.expand_dims %i1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %b0 = tt.broadcast %e0 : tensor<32x1xi32> -> tensor<32x64xi32>
    %b1 = tt.broadcast %e1 : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %b0, %b1 : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %v = tt.load %px : tensor<32x64x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %po, %v : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
  // Nothing is told of either stride: the last axis first.
  tt.func public @neither(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %any: i32, %other: i32, %by_16: i32 {tt.divisibility = 16 : i32}) {
    %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %r1 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %s0 = tt.splat %any : i32 -> tensor<32xi32>
    %i0 = arith.muli %r0, %s0 : tensor<32xi32>
    %s1 = tt.splat %other : i32 -> tensor<64xi32>
    %i1 = arith.muli %r1, %s1 : tensor<64xi32>
    %e0 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %e1 = tt.expand_dims %i1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %b0 = tt.broadcast %e0 : tensor<32x1xi32> -> tensor<32x64xi32>
    %b1 = tt.broadcast %e1 : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %b0, %b1 : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %v = tt.load %px : tensor<32x64x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %po, %v : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
  // Either is told of: the last axis first.
  tt.func public @both(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %any: i32, %other: i32, %by_16: i32 {tt.divisibility = 16 : i32}) {
    %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %r1 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %s0 = tt.splat %by_16 : i32 -> tensor<32xi32>
    %i0 = arith.muli %r0, %s0 : tensor<32xi32>
    %z1 = tt.splat %by_16 : i32 -> tensor<64xi32>
    %i1 = arith.muli %r1, %z1 : tensor<64xi32>
    %e0 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %e1 = tt.expand_dims %i1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %b0 = tt.broadcast %e0 : tensor<32x1xi32> -> tensor<32x64xi32>
    %b1 = tt.broadcast %e1 : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %b0, %b1 : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %v = tt.load %px : tensor<32x64x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %po, %v : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
  // The same elements along the first axis: the last axis first.
  tt.func public @repeated(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %any: i32, %other: i32, %by_16: i32 {tt.divisibility = 16 : i32}) {
    %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %r1 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %i0 = arith.constant dense<0> : tensor<32xi32>
    %s1 = tt.splat %by_16 : i32 -> tensor<64xi32>
    %i1 = arith.muli %r1, %s1 : tensor<64xi32>
    %e0 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %e1 = tt.expand_dims %i1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %b0 = tt.broadcast %e0 : tensor<32x1xi32> -> tensor<32x64xi32>
    %b1 = tt.broadcast %e1 : tensor<1x64xi32> -> tensor<32x64xi32>
    %at = arith.addi %b0, %b1 : tensor<32x64xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %px = tt.addptr %xs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %v = tt.load %px : tensor<32x64x!tt.ptr<f16>>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %po = tt.addptr %outs, %at : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    tt.store %po, %v : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
  // So it is of pointers that a loop moves, and where the stride is shifted and widened.
  tt.func public @moved(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %any: i64, %by_8: i32 {tt.divisibility = 8 : i32}, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %places = arith.constant dense<1> : tensor<64xi32>
    %none = arith.constant dense<0.0> : tensor<32x64xf32>
    %r0 = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %r1 = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %wide = arith.extsi %r0 : tensor<32xi32> to tensor<32xi64>
    %s0 = tt.splat %any : i64 -> tensor<32xi64>
    %i0 = arith.muli %wide, %s0 : tensor<32xi64>
    %s1 = tt.splat %by_8 : i32 -> tensor<64xi32>
    %m1 = arith.muli %r1, %s1 : tensor<64xi32>
    %h1 = arith.shli %m1, %places : tensor<64xi32>
    %i1 = arith.extsi %h1 : tensor<64xi32> to tensor<64xi64>
    %e0 = tt.expand_dims %i0 {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
    %e1 = tt.expand_dims %i1 {axis = 0 : i32} : tensor<64xi64> -> tensor<1x64xi64>
    %b0 = tt.broadcast %e0 : tensor<32x1xi64> -> tensor<32x64xi64>
    %b1 = tt.broadcast %e1 : tensor<1x64xi64> -> tensor<32x64xi64>
    %at = arith.addi %b0, %b1 : tensor<32x64xi64>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi64>
    %end:2 = scf.for %i = %zero to %n step %one iter_args(%p = %px, %a = %none) -> (tensor<32x64x!tt.ptr<f32>>, tensor<32x64xf32>) : i32 {
      %v = tt.load %p : tensor<32x64x!tt.ptr<f32>>
      %t = arith.addf %a, %v : tensor<32x64xf32>
      %next = tt.addptr %p, %b1 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi64>
      scf.yield %next, %t : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xf32>
    }
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
    %po = tt.addptr %outs, %at : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi64>
    tt.store %po, %end#1 : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @columns(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %3 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %4 = arith.muli %2, %3 : tensor<32x1xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %6 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked>
    %7 = arith.muli %5, %6 : tensor<1x64xi32, #blocked>
    %8 = tt.broadcast %4 : tensor<32x1xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %9 = tt.broadcast %7 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %10 = arith.addi %8, %9 : tensor<32x64xi32, #blocked>
    %11 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %12 = tt.addptr %11, %10 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %13 = tt.load %12 : tensor<32x64x!tt.ptr<f16>, #blocked>
    %14 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %15 = tt.addptr %14, %10 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    tt.store %15, %13 : tensor<32x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @pixels(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.splat %arg3 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = arith.remsi %1, %2 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %5 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %6 = arith.muli %4, %5 : tensor<32x1xi32, #blocked>
    %7 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked>
    %9 = arith.muli %7, %8 : tensor<1x64xi32, #blocked>
    %10 = tt.broadcast %6 : tensor<32x1xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %11 = tt.broadcast %9 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %12 = arith.addi %10, %11 : tensor<32x64xi32, #blocked>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %14 = tt.addptr %13, %12 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    %15 = tt.load %14 : tensor<32x64x!tt.ptr<f16>, #blocked>
    %16 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %17 = tt.addptr %16, %12 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
    tt.store %17, %15 : tensor<32x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @neither(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %3 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked1>
    %4 = arith.muli %2, %3 : tensor<32x1xi32, #blocked1>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %6 = tt.splat %arg3 : i32 -> tensor<1x64xi32, #blocked1>
    %7 = arith.muli %5, %6 : tensor<1x64xi32, #blocked1>
    %8 = tt.broadcast %4 : tensor<32x1xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %9 = tt.broadcast %7 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %10 = arith.addi %8, %9 : tensor<32x64xi32, #blocked1>
    %11 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %12 = tt.addptr %11, %10 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %13 = tt.load %12 : tensor<32x64x!tt.ptr<f16>, #blocked1>
    %14 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %15 = tt.addptr %14, %10 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    tt.store %15, %13 : tensor<32x64x!tt.ptr<f16>, #blocked1>
    tt.return
  }
  tt.func public @both(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %3 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked1>
    %4 = arith.muli %2, %3 : tensor<32x1xi32, #blocked1>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %6 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %7 = arith.muli %5, %6 : tensor<1x64xi32, #blocked1>
    %8 = tt.broadcast %4 : tensor<32x1xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %9 = tt.broadcast %7 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %10 = arith.addi %8, %9 : tensor<32x64xi32, #blocked1>
    %11 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %12 = tt.addptr %11, %10 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %13 = tt.load %12 : tensor<32x64x!tt.ptr<f16>, #blocked1>
    %14 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %15 = tt.addptr %14, %10 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    tt.store %15, %13 : tensor<32x64x!tt.ptr<f16>, #blocked1>
    tt.return
  }
  tt.func public @repeated(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %2 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %3 = arith.muli %1, %2 : tensor<1x64xi32, #blocked1>
    %4 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #blocked1>
    %5 = tt.addptr %4, %3 : tensor<1x64x!tt.ptr<f16>, #blocked1>, tensor<1x64xi32, #blocked1>
    %6 = tt.broadcast %5 : tensor<1x64x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %7 = tt.load %6 : tensor<32x64x!tt.ptr<f16>, #blocked1>
    %8 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #blocked1>
    %9 = tt.addptr %8, %3 : tensor<1x64x!tt.ptr<f16>, #blocked1>, tensor<1x64xi32, #blocked1>
    %10 = tt.broadcast %9 : tensor<1x64x!tt.ptr<f16>, #blocked1> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    tt.store %10, %7 : tensor<32x64x!tt.ptr<f16>, #blocked1>
    tt.return
  }
  tt.func public @moved(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i64, %arg3: i32 {tt.divisibility = 8 : i32}, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<1> : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = arith.extsi %0 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> to tensor<32xi64, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %arg3 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = arith.muli %1, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %5 = arith.shli %4, %cst : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = arith.extsi %5 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> to tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>>
    %7 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi64, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi64, #blocked>
    %8 = tt.splat %arg2 : i64 -> tensor<32x1xi64, #blocked>
    %9 = arith.muli %7, %8 : tensor<32x1xi64, #blocked>
    %10 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi64, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi64, #blocked>
    %11 = tt.broadcast %9 : tensor<32x1xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %12 = tt.broadcast %10 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %13 = arith.addi %11, %12 : tensor<32x64xi64, #blocked>
    %14 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked>
    %15 = tt.addptr %14, %13 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi64, #blocked>
    %16:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %15) -> (tensor<32x64xf32, #blocked>, tensor<32x64x!tt.ptr<f32>, #blocked>)  : i32 {
      %19 = tt.load %arg7 : tensor<32x64x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %arg6, %19 : tensor<32x64xf32, #blocked>
      %21 = tt.addptr %arg7, %12 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi64, #blocked>
      scf.yield %20, %21 : tensor<32x64xf32, #blocked>, tensor<32x64x!tt.ptr<f32>, #blocked>
    }
    %17 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %13 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi64, #blocked>
    tt.store %18, %16#0 : tensor<32x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

