//! What docs/tutorial.md shows of `tk lsp` is what it answers to an editor: a block `~~~hover FILE LINE COLUMN` is the text of the hover there.
//! `TK_BLESS=1` writes it.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const PAGE: &str = "docs/tutorial.md";
const MARK: &str = "~~~hover ";
/// How long the compiler of the server may take to add layouts; a test that fails waits for it.
const PATIENCE: Duration = Duration::from_secs(120);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An editor that talks to `tk lsp` over its standard input and output.
struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Editor {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tk"));
        command.args(["lsp", "--target", "sm_90a"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("tk starts");
        let input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut editor = Self { server, input, output, asked: 0 };
        editor.ask("initialize", json!({ "capabilities": {} }));
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        self.input.flush().expect("the server listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Value {
        let mut bytes = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server speaks");
            match line.trim().split_once(": ") {
                Some(("Content-Length", length)) => bytes = length.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; bytes];
        self.output.read_exact(&mut text).expect("the whole message");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// The hover at a place whose line and column count from 1, once it has what the compiler says.
    fn hover(&mut self, file: &Path, line: u64, column: u64) -> String {
        let uri = format!("file://{}", file.canonicalize().expect("the file is there").display());
        let text = std::fs::read_to_string(file).expect("the file is there");
        let document = json!({ "uri": uri, "languageId": "python", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        let place = json!({ "line": line - 1, "character": column - 1 });
        let start = Instant::now();
        loop {
            let answer = self.ask("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": place }));
            let said = answer["contents"]["value"].as_str().unwrap_or_default().to_string();
            if said.contains("**layout**") || start.elapsed() > PATIENCE {
                return said;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        drop(self.input);
        assert!(self.server.wait().expect("the server ends").success());
    }
}

#[test]
fn hovers_of_the_tutorial_are_what_editors_show() {
    let page = std::fs::read_to_string(root().join(PAGE)).expect("the page is there");
    let mut editor = Editor::start();
    let (mut fresh, mut count) = (String::new(), 0);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        fresh += &format!("{line}\n");
        let Some(place) = line.strip_prefix(MARK) else { continue };
        let words: Vec<&str> = place.split(' ').collect();
        let [file, line, column] = words[..] else { panic!("a file, a line and a column: {place}") };
        let number = |text: &str| text.parse().expect("a number");
        let said = editor.hover(&root().join(file), number(line), number(column));
        said.lines().for_each(|line| fresh += &format!("{}\n", line.trim_end()));
        fresh += "~~~\n";
        lines.by_ref().find(|line| *line == "~~~").expect("the block ends");
        count += 1;
    }
    editor.end();
    assert!(count > 0, "{PAGE} shows no hover");
    if fresh != page && std::env::var_os("TK_BLESS").is_some() {
        std::fs::write(root().join(PAGE), &fresh).expect("the page can be written");
    } else {
        assert_eq!(fresh, page, "{PAGE} is out of date; run the test with TK_BLESS=1");
    }
}
