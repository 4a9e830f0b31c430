//! What tk takes and Triton refuses, where kernels have to be portable: errors with Triton's words; and its words for types.

use crate::checked::{Element, Type};
use crate::context::Context;
use crate::error::R;
use tk_diag::{Code, Span};
use tk_types::{Language, ScalarType};

impl Context {
    /// An argument or a value that only tk takes.
    pub(crate) fn beyond_triton(&self, span: Span, message: impl Into<String>, help: &str) -> R<()> {
        self.refuse(tk_diag::NOT_PORTABLE, span, message.into(), help)
    }

    /// A construct that only tk has.
    pub(crate) fn construct_beyond_triton(&self, span: Span, message: impl Into<String>, help: &str) -> R<()> {
        self.refuse(tk_diag::UNSUPPORTED, span, message.into(), help)
    }

    fn refuse(&self, code: Code, span: Span, message: String, help: &str) -> R<()> {
        match self.options.language {
            Language::Full => Ok(()),
            Language::Portable => Err(self.error(code, span, message, "").help(help).into()),
        }
    }

    /// 8-bit floats that Triton has not for the target.
    pub(crate) fn known_to_triton(&self, element: &Element, span: Span) -> R<()> {
        let scalar = match element {
            Element::Scalar(scalar) => *scalar,
            Element::Pointer { pointee, .. } => return self.known_to_triton(pointee, span),
            Element::Descriptor { .. } => return Ok(()),
        };
        // Triton has `float8e4nv` where the GPU converts to it.
        let has_e4m3 = self.target.has_fp8_conversions();
        let is_known = match scalar {
            ScalarType::F8E4M3 => has_e4m3,
            ScalarType::F8E4M3B8 | ScalarType::F8E5M2B16 => false,
            _ => true,
        };
        if is_known {
            return Ok(());
        }
        let known = if has_e4m3 { "('fp8e4b15', 'fp8e4nv', 'fp8e5')" } else { "('fp8e4b15', 'fp8e5')" };
        let message = format!("type {scalar} not supported in this architecture. The supported fp8 dtypes are {known}");
        self.beyond_triton(span, message, "Convert outside of the kernel, or take one of these.")
    }

    /// A type as `str` says it while compiling: `i32[128]`, or in Triton's words.
    pub(super) fn type_in_words(&self, ty: &Type) -> String {
        match self.options.language {
            Language::Full => ty.to_string(),
            Language::Portable => type_of_triton(&ty.element, &ty.shape),
        }
    }

    /// A run-time value in the same place: its type, which Triton's tensors say in another way than types do.
    pub(super) fn value_in_words(&self, ty: &Type) -> String {
        match self.options.language {
            Language::Full => ty.to_string(),
            Language::Portable => {
                let sizes: Vec<String> = ty.shape.iter().map(|size| format!("constexpr[{size}]")).collect();
                format!("{}[{}]", type_of_triton(&ty.element, &[]), sizes.join(", "))
            }
        }
    }

    /// Arguments of functions that are marked `noinline`.
    pub(crate) fn passed_by_triton(&self, function: &str, name: &str, ty: &Type, span: Span) -> R<()> {
        if !ty.is_tensor() {
            return Ok(());
        }
        let message =
            format!("Function {function} is marked noinline, but was called with non-scalar argument {name}:{ty}");
        self.construct_beyond_triton(span, message, "Pass scalars, or let it be inlined.")
    }
}

/// What `str` gives of Triton's types: `int32`, `pointer<fp32>`, `<['16', '32'], fp16>`.
fn type_of_triton(element: &Element, shape: &[u32]) -> String {
    let name = match element {
        Element::Scalar(scalar) if scalar.is_float() => scalar.to_string(),
        Element::Scalar(scalar) => scalar.tl_name().to_string(),
        Element::Pointer { pointee, constant: false } => format!("pointer<{}>", type_of_triton(pointee, &[])),
        Element::Pointer { pointee, constant: true } => format!("const_pointer<{}>", type_of_triton(pointee, &[])),
        Element::Descriptor { element, block } => {
            format!("tensor_descriptor<{}>", type_of_triton(&Element::Scalar(*element), block))
        }
    };
    let sizes: Vec<String> = shape.iter().map(|size| format!("'{size}'")).collect();
    if sizes.is_empty() { name } else { format!("<[{}], {name}>", sizes.join(", ")) }
}
