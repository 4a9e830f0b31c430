// passes: start-next-products
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The third product needs nothing of the scores: it goes before the wait for them, with the views that it reads.
  tt.func public @keys(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %ring: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %other: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %x: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %end: i32) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma1>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %first to %end step %one iter_args(%acc = %none, %all = %zero) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) : i32 {
      %q = ttg.memdesc_index %ring[%first] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %qt = ttg.memdesc_trans %q {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %p = math.exp2 %w : tensor<64x16xf32, #mma>
      %next = arith.addi %first, %one : i32
      %y = ttg.memdesc_index %other[%next] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %b = arith.truncf %p : tensor<64x16xf32, #mma> to tensor<64x16xf16, #mma>
      %o = ttg.convert_layout %b : tensor<64x16xf16, #mma> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %dv = ttng.warp_group_dot %o, %y, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma1>
      %yt = ttg.memdesc_trans %y {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %k, %yt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %v = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %m = arith.mulf %p, %v : tensor<64x16xf32, #mma>
      %a = arith.addf %all, %m : tensor<64x16xf32, #mma>
      scf.yield %dv, %a : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
    }
    tt.return %sum#0, %sum#1 : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
  }
  // Its result has more columns.
  tt.func public @wide(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %ring: !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>, %other: !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>, %x: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %end: i32) -> (tensor<64x64xf32, #mma1>, tensor<64x32xf32, #mma2>) {
    %zero = arith.constant dense<0.0> : tensor<64x32xf32, #mma2>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma1>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %first to %end step %one iter_args(%acc = %none, %all = %zero) -> (tensor<64x64xf32, #mma1>, tensor<64x32xf32, #mma2>) : i32 {
      %q = ttg.memdesc_index %ring[%first] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %qt = ttg.memdesc_trans %q {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x32xf16, #shared1, #smem, mutable> -> tensor<64x32xf32, #mma2>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x32xf32, #mma2>
      %p = math.exp2 %w : tensor<64x32xf32, #mma2>
      %next = arith.addi %first, %one : i32
      %y = ttg.memdesc_index %other[%next] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %b = arith.truncf %p : tensor<64x32xf32, #mma2> to tensor<64x32xf16, #mma2>
      %o = ttg.convert_layout %b : tensor<64x32xf16, #mma2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
      %dv = ttng.warp_group_dot %o, %y, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>> * !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma1>
      %yt = ttg.memdesc_trans %y {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %k, %yt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x32xf16, #shared1, #smem, mutable> -> tensor<64x32xf32, #mma2>
      %v = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x32xf32, #mma2>
      %m = arith.mulf %p, %v : tensor<64x32xf32, #mma2>
      %a = arith.addf %all, %m : tensor<64x32xf32, #mma2>
      scf.yield %dv, %a : tensor<64x64xf32, #mma1>, tensor<64x32xf32, #mma2>
    }
    tt.return %sum#0, %sum#1 : tensor<64x64xf32, #mma1>, tensor<64x32xf32, #mma2>
  }
  // Nothing stands between the two products but what is computed on the first one.
  tt.func public @queries(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %ring: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %other: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %x: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %end: i32) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma1>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %first to %end step %one iter_args(%acc = %none, %all = %zero) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) : i32 {
      %q = ttg.memdesc_index %ring[%first] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %qt = ttg.memdesc_trans %q {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %p = math.exp2 %w : tensor<64x16xf32, #mma>
      %next = arith.addi %first, %one : i32
      %y = ttg.memdesc_index %other[%next] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %yt = ttg.memdesc_trans %y {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %k, %yt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %v = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %m = arith.mulf %p, %v : tensor<64x16xf32, #mma>
      %a = arith.addf %all, %m : tensor<64x16xf32, #mma>
      scf.yield %acc, %a : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
    }
    tt.return %sum#0, %sum#1 : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
  }
  // It adds to what is computed of the scores.
  tt.func public @adds(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %ring: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %other: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %x: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %end: i32) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma1>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %first to %end step %one iter_args(%acc = %none, %all = %zero) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) : i32 {
      %q = ttg.memdesc_index %ring[%first] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %qt = ttg.memdesc_trans %q {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %p = math.exp2 %w : tensor<64x16xf32, #mma>
      %next = arith.addi %first, %one : i32
      %y = ttg.memdesc_index %other[%next] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %b = arith.truncf %p : tensor<64x16xf32, #mma> to tensor<64x16xf16, #mma>
      %o = ttg.convert_layout %b : tensor<64x16xf16, #mma> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %dv = ttng.warp_group_dot %o, %y, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma1>
      %yt = ttg.memdesc_trans %y {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %k, %yt, %p {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %v = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %m = arith.mulf %p, %v : tensor<64x16xf32, #mma>
      %a = arith.addf %all, %m : tensor<64x16xf32, #mma>
      scf.yield %dv, %a : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
    }
    tt.return %sum#0, %sum#1 : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
  }
  // Copies are waited for in between.
  tt.func public @waits(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %ring: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %other: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %x: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %end: i32) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma1>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %first to %end step %one iter_args(%acc = %none, %all = %zero) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) : i32 {
      %q = ttg.memdesc_index %ring[%first] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %qt = ttg.memdesc_trans %q {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %p = math.exp2 %w : tensor<64x16xf32, #mma>
      %next = arith.addi %first, %one : i32
      %y = ttg.memdesc_index %other[%next] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %t = ttg.async_wait {num = 0 : i32}
      %b = arith.truncf %p : tensor<64x16xf32, #mma> to tensor<64x16xf16, #mma>
      %o = ttg.convert_layout %b : tensor<64x16xf16, #mma> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %dv = ttng.warp_group_dot %o, %y, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma1>
      %yt = ttg.memdesc_trans %y {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %k, %yt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %v = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %m = arith.mulf %p, %v : tensor<64x16xf32, #mma>
      %a = arith.addf %all, %m : tensor<64x16xf32, #mma>
      scf.yield %dv, %a : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
    }
    tt.return %sum#0, %sum#1 : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
  }
  // What it reads is written in between.
  tt.func public @written(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %ring: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %other: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %x: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %end: i32) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma1>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %first to %end step %one iter_args(%acc = %none, %all = %zero) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) : i32 {
      %q = ttg.memdesc_index %ring[%first] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %qt = ttg.memdesc_trans %q {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %p = math.exp2 %w : tensor<64x16xf32, #mma>
      %next = arith.addi %first, %one : i32
      %y = ttg.memdesc_index %other[%next] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %z = ttg.local_load %x : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>
      ttg.local_store %z, %y : tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %b = arith.truncf %p : tensor<64x16xf32, #mma> to tensor<64x16xf16, #mma>
      %o = ttg.convert_layout %b : tensor<64x16xf16, #mma> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %dv = ttng.warp_group_dot %o, %y, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma1>
      %yt = ttg.memdesc_trans %y {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %k, %yt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %v = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %m = arith.mulf %p, %v : tensor<64x16xf32, #mma>
      %a = arith.addf %all, %m : tensor<64x16xf32, #mma>
      scf.yield %dv, %a : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
    }
    tt.return %sum#0, %sum#1 : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
  }
  // The next wait leaves a product under way.
  tt.func public @leaves(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %ring: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %other: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %x: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %end: i32) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma1>
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %first to %end step %one iter_args(%acc = %none, %all = %zero) -> (tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>) : i32 {
      %q = ttg.memdesc_index %ring[%first] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %qt = ttg.memdesc_trans %q {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %w = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x16xf32, #mma>
      %p = math.exp2 %w : tensor<64x16xf32, #mma>
      %next = arith.addi %first, %one : i32
      %y = ttg.memdesc_index %other[%next] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %b = arith.truncf %p : tensor<64x16xf32, #mma> to tensor<64x16xf16, #mma>
      %o = ttg.convert_layout %b : tensor<64x16xf16, #mma> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %dv = ttng.warp_group_dot %o, %y, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma1>
      %yt = ttg.memdesc_trans %y {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %d = ttng.warp_group_dot %k, %yt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma>
      %v = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x16xf32, #mma>
      %m = arith.mulf %p, %v : tensor<64x16xf32, #mma>
      %a = arith.addf %all, %m : tensor<64x16xf32, #mma>
      scf.yield %dv, %a : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
    }
    tt.return %sum#0, %sum#1 : tensor<64x64xf32, #mma1>, tensor<64x16xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#mma2 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @keys(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg3: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %arg4: i32) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>)  : i32 {
      %1 = ttg.memdesc_index %arg1[%c0_i32] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %3 = ttng.warp_group_dot %arg0, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %4 = arith.addi %c0_i32, %c1_i32 : i32
      %5 = ttg.memdesc_index %arg2[%4] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %6 = ttg.memdesc_trans %5 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %7 = ttng.warp_group_dot %arg0, %6, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %8 = ttng.warp_group_dot_wait %3 {pendings = 1 : i32} : tensor<64x16xf32, #mma1>
      %9 = math.exp2 %8 : tensor<64x16xf32, #mma1>
      %10 = arith.truncf %9 : tensor<64x16xf32, #mma1> to tensor<64x16xf16, #mma1>
      %11 = ttg.convert_layout %10 : tensor<64x16xf16, #mma1> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %12 = ttng.warp_group_dot %11, %5, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %13 = ttng.warp_group_dot_wait %7 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %14 = arith.mulf %9, %13 : tensor<64x16xf32, #mma1>
      %15 = arith.addf %arg7, %14 : tensor<64x16xf32, #mma1>
      scf.yield %12, %15 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
    }
    tt.return %0#0, %0#1 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
  }
  tt.func public @wide(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable>, %arg3: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %arg4: i32) -> (tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma2>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32, #mma2>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma2>)  : i32 {
      %1 = ttg.memdesc_index %arg1[%c0_i32] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
      %3 = ttng.warp_group_dot %arg0, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x32xf16, #shared1, #smem, mutable> -> tensor<64x32xf32, #mma2>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 0 : i32} : tensor<64x32xf32, #mma2>
      %5 = math.exp2 %4 : tensor<64x32xf32, #mma2>
      %6 = arith.addi %c0_i32, %c1_i32 : i32
      %7 = ttg.memdesc_index %arg2[%6] : !ttg.memdesc<2x32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %8 = arith.truncf %5 : tensor<64x32xf32, #mma2> to tensor<64x32xf16, #mma2>
      %9 = ttg.convert_layout %8 : tensor<64x32xf16, #mma2> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>>
      %10 = ttng.warp_group_dot %9, %7, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma2, kWidth = 2}>> * !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %11 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<32x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
      %12 = ttng.warp_group_dot %arg0, %11, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x32xf16, #shared1, #smem, mutable> -> tensor<64x32xf32, #mma2>
      %13 = ttng.warp_group_dot_wait %12 {pendings = 0 : i32} : tensor<64x32xf32, #mma2>
      %14 = arith.mulf %5, %13 : tensor<64x32xf32, #mma2>
      %15 = arith.addf %arg7, %14 : tensor<64x32xf32, #mma2>
      scf.yield %10, %15 : tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma2>
    }
    tt.return %0#0, %0#1 : tensor<64x64xf32, #mma>, tensor<64x32xf32, #mma2>
  }
  tt.func public @queries(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg3: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %arg4: i32) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>)  : i32 {
      %1 = ttg.memdesc_index %arg1[%c0_i32] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %3 = ttng.warp_group_dot %arg0, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %5 = math.exp2 %4 : tensor<64x16xf32, #mma1>
      %6 = arith.addi %c0_i32, %c1_i32 : i32
      %7 = ttg.memdesc_index %arg2[%6] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %8 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %9 = ttng.warp_group_dot %arg0, %8, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %10 = ttng.warp_group_dot_wait %9 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %11 = arith.mulf %5, %10 : tensor<64x16xf32, #mma1>
      %12 = arith.addf %arg7, %11 : tensor<64x16xf32, #mma1>
      scf.yield %arg6, %12 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
    }
    tt.return %0#0, %0#1 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
  }
  tt.func public @adds(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg3: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %arg4: i32) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>)  : i32 {
      %1 = ttg.memdesc_index %arg1[%c0_i32] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %3 = ttng.warp_group_dot %arg0, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %5 = math.exp2 %4 : tensor<64x16xf32, #mma1>
      %6 = arith.addi %c0_i32, %c1_i32 : i32
      %7 = ttg.memdesc_index %arg2[%6] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %8 = arith.truncf %5 : tensor<64x16xf32, #mma1> to tensor<64x16xf16, #mma1>
      %9 = ttg.convert_layout %8 : tensor<64x16xf16, #mma1> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %10 = ttng.warp_group_dot %9, %7, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %11 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %12 = ttng.warp_group_dot %arg0, %11, %5 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %13 = ttng.warp_group_dot_wait %12 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %14 = arith.mulf %5, %13 : tensor<64x16xf32, #mma1>
      %15 = arith.addf %arg7, %14 : tensor<64x16xf32, #mma1>
      scf.yield %10, %15 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
    }
    tt.return %0#0, %0#1 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
  }
  tt.func public @waits(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg3: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %arg4: i32) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>)  : i32 {
      %1 = ttg.memdesc_index %arg1[%c0_i32] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %3 = ttng.warp_group_dot %arg0, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %5 = math.exp2 %4 : tensor<64x16xf32, #mma1>
      %6 = arith.addi %c0_i32, %c1_i32 : i32
      %7 = ttg.memdesc_index %arg2[%6] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %8 = ttg.async_wait {num = 0 : i32}
      %9 = arith.truncf %5 : tensor<64x16xf32, #mma1> to tensor<64x16xf16, #mma1>
      %10 = ttg.convert_layout %9 : tensor<64x16xf16, #mma1> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %11 = ttng.warp_group_dot %10, %7, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %12 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %13 = ttng.warp_group_dot %arg0, %12, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %14 = ttng.warp_group_dot_wait %13 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %15 = arith.mulf %5, %14 : tensor<64x16xf32, #mma1>
      %16 = arith.addf %arg7, %15 : tensor<64x16xf32, #mma1>
      scf.yield %11, %16 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
    }
    tt.return %0#0, %0#1 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
  }
  tt.func public @written(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg3: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %arg4: i32) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>)  : i32 {
      %1 = ttg.memdesc_index %arg1[%c0_i32] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %3 = ttng.warp_group_dot %arg0, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %5 = math.exp2 %4 : tensor<64x16xf32, #mma1>
      %6 = arith.addi %c0_i32, %c1_i32 : i32
      %7 = ttg.memdesc_index %arg2[%6] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %8 = ttg.local_load %arg3 : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<16x64xf16, #blocked>
      ttg.local_store %8, %7 : tensor<16x64xf16, #blocked> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %9 = arith.truncf %5 : tensor<64x16xf32, #mma1> to tensor<64x16xf16, #mma1>
      %10 = ttg.convert_layout %9 : tensor<64x16xf16, #mma1> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %11 = ttng.warp_group_dot %10, %7, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %12 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %13 = ttng.warp_group_dot %arg0, %12, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %14 = ttng.warp_group_dot_wait %13 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %15 = arith.mulf %5, %14 : tensor<64x16xf32, #mma1>
      %16 = arith.addf %arg7, %15 : tensor<64x16xf32, #mma1>
      scf.yield %11, %16 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
    }
    tt.return %0#0, %0#1 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
  }
  tt.func public @leaves(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg2: !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable>, %arg3: !ttg.memdesc<16x64xf16, #shared, #smem, mutable>, %arg4: i32) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32, #mma1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst_0, %arg7 = %cst) -> (tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>)  : i32 {
      %1 = ttg.memdesc_index %arg1[%c0_i32] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %2 = ttg.memdesc_trans %1 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %3 = ttng.warp_group_dot %arg0, %2, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 0 : i32} : tensor<64x16xf32, #mma1>
      %5 = math.exp2 %4 : tensor<64x16xf32, #mma1>
      %6 = arith.addi %c0_i32, %c1_i32 : i32
      %7 = ttg.memdesc_index %arg2[%6] : !ttg.memdesc<2x16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<16x64xf16, #shared, #smem, mutable>
      %8 = arith.truncf %5 : tensor<64x16xf32, #mma1> to tensor<64x16xf16, #mma1>
      %9 = ttg.convert_layout %8 : tensor<64x16xf16, #mma1> -> tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      %10 = ttng.warp_group_dot %9, %7, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>> * !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
      %11 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<16x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x16xf16, #shared1, #smem, mutable>
      %12 = ttng.warp_group_dot %arg0, %11, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x16xf16, #shared1, #smem, mutable> -> tensor<64x16xf32, #mma1>
      %13 = ttng.warp_group_dot_wait %12 {pendings = 1 : i32} : tensor<64x16xf32, #mma1>
      %14 = arith.mulf %5, %13 : tensor<64x16xf32, #mma1>
      %15 = arith.addf %arg7, %14 : tensor<64x16xf32, #mma1>
      scf.yield %10, %15 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
    }
    tt.return %0#0, %0#1 : tensor<64x64xf32, #mma>, tensor<64x16xf32, #mma1>
  }
}

