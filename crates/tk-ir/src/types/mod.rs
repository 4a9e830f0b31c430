//! `Type`: a type and its parts. Making types is in `make.rs`, what follows from the parts in `derived.rs`.

mod derived;
mod make;

use crate::handle::handle;
use crate::{Attribute, ffi};
use melior::ir::r#type::{FunctionType, IntegerType, RankedTensorType};
use melior::ir::{ShapedTypeLike, TypeLike};
use tk_types::ScalarType;

handle! {
    /// A type.
    Type over melior::ir::Type<'c>
}

/// A type taken apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind<'c> {
    /// A signless integer.
    Int {
        /// Its width.
        bits: u32,
    },
    /// A float.
    Float(ScalarType),
    /// `index`.
    Index,
    /// `!tt.ptr`.
    Ptr {
        /// What it points to.
        pointee: Type<'c>,
        /// 1 is global memory.
        address_space: u32,
    },
    /// A ranked tensor.
    Tensor {
        /// Elements along each dimension.
        shape: Vec<i64>,
        /// Element type: integer, float or pointer.
        element: Type<'c>,
        /// The layout, once there is one.
        encoding: Option<Attribute<'c>>,
    },
    /// `!ttg.memdesc`.
    MemDesc(MemDesc<'c>),
    /// `!tt.tensordesc`.
    TensorDesc {
        /// The tensor type of one block.
        block: Type<'c>,
    },
    /// `!ttg.async.token`.
    Token,
    /// A function type.
    Function {
        /// Parameter types.
        inputs: Vec<Type<'c>>,
        /// Result types.
        results: Vec<Type<'c>>,
    },
    /// `none`.
    None,
    /// Anything else.
    Other,
}

/// The address space of pointers to global memory.
pub const GLOBAL_MEMORY: u32 = 1;

/// The parts of a `!ttg.memdesc`: a view of a buffer in shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemDesc<'c> {
    /// Elements along each dimension.
    pub shape: Vec<i64>,
    /// Element type.
    pub element: Type<'c>,
    /// The layout, such as `#ttg.swizzled_shared<…>`.
    pub encoding: Attribute<'c>,
    /// `#ttg.shared_memory` (or tensor memory).
    pub memory_space: Attribute<'c>,
    /// It may be written after its allocation.
    pub mutable: bool,
    /// The shape of the whole allocation; equal to `shape` unless this is a view.
    pub alloc_shape: Vec<i64>,
}

