//! `tk sim FILE.ptx`: any PTX on the simulator, with its memory report.

use crate::arguments::{SimArgs, SimCheckArg};
use crate::failure::Failure;
use crate::show::diagnostic_json;
use crate::{Output, files};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tk_diag::{BAD_PTX, Diagnostic, SourceFile};
use tk_driver::Form;
use tk_grammar::literal::{Literal, read_literal};
use tk_image::KernelImage;
use tk_npy::NpyArray;
use tk_ptx::Requirement;
use tk_sim::{Arg, Buffer, Checks, DeviceMemory, LaunchConfig, Limits, Program, ProgressHook};
use tk_types::{ScalarKind, ScalarType};

/// Largest buffer of one argument, in bytes.
const MAX_BUFFER_BYTES: u64 = 4 << 30;

pub(crate) fn simulate(args: &SimArgs, output: &mut Output<'_>) -> Result<(), Failure> {
    let Simulated { source, entry, shared_bytes } = simulated(args)?;
    let module = tk_ptx::parse(&source)?;
    let entry = match entry {
        Some(entry) => entry,
        None => entry_name(&module, args, source.name())?,
    };
    let program = Program::compile(&module, &entry)?;
    let mut memory = DeviceMemory::new();
    let mut buffers = Vec::new();
    let mut values = Vec::new();
    for (index, text) in args.arg.iter().enumerate() {
        values.push(argument(text, index, &mut memory, &mut buffers)?);
    }
    let saves = args.save.iter().map(|text| Save::parse(text, &buffers)).collect::<Result<Vec<_>, Failure>>()?;
    let block = args.threads.as_deref().map(|text| axes("--threads", text)).transpose()?;
    let threads_per_cta = match (block, program.threads()) {
        (Some(block), _) => block.iter().fold(1, |product: u32, axis| product.saturating_mul(*axis)),
        (None, Requirement::Exactly(threads)) => threads,
        (None, Requirement::AtMost(_) | Requirement::Any) => 128,
    };
    // One number may stand for a block of several dimensions that the header fixes.
    let block = block.filter(|[_, y, z]| *y > 1 || *z > 1);
    let limits = Limits::default();
    let config = LaunchConfig {
        grid: axes("--grid", &args.grid)?,
        threads_per_cta,
        block,
        cluster: args.cluster.as_deref().map(|text| axes("--cluster", text)).transpose()?,
        shared_bytes,
        args: values,
        sources: vec![source.clone()],
        checks: checks(&args.check),
        seed: args.seed,
        limits: Limits {
            steps_per_cta: args.max_steps.unwrap_or(limits.steps_per_cta),
            time: args.max_seconds.map(Duration::from_secs),
        },
        caches: args.l2.clone(),
        progress: Some(ProgressHook::new(|progress| eprintln!("{progress}"))),
        ..LaunchConfig::default()
    };
    let report = match tk_sim::try_launch(&program, &mut memory, &config) {
        Ok(report) => report,
        Err(error) => {
            if args.json {
                let text = diagnostic_json(error.diagnostic());
                writeln!(output.out, "{}", json!({ "entry": entry, "error": text, "fault": error.fault() }))?;
            }
            return Err(Box::<Diagnostic>::from(error).into());
        }
    };
    saves.iter().try_for_each(|save| save.write(&memory))?;
    if args.json {
        let found = simulated_json(&entry, &report, args, &buffers, &memory)?;
        writeln!(output.out, "{found}")?;
        return Ok(());
    }
    for line in &report.printed {
        // Lines of `vprintf` have their end, where the kernel gives them one.
        writeln!(output.out, "{}", line.strip_suffix('\n').unwrap_or(line))?;
    }
    writeln!(
        output.out,
        "{entry}: {} CTAs, {} warp instructions, {} lane operations",
        report.ctas, report.warp_instructions, report.lane_operations
    )?;
    if args.memory {
        write!(output.out, "{}{}", report.memory, report.memory.work)?;
    }
    for buffer in &buffers {
        if let Some(elements) = buffer.elements(args.print, &memory)? {
            writeln!(output.out, "argument {}: {}", buffer.index, elements.join(" "))?;
        }
    }
    Ok(())
}

