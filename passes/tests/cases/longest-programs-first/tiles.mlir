// passes: longest-programs-first,cse
// counts: tt.get_num_programs 0
// A remainder of the number neither grows nor falls.
module {
  tt.func public @causal(%out: !tt.ptr<f32>, %q: tensor<16x16xf16>, %k: tensor<16x16xf16>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %c32 = arith.constant 32 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    %id = tt.get_program_id x : i32
    %head = tt.get_program_id y : i32
    %tile = arith.remsi %id, %n : i32
    %row = arith.muli %tile, %c32 : i32
    %blocks = arith.divsi %row, %c16 : i32
    %whole = arith.muli %blocks, %c16 : i32
    %next = arith.addi %tile, %c1 : i32
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
    %1 = tt.get_program_id y : i32
    %2 = arith.remsi %0, %arg3 : i32
    %3 = arith.muli %2, %c32_i32 : i32
    %4 = arith.divsi %3, %c16_i32 : i32
    %5 = arith.muli %4, %c16_i32 : i32
    %6 = arith.addi %2, %c1_i32 : i32
    %7 = arith.muli %6, %c32_i32 : i32
    %8 = arith.minsi %7, %arg3 : i32
    %9 = scf.for %arg4 = %c0_i32 to %5 step %c16_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32>)  : i32 {
      %14 = tt.dot %arg1, %arg2, %arg5 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %14 : tensor<16x16xf32>
    }
    %10 = scf.for %arg4 = %5 to %8 step %c16_i32 iter_args(%arg5 = %9) -> (tensor<16x16xf32>)  : i32 {
      %14 = tt.dot %arg1, %arg2, %arg5 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      scf.yield %14 : tensor<16x16xf32>
    }
    %11 = arith.addi %3, %1 : i32
    %12 = tt.addptr %arg0, %11 : !tt.ptr<f32>, i32
    %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
    tt.store %13, %10 : tensor<16x16x!tt.ptr<f32>>
    tt.return
  }
}

