//! The block of a program, written for several of them.

use super::steps::Steps;
use super::{LEAST_PROGRAMS, MOST_MORE};
use crate::attributes::LIKELY;
use crate::cloning::{Mapping, copy_op};
use crate::optimize_thread_locality::copy_of;
use tk_ir::ops::{CmpI, ForOp, LoadOp, ReduceOp};
use tk_ir::{Block, Builder, Op, OpKind, OpSpec, Type, Value};

/// Writes the block for `joined` programs, beside what it is, for grids of few programs.
pub(super) fn join<'c>(body: Block<'c>, steps: &Steps, joined: i64) {
    let ops = body.ops();
    let Some((end, ops)) = ops.split_last() else { return };
    let mut builder = Builder::before(*end);
    let programs = builder.num_programs(0);
    let (least, most) = (builder.i32(LEAST_PROGRAMS as i32), builder.i32(MOST_MORE as i32));
    let more = builder.binary(OpKind::ArithSubI, programs, least);
    let are_many = builder.cmpi(CmpI::Ule, more, most);
    let choice = builder.if_op(are_many, &[], true);
    choice.op.set_attr(LIKELY, end.context().unit_attr());
    let Some(otherwise) = choice.else_block() else { return };
    write_joined(choice.then_block(), programs, ops, Joining { steps, programs: joined });
    let mut inside = Builder::at_end(otherwise, end.loc());
    for op in ops {
        inside.place(op.detach());
    }
    inside.yield_(&[]);
}

/// What is written for several programs.
#[derive(Clone, Copy)]
struct Joining<'s> {
    steps: &'s Steps,
    /// Programs that become one.
    programs: i64,
}

/// One of several programs does what they all would, the others do nothing.
fn write_joined<'c>(block: Block<'c>, programs: Value<'c>, ops: &[Op<'c>], joining: Joining<'_>) {
    let Some(first) = ops.first() else { return };
    let mut builder = Builder::at_end(block, first.loc());
    let number = builder.program_id(0);
    // The number times that is computed where it is that of a program: others could overflow.
    let (one, divisor) = (builder.i32(1), builder.i32(joining.programs as i32));
    let most = builder.binary(OpKind::ArithSubI, programs, one);
    let last = builder.binary(OpKind::ArithDivUI, most, divisor);
    let has_work = builder.cmpi(CmpI::Ule, number, last);
    let branch = builder.if_op(has_work, &[], false);
    builder.yield_(&[]);
    let mut joined = Joined::new(branch.then_block(), number, programs, *first, joining);
    for op in ops {
        joined.write(*op);
    }
    joined.builder.yield_(&[]);
}

/// The block of several programs, as it is written.
struct Joined<'c, 's> {
    joining: Joining<'s>,
    builder: Builder<'c>,
    /// What becomes of values: those that vary have a first axis more.
    mapping: Mapping<'c>,
    /// The numbers of the programs.
    numbers: Value<'c>,
    /// Which of them there are.
    exist: Value<'c>,
}

impl<'c, 's> Joined<'c, 's> {
    fn new(block: Block<'c>, number: Value<'c>, programs: Value<'c>, first: Op<'c>, joining: Joining<'s>) -> Self {
        let mut builder = Builder::at_end(block, first.loc());
        let ty = builder.context().tensor(&[joining.programs], number.ty(), None);
        let factor = builder.i32(joining.programs as i32);
        let begin = builder.binary(OpKind::ArithMulI, number, factor);
        let begin = builder.splat(begin, ty);
        let range = builder.make_range(0, joining.programs as i32, ty);
        let numbers = builder.binary(OpKind::ArithAddI, begin, range);
        let programs = builder.splat(programs, ty);
        let exist = builder.cmpi(CmpI::Slt, numbers, programs);
        Self { joining, builder, mapping: Mapping::default(), numbers, exist }
    }

    fn varies(&self, value: Value<'c>) -> bool {
        self.joining.steps.varies(value)
    }

    fn write(&mut self, op: Op<'c>) {
        let varies = op.operands().into_iter().any(|operand| self.varies(operand));
        self.builder.set_location(op.loc());
        if op.kind() == OpKind::TtGetProgramId && self.varies(op.result(0)) {
            self.mapping.insert(op.result(0), self.numbers);
        } else if let Some(view) = ForOp::cast(op) {
            self.write_loop(view);
        } else if !varies {
            copy_op(op, &mut self.builder, &mut self.mapping, |location| location);
        } else if LoadOp::cast(op).is_some() {
            self.write_load(op);
        } else if op.kind() == OpKind::TtStore {
            self.write_store(op);
        } else {
            let value = self.computed(op);
            self.mapping.insert(op.result(0), value);
        }
    }

    /// A loop with the same iterations. What it carries and varies has the axis of the programs from the start.
    fn write_loop(&mut self, view: ForOp<'c>) {
        let carried = view.iter_args();
        let first = self.carried(&carried, &view.init_args());
        let bounds = [view.lower_bound(), view.upper_bound(), view.step()];
        let [lower, upper, step] = bounds.map(|bound| self.mapping.get(bound));
        let joined = self.builder.for_loop(lower, upper, step, &first);
        for (name, value) in view.op.discardable_attrs() {
            joined.op.set_attr(name, value);
        }
        self.mapping.insert(view.induction_var(), joined.induction_var());
        for (old, new) in carried.iter().zip(joined.iter_args()) {
            self.mapping.insert(*old, new);
        }
        let behind = std::mem::replace(&mut self.builder, Builder::at_end(joined.body(), view.op.loc()));
        let mut ops = view.body().ops();
        ops.pop();
        for op in ops {
            self.write(op);
        }
        let next = self.carried(&carried, &view.yielded());
        self.builder.yield_(&next);
        self.builder = behind;
        for (old, new) in view.results().into_iter().zip(joined.results()) {
            self.mapping.insert(old, new);
        }
    }

