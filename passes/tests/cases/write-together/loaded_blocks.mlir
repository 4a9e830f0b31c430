// passes: write-together
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second block is loaded beside the first one, and written where the program has it: registers hold it until then.
  tt.func public @gradients(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %r: tensor<64x64x!tt.ptr<f16>, #blocked>, %step: tensor<64x64xi32, #blocked>, %zero: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %splat = tt.splat %i : i32 -> tensor<64x64xi32, #blocked>
      %offset = arith.muli %splat, %step : tensor<64x64xi32, #blocked>
      %qp = tt.addptr %p, %offset : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %q = tt.load %qp : tensor<64x64x!tt.ptr<f16>, #blocked>
      %qs = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %qt = ttg.memdesc_trans %qs {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %sw = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %w = arith.truncf %sw : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %a = ttg.convert_layout %w : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %dp = tt.addptr %r, %offset : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %d = tt.load %dp : tensor<64x64x!tt.ptr<f16>, #blocked>
      %ds = ttg.local_alloc %d : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %v = ttng.warp_group_dot %a, %ds, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %u = ttng.warp_group_dot %a, %qs, %v {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %uw = ttng.warp_group_dot_wait %u {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      scf.yield %uw : tensor<64x64xf32, #mma>
    }
    tt.return %sum : tensor<64x64xf32, #mma>
  }
  // The load comes to the start of the iteration by itself, so the write does, too: a barrier goes away.
  tt.func public @together(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %r: tensor<64x64x!tt.ptr<f16>, #blocked>, %step: tensor<64x64xi32, #blocked>, %zero: tensor<64x64xf32, #mma>, %half: tensor<64x64xf16, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %half) -> (tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>) : i32 {
      %splat = tt.splat %i : i32 -> tensor<64x64xi32, #blocked>
      %offset = arith.muli %splat, %step : tensor<64x64xi32, #blocked>
      %qp = tt.addptr %p, %offset : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %q = tt.load %qp : tensor<64x64x!tt.ptr<f16>, #blocked>
      %qs = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %qt = ttg.memdesc_trans %qs {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %sw = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %w = arith.truncf %sw : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %a = ttg.convert_layout %w : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %dp = tt.addptr %r, %offset : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %d = tt.load %dp : tensor<64x64x!tt.ptr<f16>, #blocked>
      %ds = ttg.local_alloc %d : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %v = ttng.warp_group_dot %a, %ds, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %u = ttng.warp_group_dot %a, %qs, %v {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %uw = ttng.warp_group_dot_wait %u {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %twice = arith.addf %other, %other : tensor<64x64xf16, #mma>
      scf.yield %uw, %twice : tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>
    }
    tt.return %sum#0 : tensor<64x64xf32, #mma>
  }
  // What is loaded for the columns of a later product comes along: it is loaded beside the blocks.
  tt.func public @numbers(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %r: tensor<64x64x!tt.ptr<f16>, #blocked>, %l: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, %zero: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %q = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
      %qs = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %qt = ttg.memdesc_trans %qs {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %sw = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %d = tt.load %r : tensor<64x64x!tt.ptr<f16>, #blocked>
      %at = tt.splat %i : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %lp = tt.addptr %l, %at : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %number = tt.load %lp : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %row = tt.expand_dims %number {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %numbers = tt.broadcast %row : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
      %scaled = arith.mulf %sw, %numbers : tensor<64x64xf32, #mma>
      %w = arith.truncf %scaled : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %a = ttg.convert_layout %w : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %ds = ttg.local_alloc %d : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %v = ttng.warp_group_dot %a, %ds, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %u = ttng.warp_group_dot %a, %qs, %v {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %uw = ttng.warp_group_dot_wait %u {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      scf.yield %uw : tensor<64x64xf32, #mma>
    }
    tt.return %sum : tensor<64x64xf32, #mma>
  }
  // Threads write the left side of the second product and meet for it anyway, and registers let the load start with the iteration: the write stays.
  tt.func public @meets_anyway(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %r: tensor<64x64x!tt.ptr<f16>, #blocked>, %zero: tensor<64x64xf32, #mma>, %half: tensor<64x64xf16, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %half) -> (tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>) : i32 {
      %q = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
      %qs = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %qt = ttg.memdesc_trans %qs {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %s = ttng.warp_group_dot %k, %qt, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %sw = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %w = arith.truncf %sw : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %ws = ttg.local_alloc %w : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %d = tt.load %r : tensor<64x64x!tt.ptr<f16>, #blocked>
      %ds = ttg.local_alloc %d : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %v = ttng.warp_group_dot %ws, %ds, %acc {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %u = ttng.warp_group_dot %ws, %qs, %v {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %uw = ttng.warp_group_dot_wait %u {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %twice = arith.addf %other, %other : tensor<64x64xf16, #mma>
      scf.yield %uw, %twice : tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>
    }
    tt.return %sum#0 : tensor<64x64xf32, #mma>
  }
  // Nobody reads the first block when the second one is written: they may have the same bytes.
  tt.func public @attention(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %r: tensor<64x64x!tt.ptr<f16>, #blocked>, %zero: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %q = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
      %qs = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %s = ttng.warp_group_dot %k, %qs, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %sw = ttng.warp_group_dot_wait %s {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %w = arith.truncf %sw : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %a = ttg.convert_layout %w : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %d = tt.load %r : tensor<64x64x!tt.ptr<f16>, #blocked>
      %ds = ttg.local_alloc %d : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %v = ttng.warp_group_dot %a, %ds, %acc {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %vw = ttng.warp_group_dot_wait %v {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      scf.yield %vw : tensor<64x64xf32, #mma>
    }
    tt.return %sum : tensor<64x64xf32, #mma>
  }
  // The last product of an iteration is waited for in the next one, where it may still read the second block.
  tt.func public @in_flight(%k: !ttg.memdesc<64x64xf16, #shared, #smem>, %p: tensor<64x64x!tt.ptr<f16>, #blocked>, %r: tensor<64x64x!tt.ptr<f16>, #blocked>, %zero: tensor<64x64xf32, #mma>, %n: i32) -> tensor<64x64xf32, #mma> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #mma>) : i32 {
      %q = tt.load %p : tensor<64x64x!tt.ptr<f16>, #blocked>
      %qs = ttg.local_alloc %q : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %s = ttng.warp_group_dot %k, %qs, %zero {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %sw:2 = ttng.warp_group_dot_wait %s, %acc {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %d = tt.load %r : tensor<64x64x!tt.ptr<f16>, #blocked>
      %ds = ttg.local_alloc %d : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %v = ttng.warp_group_dot %qs, %ds, %sw#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %v : tensor<64x64xf32, #mma>
    }
    tt.return %sum : tensor<64x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gradients(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x64xi32, #blocked>, %arg4: tensor<64x64xf32, #mma>, %arg5: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %arg4) -> (tensor<64x64xf32, #mma>)  : i32 {
      %1 = tt.splat %arg6 : i32 -> tensor<64x64xi32, #blocked>
      %2 = arith.muli %1, %arg3 : tensor<64x64xi32, #blocked>
      %3 = tt.addptr %arg1, %2 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %4 = tt.load %3 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %5 = tt.addptr %arg2, %2 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %6 = tt.load %5 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %7 = ttg.local_alloc %4 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %8 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %9 = ttng.warp_group_dot %arg0, %8, %arg4 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %10 = ttng.warp_group_dot_wait %9 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %11 = arith.truncf %10 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %12 = ttg.convert_layout %11 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %13 = ttg.local_alloc %6 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %14 = ttng.warp_group_dot %12, %13, %arg7 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %15 = ttng.warp_group_dot %12, %7, %14 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %16 = ttng.warp_group_dot_wait %15 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      scf.yield %16 : tensor<64x64xf32, #mma>
    }
    tt.return %0 : tensor<64x64xf32, #mma>
  }
  tt.func public @together(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x64xi32, #blocked>, %arg4: tensor<64x64xf32, #mma>, %arg5: tensor<64x64xf16, #mma>, %arg6: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg7 = %c0_i32 to %arg6 step %c1_i32 iter_args(%arg8 = %arg4, %arg9 = %arg5) -> (tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>)  : i32 {
      %1 = tt.splat %arg7 : i32 -> tensor<64x64xi32, #blocked>
      %2 = arith.muli %1, %arg3 : tensor<64x64xi32, #blocked>
      %3 = tt.addptr %arg1, %2 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %4 = tt.load %3 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %5 = tt.addptr %arg2, %2 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
      %6 = tt.load %5 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %7 = ttg.local_alloc %4 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %8 = ttg.local_alloc %6 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %9 = ttg.memdesc_trans %7 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %10 = ttng.warp_group_dot %arg0, %9, %arg4 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %11 = ttng.warp_group_dot_wait %10 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %12 = arith.truncf %11 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %13 = ttg.convert_layout %12 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %14 = ttng.warp_group_dot %13, %8, %arg8 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %15 = ttng.warp_group_dot %13, %7, %14 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %16 = ttng.warp_group_dot_wait %15 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %17 = arith.addf %arg9, %arg9 : tensor<64x64xf16, #mma>
      scf.yield %16, %17 : tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>
    }
    tt.return %0#0 : tensor<64x64xf32, #mma>
  }
  tt.func public @numbers(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, %arg4: tensor<64x64xf32, #mma>, %arg5: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %arg4) -> (tensor<64x64xf32, #mma>)  : i32 {
      %1 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %2 = tt.load %arg2 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %3 = tt.splat %arg6 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %4 = tt.addptr %arg3, %3 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %5 = tt.load %4 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %6 = ttg.local_alloc %1 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %7 = ttg.local_alloc %2 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %8 = ttg.memdesc_trans %6 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %9 = ttng.warp_group_dot %arg0, %8, %arg4 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %10 = ttng.warp_group_dot_wait %9 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %11 = tt.expand_dims %5 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %12 = tt.broadcast %11 : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
      %13 = arith.mulf %10, %12 : tensor<64x64xf32, #mma>
      %14 = arith.truncf %13 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %15 = ttg.convert_layout %14 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %16 = ttng.warp_group_dot %15, %7, %arg7 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %17 = ttng.warp_group_dot %15, %6, %16 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %18 = ttng.warp_group_dot_wait %17 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      scf.yield %18 : tensor<64x64xf32, #mma>
    }
    tt.return %0 : tensor<64x64xf32, #mma>
  }
  tt.func public @meets_anyway(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x64xf32, #mma>, %arg4: tensor<64x64xf16, #mma>, %arg5: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32 iter_args(%arg7 = %arg3, %arg8 = %arg4) -> (tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>)  : i32 {
      %1 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %2 = ttg.local_alloc %1 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %3 = ttg.memdesc_trans %2 {order = array<i32: 1, 0>} : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %4 = ttng.warp_group_dot %arg0, %3, %arg3 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %5 = ttng.warp_group_dot_wait %4 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %6 = arith.truncf %5 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %7 = ttg.local_alloc %6 : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %8 = tt.load %arg2 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %9 = ttg.local_alloc %8 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %10 = ttng.warp_group_dot %7, %9, %arg7 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %11 = ttng.warp_group_dot %7, %2, %10 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %12 = ttng.warp_group_dot_wait %11 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %13 = arith.addf %arg8, %arg8 : tensor<64x64xf16, #mma>
      scf.yield %12, %13 : tensor<64x64xf32, #mma>, tensor<64x64xf16, #mma>
    }
    tt.return %0#0 : tensor<64x64xf32, #mma>
  }
  tt.func public @attention(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x64xf32, #mma>, %arg4: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64x64xf32, #mma>)  : i32 {
      %1 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %2 = ttg.local_alloc %1 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %3 = ttng.warp_group_dot %arg0, %2, %arg3 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %4 = ttng.warp_group_dot_wait %3 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      %5 = arith.truncf %4 : tensor<64x64xf32, #mma> to tensor<64x64xf16, #mma>
      %6 = ttg.convert_layout %5 : tensor<64x64xf16, #mma> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %7 = tt.load %arg2 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %8 = ttg.local_alloc %7 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %9 = ttng.warp_group_dot %6, %8, %arg6 {inputPrecision = 0 : i32, isAsync = true} : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %10 = ttng.warp_group_dot_wait %9 {pendings = 0 : i32} : tensor<64x64xf32, #mma>
      scf.yield %10 : tensor<64x64xf32, #mma>
    }
    tt.return %0 : tensor<64x64xf32, #mma>
  }
  tt.func public @in_flight(%arg0: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg1: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: tensor<64x64xf32, #mma>, %arg4: i32) -> tensor<64x64xf32, #mma> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg3) -> (tensor<64x64xf32, #mma>)  : i32 {
      %1 = tt.load %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %2 = ttg.local_alloc %1 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %3 = ttng.warp_group_dot %arg0, %2, %arg3 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      %4:2 = ttng.warp_group_dot_wait %3, %arg6 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>
      %5 = tt.load %arg2 : tensor<64x64x!tt.ptr<f16>, #blocked>
      %6 = ttg.local_alloc %5 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %7 = ttng.warp_group_dot %2, %6, %4#1 {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf32, #mma>
      scf.yield %7 : tensor<64x64xf32, #mma>
    }
    tt.return %0 : tensor<64x64xf32, #mma>
  }
}

