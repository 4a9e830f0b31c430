// passes: convert-to-ttg,loop-unroll,canonicalize
module {
  // Threads meet for the layout of a row, which is the same in all iterations around. These may be none.
  tt.func public @rows(%q: !tt.ptr<f32>, %p: !tt.ptr<f32>, %n: i32) -> tensor<32xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %c128 = arith.constant 128 : i32
    %zero = arith.constant dense<0.0> : tensor<32xf32>
    %lane = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %line = tt.expand_dims %lane {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %lines = tt.broadcast %line : tensor<1x32xi32> -> tensor<32x32xi32>
    %sum = scf.for %c = %c0 to %n step %c1 iter_args(%outer = %zero) -> (tensor<32xf32>) : i32 {
      %base = tt.addptr %p, %c : !tt.ptr<f32>, i32
      %all = tt.splat %base : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
      %at = tt.addptr %all, %lines : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
      %k = tt.load %at : tensor<32x32x!tt.ptr<f32>>
      %inner = scf.for %g = %c0 to %c3 step %c1 iter_args(%acc = %outer) -> (tensor<32xf32>) : i32 {
        %offset = arith.muli %g, %c128 : i32
        %row = tt.addptr %q, %offset : !tt.ptr<f32>, i32
        %rows = tt.splat %row : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
        %row_at = tt.addptr %rows, %lane : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
        %x = tt.load %row_at : tensor<32x!tt.ptr<f32>>
        %x1 = tt.expand_dims %x {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
        %x2 = tt.broadcast %x1 : tensor<1x32xf32> -> tensor<32x32xf32>
        %product = arith.mulf %k, %x2 : tensor<32x32xf32>
        %dot = "tt.reduce"(%product) <{axis = 1 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %s = arith.addf %a, %b : f32
          tt.reduce.return %s : f32
        }) : (tensor<32x32xf32>) -> tensor<32xf32>
        %next = arith.addf %acc, %dot : tensor<32xf32>
        scf.yield %next : tensor<32xf32>
      }
      scf.yield %inner : tensor<32xf32>
    }
    tt.return %sum : tensor<32xf32>
  }
  // Both loops have few iterations: no loop is left.
  tt.func public @both(%q: !tt.ptr<f32>) -> tensor<1x32xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %zero = arith.constant dense<0.0> : tensor<1x32xf32>
    %lane = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %sum = scf.for %c = %c0 to %c2 step %c1 iter_args(%outer = %zero) -> (tensor<1x32xf32>) : i32 {
      %inner = scf.for %g = %c0 to %c2 step %c1 iter_args(%acc = %outer) -> (tensor<1x32xf32>) : i32 {
        %place = arith.addi %c, %g : i32
        %row = tt.addptr %q, %place : !tt.ptr<f32>, i32
        %rows = tt.splat %row : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
        %at = tt.addptr %rows, %lane : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
        %x = tt.load %at : tensor<32x!tt.ptr<f32>>
        %x1 = tt.expand_dims %x {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
        %next = arith.addf %acc, %x1 : tensor<1x32xf32>
        scf.yield %next : tensor<1x32xf32>
      }
      scf.yield %inner : tensor<1x32xf32>
    }
    tt.return %sum : tensor<1x32xf32>
  }
  // What the loop around stores may be what the copies load: these stay there.
  tt.func public @stored(%q: !tt.ptr<f32>, %to: tensor<1x32x!tt.ptr<f32>>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %zero = arith.constant dense<0.0> : tensor<1x32xf32>
    %lane = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    scf.for %c = %c0 to %n step %c1 : i32 {
      %inner = scf.for %g = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (tensor<1x32xf32>) : i32 {
        %row = tt.addptr %q, %g : !tt.ptr<f32>, i32
        %rows = tt.splat %row : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
        %at = tt.addptr %rows, %lane : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
        %x = tt.load %at : tensor<32x!tt.ptr<f32>>
        %x1 = tt.expand_dims %x {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
        %next = arith.addf %acc, %x1 : tensor<1x32xf32>
        scf.yield %next : tensor<1x32xf32>
      }
      tt.store %to, %inner : tensor<1x32x!tt.ptr<f32>>
    }
    tt.return
  }
  // In no other loop, and with too many iterations: loops stay.
  tt.func public @left(%q: !tt.ptr<f32>, %n: i32) -> (tensor<1x32xf32>, tensor<1x32xf32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %zero = arith.constant dense<0.0> : tensor<1x32xf32>
    %lane = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
    %alone = scf.for %g = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (tensor<1x32xf32>) : i32 {
      %row = tt.addptr %q, %g : !tt.ptr<f32>, i32
      %rows = tt.splat %row : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
      %at = tt.addptr %rows, %lane : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
      %x = tt.load %at : tensor<32x!tt.ptr<f32>>
      %x1 = tt.expand_dims %x {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
      %next = arith.addf %acc, %x1 : tensor<1x32xf32>
      scf.yield %next : tensor<1x32xf32>
    }
    %many = scf.for %c = %c0 to %n step %c1 iter_args(%outer = %zero) -> (tensor<1x32xf32>) : i32 {
      %inner = scf.for %g = %c0 to %c5 step %c1 iter_args(%acc = %outer) -> (tensor<1x32xf32>) : i32 {
        %row = tt.addptr %q, %g : !tt.ptr<f32>, i32
        %rows = tt.splat %row : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
        %at = tt.addptr %rows, %lane : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
        %x = tt.load %at : tensor<32x!tt.ptr<f32>>
        %x1 = tt.expand_dims %x {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
        %next = arith.addf %acc, %x1 : tensor<1x32xf32>
        scf.yield %next : tensor<1x32xf32>
      }
      scf.yield %inner : tensor<1x32xf32>
    }
    tt.return %alone, %many : tensor<1x32xf32>, tensor<1x32xf32>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) -> tensor<32xf32, #blocked> {
    %c256_i32 = arith.constant 256 : i32
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = ttg.convert_layout %0 : tensor<32xi32, #blocked> -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xi32, #blocked1>
    %3 = ttg.convert_layout %2 : tensor<1x32xi32, #blocked1> -> tensor<1x32xi32, #blocked2>
    %4 = tt.broadcast %3 : tensor<1x32xi32, #blocked2> -> tensor<32x32xi32, #blocked2>
    %5 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %6 = tt.addptr %5, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %7 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    %8 = tt.splat %7 : i1 -> tensor<32xi1, #blocked>
    %9 = tt.load %6, %8 : tensor<32x!tt.ptr<f32>, #blocked>
    %10 = ttg.convert_layout %9 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %11 = tt.expand_dims %10 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
    %12 = ttg.convert_layout %11 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
    %13 = tt.broadcast %12 : tensor<1x32xf32, #blocked2> -> tensor<32x32xf32, #blocked2>
    %14 = tt.addptr %arg0, %c128_i32 : !tt.ptr<f32>, i32
    %15 = tt.splat %14 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %16 = tt.addptr %15, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %17 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    %18 = tt.splat %17 : i1 -> tensor<32xi1, #blocked>
    %19 = tt.load %16, %18 : tensor<32x!tt.ptr<f32>, #blocked>
    %20 = ttg.convert_layout %19 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %21 = tt.expand_dims %20 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
    %22 = ttg.convert_layout %21 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
    %23 = tt.broadcast %22 : tensor<1x32xf32, #blocked2> -> tensor<32x32xf32, #blocked2>
    %24 = tt.addptr %arg0, %c256_i32 : !tt.ptr<f32>, i32
    %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %26 = tt.addptr %25, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %27 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    %28 = tt.splat %27 : i1 -> tensor<32xi1, #blocked>
    %29 = tt.load %26, %28 : tensor<32x!tt.ptr<f32>, #blocked>
    %30 = ttg.convert_layout %29 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %31 = tt.expand_dims %30 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
    %32 = ttg.convert_layout %31 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
    %33 = tt.broadcast %32 : tensor<1x32xf32, #blocked2> -> tensor<32x32xf32, #blocked2>
    %34 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<32xf32, #blocked>)  : i32 {
      %35 = tt.addptr %arg1, %arg3 : !tt.ptr<f32>, i32
      %36 = tt.splat %35 : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>, #blocked2>
      %37 = tt.addptr %36, %4 : tensor<32x32x!tt.ptr<f32>, #blocked2>, tensor<32x32xi32, #blocked2>
      %38 = tt.load %37 : tensor<32x32x!tt.ptr<f32>, #blocked2>
      %39 = arith.mulf %38, %13 : tensor<32x32xf32, #blocked2>
      %40 = "tt.reduce"(%39) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %51 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %51 : f32
      }) : (tensor<32x32xf32, #blocked2>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %41 = ttg.convert_layout %40 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32xf32, #blocked>
      %42 = arith.addf %arg4, %41 : tensor<32xf32, #blocked>
      %43 = arith.mulf %38, %23 : tensor<32x32xf32, #blocked2>
      %44 = "tt.reduce"(%43) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %51 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %51 : f32
      }) : (tensor<32x32xf32, #blocked2>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %45 = ttg.convert_layout %44 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32xf32, #blocked>
      %46 = arith.addf %42, %45 : tensor<32xf32, #blocked>
      %47 = arith.mulf %38, %33 : tensor<32x32xf32, #blocked2>
      %48 = "tt.reduce"(%47) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %51 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %51 : f32
      }) : (tensor<32x32xf32, #blocked2>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
      %49 = ttg.convert_layout %48 : tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<32xf32, #blocked>
      %50 = arith.addf %46, %49 : tensor<32xf32, #blocked>
      scf.yield %50 : tensor<32xf32, #blocked>
    }
    tt.return %34 : tensor<32xf32, #blocked>
  }
  tt.func public @both(%arg0: !tt.ptr<f32>) -> tensor<1x32xf32, #blocked2> {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1x32xf32, #blocked2>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %3 = tt.load %2 : tensor<32x!tt.ptr<f32>, #blocked>
    %4 = ttg.convert_layout %3 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
    %6 = ttg.convert_layout %5 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
    %7 = arith.addf %6, %cst : tensor<1x32xf32, #blocked2>
    %8 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %11 = tt.load %10 : tensor<32x!tt.ptr<f32>, #blocked>
    %12 = ttg.convert_layout %11 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %13 = tt.expand_dims %12 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
    %14 = ttg.convert_layout %13 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
    %15 = arith.addf %7, %14 : tensor<1x32xf32, #blocked2>
    %16 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %19 = tt.load %18 : tensor<32x!tt.ptr<f32>, #blocked>
    %20 = ttg.convert_layout %19 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %21 = tt.expand_dims %20 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
    %22 = ttg.convert_layout %21 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
    %23 = arith.addf %15, %22 : tensor<1x32xf32, #blocked2>
    %24 = tt.addptr %arg0, %c2_i32 : !tt.ptr<f32>, i32
    %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
    %26 = tt.addptr %25, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
    %27 = tt.load %26 : tensor<32x!tt.ptr<f32>, #blocked>
    %28 = ttg.convert_layout %27 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %29 = tt.expand_dims %28 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
    %30 = ttg.convert_layout %29 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
    %31 = arith.addf %23, %30 : tensor<1x32xf32, #blocked2>
    tt.return %31 : tensor<1x32xf32, #blocked2>
  }
  tt.func public @stored(%arg0: !tt.ptr<f32>, %arg1: tensor<1x32x!tt.ptr<f32>, #blocked2>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1x32xf32, #blocked2>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %2 = tt.addptr %1, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %3 = tt.load %2 : tensor<32x!tt.ptr<f32>, #blocked>
      %4 = ttg.convert_layout %3 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
      %6 = ttg.convert_layout %5 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
      %7 = arith.addf %6, %cst : tensor<1x32xf32, #blocked2>
      %8 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
      %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %11 = tt.load %10 : tensor<32x!tt.ptr<f32>, #blocked>
      %12 = ttg.convert_layout %11 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %13 = tt.expand_dims %12 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
      %14 = ttg.convert_layout %13 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
      %15 = arith.addf %7, %14 : tensor<1x32xf32, #blocked2>
      tt.store %arg1, %15 : tensor<1x32x!tt.ptr<f32>, #blocked2>
    }
    tt.return
  }
  tt.func public @left(%arg0: !tt.ptr<f32>, %arg1: i32) -> (tensor<1x32xf32, #blocked2>, tensor<1x32xf32, #blocked2>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c5_i32 = arith.constant 5 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1x32xf32, #blocked2>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = scf.for %arg2 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<1x32xf32, #blocked2>)  : i32 {
      %3 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %5 = tt.addptr %4, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %6 = tt.load %5 : tensor<32x!tt.ptr<f32>, #blocked>
      %7 = ttg.convert_layout %6 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
      %9 = ttg.convert_layout %8 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
      %10 = arith.addf %arg3, %9 : tensor<1x32xf32, #blocked2>
      scf.yield %10 : tensor<1x32xf32, #blocked2>
    }
    %2 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<1x32xf32, #blocked2>)  : i32 {
      %3 = scf.for %arg4 = %c0_i32 to %c5_i32 step %c1_i32 iter_args(%arg5 = %arg3) -> (tensor<1x32xf32, #blocked2>)  : i32 {
        %4 = tt.addptr %arg0, %arg4 : !tt.ptr<f32>, i32
        %5 = tt.splat %4 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
        %6 = tt.addptr %5, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
        %7 = tt.load %6 : tensor<32x!tt.ptr<f32>, #blocked>
        %8 = ttg.convert_layout %7 : tensor<32xf32, #blocked> -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
        %9 = tt.expand_dims %8 {axis = 0 : i32} : tensor<32xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x32xf32, #blocked1>
        %10 = ttg.convert_layout %9 : tensor<1x32xf32, #blocked1> -> tensor<1x32xf32, #blocked2>
        %11 = arith.addf %arg5, %10 : tensor<1x32xf32, #blocked2>
        scf.yield %11 : tensor<1x32xf32, #blocked2>
      }
      scf.yield %3 : tensor<1x32xf32, #blocked2>
    }
    tt.return %1, %2 : tensor<1x32xf32, #blocked2>, tensor<1x32xf32, #blocked2>
  }
}

