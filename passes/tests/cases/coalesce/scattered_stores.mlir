// passes: convert-to-ttg,coalesce,remove-layout-conversions
// warps: 4
module {
  // Places are loaded: the store has the four elements of a thread that the loads have, and nothing is converted.
  tt.func public @few(%places: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    %ns = tt.splat %places : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>>
    %pn = tt.addptr %ns, %i : tensor<512x!tt.ptr<i32>>, tensor<512xi32>
    %place = tt.load %pn : tensor<512x!tt.ptr<i32>>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %px = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %v = tt.load %px : tensor<512x!tt.ptr<f32>>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %po = tt.addptr %os, %place : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    tt.store %po, %v : tensor<512x!tt.ptr<f32>>
    tt.return
  }
  // The load of bytes asks for eight elements of a thread. Stores of so many would touch too many lines, and one is converted to.
  tt.func public @many(%places: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %x: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %out: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %ns = tt.splat %places : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>>
    %pn = tt.addptr %ns, %i : tensor<1024x!tt.ptr<i32>>, tensor<1024xi32>
    %place = tt.load %pn : tensor<1024x!tt.ptr<i32>>
    %xs = tt.splat %x : !tt.ptr<i8> -> tensor<1024x!tt.ptr<i8>>
    %px = tt.addptr %xs, %i : tensor<1024x!tt.ptr<i8>>, tensor<1024xi32>
    %v = tt.load %px : tensor<1024x!tt.ptr<i8>>
    %os = tt.splat %out : !tt.ptr<i8> -> tensor<1024x!tt.ptr<i8>>
    %po = tt.addptr %os, %place : tensor<1024x!tt.ptr<i8>>, tensor<1024xi32>
    tt.store %po, %v : tensor<1024x!tt.ptr<i8>>
    tt.return
  }
  // Places that a number moves as one lie side by side, and are not aligned: the store has one element of a thread.
  tt.func public @moved(%start: i32, %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %i = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %px = tt.addptr %xs, %i : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %v = tt.load %px : tensor<512x!tt.ptr<f32>>
    %starts = tt.splat %start : i32 -> tensor<512xi32>
    %at = arith.addi %starts, %i : tensor<512xi32>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %po = tt.addptr %os, %at : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    tt.store %po, %v : tensor<512x!tt.ptr<f32>>
    tt.return
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @few(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<512x!tt.ptr<i32>, #blocked>
    %2 = tt.addptr %1, %0 : tensor<512x!tt.ptr<i32>, #blocked>, tensor<512xi32, #blocked>
    %3 = tt.load %2 : tensor<512x!tt.ptr<i32>, #blocked>
    %4 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %5 = tt.addptr %4, %0 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %6 = tt.load %5 : tensor<512x!tt.ptr<f32>, #blocked>
    %7 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %8 = tt.addptr %7, %3 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    tt.store %8, %6 : tensor<512x!tt.ptr<f32>, #blocked>
    tt.return
  }
  tt.func public @many(%arg0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<i8> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #blocked1>
    %1 = tt.splat %arg0 : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #blocked1>
    %2 = tt.addptr %1, %0 : tensor<1024x!tt.ptr<i32>, #blocked1>, tensor<1024xi32, #blocked1>
    %3 = tt.load %2 : tensor<1024x!tt.ptr<i32>, #blocked1>
    %4 = ttg.convert_layout %3 : tensor<1024xi32, #blocked1> -> tensor<1024xi32, #blocked2>
    %5 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<1024x!tt.ptr<i8>, #blocked1>
    %6 = tt.addptr %5, %0 : tensor<1024x!tt.ptr<i8>, #blocked1>, tensor<1024xi32, #blocked1>
    %7 = tt.load %6 : tensor<1024x!tt.ptr<i8>, #blocked1>
    %8 = ttg.convert_layout %7 : tensor<1024xi8, #blocked1> -> tensor<1024xi8, #blocked2>
    %9 = tt.splat %arg2 : !tt.ptr<i8> -> tensor<1024x!tt.ptr<i8>, #blocked2>
    %10 = tt.addptr %9, %4 : tensor<1024x!tt.ptr<i8>, #blocked2>, tensor<1024xi32, #blocked2>
    tt.store %10, %8 : tensor<1024x!tt.ptr<i8>, #blocked2>
    tt.return
  }
  tt.func public @moved(%arg0: i32, %arg1: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg2: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %0 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked2>
    %1 = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #blocked>
    %2 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked>
    %3 = tt.addptr %2, %1 : tensor<512x!tt.ptr<f32>, #blocked>, tensor<512xi32, #blocked>
    %4 = tt.load %3 : tensor<512x!tt.ptr<f32>, #blocked>
    %5 = ttg.convert_layout %4 : tensor<512xf32, #blocked> -> tensor<512xf32, #blocked2>
    %6 = tt.splat %arg0 : i32 -> tensor<512xi32, #blocked2>
    %7 = arith.addi %6, %0 : tensor<512xi32, #blocked2>
    %8 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #blocked2>
    %9 = tt.addptr %8, %7 : tensor<512x!tt.ptr<f32>, #blocked2>, tensor<512xi32, #blocked2>
    tt.store %9, %5 : tensor<512x!tt.ptr<f32>, #blocked2>
    tt.return
  }
}

