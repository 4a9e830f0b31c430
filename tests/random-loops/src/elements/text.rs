//! Writes a program without products as a `.tk` file: the kernel, its reference, and a test for each launch.

use super::Program;
use super::setting::Launch;
use super::source::{Effect, Extent, Source, Target, Way};
use super::value::Shape;

const IMPORTS: &str = "import torch
import triton
import triton.language as tl

DEVICE = 'cuda'
";

/// What outputs hold before a launch, and what the greatest of all begins with.
const POISON: i64 = -123;
const LOWEST: i64 = -1_000_000;

/// What kernels combine with.
const COMBINATIONS: &str = "@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def linear(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@triton.jit
def sum_and_max(a1, b1, a2, b2):
    return a1 + a2, tl.maximum(b1, b2)
";

/// What references compute with, besides torch's functions.
const FUNCTIONS: &str = "def numbers(shape, most, dtype):
    whole = torch.randint(-most, most + 1, shape, device=DEVICE, dtype=torch.int32)
    return whole.to(torch.float32).to(dtype)


def part(tensor, first, size, other, dtype):
    out = torch.full((size,), other, device=DEVICE, dtype=dtype)
    known = tensor[first:first + size].to(dtype)
    out[:known.shape[0]] = known
    return out


def put_part(target, first, value):
    size = min(value.shape[0], target.shape[0] - first)
    target[first:first + size] = value[:size].to(torch.float64)


def put_row(target, row, first, value):
    size = min(value.shape[0], target.shape[1] - first)
    target[row, first:first + size] = value[:size].to(torch.float64)


def add_part(target, first, value):
    size = min(value.shape[0], target.shape[0] - first)
    target[first:first + size] = target[first:first + size] + value[:size].to(torch.float64)


def raise_part(target, first, value):
    size = min(value.shape[0], target.shape[0] - first)
    target[first:first + size] = torch.maximum(target[first:first + size], value[:size].to(torch.float64))


def slices(value, axis):
    return [value[k] if axis == 0 else value[:, k] for k in range(value.shape[axis])]


def xor_sum(value, axis):
    found = slices(value, axis)
    result = found[0]
    for other in found[1:]:
        result = result ^ other
    return result


def cummax(value, axis):
    found = slices(value, axis)
    results = [found[0]]
    for other in found[1:]:
        results.append(torch.maximum(results[-1], other))
    return torch.stack(results, axis)


def recurrence(factors, values, axis):
    factors, values = slices(factors, axis), slices(values, axis)
    results = [values[0]]
    for factor, value in zip(factors[1:], values[1:]):
        results.append(factor * results[-1] + value)
    return torch.stack(results, axis)
";

/// A block of a tensor, and its way back, where blocks have rows.
const BLOCKS: &str = "def block(tensor, tile, column, other, dtype):
    out = torch.full((R, C), other, device=DEVICE, dtype=dtype)
    known = tensor[tile * R:(tile + 1) * R, column:column + C].to(dtype)
    out[:known.shape[0], :known.shape[1]] = known
    return out


def put(target, tile, column, value):
    height, width = min(R, target.shape[0] - tile * R), min(C, target.shape[1] - column)
    target[tile * R:tile * R + height, column:column + width] = value[:height, :width].to(torch.float64)
";

/// The same where a block is a row.
const ROWS: &str = "def block(tensor, tile, column, other, dtype):
    out = torch.full((C,), other, device=DEVICE, dtype=dtype)
    known = tensor[tile, column:column + C].to(dtype)
    out[:known.shape[0]] = known
    return out


def put(target, tile, column, value):
    width = min(C, target.shape[1] - column)
    target[tile, column:column + width] = value[:width].to(torch.float64)
";

