//! Kernels compiled while the program runs, with a stand-in for `libcuda` (`tests/fake-driver/libcuda.c`) that runs nothing and writes
//! down every call. The stand-in has to be found before the process starts, so this program builds it and starts itself again with it.
//! It also counts allocations: a warm launch has none.

mod bundles;
mod example;
mod helpers_unsafe;

use helpers_unsafe::{Counting, address, allocations, stream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use tk::runtime::{Descriptor, Gpu, Pointer, Stream};
use tk::{Block, GpuKernel, Kernel, ScalarType, Specialisation, Value, args};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Says where a started process writes what the stand-in is asked for.
const LOG: &str = "FAKE_CUDA_LOG";

/// A part of the test: its name, and what it does.
type Part = (&'static str, fn(&Log));

const PARTS: [Part; 9] = [
    ("examples", examples),
    ("specialisation", specialisation),
    ("warm", warm),
    ("threads", threads),
    ("cache", cache),
    ("refused", refused),
    ("remarks", remarks),
    ("control", control),
    ("bundles", bundles::bundles),
];

fn main() -> ExitCode {
    let Some(log) = std::env::var_os(LOG) else { return parent() };
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some((_, part)) = PARTS.iter().find(|(part, _)| *part == name) else { return ExitCode::FAILURE };
    part(&Log(PathBuf::from(log)));
    ExitCode::SUCCESS
}

/// Builds the stand-in and runs each part of the test with it.
fn parent() -> ExitCode {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fake-driver/libcuda.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1"]).arg(&source).arg("-o").arg(folder.path().join("libcuda.so"));
    assert!(compiler.status().expect("cc runs").success(), "the stand-in for the driver does not compile");
    let mut failed = 0;
    for (part, _) in PARTS {
        let status = Command::new(std::env::current_exe().expect("this program"))
            .arg(part)
            .env("LD_LIBRARY_PATH", folder.path())
            .env(LOG, folder.path().join(format!("{part}.log")))
            .env("FAKE_CUDA_LOG_LAUNCHES", if matches!(part, "warm" | "threads") { "0" } else { "1" })
            .env("TK_CACHE_DIR", folder.path().join("cache"))
            .env_remove("TK_CACHE")
            .status()
            .expect("this program runs");
        println!("test {part} ... {}", if status.success() { "ok" } else { "FAILED" });
        failed += u32::from(!status.success());
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What the stand-in was asked for.
struct Log(PathBuf);

impl Log {
    fn lines(&self, start: &str) -> Vec<String> {
        let text = std::fs::read_to_string(&self.0).unwrap_or_default();
        text.lines().filter(|line| line.starts_with(start)).map(String::from).collect()
    }

    fn last(&self) -> String {
        self.lines("").pop().unwrap_or_default()
    }
}

fn gpu() -> Arc<Gpu> {
    Gpu::open(0).expect("the GPU of the stand-in")
}

const SCALE: &str = "
import triton
import triton.language as tl

@triton.jit
def scale(x, y, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * factor, mask=at < n)
";

fn scale() -> GpuKernel {
    Kernel::from_source("scale.tk", SCALE, "scale").unwrap().constant("BLOCK", 128).on(&gpu()).unwrap()
}

/// Nothing is behind the number.
fn floats(number: u64) -> Pointer<f32> {
    Pointer::new(address(number))
}

fn examples(log: &Log) {
    example::from_source().unwrap();
    let launch = log.last();
    assert!(launch.starts_with("launch entry=scale grid=4,1,1 block=128,1,1"), "{launch}");
    assert!(launch.ends_with(",e8030000,00002040"), "1000 and 2.5: {launch}");
    example::from_file(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/vector_add.tk")).unwrap();
    assert!(log.last().starts_with("launch entry=add_kernel grid=4,1,1"), "{}", log.last());
    let loads = log.lines("load").len();
    example::captured().unwrap();
    let all = log.lines("");
    let [.., load, capture, launch, replay] = all.as_slice() else { panic!("{all:?}") };
    assert!(load.starts_with("load") && capture == "capture" && replay.starts_with("replay"), "{all:?}");
    assert!(launch.starts_with("launch entry=scale") && !launch.contains("stream=(nil)"), "{launch}");
    assert_eq!(log.lines("load").len(), loads + 1);
    example::controlled().unwrap();
}

/// One kernel for arguments that are alike, and another for others.
fn specialisation(log: &Log) {
    let kernel = scale();
    let grid = [1000, 1, 1];
    let launch = |x: u64, n: i64, factor: f32| {
        kernel.launch(Stream::DEFAULT, grid, &args![floats(x), floats(0x2000), n, factor]).unwrap();
        log.last()
    };
    launch(0x1000, 1000, 1.0);
    launch(0x3010, 2000, 3.0);
    assert_eq!(kernel.compiled(), 2, "2000 is a multiple of 16");
    launch(0x5000, 3000, 7.0);
    launch(0x5000, 4096, 7.0);
    assert_eq!((kernel.compiled(), log.lines("load").len()), (2, 2));
    let parameters = |launch: String| launch.rsplit("params=").next().unwrap_or_default().split(',').count();
    assert_eq!(parameters(launch(0x1004, 1000, 1.0)), 4);
    assert_eq!(kernel.compiled(), 3, "an address that is no multiple of 16");
    // A one is part of the code, so the kernel has a parameter less.
    assert_eq!(parameters(launch(0x1000, 1, 1.0)), 3);
    let large = launch(0x1000, 1 << 40, 1.0);
    assert!(large.contains(",0000000000010000,"), "{large}");
    assert_eq!(kernel.compiled(), 5);
    kernel.launch(stream(0x5), [1, 1, 1], &args![floats(16), floats(32), 5, 1.0]).unwrap();
    assert!(log.last().contains("stream=0x5"), "{}", log.last());

    // A descriptor is known by its blocks; its sizes come with the launch.
    let text = "
import triton
import triton.language as tl

@triton.jit
def move(source, target):
    target.store([0, 0], source.load([0, 0]))
";
    let copy = Kernel::from_source("move.tk", text, "move").unwrap().on(&gpu()).unwrap();
    let of = |rows: i64, sizes: &'static [u32]| {
        let shape: &'static [i64] = if rows == 64 { &[64, 64] } else { &[128, 64] };
        let tensor = Descriptor { address: address(0x4000), element: ScalarType::F16, shape, strides: &[64, 1] };
        Value::Descriptor(tensor, Block { sizes, pad_nan: false })
    };
    for (rows, sizes) in [(64, &[32u32, 32]), (128, &[32, 32]), (128, &[16, 32])] {
        copy.launch(Stream::DEFAULT, [1, 1, 1], &[of(rows, sizes), of(rows, sizes)]).unwrap();
    }
    assert_eq!(copy.compiled(), 2);
    assert!(log.lines("map").last().is_some_and(|map| map.contains("box=32,16")), "{:?}", log.lines("map"));
}

/// A warm launch allocates nothing, whichever kernel it is for.
fn warm(_: &Log) {
    let kernel = scale();
    let run = |n: i64| {
        let arguments = args![floats(0x1000), floats(0x2000), n, 0.5];
        kernel.launch(Stream::DEFAULT, [n as u32, 1, 1], &arguments).unwrap();
    };
    [160, 161, 1].into_iter().for_each(run);
    let before = allocations();
    for _ in 0..100 {
        [160, 161, 1].into_iter().for_each(run);
    }
    assert_eq!(allocations() - before, 0, "allocations of 300 warm launches");
    run(1 << 33);
    assert!(allocations() > before, "the allocator counts");
}

/// Threads share what is compiled, and each kernel is compiled once.
fn threads(log: &Log) {
    let kernel = scale();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for n in [160, 161, 1, 162] {
                    let arguments = args![floats(0x1000), floats(0x2000), n, 0.5];
                    kernel.launch(Stream::DEFAULT, [1000, 1, 1], &arguments).unwrap();
                }
            });
        }
    });
    assert_eq!((kernel.compiled(), log.lines("load").len()), (3, 3));
}

