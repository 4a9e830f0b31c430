// passes: store-gathered
// target: sm_90a
// counts: ttg.local_alloc 2, ttg.local_gather 3, tt.gather 1, ttg.convert_layout 1
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#across = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // One row for all threads is read in the layout that is asked for; rows by a number for each are, and then converted. Columns have a buffer in
  // another order. What the loop computes stays with its gather.
  tt.func public @rows(%x: tensor<16x64xf16, #blocked>, %w: tensor<16x64xf16, #columns>, %index: tensor<1x64xi32, #blocked>, %p: tensor<1x64x!tt.ptr<f16>, #across>, %q: tensor<16x1x!tt.ptr<f16>, #columns>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %j = %c0 to %n step %c1 : i32 {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %row = tt.splat %i : i32 -> tensor<1x64xi32, #blocked>
        %taken = tt.gather %x[%row] {axis = 0 : i32} : (tensor<16x64xf16, #blocked>, tensor<1x64xi32, #blocked>) -> tensor<1x64xf16, #blocked>
        %wanted = ttg.convert_layout %taken : tensor<1x64xf16, #blocked> -> tensor<1x64xf16, #across>
        tt.store %p, %wanted : tensor<1x64x!tt.ptr<f16>, #across>
        %each = tt.gather %x[%index] {axis = 0 : i32} : (tensor<16x64xf16, #blocked>, tensor<1x64xi32, #blocked>) -> tensor<1x64xf16, #blocked>
        %converted = ttg.convert_layout %each : tensor<1x64xf16, #blocked> -> tensor<1x64xf16, #across>
        tt.store %p, %converted : tensor<1x64x!tt.ptr<f16>, #across>
        %column = tt.splat %i : i32 -> tensor<16x1xi32, #columns>
        %down = tt.gather %w[%column] {axis = 1 : i32} : (tensor<16x64xf16, #columns>, tensor<16x1xi32, #columns>) -> tensor<16x1xf16, #columns>
        tt.store %q, %down : tensor<16x1x!tt.ptr<f16>, #columns>
        %y = arith.addf %w, %w : tensor<16x64xf16, #columns>
        %other = tt.gather %y[%column] {axis = 1 : i32} : (tensor<16x64xf16, #columns>, tensor<16x1xi32, #columns>) -> tensor<16x1xf16, #columns>
        tt.store %q, %other : tensor<16x1x!tt.ptr<f16>, #columns>
      }
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: tensor<16x64xf16, #blocked>, %arg1: tensor<16x64xf16, #blocked1>, %arg2: tensor<1x64xi32, #blocked>, %arg3: tensor<1x64x!tt.ptr<f16>, #blocked2>, %arg4: tensor<16x1x!tt.ptr<f16>, #blocked1>, %arg5: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.local_alloc %arg0 : (tensor<16x64xf16, #blocked>) -> !ttg.memdesc<16x64xf16, #shared, #smem>
    %1 = ttg.local_alloc %arg1 : (tensor<16x64xf16, #blocked1>) -> !ttg.memdesc<16x64xf16, #shared1, #smem>
    scf.for %arg6 = %c0_i32 to %arg5 step %c1_i32  : i32 {
      scf.for %arg7 = %c0_i32 to %arg5 step %c1_i32  : i32 {
        %2 = tt.splat %arg7 : i32 -> tensor<1x64xi32, #blocked>
        %3 = tt.splat %arg7 : i32 -> tensor<1x64xi32, #blocked2>
        %4 = ttg.local_gather %0[%3] {axis = 0 : i32} : !ttg.memdesc<16x64xf16, #shared, #smem>, tensor<1x64xi32, #blocked2> -> tensor<1x64xf16, #blocked2>
        tt.store %arg3, %4 : tensor<1x64x!tt.ptr<f16>, #blocked2>
        %5 = ttg.local_gather %0[%arg2] {axis = 0 : i32} : !ttg.memdesc<16x64xf16, #shared, #smem>, tensor<1x64xi32, #blocked> -> tensor<1x64xf16, #blocked>
        %6 = ttg.convert_layout %5 : tensor<1x64xf16, #blocked> -> tensor<1x64xf16, #blocked2>
        tt.store %arg3, %6 : tensor<1x64x!tt.ptr<f16>, #blocked2>
        %7 = tt.splat %arg7 : i32 -> tensor<16x1xi32, #blocked1>
        %8 = ttg.local_gather %1[%7] {axis = 1 : i32} : !ttg.memdesc<16x64xf16, #shared1, #smem>, tensor<16x1xi32, #blocked1> -> tensor<16x1xf16, #blocked1>
        tt.store %arg4, %8 : tensor<16x1x!tt.ptr<f16>, #blocked1>
        %9 = arith.addf %arg1, %arg1 : tensor<16x64xf16, #blocked1>
        %10 = tt.gather %9[%7] {axis = 1 : i32} : (tensor<16x64xf16, #blocked1>, tensor<16x1xi32, #blocked1>) -> tensor<16x1xf16, #blocked1>
        tt.store %arg4, %10 : tensor<16x1x!tt.ptr<f16>, #blocked1>
      }
    }
    tt.return
  }
}

