// passes: longest-programs-first,cse
// counts: tt.get_num_programs 1
// Later rows see more keys: blocks that are seen whole, then those with a mask, up to the last key.
module {
  tt.func public @causal(%out: !tt.ptr<f32>, %q: tensor<16x16xf16>, %k: tensor<16x16xf16>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %id = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %row = arith.muli %id, %c32 : i32
    %blocks = arith.divsi %row, %c16 : i32
    %whole = arith.muli %blocks, %c16 : i32
    %next = arith.addi %id, %c1 : i32
    %end = arith.muli %next, %c32 : i32
    %last = arith.minsi %end, %n : i32
    %first = scf.for %i = %c0 to %whole step %c16 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
      %sum = tt.dot %q, %k, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %sum : tensor<16x16xf32>
    }
    %second = scf.for %i = %whole to %last step %c16 iter_args(%acc = %first) -> (tensor<16x16xf32>) : i32 {
      %sum = tt.dot %q, %k, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %sum : tensor<16x16xf32>
    }
    %place = arith.addi %row, %head : i32
    %p = tt.addptr %out, %place : !tt.ptr<f32>, i32
    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    tt.store %ps, %second : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @causal(%arg0: !tt.ptr<f32>, %arg1: tensor<16x16xf16>, %arg2: tensor<16x16xf16>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_num_programs x : i32
    %2 = arith.subi %1, %c1_i32 : i32
    %3 = arith.subi %2, %0 : i32
    %4 = tt.get_program_id y : i32
    %5 = arith.muli %3, %c32_i32 : i32
    %6 = arith.divsi %5, %c16_i32 : i32
    %7 = arith.muli %6, %c16_i32 : i32
    %8 = arith.addi %3, %c1_i32 : i32
    %9 = arith.muli %8, %c32_i32 : i32
    %10 = arith.minsi %9, %arg3 : i32
    %11 = scf.for %arg4 = %c0_i32 to %7 step %c16_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %16 = tt.dot %arg1, %arg2, %arg5 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %16 : tensor<16x16xf32>
    }
    %12 = scf.for %arg4 = %7 to %10 step %c16_i32 iter_args(%arg5 = %11) -> (tensor<16x16xf32>)  : i32 {
      %16 = tt.dot %arg1, %arg2, %arg5 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %16 : tensor<16x16xf32>
    }
    %13 = arith.addi %5, %4 : i32
    %14 = tt.addptr %arg0, %13 : !tt.ptr<f32>, i32
    %15 = tt.splat %14 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    tt.store %15, %12 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}

