//! What a launch from Rust costs the program, and a kernel that is found in the cache on the disk. No compiler is in it, so that the
//! program can be carried to a machine with a GPU as it is:
//!
//! ```text
//! cargo build --release -p tk-launch --example launch_cost
//! launch_cost            on the GPU
//! launch_cost --stub     with a stand-in for the driver: what tk itself takes
//! ```
//!
//! It prints a line of JSON. Times are those of the processor, in nanoseconds, each the median of many batches and the best of them.

use std::process::{Command, ExitCode};
use std::time::Instant;
use tk_image::{AtRunTime, Bundle, BundleEntry, ImageParam, KernelImage, Variant};
use tk_launch::Cache;
use tk_runtime::{Arg, Gpu, Memory, Result, Stream};
use tk_target::Target;
use tk_types::{Facts, ScalarType};

/// Launches between two waits for the GPU: fewer than its queue holds.
const BATCH: u32 = 200;
const BATCHES: usize = 300;

/// Look-ups in the cache that are timed.
const LOOK_UPS: usize = 200;

/// Bytes of PTX in the image that is looked up, as many as an attention kernel has.
const PTX_BYTES: usize = 200_000;

const STAND_IN: &str = include_str!("../../../tests/fake-driver/libcuda.c");

fn main() -> ExitCode {
    let is_stub = std::env::args().any(|word| word == "--stub");
    let done = if is_stub { with_stand_in() } else { measure() };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("launch_cost: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the stand-in and starts this program again with it.
fn with_stand_in() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("libcuda.c");
    std::fs::write(&source, STAND_IN)?;
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O2"]).arg(&source).arg("-o").arg(folder.path().join("libcuda.so"));
    if !compiler.status()?.success() {
        return Err("the stand-in for the driver does not compile".into());
    }
    let mut again = Command::new(std::env::current_exe()?);
    again.env("LD_LIBRARY_PATH", folder.path()).env("FAKE_CUDA_LOG_LAUNCHES", "0");
    if again.status()?.success() { Ok(()) } else { Err("the measurement failed".into()) }
}

/// A kernel with ten arguments that does nothing.
fn image(note: &str) -> KernelImage {
    let types = "x y z".split(' ').map(|name| ImageParam::pointer(name, Some(ScalarType::F32)));
    let numbers = "m n k stride".split(' ').map(|name| ImageParam::scalar(name, ScalarType::I32));
    let floats = "alpha beta".split(' ').map(|name| ImageParam::scalar(name, ScalarType::F32));
    let long = std::iter::once(ImageParam::scalar("seed", ScalarType::I64));
    let mut params: Vec<ImageParam> = types.chain(numbers).chain(floats).chain(long).collect();
    params.iter_mut().take(7).for_each(|param| param.facts = Facts::USUAL);
    let header: Vec<String> = params
        .iter()
        .map(|param| match param.kind.bytes() {
            8 => format!(".param .u64 {}", param.name),
            _ => format!(".param .u32 {}", param.name),
        })
        .collect();
    // Newer GPUs run it, too.
    let target = Target::oldest();
    let version = target.ptx_version();
    KernelImage {
        entry: "nothing".into(),
        ptx: format!(
            ".version {}.{}\n.target {target}\n.address_size 64\n.visible .entry nothing({})\n{{ ret; }}\n{note}",
            version.major,
            version.minor,
            header.join(", ")
        ),
        cubin: None,
        params,
        num_warps: 4,
        num_ctas: 1,
        shared_bytes: 0,
        global_scratch_bytes: 0,
        target: target.to_string(),
        resources: Default::default(),
        limits: Default::default(),
    }
}

fn bundle() -> Bundle {
    let image = image("");
    let arguments = BundleEntry::arguments_of(&image);
    let variants = vec![Variant { signature: "ten arguments".into(), images: vec![image] }];
    let entry = BundleEntry {
        name: "nothing".into(),
        kernel: "nothing".into(),
        made_from: String::new(),
        constants: Vec::new(),
        arguments,
        variants,
    };
    Bundle {
        name: "cost".into(),
        compiler: String::new(),
        at_run_time: AtRunTime::DriverMayCompile,
        entries: vec![entry],
        tunings: Vec::new(),
    }
}

/// Nanoseconds of one of several runs.
struct Cost {
    median: f64,
    best: f64,
}

impl Cost {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self { median: times[times.len() / 2], best: times[0] }
    }
}

