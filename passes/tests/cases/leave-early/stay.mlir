// passes: leave-early
// counts: {tk.leave} 0
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#others = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A store without the comparison, or with another one.
  tt.func public @unmasked(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %x, %b : tensor<128x!tt.ptr<i32>, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @others(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32, %m: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %other = tt.splat %m : i32 -> tensor<128xi32, #line>
    %below = arith.cmpi slt, %range, %other : tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %x, %b, %below : tensor<128x!tt.ptr<i32>, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @either(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32, %some: tensor<128xi1, #line>) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %low = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %inside = arith.ori %low, %some : tensor<128xi1, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  // The first thread stores a number.
  tt.func public @number(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32, %p: !tt.ptr<i32>, %flag: i1) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %p, %n, %flag : !tt.ptr<i32>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  // Threads meet, also for the order of an atomic operation, or exchange elements.
  tt.func public @meeting(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    gpu.barrier
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @ordered(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    %old = tt.atomic_rmw add, acq_rel, gpu, %x, %b, %inside : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>, tensor<128xi1, #line>) -> tensor<128xi32, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @turned(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    %f = ttg.convert_layout %b : tensor<128xi32, #line> -> tensor<128xi32, #others>
    %g = ttg.convert_layout %f : tensor<128xi32, #others> -> tensor<128xi32, #line>
    tt.store %x, %g, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @summed(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32, %p: !tt.ptr<i32>) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    %s = "tt.reduce"(%b) <{axis = 0 : i32}> ({
    ^bb0(%l: i32, %r: i32):
      %t = arith.addi %l, %r : i32
      tt.reduce.return %t : i32
    }) : (tensor<128xi32, #line>) -> i32
    %ss = tt.splat %s : i32 -> tensor<128xi32, #line>
    tt.store %x, %ss, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @shuffled(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    %same = arith.cmpi slt, %range, %bound {tk.again = 1 : i32} : tensor<128xi32, #line>
    %z = tt.load %x, %same : tensor<128x!tt.ptr<i32>, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  // Others may see the load.
  tt.func public @observed(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside {isVolatile = true} : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  // Where the program stands in the row decides; so does what is loaded.
  tt.func public @program(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %pid = tt.get_program_id x : i32
    %c128 = arith.constant 128 : i32
    %first = arith.muli %pid, %c128 : i32
    %firsts = tt.splat %first : i32 -> tensor<128xi32, #line>
    %place = arith.addi %firsts, %range : tensor<128xi32, #line>
    %inside = arith.cmpi slt, %place, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @loaded(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32, %p: !tt.ptr<i32>) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %size = tt.load %p : !tt.ptr<i32>
    %sizes = tt.splat %size : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %sizes : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<128xi32, #line>
    %b = arith.divsi %a, %v : tensor<128xi32, #line>
    %c = arith.divsi %b, %v : tensor<128xi32, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  // Few instructions.
  tt.func public @few(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<128xi32, #line>
    %v = tt.load %x, %inside : tensor<128x!tt.ptr<i32>, #line>
    %c = arith.addi %v, %range : tensor<128xi32, #line>
    tt.store %x, %c, %inside : tensor<128x!tt.ptr<i32>, #line>
    tt.return
  }
  // Each thread has an element of the first half of the row, or the last warp has elements.
  tt.func public @wrapped(%x: tensor<256x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<256xi32, #line>
    %inside = arith.cmpi slt, %range, %bound : tensor<256xi32, #line>
    %v = tt.load %x, %inside : tensor<256x!tt.ptr<i32>, #line>
    %a = arith.divsi %v, %range : tensor<256xi32, #line>
    %b = arith.divsi %a, %v : tensor<256xi32, #line>
    %c = arith.divsi %b, %v : tensor<256xi32, #line>
    tt.store %x, %c, %inside : tensor<256x!tt.ptr<i32>, #line>
    tt.return
  }
  tt.func public @reached(%x: tensor<128x!tt.ptr<i32>, #line>, %n: i32) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %bound = tt.splat %n : i32 -> tensor<128xi32, #line>
    %c100 = arith.constant dense<100> : tensor<128xi32, #line>
    %inside = arith.cmpi slt, %range, %c100 : tensor<128xi32, #line>
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
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @unmasked(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    tt.store %arg0, %5 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @others(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32, %arg2: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = tt.splat %arg2 : i32 -> tensor<128xi32, #blocked>
    %3 = arith.cmpi slt, %0, %2 : tensor<128xi32, #blocked>
    %4 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %5 = tt.load %arg0, %4 : tensor<128x!tt.ptr<i32>, #blocked>
    %6 = arith.divsi %5, %0 : tensor<128xi32, #blocked>
    %7 = arith.divsi %6, %5 : tensor<128xi32, #blocked>
    %8 = arith.divsi %7, %5 : tensor<128xi32, #blocked>
    tt.store %arg0, %7, %3 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.store %arg0, %8, %4 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @either(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32, %arg2: tensor<128xi1, #blocked>) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = arith.ori %2, %arg2 : tensor<128xi1, #blocked>
    %4 = tt.load %arg0, %3 : tensor<128x!tt.ptr<i32>, #blocked>
    %5 = arith.divsi %4, %0 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %4 : tensor<128xi32, #blocked>
    %7 = arith.divsi %6, %4 : tensor<128xi32, #blocked>
    tt.store %arg0, %7, %3 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @number(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32, %arg2: !tt.ptr<i32>, %arg3: i1) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    tt.store %arg2, %arg1, %arg3 : !tt.ptr<i32>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @meeting(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    gpu.barrier
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @ordered(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    %7 = tt.atomic_rmw add, acq_rel, gpu, %arg0, %5, %2 : (tensor<128x!tt.ptr<i32>, #blocked>, tensor<128xi32, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xi32, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @turned(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    %7 = ttg.convert_layout %5 : tensor<128xi32, #blocked> -> tensor<128xi32, #blocked1>
    %8 = ttg.convert_layout %7 : tensor<128xi32, #blocked1> -> tensor<128xi32, #blocked>
    tt.store %arg0, %8, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @summed(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32, %arg2: !tt.ptr<i32>) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    %7 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg3: i32, %arg4: i32):
      %9 = arith.addi %arg3, %arg4 : i32
      tt.reduce.return %9 : i32
    }) : (tensor<128xi32, #blocked>) -> i32
    %8 = tt.splat %7 : i32 -> tensor<128xi32, #blocked>
    tt.store %arg0, %8, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @shuffled(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    %7 = arith.cmpi slt, %0, %1 {tk.again = 1 : i32} : tensor<128xi32, #blocked>
    %8 = tt.load %arg0, %7 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @observed(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 {isVolatile = true} : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @program(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = tt.get_program_id x : i32
    %c128_i32 = arith.constant 128 : i32
    %3 = arith.muli %2, %c128_i32 : i32
    %4 = tt.splat %3 : i32 -> tensor<128xi32, #blocked>
    %5 = arith.addi %4, %0 : tensor<128xi32, #blocked>
    %6 = arith.cmpi slt, %5, %1 : tensor<128xi32, #blocked>
    %7 = tt.load %arg0, %6 : tensor<128x!tt.ptr<i32>, #blocked>
    %8 = arith.divsi %7, %0 : tensor<128xi32, #blocked>
    %9 = arith.divsi %8, %7 : tensor<128xi32, #blocked>
    %10 = arith.divsi %9, %7 : tensor<128xi32, #blocked>
    tt.store %arg0, %10, %6 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @loaded(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32, %arg2: !tt.ptr<i32>) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = tt.load %arg2 : !tt.ptr<i32>
    %3 = tt.splat %2 : i32 -> tensor<128xi32, #blocked>
    %4 = arith.cmpi slt, %0, %3 : tensor<128xi32, #blocked>
    %5 = tt.load %arg0, %4 : tensor<128x!tt.ptr<i32>, #blocked>
    %6 = arith.divsi %5, %0 : tensor<128xi32, #blocked>
    %7 = arith.divsi %6, %5 : tensor<128xi32, #blocked>
    %8 = arith.divsi %7, %5 : tensor<128xi32, #blocked>
    tt.store %arg0, %8, %4 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @few(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.addi %3, %0 : tensor<128xi32, #blocked>
    tt.store %arg0, %4, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @wrapped(%arg0: tensor<256x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<256xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<256xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<256x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<256xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<256xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<256xi32, #blocked>
    tt.store %arg0, %6, %2 : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @reached(%arg0: tensor<128x!tt.ptr<i32>, #blocked>, %arg1: i32) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32, #blocked>
    %cst = arith.constant dense<100> : tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %cst : tensor<128xi32, #blocked>
    %3 = tt.load %arg0, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    %4 = arith.divsi %3, %0 : tensor<128xi32, #blocked>
    %5 = arith.divsi %4, %3 : tensor<128xi32, #blocked>
    %6 = arith.divsi %5, %3 : tensor<128xi32, #blocked>
    tt.store %arg0, %6, %2 : tensor<128x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

