//! `tt.atomic_rmw` and `tt.atomic_cas`.
//!
//! Each element is updated once: a thread that only holds a copy of an element stays out, of a scalar only thread 0 takes part.
//! Who stayed out receives the old value through shared memory. An order other than `relaxed` is meant for the whole CTA, while the
//! instruction orders the accesses of one thread only, so barriers tie the other threads to it, where `insert-barriers` does not say that they have met or
//! meet later.

//!
//! An instruction that releases waits for all that its thread has written, and one that acquires lets nothing pass it, so that the elements of a
//! thread would be updated one after the other. Where nobody asks for old values, a fence before all of them releases, one behind them acquires
//! where anything follows, and they are relaxed. Where only the next iteration of a loop follows, it acquires on the way there, and not behind the loop.
//!
//! Where `combine-updates` says that neighbouring lanes may update one element, they do it together (`combined.rs`). What is added to a single element of 16
//! bits is added to its word (`halves.rs`).

mod combined;
mod exchange_loop;
mod halves;

use super::memory::with_mask;
use super::shared::{load_shared, store_shared};
use super::words::{Words, from_word, to_stored};
use super::{Emitter, Registers, TensorType};
use crate::code::{Asm, Code, IntTest, Reg, Ty};
use combined::{CombinedUpdate, Update};
use exchange_loop::{MemoryOrder, add_by_exchange};
use halves::HalfUpdate;
use tk_diag::Result;
use tk_ir::attributes::{ENDS_ITERATION, MEETS_LATER, MET_BEFORE, UNOBSERVED};
use tk_ir::ops::{AtomicCasOp, AtomicRmwOp, MemScope, MemSemantic, RmwOp};
use tk_ir::{Op, OpKind, Value};
use tk_layout::Dim;

/// `tt.atomic_rmw`, `tt.atomic_cas`.
pub(super) fn emit_atomic<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let atomic = Atomic::of(emitter, op)?;
    let pointers = emitter.registers(op.operand(0))?;
    let values = atomic.values.iter().map(|value| emitter.registers(*value)).collect::<Result<Vec<_>>>()?;
    let mask = atomic.mask.map(|mask| emitter.registers(mask)).transpose()?;
    let says = |name: &str| op.attr(name).is_some();
    let releases = matches!(atomic.semantic, MemSemantic::Release | MemSemantic::AcquireRelease);
    if releases && !says(MET_BEFORE) {
        emitter.code.barrier()?;
    }
    let handed_on = if op.operand(0).ty().is_tensor() {
        emit_tensor(emitter, &atomic, &pointers, &values, mask.as_ref())?
    } else {
        emit_scalar(emitter, &atomic, &pointers, &values, mask.as_ref())?
    };
    let acquires = matches!(atomic.semantic, MemSemantic::Acquire | MemSemantic::AcquireRelease);
    if acquires && !handed_on && !says(MEETS_LATER) {
        emitter.code.barrier()?;
    }
    Ok(())
}

/// What an atomic does to an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    CompareAndSwap,
    Modify(RmwOp),
}

impl Operation {
    /// The name in PTX.
    fn name(self) -> &'static str {
        match self {
            Operation::CompareAndSwap => "cas",
            Operation::Modify(RmwOp::And) => "and",
            Operation::Modify(RmwOp::Or) => "or",
            Operation::Modify(RmwOp::Xor) => "xor",
            Operation::Modify(RmwOp::Add | RmwOp::FAdd) => "add",
            Operation::Modify(RmwOp::Max | RmwOp::UMax) => "max",
            Operation::Modify(RmwOp::Min | RmwOp::UMin) => "min",
            Operation::Modify(RmwOp::Exchange) => "exch",
        }
    }

    /// The letter of the type in PTX.
    fn letter(self) -> char {
        match self {
            Operation::CompareAndSwap => 'b',
            Operation::Modify(RmwOp::And | RmwOp::Or | RmwOp::Xor | RmwOp::Exchange) => 'b',
            Operation::Modify(RmwOp::Add | RmwOp::UMax | RmwOp::UMin) => 'u',
            Operation::Modify(RmwOp::Max | RmwOp::Min) => 's',
            Operation::Modify(RmwOp::FAdd) => 'f',
        }
    }

    fn is_float(self) -> bool {
        self == Operation::Modify(RmwOp::FAdd)
    }

    /// Whether PTX has it for elements of this type.
    fn exists(self, element: Ty) -> bool {
        let bits = element.bits();
        match self {
            Operation::CompareAndSwap => matches!(bits, 16 | 32 | 64),
            Operation::Modify(RmwOp::FAdd) => element.is_float(),
            Operation::Modify(RmwOp::Exchange) => matches!(bits, 32 | 64),
            Operation::Modify(
                RmwOp::And | RmwOp::Or | RmwOp::Xor | RmwOp::Add | RmwOp::Max | RmwOp::Min | RmwOp::UMax | RmwOp::UMin,
            ) => element.is_int() && matches!(bits, 32 | 64),
        }
    }

    /// Whether PTX has it without a value.
    fn can_reduce(self) -> bool {
        !matches!(self, Operation::CompareAndSwap | Operation::Modify(RmwOp::Exchange))
    }
}

