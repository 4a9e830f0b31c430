// passes: drop-idle-warps
// warps: 8
// grid: few
// Attention with 64 rows is in the four warps of one group, which have whole rows.
module {
  tt.func public @attention(%k: !tt.ptr<f16>, %v: tensor<64x32x!tt.ptr<f16>>, %q: tensor<64x32xf16>, %out: tensor<64x32x!tt.ptr<f32>>, %end: i32) {
    %first = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %none = arith.constant dense<0.0> : tensor<64x64xf32>
    %least = arith.constant dense<-1.0e6> : tensor<64xf32>
    %last:2 = scf.for %begin = %first to %end step %step iter_args(%sum = %zero, %most = %least) -> (tensor<64x32xf32>, tensor<64xf32>) : i32 {
      %base = tt.addptr %k, %begin : !tt.ptr<f16>, i32
      %bases = tt.splat %base : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
      %keys = tt.load %bases : tensor<64x32x!tt.ptr<f16>>
      %turned = tt.trans %keys {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
      %scores = tt.dot %q, %turned, %none : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %greatest = "tt.reduce"(%scores) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %next = arith.maxnumf %most, %greatest : tensor<64xf32>
      %column = tt.expand_dims %next {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %row = tt.broadcast %column : tensor<64x1xf32> -> tensor<64x64xf32>
      %less = arith.subf %scores, %row : tensor<64x64xf32>
      %weights = math.exp2 %less : tensor<64x64xf32>
      %halves = arith.truncf %weights : tensor<64x64xf32> to tensor<64x64xf16>
      %values = tt.load %v : tensor<64x32x!tt.ptr<f16>>
      %added = tt.dot %halves, %values, %sum : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      scf.yield %added, %next : tensor<64x32xf32>, tensor<64xf32>
    }
    tt.store %out, %last#0 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module attributes {tk.warps_with_work = 4 : i32} {
  tt.func public @attention(%arg0: !tt.ptr<f16>, %arg1: tensor<64x32x!tt.ptr<f16>>, %arg2: tensor<64x32xf16>, %arg3: tensor<64x32x!tt.ptr<f32>>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_1 = arith.constant dense<-1.000000e+06> : tensor<64xf32>
    %0:2 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst, %arg7 = %cst_1) -> (tensor<64x32xf32>, tensor<64xf32>)  : i32 {
      %1 = tt.addptr %arg0, %arg5 : !tt.ptr<f16>, i32
      %2 = tt.splat %1 : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
      %3 = tt.load %2 : tensor<64x32x!tt.ptr<f16>>
      %4 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
      %5 = tt.dot %arg2, %4, %cst_0 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %6 = "tt.reduce"(%5) <{axis = 1 : i32}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        %15 = arith.maxnumf %arg8, %arg9 : f32
        tt.reduce.return %15 : f32
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %7 = arith.maxnumf %arg7, %6 : tensor<64xf32>
      %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
      %9 = tt.broadcast %8 : tensor<64x1xf32> -> tensor<64x64xf32>
      %10 = arith.subf %5, %9 : tensor<64x64xf32>
      %11 = math.exp2 %10 : tensor<64x64xf32>
      %12 = arith.truncf %11 : tensor<64x64xf32> to tensor<64x64xf16>
      %13 = tt.load %arg1 : tensor<64x32x!tt.ptr<f16>>
      %14 = tt.dot %12, %13, %arg6 : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
      scf.yield %14, %7 : tensor<64x32xf32>, tensor<64xf32>
    }
    tt.store %arg3, %0#0 : tensor<64x32x!tt.ptr<f32>>
    tt.return
  }
}

