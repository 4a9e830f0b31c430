//! Broadcasting: bringing values to one shape.
//!
//! A scalar is splat; ranks are padded with ones on the left; dimensions of 1 grow. Where a scalar is a constant, the tensor
//! constant is emitted directly, which saves an op and keeps the IR readable.

use crate::checked::Value;
use crate::context::Context;
use crate::error::R;
use crate::value::Placed;
use crate::value::Spanned;

impl Context {
    /// Two values in their common shape. `what` names the operation in the error.
    pub(crate) fn broadcast_pair(&mut self, what: &str, a: Placed, b: Placed) -> R<(Value, Value)> {
        let shape = self.common_shape(what, a, b)?;
        Ok((self.builder.broadcast(a.value, &shape), self.builder.broadcast(b.value, &shape)))
    }

    /// The shape that two values broadcast to.
    pub(crate) fn common_shape(&self, what: &str, a: Placed, b: Placed) -> R<Vec<u32>> {
        let (left, right) = (&self.builder.ty(a.value).shape, &self.builder.ty(b.value).shape);
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
                    let text = |value: Value| self.builder.ty(value).to_string();
                    return Err(self
                        .error(tk_diag::SHAPE_MISMATCH, a.span, message, text(a.value))
                        .at(&self.file, b.span, text(b.value))
                        .help(help)
                        .into());
                }
            }
        }
        self.checked_shape(&shape.iter().map(|&d| i128::from(d)).collect::<Vec<_>>(), a.span.to(b.span))
    }

    /// A value grown to exactly this shape; the error says which dimension stands against it.
    pub(crate) fn broadcast_to<'a>(&mut self, what: &str, arg: &Spanned<'a>, value: Value, shape: &[u32]) -> R<Value> {
        let from = &self.builder.ty(value).shape;
        let padded = shape.len().checked_sub(from.len());
        let fits =
            padded.is_some_and(|pad| from.iter().zip(&shape[pad..]).all(|(&have, &want)| have == want || have == 1));
        if fits {
            if padded != Some(0) && !from.is_empty() {
                let message = format!("Cannot broadcast, rank mismatch: {what} of shape {from:?}, {shape:?}");
                self.beyond_triton(arg.span, message, "Insert dimensions with `[None, :]`.")?;
            }
            return Ok(self.builder.broadcast(value, shape));
        }
        let message = format!("{what} of shape {from:?} cannot grow to shape {shape:?}");
        Err(self
            .error(tk_diag::SHAPE_MISMATCH, arg.span, message, self.builder.ty(value).to_string())
            .help("Every dimension must be equal or 1; insert dimensions with `[:, None]`.")
            .into())
    }
}
