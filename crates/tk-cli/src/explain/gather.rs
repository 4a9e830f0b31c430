//! From what was seen of a compilation to the facts of the page.

use super::facts::{Access, Cell, Column, Facts, FormFacts, FormKind, KernelFacts, Level, Lines, Note, Use};
use super::layouts::pictures;
use super::lines::{is_path, of_llvm, of_mlir, of_ptx, of_sass, plain};
use super::{Disassembly, Explained, Stage};
use std::collections::BTreeMap;
use tk_diag::{Diagnostic, SourceFile};
use tk_driver::Form;
use tk_sim::MemoryReport;
use tk_types::DotPolicy;

/// The facts about a file and the compilations of its kernels.
pub(super) fn facts(source: &SourceFile, kernels: &[Explained], warnings: &[Diagnostic]) -> Facts {
    Facts {
        version: env!("CARGO_PKG_VERSION"),
        file: source.name().to_string(),
        source: source.text().lines().map(str::to_string).collect(),
        kernels: kernels.iter().map(|kernel| kernel_facts(source.name(), kernel, warnings)).collect(),
    }
}

fn kernel_facts(file: &str, kernel: &Explained, warnings: &[Diagnostic]) -> KernelFacts {
    let forms = forms(file, kernel);
    let simulation = kernel.record.as_ref().and_then(|record| record.report.simulation.as_ref());
    let accesses = simulation.map(|simulation| accesses(file, &simulation.memory)).unwrap_or_default();
    let last = forms.iter().rfind(|form| form.kind == FormKind::Mlir);
    KernelFacts {
        name: kernel.kernel.clone(),
        signature: kernel.record.as_ref().map(|record| record.signature.clone()),
        uses: uses(kernel),
        columns: columns(&accesses, &forms),
        notes: notes(file, kernel, warnings),
        layouts: last.map(|form| pictures(&form.lines)).unwrap_or_default(),
        sass_missing: match &kernel.disassembly {
            Disassembly::Text(_) => None,
            Disassembly::Missing(why) => Some(why.clone()),
        },
        accesses,
        forms,
    }
}

fn forms(file: &str, kernel: &Explained) -> Vec<FormFacts> {
    let mut forms: Vec<FormFacts> = Vec::new();
    for stage in &kernel.stages {
        let (kind, lines) = read(stage, file);
        let changed = forms.last().is_none_or(|before| before.kind != kind || before.lines != lines);
        let milliseconds = stage.elapsed.as_secs_f64() * 1e3;
        forms.push(FormFacts { name: stage.name.clone(), kind, milliseconds, changed, lines });
    }
    if let Disassembly::Text(text) = &kernel.disassembly {
        let (name, lines) = ("sass".to_string(), of_sass(text, file));
        forms.push(FormFacts { name, kind: FormKind::Sass, milliseconds: 0.0, changed: true, lines });
    }
    forms
}

fn read(stage: &Stage, file: &str) -> (FormKind, Lines) {
    match stage.form {
        Form::Checked => (FormKind::Checked, plain(&stage.text)),
        Form::Mlir => (FormKind::Mlir, of_mlir(&stage.text, file)),
        Form::Llvm => (FormKind::Llvm, of_llvm(&stage.text, file)),
        Form::Ptx => (FormKind::Ptx, of_ptx(&stage.text, file)),
    }
}

