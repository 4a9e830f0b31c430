//! Rules about shapes and the spelling of types in annotations.

use crate::check::Checker;
use crate::checked::{Element, Type};
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::{ArgType, ScalarType};

/// Most elements of one tensor, as in `triton.language`.
pub(crate) const MAX_NUMEL: u64 = 1 << 20;

impl<'a> Checker<'a> {
    /// A shape: a tuple or list of constants, or one constant; at most 2^20 elements after padding to powers of two.
    pub(crate) fn shape(&self, arg: &Spanned<'a>) -> R<Vec<u32>> {
        let dims = match &arg.val {
            Val::Tuple(items) => items
                .iter()
                .map(|item| self.constant_int("a dimension of a shape", &Spanned { val: item.clone(), span: arg.span }))
                .collect::<R<Vec<i128>>>()?,
            _ => vec![self.constant_int("a shape", arg)?],
        };
        self.checked_shape(&dims, arg.span)
    }

    /// A shape given as a tuple or as separate arguments.
    pub(crate) fn shape_of_rest(&self, rest: &[Spanned<'a>], span: Span) -> R<Vec<u32>> {
        if let [only] = rest {
            return self.shape(only);
        }
        let dims = rest.iter().map(|arg| self.constant_int("a dimension of a shape", arg)).collect::<R<Vec<i128>>>()?;
        let span = rest.iter().map(|arg| arg.span).reduce(Span::to).unwrap_or(span);
        self.checked_shape(&dims, span)
    }

    /// Checks the dimensions of a tensor.
    pub(crate) fn checked_shape(&self, dims: &[i128], span: Span) -> R<Vec<u32>> {
        for &dim in dims {
            if dim <= 0 {
                let message = format!("a block dimension must be positive, and {dim} is not");
                let help = "A tensor has at least one element along every dimension.";
                return Err(self.error(tk_diag::BAD_ARGUMENT, span, message, "").help(help).into());
            }
        }
        let numel =
            dims.iter().try_fold(1u64, |n, &d| n.checked_mul(u64::try_from(d).ok()?.checked_next_power_of_two()?));
        match numel {
            Some(numel) if numel <= MAX_NUMEL => Ok(dims.iter().map(|&d| d as u32).collect()),
            _ => {
                let padded = if dims.iter().all(|d| d & (d - 1) == 0) { "" } else { ", padded to powers of two," };
                let message = format!("a block of shape {dims:?}{padded} has more than {MAX_NUMEL} elements");
                Err(self
                    .error(tk_diag::TOO_LARGE, span, message, "")
                    .help("Split the work over more programs or loop over smaller blocks.")
                    .into())
            }
        }
    }

    /// A number type, for parameters such as `dtype`.
    pub(crate) fn scalar_dtype(&self, what: &str, arg: &Spanned<'a>) -> R<ScalarType> {
        match &arg.val {
            Val::Type(ty) => {
                if let Element::Scalar(scalar) = ty.element {
                    return Ok(scalar);
                }
            }
            Val::Str(name) => {
                if let Some(scalar) = ScalarType::parse(name) {
                    return Ok(scalar);
                }
            }
            Val::Class(class) => {
                if let Some(scalar) = class_scalar(*class) {
                    return Ok(scalar);
                }
            }
            _ => {}
        }
        Err(self.not_constexpr(what, arg, "a dtype such as `tl.float32`").into())
    }

    /// An element type, number or pointer, for casts.
    pub(crate) fn element_dtype(&self, what: &str, arg: &Spanned<'a>) -> R<Element> {
        match &arg.val {
            Val::Type(ty) => Ok(ty.element.clone()),
            _ => self.scalar_dtype(what, arg).map(Element::Scalar),
        }
    }

    /// A dimension index, negative ones counted from the end.
    pub(crate) fn axis(&self, arg: &Spanned<'a>, rank: usize) -> R<u32> {
        let axis = self.constant_int("the axis", arg)?;
        let rank_signed = rank as i128;
        if axis < -rank_signed || axis >= rank_signed {
            let (message, help) = if rank == 0 {
                ("a scalar has no axis".to_string(), "Pass a tensor.".to_string())
            } else {
                (
                    format!(
                        "axis {axis} is out of range for a tensor with {rank} dimension{}",
                        if rank == 1 { "" } else { "s" }
                    ),
                    format!("Use {} to {}.", -rank_signed, rank_signed - 1),
                )
            };
            return Err(self.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help(help).into());
        }
        Ok((if axis < 0 { axis + rank_signed } else { axis }) as u32)
    }
}

/// `int`, `float`, `bool` as dtypes.
pub(crate) fn class_scalar(class: crate::value::Class) -> Option<ScalarType> {
    use crate::value::Class;
    match class {
        Class::Int => Some(ScalarType::I32),
        Class::Float => Some(ScalarType::F32),
        Class::Bool => Some(ScalarType::I1),
        _ => None,
    }
}

/// The type that an annotation string such as `"*fp32"` or `"i32"` names.
pub fn annotation_type(text: &str) -> Option<ArgType> {
    let text = text.trim();
    if text.starts_with("tensordesc<") {
        return tk_types::parse_signature(text).ok()?.pop().map(|spec| spec.ty);
    }
    if let Some(element) = text.strip_prefix('*') {
        let (element, constant) = match element.strip_prefix('k') {
            Some(rest) => (rest, true),
            None => (element, false),
        };
        return Some(ArgType::Pointer { element: ScalarType::parse(element.trim())?, constant });
    }
    Some(ArgType::Scalar(ScalarType::parse(text.trim_start_matches("tl."))?))
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
