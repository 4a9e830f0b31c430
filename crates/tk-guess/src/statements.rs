//! How far a body has been checked when something in it is found.

use tk_grammar::ast::{Module, Stmt, StmtKind};

/// The end of the simple statement at this place, or of what stands before the body of one with a body; the place itself outside of
/// functions. All that a statement says belongs together: its parts are not checked in the order of the text.
pub fn statement_end(module: &Module, place: u32) -> u32 {
    let mut functions = module.functions().filter(|function| function.is_jit());
    functions.find_map(|function| end_in(&function.body, place)).unwrap_or(place)
}

fn end_in(body: &[Stmt], place: u32) -> Option<u32> {
    let stmt = body.iter().find(|stmt| stmt.span.start <= place && place < stmt.span.end)?;
    let inner = blocks(&stmt.kind);
    let end = match inner.iter().filter_map(|block| block.first()).map(|first| first.span.start).min() {
        Some(first) => first - 1,
        None => stmt.span.end,
    };
    Some(inner.into_iter().find_map(|block| end_in(block, place)).unwrap_or(end))
}

/// The bodies of a statement.
pub(crate) fn blocks(kind: &StmtKind) -> Vec<&[Stmt]> {
    match kind {
        StmtKind::For { body, orelse, .. }
        | StmtKind::While { body, orelse, .. }
        | StmtKind::If { body, orelse, .. } => {
            vec![body, orelse]
        }
        StmtKind::With { body, .. } => vec![body],
        StmtKind::Try { body, handlers, orelse, finally } => {
            let handlers = handlers.iter().map(|handler| handler.body.as_slice());
            [body.as_slice()].into_iter().chain(handlers).chain([orelse.as_slice(), finally.as_slice()]).collect()
        }
        StmtKind::FunctionDef(function) => vec![&function.body],
        StmtKind::Unsupported(_)
        | StmtKind::ClassDef(_)
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
        | StmtKind::Continue => Vec::new(),
    }
}
