// passes: share-loads,cse
module {
  // A row's truth value: the loop adds without it, the sum is stored under it.
  tt.func public @row(%p: tensor<1x64x!tt.ptr<f32>>, %out: tensor<1x1x!tt.ptr<f32>>, %column: tensor<1x64xi1>, %rows: i32, %first: i32, %last: i32, %step: i32) {
    %zero = arith.constant dense<0.0> : tensor<1x64xf32>
    %id = tt.get_program_id x : i32
    %ids = tt.splat %id : i32 -> tensor<1x1xi32>
    %all_rows = tt.splat %rows : i32 -> tensor<1x1xi32>
    %row = arith.cmpi slt, %ids, %all_rows : tensor<1x1xi32>
    %in_row = tt.broadcast %row : tensor<1x1xi1> -> tensor<1x64xi1>
    %mask = arith.andi %in_row, %column : tensor<1x64xi1>
    %sum = scf.for %i = %first to %last step %step iter_args(%before = %zero) -> (tensor<1x64xf32>) : i32 {
      %x = tt.load %p, %mask, %zero : tensor<1x64x!tt.ptr<f32>>
      %more = arith.addf %before, %x : tensor<1x64xf32>
      %after = arith.select %mask, %more, %before : tensor<1x64xi1>, tensor<1x64xf32>
      %kept = arith.select %in_row, %after, %before : tensor<1x64xi1>, tensor<1x64xf32>
      scf.yield %kept : tensor<1x64xf32>
    }
    %all = "tt.reduce"(%sum) <{axis = 1 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<1x64xf32>) -> tensor<1xf32>
    %column_of_one = tt.expand_dims %all {axis = 1 : i32} : tensor<1xf32> -> tensor<1x1xf32>
    tt.store %out, %column_of_one, %row : tensor<1x1x!tt.ptr<f32>>
    tt.return
  }
  // The loop stores under both, so the sum keeps both; where nothing is left of the condition, it goes.
  tt.func public @stored(%p: tensor<1x64x!tt.ptr<f32>>, %out: tensor<1x1x!tt.ptr<f32>>, %column: tensor<1x64xi1>, %rows: i32, %first: i32, %last: i32, %step: i32) {
    %zero = arith.constant dense<0.0> : tensor<1x64xf32>
    %id = tt.get_program_id x : i32
    %ids = tt.splat %id : i32 -> tensor<1x1xi32>
    %all_rows = tt.splat %rows : i32 -> tensor<1x1xi32>
    %row = arith.cmpi slt, %ids, %all_rows : tensor<1x1xi32>
    %in_row = tt.broadcast %row : tensor<1x1xi1> -> tensor<1x64xi1>
    %mask = arith.andi %in_row, %column : tensor<1x64xi1>
    %sums:2 = scf.for %i = %first to %last step %step iter_args(%before = %zero, %other = %zero) -> (tensor<1x64xf32>, tensor<1x64xf32>) : i32 {
      %x = tt.load %p, %mask, %zero : tensor<1x64x!tt.ptr<f32>>
      %more = arith.addf %before, %x : tensor<1x64xf32>
      %after = arith.select %mask, %more, %before : tensor<1x64xi1>, tensor<1x64xf32>
      %further = arith.addf %other, %x : tensor<1x64xf32>
      %kept = arith.select %in_row, %further, %other : tensor<1x64xi1>, tensor<1x64xf32>
      tt.store %p, %x, %mask : tensor<1x64x!tt.ptr<f32>>
      scf.yield %after, %kept : tensor<1x64xf32>, tensor<1x64xf32>
    }
    %both = arith.addf %sums#0, %sums#1 : tensor<1x64xf32>
    %all = "tt.reduce"(%both) <{axis = 1 : i32}> ({
    ^bb0(%left: f32, %right: f32):
      %s = arith.addf %left, %right : f32
      tt.reduce.return %s : f32
    }) : (tensor<1x64xf32>) -> tensor<1xf32>
    %column_of_one = tt.expand_dims %all {axis = 1 : i32} : tensor<1xf32> -> tensor<1x1xf32>
    tt.store %out, %column_of_one, %row : tensor<1x1x!tt.ptr<f32>>
    tt.return
  }
  // A store without the truth value sees what was selected; so does a division of integers; a truth value of an iteration is another one in the next.
  tt.func public @seen(%out: tensor<64x!tt.ptr<i32>>, %x: tensor<64xi32>, %y: tensor<64xi32>, %exists: i1, %first: i32, %last: i32, %step: i32) {
    %mask = tt.splat %exists : i1 -> tensor<64xi1>
    %a = arith.select %mask, %x, %y : tensor<64xi1>, tensor<64xi32>
    tt.store %out, %a : tensor<64x!tt.ptr<i32>>
    %b = arith.select %mask, %y, %x : tensor<64xi1>, tensor<64xi32>
    %quotient = arith.divsi %x, %b : tensor<64xi32>
    tt.store %out, %quotient, %mask : tensor<64x!tt.ptr<i32>>
    %c = scf.for %i = %first to %last step %step iter_args(%before = %x) -> (tensor<64xi32>) : i32 {
      %is_first = arith.cmpi eq, %i, %first : i32
      %in_first = tt.splat %is_first : i1 -> tensor<64xi1>
      tt.store %out, %before, %in_first : tensor<64x!tt.ptr<i32>>
      %next = arith.select %in_first, %y, %before : tensor<64xi1>, tensor<64xi32>
      scf.yield %next : tensor<64xi32>
    }
    tt.return
  }
}
// ----- expect
module {
  tt.func public @row(%arg0: tensor<1x64x!tt.ptr<f32>>, %arg1: tensor<1x1x!tt.ptr<f32>>, %arg2: tensor<1x64xi1>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.splat %0 : i32 -> tensor<1x1xi32>
    %2 = tt.splat %arg3 : i32 -> tensor<1x1xi32>
    %3 = arith.cmpi slt, %1, %2 : tensor<1x1xi32>
    %4 = tt.broadcast %3 : tensor<1x1xi1> -> tensor<1x64xi1>
    %5 = arith.andi %4, %arg2 : tensor<1x64xi1>
    %6 = scf.for %arg7 = %arg4 to %arg5 step %arg6 iter_args(%arg8 = %cst) -> (tensor<1x64xf32>)  : i32 {
      %9 = tt.load %arg0, %5, %cst : tensor<1x64x!tt.ptr<f32>>
      %10 = arith.addf %arg8, %9 : tensor<1x64xf32>
      %11 = arith.select %arg2, %10, %arg8 : tensor<1x64xi1>, tensor<1x64xf32>
      scf.yield %11 : tensor<1x64xf32>
    }
    %7 = "tt.reduce"(%6) <{axis = 1 : i32}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %9 = arith.addf %arg7, %arg8 : f32
      tt.reduce.return %9 : f32
    }) : (tensor<1x64xf32>) -> tensor<1xf32>
    %8 = tt.expand_dims %7 {axis = 1 : i32} : tensor<1xf32> -> tensor<1x1xf32>
    tt.store %arg1, %8, %3 : tensor<1x1x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @stored(%arg0: tensor<1x64x!tt.ptr<f32>>, %arg1: tensor<1x1x!tt.ptr<f32>>, %arg2: tensor<1x64xi1>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<1x64xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.splat %0 : i32 -> tensor<1x1xi32>
    %2 = tt.splat %arg3 : i32 -> tensor<1x1xi32>
    %3 = arith.cmpi slt, %1, %2 : tensor<1x1xi32>
    %4 = tt.broadcast %3 : tensor<1x1xi1> -> tensor<1x64xi1>
    %5 = arith.andi %4, %arg2 : tensor<1x64xi1>
    %6:2 = scf.for %arg7 = %arg4 to %arg5 step %arg6 iter_args(%arg8 = %cst, %arg9 = %cst) -> (tensor<1x64xf32>, tensor<1x64xf32>)  : i32 {
      %10 = tt.load %arg0, %5, %cst : tensor<1x64x!tt.ptr<f32>>
      %11 = arith.addf %arg8, %10 : tensor<1x64xf32>
      %12 = arith.select %5, %11, %arg8 : tensor<1x64xi1>, tensor<1x64xf32>
      %13 = arith.addf %arg9, %10 : tensor<1x64xf32>
      tt.store %arg0, %10, %5 : tensor<1x64x!tt.ptr<f32>>
      scf.yield %12, %13 : tensor<1x64xf32>, tensor<1x64xf32>
    }
    %7 = arith.addf %6#0, %6#1 : tensor<1x64xf32>
    %8 = "tt.reduce"(%7) <{axis = 1 : i32}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %10 = arith.addf %arg7, %arg8 : f32
      tt.reduce.return %10 : f32
    }) : (tensor<1x64xf32>) -> tensor<1xf32>
    %9 = tt.expand_dims %8 {axis = 1 : i32} : tensor<1xf32> -> tensor<1x1xf32>
    tt.store %arg1, %9, %3 : tensor<1x1x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @seen(%arg0: tensor<64x!tt.ptr<i32>>, %arg1: tensor<64xi32>, %arg2: tensor<64xi32>, %arg3: i1, %arg4: i32, %arg5: i32, %arg6: i32) {
    %0 = tt.splat %arg3 : i1 -> tensor<64xi1>
    %1 = arith.select %0, %arg1, %arg2 : tensor<64xi1>, tensor<64xi32>
    tt.store %arg0, %1 : tensor<64x!tt.ptr<i32>>
    %2 = arith.select %0, %arg2, %arg1 : tensor<64xi1>, tensor<64xi32>
    %3 = arith.divsi %arg1, %2 : tensor<64xi32>
    tt.store %arg0, %3, %0 : tensor<64x!tt.ptr<i32>>
    %4 = scf.for %arg7 = %arg4 to %arg5 step %arg6 iter_args(%arg8 = %arg1) -> (tensor<64xi32>)  : i32 {
      %5 = arith.cmpi eq, %arg7, %arg4 : i32
      %6 = tt.splat %5 : i1 -> tensor<64xi1>
      tt.store %arg0, %arg8, %6 : tensor<64x!tt.ptr<i32>>
      %7 = arith.select %6, %arg2, %arg8 : tensor<64xi1>, tensor<64xi32>
      scf.yield %7 : tensor<64xi32>
    }
    tt.return
  }
}

