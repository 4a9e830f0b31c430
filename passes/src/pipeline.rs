//! The order of the passes, in one place, with reasons; and the loop that runs them.
//!
//! The three tables are the three parts of the way from tt IR to code generation. Every row runs, is verified and is shown to an
//! [`Observer`] (dumps, timings), so what a dump shows after row N is exactly what row N made.

use crate::*;
use std::time::{Duration, Instant};
use tk_diag::Result;

/// One row of a pipeline.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A pass of ours.
    Tk(Pass),
    /// A pass of MLIR: the name it goes by here, and MLIR's pipeline text.
    Mlir(&'static str, &'static str),
}

impl Step {
    /// A pass of ours.
    pub const fn tk(pass: Pass) -> Self {
        Step::Tk(pass)
    }

    /// A pass of MLIR under its own name.
    pub const fn mlir(name: &'static str) -> Self {
        Step::Mlir(name, name)
    }

    /// The name on the command line and in dumps.
    pub fn name(&self) -> &'static str {
        match self {
            Step::Tk(pass) => pass.name,
            Step::Mlir(name, _) => name,
        }
    }

    /// What it does, one line.
    pub fn summary(&self) -> &'static str {
        match self {
            Step::Tk(pass) => pass.summary,
            Step::Mlir("cse", _) => "merge equal operations (MLIR)",
            Step::Mlir("licm", _) => "move loop-invariant operations out of loops (MLIR)",
            Step::Mlir("symbol-dce", _) => "delete private functions that nothing calls (MLIR)",
            Step::Mlir("sccp", _) => "propagate constants through control flow (MLIR)",
            Step::Mlir(..) => "a pass of MLIR",
        }
    }

    /// Runs it, without verifying.
    pub fn run(&self, module: &Module<'_>, context: &PassContext) -> Result<()> {
        match self {
            Step::Tk(pass) => (pass.run)(module, context),
            Step::Mlir(_, pipeline) => module.run_mlir_passes(pipeline),
        }
    }
}

const LICM: Step = Step::Mlir("licm", "loop-invariant-code-motion");

/// tt IR: simplify while tensors have no layouts yet.
pub const TT: &[Step] = &[
    Step::tk(inline::PASS),                 // everything after this sees one function
    Step::tk(rewrite_descriptors::PASS),    // what TMA cannot do is done through pointers, before all else
    Step::tk(canonicalize::PASS),           // constants and masks become visible …
    Step::mlir("cse"),                      // … equal masks are one …
    Step::tk(tile_flat_blocks::PASS),       // … programs of flat indices have tiles where a store turns a matrix …
    Step::tk(count_loops::PASS),            // … and a loop that counts is one that says so …
    Step::tk(bound_loops::PASS),            // … and runs what its branch lets through …
    Step::tk(combine::PASS),                // … which lets pointer steps and accumulators merge
    Step::tk(turn_products::PASS),          // products are computed the way that they are read …
    Step::tk(share_loads::PASS),            // … and loads of one address be one …
    Step::tk(gather_selections::PASS),      // … and chains that search a table look up in it …
    Step::tk(regroup_terms::PASS),          // what changes seldom is computed first …
    Step::tk(reorder_broadcast::PASS),      // compute before replicating, not after
    Step::mlir("cse"),                      // address arithmetic repeats a lot in source code
    LICM,                                   // … and much of it does not change in loops …
    Step::tk(hoist_unchanged_loads::PASS),  // … nor what is loaded there
    Step::tk(masked_divisions::PASS),       // addresses that masks keep in order
    Step::mlir("symbol-dce"),               // inlined functions are gone
    Step::tk(fuse_sibling_loops::PASS),     // loops that wait for themselves wait together
    Step::tk(merge_branches::PASS),         // branches that differ in pointers are one
    Step::tk(copy_blocks_by_tma::PASS),     // blocks that TMA can copy, while addresses can still be read off
    Step::tk(mark_last_uses::PASS),         // caches keep what is read again, while every loop is there once
    Step::tk(loop_unroll::PASS),            // what the user asked for, before layouts are chosen
    Step::tk(longest_programs_first::PASS), // in which order programs start, once nobody asks about addresses
    Step::tk(join_programs::PASS),          // programs with a column each run together
    Step::tk(programs_along_rows::PASS),    // … and beside each other, where their blocks are
    Step::tk(share_blocks::PASS),           // … or where they are the same
];

