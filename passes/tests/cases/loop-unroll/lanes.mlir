// passes: loop-unroll
// grid: few
// counts: scf.for 3, ttg.convert_layout 6
#block = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#row = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Lanes give each other the elements of a row: the loads of four copies go before that.
  tt.func public @adds(%x: tensor<128x!tt.ptr<f32>, #row>, %w: tensor<8x128x!tt.ptr<i8>, #block>, %n: i32) -> tensor<8x128xf32, #block> {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %zero = arith.constant dense<0.0> : tensor<8x128xf32, #block>
    %sum = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<8x128xf32, #block>) : i32 {
      %ir = tt.splat %i : i32 -> tensor<128xi32, #row>
      %xp = tt.addptr %x, %ir : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
      %xv = tt.load %xp : tensor<128x!tt.ptr<f32>, #row>
      %xc = ttg.convert_layout %xv : tensor<128xf32, #row> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #block}>>
      %xe = tt.expand_dims %xc {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #block}>> -> tensor<1x128xf32, #block>
      %xb = tt.broadcast %xe : tensor<1x128xf32, #block> -> tensor<8x128xf32, #block>
      %ib = tt.splat %i : i32 -> tensor<8x128xi32, #block>
      %wp = tt.addptr %w, %ib : tensor<8x128x!tt.ptr<i8>, #block>, tensor<8x128xi32, #block>
      %wv = tt.load %wp : tensor<8x128x!tt.ptr<i8>, #block>
      %wf = arith.sitofp %wv : tensor<8x128xi8, #block> to tensor<8x128xf32, #block>
      %p = arith.mulf %wf, %xb : tensor<8x128xf32, #block>
      %s = arith.addf %acc, %p : tensor<8x128xf32, #block>
      scf.yield %s : tensor<8x128xf32, #block>
    }
    tt.return %sum : tensor<8x128xf32, #block>
  }
  // What is stored may be what the next iteration loads: loops that store stay as they are.
  tt.func public @stores(%x: tensor<128x!tt.ptr<f32>, #row>, %y: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #block}>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    scf.for %i = %c0 to %n step %c128 : i32 {
      %ir = tt.splat %i : i32 -> tensor<128xi32, #row>
      %xp = tt.addptr %x, %ir : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
      %xv = tt.load %xp : tensor<128x!tt.ptr<f32>, #row>
      %xc = ttg.convert_layout %xv : tensor<128xf32, #row> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #block}>>
      tt.store %y, %xc : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #block}>>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @adds(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<8x128x!tt.ptr<i8>, #blocked1>, %arg2: i32) -> tensor<8x128xf32, #blocked1> {
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<8x128xf32, #blocked1>
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
    %10 = scf.for %arg3 = %c0_i32 to %8 step %9 iter_args(%arg4 = %cst) -> (tensor<8x128xf32, #blocked1>)  : i32 {
      %12 = tt.splat %arg3 : i32 -> tensor<128xi32, #blocked>
      %13 = tt.addptr %arg0, %12 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %14 = tt.load %13 : tensor<128x!tt.ptr<f32>, #blocked>
      %15 = ttg.convert_layout %14 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %16 = tt.expand_dims %15 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %17 = tt.broadcast %16 : tensor<1x128xf32, #blocked1> -> tensor<8x128xf32, #blocked1>
      %18 = tt.splat %arg3 : i32 -> tensor<8x128xi32, #blocked1>
      %19 = tt.addptr %arg1, %18 : tensor<8x128x!tt.ptr<i8>, #blocked1>, tensor<8x128xi32, #blocked1>
      %20 = tt.load %19 : tensor<8x128x!tt.ptr<i8>, #blocked1>
      %21 = arith.sitofp %20 : tensor<8x128xi8, #blocked1> to tensor<8x128xf32, #blocked1>
      %22 = arith.mulf %21, %17 : tensor<8x128xf32, #blocked1>
      %23 = arith.addf %arg4, %22 : tensor<8x128xf32, #blocked1>
      %24 = arith.addi %arg3, %c128_i32 : i32
      %25 = tt.splat %24 : i32 -> tensor<128xi32, #blocked>
      %26 = tt.addptr %arg0, %25 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %27 = tt.load %26 : tensor<128x!tt.ptr<f32>, #blocked>
      %28 = ttg.convert_layout %27 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %29 = tt.expand_dims %28 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %30 = tt.broadcast %29 : tensor<1x128xf32, #blocked1> -> tensor<8x128xf32, #blocked1>
      %31 = tt.splat %24 : i32 -> tensor<8x128xi32, #blocked1>
      %32 = tt.addptr %arg1, %31 : tensor<8x128x!tt.ptr<i8>, #blocked1>, tensor<8x128xi32, #blocked1>
      %33 = tt.load %32 : tensor<8x128x!tt.ptr<i8>, #blocked1>
      %34 = arith.sitofp %33 : tensor<8x128xi8, #blocked1> to tensor<8x128xf32, #blocked1>
      %35 = arith.mulf %34, %30 : tensor<8x128xf32, #blocked1>
      %36 = arith.addf %23, %35 : tensor<8x128xf32, #blocked1>
      %37 = arith.addi %24, %c128_i32 : i32
      %38 = tt.splat %37 : i32 -> tensor<128xi32, #blocked>
      %39 = tt.addptr %arg0, %38 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %40 = tt.load %39 : tensor<128x!tt.ptr<f32>, #blocked>
      %41 = ttg.convert_layout %40 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %42 = tt.expand_dims %41 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %43 = tt.broadcast %42 : tensor<1x128xf32, #blocked1> -> tensor<8x128xf32, #blocked1>
      %44 = tt.splat %37 : i32 -> tensor<8x128xi32, #blocked1>
      %45 = tt.addptr %arg1, %44 : tensor<8x128x!tt.ptr<i8>, #blocked1>, tensor<8x128xi32, #blocked1>
      %46 = tt.load %45 : tensor<8x128x!tt.ptr<i8>, #blocked1>
      %47 = arith.sitofp %46 : tensor<8x128xi8, #blocked1> to tensor<8x128xf32, #blocked1>
      %48 = arith.mulf %47, %43 : tensor<8x128xf32, #blocked1>
      %49 = arith.addf %36, %48 : tensor<8x128xf32, #blocked1>
      %50 = arith.addi %37, %c128_i32 : i32
      %51 = tt.splat %50 : i32 -> tensor<128xi32, #blocked>
      %52 = tt.addptr %arg0, %51 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %53 = tt.load %52 : tensor<128x!tt.ptr<f32>, #blocked>
      %54 = ttg.convert_layout %53 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %55 = tt.expand_dims %54 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %56 = tt.broadcast %55 : tensor<1x128xf32, #blocked1> -> tensor<8x128xf32, #blocked1>
      %57 = tt.splat %50 : i32 -> tensor<8x128xi32, #blocked1>
      %58 = tt.addptr %arg1, %57 : tensor<8x128x!tt.ptr<i8>, #blocked1>, tensor<8x128xi32, #blocked1>
      %59 = tt.load %58 : tensor<8x128x!tt.ptr<i8>, #blocked1>
      %60 = arith.sitofp %59 : tensor<8x128xi8, #blocked1> to tensor<8x128xf32, #blocked1>
      %61 = arith.mulf %60, %56 : tensor<8x128xf32, #blocked1>
      %62 = arith.addf %49, %61 : tensor<8x128xf32, #blocked1>
      scf.yield %62 : tensor<8x128xf32, #blocked1>
    }
    %11 = scf.for %arg3 = %8 to %arg2 step %c128_i32 iter_args(%arg4 = %10) -> (tensor<8x128xf32, #blocked1>)  : i32 {
      %12 = tt.splat %arg3 : i32 -> tensor<128xi32, #blocked>
      %13 = tt.addptr %arg0, %12 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %14 = tt.load %13 : tensor<128x!tt.ptr<f32>, #blocked>
      %15 = ttg.convert_layout %14 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %16 = tt.expand_dims %15 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xf32, #blocked1>
      %17 = tt.broadcast %16 : tensor<1x128xf32, #blocked1> -> tensor<8x128xf32, #blocked1>
      %18 = tt.splat %arg3 : i32 -> tensor<8x128xi32, #blocked1>
      %19 = tt.addptr %arg1, %18 : tensor<8x128x!tt.ptr<i8>, #blocked1>, tensor<8x128xi32, #blocked1>
      %20 = tt.load %19 : tensor<8x128x!tt.ptr<i8>, #blocked1>
      %21 = arith.sitofp %20 : tensor<8x128xi8, #blocked1> to tensor<8x128xf32, #blocked1>
      %22 = arith.mulf %21, %17 : tensor<8x128xf32, #blocked1>
      %23 = arith.addf %arg4, %22 : tensor<8x128xf32, #blocked1>
      scf.yield %23 : tensor<8x128xf32, #blocked1>
    } {tk.written_once}
    tt.return %11 : tensor<8x128xf32, #blocked1>
  }
  tt.func public @stores(%arg0: tensor<128x!tt.ptr<f32>, #blocked>, %arg1: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    scf.for %arg3 = %c0_i32 to %arg2 step %c128_i32  : i32 {
      %0 = tt.splat %arg3 : i32 -> tensor<128xi32, #blocked>
      %1 = tt.addptr %arg0, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %2 = tt.load %1 : tensor<128x!tt.ptr<f32>, #blocked>
      %3 = ttg.convert_layout %2 : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      tt.store %arg1, %3 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>
    }
    tt.return
  }
}

