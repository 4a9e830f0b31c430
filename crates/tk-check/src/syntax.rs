//! Questions that the text of statements answers: which names they assign, and whether they jump.

use tk_grammar::ast::{Expr, ExprKind, FunctionDef, Stmt, StmtKind};
use tk_grammar::environment::Role;

/// Whether any statement of a list, at any depth, returns.
pub(crate) fn contains_return(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::If { body, orelse, .. }
        | StmtKind::For { body, orelse, .. }
        | StmtKind::While { body, orelse, .. } => contains_return(body) || contains_return(orelse),
        StmtKind::With { body, .. } => contains_return(body),
        _ => false,
    })
}

/// The names that statements assign at any depth, each once, in order of first appearance.
pub(crate) fn assigned_names(stmts: &[Stmt]) -> Vec<&str> {
    let mut names = Names::default();
    names.stmts(stmts);
    names.order
}

/// `receiver.method(…)`, where the receiver is a name.
pub(crate) struct MethodCall<'s> {
    pub(crate) receiver: &'s str,
    pub(crate) method: &'s str,
}

/// The calls of methods of names in statements, at any depth.
pub(crate) fn method_calls(stmts: &[Stmt]) -> Vec<MethodCall<'_>> {
    fn of<'s>(expr: &'s Expr, found: &mut Vec<MethodCall<'s>>) {
        if let ExprKind::Call { func, .. } = &expr.kind
            && let ExprKind::Attribute { value, name } = &func.kind
            && let ExprKind::Name(receiver) = &value.kind
        {
            found.push(MethodCall { receiver, method: &name.text });
        }
        expr.each_child(&mut |child| of(child, found));
    }
    let mut found = Vec::new();
    stmts.iter().for_each(|stmt| stmt.each_expression(&mut |expr| of(expr, &mut found)));
    found
}

/// The names that an expression assigns with `:=`.
pub(crate) fn walrus_names(expr: &Expr) -> Vec<&str> {
    let mut names = Names::default();
    names.expr(expr);
    names.order
}

#[derive(Default)]
struct Names<'s> {
    order: Vec<&'s str>,
    seen: rustc_hash::FxHashSet<&'s str>,
}

impl<'s> Names<'s> {
    fn add(&mut self, name: &'s str) {
        if self.seen.insert(name) {
            self.order.push(name);
        }
    }

    fn stmts(&mut self, stmts: &'s [Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign { targets, value } => {
                    self.expr(value);
                    targets.iter().for_each(|target| self.target(target));
                }
                StmtKind::AugAssign { target, value, .. } => {
                    self.expr(value);
                    self.target(target);
                }
                StmtKind::AnnAssign { target, value: Some(value), .. } => {
                    self.expr(value);
                    self.target(target);
                }
                StmtKind::For { target, iter, body, orelse } => {
                    self.expr(iter);
                    self.target(target);
                    self.stmts(body);
                    self.stmts(orelse);
                }
                StmtKind::While { test, body, orelse } | StmtKind::If { test, body, orelse } => {
                    self.expr(test);
                    self.stmts(body);
                    self.stmts(orelse);
                }
                StmtKind::With { body, .. } => self.stmts(body),
                StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.expr(expr),
                _ => {}
            }
        }
    }

    fn target(&mut self, target: &'s Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.add(name),
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.target(item)),
            ExprKind::Starred(inner) => self.target(inner),
            _ => {}
        }
    }

    /// `:=` targets, but for those of a `lambda`: they are its own.
    fn expr(&mut self, expr: &'s Expr) {
        match &expr.kind {
            ExprKind::Lambda { .. } => return,
            ExprKind::Walrus { name, .. } => self.add(&name.text),
            _ => {}
        }
        expr.each_child(&mut |child| self.expr(child));
    }
}

/// Whether statements leave the loop they stand in or its iteration: a `return` at any depth, the others at theirs.
pub(crate) fn contains_jump(stmts: &[Stmt]) -> bool {
    finds(stmts, &|kind| matches!(kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)))
}

/// Whether statements leave the loop they stand in.
pub(crate) fn contains_exit(stmts: &[Stmt]) -> bool {
    finds(stmts, &|kind| matches!(kind, StmtKind::Break | StmtKind::Return(_)))
}

fn finds(stmts: &[Stmt], wanted: &dyn Fn(&StmtKind) -> bool) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::If { body, orelse, .. } => finds(body, wanted) || finds(orelse, wanted),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => contains_return(body),
        kind => wanted(kind),
    })
}

/// `@triton.constexpr_function`, a private name for it (`_constexpr_function`), or `@tl.constexpr` of older files: evaluated like a jit
/// function on constants.
pub(crate) fn is_constexpr_function(function: &FunctionDef) -> bool {
    if let Some(role) = function.role {
        return role == Role::CompileTime;
    }
    function.decorators.iter().any(|decorator| {
        decorator
            .dotted_name()
            .and_then(|name| name.rsplit('.').next().map(|name| name.trim_start_matches('_').to_string()))
            .is_some_and(|name| matches!(name.as_str(), "constexpr_function" | "constexpr"))
    })
}
