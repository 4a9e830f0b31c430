// passes: join-programs,cse
// grid: many
// counts: scf.if 2, tt.store 2
// Each program has a column: eight of them are one.
module {
  tt.func public @column(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32>, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xbf16>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %id = tt.get_program_id x : i32
    %batch = tt.get_program_id z : i32
    %at = arith.muli %batch, %n : i32
    %stride = tt.splat %n : i32 -> tensor<64xi32>
    %rows = arith.muli %range, %stride : tensor<64xi32>
    %before = arith.subi %id, %c1 : i32
    %inside = arith.cmpi slt, %id, %n : i32
    %mask = tt.splat %inside : i1 -> tensor<64xi1>
    %xb = tt.addptr %x, %at : !tt.ptr<bf16>, i32
    %xi = tt.addptr %xb, %before : !tt.ptr<bf16>, i32
    %xs = tt.splat %xi : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
    %xp = tt.addptr %xs, %rows : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
    %xv = tt.load %xp, %mask, %zero : tensor<64x!tt.ptr<bf16>>
    %xf = arith.extf %xv : tensor<64xbf16> to tensor<64xf32>
    %ws = tt.splat %w : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %wp = tt.addptr %ws, %range : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %wv = tt.load %wp : tensor<64x!tt.ptr<f32>>
    %y = arith.mulf %xf, %wv : tensor<64xf32>
    %chosen = arith.select %inside, %y, %wv : tensor<64xf32>
    %ob = tt.addptr %out, %id : !tt.ptr<f32>, i32
    %os = tt.splat %ob : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %op = tt.addptr %os, %rows : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %op, %chosen, %mask : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @column(%arg0: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 16 : i32}) {
    %0 = tt.get_num_programs x : i32
    %c64_i32 = arith.constant 64 : i32
    %c1073741824_i32 = arith.constant 1073741824 : i32
    %1 = arith.subi %0, %c64_i32 : i32
    %2 = arith.cmpi ule, %1, %c1073741824_i32 : i32
    scf.if %2 {
      %3 = tt.get_program_id x : i32
      %c1_i32 = arith.constant 1 : i32
      %c8_i32 = arith.constant 8 : i32
      %4 = arith.subi %0, %c1_i32 : i32
      %5 = arith.divui %4, %c8_i32 : i32
      %6 = arith.cmpi ule, %3, %5 : i32
      scf.if %6 {
        %7 = arith.muli %3, %c8_i32 : i32
        %8 = tt.splat %7 : i32 -> tensor<8xi32>
        %9 = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
        %10 = arith.addi %8, %9 : tensor<8xi32>
        %11 = tt.splat %0 : i32 -> tensor<8xi32>
        %12 = arith.cmpi slt, %10, %11 : tensor<8xi32>
        %cst = arith.constant dense<0.000000e+00> : tensor<64xbf16>
        %13 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
        %14 = tt.get_program_id z : i32
        %15 = arith.muli %14, %arg3 : i32
        %16 = tt.splat %arg3 : i32 -> tensor<64xi32>
        %17 = arith.muli %13, %16 : tensor<64xi32>
        %18 = tt.splat %c1_i32 : i32 -> tensor<8xi32>
        %19 = arith.subi %10, %18 : tensor<8xi32>
        %20 = tt.splat %arg3 : i32 -> tensor<8xi32>
        %21 = arith.cmpi slt, %10, %20 : tensor<8xi32>
        %22 = tt.expand_dims %21 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
        %23 = tt.broadcast %22 : tensor<8x1xi1> -> tensor<8x64xi1>
        %24 = tt.addptr %arg0, %15 : !tt.ptr<bf16>, i32
        %25 = tt.splat %24 : !tt.ptr<bf16> -> tensor<8x!tt.ptr<bf16>>
        %26 = tt.addptr %25, %19 : tensor<8x!tt.ptr<bf16>>, tensor<8xi32>
        %27 = tt.expand_dims %26 {axis = 1 : i32} : tensor<8x!tt.ptr<bf16>> -> tensor<8x1x!tt.ptr<bf16>>
        %28 = tt.broadcast %27 : tensor<8x1x!tt.ptr<bf16>> -> tensor<8x64x!tt.ptr<bf16>>
        %29 = tt.expand_dims %17 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
        %30 = tt.broadcast %29 : tensor<1x64xi32> -> tensor<8x64xi32>
        %31 = tt.addptr %28, %30 : tensor<8x64x!tt.ptr<bf16>>, tensor<8x64xi32>
        %32 = tt.expand_dims %12 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
        %33 = tt.broadcast %32 : tensor<8x1xi1> -> tensor<8x64xi1>
        %34 = arith.andi %23, %33 : tensor<8x64xi1>
        %35 = tt.expand_dims %cst {axis = 0 : i32} : tensor<64xbf16> -> tensor<1x64xbf16>
        %36 = tt.broadcast %35 : tensor<1x64xbf16> -> tensor<8x64xbf16>
        %37 = tt.load %31, %34, %36 : tensor<8x64x!tt.ptr<bf16>>
        %38 = arith.extf %37 : tensor<8x64xbf16> to tensor<8x64xf32>
        %39 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
        %40 = tt.addptr %39, %13 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
        %41 = tt.load %40 : tensor<64x!tt.ptr<f32>>
        %42 = tt.expand_dims %41 {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
        %43 = tt.broadcast %42 : tensor<1x64xf32> -> tensor<8x64xf32>
        %44 = arith.mulf %38, %43 : tensor<8x64xf32>
        %45 = arith.select %23, %44, %43 : tensor<8x64xi1>, tensor<8x64xf32>
        %46 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
        %47 = tt.addptr %46, %10 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
        %48 = tt.expand_dims %47 {axis = 1 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<8x1x!tt.ptr<f32>>
        %49 = tt.broadcast %48 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x64x!tt.ptr<f32>>
        %50 = tt.addptr %49, %30 : tensor<8x64x!tt.ptr<f32>>, tensor<8x64xi32>
        tt.store %50, %45, %34 : tensor<8x64x!tt.ptr<f32>>
      }
    } else {
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant dense<0.000000e+00> : tensor<64xbf16>
      %3 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
      %4 = tt.get_program_id x : i32
      %5 = tt.get_program_id z : i32
      %6 = arith.muli %5, %arg3 : i32
      %7 = tt.splat %arg3 : i32 -> tensor<64xi32>
      %8 = arith.muli %3, %7 : tensor<64xi32>
      %9 = arith.subi %4, %c1_i32 : i32
      %10 = arith.cmpi slt, %4, %arg3 : i32
      %11 = tt.splat %10 : i1 -> tensor<64xi1>
      %12 = tt.addptr %arg0, %6 : !tt.ptr<bf16>, i32
      %13 = tt.addptr %12, %9 : !tt.ptr<bf16>, i32
      %14 = tt.splat %13 : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
      %15 = tt.addptr %14, %8 : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
      %16 = tt.load %15, %11, %cst : tensor<64x!tt.ptr<bf16>>
      %17 = arith.extf %16 : tensor<64xbf16> to tensor<64xf32>
      %18 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %19 = tt.addptr %18, %3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %20 = tt.load %19 : tensor<64x!tt.ptr<f32>>
      %21 = arith.mulf %17, %20 : tensor<64xf32>
      %22 = arith.select %10, %21, %20 : tensor<64xf32>
      %23 = tt.addptr %arg2, %4 : !tt.ptr<f32>, i32
      %24 = tt.splat %23 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %25 = tt.addptr %24, %8 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      tt.store %25, %22, %11 : tensor<64x!tt.ptr<f32>>
    } {tk.likely}
    tt.return
  }
}

