//! One argument of a kernel, from the command line or a launch to code generation: its name, its type and what is known of its value.

use crate::{ConstValue, Facts, ScalarType};

/// One parameter of a kernel with what it is compiled for. A tuple with run-time parts is several arguments of one name: a constant
/// tuple that says its length, and then its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The parameter's name.
    pub name: String,
    /// Its type, or the constant it is fixed to.
    pub ty: ArgType,
    /// What is known of its value at run time.
    pub facts: Facts,
}

/// What a signature says of one argument: an [`Argument`] that no parameter has been found for yet.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgSpec {
    /// Its type, or the constant it is fixed to.
    pub ty: ArgType,
    /// What is known of its value at run time.
    pub facts: Facts,
}

impl ArgSpec {
    /// A type of whose values nothing is known.
    pub fn of(ty: ArgType) -> Self {
        Self { ty, facts: Facts::NONE }
    }

    /// A constant.
    pub fn constant(value: ConstValue) -> Self {
        Self::of(ArgType::Constexpr(value))
    }

    /// The argument for the parameter of this name.
    pub fn named(self, name: impl Into<String>) -> Argument {
        Argument { name: name.into(), ty: self.ty, facts: self.facts }
    }
}

impl Argument {
    /// Whether it is passed at run time.
    pub fn is_runtime(&self) -> bool {
        !matches!(self.ty, ArgType::Constexpr(_))
    }

    /// The constant that it is fixed to.
    pub fn constant(&self) -> Option<&ConstValue> {
        match &self.ty {
            ArgType::Constexpr(value) => Some(value),
            ArgType::Scalar(_) | ArgType::Pointer { .. } | ArgType::Descriptor(_) => None,
        }
    }

    /// Type and facts as a signature writes them: `*fp16:16`, `=128`.
    pub fn spec(&self) -> ArgSpec {
        ArgSpec { ty: self.ty.clone(), facts: self.facts }
    }
}

/// The type of one run-time argument, or the constant it is fixed to.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgType {
    /// A number.
    Scalar(ScalarType),
    /// A pointer to elements; `constant` for `*k` pointers, which may not be stored through.
    Pointer {
        /// Element type.
        element: ScalarType,
        /// A `tl.const` pointer.
        constant: bool,
    },
    /// A tensor descriptor made by the host.
    Descriptor(DescriptorType),
    /// Fixed at compile time.
    Constexpr(ConstValue),
}

/// What is known of a host-made tensor descriptor at compile time. Sizes and strides of the tensor come with the launch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DescriptorType {
    /// Element type.
    pub element: ScalarType,
    /// Elements of a block along each of the 1 to 5 dimensions.
    pub block: Vec<u32>,
    /// Elements outside the tensor read as NaN instead of zero.
    pub pad_nan: bool,
    /// The last size of the tensor is no multiple of 16 bytes, where stores of the hardware end.
    pub ragged: bool,
}
