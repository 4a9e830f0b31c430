// passes: tt,ttg,llvm
// warps: 8
// stages: 3
// counts: gpu.barrier 6
module {
  tt.func public @backward_kernel(%q_desc: !tt.tensordesc<tensor<64x128xbf16>>, %q_desc_0: i32, %q_desc_1: i32, %q_desc_2: i64, %q_desc_3: i64, %k_desc: !tt.tensordesc<tensor<128x128xbf16>>, %k_desc_4: i32, %k_desc_5: i32, %k_desc_6: i64, %k_desc_7: i64, %v_desc: !tt.tensordesc<tensor<128x128xbf16>>, %v_desc_8: i32, %v_desc_9: i32, %v_desc_10: i64, %v_desc_11: i64, %grad_desc: !tt.tensordesc<tensor<64x128xbf16>>, %grad_desc_12: i32, %grad_desc_13: i32, %grad_desc_14: i64, %grad_desc_15: i64, %dq_desc: !tt.tensordesc<tensor<64x128xf32>>, %dq_desc_16: i32, %dq_desc_17: i32, %dq_desc_18: i64, %dq_desc_19: i64, %dk_desc: !tt.tensordesc<tensor<128x128xbf16>>, %dk_desc_20: i32, %dk_desc_21: i32, %dk_desc_22: i64, %dk_desc_23: i64, %dv_desc: !tt.tensordesc<tensor<128x128xbf16>>, %dv_desc_24: i32, %dv_desc_25: i32, %dv_desc_26: i64, %dv_desc_27: i64, %lse_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %delta_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %n_ctx: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c128_i32 = arith.constant 128 : i32
    %start_n = arith.muli %0, %c128_i32 : i32
    %head = tt.get_program_id y : i32
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %2 = tt.splat %start_n : i32 -> tensor<128xi32>
    %keys = arith.addi %2, %1 : tensor<128xi32>
    %3 = arith.muli %head, %n_ctx : i32
    %row_n = arith.addi %3, %start_n : i32
    %c0_i32 = arith.constant 0 : i32
    %k = tt.descriptor_load %k_desc[%row_n, %c0_i32] : !tt.tensordesc<tensor<128x128xbf16>> -> tensor<128x128xbf16>
    %c0_i32_28 = arith.constant 0 : i32
    %v = tt.descriptor_load %v_desc[%row_n, %c0_i32_28] : !tt.tensordesc<tensor<128x128xbf16>> -> tensor<128x128xbf16>
    %dk = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %dv = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c0_i32_29 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_30 = arith.constant 1 : i32
    %dk_31:2 = scf.for %dk_34 = %c0_i32_29 to %c1_i32 step %c1_i32_30 iter_args(%dk_35 = %dk, %dk_36 = %dv) -> (tensor<128x128xf32>, tensor<128x128xf32>)  : i32 {
      %c1_i32_37 = arith.constant 1 : i32
      %9 = arith.muli %head, %c1_i32_37 : i32
      %10 = arith.addi %9, %dk_34 : i32
      %first_row = arith.muli %10, %n_ctx : i32
      %whole = arith.constant 0 : i32
      %offs_m = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %c64_i32 = arith.constant 64 : i32
      %dv_38:2 = scf.for %dv_39 = %whole to %n_ctx step %c64_i32 iter_args(%dv_40 = %dk_36, %dv_41 = %dk_35) -> (tensor<128x128xf32>, tensor<128x128xf32>)  : i32 {
        %row = arith.addi %first_row, %dv_39 : i32
        %c0_i32_42 = arith.constant 0 : i32
        %q = tt.descriptor_load %q_desc[%row, %c0_i32_42] : !tt.tensordesc<tensor<64x128xbf16>> -> tensor<64x128xbf16>
        %11 = tt.trans %q {order = array<i32: 1, 0>} : tensor<64x128xbf16> -> tensor<128x64xbf16>
        %cst_43 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
        %scores = tt.dot %k, %11, %cst_43, inputPrecision = tf32 : tensor<128x128xbf16> * tensor<128x64xbf16> -> tensor<128x64xf32>
        %12 = tt.addptr %lse_ptr, %row : !tt.ptr<f32>, i32
        %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %14 = tt.addptr %13, %offs_m : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %lse = tt.load %14 : tensor<64x!tt.ptr<f32>>
        %15 = tt.splat %scale : f32 -> tensor<128x64xf32>
        %16 = arith.mulf %scores, %15 : tensor<128x64xf32>
        %17 = tt.expand_dims %lse {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %18 = tt.broadcast %17 : tensor<1x64xf32> -> tensor<128x64xf32>
        %19 = arith.subf %16, %18 : tensor<128x64xf32>
        %p = math.exp2 %19 : tensor<128x64xf32>
        %c0_i32_44 = arith.constant 0 : i32
        %grad = tt.descriptor_load %grad_desc[%row, %c0_i32_44] : !tt.tensordesc<tensor<64x128xbf16>> -> tensor<64x128xbf16>
        %20 = tt.trans %grad {order = array<i32: 1, 0>} : tensor<64x128xbf16> -> tensor<128x64xbf16>
        %cst_45 = arith.constant dense<0.000000e+00> : tensor<128x64xf32>
        %dp = tt.dot %v, %20, %cst_45, inputPrecision = tf32 : tensor<128x128xbf16> * tensor<128x64xbf16> -> tensor<128x64xf32>
        %21 = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xbf16>
        %dv_46 = tt.dot %21, %grad, %dv_40, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
        %22 = tt.addptr %delta_ptr, %row : !tt.ptr<f32>, i32
        %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %24 = tt.addptr %23, %offs_m : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %delta = tt.load %24 : tensor<64x!tt.ptr<f32>>
        %25 = tt.expand_dims %delta {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %26 = tt.broadcast %25 : tensor<1x64xf32> -> tensor<128x64xf32>
        %27 = arith.subf %dp, %26 : tensor<128x64xf32>
        %28 = arith.mulf %p, %27 : tensor<128x64xf32>
        %ds = arith.truncf %28 : tensor<128x64xf32> to tensor<128x64xbf16>
        %dk_47 = tt.dot %ds, %q, %dv_41, inputPrecision = tf32 : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
        %29 = tt.trans %ds {order = array<i32: 1, 0>} : tensor<128x64xbf16> -> tensor<64x128xbf16>
        %cst_48 = arith.constant dense<0.000000e+00> : tensor<64x128xf32>
        %dq = tt.dot %29, %k, %cst_48, inputPrecision = tf32 : tensor<64x128xbf16> * tensor<128x128xbf16> -> tensor<64x128xf32>
        %c0_i32_49 = arith.constant 0 : i32
        tt.descriptor_reduce add, %dq_desc[%row, %c0_i32_49], %dq : !tt.tensordesc<tensor<64x128xf32>>, tensor<64x128xf32>
        scf.yield %dv_46, %dk_47 : tensor<128x128xf32>, tensor<128x128xf32>
      } {tt.num_stages = 2 : i32}
      scf.yield %dv_38#1, %dv_38#0 : tensor<128x128xf32>, tensor<128x128xf32>
    }
    %4 = arith.truncf %dk_31#1 : tensor<128x128xf32> to tensor<128x128xbf16>
    %c0_i32_32 = arith.constant 0 : i32
    tt.descriptor_store %dv_desc[%row_n, %c0_i32_32], %4 : !tt.tensordesc<tensor<128x128xbf16>>, tensor<128x128xbf16>
    %cst = arith.constant 0.693147182 : f32
    %5 = arith.mulf %scale, %cst : f32
    %6 = tt.splat %5 : f32 -> tensor<128x128xf32>
    %7 = arith.mulf %dk_31#0, %6 : tensor<128x128xf32>
    %8 = arith.truncf %7 : tensor<128x128xf32> to tensor<128x128xbf16>
    %c0_i32_33 = arith.constant 0 : i32
    tt.descriptor_store %dk_desc[%row_n, %c0_i32_33], %8 : !tt.tensordesc<tensor<128x128xbf16>>, tensor<128x128xbf16>
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 180296 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @backward_kernel(%arg0: !tt.tensordesc<tensor<64x128xbf16, #shared>>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: i64, %arg5: !tt.tensordesc<tensor<128x128xbf16, #shared>>, %arg6: i32, %arg7: i32, %arg8: i64, %arg9: i64, %arg10: !tt.tensordesc<tensor<128x128xbf16, #shared>>, %arg11: i32, %arg12: i32, %arg13: i64, %arg14: i64, %arg15: !tt.tensordesc<tensor<64x128xbf16, #shared>>, %arg16: i32, %arg17: i32, %arg18: i64, %arg19: i64, %arg20: !tt.tensordesc<tensor<64x128xf32, #shared1>>, %arg21: i32, %arg22: i32, %arg23: i64, %arg24: i64, %arg25: !tt.tensordesc<tensor<128x128xbf16, #shared>>, %arg26: i32, %arg27: i32, %arg28: i64, %arg29: i64, %arg30: !tt.tensordesc<tensor<128x128xbf16, #shared>>, %arg31: i32, %arg32: i32, %arg33: i64, %arg34: i64, %arg35: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg36: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg37: f32, %arg38: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %true = arith.constant true
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma2>
    %cst_2 = arith.constant 0.693147182 : f32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.muli %2, %arg38 : i32
    %4 = arith.addi %3, %1 : i32
    %5 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<128x128xbf16, #shared, #smem, mutable>
    %6 = ttg.local_alloc {allocation.offset = 180256 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %7 = ttg.local_alloc {allocation.offset = 180272 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %8 = ttg.local_alloc {allocation.offset = 180224 : i32, tk.allocation_size = 16 : i32} : () -> !ttg.memdesc<2x1xi64, #shared2, #smem, mutable>
    %9 = ttg.memdesc_index %8[%c0_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %10 = ttg.memdesc_index %8[%c1_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %11 = ttg.local_alloc {allocation.offset = 180240 : i32, tk.allocation_size = 16 : i32} : () -> !ttg.memdesc<2x1xi64, #shared2, #smem, mutable>
    %12 = ttg.memdesc_index %11[%c0_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %13 = ttg.memdesc_index %11[%c1_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %14 = ttg.local_alloc {allocation.offset = 180288 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %6, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %7, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %9, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %10, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %12, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %13, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %14, 8 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %6, 32768, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg5[%4, %c0_i32] %5, %6, %true : !tt.tensordesc<tensor<128x128xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<128x128xbf16, #shared, #smem, mutable>
    %15 = ttg.local_alloc {allocation.offset = 32768 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<128x128xbf16, #shared, #smem, mutable>
    ttng.barrier_expect %7, 32768, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg10[%4, %c0_i32] %15, %7, %true : !tt.tensordesc<tensor<128x128xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<128x128xbf16, #shared, #smem, mutable>
    %16 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma1}>>
    %17 = tt.splat %arg37 : f32 -> tensor<128x64xf32, #mma1>
    %18 = ttg.local_alloc {allocation.offset = 65536 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable>
    %19 = ttg.local_alloc {allocation.offset = 98304 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable>
    %20 = arith.cmpi sgt, %arg38, %c0_i32 : i32
    ttng.barrier_expect %9, 16384, %20 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %21 = ttg.memdesc_index %18[%c0_i32] : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%3, %c0_i32] %21, %9, %20 : !tt.tensordesc<tensor<64x128xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
    %22 = tt.addptr %arg35, %3 : !tt.ptr<f32>, i32
    %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
    %24 = tt.addptr %23, %16 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma1}>>
    %25 = tt.splat %20 : i1 -> tensor<64xi1, #ttg.slice<{dim = 0, parent = #mma1}>>
    %26 = tt.load %24, %25 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
    ttng.barrier_expect %12, 16384, %20 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %27 = ttg.memdesc_index %19[%c0_i32] : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg15[%3, %c0_i32] %27, %12, %20 : !tt.tensordesc<tensor<64x128xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
    %28 = tt.addptr %arg36, %3 : !tt.ptr<f32>, i32
    %29 = tt.splat %28 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
    %30 = tt.addptr %29, %16 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma1}>>
    %31 = tt.load %30, %25 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
    %32 = arith.subi %arg38, %c64_i32 : i32
    %33 = ttg.local_alloc {allocation.offset = 131072 : i32, tk.allocation_size = 32768 : i32} : () -> !ttg.memdesc<64x128xf32, #shared1, #smem, mutable>
    ttng.wait_barrier %7, %c0_i32 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %6, %c0_i32 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %34:9 = scf.for %arg39 = %c0_i32 to %arg38 step %c64_i32 iter_args(%arg40 = %cst, %arg41 = %cst, %arg42 = %c-1_i32, %arg43 = %c0_i32, %arg44 = %26, %arg45 = %31, %arg46 = %3, %arg47 = %c0_i32, %arg48 = %c0_i32) -> (tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>, i32, i32, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma1}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma1}>>, i32, i32, i32)  : i32 {
      %43 = arith.addi %arg42, %c1_i32 : i32
      %44 = arith.cmpi sge, %43, %c2_i32 : i32
      %45 = arith.xori %arg43, %c1_i32 : i32
      %46 = arith.select %44, %45, %arg43 : i32
      %47 = arith.select %44, %c0_i32, %43 : i32
      %48 = ttg.memdesc_index %18[%47] : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
      %49 = ttg.memdesc_trans %48 {order = array<i32: 1, 0>} : !ttg.memdesc<64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared3, #smem, mutable>
      %50 = ttg.memdesc_index %8[%47] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %50, %46 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %51 = ttng.warp_group_dot %5, %49, %cst_0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xbf16, #shared, #smem, mutable> * !ttg.memdesc<128x64xbf16, #shared3, #smem, mutable> -> tensor<128x64xf32, #mma1>
      %52:5 = ttng.warp_group_dot_wait %51, %5, %49, %arg40, %arg41 {pendings = 0 : i32} : tensor<128x64xf32, #mma1>, !ttg.memdesc<128x128xbf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xbf16, #shared3, #smem, mutable>, tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>
      ttng.arrive_barrier %14, 1 {tk.each_warp} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %53 = arith.mulf %52#0, %17 : tensor<128x64xf32, #mma1>
      %54 = tt.expand_dims %arg44 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma1}>> -> tensor<1x64xf32, #mma1>
      %55 = tt.broadcast %54 : tensor<1x64xf32, #mma1> -> tensor<128x64xf32, #mma1>
      %56 = arith.subf %53, %55 : tensor<128x64xf32, #mma1>
      %57 = math.exp2 %56 : tensor<128x64xf32, #mma1>
      %58 = ttg.memdesc_index %19[%47] : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
      %59 = ttg.memdesc_trans %58 {order = array<i32: 1, 0>} : !ttg.memdesc<64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared3, #smem, mutable>
      %60 = ttg.memdesc_index %11[%47] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %60, %46 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %61 = ttng.warp_group_dot %15, %59, %cst_0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x128xbf16, #shared, #smem, mutable> * !ttg.memdesc<128x64xbf16, #shared3, #smem, mutable> -> tensor<128x64xf32, #mma1>
      %62 = arith.truncf %57 : tensor<128x64xf32, #mma1> to tensor<128x64xbf16, #mma1>
      %63 = ttg.convert_layout %62 : tensor<128x64xbf16, #mma1> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %64 = ttng.warp_group_dot %63, %58, %52#3 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x128xbf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      %65 = tt.expand_dims %arg45 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma1}>> -> tensor<1x64xf32, #mma1>
      %66 = tt.broadcast %65 : tensor<1x64xf32, #mma1> -> tensor<128x64xf32, #mma1>
      %67:3 = ttng.warp_group_dot_wait %61, %15, %59 {pendings = 1 : i32} : tensor<128x64xf32, #mma1>, !ttg.memdesc<128x128xbf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xbf16, #shared3, #smem, mutable>
      %68 = arith.subf %67#0, %66 : tensor<128x64xf32, #mma1>
      %69 = arith.mulf %57, %68 : tensor<128x64xf32, #mma1>
      %70 = arith.truncf %69 : tensor<128x64xf32, #mma1> to tensor<128x64xbf16, #mma1>
      %71 = ttg.convert_layout %70 : tensor<128x64xbf16, #mma1> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %72 = ttng.warp_group_dot %71, %48, %52#4 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x128xbf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma>
      %73 = ttg.local_alloc %70 {allocation.offset = 163840 : i32, tk.allocation_size = 16384 : i32} : (tensor<128x64xbf16, #mma1>) -> !ttg.memdesc<128x64xbf16, #shared, #smem>
      %74 = ttg.memdesc_trans %73 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xbf16, #shared, #smem> -> !ttg.memdesc<64x128xbf16, #shared3, #smem>
      ttng.fence_async_shared {bCluster = false}
      %75 = arith.addi %arg47, %c1_i32 : i32
      %76 = arith.cmpi sge, %75, %c2_i32 : i32
      %77 = arith.select %76, %c0_i32, %75 : i32
      %78 = arith.addi %arg39, %c64_i32 : i32
      %79 = arith.addi %3, %78 : i32
      %80 = ttg.memdesc_index %8[%77] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %81 = arith.cmpi slt, %arg39, %32 : i32
      ttng.wait_barrier %14, %arg48 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.barrier_expect %80, 16384 {tk.ordered}, %81 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %82 = ttg.memdesc_index %18[%77] : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%79, %c0_i32] %82, %80, %81 {tk.ordered} : !tt.tensordesc<tensor<64x128xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
      %83 = tt.addptr %arg35, %79 : !tt.ptr<f32>, i32
      %84 = tt.splat %83 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
      %85 = tt.addptr %84, %16 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma1}>>
      %86 = tt.splat %81 : i1 -> tensor<64xi1, #ttg.slice<{dim = 0, parent = #mma1}>>
      %87 = tt.load %85, %86 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
      %88 = ttg.memdesc_index %11[%77] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.barrier_expect %88, 16384 {tk.ordered}, %81 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %89 = ttg.memdesc_index %19[%77] : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg15[%79, %c0_i32] %89, %88, %81 {tk.ordered} : !tt.tensordesc<tensor<64x128xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x128xbf16, #shared, #smem, mutable>
      %90 = tt.addptr %arg36, %79 : !tt.ptr<f32>, i32
      %91 = tt.splat %90 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
      %92 = tt.addptr %91, %16 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma1}>>
      %93 = tt.load %92, %86 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma1}>>
      gpu.barrier
      %94 = ttng.warp_group_dot %74, %5, %cst_1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x128xbf16, #shared3, #smem> * !ttg.memdesc<128x128xbf16, #shared, #smem, mutable> -> tensor<64x128xf32, #mma2>
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      gpu.barrier
      %95:3 = ttng.warp_group_dot_wait %94, %74, %5 {pendings = 0 : i32} : tensor<64x128xf32, #mma2>, !ttg.memdesc<64x128xbf16, #shared3, #smem>, !ttg.memdesc<128x128xbf16, #shared, #smem, mutable>
      ttg.local_store %95#0, %33 : tensor<64x128xf32, #mma2> -> !ttg.memdesc<64x128xf32, #shared1, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      gpu.barrier
      ttng.async_tma_reduce add, %arg20[%arg46, %c0_i32] %33 : !tt.tensordesc<tensor<64x128xf32, #shared1>>, !ttg.memdesc<64x128xf32, #shared1, #smem, mutable>
      %96 = arith.xori %arg48, %c1_i32 : i32
      scf.yield %64, %72, %47, %46, %87, %93, %79, %77, %96 : tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>, i32, i32, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma1}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma1}>>, i32, i32, i32
    }
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %33 : !ttg.memdesc<64x128xf32, #shared1, #smem, mutable>
    %35:2 = ttng.warp_group_dot_wait %34#0, %34#1 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>
    ttg.local_dealloc %19 : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable>
    ttg.local_dealloc %18 : !ttg.memdesc<2x64x128xbf16, #shared, #smem, mutable>
    %36 = arith.truncf %35#0 : tensor<128x128xf32, #mma> to tensor<128x128xbf16, #mma>
    %37 = ttg.local_alloc %36 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : (tensor<128x128xbf16, #mma>) -> !ttg.memdesc<128x128xbf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg30[%4, %c0_i32] %37 : !tt.tensordesc<tensor<128x128xbf16, #shared>>, !ttg.memdesc<128x128xbf16, #shared, #smem>
    %38 = arith.mulf %arg37, %cst_2 : f32
    %39 = tt.splat %38 : f32 -> tensor<128x128xf32, #mma>
    %40 = arith.mulf %35#1, %39 : tensor<128x128xf32, #mma>
    %41 = arith.truncf %40 : tensor<128x128xf32, #mma> to tensor<128x128xbf16, #mma>
    %42 = ttg.local_alloc %41 {allocation.offset = 32768 : i32, tk.allocation_size = 32768 : i32} : (tensor<128x128xbf16, #mma>) -> !ttg.memdesc<128x128xbf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg25[%4, %c0_i32] %42 : !tt.tensordesc<tensor<128x128xbf16, #shared>>, !ttg.memdesc<128x128xbf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %37 : !ttg.memdesc<128x128xbf16, #shared, #smem>
    ttng.inval_barrier %14 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %9 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %10 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %12 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %13 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttg.local_dealloc %11 : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable>
    ttg.local_dealloc %8 : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %7 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %6 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    tt.return
  }
}

