// passes: widen-whole-blocks,join-accesses
// counts: tt.load 2
// A number that is added to itself again and again has few terms, and as many ways to them as there are numbers of 40 bits: nobody walks them all.
#line = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @doubled(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) -> (tensor<512xf32, #line>, tensor<512xf32, #line>) {
    %program = tt.get_program_id x : i32
    %start = tt.splat %program : i32 -> tensor<512xi32, #line>
    %range = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32, #line>
    %a0 = arith.addi %start, %range : tensor<512xi32, #line>
    %a1 = arith.addi %a0, %a0 : tensor<512xi32, #line>
    %a2 = arith.addi %a1, %a1 : tensor<512xi32, #line>
    %a3 = arith.addi %a2, %a2 : tensor<512xi32, #line>
    %a4 = arith.addi %a3, %a3 : tensor<512xi32, #line>
    %a5 = arith.addi %a4, %a4 : tensor<512xi32, #line>
    %a6 = arith.addi %a5, %a5 : tensor<512xi32, #line>
    %a7 = arith.addi %a6, %a6 : tensor<512xi32, #line>
    %a8 = arith.addi %a7, %a7 : tensor<512xi32, #line>
    %a9 = arith.addi %a8, %a8 : tensor<512xi32, #line>
    %a10 = arith.addi %a9, %a9 : tensor<512xi32, #line>
    %a11 = arith.addi %a10, %a10 : tensor<512xi32, #line>
    %a12 = arith.addi %a11, %a11 : tensor<512xi32, #line>
    %a13 = arith.addi %a12, %a12 : tensor<512xi32, #line>
    %a14 = arith.addi %a13, %a13 : tensor<512xi32, #line>
    %a15 = arith.addi %a14, %a14 : tensor<512xi32, #line>
    %a16 = arith.addi %a15, %a15 : tensor<512xi32, #line>
    %a17 = arith.addi %a16, %a16 : tensor<512xi32, #line>
    %a18 = arith.addi %a17, %a17 : tensor<512xi32, #line>
    %a19 = arith.addi %a18, %a18 : tensor<512xi32, #line>
    %a20 = arith.addi %a19, %a19 : tensor<512xi32, #line>
    %a21 = arith.addi %a20, %a20 : tensor<512xi32, #line>
    %a22 = arith.addi %a21, %a21 : tensor<512xi32, #line>
    %a23 = arith.addi %a22, %a22 : tensor<512xi32, #line>
    %a24 = arith.addi %a23, %a23 : tensor<512xi32, #line>
    %a25 = arith.addi %a24, %a24 : tensor<512xi32, #line>
    %a26 = arith.addi %a25, %a25 : tensor<512xi32, #line>
    %a27 = arith.addi %a26, %a26 : tensor<512xi32, #line>
    %a28 = arith.addi %a27, %a27 : tensor<512xi32, #line>
    %a29 = arith.addi %a28, %a28 : tensor<512xi32, #line>
    %a30 = arith.addi %a29, %a29 : tensor<512xi32, #line>
    %a31 = arith.addi %a30, %a30 : tensor<512xi32, #line>
    %a32 = arith.addi %a31, %a31 : tensor<512xi32, #line>
    %a33 = arith.addi %a32, %a32 : tensor<512xi32, #line>
    %a34 = arith.addi %a33, %a33 : tensor<512xi32, #line>
    %a35 = arith.addi %a34, %a34 : tensor<512xi32, #line>
    %a36 = arith.addi %a35, %a35 : tensor<512xi32, #line>
    %a37 = arith.addi %a36, %a36 : tensor<512xi32, #line>
    %a38 = arith.addi %a37, %a37 : tensor<512xi32, #line>
    %a39 = arith.addi %a38, %a38 : tensor<512xi32, #line>
    %a40 = arith.addi %a39, %a39 : tensor<512xi32, #line>
    %ns = tt.splat %n : i32 -> tensor<512xi32, #line>
    %inside = arith.cmpi slt, %a40, %ns : tensor<512xi32, #line>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #line>
    %p = tt.addptr %xs, %a40 : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
    %one = arith.constant dense<1> : tensor<512xi32, #line>
    %q = tt.addptr %p, %one : tensor<512x!tt.ptr<f32>, #line>, tensor<512xi32, #line>
    %u = tt.load %p, %inside : tensor<512x!tt.ptr<f32>, #line>
    %v = tt.load %q, %inside : tensor<512x!tt.ptr<f32>, #line>
    tt.return %u, %v : tensor<512xf32, #line>, tensor<512xf32, #line>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @doubled(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) -> (tensor<512xf32, #blocked>, tensor<512xf32, #blocked>) {
    %0 = tt.get_program_id x : i32
    %1 = tt.splat %0 : i32 -> tensor<512xi32, #blocked>
    %2 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %3 = arith.addi %1, %2 : tensor<512xi32, #blocked>
    %4 = arith.addi %3, %3 : tensor<512xi32, #blocked>
    %5 = arith.addi %4, %4 : tensor<512xi32, #blocked>
    %6 = arith.addi %5, %5 : tensor<512xi32, #blocked>
    %7 = arith.addi %6, %6 : tensor<512xi32, #blocked>
    %8 = arith.addi %7, %7 : tensor<512xi32, #blocked>
    %9 = arith.addi %8, %8 : tensor<512xi32, #blocked>
    %10 = arith.addi %9, %9 : tensor<512xi32, #blocked>
    %11 = arith.addi %10, %10 : tensor<512xi32, #blocked>
    %12 = arith.addi %11, %11 : tensor<512xi32, #blocked>
    %13 = arith.addi %12, %12 : tensor<512xi32, #blocked>
    %14 = arith.addi %13, %13 : tensor<512xi32, #blocked>
    %15 = arith.addi %14, %14 : tensor<512xi32, #blocked>
    %16 = arith.addi %15, %15 : tensor<512xi32, #blocked>
    %17 = arith.addi %16, %16 : tensor<512xi32, #blocked>
    %18 = arith.addi %17, %17 : tensor<512xi32, #blocked>
    %19 = arith.addi %18, %18 : tensor<512xi32, #blocked>
    %20 = arith.addi %19, %19 : tensor<512xi32, #blocked>
    %21 = arith.addi %20, %20 : tensor<512xi32, #blocked>
    %22 = arith.addi %21, %21 : tensor<512xi32, #blocked>
    %23 = arith.addi %22, %22 : tensor<512xi32, #blocked>
    %24 = arith.addi %23, %23 : tensor<512xi32, #blocked>
    %25 = arith.addi %24, %24 : tensor<512xi32, #blocked>
    %26 = arith.addi %25, %25 : tensor<512xi32, #blocked>
    %27 = arith.addi %26, %26 : tensor<512xi32, #blocked>
    %28 = arith.addi %27, %27 : tensor<512xi32, #blocked>
    %29 = arith.addi %28, %28 : tensor<512xi32, #blocked>
    %30 = arith.addi %29, %29 : tensor<512xi32, #blocked>
    %31 = arith.addi %30, %30 : tensor<512xi32, #blocked>
    %32 = arith.addi %31, %31 : tensor<512xi32, #blocked>
    %33 = arith.addi %32, %32 : tensor<512xi32, #blocked>
    %34 = arith.addi %33, %33 : tensor<512xi32, #blocked>
    %35 = arith.addi %34, %34 : tensor<512xi32, #blocked>
    %36 = arith.addi %35, %35 : tensor<512xi32, #blocked>
    %37 = arith.addi %36, %36 : tensor<512xi32, #blocked>
    %38 = arith.addi %37, %37 : tensor<512xi32, #blocked>
    %39 = arith.addi %38, %38 : tensor<512xi32, #blocked>
    %40 = arith.addi %39, %39 : tensor<512xi32, #blocked>
    %41 = arith.addi %40, %40 : tensor<512xi32, #blocked>
    %42 = arith.addi %41, %41 : tensor<512xi32, #blocked>
    %43 = arith.addi %42, %42 : tensor<512xi32, #blocked>
    %44 = tt.splat %arg1 : i32 -> tensor<512xi32, #blocked>
    %45 = arith.cmpi slt, %43, %44 : tensor<512xi32, #blocked>
    %46 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %47 = tt.addptr %46, %43 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %cst = arith.constant dense<1> : tensor<512xi32, #blocked>
    %48 = tt.addptr %47, %cst : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %49 = tt.load %47, %45 : tensor<512x!tt.ptr<f32>, #blocked>
    %50 = tt.load %48, %45 : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return %49, %50 : tensor<512xf32, #blocked>, tensor<512xf32, #blocked>
  }
}

