//! Accesses that `join-accesses` has found to be neighbours, as wide as what they reach together.
//!
//! Elements of a thread are joined where their addresses are the same register plus constants that follow each other, under the same mask, and where
//! the first is known to be aligned. An element that several loads ask for is loaded once.

use super::mbarrier::is_first_thread;
use super::memory::{Load, Store, access_width, store_alone, stores_numbers, with_mask, with_terms_last};
use super::{Emitter, Registers};
use crate::code::Reg;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::attributes::{FIRST_THREAD, JOINED};
use tk_ir::ops::{LoadOp, StoreOp};
use tk_ir::{Op, Value};

/// Bytes of the widest access.
const WIDEST: u64 = 16;

/// What an access is to those around it.
pub(super) enum Part<'c> {
    Alone,
    /// The first of these, which are side by side in their block.
    First(Vec<Op<'c>>),
    /// One of a group whose first has been emitted, and with it the others.
    Later,
}

/// The group of an access.
pub(super) fn part_of(op: Op<'_>) -> Part<'_> {
    let Some(number) = number_of(op) else { return Part::Alone };
    let belongs = |other: &Op<'_>| {
        other.kind() == op.kind() && number_of(*other) == Some(number) && other.operand(0).ty() == op.operand(0).ty()
    };
    if op.prev().is_some_and(|before| belongs(&before)) {
        return Part::Later;
    }
    let group: Vec<Op<'_>> = std::iter::successors(Some(op), |op| op.next().filter(belongs)).collect();
    if group.len() > 1 { Part::First(group) } else { Part::Alone }
}

fn number_of(op: Op<'_>) -> Option<i64> {
    op.attr(JOINED)?.as_ints()?.first().copied()
}

/// Where an element is: a register and a constant.
struct Element {
    pointer: Reg,
    mask: Option<Reg>,
    /// What is loaded where the mask is false, or what is stored.
    value: Option<Reg>,
    /// Operations of the group and their registers that it belongs to.
    holders: Vec<(usize, usize)>,
}

/// Elements of a group.
#[derive(Default)]
struct Elements {
    all: Vec<Element>,
    /// Where to find them.
    known: FxHashMap<(Reg, Option<Reg>, Option<Reg>), usize>,
    /// Of addresses without their constants: a power of two and a constant with which it divides them.
    aligned: FxHashMap<Reg, (u64, i64)>,
}

/// Registers of one access of a group.
struct Operands {
    pointers: Registers,
    mask: Option<Registers>,
    /// What `others` or stored values are.
    values: Option<Registers>,
    /// The threads that access it, where others have no need to.
    threads: Option<Reg>,
    bytes: i64,
}

