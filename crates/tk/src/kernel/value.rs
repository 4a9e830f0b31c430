//! Arguments of a launch with their types, and what of them decides for which kernel they are.

use smallvec::SmallVec;
use tk_launch::LaunchValue;
use tk_runtime::half::{bf16, f16};
use tk_runtime::{Arg, Descriptor, DeviceAddress, Element, Pointer};
use tk_types::{ConstValue, DescriptorType, Facts, MOST_MULTIPLE, ScalarType, USUAL_MULTIPLE};

/// The rows of descriptors end at multiples of this many bytes, or stores need care.
const UNIT_BYTES: i64 = 16;

/// One argument of [`crate::GpuKernel::launch`]. Numbers and [`Pointer`]s become one with `into`, or in [`crate::args!`].
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// Elements in the memory of the GPU.
    Pointer(ScalarType, DeviceAddress),
    /// An integer.
    Int(i64),
    /// An integer that may be larger.
    Unsigned(u64),
    /// A float.
    Float(f64),
    /// `True` or `False`.
    Bool(bool),
    /// `None`.
    None,
    /// A tensor, of which the kernel copies blocks.
    Descriptor(Descriptor<'a>, Block<'a>),
}

/// What a kernel copies through a descriptor at a time.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Elements along each dimension.
    pub sizes: &'a [u32],
    /// Elements outside of the tensor read as NaN instead of zero.
    pub pad_nan: bool,
}

impl<T: Element> From<Pointer<T>> for Value<'_> {
    fn from(pointer: Pointer<T>) -> Self {
        Value::Pointer(T::TYPE, pointer.address())
    }
}

macro_rules! values {
    ($($rust:ty => |$value:ident| $made:expr;)*) => {
        $(impl From<$rust> for Value<'_> {
            fn from($value: $rust) -> Self {
                $made
            }
        })*
    };
}

values! {
    bool => |value| Value::Bool(value);
    i8 => |value| Value::Int(value.into());
    i16 => |value| Value::Int(value.into());
    i32 => |value| Value::Int(value.into());
    i64 => |value| Value::Int(value);
    u8 => |value| Value::Int(value.into());
    u16 => |value| Value::Int(value.into());
    u32 => |value| Value::Int(value.into());
    u64 => |value| Value::Unsigned(value);
    usize => |value| Value::Unsigned(value as u64);
    f16 => |value| Value::Float(value.into());
    bf16 => |value| Value::Float(value.into());
    f32 => |value| Value::Float(value.into());
    f64 => |value| Value::Float(value);
}

/// What decides which kernel a launch runs. Launches with the same words run the same one; those with others may.
pub(crate) type Key = SmallVec<[u64; 32]>;

/// What a word begins with: the kind of the argument.
#[derive(Clone, Copy)]
enum Kind {
    Pointer = 1,
    One,
    Int,
    Float,
    Bool,
    None,
    Descriptor,
}

/// Which kernel an integer asks for: its type, and how many blocks it fills.
fn of_integer(value: i128) -> u64 {
    let width = if i32::try_from(value).is_ok() {
        0
    } else if i64::try_from(value).is_ok() {
        1
    } else {
        2
    };
    let multiple = match value {
        1.. => (value.trailing_zeros()).min(MOST_MULTIPLE.trailing_zeros()),
        _ if value % i128::from(USUAL_MULTIPLE) == 0 => USUAL_MULTIPLE.trailing_zeros(),
        _ => 0,
    };
    // Below the multiple that launches look for nothing is told apart.
    let multiple = if multiple < USUAL_MULTIPLE.trailing_zeros() { 0 } else { multiple };
    if value == 1 { Kind::One as u64 } else { Kind::Int as u64 | width << 8 | u64::from(multiple) << 16 }
}

impl<'a> Value<'a> {
    /// Adds what of the argument decides which kernel is launched.
    pub(crate) fn add_to(&self, key: &mut Key) {
        match self {
            Value::Pointer(element, address) => {
                let is_aligned = address.raw().is_multiple_of(USUAL_MULTIPLE.into());
                key.push(Kind::Pointer as u64 | (*element as u64) << 8 | u64::from(is_aligned) << 16);
            }
            Value::Int(value) => key.push(of_integer((*value).into())),
            Value::Unsigned(value) => key.push(of_integer((*value).into())),
            Value::Float(_) => key.push(Kind::Float as u64),
            Value::Bool(_) => key.push(Kind::Bool as u64),
            Value::None => key.push(Kind::None as u64),
            Value::Descriptor(tensor, block) => {
                let flags = u64::from(block.pad_nan) << 16 | u64::from(is_ragged(tensor)) << 17;
                let rank = (block.sizes.len() as u64) << 32;
                key.push(Kind::Descriptor as u64 | (tensor.element as u64) << 8 | flags | rank);
                key.extend(block.sizes.iter().map(|size| u64::from(*size)));
            }
        }
    }

