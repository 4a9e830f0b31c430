// passes: tt,ttg,llvm
// stages: 3
// counts: ttng.warp_group_dot 2, tt.load 4, ttng.wait_barrier 2, gpu.barrier 3
// The product of the next iteration is issued in this one, behind what reads its registers; the last iteration follows the loop.
module {
  tt.func public @block_scaled(%a_desc: !tt.tensordesc<tensor<64x64xf16>>, %a_desc_0: i32, %a_desc_1: i32, %a_desc_2: i64, %a_desc_3: i64, %b_desc: !tt.tensordesc<tensor<64x64xf16>>, %b_desc_4: i32, %b_desc_5: i32, %b_desc_6: i64, %b_desc_7: i64, %out_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %a_scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b_scales: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %steps: i32, %stride: i32) attributes {noinline = false} {
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %total = scf.for %total_9 = %c0_i32 to %steps step %c1_i32 iter_args(%total_10 = %cst_8) -> (tensor<64x64xf32>)  : i32 {
      %8 = arith.muli %total_9, %c64_i32 : i32
      %a = tt.descriptor_load %a_desc[%c0_i32, %8] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %b = tt.descriptor_load %b_desc[%c0_i32, %8] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      %9 = arith.muli %total_9, %stride : i32
      %10 = tt.addptr %a_scales, %9 : !tt.ptr<f32>, i32
      %11 = tt.splat %10 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %12 = tt.addptr %11, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %a_s = tt.load %12 : tensor<64x!tt.ptr<f32>>
      %13 = tt.addptr %b_scales, %total_9 : !tt.ptr<f32>, i32
      %b_s = tt.load %13 : !tt.ptr<f32>
      %14 = tt.trans %b {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
      %15 = tt.dot %a, %14, %cst_8, inputPrecision = tf32 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      %16 = tt.expand_dims %a_s {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %17 = tt.broadcast %16 : tensor<64x1xf32> -> tensor<64x64xf32>
      %18 = arith.mulf %15, %17 : tensor<64x64xf32>
      %19 = tt.splat %b_s : f32 -> tensor<64x64xf32>
      %20 = arith.mulf %18, %19 : tensor<64x64xf32>
      %total_11 = arith.addf %total_10, %20 : tensor<64x64xf32>
      scf.yield %total_11 : tensor<64x64xf32>
    }
    %0 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %1 = arith.muli %0, %cst : tensor<64x1xi32>
    %2 = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %3 = tt.addptr %2, %1 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %4 = tt.expand_dims %rows {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %5 = tt.broadcast %3 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %6 = tt.broadcast %4 : tensor<1x64xi32> -> tensor<64x64xi32>
    %7 = tt.addptr %5, %6 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %7, %total : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 49176 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @block_scaled(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: i64, %arg5: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg6: i32, %arg7: i32, %arg8: i64, %arg9: i64, %arg10: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg11: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg12: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg13: i32, %arg14: i32) attributes {noinline = false} {
    %true = arith.constant true
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %false = arith.constant false
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = arith.cmpi sgt, %arg13, %c0_i32 : i32
    %4 = scf.if %3 -> (tensor<64x64xf32, #mma>) {
      %14 = ttg.local_alloc {allocation.offset = 49152 : i32, tk.allocation_size = 24 : i32} : () -> !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
      %15 = ttg.memdesc_index %14[%c0_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %16 = ttg.memdesc_index %14[%c1_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %17 = ttg.memdesc_index %14[%c2_i32] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %15, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %16, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %17, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %18 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      %19 = ttg.local_alloc {allocation.offset = 24576 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      gpu.barrier
      ttng.barrier_expect %15, 16384, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %20 = ttg.memdesc_index %18[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %20, %15, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %21 = ttg.memdesc_index %19[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%c0_i32, %c0_i32] %21, %15, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %22 = arith.cmpi sgt, %arg13, %c1_i32 : i32
      ttng.barrier_expect %16, 16384, %22 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %23 = ttg.memdesc_index %18[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c64_i32] %23, %16, %22 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %24 = ttg.memdesc_index %19[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%c0_i32, %c64_i32] %24, %16, %22 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %25 = arith.cmpi sgt, %arg13, %c2_i32 : i32
      ttng.barrier_expect %17, 16384, %25 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %26 = ttg.memdesc_index %18[%c2_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c128_i32] %26, %17, %25 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %27 = ttg.memdesc_index %19[%c2_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%c0_i32, %c128_i32] %27, %17, %25 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %28 = tt.splat %arg11 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %29 = tt.addptr %28, %0 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %30 = tt.load %29 {tk.vector = 1 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %31 = tt.load %arg12 : !tt.ptr<f32>
      %32 = ttg.memdesc_trans %21 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
      ttng.wait_barrier %15, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %33 = ttng.warp_group_dot %20, %32, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<64x64xf32, #mma>
      %34 = arith.subi %arg13, %c1_i32 : i32
      %35 = arith.subi %arg13, %c3_i32 : i32
      %36 = arith.maxsi %arg13, %c0_i32 : i32
      %37 = arith.subi %36, %c1_i32 : i32
      %38:7 = scf.for %arg15 = %c0_i32 to %37 step %c1_i32 iter_args(%arg16 = %cst, %arg17 = %30, %arg18 = %33, %arg19 = %c0_i32, %arg20 = %c0_i32, %arg21 = %31, %arg22 = %c2_i32) -> (tensor<64x64xf32, #mma>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>, i32, i32, f32, i32)  : i32 {
        %46 = tt.expand_dims %arg17 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
        %47 = tt.broadcast %46 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
        %48 = arith.addi %arg15, %c1_i32 : i32
        %49 = arith.muli %48, %arg14 : i32
        %50 = tt.addptr %arg11, %49 : !tt.ptr<f32>, i32
        %51 = tt.splat %50 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
        %52 = tt.addptr %51, %0 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
        %53 = arith.cmpi slt, %arg15, %34 : i32
        %54 = tt.splat %53 : i1 -> tensor<64xi1, #ttg.slice<{dim = 1, parent = #mma}>>
        %55 = tt.load %52, %54 {tk.vector = 1 : i32} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
        %56 = tt.addptr %arg12, %48 : !tt.ptr<f32>, i32
        %57 = tt.load %56, %53 : !tt.ptr<f32>
        %58 = ttng.warp_group_dot_wait %arg18 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
        %59 = arith.mulf %58, %47 : tensor<64x64xf32, #mma>
        %60 = arith.addi %arg19, %c1_i32 : i32
        %61 = arith.cmpi sge, %60, %c3_i32 : i32
        %62 = arith.xori %arg20, %c1_i32 : i32
        %63 = arith.select %61, %62, %arg20 : i32
        %64 = arith.select %61, %c0_i32, %60 : i32
        %65 = ttg.memdesc_index %18[%64] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %66 = ttg.memdesc_index %19[%64] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %67 = ttg.memdesc_trans %66 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
        %68 = ttg.memdesc_index %14[%64] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.wait_barrier %68, %63 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %69 = ttng.warp_group_dot %65, %67, %58, %false {inputPrecision = 0 : i32, isAsync = true, tk.issued_ahead} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<64x64xf32, #mma>
        %70 = tt.splat %arg21 : f32 -> tensor<64x64xf32, #mma>
        %71 = arith.mulf %59, %70 : tensor<64x64xf32, #mma>
        %72 = arith.addf %arg16, %71 : tensor<64x64xf32, #mma>
        %73 = arith.addi %arg22, %c1_i32 : i32
        %74 = arith.cmpi sge, %73, %c3_i32 : i32
        %75 = arith.select %74, %c0_i32, %73 : i32
        %76 = arith.addi %arg15, %c3_i32 : i32
        %77 = arith.muli %76, %c64_i32 : i32
        %78 = ttg.memdesc_index %14[%75] : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %79 = arith.cmpi slt, %arg15, %35 : i32
        %80 = ttng.warp_group_dot_wait %72 {pendings = 1 : i32} : tensor<64x64xf32, #mma>
        gpu.barrier
        ttng.barrier_expect %78, 16384, %79 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %81 = ttg.memdesc_index %18[%75] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %77] %81, %78, %79 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %82 = ttg.memdesc_index %19[%75] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %arg5[%c0_i32, %77] %82, %78, %79 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        scf.yield %80, %55, %69, %64, %63, %57, %75 : tensor<64x64xf32, #mma>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma>, i32, i32, f32, i32
      }
      %39 = ttng.warp_group_dot_wait %38#2 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %40 = tt.expand_dims %38#1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %41 = tt.broadcast %40 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %42 = arith.mulf %39, %41 : tensor<64x64xf32, #mma>
      %43 = tt.splat %38#5 : f32 -> tensor<64x64xf32, #mma>
      %44 = arith.mulf %42, %43 : tensor<64x64xf32, #mma>
      %45 = arith.addf %38#0, %44 : tensor<64x64xf32, #mma>
      gpu.barrier
      ttng.inval_barrier %15 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %16 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %17 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttg.local_dealloc %19 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %18 : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %14 : !ttg.memdesc<3x1xi64, #shared1, #smem, mutable>
      scf.yield %45 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %cst : tensor<64x64xf32, #mma>
    }
    %5 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %6 = arith.muli %5, %cst_0 : tensor<64x1xi32, #blocked>
    %7 = tt.splat %arg10 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %8 = tt.addptr %7, %6 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %9 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %10 = tt.broadcast %8 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %11 = tt.broadcast %9 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %12 = tt.addptr %10, %11 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %13 = ttg.convert_layout %4 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %12, %13 {tk.vector = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

