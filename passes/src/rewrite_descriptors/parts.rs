//! The parts of a descriptor, wherever it comes from: parameters, `tt.make_tensor_descriptor`, loops and branches.

use super::{ALIGNMENT, DIVISIBILITY};
use crate::control_flow::{extend_for, extend_if};
use rustc_hash::FxHashMap;
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{ForOp, FuncOp, IfOp, MakeTensorDescriptorOp};
use tk_ir::{Block, Builder, Op, OpKind, Type, Value};

/// What a descriptor consists of.
#[derive(Clone, Debug)]
pub(super) struct Parts<'c> {
    /// Address of the first element.
    pub(super) base: Value<'c>,
    /// Elements along each axis, as `i64`.
    pub(super) shape: Vec<Value<'c>>,
    /// Elements from one index to the next along each axis but the last, where it is 1, as `i64`.
    pub(super) strides: Vec<Value<'c>>,
    /// Elements outside the tensor read as NaN, not as zero.
    pub(super) pads_with_nan: bool,
}

impl<'c> Parts<'c> {
    fn values(&self) -> Vec<Value<'c>> {
        std::iter::once(self.base).chain(self.shape.iter().chain(&self.strides).copied()).collect()
    }

    fn with(&self, values: &[Value<'c>]) -> Self {
        let (shape, strides) = values[1..].split_at(self.shape.len());
        Self { base: values[0], shape: shape.to_vec(), strides: strides.to_vec(), ..self.clone() }
    }
}

/// Where a descriptor is known from: a value, or a place among what a loop carries or a branch gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Value(usize),
    /// The number of a loop-carried value or result, in the first block of its operation.
    Flow(usize, usize),
}

/// The parts of all descriptors of a function, found when asked for.
pub(super) struct AllParts<'c> {
    function: Op<'c>,
    known: FxHashMap<Key, Parts<'c>>,
    /// For descriptors that flow: the number of their first part among the values that flow there.
    flowing: FxHashMap<Key, usize>,
}

impl<'c> AllParts<'c> {
    pub(super) fn of(function: Op<'c>) -> Self {
        Self { function, known: FxHashMap::default(), flowing: FxHashMap::default() }
    }

    /// The parts of a descriptor.
    pub(super) fn get(&mut self, value: Value<'c>) -> Result<Parts<'c>> {
        if let Some((block, index)) = flow(value) {
            return self.of_flow(value, block, index);
        }
        let key = Key::Value(value.id());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let parts = match value.defining_op() {
            None => self.of_parameter(value),
            Some(op) if op.kind() == OpKind::ArithSelect => Some(self.of_select(op)?),
            Some(op) => MakeTensorDescriptorOp::cast(op).map(of_make),
        };
        let Some(parts) = parts else { return Err(unknown(value)) };
        self.known.insert(key, parts.clone());
        Ok(parts)
    }

    fn of_parameter(&self, value: Value<'c>) -> Option<Parts<'c>> {
        let view = FuncOp::cast(self.function)?;
        let (block, index) = value.block_argument()?;
        let rank = value.ty().descriptor_block()?.shape().len();
        let args = view.args();
        if Some(block) != view.body() || args.len() < index + 1 + 2 * rank {
            return None;
        }
        let mut builder = Builder::at_start(block, value.loc());
        let base = as_pointer(value, &mut builder);
        let shape = args[index + 1..=index + rank].iter().map(|size| as_i64(&mut builder, *size)).collect();
        let strides = args[index + 1 + rank..index + 2 * rank].to_vec();
        let pads_with_nan = view.arg_attr(index, "tt.padding").and_then(|padding| padding.as_int()) == Some(2);
        Some(Parts { base, shape, strides, pads_with_nan })
    }

    fn of_select(&mut self, op: Op<'c>) -> Result<Parts<'c>> {
        let (yes, no) = (self.get(op.operand(1))?, self.get(op.operand(2))?);
        let mut builder = Builder::before(op);
        let pairs = yes.values().into_iter().zip(no.values());
        let values: Vec<Value<'c>> = pairs.map(|(yes, no)| builder.select(op.operand(0), yes, no)).collect();
        Ok(yes.with(&values))
    }

    fn of_flow(&mut self, value: Value<'c>, block: Block<'c>, index: usize) -> Result<Parts<'c>> {
        let key = Key::Flow(block_id(block), index);
        let Some(parent) = block.parent_op() else { return Err(unknown(value)) };
        let first = match self.flowing.get(&key) {
            Some(first) => *first,
            None if parent.kind() == OpKind::ScfFor => self.through_loop(parent, key, index)?,
            None => self.through_branch(parent, key, index)?,
        };
        let Some(shape) = self.known.get(&key).cloned() else { return Err(unknown(value)) };
        // The operation may be another one by now; its block is the same.
        let Some(parent) = block.parent_op() else { return Err(unknown(value)) };
        let count = shape.values().len();
        let values: Vec<Value<'c>> = match value.block_argument() {
            Some(_) => (first..first + count).map(|part| block.argument(part + 1)).collect(),
            None => (first..first + count).map(|part| parent.result(part)).collect(),
        };
        Ok(shape.with(&values))
    }

    fn through_loop(&mut self, op: Op<'c>, key: Key, index: usize) -> Result<usize> {
        let Some(view) = ForOp::cast(op) else { return Err(unknown(op.result(index))) };
        let init = self.get(view.init_args()[index])?;
        // Looking may have changed the loop.
        let body = view.body();
        let Some(view) = body.parent_op().and_then(ForOp::cast) else { return Err(unknown(op.result(index))) };
        let first = view.init_args().len();
        let more: Vec<_> = init.values().into_iter().map(|value| (value, value, value.ty())).collect();
        extend_for(view, &more);
        self.known.insert(key, init);
        self.flowing.insert(key, first);
        let Some(view) = body.parent_op().and_then(ForOp::cast) else { return Ok(first) };
        let next = self.get(view.yielded()[index])?;
        let Some(view) = body.parent_op().and_then(ForOp::cast) else { return Ok(first) };
        for (part, value) in next.values().into_iter().enumerate() {
            view.yield_op().set_operand(first + part, value);
        }
        Ok(first)
    }

    fn through_branch(&mut self, op: Op<'c>, key: Key, index: usize) -> Result<usize> {
        let view = IfOp::cast(op).and_then(|view| Some((view.then_block(), view.then_yield(), view.else_yield()?)));
        let Some((block, yes, no)) = view else { return Err(unknown(op.result(index))) };
        let (yes, no) = (self.get(yes.operand(index))?, self.get(no.operand(index))?);
        let Some(view) = block.parent_op().and_then(IfOp::cast) else { return Err(unknown(op.result(index))) };
        let first = view.op.num_results();
        let pairs = yes.values().into_iter().zip(no.values());
        extend_if(view, &pairs.map(|(yes, no)| (yes, no, yes.ty())).collect::<Vec<_>>());
        self.known.insert(key, yes);
        self.flowing.insert(key, first);
        Ok(first)
    }
}

/// A stand-in for a parameter as a pointer, until its type changes.
fn as_pointer<'c>(value: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
    let element = value.ty().descriptor_block().map_or(value.ty(), |block| signless(block.element()));
    let ty = builder.context().ptr(element);
    builder.create(OpKind::BuiltinUnrealizedConversionCast, &[value], &[ty], &[]).result(0)
}

