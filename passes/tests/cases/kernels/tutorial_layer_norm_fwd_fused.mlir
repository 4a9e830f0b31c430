// passes: tt,ttg,llvm
// conversions: 0 in the reference
module {
  tt.func public @_layer_norm_fwd_fused(%X: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %Y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %W: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %B: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %Mean: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %Rstd: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %stride: i32 {tt.divisibility = 16 : i32}, %N: i32 {tt.divisibility = 16 : i32}, %eps: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<4096xf16>
    %c4096_i32 = arith.constant 4096 : i32
    %c0_i32 = arith.constant 0 : i32
    %rstd = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<4096xf32>
    %row = tt.get_program_id x : i32
    %Y_1 = arith.muli %row, %stride : i32
    %Y_2 = tt.addptr %Y, %Y_1 : !tt.ptr<f16>, i32
    %X_3 = tt.addptr %X, %Y_1 : !tt.ptr<f16>, i32
    %_mean = scf.for %off = %c0_i32 to %N step %c4096_i32 iter_args(%_mean_10 = %cst_0) -> (tensor<4096xf32>)  : i32 {
      %cols = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
      %cols_11 = tt.splat %off : i32 -> tensor<4096xi32>
      %cols_12 = arith.addi %cols_11, %cols : tensor<4096xi32>
      %a = tt.splat %N : i32 -> tensor<4096xi32>
      %a_13 = arith.cmpi slt, %cols_12, %a : tensor<4096xi32>
      %a_14 = tt.splat %X_3 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
      %a_15 = tt.addptr %a_14, %cols_12 : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
      %a_16 = tt.load %a_15, %a_13, %cst : tensor<4096x!tt.ptr<f16>>
      %a_17 = arith.extf %a_16 : tensor<4096xf16> to tensor<4096xf32>
      %_mean_18 = arith.addf %_mean_10, %a_17 : tensor<4096xf32>
      scf.yield %_mean_18 : tensor<4096xf32>
    }
    %mean = "tt.reduce"(%_mean) <{axis = 0 : i32}> ({
    ^bb0(%mean_10: f32, %mean_11: f32):
      %mean_12 = arith.addf %mean_10, %mean_11 : f32
      tt.reduce.return %mean_12 : f32
    }) : (tensor<4096xf32>) -> f32
    %mean_4 = arith.sitofp %N : i32 to f32
    %mean_5 = arith.divf %mean, %mean_4 : f32
    %_var = scf.for %off = %c0_i32 to %N step %c4096_i32 iter_args(%_var_10 = %cst_0) -> (tensor<4096xf32>)  : i32 {
      %cols = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
      %cols_11 = tt.splat %off : i32 -> tensor<4096xi32>
      %cols_12 = arith.addi %cols_11, %cols : tensor<4096xi32>
      %x = tt.splat %N : i32 -> tensor<4096xi32>
      %x_13 = arith.cmpi slt, %cols_12, %x : tensor<4096xi32>
      %x_14 = tt.splat %X_3 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
      %x_15 = tt.addptr %x_14, %cols_12 : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
      %x_16 = tt.load %x_15, %x_13, %cst : tensor<4096x!tt.ptr<f16>>
      %x_17 = arith.extf %x_16 : tensor<4096xf16> to tensor<4096xf32>
      %x_18 = tt.splat %mean_5 : f32 -> tensor<4096xf32>
      %x_19 = arith.subf %x_17, %x_18 : tensor<4096xf32>
      %x_20 = arith.select %x_13, %x_19, %cst_0 : tensor<4096xi1>, tensor<4096xf32>
      %_var_21 = arith.mulf %x_20, %x_20 : tensor<4096xf32>
      %_var_22 = arith.addf %_var_10, %_var_21 : tensor<4096xf32>
      scf.yield %_var_22 : tensor<4096xf32>
    }
    %var = "tt.reduce"(%_var) <{axis = 0 : i32}> ({
    ^bb0(%var_10: f32, %var_11: f32):
      %var_12 = arith.addf %var_10, %var_11 : f32
      tt.reduce.return %var_12 : f32
    }) : (tensor<4096xf32>) -> f32
    %var_6 = arith.divf %var, %mean_4 : f32
    %rstd_7 = arith.addf %var_6, %eps : f32
    %rstd_8 = math.sqrt %rstd_7 : f32
    %rstd_9 = arith.divf %rstd, %rstd_8 : f32
    %0 = tt.addptr %Mean, %row : !tt.ptr<f32>, i32
    tt.store %0, %mean_5 : !tt.ptr<f32>
    %1 = tt.addptr %Rstd, %row : !tt.ptr<f32>, i32
    tt.store %1, %rstd_9 : !tt.ptr<f32>
    scf.for %off = %c0_i32 to %N step %c4096_i32  : i32 {
      %cols = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
      %cols_10 = tt.splat %off : i32 -> tensor<4096xi32>
      %cols_11 = arith.addi %cols_10, %cols : tensor<4096xi32>
      %mask = tt.splat %N : i32 -> tensor<4096xi32>
      %mask_12 = arith.cmpi slt, %cols_11, %mask : tensor<4096xi32>
      %w = tt.splat %W : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
      %w_13 = tt.addptr %w, %cols_11 : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
      %w_14 = tt.load %w_13, %mask_12 : tensor<4096x!tt.ptr<f16>>
      %b = tt.splat %B : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
      %b_15 = tt.addptr %b, %cols_11 : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
      %b_16 = tt.load %b_15, %mask_12 : tensor<4096x!tt.ptr<f16>>
      %x = tt.splat %X_3 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
      %x_17 = tt.addptr %x, %cols_11 : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
      %x_18 = tt.load %x_17, %mask_12, %cst : tensor<4096x!tt.ptr<f16>>
      %x_19 = arith.extf %x_18 : tensor<4096xf16> to tensor<4096xf32>
      %x_hat = tt.splat %mean_5 : f32 -> tensor<4096xf32>
      %x_hat_20 = arith.subf %x_19, %x_hat : tensor<4096xf32>
      %x_hat_21 = tt.splat %rstd_9 : f32 -> tensor<4096xf32>
      %x_hat_22 = arith.mulf %x_hat_20, %x_hat_21 : tensor<4096xf32>
      %y = arith.extf %w_14 : tensor<4096xf16> to tensor<4096xf32>
      %y_23 = arith.mulf %x_hat_22, %y : tensor<4096xf32>
      %y_24 = arith.extf %b_16 : tensor<4096xf16> to tensor<4096xf32>
      %y_25 = arith.addf %y_23, %y_24 : tensor<4096xf32>
      %2 = tt.splat %Y_2 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>>
      %3 = tt.addptr %2, %cols_11 : tensor<4096x!tt.ptr<f16>>, tensor<4096xi32>
      %4 = arith.truncf %y_25 : tensor<4096xf32> to tensor<4096xf16>
      tt.store %3, %4, %mask_12 : tensor<4096x!tt.ptr<f16>>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @_layer_norm_fwd_fused(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg5: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg6: i32 {tt.divisibility = 16 : i32}, %arg7: i32 {tt.divisibility = 16 : i32}, %arg8: f32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<4096xf32, #blocked>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %c0_i32 = arith.constant 0 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<4096xf16, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %c1_i64 = arith.constant 1 : i64
    %c8192_i64 = arith.constant 8192 : i64
    %c-4096_i32 = arith.constant -4096 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c4095_i32 = arith.constant 4095 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %arg6 : i32
    %2 = tt.addptr %arg1, %1 : !tt.ptr<f16>, i32
    %3 = tt.addptr %arg0, %1 : !tt.ptr<f16>, i32
    %4 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %5 = tt.splat %arg7 : i32 -> tensor<4096xi32, #blocked>
    %6 = tt.splat %3 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>, #blocked>
    %7 = scf.for %arg9 = %c0_i32 to %arg7 step %c4096_i32 iter_args(%arg10 = %cst) -> (tensor<4096xf32, #blocked>)  : i32 {
      %26 = tt.splat %arg9 : i32 -> tensor<4096xi32, #blocked>
      %27 = arith.addi %26, %4 : tensor<4096xi32, #blocked>
      %28 = arith.cmpi slt, %27, %5 {tk.constancy = array<i32: 16>} : tensor<4096xi32, #blocked>
      %29 = tt.addptr %6, %27 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %30 = tt.load %29, %28, %cst_1 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %31 = arith.extf %30 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %32 = arith.addf %arg10, %31 : tensor<4096xf32, #blocked>
      scf.yield %32 : tensor<4096xf32, #blocked>
    }
    %8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %26 = arith.addf %arg9, %arg10 : f32
      tt.reduce.return %26 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (tensor<4096xf32, #blocked>) -> f32
    %9 = arith.sitofp %arg7 : i32 to f32
    %10 = arith.divf %8, %9 : f32
    %11 = tt.splat %10 : f32 -> tensor<4096xf32, #blocked>
    %12 = scf.for %arg9 = %c0_i32 to %arg7 step %c4096_i32 iter_args(%arg10 = %cst) -> (tensor<4096xf32, #blocked>)  : i32 {
      %26 = tt.splat %arg9 : i32 -> tensor<4096xi32, #blocked>
      %27 = arith.addi %26, %4 : tensor<4096xi32, #blocked>
      %28 = arith.cmpi slt, %27, %5 {tk.constancy = array<i32: 16>} : tensor<4096xi32, #blocked>
      %29 = tt.addptr %6, %27 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %30 = tt.load %29, %28, %cst_1 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %31 = arith.extf %30 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %32 = arith.subf %31, %11 : tensor<4096xf32, #blocked>
      %33 = arith.select %28, %32, %cst : tensor<4096xi1, #blocked>, tensor<4096xf32, #blocked>
      %34 = arith.mulf %33, %33 : tensor<4096xf32, #blocked>
      %35 = arith.addf %arg10, %34 : tensor<4096xf32, #blocked>
      scf.yield %35 : tensor<4096xf32, #blocked>
    }
    %13 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %26 = arith.addf %arg9, %arg10 : f32
      tt.reduce.return %26 : f32
    }) {allocation.offset = 16 : i32, tk.allocation_size = 16 : i32} : (tensor<4096xf32, #blocked>) -> f32
    %14 = arith.divf %13, %9 : f32
    %15 = arith.addf %14, %arg8 : f32
    %16 = math.sqrt %15 : f32
    %17 = arith.divf %cst_0, %16 : f32
    %18 = tt.addptr %arg4, %0 : !tt.ptr<f32>, i32
    tt.store %18, %10 : !tt.ptr<f32>
    %19 = tt.addptr %arg5, %0 : !tt.ptr<f32>, i32
    tt.store %19, %17 : !tt.ptr<f32>
    %20 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>, #blocked>
    %21 = tt.splat %arg3 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>, #blocked>
    %22 = tt.splat %17 : f32 -> tensor<4096xf32, #blocked>
    %23 = tt.splat %2 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>, #blocked>
    %24 = arith.cmpi sgt, %arg7, %c4096_i32 : i32
    %25:2 = scf.if %24 -> (i32, i32) {
      %26 = arith.maxsi %arg7, %c0_i32 : i32
      %27 = arith.addi %26, %c4095_i32 : i32
      %28 = arith.divui %27, %c4096_i32 : i32
      %29 = arith.extui %28 : i32 to i64
      %30 = arith.subi %29, %c1_i64 : i64
      %31 = tt.ptr_to_int %arg2 : !tt.ptr<f16> -> i64
      %32 = arith.muli %30, %c8192_i64 : i64
      %33 = arith.addi %31, %32 : i64
      %34 = arith.minsi %31, %33 : i64
      %35 = arith.maxsi %31, %33 : i64
      %36 = arith.addi %35, %c8192_i64 : i64
      %37 = tt.ptr_to_int %2 : !tt.ptr<f16> -> i64
      %38 = arith.addi %37, %32 : i64
      %39 = arith.minsi %37, %38 : i64
      %40 = arith.maxsi %37, %38 : i64
      %41 = arith.addi %40, %c8192_i64 : i64
      %42 = arith.cmpi sle, %36, %39 : i64
      %43 = arith.cmpi sle, %41, %34 : i64
      %44 = arith.ori %42, %43 : i1
      %45 = arith.subi %34, %39 : i64
      %46 = arith.addi %45, %c8192_i64 : i64
      %47 = arith.cmpi sge, %46, %c8192_i64 : i64
      %48 = arith.ori %44, %47 : i1
      %49 = arith.subi %39, %34 : i64
      %50 = arith.addi %49, %c8192_i64 : i64
      %51 = arith.cmpi sge, %50, %c8192_i64 : i64
      %52 = arith.ori %44, %51 : i1
      %53 = arith.andi %48, %52 : i1
      %54 = tt.ptr_to_int %arg3 : !tt.ptr<f16> -> i64
      %55 = arith.addi %54, %32 : i64
      %56 = arith.minsi %54, %55 : i64
      %57 = arith.maxsi %54, %55 : i64
      %58 = arith.addi %57, %c8192_i64 : i64
      %59 = arith.cmpi sle, %58, %39 : i64
      %60 = arith.cmpi sle, %41, %56 : i64
      %61 = arith.ori %59, %60 : i1
      %62 = arith.subi %56, %39 : i64
      %63 = arith.addi %62, %c8192_i64 : i64
      %64 = arith.cmpi sge, %63, %c8192_i64 : i64
      %65 = arith.ori %61, %64 : i1
      %66 = arith.andi %53, %65 : i1
      %67 = arith.subi %39, %56 : i64
      %68 = arith.addi %67, %c8192_i64 : i64
      %69 = arith.cmpi sge, %68, %c8192_i64 : i64
      %70 = arith.ori %61, %69 : i1
      %71 = arith.andi %66, %70 : i1
      %72 = tt.ptr_to_int %3 : !tt.ptr<f16> -> i64
      %73 = arith.addi %72, %32 : i64
      %74 = arith.minsi %72, %73 : i64
      %75 = arith.maxsi %72, %73 : i64
      %76 = arith.addi %75, %c8192_i64 : i64
      %77 = arith.cmpi sle, %76, %39 : i64
      %78 = arith.cmpi sle, %41, %74 : i64
      %79 = arith.ori %77, %78 : i1
      %80 = arith.subi %74, %39 : i64
      %81 = arith.addi %80, %c8192_i64 : i64
      %82 = arith.cmpi sge, %81, %c8192_i64 : i64
      %83 = arith.ori %79, %82 : i1
      %84 = arith.andi %71, %83 : i1
      %85 = arith.subi %39, %74 : i64
      %86 = arith.addi %85, %c8192_i64 : i64
      %87 = arith.cmpi sge, %86, %c8192_i64 : i64
      %88 = arith.ori %79, %87 : i1
      %89 = arith.andi %84, %88 : i1
      %90 = arith.muli %28, %c4096_i32 : i32
      %91 = arith.addi %90, %c-4096_i32 : i32
      %92 = arith.select %89, %91, %c0_i32 : i32
      %93 = arith.select %89, %c-1_i32, %c1_i32 : i32
      scf.yield %92, %93 : i32, i32
    } else {
      scf.yield %c0_i32, %c1_i32 : i32, i32
    }
    scf.for %arg9 = %c0_i32 to %arg7 step %c4096_i32  : i32 {
      %26 = arith.muli %arg9, %25#1 : i32
      %27 = arith.addi %25#0, %26 : i32
      %28 = tt.splat %27 : i32 -> tensor<4096xi32, #blocked>
      %29 = arith.addi %28, %4 : tensor<4096xi32, #blocked>
      %30 = arith.cmpi slt, %29, %5 {tk.constancy = array<i32: 16>} : tensor<4096xi32, #blocked>
      %31 = tt.addptr %20, %29 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %32 = tt.load %31, %30 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %33 = tt.addptr %21, %29 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %34 = tt.load %33, %30 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %35 = tt.addptr %6, %29 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %36 = tt.load %35, %30, %cst_1 {tk.last_use, tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %37 = arith.extf %36 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %38 = arith.subf %37, %11 : tensor<4096xf32, #blocked>
      %39 = arith.mulf %38, %22 : tensor<4096xf32, #blocked>
      %40 = arith.extf %32 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %41 = arith.mulf %39, %40 : tensor<4096xf32, #blocked>
      %42 = arith.extf %34 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %43 = arith.addf %41, %42 : tensor<4096xf32, #blocked>
      %44 = tt.addptr %23, %29 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %45 = arith.truncf %43 : tensor<4096xf32, #blocked> to tensor<4096xf16, #blocked>
      tt.store %44, %45, %30 {tk.last_use, tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
    }
    tt.return
  }
}

