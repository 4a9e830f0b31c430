// passes: reorder-instructions
// target: sm_80
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // A state is loaded for what stands behind the loop: its conversion does not wait for it in front of the copies of the loop.
  tt.func public @state(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %q: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
    %c = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %t = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    scf.for %i = %c0 to %n step %c1 : i32 {
      %w = ttg.async_wait {num = 0 : i32}
      %v = ttg.local_load %m token %w : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      tt.store %q, %v : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %q, %c : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The copies are under way while it waits.
  tt.func public @later(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %q: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
    %t = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    %c = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %w = ttg.async_wait {num = 0 : i32}
      %v = ttg.local_load %m token %w : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      tt.store %q, %v : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %q, %c : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The sum waits for what is loaded in front of the copies anyway.
  tt.func public @awaited(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %q: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
    %s = arith.addf %x, %x : tensor<64x64xf32, #blocked>
    tt.store %p, %s : tensor<64x64x!tt.ptr<f32>, #blocked>
    %c = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %t = ttg.async_copy_global_to_local %p, %m : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %g = ttg.async_commit_group tokens %t
    scf.for %i = %c0 to %n step %c1 : i32 {
      %w = ttg.async_wait {num = 0 : i32}
      %v = ttg.local_load %m token %w : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      tt.store %q, %v : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %q, %c : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @state(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #mma>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %2 = ttg.async_copy_global_to_local %arg0, %0 : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %5 = ttg.async_wait {num = 0 : i32}
      %6 = ttg.local_load %0 token %5 : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      tt.store %arg1, %6 : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    %4 = ttg.convert_layout %1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    tt.store %arg1, %4 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @later(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #mma>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %2 = ttg.async_copy_global_to_local %arg0, %0 : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %3 = ttg.async_commit_group tokens %2
    %4 = ttg.convert_layout %1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %5 = ttg.async_wait {num = 0 : i32}
      %6 = ttg.local_load %0 token %5 : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      tt.store %arg1, %6 : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %arg1, %4 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @awaited(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #mma>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %2 = arith.addf %1, %1 : tensor<64x64xf32, #blocked>
    tt.store %arg0, %2 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %3 = ttg.convert_layout %1 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %4 = ttg.async_copy_global_to_local %arg0, %0 : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %5 = ttg.async_commit_group tokens %4
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %6 = ttg.async_wait {num = 0 : i32}
      %7 = ttg.local_load %0 token %6 : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      tt.store %arg1, %7 : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %arg1, %3 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

