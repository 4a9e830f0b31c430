//! `Registers`: what one thread holds of a tensor.

use crate::code::Reg;
use std::rc::Rc;

/// The registers of one thread, in the register order of the tensor's linear layout. A scalar is a splat.
#[derive(Clone, Debug)]
pub(crate) enum Registers {
    /// Every element of the tensor, in every thread, is this one value.
    Splat(Reg),
    /// One value per register.
    Each(Rc<[Reg]>),
}

impl Registers {
    /// Register `index`.
    pub(crate) fn get(&self, index: usize) -> Reg {
        match self {
            Registers::Splat(reg) => *reg,
            Registers::Each(regs) => regs[index],
        }
    }

    /// Number of different registers that are stored: 1 for a splat.
    pub(crate) fn len(&self) -> usize {
        match self {
            Registers::Splat(_) => 1,
            Registers::Each(regs) => regs.len(),
        }
    }

    /// The one value, when all elements are equal.
    pub(crate) fn splat(&self) -> Option<Reg> {
        match self {
            Registers::Splat(reg) => Some(*reg),
            Registers::Each(_) => None,
        }
    }

    /// All `count` registers, a splat repeated.
    pub(crate) fn to_vec(&self, count: usize) -> Vec<Reg> {
        match self {
            Registers::Splat(reg) => vec![*reg; count],
            Registers::Each(regs) => regs.to_vec(),
        }
    }

    /// The same value with its registers changed one by one.
    pub(crate) fn try_map<E>(&self, mut f: impl FnMut(Reg) -> Result<Reg, E>) -> Result<Registers, E> {
        Ok(match self {
            Registers::Splat(reg) => Registers::Splat(f(*reg)?),
            Registers::Each(regs) => Registers::Each(regs.iter().map(|reg| f(*reg)).collect::<Result<_, E>>()?),
        })
    }
}

impl From<Vec<Reg>> for Registers {
    fn from(regs: Vec<Reg>) -> Self {
        Registers::Each(regs.into())
    }
}

/// Two values combined register by register.
pub(crate) fn zip(a: &Registers, b: &Registers, mut f: impl FnMut(Reg, Reg) -> Reg) -> Registers {
    match (a, b) {
        (Registers::Splat(a), Registers::Splat(b)) => Registers::Splat(f(*a, *b)),
        _ => Registers::Each((0..a.len().max(b.len())).map(|index| f(a.get(index), b.get(index))).collect()),
    }
}
