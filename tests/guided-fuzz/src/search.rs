//! The search: changes of inputs that were kept, of which those are kept that reach something new.

use crate::{Options, counters_unsafe, current, mutate, targets::Target};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;
use std::time::{Duration, Instant};

/// Longer inputs are not kept.
const MOST_BYTES: usize = 24 << 10;
/// How often the state is said.
const TELL: Duration = Duration::from_secs(60);

/// What was reached: of each edge, which sizes of its count.
struct Reached(Vec<u8>);

impl Reached {
    /// Whether the counters say something new, which counts as reached from now on. They begin again.
    fn is_new(&mut self) -> bool {
        counters_unsafe::with(|counters| {
            self.0.resize(counters.len(), 0);
            let mut new = false;
            for (counts, seen) in counters.chunks_mut(8).zip(self.0.chunks_mut(8)) {
                if counts.iter().all(|count| *count == 0) {
                    continue;
                }
                for (count, seen) in counts.iter_mut().zip(seen) {
                    let size = size(*count);
                    new |= size & !*seen != 0;
                    *seen |= size;
                    *count = 0;
                }
            }
            new
        })
    }

    fn edges(&self) -> usize {
        self.0.iter().filter(|seen| **seen != 0).count()
    }
}

/// One bit for each size of a count: 1, 2, 3, to 7, to 15, to 31, to 127, more.
fn size(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..8 => 8,
        8..16 => 16,
        16..32 => 32,
        32..128 => 64,
        128.. => 128,
    }
}

/// The inputs of files, and of the folder.
fn seeds(options: &Options) -> Result<Vec<Vec<u8>>, String> {
    let mut inputs = Vec::new();
    for path in &options.files {
        inputs.push(std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?);
    }
    let kept = std::fs::read_dir(&options.corpus).map_err(|error| error.to_string())?;
    let mut paths: Vec<_> = kept.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_kept = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("kept-"));
    for path in paths.iter().filter(|path| is_kept(path)) {
        inputs.push(std::fs::read(path).map_err(|error| error.to_string())?);
    }
    Ok(inputs)
}

/// Searches for so long.
pub(crate) fn run(options: &Options, time: Duration) -> Result<(), String> {
    let start = Instant::now();
    let mut random = ChaCha8Rng::seed_from_u64(options.seed ^ std::process::id() as u64);
    let mut reached = Reached(Vec::new());
    let seeds = seeds(options)?;
    let (mut corpus, mut tried, mut told) = (Vec::new(), 0u64, start);
    let try_one = |input: &[u8], reached: &mut Reached| -> Result<bool, String> {
        let at = current(&options.corpus);
        std::fs::write(&at, input).map_err(|error| error.to_string())?;
        options.target.run(input, &options.corpus.join("scratch")).map_err(|error| error.to_string())?;
        Ok(reached.is_new())
    };
    for input in seeds {
        if try_one(&input, &mut reached)? {
            corpus.push(input);
        }
    }
    if reached.0.is_empty() {
        return Err("this program has no counters of edges: build it with scripts/guided-fuzz".to_string());
    }
    if corpus.is_empty() {
        return Err("no input to begin with".to_string());
    }
    while start.elapsed() < time {
        tried += 1;
        let [first, other] = [0, 1].map(|_| chosen(&mut random, corpus.len()));
        let input = match options.target {
            Target::Ptx => mutate::text(&corpus[first], &corpus[other], &mut random),
            Target::Npy => mutate::bytes(&corpus[first], &mut random),
        };
        if input.len() <= MOST_BYTES && try_one(&input, &mut reached)? {
            let path = options.corpus.join(format!("kept-{:08}-{}", corpus.len(), std::process::id()));
            std::fs::write(path, &input).map_err(|error| error.to_string())?;
            corpus.push(input);
        }
        if told.elapsed() > TELL {
            told = Instant::now();
            println!("{tried} inputs, {} kept, {} edges", corpus.len(), reached.edges());
        }
    }
    println!("{tried} inputs, {} kept, {} edges", corpus.len(), reached.edges());
    Ok(())
}

/// A number below `n`; later inputs, which reached something new last, come more often.
fn chosen(random: &mut ChaCha8Rng, n: usize) -> usize {
    let recent = random.random_range(0..3) == 0;
    if recent { random.random_range(n - n.div_ceil(8)..n) } else { random.random_range(0..n) }
}
