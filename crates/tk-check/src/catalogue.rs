//! The functions and members of the language as data: for documentation and for editors.

use crate::builtin::{Builtin, ParameterKind};
use crate::builtins;
use crate::modules::module_member;
use crate::value::{ModuleKind, Val};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use tk_types::ScalarType;

/// Where a function belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Library {
    /// `triton.language`, called `tl`.
    Language,
    /// `tl.math`: the functions of `tl`, and those of libdevice.
    Math,
    /// `triton.language.extra.libdevice`.
    Libdevice,
    /// `tl.extra.cuda`.
    Extra,
    /// `tl.target_info`.
    Target,
    /// `triton` itself, as far as kernels may use it.
    Triton,
    /// What Python has without an import.
    Python,
    /// Python's `math`.
    PythonMath,
}

impl Library {
    /// The library of a dotted path, as imports write it: `triton.language`.
    pub fn of_path(path: &str) -> Option<Self> {
        Self::of_kind(ModuleKind::of_path(path))
    }

    /// The library that is a member of this one: `math` of `tl`.
    pub fn member(self, name: &str) -> Option<Self> {
        let kind = match self {
            Self::Language | Self::Math => ModuleKind::Language,
            Self::Extra => ModuleKind::Extra,
            Self::Triton => ModuleKind::Triton,
            Self::Libdevice | Self::Target | Self::Python | Self::PythonMath => return None,
        };
        match module_member(kind, name) {
            Some(Val::Module(kind)) => Self::of_kind(kind),
            _ => None,
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Language => "tl",
            Self::Math => "tl.math",
            Self::Libdevice => "libdevice",
            Self::Extra => "tl.extra.cuda",
            Self::Target => "tl.target_info",
            Self::Triton => "triton",
            Self::Python => "",
            Self::PythonMath => "math",
        }
    }

    fn of_kind(kind: ModuleKind) -> Option<Self> {
        Some(match kind {
            ModuleKind::Triton => Self::Triton,
            ModuleKind::Language => Self::Language,
            ModuleKind::Functions => Self::Math,
            ModuleKind::Extra => Self::Extra,
            ModuleKind::Libdevice => Self::Libdevice,
            ModuleKind::Target => Self::Target,
            ModuleKind::Math => Self::PythonMath,
            ModuleKind::Torch
            | ModuleKind::TorchVersion
            | ModuleKind::Limits(_)
            | ModuleKind::Importlib
            | ModuleKind::ImportlibUtil
            | ModuleKind::Spec(_)
            | ModuleKind::Loader
            | ModuleKind::Packaging
            | ModuleKind::Versions
            | ModuleKind::File(_)
            | ModuleKind::Absent(_)
            | ModuleKind::Foreign => return None,
        })
    }
}

/// A function that kernels can call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, without that of its library.
    pub name: &'static str,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// Whether it is also a method of tensors, called on its first argument.
    pub is_method: bool,
    /// What it does, in one sentence, where that is written down.
    pub summary: Option<&'static str>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Whether a call has to give it.
    pub is_required: bool,
    /// Whether it takes all positional arguments from here on.
    pub takes_rest: bool,
}

/// Something of the language that is no function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
}

/// The sentence of each function of the language.
static SUMMARIES: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("builtins/summaries.table").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once('|')).map(|(name, text)| (name.trim(), text.trim())).collect()
});

/// The functions of a library, by name. Names that begin with `_` are Triton's own and left out.
pub fn functions(library: Library) -> Vec<Function> {
    let found: Vec<&Builtin> = match library {
        Library::Language => builtins::language_names().filter_map(builtins::language).collect(),
        Library::Math => {
            let own = builtins::language_names().filter_map(builtins::language);
            let is_new = |name: &&'static str| builtins::language(name).is_none();
            own.chain(builtins::libdevice_names().filter(is_new).filter_map(builtins::libdevice_function)).collect()
        }
        Library::Libdevice => builtins::libdevice_names().filter_map(builtins::libdevice_function).collect(),
        Library::Extra => builtins::extra_functions().collect(),
        Library::Target => builtins::target_functions().collect(),
        Library::Triton => builtins::host_functions().collect(),
        Library::Python => builtins::python_names().filter_map(builtins::python_builtin).collect(),
        Library::PythonMath => builtins::python::math_functions().iter().collect(),
    };
    let is_language = matches!(library, Library::Language | Library::Math);
    let mut functions: Vec<Function> =
        found.into_iter().filter(|one| !one.name.starts_with('_')).map(|one| function(one, is_language)).collect();
    functions.sort_unstable_by_key(|function| function.name);
    functions
}

fn function(builtin: &Builtin, is_language: bool) -> Function {
    let parameters = builtin.parameters().map(|parameter| Parameter {
        name: parameter.name,
        is_required: parameter.kind == ParameterKind::Required,
        takes_rest: parameter.kind == ParameterKind::Rest,
    });
    let is_own = is_language && builtins::language(builtin.name).is_some();
    Function {
        name: builtin.name,
        parameters: parameters.collect(),
        is_method: builtin.method,
        summary: SUMMARIES.get(builtin.name).copied().filter(|_| is_own),
    }
}

/// What `tl` has besides functions: types, classes and modules.
pub fn values_of_language() -> Vec<Member> {
    let types = ScalarType::all().map(|ty| Member { name: ty.tl_name(), summary: "an element type" });
    let others = [
        ("constexpr", "a constant of the compilation; the annotation of a parameter that is one"),
        ("tensor", "the class of run-time values"),
        ("dtype", "the class of element types"),
        ("pointer_type", "the type of pointers to an element type"),
        ("tuple", "the class of tuples"),
        ("const", "the annotation of a pointer through which nothing is written"),
        ("constexpr_type", "the type of a constant"),
        ("PropagateNan", "whether minima and maxima give NaN where one side is NaN: `ALL` or `NONE`"),
        ("tensor_descriptor", "the class of descriptors"),
        ("math", "the functions of `tl` and of libdevice"),
        ("extra", "what belongs to one kind of GPU: `cuda`, `libdevice`"),
        ("target_info", "what the target is"),
    ];
    types.chain(others.map(|(name, summary)| Member { name, summary })).collect()
}

/// What a tensor has besides its methods.
pub fn members_of_tensors() -> Vec<Member> {
    let members = [
        ("T", "the transposed tensor"),
        ("shape", "its lengths, a tuple of constants"),
        ("dtype", "its element type"),
        ("type", "its type with its shape"),
        ("numel", "how many elements it has, a constant"),
    ];
    members.map(|(name, summary)| Member { name, summary }).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_the_language_has_its_sentence_and_no_sentence_is_left_over() {
        let known: Vec<&str> = functions(Library::Language).iter().map(|function| function.name).collect();
        let without: Vec<&&str> = known.iter().filter(|name| !SUMMARIES.contains_key(**name)).collect();
        assert!(without.is_empty(), "no sentence: {without:?}");
        let unknown: Vec<&&str> = SUMMARIES.keys().filter(|name| !known.contains(*name)).collect();
        assert!(unknown.is_empty(), "no function: {unknown:?}");
        assert!(SUMMARIES.values().all(|text| text.ends_with('.')));
    }

    #[test]
    fn members_exist() {
        for Member { name, .. } in values_of_language() {
            assert!(crate::modules::member_of_path(&format!("triton.language.{name}")).is_some(), "{name}");
        }
    }
}
