//! Gives a program to tk and says what that showed.

use crate::bias::Programs;
use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Codes of messages that say that a kernel is too large for the device, and not wrong.
const REFUSALS: [&str; 1] = ["too-much-shared-memory"];

/// How often a program that runs is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Agrees,
    Refused,
    Failed,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Agrees => "agrees",
            Outcome::Refused => "refused",
            Outcome::Failed => "FAILED",
        })
    }
}

/// What a run of a program showed.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) seed: u64,
    pub(crate) outcome: Outcome,
    pub(crate) time: Duration,
    /// The kind of failure, without numbers and names.
    pub(crate) said: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        write!(f, "seed {:6} {:8} {seconds:6.1} s  {}", self.seed, self.outcome, self.said)
    }
}

/// How programs are run.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    pub(crate) tk: PathBuf,
    pub(crate) device: String,
    pub(crate) bias: Programs,
    /// Where programs and logs are.
    pub(crate) out: PathBuf,
    pub(crate) patience: Duration,
    /// Whether files of programs that agree stay.
    pub(crate) keeps: bool,
    /// Whether programs and what tk says about them are printed.
    pub(crate) prints: bool,
}

impl Runner {
    /// Writes a program, runs it and judges it.
    pub(crate) fn run(&self, seed: u64) -> io::Result<Finding> {
        let path = self.out.join(format!("{}-{seed}.tk", self.bias.name()));
        let log = path.with_extension("log");
        let program = self.bias.text(seed);
        fs::write(&path, &program)?;
        let begun = Instant::now();
        let status = self.test(&path, &log)?;
        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        if self.prints {
            println!("{program}\n{text}");
        }
        let (outcome, said) = judged(&text, status);
        if outcome == Outcome::Agrees && !self.keeps {
            fs::remove_file(&path)?;
            fs::remove_file(&log)?;
        }
        Ok(Finding { seed, outcome, time: begun.elapsed(), said })
    }

    /// Runs `tk test`, which says into the log what it has to say; nothing if it does not end.
    fn test(&self, path: &Path, log: &Path) -> io::Result<Option<ExitStatus>> {
        let out = File::create(log)?;
        let mut command = Command::new(&self.tk);
        command.arg("test").arg(path).args(["--device", &self.device]);
        // No program comes twice.
        if std::env::var_os("TK_CACHE").is_none() {
            command.env("TK_CACHE", "0");
        }
        let mut child = command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out).spawn()?;
        let begun = Instant::now();
        loop {
            // A machine that stood still is no program without an end, so the time is looked at before the program is.
            let is_late = begun.elapsed() >= self.patience;
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if is_late {
                break;
            }
            std::thread::sleep(LOOK);
        }
        child.kill()?;
        child.wait()?;
        Ok(None)
    }
}

/// The outcome of a run, and the kinds of messages.
fn judged(text: &str, status: Option<ExitStatus>) -> (Outcome, String) {
    let Some(status) = status else { return (Outcome::Failed, "no end".to_string()) };
    let messages: Vec<&str> = text.lines().filter(|line| is_message(line)).collect();
    let kinds: BTreeSet<String> = messages.iter().map(|message| kind(message)).collect();
    let kinds = kinds.into_iter().collect::<Vec<_>>().join("; ");
    let is_refusal = |message: &&str| REFUSALS.iter().any(|code| message.contains(code));
    match status.code() {
        Some(0) => (Outcome::Agrees, String::new()),
        Some(1) if !messages.is_empty() && messages.iter().all(is_refusal) => (Outcome::Refused, kinds),
        Some(code) => {
            let last = text.trim().lines().last().unwrap_or_default().to_string();
            let said = if kinds.is_empty() { last } else { kinds };
            (Outcome::Failed, if code == 1 { said } else { format!("exit code {code}: {said}") })
        }
        None => (Outcome::Failed, format!("crashed with {status}")),
    }
}

fn is_message(line: &str) -> bool {
    line.starts_with("error[")
        || line.starts_with("bug in tk[")
        || (line.starts_with("thread ") && line.contains(" panicked"))
}

/// A message with `#` for what differs between programs: quoted names, and words with digits.
fn kind(message: &str) -> String {
    let mut parts = message.split('`');
    let mut text = parts.next().unwrap_or_default().to_string();
    while let (Some(_), Some(rest)) = (parts.next(), parts.next()) {
        text = text + "#" + rest;
    }
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '%');
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if is_inner(c) {
            word.push(c);
            continue;
        }
        out += if word.contains(|c: char| c.is_ascii_digit()) { "#" } else { &word };
        word.clear();
        out.push(c);
    }
    out.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    /// What a run with this exit code and these words is.
    fn exit(code: i32, text: &str) -> (Outcome, String) {
        judged(text, Some(ExitStatus::from_raw(code << 8)))
    }

    #[test]
    fn runs_are_judged_by_code_and_messages() {
        let refused = "error[too-much-shared-memory]: `kernel` needs 300000 bytes";
        let wrong = "error[assertion-failed]: 3 of 4096 elements of `out` differ";
        assert_eq!(exit(0, "4 passed").0, Outcome::Agrees);
        assert_eq!(exit(1, refused), (Outcome::Refused, "error[too-much-shared-memory]: # needs # bytes".to_string()));
        assert_eq!(exit(1, &format!("{refused}\n{wrong}")).0, Outcome::Failed);
        assert_eq!(exit(1, wrong).1, "error[assertion-failed]: # of # elements of # differ");
        assert_eq!(exit(1, "").0, Outcome::Failed);
        assert_eq!(exit(2, "bug in tk[internal]: x").1, "exit code 2: bug in tk[internal]: x");
        assert_eq!(judged("", None), (Outcome::Failed, "no end".to_string()));
        assert!(judged("", Some(ExitStatus::from_raw(11))).1.contains("signal"));
    }
}
