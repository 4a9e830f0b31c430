//! Shapes: broadcast, reshape, transpose, join, split, gather.

use super::{Args, Builtin, function, method};
use crate::check::Checker;
use crate::checked::{Element, OpKind, Type, Value};
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function("broadcast", &["input", "other"], broadcast),
    method("broadcast_to", &["input", "*shape"], broadcast_to),
    method("expand_dims", &["input", "axis"], expand_dims),
    method("unsqueeze", &["x", "dim"], expand_dims),
    method("squeeze", &["x", "dim"], squeeze),
    method("reshape", &["input", "*shape", "can_reorder?", "allow_reorder?"], reshape),
    method("view", &["input", "*shape"], view),
    method("ravel", &["x", "can_reorder?"], ravel),
    method("trans", &["input", "*dims"], trans),
    method("permute", &["input", "*dims"], permute),
    function("cat", &["input", "other", "can_reorder?", "dim?"], cat),
    function("join", &["a", "b"], join),
    method("split", &["a"], split),
    function("interleave", &["a", "b"], interleave),
    method("gather", &["src", "index", "axis"], gather),
    method("item", &["input"], item),
];

fn value<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<(Value, Span)> {
    let arg = args.at(0);
    let what = format!("the argument of `{}`", args.builtin.name);
    Ok((checker.value_of(&what, &arg)?, arg.span))
}

fn broadcast<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (a, b) = (args.at(0), args.at(1));
    let x = checker.value_of("an argument of `broadcast`", &a)?;
    let y = checker.value_of("an argument of `broadcast`", &b)?;
    let (x, y) = checker.broadcast_pair("`broadcast`", (x, a.span), (y, b.span))?;
    Ok(Val::tuple(vec![Val::Value(x), Val::Value(y)]))
}

fn broadcast_to<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(checker, args)?;
    let shape = checker.shape_of_rest(&args.rest, args.span)?;
    checker.broadcast_to("a tensor", &args.at(0), input, &shape).map(Val::Value)
}

fn expand_dims<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (mut result, _) = value(checker, args)?;
    let axis = args.at(1);
    let parts: Vec<Spanned<'a>> = match &axis.val {
        Val::Tuple(items) => items.iter().map(|val| Spanned { val: val.clone(), span: axis.span }).collect(),
        _ => vec![axis.clone()],
    };
    let rank = checker.ty(result).shape.len() + parts.len();
    let mut axes = parts.iter().map(|part| checker.axis(part, rank)).collect::<R<Vec<u32>>>()?;
    axes.sort_unstable();
    if axes.windows(2).any(|pair| pair[0] == pair[1]) {
        let message = "`expand_dims` names the same axis twice";
        return Err(checker.error(tk_diag::BAD_ARGUMENT, axis.span, message, "").help("Name each axis once.").into());
    }
    for axis in axes {
        result = checker.expand_dim(result, axis);
    }
    Ok(Val::Value(result))
}

fn squeeze<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(checker, args)?;
    let mut shape = checker.ty(input).shape.clone();
    let axis = checker.axis(&args.at(1), shape.len())? as usize;
    if shape[axis] != 1 {
        let message = format!("dimension {axis} of {} is not 1", checker.ty(input));
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, args.at(1).span, message, "")
            .help("Only dimensions of 1 can be removed.")
            .into());
    }
    shape.remove(axis);
    reshaped(checker, input, shape, false, args.span).map(Val::Value)
}

/// A tensor with the same elements in another shape; the empty shape gives a scalar.
pub(crate) fn reshaped(
    checker: &mut Checker<'_>,
    input: Value,
    shape: Vec<u32>,
    allow_reorder: bool,
    span: Span,
) -> R<Value> {
    let from = checker.ty(input).clone();
    let ty = Type { element: from.element.clone(), shape };
    if ty.numel() != from.numel() {
        let message = format!(
            "a reshape keeps the number of elements, and {from} has {} where {:?} has {}",
            from.numel(),
            ty.shape,
            ty.numel()
        );
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, span, message, from.to_string())
            .help("The product of the new dimensions must be the same.")
            .into());
    }
    Ok(match (from.is_tensor(), ty.is_tensor()) {
        (false, _) => checker.splat(input, &ty.shape),
        (true, false) => checker.emit(OpKind::Unsplat, &[input], ty),
        (true, true) if from.shape == ty.shape => input,
        (true, true) => checker.emit(OpKind::Reshape { allow_reorder }, &[input], ty),
    })
}

