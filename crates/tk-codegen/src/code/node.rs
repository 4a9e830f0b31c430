//! Nodes: pure computations, each known once, turned into LLVM instructions when something needs them.

use super::reg::{NO_NODE, Reg, Ty, wrap};
use super::{Code, Comparisons, Runs};
use inkwell::values::BasicValueEnum;

/// A pure operation on nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub(super) enum Opcode {
    /// A value that is there already: a parameter, a load, a phi, an output of inline assembly.
    Leaf,
    /// The bits are in the first two arguments.
    Const,
    Add,
    Sub,
    Mul,
    SDiv,
    UDiv,
    SRem,
    URem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    ICmp(IntTest),
    FCmp(FloatTest),
    Select,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FNeg,
    Trunc,
    ZExt,
    SExt,
    FpToSi,
    FpToUi,
    SiToFp,
    UiToFp,
    FpTrunc,
    FpExt,
    Bitcast,
    PtrToInt,
    IntToPtr,
    /// Pointer plus bytes.
    PtrAdd,
    /// A word or vector out of up to four equal parts, lowest first.
    Pack,
    /// One lane of a vector.
    Extract(u8),
    /// A call of the pure intrinsic with this number among the interned names.
    Call(u32),
    /// Inline PTX without effects; the number is that of the interned text.
    Asm(u32),
    /// An output of inline PTX that is built where the first of them is needed; the number is that of the late text ([`super::late`]).
    Late(u32),
    /// What stands for its argument in comparisons with this number; a name by which that is known, and nothing that is built.
    StandsFor(u32),
}

/// Comparisons of integers and pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub(crate) enum IntTest {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

/// Comparisons of floats: `O` is false and `U` true when an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are LLVM's")]
pub(crate) enum FloatTest {
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
}

pub(super) type Arguments = [u32; 4];

/// What makes two nodes the same computation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) opcode: Opcode,
    pub(super) ty: Ty,
    pub(super) args: Arguments,
}

pub(super) struct Node<'l> {
    pub(super) key: Key,
    /// Bits of an integer that are known to be 0; bits above the width count as unknown.
    pub(super) zeros: u64,
    /// Index of the scope whose code computes it.
    pub(super) scope: u32,
    /// Source place, see [`Code::set_place`].
    pub(super) place: u32,
    pub(super) value: Option<BasicValueEnum<'l>>,
}

impl<'l> Code<'l> {
    /// The node of a computation, made if it is new in the open scopes.
    pub(super) fn node(&mut self, opcode: Opcode, ty: Ty, args: &[u32], zeros: u64) -> u32 {
        let mut padded = [NO_NODE; 4];
        padded[..args.len()].copy_from_slice(args);
        let key = Key { opcode, ty, args: padded };
        let known = self.known.get(&key).copied();
        let scope = self.scope_of(opcode, args);
        let is_behind = |node: u32| self.stays(opcode) && self.nodes[node as usize].scope < scope;
        if let Some(node) = known.filter(|node| !is_behind(*node)) {
            return node;
        }
        let node = self.push_node(Node { key, zeros, scope, place: self.place, value: None });
        if known.is_some() {
            // What is known in the scopes around stays what is known when this one closes.
            return node;
        }
        self.known.insert(key, node);
        self.scopes[scope as usize].known.push(key);
        node
    }

