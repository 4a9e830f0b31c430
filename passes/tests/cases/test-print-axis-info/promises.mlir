// passes: test-print-axis-info
module {
  // A hint about what a loop carries; what is known of the value itself stays unknown.
  tt.func public @hints(%p: !tt.ptr<f16>, %n: i32, %start: i32) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%at = %start) -> (i32) : i32 {
      %known = tk.hint %at {tt.divisibility = dense<16> : tensor<1xi32>} : i32
      %from_known = arith.addi %known, %c32 : i32
      %from_unknown = arith.addi %at, %c32 : i32
      scf.yield %from_unknown : i32
    }
    tt.return %r : i32
  }
  // An assumption about a value of its block holds everywhere, also before it.
  tt.func public @assumptions(%a: i32, %b: i32, %c: i32, %d: i32, %e: i64, %p: !tt.ptr<f16>) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %c12 = arith.constant 12 : i32
    %c15 = arith.constant 15 : i32
    %c16 = arith.constant 16 : i64
    %z = arith.constant 0 : i64
    %before = arith.muli %a, %c8 : i32
    %ra = arith.remsi %a, %c8 : i32
    %is_a = arith.cmpi eq, %ra, %c0 : i32
    llvm.intr.assume %is_a : i1
    %after = arith.addi %a, %c8 : i32
    %rb = arith.andi %b, %c15 : i32
    %is_b = arith.cmpi eq, %c0, %rb : i32
    %rc = arith.remui %c, %c12 : i32
    %is_c = arith.cmpi eq, %rc, %c0 : i32
    %both = arith.andi %is_b, %is_c : i1
    llvm.intr.assume %both : i1
    %of_b = arith.addi %b, %c0 : i32
    %of_c = arith.addi %c, %c0 : i32
    %is_d = arith.cmpi eq, %d, %before : i32
    llvm.intr.assume %is_d : i1
    %of_d = arith.addi %d, %c0 : i32
    %address = tt.ptr_to_int %p : !tt.ptr<f16> -> i64
    %rp = arith.remui %address, %c16 : i64
    %is_p = arith.cmpi eq, %rp, %z : i64
    llvm.intr.assume %is_p : i1
    %q = tt.addptr %p, %c8 : !tt.ptr<f16>, i32
    tt.return
  }
  // One about a value from outside holds in its block.
  tt.func public @inside(%a: i32, %is: i1) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    scf.if %is {
      %ra = arith.remsi %a, %c8 : i32
      %is_a = arith.cmpi eq, %ra, %c0 : i32
      llvm.intr.assume %is_a : i1
      %in = arith.addi %a, %c8 : i32
    }
    %out = arith.addi %a, %c8 : i32
    tt.return
  }
}
// ----- expect
module {
  tt.func public @hints(%arg0: !tt.ptr<f16>, %arg1: i32, %arg2: i32) -> i32 {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c1_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 1"} 1 : i32
    %c32_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [32], constancy = [1], constant_value = 32"} 32 : i32
    %0 = scf.for %arg3 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg4 = %arg2) -> (i32)  : i32 {
      %1 = tk.hint %arg4 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>", tt.divisibility = dense<16> : tensor<1xi32>} : i32
      %2 = arith.addi %1, %c32_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
      %3 = arith.addi %arg4, %c32_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      scf.yield %3 : i32
    } {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"}
    tt.return %0 : i32
  }
  tt.func public @assumptions(%arg0: i32, %arg1: i32, %arg2: i32, %arg3: i32, %arg4: i64, %arg5: !tt.ptr<f16>) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c8_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [8], constancy = [1], constant_value = 8"} 8 : i32
    %c12_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = 12"} 12 : i32
    %c15_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = 15"} 15 : i32
    %c16_i64 = arith.constant {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = 16"} 16 : i64
    %c0_i64 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i64
    %0 = arith.muli %arg0, %c8_i32 {axis_info = "contiguity = [1], divisibility = [64], constancy = [1], constant_value = <none>"} : i32
    %1 = arith.remsi %arg0, %c8_i32 {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} : i32
    %2 = arith.cmpi eq, %1, %c0_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = -1"} : i32
    llvm.intr.assume %2 : i1
    %3 = arith.addi %arg0, %c8_i32 {axis_info = "contiguity = [1], divisibility = [8], constancy = [1], constant_value = <none>"} : i32
    %4 = arith.andi %arg1, %c15_i32 {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} : i32
    %5 = arith.cmpi eq, %c0_i32, %4 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = -1"} : i32
    %6 = arith.remui %arg2, %c12_i32 {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} : i32
    %7 = arith.cmpi eq, %6, %c0_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = -1"} : i32
    %8 = arith.andi %5, %7 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = -1"} : i1
    llvm.intr.assume %8 : i1
    %9 = arith.addi %arg1, %c0_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : i32
    %10 = arith.addi %arg2, %c0_i32 {axis_info = "contiguity = [1], divisibility = [4], constancy = [1], constant_value = <none>"} : i32
    %11 = arith.cmpi eq, %arg3, %0 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    llvm.intr.assume %11 : i1
    %12 = arith.addi %arg3, %c0_i32 {axis_info = "contiguity = [1], divisibility = [64], constancy = [1], constant_value = <none>"} : i32
    %13 = tt.ptr_to_int %arg5 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : !tt.ptr<f16> -> i64
    %14 = arith.remui %13, %c16_i64 {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} : i64
    %15 = arith.cmpi eq, %14, %c0_i64 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = -1"} : i64
    llvm.intr.assume %15 : i1
    %16 = tt.addptr %arg5, %c8_i32 {axis_info = "contiguity = [1], divisibility = [16], constancy = [1], constant_value = <none>"} : !tt.ptr<f16>, i32
    tt.return
  }
  tt.func public @inside(%arg0: i32, %arg1: i1) {
    %c0_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant_value = 0"} 0 : i32
    %c8_i32 = arith.constant {axis_info = "contiguity = [1], divisibility = [8], constancy = [1], constant_value = 8"} 8 : i32
    scf.if %arg1 {
      %1 = arith.remsi %arg0, %c8_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      %2 = arith.cmpi eq, %1, %c0_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
      llvm.intr.assume %2 : i1
      %3 = arith.addi %arg0, %c8_i32 {axis_info = "contiguity = [1], divisibility = [8], constancy = [1], constant_value = <none>"} : i32
    }
    %0 = arith.addi %arg0, %c8_i32 {axis_info = "contiguity = [1], divisibility = [1], constancy = [1], constant_value = <none>"} : i32
    tt.return
  }
}

