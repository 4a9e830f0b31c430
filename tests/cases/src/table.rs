//! The tables in tests/cases: one row says an operation, its reference, types, input domains and tolerance.
//!
//! A row is `expression | reference | types | domains | result | tolerance | reason`. The expression names its arguments
//! `x`, `y` and `z`; there is one domain per argument, separated by `;`. The result is a type, `same` (as the argument)
//! or `f32+` (f32, or f64 for f64). The tolerance is `ULPS` or `ULPS ABSOLUTE`; one other than 0 needs a reason.
//! `[name]` opens a section, which becomes a file; `[name, tk only]` one that Triton does not accept.

use crate::file::Tolerance;
use crate::number::Type;

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The section it stands in.
    pub section: String,
    /// Whether Triton accepts it.
    pub triton: bool,
    /// The expression of `x`, `y` and `z`.
    pub expression: String,
    /// The name of its reference.
    pub reference: String,
    /// The types of its arguments; all have the same.
    pub types: Vec<Type>,
    /// The domain of each argument.
    pub domains: Vec<String>,
    /// The type of its result, as written.
    result: String,
    /// How close it must be.
    pub tolerance: Tolerance,
}

impl Row {
    /// The type of the result for arguments of type `ty`.
    pub fn result(&self, ty: Type) -> Type {
        match self.result.as_str() {
            "f32+" if ty == Type::F64 => Type::F64,
            "f32+" => Type::F32,
            name => Type::parse(name).unwrap_or(ty),
        }
    }
}

/// The types of a group such as `ints`, or the one type of that name.
pub fn types(word: &str) -> Option<Vec<Type>> {
    use Type::*;
    Some(match word {
        "signed" => vec![I8, I16, I32, I64],
        "unsigned" => vec![U8, U16, U32, U64],
        "ints" => vec![I8, I16, I32, I64, U8, U16, U32, U64],
        "wide" => vec![I32, I64, U32, U64],
        "real" => vec![F32, F64],
        "half" => vec![F16, BF16],
        "floats" => vec![F16, BF16, F32, F64],
        "numbers" => vec![I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64],
        name => vec![Type::parse(name)?],
    })
}

/// Reads a table. The error names the line.
pub fn read(text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let (mut section, mut triton) = (String::new(), true);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let (name, flag) = title.split_once(',').unwrap_or((title, ""));
            (section, triton) = (name.trim().to_string(), flag.trim() != "tk only");
            continue;
        }
        rows.push(row(line, &section, triton).map_err(|error| format!("line {}: {error}: {line}", number + 1))?);
    }
    Ok(rows)
}

fn row(line: &str, section: &str, triton: bool) -> Result<Row, String> {
    // A bar between spaces separates columns only after the expression, which may be `x | y` itself.
    let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let count = cells.len();
    if count < 6 {
        return Err("a row needs expression, reference, types, domains, result and tolerance".into());
    }
    let after = if cells[0] == "x" && cells[1].starts_with('y') { 1 } else { 0 };
    let expression = cells[..=after].join(" | ");
    let [reference, kinds, domains, result, tolerance] = cells[after + 1..after + 6] else {
        return Err("a column is missing".into());
    };
    let kinds = kinds.split_whitespace().map(|word| types(word).ok_or(format!("no type `{word}`")));
    let mut numbers = tolerance.split_whitespace();
    let ulps = numbers.next().and_then(|text| text.parse().ok()).ok_or("the tolerance is no number")?;
    let absolute = numbers.next().map_or(Ok(0.0), str::parse).map_err(|_| "the absolute tolerance is no number")?;
    if (ulps != 0 || absolute != 0.0) && cells.get(after + 6).is_none_or(|reason| reason.is_empty()) {
        return Err("a tolerance needs a reason".into());
    }
    Ok(Row {
        section: section.into(),
        triton,
        expression,
        reference: reference.into(),
        types: kinds.collect::<Result<Vec<_>, _>>()?.concat(),
        domains: domains.split(';').map(|domain| domain.trim().to_string()).collect(),
        result: result.into(),
        tolerance: Tolerance { ulps, absolute },
    })
}
