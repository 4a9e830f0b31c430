//! Computes a product of many rows in parts, so that one set of registers serves the results of all of them.
//!
//! A loop that scales and adds a product needs registers for its result beside the sum: 128 and 128 in blocks of 256x128 by eight warps, which is more
//! than a thread has. In parts of 128 rows it needs 64 and 128:
//!
//! ```text
//! loop: product of all rows                  loop: product of the first rows
//!       sum += product * scales                    first sum += product * scales
//!                                                  product of the last rows
//!                                                  last sum += product * scales
//! ```
//!
//! A part is the rows of one instruction of every warp, or of several, which a thread holds in registers of their own. So parts of a value are some of
//! its registers, and nothing moves. Two groups of warps then multiply in turns, too ([`split-barriers`](crate::split_barriers)).
//!
//! That is for products by `wgmma` that start at zero, read both operands from shared memory, and on whose results the loop computes element by
//! element, to sums that it carries ([`Chain`]). Branches behind that and what follows the loop see all rows again.
//!
//! Products also come in parts where all CTAs that the grid brings then have room at once, and do not as it is ([`all_at_once`]). What is computed from a
//! part is computed before the next one is multiplied ([`SUMS_FIRST`](crate::attributes::SUMS_FIRST)).
//!
//! Products whose results become operands of others are taken apart with these ([`operands`]).
//!
//! 1. Find the products of a loop and what is computed from them.  2. How many parts leave enough registers.  3. Copy that for each part.

mod all_at_once;
mod chain;
mod operands;
mod parts;

use crate::analysis::live_registers::{BESIDE_DOTS, LiveRegisters, most_over_dots, registers};
use crate::analysis::product_ahead::in_place;
use crate::control_flow::{loops_of, remove_dead};
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext};
use all_at_once::parts_for_all;
use chain::Chain;
use operands::Operands;
use parts::Parts;
use tk_diag::Result;
use tk_ir::{Module, Op};

/// The pass.
pub const PASS: Pass =
    Pass { name: "split-products", summary: "compute products of many rows in parts, where registers are short", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let threads = require_ttg(module)?;
    let budget = cx.target.register_budget(threads.num_warps, 1);
    for function in module.functions() {
        let mut is_changed = false;
        for view in loops_of(function) {
            if let Some(chain) = Chain::of(view) {
                let fewer = || parts_for_all(function, &chain, threads, cx).inspect(|_| chain.compute_sums_first());
                let Some(parts) = parts_that_fit(function, &chain, budget).or_else(fewer) else { continue };
                chain.split(parts)?;
            } else if let Some(operands) = Operands::of(view) {
                let Some(parts) = parts_of_operands(function, &operands, budget) else { continue };
                operands.split(parts)?;
            } else {
                continue;
            }
            is_changed = true;
        }
        if is_changed {
            remove_dead(function);
        }
    }
    Ok(())
}

/// The fewest parts with which a thread has registers for everything in the loop, of which it can have `budget`. `None` where it has them for whole
/// products, or for no number of parts.
fn parts_that_fit(function: Op<'_>, chain: &Chain<'_>, budget: u32) -> Option<Parts> {
    let live = LiveRegisters::of_floats_once(function);
    let most = most_over_dots(chain.view.body(), budget);
    let at = |op: &Op<'_>| live.at(*op).saturating_sub(in_place(*op));
    let needed = chain.view.body().ops().iter().map(at).max().unwrap_or(0);
    if needed <= most {
        return None;
    }
    let result = registers(chain.whole);
    let fits = |parts: &Parts| needed.saturating_sub(result) + result / parts.count as u32 <= most;
    Parts::possible(chain.whole).into_iter().find(fits)
}

/// The fewest parts with which a thread has registers for everything in the loop, or the most that there can be. `None` where no part of the loop
/// needs more floats than a thread has registers: of 17 launches the eleven that do are 1.39 times as fast in parts, and six that need as many
/// 4 % slower (docs/measurements.md, "Operands come in parts").
fn parts_of_operands(function: Op<'_>, operands: &Operands<'_>, budget: u32) -> Option<Parts> {
    let (chain, live) = (&operands.chain, LiveRegisters::of_floats_once(function));
    // At the end values are counted twice, as what they were and what they become.
    let ops = chain.view.body().ops().into_iter().filter(|op| !op.is_terminator());
    let at = |op: Op<'_>| (live.at(op).saturating_sub(in_place(op)), chain.registers_at(op));
    let points: Vec<(u32, u32)> = ops.map(at).collect();
    let needed = points.iter().map(|(all, _)| *all).max().filter(|needed| *needed > budget + UNUSED)?;
    let with = |parts: &Parts| {
        let of_point = |(all, computed): &(u32, u32)| all.saturating_sub(*computed) + computed / parts.count as u32;
        points.iter().map(of_point).max().unwrap_or(0)
    };
    let helps = |parts: &Parts| operands.allow(*parts) && with(parts) < needed;
    let possible: Vec<Parts> = Parts::possible(chain.whole).into_iter().filter(helps).collect();
    possible.iter().find(|parts| with(parts) <= budget.saturating_sub(BESIDE_DOTS)).or(possible.last()).copied()
}

/// Of the registers that a thread can have by their size, the one that always is zero.
const UNUSED: u32 = 1;
