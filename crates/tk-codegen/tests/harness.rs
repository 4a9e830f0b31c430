//! Compiles ttg text to PTX and runs it on the simulator.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_codegen::{CodegenContext, Generated, generate};
use tk_diag::SourceFile;
use tk_ir::{Context, Module};
use tk_passes::{PassContext, Step, pipeline, run_pipeline};
use tk_sim::{Arg, Buffer, Checks, DeviceMemory, LaunchConfig, Program};
use tk_target::Target;
use tk_types::{CompileOptions, DotPolicy};

/// A compiled kernel.
pub(crate) struct Kernel {
    pub(crate) generated: Generated,
    program: Program,
    pub(crate) text: String,
    threads: u32,
}

#[allow(dead_code, reason = "several test binaries share this file, and each uses a part of it")]
impl Kernel {
    /// Compiles ttg text for sm_90a.
    pub(crate) fn new(text: &str) -> Self {
        Self::for_target(text, "sm_90a")
    }

    /// Compiles ttg text for a target.
    pub(crate) fn for_target(text: &str, target: &str) -> Self {
        Self::after(&[pipeline::LLVM_PREPARATION], text, target, Default::default())
    }

    /// Compiles tt text for a target: all passes, then code generation.
    pub(crate) fn from_tt(text: &str, target: &str, options: CompileOptions) -> Self {
        Self::after(&[pipeline::TT, pipeline::TTG, pipeline::LLVM_PREPARATION], text, target, options)
    }

    /// Compiles ttg text for sm_90a after some passes.
    pub(crate) fn after_passes(passes: &[Step], text: &str) -> Self {
        Self::after(&[passes, pipeline::LLVM_PREPARATION], text, "sm_90a", Default::default())
    }

    fn after(steps: &[&[Step]], text: &str, target: &str, options: CompileOptions) -> Self {
        let target = Target::parse(target).unwrap();
        let source = SourceFile::new("kernel.ttgir", text);
        let context = Context::new();
        let module = Module::parse(&context, &source).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let passes = PassContext { target, options: options.clone(), source: None };
        for part in steps {
            run_pipeline(&module, part, &passes, &mut tk_passes::Silent)
                .unwrap_or_else(|error| panic!("{error} {:?}\n{}", error.notes, printed(&module)));
        }
        let text = &printed(&module);
        let made = |dots: DotPolicy| {
            let codegen = CodegenContext { target, options: options.clone(), source: None, keep_llvm_ir: false, dots };
            generate(&module, &codegen).unwrap_or_else(|error| panic!("{error}\n{text}"))
        };
        let overlapping = made(DotPolicy::Overlap);
        let generated = if overlapping.touches_dot_in_flight { made(DotPolicy::Wait) } else { overlapping };
        assert!(!generated.image.ptx.contains(", debug"), "ptxas would drop optimisation");
        let ptx = SourceFile::new("kernel.ptx", generated.image.ptx.clone());
        let ptx = tk_ptx::parse(&ptx).unwrap_or_else(|error| panic!("{error}\n{}", generated.image.ptx));
        let program = Program::compile(&ptx, &generated.image.entry)
            .unwrap_or_else(|error| panic!("{error}\n{}", generated.image.ptx));
        let threads = generated.image.num_warps * 32;
        Self { generated, program, threads, text: text.to_owned() }
    }

    /// Runs a grid.
    pub(crate) fn run(&self, memory: &mut DeviceMemory, grid: [u32; 3], args: Vec<Arg>) -> tk_sim::Report {
        self.run_seeded(memory, grid, args, 0)
    }

    /// Runs a grid with copies that land in an order of `seed`'s.
    pub(crate) fn run_seeded(
        &self,
        memory: &mut DeviceMemory,
        grid: [u32; 3],
        args: Vec<Arg>,
        seed: u64,
    ) -> tk_sim::Report {
        self.launch(&self.program, memory, (grid, args), seed)
            .unwrap_or_else(|error| panic!("{error}\n{:?}\n{}", error.notes, self.text))
    }

    /// Runs a grid of other PTX in this kernel's place.
    pub(crate) fn run_changed(
        &self,
        ptx: &str,
        memory: &mut DeviceMemory,
        launch: ([u32; 3], Vec<Arg>),
        seed: u64,
    ) -> tk_diag::Result<tk_sim::Report> {
        let ptx = tk_ptx::parse(&SourceFile::new("changed.ptx", ptx))?;
        self.launch(&Program::compile(&ptx, &self.generated.image.entry)?, memory, launch, seed)
    }

