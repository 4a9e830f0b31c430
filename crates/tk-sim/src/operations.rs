//! The operations of a decoded kernel, and what they name: slots, predicates, accesses. Those of the asynchronous engines are in
//! [`crate::asynchronous`].

use crate::asynchronous::{FenceMap, MapScope};
pub(crate) use crate::clock::FencedMemory;
use crate::lanes::{Fn1, Fn2, Fn3, Fn4, Test};
pub(crate) use crate::memory_order::{MemoryOrder, MemoryScope};

/// A 64-bit register of 32 lanes.
pub(crate) type Slot = u32;
/// A predicate register: one bit per lane. Number 0 is always true.
pub(crate) type PredSlot = u32;

/// A predicate read, possibly negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pred {
    pub(crate) slot: PredSlot,
    pub(crate) negated: bool,
}

impl Pred {
    pub(crate) const TRUE: Pred = Pred { slot: 0, negated: false };
    pub(crate) const FALSE: Pred = Pred { slot: 0, negated: true };
}

/// How predicates combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logic {
    And,
    Or,
    Xor,
}

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Global,
    Shared,
    /// Memory of one thread: `.local` variables and `.param` variables of device functions.
    Local,
    /// Parameters of the kernel.
    Param,
    /// Decided by the address.
    Generic,
}

/// Whose shared memory an access may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    /// The CTA's own: `.shared`.
    Cta,
    /// Of any CTA of the cluster: `.shared::cluster`, and generic addresses.
    Cluster,
}

/// What an arrival at the barrier of a cluster lets others see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrivalOrder {
    Release,
    /// What a fence before it has.
    Relaxed,
}

/// A load or store.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) memory: Memory,
    pub(crate) window: Window,
    /// Bytes of one element: 1, 2, 4 or 8.
    pub(crate) bytes: u32,
    /// Elements.
    pub(crate) count: u32,
    /// Width to sign-extend a loaded element to; 0 for zero-extension.
    pub(crate) extend: u32,
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    /// First of `count` slots in [`Program::pool`].
    pub(crate) regs: u32,
    /// Number of its counters.
    pub(crate) site: u32,
    pub(crate) order: MemoryOrder,
    pub(crate) scope: MemoryScope,
    /// `ld.global.nc`: the memory is read-only as long as the kernel runs.
    pub(crate) constant: bool,
}

pub(crate) use crate::ops::Update;

/// How an atomic depends on the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtomicKind {
    /// It computes with it.
    Update,
    /// It replaces it, whatever it is.
    Exchange,
    /// It replaces it when it is the one expected. One that fails gives way to other warps.
    CompareAndSwap,
}

/// `atom` or `red`.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    /// `regs` are the destinations; `bytes` and `count` as for a load.
    pub(crate) access: Access,
    pub(crate) update: Update,
    /// The same in global memory.
    pub(crate) global_update: Update,
    /// Of an addition to both halves of a word that gives no value, the addition to one of them.
    pub(crate) half: Option<Update>,
    /// First of `count` slots of operands in the pool.
    pub(crate) operands: u32,
    pub(crate) second: Slot,
    /// `atom` keeps the old value.
    pub(crate) returns: bool,
    pub(crate) kind: AtomicKind,
}

/// How `shfl` picks the source lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What a vote answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// Barriers of a CTA that have a number.
pub(crate) const BARRIERS: u32 = 16;

/// What a barrier does besides waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarrierKind {
    Sync,
    Arrive,
    /// Counts, ands or ors a predicate over the CTA; the result goes to a slot or a predicate.
    Popc(Slot, Pred),
    And(PredSlot, Pred),
    Or(PredSlot, Pred),
}

/// Whether a warp takes registers or gives them up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterChange {
    More,
    Fewer,
}

/// `cp.async`.
#[derive(Clone, Debug)]
pub(crate) struct AsyncCopy {
    pub(crate) destination: Slot,
    pub(crate) destination_offset: i64,
    pub(crate) source: Slot,
    pub(crate) source_offset: i64,
    pub(crate) bytes: u32,
    /// Bytes to read; the rest is zero.
    pub(crate) source_bytes: Slot,
    /// Nothing is read where this holds.
    pub(crate) ignore: Pred,
    pub(crate) site: u32,
}

/// Element types of `mma.sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    F16,
    BF16,
    TF32,
    E4M3,
    E5M2,
    S8,
    U8,
    F64,
}

