//! Planted faults: programs that are right, and changes of one place that make them wrong. Each program has to run without a report, and
//! each change has to be found, with its kind and at its line.
//!
//! The tables in `planted/` have the programs. `== NAME | ctas N | threads N | header TEXT` begins one, of lines of PTX
//! ([`kernel`] says which registers have what). `-- KINDS @ MARKS : TEXT => TEXT` is a change: the kinds of reports that
//! are right, the marks (`// X` at the end of lines) of the places that may be named, by default the place of the change, and the first
//! text that is replaced; `- TEXT` takes it away. `#` begins a comment. A change that begins with `--?` is known not to be found.

use crate::device::{Device, u32s};
use tk_diag::{Diagnostic, Style};
use tk_sim::{Arg, TensorElement, TensorMap, encode_tensor_map};

/// Orders in which warps begin and copies land. A fault that depends on the order has to show in one of them.
const SEEDS: std::ops::Range<u64> = 0..4;

/// The share of faults that has to be found.
const SHARE: f64 = 0.98;

const TABLES: [(&str, &str); 9] = [
    ("global", include_str!("planted/global.table")),
    ("shared", include_str!("planted/shared.table")),
    ("lanes", include_str!("planted/lanes.table")),
    ("undefined", include_str!("planted/undefined.table")),
    ("clusters", include_str!("planted/clusters.table")),
    ("engines", include_str!("planted/engines.table")),
    ("proxies", include_str!("planted/proxies.table")),
    ("further", include_str!("planted/further.table")),
    ("published", include_str!("planted/published.table")),
];

/// A program of a table.
#[derive(Clone, Debug, Default)]
struct Planted<'t> {
    name: &'t str,
    ctas: u32,
    threads: u32,
    header: &'t str,
    body: String,
    changes: Vec<Change<'t>>,
}

/// A change that makes a program wrong.
#[derive(Clone, Debug)]
struct Change<'t> {
    line: &'t str,
    is_known_miss: bool,
    kinds: Vec<&'t str>,
    marks: Vec<&'t str>,
    from: &'t str,
    to: &'t str,
}

/// The programs of a table.
fn programs(table: &str) -> Vec<Planted<'_>> {
    let mut programs: Vec<Planted<'_>> = Vec::new();
    for line in table.lines() {
        if let Some(title) = line.strip_prefix("== ") {
            let mut parts = title.split('|').map(str::trim);
            let name = parts.next().unwrap_or_default();
            let mut program = Planted { name, ctas: 1, threads: 64, ..Planted::default() };
            for part in parts {
                match part.split_once(' ') {
                    Some(("ctas", count)) => program.ctas = count.parse().unwrap(),
                    Some(("threads", count)) => program.threads = count.parse().unwrap(),
                    Some(("header", text)) => program.header = text,
                    other => panic!("{name}: {other:?}"),
                }
            }
            programs.push(program);
        } else if let Some(change) = line.strip_prefix("--") {
            let program = programs.last_mut().expect("a program first");
            program.changes.push(self::change(line, change));
        } else if let Some(program) = programs.last_mut().filter(|_| !line.starts_with('#')) {
            program.body.push_str(line);
            program.body.push('\n');
        }
    }
    programs
}

fn change<'t>(line: &'t str, text: &'t str) -> Change<'t> {
    let (is_known_miss, text) = text.strip_prefix('?').map_or((false, text), |rest| (true, rest));
    let (head, change) = text.split_once(" : ").unwrap_or_else(|| panic!("{line}"));
    let (kinds, marks) = head.split_once('@').unwrap_or((head, ""));
    let (from, to) = match change.strip_prefix("- ") {
        Some(from) => (from, ""),
        None => change.split_once(" => ").unwrap_or_else(|| panic!("{line}")),
    };
    let words = |text: &'t str| text.split_whitespace().collect();
    Change { line, is_known_miss, kinds: words(kinds), marks: words(marks), from, to }
}

/// `%r1` to `%r8` are the thread, the CTA, the threads of a CTA, the lane, the warp, shared memory, this thread's word there, and the
/// number of this thread among all; `%r9` has room for eight mbarriers. `%rd1` is 16 KiB of data, words that are numbered from 1000 on,
/// `%rd2` 1 KiB of zeros, `%rd3` 4 KiB that nothing wrote, `%rd4` and `%rd5` this thread's word of the data, by its number in the CTA and
/// among all, `%rd6` its word of `%rd3`, `%rd7` a tensor map of the data, `%rd8` the CTA's word of `%rd2`, `%rd9` the thread. `%p1`: thread 0,
/// `%p2`: CTA 0, `%p3`: lane 0, `%p4`: warp 0.
fn kernel(header: &str, body: &str) -> String {
    include_str!("planted/kernel.ptx").replace("@header", header).replace("@body", body)
}

