// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 4
// counts: ttg.convert_layout 1
module {
  // Numbers of 64 bits are added one by one. They have the layout of the loads that share their addresses, with two for each thread.
  tt.func public @add(%p: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %n: tensor<16x1xi32> {tt.divisibility = 16 : i32}) {
    %c = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %columns = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %rb = tt.broadcast %n : tensor<16x1xi32> -> tensor<16x64xi32>
    %cb = tt.broadcast %columns : tensor<1x64xi32> -> tensor<16x64xi32>
    %at = arith.addi %rb, %cb : tensor<16x64xi32>
    %ps = tt.splat %p : !tt.ptr<f64> -> tensor<16x64x!tt.ptr<f64>>
    %pa = tt.addptr %ps, %at : tensor<16x64x!tt.ptr<f64>>, tensor<16x64xi32>
    %x = tt.load %pa : tensor<16x64x!tt.ptr<f64>>
    %qs = tt.splat %q : !tt.ptr<f64> -> tensor<16x64x!tt.ptr<f64>>
    %qa = tt.addptr %qs, %at : tensor<16x64x!tt.ptr<f64>>, tensor<16x64xi32>
    %before = tt.atomic_rmw fadd, acq_rel, gpu, %qa, %x : (tensor<16x64x!tt.ptr<f64>>, tensor<16x64xf64>) -> tensor<16x64xf64>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @add(%arg0: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %arg2: tensor<16x1xi32, #blocked> {tt.divisibility = 16 : i32}) {
    %0 = ttg.convert_layout %arg2 : tensor<16x1xi32, #blocked> -> tensor<16x1xi32, #blocked1>
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x64xi32, #blocked1>
    %3 = tt.broadcast %0 : tensor<16x1xi32, #blocked1> -> tensor<16x64xi32, #blocked1>
    %4 = tt.broadcast %2 : tensor<1x64xi32, #blocked1> -> tensor<16x64xi32, #blocked1>
    %5 = arith.addi %3, %4 : tensor<16x64xi32, #blocked1>
    %6 = tt.splat %arg0 : !tt.ptr<f64> -> tensor<16x64x!tt.ptr<f64>, #blocked1>
    %7 = tt.addptr %6, %5 : tensor<16x64x!tt.ptr<f64>, #blocked1>, tensor<16x64xi32, #blocked1>
    %8 = tt.load %7 : tensor<16x64x!tt.ptr<f64>, #blocked1>
    %9 = tt.splat %arg1 : !tt.ptr<f64> -> tensor<16x64x!tt.ptr<f64>, #blocked1>
    %10 = tt.addptr %9, %5 : tensor<16x64x!tt.ptr<f64>, #blocked1>, tensor<16x64xi32, #blocked1>
    %11 = tt.atomic_rmw fadd, acq_rel, gpu, %10, %8 : (tensor<16x64x!tt.ptr<f64>, #blocked1>, tensor<16x64xf64, #blocked1>) -> tensor<16x64xf64, #blocked1>
    tt.return
  }
}

