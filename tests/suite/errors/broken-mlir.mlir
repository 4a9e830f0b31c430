// run: tk opt $FILE --passes cse
// exit: 1
module {
  tt.func @f(%x: i32) {
    %y = arith.addi %x, %z : i32
    tt.return
  }
}
