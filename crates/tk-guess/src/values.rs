//! Types and values that parameters may have, by how they are used and how people name them.

use crate::places::Place;
use crate::uses::Uses;
use crate::walk::Walk;
use std::collections::HashSet;
use tk_grammar::ast::{Expr, ExprKind, Module};
use tk_types::{ArgType, ConstValue, ScalarType};

/// What the body of a kernel shows of its parameters.
#[derive(Clone, Copy)]
pub(crate) struct Evidence<'g> {
    pub(crate) uses: &'g Uses,
    /// Names that are used as integers.
    pub(crate) integers: &'g HashSet<String>,
    /// What tensors are made of that nothing is known of.
    pub(crate) element: ScalarType,
}

/// Whether an annotation may say the type of a parameter. The name of a class says none: that of the program, or `tl.tensor`.
pub(crate) fn may_name_a_type(annotation: &Expr) -> bool {
    match &annotation.kind {
        ExprKind::Str(text) => tk_check::annotation_type(text).is_some(),
        _ => annotation.dotted_name().is_none_or(|name| {
            let last = name.rsplit('.').next().unwrap_or_default();
            matches!(last, "int" | "float" | "bool") || ScalarType::parse(last).is_some()
        }),
    }
}

/// The type of a run-time parameter.
pub(crate) fn run_time(name: &str, annotation: Option<&Expr>, evidence: Evidence<'_>) -> ArgType {
    let Evidence { uses, integers, element } = evidence;
    if let Some(ExprKind::Str(text)) = annotation.map(|annotation| &annotation.kind)
        && let Some(ty) = tk_check::annotation_type(text)
    {
        return ty;
    }
    let lower = name.to_lowercase();
    let integral = integers.contains(name);
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if uses.pointers.contains(name) {
        let pointee = if uses.tables.contains(name) {
            ScalarType::I64
        } else if uses.bytes.contains(name) {
            ScalarType::U8
        } else if has(&["mask", "flag", "bool", "is_"]) {
            if uses.atomics.contains(name) { ScalarType::I32 } else { ScalarType::I1 }
        } else if integral || has(&["cu_", "seqlen", "offset", "len", "chunk_ind", "start", "loc", "table"]) {
            ScalarType::I32
        } else if has(&[
            "idx", "ind", "index", "ids", "label", "target", "slot", "lock", "count", "num", "perm", "map", "token_id",
        ]) {
            ScalarType::I64
        } else {
            element
        };
        return ArgType::Pointer { element: pointee, constant: false };
    }
    if let Some(name) = annotation.and_then(Expr::dotted_name)
        && let Some(scalar) = ScalarType::parse(name.trim_start_matches("tl."))
    {
        return ArgType::Scalar(scalar);
    }
    let real = has(&[
        "eps",
        "scale",
        "alpha",
        "beta",
        "softcap",
        "gamma",
        "float",
        "slope",
        "momentum",
        "weight",
        "lr",
        "prob",
        "threshold",
        "temperature",
        "smoothing",
        "cap",
    ]) || matches!(lower.as_str(), "p" | "value" | "val" | "lambda" | "decay" | "std" | "mean" | "factor");
    let real = real && !integral && !has(&["stride"]);
    ArgType::Scalar(if real { ScalarType::F32 } else { ScalarType::I32 })
}

/// The values that the constexprs of a kernel may have.
pub(crate) struct Constants<'g> {
    pub(crate) module: &'g Module,
    pub(crate) uses: &'g Uses,
}

