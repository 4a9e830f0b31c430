// passes: tt,ttg,llvm
// conversions: 1 in the reference
module {
  tt.func public @hist(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<1> : tensor<1024xi32>
    %cst_0 = arith.constant dense<0> : tensor<1024xi32>
    %c1024_i32 = arith.constant 1024 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c1024_i32 : i32
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32>
    %3 = tt.splat %1 : i32 -> tensor<1024xi32>
    %4 = arith.addi %3, %2 : tensor<1024xi32>
    %5 = tt.splat %arg2 : i32 -> tensor<1024xi32>
    %6 = arith.cmpi slt, %4, %5 : tensor<1024xi32>
    %7 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
    %8 = tt.addptr %7, %4 : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
    %9 = tt.load %8, %6, %cst_0 : tensor<1024x!tt.ptr<i32>>
    %10 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
    %11 = tt.addptr %10, %9 : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
    %12 = tt.atomic_rmw add, acq_rel, gpu, %11, %cst, %6 : (tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>, tensor<1024xi1>) -> tensor<1024xi32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 4096 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @hist(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant dense<0> : tensor<1024xi32, #blocked>
    %cst_0 = arith.constant dense<1> : tensor<1024xi32, #blocked1>
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c1024_i32 : i32
    %2 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked1>
    %3 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %4 = tt.splat %1 : i32 -> tensor<1024xi32, #blocked1>
    %5 = tt.splat %1 : i32 -> tensor<1024xi32, #blocked>
    %6 = arith.addi %4, %2 : tensor<1024xi32, #blocked1>
    %7 = arith.addi %5, %3 : tensor<1024xi32, #blocked>
    %8 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked1>
    %9 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
    %10 = arith.cmpi slt, %6, %8 {tk.constancy = array<i32: 16>} : tensor<1024xi32, #blocked1>
    %11 = arith.cmpi slt, %7, %9 {tk.constancy = array<i32: 16>} : tensor<1024xi32, #blocked>
    %12 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #blocked>
    %13 = tt.addptr %12, %7 : tensor<1024x!tt.ptr<i32>, #blocked>, tensor<1024xi32, #blocked>
    %14 = tt.load %13, %11, %cst {tk.vector = 4 : i32} : tensor<1024x!tt.ptr<i32>, #blocked>
    %15 = ttg.convert_layout %14 {allocation.offset = 0 : i32, tk.allocation_size = 4096 : i32, tk.behind_loads} : tensor<1024xi32, #blocked> -> tensor<1024xi32, #blocked1>
    %16 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #blocked1>
    %17 = tt.addptr %16, %15 : tensor<1024x!tt.ptr<i32>, #blocked1>, tensor<1024xi32, #blocked1>
    %18 = tt.atomic_rmw add, acq_rel, gpu, %17, %cst_0, %10 {tk.meets_later, tk.met_before, tk.unobserved, tk.vector = 1 : i32} : (tensor<1024x!tt.ptr<i32>, #blocked1>, tensor<1024xi32, #blocked1>, tensor<1024xi1, #blocked1>) -> tensor<1024xi32, #blocked1>
    tt.return
  }
}

