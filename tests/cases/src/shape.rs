//! Shapes: every function that moves elements, for one element type of each width, several shapes and numbers of warps;
//! then sorting, histograms and creation.

use crate::draw::seeded;
use crate::file::{Array, File, Kernel};
use crate::number::{Number, Type};
use crate::reduce::{expect, expect_value, extremum_type};
use crate::tensor::{Tensor, flatten, offsets, tuple};
use rand::Rng;
use std::cmp::Ordering;

/// Moving does not look at the numbers: one type of each width, a float where that is another path.
const TYPES: &[Type] = &[
    Type::I8,
    Type::I16,
    Type::I32,
    Type::I64,
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::F16,
    Type::BF16,
    Type::F32,
    Type::F64,
];

/// The files: movements, sorting, creation.
pub fn files() -> Vec<File> {
    let mut moves = Vec::new();
    let mut sorts = Vec::new();
    for ty in TYPES {
        for (shape, warps) in [([8, 16], 4), ([32, 4], 1), ([2, 64], 2)] {
            moves.push(movements(*ty, &shape, warps));
        }
        for (shape, warps) in [([4, 8, 2], 1), ([2, 4, 16], 4)] {
            moves.push(permutations(*ty, &shape, warps));
        }
        moves.push(permutations(*ty, &[2, 4, 8, 2], 2));
        for (shape, warps) in [([16, 8], 4), ([8, 32], 2)] {
            moves.push(gathers(*ty, &shape, warps));
        }
        moves.push(lines(*ty));
    }
    for ty in Type::all().filter(|ty| *ty != Type::B1 && !ty.is_fp8()) {
        for (shape, warps) in [(vec![64], 2), (vec![8, 16], 4), (vec![2, 128], 1)] {
            sorts.push(sorting(ty, &shape, warps));
        }
    }
    sorts.extend([Type::I32, Type::U32].map(histogram));
    let made = Type::all().map(creation).collect();
    let file =
        |name: &str, about: &str, kernels| File { name: name.into(), about: about.into(), kernels, triton: true };
    vec![
        file("shapes", "Functions that move elements", moves),
        file("sorting", "Sorting, the largest, and histograms", sorts),
        file("creation", "Tensors from nothing, and hints", made),
    ]
}

fn begin(kind: &str, ty: Type, shape: &[usize], warps: u32, names: &[&str]) -> (Kernel, Vec<Tensor>) {
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let mut kernel = Kernel::new(format!("{kind}_{}_{}", ty.name(), sizes.join("x")));
    kernel.warps = warps;
    let mut tensors = Vec::new();
    for name in names {
        let tensor = Tensor::distinct(ty, shape, name);
        kernel.arrays.push(Array::input(&format!("{name}_ptr"), ty, &tensor.data));
        kernel.line(format!("{name} = tl.load({name}_ptr + ({}))", offsets(shape)));
        tensors.push(tensor);
    }
    (kernel, tensors)
}

/// A tensor with its dimensions in another order.
fn permuted(x: &Tensor, order: &[usize]) -> Tensor {
    let shape: Vec<usize> = order.iter().map(|axis| x.shape[*axis]).collect();
    Tensor::of(&shape, |index| {
        let mut source = vec![0; order.len()];
        order.iter().zip(index).for_each(|(axis, i)| source[*axis] = *i);
        x.at(&source)
    })
}

fn flipped(x: &Tensor, axis: usize) -> Tensor {
    Tensor::of(&x.shape, |index| {
        let mut index = index.to_vec();
        index[axis] = x.shape[axis] - 1 - index[axis];
        x.at(&index)
    })
}

fn joined(x: &Tensor, y: &Tensor) -> Tensor {
    let mut shape = x.shape.clone();
    shape.push(2);
    Tensor::of(&shape, |index| {
        let (last, index) = index.split_last().map_or((0, index), |(last, index)| (*last, index));
        if last == 0 { x.at(index) } else { y.at(index) }
    })
}

