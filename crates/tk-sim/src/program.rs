//! A kernel decoded for execution: a flat array of small operations over numbered register slots.
//!
//! Literals, special registers and symbol addresses are slots too, filled when a warp starts, so every source operand is a
//! slot and the interpreter never asks what an operand is. Device functions lie before their callers (lowest-address-first
//! scheduling then runs a callee before the rest of its caller) and have registers of their own; recursion is refused.

pub(crate) use crate::asynchronous::{
    Bulk, BulkKind, BulkUpdate, FenceMap, MapScope, Mbarrier, MbarrierKind, TensorMapField, Wgmma,
};

use crate::lanes::{Fn1, Fn2, Fn3, Fn4, Test};
use crate::ops::Conversion;
use tk_diag::{Diagnostic, Result, SourceFile, Span};
use tk_ptx::{Location, Module, Parameter, Requirement};

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

/// A load or store.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) memory: Memory,
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
    /// Volatile, relaxed, acquire or release: such accesses may meet others without a barrier.
    pub(crate) strong: bool,
}

/// What an atomic does to a word: old value, operand, second operand.
pub(crate) type Update = fn(u64, u64, u64) -> u64;

/// `atom` or `red`.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    /// `regs` are the destinations; `bytes` and `count` as for a load.
    pub(crate) access: Access,
    pub(crate) update: Update,
    /// First of `count` slots of operands in the pool.
    pub(crate) operands: u32,
    pub(crate) second: Slot,
    /// `atom` keeps the old value.
    pub(crate) returns: bool,
    /// A compare-and-swap: one that fails gives way to other warps.
    pub(crate) is_cas: bool,
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

/// `cp.async`.
#[derive(Clone, Debug)]
pub(crate) struct Copy {
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

/// `mma.sync`.
#[derive(Clone, Debug)]
pub(crate) struct Mma {
    pub(crate) m: usize,
    pub(crate) k: usize,
    pub(crate) a_type: Element,
    pub(crate) b_type: Element,
    /// C and D are f16 pairs instead of f32.
    pub(crate) half_result: bool,
    /// Integer results saturate.
    pub(crate) saturate: bool,
    /// Slots in the pool: D, A, B, C.
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
    /// `add.cc`, `addc`, `sub.cc`, `subc`: with or without carry in and out.
    Carry {
        d: Slot,
        a: Slot,
        b: Slot,
        subtract: bool,
        wide: bool,
        reads: bool,
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
    Load(u32),
    Store(u32),
    Atomic(u32),
    /// Moves an address between generic and another space; `to` generic adds the window.
    Window {
        d: Slot,
        a: Slot,
        memory: Memory,
        to_generic: bool,
    },
    IsSpace {
        p: PredSlot,
        a: Slot,
        memory: Memory,
    },
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
    Exit,
    Trap,
    External(u32),
    Barrier {
        kind: BarrierKind,
        id: Slot,
        threads: Option<Slot>,
    },
    WarpBarrier {
        members: Slot,
    },
    Shuffle {
        kind: Shuffle,
        d: Slot,
        p: PredSlot,
        a: Slot,
        b: Slot,
        c: Slot,
        members: Slot,
    },
    Vote {
        kind: Vote,
        d: Slot,
        p: PredSlot,
        a: Pred,
        members: Slot,
    },
    Match {
        all: bool,
        d: Slot,
        p: PredSlot,
        a: Slot,
        members: Slot,
    },
    ActiveMask {
        d: Slot,
    },
    Reduce {
        update: Update,
        d: Slot,
        a: Slot,
        members: Slot,
    },
    Elect {
        d: Slot,
        p: PredSlot,
        members: Slot,
    },
    Mma(u32),
    Matrix(u32),
    Wgmma(u32),
    WgmmaFence,
    WgmmaCommit,
    /// Completes all groups but the `left` newest.
    WgmmaWait {
        left: u32,
    },
    /// `fence.proxy.async`.
    FenceProxy,
    Transpose {
        d: Slot,
        a: Slot,
    },
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
    Fence,
    Yield,
    Nothing,
}

/// A set of slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct SlotSet(Vec<u64>);

impl SlotSet {
    pub(crate) fn insert(&mut self, slot: Slot) {
        let word = slot as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (slot % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, slot: Slot) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }
}

/// An operation with its guard.
#[derive(Clone)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    pub(crate) guard: Pred,
    /// It touches a register of some wgmma, and is none itself.
    pub(crate) watched: bool,
}

/// Special registers that are constant while a warp runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    Nclusterid(u8),
    LaneId,
    WarpId,
    Nwarpid,
    SmId,
    NsmId,
    GridId,
    /// Which lanes are below (or equal, …) in `%lanemask_*`.
    LaneMask(LaneOrder),
    DynamicShared,
    TotalShared,
    Zero,
    One,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LaneOrder {
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A module variable in global or constant memory.
#[derive(Clone, Debug)]
pub(crate) struct GlobalVariable {
    pub(crate) name: String,
    /// Initial bytes; zero where the initialiser ends.
    pub(crate) bytes: Vec<u8>,
    /// Byte offsets that hold the address of another variable.
    pub(crate) links: Vec<(usize, usize, i64)>,
}

/// A place in the PTX and the source that an operation comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// In [`Program::locations`]; `u32::MAX` for none.
    pub(crate) location: u32,
    /// In the PTX text.
    pub(crate) span: Span,
}

/// One memory instruction, for the report.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) kind: crate::report::AccessKind,
    /// Bits that one thread accesses.
    pub(crate) width: u32,
    pub(crate) origin: Origin,
}

