//! What functions of the host give: tensors by their element type, descriptors by their blocks, a few numbers.
//!
//! Only the functions that people make the arguments of launches with; anything else is unknown.

use crate::known::{Known, Tensor};
use tk_types::{ConstValue, ScalarType};

/// Items of `range` that are kept: a loop is walked with one.
const RANGE: i128 = 16;

/// What an imported path names: a type, or a function of the language.
pub(crate) fn named(path: &str) -> Known {
    let last = path.rsplit('.').next().unwrap_or(path);
    if (path.starts_with("torch.") || path.starts_with("triton.language."))
        && let Some(scalar) = scalar(last)
    {
        return Known::Constant(ConstValue::Dtype(scalar));
    }
    match path.starts_with("triton.language.") {
        true => Known::Constant(ConstValue::Function(path.to_string())),
        false => Known::Unknown,
    }
}

/// The element type with a name of `torch` or `triton.language`.
fn scalar(name: &str) -> Option<ScalarType> {
    Some(match name {
        "bool" | "int1" => ScalarType::I1,
        "half" => ScalarType::F16,
        "float" => ScalarType::F32,
        "double" => ScalarType::F64,
        "long" => ScalarType::I64,
        "int" => ScalarType::I32,
        "float8_e4m3fn" => ScalarType::F8E4M3,
        "float8_e5m2" => ScalarType::F8E5M2,
        _ => return ScalarType::all().find(|scalar| scalar.tl_name() == name),
    })
}

/// `value.name` of a tensor, or of nothing that is known.
pub(crate) fn attribute(value: &Known, name: &str) -> Known {
    match (value, name) {
        (Known::Tensor(tensor), "data" | "grad") => Known::Tensor(tensor.clone()),
        (Known::Tensor(tensor), "T" | "mT") => Known::tensor(tensor.element),
        (Known::Tensor(Tensor { element: Some(element), .. }), "dtype") => Known::Constant(ConstValue::Dtype(*element)),
        (Known::Tensor(Tensor { shape: Some(shape), .. }), "shape") => sizes(shape),
        _ => Known::Unknown,
    }
}

/// `value[index]`.
pub(crate) fn subscript(value: &Known, index: &Known) -> Known {
    match (value, index.int()) {
        (Known::Tensor(tensor), _) => Known::tensor(tensor.element),
        (Known::Table(items), _) => {
            let key = index.constant();
            let found = items.iter().find(|(known, _)| Some(known) == key.as_ref());
            found.map_or(Known::Unknown, |(_, value)| value.clone())
        }
        (Known::Items(items), Some(index)) => {
            let index = if index < 0 { index + items.len() as i128 } else { index };
            usize::try_from(index).ok().and_then(|index| items.get(index)).cloned().unwrap_or(Known::Unknown)
        }
        _ => Known::Unknown,
    }
}

/// Arguments by name.
type Keywords<'k> = [(&'k str, Known)];

fn keyword<'k>(keywords: &'k Keywords<'_>, name: &str) -> Option<&'k Known> {
    keywords.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}

/// A call of a function by its path.
pub(crate) fn call(path: &str, positional: &[Known], keywords: &Keywords<'_>) -> Known {
    let count = |at: usize| positional.get(at).and_then(Known::count);
    let from: Vec<&Known> = positional.iter().collect();
    let number = |value: Option<i128>| value.map_or(Known::Unknown, |value| Known::counted(value, &from));
    let last = path.rsplit('.').next().unwrap_or(path);
    match last {
        "TensorDescriptor" | "from_tensor" => descriptor(last, positional, keywords),
        _ if path.starts_with("torch.") => tensor(last, positional, keywords),
        "cdiv" => {
            let pair = count(0).zip(count(1)).filter(|(_, b)| *b > 0);
            number(pair.and_then(|(a, b)| a.checked_add(b - 1)?.checked_div(b)))
        }
        "next_power_of_2" => {
            number(count(0).filter(|n| (1..1 << 40).contains(n)).map(|n| (n as u64).next_power_of_two().into()))
        }
        "min" | "max" if positional.len() == 2 => {
            number(count(0).zip(count(1)).map(|(a, b)| if last == "min" { a.min(b) } else { a.max(b) }))
        }
        "int" => number(count(0)),
        "len" => match positional {
            [Known::Items(items)] => number(Some(items.len() as i128)),
            _ => Known::Unknown,
        },
        "float" => match positional {
            [Known::Constant(ConstValue::Str(text))] => {
                text.parse().map_or(Known::Unknown, |value| Known::Constant(ConstValue::Float(value)))
            }
            [value @ Known::Constant(ConstValue::Float(_))] => value.clone(),
            _ => Known::Unknown,
        },
        "tuple" | "list" => match positional {
            [items @ Known::Items(_)] => items.clone(),
            _ => Known::Unknown,
        },
        "range" => range(positional),
        "zip" => zip(positional),
        "enumerate" => match positional {
            [items @ Known::Items(inside)] => {
                let numbers = (0..inside.len()).map(|at| Known::Constant(ConstValue::Int(at as i128))).collect();
                zip(&[Known::Items(numbers), items.clone()])
            }
            _ => Known::Unknown,
        },
        _ => Known::Unknown,
    }
}

