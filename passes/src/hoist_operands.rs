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
//! Outside of loops, several branches of one block may need one left operand, as in a loop over windows that is unrolled before it is compiled. Each
//! then computes it from the same loaded block in the layout of the operand, behind a conversion of its own. It is computed once before the first of
//! these branches, in the layout of the block, and written to shared memory, where `wgmma` reads it.
//!
//! ```text
//! %k = load                                          %k = load
//! if %a { %x = mulf (convert_layout %k), %scale      %memory = local_alloc (mulf %k, %scale)
//!         warp_group_dot %x, %q }                    if %a { warp_group_dot %memory, %q }
//! if %b { %x = mulf (convert_layout %k), %scale      if %b { warp_group_dot %memory, %q }
//!         warp_group_dot %x, %q }
//! ```
//!
//! A branch that runs saves about what the one computation costs, so that this pays if more than one runs: [`LEAST_BRANCHES`]. Elements have 16 bits,
//! which `wgmma` reads from shared memory in rows or columns. Nothing is loaded elsewhere: what changes in memory is loaded where it was.
//!
//! 1. Find products in branches of loops.  2. What their operands are made of.  3. Where they have room.  4. Move.
//! 5. Find products in branches of a block that have equal left operands.  6. Write those once.

use crate::allocate_shared_memory::{buffers_of_module, total_bytes};
use crate::analysis::live_registers::registers;
use crate::analysis::shared_buffers::{MATRIX_ALIGNMENT, SharedBuffer, tensor_bytes};
use crate::analysis::shared_room::SharedRoom;
use crate::control_flow::{loop_depth, loops_of, remove_dead};
use crate::convert_to_ttg::require_ttg;
use crate::encodings;
use crate::operations::computations::{Computation, computation};
use crate::operations::is_product;
use crate::operations::layouts::LayoutRule;
use crate::reorder_instructions::memory_for;
use crate::shared_encodings::{buffer_type, nvmma};
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use tk_diag::Result;
use tk_ir::ops::{ForOp, IfOp};
use tk_ir::{Attribute, Block, Builder, Module, Op, OpKind, Type, Value};
use tk_layout::Encoding;

/// The pass.
pub const PASS: Pass =
    Pass { name: "hoist-operands", summary: "lay operands out before loops whose branches multiply by them", run };

/// Operations that an operand is made of, at most.
const MOST_STEPS: usize = 32;

/// Branches of one block that need an operand before it is computed in front of them, at least: if one of three runs, nothing is lost.
const LEAST_BRANCHES: usize = 3;

/// Rows that one instruction of `wgmma` reads of its left operand.
const WGMMA_ROWS: i64 = 64;

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
        share_in_branches(function, num_warps, cx)?;
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
    let in_branch = |op: &Op<'_>| {
        let mut around = op.ancestors().skip(1).take_while(|around| *around != view.op).peekable();
        around.peek().is_some() && around.all(|around| IfOp::cast(around).is_some())
    };
    let products = view.op.descendants().into_iter().filter(|op| is_product(*op) && in_branch(op));
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
        let op = self.operand.defining_op().unwrap_or(self.view.op);
        let fits = bytes == 0 || leaves_ctas(op, bytes, function, num_warps, cx)?;
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

/// As many CTAs share a multiprocessor if so many bytes more hold what `op` gives, all the time.
fn leaves_ctas<'c>(op: Op<'c>, bytes: u32, function: Op<'c>, num_warps: u32, cx: &PassContext) -> Result<bool> {
    let buffers = buffers_of_module(function)?;
    let mut with = buffers.clone();
    with.push(SharedBuffer { op, bytes, alignment: MATRIX_ALIGNMENT, purpose: "buffer", live: 0..=u32::MAX });
    Ok(SharedRoom::of(function, num_warps, cx).allows(total_bytes(&buffers), total_bytes(&with)))
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

/// Computes left operands that several branches of a block need before the first of these.
fn share_in_branches(function: Op<'_>, num_warps: u32, cx: &PassContext) -> Result<()> {
    let mut is_changed = false;
    // Outer blocks first: what branches share there is in memory for those inside.
    for branches in Branches::of(function) {
        for shared in branches.shared() {
            let bytes = tensor_bytes(shared.computed.operand.ty());
            let is_needed = shared.branches >= LEAST_BRANCHES;
            if is_needed && leaves_ctas(shared.first, bytes, function, num_warps, cx)? {
                shared.apply();
                is_changed = true;
            }
        }
    }
    if is_changed {
        remove_dead(function);
    }
    Ok(())
}

