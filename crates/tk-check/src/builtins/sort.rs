//! `flip`, `sort` and `topk` by exchanging halves of a hypercube: a dimension of 2^n becomes n dimensions of 2, and the
//! exclusive or along one of them gives every element its partner.

use super::reduce::reduce_values;
use super::shape::reshaped;
use crate::builtin::{Args, Builtin, function, method};
use crate::checked::{BinaryOp, CompareOp, Element, Literal, OpKind, Type, Value, integer_like};
use crate::context::Context;
use crate::context::Extremum;
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

/// Elements of a thread from which on the code of a sort of two words is longer than the cache of instructions, so that few instructions count for more than few
/// predicates. On an H200 five sorts of 1024 and 2048 numbers by one warp take 0.56 to 0.97 of the time of those that compare bits, and six of 256 and 512
/// numbers 1.18 to 1.56. Of one word 128 numbers take 0.82 (docs/measurements.md, "Sorts of integers ask each element", "Floats are sorted as integers").
const LONG_SORT: u64 = 32;

/// Elements of the shortest sort of floats that is one of integers: each takes four instructions to become an integer and a float again, and a step saves
/// half a comparison in a thread, and two selections between lanes.
const LEAST_SORT_OF_FLOATS: u32 = 16;

/// Which elements a sort orders the other way round.
#[derive(Clone, Copy)]
enum Flip {
    /// All or none of them.
    All(bool),
    /// Those whose place along a dimension of the hypercube is 1.
    Along(u32),
}

pub(crate) const TABLE: &[Builtin] = &[
    method("flip", &["x", "dim?"], flip),
    method("sort", &["x", "dim?", "descending?", "return_indices?"], sort),
    method("argsort", &["x", "dim?", "descending?"], argsort),
    method("topk", &["x", "k", "dim?", "descending?", "return_indices?"], topk),
    function("bitonic_merge", &["x", "dim?", "descending?"], bitonic_merge),
    function("_log2", &["i"], exponent),
];

/// The base-2 logarithm of a constant, rounded down.
fn exponent<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("i");
    let number = cx.constant_int("the argument of `_log2`", &arg)?;
    match u128::try_from(number).ok().and_then(u128::checked_ilog2) {
        Some(exponent) => Ok(Val::Int(exponent.into())),
        None => {
            let message = format!("{number} has no logarithm");
            Err(cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("Pass a positive integer.").into())
        }
    }
}

