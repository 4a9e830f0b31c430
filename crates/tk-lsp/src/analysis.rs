//! What is known of one version of a file: its diagnostics, the same that `tk check` tells, and what its expressions are.

use crate::explain::Explained;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tk_check::{CheckRequest, Role};
use tk_diag::{Diagnostic, SourceFile, Span, is_allowed};
use tk_grammar::ast::Module;
use tk_guard::Bounds;
use tk_import::Roots;
use tk_inspect::{Launch, Request, inspect_file};
use tk_types::CompileOptions;

/// Launches of one kernel whose types are shown.
const MAX_LAUNCHES: usize = 3;
/// Launches of one file whose types are shown.
const MAX_TRACED: usize = 256;
/// Different meanings of one place that are shown.
const MAX_MEANINGS: usize = 4;

/// A text to be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// Where the file is; nothing for a text that is in the editor only.
    pub(crate) path: Option<PathBuf>,
    pub(crate) text: Arc<str>,
    /// What messages call the file.
    pub(crate) name: String,
    /// The texts of other files that are open, by their paths without links.
    pub(crate) open: Arc<Vec<OpenFile>>,
}

/// A file that is open in the editor.
#[derive(Clone, Debug)]
pub(crate) struct OpenFile {
    pub(crate) path: PathBuf,
    pub(crate) text: Arc<str>,
}

/// What was found in one version of a file.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) text: Arc<str>,
    /// The tree with what it imports; nothing where the text cannot be read.
    pub(crate) module: Option<Module>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What kernels were looked at with.
    pub(crate) launches: Vec<Launch>,
    /// Sorted by place.
    pub(crate) facts: Vec<Fact>,
    /// What the compiler says of its kernels, as far as it has.
    explained: Mutex<Vec<Arc<Explained>>>,
}

/// What a place of the file was found to be.
#[derive(Debug)]
pub(crate) struct Fact {
    pub(crate) span: Span,
    pub(crate) role: Role,
    pub(crate) meanings: Vec<Meaning>,
}

/// One thing that a place is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub(crate) words: String,
    /// Under which launch.
    pub(crate) launch: usize,
}

impl Analysis {
    /// The files that were read, without the file itself.
    pub(crate) fn imported(&self) -> impl Iterator<Item = &Path> {
        let file = self.module.as_ref().map(|module| &module.file);
        file.into_iter().flat_map(|file| file.parts().skip(1).map(|part| Path::new(part.name())))
    }

    /// What the compiler has said until now.
    pub(crate) fn explained(&self) -> Vec<Arc<Explained>> {
        self.explained.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The compiler says something of one more kernel.
    pub(crate) fn explain(&self, explained: Explained) {
        self.explained.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(explained));
    }

    /// What stands exactly at a place.
    pub(crate) fn fact(&self, span: Span) -> Option<&Fact> {
        let at = self.facts.partition_point(|fact| fact.span < span);
        self.facts.get(at).filter(|fact| fact.span == span)
    }

    /// What the smallest expression is that begins at a place and reaches further than `end`.
    pub(crate) fn fact_beyond(&self, start: u32, end: u32) -> Option<&Fact> {
        let at = self.facts.partition_point(|fact| fact.span < Span { start, end: end + 1 });
        self.facts.get(at).filter(|fact| fact.span.start == start)
    }
}

/// Looks at a text. Nothing when it was stopped.
pub(crate) fn analyse(input: &Input, is_stopped: &dyn Fn() -> bool) -> Option<Analysis> {
    let file = SourceFile::new(&input.name, &*input.text);
    let without = |diagnostics: Vec<Diagnostic>| Analysis {
        text: input.text.clone(),
        module: None,
        diagnostics,
        launches: Vec::new(),
        facts: Vec::new(),
        explained: Mutex::default(),
    };
    let module = match tk_grammar::parse(&file).and_then(|module| with_imports(module, input)) {
        Ok(module) => module,
        Err(faults) => return Some(without(faults)),
    };
    let request = Request { module: &module, kernel: None, bounds: &Bounds::assumed(), is_portable: false, is_stopped };
    let findings = inspect_file(&request)?;
    let mut diagnostics = findings.diagnostics;
    diagnostics.retain(|diagnostic| !is_allowed(diagnostic));
    let launches = few_of_each(findings.launches);
    let facts = facts(&module, &launches, is_stopped)?;
    Some(Analysis { launches, facts, module: Some(module), ..without(diagnostics) })
}

fn with_imports(module: Module, input: &Input) -> Result<Module, Vec<Diagnostic>> {
    let Some(path) = &input.path else { return Ok(module) };
    let open = |path: &Path| input.open.iter().find(|file| file.path == path).map(|file| file.text.to_string());
    tk_import::read_imports_over(&module, path, None, Roots::Kernels, &open).map_err(|error| vec![*error])
}

/// Some launches of each kernel, those that check first.
fn few_of_each(launches: Vec<Launch>) -> Vec<Launch> {
    let mut few: Vec<Launch> = Vec::new();
    let (checked, others): (Vec<Launch>, Vec<Launch>) = launches.into_iter().partition(|launch| launch.checks);
    for launch in checked.into_iter().chain(others) {
        if few.len() >= MAX_TRACED {
            break;
        }
        let same = few.iter().filter(|other| other.kernel == launch.kernel);
        if same.clone().count() < MAX_LAUNCHES && same.clone().all(|other| other.args != launch.args) {
            few.push(launch);
        }
    }
    few
}

fn facts(module: &Module, launches: &[Launch], is_stopped: &dyn Fn() -> bool) -> Option<Vec<Fact>> {
    let here = module.file.parts().next().map(|part| part.span()).unwrap_or_default();
    let mut facts: Vec<Fact> = Vec::new();
    for (launch, Launch { kernel, args, .. }) in launches.iter().enumerate() {
        if is_stopped() {
            return None;
        }
        let options = CompileOptions::default();
        let request = CheckRequest { module, kernel, args, options, target: tk_target::Target::default() };
        for place in tk_check::trace(&request).into_iter().filter(|place| place.span.end <= here.end) {
            let meanings = place.meanings.into_iter().map(|words| Meaning { words, launch }).collect();
            facts.push(Fact { span: place.span, role: place.role, meanings });
        }
    }
    facts.sort_by_key(|fact| (fact.span, fact.role));
    facts.dedup_by(|later, earlier| {
        // What a variable is bound to says more than that its name is used there.
        let is_same = later.span == earlier.span;
        if is_same {
            for meaning in later.meanings.drain(..) {
                let is_new = earlier.meanings.iter().all(|known| known.words != meaning.words);
                if is_new && later.role == earlier.role && earlier.meanings.len() < MAX_MEANINGS {
                    earlier.meanings.push(meaning);
                }
            }
        }
        is_same
    });
    Some(facts)
}
