// passes: pipeline
// counts: ttg.memdesc_trans 1, tt.trans 0, ttg.convert_layout 1
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The block is read both ways: with rows for columns by one product, as it is by the other. The wait stands before both reads.
  tt.func public @chain(%desc: !tt.tensordesc<tensor<32x128xf32, #shared>>, %q: tensor<32x128xf32, #a>, %rows: i32) -> tensor<32x128xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #mma>
    %none = arith.constant dense<0.000000e+00> : tensor<32x128xf32, #mma>
    %sum = scf.for %row = %c0 to %rows step %c32 iter_args(%total = %none) -> (tensor<32x128xf32, #mma>)  : i32 {
      %block = tt.descriptor_load %desc[%row, %c0] {loop.cluster = 2 : i32, loop.stage = 0 : i32} : !tt.tensordesc<tensor<32x128xf32, #shared>> -> tensor<32x128xf32, #blocked>
      %trans = tt.trans %block {loop.cluster = 0 : i32, loop.stage = 2 : i32, order = array<i32: 1, 0>} : tensor<32x128xf32, #blocked> -> tensor<128x32xf32, #turned>
      %along = ttg.convert_layout %trans {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<128x32xf32, #turned> -> tensor<128x32xf32, #b>
      %scores = tt.dot %q, %along, %zero, inputPrecision = tf32 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x128xf32, #a> * tensor<128x32xf32, #b> -> tensor<32x32xf32, #mma>
      %left = ttg.convert_layout %scores {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #a>
      %across = ttg.convert_layout %block {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x128xf32, #blocked> -> tensor<32x128xf32, #b>
      %next = tt.dot %left, %across, %total, inputPrecision = tf32 {loop.cluster = 0 : i32, loop.stage = 2 : i32} : tensor<32x32xf32, #a> * tensor<32x128xf32, #b> -> tensor<32x128xf32, #mma>
      scf.yield {loop.cluster = 2 : i32, loop.stage = 2 : i32} %next : tensor<32x128xf32, #mma>
    } {tt.scheduled_max_stage = 2 : i32}
    tt.return %sum : tensor<32x128xf32, #mma>
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @chain(%arg0: !tt.tensordesc<tensor<32x128xf32, #shared>>, %arg1: tensor<32x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, %arg2: i32) -> tensor<32x128xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x128xf32, #mma>
    %c-1_i32 = arith.constant -1 : i32
    %c-1_i32_1 = arith.constant -1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %c0_i32_3 = arith.constant 0 : i32
    %c1_i32_4 = arith.constant 1 : i32
    %1 = ttg.memdesc_index %0[%c0_i32_3] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %2 = ttg.memdesc_index %0[%c1_i32_4] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %2, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %true = arith.constant true
    %3 = ttg.local_alloc : () -> !ttg.memdesc<2x32x128xf32, #shared, #smem, mutable>
    %c1_i32_5 = arith.constant 1 : i32
    %c0_i32_6 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %4 = arith.addi %c-1_i32, %c1_i32_5 : i32
    %5 = arith.cmpi sge, %4, %c2_i32 : i32
    %6 = arith.select %5, %c0_i32_6, %4 : i32
    %7 = ttg.memdesc_index %0[%6] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %8 = arith.cmpi slt, %c0_i32, %arg2 : i32
    ttng.barrier_expect %7, 16384, %8 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %9 = ttg.memdesc_index %3[%6] : !ttg.memdesc<2x32x128xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %9, %7, %8 : !tt.tensordesc<tensor<32x128xf32, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared, #smem, mutable>
    %c1_i32_7 = arith.constant 1 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %c2_i32_9 = arith.constant 2 : i32
    %10 = arith.addi %6, %c1_i32_7 : i32
    %11 = arith.cmpi sge, %10, %c2_i32_9 : i32
    %12 = arith.select %11, %c0_i32_8, %10 : i32
    %13 = ttg.memdesc_index %0[%12] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %c32_i32_10 = arith.constant 32 : i32
    %14 = arith.addi %c0_i32, %c32_i32_10 : i32
    %15 = arith.cmpi slt, %14, %arg2 : i32
    ttng.barrier_expect %13, 16384, %15 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %16 = ttg.memdesc_index %3[%12] : !ttg.memdesc<2x32x128xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared, #smem, mutable>
    %c32_i32_11 = arith.constant 32 : i32
    %17 = arith.addi %c0_i32, %c32_i32_11 : i32
    ttng.async_tma_copy_global_to_local %arg0[%17, %c0_i32] %16, %13, %15 : !tt.tensordesc<tensor<32x128xf32, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared, #smem, mutable>
    %c32_i32_12 = arith.constant 32 : i32
    %18 = arith.subi %arg2, %c32_i32_12 : i32
    %c64_i32 = arith.constant 64 : i32
    %19 = arith.subi %arg2, %c64_i32 : i32
    %20:4 = scf.for %arg3 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg4 = %cst_0, %arg5 = %c-1_i32_1, %arg6 = %c0_i32_2, %arg7 = %12) -> (tensor<32x128xf32, #mma>, i32, i32, i32)  : i32 {
      %c1_i32_15 = arith.constant 1 : i32
      %c0_i32_16 = arith.constant 0 : i32
      %c2_i32_17 = arith.constant 2 : i32
      %23 = arith.addi %arg5, %c1_i32_15 : i32
      %24 = arith.cmpi sge, %23, %c2_i32_17 : i32
      %25 = arith.xori %arg6, %c1_i32 : i32
      %26 = arith.select %24, %25, %arg6 : i32
      %27 = arith.select %24, %c0_i32_16, %23 : i32
      %28 = ttg.memdesc_index %3[%27] : !ttg.memdesc<2x32x128xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared, #smem, mutable>
      %29 = ttg.memdesc_trans %28 {order = array<i32: 1, 0>} : !ttg.memdesc<32x128xf32, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf32, #shared2, #smem, mutable>
      %30 = ttg.memdesc_index %0[%27] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %30, %26 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %31 = ttg.local_load %29 : !ttg.memdesc<128x32xf32, #shared2, #smem, mutable> -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      %32 = tt.dot %arg1, %31, %cst, inputPrecision = tf32 : tensor<32x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<128x32xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> -> tensor<32x32xf32, #mma>
      %33 = ttg.convert_layout %32 : tensor<32x32xf32, #mma> -> tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %34 = ttg.local_load %28 : !ttg.memdesc<32x128xf32, #shared, #smem, mutable> -> tensor<32x128xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      %35 = tt.dot %33, %34, %arg4, inputPrecision = tf32 : tensor<32x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * tensor<32x128xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>> -> tensor<32x128xf32, #mma>
      %c1_i32_18 = arith.constant 1 : i32
      %c0_i32_19 = arith.constant 0 : i32
      %c2_i32_20 = arith.constant 2 : i32
      %36 = arith.addi %arg7, %c1_i32_18 : i32
      %37 = arith.cmpi sge, %36, %c2_i32_20 : i32
      %38 = arith.select %37, %c0_i32_19, %36 : i32
      %39 = ttg.memdesc_index %0[%38] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %40 = arith.cmpi slt, %arg3, %19 : i32
      ttng.barrier_expect %39, 16384, %40 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %41 = ttg.memdesc_index %3[%38] : !ttg.memdesc<2x32x128xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared, #smem, mutable>
      %c64_i32_21 = arith.constant 64 : i32
      %42 = arith.addi %arg3, %c64_i32_21 : i32
      ttng.async_tma_copy_global_to_local %arg0[%42, %c0_i32] %41, %39, %40 : !tt.tensordesc<tensor<32x128xf32, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared, #smem, mutable>
      scf.yield %35, %27, %26, %38 : tensor<32x128xf32, #mma>, i32, i32, i32
    }
    %c0_i32_13 = arith.constant 0 : i32
    %c1_i32_14 = arith.constant 1 : i32
    %21 = ttg.memdesc_index %0[%c0_i32_13] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %22 = ttg.memdesc_index %0[%c1_i32_14] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %21 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %22 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %3 : !ttg.memdesc<2x32x128xf32, #shared, #smem, mutable>
    ttg.local_dealloc %0 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    tt.return %20#0 : tensor<32x128xf32, #mma>
  }
}

