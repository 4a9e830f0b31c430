// passes: carry-partial-sums
// counts: tt.reshape 0
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
      tt.store %out, %acc : tensor<64x!tt.ptr<f32>, #rows>
      scf.yield %next : tensor<64xf32, #rows>
    }
    tt.store %out, %r : tensor<64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: tensor<64x64x!tt.ptr<f32>, #mma>, %arg1: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>, %arg2: i32, %arg3: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    %1 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %0) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>)  : i32 {
      %2 = tt.load %arg0 : tensor<64x64x!tt.ptr<f32>, #mma>
      %3 = tt.load %arg1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      %4 = math.exp2 %3 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %5 = "tt.reduce"(%2) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %8 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %8 : f32
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %6 = arith.mulf %arg5, %4 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %7 = arith.addf %6, %5 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      tt.store %arg3, %arg5 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
      scf.yield %7 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    }
    tt.store %arg3, %1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #mma}>>
    tt.return
  }
}

