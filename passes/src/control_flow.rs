//! Structured control flow as passes change it: what flows where, loops and branches with more or fewer values, dead values.

use crate::operations::computations::{Computation, computation};
use crate::operations::control::{Control, control, is_loop, is_structured};
use rustc_hash::FxHashSet;
use tk_ir::ops::{ForOp, IfOp, LoadOp, WhileOp};
use tk_ir::{Block, Op, OpKind, OpSpec, Type, Value};

/// The values that operand `operand` of `user` becomes when control passes on: loop-carried values and results of
/// `scf` operations. Empty for ordinary operations.
pub(crate) fn flows_into<'c>(user: Op<'c>, operand: usize) -> Vec<Value<'c>> {
    let of_loop = |op: Op<'c>, index: usize| -> Vec<Value<'c>> {
        if let Some(view) = ForOp::cast(op) {
            return vec![view.body().argument(index + 1), op.result(index)];
        }
        if let Some(view) = WhileOp::cast(op) {
            return vec![view.before().argument(index)];
        }
        if op.kind() == OpKind::ScfIf { vec![op.result(index)] } else { Vec::new() }
    };
    match control(user.kind()) {
        Control::For => operand.checked_sub(3).map(|index| of_loop(user, index)).unwrap_or_default(),
        Control::While => of_loop(user, operand),
        Control::Yield => user.parent_op().map(|parent| of_loop(parent, operand)).unwrap_or_default(),
        Control::Condition => match (user.parent_op().and_then(WhileOp::cast), operand.checked_sub(1)) {
            (Some(view), Some(index)) => vec![view.after().argument(index), view.op.result(index)],
            (Some(_) | None, _) => Vec::new(),
        },
        Control::If | Control::Opaque | Control::Plain => Vec::new(),
    }
}

/// The values that flow into a loop-carried value or a result of an `scf` operation: the inverse of [`flows_into`]. `None` for values
/// that are no such thing.
pub(crate) fn flows_from(value: Value<'_>) -> Option<Vec<Value<'_>>> {
    if let Some(op) = value.defining_op() {
        let index = value.result_number();
        return match control(op.kind()) {
            Control::For => carried(op, index).map(|(init, next)| vec![init, next]),
            Control::If => {
                let view = IfOp::cast(op)?;
                Some(vec![view.then_yield().operand(index), view.else_yield()?.operand(index)])
            }
            Control::While => Some(vec![WhileOp::cast(op)?.condition().op.operand(index + 1)]),
            Control::Yield | Control::Condition | Control::Opaque | Control::Plain => None,
        };
    }
    let (block, index) = value.block_argument()?;
    let parent = block.parent_op()?;
    match control(parent.kind()) {
        Control::For => carried(parent, index.checked_sub(1)?).map(|(init, next)| vec![init, next]),
        Control::While => {
            let view = WhileOp::cast(parent)?;
            if block == view.before() {
                return Some(vec![parent.operand(index), view.yield_op().operand(index)]);
            }
            Some(vec![view.condition().op.operand(index + 1)])
        }
        Control::If | Control::Yield | Control::Condition | Control::Opaque | Control::Plain => None,
    }
}

/// Source number `index` of a loop-carried value or branch result becomes `source`.
pub(crate) fn set_flow<'c>(value: Value<'c>, index: usize, source: Value<'c>) {
    if let Some(view) = value.defining_op().and_then(IfOp::cast) {
        let terminator = if index == 0 { Some(view.then_yield()) } else { view.else_yield() };
        if let Some(terminator) = terminator {
            terminator.set_operand(value.result_number(), source);
        }
    } else if let Some((block, argument)) = value.block_argument()
        && let Some(view) = block.parent_op().and_then(ForOp::cast)
    {
        if index == 0 {
            view.op.set_operand(argument + 2, source);
        } else {
            view.yield_op().set_operand(argument - 1, source);
        }
    }
}

/// Moves `op` behind the definition of `value` when both are in one block and it stands before.
pub(crate) fn move_behind<'c>(op: Op<'c>, value: Value<'c>) {
    if let Some(definition) = value.defining_op()
        && definition.block() == op.block()
        && op.is_before_in_block(definition)
    {
        op.move_after(definition);
    }
}

/// What enters loop-carried value `index` of a `scf.for`, and what the next iteration gets.
fn carried(op: Op<'_>, index: usize) -> Option<(Value<'_>, Value<'_>)> {
    let view = ForOp::cast(op)?;
    Some((op.operand(index + 3), view.yield_op().operand(index)))
}

