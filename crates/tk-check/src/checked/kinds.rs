//! The operations of a checked kernel: what each takes and gives.

#![allow(missing_docs, reason = "the sentence above a variant names its fields")]

use super::Hint;
use super::operators::{
    AtomicOp, BinaryOp, CacheModifier, CastKind, CompareOp, EvictionPolicy, InputPrecision, MemoryScope,
    MemorySemantics, UnaryOp,
};

/// A literal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    Int(i128),
    Float(f64),
}

/// How a block is combined with the memory that a descriptor describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescriptorReduction {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// What an operation does. Operand order is in each comment; shapes of elementwise operands are equal.
#[derive(Clone, Debug, PartialEq)]
pub enum OpKind {
    /// A scalar constant, or a tensor filled with it.
    Constant(Literal),
    /// `axis` 0 to 2 → i32.
    ProgramId { axis: u32 },
    /// `axis` 0 to 2 → i32.
    NumPrograms { axis: u32 },
    /// `start..end` → 1-D i32.
    MakeRange { start: i32, end: i32 },
    /// scalar → tensor.
    Splat,
    /// tensor of one element → scalar.
    Unsplat,
    /// tensor → tensor with a dimension of 1 at `axis`.
    ExpandDims { axis: u32 },
    /// tensor → tensor; dimensions of 1 grow.
    Broadcast,
    /// tensor → tensor of the same number of elements; `allow_reorder` lets the layout choose the order.
    Reshape { allow_reorder: bool },
    /// tensor → tensor with dimensions `order`.
    Trans { order: Vec<u32> },
    /// a, b → tensor with a new last dimension of 2.
    Join,
    /// tensor with last dimension 2 → two tensors.
    Split,
    /// lhs, rhs of the same type → the same type.
    Binary(BinaryOp),
    /// lhs, rhs of the same type → i1.
    Compare(CompareOp),
    /// operand → the same type.
    Unary(UnaryOp),
    /// condition (i1, same shape or scalar), if true, if false.
    Select,
    /// a, b, c → a * b + c in one rounding.
    Fma,
    /// x, low, high.
    Clamp { propagate_nan: bool },
    /// operand → the result's type.
    Cast(CastKind),
    /// pointer, integer offset (in elements) → pointer.
    AddPtr,
    /// ptr, then mask if `mask`, then other if `other` → the pointee(s).
    Load { mask: bool, other: bool, cache: CacheModifier, eviction: EvictionPolicy, volatile: bool },
    /// ptr, value, then mask if `mask`.
    Store { mask: bool, cache: CacheModifier, eviction: EvictionPolicy },
    /// ptr, value, then mask if `mask` → old value.
    AtomicRmw { op: AtomicOp, mask: bool, semantics: MemorySemantics, scope: MemoryScope },
    /// ptr, expected, new → old value.
    AtomicCas { semantics: MemorySemantics, scope: MemoryScope },
    /// a [.., M, K], b [.., K, N], accumulator [.., M, N] → accumulator type.
    Dot { precision: InputPrecision, max_imprecise_acc: u32 },
    /// n tensors → n tensors without `axis` (scalars for 1-D); one block: 2n args, n yields.
    Reduce { axis: u32 },
    /// n tensors → n tensors; one block: 2n args, n yields.
    Scan { axis: u32, reverse: bool },
    /// 1-D int tensor, then mask if `mask` → i32 counts.
    Histogram { mask: bool },
    /// source, indices → tensor of the indices' shape.
    Gather { axis: u32 },
    /// inputs → results, by PTX.
    InlineAsm { asm: String, constraints: String, pure: bool, pack: u32 },
    /// lower, upper, step, then initial values → final values; one block: induction variable and carried values → yields.
    For(LoopHints),
    /// initial values → final values; blocks: condition (yields i1 then carried values) and body (yields carried values).
    While(LoopHints),
    /// condition → values; blocks: then, else.
    If,
    /// arguments of one shape → the result, by a function of libdevice's bitcode.
    Extern { symbol: String },
    /// arguments → results, by a function of the kernel.
    Call { function: u32 },
    /// condition (i1 scalar).
    Assume,
    /// value: in the rest of the block, this is known of it, per dimension. For values whose operation cannot say it ([`Op::hints`]).
    ///
    /// [`Op::hints`]: super::Op::hints
    Hint { hint: Hint, numbers: Vec<u32> },
    /// condition (i1, any shape), then mask if `mask`.
    Assert { message: String, mask: bool },
    /// record (pointer to i64), value (i64, any shape): each element other than [`super::GUARD_HOLDS`] is a failed check, whose
    /// program and value site number `site` of the record learns.
    Guard { site: u32 },
    /// values, printed after `prefix`.
    Print { prefix: String, hex: bool },
    /// All threads of the CTA wait.
    Barrier,
    /// base, then sizes (i32), then strides (i64) → descriptor.
    MakeDescriptor { padding_nan: bool },
    /// descriptor, offsets (i32) → tensor.
    DescriptorLoad { cache: CacheModifier, eviction: EvictionPolicy },
    /// descriptor, value, offsets (i32).
    DescriptorStore,
    /// descriptor, value, offsets (i32).
    DescriptorReduce(DescriptorReduction),
    /// descriptor of blocks of one row, rows (i32 tensor), column (i32) → tensor.
    DescriptorGather,
    /// descriptor of blocks of one row, rows (i32 tensor), column (i32), value.
    DescriptorScatter,
}

