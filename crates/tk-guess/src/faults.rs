//! Launches and descriptors of host code that cannot work, whatever else the program does.
//!
//! Only what is certain where the line runs: the arguments that the text counts, and values that [`crate::host`] finds. A kernel under a
//! decorator that nothing is known of may take other arguments, and is left out.

use crate::known::{Known, Tensor};
use tk_check::configurations;
use tk_diag::{BAD_ARGUMENT, BAD_LAUNCH, Diagnostic, Span};
use tk_grammar::ast::{Argument, BinaryOp, Expr, ExprKind, FunctionDef, Ident, Module, Param, ParamKind};
use tk_types::{CompileOptions, ConstValue, ScalarType};

/// Keywords of a launch that are no parameters: tk's options, Triton's, and those of Triton's other backends.
const OPTIONS: [&str; 32] = [
    "num_warps",
    "num_stages",
    "num_ctas",
    "maxnreg",
    "enable_fp_fusion",
    "debug",
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
    "ptx_options",
    "cluster_dims",
    "device",
    "device_type",
    "extern_libs",
    "bottleneck",
    "buffer_size_limit",
    "multibuffer",
    "unroll_num",
];
/// How options of other backends begin.
const BACKEND: [&str; 3] = ["isClose", "isCLOSE", "is_use_"];
/// What device code calls: a function that does is none of the host, whatever became of its decorator.
const DEVICE: [&str; 4] = ["tl.program_id(", "tl.load(", "tl.store(", "tl.arange("];
/// The most programs along each axis.
const MOST_PROGRAMS: [i128; 3] = [i32::MAX as i128, 65_535, 65_535];
/// The most warps of a program: 1024 threads.
const MOST_WARPS: i128 = 32;
/// What strides of a descriptor and the rows of its block are multiples of, in bytes.
const UNIT: i128 = 16;

/// A launch in the text, with what is known of its arguments.
pub(crate) struct Launch<'l, 'm> {
    pub(crate) module: &'m Module,
    pub(crate) kernel: &'m FunctionDef,
    /// `kernel[grid]`.
    pub(crate) launched: &'m Expr,
    pub(crate) grid: &'m Expr,
    pub(crate) grid_value: &'l Known,
    pub(crate) args: &'m [Argument],
    pub(crate) positional: &'l [Known],
    pub(crate) keywords: &'l [(&'m str, Known)],
}

/// What decorators set of the parameters of a kernel.
struct Decorated {
    /// By heuristics, or by some configuration.
    set: Vec<String>,
    /// By every configuration: a launch must not give them.
    tuned: Vec<String>,
    /// Whether that is all.
    is_known: bool,
}

impl Launch<'_, '_> {
    /// What is wrong with it.
    pub(crate) fn faults(&self) -> Vec<Diagnostic> {
        let Some(decorated) = decorated(self.module, self.kernel) else { return Vec::new() };
        let mut found = self.grid();
        found.extend(self.keywords.iter().filter_map(|(name, known)| self.warps(name, known)));
        found.extend(self.arguments(&decorated));
        found
    }

    fn wrong(&self, span: Span, message: String, label: &str) -> Diagnostic {
        Diagnostic::warning(BAD_LAUNCH, message).at(&self.module.file, span, label)
    }

