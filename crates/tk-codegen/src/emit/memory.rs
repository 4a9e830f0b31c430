//! Loads and stores of global memory, and pointer arithmetic.
//!
//! The coalesce pass says with `tk.vector` how many consecutive registers are consecutive in memory. An access without a mask is
//! LLVM's own load or store, which LLVM can move and address well; one with a mask is a predicated PTX instruction, as a branch
//! per access would cost more than the access. So is a load beside arithmetic that it should not be moved behind ([`is_beside_slow_path`]), and one whose
//! accesses stand where their elements are needed ([`LATE`]).

use super::joined::{self, Part};
use super::loads_before::keep_loads_before;
use super::mbarrier::is_first_thread;
use super::neighbours::{self, Access};
use super::slow_paths::is_beside_slow_path;
use super::words::{Words, from_word, stored_type, to_stored};
use super::{Emitter, Registers};
use crate::code::{Asm, IntTest, MemoryAccess, Reg, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::attributes::{FIRST_THREAD, LAST_USE, LATE};
use tk_ir::ops::{CacheModifier, EvictionPolicy, LoadOp, StoreOp};
use tk_ir::{Op, OpKind, Type, Value};

/// `tt.addptr`: the offset counts elements and is signed.
pub(super) fn emit_addptr<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let bytes = pointee_bytes(emitter, op.result(0).ty())?;
    if let Some(terms) = terms_of_offset(emitter, op)? {
        let registers = emitter.tensor(op.result(0).ty())?.registers;
        let pointers = emitter.registers(op.operand(0))?;
        let mut sums = Vec::with_capacity(registers);
        for register in 0..registers {
            let size = emitter.code.int(Ty::I64, bytes.into());
            let mut sum = pointers.get(register);
            for term in &terms {
                let offset = emitter.code.mul(term.get(register), size);
                sum = emitter.code.ptr_add(sum, offset);
            }
            sums.push(sum);
        }
        emitter.define(op.result(0), Registers::Each(sums.into()));
        return Ok(());
    }
    // Beside products in flight, products of 64 bits for addresses cost time. Elsewhere one address for several loads made loops faster and slower.
    let keeps_constants = emitter.settings.multiplies_by_groups;
    emitter.map(op, |code, x| {
        let offset = match keeps_constants {
            true => code.widened_offset(x[1], bytes.into()),
            false => code.sext(x[1], Ty::I64),
        };
        let size = code.int(Ty::I64, bytes.into());
        let offset = code.mul(offset, size);
        code.ptr_add(x[0], offset)
    })
}

/// Terms of an offset that are looked at.
const MOST_TERMS: usize = 4;

/// The terms of a sum of 64 bits that is an offset, those that differ in the fewest registers of a thread first; `None` if all differ in as many.
///
/// Added to the pointer in this order, the row of `p + row * stride + column` is added once for all registers of the row, and the columns of
/// several tensors are the same computation. Sums of 32 bits may wrap around before they are widened, and stay as they are.
fn terms_of_offset<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>) -> Result<Option<Vec<Registers>>> {
    let is_wide = |value: Value<'c>| value.ty().is_tensor() && value.ty().element_bits() == 64;
    let mut leaves = vec![op.operand(1)];
    let mut at = 0;
    while at < leaves.len() {
        let sum = leaves[at].defining_op().filter(|op| op.kind() == OpKind::ArithAddI && is_wide(op.result(0)));
        match sum {
            Some(sum) if leaves.len() < MOST_TERMS => {
                leaves[at] = sum.operand(0);
                leaves.insert(at + 1, sum.operand(1));
            }
            Some(_) | None => at += 1,
        }
    }
    if leaves.len() < 2 {
        return Ok(None);
    }
    let mut terms = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let registers = emitter.registers(leaf)?;
        let different: FxHashSet<Reg> = (0..registers.len()).map(|register| registers.get(register).base()).collect();
        terms.push((different.len(), registers));
    }
    let differ = terms.iter().any(|(different, _)| *different != terms[0].0);
    terms.sort_by_key(|(different, _)| *different);
    Ok(differ.then(|| terms.into_iter().map(|(_, registers)| registers).collect()))
}

