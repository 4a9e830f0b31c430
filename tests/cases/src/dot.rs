//! Matrix products: element types, precisions, shapes (those of `mma.sync` and of `wgmma`), batches, accumulators, and
//! pipelined loops.
//!
//! Operands are small whole numbers, so that every order of additions and every accumulator gives the same bits; only the
//! tests of precision use fractions, with the error that the precision allows.

use crate::draw::seeded;
use crate::file::{Array, EXACT, File, Kernel, Tolerance};
use crate::number::{Number, Type};
use crate::tensor::{Tensor, offsets};
use rand::Rng;

/// (M, N, K, warps)
type Shape = (usize, usize, usize, u32);

const SHAPES: &[Shape] = &[
    (16, 16, 32, 1),
    (16, 16, 32, 4),
    (32, 16, 64, 2),
    (16, 64, 32, 4),
    (64, 16, 32, 4),
    (64, 64, 64, 4),
    (128, 32, 32, 4),
    (128, 32, 64, 8),
    // Smaller than an instruction.
    (1, 64, 32, 4),
    (2, 16, 64, 1),
    (8, 8, 32, 4),
    (4, 1, 32, 2),
    (1, 1, 32, 1),
    (16, 4, 64, 2),
    (64, 2, 32, 4),
];

/// Shapes drawn at random, each with one type.
const RANDOM_SHAPES: usize = 40;

/// (type of the operands, type of the second one, result, extra arguments)
const PRODUCTS: &[(Type, Type, Type, &str)] = &[
    (Type::F16, Type::F16, Type::F32, ""),
    (Type::F16, Type::F16, Type::F16, ", out_dtype=tl.float16"),
    (Type::BF16, Type::BF16, Type::F32, ""),
    (Type::F32, Type::F32, Type::F32, ""),
    (Type::F32, Type::F32, Type::F32, ", input_precision='ieee'"),
    (Type::F32, Type::F32, Type::F32, ", input_precision='tf32x3'"),
    (Type::F32, Type::F32, Type::F32, ", allow_tf32=False"),
    (Type::F64, Type::F64, Type::F64, ""),
    (Type::I8, Type::I8, Type::I32, ""),
    (Type::E4M3, Type::E4M3, Type::F32, ""),
    (Type::E5M2, Type::E5M2, Type::F32, ""),
    (Type::E4M3, Type::E5M2, Type::F32, ""),
    (Type::E4M3, Type::E4M3, Type::F32, ", max_num_imprecise_acc=32"),
];

/// The files: products, precisions, batches and loops.
pub fn files() -> Vec<File> {
    let file =
        |name: &str, about: &str, kernels| File { name: name.into(), about: about.into(), kernels, triton: true };
    let mut small = Vec::new();
    let mut large = Vec::new();
    for shape in SHAPES {
        for (turn, product) in PRODUCTS.iter().enumerate() {
            let kernels = if shape.0 < 64 { &mut small } else { &mut large };
            kernels.push(single(*shape, turn, *product));
        }
    }
    let mut others: Vec<Kernel> = (0..RANDOM_SHAPES).map(random).collect();
    for (precision, error) in PRECISIONS {
        others.extend([precise((16, 16, 64, 1), precision, *error), precise((64, 32, 64, 4), precision, *error)]);
        others.push(precise((4, 2, 64, 2), precision, *error));
    }
    for ty in [Type::F16, Type::BF16, Type::F32, Type::I8] {
        others.extend([batched(ty, (2, 16, 32), 2), batched(ty, (4, 16, 32), 4), batched(ty, (2, 4, 8), 2)]);
    }
    for ty in [Type::F16, Type::BF16, Type::F32, Type::E4M3, Type::I8] {
        for (shape, stages) in [
            ((16, 16, 32, 1), 3),
            ((64, 32, 32, 4), 3),
            ((64, 64, 64, 4), 2),
            ((32, 32, 32, 2), 1),
            ((1, 32, 64, 4), 3),
            ((8, 4, 32, 1), 2),
        ] {
            others.push(looped(ty, shape, stages));
        }
    }
    vec![
        file("dot_small", "Matrix products of few rows", small),
        file("dot_large", "Matrix products of the sizes of warp groups", large),
        file("dot_more", "Precisions, batches and pipelined loops of matrix products", others),
    ]
}