/// What to do to every element.
pub(super) struct Atomic<'c> {
    op: Op<'c>,
    operation: Operation,
    element: Ty,
    /// One value, or the expected value and the new one.
    values: Vec<Value<'c>>,
    mask: Option<Value<'c>>,
    semantic: MemSemantic,
    /// `gpu`, `cta`, `sys`.
    pub(super) scope: &'static str,
    /// The old values are used.
    returns: bool,
    /// The program accesses nothing behind it.
    is_last: bool,
    /// Fences stand for its order.
    is_fenced: bool,
    /// Elements per instruction at most.
    width: usize,
    /// The GPU lacks the instruction; a loop of compare-and-swap stands for it.
    looped: bool,
}

impl<'c> Atomic<'c> {
    fn of(emitter: &Emitter<'c, '_>, op: Op<'c>) -> Result<Self> {
        let pointee = op.operand(0).ty().pointee();
        let pointee = pointee.ok_or_else(|| emitter.bug(op, "its address is no pointer"))?;
        let element = emitter.element_ty(pointee)?;
        let returns = op.result(0).has_uses();
        if let Some(view) = AtomicCasOp::cast(op).filter(|_| op.kind() == OpKind::TtAtomicCas) {
            let scope = scope_name(view.scope());
            let values = vec![view.compare(), view.value()];
            let semantic = view.sem();
            let atomic = Self {
                op,
                operation: Operation::CompareAndSwap,
                element,
                values,
                mask: None,
                semantic,
                scope,
                returns,
                is_last: false,
                is_fenced: false,
                width: 1,
                looped: false,
            };
            return atomic.checked(emitter);
        }
        let view = AtomicRmwOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no atomic operation"))?;
        let operation = Operation::Modify(view.atomic_rmw_op());
        let looped = operation.is_float() && element == Ty::BF16 && !emitter.settings.target.has_bf16_atomics();
        let atomic = Self {
            op,
            operation,
            element,
            values: vec![view.value()],
            mask: view.mask(),
            semantic: view.sem(),
            scope: scope_name(view.scope()),
            returns,
            is_last: !returns && op.attr(UNOBSERVED).is_some(),
            is_fenced: false,
            width: if operation.is_float() && !looped { width_of(op, element) } else { 1 },
            looped,
        };
        atomic.checked(emitter)
    }

    /// The atomic if PTX has it for elements of this type.
    fn checked(self, emitter: &Emitter<'c, '_>) -> Result<Self> {
        if self.operation.exists(self.element) {
            return Ok(self);
        }
        let bits = self.element.bits();
        let message = format!("there is no atomic `{}` of elements of {bits} bits", self.operation.name());
        Err(emitter.bug(self.op, message))
    }

