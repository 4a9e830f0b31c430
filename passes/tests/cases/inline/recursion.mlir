// passes: inline
module {
  tt.func public @kernel(%n: i32) {
    %a = tt.call @f(%n) : (i32) -> i32
    tt.return
  }
  tt.func private @f(%x: i32) -> i32 {
    %y = tt.call @f(%x) : (i32) -> i32
    tt.return %y : i32
  }
}
// ----- expect
error[unsupported]: `f` calls itself
 --> recursion.mlir:8:10
  |
8 |     %y = tt.call @f(%x) : (i32) -> i32
  |          ^
