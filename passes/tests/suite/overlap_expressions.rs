//! What operations compute in the overlap test: tensors as hashes of expressions, integers as numbers.

use std::hash::{DefaultHasher, Hash, Hasher};
use tk_ir::{Op, OpKind};

/// Equal for equal parts.
pub(crate) fn hash(parts: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    parts.hash(&mut hasher);
    hasher.finish()
}

/// The expression of an operation; layouts and what passes note on it do not count.
pub(crate) fn meaning(op: Op<'_>, parts: &[u64]) -> u64 {
    let counts = |name: &str| !name.contains('.') && name != "operandSegmentSizes";
    let mut attributes: Vec<String> = op
        .attrs()
        .into_iter()
        .filter(|(name, _)| counts(name))
        .map(|(name, value)| format!("{name}={}", value.as_splat().unwrap_or(value)))
        .collect();
    attributes.sort();
    let inner: Vec<&str> = op.descendants().into_iter().map(|op| op.name()).collect();
    hash((op.name(), parts, attributes, inner))
}

/// The result of scalar integer arithmetic.
pub(crate) fn number(op: Op<'_>, operands: &[i64]) -> Option<i64> {
    use OpKind::*;
    let binary = || Some((*operands.first()?, *operands.get(1)?));
    Some(match op.kind() {
        ArithConstant => op.result(0).constant_int()?,
        ArithAddI => binary().map(|(a, b)| a + b)?,
        ArithSubI => binary().map(|(a, b)| a - b)?,
        ArithMulI => binary().map(|(a, b)| a * b)?,
        ArithDivSI => binary().and_then(|(a, b)| a.checked_div(b))?,
        ArithRemSI => binary().and_then(|(a, b)| a.checked_rem(b))?,
        ArithMinSI => binary().map(|(a, b)| a.min(b))?,
        ArithMaxSI => binary().map(|(a, b)| a.max(b))?,
        ArithAndI => binary().map(|(a, b)| a & b)?,
        ArithXOrI => binary().map(|(a, b)| a ^ b)?,
        ArithOrI => binary().map(|(a, b)| a | b)?,
        ArithExtSI | ArithTruncI => *operands.first()?,
        ArithSelect => operands[if operands[0] != 0 { 1 } else { 2 }],
        ArithCmpI => {
            let (a, b) = binary()?;
            let holds = match tk_ir::ops::CmpI::from_number(op.int_attr("predicate")?)?.name() {
                "eq" => a == b,
                "ne" => a != b,
                "slt" => a < b,
                "sle" => a <= b,
                "sgt" => a > b,
                "sge" => a >= b,
                _ => return None,
            };
            holds.into()
        }
        _ => return None,
    })
}