    /// `.add.u32`, `.add.noftz.v2.f16x2`, `.cas.b64`, …
    fn operation(&self, words: &Words) -> String {
        let bits = self.element.bits();
        if !self.operation.is_float() {
            return format!(".{}.{}{bits}", self.operation.name(), self.operation.letter());
        }
        let vector = if words.count > 1 { format!(".v{}", words.count) } else { String::new() };
        let packed = if words.elements > 1 { "x2" } else { "" };
        match self.element {
            Ty::F16 => format!(".add.noftz{vector}.f16{packed}"),
            Ty::BF16 => format!(".add.noftz{vector}.bf16{packed}"),
            Ty::F32 | Ty::F64 | Ty::Int(_) | Ty::Ptr(_) | Ty::Vector(..) => format!(".add{vector}.f{bits}"),
        }
    }

    fn releases(&self) -> bool {
        !self.is_fenced && matches!(self.semantic, MemSemantic::Release | MemSemantic::AcquireRelease)
    }

    fn acquires(&self) -> bool {
        let asks = matches!(self.semantic, MemSemantic::Acquire | MemSemantic::AcquireRelease);
        asks && !self.is_last && !self.is_fenced
    }

    /// The memory order. `red` has no order that acquires, so only `atom` may ask for one.
    fn order(&self) -> &'static str {
        match (self.acquires(), self.releases()) {
            (false, false) => "relaxed",
            (true, false) => "acquire",
            (false, true) => "release",
            (true, true) => "acq_rel",
        }
    }

    /// Whether the instruction gives no value. One of a scalar gives one, whoever wants it, as Triton's do: a single thread runs it, and
    /// ptxas drops a value that nobody reads.
    fn is_reduction(&self) -> bool {
        let is_tensor = self.op.operand(0).ty().is_tensor();
        is_tensor && !self.returns && !self.acquires() && self.operation.can_reduce()
    }

    /// Order and scope, in the sequence in which Triton writes them: tests of programs look for the text.
    fn qualifiers(&self) -> String {
        let (order, scope) = (self.order(), self.scope);
        match self.operation {
            Operation::CompareAndSwap => format!("{order}.{scope}"),
            Operation::Modify(_) => format!("{scope}.{order}"),
        }
    }

    /// Updates consecutive elements and gives their old values, zero where `mask` does not hold and when nobody wants them.
    fn emit(
        &self,
        emitter: &mut Emitter<'_, '_>,
        pointer: Reg,
        values: &[Vec<Reg>],
        mask: Option<Reg>,
    ) -> Result<Vec<Reg>> {
        let mask = mask.filter(|mask| mask.constant() != Some(-1));
        if mask.and_then(Reg::constant) == Some(0) {
            return Ok(vec![emitter.code.zero(self.element); values[0].len()]);
        }
        if self.looped {
            let order = MemoryOrder { order: self.order(), scope: self.scope };
            let old = |value: &Reg| add_by_exchange(&mut emitter.code, pointer, *value, mask, order);
            return values[0].iter().map(old).collect();
        }
        let code = &mut emitter.code;
        let mut words = None;
        let mut inputs = Vec::new();
        for row in values {
            let stored: Vec<Reg> = row.iter().map(|value| to_stored(code, *value)).collect();
            let shape = Words::of(stored[0].ty(), stored.len());
            inputs.push(shape.pack(code, &stored));
            words = Some(shape);
        }
        let words = words.ok_or_else(|| crate::code::bug("an atomic operation without a value"))?;
        let old = self.instruction(code, pointer, &words, &inputs, mask)?;
        if old.is_empty() {
            return Ok(vec![code.zero(self.element); values[0].len()]);
        }
        Ok(old.into_iter().flat_map(|word| from_word(code, word, self.element)).collect())
    }

    fn instruction(
        &self,
        code: &mut Code<'_>,
        pointer: Reg,
        words: &Words,
        inputs: &[Vec<Reg>],
        mask: Option<Reg>,
    ) -> Result<Vec<Reg>> {
        if let Some(combined) = CombinedUpdate::of(self, words, pointer) {
            let value = inputs[0][0];
            return combined.emit(code, &Update { pointer, value, mask }).map(|()| Vec::new());
        }
        if let Some(half) = HalfUpdate::of(self, words, pointer) {
            let value = inputs[0][0];
            return half.emit(code, &Update { pointer, value, mask }).map(|()| Vec::new());
        }
        let count = words.count;
        let outputs = if self.is_reduction() { 0 } else { count };
        let list = |start: usize| Asm::word_or_vector(start, count);
        let mut text = String::new();
        for output in (0..outputs).filter(|_| mask.is_some()) {
            text.push_str(&format!("mov.b{} ${output}, 0x0;\n\t", words.word.bits()));
        }
        if mask.is_some() {
            text.push_str(&format!("@${} ", outputs + 1 + inputs.len() * count));
        }
        let (qualifiers, operation) = (self.qualifiers(), self.operation(words));
        let (name, result) = if outputs > 0 { ("atom", format!("{}, ", list(0))) } else { ("red", String::new()) };
        let offset = pointer.offset();
        text.push_str(&format!("{name}.global.{qualifiers}{operation} {result}[ ${outputs} + {offset} ]"));
        for index in 0..inputs.len() {
            text.push_str(&format!(", {}", list(outputs + 1 + index * count)));
        }
        text.push(';');
        let mut asm = Asm::new(text).outputs(words.word, outputs).input(pointer.base()).inputs(&inputs.concat());
        if let Some(mask) = mask {
            asm = asm.input(mask);
        }
        code.asm(asm)
    }
}

