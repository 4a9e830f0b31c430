//! Lays operands of products out before a loop, where a branch of the loop has the products and nothing of the operands changes.
//!
//! MLIR moves what does not change out of a loop, but not out of a branch in it, which may never be taken. Attention over selected blocks asks in
//! each iteration whether there is a block, and multiplies by the same keys in each: turned, written to shared memory and read again as the
//! instruction wants them, every time.
//!
//! ```text
//! %k = load                                    %k = load
//! loop: if %selected {                         %operand = convert_layout (trans %k)
//!           %operand = convert_layout (trans %k)   loop: if %selected { dot %q, %operand }
//!           dot %q, %operand }
//! ```
//!
//! True for operands that are made of values from outside the loop by changes of layout, buffers that start with their contents, and arithmetic, in
//! branches whose own operations include the product. What is only arithmetic stays: code generation computes it before the loop itself. An
//! operand in registers moves if it takes no more of them than what it is made of leaves in the loop. Otherwise it is written to shared memory before
//! the loop and read in the branch, and buffers move, where that leaves as many CTAs on a multiprocessor.
//!
//! 1. Find products in branches of loops.  2. What their operands are made of.  3. Where they have room.  4. Move.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::registers;
use crate::analysis::shared_buffers::{MATRIX_ALIGNMENT, SharedBuffer, tensor_bytes};
use crate::analysis::shared_room::SharedRoom;
use crate::control_flow::loops_of;
use crate::convert_to_ttg::require_ttg;
use crate::operations::computations::{Computation, computation};
use crate::reorder_instructions::memory_for;
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::{ForOp, IfOp};
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "hoist-operands", summary: "lay operands out before loops whose branches multiply by them", run };

/// Operations that an operand is made of, at most.
const MOST_STEPS: usize = 32;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let num_warps = require_ttg(module)?.num_warps;
    for function in module.functions() {
        // Inner loops first: what leaves one may leave the one around it.
        for view in loops_of(function).rev() {
            for operand in operands_of(view) {
                let made = Made::of(operand, view);
                let Some(made) = made.filter(Made::changes_layout) else { continue };
                if let Some(room) = made.room(function, num_warps, cx)? {
                    made.apply(room);
                }
            }
        }
    }
    Ok(())
}

/// Where an operand is while the loop runs.
enum Room<'c> {
    /// As the product reads it.
    AsItIs,
    /// In a buffer of this type, from which the branch reads it.
    Memory(Type<'c>),
}

/// The left and right operands of products that stand in branches of the loop, but in no loop inside.
fn operands_of(view: ForOp<'_>) -> Vec<Value<'_>> {
    let is_product = |op: &Op<'_>| matches!(op.kind(), OpKind::TtDot | OpKind::TtDotScaled | OpKind::TtngWarpGroupDot);
    let in_branch = |op: &Op<'_>| {
        let mut around = op.ancestors().skip(1).take_while(|around| *around != view.op).peekable();
        around.peek().is_some() && around.all(|around| IfOp::cast(around).is_some())
    };
    let products = view.op.descendants().into_iter().filter(|op| is_product(op) && in_branch(op));
    let mut operands: Vec<Value<'_>> = Vec::new();
    for operand in products.flat_map(|product| product.operands().into_iter().take(2)) {
        if !operands.contains(&operand) {
            operands.push(operand);
        }
    }
    operands
}

/// What an operand is made of in a loop.
struct Made<'c> {
    view: ForOp<'c>,
    operand: Value<'c>,
    /// Each behind what it is computed from.
    ops: Vec<Op<'c>>,
}

impl<'c> Made<'c> {
    /// `None` where something of it changes, or cannot stand elsewhere.
    fn of(operand: Value<'c>, view: ForOp<'c>) -> Option<Self> {
        let mut made = Self { view, operand, ops: Vec::new() };
        made.collect(operand).then_some(made)
    }

    fn collect(&mut self, value: Value<'c>) -> bool {
        let Some(op) = value.defining_op() else {
            // Arguments of this loop and of those inside change.
            return value
                .parent_block()
                .and_then(|block| block.parent_op())
                .is_some_and(|owner| !self.view.op.contains(owner));
        };
        if !self.view.op.contains(op) || self.ops.contains(&op) {
            return true;
        }
        if self.ops.len() >= MOST_STEPS || !is_movable(op) || !op.operands().into_iter().all(|from| self.collect(from))
        {
            return false;
        }
        self.ops.push(op);
        true
    }

