//! Reductions and scans: every function, element type, axis, shape and number of warps, and combining functions with one,
//! two and three operands.
//!
//! Sums and products are of whole numbers that every type holds exactly, so that no order of additions is favoured and
//! results are compared bit by bit.

use crate::file::{Array, EXACT, File, Kernel};
use crate::number::{Number, Type};
use crate::tensor::{Tensor, offsets};
use std::cmp::Ordering;

/// (shape, warps): one and more elements per thread, fewer elements than threads, axes within and across warps.
const SHAPES: &[(&[usize], u32)] = &[
    (&[128], 4),
    (&[256], 1),
    (&[8], 2),
    (&[16, 32], 4),
    (&[64, 8], 8),
    (&[2, 128], 2),
    (&[4, 8, 16], 4),
    (&[1024], 32),
    (&[8, 128], 16),
];

const FUNCTIONS: &[&str] = &["sum", "max", "min", "argmax", "argmin", "xor_sum", "reduce_or"];

const COMBINERS: &str = r"
@triton.jit
def product(a, b):
    return a * b


@triton.jit
def last(a, b):
    return b


@triton.jit
def better(value, place, other_value, other_place):
    wins = (other_value > value) | ((other_value == value) & (other_place < place))
    return tl.where(wins, other_value, value), tl.where(wins, other_place, place)


@triton.jit
def welford(mean, square, weight, other_mean, other_square, other_weight):
    total = weight + other_weight
    return mean + other_mean, square + other_square, total


# Composition of x -> a * x + b, which is associative and does not commute.
@triton.jit
def compose(a, b, other_a, other_b):
    return other_a * a, other_a * b + other_b
";

/// The files: reductions, scans.
pub fn files() -> Vec<File> {
    let mut reductions = Vec::new();
    let mut scans = Vec::new();
    for ty in Type::all().filter(|ty| *ty != Type::B1 && !ty.is_fp8()) {
        for (shape, warps) in SHAPES {
            reductions.push(reduction(ty, shape, *warps));
            scans.push(scan(ty, shape, *warps));
        }
    }
    // Two files each, so that they can run side by side. The combining functions stand before the first kernel.
    let half = reductions.len() / 2;
    let second = reductions.split_off(half);
    let mut files = Vec::new();
    for (part, mut kernels) in [reductions, second].into_iter().enumerate() {
        kernels[0].functions = COMBINERS.into();
        let about = "Reductions, with all functions and with combining functions".into();
        files.push(File { name: format!("reductions_{part}"), about, kernels, triton: true });
    }
    let half = scans.len() / 2;
    let second = scans.split_off(half);
    for (part, mut kernels) in [scans, second].into_iter().enumerate() {
        kernels[0].functions = COMBINERS.into();
        let about = "Scans in both directions, with all functions and with combining functions".into();
        files.push(File { name: format!("scans_{part}"), about, kernels, triton: true });
    }
    files
}

/// The type of a sum: integers below 32 bits are widened.
fn sum_type(ty: Type) -> Type {
    match ty {
        _ if ty.is_float() || ty.bits() >= 32 => ty,
        _ if ty.is_signed() => Type::I32,
        _ => Type::U32,
    }
}

/// The type of a maximum: everything below 32 bits is widened.
pub fn extremum_type(ty: Type) -> Type {
    match ty {
        _ if ty.bits() >= 32 => ty,
        _ if ty.is_float() => Type::F32,
        _ => Type::I32,
    }
}

fn add(ty: Type, a: Number, b: Number) -> Number {
    if ty.is_float() { Number::Float(a.float() + b.float()) } else { Number::Int(ty.wrap(a.int() + b.int())) }
}

fn multiply(ty: Type, a: Number, b: Number) -> Number {
    if ty.is_float() {
        Number::Float(a.float() * b.float())
    } else {
        Number::Int(ty.wrap(a.int().wrapping_mul(b.int())))
    }
}

/// The first place of the best element.
fn best(values: &[Number], wanted: Ordering) -> usize {
    let better = |best: usize, i: usize| if values[i].order(values[best]) == Some(wanted) { i } else { best };
    (1..values.len()).fold(0, better)
}

