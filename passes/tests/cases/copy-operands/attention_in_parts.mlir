// passes: copy-operands
// counts: tt.load 0, ttg.async_copy_global_to_local 8, ttg.async_wait 3, tk.behind_words} 1, ttng.fence_async_shared 1
// Both parts of the values are copied behind the inner loop, and waited for before the first product.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4], [0, 0, 8]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @attention_kernel(%q_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %rows: i32, %keys: i32, %stride: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_0 = arith.constant dense<64> : tensor<64x64xi32, #blocked>
    %cst_1 = arith.constant dense<64> : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64x64xf32, #mma>
    %cst_3 = arith.constant dense<1.250000e-01> : tensor<64x64xf32, #mma>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #blocked1>
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %highest = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %m = arith.addi %7, %4 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %m_6 = arith.addi %8, %5 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %10 = tt.expand_dims %m_6 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %11 = tt.splat %rows : i32 -> tensor<64x1xi32, #blocked>
    %12 = tt.splat %rows : i32 -> tensor<64x1xi32, #blocked1>
    %has_row = arith.cmpi slt, %9, %11 : tensor<64x1xi32, #blocked>
    %has_row_7 = arith.cmpi slt, %10, %12 : tensor<64x1xi32, #blocked1>
    %13 = tt.splat %keys : i32 -> tensor<64x1xi32, #blocked1>
    %14 = tt.splat %stride : i32 -> tensor<64x1xi32, #blocked1>
    %15 = arith.muli %10, %14 : tensor<64x1xi32, #blocked1>
    %16 = tt.splat %q_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %17 = tt.addptr %16, %15 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %18 = tt.broadcast %17 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %19 = tt.broadcast %has_row_7 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %20 = tt.splat %k_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %21 = tt.splat %keys : i32 -> tensor<1x64xi32, #mma>
    %22 = tt.splat %v_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %23 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %24 = tt.broadcast %23 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %25 = arith.addi %3, %cst_1 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %26 = tt.expand_dims %25 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %27 = tt.broadcast %26 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %total:4 = scf.for %arg7 = %c0_i32 to %keys step %c64_i32 iter_args(%arg8 = %highest, %arg9 = %cst_5, %arg10 = %cst_5, %arg11 = %cst) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>)  : i32 {
      %47 = tt.splat %arg7 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %48 = tt.splat %arg7 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %n = arith.addi %47, %2 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %n_8 = arith.addi %48, %5 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %49 = tt.expand_dims %n_8 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
      %has_key = arith.cmpi slt, %49, %13 : tensor<64x1xi32, #blocked1>
      %50 = arith.muli %49, %14 : tensor<64x1xi32, #blocked1>
      %51 = tt.addptr %20, %50 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
      %52 = tt.broadcast %51 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
      %53 = tt.broadcast %has_key : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
      %q = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      %k = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      %54 = tt.addptr %18, %24 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %q_9 = ttg.memdesc_index %q[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %q_10 = ttg.async_copy_global_to_local %54, %q_9 mask %19 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %q_11 = ttg.async_commit_group tokens %q_10
      %55 = tt.addptr %52, %24 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %k_12 = ttg.memdesc_index %k[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %k_13 = ttg.async_copy_global_to_local %55, %k_12 mask %53 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %k_14 = ttg.async_commit_group tokens %k_13
      %56 = tt.addptr %18, %27 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %q_15 = ttg.memdesc_index %q[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %q_16 = ttg.async_copy_global_to_local %56, %q_15 mask %19 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %q_17 = ttg.async_commit_group tokens %q_16
      %57 = tt.addptr %52, %27 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %k_18 = ttg.memdesc_index %k[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %k_19 = ttg.async_copy_global_to_local %57, %k_18 mask %53 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %k_20 = ttg.async_commit_group tokens %k_19
      %scores:7 = scf.for %arg12 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg13 = %cst_5, %arg14 = %c0_i32, %arg15 = %q_17, %arg16 = %q_11, %arg17 = %k_20, %arg18 = %k_14, %arg19 = %c1_i32) -> (tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32)  : i32 {
        %q_39 = ttg.async_wait %arg16, %arg18 {num = 2 : i32}
        %q_40 = ttg.memdesc_index %q[%arg14] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %k_41 = ttg.memdesc_index %k[%arg14] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %75 = ttg.memdesc_trans %k_41 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
        %76 = ttg.memdesc_subslice %q_40[0, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64>
        %77 = ttg.memdesc_subslice %75[0, 0] : !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64>
        %78 = ttg.memdesc_subslice %q_40[0, 32] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64>
        %79 = ttg.memdesc_subslice %75[32, 0] : !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64>
        %80 = ttng.warp_group_dot %76, %77, %arg13 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64> * !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64> -> tensor<64x64xf32, #mma>
        %81:3 = ttng.warp_group_dot_wait %80, %q_40, %75 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
        %scores_42 = arith.addi %arg19, %c1_i32 : i32
        %scores_43 = arith.cmpi sge, %scores_42, %c3_i32 : i32
        %scores_44 = arith.select %scores_43, %c0_i32, %scores_42 : i32
        %82 = arith.addi %arg12, %c2_i32 : i32
        %83 = arith.muli %82, %c64_i32 : i32
        %84 = tt.splat %83 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
        %85 = arith.addi %84, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
        %86 = tt.expand_dims %85 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
        %87 = tt.broadcast %86 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
        %88 = tt.addptr %18, %87 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
        %q_45 = ttg.memdesc_index %q[%scores_44] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %scores_46 = arith.cmpi slt, %arg12, %c2_i32 : i32
        %q_47 = tt.splat %scores_46 : i1 -> tensor<64x64xi1, #blocked1>
        %q_48 = arith.andi %q_47, %19 : tensor<64x64xi1, #blocked1>
        %q_49 = ttg.async_copy_global_to_local %88, %q_45 mask %q_48 other %cst_4 {contiguity = 8 : i32, tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
        %q_50 = ttg.async_commit_group tokens %q_49
        %89 = tt.addptr %52, %87 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
        %k_51 = ttg.memdesc_index %k[%scores_44] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %k_52 = arith.andi %q_47, %53 : tensor<64x64xi1, #blocked1>
        %k_53 = ttg.async_copy_global_to_local %89, %k_51 mask %k_52 other %cst_4 {contiguity = 8 : i32, tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
        %k_54 = ttg.async_commit_group tokens %k_53
        %90 = ttng.warp_group_dot %78, %79, %81#0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64> * !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64> -> tensor<64x64xf32, #mma>
        %scores_55 = arith.addi %arg14, %c1_i32 : i32
        %scores_56 = arith.cmpi sge, %scores_55, %c3_i32 : i32
        %scores_57 = arith.select %scores_56, %c0_i32, %scores_55 : i32
        scf.yield %90, %scores_57, %q_50, %arg15, %k_54, %arg17, %scores_44 : tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32
      }
      %scores_21 = ttng.warp_group_dot_wait %scores#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %scores_22 = ttg.async_wait {num = 0 : i32}
      ttg.local_dealloc %k : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %q : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      %58 = tt.expand_dims %n {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
      %59 = arith.cmpi slt, %58, %21 : tensor<1x64xi32, #mma>
      %60 = arith.mulf %scores_21, %cst_3 : tensor<64x64xf32, #mma>
      %61 = tt.broadcast %59 : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
      %scores_23 = arith.select %61, %60, %cst_2 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %62 = "tt.reduce"(%scores_23) <{axis = 1 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %75 = arith.maxnumf %arg12, %arg13 : f32
        tt.reduce.return %75 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %higher = arith.maxnumf %arg8, %62 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %63 = tt.expand_dims %higher {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %64 = tt.broadcast %63 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %65 = arith.subf %scores_23, %64 : tensor<64x64xf32, #mma>
      %p = math.exp %65 : tensor<64x64xf32, #mma>
      %66 = arith.subf %arg8, %higher : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %scale = math.exp %66 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %total_24 = tt.reshape %p : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
      %total_25 = tt.trans %total_24 {order = array<i32: 0, 2, 1, 3>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x4x8x2xf32, #linear2>
      %total_26 = tt.reshape %total_25 : tensor<64x4x8x2xf32, #linear2> -> tensor<64x4x16xf32, #linear>
      %total_27 = "tt.reduce"(%total_26) <{axis = 2 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %75 = arith.addf %arg12, %arg13 : f32
        tt.reduce.return %75 : f32
      }) : (tensor<64x4x16xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %total_28 = tt.reshape %scale : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %total_29 = tt.broadcast %total_28 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %total_30 = arith.mulf %arg11, %total_29 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %total_31 = arith.addf %total_30, %total_27 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %p_32 = arith.truncf %p : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %67 = tt.addptr %22, %50 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
      %68 = tt.broadcast %67 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
      %69 = tt.addptr %68, %24 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %v = tt.load %69, %53, %cst_4 : tensor<64x64x!tt.ptr<f16>, #blocked1>
      %v_33 = ttg.local_alloc %v : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %70 = tt.expand_dims %scale {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %71 = tt.broadcast %70 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %72 = arith.mulf %arg9, %71 : tensor<64x64xf32, #mma>
      %out0 = ttg.convert_layout %p_32 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %out0_34 = ttng.warp_group_dot %out0, %v_33, %72 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %73 = tt.addptr %68, %27 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %v_35 = tt.load %73, %53, %cst_4 : tensor<64x64x!tt.ptr<f16>, #blocked1>
      %v_36 = ttg.local_alloc %v_35 : (tensor<64x64xf16, #blocked1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %74 = arith.mulf %arg10, %71 : tensor<64x64xf32, #mma>
      %out1 = ttng.warp_group_dot %out0, %v_36, %74 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %out0_37:3 = ttng.warp_group_dot_wait %out0_34, %out0, %v_33 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, !ttg.memdesc<64x64xf16, #shared, #smem>
      %out1_38:3 = ttng.warp_group_dot_wait %out1, %out0, %v_36 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, !ttg.memdesc<64x64xf16, #shared, #smem>
      scf.yield %higher, %out0_37#0, %out1_38#0, %total_31 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    }
    %28 = "tt.reduce"(%total#3) <{axis = 1 : i32}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %47 = arith.addf %arg7, %arg8 : f32
      tt.reduce.return %47 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %29 = tt.reshape %28 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %30 = tt.splat %stride : i32 -> tensor<64x1xi32, #blocked>
    %31 = arith.muli %9, %30 : tensor<64x1xi32, #blocked>
    %32 = tt.splat %out_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %33 = tt.addptr %32, %31 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %34 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %35 = tt.broadcast %33 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %36 = tt.broadcast %34 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %place = tt.addptr %35, %36 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %37 = tt.expand_dims %29 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %38 = tt.broadcast %37 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %39 = arith.divf %total#1, %38 : tensor<64x64xf32, #mma>
    %40 = arith.truncf %39 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %41 = tt.broadcast %has_row : tensor<64x1xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %42 = ttg.convert_layout %40 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %place, %42, %41 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %43 = tt.addptr %place, %cst_0 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %44 = arith.divf %total#2, %38 : tensor<64x64xf32, #mma>
    %45 = arith.truncf %44 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %46 = ttg.convert_layout %45 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %43, %46, %41 : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4], [0, 0, 8]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @attention_kernel(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: i32, %arg5: i32, %arg6: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_0 = arith.constant dense<64> : tensor<64x64xi32, #blocked>
    %cst_1 = arith.constant dense<64> : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<64x64xf32, #mma>
    %cst_3 = arith.constant dense<1.250000e-01> : tensor<64x64xf32, #mma>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<64x64xf16, #blocked1>
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_6 = arith.constant dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %7 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = arith.addi %7, %4 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %10 = arith.addi %8, %5 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %11 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %12 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %13 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked>
    %14 = tt.splat %arg4 : i32 -> tensor<64x1xi32, #blocked1>
    %15 = arith.cmpi slt, %11, %13 : tensor<64x1xi32, #blocked>
    %16 = arith.cmpi slt, %12, %14 : tensor<64x1xi32, #blocked1>
    %17 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked1>
    %18 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked1>
    %19 = arith.muli %12, %18 : tensor<64x1xi32, #blocked1>
    %20 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %22 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %23 = tt.broadcast %16 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %24 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %25 = tt.splat %arg5 : i32 -> tensor<1x64xi32, #mma>
    %26 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %27 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %28 = tt.broadcast %27 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %29 = arith.addi %3, %cst_1 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %30 = tt.expand_dims %29 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %31 = tt.broadcast %30 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %32:4 = scf.for %arg7 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg8 = %cst_6, %arg9 = %cst_5, %arg10 = %cst_5, %arg11 = %cst) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>)  : i32 {
      %53 = tt.splat %arg7 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %54 = tt.splat %arg7 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %55 = arith.addi %53, %2 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %56 = arith.addi %54, %5 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %57 = tt.expand_dims %56 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
      %58 = arith.cmpi slt, %57, %17 : tensor<64x1xi32, #blocked1>
      %59 = arith.muli %57, %18 : tensor<64x1xi32, #blocked1>
      %60 = tt.addptr %24, %59 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
      %61 = tt.broadcast %60 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
      %62 = tt.broadcast %58 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
      %63 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      %64 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      %65 = tt.addptr %22, %28 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %66 = ttg.memdesc_index %63[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %67 = ttg.async_copy_global_to_local %65, %66 mask %23 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %68 = ttg.async_commit_group tokens %67
      %69 = tt.addptr %61, %28 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %70 = ttg.memdesc_index %64[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %71 = ttg.async_copy_global_to_local %69, %70 mask %62 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %72 = ttg.async_commit_group tokens %71
      %73 = tt.addptr %22, %31 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %74 = ttg.memdesc_index %63[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %75 = ttg.async_copy_global_to_local %73, %74 mask %23 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %76 = ttg.async_commit_group tokens %75
      %77 = tt.addptr %61, %31 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %78 = ttg.memdesc_index %64[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %79 = ttg.async_copy_global_to_local %77, %78 mask %62 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %80 = ttg.async_commit_group tokens %79
      %81:7 = scf.for %arg12 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg13 = %cst_5, %arg14 = %c0_i32, %arg15 = %76, %arg16 = %68, %arg17 = %80, %arg18 = %72, %arg19 = %c1_i32) -> (tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32)  : i32 {
        %126 = ttg.async_wait %arg16, %arg18 {num = 2 : i32}
        %127 = ttg.memdesc_index %63[%arg14] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %128 = ttg.memdesc_index %64[%arg14] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %129 = ttg.memdesc_trans %128 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
        %130 = ttg.memdesc_subslice %127[0, 0] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64>
        %131 = ttg.memdesc_subslice %129[0, 0] : !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64>
        %132 = ttg.memdesc_subslice %127[0, 32] : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64>
        %133 = ttg.memdesc_subslice %129[32, 0] : !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64>
        %134 = ttng.warp_group_dot %130, %131, %arg13 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64> * !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64> -> tensor<64x64xf32, #mma>
        %135:3 = ttng.warp_group_dot_wait %134, %127, %129 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
        %136 = arith.addi %arg19, %c1_i32 : i32
        %137 = arith.cmpi sge, %136, %c3_i32 : i32
        %138 = arith.select %137, %c0_i32, %136 : i32
        %139 = arith.addi %arg12, %c2_i32 : i32
        %140 = arith.muli %139, %c64_i32 : i32
        %141 = tt.splat %140 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
        %142 = arith.addi %141, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
        %143 = tt.expand_dims %142 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
        %144 = tt.broadcast %143 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
        %145 = tt.addptr %22, %144 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
        %146 = ttg.memdesc_index %63[%138] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %147 = arith.cmpi slt, %arg12, %c2_i32 : i32
        %148 = tt.splat %147 : i1 -> tensor<64x64xi1, #blocked1>
        %149 = arith.andi %148, %23 : tensor<64x64xi1, #blocked1>
        %150 = ttg.async_copy_global_to_local %145, %146 mask %149 other %cst_4 {contiguity = 8 : i32, tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
        %151 = ttg.async_commit_group tokens %150
        %152 = tt.addptr %61, %144 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
        %153 = ttg.memdesc_index %64[%138] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %154 = arith.andi %148, %62 : tensor<64x64xi1, #blocked1>
        %155 = ttg.async_copy_global_to_local %152, %153 mask %154 other %cst_4 {contiguity = 8 : i32, tk.skippable} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
        %156 = ttg.async_commit_group tokens %155
        %157 = ttng.warp_group_dot %132, %133, %135#0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x32xf16, #shared, #smem, mutable, 64x64> * !ttg.memdesc<32x64xf16, #shared1, #smem, mutable, 64x64> -> tensor<64x64xf32, #mma>
        %158 = arith.addi %arg14, %c1_i32 : i32
        %159 = arith.cmpi sge, %158, %c3_i32 : i32
        %160 = arith.select %159, %c0_i32, %158 : i32
        scf.yield %157, %160, %151, %arg15, %156, %arg17, %138 : tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32
      }
      %82 = ttng.warp_group_dot_wait %81#0 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %83 = ttg.async_wait {num = 0 : i32}
      ttg.local_dealloc %64 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %63 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      %84 = tt.addptr %26, %59 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
      %85 = tt.broadcast %84 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
      %86 = tt.addptr %85, %28 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %87 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %88 = ttg.async_copy_global_to_local %86, %87 mask %62 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %89 = ttg.async_commit_group tokens %88
      %90 = tt.addptr %85, %31 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %91 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %92 = ttg.async_copy_global_to_local %90, %91 mask %62 other %cst_4 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1> -> <64x64xf16, #shared, #smem, mutable>
      %93 = ttg.async_commit_group tokens %92
      %94 = tt.expand_dims %55 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
      %95 = arith.cmpi slt, %94, %25 : tensor<1x64xi32, #mma>
      %96 = arith.mulf %82, %cst_3 : tensor<64x64xf32, #mma>
      %97 = tt.broadcast %95 : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
      %98 = arith.select %97, %96, %cst_2 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %99 = "tt.reduce"(%98) <{axis = 1 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %126 = arith.maxnumf %arg12, %arg13 : f32
        tt.reduce.return %126 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %100 = arith.maxnumf %arg8, %99 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %101 = tt.expand_dims %100 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %102 = tt.broadcast %101 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %103 = arith.subf %98, %102 : tensor<64x64xf32, #mma>
      %104 = math.exp %103 : tensor<64x64xf32, #mma>
      %105 = arith.subf %arg8, %100 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %106 = math.exp %105 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %107 = tt.reshape %104 : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
      %108 = tt.trans %107 {order = array<i32: 0, 2, 1, 3>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x4x8x2xf32, #linear2>
      %109 = tt.reshape %108 : tensor<64x4x8x2xf32, #linear2> -> tensor<64x4x16xf32, #linear>
      %110 = "tt.reduce"(%109) <{axis = 2 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %126 = arith.addf %arg12, %arg13 : f32
        tt.reduce.return %126 : f32
      }) : (tensor<64x4x16xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %111 = tt.reshape %106 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %112 = tt.broadcast %111 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %113 = arith.mulf %arg11, %112 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %114 = arith.addf %113, %110 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %115 = arith.truncf %104 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %116 = tt.expand_dims %106 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %117 = tt.broadcast %116 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %118 = arith.mulf %arg9, %117 : tensor<64x64xf32, #mma>
      %119 = ttg.convert_layout %115 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %120 = ttg.async_wait %89, %93 {num = 0 : i32, tk.behind_words}
      ttng.fence_async_shared {bCluster = false}
      %121 = ttng.warp_group_dot %119, %87, %118 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %122 = arith.mulf %arg10, %117 : tensor<64x64xf32, #mma>
      %123 = ttng.warp_group_dot %119, %91, %122 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %124:3 = ttng.warp_group_dot_wait %121, %119, %87 {pendings = 1 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %125:3 = ttng.warp_group_dot_wait %123, %119, %91 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      scf.yield %100, %124#0, %125#0, %114 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    }
    %33 = "tt.reduce"(%32#3) <{axis = 1 : i32}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %53 = arith.addf %arg7, %arg8 : f32
      tt.reduce.return %53 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %34 = tt.reshape %33 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %35 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked>
    %36 = arith.muli %11, %35 : tensor<64x1xi32, #blocked>
    %37 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %38 = tt.addptr %37, %36 : tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>
    %39 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %40 = tt.broadcast %38 : tensor<64x1x!tt.ptr<f16>, #blocked> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %41 = tt.broadcast %39 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %42 = tt.addptr %40, %41 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %43 = tt.expand_dims %34 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %44 = tt.broadcast %43 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %45 = arith.divf %32#1, %44 : tensor<64x64xf32, #mma>
    %46 = arith.truncf %45 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %47 = tt.broadcast %15 : tensor<64x1xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %48 = ttg.convert_layout %46 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %42, %48, %47 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %49 = tt.addptr %42, %cst_0 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %50 = arith.divf %32#2, %44 : tensor<64x64xf32, #mma>
    %51 = arith.truncf %50 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %52 = ttg.convert_layout %51 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %49, %52, %47 : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

