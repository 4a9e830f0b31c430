//! Instances of classes: attributes, methods, properties, and the `__init__` that `@dataclass` writes.
//!
//! Classes whose instances would do more than that (operators, attributes that methods compute, bases that are not of the program) make
//! none: an instance that does half of what its class says would be a wrong result.

use super::{Args, Interpreter, builtins, suggestion};
use crate::exception::{Exception, Result};
use crate::value::{Body, Class, Function, Instance, Partial, Value};
use std::cell::RefCell;
use std::rc::Rc;
use tk_diag::{ARGUMENT_COUNT, UNKNOWN_NAME, UNSUPPORTED};
use tk_grammar::ast::{Argument, ClassDef, Expr, ExprKind, Stmt, StmtKind};

/// Methods with two underscores that instances have here.
const SPECIAL: [&str; 6] = ["__init__", "__post_init__", "__call__", "__repr__", "__enter__", "__exit__"];
/// Bases that add nothing to an instance.
const EMPTY_BASES: [&str; 7] = [
    "object",
    "abc.ABC",
    "typing.Generic",
    "typing.Protocol",
    DECORATING,
    "contextlib.AbstractContextManager",
    "contextlib.AbstractAsyncContextManager",
];
/// What makes a decorator of a context manager: the function runs inside of it, as the block of `with` does.
const DECORATING: &str = "contextlib.ContextDecorator";

/// What `@dataclass` asks for.
struct DataClass {
    is_frozen: bool,
}

/// A field of a data class.
struct Field<'a> {
    name: &'a str,
    value: Option<&'a Expr>,
    class: Rc<Class<'a>>,
}

impl<'a> Interpreter<'a, '_> {
    /// `Class(…)`.
    pub(super) fn instantiate(&mut self, class: &Rc<Class<'a>>, args: Args<'a>) -> Result<Value<'a>> {
        check(class, self.limits.depth)?;
        let instance = Rc::new(Instance { class: class.clone(), fields: RefCell::default() });
        let value = Value::Instance(instance.clone());
        match self.class_member(class, "__init__", self.limits.depth)? {
            Some(init) => _ = self.call(&bound(&init, value.clone()), args)?,
            None if data_class(class.definition).is_some() => self.initialise(&instance, args)?,
            None if args.positional.is_empty() && args.named.is_empty() => {}
            None => {
                let message = format!("`{}` takes no arguments", class.name);
                return Err(Exception::new("TypeError", ARGUMENT_COUNT, message));
            }
        }
        Ok(value)
    }

    /// The `__init__` of a data class.
    fn initialise(&mut self, instance: &Rc<Instance<'a>>, mut args: Args<'a>) -> Result<()> {
        let fields = fields(&instance.class, self.limits.depth);
        let wrong = |message: String| Exception::new("TypeError", ARGUMENT_COUNT, message);
        let name = instance.class.name;
        if args.positional.len() > fields.len() {
            let given = args.positional.len();
            return Err(wrong(format!("`{name}` takes {} arguments, but {given} are given", fields.len())));
        }
        let mut positional = std::mem::take(&mut args.positional).into_iter();
        for field in &fields {
            let value = match (positional.next(), args.take(field.name)) {
                (Some(_), Some(_)) => return Err(wrong(format!("`{name}` gets `{}` twice", field.name))),
                (Some(value), None) | (None, Some(value)) => value,
                (None, None) => match self.default_of(field)? {
                    Some(value) => value,
                    None => return Err(wrong(format!("`{name}` is made without `{}`", field.name))),
                },
            };
            instance.put(field.name, value);
        }
        if let Some((unknown, _)) = args.named.first() {
            return Err(wrong(format!("`{name}` has no field `{unknown}`")));
        }
        if let Some(after) = self.class_member(&instance.class, "__post_init__", self.limits.depth)? {
            self.call(&bound(&after, Value::Instance(instance.clone())), Args { span: args.span, ..Args::default() })?;
        }
        Ok(())
    }

    /// The default of a field: `field(default_factory=…)` makes one for each instance.
    fn default_of(&mut self, field: &Field<'a>) -> Result<Option<Value<'a>>> {
        let Some(value) = field.value else { return Ok(None) };
        let Some(args) = field_call(value) else {
            return self.class_member(&field.class, field.name, self.limits.depth);
        };
        let named = |wanted: &str| {
            args.iter().find_map(|arg| match arg {
                Argument::Keyword(name, value) if name.text == wanted => Some(value),
                _ => None,
            })
        };
        if let Some(factory) = named("default_factory") {
            let factory = self.eval(factory, &field.class.scope)?;
            return self.call(&factory, Args { span: value.span, ..Args::default() }).map(Some);
        }
        named("default").map(|default| self.eval(default, &field.class.scope)).transpose()
    }

    /// `instance.name`.
    pub(super) fn instance_attribute(&mut self, instance: &Rc<Instance<'a>>, name: &str) -> Result<Value<'a>> {
        if let Some(value) = instance.field(name) {
            return Ok(value);
        }
        let class = &instance.class;
        if name == "__class__" {
            return Ok(Value::Class(class.clone()));
        }
        let value = Value::Instance(instance.clone());
        match self.class_member(class, name, self.limits.depth)? {
            Some(member) => self.member_of(member, &value),
            None => {
                let message = format!("`{}` has no attribute `{name}`", class.name);
                let exception = Exception::new("AttributeError", UNKNOWN_NAME, message);
                let fields: Vec<Rc<str>> = instance.fields.borrow().iter().map(|(name, _)| name.clone()).collect();
                let members: Vec<&str> = class.scope.names.borrow().keys().copied().collect();
                Err(match suggestion(name, fields.iter().map(|name| &**name).chain(members)) {
                    Some(help) => exception.help(help),
                    None => exception,
                })
            }
        }
    }

    /// `instance.name = value`.
    pub(super) fn set_instance_attribute(
        &mut self,
        instance: &Rc<Instance<'a>>,
        name: &str,
        value: Value<'a>,
    ) -> Result<()> {
        let class = &instance.class;
        let is_frozen = data_class(class.definition).is_some_and(|data| data.is_frozen);
        let is_computed = match self.class_member(class, name, self.limits.depth)? {
            Some(Value::Function(function)) => Kind::of(&function) == Kind::Property,
            _ => false,
        };
        if is_frozen || is_computed {
            let message = format!("the attribute `{name}` of a `{}` cannot be set", class.name);
            return Err(Exception::new("AttributeError", UNSUPPORTED, message));
        }
        instance.put(name, value);
        Ok(())
    }

    /// `instance(…)`.
    pub(super) fn call_instance(&mut self, instance: &Rc<Instance<'a>>, args: Args<'a>) -> Result<Value<'a>> {
        match self.class_member(&instance.class, "__call__", self.limits.depth)? {
            Some(call) => self.call(&bound(&call, Value::Instance(instance.clone())), args),
            None if decorates(&instance.class, self.limits.depth) => args.one(instance.class.name),
            None => Err(Exception::ty(format!("a `{}` cannot be called", instance.class.name))),
        }
    }
}

