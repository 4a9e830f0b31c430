//! How the kernel of a form is launched: its name and the types of its parameters.

use crate::Until;
use crate::resume::{FormRequest, Passed, compile_form, parameters};
use crate::watch::Unwatched;
use tk_diag::{BAD_IR, Diagnostic, Result, Span};
use tk_image::{ImageParam, KernelImage, ParamKind};
use tk_types::{ArgSpec, ArgType, ScalarType};

/// What a launch of a form passes.
#[derive(Clone, Debug)]
pub struct Prototype {
    /// The name of the entry point.
    pub name: String,
    /// The parameters that an argument is given for, in their order.
    pub params: Vec<ArgSpec>,
}

/// The prototype of a form's kernel. PTX has only sizes: eight bytes are taken for an address, fewer for an integer.
///
/// # Errors
/// Those of compiling the form; a parameter is more than a number or an address; PTX needs shared memory and does not say how much.
pub fn prototype(request: &FormRequest<'_>) -> Result<Prototype> {
    let refused = |what: String| {
        let error =
            Diagnostic::error(BAD_IR, format!("{} cannot be launched by itself: {what}", request.source.name()));
        error
            .at(request.source, Span::default(), "")
            .help("Launch it in the place of its kernel, by `ir_override`.")
            .boxed()
    };
    let made = compile_form(request, Until::Ptx, &mut Unwatched)?;
    let image = made.image.ok_or_else(|| Diagnostic::bug("a compilation to PTX gave no kernel image").boxed())?;
    let params = if image.params.is_empty() { by_size(&image) } else { by_type(&image) };
    Ok(Prototype { name: image.entry.clone(), params: params.map_err(refused)? })
}

fn by_type(image: &KernelImage) -> std::result::Result<Vec<ArgSpec>, String> {
    let one = |param: &ImageParam| {
        let ty = match &param.kind {
            ParamKind::Scalar(scalar) => ArgType::Scalar(*scalar),
            ParamKind::Pointer(element) => address(element.unwrap_or(ScalarType::I8)),
            ParamKind::TensorMap(_) | ParamKind::DescriptorBase { .. } | ParamKind::MapOfPointer { .. } => {
                return Err(format!("its parameter `{}` is a descriptor", param.name));
            }
        };
        Ok(ArgSpec { ty, facts: param.facts })
    };
    image.arguments().map(|(_, param)| one(param)).collect()
}

fn by_size(image: &KernelImage) -> std::result::Result<Vec<ArgSpec>, String> {
    if needs_shared_memory(&image.ptx) {
        return Err("its PTX does not say how much shared memory a launch has to give it".to_string());
    }
    let mut passed = parameters(image)?;
    while passed.last().is_some_and(Passed::is_spare) {
        passed.pop();
    }
    let one = |param: &Passed| match param.bytes {
        8 => Ok(address(ScalarType::I8)),
        4 => Ok(ArgType::Scalar(ScalarType::I32)),
        2 => Ok(ArgType::Scalar(ScalarType::I16)),
        1 => Ok(ArgType::Scalar(ScalarType::I8)),
        bytes => Err(format!("it has a parameter of {bytes} bytes")),
    };
    passed.iter().map(|param| one(param).map(|ty| ArgSpec { ty, facts: tk_types::Facts::NONE })).collect()
}

/// Whether PTX uses memory whose size the launch decides; that it declares it says nothing.
fn needs_shared_memory(ptx: &str) -> bool {
    let declared = ptx.lines().filter(|line| line.contains(".extern .shared"));
    let mut names = declared.filter_map(|line| line.split_whitespace().last()?.split('[').next());
    names.any(|name| ptx.matches(name).count() > 1)
}

fn address(element: ScalarType) -> ArgType {
    ArgType::Pointer { element, constant: false }
}
