// passes: join-programs,cse
// grid: many
// counts: scf.for 2, scf.if 2
// Each program has the product of a vector and a column: eight of them are one. The vector is loaded once for them.
module {
  tt.func public @loop(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32>, %y: !tt.ptr<f32>, %inputs: i32, %outputs: i32) {
    %c0 = arith.constant 0 : i32
    %c256 = arith.constant 256 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<256xf32>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %id = tt.get_program_id x : i32
    %stride = tt.splat %outputs : i32 -> tensor<256xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %wi = tt.addptr %w, %id : !tt.ptr<f32>, i32
    %ws = tt.splat %wi : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %sum = scf.for %begin = %c0 to %inputs step %c256 iter_args(%a = %zero) -> (tensor<256xf32>) : i32 {
      %at = tt.splat %begin : i32 -> tensor<256xi32>
      %k = arith.addi %at, %range : tensor<256xi32>
      %xp = tt.addptr %xs, %k : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %xv = tt.load %xp : tensor<256x!tt.ptr<f32>>
      %rows = arith.muli %k, %stride : tensor<256xi32>
      %wp = tt.addptr %ws, %rows : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
      %wv = tt.load %wp : tensor<256x!tt.ptr<f32>>
      %product = arith.mulf %wv, %xv : tensor<256xf32>
      %next = arith.addf %a, %product : tensor<256xf32>
      scf.yield %next : tensor<256xf32>
    }
    %total = "tt.reduce"(%sum) <{axis = 0 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %both = arith.addf %left, %right : f32
      tt.reduce.return %both : f32
    }) : (tensor<256xf32>) -> f32
    %bp = tt.addptr %b, %id : !tt.ptr<f32>, i32
    %bv = tt.load %bp : !tt.ptr<f32>
    %result = arith.addf %total, %bv : f32
    %yp = tt.addptr %y, %id : !tt.ptr<f32>, i32
    tt.store %yp, %result : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @loop(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: i32) {
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
        %c0_i32 = arith.constant 0 : i32
        %c256_i32 = arith.constant 256 : i32
        %cst = arith.constant dense<0.000000e+00> : tensor<256xf32>
        %13 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
        %14 = tt.splat %arg5 : i32 -> tensor<256xi32>
        %15 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
        %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
        %17 = tt.addptr %16, %10 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
        %18 = tt.expand_dims %17 {axis = 1 : i32} : tensor<8x!tt.ptr<f32>> -> tensor<8x1x!tt.ptr<f32>>
        %19 = tt.broadcast %18 : tensor<8x1x!tt.ptr<f32>> -> tensor<8x256x!tt.ptr<f32>>
        %20 = tt.expand_dims %cst {axis = 0 : i32} : tensor<256xf32> -> tensor<1x256xf32>
        %21 = tt.broadcast %20 : tensor<1x256xf32> -> tensor<8x256xf32>
        %22 = scf.for %arg6 = %c0_i32 to %arg4 step %c256_i32 iter_args(%arg7 = %21) -> (tensor<8x256xf32>)  : i32 {
          %30 = tt.splat %arg6 : i32 -> tensor<256xi32>
          %31 = arith.addi %30, %13 : tensor<256xi32>
          %32 = tt.addptr %15, %31 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
          %33 = tt.load %32 : tensor<256x!tt.ptr<f32>>
          %34 = arith.muli %31, %14 : tensor<256xi32>
          %35 = tt.expand_dims %34 {axis = 0 : i32} : tensor<256xi32> -> tensor<1x256xi32>
          %36 = tt.broadcast %35 : tensor<1x256xi32> -> tensor<8x256xi32>
          %37 = tt.addptr %19, %36 : tensor<8x256x!tt.ptr<f32>>, tensor<8x256xi32>
          %38 = tt.expand_dims %12 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
          %39 = tt.broadcast %38 : tensor<8x1xi1> -> tensor<8x256xi1>
          %40 = tt.load %37, %39 : tensor<8x256x!tt.ptr<f32>>
          %41 = tt.expand_dims %33 {axis = 0 : i32} : tensor<256xf32> -> tensor<1x256xf32>
          %42 = tt.broadcast %41 : tensor<1x256xf32> -> tensor<8x256xf32>
          %43 = arith.mulf %40, %42 : tensor<8x256xf32>
          %44 = arith.addf %arg7, %43 : tensor<8x256xf32>
          scf.yield %44 : tensor<8x256xf32>
        }
        %23 = "tt.reduce"(%22) <{axis = 1 : i32}> ({
        ^bb0(%arg6: f32, %arg7: f32):
          %30 = arith.addf %arg6, %arg7 : f32
          tt.reduce.return %30 : f32
        }) : (tensor<8x256xf32>) -> tensor<8xf32>
        %24 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
        %25 = tt.addptr %24, %10 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
        %26 = tt.load %25, %12 : tensor<8x!tt.ptr<f32>>
        %27 = arith.addf %23, %26 : tensor<8xf32>
        %28 = tt.splat %arg3 : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
        %29 = tt.addptr %28, %10 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
        tt.store %29, %27, %12 : tensor<8x!tt.ptr<f32>>
      }
    } else {
      %c0_i32 = arith.constant 0 : i32
      %c256_i32 = arith.constant 256 : i32
      %cst = arith.constant dense<0.000000e+00> : tensor<256xf32>
      %3 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
      %4 = tt.get_program_id x : i32
      %5 = tt.splat %arg5 : i32 -> tensor<256xi32>
      %6 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %7 = tt.addptr %arg1, %4 : !tt.ptr<f32>, i32
      %8 = tt.splat %7 : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
      %9 = scf.for %arg6 = %c0_i32 to %arg4 step %c256_i32 iter_args(%arg7 = %cst) -> (tensor<256xf32>)  : i32 {
        %15 = tt.splat %arg6 : i32 -> tensor<256xi32>
        %16 = arith.addi %15, %3 : tensor<256xi32>
        %17 = tt.addptr %6, %16 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %18 = tt.load %17 : tensor<256x!tt.ptr<f32>>
        %19 = arith.muli %16, %5 : tensor<256xi32>
        %20 = tt.addptr %8, %19 : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
        %21 = tt.load %20 : tensor<256x!tt.ptr<f32>>
        %22 = arith.mulf %21, %18 : tensor<256xf32>
        %23 = arith.addf %arg7, %22 : tensor<256xf32>
        scf.yield %23 : tensor<256xf32>
      }
      %10 = "tt.reduce"(%9) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %15 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %15 : f32
      }) : (tensor<256xf32>) -> f32
      %11 = tt.addptr %arg2, %4 : !tt.ptr<f32>, i32
      %12 = tt.load %11 : !tt.ptr<f32>
      %13 = arith.addf %10, %12 : f32
      %14 = tt.addptr %arg3, %4 : !tt.ptr<f32>, i32
      tt.store %14, %13 : !tt.ptr<f32>
    } {tk.likely}
    tt.return
  }
}

