//! `flip`, `sort` and `topk` by exchanging halves of a hypercube: a dimension of 2^n becomes n dimensions of 2, and the
//! exclusive or along one of them gives every element its partner.

use super::shape::reshaped;
use super::{Args, Builtin, function, method};
use crate::check::Checker;
use crate::checked::{BinaryOp, CompareOp, Element, Literal, OpKind, Type, Value};
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    method("flip", &["x", "dim?"], flip),
    method("sort", &["x", "dim?", "descending?"], sort),
    method("topk", &["x", "k", "dim?", "descending?"], topk),
    function("_log2", &["i"], exponent),
];

/// The base-2 logarithm of a constant, rounded down.
fn exponent<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.at(0);
    let number = checker.constant_int("the argument of `_log2`", &arg)?;
    match u128::try_from(number).ok().and_then(u128::checked_ilog2) {
        Some(exponent) => Ok(Val::Int(exponent.into())),
        None => {
            let message = format!("{number} has no logarithm");
            Err(checker.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("Pass a positive integer.").into())
        }
    }
}

/// The signed integer of the same width.
pub(crate) fn integer_like(scalar: ScalarType) -> ScalarType {
    match scalar.bits() {
        8 => ScalarType::I8,
        16 => ScalarType::I16,
        32 => ScalarType::I32,
        64 => ScalarType::I64,
        _ => ScalarType::I1,
    }
}

impl<'a> Checker<'a> {
    fn sorted_tensor(&mut self, args: &Args<'a>) -> R<(Value, ScalarType)> {
        let arg = args.at(0);
        let value = self.value_of(&format!("the argument of `{}`", args.builtin.name), &arg)?;
        let ty = self.ty(value);
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
    fn partner(&mut self, value: Value, axis: u32, scalar: ScalarType, span: Span) -> R<Value> {
        let word = self.reinterpret(value, integer_like(scalar));
        let both = self.reduce_with(word, &[axis], true, span, BinaryOp::Xor)?;
        let shape = self.ty(word).shape.clone();
        let both = self.broadcast_value(both, &shape);
        let ty = self.ty(word).clone();
        let other = self.emit(OpKind::Binary(BinaryOp::Xor), &[word, both], ty);
        Ok(self.reinterpret(other, scalar))
    }

    /// 0 and 1 along one dimension of a hypercube, as i1 of its full shape.
    fn indicator(&mut self, axis: u32, rank: u32) -> Value {
        let ty = Type { element: Element::Scalar(ScalarType::I32), shape: vec![2] };
        let mut bits = self.emit(OpKind::MakeRange { start: 0, end: 2 }, &[], ty);
        for other in (0..rank).filter(|other| *other != axis) {
            bits = self.expand_dim(bits, other);
        }
        let bits = self.not_zero(bits);
        self.broadcast_value(bits, &vec![2; rank as usize])
    }

    /// One round: partners along `axis` change places where their order is not the wanted one.
    fn exchange(&mut self, cube: Value, axis: u32, flip: Value, scalar: ScalarType, span: Span) -> R<Value> {
        let other = self.partner(cube, axis, scalar, span)?;
        let rank = self.ty(cube).shape.len() as u32;
        let right = self.indicator(axis, rank);
        let bool = self.bool_like(cube);
        let op = match scalar {
            s if s.is_float() => CompareOp::GtF,
            s if s.is_signed_int() => CompareOp::GtS,
            _ => CompareOp::GtU,
        };
        let greater = self.emit(OpKind::Compare(op), &[cube, other], bool.clone());
        let wanted = self.emit(OpKind::Binary(BinaryOp::Xor), &[flip, right], bool.clone());
        let swap = self.emit(OpKind::Binary(BinaryOp::Xor), &[greater, wanted], bool);
        let ty = self.ty(cube).clone();
        Ok(self.emit(OpKind::Select, &[swap, other, cube], ty))
    }

    /// Merges sorted runs of 2^(stage-1) into runs of 2^stage along the innermost dimensions.
    fn merge(
        &mut self,
        mut cube: Value,
        stage: u32,
        alternating: bool,
        descending: bool,
        scalar: ScalarType,
        span: Span,
    ) -> R<Value> {
        let rank = self.ty(cube).shape.len() as u32;
        let flip = if alternating {
            self.indicator(rank - 1 - stage, rank)
        } else {
            let ty = self.bool_like(cube);
            self.literal(Literal::Int(descending.into()), ty)
        };
        for i in (0..stage).rev() {
            cube = self.exchange(cube, rank - 1 - i, flip, scalar, span)?;
        }
        Ok(cube)
    }

    fn last_dim(&self, args: &Args<'a>, index: usize, rank: usize) -> R<()> {
        let Some(arg) = args.get(index) else { return Ok(()) };
        if self.axis(arg, rank)? as usize == rank - 1 {
            return Ok(());
        }
        let message = format!("`{}` works along the last dimension only", args.builtin.name);
        Err(self.error(tk_diag::UNSUPPORTED, arg.span, message, "").help("Permute the dimensions first.").into())
    }

    /// Sorts the last dimension and keeps its first 2^log_k elements.
    fn sort_last(&mut self, value: Value, log_k: u32, descending: bool, scalar: ScalarType, span: Span) -> R<Value> {
        let shape = self.ty(value).shape.clone();
        let log_n = shape.last().map_or(0, |n| n.trailing_zeros());
        if log_k == 0 {
            let axis = shape.len() as u32 - 1;
            let best = self.reduce_extremum(descending, value, &[axis], true, span)?;
            return self.cast_scalar(best, scalar, span);
        }
        let dims = self.ty(value).numel().trailing_zeros();
        let mut cube = reshaped(self, value, vec![2; dims as usize], false, span)?;
        for stage in 1..=log_k {
            cube = self.merge(cube, stage, stage < log_n, descending, scalar, span)?;
        }
        for stage in log_k + 1..=log_n {
            let rank = self.ty(cube).shape.len() as u32;
            let halved = self.reduce_extremum(descending, cube, &[rank - 1 - log_k], false, span)?;
            cube = self.cast_scalar(halved, scalar, span)?;
            cube = self.merge(cube, log_k, stage < log_n, descending, scalar, span)?;
        }
        let mut result = shape;
        if let Some(last) = result.last_mut() {
            *last = 1 << log_k;
        }
        reshaped(self, cube, result, false, span)
    }
}

fn flip<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (value, scalar) = checker.sorted_tensor(args)?;
    let shape = checker.ty(value).shape.clone();
    let axis = match args.get(1) {
        Some(arg) => checker.axis(arg, shape.len())? as usize,
        None => shape.len() - 1,
    };
    let steps = shape[axis].trailing_zeros() as usize;
    let mut cube_shape = shape[..axis].to_vec();
    cube_shape.extend(std::iter::repeat_n(2, steps));
    cube_shape.extend(&shape[axis + 1..]);
    if steps == 0 {
        return Ok(Val::Value(value));
    }
    let mut cube = reshaped(checker, value, cube_shape, false, args.span)?;
    for step in 0..steps {
        cube = checker.partner(cube, (axis + step) as u32, scalar, args.span)?;
    }
    reshaped(checker, cube, shape, false, args.span).map(Val::Value)
}

