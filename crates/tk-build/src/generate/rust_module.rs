//! The Rust module: a type for each kernel, with its arguments as fields.

use super::names::{Field, Language, about, fields, type_name};
use std::collections::HashSet;
use std::fmt::Write;
use tk_image::{ArgumentKind, Bundle, BundleEntry};
use tk_types::ScalarType;

/// The text of the module. It names `tk_runtime` alone, and includes the `.tkb` file beside it.
pub(crate) fn rust_module(bundle: &Bundle) -> String {
    let mut text = format!(
        "// Written by `tk build`; changes are lost. The kernels of the bundle `{name}`, for {targets}.

use std::sync::Arc;
#[allow(unused_imports, reason = \"not every bundle has all of them\")]
use tk_runtime::{{Arg, Bundle, Descriptor, Element, Entry, Error, Gpu, Pointer, ScalarType, Stream, half}};

/// The bundle as bytes.
pub const BYTES: &[u8] = include_bytes!(\"{name}.tkb\");

/// The bundle.
///
/// # Errors
/// Bytes of another version of tk.
pub fn bundle() -> Result<Bundle, Error> {{
    Ok(Bundle::from_bytes(BYTES)?)
}}
",
        name = bundle.name,
        targets = bundle.targets().join(", ")
    );
    let mut taken = HashSet::new();
    for entry in &bundle.entries {
        let mut name = type_name(&entry.name);
        while RESERVED.contains(&name.as_str())
            || [name.clone(), format!("{name}Args")].iter().any(|one| taken.contains(one))
        {
            name.push('K');
        }
        taken.extend([name.clone(), format!("{name}Args")]);
        kernel(&mut text, entry, &name);
    }
    text
}

/// Types that the module has besides those of kernels.
const RESERVED: &[&str] =
    &["Arc", "Arg", "Bundle", "Descriptor", "Element", "Entry", "Error", "Gpu", "Pointer", "ScalarType", "Stream"];

fn kernel(text: &mut String, entry: &BundleEntry, name: &str) {
    let fields = fields(entry, Language::Rust);
    let has_descriptor = fields.iter().any(|field| matches!(field.argument.kind, ArgumentKind::Descriptor { .. }));
    let lifetime = if has_descriptor { "<'a>" } else { "" };
    let anonymous = if has_descriptor { "<'_>" } else { "" };
    let mut comment: String = about(entry).iter().map(|line| format!("/// {line}\n///\n")).collect();
    comment.truncate(comment.trim_end_matches("///\n").len());
    let mut declared = String::new();
    let mut passed = String::new();
    for Field { name, argument } in &fields {
        let _ = writeln!(declared, "    /// {}.", argument_text(argument.kind));
        let _ = writeln!(declared, "    pub {name}: {},", rust_type(argument.kind));
        let _ = writeln!(passed, "            {},", passed_as(argument.kind, name));
    }
    let _ = write!(
        text,
        "
{comment}#[derive(Clone, Debug)]
pub struct {name}(Entry);

/// The arguments of [`{name}`].
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case, reason = \"the names are those of the kernel\")]
pub struct {name}Args{lifetime} {{
{declared}}}

impl {name} {{
    /// Its name in the bundle.
    pub const NAME: &str = \"{entry}\";

    /// Loads the code that fits the GPU.
    ///
    /// # Errors
    /// A bundle without code for this GPU.
    pub fn load(gpu: &Arc<Gpu>, bundle: &Bundle) -> Result<Self, Error> {{
        gpu.load_entry(bundle, Self::NAME).map(Self)
    }}

    /// Queues one program per point of the grid.
    ///
    /// # Errors
    /// Arguments that the kernel was not compiled for, a grid beyond the limits, and what the driver says.
    pub fn launch(&self, stream: Stream, grid: [u32; 3], args: &{name}Args{anonymous}) -> Result<(), Error> {{
        self.0.launch(stream, grid, &[
{passed}        ])
    }}

    /// The kernel without its types, which also reserves scratch memory.
    pub fn entry(&self) -> &Entry {{
        &self.0
    }}
}}
",
        entry = entry.name,
    );
}

fn argument_text(kind: ArgumentKind) -> String {
    match kind {
        ArgumentKind::Scalar(ty) => ty.name().to_string(),
        ArgumentKind::Pointer(Some(ty)) => format!("A pointer to {ty}"),
        ArgumentKind::Pointer(None) => "A pointer".to_string(),
        ArgumentKind::Descriptor { element, rank } => format!("A tensor of {element} with {rank} dimensions"),
    }
}

fn rust_type(kind: ArgumentKind) -> String {
    match kind {
        ArgumentKind::Scalar(ty) => element_type(ty).to_string(),
        ArgumentKind::Pointer(Some(ty)) => format!("Pointer<{}>", element_type(ty)),
        ArgumentKind::Pointer(None) => "Pointer<u8>".to_string(),
        ArgumentKind::Descriptor { .. } => "Descriptor<'a>".to_string(),
    }
}

fn element_type(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I1 => "bool",
        ScalarType::I8 => "i8",
        ScalarType::I16 => "i16",
        ScalarType::I32 => "i32",
        ScalarType::I64 => "i64",
        ScalarType::U16 => "u16",
        ScalarType::U32 => "u32",
        ScalarType::U64 => "u64",
        ScalarType::F16 => "half::f16",
        ScalarType::BF16 => "half::bf16",
        ScalarType::F32 => "f32",
        ScalarType::F64 => "f64",
        ScalarType::U8
        | ScalarType::F8E4M3
        | ScalarType::F8E5M2
        | ScalarType::F8E4B15
        | ScalarType::F8E4M3B8
        | ScalarType::F8E5M2B16 => "u8",
    }
}

fn passed_as(kind: ArgumentKind, name: &str) -> String {
    match kind {
        ArgumentKind::Scalar(ty) => format!("Arg::Scalar(ScalarType::{ty:?}, Element::bits(args.{name}))"),
        ArgumentKind::Pointer(_) => format!("args.{name}.arg()"),
        ArgumentKind::Descriptor { .. } => format!("Arg::Descriptor(args.{name})"),
    }
}
