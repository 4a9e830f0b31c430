// passes: convert-to-ttg,loop-unroll,canonicalize
// counts: tt.load 42, scf.if 5, arith.select 4
module {
  // An iteration loads the place of a row, and the row: the three that may be left are in one branch, under masks of their own.
  tt.func public @together(%places: !tt.ptr<i32>, %p: !tt.ptr<f32>, %n: i32, %longest: i32, %rows: i32) -> (tensor<256xf32>, i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c256 = arith.constant 256 : i32
    %zero = arith.constant dense<0.0> : tensor<256xf32>
    %lane = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %all = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %last = %c0) -> (tensor<256xf32>, i32) : i32 {
      %q = tt.addptr %places, %i : !tt.ptr<i32>, i32
      %is_read = arith.cmpi slt, %i, %longest : i32
      %place = tt.load %q, %is_read, %c0 : !tt.ptr<i32>
      %is_inside = arith.cmpi slt, %place, %rows : i32
      %mask = tt.splat %is_inside : i1 -> tensor<256xi1>
      %start = arith.muli %place, %c256 : i32
      %starts = tt.splat %start : i32 -> tensor<256xi32>
      %at = arith.addi %starts, %lane : tensor<256xi32>
      %to = tt.addptr %all, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %to, %mask, %zero : tensor<256x!tt.ptr<f32>>
      %s = arith.addf %acc, %x : tensor<256xf32>
      scf.yield %s, %place : tensor<256xf32>, i32
    }
    tt.return %r#0, %r#1 : tensor<256xf32>, i32
  }
  // Loads without masks would get some: branches of two iterations and of one.
  tt.func public @unmasked(%places: !tt.ptr<i32>, %p: !tt.ptr<f32>, %n: i32, %longest: i32, %rows: i32) -> (tensor<256xf32>, i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c256 = arith.constant 256 : i32
    %zero = arith.constant dense<0.0> : tensor<256xf32>
    %lane = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %all = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %last = %c0) -> (tensor<256xf32>, i32) : i32 {
      %q = tt.addptr %places, %i : !tt.ptr<i32>, i32
      %place = tt.load %q : !tt.ptr<i32>
      %start = arith.muli %place, %c256 : i32
      %starts = tt.splat %start : i32 -> tensor<256xi32>
      %at = arith.addi %starts, %lane : tensor<256xi32>
      %to = tt.addptr %all, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %to : tensor<256x!tt.ptr<f32>>
      %s = arith.addf %acc, %x : tensor<256xf32>
      scf.yield %s, %place : tensor<256xf32>, i32
    }
    tt.return %r#0, %r#1 : tensor<256xf32>, i32
  }
  // A remainder by a number that may be zero runs only where its iteration exists.
  tt.func public @divided(%places: !tt.ptr<i32>, %p: !tt.ptr<f32>, %n: i32, %longest: i32, %rows: i32) -> (tensor<256xf32>, i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c256 = arith.constant 256 : i32
    %zero = arith.constant dense<0.0> : tensor<256xf32>
    %lane = tt.make_range {start = 0 : i32, end = 256 : i32} : tensor<256xi32>
    %all = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %last = %c0) -> (tensor<256xf32>, i32) : i32 {
      %q = tt.addptr %places, %i : !tt.ptr<i32>, i32
      %is_read = arith.cmpi slt, %i, %longest : i32
      %place = tt.load %q, %is_read, %c0 : !tt.ptr<i32>
      %row = arith.remsi %place, %rows : i32
      %is_inside = arith.cmpi slt, %row, %rows : i32
      %mask = tt.splat %is_inside : i1 -> tensor<256xi1>
      %start = arith.muli %row, %c256 : i32
      %starts = tt.splat %start : i32 -> tensor<256xi32>
      %at = arith.addi %starts, %lane : tensor<256xi32>
      %to = tt.addptr %all, %at : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %x = tt.load %to, %mask, %zero : tensor<256x!tt.ptr<f32>>
      %s = arith.addf %acc, %x : tensor<256xf32>
      scf.yield %s, %row : tensor<256xf32>, i32
    }
    tt.return %r#0, %r#1 : tensor<256xf32>, i32
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @together(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32) -> (tensor<256xf32, #blocked>, i32) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %2 = arith.maxsi %arg2, %c0_i32 : i32
    %3 = arith.remui %2, %c4_i32 : i32
    %4 = arith.subi %2, %3 : i32
    %5:2 = scf.for %arg5 = %c0_i32 to %4 step %c4_i32 iter_args(%arg6 = %cst, %arg7 = %c0_i32) -> (tensor<256xf32, #blocked>, i32)  : i32 {
      %8 = tt.addptr %arg0, %arg5 : !tt.ptr<i32>, i32
      %9 = arith.cmpi slt, %arg5, %arg3 : i32
      %10 = tt.load %8, %9, %c0_i32 : !tt.ptr<i32>
      %11 = arith.cmpi slt, %10, %arg4 : i32
      %12 = tt.splat %11 : i1 -> tensor<256xi1, #blocked>
      %13 = arith.muli %10, %c256_i32 : i32
      %14 = tt.splat %13 : i32 -> tensor<256xi32, #blocked>
      %15 = arith.addi %14, %0 : tensor<256xi32, #blocked>
      %16 = tt.addptr %1, %15 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %17 = tt.load %16, %12, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %18 = arith.addf %arg6, %17 : tensor<256xf32, #blocked>
      %19 = arith.addi %arg5, %c1_i32 : i32
      %20 = tt.addptr %arg0, %19 : !tt.ptr<i32>, i32
      %21 = arith.cmpi slt, %19, %arg3 : i32
      %22 = tt.load %20, %21, %c0_i32 : !tt.ptr<i32>
      %23 = arith.cmpi slt, %22, %arg4 : i32
      %24 = tt.splat %23 : i1 -> tensor<256xi1, #blocked>
      %25 = arith.muli %22, %c256_i32 : i32
      %26 = tt.splat %25 : i32 -> tensor<256xi32, #blocked>
      %27 = arith.addi %26, %0 : tensor<256xi32, #blocked>
      %28 = tt.addptr %1, %27 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %29 = tt.load %28, %24, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %30 = arith.addf %18, %29 : tensor<256xf32, #blocked>
      %31 = arith.addi %arg5, %c2_i32 : i32
      %32 = tt.addptr %arg0, %31 : !tt.ptr<i32>, i32
      %33 = arith.cmpi slt, %31, %arg3 : i32
      %34 = tt.load %32, %33, %c0_i32 : !tt.ptr<i32>
      %35 = arith.cmpi slt, %34, %arg4 : i32
      %36 = tt.splat %35 : i1 -> tensor<256xi1, #blocked>
      %37 = arith.muli %34, %c256_i32 : i32
      %38 = tt.splat %37 : i32 -> tensor<256xi32, #blocked>
      %39 = arith.addi %38, %0 : tensor<256xi32, #blocked>
      %40 = tt.addptr %1, %39 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %41 = tt.load %40, %36, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %42 = arith.addf %30, %41 : tensor<256xf32, #blocked>
      %43 = arith.addi %arg5, %c3_i32 : i32
      %44 = tt.addptr %arg0, %43 : !tt.ptr<i32>, i32
      %45 = arith.cmpi slt, %43, %arg3 : i32
      %46 = tt.load %44, %45, %c0_i32 : !tt.ptr<i32>
      %47 = arith.cmpi slt, %46, %arg4 : i32
      %48 = tt.splat %47 : i1 -> tensor<256xi1, #blocked>
      %49 = arith.muli %46, %c256_i32 : i32
      %50 = tt.splat %49 : i32 -> tensor<256xi32, #blocked>
      %51 = arith.addi %50, %0 : tensor<256xi32, #blocked>
      %52 = tt.addptr %1, %51 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %53 = tt.load %52, %48, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %54 = arith.addf %42, %53 : tensor<256xf32, #blocked>
      scf.yield %54, %46 : tensor<256xf32, #blocked>, i32
    }
    %6 = arith.cmpi ne, %3, %c0_i32 : i32
    %7:2 = scf.if %6 -> (tensor<256xf32, #blocked>, i32) {
      %8 = tt.addptr %arg0, %4 : !tt.ptr<i32>, i32
      %9 = arith.cmpi slt, %4, %arg3 : i32
      %10 = tt.load %8, %9, %c0_i32 : !tt.ptr<i32>
      %11 = arith.cmpi slt, %10, %arg4 : i32
      %12 = tt.splat %11 : i1 -> tensor<256xi1, #blocked>
      %13 = arith.muli %10, %c256_i32 : i32
      %14 = tt.splat %13 : i32 -> tensor<256xi32, #blocked>
      %15 = arith.addi %14, %0 : tensor<256xi32, #blocked>
      %16 = tt.addptr %1, %15 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %17 = tt.load %16, %12, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %18 = arith.addf %5#0, %17 : tensor<256xf32, #blocked>
      %19 = arith.cmpi ugt, %3, %c1_i32 : i32
      %20 = arith.addi %4, %c1_i32 : i32
      %21 = tt.addptr %arg0, %20 : !tt.ptr<i32>, i32
      %22 = arith.cmpi slt, %20, %arg3 : i32
      %23 = arith.andi %19, %22 : i1
      %24 = tt.load %21, %23, %c0_i32 : !tt.ptr<i32>
      %25 = arith.cmpi slt, %24, %arg4 : i32
      %26 = tt.splat %25 : i1 -> tensor<256xi1, #blocked>
      %27 = arith.muli %24, %c256_i32 : i32
      %28 = tt.splat %27 : i32 -> tensor<256xi32, #blocked>
      %29 = arith.addi %28, %0 : tensor<256xi32, #blocked>
      %30 = tt.addptr %1, %29 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %31 = tt.splat %19 : i1 -> tensor<256xi1, #blocked>
      %32 = arith.andi %31, %26 : tensor<256xi1, #blocked>
      %33 = tt.load %30, %32, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %34 = arith.addf %18, %33 : tensor<256xf32, #blocked>
      %35 = arith.select %19, %34, %18 : tensor<256xf32, #blocked>
      %36 = arith.select %19, %24, %10 : i32
      %37 = arith.cmpi ugt, %3, %c2_i32 : i32
      %38 = arith.addi %4, %c2_i32 : i32
      %39 = tt.addptr %arg0, %38 : !tt.ptr<i32>, i32
      %40 = arith.cmpi slt, %38, %arg3 : i32
      %41 = arith.andi %37, %40 : i1
      %42 = tt.load %39, %41, %c0_i32 : !tt.ptr<i32>
      %43 = arith.cmpi slt, %42, %arg4 : i32
      %44 = tt.splat %43 : i1 -> tensor<256xi1, #blocked>
      %45 = arith.muli %42, %c256_i32 : i32
      %46 = tt.splat %45 : i32 -> tensor<256xi32, #blocked>
      %47 = arith.addi %46, %0 : tensor<256xi32, #blocked>
      %48 = tt.addptr %1, %47 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %49 = tt.splat %37 : i1 -> tensor<256xi1, #blocked>
      %50 = arith.andi %49, %44 : tensor<256xi1, #blocked>
      %51 = tt.load %48, %50, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %52 = arith.addf %35, %51 : tensor<256xf32, #blocked>
      %53 = arith.select %37, %52, %35 : tensor<256xf32, #blocked>
      %54 = arith.select %37, %42, %36 : i32
      scf.yield %53, %54 : tensor<256xf32, #blocked>, i32
    } else {
      scf.yield %5#0, %5#1 : tensor<256xf32, #blocked>, i32
    }
    tt.return %7#0, %7#1 : tensor<256xf32, #blocked>, i32
  }
  tt.func public @unmasked(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32) -> (tensor<256xf32, #blocked>, i32) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %2 = arith.maxsi %arg2, %c0_i32 : i32
    %3 = arith.remui %2, %c4_i32 : i32
    %4 = arith.subi %2, %3 : i32
    %5:2 = scf.for %arg5 = %c0_i32 to %4 step %c4_i32 iter_args(%arg6 = %cst, %arg7 = %c0_i32) -> (tensor<256xf32, #blocked>, i32)  : i32 {
      %13 = tt.addptr %arg0, %arg5 : !tt.ptr<i32>, i32
      %14 = tt.load %13 : !tt.ptr<i32>
      %15 = arith.muli %14, %c256_i32 : i32
      %16 = tt.splat %15 : i32 -> tensor<256xi32, #blocked>
      %17 = arith.addi %16, %0 : tensor<256xi32, #blocked>
      %18 = tt.addptr %1, %17 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %19 = tt.load %18 : tensor<256x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %arg6, %19 : tensor<256xf32, #blocked>
      %21 = arith.addi %arg5, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<i32>, i32
      %23 = tt.load %22 : !tt.ptr<i32>
      %24 = arith.muli %23, %c256_i32 : i32
      %25 = tt.splat %24 : i32 -> tensor<256xi32, #blocked>
      %26 = arith.addi %25, %0 : tensor<256xi32, #blocked>
      %27 = tt.addptr %1, %26 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %28 = tt.load %27 : tensor<256x!tt.ptr<f32>, #blocked>
      %29 = arith.addf %20, %28 : tensor<256xf32, #blocked>
      %30 = arith.addi %arg5, %c2_i32 : i32
      %31 = tt.addptr %arg0, %30 : !tt.ptr<i32>, i32
      %32 = tt.load %31 : !tt.ptr<i32>
      %33 = arith.muli %32, %c256_i32 : i32
      %34 = tt.splat %33 : i32 -> tensor<256xi32, #blocked>
      %35 = arith.addi %34, %0 : tensor<256xi32, #blocked>
      %36 = tt.addptr %1, %35 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %37 = tt.load %36 : tensor<256x!tt.ptr<f32>, #blocked>
      %38 = arith.addf %29, %37 : tensor<256xf32, #blocked>
      %39 = arith.addi %arg5, %c3_i32 : i32
      %40 = tt.addptr %arg0, %39 : !tt.ptr<i32>, i32
      %41 = tt.load %40 : !tt.ptr<i32>
      %42 = arith.muli %41, %c256_i32 : i32
      %43 = tt.splat %42 : i32 -> tensor<256xi32, #blocked>
      %44 = arith.addi %43, %0 : tensor<256xi32, #blocked>
      %45 = tt.addptr %1, %44 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %46 = tt.load %45 : tensor<256x!tt.ptr<f32>, #blocked>
      %47 = arith.addf %38, %46 : tensor<256xf32, #blocked>
      scf.yield %47, %41 : tensor<256xf32, #blocked>, i32
    }
    %6 = arith.andi %3, %c2_i32 : i32
    %7 = arith.cmpi ne, %6, %c0_i32 : i32
    %8:2 = scf.if %7 -> (tensor<256xf32, #blocked>, i32) {
      %13 = tt.addptr %arg0, %4 : !tt.ptr<i32>, i32
      %14 = tt.load %13 : !tt.ptr<i32>
      %15 = arith.muli %14, %c256_i32 : i32
      %16 = tt.splat %15 : i32 -> tensor<256xi32, #blocked>
      %17 = arith.addi %16, %0 : tensor<256xi32, #blocked>
      %18 = tt.addptr %1, %17 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %19 = tt.load %18 : tensor<256x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %5#0, %19 : tensor<256xf32, #blocked>
      %21 = arith.addi %4, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<i32>, i32
      %23 = tt.load %22 : !tt.ptr<i32>
      %24 = arith.muli %23, %c256_i32 : i32
      %25 = tt.splat %24 : i32 -> tensor<256xi32, #blocked>
      %26 = arith.addi %25, %0 : tensor<256xi32, #blocked>
      %27 = tt.addptr %1, %26 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %28 = tt.load %27 : tensor<256x!tt.ptr<f32>, #blocked>
      %29 = arith.addf %20, %28 : tensor<256xf32, #blocked>
      scf.yield %29, %23 : tensor<256xf32, #blocked>, i32
    } else {
      scf.yield %5#0, %5#1 : tensor<256xf32, #blocked>, i32
    }
    %9 = arith.addi %4, %6 : i32
    %10 = arith.andi %3, %c1_i32 : i32
    %11 = arith.cmpi ne, %10, %c0_i32 : i32
    %12:2 = scf.if %11 -> (tensor<256xf32, #blocked>, i32) {
      %13 = tt.addptr %arg0, %9 : !tt.ptr<i32>, i32
      %14 = tt.load %13 : !tt.ptr<i32>
      %15 = arith.muli %14, %c256_i32 : i32
      %16 = tt.splat %15 : i32 -> tensor<256xi32, #blocked>
      %17 = arith.addi %16, %0 : tensor<256xi32, #blocked>
      %18 = tt.addptr %1, %17 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %19 = tt.load %18 : tensor<256x!tt.ptr<f32>, #blocked>
      %20 = arith.addf %8#0, %19 : tensor<256xf32, #blocked>
      scf.yield %20, %14 : tensor<256xf32, #blocked>, i32
    } else {
      scf.yield %8#0, %8#1 : tensor<256xf32, #blocked>, i32
    }
    tt.return %12#0, %12#1 : tensor<256xf32, #blocked>, i32
  }
  tt.func public @divided(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32) -> (tensor<256xf32, #blocked>, i32) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<256xf32, #blocked>
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %2 = arith.maxsi %arg2, %c0_i32 : i32
    %3 = arith.remui %2, %c4_i32 : i32
    %4 = arith.subi %2, %3 : i32
    %5:2 = scf.for %arg5 = %c0_i32 to %4 step %c4_i32 iter_args(%arg6 = %cst, %arg7 = %c0_i32) -> (tensor<256xf32, #blocked>, i32)  : i32 {
      %13 = tt.addptr %arg0, %arg5 : !tt.ptr<i32>, i32
      %14 = arith.cmpi slt, %arg5, %arg3 : i32
      %15 = tt.load %13, %14, %c0_i32 : !tt.ptr<i32>
      %16 = arith.remsi %15, %arg4 : i32
      %17 = arith.cmpi slt, %16, %arg4 : i32
      %18 = tt.splat %17 : i1 -> tensor<256xi1, #blocked>
      %19 = arith.muli %16, %c256_i32 : i32
      %20 = tt.splat %19 : i32 -> tensor<256xi32, #blocked>
      %21 = arith.addi %20, %0 : tensor<256xi32, #blocked>
      %22 = tt.addptr %1, %21 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %23 = tt.load %22, %18, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %24 = arith.addf %arg6, %23 : tensor<256xf32, #blocked>
      %25 = arith.addi %arg5, %c1_i32 : i32
      %26 = tt.addptr %arg0, %25 : !tt.ptr<i32>, i32
      %27 = arith.cmpi slt, %25, %arg3 : i32
      %28 = tt.load %26, %27, %c0_i32 : !tt.ptr<i32>
      %29 = arith.remsi %28, %arg4 : i32
      %30 = arith.cmpi slt, %29, %arg4 : i32
      %31 = tt.splat %30 : i1 -> tensor<256xi1, #blocked>
      %32 = arith.muli %29, %c256_i32 : i32
      %33 = tt.splat %32 : i32 -> tensor<256xi32, #blocked>
      %34 = arith.addi %33, %0 : tensor<256xi32, #blocked>
      %35 = tt.addptr %1, %34 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %36 = tt.load %35, %31, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %37 = arith.addf %24, %36 : tensor<256xf32, #blocked>
      %38 = arith.addi %arg5, %c2_i32 : i32
      %39 = tt.addptr %arg0, %38 : !tt.ptr<i32>, i32
      %40 = arith.cmpi slt, %38, %arg3 : i32
      %41 = tt.load %39, %40, %c0_i32 : !tt.ptr<i32>
      %42 = arith.remsi %41, %arg4 : i32
      %43 = arith.cmpi slt, %42, %arg4 : i32
      %44 = tt.splat %43 : i1 -> tensor<256xi1, #blocked>
      %45 = arith.muli %42, %c256_i32 : i32
      %46 = tt.splat %45 : i32 -> tensor<256xi32, #blocked>
      %47 = arith.addi %46, %0 : tensor<256xi32, #blocked>
      %48 = tt.addptr %1, %47 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %49 = tt.load %48, %44, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %50 = arith.addf %37, %49 : tensor<256xf32, #blocked>
      %51 = arith.addi %arg5, %c3_i32 : i32
      %52 = tt.addptr %arg0, %51 : !tt.ptr<i32>, i32
      %53 = arith.cmpi slt, %51, %arg3 : i32
      %54 = tt.load %52, %53, %c0_i32 : !tt.ptr<i32>
      %55 = arith.remsi %54, %arg4 : i32
      %56 = arith.cmpi slt, %55, %arg4 : i32
      %57 = tt.splat %56 : i1 -> tensor<256xi1, #blocked>
      %58 = arith.muli %55, %c256_i32 : i32
      %59 = tt.splat %58 : i32 -> tensor<256xi32, #blocked>
      %60 = arith.addi %59, %0 : tensor<256xi32, #blocked>
      %61 = tt.addptr %1, %60 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %62 = tt.load %61, %57, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %63 = arith.addf %50, %62 : tensor<256xf32, #blocked>
      scf.yield %63, %55 : tensor<256xf32, #blocked>, i32
    }
    %6 = arith.andi %3, %c2_i32 : i32
    %7 = arith.cmpi ne, %6, %c0_i32 : i32
    %8:2 = scf.if %7 -> (tensor<256xf32, #blocked>, i32) {
      %13 = tt.addptr %arg0, %4 : !tt.ptr<i32>, i32
      %14 = arith.cmpi slt, %4, %arg3 : i32
      %15 = tt.load %13, %14, %c0_i32 : !tt.ptr<i32>
      %16 = arith.remsi %15, %arg4 : i32
      %17 = arith.cmpi slt, %16, %arg4 : i32
      %18 = tt.splat %17 : i1 -> tensor<256xi1, #blocked>
      %19 = arith.muli %16, %c256_i32 : i32
      %20 = tt.splat %19 : i32 -> tensor<256xi32, #blocked>
      %21 = arith.addi %20, %0 : tensor<256xi32, #blocked>
      %22 = tt.addptr %1, %21 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %23 = tt.load %22, %18, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %24 = arith.addf %5#0, %23 : tensor<256xf32, #blocked>
      %25 = arith.addi %4, %c1_i32 : i32
      %26 = tt.addptr %arg0, %25 : !tt.ptr<i32>, i32
      %27 = arith.cmpi slt, %25, %arg3 : i32
      %28 = tt.load %26, %27, %c0_i32 : !tt.ptr<i32>
      %29 = arith.remsi %28, %arg4 : i32
      %30 = arith.cmpi slt, %29, %arg4 : i32
      %31 = tt.splat %30 : i1 -> tensor<256xi1, #blocked>
      %32 = arith.muli %29, %c256_i32 : i32
      %33 = tt.splat %32 : i32 -> tensor<256xi32, #blocked>
      %34 = arith.addi %33, %0 : tensor<256xi32, #blocked>
      %35 = tt.addptr %1, %34 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %36 = tt.load %35, %31, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %37 = arith.addf %24, %36 : tensor<256xf32, #blocked>
      scf.yield %37, %29 : tensor<256xf32, #blocked>, i32
    } else {
      scf.yield %5#0, %5#1 : tensor<256xf32, #blocked>, i32
    }
    %9 = arith.addi %4, %6 : i32
    %10 = arith.andi %3, %c1_i32 : i32
    %11 = arith.cmpi ne, %10, %c0_i32 : i32
    %12:2 = scf.if %11 -> (tensor<256xf32, #blocked>, i32) {
      %13 = tt.addptr %arg0, %9 : !tt.ptr<i32>, i32
      %14 = arith.cmpi slt, %9, %arg3 : i32
      %15 = tt.load %13, %14, %c0_i32 : !tt.ptr<i32>
      %16 = arith.remsi %15, %arg4 : i32
      %17 = arith.cmpi slt, %16, %arg4 : i32
      %18 = tt.splat %17 : i1 -> tensor<256xi1, #blocked>
      %19 = arith.muli %16, %c256_i32 : i32
      %20 = tt.splat %19 : i32 -> tensor<256xi32, #blocked>
      %21 = arith.addi %20, %0 : tensor<256xi32, #blocked>
      %22 = tt.addptr %1, %21 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %23 = tt.load %22, %18, %cst : tensor<256x!tt.ptr<f32>, #blocked>
      %24 = arith.addf %8#0, %23 : tensor<256xf32, #blocked>
      scf.yield %24, %16 : tensor<256xf32, #blocked>, i32
    } else {
      scf.yield %8#0, %8#1 : tensor<256xf32, #blocked>, i32
    }
    tt.return %12#0, %12#1 : tensor<256xf32, #blocked>, i32
  }
}

