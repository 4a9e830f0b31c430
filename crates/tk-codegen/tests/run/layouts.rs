//! Layout changes, reductions, shape operations and shared buffers between random layouts.

use crate::harness::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_sim::DeviceMemory;

/// Operations that make `%name`, a tensor of pointers to the row-major elements of `%base`, in layout `#layout`.
pub(super) fn pointers(name: &str, base: &str, layout: &str, shape: [usize; 2], ty: &str) -> String {
    let [m, n] = shape;
    format!(
        "%{name}_i = tt.make_range {{end = {m} : i32, start = 0 : i32}} : tensor<{m}xi32, #ttg.slice<{{dim = 1, parent = #{layout}}}>>
         %{name}_j = tt.make_range {{end = {n} : i32, start = 0 : i32}} : tensor<{n}xi32, #ttg.slice<{{dim = 0, parent = #{layout}}}>>
         %{name}_i2 = tt.expand_dims %{name}_i {{axis = 1 : i32}} : tensor<{m}xi32, #ttg.slice<{{dim = 1, parent = #{layout}}}>> -> tensor<{m}x1xi32, #{layout}>
         %{name}_j2 = tt.expand_dims %{name}_j {{axis = 0 : i32}} : tensor<{n}xi32, #ttg.slice<{{dim = 0, parent = #{layout}}}>> -> tensor<1x{n}xi32, #{layout}>
         %{name}_w = arith.constant dense<{n}> : tensor<{m}x1xi32, #{layout}>
         %{name}_r = arith.muli %{name}_i2, %{name}_w : tensor<{m}x1xi32, #{layout}>
         %{name}_rb = tt.broadcast %{name}_r : tensor<{m}x1xi32, #{layout}> -> tensor<{m}x{n}xi32, #{layout}>
         %{name}_jb = tt.broadcast %{name}_j2 : tensor<1x{n}xi32, #{layout}> -> tensor<{m}x{n}xi32, #{layout}>
         %{name}_o = arith.addi %{name}_rb, %{name}_jb : tensor<{m}x{n}xi32, #{layout}>
         %{name}_b = tt.splat %{base} : !tt.ptr<{ty}> -> tensor<{m}x{n}x!tt.ptr<{ty}>, #{layout}>
         %{name} = tt.addptr %{name}_b, %{name}_o : tensor<{m}x{n}x!tt.ptr<{ty}>, #{layout}>, tensor<{m}x{n}xi32, #{layout}>\n"
    )
}

pub(super) fn random_shape(rng: &mut ChaCha8Rng, most: u32) -> [usize; 2] {
    let rows = rng.random_range(0..=most);
    [1 << rows, 1 << rng.random_range(0..=most - rows)]
}

fn convert_kernel(a: &str, b: &str, warps: u32, shape: [usize; 2], ty: &str) -> Kernel {
    let [m, n] = shape;
    let body = format!(
        "tt.func public @convert(%x: !tt.ptr<{ty}> {{tt.divisibility = 16 : i32}}, %y: !tt.ptr<{ty}> {{tt.divisibility = 16 : i32}}) {{
         {}{}
         %v = tt.load %p : tensor<{m}x{n}x!tt.ptr<{ty}>, #a>
         %c = ttg.convert_layout %v : tensor<{m}x{n}x{ty}, #a> -> tensor<{m}x{n}x{ty}, #b>
         tt.store %q, %c : tensor<{m}x{n}x!tt.ptr<{ty}>, #b>
         tt.return
         }}",
        pointers("p", "x", "a", shape, ty),
        pointers("q", "y", "b", shape, ty)
    );
    Kernel::new(&module(&format!("#a = {a}\n#b = {b}"), warps, &body))
}

fn check_convert<T: Element + PartialEq + std::fmt::Debug>(seed: u64, ty: &str, value: impl Fn(usize) -> T) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..12 {
        let warps = 1 << rng.random_range(0..4);
        let shape = random_shape(&mut rng, 12);
        let (a, b) = (random_blocked(&mut rng, warps), random_blocked(&mut rng, warps));
        let kernel = convert_kernel(&a, &b, warps, shape, ty);
        let values: Vec<T> = (0..shape[0] * shape[1]).map(&value).collect();
        let mut memory = DeviceMemory::new();
        let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &vec![value(usize::MAX >> 1); values.len()]));
        kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
        assert_eq!(download::<T>(&memory, y), values, "{shape:?} {a} -> {b}");
    }
}