fn movements(ty: Type, shape: &[usize], warps: u32) -> Kernel {
    let (mut kernel, tensors) = begin("move", ty, shape, warps, &["x", "y"]);
    let (x, y) = (&tensors[0], &tensors[1]);
    let (m, n) = (shape[0], shape[1]);
    let about = format!("{} {shape:?}", ty.name());
    let k = &mut kernel;
    for target in [vec![n, m], vec![m * n], vec![m, n / 2, 2], vec![2, m / 2, n], vec![m / 2, 2, 2, n / 2]] {
        let moved = x.reshaped(&target);
        expect(k, &format!("tl.reshape(x, {})", tuple(&target)), ty, &about, moved.clone());
        expect(k, &format!("x.reshape{}", tuple(&target)), ty, &about, moved);
    }
    expect(k, "tl.ravel(x)", ty, &about, x.reshaped(&[m * n]));
    expect(k, "x.ravel()", ty, &about, x.reshaped(&[m * n]));
    let turned = permuted(x, &[1, 0]);
    for expression in
        ["tl.trans(x)", "x.T", "tl.trans(x, 1, 0)", "tl.permute(x, (1, 0))", "x.permute(1, 0)", "x.trans()"]
    {
        expect(k, expression, ty, &about, turned.clone());
    }
    for (expression, target) in [
        ("x[:, None, :]", vec![m, 1, n]),
        ("x[None, :, :]", vec![1, m, n]),
        ("x[:, :, None]", vec![m, n, 1]),
        ("tl.expand_dims(x, 1)", vec![m, 1, n]),
        ("tl.expand_dims(x, -1)", vec![m, n, 1]),
        ("tl.expand_dims(x, (0, 3))", vec![1, m, n, 1]),
        ("x.expand_dims(0)", vec![1, m, n]),
    ] {
        expect(k, expression, ty, &about, x.reshaped(&target));
    }
    let spread = Tensor::of(&[m, 4, n], |index| x.at(&[index[0], index[2]]));
    expect(k, "tl.broadcast_to(x[:, None, :], (x.shape[0], 4, x.shape[1]))", ty, &about, spread.clone());
    expect(k, "x[:, None, :].broadcast_to(x.shape[0], 4, x.shape[1])", ty, &about, spread);
    k.line("a, b = tl.broadcast(x[:, None, :], y[None, :, :])");
    let square = [m, m, n];
    expect_value(k, "a", "left of broadcast", ty, &about, Tensor::of(&square, |index| x.at(&[index[0], index[2]])));
    expect_value(k, "b", "right of broadcast", ty, &about, Tensor::of(&square, |index| y.at(&[index[1], index[2]])));
    let pairs = joined(x, y);
    expect(k, "tl.join(x, y)", ty, &about, pairs.clone());
    expect(k, "tl.interleave(x, y)", ty, &about, pairs.reshaped(&[m, 2 * n]));
    let halves = [m, n / 2];
    k.line(format!("a, b = tl.split(x.reshape({m}, {}, 2))", n / 2));
    expect_value(k, "a", "first of split", ty, &about, Tensor::of(&halves, |index| x.at(&[index[0], 2 * index[1]])));
    expect_value(
        k,
        "b",
        "second of split",
        ty,
        &about,
        Tensor::of(&halves, |index| x.at(&[index[0], 2 * index[1] + 1])),
    );
    expect(k, "tl.flip(x, 0)", ty, &about, flipped(x, 0));
    expect(k, "tl.flip(x, 1)", ty, &about, flipped(x, 1));
    expect(k, "x.flip(-1)", ty, &about, flipped(x, 1));
    kernel
}

fn orders(rank: usize) -> Vec<Vec<usize>> {
    if rank == 0 {
        return vec![Vec::new()];
    }
    let mut result = Vec::new();
    for shorter in orders(rank - 1) {
        for at in 0..rank {
            let mut order = shorter.clone();
            order.insert(at, rank - 1);
            result.push(order);
        }
    }
    result
}

