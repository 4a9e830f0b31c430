//! What the launches of a file say of the parameters of one kernel.

use crate::host::{Host, Known};
use std::collections::HashMap;
use tk_grammar::ast::{FunctionDef, Module, ParamKind};

/// Items of lists that loops are walked with, one after the other.
const CHOICES: usize = 3;
/// Launches of one kernel that are looked at.
const LAUNCHES: usize = 12;

/// What one launch gives the parameters of its kernel, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Given(pub(crate) Vec<Known>);

/// How much a launch says of one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// That it is a tensor, but not what of.
    Pointer,
    /// Its value, or its type.
    Everything,
}

impl Given {
    /// What this launch says of the parameter at this place.
    pub fn says(&self, index: usize) -> Said {
        match self.0.get(index) {
            None | Some(Known::Unknown | Known::Table(_)) => Said::Nothing,
            Some(Known::Tensor(None)) => Said::Pointer,
            Some(Known::Constant(_) | Known::Tensor(Some(_)) | Known::Descriptor { .. } | Known::Items(_)) => {
                Said::Everything
            }
        }
    }

    /// Whether every constexpr of the kernel is known, so that what is wrong with the kernel is wrong in this launch.
    /// `has_value` says which parameters get one otherwise.
    pub(crate) fn is_complete(
        &self,
        module: &Module,
        function: &FunctionDef,
        has_value: &dyn Fn(&str) -> bool,
    ) -> bool {
        function.params.iter().zip(&self.0).all(|(param, known)| {
            let constexpr = module.is_constexpr_param(param);
            !constexpr || known.constant().is_some() || param.default.is_some() || has_value(&param.name.text)
        })
    }
}

/// The launches of every kernel of a file.
pub(crate) struct Launches(HashMap<String, Vec<Given>>);

impl Launches {
    pub(crate) fn of(module: &Module) -> Self {
        let mut launches: HashMap<String, Vec<Given>> = HashMap::new();
        for choice in 0..CHOICES {
            for call in Host::read(module, choice) {
                let Some(function) = module.function(&call.kernel) else { continue };
                let mut values = Vec::with_capacity(function.params.len());
                for (index, param) in function.params.iter().enumerate() {
                    let named = call.keywords.iter().find(|(name, _)| *name == param.name.text).map(|(_, value)| value);
                    let packed = matches!(param.kind, ParamKind::VarArgs | ParamKind::KeywordArgs);
                    let known = named.or_else(|| call.positional.get(index)).filter(|_| !packed);
                    values.push(known.cloned().unwrap_or(Known::Unknown));
                }
                let of_kernel = launches.entry(call.kernel).or_default();
                if of_kernel.len() < LAUNCHES && of_kernel.iter().all(|other| other.0 != values) {
                    of_kernel.push(Given(values));
                }
            }
        }
        Self(launches)
    }

    /// Those of one kernel, as they are found in the file.
    pub(crate) fn of_kernel(&self, name: &str) -> &[Given] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}
