//! Statements.

use super::Interpreter;
use super::classes::CONTEXT;
use super::operators::check_length;
use crate::exception::{Exception, Result};
use crate::value::{Body, CONFIG, Elsewhere, Function, Scope, TENSOR_DESCRIPTOR, Value};
use std::rc::Rc;
use tk_diag::{Span, UNSUPPORTED};
use tk_grammar::ast::*;

/// How a statement ends.
pub(crate) enum Flow<'a> {
    Next,
    Break,
    Continue,
    Return(Value<'a>),
}

impl<'a> Interpreter<'a, '_> {
    pub(crate) fn run_block(&mut self, stmts: &'a [Stmt], scope: &Rc<Scope<'a>>) -> Result<Flow<'a>> {
        for stmt in stmts {
            match self.run_stmt(stmt, scope).map_err(|exception| exception.at(stmt.span))? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn run_stmt(&mut self, stmt: &'a Stmt, scope: &Rc<Scope<'a>>) -> Result<Flow<'a>> {
        self.step()?;
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                self.eval(expr, scope)?;
            }
            StmtKind::Assign { targets, value } => self.run_assign(targets, value, scope)?,
            StmtKind::AugAssign { target, op, value } => self.run_augmented(target, *op, value, scope)?,
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                self.run_assign(std::slice::from_ref(target), value, scope)?;
            }
            StmtKind::AnnAssign { .. } | StmtKind::Pass => {}
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::None), |value| self.eval(value, scope))?;
                return Ok(Flow::Return(value));
            }
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
            StmtKind::If { test, body, orelse } => {
                let branch = if self.eval(test, scope)?.truth().map_err(|e| e.at(test.span))? { body } else { orelse };
                return self.run_block(branch, scope);
            }
            StmtKind::For { target, iter, body, orelse } => return self.run_for(target, iter, [body, orelse], scope),
            StmtKind::While { test, body, orelse } => return self.run_while(test, [body, orelse], scope),
            StmtKind::With { items, body } => return self.run_with(items, body, scope),
            StmtKind::Try { body, handlers, orelse, finally } => {
                let flow = self.run_try(body, handlers, orelse, scope);
                return match self.run_block(finally, scope)? {
                    Flow::Next => flow,
                    finished => Ok(finished),
                };
            }
            StmtKind::FunctionDef(function) => self.define(function, scope)?,
            other => self.run_simple(other, stmt.span, scope)?,
        }
        Ok(Flow::Next)
    }

    fn run_simple(&mut self, kind: &'a StmtKind, span: Span, scope: &Rc<Scope<'a>>) -> Result<()> {
        match kind {
            StmtKind::Assert { test, message } => self.run_assert(test, message.as_ref(), scope),
            StmtKind::Raise(value) => Err(self.raised(value.as_ref(), span, scope)?),
            StmtKind::Import(names) => self.run_import(names, scope),
            StmtKind::ImportFrom { module, names } => self.run_import_from(module, names, scope),
            StmtKind::ClassDef(class) => self.define_class(class, scope),
            StmtKind::Global(names) => {
                declare(names, Elsewhere::Global, scope);
                Ok(())
            }
            StmtKind::Nonlocal(names) => {
                declare(names, Elsewhere::Nonlocal, scope);
                Ok(())
            }
            StmtKind::Delete(targets) => targets.iter().try_for_each(|target| self.delete(target, scope)),
            StmtKind::Unsupported(fault) => {
                let message = format!("{} in host code", fault.message);
                let list = match fault.message.contains("`yield`") {
                    true => "there are no generators: put the values into a list and return it",
                    false => "docs/host.md lists what there is",
                };
                let help = format!("{list}; {}", super::builtins::PYTHON);
                Err(Exception::new("NotImplementedError", UNSUPPORTED, message).help(help))
            }
            _ => {
                Err(Exception::new("NotImplementedError", UNSUPPORTED, "this statement is not supported in host code"))
            }
        }
    }

    fn run_assign(&mut self, targets: &'a [Expr], value: &'a Expr, scope: &Rc<Scope<'a>>) -> Result<()> {
        let given = match &targets[0].kind {
            ExprKind::Name(name) if Rc::ptr_eq(scope, &self.globals) => {
                self.overrides.iter().find(|(over, _)| over == name).map(|(_, value)| value.clone())
            }
            _ => None,
        };
        let value = match given {
            Some(value) => value,
            None => self.eval(value, scope)?,
        };
        targets.iter().try_for_each(|target| self.assign(target, value.clone(), scope))
    }

    fn run_augmented(&mut self, target: &'a Expr, op: BinaryOp, value: &'a Expr, scope: &Rc<Scope<'a>>) -> Result<()> {
        let old = self.eval(target, scope)?;
        let value = self.eval(value, scope)?;
        match (&old, op, &value) {
            // In place, so that other names for the list or the tensor see it.
            (Value::List(list), BinaryOp::Add, _) => {
                let items = self.collect(&value)?;
                check_length(items.len() + list.borrow().len())?;
                list.borrow_mut().extend(items);
                return Ok(());
            }
            (Value::Tensor(tensor), _, _) => {
                let result = self.binary(op, &old, &value)?;
                if let Value::Tensor(result) = &result {
                    tensor.assign(&result.to_dtype(tensor.dtype))?;
                }
                return match &target.kind {
                    ExprKind::Name(_) => Ok(()),
                    _ => self.assign(target, old, scope),
                };
            }
            _ => {}
        }
        let result = self.binary(op, &old, &value)?;
        self.assign(target, result, scope)
    }

    fn run_for(
        &mut self,
        target: &'a Expr,
        iter: &'a Expr,
        [body, orelse]: [&'a [Stmt]; 2],
        scope: &Rc<Scope<'a>>,
    ) -> Result<Flow<'a>> {
        let sequence = self.eval(iter, scope)?;
        for item in self.items(&sequence).map_err(|e| e.at(iter.span))? {
            self.step()?;
            self.assign(target, item, scope)?;
            match self.run_block(body, scope)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
        }
        self.run_block(orelse, scope)
    }

    fn run_while(
        &mut self,
        test: &'a Expr,
        [body, orelse]: [&'a [Stmt]; 2],
        scope: &Rc<Scope<'a>>,
    ) -> Result<Flow<'a>> {
        while self.eval(test, scope)?.truth().map_err(|e| e.at(test.span))? {
            self.step()?;
            match self.run_block(body, scope)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
        }
        self.run_block(orelse, scope)
    }

    /// Context managers that mean nothing here (`torch.no_grad()`, a device) run their block; `pytest.raises` catches.
    fn run_with(&mut self, items: &'a [WithItem], body: &'a [Stmt], scope: &Rc<Scope<'a>>) -> Result<Flow<'a>> {
        let mut expected = None;
        for item in items {
            let context = self.eval(&item.context, scope)?;
            if let Value::Object(object) = &context
                && object.class == "pytest.raises"
            {
                expected = object.field("expected");
            }
            if let Some(target) = &item.target {
                self.assign(target, context, scope)?;
            }
        }
        let Some(expected) = expected else { return self.run_block(body, scope) };
        match self.run_block(body, scope) {
            Err(exception) if exception.catchable && matches_class(&exception, &expected) => Ok(Flow::Next),
            Err(exception) => Err(exception),
            Ok(_) => Err(Exception::assertion(format!("nothing raised {}", expected.display()))),
        }
    }

    fn run_try(
        &mut self,
        body: &'a [Stmt],
        handlers: &'a [ExceptHandler],
        orelse: &'a [Stmt],
        scope: &Rc<Scope<'a>>,
    ) -> Result<Flow<'a>> {
        let depth = self.depth;
        let caught = |handler: &ExceptHandler| match &handler.ty {
            None => true,
            Some(ty) => catches_imports(ty),
        };
        let outer = std::mem::replace(&mut self.catches_imports, handlers.iter().any(caught));
        let run = self.run_block(body, scope);
        self.catches_imports = outer;
        let exception = match run {
            Ok(Flow::Next) => return self.run_block(orelse, scope),
            Ok(flow) => return Ok(flow),
            Err(exception) => exception,
        };
        self.depth = depth;
        if !exception.catchable {
            return Err(exception);
        }
        for handler in handlers {
            let matches = match &handler.ty {
                None => true,
                Some(ty) => matches_class(&exception, &self.eval(ty, scope)?),
            };
            if matches {
                if let Some(name) = &handler.name {
                    self.store(&name.text, Value::Exception(Rc::new((*exception).clone())), scope);
                }
                self.handled.push(*exception);
                let flow = self.run_block(&handler.body, scope);
                self.handled.pop();
                return flow;
            }
        }
        Err(exception)
    }

    fn run_assert(&mut self, test: &'a Expr, message: Option<&'a Expr>, scope: &Rc<Scope<'a>>) -> Result<()> {
        let mut note = None;
        let holds = match &test.kind {
            ExprKind::Compare { left, rest } if rest.len() == 1 => {
                let (op, right) = &rest[0];
                let (a, b) = (self.eval(left, scope)?, self.eval(right, scope)?);
                let result = self.compare(*op, &a, &b).and_then(|value| value.truth()).map_err(|e| e.at(test.span))?;
                note = Some(format!("the left side is {}, the right side is {}", brief(&a), brief(&b)));
                result
            }
            _ => self.eval(test, scope)?.truth().map_err(|e| e.at(test.span))?,
        };
        if holds {
            return Ok(());
        }
        let text = match message {
            Some(message) => self.eval(message, scope)?.display(),
            None => format!("assertion failed: {}", shortened(self.module.file.slice(test.span), 100)),
        };
        let mut exception = Exception::assertion(text).at(test.span);
        exception.notes.extend(note);
        Err(exception)
    }

    fn raised(&mut self, value: Option<&'a Expr>, span: Span, scope: &Rc<Scope<'a>>) -> Result<Box<Exception>> {
        let Some(value) = value else {
            return Ok(match self.handled.last() {
                Some(exception) => Box::new(exception.clone()),
                None => Exception::new("RuntimeError", tk_diag::HOST_ERROR, "no exception to raise again"),
            });
        };
        Ok(match self.eval(value, scope)? {
            Value::Exception(exception) => Box::new((*exception).clone()).at(span),
            Value::Path(class) => Exception::new(&class, tk_diag::HOST_ERROR, "").at(span),
            other => Exception::ty(format!("a {} cannot be raised", other.class())),
        })
    }

    fn delete(&mut self, target: &'a Expr, scope: &Rc<Scope<'a>>) -> Result<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                if scope.names.borrow_mut().remove(name.as_str()).is_none() {
                    return Err(self.unknown_name(name, scope).at(target.span));
                }
                Ok(())
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().try_for_each(|item| self.delete(item, scope))
            }
            ExprKind::Subscript { value, index } => {
                let container = self.eval(value, scope)?;
                let index = self.eval(index, scope)?;
                self.delete_item(&container, &index)
            }
            _ => Err(Exception::unsupported("only names and items can be deleted").at(target.span)),
        }
    }

    /// Binds a target to a value.
    pub(crate) fn assign(&mut self, target: &'a Expr, value: Value<'a>, scope: &Rc<Scope<'a>>) -> Result<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                self.store(name, value, scope);
                Ok(())
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => self.unpack(targets, value, target.span, scope),
            ExprKind::Subscript { value: container, index } => {
                let container = self.eval(container, scope)?;
                let index = self.eval(index, scope)?;
                self.set_item(&container, &index, value).map_err(|e| e.at(target.span))
            }
            ExprKind::Attribute { value: object, name } => {
                let object = self.eval(object, scope)?;
                self.set_attribute(&object, &name.text, value).map_err(|e| e.at(target.span))
            }
            _ => Err(Exception::unsupported("this target is not supported").at(target.span)),
        }
    }

    /// `object.name = …`. Descriptors and configurations have fields to set. Other values have no attributes of their own, and to
    /// drop one silently would change what a program means; only settings of torch and triton, which steer machinery that is
    /// not here, are accepted.
    fn set_attribute(&mut self, object: &Value<'a>, name: &'a str, value: Value<'a>) -> Result<()> {
        if let Value::Object(object) = object
            && matches!(object.class, CONFIG | TENSOR_DESCRIPTOR)
            && object.set_field(name, value.clone())
        {
            return Ok(());
        }
        if let Value::Instance(instance) = object {
            return self.set_instance_attribute(instance, name, value);
        }
        if let Value::Class(class) = object {
            self.store(name, value, &class.scope.clone());
            return Ok(());
        }
        if let Value::Object(object) = object
            && object.class == CONTEXT
        {
            object.put_field(name, value);
            return Ok(());
        }
        if matches!(object, Value::Path(path) if path.starts_with("torch.") || path.starts_with("triton.")) {
            return Ok(());
        }
        let message = format!("the attribute `{name}` of a {} cannot be set", object.class());
        let exception = Exception::new("AttributeError", UNSUPPORTED, message);
        Err(match object {
            Value::Tensor(_) => exception.help("write to its elements, or bind a name to a new tensor"),
            Value::Kernel(_) => exception.help("give options in the decorators or at the launch"),
            _ => exception,
        })
    }

    fn unpack(&mut self, targets: &'a [Expr], value: Value<'a>, span: Span, scope: &Rc<Scope<'a>>) -> Result<()> {
        let mut items: Vec<Value<'a>> = self.items(&value).map_err(|e| e.at(span))?.collect();
        let star = targets.iter().position(|target| matches!(target.kind, ExprKind::Starred(_)));
        let fits = match star {
            None => items.len() == targets.len(),
            Some(_) => items.len() + 1 >= targets.len(),
        };
        if !fits {
            let least = if star.is_some() { "at least " } else { "" };
            let needed = targets.len() - usize::from(star.is_some());
            let message = format!("{} values for {least}{needed} names", items.len());
            return Err(Exception::value(message).at(span));
        }
        if let Some(star) = star {
            let after = targets.len() - star - 1;
            let rest = items.drain(star..items.len() - after).collect();
            items.insert(star, Value::list(rest));
        }
        for (target, item) in targets.iter().zip(items) {
            let target = match &target.kind {
                ExprKind::Starred(inner) => inner,
                _ => target,
            };
            self.assign(target, item, scope)?;
        }
        Ok(())
    }

    /// Binds a name where its declaration says.
    pub(crate) fn store(&mut self, name: &'a str, value: Value<'a>, scope: &Rc<Scope<'a>>) {
        let declared = scope.elsewhere.borrow().get(name).copied();
        let mut home = scope;
        match declared {
            Some(Elsewhere::Global) => {
                while let Some(outer) = &home.outer {
                    home = outer;
                }
            }
            Some(Elsewhere::Nonlocal) => {
                while let Some(outer) = &home.outer {
                    home = outer;
                    if home.names.borrow().contains_key(name) {
                        break;
                    }
                }
            }
            None => {}
        }
        home.lazy.borrow_mut().remove(name);
        home.names.borrow_mut().insert(name, value);
    }

    /// Binds a function, its decorators applied.
    fn define(&mut self, function: &'a FunctionDef, scope: &Rc<Scope<'a>>) -> Result<()> {
        let value = self.function_value(function, scope)?;
        self.store(&function.name.text, value, scope);
        Ok(())
    }

    /// A function with its decorators applied.
    pub(super) fn function_value(&mut self, function: &'a FunctionDef, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        if function.is_jit() {
            return self.define_kernel(function, scope);
        }
        let defaults = self.defaults(&function.params, scope)?;
        let value = Value::Function(Rc::new(Function {
            name: &function.name.text,
            params: &function.params,
            body: Body::Block(function),
            defaults,
            scope: scope.clone(),
        }));
        self.decorate(function, value, scope)
    }

    pub(crate) fn defaults(&mut self, params: &'a [Param], scope: &Rc<Scope<'a>>) -> Result<Vec<Option<Value<'a>>>> {
        params.iter().map(|param| param.default.as_ref().map(|default| self.eval(default, scope)).transpose()).collect()
    }

    fn decorate(&mut self, function: &'a FunctionDef, value: Value<'a>, scope: &Rc<Scope<'a>>) -> Result<Value<'a>> {
        let mut value = value;
        for decorator in function.decorators.iter().rev() {
            let callee = match &decorator.kind {
                ExprKind::Call { func, .. } => func,
                _ => decorator,
            };
            let name = callee.dotted_name().unwrap_or_default();
            if name.ends_with("perf_report") {
                let report = self.eval(decorator, scope)?;
                value = self.attach_report(report, value)?;
            } else if !is_idle_decorator(&name) {
                let wrapper = self.eval(decorator, scope)?;
                let args = super::Args::of(vec![value], decorator.span);
                value = self.call(&wrapper, args).map_err(|e| e.at(decorator.span))?;
            }
        }
        Ok(value)
    }
}

