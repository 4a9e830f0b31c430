//! Compile-time constants.

use crate::ScalarType;

/// A compile-time constant, as `tl.constexpr` arguments and launch specialisation carry it.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstValue {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// An integer of any sign that fits 128 bits.
    Int(i128),
    /// A float.
    Float(f64),
    /// A string.
    Str(String),
    /// An element type such as `tl.float16`.
    Dtype(ScalarType),
    /// A tuple.
    Tuple(Vec<ConstValue>),
    /// The name of a jit function of the same file.
    Function(String),
}

macro_rules! constants {
    ($($rust:ty => |$value:ident| $made:expr;)*) => {
        $(impl From<$rust> for ConstValue {
            fn from($value: $rust) -> Self {
                $made
            }
        })*
    };
}

constants! {
    bool => |value| ConstValue::Bool(value);
    i32 => |value| ConstValue::Int(value.into());
    i64 => |value| ConstValue::Int(value.into());
    u32 => |value| ConstValue::Int(value.into());
    u64 => |value| ConstValue::Int(value.into());
    f32 => |value| ConstValue::Float(value.into());
    f64 => |value| ConstValue::Float(value);
    &str => |value| ConstValue::Str(value.to_string());
    ScalarType => |value| ConstValue::Dtype(value);
}

/// A name and its value at compile time: a constexpr of a launch, or a module-level constant.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedConstant {
    /// The name.
    pub name: String,
    /// The value.
    pub value: ConstValue,
}

impl NamedConstant {
    /// `name = value`.
    pub fn new(name: impl Into<String>, value: ConstValue) -> Self {
        Self { name: name.into(), value }
    }
}

impl std::fmt::Display for ConstValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConstValue::None => f.write_str("None"),
            ConstValue::Bool(true) => f.write_str("True"),
            ConstValue::Bool(false) => f.write_str("False"),
            ConstValue::Int(value) => write!(f, "{value}"),
            ConstValue::Float(value) => write!(f, "{value:?}"),
            ConstValue::Str(value) => write!(f, "{value:?}"),
            ConstValue::Dtype(ty) => write!(f, "{}", ty.tl_name()),
            ConstValue::Tuple(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            ConstValue::Function(name) => f.write_str(name),
        }
    }
}
