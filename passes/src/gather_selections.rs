//! Looks numbers up in tables that a program searches with a selection for each entry.
//!
//! Where a table is small, the search is often written out at compile time:
//!
//! ```text
//! for c in tl.static_range(256): result = tl.where(index == c, tl.load(table + c).to(tl.float32), result)
//! ```
//!
//! That is a load for each entry, and a comparison and a selection for each entry and element. All entries are loaded, so any of them may be: an
//! element loads its own one, `table + index`, under a mask that says that there is one. Elsewhere it is what the chain began with.
//!
//! True for [`FEWEST_ENTRIES`] selections or more of one block, each used by the next one only, that compare one tensor of integers with numbers that
//! follow each other. What they select was loaded without a mask, from equal distances, and went through the same casts. The loads stand in that block, too, and
//! nothing between the first of them and the last selection writes memory, or is what threads wait at. Offsets of 32 bits wrap around as they did.
//!
//! 1. Read selections as entries ([`Entry`]), and pointers as sums ([`Place`]).  2. Ask whether they are a table ([`Table`]).  3. Look up.
//! 4. Erase what nobody uses then, loads as well.

use crate::analysis::ranges::Ranges;
use crate::{Pass, PassContext};
use rustc_hash::FxHashSet;
use tk_diag::Result;
use tk_ir::ops::{CacheModifier, CmpI, EvictionPolicy, LoadOp};
use tk_ir::{AccessHints, Builder, Module, Op, OpKind, Value};

/// The pass.
pub const PASS: Pass =
    Pass { name: "gather-selections", summary: "look up at once what a chain of selections searches", run };

/// Selections that are worth a load.
const FEWEST_ENTRIES: usize = 8;
/// Selections of a chain.
const MOST_ENTRIES: usize = 4096;
/// Casts of an entry.
const MOST_CASTS: usize = 4;
/// Operations between the first load and the last selection.
const MOST_BETWEEN: usize = 1 << 15;
/// Operations that compute a pointer, or one of its offsets, and are looked through.
const MOST_STEPS: usize = 16;

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let mut seen = FxHashSet::default();
        let mut replaced = Vec::new();
        // The last selection of a chain comes before the others.
        for op in function.descendants().into_iter().rev() {
            if op.kind() != OpKind::ArithSelect || seen.contains(&op) {
                continue;
            }
            let entries = chain_of(op, &mut seen);
            if let Some(table) = Table::of(&entries).filter(|_| is_one_moment(&entries, op)) {
                table.look_up(&entries, op);
                replaced.push(op);
            }
        }
        erase_unused(replaced);
    }
    Ok(())
}

/// What a selection takes where the index is this number.
struct Entry<'c> {
    index: Value<'c>,
    number: i64,
    load: LoadOp<'c>,
    /// What is made of the number that is loaded, in this order.
    casts: Vec<Op<'c>>,
    /// What the selection takes elsewhere.
    rest: Value<'c>,
}

impl<'c> Entry<'c> {
    fn of(selection: Op<'c>) -> Option<Self> {
        let test = selection.operand(0).defining_op().filter(|op| op.kind() == OpKind::ArithCmpI)?;
        let (taken, rest) = match CmpI::from_number(test.int_attr("predicate")?)? {
            CmpI::Eq => (selection.operand(1), selection.operand(2)),
            CmpI::Ne => (selection.operand(2), selection.operand(1)),
            CmpI::Slt | CmpI::Sle | CmpI::Sgt | CmpI::Sge | CmpI::Ult | CmpI::Ule | CmpI::Ugt | CmpI::Uge => {
                return None;
            }
        };
        let (left, right) = (test.operand(0), test.operand(1));
        let (index, number) = match (left.constant_int(), right.constant_int()) {
            (None, Some(number)) => (left, number),
            (Some(number), None) => (right, number),
            _ => return None,
        };
        let is_index = index.ty().is_tensor() && matches!(index.ty().element().int_bits(), Some(8 | 16 | 32 | 64));
        let (load, casts) = loaded(taken)?;
        is_index.then_some(Self { index, number, load, casts, rest })
    }

    /// The same is made of what is loaded.
    fn is_cast_like(&self, other: &Self) -> bool {
        let is_same = |(own, other): (&Op<'c>, &Op<'c>)| {
            own.kind() == other.kind()
                && own.attrs() == other.attrs()
                && own.result(0).ty().element() == other.result(0).ty().element()
        };
        self.casts.len() == other.casts.len() && self.casts.iter().zip(&other.casts).all(is_same)
    }
}

