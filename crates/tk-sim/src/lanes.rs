//! The 32 lanes of a warp as one value, and functions over them.
//!
//! A register holds one 64-bit word per lane, zero-extended from the register's width. An arithmetic instruction decodes to a
//! pointer to a function over whole warps ([`Fn2`] and its kin); the interpreter blends the result under the active mask.
//! One word size for every register costs some memory and saves a second and third copy of every instruction.

use crate::number::{BF16, F16};

/// One register of one warp.
pub(crate) type Lanes = [u64; 32];

pub(crate) type Fn1 = fn(&mut Lanes, &Lanes);
pub(crate) type Fn2 = fn(&mut Lanes, &Lanes, &Lanes);
pub(crate) type Fn3 = fn(&mut Lanes, &Lanes, &Lanes, &Lanes);
pub(crate) type Fn4 = fn(&mut Lanes, &Lanes, &Lanes, &Lanes, &Lanes);
/// A comparison: one bit per lane.
pub(crate) type Test = fn(&Lanes, &Lanes) -> u32;

/// A value that a register can hold.
pub(crate) trait Word: Copy {
    fn take(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! integer_words {
    ($($ty:ty as $unsigned:ty),*) => {$(
        impl Word for $ty {
            #[inline(always)]
            fn take(bits: u64) -> Self { bits as $ty }
            #[inline(always)]
            fn bits(self) -> u64 { self as $unsigned as u64 }
        }
    )*};
}
integer_words!(u8 as u8, u16 as u16, u32 as u32, u64 as u64, i8 as u8, i16 as u16, i32 as u32, i64 as u64);

impl Word for f32 {
    #[inline(always)]
    fn take(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Word for f64 {
    #[inline(always)]
    fn take(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Word for F16 {
    #[inline(always)]
    fn take(bits: u64) -> Self {
        F16(bits as u16)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.0)
    }
}

impl Word for BF16 {
    #[inline(always)]
    fn take(bits: u64) -> Self {
        BF16(bits as u16)
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.0)
    }
}

/// `map!(u32: |a, b| a.wrapping_add(b))`: the lane function of a scalar expression.
macro_rules! map {
    ($ty:ty: |$a:ident| $body:expr) => {{
        fn run(out: &mut $crate::lanes::Lanes, x: &$crate::lanes::Lanes) {
            for i in 0..32 {
                let $a = <$ty as $crate::lanes::Word>::take(x[i]);
                out[i] = $crate::lanes::Word::bits($body);
            }
        }
        run as $crate::lanes::Fn1
    }};
    ($ta:ty, $tb:ty: |$a:ident, $b:ident| $body:expr) => {{
        fn run(out: &mut $crate::lanes::Lanes, x: &$crate::lanes::Lanes, y: &$crate::lanes::Lanes) {
            for i in 0..32 {
                let $a = <$ta as $crate::lanes::Word>::take(x[i]);
                let $b = <$tb as $crate::lanes::Word>::take(y[i]);
                out[i] = $crate::lanes::Word::bits($body);
            }
        }
        run as $crate::lanes::Fn2
    }};
    ($ty:ty: |$a:ident, $b:ident| $body:expr) => { map!($ty, $ty: |$a, $b| $body) };
    ($ta:ty, $tb:ty, $tc:ty: |$a:ident, $b:ident, $c:ident| $body:expr) => {{
        fn run(
            out: &mut $crate::lanes::Lanes,
            x: &$crate::lanes::Lanes,
            y: &$crate::lanes::Lanes,
            z: &$crate::lanes::Lanes,
        ) {
            for i in 0..32 {
                let $a = <$ta as $crate::lanes::Word>::take(x[i]);
                let $b = <$tb as $crate::lanes::Word>::take(y[i]);
                let $c = <$tc as $crate::lanes::Word>::take(z[i]);
                out[i] = $crate::lanes::Word::bits($body);
            }
        }
        run as $crate::lanes::Fn3
    }};
    ($ty:ty: |$a:ident, $b:ident, $c:ident| $body:expr) => { map!($ty, $ty, $ty: |$a, $b, $c| $body) };
    ($ta:ty, $tb:ty, $tc:ty, $td:ty: |$a:ident, $b:ident, $c:ident, $d:ident| $body:expr) => {{
        fn run(
            out: &mut $crate::lanes::Lanes,
            x: &$crate::lanes::Lanes,
            y: &$crate::lanes::Lanes,
            z: &$crate::lanes::Lanes,
            w: &$crate::lanes::Lanes,
        ) {
            for i in 0..32 {
                let $a = <$ta as $crate::lanes::Word>::take(x[i]);
                let $b = <$tb as $crate::lanes::Word>::take(y[i]);
                let $c = <$tc as $crate::lanes::Word>::take(z[i]);
                let $d = <$td as $crate::lanes::Word>::take(w[i]);
                out[i] = $crate::lanes::Word::bits($body);
            }
        }
        run as $crate::lanes::Fn4
    }};
}
pub(crate) use map;

/// `test!(i32: |a, b| a < b)`: one bit per lane.
macro_rules! test {
    ($ty:ty: |$a:ident, $b:ident| $body:expr) => {{
        fn run(x: &$crate::lanes::Lanes, y: &$crate::lanes::Lanes) -> u32 {
            let mut mask = 0u32;
            for i in 0..32 {
                let $a = <$ty as $crate::lanes::Word>::take(x[i]);
                let $b = <$ty as $crate::lanes::Word>::take(y[i]);
                mask |= u32::from($body) << i;
            }
            mask
        }
        run as $crate::lanes::Test
    }};
}
pub(crate) use test;

/// The lanes of a mask, lowest first.
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}