/// Elements per instruction that the IR allows; a power of two, and 16 bytes at most.
fn width_of(op: Op<'_>, element: Ty) -> usize {
    let asked = op.int_attr(tk_ir::attributes::VECTOR).unwrap_or(1).max(1) as usize;
    1 << asked.min(16 / element.bytes() as usize).ilog2()
}

fn scope_name(scope: MemScope) -> &'static str {
    match scope {
        MemScope::Gpu => "gpu",
        MemScope::Cta => "cta",
        MemScope::System => "sys",
    }
}

/// Thread 0 does it; the others receive the old value if it is used. True when they did, so that all have waited for thread 0.
fn emit_scalar<'c>(
    emitter: &mut Emitter<'c, '_>,
    atomic: &Atomic<'c>,
    pointers: &Registers,
    values: &[Registers],
    mask: Option<&Registers>,
) -> Result<bool> {
    let thread = emitter.threads().thread;
    let zero = emitter.code.i32(0);
    let first = emitter.code.icmp(IntTest::Eq, thread, zero);
    let condition = with_mask(emitter, mask.map(|mask| mask.get(0)), Some(first));
    let values: Vec<Vec<Reg>> = values.iter().map(|value| vec![value.get(0)]).collect();
    let old = atomic.emit(emitter, pointers.get(0), &values, condition)?;
    if !atomic.returns {
        return Ok(false);
    }
    let scratch = emitter.scratch(atomic.op)?;
    emitter.note_shared(atomic.op, "result of an atomic operation", atomic.element.bytes());
    store_shared(&mut emitter.code, scratch, &old, Some(first))?;
    emitter.code.barrier()?;
    let received = load_shared(&mut emitter.code, scratch, atomic.element, 1)?;
    emitter.define_scalar(atomic.op.result(0), received[0]);
    Ok(true)
}

/// Two fences take as long as two instructions that release and acquire.
const LEAST_FOR_FENCES: usize = 3;

/// Where nothing is acquired, or only on the way to the next iteration of a loop, one fence is left.
const LEAST_FOR_ONE_FENCE: usize = 2;

/// It releases what the thread did before, and acquires for what it does later.
pub(super) fn fence(scope: &str) -> Asm {
    Asm::new(format!("fence.acq_rel.{scope};"))
}

/// The body of the loop on whose way back an atomic operation may acquire, by identity.
fn body_that_ends(op: Op<'_>) -> Option<usize> {
    op.block().filter(|_| op.attr(ENDS_ITERATION).is_some()).map(|body| body.id())
}

