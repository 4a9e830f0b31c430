// passes: leave-early
// grid: few
// counts: {tk.leave} 0
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A multiprocessor has few warps: nobody waits for the slots of those without work.
  tt.func public @row(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
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
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @row(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

