// passes: accelerate-matmul
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Of 128 terms 96 are the program's, which are six whole instructions: operands are taken as they were before the others were made zero.
  tt.func public @whole_instructions(%a: tensor<64x128x!tt.ptr<f16>, #blocked>, %b: tensor<128x64x!tt.ptr<f16>, #blocked>, %rows: tensor<64x128xi1, #blocked>, %columns: tensor<128x64xi1, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %zero = arith.constant dense<0> : tensor<64x128xi16, #blocked>
    %zeros = arith.constant dense<0> : tensor<128x64xi16, #blocked>
    %left = tt.load %a : tensor<64x128x!tt.ptr<f16>, #blocked>
    %0 = arith.bitcast %left : tensor<64x128xf16, #blocked> to tensor<64x128xi16, #blocked>
    %1 = arith.select %rows, %0, %zero {tk.inside = array<i32: 64, 96>} : tensor<64x128xi1, #blocked>, tensor<64x128xi16, #blocked>
    %2 = arith.bitcast %1 : tensor<64x128xi16, #blocked> to tensor<64x128xf16, #blocked>
    %right = tt.load %b : tensor<128x64x!tt.ptr<f16>, #blocked>
    %3 = arith.bitcast %right : tensor<128x64xf16, #blocked> to tensor<128x64xi16, #blocked>
    %4 = arith.select %columns, %3, %zeros {tk.inside = array<i32: 96, 64>} : tensor<128x64xi1, #blocked>, tensor<128x64xi16, #blocked>
    %5 = arith.bitcast %4 : tensor<128x64xi16, #blocked> to tensor<128x64xf16, #blocked>
    %x = ttg.convert_layout %2 : tensor<64x128xf16, #blocked> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %y = ttg.convert_layout %5 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
    %sum = tt.dot %x, %y, %c {tk.inside = array<i32: 64, 64, 96>} : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x64xf32, #blocked>
    tt.return %sum : tensor<64x64xf32, #blocked>
  }

  // 100 terms end inside of an instruction, whose other terms have to be zero.
  tt.func public @parts_of_instructions(%a: tensor<64x128x!tt.ptr<f16>, #blocked>, %b: tensor<128x64xf16, #blocked>, %rows: tensor<64x128xi1, #blocked>, %c: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %zero = arith.constant dense<0> : tensor<64x128xi16, #blocked>
    %left = tt.load %a : tensor<64x128x!tt.ptr<f16>, #blocked>
    %0 = arith.bitcast %left : tensor<64x128xf16, #blocked> to tensor<64x128xi16, #blocked>
    %1 = arith.select %rows, %0, %zero {tk.inside = array<i32: 64, 100>} : tensor<64x128xi1, #blocked>, tensor<64x128xi16, #blocked>
    %2 = arith.bitcast %1 : tensor<64x128xi16, #blocked> to tensor<64x128xf16, #blocked>
    %x = ttg.convert_layout %2 : tensor<64x128xf16, #blocked> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %y = ttg.convert_layout %b : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
    %sum = tt.dot %x, %y, %c {tk.inside = array<i32: 64, 64, 100>} : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<64x64xf32, #blocked>
    tt.return %sum : tensor<64x64xf32, #blocked>
  }

  // mma.sync multiplies all of them.
  tt.func public @few_rows(%a: tensor<16x128x!tt.ptr<f16>, #blocked>, %b: tensor<128x64xf16, #blocked>, %rows: tensor<16x128xi1, #blocked>, %c: tensor<16x64xf32, #blocked>) -> tensor<16x64xf32, #blocked> {
    %zero = arith.constant dense<0> : tensor<16x128xi16, #blocked>
    %left = tt.load %a : tensor<16x128x!tt.ptr<f16>, #blocked>
    %0 = arith.bitcast %left : tensor<16x128xf16, #blocked> to tensor<16x128xi16, #blocked>
    %1 = arith.select %rows, %0, %zero {tk.inside = array<i32: 16, 96>} : tensor<16x128xi1, #blocked>, tensor<16x128xi16, #blocked>
    %2 = arith.bitcast %1 : tensor<16x128xi16, #blocked> to tensor<16x128xf16, #blocked>
    %x = ttg.convert_layout %2 : tensor<16x128xf16, #blocked> -> tensor<16x128xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
    %y = ttg.convert_layout %b : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>>
    %sum = tt.dot %x, %y, %c {tk.inside = array<i32: 16, 64, 96>} : tensor<16x128xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>> * tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<16x64xf32, #blocked>
    tt.return %sum : tensor<16x64xf32, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @whole_instructions(%arg0: tensor<64x128x!tt.ptr<f16>, #blocked>, %arg1: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x128xi1, #blocked>, %arg3: tensor<128x64xi1, #blocked>, %arg4: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %0 = tt.load %arg0 : tensor<64x128x!tt.ptr<f16>, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
    %2 = tt.load %arg1 : tensor<128x64x!tt.ptr<f16>, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %4 = ttg.convert_layout %arg4 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %5 = ttng.warp_group_dot %1, %3, %4 {tk.inside = array<i32: 64, 64, 96>} : !ttg.memdesc<64x128xf16, #shared, #smem> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %6 = ttg.convert_layout %5 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.return %6 : tensor<64x64xf32, #blocked>
  }
  tt.func public @parts_of_instructions(%arg0: tensor<64x128x!tt.ptr<f16>, #blocked>, %arg1: tensor<128x64xf16, #blocked>, %arg2: tensor<64x128xi1, #blocked>, %arg3: tensor<64x64xf32, #blocked>) -> tensor<64x64xf32, #blocked> {
    %0 = ttg.local_alloc %arg1 : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %cst = arith.constant dense<0> : tensor<64x128xi16, #blocked>
    %1 = tt.load %arg0 : tensor<64x128x!tt.ptr<f16>, #blocked>
    %2 = arith.bitcast %1 : tensor<64x128xf16, #blocked> to tensor<64x128xi16, #blocked>
    %3 = arith.select %arg2, %2, %cst {tk.inside = array<i32: 64, 100>} : tensor<64x128xi1, #blocked>, tensor<64x128xi16, #blocked>
    %4 = arith.bitcast %3 : tensor<64x128xi16, #blocked> to tensor<64x128xf16, #blocked>
    %5 = ttg.convert_layout %4 : tensor<64x128xf16, #blocked> -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %6 = ttg.convert_layout %arg3 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %7 = ttng.warp_group_dot %5, %0, %6 {tk.inside = array<i32: 64, 64, 100>} : tensor<64x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
    %8 = ttg.convert_layout %7 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.return %8 : tensor<64x64xf32, #blocked>
  }
  tt.func public @few_rows(%arg0: tensor<16x128x!tt.ptr<f16>, #blocked>, %arg1: tensor<128x64xf16, #blocked>, %arg2: tensor<16x128xi1, #blocked>, %arg3: tensor<16x64xf32, #blocked>) -> tensor<16x64xf32, #blocked> {
    %cst = arith.constant dense<0> : tensor<16x128xi16, #blocked>
    %0 = tt.load %arg0 : tensor<16x128x!tt.ptr<f16>, #blocked>
    %1 = arith.bitcast %0 : tensor<16x128xf16, #blocked> to tensor<16x128xi16, #blocked>
    %2 = arith.select %arg2, %1, %cst {tk.inside = array<i32: 16, 96>} : tensor<16x128xi1, #blocked>, tensor<16x128xi16, #blocked>
    %3 = arith.bitcast %2 : tensor<16x128xi16, #blocked> to tensor<16x128xf16, #blocked>
    %4 = ttg.convert_layout %3 : tensor<16x128xf16, #blocked> -> tensor<16x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
    %5 = ttg.convert_layout %arg1 : tensor<128x64xf16, #blocked> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>>
    %6 = ttg.convert_layout %arg3 : tensor<16x64xf32, #blocked> -> tensor<16x64xf32, #mma1>
    %7 = tt.dot %4, %5, %6 {tk.inside = array<i32: 16, 64, 96>} : tensor<16x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * tensor<128x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 2}>> -> tensor<16x64xf32, #mma1>
    %8 = ttg.convert_layout %7 : tensor<16x64xf32, #mma1> -> tensor<16x64xf32, #blocked>
    tt.return %8 : tensor<16x64xf32, #blocked>
  }
}

