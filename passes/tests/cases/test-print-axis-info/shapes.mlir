// passes: test-print-axis-info
module {
  tt.func public @shapes(%n: i32 {tt.divisibility = 16 : i32}, %p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %column = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %row = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %stride = tt.splat %n : i32 -> tensor<64x1xi32>
    %rows = arith.muli %column, %stride : tensor<64x1xi32>
    %rows_all = tt.broadcast %rows : tensor<64x1xi32> -> tensor<64x64xi32>
    %columns_all = tt.broadcast %row : tensor<1x64xi32> -> tensor<64x64xi32>
    %offsets = arith.addi %rows_all, %columns_all : tensor<64x64xi32>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %pointers = tt.addptr %base, %offsets : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %transposed = tt.trans %pointers {order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %flat = tt.reshape %columns_all : tensor<64x64xi32> -> tensor<4096xi32>
    %cut = tt.reshape %columns_all : tensor<64x64xi32> -> tensor<64x4x16xi32>
    %flat_rows = tt.reshape %rows_all : tensor<64x64xi32> -> tensor<4096xi32>
    %reordered = tt.reshape %columns_all allow_reorder : tensor<64x64xi32> -> tensor<4096xi32>
    %bytes = tt.bitcast %pointers : tensor<64x64x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<i8>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @shapes(%arg0: i32 {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {axis_info = "contiguity = [64], divisibility = [1073741824], constancy = [1], constant_value = <none>", end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32, axis_info = "contiguity = [64, 1], divisibility = [1073741824, 1], constancy = [1, 1], constant_value = <none>"} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = tt.expand_dims %0 {axis = 0 : i32, axis_info = "contiguity = [1, 64], divisibility = [1, 1073741824], constancy = [1, 1], constant_value = <none>"} : tensor<64xi32> -> tensor<1x64xi32>
    %3 = tt.splat %arg0 {axis_info = "contiguity = [1, 1], divisibility = [16, 16], constancy = [64, 1], constant_value = <none>"} : i32 -> tensor<64x1xi32>
    %4 = arith.muli %1, %3 {axis_info = "contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 1], constant_value = <none>"} : tensor<64x1xi32>
    %5 = tt.broadcast %4 {axis_info = "contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 64], constant_value = <none>"} : tensor<64x1xi32> -> tensor<64x64xi32>
    %6 = tt.broadcast %2 {axis_info = "contiguity = [1, 64], divisibility = [1, 1073741824], constancy = [64, 1], constant_value = <none>"} : tensor<1x64xi32> -> tensor<64x64xi32>
    %7 = arith.addi %5, %6 {axis_info = "contiguity = [1, 64], divisibility = [1, 16], constancy = [1, 1], constant_value = <none>"} : tensor<64x64xi32>
    %8 = tt.splat %arg1 {axis_info = "contiguity = [1, 1], divisibility = [16, 16], constancy = [64, 64], constant_value = <none>"} : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %9 = tt.addptr %8, %7 {axis_info = "contiguity = [1, 64], divisibility = [4, 16], constancy = [1, 1], constant_value = <none>"} : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %10 = tt.trans %9 {axis_info = "contiguity = [64, 1], divisibility = [16, 4], constancy = [1, 1], constant_value = <none>", order = array<i32: 1, 0>} : tensor<64x64x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %11 = tt.reshape %6 {axis_info = "contiguity = [64], divisibility = [1073741824], constancy = [1], constant_value = <none>"} : tensor<64x64xi32> -> tensor<4096xi32>
    %12 = tt.reshape %6 {axis_info = "contiguity = [1, 1, 16], divisibility = [1, 1, 16], constancy = [64, 1, 1], constant_value = <none>"} : tensor<64x64xi32> -> tensor<64x4x16xi32>
    %13 = tt.reshape %5 {axis_info = "contiguity = [1], divisibility = [16], constancy = [64], constant_value = <none>"} : tensor<64x64xi32> -> tensor<4096xi32>
    %14 = tt.reshape %6 allow_reorder {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : tensor<64x64xi32> -> tensor<4096xi32>
    %15 = tt.bitcast %9 {axis_info = "contiguity = [1, 1], divisibility = [4, 4], constancy = [1, 1], constant_value = <none>"} : tensor<64x64x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<i8>>
    tt.return
  }
}