/// What is checked.
fn checks(wanted: &[SimCheckArg]) -> Checks {
    use SimCheckArg::{All, CopyFences, GlobalRaces, None, SharedRaces, Uninitialised};
    let asks = |which: &[SimCheckArg]| {
        wanted.iter().any(|check| *check == All || which.contains(check)) && !wanted.contains(&None)
    };
    Checks {
        uninitialised_global: asks(&[Uninitialised]),
        uninitialised_shared: asks(&[Uninitialised]),
        shared_races: asks(&[SharedRaces, GlobalRaces, CopyFences]),
        copy_fences: asks(&[CopyFences]),
        warpgroup_waits: asks(&[CopyFences]),
        global_races: asks(&[GlobalRaces]),
    }
}

/// What a run did, as JSON.
fn simulated_json(
    entry: &str,
    report: &tk_sim::Report,
    args: &SimArgs,
    buffers: &[ArgumentBuffer],
    memory: &DeviceMemory,
) -> Result<serde_json::Value, Failure> {
    let rows: Vec<_> = report.memory.rows.iter().filter(|_| args.memory).collect();
    let mut arguments = Vec::new();
    for buffer in buffers {
        let elements = buffer.elements(args.print, memory)?.unwrap_or_default();
        arguments.push(json!({ "index": buffer.index, "type": buffer.ty.to_string(), "shape": buffer.shape, "elements": elements }));
    }
    Ok(json!({
        "entry": entry, "ctas": report.ctas, "warp_instructions": report.warp_instructions,
        "lane_operations": report.lane_operations, "printed": report.printed, "memory": rows, "work": report.memory.work, "caches": report.memory.caches, "arguments": arguments,
    }))
}

/// The memory of an argument.
struct ArgumentBuffer {
    /// The number of the argument.
    index: usize,
    ty: ScalarType,
    shape: Vec<u64>,
    buffer: Buffer,
}

impl ArgumentBuffer {
    /// Its first elements in words; nothing when there are none to show.
    fn elements(&self, count: usize, memory: &DeviceMemory) -> Result<Option<Vec<String>>, Failure> {
        let bytes = (count as u64).saturating_mul(u64::from(self.ty.bytes())).min(self.buffer.bytes());
        if bytes == 0 {
            return Ok(None);
        }
        let data = memory.read_at(self.buffer, 0, bytes)?;
        Ok(Some(data.chunks(self.ty.bytes() as usize).map(|chunk| decode(self.ty, chunk)).collect()))
    }
}

/// A buffer and the file that it is written to.
struct Save<'a> {
    buffer: &'a ArgumentBuffer,
    path: PathBuf,
}

impl<'a> Save<'a> {
    /// `2=out.npy`
    fn parse(text: &str, buffers: &'a [ArgumentBuffer]) -> Result<Self, Failure> {
        let wrong = || {
            Failure::usage(format!(
                "--save {text}: write N=FILE.npy with the number of an argument that is a buffer, from 0 on"
            ))
        };
        let (index, path) = text.split_once('=').ok_or_else(wrong)?;
        let index: usize = index.trim().parse().map_err(|_| wrong())?;
        let buffer = buffers.iter().find(|buffer| buffer.index == index).ok_or_else(wrong)?;
        Ok(Self { buffer, path: PathBuf::from(path) })
    }

    fn write(&self, memory: &DeviceMemory) -> Result<(), Failure> {
        let bytes = memory.read(self.buffer.buffer)?;
        tk_npy::write(&self.path, self.buffer.ty, &self.buffer.shape, &bytes).map_err(Failure::from)
    }
}

