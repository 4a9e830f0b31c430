//! The server: takes messages, answers requests from what is known, and has files checked in the background.
//!
//! The loop owns the files. A request is answered from the text as it is now and from the last version that was checked, so an
//! answer never waits for a check. Checks report through a channel.

use crate::analysis::{Analysis, Input, OpenFile, analyse};
use crate::background::{Background, Ended};
use crate::diagnostics::Shower;
use crate::document::{Document, MAX_BYTES, MAX_LINE};
use crate::explain::{Explained, Explainer};
use crate::requests;
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::Notification as _;
use lsp_types::{
    ClientCapabilities, Diagnostic as Shown, DiagnosticSeverity, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, PublishDiagnosticsParams, Range, Url,
    notification,
};
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// After a change, before a check begins.
const PAUSE: Duration = Duration::from_millis(150);
/// After a check, before kernels are compiled for what only the compiler knows.
const LONG_PAUSE: Duration = Duration::from_millis(700);
/// Kernels of one file that are compiled for that.
const MAX_EXPLAINED: usize = 32;

/// What the background reports.
enum Report {
    Checked { uri: Url, version: i32, analysis: Arc<Analysis> },
    NotChecked { uri: Url, version: i32, message: String },
}

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The editor asked for it.
    Asked,
    /// The editor went away.
    Alone,
}

