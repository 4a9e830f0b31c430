//! Writes what axis info knows onto every operation, for tests and for curious people.
//!
//! Each operation with integer or pointer results gets `axis_info = "contiguity = […], divisibility = […], constancy = […],
//! constant_value = …"`: the text of Triton's test remarks, where `tk opt` shows it.

use crate::analysis::{self, axis_info::AxisInfo};
use crate::attributes::AXIS_INFO;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::Module;

/// The pass.
pub const PASS: Pass =
    Pass { name: "test-print-axis-info", summary: "annotate operations with axis info (for tests)", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let facts = analysis::axis_info(function);
        for op in function.descendants() {
            let known: Vec<String> =
                op.results().into_iter().filter_map(|v| facts.find(v)).map(AxisInfo::describe).collect();
            if !known.is_empty() {
                op.set_attr(AXIS_INFO, module.context().string_attr(&known.join(" ; ")));
            }
        }
    }
    Ok(())
}
