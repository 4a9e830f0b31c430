// passes: combine,canonicalize,cse
// counts: arith.divsi 4, arith.remsi 3, arith.divui 1, arith.remui 1
module {
  // Both loads under the mask are at the index and a number; without a mask the narrow product may wrap around.
  tt.func public @window(%p: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %c128 = arith.constant dense<128> : tensor<128xi32>
    %zero = arith.constant dense<0> : tensor<128xi32>
    %two = arith.constant dense<2> : tensor<128xi32>
    %one = arith.constant dense<1> : tensor<128xi32>
    %c100 = arith.constant 100 : i32
    %id = tt.get_program_id x : i32
    %start = arith.muli %id, %c100 : i32
    %starts = tt.splat %start : i32 -> tensor<128xi32>
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %at = arith.addi %starts, %range : tensor<128xi32>
    %row = arith.divsi %at, %c128 : tensor<128xi32>
    %column = arith.remsi %at, %c128 : tensor<128xi32>
    %u = arith.subi %row, %two : tensor<128xi32>
    %v = arith.addi %column, %one : tensor<128xi32>
    %inside = arith.cmpi sge, %u, %zero : tensor<128xi32>
    %rows = arith.muli %u, %c128 : tensor<128xi32>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %starts_of_rows = tt.addptr %base, %rows : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %left = tt.addptr %starts_of_rows, %column : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %right = tt.addptr %starts_of_rows, %v : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %x = tt.load %left, %inside : tensor<128x!tt.ptr<f32>>
    %y = tt.load %right, %inside : tensor<128x!tt.ptr<f32>>
    %shifted = tt.addptr %starts_of_rows, %two : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %apart = tt.addptr %shifted, %column : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %z = tt.load %apart : tensor<128x!tt.ptr<f32>>
    %xy = arith.addf %x, %y : tensor<128xf32>
    %sum = arith.addf %xy, %z : tensor<128xf32>
    %stored = tt.addptr %outs, %range : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %stored, %sum : tensor<128x!tt.ptr<f32>>
    tt.return
  }
  // Of a chain of constants the number is left, however its divisions are written; another factor leaves all of it.
  tt.func public @chains(%x: i32, %k: i32) -> (i32, i32, i32) {
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %first = arith.divsi %x, %c8 : i32
    %c = arith.remsi %x, %c8 : i32
    %b = arith.remsi %first, %c4 : i32
    %a = arith.divsi %first, %c4 : i32
    %a_at_once = arith.divsi %x, %c32 : i32
    %whole = arith.muli %a, %c32 : i32
    %whole_at_once = arith.muli %a_at_once, %c32 : i32
    %middle = arith.muli %b, %c8 : i32
    %moved = arith.addi %whole, %k : i32
    %one = arith.addi %moved, %middle : i32
    %place = arith.addi %one, %c : i32
    %two = arith.addi %c, %whole_at_once : i32
    %same = arith.addi %two, %middle : i32
    %three = arith.muli %b, %c4 : i32
    %apart = arith.addi %whole, %three : i32
    tt.return %place, %same, %apart : i32, i32, i32
  }
  // Signed parts may be widened, unsigned ones not; what a hint says of the remainder stays.
  tt.func public @widened(%x: i32, %n: i32) -> (i64, i64, i32) {
    %q = arith.divsi %x, %n : i32
    %r = arith.remsi %x, %n : i32
    %q64 = arith.extsi %q : i32 to i64
    %r64 = arith.extsi %r : i32 to i64
    %n64 = arith.extsi %n : i32 to i64
    %rows = arith.muli %n64, %q64 : i64
    %place = arith.addi %rows, %r64 : i64
    %uq = arith.divui %x, %n : i32
    %ur = arith.remui %x, %n : i32
    %uq64 = arith.extsi %uq : i32 to i64
    %ur64 = arith.extsi %ur : i32 to i64
    %urows = arith.muli %uq64, %n64 : i64
    %unsigned = arith.addi %urows, %ur64 : i64
    %known = arith.remsi %x, %n {tt.divisibility = 16 : i32} : i32
    %narrow = arith.muli %q, %n : i32
    %hinted = arith.addi %narrow, %known : i32
    tt.return %place, %unsigned, %hinted : i64, i64, i32
  }
}
// ----- expect
module {
  tt.func public @window(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) {
    %cst = arith.constant dense<-255> : tensor<128xi32>
    %cst_0 = arith.constant dense<-256> : tensor<128xi32>
    %cst_1 = arith.constant dense<128> : tensor<128xi32>
    %cst_2 = arith.constant dense<0> : tensor<128xi32>
    %cst_3 = arith.constant dense<2> : tensor<128xi32>
    %c100_i32 = arith.constant 100 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c100_i32 : i32
    %2 = tt.splat %1 : i32 -> tensor<128xi32>
    %3 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %4 = arith.addi %2, %3 : tensor<128xi32>
    %5 = arith.divsi %4, %cst_1 : tensor<128xi32>
    %6 = arith.remsi %4, %cst_1 : tensor<128xi32>
    %7 = arith.subi %5, %cst_3 : tensor<128xi32>
    %8 = arith.cmpi sge, %7, %cst_2 : tensor<128xi32>
    %9 = arith.muli %7, %cst_1 : tensor<128xi32>
    %10 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %11 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %12 = tt.addptr %10, %9 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %13 = tt.addptr %10, %4 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %14 = tt.addptr %13, %cst_0 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %15 = tt.addptr %13, %cst : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %16 = tt.load %14, %8 : tensor<128x!tt.ptr<f32>>
    %17 = tt.load %15, %8 : tensor<128x!tt.ptr<f32>>
    %18 = tt.addptr %12, %cst_3 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %19 = tt.addptr %18, %6 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %20 = tt.load %19 : tensor<128x!tt.ptr<f32>>
    %21 = arith.addf %16, %17 : tensor<128xf32>
    %22 = arith.addf %21, %20 : tensor<128xf32>
    %23 = tt.addptr %11, %3 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    tt.store %23, %22 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @chains(%arg0: i32, %arg1: i32) -> (i32, i32, i32) {
    %c4_i32 = arith.constant 4 : i32
    %c8_i32 = arith.constant 8 : i32
    %c32_i32 = arith.constant 32 : i32
    %0 = arith.divsi %arg0, %c8_i32 : i32
    %1 = arith.remsi %0, %c4_i32 : i32
    %2 = arith.divsi %0, %c4_i32 : i32
    %3 = arith.muli %2, %c32_i32 : i32
    %4 = arith.addi %arg0, %arg1 : i32
    %5 = arith.muli %1, %c4_i32 : i32
    %6 = arith.addi %3, %5 : i32
    tt.return %4, %arg0, %6 : i32, i32, i32
  }
  tt.func public @widened(%arg0: i32, %arg1: i32) -> (i64, i64, i32) {
    %0 = arith.divsi %arg0, %arg1 : i32
    %1 = arith.extsi %arg1 : i32 to i64
    %2 = arith.extsi %arg0 : i32 to i64
    %3 = arith.divui %arg0, %arg1 : i32
    %4 = arith.remui %arg0, %arg1 : i32
    %5 = arith.extsi %3 : i32 to i64
    %6 = arith.extsi %4 : i32 to i64
    %7 = arith.muli %5, %1 : i64
    %8 = arith.addi %7, %6 : i64
    %9 = arith.remsi %arg0, %arg1 {tt.divisibility = 16 : i32} : i32
    %10 = arith.muli %0, %arg1 : i32
    %11 = arith.addi %10, %9 : i32
    tt.return %2, %8, %11 : i64, i64, i32
  }
}