/// The result of a reduction of a row and its type; nothing when the function does not take the type.
fn reduced(function: &str, ty: Type, row: &[Number]) -> Option<(Type, Number)> {
    let bits = |combine: fn(i128, i128) -> i128| {
        (!ty.is_float()).then(|| (ty, Number::Int(row.iter().fold(0, |total, value| combine(total, value.int())))))
    };
    let zero = if ty.is_float() { Number::Float(0.0) } else { Number::Int(0) };
    match function {
        "sum" => Some((sum_type(ty), row.iter().fold(zero, |total, value| add(sum_type(ty), total, *value)))),
        "max" => Some((extremum_type(ty), row[best(row, Ordering::Greater)])),
        "min" => Some((extremum_type(ty), row[best(row, Ordering::Less)])),
        "argmax" => Some((Type::I32, Number::Int(best(row, Ordering::Greater) as i128))),
        "argmin" => Some((Type::I32, Number::Int(best(row, Ordering::Less) as i128))),
        "xor_sum" => bits(|a, b| a ^ b),
        "reduce_or" => bits(|a, b| a | b),
        _ => None,
    }
}

fn begin(kind: &str, ty: Type, shape: &[usize], warps: u32, x: &Tensor) -> Kernel {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let mut kernel = Kernel::new(format!("{kind}_{}_{}", ty.name(), sizes.join("x")));
    kernel.warps = warps;
    kernel.arrays.push(Array::input("x_ptr", ty, &x.data));
    kernel.line(format!("x = tl.load(x_ptr + ({}))", offsets(shape)));
    kernel
}

/// Expects a tensor as the value of an expression.
pub fn expect(kernel: &mut Kernel, expression: &str, ty: Type, about: &str, expected: Tensor) {
    kernel.line(format!("r = {expression}"));
    kernel.line(format!("tl.static_assert(r.dtype == tl.{})", ty.tl()));
    expect_value(kernel, "r", expression, ty, about, expected);
}

/// Expects a tensor as the value of a variable.
pub fn expect_value(kernel: &mut Kernel, name: &str, what: &str, ty: Type, about: &str, expected: Tensor) {
    let output = kernel.output(ty);
    let out = output.name.clone();
    let places = offsets(&expected.shape);
    let start = output.expect(format!("{what} of {about}"), expected.data, EXACT);
    kernel.line(format!("tl.store({out} + {start} + ({places}), {name})"));
}

/// The tensor of a function of every line along an axis, or of everything.
fn collapse(x: &Tensor, axis: Option<usize>, keep: bool, of: impl Fn(&[Number]) -> Number) -> Tensor {
    let Some(axis) = axis else {
        let shape = if keep { vec![1; x.shape.len()] } else { Vec::new() };
        return Tensor { shape, data: vec![of(&x.data)] };
    };
    let mut shape = x.shape.clone();
    shape[axis] = 1;
    let mut result = Tensor::of(&shape, |index| of(&x.along(axis, index)));
    if !keep {
        result.shape.remove(axis);
    }
    result
}

fn reduction(ty: Type, shape: &[usize], warps: u32) -> Kernel {
    let x = Tensor::whole(ty, shape, "reduce");
    let mut kernel = begin("reduce", ty, shape, warps, &x);
    let about = format!("{} {shape:?}", ty.name());
    let axes: Vec<Option<usize>> = (0..shape.len()).map(Some).chain([None]).collect();
    for function in FUNCTIONS {
        let Some((result, _)) = reduced(function, ty, &x.data[..1]) else { continue };
        let places = function.starts_with("arg");
        for (turn, axis) in axes.iter().enumerate() {
            // Positions need an axis.
            if places && axis.is_none() {
                continue;
            }
            let keep = turn % 2 == 1;
            let argument = axis.map_or("None".into(), |axis: usize| axis.to_string());
            let flag = if keep { ", keep_dims=True" } else { "" };
            let expected = collapse(&x, *axis, keep, |row| reduced(function, ty, row).map_or(Number::Int(0), |r| r.1));
            expect(&mut kernel, &format!("tl.{function}(x, axis={argument}{flag})"), result, &about, expected);
        }
    }
    let last = shape.len() - 1;
    let of_last = |of: &dyn Fn(&[Number]) -> Number| collapse(&x, Some(last), false, of);
    let product = |row: &[Number]| row.iter().skip(1).fold(row[0], |total, value| multiply(ty, total, *value));
    expect(&mut kernel, &format!("tl.reduce(x, {last}, product)"), ty, &about, of_last(&product));
    kernel.line(format!("value, place = tl.max(x, axis={last}, return_indices=True)"));
    let place = of_last(&|row| Number::Int(best(row, Ordering::Greater) as i128));
    expect_value(
        &mut kernel,
        "value",
        "the value of max with indices",
        ty,
        &about,
        of_last(&|row| row[best(row, Ordering::Greater)]),
    );
    expect_value(&mut kernel, "place", "the index of max with indices", Type::I32, &about, place.clone());
    kernel.line(format!("places = tl.zeros_like(x).to(tl.int32) + ({})", along(shape, last)));
    kernel.line(format!("value, place = tl.reduce((x, places), {last}, better)"));
    expect_value(
        &mut kernel,
        "value",
        "the value of a reduction of pairs",
        ty,
        &about,
        of_last(&|row| row[best(row, Ordering::Greater)]),
    );
    expect_value(&mut kernel, "place", "the index of a reduction of pairs", Type::I32, &about, place);
    if ty == Type::F32 {
        kernel.line(format!(
            "mean, square, weight = tl.reduce((x, x * x, tl.full(x.shape, 1.0, tl.float32)), {last}, welford)"
        ));
        let total = |of: fn(f64) -> f64| of_last(&|row| Number::Float(row.iter().map(|value| of(value.float())).sum()));
        expect_value(&mut kernel, "mean", "the first of three sums", ty, &about, total(|value| value));
        expect_value(&mut kernel, "square", "the second of three sums", ty, &about, total(|value| value * value));
        expect_value(&mut kernel, "weight", "the third of three sums", ty, &about, total(|_| 1.0));
    }
    kernel
}

