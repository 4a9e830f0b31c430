// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What the product needs passes the store of the state and its conversion.
  tt.func public @state(%k: !tt.ptr<f16>, %a: tensor<64x64xf16, #left>, %h: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %ks = tt.splat %k : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %hs = tt.splat %h : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zeros) -> (tensor<64x64xf32, #mma>) : i32 {
      %converted = ttg.convert_layout %state : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
      %all = tt.splat %i : i32 -> tensor<64x64xi32, #blocked>
      %h_at = tt.addptr %hs, %all : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      tt.store %h_at, %converted : tensor<64x64x!tt.ptr<f32>, #blocked>
      %k_at = tt.addptr %ks, %all : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %block = tt.load %k_at : tensor<64x64x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %block : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #right>
      %next = tt.dot %a, %b, %state : tensor<64x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  // The loop stores where it loads, or what it loads is for no product.
  tt.func public @stays(%k: !tt.ptr<f32>, %g: !tt.ptr<f32>, %a: tensor<64x64xf16, #left>, %out: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zeros = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #blocked>
    %ks = tt.splat %k : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %gs = tt.splat %g : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%state = %zeros, %sum = %none) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>) : i32 {
      %converted = ttg.convert_layout %state : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
      %all = tt.splat %i : i32 -> tensor<64x64xi32, #blocked>
      %k_at = tt.addptr %ks, %all : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      tt.store %k_at, %converted : tensor<64x64x!tt.ptr<f32>, #blocked>
      %block = tt.load %ks : tensor<64x64x!tt.ptr<f32>, #blocked>
      %half = arith.truncf %block : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
      %b = ttg.convert_layout %half : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #right>
      %next = tt.dot %a, %b, %state : tensor<64x64xf16, #left> * tensor<64x64xf16, #right> -> tensor<64x64xf32, #mma>
      %g_at = tt.addptr %gs, %all : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      %more = tt.load %g_at : tensor<64x64x!tt.ptr<f32>, #blocked>
      %total = arith.addf %sum, %more : tensor<64x64xf32, #blocked>
      scf.yield %next, %total : tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>
    }
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.store %outs, %s : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @state(%arg0: !tt.ptr<f16>, %arg1: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %1 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %3 = tt.splat %arg4 : i32 -> tensor<64x64xi32, #blocked>
      %4 = tt.addptr %0, %3 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %5 = tt.load %4 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %6 = ttg.convert_layout %arg5 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
      %7 = tt.addptr %1, %3 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      tt.store %7, %6 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %8 = ttg.convert_layout %5 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %9 = tt.dot %arg1, %8, %arg5 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @stays(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: !tt.ptr<f32>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %2:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst, %arg7 = %cst_0) -> (tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>)  : i32 {
      %4 = ttg.convert_layout %arg6 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
      %5 = tt.splat %arg5 : i32 -> tensor<64x64xi32, #blocked>
      %6 = tt.addptr %0, %5 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      tt.store %6, %4 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %7 = tt.load %0 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %8 = arith.truncf %7 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
      %9 = tt.addptr %1, %5 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
      %10 = tt.load %9 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %11 = ttg.convert_layout %8 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %12 = tt.dot %arg2, %11, %arg6 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %13 = arith.addf %arg7, %10 : tensor<64x64xf32, #blocked>
      scf.yield %12, %13 : tensor<64x64xf32, #mma>, tensor<64x64xf32, #blocked>
    }
    %3 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.store %3, %2#1 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

