//! Launches near a guess: the same, but for one parameter that no launch in the file says.

use tk_grammar::ast::{FunctionDef, Module};
use tk_guess::{Given, Said};
use tk_types::{ArgType, Argument, ConstValue, Facts, ScalarType};

/// Elements and numbers that a parameter can be of.
const SCALARS: [ScalarType; 6] =
    [ScalarType::F16, ScalarType::I32, ScalarType::F32, ScalarType::I8, ScalarType::I64, ScalarType::I1];
/// Elements of pointers that are tried besides where an error hangs on one parameter alone.
const MORE: [ScalarType; 3] = [ScalarType::BF16, ScalarType::F8E4M3, ScalarType::U8];
/// The same for numbers.
const MORE_NUMBERS: [ScalarType; 3] = [ScalarType::I64, ScalarType::I1, ScalarType::F64];
/// Counts, modes and flags that a constexpr can be.
const INTEGERS: [i128; 6] = [1, 0, 2, 3, 4, 8];

/// What a launch leaves open of each parameter.
pub(crate) struct Neighbours<'g> {
    module: &'g Module,
    function: &'g FunctionDef,
    given: Option<&'g Given>,
}

impl<'g> Neighbours<'g> {
    pub(crate) fn of(module: &'g Module, function: &'g FunctionDef, given: Option<&'g Given>) -> Self {
        Self { module, function, given }
    }

    /// Every set of arguments that differs from this one in one parameter.
    pub(crate) fn all(&self, args: &[Argument]) -> Vec<Vec<Argument>> {
        let mut found = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            // The parts of a tuple have its name, and change with it.
            if args.iter().filter(|other| other.name == arg.name).count() == 1 {
                found.extend(self.others(arg).into_iter().map(|ty| {
                    let mut args = args.to_vec();
                    args[at] = Argument { name: arg.name.clone(), ty, facts: Facts::default() };
                    args
                }));
            }
        }
        found
    }

    /// Every set of arguments that differs in this parameter.
    pub(crate) fn of_one(&self, args: &[Argument], name: &str) -> Vec<Vec<Argument>> {
        let Some(at) = args.iter().position(|arg| arg.name == name) else { return Vec::new() };
        let more = match &args[at].ty {
            ArgType::Pointer { .. } => MORE.map(|element| ArgType::Pointer { element, constant: false }).to_vec(),
            ArgType::Scalar(_) => MORE_NUMBERS.map(ArgType::Scalar).to_vec(),
            ArgType::Constexpr(_) | ArgType::Descriptor(_) => Vec::new(),
        };
        let others = self.others(&args[at]).into_iter().chain(more).filter(|ty| *ty != args[at].ty);
        others
            .map(|ty| {
                let mut args = args.to_vec();
                args[at] = Argument { name: name.to_string(), ty, facts: Facts::default() };
                args
            })
            .collect()
    }

    /// What else one argument can be.
    fn others(&self, arg: &Argument) -> Vec<ArgType> {
        let Some(index) = self.function.params.iter().position(|param| param.name.text == arg.name) else {
            return Vec::new();
        };
        let param = &self.function.params[index];
        let is_constexpr = self.module.is_constexpr_param(param);
        if param.annotation.is_some() && !is_constexpr {
            return Vec::new();
        }
        let said = self.given.map_or(Said::Nothing, |given| given.says(index));
        let others = match (said, &arg.ty) {
            (Said::Everything, _) => Vec::new(),
            (Said::Pointer, _) => pointers(),
            (Said::Nothing, ArgType::Constexpr(value)) if is_constexpr => constants(value),
            (Said::Nothing, ArgType::Descriptor(_)) => Vec::new(),
            (Said::Nothing, ArgType::Pointer { .. } | ArgType::Scalar(_) | ArgType::Constexpr(_)) => {
                let numbers = [ScalarType::I32, ScalarType::F32].map(ArgType::Scalar);
                pointers().into_iter().chain(numbers).collect()
            }
        };
        others.into_iter().filter(|ty| *ty != arg.ty).collect()
    }
}

fn pointers() -> Vec<ArgType> {
    SCALARS.map(|element| ArgType::Pointer { element, constant: false }).to_vec()
}

fn constants(value: &ConstValue) -> Vec<ArgType> {
    let values: Vec<ConstValue> = match value {
        ConstValue::Bool(flag) => vec![ConstValue::Bool(!flag)],
        // Larger ones are sizes: with others, shapes that do not fit would fit by chance.
        ConstValue::Int(0..=2) => INTEGERS.map(ConstValue::Int).to_vec(),
        ConstValue::None => vec![ConstValue::Int(1), ConstValue::Bool(true)],
        // Functions, types and strings come from what the body does with them.
        _ => Vec::new(),
    };
    values.into_iter().map(ArgType::Constexpr).collect()
}