#[test]
fn conversions_keep_every_element() {
    check_convert(1, "i32", |at| at as i32);
    check_convert(2, "f16", |at| half::f16::from_bits(at as u16 & 0x7bff));
    check_convert(3, "i8", |at| at.wrapping_mul(7) as u8);
    check_convert(4, "f64", |at| at as f64);
    check_convert(5, "bf16", |at| half::bf16::from_bits(at as u16 & 0x7b7f));
}

pub(super) fn reduce_kernel(
    layout: &str,
    warps: u32,
    shape: [usize; 2],
    axis: usize,
    ty: &str,
    combine: &str,
) -> Kernel {
    let kept = shape[1 - axis];
    let result = format!("tensor<{kept}x{ty}, #ttg.slice<{{dim = {axis}, parent = #a}}>>");
    let pointer_result = format!("tensor<{kept}x!tt.ptr<{ty}>, #ttg.slice<{{dim = {axis}, parent = #a}}>>");
    let index_result = format!("tensor<{kept}xi32, #ttg.slice<{{dim = {axis}, parent = #a}}>>");
    let body = format!(
        "tt.func public @reduce(%x: !tt.ptr<{ty}> {{tt.divisibility = 16 : i32}}, %y: !tt.ptr<{ty}> {{tt.divisibility = 16 : i32}}) {{
         {}
         %v = tt.load %p : tensor<{}x{}x!tt.ptr<{ty}>, #a>
         %r = \"tt.reduce\"(%v) <{{axis = {axis} : i32}}> ({{
         ^bb0(%l: {ty}, %m: {ty}):
           %s = {combine} %l, %m : {ty}
           tt.reduce.return %s : {ty}
         }}) : (tensor<{}x{}x{ty}, #a>) -> {result}
         %i = tt.make_range {{end = {kept} : i32, start = 0 : i32}} : {index_result}
         %b = tt.splat %y : !tt.ptr<{ty}> -> {pointer_result}
         %q = tt.addptr %b, %i : {pointer_result}, {index_result}
         tt.store %q, %r : {pointer_result}
         tt.return
         }}",
        pointers("p", "x", "a", shape, ty),
        shape[0],
        shape[1],
        shape[0],
        shape[1]
    );
    Kernel::new(&module(&format!("#a = {layout}"), warps, &body))
}

#[test]
fn reductions_combine_every_element_once() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for round in 0..30 {
        let warps = 1 << rng.random_range(0..4);
        let shape = random_shape(&mut rng, 12);
        let axis = rng.random_range(0..2);
        let layout = random_blocked(&mut rng, warps);
        let values: Vec<i32> = (0..shape[0] * shape[1]).map(|_| rng.random_range(-1000..1000)).collect();
        let wide = round % 3 == 0;
        let kernel = if wide {
            reduce_kernel(&layout, warps, shape, axis, "i64", "arith.addi")
        } else {
            reduce_kernel(&layout, warps, shape, axis, "i32", if round % 3 == 1 { "arith.addi" } else { "arith.maxsi" })
        };
        let expected: Vec<i64> = (0..shape[1 - axis])
            .map(|kept| {
                let at = |along: usize| {
                    i64::from(values[if axis == 0 { along * shape[1] + kept } else { kept * shape[1] + along }])
                };
                let all = (0..shape[axis]).map(at);
                if round % 3 == 2 { all.max().unwrap() } else { all.sum() }
            })
            .collect();
        let mut memory = DeviceMemory::new();
        let got: Vec<i64> = if wide {
            let values: Vec<i64> = values.iter().map(|value| i64::from(*value)).collect();
            let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &vec![-1i64; expected.len()]));
            kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
            download(&memory, y)
        } else {
            let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &vec![-1i32; expected.len()]));
            kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
            download::<i32>(&memory, y).into_iter().map(i64::from).collect()
        };
        assert_eq!(got, expected, "{shape:?} along {axis} of {layout}");
    }
}

