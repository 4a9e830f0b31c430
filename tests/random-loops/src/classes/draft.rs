//! A program of a class while it is drawn: its statements, which kernel and reference write nearly alike, its tensors and its launches.
//!
//! The reference runs the statements of the kernel one by one on the host, in f64 and 64-bit integers, with [`HOST`] in place of `tl`. Tensors are rows of
//! elements in memory, of which parameters are views: two of them may be views of one. After a launch all of memory has to be as the reference leaves it.

use crate::draw::Choose;
use rand::Rng;
use std::collections::BTreeSet;
use tk_cases::draw::Random;

const IMPORTS: &str = "import torch
import triton
import triton.language as tl

DEVICE = 'cuda'
";

/// What the statements of kernels mean on the host.
const HOST: &str = "class host:
    float64 = float32 = float16 = bfloat16 = float8e4nv = torch.float64
    int64 = int32 = int16 = int8 = torch.int64

    @staticmethod
    def load(tensor, at, mask=None, other=0):
        wide = tensor.to(torch.float64 if tensor.is_floating_point() else torch.int64)
        if mask is None:
            return wide[at]
        at, mask = torch.broadcast_tensors(at, mask)
        return torch.where(mask, wide[torch.where(mask, at, 0)], other)

    @staticmethod
    def number(tensor, at):
        return tensor[at].item()

    @staticmethod
    def store(tensor, at, value, mask=None):
        mask = at == at if mask is None else mask
        at, mask, value = torch.broadcast_tensors(at, mask, at.to(torch.float64) * 0 + value)
        tensor[at[mask]] = value[mask].to(tensor.dtype)

    @staticmethod
    def update(how, tensor, at, value, mask):
        at, value, mask = torch.broadcast_tensors(at, value, mask)
        at, value = at[mask], value[mask].to(tensor.dtype)
        if how == 'add':
            tensor.index_add_(0, at.to(torch.int64), value)
            return
        one = {'max': torch.maximum, 'min': torch.minimum, 'and': torch.bitwise_and, 'or': torch.bitwise_or, 'xor': torch.bitwise_xor}[how]
        for k in range(len(at)):
            tensor[at[k]] = one(tensor[at[k]], value[k])

    @staticmethod
    def arange(first, end):
        return torch.arange(first, end, device=DEVICE, dtype=torch.int64)

    @staticmethod
    def zeros(shape, dtype):
        return torch.zeros(shape, device=DEVICE, dtype=dtype)

    @staticmethod
    def full(shape, value, dtype):
        return torch.full(shape, value, device=DEVICE, dtype=dtype)

    @staticmethod
    def dot(a, b, acc=0, input_precision=None):
        return torch.matmul(a.to(torch.float64), b.to(torch.float64)) + acc

    @staticmethod
    def sum(x, axis):
        return x.sum(axis)

    @staticmethod
    def max(x, axis):
        return x.amax(axis)

    @staticmethod
    def min(x, axis):
        return x.amin(axis)

    @staticmethod
    def maximum(a, b):
        return torch.where(a > b, a, b)

    @staticmethod
    def minimum(a, b):
        return torch.where(a < b, a, b)

    @staticmethod
    def where(condition, a, b):
        return torch.where(condition, a, b)

    @staticmethod
    def abs(x):
        return torch.abs(x)

    @staticmethod
    def exp(x):
        return torch.exp(x)

    @staticmethod
    def exp2(x):
        return torch.exp2(x)

    @staticmethod
    def sqrt_rn(x):
        return torch.sqrt(x)

    @staticmethod
    def trans(x):
        return x.T

    @staticmethod
    def permute(x, order):
        return x.permute(order)

    @staticmethod
    def expand_dims(x, axis):
        return x.unsqueeze(axis)

    @staticmethod
    def broadcast_to(x, shape):
        return x.broadcast_to(shape)

    @staticmethod
    def reshape(x, shape):
        return x.reshape(shape)

    @staticmethod
    def cdiv(a, b):
        return -(-a // b)

    @staticmethod
    def debug_barrier():
        pass
";

/// What tensors hold before a launch.
const TENSORS: &str = "def numbers(count, most, dtype):
    whole = torch.randint(-most, most + 1, (max(count, 1),), device=DEVICE, dtype=torch.int32)
    return whole.to(torch.float32).to(dtype)


def few(count, rows, columns, row, column, dtype):
    out = torch.zeros((max(count, 1),), device=DEVICE, dtype=torch.float32)
    for k in range(columns):
        at = torch.arange(0, rows, device=DEVICE, dtype=torch.int64) * row + k * column
        out[at] = torch.randint(-1, 2, (rows,), device=DEVICE, dtype=torch.int32).to(torch.float32)
    return out.to(dtype)


def squares(count, most, dtype):
    whole = torch.randint(0, most + 1, (max(count, 1),), device=DEVICE, dtype=torch.int32)
    return (whole * whole).to(torch.float32).to(dtype)


def places(count, limit, dtype):
    return torch.randint(0, max(limit, 1), (max(count, 1),), device=DEVICE, dtype=torch.int32).to(dtype)


def groups(count, limit, length, dtype):
    return (torch.arange(0, max(count, 1), device=DEVICE, dtype=torch.int64) // length % limit).to(dtype)


def runs(count, limit, dtype):
    starts = torch.randint(0, 4, (max(count, 1),), device=DEVICE, dtype=torch.int64) == 0
    return (torch.cumsum(starts.to(torch.int64), 0) % limit).to(dtype)


def ends(count, most, dtype):
    return torch.cumsum(torch.randint(0, most + 1, (count,), device=DEVICE, dtype=torch.int64), 0).to(dtype)


def holes(numbers):
    return torch.where(torch.randint(0, 3, (len(numbers),), device=DEVICE, dtype=torch.int32) == 0, -1, numbers)


def poisoned(count, dtype):
    return torch.full((max(count, 1),), -77, device=DEVICE, dtype=torch.float32).to(dtype)


def same(found, wanted, error):
    wide = [tensor.to(torch.float64 if tensor.is_floating_point() else torch.int64) for tensor in (found, wanted)]
    torch.testing.assert_close(wide[0], wide[1], rtol=0, atol=error, equal_nan=True)
";

/// A line of both texts, behind so many indents.
#[derive(Clone, Debug)]
struct Line {
    indent: usize,
    kernel: Option<String>,
    host: Option<String>,
}

/// A row of elements in memory.
#[derive(Clone, Debug)]
struct Buffer {
    name: String,
    /// How a test makes it.
    made: String,
    /// How far from the reference its elements may be.
    error: f64,
}

/// What a launch gives for a parameter, as the test writes it.
#[derive(Clone, Debug)]
enum Given {
    /// A buffer from an element on.
    View {
        buffer: String,
        first: String,
    },
    Number(String),
    Constant(String),
}

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    given: Given,
}

/// One launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Launch {
    /// In the order of the draft's sizes.
    pub(super) sizes: Vec<i64>,
    pub(super) programs: i64,
    pub(super) warps: usize,
    pub(super) stages: usize,
}

