//! Loops that wait for memory with ordinary loads: nothing in them has an effect, so that a compiler may leave them out.

use tk_diag::{DELETED_WAIT, Diagnostic};
use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef, Module, Stmt, StmtKind};

/// A warning for each of these loops in a jit function.
pub(crate) fn deleted(module: &Module, function: &FunctionDef) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    loops(&function.body, module, &mut found);
    found
}

fn loops(body: &[Stmt], module: &Module, found: &mut Vec<Diagnostic>) {
    for stmt in body {
        if let StmtKind::While { test, body, .. } = &stmt.kind {
            let waits = match body.as_slice() {
                [Stmt { kind: StmtKind::Pass, .. }] => loads(test),
                [Stmt { kind: StmtKind::Assign { value, .. }, .. }] => is_load(value),
                _ => false,
            };
            if waits {
                let message = "this loop waits for memory with an ordinary load, and can be left out";
                let help = "Load with `volatile=True`, or ask with `tl.atomic_add(flag, 0)`, which also orders what comes after.";
                let warning = Diagnostic::warning(DELETED_WAIT, message);
                found.push(warning.at(&module.file, test.span, "nothing in the loop changes it").help(help));
            }
        }
        stmt.kind.blocks().into_iter().for_each(|block| loops(block, module, found));
    }
}

fn loads(expr: &Expr) -> bool {
    let mut found = is_load(expr);
    expr.each_child(&mut |child| found |= loads(child));
    found
}

/// Whether this is `tl.load(…)` without `volatile=True`.
fn is_load(expr: &Expr) -> bool {
    let ExprKind::Call { func, args } = &expr.kind else { return false };
    let is_volatile = |arg: &Argument| matches!(arg, Argument::Keyword(name, value) if name.text == "volatile" && matches!(value.kind, ExprKind::Bool(true)));
    func.dotted_name().is_some_and(|name| name.ends_with("tl.load") || name.ends_with("language.load"))
        && !args.iter().any(is_volatile)
}