/// Decorators that change nothing of what host code does here.
fn is_idle_decorator(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    name.starts_with("pytest.")
        || [
            "torch.compiler.",
            "torch.jit.",
            "torch.library.",
            "torch._dynamo.",
            "torch.fx.",
            "torch.cuda.amp.",
            "torch.amp.",
        ]
        .iter()
        .any(|part| name.starts_with(part))
        || name.contains("no_grad")
        || name.contains("inference_mode")
        || matches!(
            last,
            "cache"
                | "lru_cache"
                | "wraps"
                | "contextmanager"
                | "staticmethod"
                | "property"
                | "cached_property"
                | "classmethod"
                | "skipif"
                | "constexpr_function"
                | "custom_fwd"
                | "custom_bwd"
                | "once_differentiable"
        )
}

fn declare<'a>(names: &'a [Ident], place: Elsewhere, scope: &Rc<Scope<'a>>) {
    let mut elsewhere = scope.elsewhere.borrow_mut();
    elsewhere.extend(names.iter().map(|name| (name.text.as_str(), place)));
}

/// Whether an `except` names an error that an import can end with.
fn catches_imports(ty: &Expr) -> bool {
    match &ty.kind {
        ExprKind::Name(name) => {
            matches!(name.as_str(), "ImportError" | "ModuleNotFoundError" | "Exception" | "BaseException")
        }
        ExprKind::Tuple(items) => items.iter().any(catches_imports),
        _ => false,
    }
}

/// Whether an `except` with this class (or tuple of classes) catches the exception.
fn matches_class(exception: &Exception, class: &Value<'_>) -> bool {
    match class {
        Value::Tuple(classes) => classes.iter().any(|class| matches_class(exception, class)),
        Value::Path(name) => {
            let name = name.rsplit('.').next().unwrap_or(name);
            let parent = match exception.class.as_str() {
                "IndexError" | "KeyError" => "LookupError",
                "ZeroDivisionError" | "OverflowError" => "ArithmeticError",
                "NotImplementedError" => "RuntimeError",
                "ModuleNotFoundError" => "ImportError",
                _ => "Exception",
            };
            name == exception.class || name == parent || matches!(name, "Exception" | "BaseException")
        }
        _ => false,
    }
}

/// A value in a message.
fn brief(value: &Value<'_>) -> String {
    shortened(&value.repr(), 200)
}

fn shortened(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(limit) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}