impl Elements {
    /// Adds the registers of a tensor, or the one of a scalar, that no others repeat.
    fn add<'c>(&mut self, emitter: &mut Emitter<'c, '_>, at: usize, op: Op<'c>, operands: &Operands) -> Result<()> {
        let Operands { pointers, mask, values, threads, bytes } = operands;
        let joined = op.attr(JOINED).and_then(|joined| joined.as_ints()).unwrap_or_default();
        let (length, divisor) = if let [_, length, divisor] = joined[..] { (length, divisor) } else { (1, 1) };
        let (runs, aligned) = if op.operand(0).ty().is_tensor() {
            let tensor = emitter.tensor(op.operand(0).ty())?;
            let element = emitter.element_ty(op.operand(0).ty().pointee().unwrap_or(op.operand(0).ty()))?;
            let width = access_width(op, element, tensor.registers);
            let length = (length.max(1) as usize).min(tensor.registers);
            let runs = tensor.runs(width).into_iter().filter(|run| tensor.canonical(run[0]) == run[0]);
            (runs.collect(), tensor.runs(1 << length.ilog2()))
        } else {
            (vec![vec![0]], vec![vec![0]])
        };
        for run in aligned {
            self.align(pointers.get(run[0]), divisor.max(1) as u64);
        }
        for run in runs {
            let pointer = pointers.get(run[0]);
            let mask = with_mask(emitter, mask.as_ref().map(|mask| mask.get(run[0])), *threads);
            self.align(pointer, *bytes as u64 * run.len() as u64);
            for (index, register) in run.into_iter().enumerate() {
                let pointer = pointer.with_offset(pointer.offset().wrapping_add(index as i64 * bytes));
                let value = values.as_ref().map(|values| values.get(register));
                self.add_element(Element { pointer, mask, value, holders: vec![(at, register)] });
            }
        }
        Ok(())
    }

    fn add_element(&mut self, element: Element) {
        let key = (element.pointer, element.mask, element.value);
        match self.known.get(&key) {
            Some(at) => self.all[*at].holders.extend(element.holders),
            None => {
                self.known.insert(key, self.all.len());
                self.all.push(element);
            }
        }
    }

    fn align(&mut self, pointer: Reg, divisor: u64) {
        let known = self.aligned.entry(pointer.base()).or_insert((1, 0));
        if divisor > known.0 {
            *known = (divisor, pointer.offset());
        }
    }

    fn is_aligned(&self, pointer: Reg, bytes: u64) -> bool {
        self.aligned.get(&pointer.base()).is_some_and(|(divisor, at)| {
            *divisor >= bytes && pointer.offset().wrapping_sub(*at).rem_euclid(bytes as i64) == 0
        })
    }

    /// Stores may change places: those that meet are of one operation, whose elements have no order.
    fn may_change_places(&self, bytes: i64) -> bool {
        self.are_apart() || self.have_own_places(bytes)
    }

    /// No two operations store to one address, in any thread. All addresses are cut into blocks of one size, a power of two, that starts at multiples of it,
    /// and each place in a block is written by elements of one operation only, whichever block it is: fields of records, of which a thread has several.
    fn have_own_places(&self, bytes: i64) -> bool {
        let known = |element: &Element| self.aligned.get(&element.pointer.base()).map(|(divisor, _)| *divisor);
        let size = self.all.iter().map(known).min().flatten().and_then(|size| i64::try_from(size).ok());
        let Some(size) = size.filter(|size| bytes > 0 && *size >= bytes && size % bytes == 0) else { return false };
        let mut owners: FxHashMap<i64, usize> = FxHashMap::default();
        self.all.iter().all(|element| {
            let Some((_, at)) = self.aligned.get(&element.pointer.base()) else { return false };
            let place = element.pointer.offset().wrapping_sub(*at).rem_euclid(size);
            let [(owner, _)] = element.holders[..] else { return false };
            place % bytes == 0 && *owners.entry(place).or_insert(owner) == owner
        })
    }

    /// No two elements that are stored have one address, in any thread: those of a thread are different, and lie in one block, whose size is a power of
    /// two that divides its address in every thread. Blocks of other threads are other blocks, or this one with the same elements. Then stores may
    /// change places.
    fn are_apart(&self) -> bool {
        let mut addresses = FxHashSet::default();
        let mut blocks: FxHashMap<Reg, i64> = FxHashMap::default();
        self.all.iter().all(|element| {
            let base = element.pointer.base();
            let Some((divisor, at)) = self.aligned.get(&base) else { return false };
            let block = element.pointer.offset().wrapping_sub(*at).div_euclid(*divisor as i64);
            element.holders.len() == 1
                && addresses.insert(element.pointer)
                && *blocks.entry(base).or_insert(block) == block
        })
    }

    /// The elements in accesses as wide as they can be.
    fn accesses(self, bytes: i64) -> Vec<Vec<Element>> {
        let mut first = FxHashMap::default();
        for (at, element) in self.all.iter().enumerate() {
            first.entry((element.pointer.base(), element.mask)).or_insert(at);
        }
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|at| {
            let element = &self.all[*at];
            (first.get(&(element.pointer.base(), element.mask)), element.pointer.offset(), *at)
        });
        let mut accesses: Vec<Vec<usize>> = Vec::new();
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (access, others) = rest.split_at(self.width_of(rest, bytes));
            accesses.push(access.to_vec());
            rest = others;
        }
        let mut all: Vec<Option<Element>> = self.all.into_iter().map(Some).collect();
        accesses.into_iter().map(|access| access.into_iter().filter_map(|at| all[at].take()).collect()).collect()
    }

    /// How many of the first of these elements are one access.
    fn width_of(&self, order: &[usize], bytes: i64) -> usize {
        let first = &self.all[order[0]];
        let follows = |(index, at): (usize, &usize)| {
            let element = &self.all[*at];
            element.mask == first.mask
                && element.pointer.base() == first.pointer.base()
                && element.pointer.offset() == first.pointer.offset().wrapping_add(index as i64 * bytes)
        };
        let most = WIDEST as usize / bytes.max(1) as usize;
        let side_by_side = order.iter().enumerate().take(most).take_while(|place| follows(*place)).count();
        let mut width = 1 << side_by_side.max(1).ilog2();
        while width > 1 && !self.is_aligned(first.pointer, width as u64 * bytes as u64) {
            width /= 2;
        }
        width
    }
}

