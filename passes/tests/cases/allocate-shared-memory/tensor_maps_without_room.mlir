// passes: allocate-shared-memory,insert-barriers
// The ring takes all bytes that a CTA has, so the maps, which are made before, lie where it comes to lie.
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared3 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.target" = "cuda:90"} {
  tt.func public @no_room(%p: !tt.ptr<f32>, %s: i32, %t: i64) {
    %b = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %m = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %m, %p, [%b, %b], [%s, %s], [%t], [%one, %one] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    %n = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %n, %p, [%b, %b], [%s, %s], [%t], [%one, %one] {elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    %x = ttg.local_alloc : () -> !ttg.memdesc<2x454x64xf32, #shared3, #smem, mutable>
    ttg.local_dealloc %x : !ttg.memdesc<2x454x64xf32, #shared3, #smem, mutable>
    tt.return
  }
}
// ----- expect
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 232448 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @no_room(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i64) {
    %c32_i32 = arith.constant 32 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %0, %arg0, [%c32_i32, %c32_i32], [%arg1, %arg1], [%arg2], [%c1_i32, %c1_i32] {allocation.offset = 0 : i32, elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    %1 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    ttng.tensormap_create %1, %arg0, [%c32_i32, %c32_i32], [%arg1, %arg1], [%arg2], [%c1_i32, %c1_i32] {allocation.offset = 128 : i32, elem_type = 7 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32, tk.allocation_size = 128 : i32} : (!tt.ptr<i8>, !tt.ptr<f32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    %2 = ttg.local_alloc {allocation.offset = 0 : i32, tk.allocation_size = 232448 : i32} : () -> !ttg.memdesc<2x454x64xf32, #shared, #smem, mutable>
    ttg.local_dealloc %2 : !ttg.memdesc<2x454x64xf32, #shared, #smem, mutable>
    tt.return
  }
}

