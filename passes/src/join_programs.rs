//! Runs eight programs as one where each has a column of a matrix whose rows are contiguous.
//!
//! ```text
//! t = program_id(0)                                    one of eight programs has work: t = 8 * program_id(0) + range(8)
//! x = load(p + t + range(256) * length)                x = load(p + t[:, None] + range(256)[None, :] * length)
//! store(q + t + range(256) * length, f(x))             store(q + t[:, None] + range(256)[None, :] * length, f(x))
//! ```
//!
//! An access of one program touches as many sectors as it has elements, and the programs beside it touch the same sectors at the same time, from other
//! multiprocessors. Eight programs together read and write whole sectors. The grid stays as it is launched: seven of eight programs end at once.
//!
//! True for kernels of one block without loops and branches that load and then store, and compute element by element between, where
//!
//! - **the program's number along x is added to every address** that it enters, as it is ([`Steps`]): neighbours access neighbouring elements;
//! - **a program has no neighbouring elements of its own**, by what is known of its pointers;
//! - **nothing tells programs apart**: no atomic operations, volatile loads, records of checks, or printing, and no program loads behind its stores;
//! - **eight programs have room** in the registers of one ([`MOST_ELEMENTS`]), and the grid is known to bring many of them.
//!
//! How many programs the grid has along x is known at run time only. With few of them most of what is joined would be masked out, so the kernel does as
//! it was written then: both ways are there.
//!
//! 1. Which values depend on the number, and how addresses do ([`Steps`]).  2. What the kernel accesses ([`is_in_class`]).  3. Write it for eight programs
//!    ([`Joined`]): a value that depends on the number gets a first axis.

use crate::analysis::{AxisFacts, axis_info};
use crate::attributes::LIKELY;
use crate::cloning::{Mapping, copy_op};
use crate::operations::computations::computation;
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::{CacheModifier, CmpI, FuncOp, LoadOp, ProgramLikeOp};
use tk_ir::{Block, Builder, Module, Op, OpKind, OpSpec, Type, Value};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass = Pass {
    name: "join-programs",
    summary: "run programs as one that access neighbouring elements, where none has neighbours of its own",
    run,
};

/// Programs that become one: a sector of 32-bit words.
const PROGRAMS: i64 = 8;
/// Bits of the elements of which so many are a sector, or half of one, or a quarter.
const MOST_BITS: u32 = 32;
/// Elements of the blocks of a program, at least: the threads of a warp.
const LEAST_ELEMENTS: i64 = 32;
/// Elements of a thread of eight programs' largest block, at most. A convolution of two taps has 152 registers with 64 of them.
const MOST_ELEMENTS: i64 = 64;
/// Programs along the axis from which on they are joined: of the last eight, seven may be masked out.
const LEAST_PROGRAMS: i64 = 64;
/// More programs than these at most: the numbers of eight programs that may not all exist are no negative ones.
const MOST_MORE: i64 = 1 << 30;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let functions = module.functions();
    let [function] = functions.as_slice() else { return Ok(()) };
    if cx.options.num_ctas > 1 || cx.options.residency != Residency::Many {
        return Ok(());
    }
    let Some(body) = FuncOp::cast(*function).and_then(FuncOp::body) else { return Ok(()) };
    if function.region(0).blocks().len() != 1 {
        return Ok(());
    }
    let Some(steps) = Steps::of(body) else { return Ok(()) };
    if is_in_class(body, &steps, &axis_info(*function), cx.options.num_warps) {
        join(body, &steps);
    }
    Ok(())
}

/// What changes in a value from one program to the next along x, all else the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Each element grows by this; pointers by so many elements.
    By(i64),
    /// It changes in another way, or perhaps not at all.
    Somehow,
}

/// The values that depend on the program's number along x. All others are the same for the programs.
struct Steps(FxHashMap<usize, Step>);