/// Bytes of what a pointer points to; truth values take one.
pub(super) fn pointee_bytes<'c>(emitter: &Emitter<'c, '_>, ty: Type<'c>) -> Result<u32> {
    let pointee = ty.pointee().ok_or_else(|| crate::code::bug(format!("{ty} is no pointer")))?;
    Ok(emitter.element_ty(pointee)?.bytes())
}

/// Elements per access: what `tk.vector` says, but no more than 16 bytes or the registers there are.
pub(super) fn access_width(op: Op<'_>, element: Ty, registers: usize) -> usize {
    let asked = op.int_attr(tk_ir::attributes::VECTOR).unwrap_or(1).max(1) as usize;
    let most = (16 / element.bytes() as usize).min(registers);
    // Both are powers of two; anything else in the attribute is cut down to one.
    1 << asked.min(most).ilog2()
}

/// How an access uses the caches.
struct Caching {
    /// In PTX order.
    qualifiers: String,
    /// What the second-level cache does with the lines, where the program says what is used again and what is not. Without it, tensors that
    /// are written once drive out what every program reads.
    policy: Option<Reg>,
}

/// Bytes of an access that its caches are told of the last use, at least (docs/measurements.md, "What is used for the last time leaves the caches").
const LEAST_BYTES_OF_LAST_USE: u32 = 8;

impl Caching {
    const DEFAULT: Caching = Caching { qualifiers: String::new(), policy: None };

    /// For accesses of so many bytes. Narrow ones are those of rows that begin anywhere: they lie across lines, whose rest the next one reads.
    fn of_load(emitter: &mut Emitter<'_, '_>, view: LoadOp<'_>, bytes: u32) -> Self {
        if view.op.attr(LAST_USE).is_some() && bytes >= LEAST_BYTES_OF_LAST_USE {
            return Self { qualifiers: ".L1::evict_first".to_string(), policy: None };
        }
        Self::of(emitter, view.cache(), view.eviction())
    }

    /// What is written for others stays in the second-level cache, where they may find it.
    fn of_store(emitter: &mut Emitter<'_, '_>, view: StoreOp<'_>) -> Self {
        if view.op.attr(LAST_USE).is_some() {
            return Self { qualifiers: ".L1::no_allocate".to_string(), policy: None };
        }
        Self::of(emitter, view.cache(), view.eviction())
    }

    fn of(emitter: &mut Emitter<'_, '_>, cache: CacheModifier, eviction: EvictionPolicy) -> Self {
        let operator = match cache {
            CacheModifier::None => "",
            CacheModifier::Ca => ".ca",
            CacheModifier::Cg => ".cg",
            CacheModifier::Wb => ".wb",
            CacheModifier::Cs => ".cs",
            CacheModifier::Wt => ".wt",
            CacheModifier::Cv => ".cv",
        };
        let priority = match eviction {
            EvictionPolicy::Normal => None,
            // PTX takes either a cache operator or an eviction priority.
            _ if !operator.is_empty() => None,
            EvictionPolicy::First => Some("evict_first"),
            EvictionPolicy::Last => Some("evict_last"),
        };
        let Some(priority) = priority else { return Self { qualifiers: operator.to_string(), policy: None } };
        let create = format!("createpolicy.fractional.L2::{priority}.b64 $0, 1.0;");
        let policy = emitter.code.pure_asm(&create, Ty::Int(64), &[]);
        Self { qualifiers: format!(".L1::{priority}.L2::cache_hint"), policy: Some(policy) }
    }

    fn is_default(&self) -> bool {
        self.qualifiers.is_empty()
    }

    /// The policy as the operand with this number, which follows the others.
    fn operand(&self, number: usize) -> String {
        self.policy.map_or_else(String::new, |_| format!(", ${number}"))
    }
}

