//! Types from their parts.

use crate::{Attribute, Context, MemDesc, Type, ffi};
use melior::ir::r#type::{FunctionType, IntegerType, RankedTensorType};
use tk_types::ScalarType;

impl Context {
    fn type_of<'c>(&'c self, ty: impl Into<melior::ir::Type<'c>>) -> Type<'c> {
        Type::new(ty.into(), self)
    }

    /// The signless integer type of this many bits.
    pub fn i(&self, bits: u32) -> Type<'_> {
        self.type_of(IntegerType::new(self.melior(), bits))
    }

    /// `index`.
    pub fn index(&self) -> Type<'_> {
        self.type_of(melior::ir::Type::index(self.melior()))
    }

    /// `none`.
    pub fn none_type(&self) -> Type<'_> {
        self.type_of(melior::ir::Type::none(self.melior()))
    }

    /// The MLIR type of an element type; signedness is lost.
    pub fn scalar(&self, scalar: ScalarType) -> Type<'_> {
        let context = self.melior();
        self.type_of(match scalar {
            ScalarType::F8E4M3 => melior::ir::Type::float8_e4m3fn(context),
            ScalarType::F8E5M2 => melior::ir::Type::float8_e5m2(context),
            ScalarType::F8E4M3B8 => melior::ir::Type::float8_e4m3fnuz(context),
            ScalarType::F8E5M2B16 => melior::ir::Type::float8_e5m2fnuz(context),
            ScalarType::F16 => melior::ir::Type::float16(context),
            ScalarType::BF16 => melior::ir::Type::bfloat16(context),
            ScalarType::F32 => melior::ir::Type::float32(context),
            ScalarType::F64 => melior::ir::Type::float64(context),
            integer => return self.i(integer.bits()),
        })
    }

    /// Like [`Self::scalar`] with the sign of integers: `si32`, `ui32`. Only descriptors have such elements.
    pub fn signed_scalar(&self, scalar: ScalarType) -> Type<'_> {
        match scalar {
            _ if scalar.is_signed_int() => self.type_of(IntegerType::signed(self.melior(), scalar.bits())),
            _ if scalar.is_unsigned_int() => self.type_of(IntegerType::unsigned(self.melior(), scalar.bits())),
            _ => self.scalar(scalar),
        }
    }

    /// `!tt.ptr<pointee, space>`; space 1 is global memory and not printed.
    pub fn ptr_in<'c>(&'c self, pointee: Type<'c>, address_space: u32) -> Type<'c> {
        self.type_of(ffi::pointer_type(pointee.melior, address_space))
    }

    /// `tensor<shape x element, encoding>`.
    pub fn tensor<'c>(&'c self, shape: &[i64], element: Type<'c>, encoding: Option<Attribute<'c>>) -> Type<'c> {
        let encoding = encoding.map(|encoding| encoding.melior);
        self.type_of(RankedTensorType::new(ffi::sizes(shape), element.melior, encoding))
    }

    /// `!ttg.memdesc<…>` from its parts.
    pub fn memdesc<'c>(&'c self, parts: &MemDesc<'c>) -> Type<'c> {
        self.type_of(ffi::memdesc_type(parts))
    }

    /// `!tt.tensordesc<…>` of a block, which is a ranked tensor.
    pub fn tensor_desc<'c>(&'c self, block: Type<'c>) -> Type<'c> {
        self.type_of(ffi::tensor_desc_type(block.melior))
    }

    /// `!ttg.async.token`.
    pub fn token(&self) -> Type<'_> {
        self.type_of(ffi::token_type(self.melior()))
    }

    /// `(inputs) -> (results)`.
    pub fn function_type<'c>(&'c self, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
        let list = |types: &[Type<'c>]| types.iter().map(|ty| ty.melior).collect::<Vec<_>>();
        self.type_of(FunctionType::new(self.melior(), &list(inputs), &list(results)))
    }

    /// A type from text that tk wrote; `None` when it is not a type.
    pub fn parse_type(&self, text: &str) -> Option<Type<'_>> {
        crate::guard::nesting_is_fine(text).then_some(())?;
        self.start_capture();
        melior::ir::Type::parse(self.melior(), text).map(|ty| self.type_of(ty))
    }
}
