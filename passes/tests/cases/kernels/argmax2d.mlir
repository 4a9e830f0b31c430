// passes: tt,ttg,llvm
// conversions: 2 in the reference
module {
  tt.func public @argmax2d(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<16x256xf32>
    %c16_i32 = arith.constant 16 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.splat %1 : i32 -> tensor<16xi32>
    %4 = arith.addi %3, %2 : tensor<16xi32>
    %5 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %6 = tt.expand_dims %4 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %7 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
    %8 = arith.cmpi slt, %6, %7 : tensor<16x1xi32>
    %9 = tt.expand_dims %5 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %10 = tt.splat %arg4 : i32 -> tensor<1x256xi32>
    %11 = arith.cmpi slt, %9, %10 : tensor<1x256xi32>
    %12 = tt.broadcast %8 : tensor<16x1xi1> -> tensor<16x256xi1>
    %13 = tt.broadcast %11 : tensor<1x256xi1> -> tensor<16x256xi1>
    %14 = arith.andi %12, %13 : tensor<16x256xi1>
    %15 = tt.splat %arg4 : i32 -> tensor<16x1xi32>
    %16 = arith.muli %6, %15 : tensor<16x1xi32>
    %17 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
    %18 = tt.addptr %17, %16 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
    %19 = tt.broadcast %18 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x256x!tt.ptr<f32>>
    %20 = tt.broadcast %9 : tensor<1x256xi32> -> tensor<16x256xi32>
    %21 = tt.addptr %19, %20 : tensor<16x256x!tt.ptr<f32>>, tensor<16x256xi32>
    %22 = tt.load %21, %14, %cst : tensor<16x256x!tt.ptr<f32>>
    %23 = tt.splat %arg3 : i32 -> tensor<16xi32>
    %24 = arith.cmpi slt, %4, %23 : tensor<16xi32>
    %25 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %26 = tt.addptr %25, %4 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %27:2 = "tt.reduce"(%22, %20) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: i32, %arg7: f32, %arg8: i32):
      %31 = arith.cmpf oeq, %arg5, %arg7 : f32
      %32 = arith.cmpi slt, %arg6, %arg8 : i32
      %33 = arith.andi %31, %32 : i1
      %34 = arith.cmpf ogt, %arg5, %arg7 : f32
      %35 = arith.ori %34, %33 : i1
      %36 = arith.select %35, %arg5, %arg7 : f32
      %37 = arith.select %35, %arg6, %arg8 : i32
      tt.reduce.return %36, %37 : f32, i32
    }) : (tensor<16x256xf32>, tensor<16x256xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    tt.store %26, %27#1, %24 : tensor<16x!tt.ptr<i32>>
    %28 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %29 = tt.addptr %28, %4 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %30 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %31 = arith.maxnumf %arg5, %arg6 : f32
      tt.reduce.return %31 : f32
    }) : (tensor<16x256xf32>) -> tensor<16xf32>
    tt.store %29, %30, %24 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 320 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @argmax2d(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<0xFF800000> : tensor<16x256xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c16_i32 : i32
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked1>
    %3 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.splat %1 : i32 -> tensor<16xi32, #blocked1>
    %5 = tt.splat %1 : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = arith.addi %4, %2 : tensor<16xi32, #blocked1>
    %7 = arith.addi %5, %3 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %8 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %9 = tt.expand_dims %7 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16x1xi32, #blocked>
    %10 = tt.splat %arg3 : i32 -> tensor<16x1xi32, #blocked>
    %11 = arith.cmpi slt, %9, %10 {tk.constancy = array<i32: 16, 1>} : tensor<16x1xi32, #blocked>
    %12 = tt.expand_dims %8 {axis = 0 : i32} : tensor<256xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x256xi32, #blocked>
    %13 = tt.splat %arg4 : i32 -> tensor<1x256xi32, #blocked>
    %14 = arith.cmpi slt, %12, %13 {tk.constancy = array<i32: 1, 16>} : tensor<1x256xi32, #blocked>
    %15 = tt.broadcast %11 : tensor<16x1xi1, #blocked> -> tensor<16x256xi1, #blocked>
    %16 = tt.broadcast %14 : tensor<1x256xi1, #blocked> -> tensor<16x256xi1, #blocked>
    %17 = arith.andi %15, %16 : tensor<16x256xi1, #blocked>
    %18 = tt.splat %arg4 : i32 -> tensor<16x1xi32, #blocked>
    %19 = arith.muli %9, %18 : tensor<16x1xi32, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>, #blocked>
    %21 = tt.addptr %20, %19 : tensor<16x1x!tt.ptr<f32>, #blocked>, tensor<16x1xi32, #blocked>
    %22 = tt.broadcast %21 : tensor<16x1x!tt.ptr<f32>, #blocked> -> tensor<16x256x!tt.ptr<f32>, #blocked>
    %23 = tt.broadcast %12 : tensor<1x256xi32, #blocked> -> tensor<16x256xi32, #blocked>
    %24 = tt.addptr %22, %23 : tensor<16x256x!tt.ptr<f32>, #blocked>, tensor<16x256xi32, #blocked>
    %25 = tt.load %24, %17, %cst {tk.vector = 4 : i32} : tensor<16x256x!tt.ptr<f32>, #blocked>
    %26 = tt.splat %arg3 : i32 -> tensor<16xi32, #blocked1>
    %27 = arith.cmpi slt, %6, %26 {tk.constancy = array<i32: 16>} : tensor<16xi32, #blocked1>
    %28 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>, #blocked1>
    %29 = tt.addptr %28, %6 : tensor<16x!tt.ptr<i32>, #blocked1>, tensor<16xi32, #blocked1>
    %30:2 = "tt.reduce"(%25, %23) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: i32, %arg7: f32, %arg8: i32):
      %36 = arith.cmpf oeq, %arg5, %arg7 : f32
      %37 = arith.cmpi slt, %arg6, %arg8 : i32
      %38 = arith.andi %36, %37 : i1
      %39 = arith.cmpf ogt, %arg5, %arg7 : f32
      %40 = arith.ori %39, %38 : i1
      %41 = arith.select %40, %arg5, %arg7 : f32
      %42 = arith.select %40, %arg6, %arg8 : i32
      tt.reduce.return %41, %42 : f32, i32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 256 : i32, tk.halvings = 3 : i32} : (tensor<16x256xf32, #blocked>, tensor<16x256xi32, #blocked>) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>)
    %31 = ttg.convert_layout %30#1 {allocation.offset = 256 : i32, tk.allocation_size = 64 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16xi32, #blocked1>
    tt.store %29, %31, %27 {tk.vector = 1 : i32} : tensor<16x!tt.ptr<i32>, #blocked1>
    %32 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #blocked1>
    %33 = tt.addptr %32, %6 : tensor<16x!tt.ptr<f32>, #blocked1>, tensor<16xi32, #blocked1>
    %34 = "tt.reduce"(%25) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %36 = arith.maxnumf %arg5, %arg6 : f32
      tt.reduce.return %36 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 128 : i32, tk.halvings = 3 : i32} : (tensor<16x256xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %35 = ttg.convert_layout %34 {allocation.offset = 128 : i32, tk.allocation_size = 64 : i32} : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16xf32, #blocked1>
    tt.store %33, %35, %27 {tk.vector = 1 : i32} : tensor<16x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

