// passes: convert-to-ttg,accelerate-matmul,remove-layout-conversions,cse
// warps: 8
module {
  // The second product reads the first one's result from registers, so both keep whole rows in a warp.
  tt.func public @chain(%pa: tensor<128x64x!tt.ptr<bf16>>, %pb: tensor<64x64x!tt.ptr<bf16>>, %pd: tensor<64x64x!tt.ptr<bf16>>, %pc: tensor<128x64x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<128x64xf32>
    %a = tt.load %pa : tensor<128x64x!tt.ptr<bf16>>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<bf16>>
    %d = tt.load %pd : tensor<64x64x!tt.ptr<bf16>>
    %s = tt.dot %a, %b, %zero : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
    %p = math.exp2 %s : tensor<128x64xf32>
    %h = arith.truncf %p : tensor<128x64xf32> to tensor<128x64xbf16>
    %c = tt.dot %h, %d, %zero : tensor<128x64xbf16> * tensor<64x64xbf16> -> tensor<128x64xf32>
    tt.store %pc, %c : tensor<128x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @chain(%arg0: tensor<128x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg3: tensor<128x64x!tt.ptr<f32>, #blocked>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<128x64xbf16, #blocked>) -> !ttg.memdesc<128x64xbf16, #shared, #smem>
    %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %4 = tt.load %arg2 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %5 = ttg.local_alloc %4 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %6 = ttng.warp_group_dot %1, %3, %cst : !ttg.memdesc<128x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    %7 = math.exp2 %6 : tensor<128x64xf32, #mma>
    %8 = arith.truncf %7 : tensor<128x64xf32, #mma> to tensor<128x64xbf16, #mma>
    %9 = ttg.convert_layout %8 : tensor<128x64xbf16, #mma> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %10 = ttng.warp_group_dot %9, %5, %cst : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<128x64xf32, #mma>
    %11 = ttg.convert_layout %10 : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
    tt.store %arg3, %11 : tensor<128x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

