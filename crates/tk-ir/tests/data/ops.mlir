#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0], CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]], warp = [[4, 0], [8, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.padded_shared<[16:+1, 64:+4] {order = [1, 0], shape = [16, 32]}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#shared3 = #ttg.padded_shared<[16:+1] {offset = [[0, 1], [0, 2], [1, 0]], block = []}>
#shared4 = #ttg.shared_linear<{offset = [[0, 1], [1, 0]]}, alignment = 16>
#shared5 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, fp4Padded = true}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func private @declared(!tt.ptr<f32>, i32) -> f32
  tt.func public @elementwise(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8, 3>, %arg2: i64, %arg3: tensor<16x32xf16, #blocked>) attributes {noinline = false} {
    %0 = tt.int_to_ptr %arg2 : i64 -> !tt.ptr<f32>
    %1 = tt.ptr_to_int %0 : !tt.ptr<f32> -> i64
    %2 = tt.load %arg0 cacheModifier = cg evictionPolicy = evict_last {isVolatile = true} : !tt.ptr<f32>
    tt.store %arg0, %2 cacheModifier = wb : !tt.ptr<f32>
    %3 = tt.extern_elementwise %2, %2 {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
    %4 = tt.approx_divf %2, %3 : f32
    %true = arith.constant true
    tt.assert %true, "message" : i1
    %5 = tt.get_num_programs z : i32
    %6 = tt.call @declared(%arg0, %5) : (!tt.ptr<f32>, i32) -> f32
    tt.print " none: " {hex = false, isSigned = array<i32>}
    %7 = tt.atomic_load acquire, gpu, %arg0 : (!tt.ptr<f32>) -> f32
    tt.atomic_store release, sys, %arg0, %7 : !tt.ptr<f32>
    tt.grid_dependency_wait
    tt.grid_dependency_launch_dependents
    %8 = "tt.map_elementwise"(%arg3) <{pack = 1 : i32}> ({
    ^bb0(%arg4: f16):
      tt.map_elementwise.return %arg4 : f16
    }) : (tensor<16x32xf16, #blocked>) -> tensor<16x32xf16, #blocked>
    tt.return
  }
  tt.func public @shapes(%arg0: tensor<16x32xf32, #blocked>, %arg1: tensor<16x32xi8, #blocked>, %arg2: tensor<16x1xi8, #blocked>) {
    %0 = tt.join %arg0, %arg0 : tensor<16x32xf32, #blocked> -> tensor<16x32x2xf32>
    %outLHS, %outRHS = tt.split %0 : tensor<16x32x2xf32> -> tensor<16x32xf32>
    %1 = tt.reshape %arg0 allow_reorder efficient_layout : tensor<16x32xf32, #blocked> -> tensor<512xf32>
    %2 = ttg.convert_layout %arg0 : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #linear>
    %3 = ttg.convert_layout %2 : tensor<16x32xf32, #linear> -> tensor<16x32xf32, #blocked1>
    %4 = tt.expand_dims %1 {axis = 0 : i32} : tensor<512xf32> -> tensor<1x512xf32>
    %5 = tt.broadcast %4 : tensor<1x512xf32> -> tensor<8x512xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<1x1xf32>
    %6 = tt.unsplat %cst : tensor<1x1xf32>
    %7 = ttg.fp4_to_fp %arg1 {axis = 1 : i32} : tensor<16x32xi8, #blocked> -> tensor<16x64xf16>
    %8 = ttg.warp_id
    %9 = ttg.convert_layout %arg0 : tensor<16x32xf32, #blocked> -> tensor<16x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    tt.return
  }
  tt.func public @scaled(%arg0: tensor<128x64xf8E5M2>, %arg1: tensor<128x2xi8>, %arg2: tensor<64x128xf8E5M2>, %arg3: tensor<128x128xf32>) {
    %0 = tt.dot_scaled %arg0 scale %arg1, %arg2, %arg3 lhs = e5m2 rhs = e5m2 {fastMath = false} : tensor<128x64xf8E5M2>, tensor<128x2xi8> * tensor<64x128xf8E5M2> -> tensor<128x128xf32>
    %1 = tt.dot %0, %0, %0, inputPrecision = tf32 {maxNumImpreciseAcc = 32 : i32} : tensor<128x128xf32> * tensor<128x128xf32> -> tensor<128x128xf32>
    tt.return
  }
  tt.func public @shared(%arg0: tensor<16x32xf16, #blocked>, %arg1: tensor<16x32xi32, #blocked>, %arg2: tensor<16x32x!tt.ptr<f16>, #blocked>, %arg3: i32) {
    %0 = ttg.local_alloc %arg0 : (tensor<16x32xf16, #blocked>) -> !ttg.memdesc<16x32xf16, #shared, #smem>
    %1 = ttg.local_alloc {alignment = 128 : i32} : () -> !ttg.memdesc<2x16x32xf16, #shared1, #smem, mutable>
    %2 = ttg.memdesc_index %1[%arg3] : !ttg.memdesc<2x16x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<16x32xf16, #shared1, #smem, mutable>
    %3 = ttg.memdesc_subslice %2[0, 16] : !ttg.memdesc<16x32xf16, #shared1, #smem, mutable> -> !ttg.memdesc<16x16xf16, #shared1, #smem, mutable, 16x32>
    %4 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>} : !ttg.memdesc<16x32xf16, #shared, #smem> -> !ttg.memdesc<32x16xf16, #shared2, #smem>
    %5 = ttg.memdesc_reshape %0 : !ttg.memdesc<16x32xf16, #shared, #smem> -> !ttg.memdesc<32x16xf16, #shared, #smem>
    %6 = ttg.memdesc_reinterpret %0 : !ttg.memdesc<16x32xf16, #shared, #smem> -> !ttg.memdesc<16x32xbf16, #shared3, #smem>
    %7 = ttg.local_gather %0[%arg1] {axis = 0 : i32} : !ttg.memdesc<16x32xf16, #shared, #smem>, tensor<16x32xi32, #blocked> -> tensor<16x32xf16, #blocked>
    ttg.local_scatter %2[%arg1], %7 {axis = 0 : i32} : !ttg.memdesc<16x32xf16, #shared1, #smem, mutable>, tensor<16x32xi32, #blocked>, tensor<16x32xf16, #blocked>
    %8 = ttg.async_copy_global_to_local %arg2, %2 cacheModifier = cg : tensor<16x32x!tt.ptr<f16>, #blocked> -> <16x32xf16, #shared1, #smem, mutable>
    %9 = ttg.async_commit_group tokens %8
    %10 = ttg.async_wait %9 {num = 0 : i32}
    ttg.barrier local
    ttg.barrier local|global_read
    ttg.barrier all
    %11 = ttg.local_alloc : () -> !ttg.memdesc<2x2xf16, #shared4, #smem, mutable>
    ttg.local_dealloc %11 : !ttg.memdesc<2x2xf16, #shared4, #smem, mutable>
    %c0_i32 = arith.constant 0 : i32
    %12 = ttg.predicate_stage %arg3, %arg3, %c0_i32 maxStage 3 stage 1 : i32 -> i1
    %13 = "ttg.mask"(%12) ({
      ttg.mask.return %arg3 : i32
    }) : (i1) -> i32
    tt.return
  }
  tt.func public @specialised(%arg0: i32, %arg1: i32) {
    %0 = ttg.warp_specialize(%arg0, %arg1) attributes {requestedRegisters = array<i32: 24>}
    default {
      ttg.warp_yield %arg1 : i32
    }
    partition0(%arg2: i32, %arg3: i32) num_warps(8) {
      ttg.warp_return
    } : (i32, i32) -> i32
    tt.return
  }
  tt.func public @hopper(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared5>>, %arg1: !ttg.memdesc<1xi64, #shared, #smem, mutable>, %arg2: !ttg.memdesc<64x64xf16, #shared5, #smem, mutable>, %arg3: i32, %arg4: tensor<64xi32>, %arg5: tensor<64x64xf16>) {
    %true = arith.constant true
    ttng.wait_barrier %arg1, %arg3, %true deps %arg2 : !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared5, #smem, mutable>
    ttng.arrive_barrier %arg1, 1, %true : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.async_copy_mbarrier_arrive %arg1 {noIncrement} : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.async_tma_gather %arg0[%arg4, %arg3] %arg2, %arg1, %true : !tt.tensordesc<tensor<64x64xf16, #shared5>>, tensor<64xi32>, i32, !ttg.memdesc<1xi64, #shared, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared5, #smem, mutable>, i1
    ttng.async_tma_scatter %arg0[%arg4, %arg3] %arg2 : !tt.tensordesc<tensor<64x64xf16, #shared5>>, tensor<64xi32>, i32, !ttg.memdesc<64x64xf16, #shared5, #smem, mutable>
    ttng.async_tma_reduce add, %arg0[%arg3, %arg3] %arg2 : !tt.tensordesc<tensor<64x64xf16, #shared5>>, !ttg.memdesc<64x64xf16, #shared5, #smem, mutable>
    ttng.cluster_barrier {relaxed = true}
    ttng.fence_mbarrier_init_release_cluster
    %0 = tt.descriptor_gather %arg0[%arg4, %arg3] : (!tt.tensordesc<tensor<64x64xf16, #shared5>>, tensor<64xi32>, i32) -> tensor<64x64xf16>
    tt.descriptor_scatter %arg0[%arg4, %arg3], %0 : !tt.tensordesc<tensor<64x64xf16, #shared5>>, tensor<64xi32>, i32, tensor<64x64xf16>
    tt.descriptor_reduce add, %arg0[%arg3, %arg3], %arg5 : !tt.tensordesc<tensor<64x64xf16, #shared5>>, tensor<64x64xf16>
    tt.return
  }
}

