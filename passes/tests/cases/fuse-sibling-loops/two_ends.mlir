// passes: fuse-sibling-loops
// counts: scf.for 2, arith.select 2, tt.load 1
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
    %3:2 = scf.for %arg5 = %c2_i32 to %2 step %c1_i32 iter_args(%arg6 = %arg1, %arg7 = %arg2) -> (tensor<16xf32>, tensor<16xf32>)  : i32 {
      %5 = arith.cmpi slt, %arg5, %arg3 : i32
      %6 = "tt.reduce"(%arg6) <{axis = 0 : i32}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        %21 = arith.addf %arg8, %arg9 : f32
        tt.reduce.return %21 : f32
      }) : (tensor<16xf32>) -> f32
      %7 = tt.splat %6 : f32 -> tensor<16xf32>
      %8 = arith.subf %arg6, %7 : tensor<16xf32>
      %9 = arith.select %5, %8, %arg6 : tensor<16xf32>
      %10 = arith.addi %arg5, %c16_i32 : i32
      %11 = arith.cmpi slt, %arg5, %1 : i32
      %12 = tt.splat %10 : i32 -> tensor<16xi32>
      %13 = tt.addptr %arg0, %12 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
      %14 = tt.splat %11 : i1 -> tensor<16xi1>
      %15 = tt.load %13, %14 : tensor<16x!tt.ptr<f32>>
      %16 = arith.addf %arg7, %15 : tensor<16xf32>
      %17 = "tt.reduce"(%16) <{axis = 0 : i32}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        %21 = arith.addf %arg8, %arg9 : f32
        tt.reduce.return %21 : f32
      }) : (tensor<16xf32>) -> f32
      %18 = tt.splat %17 : f32 -> tensor<16xf32>
      %19 = arith.subf %16, %18 : tensor<16xf32>
      %20 = arith.select %11, %19, %arg7 : tensor<16xf32>
      scf.yield %9, %20 : tensor<16xf32>, tensor<16xf32>
    }
    %4 = scf.for %arg5 = %c2_i32 to %arg4 step %c1_i32 iter_args(%arg6 = %3#1) -> (tensor<16xf32>)  : i32 {
      %5 = "tt.reduce"(%arg6) <{axis = 0 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %8 = arith.addf %arg7, %arg8 : f32
        tt.reduce.return %8 : f32
      }) : (tensor<16xf32>) -> f32
      %6 = tt.splat %5 : f32 -> tensor<16xf32>
      %7 = arith.subf %arg6, %6 : tensor<16xf32>
      scf.yield %7 : tensor<16xf32>
    }
    tt.return %3#0, %3#1, %4 : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
}

