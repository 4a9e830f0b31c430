// passes: join-programs,cse
// grid: many
// counts: scf.for 2, scf.if 2
// The loop carries pointers, which grow as much in all programs, and a sum that each has its own of. There is room for four programs.
module {
  tt.func public @loop_of_pointers(%w: !tt.ptr<f16>, %y: !tt.ptr<f16>, %inputs: i32, %outputs: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant 0.000000e+00 : f16
    %range = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %id = tt.get_program_id x : i32
    %stride = tt.splat %outputs : i32 -> tensor<2048xi32>
    %rows = arith.muli %range, %stride : tensor<2048xi32>
    %ws = tt.splat %w : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
    %wr = tt.addptr %ws, %rows : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %ids = tt.splat %id : i32 -> tensor<2048xi32>
    %first = tt.addptr %wr, %ids : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
    %sum, %end = scf.for %i = %c0 to %inputs step %c1 iter_args(%a = %zero, %p = %first) -> (f16, tensor<2048x!tt.ptr<f16>>) : i32 {
      %wv = tt.load %p : tensor<2048x!tt.ptr<f16>>
      %part = "tt.reduce"(%wv) <{axis = 0 : i32}> ({
      ^bb0(%left: f16, %right: f16):
        %both = arith.addf %left, %right : f16
        tt.reduce.return %both : f16
      }) : (tensor<2048xf16>) -> f16
      %next = arith.addf %a, %part : f16
      %q = tt.addptr %p, %stride : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
      scf.yield %next, %q : f16, tensor<2048x!tt.ptr<f16>>
    }
    %yp = tt.addptr %y, %id : !tt.ptr<f16>, i32
    tt.store %yp, %sum : !tt.ptr<f16>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @loop_of_pointers(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32, %arg3: i32) {
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
        %cst = arith.constant 0.000000e+00 : f16
        %13 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
        %14 = tt.splat %arg3 : i32 -> tensor<2048xi32>
        %15 = arith.muli %13, %14 : tensor<2048xi32>
        %16 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
        %17 = tt.addptr %16, %15 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
        %18 = tt.expand_dims %10 {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
        %19 = tt.broadcast %18 : tensor<8x1xi32> -> tensor<8x2048xi32>
        %20 = tt.expand_dims %17 {axis = 0 : i32} : tensor<2048x!tt.ptr<f16>> -> tensor<1x2048x!tt.ptr<f16>>
        %21 = tt.broadcast %20 : tensor<1x2048x!tt.ptr<f16>> -> tensor<8x2048x!tt.ptr<f16>>
        %22 = tt.addptr %21, %19 : tensor<8x2048x!tt.ptr<f16>>, tensor<8x2048xi32>
        %23 = tt.splat %cst : f16 -> tensor<8xf16>
        %24:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %23, %arg6 = %22) -> (tensor<8xf16>, tensor<8x2048x!tt.ptr<f16>>)  : i32 {
          %27 = tt.expand_dims %12 {axis = 1 : i32} : tensor<8xi1> -> tensor<8x1xi1>
          %28 = tt.broadcast %27 : tensor<8x1xi1> -> tensor<8x2048xi1>
          %29 = tt.load %arg6, %28 : tensor<8x2048x!tt.ptr<f16>>
          %30 = "tt.reduce"(%29) <{axis = 1 : i32}> ({
          ^bb0(%arg7: f16, %arg8: f16):
            %35 = arith.addf %arg7, %arg8 : f16
            tt.reduce.return %35 : f16
          }) : (tensor<8x2048xf16>) -> tensor<8xf16>
          %31 = arith.addf %arg5, %30 : tensor<8xf16>
          %32 = tt.expand_dims %14 {axis = 0 : i32} : tensor<2048xi32> -> tensor<1x2048xi32>
          %33 = tt.broadcast %32 : tensor<1x2048xi32> -> tensor<8x2048xi32>
          %34 = tt.addptr %arg6, %33 : tensor<8x2048x!tt.ptr<f16>>, tensor<8x2048xi32>
          scf.yield %31, %34 : tensor<8xf16>, tensor<8x2048x!tt.ptr<f16>>
        }
        %25 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<8x!tt.ptr<f16>>
        %26 = tt.addptr %25, %10 : tensor<8x!tt.ptr<f16>>, tensor<8xi32>
        tt.store %26, %24#0, %12 : tensor<8x!tt.ptr<f16>>
      }
    } else {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %cst = arith.constant 0.000000e+00 : f16
      %3 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
      %4 = tt.get_program_id x : i32
      %5 = tt.splat %arg3 : i32 -> tensor<2048xi32>
      %6 = arith.muli %3, %5 : tensor<2048xi32>
      %7 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<2048x!tt.ptr<f16>>
      %8 = tt.addptr %7, %6 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
      %9 = tt.splat %4 : i32 -> tensor<2048xi32>
      %10 = tt.addptr %8, %9 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
      %11:2 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst, %arg6 = %10) -> (f16, tensor<2048x!tt.ptr<f16>>)  : i32 {
        %13 = tt.load %arg6 : tensor<2048x!tt.ptr<f16>>
        %14 = "tt.reduce"(%13) <{axis = 0 : i32}> ({
        ^bb0(%arg7: f16, %arg8: f16):
          %17 = arith.addf %arg7, %arg8 : f16
          tt.reduce.return %17 : f16
        }) : (tensor<2048xf16>) -> f16
        %15 = arith.addf %arg5, %14 : f16
        %16 = tt.addptr %arg6, %5 : tensor<2048x!tt.ptr<f16>>, tensor<2048xi32>
        scf.yield %15, %16 : f16, tensor<2048x!tt.ptr<f16>>
      }
      %12 = tt.addptr %arg1, %4 : !tt.ptr<f16>, i32
      tt.store %12, %11#0 : !tt.ptr<f16>
    } {tk.likely}
    tt.return
  }
}

