// passes: optimize-dot-operands,canonicalize
// counts: ttg.convert_layout 3
#across = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #across}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each iteration copies the scales of its columns to shared memory, as it does the block: both are read in the layout of the operand, although a thread
  // has 32 of the scales there and eight before.
  tt.func public @copied(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !ttg.memdesc<128x64xbf16, #shared, #smem>, %c0: tensor<128x64xf32, #mma>, %n: i32) -> tensor<128x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %step = arith.constant 128 : i32
    %stride = arith.constant dense<1024> : tensor<128x1xi32, #across>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #across}>>
    %columns = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #row>
    %rows1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #across}>> -> tensor<128x1xi32, #across>
    %rows2 = arith.muli %rows1, %stride : tensor<128x1xi32, #across>
    %rows3 = tt.broadcast %rows2 : tensor<128x1xi32, #across> -> tensor<128x128xi32, #across>
    %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32, #row> -> tensor<1x128xi32, #across>
    %columns2 = tt.broadcast %columns1 : tensor<1x128xi32, #across> -> tensor<128x128xi32, #across>
    %offset = arith.addi %rows3, %columns2 : tensor<128x128xi32, #across>
    %result = scf.for %k = %zero to %n step %step iter_args(%acc = %c0) -> (tensor<128x64xf32, #mma>) : i32 {
      %p1 = tt.addptr %p, %k : !tt.ptr<bf16>, i32
      %p2 = tt.splat %p1 : !tt.ptr<bf16> -> tensor<128x128x!tt.ptr<bf16>, #across>
      %p3 = tt.addptr %p2, %offset : tensor<128x128x!tt.ptr<bf16>, #across>, tensor<128x128xi32, #across>
      %x = tt.load %p3 : tensor<128x128x!tt.ptr<bf16>, #across>
      %s1 = tt.addptr %s, %k : !tt.ptr<f32>, i32
      %s2 = tt.splat %s1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
      %s3 = tt.addptr %s2, %columns : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
      %scales = tt.load %s3 : tensor<128x!tt.ptr<f32>, #row>
      %scales1 = tt.expand_dims %scales {axis = 0 : i32} : tensor<128xf32, #row> -> tensor<1x128xf32, #across>
      %scales2 = tt.broadcast %scales1 : tensor<1x128xf32, #across> -> tensor<128x128xf32, #across>
      %wide = arith.extf %x : tensor<128x128xbf16, #across> to tensor<128x128xf32, #across>
      %scaled = arith.mulf %wide, %scales2 : tensor<128x128xf32, #across>
      %narrow = arith.truncf %scaled : tensor<128x128xf32, #across> to tensor<128x128xbf16, #across>
      %a = ttg.convert_layout %narrow : tensor<128x128xbf16, #across> -> tensor<128x128xbf16, #a>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : tensor<128x128xbf16, #a> * !ttg.memdesc<128x64xbf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      scf.yield %d : tensor<128x64xf32, #mma>
    }
    tt.return %result : tensor<128x64xf32, #mma>
  }
  // The scales are those of a root: a thread would compute four times as many, so the block stays converted.
  tt.func public @computed(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %s: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !ttg.memdesc<128x64xbf16, #shared, #smem>, %c0: tensor<128x64xf32, #mma>, %n: i32) -> tensor<128x64xf32, #mma> {
    %zero = arith.constant 0 : i32
    %step = arith.constant 128 : i32
    %stride = arith.constant dense<1024> : tensor<128x1xi32, #across>
    %rows = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #across}>>
    %columns = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #row>
    %rows1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #across}>> -> tensor<128x1xi32, #across>
    %rows2 = arith.muli %rows1, %stride : tensor<128x1xi32, #across>
    %rows3 = tt.broadcast %rows2 : tensor<128x1xi32, #across> -> tensor<128x128xi32, #across>
    %columns1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32, #row> -> tensor<1x128xi32, #across>
    %columns2 = tt.broadcast %columns1 : tensor<1x128xi32, #across> -> tensor<128x128xi32, #across>
    %offset = arith.addi %rows3, %columns2 : tensor<128x128xi32, #across>
    %result = scf.for %k = %zero to %n step %step iter_args(%acc = %c0) -> (tensor<128x64xf32, #mma>) : i32 {
      %p1 = tt.addptr %p, %k : !tt.ptr<bf16>, i32
      %p2 = tt.splat %p1 : !tt.ptr<bf16> -> tensor<128x128x!tt.ptr<bf16>, #across>
      %p3 = tt.addptr %p2, %offset : tensor<128x128x!tt.ptr<bf16>, #across>, tensor<128x128xi32, #across>
      %x = tt.load %p3 : tensor<128x128x!tt.ptr<bf16>, #across>
      %s1 = tt.addptr %s, %k : !tt.ptr<f32>, i32
      %s2 = tt.splat %s1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
      %s3 = tt.addptr %s2, %columns : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
      %squares = tt.load %s3 : tensor<128x!tt.ptr<f32>, #row>
      %scales = tt.precise_sqrt %squares : tensor<128xf32, #row>
      %scales1 = tt.expand_dims %scales {axis = 0 : i32} : tensor<128xf32, #row> -> tensor<1x128xf32, #across>
      %scales2 = tt.broadcast %scales1 : tensor<1x128xf32, #across> -> tensor<128x128xf32, #across>
      %wide = arith.extf %x : tensor<128x128xbf16, #across> to tensor<128x128xf32, #across>
      %scaled = arith.mulf %wide, %scales2 : tensor<128x128xf32, #across>
      %narrow = arith.truncf %scaled : tensor<128x128xf32, #across> to tensor<128x128xbf16, #across>
      %a = ttg.convert_layout %narrow : tensor<128x128xbf16, #across> -> tensor<128x128xbf16, #a>
      %d = ttng.warp_group_dot %a, %b, %acc {inputPrecision = 0 : i32} : tensor<128x128xbf16, #a> * !ttg.memdesc<128x64xbf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      scf.yield %d : tensor<128x64xf32, #mma>
    }
    tt.return %result : tensor<128x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @copied(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !ttg.memdesc<128x64xbf16, #shared, #smem>, %arg3: tensor<128x64xf32, #mma>, %arg4: i32) -> tensor<128x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<1024> : tensor<128x1xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<128x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<128x1xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<128x128xi32, #blocked>
    %8 = scf.for %arg5 = %c0_i32 to %arg4 step %c128_i32 iter_args(%arg6 = %arg3) -> (tensor<128x64xf32, #mma>)  : i32 {
      %9 = tt.addptr %arg0, %arg5 : !tt.ptr<bf16>, i32
      %10 = tt.splat %9 : !tt.ptr<bf16> -> tensor<128x128x!tt.ptr<bf16>, #blocked>
      %11 = tt.addptr %10, %7 : tensor<128x128x!tt.ptr<bf16>, #blocked>, tensor<128x128xi32, #blocked>
      %12 = tt.load %11 : tensor<128x128x!tt.ptr<bf16>, #blocked>
      %13 = tt.addptr %arg1, %arg5 : !tt.ptr<f32>, i32
      %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
      %15 = tt.addptr %14, %1 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %16 = tt.load %15 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
      %17 = ttg.convert_layout %16 : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
      %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>> -> tensor<1x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %19 = tt.broadcast %18 : tensor<1x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %20 = ttg.convert_layout %12 : tensor<128x128xbf16, #blocked> -> tensor<128x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %21 = arith.extf %20 : tensor<128x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> to tensor<128x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %22 = arith.mulf %21, %19 : tensor<128x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %23 = arith.truncf %22 : tensor<128x128xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> to tensor<128x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %24 = ttng.warp_group_dot %23, %arg2, %arg6 {inputPrecision = 0 : i32} : tensor<128x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x64xbf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      scf.yield %24 : tensor<128x64xf32, #mma>
    }
    tt.return %8 : tensor<128x64xf32, #mma>
  }
  tt.func public @computed(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !ttg.memdesc<128x64xbf16, #shared, #smem>, %arg3: tensor<128x64xf32, #mma>, %arg4: i32) -> tensor<128x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<1024> : tensor<128x1xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %3 = arith.muli %2, %cst : tensor<128x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<128x1xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %5 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %7 = arith.addi %4, %6 : tensor<128x128xi32, #blocked>
    %8 = scf.for %arg5 = %c0_i32 to %arg4 step %c128_i32 iter_args(%arg6 = %arg3) -> (tensor<128x64xf32, #mma>)  : i32 {
      %9 = tt.addptr %arg0, %arg5 : !tt.ptr<bf16>, i32
      %10 = tt.splat %9 : !tt.ptr<bf16> -> tensor<128x128x!tt.ptr<bf16>, #blocked>
      %11 = tt.addptr %10, %7 : tensor<128x128x!tt.ptr<bf16>, #blocked>, tensor<128x128xi32, #blocked>
      %12 = tt.load %11 : tensor<128x128x!tt.ptr<bf16>, #blocked>
      %13 = tt.addptr %arg1, %arg5 : !tt.ptr<f32>, i32
      %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
      %15 = tt.addptr %14, %1 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %16 = tt.load %15 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
      %17 = tt.precise_sqrt %16 : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %18 = tt.expand_dims %17 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xf32, #blocked>
      %19 = tt.broadcast %18 : tensor<1x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
      %20 = arith.extf %12 : tensor<128x128xbf16, #blocked> to tensor<128x128xf32, #blocked>
      %21 = arith.mulf %20, %19 : tensor<128x128xf32, #blocked>
      %22 = arith.truncf %21 : tensor<128x128xf32, #blocked> to tensor<128x128xbf16, #blocked>
      %23 = ttg.convert_layout %22 : tensor<128x128xbf16, #blocked> -> tensor<128x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %24 = ttng.warp_group_dot %23, %arg2, %arg6 {inputPrecision = 0 : i32} : tensor<128x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x64xbf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      scf.yield %24 : tensor<128x64xf32, #mma>
    }
    tt.return %8 : tensor<128x64xf32, #mma>
  }
}

