//! Classes of the file: named tuples, aggregates and plain holders of constants.
//!
//! A record is a tuple whose parts have names, so it passes through branches and loops as a tuple does. Records do not change:
//! `__init__` sets fields of the record that it makes, and everything else makes a new one. A method that runs at compile time may set
//! fields of its receiver; then the variable that holds the receiver gets the new record.

use crate::check::{Checker, Frame};
use crate::error::R;
use crate::syntax::{MethodCall, assigned_names, is_constexpr_function, method_calls};
use crate::value::Binding;
use crate::value::CallArgs;
use crate::value::Record;
use crate::value::RecordClass;
use crate::value::RecordKind;
use crate::value::{Absent, Spanned, Val};
use std::rc::Rc;
use tk_diag::{Span, nearest};
use tk_grammar::ast::{Expr, ExprKind, FunctionDef, Ident, Stmt};

fn decorated(function: &FunctionDef, word: &str) -> bool {
    function.decorators.iter().any(|decorator| decorator.dotted_name().as_deref() == Some(word))
}

/// Whether a function is Python that makes operations while a kernel is compiled: it asks for what makes them, by one of Triton's names.
pub(crate) fn is_builder(function: &FunctionDef) -> bool {
    !function.is_jit() && function.params.iter().any(|param| is_builder_argument(&param.name.text))
}

/// Whether a meaning is this very record, or has it among its parts.
fn holds<'a>(val: &Val<'a>, record: &Rc<Record<'a>>) -> bool {
    match val {
        Val::Record(own) => Rc::ptr_eq(own, record) || own.parts.iter().any(|part| holds(part, record)),
        other => other.parts().is_some_and(|parts| parts.iter().any(|part| holds(part, record))),
    }
}

/// A parameter in which Triton passes what makes operations.
pub(crate) fn is_builder_argument(name: &str) -> bool {
    matches!(name, "_semantic" | "_builder" | "_generator")
}

