//! Views of buffers: one of several, transposed, and parts as operands of `wgmma`.

use crate::harness::{Kernel, download, module, upload};
use crate::hopper::numbers::Kind;
use half::f16;
use tk_sim::DeviceMemory;

const POINTERS: &str = "
    %rows = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %columns = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %c64 = arith.constant dense<64> : tensor<64x1xi32, #blocked>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %r64 = arith.muli %r, %c64 : tensor<64x1xi32, #blocked>
    %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xi32, #blocked>
    %rb = tt.broadcast %r64 : tensor<64x1xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %cb = tt.broadcast %c : tensor<1x64xi32, #blocked> -> tensor<64x64xi32, #blocked>
    %offsets = arith.addi %rb, %cb : tensor<64x64xi32, #blocked>";

const BLOCKED: &str =
    "#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory";

fn load(name: &str, pointer: &str) -> String {
    format!(
        "
    %{name}s = tt.splat %{pointer} : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %{name}p = tt.addptr %{name}s, %offsets : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    %{name} = tt.load %{name}p : tensor<64x64x!tt.ptr<f16>, #blocked>"
    )
}

/// Stores a tensor into the buffer that an argument chooses, and reads it from there transposed, in a loop that carries the view.
fn transposed(shared: &str, shared_transposed: &str) {
    let aliases = format!("{BLOCKED}\n#shared = {shared}\n#shared1 = {shared_transposed}");
    let function = format!(
        "  tt.func public @kernel(%in: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %out: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %which: i32) {{{POINTERS}{}
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %all = ttg.local_alloc : () -> !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %first = ttg.memdesc_index %all[%zero] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %chosen = scf.for %i = %zero to %two step %one iter_args(%view = %first) -> (!ttg.memdesc<64x64xf16, #shared, #smem, mutable>) : i32 {{
      ttg.local_store %x, %view : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      %next = ttg.memdesc_index %all[%which] : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
      scf.yield %next : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    }}
    %turned = ttg.memdesc_trans %chosen {{order = array<i32: 1, 0>}} : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %y = ttg.local_load %turned : !ttg.memdesc<64x64xf16, #shared1, #smem, mutable> -> tensor<64x64xf16, #blocked>
    ttg.local_dealloc %all : !ttg.memdesc<3x64x64xf16, #shared, #smem, mutable>
    %outs = tt.splat %out : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %outp = tt.addptr %outs, %offsets : tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>
    tt.store %outp, %y : tensor<64x64x!tt.ptr<f16>, #blocked>
    tt.return
  }}",
        load("x", "in")
    );
    let kernel = Kernel::new(&module(&aliases, 4, &function));
    for which in 1..3i32 {
        let values: Vec<f16> = (0..64 * 64).map(|i| f16::from_f32((i % 2039) as f32)).collect();
        let mut memory = DeviceMemory::new();
        let (input, output) = (upload(&mut memory, &values), upload(&mut memory, &vec![f16::NAN; 64 * 64]));
        kernel.run(&mut memory, [1, 1, 1], vec![input.into(), output.into(), which.into()]);
        let expected: Vec<f16> = (0..64 * 64).map(|i| values[i % 64 * 64 + i / 64]).collect();
        assert_eq!(download::<f16>(&memory, output), expected);
    }
}

#[test]
fn a_chosen_buffer_is_read_transposed() {
    for width in [32, 64, 128] {
        let shared = |transposed: bool| {
            format!(
                "#ttg.nvmma_shared<{{swizzlingByteWidth = {width}, transposed = {transposed}, elementBitWidth = 16}}>"
            )
        };
        transposed(&shared(false), &shared(true));
    }
    let swizzled =
        |order: &str| format!("#ttg.swizzled_shared<{{vec = 8, perPhase = 1, maxPhase = 8, order = [{order}]}}>");
    transposed(&swizzled("1, 0"), &swizzled("0, 1"));
}

/// A product in two halves along K, each of parts of both buffers, with a condition on the accumulators.
#[test]
fn parts_of_buffers_are_multiplied() {
    let nvmma = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>";
    let aliases = format!(
        "{BLOCKED}\n#shared = {nvmma}\n#mma = #ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}}>"
    );
    let part = |name: &str, of: &str, at: &str, shape: &str| {
        format!("
    %{name} = ttg.memdesc_subslice %{of}[{at}] : !ttg.memdesc<64x64xf16, #shared, #smem> -> !ttg.memdesc<{shape}xf16, #shared, #smem, 64x64>")
    };
    let dot = |name: &str, a: &str, b: &str, c: &str| {
        format!("
    %{name} = ttng.warp_group_dot %{a}, %{b}, %{c}, %use : !ttg.memdesc<64x32xf16, #shared, #smem, 64x64> * !ttg.memdesc<32x64xf16, #shared, #smem, 64x64> -> tensor<64x64xf32, #mma>")
    };
    let function = format!(
        "  tt.func public @kernel(%a: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %b: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %out: !tt.ptr<f32> {{tt.divisibility = 16 : i32}}, %flag: i32) {{{POINTERS}{}{}
    %zero = arith.constant 0 : i32
    %use = arith.cmpi ne, %flag, %zero : i32
    %ones = arith.constant dense<1.000000e+00> : tensor<64x64xf32, #mma>
    %sa = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %sb = ttg.local_alloc %y : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    ttng.fence_async_shared {{bCluster = false}}{}{}{}{}{}{}
    %sum = arith.addf %d0, %d1 : tensor<64x64xf32, #mma>
    %z = ttg.convert_layout %sum : tensor<64x64xf32, #mma> -> tensor<64x64xf32, #blocked>
    %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>, #blocked>
    %outp = tt.addptr %outs, %offsets : tensor<64x64x!tt.ptr<f32>, #blocked>, tensor<64x64xi32, #blocked>
    tt.store %outp, %z : tensor<64x64x!tt.ptr<f32>, #blocked>
    tt.return
  }}",
        load("x", "a"),
        load("y", "b"),
        part("a0", "sa", "0, 0", "64x32"),
        part("a1", "sa", "0, 32", "64x32"),
        part("b0", "sb", "0, 0", "32x64"),
        part("b1", "sb", "32, 0", "32x64"),
        dot("d0", "a0", "b0", "ones"),
        dot("d1", "a1", "b1", "ones"),
    );
    let kernel = Kernel::new(&module(&aliases, 4, &function));
    let (a, b) = (Kind::F16.numbers(1, 64 * 64, false), Kind::F16.numbers(2, 64 * 64, false));
    for flag in [0i32, 1] {
        let mut memory = DeviceMemory::new();
        let (pa, pb) = (Kind::F16.upload(&mut memory, &a), Kind::F16.upload(&mut memory, &b));
        let out = upload(&mut memory, &vec![f32::NAN; 64 * 64]);
        kernel.run(&mut memory, [1, 1, 1], vec![pa.into(), pb.into(), out.into(), flag.into()]);
        for (index, got) in download::<f32>(&memory, out).into_iter().enumerate() {
            let exact: f64 = (0..64).map(|k| a[index / 64 * 64 + k] * b[k * 64 + index % 64]).sum();
            assert_eq!(f64::from(got), exact + 2.0 * f64::from(flag), "{index}, {flag}");
        }
    }
}
