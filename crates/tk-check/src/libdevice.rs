//! The mathematics of libdevice: functions of floats as operations of a checked kernel.
//!
//! Everything here needs a [`Builder`](crate::checked::Builder) and nothing of the interpreter. Arguments come in one type of at
//! least 32 bits and one shape. What calls look like, and what 16-bit floats do, is in [`crate::builtins`].

mod angles;
mod bessel;
mod elementary;
mod error_function;
mod float;
mod gamma;
mod polynomials;
mod powers_single;
mod representation;
mod single;
mod special_single;

pub(crate) use float::Float;

use crate::checked::Value;

/// A function of floats of one type that gives that type.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) run: Run,
}

/// What a function does, by how many arguments it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    One(fn(&mut Float<'_>, Value) -> Value),
    Two(fn(&mut Float<'_>, Value, Value) -> Value),
    /// More than two, of these names.
    Many(&'static [&'static str], fn(&mut Float<'_>, &[Value]) -> Value),
}

const fn one(name: &'static str, run: fn(&mut Float<'_>, Value) -> Value) -> Function {
    Function { name, run: Run::One(run) }
}

const fn two(name: &'static str, run: fn(&mut Float<'_>, Value, Value) -> Value) -> Function {
    Function { name, run: Run::Two(run) }
}

const fn many(
    name: &'static str,
    parameters: &'static [&'static str],
    run: fn(&mut Float<'_>, &[Value]) -> Value,
) -> Function {
    Function { name, run: Run::Many(parameters, run) }
}

/// Every function.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    let families =
        [elementary::TABLE, angles::TABLE, error_function::TABLE, gamma::TABLE, bessel::TABLE, representation::TABLE];
    families.into_iter().flatten()
}

/// The function of this name.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name == name)
}
