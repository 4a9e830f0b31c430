//! Replaces calls by the body of the function it calls.
//!
//! Helper functions of a kernel are small and every pass after this one wants to see through them, so all calls go but those of
//! functions marked `noinline`, which get what all of their calls know of the arguments ([`arguments`]). Callees are finished before their
//! callers, so every body is copied once per call. Kernels cannot recurse: there is no stack to do it on.

use crate::cloning::{Mapping, copy_ops};
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::{Diagnostic, LineColumn, Result, SourceFile, Span};
use tk_ir::ops::{CallOp, FuncOp};
use tk_ir::{Builder, Module, Op};

mod arguments;

/// The pass.
pub const PASS: Pass = Pass { name: "inline", summary: "replace calls by the functions they call", run };

/// Operations that a module may grow to; helpers that call helpers multiply.
const MAX_OPS: usize = 2_000_000;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let mut inliner =
        Inliner { functions: FxHashMap::default(), state: FxHashMap::default(), finished: Vec::new(), copied: 0, cx };
    for function in module.functions().into_iter().filter_map(FuncOp::cast) {
        inliner.functions.insert(function.name(), function);
    }
    let callers: Vec<FuncOp<'_>> = module.functions().into_iter().filter_map(FuncOp::cast).collect();
    callers.into_iter().try_for_each(|function| inliner.finish(function))?;
    inliner.finished.reverse();
    arguments::know_arguments(&inliner.finished);
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Its calls are being inlined.
    Open,
    /// It has no calls any more.
    Done,
}

struct Inliner<'a, 'c> {
    functions: FxHashMap<&'c str, FuncOp<'c>>,
    state: FxHashMap<&'c str, State>,
    /// In this order: callees before their callers.
    finished: Vec<FuncOp<'c>>,
    copied: usize,
    cx: &'a PassContext,
}

impl<'c> Inliner<'_, 'c> {
    /// Inlines every call in `function`. Recurses along the call chain, which a cycle ends.
    fn finish(&mut self, function: FuncOp<'c>) -> Result<()> {
        if self.state.get(function.name()) == Some(&State::Done) {
            return Ok(());
        }
        self.state.insert(function.name(), State::Open);
        for call in function.op.descendants().into_iter().filter_map(CallOp::cast) {
            let Some(&callee) = self.functions.get(call.callee()) else {
                return Err(self.error(call, format!("nothing defines `{}`", call.callee()), tk_diag::UNKNOWN_NAME));
            };
            if self.state.get(callee.name()) == Some(&State::Open) || self.state.len() > MAX_CHAIN {
                return Err(self.error(call, format!("`{}` calls itself", callee.name()), tk_diag::UNSUPPORTED));
            }
            self.finish(callee)?;
            if !callee.is_noinline() {
                self.inline(call, callee)?;
            }
        }
        self.state.insert(function.name(), State::Done);
        self.finished.push(function);
        Ok(())
    }

    fn inline(&mut self, call: CallOp<'c>, callee: FuncOp<'c>) -> Result<()> {
        let blocks = callee.op.region(0).blocks();
        let [body] = blocks[..] else {
            let message = format!("`{}` returns from several places of its control flow", callee.name());
            return Err(self.error(call, message, tk_diag::UNSUPPORTED));
        };
        let mut ops = body.ops();
        let Some(last) = ops.pop() else { return Ok(()) };
        self.copied += ops.iter().map(|op| op.descendants().len()).sum::<usize>();
        if self.copied > MAX_OPS {
            let message = format!("inlining copies more than {MAX_OPS} operations");
            return Err(self.error(call, message, tk_diag::TOO_LARGE));
        }
        let mut mapping = Mapping::default();
        for (parameter, argument) in body.arguments().into_iter().zip(call.operands()) {
            mapping.insert(parameter, argument);
        }
        let context = call.op.context();
        let mut builder = Builder::before(call.op);
        copy_ops(&ops, &mut builder, &mut mapping, |callee| context.callsite_loc(callee, call.op.loc()));
        for (result, value) in call.op.results().into_iter().zip(last.operands()) {
            result.replace_all_uses_with(mapping.get(value));
        }
        call.op.erase();
        Ok(())
    }

    fn error(&self, call: CallOp<'c>, message: String, code: tk_diag::Code) -> Box<Diagnostic> {
        locate(Diagnostic::error(code, message), call.op, self.cx).boxed()
    }
}

/// Functions that may call each other in a row.
const MAX_CHAIN: usize = 1000;

/// Puts a diagnostic at the place an operation came from, when that is in the kernel's file.
pub(crate) fn locate(diagnostic: Diagnostic, op: Op<'_>, cx: &PassContext) -> Diagnostic {
    let Some((file, line, column)) = op.loc().file_line_col() else { return diagnostic };
    match place_of(cx, (file, line, column)) {
        Some((source, span)) => diagnostic.at(source, span, ""),
        None => diagnostic.note(format!("at {file}:{line}:{column}")),
    }
}

/// Where the source has a file, line and column of the IR; the IR may name the file by the end of its path.
pub(crate) fn place_of<'a>(cx: &'a PassContext, place: (&str, u32, u32)) -> Option<(&'a SourceFile, Span)> {
    let (file, line, column) = place;
    let source = cx.source.as_ref()?;
    let by_end = || source.parts().next().filter(|first| first.name().ends_with(file));
    let part = source.part_with_line(file, line).or_else(by_end)?;
    let start = part.offset(LineColumn { line, column: column.max(1) }) as usize;
    Some((source, Span::new(start, start + 1)))
}