/// The block and number of a value that a loop carries or a loop or branch gives.
fn flow(value: Value<'_>) -> Option<(Block<'_>, usize)> {
    if let Some(op) = value.defining_op() {
        let flows = matches!(op.kind(), OpKind::ScfFor | OpKind::ScfIf);
        return flows.then(|| Some((op.region(0).first_block()?, value.result_number())))?;
    }
    let (block, index) = value.block_argument()?;
    let is_carried = block.parent_op().is_some_and(|op| op.kind() == OpKind::ScfFor) && index > 0;
    is_carried.then(|| (block, index - 1))
}

/// A block keeps its terminator when its operation is built anew.
fn block_id(block: Block<'_>) -> usize {
    block.terminator().map_or(0, Op::id)
}

fn of_make(make: MakeTensorDescriptorOp<'_>) -> Parts<'_> {
    let mut builder = Builder::before(make.op);
    let shape = make.shape().into_iter().map(|size| as_i64(&mut builder, size)).collect();
    let block = make.op.result(0).ty().descriptor_block();
    let bits = block.map_or(8, |block| block.element_bits());
    let mut strides = make.strides();
    strides.pop();
    strides.iter().for_each(|stride| promise(*stride, bits));
    Parts { base: make.base(), shape, strides, pads_with_nan: make.pads_with_nan() }
}

/// Writes on the operation that makes a stride what a descriptor promises of it.
fn promise(stride: Value<'_>, bits: u32) {
    let elements = ALIGNMENT as u32 * 8 / bits.max(8);
    if let Some(op) = stride.defining_op().filter(|op| op.kind() != OpKind::ArithConstant && op.num_results() == 1) {
        if op.attr(DIVISIBILITY).is_none() {
            op.set_attr(DIVISIBILITY, op.context().i32_attr(elements as i32));
        }
    }
}

/// The same element type without a sign: what pointers point to.
pub(super) fn signless(element: Type<'_>) -> Type<'_> {
    element.int_bits().map_or(element, |bits| element.context().i(bits))
}

fn as_i64<'c>(builder: &mut Builder<'c>, value: Value<'c>) -> Value<'c> {
    let i64 = builder.context().i(64);
    if value.ty() == i64 { value } else { builder.cast(OpKind::ArithExtSI, value, i64) }
}

fn unknown(value: Value<'_>) -> Box<Diagnostic> {
    let message = format!("a tensor descriptor comes from where its parts are not known: {}", value.ty());
    Diagnostic::error(tk_diag::BAD_IR, message)
        .help("a target without TMA needs descriptors from parameters, `tl.make_tensor_descriptor`, `for` loops or branches")
        .boxed()
}
