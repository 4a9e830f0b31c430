//! `Builder`: makes operations at a place, with the current location.
//!
//! `create` makes anything; the shorthands below it know the attributes and result types of what passes and the lowering
//! need most. A shorthand never folds: it makes exactly the operation it names.

use crate::ops::{AtomicCasOp, AtomicRmwOp, CacheModifier, CmpF, CmpI, EvictionPolicy, ForOp, IfOp, InputPrecision};
use crate::ops::{LoadOp, MemScope, MemSemantic, RmwOp};
use crate::{Attribute, Block, Context, Location, Op, OpKind, OpSpec, Region, Type, Value};

/// Where new operations go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place<'c> {
    Before(Op<'c>),
    After(Op<'c>),
    Start(Block<'c>),
    End(Block<'c>),
    Detached,
}

/// Makes operations one after the other at a place.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'c> {
    context: &'c Context,
    place: Place<'c>,
    location: Location<'c>,
}

impl<'c> Builder<'c> {
    /// New operations go before `op` and take its location.
    pub fn before(op: Op<'c>) -> Self {
        Self { context: op.context(), place: Place::Before(op), location: op.loc() }
    }

    /// New operations go after `op`, in the order they are made, and take its location.
    pub fn after(op: Op<'c>) -> Self {
        Self { context: op.context(), place: Place::After(op), location: op.loc() }
    }

    /// New operations go to the end of `block`.
    pub fn at_end(block: Block<'c>, location: Location<'c>) -> Self {
        Self { context: block.context(), place: Place::End(block), location }
    }

    /// New operations go to the start of `block`, in the order they are made.
    pub fn at_start(block: Block<'c>, location: Location<'c>) -> Self {
        Self { context: block.context(), place: Place::Start(block), location }
    }

    /// New operations stay detached.
    pub fn detached(location: Location<'c>) -> Self {
        Self { context: location.context(), place: Place::Detached, location }
    }

    /// Right after the definition of `value`: after its operation, or at the start of its block.
    pub fn after_value(value: Value<'c>) -> Self {
        match (value.defining_op(), value.block_argument()) {
            (Some(op), _) => Self::after(op),
            (None, Some((block, _))) => Self::at_start(block, value.loc()),
            (None, None) => Self::detached(value.loc()),
        }
    }

    /// The context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location that new operations get.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// Changes the location that new operations get.
    pub fn set_location(&mut self, location: Location<'c>) {
        self.location = location;
    }

    /// The same place with another location.
    pub fn with_location(mut self, location: Location<'c>) -> Self {
        self.location = location;
        self
    }

    /// Goes on before `op`.
    pub fn move_before(&mut self, op: Op<'c>) {
        self.place = Place::Before(op);
    }

    /// Goes on after `op`.
    pub fn move_after(&mut self, op: Op<'c>) {
        self.place = Place::After(op);
    }

    /// Goes on at the end of `block`.
    pub fn move_to_end(&mut self, block: Block<'c>) {
        self.place = Place::End(block);
    }

    /// Goes on at the start of `block`.
    pub fn move_to_start(&mut self, block: Block<'c>) {
        self.place = Place::Start(block);
    }

    /// The block that new operations go to.
    pub fn block(&self) -> Option<Block<'c>> {
        match self.place {
            Place::Before(op) | Place::After(op) => op.block(),
            Place::Start(block) | Place::End(block) => Some(block),
            Place::Detached => None,
        }
    }

    /// Puts a detached operation at the place.
    pub fn place(&mut self, op: Op<'c>) -> Op<'c> {
        match self.place {
            Place::Before(next) => {
                if let Some(block) = next.block() {
                    block.insert_before(next, op);
                }
            }
            Place::After(previous) => {
                if let Some(block) = previous.block() {
                    block.insert_after(Some(previous), op);
                }
                self.place = Place::After(op);
            }
            Place::Start(block) => {
                block.insert_after(None, op);
                self.place = Place::After(op);
            }
            Place::End(block) => {
                block.append(op);
            }
            Place::Detached => {}
        }
        op
    }

    /// Makes an operation from its parts.
    pub fn insert(&mut self, spec: OpSpec<'c>) -> Op<'c> {
        let op = spec.create(self.location);
        self.place(op)
    }

    /// Makes an operation without regions.
    pub fn create(
        &mut self,
        kind: OpKind,
        operands: &[Value<'c>],
        results: &[Type<'c>],
        attributes: &[(&'c str, Attribute<'c>)],
    ) -> Op<'c> {
        self.insert(OpSpec::new(kind).operands(operands).results(results).attrs(attributes))
    }

    /// Makes an operation with regions.
    pub fn create_with_regions(
        &mut self,
        kind: OpKind,
        operands: &[Value<'c>],
        results: &[Type<'c>],
        attributes: &[(&'c str, Attribute<'c>)],
        regions: &[Region<'c>],
    ) -> Op<'c> {
        let spec = OpSpec::new(kind).operands(operands).results(results).attrs(attributes);
        self.insert(regions.iter().fold(spec, |spec, region| spec.region(*region)))
    }

    fn value(&mut self, kind: OpKind, operands: &[Value<'c>], result: Type<'c>) -> Value<'c> {
        self.create(kind, operands, &[result], &[]).result(0)
    }
}

/// Arithmetic.
impl<'c> Builder<'c> {
    /// `arith.constant` of an attribute that has a type.
    pub fn constant(&mut self, value: Attribute<'c>) -> Value<'c> {
        self.create(OpKind::ArithConstant, &[], &[value.ty()], &[("value", value)]).result(0)
    }

    /// An integer (or float) constant of `ty`: a scalar, or a splat for a tensor.
    pub fn int(&mut self, ty: Type<'c>, value: i64) -> Value<'c> {
        self.constant(self.context.number_attr(ty, value))
    }

    /// A float constant of `ty`: a scalar, or a splat for a tensor.
    pub fn float(&mut self, ty: Type<'c>, value: f64) -> Value<'c> {
        self.constant(self.context.real_attr(ty, value))
    }

    /// An `i32` constant.
    pub fn i32(&mut self, value: i32) -> Value<'c> {
        self.int(self.context.i(32), value.into())
    }

    /// An `i1` constant.
    pub fn bool(&mut self, value: bool) -> Value<'c> {
        self.constant(self.context.bool_attr(value))
    }

    /// An operation whose result has the type of its first operand, such as `arith.addi` or `math.exp`.
    pub fn same_type(&mut self, kind: OpKind, operands: &[Value<'c>]) -> Value<'c> {
        self.value(kind, operands, operands[0].ty())
    }

    /// A binary operation whose operands and result have one type.
    pub fn binary(&mut self, kind: OpKind, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.value(kind, &[left, right], left.ty())
    }

    /// A unary operation whose operand and result have one type.
    pub fn unary(&mut self, kind: OpKind, operand: Value<'c>) -> Value<'c> {
        self.value(kind, &[operand], operand.ty())
    }

    /// A conversion to `result`: `arith.extsi`, `tt.bitcast`, ….
    pub fn cast(&mut self, kind: OpKind, operand: Value<'c>, result: Type<'c>) -> Value<'c> {
        self.value(kind, &[operand], result)
    }

    /// `arith.cmpi`.
    pub fn cmpi(&mut self, predicate: CmpI, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.compare(OpKind::ArithCmpI, predicate.number(), left, right)
    }

    /// `arith.cmpf`.
    pub fn cmpf(&mut self, predicate: CmpF, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        self.compare(OpKind::ArithCmpF, predicate.number(), left, right)
    }

    fn compare(&mut self, kind: OpKind, predicate: i64, left: Value<'c>, right: Value<'c>) -> Value<'c> {
        let ty = if left.ty().is_tensor() { left.ty().with_element(self.context.i(1)) } else { self.context.i(1) };
        let predicate = self.context.i64_attr(predicate);
        self.create(kind, &[left, right], &[ty], &[("predicate", predicate)]).result(0)
    }

    /// `arith.select`.
    pub fn select(&mut self, condition: Value<'c>, yes: Value<'c>, no: Value<'c>) -> Value<'c> {
        self.value(OpKind::ArithSelect, &[condition, yes, no], yes.ty())
    }
}

/// Shapes and layouts.
impl<'c> Builder<'c> {
    /// `tt.get_program_id` of axis 0, 1 or 2.
    pub fn program_id(&mut self, axis: i32) -> Value<'c> {
        let (i32, axis) = (self.context.i(32), self.context.i32_attr(axis));
        self.create(OpKind::TtGetProgramId, &[], &[i32], &[("axis", axis)]).result(0)
    }

    /// `tt.get_num_programs` of axis 0, 1 or 2.
    pub fn num_programs(&mut self, axis: i32) -> Value<'c> {
        let (i32, axis) = (self.context.i(32), self.context.i32_attr(axis));
        self.create(OpKind::TtGetNumPrograms, &[], &[i32], &[("axis", axis)]).result(0)
    }

    /// `tt.make_range` as a tensor type of `i32`.
    pub fn make_range(&mut self, start: i32, end: i32, ty: Type<'c>) -> Value<'c> {
        let (start, end) = (self.context.i32_attr(start), self.context.i32_attr(end));
        self.create(OpKind::TtMakeRange, &[], &[ty], &[("start", start), ("end", end)]).result(0)
    }

    /// `tt.splat` of a scalar to a tensor type.
    pub fn splat(&mut self, scalar: Value<'c>, ty: Type<'c>) -> Value<'c> {
        self.value(OpKind::TtSplat, &[scalar], ty)
    }

    /// `tt.broadcast` to a tensor type.
    pub fn broadcast(&mut self, source: Value<'c>, ty: Type<'c>) -> Value<'c> {
        self.value(OpKind::TtBroadcast, &[source], ty)
    }

    /// `tt.expand_dims` at `axis`, with the result type given because its layout is the caller's choice.
    pub fn expand_dims(&mut self, source: Value<'c>, axis: usize, ty: Type<'c>) -> Value<'c> {
        let axis = self.context.i32_attr(axis as i32);
        self.create(OpKind::TtExpandDims, &[source], &[ty], &[("axis", axis)]).result(0)
    }

    /// `tt.reshape`.
    pub fn reshape(&mut self, source: Value<'c>, ty: Type<'c>, allow_reorder: bool) -> Value<'c> {
        let unit = self.context.unit_attr();
        let attributes: &[_] = if allow_reorder { &[("allow_reorder", unit)] } else { &[] };
        self.create(OpKind::TtReshape, &[source], &[ty], attributes).result(0)
    }

    /// `tt.trans`: dimension `i` of the result is dimension `order[i]` of the operand.
    pub fn trans(&mut self, source: Value<'c>, order: &[i32], ty: Type<'c>) -> Value<'c> {
        let order = self.context.i32_array(order);
        self.create(OpKind::TtTrans, &[source], &[ty], &[("order", order)]).result(0)
    }

    /// `ttg.convert_layout`.
    pub fn convert_layout(&mut self, source: Value<'c>, ty: Type<'c>) -> Value<'c> {
        self.value(OpKind::TtgConvertLayout, &[source], ty)
    }

    /// `tt.dot`.
    pub fn dot(&mut self, a: Value<'c>, b: Value<'c>, c: Value<'c>, precision: InputPrecision) -> Value<'c> {
        let precision = self.context.i32_attr(precision.number() as i32);
        let attributes = [("inputPrecision", precision), ("maxNumImpreciseAcc", self.context.i32_attr(0))];
        self.create(OpKind::TtDot, &[a, b, c], &[c.ty()], &attributes).result(0)
    }
}

/// The choices of an access to global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessHints {
    /// Where it may be cached.
    pub cache: CacheModifier,
    /// How soon its cache line may go.
    pub eviction: EvictionPolicy,
    /// It may not be removed or repeated.
    pub volatile: bool,
}

/// Memory.
impl<'c> Builder<'c> {
    /// `tt.addptr`.
    pub fn addptr(&mut self, pointer: Value<'c>, offset: Value<'c>) -> Value<'c> {
        self.value(OpKind::TtAddPtr, &[pointer, offset], pointer.ty())
    }

    /// `tt.load`.
    pub fn load(
        &mut self,
        pointer: Value<'c>,
        mask: Option<Value<'c>>,
        other: Option<Value<'c>>,
        hints: AccessHints,
    ) -> LoadOp<'c> {
        let context = self.context;
        let element = pointer.ty().pointee().unwrap_or(pointer.ty());
        let ty = pointer.ty().with_element(element);
        let operands: Vec<Value<'c>> = [Some(pointer), mask, other].into_iter().flatten().collect();
        let segments = context.i32_array(&[1, mask.is_some().into(), other.is_some().into()]);
        let mut spec = OpSpec::new(OpKind::TtLoad).operands(&operands).results(&[ty]);
        spec = spec.attr("operandSegmentSizes", segments).attrs(&self.hint_attrs(hints));
        LoadOp { op: self.insert(spec.attr("isVolatile", context.bool_attr(hints.volatile))) }
    }

    /// `tt.store`; `hints.volatile` means nothing here.
    pub fn store(
        &mut self,
        pointer: Value<'c>,
        value: Value<'c>,
        mask: Option<Value<'c>>,
        hints: AccessHints,
    ) -> Op<'c> {
        let operands: Vec<Value<'c>> = [Some(pointer), Some(value), mask].into_iter().flatten().collect();
        let attributes = self.hint_attrs(hints);
        self.create(OpKind::TtStore, &operands, &[], &attributes)
    }

    fn hint_attrs(&self, hints: AccessHints) -> [(&'c str, Attribute<'c>); 2] {
        let number = |number: i64| self.context.i32_attr(number as i32);
        [("cache", number(hints.cache.number())), ("evict", number(hints.eviction.number()))]
    }

    /// `tt.atomic_rmw`.
    pub fn atomic_rmw(
        &mut self,
        kind: RmwOp,
        pointer: Value<'c>,
        value: Value<'c>,
        mask: Option<Value<'c>>,
        order: (MemSemantic, MemScope),
    ) -> AtomicRmwOp<'c> {
        let operands: Vec<Value<'c>> = [Some(pointer), Some(value), mask].into_iter().flatten().collect();
        let [sem, scope] = self.order_attrs(order);
        let kind = ("atomic_rmw_op", self.context.i32_attr(kind.number() as i32));
        AtomicRmwOp { op: self.create(OpKind::TtAtomicRmw, &operands, &[value.ty()], &[kind, sem, scope]) }
    }

    /// `tt.atomic_cas`.
    pub fn atomic_cas(
        &mut self,
        pointer: Value<'c>,
        compare: Value<'c>,
        value: Value<'c>,
        order: (MemSemantic, MemScope),
    ) -> AtomicCasOp<'c> {
        let attributes = self.order_attrs(order);
        AtomicCasOp { op: self.create(OpKind::TtAtomicCas, &[pointer, compare, value], &[value.ty()], &attributes) }
    }

    fn order_attrs(&self, (semantic, scope): (MemSemantic, MemScope)) -> [(&'c str, Attribute<'c>); 2] {
        let number = |number: i64| self.context.i32_attr(number as i32);
        [("sem", number(semantic.number())), ("scope", number(scope.number()))]
    }
}

