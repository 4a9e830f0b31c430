//! Fused multiply-add with the processor's own instruction.
//!
//! Without it `mul_add` is a library call per lane, which makes products of f32 matrices ten times slower. The binary must
//! run on processors without FMA, so the choice is made when a kernel is decoded.
#![allow(unsafe_code, reason = "calls a function compiled for a processor feature after checking for it")]

use super::float::{finish, flush};
use crate::lanes::{Fn3, Lanes, Word};

/// `fma.rn.f32`, fast; none where the processor has no such instruction.
pub(super) fn single(ftz: bool, saturate: bool) -> Option<Fn3> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx2") {
        return Some(match (ftz, saturate) {
            (false, false) => with_fma::<false, false>,
            (false, true) => with_fma::<false, true>,
            (true, false) => with_fma::<true, false>,
            (true, true) => with_fma::<true, true>,
        });
    }
    let _ = (ftz, saturate);
    None
}

#[cfg(target_arch = "x86_64")]
fn with_fma<const FTZ: bool, const SAT: bool>(out: &mut Lanes, x: &Lanes, y: &Lanes, z: &Lanes) {
    // SAFETY: `single` gives this function away only after it has found both features.
    unsafe { fused::<FTZ, SAT>(out, x, y, z) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "fma,avx2")]
fn fused<const FTZ: bool, const SAT: bool>(out: &mut Lanes, x: &Lanes, y: &Lanes, z: &Lanes) {
    for i in 0..32 {
        let (a, b, c) = (f32::take(x[i]), f32::take(y[i]), f32::take(z[i]));
        out[i] = finish::<FTZ, SAT>(flush::<FTZ>(a).mul_add(flush::<FTZ>(b), flush::<FTZ>(c)));
    }
}

/// The sizes of a product: A is `rows` by `depth`, B `depth` by `columns`, all row after row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DotSizes {
    /// A multiple of 4.
    pub(crate) rows: usize,
    pub(crate) depth: usize,
    /// A multiple of 8.
    pub(crate) columns: usize,
}

/// Adds A times B to sums, each of which takes its products in the order of k, rounded one by one. `exact` says that the products
/// have no rounding of their own, so that a fused multiply-add gives the same.
pub(crate) fn add_products(a: &[f32], b: &[f32], sums: &mut [f32], sizes: DotSizes, exact: bool) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: both features are there.
        return unsafe { if exact { wide_fused(a, b, sums, sizes) } else { wide(a, b, sums, sizes) } };
    }
    let _ = exact;
    tiles::<false>(a, b, sums, sizes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "fma,avx2")]
fn wide_fused(a: &[f32], b: &[f32], sums: &mut [f32], sizes: DotSizes) {
    tiles::<true>(a, b, sums, sizes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn wide(a: &[f32], b: &[f32], sums: &mut [f32], sizes: DotSizes) {
    tiles::<false>(a, b, sums, sizes);
}

/// Tiles of 4 by 16 sums, which stay in registers while k runs.
#[inline(always)]
fn tiles<const FUSED: bool>(a: &[f32], b: &[f32], sums: &mut [f32], sizes: DotSizes) {
    for row in (0..sizes.rows).step_by(4) {
        let whole = sizes.columns / 16 * 16;
        for column in (0..whole).step_by(16) {
            tile::<FUSED, 16>(a, b, sums, sizes, (row, column));
        }
        if whole < sizes.columns {
            tile::<FUSED, 8>(a, b, sums, sizes, (row, whole));
        }
    }
}

#[inline(always)]
fn tile<const FUSED: bool, const WIDTH: usize>(
    a: &[f32],
    b: &[f32],
    sums: &mut [f32],
    DotSizes { depth, columns, .. }: DotSizes,
    (row, column): (usize, usize),
) {
    let mut acc = [[0f32; WIDTH]; 4];
    for (i, acc) in acc.iter_mut().enumerate() {
        acc.copy_from_slice(&sums[(row + i) * columns + column..][..WIDTH]);
    }
    for k in 0..depth {
        let b = &b[k * columns + column..][..WIDTH];
        for (i, acc) in acc.iter_mut().enumerate() {
            let x = a[(row + i) * depth + k];
            for j in 0..WIDTH {
                acc[j] = if FUSED { x.mul_add(b[j], acc[j]) } else { acc[j] + x * b[j] };
            }
        }
    }
    for (i, acc) in acc.iter().enumerate() {
        sums[(row + i) * columns + column..][..WIDTH].copy_from_slice(acc);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn products_are_added_in_order() {
        let mut random = ChaCha8Rng::seed_from_u64(4);
        for (columns, exact) in [(8, true), (24, true), (64, false)] {
            let sizes = DotSizes { rows: 8, depth: 16, columns };
            // Numbers of 8 bits, whose products are exact.
            let mut next =
                |n: usize| (0..n).map(|_| random.random_range(-128..128) as f32 / 3.0f32.exp2()).collect::<Vec<f32>>();
            let (a, b, mut sums) = (next(8 * 16), next(16 * columns), next(8 * columns));
            let wanted: Vec<f32> = (0..8 * columns)
                .map(|i| (0..16).fold(sums[i], |sum, k| sum + a[i / columns * 16 + k] * b[k * columns + i % columns]))
                .collect();
            add_products(&a, &b, &mut sums, sizes, exact);
            assert_eq!(sums, wanted);
        }
    }

    #[test]
    fn the_fast_form_gives_what_the_library_gives() {
        let Some(fast) = single(false, false) else { return };
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..2000 {
            let mut next = || std::array::from_fn(|_| u64::from(random.random::<u32>()));
            let (x, y, z): (Lanes, Lanes, Lanes) = (next(), next(), next());
            let mut out = [0; 32];
            fast(&mut out, &x, &y, &z);
            for i in 0..32 {
                let wanted = f32::take(x[i]).mul_add(f32::take(y[i]), f32::take(z[i]));
                assert_eq!(out[i], super::super::canonical(wanted), "{i}");
            }
        }
    }
}
