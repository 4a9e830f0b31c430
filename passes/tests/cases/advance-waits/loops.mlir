// passes: advance-waits
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second product is under way at the end, but no copy would be behind the moved wait: it stays where it is.
  tt.func public @under_way(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %d2 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // A reduction makes the iteration longer: the wait goes before the copy, and leaves one group fewer under way.
  tt.func public @reduced(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %sum = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e:2 = ttng.warp_group_dot_wait %d, %sum {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %m = "tt.reduce"(%e#0) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %z = arith.maxnumf %x, %y : f32
        tt.reduce.return %z : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %m2 = tt.expand_dims %m {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %m3 = tt.broadcast %m2 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %s = arith.addf %e#1, %m3 : tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %s {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %d2 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // Products are finished in their iteration, one after the other: nothing is under way at its end, and the wait stays.
  tt.func public @finished(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1) -> (!ttg.async.token, !ttg.async.token) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %d2 = ttng.warp_group_dot %b, %b, %e {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e2 = ttng.warp_group_dot_wait %d2 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g : !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  // One product, and no other memory than what is copied: its wait stays, since a copy that waits for the one before would be all that is under way.
  tt.func public @short(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1) -> (!ttg.async.token, !ttg.async.token) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g : !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  // The product stays in flight, and in the second loop the copies waited for are those of the iteration before: both stay as they are.
  tt.func public @left(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %g0: !ttg.async.token, %g1: !ttg.async.token, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %ring = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%t0 = %g0, %t1 = %g1, %acc = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>) : i32 {
      %w = ttg.async_wait %t0 {num = 1 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %t1, %g, %e : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    %s = scf.for %i = %zero to %n step %one iter_args(%t0 = %g1) -> (!ttg.async.token) : i32 {
      %w = ttg.async_wait %t0 {num = 0 : i32}
      %b = ttg.memdesc_index %ring[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %d = ttng.warp_group_dot %b, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %e = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %a = ttg.memdesc_index %ring[%one] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %c = ttg.async_copy_global_to_local %p, %a : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %g : !ttg.async.token
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @under_way(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>)  : i32 {
      %2 = ttg.async_wait %arg5 {num = 1 : i32}
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttng.warp_group_dot %3, %3, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %5:2 = ttng.warp_group_dot_wait %4, %arg7 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot %3, %3, %5#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %7 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_copy_global_to_local %arg0, %7 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %9 = ttg.async_commit_group tokens %8
      scf.yield %arg6, %9, %6 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @reduced(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1 = ttg.async_wait %arg1 {num = 1 : i32}
    gpu.barrier
    %2:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>)  : i32 {
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttng.warp_group_dot %3, %3, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %5:2 = ttng.warp_group_dot_wait %4, %arg7 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %6 = "tt.reduce"(%5#0) <{axis = 1 : i32}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        %15 = arith.maxnumf %arg8, %arg9 : f32
        tt.reduce.return %15 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %8 = tt.broadcast %7 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
      %9 = arith.addf %5#1, %8 : tensor<64x64xf32, #mma>
      %10 = ttng.warp_group_dot %3, %3, %9 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %11 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %12 = ttg.async_wait %arg6 {num = 0 : i32}
      %13 = ttg.async_copy_global_to_local %arg0, %11 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %14 = ttg.async_commit_group tokens %13
      scf.yield %arg6, %14, %10 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @finished(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2) -> (!ttg.async.token, !ttg.async.token)  : i32 {
      %2 = ttg.async_wait %arg5 {num = 1 : i32}
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttng.warp_group_dot %3, %3, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %5 = ttng.warp_group_dot_wait %4 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot %3, %3, %5 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %7 = ttng.warp_group_dot_wait %6 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %8 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %9 = ttg.async_copy_global_to_local %arg0, %8 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %10 = ttg.async_commit_group tokens %9
      scf.yield %arg6, %10 : !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  tt.func public @short(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2) -> (!ttg.async.token, !ttg.async.token)  : i32 {
      %2 = ttg.async_wait %arg5 {num = 1 : i32}
      %3 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %4 = ttng.warp_group_dot %3, %3, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %5 = ttng.warp_group_dot_wait %4 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %6 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %7 = ttg.async_copy_global_to_local %arg0, %6 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_commit_group tokens %7
      scf.yield %arg6, %8 : !ttg.async.token, !ttg.async.token
    }
    tt.return
  }
  tt.func public @left(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.async.token, %arg2: !ttg.async.token, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %1:3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg1, %arg6 = %arg2, %arg7 = %cst) -> (!ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>)  : i32 {
      %3 = ttg.async_wait %arg5 {num = 1 : i32}
      %4 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %5 = ttng.warp_group_dot %4, %4, %arg7 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot_wait %5 {pendings = 1 : i32} : tensor<64x64xf32, #mma>
      %7 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_copy_global_to_local %arg0, %7 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %9 = ttg.async_commit_group tokens %8
      scf.yield %arg6, %9, %6 : !ttg.async.token, !ttg.async.token, tensor<64x64xf32, #mma>
    }
    %2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %arg2) -> (!ttg.async.token)  : i32 {
      %3 = ttg.async_wait %arg5 {num = 0 : i32}
      %4 = ttg.memdesc_index %0[%c0_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %5 = ttng.warp_group_dot %4, %4, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %6 = ttng.warp_group_dot_wait %5 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %7 = ttg.memdesc_index %0[%c1_i32] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_copy_global_to_local %arg0, %7 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %9 = ttg.async_commit_group tokens %8
      scf.yield %9 : !ttg.async.token
    }
    tt.return
  }
}

