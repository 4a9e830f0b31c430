// passes: remove-layout-conversions
// counts: ttg.convert_layout 1
// Sums of rows are stored in each step by the threads that have them, and the pointers and the mask are computed again for that. What is loaded through
// the same parameter keeps the store as it is.
#block = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#rows = #ttg.slice<{dim = 1, parent = #block}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%x: tensor<16x16x!tt.ptr<f32>, #block>, %y: !tt.ptr<f32>, %steps: i32, %n: i32) {
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #block>
    %p = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #line>
    %end = tt.splat %n : i32 -> tensor<16xi32, #line>
    %mask = arith.cmpi slt, %p, %end : tensor<16xi32, #line>
    %last = scf.for %t = %first to %steps step %one iter_args(%state = %zero) -> (tensor<16x16xf32, #block>) : i32 {
      %offsets = tt.splat %t : i32 -> tensor<16x16xi32, #block>
      %here = tt.addptr %x, %offsets : tensor<16x16x!tt.ptr<f32>, #block>, tensor<16x16xi32, #block>
      %part = tt.load %here : tensor<16x16x!tt.ptr<f32>, #block>
      %next = arith.addf %state, %part : tensor<16x16xf32, #block>
      %sums = "tt.reduce"(%next) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %sum = arith.addf %a, %b : f32
        tt.reduce.return %sum : f32
      }) : (tensor<16x16xf32, #block>) -> tensor<16xf32, #rows>
      %converted = ttg.convert_layout %sums : tensor<16xf32, #rows> -> tensor<16xf32, #line>
      %base = tt.addptr %y, %t : !tt.ptr<f32>, i32
      %bases = tt.splat %base : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #line>
      %there = tt.addptr %bases, %p : tensor<16x!tt.ptr<f32>, #line>, tensor<16xi32, #line>
      tt.store %there, %converted, %mask : tensor<16x!tt.ptr<f32>, #line>
      scf.yield %next : tensor<16x16xf32, #block>
    }
    tt.return
  }
  tt.func public @loaded_again(%x: tensor<16x16x!tt.ptr<f32>, #block>, %y: !tt.ptr<f32>, %steps: i32) {
    %first = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<16x16xf32, #block>
    %p = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #line>
    %last = scf.for %t = %first to %steps step %one iter_args(%state = %zero) -> (tensor<16x16xf32, #block>) : i32 {
      %base = tt.addptr %y, %t : !tt.ptr<f32>, i32
      %scale = tt.load %base : !tt.ptr<f32>
      %scales = tt.splat %scale : f32 -> tensor<16x16xf32, #block>
      %part = tt.load %x : tensor<16x16x!tt.ptr<f32>, #block>
      %scaled = arith.mulf %part, %scales : tensor<16x16xf32, #block>
      %next = arith.addf %state, %scaled : tensor<16x16xf32, #block>
      %sums = "tt.reduce"(%next) <{axis = 1 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %sum = arith.addf %a, %b : f32
        tt.reduce.return %sum : f32
      }) : (tensor<16x16xf32, #block>) -> tensor<16xf32, #rows>
      %converted = ttg.convert_layout %sums : tensor<16xf32, #rows> -> tensor<16xf32, #line>
      %bases = tt.splat %base : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #line>
      %there = tt.addptr %bases, %p : tensor<16x!tt.ptr<f32>, #line>, tensor<16xi32, #line>
      tt.store %there, %converted : tensor<16x!tt.ptr<f32>, #line>
      scf.yield %next : tensor<16x16xf32, #block>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @sums(%arg0: tensor<16x16x!tt.ptr<f32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.splat %arg3 : i32 -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = arith.cmpi slt, %0, %1 : tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<16x16xf32, #blocked>)  : i32 {
      %4 = tt.splat %arg4 : i32 -> tensor<16x16xi32, #blocked>
      %5 = tt.addptr %arg0, %4 : tensor<16x16x!tt.ptr<f32>, #blocked>, tensor<16x16xi32, #blocked>
      %6 = tt.load %5 : tensor<16x16x!tt.ptr<f32>, #blocked>
      %7 = arith.addf %arg5, %6 : tensor<16x16xf32, #blocked>
      %8 = "tt.reduce"(%7) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %12 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %12 : f32
      }) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %9 = tt.addptr %arg1, %arg4 : !tt.ptr<f32>, i32
      %10 = tt.splat %9 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      %11 = tt.addptr %10, %0 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<16xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      tt.store %11, %8, %2 : tensor<16x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #blocked}>>
      scf.yield %7 : tensor<16x16xf32, #blocked>
    }
    tt.return
  }
  tt.func public @loaded_again(%arg0: tensor<16x16x!tt.ptr<f32>, #blocked>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<16x16xf32, #blocked>
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #blocked1>
    %1 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<16x16xf32, #blocked>)  : i32 {
      %2 = tt.addptr %arg1, %arg3 : !tt.ptr<f32>, i32
      %3 = tt.load %2 : !tt.ptr<f32>
      %4 = tt.splat %3 : f32 -> tensor<16x16xf32, #blocked>
      %5 = tt.load %arg0 : tensor<16x16x!tt.ptr<f32>, #blocked>
      %6 = arith.mulf %5, %4 : tensor<16x16xf32, #blocked>
      %7 = arith.addf %arg4, %6 : tensor<16x16xf32, #blocked>
      %8 = "tt.reduce"(%7) <{axis = 1 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %12 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %12 : f32
      }) : (tensor<16x16xf32, #blocked>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %9 = ttg.convert_layout %8 : tensor<16xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<16xf32, #blocked1>
      %10 = tt.splat %2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #blocked1>
      %11 = tt.addptr %10, %0 : tensor<16x!tt.ptr<f32>, #blocked1>, tensor<16xi32, #blocked1>
      tt.store %11, %9 : tensor<16x!tt.ptr<f32>, #blocked1>
      scf.yield %7 : tensor<16x16xf32, #blocked>
    }
    tt.return
  }
}

