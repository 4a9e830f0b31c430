// passes: hoist-operands
// target: sm_90a
// counts: ttg.convert_layout 5, ttg.local_alloc 1, arith.mulf 6
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The scaled block is written once, before the first branch.
  tt.func public @three(%kp: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %k = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #blocked>
    %c0 = arith.constant 0 : i32
    %is0 = arith.cmpi sgt, %n, %c0 : i32
    %r0 = scf.if %is0 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<2.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %zero {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %zero : tensor<64x64xf32, #mma>
    }
    %c1 = arith.constant 1 : i32
    %is1 = arith.cmpi sgt, %n, %c1 : i32
    %r1 = scf.if %is1 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<2.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %r0 {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %r0 : tensor<64x64xf32, #mma>
    }
    %c2 = arith.constant 2 : i32
    %is2 = arith.cmpi sgt, %n, %c2 : i32
    %r2 = scf.if %is2 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<2.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %r1 {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %r1 : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r2 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Two branches: one of them may not run.
  tt.func public @two(%kp: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %k = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #blocked>
    %c0 = arith.constant 0 : i32
    %is0 = arith.cmpi sgt, %n, %c0 : i32
    %r0 = scf.if %is0 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<2.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %zero {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %zero : tensor<64x64xf32, #mma>
    }
    %c1 = arith.constant 1 : i32
    %is1 = arith.cmpi sgt, %n, %c1 : i32
    %r1 = scf.if %is1 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<2.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %r0 {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %r0 : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r1 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Each branch has a number of its own.
  tt.func public @different(%kp: tensor<64x64x!tt.ptr<f16>, #blocked>, %q: !ttg.memdesc<64x64xf16, #shared, #smem>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %k = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #blocked>
    %c0 = arith.constant 0 : i32
    %is0 = arith.cmpi sgt, %n, %c0 : i32
    %r0 = scf.if %is0 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<2.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %zero {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %zero : tensor<64x64xf32, #mma>
    }
    %c1 = arith.constant 1 : i32
    %is1 = arith.cmpi sgt, %n, %c1 : i32
    %r1 = scf.if %is1 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<3.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %r0 {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %r0 : tensor<64x64xf32, #mma>
    }
    %c2 = arith.constant 2 : i32
    %is2 = arith.cmpi sgt, %n, %c2 : i32
    %r2 = scf.if %is2 -> (tensor<64x64xf32, #mma>) {
      %a = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %scale = arith.constant dense<4.0> : tensor<64x64xf16, #a>
      %s = arith.mulf %a, %scale : tensor<64x64xf16, #a>
      %d = ttng.warp_group_dot %s, %q, %r1 {inputPrecision = 0 : i32} : tensor<64x64xf16, #a> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    } else {
      scf.yield %r1 : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r2 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @three(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #blocked>
    %2 = arith.mulf %0, %cst_0 : tensor<64x64xf16, #blocked>
    %3 = ttg.local_alloc %2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
    %4 = scf.if %1 -> (tensor<64x64xf32, #mma>) {
      %9 = ttng.warp_group_dot %3, %arg1, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared1, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %cst : tensor<64x64xf32, #mma>
    }
    %c1_i32 = arith.constant 1 : i32
    %5 = arith.cmpi sgt, %arg3, %c1_i32 : i32
    %6 = scf.if %5 -> (tensor<64x64xf32, #mma>) {
      %9 = ttng.warp_group_dot %3, %arg1, %4 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared1, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %4 : tensor<64x64xf32, #mma>
    }
    %c2_i32 = arith.constant 2 : i32
    %7 = arith.cmpi sgt, %arg3, %c2_i32 : i32
    %8 = scf.if %7 -> (tensor<64x64xf32, #mma>) {
      %9 = ttng.warp_group_dot %3, %arg1, %6 {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf16, #shared1, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %6 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %8 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @two(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %2 = scf.if %1 -> (tensor<64x64xf32, #mma>) {
      %5 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %6 = arith.mulf %5, %cst_0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %7 = ttng.warp_group_dot %6, %arg1, %cst {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %7 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %cst : tensor<64x64xf32, #mma>
    }
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.cmpi sgt, %arg3, %c1_i32 : i32
    %4 = scf.if %3 -> (tensor<64x64xf32, #mma>) {
      %5 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %6 = arith.mulf %5, %cst_0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %7 = ttng.warp_group_dot %6, %arg1, %2 {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %7 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %2 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %4 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @different(%arg0: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %1 = arith.cmpi sgt, %arg3, %c0_i32 : i32
    %2 = scf.if %1 -> (tensor<64x64xf32, #mma>) {
      %7 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %cst_0 = arith.constant dense<2.000000e+00> : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %8 = arith.mulf %7, %cst_0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %9 = ttng.warp_group_dot %8, %arg1, %cst {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %cst : tensor<64x64xf32, #mma>
    }
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.cmpi sgt, %arg3, %c1_i32 : i32
    %4 = scf.if %3 -> (tensor<64x64xf32, #mma>) {
      %7 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %cst_0 = arith.constant dense<3.000000e+00> : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %8 = arith.mulf %7, %cst_0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %9 = ttng.warp_group_dot %8, %arg1, %2 {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %2 : tensor<64x64xf32, #mma>
    }
    %c2_i32 = arith.constant 2 : i32
    %5 = arith.cmpi sgt, %arg3, %c2_i32 : i32
    %6 = scf.if %5 -> (tensor<64x64xf32, #mma>) {
      %7 = ttg.convert_layout %0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %cst_0 = arith.constant dense<4.000000e+00> : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %8 = arith.mulf %7, %cst_0 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %9 = ttng.warp_group_dot %8, %arg1, %4 {inputPrecision = 0 : i32} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %9 : tensor<64x64xf32, #mma>
    } else {
      scf.yield %4 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %6 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

