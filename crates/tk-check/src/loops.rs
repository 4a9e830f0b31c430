//! Loops: which variables they carry, `For` and `While` ops, and unrolling of `static_range`.
//!
//! The variables that a body assigns and that live before it are carried. The body is emitted once with all of them as block
//! arguments; those it did not change after all are taken out again. A constant parameter that the body changes at run time
//! cannot be known in advance, so then the body is emitted once more with it as a run-time value.

use crate::branch::{leaves_of, refill};
use crate::check::{Binding, Checker, Scope};
use crate::checked::{BinaryOp, Block, LoopHints, OpKind, Type, Value};
use crate::error::{R, Stop};
use crate::promote::common_int;
use crate::stmt::{Flow, assigned_names, walrus_names};
use crate::value::{Absent, Spanned, Val};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::{Expr, ExprKind, Stmt};
use tk_types::ScalarType;

/// What `range(…)` and its relatives say.
#[derive(Clone, Debug)]
pub(crate) struct RangeSpec<'a> {
    pub(crate) start: Spanned<'a>,
    pub(crate) stop: Spanned<'a>,
    pub(crate) step: Spanned<'a>,
    pub(crate) hints: LoopHints,
    /// `tl.static_range`: unrolled here.
    pub(crate) unrolled: bool,
}

/// A variable on its way around a loop.
struct Carried<'a> {
    name: &'a str,
    before: Binding<'a>,
    /// Its values before the loop.
    initial: Vec<Value>,
    /// The block arguments of the body, one per value.
    args: Vec<Value>,
}

/// What is undone when a body has to be emitted again.
struct Mark {
    values: usize,
    call_sites: usize,
    diagnostics: usize,
    warnings: usize,
    printed: usize,
    failed: bool,
}