/// Where an access begins.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// So many elements behind the beginning of the tensor.
    Offset(String),
    /// At a variable with pointers, which on the host is one with offsets.
    Pointers(String),
}

/// Elements of a tensor.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) tensor: String,
    pub(super) at: At,
    pub(super) mask: Option<String>,
    /// What a load gives where the mask is false; nothing where nobody asks.
    pub(super) other: Option<String>,
    /// Further arguments of the kernel's access.
    pub(super) hint: &'static str,
}

impl Access {
    pub(super) fn new(tensor: &str, at: impl Into<String>) -> Self {
        Self { tensor: tensor.to_string(), at: At::Offset(at.into()), mask: None, other: None, hint: "" }
    }

    /// With a mask, if there is one.
    pub(super) fn masked(self, mask: Option<String>) -> Self {
        Self { mask, ..self }
    }

    /// At pointers that the kernel has.
    pub(super) fn at_pointers(self, pointers: &str) -> Self {
        Self { at: At::Pointers(pointers.to_string()), ..self }
    }

    pub(super) fn other(self, other: &str) -> Self {
        let other = self.mask.is_some().then(|| other.to_string());
        Self { other, ..self }
    }

    /// What the kernel gives to `tl.load` and `tl.store` first.
    fn pointers(&self) -> String {
        match &self.at {
            At::Offset(at) => format!("{} + {at}", self.tensor),
            At::Pointers(pointers) => pointers.clone(),
        }
    }

