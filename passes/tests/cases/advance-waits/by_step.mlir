// passes: advance-waits
// warps: 8
// counts: tk.by_step} 2
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 32, 16]}>
#row = #ttg.slice<{dim = 0, parent = #mma}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Weights are computed from scores, and numbers of columns that are read, without a wait: their product starts in steps.
  tt.func public @weights(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: !ttg.memdesc<64x32xf16, #shared1, #smem>, %row: !ttg.memdesc<64xf32, #shared2, #smem>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %cst1 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma1>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %cst1) -> (tensor<128x32xf32, #mma1>) : i32 {
      %s = ttng.warp_group_dot %q, %k, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %w:2 = ttng.warp_group_dot_wait %s, %sum {pendings = 0 : i32} : tensor<128x64xf32, #mma>, tensor<128x32xf32, #mma1>
      %numbers = ttg.local_load %row : !ttg.memdesc<64xf32, #shared2, #smem> -> tensor<64xf32, #row>
      %numbers1 = tt.expand_dims %numbers {axis = 0 : i32} : tensor<64xf32, #row> -> tensor<1x64xf32, #mma>
      %numbers2 = tt.broadcast %numbers1 : tensor<1x64xf32, #mma> -> tensor<128x64xf32, #mma>
      %scaled = arith.mulf %w#0, %numbers2 : tensor<128x64xf32, #mma>
      %p = arith.maxnumf %scaled, %cst : tensor<128x64xf32, #mma>
      %half = arith.truncf %p : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %a = ttg.convert_layout %half : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %o = ttng.warp_group_dot %a, %v, %w#1 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      scf.yield %o : tensor<128x32xf32, #mma1>
    }
    tt.return
  }
  // Threads meet between the scores and the first product, so all of its words are there by then. The second one is waited for at once, and starts in steps.
  tt.func public @meeting(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: !ttg.memdesc<64x32xf16, #shared1, #smem>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %cst1 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma1>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %cst1, %sum1 = %cst1) -> (tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>) : i32 {
      %s = ttng.warp_group_dot %q, %k, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %half = arith.truncf %w : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %a = ttg.convert_layout %half : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      gpu.barrier
      %o = ttng.warp_group_dot %a, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      %s1 = ttng.warp_group_dot %q, %k, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %w1:2 = ttng.warp_group_dot_wait %s1, %o {pendings = 0 : i32} : tensor<128x64xf32, #mma>, tensor<128x32xf32, #mma1>
      %half1 = arith.truncf %w1#0 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %a1 = ttg.convert_layout %half1 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %o1 = ttng.warp_group_dot %a1, %v, %sum1 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      %o2 = ttng.warp_group_dot_wait %o1 {pendings = 0 : i32} : tensor<128x32xf32, #mma1>
      scf.yield %w1#1, %o2 : tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>
    }
    tt.return
  }
  // Weights need what is largest in their row of scores. And an operand that is there before the loop, or comes from no product, waits for none.
  tt.func public @others(%q: !ttg.memdesc<128x64xf16, #shared, #smem>, %k: !ttg.memdesc<64x64xf16, #shared, #smem>, %v: !ttg.memdesc<64x32xf16, #shared1, #smem>, %held: tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %cst1 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma1>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%sum = %cst1, %sum1 = %cst1) -> (tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>) : i32 {
      %s = ttng.warp_group_dot %q, %k, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %o1 = ttng.warp_group_dot %held, %v, %sum1 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      %w1:2 = ttng.warp_group_dot_wait %o1, %w {pendings = 0 : i32} : tensor<128x32xf32, #mma1>, tensor<128x64xf32, #mma>
      %largest = "tt.reduce"(%w1#1) <{axis = 1 : i32}> ({
      ^bb0(%x: f32, %y: f32):
        %z = arith.maxnumf %x, %y : f32
        tt.reduce.return %z : f32
      }) : (tensor<128x64xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %largest1 = tt.expand_dims %largest {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %largest2 = tt.broadcast %largest1 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %less = arith.subf %w1#1, %largest2 : tensor<128x64xf32, #mma>
      %half = arith.truncf %less : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %a = ttg.convert_layout %half : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %o = ttng.warp_group_dot %a, %v, %sum {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      scf.yield %o, %w1#0 : tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>
    }
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared2 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @weights(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: !ttg.memdesc<64x32xf16, #shared1, #smem>, %arg3: !ttg.memdesc<64xf32, #shared2, #smem>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma1>
    %0 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0) -> (tensor<128x32xf32, #mma1>)  : i32 {
      %1 = ttng.warp_group_dot %arg0, %arg1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %2:2 = ttng.warp_group_dot_wait %1, %arg6 {pendings = 0 : i32} : tensor<128x64xf32, #mma>, tensor<128x32xf32, #mma1>
      %3 = ttg.local_load %arg3 : !ttg.memdesc<64xf32, #shared2, #smem> -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>>
      %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %5 = tt.broadcast %4 : tensor<1x64xf32, #mma> -> tensor<128x64xf32, #mma>
      %6 = arith.mulf %2#0, %5 : tensor<128x64xf32, #mma>
      %7 = arith.maxnumf %6, %cst : tensor<128x64xf32, #mma>
      %8 = arith.truncf %7 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %9 = ttg.convert_layout %8 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %10 = ttng.warp_group_dot %9, %arg2, %2#1 {inputPrecision = 0 : i32, isAsync = true, tk.by_step} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      scf.yield %10 : tensor<128x32xf32, #mma1>
    }
    tt.return
  }
  tt.func public @meeting(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: !ttg.memdesc<64x32xf16, #shared1, #smem>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma1>
    %0:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_0, %arg6 = %cst_0) -> (tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>)  : i32 {
      %1 = ttng.warp_group_dot %arg0, %arg1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %2 = ttng.warp_group_dot_wait %1 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %3 = arith.truncf %2 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %4 = ttg.convert_layout %3 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      gpu.barrier
      %5 = ttng.warp_group_dot %4, %arg2, %arg5 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      %6 = ttng.warp_group_dot %arg0, %arg1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %7:2 = ttng.warp_group_dot_wait %6, %5 {pendings = 0 : i32} : tensor<128x64xf32, #mma>, tensor<128x32xf32, #mma1>
      %8 = arith.truncf %7#0 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %9 = ttg.convert_layout %8 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %10 = ttng.warp_group_dot %9, %arg2, %arg6 {inputPrecision = 0 : i32, isAsync = true, tk.by_step} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      %11 = ttng.warp_group_dot_wait %10 {pendings = 0 : i32} : tensor<128x32xf32, #mma1>
      scf.yield %7#1, %11 : tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>
    }
    tt.return
  }
  tt.func public @others(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: !ttg.memdesc<64x32xf16, #shared1, #smem>, %arg3: tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x32xf32, #mma1>
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst_0) -> (tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>)  : i32 {
      %1 = ttng.warp_group_dot %arg0, %arg1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma>
      %2 = ttng.warp_group_dot_wait %1 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %3 = ttng.warp_group_dot %arg3, %arg2, %arg7 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      %4:2 = ttng.warp_group_dot_wait %3, %2 {pendings = 0 : i32} : tensor<128x32xf32, #mma1>, tensor<128x64xf32, #mma>
      %5 = "tt.reduce"(%4#1) <{axis = 1 : i32}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        %12 = arith.maxnumf %arg8, %arg9 : f32
        tt.reduce.return %12 : f32
      }) : (tensor<128x64xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<128x1xf32, #mma>
      %7 = tt.broadcast %6 : tensor<128x1xf32, #mma> -> tensor<128x64xf32, #mma>
      %8 = arith.subf %4#1, %7 : tensor<128x64xf32, #mma>
      %9 = arith.truncf %8 : tensor<128x64xf32, #mma> to tensor<128x64xf16, #mma>
      %10 = ttg.convert_layout %9 : tensor<128x64xf16, #mma> -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %11 = ttng.warp_group_dot %10, %arg2, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<64x32xf16, #shared1, #smem> -> tensor<128x32xf32, #mma1>
      scf.yield %11, %4#0 : tensor<128x32xf32, #mma1>, tensor<128x32xf32, #mma1>
    }
    tt.return
  }
}

