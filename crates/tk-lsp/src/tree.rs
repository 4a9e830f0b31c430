//! What the syntax tree says of names: the functions of a file, and what is bound in them and outside of them.

use crate::text::Text;
use tk_diag::Span;
use tk_grammar::ast::{ClassDef, Expr, ExprKind, FunctionDef, ImportAlias, Module, ParamKind, Stmt, StmtKind};

/// What a name is bound by.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binder<'a> {
    Parameter,
    Variable,
    Function(&'a FunctionDef),
    Class(&'a ClassDef),
    Import(&'a ImportAlias),
}

/// A name that is bound somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
    pub(crate) binder: Binder<'a>,
}

/// The function that a place is in: from its `def` to its last line, or further where the place is indented like its body.
pub(crate) fn function_at<'m>(module: &'m Module, text: &Text, offset: usize) -> Option<&'m FunctionDef> {
    let starts_before = |function: &&FunctionDef| function.span.start as usize <= offset;
    let function = module.functions().filter(starts_before).max_by_key(|function| function.span.start)?;
    let is_inside = offset <= function.span.end as usize || is_below(function, text, offset);
    is_inside.then_some(function)
}

/// Whether a place behind a function still belongs to it: the lines between are indented more than its `def`, or blank.
fn is_below(function: &FunctionDef, text: &Text, offset: usize) -> bool {
    let indent = |line: usize| {
        let line = text.line_text(line);
        line.len() - line.trim_start().len()
    };
    let (first, last) = (text.line(function.span.start as usize), text.line(offset));
    let end = text.line(function.span.end as usize);
    let column = text.position(offset).character as usize;
    let is_blank = |line: usize| text.line_text(line).trim().is_empty();
    let between = (end + 1..=last).all(|line| is_blank(line) || indent(line) > indent(first));
    between && (!is_blank(last) || column > indent(first))
}

/// What is bound in a function: its parameters and variables, in the order of the text.
pub(crate) fn locals(function: &FunctionDef) -> Vec<Name<'_>> {
    let parameters = function.params.iter();
    let mut names: Vec<Name<'_>> = parameters
        .map(|param| Name { text: &param.name.text, span: param.name.span, binder: Binder::Parameter })
        .collect();
    bound_in(&function.body, &mut names);
    names
}

/// What is bound at the top of a file, under `if` and `try` as well.
pub(crate) fn globals(body: &[Stmt]) -> Vec<Name<'_>> {
    let mut names = Vec::new();
    bound_in(body, &mut names);
    names
}

fn bound_in<'a>(body: &'a [Stmt], names: &mut Vec<Name<'a>>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::FunctionDef(function) => {
                let binder = Binder::Function(function);
                names.push(Name { text: &function.name.text, span: function.name.span, binder });
            }
            StmtKind::ClassDef(class) => {
                names.push(Name { text: &class.name.text, span: class.name.span, binder: Binder::Class(class) });
            }
            StmtKind::Import(aliases) | StmtKind::ImportFrom { names: aliases, .. } => {
                names.extend(aliases.iter().map(imported));
            }
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|target| target_names(target, names)),
            StmtKind::AugAssign { target, .. } | StmtKind::AnnAssign { target, .. } => target_names(target, names),
            StmtKind::For { target, body, orelse, .. } => {
                target_names(target, names);
                [body, orelse].into_iter().for_each(|part| bound_in(part, names));
            }
            StmtKind::While { body, orelse, .. } | StmtKind::If { body, orelse, .. } => {
                [body, orelse].into_iter().for_each(|part| bound_in(part, names));
            }
            StmtKind::With { items, body } => {
                items.iter().filter_map(|item| item.target.as_ref()).for_each(|target| target_names(target, names));
                bound_in(body, names);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                bound_in(body, names);
                handlers.iter().for_each(|handler| bound_in(&handler.body, names));
                [orelse, finally].into_iter().for_each(|part| bound_in(part, names));
            }
            StmtKind::Unsupported(_)
            | StmtKind::Return(_)
            | StmtKind::Assert { .. }
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

fn imported(alias: &ImportAlias) -> Name<'_> {
    let first = alias.name.split('.').next().unwrap_or(&alias.name);
    match &alias.alias {
        Some(name) => Name { text: &name.text, span: name.span, binder: Binder::Import(alias) },
        None => Name { text: first, span: alias.span, binder: Binder::Import(alias) },
    }
}

fn target_names<'a>(target: &'a Expr, names: &mut Vec<Name<'a>>) {
    match &target.kind {
        ExprKind::Name(text) => names.push(Name { text, span: target.span, binder: Binder::Variable }),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| target_names(item, names)),
        ExprKind::Starred(inner) => target_names(inner, names),
        _ => {}
    }
}

/// The binding that a name at a place means: the last one before it, or else the first one.
pub(crate) fn binding<'a>(names: &[Name<'a>], text: &str, offset: u32) -> Option<Name<'a>> {
    let mut same = names.iter().filter(|name| name.text == text);
    let here = same.clone().find(|name| (name.span.start..=name.span.end).contains(&offset));
    here.or_else(|| same.clone().rfind(|name| name.span.end <= offset)).or_else(|| same.next()).copied()
}

/// `def name(a, b: tl.constexpr, c=1)` as one line of the text.
pub(crate) fn signature(module: &Module, function: &FunctionDef) -> String {
    let parameters: Vec<String> = function.params.iter().map(|param| parameter(module, param)).collect();
    format!("def {}({})", function.name.text, parameters.join(", "))
}

/// A parameter as it is written.
pub(crate) fn parameter(module: &Module, param: &tk_grammar::ast::Param) -> String {
    let stars = match param.kind {
        ParamKind::VarArgs => "*",
        ParamKind::KeywordArgs => "**",
        ParamKind::Normal | ParamKind::PositionalOnly | ParamKind::KeywordOnly => "",
    };
    let annotation = param.annotation.as_ref().map(|annotation| module.file.slice(annotation.span));
    let default = param.default.as_ref().map(|default| module.file.slice(default.span));
    let mut text = format!("{stars}{}", param.name.text);
    if let Some(annotation) = annotation {
        text.push_str(&format!(": {annotation}"));
    }
    if let Some(default) = default {
        text.push_str(&format!("{}{default}", if annotation.is_some() { " = " } else { "=" }));
    }
    text
}

/// What a function says of itself.
pub(crate) fn docstring(function: &FunctionDef) -> Option<&str> {
    match &function.body.first()?.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Str(text), .. }) => Some(text.trim()),
        _ => None,
    }
}
