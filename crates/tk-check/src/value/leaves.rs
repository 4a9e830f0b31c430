//! The run-time values that a meaning is made of, as blocks and calls pass them on.

use super::Val;
use crate::checked::Value;

/// Replaces the run-time values of a pattern by new ones, in order.
pub(crate) fn refill<'a>(pattern: &Val<'a>, values: &mut impl Iterator<Item = Value>) -> Val<'a> {
    match pattern {
        Val::Value(old) => Val::Value(values.next().unwrap_or(*old)),
        other => match (other.compound(), other.parts()) {
            (Some(inner), _) => other.with_compound(&refill(&inner, values)),
            (None, Some(parts)) if !other.is_constant() => {
                other.with_parts(parts.iter().map(|part| refill(part, values)).collect())
            }
            _ => other.clone(),
        },
    }
}

/// Collects the run-time values of a meaning in the order of [`refill`]; false when it cannot pass through a block.
pub(crate) fn leaves_of(val: &Val, out: &mut Vec<Value>) -> bool {
    match val {
        Val::Value(value) => {
            out.push(*value);
            true
        }
        Val::Absent(_) | Val::Poison => false,
        other => match other.compound() {
            Some(values) => leaves_of(&values, out),
            None => other.parts().is_none_or(|parts| parts.iter().all(|part| leaves_of(part, out))),
        },
    }
}
