//! Every form of Python's grammar is read, at the top of a file and inside a function, whether tk runs it or not: host files have all of them.

use tk_diag::SourceFile;

/// Forms of Python 3.13, between lines of `----`.
const FORMS: &str = include_str!("data/python-3.13.txt");

/// What Python refuses at the place.
fn stands_in_function(form: &str) -> bool {
    !form.contains("import *")
}

#[test]
fn every_form_is_read() {
    let forms: Vec<&str> = FORMS.split("----\n").collect();
    assert!(forms.len() > 200, "{} forms", forms.len());
    let mut refused = Vec::new();
    for form in forms {
        let inside = format!("def outer():\n{}", form.lines().map(|line| format!("    {line}\n")).collect::<String>());
        for text in [form.to_string(), inside] {
            if text.starts_with("def outer") && !stands_in_function(form) {
                continue;
            }
            let file = SourceFile::new("form.py", text.clone());
            if let Err(faults) = tk_grammar::parse(&file) {
                refused.push(format!("{text}    {}", faults[0].message));
            }
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}
