// passes: sink-waits
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#other = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The block of queries is waited for behind the first copy of the loop.
  tt.func public @before_loop(%q: !tt.tensordesc<tensor<64x64xf16, #shared>>, %k: !tt.tensordesc<tensor<64x64xf16, #shared>>, %n: i32, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %block = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %own = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %own, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.barrier_expect %own, 8192, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %q[%zero, %zero] %block, %own, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %own, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %own : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %keys = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %full = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %full, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.barrier_expect %full, 8192, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %k[%zero, %zero] %keys, %full, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      ttng.wait_barrier %full, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
      %d = ttng.warp_group_dot %block, %keys, %acc {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Two blocks are copied together, and each is waited for where both are needed; a store is not passed.
  tt.func public @two_blocks(%a: !tt.tensordesc<tensor<16x64xf16, #shared>>, %b: !tt.tensordesc<tensor<16x64xf16, #shared>>, %flag: !tt.ptr<i32>, %out: tensor<16x64x!tt.ptr<f16>, #blocked>) {
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %first = ttg.local_alloc : () -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    %one = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %one, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.barrier_expect %one, 2048, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %a[%zero, %zero] %first, %one, %true : !tt.tensordesc<tensor<16x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %one, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %one : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %x = ttg.local_load %first : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
    %second = ttg.local_alloc : () -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    %two = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %two, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.barrier_expect %two, 2048, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %b[%zero, %zero] %second, %two, %true : !tt.tensordesc<tensor<16x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %two, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %two : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %y = ttg.local_load %second : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
    tt.store %flag, %zero : !tt.ptr<i32>
    %s = arith.addf %x, %y : tensor<16x64xf16, #blocked>
    tt.store %out, %s : tensor<16x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  // Queries that threads write to shared memory, scaled: the write follows the first copies of the loop.
  tt.func public @written(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %k: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %scale = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #blocked>
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %q = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
    %scaled = arith.mulf %q, %scale : tensor<64x64xf16, #blocked>
    %block = ttg.local_alloc %scaled : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %turned = ttg.memdesc_trans %block {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #other, #smem>
    %keys = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %c = ttg.async_copy_global_to_local %k, %keys : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %c
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %g {num = 0 : i32}
      %d = ttng.warp_group_dot %turned, %keys, %acc {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #other, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Nothing is copied between the write and the loop: it stays.
  tt.func public @stays(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %n: i32, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %q = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
    %block = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %m = arith.addi %n, %one : i32
    %r = scf.for %i = %zero to %m step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %d = ttng.warp_group_dot %block, %block, %acc {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @before_loop(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg2: i32, %arg3: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %1, 8192, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %3, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %3, 8192, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %2, %3, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %1, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %4 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      ttng.wait_barrier %3, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      %5 = ttng.warp_group_dot %0, %2, %arg5 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      scf.yield %5 : tensor<64x64xf32, #mma>
    }
    tt.store %arg3, %4 : tensor<64x64x!tt.ptr<f32>, #mma>
    ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
  tt.func public @two_blocks(%arg0: !tt.tensordesc<tensor<16x64xf16, #shared>>, %arg1: !tt.tensordesc<tensor<16x64xf16, #shared>>, %arg2: !tt.ptr<i32>, %arg3: tensor<16x64x!tt.ptr<f16>, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %1, 2048, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<16x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %3, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.barrier_expect %3, 2048, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg1[%c0_i32, %c0_i32] %2, %3, %true : !tt.tensordesc<tensor<16x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %3, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %3 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %4 = ttg.local_load %2 : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
    ttng.wait_barrier %1, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %5 = ttg.local_load %0 : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
    tt.store %arg2, %c0_i32 : !tt.ptr<i32>
    %6 = arith.addf %5, %4 : tensor<16x64xf16, #blocked>
    tt.store %arg3, %6 : tensor<16x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @written(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: i32, %arg3: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2 = ttg.async_copy_global_to_local %arg1, %1 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #blocked>
    %4 = arith.mulf %0, %cst_0 : tensor<64x64xf16, #blocked>
    %5 = ttg.local_alloc %4 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %6 = ttg.memdesc_trans %5 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared2, #smem>
    gpu.barrier
    %7 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %8 = ttg.async_wait %3 {num = 0 : i32}
      %9 = ttng.warp_group_dot %6, %1, %arg5 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared2, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    }
    tt.store %arg3, %7 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @stays(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: i32, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = arith.addi %arg1, %c1_i32 : i32
    %3 = scf.for %arg3 = %c0_i32 to %2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %4 = ttng.warp_group_dot %1, %1, %arg4 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %4 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %3 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

