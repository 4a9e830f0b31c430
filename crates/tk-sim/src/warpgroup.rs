//! What a warp knows of its wgmmas in flight, and what the four warps of a warpgroup must agree on.

use crate::clock::Clock;
use crate::program::{Element, Order, Sign, Slot, Wgmma};
use crate::shared::PastRead;
use std::collections::VecDeque;
use std::sync::Arc;

/// A wgmma that was issued and has not completed.
pub(crate) struct Issued {
    /// In `Program::wgmmas`.
    pub(crate) index: u32,
    pub(crate) pc: u32,
    /// Groups the warp had committed before.
    pub(crate) group: u32,
    /// Descriptors of A (0 when A is in registers) and B.
    pub(crate) a: u64,
    pub(crate) b: u64,
    /// Adds to the accumulator; else overwrites it.
    pub(crate) accumulate: bool,
    pub(crate) issued: Clock,
}

/// An operand B in numbers, which warps share while the memory that it lies in stays as it is.
pub(crate) struct SharedTile {
    pub(crate) descriptor: u64,
    pub(crate) rank: u32,
    pub(crate) columns: usize,
    pub(crate) element: Element,
    pub(crate) sign: Sign,
    pub(crate) order: Order,
    pub(crate) read: PastRead,
    pub(crate) numbers: Arc<[f32]>,
}

/// The shape of a product, as far as its accumulators are concerned: columns, and bits of an element of A, which say the depth.
pub(crate) type Shape = (usize, usize);

/// How a register was last accessed, and between which fences.
#[derive(Clone, Copy, Default)]
struct LastUse {
    /// Fences executed before, plus 1; 0 for never.
    epoch: u32,
    pc: u32,
}

/// Why a wgmma needs a `wgmma.fence` before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfenced {
    /// There was none yet.
    First,
    /// Another instruction accessed one of the registers.
    Accessed { pc: u32 },
    /// A wgmma of another shape used the register, or used it as another operand.
    OtherProduct { pc: u32 },
}

/// Wgmmas of one warp.
#[derive(Default)]
pub(crate) struct InFlight {
    pub(crate) queue: VecDeque<Issued>,
    /// Groups committed.
    pub(crate) committed: u32,
    /// `wgmma.fence`s executed.
    fences: u32,
    /// Last accesses of each slot by other instructions, and by products; the shape is that of an accumulator, none of an operand.
    touched: Vec<LastUse>,
    multiplied: Vec<(LastUse, Option<Shape>)>,
    /// How many operations in flight use a slot as accumulator, and as operand A.
    accumulators: Vec<u16>,
    operands: Vec<u16>,
}

impl InFlight {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(crate) fn fence(&mut self) {
        self.fences += 1;
    }

    /// Another instruction than a wgmma accesses a register that some wgmma uses.
    pub(crate) fn touch(&mut self, slots: usize, slot: Slot, pc: u32) {
        if self.touched.is_empty() {
            self.touched.resize(slots, LastUse::default());
        }
        self.touched[slot as usize] = LastUse { epoch: self.fences + 1, pc };
    }

    /// Whether a fence orders a product's registers: there must be one before the first product, and between any access of a register
    /// and a product that uses it, but not between products of one shape that add to one accumulator.
    pub(crate) fn fenced(&self, accumulators: &[Slot], operands: &[Slot], shape: Shape) -> Result<(), Unfenced> {
        if self.fences == 0 {
            return Err(Unfenced::First);
        }
        let now = self.fences + 1;
        let uses = accumulators.iter().map(|slot| (slot, Some(shape))).chain(operands.iter().map(|slot| (slot, None)));
        for (slot, role) in uses {
            if let Some(last) = self.touched.get(*slot as usize).filter(|last| last.epoch == now) {
                return Err(Unfenced::Accessed { pc: last.pc });
            }
            let product =
                self.multiplied.get(*slot as usize).filter(|(last, other)| last.epoch == now && *other != role);
            if let Some((last, _)) = product {
                return Err(Unfenced::OtherProduct { pc: last.pc });
            }
        }
        Ok(())
    }

