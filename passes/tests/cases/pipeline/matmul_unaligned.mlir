// passes: tt,ttg,llvm
// warps: 8
// stages: 3
// trips: arg5 64
module {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32) attributes {noinline = false} {
    %c63_i32 = arith.constant 63 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x128xf16>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128x64xf16>
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
    %33 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %34 = tt.addptr %33, %32 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %35 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %36 = tt.splat %arg7 : i32 -> tensor<64x1xi32>
    %37 = arith.muli %35, %36 : tensor<64x1xi32>
    %38 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %39 = tt.broadcast %37 : tensor<64x1xi32> -> tensor<64x128xi32>
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
      %75 = tt.addptr %arg10, %cst_2 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %76 = arith.muli %arg7, %c64_i32 : i32
      %77 = tt.splat %76 : i32 -> tensor<64x128xi32>
      %78 = tt.addptr %arg11, %77 : tensor<64x128x!tt.ptr<f16>>, tensor<64x128xi32>
      scf.yield %75, %78, %74 : tensor<128x64x!tt.ptr<f16>>, tensor<64x128x!tt.ptr<f16>>, tensor<128x128xf32>
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
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 4], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 32768 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @mm(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32) attributes {noinline = false} {
    %c8_i32 = arith.constant 8 : i32
    %c128_i32 = arith.constant 128 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<128x64xi32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<64x128xf16, #blocked1>
    %c127_i32 = arith.constant 127 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c63_i32 = arith.constant 63 : i32
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
    %29 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %30 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %31 = tt.expand_dims %23 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi32, #blocked>
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
    %43 = tt.expand_dims %28 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %44 = tt.broadcast %42 : tensor<64x1xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %45 = tt.broadcast %43 : tensor<1x128xi32, #blocked1> -> tensor<64x128xi32, #blocked1>
    %46 = arith.addi %44, %45 : tensor<64x128xi32, #blocked1>
    %47 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<64x128x!tt.ptr<f16>, #blocked1>
    %48 = tt.addptr %47, %46 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
    %49 = arith.addi %arg5, %c63_i32 : i32
    %50 = arith.divsi %49, %c64_i32 : i32
    %51 = arith.muli %arg7, %c64_i32 : i32
    %52 = tt.splat %51 : i32 -> tensor<64x128xi32, #blocked1>
    %53:3 = scf.for %arg9 = %c0_i32 to %50 step %c1_i32 iter_args(%arg10 = %39, %arg11 = %48, %arg12 = %cst_2) -> (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xf32, #mma>)  : i32 {
      %72 = arith.muli %arg9, %c64_i32 : i32
      %73 = arith.subi %arg5, %72 : i32
      %74 = tt.splat %73 : i32 -> tensor<1x64xi32, #blocked>
      %75 = arith.cmpi slt, %34, %74 : tensor<1x64xi32, #blocked>
      %76 = tt.broadcast %75 : tensor<1x64xi1, #blocked> -> tensor<128x64xi1, #blocked>
      %77 = tt.load %arg10, %76, %cst_0 {tk.vector = 1 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked>
      %78 = tt.splat %73 : i32 -> tensor<64x1xi32, #blocked1>
      %79 = arith.cmpi slt, %40, %78 : tensor<64x1xi32, #blocked1>
      %80 = tt.broadcast %79 : tensor<64x1xi1, #blocked1> -> tensor<64x128xi1, #blocked1>
      %81 = tt.load %arg11, %80, %cst_1 {tk.vector = 1 : i32} : tensor<64x128x!tt.ptr<f16>, #blocked1>
      gpu.barrier
      %82 = ttg.local_alloc %77 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32} : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
      %83 = ttg.local_alloc %81 {allocation.offset = 16384 : i32, tk.allocation_size = 16384 : i32} : (tensor<64x128xf16, #blocked1>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
      ttng.fence_async_shared {bCluster = false}
      gpu.barrier
      %84 = ttng.warp_group_dot %82, %83, %arg12 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
      %85:3 = ttng.warp_group_dot_wait %84, %82, %83 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x128xf16, #shared, #smem>
      %86 = tt.addptr %arg10, %cst : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>
      %87 = tt.addptr %arg11, %52 : tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<64x128xi32, #blocked1>
      scf.yield %86, %87, %85#0 : tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<64x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xf32, #mma>
    }
    %54 = arith.truncf %53#2 : tensor<128x128xf32, #mma> to tensor<128x128xf16, #mma>
    gpu.barrier
    %55 = ttg.convert_layout %54 {allocation.offset = 0 : i32, tk.allocation_size = 32768 : i32} : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #blocked1>
    %56 = tt.expand_dims %20 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi32, #blocked1>
    %57 = tt.splat %arg8 : i32 -> tensor<128x1xi32, #blocked1>
    %58 = arith.muli %57, %56 : tensor<128x1xi32, #blocked1>
    %59 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #blocked1>
    %60 = tt.addptr %59, %58 : tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>
    %61 = tt.expand_dims %26 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi32, #blocked1>
    %62 = tt.broadcast %60 : tensor<128x1x!tt.ptr<f16>, #blocked1> -> tensor<128x128x!tt.ptr<f16>, #blocked1>
    %63 = tt.broadcast %61 : tensor<1x128xi32, #blocked1> -> tensor<128x128xi32, #blocked1>
    %64 = tt.addptr %62, %63 : tensor<128x128x!tt.ptr<f16>, #blocked1>, tensor<128x128xi32, #blocked1>
    %65 = tt.splat %arg3 : i32 -> tensor<128x1xi32, #blocked1>
    %66 = arith.cmpi slt, %56, %65 : tensor<128x1xi32, #blocked1>
    %67 = tt.splat %arg4 : i32 -> tensor<1x128xi32, #blocked1>
    %68 = arith.cmpi slt, %61, %67 : tensor<1x128xi32, #blocked1>
    %69 = tt.broadcast %66 : tensor<128x1xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %70 = tt.broadcast %68 : tensor<1x128xi1, #blocked1> -> tensor<128x128xi1, #blocked1>
    %71 = arith.andi %69, %70 : tensor<128x128xi1, #blocked1>
    tt.store %64, %55, %71 {tk.vector = 1 : i32} : tensor<128x128x!tt.ptr<f16>, #blocked1>
    tt.return
  }
}