/// The load of a scalar that every element is made from, and the casts that make it.
fn loaded(element: Value<'_>) -> Option<(LoadOp<'_>, Vec<Op<'_>>)> {
    let (mut value, mut casts) = (element, Vec::new());
    let load = loop {
        let op = value.defining_op()?;
        if let Some(load) = LoadOp::cast(op) {
            break load;
        }
        if is_cast(op.kind()) && casts.len() < MOST_CASTS {
            casts.push(op);
        } else if op.kind() != OpKind::TtSplat {
            return None;
        }
        value = op.operand(0);
    };
    casts.reverse();
    let ty = load.result().ty();
    let is_number = !ty.is_tensor() && (ty.is_int() || ty.is_float());
    let is_plain = load.mask().is_none()
        && !load.is_volatile()
        && load.cache() == CacheModifier::None
        && load.eviction() == EvictionPolicy::Normal;
    (is_number && is_plain && load.ptr().ty().is_ptr()).then_some((load, casts))
}

fn is_cast(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(
        kind,
        ArithExtF
            | ArithTruncF
            | ArithExtSI
            | ArithExtUI
            | ArithTruncI
            | ArithSIToFP
            | ArithUIToFP
            | ArithFPToSI
            | ArithFPToUI
            | ArithBitcast
            | TtBitcast
            | TtFpToFp
    )
}

/// The entries of a chain of selections by one index, from its last one back.
fn chain_of<'c>(last: Op<'c>, seen: &mut FxHashSet<Op<'c>>) -> Vec<Entry<'c>> {
    let mut entries: Vec<Entry<'c>> = Vec::new();
    let mut next = Some(last);
    while let Some(selection) = next.filter(|_| entries.len() < MOST_ENTRIES) {
        let is_of_chain = |entry: &Entry<'c>| entries.first().is_none_or(|first| first.index == entry.index);
        let Some(entry) = Entry::of(selection).filter(is_of_chain) else { break };
        seen.insert(selection);
        let rest = entry.rest.defining_op().filter(|_| entry.rest.has_one_use());
        next = rest.filter(|op| op.kind() == OpKind::ArithSelect && op.block() == selection.block());
        entries.push(entry);
    }
    entries
}

/// The loads stand before the last selection in its block, and from the first of them on memory stays as it is.
fn is_one_moment<'c>(entries: &[Entry<'c>], last: Op<'c>) -> bool {
    let mut missing: FxHashSet<Op<'c>> = entries.iter().map(|entry| entry.load.op).collect();
    for op in std::iter::successors(last.prev(), |op| op.prev()).take(MOST_BETWEEN) {
        if missing.remove(&op) && missing.is_empty() {
            return true;
        }
        let is_quiet = LoadOp::cast(op).map_or_else(|| op.is_memory_effect_free(), |load| !load.is_volatile());
        if !is_quiet {
            return false;
        }
    }
    false
}

/// A pointer as a sum of a pointer, offsets, and a number of elements.
#[derive(Clone)]
struct Place<'c> {
    base: Value<'c>,
    offsets: Vec<Offset<'c>>,
    elements: i64,
}

/// An offset `term * factor + number`, which wraps around in the bits of its term. With 64 bits the number is among the elements of the place.
#[derive(Clone)]
struct Offset<'c> {
    term: Value<'c>,
    factor: i64,
    number: i64,
}

impl<'c> Place<'c> {
    fn of(pointer: Value<'c>) -> Option<Self> {
        let mut place = Self { base: pointer, offsets: Vec::new(), elements: 0 };
        for _ in 0..MOST_STEPS {
            let Some(step) = place.base.defining_op().filter(|op| op.kind() == OpKind::TtAddPtr) else { break };
            place.add(step.operand(1))?;
            place.base = step.operand(0);
        }
        Some(place)
    }

    fn add(&mut self, value: Value<'c>) -> Option<()> {
        let mut offset = Offset { term: value, factor: 1, number: 0 };
        for _ in 0..MOST_STEPS {
            if !offset.take_number()? {
                break;
            }
        }
        let bits = value.ty().int_bits().filter(|bits| matches!(bits, 32 | 64))?;
        if let Some(constant) = offset.term.constant_int() {
            let number = offset.number.checked_add(constant.checked_mul(offset.factor)?)?;
            self.elements = self.elements.checked_add(wrapped(number, bits))?;
            return Some(());
        }
        if bits == 64 {
            self.elements = self.elements.checked_add(std::mem::take(&mut offset.number))?;
        }
        self.offsets.push(offset);
        Some(())
    }

