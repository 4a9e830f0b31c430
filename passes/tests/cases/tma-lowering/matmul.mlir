// passes: tt,ttg,llvm
// warps: 8
// stages: 2
// counts: ttg.convert_layout 0, gpu.barrier 4, ttng.wait_barrier 1, ttng.barrier_expect 2, ttng.async_tma_copy_global_to_local 4, ttng.fence_async_shared 1, ttng.async_tma_store_wait 1, ttng.warp_group_dot_wait 2, ttg.local_load 0
module {
  tt.func public @matmul_kernel_tma(%a_desc: !tt.tensordesc<tensor<128x128xf16>>, %a_desc_0: i32, %a_desc_1: i32, %a_desc_2: i64, %a_desc_3: i64, %b_desc: !tt.tensordesc<tensor<256x128xf16>>, %b_desc_4: i32, %b_desc_5: i32, %b_desc_6: i64, %b_desc_7: i64, %c_desc: !tt.tensordesc<tensor<128x256xf16>>, %c_desc_8: i32, %c_desc_9: i32, %c_desc_10: i64, %c_desc_11: i64, %M: i32 {tt.divisibility = 16 : i32}, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %accumulator = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %num_pid_n = arith.constant 255 : i32
    %c127_i32 = arith.constant 127 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %c8_i32 = arith.constant 8 : i32
    %pid = tt.get_program_id x : i32
    %num_pid_m = arith.addi %M, %c127_i32 : i32
    %num_pid_m_12 = arith.divsi %num_pid_m, %c128_i32 : i32
    %num_pid_n_13 = arith.addi %N, %num_pid_n : i32
    %num_pid_n_14 = arith.divsi %num_pid_n_13, %c256_i32 : i32
    %num_pid_in_group = arith.muli %num_pid_n_14, %c8_i32 : i32
    %group_id = arith.divsi %pid, %num_pid_in_group : i32
    %first_pid_m = arith.muli %group_id, %c8_i32 : i32
    %group_size_m = arith.subi %num_pid_m_12, %first_pid_m : i32
    %group_size_m_15 = arith.minsi %group_size_m, %c8_i32 : i32
    %pid_m = arith.remsi %pid, %group_size_m_15 : i32
    %pid_m_16 = arith.addi %first_pid_m, %pid_m : i32
    %pid_n = arith.remsi %pid, %num_pid_in_group : i32
    %pid_n_17 = arith.divsi %pid_n, %group_size_m_15 : i32
    %k_tiles = arith.addi %K, %c127_i32 : i32
    %k_tiles_18 = arith.divsi %k_tiles, %c128_i32 : i32
    %offs_am = arith.muli %pid_m_16, %c128_i32 : i32
    %offs_bn = arith.muli %pid_n_17, %c256_i32 : i32
    %accumulator_19 = scf.for %k = %c0_i32 to %k_tiles_18 step %c1_i32 iter_args(%accumulator_20 = %accumulator) -> (tensor<128x256xf32>)  : i32 {
      %offs_k = arith.muli %k, %c128_i32 : i32
      %a = tt.descriptor_load %a_desc[%offs_am, %offs_k] : !tt.tensordesc<tensor<128x128xf16>> -> tensor<128x128xf16>
      %b = tt.descriptor_load %b_desc[%offs_bn, %offs_k] : !tt.tensordesc<tensor<256x128xf16>> -> tensor<256x128xf16>
      %accumulator_21 = tt.trans %b {order = array<i32: 1, 0>} : tensor<256x128xf16> -> tensor<128x256xf16>
      %accumulator_22 = tt.dot %a, %accumulator_21, %accumulator_20, inputPrecision = tf32 : tensor<128x128xf16> * tensor<128x256xf16> -> tensor<128x256xf32>
      scf.yield %accumulator_22 : tensor<128x256xf32>
    }
    %c = arith.truncf %accumulator_19 : tensor<128x256xf32> to tensor<128x256xf16>
    tt.descriptor_store %c_desc[%offs_am, %offs_bn], %c : !tt.tensordesc<tensor<128x256xf16>>, tensor<128x256xf16>
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 256, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 196624 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @matmul_kernel_tma(%arg0: !tt.tensordesc<tensor<128x128xf16, #shared>>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: i64, %arg5: !tt.tensordesc<tensor<256x128xf16, #shared>>, %arg6: i32, %arg7: i32, %arg8: i64, %arg9: i64, %arg10: !tt.tensordesc<tensor<128x256xf16, #shared>>, %arg11: i32, %arg12: i32, %arg13: i64, %arg14: i64, %arg15: i32 {tt.divisibility = 16 : i32}, %arg16: i32 {tt.divisibility = 16 : i32}, %arg17: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c127_i32 = arith.constant 127 : i32
    %c255_i32 = arith.constant 255 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %c-1_i32 = arith.constant -1 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg15, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg16, %c255_i32 : i32
    %4 = arith.divsi %3, %c256_i32 : i32
    %5 = arith.muli %4, %c8_i32 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %9 : i32
    %11 = arith.addi %7, %10 : i32
    %12 = arith.remsi %0, %5 : i32
    %13 = arith.divsi %12, %9 : i32
    %14 = arith.addi %arg17, %c127_i32 : i32
    %15 = arith.divsi %14, %c128_i32 : i32
    %16 = arith.muli %11, %c128_i32 : i32
    %17 = arith.muli %13, %c256_i32 : i32
    %18 = ttg.local_alloc {allocation.offset = 196608 : i32, tk.allocation_size = 16 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %19 = ttg.memdesc_index %18[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %20 = ttg.memdesc_index %18[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %21 = ttg.local_alloc {allocation.offset = 131072 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable>
    %22 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 131072 : i32} : () -> !ttg.memdesc<2x256x128xf16, #shared, #smem, mutable>
    %23 = arith.cmpi sgt, %15, %c0_i32 : i32
    ttng.init_barrier %19, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %20, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %19, 98304, %23 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %24 = ttg.memdesc_index %21[%c0_i32] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%16, %c0_i32] %24, %19, %23 : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %25 = ttg.memdesc_index %22[%c0_i32] : !ttg.memdesc<2x256x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg5[%17, %c0_i32] %25, %19, %23 : !tt.tensordesc<tensor<256x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<256x128xf16, #shared, #smem, mutable>
    %26 = arith.subi %15, %c1_i32 : i32
    %27:4 = scf.for %arg18 = %c0_i32 to %15 step %c1_i32 iter_args(%arg19 = %cst, %arg20 = %c-1_i32, %arg21 = %c0_i32, %arg22 = %c0_i32) -> (tensor<128x256xf32, #mma>, i32, i32, i32)  : i32 {
      %31 = arith.addi %arg20, %c1_i32 : i32
      %32 = arith.cmpi sge, %31, %c2_i32 : i32
      %33 = arith.xori %arg21, %c1_i32 : i32
      %34 = arith.select %32, %33, %arg21 : i32
      %35 = arith.select %32, %c0_i32, %31 : i32
      %36 = ttg.memdesc_index %21[%35] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %37 = ttg.memdesc_index %22[%35] : !ttg.memdesc<2x256x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf16, #shared, #smem, mutable>
      %38 = ttg.memdesc_trans %37 {order = array<i32: 1, 0>} : !ttg.memdesc<256x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x256xf16, #shared2, #smem, mutable>
      %39 = ttg.memdesc_index %18[%35] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %39, %34 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %40 = ttng.warp_group_dot %36, %38, %arg19 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> * !ttg.memdesc<128x256xf16, #shared2, #smem, mutable> -> tensor<128x256xf32, #mma>
      %41:3 = ttng.warp_group_dot_wait %40, %36, %38 {pendings = 1 : i32} : tensor<128x256xf32, #mma>, !ttg.memdesc<128x128xf16, #shared, #smem, mutable>, !ttg.memdesc<128x256xf16, #shared2, #smem, mutable>
      %42 = arith.addi %arg22, %c1_i32 : i32
      %43 = arith.cmpi sge, %42, %c2_i32 : i32
      %44 = arith.select %43, %c0_i32, %42 : i32
      %45 = arith.addi %arg18, %c1_i32 : i32
      %46 = arith.muli %45, %c128_i32 : i32
      %47 = ttg.memdesc_index %18[%44] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %48 = arith.cmpi slt, %arg18, %26 : i32
      gpu.barrier
      ttng.barrier_expect %47, 98304, %48 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %49 = ttg.memdesc_index %21[%44] : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%16, %46] %49, %47, %48 : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %50 = ttg.memdesc_index %22[%44] : !ttg.memdesc<2x256x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%17, %46] %50, %47, %48 : !tt.tensordesc<tensor<256x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<256x128xf16, #shared, #smem, mutable>
      scf.yield %41#0, %35, %34, %44 : tensor<128x256xf32, #mma>, i32, i32, i32
    }
    %28 = ttng.warp_group_dot_wait %27#0 {pendings = 0 : i32} : tensor<128x256xf32, #mma>
    ttg.local_dealloc %22 : !ttg.memdesc<2x256x128xf16, #shared, #smem, mutable>
    ttg.local_dealloc %21 : !ttg.memdesc<2x128x128xf16, #shared, #smem, mutable>
    %29 = arith.truncf %28 : tensor<128x256xf32, #mma> to tensor<128x256xf16, #mma>
    gpu.barrier
    %30 = ttg.local_alloc %29 {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : (tensor<128x256xf16, #mma>) -> !ttg.memdesc<128x256xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg10[%16, %17] %30 : !tt.tensordesc<tensor<128x256xf16, #shared>>, !ttg.memdesc<128x256xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.inval_barrier %19 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %20 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %18 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    tt.return
  }
}