fn uses(kernel: &Explained) -> Vec<Use> {
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(Use { name: name.to_string(), value });
    if let Some(record) = &kernel.record {
        row("grid", record.grid.map(|size| size.to_string()).join(" x "));
        row("stages", record.num_stages.to_string());
        if let Some(configuration) = record.configuration_text() {
            row("configuration", configuration);
        }
    }
    if let Some(image) = &kernel.image {
        let resources = &image.resources;
        row("target", image.target.clone());
        row("warps", image.num_warps.to_string());
        row("PTX instructions", resources.instructions.to_string());
        row("registers", resources.registers.map_or("known where there is a ptxas".into(), |count| count.to_string()));
        if let Some(bytes) = resources.spill_bytes {
            row("spills", format!("{bytes} bytes"));
        }
        if let (Some(registers), Ok(target)) = (resources.registers, tk_target::Target::parse(&image.target)) {
            let occupancy = target.occupancy(registers, image.shared_bytes, image.num_warps);
            row("CTAs on a multiprocessor", format!("{}, limited by {}", occupancy.ctas_per_sm, occupancy.limit));
        }
        if resources.dots == DotPolicy::Wait {
            row("products", "wait for each other: registers are short, or would be moved while they run".into());
        }
        row("shared memory", format!("{} bytes", image.shared_bytes));
    }
    if let Some(simulation) = kernel.record.as_ref().and_then(|record| record.report.simulation.as_ref()) {
        let totals = simulation.memory.totals();
        let sectors = format!("{} sectors, {} at least", totals.sectors, totals.least_sectors);
        row("global memory", format!("{} requests, {sectors}", totals.requests));
        row("bank conflicts", totals.bank_conflicts().to_string());
    }
    let total: f64 = kernel.stages.iter().map(|stage| stage.elapsed.as_secs_f64()).sum();
    row("compile time", format!("{:.1} ms", total * 1e3));
    rows
}

fn accesses(file: &str, memory: &MemoryReport) -> Vec<Access> {
    let mut found = Vec::new();
    for row in memory.lines() {
        let (counts, is_here) = (&row.counts, row.line > 0 && is_path(&row.file, file));
        let access = |space, requests, units, least_units| Access {
            line: is_here.then_some(row.line),
            place: if row.line > 0 { format!("{}:{}", row.file, row.line) } else { format!("ptx:{}", row.ptx_line) },
            space,
            kind: row.kind.name(),
            bits: row.width,
            requests,
            units,
            least_units,
        };
        if counts.requests > 0 {
            found.push(access("global", counts.requests, counts.sectors, counts.least_sectors));
        }
        if counts.shared_requests > 0 {
            found.push(access("shared", counts.shared_requests, counts.wavefronts, counts.least_wavefronts));
        }
    }
    found
}

/// Figures beside the source. A column that no line has a figure for is left out.
fn columns(accesses: &[Access], forms: &[FormFacts]) -> Vec<Column> {
    let sectors = |access: &Access| (access.space == "global").then(|| sectors_cell(access));
    let conflicts = |access: &Access| (access.space == "shared").then(|| conflicts_cell(access));
    let bits = |access: &Access| Some((access.bits.to_string(), Level::Plain));
    let columns = [
        Column {
            name: "bits",
            words: "bits that a thread accesses at once, the fewest of the line",
            cells: by_line(accesses, bits),
        },
        Column {
            name: "sect",
            words: "32-byte sectors of global memory for each that would do; 1.0 is best",
            cells: by_line(accesses, sectors),
        },
        Column {
            name: "bank",
            words: "passes over the banks of shared memory that conflicts add",
            cells: by_line(accesses, conflicts),
        },
        Column { name: "PTX", words: "instructions of PTX", cells: instructions(forms, FormKind::Ptx) },
        Column { name: "SASS", words: "instructions of machine code", cells: instructions(forms, FormKind::Sass) },
    ];
    columns.into_iter().filter(|column| !column.cells.is_empty()).collect()
}

/// A ratio beyond which a figure asks for attention: one part in a hundred is the edge of a tensor.
const WORTH_SEEING: f64 = 1.01;

fn sectors_cell(access: &Access) -> (String, Level) {
    let ratio = access.units as f64 / access.least_units.max(1) as f64;
    (format!("{ratio:.1}"), if ratio > WORTH_SEEING { Level::Bad } else { Level::Plain })
}

fn conflicts_cell(access: &Access) -> (String, Level) {
    let conflicts = access.units.saturating_sub(access.least_units);
    (conflicts.to_string(), if conflicts > 0 { Level::Bad } else { Level::Plain })
}

