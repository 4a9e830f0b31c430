//! `Block` and `Region`.

use crate::handle::handle;
use crate::{Context, Location, Op, Type, Value, ffi};
use melior::ir::{BlockLike, BlockRef, RegionLike, RegionRef};

handle! {
    /// A block: arguments, then operations.
    Block over BlockRef<'c, 'c>
}

handle! {
    /// A region of an operation: a list of blocks.
    Region over RegionRef<'c, 'c>
}

impl Context {
    /// A block that belongs to no region yet.
    pub fn block<'c>(&'c self, arguments: &[Type<'c>], location: Location<'c>) -> Block<'c> {
        let arguments: Vec<_> = arguments.iter().map(|ty| (ty.melior, location.melior)).collect();
        Block::new(ffi::lend_block(melior::ir::Block::new(&arguments)), self)
    }

    /// An empty region that belongs to no operation yet; give it to [`OpSpec::region`](crate::OpSpec::region).
    pub fn region(&self) -> Region<'_> {
        Region::new(ffi::lend_region(melior::ir::Region::new()), self)
    }
}

impl<'c> Block<'c> {
    /// Number of arguments.
    pub fn num_arguments(self) -> usize {
        self.melior.argument_count()
    }

    /// The argument at `index`, which must exist.
    pub fn argument(self, index: usize) -> Value<'c> {
        match self.melior.argument(index) {
            Ok(argument) => Value::new(argument.into(), self.context),
            Err(_) => panic!("the block has no argument {index}"),
        }
    }

    /// All arguments.
    pub fn arguments(self) -> Vec<Value<'c>> {
        (0..self.num_arguments()).map(|index| self.argument(index)).collect()
    }

    /// Appends an argument.
    pub fn add_argument(self, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        Value::new(self.melior.add_argument(ty.melior, location.melior), self.context)
    }

    /// Inserts an argument at `index`.
    pub fn insert_argument(self, index: usize, ty: Type<'c>, location: Location<'c>) -> Value<'c> {
        assert!(index <= self.num_arguments(), "the block has no place {index} for an argument");
        Value::new(self.melior.insert_argument(index, ty.melior, location.melior), self.context)
    }

    /// Removes an argument, which must have no uses.
    pub fn erase_argument(self, index: usize) {
        assert!(!self.argument(index).has_uses(), "block argument {index} still has uses");
        ffi::erase_argument(self.melior, index);
    }

    /// The first operation.
    pub fn first_op(self) -> Option<Op<'c>> {
        self.melior.first_operation().map(|op| Op::new(op, self.context))
    }

    /// Its operations in order, collected, so that the block may be changed while going over them.
    pub fn ops(self) -> Vec<Op<'c>> {
        std::iter::successors(self.first_op(), |op| op.next()).collect()
    }

    /// The terminator; `None` when the last operation is none.
    pub fn terminator(self) -> Option<Op<'c>> {
        self.melior.terminator().map(|op| Op::new(op, self.context))
    }

    /// The operation whose region it is in.
    pub fn parent_op(self) -> Option<Op<'c>> {
        self.melior.parent_operation().map(|op| Op::new(op, self.context))
    }

    /// The region it is in.
    pub fn parent_region(self) -> Option<Region<'c>> {
        self.melior.parent_region().map(|region| Region::new(region, self.context))
    }

    /// The next block of its region.
    pub fn next(self) -> Option<Block<'c>> {
        self.parent_region()?;
        self.melior.next_in_region().map(|block| Block::new(block, self.context))
    }

    /// The blocks that branch here.
    pub fn predecessors(self) -> Vec<Block<'c>> {
        (0..self.melior.predecessor_count())
            .filter_map(|index| self.melior.predecessor(index).ok())
            .map(|block| Block::new(block, self.context))
            .collect()
    }

    /// Appends a detached operation.
    pub fn append(self, op: Op<'c>) -> Op<'c> {
        self.melior.append_operation(ffi::owned_op(op.melior));
        op
    }

    /// Inserts a detached operation before `reference`.
    pub fn insert_before(self, reference: Op<'c>, op: Op<'c>) -> Op<'c> {
        self.melior.insert_operation_before(reference.melior, ffi::owned_op(op.melior));
        op
    }

    /// Inserts a detached operation after `reference`, or first when `None`.
    pub fn insert_after(self, reference: Option<Op<'c>>, op: Op<'c>) -> Op<'c> {
        let owned = ffi::owned_op(op.melior);
        match reference {
            Some(reference) => self.melior.insert_operation_after(reference.melior, owned),
            None => self.melior.insert_operation(0, owned),
        };
        op
    }
}

impl std::fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "block({:#x})", self.id())
    }
}

impl<'c> Region<'c> {
    /// The first block.
    pub fn first_block(self) -> Option<Block<'c>> {
        self.melior.first_block().map(|block| Block::new(block, self.context))
    }

    /// Its blocks in order, collected.
    pub fn blocks(self) -> Vec<Block<'c>> {
        std::iter::successors(self.first_block(), |block| block.next()).collect()
    }

    /// Appends a block that belongs to no region.
    pub fn append_block(self, block: Block<'c>) -> Block<'c> {
        self.melior.append_block(ffi::owned_block(block.melior));
        block
    }

    /// Appends a new block with arguments of these types.
    pub fn new_block(self, arguments: &[Type<'c>], location: Location<'c>) -> Block<'c> {
        self.append_block(self.context().block(arguments, location))
    }

    /// Takes over the blocks of `source`, destroying its own.
    pub fn take_body(self, source: Region<'c>) {
        ffi::take_body(self.melior, source.melior);
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
