//! How operations that only move values around transform [`AxisInfo`]: splat, expand, broadcast, reshape, transpose.

use super::axis_info::{AxisInfo, gcd};

fn carry(from: &AxisInfo, mut to: AxisInfo) -> AxisInfo {
    to.constant = from.constant;
    to.non_negative = from.non_negative;
    to
}

/// `tt.splat` of a scalar to a shape.
pub fn splat(scalar: &AxisInfo, shape: &[u64]) -> AxisInfo {
    let divisibility = scalar.divisibility.first().copied().unwrap_or(1);
    carry(scalar, AxisInfo::new(vec![1; shape.len()], vec![divisibility; shape.len()], shape.to_vec()))
}

/// `tt.expand_dims`: a new axis of size 1.
pub fn expand_dims(info: &AxisInfo, axis: usize) -> AxisInfo {
    let mut out = info.clone();
    let axis = axis.min(out.rank());
    out.divisibility.insert(axis, info.overall_divisor());
    out.contiguity.insert(axis, 1);
    out.constancy.insert(axis, 1);
    carry(info, AxisInfo::new(out.contiguity, out.divisibility, out.constancy))
}

/// `tt.broadcast`: axes of size 1 are repeated.
pub fn broadcast(info: &AxisInfo, from: &[u64], to: &[u64]) -> AxisInfo {
    let mut out = info.clone();
    for d in 0..info.rank().min(from.len()).min(to.len()) {
        if from[d] == 1 && to[d] != 1 {
            out.contiguity[d] = 1;
            out.constancy[d] = to[d];
        }
    }
    carry(info, AxisInfo::new(out.contiguity, out.divisibility, out.constancy))
}

/// `tt.trans`: result axis `d` is operand axis `order[d]`.
pub fn transpose(info: &AxisInfo, order: &[usize]) -> AxisInfo {
    let permute = |v: &[u64]| order.iter().map(|&d| v.get(d).copied().unwrap_or(1)).collect();
    carry(info, AxisInfo::new(permute(&info.contiguity), permute(&info.divisibility), permute(&info.constancy)))
}

/// `tt.reshape` in row-major order; shapes hold powers of two, `unit` as in [`AxisInfo::join`].
///
/// A step along a result axis of flat stride `s` is a step along the operand axis whose stride interval contains `s`; runs
/// survive when the strides are equal, and runs of equal values also when they are not.
pub fn reshape(info: &AxisInfo, from: &[u64], to: &[u64], unit: u64) -> AxisInfo {
    if info.rank() != from.len() || from.iter().product::<u64>() != to.iter().product::<u64>() {
        return AxisInfo::unknown(to.len());
    }
    let overall = info.overall_divisor();
    let (mut c, mut d, mut k) = (vec![1; to.len()], vec![overall; to.len()], vec![1; to.len()]);
    let from_strides = strides(from);
    for (axis, &stride) in strides(to).iter().enumerate() {
        let containing =
            (0..from.len()).rev().find(|&i| stride < from_strides[i] * from[i] && stride >= from_strides[i]);
        let Some(source) = containing else {
            // Only axes of size 1 lie outside every interval.
            continue;
        };
        if stride == from_strides[source] {
            c[axis] = gcd(info.contiguity[source], to[axis]);
            d[axis] = info.divisor_of_shorter_runs(source, c[axis], unit).max(overall);
        }
        k[axis] = constant_run(info, from, &from_strides, source, stride).min(to[axis]);
    }
    carry(info, AxisInfo::new(c, d, k))
}

/// How many steps of `stride` from an aligned place keep the value.
fn constant_run(info: &AxisInfo, from: &[u64], from_strides: &[u64], source: usize, stride: u64) -> u64 {
    let mut run = info.constancy[source] * from_strides[source];
    let mut axis = source;
    // An axis that is constant throughout continues into the next slower one.
    while info.constancy[axis] >= from[axis] && axis > 0 {
        axis -= 1;
        run = info.constancy[axis].min(from[axis]) * from_strides[axis];
    }
    (run / stride).max(1)
}

fn strides(shape: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; shape.len()];
    for d in (0..shape.len().saturating_sub(1)).rev() {
        strides[d] = strides[d + 1] * shape[d + 1];
    }
    strides
}
