//! `if`, the ternary, and early return: run-time branches become `If` ops whose results are the variables they change.
//!
//! A branch that always returns needs no flag: the rest of the function goes into the other branch. Only where a nested branch
//! returns on some paths does an i1 say whether it has, and the rest runs under its negation.

use crate::check::Checker;
use crate::checked::{Block, Element, OpClass, OpKind, Type, Value};
use crate::error::R;
use crate::flow::{Flow, Test};
use crate::value::leaves_of;
use crate::value::refill;
use crate::value::{Absent, Spanned, Val};
use crate::value::{Binding, Scope};
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::{Expr, Stmt, StmtKind};
use tk_types::ScalarType;

/// One way through an `if`, after it has run.
pub(crate) struct Path<'a> {
    block: Block,
    pub(crate) scope: Scope<'a>,
    flow: Flow<'a>,
    /// As messages call it: `then`, `else`.
    name: &'static str,
}

impl<'a> Checker<'a> {
    pub(crate) fn test(&mut self, test: &'a Expr, what: &str) -> R<Test> {
        let arg = self.eval_spanned(test)?;
        let Val::Value(value) = arg.val else {
            return Ok(Test::Known(arg.val.truth().unwrap_or(true)));
        };
        self.cx.scalar_condition(value, &arg, what).map(Test::Runtime)
    }

    /// An `if` without `return` in it.
    pub(crate) fn exec_if(&mut self, test: &'a Expr, body: &'a [Stmt], orelse: &'a [Stmt], span: Span) -> R<Flow<'a>> {
        match self.test(test, "the condition of `if`")? {
            Test::Known(true) => Ok(self.exec_list(body)),
            Test::Known(false) => Ok(self.exec_list(orelse)),
            Test::Runtime(condition) => {
                let then = self.path(body, "then");
                let other = self.path(orelse, "else");
                Ok(self.join(condition, then, other, span))
            }
        }
    }

    /// An `if` with `return` somewhere in it, and the statements after it.
    pub(crate) fn returning_if(&mut self, stmt: &'a Stmt, rest: &'a [Stmt]) -> R<Flow<'a>> {
        let StmtKind::If { test, body, orelse } = &stmt.kind else { return Ok(Flow::Next) };
        self.enter(stmt.span)?;
        self.cx.builder.set_span(stmt.span);
        let test = self.test(test, "the condition of `if`");
        let flow = match test {
            Err(stop) => {
                self.leave();
                return Err(stop);
            }
            Ok(Test::Known(truth)) => {
                let flow = self.exec_list(if truth { body } else { orelse });
                self.go_on(flow, rest, stmt.span)
            }
            Ok(Test::Runtime(condition)) => {
                let mut then = self.path(body, "then");
                let mut other = self.path(orelse, "else");
                match (&then.flow, &other.flow) {
                    (Flow::Return(_), Flow::Return(_)) => self.join(condition, then, other, stmt.span),
                    (Flow::Return(_), Flow::Next) => {
                        self.extend(&mut other, rest);
                        self.join(condition, then, other, stmt.span)
                    }
                    (Flow::Next, Flow::Return(_)) => {
                        self.extend(&mut then, rest);
                        self.join(condition, then, other, stmt.span)
                    }
                    _ => {
                        let flow = self.join(condition, then, other, stmt.span);
                        self.go_on(flow, rest, stmt.span)
                    }
                }
            }
        };
        self.leave();
        Ok(flow)
    }

