// passes: tt,ttg,llvm
// conversions: 0 in the reference
module {
  tt.func public @lnbwd(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf16>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<2048xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %2 = tt.splat %arg7 : i32 -> tensor<2048xi32>
    %3 = arith.cmpi slt, %1, %2 : tensor<2048xi32>
    %4 = arith.muli %0, %arg6 : i32
    %5 = tt.addptr %arg2, %4 : !tt.ptr<f16>, i32
    %6 = tt.splat %5 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %7 = tt.addptr %6, %1 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %8 = tt.load %7, %3, %cst : tensor<2048x!tt.ptr<f16>>
    %9 = arith.extf %8 : tensor<2048xf16> to tensor<2048xf32>
    %10 = tt.addptr %arg1, %4 : !tt.ptr<f16>, i32
    %11 = tt.splat %10 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %12 = tt.addptr %11, %1 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %13 = tt.load %12, %3, %cst : tensor<2048x!tt.ptr<f16>>
    %14 = arith.extf %13 : tensor<2048xf16> to tensor<2048xf32>
    %15 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %16 = tt.addptr %15, %1 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %17 = tt.load %16, %3 : tensor<2048x!tt.ptr<f16>>
    %18 = arith.extf %17 : tensor<2048xf16> to tensor<2048xf32>
    %19 = tt.addptr %arg4, %0 : !tt.ptr<f32>, i32
    %20 = tt.load %19 : !tt.ptr<f32>
    %21 = tt.addptr %arg5, %0 : !tt.ptr<f32>, i32
    %22 = tt.load %21 : !tt.ptr<f32>
    %23 = tt.splat %20 : f32 -> tensor<2048xf32>
    %24 = arith.subf %9, %23 : tensor<2048xf32>
    %25 = tt.splat %22 : f32 -> tensor<2048xf32>
    %26 = arith.mulf %24, %25 : tensor<2048xf32>
    %27 = arith.select %3, %26, %cst_0 : tensor<2048xi1>, tensor<2048xf32>
    %28 = arith.mulf %18, %14 : tensor<2048xf32>
    %29 = arith.select %3, %28, %cst_0 : tensor<2048xi1>, tensor<2048xf32>
    %30 = arith.mulf %27, %29 : tensor<2048xf32>
    %31 = "tt.reduce"(%30) <{axis = 0 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %46 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %46 : f32
    }) : (tensor<2048xf32>) -> f32
    %32 = arith.sitofp %arg7 : i32 to f32
    %33 = arith.divf %31, %32 : f32
    %34 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %46 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %46 : f32
    }) : (tensor<2048xf32>) -> f32
    %35 = arith.divf %34, %32 : f32
    %36 = tt.addptr %arg0, %4 : !tt.ptr<f16>, i32
    %37 = tt.splat %36 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %38 = tt.addptr %37, %1 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %39 = tt.splat %33 : f32 -> tensor<2048xf32>
    %40 = arith.mulf %27, %39 : tensor<2048xf32>
    %41 = tt.splat %35 : f32 -> tensor<2048xf32>
    %42 = arith.addf %40, %41 : tensor<2048xf32>
    %43 = arith.subf %29, %42 : tensor<2048xf32>
    %44 = arith.mulf %43, %25 : tensor<2048xf32>
    %45 = arith.truncf %44 : tensor<2048xf32> to tensor<2048xf16>
    tt.store %38, %45, %3 : tensor<2048x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @lnbwd(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<2048xf16, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %2 = tt.splat %arg7 : i32 -> tensor<2048xi32, #blocked>
    %3 = arith.cmpi slt, %1, %2 {tk.constancy = array<i32: 16>} : tensor<2048xi32, #blocked>
    %4 = arith.muli %0, %arg6 : i32
    %5 = tt.addptr %arg2, %4 : !tt.ptr<f16>, i32
    %6 = tt.splat %5 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #blocked>
    %7 = tt.addptr %6, %1 : tensor<2048x!tt.ptr<f16>, #blocked>, tensor<2048xi32, #blocked>
    %8 = tt.load %7, %3, %cst_0 {tk.vector = 8 : i32} : tensor<2048x!tt.ptr<f16>, #blocked>
    %9 = arith.extf %8 : tensor<2048xf16, #blocked> to tensor<2048xf32, #blocked>
    %10 = tt.addptr %arg1, %4 : !tt.ptr<f16>, i32
    %11 = tt.splat %10 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #blocked>
    %12 = tt.addptr %11, %1 : tensor<2048x!tt.ptr<f16>, #blocked>, tensor<2048xi32, #blocked>
    %13 = tt.load %12, %3, %cst_0 {tk.vector = 8 : i32} : tensor<2048x!tt.ptr<f16>, #blocked>
    %14 = arith.extf %13 : tensor<2048xf16, #blocked> to tensor<2048xf32, #blocked>
    %15 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #blocked>
    %16 = tt.addptr %15, %1 : tensor<2048x!tt.ptr<f16>, #blocked>, tensor<2048xi32, #blocked>
    %17 = tt.load %16, %3 {tk.vector = 8 : i32} : tensor<2048x!tt.ptr<f16>, #blocked>
    %18 = arith.extf %17 : tensor<2048xf16, #blocked> to tensor<2048xf32, #blocked>
    %19 = tt.addptr %arg4, %0 : !tt.ptr<f32>, i32
    %20 = tt.load %19 : !tt.ptr<f32>
    %21 = tt.addptr %arg5, %0 : !tt.ptr<f32>, i32
    %22 = tt.load %21 : !tt.ptr<f32>
    %23 = tt.splat %20 : f32 -> tensor<2048xf32, #blocked>
    %24 = arith.subf %9, %23 : tensor<2048xf32, #blocked>
    %25 = tt.splat %22 : f32 -> tensor<2048xf32, #blocked>
    %26 = arith.mulf %24, %25 : tensor<2048xf32, #blocked>
    %27 = arith.select %3, %26, %cst : tensor<2048xi1, #blocked>, tensor<2048xf32, #blocked>
    %28 = arith.mulf %18, %14 : tensor<2048xf32, #blocked>
    %29 = arith.select %3, %28, %cst : tensor<2048xi1, #blocked>, tensor<2048xf32, #blocked>
    %30 = arith.mulf %27, %29 : tensor<2048xf32, #blocked>
    %31 = "tt.reduce"(%30) <{axis = 0 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %46 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %46 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (tensor<2048xf32, #blocked>) -> f32
    %32 = arith.sitofp %arg7 : i32 to f32
    %33 = arith.divf %31, %32 : f32
    %34 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %46 = arith.addf %arg8, %arg9 : f32
      tt.reduce.return %46 : f32
    }) {allocation.offset = 16 : i32, tk.allocation_size = 16 : i32} : (tensor<2048xf32, #blocked>) -> f32
    %35 = arith.divf %34, %32 : f32
    %36 = tt.addptr %arg0, %4 : !tt.ptr<f16>, i32
    %37 = tt.splat %36 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #blocked>
    %38 = tt.addptr %37, %1 : tensor<2048x!tt.ptr<f16>, #blocked>, tensor<2048xi32, #blocked>
    %39 = tt.splat %33 : f32 -> tensor<2048xf32, #blocked>
    %40 = arith.mulf %27, %39 : tensor<2048xf32, #blocked>
    %41 = tt.splat %35 : f32 -> tensor<2048xf32, #blocked>
    %42 = arith.addf %40, %41 : tensor<2048xf32, #blocked>
    %43 = arith.subf %29, %42 : tensor<2048xf32, #blocked>
    %44 = arith.mulf %43, %25 : tensor<2048xf32, #blocked>
    %45 = arith.truncf %44 : tensor<2048xf32, #blocked> to tensor<2048xf16, #blocked>
    tt.store %38, %45, %3 {tk.vector = 8 : i32} : tensor<2048x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

