//! Writes a program as a `.tk` file: the kernel, its reference, and a test for each launch.

use crate::make::Next;
use crate::program::Program;
use crate::setting::{CarriedRow, Counting, Sizes, TILES, Tiles};
use crate::source::{Axis, Source, Way};
use crate::statement::{Side, written};
use crate::value::Shape;

/// What outputs hold before a launch.
const POISON: i64 = -1_000_003;

const IMPORTS: &str = "import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

DEVICE = 'cuda'
";

/// The blocks of a tensor along an axis, as float32; zeros from `end` on.
const BLOCKS: &str = "# The blocks of a tensor along an axis, as float32; zeros from `end` on.
def blocks(tensor, axis, size, count, end, is_transposed):
    place = torch.arange(0, size * count, device=DEVICE)
    known = (place < end)[:, None] if axis == 0 else (place < end)[None, :]
    tensor = tensor.to(torch.float32)
    tensor = torch.where(known, tensor, torch.zeros_like(tensor))
    found = [tensor[i * size:(i + 1) * size] if axis == 0 else tensor[:, i * size:(i + 1) * size] for i in range(count)]
    return [block.T if is_transposed else block for block in found]
";

/// Parameters of a kernel that it has only where its body uses them.
const OPTIONAL: [&str; 5] = ["index", "early", "rows_out", "tiles", "inner"];

impl Program {
    /// The file.
    pub(crate) fn text(&self) -> String {
        let Sizes { m, n, k } = self.setting.sizes;
        let element = self.setting.element;
        let mut text = format!("# random-loops --seed {} --bias {} --count 1\n{IMPORTS}", self.seed, self.bias.name());
        text += &format!("M, N, K = {m}, {n}, {k}\n\n\n");
        let body = self.kernel_body().join("\n");
        let others: Vec<&str> = OPTIONAL.into_iter().filter(|name| has_word(&body, name)).collect();
        let whole = self.own_parts(&others) + &body;
        text += &format!("@triton.jit\ndef kernel({}):\n{whole}\n\n\n", self.parameters(&others).join(", "));
        text += &format!(
            "def numbers(rows, columns):\n    whole = torch.randint(-1, 2, (rows, columns), device=DEVICE, dtype=torch.int32)\n    \
             return whole.to(torch.float32).to(torch.{})\n\n\n",
            element.torch
        );
        let sum = element.sum();
        text += &format!(
            "def poisoned(shape):\n    return torch.full(shape, {POISON}, device=DEVICE, dtype=torch.{sum})\n\n\n{BLOCKS}\n\n"
        );
        text += &format!("{}\n\n\n{}\n", self.reference().join("\n"), self.check(&others).join("\n"));
        for launch in &self.launches {
            let (steps, warps, stages) = (launch.steps, launch.warps, launch.stages);
            text += &format!("\n\ndef test_{steps}_steps_{warps}_warps_{stages}_stages():\n");
            text += &format!("    check({steps}, {warps}, {stages})\n");
        }
        text
    }

    fn parameters(&self, others: &[&str]) -> Vec<String> {
        let mut parameters = Vec::new();
        for source in &self.body.parts.sources {
            parameters.push(source.name.clone());
            if source.way != Way::Descriptor {
                parameters.push(format!("{}_stride", source.name));
            }
            if self.setting.programs > 1 {
                parameters.push(format!("{}_part", source.name));
            }
            if source.way == Way::Masked {
                parameters.push(format!("{}_end", source.name));
            }
            if source.way == Way::Gathered {
                parameters.push(format!("{}_order", source.name));
            }
        }
        parameters.extend(["out", "steps"].iter().chain(others).map(ToString::to_string));
        if self.setting.programs > 1 {
            parameters.extend(["out_part", "early_part"].map(String::from));
        }
        parameters.extend(["M", "N", "K"].map(|size| format!("{size}: tl.constexpr")));
        parameters
    }

    // The kernel.

    /// The tensors of a program begin behind those of the programs before it.
    fn own_parts(&self, others: &[&str]) -> String {
        if self.setting.programs == 1 {
            return String::new();
        }
        let mut text = "    program = tl.program_id(0)\n    out += program * out_part\n".to_string();
        for source in &self.body.parts.sources {
            text += &format!("    {0} += program * {0}_part\n", source.name);
        }
        for (name, part) in [("early", "early_part"), ("rows_out", "2 * (M + N)")] {
            if others.contains(&name) {
                text += &format!("    {name} += program * {part}\n");
            }
        }
        text
    }

