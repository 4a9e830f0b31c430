// passes: advance-copies
// The blocks of a loop have one buffer each, since another CTA has room then.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#linear = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gradients_kernel(%q_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %do_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dk_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %dv_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %log_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %delta_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %scale: f32, %length: i32 {tt.divisibility = 16 : i32}, %stride_h: i32 {tt.divisibility = 16 : i32}, %stride_m: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1.44269502> : tensor<128x32xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma>
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma1>
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id y : i32
    %head = arith.extsi %0 : i32 to i64
    %1 = tt.get_program_id x : i32
    %2 = arith.muli %1, %c32_i32 : i32
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %2 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %6 = tt.splat %2 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %offs_f = arith.addi %5, %3 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %offs_f_2 = arith.addi %6, %4 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %offs_d = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %7 = arith.extsi %stride_h : i32 to i64
    %at = arith.muli %head, %7 : i64
    %8 = tt.expand_dims %offs_f_2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %9 = tt.splat %stride_m : i32 -> tensor<32x1xi32, #blocked>
    %10 = arith.muli %8, %9 : tensor<32x1xi32, #blocked>
    %11 = tt.splat %at : i64 -> tensor<32x1xi64, #blocked>
    %12 = arith.extsi %10 : tensor<32x1xi32, #blocked> to tensor<32x1xi64, #blocked>
    %13 = arith.addi %11, %12 : tensor<32x1xi64, #blocked>
    %14 = tt.expand_dims %offs_d {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %15 = tt.broadcast %13 : tensor<32x1xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %16 = arith.extsi %14 : tensor<1x64xi32, #blocked> to tensor<1x64xi64, #blocked>
    %17 = tt.broadcast %16 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %f_at = arith.addi %15, %17 : tensor<32x64xi64, #blocked>
    %18 = tt.splat %k_ptr : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %19 = tt.addptr %18, %f_at : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %k = tt.load %19 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %20 = tt.splat %v_ptr : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %21 = tt.addptr %20, %f_at : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %v = tt.load %21 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %22 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %23 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %24 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %25 = tt.splat %stride_m : i32 -> tensor<128x1xi32, #blocked>
    %26 = tt.broadcast %16 : tensor<1x64xi64, #blocked> -> tensor<128x64xi64, #blocked>
    %27 = tt.addptr %q_ptr, %at : !tt.ptr<bf16>, i64
    %28 = tt.splat %27 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>, #blocked>
    %29 = arith.extsi %length : i32 to i64
    %30 = arith.muli %head, %29 : i64
    %31 = tt.addptr %log_ptr, %30 : !tt.ptr<f32>, i64
    %32 = tt.splat %31 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %33 = ttg.local_alloc %k : (tensor<32x64xbf16, #blocked>) -> !ttg.memdesc<32x64xbf16, #shared, #smem>
    %34 = ttg.memdesc_trans %33 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xbf16, #shared, #smem> -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
    %35 = tt.splat %scale : f32 -> tensor<128x32xf32, #mma>
    %36 = tt.expand_dims %offs_f {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x32xi32, #mma>
    %37 = tt.broadcast %36 : tensor<1x32xi32, #mma> -> tensor<128x32xi32, #mma>
    %38 = tt.addptr %do_ptr, %at : !tt.ptr<bf16>, i64
    %39 = tt.splat %38 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>, #blocked>
    %40 = tt.addptr %delta_ptr, %30 : !tt.ptr<f32>, i64
    %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %42 = ttg.local_alloc %v : (tensor<32x64xbf16, #blocked>) -> !ttg.memdesc<32x64xbf16, #shared, #smem>
    %43 = ttg.memdesc_trans %42 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xbf16, #shared, #smem> -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
    %dv = arith.constant -1 : i32
    %dv_3 = arith.constant -1 : i32
    %q = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable>
    %dv_4 = arith.constant -1 : i32
    %dv_5 = arith.constant -1 : i32
    %log = ttg.local_alloc : () -> !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    %do = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable>
    %delta = ttg.local_alloc : () -> !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    %dv_6 = arith.constant 1 : i32
    %dv_7 = arith.constant 0 : i32
    %dv_8 = arith.constant 1 : i32
    %dv_9 = arith.addi %dv_4, %dv_6 : i32
    %dv_10 = arith.cmpi sge, %dv_9, %dv_8 : i32
    %dv_11 = arith.select %dv_10, %dv_7, %dv_9 : i32
    %dv_12 = arith.constant 1 : i32
    %dv_13 = arith.constant 0 : i32
    %dv_14 = arith.constant 2 : i32
    %dv_15 = arith.addi %dv, %dv_12 : i32
    %dv_16 = arith.cmpi sge, %dv_15, %dv_14 : i32
    %dv_17 = arith.select %dv_16, %dv_13, %dv_15 : i32
    %44 = tt.splat %c0_i32 : i32 -> tensor<128xi32, #blocked1>
    %45 = tt.splat %c0_i32 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %offs_l = arith.addi %44, %22 : tensor<128xi32, #blocked1>
    %offs_l_18 = arith.addi %45, %24 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %46 = tt.expand_dims %offs_l_18 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %47 = arith.muli %46, %25 : tensor<128x1xi32, #blocked>
    %48 = arith.extsi %47 : tensor<128x1xi32, #blocked> to tensor<128x1xi64, #blocked>
    %49 = tt.broadcast %48 : tensor<128x1xi64, #blocked> -> tensor<128x64xi64, #blocked>
    %l_at = arith.addi %49, %26 : tensor<128x64xi64, #blocked>
    %50 = tt.addptr %28, %l_at : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
    %q_19 = ttg.memdesc_index %q[%dv_17] : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
    %dv_20 = arith.cmpi slt, %c0_i32, %length : i32
    %q_21 = tt.splat %dv_20 : i1 -> tensor<128x64xi1, #blocked>
    %q_22 = ttg.async_copy_global_to_local %50, %q_19 mask %q_21 {contiguity = 8 : i32} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
    %q_23 = ttg.async_commit_group tokens %q_22
    %51 = tt.addptr %32, %offs_l : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %log_24 = ttg.memdesc_index %log[%dv_11] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
    %log_25 = tt.splat %dv_20 : i1 -> tensor<128xi1, #blocked1>
    %log_26 = ttg.async_copy_global_to_local %51, %log_24 mask %log_25 : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
    %log_27 = ttg.async_commit_group tokens %log_26
    %52 = tt.addptr %39, %l_at : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
    %do_28 = ttg.memdesc_index %do[%dv_17] : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
    %do_29 = tt.splat %dv_20 : i1 -> tensor<128x64xi1, #blocked>
    %do_30 = ttg.async_copy_global_to_local %52, %do_28 mask %do_29 {contiguity = 8 : i32} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
    %do_31 = ttg.async_commit_group tokens %do_30
    %53 = tt.addptr %41, %offs_l : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %delta_32 = ttg.memdesc_index %delta[%dv_11] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
    %delta_33 = tt.splat %dv_20 : i1 -> tensor<128xi1, #blocked1>
    %delta_34 = ttg.async_copy_global_to_local %53, %delta_32 mask %delta_33 : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
    %delta_35 = ttg.async_commit_group tokens %delta_34
    %delta_36 = arith.constant 128 : i32
    %delta_37 = arith.subi %length, %delta_36 : i32
    %dv_38:10 = scf.for %dv_40 = %c0_i32 to %length step %c128_i32 iter_args(%dv_41 = %cst_1, %dv_42 = %cst_1, %dv_43 = %dv_5, %dv_44 = %dv_3, %dv_45 = %q_23, %dv_46 = %log_27, %dv_47 = %do_31, %dv_48 = %delta_35, %dv_49 = %dv_11, %dv_50 = %dv_17) -> (tensor<32x64xf32, #mma1>, tensor<32x64xf32, #mma1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32)  : i32 {
      %dv_51 = arith.constant 1 : i32
      %dv_52 = arith.constant 0 : i32
      %dv_53 = arith.constant 1 : i32
      %dv_54 = arith.addi %dv_43, %dv_51 : i32
      %dv_55 = arith.cmpi sge, %dv_54, %dv_53 : i32
      %dv_56 = arith.select %dv_55, %dv_52, %dv_54 : i32
      %dv_57 = arith.constant 1 : i32
      %dv_58 = arith.constant 0 : i32
      %dv_59 = arith.constant 2 : i32
      %dv_60 = arith.addi %dv_44, %dv_57 : i32
      %dv_61 = arith.cmpi sge, %dv_60, %dv_59 : i32
      %dv_62 = arith.select %dv_61, %dv_58, %dv_60 : i32
      %62 = tt.splat %dv_40 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %offs_l_63 = arith.addi %62, %23 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %63 = tt.expand_dims %offs_l_63 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xi32, #mma>
      %q_64 = ttg.async_wait %dv_45, %dv_46, %dv_47, %dv_48 {num = 0 : i32}
      %q_65 = ttg.memdesc_index %q[%dv_62] : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %log_66 = ttg.memdesc_index %log[%dv_56] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %log_67 = ttg.local_load %log_66 : !ttg.memdesc<128xf32, #shared2, #smem, mutable> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %s = ttng.warp_group_dot %q_65, %34, %cst_0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<128x32xf32, #mma>
      %s_68:3 = ttng.warp_group_dot_wait %s, %q_65, %34 {pendings = 0 : i32} : tensor<128x32xf32, #mma>, !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xbf16, #shared1, #smem>
      %s_69 = arith.mulf %s_68#0, %35 : tensor<128x32xf32, #mma>
      %64 = arith.mulf %s_69, %cst : tensor<128x32xf32, #mma>
      %65 = tt.expand_dims %log_67 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %66 = tt.broadcast %65 : tensor<128x1xf32, #mma> -> tensor<128x32xf32, #mma>
      %67 = arith.subf %64, %66 : tensor<128x32xf32, #mma>
      %p = math.exp2 %67 : tensor<128x32xf32, #mma>
      %68 = tt.broadcast %63 : tensor<128x1xi32, #mma> -> tensor<128x32xi32, #mma>
      %69 = arith.cmpi sge, %68, %37 : tensor<128x32xi32, #mma>
      %p_70 = arith.select %69, %p, %cst_0 : tensor<128x32xi1, #mma>, tensor<128x32xf32, #mma>
      %do_71 = ttg.memdesc_index %do[%dv_62] : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %delta_72 = ttg.memdesc_index %delta[%dv_56] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %delta_73 = ttg.local_load %delta_72 : !ttg.memdesc<128xf32, #shared2, #smem, mutable> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %70 = arith.truncf %p_70 : tensor<128x32xf32, #mma> to tensor<128x32xbf16, #mma>
      %71 = tt.trans %70 {order = array<i32: 1, 0>} : tensor<128x32xbf16, #mma> -> tensor<32x128xbf16, #linear>
      %72 = ttg.convert_layout %71 : tensor<32x128xbf16, #linear> -> tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %do_74 = ttg.local_load %do_71 : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %73 = tt.dot %72, %do_74, %dv_41, inputPrecision = tf32 : tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<32x64xf32, #mma1>
      %dp = ttng.warp_group_dot %do_71, %43, %cst_0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<128x32xf32, #mma>
      %dp_75:3 = ttng.warp_group_dot_wait %dp, %do_71, %43 {pendings = 0 : i32} : tensor<128x32xf32, #mma>, !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xbf16, #shared1, #smem>
      %74 = tt.expand_dims %delta_73 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %75 = tt.broadcast %74 : tensor<128x1xf32, #mma> -> tensor<128x32xf32, #mma>
      %76 = arith.subf %dp_75#0, %75 : tensor<128x32xf32, #mma>
      %ds = arith.mulf %p_70, %76 : tensor<128x32xf32, #mma>
      %77 = arith.mulf %ds, %35 : tensor<128x32xf32, #mma>
      %ds_76 = arith.truncf %77 : tensor<128x32xf32, #mma> to tensor<128x32xbf16, #mma>
      %78 = tt.trans %ds_76 {order = array<i32: 1, 0>} : tensor<128x32xbf16, #mma> -> tensor<32x128xbf16, #linear>
      %79 = ttg.convert_layout %78 : tensor<32x128xbf16, #linear> -> tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %q_77 = ttg.local_load %q_65 : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %80 = tt.dot %79, %q_77, %dv_42, inputPrecision = tf32 : tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<32x64xf32, #mma1>
      %dv_78 = arith.constant 1 : i32
      %dv_79 = arith.constant 0 : i32
      %dv_80 = arith.constant 1 : i32
      %dv_81 = arith.addi %dv_49, %dv_78 : i32
      %dv_82 = arith.cmpi sge, %dv_81, %dv_80 : i32
      %dv_83 = arith.select %dv_82, %dv_79, %dv_81 : i32
      %dv_84 = arith.constant 1 : i32
      %dv_85 = arith.constant 0 : i32
      %dv_86 = arith.constant 2 : i32
      %dv_87 = arith.addi %dv_50, %dv_84 : i32
      %dv_88 = arith.cmpi sge, %dv_87, %dv_86 : i32
      %dv_89 = arith.select %dv_88, %dv_85, %dv_87 : i32
      %c128_i32_90 = arith.constant 128 : i32
      %81 = arith.addi %dv_40, %c128_i32_90 : i32
      %82 = tt.splat %81 : i32 -> tensor<128xi32, #blocked1>
      %83 = tt.splat %81 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %offs_l_91 = arith.addi %82, %22 : tensor<128xi32, #blocked1>
      %offs_l_92 = arith.addi %83, %24 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %84 = tt.expand_dims %offs_l_92 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %85 = arith.muli %84, %25 : tensor<128x1xi32, #blocked>
      %86 = arith.extsi %85 : tensor<128x1xi32, #blocked> to tensor<128x1xi64, #blocked>
      %87 = tt.broadcast %86 : tensor<128x1xi64, #blocked> -> tensor<128x64xi64, #blocked>
      %l_at_93 = arith.addi %87, %26 : tensor<128x64xi64, #blocked>
      %88 = tt.addptr %28, %l_at_93 : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
      %q_94 = ttg.memdesc_index %q[%dv_89] : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %dv_95 = arith.cmpi slt, %dv_40, %delta_37 : i32
      %q_96 = tt.splat %dv_95 : i1 -> tensor<128x64xi1, #blocked>
      %q_97 = ttg.async_copy_global_to_local %88, %q_94 mask %q_96 {contiguity = 8 : i32, tk.skippable} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
      %q_98 = ttg.async_commit_group tokens %q_97
      %89 = tt.addptr %32, %offs_l_91 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %log_99 = ttg.memdesc_index %log[%dv_83] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %log_100 = tt.splat %dv_95 : i1 -> tensor<128xi1, #blocked1>
      %log_101 = ttg.async_copy_global_to_local %89, %log_99 mask %log_100 {tk.skippable} : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
      %log_102 = ttg.async_commit_group tokens %log_101
      %90 = tt.addptr %39, %l_at_93 : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
      %do_103 = ttg.memdesc_index %do[%dv_89] : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %do_104 = tt.splat %dv_95 : i1 -> tensor<128x64xi1, #blocked>
      %do_105 = ttg.async_copy_global_to_local %90, %do_103 mask %do_104 {contiguity = 8 : i32, tk.skippable} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
      %do_106 = ttg.async_commit_group tokens %do_105
      %91 = tt.addptr %41, %offs_l_91 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %delta_107 = ttg.memdesc_index %delta[%dv_83] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %delta_108 = tt.splat %dv_95 : i1 -> tensor<128xi1, #blocked1>
      %delta_109 = ttg.async_copy_global_to_local %91, %delta_107 mask %delta_108 {tk.skippable} : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
      %delta_110 = ttg.async_commit_group tokens %delta_109
      scf.yield %73, %80, %dv_56, %dv_62, %q_98, %log_102, %do_106, %delta_110, %dv_83, %dv_89 : tensor<32x64xf32, #mma1>, tensor<32x64xf32, #mma1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32
    }
    %dv_39 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %delta : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    ttg.local_dealloc %do : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable>
    ttg.local_dealloc %log : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    ttg.local_dealloc %q : !ttg.memdesc<2x128x64xbf16, #shared, #smem, mutable>
    %54 = tt.splat %dk_ptr : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %55 = tt.addptr %54, %f_at : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %56 = arith.truncf %dv_38#1 : tensor<32x64xf32, #mma1> to tensor<32x64xbf16, #mma1>
    %57 = ttg.convert_layout %56 : tensor<32x64xbf16, #mma1> -> tensor<32x64xbf16, #blocked>
    tt.store %55, %57 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %58 = tt.splat %dv_ptr : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %59 = tt.addptr %58, %f_at : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %60 = arith.truncf %dv_38#0 : tensor<32x64xf32, #mma1> to tensor<32x64xbf16, #mma1>
    %61 = ttg.convert_layout %60 : tensor<32x64xbf16, #mma1> -> tensor<32x64xbf16, #blocked>
    tt.store %59, %61 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#linear = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gradients_kernel(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg6: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg7: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg8: f32, %arg9: i32 {tt.divisibility = 16 : i32}, %arg10: i32 {tt.divisibility = 16 : i32}, %arg11: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false, tk.room_for = 3 : i32} {
    %cst = arith.constant dense<1.44269502> : tensor<128x32xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma>
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma1>
    %c32_i32 = arith.constant 32 : i32
    %0 = tt.get_program_id y : i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = tt.get_program_id x : i32
    %3 = arith.muli %2, %c32_i32 : i32
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.splat %3 : i32 -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %7 = tt.splat %3 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %4 : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %9 = arith.addi %7, %5 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %10 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %11 = arith.extsi %arg10 : i32 to i64
    %12 = arith.muli %1, %11 : i64
    %13 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %14 = tt.splat %arg11 : i32 -> tensor<32x1xi32, #blocked>
    %15 = arith.muli %13, %14 : tensor<32x1xi32, #blocked>
    %16 = tt.splat %12 : i64 -> tensor<32x1xi64, #blocked>
    %17 = arith.extsi %15 : tensor<32x1xi32, #blocked> to tensor<32x1xi64, #blocked>
    %18 = arith.addi %16, %17 : tensor<32x1xi64, #blocked>
    %19 = tt.expand_dims %10 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %20 = tt.broadcast %18 : tensor<32x1xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %21 = arith.extsi %19 : tensor<1x64xi32, #blocked> to tensor<1x64xi64, #blocked>
    %22 = tt.broadcast %21 : tensor<1x64xi64, #blocked> -> tensor<32x64xi64, #blocked>
    %23 = arith.addi %20, %22 : tensor<32x64xi64, #blocked>
    %24 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %25 = tt.addptr %24, %23 : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %26 = tt.load %25 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %27 = tt.splat %arg2 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %28 = tt.addptr %27, %23 : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %29 = tt.load %28 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %30 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %31 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %32 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %33 = tt.splat %arg11 : i32 -> tensor<128x1xi32, #blocked>
    %34 = tt.broadcast %21 : tensor<1x64xi64, #blocked> -> tensor<128x64xi64, #blocked>
    %35 = tt.addptr %arg0, %12 : !tt.ptr<bf16>, i64
    %36 = tt.splat %35 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>, #blocked>
    %37 = arith.extsi %arg9 : i32 to i64
    %38 = arith.muli %1, %37 : i64
    %39 = tt.addptr %arg6, %38 : !tt.ptr<f32>, i64
    %40 = tt.splat %39 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %41 = ttg.local_alloc %26 : (tensor<32x64xbf16, #blocked>) -> !ttg.memdesc<32x64xbf16, #shared, #smem>
    %42 = ttg.memdesc_trans %41 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xbf16, #shared, #smem> -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
    %43 = tt.splat %arg8 : f32 -> tensor<128x32xf32, #mma>
    %44 = tt.expand_dims %8 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x32xi32, #mma>
    %45 = tt.broadcast %44 : tensor<1x32xi32, #mma> -> tensor<128x32xi32, #mma>
    %46 = tt.addptr %arg3, %12 : !tt.ptr<bf16>, i64
    %47 = tt.splat %46 : !tt.ptr<bf16> -> tensor<128x64x!tt.ptr<bf16>, #blocked>
    %48 = tt.addptr %arg7, %38 : !tt.ptr<f32>, i64
    %49 = tt.splat %48 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %50 = ttg.local_alloc %29 : (tensor<32x64xbf16, #blocked>) -> !ttg.memdesc<32x64xbf16, #shared, #smem>
    %51 = ttg.memdesc_trans %50 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xbf16, #shared, #smem> -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
    %c-1_i32 = arith.constant -1 : i32
    %c-1_i32_2 = arith.constant -1 : i32
    %52 = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable>
    %c-1_i32_3 = arith.constant -1 : i32
    %c-1_i32_4 = arith.constant -1 : i32
    %53 = ttg.local_alloc : () -> !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    %54 = ttg.local_alloc : () -> !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable>
    %55 = ttg.local_alloc : () -> !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32_5 = arith.constant 0 : i32
    %c1_i32_6 = arith.constant 1 : i32
    %56 = arith.addi %c-1_i32_3, %c1_i32 : i32
    %57 = arith.cmpi sge, %56, %c1_i32_6 : i32
    %58 = arith.select %57, %c0_i32_5, %56 : i32
    %c1_i32_7 = arith.constant 1 : i32
    %c0_i32_8 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %59 = arith.addi %c-1_i32, %c1_i32_7 : i32
    %60 = arith.cmpi sge, %59, %c2_i32 : i32
    %61 = arith.select %60, %c0_i32_8, %59 : i32
    %62 = tt.splat %c0_i32 : i32 -> tensor<128xi32, #blocked1>
    %63 = tt.splat %c0_i32 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %64 = arith.addi %62, %30 : tensor<128xi32, #blocked1>
    %65 = arith.addi %63, %32 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %66 = tt.expand_dims %65 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %67 = arith.muli %66, %33 : tensor<128x1xi32, #blocked>
    %68 = arith.extsi %67 : tensor<128x1xi32, #blocked> to tensor<128x1xi64, #blocked>
    %69 = tt.broadcast %68 : tensor<128x1xi64, #blocked> -> tensor<128x64xi64, #blocked>
    %70 = arith.addi %69, %34 : tensor<128x64xi64, #blocked>
    %71 = tt.addptr %36, %70 : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
    %c0_i32_9 = arith.constant 0 : i32
    %72 = ttg.memdesc_index %52[%c0_i32_9] : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
    %73 = arith.cmpi slt, %c0_i32, %arg9 : i32
    %74 = tt.splat %73 : i1 -> tensor<128x64xi1, #blocked>
    %75 = ttg.async_copy_global_to_local %71, %72 mask %74 {contiguity = 8 : i32} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
    %76 = ttg.async_commit_group tokens %75
    %77 = tt.addptr %40, %64 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %78 = ttg.memdesc_index %53[%58] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
    %79 = tt.splat %73 : i1 -> tensor<128xi1, #blocked1>
    %80 = ttg.async_copy_global_to_local %77, %78 mask %79 : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
    %81 = ttg.async_commit_group tokens %80
    %82 = tt.addptr %47, %70 : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
    %c0_i32_10 = arith.constant 0 : i32
    %83 = ttg.memdesc_index %54[%c0_i32_10] : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
    %84 = tt.splat %73 : i1 -> tensor<128x64xi1, #blocked>
    %85 = ttg.async_copy_global_to_local %82, %83 mask %84 {contiguity = 8 : i32} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
    %86 = ttg.async_commit_group tokens %85
    %87 = tt.addptr %49, %64 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %88 = ttg.memdesc_index %55[%58] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
    %89 = tt.splat %73 : i1 -> tensor<128xi1, #blocked1>
    %90 = ttg.async_copy_global_to_local %87, %88 mask %89 : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
    %91 = ttg.async_commit_group tokens %90
    %c128_i32_11 = arith.constant 128 : i32
    %92 = arith.subi %arg9, %c128_i32_11 : i32
    %93:10 = scf.for %arg12 = %c0_i32 to %arg9 step %c128_i32 iter_args(%arg13 = %cst_1, %arg14 = %cst_1, %arg15 = %c-1_i32_4, %arg16 = %c-1_i32_2, %arg17 = %76, %arg18 = %81, %arg19 = %86, %arg20 = %91, %arg21 = %58, %arg22 = %61) -> (tensor<32x64xf32, #mma1>, tensor<32x64xf32, #mma1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32)  : i32 {
      %c1_i32_12 = arith.constant 1 : i32
      %c0_i32_13 = arith.constant 0 : i32
      %c1_i32_14 = arith.constant 1 : i32
      %103 = arith.addi %arg15, %c1_i32_12 : i32
      %104 = arith.cmpi sge, %103, %c1_i32_14 : i32
      %105 = arith.select %104, %c0_i32_13, %103 : i32
      %c1_i32_15 = arith.constant 1 : i32
      %c0_i32_16 = arith.constant 0 : i32
      %c2_i32_17 = arith.constant 2 : i32
      %106 = arith.addi %arg16, %c1_i32_15 : i32
      %107 = arith.cmpi sge, %106, %c2_i32_17 : i32
      %108 = arith.select %107, %c0_i32_16, %106 : i32
      %109 = tt.splat %arg12 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %110 = arith.addi %109, %31 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %111 = tt.expand_dims %110 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xi32, #mma>
      %112 = ttg.async_wait %arg17, %arg18, %arg19, %arg20 {num = 0 : i32}
      %c0_i32_18 = arith.constant 0 : i32
      %113 = ttg.memdesc_index %52[%c0_i32_18] : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %114 = ttg.memdesc_index %53[%105] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %115 = ttg.local_load %114 : !ttg.memdesc<128xf32, #shared2, #smem, mutable> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %116 = ttng.warp_group_dot %113, %42, %cst_0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<128x32xf32, #mma>
      %117:3 = ttng.warp_group_dot_wait %116, %113, %42 {pendings = 0 : i32} : tensor<128x32xf32, #mma>, !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xbf16, #shared1, #smem>
      %118 = arith.mulf %117#0, %43 : tensor<128x32xf32, #mma>
      %119 = arith.mulf %118, %cst : tensor<128x32xf32, #mma>
      %120 = tt.expand_dims %115 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %121 = tt.broadcast %120 : tensor<128x1xf32, #mma> -> tensor<128x32xf32, #mma>
      %122 = arith.subf %119, %121 : tensor<128x32xf32, #mma>
      %123 = math.exp2 %122 : tensor<128x32xf32, #mma>
      %124 = tt.broadcast %111 : tensor<128x1xi32, #mma> -> tensor<128x32xi32, #mma>
      %125 = arith.cmpi sge, %124, %45 : tensor<128x32xi32, #mma>
      %126 = arith.select %125, %123, %cst_0 : tensor<128x32xi1, #mma>, tensor<128x32xf32, #mma>
      %c0_i32_19 = arith.constant 0 : i32
      %127 = ttg.memdesc_index %54[%c0_i32_19] : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %128 = ttg.memdesc_index %55[%105] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %129 = ttg.local_load %128 : !ttg.memdesc<128xf32, #shared2, #smem, mutable> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %130 = arith.truncf %126 : tensor<128x32xf32, #mma> to tensor<128x32xbf16, #mma>
      %131 = tt.trans %130 {order = array<i32: 1, 0>} : tensor<128x32xbf16, #mma> -> tensor<32x128xbf16, #linear>
      %132 = ttg.convert_layout %131 : tensor<32x128xbf16, #linear> -> tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %133 = ttg.local_load %127 : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %134 = tt.dot %132, %133, %arg13, inputPrecision = tf32 : tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<32x64xf32, #mma1>
      %135 = ttng.warp_group_dot %127, %51, %cst_0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<128x32xf32, #mma>
      %136:3 = ttng.warp_group_dot_wait %135, %127, %51 {pendings = 0 : i32} : tensor<128x32xf32, #mma>, !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xbf16, #shared1, #smem>
      %137 = tt.expand_dims %129 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %138 = tt.broadcast %137 : tensor<128x1xf32, #mma> -> tensor<128x32xf32, #mma>
      %139 = arith.subf %136#0, %138 : tensor<128x32xf32, #mma>
      %140 = arith.mulf %126, %139 : tensor<128x32xf32, #mma>
      %141 = arith.mulf %140, %43 : tensor<128x32xf32, #mma>
      %142 = arith.truncf %141 : tensor<128x32xf32, #mma> to tensor<128x32xbf16, #mma>
      %143 = tt.trans %142 {order = array<i32: 1, 0>} : tensor<128x32xbf16, #mma> -> tensor<32x128xbf16, #linear>
      %144 = ttg.convert_layout %143 : tensor<32x128xbf16, #linear> -> tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %145 = ttg.local_load %113 : !ttg.memdesc<128x64xbf16, #shared, #smem, mutable> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
      %146 = tt.dot %144, %145, %arg14, inputPrecision = tf32 : tensor<32x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<32x64xf32, #mma1>
      %c1_i32_20 = arith.constant 1 : i32
      %c0_i32_21 = arith.constant 0 : i32
      %c1_i32_22 = arith.constant 1 : i32
      %147 = arith.addi %arg21, %c1_i32_20 : i32
      %148 = arith.cmpi sge, %147, %c1_i32_22 : i32
      %149 = arith.select %148, %c0_i32_21, %147 : i32
      %c1_i32_23 = arith.constant 1 : i32
      %c0_i32_24 = arith.constant 0 : i32
      %c2_i32_25 = arith.constant 2 : i32
      %150 = arith.addi %arg22, %c1_i32_23 : i32
      %151 = arith.cmpi sge, %150, %c2_i32_25 : i32
      %152 = arith.select %151, %c0_i32_24, %150 : i32
      %c128_i32_26 = arith.constant 128 : i32
      %153 = arith.addi %arg12, %c128_i32_26 : i32
      %154 = tt.splat %153 : i32 -> tensor<128xi32, #blocked1>
      %155 = tt.splat %153 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %156 = arith.addi %154, %30 : tensor<128xi32, #blocked1>
      %157 = arith.addi %155, %32 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %158 = tt.expand_dims %157 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %159 = arith.muli %158, %33 : tensor<128x1xi32, #blocked>
      %160 = arith.extsi %159 : tensor<128x1xi32, #blocked> to tensor<128x1xi64, #blocked>
      %161 = tt.broadcast %160 : tensor<128x1xi64, #blocked> -> tensor<128x64xi64, #blocked>
      %162 = arith.addi %161, %34 : tensor<128x64xi64, #blocked>
      %163 = tt.addptr %36, %162 : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
      %c0_i32_27 = arith.constant 0 : i32
      %164 = ttg.memdesc_index %52[%c0_i32_27] : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %165 = arith.cmpi slt, %arg12, %92 : i32
      %166 = tt.splat %165 : i1 -> tensor<128x64xi1, #blocked>
      %167 = ttg.async_copy_global_to_local %163, %164 mask %166 {contiguity = 8 : i32, tk.skippable} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
      %168 = ttg.async_commit_group tokens %167
      %169 = tt.addptr %40, %156 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %170 = ttg.memdesc_index %53[%149] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %171 = tt.splat %165 : i1 -> tensor<128xi1, #blocked1>
      %172 = ttg.async_copy_global_to_local %169, %170 mask %171 {tk.skippable} : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
      %173 = ttg.async_commit_group tokens %172
      %174 = tt.addptr %47, %162 : tensor<128x64x!tt.ptr<bf16>, #blocked>, tensor<128x64xi64, #blocked>
      %c0_i32_28 = arith.constant 0 : i32
      %175 = ttg.memdesc_index %54[%c0_i32_28] : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xbf16, #shared, #smem, mutable>
      %176 = tt.splat %165 : i1 -> tensor<128x64xi1, #blocked>
      %177 = ttg.async_copy_global_to_local %174, %175 mask %176 {contiguity = 8 : i32, tk.skippable} : tensor<128x64x!tt.ptr<bf16>, #blocked> -> <128x64xbf16, #shared, #smem, mutable>
      %178 = ttg.async_commit_group tokens %177
      %179 = tt.addptr %49, %156 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %180 = ttg.memdesc_index %55[%149] : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %181 = tt.splat %165 : i1 -> tensor<128xi1, #blocked1>
      %182 = ttg.async_copy_global_to_local %179, %180 mask %181 {tk.skippable} : tensor<128x!tt.ptr<f32>, #blocked1> -> <128xf32, #shared2, #smem, mutable>
      %183 = ttg.async_commit_group tokens %182
      scf.yield %134, %146, %105, %108, %168, %173, %178, %183, %149, %152 : tensor<32x64xf32, #mma1>, tensor<32x64xf32, #mma1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32
    }
    %94 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %55 : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    ttg.local_dealloc %54 : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable>
    ttg.local_dealloc %53 : !ttg.memdesc<1x128xf32, #shared2, #smem, mutable>
    ttg.local_dealloc %52 : !ttg.memdesc<1x128x64xbf16, #shared, #smem, mutable>
    %95 = tt.splat %arg4 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %96 = tt.addptr %95, %23 : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %97 = arith.truncf %93#1 : tensor<32x64xf32, #mma1> to tensor<32x64xbf16, #mma1>
    %98 = ttg.convert_layout %97 : tensor<32x64xbf16, #mma1> -> tensor<32x64xbf16, #blocked>
    tt.store %96, %98 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    %99 = tt.splat %arg5 : !tt.ptr<bf16> -> tensor<32x64x!tt.ptr<bf16>, #blocked>
    %100 = tt.addptr %99, %23 : tensor<32x64x!tt.ptr<bf16>, #blocked>, tensor<32x64xi64, #blocked>
    %101 = arith.truncf %93#0 : tensor<32x64xf32, #mma1> to tensor<32x64xbf16, #mma1>
    %102 = ttg.convert_layout %101 : tensor<32x64xbf16, #mma1> -> tensor<32x64xbf16, #blocked>
    tt.store %100, %102 : tensor<32x64x!tt.ptr<bf16>, #blocked>
    tt.return
  }
}