/// How a function of a class is reached through an instance.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Method,
    Static,
    OfClass,
    Property,
}

impl Kind {
    pub(super) fn of(function: &Function<'_>) -> Self {
        let Body::Block(definition) = function.body else { return Self::Method };
        let mut names = definition.decorators.iter().filter_map(Expr::dotted_name);
        let kind = names.find_map(|name| match name.rsplit('.').next() {
            Some("staticmethod") => Some(Self::Static),
            Some("classmethod") => Some(Self::OfClass),
            Some("property" | "cached_property") => Some(Self::Property),
            _ => None,
        });
        kind.unwrap_or(Self::Method)
    }
}

/// A function with its first argument.
pub(super) fn bound<'a>(function: &Value<'a>, first: Value<'a>) -> Value<'a> {
    Value::Partial(Rc::new(Partial { function: function.clone(), positional: vec![first], named: Vec::new() }))
}

/// Whether a class derives from `contextlib.ContextDecorator`.
fn decorates(class: &Class<'_>, depth: usize) -> bool {
    class.bases.iter().any(|base| match base {
        Value::Class(base) => depth > 0 && decorates(base, depth - 1),
        Value::Path(path) => path.trim_start_matches("class ") == DECORATING,
        _ => false,
    })
}

/// Whether instances of a class, and of those it derives from, do what is here.
fn check(class: &Class<'_>, depth: usize) -> Result<()> {
    let refuse = |why: String| {
        let message = format!("instances of the class `{}` are not made here: {why}", class.name);
        Err(Exception::unsupported(message).help(format!("Call a function; {}", builtins::PYTHON)))
    };
    let Some(depth) = depth.checked_sub(1) else { return refuse("its bases are nested too deep".into()) };
    let definition = class.definition;
    let special = definition.body.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::FunctionDef(function) if function.name.text.starts_with("__") => Some(function.name.text.as_str()),
        _ => None,
    });
    if let Some(name) = special.filter(|name| name.ends_with("__") && !SPECIAL.contains(name)) {
        return refuse(format!("it has `{name}`"));
    }
    if let Some((keyword, _)) = definition.keywords.first() {
        return refuse(format!("it has `{}=`", keyword.text));
    }
    let is_other = |one: &&Expr| data_class_of(one).is_none();
    if let Some(decorator) = definition.decorators.iter().find(is_other) {
        let callee = match &decorator.kind {
            ExprKind::Call { func, .. } => func,
            _ => decorator,
        };
        let name = callee.dotted_name().unwrap_or_else(|| "…".into());
        return refuse(format!("it has the decorator `{name}`, with what it asks for"));
    }
    if class.bases.len() != definition.bases.len() {
        return refuse("a class that it derives from is not there".into());
    }
    for base in &class.bases {
        match base {
            Value::Class(base) => check(base, depth)?,
            Value::Path(path) if EMPTY_BASES.contains(&path.trim_start_matches("class ")) => {}
            other => return refuse(format!("it derives from {}", other.display())),
        }
    }
    Ok(())
}

