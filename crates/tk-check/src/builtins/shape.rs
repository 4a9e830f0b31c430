//! Shapes: broadcast, reshape, transpose, join, split, gather.

use crate::builtin::{Args, Builtin, function, method};
use crate::checked::{Element, OpKind, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::Placed;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function("broadcast", &["input", "other"], broadcast),
    method("broadcast_to", &["input", "*shape"], broadcast_to),
    method("expand_dims", &["input", "axis"], |c, a| expand_dims(c, a, &a.value("axis"))),
    method("unsqueeze", &["x", "dim"], |c, a| expand_dims(c, a, &a.value("dim"))),
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

fn value<'a>(cx: &mut Context, args: &Args<'a>) -> R<(Value, Span)> {
    let arg = args.receiver();
    let what = format!("the argument of `{}`", args.builtin.name);
    Ok((cx.value_of(&what, &arg)?, arg.span))
}

fn broadcast<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (a, b) = (args.value("input"), args.value("other"));
    let x = cx.value_of("an argument of `broadcast`", &a)?;
    let y = cx.value_of("an argument of `broadcast`", &b)?;
    let (x, y) = cx.broadcast_pair("`broadcast`", Placed::new(x, a.span), Placed::new(y, b.span))?;
    Ok(Val::tuple(vec![Val::Value(x), Val::Value(y)]))
}

fn broadcast_to<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(cx, args)?;
    let shape = cx.shape_of_rest(&args.rest, args.span)?;
    cx.broadcast_to("a tensor", &args.value("input"), input, &shape).map(Val::Value)
}

fn expand_dims<'a>(cx: &mut Context, args: &Args<'a>, axis: &Spanned<'a>) -> R<Val<'a>> {
    let (mut result, _) = value(cx, args)?;
    let parts: Vec<Spanned<'a>> = match &axis.val {
        Val::Tuple(items) => items.iter().map(|val| Spanned { val: val.clone(), span: axis.span }).collect(),
        _ => vec![axis.clone()],
    };
    let rank = cx.builder.ty(result).shape.len() + parts.len();
    let mut axes = parts.iter().map(|part| cx.axis(part, rank)).collect::<R<Vec<u32>>>()?;
    axes.sort_unstable();
    if axes.windows(2).any(|pair| pair[0] == pair[1]) {
        let message = format!("expand_dims received duplicate axes, normalized axes = {axes:?}");
        return Err(cx.error(tk_diag::BAD_ARGUMENT, axis.span, message, "").help("Name each axis once.").into());
    }
    for axis in axes {
        result = cx.builder.expand_dim(result, axis);
    }
    Ok(Val::Value(result))
}

fn squeeze<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(cx, args)?;
    let mut shape = cx.builder.ty(input).shape.clone();
    let axis = cx.axis(&args.value("dim"), shape.len())? as usize;
    if shape[axis] != 1 {
        let message = format!("dimension {axis} of {} is not 1", cx.builder.ty(input));
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, args.value("dim").span, message, "")
            .help("Only dimensions of 1 can be removed.")
            .into());
    }
    shape.remove(axis);
    reshaped(cx, input, shape, false, args.span).map(Val::Value)
}

/// A tensor with the same elements in another shape; the empty shape gives a scalar.
pub(crate) fn reshaped(cx: &mut Context, input: Value, shape: Vec<u32>, allow_reorder: bool, span: Span) -> R<Value> {
    let from = cx.builder.ty(input).clone();
    let ty = Type { element: from.element.clone(), shape };
    if ty.numel() != from.numel() {
        let message = format!(
            "a reshape keeps the number of elements, and {from} has {} where {:?} has {}",
            from.numel(),
            ty.shape,
            ty.numel()
        );
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, span, message, from.to_string())
            .help("The product of the new dimensions must be the same.")
            .into());
    }
    Ok(match (from.is_tensor(), ty.is_tensor()) {
        (false, _) => cx.builder.splat(input, &ty.shape),
        (true, false) => cx.builder.emit(OpKind::Unsplat, &[input], ty),
        (true, true) if from.shape == ty.shape => input,
        (true, true) => cx.builder.emit(OpKind::Reshape { allow_reorder }, &[input], ty),
    })
}

