//! Comparisons of `setp` and `set`.

use crate::lanes::{Test, map, test};
use crate::number::{BF16, F16};
use crate::ops::float::flush;
use tk_ptx::Type;

macro_rules! integers {
    ($ty:ty, $op:expr) => {
        match $op {
            "eq" => Some(test!($ty: |a, b| a == b)),
            "ne" => Some(test!($ty: |a, b| a != b)),
            "lt" | "lo" => Some(test!($ty: |a, b| a < b)),
            "le" | "ls" => Some(test!($ty: |a, b| a <= b)),
            "gt" | "hi" => Some(test!($ty: |a, b| a > b)),
            "ge" | "hs" => Some(test!($ty: |a, b| a >= b)),
            _ => None,
        }
    };
}

macro_rules! floats {
    ($ty:ty, $op:expr, |$x:ident| $read:expr) => {{
        #[inline(always)]
        fn read($x: $ty) -> f64 {
            $read
        }
        match $op {
            "eq" => Some(test!($ty: |a, b| read(a) == read(b))),
            "ne" => Some(test!($ty: |a, b| read(a) < read(b) || read(a) > read(b))),
            "lt" => Some(test!($ty: |a, b| read(a) < read(b))),
            "le" => Some(test!($ty: |a, b| read(a) <= read(b))),
            "gt" => Some(test!($ty: |a, b| read(a) > read(b))),
            "ge" => Some(test!($ty: |a, b| read(a) >= read(b))),
            "equ" => Some(test!($ty: |a, b| !(read(a) < read(b) || read(a) > read(b)))),
            "neu" => Some(test!($ty: |a, b| read(a) != read(b))),
            "ltu" => Some(test!($ty: |a, b| !(read(a) >= read(b)))),
            "leu" => Some(test!($ty: |a, b| !(read(a) > read(b)))),
            "gtu" => Some(test!($ty: |a, b| !(read(a) <= read(b)))),
            "geu" => Some(test!($ty: |a, b| !(read(a) < read(b)))),
            "num" => Some(test!($ty: |a, b| !read(a).is_nan() && !read(b).is_nan())),
            "nan" => Some(test!($ty: |a, b| read(a).is_nan() || read(b).is_nan())),
            _ => None,
        }
    }};
}

/// The comparison `op` of one type; packed types compare their low half (see [`upper`]).
#[allow(clippy::neg_cmp_op_on_partial_ord, reason = "unordered comparisons are true for NaN")]
pub(crate) fn test(op: &str, ty: Type, ftz: bool) -> Option<Test> {
    match ty {
        Type::B16 | Type::U16 => integers!(u16, op),
        Type::B32 | Type::U32 => integers!(u32, op),
        Type::B64 | Type::U64 => integers!(u64, op),
        Type::S16 => integers!(i16, op),
        Type::S32 => integers!(i32, op),
        Type::S64 => integers!(i64, op),
        Type::F32 if ftz => floats!(f32, op, |x| f64::from(flush::<true>(x))),
        Type::F32 => floats!(f32, op, |x| f64::from(x)),
        Type::F64 => floats!(f64, op, |x| x),
        Type::F16 | Type::F16x2 => floats!(F16, op, |x| f64::from(x.to_f32())),
        Type::BF16 | Type::BF16x2 => floats!(BF16, op, |x| f64::from(x.to_f32())),
        _ => None,
    }
}

/// Moves the upper halves of packed pairs down.
pub(crate) fn upper() -> crate::lanes::Fn1 {
    map!(u32: |a| a >> 16)
}

/// What `set` writes for true: all ones, or 1.0 of a float type.
pub(crate) fn set(destination: Type) -> Option<u64> {
    Some(match destination {
        Type::U32 | Type::S32 => 0xFFFF_FFFF,
        Type::U16 | Type::S16 => 0xFFFF,
        Type::F32 => 0x3F80_0000,
        Type::F16 => 0x3C00,
        Type::BF16 => 0x3F80,
        _ => return None,
    })
}

/// The same for each half of a packed pair.
pub(crate) fn set_half(destination: Type) -> Option<u64> {
    Some(match destination {
        Type::U32 | Type::S32 => 0xFFFF,
        Type::F16x2 => 0x3C00,
        Type::BF16x2 => 0x3F80,
        _ => return None,
    })
}

/// `slct`: a where c is not negative.
pub(crate) fn slct(wide: bool, float: bool) -> crate::lanes::Fn3 {
    match (wide, float) {
        (false, false) => map!(u32, u32, i32: |a, b, c| if c >= 0 { a } else { b }),
        (true, false) => map!(u64, u64, i32: |a, b, c| if c >= 0 { a } else { b }),
        (false, true) => map!(u32, u32, f32: |a, b, c| if c >= 0.0 { a } else { b }),
        (true, true) => map!(u64, u64, f32: |a, b, c| if c >= 0.0 { a } else { b }),
    }
}

/// `testp.kind`.
pub(crate) fn testp(kind: &str, ty: Type) -> Option<Test> {
    macro_rules! kinds {
        ($ty:ty) => {
            match kind {
                "finite" => Some(test!($ty: |a, b| { let _ = b; a.is_finite() })),
                "infinite" => Some(test!($ty: |a, b| { let _ = b; a.is_infinite() })),
                "number" => Some(test!($ty: |a, b| { let _ = b; !a.is_nan() })),
                "notanumber" => Some(test!($ty: |a, b| { let _ = b; a.is_nan() })),
                // Zero counts, as on an H200.
                "normal" => Some(test!($ty: |a, b| { let _ = b; a.is_normal() || a == 0.0 })),
                "subnormal" => Some(test!($ty: |a, b| { let _ = b; a.is_subnormal() })),
                _ => None,
            }
        };
    }
    match ty {
        Type::F32 => kinds!(f32),
        Type::F64 => kinds!(f64),
        _ => None,
    }
}
