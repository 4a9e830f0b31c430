//! What follows from a type's parts: element types, constants of a type, and types that differ in one part.

use crate::{Attribute, Context, GLOBAL_MEMORY, MemDesc, Type};
use tk_types::ScalarType;

impl<'c> Context {
    /// `f16`.
    pub fn f16(&'c self) -> Type<'c> {
        self.scalar(ScalarType::F16)
    }

    /// `bf16`.
    pub fn bf16(&'c self) -> Type<'c> {
        self.scalar(ScalarType::BF16)
    }

    /// `f32`.
    pub fn f32(&'c self) -> Type<'c> {
        self.scalar(ScalarType::F32)
    }

    /// `f64`.
    pub fn f64(&'c self) -> Type<'c> {
        self.scalar(ScalarType::F64)
    }

    /// `!tt.ptr<pointee>`, to global memory.
    pub fn ptr(&'c self, pointee: Type<'c>) -> Type<'c> {
        self.ptr_in(pointee, GLOBAL_MEMORY)
    }

    /// An `i32` attribute.
    pub fn i32_attr(&'c self, value: i32) -> Attribute<'c> {
        self.int_attr(self.i(32), value.into())
    }

    /// An `i64` attribute.
    pub fn i64_attr(&'c self, value: i64) -> Attribute<'c> {
        self.int_attr(self.i(64), value)
    }

    /// A constant of `ty` from an integer: an integer or float attribute for a scalar, a splat for a tensor.
    pub fn number_attr(&'c self, ty: Type<'c>, value: i64) -> Attribute<'c> {
        if ty.element().is_float() {
            self.real_attr(ty, value as f64)
        } else {
            self.typed_attr(ty, |element| self.int_attr(element, value))
        }
    }

    /// A constant of float type `ty`: a float attribute for a scalar, a splat for a tensor.
    pub fn real_attr(&'c self, ty: Type<'c>, value: f64) -> Attribute<'c> {
        self.typed_attr(ty, |element| self.float_attr(element, value))
    }

    fn typed_attr(&'c self, ty: Type<'c>, scalar: impl FnOnce(Type<'c>) -> Attribute<'c>) -> Attribute<'c> {
        let value = scalar(ty.element());
        if ty.is_tensor() { self.splat_attr(ty, value) } else { value }
    }
}

impl<'c> Type<'c> {
    /// The element type of a tensor or memory descriptor; the type itself when it is a scalar.
    pub fn element(self) -> Type<'c> {
        self.tensor_element().or_else(|| self.memdesc().map(|memdesc| memdesc.element)).unwrap_or(self)
    }

    /// An integer or a tensor of integers.
    pub fn is_int_like(self) -> bool {
        self.element().int_bits().is_some()
    }

    /// A float or a tensor of floats.
    pub fn is_float_like(self) -> bool {
        self.element().is_float()
    }

    /// A pointer or a tensor of pointers.
    pub fn is_ptr_like(self) -> bool {
        self.element().is_ptr()
    }

    /// An integer (not a tensor).
    pub fn is_int(self) -> bool {
        self.int_bits().is_some()
    }

    /// A float (not a tensor).
    pub fn is_float(self) -> bool {
        self.float_bits().is_some()
    }

    /// What a pointer, or each element of a tensor of pointers, points to.
    pub fn pointee(self) -> Option<Type<'c>> {
        self.element().pointer().map(|(pointee, _)| pointee)
    }

    /// Bits of one element: 64 for pointers and `index`, 0 for types that are no data.
    pub fn element_bits(self) -> u32 {
        let element = self.element();
        if let Some(bits) = element.int_bits().or_else(|| element.float_bits()) {
            return bits;
        }
        if element.is_ptr() || element.is_index() { 64 } else { 0 }
    }

    /// Elements of a tensor or memory descriptor in all; 1 for a scalar.
    pub fn num_elements(self) -> i64 {
        self.shape().iter().fold(1, |product: i64, size| product.saturating_mul(*size))
    }

    /// The same tensor or memory descriptor with another layout. A scalar stays as it is.
    pub fn with_encoding(self, encoding: Option<Attribute<'c>>) -> Type<'c> {
        if let Some(element) = self.tensor_element() {
            return self.context().tensor(&self.shape(), element, encoding);
        }
        match (self.memdesc(), encoding) {
            (Some(memdesc), Some(encoding)) => self.context().memdesc(&MemDesc { encoding, ..memdesc }),
            _ => self,
        }
    }

    /// The same tensor or memory descriptor with another element type; `element` itself for a scalar.
    pub fn with_element(self, element: Type<'c>) -> Type<'c> {
        if self.is_tensor() {
            return self.context().tensor(&self.shape(), element, self.encoding());
        }
        match self.memdesc() {
            Some(memdesc) => self.context().memdesc(&MemDesc { element, ..memdesc }),
            None => element,
        }
    }

    /// The same element type and layout with another shape; a tensor when this is a scalar.
    pub fn with_shape(self, shape: &[i64]) -> Type<'c> {
        match self.memdesc() {
            Some(memdesc) => {
                self.context().memdesc(&MemDesc { shape: shape.to_vec(), alloc_shape: shape.to_vec(), ..memdesc })
            }
            None => self.context().tensor(shape, self.element(), self.encoding()),
        }
    }
}
