//! Elements that lie where loaded numbers of the same block say: entries of a codebook, one for each number of a quantised key.
//!
//! Nothing is known of the places of such a load, so that what is reduced would stay in threads, with lanes along the other axes. Its numbers were
//! loaded by up to 16 bytes along a row, and each of them would pass through shared memory to the thread that reads its element. Memory does not
//! mind which thread reads which element. So the load takes the layout of its numbers, and lanes exchange what they have summed:
//!
//! ```text
//! 64x128, numbers of 8 bits, 4 warps, sums of rows    lanes [4, 8] of [1, 16]                4 rows · 3 exchanges
//!                                                     lanes [32, 1] of [1, 1], warps [1, 4]  64 numbers through shared memory, 2 rows of 4 parts
//! ```
//!
//! What follows is computed element by element, reduced, or meets accesses that have that layout, too. A product, or a store of another layout,
//! would have a conversion of its own.
//!
//! 1. Which load has the numbers.  2. What follows, and what its reductions cost in both layouts.  3. Those whose neighbors in the code agree.

use super::neighbors::{has_two_axes, met_by};
use super::repeated_reductions::{MEETING_STEPS, steps};
use super::scans::is_passed;
use super::{GlobalAccess, MOST_USERS, Met};
use crate::analysis::AxisFacts;
use crate::analysis::axis_flow::unit_of;
use crate::analysis::strides::usual_stride_along;
use crate::attributes::Threads;
use crate::control_flow::flows_into;
use crate::operations::computations::{Computation, computation};
use crate::operations::control::is_loop;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::ops::ReduceOp;
use tk_ir::{Op, OpKind, Value};
use tk_layout::conversion::{self, SCRATCH_BYTES};
use tk_layout::{BlockedEncoding, Encoding};
use tk_target::SECTOR_BYTES;

/// Numbers as wide as a register are converted without anything else: two of three launches with such are 1.5 and 2.5 % slower in the layout of their
/// numbers, and three with numbers of 8 bits 2 to 15 % faster.
const REGISTER_BITS: u32 = 32;

/// Gives loads the layouts that the loads of their numbers have. `layouts` has one for each access, in order.
pub(super) fn take_layouts_of_numbers(
    accesses: &[GlobalAccess<'_>],
    layouts: &mut [BlockedEncoding],
    met: &Met,
    facts: &AxisFacts,
    threads: Threads,
) {
    let places = accesses.iter().enumerate().map(|(place, access)| (access.op.id(), place)).collect();
    let search = Search { accesses, places, layouts: &*layouts, met, facts, threads };
    let mut gathers: Vec<Gather> = (0..accesses.len()).filter_map(|place| search.gather(place)).collect();
    // One that keeps its layout may be what another one meets.
    loop {
        let numbers: FxHashMap<usize, usize> = gathers.iter().map(|gather| (gather.place, gather.numbers)).collect();
        let layout_of = |place: usize| &layouts[numbers.get(&place).copied().unwrap_or(place)];
        let before = gathers.len();
        gathers.retain(|gather| gather.met.iter().all(|met| layout_of(*met) == &layouts[gather.numbers]));
        if gathers.len() == before {
            break;
        }
    }
    for gather in gathers {
        layouts[gather.place] = layouts[gather.numbers].clone();
    }
}

/// A load that may take the layout of another one. All are places in the list of accesses.
struct Gather {
    place: usize,
    /// The load of its numbers.
    numbers: usize,
    /// The accesses that its elements meet.
    met: Vec<usize>,
}

/// What becomes of loaded elements.
struct Uses {
    reductions: Vec<Reduction>,
    /// Accesses, by their places in the list.
    met: Vec<usize>,
}

struct Reduction {
    axis: usize,
    /// Blocks that are reduced together.
    operands: u64,
}

struct Search<'a, 'c> {
    accesses: &'a [GlobalAccess<'c>],
    /// Where in the list an access is, by identity.
    places: FxHashMap<usize, usize>,
    layouts: &'a [BlockedEncoding],
    met: &'a Met,
    facts: &'a AxisFacts,
    threads: Threads,
}