/// Whole numbers from -3 to 3.
fn operand(ty: Type, shape: &[usize], seed: &str) -> Tensor {
    let mut random = seeded(&format!("{} {shape:?} {seed}", ty.name()));
    Tensor::of(shape, |_| ty.rounded(Number::Int(random.random_range(-3..=3))))
}

/// a (M, K) by b (K, N), plus c.
fn product(a: &Tensor, b: &Tensor, c: Option<&Tensor>) -> Tensor {
    let whole = matches!(a.data[0], Number::Int(_));
    Tensor::of(&[a.shape[0], b.shape[1]], |index| {
        let terms = (0..a.shape[1]).map(|k| (a.at(&[index[0], k]), b.at(&[k, index[1]])));
        let start = c.map_or(0.0, |c| c.at(index).float());
        let sum: f64 = terms.map(|(x, y)| x.float() * y.float()).sum::<f64>() + start;
        if whole { Number::Int(sum as i128) } else { Number::Float(sum) }
    })
}

fn store(kernel: &mut Kernel, ty: Type, name: &str, about: String, expected: Tensor, tolerance: Tolerance) {
    let output = kernel.output(ty);
    let out = output.name.clone();
    let places = offsets(&expected.shape);
    let start = output.expect(about, expected.data, tolerance);
    kernel.line(format!("tl.static_assert({name}.dtype == tl.{})", ty.tl()));
    kernel.line(format!("tl.store({out} + {start} + ({places}), {name})"));
}

fn input(kernel: &mut Kernel, name: &str, ty: Type, tensor: &Tensor) {
    kernel.arrays.push(Array::input(&format!("{name}_ptr"), ty, &tensor.data));
    kernel.line(format!("{name} = tl.load({name}_ptr + ({}))", offsets(&tensor.shape)));
}

fn single(shape: Shape, turn: usize, (left, right, result, extra): (Type, Type, Type, &str)) -> Kernel {
    let (m, n, k, warps) = shape;
    let mut kernel = Kernel::new(format!("dot_{m}x{n}x{k}_{warps}_{}_{turn}", left.name()));
    kernel.warps = warps;
    let (a, b) = (operand(left, &[m, k], "a"), operand(right, &[k, n], "b"));
    input(&mut kernel, "a", left, &a);
    input(&mut kernel, "b", right, &b);
    let about = format!("dot of {} and {}{extra}, {m}x{n}x{k}, {warps} warps", left.name(), right.name());
    kernel.line(format!("c = tl.dot(a, b{extra})"));
    store(&mut kernel, result, "c", about.clone(), product(&a, &b, None), EXACT);
    kernel.line(format!("d = tl.dot(a, b, acc=c{extra})"));
    let once = product(&a, &b, None);
    store(&mut kernel, result, "d", format!("{about}, accumulated"), product(&a, &b, Some(&once)), EXACT);
    if turn == 0 {
        // The transposed product reads its operands the other way round from memory.
        kernel.line(format!("e = tl.dot(tl.trans(b), tl.trans(a){extra})"));
        let turned = Tensor::of(&[n, m], |index| once.at(&[index[1], index[0]]));
        store(&mut kernel, result, "e", format!("{about}, transposed"), turned, EXACT);
    }
    kernel
}

/// A dot of a shape and a type that nobody chose.
fn random(turn: usize) -> Kernel {
    let mut random = seeded(&format!("dot {turn}"));
    let product = PRODUCTS[random.random_range(0..PRODUCTS.len())];
    let mut power = |most: u32| 1 << random.random_range(0..=most);
    let (m, n, k, warps) = (power(6), power(6), 32 * power(1), power(3) as u32);
    let mut kernel = single((m, n, k, warps), turn, product);
    kernel.name = format!("random_dot_{turn}");
    kernel
}

/// The error of one product relative to the product, by precision: rounding of the operands, or what a split leaves out.
const PRECISIONS: &[(&str, f64)] =
    &[("ieee", 1.2e-7), ("tf32", 9.8e-4), ("tf32x3", 1e-6), ("bf16x3", 3.1e-5), ("bf16x6", 1e-6)];

