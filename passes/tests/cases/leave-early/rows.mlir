// passes: leave-early
// counts: {tk.leave} 4
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#tile = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
#columns = #ttg.slice<{dim = 0, parent = #tile}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Half of a row: what the comparison is computed from goes before the divisions of the program.
  tt.func public @half(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %size: i32, %heads: i32, %rows: i32) {
    %c2 = arith.constant 2 : i32
    %pid = tt.get_program_id x : i32
    %head = arith.divsi %pid, %heads : i32
    %row = arith.divsi %pid, %rows : i32
    %first = arith.muli %head, %row : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %px = tt.addptr %x, %first : !tt.ptr<f32>, i32
    %pxs = tt.splat %px : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #line>
    %p = tt.addptr %pxs, %range : tensor<128x!tt.ptr<f32>, #line>, tensor<128xi32, #line>
    %half = arith.divsi %size, %c2 : i32
    %bound = tt.splat %half : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %p, %inside : tensor<128x!tt.ptr<f32>, #line>
    %w = arith.addf %v, %v : tensor<128xf32, #line>
    %py = tt.addptr %y, %first : !tt.ptr<f32>, i32
    %pys = tt.splat %py : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #line>
    %q = tt.addptr %pys, %range : tensor<128x!tt.ptr<f32>, #line>, tensor<128xi32, #line>
    tt.store %q, %w, %inside : tensor<128x!tt.ptr<f32>, #line>
    tt.return
  }
  // Two elements of a thread, in a loop whose mask has a comparison of its own; a store under more than that, and an atomic operation without an order.
  tt.func public @loop(%x: tensor<256x!tt.ptr<i32>, #pairs>, %flags: tensor<256xi1, #pairs>, %size: i32, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #pairs>
    %bound = tt.splat %size : i32 -> tensor<256xi32, #pairs>
    %inside = arith.cmpi sgt, %bound, %range : tensor<256xi32, #pairs>
    %both = arith.andi %flags, %inside : tensor<256xi1, #pairs>
    scf.for %i = %c0 to %n step %c1 : i32 {
      %again = arith.cmpi sgt, %bound, %range {tk.every_iteration} : tensor<256xi32, #pairs>
      %v = tt.load %x, %again : tensor<256x!tt.ptr<i32>, #pairs>
      %a = arith.divsi %v, %range : tensor<256xi32, #pairs>
      %b = arith.divsi %a, %v : tensor<256xi32, #pairs>
      tt.store %x, %b, %both : tensor<256x!tt.ptr<i32>, #pairs>
      %old = tt.atomic_rmw add, relaxed, gpu, %x, %a, %again : (tensor<256x!tt.ptr<i32>, #pairs>, tensor<256xi32, #pairs>, tensor<256xi1, #pairs>) -> tensor<256xi32, #pairs>
    }
    tt.return
  }
  // The columns of a block, which each of its rows has in the same threads.
  tt.func public @block(%x: tensor<2x128x!tt.ptr<i32>, #tile>, %some: tensor<2x128xi1, #tile>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #columns>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #columns>
    %inside = arith.cmpi ult, %range, %bound : tensor<128xi32, #columns>
    %row = tt.expand_dims %inside {axis = 0 : i32} : tensor<128xi1, #columns> -> tensor<1x128xi1, #tile>
    %all = tt.broadcast %row : tensor<1x128xi1, #tile> -> tensor<2x128xi1, #tile>
    %mask = arith.andi %all, %some : tensor<2x128xi1, #tile>
    %v = tt.load %x, %mask : tensor<2x128x!tt.ptr<i32>, #tile>
    %a = arith.divsi %v, %v : tensor<2x128xi32, #tile>
    %b = arith.divsi %a, %v : tensor<2x128xi32, #tile>
    tt.store %x, %b, %mask : tensor<2x128x!tt.ptr<i32>, #tile>
    tt.return
  }
  // A number that is known, with two warps beyond it.
  tt.func public @known(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %c64 = arith.constant dense<64> : tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %c64 : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @half(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32, %arg4: i32) {
    %c2_i32 = arith.constant 2 : i32
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = arith.divsi %arg2, %c2_i32 : i32
    %2 = tt.splat %1 : i32 -> tensor<128xi32, #blocked>
    %3 = arith.cmpi slt, %0, %2 {tk.leave} : tensor<128xi32, #blocked>
    %4 = tt.get_program_id x : i32
    %5 = arith.divsi %4, %arg3 : i32
    %6 = arith.divsi %4, %arg4 : i32
    %7 = arith.muli %5, %6 : i32
    %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
    %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %11 = tt.load %10, %3 : tensor<128x!tt.ptr<f32>, #blocked>
    %12 = arith.addf %11, %11 : tensor<128xf32, #blocked>
    %13 = tt.addptr %arg1, %7 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %15 = tt.addptr %14, %0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %15, %12, %3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @loop(%arg0: tensor<256x!tt.ptr<i32>, #blocked1>, %arg1: tensor<256xi1, #blocked1>, %arg2: i32, %arg3: i32) {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked1>
    %1 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked1>
    %2 = arith.cmpi sgt, %1, %0 {tk.leave} : tensor<256xi32, #blocked1>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %3 = arith.andi %arg1, %2 : tensor<256xi1, #blocked1>
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %4 = arith.cmpi sgt, %1, %0 {tk.every_iteration} : tensor<256xi32, #blocked1>
      %5 = tt.load %arg0, %4 : tensor<256x!tt.ptr<i32>, #blocked1>
      %6 = arith.divsi %5, %0 : tensor<256xi32, #blocked1>
      %7 = arith.divsi %6, %5 : tensor<256xi32, #blocked1>
      tt.store %arg0, %7, %3 : tensor<256x!tt.ptr<i32>, #blocked1>
      %8 = tt.atomic_rmw add, relaxed, gpu, %arg0, %6, %4 : (tensor<256x!tt.ptr<i32>, #blocked1>, tensor<256xi32, #blocked1>, tensor<256xi1, #blocked1>) -> tensor<256xi32, #blocked1>
    }
    tt.return
  }
  tt.func public @block(%arg0: tensor<2x128x!tt.ptr<i32>, #blocked2>, %arg1: tensor<2x128xi1, #blocked2>, %arg2: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %1 = tt.splat %arg2 : i32 -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %2 = arith.cmpi ult, %0, %1 {tk.leave} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi1, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x128xi1, #blocked2>
    %4 = tt.broadcast %3 : tensor<1x128xi1, #blocked2> -> tensor<2x128xi1, #blocked2>
    %5 = arith.andi %4, %arg1 : tensor<2x128xi1, #blocked2>
    %6 = tt.load %arg0, %5 : tensor<2x128x!tt.ptr<i32>, #blocked2>
    %7 = arith.divsi %6, %6 : tensor<2x128xi32, #blocked2>
    %8 = arith.divsi %7, %6 : tensor<2x128xi32, #blocked2>
    tt.store %arg0, %8, %5 : tensor<2x128x!tt.ptr<i32>, #blocked2>
    tt.return
  }
  tt.func public @known(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %cst = arith.constant dense<64> : tensor<128xi32, #blocked>
    %1 = arith.cmpi slt, %0, %cst {tk.leave} : tensor<128xi32, #blocked>
    %2 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %1 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    tt.store %arg0, %6, %1 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

