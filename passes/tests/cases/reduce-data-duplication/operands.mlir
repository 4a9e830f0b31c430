// passes: reduce-data-duplication
// target: sm_90a
// counts: ttg.local_alloc 3, ttg.local_load 4, ttg.convert_layout 2
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#acc = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #acc}>
#b = #ttg.dot_op<{opIdx = 1, parent = #acc}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Both operands take more registers than a thread should give: each is read where it is used.
  tt.func public @large(%x: tensor<64x64xf32, #blocked>, %y: tensor<64x64xf32, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #acc>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %a = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #a>
    %b = ttg.convert_layout %y : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #b>
    %d = tt.dot %a, %b, %zero : tensor<64x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<64x64xf32, #acc>
    tt.store %out, %d : tensor<64x64x!tt.ptr<f32>, #acc>
    tt.return
  }
  // One that two dots use has one buffer, which is read twice; a constant needs none.
  tt.func public @shared(%x: tensor<64x64xf32, #blocked>, %out: tensor<64x64x!tt.ptr<f32>, #acc>) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #acc>
    %ones = arith.constant dense<1.0> : tensor<64x64xf32, #blocked>
    %a = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #a>
    %b = ttg.convert_layout %ones : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #b>
    %d = tt.dot %a, %b, %zero : tensor<64x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<64x64xf32, #acc>
    %e = tt.dot %a, %b, %d : tensor<64x64xf32, #a> * tensor<64x64xf32, #b> -> tensor<64x64xf32, #acc>
    tt.store %out, %e : tensor<64x64x!tt.ptr<f32>, #acc>
    tt.return
  }
  // Small ones stay in registers.
  tt.func public @small(%x: tensor<16x8xf32, #blocked>, %out: tensor<16x64x!tt.ptr<f32>, #acc>) {
    %zero = arith.constant dense<0.0> : tensor<16x64xf32, #acc>
    %ones = arith.constant dense<1.0> : tensor<8x64xf32, #b>
    %a = ttg.convert_layout %x : tensor<16x8xf32, #blocked> -> tensor<16x8xf32, #a>
    %d = tt.dot %a, %ones, %zero : tensor<16x8xf32, #a> * tensor<8x64xf32, #b> -> tensor<16x64xf32, #acc>
    tt.store %out, %d : tensor<16x64x!tt.ptr<f32>, #acc>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @large(%arg0: tensor<64x64xf32, #blocked>, %arg1: tensor<64x64xf32, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %1 = ttg.local_alloc %arg1 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %2 = ttg.local_load %0 : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %3 = ttg.local_load %1 : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %4 = tt.dot %2, %3, %cst : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    tt.store %arg2, %4 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @shared(%arg0: tensor<64x64xf32, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked1>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = ttg.local_alloc %arg0 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %1 = ttg.convert_layout %cst_0 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %2 = ttg.local_load %0 : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %3 = tt.dot %2, %1, %cst : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    %4 = ttg.local_load %0 : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %5 = tt.dot %4, %1, %3 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<64x64xf32, #blocked1>
    tt.store %arg1, %5 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @small(%arg0: tensor<16x8xf32, #blocked>, %arg1: tensor<16x64x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<16x64xf32, #blocked1>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>
    %0 = ttg.convert_layout %arg0 : tensor<16x8xf32, #blocked> -> tensor<16x8xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>
    %1 = tt.dot %0, %cst_0, %cst : tensor<16x8xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<16x64xf32, #blocked1>
    tt.store %arg1, %1 : tensor<16x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

