//! Figures beside the lines of the source: what they ask of memory, how often they ran, what they take.

use super::Explained;
use super::facts::{Access, Cell, Column, FormFacts, FormKind, Level, Rank};
use super::lines::sources_of_ptx;
use super::places::Places;
use std::collections::BTreeMap;
use tk_diag::SourceFile;
use tk_driver::Form;

/// Figures beside the source. A column that no line has a figure for is left out.
pub(super) fn columns(places: &Places, kernel: &Explained, accesses: &[Access], forms: &[FormFacts]) -> Vec<Column> {
    let mut columns = Vec::from(figures_of_memory(accesses));
    columns.extend(figures_of_ptx(places, kernel));
    columns.extend([
        Column {
            name: "PTX",
            words: "instructions of PTX",
            rank: Rank::More,
            cells: instructions(forms, FormKind::Ptx),
        },
        Column {
            name: "SASS",
            words: "instructions of machine code",
            rank: Rank::More,
            cells: instructions(forms, FormKind::Sass),
        },
    ]);
    columns.retain(|column| !column.cells.is_empty());
    columns
}

fn figures_of_memory(accesses: &[Access]) -> [Column; 3] {
    let sectors = |access: &Access| (access.space == "global").then(|| sectors_cell(access));
    let conflicts = |access: &Access| (access.space == "shared").then(|| conflicts_cell(access));
    let bits = |access: &Access| Some((access.bits.to_string(), Level::Plain));
    [
        Column {
            name: "bits",
            words: "bits that a thread accesses at once, the fewest of the line",
            rank: Rank::More,
            cells: by_line(accesses, bits),
        },
        Column {
            name: "sect",
            words: "32-byte sectors of global memory for each that would do; 1.0 is best",
            rank: Rank::Main,
            cells: by_line(accesses, sectors),
        },
        Column {
            name: "bank",
            words: "passes over the banks of shared memory that conflicts add",
            rank: Rank::Main,
            cells: by_line(accesses, conflicts),
        },
    ]
}

/// What is known of the instructions of the PTX: how often they ran, and the registers that are live at them.
fn figures_of_ptx(places: &Places, kernel: &Explained) -> Vec<Column> {
    let Some(stage) = kernel.stages.iter().rfind(|stage| stage.form == Form::Ptx) else { return Vec::new() };
    let sources = sources_of_ptx(&stage.text, places);
    let mut columns = Vec::new();
    if let Some(simulation) = kernel.record.as_ref().and_then(|record| record.report.simulation.as_ref()) {
        let rows = simulation.runs.iter().map(|runs| Counted { ptx_line: runs.ptx_line, count: runs.warps });
        let cell = |count: u64| (short(count), Level::Plain);
        let words = "how often warps ran the line: the most of its instructions";
        columns.push(Column { name: "runs", words, rank: Rank::Main, cells: most_by_line(&sources, rows, cell) });
    }
    let limit = u64::from(most_registers(kernel));
    let cell = |count: u64| (count.to_string(), if count > limit { Level::Bad } else { Level::Plain });
    let words = "32-bit registers of a thread that are live in the PTX, before ptxas: the most at the line";
    columns.push(Column {
        name: "regs",
        words,
        rank: Rank::Main,
        cells: most_by_line(&sources, live_registers(&stage.text), cell),
    });
    columns
}

/// A number of a line of the PTX, which counts from 1.
struct Counted {
    ptx_line: u32,
    count: u64,
}

fn live_registers(ptx: &str) -> Vec<Counted> {
    let source = SourceFile::new("kernel.ptx", ptx);
    let Ok(module) = tk_ptx::parse(&source) else { return Vec::new() };
    let live = module.entries().flat_map(tk_ptx::Function::live_registers);
    let counted = live.map(|live| {
        let ptx_line = source.line_column(live.place.0.start).line;
        Counted { ptx_line, count: u64::from(live.registers) }
    });
    counted.collect()
}

/// Registers that a thread can have in CTAs of the kernel's size.
fn most_registers(kernel: &Explained) -> u32 {
    let image = kernel.image.as_ref();
    let target = image.and_then(|image| Some((image, tk_target::Target::parse(&image.target).ok()?)));
    target.map_or(u32::MAX, |(image, target)| target.register_budget(image.num_warps, 1))
}

/// The largest number of each line of the source.
fn most_by_line(
    sources: &[Option<u32>],
    rows: impl IntoIterator<Item = Counted>,
    cell: impl Fn(u64) -> (String, Level),
) -> Vec<Cell> {
    let mut most: BTreeMap<u32, u64> = BTreeMap::new();
    for Counted { ptx_line, count } in rows {
        let index = (ptx_line as usize).checked_sub(1);
        if let Some(line) = index.and_then(|index| *sources.get(index)?) {
            let known = most.entry(line).or_default();
            *known = count.max(*known);
        }
    }
    let cells = most.into_iter().map(|(line, count)| {
        let (text, level) = cell(count);
        Cell { line, text, level }
    });
    cells.collect()
}

/// A number in few characters: 9999, 12k, 3.4M.
fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1000),
        1_000_000..1_000_000_000 => format!("{:.1}M", count as f64 / 1e6),
        _ => format!("{:.1}G", count as f64 / 1e9),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn access(line: u32, space: &'static str, bits: u32, units: u64) -> Access {
        let place = None;
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
        let found = figures_of_memory(&accesses);
        let cells = |name: &str| &found.iter().find(|column| column.name == name).unwrap().cells;
        let cell = |line, text: &str, level| Cell { line, text: text.to_string(), level };
        assert_eq!(cells("bits")[..], [cell(3, "16", Level::Plain), cell(9, "64", Level::Plain)]);
        assert_eq!(cells("sect")[..], [cell(3, "8.0", Level::Bad)]);
        assert_eq!(cells("bank")[..], [cell(3, "0", Level::Plain), cell(9, "2", Level::Bad)]);
    }

    #[test]
    fn a_line_has_the_most_of_its_instructions() {
        let ptx = ".version 8.0\n.target sm_90a\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n.loc 1 7 1\nmov.b32 %r1, 1;\nmov.b32 %r2, 2;\n.loc 1 9 1\n\
                   add.s32 %r3, %r1, %r2;\nst.shared.b32 [%r3], 0;\nret;\n}\n.file 1 \"k.tk\"\n";
        let cells = most_by_line(&sources_of_ptx(ptx, &Places::of("k.tk", None)), live_registers(ptx), |count| {
            (short(count), Level::Plain)
        });
        let found: Vec<(u32, &str)> = cells.iter().map(|cell| (cell.line, cell.text.as_str())).collect();
        assert_eq!(found, [(7, "2"), (9, "2")]);
        assert_eq!([9_999, 12_345, 1_250_000, 7_000_000_000].map(short), ["9999", "12k", "1.2M", "7.0G"]);
    }
}
