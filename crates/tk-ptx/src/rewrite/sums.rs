//! Integers of 32 bits as sums of products of registers.
//!
//! Addition, subtraction, multiplication and shifts to the left wrap around in the machine, and so do sums here. So two registers with one sum are equal, and the
//! difference of two sums is that of their registers, whatever these hold. A bitwise or adds where no bit can be set on both sides. A sum has no registers that are
//! written several times: they may hold other numbers where the next sum is computed.

use super::body::Body;
use crate::{Immediate, Instruction, Operand, Register};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Products with their coefficients, none of them zero. The empty product is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sum(BTreeMap<Vec<Register>, u32>);

/// Definitions that are followed from a register. What lies further back is taken as it is.
const MOST_STEPS: u32 = 24;
/// The same for bits, which are asked for anew each time.
const STEPS_OF_BITS: u32 = 8;
/// Products of a sum. A register with more is taken as it is.
const MOST_PRODUCTS: usize = 16;

impl Sum {
    fn of(product: Vec<Register>, coefficient: u32) -> Self {
        let mut sum = Self::default();
        sum.add(product, coefficient);
        sum
    }

    fn add(&mut self, product: Vec<Register>, coefficient: u32) {
        let entry = self.0.entry(product).or_insert(0);
        *entry = entry.wrapping_add(coefficient);
        self.0.retain(|_, coefficient| *coefficient != 0);
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn plus(mut self, other: &Self, times: u32) -> Self {
        for (product, coefficient) in &other.0 {
            self.add(product.clone(), coefficient.wrapping_mul(times));
        }
        self
    }

    pub(super) fn minus(self, other: &Self) -> Self {
        self.plus(other, u32::MAX)
    }

    fn times(&self, other: &Self) -> Self {
        let mut all = Self::default();
        for (left, by) in &self.0 {
            for (right, times) in &other.0 {
                let mut product = [&left[..], right].concat();
                product.sort_unstable();
                all.add(product, by.wrapping_mul(*times));
            }
        }
        all
    }
}

/// What registers hold that are written once.
pub(super) struct Values<'b, 'm> {
    /// `None` for those that are written several times, or perhaps.
    definitions: FxHashMap<Register, Option<Definition<'b, 'm>>>,
    /// Sums that were asked for before.
    sums: RefCell<FxHashMap<Register, Sum>>,
}

/// The one instruction that writes a register.
#[derive(Clone, Copy)]
struct Definition<'b, 'm> {
    instruction: &'b Instruction,
    /// Its place among the instructions of the body.
    place: usize,
    body: &'b Body<'m>,
}

impl<'b, 'm> Values<'b, 'm> {
    pub(super) fn of(body: &'b Body<'m>) -> Self {
        let mut definitions: FxHashMap<Register, Option<Definition<'b, 'm>>> = FxHashMap::default();
        for (place, placed) in body.instructions.iter().enumerate() {
            let step = &placed.step;
            let known = (!step.keeps).then_some(Definition { instruction: step.instruction, place, body });
            for register in &step.writes {
                definitions.entry(*register).and_modify(|definition| *definition = None).or_insert(known);
            }
        }
        Self { definitions, sums: RefCell::default() }
    }

    /// The instruction that writes a register, if there is one alone.
    pub(super) fn definition(&self, register: Register) -> Option<&'b Instruction> {
        self.definitions.get(&register).and_then(Option::as_ref).map(|definition| definition.instruction)
    }

    /// Its place among the instructions of the body.
    pub(super) fn place(&self, register: Register) -> Option<usize> {
        self.definitions.get(&register).and_then(Option::as_ref).map(|definition| definition.place)
    }

    /// What a register holds that is written once.
    pub(super) fn sum(&self, register: Register) -> Sum {
        self.sum_within(register, MOST_STEPS)
    }

    fn sum_within(&self, register: Register, steps: u32) -> Sum {
        if let Some(known) = self.sums.borrow().get(&register) {
            return known.clone();
        }
        let made = self.definition(register).filter(|_| steps > 0).and_then(|made| self.sum_of(made, steps - 1));
        let sum = made.filter(|sum| sum.0.len() <= MOST_PRODUCTS).unwrap_or_else(|| Sum::of(vec![register], 1));
        self.sums.borrow_mut().insert(register, sum.clone());
        sum
    }

