// passes: reorder-instructions
// target: sm_80
// counts: ttg.local_alloc 5, ttg.local_load 5
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // What the loop writes is read before what was written before the loop.
  tt.func public @newest(%q: tensor<64x64xf16, #blocked>, %kp: tensor<64x64x!tt.ptr<f16>, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %old = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %k = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #blocked>
      %new = ttg.local_alloc %k : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %a = ttg.local_load %old : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #a>
      %b = ttg.local_load %new : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // What was written last is read first already.
  tt.func public @ordered(%q: tensor<64x64xf16, #blocked>, %k: tensor<64x64xf16, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %old = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %new = ttg.local_alloc %k : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %b = ttg.local_load %new : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
    %a = ttg.local_load %old : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #a>
    %d = tt.dot %a, %b, %zero : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    tt.store %out, %d : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Queries times a number stay in shared memory, where the loop needs more registers than there are.
  tt.func public @computed(%x: tensor<128x128xf16, #a>, %bp: tensor<128x128x!tt.ptr<f16>, #blocked>, %out: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %a = arith.mulf %x, %x : tensor<128x128xf16, #a>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<128x128x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    tt.store %out, %r : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @newest(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %3 = ttg.local_alloc %2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %4 = ttg.local_load %3 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %5 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %6 = tt.dot %5, %4, %arg5 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %6 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %1 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @ordered(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64xf16, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = ttg.local_alloc %arg1 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %3 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %4 = tt.dot %3, %2, %cst : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    tt.store %arg2, %4 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @computed(%arg0: tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg2: tensor<128x128x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = arith.mulf %arg0, %arg0 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %1 = ttg.local_alloc %0 : (tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %3 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>, #blocked>
      %4 = ttg.convert_layout %3 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %5 = ttg.local_load %1 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %6 = tt.dot %5, %4, %arg5 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
      scf.yield %6 : tensor<128x128xf32, #mma>
    }
    tt.store %arg2, %2 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
}

