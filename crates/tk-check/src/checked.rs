//! The checked kernel: what `tk-check` promises and `tk-lower` relies on.
//!
//! A checked kernel is structured SSA without holes: every name is resolved, every value has a type, constexprs are
//! evaluated, `static_range` is unrolled, calls of jit functions are inlined unless they ask to be calls, promotions, broadcasts and casts are explicit, and
//! the only control flow left is `For`, `While` and `If` with their carried values spelled out. User errors end
//! before this form. One op here becomes about one op of the tt, arith, math or scf dialects.
//!
//! Integers are signless in values of the IR that follows, so signedness lives in [`Type`] and in the op kinds.

#![allow(missing_docs, reason = "the sentence above a variant names its fields")]

mod builder;
mod dots;
mod inlining;
mod kinds;
mod operators;
mod print;
mod verify;
mod warps;

pub use builder::Builder;
pub use kinds::{Blocks, DescriptorReduction, Literal, LoopHints, OpClass, OpKind};
pub use operators::{
    AtomicOp, BinaryOp, CacheModifier, CastKind, CompareOp, EvictionPolicy, InputPrecision, MemoryScope,
    MemorySemantics, UnaryOp,
};
pub use verify::verify;

use tk_diag::{SourceFile, Span};
use tk_types::{CompileOptions, Facts, ScalarType};

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
    /// Whether calls of it stay calls in what is compiled.
    pub is_noinline: bool,
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
    /// What is known of its value: `tt.divisibility` and `tk.positive`.
    pub facts: Facts,
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
    /// It is a mask that leaves out what pads a dimension to a power of two, and nothing that the program can see.
    pub leaves_padding_out: bool,
}

impl ValueInfo {
    /// A value of the program.
    pub fn new(ty: Type, name: Option<String>) -> Self {
        Self { ty, name, leaves_padding_out: false }
    }
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

/// The signed integer of the same width.
pub(crate) fn integer_like(scalar: ScalarType) -> ScalarType {
    match scalar.bits() {
        8 => ScalarType::I8,
        16 => ScalarType::I16,
        32 => ScalarType::I32,
        64 => ScalarType::I64,
        _ => ScalarType::I1,
    }
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
    /// `tl.multiple_of`, `max_contiguous`, `max_constancy` on the result, and what padding says of the operation.
    pub hints: Vec<(Hint, Vec<u32>)>,
}

/// A fact the user asserts about a value, per dimension, or that padding knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// `tt.divisibility`
    Divisibility,
    /// `tt.contiguity`
    Contiguity,
    /// `tt.constancy`
    Constancy,
    /// Of writes by descriptors and what makes padding zero, elements that the program has; of products those of the result, and the terms of
    /// each sum. The others pad a dimension to a power of two.
    Inside,
}

/// The value of a [`OpKind::Guard`] where its check holds. One operand says both what failed and that it did, so that a guard
/// takes its tensor in any layout.
pub const GUARD_HOLDS: i64 = i64::MIN;
