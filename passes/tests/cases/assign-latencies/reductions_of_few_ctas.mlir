// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,cse,licm,canonicalize,assign-latencies
// grid: few
// counts: tt.latency 1
module {
  // The block of the next iteration is loaded before threads meet for the greatest element; what is loaded from a place that the iteration finds is not.
  tt.func public @greatest(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4096 = arith.constant 4096 : i32
    %start = arith.constant 0.0 : f32
    %m = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %start) -> (f32) : i32 {
      %base = arith.muli %i, %c4096 : i32
      %bs = tt.splat %base : i32 -> tensor<4096xi32>
      %at = arith.addi %m, %bs : tensor<4096xi32>
      %px = tt.addptr %xs, %at : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %a = tt.load %px : tensor<4096x!tt.ptr<f32>>
      %most = "tt.reduce"(%a) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.maxnumf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<4096xf32>) -> f32
      %place = arith.fptosi %most : f32 to i32
      %places = tt.splat %place : i32 -> tensor<4096xi32>
      %there = arith.addi %m, %places : tensor<4096xi32>
      %py = tt.addptr %ys, %there : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %b = tt.load %py : tensor<4096x!tt.ptr<f32>>
      %total = "tt.reduce"(%b) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<4096xf32>) -> f32
      %next = arith.addf %sum, %total : f32
      scf.yield %next : f32
    }
    tt.store %out, %r : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @greatest(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
    %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (f32)  : i32 {
      %4 = arith.muli %arg4, %c4096_i32 : i32
      %5 = tt.splat %4 : i32 -> tensor<4096xi32, #blocked>
      %6 = arith.addi %0, %5 : tensor<4096xi32, #blocked>
      %7 = tt.addptr %1, %6 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %8 = tt.load %7 {tk.issued_ahead, tt.latency = 1 : i32} : tensor<4096x!tt.ptr<f32>, #blocked>
      %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %17 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %17 : f32
      }) : (tensor<4096xf32, #blocked>) -> f32
      %10 = arith.fptosi %9 : f32 to i32
      %11 = tt.splat %10 : i32 -> tensor<4096xi32, #blocked>
      %12 = arith.addi %0, %11 : tensor<4096xi32, #blocked>
      %13 = tt.addptr %2, %12 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %14 = tt.load %13 : tensor<4096x!tt.ptr<f32>, #blocked>
      %15 = "tt.reduce"(%14) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %17 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %17 : f32
      }) : (tensor<4096xf32, #blocked>) -> f32
      %16 = arith.addf %arg5, %15 : f32
      scf.yield %16 : f32
    }
    tt.store %arg2, %3 : !tt.ptr<f32>
    tt.return
  }
}