fn reshape<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(cx, args)?;
    let shape = cx.shape_of_rest(&args.rest, args.span)?;
    let reorder = match args.given("can_reorder").or(args.given("allow_reorder")) {
        Some(arg) => cx.constant_bool("`can_reorder`", arg)?,
        None => false,
    };
    reshaped(cx, input, shape, reorder, args.span).map(Val::Value)
}

fn view<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(cx, args)?;
    let shape = cx.shape_of_rest(&args.rest, args.span)?;
    reshaped(cx, input, shape, true, args.span).map(Val::Value)
}

fn ravel<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(cx, args)?;
    let numel = cx.builder.ty(input).numel() as u32;
    let reorder = args.flag(cx, "can_reorder", false)?;
    reshaped(cx, input, vec![numel], reorder, args.span).map(Val::Value)
}

fn item<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(cx, args)?;
    reshaped(cx, input, Vec::new(), false, args.span).map(Val::Value)
}

/// The order of a permutation, given as a tuple or as separate arguments.
fn order<'a>(cx: &Context, args: &Args<'a>, rank: usize) -> R<Vec<u32>> {
    let dims: Vec<Spanned<'a>> = match args.rest.as_slice() {
        [Spanned { val: Val::Tuple(items), span }] => {
            items.iter().map(|val| Spanned { val: val.clone(), span: *span }).collect()
        }
        rest => rest.to_vec(),
    };
    let order = dims.iter().map(|dim| cx.axis(dim, rank)).collect::<R<Vec<u32>>>()?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if sorted.iter().copied().eq(0..rank as u32) {
        return Ok(order);
    }
    let message = format!("{order:?} is not a permutation of the {rank} dimensions");
    Err(cx.error(tk_diag::BAD_ARGUMENT, args.span, message, "").help("Name every dimension once, from 0.").into())
}

/// A tensor with its dimensions in another order.
pub(crate) fn permuted(cx: &mut Context, input: Value, order: Vec<u32>) -> Value {
    let from = cx.builder.ty(input);
    let shape = order.iter().map(|&d| from.shape[d as usize]).collect();
    let ty = Type { element: from.element.clone(), shape };
    cx.builder.emit(OpKind::Trans { order }, &[input], ty)
}

fn trans<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    if !args.rest.is_empty() {
        return permute(cx, args);
    }
    let (input, span) = value(cx, args)?;
    let rank = cx.builder.ty(input).shape.len() as u32;
    if rank < 2 {
        let message = format!("`trans` needs at least two dimensions, not {}", cx.builder.ty(input));
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, span, message, "")
            .help("Insert a dimension with `x[:, None]`.")
            .into());
    }
    let order = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    Ok(Val::Value(permuted(cx, input, order)))
}

fn permute<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (input, _) = value(cx, args)?;
    let rank = cx.builder.ty(input).shape.len();
    let order = order(cx, args, rank)?;
    Ok(Val::Value(permuted(cx, input, order)))
}

fn joined<'a>(cx: &mut Context, a: &Spanned<'a>, b: &Spanned<'a>) -> R<Value> {
    let x = cx.value_of("an argument of `join`", a)?;
    let y = cx.value_of("an argument of `join`", b)?;
    if cx.builder.ty(x).element != cx.builder.ty(y).element {
        let message =
            format!("both sides need one element type, and {} and {} have two", cx.builder.ty(x), cx.builder.ty(y));
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, a.span, message, cx.builder.ty(x).to_string())
            .at(&cx.file, b.span, cx.builder.ty(y).to_string())
            .help("Cast one side with `.to(…)`.")
            .into());
    }
    let (mut x, mut y) = cx.broadcast_pair("`join`", Placed::new(x, a.span), Placed::new(y, b.span))?;
    let scalars = !cx.builder.ty(x).is_tensor();
    if scalars {
        x = cx.builder.expand_dim(x, 0);
        y = cx.builder.expand_dim(y, 0);
    }
    let mut ty = cx.builder.ty(x).clone();
    ty.shape.push(2);
    let result = cx.builder.emit(OpKind::Join, &[x, y], ty);
    if scalars { reshaped(cx, result, vec![2], false, a.span) } else { Ok(result) }
}

