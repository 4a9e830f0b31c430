//! `setmaxnreg`: how many registers the warps of a CTA have, and who waits for more.
//!
//! How many a kernel begins with is ptxas's choice, and the PTX says it only with `.maxnreg`. Otherwise the most that fits is
//! assumed, so a wait that ends never is certain, and some that would not end on a GPU are missed.

/// Registers of a multiprocessor.
const ALL: u32 = 65536;
/// Most of one thread.
const MOST: u32 = 256;

/// What the warps of one CTA have.
pub(crate) struct Registers {
    /// Of each thread of a warp.
    counts: Vec<u32>,
    /// Together.
    pool: u32,
    /// The header says how many threads begin with.
    known: bool,
    /// Of each warp, where it changed its count, in order.
    changes: Vec<Vec<u32>>,
}

impl Registers {
    pub(crate) fn new(threads: u32, given: Option<u32>) -> Self {
        let warps = threads.div_ceil(32);
        let first = given.unwrap_or((ALL / (32 * warps)).min(MOST)) / 8 * 8;
        let warps = warps as usize;
        let known = given.is_some();
        Self { counts: vec![first; warps], pool: first * warps as u32, known, changes: vec![Vec::new(); warps] }
    }

    /// Whether a warp can have so many now.
    pub(crate) fn has(&self, warp: u32, count: u32) -> bool {
        let others: u32 = self.counts.iter().sum::<u32>() - self.counts[warp as usize];
        others + count <= self.pool
    }

    /// How many the threads of a warp have, when that is known.
    pub(crate) fn current(&self, warp: u32) -> Option<u32> {
        let warp = warp as usize;
        (self.known || !self.changes[warp].is_empty()).then(|| self.counts[warp])
    }

    /// A warp has so many from now on. The place of the other instruction when a warp of its warpgroup did something else.
    pub(crate) fn set(&mut self, warp: u32, count: u32, pc: u32) -> Result<(), u32> {
        let warp = warp as usize;
        self.counts[warp] = count;
        let step = self.changes[warp].len();
        self.changes[warp].push(pc);
        let group = &self.changes[warp / 4 * 4..(warp / 4 * 4 + 4).min(self.changes.len())];
        let other = group.iter().filter_map(|changes| changes.get(step)).find(|other| **other != pc);
        other.map_or(Ok(()), |other| Err(*other))
    }

    /// The place of a change that only some warps of a warpgroup made.
    pub(crate) fn unfinished(&self) -> Option<u32> {
        let groups = self.changes.chunks(4);
        groups.into_iter().find_map(|group| {
            let most = group.iter().max_by_key(|changes| changes.len())?;
            let least = group.iter().map(Vec::len).min()?;
            most.get(least).copied()
        })
    }
}
