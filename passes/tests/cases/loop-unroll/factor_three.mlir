// passes: loop-unroll,canonicalize
module {
  tt.func public @sum(%p: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %c0) -> (i32) : i32 {
      %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
      %x = tt.load %q : !tt.ptr<i32>
      %s = arith.addi %acc, %x : i32
      scf.yield %s : i32
    } {tt.loop_unroll_factor = 3 : i32}
    tt.store %p, %sum : !tt.ptr<i32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @sum(%arg0: !tt.ptr<i32>, %arg1: i32) {
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.maxsi %arg1, %c0_i32 : i32
    %1 = arith.remui %0, %c3_i32 : i32
    %2 = arith.subi %0, %1 : i32
    %3 = scf.for %arg2 = %c0_i32 to %2 step %c3_i32 iter_args(%arg3 = %c0_i32) -> (i32)  : i32 {
      %5 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      %6 = tt.load %5 : !tt.ptr<i32>
      %7 = arith.addi %arg3, %6 : i32
      %8 = arith.addi %arg2, %c1_i32 : i32
      %9 = tt.addptr %arg0, %8 : !tt.ptr<i32>, i32
      %10 = tt.load %9 : !tt.ptr<i32>
      %11 = arith.addi %7, %10 : i32
      %12 = arith.addi %arg2, %c2_i32 : i32
      %13 = tt.addptr %arg0, %12 : !tt.ptr<i32>, i32
      %14 = tt.load %13 : !tt.ptr<i32>
      %15 = arith.addi %11, %14 : i32
      scf.yield %15 : i32
    } {tk.unrolled}
    %4 = scf.for %arg2 = %2 to %arg1 step %c1_i32 iter_args(%arg3 = %3) -> (i32)  : i32 {
      %5 = tt.addptr %arg0, %arg2 : !tt.ptr<i32>, i32
      %6 = tt.load %5 : !tt.ptr<i32>
      %7 = arith.addi %arg3, %6 : i32
      scf.yield %7 : i32
    } {tk.unrolled, tk.written_once}
    tt.store %arg0, %4 : !tt.ptr<i32>
    tt.return
  }
}

