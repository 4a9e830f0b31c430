//! 64-bit twins of the integers that feed addresses, and the check that a twin says what its original says.
//!
//! 1. The slice: every integer from which an offset is computed ([`Defs::address_slice`]).
//! 2. The causes: arithmetic of the slice that can overflow (or, with `--index-width 64`, all of it), and everything that the
//!    slice computes from them, through loops and branches.
//! 3. Each of these gets a twin in 64 bits, which is exact, and addresses are computed from the twins. Where overflow is
//!    checked, each twin is compared with its original, and an address has a twin too: one bit that says whether the program
//!    as written would have computed another one. An access whose address is wrong in an element that its mask leaves in
//!    is recorded. A kernel with checks so computes the right addresses and goes on safely after that.
//!
//! Unsigned integers are left as they are: programs that hash rely on their wrapping around.

use crate::defs::{Defs, bounds_of};
use crate::family::{Access, Family, settles};
use crate::rewrite::Rewriter;
use crate::sites::SiteKind;
use crate::{Bounds, Guards, Ranges};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_check::checked::{BinaryOp, Block, CastKind, CompareOp, Kernel, Literal, Op, OpKind, Value};
use tk_types::{IndexWidth, ScalarType};

/// Gives a kernel the index width and the overflow checks of its options.
pub(crate) fn widen(mut kernel: Kernel, bounds: &Bounds, guards: &mut Guards) -> Kernel {
    let ranges = Ranges::new(&kernel, bounds);
    let checks = kernel.options.sanitize.overflow;
    let plan = plan(&kernel, &ranges);
    if plan.wide.is_empty() {
        return kernel;
    }
    let record = checks.then(|| guards.record_of(&mut kernel));
    let (out, body) = Rewriter::new(kernel);
    let mut widening = Widening {
        out,
        plan,
        twins: FxHashMap::default(),
        replaced: FxHashMap::default(),
        constants: FxHashMap::default(),
        uniform: FxHashMap::default(),
        record,
        guards,
    };
    let body = widening.block(body, |_, _| {});
    widening.out.finish(body)
}

/// Whether any 32-bit offset of a kernel can overflow under these bounds.
pub fn can_overflow(kernel: &Kernel, bounds: &Bounds) -> bool {
    !plan(kernel, &Ranges::new(kernel, bounds)).checked.is_empty()
}

/// Which values get a twin, and which of them are checked.
struct Plan {
    wide: FxHashSet<Value>,
    checked: FxHashSet<Value>,
}

/// A signed integer of at most so many bits.
fn is_signed(kernel: &Kernel, value: Value, bits: u32) -> bool {
    kernel.ty(value).number().is_some_and(|scalar| scalar.is_signed_int() && scalar.bits() <= bits)
}

fn is_pointer(kernel: &Kernel, value: Value) -> bool {
    kernel.ty(value).pointee().is_some()
}

fn plan(kernel: &Kernel, ranges: &Ranges) -> Plan {
    let defs = Defs::new(kernel);
    let checks = kernel.options.sanitize.overflow;
    let bits = if checks { 64 } else { 32 };
    let mut slice: Vec<Value> =
        defs.address_slice(kernel).into_iter().filter(|value| is_signed(kernel, *value, bits)).collect();
    slice.sort_unstable();
    let all = kernel.options.index_width == IndexWidth::Wide;
    let narrow = || slice.iter().copied().filter(|value| is_signed(kernel, *value, 32));
    let may_overflow = |value: &Value| ranges.overflow(*value).is_some();
    let checked: FxHashSet<Value> = narrow().filter(may_overflow).collect();
    let mut wide: FxHashSet<Value> =
        narrow().filter(|value| may_overflow(value) || all && is_arithmetic(&defs, *value)).collect();
    if checks {
        slice.extend((0..kernel.values.len() as u32).map(Value).filter(|value| is_pointer(kernel, *value)));
    }
    // What is computed from a twin has one too. Loops make this a fixpoint; it is reached in as many rounds as loops nest.
    loop {
        let before = wide.len();
        for value in &slice {
            let keeps = defs.op(*value).is_none_or(|op| op.kind != OpKind::Cast(CastKind::Trunc));
            if keeps && !wide.contains(value) && sources(&defs, *value).iter().any(|source| wide.contains(source)) {
                wide.insert(*value);
            }
        }
        if wide.len() == before {
            return Plan { wide, checked };
        }
    }
}

/// What an integer or an address is computed from.
fn sources(defs: &Defs<'_>, value: Value) -> Vec<Value> {
    let passes_on = |op: &&Op| matches!(Family::of(&op.kind), Family::AddPtr | Family::Bitcast);
    match defs.op(value).filter(passes_on) {
        Some(op) => op.operands.clone(),
        None => defs.sources(value),
    }
}

fn is_arithmetic(defs: &Defs<'_>, value: Value) -> bool {
    let arithmetic = [BinaryOp::AddI, BinaryOp::SubI, BinaryOp::MulI, BinaryOp::Shl].map(OpKind::Binary);
    defs.op(value).is_some_and(|op| arithmetic.contains(&op.kind))
}

