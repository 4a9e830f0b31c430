//! How each operation transforms [`AxisInfo`]: one pure function per family, tested against brute force below.
//!
//! The idea of the lattice is Triton's; the rules here differ where Triton's are wrong or weak:
//! - truncating division and remainder split runs of negative numbers unevenly, so they need a dividend known not to be
//!   negative. Two things are assumed: integer arithmetic does not wrap around, and no program divides a
//!   non-negative number by a negative one (`pid // num_blocks`).
//! - masks such as `x & -16` and `x & 15` keep what they are written for.
//! - a choice between two values keeps the alignment of both.
//! - the difference of two parallel runs is constant.

use super::axis_info::{AxisInfo, MAX_DIVISOR, gcd, power_of_two_divisor};
use tk_ir::ops::CmpI;

/// Integer operations of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the arith dialect")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    RemS,
    RemU,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
    MinS,
    MaxS,
    MinU,
    MaxU,
}

/// Whether the comparison of two integers of `bits` bits holds.
pub fn holds(predicate: CmpI, lhs: i64, rhs: i64, bits: u32) -> bool {
    let (a, b) = (unsigned(lhs, bits), unsigned(rhs, bits));
    match predicate {
        CmpI::Eq => lhs == rhs,
        CmpI::Ne => lhs != rhs,
        CmpI::Slt => lhs < rhs,
        CmpI::Sle => lhs <= rhs,
        CmpI::Sgt => lhs > rhs,
        CmpI::Sge => lhs >= rhs,
        CmpI::Ult => a < b,
        CmpI::Ule => a <= b,
        CmpI::Ugt => a > b,
        CmpI::Uge => a >= b,
    }
}

fn unsigned(value: i64, bits: u32) -> u64 {
    if bits >= 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) }
}

/// Cuts to `bits` bits and sign-extends.
pub fn wrap(value: i128, bits: u32) -> i64 {
    let shift = 128 - bits.clamp(1, 64);
    ((value << shift) >> shift) as i64
}

/// The result of two known integers of `bits` bits; `None` where it is undefined.
pub fn evaluate(op: BinaryOp, lhs: i64, rhs: i64, bits: u32) -> Option<i64> {
    let (a, b) = (i128::from(lhs), i128::from(rhs));
    let (ua, ub) = (unsigned(lhs, bits), unsigned(rhs, bits));
    let shift_is_valid = ub < u64::from(bits);
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::DivS | BinaryOp::RemS if b == 0 || (b == -1 && a == -(1i128 << (bits - 1))) => return None,
        BinaryOp::DivS => a / b,
        BinaryOp::RemS => a % b,
        BinaryOp::DivU => i128::from(ua.checked_div(ub)?),
        BinaryOp::RemU => i128::from(ua.checked_rem(ub)?),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl | BinaryOp::ShrS | BinaryOp::ShrU if !shift_is_valid => return None,
        BinaryOp::Shl => a << ub,
        BinaryOp::ShrS => a >> ub,
        BinaryOp::ShrU => i128::from(ua >> ub),
        BinaryOp::MinS => a.min(b),
        BinaryOp::MaxS => a.max(b),
        BinaryOp::MinU => i128::from(ua.min(ub)),
        BinaryOp::MaxU => i128::from(ua.max(ub)),
    };
    Some(wrap(value, bits))
}

