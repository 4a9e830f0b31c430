// passes: convert-to-ttg,loop-unroll,canonicalize
module {
  // A scan through global memory: threads meet twice in each iteration. The offset is 1, 2 and 4, and the loop stands in no other one.
  tt.func public @scan(%scratch: !tt.ptr<f32>, %x: tensor<8xf32>) -> (tensor<8xf32>, i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %zero = arith.constant dense<0.0> : tensor<8xf32>
    %lane = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %base = tt.splat %scratch : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %own = tt.addptr %base, %lane : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %all:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %x, %offset = %c1) -> (tensor<8xf32>, i32) : i32 {
      tt.store %own, %acc : tensor<8x!tt.ptr<f32>>
      gpu.barrier
      %offsets = tt.splat %offset : i32 -> tensor<8xi32>
      %from = arith.subi %lane, %offsets : tensor<8xi32>
      %mask = arith.cmpi sge, %lane, %offsets : tensor<8xi32>
      %at = tt.addptr %base, %from : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      %before = tt.load %at, %mask, %zero : tensor<8x!tt.ptr<f32>>
      gpu.barrier
      %next = arith.addf %acc, %before : tensor<8xf32>
      %twice = arith.muli %offset, %c2 : i32
      scf.yield %next, %twice : tensor<8xf32>, i32
    }
    tt.return %all#0, %all#1 : tensor<8xf32>, i32
  }
  // Nothing asks for the number, or it is none, since it starts with an argument: these loops stay.
  tt.func public @left(%p: !tt.ptr<f32>, %start: i32, %value: f32) -> (i32, i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %unused = scf.for %i = %c0 to %c3 step %c1 iter_args(%number = %c1) -> (i32) : i32 {
      tt.store %p, %value : !tt.ptr<f32>
      gpu.barrier
      %twice = arith.muli %number, %c2 : i32
      scf.yield %twice : i32
    }
    %unknown = scf.for %i = %c0 to %c3 step %c1 iter_args(%number = %start) -> (i32) : i32 {
      %at = tt.addptr %p, %number : !tt.ptr<f32>, i32
      tt.store %at, %value : !tt.ptr<f32>
      gpu.barrier
      %twice = arith.muli %number, %c2 : i32
      scf.yield %twice : i32
    }
    tt.return %unused, %unknown : i32, i32
  }
  // 17 iterations are too many.
  tt.func public @many(%p: !tt.ptr<f32>, %value: f32) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c17 = arith.constant 17 : i32
    %last = scf.for %i = %c0 to %c17 step %c1 iter_args(%number = %c1) -> (i32) : i32 {
      %at = tt.addptr %p, %number : !tt.ptr<f32>, i32
      tt.store %at, %value : !tt.ptr<f32>
      gpu.barrier
      %twice = arith.muli %number, %c2 : i32
      scf.yield %twice : i32
    }
    tt.return %last : i32
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scan(%arg0: !tt.ptr<f32>, %arg1: tensor<8xf32, #blocked>) -> (tensor<8xf32, #blocked>, i32) {
    %cst = arith.constant dense<4> : tensor<8xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<8xi32, #blocked>
    %c8_i32 = arith.constant 8 : i32
    %cst_1 = arith.constant dense<1> : tensor<8xi32, #blocked>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<8xf32, #blocked>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<8x!tt.ptr<f32>, #blocked>, tensor<8xi32, #blocked>
    tt.store %2, %arg1 : tensor<8x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %3 = arith.subi %0, %cst_1 : tensor<8xi32, #blocked>
    %4 = arith.cmpi sge, %0, %cst_1 : tensor<8xi32, #blocked>
    %5 = tt.addptr %1, %3 : tensor<8x!tt.ptr<f32>, #blocked>, tensor<8xi32, #blocked>
    %6 = tt.load %5, %4, %cst_2 : tensor<8x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %7 = arith.addf %arg1, %6 : tensor<8xf32, #blocked>
    tt.store %2, %7 : tensor<8x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %8 = arith.subi %0, %cst_0 : tensor<8xi32, #blocked>
    %9 = arith.cmpi sge, %0, %cst_0 : tensor<8xi32, #blocked>
    %10 = tt.addptr %1, %8 : tensor<8x!tt.ptr<f32>, #blocked>, tensor<8xi32, #blocked>
    %11 = tt.load %10, %9, %cst_2 : tensor<8x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %12 = arith.addf %7, %11 : tensor<8xf32, #blocked>
    tt.store %2, %12 : tensor<8x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %13 = arith.subi %0, %cst : tensor<8xi32, #blocked>
    %14 = arith.cmpi sge, %0, %cst : tensor<8xi32, #blocked>
    %15 = tt.addptr %1, %13 : tensor<8x!tt.ptr<f32>, #blocked>, tensor<8xi32, #blocked>
    %16 = tt.load %15, %14, %cst_2 : tensor<8x!tt.ptr<f32>, #blocked>
    gpu.barrier
    %17 = arith.addf %12, %16 : tensor<8xf32, #blocked>
    tt.return %17, %c8_i32 : tensor<8xf32, #blocked>, i32
  }
  tt.func public @left(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: f32) -> (i32, i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = scf.for %arg3 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg4 = %c1_i32) -> (i32)  : i32 {
      tt.store %arg0, %arg2 : !tt.ptr<f32>
      gpu.barrier
      %2 = arith.muli %arg4, %c2_i32 : i32
      scf.yield %2 : i32
    }
    %1 = scf.for %arg3 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg4 = %arg1) -> (i32)  : i32 {
      %2 = tt.addptr %arg0, %arg4 : !tt.ptr<f32>, i32
      tt.store %2, %arg2 : !tt.ptr<f32>
      gpu.barrier
      %3 = arith.muli %arg4, %c2_i32 : i32
      scf.yield %3 : i32
    }
    tt.return %0, %1 : i32, i32
  }
  tt.func public @many(%arg0: !tt.ptr<f32>, %arg1: f32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c17_i32 = arith.constant 17 : i32
    %0 = scf.for %arg2 = %c0_i32 to %c17_i32 step %c1_i32 iter_args(%arg3 = %c1_i32) -> (i32)  : i32 {
      %1 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      tt.store %1, %arg1 : !tt.ptr<f32>
      gpu.barrier
      %2 = arith.muli %arg3, %c2_i32 : i32
      scf.yield %2 : i32
    }
    tt.return %0 : i32
  }
}

