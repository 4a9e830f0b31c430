// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 4
module {
  // Neighbors of the store are four elements apart, as those of the load in the loop are: what the loop carries comes and goes in their layout, with one
  // element of a thread after the other.
  tt.func public @steps(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %first: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %last: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %steps = arith.constant dense<4> : tensor<1024xi32>
    %i = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %fs = tt.splat %first : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %pf = tt.addptr %fs, %i : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    %begin = tt.load %pf : tensor<1024x!tt.ptr<f16>>
    %rows = arith.muli %i, %steps : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %end = scf.for %t = %c0 to %c4 step %c1 iter_args(%v = %begin) -> (tensor<1024xf16>) : i32 {
      %ts = tt.splat %t : i32 -> tensor<1024xi32>
      %at = arith.addi %rows, %ts : tensor<1024xi32>
      %px = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %step = tt.load %px : tensor<1024x!tt.ptr<f16>>
      %next = arith.addf %v, %step : tensor<1024xf16>
      %po = tt.addptr %os, %at : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      tt.store %po, %next : tensor<1024x!tt.ptr<f16>>
      scf.yield %next : tensor<1024xf16>
    }
    %ls = tt.splat %last : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %pl = tt.addptr %ls, %i : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    tt.store %pl, %end : tensor<1024x!tt.ptr<f16>>
    tt.return
  }
  // The loop loads neighbors side by side in each iteration: all loads keep eight elements of a thread.
  tt.func public @wide_in_the_loop(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c1024 = arith.constant 1024 : i32
    %zero = arith.constant dense<0.0> : tensor<1024xf16>
    %steps = arith.constant dense<4> : tensor<1024xi32>
    %i = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %rows = arith.muli %i, %steps : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %end = scf.for %t = %c0 to %c4 step %c1 iter_args(%v = %zero) -> (tensor<1024xf16>) : i32 {
      %row = arith.muli %t, %c1024 : i32
      %froms = tt.splat %row : i32 -> tensor<1024xi32>
      %from = arith.addi %i, %froms : tensor<1024xi32>
      %px = tt.addptr %xs, %from : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %step = tt.load %px : tensor<1024x!tt.ptr<f16>>
      %next = arith.addf %v, %step : tensor<1024xf16>
      %ts = tt.splat %t : i32 -> tensor<1024xi32>
      %at = arith.addi %rows, %ts : tensor<1024xi32>
      %po = tt.addptr %os, %at : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      tt.store %po, %next : tensor<1024x!tt.ptr<f16>>
      scf.yield %next : tensor<1024xf16>
    }
    tt.return
  }
  // Without a loop: the load keeps eight elements of a thread, and the block is converted once.
  tt.func public @once(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %steps = arith.constant dense<4> : tensor<1024xi32>
    %i = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %px = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    %v = tt.load %px : tensor<1024x!tt.ptr<f16>>
    %at = arith.muli %i, %steps : tensor<1024xi32>
    %os = tt.splat %out : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
    %po = tt.addptr %os, %at : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
    tt.store %po, %v : tensor<1024x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @steps(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<4> : tensor<1024xi32, #blocked>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
    %3 = tt.load %2 : tensor<1024x!tt.ptr<f16>, #blocked>
    %4 = arith.muli %0, %cst : tensor<1024xi32, #blocked>
    %5 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %6 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %7 = scf.for %arg4 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg5 = %3) -> (tensor<1024xf16, #blocked>)  : i32 {
      %10 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %11 = arith.addi %4, %10 : tensor<1024xi32, #blocked>
      %12 = tt.addptr %5, %11 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      %13 = tt.load %12 : tensor<1024x!tt.ptr<f16>, #blocked>
      %14 = arith.addf %arg5, %13 : tensor<1024xf16, #blocked>
      %15 = tt.addptr %6, %11 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      tt.store %15, %14 : tensor<1024x!tt.ptr<f16>, #blocked>
      scf.yield %14 : tensor<1024xf16, #blocked>
    }
    %8 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %9 = tt.addptr %8, %0 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
    tt.store %9, %7 : tensor<1024x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @wide_in_the_loop(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf16, #blocked1>
    %cst_0 = arith.constant dense<4> : tensor<1024xi32, #blocked>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked1>
    %2 = arith.muli %0, %cst_0 : tensor<1024xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked1>
    %4 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %5 = scf.for %arg2 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<1024xf16, #blocked1>)  : i32 {
      %6 = arith.muli %arg2, %c1024_i32 : i32
      %7 = tt.splat %6 : i32 -> tensor<1024xi32, #blocked1>
      %8 = arith.addi %1, %7 : tensor<1024xi32, #blocked1>
      %9 = tt.addptr %3, %8 : tensor<1024x!tt.ptr<f16>, #blocked1>, tensor<1024xi32, #blocked1>
      %10 = tt.load %9 : tensor<1024x!tt.ptr<f16>, #blocked1>
      %11 = arith.addf %arg3, %10 : tensor<1024xf16, #blocked1>
      %12 = ttg.convert_layout %11 : tensor<1024xf16, #blocked1> -> tensor<1024xf16, #blocked>
      %13 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
      %14 = arith.addi %2, %13 : tensor<1024xi32, #blocked>
      %15 = tt.addptr %4, %14 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      tt.store %15, %12 : tensor<1024x!tt.ptr<f16>, #blocked>
      scf.yield %11 : tensor<1024xf16, #blocked1>
    }
    tt.return
  }
  tt.func public @once(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<4> : tensor<1024xi32, #blocked>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked1>
    %2 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked1>
    %3 = tt.addptr %2, %1 : tensor<1024x!tt.ptr<f16>, #blocked1>, tensor<1024xi32, #blocked1>
    %4 = tt.load %3 : tensor<1024x!tt.ptr<f16>, #blocked1>
    %5 = ttg.convert_layout %4 : tensor<1024xf16, #blocked1> -> tensor<1024xf16, #blocked>
    %6 = arith.muli %0, %cst : tensor<1024xi32, #blocked>
    %7 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %8 = tt.addptr %7, %6 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
    tt.store %8, %5 : tensor<1024x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

