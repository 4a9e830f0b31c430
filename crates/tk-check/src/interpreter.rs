//! What functions of the language ask of the interpreter when they call functions of the program.

use crate::checked::Value;
use crate::context::Context;
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Span;

/// Whoever emits into a context: the context itself, or the interpreter that owns it.
pub(crate) trait Emitter {
    fn cx(&mut self) -> &mut Context;
}

/// See the [module](self).
pub(crate) trait Interpreter<'a>: Emitter {
    /// Calls a function on scalars inside the open block, as reductions and scans need it.
    fn combine(&mut self, function: &Spanned<'a>, args: &[Value], span: Span) -> R<Vec<Value>>;

    /// Calls a function of single elements on tensors of this shape.
    fn map(&mut self, function: &Spanned<'a>, args: Vec<Spanned<'a>>, shape: Vec<u32>, span: Span) -> R<Val<'a>>;

    /// `value.name`.
    fn attribute_of(&mut self, value: &Spanned<'a>, name: &str, span: Span) -> R<Val<'a>>;

    /// Whether an imported file, by the number of its part of the text, has this name.
    fn has_name(&mut self, part: usize, name: &str) -> bool;
}

impl Emitter for Context {
    fn cx(&mut self) -> &mut Context {
        self
    }
}
