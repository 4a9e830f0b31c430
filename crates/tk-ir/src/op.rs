//! `Op`: an operation, its operands, results, attributes and place.

use crate::handle::handle;
use crate::{Attribute, Block, Location, OpKind, Region, Value, ffi};
use melior::ir::OperationRef;
use melior::ir::operation::{OperationLike, OperationMutLike, OperationPrintingFlags, OperationRefMut};

handle! {
    /// An operation.
    Op over OperationRef<'c, 'c>
}

impl<'c> Op<'c> {
    /// melior changes operations through a handle of its own.
    fn melior_mut(self) -> OperationRefMut<'c, 'c> {
        ffi::op_mut(self.melior)
    }

    /// Which operation it is; [`OpKind::Other`] for operations tk has no name for.
    pub fn kind(self) -> OpKind {
        self.context.kind_of(self.melior.name())
    }

    /// The full name, such as `tt.load`.
    pub fn name(self) -> &'c str {
        ffi::identifier(self.melior.name())
    }

    /// Number of operands.
    pub fn num_operands(self) -> usize {
        self.melior.operand_count()
    }

    /// The operand at `index`, which must exist.
    pub fn operand(self, index: usize) -> Value<'c> {
        match self.melior.operand(index) {
            Ok(operand) => Value::new(operand, self.context),
            Err(_) => panic!("{} has no operand {index}", self.name()),
        }
    }

    /// All operands.
    pub fn operands(self) -> Vec<Value<'c>> {
        self.melior.operands().map(|operand| Value::new(operand, self.context)).collect()
    }

    /// Replaces one operand.
    pub fn set_operand(self, index: usize, value: Value<'c>) {
        assert!(index < self.num_operands(), "{} has no operand {index}", self.name());
        self.melior_mut().set_operand(index, value.melior);
    }

    /// Replaces all operands; their number may change. Operations with operand segments also need their
    /// `operandSegmentSizes` attribute changed.
    pub fn set_operands(self, values: &[Value<'c>]) {
        let values: Vec<_> = values.iter().map(|value| value.melior).collect();
        self.melior_mut().set_operands(&values);
    }

    /// Number of results.
    pub fn num_results(self) -> usize {
        self.melior.result_count()
    }

    /// The result at `index`, which must exist.
    pub fn result(self, index: usize) -> Value<'c> {
        match OperationLike::result(&self.melior, index) {
            Ok(result) => Value::new(result.into(), self.context),
            Err(_) => panic!("{} has no result {index}", self.name()),
        }
    }

    /// All results.
    pub fn results(self) -> Vec<Value<'c>> {
        self.melior.results().map(|result| Value::new(result.into(), self.context)).collect()
    }

    /// Number of regions.
    pub fn num_regions(self) -> usize {
        self.melior.region_count()
    }

    /// The region at `index`, which must exist.
    pub fn region(self, index: usize) -> Region<'c> {
        match self.melior.region(index) {
            Ok(region) => Region::new(region, self.context),
            Err(_) => panic!("{} has no region {index}", self.name()),
        }
    }

    /// All regions.
    pub fn regions(self) -> Vec<Region<'c>> {
        self.melior.regions().map(|region| Region::new(region, self.context)).collect()
    }

    /// The blocks it may branch to.
    pub fn successors(self) -> Vec<Block<'c>> {
        self.melior.successors().map(|block| Block::new(block, self.context)).collect()
    }

    /// An attribute by name, inherent or discardable.
    pub fn attr(self, name: &str) -> Option<Attribute<'c>> {
        ffi::attribute(self.melior, name).map(|attribute| Attribute::new(attribute, self.context))
    }

    /// Sets an attribute, inherent or discardable.
    pub fn set_attr(self, name: &str, value: Attribute<'c>) {
        self.melior_mut().set_attribute(name, value.melior);
    }

    /// Removes an attribute; true when it was there.
    pub fn remove_attr(self, name: &str) -> bool {
        self.melior_mut().remove_attribute(name).is_ok()
    }

    /// All attributes with their names, inherent ones too.
    pub fn attrs(self) -> Vec<(&'c str, Attribute<'c>)> {
        Attribute::new(ffi::attributes(self.melior), self.context).as_dict().unwrap_or_default()
    }

    /// Attributes that are not part of the operation's definition, such as `tt.divisibility` hints.
    pub fn discardable_attrs(self) -> Vec<(&'c str, Attribute<'c>)> {
        (0..self.melior.discardable_attribute_count())
            .filter_map(|index| self.melior.discardable_attribute_at(index).ok())
            .map(|(name, value)| (ffi::identifier(name), Attribute::new(value, self.context)))
            .collect()
    }

    /// Where it came from.
    pub fn loc(self) -> Location<'c> {
        Location::new(self.melior.location(), self.context)
    }

    /// Changes where it came from.
    pub fn set_loc(self, location: Location<'c>) {
        self.melior_mut().set_location(location.melior);
    }

    /// The block it is in; `None` when it is detached or at the top.
    pub fn block(self) -> Option<Block<'c>> {
        self.melior.block().map(|block| Block::new(block, self.context))
    }

    /// The operation whose region it is in.
    pub fn parent_op(self) -> Option<Op<'c>> {
        self.melior.parent_operation().map(|op| Op::new(op, self.context))
    }

    /// The next operation in its block.
    pub fn next(self) -> Option<Op<'c>> {
        self.block()?;
        self.melior.next_in_block().map(|op| Op::new(op, self.context))
    }

    /// The operation before it in its block, in constant time.
    pub fn prev(self) -> Option<Op<'c>> {
        self.block()?;
        ffi::previous(self.melior).map(|op| Op::new(op, self.context))
    }

    /// Removes it from its block and destroys it with its regions, dropping every remaining use of its results first.
    pub fn erase(self) {
        ffi::erase(self.melior);
    }

    /// Takes it out of its block without destroying it; put it back with [`Block::append`] or a builder.
    pub fn detach(self) -> Self {
        self.melior_mut().remove_from_parent();
        self
    }

    /// Moves it before `other`, in another block if need be.
    pub fn move_before(self, other: Op<'c>) {
        self.melior_mut().move_before(other.melior);
    }

    /// Moves it after `other`, in another block if need be.
    pub fn move_after(self, other: Op<'c>) {
        self.melior_mut().move_after(other.melior);
    }

    /// A detached deep copy with the same operands.
    pub fn clone_op(self) -> Op<'c> {
        let copy = melior::ir::Operation::clone(&self.melior);
        Op::new(ffi::lend_op(copy), self.context)
    }

    /// It stands before `other` in the same block. Amortised constant time.
    pub fn is_before_in_block(self, other: Op<'c>) -> bool {
        assert!(self.block() == other.block(), "`is_before_in_block` needs two operations of one block");
        self.melior.is_before_in_block(other.melior)
    }

    /// No side effects and safe to run where it did not run before (may be hoisted, erased, duplicated).
    pub fn is_pure(self) -> bool {
        ffi::is_pure(self.melior)
    }

    /// No side effects: may be erased when unused, but perhaps not hoisted (integer division).
    pub fn is_memory_effect_free(self) -> bool {
        ffi::is_memory_effect_free(self.melior)
    }

    /// A terminator of its block.
    pub fn is_terminator(self) -> bool {
        ffi::is_terminator(self.melior)
    }

    /// MLIR's own check of this operation and everything in it.
    pub fn verify(self) -> tk_diag::Result<()> {
        self.context.start_capture();
        if self.melior.verify() { Ok(()) } else { Err(self.context.captured_as_bug()) }
    }
}

impl std::fmt::Debug for Op<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let flags = OperationPrintingFlags::new().use_local_scope();
        ffi::skip_regions(&flags);
        f.write_str(&self.melior.to_string_with_flags(flags).unwrap_or_else(|_| self.name().to_string()))
    }
}
