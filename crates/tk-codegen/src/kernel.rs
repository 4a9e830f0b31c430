//! The LLVM function of a kernel: name, parameters, attributes, and the image that tells a launch about it.

use crate::CodegenContext;
use crate::code::{Code, Places, Space, Ty, bug, llvm_type};
use crate::emit::{Emitter, Settings};
use crate::machine::Machine;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::FunctionValue;
use tk_diag::Result;
use tk_ir::ops::FuncOp;
use tk_ir::{OpKind, Type};
use tk_types::{ImageParam, KernelImage, ResourceUse, ScalarType};

/// LLVM's number of the `ptx_kernel` calling convention.
const PTX_KERNEL: u32 = 71;

/// An emitted kernel: everything but its PTX.
pub(crate) struct Kernel<'l> {
    pub(crate) module: Module<'l>,
    pub(crate) image: KernelImage,
}

/// Emits the public function of `module`.
pub(crate) fn emit<'l>(
    module: &tk_ir::Module<'_>,
    context: &CodegenContext,
    llvm: &'l Context,
    machine: &Machine,
) -> Result<Kernel<'l>> {
    let kernels: Vec<FuncOp<'_>> =
        module.functions().into_iter().filter_map(FuncOp::cast).filter(|function| function.is_public()).collect();
    let [kernel] = kernels[..] else {
        return Err(bug(format!("the module has {} public functions, not one", kernels.len())));
    };
    let number = |name: &str, default: i64| module.op().int_attr(name).unwrap_or(default) as u32;
    let num_warps = number("ttg.num-warps", context.options.num_warps.into());
    let shared_bytes = number("ttg.shared", 0);
    let parameters = parameters(kernel)?;
    let llvm_module = llvm.create_module("tk");
    machine.describe(&llvm_module);
    let function = declare(kernel, &parameters, llvm, &llvm_module);
    set_launch_bounds(function, llvm, context, num_warps);

    let place = kernel.op.loc().file_line_col();
    let places = match place {
        Some((file, line, _)) => Places::new(llvm, &llvm_module, function, file, line),
        None => Places::none(),
    };
    let code = Code::new(llvm, llvm_module, function, context.options.fp_fusion, places);
    let settings = Settings {
        target: context.target,
        options: context.options.clone(),
        num_warps,
        source: context.source.clone(),
    };
    let mut emitter = Emitter::new(code, settings);
    for (index, (value, ty)) in kernel.args().into_iter().zip(&parameters).enumerate() {
        let mut reg = emitter.code.parameter(index as u32, *ty, 0)?;
        let divisibility = kernel.arg_attr(index, "tt.divisibility").and_then(|attribute| attribute.as_int());
        if let (true, Some(factor)) = (ty.is_int(), divisibility) {
            reg = emitter.code.assume_multiple(reg, factor.unsigned_abs());
        }
        emitter.define_scalar(value, reg);
    }
    emitter.emit_function(kernel)?;

    let image = KernelImage {
        entry: kernel.name().to_owned(),
        ptx: String::new(),
        cubin: None,
        params: kernel.args().iter().map(|value| image_param(value.loc().name(), value.ty())).collect(),
        num_warps,
        num_ctas: number("ttg.num-ctas", 1),
        shared_bytes,
        target: context.target.to_string(),
        resources: ResourceUse { shared_buffers: emitter.shared_buffers, ..ResourceUse::default() },
    };
    Ok(Kernel { module: emitter.code.into_module(), image })
}

fn parameters(kernel: FuncOp<'_>) -> Result<Vec<Ty>> {
    let types = kernel.args().into_iter().map(|value| value.ty());
    types
        .map(|ty| machine_type(ty).ok_or_else(|| bug(format!("a kernel cannot have a parameter of type {ty}"))))
        .collect()
}

fn machine_type(ty: Type<'_>) -> Option<Ty> {
    if ty.is_tensor() {
        return None;
    }
    crate::emit::element_ty(ty)
}

fn declare<'l>(
    kernel: FuncOp<'_>,
    parameters: &[Ty],
    llvm: &'l Context,
    llvm_module: &Module<'l>,
) -> FunctionValue<'l> {
    let types: Vec<BasicMetadataTypeEnum> = parameters.iter().map(|ty| llvm_type(llvm, *ty).into()).collect();
    let function = llvm_module.add_function(kernel.name(), llvm.void_type().fn_type(&types, false), None);
    function.set_call_conventions(PTX_KERNEL);
    for (index, ty) in parameters.iter().enumerate() {
        let alignment = kernel.arg_attr(index, "tt.divisibility").and_then(|attribute| attribute.as_int()).unwrap_or(1);
        if *ty == Ty::Ptr(Space::Global) && (2..=256).contains(&alignment) && alignment.count_ones() == 1 {
            function.set_param_alignment(index as u32, alignment as u32);
        }
    }
    function
}

/// Threads per CTA, and the limits on registers that the user asked for.
fn set_launch_bounds(function: FunctionValue<'_>, llvm: &Context, context: &CodegenContext, num_warps: u32) {
    let set = |name: &str, value: u32| {
        function.add_attribute(AttributeLoc::Function, llvm.create_string_attribute(name, &value.to_string()));
    };
    set("nvvm.reqntid", num_warps * 32);
    if let Some(registers) = context.options.maxnreg {
        set("nvvm.maxnreg", registers);
    }
}

fn image_param(name: Option<&str>, ty: Type<'_>) -> ImageParam {
    ImageParam {
        name: name.unwrap_or("").to_owned(),
        scalar: scalar_type(ty),
        pointee: ty.pointee().and_then(scalar_type),
    }
}

/// The scalar type; MLIR keeps no signs, so integers come out signed.
fn scalar_type(ty: Type<'_>) -> Option<ScalarType> {
    if let Some(float) = ty.float() {
        return Some(float);
    }
    Some(match ty.int_bits()? {
        1 => ScalarType::I1,
        8 => ScalarType::I8,
        16 => ScalarType::I16,
        32 => ScalarType::I32,
        _ => ScalarType::I64,
    })
}

impl<'c> Emitter<'c, '_> {
    /// Emits the body of a kernel.
    fn emit_function(&mut self, kernel: FuncOp<'c>) -> Result<()> {
        let blocks = kernel.op.region(0).blocks();
        match blocks[..] {
            [] => Err(self.bug(kernel.op, "it has no body")),
            [body] => match self.emit_block(body)? {
                Some(last) if last.kind() == OpKind::TtReturn => self.code.finish(),
                _ => Err(self.bug(kernel.op, "its body does not end in `tt.return`")),
            },
            _ => self.emit_blocks(&blocks),
        }
    }
}
