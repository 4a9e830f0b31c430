//! The C source: the code of all kernels as bytes, tables of their parameters, and what loads and launches them.

use super::c_header::needs_scratch;
use super::names::{Field, Language, fields};
use std::fmt::Write;
use tk_image::{
    AtRunTime, Bundle, BundleEntry, ImageParam, KernelImage, MapEnd, NumberLimit, ParamKind, TensorMapSpec, Variant,
};
use tk_target::{Features, TargetName, WARP_SIZE};
use tk_types::{ScalarKind, ScalarType};

/// The part that is the same for all bundles; `@` stands for the name of the bundle.
const TEMPLATE: &str = include_str!("source.c.in");

/// The source of a bundle.
pub(crate) fn c_source(bundle: &Bundle) -> String {
    let (mut code, mut variants, mut functions) = (String::new(), String::new(), String::new());
    let mut count = 0;
    for entry in &bundle.entries {
        let _ = write!(functions, "{}", function(bundle, entry, count));
        for variant in &entry.variants {
            let images: Vec<String> = variant
                .images
                .iter()
                .enumerate()
                .map(|(at, image)| tables(&mut code, bundle, entry, image, (count, at)))
                .collect();
            let _ = writeln!(code, "static const image images_{count}[] = {{\n{}}};\n", images.concat());
            let _ = writeln!(variants, "    {},", variant_row(entry, variant, count));
            count += 1;
        }
    }
    let most = bundle.images().filter_map(|image| image.offsets().ok()).map(|offsets| offsets.len()).max().unwrap_or(0);
    let is_promised = u8::from(bundle.at_run_time == AtRunTime::Nothing);
    TEMPLATE
        .replace("@@", &bundle.name.to_ascii_uppercase())
        .replace('@', &bundle.name)
        .replace("$TARGETS", &bundle.targets().join(", "))
        .replace("$VARIANT_COUNT", &count.to_string())
        .replace("$MOST_PARAMETERS", &most.max(1).to_string())
        .replace("$NOTHING_IS_COMPILED", &is_promised.to_string())
        .replace("$VARIANTS", &variants)
        .replace("$FUNCTIONS", functions.trim_end())
        .replace("$CODE", &code)
}

fn variant_row(entry: &BundleEntry, variant: &Variant, number: usize) -> String {
    let (kernel, signature, images) = (text(&entry.name), text(&variant.signature), variant.images.len());
    format!("{{{kernel}, {signature}, {images}, images_{number}}}")
}

/// A string of C.
fn text(value: &str) -> String {
    let escape = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", byte as char),
        b' '..=b'~' => (byte as char).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", value.bytes().map(escape).collect::<String>())
}

/// Writes the code and the parameters of an image, and gives its row.
fn tables(
    code: &mut String,
    bundle: &Bundle,
    entry: &BundleEntry,
    image: &KernelImage,
    place: (usize, usize),
) -> String {
    let name = format!("{}_{}", place.0, place.1);
    bytes(code, &format!("ptx_{name}"), image.ptx.as_bytes());
    let machine_code = match &image.cubin {
        Some(cubin) => {
            bytes(code, &format!("machine_code_{name}"), cubin);
            format!("machine_code_{name}")
        }
        None => "NULL".to_string(),
    };
    let rows = parameters(bundle, entry, image);
    let _ = writeln!(code, "static const parameter parameters_{name}[] = {{\n{}}};\n", rows.concat());
    let target = TargetName::parse(&image.target);
    let (major, minor) = target.map_or((0, 0), |target| (target.capability.major, target.capability.minor));
    let is_specific = u8::from(target.is_some_and(|target| target.features == Features::ArchitectureSpecific));
    let most = image.limits.grid.map(|limit| limit.map_or(u32::MAX, |limit| limit.high));
    format!(
        "    {{{entry}, ptx_{name}, {machine_code}, {major}, {minor}, {is_specific}, {threads}, {cluster}, {shared}, {scratch}, \
         {{{x}u, {y}u, {z}u}}, {count}, parameters_{name}}},\n",
        entry = text(&image.entry),
        threads = image.num_warps * WARP_SIZE,
        cluster = image.num_ctas,
        shared = image.shared_bytes,
        scratch = image.global_scratch_bytes,
        x = most[0],
        y = most[1],
        z = most[2],
        count = rows.len(),
    )
}

