// passes: hold-operands
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 16]}>
#wide = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 128, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#turned = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // An iteration reads 288 KiB of shared memory for 1536 cycles of the tensor cores: the left operand that does not change is held. What the loop
  // computes comes through shared memory.
  tt.func public @held(%k: tensor<64x256xbf16, #blocked>, %q: tensor<64x256xbf16, #blocked>, %n: i32, %out: tensor<64x256x!tt.ptr<f32>, #wide>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %sum = arith.constant dense<0.000000e+00> : tensor<64x256xf32, #wide>
    %keys = ttg.local_alloc %k : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %sum) -> (tensor<64x256xf32, #wide>) : i32 {
      %b = ttg.local_alloc %q : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
      %t = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> !ttg.memdesc<256x64xbf16, #turned, #smem>
      %s = ttng.warp_group_dot %keys, %t, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x256xbf16, #shared, #smem> * !ttg.memdesc<256x64xbf16, #turned, #smem> -> tensor<64x64xf32, #mma>
      %h = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
      %p = ttg.convert_layout %h : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>>
      %d = ttng.warp_group_dot %p, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>> * !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xf32, #wide>
      scf.yield %d : tensor<64x256xf32, #wide>
    }
    tt.store %out, %r : tensor<64x256x!tt.ptr<f32>, #wide>
    tt.return
  }
  // With 128 registers more over the loop there is no room.
  tt.func public @full(%k: tensor<64x256xbf16, #blocked>, %q: tensor<64x256xbf16, #blocked>, %n: i32, %out: tensor<64x256x!tt.ptr<f32>, #wide>) {
    %kept = tt.load %out : tensor<64x256x!tt.ptr<f32>, #wide>
    %more = math.exp2 %kept : tensor<64x256xf32, #wide>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %sum = arith.constant dense<0.000000e+00> : tensor<64x256xf32, #wide>
    %keys = ttg.local_alloc %k : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %sum) -> (tensor<64x256xf32, #wide>) : i32 {
      %b = ttg.local_alloc %q : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
      %t = ttg.memdesc_trans %b {order = array<i32: 1, 0>} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> !ttg.memdesc<256x64xbf16, #turned, #smem>
      %s = ttng.warp_group_dot %keys, %t, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x256xbf16, #shared, #smem> * !ttg.memdesc<256x64xbf16, #turned, #smem> -> tensor<64x64xf32, #mma>
      %h = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
      %p = ttg.convert_layout %h : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>>
      %d = ttng.warp_group_dot %p, %b, %acc {inputPrecision = 0 : i32} : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #wide, kWidth = 2}>> * !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xf32, #wide>
      scf.yield %d : tensor<64x256xf32, #wide>
    }
    %u = arith.addf %r, %kept : tensor<64x256xf32, #wide>
    %v = arith.addf %u, %more : tensor<64x256xf32, #wide>
    tt.store %out, %v : tensor<64x256x!tt.ptr<f32>, #wide>
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
    %2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst_0) -> (tensor<64x256xf32, #mma>)  : i32 {
      %3 = ttg.local_alloc %arg1 : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
      %4 = ttg.memdesc_trans %3 {order = array<i32: 1, 0>} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> !ttg.memdesc<256x64xbf16, #shared1, #smem>
      %5 = ttng.warp_group_dot %1, %4, %cst {inputPrecision = 0 : i32} : tensor<64x256xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<256x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma1>
      %6 = arith.truncf %5 : tensor<64x64xf32, #mma1> to tensor<64x64xbf16, #mma1>
      %7 = ttg.convert_layout %6 : tensor<64x64xbf16, #mma1> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %8 = ttng.warp_group_dot %7, %3, %arg5 {inputPrecision = 0 : i32} : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xf32, #mma>
      scf.yield %8 : tensor<64x256xf32, #mma>
    }
    tt.store %arg3, %2 : tensor<64x256x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @full(%arg0: tensor<64x256xbf16, #blocked>, %arg1: tensor<64x256xbf16, #blocked>, %arg2: i32, %arg3: tensor<64x256x!tt.ptr<f32>, #mma>) {
    %0 = tt.load %arg3 : tensor<64x256x!tt.ptr<f32>, #mma>
    %1 = math.exp2 %0 : tensor<64x256xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x256xf32, #mma>
    %2 = ttg.local_alloc %arg0 : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
    %3 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst_0) -> (tensor<64x256xf32, #mma>)  : i32 {
      %6 = ttg.local_alloc %arg1 : (tensor<64x256xbf16, #blocked>) -> !ttg.memdesc<64x256xbf16, #shared, #smem>
      %7 = ttg.memdesc_trans %6 {order = array<i32: 1, 0>} : !ttg.memdesc<64x256xbf16, #shared, #smem> -> !ttg.memdesc<256x64xbf16, #shared1, #smem>
      %8 = ttng.warp_group_dot %2, %7, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x256xbf16, #shared, #smem> * !ttg.memdesc<256x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma1>
      %9 = arith.truncf %8 : tensor<64x64xf32, #mma1> to tensor<64x64xbf16, #mma1>
      %10 = ttg.convert_layout %9 : tensor<64x64xbf16, #mma1> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %11 = ttng.warp_group_dot %10, %6, %arg5 {inputPrecision = 0 : i32} : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x256xbf16, #shared, #smem> -> tensor<64x256xf32, #mma>
      scf.yield %11 : tensor<64x256xf32, #mma>
    }
    %4 = arith.addf %3, %0 : tensor<64x256xf32, #mma>
    %5 = arith.addf %4, %1 : tensor<64x256xf32, #mma>
    tt.store %arg3, %5 : tensor<64x256x!tt.ptr<f32>, #mma>
    tt.return
  }
}