fn sort<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (value, scalar) = checker.sorted_tensor(args)?;
    let shape = checker.ty(value).shape.clone();
    checker.last_dim(args, 1, shape.len())?;
    let descending = match args.get(2) {
        Some(arg) => checker.constant_bool("`descending`", arg)?,
        None => false,
    };
    let log_n = shape.last().map_or(0, |n| n.trailing_zeros());
    if log_n == 0 {
        return Ok(Val::Value(value));
    }
    checker.sort_last(value, log_n, descending, scalar, args.span).map(Val::Value)
}

fn topk<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (value, scalar) = checker.sorted_tensor(args)?;
    let shape = checker.ty(value).shape.clone();
    checker.last_dim(args, 2, shape.len())?;
    let k_arg: Spanned<'a> = args.at(1);
    let k = checker.constant_int("`k`", &k_arg)?;
    let n = shape.last().copied().unwrap_or(1);
    let Some(k) = u32::try_from(k).ok().filter(|k| k.is_power_of_two() && *k <= n) else {
        let message = format!("`k` must be a power of two and at most {n}, not {k}");
        return Err(checker
            .error(tk_diag::NOT_POWER_OF_TWO, k_arg.span, message, "")
            .help("Take the next power of two and ignore the rest.")
            .into());
    };
    let descending = match args.get(3) {
        Some(arg) => checker.constant_bool("`descending`", arg)?,
        None => true,
    };
    let result = checker.sort_last(value, k.trailing_zeros(), descending, scalar, args.span)?;
    // What is left out is left out by maxima, whose type is at least 32 bits wide.
    let wide = match scalar {
        _ if scalar.bits() >= 32 || k == n => scalar,
        _ if scalar.is_float() => ScalarType::F32,
        _ => ScalarType::I32,
    };
    checker.cast_scalar(result, wide, args.span).map(Val::Value)
}
