// passes: tt,ttg,llvm
// warps: 8
// stages: 4
// counts: ttng.wait_barrier 4, ttng.arrive_barrier 1, ttng.async_tma_copy_global_to_local 9, gpu.barrier 3
module {
  tt.func public @_attn_fwd(%sm_scale: f32, %M: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %Z: i32, %H: i32 {tt.divisibility = 16 : i32}, %desc_q: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %desc_k: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %desc_v: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %desc_o: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %N_CTX: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %l_i = arith.constant dense<1.000000e+00> : tensor<128xf32>
    %m_i = arith.constant dense<0xFF800000> : tensor<128xf32>
    %c32_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %acc = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
    %c1_i64 = arith.constant 1 : i64
    %c64_i64 = arith.constant 64 : i64
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant 1.44269502 : f32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %start_m = tt.get_program_id x : i32
    %off_hz = tt.get_program_id y : i32
    %off_z = arith.divsi %off_hz, %H : i32
    %off_h = arith.remsi %off_hz, %H : i32
    %y_dim = arith.muli %Z, %H : i32
    %y_dim_1 = arith.muli %y_dim, %N_CTX : i32
    %desc_q_2 = tt.make_tensor_descriptor %desc_q, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %desc_v_3 = tt.make_tensor_descriptor %desc_v, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %desc_k_4 = tt.make_tensor_descriptor %desc_k, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %desc_o_5 = tt.make_tensor_descriptor %desc_o, [%y_dim_1, %c64_i32], [%c64_i64, %c1_i64] : <f16>, <tensor<128x64xf16>>
    %offset_y = arith.muli %N_CTX, %H : i32
    %offset_y_6 = arith.muli %off_z, %offset_y : i32
    %offset_y_7 = arith.muli %off_h, %N_CTX : i32
    %offset_y_8 = arith.addi %offset_y_6, %offset_y_7 : i32
    %qo_offset_y = arith.muli %start_m, %c128_i32 : i32
    %qo_offset_y_9 = arith.addi %offset_y_8, %qo_offset_y : i32
    %offs_m = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %offs_m_10 = tt.splat %qo_offset_y : i32 -> tensor<128xi32>
    %offs_m_11 = arith.addi %offs_m_10, %offs_m : tensor<128xi32>
    %qk_scale = arith.mulf %sm_scale, %cst_0 : f32
    %q = tt.descriptor_load %desc_q_2[%qo_offset_y_9, %c0_i32] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
    %offsetv_y:5 = scf.for %start_n = %c0_i32 to %N_CTX step %c32_i32 iter_args(%acc_20 = %acc, %l_i_21 = %l_i, %m_i_22 = %m_i, %offsetk_y = %offset_y_8, %offsetv_y_23 = %offset_y_8) -> (tensor<128x64xf32>, tensor<128xf32>, tensor<128xf32>, i32, i32)  : i32 {
      %k = tt.descriptor_load %desc_k_4[%offsetk_y, %c0_i32] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %k_24 = tt.trans %k {order = array<i32: 1, 0>} : tensor<128x64xf16> -> tensor<64x128xf16>
      %qk = tt.dot %q, %k_24, %cst, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      %m_ij = "tt.reduce"(%qk) <{axis = 1 : i32}> ({
      ^bb0(%m_ij_43: f32, %m_ij_44: f32):
        %m_ij_45 = arith.maxnumf %m_ij_43, %m_ij_44 : f32
        tt.reduce.return %m_ij_45 : f32
      }) : (tensor<128x128xf32>) -> tensor<128xf32>
      %m_ij_25 = tt.splat %qk_scale : f32 -> tensor<128xf32>
      %m_ij_26 = arith.mulf %m_ij, %m_ij_25 : tensor<128xf32>
      %m_ij_27 = arith.maxnumf %m_i_22, %m_ij_26 : tensor<128xf32>
      %qk_28 = tt.splat %qk_scale : f32 -> tensor<128x128xf32>
      %qk_29 = arith.mulf %qk, %qk_28 : tensor<128x128xf32>
      %qk_30 = tt.expand_dims %m_ij_27 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %qk_31 = tt.broadcast %qk_30 : tensor<128x1xf32> -> tensor<128x128xf32>
      %qk_32 = arith.subf %qk_29, %qk_31 : tensor<128x128xf32>
      %p = math.exp2 %qk_32 : tensor<128x128xf32>
      %alpha = arith.subf %m_i_22, %m_ij_27 : tensor<128xf32>
      %alpha_33 = math.exp2 %alpha : tensor<128xf32>
      %l_ij = "tt.reduce"(%p) <{axis = 1 : i32}> ({
      ^bb0(%l_ij_43: f32, %l_ij_44: f32):
        %l_ij_45 = arith.addf %l_ij_43, %l_ij_44 : f32
        tt.reduce.return %l_ij_45 : f32
      }) : (tensor<128x128xf32>) -> tensor<128xf32>
      %acc_34 = tt.expand_dims %alpha_33 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
      %acc_35 = tt.broadcast %acc_34 : tensor<128x1xf32> -> tensor<128x64xf32>
      %acc_36 = arith.mulf %acc_20, %acc_35 : tensor<128x64xf32>
      %v = tt.descriptor_load %desc_v_3[%offsetv_y_23, %c0_i32] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %p_37 = arith.truncf %p : tensor<128x128xf32> to tensor<128x128xf16>
      %acc_38 = tt.dot %p_37, %v, %acc_36, inputPrecision = tf32 : tensor<128x128xf16> * tensor<128x64xf16> -> tensor<128x64xf32>
      %l_i_39 = arith.mulf %l_i_21, %alpha_33 : tensor<128xf32>
      %l_i_40 = arith.addf %l_i_39, %l_ij : tensor<128xf32>
      %offsetk_y_41 = arith.addi %offsetk_y, %c32_i32 : i32
      %offsetv_y_42 = arith.addi %offsetv_y_23, %c32_i32 : i32
      scf.yield %acc_38, %l_i_40, %m_ij_27, %offsetk_y_41, %offsetv_y_42 : tensor<128x64xf32>, tensor<128xf32>, tensor<128xf32>, i32, i32
    } {tt.warp_specialize}
    %m_i_12 = math.log2 %offsetv_y#1 : tensor<128xf32>
    %m_i_13 = arith.addf %offsetv_y#2, %m_i_12 : tensor<128xf32>
    %acc_14 = tt.expand_dims %offsetv_y#1 {axis = 1 : i32} : tensor<128xf32> -> tensor<128x1xf32>
    %acc_15 = tt.broadcast %acc_14 : tensor<128x1xf32> -> tensor<128x64xf32>
    %acc_16 = arith.divf %offsetv_y#0, %acc_15 : tensor<128x64xf32>
    %m_ptrs = arith.muli %off_hz, %N_CTX : i32
    %m_ptrs_17 = tt.addptr %M, %m_ptrs : !tt.ptr<f32>, i32
    %m_ptrs_18 = tt.splat %m_ptrs_17 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %m_ptrs_19 = tt.addptr %m_ptrs_18, %offs_m_11 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %m_ptrs_19, %m_i_13 : tensor<128x!tt.ptr<f32>>
    %0 = arith.truncf %acc_16 : tensor<128x64xf32> to tensor<128x64xf16>
    tt.descriptor_store %desc_o_5[%qo_offset_y_9, %c0_i32], %0 : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4], [0, 0, 8], [0, 0, 16]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0], [64, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0], [0, 8, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0], [64, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0], [0, 0, 8, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0], [64, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 131672 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @_attn_fwd(%arg0: f32, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg6: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg7: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %true = arith.constant true
    %c128_i64 = arith.constant 128 : i64
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant 1.44269502 : f32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma1>
    %c128_i32 = arith.constant 128 : i32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_5 = arith.constant dense<0> : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %false = arith.constant false
    %c384_i32 = arith.constant 384 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %arg2, %arg3 : i32
    %3 = arith.muli %2, %arg8 : i32
    %4 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %4, %arg4, [%c64_i32, %c128_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 131072 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %4 {tk.warp = 0 : i32} : !tt.ptr<i8>
    %5 = ttng.reinterpret_tensor_descriptor %4 : !tt.ptr<i8> to !tt.tensordesc<tensor<128x64xf16, #shared>>
    %6 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %6, %arg6, [%c64_i32, %c128_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 131200 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 1 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %6 {tk.warp = 1 : i32} : !tt.ptr<i8>
    %7 = ttng.reinterpret_tensor_descriptor %6 : !tt.ptr<i8> to !tt.tensordesc<tensor<128x64xf16, #shared>>
    %8 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %8, %arg5, [%c64_i32, %c128_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 131328 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %8 {tk.warp = 2 : i32} : !tt.ptr<i8>
    %9 = ttng.reinterpret_tensor_descriptor %8 : !tt.ptr<i8> to !tt.tensordesc<tensor<128x64xf16, #shared>>
    %10 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %10, %arg7, [%c64_i32, %c128_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 131456 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %10 {tk.warp = 3 : i32} : !tt.ptr<i8>
    %11 = ttng.reinterpret_tensor_descriptor %10 : !tt.ptr<i8> to !tt.tensordesc<tensor<128x64xf16, #shared>>
    %12 = arith.muli %1, %arg8 : i32
    %13 = arith.muli %0, %c128_i32 : i32
    %14 = arith.addi %12, %13 : i32
    %15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %16 = tt.splat %13 : i32 -> tensor<128xi32, #blocked>
    %17 = arith.addi %16, %15 : tensor<128xi32, #blocked>
    %18 = arith.mulf %arg0, %cst : f32
    %19 = ttg.local_alloc {allocation.offset = 114688 : i32, tk.allocation_size = 16384 : i32} : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %20 = ttg.local_alloc {allocation.offset = 131648 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %21 = ttg.local_alloc {allocation.offset = 131616 : i32, tk.allocation_size = 24 : i32} : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    %22 = ttg.memdesc_index %21[%c0_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %23 = ttg.memdesc_index %21[%c1_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %24 = ttg.memdesc_index %21[%c2_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %25 = ttg.local_alloc {allocation.offset = 131584 : i32, tk.allocation_size = 32 : i32} : () -> !ttg.memdesc<4x1xi64, #shared1, #smem, mutable>
    %26 = ttg.memdesc_index %25[%c0_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %27 = ttg.memdesc_index %25[%c1_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %28 = ttg.memdesc_index %25[%c2_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %29 = ttg.memdesc_index %25[%c3_i32] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %30 = ttg.local_alloc {allocation.offset = 131664 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %20, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %22, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %23, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %24, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %26, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %27, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %28, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %29, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %30, 8 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %20, 16384, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %5[%14, %c0_i32] %19, %20, %true : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %31 = tt.splat %18 : f32 -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %32 = tt.splat %18 : f32 -> tensor<128x128xf32, #mma1>
    %33 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %34 = tt.expand_dims %33 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %35 = arith.cmpi eq, %34, %cst_5 : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %36 = tt.broadcast %35 : tensor<1x4xi1, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>
    %37 = arith.select %36, %cst_4, %cst_3 : tensor<128x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %38 = ttg.local_alloc {allocation.offset = 65536 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %39 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %40 = arith.cmpi sgt, %arg8, %c0_i32 : i32
    ttng.barrier_expect %22, 16384, %40 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %41 = ttg.memdesc_index %38[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %9[%12, %c0_i32] %41, %22, %40 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %26, 16384, %40 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %42 = ttg.memdesc_index %39[%c0_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %7[%12, %c0_i32] %42, %26, %40 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %43 = arith.addi %12, %c128_i32 : i32
    %44 = arith.cmpi sgt, %arg8, %c128_i32 : i32
    ttng.barrier_expect %23, 16384, %44 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %45 = ttg.memdesc_index %38[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %9[%43, %c0_i32] %45, %23, %44 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %27, 16384, %44 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %46 = ttg.memdesc_index %39[%c1_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %7[%43, %c0_i32] %46, %27, %44 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %47 = arith.addi %12, %c256_i32 : i32
    %48 = arith.cmpi sgt, %arg8, %c256_i32 : i32
    ttng.barrier_expect %24, 16384, %48 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %49 = ttg.memdesc_index %38[%c2_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %9[%47, %c0_i32] %49, %24, %48 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %28, 16384, %48 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %50 = ttg.memdesc_index %39[%c2_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %7[%47, %c0_i32] %50, %28, %48 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %51 = arith.addi %12, %c384_i32 : i32
    %52 = arith.subi %arg8, %c384_i32 : i32
    ttng.wait_barrier %20, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %53:16 = scf.for %arg9 = %c0_i32 to %arg8 step %c128_i32 iter_args(%arg10 = %cst_0, %arg11 = %cst_2, %arg12 = %37, %arg13 = %c-1_i32, %arg14 = %c0_i32, %arg15 = %c-1_i32, %arg16 = %c0_i32, %arg17 = %c2_i32, %arg18 = %c2_i32, %arg19 = %51, %arg20 = %c0_i32, %arg21 = %c0_i32, %arg22 = %c1_i32, %arg23 = %false, %arg24 = %c0_i32, %arg25 = %c0_i32) -> (tensor<128x64xf32, #mma>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i32, i32)  : i32 {
      %68 = arith.addi %arg13, %c1_i32 : i32
      %69 = arith.cmpi sge, %68, %c4_i32 : i32
      %70 = arith.xori %arg14, %c1_i32 : i32
      %71 = arith.select %69, %70, %arg14 : i32
      %72 = arith.select %69, %c0_i32, %68 : i32
      %73 = arith.addi %arg15, %c1_i32 : i32
      %74 = arith.cmpi sge, %73, %c3_i32 : i32
      %75 = arith.xori %arg16, %c1_i32 : i32
      %76 = arith.select %74, %75, %arg16 : i32
      %77 = arith.select %74, %c0_i32, %73 : i32
      %78 = ttg.memdesc_index %38[%77] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %79 = ttg.memdesc_trans %78 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>
      %80 = ttg.memdesc_index %21[%77] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %80, %76 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %81 = ttng.warp_group_dot %19, %79, %cst_1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x128xf16, #shared2, #smem, mutable> -> tensor<128x128xf32, #mma1>
      %82 = ttg.memdesc_index %21[%arg21] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %30, %arg22 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.barrier_expect %82, 16384 {tk.ordered}, %arg23 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %83 = ttg.memdesc_index %38[%arg21] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %9[%arg24, %c0_i32] %83, %82, %arg23 {tk.ordered} : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %84 = ttg.memdesc_index %25[%arg25] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.barrier_expect %84, 16384 {tk.ordered}, %arg23 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %85 = ttg.memdesc_index %39[%arg25] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %7[%arg24, %c0_i32] %85, %84, %arg23 {tk.ordered} : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %86:4 = ttng.warp_group_dot_wait %81, %19, %79, %arg10 {pendings = 0 : i32} : tensor<128x128xf32, #mma1>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared2, #smem, mutable>, tensor<128x64xf32, #mma>
      ttng.arrive_barrier %30, 1 {tk.each_warp} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %87 = "tt.reduce"(%86#0) <{axis = 1 : i32}> ({
      ^bb0(%arg26: f32, %arg27: f32):
        %122 = arith.maxnumf %arg26, %arg27 : f32
        tt.reduce.return %122 : f32
      }) : (tensor<128x128xf32, #mma1>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %88 = ttg.memdesc_index %25[%72] : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %88, %71 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %89 = arith.mulf %87, %31 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %90 = arith.maxnumf %arg11, %89 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %91 = arith.mulf %86#0, %32 : tensor<128x128xf32, #mma1>
      %92 = tt.expand_dims %90 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<128x1xf32, #mma1>
      %93 = tt.broadcast %92 : tensor<128x1xf32, #mma1> -> tensor<128x128xf32, #mma1>
      %94 = arith.subf %91, %93 : tensor<128x128xf32, #mma1>
      %95 = math.exp2 %94 : tensor<128x128xf32, #mma1>
      %96 = arith.subf %arg11, %90 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %97 = math.exp2 %96 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %98 = tt.expand_dims %97 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<128x1xf32, #mma1>
      %99 = tt.broadcast %98 : tensor<128x1xf32, #mma1> -> tensor<128x64xf32, #mma>
      %100 = arith.mulf %86#3, %99 : tensor<128x64xf32, #mma>
      %101 = ttg.memdesc_index %39[%72] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %102 = arith.truncf %95 : tensor<128x128xf32, #mma1> to tensor<128x128xf16, #mma1>
      %103 = ttg.convert_layout %102 : tensor<128x128xf16, #mma1> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %104 = ttng.warp_group_dot %103, %101, %100 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %105 = tt.reshape %95 : tensor<128x128xf32, #mma1> -> tensor<128x16x4x2xf32, #linear1>
      %106 = tt.trans %105 {order = array<i32: 0, 2, 1, 3>} : tensor<128x16x4x2xf32, #linear1> -> tensor<128x4x16x2xf32, #linear2>
      %107 = tt.reshape %106 : tensor<128x4x16x2xf32, #linear2> -> tensor<128x4x32xf32, #linear>
      %108 = "tt.reduce"(%107) <{axis = 2 : i32}> ({
      ^bb0(%arg26: f32, %arg27: f32):
        %122 = arith.addf %arg26, %arg27 : f32
        tt.reduce.return %122 : f32
      }) : (tensor<128x4x32xf32, #linear>) -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %109 = tt.reshape %97 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %110 = tt.broadcast %109 : tensor<128x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %111 = arith.mulf %arg12, %110 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %112 = arith.addf %111, %108 : tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %113 = arith.addi %arg17, %c1_i32 : i32
      %114 = arith.cmpi sge, %113, %c4_i32 : i32
      %115 = arith.select %114, %c0_i32, %113 : i32
      %116 = arith.addi %arg18, %c1_i32 : i32
      %117 = arith.cmpi sge, %116, %c3_i32 : i32
      %118 = arith.select %117, %c0_i32, %116 : i32
      %119 = arith.cmpi slt, %arg9, %52 : i32
      %120 = arith.xori %arg20, %c1_i32 : i32
      %121 = arith.addi %arg19, %c128_i32 : i32
      scf.yield %104, %90, %112, %72, %71, %77, %76, %115, %118, %121, %120, %118, %arg20, %119, %arg19, %115 : tensor<128x64xf32, #mma>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>, tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i1, i32, i32
    } {tt.warp_specialize}
    %54 = ttng.warp_group_dot_wait %53#0 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
    ttg.local_dealloc %39 : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %38 : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %55 = "tt.reduce"(%53#2) <{axis = 1 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %68 = arith.addf %arg9, %arg10 : f32
      tt.reduce.return %68 : f32
    }) : (tensor<128x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %56 = tt.reshape %55 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %57 = math.log2 %56 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %58 = arith.addf %53#1, %57 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    gpu.barrier
    %59 = ttg.convert_layout %58 {allocation.offset = 16384 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<128xf32, #blocked>
    %60 = tt.expand_dims %56 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<128x1xf32, #mma1>
    %61 = tt.broadcast %60 : tensor<128x1xf32, #mma1> -> tensor<128x64xf32, #mma>
    %62 = arith.divf %54, %61 : tensor<128x64xf32, #mma>
    %63 = tt.addptr %arg1, %12 : !tt.ptr<f32>, i32
    %64 = tt.splat %63 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %65 = tt.addptr %64, %17 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %65, %59 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked>
    %66 = arith.truncf %62 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
    %67 = ttg.local_alloc %66 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : (tensor<128x64xf16, #mma>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %11[%14, %c0_i32] %67 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<128x64xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.inval_barrier %30 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %22 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %23 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %24 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %26 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %27 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %28 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %29 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %25 : !ttg.memdesc<4x1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %21 : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %20 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
}

