//! The layout of scratch memory for a conversion, chosen by algebra so that wide accesses have no bank conflicts.
//!
//! Tensor positions are vectors over F2. A memory layout is a basis of their space: first the vectors inside one access, then those that
//! number the rest of one line of all banks, then the segments (lines). Lanes that are served together conflict when they differ by a vector that is zero
//! in the bank coordinates but not in the segment coordinates. So the segments have to span a space that intersects neither what the storing lanes span nor
//! what the loading lanes span: a common complement of two subspaces, which always exists (the idea of optimal swizzling in arXiv 2505.23819).

use crate::banks::{LINE_BYTES, phases};
use crate::f2::{Span, intersection};

/// What one side (storing or loading) of a conversion moves by which input bits: packed positions, lowest bit first.
pub(super) struct Side {
    /// Register bits, without those that repeat others.
    pub registers: Vec<u64>,
    /// Lane bits; 0 where lanes repeat others or are switched off.
    pub lanes: Vec<u64>,
    /// Warp bits, likewise.
    pub warps: Vec<u64>,
}

impl Side {
    fn threads(&self) -> impl Iterator<Item = u64> + '_ {
        self.lanes.iter().chain(&self.warps).copied().filter(|image| *image != 0)
    }
}

/// How many vectors of the memory basis each side takes in one access, and which.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    /// The lowest memory vectors; the storing side takes the first `store` of them together, the loading side the first `load`.
    pub chain: Vec<u64>,
    pub store: usize,
    pub load: usize,
    /// Register vectors of both sides that number the rounds.
    pub rounds: Vec<u64>,
}

/// All sensible choices of vectors: as many as both sides have in common, then up to the widest access for one side alone.
pub(super) fn candidates(
    store: &Side,
    load: &Side,
    element_bytes: u32,
    positions: u32,
    scratch_bytes: u32,
) -> Vec<Vectors> {
    let widest = (16 / element_bytes).trailing_zeros() as usize;
    let threads = Span::of(store.threads().chain(load.threads()));
    let in_store = Span::of(store.registers.iter().copied());
    let shared_columns = load.registers.iter().copied().filter(|&register| in_store.contains(register));
    let mut seen = threads;
    let mut common: Vec<u64> = Vec::new();
    for vector in shared_columns.chain(intersection(&store.registers, &load.registers)) {
        if seen.insert(vector) {
            common.push(vector);
        }
    }
    let vector = common.len().min(widest);
    let wanted_rounds = (0..).find(|rounds| {
        u64::from(element_bytes) << positions.saturating_sub(*rounds) <= u64::from(scratch_bytes.max(16))
    });
    let mut spare = common.split_off(vector);
    // The last common vectors number the rounds: the first ones are more often neighbours in memory.
    let rounds = spare.split_off(spare.len() - spare.len().min(wanted_rounds.unwrap_or(0) as usize));
    let mut all = vec![Vectors { chain: common.clone(), store: vector, load: vector, rounds: rounds.clone() }];
    // Matrix instructions want no more than a word from one register, whatever else both sides have in common.
    let word = (4 / element_bytes.min(4)).trailing_zeros() as usize;
    let starts = [Some(vector), Some(word).filter(|word| *word < vector)];
    for vector in starts.into_iter().flatten() {
        for (side, is_store) in [(store, true), (load, false)] {
            let mut chain = common[..vector].to_vec();
            let mut seen = Span::of(side.threads().chain(chain.iter().copied()).chain(rounds.iter().copied()));
            for &register in &side.registers {
                if chain.len() < widest && seen.insert(register) {
                    chain.push(register);
                    let (store, load) = if is_store { (chain.len(), vector) } else { (vector, chain.len()) };
                    all.push(Vectors { chain: chain.clone(), store, load, rounds: rounds.clone() });
                }
            }
        }
    }
    all
}

/// A basis of the tensor positions: `basis[i]` is the position of memory element `1 << i`; the rounds follow as the last vectors.
pub(super) struct Memory {
    span: Span,
    bits: usize,
}

impl Memory {
    /// The memory whose element `1 << i` is position `basis[i]`, in one round.
    pub(super) fn of(basis: &[u64]) -> Self {
        Self { span: Span::of(basis.iter().copied()), bits: basis.len() }
    }

    /// Memory element of a position, the round number above all others.
    pub(super) fn offset(&self, position: u64) -> u32 {
        self.span.solve(position).unwrap_or(0) as u32
    }

    /// Elements that one round holds, as a power of two.
    pub(super) fn bits(&self) -> usize {
        self.bits
    }
}

/// Completes a choice of vectors to a memory layout; `None` when threads would find their vectors out of order.
pub(super) fn memory(
    store: &Side,
    load: &Side,
    vectors: &Vectors,
    element_bytes: u32,
    positions: u32,
) -> Option<Memory> {
    let length = vectors.chain.len();
    let frame = Frame::of(store, load, vectors, positions)?;
    let line = (LINE_BYTES / element_bytes).trailing_zeros() as usize;
    let (rest, banks) = (frame.rest.len(), line.saturating_sub(length).min(frame.rest.len()));
    let store_lanes = frame.lanes_apart(store, vectors.store, element_bytes);
    let load_lanes = frame.lanes_apart(load, vectors.load, element_bytes);
    let store_lanes = extended(&store_lanes, &load_lanes, &frame.rest, banks);
    let load_lanes = extended(&load_lanes, &store_lanes, &frame.rest, banks);
    let segments = common_complement(&store_lanes, &load_lanes, &frame.rest);
    debug_assert_eq!(segments.len() + banks, rest);
    let basis = vectors.chain.iter().chain(&store_lanes).chain(&segments).chain(&vectors.rounds).copied();
    let span = Span::of(basis);
    (span.rank() == positions as usize).then_some(Memory { span, bits: length + rest })
}

