// passes: convert-to-ttg,loop-unroll,canonicalize
// counts: tt.load 29
module {
  // 125 iterations, which nothing near 16 divides: seven times 16 of them, and 13.
  tt.func public @sum(%p: !tt.ptr<f32>) -> f32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c125 = arith.constant 125 : i32
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %c125 step %c1 iter_args(%acc = %zero) -> (f32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<f32>, i32
      %x = tt.load %q : !tt.ptr<f32>
      %s = arith.addf %acc, %x : f32
      scf.yield %s : f32
    }
    tt.return %sum : f32
  }
}
// ----- expect
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sum(%arg0: !tt.ptr<f32>) -> f32 {
    %c124_i32 = arith.constant 124 : i32
    %c123_i32 = arith.constant 123 : i32
    %c122_i32 = arith.constant 122 : i32
    %c121_i32 = arith.constant 121 : i32
    %c120_i32 = arith.constant 120 : i32
    %c119_i32 = arith.constant 119 : i32
    %c118_i32 = arith.constant 118 : i32
    %c117_i32 = arith.constant 117 : i32
    %c116_i32 = arith.constant 116 : i32
    %c115_i32 = arith.constant 115 : i32
    %c114_i32 = arith.constant 114 : i32
    %c113_i32 = arith.constant 113 : i32
    %c15_i32 = arith.constant 15 : i32
    %c14_i32 = arith.constant 14 : i32
    %c13_i32 = arith.constant 13 : i32
    %c12_i32 = arith.constant 12 : i32
    %c11_i32 = arith.constant 11 : i32
    %c10_i32 = arith.constant 10 : i32
    %c9_i32 = arith.constant 9 : i32
    %c8_i32 = arith.constant 8 : i32
    %c7_i32 = arith.constant 7 : i32
    %c6_i32 = arith.constant 6 : i32
    %c5_i32 = arith.constant 5 : i32
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %c112_i32 = arith.constant 112 : i32
    %c16_i32 = arith.constant 16 : i32
    %0 = scf.for %arg1 = %c0_i32 to %c112_i32 step %c16_i32 iter_args(%arg2 = %cst) -> (f32)  : i32 {
      %40 = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
      %41 = tt.load %40 : !tt.ptr<f32>
      %42 = arith.addf %arg2, %41 : f32
      %43 = arith.addi %arg1, %c1_i32 : i32
      %44 = tt.addptr %arg0, %43 : !tt.ptr<f32>, i32
      %45 = tt.load %44 : !tt.ptr<f32>
      %46 = arith.addf %42, %45 : f32
      %47 = arith.addi %arg1, %c2_i32 : i32
      %48 = tt.addptr %arg0, %47 : !tt.ptr<f32>, i32
      %49 = tt.load %48 : !tt.ptr<f32>
      %50 = arith.addf %46, %49 : f32
      %51 = arith.addi %arg1, %c3_i32 : i32
      %52 = tt.addptr %arg0, %51 : !tt.ptr<f32>, i32
      %53 = tt.load %52 : !tt.ptr<f32>
      %54 = arith.addf %50, %53 : f32
      %55 = arith.addi %arg1, %c4_i32 : i32
      %56 = tt.addptr %arg0, %55 : !tt.ptr<f32>, i32
      %57 = tt.load %56 : !tt.ptr<f32>
      %58 = arith.addf %54, %57 : f32
      %59 = arith.addi %arg1, %c5_i32 : i32
      %60 = tt.addptr %arg0, %59 : !tt.ptr<f32>, i32
      %61 = tt.load %60 : !tt.ptr<f32>
      %62 = arith.addf %58, %61 : f32
      %63 = arith.addi %arg1, %c6_i32 : i32
      %64 = tt.addptr %arg0, %63 : !tt.ptr<f32>, i32
      %65 = tt.load %64 : !tt.ptr<f32>
      %66 = arith.addf %62, %65 : f32
      %67 = arith.addi %arg1, %c7_i32 : i32
      %68 = tt.addptr %arg0, %67 : !tt.ptr<f32>, i32
      %69 = tt.load %68 : !tt.ptr<f32>
      %70 = arith.addf %66, %69 : f32
      %71 = arith.addi %arg1, %c8_i32 : i32
      %72 = tt.addptr %arg0, %71 : !tt.ptr<f32>, i32
      %73 = tt.load %72 : !tt.ptr<f32>
      %74 = arith.addf %70, %73 : f32
      %75 = arith.addi %arg1, %c9_i32 : i32
      %76 = tt.addptr %arg0, %75 : !tt.ptr<f32>, i32
      %77 = tt.load %76 : !tt.ptr<f32>
      %78 = arith.addf %74, %77 : f32
      %79 = arith.addi %arg1, %c10_i32 : i32
      %80 = tt.addptr %arg0, %79 : !tt.ptr<f32>, i32
      %81 = tt.load %80 : !tt.ptr<f32>
      %82 = arith.addf %78, %81 : f32
      %83 = arith.addi %arg1, %c11_i32 : i32
      %84 = tt.addptr %arg0, %83 : !tt.ptr<f32>, i32
      %85 = tt.load %84 : !tt.ptr<f32>
      %86 = arith.addf %82, %85 : f32
      %87 = arith.addi %arg1, %c12_i32 : i32
      %88 = tt.addptr %arg0, %87 : !tt.ptr<f32>, i32
      %89 = tt.load %88 : !tt.ptr<f32>
      %90 = arith.addf %86, %89 : f32
      %91 = arith.addi %arg1, %c13_i32 : i32
      %92 = tt.addptr %arg0, %91 : !tt.ptr<f32>, i32
      %93 = tt.load %92 : !tt.ptr<f32>
      %94 = arith.addf %90, %93 : f32
      %95 = arith.addi %arg1, %c14_i32 : i32
      %96 = tt.addptr %arg0, %95 : !tt.ptr<f32>, i32
      %97 = tt.load %96 : !tt.ptr<f32>
      %98 = arith.addf %94, %97 : f32
      %99 = arith.addi %arg1, %c15_i32 : i32
      %100 = tt.addptr %arg0, %99 : !tt.ptr<f32>, i32
      %101 = tt.load %100 : !tt.ptr<f32>
      %102 = arith.addf %98, %101 : f32
      scf.yield %102 : f32
    }
    %1 = tt.addptr %arg0, %c112_i32 : !tt.ptr<f32>, i32
    %2 = tt.load %1 : !tt.ptr<f32>
    %3 = arith.addf %0, %2 : f32
    %4 = tt.addptr %arg0, %c113_i32 : !tt.ptr<f32>, i32
    %5 = tt.load %4 : !tt.ptr<f32>
    %6 = arith.addf %3, %5 : f32
    %7 = tt.addptr %arg0, %c114_i32 : !tt.ptr<f32>, i32
    %8 = tt.load %7 : !tt.ptr<f32>
    %9 = arith.addf %6, %8 : f32
    %10 = tt.addptr %arg0, %c115_i32 : !tt.ptr<f32>, i32
    %11 = tt.load %10 : !tt.ptr<f32>
    %12 = arith.addf %9, %11 : f32
    %13 = tt.addptr %arg0, %c116_i32 : !tt.ptr<f32>, i32
    %14 = tt.load %13 : !tt.ptr<f32>
    %15 = arith.addf %12, %14 : f32
    %16 = tt.addptr %arg0, %c117_i32 : !tt.ptr<f32>, i32
    %17 = tt.load %16 : !tt.ptr<f32>
    %18 = arith.addf %15, %17 : f32
    %19 = tt.addptr %arg0, %c118_i32 : !tt.ptr<f32>, i32
    %20 = tt.load %19 : !tt.ptr<f32>
    %21 = arith.addf %18, %20 : f32
    %22 = tt.addptr %arg0, %c119_i32 : !tt.ptr<f32>, i32
    %23 = tt.load %22 : !tt.ptr<f32>
    %24 = arith.addf %21, %23 : f32
    %25 = tt.addptr %arg0, %c120_i32 : !tt.ptr<f32>, i32
    %26 = tt.load %25 : !tt.ptr<f32>
    %27 = arith.addf %24, %26 : f32
    %28 = tt.addptr %arg0, %c121_i32 : !tt.ptr<f32>, i32
    %29 = tt.load %28 : !tt.ptr<f32>
    %30 = arith.addf %27, %29 : f32
    %31 = tt.addptr %arg0, %c122_i32 : !tt.ptr<f32>, i32
    %32 = tt.load %31 : !tt.ptr<f32>
    %33 = arith.addf %30, %32 : f32
    %34 = tt.addptr %arg0, %c123_i32 : !tt.ptr<f32>, i32
    %35 = tt.load %34 : !tt.ptr<f32>
    %36 = arith.addf %33, %35 : f32
    %37 = tt.addptr %arg0, %c124_i32 : !tt.ptr<f32>, i32
    %38 = tt.load %37 : !tt.ptr<f32>
    %39 = arith.addf %36, %38 : f32
    tt.return %39 : f32
  }
}