/// ttg IR: choose layouts, delete conversions between them, overlap the iterations of loops.
pub const TTG: &[Step] = &[
    Step::tk(drop_idle_warps::PASS),              // idle warps do not run
    Step::tk(convert_to_ttg::PASS),               // every tensor gets a layout
    Step::tk(coalesce::PASS),                     // global memory decides first …
    Step::tk(f32_dot_tc::PASS),                   // … f32 products become products for tensor cores …
    Step::tk(remove_layout_conversions::PASS),    // … and its layouts spread
    Step::tk(optimize_thread_locality::PASS),     // reductions of loops meet across threads once
    Step::tk(accelerate_matmul::PASS),            // then matrix instructions have their say
    Step::tk(remove_layout_conversions::PASS),    // … and theirs spread through loops and epilogues
    Step::tk(carry_partial_sums::PASS),           // scaled sums meet across threads once, in the layouts that stay
    Step::tk(optimize_dot_operands::PASS),        // what is left around operands moves to where it costs nothing
    Step::tk(optimize_descriptor_encoding::PASS), // blocks that TMA copies lie as the hardware likes it
    Step::mlir("cse"),                            // loads and address arithmetic are there once …
    Step::tk(loop_aware_cse::PASS),               // … what loops carry too
    LICM,                                         // … and outside of loops where they can be …
    Step::tk(hoist_operands::PASS),               // … also those that branches multiply by,
    Step::tk(hoist_unchanged_loads::PASS),        // … and loads that threads meet for,
    Step::tk(merge_branches::PASS),               // branches that differ in few elements are one, too
    Step::tk(split_ragged_loops::PASS),           // whole iterations need no masks,
    Step::tk(loop_unroll::PASS), // small loops that wait for memory, since layouts say how small they are
    Step::tk(fuse_nested_loops::PASS), // persistent kernels: the next tile starts while this one ends
    Step::tk(canonicalize::PASS), // … before the loop is scheduled
    Step::tk(last_blocks_first::PASS), // rows are read again from their end, once steps of copied loops are numbers
    Step::tk(split_products::PASS), // registers hold what a loop computes on …
    Step::tk(hold_operands::PASS), // … and what shared memory is too slow for …
    Step::tk(load_steps_ahead::PASS), // … which loads of recurrences run steps ahead …
    Step::tk(assign_latencies::PASS), // which loads run ahead …
    Step::tk(schedule_loops::PASS), // … in which stage everything is …
    Step::tk(pipeline_loops::PASS), // … and the loop written so
    Step::tk(split_barriers::PASS), // groups of warps need not meet in loops that compute on products
    Step::tk(advance_waits::PASS), // … one group meets once per iteration there …
    Step::tk(advance_copies::PASS), // … copies are issued early enough …
    Step::tk(interleave_copies::PASS), // … and copies are issued while tensor cores have work
    Step::tk(start_next_products::PASS), // … which go on with the next product meanwhile
    Step::tk(canonicalize::PASS), // the prologue knows its iterations
    Step::mlir("cse"),           // its predicates and counters repeat
    Step::tk(tma_lowering::PASS), // accesses by descriptors that nobody overlapped …
    Step::tk(sink_waits::PASS),  // … are waited for where they are needed
    Step::tk(start_next_tiles::PASS), // persistent kernels: the next tile's first copies beside this one's end
    Step::tk(gather_mbarriers::PASS), // all copies have their mbarriers
    Step::tk(reduce_data_duplication::PASS), // large operands of dots by multiply-add stay in memory
    Step::tk(store_operands::PASS), // beside an operand that stays in registers no other is there
    Step::tk(share_operands::PASS), // what several products read is written once
    Step::tk(store_products::PASS), // products are stored as they lie where memory is short
    Step::tk(store_gathered::PASS), // … and what loops gather from …
    Step::tk(permute_terms::PASS), // weights of attention in f32 stay where they are
    Step::tk(sink_computations::PASS), // what loops have no registers for is computed behind them …
    Step::tk(reorder_instructions::PASS), // … and operands are read where registers are short
    Step::tk(start_products_first::PASS), // tensor cores have work while threads move blocks
    Step::tk(write_together::PASS), // threads meet once for the blocks of an iteration
    Step::tk(copy_operands::PASS), // what products behind an inner loop read comes while threads compute
    Step::tk(fence_insertion::PASS), // wgmma must see what threads wrote
    Step::mlir("sccp"),          // constants that only appear now
    Step::mlir("cse"),           //
    Step::tk(canonicalize::PASS), // leave nothing dead for code generation
    Step::tk(choose_in_branches::PASS), // what happens once for each tile costs nothing else
    Step::tk(gather_copies::PASS), // one branch for all copies that the last iterations leave out
    Step::tk(hoist_loads::PASS), // loads are under way before the first of them is waited for …
    Step::tk(sink_loads::PASS),  // … where registers have room for what they bring …
    Step::tk(reload_rows::PASS), // … and again where they have none at all
    Step::tk(unroll_rotations::PASS), // what waits for iterations has registers of its own in each
];

