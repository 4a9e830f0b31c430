//! The operators, modes and orders that operations of a checked kernel name.

#![allow(missing_docs, reason = "the names say it all")]

/// Arithmetic on two values of one type; `S`/`U` are signed and unsigned integer forms, `F` float forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    AddI,
    SubI,
    MulI,
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
    MinU,
    MaxS,
    MaxU,
    MulHiU,
    AddF,
    SubF,
    MulF,
    DivF,
    DivRnF,
    RemF,
    /// NaN loses: `minnum`, `maxnum`.
    MinNumF,
    MaxNumF,
    /// NaN wins.
    MinimumF,
    MaximumF,
}

/// Comparisons; float forms are ordered except `NeF`, which is unordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    EqI,
    NeI,
    LtS,
    LeS,
    GtS,
    GeS,
    LtU,
    LeU,
    GtU,
    GeU,
    EqF,
    NeF,
    LtF,
    LeF,
    GtF,
    GeF,
}

/// Functions of one float (or, for `AbsI`, integer) value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    NegF,
    AbsF,
    AbsI,
    Exp,
    Exp2,
    Log,
    Log2,
    Sin,
    Cos,
    Tanh,
    Erf,
    Sqrt,
    SqrtRn,
    Rsqrt,
    Floor,
    /// To the nearest integer, ties to even.
    RoundEven,
    /// Toward zero.
    Trunc,
    Ceil,
}

/// Changes of type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastKind {
    /// Wider integer, sign or zero extended.
    ExtS,
    ExtU,
    /// Narrower integer.
    Trunc,
    /// Integer → float.
    SIToFp,
    UIToFp,
    /// Float → integer, toward zero.
    FpToSI,
    FpToUI,
    /// Wider float, exact.
    FpExt,
    /// Narrower float, to nearest even or toward zero (`rtz`).
    FpTrunc {
        toward_zero: bool,
    },
    /// To or from an 8-bit float.
    FpToFp {
        toward_zero: bool,
    },
    /// Same width, same bits; also pointer to pointer.
    Bitcast,
    IntToPtr,
    PtrToInt,
}

/// `cache_modifier`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CacheModifier {
    #[default]
    None,
    Ca,
    Cg,
    Cs,
    Cv,
    Wb,
    Wt,
}

/// `eviction_policy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EvictionPolicy {
    #[default]
    Normal,
    EvictFirst,
    EvictLast,
}

/// Read-modify-write operations. Float `max`/`min` are expressed through integer ones by the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    And,
    Or,
    Xor,
    Add,
    FAdd,
    Max,
    Min,
    UMax,
    UMin,
    Exchange,
}

/// Memory ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemorySemantics {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
}

/// Who sees the ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryScope {
    Cta,
    Gpu,
    System,
}

/// `input_precision` of a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputPrecision {
    Tf32,
    Tf32x3,
    Ieee,
    Bf16x3,
    Bf16x6,
}