impl Element {
    /// Bits of one element in a register.
    pub(crate) fn bits(self) -> usize {
        match self {
            Element::F16 | Element::BF16 => 16,
            Element::TF32 => 32,
            Element::E4M3 | Element::E5M2 | Element::S8 | Element::U8 => 8,
            Element::F64 => 64,
        }
    }
}

/// What C and D of a dot are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sums {
    /// Pairs of f16.
    Half,
    Single,
    Double,
    /// 32 bits.
    Integer(Overflow),
}

/// What becomes of an integer that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    Wraps,
    /// `.satfinite`
    Saturates,
}

impl Sums {
    /// By the name of their type in PTX; nothing for a type that no dot has.
    pub(crate) fn named(name: &str, overflow: Overflow) -> Option<Self> {
        Some(match name {
            "f16" => Sums::Half,
            "f32" => Sums::Single,
            "f64" => Sums::Double,
            "s32" => Sums::Integer(overflow),
            _ => return None,
        })
    }

    /// An integer sum as its 32 bits.
    pub(crate) fn integer(self, sum: i64) -> u64 {
        let sum = match self {
            Sums::Integer(Overflow::Saturates) => sum.clamp(i32::MIN.into(), i32::MAX.into()),
            Sums::Integer(Overflow::Wraps) | Sums::Half | Sums::Single | Sums::Double => sum,
        };
        u64::from(sum as u32)
    }
}

/// `mma.sync`.
#[derive(Clone, Debug)]
pub(crate) struct Mma {
    pub(crate) m: usize,
    pub(crate) k: usize,
    pub(crate) a_type: Element,
    pub(crate) b_type: Element,
    pub(crate) sums: Sums,
    /// Slots in the pool: D, A, B, C.
    pub(crate) d: Vec<Slot>,
    pub(crate) a: Vec<Slot>,
    pub(crate) b: Vec<Slot>,
    pub(crate) c: Vec<Slot>,
}

/// What follows each other in memory, or in the registers of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Major {
    Row,
    Column,
}

/// How the fragments of a [`Product`] lie in the lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FragmentLayout {
    /// Row after row, as many elements in each lane.
    Rows,
    /// Lanes 4i to 4i+3 and 4i+16 to 4i+19 have product i of four.
    QuadPairs { a: Major, b: Major },
}

/// `wmma.mma`, and `mma.sync` of m8n8k4.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    /// Of A.
    pub(crate) element: Element,
    pub(crate) b_element: Element,
    pub(crate) c_sums: Sums,
    pub(crate) d_sums: Sums,
    pub(crate) layout: FragmentLayout,
    pub(crate) d: Vec<Slot>,
    pub(crate) a: Vec<Slot>,
    pub(crate) b: Vec<Slot>,
    pub(crate) c: Vec<Slot>,
}

/// `ldmatrix`, `stmatrix`.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub(crate) store: bool,
    pub(crate) transposed: bool,
    pub(crate) regs: Vec<Slot>,
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    pub(crate) site: u32,
}

/// Functions that PTX code may call without a body.
#[derive(Clone, Debug)]
pub(crate) enum External {
    /// `vprintf(format, arguments)`: offsets of the two parameters and of the result in local memory.
    Print { format: u32, arguments: u32, result: u32 },
    /// `__assertfail(message, file, line, function, size)`.
    AssertFail { message: u32, file: u32, line: u32, function: u32 },
}

/// Which sum is formed with carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sum {
    Add,
    Subtract,
}

/// Whether the carry flag is added too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CarryIn {
    None,
    Read,
}

/// Operations on registers that are rare enough to stay out of the fast path.
#[derive(Clone)]
pub(crate) enum RegisterOp {
    Four {
        f: Fn4,
        d: Slot,
        operands: u32,
    },
    Convert {
        conversion: u32,
        d: Slot,
        a: Slot,
    },
    /// `add.cc`, `addc`, `sub.cc`, `subc`: with or without carry in and out.
    Carry {
        d: Slot,
        a: Slot,
        b: Slot,
        sum: Sum,
        carry_in: CarryIn,
        wide: bool,
        writes: bool,
    },
    Pack {
        d: Slot,
        parts: u32,
        count: u32,
        bits: u32,
    },
    Unpack {
        parts: u32,
        count: u32,
        a: Slot,
        bits: u32,
    },
    Clock {
        d: Slot,
        high: bool,
    },
    /// Moves an address between generic and another space; `to` generic adds the window.
    Window {
        d: Slot,
        a: Slot,
        memory: Memory,
        to_generic: bool,
    },
    /// `getctarank`
    RankOf {
        d: Slot,
        a: Slot,
    },
    IsSpace {
        p: PredSlot,
        a: Slot,
        memory: Memory,
    },
}

