//! The step of a scan in which threads combine their runs with what all threads before them amount to.
//!
//! A thread that comes first has nothing before it, which costs a choice for each combined register. Where the operation has a neutral element,
//! such a thread combines with that, and the choices fall away.

use super::{Row, Scratch, combine_two, matches};
use crate::code::{IntTest, Reg};
use crate::emit::Emitter;
use crate::emit::shared::{Shuffle, load_shared, shuffle, store_shared};
use std::ops::Range;
use tk_diag::Result;
use tk_ir::{Block, OpKind};
use tk_layout::scan::{LaneBound, TotalsExchange, TotalsStep};

/// The most bytes that one instruction loads.
const WIDEST_LOAD: usize = 16;

/// Totals that are loaded before the first of them is combined with those before: a load takes about as long as so many combinations,
/// and more of them wait in registers. The widest load may have more.
const LOADED_AHEAD: usize = 8;

/// The totals of all warps in all runs of a row.
struct Parts<'r> {
    base: Reg,
    slot: u32,
    like: &'r Row,
    runs: usize,
}

impl Parts<'_> {
    /// How many are needed; nothing comes after the second of two.
    fn count(&self, warps: usize) -> usize {
        match self.runs * warps {
            2 => 1,
            count => count,
        }
    }
}

/// What comes before a run.
#[derive(Clone)]
struct Before {
    value: Row,
    /// Which threads have something before the run; `None` when all do.
    exists: Option<Reg>,
}

/// The runs of one row, in order: what comes before each in other warps and earlier runs.
type Carried = Vec<Option<Before>>;

pub(super) fn emit_totals<'c>(
    emitter: &mut Emitter<'c, '_>,
    combine: Block<'c>,
    scratch: &Scratch,
    step: &TotalsStep,
    rows: &mut [Row],
) -> Result<()> {
    let step = Emission { combine, scratch, step, neutral: neutral(emitter, combine, &rows[0]) };
    let mut totals: Vec<Vec<Row>> = Vec::new();
    for row in &step.step.rows {
        let last = row.runs.iter().map(|run| rows[last_of(run)].clone()).collect::<Vec<Row>>();
        totals.push(last.into_iter().map(|total| step.scanned_lanes(emitter, total)).collect::<Result<_>>()?);
    }
    let carried = match &step.step.exchange {
        Some(exchange) => step.through_shared(emitter, exchange, &totals)?,
        None => totals.iter().map(|totals| step.of_earlier_runs(emitter, totals)).collect::<Result<_>>()?,
    };
    for ((row, totals), carried) in step.step.rows.iter().zip(&totals).zip(carried) {
        for ((run, total), carried) in row.runs.iter().zip(totals).zip(carried) {
            step.finish(emitter, run, total, carried, rows)?;
        }
    }
    Ok(())
}

fn last_of(run: &[u32]) -> usize {
    run.last().map_or(0, |register| *register as usize)
}

/// What the parts of the emission share.
struct Emission<'c, 's> {
    combine: Block<'c>,
    scratch: &'s Scratch,
    step: &'s TotalsStep,
    /// The neutral element of the operation.
    neutral: Option<Reg>,
}

