//! What a kernel declares about its parameters, read from annotations and from the decorator.

use tk_check::annotation_type;
use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef, Module, Param};
use tk_launch::{DeclaredParam, ParamRole, Specialisation};

/// One entry per parameter, in order.
pub fn declared_params(module: &Module, function: &FunctionDef) -> Vec<DeclaredParam> {
    let not_specialised = listed(function, "do_not_specialize");
    let not_aligned = listed(function, "do_not_specialize_on_alignment");
    let is_listed = |list: &[Listed], index: usize, name: &str| {
        list.iter().any(|item| match item {
            Listed::Index(i) => *i == index as i128,
            Listed::Name(n) => n == name,
        })
    };
    let declare = |(index, param): (usize, &Param)| {
        let name = param.name.text.as_str();
        let annotation = param.annotation.as_ref();
        let is_const = |dotted: &str| dotted == "const" || dotted.ends_with(".const");
        let role = match annotation {
            Some(annotation) if module.is_constexpr(annotation) => ParamRole::Constexpr,
            Some(annotation) if is_const(&annotation.dotted_name().unwrap_or_default()) => ParamRole::Const,
            _ => ParamRole::Plain,
        };
        let specialisation = if is_listed(&not_specialised, index, name) {
            Specialisation::Nothing
        } else if is_listed(&not_aligned, index, name) {
            Specialisation::NotAlignment
        } else {
            Specialisation::Full
        };
        let annotation = annotation.and_then(string).and_then(annotation_type);
        DeclaredParam { name: name.to_string(), annotation, role, specialisation }
    };
    function.params.iter().enumerate().map(declare).collect()
}

/// A parameter in a decorator's list: by position or by name.
enum Listed {
    Index(i128),
    Name(String),
}

/// The list given to a keyword of the jit decorator, such as `do_not_specialize=["n", 3]`.
fn listed(function: &FunctionDef, keyword: &str) -> Vec<Listed> {
    let calls = function.decorators.iter().filter_map(|decorator| match &decorator.kind {
        ExprKind::Call { args, .. } => Some(args),
        _ => None,
    });
    let value = calls.flatten().find_map(|argument| match argument {
        Argument::Keyword(name, value) if name.text == keyword => Some(value),
        _ => None,
    });
    let items = match value.map(|value| &value.kind) {
        Some(ExprKind::List(items) | ExprKind::Tuple(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().filter_map(item).collect()
}

fn item(expr: &Expr) -> Option<Listed> {
    match &expr.kind {
        ExprKind::Int(index) => Some(Listed::Index(*index)),
        ExprKind::Str(name) => Some(Listed::Name(name.clone())),
        _ => None,
    }
}

fn string(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Str(text) => Some(text),
        _ => None,
    }
}
