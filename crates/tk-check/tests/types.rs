//! Result types of expressions, compared with the reference compiler's.
//!
//! `tests/data/promotion.txt` and `expressions.txt` hold `expression => type`, written by `reference_types.py`;
//! `extensions.txt` lists what the reference refuses and tk accepts on purpose, with a reason.

use crate::request::check_k;
use std::collections::HashMap;
use std::fmt::Write;
use tk_check::{bind_signature, read_signature};
use tk_diag::{SourceFile, render_short};
use tk_types::{ConstValue, NamedConstant, ScalarType};

const TYPES: &[(&str, ScalarType)] = &[
    ("i1", ScalarType::I1),
    ("i8", ScalarType::I8),
    ("i16", ScalarType::I16),
    ("i32", ScalarType::I32),
    ("i64", ScalarType::I64),
    ("u8", ScalarType::U8),
    ("u16", ScalarType::U16),
    ("u32", ScalarType::U32),
    ("u64", ScalarType::U64),
    ("f16", ScalarType::F16),
    ("bf16", ScalarType::BF16),
    ("f32", ScalarType::F32),
    ("f64", ScalarType::F64),
    ("e5", ScalarType::F8E5M2),
    ("e4", ScalarType::F8E4M3),
];

/// The names that expressions use: a tensor and a scalar of each type, matrices, pointers.
fn prelude() -> String {
    let mut text = String::new();
    for (name, ty) in TYPES {
        let ty = ty.tl_name();
        let _ = writeln!(text, "    {name} = tl.full([16], 1, tl.float32).to(tl.{ty})");
        let _ = writeln!(text, "    s{name} = tl.full([], 1, tl.float32).to(tl.{ty})");
    }
    text.push_str("    m = tl.full([16, 32], 1, tl.float32)\n    mi = tl.full([16, 32], 1, tl.int32)\n");
    text.push_str("    h = tl.full([32, 32], 1, tl.float16)\n    b = tl.full([32, 32], 1, tl.bfloat16)\n");
    text.push_str("    q = tl.full([32, 32], 1, tl.int8)\n    p = p0 + tl.arange(0, 16)\n    r = tl.arange(0, 16)\n");
    text
}

/// The type that tk gives an expression, or its first error.
fn type_of(prelude: &str, expression: &str) -> Result<String, String> {
    let text = format!(
        "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(p0, n, C: tl.constexpr):\n{prelude}    value = {expression}\n    tl.static_print(value.type)\n"
    );
    let module = tk_grammar::parse(&SourceFile::new("k.tk", text)).map_err(|errors| render_short(&errors[0]))?;
    let specs = read_signature("*fp32,i32")?;
    let constexprs = [NamedConstant::new("C", ConstValue::Int(4))];
    let args = bind_signature(&module, "k", Some(&specs), &constexprs).map_err(|errors| render_short(&errors[0]))?;
    let checked = check_k(&module, &args).map_err(|errors| render_short(&errors[0]))?;
    tk_check::checked::verify(&checked.kernel).map_err(|bug| format!("not well formed: {bug}"))?;
    checked.printed.last().cloned().ok_or("nothing printed".to_string())
}

fn cases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once(" => "))
        .map(|(expression, ty)| (expression.trim(), ty.trim()))
}

#[test]
fn every_expression_has_the_reference_type() {
    let extensions: HashMap<&str, &str> = cases(include_str!("data/extensions.txt")).collect();
    let prelude = prelude();
    let mut wrong = String::new();
    let mut count = 0;
    for (expression, reference) in
        cases(include_str!("data/promotion.txt")).chain(cases(include_str!("data/expressions.txt")))
    {
        count += 1;
        let wanted = extensions.get(expression).copied().unwrap_or(reference);
        let found = type_of(&prelude, expression);
        let fine = match &found {
            Ok(ty) => ty == wanted,
            Err(error) => wanted == "error" && !error.contains("not well formed") && !error.contains("bug"),
        };
        if !fine {
            let _ = writeln!(wrong, "{expression} => {reference}   tk: {found:?}");
        }
    }
    assert!(count > 1900, "only {count} cases were read");
    assert!(wrong.is_empty(), "{wrong}");
}
