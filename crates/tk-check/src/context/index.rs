//! `value[index]`: items and slices of tuples, strings and tensors.
//!
//! A tensor takes `None`, `:` and `...` as upstream does, and also integers and slices, which follow numpy. A part of a tensor
//! is half of a dimension (a split), one of several equal blocks (the others are masked and the rest is or-ed together, which
//! is exact for every type), or anything else (a gather).

use crate::builtins::shape::{permuted, reshaped};
use crate::checked::{BinaryOp, CastKind, CompareOp, Element, OpKind, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::{Spanned, Val};
use std::rc::Rc;
use tk_diag::Span;
use tk_types::ScalarType;

/// `start`, `start + step`, …: `count` indices of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Progression {
    start: i128,
    count: i128,
    step: i128,
}

/// The help where only `None` and `:` can be indices.
const TAKE_BY_GATHER: &str = "Load the part that is needed, or take it with `tl.gather` or `tl.split`.";

/// The parts of the index of a scalar. It has no dimension that `:` could keep, and Triton lets it stand beside a `None`: `pid[:, None]` has one
/// dimension, of one element.
fn without_whole_slices<'a>(parts: Rc<[Val<'a>]>) -> Rc<[Val<'a>]> {
    let is_whole =
        |part: &Val<'a>| matches!(part, Val::Slice(bounds) if bounds.iter().all(|bound| matches!(bound, Val::None)));
    let has_new = parts.iter().any(|part| matches!(part, Val::None));
    if has_new { parts.iter().filter(|part| !is_whole(part)).cloned().collect() } else { parts }
}

impl Context {
    /// `base[index]`.
    pub(crate) fn subscript<'a>(&mut self, base: &Spanned<'a>, index: &Spanned<'a>) -> R<Val<'a>> {
        match &base.val {
            val if val.items().is_some() => {
                let items = val.items().cloned().unwrap_or_default();
                self.tuple_item(&items, index)
            }
            Val::Value(value) => self.tensor_index(*value, index).map(Val::Value),
            Val::Str(text) => {
                let at = self.constant_int("the index of a string", index)?;
                let chars: Vec<char> = text.chars().collect();
                let at = self.index_in(at, chars.len(), index.span)?;
                Ok(Val::str(&chars[at].to_string()))
            }
            Val::Function(_) => {
                Err(self.unsupported(base.span, "a kernel launch", "Launch kernels from a host function."))
            }
            other => {
                let message = format!("{} cannot be indexed", self.describe(other));
                Err(self
                    .error(tk_diag::TYPE_MISMATCH, base.span, message, "")
                    .help("Tuples take an integer, tensors `None`, `:`, integers and slices.")
                    .into())
            }
        }
    }

    fn index_in(&self, at: i128, len: usize, span: Span) -> R<usize> {
        let wrapped = if at < 0 { at + len as i128 } else { at };
        usize::try_from(wrapped).ok().filter(|at| *at < len).ok_or_else(|| {
            let message = format!("index {at} is out of range for {len} item{}", if len == 1 { "" } else { "s" });
            self.error(tk_diag::BAD_ARGUMENT, span, message, "").help("Indices start at 0.").into()
        })
    }

