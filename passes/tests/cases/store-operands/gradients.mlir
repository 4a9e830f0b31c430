// passes: store-operands
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 16]}>
#wide = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 128, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Beside a held operand what the loop computes is read from a buffer that lives as long as the loop, also where a wait passes it on.
  tt.func public @held(%k: tensor<64x256xbf16, #blocked>, %q: tensor<64x256xbf16, #blocked>, %n: i32, %out: tensor<64x256x!tt.ptr<f32>, #wide>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %sum = arith.constant dense<0.000000e+00> : tensor<64x256xf32, #wide>
    %keys = ttg.local_alloc %k : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
    %held = ttg.local_load %keys {tk.held} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %sum) -> (tensor<64x256xf32, #wide>) : i32 {
      %b = ttg.local_alloc %q : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
      %t = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> !ttg.memdesc<256x64xbf16, #turned, #smem>
      %s = ttng.warp_group_dot %held, %t, %cst {inputPrecision = 0 : i32} : tensor<64x256xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<256x64xbf16, #turned, #smem> -> tensor<64x64xf32, #mma>
      %h = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
      %p = ttg.convert_layout %h : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>>
      %d = ttng.warp_group_dot %p, %b, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>> * !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xf32, #wide>
      %w:2 = ttng.warp_group_dot_wait %d, %p {pendings = 0 : i32} : tensor<64x256xf32, #wide>, tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>>
      scf.yield %w#0 : tensor<64x256xf32, #wide>
    }
    tt.store %out, %r : tensor<64x256x!tt.ptr<f32>, #wide>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 128, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @held(%arg0: tensor<64x256xbf16, #blocked>, %arg1: tensor<64x256xbf16, #blocked>, %arg2: i32, %arg3: tensor<64x256x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x256xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
    %1 = ttg.local_load %0 {tk.held} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %2 = ttg.local_alloc : () -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %3 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst_0) -> (tensor<64x256xf32, #mma>)  : i32 {
      %4 = ttg.local_alloc %arg1 : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
      %5 = ttg.memdesc_trans %4 {order = array<i32: 1, 0>} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> !ttg.memdesc<256x64xbf16, #shared1, #smem>
      %6 = ttng.warp_group_dot %1, %5, %cst {inputPrecision = 0 : i32} : tensor<64x256xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<256x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma1>
      %7 = arith.truncf %6 : tensor<64x64xf32, #mma1> to tensor<64x64xbf16, #mma1>
      ttg.local_store %7, %2 : tensor<64x64xbf16, #mma1> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      %8 = ttng.warp_group_dot %2, %4, %arg5 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xf32, #mma>
      %9:2 = ttng.warp_group_dot_wait %8, %2 {pendings = 0 : i32} : tensor<64x256xf32, #mma>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      scf.yield %9#0 : tensor<64x256xf32, #mma>
    }
    tt.store %arg3, %3 : tensor<64x256x!tt.ptr<f32>, #mma>
    tt.return
  }
}

