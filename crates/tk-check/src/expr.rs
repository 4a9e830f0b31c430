//! Expressions: from syntax to meanings, emitting what happens at run time.

use crate::check::Checker;
use crate::constant;
use crate::error::{R, Stop};
use crate::trace::Role;
use crate::value::Binding;
use crate::value::{CallArgs, Spanned, Val};
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::{BinaryOp, BoolOp, CompareOp, Comprehension, Expr, ExprKind, FStringPart, UnaryOp};

impl<'a> Checker<'a> {
    /// Evaluates an expression.
    pub(crate) fn eval(&mut self, expr: &'a Expr) -> R<Val<'a>> {
        self.enter(expr.span)?;
        let saved = self.cx.builder.set_span(expr.span);
        let result = self.eval_kind(expr);
        if let Ok(val) = &result {
            self.note(expr.span, Role::Used, val);
        }
        self.cx.builder.set_span(saved);
        self.leave();
        result
    }

    /// Evaluates an expression and keeps its place.
    pub(crate) fn eval_spanned(&mut self, expr: &'a Expr) -> R<Spanned<'a>> {
        Ok(Spanned { val: self.eval(expr)?, span: expr.span })
    }

    fn eval_kind(&mut self, expr: &'a Expr) -> R<Val<'a>> {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Int(i) => Ok(Val::Int(*i)),
            ExprKind::Float(f) => Ok(Val::Float(*f)),
            ExprKind::Str(s) => Ok(Val::str(s)),
            ExprKind::Bool(b) => Ok(Val::Bool(*b)),
            ExprKind::None => Ok(Val::None),
            ExprKind::Ellipsis => Ok(Val::Ellipsis),
            ExprKind::FString(parts) => self.f_string(parts),
            ExprKind::Tuple(items) | ExprKind::List(items) => self.items(items, expr.span),
            ExprKind::Unary { op, operand } => self.unary(*op, operand),
            ExprKind::Binary { .. } => self.binary_chain(expr),
            ExprKind::BoolOp { op, values } => self.bool_op(*op, values),
            ExprKind::Compare { left, rest } => self.comparison(left, rest),
            ExprKind::IfElse { test, body, orelse } => self.ternary(test, body, orelse),
            ExprKind::Call { func, args } => self.call(expr, func, args),
            ExprKind::Attribute { value, name } => self.attribute(value, name),
            ExprKind::Subscript { value, index } => {
                let base = self.eval_spanned(value)?;
                let index = self.eval_spanned(index)?;
                self.item(&base, index, expr.span)
            }
            ExprKind::Slice { lower, upper, step } => self.slice([lower, upper, step]),
            ExprKind::Walrus { name, value } => {
                let val = self.eval(value)?;
                let val = self.assigned(val, value.span)?;
                self.bind(&name.text, val.clone(), name.span);
                Ok(val)
            }
            ExprKind::ListComp { element, clauses } | ExprKind::GeneratorExp { element, clauses } => {
                self.comprehension(element, clauses, expr.span)
            }
            ExprKind::Starred(_) => Err(self.cx.unsupported(expr.span, "a starred expression", "Write the items out.")),
            ExprKind::Lambda { .. } => {
                Err(self.cx.unsupported(expr.span, "a lambda", "Define a `@triton.jit` function."))
            }
            ExprKind::Bytes(_) => Err(self.cx.unsupported(expr.span, "a bytes literal", "Use a string or integers.")),
            ExprKind::Set(_) | ExprKind::Dict(_) | ExprKind::DictComp { .. } | ExprKind::SetComp { .. } => {
                Err(self.cx.unsupported(expr.span, "a set or a dictionary", "Use a tuple."))
            }
        }
    }

    /// `base[index]`, which records may define themselves.
    fn item(&mut self, base: &Spanned<'a>, index: Spanned<'a>, span: Span) -> R<Val<'a>> {
        let own = match &base.val {
            Val::Record(record) => record.class.method("__getitem__"),
            _ => None,
        };
        let Some(function) = own else { return self.cx.subscript(base, &index) };
        let args = CallArgs { positional: vec![base.clone(), index], named: Vec::new() };
        self.inline(function, args, span).map(|val| val.val)
    }

    fn name(&mut self, name: &'a str, span: Span) -> R<Val<'a>> {
        match self.variable(name) {
            None => self.global(name, span),
            Some(Binding { val: Val::Poison, .. }) => Err(Stop::Poisoned),
            Some(Binding { val: Val::Absent(absent), .. }) => {
                let absent = absent.clone();
                let message = match absent.code {
                    tk_diag::TYPE_MISMATCH => format!("Mismatched type for {name}: it {}", absent.why),
                    _ => format!("`{name}` {}", absent.why),
                };
                let mut error = self.cx.error(absent.code, span, message, "used here");
                for (place, text) in &absent.places {
                    error = error.at(&self.cx.file, *place, text.as_str());
                }
                Err(error.help(absent.help).into())
            }
            Some(binding) => Ok(binding.val.clone()),
        }
    }

    /// A variable of the function, or of the one around it.
    fn variable(&self, name: &str) -> Option<&Binding<'a>> {
        let frame = self.frame();
        frame.scope.get(name).or_else(|| frame.closure.as_ref()?.scope.get(name))
    }

    fn items(&mut self, items: &'a [Expr], span: Span) -> R<Val<'a>> {
        let mut out = Vec::with_capacity(items.len());
        for item in items {
            match &item.kind {
                ExprKind::Starred(inner) => match self.eval(inner)?.items() {
                    Some(items) => out.extend(items.iter().cloned()),
                    None => {
                        return Err(self.cx.unsupported(
                            item.span,
                            "unpacking something other than a tuple",
                            "Star a tuple.",
                        ));
                    }
                },
                _ => out.push(self.eval(item)?),
            }
        }
        let tuple = Val::tuple(out);
        if tuple.fits(constant::MAX_ITEMS) {
            return Ok(tuple);
        }
        let message = "this tuple has too many parts";
        Err(self.cx.error(tk_diag::TOO_LARGE, span, message, "").help("Keep many values in a tensor.").into())
    }

    fn f_string(&mut self, parts: &'a [FStringPart]) -> R<Val<'a>> {
        let mut text = String::new();
        for part in parts {
            match part {
                FStringPart::Text(literal) => text.push_str(literal),
                FStringPart::Value { value, .. } | FStringPart::Formatted { value, .. } => {
                    let arg = self.eval_spanned(value)?;
                    if !arg.val.is_constant() {
                        return Err(self.cx.not_constexpr("what an f-string shows", &arg, "a constant").into());
                    }
                    text.push_str(&self.cx.python_str(&arg.val));
                }
            }
        }
        Ok(Val::str(&text))
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Expr) -> R<Val<'a>> {
        let arg = self.eval_spanned(operand)?;
        if let Val::Value(value) = arg.val {
            return Ok(Val::Value(match op {
                UnaryOp::Neg => self.cx.negate(value, arg.span)?,
                UnaryOp::Pos => value,
                UnaryOp::Invert => self.cx.invert(value, arg.span)?,
                UnaryOp::Not => self.cx.logical_not(value, arg.span)?,
            }));
        }
        if let (UnaryOp::Not, Val::Tuple(_), false) = (op, &arg.val, self.frame().interpreted) {
            let message = "AST unary operator '__not__' is not (currently) implemented on type tuple";
            self.cx.construct_beyond_triton(operand.span, message, "Compare its length: `len(t) == 0`.")?;
        }
        let val = match (op, &arg.val) {
            (UnaryOp::Not, val) => val.truth().map(|truth| Val::Bool(!truth)),
            (UnaryOp::Neg, Val::Float(f)) => Some(Val::Float(-f)),
            (UnaryOp::Pos, Val::Float(f)) => Some(Val::Float(*f)),
            (UnaryOp::Neg, val) => val.number().and_then(|n| n.as_int()).and_then(i128::checked_neg).map(Val::Int),
            (UnaryOp::Pos, val) => val.number().and_then(|n| n.as_int()).map(Val::Int),
            (UnaryOp::Invert, val) => val.number().and_then(|n| n.as_int()).map(|i| Val::Int(!i)),
        };
        val.ok_or_else(|| {
            let message = format!("this operator does not work on {}", self.cx.describe(&arg.val));
            self.cx.error(tk_diag::TYPE_MISMATCH, arg.span, message, "").help("It needs a number or a tensor.").into()
        })
    }

    /// `a + b + c + …`: a left-leaning chain of any length, without a level of recursion per operator.
    fn binary_chain(&mut self, expr: &'a Expr) -> R<Val<'a>> {
        let mut spine: Vec<(BinaryOp, &'a Expr, Span)> = Vec::new();
        let mut first = expr;
        while let ExprKind::Binary { op, left, right } = &first.kind {
            spine.push((*op, right, first.span));
            first = left;
        }
        let mut left = self.eval_spanned(first)?;
        while let Some((op, right, span)) = spine.pop() {
            let right = self.eval_spanned(right)?;
            self.cx.builder.set_span(span);
            left = Spanned { val: self.cx.binary(op, &left, &right)?, span };
        }
        Ok(left.val)
    }

    /// `a and b and c`: constants decide early; run-time operands are all evaluated and combined from the right.
    fn bool_op(&mut self, op: BoolOp, values: &'a [Expr]) -> R<Val<'a>> {
        let mut runtime: Vec<Spanned<'a>> = Vec::new();
        let mut last = Val::None;
        for expr in values {
            let arg = self.eval_spanned(expr)?;
            match arg.val.truth() {
                None => runtime.push(arg),
                Some(truth) if truth == (op == BoolOp::Or) => return Ok(arg.val),
                Some(_) => last = arg.val,
            }
        }
        self.combine(op, runtime).map(|combined| combined.unwrap_or(last))
    }

    fn combine(&mut self, op: BoolOp, mut runtime: Vec<Spanned<'a>>) -> R<Option<Val<'a>>> {
        let Some(mut right) = runtime.pop() else { return Ok(None) };
        while let Some(left) = runtime.pop() {
            let span = left.span.to(right.span);
            right = Spanned { val: Val::Value(self.cx.logical(op, &left, &right)?), span };
        }
        Ok(Some(right.val))
    }

    fn comparison(&mut self, left: &'a Expr, rest: &'a [(CompareOp, Expr)]) -> R<Val<'a>> {
        if rest.len() > 1 && !self.frame().interpreted {
            let message = "simultaneous multiple comparison is not supported";
            self.cx.construct_beyond_triton(left.span, message, "Write `(a < b) & (b < c)`.")?;
        }
        for side in std::iter::once(left).chain(rest.iter().map(|(_, right)| right)) {
            self.warn_of_precedence(side);
        }
        let mut lhs = self.eval_spanned(left)?;
        let mut runtime = Vec::new();
        let mut last = Val::Bool(true);
        for (op, right) in rest {
            let rhs = self.eval_spanned(right)?;
            let val = self.compare_one(*op, &lhs, &rhs)?;
            let span = lhs.span.to(rhs.span);
            match val.truth() {
                None => runtime.push(Spanned { val, span }),
                Some(false) => return Ok(Val::Bool(false)),
                Some(true) => last = val,
            }
            lhs = rhs;
        }
        self.combine(BoolOp::And, runtime).map(|combined| combined.unwrap_or(last))
    }

    /// `a > 0 & b < n` compares `a` with `0 & b`: `&` binds tighter than `>`, and few who write it mean that.
    fn warn_of_precedence(&mut self, side: &Expr) {
        let ExprKind::Binary { op, .. } = &side.kind else { return };
        let symbol = match op {
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            _ => return,
        };
        let part = self.cx.file.part_at(side.span.start);
        let before = part.slice(Span { start: part.span().start, end: side.span.start }).trim_end();
        if before.ends_with('(') || self.cx.file.slice(side.span).starts_with('(') {
            return;
        }
        let text = self.cx.file.slice(side.span);
        let message = format!("`{symbol}` binds tighter than a comparison");
        let warning = tk_diag::Diagnostic::warning(tk_diag::COMPARISON_PRECEDENCE, message)
            .at(&self.cx.file, side.span, format!("`{text}` is computed first and then compared"))
            .help(format!("Put the comparisons in parentheses: `(a > 0) {symbol} (b < n)`. If this is meant, put `({text})` in parentheses."));
        if !self
            .cx
            .warnings
            .iter()
            .any(|known| known.code == warning.code && known.labels.first().map(|l| l.span) == Some(side.span))
        {
            self.cx.warnings.push(warning);
        }
    }

    fn compare_one(&mut self, op: CompareOp, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Val<'a>> {
        let identity = matches!(op, CompareOp::Is | CompareOp::IsNot);
        let runtime = matches!(lhs.val, Val::Value(_)) || matches!(rhs.val, Val::Value(_));
        let none = matches!(lhs.val, Val::None) || matches!(rhs.val, Val::None);
        if identity || runtime && none {
            let same = lhs.val.same(&rhs.val);
            return match op {
                CompareOp::Is | CompareOp::Eq => Ok(Val::Bool(same)),
                _ => Ok(Val::Bool(!same)),
            };
        }
        if runtime && !matches!(op, CompareOp::In | CompareOp::NotIn) {
            return self.cx.compare(op, lhs, rhs).map(Val::Value);
        }
        constant::compare(op, &lhs.val, &rhs.val).map(Val::Bool).ok_or_else(|| {
            let message = format!(
                "{} and {} cannot be compared like this",
                self.cx.describe(&lhs.val),
                self.cx.describe(&rhs.val)
            );
            self.cx
                .error(tk_diag::TYPE_MISMATCH, lhs.span.to(rhs.span), message, "")
                .help("Compare numbers with numbers.")
                .into()
        })
    }

    fn comprehension(&mut self, element: &'a Expr, clauses: &'a [Comprehension], span: Span) -> R<Val<'a>> {
        let [clause] = clauses else {
            return Err(self.cx.unsupported(span, "a comprehension with several `for`", "Nest two comprehensions."));
        };
        let source = self.eval_spanned(&clause.iter)?;
        let items = self.cx.static_items(&source)?;
        let saved = self.frame().scope.clone();
        let mut out = Vec::with_capacity(items.len());
        let mut failed = None;
        for item in items.iter() {
            self.step(span)?;
            match self.comprehension_item(element, clause, item.clone()) {
                Ok(Some(val)) => out.push(val),
                Ok(None) => {}
                Err(stop) => {
                    failed = Some(stop);
                    break;
                }
            }
        }
        self.frame_mut().scope = saved;
        failed.map_or_else(|| Ok(Val::tuple(out)), Err)
    }

    fn comprehension_item(
        &mut self,
        element: &'a Expr,
        clause: &'a Comprehension,
        item: Val<'a>,
    ) -> R<Option<Val<'a>>> {
        self.assign_target(&clause.target, item, clause.iter.span, false)?;
        for condition in &clause.conditions {
            let arg = self.eval_spanned(condition)?;
            if !self.cx.constant_bool("the condition of a comprehension", &arg)? {
                return Ok(None);
            }
        }
        self.eval(element).map(Some)
    }

    fn slice(&mut self, parts: [&'a Option<Box<Expr>>; 3]) -> R<Val<'a>> {
        let mut out = [Val::None, Val::None, Val::None];
        for (slot, part) in out.iter_mut().zip(parts) {
            if let Some(part) = part {
                *slot = self.eval(part)?;
            }
        }
        Ok(Val::Slice(Rc::new(out)))
    }
}
