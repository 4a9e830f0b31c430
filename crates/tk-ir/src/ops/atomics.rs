//! Atomic operations on global memory.

use super::{MemScope, MemSemantic, RmwOp, view};
use crate::{Op, Value};

view! {
    /// `tt.atomic_rmw`.
    AtomicRmwOp = TtAtomicRmw;
    /// `tt.atomic_cas`.
    AtomicCasOp = TtAtomicCas;
}

impl<'c> AtomicRmwOp<'c> {
    /// What it does.
    pub fn kind(self) -> RmwOp {
        RmwOp::from_number(self.op.required_int("atomic_rmw_op")).unwrap_or(RmwOp::Exchange)
    }

    /// A pointer or a tensor of pointers.
    pub fn ptr(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The other operand.
    pub fn value(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// Which elements take part; all when `None`.
    pub fn mask(self) -> Option<Value<'c>> {
        (self.op.num_operands() > 2).then(|| self.op.operand(2))
    }

    /// The old value.
    pub fn result(self) -> Value<'c> {
        self.op.result(0)
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

impl<'c> AtomicCasOp<'c> {
    /// A pointer or a tensor of pointers.
    pub fn ptr(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The value expected.
    pub fn compare(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// The value to put there when it was.
    pub fn value(self) -> Value<'c> {
        self.op.operand(2)
    }

    /// The old value.
    pub fn result(self) -> Value<'c> {
        self.op.result(0)
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

fn semantic_of(op: Op<'_>) -> MemSemantic {
    MemSemantic::from_number(op.required_int("sem")).unwrap_or(MemSemantic::AcquireRelease)
}

fn scope_of(op: Op<'_>) -> MemScope {
    MemScope::from_number(op.required_int("scope")).unwrap_or(MemScope::Gpu)
}