fn reshape<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(checker, args)?;
    let shape = checker.shape_of_rest(&args.rest, args.span)?;
    let reorder = match args.get(2).or(args.get(3)) {
        Some(arg) => checker.constant_bool("`can_reorder`", arg)?,
        None => false,
    };
    reshaped(checker, input, shape, reorder, args.span).map(Val::Value)
}

fn view<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(checker, args)?;
    let shape = checker.shape_of_rest(&args.rest, args.span)?;
    reshaped(checker, input, shape, true, args.span).map(Val::Value)
}

fn ravel<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(checker, args)?;
    let numel = checker.ty(input).numel() as u32;
    let reorder = match args.get(1) {
        Some(arg) => checker.constant_bool("`can_reorder`", arg)?,
        None => false,
    };
    reshaped(checker, input, vec![numel], reorder, args.span).map(Val::Value)
}

fn item<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(checker, args)?;
    reshaped(checker, input, Vec::new(), false, args.span).map(Val::Value)
}

/// The order of a permutation, given as a tuple or as separate arguments.
fn order<'a>(checker: &Checker<'a>, args: &Args<'a>, rank: usize) -> R<Vec<u32>> {
    let dims: Vec<Spanned<'a>> = match args.rest.as_slice() {
        [Spanned { val: Val::Tuple(items), span }] => {
            items.iter().map(|val| Spanned { val: val.clone(), span: *span }).collect()
        }
        rest => rest.to_vec(),
    };
    let order = dims.iter().map(|dim| checker.axis(dim, rank)).collect::<R<Vec<u32>>>()?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted.iter().copied().eq(0..rank as u32) {
        return Ok(order);
    }
    let message = format!("{order:?} is not a permutation of the {rank} dimensions");
    Err(checker.error(tk_diag::BAD_ARGUMENT, args.span, message, "").help("Name every dimension once, from 0.").into())
}

/// A tensor with its dimensions in another order.
pub(crate) fn permuted(checker: &mut Checker<'_>, input: Value, order: Vec<u32>) -> Value {
    let from = checker.ty(input);
    let shape = order.iter().map(|&d| from.shape[d as usize]).collect();
    let ty = Type { element: from.element.clone(), shape };
    checker.emit(OpKind::Trans { order }, &[input], ty)
}

fn trans<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    if !args.rest.is_empty() {
        return permute(checker, args);
    }
    let (input, span) = value(checker, args)?;
    let rank = checker.ty(input).shape.len() as u32;
    if rank < 2 {
        let message = format!("`trans` needs at least two dimensions, not {}", checker.ty(input));
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, span, message, "")
            .help("Insert a dimension with `x[:, None]`.")
            .into());
    }
    let order = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    Ok(Val::Value(permuted(checker, input, order)))
}

fn permute<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(checker, args)?;
    let rank = checker.ty(input).shape.len();
    let order = order(checker, args, rank)?;
    Ok(Val::Value(permuted(checker, input, order)))
}

fn joined<'a>(checker: &mut Checker<'a>, a: &Spanned<'a>, b: &Spanned<'a>) -> R<Value> {
    let x = checker.value_of("an argument of `join`", a)?;
    let y = checker.value_of("an argument of `join`", b)?;
    if checker.ty(x).element != checker.ty(y).element {
        let message = format!("both sides need one element type, and {} and {} have two", checker.ty(x), checker.ty(y));
        return Err(checker
            .error(tk_diag::TYPE_MISMATCH, a.span, message, checker.ty(x).to_string())
            .at(&checker.file, b.span, checker.ty(y).to_string())
            .help("Cast one side with `.to(…)`.")
            .into());
    }
    let (mut x, mut y) = checker.broadcast_pair("`join`", (x, a.span), (y, b.span))?;
    let scalars = !checker.ty(x).is_tensor();
    if scalars {
        x = checker.expand_dim(x, 0);
        y = checker.expand_dim(y, 0);
    }
    let mut ty = checker.ty(x).clone();
    ty.shape.push(2);
    let result = checker.emit(OpKind::Join, &[x, y], ty);
    if scalars { reshaped(checker, result, vec![2], false, a.span) } else { Ok(result) }
}

