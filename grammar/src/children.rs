//! The parts of an expression and the expressions of a statement, in the order of the text: what a walk over the tree visits next.

use crate::ast::{Argument, Comprehension, Expr, ExprKind, FStringPart, FunctionDef, Param, Stmt, StmtKind};

impl Expr {
    /// Calls `visit` with each expression that stands directly inside this one.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Bytes(_) => {}
            ExprKind::Bool(_) | ExprKind::None | ExprKind::Ellipsis => {}
            ExprKind::FString(parts) => each_value(parts, visit),
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => items.iter().for_each(visit),
            ExprKind::BoolOp { values, .. } => values.iter().for_each(visit),
            ExprKind::Dict(entries) => {
                for (key, value) in entries {
                    key.iter().for_each(&mut *visit);
                    visit(value);
                }
            }
            ExprKind::Unary { operand: value, .. }
            | ExprKind::Attribute { value, .. }
            | ExprKind::Starred(value)
            | ExprKind::Walrus { value, .. } => visit(value),
            ExprKind::Binary { left, right, .. } => [left, right].into_iter().for_each(|part| visit(part)),
            ExprKind::Compare { left, rest } => {
                visit(left);
                rest.iter().for_each(|(_, right)| visit(right));
            }
            ExprKind::IfElse { test, body, orelse } => [body, test, orelse].into_iter().for_each(|part| visit(part)),
            ExprKind::Call { func, args } => {
                visit(func);
                args.iter().for_each(|arg| visit(arg.value()));
            }
            ExprKind::Subscript { value, index } => [value, index].into_iter().for_each(|part| visit(part)),
            ExprKind::Slice { lower, upper, step } => {
                [lower, upper, step].into_iter().flatten().for_each(|part| visit(part));
            }
            ExprKind::Lambda { params, body } => {
                params.iter().filter_map(|param| param.default.as_ref()).for_each(&mut *visit);
                visit(body);
            }
            ExprKind::ListComp { element, clauses }
            | ExprKind::GeneratorExp { element, clauses }
            | ExprKind::SetComp { element, clauses } => {
                visit(element);
                each_clause(clauses, visit);
            }
            ExprKind::DictComp { key, value, clauses } => {
                visit(key);
                visit(value);
                each_clause(clauses, visit);
            }
        }
    }
}

impl Argument {
    /// What is passed.
    pub fn value(&self) -> &Expr {
        match self {
            Argument::Positional(value)
            | Argument::Keyword(_, value)
            | Argument::Star(value)
            | Argument::DoubleStar(value) => value,
        }
    }
}

fn each_value<'a>(parts: &'a [FStringPart], visit: &mut dyn FnMut(&'a Expr)) {
    for part in parts {
        match part {
            FStringPart::Text(_) => {}
            FStringPart::Value { value, .. } => visit(value),
            FStringPart::Formatted { value, format, .. } => {
                visit(value);
                each_value(format, visit);
            }
        }
    }
}

fn each_clause<'a>(clauses: &'a [Comprehension], visit: &mut dyn FnMut(&'a Expr)) {
    for clause in clauses {
        visit(&clause.target);
        visit(&clause.iter);
        clause.conditions.iter().for_each(&mut *visit);
    }
}

impl Stmt {
    /// Calls `visit` with every expression that stands directly in this statement or in one inside it.
    pub fn each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let list = |stmts: &'a [Stmt], visit: &mut dyn FnMut(&'a Expr)| {
            stmts.iter().for_each(|stmt| stmt.each_expression(visit));
        };
        match &self.kind {
            StmtKind::FunctionDef(function) => function.each_expression(visit),
            StmtKind::ClassDef(class) => {
                class.decorators.iter().chain(&class.bases).for_each(&mut *visit);
                class.keywords.iter().for_each(|(_, value)| visit(value));
                list(&class.body, visit);
            }
            StmtKind::Return(value) | StmtKind::Raise(value) => value.iter().for_each(visit),
            StmtKind::Assign { targets, value } => targets.iter().chain([value]).for_each(visit),
            StmtKind::AugAssign { target, value, .. } => [target, value].into_iter().for_each(visit),
            StmtKind::AnnAssign { target, annotation, value } => {
                [target, annotation].into_iter().chain(value).for_each(visit);
            }
            StmtKind::For { target, iter, body, orelse } => {
                [target, iter].into_iter().for_each(&mut *visit);
                [body, orelse].into_iter().for_each(|part| list(part, visit));
            }
            StmtKind::While { test, body, orelse } | StmtKind::If { test, body, orelse } => {
                visit(test);
                [body, orelse].into_iter().for_each(|part| list(part, visit));
            }
            StmtKind::With { items, body } => {
                items.iter().for_each(|item| std::iter::once(&item.context).chain(&item.target).for_each(&mut *visit));
                list(body, visit);
            }
            StmtKind::Assert { test, message } => std::iter::once(test).chain(message).for_each(visit),
            StmtKind::Try { body, handlers, orelse, finally } => {
                list(body, visit);
                for handler in handlers {
                    handler.ty.iter().for_each(&mut *visit);
                    list(&handler.body, visit);
                }
                [orelse, finally].into_iter().for_each(|part| list(part, visit));
            }
            StmtKind::Delete(items) => items.iter().for_each(visit),
            StmtKind::Expr(value) => visit(value),
            StmtKind::Unsupported(_) | StmtKind::Import(_) | StmtKind::ImportFrom { .. } => {}
            StmtKind::Global(_) | StmtKind::Nonlocal(_) => {}
            StmtKind::Pass | StmtKind::Break | StmtKind::Continue => {}
        }
    }
}

impl FunctionDef {
    /// Calls `visit` with every expression that stands directly in its decorators, parameters and statements.
    pub fn each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let of_param = |param: &'a Param| param.annotation.iter().chain(&param.default);
        self.decorators.iter().chain(self.params.iter().flat_map(of_param)).chain(&self.returns).for_each(&mut *visit);
        self.body.iter().for_each(|stmt| stmt.each_expression(visit));
    }
}