/// The `scf.for` loops of a function, outer ones before those inside. All are found before the first is given, so what is done to
/// one may erase operations.
pub(crate) fn loops_of(function: Op<'_>) -> impl DoubleEndedIterator<Item = ForOp<'_>> {
    function.descendants().into_iter().filter_map(ForOp::cast).collect::<Vec<_>>().into_iter()
}

/// How many loops are around an operation.
pub(crate) fn loop_depth(op: Op<'_>) -> u32 {
    op.ancestors().skip(1).filter(|op| is_loop(*op)).count() as u32
}

/// A value that a loop shall carry.
#[derive(Clone, Copy)]
pub(crate) struct NewCarried<'c> {
    /// What enters the loop.
    pub(crate) init: Value<'c>,
    /// What each iteration yields.
    pub(crate) next: Value<'c>,
    /// Its type. The two values may be of another one for now; the caller makes them agree.
    pub(crate) ty: Type<'c>,
}

impl<'c> NewCarried<'c> {
    /// A value that stays what it is, until the caller says what an iteration yields.
    pub(crate) fn unchanged(init: Value<'c>) -> Self {
        Self { init, next: init, ty: init.ty() }
    }
}

/// A result that a branch shall give.
#[derive(Clone, Copy)]
pub(crate) struct NewResult<'c> {
    /// What the first side yields.
    pub(crate) then: Value<'c>,
    /// What the other side yields.
    pub(crate) otherwise: Value<'c>,
    /// Its type.
    pub(crate) ty: Type<'c>,
}

/// A loop with further carried values. The old operation is gone; results are replaced.
pub(crate) fn extend_for<'c>(view: ForOp<'c>, more: &[NewCarried<'c>]) -> ForOp<'c> {
    let mut inits = view.op.operands();
    inits.extend(more.iter().map(|carried| carried.init));
    let mut yielded = view.yielded();
    yielded.extend(more.iter().map(|carried| carried.next));
    for carried in more {
        view.body().add_argument(carried.ty, carried.init.loc());
    }
    view.yield_op().set_operands(&yielded);
    let new = more.iter().map(|carried| carried.ty);
    let types: Vec<Type<'c>> = view.results().iter().map(|result| result.ty()).chain(new).collect();
    ForOp { op: rebuild(view.op, &inits, &types) }
}

/// A branch with further results.
pub(crate) fn extend_if<'c>(view: IfOp<'c>, more: &[NewResult<'c>]) -> IfOp<'c> {
    let append = |op: Op<'c>, values: Vec<Value<'c>>| {
        let mut operands = op.operands();
        operands.extend(values);
        op.set_operands(&operands);
    };
    append(view.then_yield(), more.iter().map(|result| result.then).collect());
    if let Some(otherwise) = view.else_yield() {
        append(otherwise, more.iter().map(|result| result.otherwise).collect());
    }
    let new = more.iter().map(|result| result.ty);
    let types: Vec<Type<'c>> = view.op.results().iter().map(|result| result.ty()).chain(new).collect();
    IfOp { op: rebuild(view.op, &view.op.operands(), &types) }
}

/// The same operation with other operands and result types, holding the same regions; the first results replace the old ones.
fn rebuild<'c>(op: Op<'c>, operands: &[Value<'c>], types: &[Type<'c>]) -> Op<'c> {
    let context = op.context();
    let mut spec = OpSpec::new(op.kind()).operands(operands).results(types).attrs(&op.attrs());
    let regions = op.regions();
    for region in &regions {
        let moved = context.region();
        moved.take_body(*region);
        spec = spec.region(moved);
    }
    let new = spec.create(op.loc());
    if let Some(block) = op.block() {
        block.insert_before(op, new);
    }
    for (old, new) in op.results().into_iter().zip(new.results()) {
        old.replace_all_uses_with(new);
    }
    op.erase();
    new
}

/// Deletes what nothing needs: operations without effects, and values that loops carry only for themselves (which canonicalisation keeps).
pub(crate) fn remove_dead(function: Op<'_>) {
    let mut live = Liveness::default();
    live.find_roots(function);
    live.spread();
    for block in function.region(0).blocks() {
        sweep(block, &live);
    }
}

#[derive(Default)]
struct Liveness<'c> {
    values: FxHashSet<usize>,
    ops: FxHashSet<usize>,
    pending: Vec<Value<'c>>,
}