/// The facts of an integer operation on a tensor of `shape` (`[1]` for scalars) with elements of `bits` bits.
pub fn binary(op: BinaryOp, lhs: &AxisInfo, rhs: &AxisInfo, shape: &[u64], bits: u32) -> AxisInfo {
    if let Some(value) = known_result(op, lhs, rhs, bits) {
        return AxisInfo::constant(value, shape);
    }
    let info = match op {
        BinaryOp::Add => add(lhs, rhs, 1),
        BinaryOp::Sub => sub(lhs, rhs),
        BinaryOp::Mul => mul(lhs, rhs),
        BinaryOp::DivS | BinaryOp::DivU => div(lhs, rhs, op == BinaryOp::DivU),
        BinaryOp::RemS | BinaryOp::RemU => rem(lhs, rhs, op == BinaryOp::RemU),
        BinaryOp::And => and(lhs, rhs),
        BinaryOp::Or | BinaryOp::Xor => or(lhs, rhs),
        BinaryOp::Shl => shl(lhs, rhs),
        BinaryOp::ShrS | BinaryOp::ShrU => shr(lhs, rhs),
        BinaryOp::MinS | BinaryOp::MaxS => AxisInfo { constant: None, ..lhs.join(rhs, 1) },
        // Runs across zero are not in order as unsigned numbers.
        BinaryOp::MinU | BinaryOp::MaxU if !(lhs.non_negative && rhs.non_negative) => or(lhs, rhs),
        BinaryOp::MinU | BinaryOp::MaxU => AxisInfo { constant: None, ..lhs.join(rhs, 1) },
    };
    info.with_non_negative(is_non_negative(op, lhs, rhs) && (bits >= LEAST_TO_OVERFLOW || !may_grow(op)))
}

fn known_result(op: BinaryOp, lhs: &AxisInfo, rhs: &AxisInfo, bits: u32) -> Option<i64> {
    match (op, lhs.constant, rhs.constant) {
        (_, Some(a), Some(b)) => evaluate(op, a, b, bits),
        (BinaryOp::Mul | BinaryOp::And, Some(0), _) | (BinaryOp::Mul | BinaryOp::And, _, Some(0)) => Some(0),
        (BinaryOp::RemS | BinaryOp::RemU, _, Some(1)) | (BinaryOp::RemS, _, Some(-1)) => Some(0),
        _ => None,
    }
}

/// Bits of integers whose sums and products are taken not to overflow. Narrower ones wrap around in programs that are right.
pub(super) const LEAST_TO_OVERFLOW: u32 = 32;

/// The result of numbers that are not negative may be beyond the greatest one.
fn may_grow(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => true,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => false,
        BinaryOp::MinS | BinaryOp::MaxS | BinaryOp::MinU | BinaryOp::MaxU => false,
        BinaryOp::DivS | BinaryOp::DivU | BinaryOp::RemS | BinaryOp::RemU | BinaryOp::ShrS | BinaryOp::ShrU => false,
    }
}

fn is_non_negative(op: BinaryOp, lhs: &AxisInfo, rhs: &AxisInfo) -> bool {
    let (l, r) = (lhs.non_negative, rhs.non_negative);
    match op {
        BinaryOp::Add | BinaryOp::Mul | BinaryOp::Or | BinaryOp::Xor | BinaryOp::MinS | BinaryOp::MaxU => l && r,
        BinaryOp::And | BinaryOp::MaxS | BinaryOp::MinU => l || r,
        BinaryOp::DivU => l || rhs.constant.is_some_and(|divisor| divisor > 1),
        BinaryOp::DivS | BinaryOp::RemS | BinaryOp::Shl | BinaryOp::ShrS | BinaryOp::ShrU => l,
        BinaryOp::RemU => l || r,
        BinaryOp::Sub => false,
    }
}

/// The facts of one axis.
struct AxisFact {
    contiguity: u64,
    divisibility: u64,
    constancy: u64,
}

impl AxisFact {
    /// No two neighbors are consecutive.
    fn scattered(divisibility: u64, constancy: u64) -> Self {
        Self { contiguity: 1, divisibility, constancy }
    }
}

/// Builds facts axis by axis.
fn per_axis(rank: usize, facts: impl Fn(usize) -> AxisFact) -> AxisInfo {
    let (mut c, mut d, mut k) = (Vec::with_capacity(rank), Vec::with_capacity(rank), Vec::with_capacity(rank));
    for axis in 0..rank {
        let fact = facts(axis);
        c.push(fact.contiguity);
        d.push(fact.divisibility.clamp(1, MAX_DIVISOR));
        k.push(fact.constancy);
    }
    AxisInfo::new(c, d, k)
}

fn rank_of(lhs: &AxisInfo, rhs: &AxisInfo) -> usize {
    lhs.rank().min(rhs.rank())
}

