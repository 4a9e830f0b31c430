// passes: convert-to-ttg,loop-unroll,canonicalize
module {
  // The angle may be large: the loads of copies would stand behind the branch of the copy before.
  tt.func public @large(%p: !tt.ptr<f32>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      %y = math.sin %x : f32
      %s = arith.addf %acc, %y : f32
      scf.yield %s : f32
    }
    tt.return %sum : f32
  }
  // A half is no large angle, and a sine is none.
  tt.func public @halves(%p: !tt.ptr<f16>, %n: i32) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f16>, i32
      %x = tt.load %q : !tt.ptr<f16>
      %w = arith.extf %x : f16 to f32
      %z = math.sin %w : f32
      %y = math.cos %z : f32
      %s = arith.addf %acc, %y : f32
      scf.yield %s : f32
    }
    tt.return %sum : f32
  }
}
// ----- expect
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @large(%arg0: !tt.ptr<f32>, %arg1: i32) -> f32 {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %1 = tt.addptr %arg0, %arg2 : !tt.ptr<f32>, i32
      %2 = tt.load %1 : !tt.ptr<f32>
      %3 = math.sin %2 : f32
      %4 = arith.addf %arg3, %3 : f32
      scf.yield %4 : f32
    }
    tt.return %0 : f32
  }
  tt.func public @halves(%arg0: !tt.ptr<f16>, %arg1: i32) -> f32 {
    %c7_i32 = arith.constant 7 : i32
    %c6_i32 = arith.constant 6 : i32
    %c5_i32 = arith.constant 5 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %c8_i32 = arith.constant 8 : i32
    %0 = arith.maxsi %arg1, %c0_i32 : i32
    %1 = arith.remui %0, %c8_i32 : i32
    %2 = arith.subi %0, %1 : i32
    %3 = scf.for %arg2 = %c0_i32 to %2 step %c8_i32 iter_args(%arg3 = %cst) -> (f32)  : i32 {
      %15 = tt.addptr %arg0, %arg2 : !tt.ptr<f16>, i32
      %16 = tt.load %15 : !tt.ptr<f16>
      %17 = arith.extf %16 : f16 to f32
      %18 = math.sin %17 : f32
      %19 = math.cos %18 : f32
      %20 = arith.addf %arg3, %19 : f32
      %21 = arith.addi %arg2, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<f16>, i32
      %23 = tt.load %22 : !tt.ptr<f16>
      %24 = arith.extf %23 : f16 to f32
      %25 = math.sin %24 : f32
      %26 = math.cos %25 : f32
      %27 = arith.addf %20, %26 : f32
      %28 = arith.addi %arg2, %c2_i32 : i32
      %29 = tt.addptr %arg0, %28 : !tt.ptr<f16>, i32
      %30 = tt.load %29 : !tt.ptr<f16>
      %31 = arith.extf %30 : f16 to f32
      %32 = math.sin %31 : f32
      %33 = math.cos %32 : f32
      %34 = arith.addf %27, %33 : f32
      %35 = arith.addi %arg2, %c3_i32 : i32
      %36 = tt.addptr %arg0, %35 : !tt.ptr<f16>, i32
      %37 = tt.load %36 : !tt.ptr<f16>
      %38 = arith.extf %37 : f16 to f32
      %39 = math.sin %38 : f32
      %40 = math.cos %39 : f32
      %41 = arith.addf %34, %40 : f32
      %42 = arith.addi %arg2, %c4_i32 : i32
      %43 = tt.addptr %arg0, %42 : !tt.ptr<f16>, i32
      %44 = tt.load %43 : !tt.ptr<f16>
      %45 = arith.extf %44 : f16 to f32
      %46 = math.sin %45 : f32
      %47 = math.cos %46 : f32
      %48 = arith.addf %41, %47 : f32
      %49 = arith.addi %arg2, %c5_i32 : i32
      %50 = tt.addptr %arg0, %49 : !tt.ptr<f16>, i32
      %51 = tt.load %50 : !tt.ptr<f16>
      %52 = arith.extf %51 : f16 to f32
      %53 = math.sin %52 : f32
      %54 = math.cos %53 : f32
      %55 = arith.addf %48, %54 : f32
      %56 = arith.addi %arg2, %c6_i32 : i32
      %57 = tt.addptr %arg0, %56 : !tt.ptr<f16>, i32
      %58 = tt.load %57 : !tt.ptr<f16>
      %59 = arith.extf %58 : f16 to f32
      %60 = math.sin %59 : f32
      %61 = math.cos %60 : f32
      %62 = arith.addf %55, %61 : f32
      %63 = arith.addi %arg2, %c7_i32 : i32
      %64 = tt.addptr %arg0, %63 : !tt.ptr<f16>, i32
      %65 = tt.load %64 : !tt.ptr<f16>
      %66 = arith.extf %65 : f16 to f32
      %67 = math.sin %66 : f32
      %68 = math.cos %67 : f32
      %69 = arith.addf %62, %68 : f32
      scf.yield %69 : f32
    } {tk.written_once}
    %4 = arith.andi %1, %c4_i32 : i32
    %5 = arith.cmpi ne, %4, %c0_i32 : i32
    %6 = scf.if %5 -> (f32) {
      %15 = tt.addptr %arg0, %2 : !tt.ptr<f16>, i32
      %16 = tt.load %15 : !tt.ptr<f16>
      %17 = arith.extf %16 : f16 to f32
      %18 = math.sin %17 : f32
      %19 = math.cos %18 : f32
      %20 = arith.addf %3, %19 : f32
      %21 = arith.addi %2, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<f16>, i32
      %23 = tt.load %22 : !tt.ptr<f16>
      %24 = arith.extf %23 : f16 to f32
      %25 = math.sin %24 : f32
      %26 = math.cos %25 : f32
      %27 = arith.addf %20, %26 : f32
      %28 = arith.addi %2, %c2_i32 : i32
      %29 = tt.addptr %arg0, %28 : !tt.ptr<f16>, i32
      %30 = tt.load %29 : !tt.ptr<f16>
      %31 = arith.extf %30 : f16 to f32
      %32 = math.sin %31 : f32
      %33 = math.cos %32 : f32
      %34 = arith.addf %27, %33 : f32
      %35 = arith.addi %2, %c3_i32 : i32
      %36 = tt.addptr %arg0, %35 : !tt.ptr<f16>, i32
      %37 = tt.load %36 : !tt.ptr<f16>
      %38 = arith.extf %37 : f16 to f32
      %39 = math.sin %38 : f32
      %40 = math.cos %39 : f32
      %41 = arith.addf %34, %40 : f32
      scf.yield %41 : f32
    } else {
      scf.yield %3 : f32
    }
    %7 = arith.addi %2, %4 : i32
    %8 = arith.andi %1, %c2_i32 : i32
    %9 = arith.cmpi ne, %8, %c0_i32 : i32
    %10 = scf.if %9 -> (f32) {
      %15 = tt.addptr %arg0, %7 : !tt.ptr<f16>, i32
      %16 = tt.load %15 : !tt.ptr<f16>
      %17 = arith.extf %16 : f16 to f32
      %18 = math.sin %17 : f32
      %19 = math.cos %18 : f32
      %20 = arith.addf %6, %19 : f32
      %21 = arith.addi %7, %c1_i32 : i32
      %22 = tt.addptr %arg0, %21 : !tt.ptr<f16>, i32
      %23 = tt.load %22 : !tt.ptr<f16>
      %24 = arith.extf %23 : f16 to f32
      %25 = math.sin %24 : f32
      %26 = math.cos %25 : f32
      %27 = arith.addf %20, %26 : f32
      scf.yield %27 : f32
    } else {
      scf.yield %6 : f32
    }
    %11 = arith.addi %7, %8 : i32
    %12 = arith.andi %1, %c1_i32 : i32
    %13 = arith.cmpi ne, %12, %c0_i32 : i32
    %14 = scf.if %13 -> (f32) {
      %15 = tt.addptr %arg0, %11 : !tt.ptr<f16>, i32
      %16 = tt.load %15 : !tt.ptr<f16>
      %17 = arith.extf %16 : f16 to f32
      %18 = math.sin %17 : f32
      %19 = math.cos %18 : f32
      %20 = arith.addf %10, %19 : f32
      scf.yield %20 : f32
    } else {
      scf.yield %10 : f32
    }
    tt.return %14 : f32
  }
}

