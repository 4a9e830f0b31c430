//! What stopped a launch, as data for programs; the same as a [`Diagnostic`] is text for people.

use serde::Serialize;
use tk_diag::Diagnostic;

/// A program error that a launch found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultReport {
    /// Its kind, a slug of `tk explain-error`: `data-race`, `out-of-bounds`, `uninitialised`, `deadlock`, `misaligned`, `bad-ptx`, ….
    pub kind: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Who is at fault.
    pub thread: FaultThread,
    /// The instruction at fault; none where no instruction is.
    pub place: Option<CodePlace>,
    /// Other instructions that have to do with it: the access that a race meets, the initialisation of an mbarrier.
    pub others: Vec<OtherPlace>,
    /// More facts, a sentence each.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<&'static str>,
}

/// A thread, or a warp where no single thread is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FaultThread {
    /// Coordinates of its CTA in x, y, z.
    pub cta: [u32; 3],
    /// Number of its warp in the CTA.
    pub warp: u32,
    /// Its lane in the warp.
    pub lane: Option<u32>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodePlace {
    /// Line of the PTX text, from 1.
    pub ptx_line: u32,
    /// The instruction as it is written there.
    pub ptx: String,
    /// The line of the source that it was compiled from, where the PTX says so.
    pub source: Option<SourcePlace>,
}

/// A place in the source of a kernel, as `.loc` names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourcePlace {
    /// Name of the file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
}

/// Another instruction, and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherPlace {
    /// In words: `CTA (1, 0, 0) writes here`.
    pub what: String,
    /// Where it is.
    pub place: CodePlace,
}

/// Why a launch has no report.
#[derive(Debug)]
pub enum LaunchError {
    /// The launch does not fit the kernel, or this simulator.
    Refused(Box<Diagnostic>),
    /// The kernel did something wrong.
    Fault {
        /// What, as data.
        report: Box<FaultReport>,
        /// The same as text with excerpts.
        diagnostic: Box<Diagnostic>,
    },
}

impl LaunchError {
    /// The program error, if it is one.
    pub fn fault(&self) -> Option<&FaultReport> {
        match self {
            LaunchError::Refused(_) => None,
            LaunchError::Fault { report, .. } => Some(report),
        }
    }

    /// The error as text for people.
    pub fn diagnostic(&self) -> &Diagnostic {
        match self {
            LaunchError::Refused(diagnostic) | LaunchError::Fault { diagnostic, .. } => diagnostic,
        }
    }
}

impl From<Box<Diagnostic>> for LaunchError {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        LaunchError::Refused(diagnostic)
    }
}

impl From<LaunchError> for Box<Diagnostic> {
    fn from(error: LaunchError) -> Self {
        match error {
            LaunchError::Refused(diagnostic) | LaunchError::Fault { diagnostic, .. } => diagnostic,
        }
    }
}

impl std::fmt::Display for LaunchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.diagnostic().message)
    }
}

impl std::error::Error for LaunchError {}