    fn grid(&self) -> Vec<Diagnostic> {
        let values = match self.grid_value {
            Known::Items(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        if values.len() > 3 {
            let message = format!("a grid of {} sizes; it has one to three", values.len());
            return vec![self.wrong(self.grid.span, message, "this grid")];
        }
        let sizes = match &self.grid.kind {
            ExprKind::Lambda { body, .. } => axes(body),
            _ => axes(self.grid),
        };
        let known = values.iter().enumerate().filter_map(|(axis, known)| {
            let place =
                sizes.get(axis).filter(|_| sizes.len() == values.len()).map_or(self.grid.span, |size| size.span);
            let written = sizes.get(axis).filter(|_| sizes.len() == values.len());
            let message = bad_size(axis, known, written)?;
            Some(self.wrong(place, message, "this size"))
        });
        let divided = sizes.iter().filter(|size| matches!(size.kind, ExprKind::Binary { op: BinaryOp::Div, .. }));
        let divided = divided.map(|size| {
            self.wrong(size.span, "a grid has integer sizes; `/` gives a float".into(), "this size")
                .help("Divide with `//`, or with `triton.cdiv`, which rounds up.")
        });
        known.chain(divided).collect()
    }

    fn warps(&self, name: &str, known: &Known) -> Option<Diagnostic> {
        let count = known.int().filter(|_| name == "num_warps")?;
        let is_power = u32::try_from(count).is_ok_and(u32::is_power_of_two) && count <= MOST_WARPS;
        let given = self.args.iter().find(|arg| matches!(arg, Argument::Keyword(given, _) if given.text == name))?;
        let message = format!("{count} warps: a program has a power of two of them, at most {MOST_WARPS}");
        (!is_power).then(|| self.wrong(given.value().span, message, "given here"))
    }

    fn arguments(&self, decorated: &Decorated) -> Vec<Diagnostic> {
        let (name, params) = (&self.kernel.name.text, &self.kernel.params);
        let is_packed = |param: &Param| matches!(param.kind, ParamKind::VarArgs | ParamKind::KeywordArgs);
        if params.iter().any(is_packed) || self.args.iter().any(|arg| matches!(arg, Argument::Star(_))) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let positional: Vec<&Expr> = self.args.iter().filter_map(by_position).collect();
        if positional.len() > params.len() {
            let message = format!("`{name}` takes {} arguments, and {} are given", params.len(), positional.len());
            found.push(self.wrong(positional[params.len()].span, message, "the first that is too many"));
        }
        for (param, (value, known)) in params.iter().zip(positional.iter().zip(self.positional)) {
            found.extend(self.argument(param, value.span, known, decorated));
        }
        let open = self.open(positional.len(), decorated);
        for given in self.args.iter().filter_map(by_name) {
            let at = params.iter().position(|param| param.name.text == given.name.text);
            found.extend(match at {
                Some(at) if at < positional.len() => {
                    let message = format!("`{name}` gets `{}` twice", given.name.text);
                    Some(self.wrong(given.name.span, message, "by name, and by position before it"))
                }
                Some(at) => {
                    let known = self.keywords.iter().find(|(known, _)| *known == given.name.text);
                    known.and_then(|(_, known)| self.argument(&params[at], given.value.span, known, decorated))
                }
                None if decorated.is_known => self.unknown(given.name, &open),
                None => None,
            });
        }
        let has_table = self.args.iter().any(|arg| matches!(arg, Argument::DoubleStar(_)));
        if decorated.is_known && !has_table {
            found.extend(self.missing(&open));
        }
        found
    }

    fn argument(&self, param: &Param, span: Span, known: &Known, decorated: &Decorated) -> Option<Diagnostic> {
        let (kernel, name) = (&self.kernel.name.text, &param.name.text);
        if decorated.tuned.contains(name) {
            let message = format!("`{name}` is set by the autotuner of `{kernel}` and cannot be given at the launch");
            let help = format!("Remove `{name}` here or from the configurations.");
            return Some(self.wrong(span, message, "given here").help(help));
        }
        let is_tensor = matches!(known, Known::Tensor(_)) && self.module.is_constexpr_param(param);
        let message = format!("`{name}` of `{kernel}` is a `tl.constexpr`, and a tensor is no constant");
        is_tensor.then(|| self.wrong(span, message, "a tensor"))
    }

    fn unknown(&self, given: &Ident, open: &[&Param]) -> Option<Diagnostic> {
        if is_option(given) {
            return None;
        }
        let message = format!("the kernel `{}` has no parameter `{}`", self.kernel.name.text, given.text);
        let help = match meant(given, open) {
            Some(param) => format!("Did you mean {}?", quoted(param)),
            None => {
                let params: Vec<&str> = self.kernel.params.iter().map(|param| param.name.text.as_str()).collect();
                format!("Its parameters are: {}.", params.join(", "))
            }
        };
        Some(self.wrong(given.span, message, "given here").help(help))
    }

    /// The parameters that nothing gives a value, of a launch with this many arguments by position.
    fn open(&self, positional: usize, decorated: &Decorated) -> Vec<&'_ Param> {
        let is_given = |param: &&Param| {
            let name = &param.name.text;
            param.default.is_some()
                || decorated.set.contains(name)
                || self.args.iter().filter_map(by_name).any(|given| given.name.text == *name)
        };
        self.kernel.params.iter().skip(positional).filter(|param| !is_given(param)).collect()
    }

    /// Says which parameters are open. One whose name is misspelt is told where it is given.
    fn missing(&self, open: &[&Param]) -> Option<Diagnostic> {
        let has_parameter = |given: &Ident| self.kernel.params.iter().any(|param| param.name.text == given.text);
        let given = self.args.iter().filter_map(by_name).map(|given| given.name);
        let unknown = given.filter(|given| !is_option(given) && !has_parameter(given));
        let misspelt: Vec<&Param> = unknown.filter_map(|given| meant(given, open)).collect();
        let is_misspelt = |param: &Param| misspelt.iter().any(|other| other.name.text == param.name.text);
        let open: Vec<String> = open.iter().filter(|param| !is_misspelt(param)).map(|param| quoted(param)).collect();
        let what = if open.len() == 1 { "argument" } else { "arguments" };
        let message = format!("`{}` is launched without its {what} {}", self.kernel.name.text, open.join(", "));
        (!open.is_empty()).then(|| self.wrong(self.launched.span, message, "this launch"))
    }
}

/// Whether a launch may have an argument of this name whatever the kernel's parameters are.
fn is_option(given: &Ident) -> bool {
    OPTIONS.contains(&given.text.as_str()) || BACKEND.iter().any(|start| given.text.starts_with(start))
}

/// The parameter that a name which is none's may be a misspelling of.
fn meant<'p>(given: &Ident, open: &[&'p Param]) -> Option<&'p Param> {
    let near = tk_diag::nearest(&given.text, open.iter().map(|param| param.name.text.as_str()))?;
    open.iter().copied().find(|param| param.name.text == near)
}