impl<'c> Emission<'c, '_> {
    fn two(&self, emitter: &mut Emitter<'c, '_>, before: &Row, own: &Row) -> Result<Row> {
        combine_two(emitter, self.combine, before, own)
    }

    /// The own value combined with what comes before it.
    fn after(&self, emitter: &mut Emitter<'c, '_>, before: &Before, own: &Row) -> Result<Row> {
        let combined = self.two(emitter, &before.value, own)?;
        Ok(choose(emitter, before.exists, combined, own))
    }

    /// Threads without anything before them have the neutral element before them, where there is one.
    fn completed(&self, emitter: &mut Emitter<'c, '_>, before: Before) -> Before {
        let (Some(neutral), Some(_)) = (self.neutral, before.exists) else { return before };
        Before { value: choose(emitter, before.exists, before.value, &vec![neutral]), exists: None }
    }

    /// Whether there are at least `2^bit` lanes before this one.
    fn lanes_before(&self, emitter: &mut Emitter<'c, '_>, bit: u32) -> Reg {
        let lane = emitter.threads().lane;
        let code = &mut emitter.code;
        let mask = code.i32(self.step.lane_mask().into());
        let place = code.and(lane, mask);
        match self.step.lanes_after(bit) {
            LaneBound::AtLeast(bound) => {
                let bound = code.i32(bound.into());
                code.icmp(IntTest::Uge, place, bound)
            }
            LaneBound::AtMost(bound) => {
                let bound = code.i32(bound.into());
                code.icmp(IntTest::Ule, place, bound)
            }
        }
    }

    fn of_lane_before(&self, emitter: &mut Emitter<'c, '_>, row: &Row, bit: u32) -> Result<Row> {
        let distance = 1 << (self.step.first_lane_bit + bit);
        let way = if self.step.reverse { Shuffle::Down(distance) } else { Shuffle::Up(distance) };
        row.iter().map(|value| shuffle(&mut emitter.code, *value, way)).collect()
    }

    /// The total of a run and of the same run in the lanes before.
    fn scanned_lanes(&self, emitter: &mut Emitter<'c, '_>, mut total: Row) -> Result<Row> {
        for bit in 0..self.step.lane_bits {
            let before = Before {
                value: self.of_lane_before(emitter, &total, bit)?,
                exists: Some(self.lanes_before(emitter, bit)),
            };
            total = self.after(emitter, &before, &total)?;
        }
        Ok(total)
    }

    /// What comes before each run where only one warp shares the axis.
    fn of_earlier_runs(&self, emitter: &mut Emitter<'c, '_>, totals: &[Row]) -> Result<Carried> {
        let mut carried: Carried = vec![None];
        let mut so_far: Option<Row> = None;
        for total in &totals[..totals.len() - 1] {
            let all = self.of_last_lane(emitter, total)?;
            let all = match &so_far {
                Some(before) => self.two(emitter, before, &all)?,
                None => all,
            };
            carried.push(Some(Before { value: all.clone(), exists: None }));
            so_far = Some(all);
        }
        Ok(carried)
    }

    fn of_last_lane(&self, emitter: &mut Emitter<'c, '_>, total: &Row) -> Result<Row> {
        if self.step.lane_bits == 0 {
            return Ok(total.clone());
        }
        let lane = emitter.threads().lane;
        let code = &mut emitter.code;
        let mask = i64::from(self.step.lane_mask());
        let last = if self.step.reverse {
            let others = code.i32(31 & !mask);
            code.and(lane, others)
        } else {
            let mask = code.i32(mask);
            code.or(lane, mask)
        };
        total.iter().map(|value| shuffle(&mut emitter.code, *value, Shuffle::From(last))).collect()
    }

    /// What comes before each run of each row: the last lanes store the totals, all wait, and everyone combines those before it.
    fn through_shared(
        &self,
        emitter: &mut Emitter<'c, '_>,
        exchange: &TotalsExchange,
        totals: &[Vec<Row>],
    ) -> Result<Vec<Carried>> {
        self.store(emitter, exchange, totals)?;
        emitter.code.barrier()?;
        let base = emitter.linear_offset(&exchange.lane_offsets, &exchange.warp_offsets);
        let mut carried = Vec::new();
        for (row, totals) in self.step.rows.iter().zip(totals) {
            let parts = Parts { base, slot: row.slot, like: &totals[0], runs: totals.len() };
            carried.push(self.of_earlier_warps(emitter, exchange, &parts)?);
        }
        Ok(carried)
    }

    fn store(&self, emitter: &mut Emitter<'c, '_>, exchange: &TotalsExchange, totals: &[Vec<Row>]) -> Result<()> {
        let warp_offsets: Vec<u32> =
            exchange.warp_offsets.iter().zip(&exchange.places).map(|(row, place)| row | place).collect();
        let base = emitter.linear_offset(&exchange.lane_offsets, &warp_offsets);
        let flip = emitter.code.i32(exchange.flip.into());
        let base = emitter.code.xor(base, flip);
        let stores = matches(emitter, exchange.store_lanes, exchange.store_warps);
        for (row, totals) in self.step.rows.iter().zip(totals) {
            for (run, total) in totals.iter().enumerate() {
                let first = row.slot ^ ((run * exchange.warps.len()) as u32 * exchange.stride);
                for (operand, value) in total.iter().enumerate() {
                    let address = self.address(emitter, exchange, base, first, operand);
                    store_shared(&mut emitter.code, address, &[*value], stores)?;
                }
            }
        }
        Ok(())
    }

    fn address(
        &self,
        emitter: &mut Emitter<'c, '_>,
        exchange: &TotalsExchange,
        base: Reg,
        slot: u32,
        operand: usize,
    ) -> Reg {
        let code = &mut emitter.code;
        let (slot, start) = (code.i32(slot.into()), code.i32(exchange.start.into()));
        let element = code.xor(base, slot);
        let element = code.add(element, start);
        self.scratch.address(code, operand, element)
    }

    /// Some totals of a row, in order.
    fn load(
        &self,
        emitter: &mut Emitter<'c, '_>,
        exchange: &TotalsExchange,
        parts: &Parts<'_>,
        some: Range<usize>,
    ) -> Result<Vec<Row>> {
        let mut rows = vec![Row::new(); some.len()];
        for (operand, like) in parts.like.iter().enumerate() {
            let together = self.loaded_together(exchange, operand).min(some.len());
            for first in (0..some.len()).step_by(together) {
                let slot = parts.slot ^ ((some.start + first) as u32 * exchange.stride);
                let address = self.address(emitter, exchange, parts.base, slot, operand);
                let values = load_shared(&mut emitter.code, address, like.ty(), together)?;
                for (row, value) in rows[first..].iter_mut().zip(values) {
                    row.push(value);
                }
            }
        }
        Ok(rows)
    }

    /// Totals of an operand that one instruction loads.
    fn loaded_together(&self, exchange: &TotalsExchange, operand: usize) -> usize {
        match exchange.stride {
            1 => (WIDEST_LOAD / self.scratch.bytes[operand] as usize).max(1),
            _ => 1,
        }
    }

    fn of_earlier_warps(
        &self,
        emitter: &mut Emitter<'c, '_>,
        exchange: &TotalsExchange,
        parts: &Parts<'_>,
    ) -> Result<Carried> {
        let (anyone, warps) = (tk_layout::scan::BitPattern::default(), exchange.warps.len());
        let count = parts.count(warps);
        let widest = (0..parts.like.len()).map(|operand| self.loaded_together(exchange, operand)).max();
        let some = widest.unwrap_or(1).max(LOADED_AHEAD).min(count);
        let mut loaded = Vec::new();
        // Before the first warp of a run comes the run before, and before the first run nothing.
        let (mut before, mut chosen): (Option<Row>, Option<Row>) = (None, None);
        let mut carried = Carried::new();
        for at in 0..count {
            if at % some == 0 {
                compute(emitter, before.iter().chain(&chosen))?;
                loaded = self.load(emitter, exchange, parts, at..(at + some).min(count))?;
            }
            let (part, warp) = (&loaded[at % some], at % warps);
            if warp == 0 {
                chosen.clone_from(&before);
            }
            before = Some(match &before {
                Some(before) => self.two(emitter, before, part)?,
                None => part.clone(),
            });
            if let (Some(next), Some(all)) = (exchange.warps.get(warp + 1), &before) {
                let is_next = matches(emitter, anyone, *next);
                chosen = Some(match chosen {
                    Some(earlier) => choose(emitter, is_next, all.clone(), &earlier),
                    None => all.clone(),
                });
            }
            if warp + 1 == warps || at + 1 == count {
                let exists = self.behind_first_warp(emitter, exchange, carried.is_empty());
                if some < count {
                    compute(emitter, chosen.iter())?;
                }
                carried.push(chosen.take().map(|value| Before { value, exists }));
            }
        }
        Ok(carried)
    }

    /// Which threads have a warp before theirs; all do where another run comes before.
    fn behind_first_warp(
        &self,
        emitter: &mut Emitter<'c, '_>,
        exchange: &TotalsExchange,
        is_first: bool,
    ) -> Option<Reg> {
        let first = exchange.warps.first().filter(|_| is_first)?;
        let is_first = matches(emitter, tk_layout::scan::BitPattern::default(), *first)?;
        Some(emitter.code.not(is_first))
    }

    /// Combines the registers of a run with what comes before them.
    fn finish(
        &self,
        emitter: &mut Emitter<'c, '_>,
        run: &[u32],
        total: &Row,
        carried: Option<Before>,
        rows: &mut [Row],
    ) -> Result<()> {
        let others = &run[..run.len() - 1];
        // For one register, a choice behind the operation is one instruction with it.
        let carried = carried.map(|carried| if others.is_empty() { carried } else { self.completed(emitter, carried) });
        rows[last_of(run)] = match &carried {
            Some(carried) => self.after(emitter, carried, total)?,
            None => total.clone(),
        };
        if others.is_empty() {
            return Ok(());
        }
        let before = if self.step.lane_bits == 0 {
            carried
        } else {
            let inside =
                Before { value: self.of_lane_before(emitter, total, 0)?, exists: Some(self.lanes_before(emitter, 0)) };
            let inside = self.completed(emitter, inside);
            Some(match carried {
                Some(carried) => self.joined(emitter, carried, inside)?,
                None => inside,
            })
        };
        let Some(before) = before else { return Ok(()) };
        for register in others {
            let own = &mut rows[*register as usize];
            *own = self.after(emitter, &before, own)?;
        }
        Ok(())
    }

    /// What comes before in other warps, then in other lanes.
    fn joined(&self, emitter: &mut Emitter<'c, '_>, outside: Before, inside: Before) -> Result<Before> {
        let both = self.after(emitter, &outside, &inside.value)?;
        let value = choose(emitter, inside.exists, both, &outside.value);
        let exists = match (outside.exists, inside.exists) {
            (Some(outside), Some(inside)) => Some(emitter.code.or(outside, inside)),
            _ => None,
        };
        Ok(Before { value, exists })
    }
}