    fn offsets(&self) -> &str {
        match &self.at {
            At::Offset(offsets) | At::Pointers(offsets) => offsets,
        }
    }

    /// What comes behind the pointers.
    fn more(&self) -> String {
        let mask = self.mask.as_ref().map(|mask| format!(", mask={mask}")).unwrap_or_default();
        let other = self.other.as_ref().map(|other| format!(", other={other}")).unwrap_or_default();
        mask + &other + self.hint
    }

    /// What a load is on the host.
    fn on_host(&self) -> String {
        let mask = self.mask.as_deref().unwrap_or("None");
        let other = self.other.as_deref().unwrap_or("0");
        format!("host.load({}, {}, {mask}, {other})", self.tensor, self.offsets())
    }
}

/// Statements with all that is around them.
pub(super) struct Draft<'r> {
    pub(super) random: &'r mut Random,
    lines: Vec<Line>,
    indent: usize,
    names: usize,
    /// What a test computes from its sizes before it makes tensors.
    setup: Vec<String>,
    buffers: Vec<Buffer>,
    parameters: Vec<Parameter>,
    sizes: Vec<&'static str>,
    launches: Vec<Launch>,
}

impl<'r> Draft<'r> {
    /// A program whose launches differ in these sizes.
    pub(super) fn new(random: &'r mut Random, sizes: &[&'static str]) -> Self {
        Self {
            random,
            lines: Vec::new(),
            indent: 0,
            names: 0,
            setup: Vec::new(),
            buffers: Vec::new(),
            parameters: Vec::new(),
            sizes: sizes.to_vec(),
            launches: Vec::new(),
        }
    }

    // Statements.

    /// A line of both sides, with `@` for the module of functions.
    pub(super) fn both(&mut self, text: &str) {
        self.line(text, text);
    }

    /// A line of each side; empty where a side has none.
    pub(super) fn line(&mut self, kernel: &str, host: &str) {
        let given = |text: &str, module: &str| (!text.is_empty()).then(|| text.replace('@', module));
        let line = Line { indent: self.indent, kernel: given(kernel, "tl."), host: given(host, "host.") };
        self.lines.push(line);
    }

    pub(super) fn open(&mut self, header: &str) {
        self.both(header);
        self.indent += 1;
    }

    /// The statements that follow stand in the one before.
    pub(super) fn indent(&mut self) {
        self.indent += 1;
    }

    pub(super) fn close(&mut self) {
        self.indent -= 1;
    }

    /// A loop over `range(BOUNDS)`, at times with stages of its own, which many rules leave alone.
    pub(super) fn open_loop(&mut self, counter: &str, bounds: &str) {
        let stages: Option<u32> = if self.random.chance(0.2) { Some(self.random.random_range(1..=4)) } else { None };
        let plain = format!("for {counter} in range({bounds}):");
        match stages {
            Some(stages) => self.line(&format!("for {counter} in tl.range({bounds}, num_stages={stages}):"), &plain),
            None => self.both(&plain),
        }
        self.indent += 1;
    }

    /// A variable with what an access loads; `cast` is what the kernel does to it at once.
    pub(super) fn load(&mut self, target: &str, access: &Access, cast: &str) {
        let (pointers, more) = (access.pointers(), access.more());
        self.line(&format!("{target} = tl.load({pointers}{more}){cast}"), &format!("{target} = {}", access.on_host()));
    }

    /// A variable with one number, which loops can have as a bound.
    pub(super) fn load_number(&mut self, target: &str, tensor: &str, at: &str) {
        self.line(
            &format!("{target} = tl.load({tensor} + {at})"),
            &format!("{target} = host.number({tensor}, {})", at.replace("@minimum", "min")),
        );
    }

    /// Stores a value; `@` is the module in it, too.
    pub(super) fn store(&mut self, access: &Access, value: &str) {
        let (pointers, more) = (access.pointers(), access.more());
        let mask = access.mask.as_deref().unwrap_or("None");
        self.line(
            &format!("tl.store({pointers}, {value}{more})"),
            &format!("host.store({}, {}, {value}, {mask})", access.tensor, access.offsets()),
        );
    }

    /// Updates elements at the same time as others. The hint of the access is the order of the operation.
    pub(super) fn update(&mut self, how: &str, access: &Access, value: &str) {
        let (pointers, more) = (access.pointers(), access.more());
        let mask = access.mask.as_deref().unwrap_or("None");
        self.line(
            &format!("tl.atomic_{how}({pointers}, {value}{more})"),
            &format!("host.update('{how}', {}, {}, {value}, {mask})", access.tensor, access.offsets()),
        );
    }

    /// Stores one number.
    pub(super) fn store_number(&mut self, access: &Access, value: &str) {
        let pointers = access.pointers();
        self.line(
            &format!("tl.store({pointers}, {value})"),
            &format!("{}[{}] = {value}", access.tensor, access.offsets()),
        );
    }

    /// A variable with pointers to a tensor, which the host has as offsets.
    pub(super) fn pointers(&mut self, target: &str, tensor: &str, at: &str) {
        self.line(&format!("{target} = {tensor} + {at}"), &format!("{target} = {at}"));
    }

    pub(super) fn fresh(&mut self, letter: &str) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    // What launches give.

    /// A line of the test before its tensors.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.setup.push(format!("{name} = {value}"));
    }

    /// A tensor of which the parameter is the whole.
    pub(super) fn tensor(&mut self, name: &str, made: &str) {
        self.buffer(name, made);
        self.view(name, name, "0");
    }

    pub(super) fn buffer(&mut self, name: &str, made: &str) {
        self.buffers.push(Buffer { name: buffer_name(name), made: made.to_string(), error: 0.0 });
    }

    /// A parameter that is a buffer from an element on.
    pub(super) fn view(&mut self, name: &str, buffer: &str, first: &str) {
        let given = Given::View { buffer: buffer_name(buffer), first: first.to_string() };
        self.parameters.push(Parameter { name: name.to_string(), given });
    }

    pub(super) fn number(&mut self, name: &str, value: &str) {
        self.parameters.push(Parameter { name: name.to_string(), given: Given::Number(value.to_string()) });
    }

    pub(super) fn constant(&mut self, name: &str, value: &str) {
        self.parameters.push(Parameter { name: name.to_string(), given: Given::Constant(value.to_string()) });
    }

    /// Elements of a buffer may be this far from those of the reference.
    pub(super) fn tolerate(&mut self, buffer: &str, error: f64) {
        let name = buffer_name(buffer);
        self.buffers.iter_mut().filter(|buffer| buffer.name == name).for_each(|buffer| buffer.error = error);
    }

    /// Whether two parameters are views of one buffer.
    pub(super) fn has_aliases(&self) -> bool {
        let buffers = self.parameters.iter().filter_map(|parameter| match &parameter.given {
            Given::View { buffer, .. } => Some(buffer),
            Given::Number(_) | Given::Constant(_) => None,
        });
        let mut known = BTreeSet::new();
        buffers.into_iter().any(|buffer| !known.insert(buffer))
    }

    /// A launch, unless there is the same one.
    pub(super) fn launch(&mut self, launch: Launch) {
        if !self.launches.contains(&launch) {
            self.launches.push(launch);
        }
    }

    // The file.

    /// The file of a seed of a class.
    pub(super) fn text(&self, seed: u64, class: &str) -> String {
        let constants = |parameter: &&Parameter| matches!(parameter.given, Given::Constant(_));
        let (last, first): (Vec<&Parameter>, Vec<&Parameter>) = self.parameters.iter().partition(constants);
        let parameters: Vec<&Parameter> = first.into_iter().chain(last).collect();
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let mut text = format!("# random-loops --seed {seed} --bias {class} --count 1\n{IMPORTS}\n\n");
        text += &format!("@triton.jit\ndef kernel({}):\n", parameters_of_kernel(&parameters).join(", "));
        text += "    program = tl.program_id(0)\n    programs = tl.num_programs(0)\n";
        text += &self.written(|line| line.kernel.as_ref());
        text += &format!("\n\n{HOST}\n\n{TENSORS}\n\ndef reference(program, programs, {}):\n", names.join(", "));
        text += &self.written(|line| line.host.as_ref());
        text += &format!("\n\n{}", self.check(seed, &parameters));
        for (index, Launch { sizes, programs, warps, stages }) in self.launches.iter().enumerate() {
            let sizes: String = sizes.iter().map(|size| format!("{size}, ")).collect();
            text += &format!("\n\ndef test_launch_{}():\n", index + 1);
            text += &format!("    check({sizes}programs={programs}, warps={warps}, stages={stages})\n");
        }
        text
    }

    /// The lines of one side.
    fn written<'l>(&'l self, side: impl Fn(&'l Line) -> Option<&'l String>) -> String {
        let lines = self.lines.iter().filter_map(|line| side(line).map(|text| (line.indent, text)));
        lines.map(|(indent, text)| format!("{}{text}\n", " ".repeat(4 * (indent + 1)))).collect()
    }

    /// The function that runs one launch and compares.
    fn check(&self, seed: u64, parameters: &[&Parameter]) -> String {
        let sizes: String = self.sizes.iter().map(|size| format!("{size}, ")).collect();
        let mut lines = vec![format!("torch.manual_seed({seed})")];
        lines.extend(self.setup.iter().cloned());
        for Buffer { name, made, .. } in &self.buffers {
            lines.push(format!("{name} = {made}"));
            lines.push(format!("{name}_expected = {name}.clone()"));
        }
        let expected: Vec<String> = parameters.iter().map(|parameter| given(parameter, "_expected")).collect();
        let arguments: Vec<String> = parameters.iter().map(|parameter| argument(parameter)).collect();
        lines.push("for program in range(programs):".to_string());
        lines.push(format!("    reference(program, programs, {})", expected.join(", ")));
        lines.push(format!("kernel[(programs,)]({}, num_warps=warps, num_stages=stages)", arguments.join(", ")));
        for Buffer { name, error, .. } in &self.buffers {
            lines.push(format!("same({name}, {name}_expected, {error:e})"));
        }
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("def check({sizes}programs, warps, stages):\n{body}")
    }
}

/// The variable of a test that has a buffer.
fn buffer_name(name: &str) -> String {
    format!("{name}_elements")
}

fn parameters_of_kernel(parameters: &[&Parameter]) -> Vec<String> {
    let text = |parameter: &&Parameter| match parameter.given {
        Given::Constant(_) => format!("{}: tl.constexpr", parameter.name),
        Given::View { .. } | Given::Number(_) => parameter.name.clone(),
    };
    parameters.iter().map(text).collect()
}

/// What is given, with buffers whose names end so.
fn given(parameter: &Parameter, end: &str) -> String {
    match &parameter.given {
        Given::View { buffer, first } if first == "0" => format!("{buffer}{end}"),
        Given::View { buffer, first } => format!("{buffer}{end}[{first}:]"),
        Given::Number(value) | Given::Constant(value) => value.clone(),
    }
}

/// What the launch of a kernel gives.
fn argument(parameter: &Parameter) -> String {
    match &parameter.given {
        Given::Constant(value) => format!("{}={value}", parameter.name),
        Given::View { .. } | Given::Number(_) => given(parameter, ""),
    }
}
