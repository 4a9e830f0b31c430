//! From what was seen of a compilation to the facts of the page.

use super::facts::{Access, Facts, FormFacts, FormKind, KernelFacts, Lines, Use};
use super::figures::columns;
use super::layouts::pictures;
use super::lines::{of_llvm, of_mlir, of_ptx, of_sass, plain};
use super::notes::notes;
use super::places::{Places, home};
use super::{Disassembly, Explained, Stage};
use tk_diag::{Diagnostic, SourceFile, SourcePart};
use tk_driver::Form;
use tk_sim::MemoryReport;
use tk_types::DotPolicy;

/// The facts about a program and the compilations of its kernels. The source is the file that most of them stand in.
pub(super) fn facts(program: &SourceFile, kernels: &[Explained], warnings: &[Diagnostic]) -> Facts {
    let homes: Vec<String> = kernels.iter().filter_map(|kernel| home(&last_mlir(kernel)?.text)).collect();
    let count = |name: &str| homes.iter().filter(|home| *home == name).count();
    // Of files with as many kernels the first is the one that was named.
    let more = |best: SourcePart<'_>, part: SourcePart<'_>| count(part.name()) > count(best.name());
    let source = program.parts().reduce(|best, part| if more(best, part) { part } else { best });
    let (file, text) = source.map_or((program.name(), program.text()), |part| (part.name(), part.text()));
    Facts {
        version: env!("CARGO_PKG_VERSION"),
        file: file.to_string(),
        source: text.lines().map(str::to_string).collect(),
        kernels: kernels.iter().map(|kernel| kernel_facts(file, kernel, warnings)).collect(),
    }
}

fn last_mlir(kernel: &Explained) -> Option<&Stage> {
    kernel.stages.iter().rfind(|stage| stage.form == Form::Mlir)
}

fn kernel_facts(file: &str, kernel: &Explained, warnings: &[Diagnostic]) -> KernelFacts {
    let places = &Places::of(file, last_mlir(kernel).map(|stage| stage.text.as_str()));
    let forms = forms(file, places, kernel);
    let simulation = kernel.record.as_ref().and_then(|record| record.report.simulation.as_ref());
    let accesses = simulation.map(|simulation| accesses(places, &simulation.memory)).unwrap_or_default();
    let last = forms.iter().rfind(|form| form.kind == FormKind::Mlir);
    KernelFacts {
        name: kernel.kernel.clone(),
        signature: kernel.record.as_ref().map(|record| record.signature.clone()),
        uses: uses(kernel),
        columns: columns(places, kernel, &accesses, &forms),
        notes: notes(places, kernel, warnings),
        layouts: last.map(|form| pictures(&form.lines)).unwrap_or_default(),
        sass_missing: match &kernel.disassembly {
            Disassembly::Text(_) => None,
            Disassembly::Missing(why) => Some(why.clone()),
        },
        accesses,
        forms,
    }
}

fn forms(file: &str, places: &Places, kernel: &Explained) -> Vec<FormFacts> {
    let mut forms: Vec<FormFacts> = Vec::new();
    for stage in &kernel.stages {
        let (kind, lines) = read(stage, file, places);
        let changed = forms.last().is_none_or(|before| before.kind != kind || before.lines != lines);
        let milliseconds = stage.elapsed.as_secs_f64() * 1e3;
        forms.push(FormFacts { name: stage.name.clone(), kind, milliseconds, changed, lines });
    }
    if let Disassembly::Text(text) = &kernel.disassembly {
        let (name, lines) = ("sass".to_string(), of_sass(text, places));
        forms.push(FormFacts { name, kind: FormKind::Sass, milliseconds: 0.0, changed: true, lines });
    }
    forms
}

fn read(stage: &Stage, file: &str, places: &Places) -> (FormKind, Lines) {
    match stage.form {
        Form::Checked => (FormKind::Checked, plain(&stage.text)),
        Form::Mlir => (FormKind::Mlir, of_mlir(&stage.text, file)),
        Form::Llvm => (FormKind::Llvm, of_llvm(&stage.text, places)),
        Form::Ptx => (FormKind::Ptx, of_ptx(&stage.text, places)),
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

fn accesses(places: &Places, memory: &MemoryReport) -> Vec<Access> {
    let mut found = Vec::new();
    for row in memory.lines() {
        let counts = &row.counts;
        let place = if row.line > 0 { format!("{}:{}", row.file, row.line) } else { format!("ptx:{}", row.ptx_line) };
        let access = |space, requests, units, least_units| Access {
            line: places.line_of(&row.file, row.line),
            place: (row.line == 0 || !places.is_here(&row.file)).then(|| place.clone()),
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
