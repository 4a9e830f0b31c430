// passes: store-products
// target: sm_90a
// grid: few
// counts: ttg.convert_layout 4
#line = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Blocks and scratch memory of 8192 bytes have no room together.
  tt.func public @states(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant dense<64> : tensor<32x1xi32, #line>
    %none = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %blocks = ttg.local_alloc : () -> !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>> -> tensor<32x1xi32, #line>
    %c = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>> -> tensor<1x64xi32, #line>
    %bound = tt.splat %rows : i32 -> tensor<32x1xi32, #line>
    %is_row = arith.cmpi slt, %r, %bound : tensor<32x1xi32, #line>
    %inside = tt.broadcast %is_row : tensor<32x1xi1, #line> -> tensor<32x64xi1, #line>
    %starts = arith.muli %r, %width : tensor<32x1xi32, #line>
    %from = tt.broadcast %starts : tensor<32x1xi32, #line> -> tensor<32x64xi32, #line>
    %to = tt.broadcast %c : tensor<1x64xi32, #line> -> tensor<32x64xi32, #line>
    %at = arith.addi %from, %to : tensor<32x64xi32, #line>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #line>
    %places = tt.addptr %base, %at : tensor<32x64x!tt.ptr<f32>, #line>, tensor<32x64xi32, #line>
    %last = scf.for %i = %zero to %n step %one iter_args(%h = %none) -> (tensor<32x64xf32, #mma>) : i32 {
      %stored = ttg.convert_layout %h : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #line>
      tt.store %places, %stored, %inside : tensor<32x64x!tt.ptr<f32>, #line>
      %block = ttg.memdesc_index %blocks[%i] : !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %v = ttg.local_load %block : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %next = arith.addf %h, %v : tensor<32x64xf32, #mma>
      scf.yield %next : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  // There is room for both.
  tt.func public @room(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant dense<64> : tensor<32x1xi32, #line>
    %none = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %blocks = ttg.local_alloc : () -> !ttg.memdesc<27x32x64xf32, #shared, #smem, mutable>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>> -> tensor<32x1xi32, #line>
    %c = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>> -> tensor<1x64xi32, #line>
    %bound = tt.splat %rows : i32 -> tensor<32x1xi32, #line>
    %is_row = arith.cmpi slt, %r, %bound : tensor<32x1xi32, #line>
    %inside = tt.broadcast %is_row : tensor<32x1xi1, #line> -> tensor<32x64xi1, #line>
    %starts = arith.muli %r, %width : tensor<32x1xi32, #line>
    %from = tt.broadcast %starts : tensor<32x1xi32, #line> -> tensor<32x64xi32, #line>
    %to = tt.broadcast %c : tensor<1x64xi32, #line> -> tensor<32x64xi32, #line>
    %at = arith.addi %from, %to : tensor<32x64xi32, #line>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #line>
    %places = tt.addptr %base, %at : tensor<32x64x!tt.ptr<f32>, #line>, tensor<32x64xi32, #line>
    %last = scf.for %i = %zero to %n step %one iter_args(%h = %none) -> (tensor<32x64xf32, #mma>) : i32 {
      %stored = ttg.convert_layout %h : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #line>
      tt.store %places, %stored, %inside : tensor<32x64x!tt.ptr<f32>, #line>
      %block = ttg.memdesc_index %blocks[%i] : !ttg.memdesc<27x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %v = ttg.local_load %block : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %next = arith.addf %h, %v : tensor<32x64xf32, #mma>
      scf.yield %next : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  // There is no room for the blocks, either.
  tt.func public @too_many(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant dense<64> : tensor<32x1xi32, #line>
    %none = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %blocks = ttg.local_alloc : () -> !ttg.memdesc<29x32x64xf32, #shared, #smem, mutable>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>> -> tensor<32x1xi32, #line>
    %c = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>> -> tensor<1x64xi32, #line>
    %bound = tt.splat %rows : i32 -> tensor<32x1xi32, #line>
    %is_row = arith.cmpi slt, %r, %bound : tensor<32x1xi32, #line>
    %inside = tt.broadcast %is_row : tensor<32x1xi1, #line> -> tensor<32x64xi1, #line>
    %starts = arith.muli %r, %width : tensor<32x1xi32, #line>
    %from = tt.broadcast %starts : tensor<32x1xi32, #line> -> tensor<32x64xi32, #line>
    %to = tt.broadcast %c : tensor<1x64xi32, #line> -> tensor<32x64xi32, #line>
    %at = arith.addi %from, %to : tensor<32x64xi32, #line>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #line>
    %places = tt.addptr %base, %at : tensor<32x64x!tt.ptr<f32>, #line>, tensor<32x64xi32, #line>
    %last = scf.for %i = %zero to %n step %one iter_args(%h = %none) -> (tensor<32x64xf32, #mma>) : i32 {
      %stored = ttg.convert_layout %h : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #line>
      tt.store %places, %stored, %inside : tensor<32x64x!tt.ptr<f32>, #line>
      %block = ttg.memdesc_index %blocks[%i] : !ttg.memdesc<29x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %v = ttg.local_load %block : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %next = arith.addf %h, %v : tensor<32x64xf32, #mma>
      scf.yield %next : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  // Rows that lie at odd places are written word by word.
  tt.func public @odd_rows(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant dense<63> : tensor<32x1xi32, #line>
    %none = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %blocks = ttg.local_alloc : () -> !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>> -> tensor<32x1xi32, #line>
    %c = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>> -> tensor<1x64xi32, #line>
    %bound = tt.splat %rows : i32 -> tensor<32x1xi32, #line>
    %is_row = arith.cmpi slt, %r, %bound : tensor<32x1xi32, #line>
    %inside = tt.broadcast %is_row : tensor<32x1xi1, #line> -> tensor<32x64xi1, #line>
    %starts = arith.muli %r, %width : tensor<32x1xi32, #line>
    %from = tt.broadcast %starts : tensor<32x1xi32, #line> -> tensor<32x64xi32, #line>
    %to = tt.broadcast %c : tensor<1x64xi32, #line> -> tensor<32x64xi32, #line>
    %at = arith.addi %from, %to : tensor<32x64xi32, #line>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #line>
    %places = tt.addptr %base, %at : tensor<32x64x!tt.ptr<f32>, #line>, tensor<32x64xi32, #line>
    %last = scf.for %i = %zero to %n step %one iter_args(%h = %none) -> (tensor<32x64xf32, #mma>) : i32 {
      %stored = ttg.convert_layout %h : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #line>
      tt.store %places, %stored, %inside : tensor<32x64x!tt.ptr<f32>, #line>
      %block = ttg.memdesc_index %blocks[%i] : !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %v = ttg.local_load %block : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %next = arith.addf %h, %v : tensor<32x64xf32, #mma>
      scf.yield %next : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  // Other threads read what is stored.
  tt.func public @read_again(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %width = arith.constant dense<64> : tensor<32x1xi32, #line>
    %none = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %blocks = ttg.local_alloc : () -> !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable>
    %row = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>>
    %column = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #line}>> -> tensor<32x1xi32, #line>
    %c = tt.expand_dims %column {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #line}>> -> tensor<1x64xi32, #line>
    %bound = tt.splat %rows : i32 -> tensor<32x1xi32, #line>
    %is_row = arith.cmpi slt, %r, %bound : tensor<32x1xi32, #line>
    %inside = tt.broadcast %is_row : tensor<32x1xi1, #line> -> tensor<32x64xi1, #line>
    %starts = arith.muli %r, %width : tensor<32x1xi32, #line>
    %from = tt.broadcast %starts : tensor<32x1xi32, #line> -> tensor<32x64xi32, #line>
    %to = tt.broadcast %c : tensor<1x64xi32, #line> -> tensor<32x64xi32, #line>
    %at = arith.addi %from, %to : tensor<32x64xi32, #line>
    %base = tt.splat %out : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #line>
    %places = tt.addptr %base, %at : tensor<32x64x!tt.ptr<f32>, #line>, tensor<32x64xi32, #line>
    %last = scf.for %i = %zero to %n step %one iter_args(%h = %none) -> (tensor<32x64xf32, #mma>) : i32 {
      %stored = ttg.convert_layout %h : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #line>
      tt.store %places, %stored, %inside : tensor<32x64x!tt.ptr<f32>, #line>
      %again = tt.load %places : tensor<32x64x!tt.ptr<f32>, #line>
      tt.store %places, %again : tensor<32x64x!tt.ptr<f32>, #line>
      %block = ttg.memdesc_index %blocks[%i] : !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %v = ttg.local_load %block : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %next = arith.addf %h, %v : tensor<32x64xf32, #mma>
      scf.yield %next : tensor<32x64xf32, #mma>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @states(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<64> : tensor<32x1xi32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<32x1xi32, #mma>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
    %5 = tt.splat %arg1 : i32 -> tensor<32x1xi32, #mma>
    %6 = arith.cmpi slt, %3, %5 : tensor<32x1xi32, #mma>
    %7 = tt.broadcast %6 : tensor<32x1xi1, #mma> -> tensor<32x64xi1, #mma>
    %8 = arith.muli %3, %cst : tensor<32x1xi32, #mma>
    %9 = tt.broadcast %8 : tensor<32x1xi32, #mma> -> tensor<32x64xi32, #mma>
    %10 = tt.broadcast %4 : tensor<1x64xi32, #mma> -> tensor<32x64xi32, #mma>
    %11 = arith.addi %9, %10 : tensor<32x64xi32, #mma>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #mma>
    %13 = tt.addptr %12, %11 : tensor<32x64x!tt.ptr<f32>, #mma>, tensor<32x64xi32, #mma>
    %14 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<32x64xf32, #mma>)  : i32 {
      tt.store %13, %arg4, %7 : tensor<32x64x!tt.ptr<f32>, #mma>
      %15 = ttg.memdesc_index %0[%arg3] : !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %16 = ttg.local_load %15 : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %17 = arith.addf %arg4, %16 : tensor<32x64xf32, #mma>
      scf.yield %17 : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @room(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<27x32x64xf32, #shared, #smem, mutable>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = tt.splat %arg1 : i32 -> tensor<32x1xi32, #blocked>
    %6 = arith.cmpi slt, %3, %5 : tensor<32x1xi32, #blocked>
    %7 = tt.broadcast %6 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %8 = arith.muli %3, %cst : tensor<32x1xi32, #blocked>
    %9 = tt.broadcast %8 : tensor<32x1xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %10 = tt.broadcast %4 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %11 = arith.addi %9, %10 : tensor<32x64xi32, #blocked>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %11 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi32, #blocked>
    %14 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<32x64xf32, #mma>)  : i32 {
      %15 = ttg.convert_layout %arg4 : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #blocked>
      tt.store %13, %15, %7 : tensor<32x64x!tt.ptr<f32>, #blocked>
      %16 = ttg.memdesc_index %0[%arg3] : !ttg.memdesc<27x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %17 = ttg.local_load %16 : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %18 = arith.addf %arg4, %17 : tensor<32x64xf32, #mma>
      scf.yield %18 : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @too_many(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<29x32x64xf32, #shared, #smem, mutable>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = tt.splat %arg1 : i32 -> tensor<32x1xi32, #blocked>
    %6 = arith.cmpi slt, %3, %5 : tensor<32x1xi32, #blocked>
    %7 = tt.broadcast %6 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %8 = arith.muli %3, %cst : tensor<32x1xi32, #blocked>
    %9 = tt.broadcast %8 : tensor<32x1xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %10 = tt.broadcast %4 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %11 = arith.addi %9, %10 : tensor<32x64xi32, #blocked>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %11 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi32, #blocked>
    %14 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<32x64xf32, #mma>)  : i32 {
      %15 = ttg.convert_layout %arg4 : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #blocked>
      tt.store %13, %15, %7 : tensor<32x64x!tt.ptr<f32>, #blocked>
      %16 = ttg.memdesc_index %0[%arg3] : !ttg.memdesc<29x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %17 = ttg.local_load %16 : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %18 = arith.addf %arg4, %17 : tensor<32x64xf32, #mma>
      scf.yield %18 : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @odd_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<63> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = tt.splat %arg1 : i32 -> tensor<32x1xi32, #blocked>
    %6 = arith.cmpi slt, %3, %5 : tensor<32x1xi32, #blocked>
    %7 = tt.broadcast %6 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %8 = arith.muli %3, %cst : tensor<32x1xi32, #blocked>
    %9 = tt.broadcast %8 : tensor<32x1xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %10 = tt.broadcast %4 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %11 = arith.addi %9, %10 : tensor<32x64xi32, #blocked>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %11 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi32, #blocked>
    %14 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<32x64xf32, #mma>)  : i32 {
      %15 = ttg.convert_layout %arg4 : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #blocked>
      tt.store %13, %15, %7 : tensor<32x64x!tt.ptr<f32>, #blocked>
      %16 = ttg.memdesc_index %0[%arg3] : !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %17 = ttg.local_load %16 : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %18 = arith.addf %arg4, %17 : tensor<32x64xf32, #mma>
      scf.yield %18 : tensor<32x64xf32, #mma>
    }
    tt.return
  }
  tt.func public @read_again(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<64> : tensor<32x1xi32, #blocked>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<32x64xf32, #mma>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable>
    %1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %4 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %5 = tt.splat %arg1 : i32 -> tensor<32x1xi32, #blocked>
    %6 = arith.cmpi slt, %3, %5 : tensor<32x1xi32, #blocked>
    %7 = tt.broadcast %6 : tensor<32x1xi1, #blocked> -> tensor<32x64xi1, #blocked>
    %8 = arith.muli %3, %cst : tensor<32x1xi32, #blocked>
    %9 = tt.broadcast %8 : tensor<32x1xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %10 = tt.broadcast %4 : tensor<1x64xi32, #blocked> -> tensor<32x64xi32, #blocked>
    %11 = arith.addi %9, %10 : tensor<32x64xi32, #blocked>
    %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>, #blocked>
    %13 = tt.addptr %12, %11 : tensor<32x64x!tt.ptr<f32>, #blocked>, tensor<32x64xi32, #blocked>
    %14 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst_0) -> (tensor<32x64xf32, #mma>)  : i32 {
      %15 = ttg.convert_layout %arg4 : tensor<32x64xf32, #mma> -> tensor<32x64xf32, #blocked>
      tt.store %13, %15, %7 : tensor<32x64x!tt.ptr<f32>, #blocked>
      %16 = tt.load %13 : tensor<32x64x!tt.ptr<f32>, #blocked>
      tt.store %13, %16 : tensor<32x64x!tt.ptr<f32>, #blocked>
      %17 = ttg.memdesc_index %0[%arg3] : !ttg.memdesc<28x32x64xf32, #shared, #smem, mutable> -> !ttg.memdesc<32x64xf32, #shared, #smem, mutable>
      %18 = ttg.local_load %17 : !ttg.memdesc<32x64xf32, #shared, #smem, mutable> -> tensor<32x64xf32, #mma>
      %19 = arith.addf %arg4, %18 : tensor<32x64xf32, #mma>
      scf.yield %19 : tensor<32x64xf32, #mma>
    }
    tt.return
  }
}