/// What is to be run.
struct Simulated {
    source: SourceFile,
    /// The entry, where it is known.
    entry: Option<String>,
    shared_bytes: u32,
}

/// A PTX file, or a kernel of a bundle: its first variant, for the newest target.
fn simulated(args: &SimArgs) -> Result<Simulated, Failure> {
    if args.file.extension().is_none_or(|extension| extension != "tkb") {
        let source =
            files::read_in(&args.file, Form::Ptx, "the simulator runs PTX", "`tk run FILE --device sim` runs it")?;
        return Ok(Simulated { source, entry: None, shared_bytes: args.shared });
    }
    let bundle = files::read_bundle(&args.file)?;
    let names: Vec<&str> = bundle.entries.iter().map(|entry| entry.name.as_str()).collect();
    let entry = match (&args.entry, bundle.entries.as_slice()) {
        (Some(name), _) => bundle.entry(name),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let ask = || Failure::usage(format!("say which kernel to run: --entry {}", names.join(" | ")));
    let entry = entry.ok_or_else(ask)?;
    let newest =
        |image: &&KernelImage| tk_target::TargetName::parse(&image.target).map(|name| name.capability.number());
    let images = entry.variants.first().map(|variant| variant.images.iter());
    let image = images.into_iter().flatten().max_by_key(newest).ok_or_else(ask)?;
    Ok(Simulated {
        source: SourceFile::new(format!("{}.ptx", entry.name), image.ptx.clone()),
        entry: Some(image.entry.clone()),
        shared_bytes: image.shared_bytes,
    })
}

fn entry_name(module: &tk_ptx::Module, args: &SimArgs, file: &str) -> Result<String, Failure> {
    if let Some(entry) = &args.entry {
        return Ok(entry.clone());
    }
    let names: Vec<String> = module.entries().map(|entry| entry.name.clone()).collect();
    match names.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Failure(vec![Diagnostic::error(BAD_PTX, format!("{file} has no .entry function"))])),
        several => Err(Failure::usage(format!("say which entry to run: --entry {}", several.join(" | ")))),
    }
}

/// `X`, `X,Y` or `X,Y,Z`.
fn axes(option: &str, text: &str) -> Result<[u32; 3], Failure> {
    let parts: Option<Vec<u32>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match parts.as_deref() {
        Some([x]) => Ok([*x, 1, 1]),
        Some([x, y]) => Ok([*x, *y, 1]),
        Some([x, y, z]) => Ok([*x, *y, *z]),
        _ => Err(Failure::usage(format!("{option} {text}: write X or X,Y,Z"))),
    }
}

