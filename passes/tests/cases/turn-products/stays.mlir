// passes: turn-products,cse
// target: sm_90a
// counts: tt.trans 2, tt.dot 4
// What is stored as it lies stays, and so does a product that has rows enough.
module {
  tt.func public @stored(%pq: tensor<32x16x!tt.ptr<f16>>, %pk: tensor<16x64x!tt.ptr<f16>>, %ps: tensor<32x64x!tt.ptr<f32>>, %out: tensor<64x16x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %sum = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
    %q = tt.load %pq : tensor<32x16x!tt.ptr<f16>>
    %k = tt.load %pk : tensor<16x64x!tt.ptr<f16>>
    %s = tt.dot %q, %k, %zero : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    tt.store %ps, %s : tensor<32x64x!tt.ptr<f32>>
    %half = arith.truncf %s : tensor<32x64xf32> to tensor<32x64xf16>
    %turned = tt.trans %half {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %result = tt.dot %turned, %q, %sum : tensor<64x32xf16> * tensor<32x16xf16> -> tensor<64x16xf32>
    tt.store %out, %result : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @many(%pq: tensor<64x16x!tt.ptr<f16>>, %pk: tensor<16x64x!tt.ptr<f16>>, %out: tensor<64x16x!tt.ptr<f32>>) {
    %zero = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %sum = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
    %q = tt.load %pq : tensor<64x16x!tt.ptr<f16>>
    %k = tt.load %pk : tensor<16x64x!tt.ptr<f16>>
    %s = tt.dot %q, %k, %zero : tensor<64x16xf16> * tensor<16x64xf16> -> tensor<64x64xf32>
    %half = arith.truncf %s : tensor<64x64xf32> to tensor<64x64xf16>
    %turned = tt.trans %half {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %result = tt.dot %turned, %q, %sum : tensor<64x64xf16> * tensor<64x16xf16> -> tensor<64x16xf32>
    tt.store %out, %result : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @stored(%arg0: tensor<32x16x!tt.ptr<f16>>, %arg1: tensor<16x64x!tt.ptr<f16>>, %arg2: tensor<32x64x!tt.ptr<f32>>, %arg3: tensor<64x16x!tt.ptr<f32>>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<32x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
    %0 = tt.load %arg0 : tensor<32x16x!tt.ptr<f16>>
    %1 = tt.load %arg1 : tensor<16x64x!tt.ptr<f16>>
    %2 = tt.dot %0, %1, %cst : tensor<32x16xf16> * tensor<16x64xf16> -> tensor<32x64xf32>
    tt.store %arg2, %2 : tensor<32x64x!tt.ptr<f32>>
    %3 = arith.truncf %2 : tensor<32x64xf32> to tensor<32x64xf16>
    %4 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %5 = tt.dot %4, %0, %cst_0 : tensor<64x32xf16> * tensor<32x16xf16> -> tensor<64x16xf32>
    tt.store %arg3, %5 : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @many(%arg0: tensor<64x16x!tt.ptr<f16>>, %arg1: tensor<16x64x!tt.ptr<f16>>, %arg2: tensor<64x16x!tt.ptr<f32>>) {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<64x16xf32>
    %0 = tt.load %arg0 : tensor<64x16x!tt.ptr<f16>>
    %1 = tt.load %arg1 : tensor<16x64x!tt.ptr<f16>>
    %2 = tt.dot %0, %1, %cst : tensor<64x16xf16> * tensor<16x64xf16> -> tensor<64x64xf32>
    %3 = arith.truncf %2 : tensor<64x64xf32> to tensor<64x64xf16>
    %4 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<64x64xf16> -> tensor<64x64xf16>
    %5 = tt.dot %4, %0, %cst_0 : tensor<64x64xf16> * tensor<64x16xf16> -> tensor<64x16xf32>
    tt.store %arg2, %5 : tensor<64x16x!tt.ptr<f32>>
    tt.return
  }
}

