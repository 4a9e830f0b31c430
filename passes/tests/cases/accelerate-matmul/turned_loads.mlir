// passes: convert-to-ttg,coalesce,remove-layout-conversions,accelerate-matmul,remove-layout-conversions
// counts: tt.load 3
module {
  // Values of attention lie across K. A thread has four terms of four columns: those that `permute-terms` makes neighbours, and lanes write without conflicts.
  tt.func public @values(%pq: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %pk: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %pv: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %po: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %size = arith.constant dense<64> : tensor<64x1xi32>
    %turned = arith.constant dense<64> : tensor<1x64xi32>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %starts = arith.muli %column, %size : tensor<64x1xi32>
    %all_starts = tt.broadcast %starts : tensor<64x1xi32> -> tensor<64x64xi32>
    %all_places = tt.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
    %offsets = arith.addi %all_starts, %all_places : tensor<64x64xi32>
    %starts_across = arith.muli %row, %turned : tensor<1x64xi32>
    %all_across = tt.broadcast %starts_across : tensor<1x64xi32> -> tensor<64x64xi32>
    %all_down = tt.broadcast %column : tensor<64x1xi32> -> tensor<64x64xi32>
    %across = arith.addi %all_across, %all_down : tensor<64x64xi32>
    %base_q = tt.splat %pq : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %places_q = tt.addptr %base_q, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %q = tt.load %places_q : tensor<64x64x!tt.ptr<f32>>
    %base_k = tt.splat %pk : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %places_k = tt.addptr %base_k, %across : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %k = tt.load %places_k : tensor<64x64x!tt.ptr<f32>>
    %base_v = tt.splat %pv : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %places_v = tt.addptr %base_v, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %v = tt.load %places_v : tensor<64x64x!tt.ptr<f32>>
    %s = tt.dot %q, %k, %zero, inputPrecision = tf32 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %p = math.exp %s : tensor<64x64xf32>
    %o = tt.dot %p, %v, %zero, inputPrecision = tf32 : tensor<64x64xf32> * tensor<64x64xf32> -> tensor<64x64xf32>
    %base_o = tt.splat %po : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %places_o = tt.addptr %base_o, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %places_o, %o : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [2, 0], [4, 0], [0, 32]], lane = [[0, 4], [1, 0], [8, 0], [0, 8], [0, 16]], warp = [[16, 0], [32, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @values(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_1 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %cst_2 = arith.constant dense<64> : tensor<64x1xi32, #linear>
    %cst_3 = arith.constant dense<64> : tensor<1x64xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %6 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %7 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %8 = tt.expand_dims %5 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>> -> tensor<64x1xi32, #linear>
    %9 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %10 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %11 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear}>> -> tensor<1x64xi32, #linear>
    %12 = arith.muli %7, %cst_1 : tensor<64x1xi32, #blocked>
    %13 = arith.muli %8, %cst_2 : tensor<64x1xi32, #linear>
    %14 = tt.broadcast %12 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %15 = tt.broadcast %13 : tensor<64x1xi32, #linear> -> tensor<64x64xi32, #linear>
    %16 = tt.broadcast %10 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %17 = tt.broadcast %11 : tensor<1x64xi32, #linear> -> tensor<64x64xi32, #linear>
    %18 = arith.addi %14, %16 : tensor<64x64xi32, #blocked>
    %19 = arith.addi %15, %17 : tensor<64x64xi32, #linear>
    %20 = arith.muli %9, %cst_3 : tensor<1x64xi32, #blocked1>
    %21 = tt.broadcast %20 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %22 = tt.broadcast %6 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %23 = arith.addi %21, %22 : tensor<64x64xi32, #blocked1>
    %24 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %25 = tt.addptr %24, %18 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %26 = tt.load %25 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %27 = ttg.local_alloc %26 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %28 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %29 = tt.addptr %28, %23 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    %30 = tt.load %29 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    %31 = ttg.local_alloc %30 : (tensor<64x64xf32, #blocked1>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
    %32 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #linear>
    %33 = tt.addptr %32, %19 : tensor<64x64x!tt.ptr<f32>, #linear>, tensor<64x64xi32, #linear>
    %34 = tt.load %33 : tensor<64x64x!tt.ptr<f32>, #linear>
    %35 = ttg.local_alloc %34 : (tensor<64x64xf32, #linear>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
    %36 = ttng.warp_group_dot %27, %31, %cst_0 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %37 = math.exp %36 : tensor<64x64xf32, #mma>
    %38 = ttg.convert_layout %37 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %39 = ttng.warp_group_dot %38, %35, %cst {inputPrecision = 0 : i32} : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %40 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %41 = tt.addptr %40, %18 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %42 = ttg.convert_layout %39 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %41, %42 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

