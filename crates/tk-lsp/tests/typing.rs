//! What is answered while something slow goes on behind the server: what was known before, at once.

use crate::client::Editor;
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use tk_grammar::ast::Module;
use tk_inspect::Launch;
use tk_lsp::{Explainer, LineFact, Subject};

const FILE: &str = "file:///kernels/typing.tk";
const COPY: &str = "\
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(y_ptr + offsets, value, mask=offsets < n)
";

/// A compiler that says when it begins and goes on when it is told.
struct Held {
    begun: Sender<()>,
    go: Mutex<Receiver<()>>,
}

impl Explainer for Held {
    fn explain(&self, _: &Module, _: &Launch) -> Result<Vec<LineFact>, String> {
        self.begun.send(()).expect("the test listens");
        self.go.lock().expect("one thread compiles").recv().expect("the test says so");
        let subject = Subject::Variable("value".to_string());
        Ok(vec![LineFact { line: 8, subject, text: "compiled at last".to_string() }])
    }
}

#[test]
fn answers_do_not_wait_for_compilation() {
    let (begun, begins) = channel();
    let (release, go) = channel();
    let mut editor = Editor::with(Arc::new(Held { begun, go: Mutex::new(go) }));
    editor.open(FILE, COPY);
    assert_eq!(editor.diagnostics(FILE, 1), Vec::<Value>::new());
    begins.recv().expect("the compilation begins");
    // It does not end before the test says so, and everything is answered meanwhile.
    let hover = editor.hover(FILE, COPY, "    val");
    assert!(hover.starts_with("**value**: `fp16[64]`") && !hover.contains("compiled"), "{hover}");
    let text = COPY.replace("    tl.store", "    more = tl.\n    tl.store");
    editor.change(FILE, 2, json!([{ "text": text }]));
    assert!(editor.completion(FILE, &text, "more = tl.").contains(&"load".to_string()));
    assert!(editor.hover(FILE, &text, "    val").contains("`fp16[64]`"));
    assert_eq!(editor.diagnostics(FILE, 2)[0]["code"], "syntax");
    // What it says of a text that is gone is not told of the next one.
    release.send(()).expect("the compiler listens");
    editor.change(FILE, 3, json!([{ "text": COPY }]));
    assert_eq!(editor.diagnostics(FILE, 3), Vec::<Value>::new());
    begins.recv().expect("the next compilation begins");
    assert!(!editor.hover(FILE, COPY, "    val").contains("compiled"));
    release.send(()).expect("the compiler listens");
    while !editor.hover(FILE, COPY, "    val").contains("compiled at last") {
        std::thread::yield_now();
    }
}

#[test]
fn answers_do_not_wait_for_checks() {
    let mut editor = Editor::start();
    editor.open(FILE, COPY);
    assert_eq!(editor.diagnostics(FILE, 1), Vec::<Value>::new());
    // Kernels that are checked with many guesses, each up to the limit of work: minutes.
    let slow = (0..50).map(|at| {
        format!(
            "\n\n@triton.jit\ndef slow{at}(p, BLOCK: tl.constexpr):\n    x = 0\n    for i in tl.static_range(1000000):\n        x += i\n    tl.store(p, x.nothing)\n"
        )
    });
    let text = format!("{}\n\n{COPY}", slow.collect::<String>());
    editor.change(FILE, 2, json!([{ "text": text }]));
    for version in 3..20 {
        let text = text.replacen("offsets = ", &format!("{} = 1\n    offsets = ", "n".repeat(version)), 1);
        editor.change(FILE, version as i32, json!([{ "text": text }]));
        assert!(editor.hover(FILE, &text, "    val").starts_with("**value**: `fp16[64]`"));
        assert!(editor.completion(FILE, &text, "value = tl.").contains(&"store".to_string()));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let heard = editor.heard_diagnostics(FILE);
    assert!(heard.iter().all(|version| *version == json!(1)), "the checks were not slow: {heard:?}");
}
