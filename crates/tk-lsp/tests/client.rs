//! A scripted editor on the other end of a connection.

use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tk_lsp::lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use tk_lsp::{End, Explainer, Unexplained, serve};

/// A wait that only a test that has failed comes to the end of.
const FOREVER: Duration = Duration::from_secs(60);

/// An editor with its server in another thread.
pub(crate) struct Editor {
    connection: Connection,
    server: Option<std::thread::JoinHandle<End>>,
    next: i32,
    /// What came while something else was waited for.
    heard: Vec<Notification>,
    answered: Vec<Response>,
}

impl Editor {
    pub(crate) fn start() -> Self {
        Self::with(Arc::new(Unexplained))
    }

    pub(crate) fn with(explainer: Arc<dyn Explainer>) -> Self {
        let (connection, other) = Connection::memory();
        let work = move || serve(&other, explainer).expect("the server ends well");
        let server = std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread");
        let mut editor = Self { connection, server: Some(server), next: 0, heard: Vec::new(), answered: Vec::new() };
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["serverInfo"]["name"], "tk");
        editor.tell("initialized", json!({}));
        editor
    }

    pub(crate) fn tell(&self, method: &str, params: Value) {
        let note = Notification { method: method.to_string(), params };
        self.connection.sender.send(note.into()).expect("the server listens");
    }

    pub(crate) fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_string(), params };
        self.connection.sender.send(request.into()).expect("the server listens");
        id
    }

    /// The answer to a request: its result, or its error.
    pub(crate) fn answer(&mut self, id: &RequestId) -> Value {
        loop {
            match self.connection.receiver.recv_timeout(FOREVER).expect("the server answers") {
                Message::Response(response) if response.id == *id => {
                    let error = response.error.map(|error| json!({ "error": error.code, "message": error.message }));
                    return error.or(response.result).unwrap_or_default();
                }
                Message::Notification(note) => self.heard.push(note),
                Message::Response(_) | Message::Request(_) => {}
            }
        }
    }

    /// The answer to one of several requests, which come in any order.
    pub(crate) fn answer_any(&mut self, id: &RequestId) -> Value {
        if let Some(at) = self.answered.iter().position(|response| response.id == *id) {
            let response = self.answered.remove(at);
            let error = response.error.map(|error| json!({ "error": error.code }));
            return error.or(response.result).unwrap_or_default();
        }
        match self.connection.receiver.recv_timeout(FOREVER).expect("the server answers") {
            Message::Response(response) => self.answered.push(response),
            Message::Notification(note) => self.heard.push(note),
            Message::Request(_) => {}
        }
        self.answer_any(id)
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(&id)
    }

    pub(crate) fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "python", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The diagnostics of a version of a file, once they are there.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        self.published(uri, &json!(version))
    }

    /// The diagnostics of a file that is closed.
    pub(crate) fn diagnostics_without_version(&mut self, uri: &str) -> Vec<Value> {
        self.published(uri, &Value::Null)
    }

    /// The versions of a file whose diagnostics came and were not looked at.
    pub(crate) fn heard_diagnostics(&self, uri: &str) -> Vec<Value> {
        let is_it =
            |note: &&Notification| note.method == "textDocument/publishDiagnostics" && note.params["uri"] == uri;
        self.heard.iter().filter(is_it).map(|note| note.params["version"].clone()).collect()
    }

    fn published(&mut self, uri: &str, version: &Value) -> Vec<Value> {
        let is_it = |note: &Notification| {
            let params = &note.params;
            let is_version = params.get("version").unwrap_or(&Value::Null) == version;
            note.method == "textDocument/publishDiagnostics" && params["uri"] == uri && is_version
        };
        loop {
            if let Some(at) = self.heard.iter().position(is_it) {
                let note = self.heard.remove(at);
                return note.params["diagnostics"].as_array().cloned().unwrap_or_default();
            }
            match self.connection.receiver.recv_timeout(FOREVER).expect("the server reports") {
                Message::Notification(note) => self.heard.push(note),
                Message::Response(_) | Message::Request(_) => {}
            }
        }
    }

    /// Asks something of the place of a text that stands behind `before`.
    pub(crate) fn at(&mut self, method: &str, uri: &str, text: &str, before: &str) -> Value {
        let offset = text.find(before).unwrap_or_else(|| panic!("{before} is in the text")) + before.len();
        let (line, character) = position(text, offset);
        let position = json!({ "line": line, "character": character });
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    /// The text of a hover behind `before`; empty where there is none.
    pub(crate) fn hover(&mut self, uri: &str, text: &str, before: &str) -> String {
        let answer = self.at("textDocument/hover", uri, text, before);
        answer["contents"]["value"].as_str().unwrap_or_default().to_string()
    }

    /// The labels that can stand behind `before`.
    pub(crate) fn completion(&mut self, uri: &str, text: &str, before: &str) -> Vec<String> {
        let answer = self.at("textDocument/completion", uri, text, before);
        let labels = answer.as_array().into_iter().flatten().filter_map(|item| item["label"].as_str());
        labels.map(str::to_string).collect()
    }

    pub(crate) fn end(mut self) -> End {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        assert_eq!(self.ask("textDocument/hover", json!({}))["error"], -32600);
        self.tell("exit", Value::Null);
        self.server.take().expect("it runs").join().expect("it ends")
    }
}

/// Line and column in UTF-16, counted here on its own.
pub(crate) fn position(text: &str, offset: usize) -> (usize, usize) {
    let line = text[..offset].matches('\n').count();
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    (line, text[start..offset].encode_utf16().count())
}
