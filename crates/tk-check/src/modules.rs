//! The modules that a kernel can name, and what they have: those of the language, Python's `math`, and imported files.

use crate::builtins;
use crate::builtins::version;
use crate::check::Checker;
use crate::checked::{Element, Type};
use crate::error::R;
use crate::value::ModuleKind;
use crate::value::{Class, Val};
use tk_diag::{Span, nearest};
use tk_types::ScalarType;

impl<'a> Checker<'a> {
    /// `module.name`.
    pub(crate) fn module_attribute(&mut self, module: ModuleKind, name: &str, span: Span) -> R<Val<'a>> {
        if let ModuleKind::File(part) = module {
            return self.imported(part, name, span);
        }
        module_member(module, name).ok_or_else(|| self.unknown_member(module, name, span).into())
    }

    pub(crate) fn unknown_member(&self, module: ModuleKind, name: &str, span: Span) -> tk_diag::Diagnostic {
        let full = format!("{}.{name}", module.name());
        if module == ModuleKind::Extra && builtins::unsupported::OTHER_COMPILERS.contains(&name) {
            let message = format!("`{full}` is a part of another compiler, which tk does not have");
            let error = self.cx.error(tk_diag::FOREIGN_OPERATION, span, message, "");
            return error.help("tk compiles for NVIDIA GPUs, and has `tl.extra.cuda` and `tl.extra.libdevice`.");
        }
        if let Some(reason) = builtins::unsupported::reason(module, name) {
            return self
                .cx
                .error(tk_diag::UNSUPPORTED, span, format!("tk does not compile `{full}` yet"), "")
                .help(reason);
        }
        let near = match module {
            ModuleKind::Libdevice => nearest(name, builtins::libdevice_names()),
            ModuleKind::Foreign | ModuleKind::File(_) | ModuleKind::Absent(_) | ModuleKind::Torch => {
                let message = format!("`{name}` of an imported module has no meaning in a kernel");
                let help = match builtins::language_names().find(|known| *known == name) {
                    Some(known) => format!("Use `tl.{known}`."),
                    None => "Pass what is needed as an argument.".into(),
                };
                return self.cx.error(tk_diag::UNSUPPORTED, span, message, "").help(help);
            }
            _ => nearest(name, builtins::language_names()),
        };
        let error = self.cx.error(tk_diag::UNKNOWN_NAME, span, format!("`{full}` does not exist"), "");
        match near {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error.help("The language reference lists every function."),
        }
    }
}

pub(crate) fn python_class(name: &str) -> Option<Class> {
    Some(match name {
        "tuple" => Class::Tuple,
        "list" => Class::List,
        "str" => Class::Str,
        _ => return None,
    })
}

/// The numbers that `math` and `torch` have alike.
fn constant<'a>(name: &str) -> Option<Val<'a>> {
    Some(Val::Float(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => return None,
    }))
}

