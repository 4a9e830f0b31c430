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
    %c5120_i32 = arith.constant 5120 : i32
    %c1_i32 = arith.constant 1 : i32
    %c1_i64 = arith.constant 1 : i64
    %c2048_i64 = arith.constant 2048 : i64
    %c-1024_i32 = arith.constant -1024 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c1023_i32 = arith.constant 1023 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %3 = arith.muli %0, %arg3 : i32
    %4 = tt.addptr %arg0, %3 : !tt.ptr<f16>, i32
    %5 = tt.splat %4 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %6:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg5 = %cst, %arg6 = %cst_0) -> (f32, f32)  : i32 {
      %13 = tt.splat %arg4 : i32 -> tensor<1024xi32, #blocked>
      %14 = arith.addi %13, %1 : tensor<1024xi32, #blocked>
      %15 = arith.cmpi slt, %14, %2 {tk.constancy = array<i32: 16>} : tensor<1024xi32, #blocked>
      %16 = tt.addptr %5, %14 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      %17 = tt.load %16, %15, %cst_1 {tk.vector = 8 : i32} : tensor<1024x!tt.ptr<f16>, #blocked>
      %18 = arith.extf %17 : tensor<1024xf16, #blocked> to tensor<1024xf32, #blocked>
      %19 = "tt.reduce"(%18) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %29 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %29 : f32
      }) {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (tensor<1024xf32, #blocked>) -> f32
      %20 = arith.maxnumf %arg5, %19 : f32
      %21 = arith.subf %arg5, %20 : f32
      %22 = math.exp %21 : f32
      %23 = arith.mulf %arg6, %22 : f32
      %24 = tt.splat %20 : f32 -> tensor<1024xf32, #blocked>
      %25 = arith.subf %18, %24 : tensor<1024xf32, #blocked>
      %26 = math.exp %25 : tensor<1024xf32, #blocked>
      %27 = "tt.reduce"(%26) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %29 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %29 : f32
      }) {allocation.offset = 16 : i32, tk.allocation_size = 16 : i32} : (tensor<1024xf32, #blocked>) -> f32
      %28 = arith.addf %23, %27 : f32
      scf.yield %20, %28 : f32, f32
    }
    %7 = tt.addptr %arg1, %3 : !tt.ptr<f16>, i32
    %8 = tt.splat %7 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>, #blocked>
    %9 = tt.splat %6#0 : f32 -> tensor<1024xf32, #blocked>
    %10 = tt.splat %6#1 : f32 -> tensor<1024xf32, #blocked>
    %11 = arith.cmpi sgt, %arg2, %c5120_i32 : i32
    %12:2 = scf.if %11 -> (i32, i32) {
      %13 = arith.maxsi %arg2, %c0_i32 : i32
      %14 = arith.addi %13, %c1023_i32 : i32
      %15 = arith.divui %14, %c1024_i32 : i32
      %16 = arith.extui %15 : i32 to i64
      %17 = arith.subi %16, %c1_i64 : i64
      %18 = tt.ptr_to_int %4 : !tt.ptr<f16> -> i64
      %19 = arith.muli %17, %c2048_i64 : i64
      %20 = arith.addi %18, %19 : i64
      %21 = arith.minsi %18, %20 : i64
      %22 = arith.maxsi %18, %20 : i64
      %23 = arith.addi %22, %c2048_i64 : i64
      %24 = tt.ptr_to_int %7 : !tt.ptr<f16> -> i64
      %25 = arith.addi %24, %19 : i64
      %26 = arith.minsi %24, %25 : i64
      %27 = arith.maxsi %24, %25 : i64
      %28 = arith.addi %27, %c2048_i64 : i64
      %29 = arith.cmpi sle, %23, %26 : i64
      %30 = arith.cmpi sle, %28, %21 : i64
      %31 = arith.ori %29, %30 : i1
      %32 = arith.subi %21, %26 : i64
      %33 = arith.addi %32, %c2048_i64 : i64
      %34 = arith.cmpi sge, %33, %c2048_i64 : i64
      %35 = arith.ori %31, %34 : i1
      %36 = arith.subi %26, %21 : i64
      %37 = arith.addi %36, %c2048_i64 : i64
      %38 = arith.cmpi sge, %37, %c2048_i64 : i64
      %39 = arith.ori %31, %38 : i1
      %40 = arith.andi %35, %39 : i1
      %41 = arith.muli %15, %c1024_i32 : i32
      %42 = arith.addi %41, %c-1024_i32 : i32
      %43 = arith.select %40, %42, %c0_i32 : i32
      %44 = arith.select %40, %c-1_i32, %c1_i32 : i32
      scf.yield %43, %44 : i32, i32
    } else {
      scf.yield %c0_i32, %c1_i32 : i32, i32
    }
    scf.for %arg4 = %c0_i32 to %arg2 step %c1024_i32  : i32 {
      %13 = arith.muli %arg4, %12#1 : i32
      %14 = arith.addi %12#0, %13 : i32
      %15 = tt.splat %14 : i32 -> tensor<1024xi32, #blocked>
      %16 = arith.addi %15, %1 : tensor<1024xi32, #blocked>
      %17 = arith.cmpi slt, %16, %2 {tk.constancy = array<i32: 16>} : tensor<1024xi32, #blocked>
      %18 = tt.addptr %5, %16 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      %19 = tt.load %18, %17, %cst_1 {tk.last_use, tk.vector = 8 : i32} : tensor<1024x!tt.ptr<f16>, #blocked>
      %20 = arith.extf %19 : tensor<1024xf16, #blocked> to tensor<1024xf32, #blocked>
      %21 = tt.addptr %8, %16 : tensor<1024x!tt.ptr<f16>, #blocked>, tensor<1024xi32, #blocked>
      %22 = arith.subf %20, %9 : tensor<1024xf32, #blocked>
      %23 = math.exp %22 : tensor<1024xf32, #blocked>
      %24 = arith.divf %23, %10 : tensor<1024xf32, #blocked>
      %25 = arith.truncf %24 : tensor<1024xf32, #blocked> to tensor<1024xf16, #blocked>
      tt.store %21, %25, %17 {tk.last_use, tk.vector = 8 : i32} : tensor<1024x!tt.ptr<f16>, #blocked>
    }
    tt.return
  }
}

