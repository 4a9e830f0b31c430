//! Functions that run at compile time: `@triton.constexpr_function`, `__init__` of aggregates, host functions called with
//! constants, and what stands at the top of a file.
//!
//! Here numbers stay Python numbers, loops run, and conditions must be known; so control flow needs none of the machinery of
//! kernels. Tensors may pass through.

use crate::check::Checker;
use crate::constant;
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef, Stmt, StmtKind};

/// How statements end.
enum Leave<'a> {
    Next,
    Break,
    Continue,
    Return(Spanned<'a>),
}

impl<'a> Checker<'a> {
    /// Runs the body of a function and gives what it returns.
    pub(crate) fn interpret(&mut self, function: &'a FunctionDef) -> R<Spanned<'a>> {
        match self.interpret_list(&function.body)? {
            Leave::Return(val) => Ok(val),
            _ => Ok(Spanned { val: Val::None, span: function.name.span }),
        }
    }

    fn interpret_list(&mut self, stmts: &'a [Stmt]) -> R<Leave<'a>> {
        for stmt in stmts {
            self.enter(stmt.span)?;
            self.cx.builder.set_span(stmt.span);
            let left = self.step(stmt.span).and_then(|()| self.interpret_one(stmt));
            self.leave();
            match left? {
                Leave::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Leave::Next)
    }

    fn interpret_one(&mut self, stmt: &'a Stmt) -> R<Leave<'a>> {
        match &stmt.kind {
            StmtKind::Return(None) => return Ok(Leave::Return(Spanned { val: Val::None, span: stmt.span })),
            StmtKind::Return(Some(value)) => return self.eval_spanned(value).map(Leave::Return),
            StmtKind::Break => return Ok(Leave::Break),
            StmtKind::Continue => return Ok(Leave::Continue),
            StmtKind::If { test, body, orelse } => {
                let truth = self.known_condition(test)?;
                return self.interpret_list(if truth { body } else { orelse });
            }
            StmtKind::For { target, iter, body, orelse } => return self.interpret_for(target, iter, body, orelse),
            StmtKind::While { test, body, orelse } => {
                while self.known_condition(test)? {
                    self.step(stmt.span)?;
                    match self.interpret_list(body)? {
                        Leave::Next | Leave::Continue => {}
                        Leave::Break => return Ok(Leave::Next),
                        Leave::Return(val) => return Ok(Leave::Return(val)),
                    }
                }
                return self.interpret_list(orelse);
            }
            StmtKind::Assert { test, message } => self.known_assertion(test, message.as_ref())?,
            StmtKind::Raise(value) => return Err(self.raised(value.as_ref(), stmt.span)),
            StmtKind::Expr(expr) => self.interpret_expression(expr)?,
            StmtKind::Import(_) | StmtKind::ImportFrom { .. } => {}
            _ => {
                self.exec_kind(stmt)?;
            }
        }
        Ok(Leave::Next)
    }

    fn interpret_for(
        &mut self,
        target: &'a Expr,
        iter: &'a Expr,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
    ) -> R<Leave<'a>> {
        let source = self.eval_spanned(iter)?;
        for item in self.cx.static_items(&source)?.iter() {
            self.step(iter.span)?;
            self.assign_target(target, item.clone(), iter.span, false)?;
            match self.interpret_list(body)? {
                Leave::Next | Leave::Continue => {}
                Leave::Break => return Ok(Leave::Next),
                Leave::Return(val) => return Ok(Leave::Return(val)),
            }
        }
        self.interpret_list(orelse)
    }

    fn known_condition(&mut self, test: &'a Expr) -> R<bool> {
        let arg = self.eval_spanned(test)?;
        self.cx.constant_bool("a condition in a function that runs at compile time", &arg)
    }

    fn known_assertion(&mut self, test: &'a Expr, message: Option<&'a Expr>) -> R<()> {
        if self.known_condition(test)? {
            return Ok(());
        }
        let text = match message {
            Some(message) => {
                let val = self.eval(message)?;
                format!("assertion failed: {}", self.cx.python_str(&val))
            }
            None => "assertion failed".to_string(),
        };
        let error = self.cx.error(tk_diag::ASSERTION_FAILED, test.span, text, "this is false");
        Err(error.help("The function runs at compile time, for this specialisation.").into())
    }

    /// The error of a `raise` that is reached.
    pub(crate) fn raised(&mut self, value: Option<&'a Expr>, span: Span) -> crate::error::Stop {
        let mut text = String::new();
        if let Some(value) = value {
            let (callee, args): (&Expr, &'a [Argument]) = match &value.kind {
                ExprKind::Call { func, args } => (func, args),
                _ => (value, &[]),
            };
            text = callee.dotted_name().unwrap_or_default();
            if let Some(Argument::Positional(first)) = args.first()
                && let Ok(val) = self.eval(first)
            {
                text = format!("{text}: {}", self.cx.python_str(&val));
            }
        }
        let message = if text.is_empty() { "an exception is raised".to_string() } else { format!("raised {text}") };
        self.cx
            .error(tk_diag::ASSERTION_FAILED, span, message, "reached at compile time")
            .help("These constants are not supported by this code.")
            .into()
    }

    /// An expression for its effect: `items.append(x)` and `items.extend(xs)` give the variable a longer list.
    fn interpret_expression(&mut self, expr: &'a Expr) -> R<()> {
        if let ExprKind::Call { func, args } = &expr.kind
            && let ExprKind::Attribute { value, name } = &func.kind
            && let ExprKind::Name(variable) = &value.kind
            && let Some(Val::Tuple(items)) = self.frame().scope.get(variable.as_str()).map(|b| b.val.clone())
            && let [Argument::Positional(arg)] = args.as_slice()
            && matches!(name.text.as_str(), "append" | "extend")
        {
            let arg = self.eval_spanned(arg)?;
            let more = if name.text == "append" { vec![arg.val] } else { self.cx.static_items(&arg)?.to_vec() };
            let longer = Val::tuple(items.iter().cloned().chain(more).collect::<Vec<_>>());
            if !longer.fits(constant::MAX_ITEMS) {
                let message = "this list has too many parts";
                let error = self.cx.error(tk_diag::TOO_LARGE, expr.span, message, "");
                return Err(error.help("Keep many values in a tensor.").into());
            }
            self.bind(variable, longer, expr.span);
            return Ok(());
        }
        if matches!(expr.kind, ExprKind::Str(_)) {
            return Ok(());
        }
        self.eval(expr).map(|_| ())
    }
}
