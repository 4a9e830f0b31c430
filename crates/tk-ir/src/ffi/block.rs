//! `Block` and `Region`.

use super::*;
use mlir_sys::{MlirBlock, MlirLocation, MlirRegion, MlirType};

/// A block: arguments, then operations.
#[derive(Clone, Copy)]
pub struct Block<'c> {
    pub(super) raw: MlirBlock,
    pub(super) context: ContextRef<'c>,
}
handle!(Block, MlirBlock);

/// A region of an operation: a list of blocks.
#[derive(Clone, Copy)]
pub struct Region<'c> {
    pub(super) raw: MlirRegion,
    pub(super) context: ContextRef<'c>,
}
handle!(Region, MlirRegion);

impl<'c> Context {
    /// A block that belongs to no region yet.
    pub fn block(&'c self, arguments: &[Type<'c>], location: Location<'c>) -> Block<'c> {
        let types: Vec<MlirType> = arguments.iter().map(|ty| ty.raw).collect();
        let locations: Vec<MlirLocation> = vec![location.raw; types.len()];
        Block::new(mlir!(mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr())), self)
    }

    /// An empty region that belongs to no operation yet; give it to [`OpSpec::region`].
    pub fn region(&'c self) -> Region<'c> {
        Region::new(mlir!(mlirRegionCreate()), self)
    }
}

impl<'c> Block<'c> {
    /// Number of arguments.
    pub fn num_arguments(self) -> usize {
        mlir!(mlirBlockGetNumArguments(self.raw)) as usize
    }

    /// The argument at `index`, which must exist.
    pub fn argument(self, index: usize) -> Value<'c> {
        assert!(index < self.num_arguments(), "the block has no argument {index}");
        Value::new(mlir!(mlirBlockGetArgument(self.raw, index as isize)), self.context)
    }

    /// All arguments.
    pub fn arguments(self) -> Vec<Value<'c>> {
        (0..self.num_arguments()).map(|index| self.argument(index)).collect()
    }

    /// Appends an argument.
    pub fn add_argument(self, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        Value::new(mlir!(mlirBlockAddArgument(self.raw, ty.raw, location.raw)), self.context)
    }

    /// Inserts an argument at `index`.
    pub fn insert_argument(self, index: usize, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        assert!(index <= self.num_arguments(), "the block has no place {index} for an argument");
        Value::new(mlir!(mlirBlockInsertArgument(self.raw, index as isize, ty.raw, location.raw)), self.context)
    }

    /// Removes an argument, which must have no uses.
    pub fn erase_argument(self, index: usize) {
        assert!(!self.argument(index).has_uses(), "block argument {index} still has uses");
        mlir!(mlirBlockEraseArgument(self.raw, index as u32))
    }

    /// The first operation.
    pub fn first_op(self) -> Option<Op<'c>> {
        Op::some(mlir!(mlirBlockGetFirstOperation(self.raw)), self.context)
    }

    /// Its operations in order, collected, so that the block may be changed while going over them.
    pub fn ops(self) -> Vec<Op<'c>> {
        std::iter::successors(self.first_op(), |op| op.next()).collect()
    }

    /// The terminator; `None` when the last operation is none.
    pub fn terminator(self) -> Option<Op<'c>> {
        Op::some(mlir!(mlirBlockGetTerminator(self.raw)), self.context)
    }

    /// The operation whose region it is in.
    pub fn parent_op(self) -> Option<Op<'c>> {
        self.parent_region()?;
        Op::some(mlir!(mlirBlockGetParentOperation(self.raw)), self.context)
    }

    /// The region it is in.
    pub fn parent_region(self) -> Option<Region<'c>> {
        Region::some(mlir!(mlirBlockGetParentRegion(self.raw)), self.context)
    }

    /// The next block of its region.
    pub fn next(self) -> Option<Block<'c>> {
        self.parent_region()?;
        Block::some(mlir!(mlirBlockGetNextInRegion(self.raw)), self.context)
    }

    /// The blocks that branch here.
    pub fn predecessors(self) -> Vec<Block<'c>> {
        let count = mlir!(mlirBlockGetNumPredecessors(self.raw));
        (0..count).map(|index| Block::new(mlir!(mlirBlockGetPredecessor(self.raw, index)), self.context)).collect()
    }

    /// Appends a detached operation.
    pub fn append(self, op: Op<'c>) -> Op<'c> {
        mlir!(mlirBlockAppendOwnedOperation(self.raw, op.raw));
        op
    }

    /// Inserts a detached operation before `reference`.
    pub fn insert_before(self, reference: Op<'c>, op: Op<'c>) -> Op<'c> {
        mlir!(mlirBlockInsertOwnedOperationBefore(self.raw, reference.raw, op.raw));
        op
    }

    /// Inserts a detached operation after `reference`, or first when `None`.
    pub fn insert_after(self, reference: Option<Op<'c>>, op: Op<'c>) -> Op<'c> {
        let reference = reference.map_or(MlirOperation { ptr: std::ptr::null_mut() }, |op| op.raw);
        mlir!(mlirBlockInsertOwnedOperationAfter(self.raw, reference, op.raw));
        op
    }
}

use mlir_sys::MlirOperation;

impl std::fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "block({:#x})", self.id())
    }
}

impl<'c> Region<'c> {
    /// The first block.
    pub fn first_block(self) -> Option<Block<'c>> {
        Block::some(mlir!(mlirRegionGetFirstBlock(self.raw)), self.context)
    }

    /// Its blocks in order, collected.
    pub fn blocks(self) -> Vec<Block<'c>> {
        std::iter::successors(self.first_block(), |block| block.next()).collect()
    }

    /// Appends a block that belongs to no region.
    pub fn append_block(self, block: Block<'c>) -> Block<'c> {
        mlir!(mlirRegionAppendOwnedBlock(self.raw, block.raw));
        block
    }

    /// Appends a new block with arguments of these types.
    pub fn new_block(self, arguments: &[Type<'c>], location: Location<'c>) -> Block<'c> {
        self.append_block(self.context().block(arguments, location))
    }

    /// Takes over the blocks of `source`, destroying its own.
    pub fn take_body(self, source: Region<'c>) {
        mlir!(mlirRegionTakeBody(self.raw, source.raw))
    }

    /// No blocks.
    pub fn is_empty(self) -> bool {
        self.first_block().is_none()
    }
}

impl std::fmt::Debug for Region<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "region({:#x})", self.id())
    }
}
