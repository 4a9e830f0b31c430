//! Every wait, fence, commit and barrier of a kernel is needed: without any one of them the simulator, in which copies and products are
//! late, reports a fault, or the results are other ones for some order of landing.
//!
//! This says two things: nothing that is missing stays unseen, and nothing is there for no reason. The exceptions are listed in each test.

use crate::harness::{Kernel, random, upload};
use crate::hopper::descriptor_passes::{Product, compile};
use crate::hopper::made_descriptors::sum_of_products;
use half::f16;
use tk_sim::{Arg, Buffer, DeviceMemory};

/// Orders of landing that damaged kernels are run with.
const SEEDS: std::ops::Range<u64> = 0..4;

/// Opcodes that order other instructions.
const ORDERING: &[&str] = &[
    "bar.sync",
    "fence.",
    "membar",
    "cp.async.commit_group",
    "cp.async.wait",
    "cp.async.bulk.commit_group",
    "cp.async.bulk.wait_group",
    "wgmma.fence",
    "wgmma.commit_group",
    "wgmma.wait_group",
    "mbarrier.init",
    "mbarrier.arrive",
    "bra.uni wait",
];

struct Subject {
    kernel: Kernel,
    grid: [u32; 3],
    /// Elements of each input, and of the output behind them.
    sizes: Vec<usize>,
    /// The arguments behind the buffers.
    rest: Vec<Arg>,
}

impl Subject {
    /// What the kernel with this PTX writes.
    fn results(&self, ptx: &str, seed: u64) -> tk_diag::Result<Vec<u8>> {
        let mut memory = DeviceMemory::new();
        let buffers: Vec<Buffer> = (self.sizes.iter().zip(1..))
            .map(|(count, number)| {
                let numbers: Vec<f16> = random(number, *count).into_iter().map(f16::from_f32).collect();
                upload(&mut memory, &numbers)
            })
            .collect();
        let args = buffers.iter().map(|buffer| (*buffer).into()).chain(self.rest.iter().cloned()).collect();
        self.kernel.run_changed(ptx, &mut memory, (self.grid, args), seed)?;
        let last = buffers.last().expect("there is an output");
        memory.read(*last)
    }

    /// The lines that nobody misses, without their operands.
    fn needless(&self) -> Vec<String> {
        let lines: Vec<&str> = self.kernel.generated.image.ptx.lines().collect();
        let sound = self.results(&lines.join("\n"), 0).unwrap_or_else(|error| panic!("{error}"));
        let mut needless = Vec::new();
        let mut damages = 0;
        for (at, line) in lines.iter().enumerate() {
            let opcode = line.trim_start();
            let opcode =
                opcode.strip_prefix('@').and_then(|rest| rest.split_once(' ')).map_or(opcode, |(_, rest)| rest);
            if !ORDERING.iter().any(|ordering| opcode.starts_with(ordering)) {
                continue;
            }
            let mut damaged = lines.clone();
            damaged[at] = "";
            let damaged = damaged.join("\n");
            damages += 1;
            if SEEDS.into_iter().all(|seed| self.results(&damaged, seed).is_ok_and(|results| results == sound)) {
                needless.push(opcode.split_whitespace().next().unwrap_or_default().to_string());
            }
        }
        assert!(damages > 5, "only {damages} lines order others");
        needless
    }
}

/// Both kernels are of the reference compiler's IR, which fences what `cp.async` copied (docs/decisions/0007). With three stages, the first
/// copies of A and of B are two groups that are waited for together.
#[test]
fn a_pipeline_of_asynchronous_copies() {
    let needless = &["cp.async.commit_group;", "fence.proxy.async.shared::cta;"][..];
    let three_stages = (include_str!("kernels/f16_128x128x32.ttgir"), [128, 128, 160], 160, needless);
    let one_stage = (include_str!("kernels/f16_64x256x64_s1.ttgir"), [64, 256, 128], 256, &[][..]);
    for (text, [m, n, k], stride, needless) in [three_stages, one_stage] {
        let rest = [m, n, k, k, stride, n].map(|size| Arg::from(size as i32)).to_vec();
        let subject = Subject { kernel: Kernel::new(text), grid: [1, 1, 1], sizes: vec![m * k, k * n, m * n], rest };
        assert_eq!(subject.needless(), needless);
    }
}

/// What the simulator does not miss in a product by descriptors that makes `maps` tensor maps: the wait for an acquired map, which only makes
/// up for ptxas; and the barrier before the block of C is written over blocks that other warps may still multiply, because the simulator's
/// products are those of four warps at once.
fn needless_with(maps: usize) -> Vec<&'static str> {
    let waits = ["cp.async.bulk.commit_group;", "cp.async.bulk.wait_group.read"].repeat(maps);
    [waits, vec!["bar.sync"]].concat()
}

/// The block of C leaves by a branch that asks what TMA can write.
#[test]
fn a_pipeline_of_described_copies() {
    let product = Product { tile: [64, 64, 64], transposed: true, num_warps: 4, num_stages: 3 };
    let [m, n, k] = [64, 64, 320];
    let rest = [m, n, k].map(|size| Arg::from(size as i32)).to_vec();
    let kernel = compile(&product.text(), product.num_warps, product.num_stages);
    let subject = Subject { kernel, grid: [1, 1, 1], sizes: vec![m * k, k * n, m * n], rest };
    assert_eq!(subject.needless(), needless_with(3));
}

/// Each iteration makes two maps, which take turns with those of two others. They are made in three places, and that of C behind the loop.
#[test]
fn a_pipeline_of_descriptors_that_it_makes() {
    let count = 6;
    let kernel = compile(&sum_of_products(), 4, 3);
    let sizes = vec![count * 64 * 64, count * 64 * 64, 64 * 64];
    let subject = Subject { kernel, grid: [1, 1, 1], sizes, rest: vec![Arg::from(count as i32)] };
    assert_eq!(subject.needless(), needless_with(7));
}

/// As above. Each product needs its own `wgmma.fence`, because registers change between them.
#[test]
fn two_products_in_a_row() {
    let mut rest = vec![Arg::from(0.18f32), Arg::from(256)];
    rest.extend([64; 4].map(Arg::from));
    let kernel = Kernel::new(include_str!("kernels/attn64.ttgir"));
    let subject = Subject { kernel, grid: [2, 1, 1], sizes: vec![256 * 64; 4], rest };
    let needless = ["cp.async.commit_group;", "fence.proxy.async.shared::cta;"];
    assert_eq!(subject.needless(), needless);
}
