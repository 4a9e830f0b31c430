// passes: last-blocks-first,canonicalize
// grid: many
// counts: arith.select 6
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Of two parameters only the run knows whether they are apart.
  tt.func public @gradient(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %e = math.exp %v : tensor<512xf32, #blocked>
      %y_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %e {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // What an iteration stores is what it has loaded.
  tt.func public @in_place(%x: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %e = math.exp %v : tensor<512xf32, #blocked>
      tt.store %x_at, %e : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // The next iteration loads what this one has stored.
  tt.func public @shifted(%x: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %one = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %e = math.exp %v : tensor<512xf32, #blocked>
      %further = tt.addptr %x, %one : !tt.ptr<f32>, i32
      %y_all = tt.splat %further : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %e : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // Iterations store over each other.
  tt.func public @last_stays(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %y_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %lane : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %v : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // Sums in another order are others.
  tt.func public @sums(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %zeros = arith.constant dense<0.0> : tensor<512xf32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c512 iter_args(%acc = %zeros) -> (tensor<512xf32, #blocked>) : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %s = arith.addf %acc, %v : tensor<512xf32, #blocked>
      scf.yield %s : tensor<512xf32, #blocked>
    }
    %y_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %y_at = tt.addptr %y_all, %lane : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    tt.store %y_at, %sum : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // Two copies of the body: their blocks lie side by side.
  tt.func public @copies(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %c1024 = arith.constant 1024 : i32
    scf.for %i = %c0 to %n step %c1024 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %i2 = arith.addi %i, %c512 : i32
      %i2_all = tt.splat %i2 : i32 -> tensor<512xi32, #blocked>
      %c2 = arith.addi %i2_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %x2_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x2_at = tt.addptr %x2_all, %c2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %v2 = tt.load %x2_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %y_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %y2_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y2_at = tt.addptr %y2_all, %c2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %v : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %y2_at, %v2 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // Sixteen rows of 8 KB stay in the cache.
  tt.func public @short_rows(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %n = arith.constant 2048 : i32
    scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %y_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %v : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // Those of 512 KB do not.
  tt.func public @long_rows(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %n = arith.constant 131072 : i32
    scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %y_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %v : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // Nobody has read the rows before.
  tt.func public @read_once(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at : tensor<512x!tt.ptr<f32>, #blocked>
      %y_all = tt.splat %y : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %v : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  // It would be compared for each row.
  tt.func public @rows(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32, %m: i32) {
    %c0 = arith.constant 0 : i32
    %c512 = arith.constant 512 : i32
    %lane = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #blocked>
    %c1 = arith.constant 1 : i32
    scf.for %r = %c0 to %m step %c1 : i32 {
      %start = arith.muli %r, %n : i32
      %x_row = tt.addptr %x, %start : !tt.ptr<f32>, i32
      %y_row = tt.addptr %y, %start : !tt.ptr<f32>, i32
      scf.for %i = %c0 to %n step %c512 : i32 {
      %i_all = tt.splat %i : i32 -> tensor<512xi32, #blocked>
      %c = arith.addi %i_all, %lane : tensor<512xi32, #blocked>
      %x_all = tt.splat %x_row : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %x_at = tt.addptr %x_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %v = tt.load %x_at {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %y_all = tt.splat %y_row : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %y_at = tt.addptr %y_all, %c : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %y_at, %v : tensor<512x!tt.ptr<f32>, #blocked>
      }
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gradient(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c511_i32 = arith.constant 511 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c-512_i32 = arith.constant -512 : i32
    %c2048_i64 = arith.constant 2048 : i64
    %c1_i64 = arith.constant 1 : i64
    %c1_i32 = arith.constant 1 : i32
    %c2560_i32 = arith.constant 2560 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = arith.cmpi sgt, %arg2, %c2560_i32 : i32
    %2:2 = scf.if %1 -> (i32, i32) {
      %3 = arith.maxsi %arg2, %c0_i32 : i32
      %4 = arith.addi %3, %c511_i32 : i32
      %5 = arith.divui %4, %c512_i32 : i32
      %6 = arith.extui %5 : i32 to i64
      %7 = arith.subi %6, %c1_i64 : i64
      %8 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
      %9 = arith.muli %7, %c2048_i64 : i64
      %10 = arith.addi %8, %9 : i64
      %11 = arith.minsi %8, %10 : i64
      %12 = arith.maxsi %8, %10 : i64
      %13 = arith.addi %12, %c2048_i64 : i64
      %14 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
      %15 = arith.muli %7, %c2048_i64 : i64
      %16 = arith.addi %14, %15 : i64
      %17 = arith.minsi %14, %16 : i64
      %18 = arith.maxsi %14, %16 : i64
      %19 = arith.addi %18, %c2048_i64 : i64
      %20 = arith.cmpi sle, %13, %17 : i64
      %21 = arith.cmpi sle, %19, %11 : i64
      %22 = arith.ori %20, %21 : i1
      %23 = arith.subi %11, %17 : i64
      %24 = arith.addi %23, %c2048_i64 : i64
      %25 = arith.cmpi sge, %24, %c2048_i64 : i64
      %26 = arith.ori %22, %25 : i1
      %27 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
      %28 = arith.muli %7, %c2048_i64 : i64
      %29 = arith.addi %27, %28 : i64
      %30 = arith.minsi %27, %29 : i64
      %31 = arith.maxsi %27, %29 : i64
      %32 = arith.addi %31, %c2048_i64 : i64
      %33 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
      %34 = arith.muli %7, %c2048_i64 : i64
      %35 = arith.addi %33, %34 : i64
      %36 = arith.minsi %33, %35 : i64
      %37 = arith.maxsi %33, %35 : i64
      %38 = arith.addi %37, %c2048_i64 : i64
      %39 = arith.cmpi sle, %32, %36 : i64
      %40 = arith.cmpi sle, %38, %30 : i64
      %41 = arith.ori %39, %40 : i1
      %42 = arith.subi %30, %36 : i64
      %43 = arith.addi %42, %c2048_i64 : i64
      %44 = arith.cmpi sge, %43, %c2048_i64 : i64
      %45 = arith.ori %41, %44 : i1
      %46 = arith.andi %26, %45 : i1
      %47 = arith.muli %5, %c512_i32 : i32
      %48 = arith.addi %47, %c-512_i32 : i32
      %49 = arith.select %46, %48, %c0_i32 : i32
      %50 = arith.select %46, %c-1_i32, %c1_i32 : i32
      scf.yield %49, %50 : i32, i32
    } else {
      scf.yield %c0_i32, %c1_i32 : i32, i32
    }
    scf.for %arg3 = %c0_i32 to %arg2 step %c512_i32  : i32 {
      %3 = arith.muli %arg3, %2#1 : i32
      %4 = arith.addi %2#0, %3 : i32
      %5 = tt.splat %4 : i32 -> tensor<512xi32, #blocked>
      %6 = arith.addi %5, %0 : tensor<512xi32, #blocked>
      %7 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %8 = tt.addptr %7, %6 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %9 = tt.load %8 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %10 = math.exp %9 : tensor<512xf32, #blocked>
      %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %12 = tt.addptr %11, %6 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %12, %10 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @in_place(%arg0: !tt.ptr<f32>, %arg1: i32) {
    %c511_i32 = arith.constant 511 : i32
    %c-512_i32 = arith.constant -512 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = arith.maxsi %arg1, %c0_i32 : i32
    %2 = arith.addi %1, %c511_i32 : i32
    %3 = arith.divui %2, %c512_i32 : i32
    %4 = arith.muli %3, %c512_i32 : i32
    %5 = arith.addi %4, %c-512_i32 : i32
    scf.for %arg2 = %c0_i32 to %arg1 step %c512_i32  : i32 {
      %6 = arith.subi %5, %arg2 : i32
      %7 = tt.splat %6 : i32 -> tensor<512xi32, #blocked>
      %8 = arith.addi %7, %0 : tensor<512xi32, #blocked>
      %9 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %10 = tt.addptr %9, %8 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %11 = tt.load %10 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %12 = math.exp %11 : tensor<512xf32, #blocked>
      tt.store %10, %12 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @shifted(%arg0: !tt.ptr<f32>, %arg1: i32) {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    scf.for %arg2 = %c0_i32 to %arg1 step %c512_i32  : i32 {
      %1 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
      %2 = arith.addi %1, %0 : tensor<512xi32, #blocked>
      %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %5 = tt.load %4 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %6 = math.exp %5 : tensor<512xf32, #blocked>
      %7 = tt.addptr %arg0, %c1_i32 : !tt.ptr<f32>, i32
      %8 = tt.splat %7 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %9 = tt.addptr %8, %2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %9, %6 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @last_stays(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    scf.for %arg3 = %c0_i32 to %arg2 step %c512_i32  : i32 {
      %1 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked>
      %2 = arith.addi %1, %0 : tensor<512xi32, #blocked>
      %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %5 = tt.load %4 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %7 = tt.addptr %6, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %7, %5 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @sums(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<512xf32, #blocked>
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = scf.for %arg3 = %c0_i32 to %arg2 step %c512_i32 iter_args(%arg4 = %cst) -> (tensor<512xf32, #blocked>)  : i32 {
      %4 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked>
      %5 = arith.addi %4, %0 : tensor<512xi32, #blocked>
      %6 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %7 = tt.addptr %6, %5 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %8 = tt.load %7 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %9 = arith.addf %arg4, %8 : tensor<512xf32, #blocked>
      scf.yield %9 : tensor<512xf32, #blocked>
    }
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    tt.store %3, %1 : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @copies(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c1023_i32 = arith.constant 1023 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c-1024_i32 = arith.constant -1024 : i32
    %c4096_i64 = arith.constant 4096 : i64
    %c1_i64 = arith.constant 1 : i64
    %c1_i32 = arith.constant 1 : i32
    %c2048_i32 = arith.constant 2048 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = arith.cmpi sgt, %arg2, %c2048_i32 : i32
    %2:2 = scf.if %1 -> (i32, i32) {
      %3 = arith.maxsi %arg2, %c0_i32 : i32
      %4 = arith.addi %3, %c1023_i32 : i32
      %5 = arith.divui %4, %c1024_i32 : i32
      %6 = arith.extui %5 : i32 to i64
      %7 = arith.subi %6, %c1_i64 : i64
      %8 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
      %9 = arith.muli %7, %c4096_i64 : i64
      %10 = arith.addi %8, %9 : i64
      %11 = arith.minsi %8, %10 : i64
      %12 = arith.maxsi %8, %10 : i64
      %13 = arith.addi %12, %c4096_i64 : i64
      %14 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
      %15 = arith.muli %7, %c4096_i64 : i64
      %16 = arith.addi %14, %15 : i64
      %17 = arith.minsi %14, %16 : i64
      %18 = arith.maxsi %14, %16 : i64
      %19 = arith.addi %18, %c4096_i64 : i64
      %20 = arith.cmpi sle, %13, %17 : i64
      %21 = arith.cmpi sle, %19, %11 : i64
      %22 = arith.ori %20, %21 : i1
      %23 = arith.subi %11, %17 : i64
      %24 = arith.addi %23, %c4096_i64 : i64
      %25 = arith.cmpi sge, %24, %c4096_i64 : i64
      %26 = arith.ori %22, %25 : i1
      %27 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
      %28 = arith.muli %7, %c4096_i64 : i64
      %29 = arith.addi %27, %28 : i64
      %30 = arith.minsi %27, %29 : i64
      %31 = arith.maxsi %27, %29 : i64
      %32 = arith.addi %31, %c4096_i64 : i64
      %33 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
      %34 = arith.muli %7, %c4096_i64 : i64
      %35 = arith.addi %33, %34 : i64
      %36 = arith.minsi %33, %35 : i64
      %37 = arith.maxsi %33, %35 : i64
      %38 = arith.addi %37, %c4096_i64 : i64
      %39 = arith.cmpi sle, %32, %36 : i64
      %40 = arith.cmpi sle, %38, %30 : i64
      %41 = arith.ori %39, %40 : i1
      %42 = arith.subi %30, %36 : i64
      %43 = arith.addi %42, %c4096_i64 : i64
      %44 = arith.cmpi sge, %43, %c4096_i64 : i64
      %45 = arith.ori %41, %44 : i1
      %46 = arith.andi %26, %45 : i1
      %47 = arith.muli %5, %c1024_i32 : i32
      %48 = arith.addi %47, %c-1024_i32 : i32
      %49 = arith.select %46, %48, %c0_i32 : i32
      %50 = arith.select %46, %c-1_i32, %c1_i32 : i32
      scf.yield %49, %50 : i32, i32
    } else {
      scf.yield %c0_i32, %c1_i32 : i32, i32
    }
    scf.for %arg3 = %c0_i32 to %arg2 step %c1024_i32  : i32 {
      %3 = arith.muli %arg3, %2#1 : i32
      %4 = arith.addi %2#0, %3 : i32
      %5 = tt.splat %4 : i32 -> tensor<512xi32, #blocked>
      %6 = arith.addi %5, %0 : tensor<512xi32, #blocked>
      %7 = arith.addi %4, %c512_i32 : i32
      %8 = tt.splat %7 : i32 -> tensor<512xi32, #blocked>
      %9 = arith.addi %8, %0 : tensor<512xi32, #blocked>
      %10 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %11 = tt.addptr %10, %6 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %12 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %13 = tt.addptr %12, %9 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %14 = tt.load %11 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %15 = tt.load %13 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %16 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %17 = tt.addptr %16, %6 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %18 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %19 = tt.addptr %18, %9 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %17, %14 : tensor<512x!tt.ptr<f32>, #blocked>
      tt.store %19, %15 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @short_rows(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %c2048_i32 = arith.constant 2048 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    scf.for %arg2 = %c0_i32 to %c2048_i32 step %c512_i32  : i32 {
      %1 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
      %2 = arith.addi %1, %0 : tensor<512xi32, #blocked>
      %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %5 = tt.load %4 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %7 = tt.addptr %6, %2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %7, %5 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @long_rows(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %c130560_i32 = arith.constant 130560 : i32
    %c522240_i64 = arith.constant 522240 : i64
    %c1_i32 = arith.constant 1 : i32
    %c-1_i32 = arith.constant -1 : i32
    %c2048_i64 = arith.constant 2048 : i64
    %c131072_i32 = arith.constant 131072 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %2 = arith.addi %1, %c522240_i64 : i64
    %3 = arith.minsi %1, %2 : i64
    %4 = arith.maxsi %1, %2 : i64
    %5 = arith.addi %4, %c2048_i64 : i64
    %6 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %7 = arith.addi %6, %c522240_i64 : i64
    %8 = arith.minsi %6, %7 : i64
    %9 = arith.maxsi %6, %7 : i64
    %10 = arith.addi %9, %c2048_i64 : i64
    %11 = arith.cmpi sle, %5, %8 : i64
    %12 = arith.cmpi sle, %10, %3 : i64
    %13 = arith.ori %11, %12 : i1
    %14 = arith.subi %3, %8 : i64
    %15 = arith.addi %14, %c2048_i64 : i64
    %16 = arith.cmpi sge, %15, %c2048_i64 : i64
    %17 = arith.ori %13, %16 : i1
    %18 = tt.ptr_to_int %arg1 : !tt.ptr<f32> -> i64
    %19 = arith.addi %18, %c522240_i64 : i64
    %20 = arith.minsi %18, %19 : i64
    %21 = arith.maxsi %18, %19 : i64
    %22 = arith.addi %21, %c2048_i64 : i64
    %23 = tt.ptr_to_int %arg0 : !tt.ptr<f32> -> i64
    %24 = arith.addi %23, %c522240_i64 : i64
    %25 = arith.minsi %23, %24 : i64
    %26 = arith.maxsi %23, %24 : i64
    %27 = arith.addi %26, %c2048_i64 : i64
    %28 = arith.cmpi sle, %22, %25 : i64
    %29 = arith.cmpi sle, %27, %20 : i64
    %30 = arith.ori %28, %29 : i1
    %31 = arith.subi %20, %25 : i64
    %32 = arith.addi %31, %c2048_i64 : i64
    %33 = arith.cmpi sge, %32, %c2048_i64 : i64
    %34 = arith.ori %30, %33 : i1
    %35 = arith.andi %17, %34 : i1
    %36 = arith.select %35, %c130560_i32, %c0_i32 : i32
    %37 = arith.select %35, %c-1_i32, %c1_i32 : i32
    scf.for %arg2 = %c0_i32 to %c131072_i32 step %c512_i32  : i32 {
      %38 = arith.muli %arg2, %37 : i32
      %39 = arith.addi %36, %38 : i32
      %40 = tt.splat %39 : i32 -> tensor<512xi32, #blocked>
      %41 = arith.addi %40, %0 : tensor<512xi32, #blocked>
      %42 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %43 = tt.addptr %42, %41 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %44 = tt.load %43 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
      %45 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %46 = tt.addptr %45, %41 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %46, %44 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @read_once(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    scf.for %arg3 = %c0_i32 to %arg2 step %c512_i32  : i32 {
      %1 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked>
      %2 = arith.addi %1, %0 : tensor<512xi32, #blocked>
      %3 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %4 = tt.addptr %3, %2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %5 = tt.load %4 : tensor<512x!tt.ptr<f32>, #blocked>
      %6 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
      %7 = tt.addptr %6, %2 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      tt.store %7, %5 : tensor<512x!tt.ptr<f32>, #blocked>
    }
    tt.return
  }
  tt.func public @rows(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) {
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    scf.for %arg4 = %c0_i32 to %arg3 step %c1_i32  : i32 {
      %1 = arith.muli %arg4, %arg2 : i32
      %2 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
      %3 = tt.addptr %arg1, %1 : !tt.ptr<f32>, i32
      scf.for %arg5 = %c0_i32 to %arg2 step %c512_i32  : i32 {
        %4 = tt.splat %arg5 : i32 -> tensor<512xi32, #blocked>
        %5 = arith.addi %4, %0 : tensor<512xi32, #blocked>
        %6 = tt.splat %2 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
        %7 = tt.addptr %6, %5 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
        %8 = tt.load %7 {tk.last_use} : tensor<512x!tt.ptr<f32>, #blocked>
        %9 = tt.splat %3 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
        %10 = tt.addptr %9, %5 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
        tt.store %10, %8 : tensor<512x!tt.ptr<f32>, #blocked>
      }
    }
    tt.return
  }
}

