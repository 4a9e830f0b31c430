// passes: tt,ttg,llvm
// stages: 4
// counts: ttg.convert_layout 0, gpu.barrier 6, ttng.wait_barrier 1, ttng.async_tma_copy_global_to_local 8, ttng.fence_async_shared 2, ttng.async_tma_copy_local_to_global 2, ttng.async_tma_store_wait 4, ttng.warp_group_dot_wait 3, ttg.local_store 2, ttg.local_load 0
module {
  tt.func public @matmul_kernel_tma_persistent(%a_desc: !tt.tensordesc<tensor<128x64xf16>>, %a_desc_0: i32, %a_desc_1: i32, %a_desc_2: i64, %a_desc_3: i64, %b_desc: !tt.tensordesc<tensor<128x64xf16>>, %b_desc_4: i32, %b_desc_5: i32, %b_desc_6: i64, %b_desc_7: i64, %c_desc: !tt.tensordesc<tensor<128x128xf16>>, %c_desc_8: i32, %c_desc_9: i32, %c_desc_10: i64, %c_desc_11: i64, %M: i32 {tt.divisibility = 16 : i32}, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %k_tiles = arith.constant 63 : i32
    %c127_i32 = arith.constant 127 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c8_i32 = arith.constant 8 : i32
    %c132_i32 = arith.constant 132 : i32
    %start_pid = tt.get_program_id x : i32
    %num_pid_m = arith.addi %M, %c127_i32 : i32
    %num_pid_m_12 = arith.divsi %num_pid_m, %c128_i32 : i32
    %num_pid_n = arith.addi %N, %c127_i32 : i32
    %num_pid_n_13 = arith.divsi %num_pid_n, %c128_i32 : i32
    %k_tiles_14 = arith.addi %K, %k_tiles : i32
    %k_tiles_15 = arith.divsi %k_tiles_14, %c64_i32 : i32
    %num_tiles = arith.muli %num_pid_m_12, %num_pid_n_13 : i32
    %tile_id_c = arith.subi %start_pid, %c132_i32 : i32
    %num_pid_in_group = arith.muli %num_pid_n_13, %c8_i32 : i32
    %tile_id_c_16 = scf.for %tile_id = %start_pid to %num_tiles step %c132_i32 iter_args(%tile_id_c_17 = %tile_id_c) -> (i32)  : i32 {
      %group_id = arith.divsi %tile_id, %num_pid_in_group : i32
      %first_pid_m = arith.muli %group_id, %c8_i32 : i32
      %group_size_m = arith.subi %num_pid_m_12, %first_pid_m : i32
      %group_size_m_18 = arith.minsi %group_size_m, %c8_i32 : i32
      %pid_m = arith.remsi %tile_id, %group_size_m_18 : i32
      %pid_m_19 = arith.addi %first_pid_m, %pid_m : i32
      %pid_n = arith.remsi %tile_id, %num_pid_in_group : i32
      %pid_n_20 = arith.divsi %pid_n, %group_size_m_18 : i32
      %offs_am = arith.muli %pid_m_19, %c128_i32 : i32
      %offs_bn = arith.muli %pid_n_20, %c128_i32 : i32
      %accumulator = scf.for %ki = %c0_i32 to %k_tiles_15 step %c1_i32 iter_args(%accumulator_31 = %cst) -> (tensor<128x128xf32>)  : i32 {
        %offs_k = arith.muli %ki, %c64_i32 : i32
        %a = tt.descriptor_load %a_desc[%offs_am, %offs_k] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
        %b = tt.descriptor_load %b_desc[%offs_bn, %offs_k] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
        %accumulator_32 = tt.trans %b {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
        %accumulator_33 = tt.dot %a, %accumulator_32, %accumulator_31, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
        scf.yield %accumulator_33 : tensor<128x128xf32>
      }
      %tile_id_c_21 = arith.addi %tile_id_c_17, %c132_i32 : i32
      %group_id_22 = arith.divsi %tile_id_c_21, %num_pid_in_group : i32
      %first_pid_m_23 = arith.muli %group_id_22, %c8_i32 : i32
      %group_size_m_24 = arith.subi %num_pid_m_12, %first_pid_m_23 : i32
      %group_size_m_25 = arith.minsi %group_size_m_24, %c8_i32 : i32
      %pid_m_26 = arith.remsi %tile_id_c_21, %group_size_m_25 : i32
      %pid_m_27 = arith.addi %first_pid_m_23, %pid_m_26 : i32
      %pid_n_28 = arith.remsi %tile_id_c_21, %num_pid_in_group : i32
      %pid_n_29 = arith.divsi %pid_n_28, %group_size_m_25 : i32
      %offs_am_c = arith.muli %pid_m_27, %c128_i32 : i32
      %offs_bn_c = arith.muli %pid_n_29, %c128_i32 : i32
      %accumulator_30 = arith.truncf %accumulator : tensor<128x128xf32> to tensor<128x128xf16>
      tt.descriptor_store %c_desc[%offs_am_c, %offs_bn_c], %accumulator_30 : !tt.tensordesc<tensor<128x128xf16>>, tensor<128x128xf16>
      scf.yield %tile_id_c_21 : i32
    } {tt.flatten, tt.warp_specialize}
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 163872 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @matmul_kernel_tma_persistent(%arg0: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: i64, %arg5: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg6: i32, %arg7: i32, %arg8: i64, %arg9: i64, %arg10: !tt.tensordesc<tensor<128x128xf16, #shared>>, %arg11: i32, %arg12: i32, %arg13: i64, %arg14: i64, %arg15: i32 {tt.divisibility = 16 : i32}, %arg16: i32 {tt.divisibility = 16 : i32}, %arg17: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c132_i32 = arith.constant 132 : i32
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c127_i32 = arith.constant 127 : i32
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x128xf16, #blocked>
    %c-1_i32 = arith.constant -1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg15, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg16, %c127_i32 : i32
    %4 = arith.divsi %3, %c128_i32 : i32
    %5 = arith.addi %arg17, %c63_i32 : i32
    %6 = arith.divsi %5, %c64_i32 : i32
    %7 = arith.muli %2, %4 : i32
    %8 = arith.subi %0, %c132_i32 : i32
    %9 = arith.muli %4, %c8_i32 : i32
    %10 = arith.maxsi %6, %c0_i32 : i32
    %11 = arith.cmpi sgt, %10, %c0_i32 : i32
    scf.if %11 {
      %12 = arith.maxsi %7, %0 : i32
      %13 = arith.subi %12, %0 : i32
      %14 = arith.ceildivsi %13, %c132_i32 : i32
      %15 = arith.maxsi %14, %c0_i32 : i32
      %16 = arith.muli %15, %10 : i32
      %17 = arith.subi %10, %c1_i32 : i32
      %18 = ttg.local_alloc {allocation.offset = 163840 : i32, tk.allocation_size = 32 : i32} : () -> !ttg.memdesc<4x1xi64, #shared1, #smem, mutable>
      %19 = ttg.memdesc_index %18[%c0_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %20 = ttg.memdesc_index %18[%c1_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %21 = ttg.memdesc_index %18[%c2_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %22 = ttg.memdesc_index %18[%c3_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %19, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %20, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %21, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %22, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %23 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
      %24 = ttg.local_alloc {allocation.offset = 65536 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
      %25 = arith.divsi %0, %9 : i32
      %26 = arith.muli %25, %c8_i32 : i32
      %27 = arith.subi %2, %26 : i32
      %28 = arith.minsi %27, %c8_i32 : i32
      %29 = arith.remsi %0, %28 : i32
      %30 = arith.addi %26, %29 : i32
      %31 = arith.remsi %0, %9 : i32
      %32 = arith.divsi %31, %28 : i32
      %33 = arith.muli %30, %c128_i32 : i32
      %34 = arith.muli %32, %c128_i32 : i32
      %35 = arith.cmpi sgt, %16, %c0_i32 : i32
      gpu.barrier
      ttng.barrier_expect %19, 32768, %35 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %36 = ttg.memdesc_index %23[%c0_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%33, %c0_i32] %36, %19, %35 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %37 = ttg.memdesc_index %24[%c0_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%34, %c0_i32] %37, %19, %35 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %38 = arith.cmpi eq, %17, %c0_i32 : i32
      %39 = arith.cmpi ne, %17, %c0_i32 : i32
      %40 = arith.extui %39 : i1 to i32
      %41 = arith.cmpi eq, %40, %c0_i32 : i32
      %42:3 = scf.if %41 -> (i32, i32, i32) {
        %63 = arith.addi %0, %c132_i32 : i32
        %64 = arith.divsi %63, %9 : i32
        %65 = arith.muli %64, %c8_i32 : i32
        %66 = arith.subi %2, %65 : i32
        %67 = arith.minsi %66, %c8_i32 : i32
        %68 = arith.remsi %63, %67 : i32
        %69 = arith.addi %65, %68 : i32
        %70 = arith.remsi %63, %9 : i32
        %71 = arith.divsi %70, %67 : i32
        %72 = arith.muli %69, %c128_i32 : i32
        %73 = arith.muli %71, %c128_i32 : i32
        scf.yield %63, %72, %73 : i32, i32, i32
      } else {
        scf.yield %0, %33, %34 : i32, i32, i32
      }
      %43 = arith.muli %40, %c64_i32 : i32
      %44 = arith.cmpi sgt, %16, %c1_i32 : i32
      ttng.barrier_expect %20, 32768, %44 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %45 = ttg.memdesc_index %23[%c1_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%42#1, %43] %45, %20, %44 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %46 = ttg.memdesc_index %24[%c1_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%42#2, %43] %46, %20, %44 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %47 = arith.cmpi eq, %40, %17 : i32
      %48 = arith.addi %40, %c1_i32 : i32
      %49 = arith.select %47, %c0_i32, %48 : i32
      %50 = arith.cmpi eq, %49, %c0_i32 : i32
      %51:3 = scf.if %50 -> (i32, i32, i32) {
        %63 = arith.addi %42#0, %c132_i32 : i32
        %64 = arith.divsi %63, %9 : i32
        %65 = arith.muli %64, %c8_i32 : i32
        %66 = arith.subi %2, %65 : i32
        %67 = arith.minsi %66, %c8_i32 : i32
        %68 = arith.remsi %63, %67 : i32
        %69 = arith.addi %65, %68 : i32
        %70 = arith.remsi %63, %9 : i32
        %71 = arith.divsi %70, %67 : i32
        %72 = arith.muli %69, %c128_i32 : i32
        %73 = arith.muli %71, %c128_i32 : i32
        scf.yield %63, %72, %73 : i32, i32, i32
      } else {
        scf.yield %42#0, %42#1, %42#2 : i32, i32, i32
      }
      %52 = arith.muli %49, %c64_i32 : i32
      %53 = arith.cmpi sgt, %16, %c2_i32 : i32
      ttng.barrier_expect %21, 32768, %53 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %54 = ttg.memdesc_index %23[%c2_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%51#1, %52] %54, %21, %53 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %55 = ttg.memdesc_index %24[%c2_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%51#2, %52] %55, %21, %53 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %56 = arith.cmpi eq, %49, %17 : i32
      %57 = arith.addi %49, %c1_i32 : i32
      %58 = arith.select %56, %c0_i32, %57 : i32
      %59 = arith.subi %16, %c3_i32 : i32
      %60 = ttg.local_alloc {allocation.offset = 131072 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %61:15 = scf.for %arg18 = %c0_i32 to %16 step %c1_i32 iter_args(%arg19 = %c-1_i32, %arg20 = %c0_i32, %arg21 = %58, %arg22 = %49, %arg23 = %40, %arg24 = %c0_i32, %arg25 = %cst, %arg26 = %c2_i32, %arg27 = %51#0, %arg28 = %51#1, %arg29 = %51#2, %arg30 = %56, %arg31 = %47, %arg32 = %38, %arg33 = %8) -> (i32, i32, i32, i32, i32, i32, tensor<128x128xf32, #mma>, i32, i32, i32, i32, i1, i1, i1, i32)  : i32 {
        %63 = arith.addi %arg19, %c1_i32 : i32
        %64 = arith.cmpi sge, %63, %c4_i32 : i32
        %65 = arith.xori %arg20, %c1_i32 : i32
        %66 = arith.select %64, %65, %arg20 : i32
        %67 = arith.select %64, %c0_i32, %63 : i32
        %68 = ttg.memdesc_index %23[%67] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %69 = ttg.memdesc_index %24[%67] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %70 = ttg.memdesc_trans %69 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
        %71 = arith.cmpi ne, %arg24, %c0_i32 : i32
        %72 = ttg.memdesc_index %18[%67] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.wait_barrier %72, %66 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %73 = ttng.warp_group_dot %68, %70, %arg25, %71 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared2, #smem, mutable> -> tensor<128x128xf32, #mma>
        %74:3 = ttng.warp_group_dot_wait %73, %68, %70 {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
        %75 = arith.addi %arg26, %c1_i32 : i32
        %76 = arith.cmpi sge, %75, %c4_i32 : i32
        %77 = arith.select %76, %c0_i32, %75 : i32
        %78 = arith.cmpi eq, %arg21, %c0_i32 : i32
        %79:3 = scf.if %78 -> (i32, i32, i32) {
          %89 = arith.addi %arg27, %c132_i32 : i32
          %90 = arith.divsi %89, %9 : i32
          %91 = arith.muli %90, %c8_i32 : i32
          %92 = arith.subi %2, %91 : i32
          %93 = arith.minsi %92, %c8_i32 : i32
          %94 = arith.remsi %89, %93 : i32
          %95 = arith.addi %91, %94 : i32
          %96 = arith.remsi %89, %9 : i32
          %97 = arith.divsi %96, %93 : i32
          %98 = arith.muli %95, %c128_i32 : i32
          %99 = arith.muli %97, %c128_i32 : i32
          scf.yield %89, %98, %99 : i32, i32, i32
        } else {
          scf.yield %arg27, %arg28, %arg29 : i32, i32, i32
        }
        %80 = arith.muli %arg21, %c64_i32 : i32
        %81 = ttg.memdesc_index %18[%77] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %82 = arith.cmpi slt, %arg18, %59 : i32
        gpu.barrier
        ttng.barrier_expect %81, 32768, %82 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %83 = ttg.memdesc_index %23[%77] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %arg0[%79#1, %80] %83, %81, %82 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %84 = ttg.memdesc_index %24[%77] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %arg5[%79#2, %80] %84, %81, %82 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %85 = arith.cmpi eq, %arg21, %17 : i32
        %86 = arith.addi %arg21, %c1_i32 : i32
        %87 = arith.select %85, %c0_i32, %86 : i32
        %88:2 = scf.if %arg32 -> (i32, tensor<128x128xf32, #mma>) {
          ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
          gpu.barrier
          %89:3 = ttng.warp_group_dot_wait %74#0, %68, %70 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
          %90 = arith.addi %arg33, %c132_i32 : i32
          %91 = arith.divsi %90, %9 : i32
          %92 = arith.muli %91, %c8_i32 : i32
          %93 = arith.subi %2, %92 : i32
          %94 = arith.minsi %93, %c8_i32 : i32
          %95 = arith.remsi %90, %94 : i32
          %96 = arith.addi %92, %95 : i32
          %97 = arith.remsi %90, %9 : i32
          %98 = arith.divsi %97, %94 : i32
          %99 = arith.muli %96, %c128_i32 : i32
          %100 = arith.muli %98, %c128_i32 : i32
          %101 = arith.truncf %89#0 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
          ttg.local_store %101, %60 : tensor<128x128xf16, #mma> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
          ttng.fence_async_shared {bCluster = false}
          gpu.barrier
          ttng.async_tma_copy_local_to_global %arg10[%99, %100] %60 : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
          scf.yield %90, %89#0 : i32, tensor<128x128xf32, #mma>
        } else {
          scf.yield %arg33, %74#0 : i32, tensor<128x128xf32, #mma>
        }
        scf.yield %67, %66, %87, %arg21, %arg22, %arg23, %88#1, %77, %79#0, %79#1, %79#2, %85, %arg30, %arg31, %88#0 : i32, i32, i32, i32, i32, i32, tensor<128x128xf32, #mma>, i32, i32, i32, i32, i1, i1, i1, i32
      }
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      ttg.local_dealloc %60 : !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %62 = ttng.warp_group_dot_wait %61#6 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
      ttng.inval_barrier %19 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %20 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %21 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %22 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttg.local_dealloc %24 : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %23 : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %18 : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable>
    } else {
      %12 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
      %13 = scf.for %arg18 = %0 to %7 step %c132_i32 iter_args(%arg19 = %8) -> (i32)  : i32 {
        %14 = arith.addi %arg19, %c132_i32 : i32
        %15 = arith.divsi %14, %9 : i32
        %16 = arith.muli %15, %c8_i32 : i32
        %17 = arith.subi %2, %16 : i32
        %18 = arith.minsi %17, %c8_i32 : i32
        %19 = arith.remsi %14, %18 : i32
        %20 = arith.addi %16, %19 : i32
        %21 = arith.remsi %14, %9 : i32
        %22 = arith.divsi %21, %18 : i32
        %23 = arith.muli %20, %c128_i32 : i32
        %24 = arith.muli %22, %c128_i32 : i32
        ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
        gpu.barrier
        ttg.local_store %cst_0, %12 : tensor<128x128xf16, #blocked> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        gpu.barrier
        ttng.async_tma_copy_local_to_global %arg10[%23, %24] %12 : !tt.tensordesc<tensor<128x128xf16, #shared>>, !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
        scf.yield %14 : i32
      }
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      ttg.local_dealloc %12 : !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    }
    tt.return
  }
}

