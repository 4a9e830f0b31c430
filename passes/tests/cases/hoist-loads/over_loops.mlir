// passes: hoist-loads
// grid: few
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The row and the scalar pass the loop, the row with its address and mask; the wide block would take four registers.
  tt.func public @behind(%p: !tt.ptr<f32>, %y: !tt.ptr<f32>, %s: !tt.ptr<f32>, %w: tensor<256x!tt.ptr<f32>, #wide>, %n: i32, %out: tensor<64x!tt.ptr<f32>, #blocked>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<64xf32, #blocked>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf32, #blocked>) : i32 {
      %pi = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %pi : !tt.ptr<f32>
      %xs = tt.splat %x : f32 -> tensor<64xf32, #blocked>
      %more = arith.addf %acc, %xs : tensor<64xf32, #blocked>
      scf.yield %more : tensor<64xf32, #blocked>
    }
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
    %yp = tt.addptr %ys, %range : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %ns = tt.splat %n : i32 -> tensor<64xi32, #blocked>
    %mask = arith.cmpi slt, %range, %ns : tensor<64xi32, #blocked>
    %row = tt.load %yp, %mask, %zero : tensor<64x!tt.ptr<f32>, #blocked>
    %scale = tt.load %s : !tt.ptr<f32>
    %block = tt.load %w : tensor<256x!tt.ptr<f32>, #wide>
    %scales = tt.splat %scale : f32 -> tensor<64xf32, #blocked>
    %scaled = arith.mulf %sum, %scales : tensor<64xf32, #blocked>
    %all = arith.addf %scaled, %row : tensor<64xf32, #blocked>
    tt.store %out, %all, %mask : tensor<64x!tt.ptr<f32>, #blocked>
    tt.store %w, %block : tensor<256x!tt.ptr<f32>, #wide>
    tt.return
  }
  // Its address is made from a load that the loops do not need: before them it would wait for that one.
  tt.func public @both(%p: tensor<64x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %at: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %index = tt.load %at : !tt.ptr<i32>
    %first = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %inner = scf.for %j = %c0 to %i step %c1 iter_args(%most = %acc) -> (f32) : i32 {
        %x = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked>
        %total = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %c = arith.addf %a, %b : f32
          tt.reduce.return %c : f32
        }) : (tensor<64xf32, #blocked>) -> f32
        %more = arith.addf %most, %total : f32
        scf.yield %more : f32
      }
      scf.yield %inner : f32
    }
    %second = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %first) -> (f32) : i32 {
      %more = arith.mulf %acc, %acc : f32
      scf.yield %more : f32
    }
    %qi = tt.addptr %q, %index : !tt.ptr<f32>, i32
    %scale = tt.load %qi : !tt.ptr<f32>
    %result = arith.mulf %second, %scale : f32
    tt.store %q, %result : !tt.ptr<f32>
    tt.return
  }
  // The loops need that load, too, for their end: it goes before the first of them.
  tt.func public @counted(%p: tensor<64x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %at: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %index = tt.load %at : !tt.ptr<i32>
    %first = scf.for %i = %c0 to %index step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %inner = scf.for %j = %c0 to %i step %c1 iter_args(%most = %acc) -> (f32) : i32 {
        %x = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked>
        %total = "tt.reduce"(%x) <{axis = 0 : i32}> ({
        ^bb0(%a: f32, %b: f32):
          %c = arith.addf %a, %b : f32
          tt.reduce.return %c : f32
        }) : (tensor<64xf32, #blocked>) -> f32
        %more = arith.addf %most, %total : f32
        scf.yield %more : f32
      }
      scf.yield %inner : f32
    }
    %second = scf.for %i = %c0 to %index step %c1 iter_args(%acc = %first) -> (f32) : i32 {
      %more = arith.mulf %acc, %acc : f32
      scf.yield %more : f32
    }
    %qi = tt.addptr %q, %index : !tt.ptr<f32>, i32
    %scale = tt.load %qi : !tt.ptr<f32>
    %result = arith.mulf %second, %scale : f32
    tt.store %q, %result : !tt.ptr<f32>
    tt.return
  }
  // Behind the loop comes its last iteration as a branch, which reduces, too: both are passed.
  tt.func public @last(%p: tensor<64x!tt.ptr<f32>, #blocked>, %mask: tensor<64xi1, #blocked>, %q: !tt.ptr<f32>, %ragged: i1, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %whole = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %x = tt.load %p : tensor<64x!tt.ptr<f32>, #blocked>
      %total = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64xf32, #blocked>) -> f32
      %more = arith.addf %acc, %total : f32
      scf.yield %more : f32
    }
    %sum = scf.if %ragged -> (f32) {
      %x = tt.load %p, %mask : tensor<64x!tt.ptr<f32>, #blocked>
      %total = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64xf32, #blocked>) -> f32
      %more = arith.addf %whole, %total : f32
      scf.yield %more : f32
    } else {
      scf.yield %whole : f32
    }
    %scale = tt.load %q : !tt.ptr<f32>
    %result = arith.mulf %sum, %scale : f32
    tt.store %q, %result : !tt.ptr<f32>
    tt.return
  }
  // Over one loop live eight registers: four loads of two.
  tt.func public @many(%p: tensor<128x!tt.ptr<f32>, #blocked>, %a: tensor<128x!tt.ptr<f32>, #blocked>, %b: tensor<128x!tt.ptr<f32>, #blocked>, %c: tensor<128x!tt.ptr<f32>, #blocked>, %d: tensor<128x!tt.ptr<f32>, #blocked>, %e: tensor<128x!tt.ptr<f32>, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<128xf32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<128xf32, #blocked>) : i32 {
      %x = tt.load %p : tensor<128x!tt.ptr<f32>, #blocked>
      %more = arith.addf %acc, %x : tensor<128xf32, #blocked>
      scf.yield %more : tensor<128xf32, #blocked>
    }
    %la = tt.load %a : tensor<128x!tt.ptr<f32>, #blocked>
    %lb = tt.load %b : tensor<128x!tt.ptr<f32>, #blocked>
    %lc = tt.load %c : tensor<128x!tt.ptr<f32>, #blocked>
    %ld = tt.load %d : tensor<128x!tt.ptr<f32>, #blocked>
    %le = tt.load %e : tensor<128x!tt.ptr<f32>, #blocked>
    %ab = arith.addf %la, %lb : tensor<128xf32, #blocked>
    %cd = arith.addf %lc, %ld : tensor<128xf32, #blocked>
    %abcd = arith.addf %ab, %cd : tensor<128xf32, #blocked>
    %abcde = arith.addf %abcd, %le : tensor<128xf32, #blocked>
    %all = arith.addf %abcde, %sum : tensor<128xf32, #blocked>
    tt.store %p, %all : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // The loop writes, adds for others to see, meets other threads, or checks: nothing passes it.
  tt.func public @ordered(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %count: !tt.ptr<i32>, %ok: tensor<64xi1, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant 1.0 : f32
    %true = arith.constant true
    scf.for %i = %c0 to %n step %c1 : i32 {
      %pi = tt.addptr %p, %i : !tt.ptr<f32>, i32
      tt.store %pi, %one : !tt.ptr<f32>
    }
    %a = tt.load %q : !tt.ptr<f32>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %old = tt.atomic_rmw add, acq_rel, gpu, %count, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    }
    %q1 = tt.addptr %q, %c1 : !tt.ptr<f32>, i32
    %b = tt.load %q1 : !tt.ptr<f32>
    scf.for %i = %c0 to %n step %c1 : i32 {
      gpu.barrier
    }
    %q2 = tt.addptr %q1, %c1 : !tt.ptr<f32>, i32
    %c = tt.load %q2 : !tt.ptr<f32>
    scf.for %i = %c0 to %n step %c1 : i32 {
      tt.assert %ok, "outside" : tensor<64xi1, #blocked>
    }
    %q3 = tt.addptr %q2, %c1 : !tt.ptr<f32>, i32
    %d = tt.load %q3 : !tt.ptr<f32>
    %ab = arith.addf %a, %b : f32
    %cd = arith.addf %c, %d : f32
    %all = arith.addf %ab, %cd : f32
    tt.store %p, %all : !tt.ptr<f32>
    tt.return
  }
  // What the inner loop computes says where to load, and a write in the loop around comes before the loads of the next iteration. The step passes.
  tt.func public @depends(%p: !tt.ptr<i32>, %q: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %at = scf.for %j = %c0 to %n step %c1 iter_args(%next = %i) -> (i32) : i32 {
        %pj = tt.addptr %p, %next : !tt.ptr<i32>, i32
        %x = tt.load %pj : !tt.ptr<i32>
        scf.yield %x : i32
      }
      %step = tt.load %p : !tt.ptr<i32>
      %qa = tt.addptr %q, %at : !tt.ptr<f32>, i32
      %b = tt.load %qa : !tt.ptr<f32>
      %a = tt.load %q : !tt.ptr<f32>
      %ab = arith.addf %a, %b : f32
      %steps = arith.sitofp %step : i32 to f32
      %all = arith.addf %ab, %steps : f32
      tt.store %q, %all : !tt.ptr<f32>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @behind(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: tensor<256x!tt.ptr<f32>, #blocked>, %arg4: i32, %arg5: tensor<64x!tt.ptr<f32>, #blocked1>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf32, #blocked1>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked1>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked1>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f32>, #blocked1>, tensor<64xi32, #blocked1>
    %3 = tt.splat %arg4 : i32 -> tensor<64xi32, #blocked1>
    %4 = arith.cmpi slt, %0, %3 : tensor<64xi32, #blocked1>
    %5 = tt.load %2, %4, %cst : tensor<64x!tt.ptr<f32>, #blocked1>
    %6 = tt.load %arg2 : !tt.ptr<f32>
    %7 = scf.for %arg6 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg7 = %cst) -> (tensor<64xf32, #blocked1>)  : i32 {
      %12 = tt.addptr %arg0, %arg6 : !tt.ptr<f32>, i32
      %13 = tt.load %12 : !tt.ptr<f32>
      %14 = tt.splat %13 : f32 -> tensor<64xf32, #blocked1>
      %15 = arith.addf %arg7, %14 : tensor<64xf32, #blocked1>
      scf.yield %15 : tensor<64xf32, #blocked1>
    }
    %8 = tt.load %arg3 : tensor<256x!tt.ptr<f32>, #blocked>
    %9 = tt.splat %6 : f32 -> tensor<64xf32, #blocked1>
    %10 = arith.mulf %7, %9 : tensor<64xf32, #blocked1>
    %11 = arith.addf %10, %5 : tensor<64xf32, #blocked1>
    tt.store %arg5, %11, %4 : tensor<64x!tt.ptr<f32>, #blocked1>
    tt.store %arg3, %8 : tensor<256x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @both(%arg0: tensor<64x!tt.ptr<f32>, #blocked1>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.load %arg2 : !tt.ptr<i32>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (f32)  : i32 {
      %6 = scf.for %arg6 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg7 = %arg5) -> (f32)  : i32 {
        %7 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked1>
        %8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
        ^bb0(%arg8: f32, %arg9: f32):
          %10 = arith.addf %arg8, %arg9 : f32
          tt.reduce.return %10 : f32
        }) : (tensor<64xf32, #blocked1>) -> f32
        %9 = arith.addf %arg7, %8 : f32
        scf.yield %9 : f32
      }
      scf.yield %6 : f32
    }
    %2 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %1) -> (f32)  : i32 {
      %6 = arith.mulf %arg5, %arg5 : f32
      scf.yield %6 : f32
    }
    %3 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %4 = tt.load %3 : !tt.ptr<f32>
    %5 = arith.mulf %2, %4 : f32
    tt.store %arg1, %5 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @counted(%arg0: tensor<64x!tt.ptr<f32>, #blocked1>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.load %arg2 : !tt.ptr<i32>
    %1 = tt.addptr %arg1, %0 : !tt.ptr<f32>, i32
    %2 = tt.load %1 : !tt.ptr<f32>
    %3 = scf.for %arg3 = %c0_i32 to %0 step %c1_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
      %6 = scf.for %arg5 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %arg4) -> (f32)  : i32 {
        %7 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked1>
        %8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
        ^bb0(%arg7: f32, %arg8: f32):
          %10 = arith.addf %arg7, %arg8 : f32
          tt.reduce.return %10 : f32
        }) : (tensor<64xf32, #blocked1>) -> f32
        %9 = arith.addf %arg6, %8 : f32
        scf.yield %9 : f32
      }
      scf.yield %6 : f32
    }
    %4 = scf.for %arg3 = %c0_i32 to %0 step %c1_i32 iter_args(%arg4 = %3) -> (f32)  : i32 {
      %6 = arith.mulf %arg4, %arg4 : f32
      scf.yield %6 : f32
    }
    %5 = arith.mulf %4, %2 : f32
    tt.store %arg1, %5 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @last(%arg0: tensor<64x!tt.ptr<f32>, #blocked1>, %arg1: tensor<64xi1, #blocked1>, %arg2: !tt.ptr<f32>, %arg3: i1, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.load %arg2 : !tt.ptr<f32>
    %1 = scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %cst) -> (f32)  : i32 {
      %4 = tt.load %arg0 : tensor<64x!tt.ptr<f32>, #blocked1>
      %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %7 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %7 : f32
      }) : (tensor<64xf32, #blocked1>) -> f32
      %6 = arith.addf %arg6, %5 : f32
      scf.yield %6 : f32
    }
    %2 = scf.if %arg3 -> (f32) {
      %4 = tt.load %arg0, %arg1 : tensor<64x!tt.ptr<f32>, #blocked1>
      %5 = "tt.reduce"(%4) <{axis = 0 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %7 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %7 : f32
      }) : (tensor<64xf32, #blocked1>) -> f32
      %6 = arith.addf %1, %5 : f32
      scf.yield %6 : f32
    } else {
      scf.yield %1 : f32
    }
    %3 = arith.mulf %2, %0 : f32
    tt.store %arg2, %3 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @many(%arg0: tensor<128x!tt.ptr<f32>, #blocked1>, %arg1: tensor<128x!tt.ptr<f32>, #blocked1>, %arg2: tensor<128x!tt.ptr<f32>, #blocked1>, %arg3: tensor<128x!tt.ptr<f32>, #blocked1>, %arg4: tensor<128x!tt.ptr<f32>, #blocked1>, %arg5: tensor<128x!tt.ptr<f32>, #blocked1>, %arg6: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked1>
    %0 = tt.load %arg1 : tensor<128x!tt.ptr<f32>, #blocked1>
    %1 = tt.load %arg2 : tensor<128x!tt.ptr<f32>, #blocked1>
    %2 = tt.load %arg3 : tensor<128x!tt.ptr<f32>, #blocked1>
    %3 = tt.load %arg4 : tensor<128x!tt.ptr<f32>, #blocked1>
    %4 = scf.for %arg7 = %c0_i32 to %arg6 step %c1_i32 iter_args(%arg8 = %cst) -> (tensor<128xf32, #blocked1>)  : i32 {
      %11 = tt.load %arg0 : tensor<128x!tt.ptr<f32>, #blocked1>
      %12 = arith.addf %arg8, %11 : tensor<128xf32, #blocked1>
      scf.yield %12 : tensor<128xf32, #blocked1>
    }
    %5 = tt.load %arg5 : tensor<128x!tt.ptr<f32>, #blocked1>
    %6 = arith.addf %0, %1 : tensor<128xf32, #blocked1>
    %7 = arith.addf %2, %3 : tensor<128xf32, #blocked1>
    %8 = arith.addf %6, %7 : tensor<128xf32, #blocked1>
    %9 = arith.addf %8, %5 : tensor<128xf32, #blocked1>
    %10 = arith.addf %9, %4 : tensor<128xf32, #blocked1>
    tt.store %arg0, %10 : tensor<128x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @ordered(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>, %arg3: tensor<64xi1, #blocked1>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 1.000000e+00 : f32
    %true = arith.constant true
    scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32  : i32 {
      %10 = tt.addptr %arg0, %arg5 : !tt.ptr<f32>, i32
      tt.store %10, %cst : !tt.ptr<f32>
    }
    %0 = tt.load %arg1 : !tt.ptr<f32>
    scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32  : i32 {
      %10 = tt.atomic_rmw add, acq_rel, gpu, %arg2, %c1_i32, %true : (!tt.ptr<i32>, i32, i1) -> i32
    }
    %1 = tt.addptr %arg1, %c1_i32 : !tt.ptr<f32>, i32
    %2 = tt.load %1 : !tt.ptr<f32>
    scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32  : i32 {
      gpu.barrier
    }
    %3 = tt.addptr %1, %c1_i32 : !tt.ptr<f32>, i32
    %4 = tt.load %3 : !tt.ptr<f32>
    scf.for %arg5 = %c0_i32 to %arg4 step %c1_i32  : i32 {
      tt.assert %arg3, "outside" : tensor<64xi1, #blocked1>
    }
    %5 = tt.addptr %3, %c1_i32 : !tt.ptr<f32>, i32
    %6 = tt.load %5 : !tt.ptr<f32>
    %7 = arith.addf %0, %2 : f32
    %8 = arith.addf %4, %6 : f32
    %9 = arith.addf %7, %8 : f32
    tt.store %arg0, %9 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @depends(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %0 = tt.load %arg0 : !tt.ptr<i32>
      %1 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %arg3) -> (i32)  : i32 {
        %8 = tt.addptr %arg0, %arg5 : !tt.ptr<i32>, i32
        %9 = tt.load %8 : !tt.ptr<i32>
        scf.yield %9 : i32
      }
      %2 = tt.addptr %arg1, %1 : !tt.ptr<f32>, i32
      %3 = tt.load %2 : !tt.ptr<f32>
      %4 = tt.load %arg1 : !tt.ptr<f32>
      %5 = arith.addf %4, %3 : f32
      %6 = arith.sitofp %0 : i32 to f32
      %7 = arith.addf %5, %6 : f32
      tt.store %arg1, %7 : !tt.ptr<f32>
    }
    tt.return
  }
}

