//! Divisions of numbers that masks keep from being negative, or that are never negative, become divisions of unsigned numbers.
//!
//! Programs that put tensors side by side compute the place in each of them for all elements, and load under a mask:
//! `load(p + (x - 1024) % 64, x >= 1024)`. Where the mask is false the number is negative, and the remainders of negative numbers do not
//! follow each other; so accesses would be as narrow as an element. What is computed there is never used, so it may be computed otherwise:
//! unsigned remainders follow each other, and dividing takes fewer instructions.
//!
//! Where a program puts rows behind each other, it divides places in memory by the length of a row: `x // 768` and `x % 768`, with `x` counted from the start of
//! its block. A thread has four or eight places beside each other, which a row does not part where their number divides its length. Of unsigned numbers
//! code generation sees that: there is one quotient for all of them, and their remainders follow each other. Of signed numbers it would have to know the sign.
//!
//! Facts: which accesses a division leads to, and what their masks say; and what axis info says of signs (it takes for granted that integers of 32 bits do
//! not wrap around; see [`axis_rules`](crate::analysis::axis_rules)). A division is replaced when all masks say that it divides no negative number, or if
//! axis info does and the divisor is one that a thread's places may have in common: even, and no power of two, which are shifts and masks. Kernels with
//! products keep the latter: what copies their blocks reads indices as programs write them.

use crate::analysis::{self, AxisFacts};
use crate::masked_values::parts_of;
use crate::operations::computations::computation;
use crate::operations::divides_integers;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, LoadOp, StoreOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass = Pass {
    name: "masked-divisions",
    summary: "divide unsigned where masks or starts of blocks exclude negative numbers",
    run,
};

/// Operations between a division and the accesses that it leads to, at most.
const MOST_USERS: usize = 128;

/// Steps from a number to what its sign is known of.
const MOST_STEPS: usize = 8;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let ops = function.descendants();
        let divisions: Vec<(Op<'_>, OpKind)> = ops.into_iter().filter_map(|op| Some((op, unsigned_of(op)?))).collect();
        let natural = natural_dividends(function, &divisions);
        for (op, unsigned) in divisions {
            if natural.contains(&op) || is_never_negative(op) {
                let value = Builder::before(op).binary(unsigned, op.operand(0), op.operand(1));
                op.result(0).replace_all_uses_with(value);
                op.erase();
            }
        }
    }
    Ok(())
}

/// The divisions whose quotients elements beside each other share, of numbers that are not negative.
fn natural_dividends<'c>(function: Op<'c>, divisions: &[(Op<'c>, OpKind)]) -> Vec<Op<'c>> {
    let shared: Vec<Op<'c>> = divisions.iter().map(|(op, _)| *op).filter(|op| may_share_quotients(*op)).collect();
    let has_products =
        || function.descendants().iter().any(|op| matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled));
    if shared.is_empty() || has_products() {
        return Vec::new();
    }
    let facts = analysis::axis_info(function);
    shared.into_iter().filter(|op| is_natural(&facts, op.operand(0))).collect()
}

/// The divisor has a factor that is a power of two, and another one.
fn may_share_quotients(division: Op<'_>) -> bool {
    let divisor = division.operand(1).constant_int();
    divisor.is_some_and(|divisor| divisor > 0 && divisor % 2 == 0 && divisor.count_ones() > 1)
}

fn is_natural(facts: &AxisFacts, number: Value<'_>) -> bool {
    facts.find(number).is_some_and(|info| info.non_negative)
}

/// The unsigned division in place of a signed one of tensors.
fn unsigned_of(op: Op<'_>) -> Option<OpKind> {
    let pairs = [(OpKind::ArithDivSI, OpKind::ArithDivUI), (OpKind::ArithRemSI, OpKind::ArithRemUI)];
    let pair = pairs.into_iter().find(|(signed, _)| *signed == op.kind() && op.result(0).ty().is_tensor());
    pair.map(|(_, unsigned)| unsigned)
}

/// Whether every access that the division leads to has a mask under which no negative number is divided, by a positive constant.
fn is_never_negative(division: Op<'_>) -> bool {
    let is_by_constant = division.operand(1).constant_int().is_some_and(|divisor| divisor > 0);
    is_by_constant
        && accesses(division).is_some_and(|masks| {
            !masks.is_empty() && masks.iter().all(|mask| excludes_negative(&parts_of(*mask), division.operand(0)))
        })
}

/// The masks of all accesses whose addresses the division leads to; nothing where it leads elsewhere, or to an access without a mask.
fn accesses<'c>(division: Op<'c>) -> Option<Vec<Value<'c>>> {
    let (mut masks, mut pending, mut seen) = (Vec::new(), vec![division.result(0)], 0);
    while let Some(value) = pending.pop() {
        for (user, operand) in value.users() {
            seen += 1;
            if seen > MOST_USERS {
                return None;
            }
            let is_address = operand == 0;
            if let Some(load) = LoadOp::cast(user).filter(|_| is_address) {
                masks.push(load.mask()?);
            } else if let Some(store) = StoreOp::cast(user).filter(|_| is_address) {
                masks.push(store.mask()?);
            } else if keeps_place(user) && (is_address || !divides_integers(user.kind())) {
                pending.push(user.result(0));
            } else {
                return None;
            }
        }
    }
    Some(masks)
}

