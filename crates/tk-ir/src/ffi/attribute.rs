//! `Attribute`: constants attached to operations and types.

use super::*;
use mlir_sys::{MlirAttribute, MlirNamedAttribute};

/// An attribute.
#[derive(Clone, Copy)]
pub struct Attribute<'c> {
    pub(super) raw: MlirAttribute,
    pub(super) context: ContextRef<'c>,
}
handle!(Attribute, MlirAttribute);

impl<'c> Context {
    /// An integer attribute of integer or index type `ty`; bits beyond the width of `ty` are cut.
    pub fn int_attr(&'c self, ty: Type<'c>, value: i64) -> Attribute<'c> {
        let value = match ty.int_bits() {
            Some(bits @ 1..64) => (value << (64 - bits)) >> (64 - bits),
            _ => value,
        };
        Attribute::new(mlir!(mlirIntegerAttrGet(ty.raw, value)), self)
    }

    /// `value : i1`, printed `true` or `false`.
    pub fn bool_attr(&'c self, value: bool) -> Attribute<'c> {
        Attribute::new(mlir!(mlirBoolAttrGet(self.raw(), value.into())), self)
    }

    /// A float attribute of float type `ty`, rounded to it.
    pub fn float_attr(&'c self, ty: Type<'c>, value: f64) -> Attribute<'c> {
        Attribute::new(mlir!(mlirFloatAttrDoubleGet(self.raw(), ty.raw, value)), self)
    }

    /// A string.
    pub fn string_attr(&'c self, text: &str) -> Attribute<'c> {
        Attribute::new(mlir!(mlirStringAttrGet(self.raw(), string_ref(text))), self)
    }

    /// The attribute whose presence is its value.
    pub fn unit_attr(&'c self) -> Attribute<'c> {
        Attribute::new(mlir!(mlirUnitAttrGet(self.raw())), self)
    }

    /// A type as an attribute.
    pub fn type_attr(&'c self, ty: Type<'c>) -> Attribute<'c> {
        Attribute::new(mlir!(mlirTypeAttrGet(ty.raw)), self)
    }

    /// `@name`.
    pub fn symbol_attr(&'c self, name: &str) -> Attribute<'c> {
        Attribute::new(mlir!(mlirFlatSymbolRefAttrGet(self.raw(), string_ref(name))), self)
    }

    /// `[a, b, …]`.
    pub fn array_attr(&'c self, items: &[Attribute<'c>]) -> Attribute<'c> {
        let raw: Vec<MlirAttribute> = items.iter().map(|item| item.raw).collect();
        Attribute::new(mlir!(mlirArrayAttrGet(self.raw(), raw.len() as isize, raw.as_ptr())), self)
    }

    /// `{name = value, …}`.
    pub fn dict_attr(&'c self, items: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
        let raw: Vec<MlirNamedAttribute> = items.iter().map(|(name, value)| self.named(name, *value)).collect();
        Attribute::new(mlir!(mlirDictionaryAttrGet(self.raw(), raw.len() as isize, raw.as_ptr())), self)
    }

    pub(super) fn named(&self, name: &str, value: Attribute<'_>) -> MlirNamedAttribute {
        let name = mlir!(mlirIdentifierGet(self.raw(), string_ref(name)));
        MlirNamedAttribute { name, attribute: value.raw }
    }

    /// `array<i32: …>`.
    pub fn i32_array(&'c self, values: &[i32]) -> Attribute<'c> {
        Attribute::new(mlir!(mlirDenseI32ArrayGet(self.raw(), values.len() as isize, values.as_ptr())), self)
    }

    /// `array<i64: …>`.
    pub fn i64_array(&'c self, values: &[i64]) -> Attribute<'c> {
        Attribute::new(mlir!(mlirDenseI64ArrayGet(self.raw(), values.len() as isize, values.as_ptr())), self)
    }

    /// `dense<value> : tensor`, all elements equal to the scalar attribute `value`.
    pub fn splat_attr(&'c self, tensor: Type<'c>, value: Attribute<'c>) -> Attribute<'c> {
        Attribute::new(mlir!(mlirDenseElementsAttrSplatGet(tensor.raw, value.raw)), self)
    }

    /// `dense<[…]> : tensor`, one scalar attribute per element in row-major order.
    pub fn dense_attr(&'c self, tensor: Type<'c>, values: &[Attribute<'c>]) -> Attribute<'c> {
        let raw: Vec<MlirAttribute> = values.iter().map(|value| value.raw).collect();
        Attribute::new(mlir!(mlirDenseElementsAttrGet(tensor.raw, raw.len() as isize, raw.as_ptr())), self)
    }

    /// An attribute from text that tk wrote; `None` when it is not one.
    pub fn parse_attr(&'c self, text: &str) -> Option<Attribute<'c>> {
        crate::guard::nesting_is_fine(text).then_some(())?;
        self.start_capture();
        Attribute::some(mlir!(mlirAttributeParseGet(self.raw(), string_ref(text))), self)
    }
}

impl<'c> Attribute<'c> {
    /// The type of a typed attribute such as an integer, a float or dense elements.
    pub fn ty(self) -> Type<'c> {
        Type::new(mlir!(mlirAttributeGetType(self.raw)), self.context)
    }

    /// The value of an integer or boolean attribute of up to 64 bits; sign-extended except for `i1`, which gives 0 or 1.
    /// Enum attributes such as an operation's `axis` give their number.
    pub fn as_int(self) -> Option<i64> {
        if mlir!(mlirAttributeIsABool(self.raw)) {
            return Some(i64::from(mlir!(mlirBoolAttrGetValue(self.raw))));
        }
        if !mlir!(mlirAttributeIsAInteger(self.raw)) {
            return None;
        }
        let ty = self.ty().raw;
        if mlir!(mlirTypeIsAIndex(ty)) {
            return Some(mlir!(mlirIntegerAttrGetValueInt(self.raw)));
        }
        if mlir!(mlirIntegerTypeGetWidth(ty)) > 64 {
            return None;
        }
        Some(if mlir!(mlirIntegerTypeIsSigned(ty)) {
            mlir!(mlirIntegerAttrGetValueSInt(self.raw))
        } else if mlir!(mlirIntegerTypeIsUnsigned(ty)) {
            mlir!(mlirIntegerAttrGetValueUInt(self.raw)) as i64
        } else {
            mlir!(mlirIntegerAttrGetValueInt(self.raw))
        })
    }

    /// The value of a boolean attribute.
    pub fn as_bool(self) -> Option<bool> {
        mlir!(mlirAttributeIsABool(self.raw)).then(|| mlir!(mlirBoolAttrGetValue(self.raw)))
    }

    /// The value of a float attribute.
    pub fn as_float(self) -> Option<f64> {
        mlir!(mlirAttributeIsAFloat(self.raw)).then(|| mlir!(mlirFloatAttrGetValueDouble(self.raw)))
    }

    /// The text of a string attribute, or the name of a symbol reference.
    pub fn as_str(self) -> Option<&'c str> {
        if mlir!(mlirAttributeIsAString(self.raw)) {
            return Some(as_str(mlir!(mlirStringAttrGetValue(self.raw))));
        }
        mlir!(mlirAttributeIsAFlatSymbolRef(self.raw)).then(|| as_str(mlir!(mlirFlatSymbolRefAttrGetValue(self.raw))))
    }

    /// The type in a type attribute.
    pub fn as_type(self) -> Option<Type<'c>> {
        mlir!(mlirAttributeIsAType(self.raw)).then(|| Type::new(mlir!(mlirTypeAttrGetValue(self.raw)), self.context))
    }

    /// A unit attribute.
    pub fn is_unit(self) -> bool {
        mlir!(mlirAttributeIsAUnit(self.raw))
    }

    /// The items of an array attribute.
    pub fn as_array(self) -> Option<Vec<Attribute<'c>>> {
        mlir!(mlirAttributeIsAArray(self.raw)).then(|| {
            let count = mlir!(mlirArrayAttrGetNumElements(self.raw));
            (0..count).map(|i| Attribute::new(mlir!(mlirArrayAttrGetElement(self.raw, i)), self.context)).collect()
        })
    }

    /// The entries of a dictionary attribute.
    pub fn as_dict(self) -> Option<Vec<(&'c str, Attribute<'c>)>> {
        mlir!(mlirAttributeIsADictionary(self.raw)).then(|| {
            (0..mlir!(mlirDictionaryAttrGetNumElements(self.raw)))
                .map(|index| {
                    let entry = mlir!(mlirDictionaryAttrGetElement(self.raw, index));
                    (as_str(mlir!(mlirIdentifierStr(entry.name))), Attribute::new(entry.attribute, self.context))
                })
                .collect()
        })
    }

    /// The integers of a dense array (`array<i32: …>`, `array<i64: …>`, `array<i1: …>`) or of a dense integer
    /// elements attribute, spread out when it is a splat.
    pub fn as_ints(self) -> Option<Vec<i64>> {
        let raw = self.raw;
        if mlir!(mlirAttributeIsADenseI32Array(raw)) {
            let count = mlir!(mlirDenseArrayGetNumElements(raw));
            return Some((0..count).map(|i| mlir!(mlirDenseI32ArrayGetElement(raw, i)).into()).collect());
        }
        if mlir!(mlirAttributeIsADenseI64Array(raw)) {
            let count = mlir!(mlirDenseArrayGetNumElements(raw));
            return Some((0..count).map(|i| mlir!(mlirDenseI64ArrayGetElement(raw, i))).collect());
        }
        if mlir!(mlirAttributeIsADenseBoolArray(raw)) {
            let count = mlir!(mlirDenseArrayGetNumElements(raw));
            return Some((0..count).map(|i| mlir!(mlirDenseBoolArrayGetElement(raw, i)).into()).collect());
        }
        if !mlir!(mlirAttributeIsADenseIntElements(raw)) {
            return None;
        }
        let count = mlir!(mlirElementsAttrGetNumElements(raw)) as usize;
        if let Some(value) = self.as_splat_int() {
            return Some(vec![value; count]);
        }
        (0..count).map(|index| self.dense_element(index).as_int()).collect()
    }

    /// Element `index` of a dense elements attribute, as a scalar attribute.
    pub fn dense_element(self, index: usize) -> Attribute<'c> {
        // SAFETY: as in `mlir!`; the callee checks kind and range and returns null for a mistake.
        let raw = unsafe { tk_dialect::raw::tkDenseElementsGet(self.raw, index as isize) };
        assert!(!raw.ptr.is_null(), "{self} has no element {index}");
        Attribute::new(raw, self.context)
    }

    /// Number of elements of a dense elements attribute.
    pub fn dense_len(self) -> Option<usize> {
        mlir!(mlirAttributeIsADenseElements(self.raw)).then(|| mlir!(mlirElementsAttrGetNumElements(self.raw)) as usize)
    }

    /// The one value of a splat, as a scalar attribute.
    pub fn as_splat(self) -> Option<Attribute<'c>> {
        if !mlir!(mlirAttributeIsADenseElements(self.raw)) || !mlir!(mlirDenseElementsAttrIsSplat(self.raw)) {
            return None;
        }
        Some(Attribute::new(mlir!(mlirDenseElementsAttrGetSplatValue(self.raw)), self.context))
    }

    /// The value of a scalar integer, or of an integer splat.
    pub fn as_splat_int(self) -> Option<i64> {
        self.as_splat().unwrap_or(self).as_int()
    }

    /// The value of a scalar float, or of a float splat.
    pub fn as_splat_float(self) -> Option<f64> {
        self.as_splat().unwrap_or(self).as_float()
    }
}

impl std::fmt::Display for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&printed(|callback, out| mlir!(mlirAttributePrint(self.raw, callback, out))))
    }
}

impl std::fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl<'c> Attribute<'c> {
    /// The attribute whose [`Attribute::id`] is `address`, in the same context.
    pub(crate) fn from_address(address: usize, context: &'c Context) -> Self {
        Self::new(MlirAttribute { ptr: address as *const c_void }, context)
    }
}
