//! `OpSpec`: everything an operation is made of, and the one function that makes it.

use super::*;
use crate::OpKind;
use mlir_sys::{MlirBlock, MlirRegion, MlirType, MlirValue};

/// What an operation is made of. Build it up, then give it to `Builder::insert` or [`OpSpec::create`].
#[derive(Clone, Debug)]
pub struct OpSpec<'c> {
    name: &'c str,
    operands: Vec<Value<'c>>,
    results: Vec<Type<'c>>,
    attributes: Vec<(&'c str, Attribute<'c>)>,
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
        self.operands.extend_from_slice(operands);
        self
    }

    /// Adds results of these types.
    pub fn results(mut self, types: &[Type<'c>]) -> Self {
        self.results.extend_from_slice(types);
        self
    }

    /// Lets MLIR infer the result types, for operations that can.
    pub fn infer_results(mut self) -> Self {
        self.infer_results = true;
        self
    }

    /// Adds an attribute.
    pub fn attr(mut self, name: &'c str, value: Attribute<'c>) -> Self {
        self.attributes.push((name, value));
        self
    }

    /// Adds attributes.
    pub fn attrs(mut self, attributes: &[(&'c str, Attribute<'c>)]) -> Self {
        self.attributes.extend_from_slice(attributes);
        self
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
        let operands: Vec<MlirValue> = self.operands.iter().map(|value| value.raw).collect();
        let results: Vec<MlirType> = self.results.iter().map(|ty| ty.raw).collect();
        let regions: Vec<MlirRegion> = self.regions.iter().map(|region| region.raw).collect();
        let successors: Vec<MlirBlock> = self.successors.iter().map(|block| block.raw).collect();
        let attributes: Vec<_> = self.attributes.iter().map(|(name, value)| context.named(name, *value)).collect();
        let mut state = mlir!(mlirOperationStateGet(string_ref(self.name), location.raw));
        let state = &raw mut state;
        mlir!(mlirOperationStateAddOperands(state, operands.len() as isize, operands.as_ptr()));
        mlir!(mlirOperationStateAddResults(state, results.len() as isize, results.as_ptr()));
        mlir!(mlirOperationStateAddOwnedRegions(state, regions.len() as isize, regions.as_ptr()));
        mlir!(mlirOperationStateAddSuccessors(state, successors.len() as isize, successors.as_ptr()));
        mlir!(mlirOperationStateAddAttributes(state, attributes.len() as isize, attributes.as_ptr()));
        if self.infer_results {
            mlir!(mlirOperationStateEnableResultTypeInference(state));
        }
        match Op::some(mlir!(mlirOperationCreate(state)), context) {
            Some(op) => op,
            None => panic!("`{}` cannot be made: its result types cannot be inferred", self.name),
        }
    }
}
