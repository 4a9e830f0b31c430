// passes: combine-updates
// counts: {tk.combines} 5
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#tile = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #tile}>
#columns = #ttg.slice<{dim = 0, parent = #tile}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Places that are computed from what is loaded, and from numbers of the program; chosen by a mask; converted; of what a loop carries.
  tt.func public @loaded(%numbers: tensor<256x!tt.ptr<i32>, #pairs>, %out: !tt.ptr<f32>, %size: i32, %x: tensor<256xf32, #pairs>, %y: tensor<256xf32, #line>, %mask: tensor<256xi1, #pairs>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0> : tensor<256xi32, #pairs>
    %n = tt.load %numbers, %mask : tensor<256x!tt.ptr<i32>, #pairs>
    %sizes = tt.splat %size : i32 -> tensor<256xi32, #pairs>
    %scaled = arith.muli %n, %sizes : tensor<256xi32, #pairs>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #pairs>
    %p = tt.addptr %base, %scaled : tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xi32, #pairs>
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x, %mask : (tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xf32, #pairs>, tensor<256xi1, #pairs>) -> tensor<256xf32, #pairs>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #pairs>
    %inside = arith.cmpi slt, %range, %sizes : tensor<256xi32, #pairs>
    %chosen = arith.select %inside, %n, %none : tensor<256xi1, #pairs>, tensor<256xi32, #pairs>
    %q = tt.addptr %base, %chosen : tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xi32, #pairs>
    %1 = tt.atomic_rmw fadd, relaxed, gpu, %q, %x, %mask : (tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xf32, #pairs>, tensor<256xi1, #pairs>) -> tensor<256xf32, #pairs>
    %line = ttg.convert_layout %q : tensor<256x!tt.ptr<f32>, #pairs> -> tensor<256x!tt.ptr<f32>, #line>
    %bits = tt.bitcast %q : tensor<256x!tt.ptr<f32>, #pairs> -> tensor<256x!tt.ptr<i32>, #pairs>
    %last = scf.for %i = %zero to %size step %one iter_args(%now = %n) -> (tensor<256xi32, #pairs>) : i32 {
      %r = tt.addptr %base, %now : tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xi32, #pairs>
      %4 = tt.atomic_rmw fadd, relaxed, gpu, %r, %x, %mask : (tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xf32, #pairs>, tensor<256xi1, #pairs>) -> tensor<256xf32, #pairs>
      %next = tt.load %numbers, %mask : tensor<256x!tt.ptr<i32>, #pairs>
      scf.yield %next : tensor<256xi32, #pairs>
    }
    tt.return
  }

  // What is loaded is seen in another layout, and as another type.
  tt.func public @views(%numbers: tensor<256x!tt.ptr<i32>, #pairs>, %out: !tt.ptr<f32>, %size: i32, %x: tensor<256xf32, #pairs>, %y: tensor<256xf32, #line>, %mask: tensor<256xi1, #pairs>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0> : tensor<256xi32, #pairs>
    %n = tt.load %numbers, %mask : tensor<256x!tt.ptr<i32>, #pairs>
    %sizes = tt.splat %size : i32 -> tensor<256xi32, #pairs>
    %scaled = arith.muli %n, %sizes : tensor<256xi32, #pairs>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #pairs>
    %p = tt.addptr %base, %scaled : tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xi32, #pairs>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #pairs>
    %inside = arith.cmpi slt, %range, %sizes : tensor<256xi32, #pairs>
    %chosen = arith.select %inside, %n, %none : tensor<256xi1, #pairs>, tensor<256xi32, #pairs>
    %q = tt.addptr %base, %chosen : tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xi32, #pairs>
    %line = ttg.convert_layout %q : tensor<256x!tt.ptr<f32>, #pairs> -> tensor<256x!tt.ptr<f32>, #line>
    %2 = tt.atomic_rmw fadd, relaxed, gpu, %line, %y : (tensor<256x!tt.ptr<f32>, #line>, tensor<256xf32, #line>) -> tensor<256xf32, #line>
    %bits = tt.bitcast %q : tensor<256x!tt.ptr<f32>, #pairs> -> tensor<256x!tt.ptr<i32>, #pairs>
    %3 = tt.atomic_rmw max, relaxed, gpu, %bits, %range, %mask : (tensor<256x!tt.ptr<i32>, #pairs>, tensor<256xi32, #pairs>, tensor<256xi1, #pairs>) -> tensor<256xi32, #pairs>
    tt.return
  }

  // Six elements of a thread in one block: nothing is marked.
  tt.func public @many_beside(%numbers: tensor<256x!tt.ptr<i32>, #pairs>, %out: !tt.ptr<f32>, %size: i32, %x: tensor<256xf32, #pairs>, %y: tensor<256xf32, #line>, %mask: tensor<256xi1, #pairs>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant dense<0> : tensor<256xi32, #pairs>
    %n = tt.load %numbers, %mask : tensor<256x!tt.ptr<i32>, #pairs>
    %sizes = tt.splat %size : i32 -> tensor<256xi32, #pairs>
    %scaled = arith.muli %n, %sizes : tensor<256xi32, #pairs>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #pairs>
    %p = tt.addptr %base, %scaled : tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xi32, #pairs>
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x, %mask : (tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xf32, #pairs>, tensor<256xi1, #pairs>) -> tensor<256xf32, #pairs>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #pairs>
    %inside = arith.cmpi slt, %range, %sizes : tensor<256xi32, #pairs>
    %chosen = arith.select %inside, %n, %none : tensor<256xi1, #pairs>, tensor<256xi32, #pairs>
    %q = tt.addptr %base, %chosen : tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xi32, #pairs>
    %1 = tt.atomic_rmw fadd, relaxed, gpu, %q, %x, %mask : (tensor<256x!tt.ptr<f32>, #pairs>, tensor<256xf32, #pairs>, tensor<256xi1, #pairs>) -> tensor<256xf32, #pairs>
    %line = ttg.convert_layout %q : tensor<256x!tt.ptr<f32>, #pairs> -> tensor<256x!tt.ptr<f32>, #line>
    %2 = tt.atomic_rmw fadd, relaxed, gpu, %line, %y : (tensor<256x!tt.ptr<f32>, #line>, tensor<256xf32, #line>) -> tensor<256xf32, #line>
    %bits = tt.bitcast %q : tensor<256x!tt.ptr<f32>, #pairs> -> tensor<256x!tt.ptr<i32>, #pairs>
    tt.return
  }
  // A range beside what is loaded, no load, a result that is used, an order, an exchange.
  tt.func public @others(%numbers: tensor<128x!tt.ptr<i32>, #line>, %out: !tt.ptr<i32>, %x: tensor<128xi32, #line>, %old: tensor<128x!tt.ptr<i32>, #line>) {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #line>
    %n = tt.load %numbers : tensor<128x!tt.ptr<i32>, #line>
    %base = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #line>
    %p = tt.addptr %base, %n : tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>
    %q = tt.addptr %p, %range : tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>
    %0 = tt.atomic_rmw add, relaxed, gpu, %q, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    %1 = tt.atomic_rmw add, relaxed, gpu, %base, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    %2 = tt.atomic_rmw add, relaxed, gpu, %p, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    tt.store %old, %2 : tensor<128x!tt.ptr<i32>, #line>
    %3 = tt.atomic_rmw add, acq_rel, gpu, %p, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    %4 = tt.atomic_rmw exch, relaxed, gpu, %p, %x : (tensor<128x!tt.ptr<i32>, #line>, tensor<128xi32, #line>) -> tensor<128xi32, #line>
    tt.return
  }
  // Halves, fewer elements than lanes, and more elements than code has room for.
  tt.func public @sizes(%half: tensor<128x!tt.ptr<i32>, #line>, %h: tensor<128xf16, #line>, %few: tensor<16x!tt.ptr<i32>, #line>, %f: tensor<16xf32, #line>, %many: tensor<2048x!tt.ptr<i32>, #line>, %m: tensor<2048xf32, #line>, %out16: !tt.ptr<f16>, %out: !tt.ptr<f32>) {
    %n0 = tt.load %half : tensor<128x!tt.ptr<i32>, #line>
    %b0 = tt.splat %out16 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #line>
    %p0 = tt.addptr %b0, %n0 : tensor<128x!tt.ptr<f16>, #line>, tensor<128xi32, #line>
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %p0, %h : (tensor<128x!tt.ptr<f16>, #line>, tensor<128xf16, #line>) -> tensor<128xf16, #line>
    %n1 = tt.load %few : tensor<16x!tt.ptr<i32>, #line>
    %b1 = tt.splat %out : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #line>
    %p1 = tt.addptr %b1, %n1 : tensor<16x!tt.ptr<f32>, #line>, tensor<16xi32, #line>
    %1 = tt.atomic_rmw fadd, relaxed, gpu, %p1, %f : (tensor<16x!tt.ptr<f32>, #line>, tensor<16xf32, #line>) -> tensor<16xf32, #line>
    %n2 = tt.load %many : tensor<2048x!tt.ptr<i32>, #line>
    %b2 = tt.splat %out : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #line>
    %p2 = tt.addptr %b2, %n2 : tensor<2048x!tt.ptr<f32>, #line>, tensor<2048xi32, #line>
    %2 = tt.atomic_rmw fadd, relaxed, gpu, %p2, %m : (tensor<2048x!tt.ptr<f32>, #line>, tensor<2048xf32, #line>) -> tensor<2048xf32, #line>
    tt.return
  }
  // A row that is added to the row of a table: each lane has a column of its own.
  tt.func public @table(%numbers: tensor<16x!tt.ptr<i32>, #rows>, %out: !tt.ptr<f32>, %x: tensor<16x32xf32, #tile>) {
    %size = arith.constant dense<32> : tensor<16xi32, #rows>
    %n = tt.load %numbers : tensor<16x!tt.ptr<i32>, #rows>
    %starts = arith.muli %n, %size : tensor<16xi32, #rows>
    %start = tt.expand_dims %starts {axis = 1 : i32} : tensor<16xi32, #rows> -> tensor<16x1xi32, #tile>
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #columns>
    %column = tt.expand_dims %range {axis = 0 : i32} : tensor<32xi32, #columns> -> tensor<1x32xi32, #tile>
    %rows = tt.broadcast %start : tensor<16x1xi32, #tile> -> tensor<16x32xi32, #tile>
    %columns = tt.broadcast %column : tensor<1x32xi32, #tile> -> tensor<16x32xi32, #tile>
    %at = arith.addi %rows, %columns : tensor<16x32xi32, #tile>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #tile>
    %p = tt.addptr %base, %at : tensor<16x32x!tt.ptr<f32>, #tile>, tensor<16x32xi32, #tile>
    %0 = tt.atomic_rmw fadd, relaxed, gpu, %p, %x : (tensor<16x32x!tt.ptr<f32>, #tile>, tensor<16x32xf32, #tile>) -> tensor<16x32xf32, #tile>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @loaded(%arg0: tensor<256x!tt.ptr<i32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: tensor<256xf32, #blocked>, %arg4: tensor<256xf32, #blocked1>, %arg5: tensor<256xi1, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0> : tensor<256xi32, #blocked>
    %0 = tt.load %arg0, %arg5 : tensor<256x!tt.ptr<i32>, #blocked>
    %1 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %2 = arith.muli %0, %1 : tensor<256xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %5 = tt.atomic_rmw fadd, relaxed, gpu, %4, %arg3, %arg5 {tk.combines} : (tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xf32, #blocked>, tensor<256xi1, #blocked>) -> tensor<256xf32, #blocked>
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %7 = arith.cmpi slt, %6, %1 : tensor<256xi32, #blocked>
    %8 = arith.select %7, %0, %cst : tensor<256xi1, #blocked>, tensor<256xi32, #blocked>
    %9 = tt.addptr %3, %8 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %10 = tt.atomic_rmw fadd, relaxed, gpu, %9, %arg3, %arg5 {tk.combines} : (tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xf32, #blocked>, tensor<256xi1, #blocked>) -> tensor<256xf32, #blocked>
    %11 = ttg.convert_layout %9 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %12 = tt.bitcast %9 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<i32>, #blocked>
    %13 = scf.for %arg6 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg7 = %0) -> (tensor<256xi32, #blocked>)  : i32 {
      %14 = tt.addptr %3, %arg7 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %15 = tt.atomic_rmw fadd, relaxed, gpu, %14, %arg3, %arg5 {tk.combines} : (tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xf32, #blocked>, tensor<256xi1, #blocked>) -> tensor<256xf32, #blocked>
      %16 = tt.load %arg0, %arg5 : tensor<256x!tt.ptr<i32>, #blocked>
      scf.yield %16 : tensor<256xi32, #blocked>
    }
    tt.return
  }
  tt.func public @views(%arg0: tensor<256x!tt.ptr<i32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: tensor<256xf32, #blocked>, %arg4: tensor<256xf32, #blocked1>, %arg5: tensor<256xi1, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0> : tensor<256xi32, #blocked>
    %0 = tt.load %arg0, %arg5 : tensor<256x!tt.ptr<i32>, #blocked>
    %1 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %2 = arith.muli %0, %1 : tensor<256xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %5 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %6 = arith.cmpi slt, %5, %1 : tensor<256xi32, #blocked>
    %7 = arith.select %6, %0, %cst : tensor<256xi1, #blocked>, tensor<256xi32, #blocked>
    %8 = tt.addptr %3, %7 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %9 = ttg.convert_layout %8 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %10 = tt.atomic_rmw fadd, relaxed, gpu, %9, %arg4 {tk.combines} : (tensor<256x!tt.ptr<f32>, #blocked1>, tensor<256xf32, #blocked1>) -> tensor<256xf32, #blocked1>
    %11 = tt.bitcast %8 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<i32>, #blocked>
    %12 = tt.atomic_rmw max, relaxed, gpu, %11, %5, %arg5 {tk.combines} : (tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>, tensor<256xi1, #blocked>) -> tensor<256xi32, #blocked>
    tt.return
  }
  tt.func public @many_beside(%arg0: tensor<256x!tt.ptr<i32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: tensor<256xf32, #blocked>, %arg4: tensor<256xf32, #blocked1>, %arg5: tensor<256xi1, #blocked>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0> : tensor<256xi32, #blocked>
    %0 = tt.load %arg0, %arg5 : tensor<256x!tt.ptr<i32>, #blocked>
    %1 = tt.splat %arg2 : i32 -> tensor<256xi32, #blocked>
    %2 = arith.muli %0, %1 : tensor<256xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %2 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %5 = tt.atomic_rmw fadd, relaxed, gpu, %4, %arg3, %arg5 : (tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xf32, #blocked>, tensor<256xi1, #blocked>) -> tensor<256xf32, #blocked>
    %6 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %7 = arith.cmpi slt, %6, %1 : tensor<256xi32, #blocked>
    %8 = arith.select %7, %0, %cst : tensor<256xi1, #blocked>, tensor<256xi32, #blocked>
    %9 = tt.addptr %3, %8 : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
    %10 = tt.atomic_rmw fadd, relaxed, gpu, %9, %arg3, %arg5 : (tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xf32, #blocked>, tensor<256xi1, #blocked>) -> tensor<256xf32, #blocked>
    %11 = ttg.convert_layout %9 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<f32>, #blocked1>
    %12 = tt.atomic_rmw fadd, relaxed, gpu, %11, %arg4 : (tensor<256x!tt.ptr<f32>, #blocked1>, tensor<256xf32, #blocked1>) -> tensor<256xf32, #blocked1>
    %13 = tt.bitcast %9 : tensor<256x!tt.ptr<f32>, #blocked> -> tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
  tt.func public @others(%arg0: tensor<128x!tt.ptr<i32>, #blocked1>, %arg1: !tt.ptr<i32>, %arg2: tensor<128xi32, #blocked1>, %arg3: tensor<128x!tt.ptr<i32>, #blocked1>) {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %1 = tt.load %arg0 : tensor<128x!tt.ptr<i32>, #blocked1>
    %2 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #blocked1>
    %3 = tt.addptr %2, %1 : tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>
    %4 = tt.addptr %3, %0 : tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>
    %5 = tt.atomic_rmw add, relaxed, gpu, %4, %arg2 : (tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>) -> tensor<128xi32, #blocked1>
    %6 = tt.atomic_rmw add, relaxed, gpu, %2, %arg2 : (tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>) -> tensor<128xi32, #blocked1>
    %7 = tt.atomic_rmw add, relaxed, gpu, %3, %arg2 : (tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>) -> tensor<128xi32, #blocked1>
    tt.store %arg3, %7 : tensor<128x!tt.ptr<i32>, #blocked1>
    %8 = tt.atomic_rmw add, acq_rel, gpu, %3, %arg2 : (tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>) -> tensor<128xi32, #blocked1>
    %9 = tt.atomic_rmw exch, relaxed, gpu, %3, %arg2 : (tensor<128x!tt.ptr<i32>, #blocked1>, tensor<128xi32, #blocked1>) -> tensor<128xi32, #blocked1>
    tt.return
  }
  tt.func public @sizes(%arg0: tensor<128x!tt.ptr<i32>, #blocked1>, %arg1: tensor<128xf16, #blocked1>, %arg2: tensor<16x!tt.ptr<i32>, #blocked1>, %arg3: tensor<16xf32, #blocked1>, %arg4: tensor<2048x!tt.ptr<i32>, #blocked1>, %arg5: tensor<2048xf32, #blocked1>, %arg6: !tt.ptr<f16>, %arg7: !tt.ptr<f32>) {
    %0 = tt.load %arg0 : tensor<128x!tt.ptr<i32>, #blocked1>
    %1 = tt.splat %arg6 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked1>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f16>, #blocked1>, tensor<128xi32, #blocked1>
    %3 = tt.atomic_rmw fadd, relaxed, gpu, %2, %arg1 : (tensor<128x!tt.ptr<f16>, #blocked1>, tensor<128xf16, #blocked1>) -> tensor<128xf16, #blocked1>
    %4 = tt.load %arg2 : tensor<16x!tt.ptr<i32>, #blocked1>
    %5 = tt.splat %arg7 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #blocked1>
    %6 = tt.addptr %5, %4 : tensor<16x!tt.ptr<f32>, #blocked1>, tensor<16xi32, #blocked1>
    %7 = tt.atomic_rmw fadd, relaxed, gpu, %6, %arg3 : (tensor<16x!tt.ptr<f32>, #blocked1>, tensor<16xf32, #blocked1>) -> tensor<16xf32, #blocked1>
    %8 = tt.load %arg4 : tensor<2048x!tt.ptr<i32>, #blocked1>
    %9 = tt.splat %arg7 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked1>
    %10 = tt.addptr %9, %8 : tensor<2048x!tt.ptr<f32>, #blocked1>, tensor<2048xi32, #blocked1>
    %11 = tt.atomic_rmw fadd, relaxed, gpu, %10, %arg5 : (tensor<2048x!tt.ptr<f32>, #blocked1>, tensor<2048xf32, #blocked1>) -> tensor<2048xf32, #blocked1>
    tt.return
  }
  tt.func public @table(%arg0: tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked2}>>, %arg1: !tt.ptr<f32>, %arg2: tensor<16x32xf32, #blocked2>) {
    %cst = arith.constant dense<32> : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %0 = tt.load %arg0 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %1 = arith.muli %0, %cst : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<16x1xi32, #blocked2>
    %3 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %4 = tt.expand_dims %3 {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked2}>> -> tensor<1x32xi32, #blocked2>
    %5 = tt.broadcast %2 : tensor<16x1xi32, #blocked2> -> tensor<16x32xi32, #blocked2>
    %6 = tt.broadcast %4 : tensor<1x32xi32, #blocked2> -> tensor<16x32xi32, #blocked2>
    %7 = arith.addi %5, %6 : tensor<16x32xi32, #blocked2>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x32x!tt.ptr<f32>, #blocked2>
    %9 = tt.addptr %8, %7 : tensor<16x32x!tt.ptr<f32>, #blocked2>, tensor<16x32xi32, #blocked2>
    %10 = tt.atomic_rmw fadd, relaxed, gpu, %9, %arg2 : (tensor<16x32x!tt.ptr<f32>, #blocked2>, tensor<16x32xf32, #blocked2>) -> tensor<16x32xf32, #blocked2>
    tt.return
  }
}

