// passes: choose-in-branches
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The branch that stores the tile sets the sum to its start.
  tt.func public @starts_anew(%part: tensor<64x128xf32, #mma>, %out: tensor<64x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %cst) -> (tensor<64x128xf32, #mma>) : i32 {
      %t = arith.addf %sum, %part : tensor<64x128xf32, #mma>
      %last = arith.cmpi eq, %i, %one : i32
      %next = arith.select %last, %cst, %t : tensor<64x128xf32, #mma>
      scf.if %last {
        tt.store %out, %t : tensor<64x128x!tt.ptr<f32>, #mma>
      }
      scf.yield %next : tensor<64x128xf32, #mma>
    }
    tt.return
  }
  // What is chosen is used before the branch is over, or in it.
  tt.func public @used(%part: tensor<64x128xf32, #mma>, %out: tensor<64x128x!tt.ptr<f32>, #mma>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %r = scf.for %i = %zero to %n step %one iter_args(%sum = %cst) -> (tensor<64x128xf32, #mma>) : i32 {
      %t = arith.addf %sum, %part : tensor<64x128xf32, #mma>
      %last = arith.cmpi eq, %i, %one : i32
      %next = arith.select %last, %cst, %t : tensor<64x128xf32, #mma>
      scf.if %last {
        tt.store %out, %next : tensor<64x128x!tt.ptr<f32>, #mma>
      }
      scf.yield %next : tensor<64x128xf32, #mma>
    }
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @starts_anew(%arg0: tensor<64x128xf32, #mma>, %arg1: tensor<64x128x!tt.ptr<f32>, #mma>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %0 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x128xf32, #mma>)  : i32 {
      %1 = arith.addf %arg4, %arg0 : tensor<64x128xf32, #mma>
      %2 = arith.cmpi eq, %arg3, %c1_i32 : i32
      %3 = scf.if %2 -> (tensor<64x128xf32, #mma>) {
        tt.store %arg1, %1 : tensor<64x128x!tt.ptr<f32>, #mma>
        scf.yield %cst : tensor<64x128xf32, #mma>
      } else {
        scf.yield %1 : tensor<64x128xf32, #mma>
      }
      scf.yield %3 : tensor<64x128xf32, #mma>
    }
    tt.return
  }
  tt.func public @used(%arg0: tensor<64x128xf32, #mma>, %arg1: tensor<64x128x!tt.ptr<f32>, #mma>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x128xf32, #mma>
    %0 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x128xf32, #mma>)  : i32 {
      %1 = arith.addf %arg4, %arg0 : tensor<64x128xf32, #mma>
      %2 = arith.cmpi eq, %arg3, %c1_i32 : i32
      %3 = arith.select %2, %cst, %1 : tensor<64x128xf32, #mma>
      scf.if %2 {
        tt.store %arg1, %3 : tensor<64x128x!tt.ptr<f32>, #mma>
      }
      scf.yield %3 : tensor<64x128xf32, #mma>
    }
    tt.return
  }
}