fn permutations(ty: Type, shape: &[usize], warps: u32) -> Kernel {
    let (mut kernel, tensors) = begin("permute", ty, shape, warps, &["x"]);
    let about = format!("{} {shape:?}", ty.name());
    for order in orders(shape.len()) {
        let expression = format!("tl.permute(x, {})", tuple(&order));
        expect(&mut kernel, &expression, ty, &about, permuted(&tensors[0], &order));
    }
    kernel
}

fn gathers(ty: Type, shape: &[usize], warps: u32) -> Kernel {
    let (mut kernel, tensors) = begin("gather", ty, shape, warps, &["x"]);
    let about = format!("{} {shape:?}", ty.name());
    for axis in 0..2 {
        for size in [shape[axis], shape[axis] / 4, 1] {
            let mut target = shape.to_vec();
            target[axis] = size;
            let mut random = seeded(&format!("{about} {axis} {size}"));
            let indices = Tensor::of(&target, |_| Number::Int(random.random_range(0..shape[axis] as i128)));
            let name = format!("index_{axis}_{size}_ptr");
            kernel.arrays.push(Array::input(&name, Type::I32, &indices.data));
            kernel.line(format!("index = tl.load({name} + ({}))", offsets(&target)));
            let gathered = Tensor::of(&target, |place| {
                let mut source = place.to_vec();
                source[axis] = indices.at(place).int() as usize;
                tensors[0].at(&source)
            });
            expect(&mut kernel, &format!("tl.gather(x, index, {axis})"), ty, &format!("{about} from {size}"), gathered);
        }
    }
    kernel
}

/// Functions of one dimension.
fn lines(ty: Type) -> Kernel {
    let (mut kernel, tensors) = begin("line", ty, &[64], 2, &["x", "y"]);
    let (x, y) = (&tensors[0], &tensors[1]);
    let k = &mut kernel;
    expect(k, "tl.flip(x)", ty, ty.name(), flipped(x, 0));
    expect(k, "tl.join(x, y)", ty, ty.name(), joined(x, y));
    expect(k, "tl.interleave(x, y)", ty, ty.name(), joined(x, y).reshaped(&[128]));
    expect(
        k,
        "tl.reshape(x, (4, 16)).T.reshape(64)",
        ty,
        ty.name(),
        permuted(&x.reshaped(&[4, 16]), &[1, 0]).reshaped(&[64]),
    );
    expect(k, "tl.sort(tl.cat(x, y, can_reorder=True))", ty, ty.name(), {
        let both = Tensor { shape: vec![128], data: [x.data.clone(), y.data.clone()].concat() };
        sorted(&both, false)
    });
    k.line("a, b = tl.split(tl.join(x, y))");
    expect_value(k, "a", "first of split and join", ty, ty.name(), x.clone());
    expect_value(k, "b", "second of split and join", ty, ty.name(), y.clone());
    kernel
}

fn sorted(x: &Tensor, descending: bool) -> Tensor {
    let last = x.shape.len() - 1;
    Tensor::of(&x.shape, |index| {
        let mut row = x.along(last, index);
        row.sort_by(|a, b| a.order(*b).unwrap_or(Ordering::Equal));
        if descending {
            row.reverse();
        }
        row[index[last]]
    })
}

fn sorting(ty: Type, shape: &[usize], warps: u32) -> Kernel {
    let (mut kernel, tensors) = begin("sort", ty, shape, warps, &["x"]);
    let about = format!("{} {shape:?}", ty.name());
    let x = &tensors[0];
    let k = &mut kernel;
    expect(k, "tl.sort(x)", ty, &about, sorted(x, false));
    expect(k, "tl.sort(x, descending=True)", ty, &about, sorted(x, true));
    expect(k, "x.sort()", ty, &about, sorted(x, false));
    let wide = extremum_type(ty);
    for count in [2, 8] {
        let mut target = shape.to_vec();
        target[shape.len() - 1] = count;
        let order = sorted(&x.map(|value| wide.rounded(value)), true);
        expect(k, &format!("tl.topk(x, {count})"), wide, &about, Tensor::of(&target, |index| order.at(index)));
    }
    kernel
}

