//! What the launches of a file say of the parameters of one kernel.

use crate::host::Host;
use crate::known::{Known, Tensor};
use std::collections::HashMap;
use tk_diag::Diagnostic;
use tk_grammar::ast::{FunctionDef, Module, ParamKind};

/// Items of lists that loops are walked with, one after the other.
const CHOICES: usize = 3;
/// Launches of one kernel that are looked at.
const LAUNCHES: usize = 12;

/// What launches of one kernel give its parameters, in their order. Launches that differ in the sizes of tensors alone are one.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    pub(crate) values: Vec<Known>,
    sizes: Vec<Sizes>,
}

/// How large one launch is, as far as the file says.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sizes {
    /// Integers by the names of their parameters.
    pub args: Vec<(String, i128)>,
    /// Programs along each axis.
    pub grid: [Option<i128>; 3],
    /// Whether it passes a tensor with more elements than int32 can count.
    pub is_long: bool,
}

impl Sizes {
    fn of(function: &FunctionDef, values: &[Known], grid: &Known) -> Self {
        let named = function.params.iter().zip(values);
        let args = named.filter_map(|(param, known)| Some((param.name.text.clone(), known.count()?))).collect();
        let axes = match grid {
            Known::Items(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let is_known = !matches!(grid, Known::Unknown);
        let axis = |at: usize| match axes.get(at) {
            Some(known) => known.count().filter(|count| *count > 0),
            None => Some(1).filter(|_| is_known),
        };
        let is_long = values.iter().any(|known| matches!(known, Known::Tensor(tensor) if tensor.is_long()));
        Self { args, grid: [axis(0), axis(1), axis(2)], is_long }
    }

    /// Whether offsets are worth a look: what is in a launch whose grid is not known fits its tensors.
    pub fn says_offsets(&self) -> bool {
        self.is_long || self.grid.iter().all(Option::is_some)
    }
}

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
    fn add(&mut self, sizes: Sizes) {
        if self.sizes.len() < LAUNCHES && !self.sizes.contains(&sizes) {
            self.sizes.push(sizes);
        }
    }

    /// How large the launches are.
    pub fn sizes(&self) -> &[Sizes] {
        &self.sizes
    }

    /// What this launch says of the parameter at this place.
    pub fn says(&self, index: usize) -> Said {
        match self.values.get(index) {
            None | Some(Known::Unknown | Known::Size(_) | Known::Table(_)) => Said::Nothing,
            Some(Known::Tensor(Tensor { element: None, .. })) => Said::Pointer,
            Some(Known::Constant(_) | Known::Tensor(_) | Known::Descriptor { .. } | Known::Items(_)) => {
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
        function.params.iter().zip(&self.values).all(|(param, known)| {
            let constexpr = module.is_constexpr_param(param);
            !constexpr || known.constant().is_some() || param.default.is_some() || has_value(&param.name.text)
        })
    }
}

/// The launches of every kernel of a file.
pub(crate) struct Launches {
    of: HashMap<String, Vec<Given>>,
    /// What of the host code cannot work.
    pub(crate) faults: Vec<Diagnostic>,
}

impl Launches {
    pub(crate) fn of(module: &Module) -> Self {
        let (mut launches, mut faults) = (HashMap::<String, Vec<Given>>::new(), Vec::new());
        for choice in 0..CHOICES {
            let read = Host::read(module, choice);
            faults.extend(read.faults);
            for call in read.calls {
                let Some(function) = module.function(&call.kernel) else { continue };
                let mut values = Vec::with_capacity(function.params.len());
                for (index, param) in function.params.iter().enumerate() {
                    let named = call.keywords.iter().find(|(name, _)| *name == param.name.text).map(|(_, value)| value);
                    let packed = matches!(param.kind, ParamKind::VarArgs | ParamKind::KeywordArgs);
                    let known = named.or_else(|| call.positional.get(index)).filter(|_| !packed);
                    values.push(known.cloned().unwrap_or(Known::Unknown));
                }
                let sizes = Sizes::of(function, &values, &call.grid);
                let values: Vec<Known> = values.iter().map(Known::without_sizes).collect();
                let of_kernel = launches.entry(call.kernel).or_default();
                match of_kernel.iter().position(|other| other.values == values) {
                    Some(at) => of_kernel[at].add(sizes),
                    None if of_kernel.len() < LAUNCHES => of_kernel.push(Given { values, sizes: vec![sizes] }),
                    None => {}
                }
            }
        }
        Self { of: launches, faults }
    }

    /// Those of one kernel, as they are found in the file.
    pub(crate) fn of_kernel(&self, name: &str) -> &[Given] {
        self.of.get(name).map_or(&[], Vec::as_slice)
    }
}
