//! `random-ptx`: random PTX programs of instructions that the simulator claims to compute exactly, with the bits that it computes.
//!
//! The first programs have one form of an instruction each, the others are mixed. `--out` writes them for `scripts/nvidia/random_ptx.py`,
//! which runs them on a GPU and says which bits differ; without it they run on the simulator alone, where any error is one of the
//! generator or of the simulator.

mod form;
mod forms;
mod inputs;
mod program;
mod run;

use clap::Parser;
use program::{INPUT_WORDS, Writer};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Writes random PTX programs and the bits that the simulator computes.
#[derive(Debug, Parser)]
#[command(name = "random-ptx")]
struct Options {
    /// The first program; the first few hundred have one form of an instruction each.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many programs.
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// What the random numbers begin with.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Writes programs and checksums to this file: one JSON document a line, the first with what all share.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Runs the programs of a file that --out wrote before, instead of new ones.
    #[arg(long)]
    again: Option<PathBuf>,
    /// Prints the programs.
    #[arg(long)]
    print: bool,
    /// Prints what each thread has in each slot at the end, a line for each slot: its number and 64-bit words.
    #[arg(long)]
    values: bool,
}

/// What all programs share.
#[derive(Serialize, Deserialize)]
struct Header {
    seed: u64,
    grid: u32,
    block: u32,
    slots: u32,
    input_words: u32,
    output_bytes: u64,
    pool: Vec<u32>,
}

/// A program and what the simulator makes of it.
#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    ptx: String,
    /// Its first word of the pool.
    offset: u32,
    /// Of each slot of the output.
    checksums: Vec<u32>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match &options.again {
        Some(path) => read(path).and_then(|(header, rows)| run_all(&options, &header, rows.into_iter())),
        None => {
            let forms = forms::all();
            println!("{} forms", forms.len());
            let header = header(options.seed);
            let numbers = options.first..options.first.saturating_add(options.count);
            run_all(&options, &header, numbers.map(|number| program(options.seed, number, &forms)))
        }
    };
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn header(seed: u64) -> Header {
    Header {
        seed,
        grid: program::GRID,
        block: program::BLOCK,
        slots: program::slots(),
        input_words: INPUT_WORDS,
        output_bytes: program::output_bytes(),
        pool: inputs::pool(&mut ChaCha8Rng::seed_from_u64(seed)),
    }
}

/// The program of a number, without its checksums.
fn program(seed: u64, number: u64, forms: &[form::Form]) -> Row {
    let name = format!("p{number}");
    let mut random = ChaCha8Rng::seed_from_u64(seed << 32 ^ number);
    // Whole rows of 64-bit words.
    let offset = random.random_range(0..(inputs::POOL_WORDS - INPUT_WORDS) / 64) * 64;
    let writer = Writer::new(random, forms);
    let ptx = match forms.get(number as usize) {
        Some(form) => writer.single(&name, form),
        None => writer.mixed(&name),
    };
    Row { name, ptx, offset, checksums: Vec::new() }
}

/// What [`run_all`] wrote to a file.
fn read(path: &Path) -> io::Result<(Header, Vec<Row>)> {
    let text = std::fs::read_to_string(path)?;
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next().unwrap_or(""))?;
    let rows = lines.map(serde_json::from_str).collect::<Result<Vec<Row>, _>>()?;
    let fits = |row: &Row| u64::from(row.offset) + u64::from(INPUT_WORDS) <= header.pool.len() as u64;
    if !rows.iter().all(fits) {
        return Err(io::Error::other("a program reads past the end of the pool"));
    }
    Ok((header, rows))
}

/// Runs programs and writes them with their checksums; how many the simulator stopped.
fn run_all(options: &Options, header: &Header, rows: impl Iterator<Item = Row>) -> io::Result<u64> {
    let mut out: Box<dyn Write> = match &options.out {
        Some(path) => Box::new(BufWriter::new(std::fs::File::create(path)?)),
        None => Box::new(io::sink()),
    };
    writeln!(out, "{}", serde_json::to_string(header)?)?;
    let (mut all, mut stopped) = (0, 0);
    for row in rows {
        all += 1;
        if options.print {
            println!("{}", row.ptx);
        }
        match run::outputs(&row.name, &row.ptx, &header.pool, row.offset) {
            Ok(output) => {
                if options.values {
                    print_values(&output);
                }
                let checksums = run::checksums(&output);
                writeln!(out, "{}", serde_json::to_string(&Row { checksums, ..row })?)?;
            }
            Err(error) => {
                stopped += 1;
                println!("{}: {}", row.name, tk_diag::render(&error, tk_diag::Style::Plain));
            }
        }
    }
    out.flush()?;
    println!("{} of {all} programs run", all - stopped);
    Ok(stopped)
}

fn print_values(output: &[u8]) {
    for (slot, bytes) in output.chunks(8 * program::THREADS as usize).enumerate() {
        let words = bytes.chunks_exact(8).map(|b| u64::from_le_bytes(std::array::from_fn(|i| b[i])));
        println!("{slot} {}", words.map(|word| format!("{word:x}")).collect::<Vec<String>>().join(" "));
    }
}