pub(crate) struct Server<'c> {
    connection: &'c Connection,
    documents: FxHashMap<Url, Document>,
    checks: Background,
    explanations: Background,
    explainer: Arc<dyn Explainer>,
    reports: Sender<Report>,
    reported: Receiver<Report>,
    /// Messages that came while others were answered.
    inbox: VecDeque<Message>,
    can_refresh: bool,
    is_shut_down: bool,
    requests_sent: i32,
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Serves one editor until it asks to end, or goes away.
///
/// # Errors
/// The editor does not speak the protocol, or the system has no threads.
pub fn serve(connection: &Connection, explainer: Arc<dyn Explainer>) -> Result<End, Failure> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let answer = serde_json::json!({
        "capabilities": requests::capabilities(),
        "serverInfo": { "name": "tk", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer)?;
    let (reports, reported) = unbounded();
    let mut server = Server {
        connection,
        documents: FxHashMap::default(),
        checks: Background::start("tk-check")?,
        explanations: Background::start("tk-explain")?,
        explainer,
        reports,
        reported,
        inbox: VecDeque::new(),
        can_refresh: can_refresh(&params.capabilities),
        is_shut_down: false,
        requests_sent: 0,
    };
    server.run()
}

fn can_refresh(capabilities: &ClientCapabilities) -> bool {
    let hints = capabilities.workspace.as_ref().and_then(|workspace| workspace.inlay_hint.as_ref());
    hints.and_then(|hints| hints.refresh_support).unwrap_or(false)
}

impl Server<'_> {
    fn run(&mut self) -> Result<End, Failure> {
        let reported = self.reported.clone();
        loop {
            if self.inbox.is_empty() {
                select! {
                    recv(self.connection.receiver) -> message => match message {
                        Ok(message) => self.inbox.push_back(message),
                        Err(_) => return Ok(End::Alone),
                    },
                    recv(reported) -> report => if let Ok(report) = report {
                        self.hear(report)?;
                    },
                }
            }
            self.inbox.extend(self.connection.receiver.try_iter());
            self.drop_cancelled()?;
            let Some(message) = self.inbox.pop_front() else { continue };
            match message {
                Message::Request(request) => self.answer(request)?,
                Message::Notification(note) if note.method == notification::Exit::METHOD => {
                    return Ok(if self.is_shut_down { End::Asked } else { End::Alone });
                }
                Message::Notification(note) => self.notice(note)?,
                // Answers to requests of this server say nothing.
                Message::Response(_) => {}
            }
        }
    }

    /// Requests that the editor has taken back before they were answered.
    fn drop_cancelled(&mut self) -> Result<(), Failure> {
        let cancels = self.inbox.iter().filter_map(|message| match message {
            Message::Notification(note) if note.method == notification::Cancel::METHOD => {
                serde_json::from_value::<RequestId>(note.params.get("id")?.clone()).ok()
            }
            Message::Notification(_) | Message::Request(_) | Message::Response(_) => None,
        });
        for id in cancels.collect::<Vec<_>>() {
            let is_it = |message: &Message| matches!(message, Message::Request(request) if request.id == id);
            if let Some(at) = self.inbox.iter().position(is_it) {
                self.inbox.remove(at);
                self.send(Response::new_err(id, ErrorCode::RequestCanceled as i32, "cancelled".to_string()))?;
            }
        }
        Ok(())
    }

    fn send(&self, message: impl Into<Message>) -> Result<(), Failure> {
        Ok(self.connection.sender.send(message.into())?)
    }

    fn answer(&mut self, request: Request) -> Result<(), Failure> {
        let id = request.id.clone();
        if self.is_shut_down {
            let message = "the server is shut down".to_string();
            return self.send(Response::new_err(id, ErrorCode::InvalidRequest as i32, message));
        }
        if request.method == "shutdown" {
            self.is_shut_down = true;
            return self.send(Response::new_ok(id, ()));
        }
        let answer = catch_unwind(AssertUnwindSafe(|| requests::answer(&self.documents, request)));
        let response = match answer {
            Ok(Ok(value)) => Response { id, result: Some(value), error: None },
            Ok(Err(error)) => Response { id, result: None, error: Some(error) },
            Err(_) => {
                let message = "tk is wrong here: an internal check failed".to_string();
                Response::new_err(id, ErrorCode::InternalError as i32, message)
            }
        };
        self.send(response)
    }

    fn notice(&mut self, note: Notification) -> Result<(), Failure> {
        match note.method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                let Some(params) = read::<DidOpenTextDocumentParams>(note) else { return Ok(()) };
                let opened = params.text_document;
                let document = Document::open(&opened.uri, opened.version, opened.text);
                self.documents.insert(opened.uri.clone(), document);
                self.check(&opened.uri, Duration::ZERO)?;
                self.check_dependents(&opened.uri)
            }
            notification::DidChangeTextDocument::METHOD => {
                let Some(params) = read::<DidChangeTextDocumentParams>(note) else { return Ok(()) };
                let uri = params.text_document.uri;
                let Some(document) = self.documents.get_mut(&uri) else { return Ok(()) };
                let text = params.content_changes.iter().fold(document.text.clone(), |text, one| text.changed(one));
                document.change(params.text_document.version, text);
                self.check(&uri, PAUSE)?;
                self.check_dependents(&uri)
            }
            notification::DidCloseTextDocument::METHOD => {
                let Some(params) = read::<DidCloseTextDocumentParams>(note) else { return Ok(()) };
                let uri = params.text_document.uri;
                self.documents.remove(&uri);
                self.checks.forget(&uri);
                self.explanations.forget(&uri);
                self.publish(&uri, None, Vec::new())
            }
            // A file on the disk is another: whoever imports files may see it.
            notification::DidSaveTextDocument::METHOD | notification::DidChangeWatchedFiles::METHOD => {
                let imports =
                    |document: &Document| document.known.as_ref().is_some_and(|known| known.imported().count() > 0);
                let uris: Vec<Url> = self.those(imports);
                uris.iter().try_for_each(|uri| self.check(uri, PAUSE))
            }
            _ => Ok(()),
        }
    }

    fn those(&self, wanted: impl Fn(&Document) -> bool) -> Vec<Url> {
        self.documents.iter().filter(|(_, document)| wanted(document)).map(|(uri, _)| uri.clone()).collect()
    }

    /// Checks the files again that import a file which changed.
    fn check_dependents(&mut self, changed: &Url) -> Result<(), Failure> {
        let Some(real) = self.documents.get(changed).and_then(|document| document.real.clone()) else { return Ok(()) };
        let is_it = |path: &Path| std::fs::canonicalize(path).is_ok_and(|path| path == real);
        let imports = |document: &Document| document.known.as_ref().is_some_and(|known| known.imported().any(is_it));
        let uris = self.those(imports);
        uris.iter().filter(|uri| *uri != changed).try_for_each(|uri| self.check(uri, PAUSE * 2))
    }

    /// Has a file checked after a pause.
    fn check(&self, uri: &Url, pause: Duration) -> Result<(), Failure> {
        let Some(document) = self.documents.get(uri) else { return Ok(()) };
        if document.is_too_large() {
            self.checks.forget(uri);
            let message = format!(
                "tk does not look at files of more than {} MiB, or with lines of more than {} KiB",
                MAX_BYTES >> 20,
                MAX_LINE >> 10
            );
            return self.publish(uri, Some(document.version), vec![remark(message)]);
        }
        let others = self.documents.values().filter_map(|other| {
            let path = other.real.clone().filter(|path| Some(path) != document.real.as_ref())?;
            Some(OpenFile { path, text: other.text.shared() })
        });
        let input = Input {
            path: document.path.clone(),
            text: document.text.shared(),
            name: document.name(uri),
            open: Arc::new(others.collect()),
        };
        let (reports, excuses, version) = (self.reports.clone(), self.reports.clone(), document.version);
        let (its, excused) = (uri.clone(), uri.clone());
        let work = Box::new(move |is_stopped: &dyn Fn() -> bool| {
            if let Some(analysis) = analyse(&input, is_stopped) {
                let _ = reports.send(Report::Checked { uri: its, version, analysis: Arc::new(analysis) });
            }
        });
        let excuse = Box::new(move |ended: Ended, words: String| {
            let message = match ended {
                Ended::TooLong => {
                    "tk did not come to an end with this file; `tk check` takes as long as it needs".into()
                }
                Ended::Panicked => format!("tk is wrong here: an internal check failed: {words}"),
            };
            let _ = excuses.send(Report::NotChecked { uri: excused, version, message });
        });
        self.explanations.forget(uri);
        self.checks.submit(uri, pause, work, excuse);
        Ok(())
    }

    fn hear(&mut self, report: Report) -> Result<(), Failure> {
        match report {
            Report::NotChecked { uri, version, message } => {
                let is_now = self.documents.get(&uri).is_some_and(|document| document.version == version);
                if is_now { self.publish(&uri, Some(version), vec![remark(message)]) } else { Ok(()) }
            }
            Report::Checked { uri, version, analysis } => {
                let Some(document) = self.documents.get_mut(&uri) else { return Ok(()) };
                if analysis.module.is_some() {
                    document.known = Some(analysis.clone());
                }
                if document.version != version {
                    // A later check is on its way.
                    return Ok(());
                }
                let shown = Shower { uri: &uri, text: &document.text }.all(&analysis.diagnostics);
                self.publish(&uri, Some(version), shown)?;
                self.explain(&uri, analysis);
                self.refresh()
            }
        }
    }

    /// Has the kernels compiled after a pause, for what only the compiler knows.
    fn explain(&self, uri: &Url, analysis: Arc<Analysis>) {
        let explainer = self.explainer.clone();
        let work = Box::new(move |is_stopped: &dyn Fn() -> bool| {
            let Some(module) = &analysis.module else { return };
            let checked = analysis.launches.iter().enumerate().filter(|(_, launch)| launch.checks);
            for (at, launch) in checked.take(MAX_EXPLAINED) {
                if is_stopped() {
                    return;
                }
                analysis.explain(Explained { launch: at, lines: explainer.explain(module, launch) });
            }
        });
        // A kernel that the compiler fails on has no layouts to show; `tk compile` says why.
        self.explanations.submit(uri, LONG_PAUSE, work, Box::new(|_, _| {}));
    }

    fn publish(&self, uri: &Url, version: Option<i32>, diagnostics: Vec<Shown>) -> Result<(), Failure> {
        let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
        self.send(Notification::new(notification::PublishDiagnostics::METHOD.to_string(), params))
    }

    /// Tells the editor that types are other ones now.
    fn refresh(&mut self) -> Result<(), Failure> {
        if !self.can_refresh {
            return Ok(());
        }
        self.requests_sent += 1;
        let id = RequestId::from(self.requests_sent);
        self.send(Request::new(id, "workspace/inlayHint/refresh".to_string(), serde_json::Value::Null))
    }
}

fn read<P: DeserializeOwned>(note: Notification) -> Option<P> {
    serde_json::from_value(note.params).ok()
}

/// A remark about a whole file.
fn remark(message: String) -> Shown {
    Shown {
        range: Range::default(),
        severity: Some(DiagnosticSeverity::INFORMATION),
        source: Some("tk".to_string()),
        message,
        ..Shown::default()
    }
}