/// The thread that owns an element does it. True when copies of elements were handed on to other threads.
fn emit_tensor<'c>(
    emitter: &mut Emitter<'c, '_>,
    atomic: &Atomic<'c>,
    pointers: &Registers,
    values: &[Registers],
    mask: Option<&Registers>,
) -> Result<bool> {
    let tensor = emitter.tensor(atomic.op.operand(0).ty())?;
    let writes = emitter.writes(&tensor);
    let width = atomic.width.min(tensor.registers);
    let accesses = (0..tensor.registers).step_by(width).filter(|start| tensor.canonical(*start) == *start).count();
    let (acquires, releases) = (atomic.acquires(), atomic.releases());
    let body = body_that_ends(atomic.op);
    let least = match (acquires, body) {
        (true, None) => LEAST_FOR_FENCES,
        (true, Some(_)) | (false, _) => LEAST_FOR_ONE_FENCE,
    };
    let is_fenced = !atomic.returns && !atomic.looped && atomic.operation.can_reduce() && accesses >= least;
    let atomic = &Atomic { is_fenced, values: atomic.values.clone(), ..*atomic };
    if is_fenced && releases {
        emitter.code.asm(fence(atomic.scope))?;
    }
    let mut old: Vec<Reg> = Vec::with_capacity(tensor.registers);
    for start in (0..tensor.registers).step_by(width) {
        let canonical = tensor.canonical(start);
        if canonical != start {
            old.extend_from_within(canonical..canonical + width);
            continue;
        }
        let row = |value: &Registers| (start..start + width).map(|index| value.get(index)).collect::<Vec<_>>();
        let rows: Vec<Vec<Reg>> = values.iter().map(row).collect();
        let condition = with_mask(emitter, mask.map(|mask| mask.get(start)), writes);
        old.extend(atomic.emit(emitter, pointers.get(start), &rows, condition)?);
    }
    if is_fenced && acquires {
        acquire(emitter, atomic.scope, body)?;
    }
    if !atomic.returns {
        return Ok(false);
    }
    let Some(writes) = writes else {
        emitter.define(atomic.op.result(0), Registers::from(old));
        return Ok(false);
    };
    hand_on(emitter, atomic, &tensor, writes, old)?;
    Ok(true)
}

/// By a fence here, or by one on the way back to the start of `body`.
fn acquire(emitter: &mut Emitter<'_, '_>, scope: &'static str, body: Option<usize>) -> Result<()> {
    let Some(body) = body else { return emitter.code.asm(fence(scope)).map(|_| ()) };
    let scopes = emitter.acquired_behind.entry(body).or_default();
    if !scopes.contains(&scope) {
        scopes.push(scope);
    }
    Ok(())
}

/// Every element goes to its place in shared memory, from where all threads that have it take it.
fn hand_on<'c>(
    emitter: &mut Emitter<'c, '_>,
    atomic: &Atomic<'c>,
    tensor: &TensorType,
    writes: Reg,
    old: Vec<Reg>,
) -> Result<()> {
    let bytes = atomic.element.bytes();
    let start = emitter.scratch(atomic.op)?;
    let elements = tensor.shape.iter().product::<i64>() as u32;
    emitter.note_shared(atomic.op, "result of an atomic operation", elements * bytes);
    let images = |dim: Dim| tensor.layout.columns_of(dim).iter().map(|image| *image as u32).collect::<Vec<_>>();
    let base = emitter.linear_offset(&images(Dim::Lane), &images(Dim::Warp));
    let mut addresses = Vec::with_capacity(old.len());
    for register in 0..old.len() {
        let image = emitter.code.i32(tensor.layout.apply_dim(Dim::Register, register as u32) as i64);
        let (element, size) = (emitter.code.xor(base, image), emitter.code.i32(bytes.into()));
        let offset = emitter.code.mul(element, size);
        addresses.push(emitter.code.ptr_add(start, offset));
    }
    for (register, value) in old.iter().enumerate().filter(|(register, _)| tensor.canonical(*register) == *register) {
        store_shared(&mut emitter.code, addresses[register], &[*value], Some(writes))?;
    }
    emitter.code.barrier()?;
    let mut received: Vec<Reg> = Vec::with_capacity(old.len());
    for (register, address) in addresses.iter().enumerate() {
        let canonical = tensor.canonical(register);
        match canonical == register {
            true => received.extend(load_shared(&mut emitter.code, *address, atomic.element, 1)?),
            false => received.push(received[canonical]),
        }
    }
    emitter.define(atomic.op.result(0), Registers::from(received));
    Ok(())
}