/// What one emission of a body found.
enum Outcome<'a> {
    /// The values of the carried variables at its end, and the variables there.
    Done(Vec<Value>, Scope<'a>),
    /// These constants change at run time and must be carried too.
    Again(Vec<&'a str>),
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
            return Err(self.unsupported(first.span, "`else` after a loop", "Put the statements after the loop."));
        }
        let source = self.eval_spanned(iter)?;
        match &source.val {
            Val::Range(range) if !range.unrolled => {
                let range = range.clone();
                self.runtime_for(stmt, target, &range, body, iter.span).map(|()| Flow::Next)
            }
            _ => self.unroll(target, &source, body),
        }
    }

    fn unroll(&mut self, target: &'a Expr, source: &Spanned<'a>, body: &'a [Stmt]) -> R<Flow<'a>> {
        let items = self.static_items(source)?;
        for item in items.iter() {
            self.step(source.span)?;
            self.assign_target(target, item.clone(), source.span, false)?;
            match self.exec_list(body) {
                Flow::Next => {}
                Flow::Maybe(_, val) => {
                    return Err(self.unsupported(
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

    /// The numbers of a range of constants.
    pub(crate) fn unrolled(&self, range: &RangeSpec<'a>, span: Span) -> R<Vec<i128>> {
        let start = self.constant_int("the start of an unrolled range", &range.start)?;
        let stop = self.constant_int("the end of an unrolled range", &range.stop)?;
        let step = self.constant_int("the step of an unrolled range", &range.step)?;
        if step == 0 {
            return Err(self.zero_step(range.step.span));
        }
        let count = if step > 0 { (stop - start + step - 1) / step } else { (start - stop - step - 1) / -step };
        if count > 100_000 {
            let message = format!("an unrolled loop of {count} iterations is too long");
            return Err(self.error(tk_diag::TOO_LARGE, span, message, "").help("Use `tl.range`.").into());
        }
        Ok((0..count.max(0)).map(|i| start + i * step).collect())
    }

    fn zero_step(&self, span: Span) -> Stop {
        self.error(tk_diag::BAD_ARGUMENT, span, "the step of a range is zero", "")
            .help("Use a step such as 1 or -1.")
            .into()
    }

    fn runtime_for(
        &mut self,
        stmt: &'a Stmt,
        target: &'a Expr,
        range: &RangeSpec<'a>,
        body: &'a [Stmt],
        span: Span,
    ) -> R<()> {
        let ExprKind::Name(variable) = &target.kind else {
            return Err(self.unsupported(target.span, "this loop variable", "Use one name."));
        };
        let known_step = self.known_int(&range.step.val);
        if known_step == Some(0) {
            return Err(self.zero_step(range.step.span));
        }
        let downward = known_step.filter(|step| *step < 0);
        let (lower, upper) = if downward.is_some() { (&range.stop, &range.start) } else { (&range.start, &range.stop) };
        let step = match downward {
            Some(step) => Spanned { val: Val::Int(-step), span: range.step.span },
            None => range.step.clone(),
        };
        let bounds = [self.bound(lower)?, self.bound(upper)?, self.bound(&step)?];
        let scalar =
            bounds.iter().fold(ScalarType::I1, |ty, bound| common_int(ty, self.ty(*bound).number().unwrap_or(ty)));
        let mut operands = Vec::with_capacity(3);
        for bound in bounds {
            operands.push(self.cast_scalar(bound, scalar, span)?);
        }
        let names = assigned_names(body);
        let mut carried = self.carried(&names, Some(variable));
        loop {
            let mark = self.mark();
            self.open_block();
            let index = self.block_arg(Type::scalar(scalar), Some(variable));
            self.enter_body(&mut carried);
            self.bind_induction(variable, target.span, index, downward.is_some(), (operands[0], operands[1]));
            let outcome = self.body(body, &carried);
            let mut block = self.close_block();
            match outcome {
                Outcome::Again(names) => {
                    self.rewind(mark, &carried);
                    self.materialise(&mut carried, names);
                }
                Outcome::Done(yields, scope) => {
                    block.yields = yields;
                    self.leave_body(&carried);
                    let mut blocks = vec![block];
                    self.prune(&mut carried, &mut blocks);
                    operands.extend(carried.iter().flat_map(|c| c.initial.iter().copied()));
                    self.finish_loop(
                        OpKind::For(range.hints.clone()),
                        operands,
                        carried,
                        blocks,
                        &scope,
                        &names,
                        stmt.span,
                    );
                    self.after(variable, target.span);
                    return Ok(());
                }
            }
        }
    }

    /// `stop, start` downward: iterate upward and mirror the index.
    fn bind_induction(&mut self, variable: &'a str, span: Span, index: Value, downward: bool, bounds: (Value, Value)) {
        let mut value = index;
        if downward {
            let ty = self.ty(index).clone();
            value = self.emit(OpKind::Binary(BinaryOp::SubI), &[bounds.1, value], ty.clone());
            value = self.emit(OpKind::Binary(BinaryOp::AddI), &[value, bounds.0], ty);
        }
        self.bind(variable, Val::Value(value), span);
    }

    fn bound(&mut self, arg: &Spanned<'a>) -> R<Value> {
        let value = self.to_value("a bound of a range", arg)?;
        let ty = self.ty(value).clone();
        if ty.is_tensor() || !ty.number().is_some_and(ScalarType::is_int) {
            let message = format!("the bounds and the step of a range must be scalar integers, not {ty}");
            return Err(self
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
            return Err(self.unsupported(first.span, "`else` after a loop", "Put the statements after the loop."));
        }
        let mut names = assigned_names(body);
        for name in walrus_names(test) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut carried = self.carried(&names, None);
        loop {
            let mark = self.mark();
            self.open_block();
            self.enter_body(&mut carried);
            let condition = self.while_condition(test);
            let condition_args: Vec<Value> = carried.iter().flat_map(|c| c.args.clone()).collect();
            let after_test = self.frame().scope.clone();
            let mut before = self.close_block();
            let condition = match condition {
                Ok(Some(condition)) => condition,
                Ok(None) => {
                    self.leave_body(&carried);
                    return Ok(Flow::Next);
                }
                Err(stop) => {
                    self.leave_body(&carried);
                    return Err(stop);
                }
            };
            for name in walrus_names(test) {
                if !carried.iter().any(|c| c.name == name) {
                    if let Some(binding) = after_test.get(name) {
                        let binding = binding.clone();
                        self.only_inside(
                            name,
                            &binding,
                            "is assigned in the condition of a `while` and has no value outside it",
                        );
                    }
                }
            }
            before.yields = vec![condition];
            for variable in &carried {
                let val = after_test.get(variable.name).map_or(Val::Poison, |binding| binding.val.clone());
                let mut leaves = Vec::new();
                let same = leaves_of(&val, &mut leaves) && leaves.len() == variable.args.len();
                before.yields.extend(if same { leaves } else { variable.args.clone() });
            }
            self.open_block();
            self.enter_body(&mut carried);
            let outcome = self.body(body, &carried);
            let mut block = self.close_block();
            match outcome {
                Outcome::Again(names) => {
                    self.rewind(mark, &carried);
                    self.materialise(&mut carried, names);
                }
                Outcome::Done(yields, scope) => {
                    block.yields = yields;
                    self.leave_body(&carried);
                    let mut blocks = vec![before, block];
                    self.prune_while(&mut carried, &condition_args, &mut blocks);
                    let operands = carried.iter().flat_map(|c| c.initial.iter().copied()).collect();
                    self.finish_loop(OpKind::While, operands, carried, blocks, &scope, &names, stmt.span);
                    return Ok(Flow::Next);
                }
            }
        }
    }

    /// The i1 of a `while`; nothing when the loop never runs.
    fn while_condition(&mut self, test: &'a Expr) -> R<Option<Value>> {
        let arg = self.eval_spanned(test)?;
        match arg.val {
            Val::Value(value) => self.scalar_condition(value, &arg, "the condition of `while`").map(Some),
            ref other => match other.truth() {
                Some(false) => Ok(None),
                _ => {
                    let message = "this loop never ends: its condition is always true";
                    let help = "Make the condition a run-time value that the body changes.";
                    Err(self.error(tk_diag::UNSUPPORTED, test.span, message, self.describe(other)).help(help).into())
                }
            },
        }
    }

    /// The variables that live before a loop and are assigned in it. Constants are left out until the body changes them.
    fn carried(&mut self, names: &[&'a str], except: Option<&str>) -> Vec<Carried<'a>> {
        let mut out = Vec::new();
        for name in names.iter().copied().filter(|name| except != Some(*name)) {
            let Some(binding) = self.frame().scope.get(name).cloned() else { continue };
            let mut initial = Vec::new();
            if leaves_of(&binding.val, &mut initial) && !initial.is_empty() {
                out.push(Carried { name, before: binding, initial, args: Vec::new() });
            }
        }
        out
    }

    /// Makes run-time values of constants, before the loop.
    fn materialise(&mut self, carried: &mut Vec<Carried<'a>>, names: Vec<&'a str>) {
        for name in names {
            let Some(binding) = self.frame().scope.get(name).cloned() else { continue };
            let Ok(val) = self.assigned(binding.val, binding.span) else { continue };
            let mut initial = Vec::new();
            if leaves_of(&val, &mut initial) && !initial.is_empty() {
                let before = Binding { val: val.clone(), span: binding.span };
                self.frame_mut().scope.insert(name, before.clone());
                carried.push(Carried { name, before, initial, args: Vec::new() });
            }
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            values: self.values.len(),
            call_sites: self.call_sites.len(),
            diagnostics: self.diagnostics.len(),
            warnings: self.warnings.len(),
            printed: self.printed.len(),
            failed: self.failed,
        }
    }

    fn rewind(&mut self, mark: Mark, carried: &[Carried<'a>]) {
        self.leave_body(carried);
        self.values.truncate(mark.values);
        self.origins.truncate(mark.values);
        self.call_sites.truncate(mark.call_sites);
        self.diagnostics.truncate(mark.diagnostics);
        self.warnings.truncate(mark.warnings);
        self.printed.truncate(mark.printed);
        self.failed = mark.failed;
    }

    /// Gives every carried variable block arguments in the block just opened.
    fn enter_body(&mut self, carried: &mut [Carried<'a>]) {
        for variable in carried.iter_mut() {
            variable.args.clear();
            for initial in &variable.initial {
                let ty = self.values[initial.0 as usize].ty.clone();
                let arg = self.block_arg(ty, Some(variable.name));
                variable.args.push(arg);
            }
            let val = refill(&variable.before.val, &mut variable.args.iter().copied());
            let span = variable.before.span;
            self.frame_mut().scope.insert(variable.name, Binding { val, span });
        }
    }

    /// The scope as it was before the body; the caller then binds results.
    fn leave_body(&mut self, carried: &[Carried<'a>]) {
        for variable in carried {
            self.frame_mut().scope.insert(variable.name, variable.before.clone());
        }
    }

    /// Emits a body and collects what the carried variables hold at its end. The scope is restored.
    fn body(&mut self, body: &'a [Stmt], carried: &[Carried<'a>]) -> Outcome<'a> {
        let before = self.frame().scope.clone();
        self.frame_mut().loops += 1;
        let _ = self.exec_list(body);
        self.frame_mut().loops -= 1;
        let after = std::mem::replace(&mut self.frame_mut().scope, before);
        let again = self.changed_constants(&after, carried);
        if !again.is_empty() {
            return Outcome::Again(again);
        }
        let mut yields = Vec::new();
        for variable in carried {
            let binding = after.get(variable.name).unwrap_or(&variable.before);
            let mut leaves = Vec::new();
            let whole = leaves_of(&binding.val, &mut leaves);
            if matches!(binding.val, Val::Poison) {
                leaves.clone_from(&variable.args);
            } else if !whole
                || !self.same_types(&leaves, &variable.args)
                || !same_shape(&binding.val, &variable.before.val)
            {
                let stop = self.changed_type(variable, binding);
                self.report(stop);
                leaves.clone_from(&variable.args);
            }
            yields.extend(leaves);
        }
        Outcome::Done(yields, after)
    }

    fn same_types(&self, a: &[Value], b: &[Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.ty(*a) == self.ty(*b))
    }

    /// Constants of the enclosing scope that the body rebound to something else.
    fn changed_constants(&mut self, after: &Scope<'a>, carried: &[Carried<'a>]) -> Vec<&'a str> {
        let mut again = Vec::new();
        let mut errors = Vec::new();
        for (name, before) in &self.frame().scope {
            if !before.val.is_constant()
                || matches!(before.val, Val::Absent(_) | Val::Poison)
                || carried.iter().any(|c| c.name == *name)
            {
                continue;
            }
            let Some(now) = after.get(name) else { continue };
            if now.val.same(&before.val) || matches!(now.val, Val::Poison) {
                continue;
            }
            if before.val.number().is_some() && matches!(now.val, Val::Value(_)) {
                again.push(*name);
            } else if !matches!(now.val, Val::Absent(_))
                && !matches!(before.val, Val::Bool(_) | Val::Int(_) | Val::Float(_))
            {
                errors.push((*name, before.clone(), now.clone()));
            }
        }
        errors.sort_by_key(|(name, ..)| *name);
        for (name, before, now) in errors {
            let (x, y) = (self.describe(&before.val), self.describe(&now.val));
            let message = format!("`{name}` is {x} before this loop and {y} after an iteration");
            let error = self.error(tk_diag::TYPE_MISMATCH, now.span, message, format!("becomes {y}")).at(
                &self.file,
                before.span,
                x,
            );
            self.report(
                error
                    .help("A variable that a loop changes must keep its type; use another name inside the loop.")
                    .into(),
            );
        }
        again.sort_unstable();
        again
    }

    fn changed_type(&self, variable: &Carried<'a>, binding: &Binding<'a>) -> Stop {
        let name = variable.name;
        if let Val::Absent(absent) = &binding.val {
            let mut error = self.error(
                tk_diag::TYPE_MISMATCH,
                binding.span,
                format!("`{name}` goes around this loop and {}", absent.why),
                "",
            );
            for (place, text) in &absent.places {
                error = error.at(&self.file, *place, text.as_str());
            }
            return error.help("Give it the same type and shape on every path.").into();
        }
        let (x, y) = (self.describe(&variable.before.val), self.describe(&binding.val));
        let message = format!("`{name}` is {x} before this loop and {y} after an iteration");
        self.error(tk_diag::TYPE_MISMATCH, binding.span, message, format!("becomes {y}"))
            .at(&self.file, variable.before.span, format!("starts as {x}"))
            .help("A variable that a loop changes must keep its type and shape: cast with `.to(…)`, or start with the final type.")
            .into()
    }

    /// Takes out the variables that a `for` body left unchanged.
    fn prune(&self, carried: &mut Vec<Carried<'a>>, blocks: &mut [Block]) {
        let mut replace = FxHashMap::default();
        let mut at = 0;
        carried.retain(|variable| {
            let count = variable.args.len();
            let unchanged = blocks[0].yields[at..at + count] == variable.args[..];
            if unchanged {
                replace.extend(variable.args.iter().copied().zip(variable.initial.iter().copied()));
                blocks[0].yields.drain(at..at + count);
            } else {
                at += count;
            }
            !unchanged
        });
        substitute_args(blocks, &replace);
    }

    /// Takes out the variables that neither block of a `while` changed.
    fn prune_while(&self, carried: &mut Vec<Carried<'a>>, condition_args: &[Value], blocks: &mut [Block]) {
        let mut replace = FxHashMap::default();
        let (mut at, mut arg) = (0, 0);
        carried.retain(|variable| {
            let count = variable.args.len();
            let tested = &condition_args[arg..arg + count];
            arg += count;
            let unchanged = blocks[1].yields[at..at + count] == variable.args[..]
                && blocks[0].yields[1 + at..1 + at + count] == *tested;
            if unchanged {
                replace.extend(variable.args.iter().copied().zip(variable.initial.iter().copied()));
                replace.extend(tested.iter().copied().zip(variable.initial.iter().copied()));
                blocks[1].yields.drain(at..at + count);
                blocks[0].yields.drain(1 + at..1 + at + count);
            } else {
                at += count;
            }
            !unchanged
        });
        substitute_args(blocks, &replace);
    }

    /// Emits the loop op and binds what it leaves behind.
    #[allow(clippy::too_many_arguments, reason = "one private step of one algorithm, split off for its length")]
    fn finish_loop(
        &mut self,
        kind: OpKind,
        operands: Vec<Value>,
        carried: Vec<Carried<'a>>,
        blocks: Vec<Block>,
        scope: &Scope<'a>,
        names: &[&'a str],
        span: Span,
    ) {
        self.span = span;
        let types = carried.iter().flat_map(|c| c.initial.iter()).map(|v| self.ty(*v).clone()).collect();
        let mut results = self.emit_op(kind, operands, types, blocks).into_iter();
        let mut still: Vec<&str> = Vec::new();
        for variable in carried {
            let val = refill(&variable.before.val, &mut results);
            let span = scope.get(variable.name).map_or(variable.before.span, |binding| binding.span);
            let poisoned = scope.get(variable.name).is_some_and(|binding| matches!(binding.val, Val::Poison));
            self.bind(variable.name, if poisoned { Val::Poison } else { val }, span);
            still.push(variable.name);
        }
        for name in names {
            if !still.contains(name) && !self.frame().scope.contains_key(name) {
                if let Some(binding) = scope.get(name) {
                    let why = "is assigned only inside a loop, which may not run at all";
                    self.only_inside(name, binding, why);
                }
            }
        }
    }

    fn only_inside(&mut self, name: &'a str, binding: &Binding<'a>, why: &str) {
        if matches!(binding.val, Val::Poison) {
            self.bind(name, Val::Poison, binding.span);
            return;
        }
        let places = vec![(binding.span, "assigned here".to_string())];
        let absent = Absent { why: why.to_string(), places, help: "Give it a value before the loop." };
        self.bind(name, Val::Absent(Rc::new(absent)), binding.span);
    }

    /// The loop variable has no value after the loop.
    fn after(&mut self, variable: &'a str, span: Span) {
        let why = "is the variable of a loop and has no value after it".to_string();
        let places = vec![(span, "the loop".to_string())];
        let absent = Absent { why, places, help: "Carry it in another variable that the body assigns." };
        self.bind(variable, Val::Absent(Rc::new(absent)), span);
    }
}

/// Whether two meanings have the same tuple structure and constants, so that one can go around in place of the other.
fn same_shape(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Value(_), Val::Value(_)) => true,
        (Val::Tuple(x), Val::Tuple(y)) => x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| same_shape(x, y)),
        (Val::BlockPointer(x), Val::BlockPointer(y)) => x.same_form(y),
        _ => a.same(b),
    }
}

/// Removes block arguments and puts the values they stood for in their place, at every depth.
fn substitute_args(blocks: &mut [Block], replace: &FxHashMap<Value, Value>) {
    if replace.is_empty() {
        return;
    }
    for block in blocks {
        block.args.retain(|arg| !replace.contains_key(arg));
        substitute(block, replace);
    }
}

fn substitute(block: &mut Block, replace: &FxHashMap<Value, Value>) {
    let swap = |value: &mut Value| {
        if let Some(new) = replace.get(value) {
            *value = *new;
        }
    };
    for op in &mut block.ops {
        op.operands.iter_mut().for_each(swap);
        for inner in &mut op.blocks {
            substitute(inner, replace);
        }
    }
    block.yields.iter_mut().for_each(swap);
}
