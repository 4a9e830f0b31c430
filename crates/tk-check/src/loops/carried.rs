//! Variables that go around a loop: block arguments at the start of its body, yields at its end, results after it.

use crate::check::Checker;
use crate::checked::{Block, LoopHints, OpKind, Value};
use crate::error::Stop;
use crate::flow::{RESULT, SKIP};
use crate::syntax::contains_jump;
use crate::value::{Absent, Val};
use crate::value::{Binding, Scope};
use crate::value::{leaves_of, refill};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::Stmt;

/// A variable on its way around a loop.
pub(super) struct Carried<'a> {
    pub(super) name: &'a str,
    pub(super) before: Binding<'a>,
    /// Its values before the loop.
    pub(super) initial: Vec<Value>,
    /// The block arguments of the body, one per value.
    pub(super) args: Vec<Value>,
}

/// What is undone when a body has to be emitted again.
pub(super) struct Mark {
    pub(super) values: usize,
    pub(super) call_sites: usize,
    pub(super) functions: usize,
    pub(super) diagnostics: usize,
    pub(super) warnings: usize,
    pub(super) printed: usize,
    pub(super) failed: bool,
    pub(super) noted: usize,
}

/// A loop whose body is done.
pub(super) struct Finished<'a> {
    pub(super) kind: OpKind,
    /// The bounds of a `for`.
    pub(super) operands: Vec<Value>,
    pub(super) carried: Vec<Carried<'a>>,
    pub(super) blocks: Vec<Block>,
    /// The variables at the end of the body.
    pub(super) scope: Scope<'a>,
}

