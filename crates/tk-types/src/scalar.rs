//! Element types of the language, with the names users write for them.

use serde::{Deserialize, Serialize};

/// An element type. Names follow `triton.language` (`fp16`, `int32`, …).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
#[allow(missing_docs, reason = "the names say it all")]
pub enum ScalarType {
    I1,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F8E4M3,
    F8E5M2,
    F8E4B15,
    F8E4M3B8,
    F8E5M2B16,
    F16,
    BF16,
    F32,
    F64,
}

/// What kind of number a type holds. The order is the promotion order of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarKind {
    /// `i1`.
    Bool,
    /// Signed and unsigned integers of 8 bits or more.
    Int,
    /// All floating-point types.
    Float,
}

use ScalarType::*;

/// The names and the width of a type.
struct Row {
    ty: ScalarType,
    /// In signatures.
    short: &'static str,
    /// In `triton.language`.
    tl: &'static str,
    /// In MLIR.
    mlir: &'static str,
    bits: u32,
}

const fn row(ty: ScalarType, short: &'static str, tl: &'static str, mlir: &'static str, bits: u32) -> Row {
    Row { ty, short, tl, mlir, bits }
}

const TABLE: &[Row] = &[
    row(I1, "i1", "int1", "i1", 1),
    row(I8, "i8", "int8", "i8", 8),
    row(I16, "i16", "int16", "i16", 16),
    row(I32, "i32", "int32", "i32", 32),
    row(I64, "i64", "int64", "i64", 64),
    row(U8, "u8", "uint8", "i8", 8),
    row(U16, "u16", "uint16", "i16", 16),
    row(U32, "u32", "uint32", "i32", 32),
    row(U64, "u64", "uint64", "i64", 64),
    row(F8E4M3, "fp8e4nv", "float8e4nv", "f8E4M3FN", 8),
    row(F8E5M2, "fp8e5", "float8e5", "f8E5M2", 8),
    row(F8E4B15, "fp8e4b15", "float8e4b15", "i8", 8),
    row(F8E4M3B8, "fp8e4b8", "float8e4b8", "f8E4M3FNUZ", 8),
    row(F8E5M2B16, "fp8e5b16", "float8e5b16", "f8E5M2FNUZ", 8),
    row(F16, "fp16", "float16", "f16", 16),
    row(BF16, "bf16", "bfloat16", "bf16", 16),
    row(F32, "fp32", "float32", "f32", 32),
    row(F64, "fp64", "float64", "f64", 64),
];

impl ScalarType {
    /// Every type.
    pub fn all() -> impl Iterator<Item = ScalarType> {
        TABLE.iter().map(|row| row.ty)
    }

    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.ty == self).unwrap_or(&TABLE[0])
    }

    /// From a signature spelling (`fp16`, `i32`, `u1`) or a `tl` spelling (`float16`).
    pub fn parse(name: &str) -> Option<Self> {
        if name == "u1" || name == "B" {
            return Some(I1);
        }
        TABLE.iter().find(|row| row.short == name || row.tl == name).map(|row| row.ty)
    }

    /// The short name used in signatures and messages: `fp16`, `i32`.
    pub fn name(self) -> &'static str {
        self.row().short
    }

    /// The name in `triton.language`: `float16`.
    pub fn tl_name(self) -> &'static str {
        self.row().tl
    }

    /// The MLIR element type: `f16`. Signedness is lost there.
    pub fn mlir_name(self) -> &'static str {
        self.row().mlir
    }

    /// Width in bits; 1 for `i1`.
    pub fn bits(self) -> u32 {
        self.row().bits
    }

    /// Bytes in memory; `i1` takes one byte.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Bool, integer or float.
    pub fn kind(self) -> ScalarKind {
        match self {
            I1 => ScalarKind::Bool,
            I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 => ScalarKind::Int,
            _ => ScalarKind::Float,
        }
    }

    /// A floating-point type.
    pub fn is_float(self) -> bool {
        self.kind() == ScalarKind::Float
    }

    /// Bool or integer.
    pub fn is_int(self) -> bool {
        !self.is_float()
    }

    /// A signed integer of 8 bits or more.
    pub fn is_signed_int(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }

    /// An unsigned integer of 8 bits or more.
    pub fn is_unsigned_int(self) -> bool {
        matches!(self, U8 | U16 | U32 | U64)
    }

    /// An 8-bit float.
    pub fn is_fp8(self) -> bool {
        self.is_float() && self.bits() == 8
    }
}

impl From<ScalarType> for &'static str {
    fn from(ty: ScalarType) -> Self {
        ty.name()
    }
}

impl TryFrom<String> for ScalarType {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::parse(&name).ok_or_else(|| format!("`{name}` is not an element type"))
    }
}

impl std::fmt::Display for ScalarType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
