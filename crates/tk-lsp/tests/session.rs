//! What each request answers on a file that is right, one that is wrong, and one that imports others.

use crate::client::{Editor, position};
use serde_json::{Value, json};
use std::sync::Arc;
use tk_grammar::ast::Module;
use tk_inspect::Launch;
use tk_lsp::{End, Explainer, LineFact, Subject};

const FILE: &str = "file:///kernels/scale.tk";
const SCALE: &str = "\
import triton
import triton.language as tl
from triton.language.extra import libdevice

LIMIT: tl.constexpr = 4


@triton.jit
def helper(a, b):
    \"\"\"Multiplies.\"\"\"
    return a * b


@triton.jit
def scale(x_ptr, y_ptr, n, factor, BLOCK: tl.constexpr):
    # 😀 tl.load
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    label = '😀'; x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    y = helper(x, factor) + libdevice.tanh(factor)
    total = tl.sum(y.to(tl.float32), axis=0)
    tl.store(y_ptr + offsets, y * total, mask=offsets < n)


def host(x_ptr):
    total = x_ptr
    return total
";

fn opened(text: &str) -> (Editor, Vec<Value>) {
    let mut editor = Editor::start();
    editor.open(FILE, text);
    let diagnostics = editor.diagnostics(FILE, 1);
    (editor, diagnostics)
}

#[test]
fn hover_tells_types_under_the_guess_and_what_is_written_of_functions() {
    let (mut editor, diagnostics) = opened(SCALE);
    assert_eq!(diagnostics, Vec::<Value>::new());
    let offsets = editor.hover(FILE, SCALE, "    off");
    assert!(offsets.starts_with("**offsets**: `i32[64]`"), "{offsets}");
    assert!(offsets.contains("guessed: `scale(x_ptr: *fp16") && offsets.contains("BLOCK=64"), "{offsets}");
    // A column behind a character of two UTF-16 code units.
    let x = editor.at("textDocument/hover", FILE, SCALE, "label = '😀'; x");
    assert!(x["contents"]["value"].as_str().is_some_and(|text| text.starts_with("**x**: `fp16[64]`")), "{x}");
    let (line, character) = position(SCALE, SCALE.find("x = tl.load").expect("it is there"));
    assert_eq!(x["range"]["start"], json!({ "line": line, "character": character }));
    let load = editor.hover(FILE, SCALE, "x = tl.lo");
    assert!(load.contains("tl.load(pointer, mask=…") && load.contains("Reads memory"), "{load}");
    assert!(load.contains("docs/language.md, Memory") && load.contains("**here**: `fp16[64]`"), "{load}");
    let tanh = editor.hover(FILE, SCALE, "libdevice.tan");
    assert!(tanh.contains("libdevice.tanh(") && tanh.contains("libdevice.tanh(h)"), "{tanh}");
    let helper = editor.hover(FILE, SCALE, "y = hel");
    assert!(helper.contains("def helper(a, b)") && helper.contains("Multiplies."), "{helper}");
    // In a function that is called, the types of the call.
    let a = editor.hover(FILE, SCALE, "return a");
    assert!(a.contains("`fp16[64]`") && a.contains("scale("), "{a}");
    let parameter = editor.hover(FILE, SCALE, "def scale(x_p");
    assert!(parameter.contains("`*fp16`"), "{parameter}");
    // Comments, strings and host code say nothing.
    for silent in ["# 😀 tl.lo", "label = '😀", "    total = x_p", "import tri"] {
        assert_eq!(editor.hover(FILE, SCALE, silent), "", "{silent}");
    }
    assert_eq!(editor.end(), End::Asked);
}

#[test]
fn definitions_lead_to_variables_functions_and_constants() {
    let (mut editor, _) = opened(SCALE);
    let mut leads = |before: &str, to: &str| {
        let found = editor.at("textDocument/definition", FILE, SCALE, before);
        let (line, character) = position(SCALE, SCALE.find(to).expect("it is there"));
        assert_eq!(found["range"]["start"], json!({ "line": line, "character": character }), "{before}: {found}");
    };
    leads("x_ptr + off", "offsets =");
    leads("y = hel", "helper(a, b)");
    leads("tl.sum(y", "y = helper");
    leads("tl.load(x_p", "x_ptr, y_ptr");
    leads("return to", "total = x_ptr");
    assert_eq!(editor.at("textDocument/definition", FILE, SCALE, "x = tl.lo"), Value::Null);
}

