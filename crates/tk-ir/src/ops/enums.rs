//! The enum attributes of tt, with the numbers they are stored as.

macro_rules! enums {
    ($($(#[$doc:meta])* $name:ident { $($(#[$case:meta])* $variant:ident = $number:literal $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$case])* $variant,)*
        }

        impl $name {
            /// Every case.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The number it is stored as.
            pub fn number(self) -> i64 {
                match self { $($name::$variant => $number,)* }
            }

            /// The case with this number.
            pub fn from_number(number: i64) -> Option<Self> {
                match number { $($number => Some($name::$variant),)* _ => None }
            }

            /// The word in the IR's text.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The case with this word.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }
    )*};
}

enums! {
    /// Where a load or store may be cached.
    #[derive(Default)]
    CacheModifier {
        /// The default.
        #[default]
        None = 1 "none",
        /// All levels.
        Ca = 2 "ca",
        /// L2 only.
        Cg = 3 "cg",
        /// Write back.
        Wb = 4 "wb",
        /// Streaming.
        Cs = 5 "cs",
        /// Write through.
        Wt = 6 "wt",
        /// Volatile.
        Cv = 7 "cv",
    }
    /// How soon a cache line may go.
    #[derive(Default)]
    EvictionPolicy {
        /// The default.
        #[default]
        Normal = 1 "evict_normal",
        /// First.
        First = 2 "evict_first",
        /// Last.
        Last = 3 "evict_last",
    }
    /// Memory order of an atomic operation.
    MemSemantic {
        /// No order.
        Relaxed = 1 "relaxed",
        /// Later accesses stay later.
        Acquire = 2 "acquire",
        /// Earlier accesses stay earlier.
        Release = 3 "release",
        /// Both.
        AcquireRelease = 4 "acq_rel",
    }
    /// Among whom an atomic operation is atomic.
    MemScope {
        /// One GPU.
        Gpu = 1 "gpu",
        /// One CTA.
        Cta = 2 "cta",
        /// Everything.
        System = 3 "sys",
    }
    /// What an atomic read-modify-write does.
    RmwOp {
        /// Bitwise and.
        And = 1 "and",
        /// Bitwise or.
        Or = 2 "or",
        /// Bitwise exclusive or.
        Xor = 3 "xor",
        /// Integer sum.
        Add = 4 "add",
        /// Float sum.
        FAdd = 5 "fadd",
        /// Signed maximum.
        Max = 6 "max",
        /// Signed minimum.
        Min = 7 "min",
        /// Unsigned maximum.
        UMax = 8 "umax",
        /// Unsigned minimum.
        UMin = 9 "umin",
        /// Exchange.
        Exchange = 10 "exch",
    }
    /// Rounding of a float conversion.
    RoundingMode {
        /// Toward zero.
        TowardZero = 0 "rtz",
        /// To nearest, ties to even.
        NearestEven = 1 "rtne",
    }
    /// How a dot of f32 operands is computed.
    InputPrecision {
        /// Operands cut to tf32.
        Tf32 = 0 "tf32",
        /// Three tf32 products.
        Tf32x3 = 1 "tf32x3",
        /// f32 multiply-add.
        Ieee = 2 "ieee",
        /// Three bf16 products.
        Bf16x3 = 3 "bf16x3",
        /// Six bf16 products.
        Bf16x6 = 4 "bf16x6",
    }
    /// Predicates of `arith.cmpi`.
    #[allow(missing_docs, reason = "the names are MLIR's")]
    CmpI {
        Eq = 0 "eq", Ne = 1 "ne", Slt = 2 "slt", Sle = 3 "sle", Sgt = 4 "sgt", Sge = 5 "sge",
        Ult = 6 "ult", Ule = 7 "ule", Ugt = 8 "ugt", Uge = 9 "uge",
    }
    /// Predicates of `arith.cmpf`.
    #[allow(missing_docs, reason = "the names are MLIR's")]
    CmpF {
        AlwaysFalse = 0 "false", Oeq = 1 "oeq", Ogt = 2 "ogt", Oge = 3 "oge", Olt = 4 "olt", Ole = 5 "ole",
        One = 6 "one", Ord = 7 "ord", Ueq = 8 "ueq", Ugt = 9 "ugt", Uge = 10 "uge", Ult = 11 "ult", Ule = 12 "ule",
        Une = 13 "une", Uno = 14 "uno", AlwaysTrue = 15 "true",
    }
}