    /// What a loop gets for the values that it carries.
    fn carried(&mut self, carried: &[Value<'c>], values: &[Value<'c>]) -> Vec<Value<'c>> {
        let pairs = carried.iter().zip(values);
        pairs
            .map(
                |(carried, value)| {
                    if self.varies(*carried) { self.spread(*value, carried.ty()) } else { self.mapping.get(*value) }
                },
            )
            .collect()
    }

    /// The result of a computation with an operand that varies.
    fn computed(&mut self, op: Op<'c>) -> Value<'c> {
        let ty = self.joined_type(op.result(0).ty());
        if op.kind() == OpKind::TtSplat {
            return self.spread(op.operand(0), op.result(0).ty());
        }
        if let Some(reduce) = ReduceOp::cast(op) {
            let source = self.mapping.get(op.operand(0));
            return copy_of(reduce, source, reduce.axis() + 1, &mut self.builder);
        }
        if op.kind() == OpKind::TtBroadcast {
            let source = self.mapping.get(op.operand(0));
            return self.broadcast(source, ty);
        }
        if op.kind() == OpKind::TtExpandDims {
            let axis = op.int_attr("axis").and_then(|axis| usize::try_from(axis).ok()).unwrap_or(0);
            let source = self.mapping.get(op.operand(0));
            return self.builder.expand_dims(source, axis + 1, ty);
        }
        // The shape of the result, which a condition that is one number does not have.
        let like = op.result(0).ty();
        let operands: Vec<Value<'c>> = op.operands().into_iter().map(|operand| self.spread(operand, like)).collect();
        let spec = OpSpec::new(op.kind()).operands(&operands).results(&[ty]).attrs(&op.attrs());
        self.builder.insert(spec).result(0)
    }

    /// A value of the programs with the shape of `like`, behind the axis of the programs.
    fn spread(&mut self, value: Value<'c>, like: Type<'c>) -> Value<'c> {
        let mut source = self.mapping.get(value);
        let shape = self.joined_shape(like);
        let ty = self.builder.context().tensor(&shape, value.ty().element(), None);
        if !self.varies(value) {
            if !value.ty().is_tensor() {
                return self.builder.splat(source, ty);
            }
            let one: Vec<i64> = std::iter::once(1).chain(value.ty().shape()).collect();
            source = self.builder.expand_dims(source, 0, ty.with_shape(&one));
        }
        while source.ty().rank() < ty.rank() {
            let axis = source.ty().rank();
            let longer: Vec<i64> = source.ty().shape().into_iter().chain([1]).collect();
            let longer = ty.with_shape(&longer);
            source = self.builder.expand_dims(source, axis, longer);
        }
        self.broadcast(source, ty)
    }

    fn broadcast(&mut self, source: Value<'c>, ty: Type<'c>) -> Value<'c> {
        if source.ty() == ty { source } else { self.builder.broadcast(source, ty) }
    }

    /// Which elements of an access there are: those that it asks for, of programs that exist.
    fn mask(&mut self, mask: Option<Value<'c>>, like: Type<'c>) -> Value<'c> {
        let mut exist = self.exist;
        let ty = exist.ty().with_shape(&self.joined_shape(like));
        while exist.ty().rank() < ty.rank() {
            let axis = exist.ty().rank();
            let longer: Vec<i64> = exist.ty().shape().into_iter().chain([1]).collect();
            exist = self.builder.expand_dims(exist, axis, ty.with_shape(&longer));
        }
        let exist = self.broadcast(exist, ty);
        let Some(mask) = mask else { return exist };
        let mask = self.spread(mask, like);
        self.builder.binary(OpKind::ArithAndI, mask, exist)
    }

    fn write_load(&mut self, op: Op<'c>) {
        let Some(load) = LoadOp::cast(op) else { return };
        let like = load.ptr().ty();
        let pointer = self.spread(load.ptr(), like);
        let mask = self.mask(load.mask(), like);
        let other = load.other().map(|other| self.spread(other, like));
        let operands: Vec<Value<'c>> = [Some(pointer), Some(mask), other].into_iter().flatten().collect();
        let segments = self.builder.context().i32_array(&[1, 1, i32::from(other.is_some())]);
        let attributes: Vec<_> = op.attrs().into_iter().filter(|(name, _)| *name != SEGMENTS).collect();
        let spec = OpSpec::new(op.kind()).operands(&operands).results(&[self.joined_type(op.result(0).ty())]);
        let joined = self.builder.insert(spec.attrs(&attributes).attr(SEGMENTS, segments));
        self.mapping.insert(op.result(0), joined.result(0));
    }

    fn write_store(&mut self, op: Op<'c>) {
        let like = op.operand(0).ty();
        let pointer = self.spread(op.operand(0), like);
        let value = self.spread(op.operand(1), like);
        let mask = (op.num_operands() > 2).then(|| op.operand(2));
        let mask = self.mask(mask, like);
        let spec = OpSpec::new(op.kind()).operands(&[pointer, value, mask]).attrs(&op.attrs());
        self.builder.insert(spec);
    }

    /// The axis of the programs, then the axes of a block.
    fn joined_shape(&self, ty: Type<'c>) -> Vec<i64> {
        let own = if ty.is_tensor() { ty.shape() } else { Vec::new() };
        std::iter::once(self.joining.programs).chain(own).collect()
    }

    fn joined_type(&self, ty: Type<'c>) -> Type<'c> {
        ty.context().tensor(&self.joined_shape(ty), ty.element(), None)
    }
}

/// The attribute that says how many operands of each kind an operation has.
const SEGMENTS: &str = "operandSegmentSizes";
