//! From what a launch or a command line says to the kernel and the type of every parameter.

use crate::around::is_bound_around;
use crate::check::Checker;
use crate::checked::Type;
use crate::error::Stop;
use crate::types::{annotation_type, argument_type, class_scalar};
use crate::value::{Class, Val};
use tk_diag::{Diagnostic, nearest};
use tk_grammar::ast::{Argument as CallArgument, Expr, ExprKind, FunctionDef, Module, Param};
use tk_grammar::functions::Named;
use tk_target::Target;
use tk_types::{ArgSpec, ArgType, Argument, CompileOptions, ConstValue, NamedConstant};

/// The jit functions of a file in order.
pub fn kernels(module: &Module) -> Vec<&FunctionDef> {
    module.functions().filter(|function| function.is_jit()).collect()
}

/// Kernels of one name that an error lists, at most.
const MAX_NAMED: usize = 32;

/// One `triton.Config` of an `@triton.autotune` decorator.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// Constexpr parameters by name.
    pub constexprs: Vec<NamedConstant>,
    /// Warps, stages and the like; what the configuration does not say is as in the options given.
    pub options: CompileOptions,
}

/// The configurations that a kernel's `@triton.autotune` lists, in order; none without one, or when they are computed.
pub fn configurations(module: &Module, kernel: &str, defaults: &CompileOptions) -> Vec<Configuration> {
    let Ok(function) = kernel_named(module, kernel) else { return Vec::new() };
    let mut checker = Checker::new(module, defaults.clone(), Target::default());
    checker.kernel = Some(function.name.span.start);
    let mut out = Vec::new();
    for decorator in &function.decorators {
        let ExprKind::Call { func, args } = &decorator.kind else { continue };
        if !func.dotted_name().is_some_and(|name| name == "autotune" || name.ends_with(".autotune")) {
            continue;
        }
        let configs = args.iter().find_map(|arg| match arg {
            CallArgument::Keyword(name, value) if name.text == "configs" => Some(value),
            CallArgument::Positional(value) => Some(value),
            _ => None,
        });
        if let Some(ExprKind::List(items) | ExprKind::Tuple(items)) = configs.map(|configs| &configs.kind) {
            out.extend(items.iter().filter_map(|item| configuration(&mut checker, item, defaults)));
        }
    }
    out
}

fn configuration<'a>(checker: &mut Checker<'a>, item: &'a Expr, defaults: &CompileOptions) -> Option<Configuration> {
    let ExprKind::Call { func, args } = &item.kind else { return None };
    if func.dotted_name().is_none_or(|name| name.rsplit('.').next() != Some("Config")) {
        return None;
    }
    let mut config = Configuration { constexprs: Vec::new(), options: defaults.clone() };
    for arg in args {
        match arg {
            CallArgument::Positional(value) => dictionary(checker, value, &mut config)?,
            CallArgument::Keyword(name, value) if name.text == "kwargs" => dictionary(checker, value, &mut config)?,
            CallArgument::Keyword(name, value) => {
                let Some(number) = checker.eval(value).ok().and_then(|val| val.number()?.as_int()) else { continue };
                let number = u32::try_from(number).ok()?;
                match name.text.as_str() {
                    "num_warps" => config.options.num_warps = number,
                    "num_stages" => config.options.num_stages = number,
                    "num_ctas" => config.options.num_ctas = number,
                    "maxnreg" => config.options.maxnreg = Some(number),
                    _ => {}
                }
            }
            CallArgument::Star(_) | CallArgument::DoubleStar(_) => return None,
        }
    }
    Some(config)
}

fn dictionary<'a>(checker: &mut Checker<'a>, value: &'a Expr, config: &mut Configuration) -> Option<()> {
    let ExprKind::Dict(items) = &value.kind else { return None };
    for (key, value) in items {
        let ExprKind::Str(name) = &key.as_ref()?.kind else { return None };
        config.constexprs.push(NamedConstant::new(name.as_str(), checker.eval(value).ok()?.to_const()?));
    }
    Some(())
}

/// The kernel that a name means, as [`tk_grammar::functions::choose`] takes it.
///
/// # Errors
/// The file has no such kernel, or several.
pub fn kernel_named<'m>(module: &'m Module, kernel: &str) -> tk_diag::Result<&'m FunctionDef> {
    match module.choose(kernel) {
        Named::One(function) => Ok(function),
        Named::Several(functions) => Err(several_kernels(module, kernel, &functions).boxed()),
        Named::Nothing => Err(unknown_kernel(module, kernel).boxed()),
    }
}

