// passes: convert-to-ttg,loop-unroll,canonicalize
module {
  // Where an iteration loads may be what the one before has stored. Three steps are known, so none is left for a loop.
  tt.func public @counts(%ids: !tt.ptr<i32>, %counts: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    scf.for %i = %c0 to %c3 step %c1 : i32 {
      %from = tt.addptr %ids, %i : !tt.ptr<i32>, i32
      %id = tt.load %from : !tt.ptr<i32>
      %place = tt.addptr %counts, %id : !tt.ptr<i32>, i32
      %count = tt.load %place : !tt.ptr<i32>
      %more = arith.addi %count, %c1 : i32
      tt.store %place, %more : !tt.ptr<i32>
    }
    tt.return
  }
  // A branch that stores is copied, too, and its condition is known then.
  tt.func public @branch(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    scf.for %i = %c0 to %c4 step %c1 : i32 {
      %is_first = arith.cmpi slt, %i, %c2 : i32
      scf.if %is_first {
        %from = tt.addptr %p, %i : !tt.ptr<f32>, i32
        %x = tt.load %from : !tt.ptr<f32>
        %to = tt.addptr %q, %i : !tt.ptr<f32>, i32
        tt.store %to, %x : !tt.ptr<f32>
      }
    }
    tt.return
  }
  // Too many instructions: the loop stays, with four copies.
  tt.func public @many(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c60 = arith.constant 60 : i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %from = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %to = tt.splat %q : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    scf.for %i = %c0 to %c60 step %c1 : i32 {
      %row = tt.splat %i : i32 -> tensor<128xi32>
      %at = arith.addi %row, %lane : tensor<128xi32>
      %source = tt.addptr %from, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %x = tt.load %source : tensor<128x!tt.ptr<f32>>
      %square = arith.mulf %x, %x : tensor<128xf32>
      %cube = arith.mulf %square, %x : tensor<128xf32>
      %fourth = arith.mulf %cube, %x : tensor<128xf32>
      %place = tt.addptr %to, %at : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      tt.store %place, %fourth : tensor<128x!tt.ptr<f32>>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @counts(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>) {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : !tt.ptr<i32>
    %1 = tt.addptr %arg1, %0 : !tt.ptr<i32>, i32
    %2 = tt.load %1 : !tt.ptr<i32>
    %3 = arith.addi %2, %c1_i32 : i32
    tt.store %1, %3 : !tt.ptr<i32>
    %4 = tt.addptr %arg0, %c1_i32 : !tt.ptr<i32>, i32
    %5 = tt.load %4 : !tt.ptr<i32>
    %6 = tt.addptr %arg1, %5 : !tt.ptr<i32>, i32
    %7 = tt.load %6 : !tt.ptr<i32>
    %8 = arith.addi %7, %c1_i32 : i32
    tt.store %6, %8 : !tt.ptr<i32>
    %9 = tt.addptr %arg0, %c2_i32 : !tt.ptr<i32>, i32
    %10 = tt.load %9 : !tt.ptr<i32>
    %11 = tt.addptr %arg1, %10 : !tt.ptr<i32>, i32
    %12 = tt.load %11 : !tt.ptr<i32>
    %13 = arith.addi %12, %c1_i32 : i32
    tt.store %11, %13 : !tt.ptr<i32>
    tt.return
  }
  tt.func public @branch(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : !tt.ptr<f32>
    tt.store %arg1, %0 : !tt.ptr<f32>
    %1 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    %2 = tt.load %1 : !tt.ptr<f32>
    %3 = tt.addptr %arg1, %c1_i32 : !tt.ptr<f32>, i32
    tt.store %3, %2 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @many(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c236_i64 = arith.constant 236 : i64
    %c512_i64 = arith.constant 512 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c60_i32 = arith.constant 60 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %4 = arith.addi %3, %c236_i64 : i64
    %5 = arith.minsi %3, %4 : i64
    %6 = arith.maxsi %3, %4 : i64
    %7 = arith.addi %6, %c512_i64 : i64
    %8 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %9 = arith.addi %8, %c236_i64 : i64
    %10 = arith.minsi %8, %9 : i64
    %11 = arith.maxsi %8, %9 : i64
    %12 = arith.addi %11, %c512_i64 : i64
    %13 = arith.cmpi sle, %7, %10 : i64
    %14 = arith.cmpi sle, %12, %5 : i64
    %15 = arith.ori %13, %14 : i1
    %16 = arith.subi %5, %10 : i64
    %17 = arith.addi %16, %c4_i64 : i64
    %18 = arith.cmpi sge, %17, %c512_i64 : i64
    %19 = arith.ori %15, %18 : i1
    %20 = arith.select %19, %c60_i32, %c0_i32 : i32
    scf.for %arg2 = %c0_i32 to %20 step %c4_i32  : i32 {
      %21 = tt.splat %arg2 : i32 -> tensor<128xi32, #blocked>
      %22 = arith.addi %21, %0 : tensor<128xi32, #blocked>
      %23 = tt.addptr %1, %22 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %24 = tt.load %23 : tensor<128x!tt.ptr<f32>, #blocked>
      %25 = arith.mulf %24, %24 : tensor<128xf32, #blocked>
      %26 = arith.mulf %25, %24 : tensor<128xf32, #blocked>
      %27 = arith.mulf %26, %24 : tensor<128xf32, #blocked>
      %28 = tt.addptr %2, %22 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %29 = arith.addi %arg2, %c1_i32 : i32
      %30 = tt.splat %29 : i32 -> tensor<128xi32, #blocked>
      %31 = arith.addi %30, %0 : tensor<128xi32, #blocked>
      %32 = tt.addptr %1, %31 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %33 = tt.load %32 : tensor<128x!tt.ptr<f32>, #blocked>
      %34 = arith.addi %arg2, %c2_i32 : i32
      %35 = tt.splat %34 : i32 -> tensor<128xi32, #blocked>
      %36 = arith.addi %35, %0 : tensor<128xi32, #blocked>
      %37 = tt.addptr %1, %36 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %38 = tt.load %37 : tensor<128x!tt.ptr<f32>, #blocked>
      %39 = arith.addi %arg2, %c3_i32 : i32
      %40 = tt.splat %39 : i32 -> tensor<128xi32, #blocked>
      %41 = arith.addi %40, %0 : tensor<128xi32, #blocked>
      %42 = tt.addptr %1, %41 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %43 = tt.load %42 : tensor<128x!tt.ptr<f32>, #blocked>
      tt.store %28, %27 : tensor<128x!tt.ptr<f32>, #blocked>
      %44 = arith.mulf %33, %33 : tensor<128xf32, #blocked>
      %45 = arith.mulf %44, %33 : tensor<128xf32, #blocked>
      %46 = arith.mulf %45, %33 : tensor<128xf32, #blocked>
      %47 = tt.addptr %2, %31 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %47, %46 : tensor<128x!tt.ptr<f32>, #blocked>
      %48 = arith.mulf %38, %38 : tensor<128xf32, #blocked>
      %49 = arith.mulf %48, %38 : tensor<128xf32, #blocked>
      %50 = arith.mulf %49, %38 : tensor<128xf32, #blocked>
      %51 = tt.addptr %2, %36 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %51, %50 : tensor<128x!tt.ptr<f32>, #blocked>
      %52 = arith.mulf %43, %43 : tensor<128xf32, #blocked>
      %53 = arith.mulf %52, %43 : tensor<128xf32, #blocked>
      %54 = arith.mulf %53, %43 : tensor<128xf32, #blocked>
      %55 = tt.addptr %2, %41 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %55, %54 : tensor<128x!tt.ptr<f32>, #blocked>
    }
    scf.for %arg2 = %20 to %c60_i32 step %c1_i32  : i32 {
      %21 = tt.splat %arg2 : i32 -> tensor<128xi32, #blocked>
      %22 = arith.addi %21, %0 : tensor<128xi32, #blocked>
      %23 = tt.addptr %1, %22 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %24 = tt.load %23 : tensor<128x!tt.ptr<f32>, #blocked>
      %25 = arith.mulf %24, %24 : tensor<128xf32, #blocked>
      %26 = arith.mulf %25, %24 : tensor<128xf32, #blocked>
      %27 = arith.mulf %26, %24 : tensor<128xf32, #blocked>
      %28 = tt.addptr %2, %22 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %28, %27 : tensor<128x!tt.ptr<f32>, #blocked>
    } {tk.written_once}
    tt.return
  }
}