/// Computes what totals so far amount to, which takes fewer registers than they do.
fn compute<'r>(emitter: &mut Emitter<'_, '_>, rows: impl Iterator<Item = &'r Row>) -> Result<()> {
    rows.flatten().try_for_each(|value| emitter.code.compute_here(*value))
}

/// `new` where the condition holds, `old` elsewhere.
fn choose(emitter: &mut Emitter<'_, '_>, condition: Option<Reg>, new: Row, old: &Row) -> Row {
    let Some(condition) = condition else { return new };
    new.iter().zip(old).map(|(new, old)| emitter.code.select(condition, *new, *old)).collect()
}

/// The element that changes nothing when it comes before another, of an operation that is one of the usual ones.
fn neutral(emitter: &mut Emitter<'_, '_>, combine: Block<'_>, like: &Row) -> Option<Reg> {
    let [like] = like[..] else { return None };
    let mut ops = combine.ops().into_iter();
    let (first, last) = (ops.next()?, ops.next()?);
    let arguments = [combine.argument(0), combine.argument(1)];
    let takes_both =
        first.operands().len() == 2 && arguments.iter().all(|argument| first.operands().contains(argument));
    if ops.next().is_some() || !takes_both || last.operands().first() != Some(&first.result(0)) {
        return None;
    }
    let (code, kind, ty) = (&emitter.code, first.kind(), like.ty());
    if kind == OpKind::ArithAddF {
        // Zero with a sign: a negative zero stays one.
        return Some(code.float_bits(ty, 1 << (ty.bits() - 1)));
    }
    if matches!(kind, OpKind::ArithAddI | OpKind::ArithOrI | OpKind::ArithXOrI) {
        return Some(code.zero(ty));
    }
    let of_products = (kind == OpKind::ArithMulI).then(|| code.int(ty, 1));
    of_products.or_else(|| (kind == OpKind::ArithAndI).then(|| code.int(ty, -1)))
}
