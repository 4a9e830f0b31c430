//! Where control goes: how statements end, conditions, and the hidden variables of jumps.

use crate::checked::Value;
use crate::value::Spanned;

/// How execution leaves a list of statements.
pub(crate) enum Flow<'a> {
    /// It falls off the end.
    Next,
    /// It always returns this.
    Return(Spanned<'a>),
    /// It returns this when the i1 is true, and falls off the end otherwise.
    Maybe(Value, Spanned<'a>),
}

/// A condition: decided now or by the GPU.
pub(crate) enum Test {
    Known(bool),
    Runtime(Value),
}

/// The rest of the iteration is skipped. No program can use these names.
pub(crate) const SKIP: &str = "<skip>";
/// The loop is left.
pub(crate) const BREAK: &str = "<break>";
/// The function returns after the loop.
pub(crate) const RETURN: &str = "<return>";
/// What the function returns then.
pub(crate) const RESULT: &str = "<result>";
/// The index of a `for` that can be left.
pub(crate) const INDEX: &str = "<index>";

/// A statement that leaves the straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jump {
    Break,
    Continue,
    Return,
}

/// Whether the statements at hand are skipped.
pub(crate) enum Skipped {
    No,
    Yes,
    Maybe(Value),
}
