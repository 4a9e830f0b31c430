//! Modules that a kernel can name.

use tk_diag::Span;
use tk_types::ScalarType;

/// A module that a kernel can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModuleKind {
    Triton,
    /// `triton.language` and its parts `core`, `math`, `standard`.
    Language,
    /// `tl.math`, where older files find the functions of libdevice too.
    Functions,
    /// `tl.extra`, `tl.extra.cuda`.
    Extra,
    Libdevice,
    /// `tl.target_info`.
    Target,
    /// Python's `math`.
    Math,
    Torch,
    /// `torch.version`, which asks what the GPU is.
    TorchVersion,
    /// What `torch.finfo` and `torch.iinfo` say of a type.
    Limits(ScalarType),
    /// Python's `importlib`.
    Importlib,
    /// `importlib.util`.
    ImportlibUtil,
    /// What `find_spec` says of a module that is there.
    Spec(&'static ModuleKind),
    /// The loader of such a module.
    Loader,
    /// The package `packaging`.
    Packaging,
    /// `packaging.version`, and modules that came before it.
    Versions,
    /// An imported file: the number of its part of the text.
    File(usize),
    /// What an import does not find; its place.
    Absent(Span),
    /// Anything else that a file imports.
    Foreign,
}

impl ModuleKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Triton => "triton",
            Self::Language => "tl",
            Self::Functions => "tl.math",
            Self::Extra => "tl.extra",
            Self::Libdevice => "libdevice",
            Self::Target => "tl.target_info",
            Self::Math => "math",
            Self::Torch => "torch",
            Self::TorchVersion => "torch.version",
            Self::Limits(_) => "torch.finfo",
            Self::Importlib => "importlib",
            Self::ImportlibUtil => "importlib.util",
            Self::Spec(_) => "the spec of a module",
            Self::Loader => "the loader of a module",
            Self::Packaging => "packaging",
            Self::Versions => "packaging.version",
            Self::File(_) | Self::Absent(_) | Self::Foreign => "an imported module",
        }
    }

    /// Whether it is a module that tk itself has, whatever the program imports.
    pub(crate) fn is_known(self) -> bool {
        match self {
            Self::File(_) | Self::Absent(_) | Self::Foreign => false,
            Self::Triton
            | Self::Language
            | Self::Functions
            | Self::Extra
            | Self::Libdevice
            | Self::Target
            | Self::Math
            | Self::Torch
            | Self::TorchVersion
            | Self::Limits(_)
            | Self::Importlib
            | Self::ImportlibUtil
            | Self::Spec(_)
            | Self::Loader
            | Self::Packaging
            | Self::Versions => true,
        }
    }

    /// What `find_spec` gives for a module that is always there.
    pub(crate) fn spec(self) -> Option<Self> {
        Some(Self::Spec(match self {
            Self::Triton => &Self::Triton,
            Self::Language => &Self::Language,
            Self::Functions => &Self::Functions,
            Self::Extra => &Self::Extra,
            Self::Libdevice => &Self::Libdevice,
            Self::Target => &Self::Target,
            Self::Math => &Self::Math,
            Self::Torch => &Self::Torch,
            Self::TorchVersion => &Self::TorchVersion,
            Self::Importlib => &Self::Importlib,
            Self::ImportlibUtil => &Self::ImportlibUtil,
            Self::Packaging => &Self::Packaging,
            Self::Versions => &Self::Versions,
            Self::Limits(_) | Self::Spec(_) | Self::Loader | Self::File(_) | Self::Absent(_) | Self::Foreign => {
                return None;
            }
        }))
    }

    /// The module with this dotted name.
    pub(crate) fn of_path(path: &str) -> Self {
        match path {
            "triton" => Self::Triton,
            "math" => Self::Math,
            "torch" => Self::Torch,
            "importlib" => Self::Importlib,
            "importlib.util" => Self::ImportlibUtil,
            "torch.version" => Self::TorchVersion,
            "packaging" => Self::Packaging,
            "packaging.version" | "pkg_resources" | "distutils.version" | "looseversion" => Self::Versions,
            "triton.language.extra" | "triton.language.extra.cuda" => Self::Extra,
            _ if path.starts_with("triton.") && path.ends_with("libdevice") => Self::Libdevice,
            "triton.language.target_info" => Self::Target,
            "triton.language"
            | "triton.language.core"
            | "triton.language.math"
            | "triton.language.standard"
            | "triton.language.random" => Self::Language,
            _ => Self::Foreign,
        }
    }
}
