// passes: remove-layout-conversions
// counts: ttg.convert_layout 6, arith.sitofp 3
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#turned = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Keys that are the values, too, are read from shared memory for both products: the bytes become numbers once.
  tt.func public @keys_first(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %s: tensor<64x1xf32, #blocked>, %x: tensor<32x64xf16, #a>, %y: tensor<32x64xf16, #a>, %c: tensor<32x64xf32, #mma>) -> (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) {
    %bytes = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
    %f = arith.sitofp %bytes : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
    %scales = tt.broadcast %s : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %m = arith.mulf %f, %scales : tensor<64x64xf32, #blocked>
    %h = arith.truncf %m : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
    %k = ttg.convert_layout %t : tensor<64x64xf16, #turned> -> tensor<64x64xf16, #b>
    %scores = tt.dot %x, %k, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    %v = ttg.convert_layout %h : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %sum = tt.dot %y, %v, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    tt.return %scores, %sum : tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>
  }
  // The conversion behind the transposition comes later, and stays as well.
  tt.func public @values_first(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %s: tensor<64x1xf32, #blocked>, %x: tensor<32x64xf16, #a>, %y: tensor<32x64xf16, #a>, %c: tensor<32x64xf32, #mma>) -> (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) {
    %bytes = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
    %f = arith.sitofp %bytes : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
    %scales = tt.broadcast %s : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %m = arith.mulf %f, %scales : tensor<64x64xf32, #blocked>
    %h = arith.truncf %m : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %v = ttg.convert_layout %h : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %sum = tt.dot %y, %v, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    %t = tt.trans %h {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #turned>
    %k = ttg.convert_layout %t : tensor<64x64xf16, #turned> -> tensor<64x64xf16, #b>
    %scores = tt.dot %x, %k, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    tt.return %scores, %sum : tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>
  }
  // One product alone has the bytes and the scales converted.
  tt.func public @values(%p: tensor<64x64x!tt.ptr<i8>, #blocked>, %s: tensor<64x1xf32, #blocked>, %x: tensor<32x64xf16, #a>, %y: tensor<32x64xf16, #a>, %c: tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma> {
    %bytes = tt.load %p : tensor<64x64x!tt.ptr<i8>, #blocked>
    %f = arith.sitofp %bytes : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
    %scales = tt.broadcast %s : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %m = arith.mulf %f, %scales : tensor<64x64xf32, #blocked>
    %h = arith.truncf %m : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %v = ttg.convert_layout %h : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #b>
    %sum = tt.dot %y, %v, %c : tensor<32x64xf16, #a> * tensor<64x64xf16, #b> -> tensor<32x64xf32, #mma>
    tt.return %sum : tensor<32x64xf32, #mma>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 4], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @keys_first(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x1xf32, #blocked>, %arg2: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg4: tensor<32x64xf32, #mma>) -> (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
    %1 = arith.sitofp %0 : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
    %2 = tt.broadcast %arg1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %3 = arith.mulf %1, %2 : tensor<64x64xf32, #blocked>
    %4 = arith.truncf %3 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %5 = tt.trans %4 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %6 = ttg.convert_layout %5 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %7 = tt.dot %arg2, %6, %arg4 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    %8 = ttg.convert_layout %4 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %9 = tt.dot %arg3, %8, %arg4 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    tt.return %7, %9 : tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>
  }
  tt.func public @values_first(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x1xf32, #blocked>, %arg2: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg4: tensor<32x64xf32, #mma>) -> (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) {
    %0 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
    %1 = arith.sitofp %0 : tensor<64x64xi8, #blocked> to tensor<64x64xf32, #blocked>
    %2 = tt.broadcast %arg1 : tensor<64x1xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %3 = arith.mulf %1, %2 : tensor<64x64xf32, #blocked>
    %4 = arith.truncf %3 : tensor<64x64xf32, #blocked> to tensor<64x64xf16, #blocked>
    %5 = ttg.convert_layout %4 : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %6 = tt.dot %arg3, %5, %arg4 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    %7 = tt.trans %4 {order = array<i32: 1, 0>} : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #blocked1>
    %8 = ttg.convert_layout %7 : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %9 = tt.dot %arg2, %8, %arg4 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    tt.return %9, %6 : tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>
  }
  tt.func public @values(%arg0: tensor<64x64x!tt.ptr<i8>, #blocked>, %arg1: tensor<64x1xf32, #blocked>, %arg2: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg3: tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg4: tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma> {
    %0 = ttg.convert_layout %arg1 : tensor<64x1xf32, #blocked> -> tensor<64x1xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %1 = tt.load %arg0 : tensor<64x64x!tt.ptr<i8>, #blocked>
    %2 = ttg.convert_layout %1 : tensor<64x64xi8, #blocked> -> tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %3 = arith.sitofp %2 : tensor<64x64xi8, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %4 = tt.broadcast %0 : tensor<64x1xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %5 = arith.mulf %3, %4 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %6 = arith.truncf %5 : tensor<64x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> to tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
    %7 = tt.dot %arg3, %6, %arg4 : tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<32x64xf32, #mma>
    tt.return %7 : tensor<32x64xf32, #mma>
  }
}

