//! Loops: which variables they carry, `For` and `While` ops, and unrolling of `static_range`.
//!
//! The variables that a body assigns and that live before it are carried. The body is emitted once with all of them as block
//! arguments; those it did not change after all are taken out again. A constant parameter that the body changes at run time
//! cannot be known in advance, so then the body is emitted once more with it as a run-time value.

mod carried;

use crate::check::Checker;
use crate::checked::{BinaryOp, LoopHints, OpKind, Type, Value};
use crate::error::R;
use crate::flow::{BREAK, Flow, INDEX, RESULT, RETURN, SKIP};
use crate::promote::common_int;
use crate::syntax::{contains_exit, contains_jump, contains_return, walrus_names};
use crate::value::RangeSpec;
use crate::value::leaves_of;
use crate::value::{Absent, Spanned, Val};
use crate::value::{Binding, Scope};
use carried::{Carried, Finished, Outcome};
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::{Expr, ExprKind, Stmt};
use tk_types::ScalarType;

/// The bounds of a loop, the lower one first.
#[derive(Clone, Copy)]
struct Bounds {
    lower: Value,
    upper: Value,
}

/// The hidden variables that a loop body may set and the loop carries.
fn hidden_names<'n>(body: &[Stmt]) -> Vec<&'n str> {
    let returns = contains_return(body);
    let names = [contains_exit(body).then_some(BREAK), returns.then_some(RETURN), returns.then_some(RESULT)];
    names.into_iter().flatten().collect()
}