/// The branches of one block outside of loops, in order.
struct Branches<'c> {
    block: Block<'c>,
    ops: Vec<Op<'c>>,
}

impl<'c> Branches<'c> {
    /// Those of every block, outer blocks before those inside.
    fn of(function: Op<'c>) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        let is_outside = |op: &Op<'c>| IfOp::cast(*op).is_some() && loop_depth(*op) == 0;
        for op in function.descendants().into_iter().filter(is_outside) {
            let Some(block) = op.block() else { continue };
            match found.iter_mut().find(|known| known.block == block) {
                Some(known) => known.ops.push(op),
                None => found.push(Self { block, ops: vec![op] }),
            }
        }
        found.retain(|branches| branches.ops.len() >= LEAST_BRANCHES);
        found
    }

    /// Left operands of their products, equal ones together.
    fn shared(&self) -> Vec<SharedOperand<'c>> {
        let mut found: Vec<SharedOperand<'c>> = Vec::new();
        for branch in &self.ops {
            for product in products_of(*branch) {
                let Some(computed) = Computed::of(product.operand(0), self.block) else { continue };
                match found.iter_mut().find(|known| known.computed.is_same(&computed)) {
                    Some(known) => known.add(product, *branch),
                    None => found.push(SharedOperand::new(computed, product, *branch)),
                }
            }
        }
        found
    }
}

/// Products by `wgmma` in a branch, or in branches of it.
fn products_of(branch: Op<'_>) -> Vec<Op<'_>> {
    let mut products = branch.descendants();
    products.retain(|op| {
        let mut around = op.ancestors().skip(1).take_while(|around| *around != branch);
        op.kind() == OpKind::TtngWarpGroupDot && around.all(|around| IfOp::cast(around).is_some())
    });
    products
}

/// A left operand that products in branches of one block compute alike.
struct SharedOperand<'c> {
    computed: Computed<'c>,
    products: Vec<Op<'c>>,
    first: Op<'c>,
    last: Op<'c>,
    /// Branches that it is computed in, with both sides of one counted once.
    branches: usize,
}

impl<'c> SharedOperand<'c> {
    fn new(computed: Computed<'c>, product: Op<'c>, branch: Op<'c>) -> Self {
        Self { computed, products: vec![product], first: branch, last: branch, branches: 1 }
    }

    /// Another product, in the last branch or in one behind it.
    fn add(&mut self, product: Op<'c>, branch: Op<'c>) {
        self.products.push(product);
        self.branches += usize::from(branch != self.last);
        self.last = branch;
    }

    fn apply(self) {
        let value = self.computed.again(self.first);
        let (ty, order) = (value.ty(), self.computed.order());
        let layout = nvmma(&ty.shape(), &order, ty.element_bits());
        let buffer = buffer_type(ty.context(), &ty.shape(), ty.element(), &layout, false);
        let location = self.products[0].loc();
        let mut before = Builder::before(self.first).with_location(location);
        let memory = before.create(OpKind::TtgLocalAlloc, &[value], &[buffer], &[]).result(0);
        self.products.into_iter().for_each(|product| product.set_operand(0, memory));
    }
}

/// An operand that a branch converts from outside of it, and computes on element by element with numbers.
struct Computed<'c> {
    operand: Value<'c>,
    block: Block<'c>,
    /// Each behind what it is computed from, all in the layout of the operand.
    ops: Vec<Op<'c>>,
    /// The layout of what is converted.
    source: Option<Attribute<'c>>,
}

impl<'c> Computed<'c> {
    /// `None` where anything else is needed for it, or nothing is converted through shared memory. Threads often have what products give as others
    /// read it, so only blocks as they are loaded count.
    fn of(operand: Value<'c>, block: Block<'c>) -> Option<Self> {
        let ty = operand.ty();
        let is_operand = ty.is_tensor() && matches!(ty.layout().as_deref(), Some(Encoding::DotOp(_)));
        let shape = ty.shape();
        let is_read_from_memory = shape.len() == 2 && shape[0] % WGMMA_ROWS == 0 && ty.element_bits() == 16;
        if !is_operand || !is_read_from_memory {
            return None;
        }
        let mut computed = Self { operand, block, ops: Vec::new(), source: None };
        (computed.collect(operand, 0) && computed.source.is_some()).then_some(computed)
    }