struct Widening<'g> {
    out: Rewriter,
    plan: Plan,
    twins: FxHashMap<Value, Value>,
    /// 64-bit values that became another one.
    replaced: FxHashMap<Value, Value>,
    constants: FxHashMap<Value, i128>,
    /// Of twins of addresses that are the same in all elements: that one bit.
    uniform: FxHashMap<Value, Value>,
    record: Option<Value>,
    guards: &'g mut Guards,
}

impl Widening<'_> {
    /// Rebuilds a block; `finish` adds what it yields besides.
    fn block(&mut self, block: Block, finish: impl FnOnce(&mut Self, &mut Block)) -> Block {
        self.out.open_block();
        let Block { args, ops, yields } = block;
        for op in ops {
            self.op(op);
        }
        self.out.settle();
        let yields = yields.into_iter().map(|value| self.current(value)).collect();
        let mut block = Block { args, ops: Vec::new(), yields };
        finish(self, &mut block);
        block.ops = self.out.close_block();
        block
    }

    fn current(&self, value: Value) -> Value {
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    fn op(&mut self, mut op: Op) {
        self.out.set_loc(op.loc);
        if settles(&op) {
            self.out.settle();
        }
        for operand in &mut op.operands {
            *operand = self.replaced.get(operand).copied().unwrap_or(*operand);
        }
        match Family::of(&op.kind) {
            Family::For | Family::While | Family::If => self.control(op),
            Family::AddPtr => self.address(op),
            Family::Access(access) => {
                if let Some(record) = self.record {
                    self.check_access(record, &op, access);
                }
                self.out.push(op);
            }
            Family::Arithmetic if self.extends_to_twin(&op) => {}
            Family::Movement | Family::Arithmetic | Family::Bitcast | Family::Select => self.followed(op),
            Family::Source => {
                if let OpKind::Constant(Literal::Int(value)) = op.kind {
                    self.constants.insert(op.results[0], value);
                }
                self.out.push(op);
            }
            // What these give has no twin; it is extended where one is asked for.
            Family::Function
            | Family::Descriptor
            | Family::Combination
            | Family::Mixture
            | Family::Foreign
            | Family::Statement => self.out.push(op),
        }
    }

    /// An op whose results have twins where its operands do.
    fn followed(&mut self, op: Op) {
        let result = op.results.first().copied().filter(|result| self.plan.wide.contains(result));
        self.out.push(op.clone());
        if let Some(result) = result {
            self.twin_of_op(&op, result);
        }
    }

    /// An address is computed from the twin of its offset. Whether the offset is another one as written becomes the twin of
    /// the address.
    fn address(&mut self, mut op: Op) {
        let (base, written) = (op.operands[0], op.operands[1]);
        let exact = self.twins.get(&written).copied();
        if let Some(exact) = exact {
            op.operands[1] = exact;
        }
        let result = op.results[0];
        self.out.push(op);
        if !self.plan.wide.contains(&result) {
            return;
        }
        let offset = exact.map(|exact| {
            let is_narrow = self.out.ty(written).number() != Some(ScalarType::I64);
            let written = if is_narrow { self.out.extended(written) } else { written };
            self.out.compare(CompareOp::NeI, written, exact)
        });
        let wrong = match (self.twins.get(&base).copied(), offset) {
            (Some(base), Some(offset)) => {
                let ty = self.out.ty(base);
                self.out.emit(OpKind::Binary(BinaryOp::Or), &[base, offset], ty)
            }
            (Some(wrong), None) | (None, Some(wrong)) => wrong,
            (None, None) => return,
        };
        self.twins.insert(result, wrong);
    }

    /// Records an access to a wrong address, in elements that its mask leaves in.
    fn check_access(&mut self, record: Value, op: &Op, access: Access) {
        let Some(wrong) = self.twins.get(&op.operands[0]).copied() else { return };
        // Where one bit says it of all elements, nothing is computed element by element unless it is set.
        let bit = self.uniform.get(&wrong).copied();
        self.out.open_block();
        self.guard_access(record, wrong, op, access);
        let ops = self.out.close_block();
        let loc = op.loc;
        self.out.later(|out| match bit {
            None => ops.into_iter().for_each(|op| out.push(op)),
            Some(bit) => {
                let blocks = vec![Block { ops, ..Block::default() }, Block::default()];
                let (results, hints) = (Vec::new(), Vec::new());
                out.push(Op { kind: OpKind::If, operands: vec![bit], results, blocks, loc, hints });
            }
        });
        // What is written is checked before.
        if settles(op) {
            self.out.settle();
        }
    }

    fn guard_access(&mut self, record: Value, wrong: Value, op: &Op, access: Access) {
        let ty = self.out.ty(wrong);
        let counts = match access.mask() {
            Some(place) => self.out.emit(OpKind::Binary(BinaryOp::And), &[wrong, op.operands[place]], ty.clone()),
            None => wrong,
        };
        let ones = self.out.int(1, ty.clone());
        let holds = self.out.emit(OpKind::Binary(BinaryOp::Xor), &[counts, ones], ty.clone());
        let site = self.guards.site(SiteKind::WrongAddress { what: access.verb() }, op.loc);
        let value = self.out.int(0, ty.with_scalar(ScalarType::I64));
        self.out.guard(record, site, holds, value);
    }

    /// A cast of a value with a twin to 64 bits is the twin, unless the value as written is asked for.
    fn extends_to_twin(&mut self, op: &Op) -> bool {
        if self.record.is_some() || op.kind != OpKind::Cast(CastKind::ExtS) {
            return false;
        }
        let is_wide = self.out.ty(op.results[0]).number().is_some_and(|scalar| scalar.bits() == 64);
        match self.twins.get(&op.operands[0]).copied().filter(|_| is_wide) {
            Some(twin) => self.replaced.insert(op.results[0], twin).is_none(),
            None => false,
        }
    }

    fn twin_of_op(&mut self, op: &Op, result: Value) {
        if let OpKind::Cast(CastKind::ExtS | CastKind::Bitcast) = op.kind {
            let twin = self.twin(op.operands[0]);
            self.twins.insert(result, twin);
            return;
        }
        // A cast that is left has no 64-bit form either.
        if matches!(op.kind, OpKind::Cast(_)) {
            return;
        }
        let chooses = usize::from(op.kind == OpKind::Select);
        let mut operands = op.operands.clone();
        operands[chooses..].iter_mut().for_each(|operand| *operand = self.twin(*operand));
        let mut results = Vec::with_capacity(op.results.len());
        for narrow in &op.results {
            results.push(self.twin_value(*narrow));
        }
        if let ([operand], [twin]) = (&operands[..], &results[..])
            && Family::of(&op.kind) == Family::Movement
            && self.out.ty(result).pointee().is_some()
        {
            let bit = if op.kind == OpKind::Splat { Some(*operand) } else { self.uniform.get(operand).copied() };
            self.uniform.extend(bit.map(|bit| (*twin, bit)));
        }
        self.out.push(Op { operands, results, ..op.clone() });
        if self.plan.checked.contains(&result) {
            self.check(op, result);
        }
    }

    /// Records when a result is not its twin.
    fn check(&mut self, op: &Op, result: Value) {
        let Some(record) = self.record else { return };
        let twin = self.twin(result);
        let scalar = self.out.ty(result).number().unwrap_or(ScalarType::I32);
        let site = self.guards.site(SiteKind::Overflow { scalar }, op.loc);
        self.out.later(|out| {
            let narrow = out.extended(result);
            let holds = out.compare(CompareOp::EqI, narrow, twin);
            out.guard(record, site, holds, twin);
        });
    }

    /// The 64-bit form of an integer: its twin, or an extension written here. For an address, whether it is wrong.
    fn twin(&mut self, value: Value) -> Value {
        if let Some(twin) = self.twins.get(&value) {
            return *twin;
        }
        let ty = self.out.ty(value);
        if ty.number() == Some(ScalarType::I64) {
            return value;
        }
        if ty.pointee().is_some() {
            return self.out.int(0, ty.with_scalar(ScalarType::I1));
        }
        match self.constants.get(&value) {
            Some(constant) => self.out.int(*constant, ty.with_scalar(ScalarType::I64)),
            None => self.out.extended(value),
        }
    }

    /// Loops and branches hand twins on beside the values they carry.
    fn control(&mut self, mut op: Op) {
        let blocks = std::mem::take(&mut op.blocks);
        let family = Family::of(&op.kind);
        let (first, is_loop) = (usize::from(family == Family::For), family != Family::If);
        let indices: Vec<usize> = (0..op.results.len())
            .filter(|index| {
                let args = blocks.iter().filter(|_| is_loop).filter_map(|block| block.args.get(first + index));
                args.chain([&op.results[*index]]).any(|value| self.plan.wide.contains(value))
            })
            .collect();
        if is_loop {
            for index in &indices {
                let start = self.twin(op.operands[bounds_of(&op) + index]);
                op.operands.push(start);
            }
        }
        let leading = usize::from(family == Family::While);
        let count = blocks.len();
        for (number, mut block) in blocks.into_iter().enumerate() {
            if is_loop {
                for index in &indices {
                    let narrow = block.args[first + index];
                    let twin = self.twin_value(narrow);
                    block.args.push(twin);
                }
            }
            // The condition of a `while` yields its truth before the values.
            let skip = if count == 2 && number == 0 { leading } else { 0 };
            let indices = indices.clone();
            let rebuilt = self.block(block, |this, block| {
                for index in indices {
                    let twin = this.twin(block.yields[skip + index]);
                    block.yields.push(twin);
                }
            });
            op.blocks.push(rebuilt);
        }
        for index in indices {
            let twin = self.twin_value(op.results[index]);
            op.results.push(twin);
        }
        self.out.push(op);
    }

    /// A new twin that something else defines.
    fn twin_value(&mut self, narrow: Value) -> Value {
        let ty = self.out.ty(narrow);
        let ty = ty.with_scalar(if ty.pointee().is_some() { ScalarType::I1 } else { ScalarType::I64 });
        let twin = self.out.value_like(narrow, ty);
        self.twins.insert(narrow, twin);
        twin
    }
}
