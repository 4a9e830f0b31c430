// passes: tt,ttg,llvm
// trips: arg5 64
module {
  tt.func public @persistent(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
    %c0_i32 = arith.constant 0 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst_2 = arith.constant dense<64> : tensor<128x64xi32>
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c127_i32 = arith.constant 127 : i32
    %0 = arith.addi %arg4, %c127_i32 : i32
    %1 = arith.divsi %0, %c128_i32 : i32
    %2 = arith.addi %arg3, %c127_i32 : i32
    %3 = arith.divsi %2, %c128_i32 : i32
    %4 = arith.muli %3, %1 : i32
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %6 = tt.get_program_id x : i32
    scf.for %arg9 = %6 to %4 step %c4_i32  : i32 {
      %7 = arith.divsi %arg9, %1 : i32
      %8 = arith.muli %7, %c128_i32 : i32
      %9 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
      %10 = tt.splat %8 : i32 -> tensor<128xi32>
      %11 = arith.addi %10, %9 : tensor<128xi32>
      %12 = arith.remsi %arg9, %1 : i32
      %13 = arith.muli %12, %c128_i32 : i32
      %14 = tt.splat %13 : i32 -> tensor<128xi32>
      %15 = arith.addi %14, %9 : tensor<128xi32>
      %16 = tt.expand_dims %11 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %17 = tt.splat %arg6 : i32 -> tensor<128x1xi32>
      %18 = arith.muli %16, %17 : tensor<128x1xi32>
      %19 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %20 = tt.addptr %19, %18 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %21 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %22 = tt.broadcast %20 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x64x!tt.ptr<f16>>
      %23 = tt.broadcast %21 : tensor<1x64xi32> -> tensor<128x64xi32>
      %24 = tt.addptr %22, %23 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %25 = tt.expand_dims %5 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %26 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
      %27 = arith.muli %25, %26 : tensor<64x1xi32>
      %28 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %29 = tt.addptr %28, %27 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %30 = tt.expand_dims %15 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %31 = tt.broadcast %29 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x128x!tt.ptr<f16>>
      %32 = tt.broadcast %30 : tensor<1x128xi32> -> tensor<64x128xi32>
      %33 = tt.addptr %31, %32 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
      %34:3 = scf.for %arg10 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg11 = %24, %arg12 = %33, %arg13 = %cst) -> (tensor<128x64x!tt.ptr<f16>>, tensor<64x128x!tt.ptr<f16>>, tensor<128x128xf32>)  : i32 {
        %50 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
        %51 = arith.cmpi slt, %16, %50 : tensor<128x1xi32>
        %52 = tt.splat %arg10 : i32 -> tensor<1x64xi32>
        %53 = arith.addi %21, %52 : tensor<1x64xi32>
        %54 = tt.splat %arg5 : i32 -> tensor<1x64xi32>
        %55 = arith.cmpi slt, %53, %54 : tensor<1x64xi32>
        %56 = tt.broadcast %51 : tensor<128x1xi1> -> tensor<128x64xi1>
        %57 = tt.broadcast %55 : tensor<1x64xi1> -> tensor<128x64xi1>
        %58 = arith.andi %56, %57 : tensor<128x64xi1>
        %59 = tt.load %arg11, %58, %cst_1 : tensor<128x64x!tt.ptr<f16>>
        %60 = tt.splat %arg4 : i32 -> tensor<1x128xi32>
        %61 = arith.cmpi slt, %30, %60 : tensor<1x128xi32>
        %62 = tt.splat %arg10 : i32 -> tensor<64x1xi32>
        %63 = arith.addi %25, %62 : tensor<64x1xi32>
        %64 = tt.splat %arg5 : i32 -> tensor<64x1xi32>
        %65 = arith.cmpi slt, %63, %64 : tensor<64x1xi32>
        %66 = tt.broadcast %61 : tensor<1x128xi1> -> tensor<64x128xi1>
        %67 = tt.broadcast %65 : tensor<64x1xi1> -> tensor<64x128xi1>
        %68 = arith.andi %66, %67 : tensor<64x128xi1>
        %69 = tt.load %arg12, %68, %cst_0 : tensor<64x128x!tt.ptr<f16>>
        %70 = tt.dot %59, %69, %arg13, inputPrecision = tf32 : tensor<128x64xf16> * tensor<64x128xf16> -> tensor<128x128xf32>
        %71 = tt.addptr %arg11, %cst_2 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
        %72 = arith.muli %arg7, %c64_i32 : i32
        %73 = tt.splat %72 : i32 -> tensor<64x128xi32>
        %74 = tt.addptr %arg12, %73 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
        scf.yield %71, %74, %70 : tensor<128x64x!tt.ptr<f16>>, tensor<64x128x!tt.ptr<f16>>, tensor<128x128xf32>
      }
      %35 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
      %36 = arith.cmpi slt, %16, %35 : tensor<128x1xi32>
      %37 = tt.splat %arg4 : i32 -> tensor<1x128xi32>
      %38 = arith.cmpi slt, %30, %37 : tensor<1x128xi32>
      %39 = tt.broadcast %36 : tensor<128x1xi1> -> tensor<128x128xi1>
      %40 = tt.broadcast %38 : tensor<1x128xi1> -> tensor<128x128xi1>
      %41 = arith.andi %39, %40 : tensor<128x128xi1>
      %42 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
      %43 = arith.muli %16, %42 : tensor<128x1xi32>
      %44 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>>
      %45 = tt.addptr %44, %43 : tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>
      %46 = tt.broadcast %45 : tensor<128x1x!tt.ptr<f16>> -> tensor<128x128x!tt.ptr<f16>>
      %47 = tt.broadcast %30 : tensor<1x128xi32> -> tensor<128x128xi32>
      %48 = tt.addptr %46, %47 : tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>
      %49 = arith.truncf %34#2 : tensor<128x128xf32> to tensor<128x128xf16>
      tt.store %48, %49, %41 : tensor<128x128x!tt.ptr<f16>>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 98304 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @persistent(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c127_i32 = arith.constant 127 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<128x64xi32, #blocked>
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #blocked1>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst_3 = arith.constant dense<64> : tensor<1x64xi32, #blocked>
    %cst_4 = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %0 = arith.addi %arg4, %c127_i32 : i32
    %1 = arith.divsi %0, %c128_i32 : i32
    %2 = arith.addi %arg3, %c127_i32 : i32
    %3 = arith.divsi %2, %c128_i32 : i32
    %4 = arith.muli %3, %1 : i32
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %7 = tt.get_program_id x : i32
    %8 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %9 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %10 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %11 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %12 = tt.expand_dims %6 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %13 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #blocked>
    %14 = tt.addptr %13, %12 : tensor<1x64x!tt.ptr<f16>, #blocked>, tensor<1x64xi32, #blocked>
    %15 = tt.broadcast %14 : tensor<1x64x!tt.ptr<f16>, #blocked> -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %16 = tt.expand_dims %5 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %17 = tt.splat %arg7 : i32 -> tensor<64x1xi32, #blocked1>
    %18 = arith.muli %16, %17 : tensor<64x1xi32, #blocked1>
    %19 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %20 = tt.addptr %19, %18 : tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>
    %21 = tt.broadcast %20 : tensor<64x1x!tt.ptr<f16>, #blocked1> -> tensor<64x128x!tt.ptr<f16>, #blocked1>
    %22 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked>
    %23 = tt.splat %arg5 : i32 -> tensor<1x64xi32, #blocked>
    %24 = tt.splat %arg4 : i32 -> tensor<1x128xi32, #blocked1>
    %25 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked1>
    %26 = arith.muli %arg7, %c64_i32 : i32
    %27 = tt.splat %26 : i32 -> tensor<64x128xi32, #blocked1>
    %28 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %29 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %30 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked1>
    scf.for %arg9 = %7 to %4 step %c4_i32  : i32 {
      %31 = arith.divsi %arg9, %1 : i32
      %32 = arith.muli %31, %c128_i32 : i32
      %33 = tt.splat %32 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %34 = tt.splat %32 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %35 = arith.addi %33, %9 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %36 = arith.addi %34, %10 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %37 = arith.remsi %arg9, %1 : i32
      %38 = arith.muli %37, %c128_i32 : i32
      %39 = tt.splat %38 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %40 = arith.addi %39, %8 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %41 = tt.expand_dims %35 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
      %42 = tt.expand_dims %36 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
      %43 = arith.muli %42, %11 : tensor<128x1xi32, #blocked>
      %44 = tt.broadcast %43 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
      %45 = tt.addptr %15, %44 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %46 = tt.expand_dims %40 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
      %47 = tt.broadcast %46 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
      %48 = tt.addptr %21, %47 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
      %49 = arith.cmpi slt, %42, %22 {tk.constancy = array<i32: 16, 1>} : tensor<128x1xi32, #blocked>
      %50 = tt.broadcast %49 : tensor<128x1xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %51 = arith.cmpi slt, %46, %24 {tk.constancy = array<i32: 1, 16>} : tensor<1x128xi32, #blocked1>
      %52 = tt.broadcast %51 : tensor<1x128xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
      %53 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
      %54 = ttg.local_alloc {allocation.offset = 49152 : i32, tk.allocation_size = 49152 : i32} : () -> !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
      %55 = arith.cmpi slt, %12, %23 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
      %56 = tt.broadcast %55 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %57 = arith.andi %50, %56 : tensor<128x64xi1, #blocked>
      %58 = ttg.memdesc_index %53[%c0_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %59 = arith.cmpi sgt, %arg5, %c0_i32 : i32
      %60 = tt.splat %59 : i1 -> tensor<128x64xi1, #blocked>
      %61 = arith.andi %60, %57 : tensor<128x64xi1, #blocked>
      gpu.barrier
      %62 = ttg.async_copy_global_to_local %45, %58 mask %61 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %63 = ttg.async_commit_group tokens %62
      %64 = arith.cmpi slt, %16, %25 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
      %65 = tt.broadcast %64 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
      %66 = arith.andi %52, %65 : tensor<64x128xi1, #blocked1>
      %67 = ttg.memdesc_index %54[%c0_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %68 = tt.splat %59 : i1 -> tensor<64x128xi1, #blocked1>
      %69 = arith.andi %68, %66 : tensor<64x128xi1, #blocked1>
      %70 = ttg.async_copy_global_to_local %48, %67 mask %69 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1> -> <64x128xf16, #shared, #smem, mutable>
      %71 = ttg.async_commit_group tokens %70
      %72 = tt.addptr %45, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %73 = tt.addptr %48, %27 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
      %74 = arith.addi %12, %cst_3 : tensor<1x64xi32, #blocked>
      %75 = arith.cmpi slt, %74, %23 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
      %76 = tt.broadcast %75 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %77 = arith.andi %50, %76 : tensor<128x64xi1, #blocked>
      %78 = ttg.memdesc_index %53[%c1_i32] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      %79 = arith.cmpi sgt, %arg5, %c64_i32 : i32
      %80 = tt.splat %79 : i1 -> tensor<128x64xi1, #blocked>
      %81 = arith.andi %80, %77 : tensor<128x64xi1, #blocked>
      %82 = ttg.async_copy_global_to_local %72, %78 mask %81 other %cst_0 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
      %83 = ttg.async_commit_group tokens %82
      %84 = arith.addi %16, %cst_4 : tensor<64x1xi32, #blocked1>
      %85 = arith.cmpi slt, %84, %25 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
      %86 = tt.broadcast %85 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
      %87 = arith.andi %52, %86 : tensor<64x128xi1, #blocked1>
      %88 = ttg.memdesc_index %54[%c1_i32] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
      %89 = tt.splat %79 : i1 -> tensor<64x128xi1, #blocked1>
      %90 = arith.andi %89, %87 : tensor<64x128xi1, #blocked1>
      %91 = ttg.async_copy_global_to_local %73, %88 mask %90 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1> -> <64x128xf16, #shared, #smem, mutable>
      %92 = ttg.async_commit_group tokens %91
      %93 = tt.addptr %72, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %94 = tt.addptr %73, %27 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
      %95 = arith.subi %arg5, %c128_i32 : i32
      %96:9 = scf.for %arg10 = %c0_i32 to %arg5 step %c64_i32 iter_args(%arg11 = %cst_2, %arg12 = %c0_i32, %arg13 = %83, %arg14 = %63, %arg15 = %92, %arg16 = %71, %arg17 = %c1_i32, %arg18 = %93, %arg19 = %94) -> (tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x128x!tt.ptr<f16>, #blocked1>)  : i32 {
        %110 = ttg.async_wait %arg14, %arg16 {num = 2 : i32}
        %111 = ttg.memdesc_index %53[%arg12] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %112 = ttg.memdesc_index %54[%arg12] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
        %113 = ttg.memdesc_subslice %111[0, 0] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
        %114 = ttg.memdesc_subslice %112[0, 0] : !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable, 64x128>
        %115 = ttg.memdesc_subslice %111[0, 32] : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64>
        %116 = ttg.memdesc_subslice %112[32, 0] : !ttg.memdesc<64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable, 64x128>
        gpu.barrier
        %117 = ttng.warp_group_dot %113, %114, %arg11 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x128xf16, #shared, #smem, mutable, 64x128> -> tensor<128x128xf32, #mma>
        %118:3 = ttng.warp_group_dot_wait %117, %111, %112 {pendings = 1 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
        %119 = arith.addi %arg17, %c1_i32 : i32
        %120 = arith.cmpi sge, %119, %c3_i32 : i32
        %121 = arith.select %120, %c0_i32, %119 : i32
        %122 = arith.addi %arg10, %c128_i32 : i32
        %123 = tt.splat %122 : i32 -> tensor<1x64xi32, #blocked>
        %124 = arith.addi %12, %123 : tensor<1x64xi32, #blocked>
        %125 = arith.cmpi slt, %124, %23 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
        %126 = tt.broadcast %125 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
        %127 = arith.andi %50, %126 : tensor<128x64xi1, #blocked>
        %128 = ttg.memdesc_index %53[%121] : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
        %129 = arith.cmpi slt, %arg10, %95 : i32
        %130 = tt.splat %129 : i1 -> tensor<128x64xi1, #blocked>
        %131 = arith.andi %130, %127 : tensor<128x64xi1, #blocked>
        %132 = tt.splat %122 : i32 -> tensor<64x1xi32, #blocked1>
        %133 = arith.addi %16, %132 : tensor<64x1xi32, #blocked1>
        %134 = arith.cmpi slt, %133, %25 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
        %135 = tt.broadcast %134 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
        %136 = arith.andi %52, %135 : tensor<64x128xi1, #blocked1>
        %137 = ttg.memdesc_index %54[%121] : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x128xf16, #shared, #smem, mutable>
        %138 = tt.splat %129 : i1 -> tensor<64x128xi1, #blocked1>
        %139 = arith.andi %138, %136 : tensor<64x128xi1, #blocked1>
        gpu.barrier
        %140 = ttg.async_copy_global_to_local %arg18, %128 mask %131 other %cst_0 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked> -> <128x64xf16, #shared, #smem, mutable>
        %141 = ttg.async_copy_global_to_local %arg19, %137 mask %139 other %cst_1 {contiguity = 8 : i32, tk.skippable, tk.vector = 8 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1> -> <64x128xf16, #shared, #smem, mutable>
        %142 = ttg.async_commit_group tokens %140
        %143 = ttg.async_commit_group tokens %141
        %144 = ttng.warp_group_dot %115, %116, %118#0 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x32xf16, #shared, #smem, mutable, 128x64> * !ttg.memdesc<32x128xf16, #shared, #smem, mutable, 64x128> -> tensor<128x128xf32, #mma>
        %145 = tt.addptr %arg18, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
        %146 = tt.addptr %arg19, %27 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
        %147 = arith.addi %arg12, %c1_i32 : i32
        %148 = arith.cmpi sge, %147, %c3_i32 : i32
        %149 = arith.select %148, %c0_i32, %147 : i32
        scf.yield %144, %149, %142, %arg13, %143, %arg15, %121, %145, %146 : tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x128x!tt.ptr<f16>, #blocked1>
      }
      %97 = ttng.warp_group_dot_wait %96#0 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
      %98 = ttg.async_wait {num = 0 : i32}
      ttg.local_dealloc %54 : !ttg.memdesc<3x64x128xf16, #shared, #smem, mutable>
      ttg.local_dealloc %53 : !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
      %99 = arith.cmpi slt, %41, %28 {tk.constancy = array<i32: 16, 1>} : tensor<128x1xi32, #blocked1>
      %100 = tt.broadcast %99 : tensor<128x1xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
      %101 = tt.broadcast %51 : tensor<1x128xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
      %102 = arith.andi %100, %101 : tensor<128x128xi1, #blocked1>
      %103 = arith.muli %41, %29 : tensor<128x1xi32, #blocked1>
      %104 = tt.addptr %30, %103 : tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>
      %105 = tt.broadcast %104 : tensor<128x1x!tt.ptr<f16>, #blocked1> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
      %106 = tt.broadcast %46 : tensor<1x128xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
      %107 = tt.addptr %105, %106 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
      %108 = arith.truncf %97 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
      gpu.barrier
      %109 = ttg.convert_layout %108 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked1>
      tt.store %107, %109, %102 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1>
    }
    tt.return
  }
}

