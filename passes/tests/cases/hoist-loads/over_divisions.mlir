// passes: hoist-loads
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // A division by the lesser of something and a power of two has a branch; the load goes before it, and before the division in front of it.
  tt.func public @least(%p: tensor<64x!tt.ptr<f32>, #blocked>, %offsets: tensor<64xi32, #blocked>, %n: i32, %rows: i32, %columns: i32, %out: tensor<64x!tt.ptr<f32>, #blocked>) {
    %c4 = arith.constant 4 : i32
    %group = arith.divsi %n, %columns : i32
    %rest = arith.subi %rows, %group : i32
    %least = arith.minsi %rest, %c4 : i32
    %row = arith.remsi %n, %least : i32
    %column = arith.divsi %n, %least : i32
    %ps = tt.addptr %p, %offsets : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %x = tt.load %ps : tensor<64x!tt.ptr<f32>, #blocked>
    %at = arith.addi %row, %column : i32
    %ats = tt.splat %at : i32 -> tensor<64xi32, #blocked>
    %to = tt.addptr %out, %ats : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %to, %x : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  // So does one of the number of the program.
  tt.func public @program(%p: !tt.ptr<f32>, %columns: i32, %out: !tt.ptr<f32>) {
    %pid = tt.get_program_id x : i32
    %row = arith.divsi %pid, %columns : i32
    %x = tt.load %p : !tt.ptr<f32>
    %to = tt.addptr %out, %row : !tt.ptr<f32>, i32
    tt.store %to, %x : !tt.ptr<f32>
    tt.return
  }
  // A load that needs the quotient, one that waits for another load, a large one, and one behind a write stay.
  tt.func public @stays(%p: !tt.ptr<f32>, %n: i32, %rest: i32, %q: !tt.ptr<i32>, %out: !tt.ptr<f32>, %ps: tensor<256x!tt.ptr<f32>, #wide>, %outs: tensor<256x!tt.ptr<f32>, #wide>) {
    %c4 = arith.constant 4 : i32
    %least = arith.minsi %rest, %c4 : i32
    %index = tt.load %q : !tt.ptr<i32>
    %column = arith.divsi %n, %least : i32
    %of_quotient = tt.addptr %p, %column : !tt.ptr<f32>, i32
    %a = tt.load %of_quotient : !tt.ptr<f32>
    %of_index = tt.addptr %p, %index : !tt.ptr<f32>, i32
    %b = tt.load %of_index : !tt.ptr<f32>
    %large = tt.load %ps : tensor<256x!tt.ptr<f32>, #wide>
    tt.store %outs, %large : tensor<256x!tt.ptr<f32>, #wide>
    %again = arith.remsi %n, %least : i32
    %d = tt.load %p : !tt.ptr<f32>
    %ab = arith.addf %a, %b : f32
    %abd = arith.addf %ab, %d : f32
    %to = tt.addptr %out, %again : !tt.ptr<f32>, i32
    tt.store %to, %abd : !tt.ptr<f32>
    tt.return
  }
  // A division without a branch is no reason, and in branches none has one.
  tt.func public @plain(%p: !tt.ptr<f32>, %n: i32, %columns: i32, %c: i1, %out: !tt.ptr<f32>) {
    %c4 = arith.constant 4 : i32
    %least = arith.minsi %columns, %c4 : i32
    %row = arith.divsi %n, %columns : i32
    %x = tt.load %p : !tt.ptr<f32>
    %to = tt.addptr %out, %row : !tt.ptr<f32>, i32
    scf.if %c {
      %inner = arith.divsi %n, %least : i32
      %y = tt.load %p : !tt.ptr<f32>
      %sum = arith.addf %x, %y : f32
      %further = tt.addptr %to, %inner : !tt.ptr<f32>, i32
      tt.store %further, %sum : !tt.ptr<f32>
    }
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @least(%arg0: tensor<64x!tt.ptr<f32>, #blocked>, %arg1: tensor<64xi32, #blocked>, %arg2: i32, %arg3: i32, %arg4: i32, %arg5: tensor<64x!tt.ptr<f32>, #blocked>) {
    %c4_i32 = arith.constant 4 : i32
    %0 = tt.addptr %arg0, %arg1 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    %1 = tt.load %0 : tensor<64x!tt.ptr<f32>, #blocked>
    %2 = arith.divsi %arg2, %arg4 : i32
    %3 = arith.subi %arg3, %2 : i32
    %4 = arith.minsi %3, %c4_i32 : i32
    %5 = arith.remsi %arg2, %4 : i32
    %6 = arith.divsi %arg2, %4 : i32
    %7 = arith.addi %5, %6 : i32
    %8 = tt.splat %7 : i32 -> tensor<64xi32, #blocked>
    %9 = tt.addptr %arg5, %8 : tensor<64x!tt.ptr<f32>, #blocked>, tensor<64xi32, #blocked>
    tt.store %9, %1 : tensor<64x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @program(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: !tt.ptr<f32>) {
    %0 = tt.get_program_id x : i32
    %1 = tt.load %arg0 : !tt.ptr<f32>
    %2 = arith.divsi %0, %arg1 : i32
    %3 = tt.addptr %arg2, %2 : !tt.ptr<f32>, i32
    tt.store %3, %1 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @stays(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32, %arg3: !tt.ptr<i32>, %arg4: !tt.ptr<f32>, %arg5: tensor<256x!tt.ptr<f32>, #blocked1>, %arg6: tensor<256x!tt.ptr<f32>, #blocked1>) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.minsi %arg2, %c4_i32 : i32
    %1 = tt.load %arg3 : !tt.ptr<i32>
    %2 = arith.divsi %arg1, %0 : i32
    %3 = tt.addptr %arg0, %2 : !tt.ptr<f32>, i32
    %4 = tt.load %3 : !tt.ptr<f32>
    %5 = tt.addptr %arg0, %1 : !tt.ptr<f32>, i32
    %6 = tt.load %5 : !tt.ptr<f32>
    %7 = tt.load %arg5 : tensor<256x!tt.ptr<f32>, #blocked1>
    tt.store %arg6, %7 : tensor<256x!tt.ptr<f32>, #blocked1>
    %8 = tt.load %arg0 : !tt.ptr<f32>
    %9 = arith.remsi %arg1, %0 : i32
    %10 = arith.addf %4, %6 : f32
    %11 = arith.addf %10, %8 : f32
    %12 = tt.addptr %arg4, %9 : !tt.ptr<f32>, i32
    tt.store %12, %11 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @plain(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: i32, %arg3: i1, %arg4: !tt.ptr<f32>) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.minsi %arg2, %c4_i32 : i32
    %1 = arith.divsi %arg1, %arg2 : i32
    %2 = tt.load %arg0 : !tt.ptr<f32>
    %3 = tt.addptr %arg4, %1 : !tt.ptr<f32>, i32
    scf.if %arg3 {
      %4 = arith.divsi %arg1, %0 : i32
      %5 = tt.load %arg0 : !tt.ptr<f32>
      %6 = arith.addf %2, %5 : f32
      %7 = tt.addptr %3, %4 : !tt.ptr<f32>, i32
      tt.store %7, %6 : !tt.ptr<f32>
    }
    tt.return
  }
}