/// `tt.load`.
pub(super) fn emit_load<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = LoadOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no load"))?;
    keep_loads_before(&mut emitter.code, op)?;
    match joined::part_of(op) {
        Part::Alone => {}
        Part::First(group) => return joined::emit_loads(emitter, &group),
        Part::Later => return Ok(()),
    }
    let result = view.result();
    let element = emitter.element_ty(result.ty())?;
    let pointers = emitter.registers(view.ptr())?;
    let mask = view.mask().map(|mask| emitter.registers(mask)).transpose()?;
    let other = view.other().map(|other| emitter.registers(other)).transpose()?;
    let registers = if result.ty().is_tensor() { emitter.tensor(result.ty())?.registers } else { 1 };
    let mut load = Load::of(emitter, view, access_width(op, element, registers))?;
    if !result.ty().is_tensor() {
        let other = other.map(|other| other.get(0));
        let is_of_first = op.attr(FIRST_THREAD).is_some();
        let first = is_of_first.then(|| is_first_thread(emitter));
        let mask = with_mask(emitter, mask.map(|mask| mask.get(0)), first);
        let value = load.emit(emitter, pointers.get(0), mask, &[other], 1)?;
        emitter.define_scalar(result, value[0]);
        return Ok(());
    }
    if is_late(op) {
        load.order = Order::Late;
    }
    let tensor = emitter.tensor(result.ty())?;
    let pointers = with_terms_last(emitter, pointers);
    let width = access_width(op, element, tensor.registers);
    let access_of = |run: &[usize]| Access {
        pointer: pointers.get(run[0]),
        mask: mask.as_ref().map(|mask| mask.get(run[0])),
        others: run.iter().map(|register| other.as_ref().map(|other| other.get(*register))).collect(),
    };
    let mut values: Vec<Option<Reg>> = vec![None; tensor.registers];
    let splat = pointers.splat().is_some()
        && mask.as_ref().is_none_or(|mask| mask.splat().is_some())
        && other.as_ref().is_none_or(|other| other.splat().is_some());
    // Elements known to be equal are loaded once.
    let mut done: FxHashMap<Access, Vec<Reg>> = FxHashMap::default();
    if !load.volatile && load.order != Order::Late && !splat {
        let of_own = tensor.runs(width).into_iter().filter(|run| tensor.canonical(run[0]) == run[0]);
        let accesses: Vec<Access> = of_own.map(|run| access_of(&run)).collect();
        done = load.emit_neighbours(emitter, accesses)?;
    }
    for run in tensor.runs(width) {
        let canonical = tensor.canonical(run[0]);
        if canonical != run[0] {
            run.iter().for_each(|register| values[*register] = values[canonical | (register ^ run[0])]);
            continue;
        }
        let access = access_of(&run);
        let known = (!load.volatile).then(|| done.get(&access).cloned()).flatten();
        let loaded = match known {
            Some(loaded) => loaded,
            None => load.emit(emitter, access.pointer, access.mask, &access.others, run.len())?,
        };
        done.insert(access, loaded.clone());
        if splat {
            emitter.define(result, Registers::Splat(loaded[0]));
            return Ok(());
        }
        run.iter().zip(loaded).for_each(|(register, value)| values[*register] = Some(value));
    }
    let values: Option<Vec<Reg>> = values.into_iter().collect();
    let values = values.ok_or_else(|| emitter.bug(op, "a register is not loaded"))?;
    emitter.define(result, values.into());
    Ok(())
}

/// Each access stands where its elements are needed. What hands the block on to another one needs all of it.
fn is_late(op: Op<'_>) -> bool {
    let are_here = || {
        let users = op.result(0).users();
        users.iter().all(|(user, _)| user.block() == op.block() && !user.is_terminator())
    };
    op.attr(LATE).is_some() && are_here()
}

