//! `Reg` and `Ty`: one value of one thread, and the machine types it can have.

/// Marks a [`Reg`] that is a plain constant.
pub(super) const NO_NODE: u32 = u32::MAX;

/// A machine type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ty {
    /// An integer of 1, 8, 16, 32 or 64 bits. 8-bit floats are held as `Int(8)`.
    Int(u32),
    /// IEEE half.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE single.
    F32,
    /// IEEE double.
    F64,
    /// A pointer into an LLVM address space.
    Ptr(Space),
    /// A short vector, for packed arithmetic and for taking words apart.
    Vector(u8, Lane),
}

/// An address space of NVPTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// Global memory.
    Global,
    /// Shared memory of the CTA.
    Shared,
    /// Any memory: what functions of the driver take.
    Generic,
}

/// What a [`Ty::Vector`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it all")]
pub(crate) enum Lane {
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

#[allow(missing_docs, reason = "the names say it all")]
impl Ty {
    pub(crate) const BOOL: Ty = Ty::Int(1);
    pub(crate) const I32: Ty = Ty::Int(32);
    pub(crate) const I64: Ty = Ty::Int(64);

    /// Width in bits of a scalar or of a whole vector.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Ty::Int(bits) => bits,
            Ty::F16 | Ty::BF16 => 16,
            Ty::F32 => 32,
            Ty::F64 => 64,
            Ty::Ptr(Space::Global | Space::Generic) => 64,
            Ty::Ptr(Space::Shared) => 32,
            Ty::Vector(count, lane) => u32::from(count) * lane.ty().bits(),
        }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    pub(crate) fn is_int(self) -> bool {
        matches!(self, Ty::Int(_))
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Ty::F16 | Ty::BF16 | Ty::F32 | Ty::F64)
    }

    pub(crate) fn is_ptr(self) -> bool {
        matches!(self, Ty::Ptr(_))
    }

    /// The type as an element of a vector.
    pub(crate) fn lane(self) -> Option<Lane> {
        Some(match self {
            Ty::Int(8) => Lane::I8,
            Ty::Int(16) => Lane::I16,
            Ty::Int(32) => Lane::I32,
            Ty::Int(64) => Lane::I64,
            Ty::F16 => Lane::F16,
            Ty::BF16 => Lane::BF16,
            Ty::F32 => Lane::F32,
            Ty::F64 => Lane::F64,
            Ty::Int(_) | Ty::Ptr(_) | Ty::Vector(..) => return None,
        })
    }

    /// The letter for a register of this type in a constraint of inline PTX.
    pub(crate) fn constraint(self) -> &'static str {
        match self {
            Ty::Int(1) => "b",
            Ty::Int(8 | 16) | Ty::F16 | Ty::BF16 => "h",
            Ty::F32 => "f",
            Ty::F64 => "d",
            Ty::Int(64) | Ty::Ptr(Space::Global | Space::Generic) => "l",
            Ty::Int(_) | Ty::Ptr(Space::Shared) => "r",
            Ty::Vector(..) if self.bits() == 64 => "l",
            Ty::Vector(..) => "r",
        }
    }
}

impl Lane {
    /// The scalar type.
    pub(crate) fn ty(self) -> Ty {
        match self {
            Lane::I8 => Ty::Int(8),
            Lane::I16 => Ty::Int(16),
            Lane::I32 => Ty::Int(32),
            Lane::I64 => Ty::Int(64),
            Lane::F16 => Ty::F16,
            Lane::BF16 => Ty::BF16,
            Lane::F32 => Ty::F32,
            Lane::F64 => Ty::F64,
        }
    }
}

/// One value of one thread: a computed part (a node of [`super::Code`]) plus a constant.
///
/// For integers the constant is added (modulo the width), for pointers it is a number of bytes. A constant has no computed part:
/// an integer is its value, a float its bit pattern. So registers of a tensor that differ by constants share one computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Reg {
    pub(super) node: u32,
    pub(super) ty: Ty,
    pub(super) offset: i64,
}

impl Reg {
    /// Its type.
    pub(crate) fn ty(self) -> Ty {
        self.ty
    }

    /// The value of a constant: an integer sign-extended, or the bits of a float.
    pub(crate) fn constant(self) -> Option<i64> {
        (self.node == NO_NODE).then_some(self.offset)
    }

    /// The constant that is added to the computed part; 0 for floats.
    pub(crate) fn offset(self) -> i64 {
        self.offset
    }

    /// The same value without the constant part.
    pub(crate) fn base(self) -> Reg {
        Reg { offset: 0, ..self }
    }

    /// The same computed part with another constant; for integers and pointers.
    pub(crate) fn with_offset(self, offset: i64) -> Reg {
        Reg { offset: wrap(self.ty, offset), ..self }
    }
}

/// An integer brought into the range of its type, sign-extended; `Int(1)` is 0 or -1.
pub(super) fn wrap(ty: Ty, value: i64) -> i64 {
    match ty {
        Ty::Int(bits) if bits < 64 => value << (64 - bits) >> (64 - bits),
        Ty::Int(_) | Ty::F16 | Ty::BF16 | Ty::F32 | Ty::F64 | Ty::Ptr(_) | Ty::Vector(..) => value,
    }
}
