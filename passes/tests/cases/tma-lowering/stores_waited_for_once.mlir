// passes: tma-lowering
// warps: 8
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A block that leaves in halves: each has a buffer, and one wait is for both. The store in the branch waits for itself.
  tt.func public @halves(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %row: i32, %a: tensor<64x64xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    tt.descriptor_store %desc[%row, %c0], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    %first = arith.cmpi eq, %row, %c0 : i32
    scf.if %first {
      tt.descriptor_store %desc[%row, %c0], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    }
    tt.descriptor_store %desc[%row, %c0], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.descriptor_store %desc[%row, %c64], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.return
  }
  // What was loaded is stored from the buffer of the load, twice.
  tt.func public @copied(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %row: i32) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %a = tt.descriptor_load %desc[%c0, %c0] : !tt.tensordesc<tensor<64x64xf16, #shared>> -> tensor<64x64xf16, #blocked>
    tt.descriptor_store %desc[%row, %c0], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.descriptor_store %desc[%row, %c64], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    tt.return
  }
  // A second buffer of this size would take one of two CTAs from a multiprocessor.
  tt.func public @large(%desc: !tt.tensordesc<tensor<256x64xf32, #shared>>, %row: i32, %a: tensor<256x64xf32, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    tt.descriptor_store %desc[%row, %c0], %a : !tt.tensordesc<tensor<256x64xf32, #shared>>, tensor<256x64xf32, #blocked>
    tt.descriptor_store %desc[%row, %c64], %a : !tt.tensordesc<tensor<256x64xf32, #shared>>, tensor<256x64xf32, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @halves(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32, %arg2: tensor<64x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = ttg.local_alloc %arg2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %c0_i32] %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    %1 = arith.cmpi eq, %arg1, %c0_i32 : i32
    scf.if %1 {
      %4 = ttg.local_alloc %arg2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg0[%arg1, %c0_i32] %4 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    }
    %2 = ttg.local_alloc %arg2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %c0_i32] %2 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    %3 = ttg.local_alloc %arg2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %c64_i32] %3 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %2 : !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return
  }
  tt.func public @copied(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %1, 8192, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    ttng.wait_barrier %1, %c0_i32_0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %c0_i32] %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %c64_i32] %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
  tt.func public @large(%arg0: !tt.tensordesc<tensor<256x64xf32, #shared>>, %arg1: i32, %arg2: tensor<256x64xf32, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = ttg.local_alloc %arg2 : (tensor<256x64xf32, #blocked>) -> !ttg.memdesc<256x64xf32, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %c0_i32] %0 : !tt.tensordesc<tensor<256x64xf32, #shared>>, !ttg.memdesc<256x64xf32, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    %1 = ttg.local_alloc %arg2 : (tensor<256x64xf32, #blocked>) -> !ttg.memdesc<256x64xf32, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %arg0[%arg1, %c64_i32] %1 : !tt.tensordesc<tensor<256x64xf32, #shared>>, !ttg.memdesc<256x64xf32, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    tt.return
  }
}