/// `f32[1024]=random`, `x.npy`, `i32=5`, `null`, `map:f16[256,128]:64x64:128=random`, `{i32=1, f32[8]=0}`.
fn argument(
    text: &str,
    index: usize,
    memory: &mut DeviceMemory,
    buffers: &mut Vec<ArgumentBuffer>,
) -> Result<Arg, Failure> {
    let wrong = || {
        Failure::usage(format!(
            "--arg {text}: write TYPE[COUNT], TYPE[COUNT]=VALUE, TYPE[COUNT]=random, FILE.npy, TYPE=VALUE, null, {{FIELD, …}} or \
             map:TYPE[SIZES]:BOX:SWIZZLE, such as f32[1024]=random, i32=7 or map:f16[256,128]:64x64:128=random"
        ))
    };
    if text == "null" {
        return Ok(Arg::from(0u64));
    }
    if let Some(fields) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return structure(fields, index, memory, buffers);
    }
    if is_array_file(text) && !text.contains('=') {
        let NpyArray { ty, shape, bytes } = tk_npy::read(Path::new(text), MAX_BUFFER_BYTES)?;
        let buffer = allocated(index, ty, bytes.len() as u64, memory);
        memory.write(buffer, &bytes)?;
        buffers.push(ArgumentBuffer { index, ty, shape, buffer });
        return Ok(Arg::from(buffer));
    }
    let (head, value) = text.split_once('=').map_or((text, None), |(head, value)| (head, Some(value.trim())));
    if let Some(described) = head.strip_prefix("map:") {
        let map = Described::parse(described).ok_or_else(wrong)?;
        let count = map.sizes.iter().fold(1u64, |count, size| count.saturating_mul(u64::from(*size)));
        let buffer = filled(text, index, (map.ty, count), value, memory)?;
        let shape = map.sizes.iter().copied().map(u64::from).collect();
        buffers.push(ArgumentBuffer { index, ty: map.ty, shape, buffer });
        return Ok(Arg(tk_sim::encode_tensor_map(&map.of(buffer).ok_or_else(wrong)?)?.to_vec()));
    }
    let Some((name, count)) = head.trim().split_once('[') else {
        let ty = scalar_type(head.trim()).ok_or_else(wrong)?;
        return Ok(Arg(element(text, ty, value.ok_or_else(wrong)?)?));
    };
    let ty = scalar_type(name.trim()).ok_or_else(wrong)?;
    let count: u64 = count.trim_end().strip_suffix(']').and_then(|n| n.trim().parse().ok()).ok_or_else(wrong)?;
    let buffer = filled(text, index, (ty, count), value, memory)?;
    buffers.push(ArgumentBuffer { index, ty, shape: vec![count], buffer });
    Ok(Arg::from(buffer))
}

/// Whether a value is the name of a file of numpy.
fn is_array_file(text: &str) -> bool {
    Path::new(text).extension().is_some_and(|extension| extension == "npy")
}

/// A parameter of struct type: its fields in order, each aligned to its own size.
fn structure(
    fields: &str,
    index: usize,
    memory: &mut DeviceMemory,
    buffers: &mut Vec<ArgumentBuffer>,
) -> Result<Arg, Failure> {
    let (mut bytes, mut alignment) = (Vec::new(), 1);
    for field in fields.split(',').map(str::trim) {
        if field.starts_with("map:") || field.starts_with('{') {
            return Err(Failure::usage(format!("--arg {{{fields}}}: the fields of a struct are buffers and numbers")));
        }
        let Arg(value) = argument(field, index, memory, buffers)?;
        alignment = alignment.max(value.len());
        bytes.resize(bytes.len().next_multiple_of(value.len().max(1)), 0);
        bytes.extend(value);
    }
    bytes.resize(bytes.len().next_multiple_of(alignment), 0);
    Ok(Arg(bytes))
}

/// Memory of an argument, with the name and the elements that messages speak of.
fn allocated(index: usize, ty: ScalarType, bytes: u64, memory: &mut DeviceMemory) -> Buffer {
    let buffer = memory.allocate_named(bytes, &format!("argument {index}"));
    memory.set_element_bytes(buffer, ty.bytes());
    buffer
}

/// A buffer of so many elements with this value in each.
fn filled(
    text: &str,
    index: usize,
    (ty, count): (ScalarType, u64),
    value: Option<&str>,
    memory: &mut DeviceMemory,
) -> Result<Buffer, Failure> {
    let size = count.saturating_mul(u64::from(ty.bytes()));
    if size > MAX_BUFFER_BYTES {
        return Err(Failure::usage(format!("--arg {text}: a buffer holds at most {MAX_BUFFER_BYTES} bytes")));
    }
    let buffer = allocated(index, ty, size, memory);
    let Some(value) = value else { return Ok(buffer) };
    let bytes = if value == "random" {
        let mut random = Random(ChaCha8Rng::seed_from_u64(index as u64));
        let mut bytes = Vec::new();
        for _ in 0..count {
            bytes.extend(random.next(ty).encode(ty).ok_or_else(|| unreadable(text, ty, value))?);
        }
        bytes
    } else if is_array_file(value) {
        let array = tk_npy::read(Path::new(value), MAX_BUFFER_BYTES)?;
        if array.ty.bytes() != ty.bytes() || array.bytes.len() as u64 != size {
            let (given, shape) = (array.ty, array.shape);
            return Err(Failure::usage(format!(
                "--arg {text}: the file has elements of {given} and the shape {shape:?}"
            )));
        }
        array.bytes
    } else {
        element(text, ty, value)?.repeat(count as usize)
    };
    memory.write(buffer, &bytes)?;
    Ok(buffer)
}