    fn kernel_body(&self) -> Vec<String> {
        let (setting, parts, sum) = (&self.setting, &self.body.parts, self.setting.element.sum());
        let zeros: Vec<String> =
            setting.accumulators.iter().map(|name| format!("{name} = tl.zeros((M, N), dtype=tl.{sum})")).collect();
        let mut lines = self.before_the_loops();
        let mut indent = "    ".to_string();
        if setting.tiles != Tiles::None {
            if !setting.resets {
                lines.extend(zeros.iter().map(|zero| indent.clone() + zero));
            }
            let range = match setting.tiles {
                Tiles::Flattened => "tl.range(0, tiles, flatten=True)",
                Tiles::Specialized => "tl.range(0, tiles, warp_specialize=True)",
                Tiles::None | Tiles::Plain => "range(0, tiles)",
            };
            lines.push(format!("    for tile in {range}:"));
            indent += "    ";
        }
        if setting.tiles == Tiles::None || setting.resets {
            lines.extend(zeros.iter().map(|zero| indent.clone() + zero));
        }
        let (stages, range) = match setting.own_stages {
            Some(stages) => (format!(", num_stages={stages}"), "tl.range"),
            None => (String::new(), "range"),
        };
        let inner = format!("{indent}    ");
        match setting.counting {
            Counting::Elements => {
                lines.push(format!("{indent}for element in {range}(0, steps * K, K{stages}):"));
                lines.push(format!("{inner}k = element // K"));
            }
            Counting::Blocks => lines.push(format!("{indent}for k in {range}(0, steps{stages}):")),
        }
        if setting.tiles != Tiles::None {
            lines.push(format!("{inner}at = tile * steps + k"));
        }
        let whole = [parts.loads.as_slice(), &parts.body].concat();
        lines.extend(written(&whole, Side::Kernel, &inner));
        lines.extend(self.ends_of_iteration().iter().map(|line| inner.clone() + line));
        lines.extend(self.stores(if setting.resets { &indent } else { "    " }));
        for (index, CarriedRow { name, size }) in setting.rows.iter().enumerate() {
            lines.push(format!("    tl.store(rows_out + {index} * (M + N) + lane_{size}, {name})"));
        }
        lines
    }

    fn before_the_loops(&self) -> Vec<String> {
        let (setting, parts, element) = (&self.setting, &self.body.parts, self.setting.element);
        let mut lines: Vec<String> =
            ["M", "N", "K"].iter().map(|size| format!("    lane_{size} = tl.arange(0, {size})")).collect();
        lines.push(match setting.tiles {
            Tiles::None => "    last = steps - 1".to_string(),
            Tiles::Plain | Tiles::Flattened | Tiles::Specialized => "    last = tiles * steps - 1".to_string(),
        });
        for source in self.moving() {
            lines.push(format!("    {}_pointers = {}", source.name, source.first_pointers()));
        }
        for row in &setting.rows {
            let shape = Shape::Row(row.size);
            lines.push(format!("    {} = tl.zeros(({shape}), dtype=tl.{})", row.name, element.sum()));
        }
        if setting.has_counter {
            lines.push("    count = 0".to_string());
        }
        for invariant in &parts.invariant {
            lines.push(format!("    {} = {}", invariant.name, invariant.source.load("0", element)));
        }
        for carried in &parts.carried {
            let first = match &carried.next {
                Next::Loaded(source) => source.load("0", element),
                Next::Variable(_) => format!("tl.zeros(({}), dtype=tl.{})", carried.shape, element.kernel),
            };
            lines.push(format!("    {} = {first}", carried.name));
        }
        lines
    }

    /// What the loop does behind its body: carried blocks and pointers go on.
    fn ends_of_iteration(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for carried in &self.body.parts.carried {
            let next = match &carried.next {
                Next::Loaded(source) => source.load(&format!("{} + 1", self.setting.at()), self.setting.element),
                Next::Variable(name) => name.clone(),
            };
            lines.push(format!("{} = {next}", carried.name));
        }
        for source in self.moving() {
            lines.push(source.next_pointers());
        }
        lines
    }

    fn moving(&self) -> impl Iterator<Item = &Source> {
        self.body.parts.sources.iter().filter(|source| source.way.is_carried())
    }