impl Constants<'_> {
    /// Those of one; nothing means its default.
    pub(crate) fn of(&self, name: &str, default: Option<&Expr>) -> Vec<Option<ConstValue>> {
        let places = || self.uses.places.iter().filter(|asked| asked.name == name).map(|asked| &asked.place);
        let asked: Vec<ConstValue> = places().flat_map(|place| self.asked(place)).collect();
        if !asked.is_empty() {
            let default = default.map(|_| None);
            return default.into_iter().chain(asked.into_iter().map(Some)).collect();
        }
        if self.uses.flags.contains(name) {
            return [false, true].map(|flag| Some(ConstValue::Bool(flag))).to_vec();
        }
        let mut out = constants(name, default);
        // A size divides sizes; anything else that does is small.
        if out.contains(&Some(ConstValue::None)) && places().any(|place| *place == Place::Divisor) {
            let first = usize::from(default.is_some());
            out.splice(first..first, [1, 2, 4].map(|small| Some(ConstValue::Int(small))));
        }
        out.extend(places().filter_map(|place| match place {
            Place::Compared(value) => Some(Some(value.clone())),
            _ => None,
        }));
        out
    }

    /// The values that fit a place. Integers are compared with for special cases, so that they are none.
    fn asked(&self, place: &Place) -> Vec<ConstValue> {
        match place {
            Place::Text(texts) => texts.iter().map(|text| ConstValue::Str((*text).into())).collect(),
            Place::Dtype => [ScalarType::F32, ScalarType::F16, ScalarType::I32].map(ConstValue::Dtype).to_vec(),
            Place::Function(arguments) => self.functions(*arguments),
            Place::Compared(text @ ConstValue::Str(_)) => vec![text.clone()],
            Place::Compared(_) | Place::Divisor => Vec::new(),
        }
    }

    /// Functions of the file that give something for so many arguments, and one of the language.
    fn functions(&self, arguments: usize) -> Vec<ConstValue> {
        let fits = self.module.functions().filter(|function| {
            function.is_jit() && function.params.len() == arguments && Walk::of(&function.body).returns_value
        });
        let of_language = match arguments {
            1 => Some("triton.language.abs"),
            2 => Some("triton.language.maximum"),
            3 => Some("triton.language.fma"),
            _ => None,
        };
        let names = fits.map(|function| function.name.text.as_str()).chain(of_language);
        names.map(|name| ConstValue::Function(name.to_string())).collect()
    }
}

/// Values that a constexpr may have by its name; nothing means its default.
fn constants(name: &str, default: Option<&Expr>) -> Vec<Option<ConstValue>> {
    let int = |values: &[i128]| values.iter().map(|v| Some(ConstValue::Int(*v))).collect::<Vec<_>>();
    let upper = name.to_uppercase();
    let starts = |words: &[&str]| words.iter().any(|word| upper.starts_with(word));
    let has = |words: &[&str]| words.iter().any(|word| upper.contains(word));
    let mut out = Vec::new();
    if default.is_some() {
        out.push(None);
    }
    if has(&["DTYPE", "_TYPE", "OUT_TY"]) || upper == "TYPE" {
        out.extend([ScalarType::F32, ScalarType::F16, ScalarType::I32].map(|ty| Some(ConstValue::Dtype(ty))));
        out.push(Some(ConstValue::Str("float32".into())));
    } else if starts(&["BLOCK", "TILE", "CHUNK"])
        || has(&["BLOCK", "TILE"])
        || (upper.len() <= 3 && upper.starts_with('B') && upper != "B")
    {
        out.extend(int(&[64, 32, 16, 128, 1]));
    } else if starts(&[
        "USE",
        "HAS",
        "IS_",
        "DO_",
        "EVEN",
        "STORE",
        "LOAD",
        "WITH",
        "ENABLE",
        "ADD_",
        "RETURN",
        "CAUSAL",
        "COMPUTE",
        "REVERSE",
        "OUTPUT_",
        "INPUT_",
        "NEED",
        "SAVE",
        "APPLY",
        "RECOMPUTE",
        "NORM",
        "TRANS",
        "INPLACE",
        "FUSE",
        "VARLEN",
        "ALLOW",
        "MASK",
    ]) || has(&["CAUSAL", "FLAG", "TRANSPOSE", "VARLEN", "_IS_", "HAS_", "REVERSE"])
    {
        out.extend([false, true].map(|b| Some(ConstValue::Bool(b))));
        out.push(Some(ConstValue::Int(1)));
    } else if has(&["PRECISION"]) {
        out.push(Some(ConstValue::Str("ieee".into())));
    } else if has(&["ACT", "MODE", "REDUC", "METHOD"]) {
        out.extend(["none", "mean", "silu", "sum", "gelu", "relu"].map(|text| Some(ConstValue::Str(text.into()))));
        out.extend([Some(ConstValue::None), Some(ConstValue::Int(0)), Some(ConstValue::Int(1))]);
    } else if has(&["EPS", "SCALE", "ALPHA", "SOFTCAP"]) {
        out.extend([Some(ConstValue::Float(1.0)), Some(ConstValue::Int(16)), Some(ConstValue::Bool(true))]);
    } else if has(&["STAGE"]) {
        out.extend(int(&[1, 2, 3]));
    } else {
        out.extend(int(&[64, 128, 16, 1, 4]));
        out.extend([Some(ConstValue::Bool(false)), Some(ConstValue::Bool(true)), Some(ConstValue::None)]);
    }
    out
}
