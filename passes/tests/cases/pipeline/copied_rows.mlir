// passes: tt,ttg,llvm
// warps: 8
// stages: 3
// trips: arg6 128
module {
  // Scales of columns of scores, behind pointers that the loop carries: one warp copies all of them, 16 bytes a thread, and the carried pointers have its layout.
  // The second product starts in steps, since weights wait for nothing.
  tt.func public @rows_kernel(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c128_i32 = arith.constant 128 : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %6 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %7 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %8 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %cst = arith.constant dense<16> : tensor<128x1xi32>
    %9 = arith.muli %8, %cst : tensor<128x1xi32>
    %10 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %11 = tt.addptr %10, %9 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %12 = tt.expand_dims %6 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %13 = tt.broadcast %11 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x16x!tt.ptr<f16>>
    %14 = tt.broadcast %12 : tensor<1x16xi32> -> tensor<128x16xi32>
    %15 = tt.addptr %13, %14 : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
    %16 = tt.load %15 : tensor<128x16x!tt.ptr<f16>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x16xf32>
    %17 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %18 = tt.addptr %17, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %19 = tt.expand_dims %5 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %20 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>>
    %21 = tt.addptr %20, %19 : tensor<1x128x!tt.ptr<f32>>, tensor<1x128xi32>
    %c0_i32 = arith.constant 0 : i32
    %c128_i32_1 = arith.constant 128 : i32
    %22:2 = scf.for %arg7 = %c0_i32 to %arg6 step %c128_i32_1 iter_args(%arg8 = %18, %arg9 = %cst_0) -> (tensor<128x!tt.ptr<f32>>, tensor<128x16xf32>)  : i32 {
      %31 = tt.splat %arg7 : i32 -> tensor<128xi32>
      %32 = arith.addi %31, %5 : tensor<128xi32>
      %33 = tt.splat %arg6 : i32 -> tensor<128xi32>
      %34 = arith.cmpi slt, %32, %33 : tensor<128xi32>
      %35 = tt.expand_dims %32 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %cst_3 = arith.constant dense<16> : tensor<1x128xi32>
      %36 = arith.muli %35, %cst_3 : tensor<1x128xi32>
      %37 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>>
      %38 = tt.addptr %37, %36 : tensor<1x128x!tt.ptr<f16>>, tensor<1x128xi32>
      %39 = tt.expand_dims %6 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %40 = tt.broadcast %38 : tensor<1x128x!tt.ptr<f16>> -> tensor<16x128x!tt.ptr<f16>>
      %41 = tt.broadcast %39 : tensor<16x1xi32> -> tensor<16x128xi32>
      %42 = tt.addptr %40, %41 : tensor<16x128x!tt.ptr<f16>>, tensor<16x128xi32>
      %43 = tt.expand_dims %34 {axis = 0 : i32} : tensor<128xi1> -> tensor<1x128xi1>
      %44 = tt.broadcast %43 : tensor<1x128xi1> -> tensor<16x128xi1>
      %cst_4 = arith.constant 0.000000e+00 : f16
      %cst_5 = arith.constant dense<0.000000e+00> : tensor<16x128xf16>
      %45 = tt.load %42, %44, %cst_5 : tensor<16x128x!tt.ptr<f16>>
      %46 = tt.expand_dims %32 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %cst_6 = arith.constant dense<16> : tensor<128x1xi32>
      %47 = arith.muli %46, %cst_6 : tensor<128x1xi32>
      %48 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %49 = tt.addptr %48, %47 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %50 = tt.expand_dims %7 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %51 = tt.broadcast %49 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x16x!tt.ptr<f16>>
      %52 = tt.broadcast %50 : tensor<1x16xi32> -> tensor<128x16xi32>
      %53 = tt.addptr %51, %52 : tensor<128x16x!tt.ptr<f16>>, tensor<128x16xi32>
      %54 = tt.expand_dims %34 {axis = 1 : i32} : tensor<128xi1> -> tensor<128x1xi1>
      %55 = tt.broadcast %54 : tensor<128x1xi1> -> tensor<128x16xi1>
      %cst_7 = arith.constant 0.000000e+00 : f16
      %cst_8 = arith.constant dense<0.000000e+00> : tensor<128x16xf16>
      %56 = tt.load %53, %55, %cst_8 : tensor<128x16x!tt.ptr<f16>>
      %cst_9 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
      %57 = tt.dot %16, %45, %cst_9, inputPrecision = tf32 : tensor<128x16xf16> * tensor<16x128xf16> -> tensor<128x128xf32>
      %cst_10 = arith.constant 0.000000e+00 : f32
      %cst_11 = arith.constant dense<0.000000e+00> : tensor<128xf32>
      %58 = tt.load %arg8, %34, %cst_11 : tensor<128x!tt.ptr<f32>>
      %59 = tt.expand_dims %58 {axis = 0 : i32} : tensor<128xf32> -> tensor<1x128xf32>
      %c128_i32_12 = arith.constant 128 : i32
      %cst_13 = arith.constant dense<128> : tensor<128xi32>
      %60 = tt.addptr %arg8, %cst_13 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %61 = tt.broadcast %59 : tensor<1x128xf32> -> tensor<128x128xf32>
      %62 = arith.mulf %57, %61 : tensor<128x128xf32>
      %cst_14 = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
      %63 = arith.maxnumf %62, %cst_14 : tensor<128x128xf32>
      %64 = arith.truncf %63 : tensor<128x128xf32> to tensor<128x128xf16>
      %65 = tt.dot %64, %56, %arg9, inputPrecision = tf32 : tensor<128x128xf16> * tensor<128x16xf16> -> tensor<128x16xf32>
      scf.yield %60, %65 : tensor<128x!tt.ptr<f32>>, tensor<128x16xf32>
    }
    %23 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %cst_2 = arith.constant dense<16> : tensor<128x1xi32>
    %24 = arith.muli %23, %cst_2 : tensor<128x1xi32>
    %25 = tt.splat %arg5 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %26 = tt.addptr %25, %24 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %27 = tt.expand_dims %7 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %28 = tt.broadcast %26 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x16x!tt.ptr<f32>>
    %29 = tt.broadcast %27 : tensor<1x16xi32> -> tensor<128x16xi32>
    %30 = tt.addptr %28, %29 : tensor<128x16x!tt.ptr<f32>>, tensor<128x16xi32>
    tt.store %30, %22#1 : tensor<128x16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 2], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [2, 16], warpsPerCTA = [1, 8], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 16, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 29696 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows_kernel(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<16> : tensor<128x1xi32, #blocked>
    %cst_0 = arith.constant dense<16> : tensor<128x1xi32, #blocked1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x16xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<16> : tensor<1x128xi32, #blocked2>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<16x128xf16, #blocked2>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<128x16xf16, #blocked>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma1>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked3>
    %cst_7 = arith.constant dense<128> : tensor<128xi32, #blocked3>
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst_8 = arith.constant dense<128> : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_9 = arith.constant dense<128> : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked3>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = arith.addi %6, %5 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = arith.addi %7, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %10 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %11 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %12 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.expand_dims %8 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %14 = tt.expand_dims %9 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %15 = arith.muli %13, %cst_0 : tensor<128x1xi32, #blocked1>
    %16 = arith.muli %14, %cst : tensor<128x1xi32, #blocked>
    %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %18 = tt.addptr %17, %16 : tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>
    %19 = tt.expand_dims %11 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x16xi32, #blocked1>
    %20 = tt.expand_dims %12 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
    %21 = tt.broadcast %18 : tensor<128x1x!tt.ptr<f16>, #blocked> -> tensor<128x16x!tt.ptr<f16>, #blocked>
    %22 = tt.broadcast %19 : tensor<1x16xi32, #blocked1> -> tensor<128x16xi32, #blocked1>
    %23 = tt.broadcast %20 : tensor<1x16xi32, #blocked> -> tensor<128x16xi32, #blocked>
    %24 = tt.addptr %21, %23 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
    %25 = tt.load %24 {tk.vector = 8 : i32} : tensor<128x16x!tt.ptr<f16>, #blocked>
    %26 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked3>
    %27 = tt.addptr %26, %2 : tensor<128x!tt.ptr<f32>, #blocked3>, tensor<128xi32, #blocked3>
    %28 = tt.splat %arg6 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %29 = tt.splat %arg6 : i32 -> tensor<128xi32, #blocked3>
    %30 = tt.splat %arg6 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %31 = tt.expand_dims %10 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<16x1xi32, #blocked2>
    %32 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>, #blocked2>
    %33 = tt.addptr %32, %31 : tensor<16x1x!tt.ptr<f16>, #blocked2>, tensor<16x1xi32, #blocked2>
    %34 = tt.broadcast %33 : tensor<16x1x!tt.ptr<f16>, #blocked2> -> tensor<16x128x!tt.ptr<f16>, #blocked2>
    %35 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<1x16x!tt.ptr<f16>, #blocked>
    %36 = tt.addptr %35, %20 : tensor<1x16x!tt.ptr<f16>, #blocked>, tensor<1x16xi32, #blocked>
    %37 = tt.broadcast %36 : tensor<1x16x!tt.ptr<f16>, #blocked> -> tensor<128x16x!tt.ptr<f16>, #blocked>
    %38 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 12288 : i32} : () -> !ttg.memdesc<3x16x128xf16, #shared, #smem, mutable>
    %39 = ttg.local_alloc {allocation.offset = 12288 : i32, tk.allocation_size = 12288 : i32} : () -> !ttg.memdesc<3x128x16xf16, #shared1, #smem, mutable>
    %40 = ttg.local_alloc {allocation.offset = 28672 : i32, tk.allocation_size = 1024 : i32} : () -> !ttg.memdesc<2x128xf32, #shared2, #smem, mutable>
    %41 = arith.cmpi slt, %4, %28 {tk.constancy = array<i32: 16>} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %42 = arith.cmpi slt, %2, %29 {tk.constancy = array<i32: 16>} : tensor<128xi32, #blocked3>
    %43 = arith.cmpi slt, %3, %30 {tk.constancy = array<i32: 16>} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %44 = tt.expand_dims %3 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi32, #blocked2>
    %45 = arith.muli %44, %cst_2 : tensor<1x128xi32, #blocked2>
    %46 = tt.broadcast %45 : tensor<1x128xi32, #blocked2> -> tensor<16x128xi32, #blocked2>
    %47 = tt.addptr %34, %46 : tensor<16x128x!tt.ptr<f16>, #blocked2>, tensor<16x128xi32, #blocked2>
    %48 = tt.expand_dims %43 {axis = 0 : i32} : tensor<128xi1, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi1, #blocked2>
    %49 = tt.broadcast %48 : tensor<1x128xi1, #blocked2> -> tensor<16x128xi1, #blocked2>
    %50 = ttg.memdesc_index %38[%c0_i32] : !ttg.memdesc<3x16x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x128xf16, #shared, #smem, mutable>
    %51 = arith.cmpi sgt, %arg6, %c0_i32 : i32
    %52 = tt.splat %51 : i1 -> tensor<16x128xi1, #blocked2>
    %53 = arith.andi %52, %49 : tensor<16x128xi1, #blocked2>
    %54 = ttg.async_copy_global_to_local %47, %50 mask %53 other %cst_3 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<16x128x!tt.ptr<f16>, #blocked2> -> <16x128xf16, #shared, #smem, mutable>
    %55 = ttg.async_commit_group tokens %54
    %56 = tt.expand_dims %4 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %57 = arith.muli %56, %cst : tensor<128x1xi32, #blocked>
    %58 = tt.broadcast %57 : tensor<128x1xi32, #blocked> -> tensor<128x16xi32, #blocked>
    %59 = tt.addptr %37, %58 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
    %60 = tt.expand_dims %41 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi1, #blocked>
    %61 = tt.broadcast %60 : tensor<128x1xi1, #blocked> -> tensor<128x16xi1, #blocked>
    %62 = ttg.memdesc_index %39[%c0_i32] : !ttg.memdesc<3x128x16xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x16xf16, #shared1, #smem, mutable>
    %63 = tt.splat %51 : i1 -> tensor<128x16xi1, #blocked>
    %64 = arith.andi %63, %61 : tensor<128x16xi1, #blocked>
    %65 = ttg.async_copy_global_to_local %59, %62 mask %64 other %cst_4 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x16x!tt.ptr<f16>, #blocked> -> <128x16xf16, #shared1, #smem, mutable>
    %66 = ttg.async_commit_group tokens %65
    %67 = ttg.memdesc_index %40[%c0_i32] : !ttg.memdesc<2x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
    %68 = tt.splat %51 : i1 -> tensor<128xi1, #blocked3>
    %69 = arith.andi %68, %42 : tensor<128xi1, #blocked3>
    %70 = ttg.async_copy_global_to_local %27, %67 mask %69 other %cst_6 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<128x!tt.ptr<f32>, #blocked3> -> <128xf32, #shared2, #smem, mutable>
    %71 = ttg.async_commit_group tokens %70
    %72 = tt.addptr %27, %cst_7 : tensor<128x!tt.ptr<f32>, #blocked3>, tensor<128xi32, #blocked3>
    %73 = arith.addi %4, %cst_8 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %74 = arith.addi %2, %cst_7 : tensor<128xi32, #blocked3>
    %75 = arith.addi %3, %cst_9 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %76 = arith.cmpi slt, %73, %28 {tk.constancy = array<i32: 16>} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %77 = arith.cmpi slt, %74, %29 {tk.constancy = array<i32: 16>} : tensor<128xi32, #blocked3>
    %78 = arith.cmpi slt, %75, %30 {tk.constancy = array<i32: 16>} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %79 = tt.expand_dims %75 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi32, #blocked2>
    %80 = arith.muli %79, %cst_2 : tensor<1x128xi32, #blocked2>
    %81 = tt.broadcast %80 : tensor<1x128xi32, #blocked2> -> tensor<16x128xi32, #blocked2>
    %82 = tt.addptr %34, %81 : tensor<16x128x!tt.ptr<f16>, #blocked2>, tensor<16x128xi32, #blocked2>
    %83 = tt.expand_dims %78 {axis = 0 : i32} : tensor<128xi1, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi1, #blocked2>
    %84 = tt.broadcast %83 : tensor<1x128xi1, #blocked2> -> tensor<16x128xi1, #blocked2>
    %85 = ttg.memdesc_index %38[%c1_i32] : !ttg.memdesc<3x16x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x128xf16, #shared, #smem, mutable>
    %86 = arith.cmpi sgt, %arg6, %c128_i32 : i32
    %87 = tt.splat %86 : i1 -> tensor<16x128xi1, #blocked2>
    %88 = arith.andi %87, %84 : tensor<16x128xi1, #blocked2>
    %89 = ttg.async_copy_global_to_local %82, %85 mask %88 other %cst_3 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<16x128x!tt.ptr<f16>, #blocked2> -> <16x128xf16, #shared, #smem, mutable>
    %90 = ttg.async_commit_group tokens %89
    %91 = tt.expand_dims %73 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %92 = arith.muli %91, %cst : tensor<128x1xi32, #blocked>
    %93 = tt.broadcast %92 : tensor<128x1xi32, #blocked> -> tensor<128x16xi32, #blocked>
    %94 = tt.addptr %37, %93 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
    %95 = tt.expand_dims %76 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi1, #blocked>
    %96 = tt.broadcast %95 : tensor<128x1xi1, #blocked> -> tensor<128x16xi1, #blocked>
    %97 = ttg.memdesc_index %39[%c1_i32] : !ttg.memdesc<3x128x16xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x16xf16, #shared1, #smem, mutable>
    %98 = tt.splat %86 : i1 -> tensor<128x16xi1, #blocked>
    %99 = arith.andi %98, %96 : tensor<128x16xi1, #blocked>
    %100 = ttg.async_copy_global_to_local %94, %97 mask %99 other %cst_4 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x16x!tt.ptr<f16>, #blocked> -> <128x16xf16, #shared1, #smem, mutable>
    %101 = ttg.async_commit_group tokens %100
    %102 = ttg.memdesc_index %40[%c1_i32] : !ttg.memdesc<2x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
    %103 = tt.splat %86 : i1 -> tensor<128xi1, #blocked3>
    %104 = arith.andi %103, %77 : tensor<128xi1, #blocked3>
    %105 = ttg.async_copy_global_to_local %72, %102 mask %104 other %cst_6 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<128x!tt.ptr<f32>, #blocked3> -> <128xf32, #shared2, #smem, mutable>
    %106 = ttg.async_commit_group tokens %105
    %107 = tt.addptr %72, %cst_7 : tensor<128x!tt.ptr<f32>, #blocked3>, tensor<128xi32, #blocked3>
    %108 = arith.subi %arg6, %c256_i32 : i32
    %109 = ttg.async_wait %55, %66, %71 {num = 3 : i32}
    gpu.barrier
    %110 = ttg.local_alloc %25 {allocation.offset = 24576 : i32, tk.allocation_size = 4096 : i32} : (tensor<128x16xf16, #blocked>) -> !ttg.memdesc<128x16xf16, #shared1, #smem>
    gpu.barrier
    ttng.fence_async_shared {bCluster = false}
    %111:9 = scf.for %arg7 = %c0_i32 to %arg6 step %c128_i32 iter_args(%arg8 = %cst_1, %arg9 = %c-1_i32, %arg10 = %c-1_i32, %arg11 = %90, %arg12 = %101, %arg13 = %106, %arg14 = %c1_i32, %arg15 = %c1_i32, %arg16 = %107) -> (tensor<128x16xf32, #mma>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, tensor<128x!tt.ptr<f32>, #blocked3>)  : i32 {
      %119 = arith.addi %arg9, %c1_i32 : i32
      %120 = arith.cmpi sge, %119, %c2_i32 : i32
      %121 = arith.select %120, %c0_i32, %119 : i32
      %122 = arith.addi %arg10, %c1_i32 : i32
      %123 = arith.cmpi sge, %122, %c3_i32 : i32
      %124 = arith.select %123, %c0_i32, %122 : i32
      %125 = ttg.memdesc_index %38[%124] : !ttg.memdesc<3x16x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x128xf16, #shared, #smem, mutable>
      %126 = ttg.memdesc_index %39[%124] : !ttg.memdesc<3x128x16xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x16xf16, #shared1, #smem, mutable>
      %127 = ttng.warp_group_dot %110, %125, %cst_5 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x16xf16, #shared1, #smem> * !ttg.memdesc<16x128xf16, #shared, #smem, mutable> -> tensor<128x128xf32, #mma1>
      %128:4 = ttng.warp_group_dot_wait %127, %110, %125, %arg8 {pendings = 0 : i32} : tensor<128x128xf32, #mma1>, !ttg.memdesc<128x16xf16, #shared1, #smem>, !ttg.memdesc<16x128xf16, #shared, #smem, mutable>, tensor<128x16xf32, #mma>
      %129 = ttg.memdesc_index %40[%121] : !ttg.memdesc<2x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %130 = ttg.local_load %129 : !ttg.memdesc<128xf32, #shared2, #smem, mutable> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma1}>>
      %131 = tt.expand_dims %130 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma1}>> -> tensor<1x128xf32, #mma1>
      %132 = tt.broadcast %131 : tensor<1x128xf32, #mma1> -> tensor<128x128xf32, #mma1>
      %133 = arith.mulf %128#0, %132 : tensor<128x128xf32, #mma1>
      %134 = arith.maxnumf %133, %cst_5 : tensor<128x128xf32, #mma1>
      %135 = arith.truncf %134 : tensor<128x128xf32, #mma1> to tensor<128x128xf16, #mma1>
      %136 = ttg.convert_layout %135 : tensor<128x128xf16, #mma1> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %137 = ttng.warp_group_dot %136, %126, %128#3 {inputPrecision = 0 : i32, isAsync = true, tk.by_step} : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<128x16xf16, #shared1, #smem, mutable> -> tensor<128x16xf32, #mma>
      %138 = arith.addi %arg14, %c1_i32 : i32
      %139 = arith.cmpi sge, %138, %c2_i32 : i32
      %140 = arith.select %139, %c0_i32, %138 : i32
      %141 = arith.addi %arg15, %c1_i32 : i32
      %142 = arith.cmpi sge, %141, %c3_i32 : i32
      %143 = arith.select %142, %c0_i32, %141 : i32
      %144 = arith.addi %arg7, %c256_i32 : i32
      %145 = tt.splat %144 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %146 = tt.splat %144 : i32 -> tensor<128xi32, #blocked3>
      %147 = tt.splat %144 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
      %148 = arith.addi %145, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %149 = arith.addi %146, %2 : tensor<128xi32, #blocked3>
      %150 = arith.addi %147, %3 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
      %151 = arith.cmpi slt, %148, %28 {tk.constancy = array<i32: 16>} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %152 = arith.cmpi slt, %149, %29 {tk.constancy = array<i32: 16>} : tensor<128xi32, #blocked3>
      %153 = arith.cmpi slt, %150, %30 {tk.constancy = array<i32: 16>} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
      %154 = tt.expand_dims %150 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi32, #blocked2>
      %155 = arith.muli %154, %cst_2 : tensor<1x128xi32, #blocked2>
      %156 = tt.broadcast %155 : tensor<1x128xi32, #blocked2> -> tensor<16x128xi32, #blocked2>
      %157 = tt.addptr %34, %156 : tensor<16x128x!tt.ptr<f16>, #blocked2>, tensor<16x128xi32, #blocked2>
      %158 = tt.expand_dims %153 {axis = 0 : i32} : tensor<128xi1, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi1, #blocked2>
      %159 = tt.broadcast %158 : tensor<1x128xi1, #blocked2> -> tensor<16x128xi1, #blocked2>
      %160 = ttg.memdesc_index %38[%143] : !ttg.memdesc<3x16x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x128xf16, #shared, #smem, mutable>
      %161 = arith.cmpi slt, %arg7, %108 : i32
      %162 = tt.splat %161 : i1 -> tensor<16x128xi1, #blocked2>
      %163 = arith.andi %162, %159 : tensor<16x128xi1, #blocked2>
      %164 = ttg.async_wait %arg11, %arg12, %arg13 {num = 0 : i32}
      gpu.barrier
      %165 = ttg.async_copy_global_to_local %157, %160 mask %163 other %cst_3 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<16x128x!tt.ptr<f16>, #blocked2> -> <16x128xf16, #shared, #smem, mutable>
      %166 = ttg.async_commit_group tokens %165
      %167 = tt.expand_dims %148 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %168 = arith.muli %167, %cst : tensor<128x1xi32, #blocked>
      %169 = tt.broadcast %168 : tensor<128x1xi32, #blocked> -> tensor<128x16xi32, #blocked>
      %170 = tt.addptr %37, %169 : tensor<128x16x!tt.ptr<f16>, #blocked>, tensor<128x16xi32, #blocked>
      %171 = tt.expand_dims %151 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi1, #blocked>
      %172 = tt.broadcast %171 : tensor<128x1xi1, #blocked> -> tensor<128x16xi1, #blocked>
      %173 = ttg.memdesc_index %39[%143] : !ttg.memdesc<3x128x16xf16, #shared1, #smem, mutable> -> !ttg.memdesc<128x16xf16, #shared1, #smem, mutable>
      %174 = tt.splat %161 : i1 -> tensor<128x16xi1, #blocked>
      %175 = arith.andi %174, %172 : tensor<128x16xi1, #blocked>
      %176 = ttg.async_copy_global_to_local %170, %173 mask %175 other %cst_4 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x16x!tt.ptr<f16>, #blocked> -> <128x16xf16, #shared1, #smem, mutable>
      %177 = ttg.async_commit_group tokens %176
      %178 = ttg.memdesc_index %40[%140] : !ttg.memdesc<2x128xf32, #shared2, #smem, mutable> -> !ttg.memdesc<128xf32, #shared2, #smem, mutable>
      %179 = tt.splat %161 : i1 -> tensor<128xi1, #blocked3>
      %180 = arith.andi %179, %152 : tensor<128xi1, #blocked3>
      %181 = ttg.async_copy_global_to_local %arg16, %178 mask %180 other %cst_6 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<128x!tt.ptr<f32>, #blocked3> -> <128xf32, #shared2, #smem, mutable>
      %182 = ttg.async_commit_group tokens %181
      %183 = tt.addptr %arg16, %cst_7 : tensor<128x!tt.ptr<f32>, #blocked3>, tensor<128xi32, #blocked3>
      scf.yield %137, %121, %124, %166, %177, %182, %140, %143, %183 : tensor<128x16xf32, #mma>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, tensor<128x!tt.ptr<f32>, #blocked3>
    }
    %112 = ttng.warp_group_dot_wait %111#0 {pendings = 0 : i32} : tensor<128x16xf32, #mma>
    %113 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %40 : !ttg.memdesc<2x128xf32, #shared2, #smem, mutable>
    ttg.local_dealloc %39 : !ttg.memdesc<3x128x16xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %38 : !ttg.memdesc<3x16x128xf16, #shared, #smem, mutable>
    %114 = tt.splat %arg5 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %115 = tt.addptr %114, %15 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %116 = tt.broadcast %115 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x16x!tt.ptr<f32>, #blocked1>
    %117 = tt.addptr %116, %22 : tensor<128x16x!tt.ptr<f32>, #blocked1>, tensor<128x16xi32, #blocked1>
    gpu.barrier
    %118 = ttg.convert_layout %112 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<128x16xf32, #mma> -> tensor<128x16xf32, #blocked1>
    tt.store %117, %118 {tk.vector = 4 : i32} : tensor<128x16x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

