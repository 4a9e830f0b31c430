// passes: halve-reductions
#rows = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Four results of a thread, of which eight lanes and four warps have parts: two values are worth sharing out, a sum is not.
  tt.func public @values(%x: tensor<16x32xf32, #rows>, %y: tensor<16x32xi32, #rows>, %p: tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>, %q: tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #rows}>>) {
    %best:2 = "tt.reduce"(%x, %y) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
      %higher = arith.cmpf ogt, %a, %b : f32
      %value = arith.select %higher, %a, %b : f32
      %place = arith.select %higher, %i, %j : i32
      tt.reduce.return %value, %place : f32, i32
    }) : (tensor<16x32xf32, #rows>, tensor<16x32xi32, #rows>) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #rows}>>)
    tt.store %p, %best#0 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.store %q, %best#1 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #rows}>>
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<16x32xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.store %p, %sum : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.return
  }
  // Sixteen sums are worth it; not where the next iteration waits for them, and one result cannot be shared out.
  tt.func public @sums(%x: tensor<64x32xf32, #rows>, %n: i32, %y: tensor<1x512xf32, #row>, %p: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>, %q: tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%each = %x) -> (tensor<64x32xf32, #rows>) : i32 {
      %awaited = "tt.reduce"(%each) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        tt.reduce.return %s : f32
      }) : (tensor<64x32xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>
      %column = tt.expand_dims %awaited {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<64x1xf32, #rows>
      %all = tt.broadcast %column : tensor<64x1xf32, #rows> -> tensor<64x32xf32, #rows>
      scf.yield %all : tensor<64x32xf32, #rows>
    }
    %sum = "tt.reduce"(%end) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<64x32xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.store %p, %sum : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
    %one = "tt.reduce"(%y) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<1x512xf32, #row>) -> tensor<1xf32, #ttg.slice<{dim = 1, parent = #row}>>
    tt.store %q, %one : tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @values(%arg0: tensor<16x32xf32, #blocked>, %arg1: tensor<16x32xi32, #blocked>, %arg2: tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg3: tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    %0:2 = "tt.reduce"(%arg0, %arg1) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: i32, %arg6: f32, %arg7: i32):
      %2 = arith.cmpf ogt, %arg4, %arg6 : f32
      %3 = arith.select %2, %arg4, %arg6 : f32
      %4 = arith.select %2, %arg5, %arg7 : i32
      tt.reduce.return %3, %4 : f32, i32
    }) {tk.halvings = 2 : i32} : (tensor<16x32xf32, #blocked>, tensor<16x32xi32, #blocked>) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>)
    tt.store %arg2, %0#0 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg3, %0#1 : tensor<16x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %2 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %2 : f32
    }) : (tensor<16x32xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg2, %1 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
  tt.func public @sums(%arg0: tensor<64x32xf32, #blocked>, %arg1: i32, %arg2: tensor<1x512xf32, #blocked1>, %arg3: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg4: tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg5 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg6 = %arg0) -> (tensor<64x32xf32, #blocked>)  : i32 {
      %3 = "tt.reduce"(%arg6) <{axis = 1 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %6 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %6 : f32
      }) {tk.halvings = 3 : i32, tk.told_by_scratch} : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xf32, #blocked>
      %5 = tt.broadcast %4 : tensor<64x1xf32, #blocked> -> tensor<64x32xf32, #blocked>
      scf.yield %5 : tensor<64x32xf32, #blocked>
    }
    %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %3 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %3 : f32
    }) {tk.halvings = 3 : i32, tk.told_by_scratch} : (tensor<64x32xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg3, %1 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = "tt.reduce"(%arg2) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %3 = arith.addf %arg5, %arg6 : f32
      tt.reduce.return %3 : f32
    }) : (tensor<1x512xf32, #blocked1>) -> tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.store %arg4, %2 : tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked1}>>
    tt.return
  }
}

