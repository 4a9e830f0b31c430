// passes: remove-layout-conversions
// counts: ttg.convert_layout 1
// Rows of a block that TMA brings are summed up as they are read from shared memory: by eight neighbors, and not one by one. Where something else has a
// layout, the block is read in that.
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#narrow = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#line = #ttg.slice<{dim = 1, parent = #narrow}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%d: !tt.tensordesc<tensor<64x64xbf16>>, %i: i32, %out: tensor<64x!tt.ptr<f32>, #line>) {
    %a = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16, #wide>
    %b = ttg.convert_layout %a : tensor<64x64xbf16, #wide> -> tensor<64x64xbf16, #narrow>
    %wide = arith.extf %b : tensor<64x64xbf16, #narrow> to tensor<64x64xf32, #narrow>
    %sums = "tt.reduce"(%wide) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      tt.reduce.return %sum : f32
    }) : (tensor<64x64xf32, #narrow>) -> tensor<64xf32, #line>
    tt.store %out, %sums : tensor<64x!tt.ptr<f32>, #line>
    tt.return
  }
  tt.func public @beside(%d: !tt.tensordesc<tensor<64x64xbf16>>, %i: i32, %p: tensor<64x64x!tt.ptr<bf16>, #narrow>) -> tensor<64x64xbf16, #narrow> {
    %a = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16, #narrow>
    %b = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #narrow>
    %sum = arith.addf %a, %b : tensor<64x64xbf16, #narrow>
    tt.return %sum : tensor<64x64xbf16, #narrow>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: !tt.tensordesc<tensor<64x64xbf16>>, %arg1: i32, %arg2: tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>) {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16, #blocked1>
    %1 = arith.extf %0 : tensor<64x64xbf16, #blocked1> to tensor<64x64xf32, #blocked1>
    %2 = "tt.reduce"(%1) <{axis = 1 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %4 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %4 : f32
    }) : (tensor<64x64xf32, #blocked1>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = ttg.convert_layout %2 : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.store %arg2, %3 : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
    tt.return
  }
  tt.func public @beside(%arg0: !tt.tensordesc<tensor<64x64xbf16>>, %arg1: i32, %arg2: tensor<64x64x!tt.ptr<bf16>, #blocked>) -> tensor<64x64xbf16, #blocked> {
    %0 = tt.descriptor_load %arg0[%arg1, %arg1] : !tt.tensordesc<tensor<64x64xbf16>> -> tensor<64x64xbf16, #blocked>
    %1 = tt.load %arg2 : tensor<64x64x!tt.ptr<bf16>, #blocked>
    %2 = arith.addf %0, %1 : tensor<64x64xbf16, #blocked>
    tt.return %2 : tensor<64x64xbf16, #blocked>
  }
}