impl Context {
    fn sorted_tensor<'a>(&mut self, args: &Args<'a>) -> R<(Value, ScalarType)> {
        let arg = args.value("x");
        let value = self.value_of(&format!("the argument of `{}`", args.builtin.name), &arg)?;
        let ty = self.builder.ty(value);
        match ty.number().filter(|_| ty.is_tensor()) {
            Some(_) if ty.shape.iter().any(|d| !d.is_power_of_two()) => {
                let message = format!("`{}` needs dimensions that are powers of two, not {ty}", args.builtin.name);
                Err(self
                    .error(tk_diag::NOT_POWER_OF_TWO, arg.span, message, "")
                    .help("Load the next power of two, with an `other` that sorts to the end.")
                    .into())
            }
            Some(scalar) => Ok((value, scalar)),
            None => {
                let message = format!("`{}` needs a tensor of numbers, not {ty}", args.builtin.name);
                Err(self.error(tk_diag::TYPE_MISMATCH, arg.span, message, "").help("Load the values first.").into())
            }
        }
    }

    /// Every element's partner along a dimension of 2.
    fn partner(&mut self, value: Value, axis: u32, span: Span) -> R<Value> {
        let scalar = self.builder.ty(value).number().unwrap_or(ScalarType::I32);
        let word = self.builder.reinterpret(value, integer_like(scalar));
        let both = self.reduce_with(word, &[axis], true, span, BinaryOp::Xor)?;
        let shape = self.builder.ty(word).shape.clone();
        let both = self.builder.broadcast(both, &shape);
        let other = self.builder.binary(BinaryOp::Xor, word, both);
        Ok(self.builder.reinterpret(other, scalar))
    }

    /// 0 and 1 along one dimension of a hypercube, as i32 of its full shape.
    fn places(&mut self, axis: u32, rank: u32) -> Value {
        let ty = Type { element: Element::Scalar(ScalarType::I32), shape: vec![2] };
        let mut bits = self.builder.emit(OpKind::MakeRange { start: 0, end: 2 }, &[], ty);
        for other in (0..rank).filter(|other| *other != axis) {
            bits = self.builder.expand_dim(bits, other);
        }
        self.builder.broadcast(bits, &vec![2; rank as usize])
    }

    /// Whether an element is the right one of two along a dimension of a hypercube, as i1 of its full shape.
    fn indicator(&mut self, axis: u32, rank: u32) -> Value {
        let places = self.places(axis, rank);
        self.not_zero(places)
    }

    /// i1: whether `a` stands behind `b`, each a key and perhaps an index. Equal keys keep the order of their indices.
    fn stands_behind(&mut self, a: &[Value], b: &[Value], descending: bool) -> Value {
        let scalar = self.builder.ty(a[0]).number().unwrap_or(ScalarType::I32);
        let bool = self.bool_like(a[0]);
        let (greater, equal) = match scalar {
            s if s.is_float() => (CompareOp::GtF, CompareOp::EqF),
            s if s.is_signed_int() => (CompareOp::GtS, CompareOp::EqI),
            _ => (CompareOp::GtU, CompareOp::EqI),
        };
        let behind = self.builder.emit(OpKind::Compare(greater), &[a[0], b[0]], bool.clone());
        let (Some(i), Some(j)) = (a.get(1), b.get(1)) else { return behind };
        let same = self.builder.emit(OpKind::Compare(equal), &[a[0], b[0]], bool.clone());
        let later = if descending { CompareOp::LtS } else { CompareOp::GtS };
        let later = self.builder.emit(OpKind::Compare(later), &[*i, *j], bool);
        let tie = self.builder.binary(BinaryOp::And, same, later);
        self.builder.binary(BinaryOp::Or, behind, tie)
    }

    /// One round: partners along `axis` change places where their order is not the wanted one. Both decide alike.
    fn exchange(&mut self, cubes: &[Value], axis: u32, flip: Flip, descending: bool, span: Span) -> R<Vec<Value>> {
        let others = cubes.iter().map(|cube| self.partner(*cube, axis, span)).collect::<R<Vec<_>>>()?;
        let swap = if self.builder.ty(cubes[0]).number().is_some_and(|key| !key.is_float()) {
            self.swap_of_integers(cubes, &others, axis, flip, descending, span)?
        } else {
            self.swap_of_floats(cubes, &others, axis, flip, descending)
        };
        Ok(self.pick(&others, cubes, swap))
    }

    /// Of integers two differ or are the same bits: each asks whether its own stands behind the other. For keys of two words, or with indices, that is compared with
    /// bits of its place, since a thread has few predicates, unless the code is long.
    fn swap_of_integers(
        &mut self,
        cubes: &[Value],
        others: &[Value],
        axis: u32,
        flip: Flip,
        descending: bool,
        span: Span,
    ) -> R<Value> {
        let ty = self.builder.ty(cubes[0]);
        let rank = ty.shape.len() as u32;
        let elements: u64 = ty.shape.iter().map(|size| u64::from(*size)).product();
        let is_long = elements / u64::from(32 * self.options.num_warps.max(1)) >= LONG_SORT;
        let is_word = cubes.len() == 1 && ty.number().is_some_and(|key| key.bits() <= 32);
        let is_right = self.places(axis, rank);
        let turned = match flip {
            Flip::All(false) => is_right,
            Flip::All(true) => {
                let one = self.builder.literal(Literal::Int(1), self.builder.ty(is_right).clone());
                self.builder.binary(BinaryOp::Xor, is_right, one)
            }
            Flip::Along(axis) => {
                let flipped = self.places(axis, rank);
                self.builder.binary(BinaryOp::Xor, is_right, flipped)
            }
        };
        let behind = self.stands_behind(cubes, others, descending);
        if is_long || is_word {
            let turned = self.not_zero(turned);
            return Ok(self.builder.binary(BinaryOp::Xor, behind, turned));
        }
        let behind = self.cast_scalar(behind, ScalarType::I32, span)?;
        let bool = self.bool_like(cubes[0]);
        Ok(self.builder.emit(OpKind::Compare(CompareOp::NeI), &[behind, turned], bool))
    }

    /// From what is on the left and on the right, so that nothing is lost even where keys have no order.
    fn swap_of_floats(&mut self, cubes: &[Value], others: &[Value], axis: u32, flip: Flip, descending: bool) -> Value {
        let rank = self.builder.ty(cubes[0]).shape.len() as u32;
        let is_right = self.indicator(axis, rank);
        let left = self.pick(others, cubes, is_right);
        let right = self.pick(cubes, others, is_right);
        let behind = self.stands_behind(&left, &right, descending);
        let flip = match flip {
            Flip::All(flips) => {
                let ty = self.bool_like(cubes[0]);
                self.builder.literal(Literal::Int(flips.into()), ty)
            }
            Flip::Along(axis) => self.indicator(axis, rank),
        };
        self.builder.binary(BinaryOp::Xor, behind, flip)
    }

    /// Each of `yes` where a condition holds, and of `no` elsewhere.
    fn pick(&mut self, yes: &[Value], no: &[Value], condition: Value) -> Vec<Value> {
        let one = |(yes, no): (&Value, &Value)| {
            let ty = self.builder.ty(*yes).clone();
            self.builder.emit(OpKind::Select, &[condition, *yes, *no], ty)
        };
        yes.iter().zip(no).map(one).collect()
    }

    /// Merges sorted runs of 2^(stage-1) into runs of 2^stage along the innermost dimensions.
    fn merge(
        &mut self,
        mut cubes: Vec<Value>,
        stage: u32,
        alternating: bool,
        descending: bool,
        span: Span,
    ) -> R<Vec<Value>> {
        let rank = self.builder.ty(cubes[0]).shape.len() as u32;
        let flip = if alternating { Flip::Along(rank - 1 - stage) } else { Flip::All(descending) };
        for i in (0..stage).rev() {
            cubes = self.exchange(&cubes, rank - 1 - i, flip, descending, span)?;
        }
        Ok(cubes)
    }

    /// The better of every two along a dimension, which goes away.
    fn halve(&mut self, cubes: &[Value], axis: u32, keep_dims: bool, descending: bool, span: Span) -> R<Vec<Value>> {
        let [key] = cubes else {
            let mut combine = |cx: &mut Context, args: &[Value]| {
                let (a, b) = args.split_at(args.len() / 2);
                let behind = cx.stands_behind(a, b, descending);
                let mut best = Vec::with_capacity(a.len());
                for (a, b) in a.iter().zip(b) {
                    let ty = cx.builder.ty(*a).clone();
                    let (yes, no) = if descending { (*a, *b) } else { (*b, *a) };
                    best.push(cx.builder.emit(OpKind::Select, &[behind, yes, no], ty));
                }
                Ok(best)
            };
            return reduce_values(self, cubes, &[axis], keep_dims, span, &mut combine);
        };
        let scalar = self.builder.ty(*key).number().unwrap_or(ScalarType::I32);
        let which = if descending { Extremum::Greatest } else { Extremum::Least };
        let best = self.reduce_extremum(which, *key, &[axis], keep_dims, span)?;
        Ok(vec![self.cast_scalar(best, scalar, span)?])
    }

    fn last_dim(&self, args: &Args<'_>, rank: usize) -> R<()> {
        let Some(arg) = args.given("dim") else { return Ok(()) };
        if self.axis(arg, rank)? as usize == rank - 1 {
            return Ok(());
        }
        let message = format!("`{}` works along the last dimension only", args.builtin.name);
        Err(self.error(tk_diag::UNSUPPORTED, arg.span, message, "").help("Permute the dimensions first.").into())
    }

    /// Sorts the last dimension by the first tensor and keeps its first 2^log_k elements. All of them, if they are floats without indices, are sorted as integers
    /// in the same order: these ask each element, and nothing is lost even where floats have no order.
    fn sort_last(&mut self, values: Vec<Value>, log_k: u32, descending: bool, span: Span) -> R<Vec<Value>> {
        let ty = self.builder.ty(values[0]).clone();
        let Some(float) = ty.number().filter(|scalar| values.len() == 1 && is_sorted_as_integers(*scalar, &ty, log_k))
        else {
            return self.sort_keys(values, log_k, descending, span);
        };
        let integer = integer_like(float);
        let bits = self.builder.reinterpret(values[0], integer);
        let wide = self.cast_scalar(bits, ScalarType::I32, span)?;
        let keys = vec![self.turned_below_zero(wide, integer)];
        let sorted = self.sort_keys(keys, log_k, descending, span)?;
        let wide = self.turned_below_zero(sorted[0], integer);
        let bits = self.cast_scalar(wide, integer, span)?;
        Ok(vec![self.builder.reinterpret(bits, float)])
    }

    /// Of the bits of a float integers in the same order, and of these the bits again: below zero all bits but the sign are inverted. -0 stands before 0, and NaN at
    /// the end of its sign.
    fn turned_below_zero(&mut self, bits: Value, of: ScalarType) -> Value {
        let ty = self.builder.ty(bits).clone();
        let places = self.builder.int(31, ty.clone());
        let sign = self.builder.binary(BinaryOp::ShrS, bits, places);
        let others = self.builder.int((1 << (of.bits() - 1)) - 1, ty);
        let inverted = self.builder.binary(BinaryOp::And, sign, others);
        self.builder.binary(BinaryOp::Xor, bits, inverted)
    }

    /// [`Self::sort_last`] of what is compared as it is.
    fn sort_keys(&mut self, values: Vec<Value>, log_k: u32, descending: bool, span: Span) -> R<Vec<Value>> {
        let shape = self.builder.ty(values[0]).shape.clone();
        let log_n = shape.last().map_or(0, |n| n.trailing_zeros());
        if log_n == 0 {
            return Ok(values);
        }
        if log_k == 0 {
            return self.halve(&values, shape.len() as u32 - 1, true, descending, span);
        }
        let dims = self.builder.ty(values[0]).numel().trailing_zeros();
        let cube = |value: Value| reshaped(self, value, vec![2; dims as usize], false, span);
        let mut cubes = values.into_iter().map(cube).collect::<R<Vec<_>>>()?;
        for stage in 1..=log_k {
            cubes = self.merge(cubes, stage, stage < log_n, descending, span)?;
        }
        for stage in log_k + 1..=log_n {
            let rank = self.builder.ty(cubes[0]).shape.len() as u32;
            cubes = self.halve(&cubes, rank - 1 - log_k, false, descending, span)?;
            cubes = self.merge(cubes, log_k, stage < log_n, descending, span)?;
        }
        self.unfolded(cubes, shape, 1 << log_k, span)
    }

    /// Hypercubes back in the shape of the tensor, with this many elements along the last dimension.
    fn unfolded(&mut self, cubes: Vec<Value>, mut shape: Vec<u32>, last: u32, span: Span) -> R<Vec<Value>> {
        if let Some(dim) = shape.last_mut() {
            *dim = last;
        }
        cubes.into_iter().map(|cube| reshaped(self, cube, shape.clone(), false, span)).collect()
    }

    /// A tensor and, where they are wanted, the indices along its last dimension.
    fn with_indices(&mut self, value: Value, wanted: bool) -> Vec<Value> {
        if !wanted {
            return vec![value];
        }
        let shape = self.builder.ty(value).shape.clone();
        let axis = shape.len() - 1;
        let index = self.iota(shape.len(), axis as u32, shape[axis]);
        vec![value, self.builder.broadcast(index, &shape)]
    }
}

