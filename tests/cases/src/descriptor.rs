//! Tensor descriptors that kernels make: loads, stores, reductions, gathers and scatters, also over the ends of a matrix.

use crate::file::{Array, EXACT, File, Kernel};
use crate::number::{Number, Type};
use crate::reduce::expect;
use crate::tensor::{Tensor, offsets};

/// A matrix whose rows begin at multiples of 16 bytes, seen through blocks of 8 by 16.
const ROWS: usize = 20;
const COLUMNS: usize = 48;
const BLOCK: [usize; 2] = [8, 16];

/// Triton wants scratch memory for descriptors from the program.
const ALLOCATOR: &str =
    "triton.set_allocator(lambda size, align, stream: torch.empty((size,), dtype=torch.int8, device='cuda'))";

/// The file.
pub fn files() -> Vec<File> {
    let types: Vec<Type> = Type::all().filter(|ty| *ty != Type::B1).collect();
    let mut kernels: Vec<Kernel> = types.iter().flat_map(|ty| [loads(*ty), stores(*ty)]).collect();
    kernels.extend(types.iter().filter_map(|ty| reductions(*ty)));
    kernels.extend([Type::F16, Type::F32, Type::I32, Type::BF16].map(gathers));
    kernels[0].functions = ALLOCATOR.into();
    vec![File { name: "descriptors".into(), about: "Tensor descriptors".into(), kernels, triton: true }]
}

fn values(ty: Type, shape: &[usize], seed: &str) -> Tensor {
    if ty.bits() == 8 { Tensor::whole(ty, shape, seed) } else { Tensor::distinct(ty, shape, seed) }
}

fn make(pointer: &str, block: &str, padding: &str) -> String {
    format!(
        "tl.make_tensor_descriptor({pointer}, shape=[{ROWS}, {COLUMNS}], strides=[{COLUMNS}, 1], block_shape={block}{padding})"
    )
}

/// Places inside, over one end, over both, and before the beginning.
const PLACES: &[(i64, i64)] = &[(0, 0), (8, 16), (16, 0), (3, 40), (16, 40), (-3, -8), (-2, 40)];

/// The start of the unit of 16 bytes that a column lies in: copies of the hardware start there, and Triton uses no others.
fn unit_start(column: i64, ty: Type) -> i64 {
    let unit = 128 / i64::from(ty.bits());
    column.div_euclid(unit) * unit
}

fn inside(row: i64, column: i64) -> Option<[usize; 2]> {
    let (i, j) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
    (i < ROWS && j < COLUMNS).then_some([i, j])
}

fn loads(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("descriptor_load_{}", ty.name()));
    let x = values(ty, &[ROWS, COLUMNS], "descriptor");
    kernel.arrays.push(Array::input("x_ptr", ty, &x.data));
    let nan = ty.is_float() && ty.bits() >= 16;
    kernel.line(format!("d = {}", make("x_ptr", "[8, 16]", "")));
    if nan {
        kernel.line(format!("e = {}", make("x_ptr", "[8, 16]", ", padding_option='nan'")));
    }
    for (row, column) in PLACES.iter().map(|(row, column)| (*row, unit_start(*column, ty))) {
        let about = format!("{} at {row}, {column}", ty.name());
        let block = |outside: Number| {
            Tensor::of(&BLOCK, |index| {
                inside(row + index[0] as i64, column + index[1] as i64).map_or(outside, |place| x.at(&place))
            })
        };
        let zero = ty.rounded(Number::Int(0));
        expect(&mut kernel, &format!("d.load([{row}, {column}])"), ty, &about, block(zero));
        if nan {
            expect(&mut kernel, &format!("e.load([{row}, {column}])"), ty, &about, block(Number::Float(f64::NAN)));
        }
    }
    kernel
}

/// A kernel that changes a matrix, and the matrix afterwards.
fn changing(name: &str, ty: Type, before: &Tensor, after: &Tensor, mut kernel: Kernel) -> Kernel {
    let mut target = Array::input("target_ptr", ty, &before.data);
    for row in 0..ROWS {
        let line = after.data[row * COLUMNS..][..COLUMNS].to_vec();
        target.expect(format!("row {row} after {name} of {}", ty.name()), line, EXACT);
    }
    kernel.arrays.push(target);
    kernel
}