/// What a module has under this name.
pub(crate) fn module_member<'a>(module: ModuleKind, name: &str) -> Option<Val<'a>> {
    match module {
        ModuleKind::Language => language_member(name),
        // In older files `tl.math.max(a, b)` is libdevice's, not a reduction.
        ModuleKind::Functions if matches!(name, "max" | "min") => builtins::python_builtin(name).map(Val::Builtin),
        ModuleKind::Functions => language_member(name).or_else(|| builtins::libdevice_function(name).map(Val::Builtin)),
        ModuleKind::Triton => match name {
            "language" => Some(Val::Module(ModuleKind::Language)),
            "constexpr" => Some(Val::Class(Class::Constexpr)),
            "__version__" => Some(Val::str(version::TRITON)),
            _ => builtins::host(name).map(Val::Builtin),
        },
        ModuleKind::Extra => match name {
            "cuda" => Some(Val::Module(ModuleKind::Extra)),
            "libdevice" => Some(Val::Module(ModuleKind::Libdevice)),
            _ => builtins::extra(name).map(Val::Builtin),
        },
        ModuleKind::Target => builtins::target(name).map(Val::Builtin),
        ModuleKind::Libdevice => builtins::libdevice_function(name).map(Val::Builtin),
        ModuleKind::Math if name == "tau" => Some(Val::Float(std::f64::consts::TAU)),
        ModuleKind::Math => constant(name).or_else(|| builtins::python::math_function(name).map(Val::Builtin)),
        ModuleKind::Torch if name == "version" => Some(Val::Module(ModuleKind::TorchVersion)),
        ModuleKind::Torch if matches!(name, "finfo" | "iinfo") => builtins::limits::function_of(name).map(Val::Builtin),
        ModuleKind::Limits(ty) => builtins::limits::member(ty, name),
        ModuleKind::TorchVersion => match name {
            "hip" | "xpu" => Some(Val::None),
            // The version of CUDA whose PTX tk writes.
            "cuda" => Some(Val::str("12.8")),
            _ => None,
        },
        ModuleKind::Torch if name == "__version__" => Some(Val::str(version::TORCH)),
        ModuleKind::Torch => {
            let dtype = ScalarType::all().find(|ty| torch_name(*ty) == Some(name)).map(Val::scalar_type);
            dtype.or_else(|| constant(name))
        }
        ModuleKind::Importlib | ModuleKind::ImportlibUtil | ModuleKind::Spec(_) | ModuleKind::Loader => {
            builtins::importlib::member(module, name)
        }
        ModuleKind::Packaging if name == "version" => Some(Val::Module(ModuleKind::Versions)),
        ModuleKind::Versions => version::member(name),
        ModuleKind::Packaging | ModuleKind::File(_) | ModuleKind::Absent(_) | ModuleKind::Foreign => None,
    }
}

/// The module that programs call so, whoever gives them the name.
pub(crate) fn usual_module(name: &str) -> Option<ModuleKind> {
    Some(match name {
        "tl" => ModuleKind::Language,
        "triton" => ModuleKind::Triton,
        "libdevice" => ModuleKind::Libdevice,
        _ => return None,
    })
}

/// What a dotted path names, such as `triton.language.maximum`.
pub(crate) fn member_of_path<'a>(path: &str) -> Option<Val<'a>> {
    let (module, name) = path.rsplit_once('.')?;
    module_member(ModuleKind::of_path(module), name)
}

fn torch_name(ty: ScalarType) -> Option<&'static str> {
    Some(match ty {
        ScalarType::I1 => "bool",
        ScalarType::F8E4M3 => "float8_e4m3fn",
        ScalarType::F8E5M2 => "float8_e5m2",
        ScalarType::F8E4B15 | ScalarType::F8E4M3B8 | ScalarType::F8E5M2B16 => return None,
        other => other.tl_name(),
    })
}

fn language_member<'a>(name: &str) -> Option<Val<'a>> {
    if let Some(builtin) = builtins::language(name) {
        return Some(Val::Builtin(builtin));
    }
    if let Some(scalar) = ScalarType::all().find(|ty| ty.tl_name() == name) {
        return Some(Val::scalar_type(scalar));
    }
    Some(match name {
        "math" => Val::Module(ModuleKind::Functions),
        "core" | "standard" | "random" => Val::Module(ModuleKind::Language),
        "extra" => Val::Module(ModuleKind::Extra),
        "libdevice" => Val::Module(ModuleKind::Libdevice),
        "target_info" => Val::Module(ModuleKind::Target),
        "constexpr" => Val::Class(Class::Constexpr),
        "tensor" => Val::Class(Class::Tensor),
        "dtype" => Val::Class(Class::Dtype),
        "pointer_type" => Val::Class(Class::PointerType),
        "block_type" => Val::Class(Class::BlockType),
        "tuple" => Val::Class(Class::Tuple),
        "const" => Val::Class(Class::Const),
        "constexpr_type" => Val::Class(Class::ConstexprType),
        "PropagateNan" => Val::Class(Class::PropagateNan),
        "tensor_descriptor" | "tensor_descriptor_base" => Val::Class(Class::TensorDescriptor),
        "TRITON_MAX_TENSOR_NUMEL" => Val::Int(1 << 20),
        "pi32_t" => Val::ty(Type {
            element: Element::Pointer { pointee: Box::new(Element::Scalar(ScalarType::I32)), constant: false },
            shape: Vec::new(),
        }),
        _ => return None,
    })
}
