//! The command line: every command and option, in one place.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tk_target::Target;

/// tk compiles block-level GPU kernels written in Triton's language.
#[derive(Parser, Debug)]
#[command(name = "tk", version, about, disable_help_subcommand = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run main() of a .tk file
    Run(RunArgs),
    /// Run the test_* functions of .tk files
    Test(TestArgs),
    /// Run the bench_* functions of .tk files
    Bench(BenchArgs),
    /// Try the configurations of the autotuned kernels that main() of a .tk file launches
    Tune(TuneArgs),
    /// Check the kernels of files: all errors, and warnings
    Check(CheckArgs),
    /// Compile one kernel
    Compile(CompileArgs),
    /// Compile kernels ahead of time: one file for several GPUs, a Rust module, and a C header with its source
    Build(BuildArgs),
    /// List, clear or verify the cache of compiled kernels
    Cache(CacheArgs),
    /// Write an HTML page about the compilation of a kernel
    Explain(ExplainArgs),
    /// Run passes on textual IR
    #[command(after_help = list_of_passes())]
    Opt(OptArgs),
    /// Draw which thread holds which element of a layout
    Layout(LayoutArgs),
    /// Run a PTX file on the simulator
    Sim(SimArgs),
    /// Serve an editor: the Language Server Protocol over standard input and output
    Lsp(LspArgs),
    /// Report what is installed: GPU, driver, ptxas, simulator
    Doctor(JsonArg),
    /// Explain a diagnostic code
    ExplainError(ExplainErrorArgs),
}

/// What `tk opt --help` ends with: every pass with what it does.
fn list_of_passes() -> String {
    let lines = tk_driver::passes().into_iter().map(|(name, summary)| format!("  {name:<29} {summary}\n"));
    std::iter::once("Passes:\n".to_string()).chain(lines).collect()
}

/// Where kernels run.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceArg {
    /// The GPU when there is one, else the simulator
    Auto,
    /// The GPU
    Cuda,
    /// The simulator
    Sim,
}

/// Options that show what the compiler does.
#[derive(Args, Debug, Default, Clone)]
pub struct ShowArgs {
    /// Write the IR after every pass to DIR/NN-pass.mlir; of programs, to a folder for each specialisation, DIR/KERNEL and DIR/KERNEL-2
    #[arg(long, value_name = "DIR")]
    pub dump_dir: Option<PathBuf>,
    /// Print the IR after this pass (may be repeated)
    #[arg(long, value_name = "PASS")]
    pub print_after: Vec<String>,
    /// Print how long every step took
    #[arg(long)]
    pub time_passes: bool,
    /// Print what autotuning tried, and why it chose the configuration
    #[arg(long)]
    pub autotune_report: bool,
    /// Print one JSON document; what else would be printed goes to standard error
    #[arg(long)]
    pub json: bool,
}

/// How wide the arithmetic of addresses is.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexWidthArg {
    /// As the program has it
    #[default]
    #[value(name = "32")]
    Written,
    /// 64 bits where 32 can overflow
    Auto,
    /// 64 bits for every sum and product
    #[value(name = "64")]
    Wide,
}

/// What `--sanitize` checks.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SanitizeArg {
    /// Every access lies in the memory of its argument
    Bounds,
    /// 32-bit offsets do not wrap around
    Overflow,
}

/// Options about what kernels may do wrong.
#[derive(Args, Debug, Default, Clone)]
pub struct SafetyArgs {
    /// Check while kernels run (may be repeated, or separated by commas)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub sanitize: Vec<SanitizeArg>,
    /// Check that 32-bit offsets do not wrap around: the same as --sanitize overflow
    #[arg(long)]
    pub sanitize_overflow: bool,
    /// How wide the arithmetic of addresses is
    #[arg(long, value_enum, default_value = "32")]
    pub index_width: IndexWidthArg,
    /// Take the functions of libdevice from this bitcode file instead of tk's own: a path, or `auto` for the one of a CUDA
    /// installation when there is one; the environment variable TK_LIBDEVICE says the same
    #[arg(long, value_name = "FILE")]
    pub libdevice: Option<String>,
    /// Do not print warnings with this code (may be repeated, or separated by commas)
    #[arg(long, value_delimiter = ',', value_name = "CODE")]
    pub allow: Vec<String>,
}

