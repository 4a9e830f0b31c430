// passes: sink-computations
#rows = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A thread has a number of each of 128 rows in 256 registers: it is converted behind the loop, which has 128 floats in registers.
  tt.func public @gathered(%ids: tensor<128x!tt.ptr<i64>, #rows>, %base: !tt.ptr<bf16>, %n: i32, %x: tensor<128x128xf32, #columns>) -> (tensor<128x128xf32, #columns>, tensor<128x128xbf16, #columns>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %id = tt.load %ids : tensor<128x!tt.ptr<i64>, #rows>
    %row = ttg.convert_layout %id : tensor<128xi64, #rows> -> tensor<128xi64, #ttg.slice<{dim = 1, parent = #columns}>>
    %r = tt.expand_dims %row {axis = 1 : i32} : tensor<128xi64, #ttg.slice<{dim = 1, parent = #columns}>> -> tensor<128x1xi64, #columns>
    %s = tt.splat %base : !tt.ptr<bf16> -> tensor<128x1x!tt.ptr<bf16>, #columns>
    %a = tt.addptr %s, %r : tensor<128x1x!tt.ptr<bf16>, #columns>, tensor<128x1xi64, #columns>
    %p = tt.broadcast %a : tensor<128x1x!tt.ptr<bf16>, #columns> -> tensor<128x128x!tt.ptr<bf16>, #columns>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (tensor<128x128xf32, #columns>) : i32 {
      %next = arith.addf %acc, %acc : tensor<128x128xf32, #columns>
      scf.yield %next : tensor<128x128xf32, #columns>
    }
    %v = tt.load %p : tensor<128x128x!tt.ptr<bf16>, #columns>
    tt.return %sum, %v : tensor<128x128xf32, #columns>, tensor<128x128xbf16, #columns>
  }
  // The loop needs few registers: nothing moves.
  tt.func public @room(%ids: tensor<16x!tt.ptr<i64>, #rows>, %n: i32, %x: tensor<16x128xf32, #columns>) -> (tensor<16x128xf32, #columns>, tensor<16xi64, #ttg.slice<{dim = 1, parent = #columns}>>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %id = tt.load %ids : tensor<16x!tt.ptr<i64>, #rows>
    %row = ttg.convert_layout %id : tensor<16xi64, #rows> -> tensor<16xi64, #ttg.slice<{dim = 1, parent = #columns}>>
    %twice = arith.addi %row, %row : tensor<16xi64, #ttg.slice<{dim = 1, parent = #columns}>>
    %sum = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (tensor<16x128xf32, #columns>) : i32 {
      %next = arith.addf %acc, %acc : tensor<16x128xf32, #columns>
      scf.yield %next : tensor<16x128xf32, #columns>
    }
    tt.return %sum, %twice : tensor<16x128xf32, #columns>, tensor<16xi64, #ttg.slice<{dim = 1, parent = #columns}>>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 4], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @gathered(%arg0: tensor<128x!tt.ptr<i64>, #blocked>, %arg1: !tt.ptr<bf16>, %arg2: i32, %arg3: tensor<128x128xf32, #blocked1>) -> (tensor<128x128xf32, #blocked1>, tensor<128x128xbf16, #blocked1>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : tensor<128x!tt.ptr<i64>, #blocked>
    %1 = scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg5 = %arg3) -> (tensor<128x128xf32, #blocked1>)  : i32 {
      %8 = arith.addf %arg5, %arg5 : tensor<128x128xf32, #blocked1>
      scf.yield %8 : tensor<128x128xf32, #blocked1>
    }
    %2 = tt.splat %arg1 : !tt.ptr<bf16> -> tensor<128x1x!tt.ptr<bf16>, #blocked1>
    %3 = ttg.convert_layout %0 : tensor<128xi64, #blocked> -> tensor<128xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %4 = tt.expand_dims %3 {axis = 1 : i32} : tensor<128xi64, #ttg.slice<{dim = 1, parent = #blocked1}>> -> tensor<128x1xi64, #blocked1>
    %5 = tt.addptr %2, %4 : tensor<128x1x!tt.ptr<bf16>, #blocked1>, tensor<128x1xi64, #blocked1>
    %6 = tt.broadcast %5 : tensor<128x1x!tt.ptr<bf16>, #blocked1> -> tensor<128x128x!tt.ptr<bf16>, #blocked1>
    %7 = tt.load %6 : tensor<128x128x!tt.ptr<bf16>, #blocked1>
    tt.return %1, %7 : tensor<128x128xf32, #blocked1>, tensor<128x128xbf16, #blocked1>
  }
  tt.func public @room(%arg0: tensor<16x!tt.ptr<i64>, #blocked>, %arg1: i32, %arg2: tensor<16x128xf32, #blocked1>) -> (tensor<16x128xf32, #blocked1>, tensor<16xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.load %arg0 : tensor<16x!tt.ptr<i64>, #blocked>
    %1 = ttg.convert_layout %0 : tensor<16xi64, #blocked> -> tensor<16xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %2 = arith.addi %1, %1 : tensor<16xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %3 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %arg2) -> (tensor<16x128xf32, #blocked1>)  : i32 {
      %4 = arith.addf %arg4, %arg4 : tensor<16x128xf32, #blocked1>
      scf.yield %4 : tensor<16x128xf32, #blocked1>
    }
    tt.return %3, %2 : tensor<16x128xf32, #blocked1>, tensor<16xi64, #ttg.slice<{dim = 1, parent = #blocked1}>>
  }
}

