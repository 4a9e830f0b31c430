// passes: remove-layout-conversions
// counts: ttg.convert_layout 2, scf.for 1
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @states(%p: tensor<64x128x!tt.ptr<f32>, #blocked>, %q: !ttg.memdesc<64x128xbf16, #shared, #smem>, %v: !ttg.memdesc<64x64xbf16, #shared, #smem>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %init = tt.load %p : tensor<64x128x!tt.ptr<f32>, #blocked>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (tensor<64x128xf32, #blocked>) : i32 {
      %turned = tt.trans %acc {order = array<i32: 1, 0>} : tensor<64x128xf32, #blocked> -> tensor<128x64xf32, #blocked1>
      %small = arith.truncf %turned : tensor<128x64xf32, #blocked1> to tensor<128x64xbf16, #blocked1>
      %right = ttg.local_alloc %small : (tensor<128x64xbf16, #blocked1>) -> !ttg.memdesc<128x64xbf16, #shared1, #smem>
      %unused = ttng.warp_group_dot %q, %right, %zero : !ttg.memdesc<64x128xbf16, #shared, #smem> * !ttg.memdesc<128x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %before = ttg.convert_layout %acc : tensor<64x128xf32, #blocked> -> tensor<64x128xf32, #mma>
      %sum = ttng.warp_group_dot %v, %q, %before : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x128xbf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      %after = ttg.convert_layout %sum : tensor<64x128xf32, #mma> -> tensor<64x128xf32, #blocked>
      scf.yield %after : tensor<64x128xf32, #blocked>
    }
    tt.store %p, %last : tensor<64x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0], [64, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @states(%arg0: tensor<64x128x!tt.ptr<f32>, #blocked>, %arg1: !ttg.memdesc<64x128xbf16, #shared, #smem>, %arg2: !ttg.memdesc<64x64xbf16, #shared, #smem>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x128x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x128xf32, #blocked> -> tensor<64x128xf32, #mma>
    %2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %1) -> (tensor<64x128xf32, #mma>)  : i32 {
      %4 = tt.trans %arg5 {order = array<i32: 1, 0>} : tensor<64x128xf32, #mma> -> tensor<128x64xf32, #linear>
      %5 = arith.truncf %4 : tensor<128x64xf32, #linear> to tensor<128x64xbf16, #linear>
      %6 = ttg.local_alloc %5 : (tensor<128x64xbf16, #linear>) -> !ttg.memdesc<128x64xbf16, #shared1, #smem>
      %7 = ttng.warp_group_dot %arg1, %6, %cst : !ttg.memdesc<64x128xbf16, #shared, #smem> * !ttg.memdesc<128x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %8 = ttng.warp_group_dot %arg2, %arg1, %arg5 : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x128xbf16, #shared, #smem> -> tensor<64x128xf32, #mma>
      scf.yield %8 : tensor<64x128xf32, #mma>
    }
    %3 = ttg.convert_layout %2 : tensor<64x128xf32, #mma> -> tensor<64x128xf32, #blocked>
    tt.store %arg0, %3 : tensor<64x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

