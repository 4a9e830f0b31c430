// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,cse,licm,canonicalize,assign-latencies,schedule-loops,pipeline
// grid: few
// counts: ttg.async_copy_global_to_local 8, ttg.local_load 2, tt.load 3
module {
  // Behind the end of a row is negative infinity: copies write zeros there, and a selection stands behind the read.
  tt.func public @rows(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %stride: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %low = arith.constant dense<0xFF800000> : tensor<4096xf32>
    %i = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    %ns = tt.splat %n : i32 -> tensor<4096xi32>
    %mask = arith.cmpi slt, %i, %ns : tensor<4096xi32>
    scf.for %row = %c0 to %rows step %c1 : i32 {
      %first = arith.muli %row, %stride : i32
      %p = tt.addptr %x, %first : !tt.ptr<f32>, i32
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %at = tt.addptr %ps, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %v = tt.load %at, %mask, %low : tensor<4096x!tt.ptr<f32>>
      %e = math.exp %v : tensor<4096xf32>
      %q = tt.addptr %out, %first : !tt.ptr<f32>, i32
      %qs = tt.splat %q : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %to = tt.addptr %qs, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      tt.store %to, %e : tensor<4096x!tt.ptr<f32>>
    } {tt.num_stages = 4 : i32}
    tt.return
  }
  // The number is an argument.
  tt.func public @argument(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %rows: i32, %stride: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %other: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %others = tt.splat %other : i32 -> tensor<4096xi32>
    %i = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    %ns = tt.splat %n : i32 -> tensor<4096xi32>
    %mask = arith.cmpi slt, %i, %ns : tensor<4096xi32>
    scf.for %row = %c0 to %rows step %c1 : i32 {
      %first = arith.muli %row, %stride : i32
      %p = tt.addptr %x, %first : !tt.ptr<i32>, i32
      %ps = tt.splat %p : !tt.ptr<i32> -> tensor<4096x!tt.ptr<i32>>
      %at = tt.addptr %ps, %i : tensor<4096x!tt.ptr<i32>>, tensor<4096xi32>
      %v = tt.load %at, %mask, %others : tensor<4096x!tt.ptr<i32>>
      %e = arith.addi %v, %i : tensor<4096xi32>
      %q = tt.addptr %out, %first : !tt.ptr<i32>, i32
      %qs = tt.splat %q : !tt.ptr<i32> -> tensor<4096x!tt.ptr<i32>>
      %to = tt.addptr %qs, %i : tensor<4096x!tt.ptr<i32>>, tensor<4096xi32>
      tt.store %to, %e : tensor<4096x!tt.ptr<i32>>
    } {tt.num_stages = 4 : i32}
    tt.return
  }
  // Each row ends elsewhere: the load stays.
  tt.func public @triangle(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %stride: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c16 = arith.constant 16 : i32
    %low = arith.constant dense<0xFF800000> : tensor<4096xf32>
    %i = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    scf.for %row = %c0 to %rows step %c1 : i32 {
      %n = arith.muli %row, %c16 : i32
      %ns = tt.splat %n : i32 -> tensor<4096xi32>
      %mask = arith.cmpi slt, %i, %ns : tensor<4096xi32>
      %first = arith.muli %row, %stride : i32
      %p = tt.addptr %x, %first : !tt.ptr<f32>, i32
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %at = tt.addptr %ps, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %v = tt.load %at, %mask, %low : tensor<4096x!tt.ptr<f32>>
      %e = math.exp %v : tensor<4096xf32>
      %q = tt.addptr %out, %first : !tt.ptr<f32>, i32
      %qs = tt.splat %q : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %to = tt.addptr %qs, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      tt.store %to, %e : tensor<4096x!tt.ptr<f32>>
    } {tt.num_stages = 4 : i32}
    tt.return
  }
  // A number of each element in its place: it would stay in registers beside the mask.
  tt.func public @numbers(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %rows: i32, %stride: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %i = tt.make_range {start = 0 : i32, end = 4096 : i32} : tensor<4096xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
    %heads = tt.addptr %xs, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
    %others = tt.load %heads : tensor<4096x!tt.ptr<f32>>
    %ns = tt.splat %n : i32 -> tensor<4096xi32>
    %mask = arith.cmpi slt, %i, %ns : tensor<4096xi32>
    scf.for %row = %c0 to %rows step %c1 : i32 {
      %first = arith.muli %row, %stride : i32
      %p = tt.addptr %x, %first : !tt.ptr<f32>, i32
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %at = tt.addptr %ps, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      %v = tt.load %at, %mask, %others : tensor<4096x!tt.ptr<f32>>
      %e = math.exp %v : tensor<4096xf32>
      %q = tt.addptr %out, %first : !tt.ptr<f32>, i32
      %qs = tt.splat %q : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>>
      %to = tt.addptr %qs, %i : tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>
      tt.store %to, %e : tensor<4096x!tt.ptr<f32>>
    } {tt.num_stages = 4 : i32}
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant dense<0xFF800000> : tensor<4096xf32, #blocked>
    %0 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %1 = tt.splat %arg4 : i32 -> tensor<4096xi32, #blocked>
    %2 = arith.cmpi slt, %0, %1 : tensor<4096xi32, #blocked>
    %c-1_i32 = arith.constant -1 : i32
    %c-1_i32_0 = arith.constant -1 : i32
    %3 = ttg.local_alloc : () -> !ttg.memdesc<3x4096xf32, #shared, #smem, mutable>
    %c1_i32_1 = arith.constant 1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %4 = arith.addi %c-1_i32, %c1_i32_1 : i32
    %5 = arith.cmpi sge, %4, %c3_i32 : i32
    %6 = arith.select %5, %c0_i32_2, %4 : i32
    %7 = arith.muli %c0_i32, %arg3 : i32
    %8 = tt.addptr %arg0, %7 : !tt.ptr<f32>, i32
    %9 = tt.splat %8 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
    %10 = tt.addptr %9, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
    %11 = ttg.memdesc_index %3[%6] : !ttg.memdesc<3x4096xf32, #shared, #smem, mutable> -> !ttg.memdesc<4096xf32, #shared, #smem, mutable>
    %12 = arith.cmpi slt, %c0_i32, %arg2 : i32
    %13 = tt.splat %12 : i1 -> tensor<4096xi1, #blocked>
    %14 = arith.andi %13, %2 : tensor<4096xi1, #blocked>
    %15 = ttg.async_copy_global_to_local %10, %11 mask %14 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<f32>, #blocked> -> <4096xf32, #shared, #smem, mutable>
    %16 = ttg.async_commit_group tokens %15
    %c1_i32_3 = arith.constant 1 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c3_i32_5 = arith.constant 3 : i32
    %17 = arith.addi %6, %c1_i32_3 : i32
    %18 = arith.cmpi sge, %17, %c3_i32_5 : i32
    %19 = arith.select %18, %c0_i32_4, %17 : i32
    %c1_i32_6 = arith.constant 1 : i32
    %20 = arith.addi %c0_i32, %c1_i32_6 : i32
    %21 = arith.muli %20, %arg3 : i32
    %22 = tt.addptr %arg0, %21 : !tt.ptr<f32>, i32
    %23 = tt.splat %22 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
    %24 = tt.addptr %23, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
    %25 = ttg.memdesc_index %3[%19] : !ttg.memdesc<3x4096xf32, #shared, #smem, mutable> -> !ttg.memdesc<4096xf32, #shared, #smem, mutable>
    %c1_i32_7 = arith.constant 1 : i32
    %26 = arith.addi %c0_i32, %c1_i32_7 : i32
    %27 = arith.cmpi slt, %26, %arg2 : i32
    %28 = tt.splat %27 : i1 -> tensor<4096xi1, #blocked>
    %29 = arith.andi %28, %2 : tensor<4096xi1, #blocked>
    %30 = ttg.async_copy_global_to_local %24, %25 mask %29 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<f32>, #blocked> -> <4096xf32, #shared, #smem, mutable>
    %31 = ttg.async_commit_group tokens %30
    %c1_i32_8 = arith.constant 1 : i32
    %c0_i32_9 = arith.constant 0 : i32
    %c3_i32_10 = arith.constant 3 : i32
    %32 = arith.addi %19, %c1_i32_8 : i32
    %33 = arith.cmpi sge, %32, %c3_i32_10 : i32
    %34 = arith.select %33, %c0_i32_9, %32 : i32
    %c2_i32 = arith.constant 2 : i32
    %35 = arith.addi %c0_i32, %c2_i32 : i32
    %36 = arith.muli %35, %arg3 : i32
    %37 = tt.addptr %arg0, %36 : !tt.ptr<f32>, i32
    %38 = tt.splat %37 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
    %39 = tt.addptr %38, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
    %40 = ttg.memdesc_index %3[%34] : !ttg.memdesc<3x4096xf32, #shared, #smem, mutable> -> !ttg.memdesc<4096xf32, #shared, #smem, mutable>
    %c2_i32_11 = arith.constant 2 : i32
    %41 = arith.addi %c0_i32, %c2_i32_11 : i32
    %42 = arith.cmpi slt, %41, %arg2 : i32
    %43 = tt.splat %42 : i1 -> tensor<4096xi1, #blocked>
    %44 = arith.andi %43, %2 : tensor<4096xi1, #blocked>
    %45 = ttg.async_copy_global_to_local %39, %40 mask %44 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<f32>, #blocked> -> <4096xf32, #shared, #smem, mutable>
    %46 = ttg.async_commit_group tokens %45
    %c1_i32_12 = arith.constant 1 : i32
    %47 = arith.subi %arg2, %c1_i32_12 : i32
    %c2_i32_13 = arith.constant 2 : i32
    %48 = arith.subi %arg2, %c2_i32_13 : i32
    %c3_i32_14 = arith.constant 3 : i32
    %49 = arith.subi %arg2, %c3_i32_14 : i32
    %50:8 = scf.for %arg5 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg6 = %c-1_i32_0, %arg7 = %46, %arg8 = %31, %arg9 = %16, %arg10 = %36, %arg11 = %21, %arg12 = %7, %arg13 = %34) -> (i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, i32, i32)  : i32 {
      %c1_i32_15 = arith.constant 1 : i32
      %c0_i32_16 = arith.constant 0 : i32
      %c3_i32_17 = arith.constant 3 : i32
      %52 = arith.addi %arg6, %c1_i32_15 : i32
      %53 = arith.cmpi sge, %52, %c3_i32_17 : i32
      %54 = arith.select %53, %c0_i32_16, %52 : i32
      %55 = ttg.async_wait %arg9 {num = 2 : i32}
      %56 = ttg.memdesc_index %3[%54] : !ttg.memdesc<3x4096xf32, #shared, #smem, mutable> -> !ttg.memdesc<4096xf32, #shared, #smem, mutable>
      %57 = ttg.local_load %56 : !ttg.memdesc<4096xf32, #shared, #smem, mutable> -> tensor<4096xf32, #blocked>
      %58 = arith.select %2, %57, %cst : tensor<4096xi1, #blocked>, tensor<4096xf32, #blocked>
      %59 = math.exp %58 : tensor<4096xf32, #blocked>
      %60 = tt.addptr %arg1, %arg12 : !tt.ptr<f32>, i32
      %61 = tt.splat %60 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %62 = tt.addptr %61, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      tt.store %62, %59 : tensor<4096x!tt.ptr<f32>, #blocked>
      %c1_i32_18 = arith.constant 1 : i32
      %c0_i32_19 = arith.constant 0 : i32
      %c3_i32_20 = arith.constant 3 : i32
      %63 = arith.addi %arg13, %c1_i32_18 : i32
      %64 = arith.cmpi sge, %63, %c3_i32_20 : i32
      %65 = arith.select %64, %c0_i32_19, %63 : i32
      %c3_i32_21 = arith.constant 3 : i32
      %66 = arith.addi %arg5, %c3_i32_21 : i32
      %67 = arith.muli %66, %arg3 : i32
      %68 = tt.addptr %arg0, %67 : !tt.ptr<f32>, i32
      %69 = tt.splat %68 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %70 = tt.addptr %69, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %71 = ttg.memdesc_index %3[%65] : !ttg.memdesc<3x4096xf32, #shared, #smem, mutable> -> !ttg.memdesc<4096xf32, #shared, #smem, mutable>
      %72 = arith.cmpi slt, %arg5, %49 : i32
      %73 = tt.splat %72 : i1 -> tensor<4096xi1, #blocked>
      %74 = arith.andi %73, %2 : tensor<4096xi1, #blocked>
      %75 = ttg.async_copy_global_to_local %70, %71 mask %74 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<f32>, #blocked> -> <4096xf32, #shared, #smem, mutable>
      %76 = ttg.async_commit_group tokens %75
      scf.yield %54, %76, %arg7, %arg8, %67, %arg10, %arg11, %65 : i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, i32, i32
    }
    %51 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %3 : !ttg.memdesc<3x4096xf32, #shared, #smem, mutable>
    tt.return
  }
  tt.func public @argument(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}, %arg5: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.splat %arg5 : i32 -> tensor<4096xi32, #blocked>
    %1 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %2 = tt.splat %arg4 : i32 -> tensor<4096xi32, #blocked>
    %3 = arith.cmpi slt, %1, %2 : tensor<4096xi32, #blocked>
    %c-1_i32 = arith.constant -1 : i32
    %c-1_i32_0 = arith.constant -1 : i32
    %4 = ttg.local_alloc : () -> !ttg.memdesc<3x4096xi32, #shared, #smem, mutable>
    %c1_i32_1 = arith.constant 1 : i32
    %c0_i32_2 = arith.constant 0 : i32
    %c3_i32 = arith.constant 3 : i32
    %5 = arith.addi %c-1_i32, %c1_i32_1 : i32
    %6 = arith.cmpi sge, %5, %c3_i32 : i32
    %7 = arith.select %6, %c0_i32_2, %5 : i32
    %8 = arith.muli %c0_i32, %arg3 : i32
    %9 = tt.addptr %arg0, %8 : !tt.ptr<i32>, i32
    %10 = tt.splat %9 : !tt.ptr<i32> -> tensor<4096x!tt.ptr<i32>, #blocked>
    %11 = tt.addptr %10, %1 : tensor<4096x!tt.ptr<i32>, #blocked>, tensor<4096xi32, #blocked>
    %12 = ttg.memdesc_index %4[%7] : !ttg.memdesc<3x4096xi32, #shared, #smem, mutable> -> !ttg.memdesc<4096xi32, #shared, #smem, mutable>
    %13 = arith.cmpi slt, %c0_i32, %arg2 : i32
    %14 = tt.splat %13 : i1 -> tensor<4096xi1, #blocked>
    %15 = arith.andi %14, %3 : tensor<4096xi1, #blocked>
    %16 = ttg.async_copy_global_to_local %11, %12 mask %15 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<i32>, #blocked> -> <4096xi32, #shared, #smem, mutable>
    %17 = ttg.async_commit_group tokens %16
    %c1_i32_3 = arith.constant 1 : i32
    %c0_i32_4 = arith.constant 0 : i32
    %c3_i32_5 = arith.constant 3 : i32
    %18 = arith.addi %7, %c1_i32_3 : i32
    %19 = arith.cmpi sge, %18, %c3_i32_5 : i32
    %20 = arith.select %19, %c0_i32_4, %18 : i32
    %c1_i32_6 = arith.constant 1 : i32
    %21 = arith.addi %c0_i32, %c1_i32_6 : i32
    %22 = arith.muli %21, %arg3 : i32
    %23 = tt.addptr %arg0, %22 : !tt.ptr<i32>, i32
    %24 = tt.splat %23 : !tt.ptr<i32> -> tensor<4096x!tt.ptr<i32>, #blocked>
    %25 = tt.addptr %24, %1 : tensor<4096x!tt.ptr<i32>, #blocked>, tensor<4096xi32, #blocked>
    %26 = ttg.memdesc_index %4[%20] : !ttg.memdesc<3x4096xi32, #shared, #smem, mutable> -> !ttg.memdesc<4096xi32, #shared, #smem, mutable>
    %c1_i32_7 = arith.constant 1 : i32
    %27 = arith.addi %c0_i32, %c1_i32_7 : i32
    %28 = arith.cmpi slt, %27, %arg2 : i32
    %29 = tt.splat %28 : i1 -> tensor<4096xi1, #blocked>
    %30 = arith.andi %29, %3 : tensor<4096xi1, #blocked>
    %31 = ttg.async_copy_global_to_local %25, %26 mask %30 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<i32>, #blocked> -> <4096xi32, #shared, #smem, mutable>
    %32 = ttg.async_commit_group tokens %31
    %c1_i32_8 = arith.constant 1 : i32
    %c0_i32_9 = arith.constant 0 : i32
    %c3_i32_10 = arith.constant 3 : i32
    %33 = arith.addi %20, %c1_i32_8 : i32
    %34 = arith.cmpi sge, %33, %c3_i32_10 : i32
    %35 = arith.select %34, %c0_i32_9, %33 : i32
    %c2_i32 = arith.constant 2 : i32
    %36 = arith.addi %c0_i32, %c2_i32 : i32
    %37 = arith.muli %36, %arg3 : i32
    %38 = tt.addptr %arg0, %37 : !tt.ptr<i32>, i32
    %39 = tt.splat %38 : !tt.ptr<i32> -> tensor<4096x!tt.ptr<i32>, #blocked>
    %40 = tt.addptr %39, %1 : tensor<4096x!tt.ptr<i32>, #blocked>, tensor<4096xi32, #blocked>
    %41 = ttg.memdesc_index %4[%35] : !ttg.memdesc<3x4096xi32, #shared, #smem, mutable> -> !ttg.memdesc<4096xi32, #shared, #smem, mutable>
    %c2_i32_11 = arith.constant 2 : i32
    %42 = arith.addi %c0_i32, %c2_i32_11 : i32
    %43 = arith.cmpi slt, %42, %arg2 : i32
    %44 = tt.splat %43 : i1 -> tensor<4096xi1, #blocked>
    %45 = arith.andi %44, %3 : tensor<4096xi1, #blocked>
    %46 = ttg.async_copy_global_to_local %40, %41 mask %45 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<i32>, #blocked> -> <4096xi32, #shared, #smem, mutable>
    %47 = ttg.async_commit_group tokens %46
    %c1_i32_12 = arith.constant 1 : i32
    %48 = arith.subi %arg2, %c1_i32_12 : i32
    %c2_i32_13 = arith.constant 2 : i32
    %49 = arith.subi %arg2, %c2_i32_13 : i32
    %c3_i32_14 = arith.constant 3 : i32
    %50 = arith.subi %arg2, %c3_i32_14 : i32
    %51:8 = scf.for %arg6 = %c0_i32 to %arg2 step %c1_i32 iter_args(%arg7 = %c-1_i32_0, %arg8 = %47, %arg9 = %32, %arg10 = %17, %arg11 = %37, %arg12 = %22, %arg13 = %8, %arg14 = %35) -> (i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, i32, i32)  : i32 {
      %c1_i32_15 = arith.constant 1 : i32
      %c0_i32_16 = arith.constant 0 : i32
      %c3_i32_17 = arith.constant 3 : i32
      %53 = arith.addi %arg7, %c1_i32_15 : i32
      %54 = arith.cmpi sge, %53, %c3_i32_17 : i32
      %55 = arith.select %54, %c0_i32_16, %53 : i32
      %56 = ttg.async_wait %arg10 {num = 2 : i32}
      %57 = ttg.memdesc_index %4[%55] : !ttg.memdesc<3x4096xi32, #shared, #smem, mutable> -> !ttg.memdesc<4096xi32, #shared, #smem, mutable>
      %58 = ttg.local_load %57 : !ttg.memdesc<4096xi32, #shared, #smem, mutable> -> tensor<4096xi32, #blocked>
      %59 = arith.select %3, %58, %0 : tensor<4096xi1, #blocked>, tensor<4096xi32, #blocked>
      %60 = arith.addi %59, %1 : tensor<4096xi32, #blocked>
      %61 = tt.addptr %arg1, %arg13 : !tt.ptr<i32>, i32
      %62 = tt.splat %61 : !tt.ptr<i32> -> tensor<4096x!tt.ptr<i32>, #blocked>
      %63 = tt.addptr %62, %1 : tensor<4096x!tt.ptr<i32>, #blocked>, tensor<4096xi32, #blocked>
      tt.store %63, %60 : tensor<4096x!tt.ptr<i32>, #blocked>
      %c1_i32_18 = arith.constant 1 : i32
      %c0_i32_19 = arith.constant 0 : i32
      %c3_i32_20 = arith.constant 3 : i32
      %64 = arith.addi %arg14, %c1_i32_18 : i32
      %65 = arith.cmpi sge, %64, %c3_i32_20 : i32
      %66 = arith.select %65, %c0_i32_19, %64 : i32
      %c3_i32_21 = arith.constant 3 : i32
      %67 = arith.addi %arg6, %c3_i32_21 : i32
      %68 = arith.muli %67, %arg3 : i32
      %69 = tt.addptr %arg0, %68 : !tt.ptr<i32>, i32
      %70 = tt.splat %69 : !tt.ptr<i32> -> tensor<4096x!tt.ptr<i32>, #blocked>
      %71 = tt.addptr %70, %1 : tensor<4096x!tt.ptr<i32>, #blocked>, tensor<4096xi32, #blocked>
      %72 = ttg.memdesc_index %4[%66] : !ttg.memdesc<3x4096xi32, #shared, #smem, mutable> -> !ttg.memdesc<4096xi32, #shared, #smem, mutable>
      %73 = arith.cmpi slt, %arg6, %50 : i32
      %74 = tt.splat %73 : i1 -> tensor<4096xi1, #blocked>
      %75 = arith.andi %74, %3 : tensor<4096xi1, #blocked>
      %76 = ttg.async_copy_global_to_local %71, %72 mask %75 {contiguity = 4 : i32} : tensor<4096x!tt.ptr<i32>, #blocked> -> <4096xi32, #shared, #smem, mutable>
      %77 = ttg.async_commit_group tokens %76
      scf.yield %55, %77, %arg8, %arg9, %68, %arg11, %arg12, %66 : i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, i32, i32, i32, i32
    }
    %52 = ttg.async_wait {num = 0 : i32}
    ttg.local_dealloc %4 : !ttg.memdesc<3x4096xi32, #shared, #smem, mutable>
    tt.return
  }
  tt.func public @triangle(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst = arith.constant dense<0xFF800000> : tensor<4096xf32, #blocked>
    %0 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    scf.for %arg4 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %1 = arith.muli %arg4, %c16_i32 : i32
      %2 = tt.splat %1 : i32 -> tensor<4096xi32, #blocked>
      %3 = arith.cmpi slt, %0, %2 : tensor<4096xi32, #blocked>
      %4 = arith.muli %arg4, %arg3 : i32
      %5 = tt.addptr %arg0, %4 : !tt.ptr<f32>, i32
      %6 = tt.splat %5 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %7 = tt.addptr %6, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %8 = tt.load %7, %3, %cst : tensor<4096x!tt.ptr<f32>, #blocked>
      %9 = math.exp %8 : tensor<4096xf32, #blocked>
      %10 = tt.addptr %arg1, %4 : !tt.ptr<f32>, i32
      %11 = tt.splat %10 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %12 = tt.addptr %11, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      tt.store %12, %9 : tensor<4096x!tt.ptr<f32>, #blocked>
    } {tt.num_stages = 4 : i32}
    tt.return
  }
  tt.func public @numbers(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32, %arg3: i32 {tt.divisibility = 16 : i32}, %arg4: i32 {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
    %3 = tt.load %2 : tensor<4096x!tt.ptr<f32>, #blocked>
    %4 = tt.splat %arg4 : i32 -> tensor<4096xi32, #blocked>
    %5 = arith.cmpi slt, %0, %4 : tensor<4096xi32, #blocked>
    scf.for %arg5 = %c0_i32 to %arg2 step %c1_i32  : i32 {
      %6 = arith.muli %arg5, %arg3 : i32
      %7 = tt.addptr %arg0, %6 : !tt.ptr<f32>, i32
      %8 = tt.splat %7 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %9 = tt.addptr %8, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      %10 = tt.load %9, %5, %3 : tensor<4096x!tt.ptr<f32>, #blocked>
      %11 = math.exp %10 : tensor<4096xf32, #blocked>
      %12 = tt.addptr %arg1, %6 : !tt.ptr<f32>, i32
      %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<4096x!tt.ptr<f32>, #blocked>
      %14 = tt.addptr %13, %0 : tensor<4096x!tt.ptr<f32>, #blocked>, tensor<4096xi32, #blocked>
      tt.store %14, %11 : tensor<4096x!tt.ptr<f32>, #blocked>
    } {tt.num_stages = 4 : i32}
    tt.return
  }
}