fn precise(shape: Shape, precision: &str, error: f64) -> Kernel {
    let (m, n, k, warps) = shape;
    let mut kernel = Kernel::new(format!("precision_{precision}_{m}x{n}x{k}"));
    kernel.warps = warps;
    let mut random = seeded(precision);
    let mut fraction = |_: &[usize]| Type::F32.rounded(Number::Float(random.random_range(-1.0..1.0)));
    let a = Tensor::of(&[m, k], &mut fraction);
    let b = Tensor::of(&[k, n], &mut fraction);
    input(&mut kernel, "a", Type::F32, &a);
    input(&mut kernel, "b", Type::F32, &b);
    kernel.line(format!("c = tl.dot(a, b, input_precision='{precision}')"));
    // Every term may be off by `error`, and every addition rounds; sums of 64 terms stay below 16.
    let absolute = error * (k as f64).sqrt() * 2.0 + 16.0 * 1.2e-7;
    let about = format!("dot with precision {precision}, {m}x{n}x{k}");
    store(&mut kernel, Type::F32, "c", about, product(&a, &b, None), Tolerance { ulps: 0, absolute });
    kernel
}

fn batched(ty: Type, (batch, m, n): (usize, usize, usize), warps: u32) -> Kernel {
    let k = 32;
    let mut kernel = Kernel::new(format!("batched_{}_{batch}_{m}x{n}_{warps}", ty.name()));
    kernel.warps = warps;
    let (a, b) = (operand(ty, &[batch, m, k], "a"), operand(ty, &[batch, k, n], "b"));
    input(&mut kernel, "a", ty, &a);
    input(&mut kernel, "b", ty, &b);
    kernel.line("c = tl.dot(a, b)");
    let slice = |x: &Tensor, at: usize| Tensor::of(&x.shape[1..], |index| x.at(&[at, index[0], index[1]]));
    let products: Vec<Tensor> = (0..batch).map(|at| product(&slice(&a, at), &slice(&b, at), None)).collect();
    let expected = Tensor::of(&[batch, m, n], |index| products[index[0]].at(&index[1..]));
    let result = if ty == Type::I8 { Type::I32 } else { Type::F32 };
    store(&mut kernel, result, "c", format!("{batch} products of {}", ty.name()), expected, EXACT);
    kernel
}

/// A loop over K whose last block is partly outside; what is outside counts as one, so that the fill value is seen.
fn looped(ty: Type, (m, n, block, warps): Shape, stages: u32) -> Kernel {
    let k = 3 * block + block / 2;
    let mut kernel = Kernel::new(format!("loop_{}_{m}x{n}x{block}_{stages}", ty.name()));
    kernel.warps = warps;
    kernel.stages = Some(stages);
    let (a, b) = (operand(ty, &[m, k], "a"), operand(ty, &[k, n], "b"));
    kernel.arrays.push(Array::input("a_ptr", ty, &a.data));
    kernel.arrays.push(Array::input("b_ptr", ty, &b.data));
    kernel.scalars.push(("K".into(), k.to_string()));
    let result = if ty == Type::I8 { Type::I32 } else { Type::F32 };
    for other in [0, 1] {
        kernel.line(format!("c = tl.zeros(({m}, {n}), dtype=tl.{})", result.tl()));
        kernel.line(format!("for start in range(0, K, {block}):"));
        kernel.line(format!("    k = start + tl.arange(0, {block})"));
        kernel.line(format!(
            "    a = tl.load(a_ptr + (tl.arange(0, {m})[:, None] * K + k[None, :]), mask=k[None, :] < K, other={other})"
        ));
        kernel.line(format!(
            "    b = tl.load(b_ptr + (k[:, None] * {n} + tl.arange(0, {n})[None, :]), mask=k[:, None] < K, other={other})"
        ));
        kernel.line("    c = tl.dot(a, b, c)");
        let outside = other as f64 * (block / 2) as f64;
        let expected = product(&a, &b, None).map(|value| match value {
            Number::Int(sum) => Number::Int(sum + outside as i128),
            Number::Float(sum) => Number::Float(sum + outside),
        });
        let about = format!("loop over {k} of {}, {m}x{n}, {stages} stages, outside {other}", ty.name());
        store(&mut kernel, result, "c", about, expected, EXACT);
    }
    kernel
}
