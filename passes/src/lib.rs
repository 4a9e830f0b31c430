//! The passes of tk: one file per pass, each in three steps (facts → plan → apply).
//!
//! A pass is a plain function over a [`tk_ir::Module`]; [`pipeline`] is the one table that orders them, with reasons, and runs them.
//! Analyses live in [`analysis`] and change nothing. What later stages read from the IR is listed in [`attributes`].
//! What passes have to know of every operation is in the tables of `operations`.

// A new operation, layout or type is an error where something has to be said of it.
#![deny(clippy::wildcard_enum_match_arm)]

pub mod accelerate_matmul;
pub mod advance_copies;
pub mod advance_waits;
pub mod allocate_shared_memory;
pub mod analysis;
pub mod assign_latencies;
pub mod attributes;
pub mod bound_loops;
pub mod canonicalize;
pub mod carry_partial_sums;
mod check_layouts;
pub mod choose_in_branches;
mod cloning;
pub mod coalesce;
pub mod combine;
pub mod combine_updates;
mod comparisons_behind_loads;
mod control_flow;
pub mod convert_to_ttg;
pub mod copy_blocks_by_tma;
pub mod copy_operands;
pub mod count_loops;
pub mod drop_idle_warps;
mod encodings;
pub mod f32_dot_tc;
pub mod fence_insertion;
mod flat_indices;
pub mod fuse_nested_loops;
pub mod fuse_sibling_loops;
pub mod gather_copies;
pub mod gather_mbarriers;
pub mod gather_selections;
pub mod halve_reductions;
pub mod hoist_loads;
pub mod hoist_operands;
pub mod hoist_unchanged_loads;
pub mod hold_operands;
pub mod inline;
pub mod insert_barriers;
pub mod interleave_copies;
pub mod join_accesses;
pub mod join_programs;
pub mod keep_loads_together;
pub mod last_blocks_first;
pub mod leave_early;
mod linear_numbers;
pub mod load_steps_ahead;
pub mod longest_programs_first;
pub mod loop_aware_cse;
pub mod loop_unroll;
pub mod mark_last_uses;
pub mod masked_divisions;
mod masked_values;
pub mod merge_branches;
pub mod narrow_comparisons;
mod operations;
pub mod optimize_descriptor_encoding;
pub mod optimize_dot_operands;
pub mod optimize_thread_locality;
pub mod permute_terms;
pub mod pipeline;
pub mod pipeline_loops;
pub mod print_axis_info;
mod program_order;
pub mod programs_along_rows;
pub mod reached;
pub mod reduce_data_duplication;
pub mod regroup_terms;
pub mod reload_rows;
pub mod remove_layout_conversions;
pub mod reorder_broadcast;
pub mod reorder_instructions;
pub mod repeat_comparisons;
pub mod rewrite_descriptors;
pub mod schedule_loops;
pub mod share_blocks;
pub mod share_copies;
pub mod share_loads;
pub mod share_operands;
mod shared_encodings;
pub mod shorten_pipelines;
pub mod sink_computations;
pub mod sink_loads;
pub mod sink_waits;
pub mod skip_masks;
pub mod split_barriers;
pub mod split_products;
pub mod split_ragged_loops;
pub mod start_next_products;
pub mod start_next_tiles;
pub mod start_products_first;
pub mod store_gathered;
pub mod store_operands;
pub mod store_products;
mod sums_of_products;
mod tensor_maps;
pub mod tile_flat_blocks;
pub mod tma_lowering;
pub mod trim_copies;
pub mod turn_products;
pub mod unite_warp_groups;
pub mod unroll_rotations;
pub mod vectorize_memory;
pub mod why;
pub mod widen_whole_blocks;
pub mod write_together;

pub use check_layouts::check_layouts;
pub use operations::memory::is_copy_by_tma;
pub use pipeline::{Observer, Position, Silent, Step, lookup, run_pipeline};

use tk_diag::SourceFile;
use tk_ir::Module;
use tk_target::Target;
use tk_types::CompileOptions;

/// What a pass may know besides the IR.
#[derive(Clone, Debug)]
pub struct PassContext {
    /// The GPU to compile for.
    pub target: Target,
    /// Warps, stages and so on.
    pub options: CompileOptions,
    /// The kernel's file, for diagnostics that show its lines.
    pub source: Option<SourceFile>,
}

/// One pass. Its name is its file's name with hyphens, and the word on the command line.
#[derive(Clone, Copy)]
pub struct Pass {
    /// `remove-layout-conversions`.
    pub name: &'static str,
    /// One line for `tk opt --help`.
    pub summary: &'static str,
    /// The pass itself.
    pub run: fn(&Module<'_>, &PassContext) -> tk_diag::Result<()>,
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
