// passes: join-accesses
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The first moves to the last, past what computes its value; the neighbour that is stored first has the greater address.
  tt.func public @pairs(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %v: tensor<128xf32, #one>, %m: tensor<128xi1, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #one>
    %at = arith.muli %i, %c2 : tensor<128xi32, #one>
    %even = tt.addptr %xs, %at : tensor<128x!tt.ptr<f16>, #one>, tensor<128xi32, #one>
    %odd = tt.addptr %even, %c1 : tensor<128x!tt.ptr<f16>, #one>, tensor<128xi32, #one>
    %a = arith.truncf %v : tensor<128xf32, #one> to tensor<128xf16, #one>
    tt.store %odd, %a, %m : tensor<128x!tt.ptr<f16>, #one>
    %w = arith.mulf %v, %v : tensor<128xf32, #one>
    %b = arith.truncf %w : tensor<128xf32, #one> to tensor<128xf16, #one>
    tt.store %even, %b, %m : tensor<128x!tt.ptr<f16>, #one>
    tt.return
  }
  // A field that is stored twice: the last store counts.
  tt.func public @twice(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %a: tensor<128xf32, #one>, %b: tensor<128xf32, #one>) {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c2 = arith.constant dense<2> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c2 : tensor<128xi32, #one>
    %even = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %odd = tt.addptr %even, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %even, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %odd, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %odd, %b : tensor<128x!tt.ptr<f32>, #one>
    tt.return
  }
  // A load of any tensor, a store of another one and another mask stand between.
  tt.func public @apart(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: tensor<128x!tt.ptr<f32>, #one>, %a: tensor<128xf32, #one>, %m: tensor<128xi1, #one>) -> tensor<128xf32, #one> {
    %c1 = arith.constant dense<1> : tensor<128xi32, #one>
    %c4 = arith.constant dense<4> : tensor<128xi32, #one>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #one>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #one>
    %at = arith.muli %i, %c4 : tensor<128xi32, #one>
    %p0 = tt.addptr %xs, %at : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p1 = tt.addptr %p0, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p2 = tt.addptr %p1, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    %p3 = tt.addptr %p2, %c1 : tensor<128x!tt.ptr<f32>, #one>, tensor<128xi32, #one>
    tt.store %p0, %a : tensor<128x!tt.ptr<f32>, #one>
    %b = tt.load %y : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p1, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %y, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p2, %a : tensor<128x!tt.ptr<f32>, #one>
    tt.store %p3, %a, %m : tensor<128x!tt.ptr<f32>, #one>
    tt.return %b : tensor<128xf32, #one>
  }
  // Numbers of a program.
  tt.func public @numbers(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %a: f32, %b: f32) {
    %c1 = arith.constant 1 : i32
    %p1 = tt.addptr %x, %c1 : !tt.ptr<f32>, i32
    tt.store %x, %a : !tt.ptr<f32>
    tt.store %p1, %b : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @pairs(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: tensor<128xf32, #blocked>, %arg2: tensor<128xi1, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<128x!tt.ptr<f16>, #blocked>
    %2 = arith.muli %0, %cst_0 : tensor<128xi32, #blocked>
    %3 = tt.addptr %1, %2 : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f16>, #blocked>, tensor<128xi32, #blocked>
    %5 = arith.truncf %arg1 : tensor<128xf32, #blocked> to tensor<128xf16, #blocked>
    %6 = arith.mulf %arg1, %arg1 : tensor<128xf32, #blocked>
    %7 = arith.truncf %6 : tensor<128xf32, #blocked> to tensor<128xf16, #blocked>
    tt.store %4, %5, %arg2 {tk.joined = array<i32: 0, 1, 2>} : tensor<128x!tt.ptr<f16>, #blocked>
    tt.store %3, %7, %arg2 {tk.joined = array<i32: 0, 1, 4>} : tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @twice(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<128xf32, #blocked>, %arg2: tensor<128xf32, #blocked>) {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<2> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = arith.muli %0, %cst_0 : tensor<128xi32, #blocked>
    %3 = tt.addptr %1, %2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %3, %arg1 {tk.joined = array<i32: 1, 1, 8>} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg1 {tk.joined = array<i32: 1, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg2 {tk.joined = array<i32: 1, 1, 4>} : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @apart(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: tensor<128x!tt.ptr<f32>, #blocked>, %arg2: tensor<128xf32, #blocked>, %arg3: tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked> {
    %cst = arith.constant dense<1> : tensor<128xi32, #blocked>
    %cst_0 = arith.constant dense<4> : tensor<128xi32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = arith.muli %0, %cst_0 : tensor<128xi32, #blocked>
    %3 = tt.addptr %1, %2 : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %4 = tt.addptr %3, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %5 = tt.addptr %4, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    %6 = tt.addptr %5, %cst : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
    tt.store %3, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    %7 = tt.load %arg1 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %4, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %arg1, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %5, %arg2 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.store %6, %arg2, %arg3 : tensor<128x!tt.ptr<f32>, #blocked>
    tt.return %7 : tensor<128xf32, #blocked>
  }
  tt.func public @numbers(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: f32, %arg2: f32) {
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
    tt.store %arg0, %arg1 {tk.joined = array<i32: 2, 1, 16>} : !tt.ptr<f32>
    tt.store %0, %arg2 {tk.joined = array<i32: 2, 1, 4>} : !tt.ptr<f32>
    tt.return
  }
}

