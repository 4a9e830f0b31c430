//! `OpSpec`: everything an operation is made of, and the one function that makes it.

use crate::{Attribute, Block, Location, Op, OpKind, Region, Type, Value, ffi};
use melior::ir::Identifier;
use melior::ir::operation::OperationBuilder;

/// What an operation is made of. Build it up, then give it to `Builder::insert` or [`OpSpec::create`].
#[derive(Clone, Debug)]
pub struct OpSpec<'c> {
    name: &'c str,
    operands: Vec<melior::ir::Value<'c, 'c>>,
    results: Vec<melior::ir::Type<'c>>,
    attributes: Vec<(Identifier<'c>, melior::ir::Attribute<'c>)>,
    regions: Vec<Region<'c>>,
    successors: Vec<Block<'c>>,
    infer_results: bool,
}

impl<'c> OpSpec<'c> {
    /// An operation of a kind that has a name of its own (not [`OpKind::Other`]).
    pub fn new(kind: OpKind) -> Self {
        assert!(kind != OpKind::Other, "an operation needs a name");
        Self::named(kind.name())
    }

    /// An operation by its full name.
    pub fn named(name: &'c str) -> Self {
        Self {
            name,
            operands: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            regions: Vec::new(),
            successors: Vec::new(),
            infer_results: false,
        }
    }

    /// Adds operands.
    pub fn operands(mut self, operands: &[Value<'c>]) -> Self {
        self.operands.extend(operands.iter().map(|value| value.melior));
        self
    }

    /// Adds results of these types.
    pub fn results(mut self, types: &[Type<'c>]) -> Self {
        self.results.extend(types.iter().map(|ty| ty.melior));
        self
    }

    /// Lets MLIR infer the result types, for operations that can.
    pub fn infer_results(mut self) -> Self {
        self.infer_results = true;
        self
    }

    /// Adds an attribute.
    pub fn attr(mut self, name: &str, value: Attribute<'c>) -> Self {
        self.attributes.push((Identifier::new(value.context.melior(), name), value.melior));
        self
    }

    /// Adds attributes.
    pub fn attrs(self, attributes: &[(&str, Attribute<'c>)]) -> Self {
        attributes.iter().fold(self, |spec, (name, value)| spec.attr(name, *value))
    }

    /// Adds a region, which the operation takes over.
    pub fn region(mut self, region: Region<'c>) -> Self {
        self.regions.push(region);
        self
    }

    /// Adds blocks it branches to.
    pub fn successors(mut self, blocks: &[Block<'c>]) -> Self {
        self.successors.extend_from_slice(blocks);
        self
    }

    /// Makes the operation, detached. Panics when result types cannot be inferred, which is a fault of the caller.
    pub fn create(self, location: Location<'c>) -> Op<'c> {
        let context = location.context;
        context.load_dialect_of(self.name);
        let mut builder = OperationBuilder::new(self.name, location.melior)
            .add_operands(&self.operands)
            .add_results(&self.results)
            .add_attributes(&self.attributes);
        if !self.regions.is_empty() {
            builder =
                builder.add_regions_vec(self.regions.iter().map(|region| ffi::owned_region(region.melior)).collect());
        }
        for block in &self.successors {
            builder = builder.add_successors(&[&block.melior]);
        }
        if self.infer_results {
            builder = builder.enable_result_type_inference();
        }
        match builder.build() {
            Ok(operation) => Op::new(ffi::lend_op(operation), context),
            Err(_) => panic!("`{}` cannot be made: its result types cannot be inferred", self.name),
        }
    }
}
