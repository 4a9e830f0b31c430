//! A line on standard error while configurations are compiled and timed.
//!
//! On a terminal the line is redrawn in place and goes away at the end. Elsewhere (a log) one line says what is happening,
//! and only when it takes longer than a second, so that quick runs stay quiet.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How long a log waits for its line.
const PATIENCE: Duration = Duration::from_secs(1);
/// Cells of the bar.
const WIDTH: usize = 24;

/// How far an autotuning is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The kernel.
    pub kernel: &'a str,
    /// `compiling` or `timing`.
    pub phase: &'static str,
    /// How much is done.
    pub done: usize,
    /// All that there is to do, or about that.
    pub total: usize,
    /// What is counted: `configurations`, `milliseconds`.
    pub unit: &'static str,
}

/// Draws [`Progress`] on standard error.
#[derive(Debug)]
pub struct ProgressLine {
    started: Instant,
    is_terminal: bool,
    has_written: bool,
}

impl ProgressLine {
    /// A line that has written nothing yet.
    pub fn new() -> Self {
        Self { started: Instant::now(), is_terminal: std::io::stderr().is_terminal(), has_written: false }
    }

    /// Shows how far it is.
    pub fn show(&mut self, progress: Progress<'_>) {
        let Progress { kernel, phase, done, total, unit } = progress;
        // Without standard error nobody is waiting for the line.
        let mut stderr = std::io::stderr();
        if self.is_terminal {
            let filled = WIDTH * done.min(total) / total.max(1);
            let bar = format!("{}{}", "#".repeat(filled), ".".repeat(WIDTH - filled));
            let _ = write!(stderr, "\r\x1b[2K{phase} {kernel} [{bar}] {done}/{total} {unit}");
            let _ = stderr.flush();
        } else if !self.has_written && self.started.elapsed() > PATIENCE {
            let _ = writeln!(stderr, "autotuning {kernel}: {phase}, {done} of {total} {unit} …");
        } else {
            return;
        }
        self.has_written = true;
    }
}

impl Default for ProgressLine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.is_terminal && self.has_written {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}
