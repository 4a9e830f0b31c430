// passes: tt,ttg,llvm
// conversions: 0 in the reference
module {
  tt.func public @softmax_loop(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFC00> : tensor<1024xf16>
    %c1024_i32 = arith.constant 1024 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tt.get_program_id x : i32
    %1:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg5 = %cst_1, %arg6 = %cst_0) -> (f32, f32)  : i32 {
      %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
      %3 = tt.splat %arg4 : i32 -> tensor<1024xi32>
      %4 = arith.addi %3, %2 : tensor<1024xi32>
      %5 = tt.splat %arg2 : i32 -> tensor<1024xi32>
      %6 = arith.cmpi slt, %4, %5 : tensor<1024xi32>
      %7 = arith.muli %0, %arg3 : i32
      %8 = tt.addptr %arg0, %7 : !tt.ptr<f16>, i32
      %9 = tt.splat %8 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %10 = tt.addptr %9, %4 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %11 = tt.load %10, %6, %cst : tensor<1024x!tt.ptr<f16>>
      %12 = arith.extf %11 : tensor<1024xf16> to tensor<1024xf32>
      %13 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %23 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %23 : f32
      }) : (tensor<1024xf32>) -> f32
      %14 = arith.maxnumf %arg5, %13 : f32
      %15 = arith.subf %arg5, %14 : f32
      %16 = math.exp %15 : f32
      %17 = arith.mulf %arg6, %16 : f32
      %18 = tt.splat %14 : f32 -> tensor<1024xf32>
      %19 = arith.subf %12, %18 : tensor<1024xf32>
      %20 = math.exp %19 : tensor<1024xf32>
      %21 = "tt.reduce"(%20) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %23 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %23 : f32
      }) : (tensor<1024xf32>) -> f32
      %22 = arith.addf %17, %21 : f32
      scf.yield %14, %22 : f32, f32
    }
    scf.for %arg4 = %c0_i32 to %arg2 step %c1024_i32  : i32 {
      %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
      %3 = tt.splat %arg4 : i32 -> tensor<1024xi32>
      %4 = arith.addi %3, %2 : tensor<1024xi32>
      %5 = tt.splat %arg2 : i32 -> tensor<1024xi32>
      %6 = arith.cmpi slt, %4, %5 : tensor<1024xi32>
      %7 = arith.muli %0, %arg3 : i32
      %8 = tt.addptr %arg0, %7 : !tt.ptr<f16>, i32
      %9 = tt.splat %8 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %10 = tt.addptr %9, %4 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %11 = tt.load %10, %6, %cst : tensor<1024x!tt.ptr<f16>>
      %12 = arith.extf %11 : tensor<1024xf16> to tensor<1024xf32>
      %13 = tt.addptr %arg1, %7 : !tt.ptr<f16>, i32
      %14 = tt.splat %13 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %15 = tt.addptr %14, %4 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %16 = tt.splat %1#0 : f32 -> tensor<1024xf32>
      %17 = arith.subf %12, %16 : tensor<1024xf32>
      %18 = math.exp %17 : tensor<1024xf32>
      %19 = tt.splat %1#1 : f32 -> tensor<1024xf32>
      %20 = arith.divf %18, %19 : tensor<1024xf32>
      %21 = arith.truncf %20 : tensor<1024xf32> to tensor<1024xf16>
      tt.store %15, %21, %6 : tensor<1024x!tt.ptr<f16>>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @softmax_loop(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst_1 = arith.constant dense<0xFC00> : tensor<1024xf16, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %3 = arith.muli %0, %arg3 : i32
    %4 = tt.addptr %arg0, %3 : !tt.ptr<f16>, i32
    %5 = tt.splat %4 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %6:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg5 = %cst, %arg6 = %cst_0) -> (f32, f32)  : i32 {
      %11 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<1024xi32, #blocked>
      %13 = arith.cmpi slt, %12, %2 {tk.constancy = array<i32: 16>} : tensor<1024xi32, #blocked>
      %14 = tt.addptr %5, %12 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      %15 = tt.load %14, %13, %cst_1 {tk.vector = 8 : i32} : tensor<1024x!tt.ptr<f16>, #blocked>
      %16 = arith.extf %15 : tensor<1024xf16, #blocked> to tensor<1024xf32, #blocked>
      %17 = "tt.reduce"(%16) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %27 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %27 : f32
      }) {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (tensor<1024xf32, #blocked>) -> f32
      %18 = arith.maxnumf %arg5, %17 : f32
      %19 = arith.subf %arg5, %18 : f32
      %20 = math.exp %19 : f32
      %21 = arith.mulf %arg6, %20 : f32
      %22 = tt.splat %18 : f32 -> tensor<1024xf32, #blocked>
      %23 = arith.subf %16, %22 : tensor<1024xf32, #blocked>
      %24 = math.exp %23 : tensor<1024xf32, #blocked>
      %25 = "tt.reduce"(%24) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %27 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %27 : f32
      }) {allocation.offset = 16 : i32, tk.allocation_size = 16 : i32} : (tensor<1024xf32, #blocked>) -> f32
      %26 = arith.addf %21, %25 : f32
      scf.yield %18, %26 : f32, f32
    }
    %7 = tt.addptr %arg1, %3 : !tt.ptr<f16>, i32
    %8 = tt.splat %7 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %9 = tt.splat %6#0 : f32 -> tensor<1024xf32, #blocked>
    %10 = tt.splat %6#1 : f32 -> tensor<1024xf32, #blocked>
    scf.for %arg4 = %c0_i32 to %arg2 step %c1024_i32  : i32 {
      %11 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %12 = arith.addi %11, %1 : tensor<1024xi32, #blocked>
      %13 = arith.cmpi slt, %12, %2 {tk.constancy = array<i32: 16>} : tensor<1024xi32, #blocked>
      %14 = tt.addptr %5, %12 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      %15 = tt.load %14, %13, %cst_1 {tk.last_use, tk.vector = 8 : i32} : tensor<1024x!tt.ptr<f16>, #blocked>
      %16 = arith.extf %15 : tensor<1024xf16, #blocked> to tensor<1024xf32, #blocked>
      %17 = tt.addptr %8, %12 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      %18 = arith.subf %16, %9 : tensor<1024xf32, #blocked>
      %19 = math.exp %18 : tensor<1024xf32, #blocked>
      %20 = arith.divf %19, %10 : tensor<1024xf32, #blocked>
      %21 = arith.truncf %20 : tensor<1024xf32, #blocked> to tensor<1024xf16, #blocked>
      tt.store %17, %21, %13 {tk.last_use, tk.vector = 8 : i32} : tensor<1024x!tt.ptr<f16>, #blocked>
    }
    tt.return
  }
}

