// passes: reorder-instructions
#one = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A thread has 32 of the indices of either block, 64 registers: the second ones are converted behind the first copy. Numbers of 32 bits
  // take half of that and stay.
  tt.func public @gathered(%at: tensor<128xi64, #one>, %small: tensor<128xi32, #one>, %p: tensor<128x128x!tt.ptr<f32>, #columns>, %q: tensor<128x128x!tt.ptr<f32>, #rows>, %a: !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>, %b: !ttg.memdesc<128x128xf32, #shared, #smem, mutable>) {
    %rows = ttg.convert_layout %at : tensor<128xi64, #one> -> tensor<128xi64, #ttg.slice<{dim = 1, parent = #rows}>>
    %more = ttg.convert_layout %small : tensor<128xi32, #one> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %columns = ttg.convert_layout %at : tensor<128xi64, #one> -> tensor<128xi64, #ttg.slice<{dim = 0, parent = #columns}>>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<128xi64, #ttg.slice<{dim = 0, parent = #columns}>> -> tensor<1x128xi64, #columns>
    %cs = tt.broadcast %c : tensor<1x128xi64, #columns> -> tensor<128x128xi64, #columns>
    %pc = tt.addptr %p, %cs : tensor<128x128x!tt.ptr<f32>, #columns>, tensor<128x128xi64, #columns>
    %t = ttg.async_copy_global_to_local %pc, %a : tensor<128x128x!tt.ptr<f32>, #columns> -> <128x128xf32, #shared1, #smem, mutable>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi64, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<128x1xi64, #rows>
    %rs = tt.broadcast %r : tensor<128x1xi64, #rows> -> tensor<128x128xi64, #rows>
    %m = tt.expand_dims %more {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<128x1xi32, #rows>
    %ms = tt.broadcast %m : tensor<128x1xi32, #rows> -> tensor<128x128xi32, #rows>
    %qr = tt.addptr %q, %rs : tensor<128x128x!tt.ptr<f32>, #rows>, tensor<128x128xi64, #rows>
    %qm = tt.addptr %qr, %ms : tensor<128x128x!tt.ptr<f32>, #rows>, tensor<128x128xi32, #rows>
    %u = ttg.async_copy_global_to_local %qm, %b : tensor<128x128x!tt.ptr<f32>, #rows> -> <128x128xf32, #shared, #smem, mutable>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#shared1 = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gathered(%arg0: tensor<128xi64, #blocked>, %arg1: tensor<128xi32, #blocked>, %arg2: tensor<128x128x!tt.ptr<f32>, #blocked1>, %arg3: tensor<128x128x!tt.ptr<f32>, #blocked2>, %arg4: !ttg.memdesc<128x128xf32, #shared, #smem, mutable>, %arg5: !ttg.memdesc<128x128xf32, #shared1, #smem, mutable>) {
    %0 = ttg.convert_layout %arg1 : tensor<128xi32, #blocked> -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %1 = ttg.convert_layout %arg0 : tensor<128xi64, #blocked> -> tensor<128xi64, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %2 = tt.expand_dims %1 {axis = 0 : i32} : tensor<128xi64, #ttg.slice<{dim = 0, parent = #blocked1}>> -> tensor<1x128xi64, #blocked1>
    %3 = tt.broadcast %2 : tensor<1x128xi64, #blocked1> -> tensor<128x128xi64, #blocked1>
    %4 = tt.addptr %arg2, %3 : tensor<128x128x!tt.ptr<f32>, #blocked1>, tensor<128x128xi64, #blocked1>
    %5 = ttg.async_copy_global_to_local %4, %arg4 : tensor<128x128x!tt.ptr<f32>, #blocked1> -> <128x128xf32, #shared, #smem, mutable>
    %6 = ttg.convert_layout %arg0 : tensor<128xi64, #blocked> -> tensor<128xi64, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<128xi64, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi64, #blocked2>
    %8 = tt.broadcast %7 : tensor<128x1xi64, #blocked2> -> tensor<128x128xi64, #blocked2>
    %9 = tt.expand_dims %0 {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked2}>> -> tensor<128x1xi32, #blocked2>
    %10 = tt.broadcast %9 : tensor<128x1xi32, #blocked2> -> tensor<128x128xi32, #blocked2>
    %11 = tt.addptr %arg3, %8 : tensor<128x128x!tt.ptr<f32>, #blocked2>, tensor<128x128xi64, #blocked2>
    %12 = tt.addptr %11, %10 : tensor<128x128x!tt.ptr<f32>, #blocked2>, tensor<128x128xi32, #blocked2>
    %13 = ttg.async_copy_global_to_local %12, %arg5 : tensor<128x128x!tt.ptr<f32>, #blocked2> -> <128x128xf32, #shared1, #smem, mutable>
    tt.return
  }
}