/// A contiguous tensor and what one copy moves of it, the last dimension contiguous.
struct Described {
    ty: ScalarType,
    sizes: Vec<u32>,
    block: Vec<u32>,
    swizzle_bytes: u32,
}

impl Described {
    /// `f16[256,128]:64x64:128`
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':').map(str::trim);
        let (tensor, block, swizzle) = (parts.next()?, parts.next()?, parts.next()?);
        let (ty, sizes) = tensor.strip_suffix(']')?.split_once('[')?;
        let numbers =
            |text: &str, by: char| text.split(by).map(|n| n.trim().parse().ok()).collect::<Option<Vec<u32>>>();
        let described = Self {
            ty: scalar_type(ty)?,
            sizes: numbers(sizes, ',')?,
            block: numbers(block, 'x')?,
            swizzle_bytes: swizzle.parse().ok()?,
        };
        parts.next().is_none().then_some(described)
    }

    /// The map of this tensor in a buffer; nothing when maps have no such elements.
    fn of(&self, buffer: Buffer) -> Option<tk_sim::TensorMap> {
        let mut stride = u64::from(self.ty.bytes());
        let strides = self.sizes.iter().rev().map(|size| {
            stride = stride.saturating_mul(u64::from(*size));
            stride
        });
        Some(tk_sim::TensorMap {
            address: buffer.address(),
            element: tk_launch::tensor_element(self.ty)?,
            strides: strides.take(self.sizes.len() - 1).collect(),
            sizes: self.sizes.iter().rev().copied().collect(),
            block: self.block.iter().rev().copied().collect(),
            element_strides: vec![1; self.block.len()],
            swizzle_bytes: self.swizzle_bytes,
            fill_nan: false,
        })
    }
}

/// `f32` and `s32` as PTX and MLIR write them, besides the names of signatures.
fn scalar_type(name: &str) -> Option<ScalarType> {
    let alias = match name {
        "f16" => "fp16",
        "f32" => "fp32",
        "f64" => "fp64",
        other => other,
    };
    ScalarType::parse(alias)
}

/// A number that is given for an element.
#[derive(Clone, Copy)]
enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    /// The number that a literal is.
    fn of(literal: &Literal) -> Option<Self> {
        match literal {
            Literal::Bool(value) => Some(Self::Int(i128::from(*value))),
            Literal::Int(value) => Some(Self::Int(*value)),
            Literal::Float(value) => Some(Self::Float(*value)),
            Literal::Name(name) if name == "inf" => Some(Self::Float(f64::INFINITY)),
            Literal::Name(name) if name == "nan" => Some(Self::Float(f64::NAN)),
            Literal::None | Literal::Str(_) | Literal::Name(_) | Literal::Tuple(_) => None,
        }
    }

    /// The bytes of the number in a type. Nothing for types that have no plain numbers here, for a fraction in a type of integers
    /// and for an integer that has more bits than the type.
    fn encode(self, ty: ScalarType) -> Option<Vec<u8>> {
        let float = match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        };
        Some(match (ty, ty.kind()) {
            (ScalarType::F64, _) => float.to_le_bytes().to_vec(),
            (ScalarType::F32, _) => (float as f32).to_le_bytes().to_vec(),
            (ScalarType::F16, _) => half::f16::from_f64(float).to_le_bytes().to_vec(),
            (ScalarType::BF16, _) => half::bf16::from_f64(float).to_le_bytes().to_vec(),
            (_, ScalarKind::Float) => return None,
            (_, ScalarKind::Bool | ScalarKind::Int) => {
                let Self::Int(value) = self else { return None };
                // `u32` 0xffffffff and `i32` -1 are the same bits, which the instructions of a kernel give their sign.
                let limit = 1i128 << ty.bits();
                let fits = (-limit / 2..limit).contains(&value);
                return fits.then(|| value.to_le_bytes()[..ty.bytes() as usize].to_vec());
            }
        })
    }
}

