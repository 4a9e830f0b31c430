// passes: tt,ttg,llvm
// stages: 3
// trips: arg5 64
module {
  tt.func public @mm(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf8E4M3FN>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf8E4M3FN>
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<64> : tensor<128x64xi32>
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
    %33 = tt.splat %arg0 : !tt.ptr<f8E4M3FN> -> tensor<128x64x!tt.ptr<f8E4M3FN>>
    %34 = tt.addptr %33, %32 : tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<128x64xi32>
    %35 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %36 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
    %37 = arith.muli %35, %36 : tensor<64x1xi32>
    %38 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %39 = tt.broadcast %37 : tensor<64x1xi32> -> tensor<64x128xi32>
    %40 = tt.broadcast %38 : tensor<1x128xi32> -> tensor<64x128xi32>
    %41 = arith.addi %39, %40 : tensor<64x128xi32>
    %42 = tt.splat %arg1 : !tt.ptr<f8E4M3FN> -> tensor<64x128x!tt.ptr<f8E4M3FN>>
    %43 = tt.addptr %42, %41 : tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<64x128xi32>
    %44 = arith.addi %arg5, %c63_i32 : i32
    %45 = arith.divsi %44, %c64_i32 : i32
    %46:3 = scf.for %arg9 = %c0_i32 to %45 step %c1_i32 iter_args(%arg10 = %34, %arg11 = %43, %arg12 = %cst) -> (tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<128x128xf32>)  : i32 {
      %64 = arith.muli %arg9, %c64_i32 : i32
      %65 = arith.subi %arg5, %64 : i32
      %66 = tt.splat %65 : i32 -> tensor<1x64xi32>
      %67 = arith.cmpi slt, %29, %66 : tensor<1x64xi32>
      %68 = tt.broadcast %67 : tensor<1x64xi1> -> tensor<128x64xi1>
      %69 = tt.load %arg10, %68, %cst_1 : tensor<128x64x!tt.ptr<f8E4M3FN>>
      %70 = tt.splat %65 : i32 -> tensor<64x1xi32>
      %71 = arith.cmpi slt, %35, %70 : tensor<64x1xi32>
      %72 = tt.broadcast %71 : tensor<64x1xi1> -> tensor<64x128xi1>
      %73 = tt.load %arg11, %72, %cst_0 : tensor<64x128x!tt.ptr<f8E4M3FN>>
      %74 = tt.dot %69, %73, %arg12, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<128x64xf8E4M3FN> * tensor<64x128xf8E4M3FN> -> tensor<128x128xf32>
      %75 = tt.addptr %arg10, %cst_2 : tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<128x64xi32>
      %76 = arith.muli %arg7, %c64_i32 : i32
      %77 = tt.splat %76 : i32 -> tensor<64x128xi32>
      %78 = tt.addptr %arg11, %77 : tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<64x128xi32>
      scf.yield %75, %78, %74 : tensor<128x64x!tt.ptr<f8E4M3FN>>, tensor<64x128x!tt.ptr<f8E4M3FN>>, tensor<128x128xf32>
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
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0], [2, 0]], lane = [[4, 0], [8, 0], [16, 0], [32, 0], [0, 16]], warp = [[0, 32], [0, 64]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 32]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32768 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<128x64xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf8E4M3FN, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x128xf8E4M3FN, #linear>
    %c127_i32 = arith.constant 127 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
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
    %15 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %17 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %18 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %19 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %20 = tt.splat %14 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %21 = arith.addi %19, %17 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %22 = arith.addi %20, %18 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %23 = tt.splat %arg3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %24 = arith.remsi %22, %23 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %25 = arith.muli %13, %c128_i32 : i32
    %26 = tt.splat %25 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %27 = tt.splat %25 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %28 = arith.addi %26, %15 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %29 = arith.addi %27, %16 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %30 = tt.splat %arg4 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %31 = arith.remsi %29, %30 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %32 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %33 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %34 = tt.expand_dims %24 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
    %35 = tt.splat %arg6 : i32 -> tensor<128x1xi32, #blocked>
    %36 = arith.muli %34, %35 : tensor<128x1xi32, #blocked>
    %37 = tt.expand_dims %33 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %38 = tt.broadcast %36 : tensor<128x1xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %39 = tt.broadcast %37 : tensor<1x64xi32, #blocked> -> tensor<128x64xi32, #blocked>
    %40 = arith.addi %38, %39 : tensor<128x64xi32, #blocked>
    %41 = tt.splat %arg0 : !tt.ptr<f8E4M3FN> -> tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked>
    %42 = tt.addptr %41, %40 : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked>, tensor<128x64xi32, #blocked>
    %43 = tt.expand_dims %32 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<64x1xi32, #linear>
    %44 = tt.splat %arg7 : i32 -> tensor<64x1xi32, #linear>
    %45 = arith.muli %43, %44 : tensor<64x1xi32, #linear>
    %46 = tt.expand_dims %31 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #linear}>> -> tensor<1x128xi32, #linear>
    %47 = tt.broadcast %45 : tensor<64x1xi32, #linear> -> tensor<64x128xi32, #linear>
    %48 = tt.broadcast %46 : tensor<1x128xi32, #linear> -> tensor<64x128xi32, #linear>
    %49 = arith.addi %47, %48 : tensor<64x128xi32, #linear>
    %50 = tt.splat %arg1 : !tt.ptr<f8E4M3FN> -> tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>
    %51 = tt.addptr %50, %49 : tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>, tensor<64x128xi32, #linear>
    %52 = arith.addi %arg5, %c63_i32 : i32
    %53 = arith.divsi %52, %c64_i32 : i32
    %54 = arith.muli %arg7, %c64_i32 : i32
    %55 = tt.splat %54 : i32 -> tensor<64x128xi32, #linear>
    %56 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x128x64xf8E4M3FN, #shared, #smem, mutable>
    %57 = tt.splat %arg5 : i32 -> tensor<1x64xi32, #blocked>
    %58 = arith.cmpi slt, %37, %57 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %59 = tt.broadcast %58 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %60 = ttg.memdesc_index %56[%c0_i32] : !ttg.memdesc<3x128x64xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem, mutable>
    %61 = arith.cmpi sgt, %53, %c0_i32 : i32
    %62 = tt.splat %61 : i1 -> tensor<128x64xi1, #blocked>
    %63 = arith.andi %62, %59 : tensor<128x64xi1, #blocked>
    %64 = ttg.async_copy_global_to_local %42, %60 mask %63 other %cst_0 {contiguity = 16 : i32, tk.vector = 16 : i32} : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked> -> <128x64xf8E4M3FN, #shared, #smem, mutable>
    %65 = ttg.async_commit_group tokens %64
    %66 = tt.addptr %42, %cst : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked>, tensor<128x64xi32, #blocked>
    %67 = tt.splat %arg5 : i32 -> tensor<64x1xi32, #linear>
    %68 = arith.cmpi slt, %43, %67 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #linear>
    %69 = tt.broadcast %68 : tensor<64x1xi1, #linear> -> tensor<64x128xi1, #linear>
    %70 = tt.splat %61 : i1 -> tensor<64x128xi1, #linear>
    %71 = arith.andi %70, %69 : tensor<64x128xi1, #linear>
    %72 = tt.load %51, %71, %cst_1 {tk.vector = 16 : i32} : tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>
    %73 = tt.addptr %51, %55 : tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>, tensor<64x128xi32, #linear>
    %74 = arith.subi %arg5, %c64_i32 : i32
    %75 = tt.splat %74 : i32 -> tensor<1x64xi32, #blocked>
    %76 = arith.cmpi slt, %37, %75 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %77 = tt.broadcast %76 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
    %78 = ttg.memdesc_index %56[%c1_i32] : !ttg.memdesc<3x128x64xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem, mutable>
    %79 = arith.cmpi sgt, %53, %c1_i32 : i32
    %80 = tt.splat %79 : i1 -> tensor<128x64xi1, #blocked>
    %81 = arith.andi %80, %77 : tensor<128x64xi1, #blocked>
    %82 = ttg.async_copy_global_to_local %66, %78 mask %81 other %cst_0 {contiguity = 16 : i32, tk.behind_loads, tk.vector = 16 : i32} : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked> -> <128x64xf8E4M3FN, #shared, #smem, mutable>
    %83 = ttg.async_commit_group tokens %82
    %84 = tt.addptr %66, %cst : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked>, tensor<128x64xi32, #blocked>
    %85 = arith.subi %53, %c1_i32 : i32
    %86 = arith.subi %53, %c2_i32 : i32
    %87:9 = scf.for %arg9 = %c0_i32 to %53 step %c1_i32 iter_args(%arg10 = %cst_2, %arg11 = %c-1_i32, %arg12 = %83, %arg13 = %65, %arg14 = %72, %arg15 = %74, %arg16 = %73, %arg17 = %c1_i32, %arg18 = %84) -> (tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, tensor<64x128xf8E4M3FN, #linear>, i32, tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>, i32, tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked>)  : i32 {
      %107 = arith.addi %arg11, %c1_i32 : i32
      %108 = arith.cmpi sge, %107, %c3_i32 : i32
      %109 = arith.select %108, %c0_i32, %107 : i32
      %110 = ttg.async_wait %arg13 {num = 1 : i32}
      %111 = ttg.memdesc_index %56[%109] : !ttg.memdesc<3x128x64xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem, mutable>
      gpu.barrier
      %112 = ttg.local_alloc %arg14 {allocation.offset = 24576 : i32, tk.allocation_size = 8192 : i32} : (tensor<64x128xf8E4M3FN, #linear>) -> !ttg.memdesc<64x128xf8E4M3FN, #shared1, #smem>
      ttng.fence_async_shared {bCluster = false}
      gpu.barrier
      %113 = ttng.warp_group_dot %111, %112, %arg10 {inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 1073741824 : i32} : !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem, mutable> * !ttg.memdesc<64x128xf8E4M3FN, #shared1, #smem> -> tensor<128x128xf32, #mma>
      %114:3 = ttng.warp_group_dot_wait %113, %111, %112 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem, mutable>, !ttg.memdesc<64x128xf8E4M3FN, #shared1, #smem>
      %115 = tt.splat %arg15 : i32 -> tensor<64x1xi32, #linear>
      %116 = arith.cmpi slt, %43, %115 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #linear>
      %117 = tt.broadcast %116 : tensor<64x1xi1, #linear> -> tensor<64x128xi1, #linear>
      %118 = arith.cmpi slt, %arg9, %85 : i32
      %119 = tt.splat %118 : i1 -> tensor<64x128xi1, #linear>
      %120 = arith.andi %119, %117 : tensor<64x128xi1, #linear>
      %121 = tt.load %arg16, %120, %cst_1 {tk.vector = 16 : i32} : tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>
      %122 = tt.addptr %arg16, %55 : tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>, tensor<64x128xi32, #linear>
      %123 = arith.addi %arg17, %c1_i32 : i32
      %124 = arith.cmpi sge, %123, %c3_i32 : i32
      %125 = arith.select %124, %c0_i32, %123 : i32
      %126 = arith.addi %arg9, %c2_i32 : i32
      %127 = arith.muli %126, %c64_i32 : i32
      %128 = arith.subi %arg5, %127 : i32
      %129 = tt.splat %128 : i32 -> tensor<1x64xi32, #blocked>
      %130 = arith.cmpi slt, %37, %129 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
      %131 = tt.broadcast %130 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %132 = ttg.memdesc_index %56[%125] : !ttg.memdesc<3x128x64xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x64xf8E4M3FN, #shared, #smem, mutable>
      %133 = arith.cmpi slt, %arg9, %86 : i32
      %134 = tt.splat %133 : i1 -> tensor<128x64xi1, #blocked>
      %135 = arith.andi %134, %131 : tensor<128x64xi1, #blocked>
      %136 = ttg.async_copy_global_to_local %arg18, %132 mask %135 other %cst_0 {contiguity = 16 : i32, tk.behind_loads, tk.skippable, tk.vector = 16 : i32} : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked> -> <128x64xf8E4M3FN, #shared, #smem, mutable>
      %137 = ttg.async_commit_group tokens %136
      %138 = tt.addptr %arg18, %cst : tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked>, tensor<128x64xi32, #blocked>
      scf.yield %114#0, %109, %137, %arg12, %121, %128, %122, %125, %138 : tensor<128x128xf32, #mma>, i32, !ttg.async.token, !ttg.async.token, tensor<64x128xf8E4M3FN, #linear>, i32, tensor<64x128x!tt.ptr<f8E4M3FN>, #linear>, i32, tensor<128x64x!tt.ptr<f8E4M3FN>, #blocked>
    }
    %88 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %56 : !ttg.memdesc<3x128x64xf8E4M3FN, #shared, #smem, mutable>
    %89 = arith.truncf %87#0 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    %90 = tt.expand_dims %21 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %91 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %92 = arith.muli %91, %90 : tensor<128x1xi32, #blocked1>
    %93 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked1>
    %94 = tt.addptr %93, %92 : tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>
    %95 = tt.expand_dims %28 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %96 = tt.broadcast %94 : tensor<128x1x!tt.ptr<f16>, #blocked1> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
    %97 = tt.broadcast %95 : tensor<1x128xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %98 = tt.addptr %96, %97 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %99 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %100 = arith.cmpi slt, %90, %99 {tk.constancy = array<i32: 16, 1>} : tensor<128x1xi32, #blocked1>
    %101 = tt.splat %arg4 : i32 -> tensor<1x128xi32, #blocked1>
    %102 = arith.cmpi slt, %95, %101 {tk.constancy = array<i32: 1, 16>} : tensor<1x128xi32, #blocked1>
    %103 = tt.broadcast %100 : tensor<128x1xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %104 = tt.broadcast %102 : tensor<1x128xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %105 = arith.andi %103, %104 : tensor<128x128xi1, #blocked1>
    gpu.barrier
    %106 = ttg.convert_layout %89 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked1>
    tt.store %98, %106, %105 {tk.vector = 8 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

