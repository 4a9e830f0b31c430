//! Options of launches: what a keyword says that names no parameter.

use crate::value::Value;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use std::path::PathBuf;
use tk_diag::SourceFile;
use tk_types::{ArgSpec, Argument, CompileOptions};

/// The most warps of a CTA.
const MOST_WARPS: u32 = 32;

/// Options of launches that other compilers know and that change nothing here; one that asks for something is told once.
const IGNORED_OPTIONS: &[&str] = &[
    "waves_per_eu",
    "matrix_instr_nonkdim",
    "kpack",
    "allow_flush_denorm",
    "instruction_sched_variant",
    "schedule_hint",
    "cluster_dims",
    "ptx_version",
    "ptx_options",
    "launch_cooperative_grid",
    "launch_pdl",
    "warp_size",
    "sanitize_overflow",
    "instrumentation_mode",
    "enable_reflect_ftz",
    "deprecated_fp8_dot_operand_dtypes",
    "supported_fp8_dtypes",
    "allowed_dot_input_precisions",
    "default_dot_input_precision",
    "max_num_imprecise_acc_default",
    "arch",
    "backend_name",
    "device_type",
    "device",
    "stream",
    "num_buffers_warp_spec",
    "num_consumer_groups",
    "reg_dec_producer",
    "reg_inc_consumer",
    "enable_warp_specialization",
    "enable_persistent",
    "minRegAutoWS",
    "maxRegAutoWS",
    "bottleneck",
];

/// The option that names a file of IR or PTX.
pub(crate) const CODE: &str = "ir_override";

/// The text that is compiled on in place of a kernel's own; nothing where the option is `None`.
pub(crate) fn code(value: &Bound<'_, PyAny>) -> PyResult<Option<SourceFile>> {
    if value.is_none() {
        return Ok(None);
    }
    let path: PathBuf = value.extract()?;
    let text = std::fs::read_to_string(&path)
        .map_err(|error| PyValueError::new_err(format!("{CODE}: {} cannot be read: {error}", path.display())))?;
    let own = std::env::var("USE_IR_LOC").unwrap_or_default();
    let wants_own = !own.is_empty() && path.extension().is_some_and(|extension| *extension == *own);
    let text = if wants_own { without_places(&text) } else { text };
    Ok(Some(SourceFile::new(path.display().to_string(), text)))
}

/// A text of MLIR without what it says of places, line by line: its operations are then where they stand in it.
fn without_places(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_start().starts_with("#loc") {
        true => String::new(),
        false => without_places_in_line(line),
    });
    lines.flat_map(|line| [line, "\n".into()]).collect()
}

fn without_places_in_line(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(" loc(") {
        kept.push_str(&rest[..at]);
        let (mut depth, mut is_text) = (0u32, false);
        let end = rest[at..].char_indices().find(|(_, letter)| {
            match letter {
                '"' => is_text = !is_text,
                '(' if !is_text => depth += 1,
                ')' if !is_text => depth = depth.saturating_sub(1),
                _ => {}
            }
            *letter == ')' && !is_text && depth == 0
        });
        rest = end.map_or("", |(end, _)| &rest[at + end + 1..]);
    }
    kept.push_str(rest);
    kept
}

/// Reads one option of a launch of `kernel`. The caller checks them together.
pub(crate) fn read(
    kernel: &str,
    name: &Bound<'_, PyString>,
    value: &Bound<'_, PyAny>,
    options: &mut CompileOptions,
) -> PyResult<()> {
    if value.is_none() {
        return Ok(());
    }
    match name.to_str()? {
        "num_warps" => options.num_warps = value.extract()?,
        "num_stages" => options.num_stages = value.extract()?,
        "num_ctas" => options.num_ctas = value.extract()?,
        "maxnreg" => options.maxnreg = Some(value.extract()?),
        "enable_fp_fusion" => options.fp_fusion = value.is_truthy()?,
        "debug" => options.debug |= value.is_truthy()?,
        "extern_libs" => only_libdevice(value)?,
        known if IGNORED_OPTIONS.contains(&known) => {
            if value.is_truthy()? {
                value.py().import("tk._source")?.call_method1("unused_option", (known,))?;
            }
        }
        other => {
            let message = format!("`{kernel}` has no parameter `{other}`, and there is no such option");
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(())
}

/// Checks the options of a launch together.
pub(crate) fn check(py: Python<'_>, options: &CompileOptions) -> PyResult<()> {
    let errors = || py.import("tk.errors");
    if options.num_warps > MOST_WARPS && options.num_warps.is_power_of_two() {
        let required = u64::from(options.num_warps) * 32;
        let error = errors()?.getattr("OutOfResources")?.call1((required, MOST_WARPS * 32, "threads"))?;
        return Err(PyErr::from_value(error));
    }
    match options.check() {
        Ok(()) => Ok(()),
        Err(message) => Err(PyErr::from_value(errors()?.getattr("OptionError")?.call1((message, "bad-argument"))?)),
    }
}

/// The only library that functions of kernels can come from: tk has its functions itself.
fn only_libdevice(libraries: &Bound<'_, PyAny>) -> PyResult<()> {
    for library in libraries.try_iter()? {
        let name: String = library?.extract()?;
        if name != "libdevice" {
            return Err(PyTypeError::new_err(format!(
                "extern_libs: tk has the functions of libdevice, and none of {name}"
            )));
        }
    }
    Ok(())
}

/// One argument of a compilation for types: `("*fp32:16",)`, or `("constexpr", value)`.
pub(crate) fn argument(param: &str, given: &Bound<'_, PyTuple>) -> PyResult<Argument> {
    let text: String = given.get_item(0)?.extract()?;
    if text == "constexpr" {
        let value = Value::of(&given.get_item(1)?)?.constant(&|_| None);
        return match value {
            Some(value) => Ok(ArgSpec::constant(value).named(param)),
            None => Err(PyTypeError::new_err(format!("`{param}` is no number, string, type or tuple of them"))),
        };
    }
    let no_literals = |text: &str| Err(format!("`{text}` is no type"));
    let parsed = tk_types::parse_signature(&text, &no_literals)
        .map_err(|reason| PyTypeError::new_err(format!("the type `{text}` of `{param}`: {reason}")))?;
    match <[ArgSpec; 1]>::try_from(parsed) {
        Ok([spec]) => Ok(spec.named(param)),
        Err(_) => Err(PyTypeError::new_err(format!("the type `{text}` of `{param}` is not one type"))),
    }
}