/// The bytes of the element of this type that a value says; `text` is the whole argument.
fn element(text: &str, ty: ScalarType, value: &str) -> Result<Vec<u8>, Failure> {
    let literal = read_literal(&SourceFile::new("--arg", value))?;
    Number::of(&literal).and_then(|number| number.encode(ty)).ok_or_else(|| unreadable(text, ty, value))
}

fn unreadable(text: &str, ty: ScalarType, value: &str) -> Failure {
    Failure::usage(format!("--arg {text}: `{value}` is no value of type {ty} that can be given here"))
}

fn decode(ty: ScalarType, bytes: &[u8]) -> String {
    let mut wide = [0u8; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    match ty {
        ScalarType::F64 => format!("{}", f64::from_bits(bits)),
        ScalarType::F32 => format!("{}", f32::from_bits(bits as u32)),
        ScalarType::F16 => format!("{}", half::f16::from_bits(bits as u16)),
        ScalarType::BF16 => format!("{}", half::bf16::from_bits(bits as u16)),
        ty if ty.is_signed_int() => format!("{}", (bits << (64 - ty.bits())) as i64 >> (64 - ty.bits())),
        _ => format!("{bits}"),
    }
}

/// Random elements that are the same in every run.
struct Random(ChaCha8Rng);

impl Random {
    /// In [-1, 1) for floats, small integers otherwise.
    fn next(&mut self, ty: ScalarType) -> Number {
        if ty.is_float() {
            Number::Float(self.0.random_range(-1.0..1.0))
        } else {
            Number::Int(self.0.random_range(0..if ty.kind() == ScalarKind::Bool { 2 } else { 100 }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_literals_that_fit_their_type() {
        let bytes = |ty: ScalarType, text: &str| element("the argument", ty, text).map_err(|_| ());
        assert_eq!(bytes(ScalarType::I32, "0x10"), Ok(16i32.to_le_bytes().to_vec()));
        assert_eq!(bytes(ScalarType::I32, "-1"), bytes(ScalarType::I32, "0xffff_ffff"));
        assert_eq!(bytes(ScalarType::I64, "9007199254740993"), Ok(9007199254740993i64.to_le_bytes().to_vec()));
        assert_eq!(bytes(ScalarType::I1, "True"), Ok(vec![1]));
        assert_eq!(bytes(ScalarType::F32, " -inf "), Ok(f32::NEG_INFINITY.to_le_bytes().to_vec()));
        assert_eq!(bytes(ScalarType::F32, "inf"), Ok(f32::INFINITY.to_le_bytes().to_vec()));
        assert_eq!(bytes(ScalarType::F16, "1e-3"), Ok(half::f16::from_f64(1e-3).to_le_bytes().to_vec()));
        let wrong = [
            (ScalarType::I32, "1.5"),
            (ScalarType::I32, "0x1_0000_0000"),
            (ScalarType::I8, "-129"),
            (ScalarType::I32, "many"),
            (ScalarType::F32, "(1, 2)"),
            (ScalarType::F32, "1e"),
            (ScalarType::F32, ""),
            (ScalarType::F8E5M2, "1.0"),
        ];
        for (ty, text) in wrong {
            assert_eq!(bytes(ty, text), Err(()), "{ty} {text}");
        }
    }
}
