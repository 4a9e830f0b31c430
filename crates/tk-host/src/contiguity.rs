//! The warning for a tensor with strides that its kernel does not get.
//!
//! A kernel sees the address of a tensor and nothing of its shape. One that walks a row with stride 1 reads the wrong elements of a
//! transposed or sliced tensor, silently. Here, at the launch, both are known: the strides of the tensor, and the integers
//! that the kernel gets and uses.

use tk_diag::{Diagnostic, NOT_CONTIGUOUS, SourceFile, Span};
use tk_grammar::ast::{FunctionDef, Module};

/// What a launch says of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgShape<'a> {
    /// A tensor: elements along each dimension, and from one index to the next.
    Tensor {
        /// Elements along each dimension.
        shape: &'a [usize],
        /// Elements from one index to the next; as many as `shape` has.
        strides: &'a [usize],
    },
    /// An integer, constant or not.
    Int(i128),
    /// Anything else.
    Other,
}

impl ArgShape<'_> {
    /// The dimensions with another stride than a contiguous tensor has: dimension, stride, contiguous stride.
    fn odd_strides(self) -> Vec<(usize, usize, usize)> {
        let ArgShape::Tensor { shape, strides } = self else { return Vec::new() };
        let mut plain = 1usize;
        let mut odd = Vec::new();
        for (dim, (size, stride)) in shape.iter().zip(strides).enumerate().rev() {
            if *size > 1 && *stride != plain {
                odd.push((dim, *stride, plain));
            }
            plain = plain.saturating_mul(*size.max(&1));
        }
        odd.reverse();
        odd
    }
}

/// One warning per tensor that is not contiguous in a dimension whose stride none of the integers carries that the kernel
/// uses. `args` has what is passed to each parameter of the kernel, in order; `launch` is the place of the launch in the
/// file, if it stands there.
pub fn stride_warnings(module: &Module, kernel: &str, args: &[ArgShape<'_>], launch: Option<Span>) -> Vec<Diagnostic> {
    let Some(function) = module.function(kernel) else { return Vec::new() };
    if args.iter().all(|arg| arg.odd_strides().is_empty()) || all_alike(args) {
        return Vec::new();
    }
    let used: Vec<i128> = function
        .params
        .iter()
        .zip(args)
        .filter(|(param, _)| is_read(&module.file, function, &param.name.text))
        .filter_map(|(_, arg)| match arg {
            ArgShape::Int(value) => Some(*value),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (param, arg) in function.params.iter().zip(args) {
        let ArgShape::Tensor { shape, .. } = arg else { continue };
        let missing: Vec<(usize, usize, usize)> =
            arg.odd_strides().into_iter().filter(|(_, stride, _)| !used.contains(&(*stride as i128))).collect();
        let Some((dim, stride, plain)) = missing.last().copied() else { continue };
        let name = &param.name.text;
        let message = format!("`{name}` is not contiguous, and the kernel `{kernel}` does not get its strides");
        let strides =
            format!("stride({dim}) of `{name}` is {stride}, and no argument that the kernel uses is {stride}");
        let mut warning = Diagnostic::warning(NOT_CONTIGUOUS, message);
        warning = match launch {
            Some(launch) => warning.at(&module.file, launch, strides),
            None => warning.note(strides),
        };
        let warning = warning
            .at(&module.file, param.name.span, "the kernel sees an address only")
            .note(format!("a contiguous tensor of shape {shape:?} has stride({dim}) = {plain}"))
            .help(format!(
                "Pass `{name}.contiguous()`, or pass `{name}.stride({dim})` and multiply that index with it."
            ));
        found.push(warning);
    }
    found
}

/// Whether every tensor has the same shape and the same strides without gaps: then elements meet their partners in the order
/// of memory, whatever that is.
fn all_alike(args: &[ArgShape<'_>]) -> bool {
    let mut tensors = args.iter().filter_map(|arg| match arg {
        ArgShape::Tensor { shape, strides } => Some((*shape, *strides)),
        _ => None,
    });
    let Some(first) = tensors.next() else { return true };
    let span: usize = first.0.iter().zip(first.1).map(|(size, stride)| size.saturating_sub(1) * stride).sum();
    let is_dense = span + 1 == first.0.iter().product::<usize>();
    is_dense && tensors.all(|other| other == first)
}

/// Whether the body of a function has this name as a word. Names in comments count too, which only makes a warning rarer.
fn is_read(file: &SourceFile, function: &FunctionDef, name: &str) -> bool {
    let (Some(first), Some(last)) = (function.body.first(), function.body.last()) else { return false };
    let text = file.slice(first.span.to(last.span));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}
