//! Kernels: their decorators, `kernel[grid](…)`, and the binding of arguments to kernel parameters.

use super::tuning::{autotune, meta_fields, option_fields, settings};
use super::unused::LAUNCH_OPTIONS;
use super::{Args, Interpreter, convert, descriptor, suggestion};
use crate::contiguity::{ArgShape, stride_warnings};
use crate::exception::{Exception, Result};
use crate::launch::{LaunchArg, LaunchRequest};
use crate::value::{Dict, Kernel, Object, Scope, TENSOR_DESCRIPTOR, Value};
use std::cell::RefCell;
use std::rc::Rc;
use tk_diag::{ARGUMENT_COUNT, BAD_LAUNCH, Span};
use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef, Param};
use tk_types::{CompileOptions, ConstValue, NamedConstant};

/// Names that a launch takes besides the kernel's parameters.
const OPTIONS: &[&str] = &["num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "debug"];
/// What a tuner that is no `triton.autotune` says in the same words.
const TUNER_ARGUMENTS: [&str; 5] = ["configs", "key", "prune_configs_by", "reset_to_zero", "restore_value"];
/// Registers that a thread can have.
const MOST_REGISTERS: u32 = 255;
/// Tuples inside tuples in one constant, at most.
const MAX_TUPLE_DEPTH: usize = 32;

/// The value of each parameter, in order.
pub(crate) type Bound<'a> = Vec<Option<Value<'a>>>;

/// What a launch gives by itself.
#[derive(Clone)]
pub(crate) struct Given<'a> {
    /// The values of parameters, heuristics outside `@triton.autotune` included.
    pub(crate) bound: Bound<'a>,
    options: CompileOptions,
    /// How many arguments were given by position.
    pub(crate) positional: usize,
    /// The launch in the source.
    pub(crate) span: Span,
}