impl<'a> Checker<'a> {
    /// A `for` statement.
    pub(crate) fn exec_for(
        &mut self,
        stmt: &'a Stmt,
        target: &'a Expr,
        iter: &'a Expr,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
    ) -> R<Flow<'a>> {
        if let Some(first) = orelse.first() {
            return Err(self.cx.unsupported(first.span, "`else` after a loop", "Put the statements after the loop."));
        }
        self.no_mapped_jumps(body)?;
        let source = self.eval_spanned(iter)?;
        match &source.val {
            Val::Range(range) if !range.unrolled => {
                let range = range.clone();
                self.runtime_for(stmt, target, &range, body, iter.span)
            }
            _ => self.unroll(target, &source, body),
        }
    }

    fn unroll(&mut self, target: &'a Expr, source: &Spanned<'a>, body: &'a [Stmt]) -> R<Flow<'a>> {
        let items = self.cx.static_items(source)?;
        if contains_jump(body) && (self.frame().loops > 0 || !contains_return(body)) {
            return self.unroll_jumping(target, &items, source.span, body);
        }
        for item in items.iter() {
            self.step(source.span)?;
            self.assign_target(target, item.clone(), source.span, false)?;
            match self.exec_list(body) {
                Flow::Next => {}
                Flow::Maybe(_, val) => {
                    return Err(self.cx.unsupported(
                        val.span,
                        "`return` under a run-time condition in an unrolled loop",
                        "Let the loop finish and return after it.",
                    ));
                }
                done => return Ok(done),
            }
        }
        Ok(Flow::Next)
    }

    /// An unrolled loop with jumps in it: the hidden variables are set up around it as for a run-time loop.
    fn unroll_jumping(&mut self, target: &'a Expr, items: &[Val<'a>], span: Span, body: &'a [Stmt]) -> R<Flow<'a>> {
        let skip = self.frame().scope.get(SKIP).cloned();
        let jumping = std::mem::replace(&mut self.frame_mut().jumping, true);
        let outer = self.open_jumps(body, span);
        let result = self.unroll_items(target, items, span, body);
        self.frame_mut().jumping = jumping;
        match skip {
            Some(binding) => self.frame_mut().scope.insert(SKIP, binding),
            None => self.frame_mut().scope.remove(SKIP),
        };
        let flow = self.close_jumps(outer, body, span);
        result.map(|()| flow)
    }

    /// The iterations until the loop is left; after one that may leave it, the others run under a condition.
    fn unroll_items(&mut self, target: &'a Expr, items: &[Val<'a>], span: Span, body: &'a [Stmt]) -> R<()> {
        for (i, item) in items.iter().enumerate() {
            self.step(span)?;
            self.frame_mut().scope.insert(SKIP, Binding { val: Val::Bool(false), span });
            self.assign_target(target, item.clone(), span, false)?;
            let _ = self.exec_list(body);
            let left = self.frame().scope.get(BREAK).map(|binding| binding.val.clone());
            let flag = match left {
                Some(Val::Bool(true)) => return Ok(()),
                Some(Val::Value(flag)) if self.cx.known_int(&Val::Value(flag)).is_none() => flag,
                _ => continue,
            };
            if i + 1 == items.len() {
                return Ok(());
            }
            self.enter(span)?;
            let stopped = self.path(&[], "then");
            let mut failed = None;
            let rest = self.path_with("else", |checker| {
                failed = checker.unroll_items(target, &items[i + 1..], span, body).err();
                Flow::Next
            });
            let _ = self.join(flag, stopped, rest, span);
            self.leave();
            return failed.map_or(Ok(()), Err);
        }
        Ok(())
    }

    fn runtime_for(
        &mut self,
        stmt: &'a Stmt,
        target: &'a Expr,
        range: &RangeSpec<'a>,
        body: &'a [Stmt],
        span: Span,
    ) -> R<Flow<'a>> {
        let ExprKind::Name(variable) = &target.kind else {
            return Err(self.cx.unsupported(target.span, "this loop variable", "Use one name."));
        };
        let known_step = self.cx.known_int(&range.step.val);
        if known_step == Some(0) {
            return Err(self.cx.zero_step(range.step.span));
        }
        let downward = known_step.filter(|step| *step < 0);
        let (lower, upper) = if downward.is_some() { (&range.stop, &range.start) } else { (&range.start, &range.stop) };
        let step = match downward {
            Some(step) => Spanned { val: Val::Int(-step), span: range.step.span },
            None => range.step.clone(),
        };
        let bounds = [self.bound(lower)?, self.bound(upper)?, self.bound(&step)?];
        let scalar = bounds
            .iter()
            .fold(ScalarType::I1, |ty, bound| common_int(ty, self.cx.builder.ty(*bound).number().unwrap_or(ty)));
        let mut operands = Vec::with_capacity(3);
        for bound in bounds {
            operands.push(self.cx.cast_scalar(bound, scalar, span)?);
        }
        if contains_exit(body) {
            let bounds = [operands[0], operands[1], operands[2]];
            return Ok(self.leaving_for((stmt, body), (variable, target.span), bounds, downward.is_some()));
        }
        let names = self.changed_names(body);
        let mut carried = self.carried(&names, Some(variable));
        loop {
            let mark = self.mark();
            self.cx.builder.open_block();
            let index = self.cx.builder.block_argument(Type::scalar(scalar), Some(variable));
            self.enter_body(&mut carried);
            let mirrored = downward.map(|_| Bounds { lower: operands[0], upper: operands[1] });
            self.bind_induction(variable, target.span, index, mirrored);
            let outcome = self.body(body, &carried);
            let mut block = self.cx.builder.close_block();
            match outcome {
                Outcome::Again(names) => {
                    self.rewind(mark, &carried);
                    self.materialise(&mut carried, names);
                }
                Outcome::Without(lost) => {
                    self.rewind(mark, &carried);
                    self.drop_carried(&mut carried, lost);
                }
                Outcome::Done(yields, scope) => {
                    block.yields = yields;
                    self.leave_body(&carried);
                    let mut blocks = vec![block];
                    self.prune(&mut carried, &mut blocks);
                    let kind = OpKind::For(range.hints.clone());
                    self.finish_loop(Finished { kind, operands, carried, blocks, scope }, &names, stmt.span);
                    self.after(variable, target.span);
                    return Ok(Flow::Next);
                }
            }
        }
    }

    /// Downward, the loop iterates from `stop` up to `start` and the index is mirrored between them.
    fn bind_induction(&mut self, variable: &'a str, span: Span, index: Value, mirrored: Option<Bounds>) {
        let mut value = index;
        if let Some(Bounds { lower, upper }) = mirrored {
            let ty = self.cx.builder.ty(index).clone();
            value = self.cx.builder.emit(OpKind::Binary(BinaryOp::SubI), &[upper, value], ty.clone());
            value = self.cx.builder.emit(OpKind::Binary(BinaryOp::AddI), &[value, lower], ty);
        }
        self.bind(variable, Val::Value(value), span);
    }

    fn bound(&mut self, arg: &Spanned<'a>) -> R<Value> {
        let value = self.cx.value_of("a bound of a range", arg)?;
        let ty = self.cx.builder.ty(value).clone();
        if ty.is_tensor() || !ty.number().is_some_and(ScalarType::is_int) {
            let message = format!("the bounds and the step of a range must be scalar integers, not {ty}");
            return Err(self
                .cx
                .error(tk_diag::TYPE_MISMATCH, arg.span, message, ty.to_string())
                .help("Cast it with `.to(tl.int32)`.")
                .into());
        }
        Ok(value)
    }

    /// A `while` statement.
    pub(crate) fn exec_while(
        &mut self,
        stmt: &'a Stmt,
        test: &'a Expr,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
    ) -> R<Flow<'a>> {
        if let Some(first) = orelse.first() {
            return Err(self.cx.unsupported(first.span, "`else` after a loop", "Put the statements after the loop."));
        }
        self.no_mapped_jumps(body)?;
        let exits = contains_exit(body);
        let outer = if exits { self.open_jumps(body, stmt.span) } else { None };
        let mut names = self.changed_names(body);
        names.extend(hidden_names(body));
        for name in walrus_names(test) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut carried = self.carried(&names, None);
        loop {
            let mark = self.mark();
            self.cx.builder.open_block();
            self.enter_body(&mut carried);
            self.cx.while_hints = LoopHints::default();
            let condition = if exits { self.guarded_condition(test) } else { self.while_condition(test) };
            let hints = self.cx.while_hints.clone();
            let condition_args: Vec<Value> = carried.iter().flat_map(|c| c.args.clone()).collect();
            let after_test = self.frame().scope.clone();
            let condition = condition.and_then(|found| match found {
                Some(each) if self.cx.builder.ty(each).is_tensor() => self.cx.any_element(each, test.span).map(Some),
                other => Ok(other),
            });
            let mut before = self.cx.builder.close_block();
            let condition = match condition {
                Ok(Some(condition)) => condition,
                Ok(None) => {
                    self.leave_body(&carried);
                    return Ok(if exits { self.close_jumps(outer, &[], stmt.span) } else { Flow::Next });
                }
                Err(stop) => {
                    self.leave_body(&carried);
                    if exits {
                        self.close_jumps(outer, &[], stmt.span);
                    }
                    return Err(stop);
                }
            };
            self.walrus_stays_inside(test, &carried, &after_test);
            before.yields = vec![condition];
            for variable in &carried {
                let val = after_test.get(variable.name).map_or(Val::Poison, |binding| binding.val.clone());
                let mut leaves = Vec::new();
                let same = leaves_of(&val, &mut leaves) && leaves.len() == variable.args.len();
                before.yields.extend(if same { leaves } else { variable.args.clone() });
            }
            self.cx.builder.open_block();
            self.enter_body(&mut carried);
            let outcome = self.while_body(test, body, &carried);
            match self.close_while((before, &condition_args), mark, outcome, carried, (&names, stmt.span, &hints)) {
                Some(more) => carried = more,
                None => return Ok(if exits { self.close_jumps(outer, body, stmt.span) } else { Flow::Next }),
            }
        }
    }

    /// What `:=` in a test assigns has a value outside the loop only when the loop carries it.
    fn walrus_stays_inside(&mut self, test: &'a Expr, carried: &[Carried<'a>], after_test: &Scope<'a>) {
        for name in walrus_names(test).into_iter().filter(|name| carried.iter().all(|c| c.name != *name)) {
            if let Some(binding) = after_test.get(name) {
                let reason = "is assigned in the condition of a `while` and has no value outside it";
                self.only_inside(name, binding, reason);
            }
        }
    }

    /// The body of a `while`. In a mapped function the elements that are done go around unchanged.
    fn while_body(&mut self, test: &'a Expr, body: &'a [Stmt], carried: &[Carried<'a>]) -> Outcome<'a> {
        let going = if self.cx.mapped.is_some() { self.while_condition(test).ok().flatten() } else { None };
        match (self.body(body, carried), going.filter(|each| self.cx.builder.ty(*each).is_tensor())) {
            (Outcome::Done(yields, scope), Some(each)) => {
                let args = carried.iter().flat_map(|c| c.args.iter());
                let held = yields.iter().zip(args).map(|(new, old)| self.cx.select_element(each, *new, *old));
                Outcome::Done(held.collect(), scope)
            }
            (outcome, _) => outcome,
        }
    }

    /// Loops of mapped functions have no jumps: elements would leave at different times.
    fn no_mapped_jumps(&self, body: &'a [Stmt]) -> R<()> {
        match body.first() {
            Some(first) if self.cx.mapped.is_some() && contains_jump(body) => {
                let what = "`break`, `continue` or `return` in a loop of a mapped function";
                Err(self.cx.unsupported(first.span, what, "Put the condition into the `while`."))
            }
            _ => Ok(()),
        }
    }

    /// The condition of a `while` that can be left: evaluated only while it is not.
    fn guarded_condition(&mut self, test: &'a Expr) -> R<Option<Value>> {
        if !walrus_names(test).is_empty() {
            let what = "`:=` in the condition of a `while` with `break`";
            return Err(self.cx.unsupported(test.span, what, "Assign before the loop and at its end."));
        }
        let stays = self.not_left();
        if matches!(test.kind, ExprKind::Bool(true) | ExprKind::Int(1)) {
            return Ok(Some(stays));
        }
        self.cx.builder.open_block();
        let condition = self.while_condition(test);
        let mut then = self.cx.builder.close_block();
        let Some(condition) = condition? else { return Ok(None) };
        then.yields = vec![condition];
        self.cx.builder.open_block();
        let bool = Type::scalar(ScalarType::I1);
        let no = self.cx.builder.int(0, bool.clone());
        let mut other = self.cx.builder.close_block();
        other.yields = vec![no];
        let results = self.cx.builder.op(OpKind::If, vec![stays], vec![bool], vec![then, other]);
        Ok(results.first().copied())
    }

    /// A `for` that can be left: a `while` over its index.
    fn leaving_for(
        &mut self,
        (stmt, body): (&'a Stmt, &'a [Stmt]),
        (variable, variable_span): (&'a str, Span),
        [lower, upper, step]: [Value; 3],
        downward: bool,
    ) -> Flow<'a> {
        let outer_index = self.frame().scope.get(INDEX).cloned();
        let outer = self.open_jumps(body, stmt.span);
        self.frame_mut().scope.insert(INDEX, Binding { val: Val::Value(lower), span: stmt.span });
        let mut names = self.changed_names(body);
        names.extend(hidden_names(body));
        names.push(INDEX);
        let mut carried = self.carried(&names, Some(variable));
        loop {
            let mark = self.mark();
            self.cx.builder.open_block();
            self.enter_body(&mut carried);
            let index = self.index_value(lower);
            let condition = self.goes_on(index, upper);
            let condition_args: Vec<Value> = carried.iter().flat_map(|c| c.args.clone()).collect();
            let mut before = self.cx.builder.close_block();
            before.yields = vec![condition];
            before.yields.extend(&condition_args);
            self.cx.builder.open_block();
            self.enter_body(&mut carried);
            let index = self.index_value(lower);
            let ty = self.cx.builder.ty(index).clone();
            let next = self.cx.builder.emit(OpKind::Binary(BinaryOp::AddI), &[index, step], ty);
            self.frame_mut().scope.insert(INDEX, Binding { val: Val::Value(next), span: stmt.span });
            let mirrored = downward.then_some(Bounds { lower, upper });
            self.bind_induction(variable, variable_span, index, mirrored);
            let outcome = self.body(body, &carried);
            match self.close_while(
                (before, &condition_args),
                mark,
                outcome,
                carried,
                (&names, stmt.span, &LoopHints::default()),
            ) {
                Some(more) => carried = more,
                None => break,
            }
        }
        self.after(variable, variable_span);
        let flow = self.close_jumps(outer, body, stmt.span);
        match outer_index {
            Some(binding) => self.frame_mut().scope.insert(INDEX, binding),
            None => self.frame_mut().scope.remove(INDEX),
        };
        flow
    }

    fn index_value(&self, lower: Value) -> Value {
        match self.frame().scope.get(INDEX).map(|binding| &binding.val) {
            Some(Val::Value(index)) => *index,
            _ => lower,
        }
    }

    /// The i1 of a `while`; nothing when the loop never runs.
    fn while_condition(&mut self, test: &'a Expr) -> R<Option<Value>> {
        let arg = self.eval_spanned(test)?;
        match arg.val {
            Val::Value(value) => self.cx.scalar_condition(value, &arg, "the condition of `while`").map(Some),
            ref other => match other.truth() {
                Some(false) => Ok(None),
                _ => {
                    let message = "this loop never ends: its condition is always true";
                    let help = "Make the condition a run-time value that the body changes.";
                    Err(self
                        .cx
                        .error(tk_diag::UNSUPPORTED, test.span, message, self.cx.describe(other))
                        .help(help)
                        .into())
                }
            },
        }
    }

    /// The loop variable has no value after the loop.
    fn after(&mut self, variable: &'a str, span: Span) {
        let why = "is the variable of a loop and has no value after it".to_string();
        let places = vec![(span, "the loop".to_string())];
        let absent = Absent {
            code: tk_diag::UNKNOWN_NAME,
            why,
            places,
            help: "Carry it in another variable that the body assigns.",
        };
        self.bind(variable, Val::Absent(Rc::new(absent)), span);
    }
}
