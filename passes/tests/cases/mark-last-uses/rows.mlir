// passes: mark-last-uses
// What no program reads after this is marked, and what is stored beside rows that an earlier loop has read.
module {
  // The second loop reads each row for the last time; the weights are for all programs.
  tt.func public @norm(%x: !tt.ptr<f32>, %w: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %n : i32
    %row = tt.addptr %x, %start : !tt.ptr<f32>, i32
    %out = tt.addptr %y, %start : !tt.ptr<f32>, i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %sum = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero) -> (tensor<128xf32>) : i32 {
      %p = tt.addptr %row, %i : !tt.ptr<f32>, i32
      %all = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %v = tt.load %at : tensor<128x!tt.ptr<f32>>
      %s = arith.addf %acc, %v : tensor<128xf32>
      scf.yield %s : tensor<128xf32>
    }
    scf.for %i = %c0 to %n step %c128 : i32 {
      %p = tt.addptr %row, %i : !tt.ptr<f32>, i32
      %all = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %at = tt.addptr %all, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %v = tt.load %at : tensor<128x!tt.ptr<f32>>
      %q = tt.addptr %w, %i : !tt.ptr<f32>, i32
      %weights = tt.splat %q : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %weight_at = tt.addptr %weights, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %weight = tt.load %weight_at : tensor<128x!tt.ptr<f32>>
      %scaled = arith.mulf %v, %sum : tensor<128xf32>
      %result = arith.mulf %scaled, %weight : tensor<128xf32>
      %r = tt.addptr %out, %i : !tt.ptr<f32>, i32
      %results = tt.splat %r : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %result_at = tt.addptr %results, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      tt.store %result_at, %result : tensor<128x!tt.ptr<f32>>
    }
    tt.return
  }
  // What is read once is left alone, whatever it depends on.
  tt.func public @vector(%a: !tt.ptr<f32>, %x: !tt.ptr<f32>, %b: !tt.ptr<f32>, %table: !tt.ptr<i32>, %y: !tt.ptr<f32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c128 = arith.constant 128 : i32
    %steps = arith.constant dense<128> : tensor<128xi32>
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %row = tt.get_program_id x : i32
    %part = tt.get_program_id y : i32
    %start = arith.muli %row, %n : i32
    %more = arith.addi %start, %part : i32
    %p = tt.addptr %a, %more : !tt.ptr<f32>, i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %all = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %first = tt.addptr %all, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %columns = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %begin = tt.addptr %columns, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %half = tt.addptr %b, %start : !tt.ptr<f32>, i32
    %named = tt.addptr %table, %more : !tt.ptr<i32>, i32
    %place = tt.load %named : !tt.ptr<i32>
    %away = tt.addptr %b, %place : !tt.ptr<f32>, i32
    %sum:3 = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %zero, %at = %first, %by = %begin) -> (tensor<128xf32>, tensor<128x!tt.ptr<f32>>, tensor<128x!tt.ptr<f32>>) : i32 {
      %v = tt.load %at : tensor<128x!tt.ptr<f32>>
      %w = tt.load %by : tensor<128x!tt.ptr<f32>>
      %halves = tt.splat %half : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %moved = tt.splat %i : i32 -> tensor<128xi32>
      %half_at = tt.addptr %halves, %moved : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %u = tt.load %half_at : tensor<128x!tt.ptr<f32>>
      %aways = tt.splat %away : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %away_at = tt.addptr %aways, %moved : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %t = tt.load %away_at : tensor<128x!tt.ptr<f32>>
      %vw = arith.mulf %v, %w : tensor<128xf32>
      %ut = arith.mulf %u, %t : tensor<128xf32>
      %vwut = arith.addf %vw, %ut : tensor<128xf32>
      %s = arith.addf %acc, %vwut : tensor<128xf32>
      %next = tt.addptr %at, %steps : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %next_by = tt.addptr %by, %steps : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      scf.yield %s, %next, %next_by : tensor<128xf32>, tensor<128x!tt.ptr<f32>>, tensor<128x!tt.ptr<f32>>
    }
    %o = tt.addptr %y, %more : !tt.ptr<f32>, i32
    %os = tt.splat %o : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %o_at = tt.addptr %os, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %o_at, %sum#0 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
  // The outer loop reads the row again and again, and one load says how it is cached.
  tt.func public @again(%x: !tt.ptr<f32>, %z: !tt.ptr<f32>, %n: i32) -> tensor<128xf32> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %zero = arith.constant dense<0.0> : tensor<128xf32>
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %n : i32
    %lane = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %total = scf.for %j = %c0 to %n step %c1 iter_args(%outer = %zero) -> (tensor<128xf32>) : i32 {
      %sum = scf.for %i = %c0 to %n step %c128 iter_args(%acc = %outer) -> (tensor<128xf32>) : i32 {
        %here = arith.addi %start, %i : i32
        %p = tt.addptr %x, %here : !tt.ptr<f32>, i32
        %all = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
        %at = tt.addptr %all, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
        %v = tt.load %at : tensor<128x!tt.ptr<f32>>
        %there = arith.addi %here, %j : i32
        %q = tt.addptr %z, %there : !tt.ptr<f32>, i32
        %others = tt.splat %q : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
        %other_at = tt.addptr %others, %lane : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
        %w = tt.load %other_at {evict = 3 : i32} : tensor<128x!tt.ptr<f32>>
        %vw = arith.mulf %v, %w : tensor<128xf32>
        %s = arith.addf %acc, %vw : tensor<128xf32>
        scf.yield %s : tensor<128xf32>
      }
      scf.yield %sum : tensor<128xf32>
    }
    tt.return %total : tensor<128xf32>
  }
  // Products share what they read.
  tt.func public @product(%a: !tt.ptr<f16>, %b: tensor<64x64xf16>, %n: i32) -> tensor<64x64xf32> {
    %c0 = arith.constant 0 : i32
    %c64 = arith.constant 64 : i32
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %pid = tt.get_program_id x : i32
    %start = arith.muli %pid, %n : i32
    %sum = scf.for %i = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
      %here = arith.addi %start, %i : i32
      %p = tt.addptr %a, %here : !tt.ptr<f16>, i32
      %at = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %v = tt.load %at : tensor<64x64x!tt.ptr<f16>>
      %s = tt.dot %v, %b, %acc : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %s : tensor<64x64xf32>
    }
    tt.return %sum : tensor<64x64xf32>
  }
}
// ----- expect
module {
  tt.func public @norm(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %arg3 : i32
    %2 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
    %3 = tt.addptr %arg2, %1 : !tt.ptr<f32>, i32
    %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %5 = scf.for %arg4 = %c0_i32 to %arg3 step %c128_i32 iter_args(%arg5 = %cst) -> (tensor<128xf32>)  : i32 {
      %6 = tt.addptr %2, %arg4 : !tt.ptr<f32>, i32
      %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %9 = tt.load %8 : tensor<128x!tt.ptr<f32>>
      %10 = arith.addf %arg5, %9 : tensor<128xf32>
      scf.yield %10 : tensor<128xf32>
    }
    scf.for %arg4 = %c0_i32 to %arg3 step %c128_i32  : i32 {
      %6 = tt.addptr %2, %arg4 : !tt.ptr<f32>, i32
      %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %8 = tt.addptr %7, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %9 = tt.load %8 {tk.last_use} : tensor<128x!tt.ptr<f32>>
      %10 = tt.addptr %arg1, %arg4 : !tt.ptr<f32>, i32
      %11 = tt.splat %10 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %12 = tt.addptr %11, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %13 = tt.load %12 : tensor<128x!tt.ptr<f32>>
      %14 = arith.mulf %9, %5 : tensor<128xf32>
      %15 = arith.mulf %14, %13 : tensor<128xf32>
      %16 = tt.addptr %3, %arg4 : !tt.ptr<f32>, i32
      %17 = tt.splat %16 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %18 = tt.addptr %17, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      tt.store %18, %15 {tk.last_use} : tensor<128x!tt.ptr<f32>>
    }
    tt.return
  }
  tt.func public @vector(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<i32>, %arg4: !tt.ptr<f32>, %arg5: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<128> : tensor<128xi32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %0 = tt.get_program_id x : i32
    %1 = tt.get_program_id y : i32
    %2 = arith.muli %0, %arg5 : i32
    %3 = arith.addi %2, %1 : i32
    %4 = tt.addptr %arg0, %3 : !tt.ptr<f32>, i32
    %5 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %6 = tt.splat %4 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %7 = tt.addptr %6, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %8 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %9 = tt.addptr %8, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %10 = tt.addptr %arg2, %2 : !tt.ptr<f32>, i32
    %11 = tt.addptr %arg3, %3 : !tt.ptr<i32>, i32
    %12 = tt.load %11 : !tt.ptr<i32>
    %13 = tt.addptr %arg2, %12 : !tt.ptr<f32>, i32
    %14:3 = scf.for %arg6 = %c0_i32 to %arg5 step %c128_i32 iter_args(%arg7 = %cst_0, %arg8 = %7, %arg9 = %9) -> (tensor<128xf32>, tensor<128x!tt.ptr<f32>>, tensor<128x!tt.ptr<f32>>)  : i32 {
      %18 = tt.load %arg8 : tensor<128x!tt.ptr<f32>>
      %19 = tt.load %arg9 : tensor<128x!tt.ptr<f32>>
      %20 = tt.splat %10 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %21 = tt.splat %arg6 : i32 -> tensor<128xi32>
      %22 = tt.addptr %20, %21 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %23 = tt.load %22 : tensor<128x!tt.ptr<f32>>
      %24 = tt.splat %13 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
      %25 = tt.addptr %24, %21 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %26 = tt.load %25 : tensor<128x!tt.ptr<f32>>
      %27 = arith.mulf %18, %19 : tensor<128xf32>
      %28 = arith.mulf %23, %26 : tensor<128xf32>
      %29 = arith.addf %27, %28 : tensor<128xf32>
      %30 = arith.addf %arg7, %29 : tensor<128xf32>
      %31 = tt.addptr %arg8, %cst : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      %32 = tt.addptr %arg9, %cst : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
      scf.yield %30, %31, %32 : tensor<128xf32>, tensor<128x!tt.ptr<f32>>, tensor<128x!tt.ptr<f32>>
    }
    %15 = tt.addptr %arg4, %3 : !tt.ptr<f32>, i32
    %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %17 = tt.addptr %16, %5 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %17, %14#0 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @again(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32) -> tensor<128xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c128_i32 = arith.constant 128 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<128xf32>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %arg2 : i32
    %2 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %3 = scf.for %arg3 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg4 = %cst) -> (tensor<128xf32>)  : i32 {
      %4 = scf.for %arg5 = %c0_i32 to %arg2 step %c128_i32 iter_args(%arg6 = %arg4) -> (tensor<128xf32>)  : i32 {
        %5 = arith.addi %1, %arg5 : i32
        %6 = tt.addptr %arg0, %5 : !tt.ptr<f32>, i32
        %7 = tt.splat %6 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
        %8 = tt.addptr %7, %2 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
        %9 = tt.load %8 : tensor<128x!tt.ptr<f32>>
        %10 = arith.addi %5, %arg3 : i32
        %11 = tt.addptr %arg1, %10 : !tt.ptr<f32>, i32
        %12 = tt.splat %11 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
        %13 = tt.addptr %12, %2 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
        %14 = tt.load %13 evictionPolicy = evict_last : tensor<128x!tt.ptr<f32>>
        %15 = arith.mulf %9, %14 : tensor<128xf32>
        %16 = arith.addf %arg6, %15 : tensor<128xf32>
        scf.yield %16 : tensor<128xf32>
      }
      scf.yield %4 : tensor<128xf32>
    }
    tt.return %3 : tensor<128xf32>
  }
  tt.func public @product(%arg0: !tt.ptr<f16>, %arg1: tensor<64x64xf16>, %arg2: i32) -> tensor<64x64xf32> {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %arg2 : i32
    %2 = scf.for %arg3 = %c0_i32 to %arg2 step %c64_i32 iter_args(%arg4 = %cst) -> (tensor<64x64xf32>)  : i32 {
      %3 = arith.addi %1, %arg3 : i32
      %4 = tt.addptr %arg0, %3 : !tt.ptr<f16>, i32
      %5 = tt.splat %4 : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %6 = tt.load %5 : tensor<64x64x!tt.ptr<f16>>
      %7 = tt.dot %6, %arg1, %arg4 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %7 : tensor<64x64xf32>
    }
    tt.return %2 : tensor<64x64xf32>
  }
}

