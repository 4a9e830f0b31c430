// passes: reorder-instructions
// target: sm_80
// counts: ttg.local_load 8, ttg.local_alloc 6
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sums = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#of_rows = #ttg.dot_op<{opIdx = 0, parent = #sums}>
#of_columns = #ttg.dot_op<{opIdx = 1, parent = #sums}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // The loop needs more registers than there are: what it converts gets a buffer, which it reads.
  tt.func public @short(%x: tensor<128x128xf16, #blocked>, %bp: tensor<128x128x!tt.ptr<f16>, #blocked>, %out: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %a = ttg.convert_layout %x : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #a>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<128x128x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    tt.store %out, %r : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Here registers suffice.
  tt.func public @enough(%x: tensor<64x64xf16, #blocked>, %bp: tensor<64x64x!tt.ptr<f16>, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
    %a = ttg.convert_layout %x : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #a>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<64x64x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<64x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<64x64xf32, #mma>
      scf.yield %d : tensor<64x64xf32, #mma>
    }
    tt.store %out, %r : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Two loops share the buffer.
  tt.func public @twice(%x: tensor<128x128xf16, #blocked>, %bp: tensor<128x128x!tt.ptr<f16>, #blocked>, %out: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %a = ttg.convert_layout %x : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #a>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<128x128x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %r) -> (tensor<128x128xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<128x128x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    tt.store %out, %s : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  // A buffer that is never written again is read inside.
  tt.func public @read(%x: tensor<128x128xf16, #blocked>, %bp: tensor<128x128x!tt.ptr<f16>, #blocked>, %out: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %m = ttg.local_alloc %x : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %a = ttg.local_load %m : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #a>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<128x128x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    tt.store %out, %r : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  // This one is written between its read and the loop.
  tt.func public @written(%x: tensor<128x128xf16, #blocked>, %bp: tensor<128x128x!tt.ptr<f16>, #blocked>, %out: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32, %y: tensor<128x128xf16, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %m = ttg.local_alloc %x : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %a = ttg.local_load %m : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<128x128xf16, #a>
    ttg.local_store %y, %m : tensor<128x128xf16, #blocked> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<128x128x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
      %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
      scf.yield %d : tensor<128x128xf32, #mma>
    }
    tt.store %out, %r : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The read goes into the loop, not into the branch.
  tt.func public @in_branch(%x: tensor<128x128xf16, #blocked>, %bp: tensor<128x128x!tt.ptr<f16>, #blocked>, %out: tensor<128x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #mma>
    %a = ttg.convert_layout %x : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #a>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128x128xf32, #mma>) : i32 {
      %bs = tt.load %bp : tensor<128x128x!tt.ptr<f16>, #blocked>
      %b = ttg.convert_layout %bs : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #b>
      %is = arith.cmpi eq, %i, %c1 : i32
      %p = scf.if %is -> (tensor<128x128xf32, #mma>) {
        %d = tt.dot %a, %b, %acc : tensor<128x128xf16, #a> * tensor<128x128xf16, #b> -> tensor<128x128xf32, #mma>
        scf.yield %d : tensor<128x128xf32, #mma>
      } else {
        scf.yield %acc : tensor<128x128xf32, #mma>
      }
      scf.yield %p : tensor<128x128xf32, #mma>
    }
    tt.store %out, %r : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  // An operand of multiply-adds, whose rows every thread has whole: it is read in the loop, and before the other product, which is in none.
  tt.func public @multiply_add(%x: tensor<32x64xf32, #blocked>, %y: tensor<64x32xf32, #of_columns>, %out: tensor<32x32x!tt.ptr<f32>, #sums>, %n: i32) -> tensor<32x32xf32, #sums> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<32x32xf32, #sums>
    %a = ttg.convert_layout %x : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #of_rows>
    %first = tt.dot %a, %y, %zero : tensor<32x64xf32, #of_rows> * tensor<64x32xf32, #of_columns> -> tensor<32x32xf32, #sums>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (tensor<32x32xf32, #sums>) : i32 {
      %d = tt.dot %a, %y, %acc : tensor<32x64xf32, #of_rows> * tensor<64x32xf32, #of_columns> -> tensor<32x32xf32, #sums>
      tt.store %out, %d : tensor<32x32x!tt.ptr<f32>, #sums>
      scf.yield %d : tensor<32x32xf32, #sums>
    }
    tt.return %r : tensor<32x32xf32, #sums>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 2], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @short(%arg0: tensor<128x128xf16, #blocked>, %arg1: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg2: tensor<128x128x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %2 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>, #blocked>
      %3 = ttg.convert_layout %2 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %4 = ttg.local_load %0 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %5 = tt.dot %4, %3, %arg5 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
      scf.yield %5 : tensor<128x128xf32, #mma>
    }
    tt.store %arg2, %1 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @enough(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %0 = ttg.convert_layout %arg0 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %3 = ttg.convert_layout %2 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %4 = tt.dot %0, %3, %arg5 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      scf.yield %4 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %1 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @twice(%arg0: tensor<128x128xf16, #blocked>, %arg1: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg2: tensor<128x128x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %3 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>, #blocked>
      %4 = ttg.convert_layout %3 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %5 = ttg.local_load %0 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %6 = tt.dot %5, %4, %arg5 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
      scf.yield %6 : tensor<128x128xf32, #mma>
    }
    %2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %1) -> (tensor<128x128xf32, #mma>)  : i32 {
      %3 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>, #blocked>
      %4 = ttg.convert_layout %3 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %5 = ttg.local_load %0 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %6 = tt.dot %5, %4, %arg5 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
      scf.yield %6 : tensor<128x128xf32, #mma>
    }
    tt.store %arg2, %2 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @read(%arg0: tensor<128x128xf16, #blocked>, %arg1: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg2: tensor<128x128x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %2 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>, #blocked>
      %3 = ttg.convert_layout %2 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %4 = ttg.local_load %0 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %5 = tt.dot %4, %3, %arg5 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
      scf.yield %5 : tensor<128x128xf32, #mma>
    }
    tt.store %arg2, %1 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @written(%arg0: tensor<128x128xf16, #blocked>, %arg1: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg2: tensor<128x128x!tt.ptr<f32>, #mma>, %arg3: i32, %arg4: tensor<128x128xf16, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %1 = ttg.local_load %0 : !ttg.memdesc<128x128xf16, #shared, #smem, mutable> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    ttg.local_store %arg4, %0 : tensor<128x128xf16, #blocked> -> !ttg.memdesc<128x128xf16, #shared, #smem, mutable>
    %2 = scf.for %arg5 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %3 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>, #blocked>
      %4 = ttg.convert_layout %3 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %5 = tt.dot %1, %4, %arg6 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
      scf.yield %5 : tensor<128x128xf32, #mma>
    }
    tt.store %arg2, %2 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @in_branch(%arg0: tensor<128x128xf16, #blocked>, %arg1: tensor<128x128x!tt.ptr<f16>, #blocked>, %arg2: tensor<128x128x!tt.ptr<f32>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %0 = ttg.local_alloc %arg0 : (tensor<128x128xf16, #blocked>) -> !ttg.memdesc<128x128xf16, #shared, #smem>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128x128xf32, #mma>)  : i32 {
      %2 = tt.load %arg1 : tensor<128x128x!tt.ptr<f16>, #blocked>
      %3 = ttg.convert_layout %2 : tensor<128x128xf16, #blocked> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %4 = arith.cmpi eq, %arg4, %c1_i32 : i32
      %5 = ttg.local_load %0 : !ttg.memdesc<128x128xf16, #shared, #smem> -> tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %6 = scf.if %4 -> (tensor<128x128xf32, #mma>) {
        %7 = tt.dot %5, %3, %arg5 : tensor<128x128xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<128x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<128x128xf32, #mma>
        scf.yield %7 : tensor<128x128xf32, #mma>
      } else {
        scf.yield %arg5 : tensor<128x128xf32, #mma>
      }
      scf.yield %6 : tensor<128x128xf32, #mma>
    }
    tt.store %arg2, %1 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @multiply_add(%arg0: tensor<32x64xf32, #blocked>, %arg1: tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>, %arg2: tensor<32x32x!tt.ptr<f32>, #blocked1>, %arg3: i32) -> tensor<32x32xf32, #blocked1> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x32xf32, #blocked1>
    %0 = ttg.local_alloc %arg0 : (tensor<32x64xf32, #blocked>) -> !ttg.memdesc<32x64xf32, #shared1, #smem>
    %1 = ttg.local_load %0 : !ttg.memdesc<32x64xf32, #shared1, #smem> -> tensor<32x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %2 = tt.dot %1, %arg1, %cst : tensor<32x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
    %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %2) -> (tensor<32x32xf32, #blocked1>)  : i32 {
      %4 = ttg.local_load %0 : !ttg.memdesc<32x64xf32, #shared1, #smem> -> tensor<32x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
      %5 = tt.dot %4, %arg1, %arg5 : tensor<32x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x32xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<32x32xf32, #blocked1>
      tt.store %arg2, %5 : tensor<32x32x!tt.ptr<f32>, #blocked1>
      scf.yield %5 : tensor<32x32xf32, #blocked1>
    }
    tt.return %3 : tensor<32x32xf32, #blocked1>
  }
}

