// passes: carry-partial-sums,canonicalize,cse
// counts: arith.select 1
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.slice<{dim = 1, parent = #mma}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%p: tensor<64x64x!tt.ptr<f32>, #mma>, %f: tensor<64x!tt.ptr<f32>, #rows>, %n: i32, %out: tensor<64x!tt.ptr<f32>, #rows>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %start = tt.load %f : tensor<64x!tt.ptr<f32>, #rows>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> (tensor<64xf32, #rows>) : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<f32>, #mma>
      %power = tt.load %f : tensor<64x!tt.ptr<f32>, #rows>
      %factor = math.exp2 %power : tensor<64xf32, #rows>
      %s = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #rows>
      %scaled = arith.mulf %acc, %factor : tensor<64xf32, #rows>
      %next = arith.addf %scaled, %s : tensor<64xf32, #rows>
      scf.yield %next : tensor<64xf32, #rows>
    }
    tt.store %out, %r : tensor<64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
// ----- expect
#linear = #ttg.linear<{register = [[0, 0, 1], [8, 0, 0], [0, 0, 2], [0, 0, 4], [0, 0, 8]], lane = [[0, 1, 0], [0, 2, 0], [1, 0, 0], [2, 0, 0], [4, 0, 0]], warp = [[16, 0, 0], [32, 0, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0], [0, 4, 0, 0]], lane = [[0, 0, 1, 0], [0, 0, 2, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[0, 0, 0, 1], [8, 0, 0, 0], [0, 0, 1, 0], [0, 0, 2, 0], [0, 0, 4, 0]], lane = [[0, 1, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]], warp = [[16, 0, 0, 0], [32, 0, 0, 0]], block = []}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: tensor<64x64x!tt.ptr<f32>, #mma>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %arg2: i32, %arg3: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>) {
    %cst = arith.constant dense<0> : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    %1 = tt.reshape %0 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %2 = tt.broadcast %1 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %3 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %5 = arith.cmpi eq, %4, %cst : tensor<1x4xi32, #ttg.slice<{dim = 2, parent = #linear}>>
    %6 = tt.broadcast %5 : tensor<1x4xi1, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>
    %7 = arith.select %6, %2, %cst_0 : tensor<64x4xi1, #ttg.slice<{dim = 2, parent = #linear}>>, tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %8 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %7) -> (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>)  : i32 {
      %11 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #mma>
      %12 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %13 = math.exp2 %12 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %14 = tt.reshape %11 : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
      %15 = tt.trans %14 {order = array<i32: 0, 2, 1, 3>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x4x8x2xf32, #linear2>
      %16 = tt.reshape %15 : tensor<64x4x8x2xf32, #linear2> -> tensor<64x4x16xf32, #linear>
      %17 = "tt.reduce"(%16) <{axis = 2 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %22 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %22 : f32
      }) : (tensor<64x4x16xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %18 = tt.reshape %13 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %19 = tt.broadcast %18 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %20 = arith.mulf %arg5, %19 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %21 = arith.addf %20, %17 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      scf.yield %21 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    }
    %9 = "tt.reduce"(%8) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %11 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %11 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %10 = tt.reshape %9 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.store %arg3, %10 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.return
  }
}

