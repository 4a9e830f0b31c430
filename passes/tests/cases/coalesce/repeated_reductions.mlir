// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 4
module {
  // The largest numbers of each row, one after the other: each warp has rows of its own.
  tt.func public @largest(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %low = arith.constant dense<-1.0> : tensor<8x128xf32>
    %r = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
    %c = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %width = arith.constant dense<128> : tensor<8x1xi32>
    %r1 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
    %rows = arith.muli %r1, %width : tensor<8x1xi32>
    %col0 = tt.expand_dims %c {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
    %rb = tt.broadcast %rows : tensor<8x1xi32> -> tensor<8x128xi32>
    %cb = tt.broadcast %col0 : tensor<1x128xi32> -> tensor<8x128xi32>
    %at = arith.addi %rb, %cb : tensor<8x128xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<8x128x!tt.ptr<f32>>
    %px = tt.addptr %xs, %at : tensor<8x128x!tt.ptr<f32>>, tensor<8x128xi32>
    %v = tt.load %px : tensor<8x128x!tt.ptr<f32>>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
    %left = scf.for %i = %c0 to %n step %c1 iter_args(%values = %v) -> (tensor<8x128xf32>) : i32 {
      %most = "tt.reduce"(%values) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %t = arith.maxnumf %a, %b : f32
        tt.reduce.return %t : f32
      }) : (tensor<8x128xf32>) -> tensor<8xf32>
      %is = tt.splat %i : i32 -> tensor<8xi32>
      %to = arith.addi %r, %is : tensor<8xi32>
      %po = tt.addptr %os, %to : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
      tt.store %po, %most : tensor<8x!tt.ptr<f32>>
      %m1 = tt.expand_dims %most {axis = 1 : i32} : tensor<8xf32> -> tensor<8x1xf32>
      %mb = tt.broadcast %m1 : tensor<8x1xf32> -> tensor<8x128xf32>
      %same = arith.cmpf oeq, %values, %mb : tensor<8x128xf32>
      %next = arith.select %same, %low, %values : tensor<8x128xi1>, tensor<8x128xf32>
      scf.yield %next : tensor<8x128xf32>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @largest(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<-1.000000e+00> : tensor<8x128xf32, #blocked>
    %0 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #blocked1>
    %1 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %cst_0 = arith.constant dense<128> : tensor<8x1xi32, #blocked>
    %3 = tt.expand_dims %1 {axis = 1 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<8x1xi32, #blocked>
    %4 = arith.muli %3, %cst_0 : tensor<8x1xi32, #blocked>
    %5 = tt.expand_dims %2 {axis = 0 : i32} : tensor<128xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xi32, #blocked>
    %6 = tt.broadcast %4 : tensor<8x1xi32, #blocked> -> tensor<8x128xi32, #blocked>
    %7 = tt.broadcast %5 : tensor<1x128xi32, #blocked> -> tensor<8x128xi32, #blocked>
    %8 = arith.addi %6, %7 : tensor<8x128xi32, #blocked>
    %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<8x128x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %8 : tensor<8x128x!tt.ptr<f32>, #blocked>, tensor<8x128xi32, #blocked>
    %11 = tt.load %10 : tensor<8x128x!tt.ptr<f32>, #blocked>
    %12 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>, #blocked1>
    %13 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %11) -> (tensor<8x128xf32, #blocked>)  : i32 {
      %14 = "tt.reduce"(%arg4) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %23 = arith.maxnumf %arg5, %arg6 : f32
        tt.reduce.return %23 : f32
      }) : (tensor<8x128xf32, #blocked>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %15 = ttg.convert_layout %14 : tensor<8xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<8xf32, #blocked1>
      %16 = tt.splat %arg3 : i32 -> tensor<8xi32, #blocked1>
      %17 = arith.addi %0, %16 : tensor<8xi32, #blocked1>
      %18 = tt.addptr %12, %17 : tensor<8x!tt.ptr<f32>, #blocked1>, tensor<8xi32, #blocked1>
      tt.store %18, %15 : tensor<8x!tt.ptr<f32>, #blocked1>
      %19 = tt.expand_dims %14 {axis = 1 : i32} : tensor<8xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<8x1xf32, #blocked>
      %20 = tt.broadcast %19 : tensor<8x1xf32, #blocked> -> tensor<8x128xf32, #blocked>
      %21 = arith.cmpf oeq, %arg4, %20 : tensor<8x128xf32, #blocked>
      %22 = arith.select %21, %cst, %arg4 : tensor<8x128xi1, #blocked>, tensor<8x128xf32, #blocked>
      scf.yield %22 : tensor<8x128xf32, #blocked>
    }
    tt.return
  }
}

