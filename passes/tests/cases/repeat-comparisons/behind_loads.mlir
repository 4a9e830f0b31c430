// passes: repeat-comparisons
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Eight answers: the second load of what the first one brought is too soon for a comparison of its own, the third and the stores behind it are not.
  tt.func public @chain(%x: !tt.ptr<i32>, %y: tensor<256x!tt.ptr<i32>, #blocked>, %start: i32, %n: i32) {
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %s = tt.splat %start : i32 -> tensor<256xi32, #blocked>
    %place = arith.addi %s, %r : tensor<256xi32, #blocked>
    %limit = tt.splat %n : i32 -> tensor<256xi32, #blocked>
    %mask = arith.cmpi slt, %place, %limit : tensor<256xi32, #blocked>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %pa = tt.addptr %p, %place : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %a = tt.load %pa, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    %pb = tt.addptr %p, %a : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %b = tt.load %pb, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    %pc = tt.addptr %p, %b : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %c = tt.load %pc, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    tt.store %y, %a, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    tt.store %y, %c, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
  // Sixteen operations are between; a load that waits for none keeps its comparison, wherever it stands. The limit may be on the left.
  tt.func public @computed(%x: tensor<256x!tt.ptr<i32>, #blocked>, %y: tensor<256x!tt.ptr<i32>, #blocked>, %n: i32) {
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %limit = tt.splat %n : i32 -> tensor<256xi32, #blocked>
    %mask = arith.cmpi sgt, %limit, %r : tensor<256xi32, #blocked>
    %a = tt.load %x, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    %1 = arith.muli %a, %a : tensor<256xi32, #blocked>
    %2 = arith.addi %1, %a : tensor<256xi32, #blocked>
    %3 = arith.muli %2, %a : tensor<256xi32, #blocked>
    %4 = arith.addi %3, %a : tensor<256xi32, #blocked>
    %5 = arith.muli %4, %a : tensor<256xi32, #blocked>
    %6 = arith.addi %5, %a : tensor<256xi32, #blocked>
    %7 = arith.muli %6, %a : tensor<256xi32, #blocked>
    %8 = arith.addi %7, %a : tensor<256xi32, #blocked>
    %9 = arith.muli %8, %a : tensor<256xi32, #blocked>
    %10 = arith.addi %9, %a : tensor<256xi32, #blocked>
    %11 = arith.muli %10, %a : tensor<256xi32, #blocked>
    %12 = arith.addi %11, %a : tensor<256xi32, #blocked>
    %13 = arith.muli %12, %a : tensor<256xi32, #blocked>
    %14 = arith.addi %13, %a : tensor<256xi32, #blocked>
    %15 = arith.muli %14, %a : tensor<256xi32, #blocked>
    %b = tt.load %y, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    %16 = arith.addi %15, %b : tensor<256xi32, #blocked>
    tt.store %x, %16, %mask : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
  // Few operations between, what is selected by the mask, limits for each element, and loops stay.
  tt.func public @stay(%x: !tt.ptr<i32>, %y: tensor<256x!tt.ptr<i32>, #blocked>, %limits: tensor<256xi32, #blocked>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %limit = tt.splat %n : i32 -> tensor<256xi32, #blocked>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %few = arith.cmpi slt, %r, %limit : tensor<256xi32, #blocked>
    %a = tt.load %y, %few : tensor<256x!tt.ptr<i32>, #blocked>
    %a2 = arith.addi %a, %a : tensor<256xi32, #blocked>
    tt.store %y, %a2, %few : tensor<256x!tt.ptr<i32>, #blocked>
    %selecting = arith.cmpi slt, %r, %limit : tensor<256xi32, #blocked>
    %b = tt.load %y, %selecting : tensor<256x!tt.ptr<i32>, #blocked>
    %b2 = arith.select %selecting, %b, %r : tensor<256xi1, #blocked>, tensor<256xi32, #blocked>
    %pb = tt.addptr %p, %b2 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %b3 = tt.load %pb, %selecting : tensor<256x!tt.ptr<i32>, #blocked>
    tt.store %y, %b3, %selecting : tensor<256x!tt.ptr<i32>, #blocked>
    %of_each = arith.cmpi slt, %r, %limits : tensor<256xi32, #blocked>
    %d = tt.load %y, %of_each : tensor<256x!tt.ptr<i32>, #blocked>
    %pd = tt.addptr %p, %d : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %d2 = tt.load %pd, %of_each : tensor<256x!tt.ptr<i32>, #blocked>
    tt.store %y, %d2, %of_each : tensor<256x!tt.ptr<i32>, #blocked>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %looped = arith.cmpi slt, %r, %limit : tensor<256xi32, #blocked>
      %e = tt.load %y, %looped : tensor<256x!tt.ptr<i32>, #blocked>
      %pe = tt.addptr %p, %e : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
      %e2 = tt.load %pe, %looped : tensor<256x!tt.ptr<i32>, #blocked>
      tt.store %y, %e2, %looped : tensor<256x!tt.ptr<i32>, #blocked>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @chain(%arg0: !tt.ptr<i32>, %arg1: tensor<256x!tt.ptr<i32>, #blocked>, %arg2: i32, %arg3: i32) {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %2 = arith.addi %1, %0 : tensor<256xi32, #blocked>
    %3 = tt.splat %arg3 : i32 -> tensor<256xi32, #blocked>
    %4 = arith.cmpi slt, %2, %3 : tensor<256xi32, #blocked>
    %5 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %6 = tt.addptr %5, %2 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %7 = tt.load %6, %4 : tensor<256x!tt.ptr<i32>, #blocked>
    %8 = tt.addptr %5, %7 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %9 = tt.load %8, %4 : tensor<256x!tt.ptr<i32>, #blocked>
    %10 = tt.addptr %5, %9 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %11 = arith.cmpi slt, %2, %3 {tk.distance = 0 : i32} : tensor<256xi32, #blocked>
    %12 = tt.load %10, %11 : tensor<256x!tt.ptr<i32>, #blocked>
    tt.store %arg1, %7, %11 : tensor<256x!tt.ptr<i32>, #blocked>
    %13 = arith.cmpi slt, %2, %3 {tk.distance = 1 : i32} : tensor<256xi32, #blocked>
    tt.store %arg1, %12, %13 : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @computed(%arg0: tensor<256x!tt.ptr<i32>, #blocked>, %arg1: tensor<256x!tt.ptr<i32>, #blocked>, %arg2: i32) {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %2 = arith.cmpi sgt, %1, %0 : tensor<256xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<256x!tt.ptr<i32>, #blocked>
    %4 = arith.muli %3, %3 : tensor<256xi32, #blocked>
    %5 = arith.addi %4, %3 : tensor<256xi32, #blocked>
    %6 = arith.muli %5, %3 : tensor<256xi32, #blocked>
    %7 = arith.addi %6, %3 : tensor<256xi32, #blocked>
    %8 = arith.muli %7, %3 : tensor<256xi32, #blocked>
    %9 = arith.addi %8, %3 : tensor<256xi32, #blocked>
    %10 = arith.muli %9, %3 : tensor<256xi32, #blocked>
    %11 = arith.addi %10, %3 : tensor<256xi32, #blocked>
    %12 = arith.muli %11, %3 : tensor<256xi32, #blocked>
    %13 = arith.addi %12, %3 : tensor<256xi32, #blocked>
    %14 = arith.muli %13, %3 : tensor<256xi32, #blocked>
    %15 = arith.addi %14, %3 : tensor<256xi32, #blocked>
    %16 = arith.muli %15, %3 : tensor<256xi32, #blocked>
    %17 = arith.addi %16, %3 : tensor<256xi32, #blocked>
    %18 = arith.muli %17, %3 : tensor<256xi32, #blocked>
    %19 = tt.load %arg1, %2 : tensor<256x!tt.ptr<i32>, #blocked>
    %20 = arith.addi %18, %19 : tensor<256xi32, #blocked>
    %21 = arith.cmpi sgt, %1, %0 {tk.distance = 0 : i32} : tensor<256xi32, #blocked>
    tt.store %arg0, %20, %21 : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @stay(%arg0: !tt.ptr<i32>, %arg1: tensor<256x!tt.ptr<i32>, #blocked>, %arg2: tensor<256xi32, #blocked>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg3 : i32 -> tensor<256xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %3 = arith.cmpi slt, %0, %1 : tensor<256xi32, #blocked>
    %4 = tt.load %arg1, %3 : tensor<256x!tt.ptr<i32>, #blocked>
    %5 = arith.addi %4, %4 : tensor<256xi32, #blocked>
    tt.store %arg1, %5, %3 : tensor<256x!tt.ptr<i32>, #blocked>
    %6 = arith.cmpi slt, %0, %1 : tensor<256xi32, #blocked>
    %7 = tt.load %arg1, %6 : tensor<256x!tt.ptr<i32>, #blocked>
    %8 = arith.select %6, %7, %0 : tensor<256xi1, #blocked>, tensor<256xi32, #blocked>
    %9 = tt.addptr %2, %8 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %10 = tt.load %9, %6 : tensor<256x!tt.ptr<i32>, #blocked>
    tt.store %arg1, %10, %6 : tensor<256x!tt.ptr<i32>, #blocked>
    %11 = arith.cmpi slt, %0, %arg2 : tensor<256xi32, #blocked>
    %12 = tt.load %arg1, %11 : tensor<256x!tt.ptr<i32>, #blocked>
    %13 = tt.addptr %2, %12 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    %14 = tt.load %13, %11 : tensor<256x!tt.ptr<i32>, #blocked>
    tt.store %arg1, %14, %11 : tensor<256x!tt.ptr<i32>, #blocked>
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %15 = arith.cmpi slt, %0, %1 : tensor<256xi32, #blocked>
      %16 = tt.load %arg1, %15 : tensor<256x!tt.ptr<i32>, #blocked>
      %17 = tt.addptr %2, %16 : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
      %18 = tt.load %17, %15 : tensor<256x!tt.ptr<i32>, #blocked>
      tt.store %arg1, %18, %15 : tensor<256x!tt.ptr<i32>, #blocked>
    }
    tt.return
  }
}

