// passes: tt,ttg,llvm
// warps: 8
// stages: 3
// trips: arg5 64
module {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c255_i32 = arith.constant 255 : i32
    %c127_i32 = arith.constant 127 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x256xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<64> : tensor<128x64xi32>
    %c64_i32 = arith.constant 64 : i32
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %c8_i32 = arith.constant 8 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg4, %c255_i32 : i32
    %4 = arith.divsi %3, %c256_i32 : i32
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
    %20 = arith.muli %13, %c256_i32 : i32
    %21 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %22 = tt.splat %20 : i32 -> tensor<256xi32>
    %23 = arith.addi %22, %21 : tensor<256xi32>
    %24 = tt.splat %arg4 : i32 -> tensor<256xi32>
    %25 = arith.remsi %23, %24 : tensor<256xi32>
    %26 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %27 = tt.expand_dims %19 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %28 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %29 = arith.muli %27, %28 : tensor<128x1xi32>
    %30 = tt.expand_dims %26 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %31 = tt.broadcast %29 : tensor<128x1xi32> -> tensor<128x64xi32>
    %32 = tt.broadcast %30 : tensor<1x64xi32> -> tensor<128x64xi32>
    %33 = arith.addi %31, %32 : tensor<128x64xi32>
    %34 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %35 = tt.addptr %34, %33 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %36 = tt.expand_dims %26 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %37 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
    %38 = arith.muli %36, %37 : tensor<64x1xi32>
    %39 = tt.expand_dims %25 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %40 = tt.broadcast %38 : tensor<64x1xi32> -> tensor<64x256xi32>
    %41 = tt.broadcast %39 : tensor<1x256xi32> -> tensor<64x256xi32>
    %42 = arith.addi %40, %41 : tensor<64x256xi32>
    %43 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %44 = tt.addptr %43, %42 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
    %45 = arith.addi %arg5, %c63_i32 : i32
    %46 = arith.divsi %45, %c64_i32 : i32
    %47:3 = scf.for %arg9 = %c0_i32 to %46 step %c1_i32 iter_args(%arg10 = %35, %arg11 = %44, %arg12 = %cst) -> (tensor<128x64x!tt.ptr<f16>>, tensor<64x256x!tt.ptr<f16>>, tensor<128x256xf32>)  : i32 {
      %65 = arith.muli %arg9, %c64_i32 : i32
      %66 = arith.subi %arg5, %65 : i32
      %67 = tt.splat %66 : i32 -> tensor<1x64xi32>
      %68 = arith.cmpi slt, %30, %67 : tensor<1x64xi32>
      %69 = tt.broadcast %68 : tensor<1x64xi1> -> tensor<128x64xi1>
      %70 = tt.load %arg10, %69, %cst_1 : tensor<128x64x!tt.ptr<f16>>
      %71 = tt.splat %66 : i32 -> tensor<64x1xi32>
      %72 = arith.cmpi slt, %36, %71 : tensor<64x1xi32>
      %73 = tt.broadcast %72 : tensor<64x1xi1> -> tensor<64x256xi1>
      %74 = tt.load %arg11, %73, %cst_0 : tensor<64x256x!tt.ptr<f16>>
      %75 = tt.dot %70, %74, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %76 = tt.addptr %arg10, %cst_2 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %77 = arith.muli %arg7, %c64_i32 : i32
      %78 = tt.splat %77 : i32 -> tensor<64x256xi32>
      %79 = tt.addptr %arg11, %78 : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      scf.yield %76, %79, %75 : tensor<128x64x!tt.ptr<f16>>, tensor<64x256x!tt.ptr<f16>>, tensor<128x256xf32>
    }
    %48 = arith.truncf %47#2 : tensor<128x256xf32> to tensor<128x256xf16>
    %49 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %50 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %51 = arith.muli %50, %49 : tensor<128x1xi32>
    %52 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %53 = tt.addptr %52, %51 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %54 = tt.expand_dims %23 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %55 = tt.broadcast %53 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x256x!tt.ptr<f16>>
    %56 = tt.broadcast %54 : tensor<1x256xi32> -> tensor<128x256xi32>
    %57 = tt.addptr %55, %56 : tensor<128x256x!tt.ptr<f16>>, tensor<128x256xi32>
    %58 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %59 = arith.cmpi slt, %49, %58 : tensor<128x1xi32>
    %60 = tt.splat %arg4 : i32 -> tensor<1x256xi32>
    %61 = arith.cmpi slt, %54, %60 : tensor<1x256xi32>
    %62 = tt.broadcast %59 : tensor<128x1xi1> -> tensor<128x256xi1>
    %63 = tt.broadcast %61 : tensor<1x256xi1> -> tensor<128x256xi1>
    %64 = arith.andi %62, %63 : tensor<128x256xi1>
    tt.store %57, %48, %64 : tensor<128x256x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 256, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 147456 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c256_i32 = arith.constant 256 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<128x64xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x256xf16, #blocked1>
    %c127_i32 = arith.constant 127 : i32
    %c255_i32 = arith.constant 255 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x256xf32, #mma>
    %c63_i32 = arith.constant 63 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c127_i32 : i32
    %2 = arith.divsi %1, %c128_i32 : i32
    %3 = arith.addi %arg4, %c255_i32 : i32
    %4 = arith.divsi %3, %c256_i32 : i32
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
    %15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %16 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %18 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %19 = arith.addi %17, %15 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %20 = arith.addi %18, %16 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %21 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %22 = arith.remsi %20, %21 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %23 = arith.muli %13, %c256_i32 : i32
    %24 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %25 = tt.splat %23 : i32 -> tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %26 = arith.addi %25, %24 : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %27 = tt.splat %arg4 : i32 -> tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %28 = arith.remsi %26, %27 : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %29 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %30 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %31 = tt.expand_dims %22 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %32 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %33 = arith.muli %31, %32 : tensor<128x1xi32, #blocked>
    %34 = tt.expand_dims %30 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %35 = tt.broadcast %33 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %36 = tt.broadcast %34 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %37 = arith.addi %35, %36 : tensor<128x64xi32, #blocked>
    %38 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %39 = tt.addptr %38, %37 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %40 = tt.expand_dims %29 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %41 = tt.splat %arg7 : i32 -> tensor<64x1xi32, #blocked1>
    %42 = arith.muli %40, %41 : tensor<64x1xi32, #blocked1>
    %43 = tt.expand_dims %28 {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x256xi32, #blocked1>
    %44 = tt.broadcast %42 : tensor<64x1xi32, #blocked1> -> tensor<64x256xi32, #blocked1>
    %45 = tt.broadcast %43 : tensor<1x256xi32, #blocked1> -> tensor<64x256xi32, #blocked1>
    %46 = arith.addi %44, %45 : tensor<64x256xi32, #blocked1>
    %47 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>, #blocked1>
    %48 = tt.addptr %47, %46 : tensor<64x256x!tt.ptr<f16>, #blocked1>, tensor<64x256xi32, #blocked1>
    %49 = arith.addi %arg5, %c63_i32 : i32
    %50 = arith.divsi %49, %c64_i32 : i32
    %51 = arith.muli %arg7, %c64_i32 : i32
    %52 = tt.splat %51 : i32 -> tensor<64x256xi32, #blocked1>
    %53 = ttg.local_alloc {allocation.offset = 98304 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %54 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 98304 : i32} : () -> !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable>
    %55 = tt.splat %arg5 : i32 -> tensor<1x64xi32, #blocked>
    %56 = arith.cmpi slt, %34, %55 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %57 = tt.broadcast %56 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %58 = ttg.memdesc_index %53[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %59 = arith.cmpi sgt, %50, %c0_i32 : i32
    %60 = tt.splat %59 : i1 -> tensor<128x64xi1, #blocked>
    %61 = arith.andi %60, %57 : tensor<128x64xi1, #blocked>
    %62 = ttg.async_copy_global_to_local %39, %58 mask %61 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %63 = ttg.async_commit_group tokens %62
    %64 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked1>
    %65 = arith.cmpi slt, %40, %64 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %66 = tt.broadcast %65 : tensor<64x1xi1, #blocked1> -> tensor<64x256xi1, #blocked1>
    %67 = ttg.memdesc_index %54[%c0_i32] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
    %68 = tt.splat %59 : i1 -> tensor<64x256xi1, #blocked1>
    %69 = arith.andi %68, %66 : tensor<64x256xi1, #blocked1>
    %70 = ttg.async_copy_global_to_local %48, %67 mask %69 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x256x!tt.ptr<f16>, #blocked1> -> <64x256xf16, #shared, #smem, mutable>
    %71 = ttg.async_commit_group tokens %70
    %72 = tt.addptr %39, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %73 = tt.addptr %48, %52 : tensor<64x256x!tt.ptr<f16>, #blocked1>, tensor<64x256xi32, #blocked1>
    %74 = arith.subi %arg5, %c64_i32 : i32
    %75 = tt.splat %74 : i32 -> tensor<1x64xi32, #blocked>
    %76 = arith.cmpi slt, %34, %75 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %77 = tt.broadcast %76 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %78 = ttg.memdesc_index %53[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %79 = arith.cmpi sgt, %50, %c1_i32 : i32
    %80 = tt.splat %79 : i1 -> tensor<128x64xi1, #blocked>
    %81 = arith.andi %80, %77 : tensor<128x64xi1, #blocked>
    %82 = ttg.async_copy_global_to_local %72, %78 mask %81 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %83 = ttg.async_commit_group tokens %82
    %84 = tt.splat %74 : i32 -> tensor<64x1xi32, #blocked1>
    %85 = arith.cmpi slt, %40, %84 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %86 = tt.broadcast %85 : tensor<64x1xi1, #blocked1> -> tensor<64x256xi1, #blocked1>
    %87 = ttg.memdesc_index %54[%c1_i32] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
    %88 = tt.splat %79 : i1 -> tensor<64x256xi1, #blocked1>
    %89 = arith.andi %88, %86 : tensor<64x256xi1, #blocked1>
    %90 = ttg.async_copy_global_to_local %73, %87 mask %89 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x256x!tt.ptr<f16>, #blocked1> -> <64x256xf16, #shared, #smem, mutable>
    %91 = ttg.async_commit_group tokens %90
    %92 = tt.addptr %72, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %93 = tt.addptr %73, %52 : tensor<64x256x!tt.ptr<f16>, #blocked1>, tensor<64x256xi32, #blocked1>
    %94 = arith.subi %50, %c2_i32 : i32
    %95:9 = scf.for %arg9 = %c0_i32 to %50 step %c1_i32 iter_args(%arg10 = %cst_2, %arg11 = %c-1_i32, %arg12 = %83, %arg13 = %63, %arg14 = %91, %arg15 = %71, %arg16 = %c1_i32, %arg17 = %92, %arg18 = %93) -> (tensor<128x256xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x256x!tt.ptr<f16>, #blocked1>)  : i32 {
      %116 = arith.addi %arg11, %c1_i32 : i32
      %117 = arith.cmpi sge, %116, %c3_i32 : i32
      %118 = arith.select %117, %c0_i32, %116 : i32
      %119 = ttg.async_wait %arg13, %arg15 {num = 2 : i32}
      %120 = ttg.memdesc_index %53[%118] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %121 = ttg.memdesc_index %54[%118] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
      gpu.barrier
      %122 = ttng.warp_group_dot %120, %121, %arg10 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x256xf16, #shared, #smem, mutable> -> tensor<128x256xf32, #mma>
      %123:3 = ttng.warp_group_dot_wait %122, %120, %121 {pendings = 1 : i32} : tensor<128x256xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
      %124 = arith.addi %arg16, %c1_i32 : i32
      %125 = arith.cmpi sge, %124, %c3_i32 : i32
      %126 = arith.select %125, %c0_i32, %124 : i32
      %127 = arith.addi %arg9, %c2_i32 : i32
      %128 = arith.muli %127, %c64_i32 : i32
      %129 = arith.subi %arg5, %128 : i32
      %130 = tt.splat %129 : i32 -> tensor<1x64xi32, #blocked>
      %131 = arith.cmpi slt, %34, %130 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
      %132 = tt.broadcast %131 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %133 = ttg.memdesc_index %53[%126] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %134 = arith.cmpi slt, %arg9, %94 : i32
      %135 = tt.splat %134 : i1 -> tensor<128x64xi1, #blocked>
      %136 = arith.andi %135, %132 : tensor<128x64xi1, #blocked>
      gpu.barrier
      %137 = ttg.async_copy_global_to_local %arg17, %133 mask %136 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %138 = ttg.async_commit_group tokens %137
      %139 = tt.splat %129 : i32 -> tensor<64x1xi32, #blocked1>
      %140 = arith.cmpi slt, %40, %139 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
      %141 = tt.broadcast %140 : tensor<64x1xi1, #blocked1> -> tensor<64x256xi1, #blocked1>
      %142 = ttg.memdesc_index %54[%126] : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x256xf16, #shared, #smem, mutable>
      %143 = tt.splat %134 : i1 -> tensor<64x256xi1, #blocked1>
      %144 = arith.andi %143, %141 : tensor<64x256xi1, #blocked1>
      %145 = ttg.async_copy_global_to_local %arg18, %142 mask %144 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x256x!tt.ptr<f16>, #blocked1> -> <64x256xf16, #shared, #smem, mutable>
      %146 = ttg.async_commit_group tokens %145
      %147 = tt.addptr %arg17, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %148 = tt.addptr %arg18, %52 : tensor<64x256x!tt.ptr<f16>, #blocked1>, tensor<64x256xi32, #blocked1>
      scf.yield %123#0, %118, %138, %arg12, %146, %arg14, %126, %147, %148 : tensor<128x256xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x256x!tt.ptr<f16>, #blocked1>
    }
    %96 = ttng.warp_group_dot_wait %95#0 {pendings = 0 : i32} : tensor<128x256xf32, #mma>
    %97 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %54 : !ttg.memdesc<3x64x256xf16, #shared, #smem, mutable>
    ttg.local_dealloc %53 : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %98 = arith.truncf %96 : tensor<128x256xf32, #mma> to tensor<128x256xf16, #mma>
    %99 = tt.expand_dims %19 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %100 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %101 = arith.muli %100, %99 : tensor<128x1xi32, #blocked1>
    %102 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked1>
    %103 = tt.addptr %102, %101 : tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>
    %104 = tt.expand_dims %26 {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x256xi32, #blocked1>
    %105 = tt.broadcast %103 : tensor<128x1x!tt.ptr<f16>, #blocked1> -> tensor<128x256x!tt.ptr<f16>, #blocked1>
    %106 = tt.broadcast %104 : tensor<1x256xi32, #blocked1> -> tensor<128x256xi32, #blocked1>
    %107 = tt.addptr %105, %106 : tensor<128x256x!tt.ptr<f16>, #blocked1>, tensor<128x256xi32, #blocked1>
    %108 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %109 = arith.cmpi slt, %99, %108 {tk.constancy = array<i32: 16, 1>} : tensor<128x1xi32, #blocked1>
    %110 = tt.splat %arg4 : i32 -> tensor<1x256xi32, #blocked1>
    %111 = arith.cmpi slt, %104, %110 {tk.constancy = array<i32: 1, 16>} : tensor<1x256xi32, #blocked1>
    %112 = tt.broadcast %109 : tensor<128x1xi1, #blocked1> -> tensor<128x256xi1, #blocked1>
    %113 = tt.broadcast %111 : tensor<1x256xi1, #blocked1> -> tensor<128x256xi1, #blocked1>
    %114 = arith.andi %112, %113 : tensor<128x256xi1, #blocked1>
    gpu.barrier
    %115 = ttg.convert_layout %98 {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : tensor<128x256xf16, #mma> -> tensor<128x256xf16, #blocked1>
    tt.store %107, %115, %114 {tk.vector = 8 : i32} : tensor<128x256x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

