// passes: tt,ttg,llvm
// stages: 3
// trips: arg5 32
module {
  tt.func public @mm(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c31_i32 = arith.constant 31 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<32> : tensor<128x32xi32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x128xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x32xf32>
    %c32_i32 = arith.constant 32 : i32
    %c128_i32 = arith.constant 128 : i32
    %c8_i32 = arith.constant 8 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg4, %c127_i32 : i32
    %4 = arith.divsi %3, %c128_i32 : i32
    %5 = arith.muli %4, %c8_i32 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %5 : i32
    %11 = arith.remsi %10, %9 : i32
    %12 = arith.addi %7, %11 : i32
    %13 = arith.divsi %10, %9 : i32
    %14 = arith.muli %12, %c128_i32 : i32
    %15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %16 = tt.splat %14 : i32 -> tensor<128xi32>
    %17 = arith.addi %16, %15 : tensor<128xi32>
    %18 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %19 = arith.remsi %17, %18 : tensor<128xi32>
    %20 = arith.muli %13, %c128_i32 : i32
    %21 = tt.splat %20 : i32 -> tensor<128xi32>
    %22 = arith.addi %21, %15 : tensor<128xi32>
    %23 = tt.splat %arg4 : i32 -> tensor<128xi32>
    %24 = arith.remsi %22, %23 : tensor<128xi32>
    %25 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %26 = tt.expand_dims %19 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %27 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %28 = arith.muli %26, %27 : tensor<128x1xi32>
    %29 = tt.expand_dims %25 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %30 = tt.broadcast %28 : tensor<128x1xi32> -> tensor<128x32xi32>
    %31 = tt.broadcast %29 : tensor<1x32xi32> -> tensor<128x32xi32>
    %32 = arith.addi %30, %31 : tensor<128x32xi32>
    %33 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
    %34 = tt.addptr %33, %32 : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
    %35 = tt.expand_dims %25 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %36 = tt.splat %arg7 : i32 -> tensor<32x1xi32>
    %37 = arith.muli %35, %36 : tensor<32x1xi32>
    %38 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %39 = tt.broadcast %37 : tensor<32x1xi32> -> tensor<32x128xi32>
    %40 = tt.broadcast %38 : tensor<1x128xi32> -> tensor<32x128xi32>
    %41 = arith.addi %39, %40 : tensor<32x128xi32>
    %42 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x128x!tt.ptr<f32>>
    %43 = tt.addptr %42, %41 : tensor<32x128x!tt.ptr<f32>>, tensor<32x128xi32>
    %44 = arith.addi %arg5, %c31_i32 : i32
    %45 = arith.divsi %44, %c32_i32 : i32
    %46:3 = scf.for %arg9 = %c0_i32 to %45 step %c1_i32 iter_args(%arg10 = %34, %arg11 = %43, %arg12 = %cst) -> (tensor<128x32x!tt.ptr<f32>>, tensor<32x128x!tt.ptr<f32>>, tensor<128x128xf32>)  : i32 {
      %63 = arith.muli %arg9, %c32_i32 : i32
      %64 = arith.subi %arg5, %63 : i32
      %65 = tt.splat %64 : i32 -> tensor<1x32xi32>
      %66 = arith.cmpi slt, %29, %65 : tensor<1x32xi32>
      %67 = tt.broadcast %66 : tensor<1x32xi1> -> tensor<128x32xi1>
      %68 = tt.load %arg10, %67, %cst_2 : tensor<128x32x!tt.ptr<f32>>
      %69 = tt.splat %64 : i32 -> tensor<32x1xi32>
      %70 = arith.cmpi slt, %35, %69 : tensor<32x1xi32>
      %71 = tt.broadcast %70 : tensor<32x1xi1> -> tensor<32x128xi1>
      %72 = tt.load %arg11, %71, %cst_1 : tensor<32x128x!tt.ptr<f32>>
      %73 = tt.dot %68, %72, %arg12, inputPrecision = tf32 : tensor<128x32xf32> * tensor<32x128xf32> -> tensor<128x128xf32>
      %74 = tt.addptr %arg10, %cst_0 : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
      %75 = arith.muli %arg7, %c32_i32 : i32
      %76 = tt.splat %75 : i32 -> tensor<32x128xi32>
      %77 = tt.addptr %arg11, %76 : tensor<32x128x!tt.ptr<f32>>, tensor<32x128xi32>
      scf.yield %74, %77, %73 : tensor<128x32x!tt.ptr<f32>>, tensor<32x128x!tt.ptr<f32>>, tensor<128x128xf32>
    }
    %47 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %48 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %49 = arith.muli %48, %47 : tensor<128x1xi32>
    %50 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>>
    %51 = tt.addptr %50, %49 : tensor<128x1x!tt.ptr<f32>>, tensor<128x1xi32>
    %52 = tt.expand_dims %22 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %53 = tt.broadcast %51 : tensor<128x1x!tt.ptr<f32>> -> tensor<128x128x!tt.ptr<f32>>
    %54 = tt.broadcast %52 : tensor<1x128xi32> -> tensor<128x128xi32>
    %55 = tt.addptr %53, %54 : tensor<128x128x!tt.ptr<f32>>, tensor<128x128xi32>
    %56 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %57 = arith.cmpi slt, %47, %56 : tensor<128x1xi32>
    %58 = tt.splat %arg4 : i32 -> tensor<1x128xi32>
    %59 = arith.cmpi slt, %52, %58 : tensor<1x128xi32>
    %60 = tt.broadcast %57 : tensor<128x1xi1> -> tensor<128x128xi1>
    %61 = tt.broadcast %59 : tensor<1x128xi1> -> tensor<128x128xi1>
    %62 = arith.andi %60, %61 : tensor<128x128xi1>
    tt.store %55, %46#2, %62 : tensor<128x128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [0, 8], [8, 0], [16, 0], [32, 0], [64, 0], [0, 64]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#shared3 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 98304 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x128xf32, #blocked1>
    %cst_1 = arith.constant dense<32> : tensor<128x32xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c127_i32 = arith.constant 127 : i32
    %c31_i32 = arith.constant 31 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c-1_i32 = arith.constant -1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg4, %c127_i32 : i32
    %4 = arith.divsi %3, %c128_i32 : i32
    %5 = arith.muli %4, %c8_i32 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %5 : i32
    %11 = arith.remsi %10, %9 : i32
    %12 = arith.addi %7, %11 : i32
    %13 = arith.divsi %10, %9 : i32
    %14 = arith.muli %12, %c128_i32 : i32
    %15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %17 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %18 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %19 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %20 = arith.addi %18, %16 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %21 = arith.addi %19, %17 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %22 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %23 = arith.remsi %21, %22 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %24 = arith.muli %13, %c128_i32 : i32
    %25 = tt.splat %24 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %26 = arith.addi %25, %15 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %27 = tt.splat %arg4 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %28 = arith.remsi %26, %27 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %29 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %30 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %31 = tt.expand_dims %23 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %32 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %33 = arith.muli %31, %32 : tensor<128x1xi32, #blocked>
    %34 = tt.expand_dims %30 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %35 = tt.broadcast %33 : tensor<128x1xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %36 = tt.broadcast %34 : tensor<1x32xi32, #blocked> -> tensor<128x32xi32, #blocked>
    %37 = arith.addi %35, %36 : tensor<128x32xi32, #blocked>
    %38 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>, #blocked>
    %39 = tt.addptr %38, %37 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
    %40 = tt.expand_dims %29 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %41 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked1>
    %42 = arith.muli %40, %41 : tensor<32x1xi32, #blocked1>
    %43 = tt.expand_dims %28 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %44 = tt.broadcast %42 : tensor<32x1xi32, #blocked1> -> tensor<32x128xi32, #blocked1>
    %45 = tt.broadcast %43 : tensor<1x128xi32, #blocked1> -> tensor<32x128xi32, #blocked1>
    %46 = arith.addi %44, %45 : tensor<32x128xi32, #blocked1>
    %47 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x128x!tt.ptr<f32>, #blocked1>
    %48 = tt.addptr %47, %46 : tensor<32x128x!tt.ptr<f32>, #blocked1>, tensor<32x128xi32, #blocked1>
    %49 = arith.addi %arg5, %c31_i32 : i32
    %50 = arith.divsi %49, %c32_i32 : i32
    %51 = arith.muli %arg7, %c32_i32 : i32
    %52 = tt.splat %51 : i32 -> tensor<32x128xi32, #blocked1>
    %53 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x32xf32, #shared, #smem, mutable>
    %54 = ttg.local_alloc {allocation.offset = 49152 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x32x128xf32, #shared1, #smem, mutable>
    %55 = tt.splat %arg5 : i32 -> tensor<1x32xi32, #blocked>
    %56 = arith.cmpi slt, %34, %55 {tk.constancy = array<i32: 1, 16>} : tensor<1x32xi32, #blocked>
    %57 = tt.broadcast %56 : tensor<1x32xi1, #blocked> -> tensor<128x32xi1, #blocked>
    %58 = ttg.memdesc_index %53[%c0_i32] : !ttg.memdesc<3x128x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf32, #shared, #smem, mutable>
    %59 = arith.cmpi sgt, %50, %c0_i32 : i32
    %60 = tt.splat %59 : i1 -> tensor<128x32xi1, #blocked>
    %61 = arith.andi %60, %57 : tensor<128x32xi1, #blocked>
    %62 = ttg.async_copy_global_to_local %39, %58 mask %61 other %cst {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked> -> <128x32xf32, #shared, #smem, mutable>
    %63 = ttg.async_commit_group tokens %62
    %64 = tt.splat %arg5 : i32 -> tensor<32x1xi32, #blocked1>
    %65 = arith.cmpi slt, %40, %64 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked1>
    %66 = tt.broadcast %65 : tensor<32x1xi1, #blocked1> -> tensor<32x128xi1, #blocked1>
    %67 = ttg.memdesc_index %54[%c0_i32] : !ttg.memdesc<3x32x128xf32, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared1, #smem, mutable>
    %68 = tt.splat %59 : i1 -> tensor<32x128xi1, #blocked1>
    %69 = arith.andi %68, %66 : tensor<32x128xi1, #blocked1>
    %70 = ttg.async_copy_global_to_local %48, %67 mask %69 other %cst_0 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<32x128x!tt.ptr<f32>, #blocked1> -> <32x128xf32, #shared1, #smem, mutable>
    %71 = ttg.async_commit_group tokens %70
    %72 = tt.addptr %39, %cst_1 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
    %73 = tt.addptr %48, %52 : tensor<32x128x!tt.ptr<f32>, #blocked1>, tensor<32x128xi32, #blocked1>
    %74 = arith.subi %arg5, %c32_i32 : i32
    %75 = tt.splat %74 : i32 -> tensor<1x32xi32, #blocked>
    %76 = arith.cmpi slt, %34, %75 {tk.constancy = array<i32: 1, 16>} : tensor<1x32xi32, #blocked>
    %77 = tt.broadcast %76 : tensor<1x32xi1, #blocked> -> tensor<128x32xi1, #blocked>
    %78 = ttg.memdesc_index %53[%c1_i32] : !ttg.memdesc<3x128x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf32, #shared, #smem, mutable>
    %79 = arith.cmpi sgt, %50, %c1_i32 : i32
    %80 = tt.splat %79 : i1 -> tensor<128x32xi1, #blocked>
    %81 = arith.andi %80, %77 : tensor<128x32xi1, #blocked>
    %82 = ttg.async_copy_global_to_local %72, %78 mask %81 other %cst {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked> -> <128x32xf32, #shared, #smem, mutable>
    %83 = ttg.async_commit_group tokens %82
    %84 = tt.splat %74 : i32 -> tensor<32x1xi32, #blocked1>
    %85 = arith.cmpi slt, %40, %84 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked1>
    %86 = tt.broadcast %85 : tensor<32x1xi1, #blocked1> -> tensor<32x128xi1, #blocked1>
    %87 = ttg.memdesc_index %54[%c1_i32] : !ttg.memdesc<3x32x128xf32, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared1, #smem, mutable>
    %88 = tt.splat %79 : i1 -> tensor<32x128xi1, #blocked1>
    %89 = arith.andi %88, %86 : tensor<32x128xi1, #blocked1>
    %90 = ttg.async_copy_global_to_local %73, %87 mask %89 other %cst_0 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<32x128x!tt.ptr<f32>, #blocked1> -> <32x128xf32, #shared1, #smem, mutable>
    %91 = ttg.async_commit_group tokens %90
    %92 = tt.addptr %72, %cst_1 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
    %93 = tt.addptr %73, %52 : tensor<32x128x!tt.ptr<f32>, #blocked1>, tensor<32x128xi32, #blocked1>
    %94 = arith.subi %50, %c2_i32 : i32
    %95:9 = scf.for %arg9 = %c0_i32 to %50 step %c1_i32 iter_args(%arg10 = %cst_2, %arg11 = %c-1_i32, %arg12 = %83, %arg13 = %63, %arg14 = %91, %arg15 = %71, %arg16 = %c1_i32, %arg17 = %92, %arg18 = %93) -> (tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<32x128x!tt.ptr<f32>, #blocked1>)  : i32 {
      %116 = arith.addi %arg11, %c1_i32 : i32
      %117 = arith.cmpi sge, %116, %c3_i32 : i32
      %118 = arith.select %117, %c0_i32, %116 : i32
      %119 = ttg.async_wait %arg13, %arg15 {num = 2 : i32}
      %120 = ttg.memdesc_index %53[%118] : !ttg.memdesc<3x128x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf32, #shared, #smem, mutable>
      %121 = ttg.memdesc_trans %120 {order = array<i32: 1, 0>} : !ttg.memdesc<128x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared2, #smem, mutable>
      %122 = ttg.memdesc_index %54[%118] : !ttg.memdesc<3x32x128xf32, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared1, #smem, mutable>
      %123 = ttg.memdesc_trans %122 {order = array<i32: 1, 0>} : !ttg.memdesc<32x128xf32, #shared1, #smem, mutable> -> !ttg.memdesc<128x32xf32, #shared3, #smem, mutable>
      gpu.barrier
      %124 = ttg.local_load %123 : !ttg.memdesc<128x32xf32, #shared3, #smem, mutable> -> tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %125 = ttng.warp_group_dot %124, %121, %arg10 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<32x128xf32, #shared2, #smem, mutable> -> tensor<128x128xf32, #mma>
      %126 = arith.addi %arg16, %c1_i32 : i32
      %127 = arith.cmpi sge, %126, %c3_i32 : i32
      %128 = arith.select %127, %c0_i32, %126 : i32
      %129 = arith.addi %arg9, %c2_i32 : i32
      %130 = arith.muli %129, %c32_i32 : i32
      %131 = arith.subi %arg5, %130 : i32
      %132 = tt.splat %131 : i32 -> tensor<1x32xi32, #blocked>
      %133 = arith.cmpi slt, %34, %132 {tk.constancy = array<i32: 1, 16>} : tensor<1x32xi32, #blocked>
      %134 = tt.broadcast %133 : tensor<1x32xi1, #blocked> -> tensor<128x32xi1, #blocked>
      %135 = ttg.memdesc_index %53[%128] : !ttg.memdesc<3x128x32xf32, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf32, #shared, #smem, mutable>
      %136 = arith.cmpi slt, %arg9, %94 : i32
      %137 = tt.splat %136 : i1 -> tensor<128x32xi1, #blocked>
      %138 = arith.andi %137, %134 : tensor<128x32xi1, #blocked>
      %139 = ttg.async_copy_global_to_local %arg17, %135 mask %138 other %cst {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<128x32x!tt.ptr<f32>, #blocked> -> <128x32xf32, #shared, #smem, mutable>
      %140 = ttg.async_commit_group tokens %139
      %141 = tt.splat %131 : i32 -> tensor<32x1xi32, #blocked1>
      %142 = arith.cmpi slt, %40, %141 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked1>
      %143 = tt.broadcast %142 : tensor<32x1xi1, #blocked1> -> tensor<32x128xi1, #blocked1>
      %144 = ttg.memdesc_index %54[%128] : !ttg.memdesc<3x32x128xf32, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf32, #shared1, #smem, mutable>
      %145 = tt.splat %136 : i1 -> tensor<32x128xi1, #blocked1>
      %146 = arith.andi %145, %143 : tensor<32x128xi1, #blocked1>
      %147 = ttg.async_copy_global_to_local %arg18, %144 mask %146 other %cst_0 {contiguity = 4 : i32, tk.vector = 4 : i32} : tensor<32x128x!tt.ptr<f32>, #blocked1> -> <32x128xf32, #shared1, #smem, mutable>
      %148 = ttg.async_commit_group tokens %147
      %149 = tt.addptr %arg17, %cst_1 : tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<128x32xi32, #blocked>
      %150 = tt.addptr %arg18, %52 : tensor<32x128x!tt.ptr<f32>, #blocked1>, tensor<32x128xi32, #blocked1>
      %151:3 = ttng.warp_group_dot_wait %125, %124, %121 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, tensor<128x32xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, !ttg.memdesc<32x128xf32, #shared2, #smem, mutable>
      scf.yield %151#0, %118, %140, %arg12, %148, %arg14, %128, %149, %150 : tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x32x!tt.ptr<f32>, #blocked>, tensor<32x128x!tt.ptr<f32>, #blocked1>
    }
    %96 = ttng.warp_group_dot_wait %95#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    %97 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %54 : !ttg.memdesc<3x32x128xf32, #shared1, #smem, mutable>
    ttg.local_dealloc %53 : !ttg.memdesc<3x128x32xf32, #shared, #smem, mutable>
    %98 = tt.trans %96 {order = array<i32: 1, 0>} : tensor<128x128xf32, #mma> -> tensor<128x128xf32, #linear>
    %99 = tt.expand_dims %20 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %100 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %101 = arith.muli %100, %99 : tensor<128x1xi32, #blocked1>
    %102 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x1x!tt.ptr<f32>, #blocked1>
    %103 = tt.addptr %102, %101 : tensor<128x1x!tt.ptr<f32>, #blocked1>, tensor<128x1xi32, #blocked1>
    %104 = tt.expand_dims %26 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %105 = tt.broadcast %103 : tensor<128x1x!tt.ptr<f32>, #blocked1> -> tensor<128x128x!tt.ptr<f32>, #blocked1>
    %106 = tt.broadcast %104 : tensor<1x128xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %107 = tt.addptr %105, %106 : tensor<128x128x!tt.ptr<f32>, #blocked1>, tensor<128x128xi32, #blocked1>
    %108 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %109 = arith.cmpi slt, %99, %108 {tk.constancy = array<i32: 16, 1>} : tensor<128x1xi32, #blocked1>
    %110 = tt.splat %arg4 : i32 -> tensor<1x128xi32, #blocked1>
    %111 = arith.cmpi slt, %104, %110 {tk.constancy = array<i32: 1, 16>} : tensor<1x128xi32, #blocked1>
    %112 = tt.broadcast %109 : tensor<128x1xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %113 = tt.broadcast %111 : tensor<1x128xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %114 = arith.andi %112, %113 : tensor<128x128xi1, #blocked1>
    gpu.barrier
    %115 = ttg.convert_layout %98 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xf32, #linear> -> tensor<128x128xf32, #blocked1>
    tt.store %107, %115, %114 {tk.vector = 4 : i32} : tensor<128x128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

