//! Kernels: their decorators, `kernel[grid](…)`, and the binding of arguments to kernel parameters.

use super::{Args, Interpreter, convert, suggestion};
use crate::exception::{Exception, Result};
use crate::launch::{LaunchArg, LaunchRequest};
use crate::value::{Dict, Kernel, Object, Scope, Value};
use std::cell::RefCell;
use std::rc::Rc;
use tk_diag::{ARGUMENT_COUNT, BAD_LAUNCH, Span};
use tk_grammar::ast::{ExprKind, FunctionDef, Param};
use tk_types::{CompileOptions, ConstValue};

/// Names that a launch takes besides the kernel's parameters.
const OPTIONS: &[&str] = &["num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "debug"];
/// Options of other compilers that change no result; they are accepted and dropped.
const IGNORED: &[&str] = &[
    "grid",
    "warmup",
    "stream",
    "launch_cooperative_grid",
    "launch_pdl",
    "waves_per_eu",
    "matrix_instr_nonkdim",
    "kpack",
    "allow_flush_denorm",
    "num_consumer_groups",
    "num_buffers_warp_spec",
    "sanitize_overflow",
    "instrumentation_mode",
    "max_num_imprecise_acc_default",
    "arch",
    "noinline",
    "loop_scheduling",
];

/// Tuples inside tuples in one constant, at most.
const MAX_TUPLE_DEPTH: usize = 32;

/// The value of each parameter, in order.
type Bound<'a> = Vec<Option<Value<'a>>>;

impl<'a> Interpreter<'a, '_> {
    /// The value of a `@triton.jit` function.
    pub(crate) fn define_kernel(&mut self, function: &'a FunctionDef, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        let mut kernel = Kernel { function, configs: Vec::new(), heuristics: Vec::new(), scope: scope.clone() };
        for decorator in &function.decorators {
            let ExprKind::Call { func, .. } = &decorator.kind else { continue };
            let name = func.dotted_name().unwrap_or_default();
            let kind = name.rsplit('.').next().unwrap_or(&name);
            if kind != "autotune" && kind != "heuristics" {
                continue;
            }
            let Value::Object(object) = self.eval(decorator, scope)? else { continue };
            match object.field("configs") {
                Some(configs) => {
                    for config in self.collect(configs)? {
                        match config {
                            Value::Object(config) if config.class == "triton.Config" => kernel.configs.push(config),
                            other => {
                                let message = format!("autotune needs triton.Config values, not a {}", other.class());
                                return Err(Exception::ty(message).at(decorator.span));
                            }
                        }
                    }
                }
                None => {
                    for (name, rule) in &object.fields {
                        kernel.heuristics.push((name.clone(), rule.clone()));
                    }
                }
            }
        }
        Ok(Value::Kernel(Rc::new(kernel)))
    }

    /// Launches `kernel[grid](args)`.
    pub(crate) fn launch(&mut self, kernel: &Rc<Kernel<'a>>, grid: &Value<'a>, args: Args<'a>) -> Result<Value<'a>> {
        let span = args.span;
        let request = self.request(kernel, grid, args)?;
        if let Some(request) = request {
            self.launcher.launch(&request).map_err(|diagnostic| Exception::from_diagnostic(diagnostic).at(span))?;
            if let Some(recorded) = &mut self.recorded {
                recorded.push(request);
            }
        }
        Ok(Value::None)
    }

    /// What to launch; nothing when the grid is empty.
    fn request(
        &mut self,
        kernel: &Rc<Kernel<'a>>,
        grid: &Value<'a>,
        args: Args<'a>,
    ) -> Result<Option<LaunchRequest<'a>>> {
        let span = args.span;
        let function = kernel.function;
        let mut named = args.named;
        let mut options = CompileOptions::default();
        if let Some(config) = kernel.configs.first() {
            self.apply_config(kernel, config, &mut named, &mut options)?;
        }
        take_options(&mut named, &mut options)?;
        let mut bound = bind(function, args.positional, named, kernel)?;
        self.apply_heuristics(kernel, &mut bound, span)?;
        let mut missing = Vec::new();
        for (param, value) in function.params.iter().zip(&mut bound) {
            if value.is_none() {
                match &param.default {
                    Some(default) => *value = Some(self.eval(default, &kernel.scope)?),
                    None => missing.push(format!("`{}`", param.name.text)),
                }
            }
        }
        if !missing.is_empty() {
            let message = format!("the kernel `{}` is launched without {}", function.name.text, missing.join(", "));
            let exception = Exception::new("TypeError", ARGUMENT_COUNT, message);
            return Err(exception.help("give a value by position or by name, or a default"));
        }
        let grid = self.grid(grid, function, &bound, span)?;
        if grid.contains(&0) {
            return Ok(None);
        }
        let mut list = Vec::with_capacity(bound.len());
        for (param, value) in function.params.iter().zip(&bound) {
            let value = value.as_ref().unwrap_or(&Value::None);
            list.push((param.name.text.clone(), argument(param, value, function)?));
        }
        let globals = self.constants(&kernel.scope);
        Ok(Some(LaunchRequest {
            module: self.module,
            kernel: &function.name.text,
            grid,
            args: list,
            options,
            globals,
            call_span: span,
        }))
    }

    /// Adds what the first configuration of `@triton.autotune` says.
    fn apply_config(
        &mut self,
        kernel: &Kernel<'a>,
        config: &Object<'a>,
        named: &mut Vec<(Rc<str>, Value<'a>)>,
        options: &mut CompileOptions,
    ) -> Result<()> {
        if let Some(Value::Dict(meta)) = config.field("kwargs") {
            for (name, value) in meta.borrow().entries() {
                let Value::Str(name) = name else { continue };
                if named.iter().any(|(given, _)| given == name) {
                    let kernel = &kernel.function.name.text;
                    let message =
                        format!("`{name}` is set by the autotuner of `{kernel}` and cannot be given at the launch");
                    return Err(
                        Exception::launch(message).help(format!("remove `{name}=…` here or from the configurations"))
                    );
                }
                named.push((name.clone(), value.clone()));
            }
        }
        let mut given: Vec<(Rc<str>, Value<'a>)> = config
            .fields
            .iter()
            .filter(|(name, value)| OPTIONS.contains(&&**name) && !matches!(value, Value::None))
            .cloned()
            .collect();
        take_options(&mut given, options)
    }

    /// Sets the parameters that `@triton.heuristics` computes from the other arguments.
    fn apply_heuristics(&mut self, kernel: &Kernel<'a>, bound: &mut Bound<'a>, span: Span) -> Result<()> {
        for (name, rule) in kernel.heuristics.iter() {
            let args = arguments_dict(kernel.function, bound)?;
            let value = self.call(rule, Args::of(vec![args], span))?;
            let at = kernel.function.params.iter().position(|param| param.name.text == **name);
            let at = at.ok_or_else(|| Exception::launch(format!("heuristics set `{name}`, which is no parameter")))?;
            bound[at] = Some(value);
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

    /// Module-level constants, which kernels read by name.
    fn constants(&self, scope: &Scope<'a>) -> Vec<(String, ConstValue)> {
        let names = scope.names.borrow();
        let mut constants: Vec<(String, ConstValue)> = names
            .iter()
            .filter(|(name, _)| !name.starts_with("__"))
            .filter_map(|(name, value)| Some((name.to_string(), constant(value)?)))
            .collect();
        constants.sort_by(|a, b| a.0.cmp(&b.0));
        constants
    }
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
            "num_warps" => {
                options.num_warps = count(&value)?;
                if !options.num_warps.is_power_of_two() || options.num_warps > 32 {
                    return Err(Exception::launch(format!(
                        "num_warps is {}; it can be 1, 2, 4, 8, 16 or 32",
                        options.num_warps
                    )));
                }
            }
            "num_stages" => options.num_stages = count(&value)?,
            "num_ctas" => options.num_ctas = count(&value)?,
            "maxnreg" => options.maxnreg = if matches!(value, Value::None) { None } else { Some(count(&value)?) },
            "enable_fp_fusion" => options.fp_fusion = value.truth()?,
            "debug" => options.debug = value.truth()?,
            _ => rest.push((name, value)),
        }
    }
    *named = rest;
    Ok(())
}

/// Binds arguments to the kernel's parameters by position, then by name.
fn bind<'a>(
    function: &'a FunctionDef,
    positional: Vec<Value<'a>>,
    named: Vec<(Rc<str>, Value<'a>)>,
    kernel: &Kernel<'a>,
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
            if IGNORED.contains(&&*given) {
                continue;
            }
            let exception =
                Exception::new("TypeError", BAD_LAUNCH, format!("the kernel `{name}` has no parameter `{given}`"));
            let known = params.iter().map(|param| param.name.text.as_str()).chain(OPTIONS.iter().copied());
            return Err(match suggestion(&given, known) {
                Some(help) => exception.help(help),
                None => exception,
            });
        };
        if bound[at].is_some() {
            let by_config = kernel.configs.first().is_some_and(|config| match config.field("kwargs") {
                Some(Value::Dict(meta)) => {
                    Value::Str(given.clone()).key().is_ok_and(|key| meta.borrow().get(&key).is_some())
                }
                _ => false,
            });
            let message = match by_config {
                true => format!("`{given}` is set by the autotuner of `{name}` and cannot be given at the launch"),
                false => format!("the kernel `{name}` gets `{given}` twice"),
            };
            return Err(Exception::launch(message));
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

/// Whether the parameter is annotated `tl.constexpr`.
fn is_constexpr(param: &Param) -> bool {
    let annotation = param.annotation.as_ref();
    annotation.is_some_and(|annotation| match &annotation.kind {
        ExprKind::Str(text) => text.ends_with("constexpr"),
        _ => annotation.dotted_name().is_some_and(|name| name == "constexpr" || name.ends_with(".constexpr")),
    })
}

/// A value as the launcher takes it.
fn argument(param: &Param, value: &Value<'_>, function: &FunctionDef) -> Result<LaunchArg> {
    if is_constexpr(param) {
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
            let (name, kernel) = (&param.name.text, &function.name.text);
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
        Value::Kernel(kernel) => ConstValue::Function(kernel.function.name.text.clone()),
        Value::Tuple(items) => {
            ConstValue::Tuple(items.iter().map(|item| constant_within(item, depth)).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
