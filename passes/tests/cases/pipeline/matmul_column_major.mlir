// passes: tt,ttg,llvm
// stages: 4
// trips: arg5 64
module {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<64> : tensor<64x128xi32>
    %cst_3 = arith.constant dense<64> : tensor<128x64xi32>
    %c64_i32 = arith.constant 64 : i32
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
    %25 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %26 = tt.expand_dims %19 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %27 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
    %28 = arith.muli %26, %27 : tensor<128x1xi32>
    %29 = tt.expand_dims %25 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %30 = tt.broadcast %28 : tensor<128x1xi32> -> tensor<128x64xi32>
    %31 = tt.broadcast %29 : tensor<1x64xi32> -> tensor<128x64xi32>
    %32 = arith.addi %30, %31 : tensor<128x64xi32>
    %33 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %34 = tt.addptr %33, %32 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %35 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %36 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %37 = tt.splat %arg7 : i32 -> tensor<1x128xi32>
    %38 = arith.muli %36, %37 : tensor<1x128xi32>
    %39 = tt.broadcast %35 : tensor<64x1xi32> -> tensor<64x128xi32>
    %40 = tt.broadcast %38 : tensor<1x128xi32> -> tensor<64x128xi32>
    %41 = arith.addi %39, %40 : tensor<64x128xi32>
    %42 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>>
    %43 = tt.addptr %42, %41 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
    %44 = arith.addi %arg5, %c63_i32 : i32
    %45 = arith.divsi %44, %c64_i32 : i32
    %46:3 = scf.for %arg9 = %c0_i32 to %45 step %c1_i32 iter_args(%arg10 = %34, %arg11 = %43, %arg12 = %cst) -> (tensor<128x64x!tt.ptr<f16>>, tensor<64x128x!tt.ptr<f16>>, tensor<128x128xf32>)  : i32 {
      %64 = arith.muli %arg9, %c64_i32 : i32
      %65 = arith.subi %arg5, %64 : i32
      %66 = tt.splat %65 : i32 -> tensor<1x64xi32>
      %67 = arith.cmpi slt, %29, %66 : tensor<1x64xi32>
      %68 = tt.broadcast %67 : tensor<1x64xi1> -> tensor<128x64xi1>
      %69 = tt.load %arg10, %68, %cst_1 : tensor<128x64x!tt.ptr<f16>>
      %70 = tt.splat %65 : i32 -> tensor<64x1xi32>
      %71 = arith.cmpi slt, %35, %70 : tensor<64x1xi32>
      %72 = tt.broadcast %71 : tensor<64x1xi1> -> tensor<64x128xi1>
      %73 = tt.load %arg11, %72, %cst_0 : tensor<64x128x!tt.ptr<f16>>
      %74 = tt.dot %69, %73, %arg12, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
      %75 = tt.addptr %arg10, %cst_3 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %76 = tt.addptr %arg11, %cst_2 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
      scf.yield %75, %76, %74 : tensor<128x64x!tt.ptr<f16>>, tensor<64x128x!tt.ptr<f16>>, tensor<128x128xf32>
    }
    %47 = arith.truncf %46#2 : tensor<128x128xf32> to tensor<128x128xf16>
    %48 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %49 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %50 = arith.muli %49, %48 : tensor<128x1xi32>
    %51 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
    %52 = tt.addptr %51, %50 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
    %53 = tt.expand_dims %22 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %54 = tt.broadcast %52 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
    %55 = tt.broadcast %53 : tensor<1x128xi32> -> tensor<128x128xi32>
    %56 = tt.addptr %54, %55 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
    %57 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %58 = arith.cmpi slt, %48, %57 : tensor<128x1xi32>
    %59 = tt.splat %arg4 : i32 -> tensor<1x128xi32>
    %60 = arith.cmpi slt, %53, %59 : tensor<1x128xi32>
    %61 = tt.broadcast %58 : tensor<128x1xi1> -> tensor<128x128xi1>
    %62 = tt.broadcast %60 : tensor<1x128xi1> -> tensor<128x128xi1>
    %63 = arith.andi %61, %62 : tensor<128x128xi1>
    tt.store %56, %47, %63 : tensor<128x128x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 131072 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<128x64xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<64x128xi32, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #blocked>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #blocked1>
    %c127_i32 = arith.constant 127 : i32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c63_i32 = arith.constant 63 : i32
    %c4_i32 = arith.constant 4 : i32
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
    %15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %16 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %17 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %18 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %19 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %20 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %21 = arith.addi %19, %17 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %22 = arith.addi %20, %18 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %23 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %24 = arith.remsi %22, %23 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %25 = arith.muli %13, %c128_i32 : i32
    %26 = tt.splat %25 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %27 = tt.splat %25 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %28 = arith.addi %26, %15 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %29 = arith.addi %27, %16 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %30 = tt.splat %arg4 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %31 = arith.remsi %29, %30 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %32 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %33 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %34 = tt.expand_dims %24 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %35 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %36 = arith.muli %34, %35 : tensor<128x1xi32, #blocked>
    %37 = tt.expand_dims %33 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %38 = tt.broadcast %36 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %39 = tt.broadcast %37 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %40 = arith.addi %38, %39 : tensor<128x64xi32, #blocked>
    %41 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %42 = tt.addptr %41, %40 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %43 = tt.expand_dims %32 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %44 = tt.expand_dims %31 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %45 = tt.splat %arg7 : i32 -> tensor<1x128xi32, #blocked1>
    %46 = arith.muli %44, %45 : tensor<1x128xi32, #blocked1>
    %47 = tt.broadcast %43 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %48 = tt.broadcast %46 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %49 = arith.addi %47, %48 : tensor<64x128xi32, #blocked1>
    %50 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #blocked1>
    %51 = tt.addptr %50, %49 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
    %52 = arith.addi %arg5, %c63_i32 : i32
    %53 = arith.divsi %52, %c64_i32 : i32
    %54 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %55 = ttg.local_alloc {allocation.offset = 65536 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<4x64x128xf16, #shared1, #smem, mutable>
    %56 = tt.splat %arg5 : i32 -> tensor<1x64xi32, #blocked>
    %57 = arith.cmpi slt, %37, %56 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %58 = tt.broadcast %57 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %59 = ttg.memdesc_index %54[%c0_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %60 = arith.cmpi sgt, %53, %c0_i32 : i32
    %61 = tt.splat %60 : i1 -> tensor<128x64xi1, #blocked>
    %62 = arith.andi %61, %58 : tensor<128x64xi1, #blocked>
    %63 = ttg.async_copy_global_to_local %42, %59 mask %62 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %64 = ttg.async_commit_group tokens %63
    %65 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked1>
    %66 = arith.cmpi slt, %43, %65 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %67 = tt.broadcast %66 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
    %68 = ttg.memdesc_index %55[%c0_i32] : !ttg.memdesc<4x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
    %69 = tt.splat %60 : i1 -> tensor<64x128xi1, #blocked1>
    %70 = arith.andi %69, %67 : tensor<64x128xi1, #blocked1>
    %71 = ttg.async_copy_global_to_local %51, %68 mask %70 other %cst_2 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1> -> <64x128xf16, #shared1, #smem, mutable>
    %72 = ttg.async_commit_group tokens %71
    %73 = tt.addptr %42, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %74 = tt.addptr %51, %cst_0 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
    %75 = arith.subi %arg5, %c64_i32 : i32
    %76 = tt.splat %75 : i32 -> tensor<1x64xi32, #blocked>
    %77 = arith.cmpi slt, %37, %76 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %78 = tt.broadcast %77 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %79 = ttg.memdesc_index %54[%c1_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %80 = arith.cmpi sgt, %53, %c1_i32 : i32
    %81 = tt.splat %80 : i1 -> tensor<128x64xi1, #blocked>
    %82 = arith.andi %81, %78 : tensor<128x64xi1, #blocked>
    %83 = ttg.async_copy_global_to_local %73, %79 mask %82 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %84 = ttg.async_commit_group tokens %83
    %85 = tt.splat %75 : i32 -> tensor<64x1xi32, #blocked1>
    %86 = arith.cmpi slt, %43, %85 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %87 = tt.broadcast %86 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
    %88 = ttg.memdesc_index %55[%c1_i32] : !ttg.memdesc<4x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
    %89 = tt.splat %80 : i1 -> tensor<64x128xi1, #blocked1>
    %90 = arith.andi %89, %87 : tensor<64x128xi1, #blocked1>
    %91 = ttg.async_copy_global_to_local %74, %88 mask %90 other %cst_2 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1> -> <64x128xf16, #shared1, #smem, mutable>
    %92 = ttg.async_commit_group tokens %91
    %93 = tt.addptr %73, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %94 = tt.addptr %74, %cst_0 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
    %95 = arith.subi %arg5, %c128_i32 : i32
    %96 = tt.splat %95 : i32 -> tensor<1x64xi32, #blocked>
    %97 = arith.cmpi slt, %37, %96 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %98 = tt.broadcast %97 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %99 = ttg.memdesc_index %54[%c2_i32] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    %100 = arith.cmpi sgt, %53, %c2_i32 : i32
    %101 = tt.splat %100 : i1 -> tensor<128x64xi1, #blocked>
    %102 = arith.andi %101, %98 : tensor<128x64xi1, #blocked>
    %103 = ttg.async_copy_global_to_local %93, %99 mask %102 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
    %104 = ttg.async_commit_group tokens %103
    %105 = tt.splat %95 : i32 -> tensor<64x1xi32, #blocked1>
    %106 = arith.cmpi slt, %43, %105 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %107 = tt.broadcast %106 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
    %108 = ttg.memdesc_index %55[%c2_i32] : !ttg.memdesc<4x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
    %109 = tt.splat %100 : i1 -> tensor<64x128xi1, #blocked1>
    %110 = arith.andi %109, %107 : tensor<64x128xi1, #blocked1>
    %111 = ttg.async_copy_global_to_local %94, %108 mask %110 other %cst_2 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1> -> <64x128xf16, #shared1, #smem, mutable>
    %112 = ttg.async_commit_group tokens %111
    %113 = tt.addptr %93, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
    %114 = tt.addptr %94, %cst_0 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
    %115 = arith.subi %53, %c3_i32 : i32
    %116:11 = scf.for %arg9 = %c0_i32 to %53 step %c1_i32 iter_args(%arg10 = %cst_3, %arg11 = %c0_i32, %arg12 = %104, %arg13 = %84, %arg14 = %64, %arg15 = %112, %arg16 = %92, %arg17 = %72, %arg18 = %c2_i32, %arg19 = %113, %arg20 = %114) -> (tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x128x!tt.ptr<f16>, #blocked1>)  : i32 {
      %137 = ttg.async_wait %arg14, %arg17 {num = 4 : i32}
      %138 = ttg.memdesc_index %54[%arg11] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %139 = ttg.memdesc_index %55[%arg11] : !ttg.memdesc<4x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
      %140 = ttg.memdesc_subslice %138[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
      %141 = ttg.memdesc_subslice %139[0, 0] : !ttg.memdesc<64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared1, #smem, mutable, 64x128>
      %142 = ttg.memdesc_subslice %138[0, 32] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
      %143 = ttg.memdesc_subslice %139[32, 0] : !ttg.memdesc<64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared1, #smem, mutable, 64x128>
      gpu.barrier
      %144 = ttng.warp_group_dot %140, %141, %arg10 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x128xf16, #shared1, #smem, mutable, 64x128> -> tensor<128x128xf32, #mma>
      %145:3 = ttng.warp_group_dot_wait %144, %138, %139 {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
      %146 = arith.addi %arg18, %c1_i32 : i32
      %147 = arith.cmpi sge, %146, %c4_i32 : i32
      %148 = arith.select %147, %c0_i32, %146 : i32
      %149 = arith.addi %arg9, %c3_i32 : i32
      %150 = arith.muli %149, %c64_i32 : i32
      %151 = arith.subi %arg5, %150 : i32
      %152 = tt.splat %151 : i32 -> tensor<1x64xi32, #blocked>
      %153 = arith.cmpi slt, %37, %152 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
      %154 = tt.broadcast %153 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %155 = ttg.memdesc_index %54[%148] : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %156 = arith.cmpi slt, %arg9, %115 : i32
      %157 = tt.splat %156 : i1 -> tensor<128x64xi1, #blocked>
      %158 = arith.andi %157, %154 : tensor<128x64xi1, #blocked>
      %159 = tt.splat %151 : i32 -> tensor<64x1xi32, #blocked1>
      %160 = arith.cmpi slt, %43, %159 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
      %161 = tt.broadcast %160 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
      %162 = ttg.memdesc_index %55[%148] : !ttg.memdesc<4x64x128xf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared1, #smem, mutable>
      %163 = tt.splat %156 : i1 -> tensor<64x128xi1, #blocked1>
      %164 = arith.andi %163, %161 : tensor<64x128xi1, #blocked1>
      gpu.barrier
      %165 = ttg.async_copy_global_to_local %arg19, %155 mask %158 other %cst_1 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %166 = ttg.async_copy_global_to_local %arg20, %162 mask %164 other %cst_2 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1> -> <64x128xf16, #shared1, #smem, mutable>
      %167 = ttg.async_commit_group tokens %165
      %168 = ttg.async_commit_group tokens %166
      %169 = ttng.warp_group_dot %142, %143, %145#0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x128xf16, #shared1, #smem, mutable, 64x128> -> tensor<128x128xf32, #mma>
      %170 = tt.addptr %arg19, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %171 = tt.addptr %arg20, %cst_0 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
      %172 = arith.addi %arg11, %c1_i32 : i32
      %173 = arith.cmpi sge, %172, %c4_i32 : i32
      %174 = arith.select %173, %c0_i32, %172 : i32
      scf.yield %169, %174, %167, %arg12, %arg13, %168, %arg15, %arg16, %148, %170, %171 : tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x128x!tt.ptr<f16>, #blocked1>
    }
    %117 = ttng.warp_group_dot_wait %116#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
    %118 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %55 : !ttg.memdesc<4x64x128xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %54 : !ttg.memdesc<4x128x64xf16, #shared, #smem, mutable>
    %119 = arith.truncf %117 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %120 = tt.expand_dims %21 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi32, #blocked2>
    %121 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked2>
    %122 = arith.muli %121, %120 : tensor<128x1xi32, #blocked2>
    %123 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked2>
    %124 = tt.addptr %123, %122 : tensor<128x1x!tt.ptr<f16>, #blocked2>, tensor<128x1xi32, #blocked2>
    %125 = tt.expand_dims %28 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi32, #blocked2>
    %126 = tt.broadcast %124 : tensor<128x1x!tt.ptr<f16>, #blocked2> -> tensor<128x128x!tt.ptr<f16>, #blocked2>
    %127 = tt.broadcast %125 : tensor<1x128xi32, #blocked2> -> tensor<128x128xi32, #blocked2>
    %128 = tt.addptr %126, %127 : tensor<128x128x!tt.ptr<f16>, #blocked2>, tensor<128x128xi32, #blocked2>
    %129 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked2>
    %130 = arith.cmpi slt, %120, %129 {tk.constancy = array<i32: 16, 1>} : tensor<128x1xi32, #blocked2>
    %131 = tt.splat %arg4 : i32 -> tensor<1x128xi32, #blocked2>
    %132 = arith.cmpi slt, %125, %131 {tk.constancy = array<i32: 1, 16>} : tensor<1x128xi32, #blocked2>
    %133 = tt.broadcast %130 : tensor<128x1xi1, #blocked2> -> tensor<128x128xi1, #blocked2>
    %134 = tt.broadcast %132 : tensor<1x128xi1, #blocked2> -> tensor<128x128xi1, #blocked2>
    %135 = arith.andi %133, %134 : tensor<128x128xi1, #blocked2>
    gpu.barrier
    %136 = ttg.convert_layout %119 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked2>
    tt.store %128, %136, %135 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked2>
    tt.return
  }
}

