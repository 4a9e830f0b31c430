// passes: join-accesses
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Pairs under one mask: the second load moves to the first, with its address and what its other elements are, and passes a load of another tensor.
  tt.func public @pairs(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: tensor<128x!tt.ptr<f32>, #one>, %n: i32) -> (tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %zero = arith.constant dense<0.0> : tensor<128xf32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %ns = tt.splat %n : i32 -> tensor<128xi32, #one>
    %inside = arith.cmpi slt, %i, %ns : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c2 : tensor<128xi32, #one>
    %even = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %a = tt.load %even, %inside, %zero : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %y : tensor<128x!tt.ptr<f32>, #one>
    %sum = arith.addf %a, %b : tensor<128xf32, #one>
    %next = arith.addi %at, %c1 : tensor<128xi32, #one>
    %odd = tt.addptr %xs, %next : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %float = arith.sitofp %i : tensor<128xi32, #one> to tensor<128xf32, #one>
    %c = tt.load %odd, %inside, %float : tensor<128x!tt.ptr<f32>, #one>
    tt.return %sum, %b, %c : tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>
  }
  // Fields of a record in any order, one of them twice.
  tt.func public @records(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c3 = arith.constant dense<3> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p0, %c3 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %d = tt.load %p3 : tensor<128x!tt.ptr<f32>, #one>
    %a = tt.load %p0 : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %p1 : tensor<128x!tt.ptr<f32>, #one>
    %again = tt.load %p1 : tensor<128x!tt.ptr<f32>, #one>
    tt.return %a, %b, %again, %d : tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>, tensor<128xf32, #one>
  }
  // The window of a stencil. The middle one has runs of four.
  tt.func public @window(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (tensor<128xf32, #four>, tensor<128xf32, #four>, tensor<128xf32, #four>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #four>
    %less = arith.constant dense<-1> : tensor<128xi32, #four>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #four>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #four>
    %p = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>, #four>, tensor<128xi32, #four>
    %left = tt.addptr %p, %less : tensor<128x!tt.ptr<f32>, #four>, tensor<128xi32, #four>
    %right = tt.addptr %p, %c1 : tensor<128x!tt.ptr<f32>, #four>, tensor<128xi32, #four>
    %a = tt.load %left : tensor<128x!tt.ptr<f32>, #four>
    %b = tt.load %p : tensor<128x!tt.ptr<f32>, #four>
    %c = tt.load %right : tensor<128x!tt.ptr<f32>, #four>
    tt.return %a, %b, %c : tensor<128xf32, #four>, tensor<128xf32, #four>, tensor<128xf32, #four>
  }
  // Numbers of a program.
  tt.func public @numbers(%x: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %flag: i1) -> (i16, i16) {
    %c1 = arith.constant 1 : i32
    %c5 = arith.constant 5 : i16
    %a = tt.load %x, %flag, %c5 : !tt.ptr<i16>
    %p = tt.addptr %x, %c1 : !tt.ptr<i16>, i32
    %b = tt.load %p, %flag : !tt.ptr<i16>
    tt.return %a, %b : i16, i16
  }
  // Records that are looked up: twice any number is aligned to a pair.
  tt.func public @looked_up(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %index: tensor<128xi32, #one>) -> (tensor<128xf32, #one>, tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %index, %c2 : tensor<128xi32, #one>
    %even = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %odd = tt.addptr %even, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %a = tt.load %even : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %odd : tensor<128x!tt.ptr<f32>, #one>
    tt.return %a, %b : tensor<128xf32, #one>, tensor<128xf32, #one>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @pairs(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: i32) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<128xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg2 : i32 -> tensor<128xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<128xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %4 = arith.muli %0, %cst_0 : tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %4 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = arith.addi %4, %cst : tensor<128xi32, #blocked>
    %7 = tt.addptr %3, %6 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %8 = arith.sitofp %0 : tensor<128xi32, #blocked> to tensor<128xf32, #blocked>
    %9 = tt.load %5, %2, %cst_1 {tk.joined = array<i32: 0, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
    %10 = tt.load %7, %2, %8 {tk.joined = array<i32: 0, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    %11 = tt.load %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    %12 = arith.addf %9, %11 : tensor<128xf32, #blocked>
    tt.return %12, %11, %10 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
  tt.func public @records(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<3> : tensor<128xi32, #blocked>
    %cst_1 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = arith.muli %0, %cst_1 : tensor<128xi32, #blocked>
    %3 = tt.addptr %1, %2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.load %4 {tk.joined = array<i32: 1, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    %7 = tt.load %3 {tk.joined = array<i32: 1, 1, 16>} : tensor<128x!tt.ptr<f32>, #blocked>
    %8 = tt.load %5 {tk.joined = array<i32: 1, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    %9 = tt.load %5 {tk.joined = array<i32: 1, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %7, %8, %9, %6 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
  tt.func public @window(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> (tensor<128xf32, #blocked1>, tensor<128xf32, #blocked1>, tensor<128xf32, #blocked1>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked1>
    %cst_0 = arith.constant dense<-1> : tensor<128xi32, #blocked1>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
    %2 = tt.addptr %1, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %3 = tt.addptr %2, %cst_0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %4 = tt.addptr %2, %cst : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
    %5 = tt.load %3 {tk.joined = array<i32: 2, 4, 4>} : tensor<128x!tt.ptr<f32>, #blocked1>
    %6 = tt.load %2 {tk.joined = array<i32: 2, 4, 16>} : tensor<128x!tt.ptr<f32>, #blocked1>
    %7 = tt.load %4 {tk.joined = array<i32: 2, 4, 4>} : tensor<128x!tt.ptr<f32>, #blocked1>
    tt.return %5, %6, %7 : tensor<128xf32, #blocked1>, tensor<128xf32, #blocked1>, tensor<128xf32, #blocked1>
  }
  tt.func public @numbers(%arg0: !tt.ptr<i16> {tt.divisibility = 16 : i32}, %arg1: i1) -> (i16, i16) {
    %c1_i32 = arith.constant 1 : i32
    %c5_i16 = arith.constant 5 : i16
    %0 = tt.addptr %arg0, %c1_i32 : !tt.ptr<i16>, i32
    %1 = tt.load %arg0, %arg1, %c5_i16 {tk.joined = array<i32: 3, 1, 16>} : !tt.ptr<i16>
    %2 = tt.load %0, %arg1 {tk.joined = array<i32: 3, 1, 2>} : !tt.ptr<i16>
    tt.return %1, %2 : i16, i16
  }
  tt.func public @looked_up(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<128xi32, #blocked>) -> (tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %0 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %1 = arith.muli %arg1, %cst_0 : tensor<128xi32, #blocked>
    %2 = tt.addptr %0, %1 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %3 = tt.addptr %2, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.load %2 {tk.joined = array<i32: 4, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
    %5 = tt.load %3 {tk.joined = array<i32: 4, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %4, %5 : tensor<128xf32, #blocked>, tensor<128xf32, #blocked>
  }
}

