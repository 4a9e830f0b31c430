//! Makes one of two branches that do the same with other scalars: `k_ptr` here, `v_ptr` there.
//!
//! Both sides of an `if` have the same operations in the same order, and differ in scalars that come from outside or are constants. Then each
//! such scalar becomes a select before the `if`, and one side runs in its place, once in the code and without the registers that a thread keeps
//! for what either side might leave. LLVM would merge such blocks itself if loads were instructions that it knows.
//!
//! An `if` that computes scalars alone stays: it costs little, and what follows may know which side was taken. Tensors may differ, too, once
//! layouts say that a thread has few elements of them: a branch in a loop keeps the assembler from moving loads and addresses past it.
//!
//! Branches that give nothing but masks, for a few comparisons, go as well ([`masks`]).
//!
//! 1. Walk both sides at once and note where they differ.  2. Select, move one side out, and delete the `if`.

use crate::encodings::elements_per_thread;
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::IfOp;
use tk_ir::{Block, Builder, Module, Op, OpKind, Type, Value};

mod masks;

/// The pass.
pub const PASS: Pass = Pass { name: "merge-branches", summary: "run two branches that differ in scalars as one", run };

/// Selects of a thread, one for each scalar or element in which the sides differ.
const MOST_SELECTS: i64 = 8;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        // Inner ones first, so that those around them have no regions any more.
        for view in function.descendants().into_iter().rev().filter_map(IfOp::cast) {
            if masks::flatten(view) {
                continue;
            }
            if let Some(merged) = Merged::of(view) {
                merged.apply();
            }
        }
    }
    Ok(())
}

/// How two sides become one.
struct Merged<'c> {
    view: IfOp<'c>,
    /// Constants in which the sides differ; they move before the `if`.
    constants: Vec<Op<'c>>,
    /// The operations of the first side that stay.
    kept: Vec<Op<'c>>,
    /// Operands of kept operations that need a select.
    operands: Vec<Differing<'c>>,
    /// What the `if` gives, in order: the values of both sides, equal where they are the same.
    results: Vec<Sides<'c>>,
}

/// An operand that the sides have different values for.
struct Differing<'c> {
    op: Op<'c>,
    operand: usize,
    sides: Sides<'c>,
}

/// The values of the first and of the second side.
#[derive(Clone, Copy)]
struct Sides<'c> {
    then: Value<'c>,
    otherwise: Value<'c>,
}

impl<'c> Merged<'c> {
    fn of(view: IfOp<'c>) -> Option<Self> {
        let (then, otherwise) = (view.then_block(), view.else_block()?);
        let (then_ops, otherwise_ops) = (before_yield(then), before_yield(otherwise));
        if then_ops.len() != otherwise_ops.len() || !then_ops.iter().any(|op| has_tensors(*op)) {
            return None;
        }
        let mut walk = Walk { inside: [then, otherwise], same: FxHashMap::default(), constants: Vec::new() };
        let mut merged =
            Merged { view, constants: Vec::new(), kept: Vec::new(), operands: Vec::new(), results: Vec::new() };
        for (op, other) in then_ops.into_iter().zip(otherwise_ops) {
            if is_other_constant(op, other) {
                walk.constants.extend([op, other]);
                continue;
            }
            if !are_alike(op, other) {
                return None;
            }
            for (operand, sides) in sides(op.operands(), other.operands()).enumerate() {
                if walk.differ(sides)? {
                    merged.operands.push(Differing { op, operand, sides });
                }
            }
            walk.same.extend(other.results().iter().map(|value| value.id()).zip(op.results()));
            merged.kept.push(op);
        }
        for pair in sides(view.then_yield().operands(), view.else_yield()?.operands()) {
            let differs = walk.differ(pair)?;
            merged.results.push(if differs { pair } else { Sides { otherwise: pair.then, ..pair } });
        }
        let of_operands = merged.operands.iter().map(|differing| differing.sides);
        let of_results = merged.results.iter().copied().filter(|pair| pair.then != pair.otherwise);
        let selects: i64 = of_operands.chain(of_results).filter_map(|pair| selects(pair.then.ty())).sum();
        merged.constants = walk.constants;
        (selects <= MOST_SELECTS).then_some(merged)
    }