/// Decisions that code generation reads as attributes; nothing may change layouts after this.
pub const LLVM_PREPARATION: &[Step] = &[
    Step::tk(trim_copies::PASS),            // rows that no product reads are not copied
    Step::tk(skip_masks::PASS),             // which blocks need no masks beside products …
    Step::tk(widen_whole_blocks::PASS),     // … and none for their accesses …
    Step::tk(join_accesses::PASS),          // which accesses are neighbours of each other …
    Step::tk(vectorize_memory::PASS),       // … how wide each access may be
    Step::tk(narrow_comparisons::PASS),     // masks in 32 bits, since nobody asks about indices now
    Step::tk(repeat_comparisons::PASS),     // … and in loops, where a thread has too many answers
    Step::tk(halve_reductions::PASS),       // how lanes share results out, and how many parts meet in shared memory
    Step::tk(allocate_shared_memory::PASS), // where each buffer lies …
    Step::tk(insert_barriers::PASS),        // … and therefore who must wait for whom
    Step::tk(share_copies::PASS),           // … which programs copy together, once all barriers are there
    Step::tk(keep_loads_together::PASS),    // which loads have no barrier that keeps them together
    Step::tk(leave_early::PASS),            // … and which threads wait for nobody and have nothing to do
    Step::tk(combine_updates::PASS),        // … and which lanes update elements together, where all stay
];

/// A place in the pipeline: how many of its steps have run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(usize);

impl Position {
    /// Before all steps: tt IR as it was lowered.
    pub const START: Self = Self(0);
    /// After the steps of tt IR.
    pub const TT: Self = Self(TT.len());
    /// Before the steps that prepare for code generation: layouts are chosen, and hints are still there.
    pub const TTG: Self = Self(TT.len() + TTG.len());
    /// After all steps: ready for code generation.
    pub const END: Self = Self(TT.len() + TTG.len() + LLVM_PREPARATION.len());

    fn all() -> impl Iterator<Item = Step> {
        [TT, TTG, LLVM_PREPARATION].into_iter().flatten().copied()
    }

    /// The place behind the first step of this name that is not before `self`, by any name that [`lookup`] takes.
    pub fn behind(self, name: &str) -> Option<Self> {
        let name = lookup(name)?.name();
        Self::all().enumerate().skip(self.0).find(|(_, step)| step.name() == name).map(|(at, _)| Self(at + 1))
    }

    /// The place of which [`Self::step`] says this.
    pub fn after(step: &str) -> Option<Self> {
        (0..=Self::END.0).map(Self).find(|place| place.step() == step)
    }

