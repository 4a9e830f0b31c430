// passes: loop-unroll,canonicalize,cse
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What is stored may be what the next iteration loads: four iterations load at once where the addresses say that it is not.
  tt.func public @recurrence(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %steps: i32, %stride: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %last = scf.for %i = %zero to %steps step %one iter_args(%h = %start) -> (f32) : i32 {
      %at = arith.muli %i, %stride : i32
      %px = tt.addptr %x, %at : !tt.ptr<f32>, i32
      %v = tt.load %px : !tt.ptr<f32>
      %scaled = arith.mulf %h, %half : f32
      %next = arith.addf %scaled, %v : f32
      %po = tt.addptr %out, %at : !tt.ptr<f32>, i32
      tt.store %po, %next : !tt.ptr<f32>
      scf.yield %next : f32
    }
    tt.return
  }
  // Nothing is known of where the loop goes: copies load in turn.
  tt.func public @gathered(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %steps: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %steps step %one : i32 {
      %square = arith.muli %i, %i : i32
      %px = tt.addptr %x, %square : !tt.ptr<f32>, i32
      %v = tt.load %px : !tt.ptr<f32>
      %po = tt.addptr %out, %i : !tt.ptr<f32>, i32
      tt.store %po, %v : !tt.ptr<f32>
    }
    tt.return
  }
}
// ----- expect
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @recurrence(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c-4_i64 = arith.constant -4 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.maxsi %arg2, %c0_i32 : i32
    %1 = arith.remui %0, %c4_i32 : i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.cmpi ne, %2, %c0_i32 : i32
    %4 = scf.if %3 -> (i32) {
      %7 = arith.extui %0 : i32 to i64
      %8 = arith.subi %7, %c1_i64 : i64
      %9 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
      %10 = arith.extsi %arg3 : i32 to i64
      %11 = arith.muli %10, %c4_i64 : i64
      %12 = arith.muli %11, %8 : i64
      %13 = arith.addi %9, %12 : i64
      %14 = arith.minsi %9, %13 : i64
      %15 = arith.maxsi %9, %13 : i64
      %16 = arith.addi %15, %c4_i64 : i64
      %17 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
      %18 = arith.addi %17, %12 : i64
      %19 = arith.minsi %17, %18 : i64
      %20 = arith.maxsi %17, %18 : i64
      %21 = arith.addi %20, %c4_i64 : i64
      %22 = arith.cmpi sle, %16, %19 : i64
      %23 = arith.cmpi sle, %21, %14 : i64
      %24 = arith.ori %22, %23 : i1
      %25 = arith.subi %14, %19 : i64
      %26 = arith.addi %25, %11 : i64
      %27 = arith.cmpi sge, %26, %c4_i64 : i64
      %28 = arith.cmpi sle, %26, %c-4_i64 : i64
      %29 = arith.cmpi sgt, %11, %c0_i64 : i64
      %30 = arith.select %29, %27, %28 : i1
      %31 = arith.ori %24, %30 : i1
      %32 = arith.select %31, %2, %c0_i32 : i32
      scf.yield %32 : i32
    } else {
      scf.yield %2 : i32
    }
    %5 = scf.for %arg4 = %c0_i32 to %4 step %c4_i32 iter_args(%arg5 = %cst) -> (f32)  : i32 {
      %7 = arith.muli %arg4, %arg3 : i32
      %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
      %9 = tt.load %8 : !tt.ptr<f32>
      %10 = arith.mulf %arg5, %cst_0 : f32
      %11 = arith.addf %10, %9 : f32
      %12 = tt.addptr %arg1, %7 : !tt.ptr<f32>, i32
      %13 = arith.addi %arg4, %c1_i32 : i32
      %14 = arith.muli %13, %arg3 : i32
      %15 = tt.addptr %arg0, %14 : !tt.ptr<f32>, i32
      %16 = tt.load %15 : !tt.ptr<f32>
      %17 = arith.addi %arg4, %c2_i32 : i32
      %18 = arith.muli %17, %arg3 : i32
      %19 = tt.addptr %arg0, %18 : !tt.ptr<f32>, i32
      %20 = tt.load %19 : !tt.ptr<f32>
      %21 = arith.addi %arg4, %c3_i32 : i32
      %22 = arith.muli %21, %arg3 : i32
      %23 = tt.addptr %arg0, %22 : !tt.ptr<f32>, i32
      %24 = tt.load %23 : !tt.ptr<f32>
      tt.store %12, %11 : !tt.ptr<f32>
      %25 = arith.mulf %11, %cst_0 : f32
      %26 = arith.addf %25, %16 : f32
      %27 = tt.addptr %arg1, %14 : !tt.ptr<f32>, i32
      tt.store %27, %26 : !tt.ptr<f32>
      %28 = arith.mulf %26, %cst_0 : f32
      %29 = arith.addf %28, %20 : f32
      %30 = tt.addptr %arg1, %18 : !tt.ptr<f32>, i32
      tt.store %30, %29 : !tt.ptr<f32>
      %31 = arith.mulf %29, %cst_0 : f32
      %32 = arith.addf %31, %24 : f32
      %33 = tt.addptr %arg1, %22 : !tt.ptr<f32>, i32
      tt.store %33, %32 : !tt.ptr<f32>
      scf.yield %32 : f32
    }
    %6 = scf.for %arg4 = %4 to %arg2 step %c1_i32 iter_args(%arg5 = %5) -> (f32)  : i32 {
      %7 = arith.muli %arg4, %arg3 : i32
      %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
      %9 = tt.load %8 : !tt.ptr<f32>
      %10 = arith.mulf %arg5, %cst_0 : f32
      %11 = arith.addf %10, %9 : f32
      %12 = tt.addptr %arg1, %7 : !tt.ptr<f32>, i32
      tt.store %12, %11 : !tt.ptr<f32>
      scf.yield %11 : f32
    } {tk.written_once}
    tt.return
  }
  tt.func public @gathered(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.maxsi %arg2, %c0_i32 : i32
    %1 = arith.remui %0, %c4_i32 : i32
    %2 = arith.subi %0, %1 : i32
    scf.for %arg3 = %c0_i32 to %2 step %c4_i32  : i32 {
      %8 = arith.muli %arg3, %arg3 : i32
      %9 = tt.addptr %arg0, %8 : !tt.ptr<f32>, i32
      %10 = tt.load %9 : !tt.ptr<f32>
      %11 = tt.addptr %arg1, %arg3 : !tt.ptr<f32>, i32
      tt.store %11, %10 : !tt.ptr<f32>
      %12 = arith.addi %arg3, %c1_i32 : i32
      %13 = arith.muli %12, %12 : i32
      %14 = tt.addptr %arg0, %13 : !tt.ptr<f32>, i32
      %15 = tt.load %14 : !tt.ptr<f32>
      %16 = tt.addptr %arg1, %12 : !tt.ptr<f32>, i32
      tt.store %16, %15 : !tt.ptr<f32>
      %17 = arith.addi %arg3, %c2_i32 : i32
      %18 = arith.muli %17, %17 : i32
      %19 = tt.addptr %arg0, %18 : !tt.ptr<f32>, i32
      %20 = tt.load %19 : !tt.ptr<f32>
      %21 = tt.addptr %arg1, %17 : !tt.ptr<f32>, i32
      tt.store %21, %20 : !tt.ptr<f32>
      %22 = arith.addi %arg3, %c3_i32 : i32
      %23 = arith.muli %22, %22 : i32
      %24 = tt.addptr %arg0, %23 : !tt.ptr<f32>, i32
      %25 = tt.load %24 : !tt.ptr<f32>
      %26 = tt.addptr %arg1, %22 : !tt.ptr<f32>, i32
      tt.store %26, %25 : !tt.ptr<f32>
    }
    %3 = arith.andi %1, %c2_i32 : i32
    %4 = arith.cmpi ne, %3, %c0_i32 : i32
    scf.if %4 {
      %8 = arith.muli %2, %2 : i32
      %9 = tt.addptr %arg0, %8 : !tt.ptr<f32>, i32
      %10 = tt.load %9 : !tt.ptr<f32>
      %11 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
      tt.store %11, %10 : !tt.ptr<f32>
      %12 = arith.addi %2, %c1_i32 : i32
      %13 = arith.muli %12, %12 : i32
      %14 = tt.addptr %arg0, %13 : !tt.ptr<f32>, i32
      %15 = tt.load %14 : !tt.ptr<f32>
      %16 = tt.addptr %arg1, %12 : !tt.ptr<f32>, i32
      tt.store %16, %15 : !tt.ptr<f32>
    }
    %5 = arith.addi %2, %3 : i32
    %6 = arith.andi %1, %c1_i32 : i32
    %7 = arith.cmpi ne, %6, %c0_i32 : i32
    scf.if %7 {
      %8 = arith.muli %5, %5 : i32
      %9 = tt.addptr %arg0, %8 : !tt.ptr<f32>, i32
      %10 = tt.load %9 : !tt.ptr<f32>
      %11 = tt.addptr %arg1, %5 : !tt.ptr<f32>, i32
      tt.store %11, %10 : !tt.ptr<f32>
    }
    tt.return
  }
}

