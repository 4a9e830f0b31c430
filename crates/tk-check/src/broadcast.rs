//! Broadcasting: bringing values to one shape.
//!
//! A scalar is splat; ranks are padded with ones on the left; dimensions of 1 grow. Where a scalar is a constant, the tensor
//! constant is emitted directly, which saves an op and keeps the IR readable.

use crate::check::Checker;
use crate::checked::{OpKind, Type, Value};
use crate::error::R;
use crate::value::Spanned;
use tk_diag::Span;

impl<'a> Checker<'a> {
    /// A scalar in every element of `shape`.
    pub(crate) fn splat(&mut self, value: Value, shape: &[u32]) -> Value {
        if shape.is_empty() {
            return value;
        }
        let ty = Type { element: self.ty(value).element.clone(), shape: shape.to_vec() };
        match self.origins[value.0 as usize].literal {
            Some(literal) => self.literal(literal, ty),
            None => self.emit(OpKind::Splat, &[value], ty),
        }
    }

    /// Inserts a dimension of 1; a scalar becomes a tensor of one element.
    pub(crate) fn expand_dim(&mut self, value: Value, axis: u32) -> Value {
        let ty = self.ty(value);
        if !ty.is_tensor() {
            return self.splat(value, &[1]);
        }
        let mut ty = ty.clone();
        ty.shape.insert((axis as usize).min(ty.shape.len()), 1);
        self.emit(OpKind::ExpandDims { axis }, &[value], ty)
    }

    /// Two values in their common shape. `what` names the operation in the error.
    pub(crate) fn broadcast_pair(&mut self, what: &str, a: (Value, Span), b: (Value, Span)) -> R<(Value, Value)> {
        let shape = self.common_shape(what, a, b)?;
        Ok((self.broadcast_value(a.0, &shape), self.broadcast_value(b.0, &shape)))
    }

    /// The shape that two values broadcast to.
    pub(crate) fn common_shape(&self, what: &str, a: (Value, Span), b: (Value, Span)) -> R<Vec<u32>> {
        let (left, right) = (&self.ty(a.0).shape, &self.ty(b.0).shape);
        if left == right {
            return Ok(left.clone());
        }
        let rank = left.len().max(right.len());
        let dim = |shape: &[u32], i: usize| (i + shape.len()).checked_sub(rank).map_or(1, |i| shape[i]);
        let mut shape = Vec::with_capacity(rank);
        for i in 0..rank {
            match (dim(left, i), dim(right, i)) {
                (l, r) if l == r || r == 1 => shape.push(l),
                (1, r) => shape.push(r),
                (l, r) => {
                    let message = format!("{what} needs shapes that go together, and {left:?} and {right:?} do not");
                    let help = if left.len() == 1 && right.len() == 1 {
                        "Two vectors make a matrix as `a[:, None]` and `b[None, :]`.".to_string()
                    } else {
                        format!(
                            "Dimension {i} is {l} on one side and {r} on the other; it must be equal, or 1 on one side."
                        )
                    };
                    let text = |value: Value| self.ty(value).to_string();
                    return Err(self
                        .error(tk_diag::SHAPE_MISMATCH, a.1, message, text(a.0))
                        .at(&self.file, b.1, text(b.0))
                        .help(help)
                        .into());
                }
            }
        }
        self.checked_shape(&shape.iter().map(|&d| i128::from(d)).collect::<Vec<_>>(), a.1.to(b.1))
    }

    /// A value grown to a shape that it is known to broadcast to.
    pub(crate) fn broadcast_value(&mut self, value: Value, shape: &[u32]) -> Value {
        if self.ty(value).shape == shape {
            return value;
        }
        if !self.ty(value).is_tensor() {
            return self.splat(value, shape);
        }
        let mut value = value;
        while self.ty(value).shape.len() < shape.len() {
            value = self.expand_dim(value, 0);
        }
        if self.ty(value).shape == shape {
            return value;
        }
        let ty = Type { element: self.ty(value).element.clone(), shape: shape.to_vec() };
        self.emit(OpKind::Broadcast, &[value], ty)
    }

    /// A value grown to exactly this shape; the error says which dimension stands against it.
    pub(crate) fn broadcast_to(&mut self, what: &str, arg: &Spanned<'a>, value: Value, shape: &[u32]) -> R<Value> {
        let from = &self.ty(value).shape;
        let padded = shape.len().checked_sub(from.len());
        let fits =
            padded.is_some_and(|pad| from.iter().zip(&shape[pad..]).all(|(&have, &want)| have == want || have == 1));
        if fits {
            return Ok(self.broadcast_value(value, shape));
        }
        let message = format!("{what} of shape {from:?} cannot grow to shape {shape:?}");
        Err(self
            .error(tk_diag::SHAPE_MISMATCH, arg.span, message, self.ty(value).to_string())
            .help("Every dimension must be equal or 1; insert dimensions with `[:, None]`.")
            .into())
    }
}
