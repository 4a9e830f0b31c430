// passes: convert-to-ttg,accelerate-matmul,remove-layout-conversions,cse
// warps: 8
module {
  // Rows for four of the eight warps. Both groups compute whole rows of the first product, and the second one takes them from registers.
  tt.func public @one_block(%pa: tensor<64x64x!tt.ptr<bf16>>, %pb: tensor<64x64x!tt.ptr<bf16>>, %pd: tensor<64x32x!tt.ptr<bf16>>, %pc: tensor<64x32x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %none = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<bf16>>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<bf16>>
    %d = tt.load %pd : tensor<64x32x!tt.ptr<bf16>>
    %s = tt.dot %a, %b, %zero : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
    %most = "tt.reduce"(%s) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %larger = arith.maxnumf %x, %y : f32
      tt.reduce.return %larger : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %column = tt.expand_dims %most {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %rows = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
    %lower = arith.subf %s, %rows : tensor<64x64xf32>
    %p = math.exp2 %lower : tensor<64x64xf32>
    %h = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
    %c = tt.dot %h, %d, %none : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
    tt.store %pc, %c : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
  // In a loop they share the columns: whole rows would be twice the work in each iteration.
  tt.func public @loop(%pa: tensor<64x64x!tt.ptr<bf16>>, %pb: tensor<64x64x!tt.ptr<bf16>>, %pd: tensor<64x32x!tt.ptr<bf16>>, %pc: tensor<64x32x!tt.ptr<f32>>, %n: i32) {
    %first = arith.constant 0 : i32
    %step = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %none = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<bf16>>
    %c = scf.for %i = %first to %n step %step iter_args(%sum = %none) -> (tensor<64x32xf32>) : i32 {
      %b = tt.load %pb : tensor<64x64x!tt.ptr<bf16>>
      %d = tt.load %pd : tensor<64x32x!tt.ptr<bf16>>
      %s = tt.dot %a, %b, %zero : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
      %most = "tt.reduce"(%s) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %larger = arith.maxnumf %x, %y : f32
        tt.reduce.return %larger : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %column = tt.expand_dims %most {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %rows = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %lower = arith.subf %s, %rows : tensor<64x64xf32>
      %p = math.exp2 %lower : tensor<64x64xf32>
      %h = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
      %next = tt.dot %h, %d, %sum : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
      scf.yield %next : tensor<64x32xf32>
    }
    tt.store %pc, %c : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
  // So they do where there are many columns.
  tt.func public @wide(%pa: tensor<64x64x!tt.ptr<bf16>>, %pb: tensor<64x128x!tt.ptr<bf16>>, %pd: tensor<128x32x!tt.ptr<bf16>>, %pc: tensor<64x32x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<64x128xf32>
    %none = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<bf16>>
    %b = tt.load %pb : tensor<64x128x!tt.ptr<bf16>>
    %d = tt.load %pd : tensor<128x32x!tt.ptr<bf16>>
    %s = tt.dot %a, %b, %zero : tensor<64x64xbf16> * tensor<64x128xbf16> -> tensor<64x128xf32>
    %most = "tt.reduce"(%s) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %larger = arith.maxnumf %x, %y : f32
      tt.reduce.return %larger : f32
    }) : (tensor<64x128xf32>) -> tensor<64xf32>
    %column = tt.expand_dims %most {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %rows = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x128xf32>
    %lower = arith.subf %s, %rows : tensor<64x128xf32>
    %p = math.exp2 %lower : tensor<64x128xf32>
    %h = arith.truncf %p : tensor<64x128xf32> to tensor<64x128xbf16>
    %c = tt.dot %h, %d, %none : tensor<64x128xbf16> * tensor<128x32xbf16> -> tensor<64x32xf32>
    tt.store %pc, %c : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
  // And where the second product takes the transpose, through shared memory.
  tt.func public @transposed(%pa: tensor<64x64x!tt.ptr<bf16>>, %pb: tensor<64x64x!tt.ptr<bf16>>, %pd: tensor<64x32x!tt.ptr<bf16>>, %pc: tensor<64x32x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %none = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<bf16>>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<bf16>>
    %d = tt.load %pd : tensor<64x32x!tt.ptr<bf16>>
    %s = tt.dot %a, %b, %zero : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
    %most = "tt.reduce"(%s) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %larger = arith.maxnumf %x, %y : f32
      tt.reduce.return %larger : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %column = tt.expand_dims %most {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %rows = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
    %lower = arith.subf %s, %rows : tensor<64x64xf32>
    %h = arith.truncf %lower : tensor<64x64xf32> to tensor<64x64xbf16>
    %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<64x64xbf16> -> tensor<64x64xbf16>
    %c = tt.dot %t, %d, %none : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
    tt.store %pc, %c : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
  // And where rows are not reduced: only the exchange of the left operand would be saved.
  tt.func public @unreduced(%pa: tensor<64x64x!tt.ptr<bf16>>, %pb: tensor<64x64x!tt.ptr<bf16>>, %pd: tensor<64x32x!tt.ptr<bf16>>, %pc: tensor<64x32x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %none = arith.constant dense<0.0> : tensor<64x32xf32>
    %a = tt.load %pa : tensor<64x64x!tt.ptr<bf16>>
    %b = tt.load %pb : tensor<64x64x!tt.ptr<bf16>>
    %d = tt.load %pd : tensor<64x32x!tt.ptr<bf16>>
    %s = tt.dot %a, %b, %zero : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
    %h = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xbf16>
    %c = tt.dot %h, %d, %none : tensor<64x64xbf16> * tensor<64x32xbf16> -> tensor<64x32xf32>
    tt.store %pc, %c : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 4], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32], [32, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 16, 16]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 32, 16]}>
#mma3 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 2], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @one_block(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<64x32x!tt.ptr<bf16>, #blocked1>, %arg3: tensor<64x32x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma1>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %4 = tt.load %arg2 : tensor<64x32x!tt.ptr<bf16>, #blocked1>
    %5 = ttg.local_alloc %4 : (tensor<64x32xbf16, #blocked1>) -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
    %6 = ttng.warp_group_dot %1, %3, %cst : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %16 = arith.maxnumf %arg4, %arg5 : f32
      tt.reduce.return %16 : f32
    }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
    %9 = tt.broadcast %8 : tensor<64x1xf32, #mma> -> tensor<64x64xf32, #mma>
    %10 = arith.subf %6, %9 : tensor<64x64xf32, #mma>
    %11 = math.exp2 %10 : tensor<64x64xf32, #mma>
    %12 = arith.truncf %11 : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
    %13 = ttg.convert_layout %12 : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %14 = ttng.warp_group_dot %13, %5, %cst_0 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<64x32xf32, #mma1>
    %15 = ttg.convert_layout %14 : tensor<64x32xf32, #mma1> -> tensor<64x32xf32, #blocked1>
    tt.store %arg3, %15 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @loop(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<64x32x!tt.ptr<bf16>, #blocked1>, %arg3: tensor<64x32x!tt.ptr<f32>, #blocked1>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma2>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma1>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<64x32xf32, #mma1>)  : i32 {
      %4 = tt.load %arg1 : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %5 = ttg.local_alloc %4 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
      %6 = tt.load %arg2 : tensor<64x32x!tt.ptr<bf16>, #blocked1>
      %7 = ttg.local_alloc %6 : (tensor<64x32xbf16, #blocked1>) -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
      %8 = ttng.warp_group_dot %1, %5, %cst : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<64x64xf32, #mma2>
      %9 = "tt.reduce"(%8) <{axis = 1 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %17 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %17 : f32
      }) : (tensor<64x64xf32, #mma2>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma2}>>
      %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma2}>> -> tensor<64x1xf32, #mma2>
      %11 = tt.broadcast %10 : tensor<64x1xf32, #mma2> -> tensor<64x64xf32, #mma2>
      %12 = arith.subf %8, %11 : tensor<64x64xf32, #mma2>
      %13 = math.exp2 %12 : tensor<64x64xf32, #mma2>
      %14 = arith.truncf %13 : tensor<64x64xf32, #mma2> to tensor<64x64xbf16, #mma2>
      %15 = ttg.convert_layout %14 : tensor<64x64xbf16, #mma2> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %16 = ttng.warp_group_dot %15, %7, %arg6 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<64x32xf32, #mma1>
      scf.yield %16 : tensor<64x32xf32, #mma1>
    }
    %3 = ttg.convert_layout %2 : tensor<64x32xf32, #mma1> -> tensor<64x32xf32, #blocked1>
    tt.store %arg3, %3 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @wide(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x128x!tt.ptr<bf16>, #blocked2>, %arg2: tensor<128x32x!tt.ptr<bf16>, #blocked1>, %arg3: tensor<64x32x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma3>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma1>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %2 = tt.load %arg1 : tensor<64x128x!tt.ptr<bf16>, #blocked2>
    %3 = ttg.local_alloc %2 : (tensor<64x128xbf16, #blocked2>) -> !ttg.memdesc<64x128xbf16, #shared, #smem>
    %4 = tt.load %arg2 : tensor<128x32x!tt.ptr<bf16>, #blocked1>
    %5 = ttg.local_alloc %4 : (tensor<128x32xbf16, #blocked1>) -> !ttg.memdesc<128x32xbf16, #shared1, #smem>
    %6 = ttng.warp_group_dot %1, %3, %cst : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x128xbf16, #shared, #smem> -> tensor<64x128xf32, #mma3>
    %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %16 = arith.maxnumf %arg4, %arg5 : f32
      tt.reduce.return %16 : f32
    }) : (tensor<64x128xf32, #mma3>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma3}>>
    %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma3}>> -> tensor<64x1xf32, #mma3>
    %9 = tt.broadcast %8 : tensor<64x1xf32, #mma3> -> tensor<64x128xf32, #mma3>
    %10 = arith.subf %6, %9 : tensor<64x128xf32, #mma3>
    %11 = math.exp2 %10 : tensor<64x128xf32, #mma3>
    %12 = arith.truncf %11 : tensor<64x128xf32, #mma3> to tensor<64x128xbf16, #mma3>
    %13 = ttg.convert_layout %12 : tensor<64x128xbf16, #mma3> -> tensor<64x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %14 = ttng.warp_group_dot %13, %5, %cst_0 : tensor<64x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<128x32xbf16, #shared1, #smem> -> tensor<64x32xf32, #mma1>
    %15 = ttg.convert_layout %14 : tensor<64x32xf32, #mma1> -> tensor<64x32xf32, #blocked1>
    tt.store %arg3, %15 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @transposed(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<64x32x!tt.ptr<bf16>, #blocked1>, %arg3: tensor<64x32x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma2>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma1>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %4 = tt.load %arg2 : tensor<64x32x!tt.ptr<bf16>, #blocked1>
    %5 = ttg.local_alloc %4 : (tensor<64x32xbf16, #blocked1>) -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
    %6 = ttng.warp_group_dot %1, %3, %cst : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<64x64xf32, #mma2>
    %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %16 = arith.maxnumf %arg4, %arg5 : f32
      tt.reduce.return %16 : f32
    }) : (tensor<64x64xf32, #mma2>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma2}>>
    %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma2}>> -> tensor<64x1xf32, #mma2>
    %9 = tt.broadcast %8 : tensor<64x1xf32, #mma2> -> tensor<64x64xf32, #mma2>
    %10 = arith.subf %6, %9 : tensor<64x64xf32, #mma2>
    %11 = arith.truncf %10 : tensor<64x64xf32, #mma2> to tensor<64x64xbf16, #mma2>
    %12 = tt.trans %11 {order = array<i32: 1, 0>} : tensor<64x64xbf16, #mma2> -> tensor<64x64xbf16, #linear>
    %13 = ttg.convert_layout %12 : tensor<64x64xbf16, #linear> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %14 = ttng.warp_group_dot %13, %5, %cst_0 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<64x32xf32, #mma1>
    %15 = ttg.convert_layout %14 : tensor<64x32xf32, #mma1> -> tensor<64x32xf32, #blocked1>
    tt.store %arg3, %15 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @unreduced(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<64x32x!tt.ptr<bf16>, #blocked1>, %arg3: tensor<64x32x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma2>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma1>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<64x64xbf16, #blocked>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
    %4 = tt.load %arg2 : tensor<64x32x!tt.ptr<bf16>, #blocked1>
    %5 = ttg.local_alloc %4 : (tensor<64x32xbf16, #blocked1>) -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
    %6 = ttng.warp_group_dot %1, %3, %cst : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x64xbf16, #shared, #smem> -> tensor<64x64xf32, #mma2>
    %7 = arith.truncf %6 : tensor<64x64xf32, #mma2> to tensor<64x64xbf16, #mma2>
    %8 = ttg.convert_layout %7 : tensor<64x64xbf16, #mma2> -> tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %9 = ttng.warp_group_dot %8, %5, %cst_0 : tensor<64x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<64x32xf32, #mma1>
    %10 = ttg.convert_layout %9 : tensor<64x32xf32, #mma1> -> tensor<64x32xf32, #blocked1>
    tt.store %arg3, %10 : tensor<64x32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

