//! Statements: assignment, and how execution goes on after them.
//!
//! An error in a statement is reported, the variables it would have assigned are poisoned, and checking goes on, so that one
//! run shows several mistakes and no consequences of them.

use crate::check::Checker;
use crate::error::{R, Stop};
use crate::flow::{Flow, Jump, Skipped};
use crate::syntax::assigned_names;
use crate::syntax::contains_jump;
use crate::syntax::contains_return;
use crate::value::{Closure, Spanned, Val};
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::{self, Expr, ExprKind, FunctionDef, Stmt, StmtKind, WithItem};
use tk_grammar::environment::Meaning;

impl<'a> Checker<'a> {
    /// Why a kernel has no `with`: its context managers are of another compiler or not there, and otherwise it is no part of the language.
    fn context_manager(&mut self, items: &'a [WithItem], span: Span) -> Stop {
        for item in items {
            let ExprKind::Call { func, .. } = &item.context.kind else { continue };
            let made = match self.eval(func) {
                Ok(Val::Function(function)) => Some(function),
                Ok(Val::RecordClass(class)) => class.method("__init__"),
                Ok(_) => None,
                Err(stop) => return stop,
            };
            if let Some(function) = made.filter(|function| function.is_operation() || function.has_hook()) {
                return self.foreign_operation(function, item.context.span).into();
            }
        }
        self.cx.unsupported(span, "`with`", "Leave it out.")
    }

    /// Runs the kernel's body. A kernel returns nothing.
    pub(crate) fn exec_kernel(&mut self, function: &'a FunctionDef) {
        let result = self.exec_function(function);
        match result {
            Ok(val) if !matches!(val.val, Val::None) => {
                let message = format!("the kernel `{}` returns a value", function.name.text);
                let error = self.cx.error(tk_diag::UNSUPPORTED, val.span, message, "no statement uses it");
                self.report(error.help("Store results with `tl.store`.").into());
            }
            Ok(_) => {}
            Err(stop) => self.report(stop),
        }
    }

