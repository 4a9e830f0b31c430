//! What stops a run, on its way to becoming a diagnostic.

use crate::fault_report::{CodePlace, FaultReport, FaultThread, OtherPlace, SourcePlace};
use crate::geometry::Geometry;
use crate::program::Program;
use tk_diag::{Code, Diagnostic, LineColumn, SourceFile, SourcePart, Span};

/// An instruction of another thread, and what it does.
#[derive(Debug)]
pub(crate) struct Meeting {
    pc: u32,
    what: String,
}

/// An error at an operation, before the thread and the source line are known in words.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    pub(crate) message: String,
    pub(crate) notes: Vec<String>,
    /// Other instructions that have to do with it, and what they are.
    pub(crate) others: Vec<(u32, &'static str)>,
    /// The instruction of another thread that it meets, shown in the source too.
    pub(crate) meets: Option<Meeting>,
    pub(crate) help: Option<&'static str>,
    pub(crate) pc: u32,
    pub(crate) warp: u32,
    pub(crate) lane: Option<u32>,
}

impl Fault {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Box<Self> {
        let message = message.into();
        Box::new(Self {
            code,
            message,
            notes: Vec::new(),
            others: Vec::new(),
            meets: None,
            help: None,
            pc: u32::MAX,
            warp: 0,
            lane: None,
        })
    }

    pub(crate) fn lane(mut self: Box<Self>, lane: usize) -> Box<Self> {
        self.lane = Some(lane as u32);
        self
    }

    /// Says which instruction is at fault, when it is not the one that runs.
    pub(crate) fn at(mut self: Box<Self>, pc: u32) -> Box<Self> {
        self.pc = pc;
        self
    }

    pub(crate) fn in_warp(mut self: Box<Self>, warp: u32) -> Box<Self> {
        self.warp = warp;
        self
    }

    pub(crate) fn note(mut self: Box<Self>, note: String) -> Box<Self> {
        self.notes.push(note);
        self
    }

    /// Points at another PTX instruction.
    pub(crate) fn also(mut self: Box<Self>, pc: u32, what: &'static str) -> Box<Self> {
        self.others.push((pc, what));
        self
    }

    /// Points at what another thread does, in the source and in the PTX.
    pub(crate) fn meets(mut self: Box<Self>, pc: u32, what: String) -> Box<Self> {
        self.meets = Some(Meeting { pc, what });
        self
    }

    pub(crate) fn help(mut self: Box<Self>, help: &'static str) -> Box<Self> {
        self.help = Some(help);
        self
    }

    /// Says the CTA whose last warp this is, unless it is known which of its warps is at fault.
    pub(crate) fn in_cta_of(mut self: Box<Self>, last: u32, warps_per_cta: u32) -> Box<Self> {
        if self.warp / warps_per_cta != last / warps_per_cta && self.lane.is_none() {
            self.warp = last;
        }
        self
    }

    /// The fault as data.
    pub(crate) fn report(&self, program: &Program, (geometry, cluster): (&Geometry, u64)) -> FaultReport {
        let meets = self.meets.iter().map(|meeting| (meeting.pc, meeting.what.clone()));
        let others = meets.chain(self.others.iter().map(|(pc, what)| (*pc, (*what).to_string())));
        let cta = geometry.cta(cluster, geometry.rank(self.warp));
        FaultReport {
            kind: self.code.slug,
            message: self.message.clone(),
            thread: FaultThread { cta, warp: geometry.in_cta(self.warp), lane: self.lane },
            place: code_place(program, self.pc),
            others: others
                .filter_map(|(pc, what)| Some(OtherPlace { what, place: code_place(program, pc)? }))
                .collect(),
            notes: self.notes.clone(),
            help: self.help,
        }
    }

