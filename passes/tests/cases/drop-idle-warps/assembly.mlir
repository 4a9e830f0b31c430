// passes: drop-idle-warps,convert-to-ttg
// Inline assembly may ask for the thread that it runs in.
module {
  tt.func public @assembly(%p: tensor<32x!tt.ptr<i32>>, %x: tensor<32xi32>) {
    %y = tt.elementwise_inline_asm "mov.u32 $0, %tid.x;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %x : tensor<32xi32> -> tensor<32xi32>
    tt.store %p, %y : tensor<32x!tt.ptr<i32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @assembly(%arg0: tensor<32x!tt.ptr<i32>, #blocked>, %arg1: tensor<32xi32, #blocked>) {
    %0 = tt.elementwise_inline_asm "mov.u32 $0, %tid.x;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %arg1 : tensor<32xi32, #blocked> -> tensor<32xi32, #blocked>
    tt.store %arg0, %0 : tensor<32x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