    /// Runs a function's body in the current frame and returns what it returns.
    pub(crate) fn exec_function(&mut self, function: &'a FunctionDef) -> R<Spanned<'a>> {
        let nothing = Spanned { val: Val::None, span: function.name.span };
        match self.exec_list(&function.body) {
            Flow::Next => Ok(nothing),
            Flow::Return(val) if matches!(val.val, Val::Poison) => Err(Stop::Poisoned),
            Flow::Return(val) => Ok(val),
            Flow::Maybe(_, val) if matches!(val.val, Val::None) => Ok(nothing),
            Flow::Maybe(_, val) if matches!(val.val, Val::Poison) => Err(Stop::Poisoned),
            Flow::Maybe(_, val) => {
                let message = format!(
                    "`{}` returns {} on one path and nothing on another",
                    function.name.text,
                    self.cx.describe(&val.val)
                );
                Err(self
                    .cx
                    .error(tk_diag::TYPE_MISMATCH, val.span, message, "returned here")
                    .help("Return a value of this type on every path.")
                    .into())
            }
        }
    }

    /// Runs statements until one returns.
    pub(crate) fn exec_list(&mut self, stmts: &'a [Stmt]) -> Flow<'a> {
        for (i, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[i + 1..];
            if self.exhausted() && self.failed {
                return Flow::Return(Spanned { val: Val::Poison, span: stmt.span });
            }
            match self.skipped() {
                Skipped::No => {}
                Skipped::Yes => return Flow::Next,
                Skipped::Maybe(flag) => return self.unless(flag, &stmts[i..], stmt.span),
            }
            if self.frame().jumping
                && matches!(stmt.kind, StmtKind::If { .. })
                && contains_jump(std::slice::from_ref(stmt))
            {
                match self.jumping_if(stmt, rest) {
                    Ok(flow) => return flow,
                    Err(stop) => self.recover(stmt, stop),
                }
                continue;
            }
            if matches!(stmt.kind, StmtKind::If { .. }) && contains_return(std::slice::from_ref(stmt)) {
                match self.returning_if(stmt, rest) {
                    Ok(flow) => return flow,
                    Err(stop) => self.recover(stmt, stop),
                }
                continue;
            }
            match self.exec(stmt) {
                Ok(Flow::Next) => {}
                Ok(Flow::Maybe(flag, val)) => return self.guarded(flag, val, rest, stmt.span),
                Ok(done) => return done,
                Err(stop) => {
                    let returns = matches!(stmt.kind, StmtKind::Return(_));
                    self.recover(stmt, stop);
                    if returns && self.frame().loops == 0 {
                        return Flow::Return(Spanned { val: Val::Poison, span: stmt.span });
                    }
                }
            }
        }
        Flow::Next
    }

    /// Reports an error and poisons what the statement would have assigned.
    fn recover(&mut self, stmt: &'a Stmt, stop: Stop) {
        self.report(stop);
        let mut names = assigned_names(std::slice::from_ref(stmt));
        match &stmt.kind {
            StmtKind::FunctionDef(function) => names.push(&function.name.text),
            StmtKind::ClassDef(class) => names.push(&class.name.text),
            _ => {}
        }
        for name in names {
            self.bind(name, Val::Poison, stmt.span);
        }
    }

    fn exec(&mut self, stmt: &'a Stmt) -> R<Flow<'a>> {
        self.enter(stmt.span)?;
        self.cx.builder.set_span(stmt.span);
        let result = self.step(stmt.span).and_then(|()| self.exec_kind(stmt));
        self.leave();
        result
    }

    pub(crate) fn exec_kind(&mut self, stmt: &'a Stmt) -> R<Flow<'a>> {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => self.assign(targets, value)?,
            StmtKind::AugAssign { target, op, value } => self.augmented(target, *op, value, stmt.span)?,
            StmtKind::AnnAssign { target, annotation, value } => self.annotated(target, annotation, value.as_ref())?,
            StmtKind::Expr(expr) => self.expression_statement(expr)?,
            StmtKind::Return(value) => return self.exec_return(value.as_ref(), stmt.span),
            StmtKind::If { test, body, orelse } => return self.exec_if(test, body, orelse, stmt.span),
            StmtKind::For { target, iter, body, orelse } => return self.exec_for(stmt, target, iter, body, orelse),
            StmtKind::While { test, body, orelse } => return self.exec_while(stmt, test, body, orelse),
            StmtKind::Assert { test, message } => self.assert_statement(test, message.as_ref())?,
            StmtKind::Pass => {}
            StmtKind::Break => self.jump(stmt.span, Jump::Break)?,
            StmtKind::Continue => self.jump(stmt.span, Jump::Continue)?,
            StmtKind::FunctionDef(function) => self.define(function, stmt.span)?,
            StmtKind::ClassDef(_) => {
                return Err(self.cx.unsupported(stmt.span, "a class", "Pass its fields as arguments."));
            }
            StmtKind::With { items, .. } => return Err(self.context_manager(items, stmt.span)),
            StmtKind::Import(_) | StmtKind::ImportFrom { .. } => {
                return Err(self.cx.unsupported(
                    stmt.span,
                    "an import inside a kernel",
                    "Import at the top of the file.",
                ));
            }
            // Outside run-time branches and loops it is reached at compile time.
            StmtKind::Raise(value) if self.cx.builder.depth() == 1 => {
                return Err(self.raised(value.as_ref(), stmt.span));
            }
            StmtKind::Try { .. } | StmtKind::Raise(_) => {
                return Err(self.cx.unsupported(
                    stmt.span,
                    "an exception",
                    "Use `tl.static_assert` or `tl.device_assert`.",
                ));
            }
            StmtKind::Unsupported(error) => return Err((**error).clone().into()),
            StmtKind::Global(_) | StmtKind::Nonlocal(_) => {
                return Err(self.cx.unsupported(stmt.span, "assignment to a global", "Return the value instead."));
            }
            StmtKind::Delete(targets) => {
                for target in targets {
                    let ExprKind::Name(name) = &target.kind else {
                        return Err(self.cx.unsupported(
                            target.span,
                            "`del` of something other than a name",
                            "Leave it out.",
                        ));
                    };
                    self.frame_mut().scope.remove(name.as_str());
                }
            }
        }
        Ok(Flow::Next)
    }

    /// A function inside a function: only one that runs at compile time can make them.
    fn define(&mut self, function: &'a FunctionDef, span: Span) -> R<()> {
        let Some(outer) = self.frame().function else {
            let help = "Define it at the top of the file with `@triton.jit`.";
            return Err(self.cx.unsupported(span, "a function inside a function", help));
        };
        let closure = Closure { function, outer, scope: self.frame().scope.clone() };
        self.bind(&function.name.text, Val::Closure(Rc::new(closure)), function.name.span);
        Ok(())
    }

    fn expression_statement(&mut self, expr: &'a Expr) -> R<()> {
        if matches!(expr.kind, ExprKind::Str(_) | ExprKind::Ellipsis) {
            return Ok(());
        }
        self.check_use(expr)?;
        self.eval(expr).map(|_| ())
    }

    /// A call of a function whose result has to be used.
    fn check_use(&mut self, expr: &'a Expr) -> R<()> {
        let ExprKind::Call { func, .. } = &expr.kind else { return Ok(()) };
        let ExprKind::Name(name) = &func.kind else { return Ok(()) };
        let part = self.cx.file.part_index(func.span.start);
        let Some(Meaning::Part(callee)) = self.environment(part).and_then(|known| known.names.get(name)) else {
            return Ok(());
        };
        let Some(words) = self.environment(*callee).and_then(|known| known.must_use.as_deref()) else { return Ok(()) };
        let message = format!("The result of {name} is not being used. {words}");
        let error = self.cx.error(tk_diag::BAD_ARGUMENT, expr.span, message.trim_end(), "");
        Err(error.help(format!("Assign it, or remove `must_use_result` from `{name}`.")).into())
    }

    fn exec_return(&mut self, value: Option<&'a Expr>, span: Span) -> R<Flow<'a>> {
        if self.frame().loops > 0 {
            if let Some(value) = value.filter(|value| !matches!(value.kind, ExprKind::None)) {
                let val = self.eval(value)?;
                return self.return_from_loop(val, span).map(|()| Flow::Next);
            }
            return self.jump(span, Jump::Return).map(|()| Flow::Next);
        }
        match value {
            None => Ok(Flow::Return(Spanned { val: Val::None, span })),
            Some(expr) => Ok(Flow::Return(self.eval_spanned(expr)?)),
        }
    }

    fn assert_statement(&mut self, test: &'a Expr, message: Option<&'a Expr>) -> R<()> {
        let test = self.eval_spanned(test)?;
        let message = match message {
            Some(message) => Some(self.eval_spanned(message)?),
            None => None,
        };
        self.cx.device_assert(&test, message.as_ref(), None)
    }

    fn assign(&mut self, targets: &'a [Expr], value: &'a Expr) -> R<()> {
        let val = self.eval(value)?;
        for target in targets {
            let promised =
                matches!(&target.kind, ExprKind::Name(name) if self.frame().promised.contains(&name.as_str()));
            self.assign_target(target, val.clone(), value.span, !promised)?;
        }
        Ok(())
    }

    fn augmented(&mut self, target: &'a Expr, op: ast::BinaryOp, value: &'a Expr, span: Span) -> R<()> {
        let left = self.eval_spanned(target)?;
        let right = self.eval_spanned(value)?;
        self.cx.builder.set_span(span);
        let val = self.cx.binary(op, &left, &right)?;
        self.assign_target(target, val, span, true)
    }

    fn annotated(&mut self, target: &'a Expr, annotation: &'a Expr, value: Option<&'a Expr>) -> R<()> {
        let ExprKind::Name(name) = &target.kind else {
            return Err(self.cx.unsupported(
                target.span,
                "an annotated target that is not a name",
                "Annotate a plain name.",
            ));
        };
        let constexpr = self.module.is_constexpr(annotation);
        let Some(value) = value else {
            if constexpr {
                self.frame_mut().promised.push(name);
            }
            return Ok(());
        };
        let arg = self.eval_spanned(value)?;
        if !constexpr {
            return self.assign_target(target, arg.val, value.span, true);
        }
        let val = match &arg.val {
            Val::Value(v) => match self.cx.builder.literal_of(*v) {
                Some(crate::checked::Literal::Int(i)) => Val::Int(i),
                Some(crate::checked::Literal::Float(f)) => Val::Float(f),
                // Triton's `constexpr` of a run-time value is that value.
                None => arg.val,
            },
            other => other.clone(),
        };
        self.bind(name, val, target.span);
        Ok(())
    }

    /// Binds a value to a target. `runtime` turns numbers into run-time scalars, as assignment to a plain variable does.
    pub(crate) fn assign_target(&mut self, target: &'a Expr, val: Val<'a>, span: Span, runtime: bool) -> R<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                let val = if runtime { self.assigned(val, span)? } else { val };
                self.bind(name, val, target.span);
                Ok(())
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => self.unpack(targets, val, target.span, span, runtime),
            ExprKind::Subscript { .. } => Err(self.cx.unsupported(
                target.span,
                "assignment to an element",
                "Use `tl.where` to build a new tensor, or `tl.store`.",
            )),
            ExprKind::Attribute { .. } => self.assign_field(target, val, span),
            ExprKind::Starred(_) => Err(self.cx.unsupported(target.span, "a starred target", "Name every item.")),
            _ => {
                Err(self.cx.unsupported(target.span, "this assignment target", "Assign to a name or a tuple of names."))
            }
        }
    }

    fn unpack(&mut self, targets: &'a [Expr], val: Val<'a>, target: Span, span: Span, runtime: bool) -> R<()> {
        let Some(items) = val.items() else {
            let message = format!("{} cannot be unpacked into {} names", self.cx.describe(&val), targets.len());
            let error = self.cx.error(tk_diag::TYPE_MISMATCH, span, message, "not a tuple");
            return Err(error.at(&self.cx.file, target, "unpacked here").help("Only tuples unpack.").into());
        };
        let items = match targets.iter().position(|target| matches!(target.kind, ExprKind::Starred(_))) {
            // The starred name takes what the others leave.
            Some(at) if items.len() + 1 >= targets.len() => {
                let end = items.len() - (targets.len() - 1 - at);
                let mut gathered = items[..at].to_vec();
                gathered.push(Val::tuple(items[at..end].to_vec()));
                gathered.extend_from_slice(&items[end..]);
                gathered.into()
            }
            _ => items.clone(),
        };
        if items.len() != targets.len() {
            let message = format!("{} values cannot be unpacked into {} names", items.len(), targets.len());
            let error = self.cx.error(tk_diag::TYPE_MISMATCH, target, message, format!("{} names", targets.len()));
            return Err(error
                .at(&self.cx.file, span, format!("{} values", items.len()))
                .help("Name each value once.")
                .into());
        }
        for (target, item) in targets.iter().zip(items.iter()) {
            let target = match &target.kind {
                ExprKind::Starred(name) => name.as_ref(),
                _ => target,
            };
            self.assign_target(target, item.clone(), span, runtime)?;
        }
        Ok(())
    }

    /// What a plain variable holds: numbers become run-time scalars of their natural type.
    pub(crate) fn assigned(&mut self, val: Val<'a>, span: Span) -> R<Val<'a>> {
        if self.frame().interpreted {
            return Ok(val);
        }
        if let Some(number) = val.number() {
            let value = self.cx.natural_number(number, span)?;
            let shape = self.cx.mapped.clone().unwrap_or_default();
            return Ok(Val::Value(self.cx.builder.splat(value, &shape)));
        }
        let Some(parts) = val.parts() else { return Ok(val) };
        let (mut assigned, mut is_same) = (Vec::with_capacity(parts.len()), true);
        for (i, part) in parts.iter().enumerate() {
            let constant = matches!(&val, Val::Record(record) if record.keeps_constant(i));
            let held = if constant { part.clone() } else { self.assigned(part.clone(), span)? };
            is_same &= held.same(part);
            assigned.push(held);
        }
        // The very record stays one: whether variables share it decides whether its methods may change it.
        Ok(if is_same { val } else { val.with_parts(assigned) })
    }
}