impl Steps {
    /// `None` where the block has an operation that cannot be written for several programs, or the number enters nothing.
    fn of(body: Block<'_>) -> Option<Self> {
        let mut steps = Self(FxHashMap::default());
        for op in body.ops() {
            if op.num_regions() > 0 {
                return None;
            }
            let is_number =
                op.kind() == OpKind::TtGetProgramId && ProgramLikeOp::cast(op).is_some_and(|view| view.axis() == 0);
            if is_number {
                steps.0.insert(op.result(0).id(), Step::By(1));
            } else if op.operands().into_iter().any(|operand| steps.varies(operand)) {
                let step = steps.of_operation(op)?;
                for result in op.results() {
                    steps.0.insert(result.id(), step);
                }
            } else if !is_alike(op) {
                return None;
            }
        }
        (!steps.0.is_empty()).then_some(steps)
    }

    fn varies(&self, value: Value<'_>) -> bool {
        self.0.contains_key(&value.id())
    }

    fn get(&self, value: Value<'_>) -> Step {
        self.0.get(&value.id()).copied().unwrap_or(Step::By(0))
    }

    /// That of the results of an operation with an operand that varies; `None` where it cannot be written for several programs.
    fn of_operation(&self, op: Op<'_>) -> Option<Step> {
        let has_plain_types = op.results().into_iter().all(|result| !result.ty().element().is_index());
        if !op.discardable_attrs().is_empty() || !has_plain_types {
            return None;
        }
        let kind = op.kind();
        if is_division(kind) && self.varies(op.operand(1)) {
            return None;
        }
        if matches!(kind, OpKind::TtSplat | OpKind::TtBroadcast | OpKind::TtExpandDims) {
            return Some(self.get(op.operand(0)));
        }
        if matches!(kind, OpKind::TtLoad | OpKind::TtStore) {
            return Some(Step::Somehow);
        }
        let is_elementwise =
            computation(kind).is_element_by_element() && op.num_results() == 1 && op.is_memory_effect_free();
        is_elementwise.then(|| self.of_arithmetic(op))
    }

    fn of_arithmetic(&self, op: Op<'_>) -> Step {
        let of = |index: usize| match self.get(op.operand(index)) {
            Step::By(step) => Some(step),
            Step::Somehow => None,
        };
        let kind = op.kind();
        let step = if matches!(kind, OpKind::ArithAddI | OpKind::TtAddPtr) {
            of(0).zip(of(1)).and_then(|(left, right)| left.checked_add(right))
        } else if kind == OpKind::ArithSubI {
            of(0).zip(of(1)).and_then(|(left, right)| left.checked_sub(right))
        } else if kind == OpKind::ArithExtSI {
            of(0)
        } else {
            None
        };
        step.map_or(Step::Somehow, Step::By)
    }
}

/// A division of integers, which may not be done with the number of a program that does not exist: its divisor could be zero.
fn is_division(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::ArithDivSI
            | OpKind::ArithDivUI
            | OpKind::ArithRemSI
            | OpKind::ArithRemUI
            | OpKind::ArithFloorDivSI
            | OpKind::ArithCeilDivSI
            | OpKind::ArithCeilDivUI
    )
}

/// An operation that the programs have in common: it may be done once for several of them.
fn is_alike(op: Op<'_>) -> bool {
    let kind = op.kind();
    let is_pure = matches!(
        kind,
        OpKind::ArithConstant
            | OpKind::TtMakeRange
            | OpKind::TtSplat
            | OpKind::TtBroadcast
            | OpKind::TtExpandDims
            | OpKind::TtGetProgramId
            | OpKind::TtGetNumPrograms
    );
    is_pure
        || matches!(kind, OpKind::TtLoad | OpKind::TtReturn)
        || computation(kind).is_element_by_element() && op.is_memory_effect_free()
}

/// Loads, then stores, of neighbours of what the next program accesses, which eight programs have room for, and which are no neighbours as they are.
fn is_in_class(body: Block<'_>, steps: &Steps, facts: &AxisFacts, num_warps: u32) -> bool {
    let mut stores = 0;
    for op in body.ops() {
        let varies = op.results().into_iter().any(|result| steps.varies(result));
        if varies && !has_room(op, num_warps) {
            return false;
        }
        let is_store = op.kind() == OpKind::TtStore;
        if let Some(load) = LoadOp::cast(op) {
            let is_ordered = load.is_volatile() || load.cache() == CacheModifier::Cv;
            if is_ordered || stores > 0 || varies && !is_column(op, steps, facts) {
                return false;
            }
        } else if is_store && !is_column(op, steps, facts) {
            return false;
        }
        stores += usize::from(is_store);
    }
    stores > 0
}

