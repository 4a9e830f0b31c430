//! Messages and texts that no editor sends: the server answers with an error or with nothing, and goes on.

use crate::client::Editor;
use serde_json::{Value, json};
use std::sync::Arc;
use tk_grammar::ast::Module;
use tk_inspect::Launch;
use tk_lsp::{End, Explainer, LineFact};

const FILE: &str = "file:///kernels/hostile.tk";
const FINE: &str =
    "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(p):\n    v = tl.load(p)\n    tl.store(p, v)\n";

/// Asks everything of every corner of a text.
fn ask_everything(editor: &mut Editor, text: &str) {
    let last = text.lines().count();
    let places = [(0, 0), (0, 1 << 30), (last / 2, 7), (last, 0), (u32::MAX as usize, u32::MAX as usize)];
    for (line, character) in places {
        let position = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": FILE }, "position": position });
        for method in ["hover", "definition", "completion", "signatureHelp"] {
            let answer = editor.ask(&format!("textDocument/{method}"), params.clone());
            assert_eq!(answer.get("error"), None, "{method} at {line}:{character}: {answer}");
        }
        let range = json!({ "start": position, "end": { "line": 0, "character": 0 } });
        let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": FILE }, "range": range }));
        assert_eq!(hints.get("error"), None, "{hints}");
    }
    let symbols = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": FILE } }));
    assert_eq!(symbols.get("error"), None, "{symbols}");
}

#[test]
fn texts_that_are_no_programs() {
    let kernel = "@triton.jit\ndef k(p):\n    ";
    let texts = [
        String::new(),
        "\u{feff}\r\r\r\n\0".to_string(),
        format!("{kernel}{}", "(".repeat(100_000)),
        format!("{kernel}x = {}1", "-".repeat(50_000)),
        format!("{kernel}x = p{}", ".a".repeat(20_000)),
        format!("{kernel}x = '''{}", "a\n".repeat(50_000)),
        format!("{kernel}x = {}1", "-".repeat(20_000)),
        format!("{kernel}x = {}1", "1 + ".repeat(7_000)),
        "?\n".repeat(100_000),
        format!("{kernel}x = {}", "1 + ".repeat(50_000)),
        (0..400).map(|depth| format!("{}if p:\n", " ".repeat(depth))).collect(),
        format!("{kernel}k(p)\n    while True:\n        k(p)\n"),
        (0..200_000).map(|at| format!("ĉ{at} = {at}; ")).collect(),
        format!("{kernel}{}", (0..20_000).map(|at| format!("v{at} = {at}\n    ")).collect::<String>()),
    ];
    let mut editor = Editor::start();
    editor.open(FILE, FINE);
    for (version, text) in texts.iter().enumerate() {
        editor.change(FILE, version as i32 + 2, json!([{ "text": text }]));
        ask_everything(&mut editor, text);
        let _ = editor.diagnostics(FILE, version as i32 + 2);
        ask_everything(&mut editor, text);
    }
    editor.change(FILE, 100, json!([{ "text": FINE }]));
    assert_eq!(editor.diagnostics(FILE, 100), Vec::<Value>::new());
    assert!(editor.hover(FILE, FINE, "    v").contains("**v**"));
    assert_eq!(editor.end(), End::Asked);
}

#[test]
fn a_file_that_is_too_large_is_not_looked_at() {
    let mut editor = Editor::start();
    editor.open(FILE, &format!("{FINE}{}", "# padding\n".repeat(500_000)));
    let diagnostics = editor.diagnostics(FILE, 1);
    assert!(diagnostics[0]["message"].as_str().is_some_and(|text| text.contains("4 MiB")), "{diagnostics:?}");
    ask_everything(&mut editor, FINE);
}

#[test]
fn messages_that_nobody_sends() {
    let mut editor = Editor::start();
    assert_eq!(editor.ask("textDocument/unheardOf", json!({}))["error"], -32601);
    assert_eq!(editor.ask("textDocument/hover", json!({ "textDocument": 5 }))["error"], -32602);
    assert_eq!(editor.ask("textDocument/hover", Value::Null)["error"], -32602);
    editor.tell("textDocument/didOpen", json!([1, 2]));
    editor
        .tell("textDocument/didChange", json!({ "textDocument": { "uri": FILE, "version": 3 }, "contentChanges": [] }));
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": FILE } }));
    editor.tell("$/cancelRequest", Value::Null);
    assert_eq!(editor.hover(FILE, FINE, "    v"), "");
    for uri in [
        "no address",
        "",
        "file://%ff%00/x",
        "http://example.org/k.py",
        "file:///a/../../../etc/passwd",
        "file:relative",
    ] {
        editor.open(uri, FINE);
        editor.change(uri, 2, json!([{ "range": Value::Null, "text": FINE }]));
        let answer = editor.at("textDocument/hover", uri, FINE, "    v");
        let is_fine = answer.get("error").is_none_or(|code| *code == -32602);
        assert!(is_fine, "{uri}: {answer}");
    }
    editor.open("untitled:Untitled-1", FINE);
    assert_eq!(editor.diagnostics("untitled:Untitled-1", 1), Vec::<Value>::new());
    assert!(editor.hover("untitled:Untitled-1", FINE, "    v").contains("**v**"));
    assert_eq!(editor.end(), End::Asked);
}

/// A compiler that panics.
struct Broken;

impl Explainer for Broken {
    fn explain(&self, _: &Module, _: &Launch) -> Result<Vec<LineFact>, String> {
        panic!("on purpose")
    }
}

#[test]
fn a_compiler_that_panics_ends_nothing() {
    let mut editor = Editor::with(Arc::new(Broken));
    editor.open(FILE, FINE);
    assert_eq!(editor.diagnostics(FILE, 1), Vec::<Value>::new());
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert!(editor.hover(FILE, FINE, "    v").contains("**v**"));
    assert_eq!(editor.end(), End::Asked);
}