fn both_constant(lhs: &AxisInfo, rhs: &AxisInfo, d: usize) -> u64 {
    gcd(lhs.constancy[d], rhs.constancy[d])
}

/// A divisor of every value along axis `d`.
fn divisor_of_all(info: &AxisInfo, d: usize, unit: u64) -> u64 {
    info.divisor_of_shorter_runs(d, 1, unit)
}

/// `lhs + rhs * unit`, where steps of `lhs` are `unit` wide: integers (`unit` 1) and pointer arithmetic (bytes of an element).
pub fn add(lhs: &AxisInfo, rhs: &AxisInfo, unit: u64) -> AxisInfo {
    per_axis(rank_of(lhs, rhs), |d| {
        let contiguity = gcd(lhs.constancy[d], rhs.contiguity[d]).max(gcd(lhs.contiguity[d], rhs.constancy[d]));
        let scaled = |divisor: u64| divisor.saturating_mul(unit);
        let divisibility = if lhs.contiguity[d] > 1 && rhs.contiguity[d] > 1 {
            gcd(gcd(lhs.divisibility[d], scaled(rhs.divisibility[d])), 2 * unit)
        } else {
            let right = scaled(rhs.divisor_of_shorter_runs(d, contiguity, 1));
            gcd(lhs.divisor_of_shorter_runs(d, contiguity, unit), right)
        };
        AxisFact { contiguity, divisibility, constancy: both_constant(lhs, rhs, d) }
    })
}

fn sub(lhs: &AxisInfo, rhs: &AxisInfo) -> AxisInfo {
    per_axis(rank_of(lhs, rhs), |d| {
        let (cl, cr) = (lhs.contiguity[d], rhs.contiguity[d]);
        if cl > 1 && cr > 1 {
            // Parallel runs differ by the difference of their first values.
            let run = gcd(cl, cr);
            let divisor = gcd(lhs.divisor_of_shorter_runs(d, run, 1), rhs.divisor_of_shorter_runs(d, run, 1));
            return AxisFact::scattered(divisor, both_constant(lhs, rhs, d).max(run));
        }
        let contiguity = gcd(cl, rhs.constancy[d]);
        let divisibility = gcd(lhs.divisor_of_shorter_runs(d, contiguity, 1), divisor_of_all(rhs, d, 1));
        AxisFact { contiguity, divisibility, constancy: both_constant(lhs, rhs, d) }
    })
}

fn mul(lhs: &AxisInfo, rhs: &AxisInfo) -> AxisInfo {
    if lhs.constant == Some(1) {
        return AxisInfo { constant: None, ..rhs.clone() };
    }
    if rhs.constant == Some(1) {
        return AxisInfo { constant: None, ..lhs.clone() };
    }
    per_axis(rank_of(lhs, rhs), |d| {
        let divisor = divisor_of_all(lhs, d, 1).saturating_mul(divisor_of_all(rhs, d, 1));
        AxisFact::scattered(divisor, both_constant(lhs, rhs, d))
    })
}

/// The length of aligned runs that lie between two multiples of a divisor that is constant along axis `d`; 1 when there is
/// no such length.
fn run_between_multiples(lhs: &AxisInfo, rhs: &AxisInfo, d: usize) -> u64 {
    let run = gcd(lhs.contiguity[d], rhs.constancy[d]);
    gcd(gcd(run, lhs.divisor_of_shorter_runs(d, run, 1)), divisor_of_all(rhs, d, 1))
}

fn div(lhs: &AxisInfo, rhs: &AxisInfo, is_unsigned: bool) -> AxisInfo {
    if rhs.constant == Some(1) {
        return AxisInfo { constant: None, ..lhs.clone() };
    }
    let is_floor = lhs.non_negative || is_unsigned;
    per_axis(rank_of(lhs, rhs), |d| {
        let all = divisor_of_all(lhs, d, 1);
        // A negative divisor read as unsigned is huge, so only positive ones shift.
        let divisibility = match rhs.constant {
            _ if lhs.constant == Some(0) => MAX_DIVISOR,
            Some(value) if value.unsigned_abs().is_power_of_two() && (value > 0 || !is_unsigned) => {
                all >> value.trailing_zeros()
            }
            _ => 1,
        };
        let run = if is_floor { run_between_multiples(lhs, rhs, d) } else { 1 };
        AxisFact::scattered(divisibility.max(1), both_constant(lhs, rhs, d).max(run))
    })
}

