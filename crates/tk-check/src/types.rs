//! The spelling of types in annotations.

use crate::checked::{Element, Type};
use crate::value::Class;
use tk_types::{ArgType, ScalarType};

/// `int`, `float`, `bool` as dtypes.
pub(crate) fn class_scalar(class: Class) -> Option<ScalarType> {
    match class {
        Class::Int => Some(ScalarType::I32),
        Class::Float => Some(ScalarType::F32),
        Class::Bool => Some(ScalarType::I1),
        _ => None,
    }
}

/// The type that an annotation string such as `"*fp32"` or `"i32"` names.
pub fn annotation_type(text: &str) -> Option<ArgType> {
    ArgType::parse(text.trim().trim_start_matches("tl."))
}

/// A run-time argument type from an annotation's type object.
pub(crate) fn argument_type(ty: &Type) -> Option<ArgType> {
    match &ty.element {
        Element::Scalar(scalar) => Some(ArgType::Scalar(*scalar)),
        Element::Pointer { pointee, constant } => match **pointee {
            Element::Scalar(element) => Some(ArgType::Pointer { element, constant: *constant }),
            _ => None,
        },
        Element::Descriptor { .. } => None,
    }
}
