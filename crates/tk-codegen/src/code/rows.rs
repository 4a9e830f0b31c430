//! Pointers to rows that a loop computes anew: one product for all rows of a thread, and each pointer from the one before.
//!
//! A thread that copies rows `n`, `n + 8`, `n + 16` of a block, where `n` changes in the loop and rows are `s` bytes long, needs `n * s`,
//! `(n + 8) * s` and so on. A product of 64 bits is four instructions, and its sum with a pointer two. Numbers of 64 bits wrap around where pointers
//! do, so the second pointer is the first plus `8 * s`, which does not change in the loop, and the third is the second plus the same: two
//! instructions for each, and two registers for all of them.
//!
//! True for products of 64 bits of a number that changes in a loop and a number that does not, where registers of a tensor differ by constants in the
//! first: blocks of block pointers, and rows whose number or length has 64 bits. What is 32 bits wide wraps around elsewhere.

use super::node::Opcode;
use super::reg::{NO_NODE, Reg, Ty, wrap};
use super::{Code, Runs};
use rustc_hash::FxHashMap;

/// Pointers in a row of which each waits for the one before.
const LONGEST_CHAIN: usize = 8;
/// Sums and shifts around a product, at most.
const DEEPEST: u32 = 8;

/// Products of rows, and the pointers that were made with them; all are numbers of nodes.
#[derive(Default)]
pub(super) struct Rows {
    /// What a sum is: the product of the first row, and so many lengths of a row.
    products: FxHashMap<u32, Row>,
    /// For the pointer to a first row and a length: pointers that are so many lengths further, in the order in which they were made.
    pointers: FxHashMap<(u32, u32), Vec<(i64, u32)>>,
}

/// `first + times * length`.
#[derive(Clone, Copy)]
struct Row {
    first: u32,
    length: u32,
    times: i64,
}

/// Bytes to a row: those to the first one, and so many lengths of a row.
struct Bytes {
    first: Reg,
    length: u32,
    times: i64,
}

impl Code<'_> {
    /// `row * length` as the product of the computed part of `row` and a product that does not change, where that one leaves a loop.
    pub(super) fn product_of_row(&mut self, row: Reg, length: Reg) -> Option<Reg> {
        let are_numbers = row.node != NO_NODE && length.node != NO_NODE && row.ty == Ty::I64;
        if !are_numbers || row.offset == 0 || length.offset != 0 || !self.changes_more(row.node, length.node) {
            return None;
        }
        let first = self.mul(row.base(), length);
        let times = self.int(Ty::I64, row.offset);
        let further = self.mul(length, times);
        let sum = self.add(first, further);
        self.rows.products.insert(sum.node, Row { first: first.node, length: length.node, times: row.offset });
        Some(sum)
    }

    /// `pointer` and so many `bytes`, from the pointer to a row before it.
    pub(super) fn pointer_to_row(&mut self, pointer: Reg, bytes: Reg) -> Option<Reg> {
        if pointer.ty.bits() != 64 || self.rows.products.is_empty() {
            return None;
        }
        let row = self.bytes_to_row(bytes.node, 0)?;
        let first = self.ptr_add(pointer, row.first);
        let place = (first.node, row.length);
        let mut made = self.rows.pointers.remove(&place).unwrap_or_else(|| vec![(0, first.node)]);
        let known = made.iter().find(|(times, _)| *times == row.times).map(|(_, node)| *node);
        let node = known.unwrap_or_else(|| {
            let before = if made.len().is_multiple_of(LONGEST_CHAIN) { made.first() } else { made.last() };
            let (times, node) = before.copied().unwrap_or((0, first.node));
            let length = self.part(row.length);
            let lengths = self.int(Ty::I64, row.times.wrapping_sub(times));
            let distance = self.mul(length, lengths);
            let node = self.compute(Opcode::PtrAdd, pointer.ty, &[self.part(node), distance], 0).node;
            made.push((row.times, node));
            node
        });
        self.rows.pointers.insert(place, made);
        Some(Reg { node, ty: pointer.ty, offset: wrap(Ty::I64, first.offset.wrapping_add(bytes.offset)) })
    }

    /// What `node` is as bytes to a row: a product of a row with sums and shifts around it.
    fn bytes_to_row(&mut self, node: u32, depth: u32) -> Option<Bytes> {
        if node == NO_NODE || depth > DEEPEST {
            return None;
        }
        if let Some(Row { first, length, times }) = self.rows.products.get(&node).copied() {
            return Some(Bytes { first: self.part(first), length, times });
        }
        let key = self.nodes[node as usize].key;
        let [left, right, ..] = key.args;
        match key.opcode {
            Opcode::Add => {
                let (row, other) = match self.bytes_to_row(left, depth + 1) {
                    Some(row) => (row, right),
                    None => (self.bytes_to_row(right, depth + 1)?, left),
                };
                let other = self.part(other);
                Some(Bytes { first: self.add(row.first, other), ..row })
            }
            Opcode::Shl | Opcode::Mul => {
                let number = self.number(right)?;
                let factor = if key.opcode == Opcode::Mul { number } else { 1i64.wrapping_shl(number as u32) };
                let row = self.bytes_to_row(left, depth + 1)?;
                let factor_of_row = self.int(Ty::I64, factor);
                Some(Bytes { first: self.mul(row.first, factor_of_row), times: row.times.wrapping_mul(factor), ..row })
            }
            _ => None,
        }
    }

    /// The number that a node is.
    fn number(&self, node: u32) -> Option<i64> {
        let key = self.nodes.get(node as usize)?.key;
        let [low, high, ..] = key.args;
        (key.opcode == Opcode::Const).then_some((i64::from(high) << 32) | i64::from(low))
    }

    /// A loop that changes one node leaves another as it is.
    fn changes_more(&self, node: u32, other: u32) -> bool {
        let [scope, outer] = [node, other].map(|node| self.nodes[node as usize].scope as usize);
        self.scopes.iter().take(scope + 1).skip(outer + 1).any(|scope| scope.runs == Runs::Loop)
    }
}
