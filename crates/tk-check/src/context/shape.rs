//! Rules about shapes, types and axes.

use crate::checked::Element;
use crate::context::Context;
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

/// Most elements of one tensor, as in `triton.language`.
pub(crate) const MAX_NUMEL: u64 = 1 << 20;

/// The help where a dimension is no power of two and has to be one.
pub(crate) const TAKE_THE_NEXT: &str = "Take the next power of two and a mask.";

impl Context {
    /// A shape: a tuple or list of constants, or one constant; at most 2^20 elements after padding to powers of two.
    pub(crate) fn shape<'a>(&self, arg: &Spanned<'a>) -> R<Vec<u32>> {
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
    pub(crate) fn shape_of_rest<'a>(&self, rest: &[Spanned<'a>], span: Span) -> R<Vec<u32>> {
        if let [only] = rest {
            return self.shape(only);
        }
        let dims = rest.iter().map(|arg| self.constant_int("a dimension of a shape", arg)).collect::<R<Vec<i128>>>()?;
        let span = rest.iter().map(|arg| arg.span).reduce(Span::to).unwrap_or(span);
        self.checked_shape(&dims, span)
    }

    /// Checks the dimensions of a tensor.
    pub(crate) fn checked_shape(&self, dims: &[i128], span: Span) -> R<Vec<u32>> {
        for (at, &dim) in dims.iter().enumerate() {
            if dim & (dim - 1) != 0 && dim > 0 {
                self.beyond_triton(span, format!("Shape element {at} must be a power of 2"), TAKE_THE_NEXT)?;
            }
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
    pub(crate) fn scalar_dtype<'a>(&self, what: &str, arg: &Spanned<'a>) -> R<ScalarType> {
        let found = self.named_scalar(what, arg)?;
        self.known_to_triton(&Element::Scalar(found), arg.span).map(|()| found)
    }

    fn named_scalar<'a>(&self, what: &str, arg: &Spanned<'a>) -> R<ScalarType> {
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
                if let Some(scalar) = crate::types::class_scalar(*class) {
                    return Ok(scalar);
                }
            }
            _ => {}
        }
        Err(self.not_constexpr(what, arg, "a dtype such as `tl.float32`").into())
    }

    /// An element type, number or pointer, for casts.
    pub(crate) fn element_dtype<'a>(&self, what: &str, arg: &Spanned<'a>) -> R<Element> {
        match &arg.val {
            Val::Type(ty) => self.known_to_triton(&ty.element, arg.span).map(|()| ty.element.clone()),
            _ => self.scalar_dtype(what, arg).map(Element::Scalar),
        }
    }

    /// A dimension index, negative ones counted from the end.
    pub(crate) fn axis<'a>(&self, arg: &Spanned<'a>, rank: usize) -> R<u32> {
        let axis = self.constant_int("the axis", arg)?;
        let rank_signed = rank as i128;
        if axis < -rank_signed || axis >= rank_signed {
            let (message, help) = if rank == 0 {
                (format!("invalid axis {axis}: a scalar has none"), "Pass a tensor.".to_string())
            } else {
                (
                    format!(
                        "invalid axis {axis} for a tensor with {rank} dimension{}",
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