impl Search<'_, '_> {
    /// The access as a load that gains by the layout of its numbers.
    fn gather(&self, place: usize) -> Option<Gather> {
        let access = &self.accesses[place];
        if !self.is_unknown(access) || self.met.has_layout_for(access.op) {
            return None;
        }
        let numbers = self.numbers_of(access).filter(|place| self.has_narrow_numbers(*place))?;
        let (own, theirs) = (&self.layouts[place], &self.layouts[numbers]);
        let is_shared = shared_bytes(&self.accesses[numbers], theirs, own).is_some_and(|bytes| bytes > 0);
        if !is_shared {
            return None;
        }
        let uses = self.uses_of(access)?;
        let steps_in = |layout: &BlockedEncoding| {
            let of_one = |reduction: &Reduction| reduction.operands * steps(layout, &access.shape, reduction.axis);
            uses.reductions.iter().map(of_one).sum::<u64>()
        };
        let conversion = MEETING_STEPS + u64::from(access.share(self.threads));
        (steps_in(theirs) <= steps_in(own) + conversion).then_some(Gather { place, numbers, met: uses.met })
    }

    /// Several numbers share a register, and a conversion takes them apart and puts them together.
    fn has_narrow_numbers(&self, place: usize) -> bool {
        self.accesses[place].op.result(0).ty().element_bits() < REGISTER_BITS
    }

    /// A load of a block of which nothing is known along any axis: neighbors may be anywhere.
    fn is_unknown(&self, access: &GlobalAccess<'_>) -> bool {
        let pointer = access.op.operand(0);
        let info = self.facts.get(pointer);
        access.op.kind() == OpKind::TtLoad
            && has_two_axes(&access.shape)
            && long_axes(&access.shape).all(|axis| {
                info.contiguity[axis] == 1
                    && info.constancy[axis] == 1
                    && usual_stride_along(pointer, axis, self.facts).is_none()
            })
    }

