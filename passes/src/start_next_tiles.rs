//! Starts the copies of the next tile before this one is written.
//!
//! In a loop over tiles around a loop with products, each tile began with a latency of memory: its first blocks were asked for when the tile before had
//! been written. Their buffers are free as soon as the products of the inner loop are done. So what starts a tile stands there:
//!
//! ```text
//!                                                    copies of the first tile
//! loop over tiles:                                   loop over tiles:
//!   copies                                             loop with products   wait for products
//!   loop with products   wait for products             copies of the next tile, where there is one
//!   compute and write the tile                         compute and write the tile
//! ```
//!
//! What starts a tile are the mbarriers that begin, and the copies by TMA before the inner loop with their announcements; what these are computed from is
//! computed again for the next tile. `tl.range(…, flatten=True)` does the same for loops that [`fuse_nested_loops`](crate::fuse_nested_loops) can fuse.
//!
//! - **Nothing but the number of the tile decides what is copied**: it is computed by arithmetic on the loop's counter.
//! - **No tile writes what another one copies**, nor waits for what other programs do: memory behind different parameters is taken to be different.
//! - **Nobody needs the buffers behind the products**, and shared memory has room for them beside what writes the tile, without fewer CTAs.
//!
//! 1. What starts a tile, and where it may.  2. Buffers go out of the loop, if they have room.  3. Copies for the first tile, and for the next.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::global_aliases::GlobalWrites;
use crate::analysis::shared_buffers::views_of;
use crate::cloning::{Mapping, copy_op, copy_ops};
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::control::is_structured;
use crate::operations::divides_integers;
use crate::operations::memory::{Access, global_memory};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{CmpI, ForOp};
use tk_ir::{Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "start-next-tiles", summary: "start the copies of the next tile before this one is written", run };

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    require_ttg(module)?;
    for function in module.functions() {
        let is_outermost = |view: &ForOp<'_>| view.op.parent_op() == Some(function);
        let tiles: Vec<Start<'_>> = loops_of(function).filter(is_outermost).filter_map(Start::of).collect();
        for start in tiles {
            let ctas = || -> Result<u32> {
                let bytes = total_bytes(&buffers_of_module(function)?);
                Ok(cx.target.occupancy(1, bytes, cx.options.num_warps).ctas_per_sm)
            };
            let before = ctas()?.max(1);
            let moves = start.move_buffers_out();
            if ctas()? < before { moves.undo() } else { start.apply() }
        }
    }
    Ok(())
}

/// What starts a tile.
struct Start<'c> {
    tiles: ForOp<'c>,
    /// Buffers and mbarriers with their views, in order.
    buffers: Vec<Op<'c>>,
    /// Mbarriers begin.
    beginnings: Vec<Op<'c>>,
    /// All threads meet behind them.
    meetings: Vec<Op<'c>>,
    /// Announcements and copies, in order.
    copies: Vec<Op<'c>>,
    /// What those are computed from, in order.
    numbers: Vec<Op<'c>>,
    /// Mbarriers end.
    ends: Vec<Op<'c>>,
    frees: Vec<Op<'c>>,
    /// Behind this the products of the inner loop are done.
    finish: Op<'c>,
}

impl<'c> Start<'c> {
    /// `None` where the loop is no loop over tiles, or what starts a tile cannot stand before its end.
    fn of(tiles: ForOp<'c>) -> Option<Self> {
        let ops = tiles.body().ops();
        let structured: Vec<usize> = (0..ops.len()).filter(|at| is_structured(ops[*at])).collect();
        let [at] = structured[..] else { return None };
        let (before, inner, behind) = (&ops[..at], ops[at], &ops[at + 1..]);
        let of_kinds = |ops: &[Op<'c>], kinds: &[OpKind]| -> Vec<Op<'c>> {
            ops.iter().filter(|op| kinds.contains(&op.kind())).copied().collect()
        };
        let finish = end_of_products(inner, behind)?;
        let copies = of_kinds(before, &[OpKind::TtngBarrierExpect, OpKind::TtngAsyncTmaCopyGlobalToLocal]);
        let beginnings = of_kinds(before, &[OpKind::TtngInitBarrier]);
        if copies.is_empty() || beginnings.is_empty() {
            return None;
        }
        let needed = Needed::of(tiles, copies.iter().chain(&beginnings))?;
        let start = Self {
            tiles,
            buffers: before.iter().filter(|op| needed.buffers.contains(op)).copied().collect(),
            meetings: of_kinds(before, &[OpKind::GpuBarrier]),
            numbers: before.iter().filter(|op| needed.numbers.contains(op)).copied().collect(),
            ends: of_kinds(behind, &[OpKind::TtngInvalBarrier]),
            frees: of_kinds(behind, &[OpKind::TtgLocalDealloc]),
            beginnings,
            copies,
            finish,
        };
        (start.is_independent() && start.ends_with_products(inner)).then_some(start)
    }

    /// No tile sees what another one writes, nor what other programs do meanwhile.
    fn is_independent(&self) -> bool {
        let waits_for_others = |op: Op<'c>| match global_memory(op.kind()).access() {
            Some(Access::Combine | Access::Synchronize) => true,
            Some(Access::Read | Access::Write) | None => false,
        };
        let writes = GlobalWrites::of(self.tiles.op);
        let is_copy = |op: &&Op<'c>| op.kind() == OpKind::TtngAsyncTmaCopyGlobalToLocal;
        !self.tiles.op.descendants().into_iter().any(waits_for_others)
            && !self.copies.iter().filter(is_copy).any(|copy| writes.may_change(*copy))
    }