fn has_room(op: Op<'_>, num_warps: u32) -> bool {
    let threads = i64::from(num_warps * tk_target::WARP_SIZE);
    op.results().into_iter().all(|result| {
        let elements = if result.ty().is_tensor() { result.ty().num_elements() } else { 1 };
        elements.saturating_mul(PROGRAMS) <= MOST_ELEMENTS.saturating_mul(threads)
    })
}

/// The next program accesses the next elements, and a program has no two elements beside each other.
fn is_column(access: Op<'_>, steps: &Steps, facts: &AxisFacts) -> bool {
    let pointer = access.operand(0);
    let ty = pointer.ty();
    let is_narrow = ty.element().pointee().is_some_and(|element| element.element_bits() <= MOST_BITS);
    ty.is_tensor()
        && is_narrow
        && ty.num_elements() >= LEAST_ELEMENTS
        && steps.get(pointer) == Step::By(1)
        && facts.get(pointer).contiguity.iter().all(|run| *run <= 1)
}

/// Writes the block for eight programs, beside what it is, for grids of few programs.
fn join<'c>(body: Block<'c>, steps: &Steps) {
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
    write_joined(choice.then_block(), programs, ops, steps);
    let mut inside = Builder::at_end(otherwise, end.loc());
    for op in ops {
        inside.place(op.detach());
    }
    inside.yield_(&[]);
}

/// One program of eight does what they all would, the others do nothing.
fn write_joined<'c>(block: Block<'c>, programs: Value<'c>, ops: &[Op<'c>], steps: &Steps) {
    let Some(first) = ops.first() else { return };
    let mut builder = Builder::at_end(block, first.loc());
    let number = builder.program_id(0);
    // The number times eight is computed where it is that of a program: others could overflow.
    let (one, divisor) = (builder.i32(1), builder.i32(PROGRAMS as i32));
    let most = builder.binary(OpKind::ArithSubI, programs, one);
    let last = builder.binary(OpKind::ArithDivUI, most, divisor);
    let has_work = builder.cmpi(CmpI::Ule, number, last);
    let branch = builder.if_op(has_work, &[], false);
    builder.yield_(&[]);
    let mut joined = Joined::new(branch.then_block(), number, programs, *first);
    for op in ops {
        joined.write(*op, steps);
    }
    joined.builder.yield_(&[]);
}

/// The block of eight programs, as it is written.
struct Joined<'c> {
    builder: Builder<'c>,
    /// What becomes of values: those that vary have a first axis more.
    mapping: Mapping<'c>,
    /// The numbers of the programs.
    numbers: Value<'c>,
    /// Which of them there are.
    exist: Value<'c>,
}

impl<'c> Joined<'c> {
    fn new(block: Block<'c>, number: Value<'c>, programs: Value<'c>, first: Op<'c>) -> Self {
        let mut builder = Builder::at_end(block, first.loc());
        let ty = builder.context().tensor(&[PROGRAMS], number.ty(), None);
        let factor = builder.i32(PROGRAMS as i32);
        let begin = builder.binary(OpKind::ArithMulI, number, factor);
        let begin = builder.splat(begin, ty);
        let range = builder.make_range(0, PROGRAMS as i32, ty);
        let numbers = builder.binary(OpKind::ArithAddI, begin, range);
        let programs = builder.splat(programs, ty);
        let exist = builder.cmpi(CmpI::Slt, numbers, programs);
        Self { builder, mapping: Mapping::default(), numbers, exist }
    }

