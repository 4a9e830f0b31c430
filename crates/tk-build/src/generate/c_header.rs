//! The C header: types and functions, a comment on each.

use super::names::{Field, Language, about, fields};
use std::fmt::Write;
use tk_image::{ArgumentKind, Bundle, BundleEntry};
use tk_types::ScalarType;

/// The text of the header; `@` stands for the name of the bundle.
const TEMPLATE: &str = include_str!("header.h.in");

/// The header of a bundle. It needs `<stdint.h>` alone, and is one of C++ too.
pub(crate) fn c_header(bundle: &Bundle) -> String {
    let kernels: String = bundle.entries.iter().map(|entry| kernel(bundle, entry)).collect();
    TEMPLATE
        .replace("@@", &bundle.name.to_ascii_uppercase())
        .replace('@', &bundle.name)
        .replace("$TARGETS", &bundle.targets().join(", "))
        .replace("$KERNELS", &kernels)
}

fn kernel(bundle: &Bundle, entry: &BundleEntry) -> String {
    let (prefix, name) = (&bundle.name, &entry.name);
    let about: String = about(entry).iter().map(|line| format!(" * {line}\n")).collect();
    let mut text = format!("\n/*\n{about} */\ntypedef struct {{\n");
    for Field { name, argument } in fields(entry, Language::C) {
        let (ty, comment) = c_type(prefix, argument.kind);
        let _ = writeln!(text, "    {ty} {name}; /* {comment} */");
    }
    if needs_scratch(entry) {
        let _ = writeln!(text, "    uint64_t scratch; /* the address of {prefix}_{name}_scratch_bytes(…) bytes */");
    }
    if entry.arguments.is_empty() && !needs_scratch(entry) {
        text.push_str("    char nothing; /* the kernel takes no argument */\n");
    }
    let _ = writeln!(text, "}} {prefix}_{name}_args;\n");
    if needs_scratch(entry) {
        let _ = writeln!(
            text,
            "/* How much memory of the GPU a launch with this grid writes and reads for itself; its address is a multiple of 128.\n \
             * Launches that run at the same time have memory of their own. */\n\
             uint64_t {prefix}_{name}_scratch_bytes({prefix}_grid grid);\n"
        );
    }
    let _ = writeln!(
        text,
        "{prefix}_status {prefix}_{name}(const {prefix}_module *module, void *stream, {prefix}_grid grid, const {prefix}_{name}_args *args);"
    );
    text
}

/// Whether a variant of the entry asks for scratch memory.
pub(super) fn needs_scratch(entry: &BundleEntry) -> bool {
    entry.variants.iter().flat_map(|variant| &variant.images).any(|image| image.global_scratch_bytes > 0)
}

/// The type of an argument, and what its comment says.
fn c_type(prefix: &str, kind: ArgumentKind) -> (String, String) {
    match kind {
        ArgumentKind::Scalar(ty) => (number_type(ty).to_string(), ty.name().to_string()),
        ArgumentKind::Pointer(Some(ty)) => ("uint64_t".into(), format!("address of {ty}")),
        ArgumentKind::Pointer(None) => ("uint64_t".into(), "address".into()),
        ArgumentKind::Descriptor { element, rank } => {
            (format!("{prefix}_tensor"), format!("{element}, {rank} dimensions"))
        }
    }
}

/// Floats that C does not have are passed as their bits.
fn number_type(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::I8 => "int8_t",
        ScalarType::I16 => "int16_t",
        ScalarType::I32 => "int32_t",
        ScalarType::I64 => "int64_t",
        ScalarType::U16 | ScalarType::F16 | ScalarType::BF16 => "uint16_t",
        ScalarType::U32 => "uint32_t",
        ScalarType::U64 => "uint64_t",
        ScalarType::F32 => "float",
        ScalarType::F64 => "double",
        ScalarType::I1
        | ScalarType::U8
        | ScalarType::F8E4M3
        | ScalarType::F8E5M2
        | ScalarType::F8E4B15
        | ScalarType::F8E4M3B8
        | ScalarType::F8E5M2B16 => "uint8_t",
    }
}