/// Control flow.
impl<'c> Builder<'c> {
    /// `scf.for` with an empty body: one block with the induction variable and the loop-carried values, no terminator yet.
    pub fn for_loop(&mut self, lower: Value<'c>, upper: Value<'c>, step: Value<'c>, init: &[Value<'c>]) -> ForOp<'c> {
        let types: Vec<Type<'c>> = init.iter().map(|value| value.ty()).collect();
        let region = self.context.region();
        let arguments: Vec<Type<'c>> = std::iter::once(lower.ty()).chain(types.iter().copied()).collect();
        region.new_block(&arguments, self.location);
        let operands: Vec<Value<'c>> = [lower, upper, step].into_iter().chain(init.iter().copied()).collect();
        ForOp { op: self.create_with_regions(OpKind::ScfFor, &operands, &types, &[], &[region]) }
    }

    /// `scf.if` with empty blocks, no terminators yet. The second block is there when `with_else` or there are results.
    pub fn if_op(&mut self, condition: Value<'c>, results: &[Type<'c>], with_else: bool) -> IfOp<'c> {
        let (yes, no) = (self.context.region(), self.context.region());
        yes.new_block(&[], self.location);
        if with_else || !results.is_empty() {
            no.new_block(&[], self.location);
        }
        IfOp { op: self.create_with_regions(OpKind::ScfIf, &[condition], results, &[], &[yes, no]) }
    }

    /// `scf.yield`.
    pub fn yield_(&mut self, values: &[Value<'c>]) -> Op<'c> {
        self.create(OpKind::ScfYield, values, &[], &[])
    }

    /// `tt.return`.
    pub fn return_(&mut self, values: &[Value<'c>]) -> Op<'c> {
        self.create(OpKind::TtReturn, values, &[], &[])
    }

    /// `tt.func` with a body of one empty block whose arguments are the inputs of `ty`.
    pub fn func(&mut self, name: &str, ty: Type<'c>, public: bool) -> crate::ops::FuncOp<'c> {
        let context = self.context;
        let region = context.region();
        region.new_block(&ty.function_inputs(), self.location);
        let visibility = context.string_attr(if public { "public" } else { "private" });
        let spec = OpSpec::new(OpKind::TtFunc)
            .attr("sym_name", context.string_attr(name))
            .attr("function_type", context.type_attr(ty))
            .attr("sym_visibility", visibility)
            .region(region);
        crate::ops::FuncOp { op: self.insert(spec) }
    }
}
