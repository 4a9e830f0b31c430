//! Calls: host functions with their parameters, partials, methods, paths and kernels.

use super::execute::Flow;
use super::{Args, Frame, Interpreter, suggestion};
use crate::exception::{Exception, Result};
use crate::value::{Body, Function, Scope, Value};
use std::rc::Rc;
use tk_diag::ARGUMENT_COUNT;
use tk_grammar::ast::ParamKind;

impl<'a> Interpreter<'a, '_> {
    /// Calls a value.
    pub(crate) fn call(&mut self, callee: &Value<'a>, args: Args<'a>) -> Result<Value<'a>> {
        match callee {
            Value::Function(function) => self.call_function(function, args),
            Value::Path(path) => self.call_path(path, args),
            Value::Method(method) => self.call_method(&method.0, &method.1, args),
            Value::Launch(launch) => self.launch(&launch.0, &launch.1, args),
            Value::Partial(partial) => {
                let mut joined = Args { span: args.span, ..Args::default() };
                joined.positional = partial.positional.iter().cloned().chain(args.positional).collect();
                let kept = partial.named.iter().filter(|(name, _)| args.named.iter().all(|(given, _)| given != name));
                joined.named = kept.cloned().collect();
                joined.named.extend(args.named);
                self.call(&partial.function, joined)
            }
            Value::Kernel(kernel) => {
                let name = &kernel.function.name.text;
                let exception = Exception::launch(format!("the kernel `{name}` is called without a grid"));
                Err(exception.help(format!("write `{name}[grid](…)`")))
            }
            Value::Object(object) if object.class == "PerfReport" => match object.field("function") {
                Some(function) => self.call(&function, args),
                None => Err(Exception::ty("this report has no function")),
            },
            Value::Object(object) if matches!(object.class, "autotune" | "heuristics") => {
                match args.one("the decorator")? {
                    Value::Kernel(kernel) => self.decorate_kernel(&kernel, object),
                    other => Err(Exception::ty(format!("{} decorates kernels, not a {}", object.class, other.class()))),
                }
            }
            Value::Class(class) => self.instantiate(class, args),
            Value::Instance(instance) => self.call_instance(instance, args),
            Value::Dtype(_) => args.one("dtype"),
            other => Err(Exception::ty(format!("a {} cannot be called", other.class()))),
        }
    }

    /// Calls a host function.
    pub(crate) fn call_function(&mut self, function: &Rc<Function<'a>>, args: Args<'a>) -> Result<Value<'a>> {
        let span = args.span;
        if self.depth >= self.limits.depth {
            let message = format!("calls are nested more than {} deep", self.limits.depth);
            return Err(Exception::limit(message).at(span).help("is there a recursion without end?"));
        }
        let scope = Scope::new(Some(function.scope.clone()), false);
        let frame = Frame::new(function, &args);
        bind(function, args, &scope)?;
        self.depth += 1;
        self.frames.push(frame);
        let result = match function.body {
            Body::Expr(body) => self.eval(body, &scope),
            Body::Block(_) => self.run_block(function.body.stmts(), &scope).map(|flow| match flow {
                Flow::Return(value) => value,
                _ => Value::None,
            }),
        };
        self.depth -= 1;
        self.frames.pop();
        release(&scope);
        result.map_err(|mut exception| {
            exception.trace.push((function.name.to_string(), span));
            exception
        })
    }
}

/// Empties the scope of a call that has ended when only its own functions still hold it: `grid = lambda META: …` and the
/// scope hold each other, and would keep the tensors of the call for ever.
fn release<'a>(scope: &Rc<Scope<'a>>) {
    let own = |value: &Value<'a>| match value {
        Value::Function(function) => Rc::ptr_eq(&function.scope, scope) && Rc::strong_count(function) == 1,
        Value::Kernel(kernel) => Rc::ptr_eq(&kernel.scope, scope) && Rc::strong_count(kernel) == 1,
        _ => false,
    };
    let holders = scope.names.borrow().values().filter(|value| own(value)).count();
    if holders > 0 && Rc::strong_count(scope) == holders + 1 {
        let names = std::mem::take(&mut *scope.names.borrow_mut());
        drop(names);
    }
}

/// Puts the arguments into the scope of the call, as Python binds them.
fn bind<'a>(function: &Function<'a>, args: Args<'a>, scope: &Rc<Scope<'a>>) -> Result<()> {
    let wrong = |message: String| Exception::new("TypeError", ARGUMENT_COUNT, message);
    let name = function.name;
    let mut positional = args.positional.into_iter();
    let mut named = args.named;
    let mut names = scope.names.borrow_mut();
    let mut missing = Vec::new();
    for (param, default) in function.params.iter().zip(&function.defaults) {
        let param_name = param.name.text.as_str();
        let value = match param.kind {
            ParamKind::VarArgs => Value::tuple(positional.by_ref().collect()),
            ParamKind::KeywordArgs => {
                let rest = std::mem::take(&mut named).into_iter().map(|(name, value)| (Value::Str(name), value));
                let dict = crate::value::Dict::from_entries(rest)?;
                Value::Dict(Rc::new(std::cell::RefCell::new(dict)))
            }
            kind => {
                let by_position = if kind == ParamKind::KeywordOnly { None } else { positional.next() };
                let at =
                    named.iter().position(|(given, _)| &**given == param_name && kind != ParamKind::PositionalOnly);
                let by_name = at.map(|at| named.remove(at).1);
                if by_position.is_some() && by_name.is_some() {
                    return Err(wrong(format!("`{name}` gets `{param_name}` twice")));
                }
                match by_position.or(by_name).or_else(|| default.clone()) {
                    Some(value) => value,
                    None => {
                        missing.push(format!("`{param_name}`"));
                        continue;
                    }
                }
            }
        };
        names.insert(param_name, value);
    }
    let extra = positional.count();
    if extra > 0 {
        let takes = function.params.len();
        return Err(wrong(format!("`{name}` takes {takes} arguments, but {} are given", takes + extra)));
    }
    if let Some((unknown, _)) = named.first() {
        let exception = wrong(format!("`{name}` has no parameter `{unknown}`"));
        let params = function.params.iter().map(|param| param.name.text.as_str());
        return Err(match suggestion(unknown, params) {
            Some(help) => exception.help(help),
            None => exception,
        });
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(wrong(format!("`{name}` is called without {}", missing.join(", ")))),
    }
}