/// A tensor of 64 rows of 64 words, boxes of 8 rows of 32.
fn map(address: u64) -> TensorMap {
    TensorMap {
        address,
        element: TensorElement::U32,
        sizes: vec![64, 64],
        strides: vec![256],
        block: vec![32, 8],
        element_strides: vec![1, 1],
        swizzle_bytes: 0,
        fill_nan: false,
    }
}

fn run(program: &Planted<'_>, text: &str, seed: u64) -> tk_diag::Result<()> {
    let mut device = Device::new();
    device.config.seed = seed;
    // Seeds alone decide which program runs when.
    device.config.threads = 1;
    device.config.limits.steps_per_cta = 3_000_000;
    let data = device.upload(u32s(&(1000..1000 + 4096).collect::<Vec<u32>>()));
    let (flags, empty) = (device.upload(u32s(&[0; 256])), device.poison(4096));
    let map = encode_tensor_map(&map(data.address())).unwrap().to_vec();
    let changed = device.upload(map.clone());
    let args = [Arg::from(data), Arg::from(flags), Arg::from(empty), Arg(map), Arg::from(changed)];
    device.run(text, "k", [program.ctas, 1, 1], program.threads, 32 << 10, &args).map(|_| ())
}

/// The lines, from 1, that end with one of these marks, or those that a change touches.
fn expected(change: &Change<'_>, text: &str, at: usize) -> Vec<u32> {
    let marked = |line: &str| change.marks.iter().any(|mark| line.ends_with(&format!("// {mark}")));
    let lines = text.lines().zip(1..);
    match change.marks.is_empty() {
        true => vec![1 + text[..at].matches('\n').count() as u32],
        false => lines.filter(|(line, _)| marked(line)).map(|(_, number)| number).collect(),
    }
}

/// The line of the PTX that a report is about.
fn line_of(error: &Diagnostic) -> Option<u32> {
    let label = error.labels.first()?;
    Some(label.file.as_ref()?.line_column(label.span.start).line)
}

/// Why a change is not found; nothing when it is.
fn missed(program: &Planted<'_>, change: &Change<'_>) -> Option<String> {
    let text = kernel(program.header, &program.body);
    let at = text.find(change.from).unwrap_or_else(|| panic!("{}: {} is not there", program.name, change.from));
    let text = format!("{}{}{}", &text[..at], change.to, &text[at + change.from.len()..]);
    let lines = expected(change, &text, at);
    assert!(!lines.is_empty(), "{}: no line for {}", program.name, change.line);
    let right = |error: &Diagnostic| {
        change.kinds.contains(&error.code.slug) && line_of(error).is_some_and(|line| lines.contains(&line))
    };
    let mut errors = Vec::new();
    // The first order in which it shows is enough.
    for error in SEEDS.filter_map(|seed| run(program, &text, seed).err()) {
        if right(&error) {
            return None;
        }
        errors.push(error);
    }
    let shown = errors.first().map(|error| tk_diag::render(error, Style::Plain));
    let shown = shown.unwrap_or_else(|| "nothing was found".to_string());
    Some(format!("{}\n{}\nlines {lines:?}\n{shown}\n", program.name, change.line))
}

#[test]
fn programs_without_a_fault_have_no_report() {
    for (program, seed) in
        TABLES.iter().flat_map(|(_, table)| programs(table)).flat_map(|p| SEEDS.map(move |s| (p.clone(), s)))
    {
        let result = run(&program, &kernel(program.header, &program.body), seed);
        result.unwrap_or_else(|e| panic!("{}, seed {seed}\n{}", program.name, tk_diag::render(&e, Style::Plain)));
    }
}

#[test]
fn planted_faults_are_found_at_their_lines() {
    let (mut total, mut found, mut wrong) = (0, 0, Vec::new());
    let mut programs_of_all = 0;
    for (name, table) in TABLES {
        let programs = programs(table);
        programs_of_all += programs.len();
        for (program, change) in programs.iter().flat_map(|p| p.changes.iter().map(move |change| (p, change))) {
            total += 1;
            match (missed(program, change), change.is_known_miss) {
                (None, false) => found += 1,
                (None, true) => wrong.push(format!("{name}: {} is found now", change.line)),
                (Some(_), true) => {}
                (Some(why), false) => wrong.push(format!("{name}: {why}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {total} are wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(programs_of_all >= 60 && total >= 250, "{programs_of_all} programs with {total} faults");
    assert!(f64::from(found) >= SHARE * f64::from(total), "{found} of {total} are found");
}
