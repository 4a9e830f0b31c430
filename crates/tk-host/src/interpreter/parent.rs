//! `super()`: what the bases of a class have, for an instance of it.

use super::instances::Kind;
use super::{Args, Interpreter, builtins};
use crate::exception::{Exception, Result};
use crate::value::{Body, Class, Function, Object, Value};
use std::rc::Rc;
use tk_diag::{ARGUMENT_COUNT, UNKNOWN_NAME};
use tk_grammar::ast::StmtKind;

/// The class of what `super()` gives.
pub(super) const PARENT: &str = "super";

impl<'a> Interpreter<'a, '_> {
    /// `super()` in a method, and `super(Class, instance)`.
    pub(super) fn parent(&mut self, args: Args<'a>) -> Result<Value<'a>> {
        if let Some((name, _)) = args.named.first() {
            return Err(Exception::argument(format!("`super` has no argument `{name}`")));
        }
        let (class, object) = match args.positional.as_slice() {
            [] => self.running_method().ok_or_else(|| {
                let exception =
                    Exception::new("RuntimeError", tk_diag::HOST_ERROR, "`super()` stands in no method of a class");
                exception.help("write it in a method, or say of which class: `super(Class, self)`")
            })?,
            [Value::Class(class), object] => (class.clone(), object.clone()),
            _ => return Err(Exception::ty("`super` takes nothing, or a class and an instance of it")),
        };
        if let Some(several) = class_of(&object).and_then(|own| several_bases(&own, self.limits.depth)) {
            let message = format!("`super()` of `{several}`, which has several bases, is not followed here");
            return Err(Exception::unsupported(message)
                .help(format!("Name the base: `Base.method(self)`; {}", builtins::PYTHON)));
        }
        Ok(Self::object(PARENT, vec![("class".into(), Value::Class(class)), ("object".into(), object)]))
    }

    /// The class that the running method is of, and what the method was called on.
    fn running_method(&self) -> Option<(Rc<Class<'a>>, Value<'a>)> {
        let frame = self.frames.last()?;
        let object = frame.first.clone()?;
        let class = defining(&class_of(&object)?, &frame.function, self.limits.depth)?;
        Some((class, object))
    }

    /// `super().name`.
    pub(super) fn parent_attribute(&mut self, parent: &Rc<Object<'a>>, name: &str) -> Result<Value<'a>> {
        let (Some(Value::Class(class)), Some(object)) = (parent.field("class"), parent.field("object")) else {
            return Err(Exception::ty("this `super` is of no class"));
        };
        for base in &class.bases {
            if let Value::Class(base) = base
                && let Some(member) = self.class_member(base, name, self.limits.depth)?
            {
                return self.member_of(member, &object);
            }
        }
        match name {
            // What every class has.
            "__init__" | "__post_init__" => Ok(Value::Method(Rc::new((Value::Object(parent.clone()), name.into())))),
            _ => {
                let message = format!("the bases of `{}` have no `{name}`", class.name);
                Err(Exception::new("AttributeError", UNKNOWN_NAME, message))
            }
        }
    }

    /// `super().__init__()` where no base has one.
    pub(super) fn empty_init(&self, parent: &Object<'a>, args: &Args<'a>) -> Result<Value<'a>> {
        let Some(Value::Class(class)) = parent.field("class") else { return Ok(Value::None) };
        let data = class.bases.iter().find_map(|base| match base {
            Value::Class(base) if super::instances::is_data_class(base) => Some(base.name),
            _ => None,
        });
        if let Some(name) = data {
            let message = format!("`super().__init__` of the data class `{name}` is not there in host code");
            return Err(Exception::unsupported(message).help(format!("Set the fields; {}", builtins::PYTHON)));
        }
        if !args.positional.is_empty() || !args.named.is_empty() {
            let message = format!("the bases of `{}` take no arguments", class.name);
            return Err(Exception::new("TypeError", ARGUMENT_COUNT, message));
        }
        Ok(Value::None)
    }

    /// A member of a class as an instance has it, or the class where that is what there is.
    pub(super) fn member_of(&mut self, member: Value<'a>, object: &Value<'a>) -> Result<Value<'a>> {
        let Value::Function(function) = &member else { return Ok(member) };
        let first = match (Kind::of(function), object) {
            (Kind::Static, _) => return Ok(member),
            (Kind::OfClass, Value::Instance(instance)) => Value::Class(instance.class.clone()),
            (Kind::OfClass | Kind::Method | Kind::Property, _) => object.clone(),
        };
        let bound = super::instances::bound(&member, first);
        match Kind::of(function) {
            Kind::Property => self.call(&bound, Args::default()),
            Kind::Static | Kind::OfClass | Kind::Method => Ok(bound),
        }
    }
}

fn class_of<'a>(object: &Value<'a>) -> Option<Rc<Class<'a>>> {
    match object {
        Value::Instance(instance) => Some(instance.class.clone()),
        Value::Class(class) => Some(class.clone()),
        _ => None,
    }
}

/// The class, among this one and those it derives from, whose body defines a function.
fn defining<'a>(class: &Rc<Class<'a>>, function: &Function<'a>, depth: usize) -> Option<Rc<Class<'a>>> {
    let depth = depth.checked_sub(1)?;
    let Body::Block(definition) = function.body else { return None };
    let is_it = |stmt: &tk_grammar::ast::Stmt| match &stmt.kind {
        StmtKind::FunctionDef(method) => std::ptr::eq(method, definition),
        _ => false,
    };
    if class.definition.body.iter().any(is_it) {
        return Some(class.clone());
    }
    class.bases.iter().find_map(|base| match base {
        Value::Class(base) => defining(base, function, depth),
        _ => None,
    })
}

/// A class, among this one and those it derives from, with several bases of the program: which of them comes next depends on all of them.
fn several_bases<'a>(class: &Rc<Class<'a>>, depth: usize) -> Option<&'a str> {
    let depth = depth.checked_sub(1)?;
    let bases = || class.bases.iter().filter_map(|base| if let Value::Class(base) = base { Some(base) } else { None });
    if bases().count() > 1 {
        return Some(class.name);
    }
    bases().find_map(|base| several_bases(base, depth))
}