/// All elements of a dimension are sorted, which are floats of 16 or 32 bits. Where some are left out, those are the least or greatest of two floats, in one
/// instruction, and NaN is what loses.
fn is_sorted_as_integers(scalar: ScalarType, ty: &Type, log_k: u32) -> bool {
    let length = ty.shape.last().copied().unwrap_or(1);
    scalar.is_float() && matches!(scalar.bits(), 16 | 32) && length >= LEAST_SORT_OF_FLOATS && length >> log_k == 1
}

/// One tensor, or values with their indices.
fn outcome<'a>(values: Vec<Value>) -> Val<'a> {
    match values.as_slice() {
        [only] => Val::Value(*only),
        _ => Val::tuple(values.into_iter().map(Val::Value).collect::<Vec<_>>()),
    }
}

fn flip<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    if let Val::Value(value) = args.value("x").val
        && cx.builder.ty(value).shape.iter().any(|d| !d.is_power_of_two())
    {
        let rank = cx.builder.ty(value).shape.len();
        let axis = args.given("dim").map_or(Ok(rank as u32 - 1), |arg| cx.axis(arg, rank))?;
        let backward = [Val::None, Val::None, Val::Int(-1)];
        return cx.tensor_slice(value, axis, &backward, args.span).map(Val::Value);
    }
    let (value, _) = cx.sorted_tensor(args)?;
    let shape = cx.builder.ty(value).shape.clone();
    let axis = match args.given("dim") {
        Some(arg) => cx.axis(arg, shape.len())? as usize,
        None => shape.len() - 1,
    };
    let steps = shape[axis].trailing_zeros() as usize;
    let mut cube_shape = shape[..axis].to_vec();
    cube_shape.extend(std::iter::repeat_n(2, steps));
    cube_shape.extend(&shape[axis + 1..]);
    if steps == 0 {
        return Ok(Val::Value(value));
    }
    let mut cube = reshaped(cx, value, cube_shape, false, args.span)?;
    for step in 0..steps {
        cube = cx.partner(cube, (axis + step) as u32, args.span)?;
    }
    reshaped(cx, cube, shape, false, args.span).map(Val::Value)
}

