// passes: masked-divisions
module {
  tt.func public @side_by_side(%p: tensor<8x!tt.ptr<f32>>, %x: tensor<8xi32>, %y: tensor<8xi32>, %m: tensor<8xi1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>) {
    %start = arith.constant dense<1024> : tensor<8xi64>
    %back = arith.constant dense<-1024> : tensor<8xi32>
    %row = arith.constant dense<64> : tensor<8xi32>
    %rows = arith.constant dense<16> : tensor<8xi32>
    %wide = arith.extsi %x : tensor<8xi32> to tensor<8xi64>
    %late = arith.cmpi sge, %wide, %start : tensor<8xi64>
    %mask = arith.andi %m, %late : tensor<8xi1>
    %moved = arith.addi %x, %back : tensor<8xi32>
    %quotient = arith.divsi %moved, %row : tensor<8xi32>
    %of_quotient = arith.remsi %quotient, %rows : tensor<8xi32>
    %q = tt.addptr %p, %of_quotient : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %a = tt.load %q, %mask : tensor<8x!tt.ptr<f32>>
    // A mask that says nothing of the number.
    %unknown = arith.remsi %moved, %rows : tensor<8xi32>
    %r = tt.addptr %p, %unknown : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %b = tt.load %r, %m : tensor<8x!tt.ptr<f32>>
    // A number that is used elsewhere, too.
    %used = arith.remsi %moved, %row : tensor<8xi32>
    %s = tt.addptr %p, %used : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %c = tt.load %s, %mask : tensor<8x!tt.ptr<f32>>
    tt.return %a, %b, %c, %used : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>
  }
}
// ----- expect
module {
  tt.func public @side_by_side(%arg0: tensor<8x!tt.ptr<f32>>, %arg1: tensor<8xi32>, %arg2: tensor<8xi32>, %arg3: tensor<8xi1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>) {
    %cst = arith.constant dense<1024> : tensor<8xi64>
    %cst_0 = arith.constant dense<-1024> : tensor<8xi32>
    %cst_1 = arith.constant dense<64> : tensor<8xi32>
    %cst_2 = arith.constant dense<16> : tensor<8xi32>
    %0 = arith.extsi %arg1 : tensor<8xi32> to tensor<8xi64>
    %1 = arith.cmpi sge, %0, %cst : tensor<8xi64>
    %2 = arith.andi %arg3, %1 : tensor<8xi1>
    %3 = arith.addi %arg1, %cst_0 : tensor<8xi32>
    %4 = arith.divui %3, %cst_1 : tensor<8xi32>
    %5 = arith.remsi %4, %cst_2 : tensor<8xi32>
    %6 = tt.addptr %arg0, %5 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %7 = tt.load %6, %2 : tensor<8x!tt.ptr<f32>>
    %8 = arith.remsi %3, %cst_2 : tensor<8xi32>
    %9 = tt.addptr %arg0, %8 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %10 = tt.load %9, %arg3 : tensor<8x!tt.ptr<f32>>
    %11 = arith.remsi %3, %cst_1 : tensor<8xi32>
    %12 = tt.addptr %arg0, %11 : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    %13 = tt.load %12, %2 : tensor<8x!tt.ptr<f32>>
    tt.return %7, %10, %13, %11 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi32>
  }
}

