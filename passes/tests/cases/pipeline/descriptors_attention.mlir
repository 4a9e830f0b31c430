// passes: tt,ttg,llvm
// stages: 2
// counts: ttng.wait_barrier 3, ttng.async_tma_copy_global_to_local 5, ttng.async_tma_store_wait 1, ttng.tensormap_create 4, ttg.local_load 0
module {
  tt.func public @_attn_fwd(%sm_scale: f32, %M: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %Z: i32, %H: i32 {tt.divisibility = 16 : i32}, %desc_q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %desc_k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %desc_v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %desc_o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %N_CTX: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %l_i = arith.constant dense<1.000000e+00> : tensor<64xf32>
    %m_i = arith.constant dense<0xFF800000> : tensor<64xf32>
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %acc = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant 1.44269502 : f32
    %c64_i32 = arith.constant 64 : i32
    %start_m = tt.get_program_id x : i32
    %off_hz = tt.get_program_id y : i32
    %off_z = arith.divsi %off_hz, %H : i32
    %off_h = arith.remsi %off_hz, %H : i32
    %y_dim = arith.muli %Z, %H : i32
    %y_dim_1 = arith.muli %y_dim, %N_CTX : i32
    %desc_q_2 = tt.make_tensor_descriptor %desc_q, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %desc_v_3 = tt.make_tensor_descriptor %desc_v, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<32x64xf16>>
    %desc_k_4 = tt.make_tensor_descriptor %desc_k, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<32x64xf16>>
    %desc_o_5 = tt.make_tensor_descriptor %desc_o, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<64x64xf16>>
    %offset_y = arith.muli %N_CTX, %H : i32
    %offset_y_6 = arith.muli %off_z, %offset_y : i32
    %offset_y_7 = arith.muli %off_h, %N_CTX : i32
    %offset_y_8 = arith.addi %offset_y_6, %offset_y_7 : i32
    %qo_offset_y = arith.muli %start_m, %c64_i32 : i32
    %qo_offset_y_9 = arith.addi %offset_y_8, %qo_offset_y : i32
    %offs_m = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %offs_m_10 = tt.splat %qo_offset_y : i32 -> tensor<64xi32>
    %offs_m_11 = arith.addi %offs_m_10, %offs_m : tensor<64xi32>
    %qk_scale = arith.mulf %sm_scale, %cst_0 : f32
    %q = tt.descriptor_load %desc_q_2[%qo_offset_y_9, %c0_i32] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    %offsetv_y:5 = scf.for %start_n = %c0_i32 to %N_CTX step %c32_i32 iter_args(%acc_20 = %acc, %l_i_21 = %l_i, %m_i_22 = %m_i, %offsetk_y = %offset_y_8, %offsetv_y_23 = %offset_y_8) -> (tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, i32, i32)  : i32 {
      %k = tt.descriptor_load %desc_k_4[%offsetk_y, %c0_i32] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
      %k_24 = tt.trans %k {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
      %qk = tt.dot %q, %k_24, %cst, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      %m_ij = "tt.reduce"(%qk) <{axis = 1 : i32}> ({
      ^bb0(%m_ij_43: f32, %m_ij_44: f32):
        %m_ij_45 = arith.maxnumf %m_ij_43, %m_ij_44 : f32
        tt.reduce.return %m_ij_45 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %m_ij_25 = tt.splat %qk_scale : f32 -> tensor<64xf32>
      %m_ij_26 = arith.mulf %m_ij, %m_ij_25 : tensor<64xf32>
      %m_ij_27 = arith.maxnumf %m_i_22, %m_ij_26 : tensor<64xf32>
      %qk_28 = tt.splat %qk_scale : f32 -> tensor<64x32xf32>
      %qk_29 = arith.mulf %qk, %qk_28 : tensor<64x32xf32>
      %qk_30 = tt.expand_dims %m_ij_27 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %qk_31 = tt.broadcast %qk_30 : tensor<64x1xf32> -> tensor<64x32xf32>
      %qk_32 = arith.subf %qk_29, %qk_31 : tensor<64x32xf32>
      %p = math.exp2 %qk_32 : tensor<64x32xf32>
      %alpha = arith.subf %m_i_22, %m_ij_27 : tensor<64xf32>
      %alpha_33 = math.exp2 %alpha : tensor<64xf32>
      %l_ij = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%l_ij_43: f32, %l_ij_44: f32):
        %l_ij_45 = arith.addf %l_ij_43, %l_ij_44 : f32
        tt.reduce.return %l_ij_45 : f32
      }) : (tensor<64x32xf32>) -> tensor<64xf32>
      %acc_34 = tt.expand_dims %alpha_33 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %acc_35 = tt.broadcast %acc_34 : tensor<64x1xf32> -> tensor<64x64xf32>
      %acc_36 = arith.mulf %acc_20, %acc_35 : tensor<64x64xf32>
      %v = tt.descriptor_load %desc_v_3[%offsetv_y_23, %c0_i32] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
      %p_37 = arith.truncf %p : tensor<64x32xf32> to tensor<64x32xf16>
      %acc_38 = tt.dot %p_37, %v, %acc_36, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %l_i_39 = arith.mulf %l_i_21, %alpha_33 : tensor<64xf32>
      %l_i_40 = arith.addf %l_i_39, %l_ij : tensor<64xf32>
      %offsetk_y_41 = arith.addi %offsetk_y, %c32_i32 : i32
      %offsetv_y_42 = arith.addi %offsetv_y_23, %c32_i32 : i32
      scf.yield %acc_38, %l_i_40, %m_ij_27, %offsetk_y_41, %offsetv_y_42 : tensor<64x64xf32>, tensor<64xf32>, tensor<64xf32>, i32, i32
    } {tt.warp_specialize}
    %m_i_12 = math.log2 %offsetv_y#1 : tensor<64xf32>
    %m_i_13 = arith.addf %offsetv_y#2, %m_i_12 : tensor<64xf32>
    %acc_14 = tt.expand_dims %offsetv_y#1 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %acc_15 = tt.broadcast %acc_14 : tensor<64x1xf32> -> tensor<64x64xf32>
    %acc_16 = arith.divf %offsetv_y#0, %acc_15 : tensor<64x64xf32>
    %m_ptrs = arith.muli %off_hz, %N_CTX : i32
    %m_ptrs_17 = tt.addptr %M, %m_ptrs : !tt.ptr<f32>, i32
    %m_ptrs_18 = tt.splat %m_ptrs_17 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %m_ptrs_19 = tt.addptr %m_ptrs_18, %offs_m_11 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %m_ptrs_19, %m_i_13 : tensor<64x!tt.ptr<f32>>
    %0 = arith.truncf %acc_16 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.descriptor_store %desc_o_5[%qo_offset_y_9, %c0_i32], %0 : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
    tt.return
  }
}
