//! Functions that kernels call: private `tt.func`s that were not inlined, one LLVM function each.
//!
//! They share the kernel's module, its dynamic shared memory and its settings; everything that a thread knows of itself it computes again.

use crate::code::{Asm, Code, Reg, SourcePlaces, Ty, bug, device_function};
use crate::emit::{Emitter, Settings};
use inkwell::context::Context;
use inkwell::module::Module;
use tk_diag::Result;
use tk_image::ResourceUse;
use tk_ir::ops::FuncOp;
use tk_types::Lines;

/// Emits every function of `module` that is no kernel into `llvm_module`, and adds what it uses.
pub(crate) fn emit<'l>(
    module: &tk_ir::Module<'_>,
    llvm: &'l Context,
    mut llvm_module: Module<'l>,
    mut settings: Settings,
    resources: &mut ResourceUse,
) -> Result<Module<'l>> {
    let functions = module.functions().into_iter().filter_map(FuncOp::cast);
    for function in functions.filter(|function| !function.is_public() && function.body().is_some()) {
        let emitter = emit_one(function, llvm, llvm_module, settings)?;
        let Emitter { code, settings: same, resources: more, .. } = emitter;
        resources.shared_buffers.extend(more.shared_buffers);
        resources.scalar_dots.extend(more.scalar_dots);
        llvm_module = code.into_module();
        settings = same;
    }
    Ok(llvm_module)
}

/// A parameter, moved to a register first: a choice between two parameters would otherwise become one load from a chosen address, and
/// parameters of functions have none.
fn parameter(code: &mut Code<'_>, index: u32, ty: Ty) -> Result<Reg> {
    let given = code.parameter(index, ty, 0)?;
    let is_narrow = ty.is_int() && ty.bits() < 16;
    let value = if is_narrow { code.zext(given, Ty::Int(16)) } else { given };
    let text = format!("mov.b{} $0, $1;", value.ty().bits());
    let moved = code.asm(Asm::new(text).output(value.ty()).input(value).without_effects())?[0];
    Ok(if is_narrow { code.trunc(moved, ty) } else { moved })
}

fn emit_one<'c, 'l>(
    function: FuncOp<'c>,
    llvm: &'l Context,
    llvm_module: Module<'l>,
    settings: Settings,
) -> Result<Emitter<'c, 'l>> {
    let ty = function.ty().ok_or_else(|| bug(format!("`{}` has no type", function.name())))?;
    let (mut parameters, mut results) = (Vec::new(), Vec::new());
    for input in ty.function_inputs() {
        parameters.extend(crate::emit::machine_types(input)?);
    }
    for result in ty.function_results() {
        results.extend(crate::emit::machine_types(result)?);
    }
    let declared = device_function(llvm, &llvm_module, function.name(), &parameters, &results);
    let place = function.op.loc().file_line_col().filter(|_| settings.options.lines == Lines::Kept);
    let places = match place {
        Some((file, line, _)) => SourcePlaces::new(llvm, &llvm_module, declared, file, line),
        None => SourcePlaces::none(),
    };
    let fp_fusion = settings.options.fp_fusion;
    let mut emitter = Emitter::new(Code::new(llvm, llvm_module, declared, fp_fusion, places), settings);
    let mut registers = Vec::with_capacity(parameters.len());
    for (index, ty) in parameters.iter().enumerate() {
        registers.push(parameter(&mut emitter.code, index as u32, *ty)?);
    }
    let mut registers = registers.into_iter();
    for argument in function.args() {
        emitter.receive(argument, &mut registers)?;
    }
    emitter.emit_function(function)?;
    Ok(emitter)
}