impl<'a> Interpreter<'a, '_> {
    /// The value of a `@triton.jit` function: its decorators are evaluated from the outermost on and applied from the innermost.
    pub(crate) fn define_kernel(&mut self, function: &'a FunctionDef, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        let mut decorators = Vec::new();
        let mut fault = None;
        for decorator in &function.decorators {
            let ExprKind::Call { func, args } = &decorator.kind else { continue };
            let name = func.dotted_name().unwrap_or_default();
            let value = match name.rsplit('.').next() {
                Some("autotune" | "heuristics") => self.eval(decorator, scope),
                _ if is_tuner(args) => self.tuner(args, decorator.span, scope),
                _ => continue,
            };
            match value {
                Ok(value) => decorators.push((decorator.span, value)),
                Err(exception) if !exception.catchable => return Err(exception),
                Err(exception) if Rc::ptr_eq(scope, &self.globals) => return Err(exception.at(decorator.span)),
                Err(exception) => fault = Some(exception.at(decorator.span)),
            }
        }
        let name = function.known_as();
        let symbol = match self.modules.len() {
            1 => Rc::from(name),
            _ => Rc::from(format!("{name}@{}", self.module_at(function.span.start).part())),
        };
        let module = self.module_at(function.span.start);
        let constexprs = function.params.iter().filter(|param| module.is_constexpr_param(param));
        let constexprs = constexprs.map(|param| param.name.text.as_str()).collect();
        let scope = scope.clone();
        let kernel = Kernel { function, symbol, tuning: None, fault, heuristics: Vec::new(), scope, constexprs };
        let mut kernel = Value::Kernel(Rc::new(kernel));
        for (span, decorator) in decorators.into_iter().rev() {
            if let (Value::Kernel(inner), Value::Object(decorator)) = (&kernel, &decorator) {
                kernel = self.decorate_kernel(inner, decorator).map_err(|e| e.at(span))?;
            }
        }
        Ok(kernel)
    }

    /// Launches `kernel[grid](args)`.
    pub(crate) fn launch(&mut self, kernel: &Rc<Kernel<'a>>, grid: &Value<'a>, args: Args<'a>) -> Result<Value<'a>> {
        let span = args.span;
        if let Some(fault) = &kernel.fault {
            let name = &kernel.function.name.text;
            let help = format!("`{name}.fn[grid](…)` launches it without its tuner, with the constants that you give");
            return Err(fault.clone().help(help));
        }
        let given = self.given(kernel, args)?;
        let config = match &kernel.tuning {
            Some(tuning) => {
                let Some(config) = self.choose(kernel, tuning, grid, &given)? else { return Ok(Value::None) };
                *tuning.best.borrow_mut() = Some(config.clone());
                Some(config)
            }
            None => None,
        };
        if let Some(mut request) = self.request(kernel, grid, given, config.as_deref())? {
            request.warnings.extend(self.unused.take());
            self.has_launched = true;
            self.launcher.launch(&request).map_err(|diagnostic| Exception::from_diagnostic(diagnostic).at(span))?;
            if let Some(recorded) = &mut self.recorded {
                recorded.push(request);
            }
        }
        Ok(Value::None)
    }

    /// What a launch gives, before a configuration adds to it.
    fn given(&mut self, kernel: &Kernel<'a>, args: Args<'a>) -> Result<Given<'a>> {
        let (span, positional) = (args.span, args.positional.len());
        let mut named = args.named;
        let mut options = self.options.clone();
        if let Some(tuning) = &kernel.tuning {
            let fixed =
                |name: &str| tuning.configs.iter().any(|config| option_fields(config).iter().any(|f| *f.0 == *name));
            if let Some((name, _)) = named.iter().find(|(name, _)| fixed(name)) {
                return Err(set_by_tuner(kernel.function, name));
            }
        }
        take_options(&mut named, &mut options)?;
        let named = self.used_of_launch(kernel.function, named, span);
        let mut bound = bind(kernel.function, args.positional, named)?;
        self.apply_heuristics(kernel, &mut bound, &mut options, true, span)?;
        Ok(Given { bound, options, positional, span })
    }

    /// What to launch; nothing when the grid is empty.
    pub(crate) fn request(
        &mut self,
        kernel: &Kernel<'a>,
        grid: &Value<'a>,
        given: Given<'a>,
        config: Option<&Object<'a>>,
    ) -> Result<Option<LaunchRequest<'a>>> {
        let function = kernel.function;
        let Given { mut bound, mut options, span, .. } = given;
        if let Some(config) = config {
            let fields = self.used_of_launch(function, meta_fields(config), span);
            apply_config(function, fields, &mut bound)?;
            take_options(&mut option_fields(config), &mut options)?;
        }
        self.apply_heuristics(kernel, &mut bound, &mut options, false, span)?;
        self.fill_defaults(kernel, &mut bound)?;
        if let Some(config) = config {
            let all = arguments_dict(function, &bound)?;
            self.call_hook(config, all, span)?;
        }
        let grid = self.grid(grid, function, &bound, span)?;
        if grid.contains(&0) {
            return Ok(None);
        }
        let mut list = Vec::with_capacity(bound.len());
        for (param, value) in function.params.iter().zip(&bound) {
            let value = value.as_ref().unwrap_or(&Value::None);
            arguments(param, value, kernel, MAX_TUPLE_DEPTH, &mut list)?;
        }
        let configuration = config.map(|config| settings(config, &options));
        let module = self.module_at(function.span.start);
        let warnings = stride_warnings(module, function.known_as(), &shapes(&bound), Some(span));
        Ok(Some(LaunchRequest {
            module,
            kernel: function.known_as(),
            grid,
            args: list,
            options,
            globals: self.constants(kernel),
            configuration,
            warnings,
            call_span: span,
        }))
    }

    /// Takes what nothing reads out of the named arguments of a launch or a configuration. Parameters may have these names.
    fn used_of_launch(
        &mut self,
        function: &FunctionDef,
        named: Vec<(Rc<str>, Value<'a>)>,
        span: Span,
    ) -> Vec<(Rc<str>, Value<'a>)> {
        let is_unused = |(name, _): &(Rc<str>, Value<'a>)| {
            LAUNCH_OPTIONS.contains(&&**name) && function.params.iter().all(|param| param.name.text != **name)
        };
        let (unused, used): (Vec<_>, Vec<_>) = named.into_iter().partition(is_unused);
        unused.iter().for_each(|(name, value)| self.unused_option(name, value, span));
        used
    }

    fn fill_defaults(&mut self, kernel: &Kernel<'a>, bound: &mut Bound<'a>) -> Result<()> {
        let mut missing = Vec::new();
        for (param, value) in kernel.function.params.iter().zip(bound) {
            if value.is_none() {
                match &param.default {
                    Some(default) => *value = Some(self.eval(default, &kernel.scope)?),
                    None => missing.push(format!("`{}`", param.name.text)),
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let name = &kernel.function.name.text;
        let message = format!("the kernel `{name}` is launched without {}", missing.join(", "));
        let exception = Exception::new("TypeError", ARGUMENT_COUNT, message);
        Err(exception.help("give a value by position or by name, or a default"))
    }

    /// Sets the parameters and options that `@triton.heuristics` computes from the other arguments: those of decorators outside
    /// `@triton.autotune`, or the others.
    fn apply_heuristics(
        &mut self,
        kernel: &Kernel<'a>,
        bound: &mut Bound<'a>,
        options: &mut CompileOptions,
        outside: bool,
        span: Span,
    ) -> Result<()> {
        for heuristic in kernel.heuristics.iter().filter(|heuristic| heuristic.is_outside == outside) {
            let args = arguments_dict(kernel.function, bound)?;
            let value = self.call(&heuristic.rule, Args::of(vec![args], span))?;
            let name = &heuristic.name;
            if let Some(at) = kernel.function.params.iter().position(|param| param.name.text == **name) {
                bound[at] = Some(value);
            } else if LAUNCH_OPTIONS.contains(&&**name) {
                self.unused_option(name, &value, span);
            } else {
                let mut rest = vec![(name.clone(), value)];
                take_options(&mut rest, options)?;
                if !rest.is_empty() {
                    return Err(Exception::launch(format!("heuristics set `{name}`, which is no parameter or option")));
                }
            }
        }
        Ok(())
    }

    fn grid(&mut self, grid: &Value<'a>, function: &'a FunctionDef, bound: &Bound<'a>, span: Span) -> Result<[u32; 3]> {
        let grid = match grid {
            Value::Function(_) | Value::Partial(_) => {
                let meta = arguments_dict(function, bound)?;
                self.call(grid, Args::of(vec![meta], span))?
            }
            other => other.clone(),
        };
        let sizes: Vec<Value<'a>> = match &grid {
            Value::Tuple(sizes) => sizes.to_vec(),
            Value::List(sizes) => sizes.borrow().to_vec(),
            Value::Int(_) => vec![grid.clone()],
            other => {
                let message =
                    format!("a grid is a tuple of 1 to 3 integers or a function of one, not a {}", other.class());
                return Err(Exception::launch(message));
            }
        };
        if sizes.is_empty() || sizes.len() > 3 {
            return Err(Exception::launch(format!("a grid has 1 to 3 sizes, not {}", sizes.len())));
        }
        let mut result = [1; 3];
        for (axis, (slot, size)) in result.iter_mut().zip(&sizes).enumerate() {
            let Value::Int(size) = size else {
                let message = format!("size {axis} of the grid must be an integer, not a {}", size.class());
                return Err(Exception::launch(message).help("use `//` or triton.cdiv, which give integers"));
            };
            let limit = if axis == 0 { i128::from(i32::MAX) } else { 65535 };
            if *size < 0 || *size > limit {
                return Err(Exception::launch(format!("size {axis} of the grid is {size}; it can be 0 to {limit}")));
            }
            *slot = *size as u32;
        }
        Ok(result)
    }

    /// Constants around a kernel, which it reads by name; those that wait for being asked for are, where its text names them.
    fn constants(&mut self, kernel: &Kernel<'a>) -> Vec<NamedConstant> {
        let mut uses = Vec::new();
        kernel.function.each_expression(&mut |expr| names_in(expr, &mut uses));
        for name in uses {
            // What cannot be had is an error of the kernel where it uses it.
            _ = self.forced(name, &kernel.scope);
        }
        let mut constants: Vec<NamedConstant> = Vec::new();
        let mut scope = Some(&kernel.scope);
        while let Some(at) = scope {
            let names = at.names.borrow();
            let shown = names.iter().filter(|(name, _)| !name.starts_with("__"));
            let inner = constants.len();
            for (name, value) in shown {
                let is_new = constants[..inner].iter().all(|known| known.name != *name);
                constants.extend(
                    constant(value).filter(|_| is_new).map(|value| NamedConstant::new(name.to_string(), value)),
                );
            }
            scope = at.outer.as_ref();
        }
        constants.sort_by(|a, b| a.name.cmp(&b.name));
        constants
    }

    /// A decorator with `configs` and `key` that is no `triton.autotune`: what it tunes is the same.
    fn tuner(&mut self, args: &'a [Argument], span: Span, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        let mut used = Args { span, ..Args::default() };
        for arg in args {
            if let Argument::Keyword(name, value) = arg
                && TUNER_ARGUMENTS.contains(&name.text.as_str())
            {
                used.named.push((name.text.as_str().into(), self.eval(value, scope)?));
            }
        }
        autotune(used)
    }
}

/// Whether a decorator with these arguments tunes: it gets configurations and a key.
fn is_tuner(args: &[Argument]) -> bool {
    let has = |wanted: &str| args.iter().any(|arg| matches!(arg, Argument::Keyword(name, _) if name.text == wanted));
    has("configs") && has("key")
}

fn names_in<'a>(expr: &'a Expr, names: &mut Vec<&'a str>) {
    if let ExprKind::Name(name) = &expr.kind {
        names.push(name);
    }
    expr.each_child(&mut |child| names_in(child, names));
}

/// Removes compile options from the named arguments.
fn take_options<'a>(named: &mut Vec<(Rc<str>, Value<'a>)>, options: &mut CompileOptions) -> Result<()> {
    let mut rest = Vec::with_capacity(named.len());
    for (name, value) in named.drain(..) {
        let count = |value: &Value<'a>| {
            let count = convert::int(value, &name)?;
            u32::try_from(count).map_err(|_| Exception::launch(format!("`{name}` is {count}")))
        };
        match &*name {
            "num_warps" => options.num_warps = count(&value)?,
            "num_stages" => options.num_stages = count(&value)?,
            "num_ctas" => options.num_ctas = count(&value)?,
            "maxnreg" if matches!(value, Value::None) => options.maxnreg = None,
            // More registers than a thread can have are no limit beyond that.
            "maxnreg" => options.maxnreg = Some(count(&value)?.min(MOST_REGISTERS)),
            "enable_fp_fusion" => options.fp_fusion = value.truth()?,
            "debug" => options.debug = value.truth()?,
            _ => rest.push((name, value)),
        }
    }
    *named = rest;
    options.check().map_err(Exception::launch)
}

