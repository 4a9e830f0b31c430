//! Functions that become device code where they are named and not where they are defined: `kernel = triton.jit(function)`.

use crate::ast::{Argument, Expr, ExprKind, Stmt, StmtKind};
use crate::environment::Role;
use std::collections::HashSet;

/// Gives the functions that some `triton.jit(NAME)` of the text names the role that a decorator would give them.
pub(crate) fn apply_jit(body: &mut [Stmt]) {
    let mut names = HashSet::new();
    body.iter().for_each(|stmt| stmt.each_expression(&mut |expr| applied(expr, &mut names)));
    if !names.is_empty() {
        mark(body, &names);
    }
}

fn applied(expr: &Expr, names: &mut HashSet<String>) {
    if let ExprKind::Call { func, args } = &expr.kind
        && func.dotted_name().is_some_and(|name| name == "triton.jit" || name == "jit")
        && let Some(Argument::Positional(Expr { kind: ExprKind::Name(name), .. })) = args.first()
    {
        names.insert(name.clone());
    }
    expr.each_child(&mut |child| applied(child, names));
}

fn mark(body: &mut [Stmt], names: &HashSet<String>) {
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::FunctionDef(function) => {
                if names.contains(&function.name.text) && !function.is_jit() {
                    function.role = Some(Role::Jit);
                }
                mark(&mut function.body, names);
            }
            StmtKind::ClassDef(class) => mark(&mut class.body, names),
            StmtKind::If { body, orelse, .. }
            | StmtKind::For { body, orelse, .. }
            | StmtKind::While { body, orelse, .. } => {
                mark(body, names);
                mark(orelse, names);
            }
            StmtKind::With { body, .. } => mark(body, names),
            StmtKind::Try { body, handlers, orelse, finally } => {
                [body, orelse, finally].into_iter().for_each(|block| mark(block, names));
                handlers.iter_mut().for_each(|handler| mark(&mut handler.body, names));
            }
            StmtKind::Unsupported(_)
            | StmtKind::Return(_)
            | StmtKind::Assign { .. }
            | StmtKind::AugAssign { .. }
            | StmtKind::AnnAssign { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Import(_)
            | StmtKind::ImportFrom { .. }
            | StmtKind::Raise(_)
            | StmtKind::Global(_)
            | StmtKind::Nonlocal(_)
            | StmtKind::Delete(_)
            | StmtKind::Expr(_)
            | StmtKind::Pass
            | StmtKind::Break
            | StmtKind::Continue => {}
        }
    }
}
