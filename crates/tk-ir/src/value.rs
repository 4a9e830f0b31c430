//! `Value`: an operation's result or a block's argument.

use crate::handle::handle;
use crate::{Block, Location, Op, Type, ffi};
use melior::ir::ValueLike;

handle! {
    /// An SSA value.
    Value over melior::ir::Value<'c, 'c>
}

impl<'c> Value<'c> {
    /// Its type.
    pub fn ty(self) -> Type<'c> {
        Type::new(self.melior.r#type(), self.context)
    }

    /// Changes its type in place; the caller keeps the IR consistent.
    pub fn set_type(self, ty: Type<'c>) {
        self.melior.set_type(ty.melior);
    }

    /// Where it came from.
    pub fn loc(self) -> Location<'c> {
        Location::new(self.melior.location(), self.context)
    }

    /// It is an operation's result.
    pub fn is_result(self) -> bool {
        self.melior.is_operation_result()
    }

    /// The operation that defines it; `None` for block arguments.
    pub fn defining_op(self) -> Option<Op<'c>> {
        ffi::as_result(self.melior).map(|result| Op::new(result.owner(), self.context))
    }

    /// Which result of its operation it is; 0 for block arguments.
    pub fn result_number(self) -> usize {
        ffi::as_result(self.melior).map_or(0, |result| result.result_number())
    }

    /// The block and the index, for a block argument.
    pub fn block_argument(self) -> Option<(Block<'c>, usize)> {
        ffi::as_argument(self.melior).map(|(block, index)| (Block::new(block, self.context), index))
    }

    /// The block it is defined in.
    pub fn parent_block(self) -> Option<Block<'c>> {
        match self.defining_op() {
            Some(op) => op.block(),
            None => self.block_argument().map(|(block, _)| block),
        }
    }

    /// Every use: the operation and which of its operands. Collected, newest use first.
    pub fn users(self) -> Vec<(Op<'c>, usize)> {
        ffi::uses(self.melior).map(|each| (Op::new(each.owner(), self.context), each.operand_number())).collect()
    }

    /// Something uses it.
    pub fn has_uses(self) -> bool {
        ffi::uses(self.melior).next().is_some()
    }

    /// Exactly one operand uses it.
    pub fn has_one_use(self) -> bool {
        ffi::uses(self.melior).take(2).count() == 1
    }

    /// Every use becomes a use of `value`.
    pub fn replace_all_uses_with(self, value: Value<'c>) {
        if self != value {
            ffi::replace_all_uses(self.melior, value.melior);
        }
    }

    /// Uses for which `choose(user, operand)` holds become uses of `value`.
    pub fn replace_uses_if(self, value: Value<'c>, mut choose: impl FnMut(Op<'c>, usize) -> bool) {
        for (user, operand) in self.users() {
            if choose(user, operand) {
                user.set_operand(operand, value);
            }
        }
    }

    /// Every use but those by `except` becomes a use of `value`.
    pub fn replace_all_uses_except(self, value: Value<'c>, except: &[Op<'c>]) {
        self.replace_uses_if(value, |user, _| !except.contains(&user));
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.melior)
    }
}