/// Adds the parameters that a configuration of `@triton.autotune` sets.
fn apply_config<'a>(function: &FunctionDef, fields: Vec<(Rc<str>, Value<'a>)>, bound: &mut Bound<'a>) -> Result<()> {
    for (name, value) in fields {
        match function.params.iter().position(|param| param.name.text == *name) {
            Some(at) if bound[at].is_some() => return Err(set_by_tuner(function, &name)),
            Some(at) => bound[at] = Some(value),
            None => {
                let message =
                    format!("a configuration sets `{name}`, which is no parameter of `{}`", function.name.text);
                let exception = Exception::launch(message);
                return Err(match suggestion(&name, function.params.iter().map(|param| param.name.text.as_str())) {
                    Some(help) => exception.help(help),
                    None => exception,
                });
            }
        }
    }
    Ok(())
}

fn set_by_tuner(function: &FunctionDef, name: &str) -> Box<Exception> {
    let kernel = &function.name.text;
    let message = format!("`{name}` is set by the autotuner of `{kernel}` and cannot be given at the launch");
    Exception::launch(message).help(format!("remove `{name}` here or from the configurations"))
}

/// Binds arguments to the kernel's parameters by position, then by name.
fn bind<'a>(
    function: &'a FunctionDef,
    positional: Vec<Value<'a>>,
    named: Vec<(Rc<str>, Value<'a>)>,
) -> Result<Bound<'a>> {
    let (name, params) = (&function.name.text, &function.params);
    if positional.len() > params.len() {
        let counts = format!("{} arguments, but {} are given", params.len(), positional.len());
        return Err(Exception::new("TypeError", ARGUMENT_COUNT, format!("the kernel `{name}` takes {counts}")));
    }
    let mut bound: Bound<'a> = positional.into_iter().map(Some).collect();
    bound.resize_with(params.len(), || None);
    for (given, value) in named {
        let Some(at) = params.iter().position(|param| param.name.text == *given) else {
            let exception =
                Exception::new("TypeError", BAD_LAUNCH, format!("the kernel `{name}` has no parameter `{given}`"));
            let known = params.iter().map(|param| param.name.text.as_str()).chain(OPTIONS.iter().copied());
            return Err(match suggestion(&given, known) {
                Some(help) => exception.help(help),
                None => exception,
            });
        };
        if bound[at].is_some() {
            return Err(Exception::launch(format!("the kernel `{name}` gets `{given}` twice")));
        }
        bound[at] = Some(value);
    }
    Ok(bound)
}