impl<'c> Liveness<'c> {
    fn find_roots(&mut self, op: Op<'c>) {
        for block in op.regions().into_iter().flat_map(|region| region.blocks()) {
            for inner in block.ops() {
                if is_structured(inner) {
                    self.find_roots(inner);
                } else if !is_passing_on(inner) && !is_removable(inner) {
                    self.use_op(inner);
                }
            }
        }
    }

    /// An operation that stays keeps its operands, what its regions use, and the control flow around it.
    fn use_op(&mut self, op: Op<'c>) {
        if !self.ops.insert(op.id()) {
            return;
        }
        let operands = match control(op.kind()) {
            Control::For => 3,
            Control::If => 1,
            Control::While | Control::Yield | Control::Condition | Control::Opaque | Control::Plain => {
                op.num_operands()
            }
        };
        (0..operands).for_each(|index| self.use_value(op.operand(index)));
        if op.kind() == OpKind::ScfWhile {
            // Rare enough to be kept whole.
            let view = WhileOp::cast(op);
            for terminator in view.iter().flat_map(|view| [view.condition().op, view.yield_op()]) {
                terminator.operands().into_iter().for_each(|operand| self.use_value(operand));
            }
        } else if !is_structured(op) && op.num_regions() > 0 {
            let inner = op.descendants();
            inner.into_iter().flat_map(|op| op.operands()).for_each(|operand| self.use_value(operand));
        }
        if let Some(parent) = op.parent_op().filter(|parent| is_structured(*parent)) {
            self.use_op(parent);
        }
    }

    fn use_value(&mut self, value: Value<'c>) {
        if self.values.insert(value.id()) {
            self.pending.push(value);
        }
    }

    fn spread(&mut self) {
        while let Some(value) = self.pending.pop() {
            for source in flows_from(value).unwrap_or_default() {
                self.use_value(source);
            }
            match value.defining_op() {
                Some(op) => self.use_op(op),
                None => {
                    let parent = value.parent_block().and_then(|block| block.parent_op());
                    if let Some(parent) = parent.filter(|parent| is_structured(*parent)) {
                        self.use_op(parent);
                    }
                }
            }
        }
    }
}

/// Nothing but its results can be missed. A load only reads, so an unused one may go.
fn is_removable(op: Op<'_>) -> bool {
    match LoadOp::cast(op) {
        Some(load) => !load.is_volatile(),
        None => !op.is_terminator() && op.is_memory_effect_free(),
    }
}

/// A terminator that only hands values on.
fn is_passing_on(op: Op<'_>) -> bool {
    matches!(control(op.kind()), Control::Yield | Control::Condition)
}

/// Erases dead operations of a block, last first, so that every erased value is unused by then.
fn sweep(block: Block<'_>, live: &Liveness<'_>) {
    for op in block.ops().into_iter().rev() {
        if op.is_terminator() {
            continue;
        }
        if !live.ops.contains(&op.id()) {
            op.erase();
            continue;
        }
        match control(op.kind()) {
            Control::For => sweep_for(op, live),
            Control::If => sweep_if(op, live),
            Control::While => op.regions().into_iter().flat_map(|r| r.blocks()).for_each(|block| sweep(block, live)),
            Control::Yield | Control::Condition | Control::Opaque | Control::Plain => {}
        }
    }
}

fn keep<T: Copy>(values: &[T], kept: &[bool]) -> Vec<T> {
    values.iter().zip(kept).filter(|(_, kept)| **kept).map(|(value, _)| *value).collect()
}

fn sweep_for(op: Op<'_>, live: &Liveness<'_>) {
    let Some(view) = ForOp::cast(op) else { return };
    let arguments = view.iter_args();
    let is_live = |value: &Value<'_>| live.values.contains(&value.id());
    let kept: Vec<bool> = arguments.iter().zip(view.results()).map(|(a, r)| is_live(a) || is_live(&r)).collect();
    if kept.iter().all(|kept| *kept) {
        return sweep(view.body(), live);
    }
    let yielded = keep(&view.yielded(), &kept);
    view.yield_op().set_operands(&yielded);
    sweep(view.body(), live);
    let body = view.body();
    for index in (0..kept.len()).rev().filter(|&index| !kept[index]) {
        body.erase_argument(index + 1);
    }
    let mut operands = op.operands()[..3].to_vec();
    operands.extend(keep(&view.init_args(), &kept));
    shrink(op, &operands, &kept);
}

