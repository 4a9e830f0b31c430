//! Facts about the IR, computed without changing it.

pub(crate) mod aligned_runs;
pub(crate) mod assumptions;
pub mod async_loads;
#[cfg(test)]
mod axis_brute_force;
pub mod axis_flow;
pub mod axis_info;
pub mod axis_rules;
pub mod axis_shapes;
pub(crate) mod block_bounds;
pub(crate) mod copies_in_time;
pub(crate) mod copies_with_room;
pub mod descriptor_groups;
pub(crate) mod dot_work;
pub(crate) mod few_warps;
pub mod global_aliases;
pub(crate) mod indices_ahead;
pub(crate) mod iterations;
pub mod live_registers;
pub(crate) mod loads_of_reductions;
pub(crate) mod loop_variables;
pub(crate) mod product_ahead;
pub(crate) mod quotients;
pub(crate) mod ranges;
pub(crate) mod ring_places;
pub(crate) mod rows_of_results;
pub(crate) mod scaled_products;
pub mod shared_buffers;
pub(crate) mod shared_room;
pub mod slice;
pub(crate) mod sources;
pub mod step_divisors;
pub mod strides;
pub(crate) mod turned_values;

pub use axis_flow::{AxisFacts, analyze as axis_info};
pub use axis_info::AxisInfo;
