// passes: keep-loads-together
// counts: {tk.behind_loads} 2
// Indices that sixteen loads wait for are loaded before rows that wait for nothing.
#one = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A row, indices, their entries.
  tt.func public @entries(%x: !tt.ptr<f32>, %numbers: !tt.ptr<i8>, %table: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %ns = tt.splat %numbers : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #one>
    %ts = tt.splat %table : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %p = tt.addptr %xs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %row = tt.load %p : tensor<2048x!tt.ptr<f32>, #one>
    %twice = arith.addf %row, %row : tensor<2048xf32, #one>
    %n = tt.addptr %ns, %range : tensor<2048x!tt.ptr<i8>, #one>, tensor<2048xi32, #one>
    %number = tt.load %n {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #one>
    %wide = arith.extui %number : tensor<2048xi8, #one> to tensor<2048xi32, #one>
    %t = tt.addptr %ts, %wide : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %entry = tt.load %t : tensor<2048x!tt.ptr<f32>, #one>
    %sum = arith.addf %twice, %entry : tensor<2048xf32, #one>
    tt.store %q, %sum : tensor<2048x!tt.ptr<f32>, #one>
    tt.return
  }
  // The mask of what is loaded is computed from what is loaded, too.
  tt.func public @masks(%x: !tt.ptr<f32>, %numbers: !tt.ptr<i8>, %table: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %zero = arith.constant dense<0> : tensor<2048xi8, #one>
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %ns = tt.splat %numbers : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #one>
    %ts = tt.splat %table : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %p = tt.addptr %xs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %row = tt.load %p : tensor<2048x!tt.ptr<f32>, #one>
    %n = tt.addptr %ns, %range : tensor<2048x!tt.ptr<i8>, #one>, tensor<2048xi32, #one>
    %number = tt.load %n {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #one>
    %is = arith.cmpi sgt, %number, %zero : tensor<2048xi8, #one>
    %t = tt.addptr %ts, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %entry = tt.load %t, %is : tensor<2048x!tt.ptr<f32>, #one>
    %sum = arith.addf %row, %entry : tensor<2048xf32, #one>
    tt.store %q, %sum : tensor<2048x!tt.ptr<f32>, #one>
    tt.return
  }
  // The indices come first already.
  tt.func public @first(%x: !tt.ptr<f32>, %numbers: !tt.ptr<i8>, %table: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %ns = tt.splat %numbers : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #one>
    %ts = tt.splat %table : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %n = tt.addptr %ns, %range : tensor<2048x!tt.ptr<i8>, #one>, tensor<2048xi32, #one>
    %number = tt.load %n {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #one>
    %wide = arith.extui %number : tensor<2048xi8, #one> to tensor<2048xi32, #one>
    %t = tt.addptr %ts, %wide : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %entry = tt.load %t : tensor<2048x!tt.ptr<f32>, #one>
    %p = tt.addptr %xs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %row = tt.load %p : tensor<2048x!tt.ptr<f32>, #one>
    %sum = arith.addf %row, %entry : tensor<2048xf32, #one>
    tt.store %q, %sum : tensor<2048x!tt.ptr<f32>, #one>
    tt.return
  }
  // What is written may be what the indices are loaded from.
  tt.func public @written(%x: !tt.ptr<f32>, %numbers: !tt.ptr<i8>, %table: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %ns = tt.splat %numbers : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #one>
    %ts = tt.splat %table : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %p = tt.addptr %xs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %row = tt.load %p : tensor<2048x!tt.ptr<f32>, #one>
    tt.store %q, %row : tensor<2048x!tt.ptr<f32>, #one>
    %n = tt.addptr %ns, %range : tensor<2048x!tt.ptr<i8>, #one>, tensor<2048xi32, #one>
    %number = tt.load %n {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #one>
    %wide = arith.extui %number : tensor<2048xi8, #one> to tensor<2048xi32, #one>
    %t = tt.addptr %ts, %wide : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %entry = tt.load %t : tensor<2048x!tt.ptr<f32>, #one>
    tt.store %q, %entry : tensor<2048x!tt.ptr<f32>, #one>
    tt.return
  }
  // Four accesses of indices for sixteen of entries: they are soon asked for.
  tt.func public @words(%x: !tt.ptr<f32>, %numbers: !tt.ptr<i32>, %table: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %range = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %ns = tt.splat %numbers : !tt.ptr<i32> -> tensor<2048x!tt.ptr<i32>, #one>
    %ts = tt.splat %table : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #one>
    %q = tt.addptr %outs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %p = tt.addptr %xs, %range : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %row = tt.load %p : tensor<2048x!tt.ptr<f32>, #one>
    %twice = arith.addf %row, %row : tensor<2048xf32, #one>
    %n = tt.addptr %ns, %range : tensor<2048x!tt.ptr<i32>, #one>, tensor<2048xi32, #one>
    %number = tt.load %n {tk.vector = 4 : i32} : tensor<2048x!tt.ptr<i32>, #one>
    %t = tt.addptr %ts, %number : tensor<2048x!tt.ptr<f32>, #one>, tensor<2048xi32, #one>
    %entry = tt.load %t : tensor<2048x!tt.ptr<f32>, #one>
    %sum = arith.addf %twice, %entry : tensor<2048xf32, #one>
    tt.store %q, %sum : tensor<2048x!tt.ptr<f32>, #one>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @entries(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %2, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %6 = tt.addptr %1, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %7 = tt.addptr %3, %0 : tensor<2048x!tt.ptr<i8>, #blocked>, tensor<2048xi32, #blocked>
    %8 = tt.load %7 {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #blocked>
    %9 = tt.load %6 {tk.behind_loads} : tensor<2048x!tt.ptr<f32>, #blocked>
    %10 = arith.addf %9, %9 : tensor<2048xf32, #blocked>
    %11 = arith.extui %8 : tensor<2048xi8, #blocked> to tensor<2048xi32, #blocked>
    %12 = tt.addptr %4, %11 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %13 = tt.load %12 : tensor<2048x!tt.ptr<f32>, #blocked>
    %14 = arith.addf %10, %13 : tensor<2048xf32, #blocked>
    tt.store %5, %14 : tensor<2048x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @masks(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>) {
    %cst = arith.constant dense<0> : tensor<2048xi8, #blocked>
    %0 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %2, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %6 = tt.addptr %1, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %7 = tt.addptr %3, %0 : tensor<2048x!tt.ptr<i8>, #blocked>, tensor<2048xi32, #blocked>
    %8 = tt.load %7 {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #blocked>
    %9 = tt.load %6 {tk.behind_loads} : tensor<2048x!tt.ptr<f32>, #blocked>
    %10 = arith.cmpi sgt, %8, %cst : tensor<2048xi8, #blocked>
    %11 = tt.addptr %4, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %12 = tt.load %11, %10 : tensor<2048x!tt.ptr<f32>, #blocked>
    %13 = arith.addf %9, %12 : tensor<2048xf32, #blocked>
    tt.store %5, %13 : tensor<2048x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @first(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %2, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %6 = tt.addptr %3, %0 : tensor<2048x!tt.ptr<i8>, #blocked>, tensor<2048xi32, #blocked>
    %7 = tt.load %6 {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #blocked>
    %8 = arith.extui %7 : tensor<2048xi8, #blocked> to tensor<2048xi32, #blocked>
    %9 = tt.addptr %4, %8 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %10 = tt.load %9 : tensor<2048x!tt.ptr<f32>, #blocked>
    %11 = tt.addptr %1, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %12 = tt.load %11 : tensor<2048x!tt.ptr<f32>, #blocked>
    %13 = arith.addf %12, %10 : tensor<2048xf32, #blocked>
    tt.store %5, %13 : tensor<2048x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @written(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<2048x!tt.ptr<i8>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %2, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %6 = tt.addptr %1, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %7 = tt.load %6 : tensor<2048x!tt.ptr<f32>, #blocked>
    tt.store %5, %7 : tensor<2048x!tt.ptr<f32>, #blocked>
    %8 = tt.addptr %3, %0 : tensor<2048x!tt.ptr<i8>, #blocked>, tensor<2048xi32, #blocked>
    %9 = tt.load %8 {tk.vector = 16 : i32} : tensor<2048x!tt.ptr<i8>, #blocked>
    %10 = arith.extui %9 : tensor<2048xi8, #blocked> to tensor<2048xi32, #blocked>
    %11 = tt.addptr %4, %10 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %12 = tt.load %11 : tensor<2048x!tt.ptr<f32>, #blocked>
    tt.store %5, %12 : tensor<2048x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @words(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<2048x!tt.ptr<i32>, #blocked>
    %4 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %2, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %6 = tt.addptr %1, %0 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %7 = tt.load %6 : tensor<2048x!tt.ptr<f32>, #blocked>
    %8 = arith.addf %7, %7 : tensor<2048xf32, #blocked>
    %9 = tt.addptr %3, %0 : tensor<2048x!tt.ptr<i32>, #blocked>, tensor<2048xi32, #blocked>
    %10 = tt.load %9 {tk.vector = 4 : i32} : tensor<2048x!tt.ptr<i32>, #blocked>
    %11 = tt.addptr %4, %10 : tensor<2048x!tt.ptr<f32>, #blocked>, tensor<2048xi32, #blocked>
    %12 = tt.load %11 : tensor<2048x!tt.ptr<f32>, #blocked>
    %13 = arith.addf %8, %12 : tensor<2048xf32, #blocked>
    tt.store %5, %13 : tensor<2048x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

