// passes: remove-layout-conversions
// warps: 8
// counts: ttg.convert_layout 1
// A number per row lies in the same registers for a matrix instruction of 128 columns and for one of 64, so it is broadcast from one to
// the other; numbers per column lie in other threads of a blocked layout, and are converted.
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#wide = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#narrow = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scale(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x128xf16, #shared, #smem>, %c: !ttg.memdesc<64x64xf16, #shared, #smem>, %out: tensor<128x128x!tt.ptr<f32>, #wide>, %columns: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>) {
    %zero = arith.constant dense<0.0> : tensor<128x128xf32, #wide>
    %none = arith.constant dense<0.0> : tensor<128x64xf32, #narrow>
    %narrow = ttng.warp_group_dot %a, %c, %none {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #narrow>
    %wide = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #wide>
    %rows = "tt.reduce"(%narrow) <{axis = 1 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      %larger = arith.maxnumf %x, %y : f32
      tt.reduce.return %larger : f32
    }) : (tensor<128x64xf32, #narrow>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #narrow}>>
    %row = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #narrow}>> -> tensor<128x1xf32, #narrow>
    %per_row = tt.broadcast %row : tensor<128x1xf32, #narrow> -> tensor<128x128xf32, #narrow>
    %converted = ttg.convert_layout %per_row : tensor<128x128xf32, #narrow> -> tensor<128x128xf32, #wide>
    %scaled = arith.mulf %wide, %converted : tensor<128x128xf32, #wide>
    %loaded = tt.load %columns : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
    %column = tt.expand_dims %loaded {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x128xf32, #blocked>
    %per_column = tt.broadcast %column : tensor<1x128xf32, #blocked> -> tensor<128x128xf32, #blocked>
    %moved = ttg.convert_layout %per_column : tensor<128x128xf32, #blocked> -> tensor<128x128xf32, #wide>
    %sum = arith.addf %scaled, %moved : tensor<128x128xf32, #wide>
    tt.store %out, %sum : tensor<128x128x!tt.ptr<f32>, #wide>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 128, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @scale(%arg0: !ttg.memdesc<128x64xf16, #shared, #smem>, %arg1: !ttg.memdesc<64x128xf16, #shared, #smem>, %arg2: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg3: tensor<128x128x!tt.ptr<f32>, #mma>, %arg4: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>) {
    %0 = ttg.convert_layout %arg4 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #mma>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #mma1>
    %1 = ttng.warp_group_dot %arg0, %arg2, %cst_0 {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<128x64xf32, #mma1>
    %2 = ttng.warp_group_dot %arg0, %arg1, %cst {inputPrecision = 0 : i32} : !ttg.memdesc<128x64xf16, #shared, #smem> * !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<128x128xf32, #mma>
    %3 = "tt.reduce"(%1) <{axis = 1 : i32}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      %11 = arith.maxnumf %arg5, %arg6 : f32
      tt.reduce.return %11 : f32
    }) : (tensor<128x64xf32, #mma1>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>>
    %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma1}>> -> tensor<128x1xf32, #mma1>
    %5 = tt.broadcast %4 : tensor<128x1xf32, #mma1> -> tensor<128x128xf32, #mma>
    %6 = arith.mulf %2, %5 : tensor<128x128xf32, #mma>
    %7 = tt.load %0 : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.expand_dims %7 {axis = 0 : i32} : tensor<128xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x128xf32, #mma>
    %9 = tt.broadcast %8 : tensor<1x128xf32, #mma> -> tensor<128x128xf32, #mma>
    %10 = arith.addf %6, %9 : tensor<128x128xf32, #mma>
    tt.store %arg3, %10 : tensor<128x128x!tt.ptr<f32>, #mma>
    tt.return
  }
}