/// The error for a name that several kernels have, of which none stands outside of functions.
fn several_kernels(module: &Module, kernel: &str, functions: &[&FunctionDef]) -> Diagnostic {
    let message = format!("`{}` defines {} kernels `{kernel}`", module.file.name(), functions.len());
    let mut error = Diagnostic::error(tk_diag::USAGE, message);
    for function in functions.iter().take(MAX_NAMED) {
        let (name, line) = (function.known_as(), function.first_line(&module.file));
        error = error.note(format!("line {line}: `{name}`"));
    }
    if let Some(first) = functions.first() {
        let (name, own, line) = (first.known_as(), &first.name.text, first.first_line(&module.file));
        error = error.at(&module.file, first.name.span, "the first of them");
        error = error.help(format!("Name one with what it stands in, `{name}`, or with its line, `{own}:{line}`."));
    }
    error
}

/// The error for a kernel name that the file does not define.
fn unknown_kernel(module: &Module, kernel: &str) -> Diagnostic {
    let names: Vec<&str> = kernels(module).iter().map(|function| function.known_as()).collect();
    let message = format!("`{}` defines no kernel `{kernel}`", module.file.name());
    let error = Diagnostic::error(tk_diag::UNKNOWN_NAME, message).at(&module.file, tk_diag::Span::default(), "");
    match (nearest(kernel, names.iter().copied()), names.is_empty()) {
        (Some(near), _) => error.help(format!("Did you mean `{near}`?")),
        (None, true) => error.help("Put `@triton.jit` above a function to make it a kernel."),
        (None, false) => error.help(format!("It defines {}.", names.join(", "))),
    }
}

/// Of the constants of a launch those that are no parameters of the kernel and give names of the functions around it values.
pub fn constants_around(module: &Module, kernel: &str, constexprs: &[NamedConstant]) -> Vec<NamedConstant> {
    let Ok(function) = kernel_named(module, kernel) else { return Vec::new() };
    around(module, function, constexprs).cloned().collect()
}

fn around<'c>(
    module: &Module,
    function: &FunctionDef,
    constexprs: &'c [NamedConstant],
) -> impl Iterator<Item = &'c NamedConstant> {
    let is_param = move |name: &str| function.params.iter().any(|param| param.name.text == name);
    constexprs.iter().filter(move |one| !is_param(&one.name) && is_bound_around(module, function, &one.name))
}

/// Binds a positional launch signature and named constexprs to a kernel's parameters, in order of the parameters. A constexpr may also be
/// of a function around the kernel: [`constants_around`].
///
/// Each parameter takes, in this order: a named constexpr; the default of a `tl.constexpr` parameter, or its value in the first
/// autotune configuration; the next type of `specs`; the type its annotation names; its default as a constexpr.
pub fn bind_signature(
    module: &Module,
    kernel: &str,
    specs: Option<&[ArgSpec]>,
    constexprs: &[NamedConstant],
) -> Result<Vec<Argument>, Vec<Diagnostic>> {
    let function = kernel_named(module, kernel).map_err(|error| vec![*error])?;
    let mut checker = Checker::new(module, CompileOptions::default(), Target::default());
    checker.kernel = Some(function.name.span.start);
    checker.constants = around(module, function, constexprs).map(|one| (one.name.clone(), one.value.clone())).collect();
    let mut binder = Binder {
        checker,
        tuned: configurations(module, kernel, &CompileOptions::default()).into_iter().next(),
        specs: specs.map(|specs| specs.iter()),
        errors: Vec::new(),
    };
    let mut bound = Vec::with_capacity(function.params.len());
    for param in &function.params {
        let given = constexprs.iter().rev().find(|one| one.name == param.name.text).map(|one| &one.value);
        if let Some(spec) = binder.parameter(function, param, given) {
            bound.push(spec.named(&param.name.text));
        }
    }
    binder.leftovers(function, specs, constexprs);
    if binder.errors.is_empty() { Ok(bound) } else { Err(binder.errors) }
}