    /// The number of the block of rows of the output that an accumulator is stored to.
    fn out_block(&self, index: usize) -> String {
        if self.setting.resets {
            format!("(tile * {} + {index})", self.setting.accumulators.len())
        } else {
            index.to_string()
        }
    }

    fn stores(&self, indent: &str) -> Vec<String> {
        let store = |(index, name): (usize, &String)| {
            let row = format!("{} * M", self.out_block(index));
            if self.setting.stores_by_descriptor {
                format!("{indent}out.store([{row}, 0], {name})")
            } else {
                format!("{indent}tl.store(out + ({row} + lane_M)[:, None] * N + lane_N[None, :], {name})")
            }
        };
        self.setting.accumulators.iter().enumerate().map(store).collect()
    }

    // The host.

    fn reference(&self) -> Vec<String> {
        let (setting, parts) = (&self.setting, &self.body.parts);
        let zero = |shape: &str| format!("torch.zeros(({shape}), device=DEVICE, dtype=torch.float32)");
        let zeros: Vec<String> = setting.accumulators.iter().map(|name| format!("{name} = {}", zero("M, N"))).collect();
        let blocks: String = parts.sources.iter().map(|source| format!(", {}_blocks", source.name)).collect();
        let mut lines = vec![
            format!("def reference(steps, last, index, early, out, rows_out{blocks}):"),
            "    count = 0".to_string(),
        ];
        for row in &setting.rows {
            lines.push(format!("    {} = {}", row.name, zero(&Shape::Row(row.size).to_string())));
        }
        for invariant in &parts.invariant {
            lines.push(format!("    {} = {}_blocks[0]", invariant.name, invariant.source.name));
        }
        for carried in &parts.carried {
            let first = match &carried.next {
                Next::Loaded(source) => format!("{}_blocks[0]", source.name),
                Next::Variable(_) => zero(&carried.shape.to_string()),
            };
            lines.push(format!("    {} = {first}", carried.name));
        }
        if !setting.resets {
            lines.extend(zeros.iter().map(|zero| format!("    {zero}")));
        }
        lines.push(format!("    for tile in range({}):", setting.tile_count()));
        if setting.resets {
            lines.extend(zeros.iter().map(|zero| format!("        {zero}")));
        }
        lines.push("        for k in range(steps):".to_string());
        lines.push("            at = tile * steps + k".to_string());
        let whole = [parts.loads.as_slice(), &parts.body].concat();
        lines.extend(written(&whole, Side::Host, &" ".repeat(12)));
        for carried in &parts.carried {
            let next = match &carried.next {
                Next::Loaded(source) => format!("{}_blocks[{} + 1]", source.name, setting.at()),
                Next::Variable(name) => name.clone(),
            };
            lines.push(format!("            {} = {next}", carried.name));
        }
        for (index, name) in setting.accumulators.iter().enumerate() {
            let row = self.out_block(index);
            lines.push(format!("        out[{row} * M:({row} + 1) * M] = {name}"));
        }
        for (index, CarriedRow { name, size }) in setting.rows.iter().enumerate() {
            lines.push(format!("    rows_out[{index} * (M + N):{index} * (M + N) + {size}] = {name}"));
        }
        lines
    }

