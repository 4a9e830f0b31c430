// passes: tt,ttg,llvm
// conversions: 1 in the reference
module {
  tt.func public @colsum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %c32_i32 = arith.constant 32 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x128xf32>
    %c128_i32 = arith.constant 128 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = tt.splat %1 : i32 -> tensor<128xi32>
    %4 = arith.addi %3, %2 : tensor<128xi32>
    %5 = scf.for %arg4 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg5 = %cst) -> (tensor<128xf32>)  : i32 {
      %10 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %11 = tt.splat %arg4 : i32 -> tensor<32xi32>
      %12 = arith.addi %11, %10 : tensor<32xi32>
      %13 = tt.expand_dims %12 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %14 = tt.splat %arg2 : i32 -> tensor<32x1xi32>
      %15 = arith.cmpi slt, %13, %14 : tensor<32x1xi32>
      %16 = tt.expand_dims %4 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
      %17 = tt.splat %arg3 : i32 -> tensor<1x128xi32>
      %18 = arith.cmpi slt, %16, %17 : tensor<1x128xi32>
      %19 = tt.broadcast %15 : tensor<32x1xi1> -> tensor<32x128xi1>
      %20 = tt.broadcast %18 : tensor<1x128xi1> -> tensor<32x128xi1>
      %21 = arith.andi %19, %20 : tensor<32x128xi1>
      %22 = tt.splat %arg3 : i32 -> tensor<32x1xi32>
      %23 = arith.muli %13, %22 : tensor<32x1xi32>
      %24 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x1x!tt.ptr<f32>>
      %25 = tt.addptr %24, %23 : tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>
      %26 = tt.broadcast %25 : tensor<32x1x!tt.ptr<f32>> -> tensor<32x128x!tt.ptr<f32>>
      %27 = tt.broadcast %16 : tensor<1x128xi32> -> tensor<32x128xi32>
      %28 = tt.addptr %26, %27 : tensor<32x128x!tt.ptr<f32>>, tensor<32x128xi32>
      %29 = tt.load %28, %21, %cst_0 : tensor<32x128x!tt.ptr<f32>>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %32 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %32 : f32
      }) : (tensor<32x128xf32>) -> tensor<128xf32>
      %31 = arith.addf %arg5, %30 : tensor<128xf32>
      scf.yield %31 : tensor<128xf32>
    }
    %6 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %7 = arith.cmpi slt, %4, %6 : tensor<128xi32>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %9 = tt.addptr %8, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %9, %5, %7 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [8, 1, 1, 4], threadsPerWarp = [1, 1, 1, 32], warpsPerCTA = [1, 4, 1, 1], order = [3, 2, 1, 0]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 4, 8, 1], threadsPerWarp = [1, 32, 1, 1], warpsPerCTA = [4, 1, 1, 1], order = [1, 3, 0, 2]}>
#linear = #ttg.linear<{register = [[0, 1, 0], [0, 2, 0], [0, 0, 1], [0, 0, 2], [0, 0, 4]], lane = [[0, 4, 0], [0, 8, 0], [0, 16, 0], [0, 32, 0], [0, 64, 0]], warp = [[1, 0, 0], [2, 0, 0]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 2560 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @colsum(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x128xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %cst_1 = arith.constant dense<-0.000000e+00> : tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c128_i32 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.splat %1 : i32 -> tensor<128xi32, #blocked1>
    %5 = tt.splat %1 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = arith.addi %4, %2 : tensor<128xi32, #blocked1>
    %7 = arith.addi %5, %3 : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %8 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %9 = tt.splat %arg2 : i32 -> tensor<32x1xi32, #blocked>
    %10 = tt.expand_dims %7 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %11 = tt.splat %arg3 : i32 -> tensor<1x128xi32, #blocked>
    %12 = arith.cmpi slt, %10, %11 {tk.constancy = array<i32: 1, 16>} : tensor<1x128xi32, #blocked>
    %13 = tt.broadcast %12 : tensor<1x128xi1, #blocked> -> tensor<32x128xi1, #blocked>
    %14 = tt.splat %arg3 : i32 -> tensor<32x1xi32, #blocked>
    %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1x128x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %10 : tensor<1x128x!tt.ptr<f32>, #blocked>, tensor<1x128xi32, #blocked>
    %17 = tt.broadcast %16 : tensor<1x128x!tt.ptr<f32>, #blocked> -> tensor<32x128x!tt.ptr<f32>, #blocked>
    %18 = scf.for %arg4 = %c0_i32 to %arg2 step %c32_i32 iter_args(%arg5 = %cst_1) -> (tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>)  : i32 {
      %26 = tt.splat %arg4 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %27 = arith.addi %26, %8 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %28 = tt.expand_dims %27 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
      %29 = arith.cmpi slt, %28, %9 {tk.constancy = array<i32: 16, 1>} : tensor<32x1xi32, #blocked>
      %30 = tt.broadcast %29 : tensor<32x1xi1, #blocked> -> tensor<32x128xi1, #blocked>
      %31 = arith.andi %30, %13 : tensor<32x128xi1, #blocked>
      %32 = arith.muli %28, %14 : tensor<32x1xi32, #blocked>
      %33 = tt.broadcast %32 : tensor<32x1xi32, #blocked> -> tensor<32x128xi32, #blocked>
      %34 = tt.addptr %17, %33 : tensor<32x128x!tt.ptr<f32>, #blocked>, tensor<32x128xi32, #blocked>
      %35 = tt.load %34, %31, %cst {tk.vector = 4 : i32} : tensor<32x128x!tt.ptr<f32>, #blocked>
      %36 = tt.reshape %35 : tensor<32x128xf32, #blocked> -> tensor<8x4x1x128xf32, #blocked2>
      %37 = tt.trans %36 {order = array<i32: 1, 3, 0, 2>} : tensor<8x4x1x128xf32, #blocked2> -> tensor<4x128x8x1xf32, #blocked3>
      %38 = tt.reshape %37 : tensor<4x128x8x1xf32, #blocked3> -> tensor<4x128x8xf32, #linear>
      %39 = "tt.reduce"(%38) <{axis = 2 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %41 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %41 : f32
      }) : (tensor<4x128x8xf32, #linear>) -> tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %40 = arith.addf %arg5, %39 : tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      scf.yield %40 : tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    }
    %19 = "tt.reduce"(%18) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %26 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %26 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 2048 : i32} : (tensor<4x128xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %20 = arith.addf %19, %cst_0 : tensor<128xf32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %21 = ttg.convert_layout %20 {allocation.offset = 2048 : i32, tk.allocation_size = 512 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<128xf32, #blocked1>
    %22 = tt.splat %arg3 : i32 -> tensor<128xi32, #blocked1>
    %23 = arith.cmpi slt, %6, %22 {tk.constancy = array<i32: 16>} : tensor<128xi32, #blocked1>
    %24 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %25 = tt.addptr %24, %6 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    tt.store %25, %21, %23 {tk.vector = 1 : i32} : tensor<128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