fn range(positional: &[Known]) -> Known {
    let ints: Option<Vec<i128>> = positional.iter().map(Known::int).collect();
    let (start, end) = match ints.as_deref() {
        Some([end]) => (0, *end),
        Some([start, end]) => (*start, *end),
        _ => return Known::Unknown,
    };
    match end.checked_sub(start) {
        Some(count @ 0..=RANGE) => {
            Known::Items((start..start + count).map(|at| Known::Constant(ConstValue::Int(at))).collect())
        }
        _ => Known::Unknown,
    }
}

fn zip(lists: &[Known]) -> Known {
    let items = |list: &Known| match list {
        Known::Items(items) => Some(items.clone()),
        _ => None,
    };
    let Some(lists) = lists.iter().map(items).collect::<Option<Vec<_>>>() else { return Known::Unknown };
    let count = lists.iter().map(Vec::len).min().unwrap_or(0);
    Known::Items((0..count).map(|at| Known::Items(lists.iter().map(|list| list[at].clone()).collect())).collect())
}

/// `TensorDescriptor(tensor, shape, strides, block)` and `TensorDescriptor.from_tensor(tensor, block)`.
fn descriptor(name: &str, positional: &[Known], keywords: &Keywords<'_>) -> Known {
    let at = if name == "from_tensor" { 1 } else { 3 };
    let block = match positional.get(at).or_else(|| keyword(keywords, "block_shape")) {
        Some(Known::Items(dims)) => {
            let dim = |dim: &Known| dim.int().and_then(|dim| u32::try_from(dim).ok()).filter(|dim| *dim > 0);
            dims.iter().map(dim).collect()
        }
        _ => None,
    };
    let element = match positional.first().or_else(|| keyword(keywords, "base")) {
        Some(Known::Tensor(tensor)) => tensor.element,
        _ => None,
    };
    Known::Descriptor { block, element }
}

/// A function of torch that gives a tensor.
fn tensor(name: &str, positional: &[Known], keywords: &Keywords<'_>) -> Known {
    let source = positional.iter().find_map(|arg| match arg {
        Known::Tensor(tensor) => Some(tensor.clone()),
        _ => None,
    });
    let shape = match (name, &source) {
        ("empty" | "zeros" | "ones" | "rand" | "randn", _) => shape_of(positional),
        ("full", _) => positional.first().and_then(|shape| shape_of(std::slice::from_ref(shape))),
        ("randint", _) => positional
            .iter()
            .find(|arg| matches!(arg, Known::Items(_)))
            .and_then(|shape| shape_of(std::slice::from_ref(shape))),
        ("empty_like" | "zeros_like" | "ones_like" | "rand_like" | "randn_like" | "full_like", Some(of)) => {
            of.shape.clone()
        }
        _ => None,
    };
    let of = |element| Known::Tensor(Tensor { element, shape: shape.clone() });
    if let Some(dtype) = keyword(keywords, "dtype") {
        return of(dtype.dtype());
    }
    match name {
        "empty" | "zeros" | "ones" | "rand" | "randn" | "linspace" | "eye" => of(Some(ScalarType::F32)),
        "randint" | "randperm" => of(Some(ScalarType::I64)),
        "arange" => {
            let real = positional.iter().any(|arg| matches!(arg, Known::Constant(ConstValue::Float(_))));
            of(Some(if real { ScalarType::F32 } else { ScalarType::I64 }))
        }
        "full" => of(positional.get(1).and_then(element_of)),
        "tensor" => of(positional.first().and_then(element_of)),
        "argmax" | "argmin" | "argsort" => of(Some(ScalarType::I64)),
        "sort" | "topk" | "max" | "min" if positional.len() > 1 => Known::Unknown,
        _ => source.map_or(Known::Unknown, |source| of(source.element)),
    }
}

