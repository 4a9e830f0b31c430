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
