//! The Python of kernels: one short program per feature and type, with a reference that says what every element must be.
//!
//! `tables/python.table` describes its form. Inputs are small integers in every type, so a reference is integer
//! arithmetic, written as nested calls (`add(x, mul(2, y))`) and evaluated here for one element at a time.

use crate::draw::seeded;
use crate::file::{Array, EXACT, File, Kernel};
use crate::number::{Number, Type};
use crate::table;
use rand::Rng;

/// Elements of a case.
const ELEMENTS: usize = 32;

/// One feature of the table.
#[derive(Clone, Debug, Default)]
pub struct Feature {
    /// Its name, which cases, kernels and functions begin with.
    pub name: String,
    /// What it is, in words.
    pub about: String,
    /// Whether Triton accepts it.
    pub triton: bool,
    /// The types that it is tested with.
    pub types: Vec<Type>,
    functions: Vec<String>,
    body: Vec<String>,
    reference: String,
}

/// Reads the table. The error names the line.
pub fn features(text: &str) -> Result<Vec<Feature>, String> {
    let mut features: Vec<Feature> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("line {}: {what}: {line}", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let (name, flag) = title.split_once(',').unwrap_or((title, ""));
            features.push(Feature { name: name.into(), triton: flag.trim() != "tk only", ..Feature::default() });
            continue;
        }
        let feature = features.last_mut().ok_or_else(|| wrong("no feature is open"))?;
        match line.split_once(' ') {
            Some((":", rest)) => feature.about = rest.into(),
            Some(("|", rest)) => feature.functions.push(rest.into()),
            Some((">", rest)) => feature.body.push(rest.into()),
            Some(("=", rest)) => feature.reference = rest.into(),
            _ => {
                for word in line.split_whitespace() {
                    feature.types.extend(table::types(word).ok_or_else(|| wrong("no such type"))?);
                }
            }
        }
    }
    match features.iter().find(|feature| feature.types.is_empty() || feature.reference.is_empty()) {
        Some(feature) => Err(format!("{} lacks its types or its reference", feature.name)),
        None => Ok(features),
    }
}

/// A file of what Triton accepts, and one of the rest when there is some.
pub fn files(name: &str, about: &str, text: &str) -> Result<Vec<File>, String> {
    let features = features(text)?;
    let file = |name: String, about: String, triton: bool| -> Result<File, String> {
        let mut kernels = Vec::new();
        for feature in features.iter().filter(|feature| feature.triton == triton) {
            for (index, ty) in feature.types.iter().enumerate() {
                kernels.push(kernel(feature, *ty, index)?);
            }
        }
        Ok(File { name, about, kernels, triton })
    };
    let mut files = vec![file(name.into(), about.into(), true)?];
    if features.iter().any(|feature| !feature.triton) {
        files.push(file(format!("{name}_more"), format!("{about}, more than Triton accepts"), false)?);
    }
    Ok(files)
}

fn kernel(feature: &Feature, ty: Type, index: usize) -> Result<Kernel, String> {
    let name = &feature.name;
    let mut kernel = Kernel::new(format!("{name}_{}", ty.name()));
    kernel.warps = [1, 4, 2][index % 3];
    if index == 0 {
        kernel.functions = definitions(&feature.functions);
    }
    let (x, y) = (inputs(name, "x"), inputs(name, "y"));
    for (array, values) in [("in0_ptr", &x), ("in1_ptr", &y)] {
        let numbers: Vec<Number> = values.iter().map(|value| number(*value, ty)).collect();
        kernel.arrays.push(Array::input(array, ty, &numbers));
    }
    kernel.scalars.push(("n".into(), "5".into()));
    kernel.scalars.push(("K: tl.constexpr".into(), "3".into()));
    for line in [
        &format!("i = tl.arange(0, {ELEMENTS})"),
        "x = tl.load(in0_ptr + i)",
        "y = tl.load(in1_ptr + i)",
        "s = tl.load(in0_ptr + 3)",
    ] {
        kernel.line(line.to_string());
    }
    for line in &feature.body {
        kernel.line(line.clone());
    }
    kernel.line(format!("tl.static_assert(r.dtype == tl.{})", ty.tl()));
    kernel.line("tl.store(out_ptr + i, r)".to_string());
    let mut expected = Vec::with_capacity(ELEMENTS);
    for element in 0..ELEMENTS {
        let values = Values { x: &x, y: &y, element };
        let mut rest = feature.reference.as_str();
        let value =
            values.evaluate(&mut rest, 0).ok_or_else(|| format!("{name}: no value of `{}`", feature.reference))?;
        if !rest.trim().is_empty() {
            return Err(format!("{name}: `{rest}` is left of the reference"));
        }
        expected.push(number(if ty.is_float() { value } else { ty.wrap(value) }, ty));
    }
    let mut output = Array::output("out_ptr", ty);
    output.expect(format!("{} of {}", feature.about.replace('`', ""), ty.name()), expected, EXACT);
    kernel.arrays.push(output);
    Ok(kernel)
}

