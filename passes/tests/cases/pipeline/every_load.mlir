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
    %11 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %12 = tt.expand_dims %7 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %13 = tt.broadcast %12 : tensor<1x128xi32, #blocked> -> tensor<32x128xi32, #blocked>
    %14 = tt.splat %arg3 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 24576 : i32} : () -> !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable>
    %16 = tt.expand_dims %8 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %17 = arith.cmpi slt, %16, %9 : tensor<32x1xi32, #blocked>
    %18 = arith.muli %16, %10 : tensor<32x1xi32, #blocked>
    %19 = tt.addptr %11, %18 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %20 = tt.broadcast %19 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x128x!tt.ptr<f16>, #blocked>
    %21 = tt.addptr %20, %13 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
    %22 = tt.broadcast %17 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
    %23 = ttg.memdesc_index %15[%c0_i32] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
    %24 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %25 = tt.splat %24 : i1 -> tensor<32x128xi1, #blocked>
    %26 = arith.andi %25, %22 : tensor<32x128xi1, #blocked>
    %27 = ttg.async_copy_global_to_local %21, %23 mask %26 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
    %28 = ttg.async_commit_group tokens %27
    %29 = arith.addi %8, %cst_3 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %30 = tt.expand_dims %29 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %31 = arith.cmpi slt, %30, %9 : tensor<32x1xi32, #blocked>
    %32 = arith.muli %30, %10 : tensor<32x1xi32, #blocked>
    %33 = tt.addptr %11, %32 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %34 = tt.broadcast %33 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x128x!tt.ptr<f16>, #blocked>
    %35 = tt.addptr %34, %13 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
    %36 = tt.broadcast %31 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
    %37 = ttg.memdesc_index %15[%c1_i32] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
    %38 = arith.cmpi sgt, %arg3, %c32_i32 : i32
    %39 = tt.splat %38 : i1 -> tensor<32x128xi1, #blocked>
    %40 = arith.andi %39, %36 : tensor<32x128xi1, #blocked>
    %41 = ttg.async_copy_global_to_local %35, %37 mask %40 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
    %42 = ttg.async_commit_group tokens %41
    %43 = arith.cmpi slt, %8, %14 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %44 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %45 = tt.addptr %44, %8 : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %46 = tt.splat %24 : i1 -> tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
    %47 = arith.andi %46, %43 : tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
    %48 = tt.load %45, %47, %cst {tk.vector = 1 : i32} : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %49 = arith.addi %8, %cst_4 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %50 = tt.expand_dims %49 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %51 = arith.cmpi slt, %50, %9 : tensor<32x1xi32, #blocked>
    %52 = arith.muli %50, %10 : tensor<32x1xi32, #blocked>
    %53 = tt.addptr %11, %52 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
    %54 = tt.broadcast %53 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x128x!tt.ptr<f16>, #blocked>
    %55 = tt.addptr %54, %13 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
    %56 = tt.broadcast %51 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
    %57 = ttg.memdesc_index %15[%c2_i32] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
    %58 = arith.cmpi sgt, %arg3, %c64_i32 : i32
    %59 = tt.splat %58 : i1 -> tensor<32x128xi1, #blocked>
    %60 = arith.andi %59, %56 : tensor<32x128xi1, #blocked>
    %61 = ttg.async_copy_global_to_local %55, %57 mask %60 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
    %62 = ttg.async_commit_group tokens %61
    %63 = arith.subi %arg3, %c32_i32 : i32
    %64 = arith.subi %arg3, %c96_i32 : i32
    %65:9 = scf.for %arg5 = %c0_i32 to %arg3 step %c32_i32 iter_args(%arg6 = %cst_2, %arg7 = %49, %arg8 = %29, %arg9 = %c-1_i32, %arg10 = %62, %arg11 = %42, %arg12 = %28, %arg13 = %48, %arg14 = %c2_i32) -> (tensor<32x128xf32, #blocked>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32)  : i32 {
      %71 = arith.cmpi slt, %arg8, %14 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %72 = arith.addi %arg5, %c32_i32 : i32
      %73 = tt.addptr %arg1, %72 : !tt.ptr<f32>, i32
      %74 = tt.splat %73 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %75 = tt.addptr %74, %8 : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %76 = arith.cmpi slt, %arg5, %63 : i32
      %77 = tt.splat %76 : i1 -> tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
      %78 = arith.andi %77, %71 : tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>
      %79 = tt.load %75, %78, %cst {tk.vector = 1 : i32} : tensor<32x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %80 = arith.addi %arg9, %c1_i32 : i32
      %81 = arith.cmpi sge, %80, %c3_i32 : i32
      %82 = arith.select %81, %c0_i32, %80 : i32
      %83 = ttg.async_wait %arg12 {num = 2 : i32}
      %84 = ttg.memdesc_index %15[%82] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
      gpu.barrier
      %85 = ttg.local_load %84 : !ttg.memdesc<32x128xf16, #shared, #smem, mutable> -> tensor<32x128xf16, #blocked>
      %86 = arith.extf %85 : tensor<32x128xf16, #blocked> to tensor<32x128xf32, #blocked>
      %87 = tt.expand_dims %arg13 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xf32, #blocked>
      %88 = tt.broadcast %87 : tensor<32x1xf32, #blocked> -> tensor<32x128xf32, #blocked>
      %89 = arith.mulf %86, %88 : tensor<32x128xf32, #blocked>
      %90 = arith.addf %arg6, %89 : tensor<32x128xf32, #blocked>
      %91 = arith.cmpi eq, %arg5, %c64_i32 : i32
      %92 = arith.addi %arg14, %c1_i32 : i32
      %93 = arith.cmpi sge, %92, %c3_i32 : i32
      %94 = arith.select %93, %c0_i32, %92 : i32
      %95 = arith.addi %arg5, %c96_i32 : i32
      %96 = tt.splat %95 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %97 = arith.addi %96, %8 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %98 = tt.expand_dims %97 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %99 = arith.cmpi slt, %98, %9 : tensor<32x1xi32, #blocked>
      %100 = arith.muli %98, %10 : tensor<32x1xi32, #blocked>
      %101 = tt.addptr %11, %100 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %102 = tt.broadcast %101 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x128x!tt.ptr<f16>, #blocked>
      %103 = tt.addptr %102, %13 : tensor<32x128x!tt.ptr<f16>, #blocked>, tensor<32x128xi32, #blocked>
      %104 = tt.broadcast %99 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
      %105 = ttg.memdesc_index %15[%94] : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x128xf16, #shared, #smem, mutable>
      %106 = arith.cmpi slt, %arg5, %64 : i32
      %107 = tt.splat %106 : i1 -> tensor<32x128xi1, #blocked>
      %108 = arith.andi %107, %104 : tensor<32x128xi1, #blocked>
      gpu.barrier
      %109 = ttg.async_copy_global_to_local %103, %105 mask %108 other %cst_1 {contiguity = 8 : i32, tk.vector = 8 : i32} : tensor<32x128x!tt.ptr<f16>, #blocked> -> <32x128xf16, #shared, #smem, mutable>
      %110 = ttg.async_commit_group tokens %109
      %111 = scf.if %91 -> (tensor<32x128xf32, #blocked>) {
        %112 = arith.addf %90, %cst_0 : tensor<32x128xf32, #blocked>
        scf.yield %112 : tensor<32x128xf32, #blocked>
      } else {
        scf.yield %90 : tensor<32x128xf32, #blocked>
      }
      scf.yield %111, %97, %arg7, %82, %110, %arg10, %arg11, %79, %94 : tensor<32x128xf32, #blocked>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, i32
    }
    %66 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %15 : !ttg.memdesc<3x32x128xf16, #shared, #smem, mutable>
    %67 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %68 = tt.addptr %67, %6 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    gpu.barrier
    %69 = "tt.reduce"(%65#0) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %71 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %71 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 2048 : i32} : (tensor<32x128xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %70 = ttg.convert_layout %69 {allocation.offset = 2048 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<128xf32, #blocked1>
    tt.store %68, %70 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

