//! `@triton.autotune`: its configurations, their pruning, and the choice among them, which the launcher makes.
//!
//! The choice is remembered per key in the kernel, so that a launch that was tuned before costs one look-up. What differs
//! from Triton: buffers are what they were before tuning, and `reset_to_zero` and `restore_value` act outside the timed part, except
//! with `use_cuda_graph`, which times graphs of launches with what restores their arguments, as Triton does.

use super::args::need;
use super::kernels::Given;
use super::{Args, Interpreter, convert, descriptor};
use crate::exception::{Exception, Result};
use crate::launch::{BenchOptions, Candidate, Region, Settings, Timing, TuneRequest};
use crate::tensor::torch_name;
use crate::value::{CONFIG, Dict, Heuristic, Kernel, Object, TENSOR_DESCRIPTOR, Value};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use tk_diag::Span;
use tk_types::CompileOptions;

/// The launch options that a configuration sets, in the order in which Triton prints them.
const CONFIG_OPTIONS: [&str; 4] = ["num_warps", "num_ctas", "num_stages", "maxnreg"];

/// The arguments of `triton.autotune`.
pub(super) const AUTOTUNE_ARGUMENTS: [&str; 10] = [
    "configs",
    "key",
    "prune_configs_by",
    "reset_to_zero",
    "restore_value",
    "pre_hook",
    "post_hook",
    "warmup",
    "rep",
    "use_cuda_graph",
];

/// What `@triton.autotune` says, and what was chosen so far.
pub(crate) struct Tuning<'a> {
    /// Never empty.
    pub(crate) configs: Vec<Rc<Object<'a>>>,
    /// Names of arguments.
    key: Vec<Rc<str>>,
    early_prune: Option<Value<'a>>,
    perf_model: Option<Value<'a>>,
    top_k: Option<Value<'a>>,
    reset_to_zero: Vec<Rc<str>>,
    restore_value: Vec<Rc<str>>,
    options: BenchOptions,
    chosen: RefCell<FxHashMap<String, Rc<Object<'a>>>>,
    /// The configuration of the last launch.
    pub(crate) best: RefCell<Option<Rc<Object<'a>>>>,
}

/// `triton.Config(…)`.
pub(crate) fn config<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let name = "triton.Config";
    let [meta, warps, stages, ctas, registers, hook] =
        args.bind(name, ["kwargs", "num_warps", "num_stages", "num_ctas", "maxnreg", "pre_hook"])?;
    let meta = need(meta, name, "kwargs")?;
    if !matches!(meta, Value::Dict(_)) {
        return Err(Exception::ty(format!("the first argument of {name} is a dict, not a {}", meta.class())));
    }
    let fields = [
        ("kwargs", meta),
        ("num_warps", warps.unwrap_or(Value::Int(4))),
        ("num_ctas", ctas.unwrap_or(Value::Int(1))),
        ("num_stages", stages.unwrap_or(Value::Int(3))),
        ("maxnreg", registers.unwrap_or(Value::None)),
        ("pre_hook", hook.unwrap_or(Value::None)),
    ];
    Ok(Interpreter::object(CONFIG, fields.into_iter().map(|(name, value)| (name.into(), value)).collect()))
}

/// `triton.autotune(…)`: the decorator.
pub(crate) fn autotune<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let names = AUTOTUNE_ARGUMENTS;
    let values = args.bind("triton.autotune", names)?;
    let fields: Vec<(Rc<str>, Value<'a>)> = names
        .iter()
        .zip(values)
        .filter_map(|(name, value)| Some((Rc::from(*name), value.filter(|value| !matches!(value, Value::None))?)))
        .collect();
    for (name, _) in &fields {
        if matches!(&**name, "pre_hook" | "post_hook") {
            let exception = Exception::unsupported(format!("`{name}` of triton.autotune is not available here"));
            return Err(exception.help("use reset_to_zero or restore_value, or the pre_hook of a triton.Config"));
        }
    }
    Ok(Interpreter::object("autotune", fields))
}

/// `config.all_kwargs()`.
pub(crate) fn all_settings<'a>(config: &Object<'a>) -> Result<Value<'a>> {
    let mut dict = match config.field("kwargs") {
        Some(Value::Dict(meta)) => meta.borrow().clone(),
        _ => Dict::default(),
    };
    for (name, value) in option_fields(config) {
        dict.insert(Value::Str(name), value)?;
    }
    Ok(Value::Dict(Rc::new(RefCell::new(dict))))
}