    /// Only numbers differ.
    fn is_like(&self, other: &Self) -> bool {
        let is_same = |(own, other): (&Offset<'c>, &Offset<'c>)| own.term == other.term && own.factor == other.factor;
        self.base == other.base
            && self.offsets.len() == other.offsets.len()
            && self.offsets.iter().zip(&other.offsets).all(is_same)
    }

    /// The numbers of its offsets, and that of its elements.
    fn numbers(&self) -> Vec<i64> {
        self.offsets.iter().map(|offset| offset.number).chain([self.elements]).collect()
    }
}

impl<'c> Offset<'c> {
    /// Whether the term was a sum or a product with a number, which is taken out of it. `None` where that is too large.
    fn take_number(&mut self) -> Option<bool> {
        let is_one = |op: &Op<'c>| matches!(op.kind(), OpKind::ArithAddI | OpKind::ArithMulI);
        let Some(op) = self.term.defining_op().filter(is_one) else { return Some(false) };
        let (term, number) = match (op.operand(0).constant_int(), op.operand(1).constant_int()) {
            (_, Some(number)) => (op.operand(0), number),
            (Some(number), None) => (op.operand(1), number),
            (None, None) => return Some(false),
        };
        if op.kind() == OpKind::ArithAddI {
            self.number = self.number.checked_add(number.checked_mul(self.factor)?)?;
        } else {
            self.factor = self.factor.checked_mul(number)?;
        }
        self.term = term;
        Some(true)
    }

    fn make(&self, builder: &mut Builder<'c>) -> Value<'c> {
        let (mut value, ty) = (self.term, self.term.ty());
        if self.factor != 1 {
            let factor = builder.int(ty, self.factor);
            value = builder.binary(OpKind::ArithMulI, value, factor);
        }
        if self.number != 0 {
            let number = builder.int(ty, self.number);
            value = builder.binary(OpKind::ArithAddI, value, number);
        }
        value
    }
}

/// The number that so many of its bits are, with a sign.
fn wrapped(number: i64, bits: u32) -> i64 {
    let cut = 64_u32.saturating_sub(bits);
    (number << cut) >> cut
}

/// Entries at equal distances, for numbers that follow each other.
struct Table<'c> {
    /// Of the first entry.
    place: Place<'c>,
    /// Which of the numbers of the place is another one for other entries.
    varying: usize,
    /// The index of the first entry.
    first: i64,
    /// Elements from an entry to the next one.
    stride: i32,
    entries: i32,
    /// Of the index.
    bits: u32,
}

