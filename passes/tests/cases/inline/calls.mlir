// passes: inline,symbol-dce
module {
  tt.func public @kernel(%p: !tt.ptr<f32>, %n: i32) {
    %a = tt.call @twice(%n) : (i32) -> i32
    %b = tt.call @twice(%a) : (i32) -> i32
    %q = tt.addptr %p, %b : !tt.ptr<f32>, i32
    tt.call @clear(%q) : (!tt.ptr<f32>) -> ()
    tt.return
  }
  tt.func private @twice(%x: i32) -> i32 attributes {noinline = false} {
    %y = tt.call @plus(%x, %x) : (i32, i32) -> i32
    tt.return %y : i32
  }
  tt.func private @plus(%x: i32, %y: i32) -> i32 attributes {noinline = false} {
    %zero = arith.constant 0 : i32
    %big = arith.cmpi sgt, %x, %zero : i32
    %z = scf.if %big -> (i32) {
      %s = arith.addi %x, %y : i32
      scf.yield %s : i32
    } else {
      scf.yield %y : i32
    }
    tt.return %z : i32
  }
  tt.func private @clear(%p: !tt.ptr<f32>) {
    %zero = arith.constant 0.0 : f32
    tt.store %p, %zero : !tt.ptr<f32>
    tt.return
  }
}
// ----- expect
module {
  tt.func public @kernel(%arg0: !tt.ptr<f32>, %arg1: i32) {
    %c0_i32 = arith.constant 0 : i32
    %0 = arith.cmpi sgt, %arg1, %c0_i32 : i32
    %1 = scf.if %0 -> (i32) {
      %5 = arith.addi %arg1, %arg1 : i32
      scf.yield %5 : i32
    } else {
      scf.yield %arg1 : i32
    }
    %c0_i32_0 = arith.constant 0 : i32
    %2 = arith.cmpi sgt, %1, %c0_i32_0 : i32
    %3 = scf.if %2 -> (i32) {
      %5 = arith.addi %1, %1 : i32
      scf.yield %5 : i32
    } else {
      scf.yield %1 : i32
    }
    %4 = tt.addptr %arg0, %3 : !tt.ptr<f32>, i32
    %cst = arith.constant 0.000000e+00 : f32
    tt.store %4, %cst : !tt.ptr<f32>
    tt.return
  }
}