    /// The indices that a slice takes of `len` items, with Python's rules for negative and missing bounds.
    fn progression<'a>(&self, parts: &[Val<'a>; 3], len: usize, span: Span) -> R<Progression> {
        let mut bounds = [None; 3];
        for (bound, part) in bounds.iter_mut().zip(parts.iter()) {
            if !matches!(part, Val::None) {
                *bound = Some(self.constant_int("a bound of a slice", &Spanned { val: part.clone(), span })?);
            }
        }
        let len = len as i128;
        let step = bounds[2].unwrap_or(1);
        if step == 0 {
            return Err(self
                .error(tk_diag::BAD_ARGUMENT, span, "the step of a slice is zero", "")
                .help("Use a step such as 1 or -1.")
                .into());
        }
        let clamp =
            |at: i128, low: i128, high: i128| (if at < 0 { at.saturating_add(len) } else { at }).clamp(low, high);
        let (start, end) = if step > 0 {
            (bounds[0].map_or(0, |b| clamp(b, 0, len)), bounds[1].map_or(len, |b| clamp(b, 0, len)))
        } else {
            (bounds[0].map_or(len - 1, |b| clamp(b, -1, len - 1)), bounds[1].map_or(-1, |b| clamp(b, -1, len - 1)))
        };
        let distance = if step > 0 { end - start } else { start - end };
        let stride = i128::try_from(step.unsigned_abs()).unwrap_or(i128::MAX);
        let count = if distance > 0 { (distance - 1) / stride + 1 } else { 0 };
        // The step of a single item says nothing, and may be any number.
        Ok(Progression { start, count, step: if count > 1 { step } else { 1 } })
    }

    fn tuple_item<'a>(&mut self, items: &Rc<[Val<'a>]>, index: &Spanned<'a>) -> R<Val<'a>> {
        let Val::Slice(parts) = &index.val else {
            let at = self.constant_int("the index of a tuple", index)?;
            return Ok(items[self.index_in(at, items.len(), index.span)?].clone());
        };
        let taken = self.progression(parts, items.len(), index.span)?;
        let at = |i: i128| items[(taken.start + i * taken.step) as usize].clone();
        Ok(Val::tuple((0..taken.count).map(at).collect::<Vec<_>>()))
    }

    /// `x[:, None]`, `x[..., 3]`, `x[2:6]`: an integer removes its dimension, `None` inserts one of 1.
    fn tensor_index<'a>(&mut self, value: Value, index: &Spanned<'a>) -> R<Value> {
        let parts: Rc<[Val<'a>]> = match &index.val {
            Val::Tuple(parts) => parts.clone(),
            other => Rc::from(vec![other.clone()]),
        };
        let rank = self.builder.ty(value).shape.len();
        let parts = if rank == 0 { without_whole_slices(parts) } else { parts };
        let kept = parts.iter().filter(|part| !matches!(part, Val::None | Val::Ellipsis)).count();
        if kept > rank || parts.iter().filter(|part| matches!(part, Val::Ellipsis)).count() > 1 {
            if self.builder.ty(value).pointee().is_some() && rank == 0 {
                let under = format!("the index of a {}", self.builder.ty(value));
                return Err(self
                    .error(
                        tk_diag::TYPE_MISMATCH,
                        index.span,
                        "unsupported tensor index: brackets do not read memory",
                        under,
                    )
                    .help("Load through the pointer: `tl.load(pointer + index)`.")
                    .into());
            }
            let message = format!("{kept} dimensions are indexed of a tensor that has {rank}");
            return Err(self
                .error(tk_diag::SHAPE_MISMATCH, index.span, message, self.builder.ty(value).to_string())
                .help("Use as many `:` as the tensor has dimensions, and `...` at most once.")
                .into());
        }
        let mut result = value;
        let mut axis = 0;
        for part in parts.iter() {
            match part {
                Val::None => result = self.builder.expand_dim(result, axis),
                Val::Ellipsis => {
                    axis += (rank - kept) as u32;
                    continue;
                }
                Val::Slice(bounds) if bounds.iter().all(|bound| matches!(bound, Val::None)) => {}
                Val::Slice(bounds) => {
                    self.construct_beyond_triton(index.span, "unsupported tensor index", TAKE_BY_GATHER)?;
                    result = self.tensor_slice(result, axis, bounds, index.span)?;
                }
                other => {
                    self.construct_beyond_triton(index.span, "unsupported tensor index", TAKE_BY_GATHER)?;
                    result = self.tensor_item(result, axis, &Spanned { val: other.clone(), span: index.span })?;
                    continue;
                }
            }
            axis += 1;
        }
        let shape: Vec<i128> = self.builder.ty(result).shape.iter().map(|&d| d.into()).collect();
        self.checked_shape(&shape, index.span)?;
        Ok(result)
    }

    /// One index of a dimension, constant or a run-time scalar. A run-time index outside the dimension gives zeros.
    fn tensor_item<'a>(&mut self, value: Value, axis: u32, index: &Spanned<'a>) -> R<Value> {
        let length = self.builder.ty(value).shape[axis as usize];
        if let Some(at) = self.known_int(&index.val) {
            let at = self.index_in(at, length as usize, index.span)?;
            return self.block_of(value, axis, 1, at as u32, index.span);
        }
        match index.val {
            Val::Value(at)
                if !self.builder.ty(at).is_tensor() && self.builder.ty(at).number().is_some_and(ScalarType::is_int) =>
            {
                let at = self.cast_scalar(at, ScalarType::I32, index.span)?;
                self.select_along(value, axis, at, index.span)
            }
            _ => {
                let message = format!("a tensor cannot be indexed with {}", self.describe(&index.val));
                Err(self
                    .error(tk_diag::TYPE_MISMATCH, index.span, message, "")
                    .help("Use integers, slices, `None` and `...`; many indices at once are `tl.gather`.")
                    .into())
            }
        }
    }

    pub(crate) fn tensor_slice<'a>(&mut self, value: Value, axis: u32, bounds: &[Val<'a>; 3], span: Span) -> R<Value> {
        let shape = self.builder.ty(value).shape.clone();
        let length = shape[axis as usize];
        let taken = self.progression(bounds, length as usize, span)?;
        if taken.count == 0 {
            let message = format!("this slice takes nothing of a dimension of {length}");
            return Err(self
                .error(tk_diag::BAD_ARGUMENT, span, message, self.builder.ty(value).to_string())
                .help("A tensor has at least one element.")
                .into());
        }
        let mut wanted: Vec<i128> = shape.iter().map(|&d| d.into()).collect();
        wanted[axis as usize] = taken.count;
        let wanted = self.checked_shape(&wanted, span)?;
        let (start, count) = (taken.start as u32, taken.count as u32);
        let even = length.is_power_of_two() && count.is_power_of_two();
        if even && taken.step == 1 && start % count == 0 {
            return self.block_of(value, axis, count, start / count, span);
        }
        if even && taken.step > 0 && taken.step * taken.count == i128::from(length) {
            return self.every(value, axis, taken.step as u32, start, span);
        }
        let mut index = self.iota(shape.len(), axis, count);
        for (op, by) in [(BinaryOp::MulI, taken.step), (BinaryOp::AddI, taken.start)] {
            let by = self.builder.int(by, self.builder.ty(index).clone());
            index = self.builder.binary(op, index, by);
        }
        let index = self.builder.broadcast(index, &wanted);
        let (word, restore) = self.as_integers(value, span)?;
        let ty = self.builder.ty(word).clone();
        let taken =
            self.builder.emit(OpKind::Gather { axis }, &[word, index], Type { element: ty.element, shape: wanted });
        self.restored(taken, &restore, span)
    }

    /// Block `at` of the equal blocks of `count` elements along a dimension; a block of one element loses the dimension.
    fn block_of(&mut self, value: Value, axis: u32, count: u32, at: u32, span: Span) -> R<Value> {
        let mut shape = self.builder.ty(value).shape.clone();
        let blocks = shape[axis as usize] / count;
        if count > 1 {
            if blocks == 1 {
                return Ok(value);
            }
            shape[axis as usize] = blocks;
            shape.insert(axis as usize + 1, count);
            let grouped = reshaped(self, value, shape, false, span)?;
            return self.one_of(grouped, axis, at, span);
        }
        self.one_of(value, axis, at, span)
    }

    /// Every `step`-th element of a dimension that `step` divides, from `start`.
    pub(crate) fn every(&mut self, value: Value, axis: u32, step: u32, start: u32, span: Span) -> R<Value> {
        let mut shape = self.builder.ty(value).shape.clone();
        shape[axis as usize] /= step;
        shape.insert(axis as usize + 1, step);
        let grouped = reshaped(self, value, shape, false, span)?;
        self.one_of(grouped, axis + 1, start, span)
    }

    /// The elements with a constant index along a dimension, which goes away.
    fn one_of(&mut self, value: Value, axis: u32, at: u32, span: Span) -> R<Value> {
        let mut shape = self.builder.ty(value).shape.clone();
        let rank = shape.len() as u32;
        match shape.remove(axis as usize) {
            1 => reshaped(self, value, shape, false, span),
            2 if rank > 1 => {
                let order = (0..rank).filter(|d| *d != axis).chain([axis]).collect();
                let last = if axis + 1 == rank { value } else { permuted(self, value, order) };
                let half = Type { element: self.builder.ty(value).element.clone(), shape };
                let halves = self.builder.op(OpKind::Split, vec![last], vec![half.clone(), half], Vec::new());
                Ok(halves[at as usize])
            }
            _ => {
                let at = self.builder.int(at.into(), Type::scalar(ScalarType::I32));
                self.select_along(value, axis, at, span)
            }
        }
    }

    /// The elements whose index along a dimension is `at`: the others become zero bits, and all are or-ed together.
    fn select_along(&mut self, value: Value, axis: u32, at: Value, span: Span) -> R<Value> {
        let (word, restore) = self.as_integers(value, span)?;
        let ty = self.builder.ty(word).clone();
        let index = self.iota(ty.shape.len(), axis, ty.shape[axis as usize]);
        let at = self.builder.splat(at, &self.builder.ty(index).shape.clone());
        let chosen = self.builder.emit(OpKind::Compare(CompareOp::EqI), &[index, at], self.bool_like(index));
        let chosen = self.builder.broadcast(chosen, &ty.shape);
        let zero = self.builder.int(0, ty.clone());
        let masked = self.builder.emit(OpKind::Select, &[chosen, word, zero], ty);
        let found = self.reduce_with(masked, &[axis], false, span, BinaryOp::Or)?;
        self.restored(found, &restore, span)
    }

    /// The bits of every element as an integer, and the element type to give back.
    fn as_integers(&mut self, value: Value, span: Span) -> R<(Value, Element)> {
        let element = self.builder.ty(value).element.clone();
        let word = match &element {
            Element::Pointer { .. } => {
                let ty = self.builder.ty(value).with_scalar(ScalarType::I64);
                self.builder.emit(OpKind::Cast(CastKind::PtrToInt), &[value], ty)
            }
            Element::Scalar(scalar) => self.builder.reinterpret(value, crate::checked::integer_like(*scalar)),
            Element::Descriptor { .. } => {
                return Err(self.unsupported(span, "an index of a descriptor", "Use its `load`."));
            }
        };
        Ok((word, element))
    }

    fn restored(&mut self, word: Value, element: &Element, span: Span) -> R<Value> {
        match element {
            Element::Scalar(scalar) => Ok(self.builder.reinterpret(word, *scalar)),
            pointer => self.cast(word, pointer, None, span),
        }
    }
}