/// The arguments by name, as a grid function and heuristics see them.
fn arguments_dict<'a>(function: &'a FunctionDef, bound: &Bound<'a>) -> Result<Value<'a>> {
    let entries = function
        .params
        .iter()
        .zip(bound)
        .filter_map(|(param, value)| Some((Value::str(param.name.text.as_str()), value.clone()?)));
    Ok(Value::Dict(Rc::new(RefCell::new(Dict::from_entries(entries)?))))
}

/// Whether a parameter is a constant at compile time.
fn is_constexpr(kernel: &Kernel<'_>, param: &Param) -> bool {
    kernel.constexprs.contains(&param.name.text.as_str())
}

/// A value as the launcher takes it. A tuple is a constant tuple of as many `None`, which says its length,
/// and then its parts under the same name.
fn arguments<'a>(
    param: &'a Param,
    value: &Value<'_>,
    kernel: &Kernel<'_>,
    depth: usize,
    list: &mut Vec<(&'a str, LaunchArg)>,
) -> Result<()> {
    let name = param.name.text.as_str();
    match value {
        Value::Tuple(items) if !is_constexpr(kernel, param) && depth > 0 && !items.is_empty() => {
            list.push((name, LaunchArg::Constexpr(ConstValue::Tuple(vec![ConstValue::None; items.len()]))));
            for item in items.iter() {
                arguments(param, item, kernel, depth - 1, list)?;
            }
        }
        _ => list.push((name, argument(param, value, kernel)?)),
    }
    Ok(())
}

