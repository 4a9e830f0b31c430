//! Which row of the language has which tests: `tables/coverage.table`, and how it is checked.
//!
//! A row is `name | types | evidence`. Evidence that is not written is a call as the section spells it (`tl.NAME(`,
//! `x.NAME(`). A row is covered when, for each of its types, a generated kernel with arrays of that type and with cases
//! holds the evidence. Other evidence, separated by `;`: `text TEXT` in place of the call, `feature NAME` of
//! python.table or methods.table, `test FILE.tk test_name` of tests/language. Types are `-` where a row has none; then
//! an example of docs/language.md will do, too.

use crate::file::File;
use crate::handbook::Example;
use crate::number::Type;
use crate::python::Feature;
use crate::table;

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The section it stands in.
    pub section: String,
    /// The function, method or sentence.
    pub name: String,
    /// The types that must be tested.
    pub types: Vec<Type>,
    evidence: Vec<Evidence>,
}

#[derive(Clone, Debug)]
enum Evidence {
    Text(String),
    Feature(String),
    Test { file: String, name: String },
}

/// Reads the table. The error names the line.
pub fn read(text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let (mut section, mut spelling) = ("", "");
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| format!("coverage.table, line {}: {what}: {line}", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            (section, spelling) = title.split_once(": ").unwrap_or((title, ""));
            continue;
        }
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [name, kinds, given @ ..] = &cells[..] else { return Err(wrong("a row needs a name and types")) };
        let mut types = Vec::new();
        for word in kinds.split_whitespace().filter(|word| *word != "-") {
            types.extend(table::types(word).ok_or_else(|| wrong("no such type"))?);
        }
        let evidence = match given.first() {
            Some(given) => given.split(';').map(|one| evidence(one.trim())).collect::<Option<Vec<_>>>(),
            None if spelling.is_empty() => None,
            None => Some(vec![Evidence::Text(spelling.replace("NAME", name))]),
        };
        let evidence = evidence.ok_or_else(|| wrong("no evidence"))?;
        rows.push(Row { section: section.into(), name: name.to_string(), types, evidence });
    }
    Ok(rows)
}

fn evidence(text: &str) -> Option<Evidence> {
    let (kind, rest) = text.split_once(' ')?;
    Some(match kind {
        "text" => Evidence::Text(rest.into()),
        "feature" => Evidence::Feature(rest.into()),
        "test" => {
            let (file, name) = rest.split_once(' ')?;
            Evidence::Test { file: file.into(), name: name.into() }
        }
        _ => return None,
    })
}

/// Everything that may be evidence.
pub struct Tests<'t> {
    /// The generated files.
    pub files: &'t [File],
    /// The examples of the page.
    pub examples: &'t [Example],
    /// The features of the tables of programs.
    pub features: &'t [Feature],
    /// The files of tests/language: name and text.
    pub language: &'t [(String, String)],
}

impl Tests<'_> {
    /// What a row lacks, in words; nothing when it is covered.
    pub fn lacking(&self, row: &Row) -> Option<String> {
        let mut found: Vec<Type> = Vec::new();
        let mut anywhere = false;
        for evidence in &row.evidence {
            match evidence {
                Evidence::Text(text) => {
                    let kernels = self.files.iter().flat_map(|file| &file.kernels).filter(|kernel| kernel.cases() > 0);
                    for kernel in kernels.filter(|kernel| kernel.holds(text)) {
                        anywhere = true;
                        found.extend(kernel.arrays.iter().map(|array| array.ty));
                    }
                    anywhere |= self.examples.iter().any(|example| example.cases > 0 && example.text.contains(text));
                }
                Evidence::Feature(name) => match self.features.iter().find(|feature| feature.name == *name) {
                    Some(feature) => {
                        anywhere = true;
                        found.extend(&feature.types);
                    }
                    None => return Some(format!("there is no feature `{name}`")),
                },
                Evidence::Test { file, name } => {
                    let mut matching = self.language.iter().filter(|(known, _)| known == file);
                    if !matching.any(|(_, text)| text.contains(&format!("\ndef {name}("))) {
                        return Some(format!("tests/language/{file} has no `{name}`"));
                    }
                    anywhere = true;
                }
            }
        }
        let missing: Vec<&str> = row.types.iter().filter(|ty| !found.contains(ty)).map(|ty| ty.name()).collect();
        match (anywhere, missing.is_empty()) {
            (true, true) => None,
            (false, _) => Some("nothing tests it".into()),
            (_, false) => Some(format!("no test with {}", missing.join(", "))),
        }
    }
}
