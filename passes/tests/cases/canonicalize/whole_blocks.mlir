// passes: canonicalize
// counts: arith.cmpi 3, arith.remsi 1
// A block size that divides the bounds of a loop: the last block is whole, and masks that ask for it are gone. What is known of the other number says nothing.
module {
  tt.func public @blocks(%K: i32 {tt.divisibility = 64 : i32}, %other: i32, %p: tensor<64x!tt.ptr<f32>>, %v: tensor<64xf32>, %q: tensor<128x!tt.ptr<f32>>, %w: tensor<128xf32>, %left: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
    %long = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %ends = tt.splat %K : i32 -> tensor<64xi32>
    scf.for %k = %c0 to %K step %c64 : i32 {
      %start = tt.splat %k : i32 -> tensor<64xi32>
      %at = arith.addi %start, %range : tensor<64xi32>
      %inside = arith.cmpi slt, %at, %ends : tensor<64xi32>
      tt.store %p, %v, %inside : tensor<64x!tt.ptr<f32>>
      %rest = arith.subi %K, %k : i32
      %rests = tt.splat %rest : i32 -> tensor<64xi32>
      %within = arith.cmpi slt, %range, %rests : tensor<64xi32>
      tt.store %p, %v, %within : tensor<64x!tt.ptr<f32>>
      // A block of 128 may be longer than what is left.
      %rests_long = tt.splat %rest : i32 -> tensor<128xi32>
      %maybe = arith.cmpi slt, %long, %rests_long : tensor<128xi32>
      tt.store %q, %w, %maybe : tensor<128x!tt.ptr<f32>>
    }
    %more = arith.addi %K, %c63 : i32
    %blocks = arith.divsi %more, %c64 : i32
    scf.for %i = %c0 to %blocks step %c1 : i32 {
      %done = arith.muli %i, %c64 : i32
      %rest = arith.subi %K, %done : i32
      %rests = tt.splat %rest : i32 -> tensor<64xi32>
      %within = arith.cmpi slt, %range, %rests : tensor<64xi32>
      tt.store %p, %v, %within : tensor<64x!tt.ptr<f32>>
      // What another number leaves is not known.
      %rest_other = arith.subi %other, %done : i32
      %rests_other = tt.splat %rest_other : i32 -> tensor<64xi32>
      %maybe = arith.cmpi slt, %range, %rests_other : tensor<64xi32>
      tt.store %p, %v, %maybe : tensor<64x!tt.ptr<f32>>
    }
    %ends_other = tt.splat %other : i32 -> tensor<64xi32>
    scf.for %k = %c0 to %other step %c64 : i32 {
      %start = tt.splat %k : i32 -> tensor<64xi32>
      %at = arith.addi %start, %range : tensor<64xi32>
      %maybe = arith.cmpi slt, %at, %ends_other : tensor<64xi32>
      tt.store %p, %v, %maybe : tensor<64x!tt.ptr<f32>>
    }
    %none = arith.remsi %K, %c64 : i32
    tt.store %left, %none : !tt.ptr<i32>
    %some = arith.remsi %other, %c64 : i32
    tt.store %left, %some : !tt.ptr<i32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @blocks(%arg0: i32 {tt.divisibility = 64 : i32}, %arg1: i32, %arg2: tensor<64x!tt.ptr<f32>>, %arg3: tensor<64xf32>, %arg4: tensor<128x!tt.ptr<f32>>, %arg5: tensor<128xf32>, %arg6: !tt.ptr<i32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    scf.for %arg7 = %c0_i32 to %arg0 step %c64_i32  : i32 {
      tt.store %arg2, %arg3 : tensor<64x!tt.ptr<f32>>
      %6 = arith.subi %arg0, %arg7 : i32
      tt.store %arg2, %arg3 : tensor<64x!tt.ptr<f32>>
      %7 = tt.splat %6 : i32 -> tensor<128xi32>
      %8 = arith.cmpi slt, %1, %7 : tensor<128xi32>
      tt.store %arg4, %arg5, %8 : tensor<128x!tt.ptr<f32>>
    }
    %2 = arith.addi %arg0, %c63_i32 : i32
    %3 = arith.divsi %2, %c64_i32 : i32
    scf.for %arg7 = %c0_i32 to %3 step %c1_i32  : i32 {
      %6 = arith.muli %arg7, %c64_i32 : i32
      tt.store %arg2, %arg3 : tensor<64x!tt.ptr<f32>>
      %7 = arith.subi %arg1, %6 : i32
      %8 = tt.splat %7 : i32 -> tensor<64xi32>
      %9 = arith.cmpi slt, %0, %8 : tensor<64xi32>
      tt.store %arg2, %arg3, %9 : tensor<64x!tt.ptr<f32>>
    }
    %4 = tt.splat %arg1 : i32 -> tensor<64xi32>
    scf.for %arg7 = %c0_i32 to %arg1 step %c64_i32  : i32 {
      %6 = tt.splat %arg7 : i32 -> tensor<64xi32>
      %7 = arith.addi %6, %0 : tensor<64xi32>
      %8 = arith.cmpi slt, %7, %4 : tensor<64xi32>
      tt.store %arg2, %arg3, %8 : tensor<64x!tt.ptr<f32>>
    }
    tt.store %arg6, %c0_i32 : !tt.ptr<i32>
    %5 = arith.remsi %arg1, %c64_i32 : i32
    tt.store %arg6, %5 : !tt.ptr<i32>
    tt.return
  }
}

