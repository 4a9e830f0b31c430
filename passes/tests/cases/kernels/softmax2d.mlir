// passes: tt,ttg,llvm
// conversions: 0 in the reference
module {
  tt.func public @softmax2d(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<4x1024xf32>
    %c4_i32 = arith.constant 4 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c4_i32 : i32
    %2 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %3 = tt.splat %1 : i32 -> tensor<4xi32>
    %4 = arith.addi %3, %2 : tensor<4xi32>
    %5 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %6 = tt.expand_dims %4 {axis = 1 : i32} : tensor<4xi32> -> tensor<4x1xi32>
    %7 = tt.splat %arg4 : i32 -> tensor<4x1xi32>
    %8 = arith.muli %6, %7 : tensor<4x1xi32>
    %9 = tt.expand_dims %5 {axis = 0 : i32} : tensor<1024xi32> -> tensor<1x1024xi32>
    %10 = tt.broadcast %8 : tensor<4x1xi32> -> tensor<4x1024xi32>
    %11 = tt.broadcast %9 : tensor<1x1024xi32> -> tensor<4x1024xi32>
    %12 = arith.addi %10, %11 : tensor<4x1024xi32>
    %13 = tt.splat %arg2 : i32 -> tensor<4x1xi32>
    %14 = arith.cmpi slt, %6, %13 : tensor<4x1xi32>
    %15 = tt.splat %arg3 : i32 -> tensor<1x1024xi32>
    %16 = arith.cmpi slt, %9, %15 : tensor<1x1024xi32>
    %17 = tt.broadcast %14 : tensor<4x1xi1> -> tensor<4x1024xi1>
    %18 = tt.broadcast %16 : tensor<1x1024xi1> -> tensor<4x1024xi1>
    %19 = arith.andi %17, %18 : tensor<4x1024xi1>
    %20 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x1024x!tt.ptr<f32>>
    %21 = tt.addptr %20, %12 : tensor<4x1024x!tt.ptr<f32>>, tensor<4x1024xi32>
    %22 = tt.load %21, %19, %cst : tensor<4x1024x!tt.ptr<f32>>
    %23 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %34 = arith.maxnumf %arg5, %arg6 : f32
      tt.reduce.return %34 : f32
    }) : (tensor<4x1024xf32>) -> tensor<4xf32>
    %24 = tt.expand_dims %23 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %25 = tt.broadcast %24 : tensor<4x1xf32> -> tensor<4x1024xf32>
    %26 = arith.subf %22, %25 : tensor<4x1024xf32>
    %27 = math.exp %26 : tensor<4x1024xf32>
    %28 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<4x1024x!tt.ptr<f32>>
    %29 = tt.addptr %28, %12 : tensor<4x1024x!tt.ptr<f32>>, tensor<4x1024xi32>
    %30 = "tt.reduce"(%27) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %34 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %34 : f32
    }) : (tensor<4x1024xf32>) -> tensor<4xf32>
    %31 = tt.expand_dims %30 {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %32 = tt.broadcast %31 : tensor<4x1xf32> -> tensor<4x1024xf32>
    %33 = arith.divf %27, %32 : tensor<4x1024xf32>
    tt.store %29, %33, %19 : tensor<4x1024x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 128 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @softmax2d(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %cst = arith.constant dense<0xFF800000> : tensor<4x1024xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c4_i32 : i32
    %2 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.splat %1 : i32 -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = arith.addi %3, %2 : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = tt.expand_dims %4 {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xi32, #blocked>
    %7 = tt.splat %arg4 : i32 -> tensor<4x1xi32, #blocked>
    %8 = arith.muli %6, %7 : tensor<4x1xi32, #blocked>
    %9 = tt.expand_dims %5 {axis = 0 : i32} : tensor<1024xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x1024xi32, #blocked>
    %10 = tt.broadcast %8 : tensor<4x1xi32, #blocked> -> tensor<4x1024xi32, #blocked>
    %11 = tt.broadcast %9 : tensor<1x1024xi32, #blocked> -> tensor<4x1024xi32, #blocked>
    %12 = arith.addi %10, %11 : tensor<4x1024xi32, #blocked>
    %13 = tt.splat %arg2 : i32 -> tensor<4x1xi32, #blocked>
    %14 = arith.cmpi slt, %6, %13 {tk.constancy = array<i32: 4, 1>} : tensor<4x1xi32, #blocked>
    %15 = tt.splat %arg3 : i32 -> tensor<1x1024xi32, #blocked>
    %16 = arith.cmpi slt, %9, %15 {tk.constancy = array<i32: 1, 16>} : tensor<1x1024xi32, #blocked>
    %17 = tt.broadcast %14 : tensor<4x1xi1, #blocked> -> tensor<4x1024xi1, #blocked>
    %18 = tt.broadcast %16 : tensor<1x1024xi1, #blocked> -> tensor<4x1024xi1, #blocked>
    %19 = arith.andi %17, %18 : tensor<4x1024xi1, #blocked>
    %20 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4x1024x!tt.ptr<f32>, #blocked>
    %21 = tt.addptr %20, %12 : tensor<4x1024x!tt.ptr<f32>, #blocked>, tensor<4x1024xi32, #blocked>
    %22 = tt.load %21, %19, %cst {tk.vector = 4 : i32} : tensor<4x1024x!tt.ptr<f32>, #blocked>
    %23 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %34 = arith.maxnumf %arg5, %arg6 : f32
      tt.reduce.return %34 : f32
    }) {allocation.offset = 0 : i32, tk.allocation_size = 64 : i32, tk.halvings = 2 : i32} : (tensor<4x1024xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %24 = tt.expand_dims %23 {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
    %25 = tt.broadcast %24 : tensor<4x1xf32, #blocked> -> tensor<4x1024xf32, #blocked>
    %26 = arith.subf %22, %25 : tensor<4x1024xf32, #blocked>
    %27 = math.exp %26 : tensor<4x1024xf32, #blocked>
    %28 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<4x1024x!tt.ptr<f32>, #blocked>
    %29 = tt.addptr %28, %12 : tensor<4x1024x!tt.ptr<f32>, #blocked>, tensor<4x1024xi32, #blocked>
    %30 = "tt.reduce"(%27) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %34 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %34 : f32
    }) {allocation.offset = 64 : i32, tk.allocation_size = 64 : i32, tk.halvings = 2 : i32} : (tensor<4x1024xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %31 = tt.expand_dims %30 {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
    %32 = tt.broadcast %31 : tensor<4x1xf32, #blocked> -> tensor<4x1024xf32, #blocked>
    %33 = arith.divf %27, %32 : tensor<4x1024xf32, #blocked>
    tt.store %29, %33, %19 {tk.vector = 4 : i32} : tensor<4x1024x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

