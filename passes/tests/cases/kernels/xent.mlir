// passes: tt,ttg,llvm
// conversions: 0 in the reference
module {
  tt.func public @xent(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32>
    %cst_0 = arith.constant dense<0xFC00> : tensor<2048xf16>
    %c2048_i32 = arith.constant 2048 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<2048xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %arg1, %0 : !tt.ptr<i64>, i32
    %2 = tt.load %1 : !tt.ptr<i64>
    %3:2 = scf.for %arg5 = %c0_i32 to %arg3 step %c2048_i32 iter_args(%arg6 = %cst_1, %arg7 = %cst) -> (tensor<2048xf32>, tensor<2048xf32>)  : i32 {
      %19 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
      %20 = tt.splat %arg5 : i32 -> tensor<2048xi32>
      %21 = arith.addi %20, %19 : tensor<2048xi32>
      %22 = tt.splat %arg3 : i32 -> tensor<2048xi32>
      %23 = arith.cmpi slt, %21, %22 : tensor<2048xi32>
      %24 = arith.muli %0, %arg4 : i32
      %25 = tt.addptr %arg0, %24 : !tt.ptr<f16>, i32
      %26 = tt.splat %25 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
      %27 = tt.addptr %26, %21 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
      %28 = tt.load %27, %23, %cst_0 : tensor<2048x!tt.ptr<f16>>
      %29 = arith.extf %28 : tensor<2048xf16> to tensor<2048xf32>
      %30 = arith.maxnumf %arg6, %29 : tensor<2048xf32>
      %31 = arith.subf %arg6, %30 : tensor<2048xf32>
      %32 = math.exp %31 : tensor<2048xf32>
      %33 = arith.mulf %arg7, %32 : tensor<2048xf32>
      %34 = arith.subf %29, %30 : tensor<2048xf32>
      %35 = math.exp %34 : tensor<2048xf32>
      %36 = arith.addf %33, %35 : tensor<2048xf32>
      scf.yield %30, %36 : tensor<2048xf32>, tensor<2048xf32>
    }
    %4 = "tt.reduce"(%3#0) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %19 = arith.maxnumf %arg5, %arg6 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<2048xf32>) -> f32
    %5 = tt.splat %4 : f32 -> tensor<2048xf32>
    %6 = arith.subf %3#0, %5 : tensor<2048xf32>
    %7 = math.exp %6 : tensor<2048xf32>
    %8 = arith.mulf %3#1, %7 : tensor<2048xf32>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %19 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<2048xf32>) -> f32
    %10 = tt.addptr %arg2, %0 : !tt.ptr<f32>, i32
    %11 = math.log %9 : f32
    %12 = arith.addf %11, %4 : f32
    %13 = arith.muli %0, %arg4 : i32
    %14 = tt.addptr %arg0, %13 : !tt.ptr<f16>, i32
    %15 = tt.addptr %14, %2 : !tt.ptr<f16>, i64
    %16 = tt.load %15 : !tt.ptr<f16>
    %17 = arith.extf %16 : f16 to f32
    %18 = arith.subf %12, %17 : f32
    tt.store %10, %18 : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @xent(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i64> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<2048xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst_0 = arith.constant dense<0xFC00> : tensor<2048xf16, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<2048xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.addptr %arg1, %0 : !tt.ptr<i64>, i32
    %2 = tt.load %1 : !tt.ptr<i64>
    %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %4 = tt.splat %arg3 : i32 -> tensor<2048xi32, #blocked>
    %5 = arith.muli %0, %arg4 : i32
    %6 = tt.addptr %arg0, %5 : !tt.ptr<f16>, i32
    %7 = tt.splat %6 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>, #blocked>
    %8:2 = scf.for %arg5 = %c0_i32 to %arg3 step %c2048_i32 iter_args(%arg6 = %cst, %arg7 = %cst_1) -> (tensor<2048xf32, #blocked>, tensor<2048xf32, #blocked>)  : i32 {
      %22 = tt.splat %arg5 : i32 -> tensor<2048xi32, #blocked>
      %23 = arith.addi %22, %3 : tensor<2048xi32, #blocked>
      %24 = arith.cmpi slt, %23, %4 {tk.constancy = array<i32: 16>} : tensor<2048xi32, #blocked>
      %25 = tt.addptr %7, %23 : tensor<2048x!tt.ptr<f16>, #blocked>, tensor<2048xi32, #blocked>
      %26 = tt.load %25, %24, %cst_0 {tk.vector = 8 : i32} : tensor<2048x!tt.ptr<f16>, #blocked>
      %27 = arith.extf %26 : tensor<2048xf16, #blocked> to tensor<2048xf32, #blocked>
      %28 = arith.maxnumf %arg6, %27 : tensor<2048xf32, #blocked>
      %29 = arith.subf %arg6, %28 : tensor<2048xf32, #blocked>
      %30 = math.exp %29 : tensor<2048xf32, #blocked>
      %31 = arith.mulf %arg7, %30 : tensor<2048xf32, #blocked>
      %32 = arith.subf %27, %28 : tensor<2048xf32, #blocked>
      %33 = math.exp %32 : tensor<2048xf32, #blocked>
      %34 = arith.addf %31, %33 : tensor<2048xf32, #blocked>
      scf.yield %28, %34 : tensor<2048xf32, #blocked>, tensor<2048xf32, #blocked>
    }
    %9 = tt.addptr %6, %2 : !tt.ptr<f16>, i64
    %10 = tt.load %9 : !tt.ptr<f16>
    %11 = "tt.reduce"(%8#0) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %22 = arith.maxnumf %arg5, %arg6 : f32
      tt.reduce.return %22 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (tensor<2048xf32, #blocked>) -> f32
    %12 = tt.splat %11 : f32 -> tensor<2048xf32, #blocked>
    %13 = arith.subf %8#0, %12 : tensor<2048xf32, #blocked>
    %14 = math.exp %13 : tensor<2048xf32, #blocked>
    %15 = arith.mulf %8#1, %14 : tensor<2048xf32, #blocked>
    %16 = "tt.reduce"(%15) <{axis = 0 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %22 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %22 : f32
    }) {allocation.offset = 16 : i32, tk.allocation_size = 16 : i32} : (tensor<2048xf32, #blocked>) -> f32
    %17 = tt.addptr %arg2, %0 : !tt.ptr<f32>, i32
    %18 = math.log %16 : f32
    %19 = arith.addf %18, %11 : f32
    %20 = arith.extf %10 : f16 to f32
    %21 = arith.subf %19, %20 : f32
    tt.store %17, %21 : !tt.ptr<f32>
    tt.return
  }
}

