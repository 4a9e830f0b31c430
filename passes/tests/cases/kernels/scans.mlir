// passes: tt,ttg,llvm
// conversions: 0 in the reference
module {
  tt.func public @scans(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<true> : tensor<16xi1>
    %true = arith.constant true
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<1024xf32>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %3 = tt.splat %arg2 : i32 -> tensor<16x1xi32>
    %4 = arith.muli %2, %3 : tensor<16x1xi32>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %6 = tt.addptr %5, %4 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %7 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %8 = tt.broadcast %6 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x64x!tt.ptr<f32>>
    %9 = tt.broadcast %7 : tensor<1x64xi32> -> tensor<16x64xi32>
    %10 = tt.addptr %8, %9 : tensor<16x64x!tt.ptr<f32>>, tensor<16x64xi32>
    %11 = tt.load %10 : tensor<16x64x!tt.ptr<f32>>
    %12 = "tt.scan"(%11) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %37 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %37 : f32
    }) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %13 = tt.trans %12 {order = array<i32: 1, 0>} : tensor<16x64xf32> -> tensor<64x16xf32>
    %14 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %15 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %16 = tt.addptr %15, %14 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %17 = tt.expand_dims %0 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %18 = tt.splat %arg2 : i32 -> tensor<1x16xi32>
    %19 = arith.muli %17, %18 : tensor<1x16xi32>
    %20 = tt.broadcast %16 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x16x!tt.ptr<f32>>
    %21 = tt.broadcast %19 : tensor<1x16xi32> -> tensor<64x16xi32>
    %22 = tt.addptr %20, %21 : tensor<64x16x!tt.ptr<f32>>, tensor<64x16xi32>
    tt.store %22, %13 : tensor<64x16x!tt.ptr<f32>>
    %23 = tt.reshape %11 : tensor<16x64xf32> -> tensor<1024xf32>
    %24 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %25 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %26 = tt.addptr %25, %24 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
    %27 = arith.mulf %23, %cst_0 : tensor<1024xf32>
    tt.store %26, %27 : tensor<1024x!tt.ptr<f32>>
    %28 = "tt.reduce"(%11) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %37 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %37 : f32
    }) : (tensor<16x64xf32>) -> tensor<16xf32>
    %29 = "tt.reduce"(%28) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %37 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %37 : f32
    }) : (tensor<16xf32>) -> f32
    %30 = tt.atomic_rmw fadd, acq_rel, gpu, %arg1, %29, %true : (!tt.ptr<f32>, f32, i1) -> f32
    %31 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %32 = tt.addptr %31, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %33 = tt.splat %29 : f32 -> tensor<16xf32>
    %34 = tt.atomic_rmw fadd, acq_rel, gpu, %32, %33, %cst : (tensor<16x!tt.ptr<f32>>, tensor<16xf32>, tensor<16xi1>) -> tensor<16xf32>
    %35 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %36 = tt.addptr %35, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %36, %34 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 80 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scans(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<2.000000e+00> : tensor<1024xf32, #blocked>
    %true = arith.constant true
    %cst_0 = arith.constant dense<true> : tensor<16xi1, #blocked1>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked1>
    %1 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>>
    %5 = tt.expand_dims %2 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked3}>> -> tensor<16x1xi32, #blocked3>
    %6 = tt.splat %arg2 : i32 -> tensor<16x1xi32, #blocked3>
    %7 = arith.muli %5, %6 : tensor<16x1xi32, #blocked3>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>, #blocked3>
    %9 = tt.addptr %8, %7 : tensor<16x1x!tt.ptr<f32>, #blocked3>, tensor<16x1xi32, #blocked3>
    %10 = tt.expand_dims %4 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked3}>> -> tensor<1x64xi32, #blocked3>
    %11 = tt.broadcast %9 : tensor<16x1x!tt.ptr<f32>, #blocked3> -> tensor<16x64x!tt.ptr<f32>, #blocked3>
    %12 = tt.broadcast %10 : tensor<1x64xi32, #blocked3> -> tensor<16x64xi32, #blocked3>
    %13 = tt.addptr %11, %12 : tensor<16x64x!tt.ptr<f32>, #blocked3>, tensor<16x64xi32, #blocked3>
    %14 = tt.load %13 {tk.vector = 4 : i32} : tensor<16x64x!tt.ptr<f32>, #blocked3>
    %15 = "tt.scan"(%14) <{axis = 1 : i32, reverse = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %40 = arith.addf %arg3, %arg4 : f32
      tt.scan.return %40 : f32
    }) : (tensor<16x64xf32, #blocked3>) -> tensor<16x64xf32, #blocked3>
    %16 = tt.trans %15 {order = array<i32: 1, 0>} : tensor<16x64xf32, #blocked3> -> tensor<64x16xf32, #blocked2>
    %17 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %18 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked2>
    %19 = tt.addptr %18, %17 : tensor<64x1x!tt.ptr<f32>, #blocked2>, tensor<64x1xi32, #blocked2>
    %20 = tt.expand_dims %1 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x16xi32, #blocked2>
    %21 = tt.splat %arg2 : i32 -> tensor<1x16xi32, #blocked2>
    %22 = arith.muli %20, %21 : tensor<1x16xi32, #blocked2>
    %23 = tt.broadcast %19 : tensor<64x1x!tt.ptr<f32>, #blocked2> -> tensor<64x16x!tt.ptr<f32>, #blocked2>
    %24 = tt.broadcast %22 : tensor<1x16xi32, #blocked2> -> tensor<64x16xi32, #blocked2>
    %25 = tt.addptr %23, %24 : tensor<64x16x!tt.ptr<f32>, #blocked2>, tensor<64x16xi32, #blocked2>
    tt.store %25, %16 {tk.vector = 4 : i32} : tensor<64x16x!tt.ptr<f32>, #blocked2>
    %26 = tt.reshape %14 : tensor<16x64xf32, #blocked3> -> tensor<1024xf32, #blocked>
    %27 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %28 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %29 = tt.addptr %28, %27 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
    %30 = arith.mulf %26, %cst : tensor<1024xf32, #blocked>
    tt.store %29, %30 {tk.vector = 4 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
    %31 = "tt.reduce"(%14) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %40 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %40 : f32
    }) : (tensor<16x64xf32, #blocked3>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked3}>>
    %32 = "tt.reduce"(%31) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %40 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %40 : f32
    }) {allocation.offset = 64 : i32, tk.allocation_size = 16 : i32} : (tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked3}>>) -> f32
    %33 = tt.atomic_rmw fadd, acq_rel, gpu, %arg1, %32, %true {tk.meets_later, tk.met_before} : (!tt.ptr<f32>, f32, i1) -> f32
    %34 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #blocked1>
    %35 = tt.addptr %34, %0 : tensor<16x!tt.ptr<f32>, #blocked1>, tensor<16xi32, #blocked1>
    %36 = tt.splat %32 : f32 -> tensor<16xf32, #blocked1>
    %37 = tt.atomic_rmw fadd, acq_rel, gpu, %35, %36, %cst_0 {allocation.offset = 0 : i32, tk.allocation_size = 64 : i32, tk.meets_later, tk.vector = 1 : i32} : (tensor<16x!tt.ptr<f32>, #blocked1>, tensor<16xf32, #blocked1>, tensor<16xi1, #blocked1>) -> tensor<16xf32, #blocked1>
    %38 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #blocked1>
    %39 = tt.addptr %38, %0 : tensor<16x!tt.ptr<f32>, #blocked1>, tensor<16xi32, #blocked1>
    tt.store %39, %37 {tk.vector = 1 : i32} : tensor<16x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

