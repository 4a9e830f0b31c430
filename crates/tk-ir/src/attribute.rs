//! `Attribute`: constants attached to operations and types.

use crate::handle::handle;
use crate::{Context, Type, ffi};
use melior::ir::attribute::{
    ArrayAttribute, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
    DictionaryAttribute, FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::r#type::IntegerType;
use melior::ir::{AttributeLike, Identifier, TypeLike};

handle! {
    /// An attribute.
    Attribute over melior::ir::Attribute<'c>
}

impl Context {
    fn attribute<'c>(&'c self, attribute: impl Into<melior::ir::Attribute<'c>>) -> Attribute<'c> {
        Attribute::new(attribute.into(), self)
    }

    /// An integer attribute of integer or index type `ty`; bits beyond the width of `ty` are cut.
    pub fn int_attr<'c>(&'c self, ty: Type<'c>, value: i64) -> Attribute<'c> {
        let value = match ty.int_bits() {
            Some(bits @ 1..64) => (value << (64 - bits)) >> (64 - bits),
            _ => value,
        };
        self.attribute(IntegerAttribute::new(ty.melior, value))
    }

    /// `value : i1`, printed `true` or `false`.
    pub fn bool_attr(&self, value: bool) -> Attribute<'_> {
        self.attribute(BoolAttribute::new(self.melior(), value))
    }

    /// A float attribute of float type `ty`, rounded to it.
    pub fn float_attr<'c>(&'c self, ty: Type<'c>, value: f64) -> Attribute<'c> {
        self.attribute(FloatAttribute::new(self.melior(), ty.melior, value))
    }

    /// A string.
    pub fn string_attr(&self, text: &str) -> Attribute<'_> {
        self.attribute(StringAttribute::new(self.melior(), text))
    }

    /// The attribute whose presence is its value.
    pub fn unit_attr(&self) -> Attribute<'_> {
        self.attribute(melior::ir::Attribute::unit(self.melior()))
    }

    /// A type as an attribute.
    pub fn type_attr<'c>(&'c self, ty: Type<'c>) -> Attribute<'c> {
        self.attribute(TypeAttribute::new(ty.melior))
    }

    /// `@name`.
    pub fn symbol_attr(&self, name: &str) -> Attribute<'_> {
        self.attribute(FlatSymbolRefAttribute::new(self.melior(), name))
    }

    /// `[a, b, …]`.
    pub fn array_attr<'c>(&'c self, items: &[Attribute<'c>]) -> Attribute<'c> {
        let items: Vec<_> = items.iter().map(|item| item.melior).collect();
        self.attribute(ArrayAttribute::new(self.melior(), &items))
    }

    /// `{name = value, …}`.
    pub fn dict_attr<'c>(&'c self, items: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
        let entry = |(name, value): &(&str, Attribute<'c>)| (Identifier::new(self.melior(), name), value.melior);
        let entries: Vec<_> = items.iter().map(entry).collect();
        self.attribute(DictionaryAttribute::new(self.melior(), &entries))
    }

    /// `array<i32: …>`.
    pub fn i32_array(&self, values: &[i32]) -> Attribute<'_> {
        self.attribute(DenseI32ArrayAttribute::new(self.melior(), values))
    }

    /// `array<i64: …>`.
    pub fn i64_array(&self, values: &[i64]) -> Attribute<'_> {
        self.attribute(DenseI64ArrayAttribute::new(self.melior(), values))
    }

    /// `dense<value> : tensor`, all elements equal to the scalar attribute `value`.
    pub fn splat_attr<'c>(&'c self, tensor: Type<'c>, value: Attribute<'c>) -> Attribute<'c> {
        self.attribute(DenseElementsAttribute::splat(tensor.melior, value.melior))
    }

    /// `dense<[…]> : tensor`, one scalar attribute per element in row-major order.
    pub fn dense_attr<'c>(&'c self, tensor: Type<'c>, values: &[Attribute<'c>]) -> Attribute<'c> {
        let values: Vec<_> = values.iter().map(|value| value.melior).collect();
        match DenseElementsAttribute::new(tensor.melior, &values) {
            Ok(elements) => self.attribute(elements),
            Err(_) => panic!("{tensor} has no elements"),
        }
    }

    /// An attribute from text that tk wrote; `None` when it is not one.
    pub fn parse_attr(&self, text: &str) -> Option<Attribute<'_>> {
        crate::guard::nesting_is_fine(text).then_some(())?;
        self.start_capture();
        melior::ir::Attribute::parse(self.melior(), text).map(|attribute| self.attribute(attribute))
    }
}

impl<'c> Attribute<'c> {
    /// The type of a typed attribute such as an integer, a float or dense elements.
    pub fn ty(self) -> Type<'c> {
        Type::new(self.melior.r#type(), self.context)
    }

    /// The value of an integer or boolean attribute of up to 64 bits; sign-extended except for `i1`, which gives 0 or 1.
    /// Enum attributes such as an operation's `axis` give their number.
    pub fn as_int(self) -> Option<i64> {
        let number = self.as_integer()?;
        let ty = self.melior.r#type();
        if ty.is_index() {
            return Some(number.value());
        }
        let ty = IntegerType::try_from(ty).ok()?;
        match ty.width() {
            65.. => None,
            _ if ty.is_signed() => Some(number.signed_value()),
            _ if ty.is_unsigned() => Some(number.unsigned_value() as i64),
            1 => Some(number.value() & 1),
            _ => Some(number.value()),
        }
    }

