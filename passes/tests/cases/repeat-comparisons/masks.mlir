// passes: repeat-comparisons
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #blocked}>
#columns = #ttg.slice<{dim = 0, parent = #blocked}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Sixteen answers: the loop compares, once for both of its selections, and so does the branch in it.
  tt.func public @in_the_loop(%x: tensor<32x16xf32, #blocked>, %shift: i32, %n: i32, %c: i1) -> tensor<32x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<32x16xf32, #blocked>
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #rows>
    %s = tt.splat %shift : i32 -> tensor<32xi32, #rows>
    %row = arith.addi %r, %s : tensor<32xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<32xi32, #rows> -> tensor<32x1xi32, #blocked>
    %left = tt.broadcast %row2 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %k = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #columns>
    %k2 = tt.expand_dims %k {axis = 0 : i32} : tensor<16xi32, #columns> -> tensor<1x16xi32, #blocked>
    %right = tt.broadcast %k2 : tensor<1x16xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %mask = arith.cmpi sge, %left, %right : tensor<32x16xi32, #blocked>
    %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<32x16xf32, #blocked>) : i32 {
      %b = arith.select %mask, %a, %zero : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      %d = scf.if %c -> (tensor<32x16xf32, #blocked>) {
        %e = arith.addf %b, %b : tensor<32x16xf32, #blocked>
        %f = arith.select %mask, %e, %zero : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
        scf.yield %f : tensor<32x16xf32, #blocked>
      } else {
        scf.yield %b : tensor<32x16xf32, #blocked>
      }
      %g = arith.addf %d, %a : tensor<32x16xf32, #blocked>
      %h = arith.select %mask, %g, %a : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      scf.yield %h : tensor<32x16xf32, #blocked>
    }
    tt.return %t : tensor<32x16xf32, #blocked>
  }
  // What is selected behind the loop, and what is stored in it, keeps its comparison.
  tt.func public @elsewhere(%x: tensor<32x16xf32, #blocked>, %p: tensor<32x16x!tt.ptr<f32>, #blocked>, %n: i32) -> tensor<32x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<32x16xf32, #blocked>
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #rows>
    %row2 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #rows> -> tensor<32x1xi32, #blocked>
    %left = tt.broadcast %row2 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %right = tt.splat %n : i32 -> tensor<32x16xi32, #blocked>
    %mask = arith.cmpi sge, %left, %right : tensor<32x16xi32, #blocked>
    %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<32x16xf32, #blocked>) : i32 {
      %b = arith.addf %a, %a : tensor<32x16xf32, #blocked>
      tt.store %p, %b, %mask : tensor<32x16x!tt.ptr<f32>, #blocked>
      scf.yield %b : tensor<32x16xf32, #blocked>
    }
    %u = arith.select %mask, %t, %zero : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
    tt.return %u : tensor<32x16xf32, #blocked>
  }
  // Answers of loaded numbers, of runs that share them, and of as many numbers as there are answers stay.
  tt.func public @stay(%x: tensor<32x16xf32, #blocked>, %loaded: tensor<32x16xi32, #blocked>, %n: i32) -> tensor<32x16xf32, #blocked> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #rows>
    %row2 = tt.expand_dims %r {axis = 1 : i32} : tensor<32xi32, #rows> -> tensor<32x1xi32, #blocked>
    %left = tt.broadcast %row2 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %right = tt.splat %n : i32 -> tensor<32x16xi32, #blocked>
    %full = arith.muli %left, %right : tensor<32x16xi32, #blocked>
    %of_loaded = arith.cmpi sge, %loaded, %right : tensor<32x16xi32, #blocked>
    %of_runs = arith.cmpi sge, %left, %right {tk.constancy = array<i32: 1, 16>} : tensor<32x16xi32, #blocked>
    %of_many = arith.cmpi sge, %full, %right : tensor<32x16xi32, #blocked>
    %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<32x16xf32, #blocked>) : i32 {
      %b = arith.addf %a, %a : tensor<32x16xf32, #blocked>
      %d = arith.select %of_loaded, %b, %a : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      %e = arith.select %of_runs, %d, %a : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      %f = arith.select %of_many, %e, %a : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      scf.yield %f : tensor<32x16xf32, #blocked>
    }
    tt.return %t : tensor<32x16xf32, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @in_the_loop(%arg0: tensor<32x16xf32, #blocked>, %arg1: i32, %arg2: i32, %arg3: i1) -> tensor<32x16xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x16xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.splat %arg1 : i32 -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %2 = arith.addi %0, %1 : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %3 = tt.expand_dims %2 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %4 = tt.broadcast %3 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %5 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %6 = tt.expand_dims %5 {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x16xi32, #blocked>
    %7 = tt.broadcast %6 : tensor<1x16xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %8 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %arg0) -> (tensor<32x16xf32, #blocked>)  : i32 {
      %9 = arith.cmpi sge, %4, %7 {tk.every_iteration} : tensor<32x16xi32, #blocked>
      %10 = arith.select %9, %arg5, %cst : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      %11 = scf.if %arg3 -> (tensor<32x16xf32, #blocked>) {
        %14 = arith.addf %10, %10 : tensor<32x16xf32, #blocked>
        %15 = arith.cmpi sge, %4, %7 {tk.every_iteration} : tensor<32x16xi32, #blocked>
        %16 = arith.select %15, %14, %cst : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
        scf.yield %16 : tensor<32x16xf32, #blocked>
      } else {
        scf.yield %10 : tensor<32x16xf32, #blocked>
      }
      %12 = arith.addf %11, %arg5 : tensor<32x16xf32, #blocked>
      %13 = arith.select %9, %12, %arg5 : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      scf.yield %13 : tensor<32x16xf32, #blocked>
    }
    tt.return %8 : tensor<32x16xf32, #blocked>
  }
  tt.func public @elsewhere(%arg0: tensor<32x16xf32, #blocked>, %arg1: tensor<32x16x!tt.ptr<f32>, #blocked>, %arg2: i32) -> tensor<32x16xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<32x16xf32, #blocked>
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %2 = tt.broadcast %1 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %3 = tt.splat %arg2 : i32 -> tensor<32x16xi32, #blocked>
    %4 = arith.cmpi sge, %2, %3 : tensor<32x16xi32, #blocked>
    %5 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %arg0) -> (tensor<32x16xf32, #blocked>)  : i32 {
      %7 = arith.addf %arg4, %arg4 : tensor<32x16xf32, #blocked>
      tt.store %arg1, %7, %4 : tensor<32x16x!tt.ptr<f32>, #blocked>
      scf.yield %7 : tensor<32x16xf32, #blocked>
    }
    %6 = arith.select %4, %5, %cst : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
    tt.return %6 : tensor<32x16xf32, #blocked>
  }
  tt.func public @stay(%arg0: tensor<32x16xf32, #blocked>, %arg1: tensor<32x16xi32, #blocked>, %arg2: i32) -> tensor<32x16xf32, #blocked> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %1 = tt.expand_dims %0 {axis = 1 : i32} : tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<32x1xi32, #blocked>
    %2 = tt.broadcast %1 : tensor<32x1xi32, #blocked> -> tensor<32x16xi32, #blocked>
    %3 = tt.splat %arg2 : i32 -> tensor<32x16xi32, #blocked>
    %4 = arith.muli %2, %3 : tensor<32x16xi32, #blocked>
    %5 = arith.cmpi sge, %arg1, %3 : tensor<32x16xi32, #blocked>
    %6 = arith.cmpi sge, %2, %3 {tk.constancy = array<i32: 1, 16>} : tensor<32x16xi32, #blocked>
    %7 = arith.cmpi sge, %4, %3 : tensor<32x16xi32, #blocked>
    %8 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %arg0) -> (tensor<32x16xf32, #blocked>)  : i32 {
      %9 = arith.addf %arg4, %arg4 : tensor<32x16xf32, #blocked>
      %10 = arith.select %5, %9, %arg4 : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      %11 = arith.select %6, %10, %arg4 : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      %12 = arith.select %7, %11, %arg4 : tensor<32x16xi1, #blocked>, tensor<32x16xf32, #blocked>
      scf.yield %12 : tensor<32x16xf32, #blocked>
    }
    tt.return %8 : tensor<32x16xf32, #blocked>
  }
}

