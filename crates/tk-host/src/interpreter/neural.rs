//! Functions of neural networks with several arguments: normalisations and losses, computed in `f64`.

use super::args::need;
use super::{Args, convert};
use crate::exception::{Exception, Result};
use crate::tensor::array::Array;
use crate::tensor::elementwise::from_vec;
use crate::tensor::{Tensor, check_work, number, reduce, show_shape};
use crate::value::Value;
use tk_types::ScalarType::F64;

/// `layer_norm` and `rms_norm` over the last dimensions, computed in `f64`.
pub(super) fn normalise<'a>(name: &str, args: Args<'a>) -> Result<Tensor> {
    let (input, sizes, weight, bias, eps) = if name == "layer_norm" {
        let [input, sizes, weight, bias, eps] =
            args.bind(name, ["input", "normalized_shape", "weight", "bias", "eps"])?;
        (input, sizes, weight, bias, eps)
    } else {
        let [input, sizes, weight, eps] = args.bind(name, ["input", "normalized_shape", "weight", "eps"])?;
        (input, sizes, weight, None, eps)
    };
    let input = convert::tensor(&need(input, name, "input")?, "input")?;
    let sizes = convert::shape(&[need(sizes, name, "normalized_shape")?])?;
    if sizes.is_empty() || !input.shape.ends_with(&sizes) {
        let shapes = format!("{} at the end of {}", show_shape(&sizes), show_shape(&input.shape));
        return Err(Exception::shape(format!("`{name}` needs the shape {shapes}")));
    }
    let epsilon = eps.filter(|eps| !matches!(eps, Value::None)).map_or(Ok(1e-5), |eps| convert::float(&eps, "eps"))?;
    let parameter = |value: Option<Value<'a>>, default: f64| -> Result<Vec<f64>> {
        match value {
            None | Some(Value::None) => Ok(vec![default; sizes.iter().product()]),
            Some(value) => Ok(convert::tensor(&value, "a parameter")?.read(number::read_f64)),
        }
    };
    let (weight, bias) = (parameter(weight, 1.0)?, parameter(bias, 0.0)?);
    let length: usize = sizes.iter().product();
    if weight.len() != length || bias.len() != length {
        return Err(Exception::shape(format!("the parameters of `{name}` need {length} elements")));
    }
    check_work(input.count())?;
    let mut values = input.read(number::read_f64);
    for row in values.chunks_exact_mut(length.max(1)) {
        let mean = if name == "layer_norm" { row.iter().sum::<f64>() / length as f64 } else { 0.0 };
        let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / length as f64;
        let scale = 1.0 / (variance + epsilon).sqrt();
        row.iter_mut().zip(weight.iter().zip(&bias)).for_each(|(x, (w, b))| *x = (*x - mean) * scale * w + b);
    }
    Ok(Array::Float(from_vec(&input.shape, values)?).to_tensor(input.dtype))
}

/// An argument that would change the result and is not implemented.
pub(super) fn refuse(function: &str, argument: &str, value: Option<Value<'_>>) -> Result<()> {
    match value {
        None | Some(Value::None) => Ok(()),
        Some(_) => Err(Exception::unsupported(format!("`{function}` does not take `{argument}` here"))),
    }
}

/// `cross_entropy` of logits `(N, C)` and class numbers `(N,)`.
pub(super) fn cross_entropy<'a>(args: Args<'a>) -> Result<Tensor> {
    let name = "cross_entropy";
    // torch's order, in which `size_average` and `reduce` are the old spelling of `reduction`.
    let [input, target, weight, size_average, ignore, reduce, reduction, smoothing] = args.bind(
        name,
        ["input", "target", "weight", "size_average", "ignore_index", "reduce", "reduction", "label_smoothing"],
    )?;
    let smoothing = smoothing.filter(|value| !matches!(value, Value::Float(zero) if *zero == 0.0));
    for (argument, value) in
        [("weight", weight), ("size_average", size_average), ("reduce", reduce), ("label_smoothing", smoothing)]
    {
        refuse(name, argument, value)?;
    }
    let input = convert::tensor(&need(input, name, "input")?, "input")?;
    let target = convert::tensor(&need(target, name, "target")?, "target")?;
    if input.rank() != 2 || target.shape != input.shape[..1] || target.dtype.is_float() {
        let shapes = format!("{} and {}", show_shape(&input.shape), show_shape(&target.shape));
        return Err(Exception::shape(format!("`{name}` takes logits (N, C) and classes (N,), not {shapes}")));
    }
    let ignore = ignore.map_or(Ok(-100), |ignore| convert::small_int(&ignore, "ignore_index"))?;
    let classes = input.shape[1];
    // The logits as float64, their logarithms, and those as numbers.
    check_work(input.count().saturating_mul(3))?;
    let logits = reduce::log_softmax(&input.to_dtype(F64), 1, F64)?.read(number::read_f64);
    let mut losses = Vec::with_capacity(target.count());
    let mut counted = 0;
    for (row, class) in target.read(number::read_i64).into_iter().enumerate() {
        if class == ignore {
            losses.push(0.0);
            continue;
        }
        let class = usize::try_from(class).ok().filter(|class| *class < classes);
        let class = class.ok_or_else(|| Exception::index(format!("a class of `{name}` is not below {classes}")))?;
        losses.push(-logits[row * classes + class]);
        counted += 1;
    }
    let total: f64 = losses.iter().sum();
    let array = match reduction.map_or("mean".to_string(), |reduction| reduction.display()).as_str() {
        "none" => from_vec(&target.shape, losses)?,
        "sum" => from_vec(&[], vec![total])?,
        "mean" => from_vec(&[], vec![total / f64::from(counted)])?,
        other => return Err(Exception::value(format!("`{name}` has no reduction `{other}`"))),
    };
    Ok(Array::Float(array).to_tensor(input.dtype))
}
