// passes: remove-layout-conversions
#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#c = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The last iteration stores a block in another layout: it is converted there. What is loaded is not converted in each iteration for it.
  tt.func public @last(%p: tensor<64x64x!tt.ptr<bf16>, #a>, %q: tensor<64x64x!tt.ptr<f32>, #a>, %state: tensor<64x64x!tt.ptr<f32>, #b>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %last = arith.subi %n, %one : i32
    scf.for %i = %zero to %n step %one : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #a>
      %f = arith.extf %x : tensor<64x64xbf16, #a> to tensor<64x64xf32, #a>
      %g = arith.mulf %f, %f : tensor<64x64xf32, #a>
      tt.store %q, %g : tensor<64x64x!tt.ptr<f32>, #a>
      %is_last = arith.cmpi eq, %i, %last : i32
      scf.if %is_last {
        %w = ttg.convert_layout %g : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
        tt.store %state, %w : tensor<64x64x!tt.ptr<f32>, #b>
      }
    }
    tt.return
  }
  // What comes before a limit may be most iterations: as if there were no branch.
  tt.func public @often(%p: tensor<64x64x!tt.ptr<bf16>, #a>, %q: tensor<64x64x!tt.ptr<f32>, #a>, %state: tensor<64x64x!tt.ptr<f32>, #b>, %n: i32, %limit: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #a>
      %f = arith.extf %x : tensor<64x64xbf16, #a> to tensor<64x64xf32, #a>
      %g = arith.mulf %f, %f : tensor<64x64xf32, #a>
      tt.store %q, %g : tensor<64x64x!tt.ptr<f32>, #a>
      %is_before = arith.cmpi slt, %i, %limit : i32
      scf.if %is_before {
        %w = ttg.convert_layout %g : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
        tt.store %state, %w : tensor<64x64x!tt.ptr<f32>, #b>
      }
    }
    tt.return
  }
  // Both sides convert to the layout: one of them runs in each iteration.
  tt.func public @both(%p: tensor<64x64x!tt.ptr<bf16>, #a>, %q: tensor<64x64x!tt.ptr<f32>, #a>, %state: tensor<64x64x!tt.ptr<f32>, #b>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #a>
      %f = arith.extf %x : tensor<64x64xbf16, #a> to tensor<64x64xf32, #a>
      %g = arith.mulf %f, %f : tensor<64x64xf32, #a>
      tt.store %q, %g : tensor<64x64x!tt.ptr<f32>, #a>
      %is_first = arith.cmpi eq, %i, %zero : i32
      scf.if %is_first {
        %w = ttg.convert_layout %g : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
        tt.store %state, %w : tensor<64x64x!tt.ptr<f32>, #b>
      } else {
        %w = ttg.convert_layout %g : tensor<64x64xf32, #a> -> tensor<64x64xf32, #b>
        %before = tt.load %state : tensor<64x64x!tt.ptr<f32>, #b>
        %sum = arith.addf %before, %w : tensor<64x64xf32, #b>
        tt.store %state, %sum : tensor<64x64x!tt.ptr<f32>, #b>
      }
    }
    tt.return
  }
  // Each iteration stores the block in the layout that it is computed in for that store, and the last one converts this: it is not computed once more in
  // the layout of what it was loaded in.
  tt.func public @made(%p: tensor<64x64x!tt.ptr<bf16>, #c>, %q: tensor<64x64x!tt.ptr<f32>, #a>, %state: tensor<64x64x!tt.ptr<f32>, #b>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %last = arith.subi %n, %one : i32
    scf.for %i = %zero to %n step %one : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #c>
      %f = arith.extf %x : tensor<64x64xbf16, #c> to tensor<64x64xf32, #c>
      %g = arith.mulf %f, %f : tensor<64x64xf32, #c>
      %t = arith.truncf %g : tensor<64x64xf32, #c> to tensor<64x64xbf16, #c>
      %is_last = arith.cmpi eq, %i, %last : i32
      scf.if %is_last {
        %e = arith.extf %t : tensor<64x64xbf16, #c> to tensor<64x64xf32, #c>
        %w = ttg.convert_layout %e : tensor<64x64xf32, #c> -> tensor<64x64xf32, #b>
        tt.store %state, %w : tensor<64x64x!tt.ptr<f32>, #b>
      }
      %d = arith.extf %t : tensor<64x64xbf16, #c> to tensor<64x64xf32, #c>
      %s = arith.addf %d, %d : tensor<64x64xf32, #c>
      %k = ttg.convert_layout %s : tensor<64x64xf32, #c> -> tensor<64x64xf32, #a>
      tt.store %q, %k : tensor<64x64x!tt.ptr<f32>, #a>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @last(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked1>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.subi %arg3, %c1_i32 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %2 = arith.extf %1 : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %3 = arith.mulf %2, %2 : tensor<64x64xf32, #blocked>
      tt.store %arg1, %3 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %4 = arith.cmpi eq, %arg4, %0 : i32
      scf.if %4 {
        %5 = ttg.convert_layout %3 : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked1>
        tt.store %arg2, %5 : tensor<64x64x!tt.ptr<f32>, #blocked1>
      }
    }
    tt.return
  }
  tt.func public @often(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked1>, %arg3: i32, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg5 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %1 = ttg.convert_layout %0 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #blocked1>
      %2 = arith.extf %0 : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %3 = arith.extf %1 : tensor<64x64xbf16, #blocked1> to tensor<64x64xf32, #blocked1>
      %4 = arith.mulf %2, %2 : tensor<64x64xf32, #blocked>
      %5 = arith.mulf %3, %3 : tensor<64x64xf32, #blocked1>
      tt.store %arg1, %4 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %6 = arith.cmpi slt, %arg5, %arg4 : i32
      scf.if %6 {
        tt.store %arg2, %5 : tensor<64x64x!tt.ptr<f32>, #blocked1>
      }
    }
    tt.return
  }
  tt.func public @both(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked1>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked>
      %1 = ttg.convert_layout %0 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #blocked1>
      %2 = arith.extf %0 : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %3 = arith.extf %1 : tensor<64x64xbf16, #blocked1> to tensor<64x64xf32, #blocked1>
      %4 = arith.mulf %2, %2 : tensor<64x64xf32, #blocked>
      %5 = arith.mulf %3, %3 : tensor<64x64xf32, #blocked1>
      tt.store %arg1, %4 : tensor<64x64x!tt.ptr<f32>, #blocked>
      %6 = arith.cmpi eq, %arg4, %c0_i32 : i32
      scf.if %6 {
        tt.store %arg2, %5 : tensor<64x64x!tt.ptr<f32>, #blocked1>
      } else {
        %7 = tt.load %arg2 : tensor<64x64x!tt.ptr<f32>, #blocked1>
        %8 = arith.addf %7, %5 : tensor<64x64xf32, #blocked1>
        tt.store %arg2, %8 : tensor<64x64x!tt.ptr<f32>, #blocked1>
      }
    }
    tt.return
  }
  tt.func public @made(%arg0: tensor<64x64x!tt.ptr<bf16>, #blocked2>, %arg1: tensor<64x64x!tt.ptr<f32>, #blocked>, %arg2: tensor<64x64x!tt.ptr<f32>, #blocked1>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = arith.subi %arg3, %c1_i32 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<bf16>, #blocked2>
      %2 = ttg.convert_layout %1 : tensor<64x64xbf16, #blocked2> -> tensor<64x64xbf16, #blocked>
      %3 = arith.extf %2 : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %4 = arith.mulf %3, %3 : tensor<64x64xf32, #blocked>
      %5 = arith.truncf %4 : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
      %6 = arith.cmpi eq, %arg4, %0 : i32
      scf.if %6 {
        %9 = ttg.convert_layout %5 : tensor<64x64xbf16, #blocked> -> tensor<64x64xbf16, #blocked1>
        %10 = arith.extf %9 : tensor<64x64xbf16, #blocked1> to tensor<64x64xf32, #blocked1>
        tt.store %arg2, %10 : tensor<64x64x!tt.ptr<f32>, #blocked1>
      }
      %7 = arith.extf %5 : tensor<64x64xbf16, #blocked> to tensor<64x64xf32, #blocked>
      %8 = arith.addf %7, %7 : tensor<64x64xf32, #blocked>
      tt.store %arg1, %8 : tensor<64x64x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}

