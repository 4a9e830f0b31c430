//! Measures how fast `tk lsp` answers: `cargo run -p tk-lsp --example latency -- target/debug/tk FILE…` opens each file, types into it, and
//! asks everything at random places meanwhile, while the server checks and compiles. Prints milliseconds.
//!
//! It measures, so it asserts nothing: what is answered is in the tests.

use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use std::io::BufReader;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use tk_lsp::lsp_server::{Connection, Message, Notification, Request, RequestId};

/// Rounds of all requests for each file.
const ROUNDS: usize = 100;
/// The longest that is waited for a check.
const CHECK: Duration = Duration::from_secs(60);
/// The requests of a round.
const KINDS: [&str; 6] = ["hover", "definition", "completion", "signatureHelp", "inlayHint", "documentSymbol"];

type Failure = Box<dyn std::error::Error>;

/// A server and the pipes to it.
struct Client {
    server: Child,
    connection: Connection,
    next: i32,
}

/// How long the requests of one kind took, in milliseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn at(&self, part: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(((sorted.len().max(1) - 1) as f64 * part) as usize).copied().unwrap_or_default()
    }
}

impl Client {
    fn start(program: &str) -> Result<Self, Failure> {
        let mut server = Command::new(program).arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = server.stdout.take().zip(server.stdin.take());
        let (output, input) = pipes.ok_or("the server has no pipes")?;
        let (connection, _threads) = tk_lsp::connect(BufReader::new(output), input)?;
        let mut client = Self { server, connection, next: 0 };
        client.ask("initialize", json!({ "capabilities": {} }))?;
        client.tell("initialized", json!({}))?;
        Ok(client)
    }

    fn tell(&self, method: &str, params: Value) -> Result<(), Failure> {
        Ok(self.connection.sender.send(Notification { method: method.to_string(), params }.into())?)
    }

    /// Milliseconds until the answer.
    fn ask(&mut self, method: &str, params: Value) -> Result<f64, Failure> {
        self.next += 1;
        let id = RequestId::from(self.next);
        let start = Instant::now();
        self.connection.sender.send(Request { id: id.clone(), method: method.to_string(), params }.into())?;
        loop {
            match self.connection.receiver.recv_timeout(CHECK)? {
                Message::Response(answer) if answer.id == id => return Ok(start.elapsed().as_secs_f64() * 1000.0),
                Message::Response(_) | Message::Request(_) | Message::Notification(_) => {}
            }
        }
    }

    /// Milliseconds until the diagnostics of a file, and how many there are.
    fn diagnostics(&self, uri: &str) -> Result<(f64, usize), Failure> {
        let start = Instant::now();
        loop {
            let Message::Notification(note) = self.connection.receiver.recv_timeout(CHECK)? else { continue };
            if note.method == "textDocument/publishDiagnostics" && note.params["uri"] == uri {
                let count = note.params["diagnostics"].as_array().map_or(0, Vec::len);
                return Ok((start.elapsed().as_secs_f64() * 1000.0, count));
            }
        }
    }
}

fn measure(program: &str, path: &str, worst: &mut f64) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path)?;
    let uri = format!("file://{}", std::fs::canonicalize(path)?.display());
    let mut client = Client::start(program)?;
    let document = json!({ "uri": uri, "languageId": "python", "version": 1, "text": text });
    client.tell("textDocument/didOpen", json!({ "textDocument": document }))?;
    let (first, count) = client.diagnostics(&uri)?;
    println!("{path}: {} lines, checked in {first:.0} ms, {count} diagnostics", text.lines().count());
    let lines: Vec<&str> = text.lines().collect();
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let mut times: [Times; KINDS.len()] = Default::default();
    for round in 0..ROUNDS {
        let line = random.random_range(0..lines.len().max(1));
        let width = lines.get(line).map_or(0, |line| line.encode_utf16().count());
        let position = json!({ "line": line, "character": random.random_range(0..=width) });
        // A letter is typed and, in the next round, taken back; a dot every few rounds.
        let typed = if round % 8 < 2 { "." } else { "x" };
        let end = json!({ "line": line, "character": width });
        let edit = json!({ "range": { "start": end, "end": end }, "text": typed });
        let versioned = json!({ "uri": uri, "version": round * 2 + 2 });
        client.tell("textDocument/didChange", json!({ "textDocument": versioned, "contentChanges": [edit] }))?;
        for (kind, times) in KINDS.iter().zip(&mut times) {
            let document = json!({ "uri": uri });
            let range =
                json!({ "start": { "line": 0, "character": 0 }, "end": { "line": lines.len(), "character": 0 } });
            let params = json!({ "textDocument": document, "position": position, "range": range });
            times.0.push(client.ask(&format!("textDocument/{kind}"), params)?);
        }
        let after = json!({ "line": line, "character": width + 1 });
        let edit = json!({ "range": { "start": end, "end": after }, "text": "" });
        let versioned = json!({ "uri": uri, "version": round * 2 + 3 });
        client.tell("textDocument/didChange", json!({ "textDocument": versioned, "contentChanges": [edit] }))?;
        std::thread::sleep(Duration::from_millis(random.random_range(0..40)));
    }
    for (kind, times) in KINDS.iter().zip(&times) {
        let [middle, most, longest] = [0.5, 0.99, 1.0].map(|part| times.at(part));
        println!("  {kind:<15} median {middle:7.2} ms, 99 % {most:7.2} ms, longest {longest:7.2} ms");
        *worst = worst.max(longest);
    }
    client.ask("shutdown", Value::Null)?;
    client.tell("exit", Value::Null)?;
    client.server.wait()?;
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((program, files)) = args.split_first().filter(|(_, files)| !files.is_empty()) else {
        eprintln!("usage: latency TK FILE…");
        return ExitCode::FAILURE;
    };
    let mut worst = 0.0;
    for file in files {
        if let Err(error) = measure(program, file, &mut worst) {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    }
    println!("longest of all: {worst:.2} ms");
    ExitCode::SUCCESS
}