/// Consecutive elements from global memory, one per entry of `others`, which says what masked-off ones are.
pub(super) fn load_elements(
    emitter: &mut Emitter<'_, '_>,
    element: Ty,
    pointer: Reg,
    mask: Option<Reg>,
    others: &[Option<Reg>],
) -> Result<Vec<Reg>> {
    let load = Load { element, caching: Caching::DEFAULT, volatile: false, order: Order::Free, align: element.bytes() };
    load.emit(emitter, pointer, mask, others, others.len())
}

/// Where a load stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Where LLVM moves it, if it has no mask.
    Free,
    /// Where the program has it.
    Kept,
    /// Where its elements are needed first.
    Late,
}

pub(super) struct Load {
    element: Ty,
    caching: Caching,
    volatile: bool,
    order: Order,
    align: u32,
}

impl Load {
    /// An access of a load that moves `width` elements.
    pub(super) fn of<'c>(emitter: &mut Emitter<'c, '_>, view: LoadOp<'c>, width: usize) -> Result<Self> {
        let element = emitter.element_ty(view.result().ty())?;
        Ok(Self {
            element,
            caching: Caching::of_load(emitter, view, element.bytes() * width as u32),
            volatile: view.is_volatile(),
            order: if is_beside_slow_path(emitter, view.op) { Order::Kept } else { Order::Free },
            align: emitter.element_ty(view.ptr().ty().pointee().unwrap_or(view.result().ty()))?.bytes(),
        })
    }

    /// Loads what accesses have beside each other: the values of each access that came with others.
    fn emit_neighbours(
        &self,
        emitter: &mut Emitter<'_, '_>,
        accesses: Vec<Access>,
    ) -> Result<FxHashMap<Access, Vec<Reg>>> {
        let mut done = FxHashMap::default();
        for group in neighbours::groups(&emitter.code, self.align, accesses) {
            let Some(first) = group.first() else { continue };
            let (pointer, mask, width) = (first.pointer, first.mask, first.others.len());
            let others: Vec<Option<Reg>> = group.iter().flat_map(|access| access.others.iter().copied()).collect();
            let values = self.emit(emitter, pointer, mask, &others, others.len())?;
            done.extend(group.into_iter().zip(values.chunks(width).map(<[Reg]>::to_vec)));
        }
        Ok(done)
    }

    /// Loads `width` consecutive elements. Without `other` masked-off elements are zero, which is as good as any value.
    pub(super) fn emit(
        &self,
        emitter: &mut Emitter<'_, '_>,
        pointer: Reg,
        mask: Option<Reg>,
        other: &[Option<Reg>],
        width: usize,
    ) -> Result<Vec<Reg>> {
        let code = &mut emitter.code;
        let words = Words::of(stored_type(self.element), width);
        let mask = mask.filter(|mask| mask.constant() != Some(-1));
        let others: Vec<Reg> =
            other.iter().map(|other| to_stored(code, other.unwrap_or(code.zero(self.element)))).collect();
        let initial = words.pack(code, &others);
        let loaded = if mask.and_then(Reg::constant) == Some(0) {
            initial
        } else if mask.is_none() && self.caching.is_default() && (self.volatile || self.order == Order::Free) {
            let align = self.align * width as u32;
            let value = code.load(words.vector(), pointer, MemoryAccess { align, volatile: self.volatile })?;
            (0..words.count).map(|index| code.extract(value, index as u8)).collect()
        } else {
            self.predicated(code, pointer, mask, &initial, &words)?
        };
        Ok(loaded.into_iter().flat_map(|word| from_word(code, word, self.element)).collect())
    }

    fn predicated(
        &self,
        code: &mut crate::code::Code<'_>,
        pointer: Reg,
        mask: Option<Reg>,
        initial: &[Reg],
        words: &Words,
    ) -> Result<Vec<Reg>> {
        let count = words.count;
        let (bits, volatile) = (words.word.bits(), if self.volatile { ".volatile" } else { "" });
        let register_ty = if bits < 16 { Ty::Int(16) } else { words.word };
        let initial: Vec<Reg> = initial.iter().map(|reg| code.zext(*reg, register_ty)).collect();
        let caching = if self.volatile { &Caching::DEFAULT } else { &self.caching };
        let mut text = String::new();
        let zero = initial.iter().all(|reg| reg.constant() == Some(0));
        // `mov` has no 8-bit form; such a value lies in a 16-bit register.
        for output in (0..count).filter(|_| zero && mask.is_some()) {
            text.push_str(&format!("mov.u{} ${output}, 0x0;\n\t", register_ty.bits()));
        }
        let list = Asm::word_or_vector(0, count);
        let tied = if zero || mask.is_none() { 0 } else { count };
        let pointer_at = count + tied;
        if mask.is_some() {
            text.push_str(&format!("@${} ", pointer_at + 1));
        }
        text.push_str(&format!(
            "ld{volatile}.global{}{} {list}, [ ${pointer_at} + {} ]{};",
            caching.qualifiers,
            words.suffix(),
            pointer.offset(),
            caching.operand(pointer_at + 1 + usize::from(mask.is_some())),
        ));
        let mut asm = Asm::new(text).outputs(register_ty, count);
        for (output, reg) in initial.iter().enumerate().take(tied) {
            asm = asm.tied(output, *reg);
        }
        asm = asm.input(pointer.base());
        if let Some(mask) = mask {
            asm = asm.input(mask);
        }
        if let Some(policy) = caching.policy {
            asm = asm.input(policy);
        }
        let loaded = if self.order == Order::Late { code.asm_late(asm) } else { code.asm(asm)? };
        Ok(loaded.into_iter().map(|reg| code.trunc(reg, words.word)).collect())
    }
}

