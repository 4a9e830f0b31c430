// passes: carry-partial-sums,canonicalize,cse
// counts: ttg.convert_layout 0, tt.trans 1
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#rows = #ttg.slice<{dim = 1, parent = #mma}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%p: tensor<64x64x!tt.ptr<f32>, #mma>, %f: tensor<64x!tt.ptr<f32>, #rows>, %n: i32, %out: tensor<64x!tt.ptr<f32>, #rows>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %start = arith.constant dense<0.000000e+00> : tensor<64xf32, #rows>
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
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    %0 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>)  : i32 {
      %3 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #mma>
      %4 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %5 = math.exp2 %4 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %6 = tt.reshape %3 : tensor<64x64xf32, #mma> -> tensor<64x8x4x2xf32, #linear1>
      %7 = tt.trans %6 {order = array<i32: 0, 2, 1, 3>} : tensor<64x8x4x2xf32, #linear1> -> tensor<64x4x8x2xf32, #linear2>
      %8 = tt.reshape %7 : tensor<64x4x8x2xf32, #linear2> -> tensor<64x4x16xf32, #linear>
      %9 = "tt.reduce"(%8) <{axis = 2 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %14 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %14 : f32
      }) : (tensor<64x4x16xf32, #linear>) -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %10 = tt.reshape %5 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %11 = tt.broadcast %10 : tensor<64x1xf32, #ttg.slice<{dim = 2, parent = #linear}>> -> tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %12 = arith.mulf %arg5, %11 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      %13 = arith.addf %12, %9 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
      scf.yield %13 : tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>
    }
    %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %3 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %3 : f32
    }) : (tensor<64x4xf32, #ttg.slice<{dim = 2, parent = #linear}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>>
    %2 = tt.reshape %1 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 2, parent = #linear}>}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.store %arg3, %2 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.return
  }
}

