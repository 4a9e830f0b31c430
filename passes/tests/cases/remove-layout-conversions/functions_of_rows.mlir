// passes: remove-layout-conversions
// counts: ttg.convert_layout 2
// Halves are loaded with one row for a warp, and floats are stored with two. Halves are less to convert than floats (`@scale`); but where functions of the
// rows follow, threads would compute them for two rows each, and the floats are converted (`@functions`).
#halves = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#floats = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [2, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scale(%in: tensor<4x512x!tt.ptr<bf16>, #halves>, %out: tensor<4x512x!tt.ptr<f32>, #floats>) {
    %half = arith.constant dense<5.0> : tensor<4x512xf32, #halves>
    %x = tt.load %in : tensor<4x512x!tt.ptr<bf16>, #halves>
    %wide = arith.extf %x : tensor<4x512xbf16, #halves> to tensor<4x512xf32, #halves>
    %scaled = arith.mulf %wide, %half : tensor<4x512xf32, #halves>
    %stored = ttg.convert_layout %scaled : tensor<4x512xf32, #halves> -> tensor<4x512xf32, #floats>
    tt.store %out, %stored : tensor<4x512x!tt.ptr<f32>, #floats>
    tt.return
  }

  tt.func public @functions(%in: tensor<4x512x!tt.ptr<bf16>, #halves>, %out: tensor<4x512x!tt.ptr<f32>, #floats>) {
    %x = tt.load %in : tensor<4x512x!tt.ptr<bf16>, #halves>
    %wide = arith.extf %x : tensor<4x512xbf16, #halves> to tensor<4x512xf32, #halves>
    %most = "tt.reduce"(%wide) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<4x512xf32, #halves>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #halves}>>
    %column = tt.expand_dims %most {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #halves}>> -> tensor<4x1xf32, #halves>
    %size = math.absf %column : tensor<4x1xf32, #halves>
    %log = math.log %size : tensor<4x1xf32, #halves>
    %error = math.erf %log : tensor<4x1xf32, #halves>
    %wave = math.sin %error : tensor<4x1xf32, #halves>
    %root = math.sqrt %wave : tensor<4x1xf32, #halves>
    %power = math.exp %root : tensor<4x1xf32, #halves>
    %factor = tt.broadcast %power : tensor<4x1xf32, #halves> -> tensor<4x512xf32, #halves>
    %scaled = arith.mulf %wide, %factor : tensor<4x512xf32, #halves>
    %stored = ttg.convert_layout %scaled : tensor<4x512xf32, #halves> -> tensor<4x512xf32, #floats>
    tt.store %out, %stored : tensor<4x512x!tt.ptr<f32>, #floats>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 32], warpsPerCTA = [4, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [2, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scale(%arg0: tensor<4x512x!tt.ptr<bf16>, #blocked>, %arg1: tensor<4x512x!tt.ptr<f32>, #blocked1>) {
    %cst = arith.constant dense<5.000000e+00> : tensor<4x512xf32, #blocked1>
    %0 = tt.load %arg0 : tensor<4x512x!tt.ptr<bf16>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<4x512xbf16, #blocked> -> tensor<4x512xbf16, #blocked1>
    %2 = arith.extf %1 : tensor<4x512xbf16, #blocked1> to tensor<4x512xf32, #blocked1>
    %3 = arith.mulf %2, %cst : tensor<4x512xf32, #blocked1>
    tt.store %arg1, %3 : tensor<4x512x!tt.ptr<f32>, #blocked1>
    tt.return
  }
  tt.func public @functions(%arg0: tensor<4x512x!tt.ptr<bf16>, #blocked>, %arg1: tensor<4x512x!tt.ptr<f32>, #blocked1>) {
    %0 = tt.load %arg0 : tensor<4x512x!tt.ptr<bf16>, #blocked>
    %1 = arith.extf %0 : tensor<4x512xbf16, #blocked> to tensor<4x512xf32, #blocked>
    %2 = "tt.reduce"(%1) <{axis = 1 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %13 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %13 : f32
    }) : (tensor<4x512xf32, #blocked>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<4xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<4x1xf32, #blocked>
    %4 = math.absf %3 : tensor<4x1xf32, #blocked>
    %5 = math.log %4 : tensor<4x1xf32, #blocked>
    %6 = math.erf %5 : tensor<4x1xf32, #blocked>
    %7 = math.sin %6 : tensor<4x1xf32, #blocked>
    %8 = math.sqrt %7 : tensor<4x1xf32, #blocked>
    %9 = math.exp %8 : tensor<4x1xf32, #blocked>
    %10 = tt.broadcast %9 : tensor<4x1xf32, #blocked> -> tensor<4x512xf32, #blocked>
    %11 = arith.mulf %1, %10 : tensor<4x512xf32, #blocked>
    %12 = ttg.convert_layout %11 : tensor<4x512xf32, #blocked> -> tensor<4x512xf32, #blocked1>
    tt.store %arg1, %12 : tensor<4x512x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}

