// passes: turn-products,cse
// target: sm_90a
// counts: tt.trans 2, tt.dot 3
// Scores of 32 queries and 64 keys, which go to the next product turned, and so does what is computed of them and of another product.
module {
  tt.func public @keys(%pq: tensor<32x16x!tt.ptr<f16>>, %pk: tensor<64x16x!tt.ptr<f16>>, %pt: tensor<16x64x!tt.ptr<f16>>, %plog: tensor<32x!tt.ptr<f32>>, %scale: f32, %out: tensor<64x16x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %sum = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
    %rows = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %q = tt.load %pq : tensor<32x16x!tt.ptr<f16>>
    %k = tt.load %pk : tensor<64x16x!tt.ptr<f16>>
    %t = tt.load %pt : tensor<16x64x!tt.ptr<f16>>
    %log = tt.load %plog : tensor<32x!tt.ptr<f32>>
    %kt = tt.trans %k {order = array<i32: 1, 0>} : tensor<64x16xf16> -> tensor<16x64xf16>
    %s = tt.dot %q, %kt, %zero : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    %other = tt.dot %q, %t, %zero : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    %scales = tt.splat %scale : f32 -> tensor<32x64xf32>
    %scaled = arith.mulf %s, %scales : tensor<32x64xf32>
    %log1 = tt.expand_dims %log {axis = 1 : i32} : tensor<32xf32> -> tensor<32x1xf32>
    %logs = tt.broadcast %log1 : tensor<32x1xf32> -> tensor<32x64xf32>
    %less = arith.subf %scaled, %logs : tensor<32x64xf32>
    %p = math.exp2 %less : tensor<32x64xf32>
    %r1 = tt.expand_dims %rows {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %c1 = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rs = tt.broadcast %r1 : tensor<32x1xi32> -> tensor<32x64xi32>
    %cs = tt.broadcast %c1 : tensor<1x64xi32> -> tensor<32x64xi32>
    %visible = arith.cmpi sge, %rs, %cs : tensor<32x64xi32>
    %chosen = arith.select %visible, %p, %zero : tensor<32x64xi1>, tensor<32x64xf32>
    %both = arith.mulf %chosen, %other : tensor<32x64xf32>
    %half = arith.truncf %both : tensor<32x64xf32> to tensor<32x64xf16>
    %turned = tt.trans %half {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %result = tt.dot %turned, %q, %sum : tensor<64x32xf16> * tensor<32x16xf16> -> tensor<64x16xf32>
    tt.store %out, %result : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @keys(%arg0: tensor<32x16x!tt.ptr<f16>>, %arg1: tensor<64x16x!tt.ptr<f16>>, %arg2: tensor<16x64x!tt.ptr<f16>>, %arg3: tensor<32x!tt.ptr<f32>>, %arg4: f32, %arg5: tensor<64x16x!tt.ptr<f32>>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %2 = tt.load %arg0 : tensor<32x16x!tt.ptr<f16>>
    %3 = tt.load %arg1 : tensor<64x16x!tt.ptr<f16>>
    %4 = tt.load %arg2 : tensor<16x64x!tt.ptr<f16>>
    %5 = tt.load %arg3 : tensor<32x!tt.ptr<f32>>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x32xf32>
    %6 = tt.trans %2 {order = array<i32: 1, 0>} : tensor<32x16xf16> -> tensor<16x32xf16>
    %7 = tt.dot %3, %6, %cst_0 : tensor<64x16xf16> * tensor<16x32xf16> -> tensor<64x32xf32>
    %8 = tt.trans %4 {order = array<i32: 1, 0>} : tensor<16x64xf16> -> tensor<64x16xf16>
    %9 = tt.dot %8, %6, %cst_0 : tensor<64x16xf16> * tensor<16x32xf16> -> tensor<64x32xf32>
    %10 = tt.splat %arg4 : f32 -> tensor<64x32xf32>
    %11 = arith.mulf %7, %10 : tensor<64x32xf32>
    %12 = tt.expand_dims %5 {axis = 0 : i32} : tensor<32xf32> -> tensor<1x32xf32>
    %13 = tt.broadcast %12 : tensor<1x32xf32> -> tensor<64x32xf32>
    %14 = arith.subf %11, %13 : tensor<64x32xf32>
    %15 = math.exp2 %14 : tensor<64x32xf32>
    %16 = tt.expand_dims %0 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %17 = tt.broadcast %16 : tensor<1x32xi32> -> tensor<64x32xi32>
    %18 = tt.expand_dims %1 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %19 = tt.broadcast %18 : tensor<64x1xi32> -> tensor<64x32xi32>
    %20 = arith.cmpi sge, %17, %19 : tensor<64x32xi32>
    %21 = arith.select %20, %15, %cst_0 : tensor<64x32xi1>, tensor<64x32xf32>
    %22 = arith.mulf %21, %9 : tensor<64x32xf32>
    %23 = arith.truncf %22 : tensor<64x32xf32> to tensor<64x32xf16>
    %24 = tt.dot %23, %2, %cst : tensor<64x32xf16> * tensor<32x16xf16> -> tensor<64x16xf32>
    tt.store %arg5, %24 : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
}