impl<'c> Type<'c> {
    /// What kind of type it is, with its parts.
    pub fn kind(self) -> TypeKind<'c> {
        if let Some(element) = self.tensor_element() {
            return TypeKind::Tensor { shape: self.shape(), element, encoding: self.encoding() };
        }
        if let Some((pointee, address_space)) = self.pointer() {
            return TypeKind::Ptr { pointee, address_space };
        }
        if let Some(bits) = self.int_bits() {
            return TypeKind::Int { bits };
        }
        if let Some(scalar) = self.float() {
            return TypeKind::Float(scalar);
        }
        if self.is_index() {
            return TypeKind::Index;
        }
        if self.melior.is_function() {
            return TypeKind::Function { inputs: self.function_inputs(), results: self.function_results() };
        }
        if self.melior.is_none() {
            return TypeKind::None;
        }
        self.dialect_kind()
    }

    fn dialect_kind(self) -> TypeKind<'c> {
        if let Some(memdesc) = self.memdesc() {
            TypeKind::MemDesc(memdesc)
        } else if ffi::is_token(self.melior) {
            TypeKind::Token
        } else if let Some(block) = ffi::tensor_desc_block(self.melior) {
            TypeKind::TensorDesc { block: Type::new(block, self.context) }
        } else {
            TypeKind::Other
        }
    }

    /// A ranked tensor.
    pub fn is_tensor(self) -> bool {
        self.melior.is_ranked_tensor()
    }

    /// A pointer (not a tensor of pointers).
    pub fn is_ptr(self) -> bool {
        ffi::is_pointer(self.melior)
    }

    /// A view of shared memory.
    pub fn is_memdesc(self) -> bool {
        ffi::is_memdesc(self.melior)
    }

    /// Pointee and address space, for a pointer.
    pub fn pointer(self) -> Option<(Type<'c>, u32)> {
        ffi::pointer_parts(self.melior).map(|(pointee, space)| (Type::new(pointee, self.context), space))
    }

    /// The parts, for a memory descriptor.
    pub fn memdesc(self) -> Option<MemDesc<'c>> {
        self.is_memdesc().then(|| ffi::memdesc_parts(self))
    }

    fn as_tensor(self) -> Option<RankedTensorType<'c>> {
        self.is_tensor().then(|| RankedTensorType::try_from(self.melior).ok())?
    }

    /// The element type of a tensor.
    pub(crate) fn tensor_element(self) -> Option<Type<'c>> {
        self.as_tensor().map(|tensor| Type::new(tensor.element(), self.context))
    }

    /// Dimensions of a tensor or memory descriptor; 0 for anything else.
    pub fn rank(self) -> usize {
        ffi::shape(self.melior).len()
    }

    /// Elements along each dimension of a tensor or memory descriptor; empty for anything else.
    pub fn shape(self) -> Vec<i64> {
        ffi::shape(self.melior).to_vec()
    }

    /// The layout of a tensor or memory descriptor.
    pub fn encoding(self) -> Option<Attribute<'c>> {
        let encoding = match self.as_tensor() {
            Some(tensor) => tensor.encoding(),
            None => ffi::memdesc_encoding(self.melior),
        };
        encoding.map(|encoding| Attribute::new(encoding, self.context))
    }

    fn as_integer(self) -> Option<IntegerType<'c>> {
        self.melior.is_integer().then(|| IntegerType::try_from(self.melior).ok())?
    }

    /// The integer width, for an integer.
    pub fn int_bits(self) -> Option<u32> {
        self.as_integer().map(|integer| integer.width())
    }

    /// An integer type that says it is signed; most are signless.
    pub fn is_signed_int(self) -> bool {
        self.as_integer().is_some_and(|integer| integer.is_signed())
    }

    /// Whether it is an integer type that is said to be unsigned.
    pub fn is_unsigned(self) -> bool {
        self.as_integer().is_some_and(|integer| integer.is_unsigned())
    }

    /// The element type, for a float that tk knows.
    pub fn float(self) -> Option<ScalarType> {
        let ty = self.melior;
        match () {
            _ if !ty.is_float() => None,
            _ if ty.is_f32() => Some(ScalarType::F32),
            _ if ty.is_f16() => Some(ScalarType::F16),
            _ if ty.is_bf16() => Some(ScalarType::BF16),
            _ if ty.is_f64() => Some(ScalarType::F64),
            _ if ty.is_float8e4m3fn() => Some(ScalarType::F8E4M3),
            _ if ty.is_float8e5m2() => Some(ScalarType::F8E5M2),
            _ if ty.is_float8e4m3fnuz() => Some(ScalarType::F8E4M3B8),
            _ if ty.is_float8e5m2fnuz() => Some(ScalarType::F8E5M2B16),
            _ => None,
        }
    }

    /// The width of any float type, even one tk has no name for.
    pub(crate) fn float_bits(self) -> Option<u32> {
        self.melior.is_float().then(|| self.melior.float_width())
    }

    /// `index`.
    pub fn is_index(self) -> bool {
        self.melior.is_index()
    }

    fn as_function(self) -> Option<FunctionType<'c>> {
        self.melior.is_function().then(|| FunctionType::try_from(self.melior).ok())?
    }

    /// Inputs of a function type; empty for anything else.
    pub fn function_inputs(self) -> Vec<Type<'c>> {
        let Some(function) = self.as_function() else { return Vec::new() };
        let inputs = (0..function.input_count()).filter_map(|index| function.input(index).ok());
        inputs.map(|ty| Type::new(ty, self.context)).collect()
    }

    /// Results of a function type; empty for anything else.
    pub fn function_results(self) -> Vec<Type<'c>> {
        let Some(function) = self.as_function() else { return Vec::new() };
        let results = (0..function.result_count()).filter_map(|index| function.result(index).ok());
        results.map(|ty| Type::new(ty, self.context)).collect()
    }
}

impl std::fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.melior)
    }
}

impl std::fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