fn join<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    joined(checker, &args.at(0), &args.at(1)).map(Val::Value)
}

fn interleave<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let pair = joined(checker, &args.at(0), &args.at(1))?;
    let mut shape = checker.ty(pair).shape.clone();
    if shape.len() == 1 {
        return Ok(Val::Value(pair));
    }
    shape.pop();
    if let Some(last) = shape.last_mut() {
        *last *= 2;
    }
    reshaped(checker, pair, shape, false, args.span).map(Val::Value)
}

fn split<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (mut input, span) = value(checker, args)?;
    let ty = checker.ty(input).clone();
    if ty.shape.last() != Some(&2) {
        let message = format!("`split` needs a last dimension of 2, not {ty}");
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, span, message, ty.to_string())
            .help("Reshape so that the last dimension is 2.")
            .into());
    }
    let scalars = ty.shape.len() == 1;
    if scalars {
        input = checker.expand_dim(input, 0);
    }
    let mut half = checker.ty(input).clone();
    half.shape.pop();
    let mut halves = checker.emit_op(OpKind::Split, vec![input], vec![half.clone(), half], Vec::new());
    if scalars {
        for half in &mut halves {
            *half = reshaped(checker, *half, Vec::new(), false, args.span)?;
        }
    }
    Ok(Val::tuple(halves.into_iter().map(Val::Value).collect::<Vec<_>>()))
}

/// Joined, moved and merged, so that the order of elements is kept; `can_reorder` allows the cheap form.
fn cat<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (a, b) = (args.at(0), args.at(1));
    let x = checker.value_of("an argument of `cat`", &a)?;
    let y = checker.value_of("an argument of `cat`", &b)?;
    let (left, right) = (checker.ty(x).clone(), checker.ty(y).clone());
    if left != right || !left.is_tensor() {
        let message = format!("`cat` needs two tensors of one type, not {left} and {right}");
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, a.span, message, left.to_string())
            .at(&checker.file, b.span, right.to_string())
            .help("Cast or reshape one of them.")
            .into());
    }
    // The order is kept also where it need not be.
    args.get(2).map(|arg| checker.constant_bool("`can_reorder`", arg)).transpose()?;
    let axis = match args.get(3) {
        Some(arg) => checker.axis(arg, left.shape.len())? as usize,
        None => 0,
    };
    let mut shape = left.shape.clone();
    shape[axis] *= 2;
    checker.checked_shape(&shape.iter().map(|&d| i128::from(d)).collect::<Vec<_>>(), args.span)?;
    let pair = joined(checker, &a, &b)?;
    let rank = left.shape.len() as u32;
    let mut order: Vec<u32> = (0..rank).collect();
    order.insert(axis, rank);
    let moved = permuted(checker, pair, order);
    reshaped(checker, moved, shape, false, args.span).map(Val::Value)
}

fn gather<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (source, span) = value(checker, args)?;
    let index_arg = args.at(1);
    let index = checker.value_of("the index of `gather`", &index_arg)?;
    let (from, by) = (checker.ty(source).clone(), checker.ty(index).clone());
    if !by.number().is_some_and(ScalarType::is_int) {
        let message = format!("`gather` needs integer indices, not {by}");
        return Err(checker
            .error(tk_diag::TYPE_MISMATCH, index_arg.span, message, "")
            .help("Cast with `.to(tl.int32)`.")
            .into());
    }
    let axis = checker.axis(&args.at(2), from.shape.len())?;
    let fits = from.shape.len() == by.shape.len()
        && from.shape.iter().zip(&by.shape).enumerate().all(|(d, (a, b))| d == axis as usize || a == b);
    if !fits {
        let message = format!("`gather` along axis {axis} needs equal other dimensions, not {from} and {by}");
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, span, message, from.to_string())
            .at(&checker.file, index_arg.span, by.to_string())
            .help("Only the gathered dimension may differ.")
            .into());
    }
    let ty = Type { element: Element::clone(&from.element), shape: by.shape };
    Ok(Val::Value(checker.emit(OpKind::Gather { axis }, &[source, index], ty)))
}
