// passes: combine,canonicalize,cse
// counts: arith.divsi 2
module {
  // The place of a head of a token is the number of the program times the size of a head; with another factor, or another divisor, it is not.
  tt.func public @heads(%row: i32, %heads: i32, %size: i32, %other: i32) -> (i32, i32, i32, i32) {
    %token = arith.divsi %row, %heads : i32
    %head = arith.remsi %row, %heads : i32
    %first = arith.muli %token, %heads : i32
    %rows = arith.muli %first, %size : i32
    %in_row = arith.muli %head, %size : i32
    %place = arith.addi %rows, %in_row : i32
    %turned = arith.muli %size, %head : i32
    %same = arith.addi %turned, %rows : i32
    %far = arith.muli %head, %other : i32
    %apart = arith.addi %rows, %far : i32
    %group = arith.divsi %row, %other : i32
    %whole = arith.muli %group, %heads : i32
    %scaled = arith.muli %whole, %size : i32
    %mixed = arith.addi %scaled, %in_row : i32
    tt.return %place, %same, %apart, %mixed : i32, i32, i32, i32
  }
}
// ----- expect
module {
  tt.func public @heads(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32) -> (i32, i32, i32, i32) {
    %0 = arith.divsi %arg0, %arg1 : i32
    %1 = arith.remsi %arg0, %arg1 : i32
    %2 = arith.muli %0, %arg1 : i32
    %3 = arith.muli %2, %arg2 : i32
    %4 = arith.muli %1, %arg2 : i32
    %5 = arith.muli %arg0, %arg2 : i32
    %6 = arith.muli %1, %arg3 : i32
    %7 = arith.addi %3, %6 : i32
    %8 = arith.divsi %arg0, %arg3 : i32
    %9 = arith.muli %8, %arg1 : i32
    %10 = arith.muli %9, %arg2 : i32
    %11 = arith.addi %10, %4 : i32
    tt.return %5, %5, %7, %11 : i32, i32, i32, i32
  }
}

