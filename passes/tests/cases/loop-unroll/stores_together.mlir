// passes: loop-unroll,canonicalize,cse
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Each iteration stores in the gaps of the others: where all addresses are apart, four stores of one tensor stand behind each other, then four of the other one.
  tt.func public @steps(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %four = arith.constant dense<4> : tensor<128xi32, #b>
    %start = arith.constant dense<0.0> : tensor<128xf32, #b>
    %half = arith.constant dense<0.5> : tensor<128xf32, #b>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %rows = arith.muli %i, %four : tensor<128xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %end = scf.for %t = %c0 to %c4 step %c1 iter_args(%h = %start) -> (tensor<128xf32, #b>) : i32 {
      %ts = tt.splat %t : i32 -> tensor<128xi32, #b>
      %at = arith.addi %rows, %ts : tensor<128xi32, #b>
      %px = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      %v = tt.load %px : tensor<128x!tt.ptr<f32>, #b>
      %next = arith.addf %h, %v : tensor<128xf32, #b>
      %pp = tt.addptr %ps, %at : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      tt.store %pp, %next : tensor<128x!tt.ptr<f32>, #b>
      %scaled = arith.mulf %next, %half : tensor<128xf32, #b>
      %pq = tt.addptr %qs, %at : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      tt.store %pq, %scaled : tensor<128x!tt.ptr<f32>, #b>
      scf.yield %scaled : tensor<128xf32, #b>
    }
    tt.return
  }
  // The second store writes what the first one of the next iteration writes: stores stay in turn.
  tt.func public @one_place_apart(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %four = arith.constant dense<4> : tensor<128xi32, #b>
    %start = arith.constant dense<0.0> : tensor<128xf32, #b>
    %half = arith.constant dense<0.5> : tensor<128xf32, #b>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %rows = arith.muli %i, %four : tensor<128xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %qs = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %end = scf.for %t = %c0 to %c4 step %c1 iter_args(%h = %start) -> (tensor<128xf32, #b>) : i32 {
      %ts = tt.splat %t : i32 -> tensor<128xi32, #b>
      %at = arith.addi %rows, %ts : tensor<128xi32, #b>
      %px = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      %v = tt.load %px : tensor<128x!tt.ptr<f32>, #b>
      %next = arith.addf %h, %v : tensor<128xf32, #b>
      %pp = tt.addptr %ps, %at : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      tt.store %pp, %next : tensor<128x!tt.ptr<f32>, #b>
      %scaled = arith.mulf %next, %half : tensor<128xf32, #b>
      %there = tt.addptr %qs, %at : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      %ones = tt.splat %c1 : i32 -> tensor<128xi32, #b>
      %pq = tt.addptr %there, %ones : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      tt.store %pq, %scaled : tensor<128x!tt.ptr<f32>, #b>
      scf.yield %scaled : tensor<128xf32, #b>
    }
    tt.return
  }
  // Iterations store whole rows, which leave no gaps: stores stay in turn.
  tt.func public @rows(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c512 = arith.constant 512 : i32
    %c4 = arith.constant 4 : i32
    %four = arith.constant dense<4> : tensor<128xi32, #b>
    %start = arith.constant dense<0.0> : tensor<128xf32, #b>
    %half = arith.constant dense<0.5> : tensor<128xf32, #b>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %rows = arith.muli %i, %four : tensor<128xi32, #b>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %qs = tt.splat %q : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #b>
    %end = scf.for %t = %c0 to %c4 step %c1 iter_args(%h = %start) -> (tensor<128xf32, #b>) : i32 {
      %ts = tt.splat %t : i32 -> tensor<128xi32, #b>
      %at = arith.addi %rows, %ts : tensor<128xi32, #b>
      %px = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      %v = tt.load %px : tensor<128x!tt.ptr<f32>, #b>
      %next = arith.addf %h, %v : tensor<128xf32, #b>
      %prow = arith.muli %t, %c512 : i32
      %tos = tt.splat %prow : i32 -> tensor<128xi32, #b>
      %to = arith.addi %i, %tos : tensor<128xi32, #b>
      %pp = tt.addptr %ps, %to : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      tt.store %pp, %next : tensor<128x!tt.ptr<f32>, #b>
      %scaled = arith.mulf %next, %half : tensor<128xf32, #b>
      %row = arith.muli %t, %c512 : i32
      %froms = tt.splat %row : i32 -> tensor<128xi32, #b>
      %from = arith.addi %i, %froms : tensor<128xi32, #b>
      %pq = tt.addptr %qs, %from : tensor<128x!tt.ptr<f32>, #b>, tensor<128xi32, #b>
      tt.store %pq, %scaled : tensor<128x!tt.ptr<f32>, #b>
      scf.yield %scaled : tensor<128xf32, #b>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @steps(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %cst = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<1> : tensor<128xi32, #blocked>
    %c12_i64 = arith.constant 12 : i64
    %c2036_i64 = arith.constant 2036 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %cst_4 = arith.constant dense<5.000000e-01> : tensor<128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %5 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %6 = arith.addi %5, %c12_i64 : i64
    %7 = arith.minsi %5, %6 : i64
    %8 = arith.maxsi %5, %6 : i64
    %9 = arith.addi %8, %c2036_i64 : i64
    %10 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %11 = arith.addi %10, %c12_i64 : i64
    %12 = arith.minsi %10, %11 : i64
    %13 = arith.maxsi %10, %11 : i64
    %14 = arith.addi %13, %c2036_i64 : i64
    %15 = arith.cmpi sle, %9, %12 : i64
    %16 = arith.cmpi sle, %14, %7 : i64
    %17 = arith.ori %15, %16 : i1
    %18 = arith.subi %7, %12 : i64
    %19 = arith.addi %18, %c4_i64 : i64
    %20 = arith.cmpi sge, %19, %c2036_i64 : i64
    %21 = arith.ori %17, %20 : i1
    %22 = tt.ptr_to_int %arg2 : !tt.ptr<f32> -> i64
    %23 = arith.addi %22, %c12_i64 : i64
    %24 = arith.minsi %22, %23 : i64
    %25 = arith.maxsi %22, %23 : i64
    %26 = arith.addi %25, %c2036_i64 : i64
    %27 = arith.cmpi sle, %9, %24 : i64
    %28 = arith.cmpi sle, %26, %7 : i64
    %29 = arith.ori %27, %28 : i1
    %30 = arith.subi %7, %24 : i64
    %31 = arith.addi %30, %c4_i64 : i64
    %32 = arith.cmpi sge, %31, %c2036_i64 : i64
    %33 = arith.ori %29, %32 : i1
    %34 = arith.andi %21, %33 : i1
    %35 = arith.cmpi sle, %14, %24 : i64
    %36 = arith.cmpi sle, %26, %12 : i64
    %37 = arith.ori %35, %36 : i1
    %38 = arith.subi %12, %24 : i64
    %39 = arith.addi %38, %c4_i64 : i64
    %40 = arith.cmpi sge, %39, %c2036_i64 : i64
    %41 = arith.ori %37, %40 : i1
    %42 = arith.andi %34, %41 : i1
    scf.if %42 {
      %43 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %44 = tt.load %43 : tensor<128x!tt.ptr<f32>, #blocked>
      %45 = arith.addf %44, %cst_3 : tensor<128xf32, #blocked>
      %46 = tt.addptr %3, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %47 = arith.addi %1, %cst_1 : tensor<128xi32, #blocked>
      %48 = tt.addptr %2, %47 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %49 = tt.load %48 : tensor<128x!tt.ptr<f32>, #blocked>
      %50 = arith.addi %1, %cst_0 : tensor<128xi32, #blocked>
      %51 = tt.addptr %2, %50 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %52 = tt.load %51 : tensor<128x!tt.ptr<f32>, #blocked>
      %53 = arith.addi %1, %cst : tensor<128xi32, #blocked>
      %54 = tt.addptr %2, %53 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %55 = tt.load %54 : tensor<128x!tt.ptr<f32>, #blocked>
      %56 = arith.mulf %45, %cst_4 : tensor<128xf32, #blocked>
      %57 = tt.addptr %4, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %58 = arith.addf %56, %49 : tensor<128xf32, #blocked>
      %59 = tt.addptr %3, %47 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %60 = arith.mulf %58, %cst_4 : tensor<128xf32, #blocked>
      %61 = tt.addptr %4, %47 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %62 = arith.addf %60, %52 : tensor<128xf32, #blocked>
      %63 = tt.addptr %3, %50 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %64 = arith.mulf %62, %cst_4 : tensor<128xf32, #blocked>
      %65 = tt.addptr %4, %50 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %66 = arith.addf %64, %55 : tensor<128xf32, #blocked>
      %67 = tt.addptr %3, %53 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %68 = arith.mulf %66, %cst_4 : tensor<128xf32, #blocked>
      %69 = tt.addptr %4, %53 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %46, %45 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %59, %58 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %63, %62 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %67, %66 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %57, %56 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %61, %60 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %65, %64 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %69, %68 : tensor<128x!tt.ptr<f32>, #blocked>
    } else {
      %43 = scf.for %arg4 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg5 = %cst_3) -> (tensor<128xf32, #blocked>)  : i32 {
        %44 = tt.splat %arg4 : i32 -> tensor<128xi32, #blocked>
        %45 = arith.addi %1, %44 : tensor<128xi32, #blocked>
        %46 = tt.addptr %2, %45 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        %47 = tt.load %46 : tensor<128x!tt.ptr<f32>, #blocked>
        %48 = arith.addf %arg5, %47 : tensor<128xf32, #blocked>
        %49 = tt.addptr %3, %45 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        tt.store %49, %48 : tensor<128x!tt.ptr<f32>, #blocked>
        %50 = arith.mulf %48, %cst_4 : tensor<128xf32, #blocked>
        %51 = tt.addptr %4, %45 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        tt.store %51, %50 : tensor<128x!tt.ptr<f32>, #blocked>
        scf.yield %50 : tensor<128xf32, #blocked>
      }
    }
    tt.return
  }
  tt.func public @one_place_apart(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %cst = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %c16_i64 = arith.constant 16 : i64
    %c12_i64 = arith.constant 12 : i64
    %cst_1 = arith.constant dense<1> : tensor<128xi32, #blocked>
    %c2036_i64 = arith.constant 2036 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst_2 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %cst_4 = arith.constant dense<5.000000e-01> : tensor<128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_2 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %5 = arith.addi %4, %c12_i64 : i64
    %6 = arith.minsi %4, %5 : i64
    %7 = arith.maxsi %4, %5 : i64
    %8 = arith.addi %7, %c2036_i64 : i64
    %9 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %10 = arith.addi %9, %c12_i64 : i64
    %11 = arith.minsi %9, %10 : i64
    %12 = arith.maxsi %9, %10 : i64
    %13 = arith.addi %12, %c2036_i64 : i64
    %14 = arith.cmpi sle, %8, %11 : i64
    %15 = arith.cmpi sle, %13, %6 : i64
    %16 = arith.ori %14, %15 : i1
    %17 = arith.subi %6, %11 : i64
    %18 = arith.addi %17, %c4_i64 : i64
    %19 = arith.cmpi sge, %18, %c2036_i64 : i64
    %20 = arith.ori %16, %19 : i1
    %21 = arith.addi %9, %c4_i64 : i64
    %22 = arith.addi %9, %c16_i64 : i64
    %23 = arith.minsi %21, %22 : i64
    %24 = arith.maxsi %21, %22 : i64
    %25 = arith.addi %24, %c2036_i64 : i64
    %26 = arith.cmpi sle, %8, %23 : i64
    %27 = arith.cmpi sle, %25, %6 : i64
    %28 = arith.ori %26, %27 : i1
    %29 = arith.subi %6, %23 : i64
    %30 = arith.addi %29, %c4_i64 : i64
    %31 = arith.cmpi sge, %30, %c2036_i64 : i64
    %32 = arith.ori %28, %31 : i1
    %33 = arith.andi %20, %32 : i1
    scf.if %33 {
      %34 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %35 = tt.load %34 : tensor<128x!tt.ptr<f32>, #blocked>
      %36 = arith.addf %35, %cst_3 : tensor<128xf32, #blocked>
      %37 = tt.addptr %3, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %38 = arith.addi %1, %cst_1 : tensor<128xi32, #blocked>
      %39 = tt.addptr %2, %38 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %40 = tt.load %39 : tensor<128x!tt.ptr<f32>, #blocked>
      %41 = arith.addi %1, %cst_0 : tensor<128xi32, #blocked>
      %42 = tt.addptr %2, %41 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %43 = tt.load %42 : tensor<128x!tt.ptr<f32>, #blocked>
      %44 = arith.addi %1, %cst : tensor<128xi32, #blocked>
      %45 = tt.addptr %2, %44 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %46 = tt.load %45 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %37, %36 : tensor<128x!tt.ptr<f32>, #blocked>
      %47 = arith.mulf %36, %cst_4 : tensor<128xf32, #blocked>
      %48 = tt.addptr %37, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %48, %47 : tensor<128x!tt.ptr<f32>, #blocked>
      %49 = arith.addf %47, %40 : tensor<128xf32, #blocked>
      %50 = tt.addptr %3, %38 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %50, %49 : tensor<128x!tt.ptr<f32>, #blocked>
      %51 = arith.mulf %49, %cst_4 : tensor<128xf32, #blocked>
      %52 = tt.addptr %50, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %52, %51 : tensor<128x!tt.ptr<f32>, #blocked>
      %53 = arith.addf %51, %43 : tensor<128xf32, #blocked>
      %54 = tt.addptr %3, %41 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %54, %53 : tensor<128x!tt.ptr<f32>, #blocked>
      %55 = arith.mulf %53, %cst_4 : tensor<128xf32, #blocked>
      %56 = tt.addptr %54, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %56, %55 : tensor<128x!tt.ptr<f32>, #blocked>
      %57 = arith.addf %55, %46 : tensor<128xf32, #blocked>
      %58 = tt.addptr %3, %44 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %58, %57 : tensor<128x!tt.ptr<f32>, #blocked>
      %59 = arith.mulf %57, %cst_4 : tensor<128xf32, #blocked>
      %60 = tt.addptr %58, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %60, %59 : tensor<128x!tt.ptr<f32>, #blocked>
    } else {
      %34 = scf.for %arg4 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg5 = %cst_3) -> (tensor<128xf32, #blocked>)  : i32 {
        %35 = tt.splat %arg4 : i32 -> tensor<128xi32, #blocked>
        %36 = arith.addi %1, %35 : tensor<128xi32, #blocked>
        %37 = tt.addptr %2, %36 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        %38 = tt.load %37 : tensor<128x!tt.ptr<f32>, #blocked>
        %39 = arith.addf %arg5, %38 : tensor<128xf32, #blocked>
        %40 = tt.addptr %3, %36 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        tt.store %40, %39 : tensor<128x!tt.ptr<f32>, #blocked>
        %41 = arith.mulf %39, %cst_4 : tensor<128xf32, #blocked>
        %42 = tt.addptr %40, %cst_1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        tt.store %42, %41 : tensor<128x!tt.ptr<f32>, #blocked>
        scf.yield %41 : tensor<128xf32, #blocked>
      }
    }
    tt.return
  }
  tt.func public @rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %cst = arith.constant dense<1536> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<1024> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<512> : tensor<128xi32, #blocked>
    %cst_2 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_3 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_4 = arith.constant dense<1> : tensor<128xi32, #blocked>
    %c6144_i64 = arith.constant 6144 : i64
    %c12_i64 = arith.constant 12 : i64
    %c512_i64 = arith.constant 512 : i64
    %c2036_i64 = arith.constant 2036 : i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c512_i32 = arith.constant 512 : i32
    %c4_i32 = arith.constant 4 : i32
    %cst_5 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %cst_7 = arith.constant dense<5.000000e-01> : tensor<128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.muli %0, %cst_5 : tensor<128xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %5 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %6 = arith.addi %5, %c12_i64 : i64
    %7 = arith.minsi %5, %6 : i64
    %8 = arith.maxsi %5, %6 : i64
    %9 = arith.addi %8, %c2036_i64 : i64
    %10 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %11 = arith.addi %10, %c6144_i64 : i64
    %12 = arith.minsi %10, %11 : i64
    %13 = arith.maxsi %10, %11 : i64
    %14 = arith.addi %13, %c512_i64 : i64
    %15 = arith.cmpi sle, %9, %12 : i64
    %16 = arith.cmpi sle, %14, %7 : i64
    %17 = arith.ori %15, %16 : i1
    %18 = tt.ptr_to_int %arg2 : !tt.ptr<f32> -> i64
    %19 = arith.addi %18, %c6144_i64 : i64
    %20 = arith.minsi %18, %19 : i64
    %21 = arith.maxsi %18, %19 : i64
    %22 = arith.addi %21, %c512_i64 : i64
    %23 = arith.cmpi sle, %9, %20 : i64
    %24 = arith.cmpi sle, %22, %7 : i64
    %25 = arith.ori %23, %24 : i1
    %26 = arith.andi %17, %25 : i1
    scf.if %26 {
      %27 = tt.addptr %2, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %28 = tt.load %27 : tensor<128x!tt.ptr<f32>, #blocked>
      %29 = arith.addf %28, %cst_6 : tensor<128xf32, #blocked>
      %30 = tt.addptr %3, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %31 = arith.addi %1, %cst_4 : tensor<128xi32, #blocked>
      %32 = tt.addptr %2, %31 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %33 = tt.load %32 : tensor<128x!tt.ptr<f32>, #blocked>
      %34 = arith.addi %1, %cst_3 : tensor<128xi32, #blocked>
      %35 = tt.addptr %2, %34 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %36 = tt.load %35 : tensor<128x!tt.ptr<f32>, #blocked>
      %37 = arith.addi %1, %cst_2 : tensor<128xi32, #blocked>
      %38 = tt.addptr %2, %37 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %39 = tt.load %38 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %30, %29 : tensor<128x!tt.ptr<f32>, #blocked>
      %40 = arith.mulf %29, %cst_7 : tensor<128xf32, #blocked>
      %41 = tt.addptr %4, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %41, %40 : tensor<128x!tt.ptr<f32>, #blocked>
      %42 = arith.addf %40, %33 : tensor<128xf32, #blocked>
      %43 = arith.addi %0, %cst_1 : tensor<128xi32, #blocked>
      %44 = tt.addptr %3, %43 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %44, %42 : tensor<128x!tt.ptr<f32>, #blocked>
      %45 = arith.mulf %42, %cst_7 : tensor<128xf32, #blocked>
      %46 = tt.addptr %4, %43 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %46, %45 : tensor<128x!tt.ptr<f32>, #blocked>
      %47 = arith.addf %45, %36 : tensor<128xf32, #blocked>
      %48 = arith.addi %0, %cst_0 : tensor<128xi32, #blocked>
      %49 = tt.addptr %3, %48 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %49, %47 : tensor<128x!tt.ptr<f32>, #blocked>
      %50 = arith.mulf %47, %cst_7 : tensor<128xf32, #blocked>
      %51 = tt.addptr %4, %48 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %51, %50 : tensor<128x!tt.ptr<f32>, #blocked>
      %52 = arith.addf %50, %39 : tensor<128xf32, #blocked>
      %53 = arith.addi %0, %cst : tensor<128xi32, #blocked>
      %54 = tt.addptr %3, %53 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %54, %52 : tensor<128x!tt.ptr<f32>, #blocked>
      %55 = arith.mulf %52, %cst_7 : tensor<128xf32, #blocked>
      %56 = tt.addptr %4, %53 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %56, %55 : tensor<128x!tt.ptr<f32>, #blocked>
    } else {
      %27 = scf.for %arg4 = %c0_i32 to %c4_i32 step %c1_i32 iter_args(%arg5 = %cst_6) -> (tensor<128xf32, #blocked>)  : i32 {
        %28 = tt.splat %arg4 : i32 -> tensor<128xi32, #blocked>
        %29 = arith.addi %1, %28 : tensor<128xi32, #blocked>
        %30 = tt.addptr %2, %29 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        %31 = tt.load %30 : tensor<128x!tt.ptr<f32>, #blocked>
        %32 = arith.addf %arg5, %31 : tensor<128xf32, #blocked>
        %33 = arith.muli %arg4, %c512_i32 : i32
        %34 = tt.splat %33 : i32 -> tensor<128xi32, #blocked>
        %35 = arith.addi %0, %34 : tensor<128xi32, #blocked>
        %36 = tt.addptr %3, %35 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        tt.store %36, %32 : tensor<128x!tt.ptr<f32>, #blocked>
        %37 = arith.mulf %32, %cst_7 : tensor<128xf32, #blocked>
        %38 = tt.addptr %4, %35 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
        tt.store %38, %37 : tensor<128x!tt.ptr<f32>, #blocked>
        scf.yield %37 : tensor<128xf32, #blocked>
      }
    }
    tt.return
  }
}

