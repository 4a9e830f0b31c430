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
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 21032 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @_attn_fwd(%arg0: f32, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg6: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg7: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %true = arith.constant true
    %c128_i64 = arith.constant 128 : i64
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant 1.44269502 : f32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma1>
    %c32_i32 = arith.constant 32 : i32
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_5 = arith.constant dense<0> : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.divsi %1, %arg3 : i32
    %3 = arith.remsi %1, %arg3 : i32
    %4 = arith.muli %arg2, %arg3 : i32
    %5 = arith.muli %4, %arg8 : i32
    %6 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %6, %arg4, [%c64_i32, %c64_i32], [%c64_i32, %5], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20480 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %6 {tk.warp = 0 : i32} : !tt.ptr<i8>
    %7 = ttng.reinterpret_tensor_descriptor %6 : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>
    %8 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %8, %arg6, [%c64_i32, %c32_i32], [%c64_i32, %5], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20608 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 1 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %8 {tk.warp = 1 : i32} : !tt.ptr<i8>
    %9 = ttng.reinterpret_tensor_descriptor %8 : !tt.ptr<i8> to !tt.tensordesc<tensor<32x64xf16, #shared>>
    %10 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %10, %arg5, [%c64_i32, %c32_i32], [%c64_i32, %5], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20736 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %10 {tk.warp = 2 : i32} : !tt.ptr<i8>
    %11 = ttng.reinterpret_tensor_descriptor %10 : !tt.ptr<i8> to !tt.tensordesc<tensor<32x64xf16, #shared>>
    %12 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %12, %arg7, [%c64_i32, %c64_i32], [%c64_i32, %5], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20864 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %12 {tk.warp = 3 : i32} : !tt.ptr<i8>
    %13 = ttng.reinterpret_tensor_descriptor %12 : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>
    %14 = arith.muli %arg8, %arg3 : i32
    %15 = arith.muli %2, %14 : i32
    %16 = arith.muli %3, %arg8 : i32
    %17 = arith.addi %15, %16 : i32
    %18 = arith.muli %0, %c64_i32 : i32
    %19 = arith.addi %17, %18 : i32
    %20 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %21 = tt.splat %18 : i32 -> tensor<64xi32, #blocked>
    %22 = arith.addi %21, %20 : tensor<64xi32, #blocked>
    %23 = arith.mulf %arg0, %cst : f32
    %24 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %25 = ttg.local_alloc {allocation.offset = 21008 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %26 = ttg.local_alloc {allocation.offset = 21024 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    %27 = ttg.memdesc_index %26[%c0_i32] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %28 = ttg.local_alloc {allocation.offset = 20992 : i32, tk.allocation_size = 16 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %29 = ttg.memdesc_index %28[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %30 = ttg.memdesc_index %28[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %25, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %27, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %29, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %30, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %25, 8192, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %7[%19, %c0_i32] %24, %25, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %31 = tt.splat %23 : f32 -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %32 = tt.splat %23 : f32 -> tensor<64x32xf32, #mma1>
    %33 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %34 = tt.expand_dims %33 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %35 = arith.cmpi eq, %34, %cst_5 : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %36 = tt.broadcast %35 : tensor<1x4xi1, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>
    %37 = arith.select %36, %cst_4, %cst_3 : tensor<64x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %38 = ttg.local_alloc {allocation.offset = 16384 : i32, tk.allocation_size = 4096 : i32} : () -> !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable>
    %39 = ttg.local_alloc {allocation.offset = 8192 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>
    %40 = arith.cmpi sgt, %arg8, %c0_i32 : i32
    ttng.barrier_expect %27, 4096, %40 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %41 = ttg.memdesc_index %38[%c0_i32] : !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %11[%17, %c0_i32] %41, %27, %40 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %29, 4096, %40 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %42 = ttg.memdesc_index %39[%c0_i32] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %9[%17, %c0_i32] %42, %29, %40 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %43 = arith.addi %17, %c32_i32 : i32
    %44 = arith.subi %arg8, %c32_i32 : i32
    ttng.wait_barrier %25, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %45:9 = scf.for %arg9 = %c0_i32 to %arg8 step %c32_i32 iter_args(%arg10 = %cst_0, %arg11 = %cst_2, %arg12 = %37, %arg13 = %c-1_i32, %arg14 = %c0_i32, %arg15 = %c-1_i32, %arg16 = %c0_i32, %arg17 = %c0_i32, %arg18 = %43) -> (tensor<64x64xf32, #mma>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, i32, i32, i32, i32, i32)  : i32 {
      %61 = arith.addi %arg13, %c1_i32 : i32
      %62 = arith.cmpi sge, %61, %c2_i32 : i32
      %63 = arith.xori %arg14, %c1_i32 : i32
      %64 = arith.select %62, %63, %arg14 : i32
      %65 = arith.select %62, %c0_i32, %61 : i32
      %66 = arith.addi %arg15, %c1_i32 : i32
      %67 = arith.cmpi sge, %66, %c1_i32 : i32
      %68 = arith.xori %arg16, %c1_i32 : i32
      %69 = arith.select %67, %68, %arg16 : i32
      %70 = arith.select %67, %c0_i32, %66 : i32
      %71 = ttg.memdesc_index %38[%70] : !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %72 = ttg.memdesc_trans %71 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
      %73 = ttg.memdesc_index %26[%70] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %73, %69 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %74 = ttng.warp_group_dot %24, %72, %cst_1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x32xf16, #shared2, #smem, mutable> -> tensor<64x32xf32, #mma1>
      %75:4 = ttng.warp_group_dot_wait %74, %24, %72, %arg10 {pendings = 0 : i32} : tensor<64x32xf32, #mma1>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, tensor<64x64xf32, #mma>
      %76 = "tt.reduce"(%75#0) <{axis = 1 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %109 = arith.maxnumf %arg19, %arg20 : f32
        tt.reduce.return %109 : f32
      }) : (tensor<64x32xf32, #mma1>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %77 = arith.mulf %76, %31 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %78 = arith.maxnumf %arg11, %77 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %79 = arith.mulf %75#0, %32 : tensor<64x32xf32, #mma1>
      %80 = tt.expand_dims %78 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #mma1>
      %81 = tt.broadcast %80 : tensor<64x1xf32, #mma1> -> tensor<64x32xf32, #mma1>
      %82 = arith.subf %79, %81 : tensor<64x32xf32, #mma1>
      %83 = math.exp2 %82 : tensor<64x32xf32, #mma1>
      %84 = arith.subf %arg11, %78 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %85 = math.exp2 %84 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %86 = tt.expand_dims %85 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #mma1>
      %87 = tt.broadcast %86 : tensor<64x1xf32, #mma1> -> tensor<64x64xf32, #mma>
      %88 = arith.mulf %75#3, %87 : tensor<64x64xf32, #mma>
      %89 = ttg.memdesc_index %39[%65] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %90 = arith.truncf %83 : tensor<64x32xf32, #mma1> to tensor<64x32xf16, #mma1>
      %91 = ttg.convert_layout %90 : tensor<64x32xf16, #mma1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %92 = ttg.memdesc_index %28[%65] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %92, %64 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %93 = ttng.warp_group_dot %91, %89, %88 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %94 = tt.reshape %83 : tensor<64x32xf32, #mma1> -> tensor<64x4x4x2xf32, #linear1>
      %95 = tt.trans %94 {order = array<i32: 0, 2, 1, 3>} : tensor<64x4x4x2xf32, #linear1> -> tensor<64x4x4x2xf32, #linear2>
      %96 = tt.reshape %95 : tensor<64x4x4x2xf32, #linear2> -> tensor<64x4x8xf32, #linear>
      %97 = "tt.reduce"(%96) <{axis = 2 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %109 = arith.addf %arg19, %arg20 : f32
        tt.reduce.return %109 : f32
      }) : (tensor<64x4x8xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %98 = tt.reshape %85 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %99 = tt.broadcast %98 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %100 = arith.mulf %arg12, %99 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %101 = arith.addf %100, %97 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %102 = arith.addi %arg17, %c1_i32 : i32
      %103 = arith.cmpi sge, %102, %c2_i32 : i32
      %104 = arith.select %103, %c0_i32, %102 : i32
      %105 = arith.cmpi slt, %arg9, %44 : i32
      gpu.barrier
      ttng.barrier_expect %27, 4096, %105 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.async_tma_copy_global_to_local %11[%arg18, %c0_i32] %41, %27, %105 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %106 = ttg.memdesc_index %28[%104] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.barrier_expect %106, 4096, %105 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %107 = ttg.memdesc_index %39[%104] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %9[%arg18, %c0_i32] %107, %106, %105 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %108 = arith.addi %arg18, %c32_i32 : i32
      scf.yield %93, %78, %101, %65, %64, %70, %69, %104, %108 : tensor<64x64xf32, #mma>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, i32, i32, i32, i32, i32
    } {tt.warp_specialize}
    %46 = ttng.warp_group_dot_wait %45#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    ttg.local_dealloc %39 : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %38 : !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable>
    %47 = "tt.reduce"(%45#2) <{axis = 1 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %61 = arith.addf %arg9, %arg10 : f32
      tt.reduce.return %61 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %48 = tt.reshape %47 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %49 = math.log2 %48 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %50 = arith.addf %45#1, %49 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    gpu.barrier
    %51 = ttg.convert_layout %50 {allocation.offset = 8192 : i32, tk.allocation_size = 256 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64xf32, #blocked>
    %52 = tt.expand_dims %48 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #mma1>
    %53 = tt.broadcast %52 : tensor<64x1xf32, #mma1> -> tensor<64x64xf32, #mma>
    %54 = arith.divf %46, %53 : tensor<64x64xf32, #mma>
    %55 = arith.muli %1, %arg8 : i32
    %56 = tt.addptr %arg1, %55 : !tt.ptr<f32>, i32
    %57 = tt.splat %56 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %58 = tt.addptr %57, %22 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %58, %51 {tk.vector = 1 : i32} : tensor<64x!tt.ptr<f32>, #blocked>
    %59 = arith.truncf %54 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %60 = ttg.local_alloc %59 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %13[%19, %c0_i32] %60 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.inval_barrier %27 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %29 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %30 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %28 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %26 : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %25 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
}