/// Operations of several lanes of a warp.
#[derive(Clone)]
pub(crate) enum LaneOp {
    WarpBarrier { members: Slot },
    Shuffle { kind: Shuffle, d: Slot, p: PredSlot, a: Slot, b: Slot, c: Slot, members: Slot },
    Vote { kind: Vote, d: Slot, p: PredSlot, a: Pred, members: Slot },
    Match { all: bool, d: Slot, p: PredSlot, a: Slot, members: Slot },
    ActiveMask { d: Slot },
    Reduce { update: Update, d: Slot, a: Slot, members: Slot },
    Elect { d: Slot, p: PredSlot, members: Slot },
    Transpose { d: Slot, a: Slot },
}

/// One operation. Slots are named as in PTX: `d` receives, `a` to `e` are read.
#[derive(Clone)]
pub(crate) enum Op {
    One {
        f: Fn1,
        d: Slot,
        a: Slot,
    },
    Two {
        f: Fn2,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Three {
        f: Fn3,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Compare {
        f: Test,
        p: PredSlot,
        q: PredSlot,
        a: Slot,
        b: Slot,
        combine: u32,
    },
    Select {
        d: Slot,
        a: Slot,
        b: Slot,
        p: Pred,
    },
    Combine {
        logic: Logic,
        d: PredSlot,
        a: Pred,
        b: Pred,
    },
    /// Rarer operations on registers.
    Register(RegisterOp),
    Load(u32),
    Store(u32),
    Atomic(u32),
    Branch {
        target: u32,
    },
    BranchIndexed {
        index: Slot,
        first: u32,
        count: u32,
    },
    /// Keeps the return address of each lane in slot `link`.
    Call {
        target: u32,
        link: Slot,
    },
    Return {
        link: Slot,
    },
    /// Before a call that may come back to the function it is in.
    PutAway {
        frame: u32,
    },
    /// After it.
    TakeBack {
        frame: u32,
    },
    /// A call through a register that holds the address of no function.
    NoFunction {
        address: Slot,
    },
    Exit,
    Trap,
    External(u32),
    Barrier {
        kind: BarrierKind,
        id: Slot,
        threads: Option<Slot>,
        /// All lanes of a warp come together.
        aligned: bool,
    },
    /// `barrier.cluster.arrive`
    ClusterArrive {
        order: ArrivalOrder,
        aligned: bool,
    },
    /// `barrier.cluster.wait`
    ClusterWait {
        aligned: bool,
    },
    /// `mapa`
    MapRank {
        d: Slot,
        a: Slot,
        rank: Slot,
    },
    /// `setmaxnreg`.
    SetRegisters {
        count: u32,
        change: RegisterChange,
    },
    /// Operations of several lanes.
    Lanes(LaneOp),
    Mma(u32),
    /// `wmma.mma` and `mma.sync` of m8n8k4.
    Product(u32),
    Matrix(u32),
    Wgmma(u32),
    WgmmaFence,
    WgmmaCommit,
    /// Completes all groups but the `left` newest.
    WgmmaWait {
        left: u32,
    },
    /// `fence.proxy.async`.
    FenceProxy(FencedMemory),
    Copy(u32),
    CopyCommit,
    /// Waits until at most `left` groups are pending; `u32::MAX` waits for ungrouped copies too.
    CopyWait {
        left: u32,
    },
    Mbarrier(u32),
    Bulk(u32),
    BulkCommit,
    /// Completes all bulk groups but the `left` newest, or only reads for them.
    BulkWait {
        left: u32,
        read_only: bool,
    },
    ReplaceField(u32),
    FenceMap(FenceMap),
    /// Copies a tensor map from shared memory (second) to global memory (first).
    CopyMap {
        slots: [Slot; 2],
        offsets: [i64; 2],
        scope: MapScope,
    },
    /// `fence.acq_rel`, `fence.sc`, `membar`.
    Fence {
        scope: MemoryScope,
    },
    Yield,
    Nothing,
}
