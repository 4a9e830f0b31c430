// passes: reorder-instructions
// target: sm_80
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  // A number per row takes two registers in the layout of the product and four in the other: it is converted behind the loop.
  tt.func public @smaller(%x: tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %p: tensor<64x64x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #blocked>
    %row = ttg.convert_layout %x : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #blocked>) : i32 {
      %v = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
      %s = arith.addf %acc, %v : tensor<64x64xf32, #blocked>
      scf.yield %s : tensor<64x64xf32, #blocked>
    }
    %e = tt.expand_dims %row {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %b = tt.broadcast %e : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %sum = arith.addf %r, %b : tensor<64x64xf32, #blocked>
    tt.store %p, %sum : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // The converted tensor takes as many registers as its source, and nothing else keeps that: it stays.
  tt.func public @equal(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %q: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
    %c = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %v = tt.load %q : tensor<64x64x!tt.ptr<f32>, #mma>
      tt.store %q, %v : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %q, %c : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The source is used again: the conversion moves.
  tt.func public @kept(%p: tensor<64x64x!tt.ptr<f32>, #blocked>, %q: tensor<64x64x!tt.ptr<f32>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #blocked>
    %c = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %v = tt.load %q : tensor<64x64x!tt.ptr<f32>, #mma>
      tt.store %q, %v : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %q, %c : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.store %p, %x : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // A read passes over the loop when nothing writes its buffer, and only then.
  tt.func public @reads(%x: tensor<64x64xf16, #blocked>, %y: tensor<64x64xf16, #blocked>, %q: tensor<64x64x!tt.ptr<f16>, #mma>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %m = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %w = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %u = ttg.local_load %m : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #mma>
    %v = ttg.local_load %w : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #mma>
    scf.for %i = %c0 to %n step %c1 : i32 {
      ttg.local_store %y, %w : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    }
    %s = arith.addf %u, %v : tensor<64x64xf16, #mma>
    tt.store %q, %s : tensor<64x64x!tt.ptr<f16>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @smaller(%arg0: tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x64xf32, #blocked>)  : i32 {
      %5 = tt.load %arg1 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %6 = arith.addf %arg4, %5 : tensor<64x64xf32, #blocked>
      scf.yield %6 : tensor<64x64xf32, #blocked>
    }
    %1 = ttg.convert_layout %arg0 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
    %3 = tt.broadcast %2 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %4 = arith.addf %0, %3 : tensor<64x64xf32, #blocked>
    tt.store %arg1, %4 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @equal(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #mma>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<f32>, #mma>
      tt.store %arg1, %2 : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    tt.store %arg1, %1 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @kept(%arg0: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #mma>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %2 = tt.load %arg1 : tensor<64x64x!tt.ptr<f32>, #mma>
      tt.store %arg1, %2 : tensor<64x64x!tt.ptr<f32>, #mma>
    }
    %1 = ttg.convert_layout %0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    tt.store %arg1, %1 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.store %arg0, %0 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @reads(%arg0: tensor<64x64xf16, #blocked>, %arg1: tensor<64x64xf16, #blocked>, %arg2: tensor<64x64x!tt.ptr<f16>, #mma>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = ttg.local_alloc %arg0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %2 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #mma>
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      ttg.local_store %arg1, %1 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    }
    %3 = ttg.local_load %0 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #mma>
    %4 = arith.addf %3, %2 : tensor<64x64xf16, #mma>
    tt.store %arg2, %4 : tensor<64x64x!tt.ptr<f16>, #mma>
    tt.return
  }
}

