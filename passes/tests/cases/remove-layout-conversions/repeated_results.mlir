// passes: remove-layout-conversions
// counts: ttg.convert_layout 1
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#once = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Sums that eight lanes have: where much is computed from them, they change their layout.
  tt.func public @much(%p: tensor<1024x8x!tt.ptr<f32>, #blocked>, %q: tensor<1024x!tt.ptr<f32>, #once>) {
    %x = tt.load %p : tensor<1024x8x!tt.ptr<f32>, #blocked>
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<1024x8xf32, #blocked>) -> tensor<1024xf32, #rows>
    %one = ttg.convert_layout %sum : tensor<1024xf32, #rows> -> tensor<1024xf32, #once>
    %e = math.exp2 %one : tensor<1024xf32, #once>
    %f = math.log2 %e : tensor<1024xf32, #once>
    %g = math.exp2 %f : tensor<1024xf32, #once>
    tt.store %q, %g : tensor<1024x!tt.ptr<f32>, #once>
    tt.return
  }
  // They go back to their rows: none is converted.
  tt.func public @back(%p: tensor<1024x8x!tt.ptr<f32>, #blocked>) {
    %x = tt.load %p : tensor<1024x8x!tt.ptr<f32>, #blocked>
    %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<1024x8xf32, #blocked>) -> tensor<1024xf32, #rows>
    %one = ttg.convert_layout %sum : tensor<1024xf32, #rows> -> tensor<1024xf32, #once>
    %e = math.exp2 %one : tensor<1024xf32, #once>
    %f = math.log2 %e : tensor<1024xf32, #once>
    %g = math.exp2 %f : tensor<1024xf32, #once>
    %h = ttg.convert_layout %g : tensor<1024xf32, #once> -> tensor<1024xf32, #rows>
    %i = tt.expand_dims %h {axis = 1 : i32} : tensor<1024xf32, #rows> -> tensor<1024x1xf32, #blocked>
    %j = tt.broadcast %i : tensor<1024x1xf32, #blocked> -> tensor<1024x8xf32, #blocked>
    %k = arith.mulf %x, %j : tensor<1024x8xf32, #blocked>
    tt.store %p, %k : tensor<1024x8x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @much(%arg0: tensor<1024x8x!tt.ptr<f32>, #blocked>, %arg1: tensor<1024x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<1024x8x!tt.ptr<f32>, #blocked>
    %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %6 = arith.addf %arg2, %arg3 : f32
      tt.reduce.return %6 : f32
    }) : (tensor<1024x8xf32, #blocked>) -> tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = ttg.convert_layout %1 : tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1024xf32, #blocked1>
    %3 = math.exp2 %2 : tensor<1024xf32, #blocked1>
    %4 = math.log2 %3 : tensor<1024xf32, #blocked1>
    %5 = math.exp2 %4 : tensor<1024xf32, #blocked1>
    tt.store %arg1, %5 : tensor<1024x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @back(%arg0: tensor<1024x8x!tt.ptr<f32>, #blocked>) {
    %0 = tt.load %arg0 : tensor<1024x8x!tt.ptr<f32>, #blocked>
    %1 = "tt.reduce"(%0) <{axis = 1 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %8 = arith.addf %arg1, %arg2 : f32
      tt.reduce.return %8 : f32
    }) : (tensor<1024x8xf32, #blocked>) -> tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = math.exp2 %1 : tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = math.log2 %2 : tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %4 = math.exp2 %3 : tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<1024xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<1024x1xf32, #blocked>
    %6 = tt.broadcast %5 : tensor<1024x1xf32, #blocked> -> tensor<1024x8xf32, #blocked>
    %7 = arith.mulf %0, %6 : tensor<1024x8xf32, #blocked>
    tt.store %arg0, %7 : tensor<1024x8x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

