// passes: reorder-instructions
// target: sm_80
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // One operand is converted through shared memory, where threads meet; the other one, which has long been there, is read behind that.
  tt.func public @converted(%q: tensor<64x64xf16, #blocked>, %kp: tensor<64x64x!tt.ptr<f16>, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %buffer = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %k = tt.load %kp : tensor<64x64x!tt.ptr<f16>, #blocked>
      %right = ttg.local_load %buffer : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
      %squares = arith.mulf %k, %k : tensor<64x64xf16, #blocked>
      %left = ttg.convert_layout %squares : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
      %d = tt.dot %left, %right, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Behind the conversion already, in a buffer that is written again, needed twice, or beside a conversion within threads: the read stays.
  tt.func public @stays(%q: tensor<64x64xf16, #blocked>, %k: tensor<64x64xf16, #blocked>, %s: tensor<64x64xf32, #mma>, %out: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %buffer = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %changing = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %left = ttg.convert_layout %k : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %first = ttg.local_load %buffer : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
    %d = tt.dot %left, %first, %zero : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    %second = ttg.local_load %changing : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #b>
    ttg.local_store %k, %changing : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %again = ttg.convert_layout %q : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %e = tt.dot %again, %second, %d : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    %third = ttg.local_load %buffer : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
    %other = arith.mulf %k, %k : tensor<64x64xf16, #blocked>
    %others = ttg.convert_layout %other : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %f = tt.dot %others, %third, %e : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    %g = tt.dot %again, %third, %f : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    %fourth = ttg.local_load %buffer : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #b>
    %halves = arith.truncf %s : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %own = ttg.convert_layout %halves : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #a>
    %h = tt.dot %own, %fourth, %g : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
    tt.store %out, %h : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @converted(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %3 = arith.mulf %2, %2 : tensor<64x64xf16, #blocked>
      %4 = ttg.convert_layout %3 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %5 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %6 = tt.dot %4, %5, %arg5 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %6 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %1 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @stays(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64xf16, #blocked>, %arg2: tensor<64x64xf32, #mma>, %arg3: tensor<64x64x!tt.ptr<f32>, #mma>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2 = ttg.convert_layout %arg1 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %3 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %4 = tt.dot %2, %3, %cst : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    %5 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    ttg.local_store %arg1, %1 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %6 = ttg.convert_layout %arg0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %7 = tt.dot %6, %5, %4 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    %8 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %9 = arith.mulf %arg1, %arg1 : tensor<64x64xf16, #blocked>
    %10 = ttg.convert_layout %9 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %11 = tt.dot %10, %8, %7 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    %12 = tt.dot %6, %8, %11 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    %13 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %14 = arith.truncf %arg2 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
    %15 = ttg.convert_layout %14 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %16 = tt.dot %15, %13, %12 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
    tt.store %arg3, %16 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

