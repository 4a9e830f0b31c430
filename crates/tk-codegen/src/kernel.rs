//! The LLVM function of a kernel: name, parameters, attributes, and the image that tells a launch about it.

use crate::CodegenContext;
use crate::code::{Asm, Code, Reg, SourcePlaces, Space, Ty, bug, llvm_type};
use crate::emit::{Emitter, GlobalScratch, ScratchPlan, Settings, has_many_numbers, tensor_box};
use crate::function;
use crate::launch_bounds::LaunchBounds;
use crate::machine::Machine;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::{AnyType, BasicMetadataTypeEnum};
use inkwell::values::FunctionValue;
use tk_diag::Result;
use tk_image::{ImageParam, KernelImage, LaunchLimits, MapEnd, ParamKind, TensorMapSpec};
use tk_ir::ops::FuncOp;
use tk_ir::{OpKind, Type, TypeKind, program_divisions};
use tk_layout::tensor_map::MOST_ELEMENTS;
use tk_types::{Lines, ScalarType};

/// LLVM's number of the `ptx_kernel` calling convention.
const PTX_KERNEL: u32 = 71;

/// Bytes to which the address of a tensor map is a multiple (PTX ISA, "Tensor-map").
const MAP_ALIGNMENT: u32 = 64;

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
    let num_warps = number(tk_ir::attributes::NUM_WARPS, context.options.num_warps.into());
    let shared_bytes = number(tk_ir::attributes::SHARED, 0);
    let mut parameters = parameters(kernel)?;
    let scratch = ScratchPlan::of(kernel.op);
    let scratch_bytes = scratch.bytes;
    if scratch_bytes > 0 {
        parameters.push(Ty::Ptr(Space::Global));
    }
    let llvm_module = llvm.create_module("tk");
    machine.describe(&llvm_module);
    Machine::describe_lines(&llvm_module, llvm);
    let function = declare(kernel, &parameters, llvm, &llvm_module);
    LaunchBounds::of(kernel.op, context, num_warps, shared_bytes).set(function, llvm);

    let place = kernel.op.loc().file_line_col().filter(|_| context.options.lines == Lines::Kept);
    let places = match place {
        Some((file, line, _)) => SourcePlaces::new(llvm, &llvm_module, function, file, line),
        None => SourcePlaces::none(),
    };
    let code = Code::new(llvm, llvm_module, function, context.options.fp_fusion, places);
    let settings = Settings {
        target: context.target,
        options: context.options.clone(),
        num_warps,
        source: context.source.clone(),
        dots: context.dots,
        is_in_pair: module.op().attr(tk_ir::attributes::PAIRS).is_some(),
        has_many_numbers: has_many_numbers(kernel.op),
        looks_at_programs: program_divisions::are_looked_at(kernel.op, &context.options),
        multiplies_by_groups: kernel.op.descendants().iter().any(|op| op.kind() == OpKind::TtngWarpGroupDot),
    };
    let mut emitter = Emitter::new(code, settings);
    define_arguments(&mut emitter, kernel, &parameters)?;
    let params: Vec<ImageParam> =
        (0..kernel.args().len()).map(|index| image_param(kernel, index)).collect::<Result<_>>()?;
    if scratch_bytes > 0 {
        let index = parameters.len() as u32 - 1;
        let parameter = emitter.code.parameter(index, Ty::Ptr(Space::Global), 0)?;
        emitter.global_scratch = Some(GlobalScratch::new(parameter, scratch));
    }
    emitter.emit_function(kernel)?;
    let Emitter { code, mut resources, settings, .. } = emitter;
    let llvm_module = function::emit(module, llvm, code.into_module(), settings, &mut resources)?;

    let image = KernelImage {
        entry: kernel.name().to_owned(),
        ptx: String::new(),
        cubin: None,
        params,
        num_warps,
        num_ctas: number(tk_ir::attributes::NUM_CTAS, 1),
        shared_bytes,
        global_scratch_bytes: scratch_bytes,
        target: context.target.to_string(),
        resources,
        limits: LaunchLimits::default(),
    };
    Ok(Kernel { module: llvm_module, image })
}