/// Bytes as an array that ends with a zero.
fn bytes(code: &mut String, name: &str, bytes: &[u8]) {
    let _ = write!(code, "static const unsigned char {name}[] = {{");
    for (at, byte) in bytes.iter().chain([&0]).enumerate() {
        let separator = if at % 32 == 0 { "\n    " } else { "" };
        let _ = write!(code, "{separator}{byte},");
    }
    code.push_str("\n};\n\n");
}

/// A row of the table of parameters.
struct Row<'n> {
    name: &'n str,
    kind: &'static str,
    bytes: u32,
    /// The field of the arguments.
    field: String,
    /// Further members, by name.
    more: String,
}

impl Row<'_> {
    fn text(self) -> String {
        let Row { name, kind, bytes, field, more } = self;
        format!("    {{.name = {}, .kind = {kind}, .bytes = {bytes}, .field = {field}{more}}},\n", text(name))
    }
}

fn parameters(bundle: &Bundle, entry: &BundleEntry, image: &KernelImage) -> Vec<String> {
    let place = |field: &str| format!("offsetof({}_{}_args, {field})", bundle.name, entry.name);
    let fields = fields(entry, Language::C);
    let mut fields = fields.iter();
    let mut rows = Vec::new();
    let (mut at, params) = (0, &image.params);
    while let Some(param) = params.get(at) {
        let is_argument = !matches!(param.kind, ParamKind::MapOfPointer { .. });
        let field = if is_argument { fields.next().map(|Field { name, .. }| place(name)) } else { None };
        let field = field.unwrap_or_else(|| "0".to_string());
        let (kind, more) = first_row(param, image.limits.of(at));
        let row = |kind, at: usize, more| {
            Row { name: &param.name, kind, bytes: params[at].kind.bytes(), field: field.clone(), more }.text()
        };
        rows.push(row(kind, at, more));
        let rank = (param.kind.span() - 1) / 2;
        rows.extend((0..rank).map(|axis| row("SIZE", at + 1 + axis, format!(", .axis = {axis}"))));
        rows.extend((0..rank).map(|axis| row("STRIDE", at + 1 + rank + axis, format!(", .axis = {axis}"))));
        at += param.kind.span();
    }
    for number in 0..image.hidden_parameters().unwrap_or(0) {
        let is_scratch = number == 0 && image.global_scratch_bytes > 0;
        let (kind, field) = if is_scratch { ("SCRATCH", place("scratch")) } else { ("UNUSED", "0".to_string()) };
        rows.push(Row { name: "scratch", kind, bytes: 8, field, more: String::new() }.text());
    }
    rows
}

/// The kind of the first parameter of an argument, and what its row says besides.
fn first_row(param: &ImageParam, limit: Option<NumberLimit>) -> (&'static str, String) {
    let multiple = match param.facts.multiple_of {
        1 => String::new(),
        multiple => format!(", .multiple_of = {multiple}"),
    };
    match &param.kind {
        ParamKind::Scalar(ty) => match ty.kind() {
            ScalarKind::Bool => ("TRUTH", String::new()),
            ScalarKind::Float => ("NUMBER", String::new()),
            ScalarKind::Int => {
                let signed = if ty.is_signed_int() { ", .is_signed = 1" } else { "" };
                let positive = if param.facts.is_positive { ", .is_positive = 1" } else { "" };
                ("NUMBER", format!("{signed}{multiple}{positive}{}", limit.map_or_else(String::new, range)))
            }
        },
        ParamKind::Pointer(_) => ("POINTER_TO", multiple),
        ParamKind::TensorMap(map) => ("MAP", map_members(map)),
        ParamKind::DescriptorBase { element, rank } => {
            ("BASE", format!(", .rank = {rank}, .element_bytes = {}", element.bytes()))
        }
        ParamKind::MapOfPointer { map, base, stride, rows, columns } => {
            let ends = [columns, rows].map(|end| end_members(*end)).join(", ");
            let more = format!(", .base = {base}, .stride = {stride}, .ends = {{{ends}}}");
            ("MAP_OF_POINTER", format!("{}{more}", map_members(map)))
        }
    }
}