/// Where the files that a file imports are looked for.
#[derive(Args, Debug, Default, Clone)]
pub struct ImportArgs {
    /// Look for imported files up to this folder; otherwise in the folder of the file, or around the package it belongs to
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// Arguments of `tk check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub imports: ImportArgs,
    /// Only this kernel
    #[arg(long)]
    pub kernel: Option<String>,
    /// What an integer argument can be, or how large the grid is: n_cols=1..65536, grid=4096, grid.1=8; otherwise they are
    /// as launches in the file say and as in real programs, which docs/safety.md lists (may be repeated)
    #[arg(long, value_name = "NAME=RANGE")]
    pub bound: Vec<String>,
    /// Do not print warnings with this code (may be repeated, or separated by commas)
    #[arg(long, value_delimiter = ',', value_name = "CODE")]
    pub allow: Vec<String>,
    /// Also warn of what tk takes and Triton refuses
    #[arg(long)]
    pub portable: bool,
    /// Fail when there are warnings
    #[arg(long)]
    pub deny_warnings: bool,
    /// Print one JSON document: for each file its kernels and what is said of them
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `tk run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// The .tk file
    pub file: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub imports: ImportArgs,
    /// Set a parameter of main() or a module-level constant
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub define: Vec<String>,
    /// Give a parameter of main() or a module-level name the array of a file of numpy (may be repeated)
    #[arg(long, value_name = "NAME=FILE.npy")]
    pub load: Vec<String>,
    /// Write a tensor that main() returns to a file of numpy: the first to the first file (may be repeated)
    #[arg(long, value_name = "FILE.npy")]
    pub save: Vec<PathBuf>,
    /// Where kernels run
    #[arg(long, value_enum, default_value = "auto")]
    pub device: DeviceArg,
    /// Take the configurations that `tk tune --out` wrote to this file
    #[arg(long, value_name = "FILE")]
    pub tuned: Option<PathBuf>,
    /// Take kernels from this bundle of `tk build` before any is compiled
    #[arg(long, value_name = "FILE")]
    pub bundle: Option<PathBuf>,
    /// Launch this form in the place of a kernel: MLIR, LLVM IR or PTX (may be repeated)
    #[arg(long = "override", value_name = "KERNEL=FILE")]
    pub overrides: Vec<String>,
    /// Show the memory report of every kernel even where it is long
    #[arg(long)]
    pub memory_report: bool,
    /// Run the traffic of simulated kernels through a model of caches; CONFIG is what differs from an H200, such as
    /// multiprocessors=9,ctas=1,kib=256,halves=1,ways=16,order=backwards
    #[arg(long, value_name = "CONFIG", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub l2: Option<tk_sim::CacheConfig>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub safety: SafetyArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub show: ShowArgs,
}

/// Arguments of `tk tune`.
#[derive(Args, Debug)]
pub struct TuneArgs {
    /// The .tk file
    pub file: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub imports: ImportArgs,
    /// Set a parameter of main() or a module-level constant
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub define: Vec<String>,
    /// Where kernels run; the simulator ranks by what it counts
    #[arg(long, value_enum, default_value = "auto")]
    pub device: DeviceArg,
    /// How many processes share the work, each with a GPU of its own; otherwise as many as there are GPUs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub processes: Option<u32>,
    /// Print the results as JSON, as --out writes them
    #[arg(long)]
    pub json: bool,
    /// Write the results to this file, which `tk run --tuned` reads
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw the results as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub safety: SafetyArgs,
}

/// Arguments of `tk bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Run what the lines of standard input ask for, FUNCTION [NAME=VALUE…], and answer each with a line of JSON
    #[arg(long)]
    pub requests: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub files: TestArgs,
}

