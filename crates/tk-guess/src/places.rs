//! What the places where a constexpr stands ask of it: a string of a known set, a type, a function, one of some constants.

use crate::walk::Call;
use std::collections::HashSet;
use tk_grammar::ast::{Argument, CompareOp, Expr, ExprKind};
use tk_types::ConstValue;

/// What a place asks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// One of these strings.
    Text(&'static [&'static str]),
    /// An element type.
    Dtype,
    /// A function that takes so many arguments.
    Function(usize),
    /// Something is divided by it.
    Divisor,
    /// It is compared with this constant.
    Compared(ConstValue),
}

/// What a place asks of the name that stands there.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) place: Place,
}

const FORMATS: Place = Place::Text(&["bf16", "e4m3", "e2m1"]);

/// What a keyword of the functions of `tl` asks.
fn keyword(name: &str) -> Option<Place> {
    Some(match name {
        "padding_option" => Place::Text(&["zero", "nan"]),
        "input_precision" => Place::Text(&["ieee", "tf32"]),
        "cache_modifier" | "eviction_policy" => Place::Text(&[""]),
        "sem" => Place::Text(&["relaxed", "acq_rel"]),
        "scope" => Place::Text(&["gpu", "cta"]),
        "lhs_format" | "rhs_format" => FORMATS,
        "dtype" | "out_dtype" => Place::Dtype,
        "combine_fn" => Place::Function(2),
        _ => return None,
    })
}

/// What an argument by position asks.
fn position(function: &str, index: usize) -> Option<Place> {
    Some(match (function, index) {
        ("dot_scaled", 2 | 5) => FORMATS,
        ("to", 0) | ("zeros", 1) | ("full", 2) | ("cast", 1) => Place::Dtype,
        ("reduce" | "associative_scan", 2) => Place::Function(2),
        _ => return None,
    })
}

/// What a call asks of the names among its arguments. `last` is the last part of the function's name.
pub(crate) fn of_call(last: &str, args: &[Argument], out: &mut Vec<Asked>) {
    for (index, arg) in args.iter().enumerate() {
        let place = match arg {
            Argument::Positional(_) => position(last, index),
            Argument::Keyword(name, _) => keyword(&name.text),
            _ => None,
        };
        if let (Some(place), ExprKind::Name(name)) = (place, &arg.value().kind) {
            out.push(Asked { name: name.clone(), place });
        }
    }
}

/// What `NAME == "text"` and `NAME in ("a", "b")` say.
pub(crate) fn of_comparison(left: &Expr, rest: &[(CompareOp, Expr)], out: &mut Vec<Asked>) {
    let (ExprKind::Name(name), [(op, right)]) = (&left.kind, rest) else { return };
    let items = match (op, &right.kind) {
        (CompareOp::Eq | CompareOp::NotEq, _) => std::slice::from_ref(right),
        (CompareOp::In | CompareOp::NotIn, ExprKind::Tuple(items) | ExprKind::List(items)) => items,
        _ => return,
    };
    let asked = |value| Asked { name: name.clone(), place: Place::Compared(value) };
    out.extend(items.iter().filter_map(literal).map(asked));
}

fn literal(expr: &Expr) -> Option<ConstValue> {
    match &expr.kind {
        ExprKind::Str(text) => Some(ConstValue::Str(text.clone())),
        ExprKind::Int(value) => Some(ConstValue::Int(*value)),
        _ => None,
    }
}

/// The parameters that are called as functions, with how many arguments.
pub(crate) fn called(calls: &[Call<'_>], params: &HashSet<&str>) -> Vec<Asked> {
    let of_params = calls.iter().filter(|call| params.contains(call.function.as_str()));
    of_params.map(|call| Asked { name: call.function.clone(), place: Place::Function(call.args.len()) }).collect()
}
