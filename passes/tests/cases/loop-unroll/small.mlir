// passes: convert-to-ttg,loop-unroll,canonicalize
module {
  // Any number of iterations: four of them at a time, and a loop for the rest.
  tt.func public @sum(%p: !tt.ptr<f32>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      %s = arith.addf %acc, %x : f32
      scf.yield %s : f32
    }
    tt.return %sum : f32
  }
  // Never more than three: all of them, or a loop.
  tt.func public @few(%p: !tt.ptr<f32>, %start: i32, %n: i32) -> f32 {
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %zero = arith.constant 0.0 : f32
    %most = arith.addi %start, %c3 : i32
    %end = arith.minsi %most, %n : i32
    %sum = scf.for %i = %start to %end step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      %s = arith.addf %acc, %x : f32
      scf.yield %s : f32
    }
    tt.return %sum : f32
  }
  // Each address is what was loaded before.
  tt.func public @chain(%p: !tt.ptr<i32>, %n: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (i32) : i32 {
      %q = tt.addptr %p, %at : !tt.ptr<i32>, i32
      %x = tt.load %q : !tt.ptr<i32>
      scf.yield %x : i32
    }
    tt.return %last : i32
  }
  // Its author says no.
  tt.func public @asked(%p: !tt.ptr<f32>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      %s = arith.addf %acc, %x : f32
      scf.yield %s : f32
    } {tt.loop_unroll_factor = 1 : i32}
    tt.return %sum : f32
  }
  // 32 bytes per thread and iteration are enough.
  tt.func public @wide(%p: !tt.ptr<f32>, %n: i32) -> tensor<1024xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<1024xf32>
    %lane = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1024xf32>) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %all = tt.splat %q : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %x = tt.load %at : tensor<1024x!tt.ptr<f32>>
      %s = arith.addf %acc, %x : tensor<1024xf32>
      scf.yield %s : tensor<1024xf32>
    }
    tt.return %sum : tensor<1024xf32>
  }
  // At most one iteration, whichever of two numbers it is, or a truth value: branches.
  tt.func public @once(%p: !tt.ptr<f32>, %start: i32, %size: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %inside = arith.cmpi slt, %start, %size : i32
    %chosen = arith.select %inside, %c1, %c0 : i32
    scf.for %i = %c0 to %chosen step %c1 : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      tt.store %q, %x : !tt.ptr<f32>
    }
    %truth = arith.extui %inside : i1 to i32
    scf.for %i = %c0 to %truth step %c1 : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      tt.store %q, %x : !tt.ptr<f32>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%arg0: !tt.ptr<f32>, %arg1: i32) -> f32 {
    %c15_i32 = arith.constant 15 : i32
    %c14_i32 = arith.constant 14 : i32
    %c13_i32 = arith.constant 13 : i32
    %c12_i32 = arith.constant 12 : i32
    %c11_i32 = arith.constant 11 : i32
    %c10_i32 = arith.constant 10 : i32
    %c9_i32 = arith.constant 9 : i32
    %c7_i32 = arith.constant 7 : i32
    %c6_i32 = arith.constant 6 : i32
    %c5_i32 = arith.constant 5 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %c16_i32 = arith.constant 16 : i32
    %0 = arith.maxsi %arg1, %c0_i32 : i32
    %1 = arith.remui %0, %c16_i32 : i32
    %2 = arith.subi %0, %1 : i32
    %3 = scf.for %arg2 = %c0_i32 to %2 step %c16_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %19 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %20 = tt.load %19 : !tt.ptr<f32>
      %21 = arith.addf %arg3, %20 : f32
      %22 = arith.addi %arg2, %c1_i32 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f32>, i32
      %24 = tt.load %23 : !tt.ptr<f32>
      %25 = arith.addf %21, %24 : f32
      %26 = arith.addi %arg2, %c2_i32 : i32
      %27 = tt.addptr %arg0, %26 : !tt.ptr<f32>, i32
      %28 = tt.load %27 : !tt.ptr<f32>
      %29 = arith.addf %25, %28 : f32
      %30 = arith.addi %arg2, %c3_i32 : i32
      %31 = tt.addptr %arg0, %30 : !tt.ptr<f32>, i32
      %32 = tt.load %31 : !tt.ptr<f32>
      %33 = arith.addf %29, %32 : f32
      %34 = arith.addi %arg2, %c4_i32 : i32
      %35 = tt.addptr %arg0, %34 : !tt.ptr<f32>, i32
      %36 = tt.load %35 : !tt.ptr<f32>
      %37 = arith.addf %33, %36 : f32
      %38 = arith.addi %arg2, %c5_i32 : i32
      %39 = tt.addptr %arg0, %38 : !tt.ptr<f32>, i32
      %40 = tt.load %39 : !tt.ptr<f32>
      %41 = arith.addf %37, %40 : f32
      %42 = arith.addi %arg2, %c6_i32 : i32
      %43 = tt.addptr %arg0, %42 : !tt.ptr<f32>, i32
      %44 = tt.load %43 : !tt.ptr<f32>
      %45 = arith.addf %41, %44 : f32
      %46 = arith.addi %arg2, %c7_i32 : i32
      %47 = tt.addptr %arg0, %46 : !tt.ptr<f32>, i32
      %48 = tt.load %47 : !tt.ptr<f32>
      %49 = arith.addf %45, %48 : f32
      %50 = arith.addi %arg2, %c8_i32 : i32
      %51 = tt.addptr %arg0, %50 : !tt.ptr<f32>, i32
      %52 = tt.load %51 : !tt.ptr<f32>
      %53 = arith.addf %49, %52 : f32
      %54 = arith.addi %arg2, %c9_i32 : i32
      %55 = tt.addptr %arg0, %54 : !tt.ptr<f32>, i32
      %56 = tt.load %55 : !tt.ptr<f32>
      %57 = arith.addf %53, %56 : f32
      %58 = arith.addi %arg2, %c10_i32 : i32
      %59 = tt.addptr %arg0, %58 : !tt.ptr<f32>, i32
      %60 = tt.load %59 : !tt.ptr<f32>
      %61 = arith.addf %57, %60 : f32
      %62 = arith.addi %arg2, %c11_i32 : i32
      %63 = tt.addptr %arg0, %62 : !tt.ptr<f32>, i32
      %64 = tt.load %63 : !tt.ptr<f32>
      %65 = arith.addf %61, %64 : f32
      %66 = arith.addi %arg2, %c12_i32 : i32
      %67 = tt.addptr %arg0, %66 : !tt.ptr<f32>, i32
      %68 = tt.load %67 : !tt.ptr<f32>
      %69 = arith.addf %65, %68 : f32
      %70 = arith.addi %arg2, %c13_i32 : i32
      %71 = tt.addptr %arg0, %70 : !tt.ptr<f32>, i32
      %72 = tt.load %71 : !tt.ptr<f32>
      %73 = arith.addf %69, %72 : f32
      %74 = arith.addi %arg2, %c14_i32 : i32
      %75 = tt.addptr %arg0, %74 : !tt.ptr<f32>, i32
      %76 = tt.load %75 : !tt.ptr<f32>
      %77 = arith.addf %73, %76 : f32
      %78 = arith.addi %arg2, %c15_i32 : i32
      %79 = tt.addptr %arg0, %78 : !tt.ptr<f32>, i32
      %80 = tt.load %79 : !tt.ptr<f32>
      %81 = arith.addf %77, %80 : f32
      scf.yield %81 : f32
    } {tk.written_once}
    %4 = arith.andi %1, %c8_i32 : i32
    %5 = arith.cmpi ne, %4, %c0_i32 : i32
    %6 = scf.if %5 -> (f32) {
      %19 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
      %20 = tt.load %19 : !tt.ptr<f32>
      %21 = arith.addf %3, %20 : f32
      %22 = arith.addi %2, %c1_i32 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f32>, i32
      %24 = tt.load %23 : !tt.ptr<f32>
      %25 = arith.addf %21, %24 : f32
      %26 = arith.addi %2, %c2_i32 : i32
      %27 = tt.addptr %arg0, %26 : !tt.ptr<f32>, i32
      %28 = tt.load %27 : !tt.ptr<f32>
      %29 = arith.addf %25, %28 : f32
      %30 = arith.addi %2, %c3_i32 : i32
      %31 = tt.addptr %arg0, %30 : !tt.ptr<f32>, i32
      %32 = tt.load %31 : !tt.ptr<f32>
      %33 = arith.addf %29, %32 : f32
      %34 = arith.addi %2, %c4_i32 : i32
      %35 = tt.addptr %arg0, %34 : !tt.ptr<f32>, i32
      %36 = tt.load %35 : !tt.ptr<f32>
      %37 = arith.addf %33, %36 : f32
      %38 = arith.addi %2, %c5_i32 : i32
      %39 = tt.addptr %arg0, %38 : !tt.ptr<f32>, i32
      %40 = tt.load %39 : !tt.ptr<f32>
      %41 = arith.addf %37, %40 : f32
      %42 = arith.addi %2, %c6_i32 : i32
      %43 = tt.addptr %arg0, %42 : !tt.ptr<f32>, i32
      %44 = tt.load %43 : !tt.ptr<f32>
      %45 = arith.addf %41, %44 : f32
      %46 = arith.addi %2, %c7_i32 : i32
      %47 = tt.addptr %arg0, %46 : !tt.ptr<f32>, i32
      %48 = tt.load %47 : !tt.ptr<f32>
      %49 = arith.addf %45, %48 : f32
      scf.yield %49 : f32
    } else {
      scf.yield %3 : f32
    }
    %7 = arith.addi %2, %4 : i32
    %8 = arith.andi %1, %c4_i32 : i32
    %9 = arith.cmpi ne, %8, %c0_i32 : i32
    %10 = scf.if %9 -> (f32) {
      %19 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
      %20 = tt.load %19 : !tt.ptr<f32>
      %21 = arith.addf %6, %20 : f32
      %22 = arith.addi %7, %c1_i32 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f32>, i32
      %24 = tt.load %23 : !tt.ptr<f32>
      %25 = arith.addf %21, %24 : f32
      %26 = arith.addi %7, %c2_i32 : i32
      %27 = tt.addptr %arg0, %26 : !tt.ptr<f32>, i32
      %28 = tt.load %27 : !tt.ptr<f32>
      %29 = arith.addf %25, %28 : f32
      %30 = arith.addi %7, %c3_i32 : i32
      %31 = tt.addptr %arg0, %30 : !tt.ptr<f32>, i32
      %32 = tt.load %31 : !tt.ptr<f32>
      %33 = arith.addf %29, %32 : f32
      scf.yield %33 : f32
    } else {
      scf.yield %6 : f32
    }
    %11 = arith.addi %7, %8 : i32
    %12 = arith.andi %1, %c2_i32 : i32
    %13 = arith.cmpi ne, %12, %c0_i32 : i32
    %14 = scf.if %13 -> (f32) {
      %19 = tt.addptr %arg0, %11 : !tt.ptr<f32>, i32
      %20 = tt.load %19 : !tt.ptr<f32>
      %21 = arith.addf %10, %20 : f32
      %22 = arith.addi %11, %c1_i32 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f32>, i32
      %24 = tt.load %23 : !tt.ptr<f32>
      %25 = arith.addf %21, %24 : f32
      scf.yield %25 : f32
    } else {
      scf.yield %10 : f32
    }
    %15 = arith.addi %11, %12 : i32
    %16 = arith.andi %1, %c1_i32 : i32
    %17 = arith.cmpi ne, %16, %c0_i32 : i32
    %18 = scf.if %17 -> (f32) {
      %19 = tt.addptr %arg0, %15 : !tt.ptr<f32>, i32
      %20 = tt.load %19 : !tt.ptr<f32>
      %21 = arith.addf %14, %20 : f32
      scf.yield %21 : f32
    } else {
      scf.yield %14 : f32
    }
    tt.return %18 : f32
  }
  tt.func public @few(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32) -> f32 {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = arith.addi %arg1, %c3_i32 : i32
    %1 = arith.minsi %0, %arg2 : i32
    %2 = arith.addi %arg1, %c2_i32 : i32
    %3 = arith.cmpi slt, %2, %1 : i32
    %4 = scf.if %3 -> (f32) {
      %5 = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
      %6 = tt.load %5 : !tt.ptr<f32>
      %7 = arith.addf %6, %cst : f32
      %8 = arith.addi %arg1, %c1_i32 : i32
      %9 = tt.addptr %arg0, %8 : !tt.ptr<f32>, i32
      %10 = tt.load %9 : !tt.ptr<f32>
      %11 = arith.addf %7, %10 : f32
      %12 = arith.addi %arg1, %c2_i32 : i32
      %13 = tt.addptr %arg0, %12 : !tt.ptr<f32>, i32
      %14 = tt.load %13 : !tt.ptr<f32>
      %15 = arith.addf %11, %14 : f32
      scf.yield %15 : f32
    } else {
      %5 = scf.for %arg3 = %arg1 to %1 step %c1_i32 iter_args(%arg4 = %cst) -> (f32)  : i32 {
        %6 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
        %7 = tt.load %6 : !tt.ptr<f32>
        %8 = arith.addf %arg4, %7 : f32
        scf.yield %8 : f32
      }
      scf.yield %5 : f32
    }
    tt.return %4 : f32
  }
  tt.func public @chain(%arg0: !tt.ptr<i32>, %arg1: i32) -> i32 {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %c0_i32) -> (i32)  : i32 {
      %1 = tt.addptr %arg0, %arg3 : !tt.ptr<i32>, i32
      %2 = tt.load %1 : !tt.ptr<i32>
      scf.yield %2 : i32
    }
    tt.return %0 : i32
  }
  tt.func public @asked(%arg0: !tt.ptr<f32>, %arg1: i32) -> f32 {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %1 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %2 = tt.load %1 : !tt.ptr<f32>
      %3 = arith.addf %arg3, %2 : f32
      scf.yield %3 : f32
    } {tk.unrolled}
    tt.return %0 : f32
  }
  tt.func public @wide(%arg0: !tt.ptr<f32>, %arg1: i32) -> tensor<1024xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf32, #blocked>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (tensor<1024xf32, #blocked>)  : i32 {
      %2 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %3 = tt.splat %2 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %0 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %5 = tt.load %4 : tensor<1024x!tt.ptr<f32>, #blocked>
      %6 = arith.addf %arg3, %5 : tensor<1024xf32, #blocked>
      scf.yield %6 : tensor<1024xf32, #blocked>
    }
    tt.return %1 : tensor<1024xf32, #blocked>
  }
  tt.func public @once(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi slt, %arg1, %arg2 : i32
    %1 = arith.extui %0 : i1 to i32
    %2 = arith.cmpi sgt, %1, %c0_i32 : i32
    scf.if %2 {
      %5 = tt.load %arg0 : !tt.ptr<f32>
      tt.store %arg0, %5 : !tt.ptr<f32>
    }
    %3 = arith.extui %0 : i1 to i32
    %4 = arith.cmpi sgt, %3, %c0_i32 : i32
    scf.if %4 {
      %5 = tt.load %arg0 : !tt.ptr<f32>
      tt.store %arg0, %5 : !tt.ptr<f32>
    }
    tt.return
  }
}

