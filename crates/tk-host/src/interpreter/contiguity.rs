//! The warning for a tensor with strides that its kernel does not get.
//!
//! A kernel sees the address of a tensor and nothing of its shape. One that walks a row with stride 1 reads the wrong elements of a
//! transposed or sliced tensor, silently. Here, at the launch, both are known: the strides of the tensor, and the integers
//! that the kernel gets and uses.

use super::kernels::Bound;
use crate::tensor::Tensor;
use crate::value::Value;
use tk_diag::{Diagnostic, NOT_CONTIGUOUS, SourceFile, Span};
use tk_grammar::ast::{FunctionDef, Module};

/// One warning per tensor argument that is not contiguous in a dimension whose stride no used argument carries.
pub(crate) fn warnings(module: &Module, function: &FunctionDef, bound: &Bound<'_>, launch: Span) -> Vec<Diagnostic> {
    let is_strided =
        |value: &Option<Value<'_>>| matches!(value, Some(Value::Tensor(tensor)) if !tensor.is_contiguous());
    if !bound.iter().any(is_strided) || all_alike(bound) {
        return Vec::new();
    }
    let used: Vec<i128> = function
        .params
        .iter()
        .zip(bound)
        .filter(|(param, _)| is_read(&module.file, function, &param.name.text))
        .filter_map(|(_, value)| match value {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (param, value) in function.params.iter().zip(bound) {
        let Some(Value::Tensor(tensor)) = value else { continue };
        let missing: Vec<(usize, usize, usize)> =
            odd_strides(tensor).into_iter().filter(|(_, stride, _)| !used.contains(&(*stride as i128))).collect();
        let Some((dim, stride, plain)) = missing.last().copied() else { continue };
        let (name, kernel) = (&param.name.text, &function.name.text);
        let message = format!("`{name}` is not contiguous, and the kernel `{kernel}` does not get its strides");
        let warning = Diagnostic::warning(NOT_CONTIGUOUS, message)
            .at(
                &module.file,
                launch,
                format!("stride({dim}) of `{name}` is {stride}, and no argument that the kernel uses is {stride}"),
            )
            .at(&module.file, param.name.span, "the kernel sees an address only")
            .note(format!("a contiguous tensor of shape {:?} has stride({dim}) = {plain}", tensor.shape))
            .help(format!(
                "Pass `{name}.contiguous()`, or pass `{name}.stride({dim})` and multiply that index with it."
            ));
        found.push(warning);
    }
    found
}

/// The dimensions with another stride than a contiguous tensor has: dimension, stride, contiguous stride.
fn odd_strides(tensor: &Tensor) -> Vec<(usize, usize, usize)> {
    let mut plain = 1;
    let mut odd = Vec::new();
    for (dim, (size, stride)) in tensor.shape.iter().zip(&tensor.strides).enumerate().rev() {
        if *size > 1 && *stride != plain {
            odd.push((dim, *stride, plain));
        }
        plain *= size.max(&1);
    }
    odd.reverse();
    odd
}

/// Whether every tensor has the same shape and the same strides without gaps: then elements meet their partners in the order
/// of memory, whatever that is.
fn all_alike(bound: &Bound<'_>) -> bool {
    let mut tensors = bound.iter().filter_map(|value| match value {
        Some(Value::Tensor(tensor)) => Some(tensor),
        _ => None,
    });
    let Some(first) = tensors.next() else { return true };
    let span: usize =
        first.shape.iter().zip(&first.strides).map(|(size, stride)| size.saturating_sub(1) * stride).sum();
    let is_dense = span + 1 == first.shape.iter().product::<usize>();
    is_dense && tensors.all(|other| other.shape == first.shape && other.strides == first.strides)
}

/// Whether the body of a function has this name as a word. Names in comments count too, which only makes a warning rarer.
fn is_read(file: &SourceFile, function: &FunctionDef, name: &str) -> bool {
    let (Some(first), Some(last)) = (function.body.first(), function.body.last()) else { return false };
    let text = file.slice(first.span.to(last.span));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}
