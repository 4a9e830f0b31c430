//! What is known of a value of host code that nobody runs.

use tk_types::{ConstValue, ScalarType};

/// What is known of a host value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Known {
    /// A number, a string, `None`, a type or a function.
    Constant(ConstValue),
    /// An integer that is computed from the sizes of a tensor: what it is depends on what the program is run with.
    Size(i128),
    /// A tensor.
    Tensor(Tensor),
    /// A tensor descriptor.
    Descriptor { block: Option<Vec<u32>>, element: Option<ScalarType> },
    /// A tuple or a list.
    Items(Vec<Known>),
    /// A dictionary with constant keys.
    Table(Vec<(ConstValue, Known)>),
    /// Nothing.
    Unknown,
}

impl Known {
    /// An integer.
    pub(crate) fn int(&self) -> Option<i128> {
        match self {
            Known::Constant(ConstValue::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// An integer, also one that comes from a tensor.
    pub(crate) fn count(&self) -> Option<i128> {
        match self {
            Known::Size(value) => Some(*value),
            other => other.int(),
        }
    }

    /// An integer that is computed from these: from the sizes of tensors if one of them is.
    pub(crate) fn counted(value: i128, from: &[&Known]) -> Self {
        match from.iter().any(|known| matches!(known, Known::Size(_))) {
            true => Known::Size(value),
            false => Known::Constant(ConstValue::Int(value)),
        }
    }

    /// A tensor of elements of which the shape is not known.
    pub(crate) fn tensor(element: Option<ScalarType>) -> Self {
        Known::Tensor(Tensor { element, shape: None })
    }

    /// The same without sizes of tensors, which say nothing of types.
    pub(crate) fn without_sizes(&self) -> Self {
        match self {
            Known::Size(_) => Known::Unknown,
            Known::Tensor(tensor) => Known::tensor(tensor.element),
            Known::Items(items) => Known::Items(items.iter().map(Known::without_sizes).collect()),
            other => other.clone(),
        }
    }

    /// A type.
    pub(crate) fn dtype(&self) -> Option<ScalarType> {
        match self {
            Known::Constant(ConstValue::Dtype(scalar)) => Some(*scalar),
            _ => None,
        }
    }

    /// The constant that a constexpr takes; tuples of constants are constants.
    pub(crate) fn constant(&self) -> Option<ConstValue> {
        match self {
            Known::Constant(value) => Some(value.clone()),
            Known::Items(items) => Some(ConstValue::Tuple(items.iter().map(Known::constant).collect::<Option<_>>()?)),
            _ => None,
        }
    }

    /// What a condition makes of it.
    pub(crate) fn truth(&self) -> Option<bool> {
        match self {
            Known::Constant(ConstValue::Bool(value)) => Some(*value),
            Known::Constant(ConstValue::Int(value)) => Some(*value != 0),
            Known::Constant(ConstValue::None) => Some(false),
            Known::Items(items) => Some(!items.is_empty()),
            _ => None,
        }
    }
}

/// What is known of a tensor.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Tensor {
    /// What it is made of.
    pub(crate) element: Option<ScalarType>,
    /// Its sizes, where all are known and it is contiguous.
    pub(crate) shape: Option<Vec<i128>>,
}

impl Tensor {
    /// Whether int32 cannot count its elements.
    pub(crate) fn is_long(&self) -> bool {
        let product = |shape: &Vec<i128>| shape.iter().copied().fold(1i128, i128::saturating_mul);
        self.shape.as_ref().is_some_and(|shape| product(shape) > i128::from(i32::MAX))
    }

    /// What an operator makes of two.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Self {
            element: self.element.filter(|_| self.element == other.element),
            shape: self.shape.clone().filter(|_| self.shape == other.shape),
        }
    }
}