fn quoted(param: &Param) -> String {
    format!("`{}`", param.name.text)
}

/// `name=value`.
struct Named<'m> {
    name: &'m Ident,
    value: &'m Expr,
}

fn by_name(arg: &Argument) -> Option<Named<'_>> {
    match arg {
        Argument::Keyword(name, value) => Some(Named { name, value }),
        Argument::Positional(_) | Argument::Star(_) | Argument::DoubleStar(_) => None,
    }
}

fn by_position(arg: &Argument) -> Option<&Expr> {
    match arg {
        Argument::Positional(value) => Some(value),
        Argument::Keyword(..) | Argument::Star(_) | Argument::DoubleStar(_) => None,
    }
}

/// The sizes of a grid as they are written.
fn axes(grid: &Expr) -> &[Expr] {
    match &grid.kind {
        ExprKind::Tuple(items) | ExprKind::List(items) => items,
        _ => std::slice::from_ref(grid),
    }
}

/// Why a size along an axis cannot be, or does nothing.
/// That nothing runs is said of a number in the text alone: what is computed from a list that grows elsewhere is not known.
fn bad_size(axis: usize, known: &Known, written: Option<&Expr>) -> Option<String> {
    if let Known::Constant(ConstValue::Float(value)) = known {
        return Some(format!("a grid has integer sizes, not {value:?}"));
    }
    let is_written = written.is_some_and(|size| matches!(size.kind, ExprKind::Int(_) | ExprKind::Unary { .. }));
    if is_written && known.int() == Some(0) {
        return Some("a grid of 0 programs: nothing runs".into());
    }
    let size = known.count()?;
    let most = *MOST_PROGRAMS.get(axis)?;
    if is_written && size < 0 {
        Some(format!("a grid has {size} programs along axis {axis}"))
    } else if size > most {
        Some(format!("a grid has {size} programs along axis {axis}; a GPU takes at most {most}"))
    } else {
        None
    }
}

/// What the decorators of a kernel set; nothing where one of them can do anything.
fn decorated(module: &Module, kernel: &FunctionDef) -> Option<Decorated> {
    let mut out = Decorated { set: Vec::new(), tuned: Vec::new(), is_known: true };
    for decorator in &kernel.decorators {
        let (callee, args) = match &decorator.kind {
            ExprKind::Call { func, args } => (func.as_ref(), args.as_slice()),
            _ => (decorator, &[][..]),
        };
        let name = callee.dotted_name()?;
        match name.rsplit('.').next()? {
            "jit" => {}
            "heuristics" => match args.first().map(|arg| &arg.value().kind) {
                Some(ExprKind::Dict(items)) => {
                    out.set.extend(items.iter().filter_map(|(key, _)| match key.as_ref().map(|key| &key.kind) {
                        Some(ExprKind::Str(key)) => Some(key.clone()),
                        _ => None,
                    }));
                    out.is_known &= items.len() == out.set.len();
                }
                _ => out.is_known = false,
            },
            "autotune" => {
                let configs = configurations(module, kernel.known_as(), &CompileOptions::default());
                let sets = |name: &String| configs.iter().all(|one| one.constexprs.iter().any(|set| set.name == *name));
                out.set.extend(configs.iter().flat_map(|one| one.constexprs.iter().map(|set| set.name.clone())));
                out.tuned = out.set.iter().filter(|name| sets(name)).cloned().collect();
                out.is_known &= !configs.is_empty();
            }
            _ => return None,
        }
    }
    Some(out)
}

