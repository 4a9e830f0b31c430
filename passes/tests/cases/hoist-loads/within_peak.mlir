// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Sixteen registers pass the first product: the loop holds more behind the second one.
  tt.func public @row(%a: tensor<64x64xf16, #blocked>, %b: tensor<64x64xf16, #blocked>, %k: tensor<64x64x!tt.ptr<f16>, #blocked>, %x: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %left = ttg.local_alloc %a : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %right = ttg.local_alloc %b : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %keys = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %d:2 = scf.for %i = %zero to %n step %one iter_args(%p = %cst, %q = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) : i32 {
      %s = ttng.warp_group_dot %left, %right, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %sw:3 = ttng.warp_group_dot_wait %s, %left, %right {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>
      %e = math.exp2 %sw#0 : tensor<64x64xf32, #mma>
      %row = tt.load %x : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %t = ttng.warp_group_dot %right, %left, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %tw:3 = ttng.warp_group_dot_wait %t, %left, %right {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>
      %line = tt.expand_dims %row {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %lines = tt.broadcast %line : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
      %u = arith.subf %tw#0, %lines : tensor<64x64xf32, #mma>
      %next_p = arith.addf %p, %e : tensor<64x64xf32, #mma>
      %v = arith.mulf %u, %e : tensor<64x64xf32, #mma>
      %next_q = arith.addf %q, %v : tensor<64x64xf32, #mma>
      %c = ttg.async_copy_global_to_local %k, %keys : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %g = ttg.async_commit_group tokens %c
      scf.yield %next_p, %next_q : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
    }
    %sum = arith.addf %d#0, %d#1 : tensor<64x64xf32, #mma>
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64xf16, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, %arg4: tensor<64x64x!tt.ptr<f32>, #mma>, %arg5: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = ttg.local_alloc %arg1 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %3:2 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %cst, %arg8 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>)  : i32 {
      %5 = tt.load %arg3 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %6 = ttng.warp_group_dot %0, %1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %7:3 = ttng.warp_group_dot_wait %6, %0, %1 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>
      %8 = math.exp2 %7#0 : tensor<64x64xf32, #mma>
      %9 = ttng.warp_group_dot %1, %0, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %10:3 = ttng.warp_group_dot_wait %9, %0, %1 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>
      %11 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %12 = tt.broadcast %11 : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
      %13 = arith.subf %10#0, %12 : tensor<64x64xf32, #mma>
      %14 = arith.addf %arg7, %8 : tensor<64x64xf32, #mma>
      %15 = arith.mulf %13, %8 : tensor<64x64xf32, #mma>
      %16 = arith.addf %arg8, %15 : tensor<64x64xf32, #mma>
      %17 = ttg.async_copy_global_to_local %arg2, %2 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %18 = ttg.async_commit_group tokens %17
      scf.yield %14, %16 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
    }
    %4 = arith.addf %3#0, %3#1 : tensor<64x64xf32, #mma>
    tt.store %arg4, %4 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

