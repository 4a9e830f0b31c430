//! What changes from one program to the next.

use crate::operations::computations::computation;
use rustc_hash::FxHashMap;
use tk_ir::ops::{ForOp, ProgramLikeOp};
use tk_ir::{Block, Op, OpKind, Value};

/// What changes in a value from one program to the next along x, all else the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Each element grows by this; pointers by so many elements.
    By(i64),
    /// It changes in another way, or perhaps not at all.
    Somehow,
}

/// The values that depend on the program's number along x. All others are the same for the programs.
pub(super) struct Steps(FxHashMap<usize, Step>);

impl Steps {
    /// `None` where the block has an operation that cannot be written for several programs, or the number enters nothing.
    pub(super) fn of(body: Block<'_>) -> Option<Self> {
        let mut steps = Self(FxHashMap::default());
        steps.walk(&body.ops())?;
        (!steps.0.is_empty()).then_some(steps)
    }

    pub(super) fn varies(&self, value: Value<'_>) -> bool {
        self.0.contains_key(&value.id())
    }

    pub(super) fn get(&self, value: Value<'_>) -> Step {
        self.0.get(&value.id()).copied().unwrap_or(Step::By(0))
    }

    /// Operations that follow each other. What is known of a value may only become less if they are looked at again.
    fn walk(&mut self, ops: &[Op<'_>]) -> Option<()> {
        for op in ops.iter().copied() {
            if let Some(view) = ForOp::cast(op) {
                self.walk_loop(view)?;
                continue;
            }
            if op.num_regions() > 0 && op.kind() != OpKind::TtReduce {
                return None;
            }
            let is_number =
                op.kind() == OpKind::TtGetProgramId && ProgramLikeOp::cast(op).is_some_and(|view| view.axis() == 0);
            if is_number {
                self.0.insert(op.result(0).id(), Step::By(1));
            } else if op.operands().into_iter().any(|operand| self.varies(operand)) {
                let step = self.of_operation(op)?;
                for result in op.results() {
                    self.0.insert(result.id(), step);
                }
            } else if !is_alike(op) {
                return None;
            }
        }
        Some(())
    }

    /// A loop that all programs run through as often. What it carries changes from program to program as its first value does, if each iteration leaves
    /// it so, and else somehow.
    fn walk_loop(&mut self, view: ForOp<'_>) -> Option<()> {
        let bounds = [view.lower_bound(), view.upper_bound(), view.step()];
        if view.unsigned_cmp() || bounds.into_iter().any(|bound| self.varies(bound)) {
            return None;
        }
        let mut ops = view.body().ops();
        ops.pop();
        for (carried, first) in view.iter_args().into_iter().zip(view.init_args()) {
            if self.varies(first) {
                self.0.insert(carried.id(), self.get(first));
            }
        }
        loop {
            self.walk(&ops)?;
            let mut is_settled = true;
            for (carried, next) in view.iter_args().into_iter().zip(view.yielded()) {
                let is_same = self.varies(carried) == self.varies(next) && self.get(carried) == self.get(next);
                if !(is_same || self.varies(carried) && self.get(carried) == Step::Somehow) {
                    self.0.insert(carried.id(), Step::Somehow);
                    is_settled = false;
                }
            }
            if is_settled {
                break;
            }
        }
        for (result, carried) in view.results().into_iter().zip(view.iter_args()) {
            if self.varies(carried) {
                self.0.insert(result.id(), self.get(carried));
            }
        }
        Some(())
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
        if kind == OpKind::TtReduce {
            return (op.num_operands() == 1 && op.is_memory_effect_free()).then_some(Step::Somehow);
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
        } else if kind == OpKind::ArithMulI {
            // The factor is the same in all programs, since it is a number.
            let times = |varying: usize, factor: usize| {
                op.operand(factor).constant_int().zip(of(varying)).and_then(|(factor, step)| step.checked_mul(factor))
            };
            times(0, 1).or_else(|| times(1, 0))
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
        || (kind == OpKind::TtReduce || computation(kind).is_element_by_element()) && op.is_memory_effect_free()
}