    /// The conversions of melior describe what is not of their kind in an error, so the kind is asked first.
    fn as_integer(self) -> Option<IntegerAttribute<'c>> {
        self.melior.is_integer().then(|| IntegerAttribute::try_from(self.melior).ok())?
    }

    /// The value of a boolean attribute.
    pub fn as_bool(self) -> Option<bool> {
        self.melior.is_bool().then(|| BoolAttribute::try_from(self.melior).is_ok_and(|flag| flag.value()))
    }

    /// The value of a float attribute.
    pub fn as_float(self) -> Option<f64> {
        let float = self.melior.is_float().then(|| FloatAttribute::try_from(self.melior).ok())?;
        float.map(|float| float.value())
    }

    /// The text of a string attribute, or the name of a symbol reference.
    pub fn as_str(self) -> Option<&'c str> {
        ffi::text(self.melior)
    }

    /// The type in a type attribute.
    pub fn as_type(self) -> Option<Type<'c>> {
        let ty = self.melior.is_type().then(|| TypeAttribute::try_from(self.melior).ok())?;
        ty.map(|ty| Type::new(ty.value(), self.context))
    }

    /// A unit attribute.
    pub fn is_unit(self) -> bool {
        self.melior.is_unit()
    }

    /// The items of an array attribute.
    pub fn as_array(self) -> Option<Vec<Attribute<'c>>> {
        let array = self.melior.is_array().then(|| ArrayAttribute::try_from(self.melior).ok())??;
        let items = (0..array.len()).filter_map(|index| array.element(index).ok());
        Some(items.map(|item| Attribute::new(item, self.context)).collect())
    }

    /// The entries of a dictionary attribute.
    pub fn as_dict(self) -> Option<Vec<(&'c str, Attribute<'c>)>> {
        let dictionary = self.melior.is_dictionary().then(|| DictionaryAttribute::try_from(self.melior).ok())??;
        let entries = (0..dictionary.len()).filter_map(|index| dictionary.element(index).ok());
        Some(entries.map(|(name, value)| (ffi::identifier(name), Attribute::new(value, self.context))).collect())
    }

    /// The integers of a dense array (`array<i32: …>`, `array<i64: …>`, `array<i1: …>`) or of a dense integer
    /// elements attribute, spread out when it is a splat.
    pub fn as_ints(self) -> Option<Vec<i64>> {
        if self.melior.is_dense_i32_array() {
            let array = DenseI32ArrayAttribute::try_from(self.melior).ok()?;
            return Some((0..array.len()).filter_map(|index| array.element(index).ok()).map(i64::from).collect());
        }
        if self.melior.is_dense_i64_array() {
            let array = DenseI64ArrayAttribute::try_from(self.melior).ok()?;
            return Some((0..array.len()).filter_map(|index| array.element(index).ok()).collect());
        }
        if self.melior.is_dense_bool_array() {
            return Some(ffi::flags(self.melior).map(i64::from).collect());
        }
        if !self.melior.is_dense_int_elements() {
            return None;
        }
        let count = self.dense_len()?;
        if let Some(value) = self.as_splat_int() {
            return Some(vec![value; count]);
        }
        (0..count).map(|index| self.dense_element(index).as_int()).collect()
    }

    fn as_dense(self) -> Option<DenseElementsAttribute<'c>> {
        self.melior.is_dense_elements().then(|| DenseElementsAttribute::try_from(self.melior).ok())?
    }

    /// Element `index` of a dense elements attribute, as a scalar attribute.
    pub fn dense_element(self, index: usize) -> Attribute<'c> {
        match ffi::dense_element(self.melior, index) {
            Some(element) => Attribute::new(element, self.context),
            None => panic!("{self} has no element {index}"),
        }
    }

    /// Number of elements of a dense elements attribute.
    pub fn dense_len(self) -> Option<usize> {
        self.as_dense().map(|elements| elements.len())
    }

    /// The one value of a splat, as a scalar attribute.
    pub fn as_splat(self) -> Option<Attribute<'c>> {
        let elements = self.as_dense().filter(DenseElementsAttribute::is_splat)?;
        Some(Attribute::new(elements.splat_value(), self.context))
    }

    /// The value of a scalar integer, or of an integer splat.
    pub fn as_splat_int(self) -> Option<i64> {
        self.as_splat().unwrap_or(self).as_int()
    }

    /// The value of a scalar float, or of a float splat.
    pub fn as_splat_float(self) -> Option<f64> {
        self.as_splat().unwrap_or(self).as_float()
    }

    /// The attribute whose [`Attribute::id`] is `address`, in the same context.
    pub(crate) fn from_address(address: usize, context: &'c Context) -> Self {
        Self::new(ffi::attribute_at(address), context)
    }
}

impl std::fmt::Display for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.melior)
    }
}

impl std::fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
