//! Mutation fuzzing: `fuzz SECONDS SEED FILE…` changes valid kernels at random and compiles what comes out.
//!
//! A mutant may be right or wrong; tk must compile it or say what is wrong. A panic, or a later stage that meets what the
//! checker should have refused, is a bug in tk: the mutant is printed, and the run ends with 1. One seed always makes the
//! same mutants. `scripts/fuzz` runs it on the examples and the error cases.

use std::time::{Duration, Instant};
use tk_types::CompileOptions;

/// Words that mutants are made of besides those of the kernels.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "16",
    "128",
    "1024",
    "2147483647",
    "4294967296",
    "1e400",
    "0.5",
    "None",
    "True",
    "False",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "@",
    "<",
    ">",
    "==",
    "!=",
    "&",
    "|",
    "^",
    "~",
    "<<",
    ">>",
    "and",
    "or",
    "not",
    "if",
    "else",
    "for",
    "while",
    "return",
    "break",
    "continue",
    "in",
    "is",
    "lambda",
    "x",
    "tl.float16",
    "tl.float32",
    "tl.int8",
    "tl.int64",
    "tl.uint32",
    "tl.float8e5",
    "tl.int1",
    "[:, None]",
    "[None, :]",
    ".to(tl.int64)",
    ".T",
    "tl.program_id(0)",
    "tl.arange(0, 16)",
    "tl.zeros((16, 16), dtype=tl.float32)",
    "mask=None",
    "other=0.0",
    "axis=0",
    "axis=1",
    "axis=-3",
    "num_stages=2",
    "\"text\"",
    "pass",
];

/// Bugs after which a run ends.
const MOST_BUGS: u32 = 20;

/// A small deterministic generator (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % count.max(1) as u64) as usize
    }
}

/// Words, numbers and single signs, with the blanks between them.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let kind = |c: char| match c {
        ' ' => 1,
        c if c.is_alphanumeric() || c == '_' || c == '.' => 0,
        _ => 2,
    };
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if kind(c) != 2 && last.chars().last().is_some_and(|before| kind(before) == kind(c)) => {
                last.push(c);
            }
            _ => out.push(c.to_string()),
        }
    }
    out
}

fn mutant(dice: &mut Dice, corpus: &[String]) -> String {
    let text = &corpus[dice.below(corpus.len())];
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for _ in 0..dice.below(4) + 1 {
        if lines.is_empty() {
            break;
        }
        let at = dice.below(lines.len());
        match dice.below(10) {
            0 => _ = lines.remove(at),
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let other = dice.below(lines.len());
                lines.swap(at, other);
            }
            3 => {
                let other: Vec<&str> = corpus[dice.below(corpus.len())].lines().collect();
                lines.insert(at, other.get(dice.below(other.len())).copied().unwrap_or_default().to_string());
            }
            4 => lines[at] = format!("    {}", lines[at]),
            _ => lines[at] = changed(dice, &lines[at]),
        }
    }
    lines.join("\n") + "\n"
}

/// A line with one word replaced, removed or added.
fn changed(dice: &mut Dice, line: &str) -> String {
    let mut words = tokens(line);
    let place = dice.below(words.len());
    let word = match dice.below(3) {
        0 => words.get(dice.below(words.len())).cloned().unwrap_or_default(),
        _ => WORDS[dice.below(WORDS.len())].to_string(),
    };
    match (dice.below(3), words.get_mut(place)) {
        (0, Some(old)) => *old = word,
        (1, Some(_)) => _ = words.remove(place),
        _ => words.insert(place.min(words.len()), word),
    }
    words.concat()
}

/// Compiles every kernel of a text as far as PTX, under guessed signatures and random options. The error names the bug.
fn compile(text: &str, dice: &mut Dice) -> Result<(), String> {
    let Ok(module) = tk_grammar::parse(&tk_diag::SourceFile::new("mutant.tk", text)) else { return Ok(()) };
    let target = tk_target::Target::parse("sm_90a").map_err(|error| error.to_string())?;
    for function in tk::kernels(&module) {
        let (specs, constexprs) = tk::guess::launch(&module, function, dice.below(8) as u64);
        let name = function.name.text.as_str();
        let Ok(args) = tk::bind_signature(&module, name, Some(&specs), &constexprs) else { continue };
        let mut options = CompileOptions { num_warps: 1 << dice.below(4), ..CompileOptions::default() };
        options.sanitize.overflow = dice.below(4) == 0;
        options.sanitize.bounds = dice.below(4) == 0;
        let bounds = tk::Bounds::assumed();
        let unit = tk::Unit { module: &module, kernel: name, args: &args, globals: &[], options, target, bounds };
        if let Err(errors) = tk::compile(&unit, tk::Until::Ptx, &mut tk_driver::Unwatched)
            && let Some(bug) = errors.iter().find(|error| error.severity == tk_diag::Severity::Bug)
        {
            return Err(tk_diag::render(bug, tk_diag::Style::Plain));
        }
    }
    Ok(())
}

fn fuzz(seconds: u64, seed: u64, corpus: &[String]) -> u32 {
    let (start, mut dice) = (Instant::now(), Dice(seed));
    let (mut count, mut bugs) = (0u64, 0);
    while start.elapsed() < Duration::from_secs(seconds) && bugs < MOST_BUGS {
        let text = mutant(&mut dice, corpus);
        count += 1;
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compile(&text, &mut dice)));
        let what = match result {
            Ok(Ok(())) => continue,
            Ok(Err(bug)) => bug,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_string()));
                format!("a panic: {}\n", text.unwrap_or_default())
            }
        };
        bugs += 1;
        println!("===== mutant {count} =====\n{text}\n----- {what}");
    }
    println!("{count} mutants, {bugs} bugs, seed {seed}");
    bugs
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = || args.next().and_then(|text| text.parse::<u64>().ok()).unwrap_or(10);
    let (seconds, seed) = (number(), number());
    let corpus: Vec<String> = args.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    assert!(!corpus.is_empty(), "usage: fuzz SECONDS SEED FILE…");
    std::panic::set_hook(Box::new(|_| {}));
    let worker = std::thread::Builder::new().stack_size(512 << 20);
    let bugs = worker.spawn(move || fuzz(seconds, seed, &corpus)).map(|thread| thread.join());
    std::process::exit(i32::from(!matches!(bugs, Ok(Ok(0)))));
}