/// Emits the loads of a group.
pub(super) fn emit_loads<'c>(emitter: &mut Emitter<'c, '_>, group: &[Op<'c>]) -> Result<()> {
    let views: Option<Vec<LoadOp<'c>>> = group.iter().map(|op| LoadOp::cast(*op)).collect();
    let views = views.ok_or_else(|| emitter.bug(group[0], "it is joined with what is no load"))?;
    let bytes = bytes_of(emitter, views[0].ptr())?;
    let mut elements = Elements::default();
    for (at, view) in views.iter().enumerate() {
        let pointers = emitter.registers(view.ptr())?;
        let operands = Operands {
            pointers: with_terms_last(emitter, pointers),
            mask: view.mask().map(|mask| emitter.registers(mask)).transpose()?,
            values: view.other().map(|other| emitter.registers(other)).transpose()?,
            threads: view.op.attr(FIRST_THREAD).map(|_| is_first_thread(emitter)),
            bytes,
        };
        elements.add(emitter, at, view.op, &operands)?;
    }
    let mut values: FxHashMap<(usize, usize), Reg> = FxHashMap::default();
    for access in elements.accesses(bytes) {
        let load = Load::of(emitter, views[0], access.len())?;
        let others: Vec<Option<Reg>> = access.iter().map(|element| element.value).collect();
        let loaded = load.emit(emitter, access[0].pointer, access[0].mask, &others, access.len())?;
        for (element, value) in access.into_iter().zip(loaded) {
            values.extend(element.holders.into_iter().map(|holder| (holder, value)));
        }
    }
    for (at, view) in views.into_iter().enumerate() {
        let result = view.result();
        let value_of = |register: usize| values.get(&(at, register)).copied();
        let missing = || crate::code::bug("a register is not loaded");
        if !result.ty().is_tensor() {
            emitter.define_scalar(result, value_of(0).ok_or_else(missing)?);
            continue;
        }
        let tensor = emitter.tensor(result.ty())?;
        let registers = (0..tensor.registers).map(|register| value_of(tensor.canonical(register)));
        let registers: Option<Vec<Reg>> = registers.collect();
        emitter.define(result, registers.ok_or_else(missing)?.into());
    }
    Ok(())
}

/// Emits the stores of a group.
pub(super) fn emit_stores<'c>(emitter: &mut Emitter<'c, '_>, group: &[Op<'c>]) -> Result<()> {
    let views: Option<Vec<StoreOp<'c>>> = group.iter().map(|op| StoreOp::cast(*op)).collect();
    let views = views.ok_or_else(|| emitter.bug(group[0], "it is joined with what is no store"))?;
    let bytes = bytes_of(emitter, views[0].ptr())?;
    let mut elements = Elements::default();
    for (at, view) in views.iter().enumerate() {
        let pointers = emitter.registers(view.ptr())?;
        let threads = if view.ptr().ty().is_tensor() {
            let tensor = emitter.tensor(view.ptr().ty())?;
            emitter.writes(&tensor)
        } else {
            Some(stores_numbers(emitter))
        };
        let operands = Operands {
            pointers: with_terms_last(emitter, pointers),
            mask: view.mask().map(|mask| emitter.registers(mask)).transpose()?,
            values: Some(emitter.registers(view.value())?),
            threads,
            bytes,
        };
        elements.add(emitter, at, view.op, &operands)?;
    }
    if !elements.may_change_places(bytes) {
        return views.into_iter().try_for_each(|view| store_alone(emitter, view));
    }
    let stored: Vec<Reg> = elements.all.iter().filter_map(|element| element.value).collect();
    emitter.code.compute_sharing(&stored)?;
    for access in elements.accesses(bytes) {
        let store = Store::of(emitter, views[0]);
        let values: Vec<Reg> = access.iter().filter_map(|element| element.value).collect();
        store.emit(emitter, access[0].pointer, access[0].mask, &values)?;
    }
    Ok(())
}

/// Bytes of an element in memory.
fn bytes_of<'c>(emitter: &Emitter<'c, '_>, pointer: Value<'c>) -> Result<i64> {
    super::memory::pointee_bytes(emitter, pointer.ty()).map(i64::from)
}
