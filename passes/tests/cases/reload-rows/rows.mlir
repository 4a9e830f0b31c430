// passes: reload-rows
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A softmax of a row that takes 512 registers: it is read for the maximum, for the sum and for what is written.
  tt.func public @softmax(%x_ptr: !tt.ptr<f16>, %y_ptr: !tt.ptr<f16>, %n: i32) {
    %low = arith.constant dense<0xFC00> : tensor<65536xf16, #blocked>
    %k = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %limit = tt.splat %n : i32 -> tensor<65536xi32, #blocked>
    %mask = arith.cmpi slt, %k, %limit : tensor<65536xi32, #blocked>
    %p = tt.splat %x_ptr : !tt.ptr<f16> -> tensor<65536x!tt.ptr<f16>, #blocked>
    %from = tt.addptr %p, %k : tensor<65536x!tt.ptr<f16>, #blocked>, tensor<65536xi32, #blocked>
    %q = tt.splat %y_ptr : !tt.ptr<f16> -> tensor<65536x!tt.ptr<f16>, #blocked>
    %to = tt.addptr %q, %k : tensor<65536x!tt.ptr<f16>, #blocked>, tensor<65536xi32, #blocked>
    %x = tt.load %from, %mask, %low : tensor<65536x!tt.ptr<f16>, #blocked>
    %wide = arith.extf %x : tensor<65536xf16, #blocked> to tensor<65536xf32, #blocked>
    %top = "tt.reduce"(%wide) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %tops = tt.splat %top : f32 -> tensor<65536xf32, #blocked>
    %down = arith.subf %wide, %tops : tensor<65536xf32, #blocked>
    %e = math.exp %down : tensor<65536xf32, #blocked>
    %sum = "tt.reduce"(%e) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.addf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %sums = tt.splat %sum : f32 -> tensor<65536xf32, #blocked>
    %part = arith.divf %e, %sums : tensor<65536xf32, #blocked>
    %y = arith.truncf %part : tensor<65536xf32, #blocked> to tensor<65536xf16, #blocked>
    tt.store %to, %y, %mask : tensor<65536x!tt.ptr<f16>, #blocked>
    tt.return
  }

  // The maximum is stored on the way; that is no row. Nothing is stored elsewhere, so the row is read twice.
  tt.func public @behind_a_number(%x_ptr: !tt.ptr<f32>, %top_ptr: !tt.ptr<f32>, %sum_ptr: !tt.ptr<f32>) {
    %k = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %p = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %from = tt.addptr %p, %k : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %x = tt.load %from : tensor<65536x!tt.ptr<f32>, #blocked>
    %top = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    tt.store %top_ptr, %top : !tt.ptr<f32>
    %tops = tt.splat %top : f32 -> tensor<65536xf32, #blocked>
    %down = arith.subf %x, %tops : tensor<65536xf32, #blocked>
    %sum = "tt.reduce"(%down) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.addf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    tt.store %sum_ptr, %sum : !tt.ptr<f32>
    tt.return
  }

  // A block is stored between the maximum and the sum: the row is read before that, once more. It has two users then.
  tt.func public @not_behind_a_block(%x_ptr: !tt.ptr<f32>, %y_ptr: !tt.ptr<f32>, %sum_ptr: !tt.ptr<f32>) {
    %k = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %p = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %from = tt.addptr %p, %k : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %q = tt.splat %y_ptr : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %to = tt.addptr %q, %k : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %x = tt.load %from : tensor<65536x!tt.ptr<f32>, #blocked>
    %top = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %tops = tt.splat %top : f32 -> tensor<65536xf32, #blocked>
    %down = arith.subf %x, %tops : tensor<65536xf32, #blocked>
    tt.store %to, %down : tensor<65536x!tt.ptr<f32>, #blocked>
    %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.addf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    tt.store %sum_ptr, %sum : !tt.ptr<f32>
    tt.return
  }

  // What is written lies elsewhere in the tensor that is read: threads meet after they have read all, and before one of them writes.
  tt.func public @moved_in_place(%x_ptr: !tt.ptr<f32>) {
    %k = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %one = arith.constant dense<1> : tensor<65536xi32, #blocked>
    %next = arith.addi %k, %one : tensor<65536xi32, #blocked>
    %p = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %from = tt.addptr %p, %k : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %to = tt.addptr %p, %next : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %x = tt.load %from : tensor<65536x!tt.ptr<f32>, #blocked>
    %top = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %tops = tt.splat %top : f32 -> tensor<65536xf32, #blocked>
    %down = arith.subf %x, %tops : tensor<65536xf32, #blocked>
    tt.store %to, %down : tensor<65536x!tt.ptr<f32>, #blocked>
    tt.return
  }

  // Half as many elements: what is spilled is less than what would be read again.
  tt.func public @with_room(%x_ptr: !tt.ptr<f32>, %y_ptr: !tt.ptr<f32>) {
    %k = tt.make_range {end = 32768 : i32, start = 0 : i32} : tensor<32768xi32, #blocked>
    %p = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<32768x!tt.ptr<f32>, #blocked>
    %from = tt.addptr %p, %k : tensor<32768x!tt.ptr<f32>, #blocked>, tensor<32768xi32, #blocked>
    %q = tt.splat %y_ptr : !tt.ptr<f32> -> tensor<32768x!tt.ptr<f32>, #blocked>
    %to = tt.addptr %q, %k : tensor<32768x!tt.ptr<f32>, #blocked>, tensor<32768xi32, #blocked>
    %x = tt.load %from : tensor<32768x!tt.ptr<f32>, #blocked>
    %top = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %m = arith.maxnumf %a, %b : f32
      tt.reduce.return %m : f32
    }) : (tensor<32768xf32, #blocked>) -> f32
    %tops = tt.splat %top : f32 -> tensor<32768xf32, #blocked>
    %down = arith.subf %x, %tops : tensor<32768xf32, #blocked>
    tt.store %to, %down : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @softmax(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: i32) {
    %cst = arith.constant dense<0xFC00> : tensor<65536xf16, #blocked>
    %0 = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %1 = tt.splat %arg2 : i32 -> tensor<65536xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<65536xi32, #blocked>
    %3 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<65536x!tt.ptr<f16>, #blocked>
    %4 = tt.addptr %3, %0 : tensor<65536x!tt.ptr<f16>, #blocked>, tensor<65536xi32, #blocked>
    %5 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<65536x!tt.ptr<f16>, #blocked>
    %6 = tt.addptr %5, %0 : tensor<65536x!tt.ptr<f16>, #blocked>, tensor<65536xi32, #blocked>
    %7 = tt.load %4, %2, %cst {tk.late} : tensor<65536x!tt.ptr<f16>, #blocked>
    %8 = arith.extf %7 : tensor<65536xf16, #blocked> to tensor<65536xf32, #blocked>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %26 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %26 : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %10 = arith.cmpi slt, %0, %1 {tk.again = 1 : i32} : tensor<65536xi32, #blocked>
    %11 = tt.load %4, %10, %cst {tk.late} : tensor<65536x!tt.ptr<f16>, #blocked>
    %12 = arith.extf %11 : tensor<65536xf16, #blocked> to tensor<65536xf32, #blocked>
    %13 = tt.splat %9 : f32 -> tensor<65536xf32, #blocked>
    %14 = arith.subf %12, %13 : tensor<65536xf32, #blocked>
    %15 = math.exp %14 : tensor<65536xf32, #blocked>
    %16 = "tt.reduce"(%15) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %26 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %26 : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %17 = arith.cmpi slt, %0, %1 {tk.again = 2 : i32} : tensor<65536xi32, #blocked>
    %18 = tt.load %4, %17, %cst {tk.late} : tensor<65536x!tt.ptr<f16>, #blocked>
    %19 = arith.extf %18 : tensor<65536xf16, #blocked> to tensor<65536xf32, #blocked>
    %20 = arith.subf %19, %13 : tensor<65536xf32, #blocked>
    %21 = math.exp %20 : tensor<65536xf32, #blocked>
    %22 = tt.splat %16 : f32 -> tensor<65536xf32, #blocked>
    %23 = arith.divf %21, %22 : tensor<65536xf32, #blocked>
    %24 = arith.truncf %23 : tensor<65536xf32, #blocked> to tensor<65536xf16, #blocked>
    %25 = arith.cmpi slt, %0, %1 {tk.again = 2 : i32} : tensor<65536xi32, #blocked>
    tt.store %6, %24, %25 : tensor<65536x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func public @behind_a_number(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %3 = tt.load %2 {tk.late} : tensor<65536x!tt.ptr<f32>, #blocked>
    %4 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %9 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %9 : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %5 = tt.load %2 {tk.late} : tensor<65536x!tt.ptr<f32>, #blocked>
    tt.store %arg1, %4 : !tt.ptr<f32>
    %6 = tt.splat %4 : f32 -> tensor<65536xf32, #blocked>
    %7 = arith.subf %5, %6 : tensor<65536xf32, #blocked>
    %8 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %9 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %9 : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    tt.store %arg2, %8 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @not_behind_a_block(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %0 : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %5 = tt.load %2 {tk.late} : tensor<65536x!tt.ptr<f32>, #blocked>
    %6 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %11 = arith.maxnumf %arg3, %arg4 : f32
      tt.reduce.return %11 : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %7 = tt.load %2 : tensor<65536x!tt.ptr<f32>, #blocked>
    %8 = tt.splat %6 : f32 -> tensor<65536xf32, #blocked>
    %9 = arith.subf %7, %8 : tensor<65536xf32, #blocked>
    tt.store %4, %9 : tensor<65536x!tt.ptr<f32>, #blocked>
    %10 = "tt.reduce"(%7) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %11 = arith.addf %arg3, %arg4 : f32
      tt.reduce.return %11 : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    tt.store %arg2, %10 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @moved_in_place(%arg0: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32, #blocked>
    %cst = arith.constant dense<1> : tensor<65536xi32, #blocked>
    %1 = arith.addi %0, %cst : tensor<65536xi32, #blocked>
    %2 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<65536x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %0 : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %4 = tt.addptr %2, %1 : tensor<65536x!tt.ptr<f32>, #blocked>, tensor<65536xi32, #blocked>
    %5 = tt.load %3 : tensor<65536x!tt.ptr<f32>, #blocked>
    %6 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %9 = arith.maxnumf %arg1, %arg2 : f32
      tt.reduce.return %9 : f32
    }) : (tensor<65536xf32, #blocked>) -> f32
    %7 = tt.splat %6 : f32 -> tensor<65536xf32, #blocked>
    %8 = arith.subf %5, %7 : tensor<65536xf32, #blocked>
    tt.store %4, %8 : tensor<65536x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @with_room(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 32768 : i32, start = 0 : i32} : tensor<32768xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<32768x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<32768x!tt.ptr<f32>, #blocked>, tensor<32768xi32, #blocked>
    %3 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<32768x!tt.ptr<f32>, #blocked>
    %4 = tt.addptr %3, %0 : tensor<32768x!tt.ptr<f32>, #blocked>, tensor<32768xi32, #blocked>
    %5 = tt.load %2 : tensor<32768x!tt.ptr<f32>, #blocked>
    %6 = "tt.reduce"(%5) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %9 = arith.maxnumf %arg2, %arg3 : f32
      tt.reduce.return %9 : f32
    }) : (tensor<32768xf32, #blocked>) -> f32
    %7 = tt.splat %6 : f32 -> tensor<32768xf32, #blocked>
    %8 = arith.subf %5, %7 : tensor<32768xf32, #blocked>
    tt.store %4, %8 : tensor<32768x!tt.ptr<f32>, #blocked>
    tt.return
  }
}

