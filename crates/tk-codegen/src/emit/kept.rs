//! What is known where a result is kept: `where(x > 0, log(1 + x), exp(x))` takes the logarithm only of numbers that are above one.
//!
//! What a selection drops may be anything, so what its condition says of the elements that it keeps holds for all that are computed for it alone.

use super::family::{Family, Float, Integer};
use super::least::Known;
use tk_ir::ops::CmpF;
use tk_ir::{Op, OpKind, Value};

/// Operations that a result may pass through, one after the other.
const MOST_STEPS: usize = 16;

/// Numbers of which the selections that keep the results of `op` say how small they are, at least.
pub(super) fn known_where_kept<'c>(op: Op<'c>) -> Vec<Known<'c>> {
    let mut known = Vec::new();
    let mut value = op.result(0);
    for _ in 0..MOST_STEPS {
        let users = value.users();
        let [(user, operand)] = users[..] else { break };
        // Every step is in the same iteration, and each element of its result comes from the same elements.
        if user.block() != op.block() || user.num_results() != 1 {
            break;
        }
        match Family::of(user.kind()) {
            Family::Integer(Integer::ArithSelect) if operand == 0 => break,
            Family::Integer(Integer::ArithSelect) => known.extend(known_if(user.operand(0), operand == 1)),
            Family::Float(Float::ArithCmpF) => break,
            Family::Float(_) | Family::Cast(_) => {}
            _ => break,
        }
        value = user.result(0);
    }
    known
}

/// What the comparison of a number with a constant says of the number where its outcome is `outcome`. NaN is left out: nothing is said of it.
fn known_if(condition: Value<'_>, outcome: bool) -> Option<Known<'_>> {
    let comparison = condition.defining_op().filter(|op| op.kind() == OpKind::ArithCmpF)?;
    let (left, right) = (comparison.operand(0), comparison.operand(1));
    let is_above = is_above(CmpF::from_number(comparison.int_attr("predicate")?)?)?;
    match (left.constant_float(), right.constant_float()) {
        (None, Some(least)) if is_above == outcome => Some(Known { value: left, least }),
        (Some(least), None) if is_above != outcome => Some(Known { value: right, least }),
        _ => None,
    }
    .filter(|known| !known.least.is_nan())
}

/// Whether the left number is no less than the right one where the comparison holds; false where it is no greater. `None` for other comparisons.
fn is_above(comparison: CmpF) -> Option<bool> {
    match comparison {
        CmpF::Ogt | CmpF::Oge | CmpF::Ugt | CmpF::Uge => Some(true),
        CmpF::Olt | CmpF::Ole | CmpF::Ult | CmpF::Ule => Some(false),
        CmpF::Oeq | CmpF::One | CmpF::Ord | CmpF::Ueq | CmpF::Une | CmpF::Uno => None,
        CmpF::AlwaysFalse | CmpF::AlwaysTrue => None,
    }
}