/// `tt.store`.
pub(super) fn emit_store<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let view = StoreOp::cast(op).ok_or_else(|| emitter.bug(op, "it is no store"))?;
    match joined::part_of(op) {
        Part::Alone => store_alone(emitter, view),
        Part::First(group) => joined::emit_stores(emitter, &group),
        Part::Later => Ok(()),
    }
}

/// A store that is joined with no other one.
pub(super) fn store_alone<'c>(emitter: &mut Emitter<'c, '_>, view: StoreOp<'c>) -> Result<()> {
    let op = view.op;
    let (pointers, values) = (emitter.registers(view.ptr())?, emitter.registers(view.value())?);
    let mask = view.mask().map(|mask| emitter.registers(mask)).transpose()?;
    let store = Store::of(emitter, view);
    let element = emitter.element_ty(view.value().ty())?;
    if !view.ptr().ty().is_tensor() {
        let first = stores_numbers(emitter);
        let mask = with_mask(emitter, mask.map(|mask| mask.get(0)), Some(first));
        return store.emit(emitter, pointers.get(0), mask, &[values.get(0)]);
    }
    let tensor = emitter.tensor(view.ptr().ty())?;
    let pointers = with_terms_last(emitter, pointers);
    let width = access_width(op, element, tensor.registers);
    let writes = emitter.writes(&tensor);
    // Registers with a redundant bit repeat others.
    let runs = tensor.runs(width).into_iter().filter(|run| run[0] & tensor.free_registers as usize == 0);
    let runs: Vec<Vec<usize>> = runs.collect();
    let stored: Vec<Reg> = runs.iter().flatten().map(|register| values.get(*register)).collect();
    emitter.code.compute_sharing(&stored)?;
    for run in runs {
        let run_values: Vec<Reg> = run.iter().map(|register| values.get(*register)).collect();
        let mask = with_mask(emitter, mask.as_ref().map(|mask| mask.get(run[0])), writes);
        store.emit(emitter, pointers.get(run[0]), mask, &run_values)?;
    }
    Ok(())
}

