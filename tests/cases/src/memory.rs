//! Loads and stores: masks, other values, strides, scalars, cache modifiers, eviction policies, and block pointers with
//! boundary checks, for every element type.

use crate::file::{Array, EXACT, File, Kernel};
use crate::number::{Number, Type};
use crate::reduce::expect;
use crate::tensor::{Tensor, offsets};

/// Elements that exist; the kernels load 128.
const LENGTH: usize = 100;

/// Options of loads that must not change what is loaded.
const LOADS: &[&str] = &[
    "",
    ", cache_modifier='.ca'",
    ", cache_modifier='.cg'",
    ", cache_modifier='.cs'",
    ", cache_modifier='.cv'",
    ", eviction_policy='evict_first'",
    ", eviction_policy='evict_last'",
    ", eviction_policy='evict_normal'",
    ", volatile=True",
];

/// Options of stores.
const STORES: &[&str] = &[
    "",
    ", cache_modifier='.wb'",
    ", cache_modifier='.cg'",
    ", cache_modifier='.cs'",
    ", cache_modifier='.wt'",
    ", eviction_policy='evict_first'",
    ", eviction_policy='evict_last'",
];

/// The files: loads, stores, block pointers.
pub fn files() -> Vec<File> {
    let file =
        |name: &str, about: &str, kernels| File { name: name.into(), about: about.into(), kernels, triton: true };
    let blocks = Type::all().filter(|ty| *ty != Type::B1);
    vec![
        file("loads", "Loads", Type::all().map(loads).collect()),
        file("stores", "Stores", Type::all().map(stores).collect()),
        file("block_pointers", "Block pointers", blocks.flat_map(|ty| [block_loads(ty), block_stores(ty)]).collect()),
    ]
}

fn zero(ty: Type) -> Number {
    ty.rounded(Number::Int(0))
}

fn values(ty: Type, shape: &[usize], seed: &str) -> Tensor {
    if ty == Type::B1 || ty.is_fp8() { Tensor::whole(ty, shape, seed) } else { Tensor::distinct(ty, shape, seed) }
}

fn loads(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("load_{}", ty.name()));
    kernel.warps = if ty.bits() == 32 { 4 } else { 1 };
    let x = values(ty, &[LENGTH * 3], "load");
    kernel.arrays.push(Array::input("x_ptr", ty, &x.data));
    kernel.scalars.push(("n".into(), LENGTH.to_string()));
    kernel.line("i = tl.arange(0, 128)");
    let k = &mut kernel;
    let name = ty.name();
    let element = |place: usize| if place < LENGTH { x.data[place] } else { zero(ty) };
    let plain = Tensor::of(&[128], |index| element(index[0]));
    for option in LOADS {
        expect(k, &format!("tl.load(x_ptr + i, mask=i < n, other=0{option})"), ty, name, plain.clone());
        let all = Tensor::of(&[128], |index| x.data[index[0]]);
        expect(k, &format!("tl.load(x_ptr + i{option})"), ty, name, all);
    }
    if ty != Type::B1 {
        let ones =
            Tensor::of(&[128], |index| if index[0] < LENGTH { x.data[index[0]] } else { ty.rounded(Number::Int(1)) });
        expect(k, "tl.load(x_ptr + i, i < n, 1)", ty, name, ones.clone());
        expect(k, &format!("tl.load(x_ptr + i, i < n, tl.full((128,), 1, tl.{}))", ty.tl()), ty, name, ones);
    }
    let odd = Tensor::of(&[128], |index| if index[0] % 3 == 1 { x.data[index[0]] } else { zero(ty) });
    expect(k, "tl.load(x_ptr + i, mask=i % 3 == 1, other=0)", ty, name, odd);
    for (stride, start) in [(2, 0), (2, 1), (1, 3)] {
        let strided = Tensor::of(&[128], |index| x.data[start + stride * index[0]]);
        expect(k, &format!("tl.load(x_ptr + {start} + i * {stride})"), ty, name, strided);
    }
    let backwards = Tensor::of(&[128], |index| x.data[200 - index[0]]);
    expect(k, "tl.load(x_ptr + 200 - i)", ty, name, backwards);
    for (expression, place) in [("tl.load(x_ptr + n)", LENGTH), ("tl.load(x_ptr + 7)", 7)] {
        expect(k, expression, ty, name, Tensor { shape: vec![], data: vec![x.data[place]] });
    }
    expect(k, "tl.load(x_ptr + n, mask=n < 5, other=0)", ty, name, Tensor { shape: vec![], data: vec![zero(ty)] });
    let rows = Tensor::of(&[8, 16], |index| if index[0] < 5 { x.data[index[0] * 20 + index[1]] } else { zero(ty) });
    let places = "tl.arange(0, 8)[:, None] * 20 + tl.arange(0, 16)[None, :]";
    expect(k, &format!("tl.load(x_ptr + ({places}), mask=(tl.arange(0, 8) < 5)[:, None], other=0)"), ty, name, rows);
    let turned = Tensor::of(&[8, 16], |index| x.data[index[0] + index[1] * 8]);
    expect(k, "tl.load(x_ptr + (tl.arange(0, 8)[:, None] + tl.arange(0, 16)[None, :] * 8))", ty, name, turned);
    kernel
}