/// `(a, b)` or `a, b` as the sizes of a tensor.
fn shape_of(positional: &[Known]) -> Option<Vec<i128>> {
    let sizes = match positional {
        [Known::Items(items)] => items,
        sizes => sizes,
    };
    sizes.iter().map(|size| size.count().filter(|size| *size >= 0)).collect()
}

/// `x.shape`.
fn sizes(shape: &[i128]) -> Known {
    Known::Items(shape.iter().map(|size| Known::Size(*size)).collect())
}

/// `x.stride(at)` or `x.size(at)` of a contiguous tensor, with `at` from the end where it is negative; all without `at`.
fn measure(shape: &[i128], name: &str, at: Option<&Known>) -> Known {
    let stride = |at: usize| shape[at + 1..].iter().try_fold(1i128, |product, size| product.checked_mul(*size));
    let values: Option<Vec<i128>> = match name {
        "stride" => (0..shape.len()).map(stride).collect(),
        _ => Some(shape.to_vec()),
    };
    let all = values.map_or(Known::Unknown, |values| sizes(&values));
    match at {
        None => all,
        Some(at) => subscript(&all, at),
    }
}

/// What torch makes of Python's numbers.
fn element_of(value: &Known) -> Option<ScalarType> {
    match value {
        Known::Constant(ConstValue::Float(_)) => Some(ScalarType::F32),
        Known::Constant(ConstValue::Int(_)) => Some(ScalarType::I64),
        Known::Constant(ConstValue::Bool(_)) => Some(ScalarType::I1),
        Known::Items(items) => {
            let elements: Option<Vec<ScalarType>> = items.iter().map(element_of).collect();
            // One float makes all of them floats.
            let elements = elements?;
            elements.iter().copied().find(|element| element.is_float()).or(elements.first().copied())
        }
        _ => None,
    }
}

/// A method of a tensor: most give a tensor of the same elements.
pub(crate) fn method(value: &Known, name: &str, positional: &[Known], keywords: &Keywords<'_>) -> Known {
    let Known::Tensor(tensor) = value else { return Known::Unknown };
    let of = |element| Known::Tensor(Tensor { element, shape: tensor.shape.clone() });
    match name {
        "view" if dtype_among(positional, keywords).is_some() => Known::tensor(dtype_among(positional, keywords)),
        "to" | "type" if dtype_among(positional, keywords).is_some() => of(dtype_among(positional, keywords)),
        "to" if positional.iter().all(|arg| matches!(arg, Known::Constant(ConstValue::Str(_)))) => {
            Known::Tensor(tensor.clone())
        }
        "to" | "type" => of(None),
        "half" | "float" | "double" | "long" | "int" | "bool" | "bfloat16" => of(scalar(name)),
        "cuda" | "contiguous" | "clone" | "detach" | "requires_grad_" | "normal_" | "zero_" | "fill_" => {
            Known::Tensor(tensor.clone())
        }
        "stride" | "size" => {
            tensor.shape.as_ref().map_or(Known::Unknown, |shape| measure(shape, name, positional.first()))
        }
        "numel" => {
            let shape = tensor.shape.as_ref();
            let count =
                shape.and_then(|shape| shape.iter().try_fold(1i128, |product, size| product.checked_mul(*size)));
            count.map_or(Known::Unknown, Known::Size)
        }
        "item" | "tolist" | "dim" | "element_size" | "data_ptr" | "is_contiguous" => Known::Unknown,
        _ => Known::tensor(tensor.element),
    }
}

fn dtype_among(positional: &[Known], keywords: &Keywords<'_>) -> Option<ScalarType> {
    positional.iter().chain(keyword(keywords, "dtype")).find_map(Known::dtype)
}
