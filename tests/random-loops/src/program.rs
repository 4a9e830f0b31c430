//! A program: its setting, its body and its launches.

use crate::bias::Bias;
use crate::draw::Choose;
use crate::make::{Body, Maker};
use crate::setting::{ELEMENTS_OF_A_WARP, MOST_STEPS, Setting};
use tk_cases::draw::{Random, seeded};

/// Shared memory that the stages of a loop may take, in bytes.
const SHARED_BYTES: usize = 190 * 1024;

/// One launch of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Launch {
    /// Iterations of the loop.
    pub(crate) steps: usize,
    pub(crate) warps: usize,
    pub(crate) stages: usize,
}

/// All of it. A seed and a bias make one program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) seed: u64,
    pub(crate) bias: Bias,
    pub(crate) setting: Setting,
    pub(crate) body: Body,
    pub(crate) launches: Vec<Launch>,
}

impl Program {
    pub(crate) fn new(seed: u64, bias: Bias) -> Self {
        let mut random = seeded(&format!("{seed} {}", bias.name()));
        let mut setting = Setting::draw(&mut random, bias);
        let body = Maker::new(&setting, bias, &mut random).body();
        let launches = draw_launches(&mut random, &mut setting, &body);
        Self { seed, bias, setting, body, launches }
    }
}

/// Launches with so many stages that they fit into shared memory.
fn draw_launches(random: &mut Random, setting: &mut Setting, body: &Body) -> Vec<Launch> {
    let fits = |warps: &usize| setting.elements() <= warps * ELEMENTS_OF_A_WARP;
    let warps: Vec<usize> = [1, 4, 4, 4, 4, 8, 8, 8].into_iter().filter(fits).collect();
    let elements = body.parts.sources.iter().map(|source| {
        let (rows, columns) = source.shape.ends();
        setting.sizes.of(rows) * setting.sizes.of(columns)
    });
    let stage = elements.sum::<usize>() * setting.element.bytes;
    let deepest = (SHARED_BYTES / stage.max(1)).clamp(1, 5);
    setting.own_stages = setting.own_stages.map(|stages| stages.min(deepest));
    let steps = [MOST_STEPS, random.pick(&[1, 2, 5, MOST_STEPS]), random.pick(&[5, 8]), random.pick(&[1, 2, 5])];
    let mut launches = Vec::new();
    for steps in steps {
        let stages = random.pick(&[1, 2, 2, 3, 3, 4, 5]).min(deepest);
        let launch = Launch { steps, warps: random.pick(&warps), stages };
        if !launches.contains(&launch) {
            launches.push(launch);
        }
    }
    launches
}