/// Arguments of `tk test` and `tk bench`.
#[derive(Args, Debug)]
pub struct TestArgs {
    /// The .tk files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub imports: ImportArgs,
    /// Only functions whose name contains this
    #[arg(short = 'k', long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Where kernels run
    #[arg(long, value_enum, default_value = "auto")]
    pub device: DeviceArg,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub safety: SafetyArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub show: ShowArgs,
}

/// What `tk compile` writes.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmitArg {
    /// The checked kernel
    Checked,
    /// tt IR, before layouts
    Tt,
    /// ttg IR, after all passes
    Ttg,
    /// LLVM IR
    Llvm,
    /// PTX
    Ptx,
    /// Machine code, by ptxas
    Cubin,
    /// Disassembled machine code, by ptxas and nvdisasm
    Sass,
}

/// What `tk compile` and `tk explain` compile, and for what.
#[derive(Args, Debug)]
pub struct KernelArgs {
    /// The kernel: NAME, FUNCTION.NAME for one within a function, or NAME:LINE; may be left out when the file has one
    #[arg(long = "kernel", value_name = "KERNEL")]
    pub name: Option<String>,
    /// Types of the run-time arguments in order: '*fp16:16,i32:16,i32=1'
    #[arg(long, value_name = "TYPES")]
    pub signature: Option<String>,
    /// A compile-time argument, or the value of a variable around the kernel (may be repeated, or separated by commas)
    #[arg(long, value_name = "NAME=VALUE")]
    pub constexpr: Vec<String>,
    /// Warps per CTA; otherwise what a form says, else 4
    #[arg(long)]
    pub num_warps: Option<u32>,
    /// Buffers of a software pipeline; otherwise what a form says, else 3
    #[arg(long)]
    pub num_stages: Option<u32>,
    /// The GPU to compile for
    #[arg(long, help = target_help())]
    pub target: Option<String>,
}

/// Arguments of `tk compile`.
#[derive(Args, Debug)]
pub struct CompileArgs {
    /// The .tk file, or a form to go on from: MLIR (.mlir, .ttir, .ttgir, Triton's too), LLVM IR (.ll) or PTX (.ptx)
    pub file: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub imports: ImportArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub kernel: KernelArgs,
    /// What to write
    #[arg(long, value_enum, default_value = "ptx")]
    pub emit: EmitArg,
    /// Where to write it; standard output when left out
    #[arg(short, long)]
    pub output: Option<PathBuf>,
    /// What an integer argument can be, or how large the grid is: n_cols=1..65536, grid=4096 (may be repeated)
    #[arg(long, value_name = "NAME=RANGE")]
    pub bound: Vec<String>,
    /// Say on standard error what makes the kernel slow and which line did: narrow accesses, layout conversions, registers
    #[arg(long)]
    pub why: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub safety: SafetyArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub show: ShowArgs,
}

/// What may be compiled where a bundle runs.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtRunTimeArg {
    /// PTX, by the driver, for GPUs without machine code
    DriverMayCompile,
    /// Nothing
    Nothing,
}

