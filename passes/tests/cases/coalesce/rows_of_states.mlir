// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 4
module {
  // What is scanned is a product of rows and columns, and one row of the result is stored: lanes lie along the scanned axis, so that no thread
  // combines totals of other warps.
  tt.func public @stored_kernel(%decay_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %state_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<63> : tensor<64xi32>
    %cst_0 = arith.constant dense<4> : tensor<1x4x1xi32>
    %cst_1 = arith.constant dense<4> : tensor<64x1xi32>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %0 = tt.splat %decay_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %1 = tt.addptr %0, %row : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %decay = tt.load %1 : tensor<64x!tt.ptr<f32>>
    %2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %3 = arith.muli %2, %cst_1 : tensor<64x1xi32>
    %4 = tt.expand_dims %column {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %5 = tt.broadcast %3 : tensor<64x1xi32> -> tensor<64x4xi32>
    %6 = tt.broadcast %4 : tensor<1x4xi32> -> tensor<64x4xi32>
    %at = arith.addi %5, %6 : tensor<64x4xi32>
    %7 = tt.splat %v_ptr : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %8 = tt.addptr %7, %at : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    %9 = tt.load %8 : tensor<64x4x!tt.ptr<f32>>
    %10 = tt.expand_dims %9 {axis = 2 : i32} : tensor<64x4xf32> -> tensor<64x4x1xf32>
    %11 = tt.splat %k_ptr : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %12 = tt.addptr %11, %at : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    %13 = tt.load %12 : tensor<64x4x!tt.ptr<f32>>
    %14 = tt.expand_dims %13 {axis = 1 : i32} : tensor<64x4xf32> -> tensor<64x1x4xf32>
    %15 = tt.broadcast %10 : tensor<64x4x1xf32> -> tensor<64x4x4xf32>
    %16 = tt.broadcast %14 : tensor<64x1x4xf32> -> tensor<64x4x4xf32>
    %products = arith.mulf %15, %16 : tensor<64x4x4xf32>
    %17 = tt.expand_dims %decay {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %18 = tt.expand_dims %17 {axis = 2 : i32} : tensor<64x1xf32> -> tensor<64x1x1xf32>
    %decays = tt.broadcast %18 : tensor<64x1x1xf32> -> tensor<64x4x4xf32>
    %_:2 = "tt.scan"(%decays, %products) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%__2: f32, %__3: f32, %__4: f32, %__5: f32):
      %30 = arith.mulf %__2, %__4 : f32
      %31 = arith.mulf %__3, %__4 : f32
      %32 = arith.addf %31, %__5 : f32
      tt.scan.return %30, %32 : f32, f32
    }) : (tensor<64x4x4xf32>, tensor<64x4x4xf32>) -> (tensor<64x4x4xf32>, tensor<64x4x4xf32>)
    %19 = tt.expand_dims %4 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %20 = arith.muli %19, %cst_0 : tensor<1x4x1xi32>
    %21 = tt.expand_dims %4 {axis = 1 : i32} : tensor<1x4xi32> -> tensor<1x1x4xi32>
    %22 = tt.broadcast %20 : tensor<1x4x1xi32> -> tensor<64x4x4xi32>
    %23 = tt.broadcast %21 : tensor<1x1x4xi32> -> tensor<64x4x4xi32>
    %places = arith.addi %22, %23 : tensor<64x4x4xi32>
    %24 = tt.splat %state_ptr : !tt.ptr<f32> -> tensor<64x4x4x!tt.ptr<f32>>
    %25 = tt.addptr %24, %places : tensor<64x4x4x!tt.ptr<f32>>, tensor<64x4x4xi32>
    %26 = arith.cmpi eq, %row, %cst : tensor<64xi32>
    %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %28 = tt.expand_dims %27 {axis = 2 : i32} : tensor<64x1xi1> -> tensor<64x1x1xi1>
    %29 = tt.broadcast %28 : tensor<64x1x1xi1> -> tensor<64x4x4xi1>
    tt.store %25, %_#1, %29 : tensor<64x4x4x!tt.ptr<f32>>
    tt.return
  }
  // Rows and columns both follow each other in memory, but the mask leaves one row. So columns lie side by side, and rows are scanned within warps.
  tt.func public @read_kernel(%decay_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %k_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %v_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %state_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x4x4xf32>
    %cst_0 = arith.constant dense<0> : tensor<64xi32>
    %cst_1 = arith.constant dense<256> : tensor<1x4x1xi32>
    %cst_2 = arith.constant dense<256> : tensor<64x1xi32>
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %total = arith.constant dense<0.000000e+00> : tensor<64x4xf32>
    %cst_3 = arith.constant dense<4> : tensor<64x1xi32>
    %row = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %0 = tt.splat %decay_ptr : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %1 = tt.addptr %0, %row : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %decay = tt.load %1 : tensor<64x!tt.ptr<f32>>
    %2 = tt.expand_dims %decay {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %3 = tt.expand_dims %2 {axis = 2 : i32} : tensor<64x1xf32> -> tensor<64x1x1xf32>
    %decays = tt.broadcast %3 : tensor<64x1x1xf32> -> tensor<64x4x4xf32>
    %4 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %5 = arith.muli %4, %cst_3 : tensor<64x1xi32>
    %6 = tt.splat %v_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %7 = tt.addptr %6, %5 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %8 = tt.expand_dims %column {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %9 = tt.broadcast %7 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x4x!tt.ptr<f32>>
    %10 = tt.broadcast %8 : tensor<1x4xi32> -> tensor<64x4xi32>
    %11 = tt.addptr %9, %10 : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    %v = tt.load %11 : tensor<64x4x!tt.ptr<f32>>
    %12 = arith.muli %4, %cst_2 : tensor<64x1xi32>
    %13 = tt.broadcast %12 : tensor<64x1xi32> -> tensor<64x4xi32>
    %14 = tt.splat %k_ptr : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %15 = tt.splat %q_ptr : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>>
    %16 = tt.expand_dims %4 {axis = 2 : i32} : tensor<64x1xi32> -> tensor<64x1x1xi32>
    %17 = tt.expand_dims %8 {axis = 2 : i32} : tensor<1x4xi32> -> tensor<1x4x1xi32>
    %18 = arith.muli %17, %cst_1 : tensor<1x4x1xi32>
    %19 = tt.broadcast %16 : tensor<64x1x1xi32> -> tensor<64x4x1xi32>
    %20 = tt.broadcast %18 : tensor<1x4x1xi32> -> tensor<64x4x1xi32>
    %21 = arith.addi %19, %20 : tensor<64x4x1xi32>
    %22 = tt.broadcast %21 : tensor<64x4x1xi32> -> tensor<64x4x4xi32>
    %23 = arith.cmpi eq, %row, %cst_0 : tensor<64xi32>
    %24 = tt.expand_dims %23 {axis = 1 : i32} : tensor<64xi1> -> tensor<64x1xi1>
    %25 = tt.expand_dims %24 {axis = 2 : i32} : tensor<64x1xi1> -> tensor<64x1x1xi1>
    %26 = tt.splat %state_ptr : !tt.ptr<f32> -> tensor<64x4x4x!tt.ptr<f32>>
    %27 = tt.broadcast %25 : tensor<64x1x1xi1> -> tensor<64x4x4xi1>
    %28 = tt.expand_dims %v {axis = 2 : i32} : tensor<64x4xf32> -> tensor<64x4x1xf32>
    %29 = tt.broadcast %28 : tensor<64x4x1xf32> -> tensor<64x4x4xf32>
    %total_4 = scf.for %arg6 = %c0_i32 to %c64_i32 step %c1_i32 iter_args(%arg7 = %total) -> (tensor<64x4xf32>)  : i32 {
      %34 = arith.muli %arg6, %c4_i32 : i32
      %35 = tt.splat %34 : i32 -> tensor<4xi32>
      %key = arith.addi %35, %column : tensor<4xi32>
      %36 = tt.expand_dims %key {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
      %37 = tt.broadcast %36 : tensor<1x4xi32> -> tensor<64x4xi32>
      %at = arith.addi %13, %37 : tensor<64x4xi32>
      %38 = tt.addptr %14, %at : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
      %k = tt.load %38 : tensor<64x4x!tt.ptr<f32>>
      %39 = tt.addptr %15, %at : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
      %q = tt.load %39 : tensor<64x4x!tt.ptr<f32>>
      %40 = tt.expand_dims %36 {axis = 1 : i32} : tensor<1x4xi32> -> tensor<1x1x4xi32>
      %41 = tt.broadcast %40 : tensor<1x1x4xi32> -> tensor<64x4x4xi32>
      %places = arith.addi %22, %41 : tensor<64x4x4xi32>
      %42 = tt.addptr %26, %places : tensor<64x4x4x!tt.ptr<f32>>, tensor<64x4x4xi32>
      %before = tt.load %42, %27, %cst : tensor<64x4x4x!tt.ptr<f32>>
      %43 = arith.mulf %decays, %before : tensor<64x4x4xf32>
      %44 = tt.expand_dims %k {axis = 1 : i32} : tensor<64x4xf32> -> tensor<64x1x4xf32>
      %45 = tt.broadcast %44 : tensor<64x1x4xf32> -> tensor<64x4x4xf32>
      %46 = arith.mulf %29, %45 : tensor<64x4x4xf32>
      %47 = arith.addf %43, %46 : tensor<64x4x4xf32>
      %_:2 = "tt.scan"(%decays, %47) <{axis = 0 : i32, reverse = false}> ({
      ^bb0(%__6: f32, %__7: f32, %__8: f32, %__9: f32):
        %52 = arith.mulf %__6, %__8 : f32
        %53 = arith.mulf %__7, %__8 : f32
        %54 = arith.addf %53, %__9 : f32
        tt.scan.return %52, %54 : f32, f32
      }) : (tensor<64x4x4xf32>, tensor<64x4x4xf32>) -> (tensor<64x4x4xf32>, tensor<64x4x4xf32>)
      %48 = tt.expand_dims %q {axis = 1 : i32} : tensor<64x4xf32> -> tensor<64x1x4xf32>
      %49 = tt.broadcast %48 : tensor<64x1x4xf32> -> tensor<64x4x4xf32>
      %50 = arith.mulf %_#1, %49 : tensor<64x4x4xf32>
      %51 = "tt.reduce"(%50) <{axis = 2 : i32}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        %52 = arith.addf %arg8, %arg9 : f32
        tt.reduce.return %52 : f32
      }) : (tensor<64x4x4xf32>) -> tensor<64x4xf32>
      %total_5 = arith.addf %arg7, %51 : tensor<64x4xf32>
      scf.yield %total_5 : tensor<64x4xf32>
    }
    %30 = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %31 = tt.addptr %30, %5 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %32 = tt.broadcast %31 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x4x!tt.ptr<f32>>
    %33 = tt.addptr %32, %10 : tensor<64x4x!tt.ptr<f32>>, tensor<64x4xi32>
    tt.store %33, %total_4 : tensor<64x4x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8, 1, 1], threadsPerWarp = [8, 4, 1], warpsPerCTA = [1, 1, 4], order = [2, 1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [16, 2], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @stored_kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<63> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %cst_0 = arith.constant dense<4> : tensor<1x4x1xi32, #blocked>
    %cst_1 = arith.constant dense<4> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
    %4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %5 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %6 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %7 = tt.addptr %6, %1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %8 = tt.load %7 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %9 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %10 = arith.muli %9, %cst_1 : tensor<64x1xi32, #blocked1>
    %11 = tt.expand_dims %3 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %12 = tt.expand_dims %4 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %13 = tt.expand_dims %5 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x4xi32, #blocked1>
    %14 = tt.broadcast %10 : tensor<64x1xi32, #blocked1> -> tensor<64x4xi32, #blocked1>
    %15 = tt.broadcast %13 : tensor<1x4xi32, #blocked1> -> tensor<64x4xi32, #blocked1>
    %16 = arith.addi %14, %15 : tensor<64x4xi32, #blocked1>
    %17 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>, #blocked1>
    %18 = tt.addptr %17, %16 : tensor<64x4x!tt.ptr<f32>, #blocked1>, tensor<64x4xi32, #blocked1>
    %19 = tt.load %18 : tensor<64x4x!tt.ptr<f32>, #blocked1>
    %20 = ttg.convert_layout %19 : tensor<64x4xf32, #blocked1> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %21 = tt.expand_dims %20 {axis = 2 : i32} : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x4x1xf32, #blocked>
    %22 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>, #blocked1>
    %23 = tt.addptr %22, %16 : tensor<64x4x!tt.ptr<f32>, #blocked1>, tensor<64x4xi32, #blocked1>
    %24 = tt.load %23 : tensor<64x4x!tt.ptr<f32>, #blocked1>
    %25 = ttg.convert_layout %24 : tensor<64x4xf32, #blocked1> -> tensor<64x4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %26 = tt.expand_dims %25 {axis = 1 : i32} : tensor<64x4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1x4xf32, #blocked>
    %27 = tt.broadcast %21 : tensor<64x4x1xf32, #blocked> -> tensor<64x4x4xf32, #blocked>
    %28 = tt.broadcast %26 : tensor<64x1x4xf32, #blocked> -> tensor<64x4x4xf32, #blocked>
    %29 = arith.mulf %27, %28 : tensor<64x4x4xf32, #blocked>
    %30 = tt.expand_dims %8 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %31 = tt.expand_dims %30 {axis = 2 : i32} : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x1x1xf32, #blocked>
    %32 = tt.broadcast %31 : tensor<64x1x1xf32, #blocked> -> tensor<64x4x4xf32, #blocked>
    %33:2 = "tt.scan"(%32, %29) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg4: f32, %arg5: f32, %arg6: f32, %arg7: f32):
      %46 = arith.mulf %arg4, %arg6 : f32
      %47 = arith.mulf %arg5, %arg6 : f32
      %48 = arith.addf %47, %arg7 : f32
      tt.scan.return %46, %48 : f32, f32
    }) : (tensor<64x4x4xf32, #blocked>, tensor<64x4x4xf32, #blocked>) -> (tensor<64x4x4xf32, #blocked>, tensor<64x4x4xf32, #blocked>)
    %34 = tt.expand_dims %12 {axis = 2 : i32} : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<1x4x1xi32, #blocked>
    %35 = arith.muli %34, %cst_0 : tensor<1x4x1xi32, #blocked>
    %36 = tt.expand_dims %11 {axis = 1 : i32} : tensor<1x4xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x1x4xi32, #blocked>
    %37 = tt.broadcast %35 : tensor<1x4x1xi32, #blocked> -> tensor<64x4x4xi32, #blocked>
    %38 = tt.broadcast %36 : tensor<1x1x4xi32, #blocked> -> tensor<64x4x4xi32, #blocked>
    %39 = arith.addi %37, %38 : tensor<64x4x4xi32, #blocked>
    %40 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x4x4x!tt.ptr<f32>, #blocked>
    %41 = tt.addptr %40, %39 : tensor<64x4x4x!tt.ptr<f32>, #blocked>, tensor<64x4x4xi32, #blocked>
    %42 = arith.cmpi eq, %0, %cst : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %43 = tt.expand_dims %42 {axis = 1 : i32} : tensor<64xi1, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<64x1xi1, #ttg.slice<{dim = 2, parent = #blocked}>>
    %44 = tt.expand_dims %43 {axis = 2 : i32} : tensor<64x1xi1, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x1x1xi1, #blocked>
    %45 = tt.broadcast %44 : tensor<64x1x1xi1, #blocked> -> tensor<64x4x4xi1, #blocked>
    tt.store %41, %33#1, %45 : tensor<64x4x4x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @read_kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x4x4xf32, #blocked>
    %cst_0 = arith.constant dense<0> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %cst_1 = arith.constant dense<256> : tensor<1x4x1xi32, #blocked>
    %cst_2 = arith.constant dense<256> : tensor<64x1xi32, #blocked1>
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %cst_4 = arith.constant dense<4> : tensor<64x1xi32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
    %4 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %6 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %8 = tt.addptr %7, %0 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %9 = tt.load %8 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %11 = tt.expand_dims %10 {axis = 2 : i32} : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x1x1xf32, #blocked>
    %12 = tt.broadcast %11 : tensor<64x1x1xf32, #blocked> -> tensor<64x4x4xf32, #blocked>
    %13 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<64x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %14 = tt.expand_dims %2 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %15 = arith.muli %14, %cst_4 : tensor<64x1xi32, #blocked1>
    %16 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %17 = tt.addptr %16, %15 : tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>
    %18 = tt.expand_dims %5 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %19 = tt.expand_dims %6 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x4xi32, #blocked1>
    %20 = tt.broadcast %17 : tensor<64x1x!tt.ptr<f32>, #blocked1> -> tensor<64x4x!tt.ptr<f32>, #blocked1>
    %21 = tt.broadcast %19 : tensor<1x4xi32, #blocked1> -> tensor<64x4xi32, #blocked1>
    %22 = tt.addptr %20, %21 : tensor<64x4x!tt.ptr<f32>, #blocked1>, tensor<64x4xi32, #blocked1>
    %23 = tt.load %22 : tensor<64x4x!tt.ptr<f32>, #blocked1>
    %24 = ttg.convert_layout %23 : tensor<64x4xf32, #blocked1> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
    %25 = arith.muli %14, %cst_2 : tensor<64x1xi32, #blocked1>
    %26 = tt.broadcast %25 : tensor<64x1xi32, #blocked1> -> tensor<64x4xi32, #blocked1>
    %27 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>, #blocked1>
    %28 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x4x!tt.ptr<f32>, #blocked1>
    %29 = tt.expand_dims %13 {axis = 2 : i32} : tensor<64x1xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x1x1xi32, #blocked>
    %30 = tt.expand_dims %18 {axis = 2 : i32} : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<1x4x1xi32, #blocked>
    %31 = arith.muli %30, %cst_1 : tensor<1x4x1xi32, #blocked>
    %32 = tt.broadcast %29 : tensor<64x1x1xi32, #blocked> -> tensor<64x4x1xi32, #blocked>
    %33 = tt.broadcast %31 : tensor<1x4x1xi32, #blocked> -> tensor<64x4x1xi32, #blocked>
    %34 = arith.addi %32, %33 : tensor<64x4x1xi32, #blocked>
    %35 = tt.broadcast %34 : tensor<64x4x1xi32, #blocked> -> tensor<64x4x4xi32, #blocked>
    %36 = arith.cmpi eq, %0, %cst_0 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>>
    %37 = tt.expand_dims %36 {axis = 1 : i32} : tensor<64xi1, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #blocked}>}>> -> tensor<64x1xi1, #ttg.slice<{dim = 2, parent = #blocked}>>
    %38 = tt.expand_dims %37 {axis = 2 : i32} : tensor<64x1xi1, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x1x1xi1, #blocked>
    %39 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<64x4x4x!tt.ptr<f32>, #blocked>
    %40 = tt.broadcast %38 : tensor<64x1x1xi1, #blocked> -> tensor<64x4x4xi1, #blocked>
    %41 = tt.expand_dims %24 {axis = 2 : i32} : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x4x1xf32, #blocked>
    %42 = tt.broadcast %41 : tensor<64x4x1xf32, #blocked> -> tensor<64x4x4xf32, #blocked>
    %43 = scf.for %arg6 = %c0_i32 to %c64_i32 step %c1_i32 iter_args(%arg7 = %cst_3) -> (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>>)  : i32 {
      %49 = arith.muli %arg6, %c4_i32 : i32
      %50 = tt.splat %49 : i32 -> tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
      %51 = tt.splat %49 : i32 -> tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %52 = arith.addi %50, %3 : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>>
      %53 = arith.addi %51, %4 : tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %54 = tt.expand_dims %52 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 1, parent = #blocked}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %55 = tt.expand_dims %53 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x4xi32, #blocked1>
      %56 = tt.broadcast %55 : tensor<1x4xi32, #blocked1> -> tensor<64x4xi32, #blocked1>
      %57 = arith.addi %26, %56 : tensor<64x4xi32, #blocked1>
      %58 = tt.addptr %27, %57 : tensor<64x4x!tt.ptr<f32>, #blocked1>, tensor<64x4xi32, #blocked1>
      %59 = tt.load %58 : tensor<64x4x!tt.ptr<f32>, #blocked1>
      %60 = ttg.convert_layout %59 : tensor<64x4xf32, #blocked1> -> tensor<64x4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %61 = tt.addptr %28, %57 : tensor<64x4x!tt.ptr<f32>, #blocked1>, tensor<64x4xi32, #blocked1>
      %62 = tt.load %61 : tensor<64x4x!tt.ptr<f32>, #blocked1>
      %63 = ttg.convert_layout %62 : tensor<64x4xf32, #blocked1> -> tensor<64x4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %64 = tt.expand_dims %54 {axis = 1 : i32} : tensor<1x4xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1x1x4xi32, #blocked>
      %65 = tt.broadcast %64 : tensor<1x1x4xi32, #blocked> -> tensor<64x4x4xi32, #blocked>
      %66 = arith.addi %35, %65 : tensor<64x4x4xi32, #blocked>
      %67 = tt.addptr %39, %66 : tensor<64x4x4x!tt.ptr<f32>, #blocked>, tensor<64x4x4xi32, #blocked>
      %68 = tt.load %67, %40, %cst : tensor<64x4x4x!tt.ptr<f32>, #blocked>
      %69 = arith.mulf %12, %68 : tensor<64x4x4xf32, #blocked>
      %70 = tt.expand_dims %60 {axis = 1 : i32} : tensor<64x4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1x4xf32, #blocked>
      %71 = tt.broadcast %70 : tensor<64x1x4xf32, #blocked> -> tensor<64x4x4xf32, #blocked>
      %72 = arith.mulf %42, %71 : tensor<64x4x4xf32, #blocked>
      %73 = arith.addf %69, %72 : tensor<64x4x4xf32, #blocked>
      %74:2 = "tt.scan"(%12, %73) <{axis = 0 : i32, reverse = false}> ({
      ^bb0(%arg8: f32, %arg9: f32, %arg10: f32, %arg11: f32):
        %80 = arith.mulf %arg8, %arg10 : f32
        %81 = arith.mulf %arg9, %arg10 : f32
        %82 = arith.addf %81, %arg11 : f32
        tt.scan.return %80, %82 : f32, f32
      }) : (tensor<64x4x4xf32, #blocked>, tensor<64x4x4xf32, #blocked>) -> (tensor<64x4x4xf32, #blocked>, tensor<64x4x4xf32, #blocked>)
      %75 = tt.expand_dims %63 {axis = 1 : i32} : tensor<64x4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1x4xf32, #blocked>
      %76 = tt.broadcast %75 : tensor<64x1x4xf32, #blocked> -> tensor<64x4x4xf32, #blocked>
      %77 = arith.mulf %74#1, %76 : tensor<64x4x4xf32, #blocked>
      %78 = "tt.reduce"(%77) <{axis = 2 : i32}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        %80 = arith.addf %arg8, %arg9 : f32
        tt.reduce.return %80 : f32
      }) : (tensor<64x4x4xf32, #blocked>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
      %79 = arith.addf %arg7, %78 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
      scf.yield %79 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>>
    }
    %44 = tt.splat %arg5 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %45 = tt.addptr %44, %15 : tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>
    %46 = tt.broadcast %45 : tensor<64x1x!tt.ptr<f32>, #blocked1> -> tensor<64x4x!tt.ptr<f32>, #blocked1>
    %47 = tt.addptr %46, %21 : tensor<64x4x!tt.ptr<f32>, #blocked1>, tensor<64x4xi32, #blocked1>
    %48 = ttg.convert_layout %43 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #blocked}>> -> tensor<64x4xf32, #blocked1>
    tt.store %47, %48 : tensor<64x4x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

