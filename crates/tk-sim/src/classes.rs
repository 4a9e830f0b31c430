//! Classes of instructions: which part of a multiprocessor executes one, and how many operations it is.

use serde::Serialize;
use tk_ptx::{Mnemonic, Opcode};

/// What kind of work an instruction of the PTX is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum InstructionClass {
    /// Products of f16 and bf16 on tensor cores.
    TensorF16,
    /// Products of tf32.
    TensorTf32,
    /// Products of 8-bit floats.
    TensorF8,
    /// Products of 8-bit integers.
    TensorInteger,
    /// Products of f64.
    TensorF64,
    /// Arithmetic of f32.
    F32,
    /// Arithmetic of f16 and bf16, packed or not.
    Half,
    /// Arithmetic of f64.
    F64,
    /// Arithmetic of integers.
    Integer,
    /// Logic, shifts, comparisons, selections, moves.
    Logic,
    /// Exponentials, roots, quotients, sines.
    Special,
    /// Conversions between types.
    Conversion,
    /// Loads and stores of global memory.
    Global,
    /// Loads and stores of shared memory.
    Shared,
    /// Loads and stores of parameters, local memory and generic addresses.
    OtherMemory,
    /// Atomics.
    Atomic,
    /// Asynchronous copies, by threads and in bulk.
    Copy,
    /// Shuffles, votes and the like.
    Exchange,
    /// Barriers, fences and waits.
    Barrier,
    /// Branches, calls, and what has no effect here.
    Control,
}

impl InstructionClass {
    /// All classes, in the order of reports.
    pub const ALL: [InstructionClass; 20] = [
        InstructionClass::TensorF16,
        InstructionClass::TensorTf32,
        InstructionClass::TensorF8,
        InstructionClass::TensorInteger,
        InstructionClass::TensorF64,
        InstructionClass::F32,
        InstructionClass::Half,
        InstructionClass::F64,
        InstructionClass::Integer,
        InstructionClass::Logic,
        InstructionClass::Special,
        InstructionClass::Conversion,
        InstructionClass::Global,
        InstructionClass::Shared,
        InstructionClass::OtherMemory,
        InstructionClass::Atomic,
        InstructionClass::Copy,
        InstructionClass::Exchange,
        InstructionClass::Barrier,
        InstructionClass::Control,
    ];

    /// The words in reports.
    pub fn name(self) -> &'static str {
        match self {
            InstructionClass::TensorF16 => "tensor f16",
            InstructionClass::TensorTf32 => "tensor tf32",
            InstructionClass::TensorF8 => "tensor f8",
            InstructionClass::TensorInteger => "tensor integer",
            InstructionClass::TensorF64 => "tensor f64",
            InstructionClass::F32 => "f32",
            InstructionClass::Half => "half",
            InstructionClass::F64 => "f64",
            InstructionClass::Integer => "integer",
            InstructionClass::Logic => "logic",
            InstructionClass::Special => "special",
            InstructionClass::Conversion => "conversion",
            InstructionClass::Global => "global",
            InstructionClass::Shared => "shared",
            InstructionClass::OtherMemory => "other memory",
            InstructionClass::Atomic => "atomic",
            InstructionClass::Copy => "copy",
            InstructionClass::Exchange => "exchange",
            InstructionClass::Barrier => "barrier",
            InstructionClass::Control => "control",
        }
    }
}

/// How many operations of arithmetic an instruction is; an `fma` is two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operations {
    OfLane(u32),
    OfWarp(u32),
}

/// What an instruction counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Weight {
    pub(crate) class: InstructionClass,
    pub(crate) operations: Operations,
}

impl Weight {
    pub(crate) fn of(opcode: &Opcode) -> Self {
        let mnemonic = opcode.mnemonic();
        if let Some(Mnemonic::Mma | Mnemonic::Wgmma | Mnemonic::Wmma) = mnemonic
            && let Some(weight) = product(opcode)
        {
            return weight;
        }
        let class = mnemonic.map_or(InstructionClass::Control, |mnemonic| class(mnemonic, opcode));
        Weight { class, operations: Operations::OfLane(per_lane(class, mnemonic, opcode)) }
    }
}

/// A product on tensor cores; other instructions of the same name are none.
fn product(opcode: &Opcode) -> Option<Weight> {
    let shape = opcode.modifiers().find_map(sizes);
    if opcode.has("load") || opcode.has("store") || shape.is_none() && !opcode.has("mma_async") {
        return None;
    }
    let [m, n, k] = shape?;
    let has = |names: &[&str]| names.iter().any(|name| opcode.has(name));
    let class = match () {
        () if has(&["e4m3", "e5m2"]) => InstructionClass::TensorF8,
        () if has(&["s8", "u8"]) => InstructionClass::TensorInteger,
        () if has(&["tf32"]) => InstructionClass::TensorTf32,
        () if has(&["f64"]) => InstructionClass::TensorF64,
        () => InstructionClass::TensorF16,
    };
    // Four warps share one `wgmma`.
    let warps = if opcode.has("mma_async") { 4 } else { 1 };
    Some(Weight { class, operations: Operations::OfWarp(2 * m * n * k / warps) })
}

