// run: tk opt $FILE --passes cse
// exit: 1
module {
  tt.func @f(%x: i32, %p: !tt.ptr<f32>) {
    %y = tt.addptr %p, %p : !tt.ptr<f32>, !tt.ptr<f32>
    tt.return
  }
}
