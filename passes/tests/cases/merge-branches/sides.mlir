// passes: merge-branches
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module {
  // Two pointers and a constant differ: three selects, and one load.
  tt.func public @merged(%c: i1, %p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %at: tensor<64xi32>) -> tensor<64xf32> {
    %r = scf.if %c -> (tensor<64xf32>) {
      %two = arith.constant 2.0 : f32
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %pa = tt.addptr %ps, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %x = tt.load %pa : tensor<64x!tt.ptr<f32>>
      %f = tt.splat %two : f32 -> tensor<64xf32>
      %y = arith.mulf %x, %f : tensor<64xf32>
      scf.yield %y : tensor<64xf32>
    } else {
      %three = arith.constant 3.0 : f32
      %ps = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
      %pa = tt.addptr %ps, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
      %x = tt.load %pa : tensor<64x!tt.ptr<f32>>
      %f = tt.splat %three : f32 -> tensor<64xf32>
      %y = arith.mulf %x, %f : tensor<64xf32>
      scf.yield %y : tensor<64xf32>
    }
    tt.return %r : tensor<64xf32>
  }
  // Another operation, and a value that is the counterpart of another one: these stay.
  tt.func public @other(%c: i1, %p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %x: tensor<64xf32>, %y: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %r = scf.if %c -> (tensor<64xf32>) {
      %s = arith.addf %x, %y : tensor<64xf32>
      scf.yield %s : tensor<64xf32>
    } else {
      %s = arith.mulf %x, %y : tensor<64xf32>
      scf.yield %s : tensor<64xf32>
    }
    %t = scf.if %c -> (tensor<64xf32>) {
      %a = arith.addf %x, %y : tensor<64xf32>
      %b = arith.subf %x, %y : tensor<64xf32>
      %s = arith.subf %a, %b : tensor<64xf32>
      scf.yield %s : tensor<64xf32>
    } else {
      %a = arith.addf %x, %y : tensor<64xf32>
      %b = arith.subf %x, %y : tensor<64xf32>
      %s = arith.subf %b, %a : tensor<64xf32>
      scf.yield %s : tensor<64xf32>
    }
    tt.return %r, %t : tensor<64xf32>, tensor<64xf32>
  }
  // Of buffers in shared memory none is selected: who reads which orders accesses.
  tt.func public @buffers(%c: i1, %x: !ttg.memdesc<64x64xf16, #shared, #smem>, %y: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf16, #blocked> {
    %r = scf.if %c -> (tensor<64x64xf16, #blocked>) {
      %t = ttg.local_load %x : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
      scf.yield %t : tensor<64x64xf16, #blocked>
    } else {
      %t = ttg.local_load %y : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
      scf.yield %t : tensor<64x64xf16, #blocked>
    }
    tt.return %r : tensor<64x64xf16, #blocked>
  }
}
// ----- expect
#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module {
  tt.func public @merged(%arg0: i1, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: tensor<64xi32>) -> tensor<64xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 3.000000e+00 : f32
    %0 = arith.select %arg0, %arg1, %arg2 : !tt.ptr<f32>
    %1 = tt.splat %0 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %2 = tt.addptr %1, %arg3 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %3 = tt.load %2 : tensor<64x!tt.ptr<f32>>
    %4 = arith.select %arg0, %cst, %cst_0 : f32
    %5 = tt.splat %4 : f32 -> tensor<64xf32>
    %6 = arith.mulf %3, %5 : tensor<64xf32>
    tt.return %6 : tensor<64xf32>
  }
  tt.func public @other(%arg0: i1, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: tensor<64xf32>, %arg4: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %0 = scf.if %arg0 -> (tensor<64xf32>) {
      %2 = arith.addf %arg3, %arg4 : tensor<64xf32>
      scf.yield %2 : tensor<64xf32>
    } else {
      %2 = arith.mulf %arg3, %arg4 : tensor<64xf32>
      scf.yield %2 : tensor<64xf32>
    }
    %1 = scf.if %arg0 -> (tensor<64xf32>) {
      %2 = arith.addf %arg3, %arg4 : tensor<64xf32>
      %3 = arith.subf %arg3, %arg4 : tensor<64xf32>
      %4 = arith.subf %2, %3 : tensor<64xf32>
      scf.yield %4 : tensor<64xf32>
    } else {
      %2 = arith.addf %arg3, %arg4 : tensor<64xf32>
      %3 = arith.subf %arg3, %arg4 : tensor<64xf32>
      %4 = arith.subf %3, %2 : tensor<64xf32>
      scf.yield %4 : tensor<64xf32>
    }
    tt.return %0, %1 : tensor<64xf32>, tensor<64xf32>
  }
  tt.func public @buffers(%arg0: i1, %arg1: !ttg.memdesc<64x64xf16, #shared, #smem>, %arg2: !ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf16, #blocked> {
    %0 = scf.if %arg0 -> (tensor<64x64xf16, #blocked>) {
      %1 = ttg.local_load %arg1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
      scf.yield %1 : tensor<64x64xf16, #blocked>
    } else {
      %1 = ttg.local_load %arg2 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
      scf.yield %1 : tensor<64x64xf16, #blocked>
    }
    tt.return %0 : tensor<64x64xf16, #blocked>
  }
}