impl<'c> Table<'c> {
    fn of(entries: &[Entry<'c>]) -> Option<Self> {
        let one = entries.first().filter(|_| entries.len() >= FEWEST_ENTRIES)?;
        let bits = one.index.ty().element().int_bits()?;
        let places = entries.iter().map(|entry| Place::of(entry.load.ptr())).collect::<Option<Vec<Place<'c>>>>()?;
        let mut place = places.first()?.clone();
        if !entries.iter().all(|entry| one.is_cast_like(entry)) || !places.iter().all(|other| place.is_like(other)) {
            return None;
        }
        let numbers: Vec<Vec<i64>> = places.iter().map(Place::numbers).collect();
        let own = place.numbers();
        let varying = (0..own.len()).find(|at| numbers.iter().any(|numbers| numbers[*at] != own[*at]))?;
        let is_only_one = |numbers: &Vec<i64>| (0..own.len()).all(|at| at == varying || numbers[at] == own[at]);
        if !numbers.iter().all(is_only_one) {
            return None;
        }
        let ends = numbers.iter().zip(entries).map(|(numbers, entry)| (numbers[varying], entry.number));
        let (start, first, stride) = row_of(ends.collect(), bits)?;
        let entries = i32::try_from(entries.len()).ok()?;
        stride.checked_mul(entries)?;
        match place.offsets.get_mut(varying) {
            Some(offset) => offset.number = start,
            None => place.elements = start,
        }
        Some(Self { place, varying, first, stride, entries, bits })
    }

    /// Takes for each element its entry in place of what the selection gives.
    fn look_up(&self, entries: &[Entry<'c>], last: Op<'c>) {
        let (Some(one), Some(innermost)) = (entries.first(), entries.last()) else { return };
        let mut builder = Builder::before(last);
        let ty = one.index.ty();
        let mut index = one.index;
        if self.first != 0 {
            let back = builder.int(ty, self.first.wrapping_neg());
            index = builder.binary(OpKind::ArithAddI, index, back);
        }
        let mask = self.mask(index, &mut builder);
        let pointers = self.pointers(index, &mut builder);
        let mut value = builder.load(pointers, mask, None, AccessHints::default()).result();
        for cast in &one.casts {
            let result = ty.with_element(cast.result(0).ty().element());
            value = builder.create(cast.kind(), &[value], &[result], &cast.attrs()).result(0);
        }
        if let Some(mask) = mask {
            value = builder.select(mask, value, innermost.rest);
        }
        last.result(0).replace_all_uses_with(value);
    }

    /// Where there is an entry; `None` where there is one for each index. The index of the first entry is zero.
    fn mask(&self, index: Value<'c>, builder: &mut Builder<'c>) -> Option<Value<'c>> {
        if self.bits < 32 && self.entries == 1 << self.bits {
            return None;
        }
        let entries = builder.int(index.ty(), self.entries.into());
        let mask = builder.cmpi(CmpI::Ult, index, entries);
        let is_always = mask.defining_op().and_then(|op| Ranges::default().outcome(op)) == Some(true);
        (!is_always).then_some(mask)
    }

    /// Where the entries are. The index of the first entry is zero, and others are in range where there is an entry.
    fn pointers(&self, index: Value<'c>, builder: &mut Builder<'c>) -> Value<'c> {
        let context = builder.context();
        let ty = index.ty().with_element(context.i(32));
        let mut steps = match self.bits {
            32 => index,
            64 => builder.cast(OpKind::ArithTruncI, index, ty),
            _ => builder.cast(OpKind::ArithExtUI, index, ty),
        };
        if self.stride != 1 {
            let stride = builder.int(ty, self.stride.into());
            steps = builder.binary(OpKind::ArithMulI, steps, stride);
        }
        let mut pointer = self.place.base;
        for (at, offset) in self.place.offsets.iter().enumerate().rev() {
            let offset = offset.make(builder);
            if at == self.varying {
                let start = builder.splat(offset, ty);
                steps = builder.binary(OpKind::ArithAddI, start, steps);
            } else {
                pointer = builder.addptr(pointer, offset);
            }
        }
        if self.place.elements != 0 {
            let bits = if i32::try_from(self.place.elements).is_ok() { 32 } else { 64 };
            let elements = builder.int(context.i(bits), self.place.elements);
            pointer = builder.addptr(pointer, elements);
        }
        let base = builder.splat(pointer, ty.with_element(pointer.ty()));
        builder.addptr(base, steps)
    }
}

/// Of pairs of a place and the index of the entry there: the place and the index of the first entry, and the distance of the next one. The indices
/// follow each other, as numbers of so many bits.
fn row_of(mut ends: Vec<(i64, i64)>, bits: u32) -> Option<(i64, i64, i32)> {
    let step = |from: (i64, i64), to: (i64, i64)| wrapped(to.1.wrapping_sub(from.1), bits);
    ends.sort_unstable();
    if step(*ends.first()?, *ends.get(1)?) == -1 {
        ends.reverse();
    }
    let ((start, first), next) = (*ends.first()?, *ends.get(1)?);
    let stride = next.0.checked_sub(start).filter(|stride| *stride != 0)?;
    let follows = |pair: &[(i64, i64)]| step(pair[0], pair[1]) == 1 && pair[1].0.checked_sub(pair[0].0) == Some(stride);
    let is_distinct = bits >= 32 || ends.len() <= 1 << bits;
    let is_row = is_distinct && ends.windows(2).all(follows);
    Some((start, first, i32::try_from(stride).ok()?)).filter(|_| is_row)
}

/// Erases these operations, and what only they use.
fn erase_unused(mut pending: Vec<Op<'_>>) {
    while let Some(op) = pending.pop() {
        let is_load = LoadOp::cast(op).is_some_and(|load| !load.is_volatile());
        let may_go = is_load || op.is_memory_effect_free();
        if !may_go || op.num_results() != 1 || op.num_regions() > 0 || op.result(0).has_uses() {
            continue;
        }
        let mut operands = Vec::new();
        for operand in op.operands() {
            if !operands.contains(&operand) {
                operands.push(operand);
            }
        }
        op.erase();
        // With its last use an operation comes here, once.
        pending.extend(operands.into_iter().filter(|operand| !operand.has_uses()).filter_map(Value::defining_op));
    }
}
