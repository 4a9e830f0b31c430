// passes: convert-to-ttg
module {
  tt.func public @k(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
    %z = arith.constant dense<0.0> : tensor<64x64xf32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %e = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %f = tt.expand_dims %r {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %s = tt.splat %n : i32 -> tensor<64x1xi32>
    %m = arith.muli %e, %s : tensor<64x1xi32>
    %eb = tt.broadcast %e : tensor<64x1xi32> -> tensor<64x64xi32>
    %fb = tt.broadcast %f : tensor<1x64xi32> -> tensor<64x64xi32>
    %mb = tt.broadcast %m : tensor<64x1xi32> -> tensor<64x64xi32>
    %o = arith.addi %mb, %fb : tensor<64x64xi32>
    %p = tt.splat %a : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %q = tt.addptr %p, %o : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %l = tt.load %q : tensor<64x64x!tt.ptr<f16>>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tt.dot %l, %t, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    %red = "tt.reduce"(%d) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %mx = arith.maxnumf %x, %y : f32
      tt.reduce.return %mx : f32
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %re = tt.expand_dims %red {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
    %rb = tt.broadcast %re : tensor<64x1xf32> -> tensor<64x64xf32>
    %u = arith.subf %d, %rb : tensor<64x64xf32>
    %v = arith.truncf %u : tensor<64x64xf32> to tensor<64x64xf16>
    %rr = tt.reshape %v : tensor<64x64xf16> -> tensor<4096xf16>
    %rr2 = tt.reshape %rr : tensor<4096xf16> -> tensor<64x64xf16>
    tt.store %q, %rr2 : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#blocked3 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked4 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked5 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [2, 2], order = [0, 1]}>
#blocked6 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #blocked>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #blocked1>
    %1 = ttg.convert_layout %0 : tensor<64xi32, #blocked1> -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %2 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xi32, #blocked2>
    %3 = ttg.convert_layout %2 : tensor<64x1xi32, #blocked2> -> tensor<64x1xi32, #blocked3>
    %4 = ttg.convert_layout %0 : tensor<64xi32, #blocked1> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>>
    %5 = tt.expand_dims %4 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked4}>> -> tensor<1x64xi32, #blocked4>
    %6 = ttg.convert_layout %5 : tensor<1x64xi32, #blocked4> -> tensor<1x64xi32, #blocked>
    %7 = tt.splat %arg1 : i32 -> tensor<64x1xi32, #blocked3>
    %8 = arith.muli %3, %7 : tensor<64x1xi32, #blocked3>
    %9 = tt.broadcast %3 : tensor<64x1xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %10 = tt.broadcast %6 : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %11 = tt.broadcast %8 : tensor<64x1xi32, #blocked3> -> tensor<64x64xi32, #blocked3>
    %12 = ttg.convert_layout %11 : tensor<64x64xi32, #blocked3> -> tensor<64x64xi32, #blocked>
    %13 = arith.addi %12, %10 : tensor<64x64xi32, #blocked>
    %14 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %15 = tt.addptr %14, %13 : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %16 = tt.load %15 : tensor<64x64x!tt.ptr<f16>, #blocked>
    %17 = tt.trans %16 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked5>
    %18 = ttg.convert_layout %17 : tensor<64x64xf16, #blocked5> -> tensor<64x64xf16, #blocked>
    %19 = ttg.convert_layout %16 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked6}>>
    %20 = ttg.convert_layout %18 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked6}>>
    %21 = ttg.convert_layout %cst : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #blocked6>
    %22 = tt.dot %19, %20, %21 : tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked6}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked6}>> -> tensor<64x64xf32, #blocked6>
    %23 = ttg.convert_layout %22 : tensor<64x64xf32, #blocked6> -> tensor<64x64xf32, #blocked>
    %24 = "tt.reduce"(%23) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %35 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %35 : f32
    }) : (tensor<64x64xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %25 = ttg.convert_layout %24 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64xf32, #blocked1>
    %26 = ttg.convert_layout %25 : tensor<64xf32, #blocked1> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<64x1xf32, #blocked2>
    %28 = ttg.convert_layout %27 : tensor<64x1xf32, #blocked2> -> tensor<64x1xf32, #blocked3>
    %29 = tt.broadcast %28 : tensor<64x1xf32, #blocked3> -> tensor<64x64xf32, #blocked3>
    %30 = ttg.convert_layout %29 : tensor<64x64xf32, #blocked3> -> tensor<64x64xf32, #blocked>
    %31 = arith.subf %23, %30 : tensor<64x64xf32, #blocked>
    %32 = arith.truncf %31 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %33 = tt.reshape %32 : tensor<64x64xf16, #blocked> -> tensor<4096xf16, #blocked1>
    %34 = tt.reshape %33 : tensor<4096xf16, #blocked1> -> tensor<64x64xf16, #blocked>
    tt.store %15, %34 : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }
}

