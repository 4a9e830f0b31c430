// passes: gather-mbarriers
// warps: 8
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A block, and a loop behind it: its mbarriers begin with that of the block, with one meeting, and all end with the kernel.
  tt.func public @block_and_loop(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %block = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %own = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %own, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.barrier_expect %own, 8192, %true : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.async_tma_copy_global_to_local %a[%zero, %zero] %block, %own, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #plain, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %own, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %own : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %filled = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #plain, #smem, mutable>
    %first = ttg.memdesc_index %filled[%zero] : !ttg.memdesc<2x1xi64, #plain, #smem, mutable> -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %second = ttg.memdesc_index %filled[%one] : !ttg.memdesc<2x1xi64, #plain, #smem, mutable> -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %first, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %second, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %free = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %free, 256 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    gpu.barrier
    scf.for %i = %zero to %n step %one : i32 {
      ttng.wait_barrier %free, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    }
    ttng.inval_barrier %first : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %second : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %free : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    tt.return
  }
  // One that begins in a loop stays there, and ends there.
  tt.func public @in_a_loop(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %own = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
      ttng.init_barrier %own, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
      ttng.wait_barrier %own, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
      ttng.inval_barrier %own : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    }
    tt.return
  }
  // Two blocks, one after the other in the same bytes: mbarriers that lived at once would take a CTA's worth of memory.
  tt.func public @without_room(%a: !tt.tensordesc<tensor<64x64xf16, #shared>>) {
    %zero = arith.constant 0 : i32
    %first = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %first, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.wait_barrier %first, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %first : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    %many = ttg.local_alloc : () -> !ttg.memdesc<29056x1xi64, #plain, #smem, mutable>
    %own = ttg.memdesc_index %many[%zero] : !ttg.memdesc<29056x1xi64, #plain, #smem, mutable> -> !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.init_barrier %own, 1 : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.wait_barrier %own, %zero : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    ttng.inval_barrier %own : !ttg.memdesc<1xi64, #plain, #smem, mutable>
    tt.return
  }
}
// ----- expect
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @block_and_loop(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %true = arith.constant true
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<2x1xi64, #shared1, #smem, mutable>
    %3 = ttg.memdesc_index %2[%c0_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %4 = ttg.memdesc_index %2[%c1_i32] : !ttg.memdesc<2x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %5 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %1, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %3, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %4, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %5, 256 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %1, 8192, %true : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg0[%c0_i32, %c0_i32] %0, %1, %true : !tt.tensordesc<tensor<64x64xf16, #shared>>, !ttg.memdesc<1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttng.wait_barrier %1, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      ttng.wait_barrier %5, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    }
    ttng.inval_barrier %1 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %3 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %4 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %5 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
  tt.func public @in_a_loop(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %0 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.init_barrier %0, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.wait_barrier %0, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
      ttng.inval_barrier %0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    }
    tt.return
  }
  tt.func public @without_room(%arg0: !tt.tensordesc<tensor<64x64xf16, #shared>>) {
    %c0_i32 = arith.constant 0 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %0, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %0, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %0 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    %1 = ttg.local_alloc : () -> !ttg.memdesc<29056x1xi64, #shared1, #smem, mutable>
    %2 = ttg.memdesc_index %1[%c0_i32] : !ttg.memdesc<29056x1xi64, #shared1, #smem, mutable> -> !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.init_barrier %2, 1 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.wait_barrier %2, %c0_i32 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    ttng.inval_barrier %2 : !ttg.memdesc<1xi64, #shared1, #smem, mutable>
    tt.return
  }
}

