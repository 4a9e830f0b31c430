//! Atomic operations on global memory.

use super::{MemScope, MemSemantic, RmwOp, view};
use crate::Op;

view! {
    /// `tt.atomic_rmw`.
    AtomicRmwOp = TtAtomicRmw {
        /// A pointer or a tensor of pointers.
        ptr = operand 0;
        /// The other operand.
        value = operand 1;
        /// Which elements take part; all when `None`.
        mask = optional 2;
        /// The old value.
        result = result 0;
    }
    /// `tt.atomic_cas`.
    AtomicCasOp = TtAtomicCas {
        /// A pointer or a tensor of pointers.
        ptr = operand 0;
        /// The value expected.
        compare = operand 1;
        /// The value to put there when it was.
        value = operand 2;
        /// The old value.
        result = result 0;
    }
}

impl AtomicRmwOp<'_> {
    /// What it does.
    pub fn kind(self) -> RmwOp {
        RmwOp::from_number(self.op.required_int("atomic_rmw_op")).unwrap_or(RmwOp::Exchange)
    }

    /// Memory order.
    pub fn semantic(self) -> MemSemantic {
        semantic_of(self.op)
    }

    /// Among whom.
    pub fn scope(self) -> MemScope {
        scope_of(self.op)
    }
}

impl AtomicCasOp<'_> {
    /// Memory order.
    pub fn semantic(self) -> MemSemantic {
        semantic_of(self.op)
    }

    /// Among whom.
    pub fn scope(self) -> MemScope {
        scope_of(self.op)
    }
}

fn semantic_of(op: Op<'_>) -> MemSemantic {
    MemSemantic::from_number(op.required_int("sem")).unwrap_or(MemSemantic::AcquireRelease)
}

fn scope_of(op: Op<'_>) -> MemScope {
    MemScope::from_number(op.required_int("scope")).unwrap_or(MemScope::Gpu)
}
