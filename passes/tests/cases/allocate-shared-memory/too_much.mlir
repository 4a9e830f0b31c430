// passes: allocate-shared-memory
// target: sm_86
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @too_much(%x: tensor<128x128xf32, #blocked>, %y: tensor<64x128xf32, #blocked>) -> (tensor<128x128xf32, #blocked>, tensor<64x128xf32, #blocked>) {
    %a = ttg.local_alloc %x : (tensor<128x128xf32, #blocked>) -> !ttg.memdesc<128x128xf32, #shared, #smem>
    %b = ttg.local_alloc %y : (tensor<64x128xf32, #blocked>) -> !ttg.memdesc<64x128xf32, #shared, #smem>
    %c = ttg.local_alloc %x : (tensor<128x128xf32, #blocked>) -> !ttg.memdesc<128x128xf32, #shared, #smem>
    %la = ttg.local_load %a : !ttg.memdesc<128x128xf32, #shared, #smem> -> tensor<128x128xf32, #blocked>
    %lb = ttg.local_load %b : !ttg.memdesc<64x128xf32, #shared, #smem> -> tensor<64x128xf32, #blocked>
    tt.return %la, %lb : tensor<128x128xf32, #blocked>, tensor<64x128xf32, #blocked>
  }
}
// ----- expect
error[too-much-shared-memory]: the kernel needs 163840 bytes of shared memory; a CTA of sm_86 has 101376
 --> too_much.mlir:8:10
  |
8 |     %a = ttg.local_alloc %x : (tensor<128x128xf32, #blocked>) -> !ttg.memdesc<128x128xf32, #shared, #smem>
  |          ^ this buffer takes 65536 bytes
  |
  = note: line 8: buffer of 128x128xf32: 65536 bytes
  = note: line 10: buffer of 128x128xf32: 65536 bytes
  = note: line 9: buffer of 64x128xf32: 32768 bytes
  = help: use blocks with 2 times fewer elements; 101376 bytes hold 25344 elements of 4 bytes
