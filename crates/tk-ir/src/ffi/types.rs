//! `Type`: what the C API says about types; the rest is in `types.rs`.

use super::*;
use crate::TypeKind;
use mlir_sys::{MlirAttribute, MlirType};
use tk_dialect::raw as tk;
use tk_types::ScalarType;

/// A type.
#[derive(Clone, Copy)]
pub struct Type<'c> {
    pub(super) raw: MlirType,
    pub(super) context: ContextRef<'c>,
}
handle!(Type, MlirType);

impl<'c> Context {
    /// The signless integer type of this many bits.
    pub fn i(&'c self, bits: u32) -> Type<'c> {
        Type::new(mlir!(mlirIntegerTypeGet(self.raw(), bits)), self)
    }

    /// `index`.
    pub fn index(&'c self) -> Type<'c> {
        Type::new(mlir!(mlirIndexTypeGet(self.raw())), self)
    }

    /// `none`.
    pub fn none_type(&'c self) -> Type<'c> {
        Type::new(mlir!(mlirNoneTypeGet(self.raw())), self)
    }

    /// The MLIR type of an element type; signedness is lost.
    pub fn scalar(&'c self, scalar: ScalarType) -> Type<'c> {
        let raw = self.raw();
        let ty = match scalar {
            ScalarType::F8E4M3 => mlir!(mlirFloat8E4M3FNTypeGet(raw)),
            ScalarType::F8E5M2 => mlir!(mlirFloat8E5M2TypeGet(raw)),
            ScalarType::F8E4M3B8 => mlir!(mlirFloat8E4M3FNUZTypeGet(raw)),
            ScalarType::F8E5M2B16 => mlir!(mlirFloat8E5M2FNUZTypeGet(raw)),
            ScalarType::F16 => mlir!(mlirF16TypeGet(raw)),
            ScalarType::BF16 => mlir!(mlirBF16TypeGet(raw)),
            ScalarType::F32 => mlir!(mlirF32TypeGet(raw)),
            ScalarType::F64 => mlir!(mlirF64TypeGet(raw)),
            integer => mlir!(mlirIntegerTypeGet(raw, integer.bits())),
        };
        Type::new(ty, self)
    }

    /// Like [`Self::scalar`] with the sign of integers: `si32`, `ui32`. Only descriptors have such elements.
    pub fn signed_scalar(&'c self, scalar: ScalarType) -> Type<'c> {
        let raw = match scalar {
            _ if scalar.is_signed_int() => mlir!(mlirIntegerTypeSignedGet(self.raw(), scalar.bits())),
            _ if scalar.is_unsigned_int() => mlir!(mlirIntegerTypeUnsignedGet(self.raw(), scalar.bits())),
            _ => return self.scalar(scalar),
        };
        Type::new(raw, self)
    }

    /// `!tt.ptr<pointee, space>`; space 1 is global memory and not printed.
    pub fn ptr_in(&'c self, pointee: Type<'c>, address_space: u32) -> Type<'c> {
        // SAFETY: as in `mlir!`.
        Type::new(unsafe { tk::tkPointerTypeGet(pointee.raw, address_space) }, self)
    }

    /// `tensor<shape x element, encoding>`.
    pub fn tensor(&'c self, shape: &[i64], element: Type<'c>, encoding: Option<Attribute<'c>>) -> Type<'c> {
        let encoding = encoding.map_or(MlirAttribute { ptr: std::ptr::null() }, |attribute| attribute.raw);
        let rank = shape.len() as isize;
        Type::new(mlir!(mlirRankedTensorTypeGet(rank, shape.as_ptr(), element.raw, encoding)), self)
    }

    /// `!ttg.memdesc<…>` from its parts.
    pub fn memdesc(&'c self, parts: &MemDesc<'c>) -> Type<'c> {
        let (shape, alloc) = (&parts.shape, &parts.alloc_shape);
        // SAFETY: as in `mlir!`; the arrays live until the call returns.
        let raw = unsafe {
            tk::tkMemDescTypeGet(
                shape.len() as isize,
                shape.as_ptr(),
                parts.element.raw,
                parts.encoding.raw,
                parts.memory_space.raw,
                parts.mutable,
                alloc.len() as isize,
                alloc.as_ptr(),
            )
        };
        Type::new(raw, self)
    }

    /// `!tt.tensordesc<…>` of a block.
    pub fn tensor_desc(&'c self, block: Type<'c>) -> Type<'c> {
        // SAFETY: as in `mlir!`.
        Type::new(unsafe { tk::tkTensorDescTypeGet(block.raw) }, self)
    }

    /// `!ttg.async.token`.
    pub fn token(&'c self) -> Type<'c> {
        // SAFETY: as in `mlir!`.
        Type::new(unsafe { tk::tkAsyncTokenTypeGet(self.raw()) }, self)
    }

    /// `(inputs) -> (results)`.
    pub fn function_type(&'c self, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
        let list = |types: &[Type<'c>]| types.iter().map(|ty| ty.raw).collect::<Vec<MlirType>>();
        let (inputs, results) = (list(inputs), list(results));
        let (ins, outs) = (inputs.len() as isize, results.len() as isize);
        Type::new(mlir!(mlirFunctionTypeGet(self.raw(), ins, inputs.as_ptr(), outs, results.as_ptr())), self)
    }

    /// A type from text that tk wrote; `None` when it is not a type.
    pub fn parse_type(&'c self, text: &str) -> Option<Type<'c>> {
        crate::guard::nesting_is_fine(text).then_some(())?;
        self.start_capture();
        Type::some(mlir!(mlirTypeParseGet(self.raw(), string_ref(text))), self)
    }
}

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
        if mlir!(mlirTypeIsAInteger(self.raw)) {
            return TypeKind::Int { bits: mlir!(mlirIntegerTypeGetWidth(self.raw)) };
        }
        if let Some(scalar) = self.float() {
            return TypeKind::Float(scalar);
        }
        if mlir!(mlirTypeIsAIndex(self.raw)) {
            return TypeKind::Index;
        }
        if mlir!(mlirTypeIsAFunction(self.raw)) {
            return TypeKind::Function { inputs: self.function_inputs(), results: self.function_results() };
        }
        if mlir!(mlirTypeIsANone(self.raw)) {
            return TypeKind::None;
        }
        self.dialect_kind()
    }

    fn dialect_kind(self) -> TypeKind<'c> {
        if let Some(memdesc) = self.memdesc() {
            return TypeKind::MemDesc(memdesc);
        }
        // SAFETY: as in `mlir!`; the block accessor is only called on tensor descriptors.
        unsafe {
            if tk::tkTypeIsAsyncToken(self.raw) {
                return TypeKind::Token;
            }
            if tk::tkTypeIsTensorDesc(self.raw) {
                return TypeKind::TensorDesc { block: Type::new(tk::tkTensorDescTypeGetBlock(self.raw), self.context) };
            }
        }
        TypeKind::Other
    }

    /// A ranked tensor.
    pub fn is_tensor(self) -> bool {
        mlir!(mlirTypeIsARankedTensor(self.raw))
    }

    /// A pointer (not a tensor of pointers).
    pub fn is_ptr(self) -> bool {
        // SAFETY: as in `mlir!`.
        unsafe { tk::tkTypeIsPointer(self.raw) }
    }

    /// A view of shared memory.
    pub fn is_memdesc(self) -> bool {
        // SAFETY: as in `mlir!`.
        unsafe { tk::tkTypeIsMemDesc(self.raw) }
    }

    /// Pointee and address space, for a pointer.
    pub fn pointer(self) -> Option<(Type<'c>, u32)> {
        self.is_ptr().then(|| {
            // SAFETY: as in `mlir!`; the type is a pointer.
            let (pointee, space) =
                unsafe { (tk::tkPointerTypeGetPointee(self.raw), tk::tkPointerTypeGetAddressSpace(self.raw)) };
            (Type::new(pointee, self.context), space)
        })
    }

    /// The parts, for a memory descriptor.
    pub fn memdesc(self) -> Option<MemDesc<'c>> {
        if !self.is_memdesc() {
            return None;
        }
        // SAFETY: as in `mlir!`; the type is a memory descriptor and the indices are below its ranks.
        let (element, encoding, space, mutable, alloc_shape) = unsafe {
            (
                mlir_sys::mlirShapedTypeGetElementType(self.raw),
                tk::tkMemDescTypeGetEncoding(self.raw),
                tk::tkMemDescTypeGetMemorySpace(self.raw),
                tk::tkMemDescTypeIsMutable(self.raw),
                (0..tk::tkMemDescTypeGetAllocRank(self.raw))
                    .map(|i| tk::tkMemDescTypeGetAllocDim(self.raw, i))
                    .collect(),
            )
        };
        Some(MemDesc {
            shape: self.shape(),
            element: Type::new(element, self.context),
            encoding: Attribute::new(encoding, self.context),
            memory_space: Attribute::new(space, self.context),
            mutable,
            alloc_shape,
        })
    }

    /// The element type of a tensor.
    pub(crate) fn tensor_element(self) -> Option<Type<'c>> {
        self.is_tensor().then(|| Type::new(mlir!(mlirShapedTypeGetElementType(self.raw)), self.context))
    }

    /// Dimensions of a tensor or memory descriptor; 0 for anything else.
    pub fn rank(self) -> usize {
        if self.is_tensor() || self.is_memdesc() { mlir!(mlirShapedTypeGetRank(self.raw)) as usize } else { 0 }
    }

    /// Elements along each dimension of a tensor or memory descriptor; empty for anything else.
    pub fn shape(self) -> Vec<i64> {
        (0..self.rank()).map(|dim| mlir!(mlirShapedTypeGetDimSize(self.raw, dim as isize))).collect()
    }

    /// The layout of a tensor or memory descriptor.
    pub fn encoding(self) -> Option<Attribute<'c>> {
        if self.is_tensor() {
            return Attribute::some(mlir!(mlirRankedTensorTypeGetEncoding(self.raw)), self.context);
        }
        // SAFETY: as in `mlir!`; the type is a memory descriptor.
        self.is_memdesc().then(|| Attribute::new(unsafe { tk::tkMemDescTypeGetEncoding(self.raw) }, self.context))
    }

    /// The integer width, for an integer.
    pub fn int_bits(self) -> Option<u32> {
        mlir!(mlirTypeIsAInteger(self.raw)).then(|| mlir!(mlirIntegerTypeGetWidth(self.raw)))
    }

    /// An integer type that says it is signed; most are signless.
    pub fn is_signed_int(self) -> bool {
        mlir!(mlirTypeIsAInteger(self.raw)) && mlir!(mlirIntegerTypeIsSigned(self.raw))
    }

    /// Whether it is an integer type that is said to be unsigned.
    pub fn is_unsigned(self) -> bool {
        mlir!(mlirTypeIsAInteger(self.raw)) && mlir!(mlirIntegerTypeIsUnsigned(self.raw))
    }

    /// The element type, for a float that tk knows.
    pub fn float(self) -> Option<ScalarType> {
        let raw = self.raw;
        if !mlir!(mlirTypeIsAFloat(raw)) {
            return None;
        }
        let tests = [
            (mlir!(mlirTypeIsAF32(raw)), ScalarType::F32),
            (mlir!(mlirTypeIsAF16(raw)), ScalarType::F16),
            (mlir!(mlirTypeIsABF16(raw)), ScalarType::BF16),
            (mlir!(mlirTypeIsAF64(raw)), ScalarType::F64),
            (mlir!(mlirTypeIsAFloat8E4M3FN(raw)), ScalarType::F8E4M3),
            (mlir!(mlirTypeIsAFloat8E5M2(raw)), ScalarType::F8E5M2),
            (mlir!(mlirTypeIsAFloat8E4M3FNUZ(raw)), ScalarType::F8E4M3B8),
            (mlir!(mlirTypeIsAFloat8E5M2FNUZ(raw)), ScalarType::F8E5M2B16),
        ];
        tests.into_iter().find(|(is, _)| *is).map(|(_, scalar)| scalar)
    }

    /// The width of any float type, even one tk has no name for.
    pub(crate) fn float_bits(self) -> Option<u32> {
        mlir!(mlirTypeIsAFloat(self.raw)).then(|| mlir!(mlirFloatTypeGetWidth(self.raw)))
    }

    /// `index`.
    pub fn is_index(self) -> bool {
        mlir!(mlirTypeIsAIndex(self.raw))
    }

    /// Inputs of a function type; empty for anything else.
    pub fn function_inputs(self) -> Vec<Type<'c>> {
        if !mlir!(mlirTypeIsAFunction(self.raw)) {
            return Vec::new();
        }
        let count = mlir!(mlirFunctionTypeGetNumInputs(self.raw));
        (0..count).map(|i| Type::new(mlir!(mlirFunctionTypeGetInput(self.raw, i)), self.context)).collect()
    }

    /// Results of a function type; empty for anything else.
    pub fn function_results(self) -> Vec<Type<'c>> {
        if !mlir!(mlirTypeIsAFunction(self.raw)) {
            return Vec::new();
        }
        let count = mlir!(mlirFunctionTypeGetNumResults(self.raw));
        (0..count).map(|i| Type::new(mlir!(mlirFunctionTypeGetResult(self.raw, i)), self.context)).collect()
    }
}

impl std::fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&printed(|callback, out| mlir!(mlirTypePrint(self.raw, callback, out))))
    }
}

impl std::fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
