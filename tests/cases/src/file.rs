//! Generated `.tk` files: kernels, their inputs and the expected results, bit by bit.
//!
//! A file carries its expectations as numbers, computed here by references that share no code with the compiler, the
//! simulator or the host interpreter. So the same file runs with `tk test` on the simulator, with `tk test --device cuda`
//! from a bundle without Rust, and under Triton itself (examples/run_with_triton.py), and all three are judged alike.

use crate::number::{Number, Type};
use std::fmt::Write;

/// How far a result may be from the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// In representable numbers of the result type.
    pub ulps: u64,
    /// Or absolutely, where results near zero have no useful relative error; whichever is met.
    pub absolute: f64,
}

/// Bit for bit, except that zeros of both signs and all NaNs are alike.
pub const EXACT: Tolerance = Tolerance { ulps: 0, absolute: 0.0 };

/// One case: a name and what must be found in a part of an output.
#[derive(Clone, Debug)]
pub struct Case {
    /// The expression and the types, as shown when it fails.
    pub name: String,
    /// The bits of the expected elements.
    pub expected: Vec<u64>,
    /// How close they must be.
    pub tolerance: Tolerance,
}

/// An array that a kernel reads; it may also change it when it has cases.
#[derive(Clone, Debug)]
pub struct Array {
    /// The parameter of the kernel.
    pub name: String,
    /// The element type.
    pub ty: Type,
    /// Initial bits; an output that is only written has none.
    pub bits: Vec<u64>,
    /// What it holds afterwards, case after case.
    pub cases: Vec<Case>,
}

impl Array {
    /// An array that is only read.
    pub fn input(name: &str, ty: Type, values: &[Number]) -> Array {
        let bits = values.iter().map(|value| ty.encode(*value)).collect();
        Array { name: name.into(), ty, bits, cases: Vec::new() }
    }

    /// An array that is only written.
    pub fn output(name: &str, ty: Type) -> Array {
        Array { name: name.into(), ty, bits: Vec::new(), cases: Vec::new() }
    }

    /// How many elements the cases so far cover: where the next one begins.
    pub fn filled(&self) -> usize {
        self.cases.iter().map(|case| case.expected.len()).sum()
    }

    /// Adds a case, whose expected numbers are rounded to the type, and says at which element it begins.
    pub fn expect(&mut self, name: String, expected: Vec<Number>, tolerance: Tolerance) -> usize {
        let bits = expected.iter().map(|number| self.ty.encode(*number)).collect();
        self.expect_bits(name, bits, tolerance)
    }

    /// The same with the bits of the expected numbers.
    pub fn expect_bits(&mut self, name: String, expected: Vec<u64>, tolerance: Tolerance) -> usize {
        let start = self.filled();
        self.cases.push(Case { name, expected, tolerance });
        start
    }
}

/// A kernel with its one launch.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name, also that of its test.
    pub name: String,
    /// What stands before it: functions under `@triton.jit` that it calls.
    pub functions: String,
    /// Its arrays, in the order of its parameters.
    pub arrays: Vec<Array>,
    /// Further parameters with their values, such as `n=100` or `SIZE: tl.constexpr=64`.
    pub scalars: Vec<(String, String)>,
    /// Its lines, without indentation of the first level.
    pub body: Vec<String>,
    /// Programs.
    pub grid: u32,
    /// Warps of a program.
    pub warps: u32,
    /// Stages of its pipelined loops, when it says so.
    pub stages: Option<u32>,
}

impl Kernel {
    /// A kernel of one program with four warps.
    pub fn new(name: impl Into<String>) -> Kernel {
        Kernel {
            name: name.into(),
            functions: String::new(),
            arrays: Vec::new(),
            scalars: Vec::new(),
            body: Vec::new(),
            grid: 1,
            warps: 4,
            stages: None,
        }
    }

    /// Adds a line to its body.
    pub fn line(&mut self, line: impl Into<String>) {
        self.body.push(line.into());
    }

    /// The output of this type, made when it is not there.
    pub fn output(&mut self, ty: Type) -> &mut Array {
        let name = format!("{}_out", ty.name());
        let at = self.arrays.iter().position(|array| array.name == name).unwrap_or_else(|| {
            self.arrays.push(Array::output(&name, ty));
            self.arrays.len() - 1
        });
        &mut self.arrays[at]
    }

    /// Its source without host functions.
    pub fn source(&self) -> String {
        let mut text = String::from(IMPORTS);
        write_definition(&mut text, self);
        text
    }

    /// The types of its run-time arguments, as `tk compile --signature` takes them.
    pub fn signature(&self) -> String {
        let pointers = self.arrays.iter().map(|array| format!("*{}", array.ty.tl()));
        let scalars = self.scalars.iter().filter(|(parameter, _)| !parameter.contains(':'));
        pointers.chain(scalars.map(|_| "i32".to_string())).collect::<Vec<_>>().join(",")
    }

    /// The values of its compile-time arguments, as `tk compile --constexpr` takes them.
    pub fn constants(&self) -> Vec<String> {
        let constants =
            self.scalars.iter().filter_map(|(parameter, value)| Some((parameter.split_once(':')?.0, value)));
        constants.map(|(name, value)| format!("{name}={value}")).collect()
    }

    /// Whether its lines, or the functions before it, hold this text.
    pub fn holds(&self, text: &str) -> bool {
        self.functions.contains(text) || self.body.iter().any(|line| line.contains(text))
    }