/// A range as 64 bits have it.
fn range(limit: NumberLimit) -> String {
    let low = limit.low.clamp(i128::from(i64::MIN) + 1, i64::MAX.into());
    let is_negative = u8::from(limit.high < 0);
    let high = limit.high.clamp(i64::MIN.into(), u64::MAX.into()) as u64;
    format!(", .has_range = 1, .low = {low}, .high = {high}u, .is_high_negative = {is_negative}")
}

/// Where a dimension of a map of a pointer ends.
fn end_members(end: MapEnd) -> String {
    match end {
        MapEnd::Nowhere => "{AT, INT32_MAX}".to_string(),
        MapEnd::At(elements) => format!("{{AT, {elements}}}"),
        MapEnd::Parameter(index) => format!("{{AT_PARAMETER, {index}}}"),
    }
}

fn map_members(map: &TensorMapSpec) -> String {
    let block: Vec<String> = map.block.iter().rev().map(u32::to_string).collect();
    let swizzle = match map.swizzle_bytes {
        32 => 1,
        64 => 2,
        128 => 3,
        _ => 0,
    };
    format!(
        ", .map_type = {}, .swizzle = {swizzle}, .fill = {}, .rank = {}, .element_bytes = {}, .block = {{{}}}",
        map_type(map.element),
        u8::from(map.pad_nan),
        block.len(),
        map.element.bytes(),
        block.join(", ")
    )
}

/// The number of an element type among CUtensorMapDataType; floats of 8 bits are bytes. Maps of other types are none that tk makes.
fn map_type(ty: ScalarType) -> u32 {
    match ty {
        ScalarType::U16 | ScalarType::I16 => 1,
        ScalarType::U32 => 2,
        ScalarType::I32 => 3,
        ScalarType::U64 => 4,
        ScalarType::I64 => 5,
        ScalarType::F16 => 6,
        ScalarType::F32 => 7,
        ScalarType::F64 => 8,
        ScalarType::BF16 => 9,
        ScalarType::I1
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::F8E4M3
        | ScalarType::F8E5M2
        | ScalarType::F8E4B15
        | ScalarType::F8E4M3B8
        | ScalarType::F8E5M2B16 => 0,
    }
}

/// The functions of an entry whose variants begin with this number.
fn function(bundle: &Bundle, entry: &BundleEntry, first: usize) -> String {
    let (prefix, name, count) = (&bundle.name, &entry.name, entry.variants.len());
    let mut text = String::new();
    if needs_scratch(entry) {
        let images = || entry.variants.iter().flat_map(|variant| &variant.images);
        let per_program = images().map(|image| u64::from(image.global_scratch_bytes) * u64::from(image.num_ctas)).max();
        let per_program = per_program.unwrap_or(0);
        let _ = writeln!(
            text,
            "uint64_t {prefix}_{name}_scratch_bytes({prefix}_grid grid) {{\n    \
             return (uint64_t)grid.x * grid.y * grid.z * {per_program}u;\n}}\n"
        );
    }
    let _ = writeln!(
        text,
        "{prefix}_status {prefix}_{name}(const {prefix}_module *module, void *stream, {prefix}_grid grid, const {prefix}_{name}_args *args) {{\n    \
         return launch(module, {first}, {count}, stream, grid, args);\n}}\n"
    );
    text
}
