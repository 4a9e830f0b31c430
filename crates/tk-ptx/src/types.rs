//! The small closed vocabularies of PTX: types, state spaces and linkage.

/// A fundamental type, as registers and variables are declared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Type {
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    U16x2,
    S16x2,
    F16,
    F16x2,
    BF16,
    BF16x2,
    F32,
    F32x2,
    F64,
}

use Type::*;

const TYPES: &[(Type, &str, u32)] = &[
    (Pred, "pred", 1),
    (B8, "b8", 8),
    (B16, "b16", 16),
    (B32, "b32", 32),
    (B64, "b64", 64),
    (B128, "b128", 128),
    (U8, "u8", 8),
    (U16, "u16", 16),
    (U32, "u32", 32),
    (U64, "u64", 64),
    (S8, "s8", 8),
    (S16, "s16", 16),
    (S32, "s32", 32),
    (S64, "s64", 64),
    (U16x2, "u16x2", 32),
    (S16x2, "s16x2", 32),
    (F16, "f16", 16),
    (F16x2, "f16x2", 32),
    (BF16, "bf16", 16),
    (BF16x2, "bf16x2", 32),
    (F32, "f32", 32),
    (F32x2, "f32x2", 64),
    (F64, "f64", 64),
];

impl Type {
    /// From the word without its point: `b32`.
    pub fn parse(word: &str) -> Option<Self> {
        TYPES.iter().find(|row| row.1 == word).map(|row| row.0)
    }

    fn row(self) -> &'static (Type, &'static str, u32) {
        TYPES.iter().find(|row| row.0 == self).unwrap_or(&TYPES[0])
    }

    /// The word without its point.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Width in bits; 1 for a predicate.
    pub fn bits(self) -> u32 {
        self.row().2
    }

    /// Width in bytes; 1 for a predicate.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// A signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, S8 | S16 | S32 | S64)
    }

    /// A floating-point type, packed ones included.
    pub fn is_float(self) -> bool {
        matches!(self, F16 | F16x2 | BF16 | BF16x2 | F32 | F32x2 | F64)
    }
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Space {
    Global,
    Shared,
    Local,
    Const,
    Param,
    Generic,
    /// A register, of a parameter of a function.
    Reg,
}

impl Space {
    /// From the word without its point: `global`. `shared::cta` and `shared::cluster` are shared, `param::entry` is param.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word.split("::").next().unwrap_or(word) {
            "global" => Space::Global,
            "shared" => Space::Shared,
            "local" => Space::Local,
            "const" => Space::Const,
            "param" => Space::Param,
            "reg" => Space::Reg,
            _ => return None,
        })
    }

    /// The word without its point; `generic` has none in PTX.
    pub fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "const",
            Space::Param => "param",
            Space::Generic => "generic",
            Space::Reg => "reg",
        }
    }
}

/// Who sees a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Linkage {
    Internal,
    Visible,
    Extern,
    Weak,
    Common,
}

impl Linkage {
    /// From the directive with its point: `.visible`.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            ".visible" => Linkage::Visible,
            ".extern" => Linkage::Extern,
            ".weak" => Linkage::Weak,
            ".common" => Linkage::Common,
            _ => return None,
        })
    }

    /// The directive with a following space, or nothing.
    pub fn prefix(self) -> &'static str {
        match self {
            Linkage::Internal => "",
            Linkage::Visible => ".visible ",
            Linkage::Extern => ".extern ",
            Linkage::Weak => ".weak ",
            Linkage::Common => ".common ",
        }
    }
}
