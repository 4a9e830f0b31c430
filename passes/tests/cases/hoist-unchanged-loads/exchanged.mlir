// passes: hoist-unchanged-loads
// Loads that threads exchange in every iteration move with the exchange, and with what is computed from them alone.
#one = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#two = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Where the loop may not run, the mask says so.
  tt.func public @moves(%x: tensor<2x128x!tt.ptr<f16>, #two>, %w: tensor<1x128x!tt.ptr<bf16>, #one>, %inside: tensor<1x128xi1, #one>, %n: i32) -> tensor<2x128xf32, #two> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<1x128xbf16, #one>
    %zero = arith.constant dense<0.0> : tensor<2x128xf32, #two>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<2x128xf32, #two>) : i32 {
      %step = tt.splat %i : i32 -> tensor<2x128xi32, #two>
      %p = tt.addptr %x, %step : tensor<2x128x!tt.ptr<f16>, #two>, tensor<2x128xi32, #two>
      %a = tt.load %p : tensor<2x128x!tt.ptr<f16>, #two>
      %row = tt.load %w, %inside, %none : tensor<1x128x!tt.ptr<bf16>, #one>
      %there = ttg.convert_layout %row : tensor<1x128xbf16, #one> -> tensor<1x128xbf16, #two>
      %wide = arith.extf %there : tensor<1x128xbf16, #two> to tensor<1x128xf32, #two>
      %rows = tt.broadcast %wide : tensor<1x128xf32, #two> -> tensor<2x128xf32, #two>
      %b = arith.extf %a : tensor<2x128xf16, #two> to tensor<2x128xf32, #two>
      %s = math.fma %b, %rows, %acc : tensor<2x128xf32, #two>
      scf.yield %s : tensor<2x128xf32, #two>
    }
    tt.return %sum : tensor<2x128xf32, #two>
  }
  // Threads meet for what changes, too; they wait for that anyway.
  tt.func public @meets(%x: tensor<1x128x!tt.ptr<bf16>, #one>, %w: tensor<1x128x!tt.ptr<bf16>, #one>, %n: i32) -> tensor<1x128xbf16, #two> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<1x128xbf16, #two>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1x128xbf16, #two>) : i32 {
      %step = tt.splat %i : i32 -> tensor<1x128xi32, #one>
      %p = tt.addptr %x, %step : tensor<1x128x!tt.ptr<bf16>, #one>, tensor<1x128xi32, #one>
      %a = tt.load %p : tensor<1x128x!tt.ptr<bf16>, #one>
      %moved = ttg.convert_layout %a : tensor<1x128xbf16, #one> -> tensor<1x128xbf16, #two>
      %row = tt.load %w : tensor<1x128x!tt.ptr<bf16>, #one>
      %there = ttg.convert_layout %row : tensor<1x128xbf16, #one> -> tensor<1x128xbf16, #two>
      %s = math.fma %moved, %there, %acc : tensor<1x128xbf16, #two>
      scf.yield %s : tensor<1x128xbf16, #two>
    }
    tt.return %sum : tensor<1x128xbf16, #two>
  }
  // Two iterations wait as often.
  tt.func public @twice(%w: tensor<1x128x!tt.ptr<bf16>, #one>) -> tensor<1x128xbf16, #two> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %zero = arith.constant dense<0.0> : tensor<1x128xbf16, #two>
    %sum = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (tensor<1x128xbf16, #two>) : i32 {
      %row = tt.load %w : tensor<1x128x!tt.ptr<bf16>, #one>
      %there = ttg.convert_layout %row : tensor<1x128xbf16, #one> -> tensor<1x128xbf16, #two>
      %s = arith.addf %acc, %there : tensor<1x128xbf16, #two>
      scf.yield %s : tensor<1x128xbf16, #two>
    }
    tt.return %sum : tensor<1x128xbf16, #two>
  }
  // What the loop stores may be what it loads.
  tt.func public @stores(%w: tensor<1x128x!tt.ptr<bf16>, #one>, %out: tensor<1x128x!tt.ptr<bf16>, #two>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %row = tt.load %w : tensor<1x128x!tt.ptr<bf16>, #one>
      %there = ttg.convert_layout %row : tensor<1x128xbf16, #one> -> tensor<1x128xbf16, #two>
      tt.store %out, %there : tensor<1x128x!tt.ptr<bf16>, #two>
    }
    tt.return
  }
  // Too many registers for the whole row of f32, not for the row that is loaded.
  tt.func public @wide(%x: tensor<2x2048x!tt.ptr<f16>, #two>, %w: tensor<1x2048x!tt.ptr<bf16>, #one>, %n: i32) -> tensor<2x2048xf32, #two> {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<2x2048xf32, #two>
    %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<2x2048xf32, #two>) : i32 {
      %step = tt.splat %i : i32 -> tensor<2x2048xi32, #two>
      %p = tt.addptr %x, %step : tensor<2x2048x!tt.ptr<f16>, #two>, tensor<2x2048xi32, #two>
      %a = tt.load %p : tensor<2x2048x!tt.ptr<f16>, #two>
      %row = tt.load %w : tensor<1x2048x!tt.ptr<bf16>, #one>
      %there = ttg.convert_layout %row : tensor<1x2048xbf16, #one> -> tensor<1x2048xbf16, #two>
      %both = arith.extf %there : tensor<1x2048xbf16, #two> to tensor<1x2048xf32, #two>
      %rows = tt.broadcast %both : tensor<1x2048xf32, #two> -> tensor<2x2048xf32, #two>
      %b = arith.extf %a : tensor<2x2048xf16, #two> to tensor<2x2048xf32, #two>
      %s = math.fma %b, %rows, %acc : tensor<2x2048xf32, #two>
      scf.yield %s : tensor<2x2048xf32, #two>
    }
    tt.return %sum : tensor<2x2048xf32, #two>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @moves(%arg0: tensor<2x128x!tt.ptr<f16>, #blocked>, %arg1: tensor<1x128x!tt.ptr<bf16>, #blocked1>, %arg2: tensor<1x128xi1, #blocked1>, %arg3: i32) -> tensor<2x128xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1x128xbf16, #blocked1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<2x128xf32, #blocked>
    %0 = arith.cmpi slt, %c0_i32, %arg3 : i32
    %1 = tt.splat %0 : i1 -> tensor<1x128xi1, #blocked1>
    %2 = arith.andi %arg2, %1 : tensor<1x128xi1, #blocked1>
    %3 = tt.load %arg1, %2, %cst : tensor<1x128x!tt.ptr<bf16>, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<1x128xbf16, #blocked1> -> tensor<1x128xbf16, #blocked>
    %5 = arith.extf %4 : tensor<1x128xbf16, #blocked> to tensor<1x128xf32, #blocked>
    %6 = tt.broadcast %5 : tensor<1x128xf32, #blocked> -> tensor<2x128xf32, #blocked>
    %7 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst_0) -> (tensor<2x128xf32, #blocked>)  : i32 {
      %8 = tt.splat %arg4 : i32 -> tensor<2x128xi32, #blocked>
      %9 = tt.addptr %arg0, %8 : tensor<2x128x!tt.ptr<f16>, #blocked>, tensor<2x128xi32, #blocked>
      %10 = tt.load %9 : tensor<2x128x!tt.ptr<f16>, #blocked>
      %11 = arith.extf %10 : tensor<2x128xf16, #blocked> to tensor<2x128xf32, #blocked>
      %12 = math.fma %11, %6, %arg5 : tensor<2x128xf32, #blocked>
      scf.yield %12 : tensor<2x128xf32, #blocked>
    }
    tt.return %7 : tensor<2x128xf32, #blocked>
  }
  tt.func public @meets(%arg0: tensor<1x128x!tt.ptr<bf16>, #blocked1>, %arg1: tensor<1x128x!tt.ptr<bf16>, #blocked1>, %arg2: i32) -> tensor<1x128xbf16, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1x128xbf16, #blocked>
    %0 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<1x128xbf16, #blocked>)  : i32 {
      %1 = tt.splat %arg3 : i32 -> tensor<1x128xi32, #blocked1>
      %2 = tt.addptr %arg0, %1 : tensor<1x128x!tt.ptr<bf16>, #blocked1>, tensor<1x128xi32, #blocked1>
      %3 = tt.load %2 : tensor<1x128x!tt.ptr<bf16>, #blocked1>
      %4 = ttg.convert_layout %3 : tensor<1x128xbf16, #blocked1> -> tensor<1x128xbf16, #blocked>
      %5 = tt.load %arg1 : tensor<1x128x!tt.ptr<bf16>, #blocked1>
      %6 = ttg.convert_layout %5 : tensor<1x128xbf16, #blocked1> -> tensor<1x128xbf16, #blocked>
      %7 = math.fma %4, %6, %arg4 : tensor<1x128xbf16, #blocked>
      scf.yield %7 : tensor<1x128xbf16, #blocked>
    }
    tt.return %0 : tensor<1x128xbf16, #blocked>
  }
  tt.func public @twice(%arg0: tensor<1x128x!tt.ptr<bf16>, #blocked1>) -> tensor<1x128xbf16, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1x128xbf16, #blocked>
    %0 = scf.for %arg1 = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%arg2 = %cst) -> (tensor<1x128xbf16, #blocked>)  : i32 {
      %1 = tt.load %arg0 : tensor<1x128x!tt.ptr<bf16>, #blocked1>
      %2 = ttg.convert_layout %1 : tensor<1x128xbf16, #blocked1> -> tensor<1x128xbf16, #blocked>
      %3 = arith.addf %arg2, %2 : tensor<1x128xbf16, #blocked>
      scf.yield %3 : tensor<1x128xbf16, #blocked>
    }
    tt.return %0 : tensor<1x128xbf16, #blocked>
  }
  tt.func public @stores(%arg0: tensor<1x128x!tt.ptr<bf16>, #blocked1>, %arg1: tensor<1x128x!tt.ptr<bf16>, #blocked>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %0 = tt.load %arg0 : tensor<1x128x!tt.ptr<bf16>, #blocked1>
      %1 = ttg.convert_layout %0 : tensor<1x128xbf16, #blocked1> -> tensor<1x128xbf16, #blocked>
      tt.store %arg1, %1 : tensor<1x128x!tt.ptr<bf16>, #blocked>
    }
    tt.return
  }
  tt.func public @wide(%arg0: tensor<2x2048x!tt.ptr<f16>, #blocked>, %arg1: tensor<1x2048x!tt.ptr<bf16>, #blocked1>, %arg2: i32) -> tensor<2x2048xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<2x2048xf32, #blocked>
    %0 = tt.load %arg1 : tensor<1x2048x!tt.ptr<bf16>, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<1x2048xbf16, #blocked1> -> tensor<1x2048xbf16, #blocked>
    %2 = scf.for %arg3 = %c0_i32 to %c8_i32 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<2x2048xf32, #blocked>)  : i32 {
      %3 = tt.splat %arg3 : i32 -> tensor<2x2048xi32, #blocked>
      %4 = tt.addptr %arg0, %3 : tensor<2x2048x!tt.ptr<f16>, #blocked>, tensor<2x2048xi32, #blocked>
      %5 = tt.load %4 : tensor<2x2048x!tt.ptr<f16>, #blocked>
      %6 = arith.extf %1 : tensor<1x2048xbf16, #blocked> to tensor<1x2048xf32, #blocked>
      %7 = tt.broadcast %6 : tensor<1x2048xf32, #blocked> -> tensor<2x2048xf32, #blocked>
      %8 = arith.extf %5 : tensor<2x2048xf16, #blocked> to tensor<2x2048xf32, #blocked>
      %9 = math.fma %8, %7, %arg4 : tensor<2x2048xf32, #blocked>
      scf.yield %9 : tensor<2x2048xf32, #blocked>
    }
    tt.return %2 : tensor<2x2048xf32, #blocked>
  }
}