    /// Something of it goes through shared memory, or from thread to thread.
    fn changes_layout(&self) -> bool {
        self.ops.iter().any(|op| matches!(op.kind(), OpKind::TtgConvertLayout | OpKind::TtgLocalAlloc))
    }

    /// `None` where it has no room.
    fn room(&self, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<Option<Room<'c>>> {
        let is_buffer = |op: &&Op<'c>| op.kind() == OpKind::TtgLocalAlloc;
        let ty = self.operand.ty();
        let mut bytes: u32 = self.ops.iter().filter(is_buffer).map(|op| tensor_bytes(op.operand(0).ty())).sum();
        let mut room = Room::AsItIs;
        if ty.is_tensor() && registers(ty) > self.registers_freed() {
            let converted = self.operand.defining_op().filter(|op| op.kind() == OpKind::TtgConvertLayout);
            let Some(memory) = converted.and_then(memory_for) else { return Ok(None) };
            bytes += tensor_bytes(ty);
            room = Room::Memory(memory);
        }
        if bytes == 0 {
            return Ok(Some(room));
        }
        let buffers = buffers_of_module(function)?;
        let op = self.operand.defining_op().unwrap_or(self.view.op);
        let mut with = buffers.clone();
        with.push(SharedBuffer { op, bytes, alignment: MATRIX_ALIGNMENT, purpose: "buffer", live: 0..=u32::MAX });
        let fits = SharedRoom::of(function, num_warps, cx).allows(total_bytes(&buffers), total_bytes(&with));
        Ok(fits.then_some(room))
    }

    /// Registers of what nothing else in the loop, or behind it, uses.
    fn registers_freed(&self) -> u32 {
        let around = self.view.op.block();
        let is_before = |user: Op<'c>| {
            let own = around.and_then(|block| user.ancestor_in(block));
            own.is_some_and(|own| own.is_before_in_block(self.view.op))
        };
        let is_last = |value: &Value<'c>| {
            let is_inside = value.defining_op().is_some_and(|op| self.view.op.contains(op));
            !is_inside && value.users().into_iter().all(|(user, _)| self.ops.contains(&user) || is_before(user))
        };
        let mut sources: Vec<Value<'c>> = Vec::new();
        for source in self.ops.iter().flat_map(|op| op.operands()).filter(is_last) {
            if source.ty().is_tensor() && source.ty().element().is_float() && !sources.contains(&source) {
                sources.push(source);
            }
        }
        sources.into_iter().map(|source| registers(source.ty())).sum()
    }

    fn apply(self, room: Room<'c>) {
        let last = self.operand.defining_op();
        let stays = |op: &Op<'c>| matches!(room, Room::Memory(_)) && Some(*op) == last;
        self.ops.iter().filter(|op| !stays(op)).for_each(|op| op.move_before(self.view.op));
        if let (Room::Memory(ty), Some(last)) = (&room, last) {
            let mut before = Builder::before(self.view.op).with_location(last.loc());
            let memory = before.create(OpKind::TtgLocalAlloc, &[last.operand(0)], &[*ty], &[]).result(0);
            let mut there = Builder::before(last).with_location(last.loc());
            let read = there.create(OpKind::TtgLocalLoad, &[memory], &[self.operand.ty()], &[]).result(0);
            self.operand.replace_all_uses_with(read);
            last.erase();
        }
    }
}

/// It can stand wherever its operands are, and makes the same there.
fn is_movable(op: Op<'_>) -> bool {
    let is_of_layout =
        matches!(op.kind(), OpKind::TtTrans | OpKind::TtReshape | OpKind::TtgConvertLayout | OpKind::TtgMemDescTrans);
    let starts_full = op.kind() == OpKind::TtgLocalAlloc && op.num_operands() == 1;
    let keeps_contents = starts_full && op.result(0).ty().memdesc().is_some_and(|memdesc| !memdesc.mutable);
    let is_of_elements = match computation(op.kind()) {
        Computation::Constant | Computation::Repeat | Computation::Range => true,
        Computation::Arithmetic | Computation::Function | Computation::Cast => op.is_pure(),
        Computation::Load | Computation::Reduction | Computation::Other => false,
    };
    op.regions().is_empty() && (is_of_layout || keeps_contents || is_of_elements)
}
