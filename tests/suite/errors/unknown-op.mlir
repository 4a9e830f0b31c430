// run: tk opt $FILE --passes cse
// exit: 1
module {
  tt.func @f(%x: i32) {
    tt.frobnicate %x : i32
    tt.return
  }
}