    /// The load of the numbers that say where `access` reads, in the list; `None` where there are none of the same block, or several in layouts that
    /// differ. The numbers may say where the numbers are that say where it reads.
    fn numbers_of(&self, access: &GlobalAccess<'_>) -> Option<usize> {
        let (mut pending, mut seen) = (vec![access.op.operand(0)], FxHashSet::default());
        let (mut found, mut terms): (Vec<usize>, Vec<Value<'_>>) = (Vec::new(), Vec::new());
        while let Some(value) = pending.pop() {
            let is_mask = value.ty().is_tensor() && value.ty().element_bits() == 1;
            if is_mask || value.ty().shape() != access.shape || !seen.insert(value.id()) {
                continue;
            }
            // What a loop carries may have been anything.
            let op = value.defining_op().filter(|_| seen.len() < MOST_USERS)?;
            if self.has_strides(value) {
                terms.push(value);
            } else if op.kind() == OpKind::TtLoad {
                let place = *self.places.get(&op.id())?;
                let is_step = self.is_unknown(&self.accesses[place]);
                if is_step { pending.push(op.operand(0)) } else { found.push(place) }
            } else if is_passed(op) {
                pending.extend(op.operands());
            } else {
                terms.push(value);
            }
        }
        let numbers = *found.first()?;
        let layout = &self.layouts[numbers];
        let is_one_layout = found.iter().all(|place| &self.layouts[*place] == layout);
        let are_fit = found.iter().all(|place| self.are_numbers(*place, access.op));
        let are_harmless = terms.into_iter().all(|term| self.is_harmless(term, access, layout));
        (is_one_layout && are_fit && are_harmless).then_some(numbers)
    }

    /// A load of several numbers side by side in a thread, each of them for one element, in the loop of the load that they are for. Numbers of whole
    /// rows, repeated along them before they are loaded, say nothing of how near the elements of a row are.
    fn are_numbers(&self, place: usize, load: Op<'_>) -> bool {
        let access = &self.accesses[place];
        let pointer = access.op.operand(0);
        let info = self.facts.get(pointer);
        access.width > 1
            && self.layouts[place].size_per_thread[access.order[0] as usize] > 1
            && !self.met.has_layout_for(access.op)
            && loop_around(access.op).map(Op::id) == loop_around(load).map(Op::id)
            && long_axes(&access.shape).all(|axis| {
                info.constancy[axis] == 1 && usual_stride_along(pointer, axis, self.facts).is_none_or(|step| step != 0)
            })
    }

    /// Whether a block changes by known steps along all axes.
    fn has_strides(&self, value: Value<'_>) -> bool {
        long_axes(&value.ty().shape()).all(|axis| usual_stride_along(value, axis, self.facts).is_some())
    }

    /// What is added to numbers, or multiplies them, is there in any layout, and does not say that elements share sectors along another axis than the
    /// one along which threads have several.
    fn is_harmless(&self, term: Value<'_>, access: &GlobalAccess<'_>, layout: &BlockedEncoding) -> bool {
        let is_anywhere = self.has_strides(term)
            || term.defining_op().is_some_and(|op| match computation(op.kind()) {
                Computation::Constant | Computation::Repeat | Computation::Range => true,
                Computation::Arithmetic
                | Computation::Function
                | Computation::Cast
                | Computation::Load
                | Computation::Reduction
                | Computation::Other => false,
            });
        let unit = unit_of(access.op.operand(0).ty());
        let is_near = |axis: usize| {
            let bytes = usual_stride_along(term, axis, self.facts).map(|step| step.unsigned_abs().saturating_mul(unit));
            bytes.is_some_and(|bytes| bytes > 0 && bytes < u64::from(SECTOR_BYTES))
        };
        let first = layout.order[0] as usize;
        is_anywhere && !long_axes(&access.shape).any(|axis| axis != first && is_near(axis))
    }

    /// `None` where something else than an access, a reduction and what is computed element by element follows, or a loop reduces again and again
    /// what is loaded once.
    fn uses_of(&self, access: &GlobalAccess<'_>) -> Option<Uses> {
        let places = met_by(access.op).into_iter().map(|op| self.places.get(&op.id()).copied());
        let mut uses = Uses { reductions: Vec::new(), met: places.collect::<Option<_>>()? };
        let (mut pending, mut carried) = (access.op.results(), FxHashSet::default());
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        while let Some(value) = pending.pop() {
            for (user, operand) in value.users() {
                let flows = flows_into(user, operand);
                if !flows.is_empty() {
                    pending.extend(flows.into_iter().filter(|value| carried.insert(value.id())));
                    continue;
                }
                if !seen.insert(user.id()) {
                    continue;
                }
                if let Some(place) = self.places.get(&user.id()) {
                    uses.met.push(*place);
                } else if let Some(reduce) = ReduceOp::cast(user) {
                    if loop_around(user).is_some_and(|around| !around.contains(access.op)) {
                        return None;
                    }
                    uses.reductions.push(Reduction { axis: reduce.axis(), operands: user.num_operands() as u64 });
                } else if is_passed(user) && seen.len() < MOST_USERS {
                    pending.extend(user.results());
                } else {
                    return None;
                }
            }
        }
        Some(uses)
    }
}

fn long_axes(shape: &[i64]) -> impl Iterator<Item = usize> {
    (0..shape.len()).filter(move |axis| shape[*axis] > 1)
}

fn loop_around(op: Op<'_>) -> Option<Op<'_>> {
    op.ancestors().find(|op| is_loop(*op))
}

/// Bytes of shared memory that what `load` gives needs to go from a layout to another one; `None` where there is no such conversion.
fn shared_bytes(load: &GlobalAccess<'_>, from: &BlockedEncoding, to: &BlockedEncoding) -> Option<u32> {
    let linear = |layout: &BlockedEncoding| Encoding::Blocked(layout.clone()).to_linear(&load.shape).ok();
    let bits = 8 * load.op.result(0).ty().element_bits().div_ceil(8).max(1);
    Some(conversion::plan(&linear(from)?, &linear(to)?, bits, SCRATCH_BYTES).ok()?.shared_bytes())
}