fn stores(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("store_{}", ty.name()));
    kernel.warps = if ty.bits() == 16 { 4 } else { 2 };
    let x = values(ty, &[128], "store");
    kernel.arrays.push(Array::input("x_ptr", ty, &x.data));
    let before = values(ty, &[128], "before");
    let mut out = Array::input("out_ptr", ty, &[]);
    kernel.line("i = tl.arange(0, 128)");
    kernel.line("x = tl.load(x_ptr + i)");
    let mut case =
        |kernel: &mut Kernel, what: String, line: &dyn Fn(usize) -> String, after: &dyn Fn(usize) -> Number| {
            out.bits.extend(before.data.iter().map(|value| ty.encode(*value)));
            let start = out.expect(format!("{what} of {}", ty.name()), (0..128).map(after).collect(), EXACT);
            kernel.line(line(start));
        };
    let k = &mut kernel;
    for option in STORES {
        case(k, format!("store{option}"), &|start| format!("tl.store(out_ptr + {start} + i, x{option})"), &|i| {
            x.data[i]
        });
        case(
            k,
            format!("masked store{option}"),
            &|start| format!("tl.store(out_ptr + {start} + i, x, mask=i < 77{option})"),
            &|i| if i < 77 { x.data[i] } else { before.data[i] },
        );
    }
    case(k, "store of some".into(), &|start| format!("tl.store(out_ptr + {start} + i, x, i % 5 == 2)"), &|i| {
        if i % 5 == 2 { x.data[i] } else { before.data[i] }
    });
    case(k, "strided store".into(), &|start| format!("tl.store(out_ptr + {start} + i * 2, x, mask=i < 64)"), &|i| {
        if i % 2 == 0 { x.data[i / 2] } else { before.data[i] }
    });
    case(k, "store backwards".into(), &|start| format!("tl.store(out_ptr + {start} + 127 - i, x)"), &|i| {
        x.data[127 - i]
    });
    case(
        k,
        "store of a scalar".into(),
        &|start| format!("tl.store(out_ptr + {start} + 5, tl.load(x_ptr + 9))"),
        &|i| {
            if i == 5 { x.data[9] } else { before.data[i] }
        },
    );
    case(k, "store of one number".into(), &|start| format!("tl.store(out_ptr + {start} + i, 1)"), &|_| {
        ty.rounded(Number::Int(1))
    });
    case(
        k,
        "masked scalar store".into(),
        &|start| format!("tl.store(out_ptr + {start}, tl.load(x_ptr), mask=x_ptr is None)"),
        &|i| before.data[i],
    );
    kernel.arrays.push(out);
    kernel
}

/// A matrix of 20 rows and 28 columns, seen through blocks of 8 by 16.
const ROWS: usize = 20;
const COLUMNS: usize = 28;