    fn go_on(&mut self, flow: Flow<'a>, rest: &'a [Stmt], span: Span) -> Flow<'a> {
        match flow {
            Flow::Next => self.exec_list(rest),
            Flow::Maybe(flag, val) => self.guarded(flag, val, rest, span),
            done => done,
        }
    }

    /// The statements after something that may have returned.
    pub(crate) fn guarded(&mut self, flag: Value, val: Spanned<'a>, rest: &'a [Stmt], span: Span) -> Flow<'a> {
        if rest.is_empty() {
            return Flow::Maybe(flag, val);
        }
        let scope = self.frame().scope.clone();
        let returned = Path { block: Block::default(), scope, flow: Flow::Return(val), name: "then" };
        let other = self.path(rest, "else");
        self.join(flag, returned, other, span)
    }

    /// Runs statements in a new block and leaves the variables as they were.
    pub(crate) fn path(&mut self, stmts: &'a [Stmt], name: &'static str) -> Path<'a> {
        self.path_with(name, |checker| checker.exec_list(stmts))
    }

    /// See [`Self::path`].
    pub(crate) fn path_with(&mut self, name: &'static str, run: impl FnOnce(&mut Self) -> Flow<'a>) -> Path<'a> {
        let before = self.frame().scope.clone();
        self.cx.builder.open_block();
        let flow = run(self);
        let block = self.cx.builder.close_block();
        let scope = std::mem::replace(&mut self.frame_mut().scope, before);
        Path { block, scope, flow, name }
    }

    /// Goes on with more statements at the end of a path.
    pub(crate) fn extend(&mut self, path: &mut Path<'a>, stmts: &'a [Stmt]) {
        let before = std::mem::replace(&mut self.frame_mut().scope, std::mem::take(&mut path.scope));
        self.cx.builder.reopen_block(std::mem::take(&mut path.block));
        path.flow = self.exec_list(stmts);
        path.block = self.cx.builder.close_block();
        path.scope = std::mem::replace(&mut self.frame_mut().scope, before);
    }

    /// Emits ops at the end of a closed block.
    fn within<T>(&mut self, block: &mut Block, emit: impl FnOnce(&mut Self) -> T) -> T {
        self.cx.builder.reopen_block(std::mem::take(block));
        let result = emit(self);
        *block = self.cx.builder.close_block();
        result
    }

    /// Emits the `If` op and merges variables and returned values of its two paths.
    pub(crate) fn join(&mut self, condition: Value, mut then: Path<'a>, mut other: Path<'a>, span: Span) -> Flow<'a> {
        let saved = self.cx.builder.set_span(span);
        let both_return = matches!((&then.flow, &other.flow), (Flow::Return(_), Flow::Return(_)));
        let neither = matches!((&then.flow, &other.flow), (Flow::Next, Flow::Next));
        let flags = (!both_return && !neither).then(|| (self.flag(&mut then), self.flag(&mut other)));
        let mut results = Vec::new();
        let returned = if neither { None } else { self.merge_returns(&mut then, &mut other, &mut results) };
        if let Some((a, b)) = flags {
            self.yield_pair(&mut then, &mut other, a, b, &mut results);
        }
        let merged = if both_return { Vec::new() } else { self.merge_scopes(&mut then, &mut other, &mut results) };
        let types = results.iter().map(|v| self.cx.builder.ty(*v).clone()).collect();
        let values = self.branch_op(condition, types, then.block, other.block);
        let mut next = values.iter().copied();
        let returned = returned.map(|val| Spanned { val: refill(&val.val, &mut next), span: val.span });
        let flag = flags.and_then(|_| next.next());
        for (name, binding) in merged {
            let val = refill(&binding.val, &mut next);
            self.bind(name, val, binding.span);
        }
        self.cx.builder.set_span(saved);
        match (returned, flag) {
            (Some(val), Some(flag)) => Flow::Maybe(flag, val),
            (Some(val), None) => Flow::Return(val),
            (None, _) => Flow::Next,
        }
    }

    /// The i1 that says whether a path has returned.
    fn flag(&mut self, path: &mut Path<'a>) -> Value {
        let known = match path.flow {
            Flow::Maybe(flag, _) => return flag,
            Flow::Next => 0,
            Flow::Return(_) => 1,
        };
        self.within(&mut path.block, |checker| checker.cx.builder.int(known, Type::scalar(ScalarType::I1)))
    }

    fn yield_pair(&mut self, then: &mut Path<'a>, other: &mut Path<'a>, a: Value, b: Value, results: &mut Vec<Value>) {
        then.block.yields.push(a);
        other.block.yields.push(b);
        results.push(a);
    }

    /// One returned value from two paths. A path that has not returned contributes zeros that nothing reads.
    fn merge_returns(
        &mut self,
        then: &mut Path<'a>,
        other: &mut Path<'a>,
        results: &mut Vec<Value>,
    ) -> Option<Spanned<'a>> {
        let value = |flow: &Flow<'a>| match flow {
            Flow::Return(val) | Flow::Maybe(_, val) => Some(val.clone()),
            Flow::Next => None,
        };
        let (a, b) = (value(&then.flow), value(&other.flow));
        let poison = |span| Some(Spanned { val: Val::Poison, span });
        match (a, b) {
            (Some(a), Some(b)) => {
                if matches!(a.val, Val::Poison) || matches!(b.val, Val::Poison) {
                    return poison(a.span);
                }
                match self.unify(then, other, &a.val, &b.val, results) {
                    Some(val) => Some(Spanned { val, span: a.span }),
                    None => {
                        let (x, y) = (self.cx.describe(&a.val), self.cx.describe(&b.val));
                        let message = format!("Inconsistent return types: {x} on one path and {y} on another");
                        let error = self.cx.error(tk_diag::TYPE_MISMATCH, b.span, message, y);
                        let error =
                            error.at(&self.cx.file, a.span, x).help("Return the same types and shapes on every path.");
                        self.report(error.into());
                        poison(a.span)
                    }
                }
            }
            (Some(val), None) => Some(self.one_sided(then, other, val, results)),
            (None, Some(val)) => Some(self.one_sided(other, then, val, results)),
            (None, None) => None,
        }
    }

    fn one_sided(
        &mut self,
        has: &mut Path<'a>,
        lacks: &mut Path<'a>,
        val: Spanned<'a>,
        results: &mut Vec<Value>,
    ) -> Spanned<'a> {
        let constant = val.val.clone();
        let mut leaves = Vec::new();
        let filled = if leaves_of(&constant, &mut leaves) { constant } else { Val::Poison };
        for leaf in &leaves {
            let ty = self.cx.builder.ty(*leaf).clone();
            let zero = self.within(&mut lacks.block, |checker| checker.cx.builder.zero(&ty));
            has.block.yields.push(*leaf);
            lacks.block.yields.push(zero);
            results.push(*leaf);
        }
        Spanned { val: filled, span: val.span }
    }

    /// Yields two meanings of one shape and returns the pattern to refill, or nothing when they do not go together.
    fn unify(
        &mut self,
        then: &mut Path<'a>,
        other: &mut Path<'a>,
        a: &Val<'a>,
        b: &Val<'a>,
        results: &mut Vec<Value>,
    ) -> Option<Val<'a>> {
        let (then_mark, other_mark, mark) = (then.block.yields.len(), other.block.yields.len(), results.len());
        let unified = self.unify_parts(then, other, a, b, results);
        if unified.is_none() {
            then.block.yields.truncate(then_mark);
            other.block.yields.truncate(other_mark);
            results.truncate(mark);
        }
        unified
    }

    fn unify_parts(
        &mut self,
        then: &mut Path<'a>,
        other: &mut Path<'a>,
        a: &Val<'a>,
        b: &Val<'a>,
        results: &mut Vec<Value>,
    ) -> Option<Val<'a>> {
        match (a, b) {
            _ if a.like(b) => {
                let (x, y) = (a.parts()?.clone(), b.parts()?.clone());
                let mut items = Vec::with_capacity(x.len());
                for (x, y) in x.iter().zip(y.iter()) {
                    items.push(self.unify_parts(then, other, x, y, results)?);
                }
                Some(a.with_parts(items))
            }
            _ if a.same_form(b) => {
                let unified = self.unify_parts(then, other, &a.compound()?, &b.compound()?, results)?;
                Some(a.with_compound(&unified))
            }
            _ if !matches!(a, Val::Value(_)) && a.same(b) => Some(a.clone()),
            _ => {
                let x = self.leaf(&mut then.block, a)?;
                let y = self.leaf(&mut other.block, b)?;
                if self.cx.builder.ty(x) != self.cx.builder.ty(y) {
                    return None;
                }
                self.yield_pair(then, other, x, y, results);
                Some(Val::Value(x))
            }
        }
    }

    fn leaf(&mut self, block: &mut Block, val: &Val<'a>) -> Option<Value> {
        let value = match val {
            Val::Value(value) => *value,
            other => {
                let number = other.number()?;
                let scalar = number.natural_type()?;
                let span = self.cx.builder.loc().span;
                self.within(block, |checker| checker.cx.number(number, Type::scalar(scalar), span)).ok()?
            }
        };
        match self.cx.mapped.clone() {
            Some(shape) if !self.cx.builder.ty(value).is_tensor() => {
                Some(self.within(block, |c| c.cx.builder.splat(value, &shape)))
            }
            _ => Some(value),
        }
    }

    /// Every variable after the `if`: unchanged, merged through the op, or without one value.
    fn merge_scopes(
        &mut self,
        then: &mut Path<'a>,
        other: &mut Path<'a>,
        results: &mut Vec<Value>,
    ) -> Vec<(&'a str, Binding<'a>)> {
        let mut names: Vec<&'a str> = then.scope.keys().chain(other.scope.keys()).copied().collect();
        names.sort_unstable();
        names.dedup();
        let mut merged = Vec::new();
        for name in names {
            let (a, b) = (then.scope.get(name).cloned(), other.scope.get(name).cloned());
            let binding = match (a, b) {
                (Some(a), Some(b)) if a.val.same(&b.val) => {
                    self.frame_mut().scope.insert(name, a);
                    continue;
                }
                (Some(a), _) if matches!(other.flow, Flow::Return(_)) => self.survivor(then, other, a, results),
                (_, Some(b)) if matches!(then.flow, Flow::Return(_)) => self.survivor(other, then, b, results),
                (Some(a), Some(b)) => self.merge_binding(then, other, a, b, results),
                (Some(a), None) => self.one_branch(then.name, a),
                (None, Some(b)) => self.one_branch(other.name, b),
                (None, None) => continue,
            };
            merged.push((name, binding));
        }
        merged
    }

    fn survivor(
        &mut self,
        lives: &mut Path<'a>,
        returned: &mut Path<'a>,
        binding: Binding<'a>,
        results: &mut Vec<Value>,
    ) -> Binding<'a> {
        let val = Spanned { val: binding.val.clone(), span: binding.span };
        if matches!(binding.val, Val::Absent(_) | Val::Poison) {
            return binding;
        }
        let mut leaves = Vec::new();
        if leaves_of(&val.val, &mut leaves) && leaves.iter().any(|leaf| self.is_descriptor(*leaf)) {
            return self.one_branch(lives.name, binding);
        }
        let merged = self.one_sided(lives, returned, val, results);
        Binding { val: merged.val, span: binding.span }
    }

    /// Descriptors have no value for a path that does not make them.
    fn is_descriptor(&self, value: Value) -> bool {
        matches!(self.cx.builder.ty(value).element, Element::Descriptor { .. })
    }

    fn merge_binding(
        &mut self,
        then: &mut Path<'a>,
        other: &mut Path<'a>,
        a: Binding<'a>,
        b: Binding<'a>,
        results: &mut Vec<Value>,
    ) -> Binding<'a> {
        let settled = |binding: &Binding<'a>| matches!(binding.val, Val::Poison | Val::Absent(_));
        if settled(&a) || settled(&b) {
            return if matches!(b.val, Val::Poison) || !settled(&a) { b } else { a };
        }
        match self.unify(then, other, &a.val, &b.val, results) {
            Some(val) => Binding { val, span: a.span },
            None => {
                let (x, y) = (self.cx.describe(&a.val), self.cx.describe(&b.val));
                let why = format!("is {x} on one path through an `if` and {y} on the other");
                let places = vec![(a.span, x), (b.span, y)];
                let help = "Give it the same type and shape on both paths, for example with `.to(…)`.";
                Binding {
                    val: Val::Absent(Rc::new(Absent { code: tk_diag::TYPE_MISMATCH, why, places, help })),
                    span: a.span,
                }
            }
        }
    }

    fn one_branch(&mut self, branch: &str, binding: Binding<'a>) -> Binding<'a> {
        if matches!(binding.val, Val::Poison | Val::Absent(_)) {
            return binding;
        }
        let why = format!("is assigned in only one branch of an `if` (the {branch} branch)");
        let places = vec![(binding.span, "assigned here".to_string())];
        let absent =
            Absent { code: tk_diag::UNKNOWN_NAME, why, places, help: "Assign it before the `if` or in both branches." };
        Binding { val: Val::Absent(Rc::new(absent)), span: binding.span }
    }

    /// `body if test else orelse`.
    pub(crate) fn ternary(&mut self, test: &'a Expr, body: &'a Expr, orelse: &'a Expr) -> R<Val<'a>> {
        let condition = match self.test(test, "the condition of a conditional expression")? {
            Test::Known(true) => return self.eval(body),
            Test::Known(false) => return self.eval(orelse),
            Test::Runtime(condition) => condition,
        };
        let (mut then, a) = self.expression_path(body, "then")?;
        let (mut other, b) = self.expression_path(orelse, "else")?;
        let mut results = Vec::new();
        let Some(pattern) = self.unify(&mut then, &mut other, &a.val, &b.val, &mut results) else {
            let (x, y) = (self.cx.describe(&a.val), self.cx.describe(&b.val));
            let message = format!("Ternary expression with dynamic condition has inconsistent types {x} and {y}");
            return Err(self
                .cx
                .error(tk_diag::TYPE_MISMATCH, a.span, message, x)
                .at(&self.cx.file, b.span, y)
                .help("Cast one side with `.to(…)`, or use `tl.where`.")
                .into());
        };
        let types = results.iter().map(|v| self.cx.builder.ty(*v).clone()).collect();
        let values = self.branch_op(condition, types, then.block, other.block);
        Ok(refill(&pattern, &mut values.into_iter()))
    }

    fn expression_path(&mut self, expr: &'a Expr, name: &'static str) -> R<(Path<'a>, Spanned<'a>)> {
        self.cx.builder.open_block();
        let result = self.eval_spanned(expr);
        let block = self.cx.builder.close_block();
        let scope = Scope::default();
        result.map(|val| (Path { block, scope, flow: Flow::Next, name }, val))
    }

    /// The op of a branch: `If`, or in a mapped function with a condition per element both blocks and a selection.
    pub(crate) fn branch_op(&mut self, condition: Value, types: Vec<Type>, then: Block, other: Block) -> Vec<Value> {
        if !self.cx.builder.ty(condition).is_tensor() {
            return self.cx.builder.op(OpKind::If, vec![condition], types, vec![then, other]);
        }
        let pairs: Vec<(Value, Value)> = then.yields.iter().copied().zip(other.yields.iter().copied()).collect();
        for block in [then, other] {
            if let Some(span) = effect_in(&block) {
                let message = "an operation with an effect stands under a condition that differs between elements";
                let error = self.cx.error(tk_diag::UNSUPPORTED, span, message, "");
                self.report(error.help("Load and store outside `map_elementwise`, with masks.").into());
            }
            self.cx.builder.extend(block.ops);
        }
        pairs.into_iter().map(|(yes, no)| self.cx.select_element(condition, yes, no)).collect()
    }
}

/// Where a block does more than compute.
fn effect_in(block: &Block) -> Option<Span> {
    block.ops.iter().find_map(|op| match op.kind.class() {
        OpClass::Memory | OpClass::Effect => Some(op.loc.span),
        OpClass::Source | OpClass::Shape | OpClass::Arithmetic | OpClass::Elementwise => None,
        // Calls of functions that are kept apart are not made in mapped functions.
        OpClass::Descriptor | OpClass::Call => None,
        OpClass::Across | OpClass::Control => op.blocks.iter().find_map(effect_in),
    })
}
