// passes: tt,ttg,llvm
// conversions: 0 in the reference
module {
  tt.func public @softmax_kernel(%output_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %input_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %input_row_stride: i32 {tt.divisibility = 16 : i32}, %output_row_stride: i32 {tt.divisibility = 16 : i32}, %n_rows: i32 {tt.divisibility = 16 : i32}, %n_cols: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<4096xf32>
    %row_start = tt.get_program_id x : i32
    %row_step = tt.get_num_programs x : i32
    scf.for %row_idx = %row_start to %n_rows step %row_step  : i32 {
      %row_start_ptr = arith.muli %row_idx, %input_row_stride : i32
      %row_start_ptr_0 = tt.addptr %input_ptr, %row_start_ptr : !tt.ptr<f32>, i32
      %col_offsets = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
      %input_ptrs = tt.splat %row_start_ptr_0 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %input_ptrs_1 = tt.addptr %input_ptrs, %col_offsets : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %mask = tt.splat %n_cols : i32 -> tensor<4096xi32>
      %mask_2 = arith.cmpi slt, %col_offsets, %mask : tensor<4096xi32>
      %row = tt.load %input_ptrs_1, %mask_2, %cst : tensor<4096x!tt.ptr<f32>>
      %row_minus_max = "tt.reduce"(%row) <{axis = 0 : i32}> ({
      ^bb0(%row_minus_max_8: f32, %row_minus_max_9: f32):
        %row_minus_max_10 = arith.maxnumf %row_minus_max_8, %row_minus_max_9 : f32
        tt.reduce.return %row_minus_max_10 : f32
      }) : (tensor<4096xf32>) -> f32
      %row_minus_max_3 = tt.splat %row_minus_max : f32 -> tensor<4096xf32>
      %row_minus_max_4 = arith.subf %row, %row_minus_max_3 : tensor<4096xf32>
      %numerator = math.exp %row_minus_max_4 : tensor<4096xf32>
      %denominator = "tt.reduce"(%numerator) <{axis = 0 : i32}> ({
      ^bb0(%denominator_8: f32, %denominator_9: f32):
        %denominator_10 = arith.addf %denominator_8, %denominator_9 : f32
        tt.reduce.return %denominator_10 : f32
      }) : (tensor<4096xf32>) -> f32
      %softmax_output = tt.splat %denominator : f32 -> tensor<4096xf32>
      %softmax_output_5 = arith.divf %numerator, %softmax_output : tensor<4096xf32>
      %output_row_start_ptr = arith.muli %row_idx, %output_row_stride : i32
      %output_row_start_ptr_6 = tt.addptr %output_ptr, %output_row_start_ptr : !tt.ptr<f32>, i32
      %output_ptrs = tt.splat %output_row_start_ptr_6 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %output_ptrs_7 = tt.addptr %output_ptrs, %col_offsets : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      tt.store %output_ptrs_7, %softmax_output_5, %mask_2 : tensor<4096x!tt.ptr<f32>>
    } {tt.num_stages = 3 : i32}
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 32 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @softmax_kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<4096xf32, #blocked>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_num_programs x : i32
    %2 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %3 = tt.splat %arg5 : i32 -> tensor<4096xi32, #blocked>
    %4 = arith.cmpi slt, %2, %3 {tk.constancy = array<i32: 16>} : tensor<4096xi32, #blocked>
    scf.for %arg6 = %0 to %arg4 step %1  : i32 {
      %5 = arith.muli %arg6, %arg2 : i32
      %6 = tt.addptr %arg1, %5 : !tt.ptr<f32>, i32
      %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %8 = tt.addptr %7, %2 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %9 = tt.load %8, %4, %cst {tk.vector = 4 : i32} : tensor<4096x!tt.ptr<f32>, #blocked>
      %10 = "tt.reduce"(%9) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %21 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %21 : f32
      }) {allocation.offset = 0 : i32, tk.allocation_size = 16 : i32} : (tensor<4096xf32, #blocked>) -> f32
      %11 = tt.splat %10 : f32 -> tensor<4096xf32, #blocked>
      %12 = arith.subf %9, %11 : tensor<4096xf32, #blocked>
      %13 = math.exp %12 : tensor<4096xf32, #blocked>
      %14 = "tt.reduce"(%13) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %21 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %21 : f32
      }) {allocation.offset = 16 : i32, tk.allocation_size = 16 : i32} : (tensor<4096xf32, #blocked>) -> f32
      %15 = tt.splat %14 : f32 -> tensor<4096xf32, #blocked>
      %16 = arith.divf %13, %15 : tensor<4096xf32, #blocked>
      %17 = arith.muli %arg6, %arg3 : i32
      %18 = tt.addptr %arg0, %17 : !tt.ptr<f32>, i32
      %19 = tt.splat %18 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %20 = tt.addptr %19, %2 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      tt.store %20, %16, %4 {tk.vector = 4 : i32} : tensor<4096x!tt.ptr<f32>, #blocked>
    } {tt.num_stages = 3 : i32}
    tt.return
  }
}

