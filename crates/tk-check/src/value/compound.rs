//! Meanings that are made of several run-time values: block pointers, descriptors, and ranges that a loop runs over.

use super::{Spanned, Val};
use crate::checked::{Element, LoopHints, Type, Value};
use std::rc::Rc;
use tk_types::ScalarType;

/// What `range(…)` and its relatives say.
#[derive(Clone, Debug)]
pub(crate) struct RangeSpec<'a> {
    pub(crate) start: Spanned<'a>,
    pub(crate) stop: Spanned<'a>,
    pub(crate) step: Spanned<'a>,
    pub(crate) hints: LoopHints,
    /// `tl.static_range`: unrolled here.
    pub(crate) unrolled: bool,
}

/// A window of a tensor in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockPointer {
    pub(crate) base: Value,
    pub(crate) element: Element,
    /// i64 scalars, one per dimension.
    pub(crate) shape: Vec<Value>,
    /// i64 scalars.
    pub(crate) strides: Vec<Value>,
    /// i32 scalars.
    pub(crate) offsets: Vec<Value>,
    pub(crate) block: Vec<u32>,
}

impl BlockPointer {
    /// The type of the pointer to the block, as `.dtype` shows it.
    pub(crate) fn element_type(&self) -> Type {
        Type { element: self.element.clone(), shape: Vec::new() }
    }

    /// Its run-time parts, in the order of [`Self::with_values`].
    pub(crate) fn as_tuple<'a>(&self) -> Val<'a> {
        let parts = std::iter::once(&self.base).chain(&self.shape).chain(&self.strides).chain(&self.offsets);
        Val::tuple(parts.map(|value| Val::Value(*value)).collect::<Vec<_>>())
    }

    /// The same window with other run-time parts.
    pub(crate) fn with_values<'a>(&self, parts: &Val<'a>) -> Val<'a> {
        let mut new = self.clone();
        if let Val::Tuple(items) = parts {
            let mut values = items.iter().filter_map(|item| match item {
                Val::Value(value) => Some(*value),
                _ => None,
            });
            let slots =
                std::iter::once(&mut new.base).chain(&mut new.shape).chain(&mut new.strides).chain(&mut new.offsets);
            for slot in slots {
                *slot = values.next().unwrap_or(*slot);
            }
        }
        Val::BlockPointer(Rc::new(new))
    }

    /// Whether it points at blocks of the same type and shape.
    pub(crate) fn same_form(&self, other: &Self) -> bool {
        self.block == other.block && self.element == other.element
    }
}

/// A descriptor while a kernel is checked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Descriptor {
    /// The value of descriptor type.
    pub(crate) handle: Value,
    pub(crate) element: ScalarType,
    pub(crate) block: Vec<u32>,
    /// Sizes of the tensor: i32 scalars.
    pub(crate) shape: Vec<Value>,
    /// Strides of the tensor in elements: i64 scalars.
    pub(crate) strides: Vec<Value>,
}

impl Descriptor {
    /// The value of descriptor type.
    pub(crate) fn handle(&self) -> Value {
        self.handle
    }

    /// Element type of the tensor.
    pub(crate) fn element(&self) -> ScalarType {
        self.element
    }

    /// The shape of a block.
    pub(crate) fn block(&self) -> &[u32] {
        &self.block
    }

    /// The type of a block.
    pub(crate) fn block_type(&self) -> Type {
        Type { element: Element::Scalar(self.element), shape: self.block.clone() }
    }

    /// The sizes of the tensor as a tuple.
    pub(crate) fn shape<'a>(&self) -> Val<'a> {
        tuple(&self.shape)
    }

    /// The strides of the tensor as a tuple.
    pub(crate) fn strides<'a>(&self) -> Val<'a> {
        tuple(&self.strides)
    }

    /// Its run-time parts, in the order of [`Self::with_values`].
    pub(crate) fn as_tuple<'a>(&self) -> Val<'a> {
        let parts = std::iter::once(&self.handle).chain(&self.shape).chain(&self.strides);
        Val::tuple(parts.map(|value| Val::Value(*value)).collect::<Vec<_>>())
    }

    /// The same descriptor with other run-time parts.
    pub(crate) fn with_values<'a>(&self, parts: &Val<'a>) -> Val<'a> {
        let mut new = self.clone();
        if let Val::Tuple(items) = parts {
            let slots = std::iter::once(&mut new.handle).chain(&mut new.shape).chain(&mut new.strides);
            for (slot, item) in slots.zip(items.iter()) {
                if let Val::Value(value) = item {
                    *slot = *value;
                }
            }
        }
        Val::Descriptor(Rc::new(new))
    }

    /// Whether it moves blocks of the same type and shape.
    pub(crate) fn same_form(&self, other: &Self) -> bool {
        self.block == other.block && self.element == other.element
    }
}

fn tuple<'a>(values: &[Value]) -> Val<'a> {
    Val::tuple(values.iter().map(|value| Val::Value(*value)).collect::<Vec<_>>())
}

/// The type of a descriptor.
pub(crate) fn descriptor_type(element: ScalarType, block: &[u32]) -> Type {
    Type { element: Element::Descriptor { element, block: block.to_vec() }, shape: Vec::new() }
}