fn measure() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::open(0)?;
    let memory: Memory = gpu.allocate(4096)?;
    let kernel = gpu.load(&image(""))?;
    let entry = gpu.load_entry(&bundle(), "nothing")?;
    let by_kernel = launches(&gpu, &memory, &mut |args| kernel.launch(Some(Stream::DEFAULT), [1, 1, 1], args))?;
    let by_entry = launches(&gpu, &memory, &mut |args| entry.launch(Stream::DEFAULT, [1, 1, 1], args))?;
    let (found, loaded) = look_ups(&gpu)?;
    let cost = |cost: &Cost| serde_json::json!({ "median_ns": cost.median.round(), "best_ns": cost.best.round() });
    let row = serde_json::json!({
        "gpu": gpu.info().to_string(),
        "launch_of_a_kernel": cost(&by_kernel),
        "launch_of_a_bundles_entry": cost(&by_entry),
        "found_in_the_cache": cost(&found),
        "found_and_loaded": cost(&loaded),
    });
    println!("{row}");
    Ok(())
}

/// What one of many launches with ten arguments takes.
fn launches(gpu: &Gpu, memory: &Memory, launch: &mut dyn FnMut(&[Arg<'_>]) -> Result<()>) -> Result<Cost> {
    let mut times = Vec::with_capacity(BATCHES);
    for batch in 0..BATCHES + 10 {
        let start = Instant::now();
        for at in 0..BATCH {
            let pointer = Arg::Address(memory.address());
            let number = Arg::I32(16 * at as i32);
            launch(&[
                pointer,
                pointer,
                pointer,
                number,
                number,
                number,
                number,
                Arg::F32(0.5),
                Arg::F32(2.0),
                Arg::I64(at.into()),
            ])?;
        }
        let elapsed = start.elapsed().as_nanos() as f64 / f64::from(BATCH);
        gpu.synchronise()?;
        // The first ones warm up.
        if batch >= 10 {
            times.push(elapsed);
        }
    }
    Ok(Cost::of(times))
}

/// What it takes to find an image in the cache, and to find and load one; each with a key of its own.
fn look_ups(gpu: &std::sync::Arc<Gpu>) -> std::result::Result<(Cost, Cost), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let cache = Cache::open(folder.path(), 1 << 30);
    let key = |at: usize| format!("{at} {}", "k".repeat(10_000));
    for at in 0..LOOK_UPS {
        let note = format!("// {}{at}\n", "n".repeat(PTX_BYTES));
        cache.store(&key(at), &image(&note)).map_err(|error| error.message)?;
    }
    let timed = |work: &mut dyn FnMut(usize) -> std::result::Result<(), Box<dyn std::error::Error>>| {
        let one = |at: usize| {
            let start = Instant::now();
            work(at)?;
            Ok::<f64, Box<dyn std::error::Error>>(start.elapsed().as_nanos() as f64)
        };
        let times: Vec<f64> = (0..LOOK_UPS).map(one).collect::<std::result::Result<_, _>>()?;
        Ok::<Cost, Box<dyn std::error::Error>>(Cost::of(times))
    };
    let find = |at: usize| cache.find(&key(at)).ok_or("an entry is gone");
    let found = timed(&mut |at| find(at).map(drop).map_err(Into::into))?;
    let loaded = timed(&mut |at| {
        gpu.load(&find(at)?)?;
        Ok(())
    })?;
    Ok((found, loaded))
}
