//! What an expression can be while a kernel is checked: a compile-time thing or a run-time value.
//!
//! Numbers stay Python numbers until they are combined with a run-time value or are assigned to a plain variable; that difference
//! decides promotion, so it must not be lost.

mod compound;
mod leaves;
mod module;
mod record;

pub(crate) use compound::{BlockPointer, Descriptor, RangeSpec, descriptor_type};
pub(crate) use leaves::{leaves_of, refill};
pub(crate) use module::ModuleKind;
pub(crate) use record::{Record, RecordClass, RecordKind};

use crate::builtin::Builtin;
use crate::checked::{Element, Type, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::FunctionDef;
use tk_types::{ConstValue, ScalarType};

/// The meaning of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Val<'a> {
    None,
    Bool(bool),
    Int(i128),
    Float(f64),
    Str(Rc<str>),
    /// `packaging.version.parse(…)`: the numbers of a version, without zeros at the end.
    Version(Rc<[i128]>),
    /// `tl.float16`, `x.dtype`, `x.type`.
    Type(Rc<Type>),
    /// `tl.constexpr_type(…)`, the type of a constant: the constant itself.
    ConstantType(Rc<Val<'a>>),
    /// A tuple or a list.
    Tuple(Rc<[Val<'a>]>),
    /// A run-time scalar or tensor.
    Value(Value),
    /// A function of the file.
    Function(&'a FunctionDef),
    /// A function of the file bound to its first argument.
    Bound(Rc<Val<'a>>, &'a FunctionDef),
    /// A function that one which runs at compile time has defined.
    Closure(Rc<Closure<'a>>),
    /// A class of the file.
    RecordClass(Rc<RecordClass<'a>>),
    /// An instance of a class of the file.
    Record(Rc<Record<'a>>),
    /// A function of the language.
    Builtin(&'static Builtin),
    /// A function of the language bound to its first argument.
    Method(Rc<Val<'a>>, &'static Builtin),
    /// A method of a dtype: `is_fp8`, `is_floating`, ….
    TypeMethod(Rc<Type>, &'static str),
    Module(ModuleKind),
    /// Something of the program that the kernel belongs to.
    Object(&'a tk_grammar::environment::Object),
    /// A class that is only named: `tl.tensor`, `tl.constexpr`, `int`.
    Class(Class),
    /// `tl.PropagateNan.ALL` or `.NONE`.
    PropagateNan(bool),
    /// `a:b:c` inside a subscript.
    Slice(Rc<[Val<'a>; 3]>),
    Ellipsis,
    /// `range(…)`, `tl.range(…)`, `tl.static_range(…)`.
    Range(Rc<RangeSpec<'a>>),
    /// `tl.make_block_ptr(…)`.
    BlockPointer(Rc<BlockPointer>),
    /// `tl.make_tensor_descriptor(…)`, or a parameter that is a descriptor.
    Descriptor(Rc<Descriptor>),
    /// A variable that has no one value here; using it is an error.
    Absent(Rc<Absent>),
    /// What an erroneous statement would have assigned.
    Poison,
}

/// Classes that appear in annotations and `isinstance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Constexpr,
    Tensor,
    Dtype,
    PointerType,
    BlockType,
    Tuple,
    Int,
    Float,
    Bool,
    Str,
    List,
    Const,
    PropagateNan,
    TensorDescriptor,
    ConstexprType,
}

/// A variable's meaning and where it got it.
#[derive(Clone, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) val: Val<'a>,
    pub(crate) span: Span,
}

/// The variables of one function.
pub(crate) type Scope<'a> = FxHashMap<&'a str, Binding<'a>>;

/// A function inside a function, with the variables around it.
#[derive(Debug)]
pub(crate) struct Closure<'a> {
    pub(crate) function: &'a FunctionDef,
    /// The function that it stands in.
    pub(crate) outer: &'a FunctionDef,
    /// The variables of that function when it was defined.
    pub(crate) scope: Scope<'a>,
}

/// Why a variable has no one value.
#[derive(Debug)]
pub(crate) struct Absent {
    /// What using it is called.
    pub(crate) code: tk_diag::Code,
    /// The reason, which completes “`x` …”.
    pub(crate) why: String,
    /// Where it was assigned, with words for the caret.
    pub(crate) places: Vec<(Span, String)>,
    /// What to do.
    pub(crate) help: &'static str,
}

/// A meaning and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Spanned<'a> {
    pub(crate) val: Val<'a>,
    pub(crate) span: Span,
}

/// A run-time value and where it was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) value: Value,
    pub(crate) span: Span,
}

impl Placed {
    pub(crate) fn new(value: Value, span: Span) -> Self {
        Self { value, span }
    }
}

/// Evaluated arguments of a call.
pub(crate) struct CallArgs<'a> {
    pub(crate) positional: Vec<Spanned<'a>>,
    pub(crate) named: Vec<(&'a str, Span, Spanned<'a>)>,
}

/// A Python number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
}

impl Number {
    /// As a Python float would see it.
    pub(crate) fn as_f64(self) -> f64 {
        match self {
            Number::Bool(b) => f64::from(u8::from(b)),
            Number::Int(i) => i as f64,
            Number::Float(f) => f,
        }
    }

    /// An integer or bool as an integer.
    pub(crate) fn as_int(self) -> Option<i128> {
        match self {
            Number::Bool(b) => Some(i128::from(b)),
            Number::Int(i) => Some(i),
            Number::Float(_) => None,
        }
    }

    /// The type of a number that meets no tensor: bool → i1; integers → the smallest of i32, u32, i64, u64; floats → fp32,
    /// or fp64 outside the normal range of fp32. `None` when no type holds the integer.
    pub(crate) fn natural_type(self) -> Option<ScalarType> {
        Some(match self {
            Number::Bool(_) => ScalarType::I1,
            Number::Int(i) if i32::try_from(i).is_ok() => ScalarType::I32,
            Number::Int(i) if u32::try_from(i).is_ok() => ScalarType::U32,
            Number::Int(i) if i64::try_from(i).is_ok() => ScalarType::I64,
            Number::Int(i) if u64::try_from(i).is_ok() => ScalarType::U64,
            Number::Int(_) => return None,
            Number::Float(f) => {
                let magnitude = f.abs();
                let normal = (f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX)).contains(&magnitude);
                if normal || magnitude == 0.0 || !f.is_finite() { ScalarType::F32 } else { ScalarType::F64 }
            }
        })
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Bool(true) => f.write_str("True"),
            Number::Bool(false) => f.write_str("False"),
            Number::Int(i) => write!(f, "{i}"),
            Number::Float(x) => f.write_str(&python_float(*x)),
        }
    }
}

/// A float as Python prints it.
pub(crate) fn python_float(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let magnitude = x.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        let text = format!("{x:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = exponent.strip_prefix('-').map_or(("+", exponent), |digits| ("-", digits));
        return format!("{mantissa}e{sign}{digits:0>2}");
    }
    format!("{x:?}")
}

impl<'a> Val<'a> {
    /// A dtype or a whole type.
    pub(crate) fn ty(ty: Type) -> Self {
        Val::Type(Rc::new(ty))
    }

    /// The dtype of numbers.
    pub(crate) fn scalar_type(scalar: ScalarType) -> Self {
        Val::ty(Type::scalar(scalar))
    }

    /// A tuple.
    pub(crate) fn tuple(items: impl Into<Rc<[Val<'a>]>>) -> Self {
        Val::Tuple(items.into())
    }

    /// A string.
    pub(crate) fn str(text: &str) -> Self {
        Val::Str(Rc::from(text))
    }

    /// A compile-time number.
    pub(crate) fn number(&self) -> Option<Number> {
        match self {
            Val::Bool(b) => Some(Number::Bool(*b)),
            Val::Int(i) => Some(Number::Int(*i)),
            Val::Float(f) => Some(Number::Float(*f)),
            _ => None,
        }
    }

    /// The parts of a tuple or record.
    pub(crate) fn parts(&self) -> Option<&Rc<[Val<'a>]>> {
        match self {
            Val::Tuple(items) => Some(items),
            Val::Record(record) => Some(&record.parts),
            _ => None,
        }
    }

    /// The items of what is a tuple: a named tuple is one, an aggregate is not.
    pub(crate) fn items(&self) -> Option<&Rc<[Val<'a>]>> {
        match self {
            Val::Record(record) if record.class.kind != RecordKind::Tuple => None,
            other => other.parts(),
        }
    }

    /// Whether both are tuples of one length or records of one class, so that their parts correspond.
    pub(crate) fn like(&self, other: &Val<'a>) -> bool {
        match (self, other) {
            (Val::Tuple(a), Val::Tuple(b)) => a.len() == b.len(),
            (Val::Record(a), Val::Record(b)) => a.class.same(&b.class),
            _ => false,
        }
    }

    /// The same tuple or record with other parts.
    pub(crate) fn with_parts(&self, parts: Vec<Val<'a>>) -> Val<'a> {
        match self {
            Val::Record(record) => record.with_parts(parts.into()),
            _ => Val::tuple(parts),
        }
    }

    /// Whether it has at most `limit` parts at all depths, counted no further than that.
    pub(crate) fn fits(&self, limit: usize) -> bool {
        fn count(val: &Val, left: &mut usize) -> bool {
            *left = left.saturating_sub(1);
            *left > 0 && val.parts().is_none_or(|parts| parts.iter().all(|part| count(part, left)))
        }
        count(self, &mut { limit })
    }

    /// Whether every part is known at compile time.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Val::Value(_) | Val::BlockPointer(_) | Val::Descriptor(_) => false,
            other => other.parts().is_none_or(|parts| parts.iter().all(Val::is_constant)),
        }
    }

    /// The run-time values that a block pointer or a descriptor is made of, as a tuple.
    pub(crate) fn compound(&self) -> Option<Val<'a>> {
        match self {
            Val::BlockPointer(pointer) => Some(pointer.as_tuple()),
            Val::Descriptor(descriptor) => Some(descriptor.as_tuple()),
            _ => None,
        }
    }

    /// The same block pointer or descriptor with other run-time values.
    pub(crate) fn with_compound(&self, values: &Val<'a>) -> Val<'a> {
        match self {
            Val::BlockPointer(pointer) => pointer.with_values(values),
            Val::Descriptor(descriptor) => descriptor.with_values(values),
            other => other.clone(),
        }
    }

    /// Whether both are block pointers, or both descriptors, of blocks of the same type and shape.
    pub(crate) fn same_form(&self, other: &Val<'a>) -> bool {
        match (self, other) {
            (Val::BlockPointer(x), Val::BlockPointer(y)) => x.same_form(y),
            (Val::Descriptor(x), Val::Descriptor(y)) => x.same_form(y),
            _ => false,
        }
    }

    /// Python's truth of a compile-time thing; `None` for a run-time value.
    pub(crate) fn truth(&self) -> Option<bool> {
        Some(match self {
            Val::None => false,
            Val::Bool(b) => *b,
            Val::Int(i) => *i != 0,
            Val::Float(f) => *f != 0.0,
            Val::Str(s) => !s.is_empty(),
            Val::Tuple(items) => !items.is_empty(),
            Val::Value(_) => return None,
            _ => true,
        })
    }

    /// Whether two meanings are the same thing.
    pub(crate) fn same(&self, other: &Val<'a>) -> bool {
        match (self, other) {
            (Val::None, Val::None) | (Val::Poison, Val::Poison) | (Val::Ellipsis, Val::Ellipsis) => true,
            (Val::Bool(a), Val::Bool(b)) => a == b,
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Float(a), Val::Float(b)) => a.to_bits() == b.to_bits(),
            (Val::Str(a), Val::Str(b)) => a == b,
            (Val::Version(a), Val::Version(b)) => a == b,
            (Val::Type(a), Val::Type(b)) => a == b,
            (Val::ConstantType(a), Val::ConstantType(b)) => a.same(b),
            (Val::Tuple(a), Val::Tuple(b)) => {
                Rc::ptr_eq(a, b) || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same(b))
            }
            (Val::Value(a), Val::Value(b)) => a == b,
            (Val::Record(a), Val::Record(b)) => {
                Rc::ptr_eq(a, b) || a.class.same(&b.class) && a.parts.iter().zip(b.parts.iter()).all(|(a, b)| a.same(b))
            }
            (Val::RecordClass(a), Val::RecordClass(b)) => a.same(b),
            (Val::Function(a), Val::Function(b)) => std::ptr::eq(*a, *b),
            (Val::Closure(a), Val::Closure(b)) => Rc::ptr_eq(a, b),
            (Val::Builtin(a), Val::Builtin(b)) => std::ptr::eq(*a, *b),
            (Val::Module(a), Val::Module(b)) => a == b,
            (Val::Object(a), Val::Object(b)) => a.number == b.number,
            (Val::Class(a), Val::Class(b)) => a == b,
            (Val::PropagateNan(a), Val::PropagateNan(b)) => a == b,
            (Val::BlockPointer(a), Val::BlockPointer(b)) => Rc::ptr_eq(a, b) || a == b,
            (Val::Descriptor(a), Val::Descriptor(b)) => Rc::ptr_eq(a, b) || a == b,
            (Val::Absent(a), Val::Absent(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// To the form that launches carry; `None` for things they cannot.
    pub(crate) fn to_const(&self) -> Option<ConstValue> {
        Some(match self {
            Val::None => ConstValue::None,
            Val::Bool(b) => ConstValue::Bool(*b),
            Val::Int(i) => ConstValue::Int(*i),
            Val::Float(f) => ConstValue::Float(*f),
            Val::Str(s) => ConstValue::Str(s.to_string()),
            Val::Type(ty) => match (&ty.element, ty.shape.is_empty()) {
                (Element::Scalar(scalar), true) => ConstValue::Dtype(*scalar),
                _ => return None,
            },
            Val::Record(_) => ConstValue::Tuple(self.items()?.iter().map(Val::to_const).collect::<Option<_>>()?),
            Val::Tuple(items) => ConstValue::Tuple(items.iter().map(Val::to_const).collect::<Option<_>>()?),
            Val::Function(function) => ConstValue::Function(function.known_as().to_string()),
            _ => return None,
        })
    }
}
