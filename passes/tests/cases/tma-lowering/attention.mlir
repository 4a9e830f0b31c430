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
    %2 = arith.muli %arg2, %arg3 : i32
    %3 = arith.muli %2, %arg8 : i32
    %4 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %4, %arg4, [%c64_i32, %c64_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20480 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %4 {tk.warp = 0 : i32} : !tt.ptr<i8>
    %5 = ttng.reinterpret_tensor_descriptor %4 : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>
    %6 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %6, %arg6, [%c64_i32, %c32_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20608 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 1 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %6 {tk.warp = 1 : i32} : !tt.ptr<i8>
    %7 = ttng.reinterpret_tensor_descriptor %6 : !tt.ptr<i8> to !tt.tensordesc<tensor<32x64xf16, #shared>>
    %8 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %8, %arg5, [%c64_i32, %c32_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20736 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 2 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %8 {tk.warp = 2 : i32} : !tt.ptr<i8>
    %9 = ttng.reinterpret_tensor_descriptor %8 : !tt.ptr<i8> to !tt.tensordesc<tensor<32x64xf16, #shared>>
    %10 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %10, %arg7, [%c64_i32, %c64_i32], [%c64_i32, %3], [%c128_i64], [%c1_i32, %c1_i32] {allocation.offset = 20864 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %10 {tk.warp = 3 : i32} : !tt.ptr<i8>
    %11 = ttng.reinterpret_tensor_descriptor %10 : !tt.ptr<i8> to !tt.tensordesc<tensor<64x64xf16, #shared>>
    %12 = arith.muli %1, %arg8 : i32
    %13 = arith.muli %0, %c64_i32 : i32
    %14 = arith.addi %12, %13 : i32
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %16 = tt.splat %13 : i32 -> tensor<64xi32, #blocked>
    %17 = arith.addi %16, %15 : tensor<64xi32, #blocked>
    %18 = arith.mulf %arg0, %cst : f32
    %19 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %20 = ttg.local_alloc {allocation.offset = 21008 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %21 = ttg.local_alloc {allocation.offset = 21024 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    %22 = ttg.memdesc_index %21[%c0_i32] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %23 = ttg.local_alloc {allocation.offset = 20992 : i32, tk.allocation_size = 16 : i32} : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %24 = ttg.memdesc_index %23[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %25 = ttg.memdesc_index %23[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %20, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %22, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %24, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %25, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %20, 8192, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %5[%14, %c0_i32] %19, %20, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %26 = tt.splat %18 : f32 -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %27 = tt.splat %18 : f32 -> tensor<64x32xf32, #mma1>
    %28 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %29 = tt.expand_dims %28 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %30 = arith.cmpi eq, %29, %cst_5 : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %31 = tt.broadcast %30 : tensor<1x4xi1, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>
    %32 = arith.select %31, %cst_4, %cst_3 : tensor<64x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %33 = ttg.local_alloc {allocation.offset = 16384 : i32, tk.allocation_size = 4096 : i32} : () -> !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable>
    %34 = ttg.local_alloc {allocation.offset = 8192 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>
    %35 = arith.cmpi sgt, %arg8, %c0_i32 : i32
    ttng.barrier_expect %22, 4096, %35 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %36 = ttg.memdesc_index %33[%c0_i32] : !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %9[%12, %c0_i32] %36, %22, %35 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.barrier_expect %24, 4096, %35 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %37 = ttg.memdesc_index %34[%c0_i32] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %7[%12, %c0_i32] %37, %24, %35 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %38 = arith.addi %12, %c32_i32 : i32
    %39 = arith.subi %arg8, %c32_i32 : i32
    ttng.wait_barrier %20, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %40:9 = scf.for %arg9 = %c0_i32 to %arg8 step %c32_i32 iter_args(%arg10 = %cst_0, %arg11 = %cst_2, %arg12 = %32, %arg13 = %c-1_i32, %arg14 = %c0_i32, %arg15 = %c-1_i32, %arg16 = %c0_i32, %arg17 = %c0_i32, %arg18 = %38) -> (tensor<64x64xf32, #mma>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, i32, i32, i32, i32, i32)  : i32 {
      %55 = arith.addi %arg13, %c1_i32 : i32
      %56 = arith.cmpi sge, %55, %c2_i32 : i32
      %57 = arith.xori %arg14, %c1_i32 : i32
      %58 = arith.select %56, %57, %arg14 : i32
      %59 = arith.select %56, %c0_i32, %55 : i32
      %60 = arith.addi %arg15, %c1_i32 : i32
      %61 = arith.cmpi sge, %60, %c1_i32 : i32
      %62 = arith.xori %arg16, %c1_i32 : i32
      %63 = arith.select %61, %62, %arg16 : i32
      %64 = arith.select %61, %c0_i32, %60 : i32
      %65 = ttg.memdesc_index %33[%64] : !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %66 = ttg.memdesc_trans %65 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
      %67 = ttg.memdesc_index %21[%64] : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %67, %63 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %68 = ttng.warp_group_dot %19, %66, %cst_1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x32xf16, #shared2, #smem, mutable> -> tensor<64x32xf32, #mma1>
      %69:4 = ttng.warp_group_dot_wait %68, %19, %66, %arg10 {pendings = 0 : i32} : tensor<64x32xf32, #mma1>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, tensor<64x64xf32, #mma>
      %70 = "tt.reduce"(%69#0) <{axis = 1 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %103 = arith.maxnumf %arg19, %arg20 : f32
        tt.reduce.return %103 : f32
      }) : (tensor<64x32xf32, #mma1>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %71 = arith.mulf %70, %26 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %72 = arith.maxnumf %arg11, %71 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %73 = arith.mulf %69#0, %27 : tensor<64x32xf32, #mma1>
      %74 = tt.expand_dims %72 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #mma1>
      %75 = tt.broadcast %74 : tensor<64x1xf32, #mma1> -> tensor<64x32xf32, #mma1>
      %76 = arith.subf %73, %75 : tensor<64x32xf32, #mma1>
      %77 = math.exp2 %76 : tensor<64x32xf32, #mma1>
      %78 = arith.subf %arg11, %72 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %79 = math.exp2 %78 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
      %80 = tt.expand_dims %79 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #mma1>
      %81 = tt.broadcast %80 : tensor<64x1xf32, #mma1> -> tensor<64x64xf32, #mma>
      %82 = arith.mulf %69#3, %81 : tensor<64x64xf32, #mma>
      %83 = ttg.memdesc_index %34[%59] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %84 = arith.truncf %77 : tensor<64x32xf32, #mma1> to tensor<64x32xf16, #mma1>
      %85 = ttg.convert_layout %84 : tensor<64x32xf16, #mma1> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %86 = ttg.memdesc_index %23[%59] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %86, %58 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %87 = ttng.warp_group_dot %85, %83, %82 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %88 = tt.reshape %77 : tensor<64x32xf32, #mma1> -> tensor<64x4x4x2xf32, #linear1>
      %89 = tt.trans %88 {order = array<i32: 0, 2, 1, 3>} : tensor<64x4x4x2xf32, #linear1> -> tensor<64x4x4x2xf32, #linear2>
      %90 = tt.reshape %89 : tensor<64x4x4x2xf32, #linear2> -> tensor<64x4x8xf32, #linear>
      %91 = "tt.reduce"(%90) <{axis = 2 : i32}> ({
      ^bb0(%arg19: f32, %arg20: f32):
        %103 = arith.addf %arg19, %arg20 : f32
        tt.reduce.return %103 : f32
      }) : (tensor<64x4x8xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %92 = tt.reshape %79 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %93 = tt.broadcast %92 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %94 = arith.mulf %arg12, %93 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %95 = arith.addf %94, %91 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %96 = arith.addi %arg17, %c1_i32 : i32
      %97 = arith.cmpi sge, %96, %c2_i32 : i32
      %98 = arith.select %97, %c0_i32, %96 : i32
      %99 = arith.cmpi slt, %arg9, %39 : i32
      gpu.barrier
      ttng.barrier_expect %22, 4096, %99 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.async_tma_copy_global_to_local %9[%arg18, %c0_i32] %36, %22, %99 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %100 = ttg.memdesc_index %23[%98] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.barrier_expect %100, 4096, %99 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %101 = ttg.memdesc_index %34[%98] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %7[%arg18, %c0_i32] %101, %100, %99 : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %102 = arith.addi %arg18, %c32_i32 : i32
      scf.yield %87, %72, %95, %59, %58, %64, %63, %98, %102 : tensor<64x64xf32, #mma>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>, i32, i32, i32, i32, i32, i32
    } {tt.warp_specialize}
    %41 = ttng.warp_group_dot_wait %40#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
    ttg.local_dealloc %34 : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %33 : !ttg.memdesc<1x32x64xf16, #shared, #smem, mutable>
    %42 = "tt.reduce"(%40#2) <{axis = 1 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %55 = arith.addf %arg9, %arg10 : f32
      tt.reduce.return %55 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %43 = tt.reshape %42 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %44 = math.log2 %43 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %45 = arith.addf %40#1, %44 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    gpu.barrier
    %46 = ttg.convert_layout %45 {allocation.offset = 8192 : i32, tk.allocation_size = 256 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64xf32, #blocked>
    %47 = tt.expand_dims %43 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<64x1xf32, #mma1>
    %48 = tt.broadcast %47 : tensor<64x1xf32, #mma1> -> tensor<64x64xf32, #mma>
    %49 = arith.divf %41, %48 : tensor<64x64xf32, #mma>
    %50 = tt.addptr %arg1, %12 : !tt.ptr<f32>, i32
    %51 = tt.splat %50 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %52 = tt.addptr %51, %17 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %52, %46 {tk.vector = 1 : i32} : tensor<64x!tt.ptr<f32>, #blocked>
    %53 = arith.truncf %49 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %54 = ttg.local_alloc %53 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %11[%14, %c0_i32] %54 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.inval_barrier %22 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %24 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %25 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %23 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %21 : !ttg.memdesc<1x1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %20 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
}

