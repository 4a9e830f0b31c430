//! Programs with mistakes and what tk says about them.
//!
//! `tests/errors/*.tk` hold cases: `# case: NAME | SIGNATURE | CONSTEXPRS`, then the body of a kernel `k(x, y, n, BLOCK)`, after
//! an optional part for the top of the file that ends in `---`. The messages are in the `.txt` beside it; `TK_BLESS=1` writes them.

use crate::request::check_k;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tk_check::{bind_signature, read_constant, read_signature};
use tk_diag::{Diagnostic, Severity, SourceFile, Style, render};
use tk_types::NamedConstant;

struct Case {
    name: String,
    text: String,
    signature: String,
    constexprs: String,
}

fn cases(file: &str) -> Vec<Case> {
    file.split("# case: ")
        .skip(1)
        .map(|part| {
            let (head, body) = part.split_once('\n').unwrap_or((part, ""));
            let mut fields = head.split('|').map(str::trim);
            let name = fields.next().unwrap_or_default().to_string();
            let signature = fields.next().unwrap_or("*fp32,*fp32,i32").to_string();
            let constexprs = fields.next().unwrap_or("BLOCK=128").to_string();
            let (top, body) = body.split_once("---\n").unwrap_or(("", body));
            let indented: String = body.lines().map(|line| format!("    {line}\n")).collect();
            let text = format!(
                "import triton\nimport triton.language as tl\n\n{top}\n@triton.jit\ndef k(x, y, n, BLOCK: tl.constexpr):\n{indented}"
            );
            Case { name, text, signature, constexprs }
        })
        .collect()
}

fn errors_of(case: &Case) -> Vec<Diagnostic> {
    let module = match tk_grammar::parse(&SourceFile::new("k.tk", case.text.as_str())) {
        Ok(module) => module,
        Err(errors) => return errors,
    };
    let specs = read_signature(&case.signature).expect("the signature of a case");
    let constexprs: Vec<_> = case
        .constexprs
        .split(',')
        .filter_map(|text| text.split_once('='))
        .map(|(name, value)| NamedConstant::new(name, read_constant(value).expect("a constant")))
        .collect();
    let args = match bind_signature(&module, "k", Some(&specs), &constexprs) {
        Ok(args) => args,
        Err(errors) => return errors,
    };
    check_k(&module, &args).err().unwrap_or_default()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors")
}

#[test]
fn every_mistake_has_its_message() {
    let bless = std::env::var_os("TK_BLESS").is_some();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder of cases")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "tk"))
        .collect();
    paths.sort();
    let mut count = 0;
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a file of cases");
        let mut found = String::new();
        for case in cases(&text) {
            count += 1;
            let errors = errors_of(&case);
            let _ = writeln!(found, "=== {}", case.name);
            assert!(!errors.is_empty(), "{}: `{}` is accepted", path.display(), case.name);
            for error in &errors {
                assert_eq!(error.severity, Severity::Error, "{}: {}", case.name, render(error, Style::Plain));
                assert!(error.help.is_some(), "{}: no help: {}", case.name, error.message);
                assert!(!error.message.ends_with('.'), "{}: full stop: {}", case.name, error.message);
                assert!(!error.labels.is_empty(), "{}: no place: {}", case.name, error.message);
                found.push_str(&render(error, Style::Plain));
            }
        }
        let expected = path.with_extension("txt");
        if bless {
            std::fs::write(&expected, &found).expect("the blessed file");
        }
        let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
        assert!(found == wanted, "{} differs; review with TK_BLESS=1 and git diff\n{found}", expected.display());
    }
    assert!(count >= 100, "only {count} cases");
}

/// Every form of Python's grammar in a kernel is compiled or refused in words for people.
#[test]
fn every_form_of_the_grammar_has_an_answer() {
    const FORMS: &str = include_str!("../../../grammar/tests/data/python-3.13.txt");
    for form in FORMS.split("----\n").filter(|form| !form.contains("import *")) {
        let body: String = form.lines().map(|line| format!("    {line}\n")).collect();
        let text = format!("@triton.jit\ndef k(x, y, z, n):\n    b = c = d = u = v = w = n\n{body}");
        let module = tk_grammar::parse(&SourceFile::new("k.tk", text.clone()))
            .unwrap_or_else(|errors| panic!("{text}{errors:?}"));
        let specs = read_signature("*fp32,i32,i32,i32").expect("a signature");
        let args = bind_signature(&module, "k", Some(&specs), &[]).unwrap_or_else(|errors| panic!("{text}{errors:?}"));
        for error in check_k(&module, &args).err().unwrap_or_default() {
            assert!(error.severity == tk_diag::Severity::Error && !error.labels.is_empty(), "{text}{error:?}");
        }
    }
}