    /// The step that ran last: `lower`, `coalesce`, or `cse#2` for the second of several that have one name.
    pub fn step(self) -> String {
        let Some(last) = self.0.checked_sub(1).and_then(|at| Self::all().nth(at)) else { return "lower".to_string() };
        match Self::all().take(self.0).filter(|step| step.name() == last.name()).count() {
            1 => last.name().to_string(),
            several => format!("{}#{several}", last.name()),
        }
    }

    /// The place before this one's last step.
    pub fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The place after one step more.
    pub fn next(self) -> Self {
        Self((self.0 + 1).min(Self::END.0))
    }

    /// The steps from here to `end`.
    pub fn steps_to(self, end: Self) -> Vec<Step> {
        Self::all().take(end.0).skip(self.0).collect()
    }
}

/// Every pass of ours, in the order in which the pipeline comes to them.
pub const ALL: &[Pass] = &[
    inline::PASS,
    rewrite_descriptors::PASS,
    canonicalize::PASS,
    tile_flat_blocks::PASS,
    count_loops::PASS,
    bound_loops::PASS,
    combine::PASS,
    turn_products::PASS,
    share_loads::PASS,
    gather_selections::PASS,
    regroup_terms::PASS,
    reorder_broadcast::PASS,
    hoist_unchanged_loads::PASS,
    masked_divisions::PASS,
    fuse_sibling_loops::PASS,
    merge_branches::PASS,
    copy_blocks_by_tma::PASS,
    mark_last_uses::PASS,
    loop_unroll::PASS,
    longest_programs_first::PASS,
    join_programs::PASS,
    programs_along_rows::PASS,
    share_blocks::PASS,
    drop_idle_warps::PASS,
    convert_to_ttg::PASS,
    coalesce::PASS,
    f32_dot_tc::PASS,
    remove_layout_conversions::PASS,
    optimize_thread_locality::PASS,
    accelerate_matmul::PASS,
    carry_partial_sums::PASS,
    optimize_dot_operands::PASS,
    optimize_descriptor_encoding::PASS,
    loop_aware_cse::PASS,
    hoist_operands::PASS,
    split_ragged_loops::PASS,
    fuse_nested_loops::PASS,
    last_blocks_first::PASS,
    split_products::PASS,
    hold_operands::PASS,
    load_steps_ahead::PASS,
    assign_latencies::PASS,
    schedule_loops::PASS,
    pipeline_loops::PASS,
    split_barriers::PASS,
    advance_waits::PASS,
    advance_copies::PASS,
    interleave_copies::PASS,
    start_next_products::PASS,
    tma_lowering::PASS,
    sink_waits::PASS,
    start_next_tiles::PASS,
    gather_mbarriers::PASS,
    reduce_data_duplication::PASS,
    store_operands::PASS,
    share_operands::PASS,
    store_products::PASS,
    store_gathered::PASS,
    permute_terms::PASS,
    sink_computations::PASS,
    reorder_instructions::PASS,
    start_products_first::PASS,
    write_together::PASS,
    copy_operands::PASS,
    fence_insertion::PASS,
    choose_in_branches::PASS,
    gather_copies::PASS,
    hoist_loads::PASS,
    sink_loads::PASS,
    reload_rows::PASS,
    unroll_rotations::PASS,
    trim_copies::PASS,
    skip_masks::PASS,
    widen_whole_blocks::PASS,
    join_accesses::PASS,
    vectorize_memory::PASS,
    narrow_comparisons::PASS,
    repeat_comparisons::PASS,
    halve_reductions::PASS,
    allocate_shared_memory::PASS,
    insert_barriers::PASS,
    share_copies::PASS,
    keep_loads_together::PASS,
    leave_early::PASS,
    combine_updates::PASS,
    print_axis_info::PASS,
];

/// Passes of MLIR that may be named on the command line.
const MLIR: &[Step] = &[
    Step::mlir("cse"),
    LICM,
    Step::mlir("symbol-dce"),
    Step::mlir("sccp"),
    Step::mlir("loop-invariant-code-motion"),
    Step::mlir("canonicalize{test-convergence=false}"),
];

