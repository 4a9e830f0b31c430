// passes: tt,ttg,llvm
// trips: arg3 32
module {
  tt.func public @colsum(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x128xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x128xf16>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<1.000000e+00> : tensor<32x128xf32>
    %c64_i32 = arith.constant 64 : i32
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<32xf32>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %6 = scf.for %arg5 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg6 = %cst) -> (tensor<32x128xf32>)  : i32 {
      %10 = tt.splat %arg5 : i32 -> tensor<32xi32>
      %11 = arith.addi %10, %5 : tensor<32xi32>
      %12 = tt.expand_dims %11 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %13 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
      %14 = arith.cmpi slt, %12, %13 : tensor<32x1xi32>
      %15 = tt.splat %arg4 : i32 -> tensor<32x1xi32>
      %16 = arith.muli %12, %15 : tensor<32x1xi32>
      %17 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
      %18 = tt.addptr %17, %16 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
      %19 = tt.expand_dims %4 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %20 = tt.broadcast %18 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x128x!tt.ptr<f16>>
      %21 = tt.broadcast %19 : tensor<1x128xi32> -> tensor<32x128xi32>
      %22 = tt.addptr %20, %21 : tensor<32x128x!tt.ptr<f16>>, tensor<32x128xi32>
      %23 = tt.broadcast %14 : tensor<32x1xi1> -> tensor<32x128xi1>
      %24 = tt.load %22, %23, %cst_0 : tensor<32x128x!tt.ptr<f16>>
      %25 = tt.splat %arg3 : i32 -> tensor<32xi32>
      %26 = arith.cmpi slt, %11, %25 : tensor<32xi32>
      %27 = tt.addptr %arg1, %arg5 : !tt.ptr<f32>, i32
      %28 = tt.splat %27 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
      %29 = tt.addptr %28, %5 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      %30 = tt.load %29, %26, %cst_2 : tensor<32x!tt.ptr<f32>>
      %31 = arith.extf %24 : tensor<32x128xf16> to tensor<32x128xf32>
      %32 = tt.expand_dims %30 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %33 = tt.broadcast %32 : tensor<32x1xf32> -> tensor<32x128xf32>
      %34 = arith.mulf %31, %33 : tensor<32x128xf32>
      %35 = arith.addf %arg6, %34 : tensor<32x128xf32>
      %36 = arith.cmpi eq, %arg5, %c64_i32 : i32
      %37 = scf.if %36 -> (tensor<32x128xf32>) {
        %38 = arith.addf %35, %cst_1 : tensor<32x128xf32>
        scf.yield %38 : tensor<32x128xf32>
      } else {
        scf.yield %35 : tensor<32x128xf32>
      }
      scf.yield %37 : tensor<32x128xf32>
    } {tt.num_stages = 4 : i32}
    %7 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %9 = "tt.reduce"(%6) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %10 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %10 : f32
    }) : (tensor<32x128xf32>) -> tensor<128xf32>
    tt.store %8, %9 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 24576 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @colsum(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<1.000000e+00> : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<32x128xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<32x128xf16, #blocked>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<32x128xf32, #blocked>
    %c-1_i32 = arith.constant -1 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c96_i32 = arith.constant 96 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst_3 = arith.constant dense<32> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_4 = arith.constant dense<64> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #blocked1>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #blocked1>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked>
    %10 = tt.splat %arg4 : i32 -> tensor<32x1xi32, #blocked>
    %11 = tt.expand_dims %7 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %12 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<1x128x!tt.ptr<f16>, #blocked>
    %13 = tt.addptr %12, %11 : tensor<1x128x!tt.ptr<f16>, #blocked>, tensor<1x128xi32, #blocked>
    %14 = tt.broadcast %13 : tensor<1x128x!tt.ptr<f16>, #blocked> -> tensor<32x128x!tt.ptr<f16>, #blocked>
    %15 = tt.splat %arg3 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %16 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable>
    %17 = tt.expand_dims %8 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %18 = arith.cmpi slt, %17, %9 : tensor<32x1xi32, #blocked>
    %19 = arith.muli %17, %10 : tensor<32x1xi32, #blocked>
    %20 = tt.broadcast %19 : tensor<32x1xi32, #blocked> -> tensor<32x128xi32, #blocked>
    %21 = tt.addptr %14, %20 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
    %22 = tt.broadcast %18 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
    %23 = ttg.memdesc_index %16[%c0_i32] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
    %24 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %25 = tt.splat %24 : i1 -> tensor<32x128xi1, #blocked>
    %26 = arith.andi %25, %22 : tensor<32x128xi1, #blocked>
    %27 = ttg.async_copy_global_to_local %21, %23 mask %26 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
    %28 = ttg.async_commit_group tokens %27
    %29 = arith.addi %8, %cst_3 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %30 = tt.expand_dims %29 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %31 = arith.cmpi slt, %30, %9 : tensor<32x1xi32, #blocked>
    %32 = arith.muli %30, %10 : tensor<32x1xi32, #blocked>
    %33 = tt.broadcast %32 : tensor<32x1xi32, #blocked> -> tensor<32x128xi32, #blocked>
    %34 = tt.addptr %14, %33 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
    %35 = tt.broadcast %31 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
    %36 = ttg.memdesc_index %16[%c1_i32] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
    %37 = arith.cmpi sgt, %arg3, %c32_i32 : i32
    %38 = tt.splat %37 : i1 -> tensor<32x128xi1, #blocked>
    %39 = arith.andi %38, %35 : tensor<32x128xi1, #blocked>
    %40 = ttg.async_copy_global_to_local %34, %36 mask %39 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
    %41 = ttg.async_commit_group tokens %40
    %42 = arith.cmpi slt, %8, %15 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %43 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %44 = tt.addptr %43, %8 : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %45 = tt.splat %24 : i1 -> tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
    %46 = arith.andi %45, %42 : tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
    %47 = tt.load %44, %46, %cst {tk.vector = 1 : i32} : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %48 = arith.addi %8, %cst_4 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %49 = tt.expand_dims %48 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %50 = arith.cmpi slt, %49, %9 : tensor<32x1xi32, #blocked>
    %51 = arith.muli %49, %10 : tensor<32x1xi32, #blocked>
    %52 = tt.broadcast %51 : tensor<32x1xi32, #blocked> -> tensor<32x128xi32, #blocked>
    %53 = tt.addptr %14, %52 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
    %54 = tt.broadcast %50 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
    %55 = ttg.memdesc_index %16[%c2_i32] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
    %56 = arith.cmpi sgt, %arg3, %c64_i32 : i32
    %57 = tt.splat %56 : i1 -> tensor<32x128xi1, #blocked>
    %58 = arith.andi %57, %54 : tensor<32x128xi1, #blocked>
    %59 = ttg.async_copy_global_to_local %53, %55 mask %58 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
    %60 = ttg.async_commit_group tokens %59
    %61 = arith.subi %arg3, %c32_i32 : i32
    %62 = arith.subi %arg3, %c96_i32 : i32
    %63:9 = scf.for %arg5 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg6 = %cst_2, %arg7 = %48, %arg8 = %29, %arg9 = %c-1_i32, %arg10 = %60, %arg11 = %41, %arg12 = %28, %arg13 = %47, %arg14 = %c2_i32) -> (tensor<32x128xf32, #blocked>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32)  : i32 {
      %69 = arith.cmpi slt, %arg8, %15 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %70 = arith.addi %arg5, %c32_i32 : i32
      %71 = tt.addptr %arg1, %70 : !tt.ptr<f32>, i32
      %72 = tt.splat %71 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %73 = tt.addptr %72, %8 : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %74 = arith.cmpi slt, %arg5, %61 : i32
      %75 = tt.splat %74 : i1 -> tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
      %76 = arith.andi %75, %69 : tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
      %77 = tt.load %73, %76, %cst {tk.vector = 1 : i32} : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %78 = arith.addi %arg9, %c1_i32 : i32
      %79 = arith.cmpi sge, %78, %c3_i32 : i32
      %80 = arith.select %79, %c0_i32, %78 : i32
      %81 = ttg.async_wait %arg12 {num = 2 : i32}
      %82 = ttg.memdesc_index %16[%80] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
      gpu.barrier
      %83 = ttg.local_load %82 : !ttg.memdesc<32x128xf16, #shared, #smem, mutable> -> tensor<32x128xf16, #blocked>
      %84 = arith.extf %83 : tensor<32x128xf16, #blocked> to tensor<32x128xf32, #blocked>
      %85 = tt.expand_dims %arg13 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xf32, #blocked>
      %86 = tt.broadcast %85 : tensor<32x1xf32, #blocked> -> tensor<32x128xf32, #blocked>
      %87 = arith.mulf %84, %86 : tensor<32x128xf32, #blocked>
      %88 = arith.addf %arg6, %87 : tensor<32x128xf32, #blocked>
      %89 = arith.cmpi eq, %arg5, %c64_i32 : i32
      %90 = arith.addi %arg14, %c1_i32 : i32
      %91 = arith.cmpi sge, %90, %c3_i32 : i32
      %92 = arith.select %91, %c0_i32, %90 : i32
      %93 = arith.addi %arg5, %c96_i32 : i32
      %94 = tt.splat %93 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %95 = arith.addi %94, %8 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %96 = tt.expand_dims %95 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %97 = arith.cmpi slt, %96, %9 : tensor<32x1xi32, #blocked>
      %98 = arith.muli %96, %10 : tensor<32x1xi32, #blocked>
      %99 = tt.broadcast %98 : tensor<32x1xi32, #blocked> -> tensor<32x128xi32, #blocked>
      %100 = tt.addptr %14, %99 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
      %101 = tt.broadcast %97 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
      %102 = ttg.memdesc_index %16[%92] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
      %103 = arith.cmpi slt, %arg5, %62 : i32
      %104 = tt.splat %103 : i1 -> tensor<32x128xi1, #blocked>
      %105 = arith.andi %104, %101 : tensor<32x128xi1, #blocked>
      gpu.barrier
      %106 = ttg.async_copy_global_to_local %100, %102 mask %105 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
      %107 = ttg.async_commit_group tokens %106
      %108 = scf.if %89 -> (tensor<32x128xf32, #blocked>) {
        %109 = arith.addf %88, %cst_0 : tensor<32x128xf32, #blocked>
        scf.yield %109 : tensor<32x128xf32, #blocked>
      } else {
        scf.yield %88 : tensor<32x128xf32, #blocked>
      }
      scf.yield %108, %95, %arg7, %80, %107, %arg10, %arg11, %77, %92 : tensor<32x128xf32, #blocked>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32
    }
    %64 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %16 : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable>
    %65 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %66 = tt.addptr %65, %6 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    gpu.barrier
    %67 = "tt.reduce"(%63#0) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %69 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %69 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 2048 : i32} : (tensor<32x128xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %68 = ttg.convert_layout %67 {allocation.offset = 2048 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<128xf32, #blocked1>
    tt.store %66, %68 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

