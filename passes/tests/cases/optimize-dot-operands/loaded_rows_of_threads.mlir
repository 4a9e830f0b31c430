// passes: optimize-dot-operands,cse,canonicalize
// counts: tt.load 2, ttg.convert_layout 2
// So is one with an element for each thread, of which a thread loads four then.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled_kernel(%k_ptr: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %beta_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<128> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xbf16, #blocked1>
    %cst_1 = arith.constant dense<256> : tensor<128x1xi32, #blocked1>
    %c64_i32 = arith.constant 64 : i32
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked2>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked2>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<128xi32, #blocked2>
    %7 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %at = arith.addi %6, %2 : tensor<128xi32, #blocked2>
    %at_4 = arith.addi %7, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %at_5 = arith.addi %8, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %9 = tt.splat %beta_ptr : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked2>
    %10 = tt.addptr %9, %at : tensor<128x!tt.ptr<f32>, #blocked2>, tensor<128xi32, #blocked2>
    %11 = tt.splat %rows : i32 -> tensor<128xi32, #blocked2>
    %12 = tt.splat %rows : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %13 = tt.splat %rows : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %14 = arith.cmpi slt, %at, %11 : tensor<128xi32, #blocked2>
    %15 = arith.cmpi slt, %at_4, %12 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %16 = arith.cmpi slt, %at_5, %13 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %beta = tt.load %10, %14, %cst_3 : tensor<128x!tt.ptr<f32>, #blocked2>
    %beta_6 = ttg.convert_layout %beta : tensor<128xf32, #blocked2> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %17 = tt.expand_dims %at_5 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %18 = arith.muli %17, %cst_1 : tensor<128x1xi32, #blocked1>
    %19 = tt.splat %k_ptr : !tt.ptr<bf16> -> tensor<128x1x!tt.ptr<bf16>, #blocked1>
    %20 = tt.addptr %19, %18 : tensor<128x1x!tt.ptr<bf16>, #blocked1>, tensor<128x1xi32, #blocked1>
    %21 = tt.broadcast %20 : tensor<128x1x!tt.ptr<bf16>, #blocked1> -> tensor<128x64x!tt.ptr<bf16>, #blocked1>
    %22 = tt.expand_dims %16 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi1, #blocked1>
    %23 = tt.broadcast %22 : tensor<128x1xi1, #blocked1> -> tensor<128x64xi1, #blocked1>
    %24 = tt.expand_dims %beta_6 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xf32, #blocked1>
    %25 = tt.broadcast %24 : tensor<128x1xf32, #blocked1> -> tensor<128x64xf32, #blocked1>
    %total = scf.for %arg4 = %c0_i32 to %c256_i32 step %c64_i32 iter_args(%arg5 = %cst_2) -> (tensor<128x128xf32, #mma>)  : i32 {
      %37 = tt.splat %arg4 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %38 = arith.addi %37, %columns : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %39 = tt.expand_dims %38 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
      %40 = tt.broadcast %39 : tensor<1x64xi32, #blocked1> -> tensor<128x64xi32, #blocked1>
      %41 = tt.addptr %21, %40 : tensor<128x64x!tt.ptr<bf16>, #blocked1>, tensor<128x64xi32, #blocked1>
      %k = tt.load %41, %23, %cst_0 : tensor<128x64x!tt.ptr<bf16>, #blocked1>
      %42 = arith.extf %k : tensor<128x64xbf16, #blocked1> to tensor<128x64xf32, #blocked1>
      %43 = arith.mulf %42, %25 : tensor<128x64xf32, #blocked1>
      %44 = arith.truncf %43 : tensor<128x64xf32, #blocked1> to tensor<128x64xbf16, #blocked1>
      %45 = tt.trans %k {order = array<i32: 1, 0>} : tensor<128x64xbf16, #blocked1> -> tensor<64x128xbf16, #blocked3>
      %46 = ttg.local_alloc %45 : (tensor<64x128xbf16, #blocked3>) -> !ttg.memdesc<64x128xbf16, #shared, #smem>
      %47 = ttg.convert_layout %44 : tensor<128x64xbf16, #blocked1> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %48 = ttng.warp_group_dot %47, %46, %arg5 {inputPrecision = 0 : i32} : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x128xbf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %48 : tensor<128x128xf32, #mma>
    }
    %26 = tt.expand_dims %at_4 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %27 = arith.muli %26, %cst : tensor<128x1xi32, #blocked>
    %28 = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked>
    %29 = tt.addptr %28, %27 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
    %30 = tt.expand_dims %5 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %31 = tt.broadcast %29 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x128x!tt.ptr<f32>, #blocked>
    %32 = tt.broadcast %30 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %33 = tt.addptr %31, %32 : tensor<128x128x!tt.ptr<f32>, #blocked>, tensor<128x128xi32, #blocked>
    %34 = tt.expand_dims %15 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi1, #blocked>
    %35 = tt.broadcast %34 : tensor<128x1xi1, #blocked> -> tensor<128x128xi1, #blocked>
    %36 = ttg.convert_layout %total : tensor<128x128xf32, #mma> -> tensor<128x128xf32, #blocked>
    tt.store %33, %36, %35 : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scaled_kernel(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<128> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xbf16, #blocked1>
    %cst_1 = arith.constant dense<256> : tensor<128x1xi32, #blocked1>
    %c64_i32 = arith.constant 64 : i32
    %c256_i32 = arith.constant 256 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %7 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = arith.addi %6, %2 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %10 = arith.addi %7, %3 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %11 = arith.addi %8, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %12 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %14 = tt.addptr %13, %9 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %15 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %16 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %18 = arith.cmpi slt, %9, %15 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %19 = arith.cmpi slt, %10, %16 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %20 = arith.cmpi slt, %11, %17 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %21 = tt.load %14, %18, %cst_3 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>>
    %22 = tt.expand_dims %21 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>}>> -> tensor<128x1xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %23 = tt.broadcast %22 : tensor<128x1xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> -> tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %24 = tt.expand_dims %11 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %25 = arith.muli %24, %cst_1 : tensor<128x1xi32, #blocked1>
    %26 = tt.splat %arg0 : !tt.ptr<bf16> -> tensor<128x1x!tt.ptr<bf16>, #blocked1>
    %27 = tt.addptr %26, %25 : tensor<128x1x!tt.ptr<bf16>, #blocked1>, tensor<128x1xi32, #blocked1>
    %28 = tt.broadcast %27 : tensor<128x1x!tt.ptr<bf16>, #blocked1> -> tensor<128x64x!tt.ptr<bf16>, #blocked1>
    %29 = tt.expand_dims %20 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi1, #blocked1>
    %30 = tt.broadcast %29 : tensor<128x1xi1, #blocked1> -> tensor<128x64xi1, #blocked1>
    %31 = scf.for %arg4 = %c0_i32 to %c256_i32 step %c64_i32 iter_args(%arg5 = %cst_2) -> (tensor<128x128xf32, #mma>)  : i32 {
      %43 = tt.splat %arg4 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %44 = arith.addi %43, %12 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %45 = tt.expand_dims %44 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
      %46 = tt.broadcast %45 : tensor<1x64xi32, #blocked1> -> tensor<128x64xi32, #blocked1>
      %47 = tt.addptr %28, %46 : tensor<128x64x!tt.ptr<bf16>, #blocked1>, tensor<128x64xi32, #blocked1>
      %48 = tt.load %47, %30, %cst_0 : tensor<128x64x!tt.ptr<bf16>, #blocked1>
      %49 = ttg.local_alloc %48 : (tensor<128x64xbf16, #blocked1>) -> !ttg.memdesc<128x64xbf16, #shared, #smem>
      %50 = ttg.memdesc_trans %49 {order = array<i32: 1, 0>} : !ttg.memdesc<128x64xbf16, #shared, #smem> -> !ttg.memdesc<64x128xbf16, #shared1, #smem>
      %51 = ttg.convert_layout %48 : tensor<128x64xbf16, #blocked1> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %52 = arith.extf %51 : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> to tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %53 = arith.mulf %52, %23 : tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %54 = arith.truncf %53 : tensor<128x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> to tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %55 = ttng.warp_group_dot %54, %50, %arg5 {inputPrecision = 0 : i32} : tensor<128x64xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x128xbf16, #shared1, #smem> -> tensor<128x128xf32, #mma>
      scf.yield %55 : tensor<128x128xf32, #mma>
    }
    %32 = tt.expand_dims %10 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %33 = arith.muli %32, %cst : tensor<128x1xi32, #blocked>
    %34 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked>
    %35 = tt.addptr %34, %33 : tensor<128x1x!tt.ptr<f32>, #blocked>, tensor<128x1xi32, #blocked>
    %36 = tt.expand_dims %5 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %37 = tt.broadcast %35 : tensor<128x1x!tt.ptr<f32>, #blocked> -> tensor<128x128x!tt.ptr<f32>, #blocked>
    %38 = tt.broadcast %36 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %39 = tt.addptr %37, %38 : tensor<128x128x!tt.ptr<f32>, #blocked>, tensor<128x128xi32, #blocked>
    %40 = tt.expand_dims %19 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi1, #blocked>
    %41 = tt.broadcast %40 : tensor<128x1xi1, #blocked> -> tensor<128x128xi1, #blocked>
    %42 = ttg.convert_layout %31 : tensor<128x128xf32, #mma> -> tensor<128x128xf32, #blocked>
    tt.store %39, %42, %41 : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