/// What was compiled is on the disk for the next process.
fn cache(_: &Log) {
    let folder = PathBuf::from(std::env::var_os("TK_CACHE_DIR").unwrap());
    let count = || std::fs::read_dir(&folder).map_or(0, Iterator::count);
    let kernel = Kernel::from_source("other.tk", SCALE, "scale").unwrap().constant("BLOCK", 512);
    let arguments = args![floats(0x1000), floats(0x2000), 77, 0.5];
    let before = count();
    kernel.on(&gpu()).unwrap().prepare([1, 1, 1], &arguments).unwrap();
    assert_eq!(count(), before + 1);
    let written = |path: PathBuf| path.metadata().unwrap().len();
    let sizes = || -> u64 { std::fs::read_dir(&folder).unwrap().map(|entry| written(entry.unwrap().path())).sum() };
    let bytes = sizes();
    let again = kernel.on(&Gpu::open(1).unwrap()).unwrap().prepare([1, 1, 1], &arguments).unwrap();
    assert_eq!((count(), sizes()), (before + 1, bytes), "the second GPU takes what the first one's launch left");
    assert_eq!(again.image().entry, "scale");
}

fn refused(_: &Log) {
    let kernel = scale();
    let launch = |values: &[Value<'_>]| kernel.launch(Stream::DEFAULT, [1, 1, 1], values).unwrap_err().to_string();
    let error = launch(&args![1, 2, 3, 4, 5]);
    assert_eq!(error, "`scale` takes 4 run-time arguments, but the launch gives 5");
    let error = launch(&args![floats(16), floats(16), 3]);
    assert!(error.contains("factor") && !error.contains("bug"), "{error}");
    let error = launch(&args![1.0, floats(16), 3, 1.0]);
    assert!(error.contains("scale.tk:8:"), "the place in the text: {error}");
    let error = |result: Result<Kernel, tk::Error>| result.unwrap_err().to_string();
    let text = error(Kernel::from_source("k.tk", "def f(:\n", "f"));
    assert!(text.contains("k.tk:1:"), "{text}");
    let text = error(Kernel::from_source("k.tk", SCALE, "scala"));
    assert!(text.contains("k.tk has no kernel `scala`") && text.contains("it has scale"), "{text}");
    assert!(error(Kernel::from_file("/no/such/file.tk", "k")).starts_with("/no/such/file.tk: "));
    let unknown = Kernel::from_source("k.tk", SCALE, "scale").unwrap().constant("BLOK", 1);
    let text = unknown.on(&gpu()).unwrap_err().to_string();
    assert!(text.contains("has no parameter `BLOK`") && text.contains("x, y, n, factor, BLOCK"), "{text}");
}

/// What the compiler says besides reaches the program, once.
fn remarks(_: &Log) {
    let text = format!("{SCALE}    tl.static_print('block', BLOCK)\n    tl.store(y, BLOCK > 1 & n == n)\n");
    let kernel = Kernel::from_source("remarks.tk", &text, "scale").unwrap().constant("BLOCK", 64).on(&gpu()).unwrap();
    let arguments = args![floats(0x1000), floats(0x2000), 77, 0.5];
    kernel.prepare([1, 1, 1], &arguments).unwrap();
    let remarks = kernel.take_remarks();
    assert_eq!(remarks.printed, ["block 64"]);
    let warnings: Vec<String> = remarks.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|warning| warning.contains("remarks.tk")), "{warnings:?}");
    assert!(kernel.take_remarks().warnings.is_empty() && kernel.take_remarks().printed.is_empty());
}

