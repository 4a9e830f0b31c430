// passes: loop-unroll,canonicalize,cse
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Rows become columns whose distance only the run knows: masks instead of branches, and the loads of eight rows first where both are apart.
  tt.func public @transposed(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %first: i32, %rows: i32, %stride: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %at = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #b>
    %rowss = tt.splat %rows : i32 -> tensor<32xi32, #b>
    %mask = arith.cmpi slt, %at, %rowss : tensor<32xi32, #b>
    scf.for %i = %c0 to %c16 step %c1 : i32 {
      %row = arith.addi %first, %i : i32
      %inside = arith.cmpi slt, %row, %rows : i32
      scf.if %inside {
        %from = arith.muli %row, %stride : i32
        %px = tt.addptr %x, %from : !tt.ptr<f32>, i32
        %pxs = tt.splat %px : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #b>
        %pxe = tt.addptr %pxs, %at : tensor<32x!tt.ptr<f32>, #b>, tensor<32xi32, #b>
        %v = tt.load %pxe, %mask : tensor<32x!tt.ptr<f32>, #b>
        %strides = tt.splat %stride : i32 -> tensor<32xi32, #b>
        %to = arith.muli %at, %strides : tensor<32xi32, #b>
        %py = tt.addptr %y, %row : !tt.ptr<f32>, i32
        %pys = tt.splat %py : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #b>
        %pye = tt.addptr %pys, %to : tensor<32x!tt.ptr<f32>, #b>, tensor<32xi32, #b>
        tt.store %pye, %v : tensor<32x!tt.ptr<f32>, #b>
      }
    }
    tt.return
  }
  // Rows are stored where they were loaded, each of them behind the one before: nothing is compared, and the numbers are masked, too.
  tt.func public @in_place(%x: !tt.ptr<f32>, %end: i32, %last: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0.0 : f32
    scf.for %i = %c0 to %end step %c1 : i32 {
      %inside = arith.cmpi sge, %i, %last : i32
      scf.if %inside {
        %px = tt.addptr %x, %i : !tt.ptr<f32>, i32
        %some = arith.cmpi ne, %i, %c1 : i32
        %v = tt.load %px, %some, %none : !tt.ptr<f32>
        %next = arith.addf %v, %v : f32
        tt.store %px, %next : !tt.ptr<f32>
      }
    }
    tt.return
  }
  // What was loaded says whether there is anything to do: the branch stays.
  tt.func public @chosen(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %chosen: !tt.ptr<i32>, %end: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %end step %c1 : i32 {
      %pc = tt.addptr %chosen, %i : !tt.ptr<i32>, i32
      %is = tt.load %pc : !tt.ptr<i32>
      %inside = arith.cmpi ne, %is, %c0 : i32
      scf.if %inside {
        %px = tt.addptr %x, %i : !tt.ptr<f32>, i32
        %v = tt.load %px : !tt.ptr<f32>
        %py = tt.addptr %y, %i : !tt.ptr<f32>, i32
        tt.store %py, %v : !tt.ptr<f32>
      }
    }
    tt.return
  }
  // Where the condition does not hold the divisor may be zero: the branch stays.
  tt.func public @divided(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %by: i32, %end: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %end step %c1 : i32 {
      %inside = arith.cmpi slt, %i, %by : i32
      scf.if %inside {
        %px = tt.addptr %x, %i : !tt.ptr<i32>, i32
        %v = tt.load %px : !tt.ptr<i32>
        %part = arith.divsi %v, %by : i32
        %py = tt.addptr %y, %i : !tt.ptr<i32>, i32
        tt.store %py, %part : !tt.ptr<i32>
      }
    }
    tt.return
  }
  // A stride of 64 bits may be so large that the end of a block is not in 64 bits: copies load in turn.
  tt.func public @far(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %end: i32, %stride: i64) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %at = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32, #b>
    %wide = arith.extsi %at : tensor<32xi32, #b> to tensor<32xi64, #b>
    %strides = tt.splat %stride : i64 -> tensor<32xi64, #b>
    %to = arith.muli %wide, %strides : tensor<32xi64, #b>
    scf.for %i = %c0 to %end step %c1 : i32 {
      %px = tt.addptr %x, %i : !tt.ptr<f32>, i32
      %pxs = tt.splat %px : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #b>
      %pxe = tt.addptr %pxs, %at : tensor<32x!tt.ptr<f32>, #b>, tensor<32xi32, #b>
      %v = tt.load %pxe : tensor<32x!tt.ptr<f32>, #b>
      %py = tt.addptr %y, %i : !tt.ptr<f32>, i32
      %pys = tt.splat %py : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #b>
      %pye = tt.addptr %pys, %to : tensor<32x!tt.ptr<f32>, #b>, tensor<32xi64, #b>
      tt.store %pye, %v : tensor<32x!tt.ptr<f32>, #b>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @transposed(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32) {
    %c7_i32 = arith.constant 7 : i32
    %c6_i32 = arith.constant 6 : i32
    %c5_i32 = arith.constant 5 : i32
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c8_i32 = arith.constant 8 : i32
    %c124_i64 = arith.constant 124 : i64
    %c60_i64 = arith.constant 60 : i64
    %c0_i64 = arith.constant 0 : i64
    %c128_i64 = arith.constant 128 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = tt.splat %arg3 : i32 -> tensor<32xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<32xi32, #blocked>
    %3 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %4 = arith.extsi %arg2 : i32 to i64
    %5 = arith.extsi %arg4 : i32 to i64
    %6 = arith.muli %4, %5 : i64
    %7 = arith.muli %6, %c4_i64 : i64
    %8 = arith.addi %3, %7 : i64
    %9 = arith.muli %5, %c60_i64 : i64
    %10 = arith.addi %8, %9 : i64
    %11 = arith.minsi %8, %10 : i64
    %12 = arith.maxsi %8, %10 : i64
    %13 = arith.addi %12, %c128_i64 : i64
    %14 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %15 = arith.minsi %5, %c0_i64 : i64
    %16 = arith.muli %15, %c124_i64 : i64
    %17 = arith.muli %4, %c4_i64 : i64
    %18 = arith.addi %16, %17 : i64
    %19 = arith.addi %14, %18 : i64
    %20 = arith.addi %19, %c60_i64 : i64
    %21 = arith.minsi %19, %20 : i64
    %22 = arith.maxsi %19, %20 : i64
    %23 = arith.subi %c0_i64, %5 : i64
    %24 = arith.maxsi %5, %23 : i64
    %25 = arith.muli %24, %c124_i64 : i64
    %26 = arith.addi %25, %c4_i64 : i64
    %27 = arith.addi %22, %26 : i64
    %28 = arith.cmpi sle, %13, %21 : i64
    %29 = arith.cmpi sle, %27, %11 : i64
    %30 = arith.ori %28, %29 : i1
    %31 = arith.select %30, %c16_i32, %c0_i32 : i32
    scf.for %arg5 = %c0_i32 to %31 step %c8_i32  : i32 {
      %32 = arith.addi %arg2, %arg5 : i32
      %33 = arith.cmpi slt, %32, %arg3 : i32
      %34 = arith.muli %32, %arg4 : i32
      %35 = tt.addptr %arg0, %34 : !tt.ptr<f32>, i32
      %36 = tt.splat %35 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %37 = tt.addptr %36, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %38 = tt.splat %33 : i1 -> tensor<32xi1, #blocked>
      %39 = arith.andi %38, %2 : tensor<32xi1, #blocked>
      %40 = tt.load %37, %39 : tensor<32x!tt.ptr<f32>, #blocked>
      %41 = tt.splat %arg4 : i32 -> tensor<32xi32, #blocked>
      %42 = arith.muli %0, %41 : tensor<32xi32, #blocked>
      %43 = tt.addptr %arg1, %32 : !tt.ptr<f32>, i32
      %44 = tt.splat %43 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %45 = tt.addptr %44, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %46 = arith.addi %arg5, %c1_i32 : i32
      %47 = arith.addi %arg2, %46 : i32
      %48 = arith.cmpi slt, %47, %arg3 : i32
      %49 = arith.muli %47, %arg4 : i32
      %50 = tt.addptr %arg0, %49 : !tt.ptr<f32>, i32
      %51 = tt.splat %50 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %52 = tt.addptr %51, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %53 = tt.splat %48 : i1 -> tensor<32xi1, #blocked>
      %54 = arith.andi %53, %2 : tensor<32xi1, #blocked>
      %55 = tt.load %52, %54 : tensor<32x!tt.ptr<f32>, #blocked>
      %56 = arith.addi %arg5, %c2_i32 : i32
      %57 = arith.addi %arg2, %56 : i32
      %58 = arith.cmpi slt, %57, %arg3 : i32
      %59 = arith.muli %57, %arg4 : i32
      %60 = tt.addptr %arg0, %59 : !tt.ptr<f32>, i32
      %61 = tt.splat %60 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %62 = tt.addptr %61, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %63 = tt.splat %58 : i1 -> tensor<32xi1, #blocked>
      %64 = arith.andi %63, %2 : tensor<32xi1, #blocked>
      %65 = tt.load %62, %64 : tensor<32x!tt.ptr<f32>, #blocked>
      %66 = arith.addi %arg5, %c3_i32 : i32
      %67 = arith.addi %arg2, %66 : i32
      %68 = arith.cmpi slt, %67, %arg3 : i32
      %69 = arith.muli %67, %arg4 : i32
      %70 = tt.addptr %arg0, %69 : !tt.ptr<f32>, i32
      %71 = tt.splat %70 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %72 = tt.addptr %71, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %73 = tt.splat %68 : i1 -> tensor<32xi1, #blocked>
      %74 = arith.andi %73, %2 : tensor<32xi1, #blocked>
      %75 = tt.load %72, %74 : tensor<32x!tt.ptr<f32>, #blocked>
      %76 = arith.addi %arg5, %c4_i32 : i32
      %77 = arith.addi %arg2, %76 : i32
      %78 = arith.cmpi slt, %77, %arg3 : i32
      %79 = arith.muli %77, %arg4 : i32
      %80 = tt.addptr %arg0, %79 : !tt.ptr<f32>, i32
      %81 = tt.splat %80 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %82 = tt.addptr %81, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %83 = tt.splat %78 : i1 -> tensor<32xi1, #blocked>
      %84 = arith.andi %83, %2 : tensor<32xi1, #blocked>
      %85 = tt.load %82, %84 : tensor<32x!tt.ptr<f32>, #blocked>
      %86 = arith.addi %arg5, %c5_i32 : i32
      %87 = arith.addi %arg2, %86 : i32
      %88 = arith.cmpi slt, %87, %arg3 : i32
      %89 = arith.muli %87, %arg4 : i32
      %90 = tt.addptr %arg0, %89 : !tt.ptr<f32>, i32
      %91 = tt.splat %90 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %92 = tt.addptr %91, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %93 = tt.splat %88 : i1 -> tensor<32xi1, #blocked>
      %94 = arith.andi %93, %2 : tensor<32xi1, #blocked>
      %95 = tt.load %92, %94 : tensor<32x!tt.ptr<f32>, #blocked>
      %96 = arith.addi %arg5, %c6_i32 : i32
      %97 = arith.addi %arg2, %96 : i32
      %98 = arith.cmpi slt, %97, %arg3 : i32
      %99 = arith.muli %97, %arg4 : i32
      %100 = tt.addptr %arg0, %99 : !tt.ptr<f32>, i32
      %101 = tt.splat %100 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %102 = tt.addptr %101, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %103 = tt.splat %98 : i1 -> tensor<32xi1, #blocked>
      %104 = arith.andi %103, %2 : tensor<32xi1, #blocked>
      %105 = tt.load %102, %104 : tensor<32x!tt.ptr<f32>, #blocked>
      %106 = arith.addi %arg5, %c7_i32 : i32
      %107 = arith.addi %arg2, %106 : i32
      %108 = arith.cmpi slt, %107, %arg3 : i32
      %109 = arith.muli %107, %arg4 : i32
      %110 = tt.addptr %arg0, %109 : !tt.ptr<f32>, i32
      %111 = tt.splat %110 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %112 = tt.addptr %111, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %113 = tt.splat %108 : i1 -> tensor<32xi1, #blocked>
      %114 = arith.andi %113, %2 : tensor<32xi1, #blocked>
      %115 = tt.load %112, %114 : tensor<32x!tt.ptr<f32>, #blocked>
      tt.store %45, %40, %38 : tensor<32x!tt.ptr<f32>, #blocked>
      %116 = tt.addptr %arg1, %47 : !tt.ptr<f32>, i32
      %117 = tt.splat %116 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %118 = tt.addptr %117, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %118, %55, %53 : tensor<32x!tt.ptr<f32>, #blocked>
      %119 = tt.addptr %arg1, %57 : !tt.ptr<f32>, i32
      %120 = tt.splat %119 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %121 = tt.addptr %120, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %121, %65, %63 : tensor<32x!tt.ptr<f32>, #blocked>
      %122 = tt.addptr %arg1, %67 : !tt.ptr<f32>, i32
      %123 = tt.splat %122 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %124 = tt.addptr %123, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %124, %75, %73 : tensor<32x!tt.ptr<f32>, #blocked>
      %125 = tt.addptr %arg1, %77 : !tt.ptr<f32>, i32
      %126 = tt.splat %125 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %127 = tt.addptr %126, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %127, %85, %83 : tensor<32x!tt.ptr<f32>, #blocked>
      %128 = tt.addptr %arg1, %87 : !tt.ptr<f32>, i32
      %129 = tt.splat %128 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %130 = tt.addptr %129, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %130, %95, %93 : tensor<32x!tt.ptr<f32>, #blocked>
      %131 = tt.addptr %arg1, %97 : !tt.ptr<f32>, i32
      %132 = tt.splat %131 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %133 = tt.addptr %132, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %133, %105, %103 : tensor<32x!tt.ptr<f32>, #blocked>
      %134 = tt.addptr %arg1, %107 : !tt.ptr<f32>, i32
      %135 = tt.splat %134 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %136 = tt.addptr %135, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %136, %115, %113 : tensor<32x!tt.ptr<f32>, #blocked>
    }
    scf.for %arg5 = %31 to %c16_i32 step %c1_i32  : i32 {
      %32 = arith.addi %arg2, %arg5 : i32
      %33 = arith.cmpi slt, %32, %arg3 : i32
      %34 = arith.muli %32, %arg4 : i32
      %35 = tt.addptr %arg0, %34 : !tt.ptr<f32>, i32
      %36 = tt.splat %35 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %37 = tt.addptr %36, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %38 = tt.splat %33 : i1 -> tensor<32xi1, #blocked>
      %39 = arith.andi %38, %2 : tensor<32xi1, #blocked>
      %40 = tt.load %37, %39 : tensor<32x!tt.ptr<f32>, #blocked>
      %41 = tt.splat %arg4 : i32 -> tensor<32xi32, #blocked>
      %42 = arith.muli %0, %41 : tensor<32xi32, #blocked>
      %43 = tt.addptr %arg1, %32 : !tt.ptr<f32>, i32
      %44 = tt.splat %43 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %45 = tt.addptr %44, %42 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      tt.store %45, %40, %38 : tensor<32x!tt.ptr<f32>, #blocked>
    } {tk.written_once}
    tt.return
  }
  tt.func public @in_place(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.maxsi %arg1, %c0_i32 : i32
    %1 = arith.remui %0, %c4_i32 : i32
    %2 = arith.subi %0, %1 : i32
    scf.for %arg3 = %c0_i32 to %2 step %c4_i32  : i32 {
      %8 = arith.cmpi sge, %arg3, %arg2 : i32
      %9 = tt.addptr %arg0, %arg3 : !tt.ptr<f32>, i32
      %10 = arith.cmpi ne, %arg3, %c1_i32 : i32
      %11 = arith.andi %8, %10 : i1
      %12 = tt.load %9, %11, %cst : !tt.ptr<f32>
      %13 = arith.addf %12, %12 : f32
      %14 = arith.addi %arg3, %c1_i32 : i32
      %15 = arith.cmpi sge, %14, %arg2 : i32
      %16 = tt.addptr %arg0, %14 : !tt.ptr<f32>, i32
      %17 = arith.cmpi ne, %14, %c1_i32 : i32
      %18 = arith.andi %15, %17 : i1
      %19 = tt.load %16, %18, %cst : !tt.ptr<f32>
      %20 = arith.addi %arg3, %c2_i32 : i32
      %21 = arith.cmpi sge, %20, %arg2 : i32
      %22 = tt.addptr %arg0, %20 : !tt.ptr<f32>, i32
      %23 = tt.load %22, %21, %cst : !tt.ptr<f32>
      %24 = arith.addi %arg3, %c3_i32 : i32
      %25 = arith.cmpi sge, %24, %arg2 : i32
      %26 = tt.addptr %arg0, %24 : !tt.ptr<f32>, i32
      %27 = tt.load %26, %25, %cst : !tt.ptr<f32>
      tt.store %9, %13, %8 : !tt.ptr<f32>
      %28 = arith.addf %19, %19 : f32
      tt.store %16, %28, %15 : !tt.ptr<f32>
      %29 = arith.addf %23, %23 : f32
      tt.store %22, %29, %21 : !tt.ptr<f32>
      %30 = arith.addf %27, %27 : f32
      tt.store %26, %30, %25 : !tt.ptr<f32>
    }
    %3 = arith.andi %1, %c2_i32 : i32
    %4 = arith.cmpi ne, %3, %c0_i32 : i32
    scf.if %4 {
      %8 = arith.cmpi sge, %2, %arg2 : i32
      %9 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
      %10 = arith.cmpi ne, %2, %c1_i32 : i32
      %11 = arith.andi %8, %10 : i1
      %12 = tt.load %9, %11, %cst : !tt.ptr<f32>
      %13 = arith.addf %12, %12 : f32
      tt.store %9, %13, %8 : !tt.ptr<f32>
      %14 = arith.addi %2, %c1_i32 : i32
      %15 = arith.cmpi sge, %14, %arg2 : i32
      %16 = tt.addptr %arg0, %14 : !tt.ptr<f32>, i32
      %17 = arith.cmpi ne, %14, %c1_i32 : i32
      %18 = arith.andi %15, %17 : i1
      %19 = tt.load %16, %18, %cst : !tt.ptr<f32>
      %20 = arith.addf %19, %19 : f32
      tt.store %16, %20, %15 : !tt.ptr<f32>
    }
    %5 = arith.addi %2, %3 : i32
    %6 = arith.andi %1, %c1_i32 : i32
    %7 = arith.cmpi ne, %6, %c0_i32 : i32
    scf.if %7 {
      %8 = arith.cmpi sge, %5, %arg2 : i32
      %9 = tt.addptr %arg0, %5 : !tt.ptr<f32>, i32
      %10 = arith.cmpi ne, %5, %c1_i32 : i32
      %11 = arith.andi %8, %10 : i1
      %12 = tt.load %9, %11, %cst : !tt.ptr<f32>
      %13 = arith.addf %12, %12 : f32
      tt.store %9, %13, %8 : !tt.ptr<f32>
    }
    tt.return
  }
  tt.func public @chosen(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<i32>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %0 = tt.addptr %arg2, %arg4 : !tt.ptr<i32>, i32
      %1 = tt.load %0 : !tt.ptr<i32>
      %2 = arith.cmpi ne, %1, %c0_i32 : i32
      scf.if %2 {
        %3 = tt.addptr %arg0, %arg4 : !tt.ptr<f32>, i32
        %4 = tt.load %3 : !tt.ptr<f32>
        %5 = tt.addptr %arg1, %arg4 : !tt.ptr<f32>, i32
        tt.store %5, %4 : !tt.ptr<f32>
      }
    }
    tt.return
  }
  tt.func public @divided(%arg0: !tt.ptr<i32>, %arg1: !tt.ptr<i32>, %arg2: i32, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %0 = arith.cmpi slt, %arg4, %arg2 : i32
      scf.if %0 {
        %1 = tt.addptr %arg0, %arg4 : !tt.ptr<i32>, i32
        %2 = tt.load %1 : !tt.ptr<i32>
        %3 = arith.divsi %2, %arg2 : i32
        %4 = tt.addptr %arg1, %arg4 : !tt.ptr<i32>, i32
        tt.store %4, %3 : !tt.ptr<i32>
      }
    }
    tt.return
  }
  tt.func public @far(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i64) {
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #blocked>
    %1 = arith.extsi %0 : tensor<32xi32, #blocked> to tensor<32xi64, #blocked>
    %2 = tt.splat %arg3 : i64 -> tensor<32xi64, #blocked>
    %3 = arith.muli %1, %2 : tensor<32xi64, #blocked>
    %4 = arith.maxsi %arg2, %c0_i32 : i32
    %5 = arith.remui %4, %c4_i32 : i32
    %6 = arith.subi %4, %5 : i32
    scf.for %arg4 = %c0_i32 to %6 step %c4_i32  : i32 {
      %12 = tt.addptr %arg0, %arg4 : !tt.ptr<f32>, i32
      %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %14 = tt.addptr %13, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %15 = tt.load %14 : tensor<32x!tt.ptr<f32>, #blocked>
      %16 = tt.addptr %arg1, %arg4 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %3 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi64, #blocked>
      tt.store %18, %15 : tensor<32x!tt.ptr<f32>, #blocked>
      %19 = arith.addi %arg4, %c1_i32 : i32
      %20 = tt.addptr %arg0, %19 : !tt.ptr<f32>, i32
      %21 = tt.splat %20 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %22 = tt.addptr %21, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %23 = tt.load %22 : tensor<32x!tt.ptr<f32>, #blocked>
      %24 = tt.addptr %arg1, %19 : !tt.ptr<f32>, i32
      %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %26 = tt.addptr %25, %3 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi64, #blocked>
      tt.store %26, %23 : tensor<32x!tt.ptr<f32>, #blocked>
      %27 = arith.addi %arg4, %c2_i32 : i32
      %28 = tt.addptr %arg0, %27 : !tt.ptr<f32>, i32
      %29 = tt.splat %28 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %30 = tt.addptr %29, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %31 = tt.load %30 : tensor<32x!tt.ptr<f32>, #blocked>
      %32 = tt.addptr %arg1, %27 : !tt.ptr<f32>, i32
      %33 = tt.splat %32 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %34 = tt.addptr %33, %3 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi64, #blocked>
      tt.store %34, %31 : tensor<32x!tt.ptr<f32>, #blocked>
      %35 = arith.addi %arg4, %c3_i32 : i32
      %36 = tt.addptr %arg0, %35 : !tt.ptr<f32>, i32
      %37 = tt.splat %36 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %38 = tt.addptr %37, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %39 = tt.load %38 : tensor<32x!tt.ptr<f32>, #blocked>
      %40 = tt.addptr %arg1, %35 : !tt.ptr<f32>, i32
      %41 = tt.splat %40 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %42 = tt.addptr %41, %3 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi64, #blocked>
      tt.store %42, %39 : tensor<32x!tt.ptr<f32>, #blocked>
    }
    %7 = arith.andi %5, %c2_i32 : i32
    %8 = arith.cmpi ne, %7, %c0_i32 : i32
    scf.if %8 {
      %12 = tt.addptr %arg0, %6 : !tt.ptr<f32>, i32
      %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %14 = tt.addptr %13, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %15 = tt.load %14 : tensor<32x!tt.ptr<f32>, #blocked>
      %16 = tt.addptr %arg1, %6 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %3 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi64, #blocked>
      tt.store %18, %15 : tensor<32x!tt.ptr<f32>, #blocked>
      %19 = arith.addi %6, %c1_i32 : i32
      %20 = tt.addptr %arg0, %19 : !tt.ptr<f32>, i32
      %21 = tt.splat %20 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %22 = tt.addptr %21, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %23 = tt.load %22 : tensor<32x!tt.ptr<f32>, #blocked>
      %24 = tt.addptr %arg1, %19 : !tt.ptr<f32>, i32
      %25 = tt.splat %24 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %26 = tt.addptr %25, %3 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi64, #blocked>
      tt.store %26, %23 : tensor<32x!tt.ptr<f32>, #blocked>
    }
    %9 = arith.addi %6, %7 : i32
    %10 = arith.andi %5, %c1_i32 : i32
    %11 = arith.cmpi ne, %10, %c0_i32 : i32
    scf.if %11 {
      %12 = tt.addptr %arg0, %9 : !tt.ptr<f32>, i32
      %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %14 = tt.addptr %13, %0 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi32, #blocked>
      %15 = tt.load %14 : tensor<32x!tt.ptr<f32>, #blocked>
      %16 = tt.addptr %arg1, %9 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>, #blocked>
      %18 = tt.addptr %17, %3 : tensor<32x!tt.ptr<f32>, #blocked>, tensor<32xi64, #blocked>
      tt.store %18, %15 : tensor<32x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
}