struct Binder<'a, 's> {
    checker: Checker<'a>,
    tuned: Option<Configuration>,
    specs: Option<std::slice::Iter<'s, ArgSpec>>,
    errors: Vec<Diagnostic>,
}

impl<'a> Binder<'a, '_> {
    fn parameter(&mut self, function: &FunctionDef, param: &'a Param, given: Option<&ConstValue>) -> Option<ArgSpec> {
        if let Some(value) = given {
            return Some(ArgSpec::constant(value.clone()));
        }
        let name = &param.name.text;
        let constexpr = self.checker.module.is_constexpr_param(param);
        let tuned = self
            .tuned
            .as_ref()
            .and_then(|config| config.constexprs.iter().find(|one| one.name == *name))
            .map(|one| one.value.clone());
        if let Some(value) = tuned {
            return Some(ArgSpec::constant(value));
        }
        if constexpr {
            return self.default(param).or_else(|| {
                let message = format!("the constexpr `{name}` of `{}` has no value", function.name.text);
                let help = format!("Pass it at the launch, or with `--constexpr {name}=…`.");
                self.fail(tk_diag::ARGUMENT_COUNT, param, message, help)
            });
        }
        if let Some(spec) = self.specs.as_mut().and_then(Iterator::next) {
            return Some(spec.clone());
        }
        if let Some(ty) = param.annotation.as_ref().and_then(|annotation| self.annotation(annotation)) {
            return Some(ArgSpec::of(ty));
        }
        self.default(param).or_else(|| {
            let message = format!("the type of the parameter `{name}` of `{}` is not known", function.name.text);
            let help =
                "Name it in the signature, or annotate it, for example `x: \"*fp32\"` or `n: \"i32\"`.".to_string();
            self.fail(tk_diag::ARGUMENT_COUNT, param, message, help)
        })
    }

    fn fail(&mut self, code: tk_diag::Code, param: &Param, message: String, help: String) -> Option<ArgSpec> {
        self.errors.push(self.checker.cx.error(code, param.name.span, message, "").help(help));
        None
    }

    fn default(&mut self, param: &'a Param) -> Option<ArgSpec> {
        let default = param.default.as_ref()?;
        match self.checker.eval(default) {
            Ok(val) => val.to_const().map(ArgSpec::constant),
            Err(Stop::Error(error)) => {
                self.errors.push(*error);
                None
            }
            Err(Stop::Poisoned) => None,
        }
    }

    fn annotation(&mut self, annotation: &'a Expr) -> Option<ArgType> {
        if let ExprKind::Str(text) = &annotation.kind {
            return annotation_type(text);
        }
        match self.checker.eval(annotation).ok()? {
            Val::Type(ty) => argument_type(&ty),
            Val::Class(class) => class_scalar(class).map(ArgType::Scalar),
            Val::Builtin(builtin) => {
                let class = match builtin.name {
                    "int" => Class::Int,
                    "float" => Class::Float,
                    "bool" => Class::Bool,
                    _ => return None,
                };
                argument_type(&Type::scalar(class_scalar(class)?))
            }
            _ => None,
        }
    }

    fn leftovers(&mut self, function: &FunctionDef, specs: Option<&[ArgSpec]>, constexprs: &[NamedConstant]) {
        let left = self.specs.as_ref().map_or(0, |specs| specs.len());
        if left > 0 && self.errors.is_empty() {
            let count = specs.map_or(0, <[ArgSpec]>::len);
            let message = format!(
                "the signature has {count} types, and `{}` has {} run-time parameters",
                function.name.text,
                count - left
            );
            let help = "Constexprs and parameters with a value are not in the signature.";
            self.errors
                .push(self.checker.cx.error(tk_diag::ARGUMENT_COUNT, function.name.span, message, "").help(help));
        }
        for NamedConstant { name, .. } in constexprs {
            let is_param = function.params.iter().any(|param| param.name.text == *name);
            if !is_param && !is_bound_around(self.checker.module, function, name) {
                let message = format!("`{}` has no parameter `{name}`", function.name.text);
                let known = function.params.iter().map(|param| param.name.text.as_str());
                let help = nearest(name, known)
                    .map_or("Check the spelling.".to_string(), |near| format!("Did you mean `{near}`?"));
                self.errors
                    .push(self.checker.cx.error(tk_diag::BAD_ARGUMENT, function.name.span, message, "").help(help));
            }
        }
    }
}
