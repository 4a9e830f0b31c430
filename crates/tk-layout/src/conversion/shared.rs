//! Conversions through shared memory: who stores what where, who loads what from where.
//!
//! Addresses are linear in lane and warp: the byte offset of an access is `base ^ xor + add`, where `base` is the exclusive or of the thread's lane and warp
//! offsets, `xor` is constant and touches bits that threads use too, and `add` is constant and touches only other bits, so it can be an immediate offset.

use super::mover::{Access, Mover, Transfer};
use super::swizzle::{self, Vectors};
use super::{RegisterCopy, expand_copies, matrix, register_copies};
use crate::f2::Span;
use crate::{Dim, LinearLayout};

/// The plan: in each round, the active threads store, the CTA waits, all threads load, and, before another round, the CTA waits again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPlan {
    /// Scratch bytes, to be aligned to 16.
    pub bytes: u32,
    /// Bytes of one element in memory.
    pub element_bytes: u32,
    /// How stores are addressed.
    pub store: Access,
    /// How loads are addressed.
    pub load: Access,
    /// Lanes with a bit of this mask set hold copies and do not store.
    pub skip_lanes: u32,
    /// Warps with a bit of this mask set hold copies and do not store.
    pub skip_warps: u32,
    /// Stores and loads of each round; the same scratch memory is used in each.
    pub rounds: Vec<SharedRound>,
    /// Destination registers that repeat another one.
    pub copies: Vec<RegisterCopy>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedRound {
    /// Stores of source registers.
    pub stores: Vec<Transfer>,
    /// Loads to destination registers.
    pub loads: Vec<Transfer>,
}

/// The plan with the fewest wavefronts and instructions among the choices of vectors. Of equal ones of bytes that with the fewest loads: threads
/// wait for loads behind the barrier, and put bytes together then, while stores stand before it. Of what is left that whose accesses take registers as
/// they follow each other, since an access of several words takes neighbouring registers and others have to be moved there first.
pub(super) fn plan(
    src: &LinearLayout,
    dst: &LinearLayout,
    element_bits: u32,
    scratch_bytes: u32,
) -> Result<CostedPlan, String> {
    let bytes = element_bits / 8;
    let positions = src.total_out_bits();
    let masks = [Dim::Register, Dim::Lane, Dim::Warp].map(|dim| src.free_mask(dim));
    let storing = Mover::of(src, masks);
    let repeated = register_copies(dst);
    let loading = Mover::of(dst, [repeated.iter().fold(0, |mask, repeated| mask | 1 << repeated.bit), 0, 0]);
    let choices = swizzle::candidates(&storing.side, &loading.side, bytes, positions, scratch_bytes);
    let build = |vectors: &Vectors| {
        let memory = swizzle::memory(&storing.side, &loading.side, vectors, bytes, positions)?;
        let mut store = storing.access(&memory, bytes, vectors.store);
        let mut load = loading.access(&memory, bytes, vectors.load);
        store.matrix = if masks[1] | masks[2] == 0 { matrix::access(&storing, &memory, &store, bytes) } else { None };
        load.matrix = matrix::access(&loading, &memory, &load, bytes);
        let cost = cost(&storing, &store, bytes) + cost(&loading, &load, bytes);
        // Where there is no `stmatrix`, a plan that counts on it stores word by word.
        let stores_matrices = store.matrix.as_ref().is_some_and(|matrix| matrix.cost() < storing.cost(&store, bytes));
        let waits = if bytes == 1 { loading.instructions(&load, bytes) } else { 0 };
        let moved = storing.moved_words(&memory, &store, bytes) + loading.moved_words(&memory, &load, bytes);
        Some(((cost, stores_matrices, waits, moved), memory, store, load))
    };
    let best = choices.iter().filter_map(build).min_by_key(|(costs, ..)| *costs);
    let ((cost, ..), memory, store, load) = best.ok_or("no layout of scratch memory suits both sides")?;
    let (stores, loads) = (storing.transfers(&memory, &store, bytes), loading.transfers(&memory, &load, bytes));
    let plan = SharedPlan {
        bytes: bytes << memory.bits(),
        element_bytes: bytes,
        store,
        load,
        skip_lanes: masks[1],
        skip_warps: masks[2],
        rounds: stores.into_iter().zip(loads).map(|(stores, loads)| SharedRound { stores, loads }).collect(),
        copies: expand_copies(dst.in_bits(Dim::Register) as usize, &repeated),
    };
    Ok(CostedPlan { plan, cost })
}

