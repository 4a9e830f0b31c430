//! What inputs are given to.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::path::Path;
use std::time::Duration;
use tk_diag::SourceFile;
use tk_ptx::Requirement;
use tk_sim::{Arg, CacheConfig, Checks, DeviceMemory, LaunchConfig, Limits, Program, TensorElement, TensorMap};

/// A reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// PTX: parsed, decoded, run, reported.
    Ptx,
    /// Arrays in files of numpy.
    Npy,
}

impl Target {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        match name {
            "ptx" => Some(Target::Ptx),
            "npy" => Some(Target::Npy),
            _ => None,
        }
    }

    /// Gives an input to the reader; `scratch` is a file that may be overwritten.
    pub(crate) fn run(self, input: &[u8], scratch: &Path) -> std::io::Result<()> {
        match self {
            Target::Ptx => ptx(&String::from_utf8_lossy(input)),
            Target::Npy => {
                std::fs::write(scratch, input)?;
                // Wrong files are refused, which is right.
                drop(tk_npy::read(scratch, 1 << 20));
            }
        }
        Ok(())
    }
}

/// Words of the data that kernels get: as the planted faults have them (`crates/tk-sim/tests/planted/kernel.ptx`).
const WORDS: u32 = 4096;

fn ptx(text: &str) {
    let Ok(module) = tk_ptx::parse(&SourceFile::new("input.ptx", text)) else { return };
    for entry in module.entries().take(2) {
        let Ok(program) = Program::compile(&module, entry.name.as_str()) else { continue };
        run(&program, text);
    }
}

/// The same input is always run in the same way.
fn run(program: &Program, text: &str) {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    let mut random = ChaCha8Rng::seed_from_u64(hasher.finish());
    let mut memory = DeviceMemory::new();
    let data = memory.allocate(u64::from(4 * WORDS));
    let numbers: Vec<u8> = (1000..1000 + WORDS).flat_map(u32::to_le_bytes).collect();
    let (flags, empty) = (memory.allocate(1024), memory.allocate(4096));
    let map = TensorMap {
        address: data.address(),
        element: TensorElement::U32,
        sizes: vec![64, 64],
        strides: vec![256],
        block: vec![32, 8],
        element_strides: vec![1, 1],
        swizzle_bytes: 0,
        fill_nan: false,
    };
    let (Ok(()), Ok(()), Ok(map)) =
        (memory.write(data, &numbers), memory.write(flags, &[0; 1024]), tk_sim::encode_tensor_map(&map))
    else {
        return;
    };
    let buffers = [data, flags, empty];
    let mut pointers = (0..).map(|i| Arg::from(buffers[i % buffers.len()]));
    let argument = |parameter: &tk_ptx::Parameter| match parameter.bytes {
        8 => pointers.next().unwrap_or(Arg(Vec::new())),
        128 => Arg(map.to_vec()),
        bytes => Arg([3].into_iter().chain(std::iter::repeat(0)).take((bytes as usize).min(4096)).collect()),
    };
    let args = program.parameters().iter().map(argument).collect();
    let threads = match program.threads() {
        Requirement::Any => [1, 32, 33, 64, 128, 256][random.random_range(0..6)],
        Requirement::Exactly(threads) | Requirement::AtMost(threads) => threads,
    };
    let config = LaunchConfig {
        grid: [random.random_range(1..4), random.random_range(1..3), 1],
        threads_per_cta: threads,
        shared_bytes: [0, 4096, 32 << 10][random.random_range(0..3)],
        args,
        limits: Limits { steps_per_cta: 20_000, time: Some(Duration::from_secs(2)) },
        checks: checks(&mut random),
        threads: 1,
        seed: random.random_range(0..4),
        caches: (random.random_range(0..8) == 0).then(CacheConfig::default),
        ..LaunchConfig::default()
    };
    match tk_sim::try_launch(program, &mut memory, &config) {
        Ok(report) => drop(report.memory.to_string()),
        Err(error) => drop(tk_diag::render(error.diagnostic(), tk_diag::Style::Plain)),
    }
}

/// Without checks a launch goes on where they would end it.
fn checks(random: &mut ChaCha8Rng) -> Checks {
    match random.random_range(0..3) {
        0 => Checks::default(),
        1 => Checks { global_races: false, uninitialised_global: false, ..Checks::default() },
        _ => Checks {
            uninitialised_global: false,
            uninitialised_shared: false,
            shared_races: false,
            copy_fences: false,
            warpgroup_waits: false,
            global_races: false,
        },
    }
}