fn sweep_if(op: Op<'_>, live: &Liveness<'_>) {
    let Some(view) = IfOp::cast(op) else { return };
    let kept: Vec<bool> = op.results().iter().map(|result| live.values.contains(&result.id())).collect();
    let all_kept = kept.iter().all(|kept| *kept);
    let blocks = [Some(view.then_block()), view.else_block()];
    for block in blocks.into_iter().flatten() {
        if let Some(terminator) = block.terminator().filter(|_| !all_kept) {
            terminator.set_operands(&keep(&terminator.operands(), &kept));
        }
        sweep(block, live);
    }
    if !all_kept {
        shrink(op, &op.operands(), &kept);
    }
}

/// The same operation with only the kept results.
fn shrink<'c>(op: Op<'c>, operands: &[Value<'c>], kept: &[bool]) {
    let results = keep(&op.results(), kept);
    let types: Vec<Type<'c>> = results.iter().map(|result| result.ty()).collect();
    let mut spec = OpSpec::new(op.kind()).operands(operands).results(&types).attrs(&op.attrs());
    for region in op.regions() {
        let moved = op.context().region();
        moved.take_body(region);
        spec = spec.region(moved);
    }
    let new = spec.create(op.loc());
    if let Some(block) = op.block() {
        block.insert_before(op, new);
    }
    for (old, new) in results.into_iter().zip(new.results()) {
        old.replace_all_uses_with(new);
    }
    op.erase();
}

/// The operation that stands before the others in their block.
pub(crate) fn first_of<'c>(ops: impl IntoIterator<Item = Op<'c>>) -> Option<Op<'c>> {
    ops.into_iter().reduce(|first, op| if op.is_before_in_block(first) { op } else { first })
}

/// Arithmetic, or a view of a buffer: it can stand wherever its operands are.
pub(crate) fn is_movable_arithmetic(op: Op<'_>) -> bool {
    (op.is_memory_effect_free() || op.kind() == OpKind::TtgMemDescIndex) && op.regions().is_empty()
}

/// Operations that compute the operands of another one and move with it.
const MOST_MOVED: usize = 32;

/// What computes the operands of `op` and stands behind `place` in its block, in any order; `None` where that is more than arithmetic, or much of it.
pub(crate) fn arithmetic_behind<'c>(place: Op<'c>, op: Op<'c>) -> Option<Vec<Op<'c>>> {
    let mut pending = op.operands();
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    while let Some(value) = pending.pop() {
        let Some(op) = value.defining_op().filter(|op| op.block() == place.block()) else { continue };
        if op.is_before_in_block(place) || !seen.insert(op.id()) {
            continue;
        }
        let is_arithmetic = match computation(op.kind()) {
            Computation::Constant
            | Computation::Repeat
            | Computation::Range
            | Computation::Arithmetic
            | Computation::Cast => is_movable_arithmetic(op),
            Computation::Function | Computation::Load | Computation::Reduction | Computation::Other => false,
        };
        if !is_arithmetic || found.len() >= MOST_MOVED {
            return None;
        }
        found.push(op);
        pending.extend(op.operands());
    }
    Some(found)
}

/// Moves what [`arithmetic_behind`] has found before `place`. Some of it may have been moved already.
pub(crate) fn move_arithmetic<'c>(moved: Vec<Op<'c>>, place: Op<'c>) {
    let mut moved: Vec<Op<'c>> = moved.into_iter().filter(|op| place.is_before_in_block(*op)).collect();
    while let Some(op) = first_of(moved.iter().copied()) {
        op.move_before(place);
        moved.retain(|other| *other != op);
    }
}

/// The operations and those behind `place` that they are computed from, in the order of the block that they are in; `None` where some are more than arithmetic.
pub(crate) fn with_operands<'c>(body: Block<'c>, ops: Vec<Op<'c>>, place: Op<'c>) -> Option<Vec<Op<'c>>> {
    let (mut pending, mut found) = (ops.clone(), FxHashSet::default());
    while let Some(op) = pending.pop() {
        let is_behind = op.block() == Some(body) && place.is_before_in_block(op);
        if !is_behind || !found.insert(op.id()) {
            continue;
        }
        if !ops.contains(&op) && !is_movable_arithmetic(op) {
            return None;
        }
        pending.extend(op.operands().into_iter().filter_map(|value| value.defining_op()));
    }
    Some(body.ops().into_iter().filter(|op| found.contains(&op.id())).collect())
}
