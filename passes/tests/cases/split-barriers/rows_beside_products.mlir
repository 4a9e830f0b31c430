// passes: tt,ttg,llvm
// warps: 8
// stages: 4
module {
  // Copies stand behind the first of two products, with the numbers of the rows; warps arrive behind the second.
  tt.func public @ends(%a_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %row_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %column_scales_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %N: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %K: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_am: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_bn: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_cm: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_rk: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %stride_ck: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c256_i32 = arith.constant 256 : i32
    %first_row = arith.muli %0, %c256_i32 : i32
    %1 = tt.get_program_id y : i32
    %c128_i32 = arith.constant 128 : i32
    %first_column = arith.muli %1, %c128_i32 : i32
    %2 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %3 = tt.splat %first_row : i32 -> tensor<256xi32>
    %rows = arith.addi %3, %2 : tensor<256xi32>
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %5 = tt.splat %first_column : i32 -> tensor<128xi32>
    %columns = arith.addi %5, %4 : tensor<128xi32>
    %depth = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %total = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
    %c127_i32 = arith.constant 127 : i32
    %6 = arith.addi %K, %c127_i32 : i32
    %c128_i32_0 = arith.constant 128 : i32
    %7 = arith.divsi %6, %c128_i32_0 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %total_1 = scf.for %total_2 = %c0_i32 to %7 step %c1_i32 iter_args(%total_3 = %total) -> (tensor<256x128xf32>)  : i32 {
      %c128_i32_4 = arith.constant 128 : i32
      %25 = arith.muli %total_2, %c128_i32_4 : i32
      %26 = tt.splat %25 : i32 -> tensor<128xi32>
      %along = arith.addi %26, %depth : tensor<128xi32>
      %27 = tt.splat %M : i32 -> tensor<256xi32>
      %28 = arith.remsi %rows, %27 : tensor<256xi32>
      %29 = tt.expand_dims %28 {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
      %30 = tt.splat %stride_am : i32 -> tensor<256x1xi32>
      %31 = arith.muli %29, %30 : tensor<256x1xi32>
      %32 = tt.splat %a_ptr : !tt.ptr<f8E4M3FN> -> tensor<256x1x!tt.ptr<f8E4M3FN>>
      %33 = tt.addptr %32, %31 : tensor<256x1x!tt.ptr<f8E4M3FN>>, tensor<256x1xi32>
      %34 = tt.expand_dims %along {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %35 = tt.broadcast %33 : tensor<256x1x!tt.ptr<f8E4M3FN>> -> tensor<256x128x!tt.ptr<f8E4M3FN>>
      %36 = tt.broadcast %34 : tensor<1x128xi32> -> tensor<256x128xi32>
      %37 = tt.addptr %35, %36 : tensor<256x128x!tt.ptr<f8E4M3FN>>, tensor<256x128xi32>
      %38 = tt.expand_dims %along {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %39 = tt.splat %K : i32 -> tensor<1x128xi32>
      %40 = arith.cmpi slt, %38, %39 : tensor<1x128xi32>
      %41 = tt.broadcast %40 : tensor<1x128xi1> -> tensor<256x128xi1>
      %cst = arith.constant 0.000000e+00 : f8E4M3FN
      %cst_5 = arith.constant dense<0.000000e+00> : tensor<256x128xf8E4M3FN>
      %a = tt.load %37, %41, %cst_5 : tensor<256x128x!tt.ptr<f8E4M3FN>>
      %42 = tt.splat %N : i32 -> tensor<128xi32>
      %43 = arith.remsi %columns, %42 : tensor<128xi32>
      %44 = tt.expand_dims %43 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
      %45 = tt.splat %stride_bn : i32 -> tensor<128x1xi32>
      %46 = arith.muli %44, %45 : tensor<128x1xi32>
      %47 = tt.splat %b_ptr : !tt.ptr<f8E4M3FN> -> tensor<128x1x!tt.ptr<f8E4M3FN>>
      %48 = tt.addptr %47, %46 : tensor<128x1x!tt.ptr<f8E4M3FN>>, tensor<128x1xi32>
      %49 = tt.expand_dims %along {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %50 = tt.broadcast %48 : tensor<128x1x!tt.ptr<f8E4M3FN>> -> tensor<128x128x!tt.ptr<f8E4M3FN>>
      %51 = tt.broadcast %49 : tensor<1x128xi32> -> tensor<128x128xi32>
      %52 = tt.addptr %50, %51 : tensor<128x128x!tt.ptr<f8E4M3FN>>, tensor<128x128xi32>
      %53 = tt.expand_dims %along {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %54 = tt.splat %K : i32 -> tensor<1x128xi32>
      %55 = arith.cmpi slt, %53, %54 : tensor<1x128xi32>
      %56 = tt.broadcast %55 : tensor<1x128xi1> -> tensor<128x128xi1>
      %cst_6 = arith.constant 0.000000e+00 : f8E4M3FN
      %cst_7 = arith.constant dense<0.000000e+00> : tensor<128x128xf8E4M3FN>
      %b = tt.load %52, %56, %cst_7 : tensor<128x128x!tt.ptr<f8E4M3FN>>
      %57 = tt.splat %row_scales_ptr : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %58 = tt.addptr %57, %rows : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %59 = arith.muli %total_2, %stride_rk : i32
      %60 = tt.splat %59 : i32 -> tensor<256xi32>
      %61 = tt.addptr %58, %60 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %62 = tt.splat %M : i32 -> tensor<256xi32>
      %63 = arith.cmpi slt, %rows, %62 : tensor<256xi32>
      %cst_8 = arith.constant 0.000000e+00 : f32
      %cst_9 = arith.constant dense<0.000000e+00> : tensor<256xf32>
      %row_scales = tt.load %61, %63, %cst_9 : tensor<256x!tt.ptr<f32>>
      %64 = tt.trans %b {order = array<i32: 1, 0>} : tensor<128x128xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
      %cst_10 = arith.constant dense<0.000000e+00> : tensor<256x128xf32>
      %65 = tt.dot %a, %64, %cst_10, inputPrecision = tf32 {maxNumImpreciseAcc = 1073741824 : i32} : tensor<256x128xf8E4M3FN> * tensor<128x128xf8E4M3FN> -> tensor<256x128xf32>
      %66 = tt.expand_dims %row_scales {axis = 1 : i32} : tensor<256xf32> -> tensor<256x1xf32>
      %67 = tt.broadcast %66 : tensor<256x1xf32> -> tensor<256x128xf32>
      %product = arith.mulf %65, %67 : tensor<256x128xf32>
      %total_11 = arith.addf %total_3, %product : tensor<256x128xf32>
      scf.yield %total_11 : tensor<256x128xf32>
    }
    %8 = tt.expand_dims %rows {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %9 = tt.splat %stride_cm : i32 -> tensor<256x1xi32>
    %10 = arith.muli %8, %9 : tensor<256x1xi32>
    %11 = tt.splat %c_ptr : !tt.ptr<f32> -> tensor<256x1x!tt.ptr<f32>>
    %12 = tt.addptr %11, %10 : tensor<256x1x!tt.ptr<f32>>, tensor<256x1xi32>
    %13 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %14 = tt.broadcast %12 : tensor<256x1x!tt.ptr<f32>> -> tensor<256x128x!tt.ptr<f32>>
    %15 = tt.broadcast %13 : tensor<1x128xi32> -> tensor<256x128xi32>
    %c = tt.addptr %14, %15 : tensor<256x128x!tt.ptr<f32>>, tensor<256x128xi32>
    %16 = tt.expand_dims %rows {axis = 1 : i32} : tensor<256xi32> -> tensor<256x1xi32>
    %17 = tt.splat %M : i32 -> tensor<256x1xi32>
    %18 = arith.cmpi slt, %16, %17 : tensor<256x1xi32>
    %19 = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %20 = tt.splat %N : i32 -> tensor<1x128xi32>
    %21 = arith.cmpi slt, %19, %20 : tensor<1x128xi32>
    %22 = tt.broadcast %18 : tensor<256x1xi1> -> tensor<256x128xi1>
    %23 = tt.broadcast %21 : tensor<1x128xi1> -> tensor<256x128xi1>
    %24 = arith.andi %22, %23 : tensor<256x128xi1>
    tt.store %c, %total_1, %24 : tensor<256x128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [8, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 8], [1, 0]], lane = [[0, 0], [0, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 16], [0, 32], [0, 64]], block = []}>
#linear1 = #ttg.linear<{register = [[8, 0], [0, 1]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32], [64]], block = []}>
#linear3 = #ttg.linear<{register = [[0, 0, 1], [0, 1, 0], [8, 0, 0], [0, 8, 0], [0, 16, 0], [0, 32, 0], [0, 64, 0]], lane = [[0, 2, 0], [0, 4, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0], [64, 0, 0]], block = []}>
#linear4 = #ttg.linear<{register = [[1, 0, 0], [0, 0, 1], [0, 8, 0], [0, 0, 8], [0, 0, 16], [0, 0, 32], [0, 0, 64]], lane = [[0, 0, 2], [0, 0, 4], [0, 1, 0], [0, 2, 0], [0, 4, 0]], warp = [[0, 16, 0], [0, 32, 0], [0, 64, 0]], block = []}>
#linear5 = #ttg.linear<{register = [[128, 0], [0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [0, 64]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 32]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#shared3 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.shared = 200744 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @ends(%arg0: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg7: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg8: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg9: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg10: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg11: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg12: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg13: !tt.tensordesc<tensor<256x128xf8E4M3FN, #shared>> {tk.map_base = 0 : i32, tk.map_stride = 8 : i32}, %arg14: !tt.tensordesc<tensor<128x128xf8E4M3FN, #shared>> {tk.map_base = 1 : i32, tk.map_stride = 9 : i32}, %arg15: !tt.tensordesc<tensor<1x256xf32, #shared1>> {tk.map_base = 3 : i32, tk.map_columns_parameter = 5 : i32, tk.map_stride = 11 : i32}) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %c127_i32 = arith.constant 127 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %false = arith.constant false
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c256_i32 : i32
    %2 = tt.get_program_id y : i32
    %3 = arith.muli %2, %c128_i32 : i32
    %4 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.splat %1 : i32 -> tensor<256xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = arith.addi %5, %4 : tensor<256xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %7 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %8 = tt.splat %3 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %9 = arith.addi %8, %7 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %10 = arith.addi %arg7, %c127_i32 : i32
    %11 = arith.divsi %10, %c128_i32 : i32
    %12 = arith.remsi %1, %arg5 : i32
    %13 = arith.remsi %3, %arg6 : i32
    %14 = ttg.local_alloc {allocation.offset = 200704 : i32, tk.allocation_size = 32 : i32} : () -> !ttg.memdesc<4x1xi64, #shared2, #smem, mutable>
    %15 = ttg.memdesc_index %14[%c0_i32] : !ttg.memdesc<4x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %16 = ttg.memdesc_index %14[%c1_i32] : !ttg.memdesc<4x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %17 = ttg.memdesc_index %14[%c2_i32] : !ttg.memdesc<4x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %18 = ttg.memdesc_index %14[%c3_i32] : !ttg.memdesc<4x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %19 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 131072 : i32} : () -> !ttg.memdesc<4x256x128xf8E4M3FN, #shared, #smem, mutable>
    %20 = ttg.local_alloc {allocation.offset = 131072 : i32, tk.allocation_size = 65536 : i32} : () -> !ttg.memdesc<4x128x128xf8E4M3FN, #shared, #smem, mutable>
    %21 = ttg.local_alloc {allocation.offset = 196608 : i32, tk.allocation_size = 4096 : i32} : () -> !ttg.memdesc<4x256xf32, #shared2, #smem, mutable>
    %22 = arith.cmpi sgt, %11, %c0_i32 : i32
    %23 = ttg.local_alloc {allocation.offset = 200736 : i32, tk.allocation_size = 8 : i32} : () -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %15, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %16, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %17, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %18, 1 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.init_barrier %23, 8 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    gpu.barrier
    ttng.barrier_expect %15, 50176, %22 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %24 = ttg.memdesc_index %19[%c0_i32] : !ttg.memdesc<4x256x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg13[%12, %c0_i32] %24, %15, %22 : !tt.tensordesc<tensor<256x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
    %25 = ttg.memdesc_index %20[%c0_i32] : !ttg.memdesc<4x128x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg14[%13, %c0_i32] %25, %15, %22 : !tt.tensordesc<tensor<128x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
    %26 = ttg.memdesc_index %21[%c0_i32] : !ttg.memdesc<4x256xf32, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg15[%c0_i32, %1] %26, %15, %22 : !tt.tensordesc<tensor<1x256xf32, #shared1>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
    %27 = arith.cmpi sgt, %11, %c1_i32 : i32
    ttng.barrier_expect %16, 50176, %27 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %28 = ttg.memdesc_index %19[%c1_i32] : !ttg.memdesc<4x256x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg13[%12, %c128_i32] %28, %16, %27 : !tt.tensordesc<tensor<256x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
    %29 = ttg.memdesc_index %20[%c1_i32] : !ttg.memdesc<4x128x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg14[%13, %c128_i32] %29, %16, %27 : !tt.tensordesc<tensor<128x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
    %30 = ttg.memdesc_index %21[%c1_i32] : !ttg.memdesc<4x256xf32, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg15[%c1_i32, %1] %30, %16, %27 : !tt.tensordesc<tensor<1x256xf32, #shared1>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
    %31 = arith.cmpi sgt, %11, %c2_i32 : i32
    ttng.barrier_expect %17, 50176, %31 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %32 = ttg.memdesc_index %19[%c2_i32] : !ttg.memdesc<4x256x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg13[%12, %c256_i32] %32, %17, %31 : !tt.tensordesc<tensor<256x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
    %33 = ttg.memdesc_index %20[%c2_i32] : !ttg.memdesc<4x128x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg14[%13, %c256_i32] %33, %17, %31 : !tt.tensordesc<tensor<128x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
    %34 = ttg.memdesc_index %21[%c2_i32] : !ttg.memdesc<4x256xf32, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
    ttng.async_tma_copy_global_to_local %arg15[%c2_i32, %1] %34, %17, %31 : !tt.tensordesc<tensor<1x256xf32, #shared1>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
    %35 = arith.subi %11, %c3_i32 : i32
    tk.hand_over if %22 {group = 1 : i32}
    %36 = arith.subi %11, %c1_i32 : i32
    ttng.wait_barrier %15, %c0_i32, %22 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    %37:6 = scf.for %arg16 = %c0_i32 to %11 step %c1_i32 iter_args(%arg17 = %cst, %arg18 = %cst, %arg19 = %c0_i32, %arg20 = %c0_i32, %arg21 = %c2_i32, %arg22 = %c1_i32) -> (tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>, i32, i32, i32, i32)  : i32 {
      %59 = ttg.memdesc_index %19[%arg19] : !ttg.memdesc<4x256x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
      %60 = ttg.memdesc_index %20[%arg19] : !ttg.memdesc<4x128x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
      %61 = ttg.memdesc_index %21[%arg19] : !ttg.memdesc<4x256xf32, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
      %62 = ttg.local_load %61 : !ttg.memdesc<256xf32, #shared2, #smem, mutable> -> tensor<256xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %63 = tt.reshape %62 : tensor<256xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<2x128xf32, #linear>
      %64 = tt.trans %63 {order = array<i32: 1, 0>} : tensor<2x128xf32, #linear> -> tensor<128x2xf32, #linear1>
      %outLHS, %outRHS = tt.split %64 : tensor<128x2xf32, #linear1> -> tensor<128xf32, #linear2>
      %65 = tt.reshape %outLHS : tensor<128xf32, #linear2> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %66 = tt.reshape %outRHS : tensor<128xf32, #linear2> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %67 = ttg.memdesc_trans %60 {order = array<i32: 1, 0>} : !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared3, #smem, mutable>
      %68 = ttg.memdesc_subslice %59[0, 0] : !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable, 256x128>
      tk.wait_hand_over
      %69 = ttng.warp_group_dot %68, %67, %cst {inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 1073741824 : i32} : !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable, 256x128> * !ttg.memdesc<128x128xf8E4M3FN, #shared3, #smem, mutable> -> tensor<128x128xf32, #mma>
      tk.hand_over
      %70 = arith.addi %arg21, %c1_i32 : i32
      %71 = arith.cmpi sge, %70, %c4_i32 : i32
      %72 = arith.select %71, %c0_i32, %70 : i32
      %73 = arith.addi %arg16, %c3_i32 : i32
      %74 = arith.muli %73, %c128_i32 : i32
      %75 = ttg.memdesc_index %14[%72] : !ttg.memdesc<4x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %76 = arith.cmpi slt, %arg16, %35 : i32
      ttng.wait_barrier %23, %arg22 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %77 = ttg.memdesc_index %19[%72] : !ttg.memdesc<4x256x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
      %78 = ttg.memdesc_index %20[%72] : !ttg.memdesc<4x128x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
      %79 = ttg.memdesc_index %21[%72] : !ttg.memdesc<4x256xf32, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
      ttng.barrier_expect %75, 50176 {tk.ordered, tk.skippable}, %76 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg13[%12, %74] %77, %75, %76 {tk.ordered, tk.skippable} : !tt.tensordesc<tensor<256x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg14[%13, %74] %78, %75, %76 {tk.ordered, tk.skippable} : !tt.tensordesc<tensor<128x128xf8E4M3FN, #shared>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable>
      ttng.async_tma_copy_global_to_local %arg15[%73, %1] %79, %75, %76 {tk.ordered, tk.skippable} : !tt.tensordesc<tensor<1x256xf32, #shared1>>, !ttg.memdesc<1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<256xf32, #shared2, #smem, mutable>
      %80:3 = ttng.warp_group_dot_wait %69, %68, %67 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable, 256x128>, !ttg.memdesc<128x128xf8E4M3FN, #shared3, #smem, mutable>
      %81 = tt.expand_dims %65 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %82 = tt.broadcast %81 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %83 = arith.mulf %80#0, %82 : tensor<128x128xf32, #mma>
      %84 = arith.addf %arg17, %83 : tensor<128x128xf32, #mma>
      %85 = ttg.memdesc_subslice %59[128, 0] : !ttg.memdesc<256x128xf8E4M3FN, #shared, #smem, mutable> -> !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable, 256x128>
      %86 = ttng.warp_group_dot_wait %84 {pendings = 0 : i32} : tensor<128x128xf32, #mma>
      tk.wait_hand_over
      %87 = ttng.warp_group_dot %85, %67, %80#0, %false {inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 1073741824 : i32} : !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable, 256x128> * !ttg.memdesc<128x128xf8E4M3FN, #shared3, #smem, mutable> -> tensor<128x128xf32, #mma>
      %88 = arith.cmpi slt, %arg16, %36 : i32
      tk.hand_over if %88
      %89 = arith.addi %arg19, %c1_i32 : i32
      %90 = arith.cmpi sge, %89, %c4_i32 : i32
      %91 = arith.xori %arg20, %c1_i32 : i32
      %92 = arith.select %90, %91, %arg20 : i32
      %93 = arith.select %90, %c0_i32, %89 : i32
      %94 = ttg.memdesc_index %14[%93] : !ttg.memdesc<4x1xi64, #shared2, #smem, mutable> -> !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      ttng.wait_barrier %94, %92, %88 : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %95:3 = ttng.warp_group_dot_wait %87, %85, %67 {pendings = 0 : i32} : tensor<128x128xf32, #mma>, !ttg.memdesc<128x128xf8E4M3FN, #shared, #smem, mutable, 256x128>, !ttg.memdesc<128x128xf8E4M3FN, #shared3, #smem, mutable>
      ttng.arrive_barrier %23, 1 {tk.each_warp} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
      %96 = tt.expand_dims %66 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %97 = tt.broadcast %96 : tensor<128x1xf32, #mma> -> tensor<128x128xf32, #mma>
      %98 = arith.mulf %95#0, %97 : tensor<128x128xf32, #mma>
      %99 = arith.addf %arg18, %98 : tensor<128x128xf32, #mma>
      %100 = arith.xori %arg22, %c1_i32 : i32
      scf.yield %86, %99, %93, %92, %72, %100 : tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>, i32, i32, i32, i32
    }
    ttg.local_dealloc %21 : !ttg.memdesc<4x256xf32, #shared2, #smem, mutable>
    ttg.local_dealloc %20 : !ttg.memdesc<4x128x128xf8E4M3FN, #shared, #smem, mutable>
    ttg.local_dealloc %19 : !ttg.memdesc<4x256x128xf8E4M3FN, #shared, #smem, mutable>
    %38 = tt.join %37#0, %37#1 : tensor<128x128xf32, #mma> -> tensor<128x128x2xf32, #linear3>
    %39 = tt.trans %38 {order = array<i32: 2, 0, 1>} : tensor<128x128x2xf32, #linear3> -> tensor<2x128x128xf32, #linear4>
    %40 = tt.reshape %39 : tensor<2x128x128xf32, #linear4> -> tensor<256x128xf32, #linear5>
    %41 = ttg.convert_layout %40 : tensor<256x128xf32, #linear5> -> tensor<256x128xf32, #mma>
    %42 = tt.expand_dims %6 {axis = 1 : i32} : tensor<256xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<256x1xi32, #blocked>
    %43 = tt.splat %arg10 : i32 -> tensor<256x1xi32, #blocked>
    %44 = arith.muli %42, %43 : tensor<256x1xi32, #blocked>
    %45 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<256x1x!tt.ptr<f32>, #blocked>
    %46 = tt.addptr %45, %44 : tensor<256x1x!tt.ptr<f32>, #blocked>, tensor<256x1xi32, #blocked>
    %47 = tt.expand_dims %9 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %48 = tt.broadcast %46 : tensor<256x1x!tt.ptr<f32>, #blocked> -> tensor<256x128x!tt.ptr<f32>, #blocked>
    %49 = tt.broadcast %47 : tensor<1x128xi32, #blocked> -> tensor<256x128xi32, #blocked>
    %50 = tt.addptr %48, %49 : tensor<256x128x!tt.ptr<f32>, #blocked>, tensor<256x128xi32, #blocked>
    %51 = tt.splat %arg5 : i32 -> tensor<256x1xi32, #blocked>
    %52 = arith.cmpi slt, %42, %51 {tk.constancy = array<i32: 256, 1>} : tensor<256x1xi32, #blocked>
    %53 = tt.splat %arg6 : i32 -> tensor<1x128xi32, #blocked>
    %54 = arith.cmpi slt, %47, %53 {tk.constancy = array<i32: 1, 128>} : tensor<1x128xi32, #blocked>
    %55 = tt.broadcast %52 : tensor<256x1xi1, #blocked> -> tensor<256x128xi1, #blocked>
    %56 = tt.broadcast %54 : tensor<1x128xi1, #blocked> -> tensor<256x128xi1, #blocked>
    %57 = arith.andi %55, %56 : tensor<256x128xi1, #blocked>
    gpu.barrier
    %58 = ttg.convert_layout %41 {allocation.offset = 0 : i32, tk.allocation_size = 65536 : i32} : tensor<256x128xf32, #mma> -> tensor<256x128xf32, #blocked>
    tt.store %50, %58, %57 {tk.vector = 4 : i32} : tensor<256x128x!tt.ptr<f32>, #blocked>
    ttng.inval_barrier %23 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %15 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %16 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %17 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttng.inval_barrier %18 {tk.with_kernel} : !ttg.memdesc<1xi64, #shared2, #smem, mutable>
    ttg.local_dealloc %14 : !ttg.memdesc<4x1xi64, #shared2, #smem, mutable>
    tt.return
  }
}

