//! What the page of `tk explain` shows, as data: one JSON document, which `tk explain --json` prints and the page holds.
//!
//! Lines of the source are counted from 1. Whatever is known of a line goes into one of three lists of its kernel, and the page shows it
//! without knowing what it is about: a [`Column`] is figures beside the source, an [`Access`] what the line asks of memory, and a
//! [`Note`] a sentence with its reason.

use serde::Serialize;

/// Everything about one file.
#[derive(Debug, Serialize)]
pub(super) struct Facts {
    /// Which tk made it.
    pub(super) version: &'static str,
    /// The name of the source.
    pub(super) file: String,
    /// Its lines.
    pub(super) source: Vec<String>,
    /// Each compilation, in order.
    pub(super) kernels: Vec<KernelFacts>,
}

/// Everything about one compilation of a kernel.
#[derive(Debug, Serialize)]
pub(super) struct KernelFacts {
    pub(super) name: String,
    /// The types and facts of its arguments, where a launch says them.
    pub(super) signature: Option<String>,
    /// What it takes of a multiprocessor, in the order of the page.
    pub(super) uses: Vec<Use>,
    /// Figures beside the lines of the source, from left to right.
    pub(super) columns: Vec<Column>,
    /// What lines ask of memory; empty where nothing ran.
    pub(super) accesses: Vec<Access>,
    /// Reasons, by line.
    pub(super) notes: Vec<Note>,
    /// The layouts of the last MLIR form.
    pub(super) layouts: Vec<Layout>,
    /// Every form in order, SASS at the end where there is some.
    pub(super) forms: Vec<FormFacts>,
    /// Why there is no SASS, where there is none.
    pub(super) sass_missing: Option<String>,
}

/// One row of what a kernel uses.
#[derive(Debug, Serialize)]
pub(super) struct Use {
    pub(super) name: String,
    pub(super) value: String,
}

/// One figure for each line that has it.
#[derive(Debug, Serialize)]
pub(super) struct Column {
    /// Its heading, one short word.
    pub(super) name: &'static str,
    /// What the figure is, in a sentence.
    pub(super) words: &'static str,
    pub(super) rank: Rank,
    pub(super) cells: Vec<Cell>,
}

/// When a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Rank {
    /// From the start.
    Main,
    /// When somebody asks for more.
    More,
}

/// A figure of a line.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Cell {
    pub(super) line: u32,
    /// A few characters.
    pub(super) text: String,
    pub(super) level: Level,
}

/// Whether a figure asks for attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Plain,
    Bad,
}

/// What one line asks of one memory in one way.
#[derive(Debug, Serialize)]
pub(super) struct Access {
    /// The line, or the one that calls the function of another file in which it is.
    pub(super) line: Option<u32>,
    /// Where it is, unless that is the line.
    pub(super) place: Option<String>,
    /// `global` or `shared`.
    pub(super) space: &'static str,
    /// `load`, `store` and the others of the memory report.
    pub(super) kind: &'static str,
    /// Bits that one thread accesses at once.
    pub(super) bits: u32,
    /// Requests of warps.
    pub(super) requests: u64,
    /// 32-byte sectors of global memory, or wavefronts of shared memory.
    pub(super) units: u64,
    /// The least that there could be.
    pub(super) least_units: u64,
}

/// A sentence about a line.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Note {
    /// The line that it is shown at, which may call the function of another file that it is about; nothing for the whole kernel.
    pub(super) line: Option<u32>,
    /// `ops.tk:12`, where it is about a line of another file.
    pub(super) place: Option<String>,
    /// What it is about, a word or two: `access`, `registers`, `warning`, `shared memory`; the page shows it before the text.
    pub(super) about: String,
    /// Whether it makes the kernel slow or wrong; such notes stand below their lines in the source.
    pub(super) level: Level,
    /// What is the case, and why.
    pub(super) text: String,
    /// Lines that the text names besides its own, such as the one that is the reason, as `line 12`.
    pub(super) because_of: Vec<u32>,
}

/// A layout with a shape that has it.
#[derive(Debug, Serialize)]
pub(super) struct Layout {
    /// The alias in the IR: `#blocked`.
    pub(super) name: String,
    /// What it stands for.
    pub(super) text: String,
    /// `64x64xf16`.
    pub(super) tensor: String,
    /// How it deals out elements, in words.
    pub(super) words: String,
    /// Its picture.
    pub(super) svg: String,
    /// Lines of the source with a value that has it.
    pub(super) lines: Vec<u32>,
}

/// One form of a kernel.
#[derive(Debug, Serialize)]
pub(super) struct FormFacts {
    /// The step that made it: `check`, `lower`, a pass, `emit-llvm`, `llvm`, `ptx`, `sass`.
    pub(super) name: String,
    pub(super) kind: FormKind,
    /// How long the step took.
    pub(super) milliseconds: f64,
    /// Whether it differs from the form before it.
    pub(super) changed: bool,
    pub(super) lines: Lines,
}

/// What a form is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FormKind {
    Checked,
    Mlir,
    Llvm,
    Ptx,
    Sass,
}

/// The lines of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Lines {
    pub(super) text: Vec<String>,
    /// The line of the source that each comes from; 0 where none is known.
    pub(super) sources: Vec<u32>,
}

impl Lines {
    pub(super) fn push(&mut self, text: impl Into<String>, source: Option<u32>) {
        self.text.push(text.into());
        self.sources.push(source.unwrap_or(0));
    }
}