/// A kernel ready to run. Make one with [`Program::compile`]; it can be launched any number of times.
pub struct Program {
    pub(crate) entry: String,
    pub(crate) code: Vec<Instruction>,
    pub(crate) origins: Vec<Origin>,
    /// First operation of the kernel itself.
    pub(crate) start: u32,
    pub(crate) slots: u32,
    pub(crate) preds: u32,
    /// The carry flag.
    pub(crate) carry: PredSlot,
    pub(crate) literals: Vec<(Slot, u64)>,
    pub(crate) specials: Vec<(Slot, Special)>,
    /// Slots that hold addresses of module variables: slot, variable, bytes added.
    pub(crate) addresses: Vec<(Slot, usize, i64)>,
    pub(crate) pool: Vec<Slot>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) atomics: Vec<Atomic>,
    pub(crate) copies: Vec<Copy>,
    pub(crate) mmas: Vec<Mma>,
    pub(crate) matrices: Vec<Matrix>,
    pub(crate) wgmmas: Vec<Wgmma>,
    /// Accumulators and A operands of all wgmmas.
    pub(crate) products: SlotSet,
    pub(crate) mbarriers: Vec<Mbarrier>,
    pub(crate) bulks: Vec<Bulk>,
    pub(crate) map_fields: Vec<TensorMapField>,
    pub(crate) externals: Vec<External>,
    pub(crate) conversions: Vec<Conversion>,
    pub(crate) combines: Vec<(Logic, Pred)>,
    pub(crate) globals: Vec<GlobalVariable>,
    pub(crate) sites: Vec<Site>,
    pub(crate) locations: Vec<Location>,
    pub(crate) files: Vec<(u32, String)>,
    pub(crate) source: SourceFile,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) requirement: Requirement,
    /// Bytes of shared variables with a size.
    pub(crate) static_shared: u32,
    /// Where dynamic shared memory begins.
    pub(crate) dynamic_shared: u32,
    /// Local memory of one thread, bytes.
    pub(crate) local_bytes: u32,
}

impl Program {
    /// Decodes the kernel `entry` of a module and all device functions it calls. An instruction that the simulator does not
    /// know is an error with its place in the PTX.
    pub fn compile(module: &Module, entry: &str) -> Result<Program> {
        crate::decode::compile(module, entry)
    }

    /// Name of the kernel.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// Parameters, in order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// Threads per CTA that the header asks for.
    pub fn threads(&self) -> Requirement {
        self.requirement
    }

    /// Shared memory declared with a size, in bytes; dynamic shared memory comes on top.
    pub fn static_shared_bytes(&self) -> u32 {
        self.static_shared
    }

    /// `file:line:column` of a location in the source, when it is known.
    pub(crate) fn place(&self, location: u32) -> Option<(&str, u32, u32)> {
        let location = self.locations.get(location as usize)?;
        let name = self.files.iter().find(|f| f.0 == location.file)?;
        (location.line > 0).then_some((name.1.as_str(), location.line, location.column))
    }

    /// The line of the PTX text that an operation comes from.
    pub(crate) fn ptx_line(&self, pc: u32) -> u32 {
        self.origins.get(pc as usize).map_or(0, |origin| self.source.line_column(origin.span.start).line)
    }

    /// An error at a place in the PTX.
    pub(crate) fn error_at(source: &SourceFile, span: Span, code: tk_diag::Code, message: String) -> Diagnostic {
        Diagnostic::error(code, message).at(source, span, "")
    }
}
