// passes: tt,ttg,llvm
// conversions: 2 in the reference
module {
  tt.func public @nested(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %cst_0 = arith.constant dense<0> : tensor<32xi32>
    %c64_i32 = arith.constant 64 : i32
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0.899999976> : tensor<32x64xf32>
    %cst_2 = arith.constant dense<-1.000000e+30> : tensor<32xf32>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg5 = %cst_2, %arg6 = %cst_0) -> (tensor<32xf32>, tensor<32xi32>)  : i32 {
      %7:3 = scf.for %arg7 = %c0_i32 to %arg3 step %c64_i32 iter_args(%arg8 = %arg5, %arg9 = %arg6, %arg10 = %cst) -> (tensor<32xf32>, tensor<32xi32>, tensor<32x64xf32>)  : i32 {
        %22 = tt.splat %arg4 : i32 -> tensor<32xi32>
        %23 = arith.addi %22, %0 : tensor<32xi32>
        %24 = tt.expand_dims %23 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
        %25 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
        %26 = arith.muli %24, %25 : tensor<32x1xi32>
        %27 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
        %28 = tt.addptr %27, %26 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
        %29 = tt.splat %arg7 : i32 -> tensor<64xi32>
        %30 = arith.addi %29, %1 : tensor<64xi32>
        %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %32 = tt.broadcast %28 : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
        %33 = tt.broadcast %31 : tensor<1x64xi32> -> tensor<32x64xi32>
        %34 = tt.addptr %32, %33 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
        %35 = tt.load %34 : tensor<32x64x!tt.ptr<f16>>
        %36 = arith.extf %35 : tensor<32x64xf16> to tensor<32x64xf32>
        %37 = arith.mulf %arg10, %cst_1 : tensor<32x64xf32>
        %38 = arith.addf %37, %36 : tensor<32x64xf32>
        %39 = "tt.reduce"(%36) <{axis = 1 : i32}> ({
        ^bb0(%arg11: f32, %arg12: f32):
          %44 = arith.maxnumf %arg11, %arg12 : f32
          tt.reduce.return %44 : f32
        }) : (tensor<32x64xf32>) -> tensor<32xf32>
        %40 = arith.cmpf ogt, %39, %arg8 : tensor<32xf32>
        %41 = tt.splat %arg7 : i32 -> tensor<32xi32>
        %42 = arith.select %40, %41, %arg9 : tensor<32xi1>, tensor<32xi32>
        %43 = arith.maxnumf %arg8, %39 : tensor<32xf32>
        scf.yield %43, %42, %38 : tensor<32xf32>, tensor<32xi32>, tensor<32x64xf32>
      }
      %8 = tt.splat %arg4 : i32 -> tensor<32xi32>
      %9 = arith.addi %8, %0 : tensor<32xi32>
      %10 = tt.expand_dims %9 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
      %12 = tt.addptr %11, %10 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
      %13 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %14 = tt.splat %arg2 : i32 -> tensor<1x64xi32>
      %15 = arith.muli %13, %14 : tensor<1x64xi32>
      %16 = tt.broadcast %12 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
      %17 = tt.broadcast %15 : tensor<1x64xi32> -> tensor<32x64xi32>
      %18 = tt.addptr %16, %17 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
      %19 = tt.expand_dims %7#0 {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
      %20 = tt.broadcast %19 : tensor<32x1xf32> -> tensor<32x64xf32>
      %21 = arith.subf %7#2, %20 : tensor<32x64xf32>
      tt.store %18, %21 : tensor<32x64x!tt.ptr<f32>>
      scf.yield %7#0, %7#1 : tensor<32xf32>, tensor<32xi32>
    }
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %4 = tt.addptr %3, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %5 = arith.sitofp %2#1 : tensor<32xi32> to tensor<32xf32>
    %6 = arith.addf %2#0, %5 : tensor<32xf32>
    tt.store %4, %6 : tensor<32x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 8320 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @nested(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<-1.000000e+30> : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_0 = arith.constant dense<0.899999976> : tensor<32x64xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst_1 = arith.constant dense<0> : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked1>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %5 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked>
    %6 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %7 = tt.expand_dims %4 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %8 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked2>
    %9 = arith.muli %7, %8 : tensor<1x64xi32, #blocked2>
    %10 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<1x64x!tt.ptr<f32>, #blocked2>
    %11 = tt.addptr %10, %9 : tensor<1x64x!tt.ptr<f32>, #blocked2>, tensor<1x64xi32, #blocked2>
    %12 = tt.broadcast %11 : tensor<1x64x!tt.ptr<f32>, #blocked2> -> tensor<32x64x!tt.ptr<f32>, #blocked2>
    %13:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg5 = %cst, %arg6 = %cst_1) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>)  : i32 {
      %19 = tt.splat %arg4 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %20 = arith.addi %19, %2 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %21 = tt.expand_dims %20 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %22 = arith.muli %21, %5 : tensor<32x1xi32, #blocked>
      %23 = tt.addptr %6, %22 : tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>
      %24 = tt.broadcast %23 : tensor<32x1x!tt.ptr<f16>, #blocked> -> tensor<32x64x!tt.ptr<f16>, #blocked>
      %25:3 = scf.for %arg7 = %c0_i32 to %arg3 step %c64_i32 iter_args(%arg8 = %arg5, %arg9 = %arg6, %arg10 = %cst_2) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32x64xf32, #blocked>)  : i32 {
        %35 = tt.splat %arg7 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
        %36 = arith.addi %35, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
        %37 = tt.expand_dims %36 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
        %38 = tt.broadcast %37 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
        %39 = tt.addptr %24, %38 : tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>
        %40 = tt.load %39 {tk.vector = 8 : i32} : tensor<32x64x!tt.ptr<f16>, #blocked>
        %41 = arith.extf %40 : tensor<32x64xf16, #blocked> to tensor<32x64xf32, #blocked>
        %42 = arith.mulf %arg10, %cst_0 : tensor<32x64xf32, #blocked>
        %43 = arith.addf %42, %41 : tensor<32x64xf32, #blocked>
        %44 = "tt.reduce"(%41) <{axis = 1 : i32}> ({
        ^bb0(%arg11: f32, %arg12: f32):
          %49 = arith.maxnumf %arg11, %arg12 : f32
          tt.reduce.return %49 : f32
        }) : (tensor<32x64xf32, #blocked>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
        %45 = arith.cmpf ogt, %44, %arg8 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
        %46 = tt.splat %arg7 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
        %47 = arith.select %45, %46, %arg9 : tensor<32xi1, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
        %48 = arith.maxnumf %arg8, %44 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
        scf.yield %48, %47, %43 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32x64xf32, #blocked>
      }
      %26 = tt.splat %arg4 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %27 = arith.addi %26, %1 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
      %29 = tt.broadcast %28 : tensor<32x1xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
      %30 = tt.addptr %12, %29 : tensor<32x64x!tt.ptr<f32>, #blocked2>, tensor<32x64xi32, #blocked2>
      %31 = tt.expand_dims %25#0 {axis = 1 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xf32, #blocked>
      %32 = tt.broadcast %31 : tensor<32x1xf32, #blocked> -> tensor<32x64xf32, #blocked>
      %33 = arith.subf %25#2, %32 : tensor<32x64xf32, #blocked>
      gpu.barrier
      %34 = ttg.convert_layout %33 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #blocked2>
      tt.store %30, %34 {tk.vector = 4 : i32} : tensor<32x64x!tt.ptr<f32>, #blocked2>
      scf.yield %25#0, %25#1 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    %14 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked1>
    %15 = tt.addptr %14, %0 : tensor<32x!tt.ptr<f32>, #blocked1>, tensor<32xi32, #blocked1>
    %16 = arith.sitofp %13#1 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> to tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = arith.addf %13#0, %16 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %18 = ttg.convert_layout %17 {allocation.offset = 8192 : i32, tk.allocation_size = 128 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32xf32, #blocked1>
    tt.store %15, %18 {tk.vector = 1 : i32} : tensor<32x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