    fn collect(&mut self, value: Value<'c>, depth: usize) -> bool {
        if !value.ty().is_tensor() {
            return self.is_outside(value);
        }
        let Some(op) = value.defining_op() else { return false };
        if self.ops.contains(&op) {
            return true;
        }
        if depth >= MOST_STEPS || self.ops.len() >= MOST_STEPS || value.ty().encoding() != self.operand.ty().encoding()
        {
            return false;
        }
        let kind = op.kind();
        let is_part = if kind == OpKind::ArithConstant {
            value.constant().and_then(|number| number.as_splat()).is_some()
        } else if kind == OpKind::TtSplat {
            self.is_outside(op.operand(0))
        } else if kind == OpKind::TtgConvertLayout {
            self.is_inside(op) && self.is_source(op.operand(0))
        } else {
            let mut operands = op.operands().into_iter();
            self.is_inside(op) && is_of_elements(op) && operands.all(|operand| self.collect(operand, depth + 1))
        };
        if is_part {
            self.ops.push(op);
        }
        is_part
    }

    /// All that is converted has one layout.
    fn is_source(&mut self, value: Value<'c>) -> bool {
        let ty = value.ty();
        let is_block = ty.is_tensor() && matches!(ty.layout().as_deref(), Some(Encoding::Blocked(_)));
        let is_same = self.source.is_none_or(|known| Some(known) == ty.encoding());
        if is_block {
            self.source = self.source.or(ty.encoding());
        }
        is_block && is_same && self.is_outside(value)
    }

    /// It stands in a branch of the block.
    fn is_inside(&self, op: Op<'c>) -> bool {
        op.ancestor_in(self.block).is_some_and(|own| own != op)
    }

    /// It is there before the branch: what a branch uses, and does not compute itself, comes from before it.
    fn is_outside(&self, value: Value<'c>) -> bool {
        match value.defining_op() {
            Some(op) => !self.is_inside(op),
            None => {
                let owner = value.parent_block().and_then(|block| block.parent_op());
                owner.is_some_and(|owner| owner.ancestor_in(self.block).is_none())
            }
        }
    }

    /// Both compute the same numbers.
    fn is_same(&self, other: &Self) -> bool {
        let is_same_op = |(own, others): (&Op<'c>, &Op<'c>)| {
            let is_alike = own.kind() == others.kind()
                && own.num_operands() == others.num_operands()
                && own.result(0).ty() == others.result(0).ty()
                && own.attrs() == others.attrs();
            let mut operands = own.operands().into_iter().zip(others.operands());
            is_alike && operands.all(|(mine, theirs)| mine == theirs || self.is_same_step(mine, other, theirs))
        };
        self.ops.len() == other.ops.len() && self.ops.iter().zip(&other.ops).all(is_same_op)
    }

    /// Both values are given by the operations of one number.
    fn is_same_step(&self, mine: Value<'c>, other: &Self, theirs: Value<'c>) -> bool {
        let own = self.ops.iter().position(|op| op.result(0) == mine);
        own.is_some() && own == other.ops.iter().position(|op| op.result(0) == theirs)
    }

    /// The axes of what is converted, contiguous one first.
    fn order(&self) -> Vec<u32> {
        let layout = self.source.and_then(|source| source.encoding());
        layout.map_or_else(|| vec![1, 0], |layout| layout.order())
    }

    /// The operand before `place`, in the layout of what is converted.
    fn again(&self, place: Op<'c>) -> Value<'c> {
        let mut made: FxHashMap<usize, Value<'c>> = FxHashMap::default();
        for op in &self.ops {
            let is_conversion = op.kind() == OpKind::TtgConvertLayout;
            let value = if is_conversion { op.operand(0) } else { self.step_again(*op, &made, place) };
            made.insert(op.result(0).id(), value);
        }
        made[&self.operand.id()]
    }

    fn step_again(&self, op: Op<'c>, made: &FxHashMap<usize, Value<'c>>, place: Op<'c>) -> Value<'c> {
        let ty = op.result(0).ty().with_encoding(self.source);
        let mut before = Builder::before(place).with_location(op.loc());
        if let Some(number) = op.result(0).constant().and_then(|number| number.as_splat()) {
            return before.constant(ty.context().splat_attr(ty, number));
        }
        let copy = before.place(op.clone_op());
        for (index, operand) in op.operands().into_iter().enumerate() {
            if let Some(again) = made.get(&operand.id()) {
                copy.set_operand(index, *again);
            }
        }
        copy.result(0).set_type(ty);
        copy.result(0)
    }
}

/// It computes each element from those at its place, and may run where nothing needs it.
fn is_of_elements(op: Op<'_>) -> bool {
    let is_alone = op.regions().is_empty() && op.num_results() == 1;
    is_alone
        && op.is_pure()
        && encodings::rule(op) == LayoutRule::Same
        && computation(op.kind()).is_element_by_element()
}
