// passes: regroup-terms,licm
// Columns that stay are added to the pointer before the loop, and a row that a load gives behind them. They stay where the row is the loop's own number,
// where a thread has several elements, where something else needs the pointer of the row, where the columns change with it, and where the sum is
// repeated for a block.
module {
  tt.func public @moved(%p: !tt.ptr<f16>, %at: !tt.ptr<i64>, %stride: i64, %n: i32) -> tensor<64xf16> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf16>) : i32 {
      %here = tt.addptr %at, %k : !tt.ptr<i64>, i32
      %row = tt.load %here : !tt.ptr<i64>
      %offset = arith.muli %row, %stride : i64
      %start = tt.addptr %p, %offset : !tt.ptr<f16>, i64
      %starts = tt.splat %start : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %ps = tt.addptr %starts, %columns : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %x = tt.load %ps : tensor<64x!tt.ptr<f16>>
      %next = arith.addf %acc, %x : tensor<64xf16>
      scf.yield %next : tensor<64xf16>
    }
    tt.return %sum : tensor<64xf16>
  }
  tt.func public @counted(%p: !tt.ptr<f16>, %stride: i64, %n: i64) -> tensor<64xf16> {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf16>) : i64 {
      %offset = arith.muli %k, %stride : i64
      %start = tt.addptr %p, %offset : !tt.ptr<f16>, i64
      %starts = tt.splat %start : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %ps = tt.addptr %starts, %columns : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %x = tt.load %ps : tensor<64x!tt.ptr<f16>>
      %next = arith.addf %acc, %x : tensor<64xf16>
      scf.yield %next : tensor<64xf16>
    }
    tt.return %sum : tensor<64xf16>
  }
  tt.func public @many(%p: !tt.ptr<f16>, %at: !tt.ptr<i64>, %n: i32) -> tensor<1024xf16> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<1024xf16>
    %columns = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1024xf16>) : i32 {
      %here = tt.addptr %at, %k : !tt.ptr<i64>, i32
      %row = tt.load %here : !tt.ptr<i64>
      %start = tt.addptr %p, %row : !tt.ptr<f16>, i64
      %starts = tt.splat %start : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %ps = tt.addptr %starts, %columns : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %x = tt.load %ps : tensor<1024x!tt.ptr<f16>>
      %next = arith.addf %acc, %x : tensor<1024xf16>
      scf.yield %next : tensor<1024xf16>
    }
    tt.return %sum : tensor<1024xf16>
  }
  tt.func public @shared(%p: !tt.ptr<f16>, %at: !tt.ptr<i64>, %n: i32) -> tensor<64xf16> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf16>) : i32 {
      %here = tt.addptr %at, %k : !tt.ptr<i64>, i32
      %row = tt.load %here : !tt.ptr<i64>
      %start = tt.addptr %p, %row : !tt.ptr<f16>, i64
      %first = tt.load %start : !tt.ptr<f16>
      %starts = tt.splat %start : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %ps = tt.addptr %starts, %columns : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %x = tt.load %ps : tensor<64x!tt.ptr<f16>>
      %firsts = tt.splat %first : f16 -> tensor<64xf16>
      %less = arith.subf %x, %firsts : tensor<64xf16>
      %next = arith.addf %acc, %less : tensor<64xf16>
      scf.yield %next : tensor<64xf16>
    }
    tt.return %sum : tensor<64xf16>
  }
  tt.func public @moving(%p: !tt.ptr<f16>, %at: !tt.ptr<i64>, %n: i32) -> tensor<64xf16> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64xf16>) : i32 {
      %here = tt.addptr %at, %k : !tt.ptr<i64>, i32
      %row = tt.load %here : !tt.ptr<i64>
      %start = tt.addptr %p, %row : !tt.ptr<f16>, i64
      %starts = tt.splat %start : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %ks = tt.splat %k : i32 -> tensor<64xi32>
      %columns = arith.addi %range, %ks : tensor<64xi32>
      %ps = tt.addptr %starts, %columns : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %x = tt.load %ps : tensor<64x!tt.ptr<f16>>
      %next = arith.addf %acc, %x : tensor<64xf16>
      scf.yield %next : tensor<64xf16>
    }
    tt.return %sum : tensor<64xf16>
  }
  tt.func public @repeated(%p: !tt.ptr<f16>, %at: !tt.ptr<i64>, %n: i32) -> tensor<64x16xf16> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.000000e+00> : tensor<64x16xf16>
    %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %row = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %columns = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %column = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %block = tt.broadcast %column : tensor<1x16xi32> -> tensor<64x16xi32>
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x16xf16>) : i32 {
      %here = tt.addptr %at, %k : !tt.ptr<i64>, i32
      %page = tt.load %here : !tt.ptr<i64>
      %start = tt.addptr %p, %page : !tt.ptr<f16>, i64
      %starts = tt.splat %start : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %ps = tt.addptr %starts, %row : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %repeated = tt.broadcast %ps : tensor<64x1x!tt.ptr<f16>> -> tensor<64x16x!tt.ptr<f16>>
      %all = tt.addptr %repeated, %block : tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>
      %x = tt.load %all : tensor<64x16x!tt.ptr<f16>>
      %next = arith.addf %acc, %x : tensor<64x16xf16>
      scf.yield %next : tensor<64x16xf16>
    }
    tt.return %sum : tensor<64x16xf16>
  }
}
// ----- expect
module {
  tt.func public @moved(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<i64>, %arg2: i64, %arg3: i32) -> tensor<64xf16> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
    %2 = tt.addptr %1, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
    %3 = scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32 iter_args(%arg5 = %cst) -> (tensor<64xf16>)  : i32 {
      %4 = tt.addptr %arg1, %arg4 : !tt.ptr<i64>, i32
      %5 = tt.load %4 : !tt.ptr<i64>
      %6 = arith.muli %5, %arg2 : i64
      %7 = tt.splat %6 : i64 -> tensor<64xi64>
      %8 = tt.addptr %2, %7 : tensor<64x!tt.ptr<f16>>, tensor<64xi64>
      %9 = tt.load %8 : tensor<64x!tt.ptr<f16>>
      %10 = arith.addf %arg5, %9 : tensor<64xf16>
      scf.yield %10 : tensor<64xf16>
    }
    tt.return %3 : tensor<64xf16>
  }
  tt.func public @counted(%arg0: !tt.ptr<f16>, %arg1: i64, %arg2: i64) -> tensor<64xf16> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = scf.for %arg3 = %c0_i64 to %arg2 step %c1_i64 iter_args(%arg4 = %cst) -> (tensor<64xf16>)  : i64 {
      %2 = arith.muli %arg3, %arg1 : i64
      %3 = tt.addptr %arg0, %2 : !tt.ptr<f16>, i64
      %4 = tt.splat %3 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %5 = tt.addptr %4, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %6 = tt.load %5 : tensor<64x!tt.ptr<f16>>
      %7 = arith.addf %arg4, %6 : tensor<64xf16>
      scf.yield %7 : tensor<64xf16>
    }
    tt.return %1 : tensor<64xf16>
  }
  tt.func public @many(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<i64>, %arg2: i32) -> tensor<1024xf16> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<1024xf16>
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %1 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<1024xf16>)  : i32 {
      %2 = tt.addptr %arg1, %arg3 : !tt.ptr<i64>, i32
      %3 = tt.load %2 : !tt.ptr<i64>
      %4 = tt.addptr %arg0, %3 : !tt.ptr<f16>, i64
      %5 = tt.splat %4 : !tt.ptr<f16> -> tensor<1024x!tt.ptr<f16>>
      %6 = tt.addptr %5, %0 : tensor<1024x!tt.ptr<f16>>, tensor<1024xi32>
      %7 = tt.load %6 : tensor<1024x!tt.ptr<f16>>
      %8 = arith.addf %arg4, %7 : tensor<1024xf16>
      scf.yield %8 : tensor<1024xf16>
    }
    tt.return %1 : tensor<1024xf16>
  }
  tt.func public @shared(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<i64>, %arg2: i32) -> tensor<64xf16> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64xf16>)  : i32 {
      %2 = tt.addptr %arg1, %arg3 : !tt.ptr<i64>, i32
      %3 = tt.load %2 : !tt.ptr<i64>
      %4 = tt.addptr %arg0, %3 : !tt.ptr<f16>, i64
      %5 = tt.load %4 : !tt.ptr<f16>
      %6 = tt.splat %4 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %7 = tt.addptr %6, %0 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %8 = tt.load %7 : tensor<64x!tt.ptr<f16>>
      %9 = tt.splat %5 : f16 -> tensor<64xf16>
      %10 = arith.subf %8, %9 : tensor<64xf16>
      %11 = arith.addf %arg4, %10 : tensor<64xf16>
      scf.yield %11 : tensor<64xf16>
    }
    tt.return %1 : tensor<64xf16>
  }
  tt.func public @moving(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<i64>, %arg2: i32) -> tensor<64xf16> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64xf16>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64xf16>)  : i32 {
      %2 = tt.addptr %arg1, %arg3 : !tt.ptr<i64>, i32
      %3 = tt.load %2 : !tt.ptr<i64>
      %4 = tt.addptr %arg0, %3 : !tt.ptr<f16>, i64
      %5 = tt.splat %4 : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
      %6 = tt.splat %arg3 : i32 -> tensor<64xi32>
      %7 = arith.addi %0, %6 : tensor<64xi32>
      %8 = tt.addptr %5, %7 : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
      %9 = tt.load %8 : tensor<64x!tt.ptr<f16>>
      %10 = arith.addf %arg4, %9 : tensor<64xf16>
      scf.yield %10 : tensor<64xf16>
    }
    tt.return %1 : tensor<64xf16>
  }
  tt.func public @repeated(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<i64>, %arg2: i32) -> tensor<64x16xf16> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x16xf16>
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %3 = tt.expand_dims %2 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %4 = tt.broadcast %3 : tensor<1x16xi32> -> tensor<64x16xi32>
    %5 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<64x16xf16>)  : i32 {
      %6 = tt.addptr %arg1, %arg3 : !tt.ptr<i64>, i32
      %7 = tt.load %6 : !tt.ptr<i64>
      %8 = tt.addptr %arg0, %7 : !tt.ptr<f16>, i64
      %9 = tt.splat %8 : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %10 = tt.addptr %9, %1 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %11 = tt.broadcast %10 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x16x!tt.ptr<f16>>
      %12 = tt.addptr %11, %4 : tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>
      %13 = tt.load %12 : tensor<64x16x!tt.ptr<f16>>
      %14 = arith.addf %arg4, %13 : tensor<64x16xf16>
      scf.yield %14 : tensor<64x16xf16>
    }
    tt.return %5 : tensor<64x16xf16>
  }
}