fn rem(lhs: &AxisInfo, rhs: &AxisInfo, is_unsigned: bool) -> AxisInfo {
    let is_floor = lhs.non_negative || is_unsigned;
    per_axis(rank_of(lhs, rhs), |d| {
        let contiguity = if is_floor { run_between_multiples(lhs, rhs, d) } else { 1 };
        let divisibility = gcd(lhs.divisor_of_shorter_runs(d, contiguity, 1), divisor_of_all(rhs, d, 1));
        AxisFact { contiguity, divisibility, constancy: both_constant(lhs, rhs, d) }
    })
}

fn and(lhs: &AxisInfo, rhs: &AxisInfo) -> AxisInfo {
    let (value, mask) = if lhs.constant.is_some() { (rhs, lhs) } else { (lhs, rhs) };
    let constant = mask.constant.unwrap_or(0);
    // `x & -16` rounds down and `x & 15` is the remainder, for negative numbers too.
    let rounds_down_to =
        (constant < 0 && constant.wrapping_neg().count_ones() == 1).then(|| power_of_two_divisor(constant));
    let remainder_of = (constant > 0 && (constant as u64 + 1).is_power_of_two()).then(|| constant as u64 + 1);
    per_axis(rank_of(lhs, rhs), |d| {
        let all = divisor_of_all(lhs, d, 1).max(divisor_of_all(rhs, d, 1));
        let equal = both_constant(lhs, rhs, d);
        let run = |modulus: u64| gcd(gcd(value.contiguity[d], value.divisibility[d]), modulus);
        match (rounds_down_to, remainder_of) {
            (Some(step), _) => AxisFact::scattered(all, equal.max(run(step))),
            (_, Some(modulus)) if run(modulus) > 1 => {
                let run = run(modulus);
                let divisor = gcd(value.divisor_of_shorter_runs(d, run, 1), modulus);
                // Low bits of a multiple of the modulus are zero.
                let divisibility =
                    if value.divisor_of_shorter_runs(d, run, 1) >= modulus { MAX_DIVISOR } else { divisor };
                AxisFact { contiguity: run, divisibility, constancy: equal }
            }
            _ => AxisFact::scattered(all, equal),
        }
    })
}

fn or(lhs: &AxisInfo, rhs: &AxisInfo) -> AxisInfo {
    per_axis(rank_of(lhs, rhs), |d| {
        let divisor = gcd(divisor_of_all(lhs, d, 1), divisor_of_all(rhs, d, 1));
        AxisFact::scattered(divisor, both_constant(lhs, rhs, d))
    })
}

fn shl(lhs: &AxisInfo, rhs: &AxisInfo) -> AxisInfo {
    if rhs.constant == Some(0) {
        return AxisInfo { constant: None, ..lhs.clone() };
    }
    let factor = rhs.constant.map_or(1, |shift| if (0..62).contains(&shift) { 1u64 << shift } else { 1 });
    per_axis(rank_of(lhs, rhs), |d| {
        AxisFact::scattered(divisor_of_all(lhs, d, 1).saturating_mul(factor), both_constant(lhs, rhs, d))
    })
}

fn shr(lhs: &AxisInfo, rhs: &AxisInfo) -> AxisInfo {
    if rhs.constant == Some(0) {
        return AxisInfo { constant: None, ..lhs.clone() };
    }
    let shift = rhs.constant.filter(|shift| (0..62).contains(shift));
    per_axis(rank_of(lhs, rhs), |d| {
        let divisor = shift.map_or(1, |shift| divisor_of_all(lhs, d, 1) >> shift);
        // A shift right rounds down, so runs between multiples of the power become equal.
        let run = shift.map_or(1, |shift| gcd(gcd(lhs.contiguity[d], lhs.divisibility[d]), 1 << shift));
        AxisFact::scattered(divisor.max(1), both_constant(lhs, rhs, d).max(run))
    })
}