fn sort<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (value, _) = cx.sorted_tensor(args)?;
    let shape = cx.builder.ty(value).shape.clone();
    cx.last_dim(args, shape.len())?;
    let descending = args.flag(cx, "descending", false)?;
    let log_n = shape.last().map_or(0, |n| n.trailing_zeros());
    let indices = args.flag(cx, "return_indices", false)?;
    let values = cx.with_indices(value, indices);
    cx.sort_last(values, log_n, descending, args.span).map(outcome)
}

fn argsort<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (value, _) = cx.sorted_tensor(args)?;
    let shape = cx.builder.ty(value).shape.clone();
    cx.last_dim(args, shape.len())?;
    let descending = args.flag(cx, "descending", false)?;
    let log_n = shape.last().map_or(0, |n| n.trailing_zeros());
    let values = cx.with_indices(value, true);
    let sorted = cx.sort_last(values, log_n, descending, args.span)?;
    Ok(Val::Value(sorted[1]))
}

fn bitonic_merge<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (value, _) = cx.sorted_tensor(args)?;
    let shape = cx.builder.ty(value).shape.clone();
    cx.last_dim(args, shape.len())?;
    let descending = args.flag(cx, "descending", false)?;
    let length = shape.last().copied().unwrap_or(1);
    if length == 1 {
        return Ok(Val::Value(value));
    }
    let dims = cx.builder.ty(value).numel().trailing_zeros();
    let cube = reshaped(cx, value, vec![2; dims as usize], false, args.span)?;
    let merged = cx.merge(vec![cube], length.trailing_zeros(), false, descending, args.span)?;
    cx.unfolded(merged, shape, length, args.span).map(outcome)
}

