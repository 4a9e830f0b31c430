// passes: copy-operands
// counts: tt.load 2, ttg.async_copy_global_to_local 2, ttg.async_wait 2, ttng.fence_async_shared 2, tk.behind_words 0
// A chain of products: the block of the second one is copied beside the loads of the first, that of the third one behind the first product.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @chain(%Aw_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %Bv_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %Wq_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %L_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %Y_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %pid = tt.get_program_id x : i32
    %aw_base = arith.muli %pid, %c4096_i32 : i32
    %ri = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %ri_1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %0 = tt.addptr %Aw_ptr, %aw_base : !tt.ptr<f32>, i32
    %1 = tt.expand_dims %ri_1 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %2 = arith.muli %1, %cst_0 : tensor<64x1xi32, #blocked>
    %3 = tt.splat %0 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %5 = tt.expand_dims %ri {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %6 = tt.broadcast %4 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %7 = tt.broadcast %5 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %8 = tt.addptr %6, %7 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %Aw = tt.load %8 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %Aw_2 = ttg.local_alloc %Aw : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %9 = tt.addptr %Wq_ptr, %aw_base : !tt.ptr<f32>, i32
    %10 = tt.splat %9 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %11 = tt.addptr %10, %2 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %12 = tt.broadcast %11 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %7 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %wq = tt.load %13 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %wq_3 = ttg.convert_layout %wq : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %w_f = scf.for %w_f_8 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%wq_9 = %wq_3) -> (tensor<64x64xf32, #mma>)  : i32 {
      %wq_10 = ttg.local_alloc %wq_9 : (tensor<64x64xf32, #mma>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
      %w_f_11 = ttng.warp_group_dot %Aw_2, %wq_10, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %w_f_12:3 = ttng.warp_group_dot_wait %w_f_11, %Aw_2, %wq_10 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf32, #shared, #smem>, !ttg.memdesc<64x64xf32, #shared1, #smem>
      scf.yield %w_f_12#0 : tensor<64x64xf32, #mma>
    }
    %w_f_4 = ttg.local_alloc %w_f : (tensor<64x64xf32, #mma>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
    %14 = tt.addptr %L_ptr, %aw_base : !tt.ptr<f32>, i32
    %15 = tt.splat %14 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %2 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %17 = tt.broadcast %16 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %7 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %L = tt.load %18 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %L_5 = ttg.local_alloc %L : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %z_out = ttng.warp_group_dot %L_5, %w_f_4, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %z_out_6 = ttg.local_alloc %z_out : (tensor<64x64xf32, #mma>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
    %19 = tt.addptr %Bv_ptr, %aw_base : !tt.ptr<f32>, i32
    %20 = tt.splat %19 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %21 = tt.addptr %20, %2 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %22 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %23 = tt.addptr %22, %7 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %Bv = tt.load %23 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %Bv_7 = ttg.local_alloc %Bv : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %y = ttng.warp_group_dot %Bv_7, %z_out_6, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %24 = tt.addptr %Y_ptr, %aw_base : !tt.ptr<f32>, i32
    %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %26 = tt.addptr %25, %2 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %27 = tt.broadcast %26 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %28 = tt.addptr %27, %7 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %29 = ttg.convert_layout %y : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %28, %29 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 8]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @chain(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg4: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c4096_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
    %5 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %6 = arith.muli %5, %cst_0 : tensor<64x1xi32, #blocked>
    %7 = tt.splat %4 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %8 = tt.addptr %7, %6 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %9 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %10 = tt.broadcast %8 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %11 = tt.broadcast %9 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %12 = tt.addptr %10, %11 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %13 = tt.load %12 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %14 = ttg.local_alloc %13 : (tensor<64x64xf32, #blocked>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %15 = tt.addptr %arg2, %1 : !tt.ptr<f32>, i32
    %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %17 = tt.addptr %16, %6 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %18 = tt.broadcast %17 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %19 = tt.addptr %18, %11 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %20 = tt.load %19 : tensor<64x64x!tt.ptr<f32>, #blocked>
    %21 = tt.addptr %arg3, %1 : !tt.ptr<f32>, i32
    %22 = tt.splat %21 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %23 = tt.addptr %22, %6 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %24 = tt.broadcast %23 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %25 = tt.addptr %24, %11 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %26 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %27 = ttg.async_copy_global_to_local %25, %26 {contiguity = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %28 = ttg.async_commit_group tokens %27
    %29 = ttg.convert_layout %20 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #mma>
    %30 = scf.for %arg5 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%arg6 = %29) -> (tensor<64x64xf32, #mma>)  : i32 {
      %51 = ttg.local_alloc %arg6 : (tensor<64x64xf32, #mma>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
      %52 = ttng.warp_group_dot %14, %51, %cst {inputPrecision = 0 : i32, isAsync = true} : !ttg.memdesc<64x64xf32, #shared, #smem> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
      %53:3 = ttng.warp_group_dot_wait %52, %14, %51 {pendings = 0 : i32} : tensor<64x64xf32, #mma>, !ttg.memdesc<64x64xf32, #shared, #smem>, !ttg.memdesc<64x64xf32, #shared1, #smem>
      scf.yield %53#0 : tensor<64x64xf32, #mma>
    }
    %31 = tt.addptr %arg1, %1 : !tt.ptr<f32>, i32
    %32 = tt.splat %31 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %33 = tt.addptr %32, %6 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %34 = tt.broadcast %33 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %35 = tt.addptr %34, %11 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %36 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf32, #shared, #smem, mutable>
    %37 = ttg.async_copy_global_to_local %35, %36 {contiguity = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked> -> <64x64xf32, #shared, #smem, mutable>
    %38 = ttg.async_commit_group tokens %37
    %39 = ttg.local_alloc %30 : (tensor<64x64xf32, #mma>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
    %40 = ttg.async_wait %28 {num = 1 : i32}
    ttng.fence_async_shared {bCluster = false}
    %41 = ttng.warp_group_dot %26, %39, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %42 = ttg.local_alloc %41 : (tensor<64x64xf32, #mma>) -> !ttg.memdesc<64x64xf32, #shared1, #smem>
    %43 = ttg.async_wait %38 {num = 0 : i32}
    ttng.fence_async_shared {bCluster = false}
    %44 = ttng.warp_group_dot %36, %42, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<64x64xf32, #shared, #smem, mutable> * !ttg.memdesc<64x64xf32, #shared1, #smem> -> tensor<64x64xf32, #mma>
    %45 = tt.addptr %arg4, %1 : !tt.ptr<f32>, i32
    %46 = tt.splat %45 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %47 = tt.addptr %46, %6 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %48 = tt.broadcast %47 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %49 = tt.addptr %48, %11 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %50 = ttg.convert_layout %44 : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    tt.store %49, %50 : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