fn join<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    joined(cx, &args.value("a"), &args.value("b")).map(Val::Value)
}

fn interleave<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let pair = joined(cx, &args.value("a"), &args.value("b"))?;
    let mut shape = cx.builder.ty(pair).shape.clone();
    if shape.len() == 1 {
        return Ok(Val::Value(pair));
    }
    shape.pop();
    if let Some(last) = shape.last_mut() {
        *last *= 2;
    }
    reshaped(cx, pair, shape, false, args.span).map(Val::Value)
}

fn split<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (mut input, span) = value(cx, args)?;
    let ty = cx.builder.ty(input).clone();
    if ty.shape.last() != Some(&2) {
        let message = format!("`split` needs a last dimension of 2, not {ty}");
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, span, message, ty.to_string())
            .help("Reshape so that the last dimension is 2.")
            .into());
    }
    let scalars = ty.shape.len() == 1;
    if scalars {
        input = cx.builder.expand_dim(input, 0);
    }
    let mut half = cx.builder.ty(input).clone();
    half.shape.pop();
    let mut halves = cx.builder.op(OpKind::Split, vec![input], vec![half.clone(), half], Vec::new());
    if scalars {
        for half in &mut halves {
            *half = reshaped(cx, *half, Vec::new(), false, args.span)?;
        }
    }
    Ok(Val::tuple(halves.into_iter().map(Val::Value).collect::<Vec<_>>()))
}

/// Joined, moved and merged, so that the order of elements is kept; `can_reorder` allows the cheap form.
fn cat<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (a, b) = (args.value("input"), args.value("other"));
    let x = cx.value_of("an argument of `cat`", &a)?;
    let y = cx.value_of("an argument of `cat`", &b)?;
    let (left, right) = (cx.builder.ty(x).clone(), cx.builder.ty(y).clone());
    if left != right || !left.is_tensor() {
        let message = format!("`cat` needs two tensors of one type, not {left} and {right}");
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, a.span, message, left.to_string())
            .at(&cx.file, b.span, right.to_string())
            .help("Cast or reshape one of them.")
            .into());
    }
    // The order is kept also where it need not be.
    args.given("can_reorder").map(|arg| cx.constant_bool("`can_reorder`", arg)).transpose()?;
    let axis = match args.given("dim") {
        Some(arg) => cx.axis(arg, left.shape.len())? as usize,
        None => 0,
    };
    let mut shape = left.shape.clone();
    shape[axis] *= 2;
    cx.checked_shape(&shape.iter().map(|&d| i128::from(d)).collect::<Vec<_>>(), args.span)?;
    let pair = joined(cx, &a, &b)?;
    let rank = left.shape.len() as u32;
    let mut order: Vec<u32> = (0..rank).collect();
    order.insert(axis, rank);
    let moved = permuted(cx, pair, order);
    reshaped(cx, moved, shape, false, args.span).map(Val::Value)
}

fn gather<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (source, span) = value(cx, args)?;
    let index_arg = args.value("index");
    let index = cx.value_of("the index of `gather`", &index_arg)?;
    let (from, by) = (cx.builder.ty(source).clone(), cx.builder.ty(index).clone());
    if !by.number().is_some_and(ScalarType::is_int) {
        let message = format!("`gather` needs integer indices, not {by}");
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, index_arg.span, message, "")
            .help("Cast with `.to(tl.int32)`.")
            .into());
    }
    let axis = cx.axis(&args.value("axis"), from.shape.len())?;
    let fits = from.shape.len() == by.shape.len()
        && from.shape.iter().zip(&by.shape).enumerate().all(|(d, (a, b))| d == axis as usize || a == b);
    if !fits {
        let message = format!("`gather` along axis {axis} needs equal other dimensions, not {from} and {by}");
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, span, message, from.to_string())
            .at(&cx.file, index_arg.span, by.to_string())
            .help("Only the gathered dimension may differ.")
            .into());
    }
    let ty = Type { element: Element::clone(&from.element), shape: by.shape };
    Ok(Val::Value(cx.builder.emit(OpKind::Gather { axis }, &[source, index], ty)))
}
