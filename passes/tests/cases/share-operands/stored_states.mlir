// passes: share-operands
// target: sm_90a
// counts: ttg.local_alloc 5, ttg.local_load 5, ttg.convert_layout 10
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#groups = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#columns = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#b32 = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What `wgmma` computed is stored, and is the right operand of another product: written once, read twice.
  tt.func public @of_warp_groups(%x: tensor<128x64xf32, #groups>, %p: tensor<128x64x!tt.ptr<bf16>, #blocked>, %pb: tensor<128x64x!tt.ptr<bf16>, #b>) {
    %y = arith.truncf %x : tensor<128x64xf32, #groups> to tensor<128x64xbf16, #groups>
    %s = ttg.convert_layout %y : tensor<128x64xbf16, #groups> -> tensor<128x64xbf16, #blocked>
    tt.store %p, %s : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %b = ttg.convert_layout %y : tensor<128x64xbf16, #groups> -> tensor<128x64xbf16, #b>
    tt.store %pb, %b : tensor<128x64x!tt.ptr<bf16>, #b>
    tt.return
  }
  // The same of `mma.sync`, the product first.
  tt.func public @of_warps(%x: tensor<64x64xf32, #mma>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %pb: tensor<64x64x!tt.ptr<f16>, #b>) {
    %y = arith.truncf %x : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %b = ttg.convert_layout %y : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #b>
    tt.store %pb, %b : tensor<64x64x!tt.ptr<f16>, #b>
    %s = ttg.convert_layout %y : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %p, %s : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  // Words of four bytes stay in registers: the product would read them one by one.
  tt.func public @words(%x: tensor<64x64xf32, #mma>, %p: tensor<64x64x!tt.ptr<f32>, #blocked>, %pb: tensor<64x64x!tt.ptr<f32>, #b32>) {
    %y = arith.addf %x, %x : tensor<64x64xf32, #mma>
    %s = ttg.convert_layout %y : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %p, %s : tensor<64x64x!tt.ptr<f32>, #blocked>
    %b = ttg.convert_layout %y : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #b32>
    tt.store %pb, %b : tensor<64x64x!tt.ptr<f32>, #b32>
    tt.return
  }
  // Nothing multiplies it.
  tt.func public @stored_twice(%x: tensor<64x64xf32, #mma>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: tensor<64x64x!tt.ptr<f16>, #blocked>) {
    %y = arith.truncf %x : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %s = ttg.convert_layout %y : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %p, %s : tensor<64x64x!tt.ptr<f16>, #blocked>
    %t = ttg.convert_layout %y : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    tt.store %q, %t : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  // What else is done with it needs it in registers.
  tt.func public @added_to(%x: tensor<64x64xf32, #mma>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %pb: tensor<64x64x!tt.ptr<f16>, #b>) {
    %y = arith.truncf %x : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %s = ttg.convert_layout %y : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked>
    %t = arith.addf %s, %s : tensor<64x64xf16, #blocked>
    tt.store %p, %t : tensor<64x64x!tt.ptr<f16>, #blocked>
    %b = ttg.convert_layout %y : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #b>
    tt.store %pb, %b : tensor<64x64x!tt.ptr<f16>, #b>
    tt.return
  }
  // A block that was loaded in the layout of its store.
  tt.func public @loaded(%x: tensor<64x64xf16, #blocked>, %p: tensor<64x64x!tt.ptr<f16>, #mma>, %pb: tensor<64x64x!tt.ptr<f16>, #b>) {
    %y = arith.addf %x, %x : tensor<64x64xf16, #blocked>
    %s = ttg.convert_layout %y : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma>
    tt.store %p, %s : tensor<64x64x!tt.ptr<f16>, #mma>
    %b = ttg.convert_layout %y : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    tt.store %pb, %b : tensor<64x64x!tt.ptr<f16>, #b>
    tt.return
  }
  // What `wgmma` reads is stored from its buffer.
  tt.func public @for_warp_groups(%x: tensor<128x64xf32, #groups>, %p: tensor<128x64x!tt.ptr<bf16>, #blocked>, %a: !ttg.memdesc<64x128xbf16, #rows, #smem>, %c: tensor<64x64xf32, #groups>) -> tensor<64x64xf32, #groups> {
    %y = arith.truncf %x : tensor<128x64xf32, #groups> to tensor<128x64xbf16, #groups>
    %m = ttg.local_alloc %y : (tensor<128x64xbf16, #groups>) -> !ttg.memdesc<128x64xbf16, #rows, #smem>
    %s = ttg.convert_layout %y : tensor<128x64xbf16, #groups> -> tensor<128x64xbf16, #blocked>
    tt.store %p, %s : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %d = ttng.warp_group_dot %a, %m, %c {inputPrecision = 0 : i32} : !ttg.memdesc<64x128xbf16, #rows, #smem> * !ttg.memdesc<128x64xbf16, #rows, #smem> -> tensor<64x64xf32, #groups>
    tt.return %d : tensor<64x64xf32, #groups>
  }
  // The buffer is written behind the store.
  tt.func public @stored_before(%x: tensor<128x64xf32, #groups>, %p: tensor<128x64x!tt.ptr<bf16>, #blocked>, %a: !ttg.memdesc<64x128xbf16, #rows, #smem>, %c: tensor<64x64xf32, #groups>) -> tensor<64x64xf32, #groups> {
    %y = arith.truncf %x : tensor<128x64xf32, #groups> to tensor<128x64xbf16, #groups>
    %s = ttg.convert_layout %y : tensor<128x64xbf16, #groups> -> tensor<128x64xbf16, #blocked>
    tt.store %p, %s : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %m = ttg.local_alloc %y : (tensor<128x64xbf16, #groups>) -> !ttg.memdesc<128x64xbf16, #rows, #smem>
    %d = ttng.warp_group_dot %a, %m, %c {inputPrecision = 0 : i32} : !ttg.memdesc<64x128xbf16, #rows, #smem> * !ttg.memdesc<128x64xbf16, #rows, #smem> -> tensor<64x64xf32, #groups>
    tt.return %d : tensor<64x64xf32, #groups>
  }
  // The buffer has columns, whose elements a store would read one by one.
  tt.func public @turned_buffer(%x: tensor<64x64xf32, #groups>, %p: tensor<64x64x!tt.ptr<bf16>, #blocked>, %a: !ttg.memdesc<64x64xbf16, #rows, #smem>, %c: tensor<64x64xf32, #groups>) -> tensor<64x64xf32, #groups> {
    %y = arith.truncf %x : tensor<64x64xf32, #groups> to tensor<64x64xbf16, #groups>
    %m = ttg.local_alloc %y : (tensor<64x64xbf16, #groups>) -> !ttg.memdesc<64x64xbf16, #columns, #smem>
    %s = ttg.convert_layout %y : tensor<64x64xbf16, #groups> -> tensor<64x64xbf16, #blocked>
    tt.store %p, %s : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %d = ttng.warp_group_dot %a, %m, %c {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xbf16, #rows, #smem> * !ttg.memdesc<64x64xbf16, #columns, #smem> -> tensor<64x64xf32, #groups>
    tt.return %d : tensor<64x64xf32, #groups>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @of_warp_groups(%arg0: tensor<128x64xf32, #mma>, %arg1: tensor<128x64x!tt.ptr<bf16>, #blocked>, %arg2: tensor<128x64x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>) {
    %0 = arith.truncf %arg0 : tensor<128x64xf32, #mma> to tensor<128x64xbf16, #mma>
    %1 = ttg.local_alloc %0 : (tensor<128x64xbf16, #mma>) -> !ttg.memdesc<128x64xbf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<128x64xbf16, #shared, #smem> -> tensor<128x64xbf16, #blocked>
    tt.store %arg1, %2 : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %3 = ttg.local_load %1 : !ttg.memdesc<128x64xbf16, #shared, #smem> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    tt.store %arg2, %3 : tensor<128x64x!tt.ptr<bf16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    tt.return
  }
  tt.func public @of_warps(%arg0: tensor<64x64xf32, #mma1>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>) {
    %0 = arith.truncf %arg0 : tensor<64x64xf32, #mma1> to tensor<64x64xf16, #mma1>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #mma1>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    tt.store %arg2, %2 : tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    %3 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    tt.store %arg1, %3 : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @words(%arg0: tensor<64x64xf32, #mma1>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xf32, #mma1>
    %1 = ttg.convert_layout %0 : tensor<64x64xf32, #mma1> -> tensor<64x64xf32, #blocked>
    tt.store %arg1, %1 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %2 = ttg.convert_layout %0 : tensor<64x64xf32, #mma1> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>>
    tt.store %arg2, %2 : tensor<64x64x!tt.ptr<f32>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 1}>>
    tt.return
  }
  tt.func public @stored_twice(%arg0: tensor<64x64xf32, #mma1>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>) {
    %0 = arith.truncf %arg0 : tensor<64x64xf32, #mma1> to tensor<64x64xf16, #mma1>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #mma1> -> tensor<64x64xf16, #blocked>
    tt.store %arg1, %1 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %2 = ttg.convert_layout %0 : tensor<64x64xf16, #mma1> -> tensor<64x64xf16, #blocked>
    tt.store %arg2, %2 : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @added_to(%arg0: tensor<64x64xf32, #mma1>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>) {
    %0 = arith.truncf %arg0 : tensor<64x64xf32, #mma1> to tensor<64x64xf16, #mma1>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #mma1> -> tensor<64x64xf16, #blocked>
    %2 = arith.addf %1, %1 : tensor<64x64xf16, #blocked>
    tt.store %arg1, %2 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %3 = ttg.convert_layout %0 : tensor<64x64xf16, #mma1> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    tt.store %arg2, %3 : tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    tt.return
  }
  tt.func public @loaded(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #mma1>, %arg2: tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xf16, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #mma1>
    tt.store %arg1, %1 : tensor<64x64x!tt.ptr<f16>, #mma1>
    %2 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    tt.store %arg2, %2 : tensor<64x64x!tt.ptr<f16>, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    tt.return
  }
  tt.func public @for_warp_groups(%arg0: tensor<128x64xf32, #mma>, %arg1: tensor<128x64x!tt.ptr<bf16>, #blocked>, %arg2: !ttg.memdesc<64x128xbf16, #shared1, #smem>, %arg3: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %0 = arith.truncf %arg0 : tensor<128x64xf32, #mma> to tensor<128x64xbf16, #mma>
    %1 = ttg.local_alloc %0 : (tensor<128x64xbf16, #mma>) -> !ttg.memdesc<128x64xbf16, #shared1, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<128x64xbf16, #shared1, #smem> -> tensor<128x64xbf16, #blocked>
    tt.store %arg1, %2 : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %3 = ttng.warp_group_dot %arg2, %1, %arg3 {inputPrecision = 0 : i32} : !ttg.memdesc<64x128xbf16, #shared1, #smem> * !ttg.memdesc<128x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
    tt.return %3 : tensor<64x64xf32, #mma>
  }
  tt.func public @stored_before(%arg0: tensor<128x64xf32, #mma>, %arg1: tensor<128x64x!tt.ptr<bf16>, #blocked>, %arg2: !ttg.memdesc<64x128xbf16, #shared1, #smem>, %arg3: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %0 = arith.truncf %arg0 : tensor<128x64xf32, #mma> to tensor<128x64xbf16, #mma>
    %1 = ttg.convert_layout %0 : tensor<128x64xbf16, #mma> -> tensor<128x64xbf16, #blocked>
    tt.store %arg1, %1 : tensor<128x64x!tt.ptr<bf16>, #blocked>
    %2 = ttg.local_alloc %0 : (tensor<128x64xbf16, #mma>) -> !ttg.memdesc<128x64xbf16, #shared1, #smem>
    %3 = ttng.warp_group_dot %arg2, %2, %arg3 {inputPrecision = 0 : i32} : !ttg.memdesc<64x128xbf16, #shared1, #smem> * !ttg.memdesc<128x64xbf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
    tt.return %3 : tensor<64x64xf32, #mma>
  }
  tt.func public @turned_buffer(%arg0: tensor<64x64xf32, #mma>, %arg1: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg2: !ttg.memdesc<64x64xbf16, #shared1, #smem>, %arg3: tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma> {
    %0 = arith.truncf %arg0 : tensor<64x64xf32, #mma> to tensor<64x64xbf16, #mma>
    %1 = ttg.local_alloc %0 : (tensor<64x64xbf16, #mma>) -> !ttg.memdesc<64x64xbf16, #shared2, #smem>
    %2 = ttg.convert_layout %0 : tensor<64x64xbf16, #mma> -> tensor<64x64xbf16, #blocked>
    tt.store %arg1, %2 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %3 = ttng.warp_group_dot %arg2, %1, %arg3 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xbf16, #shared1, #smem> * !ttg.memdesc<64x64xbf16, #shared2, #smem> -> tensor<64x64xf32, #mma>
    tt.return %3 : tensor<64x64xf32, #mma>
  }
}

