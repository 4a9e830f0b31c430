// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 8
module {
  // A state whose rows are reduced in a loop that computes a gate of each column: few columns for each thread, and more exchanges.
  tt.func public @steps(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %gates: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %r = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %width = arith.constant dense<64> : tensor<64x1xi32>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %rows = arith.muli %r1, %width : tensor<64x1xi32>
    %c = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rb = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %cb = tt.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
    %at = arith.addi %rb, %cb : tensor<64x64xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %state = tt.load %px : tensor<64x64x!tt.ptr<f32>>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%h = %state) -> (tensor<64x64xf32>) : i32 {
      %first = arith.muli %i, %c64 : i32
      %of = tt.addptr %gates, %first : !tt.ptr<f32>, i32
      %gs = tt.splat %of : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %pg = tt.addptr %gs, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %raw = tt.load %pg : tensor<64x!tt.ptr<f32>>
      %gate = math.exp %raw : tensor<64xf32>
      %g1 = tt.expand_dims %gate {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
      %gb = tt.broadcast %g1 : tensor<1x64xf32> -> tensor<64x64xf32>
      %next = arith.mulf %h, %gb : tensor<64x64xf32>
      %sum = "tt.reduce"(%next) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %t = arith.addf %a, %b : f32
        tt.reduce.return %t : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %to = tt.addptr %out, %first : !tt.ptr<f32>, i32
      %os = tt.splat %to : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %po = tt.addptr %os, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      tt.store %po, %sum : tensor<64x!tt.ptr<f32>>
      scf.yield %next : tensor<64x64xf32>
    }
    tt.store %px, %last : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @steps(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %cst = arith.constant dense<64> : tensor<64x1xi32, #blocked1>
    %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64x1xi32, #blocked1>
    %5 = arith.muli %4, %cst : tensor<64x1xi32, #blocked1>
    %6 = tt.expand_dims %2 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %7 = tt.broadcast %5 : tensor<64x1xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %8 = tt.broadcast %6 : tensor<1x64xi32, #blocked1> -> tensor<64x64xi32, #blocked1>
    %9 = arith.addi %7, %8 : tensor<64x64xi32, #blocked1>
    %10 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %11 = tt.addptr %10, %9 : tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>
    %12 = tt.load %11 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    %13 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %12) -> (tensor<64x64xf32, #blocked1>)  : i32 {
      %14 = arith.muli %arg4, %c64_i32 : i32
      %15 = tt.addptr %arg1, %14 : !tt.ptr<f32>, i32
      %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %17 = tt.addptr %16, %1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %18 = tt.load %17 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %19 = math.exp %18 : tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %20 = tt.expand_dims %19 {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xf32, #blocked1>
      %21 = tt.broadcast %20 : tensor<1x64xf32, #blocked1> -> tensor<64x64xf32, #blocked1>
      %22 = arith.mulf %arg5, %21 : tensor<64x64xf32, #blocked1>
      %23 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %28 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %28 : f32
      }) : (tensor<64x64xf32, #blocked1>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %24 = ttg.convert_layout %23 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64xf32, #blocked>
      %25 = tt.addptr %arg2, %14 : !tt.ptr<f32>, i32
      %26 = tt.splat %25 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #blocked>
      %27 = tt.addptr %26, %0 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
      tt.store %27, %24 : tensor<64x!tt.ptr<f32>, #blocked>
      scf.yield %22 : tensor<64x64xf32, #blocked1>
    }
    tt.store %11, %13 : tensor<64x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