    /// A product that uses these registers was issued.
    pub(crate) fn multiply(
        &mut self,
        slots: usize,
        accumulators: &[Slot],
        operands: &[Slot],
        (shape, pc): (Shape, u32),
    ) {
        self.multiplied.resize(slots, (LastUse::default(), None));
        let last = LastUse { epoch: self.fences + 1, pc };
        for slot in accumulators {
            self.multiplied[*slot as usize] = (last, Some(shape));
        }
        for slot in operands {
            self.multiplied[*slot as usize] = (last, None);
        }
        self.hold(slots, accumulators, operands);
    }

    fn hold(&mut self, slots: usize, accumulators: &[Slot], operands: &[Slot]) {
        self.accumulators.resize(slots, 0);
        self.operands.resize(slots, 0);
        for slot in accumulators {
            self.accumulators[*slot as usize] += 1;
        }
        for slot in operands {
            self.operands[*slot as usize] += 1;
        }
    }

    pub(crate) fn let_go(&mut self, accumulators: &[Slot], operands: &[Slot]) {
        for slot in accumulators {
            self.accumulators[*slot as usize] -= 1;
        }
        for slot in operands {
            self.operands[*slot as usize] -= 1;
        }
    }

    /// How many operations in flight accumulate into a slot.
    #[inline]
    pub(crate) fn accumulating(&self, slot: Slot) -> u16 {
        self.accumulators.get(slot as usize).copied().unwrap_or(0)
    }

    /// The oldest operation in flight that uses a slot.
    pub(crate) fn owner(&self, slot: Slot, all: &[Wgmma]) -> Option<u32> {
        let uses = |wgmma: &Wgmma| wgmma.d.contains(&slot) || wgmma.left.registers().contains(&slot);
        self.queue.iter().find(|issued| uses(&all[issued.index as usize])).map(|issued| issued.pc)
    }

    /// How many operations in flight read a slot.
    #[inline]
    pub(crate) fn reading(&self, slot: Slot) -> u16 {
        self.operands.get(slot as usize).copied().unwrap_or(0)
    }
}

/// What identifies an execution of wgmma: instruction, descriptors, scale.
pub(crate) type Execution = (u32, u64, u64, bool);

/// The executions of one warpgroup that not all of its warps have come to.
#[derive(Default)]
pub(crate) struct Warpgroup {
    log: VecDeque<Execution>,
    /// Executions that all warps have passed.
    passed: u64,
    counts: [u64; 4],
    /// Of each warp, how many it has completed, and behind how many it may go on without the others.
    completed: [u64; 4],
    alone: [u64; 4],
}

impl Warpgroup {
    /// One warp executes; the execution of the warp that came first, when they differ.
    pub(crate) fn execute(&mut self, warp: usize, execution: Execution) -> Result<(), Execution> {
        let at = (self.counts[warp] - self.passed) as usize;
        self.counts[warp] += 1;
        match self.log.get(at) {
            Some(first) if *first != execution => return Err(*first),
            Some(_) => {}
            None => self.log.push_back(execution),
        }
        let least = self.counts.into_iter().min().unwrap_or(0);
        while self.passed < least {
            self.log.pop_front();
            self.passed += 1;
        }
        Ok(())
    }

    /// A warp has completed all that it executed but so many; how many that are.
    pub(crate) fn complete(&mut self, warp: usize, left: usize) -> u64 {
        self.completed[warp] = self.counts[warp] - left as u64;
        self.completed[warp]
    }

    /// Whether a warp that has completed so many may go on: the others have, too, or nothing else goes on.
    pub(crate) fn goes_on(&self, warp: usize, products: u64) -> bool {
        self.alone[warp] >= products || self.completed.iter().all(|completed| *completed >= products)
    }

    /// Nothing goes on but this.
    pub(crate) fn go_alone(&mut self, warp: usize, products: u64) {
        self.alone[warp] = products;
    }

    /// The instruction that some warps executed and others never came to.
    pub(crate) fn unfinished(&self) -> Option<u32> {
        self.log.front().map(|execution| execution.0)
    }
}
