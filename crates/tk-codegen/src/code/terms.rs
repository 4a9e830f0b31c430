//! Pointers of an access in a loop that differ by terms of 32 bits which do not change there.
//!
//! A thread that reads rows of a block, `base + row * length + column`, where `column` changes in the loop, would keep a pointer of 64 bits for each
//! row, and add the column to it. It keeps the terms instead, in 32 bits each, and adds them to what the pointers have in common: one instruction
//! widens, scales and adds (`IMAD.WIDE`), as it did for the column.
//!
//! True for loads and stores in loops of as many pointers as [`super::moved`] asks for, which have a term each that does not change in the loop, and
//! the rest in common: blocks of rows whose length is not known to be a multiple of 16 bytes, such as biases and masks of attention, and of
//! columns whose rows are far apart.

use super::moved::{Sum, common_place, has_common_rests};
use super::reg::Reg;
use super::{Code, Runs};

impl Code<'_> {
    /// The pointers of an access, with what does not change in the loop around it added last.
    pub(crate) fn with_terms_last(&mut self, pointers: Vec<Reg>) -> Vec<Reg> {
        let mut nodes: Vec<u32> = pointers.iter().map(|pointer| pointer.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let Some(made) = self.terms_last(&nodes) else { return pointers };
        let again =
            |pointer: Reg| nodes.binary_search(&pointer.node).map_or(pointer, |at| Reg { node: made[at], ..pointer });
        pointers.into_iter().map(again).collect()
    }

    /// The same pointers as other sums.
    fn terms_last(&mut self, nodes: &[u32]) -> Option<Vec<u32>> {
        let inner = self.scopes.iter().rposition(|scope| scope.runs == Runs::Loop)? as u32;
        let sums = nodes.iter().map(|node| Sum::of(self, *node)).collect::<Option<Vec<Sum>>>()?;
        let place = common_place(&sums)?;
        let changes = |node: u32| self.nodes[node as usize].scope >= inner;
        let leaves = |sum: &Sum, place: usize| {
            let mut others = sum.terms.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, term)| *term);
            !changes(sum.terms[place]) && (changes(sum.root) || others.any(changes))
        };
        let last = sums.first()?.terms.len() - 1;
        let are_last = has_common_rests(&sums, last) && sums.iter().all(|sum| leaves(sum, last));
        if are_last || !sums.iter().all(|sum| leaves(sum, place)) {
            return None;
        }
        let made = sums.iter().map(|sum| {
            let (root, others) = sum.rest(place);
            let terms = others.into_iter().chain([sum.terms[place]]);
            let root = self.part(root);
            terms.fold(root, |pointer, term| self.pointer_sum(pointer, self.part(term))).node
        });
        Some(made.collect())
    }
}
