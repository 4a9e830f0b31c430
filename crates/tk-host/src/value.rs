//! The values of host functions.

mod dict;
mod release;
mod text;

use crate::exception::{Exception, Result};
use crate::interpreter::Tuning;
use crate::tensor::{Tensor, show_shape, torch_name};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use tk_grammar::ast::{ClassDef, Expr, FunctionDef, Param, Stmt};
use tk_types::ScalarType;

pub(crate) use dict::{Dict, Key};
use release::dismantle;

/// Containers inside containers that are compared or made keys, at most.
pub(crate) const MAX_COMPARE_DEPTH: usize = 300;

/// The class of `triton.Config` values.
pub(crate) const CONFIG: &str = "triton.Config";
/// The class of `triton.tools.tensor_descriptor.TensorDescriptor` values.
pub(crate) const TENSOR_DESCRIPTOR: &str = "TensorDescriptor";

/// A value. Clones of containers, functions and tensors share what they hold.
#[derive(Clone)]
pub(crate) enum Value<'a> {
    None,
    Ellipsis,
    Bool(bool),
    Int(i128),
    Float(f64),
    Str(Rc<str>),
    Tuple(Rc<Sequence<'a>>),
    List(Rc<RefCell<Sequence<'a>>>),
    Dict(Rc<RefCell<Dict<'a>>>),
    /// A dict whose values are `None`.
    Set(Rc<RefCell<Dict<'a>>>),
    /// `range(start, stop, step)`.
    Range(i128, i128, i128),
    Slice(Rc<[Value<'a>; 3]>),
    Function(Rc<Function<'a>>),
    Partial(Rc<Partial<'a>>),
    /// A method of a value, not yet called.
    Method(Rc<(Value<'a>, Rc<str>)>),
    /// Something from a module, or a builtin, by its dotted name: `torch.softmax`, `range`, `ValueError`.
    Path(Rc<str>),
    /// An imported file.
    Module(Rc<HostModule<'a>>),
    Class(Rc<Class<'a>>),
    Instance(Rc<Instance<'a>>),
    Dtype(ScalarType),
    Tensor(Tensor),
    Kernel(Rc<Kernel<'a>>),
    /// `kernel[grid]`.
    Launch(Rc<(Rc<Kernel<'a>>, Value<'a>)>),
    Exception(Rc<Exception>),
    /// `triton.Config`, `triton.testing.Benchmark` and the like: named fields.
    Object(Rc<Object<'a>>),
}

/// A host function or a lambda with the variables around it.
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) params: &'a [Param],
    pub(crate) body: Body<'a>,
    /// Defaults in the order of the parameters, evaluated when it was defined.
    pub(crate) defaults: Vec<Option<Value<'a>>>,
    pub(crate) scope: Rc<Scope<'a>>,
}

/// A file that host code imports.
pub(crate) struct HostModule<'a> {
    /// The number of its part of the text.
    pub(crate) part: usize,
    pub(crate) scope: Rc<Scope<'a>>,
}

/// A class of the program.
pub(crate) struct Class<'a> {
    pub(crate) name: &'a str,
    /// What its body binds.
    pub(crate) scope: Rc<Scope<'a>>,
    pub(crate) bases: Vec<Value<'a>>,
    pub(crate) definition: &'a ClassDef,
}

/// An instance of a class of the program.
pub(crate) struct Instance<'a> {
    pub(crate) class: Rc<Class<'a>>,
    /// Its attributes, in the order in which they were set.
    pub(crate) fields: RefCell<Vec<(Rc<str>, Value<'a>)>>,
}

impl<'a> Instance<'a> {
    pub(crate) fn field(&self, name: &str) -> Option<Value<'a>> {
        self.fields.borrow().iter().find(|(field, _)| &**field == name).map(|(_, value)| value.clone())
    }

    /// Sets an attribute.
    pub(crate) fn put(&self, name: &str, value: Value<'a>) {
        let mut fields = self.fields.borrow_mut();
        let old = match fields.iter_mut().find(|(field, _)| &**field == name) {
            Some((_, slot)) => Some(std::mem::replace(slot, value)),
            None => {
                fields.push((name.into(), value));
                None
            }
        };
        drop(fields);
        dismantle(old.into_iter().collect());
    }
}

/// What a function runs.
#[derive(Clone, Copy)]
pub(crate) enum Body<'a> {
    Block(&'a FunctionDef),
    Expr(&'a Expr),
}

/// Variables of one call, or of the module.
pub(crate) struct Scope<'a> {
    pub(crate) names: RefCell<FxHashMap<&'a str, Value<'a>>>,
    /// Names that get a value when they are asked for.
    pub(crate) lazy: RefCell<FxHashMap<&'a str, Lazy<'a>>>,
    pub(crate) outer: Option<Rc<Scope<'a>>>,
    /// Names that `global` and `nonlocal` send outwards.
    pub(crate) elsewhere: RefCell<FxHashMap<&'a str, Elsewhere>>,
    /// Comprehensions have a scope of their own, which assignments with `:=` pass.
    pub(crate) is_comprehension: bool,
}

/// A name that has no value yet.
pub(crate) enum Lazy<'a> {
    /// This statement binds it.
    Pending(&'a Stmt),
    /// The statement that binds it has failed.
    Failed(Box<Exception>),
}

/// Where a declared name lives.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Elsewhere {
    Global,
    Nonlocal,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(outer: Option<Rc<Scope<'a>>>, is_comprehension: bool) -> Rc<Self> {
        Rc::new(Self {
            names: RefCell::default(),
            lazy: RefCell::default(),
            outer,
            elsewhere: RefCell::default(),
            is_comprehension,
        })
    }

    /// The value of a name here or further out.
    pub(crate) fn get(&self, name: &str) -> Option<Value<'a>> {
        let mut scope = self;
        loop {
            if let Some(value) = scope.names.borrow().get(name) {
                return Some(value.clone());
            }
            scope = scope.outer.as_deref()?;
        }
    }

    /// All names that are visible, for suggestions.
    pub(crate) fn visible(&self) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = self.names.borrow().keys().copied().collect();
        names.extend(self.outer.iter().flat_map(|outer| outer.visible()));
        names
    }
}

/// `functools.partial`.
pub(crate) struct Partial<'a> {
    pub(crate) function: Value<'a>,
    pub(crate) positional: Vec<Value<'a>>,
    pub(crate) named: Vec<(Rc<str>, Value<'a>)>,
}

/// A `@triton.jit` function with what its decorators say.
pub(crate) struct Kernel<'a> {
    pub(crate) function: &'a FunctionDef,
    /// What launches that pass it call it: the name that its file knows it by, and where there are several files, `@` and the number of its own.
    pub(crate) symbol: Rc<str>,
    /// `@triton.autotune`.
    pub(crate) tuning: Option<Tuning<'a>>,
    /// Why a decorator could not be applied; a launch says it. `kernel.fn` goes past it.
    pub(crate) fault: Option<Box<Exception>>,
    /// The rules of `@triton.heuristics`, the outermost decorator first.
    pub(crate) heuristics: Vec<Heuristic<'a>>,
    /// Where module-level constants are.
    pub(crate) scope: Rc<Scope<'a>>,
    /// The parameters that are constants at compile time.
    pub(crate) constexprs: Rc<[&'a str]>,
}

/// One rule of `@triton.heuristics`.
#[derive(Clone)]
pub(crate) struct Heuristic<'a> {
    pub(crate) name: Rc<str>,
    pub(crate) rule: Value<'a>,
    /// Its decorator stands above `@triton.autotune`: the rule cannot see the configuration, and the key can see its value.
    pub(crate) is_outside: bool,
}

/// Named fields under the name of a class. Programs may give a field another value.
pub(crate) struct Object<'a> {
    pub(crate) class: &'static str,
    pub(crate) fields: RefCell<Vec<(Rc<str>, Value<'a>)>>,
}

impl<'a> Object<'a> {
    pub(crate) fn field(&self, name: &str) -> Option<Value<'a>> {
        self.fields.borrow().iter().find(|(field, _)| &**field == name).map(|(_, value)| value.clone())
    }

    /// Gives a field a value, whether it has one or not.
    pub(crate) fn put_field(&self, name: &str, value: Value<'a>) {
        if !self.set_field(name, value.clone()) {
            self.fields.borrow_mut().push((name.into(), value));
        }
    }

    /// Gives a field another value; false when there is no such field.
    pub(crate) fn set_field(&self, name: &str, value: Value<'a>) -> bool {
        let mut fields = self.fields.borrow_mut();
        match fields.iter_mut().find(|(field, _)| &**field == name) {
            Some((_, slot)) => {
                let old = std::mem::replace(slot, value);
                drop(fields);
                dismantle(vec![old]);
                true
            }
            None => false,
        }
    }
}

/// The items of a tuple or a list.
#[derive(Clone, Default)]
pub(crate) struct Sequence<'a>(pub(crate) Vec<Value<'a>>);

impl<'a> std::ops::Deref for Sequence<'a> {
    type Target = Vec<Value<'a>>;

    fn deref(&self) -> &Vec<Value<'a>> {
        &self.0
    }
}

impl std::ops::DerefMut for Sequence<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> Value<'a> {
    pub(crate) fn str(text: impl Into<Rc<str>>) -> Self {
        Value::Str(text.into())
    }

    pub(crate) fn tuple(items: Vec<Value<'a>>) -> Self {
        Value::Tuple(Rc::new(Sequence(items)))
    }

    pub(crate) fn list(items: Vec<Value<'a>>) -> Self {
        Value::List(Rc::new(RefCell::new(Sequence(items))))
    }

    pub(crate) fn sizes(sizes: &[usize]) -> Self {
        Value::tuple(sizes.iter().map(|size| Value::Int(*size as i128)).collect())
    }

    /// The name of its class, as a message says it.
    pub(crate) fn class(&self) -> &str {
        match self {
            Value::None => "NoneType",
            Value::Ellipsis => "ellipsis",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) => "str",
            Value::Tuple(_) => "tuple",
            Value::List(_) => "list",
            Value::Dict(_) => "dict",
            Value::Set(_) => "set",
            Value::Range(..) => "range",
            Value::Slice(_) => "slice",
            Value::Function(_) | Value::Partial(_) | Value::Method(_) => "function",
            Value::Path(_) | Value::Module(_) => "module or builtin",
            Value::Class(_) => "class",
            Value::Instance(instance) => instance.class.name,
            Value::Dtype(_) => "dtype",
            Value::Tensor(_) => "Tensor",
            Value::Kernel(_) => "kernel",
            Value::Launch(_) => "kernel with a grid",
            Value::Exception(exception) => &exception.class,
            Value::Object(object) => object.class,
        }
    }

    /// What it is as a key of a dict.
    pub(crate) fn key(&self) -> Result<Key> {
        self.key_within(MAX_COMPARE_DEPTH)
    }

    fn key_within(&self, depth: usize) -> Result<Key> {
        let depth = depth.checked_sub(1).ok_or_else(|| Exception::limit("this key is nested too deep"))?;
        Ok(match self {
            Value::None => Key::None,
            Value::Bool(value) => Key::Number(i128::from(*value)),
            Value::Int(value) => Key::Number(*value),
            Value::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => Key::Number(*value as i128),
            Value::Float(value) => Key::Float(value.to_bits()),
            Value::Str(text) => Key::Str(text.clone()),
            Value::Tuple(items) => Key::Tuple(items.iter().map(|item| item.key_within(depth)).collect::<Result<_>>()?),
            Value::Dtype(dtype) => Key::Name(torch_name(*dtype).to_string()),
            Value::Path(path) => Key::Name(path.to_string()),
            Value::Ellipsis => Key::Name("...".to_string()),
            Value::Range(start, stop, step) => Key::Name(format!("range({start}, {stop}, {step})")),
            Value::Module(module) => Key::Identity(Rc::as_ptr(&module.scope) as *const () as usize),
            Value::Class(class) => Key::Identity(Rc::as_ptr(class) as *const () as usize),
            // Those of data classes compare their fields, and are no keys.
            Value::Instance(instance) if instance.class.definition.decorators.is_empty() => {
                Key::Identity(Rc::as_ptr(instance) as *const () as usize)
            }
            Value::Function(function) => Key::Identity(Rc::as_ptr(function) as *const () as usize),
            Value::Kernel(kernel) => Key::Identity(Rc::as_ptr(kernel) as *const () as usize),
            Value::Tensor(tensor) => Key::Identity(tensor.buffer.id() as usize),
            other => return Err(Exception::ty(format!("a {} cannot be a key of a dict", other.class()))),
        })
    }

    /// Whether `if` takes its first branch.
    pub(crate) fn truth(&self) -> Result<bool> {
        Ok(match self {
            Value::None => false,
            Value::Bool(value) => *value,
            Value::Int(value) => *value != 0,
            Value::Float(value) => *value != 0.0,
            Value::Str(text) => !text.is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::List(items) => !items.borrow().is_empty(),
            Value::Dict(dict) | Value::Set(dict) => !dict.borrow().entries.is_empty(),
            Value::Range(start, stop, step) => range_length(*start, *stop, *step) > 0,
            Value::Tensor(tensor) if tensor.count() == 1 => {
                tensor.floats().iter().next().is_some_and(|value| *value != 0.0)
            }
            Value::Tensor(tensor) => {
                let message = format!("the truth of a tensor of shape {} is ambiguous", show_shape(&tensor.shape));
                return Err(Exception::value(message).help("write `.all()` or `.any()`"));
            }
            _ => true,
        })
    }
}

/// How many integers a range has.
pub(crate) fn range_length(start: i128, stop: i128, step: i128) -> i128 {
    let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
    let step = step.saturating_abs().max(1);
    if distance <= 0 { 0 } else { (distance - 1) / step + 1 }
}

/// Statements of a body.
impl<'a> Body<'a> {
    pub(crate) fn stmts(self) -> &'a [Stmt] {
        match self {
            Body::Block(function) => &function.body,
            Body::Expr(_) => &[],
        }
    }
}