    /// The diagnostic: the source line first (in the text of the file when the launch has it), then the PTX.
    pub(crate) fn diagnostic(
        self,
        program: &Program,
        sources: &[SourceFile],
        (geometry, cluster): (&Geometry, u64),
    ) -> Box<Diagnostic> {
        let mut diagnostic = Diagnostic::error(self.code, self.message);
        let origin = program.origins.get(self.pc as usize).copied();
        if let Some((file, line, column)) = origin.and_then(|o| program.place(o.location)) {
            match find_source(sources, file, line) {
                Some((source, part)) => {
                    let span = source_span(part, line, column);
                    diagnostic = diagnostic.at(source, span, "here");
                }
                None => diagnostic = diagnostic.note(format!("at {file}:{line}:{column}")),
            }
            if let Some(note) = origin.and_then(|o| inlined(program, o.location)) {
                diagnostic = diagnostic.note(note);
            }
        }
        let cta = geometry.cta_in_words(cluster, geometry.rank(self.warp));
        let warp = geometry.in_cta(self.warp);
        diagnostic = diagnostic.note(match self.lane {
            Some(lane) => format!("thread {} of {cta}, warp {warp}", warp * 32 + lane),
            None => format!("in {cta}"),
        });
        for note in self.notes {
            diagnostic = diagnostic.note(note);
        }
        if let Some(origin) = origin {
            diagnostic = diagnostic.at(&program.source, origin.span, "this PTX instruction");
        }
        if let Some(Meeting { pc, what }) = self.meets
            && let Some(other) = program.origins.get(pc as usize)
        {
            let found = program.place(other.location);
            let text = found.and_then(|(file, line, column)| {
                find_source(sources, file, line).map(|(source, part)| (source, source_span(part, line, column)))
            });
            diagnostic = match (text, found) {
                (Some((source, span)), _) => diagnostic.at(source, span, what.clone()),
                (None, Some((file, line, column))) => diagnostic.note(format!("{what}: {file}:{line}:{column}")),
                (None, None) => diagnostic,
            };
            diagnostic = diagnostic.at(&program.source, other.span, what);
        }
        for (pc, what) in self.others {
            if let Some(other) = program.origins.get(pc as usize) {
                diagnostic = diagnostic.at(&program.source, other.span, what);
            }
        }
        if let Some(help) = self.help {
            diagnostic = diagnostic.help(help);
        }
        diagnostic.boxed()
    }
}

/// Where an operation comes from.
fn code_place(program: &Program, pc: u32) -> Option<CodePlace> {
    let origin = program.origins.get(pc as usize)?;
    let source =
        program.place(origin.location).map(|(file, line, column)| SourcePlace { file: file.to_string(), line, column });
    Some(CodePlace { ptx_line: program.ptx_line(pc), ptx: program.source.slice(origin.span).to_string(), source })
}

fn inlined(program: &Program, location: u32) -> Option<String> {
    let location = program.locations.get(location as usize)?;
    let (file, line, column) = location.inlined.as_ref()?.at;
    let name = program.files.iter().find(|f| f.0 == file)?;
    Some(format!("inlined at {}:{line}:{column}", name.1))
}

/// The supplied text of a source file, and the part of it with this name and line: names match when one path ends with the other.
pub(crate) fn find_source<'a>(
    sources: &'a [SourceFile],
    name: &str,
    line: u32,
) -> Option<(&'a SourceFile, SourcePart<'a>)> {
    let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
    let find = |is_it: &dyn Fn(&str) -> bool| {
        let parts = || sources.iter().flat_map(|source| source.parts().map(move |part| (source, part)));
        let has_line = |(_, part): &(_, SourcePart<'_>)| is_it(part.name()) && part.has_line(line);
        parts().find(has_line).or_else(|| parts().find(|(_, part)| is_it(part.name())))
    };
    find(&|known| known == name)
        .or_else(|| find(&|known| known.ends_with(name) || name.ends_with(known)))
        .or_else(|| find(&|known| file_name(known) == file_name(name)))
}

/// From a column to the end of its word; the whole line when the column is unknown.
fn source_span(source: SourcePart<'_>, line: u32, column: u32) -> Span {
    let text = source.line_text(line);
    let start = source.offset(LineColumn { line, column: column.max(1) });
    let line_start = source.offset(LineColumn { line, column: 1 });
    let line_end = line_start + text.len() as u32;
    if column == 0 {
        let blank = (text.len() - text.trim_start().len()) as u32;
        return Span { start: line_start + blank, end: line_end };
    }
    let rest = text.get((start - line_start) as usize..).unwrap_or("");
    let word = rest.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.')).count().max(1);
    Span { start, end: (start + word as u32).min(line_end.max(start)) }
}
