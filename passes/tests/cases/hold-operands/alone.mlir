// passes: hold-operands
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#wide = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 256, 16]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // 64 columns: the tensor cores wait for shared memory. 128 registers hold the operand.
  tt.func public @narrow(%k: tensor<64x512xf16, #blocked>, %q: tensor<512x64xf16, #blocked>, %n: i32, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %fixed = ttg.local_alloc %k : (tensor<64x512xf16, #blocked>) -> !ttg.memdesc<64x512xf16, #shared, #smem>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %b = ttg.local_alloc %q : (tensor<512x64xf16, #blocked>) -> !ttg.memdesc<512x64xf16, #shared, #smem>
      %s = ttng.warp_group_dot %fixed, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x512xf16, #shared, #smem> * !ttg.memdesc<512x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %m = arith.maxnumf %s, %acc : tensor<64x64xf32, #mma>
      scf.yield %m : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // 256 columns: they do not, nor would there be room.
  tt.func public @wide(%k: tensor<64x512xf16, #blocked>, %q: tensor<512x256xf16, #blocked>, %n: i32, %out: tensor<64x256x!tt.ptr<f32>, #wide>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x256xf32, #wide>
    %fixed = ttg.local_alloc %k : (tensor<64x512xf16, #blocked>) -> !ttg.memdesc<64x512xf16, #shared, #smem>
    %r = scf.for %i = %zero to %n step %one iter_args(%acc = %cst) -> (tensor<64x256xf32, #wide>) : i32 {
      %b = ttg.local_alloc %q : (tensor<512x256xf16, #blocked>) -> !ttg.memdesc<512x256xf16, #shared, #smem>
      %s = ttng.warp_group_dot %fixed, %b, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x512xf16, #shared, #smem> * !ttg.memdesc<512x256xf16, #shared, #smem> -> tensor<64x256xf32, #wide>
      %m = arith.maxnumf %s, %acc : tensor<64x256xf32, #wide>
      scf.yield %m : tensor<64x256xf32, #wide>
    }
    tt.store %out, %r : tensor<64x256x!tt.ptr<f32>, #wide>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 256, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @narrow(%arg0: tensor<64x512xf16, #blocked>, %arg1: tensor<512x64xf16, #blocked>, %arg2: i32, %arg3: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<64x512xf16, #blocked>) -> !ttg.memdesc<64x512xf16, #shared, #smem>
    %1 = ttg.local_load %0 {tk.held} : !ttg.memdesc<64x512xf16, #shared, #smem> -> tensor<64x512xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %3 = ttg.local_alloc %arg1 : (tensor<512x64xf16, #blocked>) -> !ttg.memdesc<512x64xf16, #shared, #smem>
      %4 = ttng.warp_group_dot %1, %3, %cst {inputPrecision = 0 : i32} : tensor<64x512xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<512x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %5 = arith.maxnumf %4, %arg5 : tensor<64x64xf32, #mma>
      scf.yield %5 : tensor<64x64xf32, #mma>
    }
    tt.store %arg3, %2 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @wide(%arg0: tensor<64x512xf16, #blocked>, %arg1: tensor<512x256xf16, #blocked>, %arg2: i32, %arg3: tensor<64x256x!tt.ptr<f32>, #mma1>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x256xf32, #mma1>
    %0 = ttg.local_alloc %arg0 : (tensor<64x512xf16, #blocked>) -> !ttg.memdesc<64x512xf16, #shared, #smem>
    %1 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x256xf32, #mma1>)  : i32 {
      %2 = ttg.local_alloc %arg1 : (tensor<512x256xf16, #blocked>) -> !ttg.memdesc<512x256xf16, #shared, #smem>
      %3 = ttng.warp_group_dot %0, %2, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x512xf16, #shared, #smem> * !ttg.memdesc<512x256xf16, #shared, #smem> -> tensor<64x256xf32, #mma1>
      %4 = arith.maxnumf %3, %arg5 : tensor<64x256xf32, #mma1>
      scf.yield %4 : tensor<64x256xf32, #mma1>
    }
    tt.store %arg3, %1 : tensor<64x256x!tt.ptr<f32>, #mma1>
    tt.return
  }
}

