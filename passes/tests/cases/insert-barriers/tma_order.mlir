// passes: tma-lowering,allocate-shared-memory,insert-barriers
#each = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What is loaded was just stored, so the store is waited for; what is loaded by another descriptor is other memory.
  tt.func public @again(%d: !tt.tensordesc<tensor<8x64xf16, #shared>>, %e: !tt.tensordesc<tensor<8x64xf16, #shared>>, %x: tensor<8x64xf16, #each>) {
    %c0 = arith.constant 0 : i32
    tt.descriptor_store %d[%c0, %c0], %x : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    %other = tt.descriptor_load %e[%c0, %c0] : !tt.tensordesc<tensor<8x64xf16, #shared>> -> tensor<8x64xf16, #each>
    %same = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<8x64xf16, #shared>> -> tensor<8x64xf16, #each>
    %sum = arith.addf %other, %same : tensor<8x64xf16, #each>
    tt.descriptor_store %e[%c0, %c0], %sum : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    tt.return
  }
  // What a loop stores is waited for in its next iteration.
  tt.func public @loop(%d: !tt.tensordesc<tensor<8x64xf16, #shared>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x = tt.descriptor_load %d[%i, %c0] : !tt.tensordesc<tensor<8x64xf16, #shared>> -> tensor<8x64xf16, #each>
      tt.descriptor_store %d[%c0, %c0], %x : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    }
    tt.return
  }
  // Stores are not ordered among themselves, a store and a reduction are. An atomic operation waits where it lets others go on.
  tt.func public @ordered(%d: !tt.tensordesc<tensor<8x64xf16, #shared>>, %p: !tt.ptr<i32>, %x: tensor<8x64xf16, #each>) {
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    tt.descriptor_store %d[%c0, %c0], %x : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    tt.descriptor_store %d[%c0, %c0], %x : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    tt.descriptor_reduce add, %d[%c0, %c0], %x : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    %a = tt.atomic_rmw add, relaxed, gpu, %p, %c0, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %b = tt.atomic_rmw add, acq_rel, gpu, %p, %a, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
  // TMA sees what threads stored behind a fence, by whatever descriptor of that memory, and threads see what it stored.
  tt.func public @pointers(%p: !tt.ptr<f16>, %n: i32, %s: i64, %x: tensor<8x64xf16, #each>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<8x64xf16, #shared>>
    %ps = tt.splat %p : !tt.ptr<f16> -> tensor<8x64x!tt.ptr<f16>, #each>
    tt.store %ps, %x : tensor<8x64x!tt.ptr<f16>, #each>
    %y = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<8x64xf16, #shared>> -> tensor<8x64xf16, #each>
    tt.descriptor_store %d[%c0, %c0], %y : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    %z = tt.load %ps : tensor<8x64x!tt.ptr<f16>, #each>
    tt.store %ps, %z : tensor<8x64x!tt.ptr<f16>, #each>
    tt.return
  }
  // Two tables of addresses name different tensors, as two parameters do.
  tt.func public @tables(%p: !tt.ptr<i64>, %q: !tt.ptr<i64>, %n: i32, %s: i64, %x: tensor<8x64xf16, #each>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i64
    %pa = tt.load %p : !tt.ptr<i64>
    %qa = tt.load %q : !tt.ptr<i64>
    %pp = tt.int_to_ptr %pa : i64 -> !tt.ptr<f16>
    %qp = tt.int_to_ptr %qa : i64 -> !tt.ptr<f16>
    %d = tt.make_tensor_descriptor %pp, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<8x64xf16, #shared>>
    %e = tt.make_tensor_descriptor %qp, [%n, %n], [%s, %c1] : !tt.ptr<f16>, !tt.tensordesc<tensor<8x64xf16, #shared>>
    tt.descriptor_store %d[%c0, %c0], %x : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    %y = tt.descriptor_load %e[%c0, %c0] : !tt.tensordesc<tensor<8x64xf16, #shared>> -> tensor<8x64xf16, #each>
    tt.descriptor_store %e[%c0, %c0], %y : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    %z = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<8x64xf16, #shared>> -> tensor<8x64xf16, #each>
    tt.descriptor_store %e[%c0, %c0], %z : !tt.tensordesc<tensor<8x64xf16, #shared>>, tensor<8x64xf16, #each>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [2, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.shared = 3336 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @again(%arg0: !tt.tensordesc<tensor<8x64xf16, #shared>>, %arg1: !tt.tensordesc<tensor<8x64xf16, #shared>>, %arg2: tensor<8x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc %arg2 {allocation.offset = 0 : i32, tk.allocation_size = 1024 : i32} : (tensor<8x64xf16, #blocked>) -> !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg0[%c0_i32, %c0_i32] %0 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem>
    %1 = ttg.local_alloc {allocation.offset = 1024 : i32, tk.allocation_size = 1024 : i32} : () -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %2 = ttg.local_alloc {allocation.offset = 2048 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %2, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %2, 1024, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %1, %2, %true : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %c0_i32_0 = arith.constant 0 : i32
    ttng.wait_barrier %2, %c0_i32_0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.inval_barrier %2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %3 = ttg.local_load %1 : !ttg.memdesc<8x64xf16, #shared, #smem, mutable> -> tensor<8x64xf16, #blocked>
    %4 = ttg.local_alloc {allocation.offset = 1024 : i32, tk.allocation_size = 1024 : i32} : () -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %5 = ttg.local_alloc {allocation.offset = 2048 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %true_1 = arith.constant true
    ttng.init_barrier %5, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.fence_async_shared {bCluster = false, tk.all_memory}
    gpu.barrier
    ttng.barrier_expect %5, 1024, %true_1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %4, %5, %true_1 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %c0_i32_2 = arith.constant 0 : i32
    ttng.wait_barrier %5, %c0_i32_2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.inval_barrier %5 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %6 = ttg.local_load %4 : !ttg.memdesc<8x64xf16, #shared, #smem, mutable> -> tensor<8x64xf16, #blocked>
    %7 = arith.addf %3, %6 : tensor<8x64xf16, #blocked>
    gpu.barrier
    %8 = ttg.local_alloc %7 {allocation.offset = 1024 : i32, tk.allocation_size = 1024 : i32} : (tensor<8x64xf16, #blocked>) -> !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg1[%c0_i32, %c0_i32] %8 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %0 : !ttg.memdesc<8x64xf16, #shared, #smem>
    tt.return
  }
  tt.func public @loop(%arg0: !tt.tensordesc<tensor<8x64xf16, #shared>>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %0 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 1024 : i32} : () -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
      %1 = ttg.local_alloc {allocation.offset = 1024 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %true = arith.constant true
      ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.async_tma_store_wait {pendings = 0 : i32}
      ttng.fence_async_shared {bCluster = false, tk.all_memory}
      gpu.barrier
      ttng.barrier_expect %1, 1024, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg0[%arg2, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
      %c0_i32_0 = arith.constant 0 : i32
      ttng.wait_barrier %1, %c0_i32_0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      gpu.barrier
      ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.fence_async_shared {bCluster = false}
      ttng.async_tma_copy_local_to_global %arg0[%c0_i32, %c0_i32] %0 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
      ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    }
    tt.return
  }
  tt.func public @ordered(%arg0: !tt.tensordesc<tensor<8x64xf16, #shared>>, %arg1: !tt.ptr<i32>, %arg2: tensor<8x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc %arg2 {allocation.offset = 0 : i32, tk.allocation_size = 1024 : i32} : (tensor<8x64xf16, #blocked>) -> !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg0[%c0_i32, %c0_i32] %0 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem>
    %1 = ttg.local_alloc %arg2 {allocation.offset = 1024 : i32, tk.allocation_size = 1024 : i32} : (tensor<8x64xf16, #blocked>) -> !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %arg0[%c0_i32, %c0_i32] %1 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem>
    %2 = ttg.local_alloc %arg2 {allocation.offset = 2048 : i32, tk.allocation_size = 1024 : i32} : (tensor<8x64xf16, #blocked>) -> !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.fence_async_shared {bCluster = false, tk.all_memory}
    gpu.barrier
    ttng.async_tma_reduce add, %arg0[%c0_i32, %c0_i32] %2 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %1 : !ttg.memdesc<8x64xf16, #shared, #smem>
    ttg.local_dealloc %0 : !ttg.memdesc<8x64xf16, #shared, #smem>
    gpu.barrier
    %3 = tt.atomic_rmw add, relaxed, gpu, %arg1, %c0_i32, %true {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (!tt.ptr<i32>, i32, i1) -> i32
    ttng.async_tma_store_wait {pendings = 0 : i32}
    gpu.barrier
    %4 = tt.atomic_rmw add, acq_rel, gpu, %arg1, %3, %true : (!tt.ptr<i32>, i32, i1) -> i32
    tt.return
  }
  tt.func public @pointers(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i64, %arg3: tensor<8x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %c2_i64 = arith.constant 2 : i64
    %1 = arith.muli %arg2, %c2_i64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    ttng.tensormap_create %0, %arg0, [%c64_i32, %c8_i32], [%arg1, %arg1], [%1], [%c1_i32, %c1_i32_0] {allocation.offset = 1024 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %0 {tk.warp = 0 : i32} : !tt.ptr<i8>
    %2 = ttng.reinterpret_tensor_descriptor %0 : !tt.ptr<i8> to !tt.tensordesc<tensor<8x64xf16, #shared>>
    %3 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<8x64x!tt.ptr<f16>, #blocked>
    tt.store %3, %arg3 : tensor<8x64x!tt.ptr<f16>, #blocked>
    %4 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 1024 : i32} : () -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %5 = ttg.local_alloc {allocation.offset = 1152 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %5, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false, tk.all_memory}
    gpu.barrier
    ttng.barrier_expect %5, 1024, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %2[%c0_i32, %c0_i32] %4, %5, %true : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %c0_i32_1 = arith.constant 0 : i32
    ttng.wait_barrier %5, %c0_i32_1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.inval_barrier %5 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %2[%c0_i32, %c0_i32] %4 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttng.async_tma_store_wait {pendings = 0 : i32}
    gpu.barrier
    %6 = tt.load %3 : tensor<8x64x!tt.ptr<f16>, #blocked>
    tt.store %3, %6 : tensor<8x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @tables(%arg0: !tt.ptr<i64>, %arg1: !tt.ptr<i64>, %arg2: i32, %arg3: i64, %arg4: tensor<8x64xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i64 = arith.constant 1 : i64
    %0 = tt.load %arg0 : !tt.ptr<i64>
    %1 = tt.load %arg1 : !tt.ptr<i64>
    %2 = tt.int_to_ptr %0 : i64 -> !tt.ptr<f16>
    %3 = tt.int_to_ptr %1 : i64 -> !tt.ptr<f16>
    %4 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %c2_i64 = arith.constant 2 : i64
    %5 = arith.muli %arg3, %c2_i64 : i64
    %c64_i32 = arith.constant 64 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i32_0 = arith.constant 1 : i32
    ttng.tensormap_create %4, %2, [%c64_i32, %c8_i32], [%arg2, %arg2], [%5], [%c1_i32, %c1_i32_0] {allocation.offset = 3072 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 0 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %4 {tk.warp = 0 : i32} : !tt.ptr<i8>
    %6 = ttng.reinterpret_tensor_descriptor %4 : !tt.ptr<i8> to !tt.tensordesc<tensor<8x64xf16, #shared>>
    %7 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %c2_i64_1 = arith.constant 2 : i64
    %8 = arith.muli %arg3, %c2_i64_1 : i64
    %c64_i32_2 = arith.constant 64 : i32
    %c8_i32_3 = arith.constant 8 : i32
    %c1_i32_4 = arith.constant 1 : i32
    %c1_i32_5 = arith.constant 1 : i32
    ttng.tensormap_create %7, %3, [%c64_i32_2, %c8_i32_3], [%arg2, %arg2], [%8], [%c1_i32_4, %c1_i32_5] {allocation.offset = 3200 : i32, elem_type = 6 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32, tk.warp = 1 : i32} : (!tt.ptr<i8>, !tt.ptr<f16>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %7 {tk.warp = 1 : i32} : !tt.ptr<i8>
    %9 = ttng.reinterpret_tensor_descriptor %7 : !tt.ptr<i8> to !tt.tensordesc<tensor<8x64xf16, #shared>>
    %10 = ttg.local_alloc %arg4 {allocation.offset = 0 : i32, tk.allocation_size = 1024 : i32} : (tensor<8x64xf16, #blocked>) -> !ttg.memdesc<8x64xf16, #shared, #smem>
    ttng.fence_async_shared {bCluster = false}
    gpu.barrier
    ttng.async_tma_copy_local_to_global %6[%c0_i32, %c0_i32] %10 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem>
    %11 = ttg.local_alloc {allocation.offset = 1024 : i32, tk.allocation_size = 1024 : i32} : () -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %12 = ttg.local_alloc {allocation.offset = 2048 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %true = arith.constant true
    ttng.init_barrier %12, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %12, 1024, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %9[%c0_i32, %c0_i32] %11, %12, %true : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %c0_i32_6 = arith.constant 0 : i32
    ttng.wait_barrier %12, %c0_i32_6 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.inval_barrier %12 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %9[%c0_i32, %c0_i32] %11 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %13 = ttg.local_alloc {allocation.offset = 2048 : i32, tk.allocation_size = 1024 : i32} : () -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %14 = ttg.local_alloc {allocation.offset = 3328 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %true_7 = arith.constant true
    ttng.init_barrier %14, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
    ttng.fence_async_shared {bCluster = false, tk.all_memory}
    gpu.barrier
    ttng.barrier_expect %14, 1024, %true_7 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %6[%c0_i32, %c0_i32] %13, %14, %true_7 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    %c0_i32_8 = arith.constant 0 : i32
    ttng.wait_barrier %14, %c0_i32_8 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.inval_barrier %14 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.fence_async_shared {bCluster = false}
    ttng.async_tma_copy_local_to_global %9[%c0_i32, %c0_i32] %13 : !tt.tensordesc<tensor<8x64xf16, #shared>>, !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32, read_only}
    ttg.local_dealloc %11 : !ttg.memdesc<8x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %10 : !ttg.memdesc<8x64xf16, #shared, #smem>
    tt.return
  }
}