impl Program {
    /// The file.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("# random-loops --seed {} --bias elements --count 1\n{IMPORTS}", self.seed);
        let blocks = if self.setting.is_flat { ROWS } else { BLOCKS };
        text += &format!("R, C = {}, {}\n\n\n{COMBINATIONS}\n\n", self.setting.height, self.setting.width);
        text += &format!("{}\n\n\n{FUNCTIONS}\n\n{blocks}\n\n", self.kernel().join("\n"));
        text += &format!("{}\n\n\n{}\n", self.reference().join("\n"), self.check().join("\n"));
        for Launch { rows, columns, programs, warps } in &self.setting.launches {
            text += &format!("\n\ndef test_{rows}_rows_{columns}_columns_{programs}_programs_{warps}_warps():\n");
            text += &format!("    check({rows}, {columns}, {programs}, {warps})\n");
        }
        text
    }

    fn kernel(&self) -> Vec<String> {
        let mut parameters: Vec<String> = self.body.sources.iter().flat_map(parameters_of).collect();
        parameters.extend(self.body.targets.iter().map(|target| target.name.clone()));
        parameters.extend(["n_rows", "n_cols", "tiles", "R: tl.constexpr", "C: tl.constexpr"].map(String::from));
        let mut lines = vec![
            "@triton.jit".to_string(),
            format!("def kernel({}):", parameters.join(", ")),
            "    program = tl.program_id(0)".to_string(),
            "    programs = tl.num_programs(0)".to_string(),
        ];
        lines.extend(
            self.body
                .lines
                .iter()
                .filter_map(|line| line.kernel.as_ref().map(|text| " ".repeat(4 * (line.indent + 1)) + text)),
        );
        lines
    }

    fn reference(&self) -> Vec<String> {
        let mut lines = vec![format!("def reference(program, programs, n_rows, n_cols, tiles{}):", self.tensors())];
        lines.extend(
            self.body
                .lines
                .iter()
                .filter_map(|line| line.host.as_ref().map(|text| " ".repeat(4 * (line.indent + 1)) + text)),
        );
        lines
    }

    /// The tensors that a reference takes.
    fn tensors(&self) -> String {
        let sources = self.body.sources.iter().map(|source| match source.way {
            Way::Gathered => format!(", {0}, {0}_order", source.name),
            Way::Masked | Way::Chosen | Way::Turned => format!(", {}", source.name),
        });
        let targets = self.body.targets.iter().map(|target| format!(", {}_expected", target.name));
        sources.chain(targets).collect()
    }

    /// The function that runs one launch and compares.
    fn check(&self) -> Vec<String> {
        let mut lines = vec![
            "def check(n_rows, n_cols, programs, warps):".to_string(),
            format!("    torch.manual_seed({})", self.seed),
            "    tiles = triton.cdiv(n_rows, R)".to_string(),
        ];
        lines.extend(self.body.sources.iter().flat_map(lines_of));
        for target in &self.body.targets {
            lines.extend(start_of(target));
        }
        lines.push("    for program in range(programs):".to_string());
        lines.push(format!("        reference(program, programs, n_rows, n_cols, tiles{})", self.tensors()));
        let mut arguments: Vec<String> = self.body.sources.iter().flat_map(arguments_of).collect();
        arguments.extend(self.body.targets.iter().map(|target| target.name.clone()));
        arguments.extend(["n_rows", "n_cols", "tiles", "R=R", "C=C", "num_warps=warps"].map(String::from));
        lines.push(format!("    kernel[(programs,)]({})", arguments.join(", ")));
        for Target { name, range, .. } in &self.body.targets {
            let far = 2.0 * range.error;
            lines.push(format!(
                "    torch.testing.assert_close({name}.to(torch.float64), {name}_expected, rtol=0, atol={far:e})"
            ));
        }
        lines
    }
}

fn parameters_of(source: &Source) -> Vec<String> {
    let name = &source.name;
    let mut parameters = vec![name.clone()];
    if source.shape == Shape::Block {
        parameters.push(format!("{name}_stride"));
    }
    if source.way == Way::Gathered {
        parameters.push(format!("{name}_order"));
    }
    parameters
}

fn arguments_of(source: &Source) -> Vec<String> {
    let name = &source.name;
    let mut arguments = vec![name.clone()];
    if source.shape == Shape::Block {
        arguments.push(format!("{name}.stride({})", usize::from(source.way == Way::Turned)));
    }
    if source.way == Way::Gathered {
        arguments.push(format!("{name}_order"));
    }
    arguments
}

/// How a test makes a source.
fn lines_of(source: &Source) -> Vec<String> {
    let Source { name, most, .. } = source;
    let dtype = format!("torch.{}", source.element.torch);
    let made = match (source.shape, source.way) {
        (Shape::Block, Way::Turned) => format!("numbers((n_cols, n_rows), {most}, {dtype}).T"),
        (Shape::Block, _) => format!("numbers((n_rows, n_cols), {most}, {dtype})"),
        (Shape::Rows, _) => format!("numbers((n_rows,), {most}, {dtype})"),
        (Shape::Columns, _) => format!("numbers((n_cols,), {most}, {dtype})"),
        (Shape::Number, _) => format!("numbers((tiles,), {most}, {dtype})"),
    };
    let mut lines = vec![format!("    {name} = {made}")];
    if source.way == Way::Gathered {
        lines.push(format!("    {name}_order = torch.randint(0, n_cols, (n_cols,), device=DEVICE, dtype=torch.int32)"));
    }
    lines
}

/// What a tensor of results holds before the launch, and what is expected of it.
fn start_of(target: &Target) -> [String; 2] {
    let shape = match target.extent {
        Extent::Whole => "(n_rows, n_cols)",
        Extent::Rows => "(n_rows,)",
        Extent::Columns => "(n_cols,)",
        Extent::TileColumns => "(tiles, n_cols)",
        Extent::Tiles => "(tiles,)",
        Extent::ProgramColumns => "(programs, n_cols)",
    };
    let start = match target.effect {
        Effect::Store if target.element.exact < -POISON => -1,
        Effect::Store => POISON,
        Effect::Add => 0,
        Effect::Max => LOWEST,
    };
    let (name, dtype) = (&target.name, target.element.torch);
    [
        format!("    {name} = torch.full({shape}, {start}, device=DEVICE, dtype=torch.{dtype})"),
        format!("    {name}_expected = torch.full({shape}, {start}, device=DEVICE, dtype=torch.float64)"),
    ]
}