/// What one emission of a body found.
pub(super) enum Outcome<'a> {
    /// The values of the carried variables at its end, and the variables there.
    Done(Vec<Value>, Scope<'a>),
    /// These constants change at run time and must be carried too.
    Again(Vec<&'a str>),
    /// These have no value at its end, so they go around no more.
    Without(Vec<(&'a str, Binding<'a>)>),
}

impl<'a> Checker<'a> {
    /// The variables that live before a loop and are assigned in it. Constants are left out until the body changes them.
    pub(super) fn carried(&mut self, names: &[&'a str], except: Option<&str>) -> Vec<Carried<'a>> {
        let mut out = Vec::new();
        for name in names.iter().copied().filter(|name| except != Some(*name)) {
            let Some(mut binding) = self.frame().scope.get(name).cloned() else { continue };
            if let (Some(shape), Val::Value(value)) = (self.cx.mapped.clone(), &binding.val)
                && !self.cx.builder.ty(*value).is_tensor()
            {
                binding.val = Val::Value(self.cx.builder.splat(*value, &shape));
            }
            let mut initial = Vec::new();
            if leaves_of(&binding.val, &mut initial) && !initial.is_empty() {
                out.push(Carried { name, before: binding, initial, args: Vec::new() });
            }
        }
        out
    }

    /// Makes run-time values of constants, before the loop.
    pub(super) fn materialise(&mut self, carried: &mut Vec<Carried<'a>>, names: Vec<&'a str>) {
        for name in names {
            if name == RESULT {
                self.place_result();
            }
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

    /// Variables that a body leaves without a value have none before the loop either, so that what reads them says so.
    pub(super) fn drop_carried(&mut self, carried: &mut Vec<Carried<'a>>, lost: Vec<(&'a str, Binding<'a>)>) {
        for (name, absent) in lost {
            carried.retain(|variable| variable.name != name);
            self.frame_mut().scope.insert(name, absent);
        }
    }

    /// A value of the type that the loop returns, before the loop.
    fn place_result(&mut self) {
        let Some((pattern, types)) = self.frame().result.clone() else { return };
        let values: Vec<Value> = types.iter().map(|ty| self.cx.builder.zero(ty)).collect();
        let val = refill(&pattern, &mut values.into_iter());
        let span = self.cx.builder.loc().span;
        self.frame_mut().scope.insert(RESULT, Binding { val, span });
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            values: self.cx.builder.values().len(),
            call_sites: self.call_sites.len(),
            functions: self.functions.len(),
            diagnostics: self.diagnostics.len(),
            warnings: self.cx.warnings.len(),
            printed: self.cx.printed.len(),
            failed: self.failed,
            noted: self.trace.as_ref().map_or(0, |trace| trace.len()),
        }
    }

    pub(super) fn rewind(&mut self, mark: Mark, carried: &[Carried<'a>]) {
        self.leave_body(carried);
        self.cx.builder.forget_values(mark.values);
        self.call_sites.truncate(mark.call_sites);
        self.forget_outlined(mark.functions);
        self.diagnostics.truncate(mark.diagnostics);
        self.cx.warnings.truncate(mark.warnings);
        self.cx.printed.truncate(mark.printed);
        self.failed = mark.failed;
        if let Some(trace) = &mut self.trace {
            trace.truncate(mark.noted);
        }
    }

    /// Gives every carried variable block arguments in the block just opened.
    pub(super) fn enter_body(&mut self, carried: &mut [Carried<'a>]) {
        for variable in carried.iter_mut() {
            variable.args.clear();
            for initial in &variable.initial {
                let ty = self.cx.builder.ty(*initial).clone();
                let arg = self.cx.builder.block_argument(ty, Some(variable.name));
                variable.args.push(arg);
            }
            let val = refill(&variable.before.val, &mut variable.args.iter().copied());
            let span = variable.before.span;
            self.frame_mut().scope.insert(variable.name, Binding { val, span });
        }
    }

    /// The scope as it was before the body; the caller then binds results.
    pub(super) fn leave_body(&mut self, carried: &[Carried<'a>]) {
        for variable in carried {
            self.frame_mut().scope.insert(variable.name, variable.before.clone());
        }
    }

    /// Emits a body and collects what the carried variables hold at its end. The scope is restored.
    pub(super) fn body(&mut self, body: &'a [Stmt], carried: &[Carried<'a>]) -> Outcome<'a> {
        let before = self.frame().scope.clone();
        let jumping = std::mem::replace(&mut self.frame_mut().jumping, contains_jump(body));
        if self.frame().jumping {
            let span = self.cx.builder.loc().span;
            self.frame_mut().scope.insert(SKIP, Binding { val: Val::Bool(false), span });
        }
        self.frame_mut().loops += 1;
        let _ = self.exec_list(body);
        self.frame_mut().loops -= 1;
        self.frame_mut().jumping = jumping;
        let mut after = std::mem::replace(&mut self.frame_mut().scope, before);
        after.remove(SKIP);
        if self.frame().result.is_some() && !self.frame().scope.contains_key(RESULT) {
            return Outcome::Again(vec![RESULT]);
        }
        let again = self.changed_constants(&after, carried);
        if !again.is_empty() {
            return Outcome::Again(again);
        }
        let lost = carried.iter().filter_map(|variable| {
            let binding = after.get(variable.name).filter(|binding| is_without_value(&binding.val))?;
            Some((variable.name, binding.clone()))
        });
        let lost: Vec<_> = lost.collect();
        if !lost.is_empty() {
            return Outcome::Without(lost);
        }
        let mut yields = Vec::new();
        for variable in carried {
            let mut binding = after.get(variable.name).unwrap_or(&variable.before).clone();
            if !same_shape(&binding.val, &variable.before.val) {
                // A number assigned at compile time, such as the index of an unrolled loop, goes around as a run-time value.
                binding.val = self.assigned(binding.val.clone(), binding.span).unwrap_or(binding.val);
            }
            let mut leaves = Vec::new();
            let whole = leaves_of(&binding.val, &mut leaves);
            if matches!(binding.val, Val::Poison) {
                leaves.clone_from(&variable.args);
            } else if !whole
                || !self.same_types(&leaves, &variable.args)
                || !same_shape(&binding.val, &variable.before.val)
            {
                let stop = self.changed_type(variable, &binding);
                self.report(stop);
                leaves.clone_from(&variable.args);
                after.insert(variable.name, Binding { val: Val::Poison, span: binding.span });
            }
            yields.extend(leaves);
        }
        Outcome::Done(yields, after)
    }

    fn same_types(&self, a: &[Value], b: &[Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.cx.builder.ty(*a) == self.cx.builder.ty(*b))
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
            let (x, y) = (self.cx.describe(&before.val), self.cx.describe(&now.val));
            let message = format!("`{name}` is {x} before this loop and {y} after an iteration");
            let error = self.cx.error(tk_diag::TYPE_MISMATCH, now.span, message, format!("becomes {y}")).at(
                &self.cx.file,
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
            let mut error = self.cx.error(
                tk_diag::TYPE_MISMATCH,
                binding.span,
                format!("`{name}` goes around this loop and {}", absent.why),
                "",
            );
            for (place, text) in &absent.places {
                error = error.at(&self.cx.file, *place, text.as_str());
            }
            return error.help("Give it the same type and shape on every path.").into();
        }
        let (x, y) = (self.cx.describe(&variable.before.val), self.cx.describe(&binding.val));
        let message = format!("`{name}` is {x} before this loop and {y} after an iteration");
        self.cx.error(tk_diag::TYPE_MISMATCH, binding.span, message, format!("becomes {y}"))
            .at(&self.cx.file, variable.before.span, format!("starts as {x}"))
            .help("A variable that a loop changes must keep its type and shape: cast with `.to(…)`, or start with the final type.")
            .into()
    }

    /// Takes out the variables that a `for` body left unchanged.
    pub(super) fn prune(&self, carried: &mut Vec<Carried<'a>>, blocks: &mut [Block]) {
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
    pub(super) fn prune_while(&self, carried: &mut Vec<Carried<'a>>, condition_args: &[Value], blocks: &mut [Block]) {
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

    /// Closes the body of a `while` that was emitted behind its test: the block and its arguments. Emits the loop, or gives back what
    /// it carries when the body has to be emitted again because it carries more.
    pub(super) fn close_while(
        &mut self,
        (test, test_args): (Block, &[Value]),
        mark: Mark,
        outcome: Outcome<'a>,
        mut carried: Vec<Carried<'a>>,
        (names, span, hints): (&[&'a str], Span, &LoopHints),
    ) -> Option<Vec<Carried<'a>>> {
        let mut block = self.cx.builder.close_block();
        match outcome {
            Outcome::Again(names) => {
                self.rewind(mark, &carried);
                self.materialise(&mut carried, names);
                Some(carried)
            }
            Outcome::Without(lost) => {
                self.rewind(mark, &carried);
                self.drop_carried(&mut carried, lost);
                Some(carried)
            }
            Outcome::Done(yields, scope) => {
                block.yields = yields;
                self.leave_body(&carried);
                let mut blocks = vec![test, block];
                self.prune_while(&mut carried, test_args, &mut blocks);
                let kind = OpKind::While(hints.clone());
                let finished = Finished { kind, operands: Vec::new(), carried, blocks, scope };
                self.finish_loop(finished, names, span);
                None
            }
        }
    }

    /// Emits the loop op and binds what it leaves behind.
    pub(super) fn finish_loop(&mut self, finished: Finished<'a>, names: &[&'a str], span: Span) {
        let Finished { kind, mut operands, carried, blocks, scope } = finished;
        self.cx.builder.set_span(span);
        operands.extend(carried.iter().flat_map(|c| c.initial.iter().copied()));
        let types = carried.iter().flat_map(|c| c.initial.iter()).map(|v| self.cx.builder.ty(*v).clone()).collect();
        let mut results = self.cx.builder.op(kind, operands, types, blocks).into_iter();
        for variable in carried {
            let val = refill(&variable.before.val, &mut results);
            let span = scope.get(variable.name).map_or(variable.before.span, |binding| binding.span);
            self.bind(variable.name, val, span);
        }
        for name in names {
            let Some(binding) = scope.get(name) else { continue };
            if matches!(binding.val, Val::Poison) {
                self.bind(name, Val::Poison, binding.span);
            } else if !self.frame().scope.contains_key(name) {
                self.only_inside(name, binding, "is assigned only inside a loop, which may not run at all");
            }
        }
    }

    pub(super) fn only_inside(&mut self, name: &'a str, binding: &Binding<'a>, why: &str) {
        let places = vec![(binding.span, "assigned here".to_string())];
        let absent = Absent {
            code: tk_diag::UNKNOWN_NAME,
            why: why.to_string(),
            places,
            help: "Give it a value before the loop.",
        };
        self.bind(name, Val::Absent(Rc::new(absent)), binding.span);
    }
}

/// Whether a variable has no value: the index of a loop behind it. One that has different types on two paths has two.
fn is_without_value(val: &Val) -> bool {
    matches!(val, Val::Absent(absent) if absent.code == tk_diag::UNKNOWN_NAME)
}

/// Whether two meanings have the same tuple structure and constants, so that one can go around in place of the other.
fn same_shape(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Value(_), Val::Value(_)) => true,
        _ if a.like(b) => match (a.parts(), b.parts()) {
            (Some(x), Some(y)) => x.iter().zip(y.iter()).all(|(x, y)| same_shape(x, y)),
            _ => false,
        },
        _ => a.same_form(b) || a.same(b),
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
