//! A kernel decoded for execution: a flat array of small operations over numbered register slots.
//!
//! Literals, special registers and symbol addresses are slots too, filled when a warp starts, so every source operand is a
//! slot and the interpreter never asks what an operand is. Device functions lie before their callers (lowest-address-first
//! scheduling then runs a callee before the rest of its caller) and have registers of their own, which recursion puts away.

pub(crate) use crate::asynchronous::*;
pub(crate) use crate::operations::*;

use crate::classes::Weight;
use crate::lanes::Lanes;
use crate::ops::Conversion;
use tk_diag::{Diagnostic, Result, SourceFile, Span};
use tk_ptx::{Location, Module, Parameter, Requirement};

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
    ClusterId(u8),
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    Nclusterid(u8),
    ClusterRank,
    ClusterSize,
    IsExplicitCluster,
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
    /// A register with the same value everywhere.
    Constant(u32),
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
    /// What the instruction of each operation counts as; of several operations of one instruction, the first says it.
    pub(crate) weights: Vec<Option<Weight>>,
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
    /// Slots that hold a value for each lane.
    pub(crate) lane_constants: Vec<(Slot, Lanes)>,
    /// Slots that hold addresses of shared memory, as in the CTA of rank 0.
    pub(crate) shared_addresses: Vec<(Slot, u64)>,
    pub(crate) pool: Vec<Slot>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) atomics: Vec<Atomic>,
    pub(crate) copies: Vec<AsyncCopy>,
    pub(crate) mmas: Vec<Mma>,
    pub(crate) products: Vec<Product>,
    /// Where each function keeps what it knows.
    pub(crate) frames: Vec<crate::decode::Extent>,
    pub(crate) matrices: Vec<Matrix>,
    pub(crate) wgmmas: Vec<Wgmma>,
    /// Accumulators and A operands of all wgmmas.
    pub(crate) dot_registers: SlotSet,
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
    /// Threads by axis, of `.reqntid`.
    pub(crate) block: Option<[u32; 3]>,
    /// CTAs of a cluster by axis, of `.reqnctapercluster`.
    pub(crate) cluster: Option<[u32; 3]>,
    /// Some arrival at a cluster's barrier or at an mbarrier is relaxed.
    pub(crate) has_relaxed_arrivals: bool,
    /// 32-bit registers whose values are needed at the same time.
    pub(crate) peak_registers: u32,
    /// Registers of a thread, of `.maxnreg`.
    pub(crate) max_registers: Option<u32>,
    /// Where the shared memory begins that the kernel may access: behind the system's, or with it where the kernel asks where that is.
    pub(crate) shared_start: u32,
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

    /// Threads of a CTA in x, y and z, where the header fixes them.
    pub fn block(&self) -> Option<[u32; 3]> {
        self.block
    }

    /// CTAs of a cluster in x, y and z, where the header fixes them.
    pub fn cluster(&self) -> Option<[u32; 3]> {
        self.cluster
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

    /// The line that an operation comes from, of the source if it is known.
    pub(crate) fn line_in_words(&self, pc: u32) -> String {
        let place = self.origins.get(pc as usize).and_then(|origin| self.place(origin.location));
        match place {
            Some((file, line, _)) => format!("{file}:{line}"),
            None => format!("PTX line {}", self.ptx_line(pc)),
        }
    }

    /// PTX lines whose instructions write global memory, in order.
    pub(crate) fn lines_that_write_global(&self) -> Vec<u32> {
        let is_global = |access: &Access| matches!(access.memory, Memory::Global | Memory::Generic);
        let writes = |op: &Op| match op {
            Op::Store(index) => is_global(&self.accesses[*index as usize]),
            Op::Atomic(index) => is_global(&self.atomics[*index as usize].access),
            Op::Bulk(index) => self.bulks[*index as usize].kind == BulkKind::Store,
            _ => false,
        };
        let operations = self.code.iter().zip(0u32..).filter(|(instruction, _)| writes(&instruction.op));
        let mut lines: Vec<u32> = operations.map(|(_, pc)| self.ptx_line(pc)).collect();
        lines.dedup();
        lines
    }

    /// An error at a place in the PTX.
    pub(crate) fn error_at(source: &SourceFile, span: Span, code: tk_diag::Code, message: String) -> Diagnostic {
        Diagnostic::error(code, message).at(source, span, "")
    }
}
