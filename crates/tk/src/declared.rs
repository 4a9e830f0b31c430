//! What a kernel declares about its parameters, read from annotations and from the decorator.

use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef, Param};
use tk_launch::DeclaredParam;
use tk_types::parse_signature;

/// One entry per parameter, in order.
pub(crate) fn declared_params(function: &FunctionDef) -> Vec<DeclaredParam> {
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
        let dotted = annotation.and_then(Expr::dotted_name).unwrap_or_default();
        DeclaredParam {
            name: name.to_string(),
            annotation: annotation.and_then(string).and_then(|text| Some(parse_signature(text).ok()?.pop()?.ty)),
            is_constexpr: dotted.ends_with("constexpr"),
            is_const: dotted.ends_with(".const") || dotted == "const",
            do_not_specialize: is_listed(&not_specialised, index, name),
            do_not_specialize_on_alignment: is_listed(&not_aligned, index, name),
        }
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
