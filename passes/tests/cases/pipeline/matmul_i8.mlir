// passes: tt,ttg,llvm
// stages: 3
// trips: arg5 64
module {
  tt.func public @mm(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0> : tensor<128x128xi32>
    %c127_i32 = arith.constant 127 : i32
    %cst_0 = arith.constant dense<0> : tensor<64x128xi8>
    %cst_1 = arith.constant dense<0> : tensor<128x64xi8>
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
    %33 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<128x64x!tt.ptr<i8>>
    %34 = tt.addptr %33, %32 : tensor<128x64x!tt.ptr<i8>>, tensor<128x64xi32>
    %35 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %36 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %37 = tt.splat %arg7 : i32 -> tensor<1x128xi32>
    %38 = arith.muli %36, %37 : tensor<1x128xi32>
    %39 = tt.broadcast %35 : tensor<64x1xi32> -> tensor<64x128xi32>
    %40 = tt.broadcast %38 : tensor<1x128xi32> -> tensor<64x128xi32>
    %41 = arith.addi %39, %40 : tensor<64x128xi32>
    %42 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x128x!tt.ptr<i8>>
    %43 = tt.addptr %42, %41 : tensor<64x128x!tt.ptr<i8>>, tensor<64x128xi32>
    %44 = arith.addi %arg5, %c63_i32 : i32
    %45 = arith.divsi %44, %c64_i32 : i32
    %46:3 = scf.for %arg9 = %c0_i32 to %45 step %c1_i32 iter_args(%arg10 = %34, %arg11 = %43, %arg12 = %cst) -> (tensor<128x64x!tt.ptr<i8>>, tensor<64x128x!tt.ptr<i8>>, tensor<128x128xi32>)  : i32 {
      %63 = arith.muli %arg9, %c64_i32 : i32
      %64 = arith.subi %arg5, %63 : i32
      %65 = tt.splat %64 : i32 -> tensor<1x64xi32>
      %66 = arith.cmpi slt, %29, %65 : tensor<1x64xi32>
      %67 = tt.broadcast %66 : tensor<1x64xi1> -> tensor<128x64xi1>
      %68 = tt.load %arg10, %67, %cst_1 : tensor<128x64x!tt.ptr<i8>>
      %69 = tt.splat %64 : i32 -> tensor<64x1xi32>
      %70 = arith.cmpi slt, %35, %69 : tensor<64x1xi32>
      %71 = tt.broadcast %70 : tensor<64x1xi1> -> tensor<64x128xi1>
      %72 = tt.load %arg11, %71, %cst_0 : tensor<64x128x!tt.ptr<i8>>
      %73 = tt.dot %68, %72, %arg12, inputPrecision = tf32 : tensor<128x64xi8> * tensor<64x128xi8> -> tensor<128x128xi32>
      %74 = tt.addptr %arg10, %cst_3 : tensor<128x64x!tt.ptr<i8>>, tensor<128x64xi32>
      %75 = tt.addptr %arg11, %cst_2 : tensor<64x128x!tt.ptr<i8>>, tensor<64x128xi32>
      scf.yield %74, %75, %73 : tensor<128x64x!tt.ptr<i8>>, tensor<64x128x!tt.ptr<i8>>, tensor<128x128xi32>
    }
    %47 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %48 = tt.splat %arg8 : i32 -> tensor<128x1xi32>
    %49 = arith.muli %48, %47 : tensor<128x1xi32>
    %50 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<128x1x!tt.ptr<i32>>
    %51 = tt.addptr %50, %49 : tensor<128x1x!tt.ptr<i32>>, tensor<128x1xi32>
    %52 = tt.expand_dims %22 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %53 = tt.broadcast %51 : tensor<128x1x!tt.ptr<i32>> -> tensor<128x128x!tt.ptr<i32>>
    %54 = tt.broadcast %52 : tensor<1x128xi32> -> tensor<128x128xi32>
    %55 = tt.addptr %53, %54 : tensor<128x128x!tt.ptr<i32>>, tensor<128x128xi32>
    %56 = tt.splat %arg3 : i32 -> tensor<128x1xi32>
    %57 = arith.cmpi slt, %47, %56 : tensor<128x1xi32>
    %58 = tt.splat %arg4 : i32 -> tensor<1x128xi32>
    %59 = arith.cmpi slt, %52, %58 : tensor<1x128xi32>
    %60 = tt.broadcast %57 : tensor<128x1xi1> -> tensor<128x128xi1>
    %61 = tt.broadcast %59 : tensor<1x128xi1> -> tensor<128x128xi1>
    %62 = arith.andi %60, %61 : tensor<128x128xi1>
    tt.store %55, %46#2, %62 : tensor<128x128x!tt.ptr<i32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 32]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 49152 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<128x64xi32, #blocked>
    %cst_0 = arith.constant dense<64> : tensor<64x128xi32, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_1 = arith.constant dense<0> : tensor<128x64xi8, #blocked>
    %cst_2 = arith.constant dense<0> : tensor<64x128xi8, #blocked1>
    %c127_i32 = arith.constant 127 : i32
    %cst_3 = arith.constant dense<0> : tensor<128x128xi32, #mma>
    %c63_i32 = arith.constant 63 : i32
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
    %41 = tt.splat %arg0 : !tt.ptr<i8> -> tensor<128x64x!tt.ptr<i8>, #blocked>
    %42 = tt.addptr %41, %40 : tensor<128x64x!tt.ptr<i8>, #blocked>, tensor<128x64xi32, #blocked>
    %43 = tt.expand_dims %32 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %44 = tt.expand_dims %31 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %45 = tt.splat %arg7 : i32 -> tensor<1x128xi32, #blocked1>
    %46 = arith.muli %44, %45 : tensor<1x128xi32, #blocked1>
    %47 = tt.broadcast %43 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %48 = tt.broadcast %46 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %49 = arith.addi %47, %48 : tensor<64x128xi32, #blocked1>
    %50 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x128x!tt.ptr<i8>, #blocked1>
    %51 = tt.addptr %50, %49 : tensor<64x128x!tt.ptr<i8>, #blocked1>, tensor<64x128xi32, #blocked1>
    %52 = arith.addi %arg5, %c63_i32 : i32
    %53 = arith.divsi %52, %c64_i32 : i32
    %54 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x128x64xi8, #shared, #smem, mutable>
    %55 = ttg.local_alloc {allocation.offset = 24576 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x64x128xi8, #shared1, #smem, mutable>
    %56 = tt.splat %arg5 : i32 -> tensor<1x64xi32, #blocked>
    %57 = arith.cmpi slt, %37, %56 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %58 = tt.broadcast %57 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %59 = ttg.memdesc_index %54[%c0_i32] : !ttg.memdesc<3x128x64xi8, #shared, #smem, mutable> -> !ttg.memdesc<128x64xi8, #shared, #smem, mutable>
    %60 = arith.cmpi sgt, %53, %c0_i32 : i32
    %61 = tt.splat %60 : i1 -> tensor<128x64xi1, #blocked>
    %62 = arith.andi %61, %58 : tensor<128x64xi1, #blocked>
    %63 = ttg.async_copy_global_to_local %42, %59 mask %62 other %cst_1 {contiguity = 16 : i32, tk.vector = 16 : i32} : tensor<128x64x!tt.ptr<i8>, #blocked> -> <128x64xi8, #shared, #smem, mutable>
    %64 = ttg.async_commit_group tokens %63
    %65 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #blocked1>
    %66 = arith.cmpi slt, %43, %65 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %67 = tt.broadcast %66 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
    %68 = ttg.memdesc_index %55[%c0_i32] : !ttg.memdesc<3x64x128xi8, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xi8, #shared1, #smem, mutable>
    %69 = tt.splat %60 : i1 -> tensor<64x128xi1, #blocked1>
    %70 = arith.andi %69, %67 : tensor<64x128xi1, #blocked1>
    %71 = ttg.async_copy_global_to_local %51, %68 mask %70 other %cst_2 {contiguity = 16 : i32, tk.vector = 16 : i32} : tensor<64x128x!tt.ptr<i8>, #blocked1> -> <64x128xi8, #shared1, #smem, mutable>
    %72 = ttg.async_commit_group tokens %71
    %73 = tt.addptr %42, %cst : tensor<128x64x!tt.ptr<i8>, #blocked>, tensor<128x64xi32, #blocked>
    %74 = tt.addptr %51, %cst_0 : tensor<64x128x!tt.ptr<i8>, #blocked1>, tensor<64x128xi32, #blocked1>
    %75 = arith.subi %arg5, %c64_i32 : i32
    %76 = tt.splat %75 : i32 -> tensor<1x64xi32, #blocked>
    %77 = arith.cmpi slt, %37, %76 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %78 = tt.broadcast %77 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %79 = ttg.memdesc_index %54[%c1_i32] : !ttg.memdesc<3x128x64xi8, #shared, #smem, mutable> -> !ttg.memdesc<128x64xi8, #shared, #smem, mutable>
    %80 = arith.cmpi sgt, %53, %c1_i32 : i32
    %81 = tt.splat %80 : i1 -> tensor<128x64xi1, #blocked>
    %82 = arith.andi %81, %78 : tensor<128x64xi1, #blocked>
    %83 = ttg.async_copy_global_to_local %73, %79 mask %82 other %cst_1 {contiguity = 16 : i32, tk.vector = 16 : i32} : tensor<128x64x!tt.ptr<i8>, #blocked> -> <128x64xi8, #shared, #smem, mutable>
    %84 = ttg.async_commit_group tokens %83
    %85 = tt.splat %75 : i32 -> tensor<64x1xi32, #blocked1>
    %86 = arith.cmpi slt, %43, %85 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %87 = tt.broadcast %86 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
    %88 = ttg.memdesc_index %55[%c1_i32] : !ttg.memdesc<3x64x128xi8, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xi8, #shared1, #smem, mutable>
    %89 = tt.splat %80 : i1 -> tensor<64x128xi1, #blocked1>
    %90 = arith.andi %89, %87 : tensor<64x128xi1, #blocked1>
    %91 = ttg.async_copy_global_to_local %74, %88 mask %90 other %cst_2 {contiguity = 16 : i32, tk.vector = 16 : i32} : tensor<64x128x!tt.ptr<i8>, #blocked1> -> <64x128xi8, #shared1, #smem, mutable>
    %92 = ttg.async_commit_group tokens %91
    %93 = tt.addptr %73, %cst : tensor<128x64x!tt.ptr<i8>, #blocked>, tensor<128x64xi32, #blocked>
    %94 = tt.addptr %74, %cst_0 : tensor<64x128x!tt.ptr<i8>, #blocked1>, tensor<64x128xi32, #blocked1>
    %95 = arith.subi %53, %c2_i32 : i32
    %96:9 = scf.for %arg9 = %c0_i32 to %53 step %c1_i32 iter_args(%arg10 = %cst_3, %arg11 = %c-1_i32, %arg12 = %84, %arg13 = %64, %arg14 = %92, %arg15 = %72, %arg16 = %c1_i32, %arg17 = %93, %arg18 = %94) -> (tensor<128x128xi32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<i8>, #blocked>, tensor<64x128x!tt.ptr<i8>, #blocked1>)  : i32 {
      %116 = arith.addi %arg11, %c1_i32 : i32
      %117 = arith.cmpi sge, %116, %c3_i32 : i32
      %118 = arith.select %117, %c0_i32, %116 : i32
      %119 = ttg.async_wait %arg13, %arg15 {num = 2 : i32}
      %120 = ttg.memdesc_index %54[%118] : !ttg.memdesc<3x128x64xi8, #shared, #smem, mutable> -> !ttg.memdesc<128x64xi8, #shared, #smem, mutable>
      %121 = ttg.memdesc_index %55[%118] : !ttg.memdesc<3x64x128xi8, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xi8, #shared1, #smem, mutable>
      gpu.barrier
      %122 = ttng.warp_group_dot %120, %121, %arg10 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xi8, #shared, #smem, mutable> * !ttg.memdesc<64x128xi8, #shared1, #smem, mutable> -> tensor<128x128xi32, #mma>
      %123:3 = ttng.warp_group_dot_wait %122, %120, %121 {pendings = 1 : i32} : tensor<128x128xi32, #mma>, !ttg.memdesc<128x64xi8, #shared, #smem, mutable>, !ttg.memdesc<64x128xi8, #shared1, #smem, mutable>
      %124 = arith.addi %arg16, %c1_i32 : i32
      %125 = arith.cmpi sge, %124, %c3_i32 : i32
      %126 = arith.select %125, %c0_i32, %124 : i32
      %127 = arith.addi %arg9, %c2_i32 : i32
      %128 = arith.muli %127, %c64_i32 : i32
      %129 = arith.subi %arg5, %128 : i32
      %130 = tt.splat %129 : i32 -> tensor<1x64xi32, #blocked>
      %131 = arith.cmpi slt, %37, %130 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
      %132 = tt.broadcast %131 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %133 = ttg.memdesc_index %54[%126] : !ttg.memdesc<3x128x64xi8, #shared, #smem, mutable> -> !ttg.memdesc<128x64xi8, #shared, #smem, mutable>
      %134 = arith.cmpi slt, %arg9, %95 : i32
      %135 = tt.splat %134 : i1 -> tensor<128x64xi1, #blocked>
      %136 = arith.andi %135, %132 : tensor<128x64xi1, #blocked>
      %137 = tt.splat %129 : i32 -> tensor<64x1xi32, #blocked1>
      %138 = arith.cmpi slt, %43, %137 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
      %139 = tt.broadcast %138 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
      %140 = ttg.memdesc_index %55[%126] : !ttg.memdesc<3x64x128xi8, #shared1, #smem, mutable> -> !ttg.memdesc<64x128xi8, #shared1, #smem, mutable>
      %141 = tt.splat %134 : i1 -> tensor<64x128xi1, #blocked1>
      %142 = arith.andi %141, %139 : tensor<64x128xi1, #blocked1>
      gpu.barrier
      %143 = ttg.async_copy_global_to_local %arg17, %133 mask %136 other %cst_1 {contiguity = 16 : i32, tk.skippable, tk.vector = 16 : i32} : tensor<128x64x!tt.ptr<i8>, #blocked> -> <128x64xi8, #shared, #smem, mutable>
      %144 = ttg.async_copy_global_to_local %arg18, %140 mask %142 other %cst_2 {contiguity = 16 : i32, tk.skippable, tk.vector = 16 : i32} : tensor<64x128x!tt.ptr<i8>, #blocked1> -> <64x128xi8, #shared1, #smem, mutable>
      %145 = ttg.async_commit_group tokens %143
      %146 = ttg.async_commit_group tokens %144
      %147 = tt.addptr %arg17, %cst : tensor<128x64x!tt.ptr<i8>, #blocked>, tensor<128x64xi32, #blocked>
      %148 = tt.addptr %arg18, %cst_0 : tensor<64x128x!tt.ptr<i8>, #blocked1>, tensor<64x128xi32, #blocked1>
      scf.yield %123#0, %118, %145, %arg12, %146, %arg14, %126, %147, %148 : tensor<128x128xi32, #mma>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, tensor<128x64x!tt.ptr<i8>, #blocked>, tensor<64x128x!tt.ptr<i8>, #blocked1>
    }
    %97 = ttng.warp_group_dot_wait %96#0 {pendings = 0 : i32} : tensor<128x128xi32, #mma>
    %98 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %55 : !ttg.memdesc<3x64x128xi8, #shared1, #smem, mutable>
    ttg.local_dealloc %54 : !ttg.memdesc<3x128x64xi8, #shared, #smem, mutable>
    %99 = tt.expand_dims %21 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi32, #blocked2>
    %100 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked2>
    %101 = arith.muli %100, %99 : tensor<128x1xi32, #blocked2>
    %102 = tt.splat %arg2 : !tt.ptr<i32> -> tensor<128x1x!tt.ptr<i32>, #blocked2>
    %103 = tt.addptr %102, %101 : tensor<128x1x!tt.ptr<i32>, #blocked2>, tensor<128x1xi32, #blocked2>
    %104 = tt.expand_dims %28 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi32, #blocked2>
    %105 = tt.broadcast %103 : tensor<128x1x!tt.ptr<i32>, #blocked2> -> tensor<128x128x!tt.ptr<i32>, #blocked2>
    %106 = tt.broadcast %104 : tensor<1x128xi32, #blocked2> -> tensor<128x128xi32, #blocked2>
    %107 = tt.addptr %105, %106 : tensor<128x128x!tt.ptr<i32>, #blocked2>, tensor<128x128xi32, #blocked2>
    %108 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked2>
    %109 = arith.cmpi slt, %99, %108 {tk.constancy = array<i32: 16, 1>} : tensor<128x1xi32, #blocked2>
    %110 = tt.splat %arg4 : i32 -> tensor<1x128xi32, #blocked2>
    %111 = arith.cmpi slt, %104, %110 {tk.constancy = array<i32: 1, 16>} : tensor<1x128xi32, #blocked2>
    %112 = tt.broadcast %109 : tensor<128x1xi1, #blocked2> -> tensor<128x128xi1, #blocked2>
    %113 = tt.broadcast %111 : tensor<1x128xi1, #blocked2> -> tensor<128x128xi1, #blocked2>
    %114 = arith.andi %112, %113 : tensor<128x128xi1, #blocked2>
    gpu.barrier
    %115 = ttg.convert_layout %97 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xi32, #mma> -> tensor<128x128xi32, #blocked2>
    tt.store %107, %115, %114 {tk.vector = 4 : i32} : tensor<128x128x!tt.ptr<i32>, #blocked2>
    tt.return
  }
}

