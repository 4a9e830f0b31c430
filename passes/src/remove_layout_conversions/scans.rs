//! Whether a scan may be made in another layout.
//!
//! Triton lets layouts pass through scans like arithmetic. A scan along lanes and warps takes many more instructions than one whose axis lies in the
//! registers of few threads, so here it moves only to a layout in which it is no longer than where it is. That pays where what is scanned is
//! there in the wanted layout already, as in cumulative sums that are stored beside their addends.

use tk_ir::ops::ScanOp;
use tk_ir::{Attribute, Op, Type};
use tk_layout::scan::{ScanPlan, ScanSource, ScanStep, TotalsStep};

/// Instructions of an update with a value of the own thread, of another lane, and of another warp, about.
const OWN: usize = 1;
const LANE: usize = 3;
const WARP: usize = 8;

/// The scan is no longer with operands of `layout` than with those that it has.
pub(super) fn is_no_longer(op: Op<'_>, layout: Attribute<'_>) -> bool {
    let Some(scan) = ScanOp::cast(op) else { return false };
    let own = op.operand(0).ty();
    let length = |ty: Type<'_>| {
        let linear = ty.linear_layout()?;
        tk_layout::scan::plan(&linear, scan.axis(), scan.reverse()).ok().map(|plan| instructions(&plan))
    };
    matches!((length(own.with_encoding(Some(layout))), length(own)), (Some(new), Some(old)) if new <= old)
}

fn instructions(plan: &ScanPlan) -> usize {
    let of_source = |source: &ScanSource| match source {
        ScanSource::OwnThread => OWN,
        ScanSource::Lane(_) => LANE,
        ScanSource::Scratch(_) => WARP,
    };
    let of_step = |step: &ScanStep| match step {
        ScanStep::Update(step) => step.updates.len() * of_source(&step.source),
        ScanStep::Totals(step) => of_totals(step),
    };
    plan.steps.iter().map(of_step).sum()
}

/// Each run has a total that goes through lanes and warps; every register is combined once.
fn of_totals(step: &TotalsStep) -> usize {
    let runs: usize = step.rows.iter().map(|row| row.runs.len()).sum();
    let registers: usize = step.rows.iter().flat_map(|row| &row.runs).map(Vec::len).sum();
    let warps = step.exchange.as_ref().map_or(0, |exchange| WARP + 2 * OWN * exchange.warps.len());
    runs * (step.lane_bits as usize * LANE + warps) + registers * OWN
}
