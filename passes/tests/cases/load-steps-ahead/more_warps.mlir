// passes: load-steps-ahead,canonicalize
// grid: eight
// counts: tt.latency 1
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Eight CTAs of four warps have room beside what waits for four steps.
  tt.func public @recurrence(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %last: tensor<128x8x!tt.ptr<f32>, #blocked1>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %zeros = arith.constant dense<0.0> : tensor<128x8xf32, #blocked1>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #blocked>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%h = %zeros) -> (tensor<128x8xf32, #blocked1>) : i32 {
      %place = arith.muli %t, %c128 : i32
      %x_at = tt.addptr %x, %place : !tt.ptr<f32>, i32
      %x_all = tt.splat %x_at : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
      %xs = tt.addptr %x_all, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %v = tt.load %xs : tensor<128x!tt.ptr<f32>, #blocked>
      %turned = ttg.convert_layout %v : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %column = tt.expand_dims %turned {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xf32, #blocked1>
      %block = tt.broadcast %column : tensor<128x1xf32, #blocked1> -> tensor<128x8xf32, #blocked1>
      %next = arith.subf %block, %h : tensor<128x8xf32, #blocked1>
      %most = "tt.reduce"(%next) <{axis = 1 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %m = arith.maxnumf %left, %right : f32
        tt.reduce.return %m : f32
      }) : (tensor<128x8xf32, #blocked1>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %out = ttg.convert_layout %most : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128xf32, #blocked>
      %y_at = tt.addptr %y, %place : !tt.ptr<f32>, i32
      %y_all = tt.splat %y_at : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
      %ys = tt.addptr %y_all, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %ys, %out : tensor<128x!tt.ptr<f32>, #blocked>
      scf.yield %next : tensor<128x8xf32, #blocked1>
    }
    tt.store %last, %end : tensor<128x8x!tt.ptr<f32>, #blocked1>
    tt.return
  }

  // The state leaves registers for one step or none: the loads stay.
  tt.func public @wide(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %last: tensor<128x64x!tt.ptr<f32>, #blocked1>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %zeros = arith.constant dense<0.0> : tensor<128x64xf32, #blocked1>
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #blocked>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%h = %zeros) -> (tensor<128x64xf32, #blocked1>) : i32 {
      %place = arith.muli %t, %c128 : i32
      %x_at = tt.addptr %x, %place : !tt.ptr<f32>, i32
      %x_all = tt.splat %x_at : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
      %xs = tt.addptr %x_all, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      %v = tt.load %xs : tensor<128x!tt.ptr<f32>, #blocked>
      %turned = ttg.convert_layout %v : tensor<128xf32, #blocked> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %column = tt.expand_dims %turned {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xf32, #blocked1>
      %block = tt.broadcast %column : tensor<128x1xf32, #blocked1> -> tensor<128x64xf32, #blocked1>
      %next = arith.subf %block, %h : tensor<128x64xf32, #blocked1>
      %most = "tt.reduce"(%next) <{axis = 1 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %m = arith.maxnumf %left, %right : f32
        tt.reduce.return %m : f32
      }) : (tensor<128x64xf32, #blocked1>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %out = ttg.convert_layout %most : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128xf32, #blocked>
      %y_at = tt.addptr %y, %place : !tt.ptr<f32>, i32
      %y_all = tt.splat %y_at : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked>
      %ys = tt.addptr %y_all, %i : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>
      tt.store %ys, %out : tensor<128x!tt.ptr<f32>, #blocked>
      scf.yield %next : tensor<128x64xf32, #blocked1>
    }
    tt.store %last, %end : tensor<128x64x!tt.ptr<f32>, #blocked1>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @recurrence(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: tensor<128x8x!tt.ptr<f32>, #blocked>, %arg3: i32) {
    %c512_i64 = arith.constant 512 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x8xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %1 = arith.maxsi %arg3, %c0_i32 : i32
    %2 = arith.extui %1 : i32 to i64
    %3 = arith.subi %2, %c1_i64 : i64
    %4 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %5 = arith.muli %3, %c512_i64 : i64
    %6 = arith.addi %4, %5 : i64
    %7 = arith.minsi %4, %6 : i64
    %8 = arith.maxsi %4, %6 : i64
    %9 = arith.addi %8, %c512_i64 : i64
    %10 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %11 = arith.muli %3, %c512_i64 : i64
    %12 = arith.addi %10, %11 : i64
    %13 = arith.minsi %10, %12 : i64
    %14 = arith.maxsi %10, %12 : i64
    %15 = arith.addi %14, %c512_i64 : i64
    %16 = arith.cmpi sle, %9, %13 : i64
    %17 = arith.cmpi sle, %15, %7 : i64
    %18 = arith.ori %16, %17 : i1
    %19 = arith.subi %7, %13 : i64
    %20 = arith.addi %19, %c512_i64 : i64
    %21 = arith.cmpi sge, %20, %c512_i64 : i64
    %22 = arith.ori %18, %21 : i1
    %23 = arith.select %22, %arg3, %c0_i32 : i32
    %24 = scf.for %arg4 = %c0_i32 to %23 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128x8xf32, #blocked>)  : i32 {
      %26 = arith.muli %arg4, %c128_i32 : i32
      %27 = tt.addptr %arg0, %26 : !tt.ptr<f32>, i32
      %28 = tt.splat %27 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
      %29 = tt.addptr %28, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %30 = tt.load %29 {tk.issued_ahead, tt.latency = 4 : i32} : tensor<128x!tt.ptr<f32>, #blocked1>
      %31 = ttg.convert_layout %30 : tensor<128xf32, #blocked1> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xf32, #blocked>
      %33 = tt.broadcast %32 : tensor<128x1xf32, #blocked> -> tensor<128x8xf32, #blocked>
      %34 = arith.subf %33, %arg5 : tensor<128x8xf32, #blocked>
      %35 = "tt.reduce"(%34) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %40 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %40 : f32
      }) : (tensor<128x8xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %36 = ttg.convert_layout %35 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128xf32, #blocked1>
      %37 = tt.addptr %arg1, %26 : !tt.ptr<f32>, i32
      %38 = tt.splat %37 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
      %39 = tt.addptr %38, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      tt.store %39, %36 : tensor<128x!tt.ptr<f32>, #blocked1>
      scf.yield %34 : tensor<128x8xf32, #blocked>
    }
    %25 = scf.for %arg4 = %23 to %arg3 step %c1_i32 iter_args(%arg5 = %24) -> (tensor<128x8xf32, #blocked>)  : i32 {
      %26 = arith.muli %arg4, %c128_i32 : i32
      %27 = tt.addptr %arg0, %26 : !tt.ptr<f32>, i32
      %28 = tt.splat %27 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
      %29 = tt.addptr %28, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %30 = tt.load %29 : tensor<128x!tt.ptr<f32>, #blocked1>
      %31 = ttg.convert_layout %30 : tensor<128xf32, #blocked1> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %32 = tt.expand_dims %31 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xf32, #blocked>
      %33 = tt.broadcast %32 : tensor<128x1xf32, #blocked> -> tensor<128x8xf32, #blocked>
      %34 = arith.subf %33, %arg5 : tensor<128x8xf32, #blocked>
      %35 = "tt.reduce"(%34) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %40 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %40 : f32
      }) : (tensor<128x8xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %36 = ttg.convert_layout %35 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128xf32, #blocked1>
      %37 = tt.addptr %arg1, %26 : !tt.ptr<f32>, i32
      %38 = tt.splat %37 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
      %39 = tt.addptr %38, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      tt.store %39, %36 : tensor<128x!tt.ptr<f32>, #blocked1>
      scf.yield %34 : tensor<128x8xf32, #blocked>
    } {tk.written_once}
    tt.store %arg2, %25 : tensor<128x8x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @wide(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: tensor<128x64x!tt.ptr<f32>, #blocked>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128x64xf32, #blocked>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked1>
    %1 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<128x64xf32, #blocked>)  : i32 {
      %2 = arith.muli %arg4, %c128_i32 : i32
      %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
      %4 = tt.splat %3 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
      %5 = tt.addptr %4, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      %6 = tt.load %5 : tensor<128x!tt.ptr<f32>, #blocked1>
      %7 = ttg.convert_layout %6 : tensor<128xf32, #blocked1> -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128x1xf32, #blocked>
      %9 = tt.broadcast %8 : tensor<128x1xf32, #blocked> -> tensor<128x64xf32, #blocked>
      %10 = arith.subf %9, %arg5 : tensor<128x64xf32, #blocked>
      %11 = "tt.reduce"(%10) <{axis = 1 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %16 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %16 : f32
      }) : (tensor<128x64xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %12 = ttg.convert_layout %11 : tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<128xf32, #blocked1>
      %13 = tt.addptr %arg1, %2 : !tt.ptr<f32>, i32
      %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #blocked1>
      %15 = tt.addptr %14, %0 : tensor<128x!tt.ptr<f32>, #blocked1>, tensor<128xi32, #blocked1>
      tt.store %15, %12 : tensor<128x!tt.ptr<f32>, #blocked1>
      scf.yield %10 : tensor<128x64xf32, #blocked>
    }
    tt.store %arg2, %1 : tensor<128x64x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