/// A plan and what its stores and loads cost: twice the wavefronts plus the instructions.
pub(super) struct CostedPlan {
    pub(super) plan: SharedPlan,
    pub(super) cost: u64,
}

/// The cost of one side, by matrix instructions where they are cheaper: each matrix is a wavefront. Which GPU it is for is not known
/// here; where there is no `stmatrix`, a plan that counted on it costs little more than the best one.
fn cost(mover: &Mover, access: &Access, bytes: u32) -> u64 {
    let plain = mover.cost(access, bytes);
    access.matrix.as_ref().map_or(plain, |matrix| matrix.cost().min(plain))
}

/// Stores or loads between registers and a buffer of shared memory that has its own layout (`ttg.local_store`, `ttg.local_load`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferAccess {
    /// Bytes of one element in memory.
    pub element_bytes: u32,
    /// How the accesses are addressed, and the matrix instructions that do the same.
    pub access: Access,
    /// The accesses of each thread.
    pub transfers: Vec<Transfer>,
    /// For stores: lanes with a bit of this mask set hold copies and do not store.
    pub skip_lanes: u32,
    /// For stores: warps with a bit of this mask set do not store.
    pub skip_warps: u32,
    /// For loads: registers that repeat another one, `(register, register it equals)`.
    pub copies: Vec<RegisterCopy>,
}

/// Plans the stores of a tensor of layout `registers` to a buffer of layout `buffer` (offset, block → axes, a bijection).
pub fn store_to(registers: &LinearLayout, buffer: &LinearLayout, element_bits: u32) -> Result<BufferAccess, String> {
    let skipped = [Dim::Register, Dim::Lane, Dim::Warp].map(|dim| registers.free_mask(dim));
    buffer_access(registers, buffer, element_bits, skipped)
}

/// Plans the loads of a tensor of layout `registers` from a buffer of layout `buffer`. All threads load, copies too.
pub fn load_from(registers: &LinearLayout, buffer: &LinearLayout, element_bits: u32) -> Result<BufferAccess, String> {
    let copies = register_copies(registers);
    let repeated = copies.iter().fold(0, |mask, repeated| mask | 1 << repeated.bit);
    let plan = buffer_access(registers, buffer, element_bits, [repeated, 0, 0])?;
    Ok(BufferAccess { copies: expand_copies(registers.in_bits(Dim::Register) as usize, &copies), ..plan })
}

fn buffer_access(
    registers: &LinearLayout,
    buffer: &LinearLayout,
    element_bits: u32,
    skipped: [u32; 3],
) -> Result<BufferAccess, String> {
    super::check_element(element_bits)?;
    super::check_layout(registers)?;
    let buffer = buffer.transpose_outs(&registers.out_dims().collect::<Vec<_>>())?;
    if buffer.outs != registers.outs || !buffer.is_invertible() || buffer.in_bits(Dim::Block) != 0 {
        return Err(format!("the buffer {buffer} does not hold exactly the elements of {registers}"));
    }
    let bytes = element_bits / 8;
    let mover = Mover::of(registers, skipped);
    let memory = swizzle::Memory::of(buffer.columns_of(Dim::Offset));
    let in_thread = Span::of(mover.side.registers.iter().copied());
    let threads = mover.side.lanes.iter().chain(&mover.side.warps).fold(0, |all, &image| all | memory.offset(image));
    let is_vector = |bit: &usize| in_thread.contains(buffer.columns_of(Dim::Offset)[*bit]) && threads >> bit & 1 == 0;
    let most = (memory.bits()).min((16 / bytes).trailing_zeros() as usize);
    let mut access = mover.access(&memory, bytes, (0..most).take_while(is_vector).count());
    if skipped[1] | skipped[2] == 0 {
        access.matrix = matrix::access(&mover, &memory, &access, bytes);
    }
    let transfers = mover.transfers(&memory, &access, bytes).into_iter().flatten().collect();
    let [_, skip_lanes, skip_warps] = skipped;
    Ok(BufferAccess { element_bytes: bytes, access, transfers, skip_lanes, skip_warps, copies: Vec::new() })
}