    /// Behind the wait for the products nobody uses the buffers, and all of them end there: what else begins or ends in the loop is none of these.
    fn ends_with_products(&self, inner: Op<'c>) -> bool {
        let is_own = |op: &Op<'c>| self.buffers.contains(op);
        let is_end = |op: Op<'c>| self.ends.contains(&op) || self.frees.contains(&op);
        let all_end =
            self.ends.iter().chain(&self.frees).all(|op| op.operand(0).defining_op().is_some_and(|op| is_own(&op)));
        let results = self.buffers.iter().flat_map(|op| op.results());
        let mut users = results.flat_map(views_of).flat_map(Value::users).map(|(user, _)| user);
        let is_before = |user: Op<'c>| {
            let own = user.ancestor_in(self.tiles.body());
            own.is_some_and(|own| own == inner || own == self.finish || own.is_before_in_block(inner))
        };
        all_end && self.ends.len() == self.beginnings.len() && users.all(|user| is_end(user) || is_before(user))
    }

    fn move_buffers_out(&self) -> Moves<'c> {
        let mut moves = Moves::default();
        self.buffers.iter().for_each(|op| moves.before(*op, self.tiles.op));
        if let Some(behind) = self.tiles.op.next() {
            self.frees.iter().for_each(|op| moves.before(*op, behind));
        }
        moves
    }

    /// Behind [`Self::move_buffers_out`].
    fn apply(self) {
        let (loop_op, location) = (self.tiles.op, self.copies[0].loc());
        let (first, last) = (self.tiles.lower_bound(), self.tiles.upper_bound());
        let mut before = Builder::before(loop_op).with_location(location);
        let any = before.cmpi(CmpI::Slt, first, last);
        let beginnings: Vec<Op<'c>> = self.beginnings.iter().map(|op| before.place(op.clone_op())).collect();
        debug_assert_eq!(beginnings.len(), self.ends.len());
        before.create(OpKind::GpuBarrier, &[], &[], &[]);
        self.copy(&mut before, first, any);

        let mut late = Builder::after(self.finish).with_location(location);
        let next = late.binary(OpKind::ArithAddI, self.tiles.induction_var(), self.tiles.step());
        let more = late.cmpi(CmpI::Slt, next, last);
        late.create(OpKind::GpuBarrier, &[], &[], &[]);
        for op in self.ends.iter().chain(&self.beginnings) {
            late.place(op.clone_op());
        }
        late.create(OpKind::GpuBarrier, &[], &[], &[]);
        self.copy(&mut late, next, more);

        // The mbarriers of a tile that there is none of end behind the loop.
        let mut behind = Builder::after(loop_op).with_location(location);
        self.ends.iter().for_each(|op| {
            behind.place(op.clone_op());
        });
        let gone = self.ends.iter().chain(&self.meetings).chain(&self.beginnings);
        gone.chain(self.copies.iter().rev()).for_each(|op| op.erase());
    }

    /// The copies of the tile with this number, if there is one.
    fn copy(&self, builder: &mut Builder<'c>, tile: Value<'c>, exists: Value<'c>) {
        let mut mapping = Mapping::default();
        mapping.insert(self.tiles.induction_var(), tile);
        copy_ops(&self.numbers, builder, &mut mapping, |location| location);
        let divisions = self.numbers.iter().filter(|op| divides_integers(op.kind()));
        let copied = divisions.filter_map(|op| mapping.get(op.result(0)).defining_op());
        copied.for_each(|division| divide_by_one_unless(exists, division));
        let mut conditions: Vec<(Value<'c>, Value<'c>)> = Vec::new();
        for op in &self.copies {
            let at = op.num_operands() - 1;
            let own = mapping.get(op.operand(at));
            let known = conditions.iter().find(|(condition, _)| *condition == own).map(|(_, both)| *both);
            let both = known.unwrap_or_else(|| builder.binary(OpKind::ArithAndI, own, exists));
            conditions.push((own, both));
            let copy = copy_op(*op, builder, &mut mapping, |location| location);
            copy.set_operand(at, both);
        }
    }
}

