// passes: inline,symbol-dce
module {
  // What all calls of a function that stays know of an argument, also where the calls stand in another such function.
  tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %m: i32) {
    %four = arith.constant 4 : i32
    %k = arith.muli %m, %four : i32
    %q = tt.addptr %p, %k : !tt.ptr<f32>, i32
    tt.call @outer(%p, %n) : (!tt.ptr<f32>, i32) -> ()
    tt.call @outer(%q, %m) : (!tt.ptr<f32>, i32) -> ()
    tt.return
  }
  tt.func private @outer(%p: !tt.ptr<f32>, %n: i32) attributes {noinline = true} {
    tt.call @inner(%p, %n) : (!tt.ptr<f32>, i32) -> ()
    tt.return
  }
  tt.func private @inner(%p: !tt.ptr<f32>, %n: i32) attributes {noinline = true} {
    %zero = arith.constant 0.0 : f32
    %q = tt.addptr %p, %n : !tt.ptr<f32>, i32
    tt.store %q, %zero : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @kernel(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32 {tt.divisibility = 16 : i32}, %arg2: i32) {
    %c4_i32 = arith.constant 4 : i32
    %0 = arith.muli %arg2, %c4_i32 : i32
    %1 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    tt.call @outer(%arg0, %arg1) : (!tt.ptr<f32>, i32) -> ()
    tt.call @outer(%1, %arg2) : (!tt.ptr<f32>, i32) -> ()
    tt.return
  }
  tt.func private @outer(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = true} {
    tt.call @inner(%arg0, %arg1) : (!tt.ptr<f32>, i32) -> ()
    tt.return
  }
  tt.func private @inner(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = true} {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tt.addptr %arg0, %arg1 : !tt.ptr<f32>, i32
    tt.store %0, %cst : !tt.ptr<f32>
    tt.return
  }
}

