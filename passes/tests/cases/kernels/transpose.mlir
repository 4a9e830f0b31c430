// passes: tt,ttg,llvm
// conversions: 1 in the reference
module {
  tt.func public @transpose(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %0, %c64_i32 : i32
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %4 = tt.splat %2 : i32 -> tensor<64xi32>
    %5 = arith.addi %4, %3 : tensor<64xi32>
    %6 = arith.muli %1, %c64_i32 : i32
    %7 = tt.splat %6 : i32 -> tensor<64xi32>
    %8 = arith.addi %7, %3 : tensor<64xi32>
    %9 = tt.expand_dims %5 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %10 = tt.splat %arg2 : i32 -> tensor<64x1xi32>
    %11 = arith.cmpi slt, %9, %10 : tensor<64x1xi32>
    %12 = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %13 = tt.splat %arg3 : i32 -> tensor<1x64xi32>
    %14 = arith.cmpi slt, %12, %13 : tensor<1x64xi32>
    %15 = tt.broadcast %11 : tensor<64x1xi1> -> tensor<64x64xi1>
    %16 = tt.broadcast %14 : tensor<1x64xi1> -> tensor<64x64xi1>
    %17 = arith.andi %15, %16 : tensor<64x64xi1>
    %18 = tt.splat %arg3 : i32 -> tensor<64x1xi32>
    %19 = arith.muli %9, %18 : tensor<64x1xi32>
    %20 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %21 = tt.addptr %20, %19 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %22 = tt.broadcast %21 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %23 = tt.broadcast %12 : tensor<1x64xi32> -> tensor<64x64xi32>
    %24 = tt.addptr %22, %23 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %25 = tt.load %24, %17 : tensor<64x64x!tt.ptr<f32>>
    %26 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %27 = tt.addptr %26, %9 : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %28 = tt.splat %arg2 : i32 -> tensor<1x64xi32>
    %29 = arith.muli %12, %28 : tensor<1x64xi32>
    %30 = tt.broadcast %27 : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %31 = tt.broadcast %29 : tensor<1x64xi32> -> tensor<64x64xi32>
    %32 = tt.addptr %30, %31 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %32, %25, %17 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 2], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 16384 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @transpose(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %0, %c64_i32 : i32
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %7 = tt.splat %2 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.splat %2 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %9 = arith.addi %7, %5 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %10 = arith.addi %8, %6 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %11 = arith.muli %1, %c64_i32 : i32
    %12 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.splat %11 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %14 = arith.addi %12, %3 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = arith.addi %13, %4 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = tt.expand_dims %9 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %17 = tt.expand_dims %10 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %18 = tt.splat %arg2 : i32 -> tensor<64x1xi32, #blocked>
    %19 = tt.splat %arg2 : i32 -> tensor<64x1xi32, #blocked1>
    %20 = arith.cmpi slt, %16, %18 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked>
    %21 = arith.cmpi slt, %17, %19 {tk.constancy = array<i32: 16, 1>} : tensor<64x1xi32, #blocked1>
    %22 = tt.expand_dims %14 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %23 = tt.expand_dims %15 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %24 = tt.splat %arg3 : i32 -> tensor<1x64xi32, #blocked>
    %25 = tt.splat %arg3 : i32 -> tensor<1x64xi32, #blocked1>
    %26 = arith.cmpi slt, %22, %24 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked>
    %27 = arith.cmpi slt, %23, %25 {tk.constancy = array<i32: 1, 16>} : tensor<1x64xi32, #blocked1>
    %28 = tt.broadcast %20 : tensor<64x1xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %29 = tt.broadcast %21 : tensor<64x1xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %30 = tt.broadcast %26 : tensor<1x64xi1, #blocked> -> tensor<64x64xi1, #blocked>
    %31 = tt.broadcast %27 : tensor<1x64xi1, #blocked1> -> tensor<64x64xi1, #blocked1>
    %32 = arith.andi %28, %30 : tensor<64x64xi1, #blocked>
    %33 = arith.andi %29, %31 : tensor<64x64xi1, #blocked1>
    %34 = tt.splat %arg3 : i32 -> tensor<64x1xi32, #blocked1>
    %35 = arith.muli %17, %34 : tensor<64x1xi32, #blocked1>
    %36 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %37 = tt.addptr %36, %35 : tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>
    %38 = tt.broadcast %37 : tensor<64x1x!tt.ptr<f32>, #blocked1> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %39 = tt.broadcast %23 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %40 = tt.addptr %38, %39 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    %41 = tt.load %40, %33 {tk.vector = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked1>
    %42 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %43 = tt.addptr %42, %16 : tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>
    %44 = tt.splat %arg2 : i32 -> tensor<1x64xi32, #blocked>
    %45 = arith.muli %22, %44 : tensor<1x64xi32, #blocked>
    %46 = tt.broadcast %43 : tensor<64x1x!tt.ptr<f32>, #blocked> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %47 = tt.broadcast %45 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %48 = tt.addptr %46, %47 : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    %49 = ttg.convert_layout %41 {allocation.offset = 0 : i32, tk.allocation_size = 16384 : i32, tk.behind_loads} : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked>
    tt.store %48, %49, %32 {tk.vector = 4 : i32} : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

