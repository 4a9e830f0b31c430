// passes: assign-latencies
// grid: few
// counts: {tt.latency 2, 2 2
// Operands of a product by multiply-add are read from shared memory piece by piece and take few registers: the block whose rows are not aligned waits in
// registers as far ahead as the other one is copied.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%A: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %B: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %C: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<128> : tensor<32x1xi32, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #blocked1>
    %c32_i32 = arith.constant 32 : i32
    %m_block = tt.get_program_id x : i32
    %n_block = tt.get_program_id y : i32
    %range_m = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %range_m_1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %0 = arith.muli %m_block, %c32_i32 : i32
    %1 = tt.expand_dims %range_m {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %2 = tt.splat %0 : i32 -> tensor<32x1xi32, #blocked>
    %range_m_block = arith.addi %2, %1 : tensor<32x1xi32, #blocked>
    %3 = arith.muli %n_block, %c32_i32 : i32
    %4 = tt.expand_dims %range_m_1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %5 = tt.splat %3 : i32 -> tensor<1x32xi32, #blocked>
    %range_n_block = arith.addi %5, %4 : tensor<1x32xi32, #blocked>
    %6 = arith.muli %range_m_block, %cst : tensor<32x1xi32, #blocked>
    %7 = tt.broadcast %6 : tensor<32x1xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %8 = tt.addptr %A, %c1_i32 : !tt.ptr<f32>, i32
    %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %10 = tt.broadcast %range_n_block : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %11 = tt.splat %B : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %accum = scf.for %accum_2 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%accum_3 = %cst_0) -> (tensor<32x32xf32, #blocked1>)  : i32 {
      %15 = arith.muli %accum_2, %c32_i32 : i32
      %16 = tt.splat %15 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %17 = tt.splat %15 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %range_k_block = arith.addi %16, %range_m : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %range_k_block_4 = arith.addi %17, %range_m_1 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %18 = tt.expand_dims %range_k_block_4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
      %19 = tt.broadcast %18 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
      %A_off = arith.addi %7, %19 : tensor<32x32xi32, #blocked>
      %20 = tt.addptr %9, %A_off : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
      %A_tile = tt.load %20 : tensor<32x32x!tt.ptr<f32>, #blocked>
      %21 = tt.expand_dims %range_k_block {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %22 = arith.muli %21, %cst : tensor<32x1xi32, #blocked>
      %23 = tt.broadcast %22 : tensor<32x1xi32, #blocked> -> tensor<32x32xi32, #blocked>
      %B_off = arith.addi %23, %10 : tensor<32x32xi32, #blocked>
      %24 = tt.addptr %11, %B_off : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
      %B_tile = tt.load %24 : tensor<32x32x!tt.ptr<f32>, #blocked>
      %25 = ttg.convert_layout %A_tile : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
      %26 = ttg.convert_layout %B_tile : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
      %27 = tt.dot %25, %26, %accum_3 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
      scf.yield %27 : tensor<32x32xf32, #blocked1>
    }
    %C_off = arith.addi %7, %10 : tensor<32x32xi32, #blocked>
    %12 = tt.splat %C : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %C_off : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %14 = ttg.convert_layout %accum : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.store %13, %14 : tensor<32x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<128> : tensor<32x1xi32, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #blocked1>
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = arith.muli %0, %c32_i32 : i32
    %5 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %6 = tt.splat %4 : i32 -> tensor<32x1xi32, #blocked>
    %7 = arith.addi %6, %5 : tensor<32x1xi32, #blocked>
    %8 = arith.muli %1, %c32_i32 : i32
    %9 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %10 = tt.splat %8 : i32 -> tensor<1x32xi32, #blocked>
    %11 = arith.addi %10, %9 : tensor<1x32xi32, #blocked>
    %12 = arith.muli %7, %cst : tensor<32x1xi32, #blocked>
    %13 = tt.broadcast %12 : tensor<32x1xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %14 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %15 = tt.splat %14 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %16 = tt.broadcast %11 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
    %17 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %18 = scf.for %arg3 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<32x32xf32, #blocked1>)  : i32 {
      %23 = arith.muli %arg3, %c32_i32 : i32
      %24 = tt.splat %23 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %25 = tt.splat %23 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %26 = arith.addi %24, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %27 = arith.addi %25, %3 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %28 = tt.expand_dims %27 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
      %29 = tt.broadcast %28 : tensor<1x32xi32, #blocked> -> tensor<32x32xi32, #blocked>
      %30 = arith.addi %13, %29 : tensor<32x32xi32, #blocked>
      %31 = tt.addptr %15, %30 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
      %32 = tt.load %31 {tt.latency = 2 : i32} : tensor<32x32x!tt.ptr<f32>, #blocked>
      %33 = tt.expand_dims %26 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %34 = arith.muli %33, %cst : tensor<32x1xi32, #blocked>
      %35 = tt.broadcast %34 : tensor<32x1xi32, #blocked> -> tensor<32x32xi32, #blocked>
      %36 = arith.addi %35, %16 : tensor<32x32xi32, #blocked>
      %37 = tt.addptr %17, %36 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
      %38 = tt.load %37 {tt.latency = 2 : i32} : tensor<32x32x!tt.ptr<f32>, #blocked>
      %39 = ttg.convert_layout %32 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
      %40 = ttg.convert_layout %38 : tensor<32x32xf32, #blocked> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
      %41 = tt.dot %39, %40, %arg4 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<32x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
      scf.yield %41 : tensor<32x32xf32, #blocked1>
    }
    %19 = arith.addi %13, %16 : tensor<32x32xi32, #blocked>
    %20 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<32x32x!tt.ptr<f32>, #blocked>, tensor<32x32xi32, #blocked>
    %22 = ttg.convert_layout %18 : tensor<32x32xf32, #blocked1> -> tensor<32x32xf32, #blocked>
    tt.store %21, %22 : tensor<32x32x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

