//! `Op`: an operation, its operands, results, attributes and place.

use super::*;
use crate::OpKind;
use mlir_sys::{MlirOperation, MlirValue};

/// An operation.
#[derive(Clone, Copy)]
pub struct Op<'c> {
    pub(super) raw: MlirOperation,
    pub(super) context: ContextRef<'c>,
}
handle!(Op, MlirOperation);

impl<'c> Op<'c> {
    /// Which operation it is; [`OpKind::Other`] for operations tk has no name for.
    pub fn kind(self) -> OpKind {
        self.context.kind_of(mlir!(mlirOperationGetName(self.raw)))
    }

    /// The full name, such as `tt.load`.
    pub fn name(self) -> &'c str {
        as_str(mlir!(mlirIdentifierStr(mlir!(mlirOperationGetName(self.raw)))))
    }

    /// Number of operands.
    pub fn num_operands(self) -> usize {
        mlir!(mlirOperationGetNumOperands(self.raw)) as usize
    }

    /// The operand at `index`, which must exist.
    pub fn operand(self, index: usize) -> Value<'c> {
        assert!(index < self.num_operands(), "{} has no operand {index}", self.name());
        Value::new(mlir!(mlirOperationGetOperand(self.raw, index as isize)), self.context)
    }

    /// All operands.
    pub fn operands(self) -> Vec<Value<'c>> {
        (0..self.num_operands()).map(|index| self.operand(index)).collect()
    }

    /// Replaces one operand.
    pub fn set_operand(self, index: usize, value: Value<'c>) {
        assert!(index < self.num_operands(), "{} has no operand {index}", self.name());
        mlir!(mlirOperationSetOperand(self.raw, index as isize, value.raw))
    }

    /// Replaces all operands; their number may change. Operations with operand segments also need their
    /// `operandSegmentSizes` attribute changed.
    pub fn set_operands(self, values: &[Value<'c>]) {
        let raw: Vec<MlirValue> = values.iter().map(|value| value.raw).collect();
        mlir!(mlirOperationSetOperands(self.raw, raw.len() as isize, raw.as_ptr()))
    }

    /// Number of results.
    pub fn num_results(self) -> usize {
        mlir!(mlirOperationGetNumResults(self.raw)) as usize
    }

    /// The result at `index`, which must exist.
    pub fn result(self, index: usize) -> Value<'c> {
        assert!(index < self.num_results(), "{} has no result {index}", self.name());
        Value::new(mlir!(mlirOperationGetResult(self.raw, index as isize)), self.context)
    }

    /// All results.
    pub fn results(self) -> Vec<Value<'c>> {
        (0..self.num_results()).map(|index| self.result(index)).collect()
    }

    /// Number of regions.
    pub fn num_regions(self) -> usize {
        mlir!(mlirOperationGetNumRegions(self.raw)) as usize
    }

    /// The region at `index`, which must exist.
    pub fn region(self, index: usize) -> Region<'c> {
        assert!(index < self.num_regions(), "{} has no region {index}", self.name());
        Region::new(mlir!(mlirOperationGetRegion(self.raw, index as isize)), self.context)
    }

    /// All regions.
    pub fn regions(self) -> Vec<Region<'c>> {
        (0..self.num_regions()).map(|index| self.region(index)).collect()
    }

    /// The blocks it may branch to.
    pub fn successors(self) -> Vec<Block<'c>> {
        let count = mlir!(mlirOperationGetNumSuccessors(self.raw));
        (0..count).map(|index| Block::new(mlir!(mlirOperationGetSuccessor(self.raw, index)), self.context)).collect()
    }

    /// An attribute by name, inherent or discardable.
    pub fn attr(self, name: &str) -> Option<Attribute<'c>> {
        Attribute::some(mlir!(mlirOperationGetAttributeByName(self.raw, string_ref(name))), self.context)
    }

    /// Sets an attribute, inherent or discardable.
    pub fn set_attr(self, name: &str, value: Attribute<'c>) {
        mlir!(mlirOperationSetAttributeByName(self.raw, string_ref(name), value.raw))
    }

    /// Removes an attribute; true when it was there.
    pub fn remove_attr(self, name: &str) -> bool {
        mlir!(mlirOperationRemoveAttributeByName(self.raw, string_ref(name)))
    }

    /// All attributes with their names, inherent ones too.
    pub fn attrs(self) -> Vec<(&'c str, Attribute<'c>)> {
        (0..mlir!(mlirOperationGetNumAttributes(self.raw)))
            .map(|index| {
                let named = mlir!(mlirOperationGetAttribute(self.raw, index));
                (as_str(mlir!(mlirIdentifierStr(named.name))), Attribute::new(named.attribute, self.context))
            })
            .collect()
    }

    /// Attributes that are not part of the operation's definition, such as `tt.divisibility` hints.
    pub fn discardable_attrs(self) -> Vec<(&'c str, Attribute<'c>)> {
        (0..mlir!(mlirOperationGetNumDiscardableAttributes(self.raw)))
            .map(|index| {
                let named = mlir!(mlirOperationGetDiscardableAttribute(self.raw, index));
                (as_str(mlir!(mlirIdentifierStr(named.name))), Attribute::new(named.attribute, self.context))
            })
            .collect()
    }

    /// Where it came from.
    pub fn loc(self) -> Location<'c> {
        Location::new(mlir!(mlirOperationGetLocation(self.raw)), self.context)
    }

    /// Changes where it came from.
    pub fn set_loc(self, location: Location<'c>) {
        mlir!(mlirOperationSetLocation(self.raw, location.raw))
    }

    /// The block it is in; `None` when it is detached or at the top.
    pub fn block(self) -> Option<Block<'c>> {
        Block::some(mlir!(mlirOperationGetBlock(self.raw)), self.context)
    }

    /// The operation whose region it is in.
    pub fn parent_op(self) -> Option<Op<'c>> {
        self.block()?;
        Op::some(mlir!(mlirOperationGetParentOperation(self.raw)), self.context)
    }

    /// The next operation in its block.
    pub fn next(self) -> Option<Op<'c>> {
        self.block()?;
        Op::some(mlir!(mlirOperationGetNextInBlock(self.raw)), self.context)
    }

    /// The operation before it in its block, in constant time.
    pub fn prev(self) -> Option<Op<'c>> {
        self.block()?;
        // SAFETY: as in `mlir!`; the function is tk-dialect's and returns null for the first operation.
        Op::some(unsafe { tk_dialect::raw::tkOperationPrevious(self.raw) }, self.context)
    }

    /// Removes it from its block and destroys it with its regions, dropping every remaining use of its results first.
    pub fn erase(self) {
        // SAFETY: as in `mlir!`; the caller does not use handles to the erased IR again.
        unsafe { tk_dialect::raw::tkOperationErase(self.raw) }
    }

    /// Takes it out of its block without destroying it; put it back with [`Block::append`] or a builder.
    pub fn detach(self) -> Self {
        mlir!(mlirOperationRemoveFromParent(self.raw));
        self
    }

    /// Moves it before `other`, in another block if need be.
    pub fn move_before(self, other: Op<'c>) {
        mlir!(mlirOperationMoveBefore(self.raw, other.raw))
    }

    /// Moves it after `other`, in another block if need be.
    pub fn move_after(self, other: Op<'c>) {
        mlir!(mlirOperationMoveAfter(self.raw, other.raw))
    }

    /// A detached deep copy with the same operands.
    pub fn clone_op(self) -> Op<'c> {
        Op::new(mlir!(mlirOperationClone(self.raw)), self.context)
    }

    /// It stands before `other` in the same block. Amortised constant time.
    pub fn is_before_in_block(self, other: Op<'c>) -> bool {
        assert!(self.block() == other.block(), "`is_before_in_block` needs two operations of one block");
        mlir!(mlirOperationIsBeforeInBlock(self.raw, other.raw))
    }

    /// No side effects and safe to run where it did not run before (may be hoisted, erased, duplicated).
    pub fn is_pure(self) -> bool {
        // SAFETY: as in `mlir!`.
        unsafe { tk_dialect::raw::tkOperationIsPure(self.raw) }
    }

    /// No side effects: may be erased when unused, but perhaps not hoisted (integer division).
    pub fn is_memory_effect_free(self) -> bool {
        // SAFETY: as in `mlir!`.
        unsafe { tk_dialect::raw::tkOperationIsMemoryEffectFree(self.raw) }
    }

    /// A terminator of its block.
    pub fn is_terminator(self) -> bool {
        // SAFETY: as in `mlir!`.
        unsafe { tk_dialect::raw::tkOperationIsTerminator(self.raw) }
    }

    /// MLIR's own check of this operation and everything in it.
    pub fn verify(self) -> tk_diag::Result<()> {
        self.context.start_capture();
        if mlir!(mlirOperationVerify(self.raw)) { Ok(()) } else { Err(self.context.captured_as_bug()) }
    }
}

impl std::fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let flags = mlir!(mlirOpPrintingFlagsCreate());
        mlir!(mlirOpPrintingFlagsUseLocalScope(flags));
        mlir!(mlirOpPrintingFlagsSkipRegions(flags));
        let text = printed(|callback, out| mlir!(mlirOperationPrintWithFlags(self.raw, flags, callback, out)));
        mlir!(mlirOpPrintingFlagsDestroy(flags));
        f.write_str(&text)
    }
}