/// Options of `tl.range`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopHints {
    pub num_stages: Option<u32>,
    pub unroll_factor: Option<u32>,
    pub disallow_acc_multi_buffer: bool,
    pub flatten: bool,
    pub warp_specialize: bool,
    pub disable_licm: bool,
}

/// What an operation is to whoever checks or rewrites kernels. Every operation has a class, so that a new one is met everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpClass {
    /// Has no operands: constants, indices, ranges.
    Source,
    /// Moves elements to other places or another shape.
    Shape,
    /// Computes numbers, each of the elements at its place.
    Arithmetic,
    /// Works on each element by itself without arithmetic of the checked kernel: selections, casts, addresses, functions of files.
    Elementwise,
    /// Combines elements along dimensions.
    Across,
    /// Makes a descriptor.
    Descriptor,
    /// Reads or writes memory.
    Memory,
    /// Is there for what it does or says beside its results.
    Effect,
    /// Runs its blocks.
    Control,
    /// Runs a function of the kernel.
    Call,
}

impl OpKind {
    /// See [`OpClass`].
    pub fn class(&self) -> OpClass {
        use OpKind::*;
        match self {
            Constant(_) | ProgramId { .. } | NumPrograms { .. } | MakeRange { .. } => OpClass::Source,
            Splat | Unsplat | ExpandDims { .. } | Broadcast | Reshape { .. } | Trans { .. } | Join | Split => {
                OpClass::Shape
            }
            Binary(_) | Compare(_) | Unary(_) | Fma | Clamp { .. } => OpClass::Arithmetic,
            Select | Cast(_) | AddPtr | Extern { .. } | InlineAsm { pure: true, .. } => OpClass::Elementwise,
            Dot { .. } | Reduce { .. } | Scan { .. } | Histogram { .. } | Gather { .. } => OpClass::Across,
            MakeDescriptor { .. } => OpClass::Descriptor,
            Load { .. } | Store { .. } | AtomicRmw { .. } | AtomicCas { .. } => OpClass::Memory,
            DescriptorLoad { .. } | DescriptorStore | DescriptorReduce(_) => OpClass::Memory,
            DescriptorGather | DescriptorScatter => OpClass::Memory,
            Assume | Hint { .. } | Assert { .. } | Guard { .. } | Print { .. } | Barrier => OpClass::Effect,
            InlineAsm { pure: false, .. } => OpClass::Effect,
            For(_) | While(_) | If => OpClass::Control,
            Call { .. } => OpClass::Call,
        }
    }

    /// The blocks that it has.
    pub fn blocks(&self) -> Blocks {
        use OpKind::*;
        match self {
            If => Blocks::Branches,
            For(_) => Blocks::CountedLoop,
            While(_) => Blocks::OpenLoop,
            Reduce { .. } | Scan { .. } => Blocks::Combine,
            Constant(_) | ProgramId { .. } | NumPrograms { .. } | MakeRange { .. } => Blocks::None,
            Splat | Unsplat | ExpandDims { .. } | Broadcast | Reshape { .. } | Trans { .. } | Join | Split => {
                Blocks::None
            }
            Binary(_) | Compare(_) | Unary(_) | Fma | Clamp { .. } | Select | Cast(_) | AddPtr => Blocks::None,
            Load { .. } | Store { .. } | AtomicRmw { .. } | AtomicCas { .. } => Blocks::None,
            Dot { .. } | Histogram { .. } | Gather { .. } | InlineAsm { .. } => Blocks::None,
            Extern { .. } | Call { .. } => Blocks::None,
            Assume | Hint { .. } | Assert { .. } | Guard { .. } | Print { .. } | Barrier => Blocks::None,
            MakeDescriptor { .. } | DescriptorLoad { .. } | DescriptorStore | DescriptorReduce(_) => Blocks::None,
            DescriptorGather | DescriptorScatter => Blocks::None,
        }
    }
}

/// The blocks of an operation. What their arguments and yields are is said at the operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    None,
    /// Two: then, else.
    Branches,
    /// One: the body of a `for`.
    CountedLoop,
    /// Two: condition, body.
    OpenLoop,
    /// One: how two groups of scalars are combined.
    Combine,
}

impl Blocks {
    /// How many there are.
    pub fn count(self) -> usize {
        match self {
            Blocks::None => 0,
            Blocks::CountedLoop | Blocks::Combine => 1,
            Blocks::Branches | Blocks::OpenLoop => 2,
        }
    }
}