/// Whether the text of a function is that of device code.
pub(crate) fn is_device(module: &Module, function: &FunctionDef) -> bool {
    let text = module.file.slice(function.span);
    DEVICE.iter().any(|call| text.contains(call))
}

/// A call of a function as if it were a kernel, or of a kernel as if it were a function.
pub(crate) fn misused(module: &Module, function: &FunctionDef, func: &Expr) -> Option<Diagnostic> {
    let name = &function.name.text;
    let has_grid = matches!(func.kind, ExprKind::Subscript { .. });
    let (message, help) = match (has_grid, function.is_jit()) {
        (true, false) if function.decorators.is_empty() => {
            (format!("`{name}` is launched, and is no kernel"), "A kernel has the decorator `@triton.jit`.".to_string())
        }
        (false, true) if decorated(module, function).is_some() => (
            format!("the kernel `{name}` is called without a grid"),
            format!("Launch it: `{name}[grid](…)`; only other jit functions call it like this."),
        ),
        _ => return None,
    };
    Some(Diagnostic::warning(BAD_LAUNCH, message).at(&module.file, func.span, "here").help(help))
}

/// What TMA does not take of a descriptor that the host makes: strides that are no multiples of 16 bytes, rows that are not dense.
pub(crate) fn descriptor(
    module: &Module,
    span: Span,
    path: &str,
    positional: &[Known],
    keywords: &[(&str, Known)],
) -> Option<Diagnostic> {
    let named = |at: usize, name: &str| {
        positional.get(at).or_else(|| keywords.iter().find(|(known, _)| *known == name).map(|(_, value)| value))
    };
    let Some(Known::Tensor(Tensor { element, shape })) = named(0, "base") else { return None };
    let bytes = i128::from(element.map(ScalarType::bytes)?);
    let is_from_tensor = path.ends_with("from_tensor");
    let strides: Vec<Option<i128>> = match named(2, "strides") {
        _ if is_from_tensor => {
            let shape = shape.as_ref()?;
            (0..shape.len()).map(|at| Some(shape[at + 1..].iter().copied().fold(1, i128::saturating_mul))).collect()
        }
        Some(Known::Items(strides)) => strides.iter().map(Known::count).collect(),
        _ => Vec::new(),
    };
    let block = match named(if is_from_tensor { 1 } else { 3 }, "block_shape") {
        Some(Known::Items(dims)) => dims.last().and_then(Known::count),
        _ => None,
    };
    let (last, rows) = strides.split_last().map_or((None, &[][..]), |(last, rows)| (*last, rows));
    let odd = rows.iter().flatten().find(|stride| (**stride).saturating_mul(bytes) % UNIT != 0);
    let (message, help) = if let Some(stride) = odd {
        let message =
            format!("a stride of {stride} elements is {} bytes, no multiple of {UNIT}", stride.saturating_mul(bytes));
        (message, "Pad the rows of the tensor, or load it with pointers.")
    } else if last.is_some_and(|stride| stride != 1) {
        (
            format!("the last stride of a descriptor is 1, not {}", last.unwrap_or(1)),
            "Make the tensor contiguous in its last dimension.",
        )
    // A block of one element is a promise: the hook of a configuration sets it.
    } else if block.is_some_and(|size| size > 1 && size.saturating_mul(bytes) < UNIT) {
        let size = block.unwrap_or(0);
        (
            format!("the last dimension of a block has {} bytes, fewer than {UNIT}", size * bytes),
            "Make the block wider.",
        )
    } else {
        return None;
    };
    Some(Diagnostic::warning(BAD_ARGUMENT, message).at(&module.file, span, "this descriptor").help(help))
}
