// passes: copy-blocks-by-tma,canonicalize,cse
// warps: 8
module {
  // Rows of A and of B, wrapped around and masked as in the tutorial: the numbers say that nothing is.
  tt.func public @rows(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %n: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %k: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %am: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %bk: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}) -> tensor<128x256xf32> {
    %step_a = arith.constant dense<64> : tensor<128x64xi32>
    %other_a = arith.constant dense<0.0> : tensor<128x64xf16>
    %other_b = arith.constant dense<0.0> : tensor<64x256xf16>
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c63 = arith.constant 63 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %c256 = arith.constant 256 : i32
    %x = tt.get_program_id x : i32
    %y = tt.get_program_id y : i32
    %first_row = arith.muli %x, %c128 : i32
    %first_column = arith.muli %y, %c256 : i32
    %range_m = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %range_n = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %depth = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %first_rows = tt.splat %first_row : i32 -> tensor<128xi32>
    %first_columns = tt.splat %first_column : i32 -> tensor<256xi32>
    %rows0 = arith.addi %first_rows, %range_m : tensor<128xi32>
    %columns0 = arith.addi %first_columns, %range_n : tensor<256xi32>
    %ms = tt.splat %m : i32 -> tensor<128xi32>
    %ns = tt.splat %n : i32 -> tensor<256xi32>
    %rows = arith.remsi %rows0, %ms : tensor<128xi32>
    %columns = arith.remsi %columns0, %ns : tensor<256xi32>
    %rows2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
    %ams = tt.splat %am : i32 -> tensor<128x1xi32>
    %row_starts = arith.muli %rows2, %ams : tensor<128x1xi32>
    %depth_a = tt.expand_dims %depth {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %offsets_a0 = tt.broadcast %row_starts : tensor<128x1xi32> -> tensor<128x64xi32>
    %offsets_a1 = tt.broadcast %depth_a : tensor<1x64xi32> -> tensor<128x64xi32>
    %offsets_a = arith.addi %offsets_a0, %offsets_a1 : tensor<128x64xi32>
    %as = tt.splat %a : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>>
    %a_first = tt.addptr %as, %offsets_a : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
    %depth_b = tt.expand_dims %depth {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %bks = tt.splat %bk : i32 -> tensor<64x1xi32>
    %depth_starts = arith.muli %depth_b, %bks : tensor<64x1xi32>
    %columns2 = tt.expand_dims %columns {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
    %offsets_b0 = tt.broadcast %depth_starts : tensor<64x1xi32> -> tensor<64x256xi32>
    %offsets_b1 = tt.broadcast %columns2 : tensor<1x256xi32> -> tensor<64x256xi32>
    %offsets_b = arith.addi %offsets_b0, %offsets_b1 : tensor<64x256xi32>
    %bs = tt.splat %b : !tt.ptr<f16> -> tensor<64x256x!tt.ptr<f16>>
    %b_first = tt.addptr %bs, %offsets_b : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
    %step_b0 = arith.muli %bk, %c64 : i32
    %step_b = tt.splat %step_b0 : i32 -> tensor<64x256xi32>
    %more = arith.addi %k, %c63 : i32
    %count = arith.divsi %more, %c64 : i32
    %result:3 = scf.for %i = %c0 to %count step %c1 iter_args(%sum = %zero, %a_ptrs = %a_first, %b_ptrs = %b_first) -> (tensor<128x256xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x256x!tt.ptr<f16>>) : i32 {
      %done = arith.muli %i, %c64 : i32
      %left = arith.subi %k, %done : i32
      %left_a = tt.splat %left : i32 -> tensor<1x64xi32>
      %mask_a0 = arith.cmpi slt, %depth_a, %left_a : tensor<1x64xi32>
      %mask_a = tt.broadcast %mask_a0 : tensor<1x64xi1> -> tensor<128x64xi1>
      %block_a = tt.load %a_ptrs, %mask_a, %other_a : tensor<128x64x!tt.ptr<f16>>
      %left_b = tt.splat %left : i32 -> tensor<64x1xi32>
      %mask_b0 = arith.cmpi slt, %depth_b, %left_b : tensor<64x1xi32>
      %mask_b = tt.broadcast %mask_b0 : tensor<64x1xi1> -> tensor<64x256xi1>
      %block_b = tt.load %b_ptrs, %mask_b, %other_b : tensor<64x256x!tt.ptr<f16>>
      %next = tt.dot %block_a, %block_b, %sum : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      %a_next = tt.addptr %a_ptrs, %step_a : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>
      %b_next = tt.addptr %b_ptrs, %step_b : tensor<64x256x!tt.ptr<f16>>, tensor<64x256xi32>
      scf.yield %next, %a_next, %b_next : tensor<128x256xf32>, tensor<128x64x!tt.ptr<f16>>, tensor<64x256x!tt.ptr<f16>>
    }
    tt.return %result#0 : tensor<128x256xf32>
  }
}
// ----- expect
module {
  tt.func public @rows(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg2: i32 {tk.positive = 1 : i32, tt.divisibility = 128 : i32}, %arg3: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg4: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg5: i32 {tk.positive = 1 : i32, tt.divisibility = 64 : i32}, %arg6: i32 {tk.positive = 1 : i32, tt.divisibility = 256 : i32}, %arg7: !tt.tensordesc<tensor<128x64xf16>> {tk.map_base = 0 : i32, tk.map_stride = 5 : i32}, %arg8: !tt.tensordesc<tensor<64x256xf16>> {tk.map_base = 1 : i32, tk.map_stride = 6 : i32}) -> tensor<128x256xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x256xf32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c63_i32 = arith.constant 63 : i32
    %c64_i32 = arith.constant 64 : i32
    %c128_i32 = arith.constant 128 : i32
    %c256_i32 = arith.constant 256 : i32
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %0, %c128_i32 : i32
    %3 = arith.muli %1, %c256_i32 : i32
    %4 = arith.addi %arg4, %c63_i32 : i32
    %5 = arith.divsi %4, %c64_i32 : i32
    %6 = arith.remsi %2, %arg2 : i32
    %7 = arith.remsi %3, %arg3 : i32
    %8 = scf.for %arg9 = %c0_i32 to %5 step %c1_i32 iter_args(%arg10 = %cst) -> (tensor<128x256xf32>)  : i32 {
      %9 = arith.muli %arg9, %c64_i32 : i32
      %10 = tt.descriptor_load %arg7[%6, %9] : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>
      %11 = tt.descriptor_load %arg8[%9, %7] : !tt.tensordesc<tensor<64x256xf16>> -> tensor<64x256xf16>
      %12 = tt.dot %10, %11, %arg10 : tensor<128x64xf16> * tensor<64x256xf16> -> tensor<128x256xf32>
      scf.yield %12 : tensor<128x256xf32>
    }
    tt.return %8 : tensor<128x256xf32>
  }
}

