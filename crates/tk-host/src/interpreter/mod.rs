//! Walks the tree of host functions. One file per concern: statements, expressions, operators, calls, attributes,
//! builtins, methods, torch, triton, launches.
//!
//! Values are counted references and the tree is borrowed, so nothing of the program is copied to run it.

mod args;
mod attributes;
pub(crate) mod builtins;
mod calls;
mod classes;
mod convert;
mod descriptor;
mod evaluate;
mod execute;
mod imports;
mod instances;
mod kernels;
mod lazy;
mod math;
mod methods;
mod modules;
mod neural;
mod operators;
mod packages;
mod parent;
mod reductions;
mod tensor_functions;
mod torch;
mod triton;
mod tuning;
mod unused;

use crate::bench::BenchTable;
use crate::buffer;
use crate::exception::{Exception, Result};
use crate::launch::{LaunchRequest, Launcher};
use crate::value::{Function, HostModule, Lazy, Scope, Value};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;
use std::io::Write;
use std::rc::Rc;
use tk_grammar::ast::{Expr, ExprKind, Module, Stmt, StmtKind};
use tk_types::CompileOptions;

pub(crate) use args::Args;
pub(crate) use tuning::Tuning;

/// How much a program may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Expressions and statements run in all; a loop without end stops here.
    pub steps: u64,
    /// Calls inside calls.
    pub depth: usize,
    /// Bytes of all tensors together, and of what is computed with them meanwhile.
    pub tensor_bytes: u64,
}

impl Default for Limits {
    /// Tensors may have the memory that is free when the program starts.
    fn default() -> Self {
        Self { steps: 200_000_000, depth: 500, tensor_bytes: free_memory().unwrap_or(16 << 30) }
    }
}

/// Bytes of this machine's memory that are free or can be freed; nothing where the system does not say.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let machine = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let machine = machine.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.saturating_mul(1024);
    let number = |file: &str| std::fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let group = number("/sys/fs/cgroup/memory.max").zip(number("/sys/fs/cgroup/memory.current"));
    Some(group.map_or(machine, |(most, now)| machine.min(most.saturating_sub(now))))
}

/// The items that one list, tuple or string may be made to have by host code.
pub(crate) const MAX_ITEMS: usize = 1 << 22;

/// One run of a program.
pub(crate) struct Interpreter<'a, 'r> {
    /// The first file, and all that it imports, itself first.
    pub(crate) module: &'a Module,
    pub(crate) modules: &'a [Module],
    /// The imported files that have run, by the number of their part.
    pub(crate) imported: FxHashMap<usize, Rc<HostModule<'a>>>,
    pub(crate) launcher: &'r mut dyn Launcher,
    pub(crate) output: &'r mut dyn Write,
    pub(crate) globals: Rc<Scope<'a>>,
    pub(crate) random: ChaCha8Rng,
    pub(crate) limits: Limits,
    pub(crate) steps: u64,
    pub(crate) depth: usize,
    /// The calls that are going on, the innermost last.
    pub(crate) frames: Vec<Frame<'a>>,
    /// Module-level names that the command line sets.
    pub(crate) overrides: Vec<(String, Value<'a>)>,
    /// The launches of the function that `do_bench` measures.
    pub(crate) recorded: Option<Vec<LaunchRequest<'a>>>,
    pub(crate) tables: Vec<BenchTable>,
    /// Whether any kernel was launched; before that no fault can be waiting.
    pub(crate) has_launched: bool,
    /// Exceptions being handled, for a bare `raise`.
    pub(crate) handled: Vec<Exception>,
    /// What a launch that sets no options compiles with.
    pub(crate) options: CompileOptions,
    /// Whether an `except` around this place catches imports that fail.
    pub(crate) catches_imports: bool,
    /// Options that nothing reads.
    pub(crate) unused: unused::UnusedOptions,
}

impl<'a, 'r> Interpreter<'a, 'r> {
    pub(crate) fn new(
        modules: &'a [Module],
        launcher: &'r mut dyn Launcher,
        output: &'r mut dyn Write,
        limits: Limits,
        options: CompileOptions,
    ) -> Self {
        buffer::set_limit(limits.tensor_bytes);
        Self {
            module: &modules[0],
            modules,
            imported: FxHashMap::default(),
            launcher,
            output,
            globals: Scope::new(None, false),
            random: ChaCha8Rng::seed_from_u64(0),
            limits,
            steps: 0,
            depth: 0,
            frames: Vec::new(),
            overrides: Vec::new(),
            recorded: None,
            tables: Vec::new(),
            has_launched: false,
            handled: Vec::new(),
            options,
            catches_imports: false,
            unused: unused::UnusedOptions::default(),
        }
    }

    /// Counts one step.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            let message = format!("the program has not ended after {} steps", self.limits.steps);
            return Err(Exception::limit(message).help("is there a loop without end?"));
        }
        buffer::check_room(0)?;
        self.check_device()
    }

    /// Raises what a kernel that ran meanwhile has failed with.
    pub(crate) fn check_device(&mut self) -> Result<()> {
        match self.has_launched.then(|| self.launcher.fault()).flatten() {
            Some(fault) => {
                let mut exception = Exception::from_diagnostic(fault);
                exception.label = "noticed here".to_string();
                Err(exception)
            }
            None => Ok(()),
        }
    }

    /// Runs the statements of the file; `name` is what `__name__` says.
    pub(crate) fn run_module(&mut self, name: &str) -> Result<()> {
        let (module, globals) = (self.module, self.globals.clone());
        self.run_file(module, name, &globals)
    }

    /// Runs the statements of a file in its own scope.
    fn run_file(&mut self, module: &'a Module, name: &str, scope: &Rc<Scope<'a>>) -> Result<()> {
        scope.names.borrow_mut().insert("__name__", Value::str(name));
        for stmt in module.body.iter() {
            match (self.run_block(std::slice::from_ref(stmt), scope), assigned_name(stmt)) {
                (Ok(_), _) => {}
                // A name that only kernels understand, such as a named tuple, is an error where host code uses it.
                (Err(exception), Some(name)) if exception.code == tk_diag::UNSUPPORTED => {
                    scope.names.borrow_mut().remove(name);
                    scope.lazy.borrow_mut().insert(name, Lazy::Failed(exception));
                }
                (Err(exception), _) => return Err(exception),
            }
        }
        Ok(())
    }
}

/// A call that is going on.
pub(crate) struct Frame<'a> {
    function: Rc<Function<'a>>,
    /// Its first argument: of a method the instance, of a class method the class.
    first: Option<Value<'a>>,
}

impl<'a> Frame<'a> {
    fn new(function: &Rc<Function<'a>>, args: &Args<'a>) -> Self {
        Self { function: function.clone(), first: args.positional.first().cloned() }
    }
}

/// The name that a statement assigns, when it is one.
fn assigned_name(stmt: &Stmt) -> Option<&str> {
    match &stmt.kind {
        StmtKind::Assign { targets, .. } => match targets.as_slice() {
            [Expr { kind: ExprKind::Name(name), .. }] => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// The name that a wrong one is close to, for a help sentence.
pub(crate) fn suggestion<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    tk_diag::nearest(wrong, names).map(|name| format!("did you mean `{name}`?"))
}