fn histogram(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("histogram_{}", ty.name()));
    let mut random = seeded("histogram");
    // Some numbers belong to no bin and are dropped.
    let x = Tensor::of(&[256], |_| Number::Int(random.random_range(0..80)));
    kernel.arrays.push(Array::input("x_ptr", ty, &x.data));
    kernel.line("i = tl.arange(0, 256)");
    kernel.line("x = tl.load(x_ptr + i)");
    for bins in [2usize, 16, 64, 128] {
        let count = |bin: usize, limit: usize| {
            let of = x.data.iter().enumerate().filter(|(i, value)| *i < limit && value.int() == bin as i128);
            Number::Int(of.count() as i128)
        };
        let of = |limit| Tensor::of(&[bins], |index| count(index[0], limit));
        expect(&mut kernel, &format!("tl.histogram(x, {bins})"), Type::I32, ty.name(), of(256));
        expect(&mut kernel, &format!("tl.histogram(x, {bins}, mask=i < 100)"), Type::I32, ty.name(), of(100));
        expect(&mut kernel, &format!("x.histogram({bins})"), Type::I32, ty.name(), of(256));
    }
    kernel
}

fn creation(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("create_{}", ty.name()));
    let name = ty.tl();
    let k = &mut kernel;
    let constant = |shape: &[usize], value: i128| Tensor::of(shape, |_| ty.rounded(Number::Int(value)));
    for shape in [vec![128], vec![8, 4], vec![2, 2, 16]] {
        let size = tuple(&shape);
        expect(k, &format!("tl.zeros({size}, dtype=tl.{name})"), ty, name, constant(&shape, 0));
        expect(k, &format!("tl.full({size}, 1, tl.{name})"), ty, name, constant(&shape, 1));
        expect(k, &format!("tl.zeros_like(tl.full({size}, 1, tl.{name}))"), ty, name, constant(&shape, 0));
        if ty.is_float() && !ty.is_fp8() {
            let half = Tensor::of(&shape, |_| Number::Float(2.5));
            expect(k, &format!("tl.full({size}, 2.5, tl.{name})"), ty, name, half);
        }
    }
    if ty == Type::I32 {
        for (start, end) in [(0, 16), (3, 11), (100, 228)] {
            let range = Tensor::of(&[end - start], |index| Number::Int((start + index[0]) as i128));
            expect(k, &format!("tl.arange({start}, {end})"), ty, "range", range);
        }
        for hint in ["multiple_of", "max_contiguous", "max_constancy"] {
            let range = Tensor::of(&[64], |index| Number::Int(index[0] as i128 * 16));
            let value = if hint == "max_constancy" { 1 } else { 16 };
            let value = if hint == "max_contiguous" { 1 } else { value };
            expect(k, &format!("tl.{hint}(tl.arange(0, 64) * 16, {value})"), ty, "hint", range);
        }
        swizzle(k);
    }
    kernel
}

/// `swizzle2d`: the rows of a matrix in groups, each group in column order.
fn swizzle(kernel: &mut Kernel) {
    for (rows, columns, group) in [(8usize, 4usize, 2usize), (8, 8, 4), (4, 16, 4), (8, 4, 8)] {
        let shape = [rows, columns];
        let place = |index: &[usize]| {
            let flat = flatten(&shape, index);
            let (block, within) = (flat / (group * columns), flat % (group * columns));
            (block * group + within % group, within / group)
        };
        kernel.line(format!(
            "a, b = tl.swizzle2d(tl.arange(0, {rows})[:, None], tl.arange(0, {columns})[None, :], {rows}, {columns}, {group})"
        ));
        let about = format!("{rows} rows, {columns} columns, groups of {group}");
        let first = Tensor::of(&shape, |index| Number::Int(place(index).0 as i128));
        let second = Tensor::of(&shape, |index| Number::Int(place(index).1 as i128));
        expect_value(kernel, "a", "row of swizzle2d", Type::I32, &about, first);
        expect_value(kernel, "b", "column of swizzle2d", Type::I32, &about, second);
    }
}
