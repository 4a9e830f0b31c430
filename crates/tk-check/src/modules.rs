//! What names mean outside functions: imports, functions, module-level constants, and the modules of the language.

use crate::builtins;
use crate::check::Checker;
use crate::checked::{Element, Type};
use crate::error::R;
use crate::record::RecordClass;
use crate::stmt::assigned_names;
use crate::value::{Class, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use tk_diag::{Span, nearest};
use tk_grammar::ast::{ClassDef, Expr, ExprKind, FunctionDef, ImportAlias, Module, Stmt, StmtKind};
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
            Self::Foreign => "an imported module",
        }
    }

    /// The module with this dotted name.
    pub(crate) fn of_path(path: &str) -> Self {
        match path {
            "triton" => Self::Triton,
            "math" => Self::Math,
            "torch" => Self::Torch,
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

/// What a module-level name is, before it is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Global<'a> {
    Function(&'a FunctionDef),
    Class(&'a ClassDef),
    Module(ModuleKind),
    /// `from module import name`.
    Member(ModuleKind, &'a str),
    /// Assigned; the whole value, and which part of it after unpacking.
    Assigned(&'a Expr, Option<usize>),
}

/// One definition of a module-level name, and the `if` it stands under: the test, and the truth that the definition needs.
#[derive(Clone, Copy, Debug)]
struct Definition<'a> {
    global: Global<'a>,
    condition: Option<(&'a Expr, bool)>,
}

/// The module-level names of a file.
#[derive(Debug, Default)]
pub(crate) struct Globals<'a> {
    /// The definitions of each name, the one to prefer first.
    names: FxHashMap<&'a str, Vec<Definition<'a>>>,
    stars: Vec<ModuleKind>,
    /// The `if` that statements are collected from.
    condition: Option<(&'a Expr, bool)>,
}

impl<'a> Globals<'a> {
    pub(crate) fn of(module: &'a Module) -> Self {
        let mut globals = Globals::default();
        globals.collect(&module.body, true);
        globals
    }

    /// A jit or host function of the file.
    pub(crate) fn function(&self, name: &str) -> Option<&'a FunctionDef> {
        self.names.get(name)?.iter().find_map(|definition| match definition.global {
            Global::Function(function) => Some(function),
            _ => None,
        })
    }

    /// Later definitions win, except those on fallback paths (`except`, `else`), which only fill gaps.
    fn collect(&mut self, body: &'a [Stmt], wins: bool) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::FunctionDef(function) => self.add(&function.name.text, Global::Function(function), wins),
                StmtKind::ClassDef(class) => self.add(&class.name.text, Global::Class(class), wins),
                StmtKind::Assign { targets, value } => {
                    for target in targets {
                        self.assign(target, value, wins);
                    }
                }
                StmtKind::AnnAssign { target, value: Some(value), .. } => self.assign(target, value, wins),
                StmtKind::Import(names) => names.iter().for_each(|name| self.import(name, wins)),
                StmtKind::ImportFrom { module, names } => {
                    names.iter().for_each(|name| self.import_from(module, name, wins))
                }
                StmtKind::If { test, body, orelse } => {
                    let outer = self.condition.replace((test, false));
                    self.collect(orelse, wins);
                    self.condition = Some((test, true));
                    self.collect(body, wins);
                    self.condition = outer;
                }
                StmtKind::Try { body, handlers, orelse, finally } => {
                    self.collect(body, wins);
                    handlers.iter().for_each(|handler| self.collect(&handler.body, false));
                    self.collect(orelse, wins);
                    self.collect(finally, wins);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, name: &'a str, global: Global<'a>, wins: bool) {
        let definition = Definition { global, condition: self.condition };
        let known = self.names.entry(name).or_default();
        if wins && definition.condition.is_none() {
            known.clear();
        }
        known.insert(if wins { 0 } else { known.len() }, definition);
    }

    fn assign(&mut self, target: &'a Expr, value: &'a Expr, wins: bool) {
        match &target.kind {
            ExprKind::Name(name) => self.add(name, Global::Assigned(value, None), wins),
            ExprKind::Tuple(items) => {
                for (i, item) in items.iter().enumerate() {
                    if let ExprKind::Name(name) = &item.kind {
                        self.add(name, Global::Assigned(value, Some(i)), wins);
                    }
                }
            }
            _ => {}
        }
    }

    fn import(&mut self, alias: &'a ImportAlias, wins: bool) {
        match &alias.alias {
            Some(name) => self.add(&name.text, Global::Module(ModuleKind::of_path(&alias.name)), wins),
            None => {
                let root = alias.name.split('.').next().unwrap_or(&alias.name);
                self.add(root, Global::Module(ModuleKind::of_path(root)), wins);
            }
        }
    }

    fn import_from(&mut self, module: &str, alias: &'a ImportAlias, wins: bool) {
        let kind = ModuleKind::of_path(module);
        if alias.name == "*" {
            self.stars.push(kind);
            return;
        }
        let name = alias.alias.as_ref().map_or(alias.name.as_str(), |name| name.text.as_str());
        let whole = ModuleKind::of_path(&format!("{module}.{}", alias.name));
        let global = match whole {
            ModuleKind::Foreign => Global::Member(kind, &alias.name),
            known => Global::Module(known),
        };
        self.add(name, global, wins);
    }
}

/// The module-level names with assigned values that the kernels of a file may read, sorted: a kernel depends on the values
/// that the host has given them.
pub fn constants_read(module: &Module) -> Vec<String> {
    let globals = Globals::of(module);
    let is_assigned = |name: &&str| {
        let definitions = globals.names.get(*name).map_or(&[][..], Vec::as_slice);
        definitions.iter().any(|definition| matches!(definition.global, Global::Assigned(..)))
    };
    let mut names: Vec<String> = Vec::new();
    for function in module.functions().filter(|function| function.is_jit()) {
        let own: FxHashSet<&str> = assigned_names(&function.body)
            .into_iter()
            .chain(function.params.iter().map(|param| param.name.text.as_str()))
            .collect();
        // The words of the function's text are all names in it, and a few more that do no harm.
        let words = module.file.slice(function.span).split(|c: char| !c.is_alphanumeric() && c != '_');
        names.extend(words.filter(|word| !own.contains(word)).filter(is_assigned).map(str::to_string));
    }
    names.sort_unstable();
    names.dedup();
    names
}

impl<'a> Checker<'a> {
    /// What a name means outside functions: the file's own names, then the language's, then Python's.
    pub(crate) fn global(&mut self, name: &'a str, span: Span) -> R<Val<'a>> {
        if let Some(value) = self.constants.get(name) {
            let globals = &self.globals;
            return Ok(Val::from_const(value, &|name| globals.function(name)));
        }
        if let Some(definitions) = self.globals.names.get(name).cloned() {
            return self.evaluate_definitions(name, &definitions, span);
        }
        for star in self.globals.stars.clone() {
            if let Some(val) = module_member(star, name) {
                return Ok(val);
            }
        }
        if let Some(builtin) = builtins::python_builtin(name) {
            return Ok(Val::Builtin(builtin));
        }
        if let Some(class) = python_class(name) {
            return Ok(Val::Class(class));
        }
        match name {
            "tl" => Ok(Val::Module(ModuleKind::Language)),
            "triton" => Ok(Val::Module(ModuleKind::Triton)),
            "libdevice" => Ok(Val::Module(ModuleKind::Libdevice)),
            _ => Err(self.unknown_name(name, span).into()),
        }
    }

    /// The first definition whose condition may hold and that has a meaning here; the first error when there is none.
    fn evaluate_definitions(&mut self, name: &'a str, definitions: &[Definition<'a>], span: Span) -> R<Val<'a>> {
        if let [Definition { global, condition: None }] = definitions {
            return self.evaluate_global(name, *global, span);
        }
        let mut first = None;
        for definition in definitions {
            if let Some((test, needed)) = definition.condition
                && self.module_condition(test, span)?.is_some_and(|truth| truth != needed)
            {
                continue;
            }
            match self.evaluate_global(name, definition.global, span) {
                Ok(val) => return Ok(val),
                Err(stop) => first = first.or(Some(stop)),
            }
        }
        Err(first.unwrap_or_else(|| self.unknown_name(name, span).into()))
    }

    /// The truth of a module-level condition; nothing when it depends on the host.
    fn module_condition(&mut self, test: &'a Expr, span: Span) -> R<Option<bool>> {
        self.enter(span)?;
        self.step(span)?;
        let (errors, failed) = (self.diagnostics.len(), self.failed);
        self.frames.push(crate::check::Frame { interpreted: true, ..crate::check::Frame::default() });
        self.open_block();
        let result = self.eval(test);
        self.close_block();
        self.frames.pop();
        self.leave();
        self.diagnostics.truncate(errors);
        self.failed = failed;
        Ok(result.ok().and_then(|val| val.truth()))
    }

    fn evaluate_global(&mut self, name: &'a str, global: Global<'a>, span: Span) -> R<Val<'a>> {
        match global {
            Global::Function(function) => Ok(Val::Function(function)),
            Global::Module(kind) => Ok(Val::Module(kind)),
            Global::Member(kind, member) => match module_member(kind, member) {
                Some(val) => Ok(val),
                None if kind == ModuleKind::Foreign => {
                    if let Some(builtin) = builtins::python::imported(member) {
                        return Ok(Val::Builtin(builtin));
                    }
                    let message = format!("`{name}` comes from a module that tk does not read");
                    let help = "Define it in this file.";
                    Err(self.error(tk_diag::UNSUPPORTED, span, message, "imported").help(help).into())
                }
                None => Err(self.unknown_member(kind, member, span).into()),
            },
            Global::Class(class) => Ok(Val::RecordClass(Rc::new(RecordClass::of(class)))),
            Global::Assigned(value, part) => {
                let val = match self.evaluate_constant(value, span)? {
                    Val::Value(_) => {
                        let message = format!("`{name}` is not a constant");
                        return Err(self
                            .error(tk_diag::NOT_CONSTEXPR, span, message, "")
                            .help("Compute it inside the kernel.")
                            .into());
                    }
                    val => val,
                };
                let part_of = |i: usize| val.items().and_then(|items| items.get(i).cloned());
                match part.map(part_of) {
                    None => Ok(val),
                    Some(Some(part)) => Ok(part),
                    Some(None) => Err(self
                        .error(tk_diag::TYPE_MISMATCH, span, format!("`{name}` cannot be unpacked"), "")
                        .help("Assign it alone.")
                        .into()),
                }
            }
        }
    }

    fn unknown_name(&self, name: &str, span: Span) -> tk_diag::Diagnostic {
        let error = self.error(tk_diag::UNKNOWN_NAME, span, format!("`{name}` is not defined"), "");
        let mut known: Vec<&str> = self.frame().scope.keys().copied().collect();
        known.extend(self.globals.names.keys().copied());
        for name in builtins::python_names().chain(["tl", "triton"]) {
            known.push(name);
        }
        if builtins::language(name).is_some() {
            return error.help(format!("Did you mean `tl.{name}`?"));
        }
        match nearest(name, known) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error.help("Assign it before, make it a parameter, or define it at the top of the file."),
        }
    }

    /// `module.name`.
    pub(crate) fn module_attribute(&self, module: ModuleKind, name: &str, span: Span) -> R<Val<'a>> {
        module_member(module, name).ok_or_else(|| self.unknown_member(module, name, span).into())
    }

    fn unknown_member(&self, module: ModuleKind, name: &str, span: Span) -> tk_diag::Diagnostic {
        let full = format!("{}.{name}", module.name());
        if let Some(reason) = builtins::unsupported::reason(module, name) {
            return self
                .error(tk_diag::UNSUPPORTED, span, format!("tk does not compile `{full}` yet"), "")
                .help(reason);
        }
        let near = match module {
            ModuleKind::Libdevice => nearest(name, builtins::libdevice_names()),
            ModuleKind::Foreign | ModuleKind::Torch => {
                let message = format!("`{name}` of an imported module has no meaning in a kernel");
                let help = match builtins::language_names().find(|known| *known == name) {
                    Some(known) => format!("Use `tl.{known}`."),
                    None => "Pass what is needed as an argument.".into(),
                };
                return self.error(tk_diag::UNSUPPORTED, span, message, "").help(help);
            }
            _ => nearest(name, builtins::language_names()),
        };
        let error = self.error(tk_diag::UNKNOWN_NAME, span, format!("`{full}` does not exist"), "");
        match near {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error.help("The language reference lists every function."),
        }
    }
}

fn python_class(name: &str) -> Option<Class> {
    Some(match name {
        "tuple" => Class::Tuple,
        "list" => Class::List,
        "str" => Class::Str,
        _ => return None,
    })
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
            _ => builtins::host(name).map(Val::Builtin),
        },
        ModuleKind::Extra => match name {
            "cuda" => Some(Val::Module(ModuleKind::Extra)),
            "libdevice" => Some(Val::Module(ModuleKind::Libdevice)),
            _ => builtins::extra(name).map(Val::Builtin),
        },
        ModuleKind::Target => builtins::target(name).map(Val::Builtin),
        ModuleKind::Libdevice => builtins::libdevice_function(name).map(Val::Builtin),
        ModuleKind::Math => Some(match name {
            "pi" => Val::Float(std::f64::consts::PI),
            "e" => Val::Float(std::f64::consts::E),
            "tau" => Val::Float(std::f64::consts::TAU),
            "inf" => Val::Float(f64::INFINITY),
            "nan" => Val::Float(f64::NAN),
            _ => return builtins::python::math_function(name).map(Val::Builtin),
        }),
        ModuleKind::Torch => ScalarType::all().find(|ty| torch_name(*ty) == Some(name)).map(Val::scalar_type),
        ModuleKind::Foreign => None,
    }
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
