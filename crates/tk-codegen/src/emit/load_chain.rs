//! What a block adds up of many loads is computed where it stands, as long as more of them follow.
//!
//! Computations become instructions when an effect needs them. A convolution loads a block for each of its taps, and the store behind the last one needs
//! their sum. All that was loaded would live until then, and ptxas, which keeps that order, would issue every load before the first sum: one warp that adds up
//! four blocks of 16 x 64 halves took 249 registers, and with each sum where the program has it 128 (docs/measurements.md, "Taps are added up as they are
//! loaded").
//!
//! True for blocks without products in which at least [`LEAST_LOADS`] loads lead to one value, element by element and each by one way, and bring half of the
//! registers that a thread can have. An operation is computed there if others of these loads follow, and its result takes no more registers than those
//! that lead to it. Where all loads stand before what is computed on them, nothing is computed earlier: the order of the store lets go of an element at
//! a time.

use crate::beside_products::is_product;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_diag::Result;
use tk_ir::attributes::{JOINED, LATE, VECTOR};
use tk_ir::{Block, Op, OpKind, Type, Value};

/// Loads that lead to one value, at least. Of two the second one is there when the first can be computed on.
const LEAST_LOADS: usize = 3;
/// Bits of a register.
const REGISTER_BITS: usize = 32;

/// The operations of a block that are computed where they stand.
pub(super) struct LoadChain {
    sums: FxHashSet<usize>,
}

/// What a thread has of a tensor.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub(super) elements: usize,
    /// Of an element.
    pub(super) bits: usize,
}

/// How much of a tensor a thread has.
type HeldOf<'h, 'c> = &'h mut dyn FnMut(Type<'c>) -> Result<Held>;

impl LoadChain {
    /// Of a block that adds up what it loads; `None` where nothing is computed earlier. `most` are the registers that a thread can have.
    pub(super) fn of<'c>(block: Block<'c>, most: usize, held: HeldOf<'_, 'c>) -> Result<Option<Self>> {
        let ops = block.ops();
        let loads = ops.iter().filter(|op| is_load(**op)).count();
        if loads < LEAST_LOADS || ops.iter().any(is_product) {
            return Ok(None);
        }
        let terms = Terms::of(&ops, held)?;
        let sums = terms.sums(&ops, most, held)?;
        Ok((!sums.is_empty()).then_some(Self { sums }))
    }

    /// Whether an operation is computed as soon as it stands there.
    pub(super) fn has(&self, op: Op<'_>) -> bool {
        self.sums.contains(&op.id())
    }
}

/// A load, and the registers of a thread that it brings.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Term {
    /// Its place in the block.
    place: usize,
    registers: usize,
}

/// What loads lead to values of a block, element by element, each by one way.
#[derive(Default)]
struct Terms {
    /// In order, by value.
    of: FxHashMap<usize, Vec<Term>>,
}

/// All loads that lead to what a value leads to.
#[derive(Clone, Copy, Default)]
struct Whole {
    loads: usize,
    registers: usize,
    /// Place of the last one.
    last: usize,
}

impl Whole {
    fn of(terms: &[Term]) -> Self {
        Self { loads: terms.len(), registers: registers_of(terms), last: terms.last().map_or(0, |term| term.place) }
    }
}

fn registers_of(terms: &[Term]) -> usize {
    terms.iter().map(|term| term.registers).sum()
}

impl Terms {
    fn of<'c>(ops: &[Op<'c>], held: HeldOf<'_, 'c>) -> Result<Self> {
        let mut terms = Self::default();
        for (place, op) in ops.iter().copied().enumerate() {
            let led = if is_load(op) {
                vec![Term { place, registers: registers_loaded(op, held(op.result(0).ty())?) }]
            } else {
                terms.leading_to(op)
            };
            if !led.is_empty() {
                terms.of.insert(op.result(0).id(), led);
            }
        }
        Ok(terms)
    }

    /// The loads that lead to the result of an operation that computes element by element. What is used again elsewhere lives on, so it does not count.
    fn leading_to(&self, op: Op<'_>) -> Vec<Term> {
        if op.num_results() != 1 || op.num_regions() > 0 || !op.is_memory_effect_free() {
            return Vec::new();
        }
        let result = op.result(0);
        let operands = op.operands().into_iter().filter(|operand| operand.has_one_use() && is_alike(*operand, result));
        let mut terms: Vec<Term> =
            operands.filter_map(|operand| self.of.get(&operand.id())).flatten().copied().collect();
        terms.sort_unstable_by_key(|term| term.place);
        terms.dedup();
        terms
    }

    /// The operations that are computed where they stand.
    fn sums<'c>(&self, ops: &[Op<'c>], most: usize, held: HeldOf<'_, 'c>) -> Result<FxHashSet<usize>> {
        let mut wholes: FxHashMap<usize, Whole> = FxHashMap::default();
        let mut sums = FxHashSet::default();
        for (place, op) in ops.iter().copied().enumerate().rev().filter(|(_, op)| op.num_results() == 1) {
            let result = op.result(0);
            let Some(terms) = self.of.get(&result.id()) else { continue };
            let behind = if result.has_one_use() { result.users() } else { Vec::new() };
            let whole = behind.first().and_then(|(user, _)| wholes.get(&user.id()).copied());
            let whole = whole.unwrap_or_else(|| Whole::of(terms));
            wholes.insert(op.id(), whole);
            let is_long = whole.loads >= LEAST_LOADS && 2 * whole.registers >= most;
            if is_long && !is_load(op) && whole.last > place {
                let Held { elements, bits } = held(result.ty())?;
                let bits = elements * bits;
                if bits.div_ceil(REGISTER_BITS) <= registers_of(terms) {
                    sums.insert(op.id());
                }
            }
        }
        Ok(sums)
    }
}

/// Both have the same elements in the same places.
fn is_alike(operand: Value<'_>, result: Value<'_>) -> bool {
    let (of, to) = (operand.ty(), result.ty());
    of.is_tensor() && to.is_tensor() && of.encoding() == to.encoding() && of.shape() == to.shape()
}

/// A load of a tensor whose accesses stand where the program has it.
fn is_load(op: Op<'_>) -> bool {
    op.kind() == OpKind::TtLoad && op.result(0).ty().is_tensor() && op.attr(LATE).is_none()
}

/// Registers that a thread needs for what a load brings: neighbours of one access share them, and so may those of loads that are one access.
fn registers_loaded(load: Op<'_>, held: Held) -> usize {
    let bits = held.bits.max(1);
    let share = REGISTER_BITS.div_ceil(bits);
    let neighbours = load.int_attr(VECTOR).and_then(|width| usize::try_from(width).ok()).unwrap_or(1).max(1);
    let together = if load.attr(JOINED).is_some() { share } else { neighbours.min(share) };
    held.elements.div_ceil(together) * bits.div_ceil(REGISTER_BITS)
}
