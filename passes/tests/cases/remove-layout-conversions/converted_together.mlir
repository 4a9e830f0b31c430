// passes: remove-layout-conversions
// counts: ttg.convert_layout 1, math.exp2 2
// A sine and a cosine of one angle that are both stored in another layout: all of it is computed there, nothing is converted and nothing computed
// twice. Of the second angle one of the two stays, so what is dear of it is computed once, and its sine converted.
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#two = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rotations(%a: tensor<512x!tt.ptr<bf16>, #two>, %b: tensor<512x!tt.ptr<bf16>, #two>, %c: tensor<512x!tt.ptr<bf16>, #two>, %d: tensor<512x!tt.ptr<bf16>, #one>) {
    %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #one>
    %number = arith.sitofp %range : tensor<512xi32, #one> to tensor<512xf32, #one>
    %root = math.sqrt %number : tensor<512xf32, #one>
    %angle = math.exp2 %root : tensor<512xf32, #one>
    %sine = math.sin %angle : tensor<512xf32, #one>
    %cosine = math.cos %angle : tensor<512xf32, #one>
    %negative = arith.negf %cosine : tensor<512xf32, #one>
    %x = arith.truncf %sine : tensor<512xf32, #one> to tensor<512xbf16, #one>
    %y = arith.truncf %negative : tensor<512xf32, #one> to tensor<512xbf16, #one>
    %x2 = ttg.convert_layout %x : tensor<512xbf16, #one> -> tensor<512xbf16, #two>
    %y2 = ttg.convert_layout %y : tensor<512xbf16, #one> -> tensor<512xbf16, #two>
    tt.store %a, %x2 : tensor<512x!tt.ptr<bf16>, #two>
    tt.store %b, %y2 : tensor<512x!tt.ptr<bf16>, #two>
    %other = math.log %number : tensor<512xf32, #one>
    %more = math.sqrt %other : tensor<512xf32, #one>
    %power = math.exp2 %more : tensor<512xf32, #one>
    %third = math.sin %power : tensor<512xf32, #one>
    %fourth = math.cos %power : tensor<512xf32, #one>
    %z = arith.truncf %third : tensor<512xf32, #one> to tensor<512xbf16, #one>
    %w = arith.truncf %fourth : tensor<512xf32, #one> to tensor<512xbf16, #one>
    %z2 = ttg.convert_layout %z : tensor<512xbf16, #one> -> tensor<512xbf16, #two>
    tt.store %c, %z2 : tensor<512x!tt.ptr<bf16>, #two>
    tt.store %d, %w : tensor<512x!tt.ptr<bf16>, #one>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rotations(%arg0: tensor<512x!tt.ptr<bf16>, #blocked>, %arg1: tensor<512x!tt.ptr<bf16>, #blocked>, %arg2: tensor<512x!tt.ptr<bf16>, #blocked>, %arg3: tensor<512x!tt.ptr<bf16>, #blocked1>) {
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked1>
    %1 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %2 = arith.sitofp %0 : tensor<512xi32, #blocked1> to tensor<512xf32, #blocked1>
    %3 = arith.sitofp %1 : tensor<512xi32, #blocked> to tensor<512xf32, #blocked>
    %4 = math.sqrt %3 : tensor<512xf32, #blocked>
    %5 = math.exp2 %4 : tensor<512xf32, #blocked>
    %6 = math.sin %5 : tensor<512xf32, #blocked>
    %7 = math.cos %5 : tensor<512xf32, #blocked>
    %8 = arith.negf %7 : tensor<512xf32, #blocked>
    %9 = arith.truncf %6 : tensor<512xf32, #blocked> to tensor<512xbf16, #blocked>
    %10 = arith.truncf %8 : tensor<512xf32, #blocked> to tensor<512xbf16, #blocked>
    tt.store %arg0, %9 : tensor<512x!tt.ptr<bf16>, #blocked>
    tt.store %arg1, %10 : tensor<512x!tt.ptr<bf16>, #blocked>
    %11 = math.log %2 : tensor<512xf32, #blocked1>
    %12 = math.sqrt %11 : tensor<512xf32, #blocked1>
    %13 = math.exp2 %12 : tensor<512xf32, #blocked1>
    %14 = math.sin %13 : tensor<512xf32, #blocked1>
    %15 = math.cos %13 : tensor<512xf32, #blocked1>
    %16 = arith.truncf %14 : tensor<512xf32, #blocked1> to tensor<512xbf16, #blocked1>
    %17 = arith.truncf %15 : tensor<512xf32, #blocked1> to tensor<512xbf16, #blocked1>
    %18 = ttg.convert_layout %16 : tensor<512xbf16, #blocked1> -> tensor<512xbf16, #blocked>
    tt.store %arg2, %18 : tensor<512x!tt.ptr<bf16>, #blocked>
    tt.store %arg3, %17 : tensor<512x!tt.ptr<bf16>, #blocked1>
    tt.return
  }
}

