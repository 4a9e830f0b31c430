// passes: loop-unroll
// grid: few
// counts: scf.for 8, scf.if 4, ttg.convert_layout 7, math.exp 18
#block = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Warps meet for a row: the loads of four copies go before that.
  tt.func public @row(%x: tensor<128x!tt.ptr<f32>, #row>, %w: tensor<16x128x!tt.ptr<f32>, #block>, %n: i32) -> tensor<16x128xf32, #block> {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %zero = arith.constant dense<0.0> : tensor<16x128xf32, #block>
    %sum = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<16x128xf32, #block>) : i32 {
      %ir = tt.splat %i : i32 -> tensor<128xi32, #row>
      %xp = tt.addptr %x, %ir : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
      %xv = tt.load %xp : tensor<128x!tt.ptr<f32>, #row>
      %xc = ttg.convert_layout %xv : tensor<128xf32, #row> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #block}>>
      %xe = tt.expand_dims %xc {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #block}>> -> tensor<1x128xf32, #block>
      %xb = tt.broadcast %xe : tensor<1x128xf32, #block> -> tensor<16x128xf32, #block>
      %ib = tt.splat %i : i32 -> tensor<16x128xi32, #block>
      %wp = tt.addptr %w, %ib : tensor<16x128x!tt.ptr<f32>, #block>, tensor<16x128xi32, #block>
      %wv = tt.load %wp : tensor<16x128x!tt.ptr<f32>, #block>
      %p = arith.mulf %wv, %xb : tensor<16x128xf32, #block>
      %s = arith.addf %acc, %p : tensor<16x128xf32, #block>
      scf.yield %s : tensor<16x128xf32, #block>
    }
    tt.return %sum : tensor<16x128xf32, #block>
  }
  // Warps meet for a number.
  tt.func public @number(%x: tensor<2048x!tt.ptr<f32>, #rows>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c2048 = arith.constant 2048 : i32
    %zero = arith.constant 0.0 : f32
    %most = scf.for %i = %c0 to %n step %c2048 iter_args(%acc = %zero) -> (f32) : i32 {
      %ir = tt.splat %i : i32 -> tensor<2048xi32, #rows>
      %xp = tt.addptr %x, %ir : tensor<2048x!tt.ptr<f32>, #rows>, tensor<2048xi32, #rows>
      %xv = tt.load %xp : tensor<2048x!tt.ptr<f32>, #rows>
      %m = "tt.reduce"(%xv) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %s = arith.maxnumf %a, %b : f32
        tt.reduce.return %s : f32
      }) : (tensor<2048xf32, #rows>) -> f32
      %s = arith.maxnumf %acc, %m : f32
      scf.yield %s : f32
    }
    tt.return %most : f32
  }
  // So many numbers of an iteration wait in registers for the next one.
  tt.func public @ahead(%x: tensor<4096x!tt.ptr<f32>, #rows>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c4096 = arith.constant 4096 : i32
    %zero = arith.constant 0.0 : f32
    %most = scf.for %i = %c0 to %n step %c4096 iter_args(%acc = %zero) -> (f32) : i32 {
      %ir = tt.splat %i : i32 -> tensor<4096xi32, #rows>
      %xp = tt.addptr %x, %ir : tensor<4096x!tt.ptr<f32>, #rows>, tensor<4096xi32, #rows>
      %xv = tt.load %xp : tensor<4096x!tt.ptr<f32>, #rows>
      %m = "tt.reduce"(%xv) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %s = arith.maxnumf %a, %b : f32
        tt.reduce.return %s : f32
      }) : (tensor<4096xf32, #rows>) -> f32
      %s = arith.maxnumf %acc, %m : f32
      scf.yield %s : f32
    }
    tt.return %most : f32
  }
  // In another loop it stays as it is.
  tt.func public @inner(%x: tensor<2048x!tt.ptr<f32>, #rows>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2048 = arith.constant 2048 : i32
    %zero = arith.constant 0.0 : f32
    %all = scf.for %j = %c0 to %n step %c1 iter_args(%outer = %zero) -> (f32) : i32 {
      %most = scf.for %i = %c0 to %n step %c2048 iter_args(%acc = %outer) -> (f32) : i32 {
        %ir = tt.splat %i : i32 -> tensor<2048xi32, #rows>
        %xp = tt.addptr %x, %ir : tensor<2048x!tt.ptr<f32>, #rows>, tensor<2048xi32, #rows>
        %xv = tt.load %xp : tensor<2048x!tt.ptr<f32>, #rows>
        %m = "tt.reduce"(%xv) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %s = arith.maxnumf %a, %b : f32
          tt.reduce.return %s : f32
        }) : (tensor<2048xf32, #rows>) -> f32
        %s = arith.maxnumf %acc, %m : f32
        scf.yield %s : f32
      }
      scf.yield %most : f32
    }
    tt.return %all : f32
  }
  // Beside a product it stays as it is.
  tt.func public @product(%x: tensor<2048x!tt.ptr<f32>, #rows>, %n: i32, %l: tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #block}>>, %r: tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #block}>>) -> (f32, tensor<16x16xf32, #block>) {
    %c0 = arith.constant 0 : i32
    %c2048 = arith.constant 2048 : i32
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : tensor<16x16xf32, #block>
    %product = tt.dot %l, %r, %zeros : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #block}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #block}>> -> tensor<16x16xf32, #block>
    %most = scf.for %i = %c0 to %n step %c2048 iter_args(%acc = %zero) -> (f32) : i32 {
      %ir = tt.splat %i : i32 -> tensor<2048xi32, #rows>
      %xp = tt.addptr %x, %ir : tensor<2048x!tt.ptr<f32>, #rows>, tensor<2048xi32, #rows>
      %xv = tt.load %xp : tensor<2048x!tt.ptr<f32>, #rows>
      %m = "tt.reduce"(%xv) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %s = arith.maxnumf %a, %b : f32
        tt.reduce.return %s : f32
      }) : (tensor<2048xf32, #rows>) -> f32
      %s = arith.maxnumf %acc, %m : f32
      scf.yield %s : f32
    }
    tt.return %most, %product : f32, tensor<16x16xf32, #block>
  }
  // Two copies of a long body have room.
  tt.func public @long(%x: tensor<2048x!tt.ptr<f32>, #rows>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c2048 = arith.constant 2048 : i32
    %zero = arith.constant 0.0 : f32
    %most = scf.for %i = %c0 to %n step %c2048 iter_args(%acc = %zero) -> (f32) : i32 {
      %ir = tt.splat %i : i32 -> tensor<2048xi32, #rows>
      %xp = tt.addptr %x, %ir : tensor<2048x!tt.ptr<f32>, #rows>, tensor<2048xi32, #rows>
      %e0 = tt.load %xp : tensor<2048x!tt.ptr<f32>, #rows>
      %e1 = math.exp %e0 : tensor<2048xf32, #rows>
      %e2 = math.exp %e1 : tensor<2048xf32, #rows>
      %e3 = math.exp %e2 : tensor<2048xf32, #rows>
      %e4 = math.exp %e3 : tensor<2048xf32, #rows>
      %e5 = math.exp %e4 : tensor<2048xf32, #rows>
      %e6 = math.exp %e5 : tensor<2048xf32, #rows>
      %m = "tt.reduce"(%e6) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %s = arith.maxnumf %a, %b : f32
        tt.reduce.return %s : f32
      }) : (tensor<2048xf32, #rows>) -> f32
      %s = arith.maxnumf %acc, %m : f32
      scf.yield %s : f32
    }
    tt.return %most : f32
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<16x128x!tt.ptr<f32>, #blocked1>, %arg2: i32) -> tensor<16x128xf32, #blocked1> {
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x128xf32, #blocked1>
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.maxsi %arg2, %c0_i32 : i32
    %1 = arith.subi %0, %c0_i32 : i32
    %2 = arith.subi %c128_i32, %c1_i32 : i32
    %3 = arith.addi %1, %2 : i32
    %4 = arith.divui %3, %c128_i32 : i32
    %5 = arith.remui %4, %c4_i32 : i32
    %6 = arith.subi %4, %5 : i32
    %7 = arith.muli %6, %c128_i32 : i32
    %8 = arith.addi %c0_i32, %7 : i32
    %9 = arith.muli %c128_i32, %c4_i32 : i32
    %10 = scf.for %arg3 = %c0_i32 to %8 step %9 iter_args(%arg4 = %cst) -> (tensor<16x128xf32, #blocked1>)  : i32 {
      %21 = tt.splat %arg3 : i32 -> tensor<128xi32, #blocked>
      %22 = tt.addptr %arg0, %21 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %23 = tt.load %22 : tensor<128x!tt.ptr<f32>, #blocked>
      %24 = ttg.convert_layout %23 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %25 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %26 = tt.broadcast %25 : tensor<1x128xf32, #blocked1> -> tensor<16x128xf32, #blocked1>
      %27 = tt.splat %arg3 : i32 -> tensor<16x128xi32, #blocked1>
      %28 = tt.addptr %arg1, %27 : tensor<16x128x!tt.ptr<f32>, #blocked1>, tensor<16x128xi32, #blocked1>
      %29 = tt.load %28 : tensor<16x128x!tt.ptr<f32>, #blocked1>
      %30 = arith.mulf %29, %26 : tensor<16x128xf32, #blocked1>
      %31 = arith.addf %arg4, %30 : tensor<16x128xf32, #blocked1>
      %32 = arith.addi %arg3, %c128_i32 : i32
      %33 = tt.splat %32 : i32 -> tensor<128xi32, #blocked>
      %34 = tt.addptr %arg0, %33 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %35 = tt.load %34 : tensor<128x!tt.ptr<f32>, #blocked>
      %36 = ttg.convert_layout %35 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %37 = tt.expand_dims %36 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %38 = tt.broadcast %37 : tensor<1x128xf32, #blocked1> -> tensor<16x128xf32, #blocked1>
      %39 = tt.splat %32 : i32 -> tensor<16x128xi32, #blocked1>
      %40 = tt.addptr %arg1, %39 : tensor<16x128x!tt.ptr<f32>, #blocked1>, tensor<16x128xi32, #blocked1>
      %41 = tt.load %40 : tensor<16x128x!tt.ptr<f32>, #blocked1>
      %42 = arith.mulf %41, %38 : tensor<16x128xf32, #blocked1>
      %43 = arith.addf %31, %42 : tensor<16x128xf32, #blocked1>
      %44 = arith.addi %32, %c128_i32 : i32
      %45 = tt.splat %44 : i32 -> tensor<128xi32, #blocked>
      %46 = tt.addptr %arg0, %45 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %47 = tt.load %46 : tensor<128x!tt.ptr<f32>, #blocked>
      %48 = ttg.convert_layout %47 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %49 = tt.expand_dims %48 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %50 = tt.broadcast %49 : tensor<1x128xf32, #blocked1> -> tensor<16x128xf32, #blocked1>
      %51 = tt.splat %44 : i32 -> tensor<16x128xi32, #blocked1>
      %52 = tt.addptr %arg1, %51 : tensor<16x128x!tt.ptr<f32>, #blocked1>, tensor<16x128xi32, #blocked1>
      %53 = tt.load %52 : tensor<16x128x!tt.ptr<f32>, #blocked1>
      %54 = arith.mulf %53, %50 : tensor<16x128xf32, #blocked1>
      %55 = arith.addf %43, %54 : tensor<16x128xf32, #blocked1>
      %56 = arith.addi %44, %c128_i32 : i32
      %57 = tt.splat %56 : i32 -> tensor<128xi32, #blocked>
      %58 = tt.addptr %arg0, %57 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %59 = tt.load %58 : tensor<128x!tt.ptr<f32>, #blocked>
      %60 = ttg.convert_layout %59 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %61 = tt.expand_dims %60 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %62 = tt.broadcast %61 : tensor<1x128xf32, #blocked1> -> tensor<16x128xf32, #blocked1>
      %63 = tt.splat %56 : i32 -> tensor<16x128xi32, #blocked1>
      %64 = tt.addptr %arg1, %63 : tensor<16x128x!tt.ptr<f32>, #blocked1>, tensor<16x128xi32, #blocked1>
      %65 = tt.load %64 : tensor<16x128x!tt.ptr<f32>, #blocked1>
      %66 = arith.mulf %65, %62 : tensor<16x128xf32, #blocked1>
      %67 = arith.addf %55, %66 : tensor<16x128xf32, #blocked1>
      scf.yield %67 : tensor<16x128xf32, #blocked1>
    }
    %c2_i32 = arith.constant 2 : i32
    %11 = arith.andi %5, %c2_i32 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %12 = arith.cmpi ne, %11, %c0_i32_0 : i32
    %13 = scf.if %12 -> (tensor<16x128xf32, #blocked1>) {
      %21 = tt.splat %8 : i32 -> tensor<128xi32, #blocked>
      %22 = tt.addptr %arg0, %21 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %23 = tt.load %22 : tensor<128x!tt.ptr<f32>, #blocked>
      %24 = ttg.convert_layout %23 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %25 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %26 = tt.broadcast %25 : tensor<1x128xf32, #blocked1> -> tensor<16x128xf32, #blocked1>
      %27 = tt.splat %8 : i32 -> tensor<16x128xi32, #blocked1>
      %28 = tt.addptr %arg1, %27 : tensor<16x128x!tt.ptr<f32>, #blocked1>, tensor<16x128xi32, #blocked1>
      %29 = tt.load %28 : tensor<16x128x!tt.ptr<f32>, #blocked1>
      %30 = arith.mulf %29, %26 : tensor<16x128xf32, #blocked1>
      %31 = arith.addf %10, %30 : tensor<16x128xf32, #blocked1>
      %32 = arith.addi %8, %c128_i32 : i32
      %33 = tt.splat %32 : i32 -> tensor<128xi32, #blocked>
      %34 = tt.addptr %arg0, %33 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %35 = tt.load %34 : tensor<128x!tt.ptr<f32>, #blocked>
      %36 = ttg.convert_layout %35 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %37 = tt.expand_dims %36 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %38 = tt.broadcast %37 : tensor<1x128xf32, #blocked1> -> tensor<16x128xf32, #blocked1>
      %39 = tt.splat %32 : i32 -> tensor<16x128xi32, #blocked1>
      %40 = tt.addptr %arg1, %39 : tensor<16x128x!tt.ptr<f32>, #blocked1>, tensor<16x128xi32, #blocked1>
      %41 = tt.load %40 : tensor<16x128x!tt.ptr<f32>, #blocked1>
      %42 = arith.mulf %41, %38 : tensor<16x128xf32, #blocked1>
      %43 = arith.addf %31, %42 : tensor<16x128xf32, #blocked1>
      scf.yield %43 : tensor<16x128xf32, #blocked1>
    } else {
      scf.yield %10 : tensor<16x128xf32, #blocked1>
    }
    %14 = arith.muli %11, %c128_i32 : i32
    %15 = arith.addi %8, %14 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %16 = arith.andi %5, %c1_i32_1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %17 = arith.cmpi ne, %16, %c0_i32_2 : i32
    %18 = scf.if %17 -> (tensor<16x128xf32, #blocked1>) {
      %21 = tt.splat %15 : i32 -> tensor<128xi32, #blocked>
      %22 = tt.addptr %arg0, %21 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %23 = tt.load %22 : tensor<128x!tt.ptr<f32>, #blocked>
      %24 = ttg.convert_layout %23 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %25 = tt.expand_dims %24 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %26 = tt.broadcast %25 : tensor<1x128xf32, #blocked1> -> tensor<16x128xf32, #blocked1>
      %27 = tt.splat %15 : i32 -> tensor<16x128xi32, #blocked1>
      %28 = tt.addptr %arg1, %27 : tensor<16x128x!tt.ptr<f32>, #blocked1>, tensor<16x128xi32, #blocked1>
      %29 = tt.load %28 : tensor<16x128x!tt.ptr<f32>, #blocked1>
      %30 = arith.mulf %29, %26 : tensor<16x128xf32, #blocked1>
      %31 = arith.addf %13, %30 : tensor<16x128xf32, #blocked1>
      scf.yield %31 : tensor<16x128xf32, #blocked1>
    } else {
      scf.yield %13 : tensor<16x128xf32, #blocked1>
    }
    %19 = arith.muli %16, %c128_i32 : i32
    %20 = arith.addi %15, %19 : i32
    tt.return %18 : tensor<16x128xf32, #blocked1>
  }
  tt.func public @number(%arg0: tensor<2048x!tt.ptr<f32>, #blocked2>, %arg1: i32) -> f32 {
    %c0_i32 = arith.constant 0 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.maxsi %arg1, %c0_i32 : i32
    %1 = arith.subi %0, %c0_i32 : i32
    %2 = arith.subi %c2048_i32, %c1_i32 : i32
    %3 = arith.addi %1, %2 : i32
    %4 = arith.divui %3, %c2048_i32 : i32
    %5 = arith.remui %4, %c4_i32 : i32
    %6 = arith.subi %4, %5 : i32
    %7 = arith.muli %6, %c2048_i32 : i32
    %8 = arith.addi %c0_i32, %7 : i32
    %9 = arith.muli %c2048_i32, %c4_i32 : i32
    %10 = scf.for %arg2 = %c0_i32 to %8 step %9 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %21 = tt.splat %arg2 : i32 -> tensor<2048xi32, #blocked2>
      %22 = tt.addptr %arg0, %21 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %23 = tt.load %22 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %24 = "tt.reduce"(%23) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %44 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %44 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %25 = arith.maxnumf %arg3, %24 : f32
      %26 = arith.addi %arg2, %c2048_i32 : i32
      %27 = tt.splat %26 : i32 -> tensor<2048xi32, #blocked2>
      %28 = tt.addptr %arg0, %27 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %29 = tt.load %28 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %44 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %44 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %31 = arith.maxnumf %25, %30 : f32
      %32 = arith.addi %26, %c2048_i32 : i32
      %33 = tt.splat %32 : i32 -> tensor<2048xi32, #blocked2>
      %34 = tt.addptr %arg0, %33 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %35 = tt.load %34 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %36 = "tt.reduce"(%35) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %44 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %44 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %37 = arith.maxnumf %31, %36 : f32
      %38 = arith.addi %32, %c2048_i32 : i32
      %39 = tt.splat %38 : i32 -> tensor<2048xi32, #blocked2>
      %40 = tt.addptr %arg0, %39 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %41 = tt.load %40 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %42 = "tt.reduce"(%41) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %44 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %44 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %43 = arith.maxnumf %37, %42 : f32
      scf.yield %43 : f32
    }
    %c2_i32 = arith.constant 2 : i32
    %11 = arith.andi %5, %c2_i32 : i32
    %c0_i32_0 = arith.constant 0 : i32
    %12 = arith.cmpi ne, %11, %c0_i32_0 : i32
    %13 = scf.if %12 -> (f32) {
      %21 = tt.splat %8 : i32 -> tensor<2048xi32, #blocked2>
      %22 = tt.addptr %arg0, %21 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %23 = tt.load %22 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %24 = "tt.reduce"(%23) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %32 = arith.maxnumf %arg2, %arg3 : f32
        tt.reduce.return %32 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %25 = arith.maxnumf %10, %24 : f32
      %26 = arith.addi %8, %c2048_i32 : i32
      %27 = tt.splat %26 : i32 -> tensor<2048xi32, #blocked2>
      %28 = tt.addptr %arg0, %27 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %29 = tt.load %28 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %30 = "tt.reduce"(%29) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %32 = arith.maxnumf %arg2, %arg3 : f32
        tt.reduce.return %32 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %31 = arith.maxnumf %25, %30 : f32
      scf.yield %31 : f32
    } else {
      scf.yield %10 : f32
    }
    %14 = arith.muli %11, %c2048_i32 : i32
    %15 = arith.addi %8, %14 : i32
    %c1_i32_1 = arith.constant 1 : i32
    %16 = arith.andi %5, %c1_i32_1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %17 = arith.cmpi ne, %16, %c0_i32_2 : i32
    %18 = scf.if %17 -> (f32) {
      %21 = tt.splat %15 : i32 -> tensor<2048xi32, #blocked2>
      %22 = tt.addptr %arg0, %21 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %23 = tt.load %22 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %24 = "tt.reduce"(%23) <{axis = 0 : i32}> ({
      ^bb0(%arg2: f32, %arg3: f32):
        %26 = arith.maxnumf %arg2, %arg3 : f32
        tt.reduce.return %26 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %25 = arith.maxnumf %13, %24 : f32
      scf.yield %25 : f32
    } else {
      scf.yield %13 : f32
    }
    %19 = arith.muli %16, %c2048_i32 : i32
    %20 = arith.addi %15, %19 : i32
    tt.return %18 : f32
  }
  tt.func public @ahead(%arg0: tensor<4096x!tt.ptr<f32>, #blocked2>, %arg1: i32) -> f32 {
    %c0_i32 = arith.constant 0 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c4096_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %1 = tt.splat %arg2 : i32 -> tensor<4096xi32, #blocked2>
      %2 = tt.addptr %arg0, %1 : tensor<4096x!tt.ptr<f32>, #blocked2>, tensor<4096xi32, #blocked2>
      %3 = tt.load %2 : tensor<4096x!tt.ptr<f32>, #blocked2>
      %4 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %6 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %6 : f32
      }) : (tensor<4096xf32, #blocked2>) -> f32
      %5 = arith.maxnumf %arg3, %4 : f32
      scf.yield %5 : f32
    }
    tt.return %0 : f32
  }
  tt.func public @inner(%arg0: tensor<2048x!tt.ptr<f32>, #blocked2>, %arg1: i32) -> f32 {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %1 = scf.for %arg4 = %c0_i32 to %arg1 step %c2048_i32 iter_args(%arg5 = %arg3) -> (f32)  : i32 {
        %2 = tt.splat %arg4 : i32 -> tensor<2048xi32, #blocked2>
        %3 = tt.addptr %arg0, %2 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
        %4 = tt.load %3 : tensor<2048x!tt.ptr<f32>, #blocked2>
        %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
        ^bb0(%arg6: f32, %arg7: f32):
          %7 = arith.maxnumf %arg6, %arg7 : f32
          tt.reduce.return %7 : f32
        }) : (tensor<2048xf32, #blocked2>) -> f32
        %6 = arith.maxnumf %arg5, %5 : f32
        scf.yield %6 : f32
      }
      scf.yield %1 : f32
    }
    tt.return %0 : f32
  }
  tt.func public @product(%arg0: tensor<2048x!tt.ptr<f32>, #blocked2>, %arg1: i32, %arg2: tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>>, %arg3: tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>>) -> (f32, tensor<16x16xf32, #blocked1>) {
    %c0_i32 = arith.constant 0 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32, #blocked1>
    %0 = tt.dot %arg2, %arg3, %cst_0 : tensor<16x16xf32, #ttg.dot_op<{opIdx = 0, parent = #blocked1}>> * tensor<16x16xf32, #ttg.dot_op<{opIdx = 1, parent = #blocked1}>> -> tensor<16x16xf32, #blocked1>
    %1 = scf.for %arg4 = %c0_i32 to %arg1 step %c2048_i32 iter_args(%arg5 = %cst) -> (f32)  : i32 {
      %2 = tt.splat %arg4 : i32 -> tensor<2048xi32, #blocked2>
      %3 = tt.addptr %arg0, %2 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %4 = tt.load %3 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %7 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %7 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %6 = arith.maxnumf %arg5, %5 : f32
      scf.yield %6 : f32
    }
    tt.return %1, %0 : f32, tensor<16x16xf32, #blocked1>
  }
  tt.func public @long(%arg0: tensor<2048x!tt.ptr<f32>, #blocked2>, %arg1: i32) -> f32 {
    %c0_i32 = arith.constant 0 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.maxsi %arg1, %c0_i32 : i32
    %1 = arith.subi %0, %c0_i32 : i32
    %2 = arith.subi %c2048_i32, %c1_i32 : i32
    %3 = arith.addi %1, %2 : i32
    %4 = arith.divui %3, %c2048_i32 : i32
    %5 = arith.remui %4, %c2_i32 : i32
    %6 = arith.subi %4, %5 : i32
    %7 = arith.muli %6, %c2048_i32 : i32
    %8 = arith.addi %c0_i32, %7 : i32
    %9 = arith.muli %c2048_i32, %c2_i32 : i32
    %10 = scf.for %arg2 = %c0_i32 to %8 step %9 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %12 = tt.splat %arg2 : i32 -> tensor<2048xi32, #blocked2>
      %13 = tt.addptr %arg0, %12 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %14 = tt.load %13 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %15 = math.exp %14 : tensor<2048xf32, #blocked2>
      %16 = math.exp %15 : tensor<2048xf32, #blocked2>
      %17 = math.exp %16 : tensor<2048xf32, #blocked2>
      %18 = math.exp %17 : tensor<2048xf32, #blocked2>
      %19 = math.exp %18 : tensor<2048xf32, #blocked2>
      %20 = math.exp %19 : tensor<2048xf32, #blocked2>
      %21 = "tt.reduce"(%20) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %35 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %22 = arith.maxnumf %arg3, %21 : f32
      %23 = arith.addi %arg2, %c2048_i32 : i32
      %24 = tt.splat %23 : i32 -> tensor<2048xi32, #blocked2>
      %25 = tt.addptr %arg0, %24 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %26 = tt.load %25 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %27 = math.exp %26 : tensor<2048xf32, #blocked2>
      %28 = math.exp %27 : tensor<2048xf32, #blocked2>
      %29 = math.exp %28 : tensor<2048xf32, #blocked2>
      %30 = math.exp %29 : tensor<2048xf32, #blocked2>
      %31 = math.exp %30 : tensor<2048xf32, #blocked2>
      %32 = math.exp %31 : tensor<2048xf32, #blocked2>
      %33 = "tt.reduce"(%32) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %35 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %35 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %34 = arith.maxnumf %22, %33 : f32
      scf.yield %34 : f32
    }
    %11 = scf.for %arg2 = %8 to %arg1 step %c2048_i32 iter_args(%arg3 = %10) -> (f32)  : i32 {
      %12 = tt.splat %arg2 : i32 -> tensor<2048xi32, #blocked2>
      %13 = tt.addptr %arg0, %12 : tensor<2048x!tt.ptr<f32>, #blocked2>, tensor<2048xi32, #blocked2>
      %14 = tt.load %13 : tensor<2048x!tt.ptr<f32>, #blocked2>
      %15 = math.exp %14 : tensor<2048xf32, #blocked2>
      %16 = math.exp %15 : tensor<2048xf32, #blocked2>
      %17 = math.exp %16 : tensor<2048xf32, #blocked2>
      %18 = math.exp %17 : tensor<2048xf32, #blocked2>
      %19 = math.exp %18 : tensor<2048xf32, #blocked2>
      %20 = math.exp %19 : tensor<2048xf32, #blocked2>
      %21 = "tt.reduce"(%20) <{axis = 0 : i32}> ({
      ^bb0(%arg4: f32, %arg5: f32):
        %23 = arith.maxnumf %arg4, %arg5 : f32
        tt.reduce.return %23 : f32
      }) : (tensor<2048xf32, #blocked2>) -> f32
      %22 = arith.maxnumf %arg3, %21 : f32
      scf.yield %22 : f32
    }
    tt.return %11 : f32
  }
}