/// The space of positions cut into rounds, access vectors (the chain) and the rest, such that no thread moves along the vectors it takes at once.
struct Frame {
    /// Solves positions in the basis rounds, chain, rest.
    span: Span,
    rounds: usize,
    chain: Vec<u64>,
    /// Basis of the rest.
    rest: Vec<u64>,
}

impl Frame {
    fn of(store: &Side, load: &Side, vectors: &Vectors, positions: u32) -> Option<Self> {
        let mut span = Span::of(vectors.rounds.iter().chain(&vectors.chain).copied());
        let (rounds, length) = (vectors.rounds.len(), vectors.chain.len());
        if span.rank() != rounds + length {
            return None;
        }
        let mut rest = Vec::new();
        let (wide, narrow) = if vectors.store >= vectors.load { (store, load) } else { (load, store) };
        let taken = vectors.store.min(vectors.load);
        let add = |span: &mut Span, rest: &mut Vec<u64>, image: u64| {
            if span.insert(image) {
                rest.push(image);
            }
        };
        // The side with the wider accesses must not move along the chain.
        wide.threads().for_each(|image| add(&mut span, &mut rest, image));
        // Lanes of the other side may move along what only the wider side takes at once, which keeps them in different banks; each direction once.
        let part = |span: &Span, image: u64| span.solve(image).map(|by| (by as u64 >> rounds) & ((1 << length) - 1));
        let mut moved = Span::of(narrow.lanes.iter().filter_map(|&image| part(&span, image)));
        for &image in narrow.lanes.iter().filter(|image| **image != 0) {
            if !span.contains(image) {
                let free = (taken..length).find(|at| moved.insert(1 << at));
                add(&mut span, &mut rest, image ^ free.map_or(0, |at| vectors.chain[at]));
            }
        }
        narrow.threads().for_each(|image| add(&mut span, &mut rest, image));
        for &image in wide.registers.iter().chain(&narrow.registers) {
            if span.insert(image) {
                rest.push(image);
            }
        }
        if span.rank() != positions as usize {
            return None;
        }
        // Coordinates must not count vectors that were dependent when they were met, so solve in the basis itself.
        let span = Span::of(vectors.rounds.iter().chain(&vectors.chain).chain(&rest).copied());
        let frame = Self { span, rounds, chain: vectors.chain.clone(), rest };
        let moves = |side: &Side, width: usize| {
            side.threads().any(|image| frame.coordinates(image) & ((1 << (rounds + width)) - 1) != 0)
        };
        let stays = !moves(store, vectors.store) && !moves(load, vectors.load);
        stays.then_some(frame)
    }

    fn coordinates(&self, position: u64) -> u64 {
        self.span.solve(position).unwrap_or(0) as u64
    }

    /// Basis, within the rest, of the differences between lanes that are served together and that the chain does not already put into
    /// different banks.
    fn lanes_apart(&self, side: &Side, width: usize, element_bytes: u32) -> Vec<u64> {
        let bytes = element_bytes << width;
        let served = side.lanes.len() - (phases(bytes).trailing_zeros() as usize).min(side.lanes.len());
        let word = (4 / element_bytes.min(4)).trailing_zeros() as usize;
        let own = width.max(word).min(self.chain.len());
        let higher = ((1u64 << self.chain.len()) - 1) & !((1 << own) - 1);
        let lanes: Vec<u64> = side.lanes[..served].iter().map(|&lane| self.coordinates(lane) >> self.rounds).collect();
        // Combinations of lanes with no part in the higher vectors of the chain: the kernel of that part.
        let mut kernel = Vec::new();
        let mut parts = Span::default();
        for (at, lane) in lanes.iter().enumerate() {
            let part = lane & higher;
            let by = parts.solve(part);
            if !parts.insert(part) {
                kernel.push(lane ^ super::combine(&lanes[..at], by.unwrap_or(0) as u64));
            }
        }
        let mut apart = Span::default();
        let inside = |coordinates: u64| super::combine(&self.rest, coordinates >> self.chain.len());
        kernel.into_iter().map(inside).filter(|&vector| apart.insert(vector)).collect()
    }
}

/// `vectors` brought to exactly `size` independent ones: by vectors of `preferred`, then of `space`; the added ones come first, because the
/// lowest places of a line matter least.
fn extended(vectors: &[u64], preferred: &[u64], space: &[u64], size: usize) -> Vec<u64> {
    let own = &vectors[..vectors.len().min(size)];
    let mut span = Span::of(own.iter().copied());
    let mut added: Vec<u64> = Vec::new();
    for &vector in preferred.iter().chain(space) {
        if own.len() + added.len() < size && span.insert(vector) {
            added.push(vector);
        }
    }
    added.extend(own);
    added
}

/// A basis of a subspace of `space` that complements both `a` and `b` (bases of the same length).
fn common_complement(a: &[u64], b: &[u64], space: &[u64]) -> Vec<u64> {
    let both = intersection(a, b);
    let only = |vectors: &[u64]| {
        let mut span = Span::of(both.iter().copied());
        vectors.iter().copied().filter(|&vector| span.insert(vector)).collect::<Vec<_>>()
    };
    let mut complement: Vec<u64> = only(a).into_iter().zip(only(b)).map(|(a, b)| a ^ b).collect();
    let mut span = Span::of(a.iter().chain(b).copied());
    complement.extend(space.iter().copied().filter(|&vector| span.insert(vector)));
    complement
}