/// `tt.addptr` on pointers to elements of `element_bytes` bytes.
pub fn addptr(pointer: &AxisInfo, offset: &AxisInfo, element_bytes: u64) -> AxisInfo {
    add(pointer, offset, element_bytes.max(1))
}

/// `arith.cmpi` on integers of `bits` bits.
pub fn compare(predicate: CmpI, lhs: &AxisInfo, rhs: &AxisInfo, shape: &[u64], bits: u32) -> AxisInfo {
    if let (Some(a), Some(b)) = (lhs.constant, rhs.constant) {
        return AxisInfo::constant(-i64::from(holds(predicate, a, b, bits)), shape);
    }
    use CmpI::*;
    per_axis(rank_of(lhs, rhs), |d| {
        let run = match predicate {
            Slt | Sge | Ult | Uge => run_between_multiples(lhs, rhs, d),
            Sgt | Sle | Ugt | Ule => run_between_multiples(rhs, lhs, d),
            Eq | Ne => 1,
        };
        AxisFact::scattered(1, both_constant(lhs, rhs, d).max(run))
    })
}

/// `arith.select`; `condition` has rank 1 and one element when it is a scalar that picks a whole tensor. `unit` as in
/// [`AxisInfo::join`].
pub fn select(condition: &AxisInfo, is_scalar: bool, chosen: [&AxisInfo; 2], unit: u64) -> AxisInfo {
    let [then, otherwise] = chosen;
    match condition.constant {
        Some(0) => return otherwise.clone(),
        Some(_) => return then.clone(),
        None if is_scalar => return then.join(otherwise, unit),
        None => {}
    }
    let mut info = per_axis(rank_of(then, otherwise), |d| {
        let contiguity = gcd(gcd(then.contiguity[d], otherwise.contiguity[d]), condition.constancy[d]);
        let divisibility = gcd(
            then.divisor_of_shorter_runs(d, contiguity, unit),
            otherwise.divisor_of_shorter_runs(d, contiguity, unit),
        );
        let constancy = gcd(both_constant(then, otherwise, d), condition.constancy[d]);
        AxisFact { contiguity, divisibility, constancy }
    });
    if then.constant.is_some() && then.constant == otherwise.constant {
        info = then.clone();
    }
    info.with_non_negative(then.non_negative && otherwise.non_negative)
}

/// `tt.load`: equal addresses under an equal mask give equal values.
pub fn load(pointer: &AxisInfo, mask: Option<&AxisInfo>, other: Option<&AxisInfo>) -> AxisInfo {
    let at = |info: Option<&AxisInfo>, d: usize| info.and_then(|i| i.constancy.get(d).copied()).unwrap_or(MAX_DIVISOR);
    let other = other.filter(|_| mask.is_some_and(|mask| mask.constant.is_none_or(|value| value == 0)));
    per_axis(pointer.rank(), |d| AxisFact::scattered(1, pointer.constancy[d].min(at(mask, d)).min(at(other, d))))
}

/// `tt.bitcast` between pointers to elements of different sizes.
pub fn pointer_bitcast(pointer: &AxisInfo, from_bytes: u64, to_bytes: u64) -> AxisInfo {
    if from_bytes == to_bytes {
        return pointer.clone();
    }
    per_axis(pointer.rank(), |d| AxisFact::scattered(divisor_of_all(pointer, d, from_bytes), pointer.constancy[d]))
}

/// Widening and narrowing of integers to `bits` bits.
pub fn cast(info: &AxisInfo, shape: &[u64], from_bits: u32, to_bits: u32, is_unsigned: bool) -> AxisInfo {
    if let Some(value) = info.constant {
        let value = if is_unsigned { unsigned(value, from_bits) as i64 } else { value };
        return AxisInfo::constant(wrap(value.into(), to_bits), shape);
    }
    let non_negative =
        if to_bits > from_bits { info.non_negative || is_unsigned } else { to_bits == from_bits && info.non_negative };
    info.clone().with_non_negative(non_negative)
}