/// Functions and classes, two empty lines before each that begins at the margin.
fn definitions(lines: &[String]) -> String {
    let mut text = String::new();
    let mut decorated = false;
    for line in lines {
        if !text.is_empty() && !decorated && !line.starts_with(' ') {
            text.push_str("\n\n");
        }
        decorated = line.starts_with('@');
        text.push_str(line);
        text.push('\n');
    }
    text
}

fn number(value: i128, ty: Type) -> Number {
    if ty.is_float() { Number::Float(value as f64) } else { Number::Int(value) }
}

/// Integers from 0 to 5; element 3 is 4, and element 7 the greatest.
fn inputs(feature: &str, name: &str) -> Vec<i128> {
    let mut random = seeded(&format!("{feature} {name}"));
    let drawn = (0..ELEMENTS).map(|index| match index {
        3 => 4,
        7 => 5,
        _ => random.random_range(0..6),
    });
    drawn.collect()
}

/// What the names of a reference mean for one element.
struct Values<'v> {
    x: &'v [i128],
    y: &'v [i128],
    element: usize,
}

/// Deepest nesting of a reference.
const MAX_DEPTH: usize = 32;

impl Values<'_> {
    /// Evaluates the expression that `rest` begins with, and leaves what follows it.
    fn evaluate(&self, rest: &mut &str, depth: usize) -> Option<i128> {
        let text = rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
        let (word, after) = text.split_at(end);
        *rest = after;
        let Some(inside) = after.strip_prefix('(') else { return self.name(word) };
        if depth > MAX_DEPTH {
            return None;
        }
        *rest = inside;
        if let "first" | "zeroth" | "least" | "most5" = word {
            let (name, after) = inside.split_once(')')?;
            *rest = after;
            let values = if name == "x" { self.x } else { self.y };
            return match word {
                "first" => values.get(3).copied(),
                "zeroth" => values.first().copied(),
                "least" => values.iter().min().copied(),
                _ => values[..5].iter().max().copied(),
            };
        }
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.evaluate(rest, depth + 1)?);
            let (separator, after) = rest.trim_start().split_at_checked(1)?;
            *rest = after;
            match separator {
                "," => {}
                ")" => return apply(word, &arguments),
                _ => return None,
            }
        }
    }

    fn name(&self, word: &str) -> Option<i128> {
        Some(match word {
            "x" => self.x[self.element],
            "y" => self.y[self.element],
            "s" => self.x[3],
            "n" => 5,
            "i" => self.element as i128,
            number => number.parse().ok()?,
        })
    }
}

fn apply(name: &str, arguments: &[i128]) -> Option<i128> {
    Some(match (name, arguments) {
        ("add", [a, b]) => a + b,
        ("sub", [a, b]) => a - b,
        ("mul", [a, b]) => a * b,
        ("div", [a, b]) => a.checked_div(*b)?,
        ("mod", [a, b]) => a.checked_rem(*b)?,
        ("min", [a, b]) => *a.min(b),
        ("max", [a, b]) => *a.max(b),
        ("eq", [a, b]) => i128::from(a == b),
        ("ne", [a, b]) => i128::from(a != b),
        ("lt", [a, b]) => i128::from(a < b),
        ("le", [a, b]) => i128::from(a <= b),
        ("gt", [a, b]) => i128::from(a > b),
        ("ge", [a, b]) => i128::from(a >= b),
        ("and", [a, b]) => a & b,
        ("or", [a, b]) => a | b,
        ("xor", [a, b]) => a ^ b,
        ("not", [a]) => i128::from(*a == 0),
        ("power2", [a]) => 1i128.checked_shl(u32::try_from(*a).ok()?)?,
        ("select", [condition, a, b]) => *if *condition != 0 { a } else { b },
        _ => return None,
    })
}
