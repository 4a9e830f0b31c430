//! Pointers of a tensor that a loop moves together: where each started, and the distance that is common to all.
//!
//! Such a pointer is where it started and the distance, a sum that takes two instructions and two registers of 32 bits. Where many pointers differ
//! by terms of 32 bits, which one instruction widens, scales and adds (`IMAD.WIDE`), the distance is added to what they have in common, and to that
//! the term of each: one instruction and one register for a pointer. ptxas makes no such sums of what was added before the loop.
//!
//! True for at least [`LEAST_POINTERS`] pointers to global memory, [`POINTERS_OF_SUM`] or more of which differ in one term only: blocks of rows whose
//! length is not known to be a multiple of 16 bytes, with masks for single elements.

use super::Code;
use super::node::Opcode;
use super::reg::{Reg, Ty, wrap};
use rustc_hash::{FxHashMap, FxHashSet};

/// Pointers from which on their terms are added in the loop. Fewer have room in registers.
const LEAST_POINTERS: usize = 16;
/// Pointers for each sum of the distance and what they have in common.
const POINTERS_OF_SUM: usize = 4;
/// Terms of which a pointer is the sum, at most.
const MOST_TERMS: usize = 8;

/// How pointers came to where they are; all are numbers of nodes.
#[derive(Default)]
pub(super) struct Moved {
    /// Of a pointer that was moved: where it started, and the distance.
    from: FxHashMap<u32, (u32, u32)>,
    /// Distances that are common to many pointers.
    distances: FxHashSet<u32>,
    /// Of where a pointer starts: what it has in common with others, and its term.
    apart: FxHashMap<u32, (u32, u32)>,
}

impl Code<'_> {
    /// A pointer moved by `bytes`, an integer as wide as the pointer.
    pub(crate) fn ptr_add(&mut self, pointer: Reg, bytes: Reg) -> Reg {
        let offset =
            wrap(if pointer.ty.bits() == 32 { Ty::I32 } else { Ty::I64 }, pointer.offset.wrapping_add(bytes.offset));
        if bytes.constant().is_some() {
            return Reg { offset, ..pointer };
        }
        if let Some(row) = self.pointer_to_row(pointer, bytes) {
            return row;
        }
        // A loop inside the one that moved a pointer moves it by a distance of its own.
        let starts = self.moved.distances.contains(&bytes.node);
        let sum = match self.moved_pointer(pointer).filter(|_| !starts) {
            Some((start, distance)) => {
                let distance = self.add(distance, bytes.base());
                self.assume_moving(distance);
                self.move_pointer(start, distance.base())
            }
            None if starts => self.move_pointer(pointer.base(), bytes.base()),
            None => self.pointer_sum(pointer.base(), bytes.base()),
        };
        Reg { offset, ..sum }
    }

    /// A pointer so many bytes further, where neither has a constant: what divides both divides it.
    pub(super) fn pointer_sum(&mut self, pointer: Reg, bytes: Reg) -> Reg {
        let low = self.zeros(pointer).trailing_ones().min(self.zeros(bytes).trailing_ones()).min(63);
        self.compute(Opcode::PtrAdd, pointer.ty, &[pointer, bytes], (1 << low) - 1)
    }

    /// Says that `distance` is common to many pointers: what is added to one that it moved is added to it instead, once for all.
    pub(crate) fn assume_moving(&mut self, distance: Reg) {
        self.moved.distances.insert(distance.node);
    }

    /// How far a common distance has moved `start` to become `pointer`, if that is how it came to be.
    pub(crate) fn distance_from(&mut self, pointer: Reg, start: Reg) -> Option<Reg> {
        let (from, distance) = self.moved_pointer(pointer)?;
        let bytes = pointer.offset.wrapping_sub(start.offset);
        (from.node == start.node).then(|| distance.with_offset(distance.offset.wrapping_add(bytes)))
    }

    /// Says that `pointers` are moved by common distances, which are added to what many of them have in common.
    pub(crate) fn move_in_common(&mut self, pointers: &[Reg]) {
        let mut starts: Vec<u32> = pointers.iter().map(|pointer| pointer.node).collect();
        starts.sort_unstable();
        starts.dedup();
        let Some(sums) = starts.iter().map(|start| Sum::of(self, *start)).collect::<Option<Vec<Sum>>>() else { return };
        let Some(place) = common_place(&sums) else { return };
        for (start, sum) in starts.into_iter().zip(sums) {
            let term = sum.terms[place];
            let mut rest = self.part(sum.root);
            for (_, other) in sum.terms.into_iter().enumerate().filter(|(at, _)| *at != place) {
                let other = self.part(other);
                rest = self.compute(Opcode::PtrAdd, rest.ty, &[rest, other], 0);
            }
            self.moved.apart.insert(start, (rest.node, term));
        }
    }

    /// `start` moved by a common distance; both without constants.
    fn move_pointer(&mut self, start: Reg, distance: Reg) -> Reg {
        let own = (start.node, distance.node);
        if let Some((rest, term)) = self.moved.apart.get(&start.node).copied() {
            let (rest, term) = (self.part(rest), self.part(term));
            let rest = self.compute(Opcode::PtrAdd, start.ty, &[rest, distance], 0);
            let sum = self.compute(Opcode::PtrAdd, start.ty, &[rest, term], 0);
            // The same sum in another order started elsewhere.
            if *self.moved.from.entry(sum.node).or_insert(own) == own {
                return sum;
            }
        }
        let sum = self.compute(Opcode::PtrAdd, start.ty, &[start, distance], 0);
        self.moved.from.insert(sum.node, own);
        sum
    }

    /// The computed parts of a pointer that a common distance moved: where it started, and the distance.
    fn moved_pointer(&self, pointer: Reg) -> Option<(Reg, Reg)> {
        let (start, distance) = self.moved.from.get(&pointer.node).copied()?;
        Some((self.part(start), self.part(distance)))
    }

    /// The register of a node.
    pub(super) fn part(&self, node: u32) -> Reg {
        Reg { node, ty: self.nodes[node as usize].key.ty, offset: 0 }
    }

    /// It is a number of 32 bits, widened and scaled, which the instruction that adds it to a pointer does as well.
    fn is_wide_product(&self, node: u32) -> bool {
        let key = self.nodes[node as usize].key;
        let [first, second, ..] = key.args;
        let opcode = |node: u32| self.nodes[node as usize].key.opcode;
        match key.opcode {
            Opcode::SExt | Opcode::ZExt => true,
            Opcode::Shl | Opcode::Mul => {
                matches!(opcode(first), Opcode::SExt | Opcode::ZExt) && opcode(second) == Opcode::Const
            }
            _ => false,
        }
    }
}

