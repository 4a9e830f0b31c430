// passes: tt,ttg,llvm
// target: sm_80
// stages: 4
// trips: arg5 32
module {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c31_i32 = arith.constant 31 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x32xf16>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x32xi32>
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %c8_i32 = arith.constant 8 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c63_i32 : i32
    %2 = arith.divsi %1, %c64_i32 : i32
    %3 = arith.addi %arg4, %c63_i32 : i32
    %4 = arith.divsi %3, %c64_i32 : i32
    %5 = arith.muli %4, %c8_i32 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %5 : i32
    %11 = arith.remsi %10, %9 : i32
    %12 = arith.addi %7, %11 : i32
    %13 = arith.divsi %10, %9 : i32
    %14 = arith.muli %12, %c64_i32 : i32
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %16 = tt.splat %14 : i32 -> tensor<64xi32>
    %17 = arith.addi %16, %15 : tensor<64xi32>
    %18 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %19 = arith.remsi %17, %18 : tensor<64xi32>
    %20 = arith.muli %13, %c64_i32 : i32
    %21 = tt.splat %20 : i32 -> tensor<64xi32>
    %22 = arith.addi %21, %15 : tensor<64xi32>
    %23 = tt.splat %arg4 : i32 -> tensor<64xi32>
    %24 = arith.remsi %22, %23 : tensor<64xi32>
    %25 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %26 = tt.expand_dims %19 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %27 = tt.splat %arg6 : i32 -> tensor<64x1xi32>
    %28 = arith.muli %26, %27 : tensor<64x1xi32>
    %29 = tt.expand_dims %25 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %30 = tt.broadcast %28 : tensor<64x1xi32> -> tensor<64x32xi32>
    %31 = tt.broadcast %29 : tensor<1x32xi32> -> tensor<64x32xi32>
    %32 = arith.addi %30, %31 : tensor<64x32xi32>
    %33 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
    %34 = tt.addptr %33, %32 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %35 = tt.expand_dims %25 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %36 = tt.splat %arg7 : i32 -> tensor<32x1xi32>
    %37 = arith.muli %35, %36 : tensor<32x1xi32>
    %38 = tt.expand_dims %24 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %39 = tt.broadcast %37 : tensor<32x1xi32> -> tensor<32x64xi32>
    %40 = tt.broadcast %38 : tensor<1x64xi32> -> tensor<32x64xi32>
    %41 = arith.addi %39, %40 : tensor<32x64xi32>
    %42 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %43 = tt.addptr %42, %41 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %44 = arith.addi %arg5, %c31_i32 : i32
    %45 = arith.divsi %44, %c32_i32 : i32
    %46:3 = scf.for %arg9 = %c0_i32 to %45 step %c1_i32 iter_args(%arg10 = %34, %arg11 = %43, %arg12 = %cst) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>)  : i32 {
      %64 = arith.muli %arg9, %c32_i32 : i32
      %65 = arith.subi %arg5, %64 : i32
      %66 = tt.splat %65 : i32 -> tensor<1x32xi32>
      %67 = arith.cmpi slt, %29, %66 : tensor<1x32xi32>
      %68 = tt.broadcast %67 : tensor<1x32xi1> -> tensor<64x32xi1>
      %69 = tt.load %arg10, %68, %cst_1 : tensor<64x32x!tt.ptr<f16>>
      %70 = tt.splat %65 : i32 -> tensor<32x1xi32>
      %71 = arith.cmpi slt, %35, %70 : tensor<32x1xi32>
      %72 = tt.broadcast %71 : tensor<32x1xi1> -> tensor<32x64xi1>
      %73 = tt.load %arg11, %72, %cst_0 : tensor<32x64x!tt.ptr<f16>>
      %74 = tt.dot %69, %73, %arg12, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %75 = tt.addptr %arg10, %cst_2 : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %76 = arith.muli %arg7, %c32_i32 : i32
      %77 = tt.splat %76 : i32 -> tensor<32x64xi32>
      %78 = tt.addptr %arg11, %77 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %75, %78, %74 : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %47 = arith.truncf %46#2 : tensor<64x64xf32> to tensor<64x64xf16>
    %48 = tt.expand_dims %17 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %49 = tt.splat %arg8 : i32 -> tensor<64x1xi32>
    %50 = arith.muli %49, %48 : tensor<64x1xi32>
    %51 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %52 = tt.addptr %51, %50 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %53 = tt.expand_dims %22 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %54 = tt.broadcast %52 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
    %55 = tt.broadcast %53 : tensor<1x64xi32> -> tensor<64x64xi32>
    %56 = tt.addptr %54, %55 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %57 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %58 = arith.cmpi slt, %48, %57 : tensor<64x1xi32>
    %59 = tt.splat %arg4 : i32 -> tensor<1x64xi32>
    %60 = arith.cmpi slt, %53, %59 : tensor<1x64xi32>
    %61 = tt.broadcast %58 : tensor<64x1xi1> -> tensor<64x64xi1>
    %62 = tt.broadcast %60 : tensor<1x64xi1> -> tensor<64x64xi1>
    %63 = arith.andi %61, %62 : tensor<64x64xi1>
    tt.store %56, %47, %63 : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 24576 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<32> : tensor<64x32xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x64xf16, #blocked1>
    %c63_i32 = arith.constant 63 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c31_i32 = arith.constant 31 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.addi %arg3, %c63_i32 : i32
    %2 = arith.divsi %1, %c64_i32 : i32
    %3 = arith.addi %arg4, %c63_i32 : i32
    %4 = arith.divsi %3, %c64_i32 : i32
    %5 = arith.muli %4, %c8_i32 : i32
    %6 = arith.divsi %0, %5 : i32
    %7 = arith.muli %6, %c8_i32 : i32
    %8 = arith.subi %2, %7 : i32
    %9 = arith.minsi %8, %c8_i32 : i32
    %10 = arith.remsi %0, %5 : i32
    %11 = arith.remsi %10, %9 : i32
    %12 = arith.addi %7, %11 : i32
    %13 = arith.divsi %10, %9 : i32
    %14 = arith.muli %12, %c64_i32 : i32
    %15 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %17 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %18 = tt.splat %14 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %19 = tt.splat %14 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %20 = arith.addi %18, %16 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %21 = arith.addi %19, %17 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %22 = tt.splat %arg3 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %23 = arith.remsi %21, %22 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %24 = arith.muli %13, %c64_i32 : i32
    %25 = tt.splat %24 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %26 = arith.addi %25, %15 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %27 = tt.splat %arg4 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %28 = arith.remsi %26, %27 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %29 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %30 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %31 = tt.expand_dims %23 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %32 = tt.splat %arg6 : i32 -> tensor<64x1xi32, #blocked>
    %33 = arith.muli %31, %32 : tensor<64x1xi32, #blocked>
    %34 = tt.expand_dims %30 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %35 = tt.broadcast %33 : tensor<64x1xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %36 = tt.broadcast %34 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %37 = arith.addi %35, %36 : tensor<64x32xi32, #blocked>
    %38 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %39 = tt.addptr %38, %37 : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %40 = tt.expand_dims %29 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<32x1xi32, #blocked1>
    %41 = tt.splat %arg7 : i32 -> tensor<32x1xi32, #blocked1>
    %42 = arith.muli %40, %41 : tensor<32x1xi32, #blocked1>
    %43 = tt.expand_dims %28 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %44 = tt.broadcast %42 : tensor<32x1xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %45 = tt.broadcast %43 : tensor<1x64xi32, #blocked1> -> tensor<32x64xi32, #blocked1>
    %46 = arith.addi %44, %45 : tensor<32x64xi32, #blocked1>
    %47 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %48 = tt.addptr %47, %46 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %49 = arith.addi %arg5, %c31_i32 : i32
    %50 = arith.divsi %49, %c32_i32 : i32
    %51 = arith.muli %arg7, %c32_i32 : i32
    %52 = tt.splat %51 : i32 -> tensor<32x64xi32, #blocked1>
    %53 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 12288 : i32} : () -> !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable>
    %54 = ttg.local_alloc {allocation.offset = 12288 : i32, tk.allocation_size = 12288 : i32} : () -> !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>
    %55 = tt.splat %arg5 : i32 -> tensor<1x32xi32, #blocked>
    %56 = arith.cmpi slt, %34, %55 {tk.constancy = array<i32: 1, 16>} : tensor<1x32xi32, #blocked>
    %57 = tt.broadcast %56 : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
    %58 = ttg.memdesc_index %53[%c0_i32] : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %59 = arith.cmpi sgt, %50, %c0_i32 : i32
    %60 = tt.splat %59 : i1 -> tensor<64x32xi1, #blocked>
    %61 = arith.andi %60, %57 : tensor<64x32xi1, #blocked>
    %62 = ttg.async_copy_global_to_local %39, %58 mask %61 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked> -> <64x32xf16, #shared, #smem, mutable>
    %63 = ttg.async_commit_group tokens %62
    %64 = tt.splat %arg5 : i32 -> tensor<32x1xi32, #blocked1>
    %65 = arith.cmpi slt, %40, %64 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked1>
    %66 = tt.broadcast %65 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %67 = ttg.memdesc_index %54[%c0_i32] : !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %68 = tt.splat %59 : i1 -> tensor<32x64xi1, #blocked1>
    %69 = arith.andi %68, %66 : tensor<32x64xi1, #blocked1>
    %70 = ttg.async_copy_global_to_local %48, %67 mask %69 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1> -> <32x64xf16, #shared1, #smem, mutable>
    %71 = ttg.async_commit_group tokens %70
    %72 = tt.addptr %39, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %73 = tt.addptr %48, %52 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %74 = arith.subi %arg5, %c32_i32 : i32
    %75 = tt.splat %74 : i32 -> tensor<1x32xi32, #blocked>
    %76 = arith.cmpi slt, %34, %75 {tk.constancy = array<i32: 1, 16>} : tensor<1x32xi32, #blocked>
    %77 = tt.broadcast %76 : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
    %78 = ttg.memdesc_index %53[%c1_i32] : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %79 = arith.cmpi sgt, %50, %c1_i32 : i32
    %80 = tt.splat %79 : i1 -> tensor<64x32xi1, #blocked>
    %81 = arith.andi %80, %77 : tensor<64x32xi1, #blocked>
    %82 = ttg.async_copy_global_to_local %72, %78 mask %81 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked> -> <64x32xf16, #shared, #smem, mutable>
    %83 = ttg.async_commit_group tokens %82
    %84 = tt.splat %74 : i32 -> tensor<32x1xi32, #blocked1>
    %85 = arith.cmpi slt, %40, %84 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked1>
    %86 = tt.broadcast %85 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %87 = ttg.memdesc_index %54[%c1_i32] : !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %88 = tt.splat %79 : i1 -> tensor<32x64xi1, #blocked1>
    %89 = arith.andi %88, %86 : tensor<32x64xi1, #blocked1>
    %90 = ttg.async_copy_global_to_local %73, %87 mask %89 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1> -> <32x64xf16, #shared1, #smem, mutable>
    %91 = ttg.async_commit_group tokens %90
    %92 = tt.addptr %72, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %93 = tt.addptr %73, %52 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %94 = arith.subi %arg5, %c64_i32 : i32
    %95 = tt.splat %94 : i32 -> tensor<1x32xi32, #blocked>
    %96 = arith.cmpi slt, %34, %95 {tk.constancy = array<i32: 1, 16>} : tensor<1x32xi32, #blocked>
    %97 = tt.broadcast %96 : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
    %98 = ttg.memdesc_index %53[%c2_i32] : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %99 = arith.cmpi sgt, %50, %c2_i32 : i32
    %100 = tt.splat %99 : i1 -> tensor<64x32xi1, #blocked>
    %101 = arith.andi %100, %97 : tensor<64x32xi1, #blocked>
    %102 = ttg.async_copy_global_to_local %92, %98 mask %101 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked> -> <64x32xf16, #shared, #smem, mutable>
    %103 = ttg.async_commit_group tokens %102
    %104 = tt.splat %94 : i32 -> tensor<32x1xi32, #blocked1>
    %105 = arith.cmpi slt, %40, %104 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked1>
    %106 = tt.broadcast %105 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
    %107 = ttg.memdesc_index %54[%c2_i32] : !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %108 = tt.splat %99 : i1 -> tensor<32x64xi1, #blocked1>
    %109 = arith.andi %108, %106 : tensor<32x64xi1, #blocked1>
    %110 = ttg.async_copy_global_to_local %93, %107 mask %109 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1> -> <32x64xf16, #shared1, #smem, mutable>
    %111 = ttg.async_commit_group tokens %110
    %112 = tt.addptr %92, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
    %113 = tt.addptr %93, %52 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
    %114 = arith.subi %50, %c3_i32 : i32
    %115:11 = scf.for %arg9 = %c0_i32 to %50 step %c1_i32 iter_args(%arg10 = %cst_2, %arg11 = %c-1_i32, %arg12 = %103, %arg13 = %83, %arg14 = %63, %arg15 = %111, %arg16 = %91, %arg17 = %71, %arg18 = %c2_i32, %arg19 = %112, %arg20 = %113) -> (tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>)  : i32 {
      %135 = arith.addi %arg11, %c1_i32 : i32
      %136 = arith.cmpi sge, %135, %c3_i32 : i32
      %137 = arith.select %136, %c0_i32, %135 : i32
      %138 = ttg.async_wait %arg14, %arg17 {num = 4 : i32}
      %139 = ttg.memdesc_index %53[%137] : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
      %140 = ttg.memdesc_index %54[%137] : !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      gpu.barrier
      %141 = ttg.local_load %139 : !ttg.memdesc<64x32xf16, #shared, #smem, mutable> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %142 = ttg.local_load %140 : !ttg.memdesc<32x64xf16, #shared1, #smem, mutable> -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %143 = tt.dot %141, %142, %arg10, inputPrecision = tf32 : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %144 = arith.addi %arg18, %c1_i32 : i32
      %145 = arith.cmpi sge, %144, %c3_i32 : i32
      %146 = arith.select %145, %c0_i32, %144 : i32
      %147 = arith.addi %arg9, %c3_i32 : i32
      %148 = arith.muli %147, %c32_i32 : i32
      %149 = arith.subi %arg5, %148 : i32
      %150 = tt.splat %149 : i32 -> tensor<1x32xi32, #blocked>
      %151 = arith.cmpi slt, %34, %150 {tk.constancy = array<i32: 1, 16>} : tensor<1x32xi32, #blocked>
      %152 = tt.broadcast %151 : tensor<1x32xi1, #blocked> -> tensor<64x32xi1, #blocked>
      %153 = ttg.memdesc_index %53[%146] : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
      %154 = arith.cmpi slt, %arg9, %114 : i32
      %155 = tt.splat %154 : i1 -> tensor<64x32xi1, #blocked>
      %156 = arith.andi %155, %152 : tensor<64x32xi1, #blocked>
      gpu.barrier
      %157 = ttg.async_copy_global_to_local %arg19, %153 mask %156 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #blocked> -> <64x32xf16, #shared, #smem, mutable>
      %158 = ttg.async_commit_group tokens %157
      %159 = tt.splat %149 : i32 -> tensor<32x1xi32, #blocked1>
      %160 = arith.cmpi slt, %40, %159 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked1>
      %161 = tt.broadcast %160 : tensor<32x1xi1, #blocked1> -> tensor<32x64xi1, #blocked1>
      %162 = ttg.memdesc_index %54[%146] : !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      %163 = tt.splat %154 : i1 -> tensor<32x64xi1, #blocked1>
      %164 = arith.andi %163, %161 : tensor<32x64xi1, #blocked1>
      %165 = ttg.async_copy_global_to_local %arg20, %162 mask %164 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked1> -> <32x64xf16, #shared1, #smem, mutable>
      %166 = ttg.async_commit_group tokens %165
      %167 = tt.addptr %arg19, %cst : tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>
      %168 = tt.addptr %arg20, %52 : tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>
      scf.yield %143, %137, %158, %arg12, %arg13, %166, %arg15, %arg16, %146, %167, %168 : tensor<64x64xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>
    }
    %116 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %54 : !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>
    ttg.local_dealloc %53 : !ttg.memdesc<3x64x32xf16, #shared, #smem, mutable>
    %117 = arith.truncf %115#0 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %118 = tt.expand_dims %20 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %119 = tt.splat %arg8 : i32 -> tensor<64x1xi32, #blocked1>
    %120 = arith.muli %119, %118 : tensor<64x1xi32, #blocked1>
    %121 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %122 = tt.addptr %121, %120 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %123 = tt.expand_dims %26 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %124 = tt.broadcast %122 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x64x!tt.ptr<f16>, #blocked1>
    %125 = tt.broadcast %123 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %126 = tt.addptr %124, %125 : tensor<64x64x!tt.ptr<f16>, #blocked1>, tensor<64x64xi32, #blocked1>
    %127 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked1>
    %128 = arith.cmpi slt, %118, %127 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %129 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #blocked1>
    %130 = arith.cmpi slt, %123, %129 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked1>
    %131 = tt.broadcast %128 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %132 = tt.broadcast %130 : tensor<1x64xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %133 = arith.andi %131, %132 : tensor<64x64xi1, #blocked1>
    gpu.barrier
    %134 = ttg.convert_layout %117 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #blocked1>
    tt.store %126, %134, %133 {tk.vector = 8 : i32} : tensor<64x64x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

