//! Elements that a thread loads one by one, although they lie beside each other in memory.
//!
//! `tk.vector` says of elements that are neighbours in the block how many move in one access. Where a block repeats each number, as one that looks up the page of
//! each token or the scale of each group, neighbours have one address, and the numbers that differ lie rows apart in the block. A thread that has a number of
//! many pages has them one after the other in its registers, and their addresses are a common one and constants. So code generation sees here what axis info
//! does not: accesses that follow each other, under one mask, from an aligned address.
//!
//! 1. Accesses with one address and mask, in the order of their constants.  2. Groups of them that are one aligned access.  3. `memory.rs` loads each by one.

use crate::code::{Code, Reg};
use rustc_hash::FxHashMap;

/// Bytes of an access, at most.
const MOST_BYTES: i64 = 16;

/// Accesses that a thread is spared by one load, at least. Where fewer go, little is won, and ptxas orders the others anew: of 50 kernels with fewer 38 were
/// within 1.5 % on an H200, eight faster, and four slower, the worst at 0.94; of six with as many none was (docs/measurements.md, "Neighbours in registers are one
/// access").
const LEAST_SPARED: usize = 8;

/// One access of a load; loads of equal ones give equal values.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Access {
    pub(super) pointer: Reg,
    pub(super) mask: Option<Reg>,
    /// What elements are that the mask leaves out, one for each element of the access.
    pub(super) others: Vec<Option<Reg>>,
}

/// Accesses of elements of so many bytes that are one, in the order of their addresses. None where a thread is spared few by all of them.
pub(super) fn groups(code: &Code<'_>, element_bytes: u32, accesses: Vec<Access>) -> Vec<Vec<Access>> {
    let mut groups = Vec::new();
    for mut beside in beside_each_other(accesses) {
        let base = beside.first().map(|first| first.pointer.base());
        let aligned = base.map_or(1, |base| 1 << code.zeros(base).trailing_ones().min(4));
        while !beside.is_empty() {
            let rest = beside.split_off(count_of_first(&beside, element_bytes, aligned));
            groups.push(std::mem::replace(&mut beside, rest));
        }
    }
    groups.retain(|group| group.len() > 1);
    let spared = groups.iter().map(|group| group.len() - 1).sum::<usize>();
    if spared < LEAST_SPARED { Vec::new() } else { groups }
}

/// Accesses with one address but for constants, and one mask, by these constants. Those of which two have the same constant are left out.
fn beside_each_other(accesses: Vec<Access>) -> Vec<Vec<Access>> {
    let mut found: Vec<Vec<Access>> = Vec::new();
    let mut places: FxHashMap<(Reg, Option<Reg>), usize> = FxHashMap::default();
    for access in accesses {
        let place = *places.entry((access.pointer.base(), access.mask)).or_insert(found.len());
        match found.get_mut(place) {
            Some(beside) if beside.contains(&access) => {}
            Some(beside) => beside.push(access),
            None => found.push(vec![access]),
        }
    }
    found.iter_mut().for_each(|beside| beside.sort_by_key(|access| access.pointer.offset()));
    let is_one =
        |pair: &[Access]| pair.first().map(|access| access.pointer) == pair.last().map(|access| access.pointer);
    found.retain(|beside| beside.len() > 1 && !beside.windows(2).any(is_one));
    found
}

/// How many of the first accesses are one, of elements of so many bytes, from a common address that `aligned` divides.
fn count_of_first(beside: &[Access], element_bytes: u32, aligned: i64) -> usize {
    let bytes = beside.first().map_or(1, |first| first.others.len()) as i64 * i64::from(element_bytes);
    let offset = |at: usize| beside.get(at).map(|access| access.pointer.offset());
    let follow = |count: usize| {
        let all = count as i64 * bytes;
        let is_aligned = all <= aligned && offset(0).is_some_and(|offset| offset % all == 0);
        let step = |at: usize| offset(at).zip(offset(at - 1)).is_some_and(|(this, before)| this - before == bytes);
        all <= MOST_BYTES && is_aligned && (1..count).all(step)
    };
    [16, 8, 4, 2].into_iter().find(|count| follow(*count)).unwrap_or(1)
}
