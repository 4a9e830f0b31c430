//! Functions that the language has and tk does not compile yet, with what to do instead.

use crate::modules::ModuleKind;

const LANGUAGE: &[(&str, &str)] = &[
    ("dot_scaled", "Multiply each operand by its scales, `x.to(tl.float32) * scale`, and use `tl.dot`."),
    ("map_elementwise", "Use `tl.where` instead of control flow per element."),
    ("atomic_load", "Use `tl.load(…, volatile=True)` or `tl.atomic_or(ptr, 0)`."),
    ("atomic_store", "Use `tl.atomic_xchg`."),
    ("atomic_poll", "Use a `while` with `tl.atomic_cas`."),
    ("bitonic_merge", "Use `tl.sort`."),
    ("constexpr_type", "Use `tl.constexpr`."),
    ("slice", "Write the slice in a subscript."),
    ("void", "Return nothing."),
];

const LIBDEVICE: &[&str] = &[
    "acos",
    "asin",
    "atan",
    "atan2",
    "brev",
    "byte_perm",
    "clz",
    "cospi",
    "cyl_bessel_i0",
    "cyl_bessel_i1",
    "erfc",
    "erfcinv",
    "erfcx",
    "erfinv",
    "ffs",
    "hadd",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "logb",
    "mul24",
    "mulhi",
    "nextafter",
    "norm3d",
    "norm4d",
    "normcdf",
    "normcdfinv",
    "popc",
    "rcbrt",
    "rcp64h",
    "remainder",
    "rhadd",
    "rhypot",
    "sad",
    "scalbn",
    "sinpi",
    "tgamma",
    "y0",
    "y1",
    "yn",
];

/// What to do instead of a function that exists upstream; `None` for names that nobody knows.
pub(crate) fn reason(module: ModuleKind, name: &str) -> Option<&'static str> {
    match module {
        ModuleKind::Language => LANGUAGE.iter().find(|(known, _)| *known == name).map(|(_, help)| *help),
        ModuleKind::Libdevice => LIBDEVICE
            .contains(&name)
            .then_some("Compose it from `tl.exp2`, `tl.log2`, `tl.sqrt`, `tl.floor` and arithmetic."),
        ModuleKind::Functions => reason(ModuleKind::Language, name).or_else(|| reason(ModuleKind::Libdevice, name)),
        ModuleKind::Extra => match name {
            "convert_custom_float8" | "convert_custom_float8_sm70" | "convert_custom_float8_sm80" => {
                Some("Use `.to(…)`, which converts 8-bit floats.")
            }
            "hip" | "intel" | "ascend" | "mlu" => Some("tk compiles for NVIDIA GPUs."),
            _ => None,
        },
        ModuleKind::Triton => match name {
            "jit" | "autotune" | "Config" | "heuristics" | "testing" | "runtime" => Some("It belongs to host code."),
            _ => None,
        },
        _ => None,
    }
}