    fn launch(
        &self,
        program: &Program,
        memory: &mut DeviceMemory,
        (grid, mut args): ([u32; 3], Vec<Arg>),
        seed: u64,
    ) -> tk_diag::Result<tk_sim::Report> {
        let ctas: u32 = grid.iter().product();
        if self.generated.image.global_scratch_bytes > 0 {
            let bytes = u64::from(ctas) * u64::from(self.generated.image.global_scratch_bytes);
            args.push(memory.allocate(bytes).into());
        }
        let config = LaunchConfig {
            seed,
            grid,
            threads_per_cta: self.threads,
            shared_bytes: self.generated.image.shared_bytes,
            args,
            // As every launch of tk's own kernels: docs/decisions/0007.
            checks: Checks { copy_fences: false, ..Checks::default() },
            ..LaunchConfig::default()
        };
        tk_sim::launch(program, memory, &config)
    }

    /// How often an opcode with this beginning occurs.
    pub(crate) fn count(&self, prefix: &str) -> usize {
        let lines = self.generated.image.ptx.lines().map(str::trim_start);
        lines
            .filter(|line| {
                line.trim_start_matches("@%p")
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .trim_start()
                    .starts_with(prefix)
            })
            .count()
    }
}

fn printed(module: &Module<'_>) -> String {
    module.print(Default::default())
}

/// A number type that lies in memory.
pub(crate) trait Element: Copy {
    const BYTES: usize;
    fn write(self, out: &mut Vec<u8>);
    fn read(bytes: &[u8]) -> Self;
    /// Equal, or both NaN.
    fn same(self, other: Self) -> bool;
}

macro_rules! elements {
    ($($ty:ty),*) => {$(
        impl Element for $ty {
            const BYTES: usize = size_of::<$ty>();
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().unwrap())
            }
            #[allow(clippy::eq_op, reason = "a NaN differs from itself")]
            fn same(self, other: Self) -> bool {
                self == other || self != self && other != other
            }
        }
    )*};
}
elements!(u8, i8, i16, u16, i32, u32, i64, u64, f32, f64, half::f16, half::bf16);

/// A buffer with these elements.
pub(crate) fn upload<T: Element>(memory: &mut DeviceMemory, values: &[T]) -> Buffer {
    let mut bytes = Vec::new();
    values.iter().for_each(|value| value.write(&mut bytes));
    let buffer = memory.allocate(bytes.len() as u64);
    memory.write(buffer, &bytes).unwrap();
    buffer
}

/// The elements of a buffer.
pub(crate) fn download<T: Element>(memory: &DeviceMemory, buffer: Buffer) -> Vec<T> {
    memory.read(buffer).unwrap().chunks(T::BYTES).map(T::read).collect()
}

/// Random numbers in [-1, 1).
pub(crate) fn random(seed: u64, count: usize) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// A random blocked layout of a tensor of rank 2: `sizePerThread`, `threadsPerWarp`, `warpsPerCTA`, `order`.
pub(crate) fn random_blocked(rng: &mut ChaCha8Rng, num_warps: u32) -> String {
    let split = |rng: &mut ChaCha8Rng, total: u32| {
        let first = 1 << rng.random_range(0..=total.ilog2());
        (first, total / first)
    };
    let (lanes, warps) = (split(rng, 32), split(rng, num_warps));
    let sizes = (1 << rng.random_range(0..3), 1 << rng.random_range(0..3));
    let order = if rng.random() { "0, 1" } else { "1, 0" };
    format!(
        "#ttg.blocked<{{sizePerThread = [{}, {}], threadsPerWarp = [{}, {}], warpsPerCTA = [{}, {}], order = [{order}]}}>",
        sizes.0, sizes.1, lanes.0, lanes.1, warps.0, warps.1
    )
}

/// Module text around a function body, with layout aliases before it.
pub(crate) fn module(aliases: &str, num_warps: u32, function: &str) -> String {
    format!(
        "{aliases}\nmodule attributes {{\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = {num_warps} : i32, ttg.target = \"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32}} {{\n{function}\n}}\n"
    )
}
