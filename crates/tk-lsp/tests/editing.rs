//! Sessions in which a text changes: incremental changes, lines that are not finished, requests that are taken back.

use crate::client::{Editor, position};
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

const FILE: &str = "file:///kernels/edit.py";
const COPY: &str = "\
import os
import triton
import triton.language as tl


class Settings:
    def size(self):
        yield os.environ


@triton.jit
def copy(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(y_ptr + offsets, value, mask=offsets < n)
";

/// A change of `from` to `to`, where `from` stands first.
fn change(text: &str, from: &str, to: &str) -> (String, Value) {
    let start = text.find(from).expect("it is there");
    let place = |offset: usize| {
        let (line, character) = position(text, offset);
        json!({ "line": line, "character": character })
    };
    let range = json!({ "start": place(start), "end": place(start + from.len()) });
    (text.replacen(from, to, 1), json!({ "range": range, "text": to }))
}

#[test]
fn types_stay_while_a_line_is_being_written() {
    let mut editor = Editor::start();
    editor.open(FILE, COPY);
    assert_eq!(editor.diagnostics(FILE, 1), Vec::<Value>::new());
    let (text, edit) = change(COPY, "    value =", "    other = tl.load(x_ptr +\n    value =");
    editor.change(FILE, 2, json!([edit]));
    // Before the check, and after it.
    for _ in 0..2 {
        assert!(editor.hover(FILE, &text, "    off").contains("`i32[64]`"));
        assert!(editor.hover(FILE, &text, "    tl.store(y_ptr + off").contains("`i32[64]`"));
        assert!(editor.hover(FILE, &text, "    tl.sto").contains("Writes memory"));
        let diagnostics = editor.diagnostics(FILE, 2);
        assert_eq!(diagnostics[0]["code"], "syntax", "{diagnostics:?}");
        // The same again, so that the second round has something to wait for.
        editor.change(FILE, 2, json!([{ "text": text }]));
    }
    let (text, edit) = change(&text, "tl.load(x_ptr +", "tl.load(x_ptr + offsets)");
    editor.change(FILE, 3, json!([edit]));
    assert_eq!(editor.diagnostics(FILE, 3), Vec::<Value>::new());
    assert!(editor.hover(FILE, &text, "    oth").contains("`fp16[64]`"));
}

#[test]
fn incremental_changes_give_the_same_text_as_whole_ones() {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let mut editor = Editor::start();
    let mut text = COPY.replace("import os", "import os  # ĉ😀");
    editor.open(FILE, &text);
    let pieces = ["", "x", "😀", "\n", "    ", "tl.load(", ")", "é", "\r\n", "# "];
    for version in 2..60 {
        let mut edits = Vec::new();
        for _ in 0..random.random_range(1..4) {
            let boundaries: Vec<usize> = text
                .char_indices()
                .map(|(at, _)| at)
                .chain([text.len()])
                // A position between `\r` and `\n` is the end of the line to a server.
                .filter(|at| !text[..*at].ends_with('\r'))
                .collect();
            let start = random.random_range(0..boundaries.len());
            let end = (start + random.random_range(0..6)).min(boundaries.len() - 1);
            let (start, end) = (boundaries[start], boundaries[end]);
            let piece = pieces[random.random_range(0..pieces.len())];
            let place = |offset: usize| {
                let (line, character) = position(&text, offset);
                json!({ "line": line, "character": character })
            };
            edits.push(json!({ "range": { "start": place(start), "end": place(end) }, "text": piece }));
            text.replace_range(start..end, piece);
        }
        editor.change(FILE, version, json!(edits));
    }
    // What two editors are told of the text, one by changes and one at once, is the same.
    let mut other = Editor::start();
    other.open(FILE, &text);
    let symbols = json!({ "textDocument": { "uri": FILE } });
    let ask = |editor: &mut Editor| editor.ask("textDocument/documentSymbol", symbols.clone());
    assert_eq!(ask(&mut editor), ask(&mut other));
    assert_eq!(editor.diagnostics(FILE, 59), other.diagnostics(FILE, 1));
}

#[test]
fn requests_that_are_taken_back_are_answered_so() {
    let mut editor = Editor::start();
    editor.open(FILE, COPY);
    let params = json!({ "textDocument": { "uri": FILE }, "position": { "line": 11, "character": 5 } });
    let ids: Vec<_> = (0..200).map(|_| editor.send("textDocument/hover", params.clone())).collect();
    for id in &ids {
        editor.tell("$/cancelRequest", json!({ "id": id }));
    }
    let answers: Vec<Value> = ids.iter().map(|id| editor.answer_any(id)).collect();
    // Each is answered once: with a result, or with the error that says it was cancelled.
    assert!(answers.iter().all(|answer| answer.get("error").is_none_or(|code| *code == -32800)), "{answers:?}");
}

#[test]
fn a_closed_file_has_no_diagnostics() {
    let mut editor = Editor::start();
    editor.open(FILE, &COPY.replace("tl.load", "tl.lode"));
    assert_eq!(editor.diagnostics(FILE, 1).len(), 1);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": FILE } }));
    assert_eq!(editor.diagnostics_without_version(FILE), Vec::<Value>::new());
    assert_eq!(editor.hover(FILE, COPY, "    off"), "");
}