/// Each element of the result is computed from the elements at its place, so that a mask there is a mask here.
fn keeps_place(op: Op<'_>) -> bool {
    let is_computed = computation(op.kind()).is_element_by_element() || op.kind() == OpKind::TtBroadcast;
    is_computed && op.is_memory_effect_free() && op.num_results() == 1 && op.num_regions() == 0
}

/// Whether a number is not negative where all these conditions are true.
fn excludes_negative<'c>(conditions: &[Value<'c>], number: Value<'c>) -> bool {
    let mut number = number;
    for _ in 0..MOST_STEPS {
        let (base, step) = base_and_step(number);
        // With a step down from a number that is at least as large, nothing wraps around.
        if step <= 0 && conditions.iter().any(|condition| says_at_least(*condition, base, -step)) {
            return true;
        }
        // The quotient has the sign of what is divided.
        let division = number.defining_op().filter(|op| matches!(op.kind(), OpKind::ArithDivSI | OpKind::ArithRemSI));
        match division.filter(|op| op.operand(1).constant_int().is_some_and(|divisor| divisor > 0)) {
            Some(division) => number = division.operand(0),
            None => return false,
        }
    }
    false
}

/// `x` and `c` of `x + c`, or the number itself and zero.
fn base_and_step(number: Value<'_>) -> (Value<'_>, i64) {
    let sum = number.defining_op().filter(|op| op.kind() == OpKind::ArithAddI);
    let parts = sum.and_then(|sum| match (sum.operand(0).constant_int(), sum.operand(1).constant_int()) {
        (None, Some(step)) => Some((sum.operand(0), step)),
        (Some(step), None) => Some((sum.operand(1), step)),
        _ => None,
    });
    parts.map_or((same_number(number), 0), |(base, step)| (same_number(base), step))
}

/// The number without what only makes it wider or repeats it.
fn same_number(value: Value<'_>) -> Value<'_> {
    match value.defining_op() {
        Some(op) if matches!(op.kind(), OpKind::ArithExtSI | OpKind::TtBroadcast) => same_number(op.operand(0)),
        _ => value,
    }
}

/// Whether the condition says that the number is at least `least`.
fn says_at_least<'c>(condition: Value<'c>, number: Value<'c>, least: i64) -> bool {
    let Some(test) = condition.defining_op().filter(|op| op.kind() == OpKind::ArithCmpI) else { return false };
    let Some(predicate) = test.int_attr("predicate").and_then(CmpI::from_number) else { return false };
    let (left, right) = (test.operand(0), test.operand(1));
    let says = match (left.constant_int(), right.constant_int()) {
        (None, Some(bound)) => lower_bound(predicate, bound).map(|bound| (left, bound)),
        (Some(bound), None) => {
            turned(predicate).and_then(|turned| lower_bound(turned, bound)).map(|bound| (right, bound))
        }
        _ => None,
    };
    says.is_some_and(|(of, bound)| same_number(of) == number && bound >= least)
}

/// The least number that compares so with a constant.
fn lower_bound(predicate: CmpI, constant: i64) -> Option<i64> {
    match predicate {
        CmpI::Sge | CmpI::Eq => Some(constant),
        CmpI::Sgt => constant.checked_add(1),
        CmpI::Ne | CmpI::Slt | CmpI::Sle | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
    }
}

/// The comparison with its sides exchanged, where that gives a lower bound.
fn turned(predicate: CmpI) -> Option<CmpI> {
    match predicate {
        CmpI::Sle => Some(CmpI::Sge),
        CmpI::Slt => Some(CmpI::Sgt),
        CmpI::Eq => Some(CmpI::Eq),
        CmpI::Ne | CmpI::Sge | CmpI::Sgt | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => None,
    }
}
