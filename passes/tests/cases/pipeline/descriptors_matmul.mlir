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
