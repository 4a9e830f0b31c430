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

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

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