    fn apply(self) {
        let branch = self.view.op;
        let condition = branch.operand(0);
        self.constants.iter().chain(&self.kept).for_each(|op| op.move_before(branch));
        let select = |at: Op<'c>, pair: Sides<'c>| {
            if pair.then == pair.otherwise {
                return pair.then;
            }
            let operands = [condition, pair.then, pair.otherwise];
            Builder::before(at).create(OpKind::ArithSelect, &operands, &[pair.then.ty()], &[]).result(0)
        };
        for Differing { op, operand, sides } in self.operands {
            op.set_operand(operand, select(op, sides));
        }
        for (result, pair) in branch.results().into_iter().zip(self.results) {
            result.replace_all_uses_with(select(branch, pair));
        }
        branch.erase();
    }
}

/// What is known while both sides are walked.
struct Walk<'c> {
    inside: [Block<'c>; 2],
    /// The value of the first side that a value of the second is the counterpart of.
    same: FxHashMap<usize, Value<'c>>,
    constants: Vec<Op<'c>>,
}

impl<'c> Walk<'c> {
    /// Whether the values differ, in a way that a select can say; `None` if none can.
    fn differ(&self, pair: Sides<'c>) -> Option<bool> {
        if pair.then == pair.otherwise || self.same.get(&pair.otherwise.id()) == Some(&pair.then) {
            return Some(false);
        }
        let is_constant = |value: Value<'c>| value.constant().is_some();
        let can_select = pair.then.ty() == pair.otherwise.ty() && selects(pair.then.ty()).is_some();
        // A constant beside what is none tells the passes more than a select of both would.
        let can = can_select
            && is_constant(pair.then) == is_constant(pair.otherwise)
            && self.is_outside(pair.then)
            && self.is_outside(pair.otherwise);
        can.then_some(true)
    }

    fn is_outside(&self, value: Value<'c>) -> bool {
        let is_inside = value.parent_block().is_some_and(|block| self.inside.contains(&block));
        !is_inside || value.defining_op().is_some_and(|op| self.constants.contains(&op))
    }
}

/// The selects of a thread for a value of a type; `None` where it is not known yet how many elements a thread has, and for shared memory: which buffer
/// an operation reads is what orders it.
fn selects(ty: Type<'_>) -> Option<i64> {
    if ty.is_memdesc() {
        return None;
    }
    if ty.is_tensor() { ty.layout().map(|_| elements_per_thread(ty)) } else { Some(1) }
}

fn before_yield(block: Block<'_>) -> Vec<Op<'_>> {
    block.ops().into_iter().filter(|op| !op.is_terminator()).collect()
}

fn has_tensors(op: Op<'_>) -> bool {
    op.results().into_iter().chain(op.operands()).any(|value| value.ty().is_tensor())
}

fn sides<'c>(then: Vec<Value<'c>>, otherwise: Vec<Value<'c>>) -> impl Iterator<Item = Sides<'c>> {
    then.into_iter().zip(otherwise).map(|(then, otherwise)| Sides { then, otherwise })
}

/// Scalar constants of one type and different values.
fn is_other_constant(op: Op<'_>, other: Op<'_>) -> bool {
    let is_scalar = |op: Op<'_>| op.kind() == OpKind::ArithConstant && !op.result(0).ty().is_tensor();
    is_scalar(op) && is_scalar(other) && op.result(0).ty() == other.result(0).ty() && op.attrs() != other.attrs()
}

fn types_of(op: Op<'_>) -> Vec<Type<'_>> {
    op.results().into_iter().chain(op.operands()).map(|value| value.ty()).collect()
}

/// The same operation, whatever its operands are.
fn are_alike(op: Op<'_>, other: Op<'_>) -> bool {
    op.kind() != OpKind::Other
        && op.kind() == other.kind()
        && op.num_regions() == 0
        && other.num_regions() == 0
        && op.num_operands() == other.num_operands()
        && types_of(op) == types_of(other)
        && op.attrs() == other.attrs()
}