/// Whether `@dataclass` writes the `__init__` of a class.
pub(super) fn is_data_class(class: &Class<'_>) -> bool {
    data_class(class.definition).is_some()
}

/// What the decorators of a class say, where one is `@dataclass`.
fn data_class(definition: &ClassDef) -> Option<DataClass> {
    definition.decorators.iter().find_map(data_class_of)
}

/// `@dataclass` and `@dataclass(frozen=True)`; with other options a class does other things.
fn data_class_of(decorator: &Expr) -> Option<DataClass> {
    let (callee, args) = match &decorator.kind {
        ExprKind::Call { func, args } => (func.as_ref(), args.as_slice()),
        _ => (decorator, &[][..]),
    };
    let name = callee.dotted_name()?;
    if name.rsplit('.').next() != Some("dataclass") {
        return None;
    }
    let mut out = DataClass { is_frozen: false };
    for arg in args {
        match arg {
            Argument::Keyword(name, Expr { kind: ExprKind::Bool(value), .. }) => match (name.text.as_str(), value) {
                ("frozen", _) => out.is_frozen = *value,
                ("slots" | "eq" | "repr" | "init", true) | ("order" | "kw_only", false) => {}
                _ => return None,
            },
            _ => return None,
        }
    }
    Some(out)
}

/// The fields of a data class, those of its bases first; a field that is defined again keeps its place.
fn fields<'a>(class: &Rc<Class<'a>>, depth: usize) -> Vec<Field<'a>> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let mut found: Vec<Field<'a>> = Vec::new();
    for base in &class.bases {
        if let Value::Class(base) = base
            && data_class(base.definition).is_some()
        {
            found.extend(fields(base, depth));
        }
    }
    for field in class.definition.body.iter().filter_map(|stmt| field(stmt, class)) {
        match found.iter().position(|other| other.name == field.name) {
            Some(at) => found[at] = field,
            None => found.push(field),
        }
    }
    found
}

fn field<'a>(stmt: &'a Stmt, class: &Rc<Class<'a>>) -> Option<Field<'a>> {
    let StmtKind::AnnAssign { target, annotation, value } = &stmt.kind else { return None };
    let ExprKind::Name(name) = &target.kind else { return None };
    let annotated = match &annotation.kind {
        ExprKind::Subscript { value, .. } => value,
        _ => annotation,
    };
    let is_of_class = annotated.dotted_name().is_some_and(|name| name.ends_with("ClassVar"));
    (!is_of_class).then(|| Field { name, value: value.as_ref(), class: class.clone() })
}

/// The arguments of `field(…)`.
fn field_call(value: &Expr) -> Option<&[Argument]> {
    let ExprKind::Call { func, args } = &value.kind else { return None };
    let name = func.dotted_name()?;
    (name == "field" || name == "dataclasses.field").then_some(args.as_slice())
}

/// Whether a value is an instance of a class, or of one that derives from it.
pub(super) fn is_instance_of<'a>(class: &Rc<Class<'a>>, wanted: &Rc<Class<'a>>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    Rc::ptr_eq(class, wanted)
        || class.bases.iter().any(|base| matches!(base, Value::Class(base) if is_instance_of(base, wanted, depth)))
}

/// The values of two instances of one data class, which are equal where these are; nothing of others, which are equal where they are the same.
pub(super) fn compared_fields<'a>(a: &Rc<Instance<'a>>, b: &Rc<Instance<'a>>) -> Option<Vec<(Value<'a>, Value<'a>)>> {
    let is_data = Rc::ptr_eq(&a.class, &b.class) && data_class(a.class.definition).is_some();
    is_data.then(|| {
        let (a, b) = (a.fields.borrow(), b.fields.borrow());
        a.iter().zip(b.iter()).map(|((_, a), (_, b))| (a.clone(), b.clone())).collect()
    })
}