impl<'a> Checker<'a> {
    /// `record.name`.
    pub(crate) fn record_attribute(&mut self, record: &Rc<Record<'a>>, base: &Spanned<'a>, name: &Ident) -> R<Val<'a>> {
        let class = &record.class;
        if let Some(index) = class.names().position(|field| field == name.text) {
            return match &record.parts[index] {
                Val::Absent(absent) => {
                    let message = format!("the field `{}` {}", name.text, absent.why);
                    Err(self.cx.error(absent.code, name.span, message, "read here").help(absent.help).into())
                }
                part => Ok(part.clone()),
            };
        }
        match name.text.as_str() {
            "_fields" => return Ok(Val::tuple(class.names().map(Val::str).collect::<Vec<_>>())),
            "type" | "__class__" => return Ok(Val::RecordClass(class.clone())),
            _ => {}
        }
        match class.method(&name.text) {
            Some(function) if decorated(function, "property") => {
                let call = CallArgs { positional: vec![base.clone()], named: Vec::new() };
                self.inline(function, call, name.span).map(|val| val.val)
            }
            Some(function) if decorated(function, "staticmethod") => Ok(Val::Function(function)),
            Some(function) => Ok(Val::Bound(Rc::new(base.val.clone()), function)),
            None => self.class_constant(class, name),
        }
    }

    /// `Class.name`: a function of the class, or a constant of it.
    pub(crate) fn class_attribute(&mut self, class: &Rc<RecordClass<'a>>, name: &Ident) -> R<Val<'a>> {
        match class.method(&name.text) {
            Some(function) if decorated(function, "classmethod") => {
                Ok(Val::Bound(Rc::new(Val::RecordClass(class.clone())), function))
            }
            Some(function) => Ok(Val::Function(function)),
            None if name.text == "_fields" => Ok(Val::tuple(class.names().map(Val::str).collect::<Vec<_>>())),
            None => self.class_constant(class, name),
        }
    }

    fn class_constant(&mut self, class: &RecordClass<'a>, name: &Ident) -> R<Val<'a>> {
        if let Some(value) = class.constant(&name.text) {
            return self.evaluate_constant(value, name.span);
        }
        let message = format!("`{}` has no `{}`", class.name, name.text);
        let error = self.cx.error(tk_diag::UNKNOWN_NAME, name.span, message, "");
        Err(match nearest(&name.text, class.names()) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None if class.fields.is_empty() => error.help("Its class statement lists what it has."),
            None => error.help(format!("Its fields are {}.", class.names().collect::<Vec<_>>().join(", "))),
        }
        .into())
    }

    /// `Class(…)`.
    pub(crate) fn construct_record(
        &mut self,
        class: &Rc<RecordClass<'a>>,
        args: CallArgs<'a>,
        span: Span,
    ) -> R<Val<'a>> {
        if class.kind == RecordKind::Namespace {
            let message = format!("instances of the class `{}` have no meaning in a kernel", class.name);
            let help = "Make it a `NamedTuple`, or put `@triton.aggregate` above it.";
            return Err(self.cx.error(tk_diag::UNSUPPORTED, span, message, "").help(help).into());
        }
        match class.method("__init__") {
            Some(init) => self.run_init(class, init, args, span),
            None => self.bind_fields(class, args, span),
        }
    }

    /// Arguments to fields, in order or by name.
    fn bind_fields(&mut self, class: &Rc<RecordClass<'a>>, args: CallArgs<'a>, span: Span) -> R<Val<'a>> {
        let count = class.fields.len();
        let mut parts: Vec<Option<Val<'a>>> = vec![None; count];
        if let Some(extra) = args.positional.get(count) {
            let message = format!("`{}` has {count} fields", class.name);
            return Err(self
                .cx
                .error(tk_diag::ARGUMENT_COUNT, extra.span, message, "one too many")
                .help("Pass one value per field.")
                .into());
        }
        for (part, arg) in parts.iter_mut().zip(args.positional) {
            *part = Some(arg.val);
        }
        for (name, name_span, arg) in args.named {
            match class.names().position(|field| field == name).filter(|index| parts[*index].is_none()) {
                Some(index) => parts[index] = Some(arg.val),
                None => {
                    let message = format!("`{}` takes no further `{name}`", class.name);
                    let help =
                        format!("Its fields are {}; give each once.", class.names().collect::<Vec<_>>().join(", "));
                    return Err(self.cx.error(tk_diag::BAD_ARGUMENT, name_span, message, "").help(help).into());
                }
            }
        }
        let mut filled = Vec::with_capacity(count);
        for (part, field) in parts.into_iter().zip(&class.fields) {
            filled.push(match (part, field.default) {
                (Some(val), _) => val,
                (None, Some(default)) => self.evaluate_constant(default, span)?,
                (None, None) => {
                    let message = format!("`{}` needs a value for `{}`", class.name, field.name);
                    return Err(self
                        .cx
                        .error(tk_diag::ARGUMENT_COUNT, span, message, "missing in this call")
                        .help("Pass it, or give the field a default.")
                        .into());
                }
            });
        }
        Ok(Val::Record(Rc::new(Record { class: class.clone(), parts: filled.into() })))
    }

    fn run_init(
        &mut self,
        class: &Rc<RecordClass<'a>>,
        init: &'a FunctionDef,
        mut args: CallArgs<'a>,
        span: Span,
    ) -> R<Val<'a>> {
        let absent = Absent {
            code: tk_diag::UNKNOWN_NAME,
            why: "is not set by `__init__`".to_string(),
            places: Vec::new(),
            help: "Assign it to `self` first.",
        };
        let absent = Rc::new(absent);
        let parts: Vec<Val<'a>> = class.fields.iter().map(|_| Val::Absent(absent.clone())).collect();
        let empty = Val::Record(Rc::new(Record { class: class.clone(), parts: parts.into() }));
        args.positional.insert(0, Spanned { val: empty, span });
        let Some(receiver) = init.params.first().map(|param| param.name.text.as_str()) else {
            let message = format!("`__init__` of `{}` has no `self`", class.name);
            return Err(self.cx.error(tk_diag::ARGUMENT_COUNT, init.name.span, message, "").help("Add it.").into());
        };
        let bound = self.bind_parameters(init, args, span)?;
        let frame = Frame { interpreted: !init.is_jit(), constructing: Some(receiver), ..Frame::default() };
        let (_, mut scope) = self.run_inlined(init, bound, frame, span)?;
        let made = scope.remove(receiver).map(|binding| binding.val);
        match made {
            Some(Val::Record(record)) => {
                if let Some(index) = record.parts.iter().position(|part| matches!(part, Val::Absent(_))) {
                    let message = format!("`__init__` does not set the field `{}`", class.fields[index].name);
                    return Err(self
                        .cx
                        .error(tk_diag::UNKNOWN_NAME, span, message, "made here")
                        .at(&self.cx.file, init.name.span, "defined here")
                        .help("Assign every field to `self`.")
                        .into());
                }
                Ok(Val::Record(record))
            }
            _ => Err(self.cx.unsupported(
                init.name.span,
                "an `__init__` that changes `self` itself",
                "Assign its fields.",
            )),
        }
    }

    /// `self.name = value` in `__init__`.
    pub(crate) fn assign_field(&mut self, target: &'a Expr, val: Val<'a>, span: Span) -> R<()> {
        let ExprKind::Attribute { value, name } = &target.kind else { return Ok(()) };
        let receiver = match &value.kind {
            ExprKind::Name(receiver) if self.frame().constructing == Some(receiver.as_str()) => receiver.as_str(),
            _ => {
                let help = "Records do not change: make a new one, or assign to a variable.";
                return Err(self.cx.unsupported(target.span, "assignment to an attribute", help));
            }
        };
        let Some(Val::Record(record)) = self.frame().scope.get(receiver).map(|binding| binding.val.clone()) else {
            return Err(self.cx.unsupported(target.span, "assignment to an attribute", "Assign to a variable."));
        };
        let Some(index) = record.class.names().position(|field| field == name.text) else {
            let message = format!("`{}` does not declare the field `{}`", record.class.name, name.text);
            return Err(self
                .cx
                .error(tk_diag::UNKNOWN_NAME, name.span, message, "")
                .help(format!("Add `{}: tl.tensor` or another annotation to the class.", name.text))
                .into());
        };
        let mut parts = record.parts.to_vec();
        parts[index] = val;
        self.bind(receiver, record.with_parts(parts.into()), span);
        Ok(())
    }

    /// A call of a method that runs at compile time and may set fields of its receiver. `callee` is the method with its receiver.
    pub(crate) fn call_builder(
        &mut self,
        record: &Rc<Record<'a>>,
        function: &'a FunctionDef,
        mut args: CallArgs<'a>,
        callee: &'a Expr,
        span: Span,
    ) -> R<Val<'a>> {
        args.positional.insert(0, Spanned { val: Val::Record(record.clone()), span: callee.span });
        let receiver = function.params.first().map(|param| param.name.text.as_str());
        let bound = self.bind_parameters(function, args, span)?;
        let frame = Frame { interpreted: true, constructing: receiver, ..Frame::default() };
        let (result, mut scope) = self.run_inlined(function, bound, frame, span)?;
        if let Some(Binding { val: Val::Record(after), .. }) = receiver.and_then(|name| scope.remove(name))
            && !Rc::ptr_eq(record, &after)
        {
            self.change_receiver(callee, record, after, span)?;
        }
        Ok(result.val)
    }

    /// Gives the variable of a receiver the record that a method made of it.
    fn change_receiver(
        &mut self,
        callee: &'a Expr,
        before: &Rc<Record<'a>>,
        after: Rc<Record<'a>>,
        span: Span,
    ) -> R<()> {
        let help = "Call it on a variable that no other variable shares its record with.";
        let variable = match &callee.kind {
            ExprKind::Attribute { value, .. } => match &value.kind {
                ExprKind::Name(name) => name.as_str(),
                _ => return Err(self.cx.unsupported(span, "a change of a record that is in no variable", help)),
            },
            _ => return Err(self.cx.unsupported(span, "a change of a record that is in no variable", help)),
        };
        let is_shared = |(name, binding): (&&str, &Binding<'a>)| *name != variable && holds(&binding.val, before);
        if self.frame().scope.iter().any(is_shared) {
            return Err(self.cx.unsupported(span, "a change of a record that several variables hold", help));
        }
        self.bind(variable, Val::Record(after), span);
        Ok(())
    }

    /// The names that statements of a loop change: those that they assign, after the records whose methods set their fields.
    pub(crate) fn changed_names(&self, stmts: &'a [Stmt]) -> Vec<&'a str> {
        let sets_fields = |receiver: &str, method: &str| match self.frame().scope.get(receiver).map(|found| &found.val)
        {
            Some(Val::Record(record)) => record.class.method(method).is_some_and(is_builder),
            _ => false,
        };
        let calls = method_calls(stmts);
        let mut names: Vec<&str> = Vec::new();
        for MethodCall { receiver, method } in calls {
            if sets_fields(receiver, method) && !names.contains(&receiver) {
                names.push(receiver);
            }
        }
        for name in assigned_names(stmts) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// An expression outside functions: a default, a module-level value, a constant of a class.
    pub(crate) fn evaluate_constant(&mut self, value: &'a Expr, span: Span) -> R<Val<'a>> {
        self.enter(span)?;
        let call = self.frame().call;
        self.push_frame(Frame { call, interpreted: true, ..Frame::default() });
        let result = self.eval(value);
        self.pop_frame();
        self.leave();
        result
    }

    /// Whether a function runs at compile time, statement by statement, as Python would.
    pub(crate) fn is_interpreted(&self, function: &FunctionDef, args: &CallArgs<'a>) -> bool {
        !function.is_jit()
            && (is_constexpr_function(function)
                || is_builder(function)
                || decorated(function, "staticmethod")
                || decorated(function, "classmethod")
                || self.frame().interpreted
                || args
                    .positional
                    .iter()
                    .chain(args.named.iter().map(|(_, _, arg)| arg))
                    .all(|arg| arg.val.is_constant()))
    }
}