/// What a launch may compile for is said by the program.
fn control(log: &Log) {
    let of = |kernel: Kernel| kernel.constant("BLOCK", 128).on(&gpu()).unwrap();
    let plain = || Kernel::from_source("scale.tk", SCALE, "scale").unwrap();
    let launch = |kernel: &GpuKernel, x: u64, n: i64| {
        kernel.launch(Stream::DEFAULT, [1000, 1, 1], &args![floats(x), floats(0x2000), n, 0.5])
    };
    let kernel = of(plain().specialise("n", Specialisation::Nothing));
    [1, 16, 17, 4096].into_iter().for_each(|n| launch(&kernel, 0x1000, n).unwrap());
    assert_eq!(kernel.compiled(), 1, "nothing is assumed of n");
    let unknown = plain().specialise("m", Specialisation::Nothing).constant("BLOCK", 1).on(&gpu()).unwrap_err();
    assert!(unknown.to_string().contains("has no parameter `m`"), "{unknown}");

    let listed = ["*fp32:16,*fp32:16,i32:64,fp32", "*fp32,*fp32,i64,fp32"];
    let kernel = of(plain().signatures(&listed).unwrap());
    [64, 640, 4096].into_iter().for_each(|n| launch(&kernel, 0x1000, n).unwrap());
    assert_eq!(kernel.compiled(), 1);
    [1, 16, 65, 0, -64, 1 << 40].into_iter().for_each(|n| launch(&kernel, 0x1000, n).unwrap());
    assert_eq!(kernel.compiled(), 2, "all others take the second");
    launch(&kernel, 0x1004, 64).unwrap();
    assert_eq!((kernel.compiled(), log.lines("load").len()), (2, 3));
    assert!(log.last().ends_with(",4000000000000000,0000003f"), "n has 64 bits: {}", log.last());
    let kernel = of(plain().signatures(&listed[..1]).unwrap());
    for (x, n) in [(0x1000, 65), (0x1000, 1), (0x1004, 64), (0x1000, -64)] {
        let error = launch(&kernel, x, n).unwrap_err().to_string();
        assert!(error.contains("`scale` is compiled for none of its signatures"), "{error}");
        assert!(error.contains("*fp32:16,*fp32:16,i32:64,fp32"), "{error}");
    }
    assert_eq!(kernel.compiled(), 0);
    assert!(plain().signatures(&["*fp33"]).is_err());
}