/// Says which registers the arguments of a kernel are in, and what divides them.
fn define_arguments<'c>(emitter: &mut Emitter<'c, '_>, kernel: FuncOp<'c>, parameters: &[Ty]) -> Result<()> {
    for (index, (value, ty)) in kernel.args().into_iter().zip(parameters).enumerate() {
        let mut reg = emitter.code.parameter(index as u32, *ty, 0)?;
        let divisibility =
            kernel.arg_attr(index, tk_ir::attributes::DIVISIBILITY).and_then(|attribute| attribute.as_int());
        if let (true, Some(factor)) = (ty.is_int() || ty.is_ptr(), divisibility) {
            reg = emitter.code.assume_multiple(reg, factor.unsigned_abs());
        }
        if *ty == Ty::Ptr(Space::Generic) {
            reg = address_of_map(&mut emitter.code, reg)?;
        }
        emitter.define_scalar(value, reg);
    }
    Ok(())
}

fn parameters(kernel: FuncOp<'_>) -> Result<Vec<Ty>> {
    let types = kernel.args().into_iter().map(|value| value.ty());
    types
        .map(|ty| machine_type(ty).ok_or_else(|| bug(format!("a kernel cannot have a parameter of type {ty}"))))
        .collect()
}

fn machine_type(ty: Type<'_>) -> Option<Ty> {
    if ty.is_tensor() { None } else { crate::emit::element_ty(ty) }
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
    // A launch gives every argument a value, and LLVM need not prove of each address that it is one.
    let defined = llvm.create_enum_attribute(Attribute::get_named_enum_kind_id("noundef"), 0);
    for (index, ty) in parameters.iter().enumerate() {
        function.add_attribute(AttributeLoc::Param(index as u32), defined);
        if *ty == Ty::Ptr(Space::Generic) {
            pass_tensor_map(function, llvm, index as u32);
            continue;
        }
        let alignment = kernel
            .arg_attr(index, tk_ir::attributes::DIVISIBILITY)
            .and_then(|attribute| attribute.as_int())
            .unwrap_or(1);
        if *ty == Ty::Ptr(Space::Global) && (2..=256).contains(&alignment) && alignment.count_ones() == 1 {
            function.set_param_alignment(index as u32, alignment as u32);
        }
    }
    function
}

/// Makes a parameter a tensor map by value, which TMA reads where the launch has put it.
fn pass_tensor_map(function: FunctionValue<'_>, llvm: &Context, index: u32) {
    let place = AttributeLoc::Param(index);
    let bytes = llvm.i8_type().array_type(128).as_any_type_enum();
    let by_value = Attribute::get_named_enum_kind_id("byval");
    function.add_attribute(place, llvm.create_type_attribute(by_value, bytes));
    function.add_attribute(place, llvm.create_string_attribute("nvvm.grid_constant", ""));
    function.set_param_alignment(index, MAP_ALIGNMENT);
}

/// The address of a tensor map among the parameters, as a number that ptxas keeps.
///
/// ptxas takes the address of a parameter for the sum of a constant and where parameters begin. It adds them up anew for every copy, and in
/// loops does so in registers of a thread, from where the sum is moved to uniform registers: three to eighteen instructions of an iteration
/// of attention. A map is aligned, so that rounding its address down changes nothing, and what was rounded is no such sum.
fn address_of_map(code: &mut Code<'_>, map: Reg) -> Result<Reg> {
    let text = format!("and.b64 $0, $1, -{MAP_ALIGNMENT};");
    Ok(code.asm(Asm::new(text).output(map.ty()).input(map).without_effects())?[0])
}

