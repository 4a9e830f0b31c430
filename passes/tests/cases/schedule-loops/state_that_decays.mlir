// passes: assign-latencies,schedule-loops,pipeline
// counts: ttg.convert_layout 0, ttg.async_copy_global_to_local 6, ttg.local_load 1, tt.load 2
// What scales the accumulator is loaded one iteration ahead, into registers; a block that is computed with is read as the product has it.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @states(%gp: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %kp: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %vp: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %out: tensor<64x32x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %two = arith.constant dense<2.000000e+00> : tensor<64x32xf32, #mma>
    %stride = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %stride1 = arith.constant dense<32> : tensor<64x1xi32, #blocked>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %krow = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %kcol = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %vrow = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %vcol = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %krow1 = tt.expand_dims %krow {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %krow2 = arith.muli %krow1, %stride : tensor<64x1xi32, #blocked1>
    %krow3 = tt.broadcast %krow2 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %kcol1 = tt.expand_dims %kcol {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %kcol2 = tt.broadcast %kcol1 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %koffset = arith.addi %krow3, %kcol2 : tensor<64x64xi32, #blocked1>
    %vrow1 = tt.expand_dims %vrow {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %vrow2 = arith.muli %vrow1, %stride1 : tensor<64x1xi32, #blocked>
    %vrow3 = tt.broadcast %vrow2 : tensor<64x1xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %vcol1 = tt.expand_dims %vcol {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x32xi32, #blocked>
    %vcol2 = tt.broadcast %vcol1 : tensor<1x32xi32, #blocked> -> tensor<64x32xi32, #blocked>
    %voffset = arith.addi %vrow3, %vcol2 : tensor<64x32xi32, #blocked>
    %state = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x32xf32, #mma>) : i32 {
      %first = arith.muli %i, %c64 : i32
      %gi = tt.addptr %gp, %first : !tt.ptr<f32>, i32
      %gs = tt.splat %gi : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %gq = tt.addptr %gs, %row : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %g = tt.load %gq : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %g1 = tt.expand_dims %g {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %g2 = tt.broadcast %g1 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %decayed = arith.mulf %acc, %g2 : tensor<64x32xf32, #mma>
      %many = arith.muli %first, %c64 : i32
      %ki = tt.addptr %kp, %many : !tt.ptr<bf16>, i32
      %ks = tt.splat %ki : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %kq = tt.addptr %ks, %koffset : tensor<64x64x!tt.ptr<bf16>, #blocked1>, tensor<64x64xi32, #blocked1>
      %k = tt.load %kq : tensor<64x64x!tt.ptr<bf16>, #blocked1>
      %left = ttg.local_alloc %k : (tensor<64x64xbf16, #blocked1>) -> !ttg.memdesc<64x64xbf16, #shared, #smem>
      %vi = tt.addptr %vp, %many : !tt.ptr<bf16>, i32
      %vs = tt.splat %vi : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>, #blocked>
      %vq = tt.addptr %vs, %voffset : tensor<64x32x!tt.ptr<bf16>, #blocked>, tensor<64x32xi32, #blocked>
      %v = tt.load %vq : tensor<64x32x!tt.ptr<bf16>, #blocked>
      %moved = ttg.convert_layout %v : tensor<64x32xbf16, #blocked> -> tensor<64x32xbf16, #mma>
      %wide = arith.extf %moved : tensor<64x32xbf16, #mma> to tensor<64x32xf32, #mma>
      %doubled = arith.mulf %wide, %two : tensor<64x32xf32, #mma>
      %small = arith.truncf %doubled : tensor<64x32xf32, #mma> to tensor<64x32xbf16, #mma>
      %right = ttg.local_alloc %small : (tensor<64x32xbf16, #mma>) -> !ttg.memdesc<64x32xbf16, #shared1, #smem>
      %next = ttng.warp_group_dot %left, %right, %decayed : !ttg.memdesc<64x64xbf16, #shared, #smem> * !ttg.memdesc<64x32xbf16, #shared1, #smem> -> tensor<64x32xf32, #mma>
      scf.yield %next : tensor<64x32xf32, #mma>
    }
    tt.store %out, %state : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#shared2 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @states(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg3: tensor<64x32x!tt.ptr<f32>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma>
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x32xf32, #mma>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_2 = arith.constant dense<32> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %6 = arith.muli %5, %cst_1 : tensor<64x1xi32, #blocked>
    %7 = tt.broadcast %6 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %8 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %9 = tt.broadcast %8 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %10 = arith.addi %7, %9 : tensor<64x64xi32, #blocked>
    %11 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %12 = arith.muli %11, %cst_2 : tensor<64x1xi32, #blocked1>
    %13 = tt.broadcast %12 : tensor<64x1xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %14 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %15 = tt.broadcast %14 : tensor<1x32xi32, #blocked1> -> tensor<64x32xi32, #blocked1>
    %16 = arith.addi %13, %15 : tensor<64x32xi32, #blocked1>
    %c-1_i32 = arith.constant -1 : i32
    %c-1_i32_3 = arith.constant -1 : i32
    %17 = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xbf16, #shared, #smem, mutable>
    %c-1_i32_4 = arith.constant -1 : i32
    %c-1_i32_5 = arith.constant -1 : i32
    %18 = ttg.local_alloc : () -> !ttg.memdesc<2x64x32xbf16, #shared1, #smem, mutable>
    %c1_i32_6 = arith.constant 1 : i32
    %c0_i32_7 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %19 = arith.addi %c-1_i32_4, %c1_i32_6 : i32
    %20 = arith.cmpi sge, %19, %c2_i32 : i32
    %21 = arith.select %20, %c0_i32_7, %19 : i32
    %c1_i32_8 = arith.constant 1 : i32
    %c0_i32_9 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %22 = arith.addi %c-1_i32, %c1_i32_8 : i32
    %23 = arith.cmpi sge, %22, %c3_i32 : i32
    %24 = arith.select %23, %c0_i32_9, %22 : i32
    %25 = arith.muli %c0_i32, %c64_i32 : i32
    %26 = arith.muli %25, %c64_i32 : i32
    %27 = tt.addptr %arg1, %26 : !tt.ptr<bf16>, i32
    %28 = tt.splat %27 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
    %29 = tt.addptr %28, %10 : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
    %30 = ttg.memdesc_index %17[%24] : !ttg.memdesc<3x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %31 = arith.cmpi slt, %c0_i32, %arg4 : i32
    %32 = tt.splat %31 : i1 -> tensor<64x64xi1, #blocked>
    %33 = ttg.async_copy_global_to_local %29, %30 mask %32 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, #shared, #smem, mutable>
    %34 = ttg.async_commit_group tokens %33
    %35 = tt.addptr %arg2, %26 : !tt.ptr<bf16>, i32
    %36 = tt.splat %35 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>, #blocked1>
    %37 = tt.addptr %36, %16 : tensor<64x32x!tt.ptr<bf16>, #blocked1>, tensor<64x32xi32, #blocked1>
    %38 = ttg.memdesc_index %18[%21] : !ttg.memdesc<2x64x32xbf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x32xbf16, #shared1, #smem, mutable>
    %39 = tt.splat %31 : i1 -> tensor<64x32xi1, #blocked1>
    %40 = ttg.async_copy_global_to_local %37, %38 mask %39 {contiguity = 8 : i32} : tensor<64x32x!tt.ptr<bf16>, #blocked1> -> <64x32xbf16, #shared1, #smem, mutable>
    %41 = ttg.async_commit_group tokens %40
    %42 = tt.addptr %arg0, %25 : !tt.ptr<f32>, i32
    %43 = tt.splat %42 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    %44 = tt.addptr %43, %0 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %45 = tt.splat %31 : i1 -> tensor<64xi1, #ttg.slice<{dim = 1, parent = #mma}>>
    %46 = tt.load %44, %45 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    %c1_i32_10 = arith.constant 1 : i32
    %c0_i32_11 = arith.constant 0 : i32
    %c2_i32_12 = arith.constant 2 : i32
    %47 = arith.addi %21, %c1_i32_10 : i32
    %48 = arith.cmpi sge, %47, %c2_i32_12 : i32
    %49 = arith.select %48, %c0_i32_11, %47 : i32
    %c1_i32_13 = arith.constant 1 : i32
    %c0_i32_14 = arith.constant 0 : i32
    %c3_i32_15 = arith.constant 3 : i32
    %50 = arith.addi %24, %c1_i32_13 : i32
    %51 = arith.cmpi sge, %50, %c3_i32_15 : i32
    %52 = arith.select %51, %c0_i32_14, %50 : i32
    %c1_i32_16 = arith.constant 1 : i32
    %53 = arith.addi %c0_i32, %c1_i32_16 : i32
    %54 = arith.muli %53, %c64_i32 : i32
    %55 = arith.muli %54, %c64_i32 : i32
    %56 = tt.addptr %arg1, %55 : !tt.ptr<bf16>, i32
    %57 = tt.splat %56 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
    %58 = tt.addptr %57, %10 : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
    %59 = ttg.memdesc_index %17[%52] : !ttg.memdesc<3x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
    %c1_i32_17 = arith.constant 1 : i32
    %60 = arith.addi %c0_i32, %c1_i32_17 : i32
    %61 = arith.cmpi slt, %60, %arg4 : i32
    %62 = tt.splat %61 : i1 -> tensor<64x64xi1, #blocked>
    %63 = ttg.async_copy_global_to_local %58, %59 mask %62 {contiguity = 8 : i32} : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, #shared, #smem, mutable>
    %64 = ttg.async_commit_group tokens %63
    %65 = tt.addptr %arg2, %55 : !tt.ptr<bf16>, i32
    %66 = tt.splat %65 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>, #blocked1>
    %67 = tt.addptr %66, %16 : tensor<64x32x!tt.ptr<bf16>, #blocked1>, tensor<64x32xi32, #blocked1>
    %68 = ttg.memdesc_index %18[%49] : !ttg.memdesc<2x64x32xbf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x32xbf16, #shared1, #smem, mutable>
    %69 = tt.splat %61 : i1 -> tensor<64x32xi1, #blocked1>
    %70 = ttg.async_copy_global_to_local %67, %68 mask %69 {contiguity = 8 : i32} : tensor<64x32x!tt.ptr<bf16>, #blocked1> -> <64x32xbf16, #shared1, #smem, mutable>
    %71 = ttg.async_commit_group tokens %70
    %c1_i32_18 = arith.constant 1 : i32
    %72 = arith.subi %arg4, %c1_i32_18 : i32
    %c2_i32_19 = arith.constant 2 : i32
    %73 = arith.subi %arg4, %c2_i32_19 : i32
    %74:11 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst, %arg7 = %c-1_i32_5, %arg8 = %c-1_i32_3, %arg9 = %46, %arg10 = %64, %arg11 = %34, %arg12 = %71, %arg13 = %41, %arg14 = %54, %arg15 = %49, %arg16 = %52) -> (tensor<64x32xf32, #mma>, i32, i32, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, i32)  : i32 {
      %c1_i32_20 = arith.constant 1 : i32
      %c0_i32_21 = arith.constant 0 : i32
      %c2_i32_22 = arith.constant 2 : i32
      %76 = arith.addi %arg7, %c1_i32_20 : i32
      %77 = arith.cmpi sge, %76, %c2_i32_22 : i32
      %78 = arith.select %77, %c0_i32_21, %76 : i32
      %c1_i32_23 = arith.constant 1 : i32
      %c0_i32_24 = arith.constant 0 : i32
      %c3_i32_25 = arith.constant 3 : i32
      %79 = arith.addi %arg8, %c1_i32_23 : i32
      %80 = arith.cmpi sge, %79, %c3_i32_25 : i32
      %81 = arith.select %80, %c0_i32_24, %79 : i32
      %82 = tt.expand_dims %arg9 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #mma>
      %83 = tt.broadcast %82 : tensor<64x1xf32, #mma> -> tensor<64x32xf32, #mma>
      %84 = arith.mulf %arg6, %83 : tensor<64x32xf32, #mma>
      %85 = ttg.async_wait %arg11, %arg13 {num = 2 : i32}
      %86 = ttg.memdesc_index %17[%81] : !ttg.memdesc<3x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      %87 = ttg.memdesc_index %18[%78] : !ttg.memdesc<2x64x32xbf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x32xbf16, #shared1, #smem, mutable>
      %88 = ttg.local_load %87 : !ttg.memdesc<64x32xbf16, #shared1, #smem, mutable> -> tensor<64x32xbf16, #mma>
      %89 = arith.extf %88 : tensor<64x32xbf16, #mma> to tensor<64x32xf32, #mma>
      %90 = arith.mulf %89, %cst_0 : tensor<64x32xf32, #mma>
      %91 = arith.truncf %90 : tensor<64x32xf32, #mma> to tensor<64x32xbf16, #mma>
      %92 = ttg.local_alloc %91 : (tensor<64x32xbf16, #mma>) -> !ttg.memdesc<64x32xbf16, #shared2, #smem>
      %93 = ttng.warp_group_dot %86, %92, %84 {isAsync = true} : !ttg.memdesc<64x64xbf16, #shared, #smem, mutable> * !ttg.memdesc<64x32xbf16, #shared2, #smem> -> tensor<64x32xf32, #mma>
      %94:3 = ttng.warp_group_dot_wait %93, %86, %92 {pendings = 0 : i32} : tensor<64x32xf32, #mma>, !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xbf16, #shared2, #smem>
      %95 = tt.addptr %arg0, %arg14 : !tt.ptr<f32>, i32
      %96 = tt.splat %95 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %97 = tt.addptr %96, %0 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
      %98 = arith.cmpi slt, %arg5, %72 : i32
      %99 = tt.splat %98 : i1 -> tensor<64xi1, #ttg.slice<{dim = 1, parent = #mma}>>
      %100 = tt.load %97, %99 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %c1_i32_26 = arith.constant 1 : i32
      %c0_i32_27 = arith.constant 0 : i32
      %c2_i32_28 = arith.constant 2 : i32
      %101 = arith.addi %arg15, %c1_i32_26 : i32
      %102 = arith.cmpi sge, %101, %c2_i32_28 : i32
      %103 = arith.select %102, %c0_i32_27, %101 : i32
      %c1_i32_29 = arith.constant 1 : i32
      %c0_i32_30 = arith.constant 0 : i32
      %c3_i32_31 = arith.constant 3 : i32
      %104 = arith.addi %arg16, %c1_i32_29 : i32
      %105 = arith.cmpi sge, %104, %c3_i32_31 : i32
      %106 = arith.select %105, %c0_i32_30, %104 : i32
      %c2_i32_32 = arith.constant 2 : i32
      %107 = arith.addi %arg5, %c2_i32_32 : i32
      %108 = arith.muli %107, %c64_i32 : i32
      %109 = arith.muli %108, %c64_i32 : i32
      %110 = tt.addptr %arg1, %109 : !tt.ptr<bf16>, i32
      %111 = tt.splat %110 : !tt.ptr<bf16> -> tensor<64x64x!tt.ptr<bf16>, #blocked>
      %112 = tt.addptr %111, %10 : tensor<64x64x!tt.ptr<bf16>, #blocked>, tensor<64x64xi32, #blocked>
      %113 = ttg.memdesc_index %17[%106] : !ttg.memdesc<3x64x64xbf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xbf16, #shared, #smem, mutable>
      %114 = arith.cmpi slt, %arg5, %73 : i32
      %115 = tt.splat %114 : i1 -> tensor<64x64xi1, #blocked>
      %116 = ttg.async_copy_global_to_local %112, %113 mask %115 {contiguity = 8 : i32, tk.skippable} : tensor<64x64x!tt.ptr<bf16>, #blocked> -> <64x64xbf16, #shared, #smem, mutable>
      %117 = ttg.async_commit_group tokens %116
      %118 = tt.addptr %arg2, %109 : !tt.ptr<bf16>, i32
      %119 = tt.splat %118 : !tt.ptr<bf16> -> tensor<64x32x!tt.ptr<bf16>, #blocked1>
      %120 = tt.addptr %119, %16 : tensor<64x32x!tt.ptr<bf16>, #blocked1>, tensor<64x32xi32, #blocked1>
      %121 = ttg.memdesc_index %18[%103] : !ttg.memdesc<2x64x32xbf16, #shared1, #smem, mutable> -> !ttg.memdesc<64x32xbf16, #shared1, #smem, mutable>
      %122 = tt.splat %114 : i1 -> tensor<64x32xi1, #blocked1>
      %123 = ttg.async_copy_global_to_local %120, %121 mask %122 {contiguity = 8 : i32, tk.skippable} : tensor<64x32x!tt.ptr<bf16>, #blocked1> -> <64x32xbf16, #shared1, #smem, mutable>
      %124 = ttg.async_commit_group tokens %123
      scf.yield %94#0, %78, %81, %100, %117, %arg10, %124, %arg12, %108, %103, %106 : tensor<64x32xf32, #mma>, i32, i32, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, i32
    }
    %75 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %18 : !ttg.memdesc<2x64x32xbf16, #shared1, #smem, mutable>
    ttg.local_dealloc %17 : !ttg.memdesc<3x64x64xbf16, #shared, #smem, mutable>
    tt.store %arg3, %74#0 : tensor<64x32x!tt.ptr<f32>, #mma>
    tt.return
  }
}