/// This thread stores the numbers of its program: it is the first one.
///
/// Behind `%tid.x == 0` ptxas makes a branch of every two or three stores, and of those behind a comparison of the bits of `%tid.x` none. The branches
/// cost as much as the stores, so kernels of many have the comparison, which LLVM would simplify.
pub(super) fn stores_numbers(emitter: &mut Emitter<'_, '_>) -> Reg {
    if !emitter.settings.has_many_numbers {
        return is_first_thread(emitter);
    }
    let (thread, last) = (emitter.threads().thread, 32 * emitter.settings.num_warps - 1);
    let (bits, zero) = (emitter.code.i32(last.into()), emitter.code.i32(0));
    let number = emitter.code.pure_asm("and.b32 $0, $1, $2;", Ty::I32, &[thread, bits]);
    emitter.code.icmp(IntTest::Eq, number, zero)
}

/// Whether a kernel stores many numbers that are in no tensor.
pub(crate) fn has_many_numbers(kernel: Op<'_>) -> bool {
    let is_number = |op: &Op<'_>| StoreOp::cast(*op).is_some_and(|store| !store.ptr().ty().is_tensor());
    kernel.descendants().iter().filter(|op| is_number(op)).count() >= MANY_NUMBERS
}

/// Stores of numbers that are many. Kernels of 22 and 44 ran 6 % faster with the comparison on an H200, those of fewer as before.
const MANY_NUMBERS: usize = 8;

/// The pointers of an access, with what does not change in a loop around it added last.
pub(super) fn with_terms_last(emitter: &mut Emitter<'_, '_>, pointers: Registers) -> Registers {
    match pointers {
        Registers::Splat(_) => pointers,
        Registers::Each(each) => Registers::Each(emitter.code.with_terms_last(each.to_vec()).into()),
    }
}

/// Both conditions; `None` is true.
pub(super) fn with_mask(emitter: &mut Emitter<'_, '_>, a: Option<Reg>, b: Option<Reg>) -> Option<Reg> {
    match (a, b) {
        (Some(a), Some(b)) => Some(emitter.code.and(a, b)),
        (a, b) => a.or(b),
    }
}

pub(super) struct Store {
    caching: Caching,
}

impl Store {
    pub(super) fn of<'c>(emitter: &mut Emitter<'c, '_>, view: StoreOp<'c>) -> Self {
        Self { caching: Caching::of_store(emitter, view) }
    }

    /// Stores values in consecutive elements.
    pub(super) fn emit(
        &self,
        emitter: &mut Emitter<'_, '_>,
        pointer: Reg,
        mask: Option<Reg>,
        values: &[Reg],
    ) -> Result<()> {
        let code = &mut emitter.code;
        let mask = mask.filter(|mask| mask.constant() != Some(-1));
        if mask.and_then(Reg::constant) == Some(0) {
            return Ok(());
        }
        let values: Vec<Reg> = values.iter().map(|value| to_stored(code, *value)).collect();
        let words = Words::of(values[0].ty(), values.len());
        let packed = words.pack(code, &values);
        if mask.is_none() && self.caching.is_default() {
            let align = words.bytes();
            let value = if words.count > 1 { code.pack(&packed, words.vector()) } else { packed[0] };
            return code.store(value, pointer, MemoryAccess { align, volatile: false });
        }
        let wide: Vec<Reg> = packed
            .iter()
            .map(|word| if word.ty().bits() < 16 { code.zext(*word, Ty::Int(16)) } else { *word })
            .collect();
        let count = words.count;
        let list = Asm::word_or_vector(1, count);
        let predicate = if mask.is_some() { format!("@${} ", count + 1) } else { String::new() };
        let Caching { qualifiers, policy } = &self.caching;
        let operand = self.caching.operand(count + 1 + usize::from(mask.is_some()));
        let text = format!(
            "{predicate}st.global{qualifiers}{} [ $0 + {} ], {list}{operand};",
            words.suffix(),
            pointer.offset()
        );
        let mut asm = Asm::new(text).input(pointer.base()).inputs(&wide);
        if let Some(mask) = mask {
            asm = asm.input(mask);
        }
        if let Some(policy) = policy {
            asm = asm.input(*policy);
        }
        code.asm(asm)?;
        Ok(())
    }
}
