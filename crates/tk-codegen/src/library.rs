//! Functions of a bitcode library, CUDA's libdevice, linked into the kernels that call them.
//!
//! The library asks `__nvvm_reflect("__CUDA_FTZ")` whether denormal numbers are flushed to zero. tk keeps them everywhere, so the answer
//! is no: LLVM's own pass gives it, since the module has no flag that says otherwise. Everything is inlined and what is left unused
//! goes before any other pass sees it.

use crate::code::bug;
use crate::machine::Machine;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::values::FunctionValue;
use std::path::Path;
use tk_diag::{Diagnostic, FILE, Result};

/// The prefix of libdevice's functions.
const PREFIX: &str = "__nv_";
/// The largest library that is read.
const MAX_BYTES: u64 = 64 << 20;
/// What is unused goes first: libdevice has 352 functions.
const PASSES: &str = "globaldce,nvvm-reflect,always-inline,globaldce";

/// Links what `module` calls and does not define.
pub(crate) fn link<'l>(module: &Module<'l>, llvm: &'l Context, machine: &Machine, path: Option<&str>) -> Result<()> {
    let missing: Vec<String> = module.get_functions().filter(|f| f.count_basic_blocks() == 0).map(name).collect();
    let missing: Vec<String> = missing.into_iter().filter(|name| name.starts_with(PREFIX)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let path = path.ok_or_else(|| bug(format!("`{}` is called without a library", missing[0])))?;
    let library = read(path, llvm)?;
    machine.describe(&library);
    if let Some(name) =
        missing.iter().find(|name| library.get_function(name).is_none_or(|f| f.count_basic_blocks() == 0))
    {
        return Err(wrong(path, format!("it does not define `{name}`")));
    }
    module.link_in_module(library).map_err(|why| wrong(path, format!("it cannot be linked: {why}")))?;
    for function in module.get_functions() {
        if function.count_basic_blocks() > 0 && name(function).starts_with(PREFIX) {
            function.set_linkage(Linkage::Internal);
        }
    }
    machine.run(module, PASSES)
}

fn name(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

fn read<'l>(path: &str, llvm: &'l Context) -> Result<Module<'l>> {
    let found = std::fs::metadata(path).map_err(|error| wrong(path, error))?;
    if !found.is_file() || found.len() > MAX_BYTES {
        return Err(wrong(path, "it is no file, or too large"));
    }
    let buffer = MemoryBuffer::create_from_file(Path::new(path)).map_err(|why| wrong(path, why))?;
    // LLVM takes other texts for broken bitcode and may stop at them.
    if !buffer.as_slice().starts_with(b"BC\xc0\xde") {
        return Err(wrong(path, "it is no LLVM bitcode"));
    }
    Module::parse_bitcode_from_buffer(&buffer, llvm).map_err(|why| wrong(path, why))
}

fn wrong(path: &str, what: impl std::fmt::Display) -> Box<Diagnostic> {
    Diagnostic::error(FILE, format!("the library {path}: {what}"))
        .help("`--libdevice` takes a file such as CUDA's nvvm/libdevice/libdevice.10.bc; without it tk's own functions are used")
        .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A library of one function that asks whether denormal numbers are flushed, as bitcode.
    const LIBRARY: &str = r#"
@ftz = private constant [11 x i8] c"__CUDA_FTZ\00"
declare i32 @__nvvm_reflect(ptr)
define float @__nv_tanf(float %x) alwaysinline {
  %flushes = call i32 @__nvvm_reflect(ptr @ftz)
  %asked = icmp ne i32 %flushes, 0
  br i1 %asked, label %flush, label %keep
flush:
  ret float 0.0
keep:
  %y = fmul float %x, 3.0
  ret float %y
}
define float @__nv_unused(float %x) {
  ret float %x
}
"#;
    const KERNEL: &str = r#"
declare float @__nv_tanf(float)
define void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call float @__nv_tanf(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
"#;

    fn module<'l>(llvm: &'l Context, text: &str) -> Module<'l> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "text");
        llvm.create_module_from_ir(buffer).expect("the text is LLVM IR")
    }

    #[test]
    fn a_function_of_the_library_is_inlined_and_keeps_denormals() {
        let llvm = Context::create();
        let path = std::env::temp_dir().join(format!("tk-library-{}.bc", std::process::id()));
        assert!(module(&llvm, LIBRARY).write_bitcode_to_path(&path), "the temporary folder can be written");
        let kernel = module(&llvm, KERNEL);
        let machine = Machine::new(&tk_target::Target::parse("sm_90a").unwrap()).unwrap();
        machine.describe(&kernel);
        link(&kernel, &llvm, &machine, path.to_str()).unwrap();
        machine.optimise(&kernel, false).unwrap();
        let ptx = machine.ptx(&kernel).unwrap();
        assert!(ptx.contains("mul.rn.f32") && !ptx.contains("call") && !ptx.contains("__nv"), "{ptx}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_no_library_is_an_error() {
        let llvm = Context::create();
        let machine = Machine::new(&tk_target::Target::parse("sm_90a").unwrap()).unwrap();
        let kernel = module(&llvm, KERNEL);
        assert!(link(&kernel, &llvm, &machine, Some("/nowhere.bc")).is_err());
        let path = std::env::temp_dir().join(format!("tk-no-library-{}.bc", std::process::id()));
        std::fs::write(&path, LIBRARY).unwrap();
        assert!(link(&kernel, &llvm, &machine, path.to_str()).unwrap_err().message.contains("no LLVM bitcode"));
        let empty = module(&llvm, "define void @f() { ret void }");
        assert!(empty.write_bitcode_to_path(&path));
        assert!(link(&kernel, &llvm, &machine, path.to_str()).unwrap_err().message.contains("__nv_tanf"));
        std::fs::remove_file(&path).unwrap();
    }
}
