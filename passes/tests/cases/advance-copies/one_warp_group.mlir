// passes: tt,ttg,llvm
// warps: 4
// stages: 3
// counts: gpu.barrier 6
module {
  tt.func public @backward_kernel(%q_desc: !tt.tensordesc<tensor<64x64xbf16>>, %q_desc_0: i32, %q_desc_1: i32, %q_desc_2: i64, %q_desc_3: i64, %k_desc: !tt.tensordesc<tensor<64x64xbf16>>, %k_desc_4: i32, %k_desc_5: i32, %k_desc_6: i64, %k_desc_7: i64, %v_desc: !tt.tensordesc<tensor<64x64xbf16>>, %v_desc_8: i32, %v_desc_9: i32, %v_desc_10: i64, %v_desc_11: i64, %grad_desc: !tt.tensordesc<tensor<64x64xbf16>>, %grad_desc_12: i32, %grad_desc_13: i32, %grad_desc_14: i64, %grad_desc_15: i64, %dq_desc: !tt.tensordesc<tensor<64x64xf32>>, %dq_desc_16: i32, %dq_desc_17: i32, %dq_desc_18: i64, %dq_desc_19: i64, %dk_desc: !tt.tensordesc<tensor<64x64xbf16>>, %dk_desc_20: i32, %dk_desc_21: i32, %dk_desc_22: i64, %dk_desc_23: i64, %dv_desc: !tt.tensordesc<tensor<64x64xbf16>>, %dv_desc_24: i32, %dv_desc_25: i32, %dv_desc_26: i64, %dv_desc_27: i64, %lse_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %delta_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %n_ctx: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c64_i32 = arith.constant 64 : i32
    %start_n = arith.muli %0, %c64_i32 : i32
    %head = tt.get_program_id y : i32
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2 = tt.splat %start_n : i32 -> tensor<64xi32>
    %keys = arith.addi %2, %1 : tensor<64xi32>
    %3 = arith.muli %head, %n_ctx : i32
    %row_n = arith.addi %3, %start_n : i32
    %c0_i32 = arith.constant 0 : i32
    %k = tt.descriptor_load %k_desc[%row_n, %c0_i32] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16>
    %c0_i32_28 = arith.constant 0 : i32
    %v = tt.descriptor_load %v_desc[%row_n, %c0_i32_28] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16>
    %dk = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %dv = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c0_i32_29 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_30 = arith.constant 1 : i32
    %dk_31:2 = scf.for %dk_34 = %c0_i32_29 to %c1_i32 step %c1_i32_30 iter_args(%dk_35 = %dk, %dk_36 = %dv) -> (tensor<64x64xf32>, tensor<64x64xf32>)  : i32 {
      %c1_i32_37 = arith.constant 1 : i32
      %9 = arith.muli %head, %c1_i32_37 : i32
      %10 = arith.addi %9, %dk_34 : i32
      %first_row = arith.muli %10, %n_ctx : i32
      %whole = arith.constant 0 : i32
      %offs_m = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %c64_i32_38 = arith.constant 64 : i32
      %dv_39:2 = scf.for %dv_40 = %whole to %n_ctx step %c64_i32_38 iter_args(%dv_41 = %dk_36, %dv_42 = %dk_35) -> (tensor<64x64xf32>, tensor<64x64xf32>)  : i32 {
        %row = arith.addi %first_row, %dv_40 : i32
        %c0_i32_43 = arith.constant 0 : i32
        %q = tt.descriptor_load %q_desc[%row, %c0_i32_43] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16>
        %11 = tt.trans %q {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
        %cst_44 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
        %scores = tt.dot %k, %11, %cst_44, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
        %12 = tt.addptr %lse_ptr, %row : !tt.ptr<f32>, i32
        %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %14 = tt.addptr %13, %offs_m : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %lse = tt.load %14 : tensor<64x!tt.ptr<f32>>
        %15 = tt.splat %scale : f32 -> tensor<64x64xf32>
        %16 = arith.mulf %scores, %15 : tensor<64x64xf32>
        %17 = tt.expand_dims %lse {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %18 = tt.broadcast %17 : tensor<1x64xf32> -> tensor<64x64xf32>
        %19 = arith.subf %16, %18 : tensor<64x64xf32>
        %p = math.exp2 %19 : tensor<64x64xf32>
        %c0_i32_45 = arith.constant 0 : i32
        %grad = tt.descriptor_load %grad_desc[%row, %c0_i32_45] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16>
        %20 = tt.trans %grad {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
        %cst_46 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
        %dp = tt.dot %v, %20, %cst_46, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
        %21 = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
        %dv_47 = tt.dot %21, %grad, %dv_41, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
        %22 = tt.addptr %delta_ptr, %row : !tt.ptr<f32>, i32
        %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %24 = tt.addptr %23, %offs_m : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %delta = tt.load %24 : tensor<64x!tt.ptr<f32>>
        %25 = tt.expand_dims %delta {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %26 = tt.broadcast %25 : tensor<1x64xf32> -> tensor<64x64xf32>
        %27 = arith.subf %dp, %26 : tensor<64x64xf32>
        %28 = arith.mulf %p, %27 : tensor<64x64xf32>
        %ds = arith.truncf %28 : tensor<64x64xf32> to tensor<64x64xbf16>
        %dk_48 = tt.dot %ds, %q, %dv_42, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
        %29 = tt.trans %ds {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
        %cst_49 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
        %dq = tt.dot %29, %k, %cst_49, inputPrecision = tf32 : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
        %c0_i32_50 = arith.constant 0 : i32
        tt.descriptor_reduce add, %dq_desc[%row, %c0_i32_50], %dq : !tt.tensordesc<tensor<64x64xf32>>, tensor<64x64xf32>
        scf.yield %dv_47, %dk_48 : tensor<64x64xf32>, tensor<64x64xf32>
      } {tt.num_stages = 2 : i32}
      scf.yield %dv_39#1, %dv_39#0 : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %4 = arith.truncf %dk_31#1 : tensor<64x64xf32> to tensor<64x64xbf16>
    %c0_i32_32 = arith.constant 0 : i32
    tt.descriptor_store %dv_desc[%row_n, %c0_i32_32], %4 : !tt.tensordesc<tensor<64x64xbf16>>, tensor<64x64xbf16>
    %cst = arith.constant 0.693147182 : f32
    %5 = arith.mulf %scale, %cst : f32
    %6 = tt.splat %5 : f32 -> tensor<64x64xf32>
    %7 = arith.mulf %dk_31#0, %6 : tensor<64x64xf32>
    %8 = arith.truncf %7 : tensor<64x64xf32> to tensor<64x64xbf16>
    %c0_i32_33 = arith.constant 0 : i32
    tt.descriptor_store %dk_desc[%row_n, %c0_i32_33], %8 : !tt.tensordesc<tensor<64x64xbf16>>, tensor<64x64xbf16>
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 73784 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @backward_kernel(%arg0: !tt.tensordesc<tensor<64x64xbf16, #shared>>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: i64, %arg5: !tt.tensordesc<tensor<64x64xbf16, #shared>>, %arg6: i32, %arg7: i32, %arg8: i64, %arg9: i64, %arg10: !tt.tensordesc<tensor<64x64xbf16, #shared>>, %arg11: i32, %arg12: i32, %arg13: i64, %arg14: i64, %arg15: !tt.tensordesc<tensor<64x64xbf16, #shared>>, %arg16: i32, %arg17: i32, %arg18: i64, %arg19: i64, %arg20: !tt.tensordesc<tensor<64x64xf32, #shared1>>, %arg21: i32, %arg22: i32, %arg23: i64, %arg24: i64, %arg25: !tt.tensordesc<tensor<64x64xbf16, #shared>>, %arg26: i32, %arg27: i32, %arg28: i64, %arg29: i64, %arg30: !tt.tensordesc<tensor<64x64xbf16, #shared>>, %arg31: i32, %arg32: i32, %arg33: i64, %arg34: i64, %arg35: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg36: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg37: f32, %arg38: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %true = arith.constant true
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant 0.693147182 : f32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.muli %2, %arg38 : i32
    %4 = arith.addi %3, %1 : i32
    %5 = ttg.local_alloc {allocation.offset = 49152 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %6 = ttg.local_alloc {allocation.offset = 73760 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %7 = ttg.local_alloc {allocation.offset = 73776 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %8 = ttg.local_alloc {allocation.offset = 73728 : i32, tk.allocation_size = 16 : i32} : () -> !ttg.memdesc<2x1xi64, #shared2, #smem, mutable>
    %9 = ttg.memdesc_index %8[%c0_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %10 = ttg.memdesc_index %8[%c1_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %11 = ttg.local_alloc {allocation.offset = 73744 : i32, tk.allocation_size = 16 : i32} : () -> !ttg.memdesc<2x1xi64, #shared2, #smem, mutable>
    %12 = ttg.memdesc_index %11[%c0_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %13 = ttg.memdesc_index %11[%c1_i32] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %6, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %7, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %9, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %10, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %12, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %13, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %6, 8192, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg5[%4, %c0_i32] %5, %6, %true : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %14 = ttg.local_alloc {allocation.offset = 57344 : i32, tk.allocation_size = 8192 : i32} : () -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    ttng.barrier_expect %7, 8192, %true : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg10[%4, %c0_i32] %14, %7, %true : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %16 = tt.splat %arg37 : f32 -> tensor<64x64xf32, #mma>
    %17 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : () -> !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable>
    %18 = ttg.local_alloc {allocation.offset = 16384 : i32, tk.allocation_size = 16384 : i32} : () -> !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable>
    %19 = arith.cmpi sgt, %arg38, %c0_i32 : i32
    ttng.barrier_expect %9, 8192, %19 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %20 = ttg.memdesc_index %17[%c0_i32] : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%3, %c0_i32] %20, %9, %19 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %21 = tt.addptr %arg35, %3 : !tt.ptr<f32>, i32
    %22 = tt.splat %21 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
    %23 = tt.addptr %22, %15 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %24 = tt.splat %19 : i1 -> tensor<64xi1, #ttg.slice<{dim = 0, parent = #mma}>>
    %25 = tt.load %23, %24 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
    ttng.barrier_expect %12, 8192, %19 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %26 = ttg.memdesc_index %18[%c0_i32] : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg15[%3, %c0_i32] %26, %12, %19 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %27 = tt.addptr %arg36, %3 : !tt.ptr<f32>, i32
    %28 = tt.splat %27 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
    %29 = tt.addptr %28, %15 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %30 = tt.load %29, %24 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
    %31 = arith.subi %arg38, %c64_i32 : i32
    %32 = ttg.local_alloc {allocation.offset = 32768 : i32, tk.allocation_size = 16384 : i32} : () -> !ttg.memdesc<64x64xf32, #shared1, #smem, mutable>
    ttng.wait_barrier %7, %c0_i32 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.wait_barrier %6, %c0_i32 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %33:8 = scf.for %arg39 = %c0_i32 to %arg38 step %c64_i32 iter_args(%arg40 = %cst, %arg41 = %cst, %arg42 = %c-1_i32, %arg43 = %c0_i32, %arg44 = %25, %arg45 = %30, %arg46 = %3, %arg47 = %c0_i32) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, i32, i32, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>, i32, i32)  : i32 {
      %42 = arith.addi %arg42, %c1_i32 : i32
      %43 = arith.cmpi sge, %42, %c2_i32 : i32
      %44 = arith.xori %arg43, %c1_i32 : i32
      %45 = arith.select %43, %44, %arg43 : i32
      %46 = arith.select %43, %c0_i32, %42 : i32
      %47 = ttg.memdesc_index %17[%46] : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      %48 = ttg.memdesc_trans %47 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared3, #smem, mutable>
      %49 = ttg.memdesc_index %8[%46] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %49, %45 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %50 = ttng.warp_group_dot %5, %48, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xbf16, #shared3, #smem, mutable> -> tensor<64x64xf32, #mma>
      %51:5 = ttng.warp_group_dot_wait %50, %5, %48, %arg40, %arg41 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xbf16, #shared3, #smem, mutable>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %52 = arith.mulf %51#0, %16 : tensor<64x64xf32, #mma>
      %53 = tt.expand_dims %arg44 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %54 = tt.broadcast %53 : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
      %55 = arith.subf %52, %54 : tensor<64x64xf32, #mma>
      %56 = math.exp2 %55 : tensor<64x64xf32, #mma>
      %57 = ttg.memdesc_index %18[%46] : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      %58 = ttg.memdesc_trans %57 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared3, #smem, mutable>
      %59 = ttg.memdesc_index %11[%46] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %59, %45 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %60 = ttng.warp_group_dot %14, %58, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xbf16, #shared3, #smem, mutable> -> tensor<64x64xf32, #mma>
      %61 = arith.truncf %56 : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
      %62 = ttg.convert_layout %61 : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %63 = ttng.warp_group_dot %62, %57, %51#3 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %64 = tt.expand_dims %arg45 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %65 = tt.broadcast %64 : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
      %66:3 = ttng.warp_group_dot_wait %60, %14, %58 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xbf16, #shared3, #smem, mutable>
      %67 = arith.subf %66#0, %65 : tensor<64x64xf32, #mma>
      %68 = arith.mulf %56, %67 : tensor<64x64xf32, #mma>
      %69 = arith.truncf %68 : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
      %70 = ttg.convert_layout %69 : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %71 = ttng.warp_group_dot %70, %47, %51#4 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %72 = ttg.local_alloc %69 {allocation.offset = 65536 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x64xbf16, #mma>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
      %73 = ttg.memdesc_trans %72 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xbf16, #shared, #smem> -> !ttg.memdesc<64x64xbf16, #shared3, #smem>
      ttng.fence_async_shared {bCluster = false}
      %74 = arith.addi %arg47, %c1_i32 : i32
      %75 = arith.cmpi sge, %74, %c2_i32 : i32
      %76 = arith.select %75, %c0_i32, %74 : i32
      %77 = arith.addi %arg39, %c64_i32 : i32
      %78 = arith.addi %3, %77 : i32
      %79 = ttg.memdesc_index %8[%76] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %80 = arith.cmpi slt, %arg39, %31 : i32
      gpu.barrier
      ttng.barrier_expect %79, 8192, %80 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %81 = ttg.memdesc_index %17[%76] : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%78, %c0_i32] %81, %79, %80 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      %82 = tt.addptr %arg35, %78 : !tt.ptr<f32>, i32
      %83 = tt.splat %82 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %84 = tt.addptr %83, %15 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %85 = tt.splat %80 : i1 -> tensor<64xi1, #ttg.slice<{dim = 0, parent = #mma}>>
      %86 = tt.load %84, %85 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %87 = ttg.memdesc_index %11[%76] : !ttg.memdesc<2x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.barrier_expect %87, 8192, %80 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %88 = ttg.memdesc_index %18[%76] : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg15[%78, %c0_i32] %88, %87, %80 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      %89 = tt.addptr %arg36, %78 : !tt.ptr<f32>, i32
      %90 = tt.splat %89 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %91 = tt.addptr %90, %15 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %92 = tt.load %91, %85 {tk.vector = 2 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %93 = ttng.warp_group_dot %73, %5, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xbf16, #shared3, #smem> * !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      gpu.barrier
      %94:3 = ttng.warp_group_dot_wait %93, %73, %5 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xbf16, #shared3, #smem>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      ttg.local_store %94#0, %32 : tensor<64x64xf32, #mma> -> !ttg.memdesc<64x64xf32, #shared1, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      gpu.barrier
      ttng.async_tma_reduce add, %arg20[%arg46, %c0_i32] %32 : !tt.tensordesc<tensor<64x64xf32, #shared1>>, !ttg.memdesc<64x64xf32, #shared1, #smem, mutable>
      scf.yield %63, %71, %46, %45, %86, %92, %78, %76 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, i32, i32, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>, i32, i32
    }
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %32 : !ttg.memdesc<64x64xf32, #shared1, #smem, mutable>
    %34:2 = ttng.warp_group_dot_wait %33#0, %33#1 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
    ttg.local_dealloc %18 : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable>
    ttg.local_dealloc %17 : !ttg.memdesc<2x64x64xbf16, #shared, #smem, mutable>
    %35 = arith.truncf %34#0 : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
    %36 = ttg.local_alloc %35 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x64xbf16, #mma>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg30[%4, %c0_i32] %36 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<64x64xbf16, #shared, #smem>
    %37 = arith.mulf %arg37, %cst_0 : f32
    %38 = tt.splat %37 : f32 -> tensor<64x64xf32, #mma>
    %39 = arith.mulf %34#1, %38 : tensor<64x64xf32, #mma>
    %40 = arith.truncf %39 : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
    %41 = ttg.local_alloc %40 {allocation.offset = 8192 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x64xbf16, #mma>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg25[%4, %c0_i32] %41 : !tt.tensordesc<tensor<64x64xbf16, #shared>>, !ttg.memdesc<64x64xbf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %36 : !ttg.memdesc<64x64xbf16, #shared, #smem>
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

