//! Families of operations: what the analyses of this crate ask of one, answered for every kind in one place.
//!
//! A kind that is new does not compile until it has a family here. The analyses match on families, and none leaves one out.

use tk_check::checked::{CastKind, Op, OpKind, UnaryOp};

/// What an operation does, as far as ranges, masks, twins and checks differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// A value of no operands: constants, numbers of programs, ranges.
    Source,
    /// The result holds the elements of the operands, in other places.
    Movement,
    /// Arithmetic of which a form in 64 bits is exact where the operands are integers.
    Arithmetic,
    /// Another function of each element: comparisons, functions of floats, casts between integers and floats.
    Function,
    /// The same bits as another type.
    Bitcast,
    /// An element of the second operand or of the third.
    Select,
    /// A pointer and as many elements as the second operand says.
    AddPtr,
    /// An access by pointers.
    Access(Access),
    /// An access by a descriptor, which ends where its tensor does, or the making of one.
    Descriptor,
    /// A reduction or a scan, with a block that combines two elements.
    Combination,
    /// Results that mix elements of operands: dots, histograms, gathers.
    Mixture,
    /// Code of which nothing is known here: assembly, library functions, calls.
    Foreign,
    /// A counted loop: bounds and step before the initial values, an induction variable before the carried ones.
    For,
    /// A loop of two blocks, condition and body.
    While,
    /// Two branches.
    If,
    /// An effect without results that are integers or addresses: assertions, output, barriers.
    Statement,
}

/// What an access by pointers does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// It loads.
    Load {
        /// Whether it has a mask.
        masked: bool,
    },
    /// It stores.
    Store {
        /// Whether it has a mask.
        masked: bool,
    },
    /// It combines what is there with a value.
    Update {
        /// Whether it has a mask.
        masked: bool,
    },
    /// It compares what is there, and swaps it. It has no mask.
    CompareAndSwap,
}

impl Family {
    /// The family of a kind.
    pub(crate) fn of(kind: &OpKind) -> Self {
        match kind {
            OpKind::Constant(_) | OpKind::ProgramId { .. } | OpKind::NumPrograms { .. } | OpKind::MakeRange { .. } => {
                Self::Source
            }
            OpKind::Splat
            | OpKind::Unsplat
            | OpKind::ExpandDims { .. }
            | OpKind::Broadcast
            | OpKind::Reshape { .. }
            | OpKind::Trans { .. }
            | OpKind::Join
            | OpKind::Split => Self::Movement,
            OpKind::Binary(_) => Self::Arithmetic,
            OpKind::Unary(unary) => Self::of_unary(*unary),
            OpKind::Cast(cast) => Self::of_cast(*cast),
            OpKind::Compare(_) | OpKind::Fma | OpKind::Clamp { .. } => Self::Function,
            OpKind::Select => Self::Select,
            OpKind::AddPtr => Self::AddPtr,
            OpKind::Load { mask, .. } => Self::Access(Access::Load { masked: *mask }),
            OpKind::Store { mask, .. } => Self::Access(Access::Store { masked: *mask }),
            OpKind::AtomicRmw { mask, .. } => Self::Access(Access::Update { masked: *mask }),
            OpKind::AtomicCas { .. } => Self::Access(Access::CompareAndSwap),
            OpKind::MakeDescriptor { .. }
            | OpKind::DescriptorLoad { .. }
            | OpKind::DescriptorStore
            | OpKind::DescriptorReduce(_)
            | OpKind::DescriptorGather
            | OpKind::DescriptorScatter => Self::Descriptor,
            OpKind::Reduce { .. } | OpKind::Scan { .. } => Self::Combination,
            OpKind::Dot { .. } | OpKind::Histogram { .. } | OpKind::Gather { .. } => Self::Mixture,
            OpKind::InlineAsm { .. } | OpKind::Extern { .. } | OpKind::Call { .. } => Self::Foreign,
            OpKind::For(_) => Self::For,
            OpKind::While(_) => Self::While,
            OpKind::If => Self::If,
            OpKind::Assume
            | OpKind::Hint { .. }
            | OpKind::Assert { .. }
            | OpKind::Guard { .. }
            | OpKind::Print { .. }
            | OpKind::Barrier => Self::Statement,
        }
    }

    fn of_unary(unary: UnaryOp) -> Self {
        match unary {
            UnaryOp::AbsI => Self::Arithmetic,
            UnaryOp::NegF
            | UnaryOp::AbsF
            | UnaryOp::Exp
            | UnaryOp::Exp2
            | UnaryOp::Log
            | UnaryOp::Log2
            | UnaryOp::Sin
            | UnaryOp::Cos
            | UnaryOp::Tanh
            | UnaryOp::Erf
            | UnaryOp::Sqrt
            | UnaryOp::SqrtRn
            | UnaryOp::Rsqrt
            | UnaryOp::Floor
            | UnaryOp::RoundEven
            | UnaryOp::Trunc
            | UnaryOp::Ceil => Self::Function,
        }
    }

    fn of_cast(cast: CastKind) -> Self {
        match cast {
            CastKind::ExtS | CastKind::ExtU | CastKind::Trunc => Self::Arithmetic,
            CastKind::Bitcast => Self::Bitcast,
            CastKind::SIToFp
            | CastKind::UIToFp
            | CastKind::FpToSI
            | CastKind::FpToUI
            | CastKind::FpExt
            | CastKind::FpTrunc { .. }
            | CastKind::FpToFp { .. }
            | CastKind::IntToPtr
            | CastKind::PtrToInt => Self::Function,
        }
    }
}

impl Access {
    /// The access by pointers that an op is; the pointers are its first operand.
    pub(crate) fn of(op: &Op) -> Option<Self> {
        if let Family::Access(access) = Family::of(&op.kind) { Some(access) } else { None }
    }

    /// What it does, as a verb for messages.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Self::Load { .. } => "reads",
            Self::Store { .. } => "writes",
            Self::Update { .. } | Self::CompareAndSwap => "updates",
        }
    }

    /// The place of its mask among the operands.
    pub(crate) fn mask(self) -> Option<usize> {
        match self {
            Self::Load { masked } => masked.then_some(1),
            Self::Store { masked } | Self::Update { masked } => masked.then_some(2),
            Self::CompareAndSwap => None,
        }
    }

    /// Whether it changes memory.
    pub(crate) fn writes(self) -> bool {
        match self {
            Self::Load { .. } => false,
            Self::Store { .. } | Self::Update { .. } | Self::CompareAndSwap => true,
        }
    }
}

/// Whether an op only moves elements.
pub(crate) fn is_movement(kind: &OpKind) -> bool {
    Family::of(kind) == Family::Movement
}

/// Whether checks may not wait any longer when this op comes: it changes memory, or control goes elsewhere.
pub(crate) fn settles(op: &Op) -> bool {
    !op.blocks.is_empty() || Access::of(op).is_some_and(Access::writes)
}