fn block(row: usize, column: usize, transposed: bool) -> String {
    match transposed {
        false => format!(
            "tl.make_block_ptr(x_ptr, shape=({ROWS}, {COLUMNS}), strides=({COLUMNS}, 1), offsets=({row}, {column}), \
             block_shape=(8, 16), order=(1, 0))"
        ),
        true => format!(
            "tl.make_block_ptr(x_ptr, shape=({COLUMNS}, {ROWS}), strides=(1, {COLUMNS}), offsets=({column}, {row}), \
             block_shape=(16, 8), order=(0, 1))"
        ),
    }
}

fn block_loads(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("block_load_{}", ty.name()));
    let x = values(ty, &[ROWS, COLUMNS], "block");
    kernel.arrays.push(Array::input("x_ptr", ty, &x.data));
    let k = &mut kernel;
    let name = ty.name();
    for (row, column) in [(0, 0), (8, 0), (16, 16), (0, 16), (16, 0)] {
        let inside = |i: usize, j: usize, outside: Number| {
            let (i, j) = (row + i, column + j);
            if i < ROWS && j < COLUMNS { x.at(&[i, j]) } else { outside }
        };
        k.line(format!("p = {}", block(row, column, false)));
        let about = format!("{name} at {row}, {column}");
        let loaded = Tensor::of(&[8, 16], |index| inside(index[0], index[1], zero(ty)));
        expect(k, "tl.load(p, boundary_check=(0, 1), padding_option='zero')", ty, &about, loaded.clone());
        if row + 8 <= ROWS {
            expect(k, "tl.load(p, boundary_check=(1,), padding_option='zero')", ty, &about, loaded.clone());
        }
        if row + 8 <= ROWS && column + 16 <= COLUMNS {
            expect(k, "tl.load(p)", ty, &about, loaded.clone());
        }
        if ty.is_float() && !ty.is_fp8() {
            let nan = Tensor::of(&[8, 16], |index| inside(index[0], index[1], Number::Float(f64::NAN)));
            expect(k, "tl.load(p, boundary_check=(0, 1), padding_option='nan')", ty, &about, nan);
        }
        k.line("q = tl.make_block_ptr(x_ptr, (20, 28), (28, 1), (0, 0), (8, 16), (1, 0))");
        k.line(format!("q = tl.advance(q, ({row}, {column}))"));
        expect(
            k,
            "tl.load(q, boundary_check=(0, 1), padding_option='zero')",
            ty,
            &format!("{about}, advanced"),
            loaded,
        );
        k.line(format!("p = {}", block(row, column, true)));
        let turned = Tensor::of(&[16, 8], |index| inside(index[1], index[0], zero(ty)));
        expect(
            k,
            "tl.load(p, boundary_check=(0, 1), padding_option='zero')",
            ty,
            &format!("{about}, transposed"),
            turned,
        );
    }
    kernel
}

fn block_stores(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("block_store_{}", ty.name()));
    let before = values(ty, &[ROWS, COLUMNS], "before");
    let block_values = values(ty, &[8, 16], "stored");
    let mut target = Array::input("x_ptr", ty, &before.data);
    kernel.arrays.push(Array::input("block_ptr", ty, &block_values.data));
    kernel.line(format!("block = tl.load(block_ptr + ({}))", offsets(&[8, 16])));
    let mut after = before.clone();
    for (row, column, transposed) in [(16, 16, false), (0, 0, false), (8, 16, true)] {
        kernel.line(format!("p = {}", block(row, column, transposed)));
        let value = if transposed { "tl.trans(block)" } else { "block" };
        kernel.line(format!("tl.store(p, {value}, boundary_check=(0, 1))"));
        for i in 0..8 {
            for j in 0..16 {
                if row + i < ROWS && column + j < COLUMNS {
                    after.data[(row + i) * COLUMNS + column + j] = block_values.at(&[i, j]);
                }
            }
        }
    }
    for row in 0..ROWS {
        let line = after.data[row * COLUMNS..][..COLUMNS].to_vec();
        target.expect(format!("row {row} after block stores of {}", ty.name()), line, EXACT);
    }
    kernel.arrays.push(target);
    kernel
}