#[test]
fn completion_knows_the_language_names_and_parameters() {
    let text = format!(
        "{SCALE}\n\n@triton.jit\ndef next(x_ptr, BLOCK: tl.constexpr):\n    i = tl.arange(0, BLOCK)\n    v = tl."
    );
    let (mut editor, diagnostics) = opened(&text);
    assert!(!diagnostics.is_empty(), "the last line is not finished");
    let labels = editor.completion(FILE, &text, "    v = tl.");
    for known in ["load", "store", "dot", "float32", "constexpr", "math", "static_range"] {
        assert!(labels.iter().any(|label| label == known), "{known} of {labels:?}");
    }
    let answer = editor.at("textDocument/completion", FILE, &text, "    v = tl.");
    let dot = answer.as_array().into_iter().flatten().find(|item| item["label"] == "dot").expect("dot");
    assert!(dot["detail"].as_str().is_some_and(|text| text.starts_with("tl.dot(input, other")), "{dot}");
    assert!(
        dot["documentation"]["value"].as_str().is_some_and(|text| text.contains("product of two matrices")),
        "{dot}"
    );
    let ends =
        [("tl.math.", "tanh"), ("libdevice.", "cbrt"), ("tl.extra.cuda.", "smid"), ("i.", "to"), ("i.", "shape")];
    for (version, (end, known)) in ends.into_iter().enumerate() {
        let text = text.replace("    v = tl.", &format!("    v = {end}"));
        editor.change(FILE, version as i32 + 2, json!([{ "text": text }]));
        let labels = editor.completion(FILE, &text, &format!("    v = {end}"));
        assert!(labels.iter().any(|label| label == known), "{end}{known} of {labels:?}");
    }
    let text = text.replace("    v = tl.", "    v = tl.load(x_ptr + i, ");
    editor.change(FILE, 20, json!([{ "text": text }]));
    let labels = editor.completion(FILE, &text, "    v = tl.load(x_ptr + i, ");
    assert_eq!(labels.first().map(String::as_str), Some("pointer="));
    for known in ["mask=", "other=", "i", "x_ptr", "BLOCK", "helper", "tl", "range", "for"] {
        assert!(labels.iter().any(|label| label == known), "{known} of {labels:?}");
    }
    let help = editor.at("textDocument/signatureHelp", FILE, &text, "    v = tl.load(x_ptr + i, ");
    assert_eq!(help["signatures"][0]["activeParameter"], 1, "{help}");
    assert!(help["signatures"][0]["label"].as_str().is_some_and(|label| label.starts_with("tl.load(")), "{help}");
    // Behind an unfinished line, the line below it, and a blank line at the end.
    let text = text.replace("    v = tl.load(x_ptr + i, ", "    v = 1\n    ");
    editor.change(FILE, 21, json!([{ "text": text }]));
    assert!(editor.completion(FILE, &text, "    v = 1\n    ").iter().any(|label| label == "BLOCK"));
    assert_eq!(editor.completion(FILE, &text, "    total = x_ptr\n    "), Vec::<String>::new(), "host code");
}

#[test]
fn hints_and_symbols() {
    let (mut editor, _) = opened(SCALE);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": FILE }, "range": range }));
    let shown = |hint: &Value| {
        let line = SCALE.lines().nth(hint["position"]["line"].as_u64()? as usize)?;
        Some(format!("{}|{}", line.trim(), hint["label"].as_str()?))
    };
    let shown: Vec<String> = hints.as_array().into_iter().flatten().filter_map(shown).collect();
    assert!(shown.iter().any(|hint| hint.starts_with("offsets = ") && hint.ends_with("|: i32[64]")), "{shown:?}");
    assert!(shown.iter().any(|hint| hint.starts_with("total = tl.sum") && hint.ends_with("|: fp32")), "{shown:?}");
    assert!(shown.iter().all(|hint| !hint.starts_with("total = x_ptr")), "{shown:?}");
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": FILE } }));
    let names: Vec<&str> = symbols.as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["LIMIT", "helper", "scale", "host"]);
    assert_eq!((&symbols[2]["detail"], &symbols[3]["detail"]), (&json!("jit"), &Value::Null));
}

