// passes: tt,ttg,llvm
module {
  tt.func public @branchy(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %c64_i32 = arith.constant 64 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<5.000000e-01> : tensor<32x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2 = scf.for %arg4 = %c0_i32 to %arg2 step %c64_i32 iter_args(%arg5 = %cst) -> (tensor<32x64xf32>)  : i32 {
      %16 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %17 = tt.splat %arg2 : i32 -> tensor<32x1xi32>
      %18 = arith.muli %16, %17 : tensor<32x1xi32>
      %19 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
      %20 = tt.addptr %19, %18 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
      %21 = tt.splat %arg4 : i32 -> tensor<64xi32>
      %22 = arith.addi %21, %1 : tensor<64xi32>
      %23 = tt.expand_dims %22 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %24 = tt.broadcast %20 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
      %25 = tt.broadcast %23 : tensor<1x64xi32> -> tensor<32x64xi32>
      %26 = tt.addptr %24, %25 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
      %27 = tt.load %26 : tensor<32x64x!tt.ptr<f32>>
      %28 = arith.cmpi sgt, %arg3, %arg4 : i32
      %29 = scf.if %28 -> (tensor<32x64xf32>) {
        %30 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
        %31 = tt.addptr %30, %16 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
        %32 = tt.splat %arg2 : i32 -> tensor<1x64xi32>
        %33 = arith.muli %23, %32 : tensor<1x64xi32>
        %34 = tt.broadcast %31 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
        %35 = tt.broadcast %33 : tensor<1x64xi32> -> tensor<32x64xi32>
        %36 = tt.addptr %34, %35 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
        %37 = tt.load %36 : tensor<32x64x!tt.ptr<f32>>
        %38 = arith.mulf %27, %37 : tensor<32x64xf32>
        %39 = arith.addf %arg5, %38 : tensor<32x64xf32>
        scf.yield %39 : tensor<32x64xf32>
      } else {
        %30 = arith.subf %arg5, %27 : tensor<32x64xf32>
        scf.yield %30 : tensor<32x64xf32>
      }
      scf.yield %29 : tensor<32x64xf32>
    }
    %3 = "tt.reduce"(%2) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %16 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %16 : f32
    }) : (tensor<32x64xf32>) -> tensor<32xf32>
    %4:3 = scf.while (%arg4 = %2, %arg5 = %3, %arg6 = %c0_i32) : (tensor<32x64xf32>, tensor<32xf32>, i32) -> (tensor<32x64xf32>, tensor<32xf32>, i32) {
      %16 = arith.cmpi slt, %arg6, %arg3 : i32
      scf.condition(%16) %arg4, %arg5, %arg6 : tensor<32x64xf32>, tensor<32xf32>, i32
    } do {
    ^bb0(%arg4: tensor<32x64xf32>, %arg5: tensor<32xf32>, %arg6: i32):
      %16 = "tt.reduce"(%arg4) <{axis = 1 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %20 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %20 : f32
      }) : (tensor<32x64xf32>) -> tensor<32xf32>
      %17 = arith.addf %arg5, %16 : tensor<32xf32>
      %18 = arith.mulf %arg4, %cst_0 : tensor<32x64xf32>
      %19 = arith.addi %arg6, %c1_i32 : i32
      scf.yield %18, %17, %19 : tensor<32x64xf32>, tensor<32xf32>, i32
    }
    %5 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %6 = tt.addptr %5, %0 : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %6, %4#1 : tensor<32x!tt.ptr<f32>>
    %7 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %8 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
    %10 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %11 = tt.splat %arg2 : i32 -> tensor<1x64xi32>
    %12 = arith.muli %10, %11 : tensor<1x64xi32>
    %13 = tt.broadcast %9 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x64x!tt.ptr<f32>>
    %14 = tt.broadcast %12 : tensor<1x64xi32> -> tensor<32x64xi32>
    %15 = tt.addptr %13, %14 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    tt.store %15, %4#0 : tensor<32x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 8320 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @branchy(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32) attributes {noinline = false} {
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<5.000000e-01> : tensor<32x64xf32, #blocked>
    %c64_i32 = arith.constant 64 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #blocked>
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked1>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %2 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %5 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32x1xi32, #blocked2>
    %6 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %7 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %8 = arith.muli %6, %7 : tensor<32x1xi32, #blocked>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %8 : tensor<32x1x!tt.ptr<f32>, #blocked>, tensor<32x1xi32, #blocked>
    %11 = tt.broadcast %10 : tensor<32x1x!tt.ptr<f32>, #blocked> -> tensor<32x64x!tt.ptr<f32>, #blocked>
    %12 = scf.for %arg4 = %c0_i32 to %arg2 step %c64_i32 iter_args(%arg5 = %cst_0) -> (tensor<32x64xf32, #blocked>)  : i32 {
      %27 = tt.splat %arg4 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
      %28 = tt.splat %arg4 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %29 = arith.addi %27, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
      %30 = arith.addi %28, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
      %31 = tt.expand_dims %29 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
      %32 = tt.expand_dims %30 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
      %33 = tt.broadcast %32 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
      %34 = tt.addptr %11, %33 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi32, #blocked>
      %35 = tt.load %34 {tk.vector = 4 : i32} : tensor<32x64x!tt.ptr<f32>, #blocked>
      %36 = arith.cmpi sgt, %arg3, %arg4 : i32
      %37 = scf.if %36 -> (tensor<32x64xf32, #blocked>) {
        %38 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked2>
        %39 = tt.addptr %38, %5 : tensor<32x1x!tt.ptr<f32>, #blocked2>, tensor<32x1xi32, #blocked2>
        %40 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked2>
        %41 = arith.muli %31, %40 : tensor<1x64xi32, #blocked2>
        %42 = tt.broadcast %39 : tensor<32x1x!tt.ptr<f32>, #blocked2> -> tensor<32x64x!tt.ptr<f32>, #blocked2>
        %43 = tt.broadcast %41 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
        %44 = tt.addptr %42, %43 : tensor<32x64x!tt.ptr<f32>, #blocked2>, tensor<32x64xi32, #blocked2>
        %45 = tt.load %44 {tk.vector = 4 : i32} : tensor<32x64x!tt.ptr<f32>, #blocked2>
        gpu.barrier
        %46 = ttg.convert_layout %45 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<32x64xf32, #blocked2> -> tensor<32x64xf32, #blocked>
        %47 = arith.mulf %35, %46 : tensor<32x64xf32, #blocked>
        %48 = arith.addf %arg5, %47 : tensor<32x64xf32, #blocked>
        scf.yield %48 : tensor<32x64xf32, #blocked>
      } else {
        %38 = arith.subf %arg5, %35 : tensor<32x64xf32, #blocked>
        scf.yield %38 : tensor<32x64xf32, #blocked>
      }
      scf.yield %37 : tensor<32x64xf32, #blocked>
    }
    %13 = "tt.reduce"(%12) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %27 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %27 : f32
    }) : (tensor<32x64xf32, #blocked>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %14:2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %12, %arg6 = %13) -> (tensor<32x64xf32, #blocked>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>)  : i32 {
      %27 = "tt.reduce"(%arg5) <{axis = 1 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %30 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %30 : f32
      }) : (tensor<32x64xf32, #blocked>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %28 = arith.addf %arg6, %27 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %29 = arith.mulf %arg5, %cst : tensor<32x64xf32, #blocked>
      scf.yield %29, %28 : tensor<32x64xf32, #blocked>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    }
    %15 = ttg.convert_layout %14#1 {allocation.offset = 8192 : i32, tk.allocation_size = 128 : i32} : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32xf32, #blocked1>
    %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked1>
    %17 = tt.addptr %16, %0 : tensor<32x!tt.ptr<f32>, #blocked1>, tensor<32xi32, #blocked1>
    tt.store %17, %15 {tk.vector = 1 : i32} : tensor<32x!tt.ptr<f32>, #blocked1>
    %18 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>, #blocked2>
    %19 = tt.addptr %18, %5 : tensor<32x1x!tt.ptr<f32>, #blocked2>, tensor<32x1xi32, #blocked2>
    %20 = tt.expand_dims %3 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x64xi32, #blocked2>
    %21 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked2>
    %22 = arith.muli %20, %21 : tensor<1x64xi32, #blocked2>
    %23 = tt.broadcast %19 : tensor<32x1x!tt.ptr<f32>, #blocked2> -> tensor<32x64x!tt.ptr<f32>, #blocked2>
    %24 = tt.broadcast %22 : tensor<1x64xi32, #blocked2> -> tensor<32x64xi32, #blocked2>
    %25 = tt.addptr %23, %24 : tensor<32x64x!tt.ptr<f32>, #blocked2>, tensor<32x64xi32, #blocked2>
    %26 = ttg.convert_layout %14#0 {allocation.offset = 0 : i32, tk.allocation_size = 8192 : i32} : tensor<32x64xf32, #blocked> -> tensor<32x64xf32, #blocked2>
    tt.store %25, %26 {tk.vector = 4 : i32} : tensor<32x64x!tt.ptr<f32>, #blocked2>
    tt.return
  }
}