/// One cell for each line: the worst of its accesses, of equals the smallest number.
fn by_line(accesses: &[Access], cell: impl Fn(&Access) -> Option<(String, Level)>) -> Vec<Cell> {
    let mut worst: BTreeMap<u32, (String, Level)> = BTreeMap::new();
    let number = |text: &str| text.parse::<f64>().unwrap_or(0.0);
    for access in accesses {
        let (Some(line), Some((text, level))) = (access.line, cell(access)) else { continue };
        let is_worse = worst.get(&line).is_none_or(|(old, old_level)| match level.cmp(old_level) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Equal if level == Level::Bad => number(&text) > number(old),
            std::cmp::Ordering::Equal => number(&text) < number(old),
        });
        if is_worse {
            worst.insert(line, (text, level));
        }
    }
    worst.into_iter().map(|(line, (text, level))| Cell { line, text, level }).collect()
}

/// How many instructions of a form come from each line.
fn instructions(forms: &[FormFacts], kind: FormKind) -> Vec<Cell> {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    let last = forms.iter().rfind(|form| form.kind == kind);
    for source in last.iter().flat_map(|form| &form.lines.sources).filter(|source| **source > 0) {
        *counts.entry(*source).or_default() += 1;
    }
    counts.into_iter().map(|(line, count)| Cell { line, text: count.to_string(), level: Level::Plain }).collect()
}

/// What is known of single lines and why. Whoever finds out more about a line adds it here.
fn notes(file: &str, kernel: &Explained, warnings: &[Diagnostic]) -> Vec<Note> {
    let mut notes: Vec<Note> = warnings.iter().map(|warning| warning_note(file, warning)).collect();
    if let Some(image) = &kernel.image {
        let dots = image.resources.scalar_dots.iter().map(|dot| ("dot", format!("not on tensor cores: {dot}")));
        let buffers = image.resources.shared_buffers.iter();
        let buffers =
            buffers.map(|(name, offset, bytes)| ("shared memory", format!("{bytes} bytes at {offset}: {name}")));
        notes.extend(dots.chain(buffers).map(|(about, text)| {
            let line = line_in_words(&text);
            Note { line, about: about.to_string(), text, because_of: None }
        }));
    }
    notes
}

fn warning_note(file: &str, warning: &Diagnostic) -> Note {
    let here = warning.labels.first().and_then(|label| {
        let source = label.file.as_ref()?;
        let part = source.part_at(label.span.start);
        is_path(part.name(), file).then(|| part.line_column(label.span.start).line)
    });
    let help = warning.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    let text = format!("{}{help} [{}]", warning.message, warning.code.slug);
    Note { line: here, about: "warning".to_string(), text, because_of: None }
}

/// `… (line 12)` → 12. Places in other files, `(line 12 of …)`, have none.
fn line_in_words(text: &str) -> Option<u32> {
    let (_, rest) = text.rsplit_once(" (line ")?;
    rest.strip_suffix(')')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(line: u32, space: &'static str, bits: u32, units: u64) -> Access {
        let place = String::new();
        Access { line: Some(line), place, space, kind: "load", bits, requests: 1, units, least_units: 4 }
    }

    #[test]
    fn a_line_has_the_worst_figure_of_its_accesses() {
        let accesses = [
            access(3, "global", 128, 4),
            access(3, "global", 16, 32),
            access(3, "shared", 32, 4),
            access(9, "shared", 64, 6),
        ];
        let found = columns(&accesses, &[]);
        let cells = |name: &str| &found.iter().find(|column| column.name == name).unwrap().cells;
        let cell = |line, text: &str, level| Cell { line, text: text.to_string(), level };
        assert_eq!(cells("bits")[..], [cell(3, "16", Level::Plain), cell(9, "64", Level::Plain)]);
        assert_eq!(cells("sect")[..], [cell(3, "8.0", Level::Bad)]);
        assert_eq!(cells("bank")[..], [cell(3, "0", Level::Plain), cell(9, "2", Level::Bad)]);
        assert!(found.iter().all(|column| column.name != "PTX"));
    }

    #[test]
    fn words_say_lines_of_this_file_only() {
        assert_eq!(line_in_words("49152 bytes at 0: buffer (line 101)"), Some(101));
        assert_eq!(line_in_words("buffer (ops.tk:3)"), None);
        assert_eq!(line_in_words("buffer"), None);
    }
}
