//! Shared memory: allocations, views, copies and the products that read it.

use super::view;
use crate::{OpKind, Value};

view! {
    /// `ttg.local_alloc`.
    LocalAllocOp = TtgLocalAlloc;
    /// `ttg.local_load`.
    LocalLoadOp = TtgLocalLoad;
    /// `ttg.local_store`.
    LocalStoreOp = TtgLocalStore;
    /// `ttg.memdesc_index`.
    MemDescIndexOp = TtgMemDescIndex;
    /// `ttg.async_copy_global_to_local`.
    AsyncCopyOp = TtgAsyncCopyGlobalToLocal;
    /// `ttg.async_wait`.
    AsyncWaitOp = TtgAsyncWait;
    /// `ttng.warp_group_dot`.
    WarpGroupDotOp = TtngWarpGroupDot;
}

impl<'c> LocalAllocOp<'c> {
    /// The tensor it starts with; uninitialised when `None`.
    pub fn src(self) -> Option<Value<'c>> {
        (self.op.num_operands() > 0).then(|| self.op.operand(0))
    }

    /// The memory descriptor.
    pub fn result(self) -> Value<'c> {
        self.op.result(0)
    }

    /// Byte alignment asked for.
    pub fn alignment(self) -> Option<i64> {
        self.op.int_attr("alignment")
    }
}

impl<'c> LocalLoadOp<'c> {
    /// The memory descriptor.
    pub fn src(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The asynchronous copy it waits for, as a token.
    pub fn token(self) -> Option<Value<'c>> {
        (self.op.num_operands() > 1).then(|| self.op.operand(1))
    }

    /// The tensor.
    pub fn result(self) -> Value<'c> {
        self.op.result(0)
    }
}

impl<'c> LocalStoreOp<'c> {
    /// The tensor.
    pub fn src(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// The memory descriptor.
    pub fn dst(self) -> Value<'c> {
        self.op.operand(1)
    }
}

impl<'c> MemDescIndexOp<'c> {
    /// A memory descriptor with a leading dimension of buffers.
    pub fn src(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// Which buffer.
    pub fn index(self) -> Value<'c> {
        self.op.operand(1)
    }
}

impl<'c> AsyncCopyOp<'c> {
    /// Where from.
    pub fn ptr(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// Where to.
    pub fn result(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// Which elements to copy; all when `None`.
    pub fn mask(self) -> Option<Value<'c>> {
        self.op.segment(2).first().copied()
    }

    /// What masked-out elements are.
    pub fn other(self) -> Option<Value<'c>> {
        self.op.segment(3).first().copied()
    }
}

impl AsyncWaitOp<'_> {
    /// Groups that may still be under way.
    pub fn pending(self) -> i64 {
        self.op.required_int("num")
    }
}

impl<'c> WarpGroupDotOp<'c> {
    /// Left operand: a memory descriptor, or a tensor in registers.
    pub fn a(self) -> Value<'c> {
        self.op.operand(0)
    }

    /// Right operand: a memory descriptor.
    pub fn b(self) -> Value<'c> {
        self.op.operand(1)
    }

    /// The accumulator.
    pub fn c(self) -> Value<'c> {
        self.op.operand(2)
    }

    /// An `i1`: when false, the accumulator counts as zero.
    pub fn use_c(self) -> Option<Value<'c>> {
        (self.op.num_operands() > 3).then(|| self.op.operand(3))
    }

    /// The result is only there after a `ttng.warp_group_dot_wait`.
    pub fn is_async(self) -> bool {
        self.op.kind() == OpKind::TtngWarpGroupDot && self.op.int_attr("isAsync") == Some(1)
    }
}