/// A value that is no tuple with run-time parts.
fn argument(param: &Param, value: &Value<'_>, kernel: &Kernel<'_>) -> Result<LaunchArg> {
    if is_constexpr(kernel, param) {
        let wrong = || {
            let message = format!("`{}` is a constexpr and cannot be a {}", param.name.text, value.class());
            Exception::launch(message)
                .help("constexpr parameters take numbers, strings, types, None and tuples of them")
        };
        return constant(value).map(LaunchArg::Constexpr).ok_or_else(wrong);
    }
    Ok(match value {
        Value::Tensor(tensor) => LaunchArg::Buffer {
            buffer: tensor.buffer.clone(),
            byte_offset: tensor.offset * tensor.width(),
            dtype: tensor.dtype,
        },
        Value::Object(object) if object.class == TENSOR_DESCRIPTOR => {
            descriptor::argument(object).map_err(|error| {
                let (name, kernel) = (&param.name.text, &kernel.function.name.text);
                let message = format!("`{name}` of the kernel `{kernel}`: {}", error.message);
                Box::new(Exception { message, ..*error })
            })?
        }
        Value::Int(value) if *value < i128::from(i64::MIN) || *value > i128::from(u64::MAX) => {
            let (name, kernel) = (&param.name.text, &kernel.function.name.text);
            let message = format!("`{name}` of the kernel `{kernel}` is {value}, which does not fit 64 bits");
            return Err(Exception::launch(message));
        }
        Value::Int(value) => LaunchArg::Int(*value),
        Value::Float(value) => LaunchArg::Float(*value),
        Value::Bool(value) => LaunchArg::Bool(*value),
        Value::None | Value::Dtype(_) | Value::Str(_) => {
            LaunchArg::Constexpr(constant(value).unwrap_or(ConstValue::None))
        }
        Value::Tuple(_) if constant(value).is_some() => {
            LaunchArg::Constexpr(constant(value).unwrap_or(ConstValue::None))
        }
        other => {
            let (name, kernel) = (&param.name.text, &kernel.function.name.text);
            let message = format!("`{name}` of the kernel `{kernel}` cannot be a {}", other.class());
            let exception = Exception::new("TypeError", BAD_LAUNCH, message);
            return Err(match other {
                Value::List(_) => exception.help("kernels take tensors; make one with torch.tensor(…)"),
                _ => exception.help("kernels take tensors and numbers"),
            });
        }
    })
}

/// A value as a compile-time constant.
fn constant(value: &Value<'_>) -> Option<ConstValue> {
    constant_within(value, MAX_TUPLE_DEPTH)
}

fn constant_within(value: &Value<'_>, depth: usize) -> Option<ConstValue> {
    let depth = depth.checked_sub(1)?;
    Some(match value {
        Value::None => ConstValue::None,
        Value::Bool(value) => ConstValue::Bool(*value),
        Value::Int(value) => ConstValue::Int(*value),
        Value::Float(value) => ConstValue::Float(*value),
        Value::Str(text) => ConstValue::Str(text.to_string()),
        Value::Dtype(dtype) => ConstValue::Dtype(*dtype),
        Value::Path(path) if path.starts_with("triton.") => ConstValue::Function(path.to_string()),
        Value::Kernel(kernel) => ConstValue::Function(kernel.symbol.to_string()),
        Value::Tuple(items) => {
            ConstValue::Tuple(items.iter().map(|item| constant_within(item, depth)).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// What the launch says of each parameter's tensor.
fn shapes<'t>(bound: &'t Bound<'_>) -> Vec<ArgShape<'t>> {
    let shape = |value: &'t Option<Value<'_>>| match value {
        Some(Value::Tensor(tensor)) => ArgShape::Tensor { shape: &tensor.shape, strides: &tensor.strides },
        Some(Value::Int(value)) => ArgShape::Int(*value),
        _ => ArgShape::Other,
    };
    bound.iter().map(shape).collect()
}
