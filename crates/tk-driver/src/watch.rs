//! Watching a compilation: dumps, timings and `--print-after` are all watchers.

use crate::origin::Origin;
use std::time::Duration;
use tk_passes::Position;

/// What a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The checker's output.
    Checked,
    /// tt or ttg IR.
    Mlir,
    /// LLVM IR.
    Llvm,
    /// PTX.
    Ptx,
}

impl Form {
    /// What messages call it.
    pub fn language(self) -> &'static str {
        match self {
            Form::Checked => "a checked kernel",
            Form::Mlir => "MLIR",
            Form::Llvm => "LLVM IR",
            Form::Ptx => "PTX",
        }
    }

    /// The file name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Form::Checked => "txt",
            Form::Mlir => "mlir",
            Form::Llvm => "ll",
            Form::Ptx => "ptx",
        }
    }
}

/// One finished step of a compilation.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// Position from 0; equal names stay apart by it.
    pub index: usize,
    /// `check`, `lower`, a pass, `emit-llvm`, `ptx`.
    pub name: &'a str,
    /// What its text is written in.
    pub form: Form,
    /// How long the step took, without verification and printing.
    pub elapsed: Duration,
}

/// Sees every step.
pub trait Watcher {
    /// Whether [`Watcher::step`] wants the text of the step with this name; printing takes time.
    fn wants_text(&self, name: &str) -> bool;

    /// Whether the texts are to say how they came to be, so that a compilation can go on from them.
    fn wants_origins(&self) -> bool {
        false
    }

    /// Called after each step; `text` is given when it was wanted.
    ///
    /// # Errors
    /// Stops the compilation, for instance when a dump cannot be written.
    fn step(&mut self, step: &Step<'_>, text: Option<&str>) -> tk_diag::Result<()>;
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn wants_text(&self, _: &str) -> bool {
        false
    }

    fn step(&mut self, _: &Step<'_>, _: Option<&str>) -> tk_diag::Result<()> {
        Ok(())
    }
}

/// Numbers the steps and asks the watcher whether it wants their text.
pub(crate) struct Recorder<'w> {
    watcher: &'w mut dyn Watcher,
    index: usize,
    /// What modules say of themselves, where a compilation can go on from them.
    origin: Option<Origin>,
    position: Position,
    verified: Verified,
}

/// The steps of a pipeline whose modules are verified in release builds, besides the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verified {
    /// Those whose text the watcher wants.
    Shown,
    /// All: whoever runs passes one by one wants to know which of them is wrong.
    All,
}

impl<'w> Recorder<'w> {
    pub(crate) fn new(watcher: &'w mut dyn Watcher, verified: Verified) -> Self {
        Self { watcher, index: 0, origin: None, position: Position::START, verified }
    }

    pub(crate) fn wants_text(&self, name: &str) -> bool {
        self.watcher.wants_text(name)
    }

    pub(crate) fn wants_origins(&self) -> bool {
        self.watcher.wants_origins()
    }

    /// The modules that follow come from here.
    pub(crate) fn begin(&mut self, origin: Origin, position: Position) {
        (self.origin, self.position) = (Some(origin), position);
    }

    /// Writes to a module how it came to be.
    pub(crate) fn stamp(&self, module: &tk_ir::Module<'_>) {
        if let Some(origin) = &self.origin {
            Origin { after: Some(self.position.step()), ..origin.clone() }.stamp(module);
        }
    }

    pub(crate) fn record_module(
        &mut self,
        name: &str,
        elapsed: Duration,
        module: &tk_ir::Module<'_>,
    ) -> tk_diag::Result<()> {
        if self.wants_text(name) && self.wants_origins() {
            self.stamp(module);
        }
        self.record(name, Form::Mlir, elapsed, || module.print(WITH_LOCATIONS))
    }

    pub(crate) fn record(
        &mut self,
        name: &str,
        form: Form,
        elapsed: Duration,
        text: impl FnOnce() -> String,
    ) -> tk_diag::Result<()> {
        let step = Step { index: self.index, name, form, elapsed };
        self.index += 1;
        let text = self.watcher.wants_text(name).then(text);
        self.watcher.step(&step, text.as_deref())
    }
}

impl tk_passes::Observer for Recorder<'_> {
    fn looks_after(&self, name: &str) -> bool {
        match self.verified {
            Verified::Shown => self.wants_text(name),
            Verified::All => true,
        }
    }

    fn after_step(&mut self, name: &str, elapsed: Duration, module: &tk_ir::Module<'_>) -> tk_diag::Result<()> {
        self.position = self.position.next();
        self.record_module(name, elapsed, module)
    }
}

/// Dumps carry the places of the source.
pub(crate) const WITH_LOCATIONS: tk_ir::PrintOptions =
    tk_ir::PrintOptions { locations: true, generic: false, is_anonymous: false };
