//! Real kernels: the articles', the tutorials' and the examples' all check, and no damaged copy of them makes tk panic.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use tk_check::{CheckRequest, Checked, bind_signature, check, kernels, read_constant, read_signature};
use tk_diag::{Diagnostic, Severity, SourceFile, Style, render};
use tk_grammar::ast::Module;
use tk_target::Target;
use tk_types::{ArgSpec, CompileOptions, NamedConstant};

/// One line of the manifest.
struct Entry {
    file: String,
    kernel: String,
    specs: Vec<ArgSpec>,
    constexprs: Vec<NamedConstant>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels")
}

fn manifest() -> Vec<Entry> {
    include_str!("kernels/manifest.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let mut fields = line.split_whitespace();
            let mut next = || fields.next().expect("a field of the manifest").to_string();
            let (file, kernel, signature) = (next(), next(), next());
            let constexprs = fields
                .filter_map(|field| field.split_once('='))
                .map(|(name, value)| NamedConstant::new(name, read_constant(value).expect("a constant")))
                .collect();
            Entry { file, kernel, specs: read_signature(&signature).expect("a signature"), constexprs }
        })
        .collect()
}

fn check_entry(module: &Module, entry: &Entry) -> Result<Checked, Vec<Diagnostic>> {
    let args = bind_signature(module, &entry.kernel, Some(&entry.specs), &entry.constexprs)?;
    let options = CompileOptions { debug: true, ..CompileOptions::default() };
    check(&CheckRequest { module, kernel: &entry.kernel, args: &args, options, target: Target::default() })
}

fn shown(errors: &[Diagnostic]) -> String {
    errors.iter().map(|error| render(error, Style::Plain)).collect()
}

#[test]
fn real_kernels_check() {
    let entries = manifest();
    assert!(entries.len() >= 15);
    for entry in &entries {
        let text = std::fs::read_to_string(folder().join(&entry.file)).expect("a kernel file");
        let module =
            tk_grammar::parse(&SourceFile::new(entry.file.as_str(), text)).unwrap_or_else(|e| panic!("{}", shown(&e)));
        let checked = check_entry(&module, entry).unwrap_or_else(|e| panic!("{}:\n{}", entry.kernel, shown(&e)));
        if let Err(bug) = tk_check::checked::verify(&checked.kernel) {
            panic!("{}: {bug}\n{}", entry.kernel, checked.kernel);
        }
    }
}

#[test]
fn the_printed_form_is_stable() {
    let bless = std::env::var_os("TK_BLESS").is_some();
    for entry in manifest()
        .iter()
        .filter(|entry| matches!(entry.kernel.as_str(), "add_kernel" | "softmax_kernel" | "_layer_norm_bwd_dx_fused"))
    {
        let text = std::fs::read_to_string(folder().join(&entry.file)).expect("a kernel file");
        let module = tk_grammar::parse(&SourceFile::new(entry.file.as_str(), text)).expect("a kernel file that parses");
        let printed = check_entry(&module, entry).unwrap_or_else(|e| panic!("{}", shown(&e))).kernel.to_string();
        let name = format!("{}-{}.checked", entry.kernel, entry.specs[0]).replace(['*', ':'], "");
        let path = folder().join(name);
        if bless {
            std::fs::write(&path, &printed).expect("the blessed file");
        }
        let wanted = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(printed == wanted, "{} differs; review with TK_BLESS=1 and git diff\n{printed}", path.display());
    }
}

/// Words, numbers, strings and single marks, with the blanks before them.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        out.push(c.to_string());
    }
    out.push(word);
    out
}

/// Damages a token list in a few places.
fn damage(tokens: &[String], mut next: impl FnMut(usize) -> usize) -> String {
    const STRANGE: &[&str] = &[
        "None",
        "True",
        "0",
        "-1",
        "3",
        "2.5",
        "tl.float16",
        "(",
        ")",
        ":",
        ",",
        "=",
        "**",
        "//",
        "%",
        "@",
        "[0]",
        "[:, None]",
        ".T",
        ".shape",
        ".to(tl.int8)",
        "tl.dot",
        "tl.sum",
        "x",
        "return",
        "for",
        "if",
        "while",
        "pass",
        "not",
        "lambda",
        "'s'",
        "9999999999999999999",
        "<<",
        "tl.constexpr",
        "1e999",
        "range",
        "tl.make_block_ptr",
        "tl.advance",
        "tl.where",
        "in",
        "is",
    ];
    let mut tokens = tokens.to_vec();
    let is_word = |token: &String| token.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let words: Vec<usize> = (0..tokens.len().min(1500)).filter(|i| is_word(&tokens[*i])).collect();
    for _ in 0..=next(3) {
        let at = next(tokens.len().min(1500));
        match next(10) {
            0 => drop(tokens.remove(at)),
            1 => tokens.swap(at, next(words.len())),
            2 => tokens.insert(at, STRANGE[next(STRANGE.len())].to_string()),
            3..=5 => tokens[words[next(words.len())]] = STRANGE[next(STRANGE.len())].to_string(),
            _ => tokens[words[next(words.len())]] = tokens[words[next(words.len())]].clone(),
        }
    }
    tokens.concat()
}

#[test]
fn damaged_kernels_never_panic() {
    let entries = manifest();
    let texts: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| tokens(&std::fs::read_to_string(folder().join(&entry.file)).expect("a kernel file")))
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut next = |n: usize| random.random_range(0..n.max(1));
    let (mut parsed, mut accepted) = (0, 0);
    let rounds = std::env::var("TK_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2000);
    for round in 0..rounds {
        let which = round % entries.len();
        let entry = &entries[which];
        // Damage lands in the kernel under test more often when the text starts there.
        let start = texts[which].iter().position(|token| *token == entry.kernel).unwrap_or(0);
        let (head, body) = texts[which].split_at(start);
        let text = head.concat() + &damage(body, &mut next);
        let Ok(module) = tk_grammar::parse(&SourceFile::new("k.tk", text.as_str())) else { continue };
        parsed += 1;
        if kernels(&module).iter().all(|function| function.name.text != entry.kernel) {
            continue;
        }
        match check_entry(&module, entry) {
            Ok(checked) => {
                accepted += 1;
                tk_check::checked::verify(&checked.kernel).unwrap_or_else(|bug| panic!("{bug}\n{text}"));
            }
            Err(errors) => {
                assert!(!errors.is_empty(), "{text}");
                for error in errors {
                    assert_ne!(error.severity, Severity::Bug, "{}\n{text}", render(&error, Style::Plain));
                }
            }
        }
    }
    assert!(parsed > 300 && accepted > 20, "parsed {parsed}, accepted {accepted}");
}
