//! The checked kernel: what `tk-check` promises and `tk-lower` relies on.
//!
//! A checked kernel is structured SSA without holes: every name is resolved, every value has a type, constexprs are
//! evaluated, `static_range` is unrolled, calls of jit functions are inlined unless they ask to be calls, promotions, broadcasts and casts are explicit, and
//! the only control flow left is `For`, `While` and `If` with their carried values spelled out. User errors end
//! before this door. One op here becomes about one op of the tt, arith, math or scf dialects.
//!
//! Integers are signless in values of the IR that follows, so signedness lives in [`Type`] and in the op kinds.

#![allow(missing_docs, reason = "the sentence above a variant names its fields")]

mod inlining;
mod print;
mod verify;

pub use verify::verify;

use tk_diag::{SourceFile, Span};
use tk_types::{CompileOptions, ScalarType};

/// One kernel, ready to become IR.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The function's name.
    pub name: String,
    /// The file it came from.
    pub file: SourceFile,
    /// Run-time parameters in order; constexprs and specialised arguments are gone. A tensor descriptor is several of one name:
    /// the descriptor, the sizes of the tensor (i32), and its strides (i64).
    pub params: Vec<Param>,
    /// The type of every value, indexed by [`Value`].
    pub values: Vec<ValueInfo>,
    /// Where inlined calls came from, indexed by [`Loc::call`].
    pub call_sites: Vec<Loc>,
    /// The body: no arguments, no results.
    pub body: Block,
    /// Functions that ops of kind [`OpKind::Call`] name by number; none calls itself, not through others either.
    pub functions: Vec<Function>,
    /// Sentences about decisions of the checker, for whoever reads its form.
    pub notes: Vec<String>,
    /// Options fixed so far (from the launch, a configuration or the command line).
    pub options: CompileOptions,
}

impl Kernel {
    /// The type of a value.
    pub fn ty(&self, value: Value) -> &Type {
        &self.values[value.0 as usize].ty
    }
}

/// A function that is kept apart from the kernel.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, which no other function of the kernel has.
    pub name: String,
    /// Its parameters are the arguments of the block, its results what the block yields; it sees no other values.
    pub body: Block,
    /// Where it is defined.
    pub span: Span,
}

/// One run-time parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The value that holds it.
    pub value: Value,
    /// `tt.divisibility`: 16 when the argument is a known multiple of 16.
    pub divisibility: Option<u32>,
    /// Of a descriptor: what is known of it.
    pub descriptor: DescriptorFacts,
    /// Where it is declared.
    pub span: Span,
}

/// What is known of a descriptor that is a parameter; nothing is for other parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DescriptorFacts {
    /// It reads NaN outside its tensor, not zeros.
    pub pad_nan: bool,
    /// The last size of its tensor is no multiple of 16 bytes.
    pub ragged: bool,
}

/// A value: an index into [`Kernel::values`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// What is known of a value.
#[derive(Clone, Debug)]
pub struct ValueInfo {
    /// Its type.
    pub ty: Type,
    /// The variable it was assigned to, for readable IR.
    pub name: Option<String>,
}

/// A scalar or a tensor type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// What one element is.
    pub element: Element,
    /// Empty for a scalar; otherwise powers of two (while checking, any positive numbers: see [`crate::padding`]).
    pub shape: Vec<u32>,
}

impl Type {
    /// A scalar of this element type.
    pub fn scalar(scalar: ScalarType) -> Self {
        Self { element: Element::Scalar(scalar), shape: Vec::new() }
    }

    /// The same shape with another element type.
    pub fn with(&self, element: Element) -> Self {
        Self { element, shape: self.shape.clone() }
    }

    /// The same shape with numbers of this type as elements.
    pub fn with_scalar(&self, scalar: ScalarType) -> Self {
        self.with(Element::Scalar(scalar))
    }

    /// Whether it has a shape; scalars have none.
    pub fn is_tensor(&self) -> bool {
        !self.shape.is_empty()
    }

    /// The number of elements; 1 for a scalar.
    pub fn numel(&self) -> u64 {
        self.shape.iter().map(|&d| u64::from(d)).product()
    }

    /// The number type of an element, unless it is a pointer or a descriptor.
    pub fn number(&self) -> Option<ScalarType> {
        match self.element {
            Element::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// What an element points to, when it is a pointer.
    pub fn pointee(&self) -> Option<&Element> {
        match &self.element {
            Element::Pointer { pointee, .. } => Some(pointee),
            _ => None,
        }
    }
}

/// What one element of a value is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// A number.
    Scalar(ScalarType),
    /// A pointer to global memory; `constant` ones may not be stored through.
    Pointer { pointee: Box<Element>, constant: bool },
    /// A tensor descriptor for blocks of this shape; the value itself is a scalar.
    Descriptor { element: ScalarType, block: Vec<u32> },
}

/// Where an op came from: a place in the file and the chain of inlined calls around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loc {
    /// The place.
    pub span: Span,
    /// The call it was inlined at: an index into [`Kernel::call_sites`].
    pub call: Option<u32>,
}

/// A straight line of ops with arguments at its start and yielded values at its end.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub args: Vec<Value>,
    pub ops: Vec<Op>,
    pub yields: Vec<Value>,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Op {
    pub kind: OpKind,
    pub operands: Vec<Value>,
    pub results: Vec<Value>,
    /// Nested blocks: bodies of control flow, combine functions of reductions.
    pub blocks: Vec<Block>,
    pub loc: Loc,
    /// `tl.multiple_of`, `max_contiguous`, `max_constancy` on the result.
    pub hints: Vec<(Hint, Vec<u32>)>,
}

/// A fact the user asserts about a value, per dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// `tt.divisibility`
    Divisibility,
    /// `tt.contiguity`
    Contiguity,
    /// `tt.constancy`
    Constancy,
}

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
    While,
    /// condition → values; blocks: then, else.
    If,
    /// arguments of one shape → the result, by a function of libdevice's bitcode.
    Extern { symbol: String },
    /// arguments → results, by a function of the kernel.
    Call { function: u32 },
    /// condition (i1 scalar).
    Assume,
    /// condition (i1, any shape), then mask if `mask`.
    Assert { message: String, mask: bool },
    /// record (pointer to i64), value (i64, any shape): each element other than [`GUARD_HOLDS`] is a failed check, whose
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

/// The value of a [`OpKind::Guard`] where its check holds. One operand says both what failed and that it did, so that a guard
/// takes its tensor in any layout.
pub const GUARD_HOLDS: i64 = i64::MIN;

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
