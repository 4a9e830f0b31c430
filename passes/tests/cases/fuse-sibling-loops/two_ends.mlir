// passes: fuse-sibling-loops
// counts: scf.for 4, scf.if 1, arith.select 2, tt.load 2
module {
  tt.func public @two_ends(%p: tensor<16x!tt.ptr<f32>>, %x: tensor<16xf32>, %y: tensor<16xf32>, %m: i32, %n: i32) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c18 = arith.constant 18 : i32
    %one = scf.for %i = %c2 to %m step %c1 iter_args(%a = %x) -> (tensor<16xf32>) : i32 {
      %s = "tt.reduce"(%a) <{axis = 0 : i32}> ({
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        tt.reduce.return %t : f32
      }) : (tensor<16xf32>) -> f32
      %b = tt.splat %s : f32 -> tensor<16xf32>
      %next = arith.subf %a, %b : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    }
    %two = scf.for %i = %c18 to %n step %c1 iter_args(%a = %y) -> (tensor<16xf32>) : i32 {
      %o = tt.splat %i : i32 -> tensor<16xi32>
      %q = tt.addptr %p, %o : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %w = tt.load %q : tensor<16x!tt.ptr<f32>>
      %v = arith.addf %a, %w : tensor<16xf32>
      %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        tt.reduce.return %t : f32
      }) : (tensor<16xf32>) -> f32
      %b = tt.splat %s : f32 -> tensor<16xf32>
      %next = arith.subf %v, %b : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    }
    %three = scf.for %i = %c2 to %n step %c1 iter_args(%a = %two) -> (tensor<16xf32>) : i32 {
      %s = "tt.reduce"(%a) <{axis = 0 : i32}> ({
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        tt.reduce.return %t : f32
      }) : (tensor<16xf32>) -> f32
      %b = tt.splat %s : f32 -> tensor<16xf32>
      %next = arith.subf %a, %b : tensor<16xf32>
      scf.yield %next : tensor<16xf32>
    }
    tt.return %one, %two, %three : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}
// ----- expect
module {
  tt.func public @two_ends(%arg0: tensor<16x!tt.ptr<f32>>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>, %arg3: i32, %arg4: i32) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %c18_i32 = arith.constant 18 : i32
    %c16_i32 = arith.constant 16 : i32
    %0 = arith.maxsi %arg4, %c18_i32 : i32
    %1 = arith.subi %0, %c16_i32 : i32
    %2 = arith.maxsi %arg3, %1 : i32
    %3 = arith.maxsi %2, %c2_i32 : i32
    %4 = arith.subi %3, %c2_i32 : i32
    %5 = arith.maxsi %arg3, %c2_i32 : i32
    %6 = arith.subi %5, %c2_i32 : i32
    %7 = arith.maxsi %1, %c2_i32 : i32
    %8 = arith.subi %7, %c2_i32 : i32
    %9 = arith.addi %6, %8 : i32
    %c2_i32_0 = arith.constant 2 : i32
    %10 = arith.muli %9, %c2_i32_0 : i32
    %c3_i32 = arith.constant 3 : i32
    %11 = arith.muli %4, %c3_i32 : i32
    %12 = arith.cmpi sgt, %10, %11 : i32
    %13:2 = scf.if %12 -> (tensor<16xf32>, tensor<16xf32>) {
      %15:2 = scf.for %arg5 = %c2_i32 to %2 step %c1_i32 iter_args(%arg6 = %arg1, %arg7 = %arg2) -> (tensor<16xf32>, tensor<16xf32>)  : i32 {
        %16 = arith.cmpi slt, %arg5, %arg3 : i32
        %17 = "tt.reduce"(%arg6) <{axis = 0 : i32}> ({
        ^bb0(%arg8: f32, %arg9: f32):
          %32 = arith.addf %arg8, %arg9 : f32
          tt.reduce.return %32 : f32
        }) : (tensor<16xf32>) -> f32
        %18 = tt.splat %17 : f32 -> tensor<16xf32>
        %19 = arith.subf %arg6, %18 : tensor<16xf32>
        %20 = arith.select %16, %19, %arg6 : tensor<16xf32>
        %21 = arith.addi %arg5, %c16_i32 : i32
        %22 = arith.cmpi slt, %arg5, %1 : i32
        %23 = tt.splat %21 : i32 -> tensor<16xi32>
        %24 = tt.addptr %arg0, %23 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
        %25 = tt.splat %22 : i1 -> tensor<16xi1>
        %26 = tt.load %24, %25 : tensor<16x!tt.ptr<f32>>
        %27 = arith.addf %arg7, %26 : tensor<16xf32>
        %28 = "tt.reduce"(%27) <{axis = 0 : i32}> ({
        ^bb0(%arg8: f32, %arg9: f32):
          %32 = arith.addf %arg8, %arg9 : f32
          tt.reduce.return %32 : f32
        }) : (tensor<16xf32>) -> f32
        %29 = tt.splat %28 : f32 -> tensor<16xf32>
        %30 = arith.subf %27, %29 : tensor<16xf32>
        %31 = arith.select %22, %30, %arg7 : tensor<16xf32>
        scf.yield %20, %31 : tensor<16xf32>, tensor<16xf32>
      }
      scf.yield %15#0, %15#1 : tensor<16xf32>, tensor<16xf32>
    } else {
      %15 = scf.for %arg5 = %c2_i32 to %arg3 step %c1_i32 iter_args(%arg6 = %arg1) -> (tensor<16xf32>)  : i32 {
        %17 = "tt.reduce"(%arg6) <{axis = 0 : i32}> ({
        ^bb0(%arg7: f32, %arg8: f32):
          %20 = arith.addf %arg7, %arg8 : f32
          tt.reduce.return %20 : f32
        }) : (tensor<16xf32>) -> f32
        %18 = tt.splat %17 : f32 -> tensor<16xf32>
        %19 = arith.subf %arg6, %18 : tensor<16xf32>
        scf.yield %19 : tensor<16xf32>
      }
      %16 = scf.for %arg5 = %c18_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %arg2) -> (tensor<16xf32>)  : i32 {
        %17 = tt.splat %arg5 : i32 -> tensor<16xi32>
        %18 = tt.addptr %arg0, %17 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
        %19 = tt.load %18 : tensor<16x!tt.ptr<f32>>
        %20 = arith.addf %arg6, %19 : tensor<16xf32>
        %21 = "tt.reduce"(%20) <{axis = 0 : i32}> ({
        ^bb0(%arg7: f32, %arg8: f32):
          %24 = arith.addf %arg7, %arg8 : f32
          tt.reduce.return %24 : f32
        }) : (tensor<16xf32>) -> f32
        %22 = tt.splat %21 : f32 -> tensor<16xf32>
        %23 = arith.subf %20, %22 : tensor<16xf32>
        scf.yield %23 : tensor<16xf32>
      }
      scf.yield %15, %16 : tensor<16xf32>, tensor<16xf32>
    } {tk.likely}
    %14 = scf.for %arg5 = %c2_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %13#1) -> (tensor<16xf32>)  : i32 {
      %15 = "tt.reduce"(%arg6) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %18 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %18 : f32
      }) : (tensor<16xf32>) -> f32
      %16 = tt.splat %15 : f32 -> tensor<16xf32>
      %17 = arith.subf %arg6, %16 : tensor<16xf32>
      scf.yield %17 : tensor<16xf32>
    }
    tt.return %13#0, %13#1, %14 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}