    /// How many cases it checks.
    pub fn cases(&self) -> usize {
        self.arrays.iter().map(|array| array.cases.len()).sum()
    }
}

/// A generated file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name without the extension.
    pub name: String,
    /// What is in it, for its first line.
    pub about: String,
    /// Its kernels.
    pub kernels: Vec<Kernel>,
    /// Whether Triton accepts it, too.
    pub triton: bool,
}

const IMPORTS: &str = r"import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
";

const PRELUDE: &str = r"
DEVICE = 'cuda'
CARRIERS = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def carrier(dtype):
    return CARRIERS[torch.empty((1,), dtype=dtype).element_size()]


def given(bits, dtype):
    return torch.tensor(bits, dtype=carrier(dtype), device=DEVICE).view(dtype)


# Numbers in their order: neighbours differ by one.
def places(bits, mask):
    return torch.where(bits < 0, -(bits & mask), bits)


def check(failures, case, out, bits, ulps, absolute):
    found = out.view(carrier(out.dtype)).to(torch.int64)
    wanted = torch.tensor(bits, dtype=torch.int64, device=DEVICE)
    wrong = found != wanted
    if ulps >= 0:
        a = out.to(torch.float64)
        b = wanted.to(carrier(out.dtype)).view(out.dtype).to(torch.float64)
        mask = 2 ** (8 * out.element_size() - 1) - 1
        far = (torch.abs(places(found, mask) - places(wanted, mask)) > ulps) & ~(torch.abs(a - b) <= absolute)
        wrong = (far | torch.isnan(a) | torch.isnan(b)) & ~(torch.isnan(a) & torch.isnan(b))
    if torch.any(wrong).item():
        at = torch.argmax(wrong.to(torch.int32)).item()
        count = torch.sum(wrong.to(torch.int32)).item()
        failures.append(f'{case}: {count} wrong, element {at} is {out[at].item()} instead of {given([bits[at]], out.dtype)[0].item()}')


def finish(failures):
    assert len(failures) == 0, '\n'.join([str(len(failures)) + ' cases failed'] + failures)
";

impl File {
    /// How many cases it checks.
    pub fn cases(&self) -> usize {
        self.kernels.iter().map(Kernel::cases).sum()
    }

    /// Its text.
    pub fn text(&self) -> String {
        let mut text = format!("# {} ({} cases). Generated by tk-cases.\n{IMPORTS}{PRELUDE}", self.about, self.cases());
        for kernel in &self.kernels {
            write_kernel(&mut text, kernel);
        }
        text
    }
}

/// Text that cannot fail to grow.
macro_rules! push {
    ($text:expr, $($part:tt)*) => {
        write!($text, $($part)*).expect("a string grows")
    };
}

/// The kernel and what it calls.
fn write_definition(text: &mut String, kernel: &Kernel) {
    if !kernel.functions.is_empty() {
        push!(text, "\n\n{}", kernel.functions.trim_end());
        text.push('\n');
    }
    let parameters: Vec<String> = kernel
        .arrays
        .iter()
        .map(|array| array.name.clone())
        .chain(kernel.scalars.iter().map(|(parameter, _)| parameter.clone()))
        .collect();
    push!(text, "\n\n@triton.jit\ndef {}({}):\n", kernel.name, parameters.join(", "));
    for line in &kernel.body {
        push!(text, "    {line}\n");
    }
}

fn write_kernel(text: &mut String, kernel: &Kernel) {
    write_definition(text, kernel);
    push!(text, "\n\ndef test_{}():\n", kernel.name);
    for array in &kernel.arrays {
        if array.bits.is_empty() {
            push!(
                text,
                "    {} = torch.empty(({},), dtype=torch.{}, device=DEVICE)\n",
                array.name,
                array.filled(),
                array.ty.torch()
            );
        } else {
            let bits = list(array.ty, &array.bits);
            push!(text, "    {} = given({bits}, torch.{})\n", array.name, array.ty.torch());
        }
    }
    let arguments: Vec<String> = kernel
        .arrays
        .iter()
        .map(|array| array.name.clone())
        .chain(kernel.scalars.iter().map(|(parameter, value)| {
            let name = parameter.split(':').next().unwrap_or_default().trim();
            format!("{name}={value}")
        }))
        .collect();
    let stages = kernel.stages.map_or(String::new(), |stages| format!(", num_stages={stages}"));
    let options = format!("num_warps={}{stages}", kernel.warps);
    push!(text, "    {}[({},)]({}, {options})\n", kernel.name, kernel.grid, arguments.join(", "));
    text.push_str("    failures = []\n");
    for array in &kernel.arrays {
        write_checks(text, array);
    }
    text.push_str("    finish(failures)\n");
}

fn write_checks(text: &mut String, array: &Array) {
    let mut start = 0;
    for case in &array.cases {
        let end = start + case.expected.len();
        let Tolerance { ulps, absolute } = case.tolerance;
        let ulps = if array.ty.is_float() { ulps as i64 } else { -1 };
        let name = case.name.replace('\\', "\\\\").replace('\'', "\\'");
        push!(
            text,
            "    check(failures, '{name}', {}[{start}:{end}], {}, {ulps}, {absolute:e})\n",
            array.name,
            list(array.ty, &case.expected)
        );
        start = end;
    }
}

fn list(ty: Type, bits: &[u64]) -> String {
    let numbers: Vec<String> = bits.iter().map(|bits| ty.signed_bits(*bits).to_string()).collect();
    format!("[{}]", numbers.join(", "))
}