#[test]
fn diagnostics_are_those_of_tk_check_with_their_places() {
    let text = SCALE.replace("axis=0)", "axis=3)").replace("tl.program_id", "tl.program_idd");
    let (mut editor, diagnostics) = opened(&text);
    let first = &diagnostics[0];
    assert_eq!(
        (&first["code"], &first["severity"], &first["source"]),
        (&json!("unknown-name"), &json!(1), &json!("tk"))
    );
    assert!(first["message"].as_str().is_some_and(|text| text.contains("help: Did you mean `program_id`?")), "{first}");
    let (line, character) = position(&text, text.find("program_idd").expect("it is there"));
    assert_eq!(first["range"]["start"], json!({ "line": line, "character": character }));
    // A warning that the program silences is not told.
    let loud = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(p, vocab):\n    tl.store(p + vocab * vocab, 1.0)\n";
    editor.change(FILE, 2, json!([{ "text": loud }]));
    let warnings = editor.diagnostics(FILE, 2);
    assert_eq!((warnings.len(), &warnings[0]["severity"]), (1, &json!(2)), "{warnings:?}");
    let code = warnings[0]["code"].as_str().expect("a code");
    let quiet = loud.replace("1.0)", &format!("1.0)  # tk: allow({code})"));
    editor.change(FILE, 3, json!([{ "text": quiet }]));
    assert_eq!(editor.diagnostics(FILE, 3), Vec::<Value>::new());
}

#[test]
fn files_that_import_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let uri = |name: &str| {
        format!("file://{}", std::fs::canonicalize(folder.path()).expect("it is there").join(name).display())
    };
    let ops = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef twice(v):\n    \"\"\"Doubles.\"\"\"\n    return v + v\n";
    let main = "import triton\nimport triton.language as tl\nimport ops\nfrom ops import twice as double\n\n@triton.jit\ndef k(p, BLOCK: tl.constexpr):\n    i = tl.arange(0, BLOCK)\n    a = double(tl.load(p + i))\n    tl.store(p + i, ops.twice(a))\n";
    std::fs::write(folder.path().join("ops.py"), ops).expect("the folder can be written");
    std::fs::write(folder.path().join("main.py"), main).expect("the folder can be written");
    let mut editor = Editor::start();
    editor.open(&uri("main.py"), main);
    assert_eq!(editor.diagnostics(&uri("main.py"), 1), Vec::<Value>::new());
    for before in ["a = dou", "ops.twi"] {
        let found = editor.at("textDocument/definition", &uri("main.py"), main, before);
        assert_eq!(found["uri"], uri("ops.py"), "{before}: {found}");
        assert_eq!(found["range"]["start"], json!({ "line": 4, "character": 4 }), "{before}: {found}");
        assert!(editor.hover(&uri("main.py"), main, before).contains("Doubles."));
    }
    assert_eq!(editor.completion(&uri("main.py"), main, "p + i, ops."), ["triton", "tl", "twice"]);
    // A change in the other file that is not saved yet is seen.
    editor.open(&uri("ops.py"), ops);
    assert_eq!(editor.diagnostics(&uri("ops.py"), 1), Vec::<Value>::new());
    editor.change(&uri("ops.py"), 2, json!([{ "text": ops.replace("v + v", "v + missing") }]));
    loop {
        let diagnostics = editor.diagnostics(&uri("main.py"), 1);
        let Some(first) = diagnostics.first() else { continue };
        assert!(first["message"].as_str().is_some_and(|text| text.contains("ops.py:7:16: ")), "{first}");
        assert_eq!(first["relatedInformation"][0]["location"]["uri"], uri("ops.py"), "{first}");
        break;
    }
}

fn fact(at: usize, line: &str) -> LineFact {
    let column = line[..line.find("tl.load").expect("it is there")].chars().count() as u32 + 1;
    LineFact { line: at as u32 + 1, subject: Subject::Call(column), text: "128 bits wide".to_string() }
}

/// Says of each line where `tl.load` is that it is wide, and notes that it was asked.
struct Wide;

impl Explainer for Wide {
    fn explain(&self, module: &Module, launch: &Launch) -> Result<Vec<LineFact>, String> {
        assert_eq!(launch.kernel, "scale");
        let lines = module.file.text().lines().enumerate().filter(|(_, line)| line.contains("x = tl.load"));
        Ok(lines.map(|(at, line)| fact(at, line)).collect())
    }
}

#[test]
fn what_the_compiler_knows_is_shown_when_it_is_ready() {
    let mut editor = Editor::with(Arc::new(Wide));
    editor.open(FILE, SCALE);
    assert_eq!(editor.diagnostics(FILE, 1), Vec::<Value>::new());
    let mut load = String::new();
    while !load.contains("128 bits wide") {
        load = editor.hover(FILE, SCALE, "x = tl.lo");
        assert!(load.contains("Reads memory"), "{load}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(!editor.hover(FILE, SCALE, "total = tl.su").contains("128 bits"));
}
