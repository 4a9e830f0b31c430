//! A tensor as text, as torch prints it: four decimals, columns aligned, the middle of large tensors left out.

use super::{Tensor, number, show_shape, torch_name};
use tk_types::ScalarType;

/// Tensors with more elements show only their edges.
const SUMMARY_ABOVE: usize = 1000;
/// Elements shown at each edge of an axis.
const EDGE: usize = 3;

/// `tensor([[1., 2.]], dtype=torch.float16)`.
pub(crate) fn show(tensor: &Tensor) -> String {
    let summarised = tensor.count() > SUMMARY_ABOVE;
    if !summarised {
        tensor.note_read();
    }
    let mut elements = Vec::new();
    collect(tensor, summarised, &mut elements);
    let texts = texts(tensor.dtype, &elements);
    let width = texts.iter().map(String::len).max().unwrap_or(0);
    let mut out = String::from("tensor(");
    write_axis(tensor, summarised, 0, &mut texts.iter(), width, &mut out);
    if !matches!(tensor.dtype, ScalarType::F32 | ScalarType::I64 | ScalarType::I1) {
        out.push_str(&format!(", dtype={}", torch_name(tensor.dtype)));
    }
    if tensor.count() == 0 {
        out.push_str(&format!(", size={}", show_shape(&tensor.shape)));
    }
    out.push(')');
    out
}

/// The indices of an axis that are shown; `None` stands for those left out.
fn shown(size: usize, summarised: bool) -> Vec<Option<usize>> {
    if summarised && size > 2 * EDGE {
        (0..EDGE).map(Some).chain([None]).chain((size - EDGE..size).map(Some)).collect()
    } else {
        (0..size).map(Some).collect()
    }
}

/// The elements that are shown, in order.
fn collect(tensor: &Tensor, summarised: bool, out: &mut Vec<Element>) {
    if tensor.rank() == 0 {
        tensor.note_read();
        let bytes = tensor.buffer.bytes();
        let at = &bytes[tensor.offset * tensor.width()..];
        out.push(match tensor.dtype.is_float() {
            true => Element::Float(number::read_f64(tensor.dtype, at)),
            false => Element::Int(number::read_i64(tensor.dtype, at)),
        });
        return;
    }
    for index in shown(tensor.shape[0], summarised).into_iter().flatten() {
        if let Ok(part) = tensor.select(0, index as i128) {
            collect(&part, summarised, out);
        }
    }
}

enum Element {
    Float(f64),
    Int(i64),
}

fn texts(dtype: ScalarType, elements: &[Element]) -> Vec<String> {
    let floats = || elements.iter().filter_map(|e| if let Element::Float(v) = e { Some(*v) } else { None });
    let whole = floats().all(|v| !v.is_finite() || v.fract() == 0.0);
    let largest = floats().filter(|v| v.is_finite()).fold(0.0f64, |max, v| max.max(v.abs()));
    let smallest = floats().filter(|v| v.is_finite() && *v != 0.0).fold(f64::INFINITY, |min, v| min.min(v.abs()));
    let scientific = largest >= 1e8 || (largest > 0.0 && (smallest < 1e-4 || largest / smallest > 1e3 && !whole));
    let text = |element: &Element| match element {
        Element::Int(value) if dtype == ScalarType::I1 => if *value != 0 { "True" } else { "False" }.to_string(),
        Element::Int(value) => value.to_string(),
        Element::Float(value) if value.is_nan() => "nan".to_string(),
        Element::Float(value) if value.is_infinite() => if *value > 0.0 { "inf" } else { "-inf" }.to_string(),
        Element::Float(value) if scientific => crate::format::scientific(*value, 4, 'e'),
        Element::Float(value) if whole => format!("{value:.0}."),
        Element::Float(value) => format!("{value:.4}"),
    };
    elements.iter().map(text).collect()
}

fn write_axis<'t>(
    tensor: &Tensor,
    summarised: bool,
    axis: usize,
    texts: &mut impl Iterator<Item = &'t String>,
    width: usize,
    out: &mut String,
) {
    if axis == tensor.rank() {
        let text = texts.next().map_or("", String::as_str);
        let padding = if tensor.rank() == 0 { 0 } else { width.saturating_sub(text.len()) };
        out.push_str(&" ".repeat(padding));
        out.push_str(text);
        return;
    }
    let last = axis + 1 == tensor.rank();
    let between = match last {
        true => ", ".to_string(),
        false => format!(",{}{}", "\n".repeat(tensor.rank() - axis - 1), " ".repeat("tensor(".len() + axis + 1)),
    };
    out.push('[');
    for (i, index) in shown(tensor.shape[axis], summarised).into_iter().enumerate() {
        if i > 0 {
            out.push_str(&between);
        }
        match index {
            Some(_) => write_axis(tensor, summarised, axis + 1, texts, width, out),
            None => out.push_str("..."),
        }
    }
    out.push(']');
}