    fn write(&mut self, op: Op<'c>, steps: &Steps) {
        let varies = op.operands().into_iter().any(|operand| steps.varies(operand));
        self.builder.set_location(op.loc());
        if op.kind() == OpKind::TtGetProgramId && steps.varies(op.result(0)) {
            self.mapping.insert(op.result(0), self.numbers);
        } else if !varies {
            copy_op(op, &mut self.builder, &mut self.mapping, |location| location);
        } else if LoadOp::cast(op).is_some() {
            self.write_load(op, steps);
        } else if op.kind() == OpKind::TtStore {
            self.write_store(op, steps);
        } else {
            let value = self.computed(op, steps);
            self.mapping.insert(op.result(0), value);
        }
    }

    /// The result of a computation with an operand that varies.
    fn computed(&mut self, op: Op<'c>, steps: &Steps) -> Value<'c> {
        let ty = joined_type(op.result(0).ty());
        if op.kind() == OpKind::TtSplat {
            return self.spread(op.operand(0), op.result(0).ty(), steps);
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
        let operands: Vec<Value<'c>> =
            op.operands().into_iter().map(|operand| self.spread(operand, like, steps)).collect();
        let spec = OpSpec::new(op.kind()).operands(&operands).results(&[ty]).attrs(&op.attrs());
        self.builder.insert(spec).result(0)
    }

    /// A value of the programs with the shape of `like`, behind the axis of the programs.
    fn spread(&mut self, value: Value<'c>, like: Type<'c>, steps: &Steps) -> Value<'c> {
        let mut source = self.mapping.get(value);
        let shape = joined_shape(like);
        let ty = self.builder.context().tensor(&shape, value.ty().element(), None);
        if !steps.varies(value) {
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
    fn mask(&mut self, mask: Option<Value<'c>>, like: Type<'c>, steps: &Steps) -> Value<'c> {
        let mut exist = self.exist;
        let ty = exist.ty().with_shape(&joined_shape(like));
        while exist.ty().rank() < ty.rank() {
            let axis = exist.ty().rank();
            let longer: Vec<i64> = exist.ty().shape().into_iter().chain([1]).collect();
            exist = self.builder.expand_dims(exist, axis, ty.with_shape(&longer));
        }
        let exist = self.broadcast(exist, ty);
        let Some(mask) = mask else { return exist };
        let mask = self.spread(mask, like, steps);
        self.builder.binary(OpKind::ArithAndI, mask, exist)
    }

    fn write_load(&mut self, op: Op<'c>, steps: &Steps) {
        let Some(load) = LoadOp::cast(op) else { return };
        let like = load.ptr().ty();
        let pointer = self.spread(load.ptr(), like, steps);
        let mask = self.mask(load.mask(), like, steps);
        let other = load.other().map(|other| self.spread(other, like, steps));
        let operands: Vec<Value<'c>> = [Some(pointer), Some(mask), other].into_iter().flatten().collect();
        let segments = self.builder.context().i32_array(&[1, 1, i32::from(other.is_some())]);
        let attributes: Vec<_> = op.attrs().into_iter().filter(|(name, _)| *name != SEGMENTS).collect();
        let spec = OpSpec::new(op.kind()).operands(&operands).results(&[joined_type(op.result(0).ty())]);
        let joined = self.builder.insert(spec.attrs(&attributes).attr(SEGMENTS, segments));
        self.mapping.insert(op.result(0), joined.result(0));
    }

    fn write_store(&mut self, op: Op<'c>, steps: &Steps) {
        let like = op.operand(0).ty();
        let pointer = self.spread(op.operand(0), like, steps);
        let value = self.spread(op.operand(1), like, steps);
        let mask = (op.num_operands() > 2).then(|| op.operand(2));
        let mask = self.mask(mask, like, steps);
        let spec = OpSpec::new(op.kind()).operands(&[pointer, value, mask]).attrs(&op.attrs());
        self.builder.insert(spec);
    }
}

/// The attribute that says how many operands of each kind an operation has.
const SEGMENTS: &str = "operandSegmentSizes";

/// The axis of the programs, then the axes of a block.
fn joined_shape(ty: Type<'_>) -> Vec<i64> {
    let own = if ty.is_tensor() { ty.shape() } else { Vec::new() };
    std::iter::once(PROGRAMS).chain(own).collect()
}

fn joined_type(ty: Type<'_>) -> Type<'_> {
    ty.context().tensor(&joined_shape(ty), ty.element(), None)
}