#[test]
fn argmax_reduces_two_operands() {
    let body = "tt.func public @argmax(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<i32>) {
        %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #a>
        %b = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #a>
        %p = tt.addptr %b, %i : tensor<512x!tt.ptr<f32>, #a>, tensor<512xi32, #a>
        %v = tt.load %p : tensor<512x!tt.ptr<f32>, #a>
        %r:2 = \"tt.reduce\"(%v, %i) <{axis = 0 : i32}> ({
        ^bb0(%va: f32, %ia: i32, %vb: f32, %ib: i32):
          %gt = arith.cmpf ogt, %va, %vb : f32
          %eq = arith.cmpf oeq, %va, %vb : f32
          %lt = arith.cmpi slt, %ia, %ib : i32
          %tie = arith.andi %eq, %lt : i1
          %take = arith.ori %gt, %tie : i1
          %vm = arith.select %take, %va, %vb : f32
          %im = arith.select %take, %ia, %ib : i32
          tt.reduce.return %vm, %im : f32, i32
        }) : (tensor<512xf32, #a>, tensor<512xi32, #a>) -> (f32, i32)
        tt.store %y, %r#1 : !tt.ptr<i32>
        tt.return
        }";
    let layout = "#a = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
    let kernel = Kernel::new(&module(layout, 4, body));
    let mut values = random(7, 512);
    values[300] = 2.0;
    values[77] = 2.0;
    let mut memory = DeviceMemory::new();
    let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &[-1i32]));
    kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
    assert_eq!(download::<i32>(&memory, y), [77]);
}

#[test]
fn transposed_views_and_buffers() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for shared in [
        "vec = 1, perPhase = 1, maxPhase = 1",
        "vec = 4, perPhase = 2, maxPhase = 4",
        "vec = 8, perPhase = 1, maxPhase = 8",
    ] {
        for _ in 0..4 {
            let (a, b) = (random_blocked(&mut rng, 4), random_blocked(&mut rng, 4));
            let shape = [64, 64];
            let body = format!(
                "tt.func public @buffers(%x: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}, %y: !tt.ptr<f16> {{tt.divisibility = 16 : i32}}) {{
                 {}{}
                 %v = tt.load %p : tensor<64x64x!tt.ptr<f16>, #a>
                 %m = ttg.local_alloc %v : (tensor<64x64xf16, #a>) -> !ttg.memdesc<64x64xf16, #s, #smem>
                 %t = ttg.memdesc_trans %m {{order = array<i32: 1, 0>}} : !ttg.memdesc<64x64xf16, #s, #smem> -> !ttg.memdesc<64x64xf16, #st, #smem>
                 %c = ttg.local_load %t : !ttg.memdesc<64x64xf16, #st, #smem> -> tensor<64x64xf16, #b>
                 tt.store %q, %c : tensor<64x64x!tt.ptr<f16>, #b>
                 tt.return
                 }}",
                pointers("p", "x", "a", shape, "f16"),
                pointers("q", "y", "b", shape, "f16")
            );
            let aliases = format!(
                "#a = {a}\n#b = {b}\n#s = #ttg.swizzled_shared<{{{shared}, order = [1, 0]}}>\n#st = #ttg.swizzled_shared<{{{shared}, order = [0, 1]}}>\n#smem = #ttg.shared_memory"
            );
            let kernel = Kernel::new(&module(&aliases, 4, &body));
            let values: Vec<u16> = (0..4096).collect();
            let mut memory = DeviceMemory::new();
            let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &vec![0u16; 4096]));
            kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
            let expected: Vec<u16> = (0..4096).map(|at| (at % 64) * 64 + at / 64).collect();
            assert_eq!(download::<u16>(&memory, y), expected, "{a} {b} {shared}");
        }
    }
}

#[test]
fn reshape_and_trans_rename_registers() {
    let body = format!(
        "tt.func public @rename(%x: !tt.ptr<i32> {{tt.divisibility = 16 : i32}}, %y: !tt.ptr<i32> {{tt.divisibility = 16 : i32}}) {{
         {}{}
         %v = tt.load %p : tensor<32x64x!tt.ptr<i32>, #a>
         %t = tt.trans %v {{order = array<i32: 1, 0>}} : tensor<32x64xi32, #a> -> tensor<64x32xi32, #b>
         tt.store %q, %t : tensor<64x32x!tt.ptr<i32>, #b>
         tt.return
         }}",
        pointers("p", "x", "a", [32, 64], "i32"),
        pointers("q", "y", "b", [64, 32], "i32")
    );
    let aliases =
        "#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [2, 2], order = [1, 0]}>
        #b = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [2, 2], order = [0, 1]}>";
    let kernel = Kernel::new(&module(aliases, 4, &body));
    assert_eq!(kernel.count("bar.sync"), 0);
    let values: Vec<i32> = (0..2048).collect();
    let mut memory = DeviceMemory::new();
    let (x, y) = (upload(&mut memory, &values), upload(&mut memory, &vec![-1i32; 2048]));
    kernel.run(&mut memory, [1, 1, 1], vec![x.into(), y.into()]);
    let expected: Vec<i32> = (0..2048).map(|at| (at % 32) * 64 + at / 32).collect();
    assert_eq!(download::<i32>(&memory, y), expected);
}