fn stores(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("descriptor_store_{}", ty.name()));
    let before = values(ty, &[ROWS, COLUMNS], "before");
    let block = values(ty, &BLOCK, "stored");
    kernel.arrays.push(Array::input("block_ptr", ty, &block.data));
    kernel.line(format!("block = tl.load(block_ptr + ({}))", offsets(&BLOCK)));
    kernel.line(format!("d = {}", make("target_ptr", "[8, 16]", "")));
    let mut after = before.clone();
    // They do not overlap: nothing says which of two stores comes last.
    for (row, column) in [(0i64, 0i64), (16, 40), (3, 20), (9, 0)] {
        let column = unit_start(column, ty);
        kernel.line(format!("d.store([{row}, {column}], block)"));
        for i in 0..BLOCK[0] {
            for j in 0..BLOCK[1] {
                if let Some([r, c]) = inside(row + i as i64, column + j as i64) {
                    after.data[r * COLUMNS + c] = block.at(&[i, j]);
                }
            }
        }
    }
    changing("stores", ty, &before, &after, kernel)
}

fn takes(operation: &str, ty: Type) -> bool {
    use Type::*;
    match operation {
        "add" => matches!(ty, I32 | U32 | U64 | F32 | F16 | BF16),
        "min" | "max" => matches!(ty, I32 | U32 | I64 | U64 | F16 | BF16),
        _ => matches!(ty, I32 | U32 | I64 | U64),
    }
}

fn combined(operation: &str, ty: Type, a: Number, b: Number) -> Number {
    let greater = a.order(b).is_some_and(std::cmp::Ordering::is_gt);
    match operation {
        "add" if ty.is_float() => Number::Float(a.float() + b.float()),
        "add" => Number::Int(ty.wrap(a.int() + b.int())),
        "min" => {
            if greater {
                b
            } else {
                a
            }
        }
        "max" => {
            if greater {
                a
            } else {
                b
            }
        }
        "and" => Number::Int(a.int() & b.int()),
        "or" => Number::Int(a.int() | b.int()),
        _ => Number::Int(a.int() ^ b.int()),
    }
}

fn reductions(ty: Type) -> Option<Kernel> {
    let operations: Vec<&str> =
        ["add", "min", "max", "and", "or", "xor"].into_iter().filter(|operation| takes(operation, ty)).collect();
    if operations.is_empty() {
        return None;
    }
    let mut kernel = Kernel::new(format!("descriptor_reduce_{}", ty.name()));
    let block = Tensor::whole(ty, &BLOCK, "reduced");
    kernel.arrays.push(Array::input("block_ptr", ty, &block.data));
    kernel.line(format!("block = tl.load(block_ptr + ({}))", offsets(&BLOCK)));
    for operation in operations {
        let before = Tensor::whole(ty, &[ROWS, COLUMNS], operation);
        let mut after = before.clone();
        let name = format!("{operation}_ptr");
        kernel.line(format!("d = {}", make(&name, "[8, 16]", "")));
        for (row, column) in [(0i64, 0i64), (16, 40), (4, 8)] {
            kernel.line(format!("d.atomic_{operation}([{row}, {column}], block)"));
            for i in 0..BLOCK[0] {
                for j in 0..BLOCK[1] {
                    if let Some([r, c]) = inside(row + i as i64, column + j as i64) {
                        let at = &mut after.data[r * COLUMNS + c];
                        *at = combined(operation, ty, *at, block.at(&[i, j]));
                    }
                }
            }
        }
        let mut target = Array::input(&name, ty, &before.data);
        target.expect(format!("memory after atomic_{operation} of {}", ty.name()), after.data, EXACT);
        kernel.arrays.push(target);
    }
    Some(kernel)
}

fn gathers(ty: Type) -> Kernel {
    let mut kernel = Kernel::new(format!("descriptor_gather_{}", ty.name()));
    let x = values(ty, &[ROWS, COLUMNS], "gather");
    let rows: Vec<usize> = vec![3, 17, 0, 19, 5, 5, 11, 2];
    let numbers: Vec<Number> = rows.iter().map(|row| Number::Int(*row as i128)).collect();
    kernel.arrays.push(Array::input("x_ptr", ty, &x.data));
    kernel.arrays.push(Array::input("rows_ptr", Type::I32, &numbers));
    kernel.line("rows = tl.load(rows_ptr + tl.arange(0, 8))");
    kernel.line(format!("d = {}", make("x_ptr", "[1, 16]", "")));
    for column in [0, 16, 32] {
        let block = Tensor::of(&BLOCK, |index| x.at(&[rows[index[0]], column + index[1]]));
        expect(&mut kernel, &format!("d.gather(rows, {column})"), ty, ty.name(), block);
    }
    // Different rows, so that no element is written twice.
    let before = values(ty, &[ROWS, COLUMNS], "scatter");
    let mut after = before.clone();
    kernel.line(format!("t = {}", make("target_ptr", "[1, 16]", "")));
    kernel.line("t.scatter(d.gather(rows, 16), tl.arange(0, 8) * 2, 32)");
    for (i, row) in rows.iter().enumerate() {
        for j in 0..BLOCK[1] {
            after.data[i * 2 * COLUMNS + 32 + j] = x.at(&[*row, 16 + j]);
        }
    }
    changing("scatter", ty, &before, &after, kernel)
}
