// passes: tt,convert-to-ttg,coalesce,remove-layout-conversions,cse,licm,canonicalize,assign-latencies
// grid: eight
// counts: tt.latency 1
module {
  // Eight CTAs bring 32 KB in an iteration: the block of the next one waits in registers.
  tt.func public @long_rows(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 1024 : i32
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %m = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %step iter_args(%sum = %zero, %greatest = %least) -> (f32, f32) : i32 {
      %bs = tt.splat %i : i32 -> tensor<1024xi32>
      %at = arith.addi %m, %bs : tensor<1024xi32>
      %px = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %a = tt.load %px : tensor<1024x!tt.ptr<f32>>
      %most = "tt.reduce"(%a) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.maxnumf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<1024xf32>) -> f32
      %new = arith.maxnumf %greatest, %most : f32
      %all = tt.splat %new : f32 -> tensor<1024xf32>
      %less = arith.subf %a, %all : tensor<1024xf32>
      %powers = math.exp %less : tensor<1024xf32>
      %total = "tt.reduce"(%powers) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<1024xf32>) -> f32
      %change = arith.subf %greatest, %new : f32
      %scale = math.exp %change : f32
      %scaled = arith.mulf %sum, %scale : f32
      %next = arith.addf %scaled, %total : f32
      scf.yield %next, %new : f32, f32
    }
    %log = math.log %r#0 : f32
    %result = arith.addf %log, %r#1 : f32
    tt.store %out, %result : !tt.ptr<f32>
    tt.return
  }
  // They bring 16 KB, which copies of the body are made for.
  tt.func public @small_blocks(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 512 : i32
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %m = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %step iter_args(%sum = %zero, %greatest = %least) -> (f32, f32) : i32 {
      %bs = tt.splat %i : i32 -> tensor<512xi32>
      %at = arith.addi %m, %bs : tensor<512xi32>
      %px = tt.addptr %xs, %at : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
      %a = tt.load %px : tensor<512x!tt.ptr<f32>>
      %most = "tt.reduce"(%a) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.maxnumf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<512xf32>) -> f32
      %new = arith.maxnumf %greatest, %most : f32
      %all = tt.splat %new : f32 -> tensor<512xf32>
      %less = arith.subf %a, %all : tensor<512xf32>
      %powers = math.exp %less : tensor<512xf32>
      %total = "tt.reduce"(%powers) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<512xf32>) -> f32
      %change = arith.subf %greatest, %new : f32
      %scale = math.exp %change : f32
      %scaled = arith.mulf %sum, %scale : f32
      %next = arith.addf %scaled, %total : f32
      scf.yield %next, %new : f32, f32
    }
    %log = math.log %r#0 : f32
    %result = arith.addf %log, %r#1 : f32
    tt.store %out, %result : !tt.ptr<f32>
    tt.return
  }
  // Four iterations.
  tt.func public @short_rows(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %step = arith.constant 1024 : i32
    %n = arith.constant 4096 : i32
    %zero = arith.constant 0.0 : f32
    %least = arith.constant -1.0e30 : f32
    %m = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
    %r:2 = scf.for %i = %c0 to %n step %step iter_args(%sum = %zero, %greatest = %least) -> (f32, f32) : i32 {
      %bs = tt.splat %i : i32 -> tensor<1024xi32>
      %at = arith.addi %m, %bs : tensor<1024xi32>
      %px = tt.addptr %xs, %at : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
      %a = tt.load %px : tensor<1024x!tt.ptr<f32>>
      %most = "tt.reduce"(%a) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.maxnumf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<1024xf32>) -> f32
      %new = arith.maxnumf %greatest, %most : f32
      %all = tt.splat %new : f32 -> tensor<1024xf32>
      %less = arith.subf %a, %all : tensor<1024xf32>
      %powers = math.exp %less : tensor<1024xf32>
      %total = "tt.reduce"(%powers) <{axis = 0 : i32}> ({
      ^bb0(%left: f32, %right: f32):
        %s = arith.addf %left, %right : f32
        tt.reduce.return %s : f32
      }) : (tensor<1024xf32>) -> f32
      %change = arith.subf %greatest, %new : f32
      %scale = math.exp %change : f32
      %scaled = arith.mulf %sum, %scale : f32
      %next = arith.addf %scaled, %total : f32
      scf.yield %next, %new : f32, f32
    }
    %log = math.log %r#0 : f32
    %result = arith.addf %log, %r#1 : f32
    tt.store %out, %result : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @long_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -1.000000e+30 : f32
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %2:2 = scf.for %arg3 = %c0_i32 to %arg2 step %c1024_i32 iter_args(%arg4 = %cst, %arg5 = %cst_0) -> (f32, f32)  : i32 {
      %5 = tt.splat %arg3 : i32 -> tensor<1024xi32, #blocked>
      %6 = arith.addi %0, %5 : tensor<1024xi32, #blocked>
      %7 = tt.addptr %1, %6 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %8 = tt.load %7 {tk.issued_ahead, tt.latency = 1 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
      %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %19 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %19 : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %10 = arith.maxnumf %arg5, %9 : f32
      %11 = tt.splat %10 : f32 -> tensor<1024xf32, #blocked>
      %12 = arith.subf %8, %11 : tensor<1024xf32, #blocked>
      %13 = math.exp %12 : tensor<1024xf32, #blocked>
      %14 = "tt.reduce"(%13) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %19 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %19 : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %15 = arith.subf %arg5, %10 : f32
      %16 = math.exp %15 : f32
      %17 = arith.mulf %arg4, %16 : f32
      %18 = arith.addf %17, %14 : f32
      scf.yield %18, %10 : f32, f32
    }
    %3 = math.log %2#0 : f32
    %4 = arith.addf %3, %2#1 : f32
    tt.store %arg1, %4 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @small_blocks(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: i32) {
    %c0_i32 = arith.constant 0 : i32
    %c512_i32 = arith.constant 512 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -1.000000e+30 : f32
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %2:2 = scf.for %arg3 = %c0_i32 to %arg2 step %c512_i32 iter_args(%arg4 = %cst, %arg5 = %cst_0) -> (f32, f32)  : i32 {
      %5 = tt.splat %arg3 : i32 -> tensor<512xi32, #blocked>
      %6 = arith.addi %0, %5 : tensor<512xi32, #blocked>
      %7 = tt.addptr %1, %6 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
      %8 = tt.load %7 : tensor<512x!tt.ptr<f32>, #blocked>
      %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %19 = arith.maxnumf %arg6, %arg7 : f32
        tt.reduce.return %19 : f32
      }) : (tensor<512xf32, #blocked>) -> f32
      %10 = arith.maxnumf %arg5, %9 : f32
      %11 = tt.splat %10 : f32 -> tensor<512xf32, #blocked>
      %12 = arith.subf %8, %11 : tensor<512xf32, #blocked>
      %13 = math.exp %12 : tensor<512xf32, #blocked>
      %14 = "tt.reduce"(%13) <{axis = 0 : i32}> ({
      ^bb0(%arg6: f32, %arg7: f32):
        %19 = arith.addf %arg6, %arg7 : f32
        tt.reduce.return %19 : f32
      }) : (tensor<512xf32, #blocked>) -> f32
      %15 = arith.subf %arg5, %10 : f32
      %16 = math.exp %15 : f32
      %17 = arith.mulf %arg4, %16 : f32
      %18 = arith.addf %17, %14 : f32
      scf.yield %18, %10 : f32, f32
    }
    %3 = math.log %2#0 : f32
    %4 = arith.addf %3, %2#1 : f32
    tt.store %arg1, %4 : !tt.ptr<f32>
    tt.return
  }
  tt.func public @short_rows(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c0_i32 = arith.constant 0 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c4096_i32 = arith.constant 4096 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -1.000000e+30 : f32
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>, #blocked>
    %2:2 = scf.for %arg2 = %c0_i32 to %c4096_i32 step %c1024_i32 iter_args(%arg3 = %cst, %arg4 = %cst_0) -> (f32, f32)  : i32 {
      %5 = tt.splat %arg2 : i32 -> tensor<1024xi32, #blocked>
      %6 = arith.addi %0, %5 : tensor<1024xi32, #blocked>
      %7 = tt.addptr %1, %6 : tensor<1024x!tt.ptr<f32>, #blocked>, tensor<1024xi32, #blocked>
      %8 = tt.load %7 : tensor<1024x!tt.ptr<f32>, #blocked>
      %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %19 = arith.maxnumf %arg5, %arg6 : f32
        tt.reduce.return %19 : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %10 = arith.maxnumf %arg4, %9 : f32
      %11 = tt.splat %10 : f32 -> tensor<1024xf32, #blocked>
      %12 = arith.subf %8, %11 : tensor<1024xf32, #blocked>
      %13 = math.exp %12 : tensor<1024xf32, #blocked>
      %14 = "tt.reduce"(%13) <{axis = 0 : i32}> ({
      ^bb0(%arg5: f32, %arg6: f32):
        %19 = arith.addf %arg5, %arg6 : f32
        tt.reduce.return %19 : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %15 = arith.subf %arg4, %10 : f32
      %16 = math.exp %15 : f32
      %17 = arith.mulf %arg3, %16 : f32
      %18 = arith.addf %17, %14 : f32
      scf.yield %18, %10 : f32, f32
    }
    %3 = math.log %2#0 : f32
    %4 = arith.addf %3, %2#1 : f32
    tt.store %arg1, %4 : !tt.ptr<f32>
    tt.return
  }
}