    pub(super) fn push_node(&mut self, node: Node<'l>) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The outermost open scope that may compute it: loop-invariant computations leave their loops at once, those in a branch
    /// stay there, unless it has products: then they leave the loops around it. Divisions stay too, because they must not run when the program would not run them, and comparisons where
    /// [`Code::icmp_here`] says so.
    fn scope_of(&self, opcode: Opcode, args: &[u32]) -> u32 {
        if opcode == Opcode::Const {
            return 0;
        }
        let innermost = self.scopes.len() as u32 - 1;
        if matches!(opcode, Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem) || self.stays(opcode) {
            return innermost;
        }
        let needed = args.iter().map(|&arg| self.nodes[arg as usize].scope).max().unwrap_or(0);
        let (mut scope, mut found) = (innermost, innermost);
        while scope > needed && self.scopes[scope as usize].runs != Runs::Branch {
            if self.scopes[scope as usize].runs == Runs::Loop {
                found = scope - 1;
            }
            scope -= 1;
        }
        found
    }

    /// It is a comparison, and these stay in the loop that they are written in.
    fn stays(&self, opcode: Opcode) -> bool {
        matches!(opcode, Opcode::ICmp(_)) && self.comparisons == Comparisons::Stay
    }

    /// A register for a value that LLVM has already; `zeros` are its known-zero bits.
    pub(super) fn leaf(&mut self, value: BasicValueEnum<'l>, ty: Ty, zeros: u64) -> Reg {
        let scope = self.scopes.len() as u32 - 1;
        let key = Key { opcode: Opcode::Leaf, ty, args: [NO_NODE; 4] };
        let node = self.push_node(Node { key, zeros, scope, place: self.place, value: Some(value) });
        Reg { node, ty, offset: 0 }
    }

    /// A pure computation on materialised arguments.
    pub(super) fn compute(&mut self, opcode: Opcode, ty: Ty, args: &[Reg], zeros: u64) -> Reg {
        let mut nodes = [NO_NODE; 4];
        for (node, arg) in nodes.iter_mut().zip(args) {
            *node = self.materialise(*arg);
        }
        let node = self.node(opcode, ty, &nodes[..args.len()], zeros);
        Reg { node, ty, offset: 0 }
    }

    /// The node that holds the whole value, its constant part included.
    pub(super) fn materialise(&mut self, reg: Reg) -> u32 {
        if reg.node == NO_NODE {
            return self.constant_node(reg.ty, reg.offset);
        }
        if reg.offset == 0 {
            return reg.node;
        }
        if reg.ty.is_ptr() {
            let offset = self.constant_node(if reg.ty.bits() == 32 { Ty::I32 } else { Ty::I64 }, reg.offset);
            return self.node(Opcode::PtrAdd, reg.ty, &[reg.node, offset], 0);
        }
        let zeros = self.sum_zeros(reg.ty, self.nodes[reg.node as usize].zeros, !(reg.offset as u64));
        let offset = self.constant_node(reg.ty, reg.offset);
        self.node(Opcode::Add, reg.ty, &[reg.node, offset], zeros)
    }

    fn constant_node(&mut self, ty: Ty, bits: i64) -> u32 {
        let bits = wrap(ty, bits);
        self.node(Opcode::Const, ty, &[bits as u32, (bits >> 32) as u32], !(bits as u64))
    }

    /// Bits known to be 0 in the sum of two integers with the known-zero bits `a` and `b`.
    pub(super) fn sum_zeros(&self, ty: Ty, a: u64, b: u64) -> u64 {
        let mask = mask(ty);
        if !a & !b & mask == 0 {
            return a & b;
        }
        let low = (a & mask).trailing_ones().min((b & mask).trailing_ones());
        let low_zeros = if low >= 64 { u64::MAX } else { (1 << low) - 1 };
        // The sum of two numbers below 2^n is below 2^(n+1).
        let width = 64 - (!a & mask).leading_zeros().min((!b & mask).leading_zeros()) + 1;
        let high_zeros = if width >= ty.bits() { 0 } else { mask & !((1u64 << width) - 1) };
        low_zeros | high_zeros
    }

    /// Bits of an integer register that are known to be 0.
    pub(crate) fn zeros(&self, reg: Reg) -> u64 {
        let constant = !(reg.offset as u64);
        if reg.node == NO_NODE {
            return constant;
        }
        let base = self.nodes[reg.node as usize].zeros;
        if reg.offset == 0 { base } else { self.sum_zeros(reg.ty, base, constant) }
    }

    /// Whether the computed part and the constant have no bit in common, so that their sum is their union.
    pub(super) fn is_union(&self, reg: Reg) -> bool {
        if reg.node == NO_NODE || reg.offset == 0 {
            return true;
        }
        !self.nodes[reg.node as usize].zeros & reg.offset as u64 & mask(reg.ty) == 0
    }
}

/// The bits of an integer type.
pub(super) fn mask(ty: Ty) -> u64 {
    let bits = ty.bits();
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
