// passes: regroup-terms
// A sum in another order is the same value: what a program says of it holds.
module {
  tt.func public @hint(%p: !tt.ptr<f32>, %start: i32, %shift: i32) -> tensor<128xi32> {
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %starts = tt.splat %start : i32 -> tensor<128xi32>
    %shifts = tt.splat %shift : i32 -> tensor<128xi32>
    %first = arith.addi %starts, %range : tensor<128xi32>
    %sum = arith.addi %first, %shifts {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<128> : tensor<1xi32>} : tensor<128xi32>
    tt.return %sum : tensor<128xi32>
  }
}
// ----- expect
module {
  tt.func public @hint(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32) -> tensor<128xi32> {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.splat %arg1 : i32 -> tensor<128xi32>
    %2 = tt.splat %arg2 : i32 -> tensor<128xi32>
    %3 = arith.addi %1, %2 : tensor<128xi32>
    %4 = arith.addi %3, %0 {tt.contiguity = dense<128> : tensor<1xi32>, tt.divisibility = dense<128> : tensor<1xi32>} : tensor<128xi32>
    tt.return %4 : tensor<128xi32>
  }
}