/// The index along an axis, with the rank of the shape.
fn along(shape: &[usize], axis: usize) -> String {
    let mut subscript = vec!["None"; shape.len()];
    subscript[axis] = ":";
    let place = if shape.len() == 1 { String::new() } else { format!("[{}]", subscript.join(", ")) };
    format!("tl.arange(0, {}){place}", shape[axis])
}

/// A scan along an axis: the combinations of every beginning, or of every end.
fn scanned(x: &Tensor, axis: usize, reverse: bool, combine: impl Fn(Number, Number) -> Number) -> Tensor {
    Tensor::of(&x.shape, |index| {
        let row = x.along(axis, index);
        match reverse {
            false => row[1..=index[axis]].iter().fold(row[0], |total, value| combine(total, *value)),
            true => row[index[axis]..row.len() - 1]
                .iter()
                .rev()
                .fold(row[row.len() - 1], |total, value| combine(total, *value)),
        }
    })
}

fn scan(ty: Type, shape: &[usize], warps: u32) -> Kernel {
    let x = Tensor::whole(ty, shape, "scan");
    let mut kernel = begin("scan", ty, shape, warps, &x);
    let about = format!("{} {shape:?}", ty.name());
    let sum = sum_type(ty);
    for axis in 0..shape.len() {
        for reverse in [false, true] {
            let flag = if reverse { ", reverse=True" } else { "" };
            let wide = x.map(|value| sum.rounded(value));
            expect(
                &mut kernel,
                &format!("tl.cumsum(x, axis={axis}{flag})"),
                sum,
                &about,
                scanned(&wide, axis, reverse, |a, b| add(sum, a, b)),
            );
            expect(
                &mut kernel,
                &format!("tl.cumprod(x, axis={axis}{flag})"),
                sum,
                &about,
                scanned(&wide, axis, reverse, |a, b| multiply(sum, a, b)),
            );
            let last = format!("tl.associative_scan(x, {axis}, last{flag})");
            expect(&mut kernel, &last, ty, &about, scanned(&x, axis, reverse, |_, b| b));
        }
    }
    pairs(&mut kernel, ty, &x, &about);
    kernel
}

/// A scan of pairs whose combination does not commute: composition of linear functions, modulo 2^n or in small numbers.
fn pairs(kernel: &mut Kernel, ty: Type, x: &Tensor, about: &str) {
    if ty.bits() < 32 {
        return;
    }
    for axis in 0..x.shape.len() {
        let slope =
            x.map(|value| if value.float() == 0.0 { ty.rounded(Number::Int(1)) } else { ty.rounded(Number::Int(0)) });
        kernel.line("slope = tl.where(x == 0, 1, 0).to(x.dtype)");
        kernel.line(format!("a, b = tl.associative_scan((slope, x), {axis}, compose)"));
        let through = |last: usize, index: &[usize]| {
            let (slopes, steps) = (slope.along(axis, index), x.along(axis, index));
            (1..=last).fold((slopes[0], steps[0]), |(a, b), i| {
                (multiply(ty, slopes[i], a), add(ty, multiply(ty, slopes[i], b), steps[i]))
            })
        };
        let first = Tensor::of(&x.shape, |index| through(index[axis], index).0);
        let second = Tensor::of(&x.shape, |index| through(index[axis], index).1);
        expect_value(kernel, "a", &format!("slope of a scan of pairs along {axis}"), ty, about, first);
        expect_value(kernel, "b", &format!("step of a scan of pairs along {axis}"), ty, about, second);
    }
}