/// What a launch has to know of a parameter.
fn image_param(kernel: FuncOp<'_>, index: usize) -> Result<ImageParam> {
    let value = kernel.args()[index];
    let ty = value.ty();
    let number = |name: &str| kernel.arg_attr(index, name).and_then(|attribute| attribute.as_int());
    let refused = || bug(format!("{ty} cannot be a parameter"));
    let kind = match (ty.kind(), number(tk_ir::attributes::DESCRIPTOR)) {
        (TypeKind::TensorDesc { block }, _) => {
            let pad_nan = number(tk_ir::attributes::PADDING) == Some(tk_ir::attributes::PADDING_NAN);
            let rows = number(tk_ir::attributes::BOX_ROWS).and_then(|rows| u32::try_from(rows).ok());
            let map = tensor_map(block, pad_nan, rows).ok_or_else(refused)?;
            match (number(tk_ir::attributes::MAP_BASE), number(tk_ir::attributes::MAP_STRIDE)) {
                (Some(base), Some(stride)) => {
                    use tk_ir::attributes::{MAP_COLUMNS, MAP_COLUMNS_PARAMETER, MAP_ROWS, MAP_ROWS_PARAMETER};
                    let end = |elements: &str, parameter: &str| match (number(elements), number(parameter)) {
                        (Some(elements), _) => MapEnd::At(elements as u32),
                        (None, Some(parameter)) => MapEnd::Parameter(parameter as u32),
                        (None, None) => MapEnd::Nowhere,
                    };
                    let (rows, columns) = (end(MAP_ROWS, MAP_ROWS_PARAMETER), end(MAP_COLUMNS, MAP_COLUMNS_PARAMETER));
                    ParamKind::MapOfPointer { map, base: base as u32, stride: stride as u32, rows, columns }
                }
                _ => ParamKind::TensorMap(map),
            }
        }
        (TypeKind::Ptr { pointee, .. }, Some(rank)) => {
            let element = scalar_type(pointee).ok_or_else(|| bug(format!("{ty} cannot describe a tensor")))?;
            ParamKind::DescriptorBase { element, rank: rank as u32 }
        }
        (TypeKind::Ptr { pointee, .. }, None) => ParamKind::Pointer(scalar_type(pointee)),
        (TypeKind::Int { .. } | TypeKind::Float(_), _) => ParamKind::Scalar(scalar_type(ty).ok_or_else(refused)?),
        (
            TypeKind::Index
            | TypeKind::Tensor { .. }
            | TypeKind::MemDesc(_)
            | TypeKind::Token
            | TypeKind::Function { .. }
            | TypeKind::None
            | TypeKind::Other,
            _,
        ) => return Err(refused()),
    };
    Ok(ImageParam::new(value.loc().name().unwrap_or(""), kind))
}

/// The tensor map that the copies of these blocks need, with fewer rows where the last ones are left out. A descriptor that nothing uses
/// has no layout, and any map will do.
fn tensor_map(block: Type<'_>, pad_nan: bool, rows: Option<u32>) -> Option<TensorMapSpec> {
    let (shape, swizzle_bytes) = match block.encoding() {
        Some(_) => tensor_box(block)?,
        None => (block.shape(), 0),
    };
    let mut block_sizes: Vec<u32> = shape.into_iter().map(|size| size.min(MOST_ELEMENTS) as u32).collect();
    if let Some((first, rows)) = block_sizes.first_mut().zip(rows) {
        *first = rows.min(*first);
    }
    Some(TensorMapSpec { element: scalar_type(block.element())?, block: block_sizes, swizzle_bytes, pad_nan })
}

/// The scalar type. Only descriptors keep signs, so other integers come out signed.
fn scalar_type(ty: Type<'_>) -> Option<ScalarType> {
    if let Some(float) = ty.float() {
        return Some(float);
    }
    Some(match ty.int_bits()? {
        8 if ty.is_unsigned() => ScalarType::U8,
        16 if ty.is_unsigned() => ScalarType::U16,
        32 if ty.is_unsigned() => ScalarType::U32,
        64 if ty.is_unsigned() => ScalarType::U64,
        1 => ScalarType::I1,
        8 => ScalarType::I8,
        16 => ScalarType::I16,
        32 => ScalarType::I32,
        _ => ScalarType::I64,
    })
}

impl<'c> Emitter<'c, '_> {
    /// Emits the body of a function.
    pub(crate) fn emit_function(&mut self, kernel: FuncOp<'c>) -> Result<()> {
        let blocks = kernel.op.region(0).blocks();
        // What names the thread is known everywhere, also when a branch asks for it first.
        self.threads();
        match blocks[..] {
            [] => Err(self.bug(kernel.op, "it has no body")),
            [body] => match self.emit_block(body)? {
                Some(last) if last.kind() == OpKind::TtReturn => self.emit_return(last),
                _ => Err(self.bug(kernel.op, "its body does not end in `tt.return`")),
            },
            _ => self.emit_blocks(&blocks),
        }
    }
}