/// The launch options of a configuration.
pub(crate) fn option_fields<'a>(config: &Object<'a>) -> Vec<(Rc<str>, Value<'a>)> {
    let is_set =
        |(name, value): &&(Rc<str>, Value<'a>)| CONFIG_OPTIONS.contains(&&**name) && !matches!(value, Value::None);
    config.fields.borrow().iter().filter(is_set).cloned().collect()
}

/// The constexpr parameters of a configuration.
pub(crate) fn meta_fields<'a>(config: &Object<'a>) -> Vec<(Rc<str>, Value<'a>)> {
    match config.field("kwargs") {
        Some(Value::Dict(meta)) => {
            meta.borrow().entries().iter().map(|(name, value)| (name.display().into(), value.clone())).collect()
        }
        _ => Vec::new(),
    }
}

/// What a configuration says, for people.
pub(crate) fn settings(config: &Object<'_>, options: &CompileOptions) -> Settings {
    let mut rows: Vec<(String, String)> =
        meta_fields(config).iter().map(|(name, value)| (name.to_string(), value.display())).collect();
    rows.push(("num_warps".into(), options.num_warps.to_string()));
    rows.push(("num_stages".into(), options.num_stages.to_string()));
    if options.num_ctas != 1 {
        rows.push(("num_ctas".into(), options.num_ctas.to_string()));
    }
    if let Some(registers) = options.maxnreg {
        rows.push(("maxnreg".into(), registers.to_string()));
    }
    rows.into()
}

/// `kernel.fn`: what the outermost decorator was applied to, the kernel itself where there is none.
pub(crate) fn inner<'a>(kernel: &Rc<Kernel<'a>>) -> Rc<Kernel<'a>> {
    let outside = kernel.heuristics.iter().any(|rule| rule.is_outside);
    let is_tuned = kernel.tuning.is_some() || kernel.fault.is_some();
    if !outside && !is_tuned && kernel.heuristics.is_empty() {
        return kernel.clone();
    }
    let keeps = |rule: &&Heuristic<'a>| if outside { !rule.is_outside } else { is_tuned };
    Rc::new(Kernel {
        function: kernel.function,
        symbol: kernel.symbol.clone(),
        tuning: if outside { kernel.tuning.as_ref().map(Tuning::untouched) } else { None },
        fault: if outside { kernel.fault.clone() } else { None },
        heuristics: kernel.heuristics.iter().filter(keeps).cloned().collect(),
        scope: kernel.scope.clone(),
        constexprs: kernel.constexprs.clone(),
    })
}

