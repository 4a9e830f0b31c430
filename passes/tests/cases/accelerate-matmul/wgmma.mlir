// passes: convert-to-ttg,accelerate-matmul,remove-layout-conversions,cse
// warps: 8
module {
  // Operands that are loaded go to shared memory, each in the order it has.
  tt.func public @f16(%pa: tensor<128x64x!tt.ptr<f16>>, %pb: tensor<64x128x!tt.ptr<f16>>, %pc: tensor<128x128x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<128x128xf32>
    %a = tt.load %pa : tensor<128x64x!tt.ptr<f16>>
    %b = tt.load %pb : tensor<64x128x!tt.ptr<f16>>
    %c = tt.dot %a, %b, %zero : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
    tt.store %pc, %c : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
  // A computed left operand stays in registers.
  tt.func public @left_from_registers(%pa: tensor<128x64x!tt.ptr<i8>>, %pb: tensor<64x64x!tt.ptr<f16>>, %pc: tensor<128x64x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %i = tt.load %pa : tensor<128x64x!tt.ptr<i8>>
    %a = arith.sitofp %i : tensor<128x64xi8> to tensor<128x64xf16>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<f16>>
    %c = tt.dot %a, %b, %zero : tensor<128x64xf16> * tensor<64x64xf16> -> tensor<128x64xf32>
    tt.store %pc, %c : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
  // Eight bits: both operands are contiguous along K.
  tt.func public @i8(%pa: tensor<64x64x!tt.ptr<i8>>, %pb: tensor<64x32x!tt.ptr<i8>>, %pc: tensor<64x32x!tt.ptr<i32>>) {
    %zero = arith.constant dense<0> : tensor<64x32xi32>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<i8>>
    %b = tt.load %pb : tensor<64x32x!tt.ptr<i8>>
    %c = tt.dot %a, %b, %zero : tensor<64x64xi8> * tensor<64x32xi8> -> tensor<64x32xi32>
    tt.store %pc, %c : tensor<64x32x!tt.ptr<i32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 4], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [2, 0], [32, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[4, 0], [8, 0], [16, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 16, 32]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @f16(%arg0: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg1: tensor<64x128x!tt.ptr<f16>, #blocked1>, %arg2: tensor<128x128x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = tt.load %arg0 : tensor<128x64x!tt.ptr<f16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %2 = tt.load %arg1 : tensor<64x128x!tt.ptr<f16>, #blocked1>
    %3 = ttg.local_alloc %2 : (tensor<64x128xf16, #blocked1>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
    %4 = ttng.warp_group_dot %1, %3, %cst : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
    %5 = ttg.convert_layout %4 : tensor<128x128xf32, #mma> -> tensor<128x128xf32, #blocked1>
    tt.store %arg2, %5 : tensor<128x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @left_from_registers(%arg0: tensor<128x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<128x64x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma1>
    %0 = tt.load %arg0 : tensor<128x64x!tt.ptr<i8>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<128x64xi8, #blocked> -> tensor<128x64xi8, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %2 = arith.sitofp %1 : tensor<128x64xi8, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> to tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %3 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %4 = ttg.local_alloc %3 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %5 = ttng.warp_group_dot %2, %4, %cst : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma1>
    %6 = ttg.convert_layout %5 : tensor<128x64xf32, #mma1> -> tensor<128x64xf32, #blocked>
    tt.store %arg2, %6 : tensor<128x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @i8(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x32x!tt.ptr<i8>, #blocked2>, %arg2: tensor<64x32x!tt.ptr<i32>, #blocked2>) {
    %cst = arith.constant dense<0> : tensor<64x32xi32, #mma2>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xi8, #blocked>) -> !ttg.memdesc<64x64xi8, #shared1, #smem>
    %2 = ttg.convert_layout %arg1 : tensor<64x32x!tt.ptr<i8>, #blocked2> -> tensor<64x32x!tt.ptr<i8>, #linear>
    %3 = tt.load %2 : tensor<64x32x!tt.ptr<i8>, #linear>
    %4 = ttg.local_alloc %3 : (tensor<64x32xi8, #linear>) -> !ttg.memdesc<64x32xi8, #shared2, #smem>
    %5 = ttng.warp_group_dot %1, %4, %cst : !ttg.memdesc<64x64xi8, #shared1, #smem> * !ttg.memdesc<64x32xi8, #shared2, #smem> -> tensor<64x32xi32, #mma2>
    %6 = ttg.convert_layout %5 : tensor<64x32xi32, #mma2> -> tensor<64x32xi32, #blocked2>
    tt.store %arg2, %6 : tensor<64x32x!tt.ptr<i32>, #blocked2>
    tt.return
  }
}