    /// The function that runs one launch and compares.
    fn check(&self, others: &[&str]) -> Vec<String> {
        let (setting, tiles) = (&self.setting, self.setting.tile_count());
        let mut lines = vec![
            "def check(steps, warps, stages):".to_string(),
            format!("    torch.manual_seed({})", self.seed),
            format!("    last = {tiles} * steps - 1"),
            "    index = torch.randint(0, last + 1, (last + 1,), device=DEVICE, dtype=torch.int32)".to_string(),
        ];
        let (mut arguments, mut blocks) = (Vec::new(), String::new());
        for source in &self.body.parts.sources {
            let given = Given::of(source, setting.programs);
            lines.extend(given.lines);
            arguments.extend(given.arguments);
            blocks += &given.blocks;
        }
        let results = if setting.resets { TILES } else { 1 } * setting.accumulators.len();
        let programs = setting.programs;
        let outputs = [
            ("early", format!("{} * (last + 1) * M", self.body.early.max(1)), ", N"),
            ("out", format!("{results} * M"), ", N"),
            ("rows_out", "2 * (M + N)".to_string(), ","),
        ];
        for (name, rows, more) in &outputs {
            let shape = if programs == 1 { format!("({rows}{more})") } else { format!("({programs} * {rows}{more})") };
            lines.push(format!("    {name}, {name}_expected = poisoned({shape}), poisoned({shape})"));
        }
        if programs == 1 {
            lines.push(format!(
                "    reference(steps, last, index.tolist(), early_expected, out_expected, rows_out_expected{blocks})"
            ));
        } else {
            lines.push(format!("    for program in range({programs}):"));
            let own = |(name, rows, _): &(&str, String, &str)| {
                format!("{name}_expected[program * {rows}:(program + 1) * {rows}]")
            };
            let own: Vec<String> = outputs.iter().map(own).collect();
            lines.push(format!("        reference(steps, last, index.tolist(), {}{blocks})", own.join(", ")));
        }
        let output = |name: &str| {
            if setting.stores_by_descriptor {
                format!("TensorDescriptor.from_tensor({name}, [M, N])")
            } else {
                name.to_string()
            }
        };
        arguments.extend([output("out"), "steps".to_string()]);
        arguments.extend(others.iter().map(|name| match *name {
            "early" => output("early"),
            "tiles" => tiles.to_string(),
            "inner" => "2".to_string(),
            name => name.to_string(),
        }));
        if programs > 1 {
            let parts = outputs.iter().take(2).rev().map(|(_, rows, _)| format!("{rows} * N"));
            arguments.extend(parts);
        }
        arguments.extend(["M=M", "N=N", "K=K", "num_warps=warps", "num_stages=stages"].map(String::from));
        lines.push(format!("    kernel[({programs},)]({})", arguments.join(", ")));
        for name in ["out", "early", "rows_out"] {
            lines.push(format!("    torch.testing.assert_close({name}, {name}_expected, rtol=0, atol=0)"));
        }
        lines
    }
}

/// How a test makes a source, gives it to the kernel and to the reference.
struct Given {
    lines: Vec<String>,
    arguments: Vec<String>,
    blocks: String,
}

impl Given {
    /// Programs have tensors that follow each other.
    fn of(source: &Source, programs: usize) -> Self {
        let (name, (rows, columns)) = (&source.name, source.stored());
        let (axis, step) = (source.axis.number(), source.step());
        // One block more than there are steps, for the ones that load ahead.
        let along = |at: Axis, size: String| if at == source.axis { format!("(last + 2) * {size}") } else { size };
        let (height, width) = (along(Axis::Rows, rows.to_string()), along(Axis::Columns, columns.to_string()));
        let all = if programs == 1 { height.clone() } else { format!("{programs} * ({height})") };
        let own = |height: &str| {
            if programs == 1 {
                name.clone()
            } else {
                format!("{name}[program * ({height}):(program + 1) * ({height})]")
            }
        };
        let mut given = Self {
            lines: vec![if source.way == Way::Uneven {
                format!("    {name} = numbers({all}, {width} + 3)[:, :{width}]")
            } else {
                format!("    {name} = numbers({all}, {width})")
            }],
            arguments: Vec::new(),
            blocks: String::new(),
        };
        given.arguments.push(match source.way {
            Way::Descriptor => format!("TensorDescriptor.from_tensor({name}, [{rows}, {columns}])"),
            _ if programs == 1 => format!("{name}, {name}.stride(0)"),
            _ => format!("{name}, {name}.stride(0), ({height}) * {name}.stride(0)"),
        });
        let mut end = format!("{name}.shape[{axis}]");
        if source.way == Way::Masked {
            end = format!("{name}_end");
            given.lines.push(format!("    {end} = (last + 1) * {step} - {}", source.cut));
            given.arguments.push(end.clone());
        }
        let mut tensor = own(&height);
        if source.way == Way::Gathered {
            let order = format!("{name}_order");
            let numbers = format!("torch.randint(0, {height}, ({height},), device=DEVICE, dtype=torch.int32)");
            given.lines.push(format!("    {order} = {numbers}"));
            tensor = format!("{tensor}[{order}.to(torch.int64)]");
            given.arguments.push(order);
        }
        let is_transposed = if source.is_transposed() { "True" } else { "False" };
        given.blocks = format!(", blocks({tensor}, {axis}, {step}, last + 2, {end}, {is_transposed})");
        given
    }
}

/// Whether a text has this name in it.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}
