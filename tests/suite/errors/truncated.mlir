// run: tk opt $FILE --passes cse
// exit: 1
module {
  tt.func @f(%x: i32) {
