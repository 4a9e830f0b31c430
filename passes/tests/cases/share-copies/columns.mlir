// passes: share-copies
// warps: 8
// grid: many
// pairs: even
// counts: {multicast} 3, tk.pair_barrier 1, gpu.barrier 0, ttng.cluster_barrier 1
// The programs of a group have the same columns of B one after the other. They copy its blocks by turns, where their numbers of blocks and their
// columns are equal.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 98328 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tiled_matmul_mnk(%x_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %output_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %A: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %B: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %C: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %x_row_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %y_row_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %output_row_stride: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %x_ptr_0: !tt.tensordesc<tensor<128x64xf16, #shared>> {tk.map_base = 0 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %y_ptr_1: !tt.tensordesc<tensor<64x128xf16, #shared>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 4 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c127_i32 = arith.constant 127 : i32
    %c128_i32 = arith.constant 128 : i32
    %c8_i32 = arith.constant 8 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %pid = tt.get_program_id x : i32
    %0 = arith.addi %A, %c127_i32 : i32
    %num_pid_m = arith.divsi %0, %c128_i32 : i32
    %1 = arith.addi %B, %c127_i32 : i32
    %num_pid_n = arith.divsi %1, %c128_i32 : i32
    %num_pid_in_group = arith.muli %num_pid_n, %c8_i32 : i32
    %group_id = arith.divsi %pid, %num_pid_in_group : i32
    %first_pid_m = arith.muli %group_id, %c8_i32 : i32
    %2 = arith.subi %num_pid_m, %first_pid_m : i32
    %group_size_m = arith.minsi %2, %c8_i32 : i32
    %pid_in_group = arith.remsi %pid, %num_pid_in_group : i32
    %3 = arith.remsi %pid_in_group, %group_size_m : i32
    %block_m = arith.addi %first_pid_m, %3 : i32
    %block_n = arith.divsi %pid_in_group, %group_size_m : i32
    %4 = arith.muli %block_m, %c128_i32 : i32
    %8 = arith.muli %block_n, %c128_i32 : i32
    %10 = arith.addi %C, %c63_i32 : i32
    %11 = arith.divsi %10, %c64_i32 : i32
    %acc = ttg.local_alloc {allocation.offset = 98304 : i32, tk.allocation_size = 24 : i32} : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %acc_2 = ttg.memdesc_index %acc[%c0_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %acc_3 = ttg.memdesc_index %acc[%c1_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %acc_4 = ttg.memdesc_index %acc[%c2_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %x_shared = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %y_shared = ttg.local_alloc {allocation.offset = 49152 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
    %acc_5 = arith.cmpi sgt, %11, %c0_i32 : i32
    ttng.init_barrier %acc_2, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %acc_3, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %acc_4, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %acc_2, 32768, %acc_5 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %x_shared_6 = ttg.memdesc_index %x_shared[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %x_ptr_0[%4, %c0_i32] %x_shared_6, %acc_2, %acc_5 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %x_shared_7 = ttg.memdesc_index %y_shared[%c0_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %y_ptr_1[%c0_i32, %8] %x_shared_7, %acc_2, %acc_5 : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %acc_8 = arith.cmpi sgt, %11, %c1_i32 : i32
    ttng.barrier_expect %acc_3, 32768, %acc_8 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %x_shared_9 = ttg.memdesc_index %x_shared[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %x_ptr_0[%4, %c64_i32] %x_shared_9, %acc_3, %acc_8 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %x_shared_10 = ttg.memdesc_index %y_shared[%c1_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %y_ptr_1[%c64_i32, %8] %x_shared_10, %acc_3, %acc_8 : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %x_shared_11 = arith.subi %11, %c2_i32 : i32
    %acc_12:4 = scf.for %acc_14 = %c0_i32 to %11 step %c1_i32 iter_args(%acc_15 = %cst, %acc_16 = %c-1_i32, %acc_17 = %c0_i32, %acc_18 = %c1_i32) -> (tensor<128x128xf32, #mma>, i32, i32, i32)  : i32 {
      %acc_19 = arith.addi %acc_16, %c1_i32 : i32
      %acc_20 = arith.cmpi sge, %acc_19, %c3_i32 : i32
      %acc_21 = arith.xori %acc_17, %c1_i32 : i32
      %acc_22 = arith.select %acc_20, %acc_21, %acc_17 : i32
      %acc_23 = arith.select %acc_20, %c0_i32, %acc_19 : i32
      %x_shared_24 = ttg.memdesc_index %x_shared[%acc_23] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %y_shared_25 = ttg.memdesc_index %y_shared[%acc_23] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %x_shared_26 = ttg.memdesc_index %acc[%acc_23] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %x_shared_26, %acc_22 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %acc_27 = ttng.warp_group_dot %x_shared_24, %y_shared_25, %acc_15 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      %acc_28:3 = ttng.warp_group_dot_wait %acc_27, %x_shared_24, %y_shared_25 {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %acc_29 = arith.addi %acc_18, %c1_i32 : i32
      %acc_30 = arith.cmpi sge, %acc_29, %c3_i32 : i32
      %acc_31 = arith.select %acc_30, %c0_i32, %acc_29 : i32
      %28 = arith.addi %acc_14, %c2_i32 : i32
      %29 = arith.muli %28, %c64_i32 : i32
      %x_shared_32 = ttg.memdesc_index %acc[%acc_31] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %acc_33 = arith.cmpi slt, %acc_14, %x_shared_11 : i32
      gpu.barrier
      ttng.barrier_expect %x_shared_32, 32768, %acc_33 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %x_shared_34 = ttg.memdesc_index %x_shared[%acc_31] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %x_ptr_0[%4, %29] %x_shared_34, %x_shared_32, %acc_33 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %x_shared_35 = ttg.memdesc_index %y_shared[%acc_31] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %y_ptr_1[%29, %8] %x_shared_35, %x_shared_32, %acc_33 : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      scf.yield %acc_28#0, %acc_23, %acc_22, %acc_31 : tensor<128x128xf32, #mma>, i32, i32, i32
    }
    %sum = ttng.warp_group_dot_wait %acc_12#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {tk.pairs, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 98328 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @tiled_matmul_mnk(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg9: !tt.tensordesc<tensor<128x64xf16, #shared>> {tk.map_base = 0 : i32, tk.map_rows_parameter = 3 : i32, tk.map_stride = 6 : i32}, %arg10: !tt.tensordesc<tensor<64x128xf16, #shared>> {tk.map_base = 1 : i32, tk.map_columns_parameter = 4 : i32, tk.map_stride = 7 : i32}) attributes {noinline = false} {
    %c127_i32 = arith.constant 127 : i32
    %c128_i32 = arith.constant 128 : i32
    %c8_i32 = arith.constant 8 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg4, %c127_i32 : i32
    %4 = arith.divsi %3, %c128_i32 : i32
    %5 = arith.muli %4, %c8_i32 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %5 : i32
    %11 = arith.remsi %10, %9 : i32
    %12 = arith.addi %7, %11 : i32
    %13 = arith.divsi %10, %9 : i32
    %14 = arith.muli %12, %c128_i32 : i32
    %15 = arith.muli %13, %c128_i32 : i32
    %16 = arith.addi %arg5, %c63_i32 : i32
    %17 = arith.divsi %16, %c64_i32 : i32
    %18 = ttg.local_alloc {allocation.offset = 98304 : i32, tk.allocation_size = 24 : i32} : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %19 = ttg.memdesc_index %18[%c0_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %20 = ttg.memdesc_index %18[%c1_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %21 = ttg.memdesc_index %18[%c2_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %22 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %23 = ttg.local_alloc {allocation.offset = 49152 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
    %24 = arith.cmpi sgt, %17, %c0_i32 : i32
    ttng.init_barrier %19, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %20, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %21, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_mbarrier_init_release_cluster
    ttng.cluster_barrier {relaxed = true}
    %c1_i32_0 = arith.constant 1 : i32
    %25 = arith.xori %0, %c1_i32_0 : i32
    %true = arith.constant true
    %26 = arith.remsi %25, %5 : i32
    %27 = arith.divsi %25, %5 : i32
    %28 = arith.muli %27, %c8_i32 : i32
    %29 = arith.subi %2, %28 : i32
    %30 = arith.minsi %29, %c8_i32 : i32
    %31 = arith.divsi %26, %30 : i32
    %32 = arith.muli %31, %c128_i32 : i32
    %33 = arith.cmpi eq, %15, %32 : i32
    %34 = arith.andi %true, %33 : i1
    %35 = arith.subi %17, %c0_i32 : i32
    %c63_i32_1 = arith.constant 63 : i32
    %36 = arith.cmpi sgt, %35, %c63_i32_1 : i32
    %37 = arith.andi %34, %36 : i1
    %true_2 = arith.constant true
    %38 = arith.xori %37, %true_2 : i1
    %c1_i32_3 = arith.constant 1 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %39 = arith.andi %0, %c1_i32_3 : i32
    %40 = arith.cmpi eq, %39, %c0_i32_4 : i32
    %41 = arith.cmpi ne, %39, %c0_i32_4 : i32
    %c0_i16 = arith.constant 0 : i16
    %c3_i16 = arith.constant 3 : i16
    %42 = arith.select %37, %c3_i16, %c0_i16 : i16
    ttng.barrier_expect %19, 32768, %24 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %43 = ttg.memdesc_index %22[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg9[%14, %c0_i32] %43, %19, %24 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %44 = ttg.memdesc_index %23[%c0_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %45 = arith.ori %38, %40 : i1
    %46 = arith.andi %24, %45 : i1
    ttng.async_tma_copy_global_to_local %arg10[%c0_i32, %15] %44, %19, %46 to %42 {multicast} : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %47 = arith.cmpi sgt, %17, %c1_i32 : i32
    ttng.barrier_expect %20, 32768, %47 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %48 = ttg.memdesc_index %22[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg9[%14, %c64_i32] %48, %20, %47 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %49 = ttg.memdesc_index %23[%c1_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %50 = arith.ori %38, %41 : i1
    %51 = arith.andi %47, %50 : i1
    ttng.async_tma_copy_global_to_local %arg10[%c64_i32, %15] %49, %20, %51 to %42 {multicast} : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
    %52 = arith.subi %17, %c2_i32 : i32
    %53:4 = scf.for %arg11 = %c0_i32 to %17 step %c1_i32 iter_args(%arg12 = %cst, %arg13 = %c-1_i32, %arg14 = %c0_i32, %arg15 = %c1_i32) -> (tensor<128x128xf32, #mma>, i32, i32, i32)  : i32 {
      %55 = arith.addi %arg13, %c1_i32 : i32
      %56 = arith.cmpi sge, %55, %c3_i32 : i32
      %57 = arith.xori %arg14, %c1_i32 : i32
      %58 = arith.select %56, %57, %arg14 : i32
      %59 = arith.select %56, %c0_i32, %55 : i32
      %60 = ttg.memdesc_index %22[%59] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %61 = ttg.memdesc_index %23[%59] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %62 = ttg.memdesc_index %18[%59] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %62, %58 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %63 = ttng.warp_group_dot %60, %61, %arg12 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      %64:3 = ttng.warp_group_dot_wait %63, %60, %61 {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %65 = arith.addi %arg15, %c1_i32 : i32
      %66 = arith.cmpi sge, %65, %c3_i32 : i32
      %67 = arith.select %66, %c0_i32, %65 : i32
      %68 = arith.addi %arg11, %c2_i32 : i32
      %69 = arith.muli %68, %c64_i32 : i32
      %70 = ttg.memdesc_index %18[%67] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %71 = arith.cmpi slt, %arg11, %52 : i32
      tk.pair_barrier if %37
      ttng.barrier_expect %70, 32768, %71 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %72 = ttg.memdesc_index %22[%67] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg9[%14, %69] %72, %70, %71 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %73 = ttg.memdesc_index %23[%67] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %c1_i32_5 = arith.constant 1 : i32
      %c0_i32_6 = arith.constant 0 : i32
      %74 = arith.andi %arg11, %c1_i32_5 : i32
      %75 = arith.cmpi ne, %74, %c0_i32_6 : i32
      %76 = arith.xori %75, %40 : i1
      %77 = arith.ori %38, %76 : i1
      %78 = arith.andi %71, %77 : i1
      ttng.async_tma_copy_global_to_local %arg10[%69, %15] %73, %70, %78 to %42 {multicast} : !tt.tensordesc<tensor<64x128xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      scf.yield %64#0, %59, %58, %67 : tensor<128x128xf32, #mma>, i32, i32, i32
    }
    %54 = ttng.warp_group_dot_wait %53#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    tt.return
  }
}