/// Arguments of `tk build`.
#[derive(Args, Debug)]
pub struct BuildArgs {
    /// Lists of kernels (.toml), or files of kernels with a list in their comments; with --signature, the file of the one kernel
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// What the bundle is called; otherwise what the list says, else like the first file
    #[arg(long)]
    pub name: Option<String>,
    /// The GPU to compile for (may be repeated); otherwise what the list says, else the GPU found
    #[arg(long)]
    pub target: Vec<String>,
    /// What may be compiled where the bundle runs
    #[arg(long, value_enum, value_name = "WHAT")]
    pub at_run_time: Option<AtRunTimeArg>,
    /// How many kernels are compiled at the same time; 0 for one on each core
    #[arg(long, default_value_t = 0)]
    pub jobs: usize,
    /// The kernel: NAME, FUNCTION.NAME for one within a function, or NAME:LINE; may be left out when the file has one
    #[arg(long)]
    pub kernel: Option<String>,
    /// Types of the run-time arguments in order: '*fp16:16,i32:16,i32=1' (may be repeated, the most special first)
    #[arg(long, value_name = "TYPES")]
    pub signature: Vec<String>,
    /// A compile-time argument, or the value of a variable around the kernel (may be repeated, or separated by commas)
    #[arg(long, value_name = "NAME=VALUE")]
    pub constexpr: Vec<String>,
    /// Warps per CTA
    #[arg(long, default_value_t = 4)]
    pub num_warps: u32,
    /// Buffers of a software pipeline
    #[arg(long, default_value_t = 3)]
    pub num_stages: u32,
    /// What an integer argument can be, or how large the grid is: n_cols=1..65536, grid=4096 (may be repeated); launches keep it
    #[arg(long, value_name = "NAME=RANGE")]
    pub bound: Vec<String>,
    /// Do not print warnings with this code (may be repeated, or separated by commas)
    #[arg(long, value_delimiter = ',', value_name = "CODE")]
    pub allow: Vec<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// What `tk cache` does.
#[derive(Subcommand, Clone, Debug, PartialEq, Eq)]
pub enum CacheAction {
    /// Print the entries, the one used last first
    List(JsonArg),
    /// Remove all entries
    Clear(JsonArg),
    /// Read all entries, and remove those that are damaged
    Verify(JsonArg),
}

/// Arguments of `tk cache`.
#[derive(Args, Debug)]
pub struct CacheArgs {
    /// What to do
    #[command(subcommand)]
    pub action: CacheAction,
}

/// Arguments of `tk explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The .tk file; without --signature its main() runs on the simulator, and --kernel names the only kernel to explain
    pub file: PathBuf,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub imports: ImportArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub kernel: KernelArgs,
    /// Set a parameter of main() or a module-level constant
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    pub define: Vec<String>,
    /// Where to write it; FILE with the ending .html when left out
    #[arg(short, long)]
    pub output: Option<PathBuf>,
    /// Print what the page would show as JSON on standard output, and write no page
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub safety: SafetyArgs,
}
/// Arguments of `tk opt`.
#[derive(Args, Debug)]
pub struct OptArgs {
    /// A file of textual IR; parts separated by `// -----` are separate modules
    pub file: PathBuf,
    /// Passes in order, separated by commas; without this and --from and --to, the file is parsed, verified and printed
    #[arg(long, value_name = "NAMES", conflicts_with_all = ["from", "to"])]
    pub passes: Option<String>,
    /// Run the pipeline from this pass on; otherwise from where the text stands
    #[arg(long, value_name = "PASS")]
    pub from: Option<String>,
    /// Run the pipeline up to this pass; otherwise to its end
    #[arg(long, value_name = "PASS")]
    pub to: Option<String>,
    /// The GPU to compile for; otherwise what the text says, else the GPU found
    #[arg(long)]
    pub target: Option<String>,
    /// Warps per CTA, where tensors have no layouts yet; otherwise what the text says, else 4
    #[arg(long)]
    pub num_warps: Option<u32>,
    /// Buffers of a software pipeline; otherwise what the text says, else 3
    #[arg(long)]
    pub num_stages: Option<u32>,
    /// Print locations
    #[arg(long)]
    pub locations: bool,
    /// Where to write the result; standard output when left out
    #[arg(short, long)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "flattened")]
    pub show: ShowArgs,
}
/// Arguments of `tk layout`.
#[derive(Args, Debug)]
pub struct LayoutArgs {
    /// The layout: '#ttg.blocked<{…}>'
    pub layout: String,
    /// The tensor: 64x64
    #[arg(long)]
    pub shape: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
/// Arguments of `tk sim`.
#[derive(Args, Debug)]
pub struct SimArgs {
    /// The PTX file, or a bundle of `tk build` (.tkb), of whose kernels --entry names one
    pub file: PathBuf,
    /// The entry; may be left out when the file has one
    #[arg(long)]
    pub entry: Option<String>,
    /// The grid: X or X,Y,Z
    #[arg(long, default_value = "1")]
    pub grid: String,
    /// Threads per CTA: X or X,Y,Z; the default is the entry's .reqntid
    #[arg(long)]
    pub threads: Option<String>,
    /// CTAs of a cluster: X or X,Y,Z; the default is the entry's .reqnctapercluster
    #[arg(long)]
    pub cluster: Option<String>,
    /// Bytes of dynamic shared memory
    #[arg(long, default_value_t = 0)]
    pub shared: u32,
    /// Arguments in order: 'f32[1024]=random', 'f32[1024]=0', 'f32[1024]', x.npy, 'bf16[1024]=x.npy', i32=1024, f32=0.5, null, the
    /// tensor map of a tensor of its own with its box and swizzle, 'map:f16[256,128]:64x64:128=random', or a struct of such fields,
    /// '{i32=4, f32[8]=0}'
    #[arg(long, value_name = "ARG")]
    pub arg: Vec<String>,
    /// Print the first N elements of every buffer afterwards
    #[arg(long, default_value_t = 0)]
    pub print: usize,
    /// Write the buffer of argument N to a file of numpy afterwards, N=FILE.npy (may be repeated)
    #[arg(long, value_name = "N=FILE")]
    pub save: Vec<String>,
    /// Decides the order of warps, CTAs and copies, where the kernel leaves it open: odd seeds begin with the last CTA, those with
    /// their second bit set let CTAs and warps alternate every few instructions
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// What to check besides accesses outside buffers (may be repeated, or separated by commas)
    #[arg(long, value_enum, value_delimiter = ',', default_value = "all", value_name = "WHAT")]
    pub check: Vec<SimCheckArg>,
    /// Give up when a CTA has run so many warp instructions; the default is about a minute
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Give up when the launch has taken so many seconds; the default is no limit
    #[arg(long, value_name = "N")]
    pub max_seconds: Option<u64>,
    /// Run the traffic through a model of caches; CONFIG is what differs from an H200, such as
    /// multiprocessors=9,ctas=1,kib=256,halves=1,ways=16,order=backwards
    #[arg(long, value_name = "CONFIG", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub l2: Option<tk_sim::CacheConfig>,
    /// Print the memory report
    #[arg(long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set)]
    pub memory: bool,
    /// Print one JSON document; what else would be printed goes to standard error
    #[arg(long)]
    pub json: bool,
}
/// What `tk sim --check` checks.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimCheckArg {
    /// Everything
    All,
    /// Nothing but accesses outside buffers and misaligned ones
    None,
    /// Uses of what nothing wrote
    Uninitialised,
    /// Races in shared memory
    SharedRaces,
    /// Races in global memory, and those in shared memory
    GlobalRaces,
    /// Proxy fences between cp.async and engines, a wait of each warp for wgmma, and races in shared memory
    CopyFences,
}
/// Arguments of `tk doctor` and of what `tk cache` does.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct JsonArg {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
/// Arguments of `tk lsp`.
#[derive(Args, Debug)]
pub struct LspArgs {
    #[arg(long, help = target_help())]
    #[allow(missing_docs, reason = "the help says it")]
    pub target: Option<String>,
    /// What some editors add; there is no other transport
    #[arg(long)]
    pub stdio: bool,
}

/// Arguments of `tk explain-error`.
#[derive(Args, Debug)]
pub struct ExplainErrorArgs {
    /// The code, such as shape-mismatch; all of them when left out
    pub code: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

fn target_help() -> String {
    let (default, oldest) = (Target::default(), Target::oldest());
    format!("The GPU to compile for: {default}, {oldest}, …; the default is the GPU found, else {default}")
}
