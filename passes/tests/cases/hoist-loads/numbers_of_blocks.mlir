// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#columns = #ttg.slice<{dim = 0, parent = #mma}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A block of one number takes one register over the product, and is asked for before it.
  tt.func public @number(%a: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %next: tensor<64x64x!tt.ptr<f16>, #blocked>, %scales: !tt.ptr<f32>, %n: i32, %out: tensor<128x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%first = %cst, %second = %cst) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>) : i32 {
      %d = ttng.warp_group_dot %a, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %done = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %sum = arith.addf %first, %done : tensor<128x64xf32, #mma>
      %at = tt.addptr %scales, %i : !tt.ptr<f32>, i32
      %all = tt.splat %at : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
      %scale = tt.load %all : tensor<64x!tt.ptr<f32>, #columns>
      %row = tt.expand_dims %scale {axis = 0 : i32} : tensor<64xf32, #columns> -> tensor<1x64xf32, #mma>
      %block = tt.broadcast %row : tensor<1x64xf32, #mma> -> tensor<128x64xf32, #mma>
      %scaled = arith.mulf %done, %block : tensor<128x64xf32, #mma>
      %other = arith.addf %second, %scaled : tensor<128x64xf32, #mma>
      %copy = ttg.async_copy_global_to_local %next, %b : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %group = ttg.async_commit_group tokens %copy
      scf.yield %sum, %other : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>
    }
    %both = arith.addf %r#0, %r#1 : tensor<128x64xf32, #mma>
    tt.store %out, %both : tensor<128x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Where warp groups take turns it stays: another group multiplies while one waits.
  tt.func public @in_turns(%a: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %next: tensor<64x64x!tt.ptr<f16>, #blocked>, %scales: !tt.ptr<f32>, %n: i32, %out: tensor<128x64x!tt.ptr<f32>, #mma>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%first = %cst, %second = %cst) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>) : i32 {
      tk.wait_hand_over
      %d = ttng.warp_group_dot %a, %b, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      tk.hand_over
      %done = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %sum = arith.addf %first, %done : tensor<128x64xf32, #mma>
      %at = tt.addptr %scales, %i : !tt.ptr<f32>, i32
      %all = tt.splat %at : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
      %scale = tt.load %all : tensor<64x!tt.ptr<f32>, #columns>
      %row = tt.expand_dims %scale {axis = 0 : i32} : tensor<64xf32, #columns> -> tensor<1x64xf32, #mma>
      %block = tt.broadcast %row : tensor<1x64xf32, #mma> -> tensor<128x64xf32, #mma>
      %scaled = arith.mulf %done, %block : tensor<128x64xf32, #mma>
      %other = arith.addf %second, %scaled : tensor<128x64xf32, #mma>
      %copy = ttg.async_copy_global_to_local %next, %b : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %group = ttg.async_commit_group tokens %copy
      scf.yield %sum, %other : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>
    }
    %both = arith.addf %r#0, %r#1 : tensor<128x64xf32, #mma>
    tt.store %out, %both : tensor<128x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @number(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: tensor<128x64x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0:2 = scf.for %arg6 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg7 = %cst, %arg8 = %cst) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>)  : i32 {
      %2 = tt.addptr %arg3, %arg6 : !tt.ptr<f32>, i32
      %3 = tt.splat %2 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %4 = tt.load %3 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %5 = ttng.warp_group_dot %arg0, %arg1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      %6 = ttng.warp_group_dot_wait %5 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %7 = arith.addf %arg7, %6 : tensor<128x64xf32, #mma>
      %8 = tt.expand_dims %4 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %9 = tt.broadcast %8 : tensor<1x64xf32, #mma> -> tensor<128x64xf32, #mma>
      %10 = arith.mulf %6, %9 : tensor<128x64xf32, #mma>
      %11 = arith.addf %arg8, %10 : tensor<128x64xf32, #mma>
      %12 = ttg.async_copy_global_to_local %arg2, %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %13 = ttg.async_commit_group tokens %12
      scf.yield %7, %11 : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>
    }
    %1 = arith.addf %0#0, %0#1 : tensor<128x64xf32, #mma>
    tt.store %arg5, %1 : tensor<128x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @in_turns(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %arg2: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: tensor<128x64x!tt.ptr<f32>, #mma>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma>
    %0:2 = scf.for %arg6 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg7 = %cst, %arg8 = %cst) -> (tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>)  : i32 {
      tk.wait_hand_over
      %2 = ttng.warp_group_dot %arg0, %arg1, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<128x64xf32, #mma>
      tk.hand_over
      %3 = ttng.warp_group_dot_wait %2 {pendings = 0 : i32} : tensor<128x64xf32, #mma>
      %4 = arith.addf %arg7, %3 : tensor<128x64xf32, #mma>
      %5 = tt.addptr %arg3, %arg6 : !tt.ptr<f32>, i32
      %6 = tt.splat %5 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %7 = tt.load %6 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
      %9 = tt.broadcast %8 : tensor<1x64xf32, #mma> -> tensor<128x64xf32, #mma>
      %10 = arith.mulf %3, %9 : tensor<128x64xf32, #mma>
      %11 = arith.addf %arg8, %10 : tensor<128x64xf32, #mma>
      %12 = ttg.async_copy_global_to_local %arg2, %arg1 : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
      %13 = ttg.async_commit_group tokens %12
      scf.yield %4, %11 : tensor<128x64xf32, #mma>, tensor<128x64xf32, #mma>
    }
    %1 = arith.addf %0#0, %0#1 : tensor<128x64xf32, #mma>
    tt.store %arg5, %1 : tensor<128x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