    /// All that the value says of itself which a signature can say.
    pub(crate) fn facts(&self) -> Facts {
        let of_integer = |value: i128| {
            let multiple = 1 << value.trailing_zeros().min(MOST_MULTIPLE.trailing_zeros());
            let known = if value > 0 { Facts::positive_multiple(multiple) } else { None };
            let is_usual = value % i128::from(USUAL_MULTIPLE) == 0;
            known.unwrap_or(if is_usual { Facts::USUAL } else { Facts::NONE })
        };
        match self {
            Value::Pointer(_, address) if address.raw().is_multiple_of(USUAL_MULTIPLE.into()) => Facts::USUAL,
            Value::Int(value) => of_integer((*value).into()),
            Value::Unsigned(value) => of_integer((*value).into()),
            Value::Pointer(..) | Value::Float(_) | Value::Bool(_) | Value::None | Value::Descriptor(..) => Facts::NONE,
        }
    }

    /// As what specialises signatures takes it.
    pub(crate) fn launch_value(&self) -> LaunchValue {
        match self {
            Value::Pointer(dtype, address) => LaunchValue::Tensor { dtype: *dtype, address: address.raw() },
            Value::Int(value) => LaunchValue::Value(ConstValue::Int((*value).into())),
            Value::Unsigned(value) => LaunchValue::Value(ConstValue::Int((*value).into())),
            Value::Float(value) => LaunchValue::Value(ConstValue::Float(*value)),
            Value::Bool(value) => LaunchValue::Value(ConstValue::Bool(*value)),
            Value::None => LaunchValue::Value(ConstValue::None),
            Value::Descriptor(tensor, block) => LaunchValue::Descriptor(DescriptorType {
                element: tensor.element,
                block: block.sizes.to_vec(),
                pad_nan: block.pad_nan,
                ragged: is_ragged(tensor),
            }),
        }
    }

    /// As the runtime takes it.
    pub(crate) fn arg(&self) -> Arg<'a> {
        match self {
            Value::Pointer(_, address) => Arg::Address(*address),
            Value::Int(value) => Arg::I64(*value),
            Value::Unsigned(value) => Arg::Scalar(ScalarType::U64, *value),
            Value::Float(value) => Arg::F64(*value),
            Value::Bool(value) => Arg::Bool(*value),
            Value::None => Arg::Address(DeviceAddress::NULL),
            Value::Descriptor(tensor, _) => Arg::Descriptor(*tensor),
        }
    }
}

fn is_ragged(tensor: &Descriptor<'_>) -> bool {
    let row = tensor.shape.last().copied().unwrap_or(0);
    row.wrapping_mul(i64::from(tensor.element.bytes())) % UNIT_BYTES != 0
}

/// The arguments of a launch, each a number, a [`Pointer`] or a [`Value`]: `&args![x, y, n, 0.5]`.
#[macro_export]
macro_rules! args {
    ($($value:expr),* $(,)?) => {
        [$($crate::Value::from($value)),*]
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(values: &[Value<'_>]) -> Key {
        let mut key = Key::new();
        values.iter().for_each(|value| value.add_to(&mut key));
        key
    }

    #[test]
    fn keys_tell_apart_what_signatures_do() {
        let of = |value: i64| key(&[Value::Int(value)]);
        assert_eq!(of(2), of(17));
        assert_eq!(of(-32), of(0));
        assert_eq!(of(3 * 1024), of(1 << 20));
        let all = [of(1), of(2), of(0), of(16), of(32), of(1024), of(1 << 40), of((1 << 40) + 1)];
        let different: std::collections::HashSet<&Key> = all.iter().collect();
        // 0 and 16 are multiples of 16 of which no more is known.
        assert_eq!(different.len(), all.len() - 1);
        assert_eq!(key(&args![1u64 << 63])[0] & 0xff00, 0x200);
        assert_ne!(key(&args![1.0f32]), key(&args![1]));
        assert_ne!(key(&args![true]), key(&[Value::None]));
    }

    #[test]
    fn descriptors_are_known_by_their_blocks() {
        let tensor = |columns: i64| Descriptor {
            address: DeviceAddress::NULL,
            element: ScalarType::F16,
            shape: if columns == 100 { &[8, 100] } else { &[8, 64] },
            strides: &[128, 1],
        };
        let of =
            |columns: i64, sizes: &[u32], pad_nan| key(&[Value::Descriptor(tensor(columns), Block { sizes, pad_nan })]);
        let one = of(64, &[8, 64], false);
        assert!(one != of(64, &[64, 8], false) && one != of(64, &[8, 64], true) && one != of(100, &[8, 64], false));
    }
}
