// passes: start-next-tiles
// The copies that start a tile stand before the loop, and behind the wait for the products of the tile before.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product_tiles(%a_desc: !tt.tensordesc<tensor<128x64xf16, #shared>>, %a_desc_0: i32, %a_desc_1: i32, %a_desc_2: i64, %a_desc_3: i64, %b_desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %b_desc_4: i32, %b_desc_5: i32, %b_desc_6: i64, %b_desc_7: i64, %c_desc: !tt.tensordesc<tensor<128x64xf16, #shared>>, %c_desc_8: i32, %c_desc_9: i32, %c_desc_10: i64, %c_desc_11: i64, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %tiles_m: i32, %tiles_n: i32, %steps: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c132_i32 = arith.constant 132 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %tiles_m, %tiles_n : i32
    %2 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    scf.for %arg19 = %0 to %1 step %c132_i32  : i32 {
      %3 = arith.divsi %arg19, %tiles_n : i32
      %row = arith.muli %3, %c128_i32 : i32
      %4 = arith.remsi %arg19, %tiles_n : i32
      %column = arith.muli %4, %c64_i32 : i32
      %acc = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
      %acc_12 = ttg.memdesc_index %acc[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %acc_13 = ttg.memdesc_index %acc[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %acc_12, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %acc_13, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %a = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
      %b = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
      %acc_14 = arith.cmpi sgt, %steps, %c0_i32 : i32
      ttng.barrier_expect %acc_12, 24576, %acc_14 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %a_15 = ttg.memdesc_index %a[%c0_i32] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %a_desc[%row, %c0_i32] %a_15, %acc_12, %acc_14 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %a_16 = ttg.memdesc_index %b[%c0_i32] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %b_desc[%column, %c0_i32] %a_16, %acc_12, %acc_14 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %a_17 = arith.subi %steps, %c1_i32 : i32
      %acc_18:4 = scf.for %acc_20 = %c0_i32 to %steps step %c1_i32 iter_args(%acc_21 = %cst, %acc_22 = %c-1_i32, %acc_23 = %c0_i32, %acc_24 = %c0_i32) -> (tensor<128x64xf32, #mma>, i32, i32, i32)  : i32 {
        %acc_25 = arith.addi %acc_22, %c1_i32 : i32
        %acc_26 = arith.cmpi sge, %acc_25, %c2_i32 : i32
        %acc_27 = arith.xori %acc_23, %c1_i32 : i32
        %acc_28 = arith.select %acc_26, %acc_27, %acc_23 : i32
        %acc_29 = arith.select %acc_26, %c0_i32, %acc_25 : i32
        %a_30 = ttg.memdesc_index %a[%acc_29] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %b_31 = ttg.memdesc_index %b[%acc_29] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %6 = ttg.memdesc_trans %b_31 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
        %a_32 = ttg.memdesc_index %acc[%acc_29] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.wait_barrier %a_32, %acc_28 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %acc_33 = ttng.warp_group_dot %a_30, %6, %acc_21 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<128x64xf32, #mma>
        %acc_34:3 = ttng.warp_group_dot_wait %acc_33, %a_30, %6 {pendings = 1 : i32} : tensor<128x64xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
        %acc_35 = arith.addi %acc_24, %c1_i32 : i32
        %acc_36 = arith.cmpi sge, %acc_35, %c2_i32 : i32
        %acc_37 = arith.select %acc_36, %c0_i32, %acc_35 : i32
        %7 = arith.addi %acc_20, %c1_i32 : i32
        %8 = arith.muli %7, %c64_i32 : i32
        %a_38 = ttg.memdesc_index %acc[%acc_37] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %acc_39 = arith.cmpi slt, %acc_20, %a_17 : i32
        ttng.barrier_expect %a_38, 24576, %acc_39 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %a_40 = ttg.memdesc_index %a[%acc_37] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %a_desc[%row, %8] %a_40, %a_38, %acc_39 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %a_41 = ttg.memdesc_index %b[%acc_37] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %b_desc[%column, %8] %a_41, %a_38, %acc_39 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        scf.yield %acc_34#0, %acc_29, %acc_28, %acc_37 : tensor<128x64xf32, #mma>, i32, i32, i32
      }
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      gpu.barrier
      %acc_19 = ttng.warp_group_dot_wait %acc_18#0 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      ttng.inval_barrier %acc_12 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %acc_13 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttg.local_dealloc %b : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %a : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
      ttg.local_dealloc %acc : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
      %5 = arith.truncf %acc_19 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      ttg.local_store %5, %2 : tensor<128x64xf16, #mma> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %c_desc[%row, %column] %2 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    }
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %2 : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @product_tiles(%arg0: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg1: i32, %arg2: i32, %arg3: i64, %arg4: i64, %arg5: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg6: i32, %arg7: i32, %arg8: i64, %arg9: i64, %arg10: !tt.tensordesc<tensor<128x64xf16, #shared>>, %arg11: i32, %arg12: i32, %arg13: i64, %arg14: i64, %arg15: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg16: i32, %arg17: i32, %arg18: i32) attributes {noinline = false} {
    %c2_i32 = arith.constant 2 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c132_i32 = arith.constant 132 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %arg16, %arg17 : i32
    %2 = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %4 = ttg.memdesc_index %3[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %5 = ttg.memdesc_index %3[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %6 = ttg.local_alloc : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
    %7 = ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    %8 = ttg.memdesc_index %6[%c0_i32] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %9 = ttg.memdesc_index %7[%c0_i32] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %10 = arith.cmpi slt, %0, %1 : i32
    ttng.init_barrier %4, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %5, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    %c1_i32_0 = arith.constant 1 : i32
    %11 = arith.select %10, %arg17, %c1_i32_0 : i32
    %12 = arith.divsi %0, %11 : i32
    %13 = arith.muli %12, %c128_i32 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %14 = arith.select %10, %arg17, %c1_i32_1 : i32
    %15 = arith.remsi %0, %14 : i32
    %16 = arith.muli %15, %c64_i32 : i32
    %17 = arith.cmpi sgt, %arg18, %c0_i32 : i32
    %18 = arith.andi %17, %10 : i1
    ttng.barrier_expect %4, 24576, %18 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%13, %c0_i32] %8, %4, %18 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg5[%16, %c0_i32] %9, %4, %18 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    scf.for %arg19 = %0 to %1 step %c132_i32  : i32 {
      %19 = arith.divsi %arg19, %arg17 : i32
      %20 = arith.muli %19, %c128_i32 : i32
      %21 = arith.remsi %arg19, %arg17 : i32
      %22 = arith.muli %21, %c64_i32 : i32
      %23 = arith.cmpi sgt, %arg18, %c0_i32 : i32
      %24 = arith.subi %arg18, %c1_i32 : i32
      %25:4 = scf.for %arg20 = %c0_i32 to %arg18 step %c1_i32 iter_args(%arg21 = %cst, %arg22 = %c-1_i32, %arg23 = %c0_i32, %arg24 = %c0_i32) -> (tensor<128x64xf32, #mma>, i32, i32, i32)  : i32 {
        %38 = arith.addi %arg22, %c1_i32 : i32
        %39 = arith.cmpi sge, %38, %c2_i32 : i32
        %40 = arith.xori %arg23, %c1_i32 : i32
        %41 = arith.select %39, %40, %arg23 : i32
        %42 = arith.select %39, %c0_i32, %38 : i32
        %43 = ttg.memdesc_index %6[%42] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %44 = ttg.memdesc_index %7[%42] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        %45 = ttg.memdesc_trans %44 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
        %46 = ttg.memdesc_index %3[%42] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        ttng.wait_barrier %46, %41 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %47 = ttng.warp_group_dot %43, %45, %arg21 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared2, #smem, mutable> -> tensor<128x64xf32, #mma>
        %48:3 = ttng.warp_group_dot_wait %47, %43, %45 {pendings = 1 : i32} : tensor<128x64xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
        %49 = arith.addi %arg24, %c1_i32 : i32
        %50 = arith.cmpi sge, %49, %c2_i32 : i32
        %51 = arith.select %50, %c0_i32, %49 : i32
        %52 = arith.addi %arg20, %c1_i32 : i32
        %53 = arith.muli %52, %c64_i32 : i32
        %54 = ttg.memdesc_index %3[%51] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %55 = arith.cmpi slt, %arg20, %24 : i32
        ttng.barrier_expect %54, 24576, %55 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
        %56 = ttg.memdesc_index %6[%51] : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %arg0[%20, %53] %56, %54, %55 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %57 = ttg.memdesc_index %7[%51] : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        ttng.async_tma_copy_global_to_local %arg5[%22, %53] %57, %54, %55 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        scf.yield %48#0, %42, %41, %51 : tensor<128x64xf32, #mma>, i32, i32, i32
      }
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      gpu.barrier
      %26 = ttng.warp_group_dot_wait %25#0 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %27 = arith.addi %arg19, %c132_i32 : i32
      %28 = arith.cmpi slt, %27, %1 : i32
      gpu.barrier
      ttng.inval_barrier %4 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %5 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %4, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %5, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      gpu.barrier
      %c1_i32_2 = arith.constant 1 : i32
      %29 = arith.select %28, %arg17, %c1_i32_2 : i32
      %30 = arith.divsi %27, %29 : i32
      %31 = arith.muli %30, %c128_i32 : i32
      %c1_i32_3 = arith.constant 1 : i32
      %32 = arith.select %28, %arg17, %c1_i32_3 : i32
      %33 = arith.remsi %27, %32 : i32
      %34 = arith.muli %33, %c64_i32 : i32
      %35 = arith.cmpi sgt, %arg18, %c0_i32 : i32
      %36 = arith.andi %35, %28 : i1
      ttng.barrier_expect %4, 24576, %36 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%31, %c0_i32] %8, %4, %36 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg5[%34, %c0_i32] %9, %4, %36 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %37 = arith.truncf %26 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      ttg.local_store %37, %2 : tensor<128x64xf16, #mma> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg10[%20, %22] %2 : !tt.tensordesc<tensor<128x64xf16, #shared>>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    }
    ttng.inval_barrier %4 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %5 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttg.local_dealloc %7 : !ttg.memdesc<2x64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %6 : !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %3 : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %2 : !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

