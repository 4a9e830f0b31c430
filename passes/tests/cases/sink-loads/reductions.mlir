// passes: sink-loads
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // 128 registers of values have no room beside 128 of scores: their load goes behind the reduction, with the selection, which compares again.
  tt.func public @behind_the_reduction(%scores: tensor<128x128x!tt.ptr<f32>, #blocked>, %value_ptr: !tt.ptr<f32>, %n: i32) -> tensor<128x128xf32, #blocked> {
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #blocked>
    %k = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #columns>
    %k2 = tt.expand_dims %k {axis = 0 : i32} : tensor<128xi32, #columns> -> tensor<1x128xi32, #blocked>
    %k3 = tt.broadcast %k2 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %r = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #rows>
    %limit = tt.splat %n : i32 -> tensor<128xi32, #rows>
    %c = arith.cmpi slt, %r, %limit : tensor<128xi32, #rows>
    %c2 = tt.expand_dims %c {axis = 1 : i32} : tensor<128xi1, #rows> -> tensor<128x1xi1, #blocked>
    %mask = tt.broadcast %c2 : tensor<128x1xi1, #blocked> -> tensor<128x128xi1, #blocked>
    %p = tt.splat %value_ptr : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>, #blocked>
    %pointers = tt.addptr %p, %k3 : tensor<128x128x!tt.ptr<f32>, #blocked>, tensor<128x128xi32, #blocked>
    %value = tt.load %pointers : tensor<128x128x!tt.ptr<f32>, #blocked>
    %score = tt.load %scores : tensor<128x128x!tt.ptr<f32>, #blocked>
    %inside = arith.select %mask, %value, %zero : tensor<128x128xi1, #blocked>, tensor<128x128xf32, #blocked>
    %masked = arith.select %mask, %score, %zero : tensor<128x128xi1, #blocked>, tensor<128x128xf32, #blocked>
    %top = "tt.reduce"(%masked) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<128x128xf32, #blocked>) -> tensor<128xf32, #columns>
    %top2 = tt.expand_dims %top {axis = 0 : i32} : tensor<128xf32, #columns> -> tensor<1x128xf32, #blocked>
    %top3 = tt.broadcast %top2 : tensor<1x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    %weight = arith.subf %masked, %top3 : tensor<128x128xf32, #blocked>
    %product = arith.mulf %inside, %weight : tensor<128x128xf32, #blocked>
    tt.return %product : tensor<128x128xf32, #blocked>
  }

  // What is stored on the way may be what is loaded.
  tt.func public @not_behind_a_store(%scores: tensor<128x128x!tt.ptr<f32>, #blocked>, %values: tensor<128x128x!tt.ptr<f32>, #blocked>) -> tensor<128x128xf32, #blocked> {
    %value = tt.load %values : tensor<128x128x!tt.ptr<f32>, #blocked>
    %score = tt.load %scores : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.store %scores, %score : tensor<128x128x!tt.ptr<f32>, #blocked>
    %top = "tt.reduce"(%score) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<128x128xf32, #blocked>) -> tensor<128xf32, #columns>
    %top2 = tt.expand_dims %top {axis = 0 : i32} : tensor<128xf32, #columns> -> tensor<1x128xf32, #blocked>
    %top3 = tt.broadcast %top2 : tensor<1x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    %weight = arith.subf %score, %top3 : tensor<128x128xf32, #blocked>
    %product = arith.mulf %value, %weight : tensor<128x128xf32, #blocked>
    tt.return %product : tensor<128x128xf32, #blocked>
  }

  // A quarter as many: both have room.
  tt.func public @with_room(%scores: tensor<32x128x!tt.ptr<f32>, #blocked>, %value_ptr: !tt.ptr<f32>) -> tensor<32x128xf32, #blocked> {
    %k = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #columns>
    %k2 = tt.expand_dims %k {axis = 0 : i32} : tensor<128xi32, #columns> -> tensor<1x128xi32, #blocked>
    %k3 = tt.broadcast %k2 : tensor<1x128xi32, #blocked> -> tensor<32x128xi32, #blocked>
    %p = tt.splat %value_ptr : !tt.ptr<f32> -> tensor<32x128x!tt.ptr<f32>, #blocked>
    %pointers = tt.addptr %p, %k3 : tensor<32x128x!tt.ptr<f32>, #blocked>, tensor<32x128xi32, #blocked>
    %value = tt.load %pointers : tensor<32x128x!tt.ptr<f32>, #blocked>
    %score = tt.load %scores : tensor<32x128x!tt.ptr<f32>, #blocked>
    %top = "tt.reduce"(%score) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<32x128xf32, #blocked>) -> tensor<128xf32, #columns>
    %top2 = tt.expand_dims %top {axis = 0 : i32} : tensor<128xf32, #columns> -> tensor<1x128xf32, #blocked>
    %top3 = tt.broadcast %top2 : tensor<1x128xf32, #blocked> -> tensor<32x128xf32, #blocked>
    %weight = arith.subf %score, %top3 : tensor<32x128xf32, #blocked>
    %product = arith.mulf %value, %weight : tensor<32x128xf32, #blocked>
    tt.return %product : tensor<32x128xf32, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @behind_the_reduction(%arg0: tensor<128x128x!tt.ptr<f32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i32) -> tensor<128x128xf32, #blocked> {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %2 = tt.broadcast %1 : tensor<1x128xi32, #blocked> -> tensor<128x128xi32, #blocked>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = tt.splat %arg2 : i32 -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = arith.cmpi slt, %3, %4 : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %6 = tt.expand_dims %5 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi1, #blocked>
    %7 = tt.broadcast %6 : tensor<128x1xi1, #blocked> -> tensor<128x128xi1, #blocked>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x128x!tt.ptr<f32>, #blocked>
    %9 = tt.addptr %8, %2 : tensor<128x128x!tt.ptr<f32>, #blocked>, tensor<128x128xi32, #blocked>
    %10 = tt.load %arg0 : tensor<128x128x!tt.ptr<f32>, #blocked>
    %11 = arith.select %7, %10, %cst : tensor<128x128xi1, #blocked>, tensor<128x128xf32, #blocked>
    %12 = "tt.reduce"(%11) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %22 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %22 : f32
    }) : (tensor<128x128xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %13 = tt.expand_dims %12 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xf32, #blocked>
    %14 = tt.broadcast %13 : tensor<1x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    %15 = arith.subf %11, %14 : tensor<128x128xf32, #blocked>
    %16 = tt.load %9 : tensor<128x128x!tt.ptr<f32>, #blocked>
    %17 = arith.cmpi slt, %3, %4 {tk.again} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %18 = tt.expand_dims %17 {axis = 1 : i32} : tensor<128xi1, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xi1, #blocked>
    %19 = tt.broadcast %18 : tensor<128x1xi1, #blocked> -> tensor<128x128xi1, #blocked>
    %20 = arith.select %19, %16, %cst : tensor<128x128xi1, #blocked>, tensor<128x128xf32, #blocked>
    %21 = arith.mulf %20, %15 : tensor<128x128xf32, #blocked>
    tt.return %21 : tensor<128x128xf32, #blocked>
  }
  tt.func public @not_behind_a_store(%arg0: tensor<128x128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x128x!tt.ptr<f32>, #blocked>) -> tensor<128x128xf32, #blocked> {
    %0 = tt.load %arg1 : tensor<128x128x!tt.ptr<f32>, #blocked>
    %1 = tt.load %arg0 : tensor<128x128x!tt.ptr<f32>, #blocked>
    tt.store %arg0, %1 : tensor<128x128x!tt.ptr<f32>, #blocked>
    %2 = "tt.reduce"(%1) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %7 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %7 : f32
    }) : (tensor<128x128xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xf32, #blocked>
    %4 = tt.broadcast %3 : tensor<1x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    %5 = arith.subf %1, %4 : tensor<128x128xf32, #blocked>
    %6 = arith.mulf %0, %5 : tensor<128x128xf32, #blocked>
    tt.return %6 : tensor<128x128xf32, #blocked>
  }
  tt.func public @with_room(%arg0: tensor<32x128x!tt.ptr<f32>, #blocked>, %arg1: !tt.ptr<f32>) -> tensor<32x128xf32, #blocked> {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %2 = tt.broadcast %1 : tensor<1x128xi32, #blocked> -> tensor<32x128xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32x128x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<32x128x!tt.ptr<f32>, #blocked>, tensor<32x128xi32, #blocked>
    %5 = tt.load %4 : tensor<32x128x!tt.ptr<f32>, #blocked>
    %6 = tt.load %arg0 : tensor<32x128x!tt.ptr<f32>, #blocked>
    %7 = "tt.reduce"(%6) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %12 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %12 : f32
    }) : (tensor<32x128xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xf32, #blocked>
    %9 = tt.broadcast %8 : tensor<1x128xf32, #blocked> -> tensor<32x128xf32, #blocked>
    %10 = arith.subf %6, %9 : tensor<32x128xf32, #blocked>
    %11 = arith.mulf %5, %10 : tensor<32x128xf32, #blocked>
    tt.return %11 : tensor<32x128xf32, #blocked>
  }
}

