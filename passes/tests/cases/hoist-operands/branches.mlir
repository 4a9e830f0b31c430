// passes: hoist-operands
// target: sm_90a
// counts: ttg.convert_layout 3, ttg.local_alloc 1, ttg.local_load 1
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The keys of a block are turned once, before the loop; queries change.
  tt.func public @selected(%k: tensor<64x128xbf16, #blocked>, %qp: tensor<16x128x!tt.ptr<bf16>, #blocked>, %mp: !tt.ptr<i1>, %out: tensor<16x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32, #mma>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32, #mma>) : i32 {
      %p = tt.addptr %mp, %i : !tt.ptr<i1>, i32
      %is = tt.load %p : !tt.ptr<i1>
      %next = scf.if %is -> (tensor<16x64xf32, #mma>) {
        %q = tt.load %qp : tensor<16x128x!tt.ptr<bf16>, #blocked>
        %a = ttg.convert_layout %q : tensor<16x128xbf16, #blocked> -> tensor<16x128xbf16, #a>
        %t = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x128xbf16, #blocked> -> tensor<128x64xbf16, #turned>
        %b = ttg.convert_layout %t : tensor<128x64xbf16, #turned> -> tensor<128x64xbf16, #b>
        %d = tt.dot %a, %b, %acc : tensor<16x128xbf16, #a> * tensor<128x64xbf16, #b> -> tensor<16x64xf32, #mma>
        scf.yield %d : tensor<16x64xf32, #mma>
      } else {
        scf.yield %acc : tensor<16x64xf32, #mma>
      }
      scf.yield %next : tensor<16x64xf32, #mma>
    }
    tt.store %out, %r : tensor<16x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Every warp has all queries: they take four times their registers as an operand, so the branch reads them from memory.
  tt.func public @copies(%q: tensor<16x128xbf16, #blocked>, %kp: tensor<128x64x!tt.ptr<bf16>, #turned>, %mp: !tt.ptr<i1>, %out: tensor<16x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x64xf32, #mma>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x64xf32, #mma>) : i32 {
      %p = tt.addptr %mp, %i : !tt.ptr<i1>, i32
      %is = tt.load %p : !tt.ptr<i1>
      %next = scf.if %is -> (tensor<16x64xf32, #mma>) {
        %k = tt.load %kp : tensor<128x64x!tt.ptr<bf16>, #turned>
        %a = ttg.convert_layout %q : tensor<16x128xbf16, #blocked> -> tensor<16x128xbf16, #a>
        %b = ttg.convert_layout %k : tensor<128x64xbf16, #turned> -> tensor<128x64xbf16, #b>
        %d = tt.dot %a, %b, %acc : tensor<16x128xbf16, #a> * tensor<128x64xbf16, #b> -> tensor<16x64xf32, #mma>
        scf.yield %d : tensor<16x64xf32, #mma>
      } else {
        scf.yield %acc : tensor<16x64xf32, #mma>
      }
      scf.yield %next : tensor<16x64xf32, #mma>
    }
    tt.store %out, %r : tensor<16x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @selected(%arg0: tensor<64x128xbf16, #blocked>, %arg1: tensor<16x128x!tt.ptr<bf16>, #blocked>, %arg2: !tt.ptr<i1>, %arg3: tensor<16x64x!tt.ptr<f32>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #mma>
    %0 = tt.trans %arg0 {order = array<i32: 1, 0>} : tensor<64x128xbf16, #blocked> -> tensor<128x64xbf16, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<128x64xbf16, #blocked1> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16x64xf32, #mma>)  : i32 {
      %3 = tt.addptr %arg2, %arg5 : !tt.ptr<i1>, i32
      %4 = tt.load %3 : !tt.ptr<i1>
      %5 = scf.if %4 -> (tensor<16x64xf32, #mma>) {
        %6 = tt.load %arg1 : tensor<16x128x!tt.ptr<bf16>, #blocked>
        %7 = ttg.convert_layout %6 : tensor<16x128xbf16, #blocked> -> tensor<16x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
        %8 = tt.dot %7, %1, %arg6 : tensor<16x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
        scf.yield %8 : tensor<16x64xf32, #mma>
      } else {
        scf.yield %arg6 : tensor<16x64xf32, #mma>
      }
      scf.yield %5 : tensor<16x64xf32, #mma>
    }
    tt.store %arg3, %2 : tensor<16x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @copies(%arg0: tensor<16x128xbf16, #blocked>, %arg1: tensor<128x64x!tt.ptr<bf16>, #blocked1>, %arg2: !tt.ptr<i1>, %arg3: tensor<16x64x!tt.ptr<f32>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<16x128xbf16, #blocked>) -> !ttg.memdesc<16x128xbf16, #shared, #smem>
    %1 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<16x64xf32, #mma>)  : i32 {
      %2 = tt.addptr %arg2, %arg5 : !tt.ptr<i1>, i32
      %3 = tt.load %2 : !tt.ptr<i1>
      %4 = scf.if %3 -> (tensor<16x64xf32, #mma>) {
        %5 = tt.load %arg1 : tensor<128x64x!tt.ptr<bf16>, #blocked1>
        %6 = ttg.local_load %0 : !ttg.memdesc<16x128xbf16, #shared, #smem> -> tensor<16x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
        %7 = ttg.convert_layout %5 : tensor<128x64xbf16, #blocked1> -> tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
        %8 = tt.dot %6, %7, %arg6 : tensor<16x128xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<16x64xf32, #mma>
        scf.yield %8 : tensor<16x64xf32, #mma>
      } else {
        scf.yield %arg6 : tensor<16x64xf32, #mma>
      }
      scf.yield %4 : tensor<16x64xf32, #mma>
    }
    tt.store %arg3, %1 : tensor<16x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