/// A pointer as a sum.
pub(super) struct Sum {
    pub(super) root: u32,
    /// What was added to it, in order.
    pub(super) terms: Vec<u32>,
    /// For each term, whether one instruction widens and adds it.
    is_wide: Vec<bool>,
}

impl Sum {
    pub(super) fn of(code: &Code<'_>, pointer: u32) -> Option<Self> {
        let (mut root, mut terms) = (pointer, Vec::new());
        while let Some(key) =
            code.nodes.get(root as usize).map(|node| node.key).filter(|key| key.opcode == Opcode::PtrAdd)
        {
            terms.push(key.args[1]);
            root = key.args[0];
            if key.ty.bits() != 64 || terms.len() > MOST_TERMS {
                return None;
            }
        }
        terms.reverse();
        let is_wide = terms.iter().map(|term| code.is_wide_product(*term)).collect();
        Some(Self { root, terms, is_wide })
    }

    /// What is left without one term.
    pub(super) fn rest(&self, place: usize) -> (u32, Vec<u32>) {
        let others = self.terms.iter().enumerate().filter(|(at, _)| *at != place);
        (self.root, others.map(|(_, term)| *term).collect())
    }
}

/// Which term of the pointers to add last, if many then have the rest in common.
pub(super) fn common_place(sums: &[Sum]) -> Option<usize> {
    let length = sums.first()?.terms.len();
    if sums.len() < LEAST_POINTERS || sums.iter().any(|sum| sum.terms.len() != length) {
        return None;
    }
    let places = (0..length).filter(|place| sums.iter().all(|sum| sum.is_wide[*place]));
    let (rests, place) = places.map(|place| (rests(sums, place), place)).min()?;
    are_common(rests, sums).then_some(place)
}

/// Whether the pointers have what they are without the term at a place in common, and one instruction adds that.
pub(super) fn has_common_rests(sums: &[Sum], place: usize) -> bool {
    sums.iter().all(|sum| sum.is_wide[place]) && are_common(rests(sums, place), sums)
}

/// Different sums without the terms at a place.
fn rests(sums: &[Sum], place: usize) -> usize {
    sums.iter().map(|sum| sum.rest(place)).collect::<FxHashSet<_>>().len()
}

fn are_common(rests: usize, sums: &[Sum]) -> bool {
    rests * POINTERS_OF_SUM <= sums.len()
}
