//! Values that are constant along an axis over what a thread holds: tables of scales that are read with quotients, remainders, shifts and
//! masks of the columns and rows of a tile, as products with scales per block read them. Kernels are drawn at random; sizes of blocks and
//! groups need not fit each other, groups may be known at run time only, and pointers move in the loop or the index does.

use crate::draw::{Random, seeded};
use crate::file::{Array, EXACT, File, Kernel};
use crate::number::{Number, Type};
use crate::tensor::{Tensor, offsets};
use rand::Rng;

const KERNELS: usize = 60;

/// The file of random kernels.
pub fn files() -> Vec<File> {
    let kernels = (0..KERNELS).map(kernel).collect();
    vec![File {
        name: "constancy".into(),
        about: "Tables read with what is constant along an axis".into(),
        kernels,
        triton: true,
    }]
}

/// An index made of a number that is not negative.
#[derive(Clone, Copy)]
enum Index {
    Quotient(usize),
    /// By a parameter whose value is not compiled in.
    RunTimeQuotient(usize),
    Wrapped {
        modulus: usize,
        divisor: usize,
    },
    Shifted(u32),
    Masked(usize),
    LessRemainder(usize),
}

impl Index {
    fn drawn(random: &mut Random) -> Self {
        let group = 1 << random.random_range(0..8);
        match random.random_range(0..7) {
            0 => Index::Quotient(group),
            1 => Index::Quotient(random.random_range(1..100)),
            2 => Index::RunTimeQuotient(group),
            3 => Index::Wrapped { modulus: 16 * random.random_range(1..8), divisor: group },
            4 => Index::Shifted(random.random_range(0..8)),
            5 => Index::Masked(group),
            _ => Index::LessRemainder(group),
        }
    }

    fn text(self, of: &str, group: &str) -> String {
        match self {
            Index::Quotient(divisor) => format!("{of} // {divisor}"),
            Index::RunTimeQuotient(_) => format!("{of} // {group}"),
            Index::Wrapped { modulus, divisor } => format!("({of} % {modulus}) // {divisor}"),
            Index::Shifted(bits) => format!("{of} >> {bits}"),
            Index::Masked(group) => format!("{of} & -{group}"),
            Index::LessRemainder(group) => format!("{of} - {of} % {group}"),
        }
    }

    fn value(self, of: usize) -> usize {
        match self {
            Index::Quotient(divisor) | Index::RunTimeQuotient(divisor) => of / divisor,
            Index::Wrapped { modulus, divisor } => of % modulus / divisor,
            Index::Shifted(bits) => of >> bits,
            Index::Masked(group) | Index::LessRemainder(group) => of / group * group,
        }
    }

    fn run_time_value(self) -> usize {
        if let Index::RunTimeQuotient(divisor) = self { divisor } else { 1 }
    }
}

/// `sum over steps of row_scale[index(rows)] * column_scale[index(columns)] * x`, where rows and columns belong to one of several programs.
fn kernel(turn: usize) -> Kernel {
    let mut random = seeded(&format!("constancy {turn}"));
    let (m, n) = (1 << random.random_range(3..7), 1 << random.random_range(3..8));
    let (programs, steps) = (random.random_range(1..4), random.random_range(1..4));
    let (of_rows, of_columns) = (Index::drawn(&mut random), Index::drawn(&mut random));
    let moves_pointers = random.random::<bool>();
    let limit = random.random_range(0..=m);
    let table = |name: &str, size: usize| -> Vec<Number> {
        let mut random = seeded(&format!("{name} {turn}"));
        (0..size).map(|_| Number::Int(random.random_range(-4..=4))).collect()
    };
    let rows_scale = table("rows", m + steps);
    let columns_scale = table("columns", programs * n + steps);
    let mut kernel = Kernel::new(format!("constancy_{turn}"));
    kernel.grid = programs as u32;
    kernel.warps = 1 << random.random_range(0..4);
    let x = Tensor::distinct(Type::I32, &[m, n], "constancy").map(|value| Number::Int(value.int() % 100));
    kernel.arrays.push(Array::input("x_ptr", Type::I32, &x.data));
    kernel.arrays.push(Array::input("r_ptr", Type::I32, &rows_scale));
    kernel.arrays.push(Array::input("s_ptr", Type::I32, &columns_scale));
    for (name, index) in [("row_group", of_rows), ("column_group", of_columns)] {
        kernel.scalars.push((name.into(), index.run_time_value().to_string()));
    }
    kernel.scalars.push(("steps".into(), steps.to_string()));
    kernel.line(format!("rows = tl.arange(0, {m})"));
    kernel.line(format!("columns = tl.program_id(0) * {n} + tl.arange(0, {n})"));
    kernel.line(format!("r_ptrs = r_ptr + ({})", of_rows.text("rows", "row_group")));
    kernel.line(format!("s_ptrs = s_ptr + ({})", of_columns.text("columns", "column_group")));
    kernel.line(format!("x = tl.load(x_ptr + ({}))", offsets(&[m, n])));
    kernel.line(format!("total = tl.zeros(({m}, {n}), dtype=tl.int32)"));
    kernel.line("for step in range(0, steps):");
    let at = if moves_pointers { "" } else { " + step" };
    kernel.line(format!("    r = tl.load(r_ptrs{at}, mask=rows < {limit}, other=1)"));
    kernel.line(format!("    s = tl.load(s_ptrs{at})"));
    kernel.line("    total += x * r[:, None] * s[None, :]");
    if moves_pointers {
        kernel.line("    r_ptrs += 1");
        kernel.line("    s_ptrs += 1");
    }
    let expected = Tensor::of(&[programs, m, n], |index| {
        let (row, column) = (index[1], index[0] * n + index[2]);
        let term = |step: usize| {
            let r = if row < limit { rows_scale[of_rows.value(row) + step].int() } else { 1 };
            x.at(&[row, index[2]]).int() * r * columns_scale[of_columns.value(column) + step].int()
        };
        Number::Int((0..steps).map(term).sum())
    });
    let about = format!("{m}x{n}, {} and {}", of_rows.text("rows", "group"), of_columns.text("columns", "group"));
    let output = kernel.output(Type::I32);
    let name = output.name.clone();
    output.expect(about, expected.data, EXACT);
    kernel.line(format!("tl.store({name} + tl.program_id(0) * {} + ({}), total)", m * n, offsets(&[m, n])));
    kernel
}