fn topk<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (value, scalar) = cx.sorted_tensor(args)?;
    let shape = cx.builder.ty(value).shape.clone();
    cx.last_dim(args, shape.len())?;
    let k_arg: Spanned<'a> = args.value("k");
    let k = cx.constant_int("`k`", &k_arg)?;
    let n = shape.last().copied().unwrap_or(1);
    let Some(k) = u32::try_from(k).ok().filter(|k| k.is_power_of_two() && *k <= n) else {
        let message = format!("`k` must be a power of two and at most {n}, not {k}");
        return Err(cx
            .error(tk_diag::NOT_POWER_OF_TWO, k_arg.span, message, "")
            .help("Take the next power of two and ignore the rest.")
            .into());
    };
    let descending = args.flag(cx, "descending", true)?;
    let indices = args.flag(cx, "return_indices", false)?;
    let values = cx.with_indices(value, indices);
    let mut best = cx.sort_last(values, k.trailing_zeros(), descending, args.span)?;
    // What is left out is left out by maxima, whose type is at least 32 bits wide.
    let wide = match scalar {
        _ if scalar.bits() >= 32 || k == n => scalar,
        _ if scalar.is_float() => ScalarType::F32,
        _ => ScalarType::I32,
    };
    best[0] = cx.cast_scalar(best[0], wide, args.span)?;
    Ok(outcome(best))
}
