// passes: skip-masks
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#rows = #ttg.slice<{dim = 1, parent = #mma}>
#keys = #ttg.slice<{dim = 0, parent = #mma}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // Rows see the keys up to their own: whole blocks need no comparison but one of two numbers.
  tt.func public @causal(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %zero to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %mask = arith.cmpi sge, %row3, %key3 : tensor<64x64xi32, #mma>
      %last = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Nor do keys before the end.
  tt.func public @both(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %zero to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %seen = arith.cmpi sge, %row3, %key3 : tensor<64x64xi32, #mma>
      %ends = arith.cmpi slt, %key2, %limit : tensor<1x64xi32, #mma>
      %ends2 = tt.broadcast %ends : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
      %mask = arith.andi %ends2, %seen : tensor<64x64xi1, #mma>
      %last = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The second choice is behind a function, and asks for the same answers: neither has a branch.
  tt.func public @twice(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %zero to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %mask = arith.cmpi sge, %row3, %key3 : tensor<64x64xi32, #mma>
      %first = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %p = math.exp2 %first : tensor<64x64xf32, #mma>
      %last = arith.select %mask, %p, %cst : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // Two choices by one mask have a branch each, with comparisons of its own.
  tt.func public @both_choices(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %zero to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %mask = arith.cmpi sge, %row3, %key3 : tensor<64x64xi32, #mma>
      %first = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %p = arith.addf %first, %first : tensor<64x64xf32, #mma>
      %last = arith.select %mask, %p, %cst : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // A window begins at the greater of two places.
  tt.func public @window(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %width = arith.subi %start, %step : i32
    %begin = arith.maxsi %width, %zero : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %begin to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %mask = arith.cmpi sge, %row3, %key3 : tensor<64x64xi32, #mma>
      %last = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // A loop that starts at the row of the program is one over masked blocks.
  tt.func public @diagonal(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %start to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %mask = arith.cmpi sge, %row3, %key3 : tensor<64x64xi32, #mma>
      %last = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // The answers are asked for elsewhere, so they are computed in any case.
  tt.func public @stored(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %zero to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %mask = arith.cmpi sge, %row3, %key3 : tensor<64x64xi32, #mma>
      %last = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      tt.store %bits, %mask : tensor<64x64x!tt.ptr<i1>, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  // No two numbers say where places are equal.
  tt.func public @equal(%q: tensor<64x16xf16, #left>, %k: tensor<16x64xf16, #right>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %bits: tensor<64x64x!tt.ptr<i1>, #mma>, %length: i32) {
    %zero = arith.constant 0 : i32
    %step = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %low = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %program = tt.get_program_id x : i32
    %start = arith.muli %program, %step : i32
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #rows>
    %sr = tt.splat %start : i32 -> tensor<64xi32, #rows>
    %row = arith.addi %sr, %r : tensor<64xi32, #rows>
    %row2 = tt.expand_dims %row {axis = 1 : i32} : tensor<64xi32, #rows> -> tensor<64x1xi32, #mma>
    %row3 = tt.broadcast %row2 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #keys>
    %limit = tt.splat %length : i32 -> tensor<1x64xi32, #mma>
    %sum = scf.for %n = %zero to %length step %step iter_args(%total = %cst) -> (tensor<64x64xf32, #mma>) : i32 {
      %s = tt.dot %q, %k, %cst : tensor<64x16xf16, #left> * tensor<16x64xf16, #right> -> tensor<64x64xf32, #mma>
      %sn = tt.splat %n : i32 -> tensor<64xi32, #keys>
      %key = arith.addi %sn, %c : tensor<64xi32, #keys>
      %key2 = tt.expand_dims %key {axis = 0 : i32} : tensor<64xi32, #keys> -> tensor<1x64xi32, #mma>
      %key3 = tt.broadcast %key2 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %mask = arith.cmpi eq, %row3, %key3 : tensor<64x64xi32, #mma>
      %last = arith.select %mask, %s, %low : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %next = arith.addf %total, %last : tensor<64x64xf32, #mma>
      scf.yield %next : tensor<64x64xf32, #mma>
    }
    tt.store %out, %sum : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}
// ----- expect
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @causal(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = arith.addi %3, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %6 = tt.broadcast %5 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %10 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %c63_i32 = arith.constant 63 : i32
      %11 = arith.addi %arg5, %c63_i32 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %12 = arith.addi %1, %c0_i32_1 : i32
      %13 = arith.cmpi sle, %11, %12 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %14 = arith.addi %arg5, %c0_i32_2 : i32
      %15 = arith.cmpi sle, %14, %11 : i32
      %c63_i32_3 = arith.constant 63 : i32
      %16 = arith.addi %1, %c63_i32_3 : i32
      %17 = arith.cmpi sle, %12, %16 : i32
      %18 = arith.andi %13, %15 : i1
      %19 = arith.andi %18, %17 : i1
      %20 = scf.if %19 -> (tensor<64x64xf32, #mma>) {
        scf.yield %10 : tensor<64x64xf32, #mma>
      } else {
        %22 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %23 = arith.addi %22, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %24 = tt.expand_dims %23 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
        %25 = tt.broadcast %24 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
        %26 = arith.cmpi sge, %6, %25 : tensor<64x64xi32, #mma>
        %27 = arith.select %26, %10, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
        scf.yield %27 : tensor<64x64xf32, #mma>
      }
      %21 = arith.addf %arg6, %20 : tensor<64x64xf32, #mma>
      scf.yield %21 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %9 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @both(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = arith.addi %3, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %6 = tt.broadcast %5 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %10 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %c63_i32 = arith.constant 63 : i32
      %11 = arith.addi %arg5, %c63_i32 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %12 = arith.addi %1, %c0_i32_1 : i32
      %13 = arith.cmpi sle, %11, %12 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %14 = arith.addi %arg5, %c0_i32_2 : i32
      %15 = arith.cmpi sle, %14, %11 : i32
      %c63_i32_3 = arith.constant 63 : i32
      %16 = arith.addi %1, %c63_i32_3 : i32
      %17 = arith.cmpi sle, %12, %16 : i32
      %c63_i32_4 = arith.constant 63 : i32
      %18 = arith.addi %arg5, %c63_i32_4 : i32
      %19 = arith.cmpi slt, %18, %arg4 : i32
      %c0_i32_5 = arith.constant 0 : i32
      %20 = arith.addi %arg5, %c0_i32_5 : i32
      %21 = arith.cmpi sle, %20, %18 : i32
      %22 = arith.andi %13, %15 : i1
      %23 = arith.andi %22, %17 : i1
      %24 = arith.andi %23, %19 : i1
      %25 = arith.andi %24, %21 : i1
      %26 = scf.if %25 -> (tensor<64x64xf32, #mma>) {
        scf.yield %10 : tensor<64x64xf32, #mma>
      } else {
        %28 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %29 = arith.addi %28, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %30 = tt.expand_dims %29 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
        %31 = tt.broadcast %30 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
        %32 = arith.cmpi sge, %6, %31 : tensor<64x64xi32, #mma>
        %33 = arith.cmpi slt, %30, %8 : tensor<1x64xi32, #mma>
        %34 = tt.broadcast %33 : tensor<1x64xi1, #mma> -> tensor<64x64xi1, #mma>
        %35 = arith.andi %34, %32 : tensor<64x64xi1, #mma>
        %36 = arith.select %35, %10, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
        scf.yield %36 : tensor<64x64xf32, #mma>
      }
      %27 = arith.addf %arg6, %26 : tensor<64x64xf32, #mma>
      scf.yield %27 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %9 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @twice(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = arith.addi %3, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %6 = tt.broadcast %5 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %10 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %11 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %12 = arith.addi %11, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %13 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
      %14 = tt.broadcast %13 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %15 = arith.cmpi sge, %6, %14 : tensor<64x64xi32, #mma>
      %16 = arith.select %15, %10, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %17 = math.exp2 %16 : tensor<64x64xf32, #mma>
      %18 = arith.select %15, %17, %cst : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %19 = arith.addf %arg6, %18 : tensor<64x64xf32, #mma>
      scf.yield %19 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %9 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @both_choices(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = arith.addi %3, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %6 = tt.broadcast %5 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %10 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %c63_i32 = arith.constant 63 : i32
      %11 = arith.addi %arg5, %c63_i32 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %12 = arith.addi %1, %c0_i32_1 : i32
      %13 = arith.cmpi sle, %11, %12 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %14 = arith.addi %arg5, %c0_i32_2 : i32
      %15 = arith.cmpi sle, %14, %11 : i32
      %c63_i32_3 = arith.constant 63 : i32
      %16 = arith.addi %1, %c63_i32_3 : i32
      %17 = arith.cmpi sle, %12, %16 : i32
      %18 = arith.andi %13, %15 : i1
      %19 = arith.andi %18, %17 : i1
      %20 = scf.if %19 -> (tensor<64x64xf32, #mma>) {
        scf.yield %10 : tensor<64x64xf32, #mma>
      } else {
        %33 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %34 = arith.addi %33, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %35 = tt.expand_dims %34 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
        %36 = tt.broadcast %35 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
        %37 = arith.cmpi sge, %6, %36 : tensor<64x64xi32, #mma>
        %38 = arith.select %37, %10, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
        scf.yield %38 : tensor<64x64xf32, #mma>
      }
      %21 = arith.addf %20, %20 : tensor<64x64xf32, #mma>
      %c63_i32_4 = arith.constant 63 : i32
      %22 = arith.addi %arg5, %c63_i32_4 : i32
      %c0_i32_5 = arith.constant 0 : i32
      %23 = arith.addi %1, %c0_i32_5 : i32
      %24 = arith.cmpi sle, %22, %23 : i32
      %c0_i32_6 = arith.constant 0 : i32
      %25 = arith.addi %arg5, %c0_i32_6 : i32
      %26 = arith.cmpi sle, %25, %22 : i32
      %c63_i32_7 = arith.constant 63 : i32
      %27 = arith.addi %1, %c63_i32_7 : i32
      %28 = arith.cmpi sle, %23, %27 : i32
      %29 = arith.andi %24, %26 : i1
      %30 = arith.andi %29, %28 : i1
      %31 = scf.if %30 -> (tensor<64x64xf32, #mma>) {
        scf.yield %21 : tensor<64x64xf32, #mma>
      } else {
        %33 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %34 = arith.addi %33, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %35 = tt.expand_dims %34 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
        %36 = tt.broadcast %35 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
        %37 = arith.cmpi sge, %6, %36 : tensor<64x64xi32, #mma>
        %38 = arith.select %37, %21, %cst : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
        scf.yield %38 : tensor<64x64xf32, #mma>
      }
      %32 = arith.addf %arg6, %31 : tensor<64x64xf32, #mma>
      scf.yield %32 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %9 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @window(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = arith.subi %1, %c64_i32 : i32
    %3 = arith.maxsi %2, %c0_i32 : i32
    %4 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %6 = arith.addi %5, %4 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %7 = tt.expand_dims %6 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %8 = tt.broadcast %7 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %9 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %10 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %11 = scf.for %arg5 = %3 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %12 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %c63_i32 = arith.constant 63 : i32
      %13 = arith.addi %arg5, %c63_i32 : i32
      %c0_i32_1 = arith.constant 0 : i32
      %14 = arith.addi %1, %c0_i32_1 : i32
      %15 = arith.cmpi sle, %13, %14 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %16 = arith.addi %arg5, %c0_i32_2 : i32
      %17 = arith.cmpi sle, %16, %13 : i32
      %c63_i32_3 = arith.constant 63 : i32
      %18 = arith.addi %1, %c63_i32_3 : i32
      %19 = arith.cmpi sle, %14, %18 : i32
      %20 = arith.andi %15, %17 : i1
      %21 = arith.andi %20, %19 : i1
      %22 = scf.if %21 -> (tensor<64x64xf32, #mma>) {
        scf.yield %12 : tensor<64x64xf32, #mma>
      } else {
        %24 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %25 = arith.addi %24, %9 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %26 = tt.expand_dims %25 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
        %27 = tt.broadcast %26 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
        %28 = arith.cmpi sge, %8, %27 : tensor<64x64xi32, #mma>
        %29 = arith.select %28, %12, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
        scf.yield %29 : tensor<64x64xf32, #mma>
      }
      %23 = arith.addf %arg6, %22 : tensor<64x64xf32, #mma>
      scf.yield %23 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %11 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @diagonal(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = arith.addi %3, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %6 = tt.broadcast %5 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %9 = scf.for %arg5 = %1 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %10 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %11 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %12 = arith.addi %11, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %13 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
      %14 = tt.broadcast %13 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %15 = arith.cmpi sge, %6, %14 : tensor<64x64xi32, #mma>
      %16 = arith.select %15, %10, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %17 = arith.addf %arg6, %16 : tensor<64x64xf32, #mma>
      scf.yield %17 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %9 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @stored(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = arith.addi %3, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %6 = tt.broadcast %5 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %10 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %11 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %12 = arith.addi %11, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %13 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
      %14 = tt.broadcast %13 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %15 = arith.cmpi sge, %6, %14 : tensor<64x64xi32, #mma>
      %16 = arith.select %15, %10, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      tt.store %arg3, %15 : tensor<64x64x!tt.ptr<i1>, #mma>
      %17 = arith.addf %arg6, %16 : tensor<64x64xf32, #mma>
      scf.yield %17 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %9 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
  tt.func public @equal(%arg0: tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, %arg1: tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, %arg2: tensor<64x64x!tt.ptr<f32>, #mma>, %arg3: tensor<64x64x!tt.ptr<i1>, #mma>, %arg4: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #mma>
    %cst_0 = arith.constant dense<-1.000000e+30> : tensor<64x64xf32, #mma>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c64_i32 : i32
    %2 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %3 = tt.splat %1 : i32 -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %4 = arith.addi %3, %2 : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %5 = tt.expand_dims %4 {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>> -> tensor<64x1xi32, #mma>
    %6 = tt.broadcast %5 : tensor<64x1xi32, #mma> -> tensor<64x64xi32, #mma>
    %7 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %8 = tt.splat %arg4 : i32 -> tensor<1x64xi32, #mma>
    %9 = scf.for %arg5 = %c0_i32 to %arg4 step %c64_i32 iter_args(%arg6 = %cst) -> (tensor<64x64xf32, #mma>)  : i32 {
      %10 = tt.dot %arg0, %arg1, %cst : tensor<64x16xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>> * tensor<16x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<64x64xf32, #mma>
      %11 = tt.splat %arg5 : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %12 = arith.addi %11, %7 : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %13 = tt.expand_dims %12 {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xi32, #mma>
      %14 = tt.broadcast %13 : tensor<1x64xi32, #mma> -> tensor<64x64xi32, #mma>
      %15 = arith.cmpi eq, %6, %14 : tensor<64x64xi32, #mma>
      %16 = arith.select %15, %10, %cst_0 : tensor<64x64xi1, #mma>, tensor<64x64xf32, #mma>
      %17 = arith.addf %arg6, %16 : tensor<64x64xf32, #mma>
      scf.yield %17 : tensor<64x64xf32, #mma>
    }
    tt.store %arg2, %9 : tensor<64x64x!tt.ptr<f32>, #mma>
    tt.return
  }
}

