// passes: convert-to-ttg,coalesce,remove-layout-conversions,vectorize-memory
// Four elements are aligned and contiguous; the mask allows four, two, or one together.
module {
  tt.func public @masks(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 2 : i32}, %k: i32, %s: !tt.ptr<f32>) {
    %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %pointers = tt.addptr %base, %range : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %n_all = tt.splat %n : i32 -> tensor<512xi32>
    %m_all = tt.splat %m : i32 -> tensor<512xi32>
    %k_all = tt.splat %k : i32 -> tensor<512xi32>
    %four = arith.cmpi slt, %range, %n_all : tensor<512xi32>
    %two = arith.cmpi slt, %range, %m_all : tensor<512xi32>
    %one = arith.cmpi slt, %range, %k_all : tensor<512xi32>
    %a = tt.load %pointers, %four : tensor<512x!tt.ptr<f32>>
    %b = tt.load %pointers, %two : tensor<512x!tt.ptr<f32>>
    %c = tt.load %pointers, %one : tensor<512x!tt.ptr<f32>>
    %ab = arith.addf %a, %b : tensor<512xf32>
    %abc = arith.addf %ab, %c : tensor<512xf32>
    %scalar = tt.load %s : !tt.ptr<f32>
    %all = tt.splat %scalar : f32 -> tensor<512xf32>
    %sum = arith.addf %abc, %all : tensor<512xf32>
    %out = tt.splat %q : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %out_pointers = tt.addptr %out, %range : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    tt.store %out_pointers, %sum, %four : tensor<512x!tt.ptr<f32>>
    %true = arith.constant dense<true> : tensor<512xi1>
    %old = tt.atomic_rmw fadd, acq_rel, gpu, %out_pointers, %sum, %true : (tensor<512x!tt.ptr<f32>>, tensor<512xf32>, tensor<512xi1>) -> tensor<512xf32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @masks(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32 {tt.divisibility = 16 : i32}, %arg3: i32 {tt.divisibility = 2 : i32}, %arg4: i32, %arg5: !tt.ptr<f32>) {
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %3 = tt.splat %arg2 : i32 -> tensor<512xi32, #blocked>
    %4 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked>
    %5 = tt.splat %arg4 : i32 -> tensor<512xi32, #blocked>
    %6 = arith.cmpi slt, %0, %3 {tk.constancy = array<i32: 16>} : tensor<512xi32, #blocked>
    %7 = arith.cmpi slt, %0, %4 {tk.constancy = array<i32: 2>} : tensor<512xi32, #blocked>
    %8 = arith.cmpi slt, %0, %5 : tensor<512xi32, #blocked>
    %9 = tt.load %2, %6 {tk.vector = 4 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
    %10 = tt.load %2, %7 {tk.vector = 2 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
    %11 = tt.load %2, %8 {tk.vector = 1 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
    %12 = arith.addf %9, %10 : tensor<512xf32, #blocked>
    %13 = arith.addf %12, %11 : tensor<512xf32, #blocked>
    %14 = tt.load %arg5 : !tt.ptr<f32>
    %15 = tt.splat %14 : f32 -> tensor<512xf32, #blocked>
    %16 = arith.addf %13, %15 : tensor<512xf32, #blocked>
    %17 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %18 = tt.addptr %17, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    tt.store %18, %16, %6 {tk.vector = 4 : i32} : tensor<512x!tt.ptr<f32>, #blocked>
    %cst = arith.constant dense<true> : tensor<512xi1, #blocked>
    %19 = tt.atomic_rmw fadd, acq_rel, gpu, %18, %16, %cst {tk.vector = 4 : i32} : (tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xf32, #blocked>, tensor<512xi1, #blocked>) -> tensor<512xf32, #blocked>
    tt.return
  }
}

