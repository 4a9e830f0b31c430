//! Tuples with run-time parts as arguments: a constant tuple that says the length, and then the parts in order.

use crate::known::Known;
use crate::values::{Evidence, run_time};
use tk_types::{ArgSpec, ArgType, Argument, ConstValue, ScalarType};

/// How a body takes a parameter apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Taken {
    /// A part with the name it is given.
    Part(String),
    /// A tuple of parts.
    Parts(Vec<Taken>),
}

/// The types of a tuple.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Part(ArgType),
    Parts(Vec<Shape>),
}

impl Shape {
    /// Of what a launch passes.
    pub(crate) fn of(items: &[Known]) -> Self {
        let one = |item: &Known| match item {
            Known::Items(items) => Self::of(items),
            Known::Constant(value) => Self::Part(number(value)),
            Known::Tensor(tensor) => {
                Self::Part(ArgType::Pointer { element: tensor.element.unwrap_or(ScalarType::F32), constant: false })
            }
            _ => Self::Part(ArgType::Scalar(ScalarType::I32)),
        };
        Self::Parts(items.iter().map(one).collect())
    }

    /// Of how a body takes a parameter apart.
    pub(crate) fn used(taken: &Taken, evidence: Evidence<'_>) -> Self {
        match taken {
            Taken::Part(name) => Self::Part(run_time(name, None, evidence)),
            Taken::Parts(parts) => Self::Parts(parts.iter().map(|part| Self::used(part, evidence)).collect()),
        }
    }

    /// The same where every integer is a 1, which launches make a constant.
    pub(crate) fn of_ones(self) -> Self {
        match self {
            Self::Part(ArgType::Scalar(scalar)) if scalar.is_signed_int() => {
                Self::Part(ArgType::Constexpr(ConstValue::Int(1)))
            }
            Self::Parts(parts) => Self::Parts(parts.into_iter().map(Self::of_ones).collect()),
            part => part,
        }
    }

    /// The arguments that say it.
    pub(crate) fn parts(&self) -> Vec<ArgSpec> {
        match self {
            Self::Part(ty) => vec![ArgSpec::of(ty.clone())],
            Self::Parts(parts) => {
                let length = ArgSpec::constant(ConstValue::Tuple(vec![ConstValue::None; parts.len()]));
                std::iter::once(length).chain(parts.iter().flat_map(Self::parts)).collect()
            }
        }
    }
}

/// What a number is as an argument; launches make a 1 a constant.
pub(crate) fn number(value: &ConstValue) -> ArgType {
    match value {
        ConstValue::Int(1) => ArgType::Constexpr(value.clone()),
        ConstValue::Int(value) if i32::try_from(*value).is_ok() => ArgType::Scalar(ScalarType::I32),
        ConstValue::Int(_) => ArgType::Scalar(ScalarType::I64),
        ConstValue::Float(_) => ArgType::Scalar(ScalarType::F32),
        ConstValue::Bool(_) => ArgType::Scalar(ScalarType::I1),
        other => ArgType::Constexpr(other.clone()),
    }
}

/// Arguments with the parts of their tuples.
pub(crate) fn unpacked(bound: Vec<Argument>, tuples: &[(String, Vec<ArgSpec>)]) -> Vec<Argument> {
    let mut out = Vec::with_capacity(bound.len());
    for arg in bound {
        match tuples.iter().find(|(tuple, _)| *tuple == arg.name) {
            Some((_, parts)) => out.extend(parts.iter().map(|part| part.clone().named(&arg.name))),
            None => out.push(arg),
        }
    }
    out
}