impl<'a> Interpreter<'a, '_> {
    /// A kernel with another decorator around those it has.
    pub(crate) fn decorate_kernel(&mut self, kernel: &Kernel<'a>, decorator: &Object<'a>) -> Result<Value<'a>> {
        let mut decorated = Kernel {
            function: kernel.function,
            symbol: kernel.symbol.clone(),
            tuning: None,
            fault: kernel.fault.clone(),
            heuristics: kernel.heuristics.clone(),
            scope: kernel.scope.clone(),
            constexprs: kernel.constexprs.clone(),
        };
        if decorator.class == "autotune" {
            if kernel.tuning.is_some() {
                let message = format!("the kernel `{}` has two autotune decorators", kernel.function.name.text);
                return Err(Exception::unsupported(message));
            }
            decorated.tuning = Some(self.tuning(decorator)?);
        } else {
            let is_outside = kernel.tuning.is_some();
            let rules = decorator.fields.borrow().clone().into_iter();
            let rules = rules.map(|(name, rule)| Heuristic { name, rule, is_outside });
            decorated.heuristics.splice(0..0, rules);
            decorated.tuning = kernel.tuning.as_ref().map(Tuning::untouched);
        }
        Ok(Value::Kernel(Rc::new(decorated)))
    }

    fn tuning(&mut self, decorator: &Object<'a>) -> Result<Tuning<'a>> {
        let configs = need(decorator.field("configs"), "triton.autotune", "configs")?;
        let mut configs = self.configs(&configs, "autotune")?;
        if configs.is_empty() {
            // As in Triton, no configuration means the defaults.
            let defaults = Args { named: vec![("kwargs".into(), dict(Vec::new())?)], ..Args::default() };
            configs = self.configs(&Value::list(vec![config(defaults)?]), "autotune")?;
        }
        let (mut early_prune, mut perf_model, mut top_k) = (None, None, None);
        match decorator.field("prune_configs_by") {
            None => {}
            Some(Value::Dict(rules)) => {
                for (name, rule) in rules.borrow().entries() {
                    let slot = match name.display().as_str() {
                        "early_config_prune" => &mut early_prune,
                        "perf_model" => &mut perf_model,
                        "top_k" => &mut top_k,
                        other => {
                            let message = format!("prune_configs_by has no entry `{other}`");
                            let known = "the entries are early_config_prune, perf_model and top_k";
                            return Err(Exception::argument(message).help(known));
                        }
                    };
                    *slot = Some(rule.clone()).filter(|rule| !matches!(rule, Value::None));
                }
            }
            Some(other) => {
                return Err(Exception::ty(format!("prune_configs_by is a dict of functions, not a {}", other.class())));
            }
        }
        let mut options = BenchOptions::default();
        for (name, slot) in [("warmup", &mut options.warmup_ms), ("rep", &mut options.rep_ms)] {
            if let Some(value) = decorator.field(name) {
                *slot = convert::float(&value, name)?;
            }
        }
        if decorator.field("use_cuda_graph").is_some_and(|value| value.truth().unwrap_or(true)) {
            options.timing = Timing::BackToBack;
        }
        Ok(Tuning {
            configs,
            key: self.names(decorator, "key")?,
            early_prune,
            perf_model,
            top_k,
            reset_to_zero: self.names(decorator, "reset_to_zero")?,
            restore_value: self.names(decorator, "restore_value")?,
            options,
            chosen: RefCell::default(),
            best: RefCell::default(),
        })
    }

    fn configs(&mut self, values: &Value<'a>, what: &str) -> Result<Vec<Rc<Object<'a>>>> {
        let config = |value: Value<'a>| match value {
            Value::Object(config) if config.class == CONFIG => Ok(config),
            other => Err(Exception::ty(format!("{what} needs triton.Config values, not a {}", other.class()))),
        };
        self.collect(values)?.into_iter().map(config).collect()
    }

    fn names(&mut self, decorator: &Object<'a>, field: &str) -> Result<Vec<Rc<str>>> {
        match decorator.field(field) {
            None => Ok(Vec::new()),
            Some(list) => self.collect(&list)?.iter().map(|name| convert::string(name, field)).collect(),
        }
    }

    /// The configuration for a launch with these arguments: remembered, or chosen now. `None` when the grid is empty.
    pub(crate) fn choose(
        &mut self,
        kernel: &Kernel<'a>,
        tuning: &Tuning<'a>,
        grid: &Value<'a>,
        given: &Given<'a>,
    ) -> Result<Option<Rc<Object<'a>>>> {
        if let [only] = tuning.configs.as_slice() {
            return Ok(Some(only.clone()));
        }
        let key = tuning.key_of(kernel, given);
        if let Some(chosen) = tuning.chosen.borrow().get(&key) {
            return Ok(Some(chosen.clone()));
        }
        let mut configs = self.prune(kernel, tuning, given)?;
        let mut place = 0;
        if configs.len() > 1 {
            let mut candidates = Vec::with_capacity(configs.len());
            for config in &configs {
                let launch = self.request(kernel, grid, given.clone(), Some(config))?;
                let Some(launch) = launch else { return Ok(None) };
                candidates.push(Candidate { settings: settings(config, &launch.options), launch });
            }
            let region = |name: &Rc<str>| region(kernel, given, name);
            let request = TuneRequest {
                module: self.module_at(kernel.function.span.start),
                kernel: kernel.function.known_as(),
                key: key.clone(),
                candidates,
                reset_to_zero: tuning.reset_to_zero.iter().map(region).collect::<Result<_>>()?,
                restore_value: tuning.restore_value.iter().map(region).collect::<Result<_>>()?,
                options: tuning.options,
                call_span: given.span,
            };
            self.has_launched = true;
            let tuned = self.launcher.tune(&request);
            place = tuned.map_err(|diagnostic| Exception::from_diagnostic(diagnostic).at(given.span))?;
            place = place.min(configs.len() - 1);
        }
        let chosen = configs.swap_remove(place);
        tuning.chosen.borrow_mut().insert(key, chosen.clone());
        Ok(Some(chosen))
    }

    /// Leaves out what `prune_configs_by` does not want.
    fn prune(&mut self, kernel: &Kernel<'a>, tuning: &Tuning<'a>, given: &Given<'a>) -> Result<Vec<Rc<Object<'a>>>> {
        let mut configs = tuning.configs.clone();
        let by_position = dict(given.entries(kernel, 0..given.positional))?;
        let by_name = || -> Vec<(Rc<str>, Value<'a>)> { given.entries(kernel, given.positional..usize::MAX) };
        if let Some(prune) = &tuning.early_prune {
            let all = Value::list(configs.iter().cloned().map(Value::Object).collect());
            let args = Args { positional: vec![all, by_position], named: by_name(), span: given.span };
            let kept = self.call(prune, args)?;
            configs = self.configs(&kept, "early_config_prune")?;
            if configs.is_empty() {
                let message = format!("early_config_prune left no configuration of `{}`", kernel.function.name.text);
                return Err(Exception::value(message).help("it must return at least one"));
            }
        }
        let Some(model) = &tuning.perf_model else { return Ok(configs) };
        let keep = top_k(tuning)?;
        if configs.len() > keep {
            let mut ranked = Vec::with_capacity(configs.len());
            for config in configs {
                let mut named = given.entries(kernel, 0..usize::MAX);
                named.extend(meta_fields(&config));
                named.extend(option_fields(&config));
                let estimate = self.call(model, Args { positional: Vec::new(), named, span: given.span })?;
                ranked.push((convert::float(&estimate, "the result of perf_model")?, config));
            }
            ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
            configs = ranked.into_iter().take(keep).map(|(_, config)| config).collect();
        }
        Ok(configs)
    }

    /// Calls the `pre_hook` of a configuration with all arguments by name.
    pub(crate) fn call_hook(&mut self, config: &Object<'a>, all: Value<'a>, span: Span) -> Result<()> {
        match config.field("pre_hook") {
            None | Some(Value::None) => Ok(()),
            Some(hook) => self.call(&hook, Args::of(vec![all], span)).map(|_| ()),
        }
    }
}

impl<'a> Tuning<'a> {
    /// The same settings with nothing chosen.
    fn untouched(&self) -> Self {
        Self {
            configs: self.configs.clone(),
            key: self.key.clone(),
            early_prune: self.early_prune.clone(),
            perf_model: self.perf_model.clone(),
            top_k: self.top_k.clone(),
            reset_to_zero: self.reset_to_zero.clone(),
            restore_value: self.restore_value.clone(),
            options: self.options,
            chosen: RefCell::default(),
            best: RefCell::default(),
        }
    }

    /// `M=512 N=512 float16 float16`: the arguments that the key names, then the types of the tensors and descriptors.
    fn key_of(&self, kernel: &Kernel<'a>, given: &Given<'a>) -> String {
        let mut text = String::new();
        for name in &self.key {
            // As in Triton, a name that is no argument adds nothing.
            let Some(value) = given.value(kernel, name) else { continue };
            let _ = match value {
                Value::Tensor(tensor) => write!(text, "{name}={:?} ", tensor.shape),
                Value::Object(object) if object.class == TENSOR_DESCRIPTOR => {
                    let shape = object.field("shape").unwrap_or(Value::None);
                    write!(text, "{name}={} ", shape.display())
                }
                value => write!(text, "{name}={} ", value.display()),
            };
        }
        for value in given.bound.iter().flatten() {
            if let Some(tensor) = descriptor::tensor_of(value) {
                text.push_str(torch_name(tensor.dtype).trim_start_matches("torch."));
                text.push(' ');
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}

/// How many configurations the model may leave.
fn top_k(tuning: &Tuning<'_>) -> Result<usize> {
    let wrong = || Exception::ty("top_k is a number of configurations, or a share of them that is at most 1.0");
    let keep = match &tuning.top_k {
        None => tuning.configs.len() as i128,
        Some(Value::Int(count)) => *count,
        Some(Value::Float(share)) if (0.0..=1.0).contains(share) => (tuning.configs.len() as f64 * share) as i128,
        Some(_) => return Err(wrong()),
    };
    usize::try_from(keep).ok().filter(|keep| *keep > 0).ok_or_else(wrong)
}

/// Where the tensor of a parameter lies.
fn region<'a>(kernel: &Kernel<'a>, given: &Given<'a>, name: &str) -> Result<Region> {
    let Some(tensor) = given.value(kernel, name).and_then(descriptor::tensor_of) else {
        let message = format!("reset_to_zero and restore_value name `{name}`, which is no tensor of this launch");
        return Err(Exception::launch(message));
    };
    let extent = |(size, stride): (&usize, &usize)| size.saturating_sub(1) * stride;
    let elements = match tensor.count() {
        0 => 0,
        _ => tensor.shape.iter().zip(&tensor.strides).map(extent).sum::<usize>() + 1,
    };
    let width = tensor.width();
    Ok(Region { buffer: tensor.buffer.clone(), start: tensor.offset * width, bytes: elements * width })
}

fn dict<'a>(entries: Vec<(Rc<str>, Value<'a>)>) -> Result<Value<'a>> {
    let entries = entries.into_iter().map(|(name, value)| (Value::Str(name), value));
    Ok(Value::Dict(Rc::new(RefCell::new(Dict::from_entries(entries)?))))
}

impl<'a> Given<'a> {
    /// The value given for a parameter.
    fn value(&self, kernel: &Kernel<'a>, name: &str) -> Option<&Value<'a>> {
        let at = kernel.function.params.iter().position(|param| param.name.text == *name)?;
        self.bound.get(at)?.as_ref()
    }

    /// Names and values of the parameters in a range that were given.
    fn entries(&self, kernel: &Kernel<'a>, range: std::ops::Range<usize>) -> Vec<(Rc<str>, Value<'a>)> {
        let params = kernel.function.params.iter().zip(&self.bound).enumerate();
        params
            .filter(|(at, _)| range.contains(at))
            .filter_map(|(_, (param, value))| Some((Rc::from(param.name.text.as_str()), value.clone()?)))
            .collect()
    }
}
