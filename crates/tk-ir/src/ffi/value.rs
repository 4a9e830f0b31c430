//! `Value`: an operation's result or a block's argument.

use super::*;
use mlir_sys::{MlirOperation, MlirValue};

/// An SSA value.
#[derive(Clone, Copy)]
pub struct Value<'c> {
    pub(super) raw: MlirValue,
    pub(super) context: ContextRef<'c>,
}
handle!(Value, MlirValue);

impl<'c> Value<'c> {
    /// Its type.
    pub fn ty(self) -> Type<'c> {
        Type::new(mlir!(mlirValueGetType(self.raw)), self.context)
    }

    /// Changes its type in place; the caller keeps the IR consistent.
    pub fn set_type(self, ty: Type<'c>) {
        mlir!(mlirValueSetType(self.raw, ty.raw))
    }

    /// Where it came from.
    pub fn loc(self) -> Location<'c> {
        Location::new(mlir!(mlirValueGetLocation(self.raw)), self.context)
    }

    /// It is an operation's result.
    pub fn is_result(self) -> bool {
        mlir!(mlirValueIsAOpResult(self.raw))
    }

    /// The operation that defines it; `None` for block arguments.
    pub fn defining_op(self) -> Option<Op<'c>> {
        self.is_result().then(|| Op::new(mlir!(mlirOpResultGetOwner(self.raw)), self.context))
    }

    /// Which result of its operation it is; 0 for block arguments.
    pub fn result_number(self) -> usize {
        if self.is_result() { mlir!(mlirOpResultGetResultNumber(self.raw)) as usize } else { 0 }
    }

    /// The block and the index, for a block argument.
    pub fn block_argument(self) -> Option<(Block<'c>, usize)> {
        if !mlir!(mlirValueIsABlockArgument(self.raw)) {
            return None;
        }
        let block = Block::new(mlir!(mlirBlockArgumentGetOwner(self.raw)), self.context);
        Some((block, mlir!(mlirBlockArgumentGetArgNumber(self.raw)) as usize))
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
        let mut users = Vec::new();
        let mut operand = mlir!(mlirValueGetFirstUse(self.raw));
        while !mlir!(mlirOpOperandIsNull(operand)) {
            let owner = Op::new(mlir!(mlirOpOperandGetOwner(operand)), self.context);
            users.push((owner, mlir!(mlirOpOperandGetOperandNumber(operand)) as usize));
            operand = mlir!(mlirOpOperandGetNextUse(operand));
        }
        users
    }

    /// Something uses it.
    pub fn has_uses(self) -> bool {
        !mlir!(mlirOpOperandIsNull(mlir!(mlirValueGetFirstUse(self.raw))))
    }

    /// Exactly one operand uses it.
    pub fn has_one_use(self) -> bool {
        let first = mlir!(mlirValueGetFirstUse(self.raw));
        !mlir!(mlirOpOperandIsNull(first)) && mlir!(mlirOpOperandIsNull(mlir!(mlirOpOperandGetNextUse(first))))
    }

    /// Every use becomes a use of `value`.
    pub fn replace_all_uses_with(self, value: Value<'c>) {
        if self != value {
            mlir!(mlirValueReplaceAllUsesOfWith(self.raw, value.raw))
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
        let mut raw: Vec<MlirOperation> = except.iter().map(|op| op.raw).collect();
        mlir!(mlirValueReplaceAllUsesExcept(self.raw, value.raw, raw.len() as isize, raw.as_mut_ptr()))
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&printed(|callback, out| mlir!(mlirValuePrint(self.raw, callback, out))))
    }
}