/// The numbers of a tile that there is none of may divide by zero, as by the rows that are left for a group behind the last one, and that is undefined
/// even where nobody looks at the result.
fn divide_by_one_unless<'c>(exists: Value<'c>, division: Op<'c>) {
    let divisor = division.operand(1);
    if divisor.constant().is_none() {
        let mut builder = Builder::before(division);
        let one = builder.int(divisor.ty(), 1);
        let safe = builder.select(exists, divisor, one);
        division.set_operand(1, safe);
    }
}

/// What some operations of the body are computed from.
#[derive(Default)]
struct Needed<'c> {
    /// Memory, its views, and which of several they show.
    buffers: Vec<Op<'c>>,
    numbers: Vec<Op<'c>>,
}

impl<'c> Needed<'c> {
    /// `None` where that is more than memory, and arithmetic on the loop's counter.
    fn of<'o>(tiles: ForOp<'c>, ops: impl Iterator<Item = &'o Op<'c>>) -> Option<Self>
    where
        'c: 'o,
    {
        let mut needed = Self::default();
        // With whether it is for a view: that stands before the loop.
        let mut pending: Vec<(Value<'c>, bool)> =
            ops.flat_map(|op| op.operands()).map(|value| (value, value.ty().is_memdesc())).collect();
        while let Some((value, is_memory)) = pending.pop() {
            if value.parent_block() != Some(tiles.body()) {
                continue;
            }
            let Some(op) = value.defining_op() else {
                if is_memory || value != tiles.induction_var() {
                    return None;
                }
                continue;
            };
            let is_constant = op.kind() == OpKind::ArithConstant;
            let fits = match is_memory {
                true => is_constant || is_memory_alone(op),
                false => {
                    op.is_memory_effect_free()
                        && op.num_regions() == 0
                        && op.results().iter().all(|result| !result.ty().is_tensor())
                }
            };
            if !fits {
                return None;
            }
            let list = if is_memory { &mut needed.buffers } else { &mut needed.numbers };
            if !list.contains(&op) {
                list.push(op);
                pending.extend(op.operands().into_iter().map(|operand| (operand, is_memory)));
            }
        }
        Some(needed)
    }
}

/// The wait for the last products of a loop, or the loop and what gives its last turn where it has waited for all of them.
fn end_of_products<'c>(inner: Op<'c>, behind: &[Op<'c>]) -> Option<Op<'c>> {
    let body = ForOp::cast(inner)?.body().ops();
    let waits_for_all = |op: &Op<'c>| op.kind() == OpKind::TtngWarpGroupDotWait && op.int_attr("pendings") == Some(0);
    let is_product = |op: &Op<'c>| op.kind() == OpKind::TtngWarpGroupDot;
    if let Some(wait) = behind.iter().find(|op| !stands_before_wait(op)).filter(|op| waits_for_all(op)) {
        return Some(*wait);
    }
    let last = body.iter().rposition(is_product)?;
    let all_stand_there = inner.descendants().iter().filter(|op| is_product(op)).all(|op| body.contains(op));
    let is_done = all_stand_there && body[last..].iter().any(waits_for_all);
    let gifts = behind.iter().take_while(|op| op.kind() == OpKind::TkHandOver);
    is_done.then(|| gifts.last().copied().unwrap_or(inner))
}

/// What may stand between a loop and the wait for its last products.
fn stands_before_wait(op: &Op<'_>) -> bool {
    let passes = [OpKind::TkHandOver, OpKind::TtngAsyncTmaStoreWait, OpKind::GpuBarrier];
    passes.contains(&op.kind()) || op.is_pure()
}

/// Memory without contents, or a view of one of several buffers.
fn is_memory_alone(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtgLocalAlloc && op.num_operands() == 0 || op.kind() == OpKind::TtgMemDescIndex
}

/// Operations that have moved, and what each stood in front of.
#[derive(Default)]
struct Moves<'c>(Vec<(Op<'c>, Op<'c>)>);

impl<'c> Moves<'c> {
    fn before(&mut self, op: Op<'c>, place: Op<'c>) {
        if let Some(next) = op.next() {
            self.0.push((op, next));
            op.move_before(place);
        }
    }

    fn undo(self) {
        self.0.into_iter().rev().for_each(|(op, next)| op.move_before(next));
    }
}
