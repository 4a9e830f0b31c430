//! Classes, as far as files that hold kernels need them: the constants and functions in them, and `apply` of what derives from
//! `torch.autograd.Function`, which runs `forward`. Their instances are in [`super::instances`].

use super::{Args, Interpreter};
use crate::exception::{Exception, Result};
use crate::value::{Body, Class, Function, Lazy, Object, Partial, Scope, Value};
use std::rc::Rc;
use tk_diag::UNKNOWN_NAME;
use tk_grammar::ast::{ClassDef, StmtKind};

/// The class of the first argument of `forward`.
pub(super) const CONTEXT: &str = "autograd context";

/// What programs call on it.
const CONTEXT_METHODS: [&str; 4] =
    ["save_for_backward", "mark_non_differentiable", "mark_dirty", "set_materialize_grads"];

impl<'a> Interpreter<'a, '_> {
    /// Runs the body of a class. What fails in it fails when it is asked for.
    pub(super) fn define_class(&mut self, class: &'a ClassDef, scope: &Rc<Scope<'a>>) -> Result<()> {
        let inside = Scope::new(Some(scope.clone()), false);
        for stmt in &class.body {
            match &stmt.kind {
                // Functions of a class do not see its names.
                StmtKind::FunctionDef(function) => match self.function_value(function, scope) {
                    Ok(value) => self.store(&function.name.text, value, &inside),
                    Err(exception) if !exception.catchable => return Err(exception),
                    Err(exception) => {
                        inside.lazy.borrow_mut().insert(&function.name.text, Lazy::Failed(exception));
                    }
                },
                _ => self.run_deferred(stmt, &inside)?,
            }
        }
        let mut bases = Vec::new();
        for base in &class.bases {
            bases.extend(self.eval(base, scope));
        }
        let value = Value::Class(Rc::new(Class { name: &class.name.text, scope: inside, bases, definition: class }));
        self.store(&class.name.text, value, scope);
        Ok(())
    }

    pub(super) fn class_attribute(&mut self, class: &Rc<Class<'a>>, name: &str) -> Result<Value<'a>> {
        if name == "__name__" {
            return Ok(Value::str(class.name));
        }
        match self.class_member(class, name, self.limits.depth)? {
            Some(Value::Function(function)) if is_of_class(&function) => {
                let positional = vec![Value::Class(class.clone())];
                let partial = Partial { function: Value::Function(function), positional, named: Vec::new() };
                Ok(Value::Partial(Rc::new(partial)))
            }
            Some(value) => Ok(value),
            None if name == "apply" && is_function(class) => {
                Ok(Value::Method(Rc::new((Value::Class(class.clone()), name.into()))))
            }
            None => {
                let message = format!("the class `{}` has no `{name}`", class.name);
                let exception = Exception::new("AttributeError", UNKNOWN_NAME, message);
                Err(match super::suggestion(name, class.scope.names.borrow().keys().copied()) {
                    Some(help) => exception.help(help),
                    None => exception,
                })
            }
        }
    }

    pub(super) fn class_member(&mut self, class: &Class<'a>, name: &str, depth: usize) -> Result<Option<Value<'a>>> {
        let found = class.scope.names.borrow().get(name).cloned();
        if found.is_some() {
            return Ok(found);
        }
        if class.scope.lazy.borrow().contains_key(name) {
            return self.forced(name, &class.scope);
        }
        for base in &class.bases {
            if let (Value::Class(base), Some(depth)) = (base, depth.checked_sub(1))
                && let Some(found) = self.class_member(base, name, depth)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// `Class.apply(…)`: `forward` with a context that keeps what it is given.
    pub(super) fn apply_class(&mut self, class: &Rc<Class<'a>>, mut args: Args<'a>) -> Result<Value<'a>> {
        let forward = self.class_attribute(class, "forward")?;
        let is_new = self.class_member(class, "setup_context", self.limits.depth)?.is_some();
        if !is_new {
            let needs = vec![Value::Bool(false); args.positional.len()];
            let fields = vec![("needs_input_grad".into(), Value::tuple(needs))];
            args.positional.insert(0, Self::object(CONTEXT, fields));
        }
        self.call(&forward, args)
    }

    /// A method of the context of `forward`.
    pub(super) fn context_method(&mut self, context: &Object<'a>, name: &str, args: Args<'a>) -> Value<'a> {
        if name == "save_for_backward" {
            context.put_field("saved_tensors", Value::tuple(args.positional));
        }
        Value::None
    }
}

/// Whether a context has this method.
pub(super) fn is_context_method(name: &str) -> bool {
    CONTEXT_METHODS.contains(&name)
}

/// Whether a function takes its class first.
fn is_of_class(function: &Function<'_>) -> bool {
    let Body::Block(function) = function.body else { return false };
    function.decorators.iter().any(|decorator| decorator.dotted_name().as_deref() == Some("classmethod"))
}

/// Whether a class derives from `torch.autograd.Function`.
fn is_function(class: &Class<'_>) -> bool {
    class.bases.iter().any(|base| match base {
        Value::Path(path) => path.ends_with("autograd.Function"),
        Value::Class(base) => is_function(base),
        _ => false,
    })
}
