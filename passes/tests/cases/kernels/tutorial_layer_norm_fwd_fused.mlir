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
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %arg6 : i32
    %2 = tt.addptr %arg1, %1 : !tt.ptr<f16>, i32
    %3 = tt.addptr %arg0, %1 : !tt.ptr<f16>, i32
    %4 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %5 = tt.splat %arg7 : i32 -> tensor<4096xi32, #blocked>
    %6 = tt.splat %3 : !tt.ptr<f16> -> tensor<4096x!tt.ptr<f16>, #blocked>
    %7 = scf.for %arg9 = %c0_i32 to %arg7 step %c4096_i32 iter_args(%arg10 = %cst) -> (tensor<4096xf32, #blocked>)  : i32 {
      %24 = tt.splat %arg9 : i32 -> tensor<4096xi32, #blocked>
      %25 = arith.addi %24, %4 : tensor<4096xi32, #blocked>
      %26 = arith.cmpi slt, %25, %5 {tk.constancy = array<i32: 16>} : tensor<4096xi32, #blocked>
      %27 = tt.addptr %6, %25 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %28 = tt.load %27, %26, %cst_1 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %29 = arith.extf %28 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %30 = arith.addf %arg10, %29 : tensor<4096xf32, #blocked>
      scf.yield %30 : tensor<4096xf32, #blocked>
    }
    %8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %24 = arith.addf %arg9, %arg10 : f32
      tt.reduce.return %24 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (tensor<4096xf32, #blocked>) -> f32
    %9 = arith.sitofp %arg7 : i32 to f32
    %10 = arith.divf %8, %9 : f32
    %11 = tt.splat %10 : f32 -> tensor<4096xf32, #blocked>
    %12 = scf.for %arg9 = %c0_i32 to %arg7 step %c4096_i32 iter_args(%arg10 = %cst) -> (tensor<4096xf32, #blocked>)  : i32 {
      %24 = tt.splat %arg9 : i32 -> tensor<4096xi32, #blocked>
      %25 = arith.addi %24, %4 : tensor<4096xi32, #blocked>
      %26 = arith.cmpi slt, %25, %5 {tk.constancy = array<i32: 16>} : tensor<4096xi32, #blocked>
      %27 = tt.addptr %6, %25 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %28 = tt.load %27, %26, %cst_1 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %29 = arith.extf %28 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %30 = arith.subf %29, %11 : tensor<4096xf32, #blocked>
      %31 = arith.select %26, %30, %cst : tensor<4096xi1, #blocked>, tensor<4096xf32, #blocked>
      %32 = arith.mulf %31, %31 : tensor<4096xf32, #blocked>
      %33 = arith.addf %arg10, %32 : tensor<4096xf32, #blocked>
      scf.yield %33 : tensor<4096xf32, #blocked>
    }
    %13 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %24 = arith.addf %arg9, %arg10 : f32
      tt.reduce.return %24 : f32
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
    scf.for %arg9 = %c0_i32 to %arg7 step %c4096_i32  : i32 {
      %24 = tt.splat %arg9 : i32 -> tensor<4096xi32, #blocked>
      %25 = arith.addi %24, %4 : tensor<4096xi32, #blocked>
      %26 = arith.cmpi slt, %25, %5 {tk.constancy = array<i32: 16>} : tensor<4096xi32, #blocked>
      %27 = tt.addptr %20, %25 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %28 = tt.load %27, %26 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %29 = tt.addptr %21, %25 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %30 = tt.load %29, %26 {tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %31 = tt.addptr %6, %25 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %32 = tt.load %31, %26, %cst_1 {tk.last_use, tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
      %33 = arith.extf %32 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %34 = arith.subf %33, %11 : tensor<4096xf32, #blocked>
      %35 = arith.mulf %34, %22 : tensor<4096xf32, #blocked>
      %36 = arith.extf %28 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %37 = arith.mulf %35, %36 : tensor<4096xf32, #blocked>
      %38 = arith.extf %30 : tensor<4096xf16, #blocked> to tensor<4096xf32, #blocked>
      %39 = arith.addf %37, %38 : tensor<4096xf32, #blocked>
      %40 = tt.addptr %23, %25 : tensor<4096x!tt.ptr<f16>, #blocked>, tensor<4096xi32, #blocked>
      %41 = arith.truncf %39 : tensor<4096xf32, #blocked> to tensor<4096xf16, #blocked>
      tt.store %40, %41, %26 {tk.last_use, tk.vector = 8 : i32} : tensor<4096x!tt.ptr<f16>, #blocked>
    }
    tt.return
  }
}

