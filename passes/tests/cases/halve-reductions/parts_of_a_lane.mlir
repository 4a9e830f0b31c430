// passes: halve-reductions
#row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 8], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Eight warps have parts of one result. The largest number and its place take seven instructions for two parts: lanes share them out. A sum takes one.
  tt.func public @parts(%x: tensor<1x1024xf32, #row>, %y: tensor<1x1024xi32, #row>, %p: tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>, %q: tensor<1x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #row}>>) {
    %best:2 = "tt.reduce"(%x, %y) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
      %same = arith.cmpf oeq, %a, %b : f32
      %earlier = arith.cmpi slt, %i, %j : i32
      %tie = arith.andi %same, %earlier : i1
      %higher = arith.cmpf ogt, %a, %b : f32
      %first = arith.ori %higher, %tie : i1
      %value = arith.select %first, %a, %b : f32
      %place = arith.select %first, %i, %j : i32
      tt.reduce.return %value, %place : f32, i32
    }) : (tensor<1x1024xf32, #row>, tensor<1x1024xi32, #row>) -> (tensor<1xf32, #ttg.slice<{dim = 1, parent = #row}>>, tensor<1xi32, #ttg.slice<{dim = 1, parent = #row}>>)
    tt.store %p, %best#0 : tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>
    tt.store %q, %best#1 : tensor<1x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #row}>>
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tt.reduce.return %s : f32
    }) : (tensor<1x1024xf32, #row>) -> tensor<1xf32, #ttg.slice<{dim = 1, parent = #row}>>
    tt.store %p, %sum : tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #row}>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [1, 8], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @parts(%arg0: tensor<1x1024xf32, #blocked>, %arg1: tensor<1x1024xi32, #blocked>, %arg2: tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, %arg3: tensor<1x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    %0:2 = "tt.reduce"(%arg0, %arg1) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: i32, %arg6: f32, %arg7: i32):
      %2 = arith.cmpf oeq, %arg4, %arg6 : f32
      %3 = arith.cmpi slt, %arg5, %arg7 : i32
      %4 = arith.andi %2, %3 : i1
      %5 = arith.cmpf ogt, %arg4, %arg6 : f32
      %6 = arith.ori %5, %4 : i1
      %7 = arith.select %6, %arg4, %arg6 : f32
      %8 = arith.select %6, %arg5, %arg7 : i32
      tt.reduce.return %7, %8 : f32, i32
    }) {tk.few_parts} : (tensor<1x1024xf32, #blocked>, tensor<1x1024xi32, #blocked>) -> (tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<1xi32, #ttg.slice<{dim = 1, parent = #blocked}>>)
    tt.store %arg2, %0#0 : tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg3, %0#1 : tensor<1x!tt.ptr<i32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = "tt.reduce"(%arg0) <{axis = 1 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %2 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %2 : f32
    }) : (tensor<1x1024xf32, #blocked>) -> tensor<1xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg2, %1 : tensor<1x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
}