/// Triton's names that differ from ours.
const ALIASES: &[(&str, &str)] = &[
    ("inliner", "inline"),
    ("canonicalizer", "canonicalize"),
    ("convert-triton-to-tritongpu", "convert-to-ttg"),
    ("convert-to-ttgpuir", "convert-to-ttg"),
    ("remove-layout-conversion", "remove-layout-conversions"),
    ("F32DotTC", "f32-dot-tc"),
    ("allocate-shared-memory-nv", "allocate-shared-memory"),
    ("membar", "insert-barriers"),
    ("test-print-alignment", "test-print-axis-info"),
];

/// The step with this name: ours, MLIR's, or Triton's spelling (`tritongpu-coalesce`).
pub fn lookup(name: &str) -> Option<Step> {
    let find = |name: &str| {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, ours)| *ours);
        let ours = ALL.iter().find(|pass| pass.name == name).copied().map(Step::Tk);
        ours.or_else(|| MLIR.iter().find(|step| step.name() == name).copied())
    };
    let bare = ["tritongpu-", "triton-nvidia-gpu-", "triton-"].iter().find_map(|prefix| name.strip_prefix(prefix));
    find(name).or_else(|| find(bare?))
}

/// Sees every step after it ran.
pub trait Observer {
    /// Whether it looks at the module after the step with this name, which is verified first then.
    fn looks_after(&self, name: &str) -> bool;

    /// Called once per step, in order. An error stops the pipeline.
    fn after_step(&mut self, name: &str, elapsed: Duration, module: &Module<'_>) -> Result<()>;
}

/// An observer that does not look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn looks_after(&self, _: &str) -> bool {
        false
    }

    fn after_step(&mut self, _: &str, _: Duration, _: &Module<'_>) -> Result<()> {
        Ok(())
    }
}

/// Runs steps in order, and verifies after the last one, after those that the observer looks at, and in debug builds after each that changed the module:
/// looking at every operation some forty times is a third of a release build's own time. Most steps find nothing to do, and what was verified before them
/// need not be again. A module that does not verify is a fault of a pass.
pub fn run_pipeline(
    module: &Module<'_>,
    steps: &[Step],
    context: &PassContext,
    observer: &mut dyn Observer,
) -> Result<()> {
    // Text from elsewhere may have layouts that ours has no rule for; then a pass cannot be blamed for them.
    let is_ours = !has_layouts(module) || check_layouts(module).is_ok();
    let (mut unverified, mut verified) = (None, None);
    for (index, step) in steps.iter().enumerate() {
        let start = Instant::now();
        step.run(module, context)?;
        let elapsed = start.elapsed();
        if cfg!(debug_assertions) || index + 1 == steps.len() || observer.looks_after(step.name()) {
            let now = Some(module.fingerprint());
            if verified != now {
                verify(module, is_ours).map_err(|error| {
                    Box::new(error.note(wrong_after(unverified.unwrap_or(step.name()), step.name())))
                })?;
            }
            (unverified, verified) = (None, now);
        } else {
            unverified.get_or_insert(step.name());
        }
        observer.after_step(step.name(), elapsed, module)?;
    }
    Ok(())
}

/// The note of an error after the steps from `first` to `last`.
fn wrong_after(first: &str, last: &str) -> String {
    if first == last {
        return format!("the IR is wrong after the pass `{last}`");
    }
    format!(
        "the IR is wrong after one of the passes from `{first}` to `{last}`; `tk compile --dump-dir DIR` says after which"
    )
}

/// MLIR's verifier, and ours where tensors have layouts.
fn verify(module: &Module<'_>, is_ours: bool) -> Result<()> {
    module.verify()?;
    if is_ours && has_layouts(module) { check_layouts(module) } else { Ok(()) }
}

fn has_layouts(module: &Module<'_>) -> bool {
    module.op().attr(attributes::NUM_WARPS).is_some()
}
