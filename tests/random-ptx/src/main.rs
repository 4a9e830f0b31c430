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
use serde::Serialize;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
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
    /// Prints the programs.
    #[arg(long)]
    print: bool,
    /// Prints what each thread has in each slot at the end, a line for each slot: its number and 64-bit words.
    #[arg(long)]
    values: bool,
}

/// What all programs share.
#[derive(Serialize)]
struct Header<'a> {
    seed: u64,
    grid: u32,
    block: u32,
    slots: u32,
    input_words: u32,
    output_bytes: u64,
    pool: &'a [u32],
}

/// A program and what the simulator makes of it.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    ptx: &'a str,
    /// Its first word of the pool.
    offset: u32,
    /// Of each slot of the output.
    checksums: Vec<u32>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match write_all(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Makes and runs all programs; how many the simulator stopped.
fn write_all(options: &Options) -> std::io::Result<u64> {
    let mut out: Box<dyn Write> = match &options.out {
        Some(path) => Box::new(BufWriter::new(std::fs::File::create(path)?)),
        None => Box::new(std::io::sink()),
    };
    let pool = inputs::pool(&mut ChaCha8Rng::seed_from_u64(options.seed));
    let header = Header {
        seed: options.seed,
        grid: program::GRID,
        block: program::BLOCK,
        slots: program::slots(),
        input_words: INPUT_WORDS,
        output_bytes: program::output_bytes(),
        pool: &pool,
    };
    writeln!(out, "{}", serde_json::to_string(&header)?)?;
    let forms = forms::all();
    let mut stopped = 0;
    for number in options.first..options.first + options.count {
        let name = format!("p{number}");
        let mut random = ChaCha8Rng::seed_from_u64(options.seed << 32 ^ number);
        // Whole rows of 64-bit words.
        let offset = random.random_range(0..(pool.len() as u32 - INPUT_WORDS) / 64) * 64;
        let writer = Writer::new(random, &forms);
        let ptx = match forms.get(number as usize) {
            Some(form) => writer.single(&name, form),
            None => writer.mixed(&name),
        };
        if options.print {
            println!("{ptx}");
        }
        match run::outputs(&name, &ptx, &pool, offset) {
            Ok(output) => {
                if options.values {
                    print_values(&output);
                }
                let row = Row { name: &name, ptx: &ptx, offset, checksums: run::checksums(&output) };
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
            }
            Err(error) => {
                stopped += 1;
                println!("{name}: {}", tk_diag::render(&error, tk_diag::Style::Plain));
            }
        }
    }
    out.flush()?;
    println!("{} forms; {} of {} programs run", forms.len(), options.count - stopped, options.count);
    Ok(stopped)
}

fn print_values(output: &[u8]) {
    for (slot, bytes) in output.chunks(8 * program::THREADS as usize).enumerate() {
        let words = bytes.chunks_exact(8).map(|b| u64::from_le_bytes(std::array::from_fn(|i| b[i])));
        println!("{slot} {}", words.map(|word| format!("{word:x}")).collect::<Vec<String>>().join(" "));
    }
}
