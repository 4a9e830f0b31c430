// passes: pipeline
// warps: 8
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A block that leaves in four parts: with a fourth buffer fewer CTAs would share a multiprocessor, so the last part waits for the first.
  tt.func public @parts(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %rows: i32, %a: tensor<64x64xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %c192 = arith.constant 192 : i32
    scf.for %i = %c0 to %rows step %c1 : i32 {
      tt.descriptor_store %desc[%i, %c0], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
      tt.descriptor_store %desc[%i, %c64], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
      tt.descriptor_store %desc[%i, %c128], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
      tt.descriptor_store %desc[%i, %c192], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    }
    tt.return
  }
  // Only one of the two is stored in every iteration: the second waits for whatever came before it.
  tt.func public @sometimes(%desc: !tt.tensordesc<tensor<64x64xf16, #shared>>, %rows: i32, %a: tensor<64x64xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    scf.for %i = %c0 to %rows step %c1 : i32 {
      %first = arith.cmpi eq, %i, %c0 : i32
      scf.if %first {
        tt.descriptor_store %desc[%i, %c0], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
      }
      tt.descriptor_store %desc[%i, %c64], %a : !tt.tensordesc<tensor<64x64xf16, #shared>>, tensor<64x64xf16, #blocked>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @parts(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32, %arg2: tensor<64x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c192_i32 = arith.constant 192 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      ttg.local_store %arg2, %0 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg0[%arg3, %c0_i32] %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttg.local_store %arg2, %1 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg0[%arg3, %c64_i32] %1 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttg.local_store %arg2, %2 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg0[%arg3, %c128_i32] %2 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      ttg.local_store %arg2, %0 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg0[%arg3, %c192_i32] %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    }
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %2 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %1 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
  tt.func public @sometimes(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32, %arg2: tensor<64x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %1 = arith.cmpi eq, %arg3, %c0_i32 : i32
      scf.if %1 {
        ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
        ttg.local_store %arg2, %0 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
        ttng.fence_async_shared {bCluster = false}
        ttng.async_tma_copy_local_to_global %arg0[%arg3, %c0_i32] %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      }
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
      ttg.local_store %arg2, %0 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg0[%arg3, %c64_i32] %0 : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    }
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %0 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