/// `m64n128k16`
fn sizes(word: &str) -> Option<[u32; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

fn class(mnemonic: Mnemonic, opcode: &Opcode) -> InstructionClass {
    use Mnemonic as M;
    match mnemonic {
        M::Rcp | M::Sqrt | M::Rsqrt | M::Sin | M::Cos | M::Lg2 | M::Ex2 | M::Tanh => InstructionClass::Special,
        M::Div if !is_integer(opcode) => InstructionClass::Special,
        M::Add | M::Sub | M::Mul | M::Mad | M::Fma | M::Min | M::Max | M::Abs | M::Neg | M::Div => arithmetic(opcode),
        M::Mul24
        | M::Mad24
        | M::Sad
        | M::Rem
        | M::Popc
        | M::Clz
        | M::Bfind
        | M::Fns
        | M::Brev
        | M::Bfe
        | M::Bfi
        | M::Szext
        | M::Bmsk
        | M::Dp4a
        | M::Dp2a
        | M::Addc
        | M::Subc
        | M::Madc => InstructionClass::Integer,
        M::Testp
        | M::Copysign
        | M::Set
        | M::Setp
        | M::Selp
        | M::Slct
        | M::And
        | M::Or
        | M::Xor
        | M::Not
        | M::Cnot
        | M::Lop3
        | M::Shf
        | M::Shl
        | M::Shr
        | M::Mov
        | M::Prmt
        | M::Cvta
        | M::Isspacep
        | M::Mapa
        | M::Getctarank
        | M::Createpolicy => InstructionClass::Logic,
        M::Cvt => InstructionClass::Conversion,
        M::Ld | M::Ldu | M::St if opcode.has("async") => InstructionClass::Copy,
        M::Ld | M::Ldu | M::St => access(opcode),
        M::Ldmatrix | M::Stmatrix => InstructionClass::Shared,
        M::Wmma => InstructionClass::OtherMemory,
        M::Atom | M::Red => InstructionClass::Atomic,
        M::Cp if opcode.has("commit_group") || opcode.has("wait_group") || opcode.has("wait_all") => {
            InstructionClass::Barrier
        }
        M::Cp => InstructionClass::Copy,
        M::Shfl | M::Vote | M::Match | M::Activemask | M::Redux | M::Elect | M::Movmatrix => InstructionClass::Exchange,
        M::Bar | M::Barrier | M::Mbarrier | M::Fence | M::Membar | M::Tensormap | M::Wgmma => InstructionClass::Barrier,
        _ => InstructionClass::Control,
    }
}

fn is_integer(opcode: &Opcode) -> bool {
    arithmetic(opcode) == InstructionClass::Integer
}

fn arithmetic(opcode: &Opcode) -> InstructionClass {
    let half = |word: &str| matches!(word, "f16" | "f16x2" | "bf16" | "bf16x2");
    match () {
        () if opcode.has("f32") || opcode.has("f32x2") => InstructionClass::F32,
        () if opcode.modifiers().any(half) => InstructionClass::Half,
        () if opcode.has("f64") => InstructionClass::F64,
        () => InstructionClass::Integer,
    }
}

fn access(opcode: &Opcode) -> InstructionClass {
    let is_shared = opcode.modifiers().any(|word| word.starts_with("shared"));
    match () {
        () if opcode.has("global") => InstructionClass::Global,
        () if is_shared => InstructionClass::Shared,
        () => InstructionClass::OtherMemory,
    }
}

/// Operations of one lane.
fn per_lane(class: InstructionClass, mnemonic: Option<Mnemonic>, opcode: &Opcode) -> u32 {
    let is_arithmetic = matches!(
        class,
        InstructionClass::F32 | InstructionClass::Half | InstructionClass::F64 | InstructionClass::Integer
    );
    let values = if opcode.modifiers().any(|word| word.ends_with("x2")) { 2 } else { 1 };
    match mnemonic {
        Some(Mnemonic::Fma | Mnemonic::Mad | Mnemonic::Mad24 | Mnemonic::Madc) => 2 * values,
        _ if is_arithmetic || class == InstructionClass::Special => values,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_have_classes_and_operations() {
        use InstructionClass::*;
        for (text, class, operations) in [
            ("fma.rn.f32", F32, Operations::OfLane(2)),
            ("fma.rn.f16x2", Half, Operations::OfLane(4)),
            ("add.f64", F64, Operations::OfLane(1)),
            ("mad.lo.s32", Integer, Operations::OfLane(2)),
            ("div.full.f32", Special, Operations::OfLane(1)),
            ("div.s32", Integer, Operations::OfLane(1)),
            ("setp.lt.f32", Logic, Operations::OfLane(0)),
            ("ld.global.v4.b32", Global, Operations::OfLane(0)),
            ("st.shared::cta.b32", Shared, Operations::OfLane(0)),
            ("ld.param.u64", OtherMemory, Operations::OfLane(0)),
            ("cp.async.wait_group", Barrier, Operations::OfLane(0)),
            ("cp.async.cg.shared.global", Copy, Operations::OfLane(0)),
            ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", TensorF16, Operations::OfWarp(4096)),
            ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", TensorInteger, Operations::OfWarp(8192)),
            ("wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", TensorF8, Operations::OfWarp(262_144)),
            ("wgmma.wait_group.sync.aligned", Barrier, Operations::OfLane(0)),
            ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", TensorF16, Operations::OfWarp(8192)),
            ("wmma.load.a.sync.aligned.row.m16n16k16.f16", OtherMemory, Operations::OfLane(0)),
            ("bra.uni", Control, Operations::OfLane(0)),
        ] {
            let found = Weight::of(&Opcode(text.into()));
            assert_eq!((found.class, found.operations), (class, operations), "{text}");
        }
        assert!(InstructionClass::ALL.is_sorted());
    }
}