    /// `None` where it is something else, or made of what is written several times.
    fn sum_of(&self, made: &Instruction, steps: u32) -> Option<Sum> {
        let operand = |index: usize| self.sum_of_operand(made.operands.get(index)?, steps);
        match made.opcode.as_str() {
            "mov.b32" | "mov.u32" | "mov.s32" => operand(1),
            "add.s32" | "add.u32" => Some(operand(1)?.plus(&operand(2)?, 1)),
            "sub.s32" | "sub.u32" => Some(operand(1)?.minus(&operand(2)?)),
            "mul.lo.s32" | "mul.lo.u32" => Some(operand(1)?.times(&operand(2)?)),
            "mad.lo.s32" | "mad.lo.u32" => Some(operand(1)?.times(&operand(2)?).plus(&operand(3)?, 1)),
            "shl.b32" => Some(Sum::default().plus(&operand(1)?, 1_u32.checked_shl(number(made, 2)?)?)),
            "or.b32" => {
                let bits = |index: usize| Some(self.bits_of_operand(made.operands.get(index)?, STEPS_OF_BITS));
                if bits(1)? & bits(2)? == 0 { Some(operand(1)?.plus(&operand(2)?, 1)) } else { None }
            }
            _ => None,
        }
    }

    fn sum_of_operand(&self, operand: &Operand, steps: u32) -> Option<Sum> {
        if let Operand::Register(register) = operand {
            let is_known = !matches!(self.definitions.get(register), Some(None));
            return is_known.then(|| self.sum_within(*register, steps));
        }
        integer(operand).map(|value| Sum::of(Vec::new(), value as u32))
    }

    /// Bits of a register that may be set.
    fn bits(&self, register: Register, steps: u32) -> u32 {
        let is_word = |definition: &&Definition<'_, '_>| definition.body.function.register_type(register).bits() == 32;
        let made = self.definitions.get(&register).and_then(Option::as_ref);
        let made = made.filter(|definition| steps > 0 && is_word(definition));
        made.and_then(|made| self.bits_of(made.instruction, steps - 1)).unwrap_or(u32::MAX)
    }

    fn bits_of(&self, made: &Instruction, steps: u32) -> Option<u32> {
        let operand = |index: usize| Some(self.bits_of_operand(made.operands.get(index)?, steps));
        match made.opcode.as_str() {
            "mov.b32" | "mov.u32" | "mov.s32" => operand(1),
            "and.b32" => Some(operand(1)? & operand(2)?),
            "or.b32" | "xor.b32" => Some(operand(1)? | operand(2)?),
            "shl.b32" => operand(1)?.checked_shl(number(made, 2)?),
            "shr.u32" => operand(1)?.checked_shr(number(made, 2)?),
            "bfe.u32" => 1_u32.checked_shl(number(made, 3)?).map(|end| end - 1),
            "add.s32" | "add.u32" => Some(from(lowest(operand(1)?).min(lowest(operand(2)?)))),
            "mul.lo.s32" | "mul.lo.u32" => Some(from(lowest(operand(1)?) + lowest(operand(2)?))),
            _ => None,
        }
    }

    fn bits_of_operand(&self, operand: &Operand, steps: u32) -> u32 {
        if let Operand::Register(register) = operand {
            return self.bits(*register, steps);
        }
        let is_thread = matches!(operand, Operand::Special(name) if name.starts_with("%tid."));
        let thread = is_thread.then_some(MOST_THREADS - 1);
        integer(operand).map(|value| value as u32).or(thread).unwrap_or(u32::MAX)
    }
}

/// Threads that a CTA may have.
const MOST_THREADS: u32 = 1024;

/// The lowest bit that may be set.
fn lowest(bits: u32) -> u32 {
    bits.trailing_zeros()
}

/// All bits from this one on.
fn from(lowest: u32) -> u32 {
    u32::MAX.checked_shl(lowest).unwrap_or(0)
}

fn integer(operand: &Operand) -> Option<i128> {
    if let Operand::Immediate(Immediate::Int(value)) = operand { Some(*value) } else { None }
}

/// An operand that is a number from 0 to 2^32-1.
fn number(made: &Instruction, index: usize) -> Option<u32> {
    u32::try_from(integer(made.operands.get(index)?)?).ok()
}
